//! Control flow: locations, steps, and the statements that wait for theirs.

use model::{
    CheckId, Choice, ExprId, Lifetime, LocId, Mode, Outside, Place, Step, Stmt, Target, Type,
    ValueSet, Variable,
};
use source::Span;

use super::Lowering;
use super::arithmetic::number;

impl Lowering<'_> {
    /// Whether a run can be here.
    pub(super) fn is_live(&self) -> bool {
        self.here.is_some()
    }

    pub(super) fn is_true(&self, cond: ExprId) -> bool {
        number(&self.program.exprs, cond) == Some(1)
    }

    pub(super) fn is_false(&self, cond: ExprId) -> bool {
        number(&self.program.exprs, cond) == Some(0)
    }

    /// Adds a statement to the step that begins here.
    pub(super) fn emit(&mut self, stmt: Stmt) {
        if self.is_live() {
            self.body.push(stmt);
        }
    }

    /// Adds an assignment.
    pub(super) fn assign(&mut self, place: Place, value: ExprId) {
        self.emit(Stmt::Assign(place, value));
    }

    /// A new location.
    pub(super) fn location(&mut self, span: Span) -> LocId {
        self.process.add_location("", Mode::Open, span)
    }

    /// Ends the step that has begun, if anything is in it.
    pub(super) fn seal(&mut self, span: Span) -> Option<LocId> {
        let here = self.here?;
        if self.body.is_empty() {
            return Some(here);
        }
        let to = self.location(span);
        self.jump(to, span);
        self.here = Some(to);
        Some(to)
    }

    /// Goes on at a location; nothing is live afterwards.
    pub(super) fn jump(&mut self, to: LocId, span: Span) {
        let Some(from) = self.here.take() else {
            return;
        };
        let body = std::mem::take(&mut self.body);
        self.process.add_step(Step {
            body,
            ..Step::new(from, to, span)
        });
    }

    /// Goes on from here on.
    pub(super) fn start(&mut self, at: LocId) {
        debug_assert!(self.here.is_none() && self.body.is_empty());
        self.here = Some(at);
    }

    /// A step from a sealed location to another, under a condition.
    pub(super) fn step(&mut self, from: LocId, guard: Option<ExprId>, to: LocId, span: Span) {
        if guard.is_some_and(|guard| self.is_false(guard)) {
            return;
        }
        let guard = guard.filter(|&guard| !self.is_true(guard));
        self.process.add_step(Step {
            guard,
            ..Step::new(from, to, span)
        });
    }

    /// Where a condition holds and where it does not; nothing is live afterwards.
    pub(super) fn branch(&mut self, cond: ExprId, span: Span) -> (LocId, LocId) {
        let (yes, no) = (self.location(span), self.location(span));
        if let Some(from) = self.seal(span) {
            let not = self.pool().not(cond);
            self.step(from, Some(cond), yes, span);
            self.step(from, Some(not), no, span);
            self.here = None;
        }
        (yes, no)
    }

    /// The run ends.
    pub(super) fn end(&mut self, span: Span) {
        let Some(from) = self.here.take() else {
            return;
        };
        let body = std::mem::take(&mut self.body);
        self.process.add_step(Step {
            body,
            target: Target::End,
            ..Step::new(from, from, span)
        });
    }

    /// The module traps here; nothing is live afterwards.
    pub(super) fn trap(&mut self, span: Span) {
        match self.after_trap {
            Some(to) => self.jump(to, span),
            None => self.end(span),
        }
    }

    /// The module traps under a condition.
    pub(super) fn trap_if(&mut self, cond: ExprId, span: Span) {
        if self.is_false(cond) || !self.is_live() {
            return;
        }
        let (yes, no) = self.branch(cond, span);
        self.start(yes);
        self.trap(span);
        self.start(no);
    }

    /// Under a condition, the module does something that is not followed.
    pub(super) fn sink_if(&mut self, cond: ExprId, what: &str, span: Span) {
        if self.is_false(cond) || !self.is_live() {
            return;
        }
        let (yes, no) = self.branch(cond, span);
        self.start(yes);
        self.sink(what, span);
        self.start(no);
    }

    /// The module does something here that is not followed: whatever can fail may fail then. Nothing
    /// is live afterwards.
    pub(super) fn sink(&mut self, what: &str, span: Span) {
        if !self.is_live() {
            return;
        }
        self.note(what, span);
        let does = self.any_truth(&format!("what the module does after {what}"), false);
        let sink = match self.sink {
            Some(sink) => sink,
            None => self.location(Span::NONE),
        };
        self.sink = Some(sink);
        // A condition, so that the choice is one on which something depends.
        if let Some(from) = self.seal(span) {
            self.step(from, Some(does), sink, span);
            self.here = None;
        }
    }

    /// Where runs go that are not followed, everything fails.
    pub(super) fn finish_sink(&mut self) {
        let Some(sink) = self.sink else {
            return;
        };
        self.here = Some(sink);
        let never = self.pool().bool(false);
        for check in 0..self.program.checks.len() {
            self.emit(Stmt::Assert {
                cond: never,
                check: CheckId::new(check),
                span: Span::NONE,
            });
        }
        self.end(Span::NONE);
    }

    /// A new variable of the process.
    pub(super) fn variable(&mut self, name: &str, ty: Type) -> Place {
        let index = self.process.locals.len();
        self.process.locals.push(Variable::new(name, ty));
        Place::own(index)
    }

    /// The statement that chooses a value from outside. It is exact if each value may really be.
    pub(super) fn choice(&mut self, place: Place, set: ValueSet, fact: &str, exact: bool) -> Stmt {
        let outside = self.program.add_outside(Outside {
            fact: fact.to_owned(),
            span: Span::NONE,
            lifetime: Lifetime::Reading,
            exact,
        });
        Stmt::Choose(Choice {
            place,
            set,
            sample: None,
            what: fact.to_owned(),
            outside: Some(outside),
        })
    }

    /// A value of a type that nothing decides.
    pub(super) fn any(&mut self, ty: &Type, fact: &str, exact: bool) -> ExprId {
        let place = self.variable(fact, ty.clone());
        let choice = self.choice(place.clone(), ValueSet::All(ty.clone()), fact, exact);
        self.emit(choice);
        self.pool().load(place, ty.clone())
    }

    pub(super) fn any_truth(&mut self, fact: &str, exact: bool) -> ExprId {
        self.any(&Type::Bool, fact, exact)
    }
}
