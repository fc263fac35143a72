//! Tools that go: because they have been told to, or of their own accord.

use model::{ExprId, LocId, Mode, Process, Step, Type};
use source::Span;

use super::{AWAY, CONNECTED, Kind, Lowering};
use crate::ast::Word;
use crate::load::{Dialect, Schedule};

impl Lowering<'_> {
    /// Whether tools are told to go, and go when they like: in the bus in C they are gone at once.
    pub(super) fn terminates(&self) -> bool {
        self.dialect == Dialect::Ng && self.has_word(Word::SndTerminate)
    }

    /// Whether a tool has been told to go, if any may be.
    fn is_told(&mut self, index: ExprId) -> Option<ExprId> {
        let place = Self::tool_cell(Some(self.tools.told?), index);
        Some(self.program.exprs.load(place, Type::Bool))
    }

    /// Whether a tool is connected, and has not been told to go.
    pub(in crate::lower) fn stays(&mut self, tool: usize) -> ExprId {
        let connected = self.is_connected(tool);
        let index = self.byte(tool);
        match self.is_told(index) {
            Some(told) => {
                let not = self.program.exprs.not(told);
                self.program.exprs.and(connected, not)
            }
            None => connected,
        }
    }

    /// The environment: tools that go because they have been told to. The script hears of it if it waits for
    /// that; else the bus keeps what it knows of them, unless another gets their number.
    fn leaving(&mut self, process: &mut Process, here: LocId) {
        for kind in 0..self.tools.kinds.len() {
            let Kind {
                first,
                count,
                vanishes,
                once,
                ..
            } = self.tools.kinds[kind];
            for number in 0..count {
                let index = self.byte(first + number);
                let Some(told) = self.is_told(index) else {
                    return;
                };
                let connected = self.is_link(index, CONNECTED);
                let goes = self.program.exprs.and(connected, told);
                let mut step = Step::new(here, here, Span::NONE);
                step.guard = Some(self.unless_down(goes));
                let tool = self.tool_value(kind, number);
                step.body = self.vanish(tool, index);
                if !vanishes && !once {
                    step.body[1] = self.set_link(index, AWAY);
                }
                if self.schedule == Schedule::Prompt {
                    step.class = 0;
                }
                process.add_step(step);
            }
        }
    }

    /// The environment: tools that vanish.
    pub(in crate::lower) fn vanishing(&mut self) {
        if self.polite {
            return;
        }
        let mut process = Process::new("tools");
        let here = process.add_location("tools", Mode::Open, Span::NONE);
        process.locations[here.index()].end = true;
        for kind in 0..self.tools.kinds.len() {
            let Kind {
                first,
                count,
                vanishes,
                owned,
                ..
            } = self.tools.kinds[kind];
            for number in 0..if vanishes && !owned { count } else { 0 } {
                let index = self.byte(first + number);
                let connected = self.is_link(index, CONNECTED);
                let mut step = Step::new(here, here, Span::NONE);
                step.guard = Some(self.unless_down(connected));
                let tool = self.tool_value(kind, number);
                step.body = self.vanish(tool, index);
                if self.schedule == Schedule::Prompt {
                    step.class = 0;
                }
                process.add_step(step);
            }
        }
        self.leaving(&mut process, here);
        self.unexpected_answers(&mut process, here);
        if !process.steps.is_empty() {
            self.start_environment(process);
        }
    }
}
