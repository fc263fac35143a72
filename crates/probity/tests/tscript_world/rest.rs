//! What a process may do first, and what is left of it then.

use super::script::{Act, Proc, Term};

/// What has to hold before an action, and is wanted to be so.
pub(crate) type Tests = Vec<(Term, bool)>;

/// An action that may come first, and what is left then.
#[derive(Clone)]
pub(crate) struct First {
    pub(crate) tests: Tests,
    pub(crate) act: Act,
    pub(crate) rest: Proc,
}

fn is_done(part: &Proc) -> bool {
    matches!(part, Proc::Seq(parts) if parts.is_empty())
}

/// One after the other.
fn then(first: Proc, rest: &[Proc]) -> Proc {
    let mut all = Vec::new();
    if !is_done(&first) {
        all.push(first);
    }
    all.extend_from_slice(rest);
    Proc::Seq(all)
}

fn beside(a: Proc, b: Proc) -> Proc {
    match (is_done(&a), is_done(&b)) {
        (true, _) => b,
        (_, true) => a,
        _ => Proc::Side(Box::new(a), Box::new(b)),
    }
}

pub(crate) fn firsts(part: &Proc) -> Vec<First> {
    let behind = |part: &Proc, wrap: &dyn Fn(Proc) -> Proc| -> Vec<First> {
        let all = firsts(part).into_iter();
        all.map(|first| First {
            rest: wrap(first.rest),
            ..first
        })
        .collect()
    };
    match part {
        Proc::Act(act) => vec![First {
            tests: Vec::new(),
            act: act.clone(),
            rest: Proc::Seq(Vec::new()),
        }],
        Proc::Delta => Vec::new(),
        Proc::Seq(parts) => match parts.split_first() {
            None => Vec::new(),
            Some((first, rest)) => behind(first, &|left| then(left, rest)),
        },
        Proc::Choice(parts) => parts.iter().flat_map(firsts).collect(),
        Proc::Loop(body, exit) => {
            let again = [part.clone()];
            let mut all = behind(body, &|left| then(left, &again));
            all.extend(firsts(exit));
            all
        }
        Proc::Side(a, b) => {
            let mut all = behind(a, &|left| beside(left, (**b).clone()));
            all.extend(behind(b, &|left| beside((**a).clone(), left)));
            all
        }
        Proc::If(test, one, other) => {
            let mut all = firsts(one);
            all.iter_mut()
                .for_each(|first| first.tests.push((test.clone(), true)));
            for mut first in other.iter().flat_map(|other| firsts(other)) {
                first.tests.push((test.clone(), false));
                all.push(first);
            }
            all
        }
    }
}

/// A message between two parts that run side by side: what is sent, what is wanted, what is left.
pub(crate) struct Inside {
    pub(crate) tests: Tests,
    pub(crate) sent: Term,
    pub(crate) wanted: Term,
    pub(crate) rest: Proc,
}

pub(crate) fn insides(part: &Proc) -> Vec<Inside> {
    let behind = |part: &Proc, wrap: &dyn Fn(Proc) -> Proc| -> Vec<Inside> {
        let all = insides(part).into_iter();
        all.map(|inside| Inside {
            rest: wrap(inside.rest),
            ..inside
        })
        .collect()
    };
    match part {
        Proc::Act(_) | Proc::Delta => Vec::new(),
        Proc::Seq(parts) => match parts.split_first() {
            None => Vec::new(),
            Some((first, rest)) => behind(first, &|left| then(left, rest)),
        },
        Proc::Choice(parts) => parts.iter().flat_map(insides).collect(),
        Proc::Loop(body, exit) => {
            let again = [part.clone()];
            let mut all = behind(body, &|left| then(left, &again));
            all.extend(insides(exit));
            all
        }
        Proc::If(test, one, other) => {
            let mut all = insides(one);
            all.iter_mut()
                .for_each(|inside| inside.tests.push((test.clone(), true)));
            for mut inside in other.iter().flat_map(|other| insides(other)) {
                inside.tests.push((test.clone(), false));
                all.push(inside);
            }
            all
        }
        Proc::Side(a, b) => {
            let mut all = behind(a, &|left| beside(left, (**b).clone()));
            all.extend(behind(b, &|left| beside((**a).clone(), left)));
            let (ours, theirs) = (firsts(a), firsts(b));
            for (one, other) in ours.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
                let rest = beside(one.rest.clone(), other.rest.clone());
                let ends = match (&one.act, &other.act) {
                    (Act::SndMsg(sent), Act::RecMsg(wanted))
                    | (Act::RecMsg(wanted), Act::SndMsg(sent)) => (sent, wanted),
                    _ => continue,
                };
                all.push(Inside {
                    tests: one.tests.iter().chain(&other.tests).cloned().collect(),
                    sent: ends.0.clone(),
                    wanted: ends.1.clone(),
                    rest,
                });
            }
            all
        }
    }
}
