//! Instances of components.
//!
//! The index spaces of the component model are filled in the order of the declarations. What a
//! component imports are functions of the host, alone or in instances (interfaces); what is lowered
//! of them is what core modules import.

use std::collections::BTreeMap;
use std::rc::Rc;

use wasmparser::{
    CanonicalFunction, CanonicalOption, ComponentAlias, ComponentExternName, ComponentExternalKind,
    ComponentInstance, ComponentOuterAliasKind, ComponentTypeRef, ExternalKind,
    Instance as CoreInstance,
};

use super::core::{Exports, Extern};
use super::{Abi, Entry, Function, Host, MAX_INSTANCES, Store};
use crate::decode::{Component, Item, Module, Parameters};

/// A function at the level of components.
#[derive(Clone, Debug)]
enum Func {
    /// Of the host, with its names.
    Host(Vec<String>),
    /// A core function that is lifted, and whether all its arguments are plain numbers.
    Lifted(usize, bool),
    /// Nothing is known of it.
    Unknown,
}

/// An instance of a component.
#[derive(Clone)]
enum Inst<'a> {
    /// The host's, by the names of its interface.
    Host(Vec<String>),
    /// What it exports.
    Own(Rc<BTreeMap<String, Thing<'a>>>),
}

/// What a component imports and exports.
#[derive(Clone)]
enum Thing<'a> {
    Func(Func),
    Instance(Inst<'a>),
    Module(Option<&'a Module<'a>>),
    Component(Option<Closure<'a>>),
    Other,
}

/// A component that is not instantiated yet, with what is around it.
#[derive(Clone)]
struct Closure<'a> {
    component: &'a Component<'a>,
    around: Option<Rc<Scope<'a>>>,
}

/// Modules and components that inner components may refer to.
#[derive(Clone, Default)]
struct Scope<'a> {
    modules: Vec<Option<&'a Module<'a>>>,
    components: Vec<Option<Closure<'a>>>,
    around: Option<Rc<Scope<'a>>>,
}

/// The index spaces of a component that is being instantiated.
#[derive(Default)]
struct Spaces<'a> {
    scope: Scope<'a>,
    core_functions: Vec<Extern>,
    core_tables: Vec<Extern>,
    core_memories: Vec<Extern>,
    core_globals: Vec<Extern>,
    core_instances: Vec<Exports>,
    functions: Vec<Func>,
    instances: Vec<Inst<'a>>,
    /// Whether its imports are the host's.
    is_outermost: bool,
}

impl<'a> Store<'a> {
    /// The instances of a component whose imports are the host's.
    pub(super) fn component(&mut self, component: &'a Component<'a>) {
        self.is_component = true;
        let closure = Closure {
            component,
            around: None,
        };
        let exports = self.instance_of(&closure, None);
        for (name, thing) in exports {
            self.add_entries(&name, &thing);
        }
        self.reachable_entries();
    }

    fn add_entries(&mut self, name: &str, thing: &Thing<'a>) {
        match thing {
            Thing::Func(Func::Lifted(function, exact)) => self.entries.push(Entry {
                name: name.to_owned(),
                function: *function,
                exact: *exact,
            }),
            Thing::Instance(Inst::Own(exports)) => {
                for (inner, thing) in exports.iter() {
                    self.add_entries(&format!("{name}#{inner}"), thing);
                }
            }
            _ => {}
        }
    }

    pub(super) fn unknown(&mut self, what: &str) {
        if !self.not_followed.iter().any(|known| known == what) {
            self.not_followed.push(what.to_owned());
        }
    }

    /// Instantiates a component; gives its exports.
    fn instance_of(
        &mut self,
        closure: &Closure<'a>,
        given: Option<&BTreeMap<String, Thing<'a>>>,
    ) -> BTreeMap<String, Thing<'a>> {
        let mut exports = BTreeMap::new();
        self.made += 1;
        if self.made > MAX_INSTANCES {
            self.unknown("more instances than are followed");
            return exports;
        }
        let mut spaces = Spaces {
            is_outermost: given.is_none(),
            ..Spaces::default()
        };
        spaces.scope.around.clone_from(&closure.around);
        for item in &closure.component.items {
            source::limits::check();
            match item {
                Item::Module(module) => spaces.scope.modules.push(Some(module)),
                Item::Component(component) => {
                    let around = Some(Rc::new(spaces.scope.clone()));
                    let inner = Closure { component, around };
                    spaces.scope.components.push(Some(inner));
                }
                Item::Import(import) => {
                    let thing = given.and_then(|given| given.get(import.name.name).cloned());
                    let thing = match thing {
                        Some(thing) => thing,
                        None if spaces.is_outermost => self.of_host(&import.name, &import.ty),
                        None => Thing::Other,
                    };
                    spaces.push(import.ty.kind(), thing);
                }
                Item::Alias(alias) => self.alias(alias, &mut spaces),
                Item::Canonical(canonical, parameters) => {
                    self.canonical(canonical, parameters, &mut spaces);
                }
                Item::CoreInstance(instance) => self.core_instance(instance, &mut spaces),
                Item::Instance(instance) => {
                    let made = self.inner_instance(instance, &spaces);
                    spaces.instances.push(made);
                }
                Item::Export(export) => {
                    let thing = spaces.get(export.kind, export.index);
                    exports.insert(export.name.name.to_owned(), thing.clone());
                    spaces.push(export.kind, thing);
                }
                Item::Destructor(function) => {
                    if let Some(Extern::Function(function)) =
                        spaces.core_functions.get(*function as usize)
                    {
                        self.add_entry(*function);
                    }
                }
                Item::Start => self.unknown("a component with a function that runs first"),
            }
        }
        exports
    }

    /// What the host gives for an import of the outermost component.
    fn of_host(&mut self, name: &ComponentExternName<'_>, ty: &ComponentTypeRef) -> Thing<'a> {
        let mut names = vec![name.full_name().into_owned()];
        names.extend(name.full_implements().map(std::borrow::Cow::into_owned));
        match ty {
            ComponentTypeRef::Func(_) => Thing::Func(Func::Host(names)),
            ComponentTypeRef::Instance(_) => Thing::Instance(Inst::Host(names)),
            ComponentTypeRef::Type(_) | ComponentTypeRef::Value(_) => Thing::Other,
            ComponentTypeRef::Module(_) | ComponentTypeRef::Component(_) => {
                self.unknown("a module that is imported");
                Thing::Other
            }
        }
    }

    fn alias(&mut self, alias: &ComponentAlias<'a>, spaces: &mut Spaces<'a>) {
        match *alias {
            ComponentAlias::InstanceExport {
                kind,
                instance_index,
                name,
            } => {
                let thing = match spaces.instances.get(instance_index as usize) {
                    Some(Inst::Own(exports)) => exports.get(name).cloned(),
                    Some(Inst::Host(interface)) => of_interface(interface, name, kind),
                    None => None,
                };
                let thing = thing.unwrap_or(Thing::Other);
                let is_code = matches!(
                    kind,
                    ComponentExternalKind::Module | ComponentExternalKind::Component
                );
                if is_code && matches!(thing, Thing::Other) {
                    self.unknown("a module that is imported");
                }
                spaces.push(kind, thing);
            }
            ComponentAlias::CoreInstanceExport {
                kind,
                instance_index,
                name,
            } => {
                let exports = spaces.core_instances.get(instance_index as usize);
                let thing = exports.and_then(|exports| exports.get(name));
                let thing = thing.copied().unwrap_or(Extern::Other);
                spaces.push_core(kind, thing);
            }
            ComponentAlias::Outer { kind, count, index } => {
                let mut scope = Some(Rc::new(spaces.scope.clone()));
                for _ in 0..count {
                    scope = scope.and_then(|scope| scope.around.clone());
                }
                let index = index as usize;
                match (kind, scope) {
                    (ComponentOuterAliasKind::CoreModule, scope) => {
                        let module = scope.and_then(|scope| *scope.modules.get(index)?);
                        spaces.scope.modules.push(module);
                    }
                    (ComponentOuterAliasKind::Component, scope) => {
                        let inner = scope.and_then(|scope| scope.components.get(index)?.clone());
                        spaces.scope.components.push(inner);
                    }
                    _ => {}
                }
            }
        }
    }

    fn canonical(
        &mut self,
        canonical: &CanonicalFunction,
        parameters: &Parameters,
        spaces: &mut Spaces<'a>,
    ) {
        match canonical {
            CanonicalFunction::Lift {
                core_func_index,
                options,
                ..
            } => {
                let index = *core_func_index as usize;
                let lifted = match spaces.core_functions.get(index) {
                    Some(Extern::Function(function)) => Func::Lifted(*function, parameters.exact),
                    _ => Func::Unknown,
                };
                // The host calls these on its own account.
                for option in options {
                    if let CanonicalOption::Realloc(at)
                    | CanonicalOption::PostReturn(at)
                    | CanonicalOption::Callback(at) = option
                        && let Some(Extern::Function(function)) =
                            spaces.core_functions.get(*at as usize)
                    {
                        self.add_entry(*function);
                    }
                }
                spaces.functions.push(lifted);
            }
            CanonicalFunction::Lower {
                func_index,
                options,
            } => {
                let allocates = options
                    .iter()
                    .any(|option| matches!(option, CanonicalOption::Realloc(_)));
                let is_async = options.contains(&CanonicalOption::Async);
                let memory = options.iter().find_map(|option| match option {
                    CanonicalOption::Memory(at) => spaces.core_memories.get(*at as usize),
                    _ => None,
                });
                let memory = match memory {
                    Some(Extern::Memory(memory)) => Some(*memory),
                    _ => None,
                };
                let function = match spaces.functions.get(*func_index as usize) {
                    Some(Func::Host(names)) => {
                        let abi = match is_async {
                            true => Abi::Core,
                            false => Abi::Canonical { allocates },
                        };
                        Function::Host(Host {
                            names: names.iter().flat_map(|name| spellings(name)).collect(),
                            abi,
                            memory,
                            parameters: Some(parameters.clone()),
                        })
                    }
                    Some(Func::Lifted(target, _)) => Function::Adapted(*target),
                    Some(Func::Unknown) | None => {
                        self.unknown("a function that is imported in a way that is not followed");
                        let names = vec!["a function that is not known".to_owned()];
                        Host::named(names, Abi::Core)
                    }
                };
                let function = self.add_function(function);
                spaces.core_functions.push(Extern::Function(function));
            }
            other => {
                let text = format!("{other:?}");
                let name = text.split([' ', '{']).next().unwrap_or_default();
                let abi = match other {
                    CanonicalFunction::ResourceNew { .. }
                    | CanonicalFunction::ResourceRep { .. } => Abi::Canonical { allocates: false },
                    CanonicalFunction::ResourceDrop { .. } => Abi::Builtin,
                    // Tasks and threads: others run meanwhile.
                    _ => Abi::Core,
                };
                let function = Host::named(vec![format!("canon {name}")], abi);
                let function = self.add_function(function);
                spaces.core_functions.push(Extern::Function(function));
            }
        }
    }

    fn add_entry(&mut self, function: usize) {
        if !self.entries.iter().any(|entry| entry.function == function) {
            let name = self.name(function);
            self.entries.push(Entry {
                name,
                function,
                exact: false,
            });
        }
    }

    fn core_instance(&mut self, instance: &CoreInstance<'a>, spaces: &mut Spaces<'a>) {
        let exports = match instance {
            CoreInstance::FromExports(all) => {
                let pairs = all.iter().map(|export| {
                    let thing = spaces.core(export.kind, export.index);
                    (export.name.to_owned(), thing)
                });
                pairs.collect()
            }
            CoreInstance::Instantiate { module_index, args } => {
                let module = spaces.scope.modules.get(*module_index as usize);
                let module = module.copied().flatten();
                match module {
                    Some(module) if self.instances.len() < MAX_INSTANCES => {
                        let given = module.imports.iter().map(|import| {
                            let arg = args.iter().find(|arg| arg.name == import.module)?;
                            let exports = spaces.core_instances.get(arg.index as usize)?;
                            exports.get(import.name).copied()
                        });
                        let given = given.map(|thing| thing.unwrap_or(Extern::Other));
                        let given: Vec<Extern> = given.collect();
                        self.instantiate(module, &given)
                    }
                    Some(_) => {
                        self.unknown("more instances than are followed");
                        Exports::new()
                    }
                    None => {
                        self.unknown("a module that is imported");
                        Exports::new()
                    }
                }
            }
        };
        spaces.core_instances.push(exports);
    }

    fn inner_instance(
        &mut self,
        instance: &ComponentInstance<'a>,
        spaces: &Spaces<'a>,
    ) -> Inst<'a> {
        match instance {
            ComponentInstance::FromExports(all) => {
                let pairs = all.iter().map(|export| {
                    let thing = spaces.get(export.kind, export.index);
                    (export.name.name.to_owned(), thing)
                });
                Inst::Own(Rc::new(pairs.collect()))
            }
            ComponentInstance::Instantiate {
                component_index,
                args,
            } => {
                let given = args.iter().map(|arg| {
                    let thing = spaces.get(arg.kind, arg.index);
                    (arg.name.to_owned(), thing)
                });
                let given: BTreeMap<String, Thing<'a>> = given.collect();
                let closure = spaces.scope.components.get(*component_index as usize);
                let exports = match closure.cloned().flatten() {
                    Some(closure) if self.instances.len() < MAX_INSTANCES => {
                        self.instance_of(&closure, Some(&given))
                    }
                    _ => {
                        self.unknown("a component that is imported");
                        BTreeMap::new()
                    }
                };
                Inst::Own(Rc::new(exports))
            }
        }
    }
}

/// The names by which a policy may know a function of an interface: with the interface, with and
/// without its version, and alone.
fn spellings(name: &str) -> Vec<String> {
    let mut all = vec![name.to_owned()];
    let (interface, function) = match name.split_once('#') {
        Some((interface, function)) => (Some(interface), function),
        None => (None, name),
    };
    if let Some(interface) = interface
        && let Some((unversioned, _)) = interface.split_once('@')
    {
        all.push(format!("{unversioned}#{function}"));
    }
    all.push(function.to_owned());
    // `[method]socket.connect`
    if let Some((_, method)) = function
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        all.push(method.to_owned());
    }
    all
}

/// What the host's instance of an interface exports.
fn of_interface<'a>(
    interface: &[String],
    name: &str,
    kind: ComponentExternalKind,
) -> Option<Thing<'a>> {
    let names = interface
        .iter()
        .map(|interface| format!("{interface}#{name}"));
    match kind {
        ComponentExternalKind::Func => Some(Thing::Func(Func::Host(names.collect()))),
        ComponentExternalKind::Instance => Some(Thing::Instance(Inst::Host(names.collect()))),
        _ => None,
    }
}

impl<'a> Spaces<'a> {
    fn push(&mut self, kind: ComponentExternalKind, thing: Thing<'a>) {
        match (kind, thing) {
            (ComponentExternalKind::Func, Thing::Func(function)) => self.functions.push(function),
            (ComponentExternalKind::Func, _) => self.functions.push(Func::Unknown),
            (ComponentExternalKind::Instance, Thing::Instance(instance)) => {
                self.instances.push(instance);
            }
            (ComponentExternalKind::Instance, _) => self.instances.push(Inst::Own(Rc::default())),
            (ComponentExternalKind::Module, Thing::Module(module)) => {
                self.scope.modules.push(module);
            }
            (ComponentExternalKind::Module, _) => self.scope.modules.push(None),
            (ComponentExternalKind::Component, Thing::Component(component)) => {
                self.scope.components.push(component);
            }
            (ComponentExternalKind::Component, _) => self.scope.components.push(None),
            (ComponentExternalKind::Type | ComponentExternalKind::Value, _) => {}
        }
    }

    fn get(&self, kind: ComponentExternalKind, index: u32) -> Thing<'a> {
        let index = index as usize;
        match kind {
            ComponentExternalKind::Func => {
                let function = self.functions.get(index).cloned();
                Thing::Func(function.unwrap_or(Func::Unknown))
            }
            ComponentExternalKind::Instance => {
                let instance = self.instances.get(index).cloned();
                instance.map_or(Thing::Other, Thing::Instance)
            }
            ComponentExternalKind::Module => {
                Thing::Module(self.scope.modules.get(index).copied().flatten())
            }
            ComponentExternalKind::Component => {
                Thing::Component(self.scope.components.get(index).cloned().flatten())
            }
            ComponentExternalKind::Type | ComponentExternalKind::Value => Thing::Other,
        }
    }

    fn core(&self, kind: ExternalKind, index: u32) -> Extern {
        let space = match kind {
            ExternalKind::Func | ExternalKind::FuncExact => &self.core_functions,
            ExternalKind::Table => &self.core_tables,
            ExternalKind::Memory => &self.core_memories,
            ExternalKind::Global => &self.core_globals,
            ExternalKind::Tag => return Extern::Other,
        };
        space.get(index as usize).copied().unwrap_or(Extern::Other)
    }

    fn push_core(&mut self, kind: ExternalKind, thing: Extern) {
        match kind {
            ExternalKind::Func | ExternalKind::FuncExact => self.core_functions.push(thing),
            ExternalKind::Table => self.core_tables.push(thing),
            ExternalKind::Memory => self.core_memories.push(thing),
            ExternalKind::Global => self.core_globals.push(thing),
            ExternalKind::Tag => {}
        }
    }
}
