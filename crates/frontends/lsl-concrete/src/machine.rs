//! The script in its world: variables, the handler that runs, and what properties see of it.

use lsl::ast::{GlobalId, StateId, StmtId};
use lsl::check::Body;
use lsl::facts;

use crate::claims::{Claims, Cut, Moment};
use crate::halt::Halt;
use crate::look::{Handling, View};
use crate::script::Script;
use crate::value::Value;
use crate::world::{Habits, World};

/// How many calls of functions may be open.
const MOST_CALLS: usize = 48;

/// How many statements and loops a handler may run.
const MOST_STATEMENTS: u32 = 40_000;

/// The variables of a function or handler that runs.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) locals: Vec<Value>,
}

/// A script that runs.
pub(crate) struct Machine<'a> {
    pub(crate) script: &'a Script,
    pub(crate) world: World<'a>,
    pub(crate) claims: Claims<'a>,
    pub(crate) globals: Vec<Value>,
    pub(crate) first_values: Vec<Value>,
    pub(crate) state: StateId,
    pub(crate) handling: Vec<Handling>,
    /// Things detected by the event at hand.
    pub(crate) detected: Vec<crate::world::Detected>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) statements: u32,
    /// Whether a call of the script sleeps while the world acts.
    pub(crate) asleep: bool,
}

impl<'a> Machine<'a> {
    /// The script before its first event.
    ///
    /// # Errors
    /// If it stops at once.
    pub(crate) fn new(script: &'a Script, seed: u64, habits: Habits) -> Result<Self, Halt> {
        let state = script
            .checked
            .state_named("default")
            .ok_or(Halt::Lost("there is no state `default`"))?;
        let world = World::new(script, seed, habits, state);
        let nothing = |_: &str| -1;
        let view = View {
            globals: &[],
            state,
            handling: &[],
            owner: "",
            granted: 0,
            items: &nothing,
        };
        let claims = Claims::new(script, &view);
        let mut machine = Machine {
            script,
            world,
            claims,
            globals: Vec::new(),
            first_values: Vec::new(),
            state,
            handling: Vec::new(),
            detected: Vec::new(),
            frames: Vec::new(),
            statements: 0,
            asleep: false,
        };
        for id in script.checked.ast.global_ids() {
            let global = script.checked.ast.global(id);
            let value = match global.value {
                Some(value) => machine.evaluate(value)?.stored(global.ty),
                None => Value::default_of(global.ty),
            };
            machine.globals.push(value);
        }
        machine.first_values = machine.globals.clone();
        machine.enter_state(state);
        Ok(machine)
    }

    /// Puts the script into a state, before its `state_entry`.
    pub(crate) fn enter_state(&mut self, state: StateId) {
        self.state = state;
        self.world.state = state;
        self.world.pay_dialog |= self.script.handler(state, "money").is_some();
    }

    /// Tells the properties of a moment.
    pub(crate) fn moment(&mut self, moment: Moment<'_>, args: &[Value]) {
        let items = |name: &str| self.world.item_kind(name);
        let view = View {
            globals: &self.globals,
            state: self.state,
            handling: &self.handling,
            owner: self.world.owner_key(),
            granted: self.world.granted,
            items: &items,
        };
        self.claims.moment(moment, args, &view);
    }

    /// Tells the properties that a step of the run has ended.
    pub(crate) fn stable(&mut self) {
        let items = |name: &str| self.world.item_kind(name);
        let view = View {
            globals: &self.globals,
            state: self.state,
            handling: &[],
            owner: self.world.owner_key(),
            granted: self.world.granted,
            items: &items,
        };
        let waiting = !self.world.queue.is_empty();
        self.claims.stable(&view, waiting);
    }

    pub(crate) fn set_global(&mut self, id: GlobalId, value: Value) {
        let place = &mut self.globals[id.index()];
        let before = std::mem::replace(place, value);
        if !before.same(&self.globals[id.index()]) {
            self.moment(Moment::Changes(id, &before), &[]);
        }
    }

    /// Runs a body with its parameters.
    pub(crate) fn run_body(
        &mut self,
        body: &'a Body,
        statement: StmtId,
        args: Vec<Value>,
    ) -> Result<Option<Value>, Halt> {
        if self.frames.len() >= MOST_CALLS {
            return Err(Halt::Lost("many calls of functions are open"));
        }
        let mut locals: Vec<Value> = body
            .locals
            .iter()
            .map(|local| Value::default_of(local.ty))
            .collect();
        for (place, arg) in locals.iter_mut().zip(args) {
            *place = arg;
        }
        self.frames.push(Frame { locals });
        let ended = self.execute_body(statement);
        self.frames.pop();
        ended
    }

    /// Counts what a handler does, so that one that never ends is left.
    pub(crate) fn count(&mut self) -> Result<(), Halt> {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS {
            return Err(Halt::Lost("a handler runs for very long"));
        }
        Ok(())
    }

    /// Runs a handler of the current state. What properties see of its beginning is told.
    pub(crate) fn handle(&mut self, event: &'static str, args: Vec<Value>) -> Result<(), Halt> {
        let Some(handler) = self.script.handler(self.state, event) else {
            return Ok(());
        };
        self.handling.push(Handling {
            event,
            args: args.clone(),
        });
        self.moment(Moment::Handled(event), &args);
        let statement = self.script.checked.ast.handler(handler).body;
        let body = self.script.checked.handler_body(handler);
        self.run_body(body, statement, args).map(|_| ())
    }

    /// Calls a library function.
    pub(crate) fn call_library(
        &mut self,
        function: &'static facts::Function,
        args: &[Value],
    ) -> Result<Value, Halt> {
        self.count()?;
        self.moment(Moment::Call(function.name), args);
        let role = facts::role(function.name);
        if role.is_some_and(|role| {
            matches!(role.class, facts::Class::Causes(_) | facts::Class::Nothing)
        }) {
            for arg in args {
                self.world.hear(arg);
            }
        }
        let value = self.library(function, args)?;
        if function.sleep_ms > 0 {
            self.sleep(f64::from(function.sleep_ms) / 1000.0);
        }
        Ok(value)
    }

    pub(crate) fn cut(&mut self, cut: Cut) {
        let habits = &self.world.habits;
        let allowed = match cut {
            Cut::UnheardNews => habits.unheard_news,
            Cut::AskedAgain => habits.all_answers,
            _ => false,
        };
        if !allowed {
            self.claims.cut(cut);
        }
    }
}
