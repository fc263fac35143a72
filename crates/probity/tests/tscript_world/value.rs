//! Values, expressions, and how terms match, as the bus in Java has it.

use std::sync::atomic::{AtomicU64, Ordering};

use super::script::{Kind, Term, kind};

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Val {
    Int(i32),
    /// Terms are shared: of the zeros there is one.
    Real(f64),
    /// What is no number is the same only if it comes from the same computation.
    NoNumber(u64),
    Str(String),
    Bool(bool),
    Word(String, Vec<Val>),
    List(Vec<Val>),
}

/// An expression has no value: the bus halts.
pub(crate) struct Halt;

pub(crate) fn undefined() -> Val {
    Val::Word("undefined".to_owned(), Vec::new())
}

pub(crate) fn real(number: f64) -> Val {
    static COMPUTED: AtomicU64 = AtomicU64::new(0);
    match number.is_nan() {
        true => Val::NoNumber(COMPUTED.fetch_add(1, Ordering::Relaxed)),
        false => Val::Real(number),
    }
}

/// Whether a variable of a type takes a value.
pub(crate) fn takes(kind: Kind, value: &Val) -> bool {
    match (kind, value) {
        (_, Val::Word(word, parts)) if word == "undefined" && parts.is_empty() => true,
        (Kind::Term, _)
        | (Kind::Int, Val::Int(_))
        | (Kind::Str, Val::Str(_))
        | (Kind::Real, Val::Real(_) | Val::NoNumber(_))
        | (Kind::List, Val::List(_))
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

/// The value of an expression in a process with a number.
pub(crate) fn value(term: &Term, env: &Env, me: i32) -> Result<Val, Halt> {
    let Term::Call(name, args) = term else {
        return match term {
            Term::List(parts) => {
                let parts: Result<Vec<Val>, Halt> =
                    parts.iter().map(|part| value(part, env, me)).collect();
                Ok(Val::List(parts?))
            }
            _ => closed(term, env).ok_or(Halt),
        };
    };
    let mut given = Vec::new();
    for arg in args {
        given.push(value(arg, env, me)?);
    }
    Ok(match (*name, given.as_slice()) {
        ("process-id", []) => Val::Int(me),
        ("equal", [a, b]) => Val::Bool(a == b),
        ("not-equal", [a, b]) => Val::Bool(a != b),
        ("is-int", [a]) => Val::Bool(matches!(a, Val::Int(_))),
        ("is-str", [a]) => Val::Bool(matches!(a, Val::Str(_))),
        ("is-real", [a]) => Val::Bool(matches!(a, Val::Real(_) | Val::NoNumber(_))),
        ("is-bool", [a]) => Val::Bool(matches!(a, Val::Bool(_))),
        ("is-list", [a]) => Val::Bool(matches!(a, Val::List(_))),
        ("is-appl", [a]) => Val::Bool(matches!(a, Val::Word(..) | Val::Str(_) | Val::Bool(_))),
        ("is-empty", [a]) => Val::Bool(matches!(a, Val::List(items) if items.is_empty())),
        ("not", [Val::Bool(a)]) => Val::Bool(!a),
        ("and", [Val::Bool(a), Val::Bool(b)]) => Val::Bool(*a && *b),
        ("or", [Val::Bool(a), Val::Bool(b)]) => Val::Bool(*a || *b),
        ("concat", [a, b]) => joined(a, b)?,
        ("fun", [Val::Word(word, _) | Val::Str(word)]) => Val::Str(word.clone()),
        ("fun", [Val::Bool(truth)]) => Val::Str(truth.to_string()),
        ("args", [Val::Word(_, parts)]) => Val::List(parts.clone()),
        ("args", [Val::Str(_) | Val::Bool(_)]) => Val::List(Vec::new()),
        ("abs", [Val::Int(a)]) => Val::Int(a.wrapping_abs()),
        ("int-to-real", [Val::Int(a)]) => Val::Real(f64::from(*a)),
        ("real-to-int", [a]) => Val::Int(number(a)? as i32),
        ("rabs", [a]) => real(number(a)?.abs()),
        (name, [Val::Int(a), Val::Int(b)]) => of_ints(name, *a, *b)?,
        (name, [a, b]) if number(a).is_ok() && number(b).is_ok() => {
            of_reals(name, number(a)?, number(b)?)?
        }
        (name, all) => of_lists(name, all)?,
    })
}

fn number(value: &Val) -> Result<f64, Halt> {
    match value {
        Val::Real(number) => Ok(*number),
        Val::NoNumber(_) => Ok(f64::NAN),
        _ => Err(Halt),
    }
}

/// The bus takes every word without arguments for a text; the first says how the second is written.
fn joined(a: &Val, b: &Val) -> Result<Val, Halt> {
    let word = |value: &Val| match value {
        Val::Str(text) => Ok(text.clone()),
        Val::Bool(truth) => Ok(truth.to_string()),
        Val::Word(word, parts) if parts.is_empty() => Ok(word.clone()),
        _ => Err(Halt),
    };
    let (first, second) = (word(a)?, word(b)?);
    let quoted = !matches!(a, Val::Str(_)) && matches!(b, Val::Str(_));
    Ok(Val::Str(match quoted {
        true => format!("{first}\"{second}\""),
        false => format!("{first}{second}"),
    }))
}

fn of_ints(name: &str, a: i32, b: i32) -> Result<Val, Halt> {
    Ok(match name {
        "add" => Val::Int(a.wrapping_add(b)),
        "sub" => Val::Int(a.wrapping_sub(b)),
        "mul" => Val::Int(a.wrapping_mul(b)),
        "div" if b != 0 => Val::Int(a.wrapping_div(b)),
        "mod" if b != 0 => Val::Int(a.wrapping_rem(b)),
        "less" => Val::Bool(a < b),
        "less-equal" => Val::Bool(a <= b),
        "greater" => Val::Bool(a > b),
        "greater-equal" => Val::Bool(a >= b),
        "join" => Val::List(vec![Val::Int(a), Val::Int(b)]),
        _ => return Err(Halt),
    })
}

fn of_reals(name: &str, a: f64, b: f64) -> Result<Val, Halt> {
    Ok(match name {
        "radd" => real(a + b),
        "rsub" => real(a - b),
        "rmul" => real(a * b),
        "rdiv" => real(a / b),
        "rless" => Val::Bool(a < b),
        "rless-equal" => Val::Bool(a <= b),
        "rgreater" => Val::Bool(a > b),
        "rgreater-equal" => Val::Bool(a >= b),
        "join" => Val::List(vec![real(a), real(b)]),
        _ => return Err(Halt),
    })
}

/// What the bus counts from one.
fn place(number: i32) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

fn of_lists(name: &str, given: &[Val]) -> Result<Val, Halt> {
    Ok(match (name, given) {
        ("first", [Val::List(items)]) => items.first().cloned().unwrap_or_else(undefined),
        ("next", [Val::List(items)]) => Val::List(items.iter().skip(1).cloned().collect()),
        ("size", [Val::List(items)]) => Val::Int(i32::try_from(items.len()).unwrap_or(i32::MAX)),
        ("index", [Val::List(items), Val::Int(at)]) => {
            let item = place(*at).and_then(|at| items.get(at));
            item.cloned().ok_or(Halt)?
        }
        ("replace", [Val::List(items), Val::Int(at), with]) => {
            let mut items = items.clone();
            if let Some(item) = place(*at).and_then(|at| items.get_mut(at)) {
                *item = with.clone();
            }
            Val::List(items)
        }
        ("put", [Val::List(rows), key, value]) => {
            let row = Val::List(vec![key.clone(), value.clone()]);
            Val::List(std::iter::once(row).chain(rows.iter().cloned()).collect())
        }
        // Only the first row is looked at.
        ("get", [Val::List(rows), key]) => match rows.first() {
            None => undefined(),
            Some(Val::List(row)) if row.first() == Some(key) => {
                row.last().cloned().unwrap_or_else(undefined)
            }
            Some(Val::List(row)) if !row.is_empty() => undefined(),
            Some(_) => return Err(Halt),
        },
        ("member", [item, Val::List(items)]) => Val::Bool(items.contains(item)),
        ("subset", [Val::List(some), Val::List(all)]) => {
            let mut left = all.clone();
            let mut found = true;
            for item in some {
                match left.iter().rposition(|other| other == item) {
                    Some(at) => drop(left.remove(at)),
                    None => found = false,
                }
            }
            Val::Bool(found)
        }
        ("diff" | "inter", [Val::List(some), Val::List(others)]) => {
            let wanted = name == "inter";
            let kept = some.iter().filter(|item| others.contains(item) == wanted);
            Val::List(kept.cloned().collect())
        }
        ("join", [a, b]) => {
            let part = |value: &Val| match value {
                Val::List(items) => items.clone(),
                one => vec![one.clone()],
            };
            Val::List(part(a).into_iter().chain(part(b)).collect())
        }
        _ => return Err(Halt),
    })
}

/// What variables get.
pub(crate) type Filled = Vec<(usize, Val)>;

/// A term that may have gaps is matched with a value.
pub(crate) fn fits(pattern: &Term, env: &Env, value: &Val, filled: &mut Filled) -> bool {
    match pattern {
        Term::Fill(var) => {
            let takes = takes(kind(*var), value);
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

/// Whether what one variable takes another may take, too.
fn are_alike(a: usize, b: usize) -> bool {
    kind(a) == kind(b) || [a, b].iter().any(|var| kind(*var) == Kind::Term)
}

/// The two ends of a message are matched: each may fill what the other leaves open, but nothing comes
/// of two gaps.
pub(crate) fn meet(
    (sent, sender): (&Term, &Env),
    (wanted, receiver): (&Term, &Env),
    (back, there): (&mut Filled, &mut Filled),
) -> bool {
    match (sent, wanted) {
        // Which actions may meet is found beforehand, by types: whatever variables hold, and if it is nothing.
        (Term::Fill(a) | Term::Var(a), Term::Fill(b) | Term::Var(b)) if !are_alike(*a, *b) => false,
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

/// A value as the bus reads it; nothing if it cannot be written.
pub(crate) fn text(value: &Val) -> Option<String> {
    let all = |parts: &[Val]| -> Option<String> {
        let parts: Option<Vec<String>> = parts.iter().map(text).collect();
        Some(parts?.join(","))
    };
    Some(match value {
        Val::Int(number) => number.to_string(),
        Val::Real(number) => format!("{number:?}"),
        Val::NoNumber(_) => return None,
        Val::Str(text) => format!("\"{text}\""),
        Val::Bool(truth) => truth.to_string(),
        Val::Word(word, parts) if parts.is_empty() => word.clone(),
        Val::Word(word, parts) => format!("{word}({})", all(parts)?),
        Val::List(items) => format!("[{}]", all(items)?),
    })
}
