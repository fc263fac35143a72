//! Moves from states that are not known, one path at a time.
//!
//! A path is what is done if certain conditions hold. Where a statement branches or may fault, so
//! does the path; a path whose conditions cannot hold together is dropped.

use std::collections::BTreeSet;

use model::{
    Budget, Callee, Choice, FaultId, GlobalId, Place, Process, ProcessId, Program, Projection,
    Root, Step, StepId, Stmt, Target, Type, ValueSet,
};
use solver::Literal;

use crate::Rejected;
use crate::expression::Evaluator;
use crate::gates::Gates;
use crate::mathematical_integers::ledger;
use crate::state::{Call, Control, Faulty, Scope, State};
use crate::symbol::Symbol;

/// What is done under conditions.
#[derive(Clone)]
pub(crate) struct Path {
    pub(crate) state: State,
    pub(crate) conditions: Vec<Literal>,
    /// The fault that ended the move, and whose.
    pub(crate) fault: Option<(usize, FaultId)>,
    /// The steps that are taken.
    pub(crate) taken: Vec<(ProcessId, StepId)>,
}

impl Path {
    /// Where nothing has been done yet.
    pub(crate) fn at(state: State) -> Path {
        Path {
            state,
            conditions: Vec::new(),
            fault: None,
            taken: Vec::new(),
        }
    }
}

/// Makes moves of one program.
pub(crate) struct Runner<'p> {
    pub(crate) program: &'p Program,
    pub(crate) gates: Gates,
    pub(crate) budget: &'p Budget,
    /// The checks whose assertions must hold.
    pub(crate) asserted: Vec<model::CheckId>,
    /// The mathematical integers of which more than the low bits matter.
    pub(crate) observed: &'p BTreeSet<GlobalId>,
}

impl<'p> Runner<'p> {
    /// Whether conditions can hold together.
    pub(crate) fn possible(&mut self, conditions: &[Literal]) -> Result<bool, Rejected> {
        self.gates.possible(conditions, self.budget)
    }

    /// The path under one more condition, if that is possible.
    pub(crate) fn under(
        &mut self,
        path: &Path,
        condition: Literal,
    ) -> Result<Option<Path>, Rejected> {
        if self.gates.known(condition) == Some(true) {
            return Ok(Some(path.clone()));
        }
        let mut path = path.clone();
        path.conditions.push(condition);
        Ok(self.possible(&path.conditions)?.then_some(path))
    }

    /// Evaluates on a path; paths on which that faults go to `done`.
    pub(crate) fn evaluate<T>(
        &mut self,
        path: &mut Path,
        me: usize,
        arguments: &[Symbol],
        done: &mut Vec<Path>,
        evaluate: impl FnOnce(&mut Evaluator<'_, 'p>, Scope<'_>) -> Result<T, Rejected>,
    ) -> Result<T, Rejected> {
        let mut evaluator = Evaluator::new(&mut self.gates, self.program);
        let scope = Scope {
            arguments,
            ..Scope::of(&path.state, me)
        };
        let result = evaluate(&mut evaluator, scope)?;
        let faults = std::mem::take(&mut evaluator.faults);
        self.split_faults(path, me, &faults, done)?;
        Ok(result)
    }

    /// The path goes on where there is no fault.
    fn split_faults(
        &mut self,
        path: &mut Path,
        me: usize,
        faults: &[Faulty],
        done: &mut Vec<Path>,
    ) -> Result<(), Rejected> {
        for faulty in faults {
            if let Some(mut broken) = self.under(path, faulty.when)? {
                let Some(fault) = faulty.fault else {
                    return Err(Rejected::Wide);
                };
                broken.fault = Some((me, fault));
                done.push(broken);
            }
            path.conditions.push(!faulty.when);
        }
        Ok(())
    }

    /// The paths through statements; those that fault go to `done`.
    fn block(
        &mut self,
        paths: Vec<Path>,
        me: usize,
        body: &[Stmt],
        arguments: &[Symbol],
        done: &mut Vec<Path>,
    ) -> Result<Vec<Path>, Rejected> {
        let mut paths = paths;
        for stmt in body {
            let mut after = Vec::new();
            for path in paths {
                after.extend(self.statement(path, me, stmt, arguments, done)?);
            }
            paths = after;
        }
        Ok(paths)
    }

    fn statement(
        &mut self,
        mut path: Path,
        me: usize,
        stmt: &Stmt,
        arguments: &[Symbol],
        done: &mut Vec<Path>,
    ) -> Result<Vec<Path>, Rejected> {
        match stmt {
            Stmt::Assign(place, value) => {
                let unobserved = ledger(self.program, place)
                    .is_some_and(|ledger| !self.observed.contains(&ledger));
                let value = self.evaluate(&mut path, me, arguments, done, |evaluator, scope| {
                    evaluator.low = unobserved;
                    evaluator.eval(scope, *value)
                })?;
                self.store(&mut path, me, place, value, arguments, done)?;
                Ok(vec![path])
            }
            Stmt::Choose(choice) => {
                self.choose(&mut path, me, choice, arguments, done)?;
                Ok(vec![path])
            }
            Stmt::If(cond, then, otherwise) => {
                let cond = self.evaluate(&mut path, me, arguments, done, |evaluator, scope| {
                    evaluator.truth(scope, *cond)
                })?;
                if otherwise.is_empty() && then.iter().all(|stmt| self.writes_one_place(stmt)) {
                    for stmt in then {
                        self.write_if(&mut path, me, cond, stmt, arguments, done)?;
                    }
                    return Ok(vec![path]);
                }
                let mut after = Vec::new();
                for (cond, body) in [(cond, then), (!cond, otherwise)] {
                    if let Some(path) = self.under(&path, cond)? {
                        after.extend(self.block(vec![path], me, body, arguments, done)?);
                    }
                }
                Ok(after)
            }
            Stmt::Assert { cond, check, .. } => {
                let cond = self.evaluate(&mut path, me, arguments, done, |evaluator, scope| {
                    evaluator.truth(scope, *cond)
                })?;
                if self.asserted.contains(check) && self.under(&path, !cond)?.is_some() {
                    return Err(Rejected::Violated);
                }
                Ok(vec![path])
            }
            Stmt::Assume(cond) => {
                let cond = self.evaluate(&mut path, me, arguments, done, |evaluator, scope| {
                    evaluator.truth(scope, *cond)
                })?;
                Ok(self.under(&path, cond)?.into_iter().collect())
            }
            Stmt::Raise(fault) => {
                path.fault = Some((me, *fault));
                done.push(path);
                Ok(Vec::new())
            }
            Stmt::Emit { event, args, .. } => {
                let args = self.evaluate(&mut path, me, arguments, done, |evaluator, scope| {
                    evaluator.eval_all(scope, args)
                })?;
                let mut paths = vec![path];
                for observer in &self.program.observers {
                    if observer.event == *event {
                        paths = self.block(paths, me, &observer.body, &args, done)?;
                    }
                }
                Ok(paths)
            }
            Stmt::Spawn { .. } => Err(Rejected::unsupported("instances started at run time")),
            Stmt::NewChannel { .. } => Err(Rejected::unsupported("channels made at run time")),
            Stmt::New { .. } | Stmt::Free(_) => Err(Rejected::unsupported("pointers")),
        }
    }

    /// Whether a statement does nothing but write to one place that is always the same.
    fn writes_one_place(&self, stmt: &Stmt) -> bool {
        let place = match stmt {
            Stmt::Assign(place, _) if ledger(self.program, place).is_none() => place,
            Stmt::Choose(choice) => &choice.place,
            _ => return false,
        };
        place.path.iter().all(|projection| match projection {
            Projection::Field(_) => true,
            Projection::Index(index) => self.program.exprs.constant(*index).is_some(),
        })
    }

    /// Such a statement where a condition holds: one path instead of two.
    fn write_if(
        &mut self,
        path: &mut Path,
        me: usize,
        cond: Literal,
        stmt: &Stmt,
        arguments: &[Symbol],
        done: &mut Vec<Path>,
    ) -> Result<(), Rejected> {
        let (place, set) = match stmt {
            Stmt::Assign(place, value) => (place, &ValueSet::One(*value)),
            Stmt::Choose(choice) => (&choice.place, &choice.set),
            _ => unreachable!("it writes to one place"),
        };
        let (value, exists) = self.evaluate(path, me, arguments, done, |evaluator, scope| {
            let (value, exists) =
                evaluator.where_holds(cond, |evaluator| evaluator.pick(scope, set))?;
            let old = evaluator.load(scope, place)?;
            Ok((evaluator.gates.choose(cond, &value, &old), exists))
        })?;
        let exists = self.gates.or(!cond, exists);
        path.conditions.push(exists);
        self.store(path, me, place, value, arguments, done)
    }

    /// Chooses a value and stores it.
    pub(crate) fn choose(
        &mut self,
        path: &mut Path,
        me: usize,
        choice: &Choice,
        arguments: &[Symbol],
        done: &mut Vec<Path>,
    ) -> Result<(), Rejected> {
        let (value, exists) = self.evaluate(path, me, arguments, done, |evaluator, scope| {
            evaluator.pick(scope, &choice.set)
        })?;
        path.conditions.push(exists);
        self.store(path, me, &choice.place, value, arguments, done)
    }

    /// A value as its type stores it.
    fn fit(
        &mut self,
        path: &mut Path,
        me: usize,
        ty: &Type,
        value: Symbol,
        done: &mut Vec<Path>,
    ) -> Result<Symbol, Rejected> {
        Ok(match (ty, value) {
            (Type::Int { .. }, Symbol::Number(number)) => {
                Symbol::Number(self.gates.wrap(&number, ty))
            }
            (Type::Range { lo, hi }, Symbol::Number(number)) => {
                let within = self.gates.within(&number, (*lo).into(), (*hi).into());
                let faulty = Faulty {
                    when: !within,
                    fault: self.program.range_fault,
                };
                if self.gates.known(within) != Some(true) {
                    self.split_faults(path, me, &[faulty], done)?;
                }
                Symbol::Number(number)
            }
            (_, value) => value,
        })
    }

    pub(crate) fn store(
        &mut self,
        path: &mut Path,
        me: usize,
        place: &Place,
        value: Symbol,
        arguments: &[Symbol],
        done: &mut Vec<Path>,
    ) -> Result<(), Rejected> {
        let instance = &path.state.instances[me];
        let procedure = instance.calls.last().map(|call| call.procedure);
        let ty = self
            .program
            .place_type(Some(instance.process), procedure, place);
        let value = self.fit(path, me, &ty, value, done)?;
        let mut old = match place.root {
            Root::Global(id) => path.state.globals[id.index()].clone(),
            Root::Own(local) => path.state.instances[me].locals[local as usize].clone(),
            Root::Frame(local) => {
                let call = path.state.instances[me].calls.last();
                call.expect("inside a procedure").locals[local as usize].clone()
            }
            _ => return Err(Rejected::unsupported("pointers")),
        };
        // The way down: positions of each level, from the outermost.
        let mut levels = Vec::new();
        let mut part = old.clone();
        for projection in &place.path {
            let Symbol::Tuple(items) = part else {
                panic!("internal error: {part:?} has no parts");
            };
            let positions = self.evaluate(path, me, arguments, done, |evaluator, scope| {
                evaluator.positions(scope, projection, items.len())
            })?;
            levels.push(positions);
            part = items[0].clone();
        }
        replace(&mut self.gates, &mut old, &levels, &value, None);
        match place.root {
            Root::Global(id) => path.state.globals[id.index()] = old,
            Root::Own(local) => path.state.instances[me].locals[local as usize] = old,
            Root::Frame(local) => {
                let call = path.state.instances[me].calls.last_mut();
                call.expect("inside a procedure").locals[local as usize] = old;
            }
            _ => unreachable!("refused above"),
        }
        Ok(())
    }

    /// Runs the body of a step and goes to its target.
    pub(crate) fn body(
        &mut self,
        path: Path,
        me: usize,
        step: &Step,
        done: &mut Vec<Path>,
    ) -> Result<Vec<Path>, Rejected> {
        let mut after = Vec::new();
        for mut path in self.block(vec![path], me, &step.body, &[], done)? {
            self.go(&mut path, me, &step.target, done)?;
            after.push(path);
        }
        Ok(after)
    }

    fn go(
        &mut self,
        path: &mut Path,
        me: usize,
        target: &Target,
        done: &mut Vec<Path>,
    ) -> Result<(), Rejected> {
        match target {
            Target::Goto(location) => {
                path.state.instances[me].control = Control::At(*location);
            }
            Target::Call {
                callee: Callee::Known(procedure),
                args,
                result,
                then,
            } => {
                let process = self.process(&path.state, me);
                if path.state.instances[me].calls.len() >= process.max_frames as usize {
                    let truth = self.gates.constant(true);
                    let faulty = Faulty {
                        when: truth,
                        fault: self.program.stack_fault,
                    };
                    return self.split_faults(path, me, &[faulty], done);
                }
                let declaration = &process.procedures[procedure.index()];
                let values = self.evaluate(path, me, &[], done, |evaluator, scope| {
                    evaluator.eval_all(scope, args)
                })?;
                let mut locals = Vec::new();
                for (value, parameter) in values.into_iter().zip(&declaration.locals) {
                    locals.push(self.fit(path, me, &parameter.ty, value, done)?);
                }
                for variable in &declaration.locals[locals.len()..] {
                    locals.push(self.gates.zero(self.program, &variable.ty)?);
                }
                let instance = &mut path.state.instances[me];
                instance.calls.push(Call {
                    locals,
                    procedure: *procedure,
                    then: *then,
                    result: result.clone(),
                });
                instance.control = Control::At(declaration.entry);
                for (index, variable) in declaration
                    .locals
                    .iter()
                    .enumerate()
                    .skip(declaration.parameters)
                {
                    if let Some(set) = &variable.init {
                        let choice = Choice {
                            place: Place::frame(index),
                            set: set.clone(),
                            sample: None,
                            what: String::new(),
                            outside: None,
                        };
                        self.choose(path, me, &choice, &[], done)?;
                    }
                }
            }
            Target::Call { .. } => return Err(Rejected::unsupported("pointers to procedures")),
            Target::Return(value) => {
                let value = match value {
                    Some(value) => {
                        Some(self.evaluate(path, me, &[], done, |evaluator, scope| {
                            evaluator.eval(scope, *value)
                        })?)
                    }
                    None => None,
                };
                let instance = &mut path.state.instances[me];
                let call = instance
                    .calls
                    .pop()
                    .expect("a return is inside a procedure");
                instance.control = Control::At(call.then);
                if let (Some(place), Some(value)) = (call.result, value) {
                    self.store(path, me, &place, value, &[], done)?;
                }
            }
            Target::End => {
                let instance = &mut path.state.instances[me];
                instance.control = Control::Ended;
                instance.calls.clear();
                self.leave(path, me)?;
            }
        }
        Ok(())
    }

    /// The variables of an instance that goes away when it ends are zero, as in a circuit.
    fn leave(&mut self, path: &mut Path, me: usize) -> Result<(), Rejected> {
        let at_once = model::Composition::Interleaving {
            ids: model::IdPolicy::Fresh,
        };
        if self.program.composition == at_once {
            let process = self.process(&path.state, me);
            for (at, variable) in process.locals.iter().enumerate() {
                path.state.instances[me].locals[at] =
                    self.gates.zero(self.program, &variable.ty)?;
            }
        }
        Ok(())
    }

    pub(crate) fn process(&self, state: &State, me: usize) -> &'p Process {
        let process = state.instances[me].process;
        &self.program.processes[process.index()]
    }

    /// Where control goes after a fault.
    pub(crate) fn aftermath(&self, path: &mut Path) {
        let Some((me, _)) = path.fault.take() else {
            return;
        };
        let on_fault = self.process(&path.state, me).on_fault;
        let instance = &mut path.state.instances[me];
        instance.calls.clear();
        instance.control = on_fault.map_or(Control::Ended, Control::At);
    }
}

/// Puts a value where all the positions hold.
fn replace(
    gates: &mut Gates,
    old: &mut Symbol,
    levels: &[Vec<Literal>],
    value: &Symbol,
    under: Option<Literal>,
) {
    let Some((positions, deeper)) = levels.split_first() else {
        *old = match under {
            Some(cond) => gates.choose(cond, value, old),
            None => value.clone(),
        };
        return;
    };
    let Symbol::Tuple(items) = old else {
        panic!("internal error: {old:?} has no parts");
    };
    for (item, &this) in items.iter_mut().zip(positions) {
        let cond = match under {
            Some(outer) => gates.and(outer, this),
            None => this,
        };
        if gates.known(cond) != Some(false) {
            replace(gates, item, deeper, value, Some(cond));
        }
    }
}
