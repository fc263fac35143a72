//! What library functions do and say in the concrete world.
//!
//! Functions that only compute are asked of the front end. The rest stands here, by theme, after
//! the public documentation (the LSL wiki). A function without a result that stands nowhere changes
//! nothing that a script can see: looks, sounds, movement. A function with a result that stands
//! nowhere else is a [reading](readings).

mod agents;
mod clocks;
mod inventory;
mod linkset_data;
mod object;
mod readings;
mod requests;
mod switches;
mod talk;

use lsl::Type;
use lsl::facts;
use lsl::library;

use crate::halt::Halt;
use crate::machine::Machine;
use crate::value::{Value, apply};

/// Functions whose results are not modelled here: scripts that call them are not counted.
const NOT_RUN: &[&str] = &["llHMAC", "llSignRSA", "llVerifyRSA"];

/// The library functions that a concrete run does not follow.
#[must_use]
pub fn not_run() -> &'static [&'static str] {
    NOT_RUN
}

impl Machine<'_> {
    /// The effect and the result of a call.
    pub(crate) fn library(
        &mut self,
        function: &'static facts::Function,
        args: &[Value],
    ) -> Result<Value, Halt> {
        let name = function.name;
        let nothing = || Value::default_of(function.result.unwrap_or(Type::Integer));
        if let Some(entry) = library::pure(name) {
            return Ok(apply(entry, args)?.unwrap_or_else(nothing));
        }
        match name {
            "llResetScript" => return Err(Halt::Reset),
            "llDie" => return Err(Halt::Die),
            "llSleep" => {
                self.sleep(args[0].number().max(0.0));
                return Ok(nothing());
            }
            _ => {}
        }
        self.forget(name);
        let answer = self
            .clock(name)
            .or_else(|| self.object(name, args))
            .or_else(|| self.agent(name, args))
            .or_else(|| self.inventory_call(name, args))
            .or_else(|| self.talk(name, args))
            .or_else(|| self.request(name, args))
            .or_else(|| self.linkset(name, args))
            .or_else(|| self.switch(name, args));
        let value = match answer {
            Some(value) => value,
            None if function.result.is_some() => self.reading(function, args),
            None => nothing(),
        };
        Ok(match function.result {
            Some(ty) => value.converted(ty),
            None => value,
        })
    }
}
