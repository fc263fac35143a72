//! Instances of modules, linked: a store of functions, globals, memories and tables as the
//! specification of WebAssembly has it, made once before the program is lowered.
//!
//! A component is a graph of instances of modules. What one of them imports is an export of another,
//! or, through the canonical ABI, a function of the component's own imports.

mod component;
mod core;

use wasmparser::ValType;

use crate::decode::{Module, Parameters, Unit, Value};

pub(crate) use self::core::slots;

/// All instances and what they consist of.
#[derive(Default)]
pub(crate) struct Store<'a> {
    pub(crate) instances: Vec<Instance<'a>>,
    pub(crate) functions: Vec<Function>,
    pub(crate) globals: Vec<Global>,
    pub(crate) memories: Vec<Memory<'a>>,
    pub(crate) tables: Vec<Table>,
    /// The functions that run when instances are made, in order.
    pub(crate) starts: Vec<usize>,
    /// The functions that the host may call afterwards, with their names.
    pub(crate) entries: Vec<Entry>,
    /// Whether it is a component, which nobody enters while it calls out.
    pub(crate) is_component: bool,
    /// How many components have been instantiated.
    made: usize,
    /// What is not followed, wherever a run comes.
    pub(crate) not_followed: Vec<String>,
}

/// An instance: what the indices of its module stand for in the store.
pub(crate) struct Instance<'a> {
    pub(crate) module: &'a Module<'a>,
    pub(crate) functions: Vec<usize>,
    pub(crate) globals: Vec<usize>,
    pub(crate) memories: Vec<usize>,
    pub(crate) tables: Vec<usize>,
}

/// A function that the host may call.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) function: usize,
    /// Whether it may do so with any arguments.
    pub(crate) exact: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) enum Function {
    /// Of an instance, with the index of its body and that of its type in the module.
    Own {
        instance: usize,
        body: usize,
        ty: u32,
    },
    /// Of the host.
    Host(Host),
    /// Of another instance, through the canonical ABI: arguments and results are translated.
    Adapted(usize),
}

/// A function of the host.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    /// The names by which policies know it, the longest first.
    pub(crate) names: Vec<String>,
    pub(crate) abi: Abi,
    /// The memory by which it is given texts; none: that of whoever calls it.
    pub(crate) memory: Option<usize>,
    /// What its arguments are, if that is known.
    pub(crate) parameters: Option<Parameters>,
}

impl Host {
    /// A function of which only names are known.
    fn named(names: Vec<String>, abi: Abi) -> Function {
        Function::Host(Host {
            names,
            abi,
            memory: None,
            parameters: None,
        })
    }
}

/// What a call of the host may do beside giving a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Abi {
    /// A host of a core module does what it likes with what it can reach, and may call any entry.
    Core,
    /// Through the canonical ABI: nobody enters the component meanwhile, but for the function that
    /// allocates memory.
    Canonical { allocates: bool },
    /// A function of the component model itself, which may destroy a resource.
    Builtin,
}

/// A global variable.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) ty: ValType,
    pub(crate) mutable: bool,
    pub(crate) value: Value,
    /// Whether the host can write it, if it is mutable.
    pub(crate) open: bool,
}

/// A memory.
#[derive(Clone, Debug)]
pub(crate) struct Memory<'a> {
    /// Its size in pages of 64 KiB, at least and at most.
    pub(crate) least: u64,
    pub(crate) most: u64,
    /// Whether the host can write it.
    pub(crate) open: bool,
    /// Whether nothing is known of its first contents.
    pub(crate) unknown: bool,
    /// What is put into it at first, and where, in order.
    pub(crate) segments: Vec<(u64, &'a [u8])>,
}

/// A table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The functions in it at first; none if that is not known.
    pub(crate) slots: Option<Vec<Option<usize>>>,
    /// Whether anything else may be in it later.
    pub(crate) changes: bool,
    /// Whether the host can reach it.
    pub(crate) open: bool,
}

/// The most slots of a table that are looked at.
const MAX_SLOTS: u64 = 100_000;
/// The most pages that a memory can have.
const MAX_PAGES: u64 = 65_536;
/// The most instances that a component may have.
const MAX_INSTANCES: usize = 1_000;

impl<'a> Store<'a> {
    /// The instances of a file.
    pub(crate) fn of(unit: &'a Unit<'a>) -> Store<'a> {
        let mut store = Store::default();
        match unit {
            Unit::Module(module) => store.alone(module),
            Unit::Component(component) => store.component(component),
        }
        store.find_changes();
        store
    }

    /// The name of a function for people.
    pub(crate) fn name(&self, function: usize) -> String {
        match &self.functions[function] {
            Function::Host(host) => host.names[0].clone(),
            Function::Adapted(target) => self.name(*target),
            Function::Own { instance, body, .. } => {
                let module = self.instances[*instance].module;
                let imported = self.instances[*instance].functions.len() - module.bodies.len();
                let index = u32::try_from(imported + body).unwrap_or(u32::MAX);
                if let Some(name) = module.names.get(&index) {
                    return name.clone();
                }
                let mut exports = module.exports.iter();
                let exported = exports.find(|export| {
                    export.index == index && export.kind == wasmparser::ExternalKind::Func
                });
                exported.map_or_else(|| format!("func {index}"), |export| export.name.to_owned())
            }
        }
    }
}
