//! The start parameter: what the object is rezzed with, or a call that loads a script gives.
//!
//! A reset takes it away, and so do another region and a restart of the region
//! (<https://wiki.secondlife.com/wiki/LlGetStartParameter>, caveats).

use model::{ExprId, Lifetime, Stmt, Type as ModelType};
use source::Span;

use super::build::Build;
use super::code::Coder;
use crate::environment::sample;

impl Build {
    /// The start parameter of a script that begins anew: what a call that has loaded it gives, or else 0.
    /// Until it has run `state_entry`, if it handles that, it keeps the parameter.
    pub(super) fn start_again(&mut self, handles_entry: bool) -> Vec<Stmt> {
        let Some((value, known)) = self.world.start else {
            return Vec::new();
        };
        let zero = self.int(0);
        let given = self.company.halts.given;
        let parameter = given.map_or(zero, |given| self.read(given));
        let mut stmts = vec![self.set(value, parameter), self.set_flag(known, true)];
        stmts.extend(given.map(|given| self.set(given, zero)));
        let loaded = self.company.halts.loaded.filter(|_| handles_entry);
        stmts.extend(loaded.map(|loaded| self.set_flag(loaded, true)));
        stmts
    }

    /// The object comes to another region, or its region restarts.
    pub(crate) fn lose_start(&mut self) -> Vec<Stmt> {
        let Some((value, known)) = self.world.start else {
            return Vec::new();
        };
        let lost = Stmt::Emit {
            event: self.world.events.start_lost,
            args: Vec::new(),
            span: Span::NONE,
        };
        let zero = self.int(0);
        vec![lost, self.set(value, zero), self.set_flag(known, true)]
    }
}

impl Coder<'_> {
    /// `llGetStartParameter`: chosen when it is first read, and the same until the object is rezzed.
    pub(super) fn start_parameter(&mut self, span: Span) -> ExprId {
        let Some((value, known)) = self.build.world.start else {
            return self.build.int(0);
        };
        if self.temporaries.allowed() {
            let what = "the start parameter";
            let survey = self.input.survey;
            let place = model::Place::global(value);
            let mut choice = sample::choice_of_integers(self.build, survey, place, what);
            choice.outside = Some(self.build.outside(what, span, Lifetime::Event, true));
            self.choose_unless_known(known, choice);
        }
        self.build.read(value)
    }

    /// While the script sleeps, the object may come to another region.
    pub(super) fn perhaps_start_is_lost(&mut self) {
        if !self.temporaries.allowed() || self.build.world.start.is_none() {
            return;
        }
        let lost = self.temporary(&ModelType::Bool);
        let (no, yes) = (self.build.bool(false), self.build.bool(true));
        let what = "whether the start parameter is lost meanwhile";
        let choice = Build::one_of(lost.clone(), what, vec![no, yes]);
        self.emit(Stmt::Choose(choice));
        let lost = self.build.program.exprs.load(lost, ModelType::Bool);
        let body = self.build.lose_start();
        self.emit(Stmt::If(lost, body, Vec::new()));
    }
}
