//! A core module.

use std::collections::HashMap;

use wasmparser::{
    CompositeInnerType, DataKind, ElementItems, ElementKind, ExternalKind, FuncType, GlobalType,
    KnownCustom, MemoryType, Name, Payload, TableInit, TableType, TypeRef,
};

use super::body::Body;
use super::constant::Constant;
use super::refusal::Refusal;

/// A core module.
#[derive(Default)]
pub(crate) struct Module<'a> {
    /// Types of functions; none for types of other things.
    pub(crate) types: Vec<Option<FuncType>>,
    pub(crate) imports: Vec<Import<'a>>,
    /// The type of each function of its own.
    pub(crate) functions: Vec<u32>,
    pub(crate) bodies: Vec<Body<'a>>,
    pub(crate) tables: Vec<(TableType, Constant)>,
    pub(crate) memories: Vec<MemoryType>,
    pub(crate) globals: Vec<(GlobalType, Constant)>,
    pub(crate) exports: Vec<Export<'a>>,
    pub(crate) start: Option<u32>,
    pub(crate) elements: Vec<Element>,
    pub(crate) data: Vec<Segment<'a>>,
    /// Names of functions, from the name section.
    pub(crate) names: HashMap<u32, String>,
}

/// What a module asks of its host.
pub(crate) struct Import<'a> {
    pub(crate) module: &'a str,
    pub(crate) name: &'a str,
    pub(crate) kind: ImportKind,
}

/// What is imported or exported.
#[derive(Clone, Copy)]
pub(crate) enum ImportKind {
    /// A function of this type.
    Function(u32),
    Table,
    Memory(MemoryType),
    Global(GlobalType),
    Tag,
}

/// What a module gives to its host.
pub(crate) struct Export<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: ExternalKind,
    pub(crate) index: u32,
}

/// References that are put into a table.
pub(crate) struct Element {
    /// The table and where in it; none if that is done by an instruction, or not at all.
    pub(crate) active: Option<(u32, Constant)>,
    pub(crate) items: Vec<Constant>,
}

/// Bytes that are put into a memory.
pub(crate) struct Segment<'a> {
    /// The memory and where in it; none if that is done by an instruction.
    pub(crate) active: Option<(u32, Constant)>,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Module<'a> {
    /// Takes in a section.
    pub(super) fn section(&mut self, payload: Payload<'a>) -> Result<(), Refusal> {
        match payload {
            Payload::TypeSection(reader) => {
                for group in reader {
                    for sub in group?.into_types() {
                        let ty = match sub.composite_type.inner {
                            CompositeInnerType::Func(ty) => Some(ty),
                            _ => None,
                        };
                        self.types.push(ty);
                    }
                }
            }
            Payload::ImportSection(reader) => {
                for import in reader.into_imports() {
                    let import = import?;
                    let kind = match import.ty {
                        TypeRef::Func(ty) | TypeRef::FuncExact(ty) => ImportKind::Function(ty),
                        TypeRef::Table(_) => ImportKind::Table,
                        TypeRef::Memory(ty) => ImportKind::Memory(ty),
                        TypeRef::Global(ty) => ImportKind::Global(ty),
                        TypeRef::Tag(_) => ImportKind::Tag,
                    };
                    self.imports.push(Import {
                        module: import.module,
                        name: import.name,
                        kind,
                    });
                }
            }
            Payload::FunctionSection(reader) => {
                for ty in reader {
                    self.functions.push(ty?);
                }
            }
            Payload::TableSection(reader) => {
                for table in reader {
                    let table = table?;
                    let init = match &table.init {
                        TableInit::RefNull => Constant::null(),
                        TableInit::Expr(expr) => Constant::read(expr)?,
                    };
                    self.tables.push((table.ty, init));
                }
            }
            Payload::MemorySection(reader) => {
                for memory in reader {
                    self.memories.push(memory?);
                }
            }
            Payload::GlobalSection(reader) => {
                for global in reader {
                    let global = global?;
                    let init = Constant::read(&global.init_expr)?;
                    self.globals.push((global.ty, init));
                }
            }
            Payload::ExportSection(reader) => {
                for export in reader {
                    let export = export?;
                    self.exports.push(Export {
                        name: export.name,
                        kind: export.kind,
                        index: export.index,
                    });
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(reader) => {
                for element in reader {
                    self.element(element?)?;
                }
            }
            Payload::DataSection(reader) => {
                for segment in reader {
                    let segment = segment?;
                    let active = match &segment.kind {
                        DataKind::Passive => None,
                        DataKind::Active {
                            memory_index,
                            offset_expr,
                        } => Some((*memory_index, Constant::read(offset_expr)?)),
                    };
                    self.data.push(Segment {
                        active,
                        bytes: segment.data,
                    });
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    self.name_section(names);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, element: wasmparser::Element<'_>) -> Result<(), Refusal> {
        let active = match &element.kind {
            ElementKind::Passive | ElementKind::Declared => None,
            ElementKind::Active {
                table_index,
                offset_expr,
            } => Some((table_index.unwrap_or(0), Constant::read(offset_expr)?)),
        };
        let mut items = Vec::new();
        match element.items {
            ElementItems::Functions(functions) => {
                for function in functions {
                    items.push(Constant::function(function?));
                }
            }
            ElementItems::Expressions(_, expressions) => {
                for expr in expressions {
                    items.push(Constant::read(&expr?)?);
                }
            }
        }
        self.elements.push(Element { active, items });
        Ok(())
    }

    /// Names are for people only: what is wrong with them is passed over.
    fn name_section(&mut self, names: wasmparser::NameSectionReader<'_>) {
        for name in names {
            let Ok(Name::Function(functions)) = name else {
                continue;
            };
            for naming in functions.into_iter().flatten() {
                self.names.insert(naming.index, naming.name.to_owned());
            }
        }
    }

    /// The type of a function by its index in the type section.
    pub(crate) fn ty(&self, index: u32) -> Option<&FuncType> {
        self.types.get(index as usize)?.as_ref()
    }
}
