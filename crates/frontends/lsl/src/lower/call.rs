//! Calls: of user functions, of pure library functions, and of those that touch the world.

use model::{Callee, ExprId, Stmt, Target, Type as ModelType};

use super::build::model_type;
use super::code::{Coder, Unit};
use super::{call_key, pure::Pure};
use crate::ast;
use crate::check::Resolution;
use crate::facts;
use crate::library;
use crate::types::Type;

impl Coder<'_> {
    /// A call, for its value.
    pub(crate) fn call(&mut self, id: ast::ExprId, arguments: &[ast::ExprId]) -> ExprId {
        match self.input.checked.exprs.resolution(id) {
            Some(Resolution::Function(function)) => self.user_call(id, function, arguments),
            Some(Resolution::Library(function)) => self.library_call(id, function, arguments, true),
            Some(Resolution::Extra(number)) => {
                let found = match self.extras {
                    Some(extras) => extras.call(&mut Pure { coder: self }, number, arguments),
                    None => None,
                };
                found.unwrap_or_else(|| {
                    self.complain(id, "this cannot be called here");
                    let ty = self.own_type(id);
                    self.zero(ty)
                })
            }
            _ => {
                let ty = self.own_type(id);
                self.zero(ty)
            }
        }
    }

    fn user_call(
        &mut self,
        id: ast::ExprId,
        function: ast::FunctionId,
        arguments: &[ast::ExprId],
    ) -> ExprId {
        let checked = self.input.checked;
        let declaration = checked.ast.function(function);
        let span = checked.ast.expr(id).span;
        let types: Vec<Type> = declaration.parameters.iter().map(|p| p.ty).collect();
        let mut types = types.into_iter();
        let args = self.in_order(arguments, |coder, arg| {
            let ty = types.next().unwrap_or(Type::Integer);
            coder.stored_value(arg, ty)
        });
        let Some(procedure) = self.procedures.get(function.index()).copied().flatten() else {
            self.complain(id, "a function of the script cannot be called here");
            return self.zero(declaration.result.unwrap_or(Type::Integer));
        };
        let name = checked.ast.name_text(declaration.name);
        if let Some(&event) = self.build.events.get(&call_key(name)) {
            self.emit(Stmt::Emit {
                event,
                args: args.clone(),
                span,
            });
        }
        if self.is_put_in_place(function) {
            return self.inlined_call(function, &args, span);
        }
        let result = declaration.result.map(|result| {
            let ty = model_type(result);
            let place = match result {
                Type::List => self.unkept_variable(&format!("list of {name}")),
                _ => self.temporary(&ty),
            };
            (place, ty)
        });
        let then = self.region(&format!("after {name}"), span);
        self.close(Target::Call {
            callee: Callee::Known(procedure),
            args,
            result: result.as_ref().map(|(place, _)| place.clone()),
            then,
        });
        if self.input.survey.leaves.contains(&function) {
            self.check_left(then, span);
        } else {
            self.begin_at(then, None, span);
        }
        match result {
            Some((place, ty)) => self.build.program.exprs.load(place, ty),
            None => self.build.int(0),
        }
    }

    /// A call of a library function. If its value is not wanted, it is not made.
    pub(crate) fn library_call(
        &mut self,
        id: ast::ExprId,
        function: &'static facts::Function,
        arguments: &[ast::ExprId],
        wanted: bool,
    ) -> ExprId {
        let types: Vec<Type> = function.parameters.iter().map(|p| p.ty).collect();
        if let Some(entry) = library::pure(function.name) {
            let watched = self.watched_call(function.name);
            if matches!(function.name, "llRound" | "llFloor" | "llCeil")
                && watched.is_none()
                && let Some(drawn) = self.random_integer(entry, arguments[0])
            {
                return drawn;
            }
            let args = self.arguments(arguments, &types);
            self.about(arguments);
            if let Some(event) = watched {
                self.emit(Stmt::Emit {
                    event,
                    args: args.clone(),
                    span: self.input.checked.ast.expr(id).span,
                });
                let span = self.input.checked.ast.expr(id).span;
                self.tell_others(function.name, &args, span);
            }
            return self.operation(entry, &args, &types);
        }
        let event = self.watched_call(function.name);
        let span = self.input.checked.ast.expr(id).span;
        if event.is_none() && !wanted && !self.has_rule(function.name) {
            // Nobody sees the arguments.
            for &argument in arguments {
                self.effect(argument);
            }
            self.after_call(function, &[]);
            self.cut_after(function, span);
            return self.build.int(0);
        }
        let mut args = self.arguments(arguments, &types);
        self.cut_before(function, &mut args, span);
        if let Some(event) = event {
            self.emit(Stmt::Emit {
                event,
                args: args.clone(),
                span,
            });
            self.tell_others(function.name, &args, span);
        }
        if matches!(self.unit, Unit::Pure) && !reads_only(function) {
            self.complain(
                id,
                &format!("`{}` cannot be called in a property", function.name),
            );
        }
        for arg in &mut args {
            // Whoever wants the value or not, an error in an argument is one.
            if self.build.can_fault(*arg) {
                *arg = self.save(*arg);
            }
        }
        let result = match self.by_rule(id, function, &args) {
            Some(value) => value,
            None if !wanted => self.build.int(0),
            None => self.reading(id, function, &args),
        };
        self.after_call(function, &args);
        if !self.is_seen(function) {
            return result;
        }
        let result = if wanted { self.save(result) } else { result };
        self.cut_after(function, span);
        result
    }

    /// The micro event of a call, if somebody watches it. Properties only look.
    fn watched_call(&self, name: &str) -> Option<model::EventId> {
        match self.unit {
            Unit::Pure => None,
            _ => self.build.events.get(&call_key(name)).copied(),
        }
    }

    /// Arguments as the library gets them, left to right.
    fn arguments(&mut self, arguments: &[ast::ExprId], types: &[Type]) -> Vec<ExprId> {
        let mut types = types.iter();
        self.in_order(arguments, |coder, arg| {
            let ty = types.next().copied().unwrap_or(Type::Integer);
            coder.stored_value(arg, ty)
        })
    }

    /// While the script sleeps, the inventory may change, people come and go, and the object may come to
    /// another region.
    pub(super) fn sleep(&mut self, function: &'static facts::Function) {
        let sleeps = function.sleep_ms > 0 || function.name == "llSleep";
        if sleeps
            && self.temporaries.allowed()
            && let Some((who, _)) = self.build.world.presence
        {
            let nobody = self.build.text("");
            let forget = self.build.set(who, nobody);
            self.emit(forget);
        }
        if sleeps {
            self.inventory_changes();
            self.perhaps_start_is_lost();
        }
    }

    /// The inventory may be another from here on.
    pub(super) fn inventory_changes(&mut self) {
        if !self.temporaries.allowed() || !self.inventory_matters() {
            return;
        }
        for index in 0..self.build.world.items.len() {
            let present = self.build.world.items[index].present;
            let changes = self.temporary(&ModelType::Bool);
            let (no, yes) = (self.build.bool(false), self.build.bool(true));
            self.emit(Stmt::Choose(super::Build::one_of(
                changes.clone(),
                "whether the inventory changes meanwhile",
                vec![no, yes],
            )));
            let changed = self.build.program.exprs.load(changes, ModelType::Bool);
            let there = self.build.read(present);
            let other = self.build.not(there);
            let body = vec![
                Stmt::Emit {
                    event: self.build.world.events.inventory_changes,
                    args: Vec::new(),
                    span: source::Span::NONE,
                },
                self.build.set(present, other),
            ];
            self.emit(Stmt::If(changed, body, Vec::new()));
        }
    }
}

/// Whether a property may call the function: it asks the world without changing it.
fn reads_only(function: &facts::Function) -> bool {
    const READERS: [&str; 9] = [
        "llGetOwner",
        "llGetPermissions",
        "llGetPermissionsKey",
        "llGetInventoryType",
        "llGetInventoryName",
        "llGetKey",
        "llKey2Name",
        "llGetCreator",
        "llGetInventoryNumber",
    ];
    READERS.contains(&function.name)
}
