//! A copy of a program that follows a given macro step.
//!
//! [Lifting](crate::lift) asks the reference interpreter what the original can do along a macro
//! step of the reduced program. On the original itself there may be no end to the answer: loops,
//! wide choices. So it asks a copy. *Strictly* guided, a new variable counts the moves made; each
//! step that the reduced program still has is possible only when its turn has come, and with the
//! choices made then. Steps at locations that the reduced program skips are free, but choices
//! that it does not have are narrowed to one value each, and loops are left at once. Guided
//! *widely*, only the choices of the first move are made, everything else is free.
//!
//! Every run of the copy is one of the original that has been given fewer steps and choices; it
//! may differ only where the original asks what is enabled. So what is found is replayed.

use std::collections::BTreeMap;

use model::interp::State;
use model::{
    Action, Binary, Choice, Expr, ExprId, GlobalId, LocId, Mode, Move, Place, Program, Step,
    StepId, Stmt, Target, Type, Value, ValueSet, Variable, VariableKind,
};

use crate::access::outgoing;
use crate::rewrite::is_disabled;

/// Makes guided copies.
pub(crate) struct Guide<'a> {
    original: &'a Program,
    reduced: &'a Program,
    counter: GlobalId,
    /// For each process and step whether the reduced program skips the location where it begins.
    skipped: Vec<Vec<bool>>,
    /// The copies for wide and for strict guidance, once they have been asked for.
    copies: [Option<Guided>; 2],
}

/// A copy of the original, with the counter.
struct Guided {
    program: Program,
    /// What stood where the macro step that was asked for last has changed something: the
    /// process, the step's position, the step.
    before: Vec<(usize, usize, Step)>,
}

/// When a step is taken, and with what.
struct Turn {
    /// Holds when its turn has come.
    now: ExprId,
    /// Holds then in its body, where the counter may have moved on.
    within: ExprId,
    /// The choices of its part before the guard.
    binds: Vec<Value>,
    /// The choices of its body, if it is clear which those are.
    body: Option<Vec<Value>>,
}

impl<'a> Guide<'a> {
    pub(crate) fn new(original: &'a Program, reduced: &'a Program) -> Self {
        Guide {
            original,
            reduced,
            // It is added behind the original's variables.
            counter: GlobalId::new(original.globals.len()),
            skipped: skipped_steps(original, reduced),
            copies: [None, None],
        }
    }

    /// The state as the copy has it.
    pub(crate) fn enter(&self, mut state: State) -> State {
        state.globals.push(Value::Int(0));
        state
    }

    /// The state as the original has it.
    pub(crate) fn leave(&self, mut state: State) -> State {
        state.globals.truncate(self.counter.index());
        state
    }

    /// Whether a step begins where every state is stored.
    pub(crate) fn starts_open(&self, process: usize, step: usize) -> bool {
        let process = &self.original.processes[process];
        let is_open = |at: &LocId| process.locations[at.index()].mode == Mode::Open;
        let id = StepId::new(step);
        let mut escapes = process
            .escapes
            .iter()
            .filter(|escape| escape.steps.contains(&id))
            .peekable();
        if escapes.peek().is_some() {
            escapes.flat_map(|escape| &escape.covers).all(is_open)
        } else {
            is_open(&process.steps[step].from)
        }
    }

    /// The templates that an instance may be of.
    pub(crate) fn templates(&self, instance: u32) -> impl Iterator<Item = usize> + use<> {
        let started = self.original.start.get(instance as usize);
        let fixed = started.map(|start| start.process.index());
        let all = self.original.processes.len();
        (0..all).filter(move |&process| fixed.is_none_or(|fixed| fixed == process))
    }

    /// A copy guided along the moves.
    pub(crate) fn along(&mut self, moves: &[Move], strictly: bool) -> &Program {
        let kept = usize::from(strictly);
        let taken = self.copies[kept].take();
        let mut guided = taken.unwrap_or_else(|| self.copy(strictly));
        for (process, step, before) in guided.before.drain(..) {
            guided.program.processes[process].steps[step] = before;
        }
        for ((process, step), turns) in self.turns(&mut guided.program, moves, strictly) {
            let original = self.original.processes[process].steps[step].clone();
            let place = &mut guided.program.processes[process].steps[step];
            let before = std::mem::replace(place, original);
            guided.before.push((process, step, before));
            self.take(&mut guided.program, process, step, &turns, strictly);
        }
        &self.copies[kept].insert(guided).program
    }

    /// A copy that has nothing to follow yet. Strictly guided, it takes free steps only.
    fn copy(&self, strictly: bool) -> Guided {
        let mut program = self.original.clone();
        for variable in &mut program.globals {
            // The copy is never asked for its initial states, but it is for the first values of
            // what lives within macro steps.
            if variable.kind != VariableKind::Step {
                variable.init = None;
            }
        }
        program.initial.clear();
        let counter = program.add_global(Variable::new("moves made", Type::Mathint));
        debug_assert_eq!(counter, self.counter);
        let never = program.exprs.bool(false);
        let processes = if strictly { program.processes.len() } else { 0 };
        for process in 0..processes {
            let mut beginning = vec![Vec::new(); program.processes[process].locations.len()];
            for (step, each) in program.processes[process].steps.iter().enumerate() {
                beginning[each.from.index()].push(step);
            }
            for step in 0..program.processes[process].steps.len() {
                let is_free =
                    self.skipped[process][step] && !self.leaves_at_once(process, step, &beginning);
                let steps = &mut program.processes[process].steps;
                if !is_free {
                    steps[step].guard = Some(never);
                    continue;
                }
                let mut binds = std::mem::take(&mut steps[step].binds);
                let mut body = std::mem::take(&mut steps[step].body);
                for choice in &mut binds {
                    narrow(&mut program, choice);
                }
                for choice in all_choices(&mut body) {
                    narrow(&mut program, choice);
                }
                let steps = &mut program.processes[process].steps;
                steps[step].binds = binds;
                steps[step].body = body;
            }
        }
        Guided {
            program,
            before: Vec::new(),
        }
    }

    /// When each step is taken.
    fn turns(
        &self,
        guided: &mut Program,
        moves: &[Move],
        strictly: bool,
    ) -> BTreeMap<(usize, usize), Vec<Turn>> {
        let mut turns: BTreeMap<(usize, usize), Vec<Turn>> = BTreeMap::new();
        let mut made = 0;
        for (number, one) in moves.iter().enumerate() {
            if number > 0 && !strictly {
                break;
            }
            let steps: Vec<(u32, usize, usize)> = one
                .parts
                .iter()
                .filter_map(|part| match part.action {
                    Action::Step(id) => Some((part.instance, id.index())),
                    Action::Leave => None,
                })
                .filter_map(|(instance, step)| {
                    let process = self
                        .templates(instance)
                        .find(|&process| step < self.original.processes[process].steps.len())?;
                    Some((instance, process, step))
                })
                .collect();
            let skipped = |&(_, process, step): &(u32, usize, usize)| self.skipped[process][step];
            if steps.is_empty() || steps.iter().all(skipped) {
                continue;
            }
            let mut values = one.choices.iter().cloned();
            let taken: Vec<_> = steps
                .iter()
                .map(|&(instance, process, step)| {
                    let count = self.reduced.processes[process].steps[step].binds.len();
                    let binds: Vec<Value> = values.by_ref().take(count).collect();
                    (instance, process, step, binds)
                })
                .collect();
            // Then come those of the bodies. Whose they are is clear if none is on a branch.
            let in_bodies: Option<Vec<usize>> = steps
                .iter()
                .map(|&(_, process, step)| {
                    let body = &self.reduced.processes[process].steps[step].body;
                    let count = straight_choices(body).count();
                    (count == choices_in(body)).then_some(count)
                })
                .collect();
            let in_bodies = in_bodies.filter(|_| self.observers_choose_nothing());
            let mut bodies = in_bodies.into_iter().flatten().map(|count| {
                let values: Vec<Value> = values.by_ref().take(count).collect();
                values
            });
            for (instance, process, step, binds) in taken {
                let now = self.is_turn(guided, made, instance);
                let within = self.is_turn(guided, made + 1, instance);
                turns.entry((process, step)).or_default().push(Turn {
                    now,
                    within,
                    binds,
                    body: bodies.next(),
                });
            }
            made += 1;
        }
        turns
    }

    /// The condition that so many moves have been made, and that it is the instance that asks.
    fn is_turn(&self, guided: &mut Program, made: i128, instance: u32) -> ExprId {
        let pool = &mut guided.exprs;
        let counter = pool.load(Place::global(self.counter), Type::Mathint);
        let made = pool.int(made, Type::Mathint);
        let turn = pool.binary(Binary::Eq, counter, made);
        let me = pool.add(Expr::Me, Type::Instance);
        let instance = pool.int(instance.into(), Type::Instance);
        let mine = pool.binary(Binary::Eq, me, instance);
        pool.and(turn, mine)
    }

    fn observers_choose_nothing(&self) -> bool {
        let mut observers = self.original.observers.iter();
        observers.all(|observer| choices_in(&observer.body) == 0)
    }

    /// Makes a step possible in its turns only, with the choices made then.
    fn take(
        &self,
        guided: &mut Program,
        index: usize,
        step: usize,
        turns: &[Turn],
        strictly: bool,
    ) {
        let steps = &mut guided.processes[index].steps;
        let mut binds = std::mem::take(&mut steps[step].binds);
        let mut body = std::mem::take(&mut steps[step].body);
        let reduced = &self.reduced.processes[index].steps[step];
        let now: Vec<(ExprId, &[Value])> = turns
            .iter()
            .map(|turn| (turn.now, turn.binds.as_slice()))
            .collect();
        decide(
            guided,
            binds.iter_mut(),
            reduced.binds.iter(),
            &now,
            strictly,
        );
        let within: Option<Vec<(ExprId, &[Value])>> = turns
            .iter()
            .map(|turn| Some((turn.within, turn.body.as_deref()?)))
            .collect();
        let is_straight = straight_choices(&body).count() == choices_in(&body);
        match within {
            // Those on branches are none of the reduced program's.
            Some(within) if is_straight || strictly => decide(
                guided,
                all_choices(&mut body).into_iter(),
                straight_choices(&reduced.body),
                &within,
                strictly,
            ),
            _ if strictly => {
                let mut kept = reduced.body.clone();
                let kept = all_choices(&mut kept);
                for choice in all_choices(&mut body) {
                    if kept.iter().all(|kept| kept.place != choice.place) {
                        narrow(guided, choice);
                    }
                }
            }
            _ => {}
        }
        let counter = Place::global(self.counter);
        let pool = &mut guided.exprs;
        let count = pool.load(counter.clone(), Type::Mathint);
        let one = pool.int(1, Type::Mathint);
        let more = pool.binary(Binary::Add, count, one);
        // Joint moves count once: by the part whose turn has not been counted yet.
        let turns: Vec<ExprId> = turns.iter().map(|each| each.now).collect();
        let turn = pool.any(&turns);
        body.insert(
            0,
            Stmt::If(turn, vec![Stmt::Assign(counter, more)], Vec::new()),
        );
        let steps = &mut guided.processes[index].steps;
        if strictly {
            steps[step].guard = Some(match steps[step].guard {
                Some(guard) => pool.and(turn, guard),
                None => turn,
            });
        }
        steps[step].binds = binds;
        steps[step].body = body;
    }

    /// Whether the reduced program has given this inner step up for a sibling without condition:
    /// then the original can take that one too. `beginning` are the steps that begin at each
    /// location.
    fn leaves_at_once(&self, process: usize, step: usize, beginning: &[Vec<usize>]) -> bool {
        let reduced = &self.reduced.processes[process].steps;
        let original = &self.original.processes[process].steps;
        let from = original[step].from;
        let is_live = |step: usize| !is_disabled(self.reduced, &reduced[step]);
        let siblings = || beginning[from.index()].iter().copied();
        // Where nothing is left, the loop itself shows what has been given up.
        let given_up = if siblings().any(is_live) {
            !is_live(step)
        } else {
            original[step].target == Target::Goto(from)
        };
        given_up
            && siblings().any(|other| {
                original[other].guard.is_none()
                    && original[other].rank == original[step].rank
                    && original[other].target != Target::Goto(from)
                    && (is_live(other) || !siblings().any(is_live))
            })
    }
}

/// For each process and step whether it begins within a macro step at a location that the reduced
/// program leads past: there control has become one step that does nothing, or cannot be reached.
fn skipped_steps(original: &Program, reduced: &Program) -> Vec<Vec<bool>> {
    original
        .processes
        .iter()
        .zip(&reduced.processes)
        .map(|(before, after)| {
            let outgoing = outgoing(after);
            let is_skipped: Vec<bool> = (0..before.locations.len())
                .map(|at| {
                    let mut live = outgoing[at]
                        .iter()
                        .map(|&step| &after.steps[step])
                        .filter(|step| !is_disabled(reduced, step));
                    let does_nothing = live.next().is_none_or(|step| {
                        step.guard.is_none()
                            && step.binds.is_empty()
                            && step.comm.is_none()
                            && step.body.is_empty()
                    });
                    before.locations[at].mode == Mode::Region
                        && does_nothing
                        && live.next().is_none()
                })
                .collect();
            before
                .steps
                .iter()
                .map(|step| is_skipped[step.from.index()])
                .collect()
        })
        .collect()
}

/// The number of choices, those on branches included.
fn choices_in(body: &[Stmt]) -> usize {
    body.iter()
        .map(|stmt| match stmt {
            Stmt::Choose(_) => 1,
            Stmt::If(_, then, otherwise) => choices_in(then) + choices_in(otherwise),
            _ => 0,
        })
        .sum()
}

/// All choices, in the order of the text.
fn all_choices(body: &mut [Stmt]) -> Vec<&mut Choice> {
    body.iter_mut()
        .flat_map(|stmt| match stmt {
            Stmt::Choose(choice) => vec![choice],
            Stmt::If(_, then, otherwise) => {
                let mut choices = all_choices(then);
                choices.extend(all_choices(otherwise));
                choices
            }
            _ => Vec::new(),
        })
        .collect()
}

/// The choices that are not on branches.
fn straight_choices(body: &[Stmt]) -> impl Iterator<Item = &Choice> {
    body.iter().filter_map(|stmt| match stmt {
        Stmt::Choose(choice) => Some(choice),
        _ => None,
    })
}

/// Makes choices as the run does in each turn, where the reduced program has kept them; narrows
/// the others.
fn decide<'c>(
    program: &mut Program,
    choices: impl Iterator<Item = &'c mut Choice>,
    kept: impl Iterator<Item = &'c Choice>,
    turns: &[(ExprId, &[Value])],
    strictly: bool,
) {
    let mut kept = kept.enumerate().peekable();
    for choice in choices {
        if kept
            .peek()
            .is_some_and(|(_, other)| other.place == choice.place)
        {
            let (position, _) = kept.next().expect("just looked at");
            // Once its turns are over, the step is not taken again; widely guided, it may be.
            let mut set = match &choice.sample {
                _ if strictly => ValueSet::Union(Vec::new()),
                Some(sample) => {
                    ValueSet::Union(sample.iter().map(|&value| ValueSet::One(value)).collect())
                }
                None => choice.set.clone(),
            };
            for (now, values) in turns {
                if let Some(value) = values.get(position) {
                    let one = exactly(program, &choice.set, value);
                    set = ValueSet::Ite(*now, Box::new(one), Box::new(set));
                }
            }
            choice.set = set;
            choice.sample = None;
        } else if strictly {
            narrow(program, choice);
        }
    }
}

/// The value alone, if it is a member of the set.
fn exactly(program: &mut Program, set: &ValueSet, value: &Value) -> ValueSet {
    let ty = match value {
        Value::Bool(_) => Type::Bool,
        Value::Int(_) => Type::Mathint,
        // Only numbers come in intervals; for other values the type is not looked at.
        _ => Type::Rich,
    };
    let value = program.exprs.value(value.clone(), ty);
    let is_member = membership(program, set, value);
    ValueSet::Ite(
        is_member,
        Box::new(ValueSet::One(value)),
        Box::new(ValueSet::Union(Vec::new())),
    )
}

/// The condition that a value is a member of a set.
fn membership(program: &mut Program, set: &ValueSet, value: ExprId) -> ExprId {
    match set {
        ValueSet::One(one) => program.exprs.binary(Binary::Eq, *one, value),
        ValueSet::Between(lo, hi) => {
            let above = program.exprs.binary(Binary::Le, *lo, value);
            let below = program.exprs.binary(Binary::Le, value, *hi);
            program.exprs.and(above, below)
        }
        ValueSet::Union(sets) => {
            let sets = sets.iter().map(|set| membership(program, set, value));
            let sets: Vec<ExprId> = sets.collect();
            program.exprs.any(&sets)
        }
        ValueSet::Ite(cond, a, b) => {
            let a = membership(program, a, value);
            let b = membership(program, b, value);
            program.exprs.add(Expr::Ite(*cond, a, b), Type::Bool)
        }
        ValueSet::All(ty) => {
            let fits = program
                .exprs
                .constant(value)
                .is_some_and(|value| program.has_type(value, ty));
            program.exprs.bool(fits)
        }
    }
}

/// Leaves a choice one of its values, where one is plain to see.
fn narrow(program: &mut Program, choice: &mut Choice) {
    fn first(program: &mut Program, set: &ValueSet) -> Option<ValueSet> {
        Some(match set {
            ValueSet::One(_) => set.clone(),
            // Not the least value alone: the interval may be empty.
            ValueSet::Between(lo, hi) => {
                let below = program.exprs.binary(Binary::Le, *lo, *hi);
                ValueSet::Ite(
                    below,
                    Box::new(ValueSet::One(*lo)),
                    Box::new(ValueSet::Union(Vec::new())),
                )
            }
            ValueSet::Union(sets) => first(program, sets.first()?)?,
            ValueSet::Ite(cond, a, b) => ValueSet::Ite(
                *cond,
                Box::new(first(program, a)?),
                Box::new(first(program, b)?),
            ),
            ValueSet::All(ty) => {
                let zero = program.zero(ty);
                ValueSet::One(program.exprs.value(zero, ty.clone()))
            }
        })
    }
    let narrowed = match &choice.sample {
        Some(sample) => sample.first().map(|&value| ValueSet::One(value)),
        None => first(program, &choice.set),
    };
    if let Some(set) = narrowed {
        choice.set = set;
        choice.sample = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn membership_of_many_values_does_not_nest_deeply() {
        let mut program = Program::new("texts", "by hand");
        let numbers = 0..20_000;
        let set = numbers.map(|number| ValueSet::One(program.exprs.int(number, Type::Mathint)));
        let set = ValueSet::Union(set.collect());
        for (number, expected) in [(0, true), (19_999, true), (20_000, false)] {
            let value = program.exprs.int(number, Type::Mathint);
            let is_member = membership(&mut program, &set, value);
            let found = crate::fold::evaluate(&program, is_member, &|_| None);
            assert_eq!(found, Some(Value::Bool(expected)), "{number}");
        }
        assert!(program.exprs.nesting() < 20, "{}", program.exprs.nesting());
    }
}
