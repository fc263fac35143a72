//! Instances of modules, and their variables.

use std::collections::HashMap;
use std::rc::Rc;

use model::{GlobalId, Type, ValueSet, VariableKind};
use source::{Diagnostic, Span};

use super::value::{Ty, word_type};
use super::{Context, Failed, Lowered, Lowering, Placed};
use crate::ast::{Expr, ExprKind, Ident, Item, Module, TypeExpr, TypeKind, VariableSort};
use crate::codes::{names, rules};

/// How deep modules may contain modules.
const MAX_NESTING: usize = 1_000;
/// Of longer ways from module to module only the ends are told.
const LINKS: usize = 6;
/// How many instances and array elements there may be.
const MAX_PARTS: usize = 2_000_000;
/// Values that are listed one by one.
const MAX_LISTED: i128 = 70_000;

/// A module with its actual parameters.
pub(super) struct Instance<'t> {
    pub(super) module: &'t Module,
    /// Its name with a dot behind it; empty for `main`.
    pub(super) prefix: String,
    pub(super) names: HashMap<Rc<str>, Entity<'t>>,
    /// Whether some of its names have several parts, such as `a.b[3]`.
    pub(super) names_have_parts: bool,
    /// Its parts, those of `ISA` included.
    pub(super) items: Vec<&'t Item>,
    /// The process that it belongs to: an instance.
    pub(super) process: usize,
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Entity<'t> {
    Variable(usize),
    /// A variable that consists of several.
    Compound(Ty, Rc<[usize]>),
    /// The elements of an array, from an index on.
    Array(i64, Rc<[Entity<'t>]>),
    /// An element of an array, picked by an expression.
    Pick(Rc<[Entity<'t>]>, i64, &'t Expr, usize),
    /// A definition or an argument, and where its names are looked up.
    Value(&'t Expr, usize),
    Instance(usize),
    Symbol(Rc<str>),
    /// Whether a process runs.
    Running(usize),
}

/// A variable.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) values: Values,
    pub(super) sort: VariableSort,
    pub(super) span: Span,
}

/// The values of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Values {
    /// All of its type.
    All,
    Range(i64, i64),
    /// Some integers, in order.
    List(Vec<i64>),
}

impl Variable {
    /// The type of the model that holds it.
    pub(super) fn model_type(&self) -> Type {
        match (&self.values, self.ty) {
            (Values::Range(lo, hi), _) => Type::Range { lo: *lo, hi: *hi },
            (Values::List(list), _) => Type::Range {
                lo: list[0],
                hi: list[list.len() - 1],
            },
            (Values::All, Ty::Word { bits, signed }) => word_type(bits, signed),
            (Values::All, Ty::Symbol(id)) => Type::Enum(id),
            (Values::All, _) => Type::Bool,
        }
    }
}

impl<'t> Lowering<'t, '_> {
    pub(super) fn instantiate_main(&mut self, modules: &'t [Module]) -> Lowered<()> {
        for module in modules {
            if self.modules.insert(&module.name.name, module).is_some() {
                let message = format!("a second module `{}`", module.name.name);
                return Err(self.error(names::REDECLARED, module.name.span, message));
            }
        }
        self.collect_symbols(modules);
        let Some(&main) = self.modules.get("main") else {
            let message = "there is no module `main`";
            let span = modules.first().map_or(Span::NONE, |m| m.name.span);
            return Err(self.error(names::NO_MODULE, span, message));
        };
        let has_processes = modules.iter().flat_map(|m| &m.items).any(|item| {
            matches!(item, Item::Variable(_, _, ty) if matches!(ty.kind, TypeKind::Instance { process: true, .. }))
        });
        if has_processes {
            self.processes.push(0);
        }
        self.instantiate(main, String::new(), &[], main.name.span, 0, None)?;
        self.definitions_elsewhere()?;
        if has_processes {
            let members = self
                .processes
                .iter()
                .map(|&p| match self.instances[p].prefix.as_str() {
                    "" => "main".to_owned(),
                    prefix => prefix[..prefix.len() - 1].to_owned(),
                })
                .collect();
            let ty = Ty::Symbol(self.enumeration(members));
            self.selector = Some(self.variables.len());
            self.variables.push(Variable {
                name: "_process_selector_".to_owned(),
                ty,
                values: Values::All,
                sort: VariableSort::Input,
                span: Span::NONE,
            });
        }
        let clash = self.instances[0].names.iter().find_map(|(name, entity)| {
            let (what, span) = match entity {
                Entity::Variable(variable) => ("variable", self.variables[*variable].span),
                Entity::Compound(_, parts) => ("variable", self.variables[parts[0]].span),
                Entity::Value(value, _) => ("definition", value.span),
                _ => return None,
            };
            let clashes = self.symbols.contains(name);
            clashes.then(|| (Rc::clone(name), what, span))
        });
        if let Some((name, what, span)) = clash {
            let message = format!("`{name}` is a {what} and a symbolic constant");
            return Err(self.error(names::REDECLARED, span, message));
        }
        Ok(())
    }

    /// Names that stand for themselves: members of enumerations, and those declared so.
    fn collect_symbols(&mut self, modules: &'t [Module]) {
        fn of_type(ty: &TypeExpr, found: &mut Vec<Rc<str>>) {
            match &ty.kind {
                TypeKind::Array(_, _, item) | TypeKind::WordArray(_, item) => of_type(item, found),
                TypeKind::Enumeration(members) => {
                    for member in members {
                        if let ExprKind::Name(name) = &member.kind {
                            found.push(Rc::clone(name));
                        }
                    }
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        for item in modules.iter().flat_map(|module| &module.items) {
            match item {
                Item::Variable(_, _, ty) => of_type(ty, &mut found),
                Item::Constant(name) => found.push(Rc::clone(&name.name)),
                _ => {}
            }
        }
        self.symbols.extend(found);
    }

    /// A module's parts, with those of the modules that it is.
    fn parts(&mut self, module: &'t Module, depth: usize) -> Lowered<Vec<&'t Item>> {
        let mut items = Vec::new();
        for item in &module.items {
            if let Item::Isa(name) = item {
                if depth > MAX_NESTING {
                    let message = "a module that contains itself";
                    return Err(self.error(rules::CIRCULAR, name.span, message));
                }
                let inner = self.module(name)?;
                items.extend(self.parts(inner, depth + 1)?);
            } else {
                items.push(item);
            }
        }
        Ok(items)
    }

    fn module(&mut self, name: &Ident) -> Lowered<&'t Module> {
        match self.modules.get(&*name.name) {
            Some(&module) => Ok(module),
            None => {
                let message = format!("there is no module `{}`", name.name);
                Err(self.error(names::NO_MODULE, name.span, message))
            }
        }
    }

    fn instantiate(
        &mut self,
        module: &'t Module,
        prefix: String,
        arguments: &'t [Expr],
        span: Span,
        depth: usize,
        parent: Option<(usize, bool)>,
    ) -> Lowered<usize> {
        let contains_itself = self.open.iter().any(|open| std::ptr::eq(*open, module));
        if contains_itself || depth > MAX_NESTING || self.instances.len() > MAX_PARTS {
            return Err(self.no_instance(module, span, contains_itself));
        }
        self.open.push(module);
        let made = self.instantiate_here(module, prefix, arguments, span, depth, parent);
        self.open.pop();
        made
    }

    /// Reports that there cannot be an instance, and within which modules it would be.
    fn no_instance(&mut self, module: &Module, span: Span, contains_itself: bool) -> Failed {
        let name = &module.name.name;
        let mut way: Vec<String> = self
            .open
            .iter()
            .map(|open| open.name.name.to_string())
            .collect();
        way.push(name.to_string());
        if way.len() > LINKS {
            way.splice(LINKS - 1..way.len() - 1, ["...".to_owned()]);
        }
        let (code, message) = if contains_itself {
            (rules::CIRCULAR, format!("`{name}` contains itself"))
        } else {
            (
                rules::INFINITE,
                format!("`{name}` is too deep, or one of too many instances"),
            )
        };
        let diagnostic = Diagnostic::error(code, message).at(span);
        self.report(diagnostic.help(format!("it would be within {}", way.join(" > "))))
    }

    fn instantiate_here(
        &mut self,
        module: &'t Module,
        prefix: String,
        arguments: &'t [Expr],
        span: Span,
        depth: usize,
        parent: Option<(usize, bool)>,
    ) -> Lowered<usize> {
        if arguments.len() != module.parameters.len() {
            let message = format!(
                "`{}` has {}, but {} given",
                module.name.name,
                match module.parameters.len() {
                    1 => "1 parameter".to_owned(),
                    n => format!("{n} parameters"),
                },
                match arguments.len() {
                    1 => "1 argument is".to_owned(),
                    n => format!("{n} arguments are"),
                }
            );
            let diagnostic = Diagnostic::error(names::ARGUMENTS, message).at(span);
            return Err(self.report(diagnostic.label(module.name.span, "declared here")));
        }
        let scope = self.instances.len();
        let process = match parent {
            Some((_, true)) => {
                self.processes.push(scope);
                scope
            }
            Some((parent, false)) => self.instances[parent].process,
            None => scope,
        };
        let mut entities = HashMap::new();
        for (parameter, argument) in module.parameters.iter().zip(arguments) {
            let caller = parent.map_or(0, |(parent, _)| parent);
            let value = Entity::Value(argument, caller);
            entities.insert(Rc::clone(&parameter.name), value);
        }
        let items = self.parts(module, 0)?;
        self.instances.push(Instance {
            module,
            prefix,
            names: entities,
            names_have_parts: false,
            items: items.clone(),
            process,
        });
        // Definitions first: types may need them.
        for item in &items {
            if let Item::Define(name, value) = item {
                self.name(scope, name, Entity::Value(value, scope))?;
            }
        }
        for item in &items {
            if let Item::Variable(sort, name, ty) = item {
                let full = format!("{}{}", self.instances[scope].prefix, name.name);
                let entity = self.declare(*sort, full, name, ty, scope, depth)?;
                self.name(scope, name, entity)?;
            }
        }
        Ok(scope)
    }

    /// Definitions that a module makes inside of others.
    fn definitions_elsewhere(&mut self) -> Lowered<()> {
        for (scope, item) in self.items() {
            let Item::DefineIn(target, value) = item else {
                continue;
            };
            if let ExprKind::Field(base, field) = &target.kind
                && let Some(inner) = self.instance_named(base, scope)
            {
                self.name(inner, field, Entity::Value(value, scope))?;
            } else if let Some(name) = target.name_of_parts() {
                let name = Ident {
                    name: name.into(),
                    span: target.span,
                };
                self.name(scope, &name, Entity::Value(value, scope))?;
            } else {
                let message = format!("`{}` cannot be defined", self.text(target.span));
                return Err(self.error(names::NOT_A_VALUE, target.span, message));
            }
        }
        Ok(())
    }

    fn name(&mut self, scope: usize, name: &Ident, entity: Entity<'t>) -> Lowered<()> {
        let instance = &mut self.instances[scope];
        instance.names_have_parts |= name.name.contains(['.', '[']);
        if instance
            .names
            .insert(Rc::clone(&name.name), entity)
            .is_some()
        {
            let message = format!(
                "`{}` is declared twice in module `{}`",
                name.name, self.instances[scope].module.name.name
            );
            return Err(self.error(names::REDECLARED, name.span, message));
        }
        Ok(())
    }

    fn declare(
        &mut self,
        sort: VariableSort,
        full: String,
        name: &Ident,
        ty: &'t TypeExpr,
        scope: usize,
        depth: usize,
    ) -> Lowered<Entity<'t>> {
        match &ty.kind {
            TypeKind::Instance {
                process,
                module,
                arguments,
            } => {
                let module = self.module(module)?;
                let prefix = format!("{full}.");
                let parent = Some((scope, *process));
                let made =
                    self.instantiate(module, prefix, arguments, ty.span, depth + 1, parent)?;
                Ok(Entity::Instance(made))
            }
            TypeKind::Array(low, high, item) => {
                let low = self.constant(low, scope)?;
                let high = self.constant(high, scope)?;
                let count = high.checked_sub(low).unwrap_or(i64::MAX);
                if count < 0 || self.variables.len() + (count as usize) > MAX_PARTS {
                    let message = format!("an array from {low} to {high}");
                    return Err(self.error(rules::INFINITE, ty.span, message));
                }
                let mut elements = Vec::new();
                for index in low..=high {
                    let full = format!("{full}[{index}]");
                    elements.push(self.declare(sort, full, name, item, scope, depth + 1)?);
                }
                Ok(Entity::Array(low, elements.into()))
            }
            _ => {
                let (ty, values) = self.variable_type(ty, scope)?;
                Ok(self.declare_variable(Variable {
                    name: full,
                    ty,
                    values,
                    sort,
                    span: name.span,
                }))
            }
        }
    }

    pub(super) fn variable_type(
        &mut self,
        ty: &'t TypeExpr,
        scope: usize,
    ) -> Lowered<(Ty, Values)> {
        match &ty.kind {
            TypeKind::Boolean => Ok((Ty::Bool, Values::All)),
            TypeKind::Range(low, high) => {
                let low = self.constant(low, scope)?;
                let high = self.constant(high, scope)?;
                if low > high {
                    let message = format!("the range {low}..{high} is empty");
                    return Err(self.error(rules::RANGE, ty.span, message));
                }
                Ok((Ty::Int, Values::Range(low, high)))
            }
            TypeKind::Word { signed, width } => {
                let bits = self.width(width, scope)?;
                let signed = *signed;
                Ok((Ty::Word { bits, signed }, Values::All))
            }
            TypeKind::Enumeration(members) => self.enumeration_type(members, ty.span),
            TypeKind::WordArray(width, element) => {
                self.word_array_type(width, element, scope, ty.span)
            }
            TypeKind::Infinite(name) => {
                let message = format!("`{}` has infinitely many values", name.name);
                Err(self.error(rules::INFINITE, name.span, message))
            }
            TypeKind::Array(..) | TypeKind::Instance { .. } | TypeKind::Of(_) => {
                unreachable!("these are no types of single variables")
            }
        }
    }

    fn enumeration_type(&mut self, members: &'t [Expr], span: Span) -> Lowered<(Ty, Values)> {
        let mut texts: Vec<String> = Vec::new();
        let mut numbers = Vec::new();
        let mut truths = 0;
        for member in members {
            let text = match &member.kind {
                ExprKind::Name(name) => name.to_string(),
                ExprKind::Int(n) => {
                    numbers.push(*n);
                    n.to_string()
                }
                ExprKind::Bool(b) => {
                    truths += 1;
                    b.to_string().to_uppercase()
                }
                _ => {
                    let message = "a member of an enumeration is a symbol or a number";
                    return Err(self.error(rules::TYPES, member.span, message));
                }
            };
            if texts.contains(&text) {
                let message = format!("`{text}` stands twice in the enumeration");
                return Err(self.error(names::REDECLARED, member.span, message));
            }
            texts.push(text);
        }
        if truths == texts.len() && truths == 2 {
            return Ok((Ty::Bool, Values::All));
        }
        if truths > 0 {
            let message = "truth values among other values";
            return Err(self.error(rules::TYPES, span, message));
        }
        if numbers.len() == texts.len() {
            numbers.sort_unstable();
            let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
            let dense = high - low + 1 == numbers.len() as i64;
            let values = if dense {
                Values::Range(low, high)
            } else {
                Values::List(numbers)
            };
            return Ok((Ty::Int, values));
        }
        Ok((Ty::Symbol(self.enumeration(texts)), Values::All))
    }

    /// A constant integer.
    pub(super) fn constant(&mut self, expr: &'t Expr, scope: usize) -> Lowered<i64> {
        let value = self.value(expr, Context::of(scope))?;
        let number = match (value.ty, self.program.exprs.constant(value.id)) {
            (Ty::Int | Ty::Word { .. }, Some(value)) => i64::try_from(value.number()).ok(),
            _ => None,
        };
        number.ok_or_else(|| {
            let message = format!("`{}` is no constant number", self.text(expr.span));
            self.error(rules::CONSTANT, expr.span, message)
        })
    }

    /// Puts the variables into the program, in an order.
    pub(super) fn add_variables(&mut self, order: Option<Vec<usize>>) {
        let order = order.unwrap_or_else(|| (0..self.variables.len()).collect());
        self.place = vec![0; self.variables.len()];
        for (at, &variable) in order.iter().enumerate() {
            self.place[variable] = at;
            let variable = &self.variables[variable];
            let ty = variable.model_type();
            let kind = match variable.sort {
                VariableSort::State => VariableKind::State,
                VariableSort::Input => VariableKind::Input,
                VariableSort::Frozen => VariableKind::Frozen,
            };
            self.domains.push(self.domain_of(variable));
            self.bounds.push(match ty {
                Type::Enum(id) => Some((0, self.members(id).len() as i128 - 1)),
                _ => ty.bounds(),
            });
            self.program.add_global(model::Variable {
                name: variable.name.clone(),
                ty,
                init: None,
                kind,
                span: variable.span,
            });
        }
    }

    fn domain_of(&self, variable: &Variable) -> Option<Vec<i128>> {
        let ty = variable.model_type();
        match (&variable.values, ty) {
            (Values::List(list), _) => Some(list.iter().map(|n| i128::from(*n)).collect()),
            (_, Type::Enum(id)) => Some((0..self.members(id).len() as i128).collect()),
            (_, ty) => {
                let (low, high) = ty.bounds()?;
                (high - low < MAX_LISTED).then(|| (low..=high).collect())
            }
        }
    }

    /// All values of a variable.
    pub(super) fn all_values(&mut self, variable: usize) -> ValueSet {
        let ty = self.variables[variable].model_type();
        match self.variables[variable].values.clone() {
            Values::All => ValueSet::All(ty),
            Values::Range(low, high) => {
                let low = self.known(low.into(), ty.clone());
                let high = self.known(high.into(), ty);
                ValueSet::Between(low, high)
            }
            Values::List(list) => {
                let one = |n: &i64| ValueSet::One(self.known((*n).into(), ty.clone()));
                ValueSet::Union(list.iter().map(one).collect())
            }
        }
    }

    /// The program's variable.
    pub(super) fn global(&self, variable: usize) -> GlobalId {
        GlobalId::new(self.place[variable])
    }

    /// All parts of all instances.
    pub(super) fn items(&self) -> Vec<Placed<'t>> {
        let instances = self.instances.iter().enumerate();
        instances
            .flat_map(|(scope, instance)| instance.items.iter().map(move |item| (scope, *item)))
            .collect()
    }
}
