//! Control flow: locations, steps, and the statements that wait for theirs.

use model::{
    Choice, ExprId, LocId, Mode, Outside, OutsideId, Place, Step, Stmt, Target, Type, ValueSet,
    Variable,
};
use source::Span;

use super::Lowering;

impl Lowering<'_> {
    /// Whether a run can be here.
    pub(super) fn is_live(&self) -> bool {
        self.here.is_some()
    }

    /// Adds a statement to the step that begins here.
    pub(super) fn emit(&mut self, stmt: Stmt) {
        if self.is_live() {
            let all = self.carried_over(stmt);
            self.body.extend(all);
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
        let step = Step {
            body,
            ..Step::new(from, to, span)
        };
        self.add(step);
    }

    /// Goes on from here on.
    pub(super) fn start(&mut self, at: LocId) {
        debug_assert!(self.here.is_none() && self.body.is_empty());
        self.here = Some(at);
    }

    /// A step from the sealed location to another, under a condition.
    pub(super) fn step(&mut self, from: LocId, guard: Option<ExprId>, to: LocId, span: Span) {
        if guard.is_some_and(|guard| self.is_false(guard)) {
            return;
        }
        let guard = guard.filter(|&guard| !self.is_true(guard));
        let step = Step {
            guard,
            ..Step::new(from, to, span)
        };
        self.add(step);
    }

    /// Adds a step, as long as there are not too many.
    pub(super) fn add(&mut self, step: Step) {
        self.process.add_step(step);
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
        let step = Step {
            body,
            target: Target::End,
            ..Step::new(from, from, span)
        };
        self.add(step);
    }

    /// Under a condition, the program does something that is not followed: whatever can fail may
    /// fail then. The run goes on where the condition does not hold.
    pub(super) fn sink_if(&mut self, cond: ExprId, what: &str, span: Span) {
        if self.is_false(cond) || !self.is_live() {
            return;
        }
        let (yes, no) = self.branch(cond, span);
        self.start(yes);
        self.sink(what, span);
        self.start(no);
    }

    /// The same for what is undefined, and no matter of what is followed.
    pub(super) fn undefined_if(&mut self, cond: ExprId, what: &str, span: Span) {
        if self.is_false(cond) || !self.is_live() {
            return;
        }
        let (yes, no) = self.branch(cond, span);
        self.start(yes);
        self.undefined(what, span);
        self.start(no);
    }

    /// The program does something here that is not followed; nothing is live afterwards.
    pub(super) fn sink(&mut self, what: &str, span: Span) {
        if self.is_live() {
            self.note(what, span);
            self.undefined(what, span);
        }
    }

    /// What happens from here on is not known; nothing is live afterwards.
    pub(super) fn undefined(&mut self, what: &str, span: Span) {
        if !self.is_live() {
            return;
        }
        let fact = format!("what the program does after {what}");
        let outside = self.rests_on(&fact, span);
        self.unrelated(outside);
        let sink = self.sink_location();
        self.jump(sink, span);
    }

    /// The run goes on only if something is so that is not followed.
    pub(super) fn rests_on(&mut self, fact: &str, span: Span) -> OutsideId {
        let place = self.temporary("unfollowed", Type::Bool);
        let outside = self.outside(fact, span, false);
        let so = self.chosen_truth(place, fact, outside);
        self.emit(Stmt::Assume(so));
        outside
    }

    /// Where runs go that are not followed.
    fn sink_location(&mut self) -> LocId {
        if let Some(sink) = self.sink {
            return sink;
        }
        let sink = self.location(Span::NONE);
        self.sink = Some(sink);
        sink
    }

    /// A choice into a place.
    pub(super) fn choose(
        &mut self,
        place: Place,
        set: ValueSet,
        sample: Option<Vec<ExprId>>,
        what: &str,
        outside: OutsideId,
    ) {
        self.emit(Stmt::Choose(Choice {
            place,
            set,
            sample,
            what: what.to_owned(),
            outside: Some(outside),
        }));
    }

    /// A value that the world decides at each reading.
    pub(super) fn outside(&mut self, fact: &str, span: Span, exact: bool) -> OutsideId {
        let outside = self.program.add_outside(Outside {
            fact: fact.to_owned(),
            span,
            lifetime: model::Lifetime::Reading,
            exact,
        });
        self.depends(outside);
        outside
    }

    /// A new variable of the process that the program does not have.
    pub(super) fn temporary(&mut self, name: &str, ty: Type) -> Place {
        let index = self.process.locals.len();
        self.process.locals.push(Variable::new(name, ty));
        let place = Place::own(index);
        if let model::Root::Own(local) = place.root {
            self.temporaries.insert(local);
        }
        place
    }

    /// A choice of a truth value that nothing decides.
    pub(super) fn any_truth(&mut self, fact: &str, span: Span, exact: bool) -> ExprId {
        let place = self.temporary(fact, Type::Bool);
        let outside = self.outside(fact, span, exact);
        self.chosen_truth(place, fact, outside)
    }

    /// The same for what is possible in any case and no secret decides: a choice of the scheduler,
    /// or of where an agent is.
    pub(super) fn unrelated_truth(&mut self, fact: &str, span: Span) -> ExprId {
        let place = self.temporary(fact, Type::Bool);
        let outside = self.outside(fact, span, true);
        self.unrelated(outside);
        self.chosen_truth(place, fact, outside)
    }

    fn chosen_truth(&mut self, place: Place, fact: &str, outside: OutsideId) -> ExprId {
        let all = ValueSet::All(Type::Bool);
        self.choose(place.clone(), all, None, fact, outside);
        self.pool().load(place, Type::Bool)
    }
}
