//! From a project and a table to a net.

use std::collections::{BTreeMap, HashMap};

use source::{Diagnostic, Diagnostics, Span};

use super::instance::Instance;
use super::{Effect, Input, Machine, MachineId, Moment, Net, Output, Owner, Rule, Test};
use super::{Value, Var, VarId};
use crate::codes::meaning as codes;
use crate::graph::{GraphId, Literal, Node, NodeId, Project, Role, Sort, ValueType};
use crate::table::{Action, Expr, Kind, Lhs, Table};

/// Flags with more values are not followed.
const MOST_VALUES: i64 = 256;

/// What the building of a net needs to know.
pub(super) struct Builder<'a> {
    pub(super) project: &'a Project,
    pub(super) table: &'a Table,
    pub(super) net: Net,
    /// Variables of flags by name; flags that are not followed have none.
    pub(super) flags: HashMap<String, VarId>,
    /// Machines of nodes that run.
    pub(super) machines: HashMap<(GraphId, NodeId), MachineId>,
    pub(super) diagnostics: &'a mut Diagnostics,
    /// Kinds that were not known, and where one of each stands.
    unknown: BTreeMap<String, Span>,
}

/// Makes machines of all nodes.
pub(crate) fn build(project: &Project, table: &Table, diagnostics: &mut Diagnostics) -> Net {
    let mut builder = Builder {
        project,
        table,
        net: Net::default(),
        flags: HashMap::new(),
        machines: HashMap::new(),
        diagnostics,
        unknown: BTreeMap::new(),
    };
    builder.declare_flags();
    builder.declare_machines();
    builder.connect();
    builder.rules();
    for (kind, span) in std::mem::take(&mut builder.unknown) {
        let message = format!("what a node of the kind `{kind}` does is not known");
        let help = "assumed: it passes signals on, to any one of its outputs, and changes no flag; \
                    say what it does in a table: --nodes FILE";
        let note = Diagnostic::note(codes::UNKNOWN_KIND, message);
        builder.diagnostics.push(note.at(span).help(help));
        let text = format!("a node of the kind `{kind}` passes signals on, to any of its outputs");
        builder.net.assumed.push((text, span));
    }
    let settled = project.assumed.iter();
    let settled = settled.map(|assumed| (assumed.text.clone(), assumed.span));
    builder.net.assumed.extend(settled);
    builder.net
}

impl Builder<'_> {
    fn declare_flags(&mut self) {
        let project = self.project;
        for flag in &project.flags {
            let values = match &flag.values {
                ValueType::Bool => vec![Value::Bool(false), Value::Bool(true)],
                ValueType::Range(low, high)
                    if low <= high && high.saturating_sub(*low) < MOST_VALUES =>
                {
                    (*low..=*high).map(Value::Int).collect()
                }
                ValueType::Enum(names) if !names.is_empty() => {
                    names.iter().cloned().map(Value::Name).collect()
                }
                _ => continue,
            };
            let first = flag.initial.as_ref().and_then(|initial| {
                let initial = of_literal(initial)?;
                values.iter().position(|value| *value == initial)
            });
            let first = match first {
                Some(at) => vec![at as u16],
                None => (0..values.len() as u16).collect(),
            };
            self.declare_flag(flag.name.clone(), values, first, flag.span);
        }
        // Flags that only the table or a setting names.
        for graph in &project.graphs {
            for node in &graph.nodes {
                let Some(kind) = self.table.kind(&node.kind) else {
                    continue;
                };
                for name in assigned_flags(kind, node) {
                    if !self.flags.contains_key(&name) && project.flag(&name).is_none() {
                        let values = vec![Value::Bool(false), Value::Bool(true)];
                        self.declare_flag(name, values, vec![0], node.span);
                    }
                }
            }
        }
    }

    fn declare_flag(&mut self, name: String, values: Vec<Value>, first: Vec<u16>, span: Span) {
        let id = VarId::new(self.net.vars.len());
        self.flags.insert(name.clone(), id);
        self.net.vars.push(Var {
            name,
            values,
            first,
            owner: Owner::Flag,
            span,
        });
    }

    fn declare_machines(&mut self) {
        let project = self.project;
        let scripts = project.graphs.iter().filter(|g| g.sort == Sort::Script);
        let several = scripts.count() > 1;
        for (index, graph) in project.graphs.iter().enumerate() {
            if graph.sort != Sort::Script {
                continue;
            }
            for (id, node) in graph.ids() {
                let kind = self.table.kind(&node.kind);
                let has_pins = !node.signals_in.is_empty() || !node.signals_out.is_empty();
                let runs = has_pins || kind.is_some_and(|kind| !kind.rules.is_empty());
                // In some formats a variable is read when a signal passes: that node passes it on.
                let only_read = matches!(node.role, Role::Get(_)) && !has_pins;
                if !runs || only_read || node.role == Role::Remark {
                    continue;
                }
                let name = match several {
                    true => format!("{}/{}", graph.name, node.name),
                    false => node.name.clone(),
                };
                let machine = MachineId::new(self.net.machines.len());
                self.machines.insert((GraphId::new(index), id), machine);
                let (inputs, outputs) = pins(node, kind);
                self.net.machines.push(Machine {
                    name,
                    span: node.span,
                    inputs,
                    outputs,
                    own: Vec::new(),
                    state: None,
                    ending: Vec::new(),
                    memory: Vec::new(),
                    marks: Vec::new(),
                    cosmetic: kind.is_some_and(|kind| kind.pure_effect),
                });
            }
        }
    }

    fn connect(&mut self) {
        let project = self.project;
        for (index, graph) in project.graphs.iter().enumerate() {
            for link in &graph.signals {
                let machine = |node| self.machines.get(&(GraphId::new(index), node)).copied();
                let (Some(from), Some(to)) = (machine(link.from.node), machine(link.to.node))
                else {
                    continue;
                };
                let source = &graph.node(link.from.node).signals_out[link.from.pin.index()].name;
                let target = &graph.node(link.to.node).signals_in[link.to.pin.index()].name;
                let input = self.net.machine(to).input(target);
                let output = self.net.machine(from).output(source);
                if let (Some(input), Some(output)) = (input, output) {
                    let end = (to, input as u16);
                    let targets = &mut self.net.machines[from.index()].outputs[output].targets;
                    if !targets.contains(&end) {
                        targets.push(end);
                    }
                }
            }
        }
    }

    fn rules(&mut self) {
        let project = self.project;
        let mut nodes: Vec<_> = self.machines.iter().map(|(key, id)| (*id, *key)).collect();
        nodes.sort_unstable();
        let table = self.table;
        for (machine, (graph, id)) in nodes {
            let node = project.graph(graph).node(id);
            match node.role {
                Role::Set(flag) => self.setter(machine, (graph, id), flag.index()),
                Role::Get(_) => {
                    let outs = (0..self.net.machine(machine).outputs.len() as u16).collect();
                    let sets = Vec::new();
                    self.every_input(machine, &Effect { sets, outs });
                }
                Role::Raise(event) => self.raiser(machine, event.index()),
                Role::Receive(event) => {
                    let outside = project.events[event.index()].from_outside;
                    self.receiver(machine, outside);
                }
                _ => match table.kind(&node.kind) {
                    Some(kind) => Instance::new(self, machine, (graph, id), kind).build(),
                    None => {
                        let unknown = &mut self.unknown;
                        unknown.entry(node.kind.clone()).or_insert(node.span);
                        self.pass_through(machine, node);
                    }
                },
            }
            self.results(machine, node);
        }
    }

    /// A flag that takes a node's result may have any value when the node has run.
    fn results(&mut self, machine: MachineId, node: &Node) {
        let flags = node.values_out.iter().filter_map(|pin| pin.flag);
        let flags = flags.map(|flag| &self.project.flags[flag.index()].name);
        let vars: Vec<VarId> = flags
            .filter_map(|name| self.flags.get(name).copied())
            .collect();
        let machine = &mut self.net.machines[machine.index()];
        let rules = machine.inputs.iter_mut().flat_map(|input| &mut input.rules);
        let rules = rules.chain(machine.own.iter_mut().map(|(_, rule)| rule));
        for effect in rules.flat_map(|rule| &mut rule.effects) {
            effect.sets.extend(vars.iter().map(|&var| (var, None)));
        }
    }

    /// It writes a flag and goes on.
    fn setter(&mut self, machine: MachineId, at: (GraphId, NodeId), flag: usize) {
        let name = &self.project.flags[flag].name;
        let node = self.project.graph(at.0).node(at.1);
        let all: Vec<u16> = (0..self.net.machine(machine).outputs.len() as u16).collect();
        let mut effect = Effect {
            sets: Vec::new(),
            outs: all,
        };
        if let Some(&var) = self.flags.get(name) {
            let pin = node.values_in.first().map(|pin| pin.name.clone());
            let value = pin.and_then(|pin| super::instance::data(self, at, &pin, 0));
            effect
                .sets
                .push((var, super::instance::update(&self.net, var, value)));
        }
        self.every_input(machine, &effect);
    }

    fn raiser(&mut self, machine: MachineId, event: usize) {
        let mut targets = Vec::new();
        let mut nodes: Vec<_> = self.machines.iter().map(|(key, id)| (*id, *key)).collect();
        nodes.sort_unstable();
        for (other, (graph, id)) in nodes {
            let node = self.project.graph(graph).node(id);
            if matches!(node.role, Role::Receive(e) if e.index() == event) {
                let receiver = &mut self.net.machines[other.index()];
                let input = receiver.input(RAISED).unwrap_or_else(|| {
                    receiver.inputs.push(Input {
                        name: RAISED.to_owned(),
                        rules: Vec::new(),
                    });
                    receiver.inputs.len() - 1
                });
                targets.push((other, input as u16));
            }
        }
        let count = self.net.machine(machine).outputs.len() as u16;
        self.net.machines[machine.index()].outputs.push(Output {
            name: RAISED.to_owned(),
            targets,
            hidden: true,
        });
        let outs = std::iter::once(count).chain(0..count).collect();
        let sets = Vec::new();
        self.every_input(machine, &Effect { sets, outs });
    }

    fn receiver(&mut self, machine: MachineId, outside: bool) {
        let machine = &mut self.net.machines[machine.index()];
        if machine.input(RAISED).is_none() {
            machine.inputs.push(Input {
                name: RAISED.to_owned(),
                rules: Vec::new(),
            });
        }
        let rule = Rule {
            guard: Test::Always,
            effects: vec![Effect {
                sets: Vec::new(),
                outs: (0..machine.outputs.len() as u16).collect(),
            }],
        };
        if outside {
            machine.own.push((Moment::Event, rule.clone()));
        }
        for input in &mut machine.inputs {
            input.rules.push(rule.clone());
        }
    }

    /// What is assumed of a kind that nobody knows.
    fn pass_through(&mut self, id: MachineId, node: &Node) {
        let latent = |name: &str| node.signals_out.iter().any(|p| p.name == name && p.latent);
        let machine = &self.net.machines[id.index()];
        let outputs = 0..machine.outputs.len() as u16;
        let (later, now): (Vec<u16>, Vec<u16>) =
            outputs.partition(|&at| latent(&machine.outputs[at as usize].name));
        let one = |sets: &[(VarId, u16)], outs: &[u16]| -> Vec<Effect> {
            let sets: Vec<_> = sets
                .iter()
                .map(|&(var, at)| (var, Some(vec![(Test::Always, at)])))
                .collect();
            let effect = |outs| Effect {
                sets: sets.clone(),
                outs,
            };
            match outs {
                [] => vec![effect(Vec::new())],
                _ => outs.iter().map(|&out| effect(vec![out])).collect(),
            }
        };
        if machine.inputs.is_empty() {
            let rule = Rule {
                guard: Test::Always,
                effects: one(&[], &[now, later].concat()),
            };
            self.net.machines[id.index()]
                .own
                .push((Moment::Event, rule));
            return;
        }
        let mut effects = one(&[], &now);
        if !later.is_empty() {
            let state = VarId::new(self.net.vars.len());
            self.net.vars.push(Var {
                name: machine.name.clone(),
                values: ["Idle", "Busy"].map(|s| Value::Name(s.to_owned())).to_vec(),
                first: vec![0],
                owner: Owner::State(id),
                span: machine.span,
            });
            effects = one(&[(state, 1)], &now);
            let rule = Rule {
                guard: Test::Is(state, 1),
                effects: one(&[(state, 0)], &later),
            };
            let machine = &mut self.net.machines[id.index()];
            machine.state = Some(state);
            machine.ending = vec![1];
            machine.own.push((Moment::Later, rule));
        }
        for input in &mut self.net.machines[id.index()].inputs {
            input.rules.push(Rule {
                guard: Test::Always,
                effects: effects.clone(),
            });
        }
    }

    fn every_input(&mut self, machine: MachineId, effect: &Effect) {
        for input in &mut self.net.machines[machine.index()].inputs {
            input.rules.push(Rule {
                guard: Test::Always,
                effects: vec![effect.clone()],
            });
        }
    }
}

/// The pin by which an event arrives, and the one by which it is raised.
const RAISED: &str = "raised";

/// The flags that a node of a kind writes or reads by name.
fn assigned_flags(kind: &Kind, node: &Node) -> Vec<String> {
    let mut flags = Vec::new();
    let own = |name: &str| {
        kind.vars.iter().any(|var| var.name == name)
            || kind.settings.iter().any(|(setting, ..)| setting == name)
    };
    let of_setting = |setting: &str| match node.setting(setting) {
        Some(Literal::Text(name)) => Some(name.clone()),
        _ => None,
    };
    for action in kind
        .rules
        .iter()
        .flat_map(|r| r.alternatives.iter().flatten())
    {
        match action {
            Action::Assign(Lhs::Word(name), _) if !own(name) => flags.push(name.clone()),
            Action::Assign(Lhs::FlagOf(setting), _) => flags.extend(of_setting(setting)),
            _ => {}
        }
    }
    for (_, value) in &kind.values {
        if let Expr::FlagOf(setting) = value {
            flags.extend(of_setting(setting));
        }
    }
    flags
}

/// The pins of a node: those that stand in the file, and those that its kind has in any case.
fn pins(node: &Node, kind: Option<&Kind>) -> (Vec<Input>, Vec<Output>) {
    let mut inputs: Vec<String> = node.signals_in.iter().map(|p| p.name.clone()).collect();
    let mut outputs: Vec<String> = node.signals_out.iter().map(|p| p.name.clone()).collect();
    if let Some(kind) = kind {
        // The kind's own order comes first.
        inputs = in_order(&kind.inputs, inputs);
        outputs = in_order(&kind.outputs, outputs);
    }
    let inputs = inputs.into_iter().map(|name| Input {
        name,
        rules: Vec::new(),
    });
    let outputs = outputs.into_iter().map(|name| Output {
        name,
        targets: Vec::new(),
        hidden: false,
    });
    (inputs.collect(), outputs.collect())
}

fn in_order(declared: &[String], found: Vec<String>) -> Vec<String> {
    let mut names = declared.to_vec();
    names.extend(found.into_iter().filter(|name| !declared.contains(name)));
    names
}

/// A literal as a value, if it is one that is followed.
pub(super) fn of_literal(literal: &Literal) -> Option<Value> {
    Some(match literal {
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(number) => Value::Int(*number),
        Literal::Text(name) => Value::Name(name.clone()),
        Literal::Number(_) => return None,
    })
}
