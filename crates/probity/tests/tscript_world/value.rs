//! Values, expressions, and how terms match, as the bus in Java has it.

use super::script::{Kind, Term, VARIABLES};

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Val {
    Int(i32),
    Real(f64),
    Str(String),
    Bool(bool),
    Word(String, Vec<Val>),
    List(Vec<Val>),
}

impl PartialEq for Val {
    /// Terms are shared: what is no number equals itself, and there is one zero.
    fn eq(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Int(a), Val::Int(b)) => a == b,
            (Val::Real(a), Val::Real(b)) => a == b || a.is_nan() && b.is_nan(),
            (Val::Str(a), Val::Str(b)) => a == b,
            (Val::Bool(a), Val::Bool(b)) => a == b,
            (Val::Word(f, a), Val::Word(g, b)) => f == g && a == b,
            (Val::List(a), Val::List(b)) => a == b,
            _ => false,
        }
    }
}

/// An expression has no value: the bus halts.
pub(crate) struct Halt;

pub(crate) fn undefined() -> Val {
    Val::Word("undefined".to_owned(), Vec::new())
}

/// Whether a variable of a type takes a value.
pub(crate) fn takes(kind: Kind, value: &Val) -> bool {
    match (kind, value) {
        (_, Val::Word(word, parts)) if word == "undefined" && parts.is_empty() => true,
        (Kind::Term, _)
        | (Kind::Int, Val::Int(_))
        | (Kind::Str, Val::Str(_))
        | (Kind::Real, Val::Real(_))
        | (Kind::Bool, Val::Bool(_)) => true,
        (Kind::Tool, Val::Word(word, _)) => word == "t",
        (Kind::Caller, Val::Word(word, _)) => word == "c",
        _ => false,
    }
}

pub(crate) type Env = Vec<Val>;

/// A term as it stands; nothing if something in it is to be filled.
pub(crate) fn closed(term: &Term, env: &Env) -> Option<Val> {
    let all = |parts: &[Term]| -> Option<Vec<Val>> {
        parts.iter().map(|part| closed(part, env)).collect()
    };
    Some(match term {
        Term::Int(number) => Val::Int(*number),
        Term::Real(number) => Val::Real(*number),
        Term::Str(text) => Val::Str((*text).to_owned()),
        Term::Bool(truth) => Val::Bool(*truth),
        Term::Var(var) => env[*var].clone(),
        Term::Fill(_) => return None,
        Term::Word(word, parts) | Term::Call(word, parts) => {
            Val::Word((*word).to_owned(), all(parts)?)
        }
        Term::List(parts) => Val::List(all(parts)?),
    })
}

/// The value of an expression.
pub(crate) fn value(term: &Term, env: &Env) -> Result<Val, Halt> {
    let Term::Call(name, args) = term else {
        return match term {
            Term::List(parts) => {
                let parts: Result<Vec<Val>, Halt> =
                    parts.iter().map(|part| value(part, env)).collect();
                Ok(Val::List(parts?))
            }
            _ => closed(term, env).ok_or(Halt),
        };
    };
    let mut given = Vec::new();
    for arg in args {
        given.push(value(arg, env)?);
    }
    let truth = |value: &Val| match value {
        Val::Bool(truth) => Ok(*truth),
        _ => Err(Halt),
    };
    Ok(match (*name, given.as_slice()) {
        ("equal", [a, b]) => Val::Bool(a == b),
        ("not-equal", [a, b]) => Val::Bool(a != b),
        ("not", [a]) => Val::Bool(!truth(a)?),
        ("and", [a, b]) => {
            let (a, b) = (truth(a)?, truth(b)?);
            Val::Bool(a && b)
        }
        ("or", [a, b]) => {
            let (a, b) = (truth(a)?, truth(b)?);
            Val::Bool(a || b)
        }
        ("is-int", [a]) => Val::Bool(matches!(a, Val::Int(_))),
        ("is-str", [a]) => Val::Bool(matches!(a, Val::Str(_))),
        ("is-appl", [a]) => Val::Bool(matches!(a, Val::Word(..) | Val::Str(_) | Val::Bool(_))),
        ("first", [Val::List(items)]) => items.first().cloned().unwrap_or_else(undefined),
        ("concat", [Val::Str(a), Val::Str(b)]) => Val::Str(format!("{a}{b}")),
        (name, [Val::Int(a), Val::Int(b)]) => {
            let (a, b) = (*a, *b);
            match name {
                "add" => Val::Int(a.wrapping_add(b)),
                "sub" => Val::Int(a.wrapping_sub(b)),
                "mul" => Val::Int(a.wrapping_mul(b)),
                "div" if b != 0 => Val::Int(a.wrapping_div(b)),
                "mod" if b != 0 => Val::Int(a.wrapping_rem(b)),
                "less" => Val::Bool(a < b),
                "less-equal" => Val::Bool(a <= b),
                "greater" => Val::Bool(a > b),
                "greater-equal" => Val::Bool(a >= b),
                _ => return Err(Halt),
            }
        }
        (name, [Val::Real(a), Val::Real(b)]) => match name {
            "radd" => Val::Real(a + b),
            "rsub" => Val::Real(a - b),
            "rmul" => Val::Real(a * b),
            "rdiv" => Val::Real(a / b),
            "rless" => Val::Bool(a < b),
            "rgreater-equal" => Val::Bool(a >= b),
            _ => return Err(Halt),
        },
        _ => return Err(Halt),
    })
}

/// What variables get.
pub(crate) type Filled = Vec<(usize, Val)>;

/// A term that may have gaps is matched with a value.
pub(crate) fn fits(pattern: &Term, env: &Env, value: &Val, filled: &mut Filled) -> bool {
    match pattern {
        Term::Fill(var) => {
            let takes = takes(VARIABLES[*var].1, value);
            if takes && filled.iter().all(|(other, _)| other != var) {
                filled.push((*var, value.clone()));
            }
            takes
        }
        Term::Word(word, parts) => match value {
            Val::Word(other, values) => {
                word == other
                    && parts.len() == values.len()
                    && parts
                        .iter()
                        .zip(values)
                        .all(|(part, value)| fits(part, env, value, filled))
            }
            _ => false,
        },
        _ => closed(pattern, env).as_ref() == Some(value),
    }
}

/// The two ends of a message are matched: each may fill what the other leaves open, but nothing comes
/// of two gaps.
pub(crate) fn meet(
    (sent, sender): (&Term, &Env),
    (wanted, receiver): (&Term, &Env),
    (back, there): (&mut Filled, &mut Filled),
) -> bool {
    match (sent, wanted) {
        (Term::Fill(_), Term::Fill(_)) => false,
        (Term::Fill(_), _) => {
            closed(wanted, receiver).is_some_and(|value| fits(sent, sender, &value, back))
        }
        (_, Term::Fill(_)) => {
            closed(sent, sender).is_some_and(|value| fits(wanted, receiver, &value, there))
        }
        (Term::Word(f, sent), Term::Word(g, wanted)) => {
            f == g
                && sent.len() == wanted.len()
                && sent
                    .iter()
                    .zip(wanted)
                    .all(|(a, b)| meet((a, sender), (b, receiver), (&mut *back, &mut *there)))
        }
        _ => {
            let (sent, wanted) = (closed(sent, sender), closed(wanted, receiver));
            sent.is_some() && sent == wanted
        }
    }
}
