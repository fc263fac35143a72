//! Instances of core modules.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{ExternalKind, Operator, RefType, ValType};

use super::{
    Abi, Entry, Function, Global, Host, Instance, MAX_PAGES, MAX_SLOTS, Memory, Store, Table,
};
use crate::decode::{Constant, ImportKind, Module, Value};

/// What a module is given for an import, or exports: an index of the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extern {
    Function(usize),
    Global(usize),
    Memory(usize),
    Table(usize),
    Other,
}

/// What an instance exports.
pub(super) type Exports = BTreeMap<String, Extern>;

/// The functions in a table at first, by slot.
pub(crate) fn slots(table: &Table) -> impl Iterator<Item = (usize, usize)> {
    let slots = table.slots.iter().flatten().enumerate();
    slots.filter_map(|(at, function)| Some((at, (*function)?)))
}

impl<'a> Store<'a> {
    /// One instance of a module, whose imports are the host's.
    pub(super) fn alone(&mut self, module: &'a Module<'a>) {
        let given = module.imports.iter().map(|import| {
            let host = |store: &mut Self| {
                let names = vec![
                    format!("{}.{}", import.module, import.name),
                    import.name.to_owned(),
                ];
                store.add_function(Host::named(names, Abi::Core))
            };
            match import.kind {
                ImportKind::Function(_) => Extern::Function(host(self)),
                other => self.of_the_host(other, import.name),
            }
        });
        let given: Vec<Extern> = given.collect();
        let exports = self.instantiate(module, &given);
        for (name, export) in exports {
            match export {
                Extern::Function(function) => self.entries.push(Entry {
                    name,
                    function,
                    exact: true,
                }),
                Extern::Global(global) => self.globals[global].open = true,
                Extern::Memory(memory) => self.memories[memory].open = true,
                Extern::Table(table) => self.tables[table].open = true,
                Extern::Other => {}
            }
        }
        self.reachable_entries();
    }

    /// What the host gives for an import that is no function.
    pub(super) fn of_the_host(&mut self, kind: ImportKind, name: &str) -> Extern {
        match kind {
            ImportKind::Table => {
                self.tables.push(Table {
                    slots: None,
                    changes: true,
                    open: true,
                });
                Extern::Table(self.tables.len() - 1)
            }
            ImportKind::Memory(ty) => {
                self.memories.push(Memory {
                    least: ty.initial,
                    most: ty.maximum.unwrap_or(MAX_PAGES).min(MAX_PAGES),
                    open: true,
                    unknown: true,
                    segments: Vec::new(),
                });
                Extern::Memory(self.memories.len() - 1)
            }
            ImportKind::Global(ty) => {
                self.globals.push(Global {
                    name: name.to_owned(),
                    ty: ty.content_type,
                    mutable: ty.mutable,
                    value: Value::Any,
                    open: true,
                });
                Extern::Global(self.globals.len() - 1)
            }
            ImportKind::Function(_) | ImportKind::Tag => Extern::Other,
        }
    }

    pub(super) fn add_function(&mut self, function: Function) -> usize {
        self.functions.push(function);
        self.functions.len() - 1
    }

    /// An instance of a module with what it is given for its imports; gives its exports.
    pub(super) fn instantiate(&mut self, module: &'a Module<'a>, given: &[Extern]) -> Exports {
        let at = self.instances.len();
        let mut instance = Instance {
            module,
            functions: Vec::new(),
            globals: Vec::new(),
            memories: Vec::new(),
            tables: Vec::new(),
        };
        for (import, given) in module.imports.iter().zip(given) {
            let given = match (*given, import.kind) {
                (Extern::Other, ImportKind::Function(_)) => {
                    self.unknown("a function that is imported in a way that is not followed");
                    let names = vec!["a function that is not known".to_owned()];
                    Extern::Function(self.add_function(Host::named(names, Abi::Core)))
                }
                (Extern::Other, kind) => self.of_the_host(kind, import.name),
                (known, _) => known,
            };
            match given {
                Extern::Function(function) => instance.functions.push(function),
                Extern::Global(global) => instance.globals.push(global),
                Extern::Memory(memory) => instance.memories.push(memory),
                Extern::Table(table) => instance.tables.push(table),
                Extern::Other => {}
            }
        }
        for (body, &ty) in module.functions.iter().enumerate() {
            let own = Function::Own {
                instance: at,
                body,
                ty,
            };
            instance.functions.push(self.add_function(own));
        }
        for (index, (ty, init)) in module.globals.iter().enumerate() {
            let value = match self.value(init, &instance) {
                Value::Number(number) if ty.content_type == ValType::I32 => {
                    Value::Number(i64::from(number as i32))
                }
                other => other,
            };
            self.globals.push(Global {
                name: format!("global {}", instance.globals.len().max(index)),
                ty: ty.content_type,
                mutable: ty.mutable,
                value,
                open: false,
            });
            instance.globals.push(self.globals.len() - 1);
        }
        for ty in &module.memories {
            self.memories.push(Memory {
                least: ty.initial.min(MAX_PAGES),
                most: ty.maximum.unwrap_or(MAX_PAGES).min(MAX_PAGES),
                open: ty.shared,
                unknown: ty.shared,
                segments: Vec::new(),
            });
            instance.memories.push(self.memories.len() - 1);
        }
        self.tables(module, &mut instance);
        self.segments(module, &instance);
        if let Some(start) = module.start {
            self.starts.push(instance.functions[start as usize]);
        }
        let exports = module.exports.iter().filter_map(|export| {
            let index = export.index as usize;
            let thing = match export.kind {
                ExternalKind::Func | ExternalKind::FuncExact => {
                    Extern::Function(*instance.functions.get(index)?)
                }
                ExternalKind::Global => Extern::Global(*instance.globals.get(index)?),
                ExternalKind::Memory => Extern::Memory(*instance.memories.get(index)?),
                ExternalKind::Table => Extern::Table(*instance.tables.get(index)?),
                ExternalKind::Tag => Extern::Other,
            };
            Some((export.name.to_owned(), thing))
        });
        let exports = exports.collect();
        self.instances.push(instance);
        exports
    }

    /// The value of a constant expression of an instance.
    fn value(&self, constant: &Constant, instance: &Instance<'_>) -> Value {
        constant.value(|index| {
            let global = instance.globals.get(index as usize);
            match global.map(|&global| &self.globals[global]) {
                // References are indices of the module that wrote them.
                Some(Global {
                    mutable: false,
                    value: Value::Number(number),
                    ..
                }) => Value::Number(*number),
                _ => Value::Any,
            }
        })
    }

    fn tables(&mut self, module: &'a Module<'a>, instance: &mut Instance<'_>) {
        for (ty, init) in &module.tables {
            let is_function = ty.element_type == RefType::FUNCREF;
            let known = is_function && ty.initial <= MAX_SLOTS && *init == Constant::null();
            self.tables.push(Table {
                slots: known.then(|| vec![None; ty.initial as usize]),
                changes: !known,
                open: false,
            });
            instance.tables.push(self.tables.len() - 1);
        }
        for element in &module.elements {
            let Some((table, offset)) = &element.active else {
                continue;
            };
            let Some(&table) = instance.tables.get(*table as usize) else {
                continue;
            };
            let offset = self.value(offset, instance);
            let items = element.items.iter().map(|item| self.value(item, instance));
            let items: Vec<Value> = items.collect();
            let Table { slots, changes, .. } = &mut self.tables[table];
            let (Value::Number(offset), Some(slots)) = (offset, slots.as_mut()) else {
                *changes = true;
                continue;
            };
            for (at, item) in items.into_iter().enumerate() {
                let slot = slots.get_mut(offset as u32 as usize + at);
                match (slot, item) {
                    (Some(slot), Value::Function(index)) => {
                        *slot = instance.functions.get(index as usize).copied();
                    }
                    (Some(slot), Value::Null) => *slot = None,
                    // Behind the end of the table, instantiation fails.
                    _ => *changes = true,
                }
            }
        }
    }

    fn segments(&mut self, module: &'a Module<'a>, instance: &Instance<'a>) {
        for segment in &module.data {
            let Some((memory, offset)) = &segment.active else {
                continue;
            };
            let Some(&memory) = instance.memories.get(*memory as usize) else {
                continue;
            };
            let offset = self.value(offset, instance);
            let ran = !self.starts.is_empty();
            let memory = &mut self.memories[memory];
            match offset {
                // A function that ran before saw other contents.
                Value::Number(offset) if !ran => {
                    memory
                        .segments
                        .push((u64::from(offset as u32), segment.bytes));
                }
                _ => memory.unknown = true,
            }
        }
    }

    /// The functions that the host gets hold of by a table or a reference are entries, too.
    pub(super) fn reachable_entries(&mut self) {
        let open = self.tables.iter().any(|table| table.open);
        let leaks = self
            .instances
            .iter()
            .any(|instance| passes_references(instance));
        if !open && !leaks {
            return;
        }
        let mut reached = BTreeSet::new();
        for instance in &self.instances {
            let items = instance
                .module
                .elements
                .iter()
                .flat_map(|element| &element.items);
            let globals = instance.module.globals.iter().map(|(_, init)| init);
            for constant in items.chain(globals) {
                let functions = constant.functions();
                let functions = functions.filter_map(|at| instance.functions.get(at as usize));
                reached.extend(functions.copied());
            }
        }
        for function in reached {
            let known = self.entries.iter().any(|entry| entry.function == function);
            if !known && matches!(self.functions[function], Function::Own { .. }) {
                let name = self.name(function);
                self.entries.push(Entry {
                    name,
                    function,
                    exact: !self.is_component,
                });
            }
        }
    }

    /// Which tables and globals instructions change.
    pub(super) fn find_changes(&mut self) {
        for instance in &self.instances {
            for instr in instance.module.bodies.iter().flat_map(|body| &body.code) {
                let table = match instr.operator {
                    Operator::TableSet { table }
                    | Operator::TableGrow { table }
                    | Operator::TableFill { table }
                    | Operator::TableInit { table, .. }
                    | Operator::TableCopy {
                        dst_table: table, ..
                    } => instance.tables.get(table as usize),
                    _ => None,
                };
                if let Some(&table) = table {
                    self.tables[table].changes = true;
                }
            }
        }
        for table in self.tables.iter_mut().filter(|table| table.open) {
            table.changes = true;
        }
    }
}

/// Whether references to functions may get to the host by calls, or by globals.
fn passes_references(instance: &Instance<'_>) -> bool {
    let module = instance.module;
    let types = module.types.iter().flatten();
    let is_reference = |ty: &ValType| matches!(ty, ValType::Ref(_));
    let by_call = types.flat_map(|ty| ty.params().iter().chain(ty.results()));
    let by_global = module.globals.iter().map(|(ty, _)| &ty.content_type);
    by_call.chain(by_global).any(is_reference)
}
