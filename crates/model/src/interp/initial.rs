//! Initial states.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::oracle::{Enumerate, Given, Halt, Oracle};
use super::pages::Pages;
use super::state::{Queue, State};
use super::{Interp, Stop};
use crate::expr::{Place, ValueSet};
use crate::ids::{ChannelId, GlobalId};
use crate::process::Choice;
use crate::program::VariableKind;
use crate::value::Value;

impl Interp<'_> {
    /// The initial states, each with the choices that make it.
    ///
    /// # Errors
    /// If a mathematical integer leaves 128 bits, or it takes too long.
    pub fn initial(&self) -> Result<Vec<(Vec<Value>, State)>, Stop> {
        let mut found: Vec<(Vec<Value>, State)> = Vec::new();
        let mut known: HashSet<State> = HashSet::new();
        self.each_initial(&[], |choices, state| {
            if known.insert(state.clone()) {
                found.push((choices, state));
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Shows the initial states in which the first globals have given values, those for which there
    /// is one, with the choices that make them, until there are no more or `visit` says that it is
    /// enough. A state may be shown more than once.
    ///
    /// # Errors
    /// If a mathematical integer leaves 128 bits, or it takes too long.
    pub fn each_initial(
        &self,
        given: &[Option<Value>],
        mut visit: impl FnMut(Vec<Value>, State) -> ControlFlow<()>,
    ) -> Result<(), Stop> {
        let mut oracle = Enumerate::default();
        let mut tries = 0;
        loop {
            self.in_time(&mut tries)?;
            match self.initial_with(&mut oracle, given) {
                Ok((choices, state)) => {
                    if visit(choices, state).is_break() {
                        return Ok(());
                    }
                }
                Err(Halt::Pruned { .. }) => {}
                Err(Halt::Overflow) => return Err(Stop::Overflow),
                Err(Halt::TooWide) => return Err(Stop::TooWide),
                Err(Halt::Refused(_)) => unreachable!("nothing is given"),
            }
            if !oracle.advance() {
                return Ok(());
            }
        }
    }

    /// Some initial state, if there is one.
    pub(crate) fn an_initial(&self) -> Option<State> {
        let mut found = None;
        let ended = self.each_initial(&[], |_, state| {
            found = Some(state);
            ControlFlow::Break(())
        });
        ended.ok().and(found)
    }

    /// The initial state that given choices make.
    pub(crate) fn initial_given(&self, values: &[Value]) -> Result<State, Halt> {
        let mut oracle = Given { values, next: 0 };
        let (_, state) = self.initial_with(&mut oracle, &[])?;
        if oracle.next == values.len() {
            Ok(state)
        } else {
            Err(Halt::Refused("too many initial choices".into()))
        }
    }

    fn initial_with(
        &self,
        oracle: &mut impl Oracle,
        given: &[Option<Value>],
    ) -> Result<(Vec<Value>, State), Halt> {
        let program = self.program;
        let mut choices = Vec::new();
        let mut state = State {
            globals: program
                .globals
                .iter()
                .map(|v| program.zero(&v.ty))
                .collect(),
            instances: Pages::default(),
            frames: Pages::default(),
            channels: (0..program.channels.len())
                .map(ChannelId::new)
                .filter(|id| program.channels[id.index()].from_start)
                .map(|channel| {
                    Some(Queue {
                        channel,
                        messages: Vec::new(),
                        owner: program.channels[channel.index()].owner,
                    })
                })
                .collect(),
            heap: Vec::new(),
            holder: None,
        };
        for (index, variable) in program.globals.iter().enumerate() {
            let set = match (&variable.init, variable.kind) {
                (Some(set), _) => set.clone(),
                (None, VariableKind::Input) => ValueSet::All(variable.ty.clone()),
                (None, _) => continue,
            };
            let place = Place::global(GlobalId::new(index));
            let value = self.first_value(
                &state,
                None,
                place,
                set,
                &variable.name,
                oracle,
                &mut choices,
            )?;
            state.globals[index] = match value {
                Value::Int(n) => Value::Int(variable.ty.wrap(n)),
                other => other,
            };
            let given = given.get(index).and_then(Option::as_ref);
            if given.is_some_and(|value| *value != state.globals[index]) {
                return Err(Halt::Pruned { assumed: false });
            }
        }
        for start in &program.start {
            let scope = super::eval::Scope::outside(&state);
            let args = self
                .eval_all(scope, &start.args)
                .map_err(|_| Halt::Pruned { assumed: false })?;
            let number = self.start_last(&mut state, start.process, args);
            let declaration = &program.processes[start.process.index()];
            for (index, variable) in declaration.locals.iter().enumerate() {
                let Some(set) = variable
                    .init
                    .clone()
                    .filter(|_| index >= declaration.parameters)
                else {
                    continue;
                };
                let place = Place::own(index);
                let value = self.first_value(
                    &state,
                    Some(number),
                    place,
                    set,
                    &variable.name,
                    oracle,
                    &mut choices,
                )?;
                let frame = state.instance(number).expect("just started").frame;
                state.frames[frame].as_mut().expect("just made")[index] = value;
            }
        }
        let conditions = program.initial.iter().chain(&program.state_constraint);
        for &condition in conditions {
            match self.holds(&state, condition) {
                Ok(true) => {}
                Ok(false) => return Err(Halt::Pruned { assumed: true }),
                Err(_) => return Err(Halt::Overflow),
            }
        }
        Ok((choices, state))
    }

    /// The first value of a variable; only a real choice is logged.
    #[expect(clippy::too_many_arguments, reason = "the parts of one choice")]
    fn first_value(
        &self,
        state: &State,
        me: Option<u32>,
        place: Place,
        set: ValueSet,
        name: &str,
        oracle: &mut impl Oracle,
        choices: &mut Vec<Value>,
    ) -> Result<Value, Halt> {
        let scope = super::eval::Scope {
            me,
            ..super::eval::Scope::outside(state)
        };
        if let ValueSet::One(value) = set {
            return self
                .eval(scope, value)
                .map_err(|_| Halt::Pruned { assumed: false });
        }
        let choice = Choice {
            place,
            set,
            sample: None,
            what: name.to_owned(),
            outside: None,
        };
        let value = oracle
            .choose(self, scope, &choice)
            .unwrap_or(Err(Halt::Pruned { assumed: false }))?;
        choices.push(value.clone());
        Ok(value)
    }
}
