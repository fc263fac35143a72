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
    /// How long it has to wait, and when it is too late.
    pub(crate) time: (Option<u32>, Option<u32>),
    /// What is preferred, if it can be done.
    pub(crate) unless: Vec<(Tests, Act)>,
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

/// What has been done cannot be disrupted any more.
fn disrupted(left: Proc, by: &Proc) -> Proc {
    match is_done(&left) {
        true => left,
        false => Proc::Disrupt(Box::new(left), Box::new(by.clone())),
    }
}

fn first(act: &Act, time: (Option<u32>, Option<u32>)) -> First {
    First {
        tests: Vec::new(),
        act: act.clone(),
        rest: Proc::Seq(Vec::new()),
        time,
        unless: Vec::new(),
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
        Proc::Act(act) => vec![first(act, (None, None))],
        Proc::Timed(act, delay, timeout) => vec![first(act, (*delay, *timeout))],
        // Calls have been unfolded.
        Proc::Delta | Proc::Let(..) | Proc::Call(..) | Proc::CallNamed(_) => Vec::new(),
        Proc::Seq(parts) => match parts.split_first() {
            None => Vec::new(),
            Some((first, rest)) => behind(first, &|left| then(left, rest)),
        },
        Proc::Choice(parts) => parts.iter().flat_map(firsts).collect(),
        Proc::Biased(other, best) => {
            let mut all = firsts(best);
            let better: Vec<(Tests, Act)> = all
                .iter()
                .map(|first| (first.tests.clone(), first.act.clone()))
                .collect();
            for mut first in firsts(other) {
                first.unless.extend(better.iter().cloned());
                all.push(first);
            }
            all
        }
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
        Proc::Disrupt(a, b) => {
            let mut all = behind(a, &|left| disrupted(left, b));
            all.extend(firsts(b));
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
    /// When the two of them may be done.
    pub(crate) times: [(Option<u32>, Option<u32>); 2],
    /// What the sender prefers.
    pub(crate) unless: Vec<(Tests, Act)>,
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
        Proc::Act(_)
        | Proc::Timed(..)
        | Proc::Delta
        | Proc::Let(..)
        | Proc::Call(..)
        | Proc::CallNamed(_) => Vec::new(),
        Proc::Seq(parts) => match parts.split_first() {
            None => Vec::new(),
            Some((first, rest)) => behind(first, &|left| then(left, rest)),
        },
        Proc::Choice(parts) => parts.iter().flat_map(insides).collect(),
        Proc::Biased(a, b) => insides(a).into_iter().chain(insides(b)).collect(),
        Proc::Disrupt(a, b) => {
            let mut all = behind(a, &|left| disrupted(left, b));
            all.extend(insides(b));
            all
        }
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
                    (Act::SndMsg(sent), Act::RecMsg(wanted)) => (sent, wanted, one),
                    (Act::RecMsg(wanted), Act::SndMsg(sent)) => (sent, wanted, other),
                    _ => continue,
                };
                all.push(Inside {
                    times: [one.time, other.time],
                    unless: ends.2.unless.clone(),
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
