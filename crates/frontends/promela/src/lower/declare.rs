//! Declarations: constants, types, global and local variables, and their first values.

use std::rc::Rc;

use model::{ExprId, GlobalId, RecordDecl, Root, Value, ValueSet};
use source::Diagnostic;

use super::types::{Shape, Structure, Ty, Variable};
use super::{INT, Lowering, Place};
use crate::ast::{Declaration, Declarator, Expr, Ident, Init, TypeName, Unit};
use crate::codes::{lints, names, rules};

/// The first value of a variable.
#[derive(Clone, Debug)]
pub(super) enum First {
    /// Nothing is said: zero.
    Zero,
    /// An expression, of any number type.
    Value(ExprId),
    /// A new channel, after this shape.
    Channel(usize),
    /// The elements of an array or the fields of a structure.
    Parts(Vec<First>),
}

impl First {
    /// Whether channels are made.
    pub(super) fn makes_channels(&self) -> bool {
        match self {
            First::Channel(_) => true,
            First::Parts(parts) => parts.iter().any(First::makes_channels),
            First::Zero | First::Value(_) => false,
        }
    }
}

impl Lowering<'_> {
    pub(super) fn declare_mtypes(&mut self, unit: &Unit, list: &[Ident]) {
        let Unit::Mtype(kind, _) = unit else {
            return;
        };
        // Constants of one kind count on; the last of each list has the least number.
        let kind_name = kind.as_ref().map(|kind| &kind.name);
        let mut before = 0;
        for other in &self.tree.units {
            if std::ptr::eq(other, unit) {
                break;
            }
            if let Unit::Mtype(other, names) = other
                && other.as_ref().map(|kind| &kind.name) == kind_name
            {
                before += names.len();
            }
        }
        let names = self.mtype_names(kind_name);
        let members = &mut self.program.enums[names.index()].members;
        members.resize(before + list.len() + 1, String::new());
        for (index, ident) in list.iter().enumerate() {
            members[before + list.len() - index] = ident.name.to_string();
        }
        for (index, ident) in list.iter().enumerate() {
            let number = (before + list.len() - index) as i64;
            if self.mtypes.insert(Rc::clone(&ident.name), number).is_some() {
                let message = format!("`{}` is declared twice", ident.name);
                self.error(names::REDECLARED, ident.span, message);
            }
        }
        if before + list.len() > 255
            && let Some(first) = list.first()
        {
            let message = "more than 255 mtype constants";
            self.error(rules::TOO_LARGE, first.span, message);
        }
    }

    pub(super) fn declare_structure(&mut self, name: &Ident, declarations: &[Declaration]) {
        if let Some(other) = self.structures.iter().find(|s| s.name == name.name) {
            let diagnostic = Diagnostic::error(
                names::REDECLARED,
                format!("type `{}` is declared twice", name.name),
            )
            .at(name.span)
            .label(other.span, "first declared here");
            self.diagnostics.push(diagnostic);
            return;
        }
        let mut fields: Vec<Variable> = Vec::new();
        for declaration in declarations {
            for declarator in &declaration.variables {
                let field = self.variable(declarator, &declaration.ty);
                if fields.iter().any(|f| f.name == field.name) {
                    let message = format!("`{}` is declared twice", field.name);
                    self.error(names::REDECLARED, field.span, message);
                }
                fields.push(field);
            }
        }
        let record = RecordDecl {
            name: name.name.to_string(),
            fields: fields
                .iter()
                .map(|f| (f.name.to_string(), self.model_type(f.ty, f.length)))
                .collect(),
        };
        let record = self.program.add_record(record);
        for (index, field) in fields.iter().enumerate() {
            if let Some(names) = field.names {
                let shown = &mut self.program.display.record_fields;
                shown.insert((record, index), names);
            }
        }
        self.structures.push(Structure {
            name: Rc::clone(&name.name),
            record,
            fields,
            span: name.span,
        });
    }

    /// A variable, not yet at any place.
    pub(super) fn variable(&mut self, declarator: &Declarator, ty: &TypeName) -> Variable {
        let length = self.array_length(declarator.length.as_ref());
        let names = self.names_of(ty);
        let ty = self.ty(ty, declarator.width.as_ref());
        let mut shape = None;
        let mut constant = None;
        match &declarator.init {
            Some(Init::Channel {
                capacity,
                fields,
                span,
            }) => {
                if ty == Ty::Channel {
                    shape = Some(self.shape(capacity, fields));
                } else {
                    let message = format!("`{}` is no channel", declarator.name.name);
                    self.error(rules::NOT_A_CHANNEL, *span, message);
                }
            }
            Some(Init::Value(value)) => {
                constant = self.constant(value);
                if let Some(constant) = constant {
                    self.check_fit(constant, ty, value);
                }
            }
            Some(Init::List(_)) | None => {}
        }
        Variable {
            name: Rc::clone(&declarator.name.name),
            ty,
            length,
            root: None,
            shape,
            names,
            constant,
            span: declarator.name.span,
        }
    }

    /// Warns of a constant that its variable cannot hold.
    pub(super) fn check_fit(&mut self, value: i64, ty: Ty, e: &Expr) {
        let Ty::Int { bits, signed } = ty else {
            return;
        };
        let wrapped = model::Type::Int { bits, signed }.wrap(value.into());
        // 255 for "minus one" and the like is common; a changed value is what is surprising.
        if wrapped != i128::from(value) {
            self.diagnostics.push(
                Diagnostic::warning(
                    lints::NEVER_TRUE,
                    format!("{value} does not fit the variable: it becomes {wrapped}"),
                )
                .at(e.span),
            );
        }
    }

    fn shape(&mut self, capacity: &Expr, fields: &[TypeName]) -> usize {
        let capacity = match self.constant(capacity) {
            Some(0) => 0,
            _ => self.positive(capacity, 1 << 16),
        };
        let mut flat = Vec::new();
        let mut names = Vec::new();
        for field in fields {
            let ty = self.ty(field, None);
            flat.extend(self.flat(ty, None));
            let named = self.names_of(field);
            names.extend(self.flat_names(ty, named));
        }
        self.shapes.push(Shape {
            capacity,
            fields: flat,
            names,
        });
        self.shapes.len() - 1
    }

    /// The first value of a variable. `init` is evaluated at `place`.
    pub(super) fn first(
        &mut self,
        variable: &Variable,
        init: Option<&Init>,
        place: Place,
    ) -> First {
        let elements = variable.length.map(|length| length as usize);
        let repeat = |one: First| match elements {
            Some(elements) => First::Parts(vec![one; elements]),
            None => one,
        };
        match init {
            Some(Init::Channel { .. }) => match variable.shape {
                Some(shape) => repeat(First::Channel(shape)),
                None => First::Zero,
            },
            Some(Init::Value(value)) => {
                let value = self.first_value(value, variable.ty, place);
                repeat(First::Value(value))
            }
            Some(Init::List(values)) => {
                let Some(elements) = elements else {
                    let message = format!("`{}` is no array", variable.name);
                    self.error(rules::INDEX, variable.span, message);
                    return First::Zero;
                };
                if values.len() > elements {
                    let message = format!("{} values for {elements} elements", values.len());
                    self.error(rules::INDEX, variable.span, message);
                }
                let mut parts = Vec::new();
                for value in values.iter().take(elements) {
                    parts.push(First::Value(self.first_value(value, variable.ty, place)));
                }
                // What is not given repeats the last value given.
                while parts.len() < elements {
                    let last = parts.last().cloned().unwrap_or(First::Zero);
                    parts.push(last);
                }
                First::Parts(parts)
            }
            None => match variable.ty {
                Ty::Structure(structure) => {
                    let one = self.first_of_structure(structure);
                    match one {
                        First::Zero => First::Zero,
                        one => repeat(one),
                    }
                }
                _ => First::Zero,
            },
        }
    }

    fn first_value(&mut self, value: &Expr, ty: Ty, place: Place) -> ExprId {
        match ty {
            Ty::Channel => self.channel_value(value, place),
            _ => self.number(value, place),
        }
    }

    fn first_of_structure(&mut self, structure: usize) -> First {
        let tree = self.tree;
        let name = Rc::clone(&self.structures[structure].name);
        let Some(declarations) = tree.units.iter().find_map(|unit| match unit {
            Unit::Typedef(ident, fields) if ident.name == name => Some(fields),
            _ => None,
        }) else {
            return First::Zero;
        };
        let fields = self.structures[structure].fields.clone();
        let inits = declarations
            .iter()
            .flat_map(|d| d.variables.iter())
            .map(|v| v.init.as_ref());
        let mut parts = Vec::new();
        for (field, init) in fields.iter().zip(inits) {
            parts.push(self.first(field, init, Place::OUTSIDE));
        }
        if parts.iter().all(|part| matches!(part, First::Zero)) {
            First::Zero
        } else {
            First::Parts(parts)
        }
    }

    /// A first value as an expression of the variable's type; `channel` makes channels.
    pub(super) fn first_expr(
        &mut self,
        first: &First,
        ty: Ty,
        length: Option<u32>,
        channel: &mut dyn FnMut(&mut Self, usize) -> ExprId,
    ) -> ExprId {
        let whole = self.model_type(ty, length);
        match first {
            First::Zero => {
                let zero = self.program.zero(&whole);
                self.program.exprs.value(zero, whole)
            }
            First::Value(value) => self.convert(*value, whole),
            First::Channel(shape) => channel(self, *shape),
            First::Parts(parts) => {
                let types: Vec<(Ty, Option<u32>)> = match (length, ty) {
                    (Some(_), _) => vec![(ty, None); parts.len()],
                    (None, Ty::Structure(structure)) => self.structures[structure]
                        .fields
                        .iter()
                        .map(|field| (field.ty, field.length))
                        .collect(),
                    (None, _) => Vec::new(),
                };
                let parts = parts
                    .iter()
                    .zip(types)
                    .map(|(part, (ty, length))| self.first_expr(part, ty, length, channel))
                    .collect();
                self.tuple(parts, whole)
            }
        }
    }

    /// A structure or array of values; a constant if they are.
    fn tuple(&mut self, parts: Vec<ExprId>, ty: model::Type) -> ExprId {
        let constants: Option<Vec<Value>> = parts
            .iter()
            .map(|&part| self.program.exprs.constant(part).cloned())
            .collect();
        match constants {
            Some(values) => self.program.exprs.value(Value::Tuple(values.into()), ty),
            None => self.program.exprs.add(model::Expr::Tuple(parts), ty),
        }
    }

    pub(super) fn declare_globals(&mut self, declaration: &Declaration) {
        if declaration.hidden {
            super::note_hidden(declaration, self.diagnostics);
        }
        for declarator in &declaration.variables {
            let mut variable = self.variable(declarator, &declaration.ty);
            let name = Rc::clone(&variable.name);
            if let Some(other) = self.globals.get(&name) {
                let diagnostic =
                    Diagnostic::error(names::REDECLARED, format!("`{name}` is declared twice"))
                        .at(variable.span)
                        .label(other.span, "first declared here");
                self.diagnostics.push(diagnostic);
                continue;
            }
            let first = self.first(&variable, declarator.init.as_ref(), Place::OUTSIDE);
            let ty = self.model_type(variable.ty, variable.length);
            let mut global = model::Variable::new(&*name, ty);
            global.span = variable.span;
            if !matches!(first, First::Zero) {
                let channel_name = name.to_string();
                let value = self.first_expr(
                    &first,
                    variable.ty,
                    variable.length,
                    &mut |lowering, shape| lowering.channel_from_start(shape, &channel_name, None),
                );
                global.init = Some(ValueSet::One(value));
            }
            let id = self.program.add_global(global);
            if let Some(names) = variable.names {
                self.program.display.globals.insert(id, names);
            }
            variable.root = Some(Root::Global(id));
            self.globals.insert(name, variable);
        }
    }

    /// A hidden global of this front end: `$` is no sign of a name in a model.
    pub(super) fn hidden_global(
        &mut self,
        name: &str,
        ty: model::Type,
        kind: model::VariableKind,
    ) -> GlobalId {
        let mut variable = model::Variable::new(format!("${name}"), ty);
        variable.kind = kind;
        self.program.add_global(variable)
    }

    /// Makes variables of all parameters and locals.
    pub(super) fn declare_locals(&mut self) {
        for process in 0..self.processes.len() {
            let body = Rc::clone(&self.processes[process].body);
            let mut variables = Vec::new();
            for local in &body.locals {
                if local.parameter
                    && let Some(init) = &local.declarator.init
                {
                    let _ = init;
                    let message = "a parameter has no first value";
                    self.error(rules::MISPLACED, local.declarator.name.span, message);
                }
                let variable = self.variable(&local.declarator, &local.ty);
                if self.mtypes.contains_key(&variable.name) {
                    let message = format!("`{}` is an mtype constant", variable.name);
                    self.error(names::REDECLARED, variable.span, message);
                }
                variables.push(variable);
            }
            // Parameters come first, then what is given beside them, then the rest.
            let makes: Vec<bool> = variables
                .iter()
                .zip(&body.locals)
                .map(|(v, local)| !local.parameter && self.makes_channels(v))
                .collect();
            let given: Vec<usize> = (0..variables.len()).filter(|&v| makes[v]).collect();
            let parameters = body.locals.iter().filter(|l| l.parameter).count();
            let rest = (parameters..variables.len()).filter(|&v| !makes[v]);
            let order: Vec<usize> = (0..parameters)
                .chain(given.iter().copied())
                .chain(rest)
                .collect();
            for (index, &local) in order.iter().enumerate() {
                let index = u32::try_from(index).expect("few locals");
                variables[local].root = Some(Root::Own(index));
            }
            self.processes[process].locals = variables;
            self.processes[process].given = given;
            self.declare_own(process, &order, parameters);
        }
    }

    fn makes_channels(&self, variable: &Variable) -> bool {
        variable.shape.is_some()
            || matches!(variable.ty, Ty::Structure(structure)
                if self.structures[structure].fields.iter().any(|f| self.makes_channels(f)))
    }

    /// Adds parameters and locals to the template.
    fn declare_own(&mut self, process: usize, order: &[usize], parameters: usize) {
        let id = self.processes[process].id;
        let given = self.processes[process].given.len();
        let body = Rc::clone(&self.processes[process].body);
        for &local in order {
            let variable = self.processes[process].locals[local].clone();
            let ty = self.model_type(variable.ty, variable.length);
            let mut own = model::Variable::new(&*variable.name, ty);
            own.span = variable.span;
            let locals = &mut self.program.processes[id.index()].locals;
            if let Some(names) = variable.names {
                let place = (id, locals.len());
                self.program.display.locals.insert(place, names);
            }
            locals.push(own);
        }
        self.program.processes[id.index()].parameters = parameters + given;
        for (index, &local) in order.iter().enumerate().skip(parameters + given) {
            let declaration = &body.locals[local];
            if !declaration.at_start {
                continue;
            }
            let variable = self.processes[process].locals[local].clone();
            let place = Place {
                process: Some(process),
                scope: declaration.place.0,
                position: declaration.place.1,
            };
            let first = self.first(&variable, declaration.declarator.init.as_ref(), place);
            if matches!(first, First::Zero) {
                continue;
            }
            let value =
                self.first_expr(&first, variable.ty, variable.length, &mut |lowering, _| {
                    lowering.zero()
                });
            self.program.processes[id.index()].locals[index].init = Some(ValueSet::One(value));
        }
    }

    /// The first value of a local that is given when an instance starts.
    pub(super) fn given_first(&mut self, process: usize, local: usize) -> (Variable, First) {
        let body = Rc::clone(&self.processes[process].body);
        let variable = self.processes[process].locals[local].clone();
        let init = body.locals[local].declarator.init.as_ref();
        let first = self.first(&variable, init, Place::OUTSIDE);
        debug_assert!(
            first.makes_channels(),
            "it is given because it makes channels"
        );
        (variable, first)
    }

    /// A number converted to a type.
    pub(super) fn convert(&mut self, value: ExprId, ty: model::Type) -> ExprId {
        if *self.program.exprs.ty(value) == ty {
            return value;
        }
        if let Some(constant) = self.program.exprs.constant(value) {
            let number = constant.number();
            let wrapped = match ty {
                model::Type::Bool => Value::Bool(number != 0),
                _ => Value::Int(ty.wrap(number)),
            };
            return self.program.exprs.value(wrapped, ty);
        }
        self.program.exprs.add(model::Expr::Convert(value), ty)
    }

    /// A number as C's `int`.
    pub(super) fn int(&mut self, value: i64) -> ExprId {
        self.program.exprs.int(value.into(), INT)
    }
}
