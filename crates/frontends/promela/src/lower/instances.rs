//! Instances: which run from the start, how many there can be, and references into them.

use std::rc::Rc;

use model::{Expr as Model, ExprId, LocId, ProcessId, Root, Start, Type};
use source::Span;

use super::types::Ty;
use super::{INT, Lowering, Place, Process, Stay};
use crate::ast::{
    Expr, ExprKind, Ident, Item, Reference, Sequence, Statement, StatementKind, TypeName, Unit,
};
use crate::codes::{names, rules};
use crate::flow::Body;

/// The most instances that SPIN lets exist at a time: where no smaller bound is known, references
/// to any instance ask this many.
const MOST: u32 = 255;

impl Lowering<'_> {
    /// Builds the control flow of all process types.
    pub(super) fn build_bodies(&mut self) {
        let tree = self.tree;
        let units = tree.units.iter().filter_map(|unit| match unit {
            Unit::Process(process) => Some(process),
            _ => None,
        });
        for ast in units {
            let same = |p: &Process<'_>| p.ast.name.name == ast.name.name && p.ast.init == ast.init;
            if self.processes.iter().any(same) {
                let message = format!("process type `{}` is declared twice", ast.name.name);
                self.error(names::REDECLARED, ast.name.span, message);
            }
            let active = ast.active.as_ref().map_or(0, |n| match self.constant(n) {
                Some(0) => 0,
                _ => self.positive(n, i64::from(MOST)),
            });
            let types = |name: &str| global_type(tree, name);
            let body = Body::build(
                &ast.parameters,
                &ast.body,
                &types,
                |label| {
                    let remote = &tree.remote_labels;
                    remote
                        .iter()
                        .any(|(process, name)| *process == ast.name.name && **name == *label)
                },
                self.diagnostics,
            );
            let id = self
                .program
                .add_process(model::Process::new(&*ast.name.name));
            self.processes.push(Process {
                ast,
                id,
                body: Rc::new(body),
                locals: Vec::new(),
                given: Vec::new(),
                active,
                locations: std::collections::HashMap::default(),
                waiting: Vec::new(),
                escapes: std::collections::HashMap::default(),
                progress: Vec::new(),
                accept: Vec::new(),
            });
        }
        let mut started = 0u32;
        for process in &self.processes {
            started = started.saturating_add(process.active);
            if started > MOST {
                let message =
                    format!("more than {MOST} processes start, and that is the most there can be");
                let span = process.ast.name.span;
                self.error(rules::TOO_LARGE, span, message);
                break;
            }
        }
        // What could not be read may be what starts.
        if !self.processes.iter().any(|p| p.active > 0) && !self.diagnostics.has_errors() {
            let span = self
                .sources
                .files()
                .next()
                .map_or(Span::NONE, |f| f.span().start_point());
            let message = "there is no `init` and no active process type";
            self.error(rules::NO_PROCESSES, span, message);
        }
    }

    /// Starts `init` and the active processes, in the order of the text.
    pub(super) fn start_all(&mut self) {
        self.survey_priorities();
        for process in 0..self.processes.len() {
            for _ in 0..self.processes[process].active {
                let ast = self.processes[process].ast;
                let mut args = Vec::new();
                let parameters: usize = ast.parameters.iter().map(|d| d.variables.len()).sum();
                for local in 0..parameters {
                    let variable = self.processes[process].locals[local].clone();
                    let ty = self.model_type(variable.ty, variable.length);
                    let zero = self.program.zero(&ty);
                    args.push(self.program.exprs.value(zero, ty));
                }
                args.extend(self.given_at_start(process));
                let id = self.processes[process].id;
                self.program.start.push(Start { process: id, args });
            }
        }
        self.start_priorities();
    }

    /// Finds what channels are given to parameters, where all who start a process agree.
    pub(super) fn infer_parameters(&mut self) {
        let mut given: Vec<(usize, Vec<Call>)> = Vec::new();
        for (index, process) in self.processes.iter().enumerate() {
            let mut runs = Runs::default();
            runs.sequence(&process.ast.body, false);
            given.push((index, runs.arguments));
        }
        // Channels are handed on from parameter to parameter, at most along all processes.
        for _ in 0..=self.processes.len() {
            for process in 0..self.processes.len() {
                let name = Rc::clone(&self.processes[process].ast.name.name);
                let parameters = self.processes[process].body.locals.iter();
                let count = parameters.filter(|local| local.parameter).count();
                for parameter in 0..count {
                    if self.processes[process].locals[parameter].ty == Ty::Channel {
                        let shape = self.common_shape(&given, &name, parameter);
                        self.processes[process].locals[parameter].shape = shape;
                    }
                }
            }
        }
    }

    /// The shape of the channels that are given to a parameter, if all are alike.
    fn common_shape(
        &self,
        given: &[(usize, Vec<Call>)],
        process: &str,
        parameter: usize,
    ) -> Option<usize> {
        let mut common: Option<usize> = None;
        for (starter, runs) in given {
            for (_, arguments) in runs.iter().filter(|(name, _)| **name == *process) {
                let ExprKind::Reference(reference) = &arguments.get(parameter)?.kind else {
                    return None;
                };
                if reference.parts.len() != 1 {
                    return None;
                }
                let name = &reference.parts[0].0.name;
                let starter = &self.processes[*starter];
                let local = starter.locals.iter().find(|v| v.name == *name);
                let shape = local.or_else(|| self.globals.get(name))?.shape?;
                let alike = |other: usize| {
                    let (a, b) = (&self.shapes[shape], &self.shapes[other]);
                    a.fields == b.fields && (a.capacity == 0) == (b.capacity == 0)
                };
                if common.is_some_and(|other| !alike(other)) {
                    return None;
                }
                common = Some(shape);
            }
        }
        common
    }

    /// How many instances there can be at a time.
    pub(super) fn instance_bound(&mut self) -> u32 {
        if let Some(bound) = self.bound {
            return bound;
        }
        let starts: u32 = self.processes.iter().map(|p| p.active).sum();
        let mut most = starts;
        for process in &self.processes {
            let mut runs = Runs::default();
            runs.sequence(&process.ast.body, false);
            if runs.sites == 0 {
                continue;
            }
            if runs.repeated || self.is_run(&process.ast.name.name) {
                most = MOST;
                break;
            }
            most = most.saturating_add(runs.sites * process.active);
        }
        let bound = most.min(MOST);
        self.bound = Some(bound);
        bound
    }

    /// Whether some process starts instances of the type.
    fn is_run(&self, name: &str) -> bool {
        self.processes.iter().any(|process| {
            let mut runs = Runs::default();
            runs.sequence(&process.ast.body, false);
            runs.names.iter().any(|run| **run == *name)
        })
    }

    /// The process type that a remote reference names.
    fn process_named(&mut self, ident: &Ident) -> Option<usize> {
        let found = self
            .processes
            .iter()
            .position(|p| p.ast.name.name == ident.name);
        if found.is_none() {
            self.no_process(ident);
        }
        found
    }

    /// The number of the first instance of a process type: the one that a reference without a
    /// number means.
    fn first_instance(&mut self, process: usize) -> ExprId {
        let name = std::rc::Rc::clone(&self.processes[process].ast.name.name);
        if self.processes[process].active > 0 && !self.is_run(&name) {
            let before: u32 = self.processes[..process].iter().map(|p| p.active).sum();
            return self.int(before.into());
        }
        let id = self.processes[process].id;
        self.program.exprs.add(Model::First(id), INT)
    }

    /// `P[i]@label`; without a number, the first instance.
    pub(super) fn remote_label(
        &mut self,
        ident: &Ident,
        instance: Option<ExprId>,
        label: &Ident,
    ) -> ExprId {
        let Some(process) = self.process_named(ident) else {
            return self.program.exprs.bool(false);
        };
        let body = Rc::clone(&self.processes[process].body);
        let Some(element) = body.labelled(&label.name) else {
            let message = format!(
                "process type `{}` has no label `{}`",
                ident.name, label.name
            );
            self.error(names::NO_LABEL, label.span, message);
            return self.program.exprs.bool(false);
        };
        let mut stays = vec![Stay::Open];
        if body.graph.element(element).keeps {
            stays.push(Stay::Atomic);
        }
        let locations: Vec<LocId> = stays
            .into_iter()
            .map(|stay| self.location(process, element, stay))
            .collect();
        let id = self.processes[process].id;
        let instance = match instance {
            Some(instance) => instance,
            None => self.first_instance(process),
        };
        self.at_any(id, &locations, instance)
    }

    fn at_any(&mut self, process: ProcessId, locations: &[LocId], instance: ExprId) -> ExprId {
        let mut any = self.program.exprs.bool(false);
        for &location in locations {
            let at = Model::At {
                instance,
                process,
                location,
            };
            let at = self.program.exprs.add(at, Type::Bool);
            any = self.program.exprs.or(any, at);
        }
        any
    }

    /// Whether some instance is at one of the locations.
    pub(super) fn anyone_at(&mut self, places: Vec<(ProcessId, LocId)>) -> ExprId {
        if places.is_empty() {
            return self.program.exprs.bool(false);
        }
        self.program.exprs.add(Model::AnyAt(places), Type::Bool)
    }

    /// Whether some instance is at a progress label.
    pub(super) fn any_progress(&mut self) -> ExprId {
        let mut places = Vec::new();
        for process in &self.processes {
            places.extend(process.progress.iter().map(|&at| (process.id, at)));
        }
        self.anyone_at(places)
    }

    /// `pc_value`: the position of a control point among those of its process type, from 1.
    pub(super) fn control_point(&mut self, instance: ExprId) -> ExprId {
        let mut value = self.zero();
        for process in 0..self.processes.len() {
            let id = self.processes[process].id;
            let count = self.program.processes[id.index()].locations.len();
            for location in 0..count {
                let at = self.at_any(id, &[LocId::new(location)], instance);
                let number = self.int(location as i64 + 1);
                value = self.program.exprs.add(Model::Ite(at, number, value), INT);
            }
        }
        value
    }

    /// `P[i]:x`.
    pub(super) fn remote_variable(
        &mut self,
        ident: &Ident,
        instance: Option<ExprId>,
        reference: &Reference,
        place: Place,
    ) -> ExprId {
        let Some(process) = self.process_named(ident) else {
            return self.zero();
        };
        let name = &reference.parts[0].0;
        if &*name.name == "_p" {
            return match instance {
                Some(instance) => self.control_point(instance),
                None => self.zero(),
            };
        }
        let variable = self.processes[process]
            .locals
            .iter()
            .find(|v| v.name == name.name)
            .cloned();
        let Some((variable, Some(Root::Own(local)))) = variable.map(|v| (v.clone(), v.root)) else {
            let message = format!(
                "process type `{}` has no local variable `{}`",
                ident.name, name.name
            );
            self.error(names::NO_VARIABLE_THERE, name.span, message);
            return self.zero();
        };
        let id = self.processes[process].id;
        let instance = match instance {
            Some(instance) => instance,
            None => self.first_instance(process),
        };
        let root = Root::Remote {
            instance,
            process: id,
            local,
        };
        let Some(target) = self.walk(&variable, root, reference, place) else {
            return self.zero();
        };
        let ty = self.model_type(target.ty, target.length);
        let load = self.program.exprs.load(target.place, ty);
        self.convert(load, INT)
    }
}

/// A `run`: the process type and the arguments.
type Call = (Rc<str>, Vec<Expr>);

/// The `run`s of a body.
#[derive(Default)]
struct Runs {
    sites: u32,
    names: Vec<Rc<str>>,
    arguments: Vec<Call>,
    /// Whether one of them may be reached more than once.
    repeated: bool,
}

impl Runs {
    fn sequence(&mut self, sequence: &Sequence, looping: bool) {
        let jumps = sequence
            .items
            .iter()
            .any(|item| matches!(item, Item::Statement(statement) if jumps(statement)));
        for item in &sequence.items {
            if let Item::Statement(statement) = item {
                self.statement(statement, looping || jumps);
            }
        }
    }

    fn statement(&mut self, statement: &Statement, looping: bool) {
        match &statement.kind {
            StatementKind::If(options) => options.iter().for_each(|o| self.sequence(o, looping)),
            StatementKind::Do(options) => options.iter().for_each(|o| self.sequence(o, true)),
            StatementKind::ForRange(_, _, _, body) | StatementKind::ForIn(_, _, body) => {
                self.sequence(body, true);
            }
            StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body)
            | StatementKind::Call(body) => self.sequence(body, looping),
            StatementKind::Unless(a, b) => {
                self.statement(a, looping);
                self.statement(b, looping);
            }
            StatementKind::Labelled(_, Some(inner)) => self.statement(inner, looping),
            StatementKind::Condition(e)
            | StatementKind::Assign(_, e)
            | StatementKind::Assert(e) => self.expression(e, looping),
            StatementKind::Send { fields, .. } => {
                fields.iter().for_each(|e| self.expression(e, looping));
            }
            _ => {}
        }
    }

    fn expression(&mut self, e: &Expr, looping: bool) {
        if let ExprKind::Run {
            process, arguments, ..
        } = &e.kind
        {
            self.sites += 1;
            self.names.push(Rc::clone(&process.name));
            self.arguments
                .push((Rc::clone(&process.name), arguments.clone()));
            self.repeated |= looping;
        }
        for child in e.children() {
            self.expression(child, looping);
        }
    }
}

/// Whether a jump stands anywhere in a statement.
fn jumps(statement: &Statement) -> bool {
    let inside = |sequence: &Sequence| {
        sequence
            .items
            .iter()
            .any(|item| matches!(item, Item::Statement(s) if jumps(s)))
    };
    match &statement.kind {
        StatementKind::Goto(_) => true,
        StatementKind::If(options) | StatementKind::Do(options) => options.iter().any(inside),
        StatementKind::ForRange(_, _, _, body)
        | StatementKind::ForIn(_, _, body)
        | StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::Call(body) => inside(body),
        StatementKind::Unless(a, b) => jumps(a) || jumps(b),
        StatementKind::Labelled(_, Some(inner)) => jumps(inner),
        _ => false,
    }
}

/// The type of a global variable by name.
fn global_type(tree: &crate::ast::Model, name: &str) -> Option<TypeName> {
    tree.units.iter().find_map(|unit| match unit {
        Unit::Declaration(declaration) => declaration
            .variables
            .iter()
            .any(|v| *v.name.name == *name)
            .then(|| declaration.ty.clone()),
        _ => None,
    })
}
