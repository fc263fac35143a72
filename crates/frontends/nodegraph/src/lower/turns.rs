//! How often a signal may come back to an input in one wave, while other signals that it left on the
//! way still wait there each time.
//!
//! A loop that forks piles up signals to be sent later, turn by turn. Whether it goes round once
//! more depends on some variables only: those that the rules on the loop read, and those from which
//! they in turn get their values. If a signal comes to the same input twice with the same values of
//! these, it may come there again and again, and the wave need never come to rest. So there are no
//! more different turns than such values; each turn leaves behind what its nodes send at once. What
//! piles up more is left out, and that is said.

use std::collections::{BTreeSet, HashMap};

use logic::scc::each_component;

use super::known::Possible;
use crate::net::{Effect, MachineId, Net, Rule, VarId};

type Pin = (MachineId, u16);

/// For each input, how often it can be among what is pending.
pub(crate) struct Turns {
    most: HashMap<Pin, u32>,
    /// Variables that decide whether some loop goes round again, and that a wave on it may change.
    decisive: BTreeSet<VarId>,
}

impl Turns {
    pub(crate) fn of(net: &Net) -> Turns {
        let mut rounds: HashMap<Pin, u32> = HashMap::new();
        let mut decisive = BTreeSet::new();
        for component in loops(net) {
            let changing = changing(net, &component);
            let values = changing.iter();
            let values = values.map(|&var| net.var(var).values.len() as u32);
            let turns = values.fold(1u32, u32::saturating_mul).saturating_add(1);
            decisive.extend(changing);
            rounds.extend(component.into_iter().map(|pin| (pin, turns)));
        }
        let mut most: HashMap<Pin, u32> = HashMap::new();
        let mut send = |id: MachineId, effects: &mut dyn Iterator<Item = &Effect>, turns: u32| {
            let mut at_once: HashMap<Pin, u32> = HashMap::new();
            for effect in effects {
                let mut sent: HashMap<Pin, u32> = HashMap::new();
                for &out in &effect.outs {
                    for &target in &net.machine(id).outputs[usize::from(out)].targets {
                        *sent.entry(target).or_default() += 1;
                    }
                }
                for (target, count) in sent {
                    let most = at_once.entry(target).or_default();
                    *most = count.max(*most);
                }
            }
            for (target, count) in at_once {
                let most = most.entry(target).or_default();
                *most = most.saturating_add(count.saturating_mul(turns));
            }
        };
        for (id, machine) in net.ids() {
            for at in 0..machine.inputs.len() as u16 {
                let turns = rounds.get(&(id, at)).copied().unwrap_or(1);
                let rules = rules(net, (id, at)).iter();
                send(id, &mut rules.flat_map(|rule| &rule.effects), turns);
            }
            let own = machine.own.iter();
            send(id, &mut own.flat_map(|(_, rule)| &rule.effects), 1);
        }
        Turns { most, decisive }
    }

    /// Whether a variable decides if some loop goes round again, and may change meanwhile.
    pub(crate) fn is_decisive(&self, var: VarId) -> bool {
        self.decisive.contains(&var)
    }

    /// How often a signal to an input can be pending in turns that differ.
    pub(crate) fn at(&self, machine: MachineId, input: u16) -> u32 {
        self.most.get(&(machine, input)).copied().unwrap_or(0)
    }
}

fn rules(net: &Net, (id, at): Pin) -> &[Rule] {
    &net.machine(id).inputs[usize::from(at)].rules
}

/// The inputs to which a signal at an input may lead in no time.
fn successors(net: &Net, pin: Pin) -> Vec<Pin> {
    let outputs = &net.machine(pin.0).outputs;
    let effects = rules(net, pin).iter().flat_map(|rule| &rule.effects);
    let outs = effects.flat_map(|effect| &effect.outs);
    let mut found: Vec<Pin> = outs
        .flat_map(|&out| outputs[usize::from(out)].targets.iter().copied())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether some signal can come back to the input that it left, in no time, and for ever.
pub(crate) fn goes_round(net: &Net) -> bool {
    !loops(&endless(net)).is_empty()
}

/// A net without the lines that lead round a number of times that is not known, but not for ever.
fn endless(net: &Net) -> Net {
    let mut endless = net.clone();
    for machine in &mut endless.machines {
        for output in machine.outputs.iter_mut().filter(|output| output.counted) {
            output.targets.clear();
        }
    }
    endless
}

/// A machine at which it is open whether a signal goes round once more, if there is one: there is
/// always a way out, and nobody need ever take it.
pub(crate) fn open_loop(net: &Net) -> Option<MachineId> {
    let net = endless(net);
    for component in loops(&net) {
        let changing = changing(&net, &component);
        let stays = |id: MachineId, effect: &Effect| {
            let outs = effect.outs.iter();
            let mut targets =
                outs.flat_map(|&out| &net.machine(id).outputs[usize::from(out)].targets);
            targets.any(|target| component.contains(target))
        };
        for &(id, at) in &component {
            for rule in rules(&net, (id, at)) {
                let staying = rule.effects.iter().filter(|e| stays(id, e)).count();
                let mut sets = rule.effects.iter().flat_map(|effect| &effect.sets);
                let free = sets.any(|(var, update)| update.is_none() && changing.contains(var));
                if free || staying > 0 && staying < rule.effects.len() {
                    return Some(id);
                }
            }
        }
    }
    None
}

/// A machine by which a signal may come back in no time to where it was, if there is one, and whether it is
/// certain that the signal then goes round for ever: no condition on the way that may or may not hold, and no choice.
pub(crate) fn round(net: &Net) -> Option<(MachineId, bool)> {
    let possible = Possible::of(net);
    let mut net = endless(net);
    for machine in &mut net.machines {
        for input in &mut machine.inputs {
            let may_hold = |rule: &Rule| possible.holds(&rule.guard) != Some(false);
            input.rules.retain(may_hold);
        }
    }
    let mut certain = net.clone();
    for machine in &mut certain.machines {
        for input in &mut machine.inputs {
            let one_way =
                |rule: &Rule| possible.holds(&rule.guard) == Some(true) && rule.effects.len() == 1;
            input.rules.retain(one_way);
        }
    }
    let first = |net: &Net| Some(loops(net).first()?.first()?.0);
    let may_end = || Some((first(&net)?, false));
    first(&certain).map(|id| (id, true)).or_else(may_end)
}

/// Sets of inputs that lead to each other in no time.
pub(crate) fn loops(net: &Net) -> Vec<Vec<Pin>> {
    let pins: Vec<Pin> = net
        .ids()
        .flat_map(|(id, machine)| (0..machine.inputs.len() as u16).map(move |at| (id, at)))
        .collect();
    let place: HashMap<Pin, u32> = pins.iter().copied().zip(0..).collect();
    let edges: Vec<Vec<u32>> = pins
        .iter()
        .map(|&pin| successors(net, pin).iter().map(|to| place[to]).collect())
        .collect();
    let mut found = Vec::new();
    let edge = |pin: u32, at: usize| {
        source::limits::check();
        edges[pin as usize].get(at).copied()
    };
    each_component(pins.len(), (0..).take(pins.len()), edge, |component| {
        let alone = component.len() == 1 && !edges[component[0] as usize].contains(&component[0]);
        if !alone {
            found.push(component.iter().map(|&at| pins[at as usize]).collect());
        }
    });
    found
}

/// The variables that decide whether a loop goes round again, and that may change meanwhile.
fn changing(net: &Net, component: &[Pin]) -> BTreeSet<VarId> {
    // All that a wave that is on the loop may do.
    let mut reached: BTreeSet<Pin> = component.iter().copied().collect();
    let mut open = component.to_vec();
    while let Some(pin) = open.pop() {
        source::limits::check();
        let new = successors(net, pin).into_iter();
        open.extend(new.filter(|&next| reached.insert(next)));
    }
    let mut setters: HashMap<VarId, Vec<Pin>> = HashMap::new();
    for &pin in &reached {
        for effect in rules(net, pin).iter().flat_map(|rule| &rule.effects) {
            for (var, _) in &effect.sets {
                setters.entry(*var).or_default().push(pin);
            }
        }
    }
    let mut decides: BTreeSet<VarId> = BTreeSet::new();
    let mut open: Vec<VarId> = Vec::new();
    for &pin in component {
        for rule in rules(net, pin) {
            rule.guard.vars(&mut |var| open.push(var));
        }
    }
    while let Some(var) = open.pop() {
        if !decides.insert(var) {
            continue;
        }
        for &pin in setters.get(&var).into_iter().flatten() {
            for rule in rules(net, pin) {
                rule.guard.vars(&mut |var| open.push(var));
                let updates = rule.effects.iter().flat_map(|effect| &effect.sets);
                for (test, _) in updates.flat_map(|(_, update)| update.iter().flatten()) {
                    test.vars(&mut |var| open.push(var));
                }
            }
        }
    }
    decides.retain(|var| setters.contains_key(var));
    decides
}

#[cfg(test)]
mod tests {
    use source::{Diagnostics, SourceMap};

    use super::*;
    use crate::load::{Options, read};

    /// How often signals to a node's inputs can be pending, by name of the input.
    fn pending(nodes: &[&str], links: &[&str], of: &str) -> Vec<(String, Option<u32>)> {
        let links: Vec<String> = links.iter().map(|link| format!("\"{link}\"")).collect();
        let text = format!(
            r#"{{"nodegraph": 1, "nodes": [{}], "links": [{}]}}"#,
            nodes.join(","),
            links.join(",")
        );
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let options = Options::default();
        let read = read("t.json", &text, &options, &mut sources, &mut diagnostics).unwrap();
        let turns = Turns::of(&read.net);
        let (id, machine) = read.net.ids().find(|(_, m)| m.name == of).unwrap();
        let inputs = machine.inputs.iter().enumerate();
        inputs
            .map(|(at, input)| {
                let most = turns.most.get(&(id, at as u16)).copied();
                (input.name.clone(), most)
            })
            .collect()
    }

    #[test]
    fn without_loops_all_that_is_sent_at_once_is_pending() {
        let nodes = [
            r#"{"name": "s", "kind": "ScriptStart"}"#,
            r#"{"name": "f", "kind": "FlipFlop"}"#,
            r#"{"name": "a", "kind": "PlaySE"}"#,
        ];
        let links = ["s.Out -> f.In", "f.OutA -> a.In", "f.OutB -> a.In"];
        let found = pending(&nodes, &links, "a");
        assert_eq!(found, [("In".to_owned(), Some(1))], "one of them at a time");
    }

    #[test]
    fn a_latch_counts_the_turns_of_its_loop() {
        let nodes = [
            r#"{"name": "s", "kind": "ScriptStart"}"#,
            r#"{"name": "a", "kind": "PlaySE"}"#,
            r#"{"name": "once", "kind": "DoOnce"}"#,
        ];
        let links = ["s.Out -> a.In", "a.Out -> once.Enter", "once.Out -> a.In"];
        let found = pending(&nodes, &links, "a");
        // It is open, or it is shut, so there are three turns at most, and the first signal.
        assert_eq!(found, [("In".to_owned(), Some(4))]);
    }
}
