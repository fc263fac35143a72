//! What starts what, beside lines: events that are raised at once or queued, and the order in which scripts
//! begin.

use std::collections::BTreeMap;

use source::Diagnostic;

use super::build::Builder;
use super::{Effect, Input, MachineId, Moment, NoteKind, Output, Owner, Rule, Test, Value, VarId};
use crate::codes::meaning as codes;
use crate::graph::{EventId, GraphId, NodeId, Origin, Role};
use crate::table::{Action, Kind, Lhs};

/// The pin by which an event arrives, and the one by which it is raised.
pub(super) const RAISED: &str = "raised";
/// How an event that one graph raises comes to its receivers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sending {
    /// They run before the sender goes on.
    AtOnce,
    /// They run when the sender's wave, and what was queued before, is over.
    Queued,
    /// The one or the other: the format leaves it open.
    Either,
}

impl Origin {
    fn sending(self) -> Sending {
        match self {
            // Functions, and events of a bus, are called.
            Origin::Own
            | Origin::ScriptCanvas
            | Origin::Blueprint
            | Origin::Unity
            | Origin::Orchestrator => Sending::AtOnce,
            // A new fiber at the end of the queue (`commitToNewFiber`).
            Origin::Behave => Sending::Queued,
            // "Send the custom event": no word of when it is received.
            Origin::Interactivity => Sending::Either,
        }
    }

    /// Whether events from outside may come before the script has begun.
    fn has_early_events(self) -> bool {
        match self {
            Origin::Own => false,
            // Only ticks are said to wait for the start; listeners and handlers are there before it;
            // other actors may have begun.
            Origin::Interactivity
            | Origin::Behave
            | Origin::Blueprint
            | Origin::ScriptCanvas
            | Origin::Unity
            | Origin::Orchestrator => true,
        }
    }

    /// Whether what a node that writes a variable gives is the variable itself, and not what was written.
    pub(super) fn gives_the_variable(self) -> bool {
        matches!(self, Origin::Blueprint | Origin::Orchestrator)
    }

    /// Whether several beginnings of one script come in the order of the file.
    fn begins_in_order(self) -> bool {
        matches!(self, Origin::Interactivity | Origin::Behave)
    }
}

impl Builder<'_> {
    /// The input by which an event comes to a receiver.
    fn raised(&mut self, machine: MachineId) -> u16 {
        let receiver = &mut self.net.machines[machine.index()];
        let input = receiver.input(RAISED).unwrap_or_else(|| {
            receiver.inputs.push(Input {
                name: RAISED.to_owned(),
                rules: Vec::new(),
            });
            receiver.inputs.len() - 1
        });
        input as u16
    }

    fn receivers(&mut self, event: EventId) -> Vec<(MachineId, u16)> {
        let mut targets = Vec::new();
        for (other, (graph, id)) in self.nodes() {
            let node = self.project.graph(graph).node(id);
            if matches!(node.role, Role::Receive(e) if e == event) {
                targets.push((other, self.raised(other)));
            }
        }
        targets
    }

    /// An output that nobody sees.
    pub(super) fn hidden_output(
        &mut self,
        machine: MachineId,
        name: &str,
        targets: Vec<(MachineId, u16)>,
    ) -> u16 {
        let outputs = &mut self.net.machines[machine.index()].outputs;
        outputs.push(Output {
            name: name.to_owned(),
            targets,
            hidden: true,
            counted: false,
        });
        outputs.len() as u16 - 1
    }

    /// It raises an event and goes on.
    pub(super) fn raiser(&mut self, machine: MachineId, at: (GraphId, NodeId), event: EventId) {
        let origin = self.project.graph(at.0).origin;
        let sending = origin.sending();
        let visible: Vec<u16> = (0..self.net.machine(machine).outputs.len() as u16).collect();
        let mut ways = Vec::new();
        if sending != Sending::Queued {
            let targets = self.receivers(event);
            ways.push(self.hidden_output(machine, RAISED, targets));
        }
        if sending != Sending::AtOnce {
            let queue = self.queue(event, origin);
            ways.push(self.hidden_output(machine, "queued", vec![(queue, 0)]));
        }
        // behave-graph's node never commits its own output.
        let onward = match origin {
            Origin::Behave => Vec::new(),
            _ => visible,
        };
        let effects: Vec<Effect> = ways
            .into_iter()
            .map(|way| Effect {
                sets: Vec::new(),
                outs: std::iter::once(way).chain(onward.iter().copied()).collect(),
            })
            .collect();
        for input in &mut self.net.machines[machine.index()].inputs {
            input.rules.push(Rule::new(Test::Always, effects.clone()));
        }
    }

    /// Where raised events wait: none, one, two, or more of them.
    fn queue(&mut self, event: EventId, origin: Origin) -> MachineId {
        if let Some(&queue) = self.queues.get(&event) {
            return queue;
        }
        let declared = &self.project.events[event.index()];
        let (name, span) = (format!("({} queued)", declared.name), declared.span);
        let queue = self.hidden_machine(&name, span);
        self.queues.insert(event, queue);
        let values = ["none", "one", "two", "many"];
        let values = values.map(|value| Value::Name(value.to_owned())).to_vec();
        let state = self.declare(name, values, vec![0], Owner::State(queue), span);
        let targets = self.receivers(event);
        let output = self.hidden_output(queue, RAISED, targets);
        let to = |at: u16, outs: &[u16]| Effect {
            sets: vec![(state, Some(vec![(Test::Always, at)]))],
            outs: outs.to_vec(),
        };
        let rule = |at: u16, effects: Vec<Effect>| Rule::new(Test::Is(state, at), effects);
        let machine = &mut self.net.machines[queue.index()];
        machine.state = Some(state);
        machine.ending = vec![1, 2, 3];
        let more = [1, 2, 3, 3].into_iter().enumerate();
        machine.inputs.push(Input {
            name: "#queued".to_owned(),
            rules: more
                .map(|(at, next)| rule(at as u16, vec![to(next, &[])]))
                .collect(),
        });
        let moment = match origin {
            Origin::Behave => Moment::Soon,
            _ => Moment::Later,
        };
        let stays = Effect {
            sets: Vec::new(),
            outs: vec![output],
        };
        machine.own = vec![
            (moment, rule(1, vec![to(0, &[output])])),
            (moment, rule(2, vec![to(1, &[output])])),
            (moment, rule(3, vec![to(2, &[output]), stays])),
        ];
        queue
    }

    /// It is entered when its event is raised.
    pub(super) fn receiver(&mut self, machine: MachineId, graph: GraphId, event: EventId) {
        let outside = self.project.events[event.index()].from_outside;
        let early = self.project.graph(graph).origin.has_early_events();
        self.raised(machine);
        let machine = &mut self.net.machines[machine.index()];
        let all = Effect {
            sets: Vec::new(),
            outs: (0..machine.outputs.len() as u16).collect(),
        };
        let rule = Rule::new(Test::Always, vec![all]);
        if outside {
            let moment = if early { Moment::Early } else { Moment::Event };
            machine.own.push((moment, rule.clone()));
        }
        for input in &mut machine.inputs {
            input.rules.push(rule.clone());
        }
    }

    /// Beginnings of one script come one after the other, in the order of the file, where the format
    /// says so; and what may come before them all is an event of its own.
    pub(super) fn beginnings(&mut self) {
        let mut starts: BTreeMap<GraphId, Vec<MachineId>> = BTreeMap::new();
        let mut early: BTreeMap<GraphId, Vec<MachineId>> = BTreeMap::new();
        for (id, (graph, _)) in self.nodes() {
            let has = |moment| {
                self.net
                    .machine(id)
                    .own
                    .iter()
                    .any(|(own, _)| *own == moment)
            };
            if has(Moment::Start) {
                starts.entry(graph).or_default().push(id);
            }
            if has(Moment::Early) {
                early.entry(graph).or_default().push(id);
            }
        }
        for (graph, early) in &early {
            if !starts.contains_key(graph) {
                for id in early {
                    self.each_own(*id, Moment::Early, |rule| vec![(Moment::Event, rule)]);
                }
            }
        }
        for (graph, starts) in starts {
            let graph_early = early.remove(&graph).unwrap_or_default();
            let in_order = self.project.graph(graph).origin.begins_in_order();
            if graph_early.is_empty() && (starts.len() < 2 || !in_order) {
                continue;
            }
            let Some(begun) = self.begun(&starts) else {
                continue;
            };
            let count = starts.len() as u16;
            for (at, id) in starts.into_iter().enumerate() {
                let at = at as u16;
                let next = |to: u16| (begun, Some(vec![(Test::Always, to)]));
                let before = match in_order {
                    true => Test::Is(begun, at),
                    false => Test::Always,
                };
                self.each_own(id, Moment::Start, |mut rule| {
                    rule.guard = Test::and(before.clone(), rule.guard);
                    for effect in &mut rule.effects {
                        effect.sets.push(match in_order {
                            true => next(at + 1),
                            false => {
                                let counted = (0..count).map(|n| (Test::Is(begun, n), n + 1));
                                (
                                    begun,
                                    Some(counted.chain([(Test::Always, count)]).collect()),
                                )
                            }
                        });
                    }
                    vec![(Moment::Start, rule)]
                });
            }
            for id in graph_early {
                self.each_own(id, Moment::Early, |rule| {
                    let mut before = rule.clone();
                    let not_yet = Test::not(Test::Is(begun, count));
                    before.guard = Test::and(not_yet, before.guard);
                    vec![(Moment::Early, before), (Moment::Event, rule)]
                });
                self.net.begun.push((begun, count));
                self.net.begun.dedup();
            }
        }
    }

    /// A variable that counts the beginnings of a script.
    fn begun(&mut self, starts: &[MachineId]) -> Option<VarId> {
        let first = *starts.first()?;
        let count = i64::try_from(starts.len())
            .ok()
            .filter(|count| *count < 1_000)?;
        let values = (0..=count).map(Value::Int).collect();
        let name = format!("(begun with {})", self.net.machine(first).name);
        let span = self.net.machine(first).span;
        let begun = self.declare(name, values, vec![0], Owner::Memory(first), span);
        self.net.machines[first.index()].memory.push(begun);
        Some(begun)
    }

    fn each_own(
        &mut self,
        id: MachineId,
        moment: Moment,
        mut change: impl FnMut(Rule) -> Vec<(Moment, Rule)>,
    ) {
        let own = std::mem::take(&mut self.net.machines[id.index()].own);
        let changed = own.into_iter().flat_map(|(own, rule)| match own == moment {
            true => change(rule),
            false => vec![(own, rule)],
        });
        self.net.machines[id.index()].own = changed.collect();
    }

    /// A node with a pin or a setting of which its table says nothing: any of its outputs may fire,
    /// or none, now and later, and what it writes may be anything.
    pub(super) fn unheeded(
        &mut self,
        id: MachineId,
        at: (GraphId, NodeId),
        kind: &Kind,
        names: &[String],
    ) {
        let name = self.net.machine(id).name.clone();
        let span = self.net.machine(id).span;
        let said = names.iter().map(|name| format!("`{name}`"));
        let said = said.collect::<Vec<_>>().join(", ");
        let message = format!(
            "the table says nothing of {said} of `{name}`, a `{}`",
            kind.name
        );
        let warning = Diagnostic::warning(codes::PIN, message).at(span);
        let help = "assumed: any of its outputs may fire, or none, now and later; say what it does \
                    in a table: --nodes FILE";
        self.diagnostics.push(warning.help(help));
        let text = format!(
            "`{name}`, of which {said} is not followed, may fire any of its outputs or none"
        );
        self.note(Some(id), text, NoteKind::NotFollowed);
        let fact = format!("what `{name}` does, of which {said} is not followed");
        let rests_on = Some(self.net.unfollowed(fact, span));
        // The flags that its kind writes.
        let node = self.project.graph(at.0).node(at.1);
        let mut flags: Vec<VarId> = Vec::new();
        let actions = kind
            .rules
            .iter()
            .flat_map(|rule| rule.alternatives.iter().flatten());
        for action in actions {
            let name = match action {
                Action::Assign(Lhs::Word(name), _) => Some(name.as_str()),
                Action::Assign(Lhs::FlagOf(setting), _) => node
                    .setting(setting)
                    .and_then(crate::graph::Literal::as_text),
                _ => None,
            };
            flags.extend(name.and_then(|name| self.flags.get(name)));
            if let (None, Action::Assign(Lhs::FlagOf(setting), _)) = (name, action) {
                self.writes_somewhere(id, at, setting);
            }
        }
        flags.sort_unstable();
        flags.dedup();
        let unknown = super::cases::constant(Value::Unknown);
        let any = flags.iter().map(|&var| (var, self.update(var, &unknown)));
        let any: Vec<_> = any.collect();
        let outputs = 0..self.net.machine(id).outputs.len() as u16;
        let mut ways = vec![Effect::default()];
        ways.extend(outputs.map(|out| Effect {
            sets: Vec::new(),
            outs: vec![out],
        }));
        if !any.is_empty() {
            let also: Vec<Effect> = ways
                .iter()
                .map(|way| Effect {
                    sets: any.clone(),
                    ..way.clone()
                })
                .collect();
            ways.extend(also);
        }
        let entry = |kind: &Kind| {
            let comes = |rule: &crate::table::RuleDecl| {
                !matches!(
                    rule.when,
                    crate::table::When::On(_) | crate::table::When::Later
                )
            };
            kind.rules.iter().any(comes)
        };
        let mut guard = Test::Always;
        if !entry(kind) {
            let values = ["Untouched", "Touched"].map(|s| Value::Name(s.to_owned()));
            let state = self.declare(name, values.to_vec(), vec![0], Owner::State(id), span);
            self.net.machines[id.index()].state = Some(state);
            let touched = (state, Some(vec![(Test::Always, 1)]));
            let now = ways.iter().cloned().map(|mut way| {
                way.sets.push(touched.clone());
                way
            });
            let rule = Rule {
                rests_on,
                ..Rule::new(Test::Always, now.collect())
            };
            for input in &mut self.net.machines[id.index()].inputs {
                input.rules = vec![rule.clone()];
            }
            guard = Test::Is(state, 1);
        }
        let rule = Rule {
            rests_on,
            ..Rule::new(guard, ways.split_off(1))
        };
        self.net.machines[id.index()].own = vec![(Moment::Event, rule)];
    }
}
