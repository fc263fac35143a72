//! Makes a script smaller while it still shows the defect.

use crate::generate::Script;
use crate::judge::{self, Finding};

/// How many runs may be made to see whether a smaller script shows it.
const RUNS: usize = 200;

/// How many smaller scripts are tried.
const TRIES: usize = 150;

/// The smallest script that leaving out single parts leads to.
pub(crate) fn shrink(script: &Script, finding: &Finding) -> Finding {
    let mut best = script.clone();
    let mut shown = finding.clone();
    let mut tries = 0;
    loop {
        let mut smaller = None;
        for candidate in candidates(&best) {
            tries += 1;
            if tries > TRIES {
                return shown;
            }
            if let Some(found) = shows(&candidate, &shown) {
                smaller = Some((candidate, found));
                break;
            }
        }
        match smaller {
            Some((candidate, found)) => (best, shown) = (candidate, found),
            None => return shown,
        }
    }
}

fn shows(script: &Script, like: &Finding) -> Option<Finding> {
    let text = script.text();
    let verdicts = judge::verify(&text, judge::TIMEOUT).ok()?;
    let (_, finding) = judge::runs(&text, &verdicts, like.plan.seed, RUNS);
    finding.filter(|finding| finding.property == like.property)
}

/// Scripts with one part less, large parts first.
fn candidates(script: &Script) -> Vec<Script> {
    let mut all = Vec::new();
    let mut without = |change: &dyn Fn(&mut Script)| {
        let mut smaller = script.clone();
        change(&mut smaller);
        all.push(smaller);
    };
    for state in (1..script.states.len()).rev() {
        without(&|smaller| {
            smaller.states.remove(state);
        });
    }
    for (state, (_, handlers)) in script.states.iter().enumerate() {
        for index in 0..handlers.len() {
            if handlers.len() > 1 {
                without(&|smaller| {
                    smaller.states[state].1.remove(index);
                });
            }
        }
    }
    for index in 0..script.directives.len() {
        without(&|smaller| {
            smaller.directives.remove(index);
        });
    }
    for (state, (_, handlers)) in script.states.iter().enumerate() {
        for (handler, own) in handlers.iter().enumerate() {
            for index in 0..own.statements.len() {
                without(&|smaller| {
                    smaller.states[state].1[handler].statements.remove(index);
                });
            }
        }
    }
    for index in 0..script.globals.len() {
        without(&|smaller| {
            smaller.globals.remove(index);
        });
    }
    all
}
