//! The obligations of programs whose variables all get their next values in one step.

use model::{Budget, ExprId, GlobalId, Program, SyncAssign, ValueSet, VariableKind};
use solver::Literal;

use crate::Rejected;
use crate::expression::Evaluator;
use crate::gates::Gates;
use crate::invariant::Invariant;
use crate::state::{Scope, State};
use crate::symbol::Symbol;

/// What is asked of a program's states and steps.
pub(crate) trait Question {
    /// Whether a state is bad.
    fn bad(&self, gates: &mut Gates, program: &Program, state: &State)
    -> Result<Literal, Rejected>;

    /// Says more of an initial state.
    fn first(&self, _: &mut Gates, _: &mut State) {}

    /// Says more of a step.
    fn step(&self, _: &mut Gates, _: &Program, _: &State, _: &[Symbol]) -> Result<(), Rejected> {
        Ok(())
    }
}

/// Whether a state that satisfies an expression can be reached.
pub(crate) struct States(pub(crate) ExprId);

impl Question for States {
    fn bad(
        &self,
        gates: &mut Gates,
        program: &Program,
        state: &State,
    ) -> Result<Literal, Rejected> {
        gates.holds(program, Scope::outside(state), self.0)
    }
}

/// From any state that satisfies the invariant every step leads to one that does; none is bad.
pub(crate) fn steps(
    program: &Program,
    assigns: &[SyncAssign],
    question: &impl Question,
    invariant: &Invariant,
    budget: &Budget,
) -> Result<(), Rejected> {
    let mut gates = Gates::new(budget);
    let state = State::any(&mut gates, program)?;
    let holds = gates.invariant(program, &state, invariant)?;
    gates.clause(&[holds]);
    for &constraint in &program.state_constraint {
        let holds = gates.holds(program, Scope::outside(&state), constraint)?;
        gates.clause(&[holds]);
    }
    let is_bad = question.bad(&mut gates, program, &state)?;
    if gates.possible(&[is_bad], budget)? {
        return Err(Rejected::Violated);
    }
    let mut next: Vec<Symbol> = Vec::new();
    for (index, variable) in program.globals.iter().enumerate() {
        next.push(match variable.kind {
            VariableKind::Frozen => state.globals[index].clone(),
            _ => gates.any_of(program, &variable.ty)?,
        });
    }
    for assign in assigns {
        let scope = Scope {
            next: Some(&next),
            ..Scope::outside(&state)
        };
        let value = chosen(&mut gates, program, scope, &assign.next)?;
        let same = gates.same(&value, &next[assign.global.index()]);
        gates.clause(&[same]);
    }
    for &relation in &program.relation {
        let scope = Scope {
            next: Some(&next),
            ..Scope::outside(&state)
        };
        let holds = gates.holds(program, scope, relation)?;
        gates.clause(&[holds]);
    }
    question.step(&mut gates, program, &state, &next)?;
    let after = State {
        globals: next,
        instances: Vec::new(),
    };
    for &constraint in &program.state_constraint {
        let holds = gates.holds(program, Scope::outside(&after), constraint)?;
        gates.clause(&[holds]);
    }
    let holds = gates.invariant(program, &after, invariant)?;
    if gates.possible(&[!holds], budget)? {
        return Err(Rejected::NotInductive("a step".to_owned()));
    }
    Ok(())
}

/// Every initial state satisfies the invariant.
pub(crate) fn initially(
    program: &Program,
    question: &impl Question,
    invariant: &Invariant,
    budget: &Budget,
) -> Result<(), Rejected> {
    let mut gates = Gates::new(budget);
    let mut state = State {
        globals: program
            .globals
            .iter()
            .map(|variable| gates.zero(program, &variable.ty))
            .collect::<Result<_, _>>()?,
        instances: Vec::new(),
    };
    for (index, variable) in program.globals.iter().enumerate() {
        let set = match (&variable.init, variable.kind) {
            (Some(set), _) => set.clone(),
            (None, VariableKind::Input) => ValueSet::All(variable.ty.clone()),
            (None, _) => continue,
        };
        let value = chosen(&mut gates, program, Scope::outside(&state), &set)?;
        state.globals[GlobalId::new(index).index()] = match value {
            Symbol::Number(number) => Symbol::Number(gates.wrap(&number, &variable.ty)),
            other => other,
        };
    }
    question.first(&mut gates, &mut state);
    for &condition in program.initial.iter().chain(&program.state_constraint) {
        let holds = gates.holds(program, Scope::outside(&state), condition)?;
        gates.clause(&[holds]);
    }
    let holds = gates.invariant(program, &state, invariant)?;
    if gates.possible(&[!holds], budget)? {
        return Err(Rejected::NotInductive("the initial state".to_owned()));
    }
    Ok(())
}

/// A value of a set; a choice that faults is none.
fn chosen(
    gates: &mut Gates,
    program: &Program,
    scope: Scope<'_>,
    set: &ValueSet,
) -> Result<Symbol, Rejected> {
    let mut evaluator = Evaluator::new(gates, program);
    let (value, exists) = evaluator.pick(scope, set)?;
    let faults = std::mem::take(&mut evaluator.faults);
    gates.clause(&[exists]);
    for faulty in faults {
        gates.clause(&[!faulty.when]);
    }
    Ok(value)
}
