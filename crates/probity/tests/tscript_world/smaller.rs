//! A script that is wrong is made smaller, as long as it stays wrong.

use super::script::{Proc, Script};

/// Scripts that are a little smaller.
fn smaller(script: &Script) -> Vec<Script> {
    fn parts(part: &Proc) -> Vec<Proc> {
        let inside = |all: &[Proc], make: &dyn Fn(Vec<Proc>) -> Proc| {
            let mut out = Vec::new();
            for at in 0..all.len() {
                if all.len() > 1 {
                    let mut fewer = all.to_vec();
                    fewer.remove(at);
                    out.push(make(fewer));
                }
                for less in parts(&all[at]) {
                    let mut changed = all.to_vec();
                    changed[at] = less;
                    out.push(make(changed));
                }
            }
            out
        };
        match part {
            Proc::Timed(act, ..) => vec![Proc::Act(act.clone())],
            Proc::Seq(all) => inside(all, &Proc::Seq),
            Proc::Choice(all) => inside(all, &Proc::Choice),
            Proc::Let(_, inner) => vec![(**inner).clone()],
            Proc::Loop(a, b) | Proc::Side(a, b) | Proc::Biased(a, b) | Proc::Disrupt(a, b) => {
                let make = |a: Proc, b: Proc| match part {
                    Proc::Loop(..) => Proc::Loop(Box::new(a), Box::new(b)),
                    Proc::Side(..) => Proc::Side(Box::new(a), Box::new(b)),
                    Proc::Biased(..) => Proc::Biased(Box::new(a), Box::new(b)),
                    _ => Proc::Disrupt(Box::new(a), Box::new(b)),
                };
                let mut out = vec![(**a).clone(), (**b).clone()];
                // What is disrupted and never ends stays so.
                let ended = |part: &Proc| matches!(part, Proc::Seq(all) if all.last() == Some(&Proc::Delta));
                let endless = matches!(part, Proc::Disrupt(..)) && ended(a);
                let fewer = parts(a).into_iter().filter(|a| !endless || ended(a));
                out.extend(fewer.map(|a| make(a, (**b).clone())));
                out.extend(parts(b).into_iter().map(|b| make((**a).clone(), b)));
                out
            }
            Proc::Act(_) | Proc::Call(..) | Proc::CallNamed(_) | Proc::Delta => Vec::new(),
            Proc::If(_, then, other) => {
                let mut out = vec![(**then).clone()];
                out.extend(other.iter().map(|other| (**other).clone()));
                out
            }
        }
    }
    let mut all = Vec::new();
    for at in 0..script.called.len() {
        for less in parts(&script.called[at]) {
            let mut changed = script.clone();
            changed.called[at] = less;
            all.push(changed);
        }
    }
    for at in 0..script.processes.len() {
        if script.processes.len() > 1 {
            let mut fewer = script.clone();
            fewer.processes.remove(at);
            all.push(fewer);
        }
        for less in parts(&script.processes[at]) {
            let mut changed = script.clone();
            changed.processes[at] = less;
            all.push(changed);
        }
    }
    all
}

/// The smallest script found that is still wrong, and how.
pub(crate) fn shrunk(
    mut script: Script,
    mut wrong: String,
    is_wrong: &dyn Fn(&Script) -> Option<String>,
) -> String {
    let mut tries = 0;
    'again: loop {
        for candidate in smaller(&script) {
            tries += 1;
            if tries > 400 {
                break 'again;
            }
            if let Some(still) = is_wrong(&candidate) {
                (script, wrong) = (candidate, still);
                continue 'again;
            }
        }
        break;
    }
    format!("{wrong}\n{}", script.text(""))
}
