//! Formulas as text, in the notation that [`parse`](crate::parse) reads.

use std::fmt::{self, Display, Write};

use crate::ltl::Ltl;

/// How tightly an operator binds; operands that bind less tightly are parenthesised.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Unary,
}

impl<A> Ltl<A> {
    fn binding(&self) -> Binding {
        match self {
            Ltl::Iff(..) => Binding::Iff,
            Ltl::Implies(..) => Binding::Implies,
            Ltl::Or(ps) if ps.len() > 1 => Binding::Or,
            Ltl::And(ps) if ps.len() > 1 => Binding::And,
            Ltl::Or(ps) | Ltl::And(ps) => ps.first().map_or(Binding::Unary, Ltl::binding),
            Ltl::Until(..) | Ltl::Release(..) | Ltl::WeakUntil(..) => Binding::Until,
            _ => Binding::Unary,
        }
    }
}

impl<A: Display> Display for Ltl<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ltl::True => f.write_str("true"),
            Ltl::False => f.write_str("false"),
            Ltl::Atom(atom) => write!(f, "{atom}"),
            Ltl::Not(p) => write_negation(f, p),
            Ltl::Next(p) => write_unary(f, "X ", p),
            Ltl::Eventually(p) => write_unary(f, "<> ", p),
            Ltl::Always(p) => write_unary(f, "[] ", p),
            Ltl::And(ps) => write_chain(f, ps, " && ", "true", Binding::And),
            Ltl::Or(ps) => write_chain(f, ps, " || ", "false", Binding::Or),
            Ltl::Implies(p, q) => write_binary(f, p, " -> ", q, Binding::Implies),
            Ltl::Iff(p, q) => {
                write_operand(f, p, p.binding() > Binding::Iff)?;
                f.write_str(" <-> ")?;
                write_operand(f, q, q.binding() > Binding::Iff)
            }
            Ltl::Until(p, q) => write_binary(f, p, " U ", q, Binding::Until),
            Ltl::Release(p, q) => write_binary(f, p, " R ", q, Binding::Until),
            Ltl::WeakUntil(p, q) => write_binary(f, p, " W ", q, Binding::Until),
        }
    }
}

fn write_operand<A: Display>(f: &mut fmt::Formatter<'_>, p: &Ltl<A>, bare: bool) -> fmt::Result {
    if bare {
        write!(f, "{p}")
    } else {
        write!(f, "({p})")
    }
}

fn write_unary<A: Display>(f: &mut fmt::Formatter<'_>, operator: &str, p: &Ltl<A>) -> fmt::Result {
    f.write_str(operator)?;
    write_operand(f, p, p.binding() == Binding::Unary)
}

/// A `!` in front of an atom with operators of its own would be read as the atom's.
fn write_negation<A: Display>(f: &mut fmt::Formatter<'_>, p: &Ltl<A>) -> fmt::Result {
    f.write_char('!')?;
    let bare = match p {
        Ltl::Atom(atom) => {
            let text = atom.to_string();
            text.chars().all(|c| c.is_alphanumeric() || c == '_')
        }
        _ => p.binding() == Binding::Unary,
    };
    write_operand(f, p, bare)
}

fn write_chain<A: Display>(
    f: &mut fmt::Formatter<'_>,
    operands: &[Ltl<A>],
    operator: &str,
    empty: &str,
    binding: Binding,
) -> fmt::Result {
    if operands.is_empty() {
        return f.write_str(empty);
    }
    for (i, p) in operands.iter().enumerate() {
        if i > 0 {
            f.write_str(operator)?;
        }
        write_operand(f, p, operands.len() == 1 || p.binding() > binding)?;
    }
    Ok(())
}

/// For operators that associate to the right.
fn write_binary<A: Display>(
    f: &mut fmt::Formatter<'_>,
    p: &Ltl<A>,
    operator: &str,
    q: &Ltl<A>,
    binding: Binding,
) -> fmt::Result {
    write_operand(f, p, p.binding() > binding)?;
    f.write_str(operator)?;
    write_operand(f, q, q.binding() > binding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_where_needed() {
        let [p, q, r] = ["p", "q > 0", "r"].map(Ltl::atom);
        let shown = |formula: Ltl<&str>| formula.to_string();
        assert_eq!(
            shown(Ltl::leads_to(p.clone(), q.clone())),
            "[] (p -> <> q > 0)"
        );
        assert_eq!(
            shown(Ltl::until(
                Ltl::until(p.clone(), q.clone()),
                Ltl::not(q.clone())
            )),
            "(p U q > 0) U !(q > 0)"
        );
        assert_eq!(
            shown(Ltl::or(Ltl::and(p.clone(), r.clone()), Ltl::not(r))),
            "p && r || !r"
        );
        assert_eq!(shown(Ltl::not(Ltl::or(p.clone(), q))), "!(p || q > 0)");
        assert_eq!(shown(Ltl::And([p].into())), "p");
    }
}
