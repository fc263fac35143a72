//! Linksets in memory, and what can be reached in them on the reference interpreter.

#![expect(dead_code, reason = "each test needs a part of this")]

use std::collections::HashSet;
use std::io;
use std::path::Path;

use language::{FrontEnd, Request, Settings};
use model::interp::{Interp, State};
use model::{Action, Program, Value, VariableKind};

/// The program of a linkset file and its scripts; else what is wrong with them.
pub(crate) fn load(toml: &str, scripts: &[(String, String)]) -> Result<Program, String> {
    let loaded = loaded(toml, scripts);
    let found: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| format!("{}: {}", d.code, d.message))
        .collect();
    loaded.program.ok_or_else(|| found.join("\n"))
}

/// A linkset file and its scripts as they have been read.
pub(crate) fn loaded(toml: &str, scripts: &[(String, String)]) -> source::Loaded<Program> {
    let read = |path: &Path| {
        let name = path.to_string_lossy();
        let found = scripts.iter().find(|(file, _)| *file == name);
        match found {
            Some((_, text)) => Ok(text.clone().into_bytes()),
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    };
    lsl::Lsl
        .load(&Request {
            path: Path::new("linkset.toml"),
            contents: toml.as_bytes(),
            settings: &Settings::default(),
            extra_properties: &[],
            whole: false,
            unasked: true,
            statements: false,
            decisions: None,
            read: &read,
            entries: &|_| Ok(Vec::new()),
        })
        .loaded
}

/// Who moves first in a macro step, the name of the world's step, and the script that it meets.
type Mover<'p> = (u32, Option<&'p str>, Option<u32>);

/// Walks through a program.
pub(crate) struct Walk<'p> {
    program: &'p Program,
    interp: Interp<'p>,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Walk {
            program,
            interp: Interp::new(program),
        }
    }

    pub(crate) fn initial(&self) -> Vec<State> {
        let initial = self.interp.initial().expect("no overflow");
        initial
            .into_iter()
            .map(|(_, state)| self.interp.stored(&state))
            .collect()
    }

    /// What follows these states by one macro step of some kind.
    pub(crate) fn step(&self, states: &[State], wanted: impl Fn(Mover<'_>) -> bool) -> Vec<State> {
        let mut found = HashSet::new();
        for state in states {
            let expansion = self.interp.expand(state).expect("no overflow");
            assert!(expansion.diverges.is_none(), "a handler never returns");
            for successor in expansion.successors {
                let parts = &successor.step.moves[0].parts;
                let Action::Step(step) = parts[0].action else {
                    continue;
                };
                let process = &self.program.processes[parts[0].instance as usize];
                let label = process.steps[step.index()].label.as_deref();
                let met = parts.get(1).map(|part| part.instance);
                if wanted((parts[0].instance, label, met)) {
                    found.insert(self.interp.stored(&successor.state));
                }
            }
        }
        found.into_iter().collect()
    }

    /// All states that the scripts reach by themselves.
    pub(crate) fn closure(&self, states: Vec<State>, most: usize) -> HashSet<State> {
        let mut found: HashSet<State> = states.iter().cloned().collect();
        let mut open = states;
        while let Some(state) = open.pop() {
            for next in self.step(std::slice::from_ref(&state), |(mover, _, _)| mover > 0) {
                if found.insert(next.clone()) {
                    open.push(next);
                }
            }
            assert!(found.len() < most, "the scripts go on for ever");
        }
        found
    }

    /// The states in which all scripts have come to rest.
    pub(crate) fn settle(&self, states: Vec<State>) -> Vec<State> {
        let all = self.closure(states, 20_000);
        let at_rest = |state: &State| {
            let state = std::slice::from_ref(state);
            self.step(state, |(mover, _, _)| mover > 0).is_empty()
        };
        all.into_iter().filter(|state| at_rest(state)).collect()
    }

    /// An event arrives at a script.
    pub(crate) fn event(&self, states: &[State], script: &str, event: &str) -> Vec<State> {
        let number = self.number(script);
        self.step(states, |(mover, label, met)| {
            mover == 0 && label == Some(event) && met == Some(number)
        })
    }

    fn number(&self, script: &str) -> u32 {
        let processes = &self.program.processes;
        let found = processes.iter().position(|process| process.name == script);
        u32::try_from(found.expect("the script is there")).expect("few processes")
    }

    /// The value of `SCRIPT.VARIABLE`.
    pub(crate) fn value(&self, state: &State, name: &str) -> Option<String> {
        let variables = &self.program.globals;
        let found = variables
            .iter()
            .position(|v| v.name == name && v.kind == VariableKind::State)?;
        Some(match &state.globals[found] {
            Value::Int(n) => n.to_string(),
            Value::Bool(b) => b.to_string(),
            other => lsl::library::display(&self.program.rich, other),
        })
    }

    /// The number of the state that a script is in.
    pub(crate) fn lsl_state(&self, state: &State, script: &str) -> i32 {
        let name = format!("{script}.state");
        let found = self.program.globals.iter().position(|v| v.name == name);
        let at = state.globals[found.expect("a script has a state")].number();
        i32::try_from(at).expect("few states")
    }
}
