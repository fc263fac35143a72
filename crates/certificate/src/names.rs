//! Names of what a program's states are made of: each has one, and no two have the same.

use std::collections::{HashMap, HashSet};

use audit::Variable;
use model::{GlobalId, LocId, Program, Type};

/// The names of a program's variables, instances and locations. Where two would have the same, the
/// later has a number behind it.
pub struct Names {
    instances: Vec<Instance>,
    by_name: HashMap<String, Variable>,
    by_variable: HashMap<Variable, String>,
}

struct Instance {
    name: String,
    locations: Vec<String>,
    by_name: HashMap<String, LocId>,
}

impl Names {
    /// The names of a program.
    #[must_use]
    pub fn of(program: &Program) -> Names {
        let mut taken = Taken::default();
        let mut variables = Vec::new();
        for (at, global) in program.globals.iter().enumerate() {
            let name = taken.fresh(&global.name);
            variables.push((name, Variable::Global(GlobalId::new(at))));
        }
        let mut taken_instances = Taken::default();
        let mut instances = Vec::new();
        for (instance, start) in (0..).zip(&program.start) {
            let process = &program.processes[start.process.index()];
            let name = taken_instances.fresh(&process.name);
            for (local, declared) in (0..).zip(&process.locals) {
                let own = taken.fresh(&format!("{name}: {}", declared.name));
                variables.push((own, Variable::Local { instance, local }));
            }
            let mut taken_locations = Taken::default();
            let locations = process.locations.iter();
            let locations = locations.map(|location| taken_locations.fresh(&location.name));
            let locations: Vec<String> = locations.collect();
            let numbered = locations.iter().enumerate();
            instances.push(Instance {
                by_name: numbered
                    .map(|(at, own)| (own.clone(), LocId::new(at)))
                    .collect(),
                name,
                locations,
            });
        }
        Names {
            by_name: variables.iter().cloned().collect(),
            by_variable: variables.iter().map(|(n, v)| (*v, n.clone())).collect(),
            instances,
        }
    }

    pub(crate) fn variable(&self, name: &str) -> Option<Variable> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn of_variable(&self, variable: Variable) -> Option<&str> {
        self.by_variable.get(&variable).map(String::as_str)
    }

    pub(crate) fn instance(&self, name: &str) -> Option<usize> {
        self.instances.iter().position(|own| own.name == name)
    }

    pub(crate) fn of_instance(&self, instance: usize) -> Option<&str> {
        let instance = self.instances.get(instance)?;
        Some(&instance.name)
    }

    pub(crate) fn location(&self, instance: usize, name: &str) -> Option<LocId> {
        self.instances.get(instance)?.by_name.get(name).copied()
    }

    pub(crate) fn of_location(&self, instance: usize, location: LocId) -> Option<&str> {
        let locations = &self.instances.get(instance)?.locations;
        locations.get(location.index()).map(String::as_str)
    }
}

/// The type of a part of a variable.
pub(crate) fn type_of(program: &Program, variable: Variable, path: &[u32]) -> Option<Type> {
    let mut ty = match variable {
        Variable::Global(id) => program.globals.get(id.index())?.ty.clone(),
        Variable::Local { instance, local } => {
            let start = program.start.get(instance as usize)?;
            let process = program.processes.get(start.process.index())?;
            process.locals.get(local as usize)?.ty.clone()
        }
    };
    for &at in path {
        ty = match ty {
            Type::Array(of, length) if at < length => *of,
            Type::Record(record) => {
                let record = program.records.get(record.index())?;
                record.fields.get(at as usize)?.1.clone()
            }
            _ => return None,
        };
    }
    Some(ty)
}

/// Names that are taken, and with what number the next one of a name is tried.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Taken {
    /// A name that is not taken yet: the given one, or that with a number behind it.
    fn fresh(&mut self, name: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let number = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let own = format!("{name}#{number}");
            *number += 1;
            if self.names.insert(own.clone()) {
                return own;
            }
        }
    }
}
