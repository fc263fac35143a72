//! From declarations to types.

use std::rc::Rc;

use lang_c::ast::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis,
    EnumType, Expression, ParameterDeclaration, SpecifierQualifier, StorageClassSpecifier,
    StructDeclaration, StructKind, StructType, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;

use crate::codes::names as code;
use crate::ctype::{CType, Field, Record, Signature};

use super::{Lowering, Symbol, Tag};

/// What specifiers say beside the type.
#[derive(Clone, Copy, Default)]
pub(super) struct Storage {
    pub(super) typedef: bool,
    pub(super) external: bool,
    pub(super) lasting: bool,
    /// What is declared without a pointer may change by itself.
    pub(super) volatile: bool,
}

impl Lowering<'_> {
    /// The type of specifiers, and what else they say.
    pub(super) fn specified(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
    ) -> (CType, Storage) {
        let mut types = Vec::new();
        let mut storage = Storage::default();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(ty) => types.push(ty),
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => storage.typedef = true,
                    StorageClassSpecifier::Extern => storage.external = true,
                    StorageClassSpecifier::Static => storage.lasting = true,
                    StorageClassSpecifier::ThreadLocal => {
                        let span = self.span(class.span);
                        self.refuse("thread-local variables", span);
                    }
                    _ => {}
                },
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    storage.volatile |= matches!(qualifier.node, TypeQualifier::Volatile);
                }
                _ => {}
            }
        }
        (self.basic(&types), storage)
    }

    /// What changes by itself is not followed.
    fn no_volatile(&mut self, qualifier: &TypeQualifier, at: lang_c::span::Span) {
        if matches!(qualifier, TypeQualifier::Volatile) {
            let span = self.span(at);
            self.refuse("that something is volatile", span);
        }
    }

    fn qualified(&mut self, specifiers: &[Node<SpecifierQualifier>]) -> CType {
        for specifier in specifiers {
            if let SpecifierQualifier::TypeQualifier(qualifier) = &specifier.node {
                self.no_volatile(&qualifier.node, qualifier.span);
            }
        }
        let types: Vec<&Node<TypeSpecifier>> = specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                SpecifierQualifier::TypeSpecifier(ty) => Some(ty),
                _ => None,
            })
            .collect();
        self.basic(&types)
    }

    /// The type that a list of words means.
    fn basic(&mut self, types: &[&Node<TypeSpecifier>]) -> CType {
        let (mut unsigned, mut longs, mut bits, mut named) = (false, 0, None, None);
        for ty in types {
            match &ty.node {
                TypeSpecifier::Void => named = Some(CType::Void),
                TypeSpecifier::Char => bits = Some(8),
                TypeSpecifier::Short => bits = Some(16),
                TypeSpecifier::Int => bits = bits.or(Some(32)),
                TypeSpecifier::Long => longs += 1,
                TypeSpecifier::Signed => {}
                TypeSpecifier::Unsigned => unsigned = true,
                TypeSpecifier::Bool => named = Some(CType::Bool),
                TypeSpecifier::Float => named = Some(CType::Float(4)),
                TypeSpecifier::Double => named = Some(CType::Float(8)),
                TypeSpecifier::Complex | TypeSpecifier::TS18661Float(_) => {
                    named = Some(CType::Unknown);
                }
                TypeSpecifier::Atomic(name) => named = Some(self.type_name(&name.node)),
                TypeSpecifier::Struct(of) => named = Some(self.record(of)),
                TypeSpecifier::Enum(of) => named = Some(self.enumeration(of)),
                TypeSpecifier::TypedefName(name) => {
                    named = Some(match self.lookup(&name.node.name) {
                        Some(Symbol::Type(ty)) => ty.clone(),
                        _ => CType::Unknown,
                    });
                }
                TypeSpecifier::TypeOf(of) => {
                    named = Some(match &of.node {
                        TypeOf::Expression(expression) => self.type_of(expression),
                        TypeOf::Type(name) => self.type_name(&name.node),
                    });
                }
            }
        }
        match named {
            Some(CType::Float(_)) if longs > 0 => CType::Float(16),
            Some(ty) => ty,
            None => CType::Int {
                bits: if longs > 0 { 64 } else { bits.unwrap_or(32) },
                signed: !unsigned,
            },
        }
    }

    /// The type that a name in parentheses means.
    pub(super) fn type_name(&mut self, name: &TypeName) -> CType {
        let base = self.qualified(&name.specifiers);
        match &name.declarator {
            Some(declarator) => self.declared(base, &declarator.node).1,
            None => base,
        }
    }

    /// The name that a declarator declares, if any, and its type.
    pub(super) fn declared(
        &mut self,
        base: CType,
        declarator: &Declarator,
    ) -> (Option<String>, CType) {
        source::limits::check();
        let mut ty = base;
        // Pointers stand before the name and apply first; arrays and functions behind it apply
        // from the right.
        let (pointers, behind): (Vec<_>, Vec<_>) = declarator
            .derived
            .iter()
            .partition(|derived| matches!(derived.node, DerivedDeclarator::Pointer(_)));
        for _ in pointers {
            ty = CType::pointer(ty);
        }
        for derived in behind.into_iter().rev() {
            ty = match &derived.node {
                DerivedDeclarator::Array(array) => {
                    let length = match &array.node.size {
                        ArraySize::VariableExpression(length)
                        | ArraySize::StaticExpression(length) => self.length(length),
                        _ => None,
                    };
                    CType::Array(Rc::new(ty), length)
                }
                DerivedDeclarator::Function(function) => {
                    let open = matches!(function.node.ellipsis, Ellipsis::Some);
                    self.function_type(ty, &function.node.parameters, open)
                }
                DerivedDeclarator::KRFunction(names) => CType::Function(Rc::new(Signature {
                    result: ty,
                    parameters: names
                        .iter()
                        .map(|name| (Some(name.node.name.clone()), CType::INT))
                        .collect(),
                    open: names.is_empty(),
                })),
                _ => CType::Unknown,
            };
        }
        match &declarator.kind.node {
            DeclaratorKind::Abstract => (None, ty),
            DeclaratorKind::Identifier(name) => (Some(name.node.name.clone()), ty),
            DeclaratorKind::Declarator(inner) => self.declared(ty, &inner.node),
        }
    }

    fn length(&mut self, node: &Node<Expression>) -> Option<u64> {
        let length = self.constant_value(node);
        if length.is_none() {
            let span = self.span(node.span);
            self.note("an array whose length is computed", span);
        }
        u64::try_from(length?).ok()
    }

    fn function_type(
        &mut self,
        result: CType,
        declared: &[Node<ParameterDeclaration>],
        open: bool,
    ) -> CType {
        let mut parameters = Vec::new();
        for parameter in declared {
            let (base, _) = self.specified(&parameter.node.specifiers);
            let (name, ty) = match &parameter.node.declarator {
                Some(declarator) => self.declared(base, &declarator.node),
                None => (None, base),
            };
            parameters.push((name, ty.decayed()));
        }
        let nothing = [(None, CType::Void)];
        let empty = parameters.is_empty();
        if parameters == nothing {
            parameters.clear();
        }
        CType::Function(Rc::new(Signature {
            result,
            parameters,
            open: open || empty,
        }))
    }

    /// A structure or union; its members are read once.
    fn record(&mut self, node: &Node<StructType>) -> CType {
        let of = &node.node;
        let union = matches!(of.kind.node, StructKind::Union);
        let name = of.identifier.as_ref().map(|name| name.node.name.clone());
        let id = match (&name, &of.declarations) {
            (Some(name), None) => match self.tag(name) {
                Some(Tag(id)) => id,
                None => self.new_record(name, union, node.span.start),
            },
            (Some(name), Some(_)) => match self.own_tag(name) {
                Some(Tag(id)) => id,
                None => self.new_record(name, union, node.span.start),
            },
            (None, _) => self.new_record("", union, node.span.start),
        };
        let Some(declarations) = &of.declarations else {
            return CType::Record(id);
        };
        if self.records.0[id].complete {
            return CType::Record(id);
        }
        let mut fields = Vec::new();
        for declaration in declarations {
            let StructDeclaration::Field(field) = &declaration.node else {
                continue;
            };
            let base = self.qualified(&field.node.specifiers);
            if field.node.declarators.is_empty() {
                fields.push(Field {
                    name: None,
                    ty: base.clone(),
                    packed: None,
                });
            }
            for declarator in &field.node.declarators {
                let (name, ty) = match &declarator.node.declarator {
                    Some(inner) => self.declared(base.clone(), &inner.node),
                    None => (None, base.clone()),
                };
                fields.push(match &declarator.node.bit_width {
                    Some(width) => self.bit_field(name, ty, width),
                    None => Field {
                        name,
                        ty,
                        packed: None,
                    },
                });
            }
        }
        let record = &mut self.records.0[id];
        record.fields = fields;
        record.complete = true;
        CType::Record(id)
    }

    /// A bit-field. One that is wider than its type, or that is wider than 32 bits without being all
    /// of it, whose arithmetic differs among compilers, is not followed.
    fn bit_field(&mut self, name: Option<String>, ty: CType, width: &Node<Expression>) -> Field {
        let width = self.constant_value(width);
        let width = width.and_then(|width| u8::try_from(width).ok());
        let unit = self.records.size(&ty).map(|(bytes, _)| bytes * 8);
        let (Some(width), Some(unit)) = (width, unit) else {
            let ty = CType::Unknown;
            let packed = None;
            return Field { name, ty, packed };
        };
        let whole = u64::from(width) == unit;
        let ty = match ty {
            CType::Bool if width <= 1 => ty,
            CType::Int { signed, .. } if width <= 32 || whole => CType::Int {
                bits: width,
                signed,
            },
            _ => CType::Unknown,
        };
        let packed = (ty != CType::Unknown).then_some((width.into(), unit));
        Field { name, ty, packed }
    }

    fn new_record(&mut self, name: &str, union: bool, at: usize) -> usize {
        let key = (self.scopes.len(), at);
        if let Some(&id) = self.record_ids.get(&key).filter(|_| name.is_empty()) {
            return id;
        }
        let id = match self.record_ids.get(&key) {
            Some(&id) => id,
            None => {
                self.records.0.push(Record {
                    name: name.to_owned(),
                    union,
                    fields: Vec::new(),
                    complete: false,
                });
                self.records.0.len() - 1
            }
        };
        self.record_ids.insert(key, id);
        if !name.is_empty() {
            self.add_tag(name, Tag(id));
        }
        id
    }

    fn enumeration(&mut self, node: &Node<EnumType>) -> CType {
        let mut next = 0i128;
        let mut negative = false;
        for enumerator in &node.node.enumerators {
            if let Some(value) = &enumerator.node.expression {
                match self.constant_value(value) {
                    Some(value) => next = value,
                    None => {
                        let span = self.span(value.span);
                        self.error(
                            code::TYPE,
                            span,
                            "the value of an enumerator is no constant",
                        );
                    }
                }
            }
            negative |= next < 0;
            let name = enumerator.node.identifier.node.name.clone();
            self.declare(name, Symbol::Constant(next));
            next += 1;
        }
        if let Some(name) = &node.node.identifier {
            let name = name.node.name.clone();
            if !node.node.enumerators.is_empty() {
                self.enums.insert(name, negative);
            } else {
                negative = self.enums.get(&name).copied().unwrap_or(false);
            }
        }
        // As GNU C has it: unsigned if no value is negative.
        match negative {
            true => CType::INT,
            false => CType::UINT,
        }
    }

    /// The type of an expression, which is not evaluated.
    pub(super) fn type_of(&mut self, node: &Node<Expression>) -> CType {
        self.unevaluated(|this| match super::effects::is_place(node) {
            true => this.lvalue(node).map_or(CType::Unknown, |at| at.ty),
            false => this.rvalue(node).ty,
        })
    }
}
