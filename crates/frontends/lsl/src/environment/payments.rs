//! Payments: those that the script handles, those that nobody handles, and those that are lost.
//!
//! The money is the owner's before the script hears of it, so `paid` is raised in the world's
//! part of the move. Payments that would have waited in the queue when it is emptied (at a change
//! of state, a reset, an error, `llDie`) arrive just before that, any number of them up to the
//! queue's capacity; see `docs/lazy-payments.md`.

use model::{
    Binary, Choice, ExprId, GlobalId, LocId, Mode, Place, Step, Stmt, Target, ValueSet,
    VariableKind,
};
use source::Span;

use super::arrival::Arrival;
use super::sample;
use crate::ast::{HandlerId, StateId};
use crate::lower::flow::Holder;
use crate::lower::{Build, Input};

/// The capacity of a script's event queue.
const QUEUE: i64 = 64;

/// How many payments wait when the queue is emptied, where numbers are tried one by one.
const FEW_LOST: [i64; 3] = [0, 1, 2];

/// A payment that is being lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Losing {
    pub(crate) who: GlobalId,
    pub(crate) amount: GlobalId,
    pub(crate) count: GlobalId,
}

/// The choice of an amount: within the stated bound, else any that is not negative.
fn amount(input: Input<'_>, build: &mut Build, place: Place) -> Choice {
    let stated = input
        .bounds
        .get("amount")
        .or_else(|| input.bounds.get("money.amount"));
    match stated {
        Some(bound) => {
            let clamp = |n: i64| i32::try_from(n.clamp(0, i64::from(i32::MAX))).unwrap_or(0);
            let (lo, hi) = (clamp(bound.lo), clamp(bound.hi));
            if i64::from(hi) - i64::from(lo) < 1 << 16 {
                let (lo, hi) = (build.int(lo), build.int(hi));
                Choice {
                    place,
                    set: ValueSet::Between(lo, hi),
                    sample: None,
                    what: "amount".to_owned(),
                    outside: None,
                }
            } else {
                any_amount(input, build, place, (lo, hi))
            }
        }
        None => any_amount(input, build, place, (0, i32::MAX)),
    }
}

/// An amount from a wide range. Payments of L$0 are possible but rare, so zero is tried last: a failure is shown
/// with another amount where one exists.
fn any_amount(input: Input<'_>, build: &mut Build, place: Place, (lo, hi): (i32, i32)) -> Choice {
    let met = (input.survey, input.survey.met_by_payments.as_ref());
    let mut choice = sample::integer_choice_beside(build, met, place, "amount", lo, hi);
    if lo == 0 {
        match (&mut choice.sample, &mut choice.set) {
            (Some(tried), _) => tried.rotate_left(1),
            (None, ValueSet::Union(tried)) => tried.rotate_left(1),
            _ => {}
        }
    }
    choice
}

fn payer(build: &mut Build, place: Place) -> Choice {
    let payers = build.world.payers.clone();
    let class = build.flow.class_of(Holder::Parameter("money", 0));
    let members = build.people(class, &payers);
    build.brought(place, "who pays", members)
}

/// Adds the steps by which somebody pays.
pub(crate) fn payments(input: Input<'_>, build: &mut Build, handling: &[StateId]) {
    let Some(dialog) = build.world.dialog else {
        return;
    };
    let [who, sum] = build.world.arguments["money"][..] else {
        unreachable!("money has two parameters");
    };
    let losing = build.world.losing;
    let pay = |build: &mut Build, who: GlobalId, sum: GlobalId| {
        let binds = vec![
            payer(build, Place::global(who)),
            amount(input, build, Place::global(sum)),
        ];
        let args = vec![build.read(who), build.read(sum)];
        (binds, build.paid(&args))
    };
    let (binds, emit) = pay(build, who, sum);
    let handled = build.is_in(handling);
    // At a rendezvous, the script's own location says whether it handles payments.
    let guard = build.world.queue.is_some().then(|| {
        let runs = build.runs();
        build.and(handled, runs)
    });
    build.arrive(
        input.member,
        Arrival {
            event: "money",
            binds,
            guard,
            body: emit,
        },
    );
    // Somebody opened the dialog while the script took payments, and pays now that it does not.
    // The values have variables of their own, so that they vanish if nobody keeps the books.
    let (binds, emit) = pay(build, losing.who, losing.amount);
    let open = build.read(dialog);
    let runs = build.runs();
    let takes = build.and(handled, runs);
    let ignores = build.not(takes);
    let dead = build.read(build.world.dead);
    let lives = build.not(dead);
    let guard = build.all([open, lives, ignores]);
    let mut step = build.idle_step();
    step.binds = binds;
    step.guard = guard;
    step.body = emit;
    build.world_step("money unseen", step);
    if let Some(off) = build.is_stopped() {
        // What waits for a script that is stopped may be lost.
        let (binds, mut emit) = pay(build, losing.who, losing.amount);
        let args = vec![build.read(losing.who), build.read(losing.amount)];
        emit.extend(build.discarded(&args));
        let what = "whether a payment that waits for a stopped script is lost";
        let (choice, is_lost) = build.doubtful(what, Span::NONE);
        let mut step = build.idle_step();
        step.binds = binds;
        step.binds.push(choice);
        step.guard = build.all([open, lives, off, is_lost]);
        step.body = emit;
        build.world_step("money unseen", step);
    }
}

/// A flood of events while a handler sleeps fills the queue, and the next payment is dropped.
/// Handlers that do not sleep take no time worth mentioning.
///
/// This comes last among the world's steps: of two runs equally short, the one without a flood is
/// told.
pub(super) fn overflow(input: Input<'_>, build: &mut Build) {
    let Some(dialog) = build.world.dialog else {
        return;
    };
    let slow = slow_states(input);
    if slow.is_empty() {
        return;
    }
    let Losing {
        who, amount: sum, ..
    } = build.world.losing;
    let open = build.read(dialog);
    let here = build.is_in(&slow);
    let runs = build.runs();
    let dead = build.read(build.world.dead);
    let lives = build.not(dead);
    let guard = build.all([open, here, runs, lives]);
    let args = vec![build.read(who), build.read(sum)];
    let events = build.world.events.clone();
    let emit = |event, args: Vec<ExprId>| Stmt::Emit {
        event,
        args,
        span: Span::NONE,
    };
    let mut step = build.idle_step();
    step.guard = guard;
    step.body = vec![
        emit(events.overflow, Vec::new()),
        Stmt::Choose(payer(build, Place::global(who))),
        Stmt::Choose(amount(input, build, Place::global(sum))),
    ];
    step.body.extend(build.paid(&args));
    step.body.extend(build.discarded(&args));
    build.world_step("queue overflows", step);
}

/// Whether some handler of `on_rez` takes no time.
pub(super) fn rezzed_in_no_time(input: Input<'_>) -> bool {
    let mut handlers = input.checked.ast.handler_ids();
    handlers.any(|id| is_rezzed_in_no_time(input, id))
}

/// Whether a handler is one of `on_rez`, and neither it sleeps nor what is done when its state is left.
pub(crate) fn is_rezzed_in_no_time(input: Input<'_>, id: HandlerId) -> bool {
    let checked = input.checked;
    let exit = checked.handler_of(checked.ast.handler(id).state, "state_exit");
    let sleeps =
        |id: HandlerId| input.survey.sleeping.contains(&id) || checked.ast.sleepers.contains(&id);
    checked
        .event(id)
        .is_some_and(|event| event.name == "on_rez")
        && !sleeps(id)
        && !exit.is_some_and(sleeps)
}

/// The states in which some handler sleeps.
pub(super) fn slow_states(input: Input<'_>) -> Vec<StateId> {
    let ast = &input.checked.ast;
    ast.state_ids()
        .filter(|&state| {
            let handlers = &ast.state(state).handlers;
            handlers.iter().any(|id| input.survey.sleeping.contains(id))
        })
        .collect()
}

impl Build {
    /// Whether the script is in one of these states.
    pub(crate) fn is_in(&mut self, states: &[StateId]) -> ExprId {
        let state = self.read(self.world.state);
        let here: Vec<ExprId> = states
            .iter()
            .map(|&wanted| {
                let wanted = self.state_value(wanted);
                self.equal(state, wanted)
            })
            .collect();
        self.any(&here)
    }

    /// Whether the script has not been stopped, by an error or by another script, nor removed.
    pub(crate) fn runs(&mut self) -> ExprId {
        let stopped = self.read(self.world.stopped);
        let runs = self.not(stopped);
        match self.is_switched_on() {
            Some(on) => self.and(runs, on),
            None => runs,
        }
    }

    /// Whether a payment may be waiting: somebody has a pay dialog open, and not since the object was rezzed.
    pub(crate) fn may_wait(&mut self, dialog: GlobalId) -> ExprId {
        let open = self.read(dialog);
        let Some(rezzing) = self.world.rezzing else {
            return open;
        };
        let rezzing = self.read(rezzing);
        let rezzed = self.not(rezzing);
        self.and(open, rezzed)
    }

    /// An object that is rezzed is another one than that for which somebody opened a dialog.
    pub(super) fn close_dialogs(&mut self, handling: &[StateId]) -> Option<Stmt> {
        let dialog = self.world.dialog?;
        let offers = self.is_in(handling);
        Some(self.set(dialog, offers))
    }

    /// Empties the queue: steps of the script from one location to another. Payments that have
    /// been waiting are lost.
    pub(crate) fn discard(&mut self, input: Input<'_>, from: LocId, to: LocId, span: Span) {
        if let Some(queue) = self.world.queue.clone() {
            return self.drain(&queue, from, to, span);
        }
        let from = self.lose_messages(from, span);
        let Some(dialog) = self.world.dialog else {
            let mut done = Step::new(from, to, span);
            done.target = Target::Goto(to);
            self.script.add_step(done);
            return;
        };
        let Losing {
            who,
            amount: sum,
            count,
        } = self.world.losing;
        let open = self.may_wait(dialog);
        let lost = self.read(count);
        let ty = self.program.globals[count.index()].ty.clone();
        let (from, limit) = match input.bounds.get("lost-payments") {
            Some(bound) => {
                let most = bound.hi.clamp(0, QUEUE);
                (from, self.program.exprs.int(most.into(), ty.clone()))
            }
            None => self.how_many_wait(dialog, from, &ty, span),
        };
        let mut done = Step::new(from, to, span);
        done.target = Target::Goto(to);
        self.script.add_step(done);
        let more = self.program.exprs.binary(Binary::Lt, lost, limit);
        let mut step = Step::new(from, from, span);
        step.guard = Some(self.and(open, more));
        step.label = Some("a payment is lost".to_owned());
        let one = self.program.exprs.int(1, ty);
        let counted = self.program.exprs.binary(Binary::Add, lost, one);
        let args = vec![self.read(who), self.read(sum)];
        let events = self.world.events.clone();
        // What the world does has no place in the script.
        let emit = |event, args: Vec<ExprId>| Stmt::Emit {
            event,
            args,
            span: Span::NONE,
        };
        let (who, sum) = (Place::global(who), Place::global(sum));
        step.body = vec![
            emit(events.losing, Vec::new()),
            Stmt::Choose(payer(self, who)),
            Stmt::Choose(amount(input, self, sum)),
        ];
        step.body.extend(self.paid(&args));
        step.body.extend(self.discarded(&args));
        step.body.push(Stmt::Assign(Place::global(count), counted));
        self.script.add_step(step);
    }

    /// How many payments wait may be anything up to the queue's capacity. Few are enough to go
    /// wrong, so an engine that looks at each number by itself tries [`FEW`](FEW_LOST) unless a bound
    /// is stated. Gives where to go on, and the number.
    fn how_many_wait(
        &mut self,
        dialog: GlobalId,
        from: LocId,
        ty: &model::Type,
        span: Span,
    ) -> (LocId, ExprId) {
        self.samples_lost_payments = !self.has_representatives;
        let chosen = self.variable(
            "payments waiting",
            ty.clone(),
            VariableKind::Step,
            None,
            Span::NONE,
        );
        let exprs = &mut self.program.exprs;
        // One stands for more where nothing counts them.
        let most = if self.has_representatives { 1 } else { QUEUE };
        let [least, most] = [0, most].map(|number| exprs.int(number.into(), ty.clone()));
        let sample = (!self.has_representatives).then(|| {
            FEW_LOST
                .map(|number| exprs.int(number.into(), ty.clone()))
                .into()
        });
        let open = self.may_wait(dialog);
        let choice = Stmt::Choose(Choice {
            place: Place::global(chosen),
            set: ValueSet::Between(least, most),
            sample,
            what: "lost-payments".to_owned(),
            outside: None,
        });
        let waiting = self
            .script
            .add_location("payments that wait", Mode::Region, span);
        let mut step = Step::new(from, waiting, span);
        step.body = vec![Stmt::If(open, vec![choice], Vec::new())];
        self.script.add_step(step);
        (waiting, self.read(chosen))
    }

    /// The same for a queue that is there.
    fn drain(&mut self, queue: &super::arrival::Queue, from: LocId, to: LocId, span: Span) {
        let mut done = Step::new(from, to, span);
        done.guard = Some(self.queue_is_empty(queue));
        self.script.add_step(done);
        for event in Build::queued_events(queue) {
            let mut step = Step::new(from, from, span);
            if event == "money" {
                let Losing { who, amount, .. } = self.world.losing;
                step.comm = Some(self.receive_into(queue, event, &[who, amount]));
                let args = vec![self.read(who), self.read(amount)];
                step.body = vec![Stmt::Emit {
                    event: self.world.events.discarded,
                    args,
                    span,
                }];
            } else {
                let places = self.world.arguments.get(event).cloned().unwrap_or_default();
                step.comm = Some(self.receive_into(queue, event, &places));
            }
            self.script.add_step(step);
        }
    }
}
