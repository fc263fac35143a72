//! Which values that are not followed make a difference to what is observed.
//!
//! A rule whose effects are the ways in which it may go for such a value rests on it
//! ([`Rule::rests_on`]). If all of them set the same variables that matter ([`cone`](super::cone)) to the same
//! values, and send the same signals to inputs that matter, then nothing that is observed tells which
//! way the engine takes: for each run that takes one there is a run that takes another, and that looks alike.

use std::collections::{BTreeMap, BTreeSet};

use super::cone::{Cone, Observed};
use super::{Effect, MachineId, Net, Rule, UnfollowedId, Update, VarId};

/// What is seen of an effect: what it sets, the outputs that are seen to fire, and the inputs that signals
/// reach.
#[derive(PartialEq)]
struct Seen<'n> {
    sets: Vec<&'n (VarId, Update)>,
    signals: Vec<Signal>,
}

#[derive(PartialEq)]
enum Signal {
    Fires(u16),
    Reaches(MachineId, u16),
}

/// The values that make a difference to what is observed, on which this cone depends.
pub(crate) fn differences(net: &Net, cone: &Cone, observed: &Observed) -> BTreeSet<UnfollowedId> {
    let mut different = BTreeSet::new();
    for (id, machine) in net.ids() {
        let seen = |effect: &'_ Effect| -> Vec<Signal> {
            let mut signals = Vec::new();
            for &out in &effect.outs {
                if observed.fired.contains(&(id, out)) {
                    signals.push(Signal::Fires(out));
                }
                let targets = machine.outputs[usize::from(out)].targets.iter();
                let targets = targets.filter(|target| cone.inputs.contains(target));
                signals.extend(targets.map(|&(to, at)| Signal::Reaches(to, at)));
            }
            signals
        };
        for (at, input) in machine.inputs.iter().enumerate() {
            if !cone.inputs.contains(&(id, at as u16)) {
                continue;
            }
            // Where ways are left to overlap, those of several rules are ways of one value.
            let mut ways: BTreeMap<UnfollowedId, Seen<'_>> = BTreeMap::new();
            for rule in &input.rules {
                let Some(by) = rule.rests_on else { continue };
                for effect in &rule.effects {
                    let sets = effect.sets.iter();
                    let way = Seen {
                        sets: sets.filter(|(var, _)| cone.vars.contains(var)).collect(),
                        signals: seen(effect),
                    };
                    match ways.get(&by) {
                        Some(other) if *other != way => {
                            different.insert(by);
                        }
                        Some(_) => {}
                        None => {
                            ways.insert(by, way);
                        }
                    }
                }
            }
        }
        // Whether it moves at all rests on the value, too.
        if cone.own.contains(&id) {
            let rules = machine.own.iter().map(|(_, rule): &(_, Rule)| rule);
            different.extend(rules.filter_map(|rule| rule.rests_on));
        }
    }
    different
}
