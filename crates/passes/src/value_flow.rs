//! Where values come from: for each variable, what the assignments to it read, and the guards of
//! the steps that make them.
//!
//! Whatever else is cut away, steps that assign to what is kept stay, and with them what they read.
//! Known beforehand, a chain of variables of which each hangs on the next is followed at once, and
//! not in one round of the [slice](crate::slice) for each.

use std::collections::{HashMap, HashSet};

use model::{Choice, ExprId, Place, ProcessId, Program, Stmt};

use crate::access::{Accesses, Frames, Scope, Var, resolve, written};
use crate::rewrite::is_disabled;

/// What assignments read.
pub(crate) struct Sources {
    of: HashMap<Var, Vec<(Scope, ExprId)>>,
    /// The guard of the step at hand.
    guard: Option<ExprId>,
    /// The variables whose sources have been followed.
    followed: HashSet<Var>,
}

impl Sources {
    /// The assignments of a program, those of steps that are never taken aside.
    pub(crate) fn of(program: &Program, frames: &Frames) -> Self {
        let mut sources = Sources {
            of: HashMap::new(),
            guard: None,
            followed: HashSet::new(),
        };
        for (index, process) in program.processes.iter().enumerate() {
            let id = ProcessId::new(index);
            let live = process.steps.iter().enumerate();
            for (number, step) in live.filter(|(_, step)| !is_disabled(program, step)) {
                let scope = frames.step(program, id, number);
                sources.guard = step.guard;
                for choice in &step.binds {
                    sources.choice(scope, choice);
                }
                sources.body(scope, &step.body);
            }
        }
        sources
    }

    /// Adds what the assignments to these variables read, and so on.
    pub(crate) fn follow(
        &mut self,
        program: &Program,
        accesses: &mut Accesses,
        vars: &mut HashSet<Var>,
    ) {
        let mut waiting: Vec<Var> = vars.difference(&self.followed).copied().collect();
        while let Some(var) = waiting.pop() {
            source::limits::check();
            if !self.followed.insert(var) {
                continue;
            }
            for &(scope, expr) in self.of.get(&var).into_iter().flatten() {
                for &access in accesses.of(program, expr).iter() {
                    resolve(program, scope, access, |var| {
                        if vars.insert(var) {
                            waiting.push(var);
                        }
                    });
                }
            }
        }
    }

    fn body(&mut self, scope: Scope, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => self.add(scope, place, &[*value]),
                Stmt::Choose(choice) => self.choice(scope, choice),
                Stmt::If(_, then, otherwise) => {
                    self.body(scope, then);
                    self.body(scope, otherwise);
                }
                _ => {}
            }
        }
    }

    fn choice(&mut self, scope: Scope, choice: &Choice) {
        let mut read = Vec::new();
        choice.set.operands(&mut |id| read.push(id));
        self.add(scope, &choice.place, &read);
    }

    /// A place is written; what is written comes from these.
    fn add(&mut self, scope: Scope, place: &Place, read: &[ExprId]) {
        if let Some(var) = written(scope, place) {
            let read = read.iter().chain(&self.guard);
            let read = read.map(|&expr| (scope, expr));
            self.of.entry(var).or_default().extend(read);
        }
    }
}
