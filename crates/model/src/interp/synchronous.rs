//! Simultaneous assignment: one step gives every variable its next value.

use std::collections::HashSet;

use super::eval::Scope;
use super::oracle::{Enumerate, Halt, Oracle};
use super::state::State;
use super::{Expansion, Interp, Stop, Successor};
use crate::expr::{Place, ValueSet};
use crate::graph::Label;
use crate::ids::{GlobalId, StepId};
use crate::process::Choice;
use crate::program::{SyncAssign, VariableKind};
use crate::trace::{Action, MacroStep, Move, Part};
use crate::value::Value;

impl Interp<'_> {
    pub(crate) fn expand_synchronous(
        &self,
        from: &State,
        assigns: &[SyncAssign],
    ) -> Result<Expansion, Stop> {
        let mut expansion = Expansion::default();
        let mut oracle = Enumerate::default();
        let mut tries = 0;
        let mut known: HashSet<State> = HashSet::new();
        loop {
            self.in_time(&mut tries)?;
            match self.synchronous_step(from, assigns, &mut oracle) {
                Ok((state, made)) => {
                    if known.insert(state.clone()) {
                        expansion.successors.push(Successor {
                            step: MacroStep { moves: vec![made] },
                            state,
                            label: Label::default(),
                        });
                    }
                }
                Err(Halt::Pruned { .. }) => {}
                Err(Halt::Overflow) => return Err(Stop::Overflow),
                Err(Halt::TooWide) => return Err(Stop::TooWide),
                Err(Halt::Refused(_)) => unreachable!("nothing is given"),
            }
            if !oracle.advance() {
                expansion.sampled = oracle.sampled;
                return Ok(expansion);
            }
        }
    }

    /// One step: values for the assigned variables in the order of the list, then for the others
    /// in the order of the table.
    pub(crate) fn synchronous_step(
        &self,
        from: &State,
        assigns: &[SyncAssign],
        oracle: &mut impl Oracle,
    ) -> Result<(State, Move), Halt> {
        let mut next = from.globals.clone();
        let made_at_once = self.at_once.get_or_init(|| self.choices_at_once(assigns));
        let mut choices = Vec::with_capacity(made_at_once.len());
        let mut settled = match made_at_once.len() >= self.many {
            true => self.settled.try_lock().ok(),
            false => None,
        };
        if let Some(settled) = &mut settled {
            settled.in_state(self.program, made_at_once, from);
        }
        for (at, chosen) in made_at_once.iter().enumerate() {
            let (global, choice) = chosen;
            let variable = &self.program.globals[global.index()];
            let scope = Scope {
                next: Some(&next),
                ..Scope::outside(from)
            };
            if let Some(settled) = &mut settled
                && let Some(value) = settled.only(self, scope, at, chosen)
            {
                oracle.only(choice, &value)?;
                if next[global.index()] != value {
                    next[global.index()] = value.clone();
                }
                choices.push(value);
                continue;
            }
            let value = oracle
                .choose(self, scope, choice)
                .unwrap_or(Err(Halt::Pruned { assumed: false }))?;
            if !self.program.has_type(&value, &variable.ty) {
                return Err(Halt::Pruned { assumed: false });
            }
            choices.push(value.clone());
            // What stays the same is shared with the state before.
            if next[global.index()] != value {
                next[global.index()] = value;
            }
        }
        let state = State {
            globals: next,
            ..from.clone()
        };
        self.related(from, &state)?;
        let made = Move {
            parts: vec![Part {
                instance: 0,
                action: Action::Step(StepId(0)),
            }],
            choices,
        };
        Ok((state, made))
    }

    /// What is chosen in each step.
    fn choices_at_once(&self, assigns: &[SyncAssign]) -> Vec<(GlobalId, Choice)> {
        let mut assigned = vec![false; self.program.globals.len()];
        for assign in assigns {
            assigned[assign.global.index()] = true;
        }
        let globals = self.program.globals.iter().enumerate();
        let free = globals
            .filter(|(at, variable)| !assigned[*at] && variable.kind != VariableKind::Frozen)
            .map(|(at, variable)| (GlobalId::new(at), ValueSet::All(variable.ty.clone())));
        assigns
            .iter()
            .map(|assign| (assign.global, assign.next.clone()))
            .chain(free)
            .map(|(global, set)| {
                let choice = Choice {
                    place: Place::global(global),
                    set,
                    sample: None,
                    what: self.program.globals[global.index()].name.clone(),
                    outside: None,
                };
                (global, choice)
            })
            .collect()
    }

    fn related(&self, from: &State, to: &State) -> Result<(), Halt> {
        let both = Scope {
            next: Some(&to.globals),
            ..Scope::outside(from)
        };
        let relation = self.program.relation.iter().map(|&r| (both, r));
        let constraint = self.program.state_constraint.iter();
        let constraint = constraint.map(|&c| (Scope::outside(to), c));
        for (scope, condition) in relation.chain(constraint) {
            match self.eval(scope, condition) {
                Ok(Value::Bool(true)) => {}
                Err(super::Trouble::Overflow) => return Err(Halt::Overflow),
                _ => return Err(Halt::Pruned { assumed: false }),
            }
        }
        Ok(())
    }
}
