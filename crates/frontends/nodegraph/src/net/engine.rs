//! Calls of the engine, and of code that is not seen: before one comes back, handlers of the script may run.
//!
//! The engine is a machine of its own. A call leads to it, and it runs no handler, or any of them, any number of
//! times. A handler that runs so may make calls itself. Handlers within these are not run: nesting has no bound, and a
//! wave of signals has finitely many places. That is no loss where what a handler does before a call, or what it still
//! does behind it, neither depends on what handlers change nor changes anything. Then a handler that runs within that
//! call might as well run before or after the handler that makes it, within the same outer call, and there it does run
//! (R. Lipton, Reduction, 1975: such steps move to the left or to the right). Elsewhere it is a cut.
//!
//! That calls do not run handlers within one another for ever is assumed, and said.

use std::collections::{HashMap, HashSet};

use source::Span;

use super::build::Builder;
use super::events::RAISED;
use super::{Effect, Input, MachineId, Moment, NoteKind, Output, Owner, Rule, Test, Value, VarId};
use crate::table::{Action, Fire, Kind};

type Pin = (MachineId, u16);

/// Where a call of the engine comes in, and where handlers that it runs come to their ends.
const CALL: u16 = 0;
const MORE: u16 = 1;

/// Places where signals are while handlers run within calls, before handlers are not followed.
const MOST_WITHIN_CALLS: usize = 30_000;

impl Builder<'_> {
    /// Makes a machine for the engine, if any node calls it.
    pub(super) fn declare_engine(&mut self) {
        let calls = |action: &Action| *action == Action::Fire(Fire::Calls);
        let calls = |kind: &Kind| {
            let actions = kind.rules.iter().flat_map(|rule| &rule.alternatives);
            actions.flatten().any(calls)
        };
        let project = self.project;
        let mut nodes = project.graphs.iter().flat_map(|graph| &graph.nodes);
        if nodes.any(|node| self.table.kind(&node.kind).is_some_and(calls)) {
            self.engine = Some(self.hidden_machine("the engine", Span::NONE));
        }
    }

    /// An output of a node that leads to the engine, where handlers may run before it comes back.
    pub(super) fn engine_call(&mut self, machine: MachineId) -> Option<u16> {
        let engine = self.engine?;
        Some(self.hidden_output(machine, "#calls", vec![(engine, CALL)]))
    }

    /// What the engine does within a call: it runs no handler, or any of them, any number of times. Within a
    /// handler that runs so, calls run no handlers.
    pub(super) fn handlers(&mut self) {
        let Some(engine) = self.engine else { return };
        let mut entries = Vec::new();
        for (id, _) in self.nodes() {
            let machine = self.net.machine(id);
            let comes = |moment: &Moment| matches!(moment, Moment::Event | Moment::Early);
            let own = machine.own.iter().filter(|(moment, _)| comes(moment));
            let rules: Vec<Rule> = own.map(|(_, rule)| rule.clone()).collect();
            if rules.is_empty() {
                continue;
            }
            let input = match machine.input(RAISED) {
                Some(input) => input as u16,
                None => {
                    let machine = &mut self.net.machines[id.index()];
                    machine.inputs.push(Input {
                        name: format!("#{RAISED}"),
                        rules,
                    });
                    machine.inputs.len() as u16 - 1
                }
            };
            entries.push((id, input));
        }
        if self.within_calls(engine, &entries) > MOST_WITHIN_CALLS {
            let input = |name: &str| Input {
                name: name.to_owned(),
                rules: Vec::new(),
            };
            self.net.machines[engine.index()].inputs = vec![input("#call"), input("#more")];
            let text = format!(
                "handlers that run within calls of the engine are not followed: signals would be in more than \
                 {MOST_WITHIN_CALLS} places there"
            );
            for (id, _) in self.nodes() {
                let calls = |output: &Output| output.targets == [(engine, CALL)];
                if self.net.machine(id).outputs.iter().any(calls) {
                    self.note(Some(id), text.clone(), NoteKind::Cut);
                }
            }
            return;
        }
        let span = self.net.machine(engine).span;
        let values = vec![Value::Bool(false), Value::Bool(true)];
        let owner = Owner::Memory(engine);
        let within = self.declare("(within a call)".to_owned(), values, vec![0], owner, span);
        let set = |to: u16| vec![(within, Some(vec![(Test::Always, to)]))];
        let more = self.hidden_output(engine, "#more", vec![(engine, MORE)]);
        self.net.machines[engine.index()].outputs[usize::from(more)].counted = true;
        self.net.machines[engine.index()].memory.push(within);
        let mut ways = vec![Effect {
            sets: set(0),
            outs: Vec::new(),
        }];
        for &entry in &entries {
            let out = self.hidden_output(engine, "#handler", vec![entry]);
            self.net.machines[engine.index()].outputs[usize::from(out)].counted = true;
            ways.push(Effect {
                sets: set(1),
                outs: vec![out, more],
            });
        }
        let input = |name: &str, guard: Test| Input {
            name: name.to_owned(),
            rules: vec![Rule::new(guard, ways.clone())],
        };
        let inputs = vec![
            input("#call", Test::Is(within, 0)),
            input("#more", Test::Always),
        ];
        self.net.machines[engine.index()].inputs = inputs;
        let handled = self.reached(&entries);
        if !handled.contains(&(engine, CALL)) {
            return;
        }
        let text = "code that is called does not run events within one another for ever";
        self.note(Some(engine), text.to_owned(), NoteKind::Assumed);
        if !self.may_run_apart(engine, &handled) {
            let text = "calls within a handler that itself runs within a call of the engine run no handlers";
            self.note(Some(engine), text.to_owned(), NoteKind::Cut);
        }
    }

    /// Whether a handler that runs within a call of another might as well run before that one, or after it: what comes
    /// before the call, or what comes behind it, changes nothing, and does not depend on what handlers change.
    fn may_run_apart(&self, engine: MachineId, handled: &HashSet<Pin>) -> bool {
        let pins = || handled.iter().copied().filter(|&(id, _)| id != engine);
        let rules = |(id, at): Pin| &self.net.machine(id).inputs[usize::from(at)].rules;
        let sets = |pin: Pin| {
            let effects = rules(pin).iter().flat_map(|rule| &rule.effects);
            effects.flat_map(|effect| &effect.sets)
        };
        let changed: HashSet<VarId> = pins().flat_map(sets).map(|(var, _)| *var).collect();
        let reads_none = |test: &Test| {
            let mut none = true;
            test.vars(&mut |var| none &= !changed.contains(&var));
            none
        };
        let is_inert = |pin: &Pin| {
            let machine = self.net.machine(pin.0);
            let mut remembers = machine.state.iter().chain(&machine.memory);
            remembers.all(|var| !changed.contains(var))
                && sets(*pin).next().is_none()
                && rules(*pin).iter().all(|rule| reads_none(&rule.guard))
        };
        // The signals of each way of each rule in their order, those to the engine too.
        let mut sent: HashMap<Pin, Vec<Vec<Pin>>> = HashMap::new();
        let mut senders: HashMap<Pin, Vec<Pin>> = HashMap::new();
        for pin in pins() {
            let outputs = &self.net.machine(pin.0).outputs;
            for effect in rules(pin).iter().flat_map(|rule| &rule.effects) {
                let outs = effect.outs.iter();
                let targets = outs.flat_map(|&out| &outputs[usize::from(out)].targets);
                let targets: Vec<Pin> = targets.copied().collect();
                for &target in &targets {
                    senders.entry(target).or_default().push(pin);
                }
                sent.entry(pin).or_default().push(targets);
            }
        }
        let call = (engine, CALL);
        let is_apart = |&caller: &Pin| {
            // What leads to the call, and what other signals of it come to before and behind.
            let mut leading = HashSet::from([caller]);
            let mut open = vec![caller];
            while let Some(pin) = open.pop() {
                let senders = senders.get(&pin).into_iter().flatten();
                open.extend(senders.filter(|pin| leading.insert(**pin)));
            }
            let (mut before, mut behind) = (HashSet::new(), HashSet::new());
            for &pin in &leading {
                let leads = |to: &Pin| leading.contains(to) || pin == caller && *to == call;
                for targets in sent.get(&pin).into_iter().flatten() {
                    let ends = targets.iter().position(leads);
                    let ends = ends.zip(targets.iter().rposition(leads));
                    let Some((first, last)) = ends else { continue };
                    before.extend(&targets[..last]);
                    behind.extend(&targets[first + 1..]);
                }
            }
            let inert = |from: HashSet<Pin>| {
                let from: Vec<Pin> = from.into_iter().collect();
                let reached = self.reached_without(&from, Some(engine));
                let mut reached = reached.iter().filter(|(id, _)| *id != engine);
                reached.all(is_inert)
            };
            let only = leading.iter().all(is_inert);
            only && inert(before) || inert(behind)
        };
        senders.get(&call).into_iter().flatten().all(is_apart)
    }

    /// The inputs to which signals at these may lead in no time, themselves included.
    fn reached(&self, from: &[Pin]) -> HashSet<Pin> {
        self.reached_without(from, None)
    }

    /// The same, and not beyond a machine.
    fn reached_without(&self, from: &[Pin], barrier: Option<MachineId>) -> HashSet<Pin> {
        let mut seen: HashSet<_> = from.iter().copied().collect();
        let mut open = from.to_vec();
        while let Some((id, at)) = open.pop() {
            if barrier == Some(id) {
                continue;
            }
            let machine = self.net.machine(id);
            let Some(input) = machine.inputs.get(usize::from(at)) else {
                continue;
            };
            let effects = input.rules.iter().flat_map(|rule| &rule.effects);
            for &out in effects.flat_map(|effect| &effect.outs) {
                let targets = machine.outputs[usize::from(out)].targets.iter();
                open.extend(targets.filter(|target| seen.insert(**target)));
            }
        }
        seen
    }

    /// About how many places there are where a signal may be while handlers run within calls:
    /// each handler stands behind each call of each wave once more.
    fn within_calls(&self, engine: MachineId, entries: &[Pin]) -> usize {
        let handled = self.reached(entries).len();
        let mut places = 0_usize;
        for (_, machine) in self.net.ids() {
            let effects = machine.own.iter().flat_map(|(_, rule)| &rule.effects);
            let outs = effects.flat_map(|effect| &effect.outs);
            let targets = outs.flat_map(|&out| &machine.outputs[usize::from(out)].targets);
            let first: Vec<Pin> = targets.copied().collect();
            if first.is_empty() {
                continue;
            }
            let machines: HashSet<MachineId> =
                self.reached(&first).into_iter().map(|(id, _)| id).collect();
            let calls = |output: &Output| output.targets == [(engine, CALL)];
            let calling = machines.iter().filter(|&&id| {
                let outputs = &self.net.machine(id).outputs;
                outputs.iter().any(calls)
            });
            places = places.saturating_add(calling.count().saturating_mul(handled));
            if places > MOST_WITHIN_CALLS {
                break;
            }
        }
        places
    }
}
