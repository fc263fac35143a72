//! Whether a program is one: what front ends and passes promise, looked at.
//!
//! Ids name something, conditions are truth values, first values fit their types, and control that has
//! begun a macro step can go on. Whoever lowers a script is told by tests and debug builds what it has
//! broken, before an engine reads nonsense; the tests of passes ask after each of them. It is no part
//! of a release build: what it looks for is a defect of ours.

use thiserror::Error;

use crate::expr::{Binary, Expr, Place, Root, Unary, ValueSet};
use crate::ids::{ExprId, LocId};
use crate::process::{Callee, Choice, Comm, Mode, Pattern, Process, Stmt, Target};
use crate::program::{Composition, Program};
use crate::property::Claim;
use crate::types::Type;
use crate::value::Value;

/// What is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("validate the program: {0}")]
pub struct Invalid(pub String);

type Valid = Result<(), Invalid>;

fn invalid<T>(what: impl Into<String>) -> Result<T, Invalid> {
    Err(Invalid(what.into()))
}

impl Program {
    /// Looks at everything that front ends and passes promise.
    ///
    /// # Errors
    /// The first promise that is broken.
    pub fn validate(&self) -> Result<(), Invalid> {
        for id in (0..self.exprs.len()).map(ExprId::new) {
            self.valid_expr(id)?;
        }
        for global in &self.globals {
            self.valid_first(&global.name, &global.ty, global.init.as_ref())?;
        }
        for process in &self.processes {
            let here = Here {
                program: self,
                process: Some(process),
            };
            here.process(process)
                .map_err(|Invalid(why)| Invalid(format!("process {}: {why}", process.name)))?;
        }
        let nowhere = Here {
            program: self,
            process: None,
        };
        for start in &self.start {
            let Some(process) = self.processes.get(start.process.index()) else {
                return invalid("an instance of no process is started");
            };
            if start.args.len() != process.parameters {
                return invalid(format!("{} is started with other arguments", process.name));
            }
        }
        for observer in &self.observers {
            in_table("event", observer.event.index(), self.events.len())?;
            nowhere.body(&observer.body)?;
        }
        if let Composition::Synchronous(assigns) = &self.composition {
            for assign in assigns {
                in_table("variable", assign.global.index(), self.globals.len())?;
                nowhere.set(&assign.next)?;
            }
        }
        let constraints = [&self.initial, &self.state_constraint, &self.relation];
        for &constraint in constraints.into_iter().flatten() {
            self.condition(constraint)?;
        }
        self.valid_properties()
    }

    fn valid_properties(&self) -> Valid {
        for property in &self.properties {
            let name = &property.name;
            for assumption in &property.assumptions {
                in_table("assumption", assumption.index(), self.assumptions.len())?;
            }
            for observer in &property.observers {
                in_table("observer", observer.index(), self.observers.len())?;
            }
            if let Some(trigger) = property.trigger {
                self.condition(trigger)?;
            }
            let atoms = match &property.claim {
                Claim::Check(check) => {
                    in_table("check", check.index(), self.checks.len())?;
                    Vec::new()
                }
                Claim::NoFault(faults) => {
                    for fault in faults {
                        in_table("fault", fault.index(), self.faults.len())?;
                    }
                    Vec::new()
                }
                Claim::Always(invariant) => vec![*invariant],
                Claim::Ltl(formula) => formula.atoms().into_iter().copied().collect(),
                Claim::Ctl(formula) => formula.atoms().into_iter().copied().collect(),
                Claim::Never(automaton) => automaton.atoms.clone(),
                _ => Vec::new(),
            };
            for atom in atoms {
                self.condition(atom)
                    .map_err(|Invalid(why)| Invalid(format!("property {name}: {why}")))?;
            }
        }
        Ok(())
    }

    /// Operands come before what they are operands of, and are of a type that fits.
    fn valid_expr(&self, id: ExprId) -> Valid {
        let expr = self.exprs.get(id);
        let mut late = false;
        expr.operands(|operand| late |= operand >= id);
        if late {
            return invalid(format!("expression {} comes before an operand", id.0));
        }
        let truths = |all: &[ExprId]| all.iter().try_for_each(|&one| self.condition(one));
        match expr {
            Expr::Unary(Unary::Not, a) => truths(&[*a, id]),
            Expr::Binary(Binary::And | Binary::Or, a, b) => truths(&[*a, *b, id]),
            Expr::Binary(Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le, ..)
            | Expr::At { .. }
            | Expr::AnyAt(_)
            | Expr::Enabled(_)
            | Expr::NothingEnabled
            | Expr::Poll { .. } => truths(&[id]),
            Expr::Ite(cond, ..) => truths(&[*cond]),
            Expr::Const(value) if !self.is_value(value, self.exprs.ty(id)) => {
                let ty = self.exprs.ty(id);
                invalid(format!("the constant {value:?} is no {ty:?}"))
            }
            Expr::Next(global) => in_table("variable", global.index(), self.globals.len()),
            Expr::Apply(function, args) => {
                in_table("function", function.index(), self.functions.len())?;
                let function = &self.functions[function.index()];
                match args.len() == function.parameters.len() {
                    true => Ok(()),
                    false => invalid(format!("{} has other parameters", function.name)),
                }
            }
            Expr::Load(place) => self.valid_root(place),
            _ => Ok(()),
        }
    }

    fn valid_root(&self, place: &Place) -> Valid {
        match place.root {
            Root::Global(global) => in_table("variable", global.index(), self.globals.len()),
            Root::Remote { process, local, .. } => {
                in_table("process", process.index(), self.processes.len())?;
                let locals = self.processes[process.index()].locals.len();
                in_table("local", local as usize, locals)
            }
            Root::Own(_) | Root::Frame(_) | Root::Cell(_) | Root::Argument(_) => Ok(()),
        }
    }

    /// That an expression there is has a truth value.
    fn condition(&self, id: ExprId) -> Valid {
        in_table("expression", id.index(), self.exprs.len())?;
        match self.exprs.ty(id) {
            Type::Bool => Ok(()),
            other => invalid(format!("a condition is of type {other:?}")),
        }
    }

    /// Whether a value is one of a type.
    fn is_value(&self, value: &Value, ty: &Type) -> bool {
        match (value, ty) {
            (Value::Bool(_), Type::Bool)
            | (Value::Rich(_), Type::Rich)
            | (Value::Pointer(_), Type::Pointer(_))
            | (Value::Procedure(_), Type::Procedure)
            | (Value::Int(_), Type::Mathint) => true,
            // Arithmetic on ranges is exact: only what is stored has to be inside.
            (Value::Int(_), Type::Range { .. }) => true,
            (Value::Int(n), Type::Int { .. }) => {
                ty.bounds().is_some_and(|(lo, hi)| (lo..=hi).contains(n))
            }
            (Value::Int(n), Type::Enum(id)) => self.enums.get(id.index()).is_some_and(|known| {
                usize::try_from(*n).is_ok_and(|member| member < known.members.len())
            }),
            (Value::Int(n), Type::Channel) => *n >= 0,
            (Value::Int(n), Type::Instance) => *n >= -1,
            (Value::Tuple(items), Type::Array(item, length)) => {
                items.len() == *length as usize && items.iter().all(|one| self.is_value(one, item))
            }
            (Value::Tuple(items), Type::Record(id)) => {
                self.records.get(id.index()).is_some_and(|known| {
                    let mut fields = items.iter().zip(&known.fields);
                    items.len() == known.fields.len()
                        && fields.all(|(one, (_, ty))| self.is_value(one, ty))
                })
            }
            _ => false,
        }
    }

    /// That constants among a variable's first values are of its type.
    fn valid_first(&self, name: &str, ty: &Type, init: Option<&ValueSet>) -> Valid {
        let Some(ValueSet::One(first)) = init else {
            return Ok(());
        };
        match self.exprs.constant(*first) {
            Some(value) if !(self.is_value(value, ty) && is_inside(value, ty)) => {
                invalid(format!("{name} begins as {value:?}, which is no {ty:?}"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a number lies in the range that its type is, if it is one.
fn is_inside(value: &Value, ty: &Type) -> bool {
    match (value, ty) {
        (Value::Int(n), Type::Range { lo, hi }) => (i128::from(*lo)..=i128::from(*hi)).contains(n),
        _ => true,
    }
}

fn in_table(what: &str, index: usize, length: usize) -> Valid {
    match index < length {
        true => Ok(()),
        false => invalid(format!("there is no {what} {index}")),
    }
}

/// Where statements stand.
struct Here<'p> {
    program: &'p Program,
    process: Option<&'p Process>,
}

impl Here<'_> {
    fn process(&self, process: &Process) -> Valid {
        let locations = process.locations.len();
        let location = |id: LocId| in_table("location", id.index(), locations);
        location(process.entry)?;
        process.on_fault.map_or(Ok(()), location)?;
        if process.parameters > process.locals.len() {
            return invalid("it has more parameters than locals");
        }
        for local in &process.locals {
            self.program
                .valid_first(&local.name, &local.ty, local.init.as_ref())?;
        }
        for procedure in &process.procedures {
            location(procedure.entry)?;
        }
        process
            .provided
            .map_or(Ok(()), |provided| self.program.condition(provided))?;
        for escape in &process.escapes {
            escape.covers.iter().copied().try_for_each(location)?;
            for step in &escape.steps {
                in_table("step", step.index(), process.steps.len())?;
            }
        }
        let mut has_steps = vec![false; locations];
        for step in &process.steps {
            location(step.from)?;
            has_steps[step.from.index()] = true;
            match &step.target {
                Target::Goto(to) => location(*to)?,
                Target::Call { callee, then, .. } => {
                    location(*then)?;
                    if let Callee::Known(procedure) = callee {
                        in_table("procedure", procedure.index(), process.procedures.len())?;
                    }
                }
                Target::Return(_) | Target::End => {}
            }
            step.binds.iter().try_for_each(|bind| self.choice(bind))?;
            step.guard
                .map_or(Ok(()), |guard| self.program.condition(guard))?;
            step.comm.as_ref().map_or(Ok(()), |comm| self.comm(comm))?;
            self.body(&step.body)?;
        }
        self.regions(process, &has_steps)
    }

    /// Who is inside a macro step has to be able to go on, or nobody ever moves again. Where no control
    /// flow leads, nobody is.
    fn regions(&self, process: &Process, has_steps: &[bool]) -> Valid {
        let mut leads_to: Vec<Vec<LocId>> = vec![Vec::new(); process.locations.len()];
        let is_never = |guard: ExprId| {
            let value = self.program.exprs.constant(guard);
            value.is_some_and(|value| !value.truth())
        };
        for step in &process.steps {
            if step.guard.is_some_and(is_never) {
                continue;
            }
            match &step.target {
                Target::Goto(to) | Target::Call { then: to, .. } => {
                    leads_to[step.from.index()].push(*to);
                }
                Target::Return(_) | Target::End => {}
            }
        }
        let escapes = process.escapes.iter().flat_map(|escape| {
            let steps = escape.steps.iter();
            steps.map(|step| process.steps[step.index()].from)
        });
        let procedures = process.procedures.iter().map(|one| one.entry);
        let mut pending: Vec<LocId> = procedures.chain(escapes).collect();
        pending.push(process.entry);
        pending.extend(process.on_fault);
        let mut seen = vec![false; process.locations.len()];
        while let Some(at) = pending.pop() {
            if std::mem::replace(&mut seen[at.index()], true) {
                continue;
            }
            if process.locations[at.index()].mode == Mode::Region && !has_steps[at.index()] {
                let what = format!("location {} is inside a region and has no step", at.0);
                return invalid(what);
            }
            pending.extend(&leads_to[at.index()]);
        }
        Ok(())
    }

    fn body(&self, body: &[Stmt]) -> Valid {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&self, stmt: &Stmt) -> Valid {
        let program = self.program;
        match stmt {
            Stmt::Assign(place, value) => {
                in_table("expression", value.index(), program.exprs.len())?;
                self.place(place)
            }
            Stmt::Choose(choice) => self.choice(choice),
            Stmt::If(cond, then, otherwise) => {
                program.condition(*cond)?;
                self.body(then)?;
                self.body(otherwise)
            }
            Stmt::Assert { cond, check, .. } => {
                in_table("check", check.index(), program.checks.len())?;
                program.condition(*cond)
            }
            Stmt::Assume(cond) => program.condition(*cond),
            Stmt::Raise(fault) => in_table("fault", fault.index(), program.faults.len()),
            Stmt::Emit { event, args, .. } => {
                in_table("event", event.index(), program.events.len())?;
                let event = &program.events[event.index()];
                match args.len() == event.parameters.len() {
                    true => Ok(()),
                    false => invalid(format!("the event {} has other parameters", event.name)),
                }
            }
            Stmt::Spawn { process, args, .. } => {
                in_table("process", process.index(), program.processes.len())?;
                let spawned = &program.processes[process.index()];
                match args.len() == spawned.parameters {
                    true => Ok(()),
                    false => invalid(format!("{} is started with other arguments", spawned.name)),
                }
            }
            Stmt::NewChannel {
                channel, result, ..
            } => {
                in_table("channel", channel.index(), program.channels.len())?;
                self.place(result)
            }
            Stmt::New { object, result } => {
                in_table("object type", object.index(), program.objects.len())?;
                self.place(result)
            }
            Stmt::Free(pointer) => in_table("expression", pointer.index(), program.exprs.len()),
        }
    }

    fn choice(&self, choice: &Choice) -> Valid {
        if let Some(outside) = choice.outside {
            in_table("outside value", outside.index(), self.program.outside.len())?;
        }
        self.place(&choice.place)?;
        self.set(&choice.set)
    }

    fn comm(&self, comm: &Comm) -> Valid {
        match comm {
            Comm::Receive { patterns, .. } => {
                let binds = patterns.iter().filter_map(|pattern| match pattern {
                    Pattern::Bind(place) => Some(place),
                    _ => None,
                });
                binds.into_iter().try_for_each(|place| self.place(place))
            }
            Comm::Barrier(barrier) => {
                in_table("barrier", barrier.index(), self.program.barriers.len())
            }
            Comm::Send { .. } => Ok(()),
        }
    }

    fn set(&self, set: &ValueSet) -> Valid {
        match set {
            ValueSet::Ite(cond, then, otherwise) => {
                self.program.condition(*cond)?;
                self.set(then)?;
                self.set(otherwise)
            }
            ValueSet::Union(sets) => sets.iter().try_for_each(|set| self.set(set)),
            ValueSet::One(_) | ValueSet::Between(..) | ValueSet::All(_) => {
                let mut result = Ok(());
                set.operands(&mut |operand| {
                    if result.is_ok() {
                        let length = self.program.exprs.len();
                        result = in_table("expression", operand.index(), length);
                    }
                });
                result
            }
        }
    }

    /// A place that is written.
    fn place(&self, place: &Place) -> Valid {
        self.program.valid_root(place)?;
        match (place.root, self.process) {
            (Root::Own(local), Some(process)) => {
                in_table("local", local as usize, process.locals.len())
            }
            (Root::Own(_) | Root::Frame(_), None) => invalid("a local of no process is written"),
            (Root::Argument(_), _) => invalid("an event's argument is written"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use source::Span;

    use super::*;
    use crate::ids::{CheckId, GlobalId, ProcessId};
    use crate::process::Step;
    use crate::program::{Start, Variable};
    use crate::property::Property;

    /// A counter of one process, with a property.
    fn counter() -> Program {
        let mut program = Program::new("counter", "none");
        let ty = Type::Range { lo: 0, hi: 3 };
        let n = program.add_global(Variable::new("n", ty.clone()));
        let now = program.exprs.load(Place::global(n), ty.clone());
        let one = program.exprs.int(1, ty.clone());
        let more = program.exprs.binary(Binary::Add, now, one);
        let three = program.exprs.int(3, ty);
        let below = program.exprs.binary(Binary::Lt, now, three);
        let mut process = Process::new("counter");
        let here = process.add_location("here", Mode::Open, Span::NONE);
        process.add_step(Step {
            guard: Some(below),
            body: vec![Stmt::Assign(Place::global(n), more)],
            ..Step::new(here, here, Span::NONE)
        });
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
        program.add_property(Property {
            name: "p".to_owned(),
            text: "p".to_owned(),
            span: Span::NONE,
            claim: Claim::Always(below),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        program
    }

    #[test]
    fn a_program_as_it_should_be_is_valid() {
        assert_eq!(counter().validate(), Ok(()));
    }

    #[test]
    fn what_is_corrupted_is_found() {
        let now = |program: &mut Program| {
            let place = Place::global(GlobalId::new(0));
            program.exprs.load(place, program.globals[0].ty.clone())
        };
        type Corruption<'c> = (&'c str, &'c dyn Fn(&mut Program));
        let corruptions: [Corruption<'_>; 12] = [
            ("no variable", &|p| {
                let place = Place::global(GlobalId::new(7));
                p.exprs.load(place, Type::Bool);
            }),
            ("no Int", &|p| {
                let byte = Type::Int {
                    bits: 8,
                    signed: false,
                };
                p.exprs.int(300, byte);
            }),
            ("n begins as", &|p| {
                let nine = p.exprs.int(9, Type::Range { lo: 0, hi: 3 });
                p.globals[0].init = Some(ValueSet::One(nine));
            }),
            ("which is no Bool", &|p| {
                let two = p.exprs.int(2, Type::INT32);
                let flag = Variable::new("flag", Type::Bool);
                p.add_global(Variable {
                    init: Some(ValueSet::One(two)),
                    ..flag
                });
            }),
            ("a condition is of type", &|p| {
                let number = now(p);
                p.processes[0].steps[0].guard = Some(number);
            }),
            ("a condition is of type", &|p| {
                let number = now(p);
                p.exprs.unary(Unary::Not, number);
            }),
            ("property p: a condition", &|p| {
                p.properties[0].claim = Claim::Always(now(p));
            }),
            ("no check", &|p| {
                p.properties[0].claim = Claim::Check(CheckId::new(0));
            }),
            ("no location", &|p| {
                p.processes[0].steps[0].target = Target::Goto(LocId::new(4));
            }),
            ("inside a region", &|p| {
                let inside = p.processes[0].add_location("inside", Mode::Region, Span::NONE);
                p.processes[0].steps[0].target = Target::Goto(inside);
            }),
            ("of no process", &|p| {
                p.start[0].process = ProcessId::new(3);
            }),
            ("no local", &|p| {
                let three = p.exprs.int(3, Type::INT32);
                let assign = Stmt::Assign(Place::own(2), three);
                p.processes[0].steps[0].body.push(assign);
            }),
        ];
        for (expected, corrupt) in corruptions {
            let mut program = counter();
            corrupt(&mut program);
            let found = program.validate().map_err(|invalid| invalid.to_string());
            assert!(
                found.as_ref().is_err_and(|found| found.contains(expected)),
                "{expected}: {found:?}"
            );
        }
    }
}
