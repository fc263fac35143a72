//! Scripts that another one of their prim, or they themselves, may reset, stop, start or remove, and those that
//! others load.
//!
//! A call of `llResetOtherScript`, `llSetScriptState` or `llRemoveInventory` sets flags of the script
//! that it means, and so does one of `llRemoteLoadScriptPin` ([`super::loads`]). What that script does at an open location depends on them: a reset and a removal come
//! before anything else, and a stopped script goes on nowhere. Its handlers are cut in front of each
//! statement that does something, because that is where it may be halted.
//!
//! A script that does so to itself may go on for a while; that it does is a run that need not exist.

use model::{
    Comm, ExprId, GlobalId, Lifetime, LocId, Mode, Pattern, Place, Step, Stmt, Type as ModelType,
    ValueSet, VariableKind,
};
use source::Span;

use super::Input;
use super::build::Build;
use super::code::Coder;
use super::company::{Halts, LOST, Peer};
use super::survey::may_halt_before;
use crate::ast::{self, StmtId};
use crate::facts;
use crate::linkset::member::Member;
use crate::linkset::orders::{Act, act, named};

/// A script that is to be reset or removed does nothing before that, and nor does any other.
const FIRST: u8 = 2;

impl Build {
    /// Declares what is kept of a script that others may halt.
    pub(super) fn declare_halts(&mut self, member: Member<'_>) {
        let suffers = member.suffers();
        let script = member.script().name.clone();
        // In parentheses: stories do not tell of it.
        let has_start = self.world.start.is_some();
        let mut flag = |what: &str, wanted: bool| {
            wanted.then(|| {
                let name = format!("({script} {what})");
                self.variable(
                    &name,
                    ModelType::Bool,
                    VariableKind::World,
                    None,
                    Span::NONE,
                )
            })
        };
        self.company.halts = Halts {
            reset: flag("is reset", suffers.reset),
            off: flag("is stopped", suffers.stopped),
            gone: flag("is removed", suffers.removed),
            goes_on: flag("goes on for a while", suffers.own),
            given: None,
            loaded: flag("is loaded", suffers.loaded && has_start),
        };
        if let Some(gone) = self.company.halts.gone
            && !member.script().is_there
        {
            let yes = self.bool(true);
            self.program.globals[gone.index()].init = Some(ValueSet::One(yes));
        }
        if suffers.loaded && has_start {
            let name = format!("({script} is given)");
            let kind = VariableKind::World;
            let given = self.variable(&name, ModelType::INT32, kind, None, Span::NONE);
            self.company.halts.given = Some(given);
        }
    }

    /// Whether nothing has halted the script at hand; `None` if nothing can.
    pub(super) fn unhalted(&mut self) -> Option<ExprId> {
        let halts = self.company.halts;
        let mut free = Vec::new();
        for flag in [halts.reset, halts.off, halts.gone].into_iter().flatten() {
            let set = self.read(flag);
            free.push(self.not(set));
        }
        self.all(free)
    }

    /// The same in the middle of a handler, which a script may carry on with that halts itself.
    pub(super) fn unhalted_inside(&mut self) -> Option<ExprId> {
        let free = self.unhalted()?;
        Some(match self.company.halts.goes_on {
            Some(goes_on) => {
                let goes_on = self.read(goes_on);
                self.or(free, goes_on)
            }
            None => free,
        })
    }

    /// Whether the script has neither been stopped nor removed by a call.
    pub(crate) fn is_switched_on(&mut self) -> Option<ExprId> {
        let halts = self.company.halts;
        let mut on = Vec::new();
        for flag in [halts.off, halts.gone].into_iter().flatten() {
            let set = self.read(flag);
            on.push(self.not(set));
        }
        self.all(on)
    }

    /// Whether a call has stopped the script, if that may be.
    pub(crate) fn is_stopped(&mut self) -> Option<ExprId> {
        let off = self.company.halts.off?;
        Some(self.read(off))
    }

    /// A choice that makes a run one that need not exist, into a place.
    fn doubtfully(&mut self, place: GlobalId, what: &str, span: Span) -> Stmt {
        let outside = self.outside(what, span, Lifetime::Reading, false);
        let (no, yes) = (self.bool(false), self.bool(true));
        Stmt::Choose(self.chosen(Place::global(place), what, vec![no, yes], outside))
    }

    /// What happens to a script that has been halted, at each location where it may be. `again` is what it
    /// does when it begins anew, and where it is then.
    pub(super) fn halt(&mut self, input: Input<'_>, dead: LocId, again: (Vec<Stmt>, LocId)) {
        let halts = self.company.halts;
        let open: Vec<LocId> = (0..self.script.locations.len())
            .filter(|&at| self.script.locations[at].mode == Mode::Open)
            .map(LocId::new)
            .filter(|&at| at != dead)
            .collect();
        let removed = halts.gone.map(|gone| {
            let removed = self.script.add_location("removed", Mode::Open, Span::NONE);
            self.script.locations[removed.index()].end = true;
            (gone, removed)
        });
        if let Some((_, removed)) = removed
            && input.member.is_some_and(|member| !member.script().is_there)
        {
            self.script.entry = removed;
        }
        let removed_at = removed.map(|(_, removed)| removed);
        self.reset_where_halted(input, &open, removed_at, again);
        if let Some(removed) = removed {
            self.remove_where_halted(input, &open, removed);
        }
        if let Some(goes_on) = halts.goes_on {
            for &at in &open {
                let mut step = Step::new(at, at, Span::NONE);
                step.guard = Some(self.read(goes_on));
                step.body = vec![self.set_flag(goes_on, false)];
                self.script.add_step(step);
            }
        }
        if let Some(off) = halts.off
            && let Some(inbox) = self.company.inbox
        {
            // Whether what waits for a stopped script is kept is told nowhere.
            let what = format!(
                "whether {} keeps what waits while it is stopped",
                input
                    .member
                    .map_or("a script", |member| &member.script().name)
            );
            for &at in &open {
                let mut step = Step::new(at, at, Span::NONE);
                step.label = Some(LOST.to_owned());
                let (choice, loses) = self.doubtful(&what, Span::NONE);
                step.binds = vec![choice];
                let is_off = self.read(off);
                step.guard = Some(self.and(is_off, loses));
                step.comm = Some(Comm::Receive {
                    channel: self.reference(inbox),
                    patterns: vec![Pattern::Any; if self.company.hears { 6 } else { 4 }],
                    anywhere: false,
                    keep: false,
                });
                self.script.add_step(step);
            }
        }
    }

    fn reset_where_halted(
        &mut self,
        input: Input<'_>,
        open: &[LocId],
        removed: Option<LocId>,
        (mut again, first): (Vec<Stmt>, LocId),
    ) {
        let halts = self.company.halts;
        let Some(reset) = halts.reset else {
            return;
        };
        let empty = self.halted_at("empty the queue of a script that is reset");
        let begins = self.halted_at("begins anew");
        let lives = self.lives(input);
        for &at in open.iter().chain(&removed) {
            // For one that is not there, nothing waits.
            let next = if removed == Some(at) { begins } else { empty };
            let mut step = Step::new(at, next, Span::NONE);
            step.class = FIRST;
            let is_reset = self.read(reset);
            let mut guard = vec![is_reset];
            guard.extend(lives);
            for flag in [halts.goes_on, halts.gone].into_iter().flatten() {
                let set = self.read(flag);
                guard.push(self.not(set));
            }
            step.guard = self.all(guard);
            step.label = Some("begins anew".to_owned());
            step.body = vec![self.set_flag(reset, false)];
            step.body.extend(self.forget_next(input));
            let stopped = self.world.stopped;
            step.body.push(self.set_flag(stopped, false));
            if let Some(busy) = self.company.busy {
                step.body.push(self.set_flag(busy, false));
            }
            self.script.add_step(step);
        }
        self.discard(input, empty, begins, Span::NONE);
        let mut step = Step::new(begins, first, Span::NONE);
        step.body.append(&mut again);
        self.script.add_step(step);
    }

    fn remove_where_halted(
        &mut self,
        input: Input<'_>,
        open: &[LocId],
        (gone, removed): (GlobalId, LocId),
    ) {
        let halts = self.company.halts;
        let empty = self.halted_at("empty the queue of a script that is removed");
        let lives = self.lives(input);
        for &at in open {
            let mut step = Step::new(at, empty, Span::NONE);
            step.class = FIRST;
            let is_gone = self.read(gone);
            let mut guard = vec![is_gone];
            guard.extend(lives);
            if let Some(goes_on) = halts.goes_on {
                let goes_on = self.read(goes_on);
                guard.push(self.not(goes_on));
            }
            step.guard = self.all(guard);
            step.label = Some("is removed".to_owned());
            self.script.add_step(step);
        }
        self.discard(input, empty, removed, Span::NONE);
    }

    fn halted_at(&mut self, name: &str) -> LocId {
        self.script.add_location(name, Mode::Region, Span::NONE)
    }
}

impl Coder<'_> {
    /// In front of a statement, a script may be halted.
    pub(super) fn halt_before(&mut self, stmt: StmtId, span: Span) {
        let suffers = self
            .input
            .member
            .is_some_and(|member| member.suffers().anything());
        if suffers && self.is_reachable() && may_halt_before(self.input.checked, stmt) {
            self.cut(span);
        }
    }

    /// A call that resets, stops, starts or removes a script.
    pub(super) fn order(&mut self, id: ast::ExprId, function: &facts::Function, args: &[ExprId]) {
        let (Some(member), Some(act)) = (self.input.member, act(function.name)) else {
            return;
        };
        let checked = self.input.checked;
        let span = checked.ast.expr(id).span;
        let meant = member.linkset.meant(member.index, &named(checked, id, 0));
        let switch = match act {
            Act::Switch => args.get(1).copied(),
            Act::Reset | Act::Remove => None,
        };
        let switch = switch.map(|on| {
            let on = self.build.as_bool(on);
            self.save(on)
        });
        if meant.certain {
            for script in meant.scripts {
                let stmts = self.effect_of_order(act, switch, script, span);
                stmts.into_iter().for_each(|stmt| self.emit(stmt));
            }
            return;
        }
        // One of them, or none.
        let place = self.temporary(&ModelType::INT32);
        let what = format!("which script `{}` means", function.name);
        let outside = self.build.outside(&*what, span, Lifetime::Reading, false);
        let numbers = (0..=meant.scripts.len()).map(|n| i32::try_from(n).unwrap_or(i32::MAX));
        let members = numbers.map(|n| self.build.int(n)).collect();
        let choice = self.build.chosen(place.clone(), &what, members, outside);
        self.emit(Stmt::Choose(choice));
        let which = self.build.program.exprs.load(place, ModelType::INT32);
        for (script, number) in meant.scripts.into_iter().zip(1..) {
            let number = self.build.int(number);
            let this = self.build.equal(which, number);
            let stmts = self.effect_of_order(act, switch, script, span);
            self.emit(Stmt::If(this, stmts, Vec::new()));
        }
    }

    /// What a call does to one script.
    fn effect_of_order(
        &mut self,
        act: Act,
        switch: Option<ExprId>,
        script: usize,
        span: Span,
    ) -> Vec<Stmt> {
        let member = self.input.member;
        let own = member.is_some_and(|member| member.index == script);
        let Some(peer) = self.build.company.peers.get(script).cloned() else {
            return Vec::new();
        };
        let goes_on = peer.halts.goes_on.filter(|_| own).map(|goes_on| {
            let what = "whether a script that halts itself goes on for a while";
            self.build.doubtfully(goes_on, what, span)
        });
        match act {
            Act::Reset => {
                let mut done = self.is_to_be_reset(&peer, span);
                done.extend(goes_on);
                done
            }
            Act::Remove => {
                let gone = peer.halts.gone;
                let gone = gone.map(|gone| self.build.set_flag(gone, true));
                gone.into_iter().chain(goes_on).collect()
            }
            Act::Switch => {
                let Some((off, on)) = peer.halts.off.zip(switch) else {
                    return Vec::new();
                };
                let mut stop = vec![self.build.set_flag(off, true)];
                stop.extend(goes_on);
                let start = self.build.set_flag(off, false);
                vec![Stmt::If(on, vec![start], stop)]
            }
        }
    }

    /// A script that runs is reset; whether one is that does not run is told in more than one way.
    fn is_to_be_reset(&mut self, peer: &Peer, span: Span) -> Vec<Stmt> {
        let Some(reset) = peer.halts.reset else {
            return Vec::new();
        };
        let mut idle = self.build.read(peer.stopped);
        if let Some(off) = peer.halts.off {
            let off = self.build.read(off);
            idle = self.build.or(idle, off);
        }
        let certainly = self.build.set_flag(reset, true);
        let what = "whether a script that does not run is reset";
        let perhaps = self.build.doubtfully(reset, what, span);
        vec![Stmt::If(idle, vec![perhaps], vec![certainly])]
    }
}
