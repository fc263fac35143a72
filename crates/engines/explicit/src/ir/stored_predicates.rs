//! Whether what is asked of a state depends on nothing but what is stored of it.
//!
//! Step variables can be read at the end of the step that set them, but are not stored. Conditions
//! that do not read them need to be looked at once for each state, not after every step that leads
//! to it.

use std::collections::HashSet;

use model::{Comm, Expr, ExprId, Pattern, Program, Root, VariableKind};

/// Whether stored states alone decide what conditions say.
pub(crate) fn is_lasting(program: &Program, conditions: &[ExprId]) -> bool {
    let mut look = Look::new(program);
    for &condition in conditions {
        look.at(condition);
    }
    if look.asks_what_is_enabled {
        // Then what guards read counts as well.
        look.at_guards();
    }
    !look.reads_step_variables
}

/// Whether some move asks what else is enabled before it is possible itself.
pub(crate) fn moves_ask_what_is_enabled(program: &Program) -> bool {
    let mut look = Look::new(program);
    look.at_guards();
    look.asks_what_is_enabled
}

struct Look<'p> {
    program: &'p Program,
    seen: HashSet<ExprId>,
    reads_step_variables: bool,
    asks_what_is_enabled: bool,
}

impl<'p> Look<'p> {
    fn new(program: &'p Program) -> Self {
        Look {
            program,
            seen: HashSet::new(),
            reads_step_variables: false,
            asks_what_is_enabled: false,
        }
    }

    /// Looks at what decides which moves are possible.
    fn at_guards(&mut self) {
        for process in &self.program.processes {
            process.provided.iter().for_each(|&id| self.at(id));
            process.priority.iter().for_each(|&id| self.at(id));
            for step in &process.steps {
                step.guard.iter().for_each(|&id| self.at(id));
                for bind in &step.binds {
                    bind.place.operands(|id| self.at(id));
                    bind.set.operands(&mut |id| self.at(id));
                }
                match &step.comm {
                    Some(Comm::Send {
                        channel, message, ..
                    }) => {
                        self.at(*channel);
                        message.iter().for_each(|&id| self.at(id));
                    }
                    Some(Comm::Receive {
                        channel, patterns, ..
                    }) => {
                        self.at(*channel);
                        for pattern in patterns {
                            match pattern {
                                Pattern::Match(id) => self.at(*id),
                                Pattern::Bind(place) => place.operands(|id| self.at(id)),
                                Pattern::Any => {}
                            }
                        }
                    }
                    Some(Comm::Barrier(_)) | None => {}
                }
            }
        }
    }

    fn at(&mut self, id: ExprId) {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            match self.program.exprs.get(id) {
                Expr::Load(place) => {
                    if let Root::Global(global) = place.root {
                        let kind = self.program.globals[global.index()].kind;
                        self.reads_step_variables |= kind == VariableKind::Step;
                    }
                }
                Expr::Enabled(_) | Expr::NothingEnabled => self.asks_what_is_enabled = true,
                _ => {}
            }
            self.program
                .exprs
                .operands(id, |operand| waiting.push(operand));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Place, Type, Variable};

    #[test]
    fn what_lasts_for_a_step_is_not_stored() {
        let mut program = Program::new("p", "none");
        let stored = program.add_global(Variable::new("a", Type::Bool));
        let mut step = Variable::new("b", Type::Bool);
        step.kind = VariableKind::Step;
        let step = program.add_global(step);
        let a = program.exprs.load(Place::global(stored), Type::Bool);
        let b = program.exprs.load(Place::global(step), Type::Bool);
        let both = program.exprs.and(a, b);
        assert!(is_lasting(&program, &[a]));
        assert!(!is_lasting(&program, &[a, both]));
        let stuck = program.exprs.add(Expr::NothingEnabled, Type::Bool);
        assert!(is_lasting(&program, &[stuck]));
        let mut process = model::Process::new("p");
        let here = process.add_location("here", model::Mode::Open, source::Span::NONE);
        let mut guarded = model::Step::new(here, here, source::Span::NONE);
        guarded.guard = Some(b);
        process.add_step(guarded);
        program.add_process(process);
        assert!(!is_lasting(&program, &[stuck]), "a guard reads it");
        assert!(!moves_ask_what_is_enabled(&program));
        program.processes[0].steps[0].guard = Some(stuck);
        assert!(moves_ask_what_is_enabled(&program));
    }
}
