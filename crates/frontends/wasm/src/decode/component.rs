//! A component: what it declares, in order. Types are left to the validator.

use wasmparser::component_types::{
    ComponentAnyTypeId, ComponentDefinedType, ComponentFuncTypeId, ComponentValType,
};
use wasmparser::types::TypesRef;
use wasmparser::{
    CanonicalFunction, CanonicalOption, ComponentAlias, ComponentExport, ComponentImport,
    ComponentInstance, ComponentType, Instance, Payload, PrimitiveValType,
};

use super::module::Module;
use super::refusal::Refusal;

/// A component.
#[derive(Default)]
pub(crate) struct Component<'a> {
    pub(crate) items: Vec<Item<'a>>,
}

/// What a component declares.
pub(crate) enum Item<'a> {
    Module(Box<Module<'a>>),
    Component(Box<Component<'a>>),
    CoreInstance(Instance<'a>),
    Instance(ComponentInstance<'a>),
    Alias(ComponentAlias<'a>),
    /// With the parameters of a function that is lowered or lifted.
    Canonical(CanonicalFunction, Parameters),
    Import(ComponentImport<'a>),
    Export(ComponentExport<'a>),
    /// The core function that destroys resources of a type.
    Destructor(u32),
    /// The function that runs first.
    Start,
}

/// How the parameters of a function of a component are passed to it: for each of them, in order, what
/// it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Parameters {
    pub(crate) known: Vec<Parameter>,
    /// Whether there are others of which it is not known where they are.
    pub(crate) others: bool,
    /// How many bytes results take at most that are written to memory.
    pub(crate) result: u64,
    /// Whether all arguments and results are numbers of which each bit pattern is one.
    pub(crate) exact: bool,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parameter {
    /// A text in UTF-8: its address and its length.
    Text,
    /// So many values that are no text.
    Values(usize),
}

/// The most values that are passed one by one.
const MAX_VALUES: usize = 16;

impl Parameters {
    fn of(ty: ComponentFuncTypeId, options: &[CanonicalOption], types: TypesRef<'_>) -> Parameters {
        let ty = &types[ty];
        let utf8 = !options.iter().any(|option| {
            matches!(
                option,
                CanonicalOption::UTF16 | CanonicalOption::CompactUTF16 | CanonicalOption::Gc
            )
        });
        let most = match options.contains(&CanonicalOption::Async) {
            true => 4,
            false => MAX_VALUES,
        };
        let mut parameters = Parameters {
            result: ty.result.map_or(0, |ty| bytes(&ty, types, 0)),
            exact: ty
                .params
                .iter()
                .map(|(_, ty)| ty)
                .chain(&ty.result)
                .all(is_whole),
            ..Parameters::default()
        };
        let mut values = 0;
        for (_, ty) in &ty.params {
            let parameter = match ty {
                ComponentValType::Primitive(ty) => primitive(*ty),
                ComponentValType::Type(id) => match &types[*id] {
                    ComponentDefinedType::Primitive(ty) => primitive(*ty),
                    ComponentDefinedType::List { element, .. } if is_plain(element) => {
                        Parameter::Values(2)
                    }
                    ComponentDefinedType::Own(_)
                    | ComponentDefinedType::Borrow(_)
                    | ComponentDefinedType::Enum(_) => Parameter::Values(1),
                    // Texts may be inside.
                    _ => {
                        parameters.others = true;
                        return parameters;
                    }
                },
            };
            values += parameter.values();
            if parameter == Parameter::Text && !utf8 {
                parameters.others = true;
                return parameters;
            }
            parameters.known.push(parameter);
        }
        if values > most {
            // They are in memory.
            parameters.known.clear();
            parameters.others = true;
        }
        parameters
    }
}

impl Parameter {
    /// By how many values it is passed.
    pub(crate) fn values(self) -> usize {
        match self {
            Parameter::Text => 2,
            Parameter::Values(count) => count,
        }
    }
}

/// How many bytes a value takes at most: no part of it takes more than eight, padding included.
fn bytes(ty: &ComponentValType, types: TypesRef<'_>, depth: usize) -> u64 {
    const WORD: u64 = 8;
    /// Types that nest deeper take as much as there is.
    const MAX_DEPTH: usize = 64;
    if depth > MAX_DEPTH {
        return u64::from(u32::MAX);
    }
    let of = |ty: &ComponentValType| bytes(ty, types, depth + 1);
    let ComponentValType::Type(id) = ty else {
        return WORD;
    };
    let all = match &types[*id] {
        ComponentDefinedType::Record(record) => record.fields.values().map(of).sum(),
        ComponentDefinedType::Variant(variant) => {
            let cases = variant.cases.values().filter_map(|case| case.ty.as_ref());
            cases.map(of).sum()
        }
        ComponentDefinedType::Tuple(tuple) => tuple.types.iter().map(of).sum(),
        ComponentDefinedType::Option { ty, .. } => of(ty),
        ComponentDefinedType::Result { ok, err, .. } => {
            [ok, err].into_iter().flatten().map(of).sum()
        }
        ComponentDefinedType::Flags(flags) => flags.len() as u64,
        ComponentDefinedType::FixedLengthList {
            element, length, ..
        } => of(element).saturating_mul(u64::from(*length)),
        _ => 0,
    };
    all.saturating_add(WORD)
}

fn primitive(ty: PrimitiveValType) -> Parameter {
    match ty {
        PrimitiveValType::String => Parameter::Text,
        _ => Parameter::Values(1),
    }
}

/// Whether each bit pattern of a value is one of the type.
fn is_whole(ty: &ComponentValType) -> bool {
    use PrimitiveValType::{S32, S64, U32, U64};
    matches!(ty, ComponentValType::Primitive(S32 | S64 | U32 | U64))
}

/// Whether the elements of a list are numbers.
fn is_plain(element: &ComponentValType) -> bool {
    matches!(element, ComponentValType::Primitive(ty) if *ty != PrimitiveValType::String)
}

impl<'a> Component<'a> {
    /// Takes in a section.
    pub(super) fn section(
        &mut self,
        payload: Payload<'a>,
        types: Option<TypesRef<'_>>,
    ) -> Result<(), Refusal> {
        match payload {
            Payload::InstanceSection(reader) => self.all(reader, Item::CoreInstance)?,
            Payload::ComponentInstanceSection(reader) => self.all(reader, Item::Instance)?,
            Payload::ComponentAliasSection(reader) => self.all(reader, Item::Alias)?,
            Payload::ComponentCanonicalSection(reader) => {
                for canonical in reader {
                    let canonical = canonical?;
                    let parameters = match (&canonical, types) {
                        (
                            CanonicalFunction::Lower {
                                func_index,
                                options,
                            },
                            Some(types),
                        ) => {
                            let ty = types.component_function_at(*func_index);
                            Parameters::of(ty, options, types)
                        }
                        (
                            CanonicalFunction::Lift {
                                type_index,
                                options,
                                ..
                            },
                            Some(types),
                        ) => match types.component_any_type_at(*type_index) {
                            ComponentAnyTypeId::Func(ty) => Parameters::of(ty, options, types),
                            _ => Parameters::default(),
                        },
                        _ => Parameters::default(),
                    };
                    self.items.push(Item::Canonical(canonical, parameters));
                }
            }
            Payload::ComponentImportSection(reader) => self.all(reader, Item::Import)?,
            Payload::ComponentExportSection(reader) => self.all(reader, Item::Export)?,
            Payload::ComponentTypeSection(reader) => {
                for ty in reader {
                    if let ComponentType::Resource {
                        dtor: Some(function),
                        ..
                    } = ty?
                    {
                        self.items.push(Item::Destructor(function));
                    }
                }
            }
            Payload::ComponentStartSection { .. } => self.items.push(Item::Start),
            _ => {}
        }
        Ok(())
    }

    fn all<T>(
        &mut self,
        reader: impl IntoIterator<Item = wasmparser::Result<T>>,
        item: fn(T) -> Item<'a>,
    ) -> Result<(), Refusal> {
        for entry in reader {
            self.items.push(item(entry?));
        }
        Ok(())
    }
}
