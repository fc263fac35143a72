//! What an action makes of a structure: cases, what may be reported, and where it leads.

use std::cell::Cell;

use model::predicates::Kleene;
use model::{Budget, MessageId, UnknownReason};

use crate::compile::{Action, Compiled, Condition, Place, Update};
use crate::creation::{Case, cases};
use crate::differencing::{Impossible, Transition};
use crate::focus::{Cases, onwards};
use crate::matrix::{Row, Shape};
use crate::set::Set;

/// A step of an action.
pub(crate) struct Step<S> {
    /// What may be reported, and whether it surely is if the step is taken.
    pub(crate) reported: Vec<(MessageId, Kleene)>,
    /// Where it leads; `None`: nowhere, since a rule is broken.
    pub(crate) after: Option<Shape<S>>,
}

/// A structure has too many individuals.
pub(crate) struct TooLarge;

/// Why an action was not applied to the end.
pub(crate) enum Stopped {
    /// A structure has too many individuals.
    TooLarge,
    /// A limit is reached.
    Limit(UnknownReason),
}

impl From<TooLarge> for Stopped {
    fn from(_: TooLarge) -> Stopped {
        Stopped::TooLarge
    }
}

/// The budget, looked at from inside an action.
pub(crate) struct Watch<'b> {
    pub(crate) budget: &'b Budget,
    /// Bytes that are kept.
    pub(crate) bytes: u64,
    /// Bytes that the cases and the steps of the action take.
    pub(crate) pending: Cell<u64>,
}

impl Watch<'_> {
    /// Counts a structure that is not kept yet.
    pub(crate) fn count<S: Set>(&self, shape: &Shape<S>) {
        let bytes = shape.bytes() as u64;
        self.pending.set(self.pending.get() + bytes);
    }

    /// Says if a limit is reached.
    pub(crate) fn look(&self) -> Result<(), Stopped> {
        match self.budget.exhausted(self.bytes + self.pending.get()) {
            Some(reason) => Err(Stopped::Limit(reason)),
            None => Ok(()),
        }
    }
}

impl<S: Set> Shape<S> {
    /// The same with an individual twice, and the number of the copy.
    pub(crate) fn cut(&self, individual: usize) -> Result<(Shape<S>, usize), TooLarge> {
        if self.size == S::MOST {
            return Err(TooLarge);
        }
        let mut places: Vec<usize> = (0..self.size).collect();
        places.push(individual);
        Ok((self.picked(&places), self.size))
    }
}

/// Makes cases of a structure.
type Split<'s, S> = &'s dyn Fn(&Shape<S>) -> Result<Cases<S>, TooLarge>;

impl Compiled {
    /// The steps of an action from a structure of which rules have said all that they have to say.
    pub(crate) fn steps<S: Set>(
        &self,
        shape: &Shape<S>,
        action: &Action,
        watch: &Watch<'_>,
    ) -> Result<Vec<Step<S>>, Stopped> {
        if !shape.allows(&action.precondition) {
            return Ok(Vec::new());
        }
        let mut cases = vec![shape.clone()];
        for (of, then) in &action.focus {
            let own: Split<'_, S> = &|case| self.focus(case, *of);
            cases = self.split(cases, action, watch, (*of, own))?;
            let Place::One(from) = *of else {
                continue;
            };
            for (step, &line) in then.iter().enumerate() {
                let way = (&then[..step], line);
                let onwards: Split<'_, S> = &|case| onwards(case, from, way);
                cases = self.split(cases, action, watch, (Place::Two(line.place), onwards))?;
            }
        }
        let mut steps = Vec::new();
        for case in cases {
            let mut failed = None;
            case.each(&action.precondition, &mut |assignment| {
                let slots = action.slots.max(assignment.len());
                let mut own = Vec::with_capacity(slots);
                own.extend_from_slice(assignment);
                own.resize(slots, 0);
                let free = action.precondition.parts.len() - 1;
                let done = self.taken(&case, action, (&mut own, free), watch, &mut steps);
                failed = done.err();
                failed.is_some()
            });
            if let Some(stopped) = failed {
                return Err(stopped);
            }
        }
        Ok(steps)
    }

    /// The cases of structures by a predicate in which an action may happen, with what rules say of them.
    fn split<S: Set>(
        &self,
        all: Vec<Shape<S>>,
        action: &Action,
        watch: &Watch<'_>,
        (of, cases): (Place, Split<'_, S>),
    ) -> Result<Vec<Shape<S>>, Stopped> {
        let mut next = Vec::new();
        for shape in all {
            watch.look()?;
            // Where all is known that is asked, rules have nothing to say, and the action may happen as before.
            let Some(cases) = cases(&shape)? else {
                watch.count(&shape);
                next.push(shape);
                continue;
            };
            let before = shape;
            for case in cases {
                if !case.allows(&action.precondition) {
                    continue;
                }
                let same = case.size == before.size && case.summary == before.summary;
                let pending = match same {
                    true => self.differing(&before, &case),
                    false => self.readers.focused(of),
                };
                if let Some(case) = self.coerced(case, pending) {
                    watch.count(&case);
                    next.push(case);
                }
            }
        }
        Ok(next)
    }

    /// The steps under an assignment.
    fn taken<S: Set>(
        &self,
        shape: &Shape<S>,
        action: &Action,
        (assignment, free): (&mut [usize], usize),
        watch: &Watch<'_>,
        steps: &mut Vec<Step<S>>,
    ) -> Result<(), Stopped> {
        watch.look()?;
        let mut reported = Vec::new();
        for (message, condition) in &action.reports {
            let value = shape.value(condition, assignment);
            if value != Kleene::False {
                reported.push((*message, value));
            }
        }
        if action.creates.is_empty() && action.retains.is_none() {
            let step = self.step(shape, None, action, assignment, reported);
            step.after.iter().for_each(|after| watch.count(after));
            steps.push(step);
            return Ok(());
        }
        for mut case in cases(shape, action, assignment, free, watch)? {
            watch.look()?;
            let before = self.with_new(&case, action)?;
            let mut assignment = std::mem::take(&mut case.assignment);
            let reported = reported.clone();
            let step = self.step(&before, Some(&case), action, &mut assignment, reported);
            step.after.iter().for_each(|after| watch.count(after));
            steps.push(step);
        }
        Ok(())
    }

    /// A step from a structure in which the new individuals are.
    fn step<S: Set>(
        &self,
        before: &Shape<S>,
        case: Option<&Case<S>>,
        action: &Action,
        assignment: &mut [usize],
        mut reported: Vec<(MessageId, Kleene)>,
    ) -> Step<S> {
        let mut after = self.without_marks(before.clone());
        for update in &action.updates {
            after.assign(before, update, assignment);
        }
        if self
            .defined(before, case, action, assignment, &mut after)
            .is_err()
        {
            let after = None;
            return Step { reported, after };
        }
        if let (Some(case), Some(_)) = (case, &action.retains) {
            after = after.picked(&Compiled::staying(case, &after));
        }
        let pending = match case {
            Some(_) => self.readers.all(),
            None => self.differing(before, &after),
        };
        let after = self.coerced(after, pending);
        if let Some(after) = &after {
            for (message, condition) in &action.reports_after {
                let value = after.value(condition, assignment);
                if value != Kleene::False {
                    reported.push((*message, value));
                }
            }
        }
        Step {
            reported,
            after: after.map(|after| after.blurred(&self.layout)),
        }
    }

    /// Gives the predicates whose definitions an action may change the values that they have after it.
    fn defined<S: Set>(
        &self,
        before: &Shape<S>,
        case: Option<&Case<S>>,
        action: &Action,
        assignment: &mut [usize],
        after: &mut Shape<S>,
    ) -> Result<(), Impossible> {
        if action.touched.is_empty() {
            return Ok(());
        }
        let (mut old, mut stays) = (before.individuals(), before.individuals());
        if let Some(case) = case {
            old = case.shape.individuals();
            let staying = Compiled::staying(case, before).into_iter();
            stays = staying.fold(S::default(), |all, one| all | S::only(one));
        }
        let mut transition = Transition::new(self, before, (old, stays), action, assignment);
        let mut variables = vec![0; self.definition_slots];
        for &number in &action.touched {
            let (place, formula) = &self.definitions[number];
            transition.define((*place, formula), after, &mut variables)?;
        }
        Ok(())
    }

    /// An initial structure, as it is kept.
    pub(crate) fn initial<S: Set>(&self, shape: Shape<S>) -> Option<Shape<S>> {
        Some(self.coerced_by_all(shape)?.blurred(&self.layout))
    }
}

impl<S: Set> Shape<S> {
    /// Whether a condition may hold. What is impossible stays so when more is known.
    fn allows(&self, condition: &Condition) -> bool {
        let mut possible = false;
        self.each(condition, &mut |_| {
            possible = true;
            true
        });
        possible
    }

    /// Gives a predicate the values that a formula has in another structure.
    fn assign(&mut self, before: &Shape<S>, update: &Update, assignment: &mut [usize]) {
        let (value, parameters) = (&update.value, &update.parameters);
        match update.place {
            Place::None(place) => {
                self.none[place] = Row::all(before.value(value, assignment), S::only(0));
            }
            Place::One(place) => {
                self.one[place] = before.row(value, parameters[0], assignment);
            }
            Place::Two(place) => {
                for first in 0..before.size {
                    assignment[parameters[0]] = first;
                    *self.pair_mut(place, first) = before.row(value, parameters[1], assignment);
                }
            }
        }
    }
}
