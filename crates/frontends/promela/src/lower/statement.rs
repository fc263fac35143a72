//! Basic statements: what they wait for and what they do.

use std::rc::Rc;

use model::{Binary, Check, Comm, Expr as Model, ExprId, Pattern, Stmt, Type};

use super::types::Ty;
use super::{Lowering, Place, RunNumber};
use crate::ast::{Expr, ExprKind, Init, ReceiveField, Reference, StatementKind};
use crate::codes::rules;
use crate::flow::{BlockKind, ElementId, ElementKind};

/// What a step does.
#[derive(Default)]
pub(super) struct Action {
    pub(super) guard: Option<ExprId>,
    pub(super) comm: Option<Comm>,
    pub(super) body: Vec<Stmt>,
}

impl Lowering<'_> {
    /// What an element that is a transition does.
    pub(super) fn action(&mut self, element: ElementId, process: usize, place: Place) -> Action {
        let body = Rc::clone(&self.processes[process].body);
        let mut action = Action::default();
        match &body.graph.element(element).kind {
            ElementKind::Basic(statement) => {
                let span = body.graph.element(element).span;
                self.basic(statement, span, place, &mut action);
            }
            ElementKind::Declare(local) => self.declare_late(process, *local, place, &mut action),
            _ => {}
        }
        action
    }

    fn basic(
        &mut self,
        statement: &StatementKind,
        span: source::Span,
        place: Place,
        action: &mut Action,
    ) {
        match statement {
            StatementKind::Condition(e) => {
                self.count_runs(e);
                self.run_number = RunNumber::Count;
                let guard = if matches!(e.kind, ExprKind::Run { .. }) {
                    // There is always someone, and so the new one's number is not 0.
                    self.number(e, place);
                    self.program.exprs.bool(true)
                } else {
                    self.truth(e, place)
                };
                let always = self.program.exprs.bool(true);
                action.guard = (guard != always).then_some(guard);
                self.end_runs(action);
            }
            StatementKind::Assign(target, value) => self.assign(target, value, place, action),
            StatementKind::Increment(target) => self.step_by(target, Binary::Add, place, action),
            StatementKind::Decrement(target) => self.step_by(target, Binary::Sub, place, action),
            StatementKind::Assert(e) => {
                self.count_runs(e);
                self.run_number = RunNumber::Stored;
                let cond = self.truth(e, place);
                self.end_runs(action);
                let check = self.assertions();
                action.body.push(Stmt::Assert { cond, check, span });
            }
            StatementKind::Print(text, arguments) => {
                self.print(text, arguments, span, place, action);
            }
            StatementKind::PrintMtype(e) => {
                self.print("\"%e\"", std::slice::from_ref(e), span, place, action);
            }
            StatementKind::Send {
                channel,
                fields,
                sorted,
            } => self.send(channel, (fields, *sorted), span, place, action),
            StatementKind::Receive {
                channel,
                fields,
                anywhere,
                keep,
            } => self.receive(channel, (fields, *anywhere, *keep), span, place, action),
            StatementKind::SetPriority(process, value) => {
                let process = self.number(process, place);
                let value = self.number(value, place);
                self.set_priority(process, value, &mut action.body);
            }
            // The others are made of elements.
            _ => {}
        }
    }

    fn count_runs(&mut self, e: &Expr) {
        if e.runs() > 1 {
            self.error(rules::RUN, e.span, "more than one `run` in an expression");
        }
    }

    /// Moves what starts processes into the step.
    fn end_runs(&mut self, action: &mut Action) {
        self.run_number = RunNumber::Forbidden;
        action.body.append(&mut self.spawns);
    }

    fn assign(&mut self, target: &Reference, value: &Expr, place: Place, action: &mut Action) {
        self.count_runs(value);
        let name = &target.parts[0].0;
        match &*name.name {
            "_" => {
                self.run_number = RunNumber::Count;
                self.number(value, place);
                self.end_runs(action);
                return;
            }
            "_priority" => {
                let me = self.program.exprs.add(Model::Me, Type::Instance);
                let me = self.convert(me, super::INT);
                let value = self.number(value, place);
                self.set_priority(me, value, &mut action.body);
                return;
            }
            _ if self.is_constant_name(target) => {
                let message = format!("`{}` cannot be assigned to", name.name);
                self.error(rules::MISPLACED, name.span, message);
                return;
            }
            _ => {}
        }
        let Some(cell) = self.scalar(target, place) else {
            return;
        };
        if let Some(constant) = self.constant(value) {
            self.check_fit(constant, cell.ty, value);
        }
        self.run_number = RunNumber::Stored;
        if matches!(value.kind, ExprKind::Run { .. }) {
            self.spawn(value, Some(cell.place), place);
            self.end_runs(action);
            return;
        }
        let value = match cell.ty {
            Ty::Channel => self.channel_value(value, place),
            _ => self.number(value, place),
        };
        self.end_runs(action);
        action.body.push(Stmt::Assign(cell.place, value));
    }

    fn step_by(&mut self, target: &Reference, op: Binary, place: Place, action: &mut Action) {
        if self.is_constant_name(target) {
            let message = "this cannot be assigned to";
            self.error(rules::MISPLACED, target.span, message);
            return;
        }
        let Some(cell) = self.scalar(target, place) else {
            return;
        };
        if cell.ty == Ty::Channel {
            let message = "a channel is no number";
            self.error(rules::MISPLACED, target.span, message);
            return;
        }
        let ty = self.model_type(cell.ty, None);
        let load = self.program.exprs.load(cell.place.clone(), ty);
        let load = self.convert(load, super::INT);
        let one = self.int(1);
        let value = self.program.exprs.binary(op, load, one);
        action.body.push(Stmt::Assign(cell.place, value));
    }

    /// The first value of a variable that is declared behind the first statement.
    fn declare_late(&mut self, process: usize, local: usize, place: Place, action: &mut Action) {
        let body = Rc::clone(&self.processes[process].body);
        let variable = self.processes[process].locals[local].clone();
        let declaration = &body.locals[local];
        let Some(root) = variable.root else {
            return;
        };
        if matches!(variable.ty, Ty::Structure(_)) {
            return;
        }
        let init = declaration.declarator.init.as_ref();
        if matches!(init, Some(Init::Channel { .. })) {
            return;
        }
        // The variable itself is not known in its own first value.
        let before = Place {
            position: declaration.place.1,
            ..place
        };
        let first = self.first(&variable, init, before);
        let value = self.first_expr(&first, variable.ty, variable.length, &mut |lowering, _| {
            lowering.zero()
        });
        action.body.push(Stmt::Assign(root.into(), value));
    }

    fn assertions(&mut self) -> model::CheckId {
        if let Some(check) = self.assertions {
            return check;
        }
        let check = self.program.add_check(Check {
            name: "assertions".to_owned(),
            failure: "an assertion does not hold".to_owned(),
            span: source::Span::NONE,
        });
        self.assertions = Some(check);
        check
    }

    fn send(
        &mut self,
        channel: &Reference,
        (fields, sorted): (&[Expr], bool),
        span: source::Span,
        place: Place,
        action: &mut Action,
    ) {
        if &*channel.parts[0].0.name == "STDIN" {
            let message = "`STDIN` is only received from";
            self.error(rules::MISPLACED, channel.span, message);
            return;
        }
        let Some((id, shape)) = self.channel(channel, place) else {
            return;
        };
        let mut message = Vec::new();
        for field in fields {
            if let ExprKind::Reference(reference) = &field.kind
                && !self.is_constant_name(reference)
            {
                let Some(target) = self.target(reference, place) else {
                    continue;
                };
                for (part, ty) in self.parts(&target) {
                    let ty = self.model_type(ty, None);
                    let load = self.program.exprs.load(part, ty.clone());
                    let value = match ty {
                        Type::Channel => load,
                        _ => self.convert(load, super::INT),
                    };
                    message.push(value);
                }
            } else {
                message.push(self.any_value(field, place));
            }
        }
        self.check_arity(shape, message.len(), channel.span);
        self.raise_if_fewer(shape, message.len(), action);
        let wanted = match shape {
            Some(shape) => self.shapes[shape].fields.len(),
            // Whatever channel it turns out to be, what is not given is zero.
            None => self
                .shapes
                .iter()
                .map(|s| s.fields.len())
                .max()
                .unwrap_or(0),
        };
        while message.len() < wanted {
            message.push(self.zero());
        }
        self.tell_send(id, &message, shape, span, action);
        action.comm = Some(Comm::Send {
            channel: id,
            message,
            sorted,
            lossy: self.lossy,
        });
    }

    /// SPIN's verifier stops with an error where such a statement is executed.
    fn raise_if_fewer(&mut self, shape: Option<usize>, given: usize, action: &mut Action) {
        if shape.is_some_and(|shape| given < self.shapes[shape].fields.len()) {
            action.body.push(Stmt::Raise(self.faults.fields));
        }
    }

    fn receive(
        &mut self,
        channel: &Reference,
        (fields, anywhere, keep): (&[ReceiveField], bool, bool),
        span: source::Span,
        place: Place,
        action: &mut Action,
    ) {
        if &*channel.parts[0].0.name == "STDIN" && self.find_variable("STDIN", place).is_none() {
            self.read_input(fields, place, action);
            return;
        }
        let Some((id, shape)) = self.channel(channel, place) else {
            return;
        };
        let mut patterns = self.patterns(fields, place);
        self.check_arity(shape, patterns.len(), channel.span);
        if !keep {
            // One that leaves the message where it is may name fewer.
            self.raise_if_fewer(shape, patterns.len(), action);
            self.tell_receive(id, &mut patterns, span, action);
        }
        action.comm = Some(Comm::Receive {
            channel: id,
            patterns,
            anywhere,
            keep,
        });
    }

    fn patterns(&mut self, fields: &[ReceiveField], place: Place) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for field in fields {
            let reference = match field {
                ReceiveField::Value(value) => {
                    let value = self.any_value(value, place);
                    patterns.push(Pattern::Match(value));
                    continue;
                }
                ReceiveField::Reference(reference) => reference,
            };
            if &*reference.parts[0].0.name == "_" {
                patterns.push(Pattern::Any);
            } else if self.is_constant_name(reference) {
                let demands = self.demands(std::slice::from_ref(field), place);
                patterns.extend(demands.into_iter().flatten().map(Pattern::Match));
            } else if let Some(target) = self.target(reference, place) {
                for (part, _) in self.parts(&target) {
                    patterns.push(Pattern::Bind(part));
                }
            }
        }
        patterns
    }

    /// What comes from the terminal may be any character, or its end.
    fn read_input(&mut self, fields: &[ReceiveField], place: Place, action: &mut Action) {
        for field in fields {
            let ReceiveField::Reference(reference) = field else {
                continue;
            };
            let Some(target) = self.scalar(reference, place) else {
                continue;
            };
            let (lo, hi) = (self.int(-1), self.int(255));
            action.body.push(Stmt::Choose(model::Choice {
                place: target.place,
                set: model::ValueSet::Between(lo, hi),
                sample: None,
                what: "a character typed".to_owned(),
                outside: None,
            }));
        }
    }

    /// Starts a process; its number goes to `result`.
    pub(super) fn spawn(&mut self, e: &Expr, result: Option<model::Place>, place: Place) {
        let ExprKind::Run {
            process: ident,
            arguments,
            priority,
        } = &e.kind
        else {
            return;
        };
        let found = self
            .processes
            .iter()
            .position(|p| p.ast.name.name == ident.name && !p.ast.init);
        let Some(process) = found else {
            self.no_process(ident);
            return;
        };
        let outer = std::mem::replace(&mut self.run_number, RunNumber::Forbidden);
        let ast = self.processes[process].ast;
        let parameters: usize = ast.parameters.iter().map(|d| d.variables.len()).sum();
        if arguments.len() != parameters {
            let message = format!(
                "`{}` takes {parameters} arguments, not {}",
                ident.name,
                arguments.len()
            );
            self.error(rules::ARGUMENTS, e.span, message);
        }
        let mut body = Vec::new();
        let mut args = Vec::new();
        for (local, argument) in arguments.iter().enumerate().take(parameters) {
            let ty = self.processes[process].locals[local].ty;
            args.push(match ty {
                Ty::Channel => self.channel_value(argument, place),
                Ty::Structure(_) => self.structure_value(argument, ty, place),
                Ty::Int { .. } => self.number(argument, place),
            });
        }
        args.extend(self.given_at_run(process, &mut body));
        self.start_priority(priority.as_deref(), place, &mut body);
        body.push(Stmt::Spawn {
            process: self.processes[process].id,
            args,
            result,
            share_frame: false,
        });
        self.spawns.extend(body);
        self.run_number = outer;
    }

    fn structure_value(&mut self, e: &Expr, ty: Ty, place: Place) -> ExprId {
        if let ExprKind::Reference(reference) = &e.kind
            && let Some(target) = self.target(reference, place)
            && target.ty == ty
            && target.length.is_none()
        {
            let ty = self.model_type(ty, None);
            return self.program.exprs.load(target.place, ty);
        }
        self.error(
            rules::STRUCTURE,
            e.span,
            "a structure of the parameter's type is needed",
        );
        self.zero()
    }

    /// Whether a transition could be taken, as an expression; a rendezvous never can.
    pub(super) fn executable(&mut self, process: usize, element: ElementId) -> ExprId {
        let body = Rc::clone(&self.processes[process].body);
        let found = body.graph.element(element);
        let place = Place {
            process: Some(process),
            scope: found.scope,
            position: found.position,
        };
        match &found.kind {
            ElementKind::Basic(statement) => match &**statement {
                StatementKind::Condition(e) if e.runs() == 0 => self.truth(e, place),
                StatementKind::Send { channel, .. } => match self.channel(channel, place) {
                    Some((id, _)) => self.has_room(id),
                    None => self.program.exprs.bool(true),
                },
                StatementKind::Receive {
                    channel,
                    fields,
                    anywhere,
                    ..
                } if &*channel.parts[0].0.name != "STDIN" => {
                    self.poll(channel, fields, *anywhere, place)
                }
                _ => self.program.exprs.bool(true),
            },
            ElementKind::Block(BlockKind::Deterministic, row) => {
                let starts = body.transitions(body.start_of(*row), self.diagnostics);
                let mut any = self.program.exprs.bool(false);
                for start in starts {
                    let can = self.executable(process, start.element);
                    any = self.program.exprs.or(any, can);
                }
                any
            }
            _ => self.program.exprs.bool(true),
        }
    }

    /// Who moved last is part of the state only if the model asks.
    pub(super) fn declare_last(&mut self) {
        if self.tree.uses_last {
            let ty = super::LAST;
            let last = self.hidden_global("last", ty, model::VariableKind::State);
            self.last = Some(last);
            self.program.leaver = Some(last);
        }
    }
}
