//! Where everything is in the Promela model: instances, variables, channels, and their names.
//!
//! Arrays and records are taken apart: a leaf, that is a scalar reached by fields alone, becomes
//! one Promela variable, an array if the way to it goes through indices (of several dimensions
//! made one).

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use model::interp::State;
use model::{GlobalId, LocId, Mode, ProcedureId, ProcessId, Program, StepId, Target, Type, Value};

/// An instance that can exist: a position, and what runs there.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The instance's number.
    pub(super) position: u32,
    pub(super) process: ProcessId,
    /// For names of variables and comments.
    pub(super) name: String,
    /// Runs from the start.
    pub(super) started: bool,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Home {
    Global(u32),
    /// A slot's parameter or local.
    Own(usize, u32),
    /// A parameter or local of a procedure, in a slot.
    Frame(usize, u32, u32),
}

/// A scalar part of a variable.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The fields on the way to it.
    pub(super) fields: Vec<u32>,
    /// The lengths of the arrays on the way to it, outermost first.
    pub(super) lengths: Vec<u32>,
    pub(super) ty: Type,
}

/// The declaration of a Promela variable.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) ty: &'static str,
    /// More than one if it is an array.
    pub(super) first: Vec<i128>,
    pub(super) is_array: bool,
    pub(super) comment: String,
}

/// A step of a process that can be taken at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) step: StepId,
    pub(super) procedure: Option<ProcedureId>,
}

/// The control of a process template, as far as it can be reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Control {
    /// For each reached location the procedure that it belongs to.
    pub(super) reached: BTreeMap<LocId, Option<ProcedureId>>,
    /// The steps that leave reached locations, by location, escapes left aside.
    pub(super) edges: Vec<Edge>,
    /// For each procedure the steps that call it.
    pub(super) callers: BTreeMap<ProcedureId, Vec<StepId>>,
    /// Whether a procedure can call itself.
    pub(super) recursive: bool,
}

pub(super) struct Layout<'p> {
    pub(super) program: &'p Program,
    pub(super) slots: Vec<Slot>,
    pub(super) controls: Vec<Control>,
    /// Positions in the channel table: reference minus one.
    pub(super) channels: Vec<model::ChannelId>,
    /// The first initial state.
    pub(super) first: State,
    names: RefCell<Names>,
    /// Variables that are mentioned, in order of name.
    pub(super) declared: RefCell<BTreeMap<String, Declared>>,
    /// Variables that some statement or first value makes differ from the first initial state.
    changing: HashSet<Home>,
}

#[derive(Default)]
struct Names {
    taken: HashSet<String>,
    of: HashMap<(Home, Vec<u32>), String>,
}

/// Letters, digits and underscores only.
pub(super) fn plain(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    text.truncate(40);
    if text.is_empty() { "x".into() } else { text }
}

impl<'p> Layout<'p> {
    pub(super) fn new(program: &'p Program, initial: &[State]) -> Self {
        let controls: Vec<Control> = (0..program.processes.len())
            .map(|index| Control::of(program, ProcessId::new(index)))
            .collect();
        let first = initial.first().cloned().unwrap_or_default();
        let mut slots: Vec<Slot> = Vec::new();
        let mut taken = HashSet::new();
        for (index, start) in program.start.iter().enumerate() {
            let template = &program.processes[start.process.index()];
            let mut name = plain(&template.name);
            if !taken.insert(name.clone()) {
                name = format!("{name}_{index}");
                taken.insert(name.clone());
            }
            slots.push(Slot {
                position: u32::try_from(index).unwrap_or(u32::MAX),
                process: start.process,
                name,
                started: true,
            });
        }
        let channels = (0..program.channels.len())
            .map(model::ChannelId::new)
            .filter(|id| program.channels[id.index()].from_start)
            .collect();
        let mut layout = Layout {
            program,
            slots,
            controls,
            channels,
            first,
            names: RefCell::default(),
            declared: RefCell::default(),
            changing: HashSet::new(),
        };
        layout.changing = layout.find_changing(initial);
        layout
    }

    fn find_changing(&self, initial: &[State]) -> HashSet<Home> {
        let mut changing = HashSet::new();
        for (index, _) in self.program.globals.iter().enumerate() {
            if initial
                .iter()
                .any(|state| state.globals[index] != self.first.globals[index])
            {
                changing.insert(Home::Global(GlobalId::new(index).0));
            }
        }
        let mut stored = |slot: usize, procedure: Option<ProcedureId>, root: model::Root| {
            let home = match root {
                model::Root::Global(id) => Home::Global(id.0),
                model::Root::Own(local) => Home::Own(slot, local),
                model::Root::Frame(local) => match procedure {
                    Some(procedure) => Home::Frame(slot, procedure.0, local),
                    None => return,
                },
                _ => return,
            };
            changing.insert(home);
        };
        for (slot, entry) in self.slots.iter().enumerate() {
            let process = &self.program.processes[entry.process.index()];
            for (local, _) in process.locals.iter().enumerate() {
                // Locals of different first values in different initial states.
                let value = |state: &State| local_of(state, entry.position, local).cloned();
                let first = value(&self.first);
                if !entry.started || initial.iter().any(|state| value(state) != first) {
                    stored(slot, None, model::Root::Own(local as u32));
                }
            }
            for edge in &self.controls[entry.process.index()].edges {
                let step = &process.steps[edge.step.index()];
                for choice in &step.binds {
                    stored(slot, edge.procedure, choice.place.root);
                }
                super::walk::stored_roots(self.program, &step.body, &mut |root| {
                    stored(slot, edge.procedure, root);
                });
                if let Some(model::Comm::Receive { patterns, .. }) = &step.comm {
                    for pattern in patterns {
                        if let model::Pattern::Bind(place) = pattern {
                            stored(slot, edge.procedure, place.root);
                        }
                    }
                }
                if let Target::Call {
                    result: Some(place),
                    ..
                } = &step.target
                {
                    stored(slot, edge.procedure, place.root);
                }
            }
            for (index, procedure) in process.procedures.iter().enumerate() {
                for local in 0..procedure.locals.len() {
                    let id = ProcedureId::new(index);
                    stored(slot, Some(id), model::Root::Frame(local as u32));
                }
            }
        }
        changing
    }

    /// Whether a variable ever has another value than its first.
    pub(super) fn changes(&self, home: Home) -> bool {
        self.changing.contains(&home)
    }

    /// The first value of a variable.
    pub(super) fn first_value(&self, home: Home) -> Value {
        match home {
            Home::Global(id) => self.first.globals[id as usize].clone(),
            Home::Own(slot, local) => {
                let slot = &self.slots[slot];
                let found = local_of(&self.first, slot.position, local as usize);
                found.filter(|_| slot.started).cloned().unwrap_or_else(|| {
                    let process = &self.program.processes[slot.process.index()];
                    self.program.zero(&process.locals[local as usize].ty)
                })
            }
            Home::Frame(..) => self.program.zero(&self.type_of(home)),
        }
    }

    /// The type of a variable.
    pub(super) fn type_of(&self, home: Home) -> Type {
        match home {
            Home::Global(id) => self.program.globals[id as usize].ty.clone(),
            Home::Own(slot, local) => {
                let process = &self.program.processes[self.slots[slot].process.index()];
                process.locals[local as usize].ty.clone()
            }
            Home::Frame(slot, procedure, local) => {
                let process = &self.program.processes[self.slots[slot].process.index()];
                process.procedures[procedure as usize].locals[local as usize]
                    .ty
                    .clone()
            }
        }
    }

    fn title_of(&self, home: Home) -> String {
        match home {
            Home::Global(id) => self.program.globals[id as usize].name.clone(),
            Home::Own(slot, local) => {
                let slot = &self.slots[slot];
                let process = &self.program.processes[slot.process.index()];
                format!("{} of {}", process.locals[local as usize].name, slot.name)
            }
            Home::Frame(slot, procedure, local) => {
                let process = &self.program.processes[self.slots[slot].process.index()];
                let procedure = &process.procedures[procedure as usize];
                format!(
                    "{} of {}",
                    procedure.locals[local as usize].name, procedure.name
                )
            }
        }
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&self, wanted: &str) -> String {
        let mut names = self.names.borrow_mut();
        let mut name = wanted.to_owned();
        let mut count = 1;
        while !names.taken.insert(name.clone()) {
            count += 1;
            name = format!("{wanted}_{count}");
        }
        name
    }

    /// The Promela name of a leaf; declares it.
    pub(super) fn name(&self, home: Home, fields: &[u32]) -> String {
        let key = (home, fields.to_vec());
        if let Some(name) = self.names.borrow().of.get(&key) {
            return name.clone();
        }
        let title = self.title_of(home);
        let mut wanted = match home {
            Home::Global(id) => format!("v_{}", plain(&self.program.globals[id as usize].name)),
            Home::Own(slot, local) => {
                let entry = &self.slots[slot];
                let process = &self.program.processes[entry.process.index()];
                format!(
                    "v_{}_{}",
                    entry.name,
                    plain(&process.locals[local as usize].name)
                )
            }
            Home::Frame(slot, procedure, local) => {
                let process = &self.program.processes[self.slots[slot].process.index()];
                let procedure = &process.procedures[procedure as usize];
                let local = plain(&procedure.locals[local as usize].name);
                format!("v_{}_{local}", plain(&procedure.name))
            }
        };
        for field in fields {
            wanted.push_str(&format!("_{field}"));
        }
        let name = self.fresh(&wanted);
        let leaf = leaves(self.program, &self.type_of(home))
            .into_iter()
            .find(|leaf| leaf.fields == fields);
        let (ty, lengths) = match &leaf {
            Some(leaf) => (stored_type(self.program, &leaf.ty), leaf.lengths.clone()),
            None => ("int", Vec::new()),
        };
        let mut first = Vec::new();
        let ty_of_home = self.type_of(home);
        flat_values(
            self.program,
            &ty_of_home,
            &self.first_value(home),
            fields,
            &mut first,
        );
        self.declared.borrow_mut().insert(
            name.clone(),
            Declared {
                ty,
                first: first.iter().map(|value| self.number(value)).collect(),
                is_array: !lengths.is_empty(),
                comment: title,
            },
        );
        self.names.borrow_mut().of.insert(key, name.clone());
        name
    }

    /// Declares a variable of the translation's own.
    pub(super) fn declare(&self, name: &str, ty: &'static str, first: i128, comment: &str) {
        self.declared.borrow_mut().insert(
            name.to_owned(),
            Declared {
                ty,
                first: vec![first],
                is_array: false,
                comment: comment.to_owned(),
            },
        );
    }

    /// A scalar value as a number. Rich values are counted in the order in which they are met.
    pub(super) fn number(&self, value: &Value) -> i128 {
        match value {
            Value::Bool(truth) => i128::from(*truth),
            Value::Int(number) => *number,
            Value::Rich(id) => i128::from(id.0),
            Value::Procedure(_) | Value::Pointer(_) | Value::Tuple(_) => 0,
        }
    }

    /// The number of a location in the slot's program counter is its own; these come after.
    pub(super) fn ended(&self, slot: usize) -> usize {
        self.program.processes[self.slots[slot].process.index()]
            .locations
            .len()
    }

    pub(super) fn absent(&self, slot: usize) -> usize {
        self.ended(slot) + 1
    }

    pub(super) fn halted(&self, slot: usize) -> usize {
        self.ended(slot) + 2
    }

    pub(super) fn at(&self, slot: usize) -> String {
        format!("at_{}", self.slots[slot].name)
    }

    /// Locations of the slot that are reached and have one of the modes.
    pub(super) fn locations_of(&self, slot: usize, modes: &[Mode]) -> Vec<LocId> {
        let process = self.slots[slot].process.index();
        self.controls[process]
            .reached
            .keys()
            .copied()
            .filter(|location| {
                let locations = &self.program.processes[process].locations;
                modes.contains(&locations[location.index()].mode)
            })
            .collect()
    }
}

/// A local of an instance.
pub(super) fn local_of(state: &State, position: u32, local: usize) -> Option<&Value> {
    let instance = state.instance(position)?;
    state.frames.get(instance.frame)?.as_ref()?.get(local)
}

/// The scalar parts of a type.
pub(super) fn leaves(program: &Program, ty: &Type) -> Vec<Leaf> {
    match ty {
        Type::Array(item, length) => leaves(program, item)
            .into_iter()
            .map(|mut leaf| {
                leaf.lengths.insert(0, *length);
                leaf
            })
            .collect(),
        Type::Record(id) => (0u32..)
            .zip(&program.records[id.index()].fields)
            .flat_map(|(field, (_, ty))| {
                leaves(program, ty).into_iter().map(move |mut leaf| {
                    leaf.fields.insert(0, field);
                    leaf
                })
            })
            .collect(),
        scalar => vec![Leaf {
            fields: Vec::new(),
            lengths: Vec::new(),
            ty: scalar.clone(),
        }],
    }
}

/// The values of a leaf, row by row.
pub(super) fn flat_values(
    program: &Program,
    ty: &Type,
    value: &Value,
    fields: &[u32],
    out: &mut Vec<Value>,
) {
    match (ty, value) {
        (Type::Array(item, _), Value::Tuple(items)) => {
            for value in items {
                flat_values(program, item, value, fields, out);
            }
        }
        (Type::Record(id), Value::Tuple(items)) => {
            if let Some((&field, rest)) = fields.split_first() {
                let (_, ty) = &program.records[id.index()].fields[field as usize];
                flat_values(program, ty, &items[field as usize], rest, out);
            }
        }
        _ => out.push(value.clone()),
    }
}

/// The smallest Promela type that holds a type's values.
pub(super) fn stored_type(program: &Program, ty: &Type) -> &'static str {
    let bounds = match ty {
        Type::Bool => return "bool",
        Type::Enum(id) => Some((0, program.enums[id.index()].members.len() as i128 - 1)),
        Type::Channel | Type::Instance => Some((0, 32_767)),
        Type::Rich => Some((0, program.rich.len() as i128)),
        Type::Mathint => None,
        other => other.bounds(),
    };
    match bounds {
        Some((lo, hi)) if lo >= 0 && hi <= 1 => "bit",
        Some((lo, hi)) if lo >= 0 && hi <= 255 => "byte",
        Some((lo, hi)) if lo >= -32_768 && hi <= 32_767 => "short",
        _ => "int",
    }
}

impl Control {
    fn of(program: &Program, id: ProcessId) -> Control {
        let process = &program.processes[id.index()];
        let mut control = Control::default();
        let mut waiting = vec![(process.entry, None)];
        waiting.extend(process.on_fault.map(|location| (location, None)));
        let mut taken: HashSet<StepId> = HashSet::new();
        let mut calls: HashSet<(Option<ProcedureId>, ProcedureId)> = HashSet::new();
        while let Some((location, procedure)) = waiting.pop() {
            if control.reached.contains_key(&location) {
                continue;
            }
            control.reached.insert(location, procedure);
            let escapes = process
                .escapes
                .iter()
                .filter(|escape| escape.covers.contains(&location))
                .flat_map(|escape| escape.steps.iter().copied());
            let own = (0..process.steps.len())
                .map(StepId::new)
                .filter(|step| process.steps[step.index()].from == location)
                .filter(|step| !process.escapes.iter().any(|e| e.steps.contains(step)));
            for id in own.chain(escapes).collect::<Vec<_>>() {
                let step = &process.steps[id.index()];
                if super::walk::is_disabled(program, step) {
                    continue;
                }
                if taken.insert(id) {
                    control.edges.push(Edge {
                        step: id,
                        procedure,
                    });
                }
                match &step.target {
                    Target::Goto(to) => waiting.push((*to, procedure)),
                    Target::Call { callee, then, .. } => {
                        waiting.push((*then, procedure));
                        if let model::Callee::Known(callee) = callee {
                            calls.insert((procedure, *callee));
                            let sites = control.callers.entry(*callee).or_default();
                            if !sites.contains(&id) {
                                sites.push(id);
                            }
                            let entry = process.procedures[callee.index()].entry;
                            waiting.push((entry, Some(*callee)));
                        }
                    }
                    Target::Return(_) | Target::End => {}
                }
            }
        }
        control.edges.sort_by_key(|edge| edge.step);
        for sites in control.callers.values_mut() {
            sites.sort_unstable();
        }
        control.recursive = is_cyclic(&calls);
        control
    }
}

fn is_cyclic(calls: &HashSet<(Option<ProcedureId>, ProcedureId)>) -> bool {
    let mut left: Vec<_> = calls.iter().copied().collect();
    loop {
        let before = left.len();
        let callees_that_call: HashSet<_> = left.iter().filter_map(|(from, _)| *from).collect();
        left.retain(|(_, to)| callees_that_call.contains(to));
        if left.len() == before {
            return !left.is_empty();
        }
    }
}
