//! Formulas as SMV writes them.
//!
//! Temporal operators put what they are about into parentheses, so that only the connectives of
//! propositional logic have to ask how tightly an operand binds. An atom is written as it is: a
//! comparison binds more tightly than any connective, anything longer comes with parentheses.

use std::fmt::Display;

use crate::ctl::{Ctl, Quantifier};
use crate::ltl::Ltl;

impl<A: Display> Ltl<A> {
    /// The formula as it stands behind `LTLSPEC`.
    pub fn to_smv(&self) -> String {
        let inside = |p: &Ltl<A>| match p {
            Ltl::And(ps) | Ltl::Or(ps) if !ps.is_empty() => format!("({})", p.to_smv()),
            Ltl::Implies(..) | Ltl::Iff(..) => format!("({})", p.to_smv()),
            _ => p.to_smv(),
        };
        match self {
            Ltl::True => "TRUE".to_owned(),
            Ltl::False => "FALSE".to_owned(),
            Ltl::Atom(atom) => atom.to_string(),
            Ltl::Not(p) => format!("!({})", p.to_smv()),
            Ltl::And(ps) => joined(ps.iter().map(inside), " & ", "TRUE"),
            Ltl::Or(ps) => joined(ps.iter().map(inside), " | ", "FALSE"),
            Ltl::Implies(p, q) => format!("{} -> {}", inside(p), inside(q)),
            Ltl::Iff(p, q) => format!("{} <-> {}", inside(p), inside(q)),
            Ltl::Next(p) => format!("X ({})", p.to_smv()),
            Ltl::Eventually(p) => format!("F ({})", p.to_smv()),
            Ltl::Always(p) => format!("G ({})", p.to_smv()),
            Ltl::Until(p, q) => format!("(({}) U ({}))", p.to_smv(), q.to_smv()),
            Ltl::Release(p, q) => format!("(({}) V ({}))", p.to_smv(), q.to_smv()),
            // SMV has no weak until: `q` releases `p` where both have been in question.
            Ltl::WeakUntil(p, q) => {
                let (p, q) = (p.to_smv(), q.to_smv());
                format!("(({q}) V (({p}) | ({q})))")
            }
        }
    }
}

impl<A: Display> Ctl<A> {
    /// The formula as it stands behind `CTLSPEC`.
    pub fn to_smv(&self) -> String {
        let inside = |p: &Ctl<A>| match p {
            Ctl::And(ps) | Ctl::Or(ps) if !ps.is_empty() => format!("({})", p.to_smv()),
            Ctl::Implies(..) | Ctl::Iff(..) => format!("({})", p.to_smv()),
            _ => p.to_smv(),
        };
        let over = |quantifier: &Quantifier| match quantifier {
            Quantifier::All => 'A',
            Quantifier::Some => 'E',
        };
        match self {
            Ctl::True => "TRUE".to_owned(),
            Ctl::False => "FALSE".to_owned(),
            Ctl::Atom(atom) => atom.to_string(),
            Ctl::Not(p) => format!("!({})", p.to_smv()),
            Ctl::And(ps) => joined(ps.iter().map(inside), " & ", "TRUE"),
            Ctl::Or(ps) => joined(ps.iter().map(inside), " | ", "FALSE"),
            Ctl::Implies(p, q) => format!("{} -> {}", inside(p), inside(q)),
            Ctl::Iff(p, q) => format!("{} <-> {}", inside(p), inside(q)),
            Ctl::Next(e, p) => format!("{}X({})", over(e), p.to_smv()),
            Ctl::Eventually(e, p) => format!("{}F({})", over(e), p.to_smv()),
            Ctl::Always(e, p) => format!("{}G({})", over(e), p.to_smv()),
            Ctl::Until(e, p, q) => format!("{}[({}) U ({})]", over(e), p.to_smv(), q.to_smv()),
            Ctl::Within(e, lo, hi, p, q) => {
                let (p, q) = (p.to_smv(), q.to_smv());
                format!("{}[({p}) BU {lo}..{hi} ({q})]", over(e))
            }
        }
    }
}

fn joined(parts: impl Iterator<Item = String>, operator: &str, empty: &str) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        return empty.to_owned();
    }
    parts.join(operator)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn connectives_are_told_apart_by_parentheses() {
        let atom = Ltl::atom;
        let some = Ltl::or(atom("a"), atom("b"));
        let answered = Ltl::implies(Ltl::and(some, atom("c")), Ltl::eventually(atom("d")));
        assert_eq!(Ltl::always(answered).to_smv(), "G (((a | b) & c) -> F (d))");
        let release = Ltl::release(atom("a"), Ltl::iff(atom("b"), Ltl::next(atom("c"))));
        assert_eq!(Ltl::not(release).to_smv(), "!(((a) V (b <-> X (c))))");
        assert_eq!(Ltl::<&str>::And([].into()).to_smv(), "TRUE");
        assert_eq!(Ltl::<&str>::Or([].into()).to_smv(), "FALSE");
    }

    #[test]
    fn weak_until_is_a_release() {
        let weak = Ltl::weak_until(Ltl::atom("p"), Ltl::atom("q"));
        assert_eq!(weak.to_smv(), "((q) V ((p) | (q)))");
    }

    #[test]
    fn branching_time_is_written_as_in_the_paper() {
        let quiet = Ctl::Eventually(Quantifier::Some, Arc::new(Ctl::Atom("eventMode = FALSE")));
        let formula = Ctl::Always(Quantifier::All, Arc::new(quiet));
        assert_eq!(formula.to_smv(), "AG(EF(eventMode = FALSE))");
        let (p, q) = (Arc::new(Ctl::Atom("p")), Arc::new(Ctl::Atom("q")));
        let until = Ctl::Until(Quantifier::Some, p.clone(), q.clone());
        let within = Ctl::Within(Quantifier::All, 1, 3, p, q);
        let both = Ctl::Implies(Arc::new(until), Arc::new(Ctl::Or([within].into())));
        assert_eq!(both.to_smv(), "E[(p) U (q)] -> (A[(p) BU 1..3 (q)])");
    }
}
