//! From a project and a table to a net.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};

use source::{Diagnostic, Diagnostics, Span};

use super::cases::{Cases, constant, each, of_var};
use super::data::{data, of_literal};
use super::instance::{Instance, Own};
use super::starts::starts;
use super::{Effect, Input, Machine, MachineId, Net, Note, NoteKind, Output, Owner, Rule, Test};
use super::{Update, Value, Var, VarId};
use crate::codes::meaning as codes;
use crate::graph::{
    End, EventId, GraphId, Literal, Node, NodeId, Origin, Project, Role, Sort, ValueType,
};
use crate::table::{Action, Expr, Kind, Lhs, Table};
use crate::unheeded::{Nothing, means_nothing};

/// Flags whose file gives more values are followed as far as they are met.
const MOST_VALUES: i64 = 256;
/// Values that are met, beyond which a flag is not followed.
const MOST_MET: usize = 64;
/// Pins with numbers.
const MOST_PINS: i64 = 64;

/// The values of flags that are followed as far as they are met.
type Met = BTreeMap<String, Vec<Value>>;

/// What the building of a net needs to know.
pub(super) struct Builder<'a> {
    pub(super) project: &'a Project,
    pub(super) table: &'a Table,
    pub(super) net: Net,
    /// Variables of flags by name; flags that are not followed have none.
    pub(super) flags: HashMap<String, VarId>,
    /// Machines of nodes that run.
    pub(super) machines: HashMap<(GraphId, NodeId), MachineId>,
    /// What has been declared of each.
    pub(super) own: HashMap<MachineId, Own>,
    /// Words that turned out to mean nothing.
    pub(super) strange: RefCell<Vec<String>>,
    /// What data outputs have been found to bring since an input was asked for; none: that is being found.
    pub(super) brought: RefCell<HashMap<(GraphId, End), Option<Cases>>>,
    /// Flags with bounds that have been read since the last machine was finished.
    pub(super) bounded: RefCell<Vec<VarId>>,
    /// Whether a condition has come out the same for all values since then, or an output fires for none.
    pub(super) settled: Cell<bool>,
    /// Which machines read which of them; none: a condition of the machine may be settled by the
    /// bounds alone, and then nothing shows what depends on them.
    bounded_reads: Vec<(Option<MachineId>, VarId)>,
    /// The machine in which calls of the engine are.
    pub(super) engine: Option<MachineId>,
    pub(super) diagnostics: &'a mut Diagnostics,
    /// Kinds that were not known, and where one of each stands.
    unknown: BTreeMap<String, Span>,
    /// Pins and settings of which tables say nothing.
    pub(super) nothing: &'a Nothing,
    met: &'a Met,
    /// No more values are met.
    closed: bool,
    /// Where raised events wait.
    pub(super) queues: HashMap<EventId, MachineId>,
    /// Values that such flags get and that have not been met before.
    missing: Vec<(VarId, Value)>,
}

/// Makes machines of all nodes.
pub(crate) fn build(project: &Project, table: &Table, diagnostics: &mut Diagnostics) -> Net {
    let mut met = Met::new();
    let nothing = means_nothing(project, table);
    let nodes: usize = project.graphs.iter().map(|graph| graph.nodes.len()).sum();
    // Values that flags get are met round by round; large graphs have few rounds.
    let rounds = (50_000 / (nodes + 1)).clamp(4, MOST_MET + 2);
    for round in 0.. {
        let mut said = Diagnostics::new();
        let mut builder = Builder {
            project,
            table,
            net: Net::default(),
            flags: HashMap::new(),
            machines: HashMap::new(),
            own: HashMap::new(),
            strange: RefCell::default(),
            brought: RefCell::default(),
            bounded: RefCell::default(),
            settled: Cell::default(),
            bounded_reads: Vec::new(),
            engine: None,
            diagnostics: &mut said,
            unknown: BTreeMap::new(),
            nothing: &nothing,
            met: &met,
            closed: round >= rounds,
            queues: HashMap::new(),
            missing: Vec::new(),
        };
        builder.all();
        let Builder { net, missing, .. } = builder;
        if missing.is_empty() {
            diagnostics.append(said);
            return net;
        }
        for (var, value) in missing {
            let values = met.entry(net.var(var).name.clone()).or_default();
            if values.len() >= MOST_MET || round >= rounds {
                values.push(Value::Unknown);
            } else {
                values.push(value);
            }
            values.sort();
            values.dedup();
        }
    }
    unreachable!("in each round more values are met, and there are not many")
}

impl Builder<'_> {
    fn all(&mut self) {
        let mut graphs = self.project.graphs.iter();
        self.net.ends_loops = graphs.any(|graph| graph.origin == Origin::Blueprint);
        self.declare_flags();
        self.declare_machines();
        self.declare_engine();
        self.connect();
        self.remember();
        self.rules();
        self.handlers();
        self.beginnings();
        self.bounds_where_read();
        for (kind, span) in std::mem::take(&mut self.unknown) {
            let message = format!("what a node of the kind `{kind}` does is not known");
            let help = "assumed: it passes signals on, to any one of its outputs, and changes no \
                        flag; say what it does in a table: --nodes FILE";
            let note = Diagnostic::note(codes::UNKNOWN_KIND, message);
            let note = note.at(span).did_you_mean(&kind, self.table.names());
            self.diagnostics.push(note.help(help));
            let text =
                format!("a node of the kind `{kind}` passes signals on, to any of its outputs");
            self.net.notes.push(Note {
                machine: None,
                text,
                span,
                what: NoteKind::Assumed,
            });
        }
        let assumed = self.project.assumed.iter();
        let cut = self.project.cut.iter().map(|cut| (cut, NoteKind::Cut));
        for (said, what) in assumed.map(|one| (one, NoteKind::Assumed)).chain(cut) {
            self.net.notes.push(Note {
                machine: None,
                text: said.text.clone(),
                span: said.span,
                what,
            });
        }
    }

    /// Something that is to be said beside the verdicts that depend on a machine.
    pub(super) fn note(&mut self, machine: Option<MachineId>, text: String, what: NoteKind) {
        let span = machine.map_or(Span::NONE, |id| self.net.machine(id).span);
        let note = Note {
            machine,
            text,
            span,
            what,
        };
        if !self.net.notes.contains(&note) {
            self.net.notes.push(note);
        }
    }

    /// Says of words that turned out to mean nothing that they may be anything. Tells whether there
    /// were any, and none of them is a flag of the file, which has a value that is not followed.
    pub(super) fn strange_words(&mut self, machine: MachineId) -> bool {
        let words = std::mem::take(&mut *self.strange.borrow_mut());
        let outside = !words.is_empty() && words.iter().all(|w| self.project.flag(w).is_none());
        for word in words {
            let text = match self.project.flag(&word) {
                Some(_) => format!("the value of `{word}` is not followed: it may be anything"),
                None => {
                    let span = self.net.machine(machine).span;
                    let message = format!("nothing says what `{word}` is");
                    let warning = Diagnostic::warning(codes::FLAG, message.clone()).at(span);
                    let warning = warning.help("assumed: it may be anything, at each reading");
                    if !self.diagnostics.iter().any(|d| *d == warning) {
                        self.diagnostics.push(warning);
                    }
                    format!("{message}: it may be anything")
                }
            };
            self.note(Some(machine), text, NoteKind::NotFollowed);
        }
        outside
    }

    fn declare_flags(&mut self) {
        let project = self.project;
        for flag in &project.flags {
            let initial = flag.initial.as_ref().map(of_literal);
            let mut begin = Vec::new();
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
                ValueType::Int | ValueType::Real | ValueType::Range(..) => {
                    let mut values = self.met.get(&flag.name).cloned().unwrap_or_default();
                    values.push(initial.clone().unwrap_or(Value::Unknown));
                    if let (None, ValueType::Range(low, high)) = (&initial, &flag.values) {
                        let numbers = starts(project, *low, *high).into_iter();
                        begin = numbers.map(Value::Int).chain([Value::Unknown]).collect();
                        values.extend(begin.iter().cloned());
                    }
                    values.sort();
                    values.dedup();
                    values
                }
                _ => continue,
            };
            let first = initial.and_then(|initial| values.iter().position(|v| *v == initial));
            let all = || (0..values.len() as u16).collect();
            let place = |value| values.iter().position(|other| other == value);
            let first = match first {
                None if !begin.is_empty() => {
                    let places = begin.iter().filter_map(place);
                    places.map(|at| at as u16).collect()
                }
                Some(at) => vec![at as u16],
                None if values.last() == Some(&Value::Unknown) => vec![values.len() as u16 - 1],
                None => all(),
            };
            if matches!(flag.values, ValueType::Range(..)) {
                self.net.ranges.push(VarId::new(self.net.vars.len()));
            }
            self.declare_flag(flag.name.clone(), values, first, flag.span);
        }
        // Flags that only the table or a setting names. What nobody writes is not known.
        for graph in &project.graphs {
            for node in &graph.nodes {
                let Some(kind) = self.table.kind(&node.kind) else {
                    continue;
                };
                for name in assigned_flags(kind, node) {
                    if !self.flags.contains_key(&name) && project.flag(&name).is_none() {
                        let text =
                            format!("`{name}`, which the file does not declare, is false at first");
                        self.net.notes.push(Note {
                            machine: None,
                            text,
                            span: node.span,
                            what: NoteKind::Meaning,
                        });
                        let values = vec![Value::Bool(false), Value::Bool(true)];
                        self.declare_flag(name, values, vec![0], node.span);
                    }
                }
            }
        }
    }

    fn declare_flag(&mut self, name: String, values: Vec<Value>, first: Vec<u16>, span: Span) {
        let id = self.declare(name.clone(), values, first, Owner::Flag, span);
        self.flags.insert(name, id);
    }

    pub(super) fn declare(
        &mut self,
        name: String,
        values: Vec<Value>,
        first: Vec<u16>,
        owner: Owner,
        span: Span,
    ) -> VarId {
        let id = VarId::new(self.net.vars.len());
        self.net.vars.push(Var {
            name,
            values,
            first,
            owner,
            span,
        });
        id
    }

    /// A machine that is no node, whose inputs and outputs nobody sees.
    pub(super) fn hidden_machine(&mut self, name: &str, span: Span) -> MachineId {
        let id = MachineId::new(self.net.machines.len());
        self.net.machines.push(Machine {
            name: name.to_owned(),
            span,
            inputs: Vec::new(),
            outputs: Vec::new(),
            own: Vec::new(),
            state: None,
            ending: Vec::new(),
            memory: Vec::new(),
            marks: Vec::new(),
            cosmetic: false,
            hidden: true,
            timed: false,
        });
        id
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
                let machine = self.hidden_machine(&name, node.span);
                self.machines.insert((GraphId::new(index), id), machine);
                let (inputs, outputs) = self.pins((GraphId::new(index), id), kind);
                let made = &mut self.net.machines[machine.index()];
                (made.inputs, made.outputs) = (inputs, outputs);
                made.hidden = false;
                made.cosmetic = kind.is_some_and(|kind| kind.pure_effect);
            }
        }
    }

    /// The pins of a node: those that stand in the file, and those that its kind has in any case.
    fn pins(&mut self, at: (GraphId, NodeId), kind: Option<&Kind>) -> (Vec<Input>, Vec<Output>) {
        let node = self.project.graph(at.0).node(at.1);
        let mut inputs: Vec<String> = node.signals_in.iter().map(|p| p.name.clone()).collect();
        let mut outputs: Vec<String> = node.signals_out.iter().map(|p| p.name.clone()).collect();
        if let Some(kind) = kind {
            // The kind's own order comes first.
            let mut numbered = [Vec::new(), Vec::new()];
            for (inward, low, high) in &kind.numbered {
                let names = numbers(node, kind, low).zip(numbers(node, kind, high));
                let names = names.filter(|(low, high)| high.saturating_sub(*low) < MOST_PINS);
                let names = names.into_iter().flat_map(|(low, high)| low..=high);
                numbered[usize::from(!*inward)].extend(names.map(|number| number.to_string()));
            }
            let [more_in, more_out] = numbered;
            inputs = in_order(&[more_in, kind.inputs.clone()].concat(), inputs);
            outputs = in_order(&[more_out, kind.outputs.clone()].concat(), outputs);
        }
        let inputs = inputs.into_iter().map(|name| Input {
            name,
            rules: Vec::new(),
        });
        let outputs = outputs.into_iter().map(|name| Output {
            name,
            targets: Vec::new(),
            hidden: false,
            counted: false,
        });
        (inputs.collect(), outputs.collect())
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

    /// All nodes that have become machines, in the order of the file.
    pub(super) fn nodes(&self) -> Vec<(MachineId, (GraphId, NodeId))> {
        let mut nodes: Vec<_> = self.machines.iter().map(|(key, id)| (*id, *key)).collect();
        nodes.sort_unstable();
        nodes
    }

    /// Declares what nodes remember: first what their tables say, then what their data outputs keep.
    fn remember(&mut self) {
        let table = self.table;
        let nodes = self.nodes();
        let kind_of = |builder: &Self, (graph, id): (GraphId, NodeId)| {
            let node = builder.project.graph(graph).node(id);
            let kind = table
                .kind(&node.kind)
                .filter(|_| node.role == Role::Ordinary);
            kind.filter(|_| !builder.nothing.contains_key(&(graph, id)))
        };
        for &(machine, at) in &nodes {
            if let Some(kind) = kind_of(self, at) {
                Instance::new(self, machine, at, kind).variables();
                self.has_read(machine);
            }
        }
        for &(machine, at) in &nodes {
            if let Some(kind) = kind_of(self, at) {
                Instance::new(self, machine, at, kind).kept();
                self.has_read(machine);
            }
            let graph = self.project.graph(at.0);
            let node = graph.node(at.1);
            let flag = match node.role {
                Role::Get(flag) => Some(flag),
                Role::Set(flag) if !graph.origin.gives_the_variable() => Some(flag),
                _ => None,
            };
            let name = flag.map(|flag| &self.project.flags[flag.index()].name);
            let var = name.and_then(|name| self.flags.get(name)).copied();
            if let (Some(var), Some(pin)) = (var, node.values_out.first()) {
                let cases = of_var(&self.net, var);
                let output = pin.name.clone();
                if let Some(keeper) = self.keeper(machine, at, &output, &cases) {
                    let own = self.own.entry(machine).or_default();
                    own.kept.insert(output, keeper);
                }
            }
        }
    }

    /// A variable in which a data output keeps one of these values, if anybody asks for it and any of
    /// them is followed. What it holds before the node has run for the first time is not known.
    pub(super) fn keeper(
        &mut self,
        machine: MachineId,
        (graph, node): (GraphId, NodeId),
        output: &str,
        cases: &Cases,
    ) -> Option<VarId> {
        let graph = self.project.graph(graph);
        let pin = graph.node(node).value_out(output)?;
        let mut wires = graph.wires.iter();
        wires.find(|wire| wire.from.node == node && wire.from.pin == pin)?;
        let mut values: Vec<Value> = cases.iter().map(|(_, value)| value.held()).collect();
        values.sort();
        values.dedup();
        let truths = [Value::Bool(false), Value::Bool(true), Value::Unknown];
        if values.iter().all(|value| truths.contains(value)) && values != [Value::Unknown] {
            values = truths[..2].to_vec();
        } else if values.last() != Some(&Value::Unknown) {
            values.push(Value::Unknown);
        }
        if values == [Value::Unknown] {
            return None;
        }
        let first = match values.last() {
            Some(Value::Unknown) => vec![values.len() as u16 - 1],
            _ => (0..values.len() as u16).collect(),
        };
        let machine_span = self.net.machine(machine).span;
        let name = format!("{}.{output}", self.net.machine(machine).name);
        let id = self.declare(name, values, first, Owner::Memory(machine), machine_span);
        self.net.machines[machine.index()].memory.push(id);
        Some(id)
    }

    fn rules(&mut self) {
        let project = self.project;
        let table = self.table;
        for (machine, (graph, id)) in self.nodes() {
            let node = project.graph(graph).node(id);
            match node.role {
                Role::Set(flag) => self.setter(machine, (graph, id), flag.index()),
                Role::SetAll => self.set_all(machine, (graph, id)),
                Role::Get(flag) => self.getter(machine, (graph, id), flag.index()),
                Role::Raise(event) => self.raiser(machine, (graph, id), event),
                Role::Receive(event) => self.receiver(machine, graph, event),
                _ => match table.kind(&node.kind) {
                    Some(kind) => match self.nothing.get(&(graph, id)) {
                        None => Instance::new(self, machine, (graph, id), kind).build(),
                        Some(names) => self.unheeded(machine, (graph, id), kind, names),
                    },
                    None => {
                        let unknown = &mut self.unknown;
                        let seen = unknown.entry(node.kind.clone());
                        seen.or_insert(node.span);
                        self.pass_through(machine, node);
                    }
                },
            }
            self.results(machine, node);
            self.has_read(machine);
        }
    }

    /// Flags with bounds that have been read since the last time were read by this machine.
    fn has_read(&mut self, machine: MachineId) {
        let read = std::mem::take(&mut *self.bounded.borrow_mut());
        let reader = (!self.settled.take()).then_some(machine);
        let read = read.into_iter().map(|var| (reader, var));
        self.bounded_reads.extend(read);
    }

    /// What is said of a flag that stops at its bounds is said beside all that reads it: what a reader
    /// does for no value within the bounds has left no trace in its rules.
    fn bounds_where_read(&mut self) {
        for (machine, var) in std::mem::take(&mut self.bounded_reads) {
            let of_flag = |note: &&Note| note.what == NoteKind::Range(var);
            if let Some(text) = self.net.notes.iter().find(of_flag).map(|n| n.text.clone()) {
                self.note(machine, text, NoteKind::Stated);
            }
        }
    }

    /// A flag that takes a node's result may have any value when the node has run.
    fn results(&mut self, machine: MachineId, node: &Node) {
        let flags = node.values_out.iter().filter_map(|pin| pin.flag);
        let flags = flags.map(|flag| &self.project.flags[flag.index()].name);
        let vars: Vec<VarId> = flags
            .filter_map(|name| self.flags.get(name).copied())
            .collect();
        let unknown = constant(Value::Unknown);
        let sets: Vec<(VarId, Update)> = vars
            .into_iter()
            .map(|var| (var, self.update(var, &unknown)))
            .collect();
        let machine = &mut self.net.machines[machine.index()];
        let rules = machine.inputs.iter_mut().flat_map(|input| &mut input.rules);
        let rules = rules.chain(machine.own.iter_mut().map(|(_, rule)| rule));
        for effect in rules.flat_map(|rule| &mut rule.effects) {
            effect.sets.extend(sets.iter().cloned());
        }
    }

    fn outs(&self, machine: MachineId) -> Vec<u16> {
        (0..self.net.machine(machine).outputs.len() as u16).collect()
    }

    /// It writes the flag that a setting names, and that names none: then nothing is known to hold. A flag of
    /// the file that is not followed is no such thing.
    pub(super) fn writes_somewhere(
        &mut self,
        machine: MachineId,
        (graph, node): (GraphId, NodeId),
        setting: &str,
    ) {
        let named = self.project.graph(graph).node(node).setting(setting);
        let named = named.and_then(Literal::as_text);
        if named.is_some_and(|name| self.project.flag(name).is_some()) {
            return;
        }
        let name = &self.net.machine(machine).name;
        let text = format!("which flag `{name}` writes is not said: it writes none");
        self.note(None, text, NoteKind::Cut);
    }

    /// It reads a flag and goes on. Its output keeps what it has read.
    fn getter(&mut self, machine: MachineId, at: (GraphId, NodeId), flag: usize) {
        let name = &self.project.flags[flag].name;
        let node = self.project.graph(at.0).node(at.1);
        let pin = node.values_out.first();
        let kept = pin.and_then(|pin| self.own.get(&machine)?.kept.get(&pin.name).copied());
        let var = self.flags.get(name).copied();
        let mut effect = Effect {
            sets: Vec::new(),
            outs: self.outs(machine),
        };
        if let (Some(kept), Some(var)) = (kept, var) {
            let value = of_var(&self.net, var);
            effect.sets.push((kept, self.update(kept, &value)));
        }
        self.every_input(machine, &effect);
    }

    /// It writes a flag and goes on.
    fn setter(&mut self, machine: MachineId, at: (GraphId, NodeId), flag: usize) {
        let name = &self.project.flags[flag].name;
        let node = self.project.graph(at.0).node(at.1);
        let mut effect = Effect {
            sets: Vec::new(),
            outs: self.outs(machine),
        };
        let pin = node.values_in.first().map(|pin| pin.name.clone());
        let value = pin.map_or_else(|| constant(Value::Unknown), |pin| data(self, at, &pin, 0));
        if let Some(&var) = self.flags.get(name) {
            effect.sets.push((var, self.update(var, &value)));
        }
        let pin = node.values_out.first();
        let kept = pin.and_then(|pin| self.own.get(&machine)?.kept.get(&pin.name).copied());
        if let Some(kept) = kept {
            effect.sets.push((kept, self.update(kept, &value)));
        }
        self.every_input(machine, &effect);
    }

    /// It writes several flags at once: those that its data inputs name.
    fn set_all(&mut self, machine: MachineId, at: (GraphId, NodeId)) {
        let node = self.project.graph(at.0).node(at.1);
        let mut effect = Effect {
            sets: Vec::new(),
            outs: self.outs(machine),
        };
        for pin in &node.values_in {
            let name = pin.sets.map(|flag| &self.project.flags[flag.index()].name);
            if let Some(&var) = name.and_then(|name| self.flags.get(name)) {
                let value = data(self, at, &pin.name, 0);
                let update = self.update(var, &value);
                effect.sets.push((var, update));
            }
        }
        self.every_input(machine, &effect);
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
            let rule = Rule::new(Test::Always, one(&[], &[now, later].concat()));
            self.net.machines[id.index()]
                .own
                .push((super::Moment::Event, rule));
            return;
        }
        let mut effects = one(&[], &now);
        if !later.is_empty() {
            let values = ["Idle", "Busy"].map(|s| Value::Name(s.to_owned())).to_vec();
            let (name, span) = (machine.name.clone(), machine.span);
            let state = self.declare(name, values, vec![0], Owner::State(id), span);
            effects = one(&[(state, 1)], &now);
            let rule = Rule::new(Test::Is(state, 1), one(&[(state, 0)], &later));
            let machine = &mut self.net.machines[id.index()];
            machine.state = Some(state);
            machine.ending = vec![1];
            machine.own.push((super::Moment::Later, rule));
        }
        for input in &mut self.net.machines[id.index()].inputs {
            input.rules.push(Rule::new(Test::Always, effects.clone()));
        }
    }

    pub(super) fn every_input(&mut self, machine: MachineId, effect: &Effect) {
        for input in &mut self.net.machines[machine.index()].inputs {
            input
                .rules
                .push(Rule::new(Test::Always, vec![effect.clone()]));
        }
    }

    /// An assignment. What is not followed is any value of the variable; numbers beyond bounds that
    /// the file gives stop at them.
    pub(super) fn update(&mut self, var: VarId, value: &Cases) -> Update {
        let declared = self.net.var(var);
        let anything = declared.position(&Value::Unknown);
        let any = anything.map(|at| vec![(Test::Always, at)]);
        let flag = self
            .project
            .flag(&declared.name)
            .filter(|_| declared.owner == Owner::Flag);
        let flag = flag.map(|id| &self.project.flags[id.index()]);
        let (met, range) = match flag.map(|flag| &flag.values) {
            Some(ValueType::Int | ValueType::Real) => (true, None),
            Some(ValueType::Range(low, high)) => {
                let met = high.saturating_sub(*low) >= MOST_VALUES;
                (met, Some((*low, *high)))
            }
            _ => (false, None),
        };
        let bounds = match (declared.values.first(), declared.values.last()) {
            (Some(Value::Int(low)), Some(Value::Int(high))) if !met => Some((*low, *high)),
            _ => range,
        };
        let closed = self.closed || declared.values.len() >= MOST_MET;
        let mut cases = Vec::new();
        let (mut missing, mut clamped) = (Vec::new(), false);
        for (test, value) in each(value, Value::held) {
            let value = match (&value, bounds) {
                (Value::Int(number), _) if declared.is_bool() => Value::Bool(*number != 0),
                (Value::Int(number), Some((low, high))) if !(low..=high).contains(number) => {
                    clamped |= range.is_some();
                    Value::Int((*number).clamp(low, high))
                }
                _ => value,
            };
            match (declared.position(&value), anything) {
                (Some(at), _) => cases.push((test, at)),
                (None, Some(at)) if !met || closed => cases.push((test, at)),
                _ if met => missing.push((var, value)),
                (None, Some(_)) => {}
                // One case of any value: the whole may be any.
                (None, None) => return None,
            }
        }
        let (name, span) = (declared.name.clone(), declared.span);
        if clamped && let Some((low, high)) = bounds {
            let text =
                format!("`{name}` stays within {low} to {high}: what would be beyond stops there");
            let note = Note {
                machine: None,
                text,
                span,
                what: NoteKind::Range(var),
            };
            if !self.net.notes.contains(&note) {
                self.net.notes.push(note);
            }
        }
        if missing.is_empty() {
            return Some(cases);
        }
        self.missing.extend(missing);
        any
    }
}

/// The flags that a node of a kind writes by name.
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
    flags
}

/// A number that is known before anything is declared.
pub(crate) fn numbers(node: &Node, kind: &Kind, expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Int(number) => Some(*number),
        Expr::Add(a, b) => numbers(node, kind, a)?.checked_add(numbers(node, kind, b)?),
        Expr::Sub(a, b) => numbers(node, kind, a)?.checked_sub(numbers(node, kind, b)?),
        Expr::Word(name) => match node.setting(name) {
            Some(literal) => literal.as_int(),
            None => {
                let default = kind.settings.iter().find(|(setting, ..)| setting == name);
                match default {
                    Some((_, Expr::Int(number), _)) => Some(*number),
                    _ => None,
                }
            }
        },
        _ => None,
    }
}

fn in_order(declared: &[String], found: Vec<String>) -> Vec<String> {
    let mut names = declared.to_vec();
    let seen: HashSet<String> = declared.iter().cloned().collect();
    names.extend(found.into_iter().filter(|name| !seen.contains(name)));
    names
}
