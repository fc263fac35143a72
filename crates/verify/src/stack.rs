//! Threads with room for expressions that nest deeply: interpreter, encoders and audit recur over
//! them.

use std::thread::{Builder, Scope, ScopedJoinHandle};

use model::Program;

/// What any work needs, in bytes, expressions of some thousand levels included: passes and copies that
/// follow a run nest some deeper than the program does.
const LEAST: usize = 32 << 20;
/// What a level of an expression takes, in bytes: several functions call each other for it, and
/// without optimisation they take a kilobyte each. What is never used takes no memory.
const LEVEL: usize = 6 << 10;
/// No more than this, in bytes.
const MOST: usize = 8 << 30;

/// How large the stacks of threads are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stack(usize);

impl Stack {
    /// Enough where expressions do not nest deeply.
    #[cfg(test)]
    pub(crate) const LEAST: Stack = Stack(LEAST);

    /// Enough for the expressions of a program.
    pub(crate) fn of(program: &Program) -> Stack {
        Stack((LEAST + program.exprs.nesting() * LEVEL).min(MOST))
    }

    /// Starts a thread with such a stack.
    pub(crate) fn spawn<'s, T: Send + 's>(
        self,
        scope: &'s Scope<'s, '_>,
        work: impl FnOnce() -> T + Send + 's,
    ) -> ScopedJoinHandle<'s, T> {
        let thread = Builder::new().stack_size(self.0).spawn_scoped(scope, work);
        thread.expect("the system has room for another thread")
    }
}
