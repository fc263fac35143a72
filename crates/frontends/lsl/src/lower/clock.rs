//! Clocks: they never run backwards, and move whenever nobody looks.
//!
//! What is kept of a clock is the time at which it was last read; a reading is any time from there
//! on. The clock in seconds since the epoch is a number, and all of them are meant: engines that
//! enumerate try some. The script's own clock is a float; a value from outside stands for the times
//! that are not tried.

use model::{Binary, Choice, Expr, ExprId, Lifetime, Stmt, Type as ModelType, ValueSet};
use source::Span;

use super::code::Coder;
use crate::library::{self, PureEntry};
use crate::types::Type;

/// The time before which no script runs: in November 2023, a round number.
pub(crate) const EARLIEST: i32 = 1_700_000_000;

/// The largest number of times that are tried.
const MOST_TIMES: usize = 16;

/// A time of which nothing is known but that it is not before another.
static LATER: PureEntry = PureEntry {
    name: "llGetTime",
    result: Type::Float,
    eval: |table, args| {
        let least = library::bounds(table, &args[0]).map_or(0.0, |(least, ..)| least);
        Ok(library::between(
            table,
            "the script's time",
            least,
            f64::INFINITY,
        ))
    },
    determined: |_, _| Ok(model::Value::Bool(true)),
};

impl Coder<'_> {
    /// `llGetUnixTime`.
    pub(super) fn unix_time(&mut self, span: Span) -> ExprId {
        let Some(clock) = self
            .build
            .world
            .clock
            .filter(|_| self.temporaries.allowed())
        else {
            return self.build.int(EARLIEST);
        };
        let last = self.build.read(clock);
        let latest = self.build.int(i32::MAX);
        let sample = self.times(last);
        let what = "the time";
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let place = self.temporary(&ModelType::INT32);
        self.emit(Stmt::Choose(Choice {
            place: place.clone(),
            set: ValueSet::Between(last, latest),
            sample: Some(sample),
            what: what.to_owned(),
            outside: Some(outside),
        }));
        let now = self.build.program.exprs.load(place, ModelType::INT32);
        let set = self.build.set(clock, now);
        self.emit(set);
        now
    }

    /// Times that are tried: soon after the earliest, by the numbers that the script writes, those
    /// numbers themselves, and the last reading again.
    fn times(&mut self, last: ExprId) -> Vec<ExprId> {
        let mut times: Vec<i32> = self
            .input
            .survey
            .integers
            .iter()
            .flat_map(|&n| [n.checked_sub(1), Some(n), n.checked_add(1)])
            .flatten()
            .chain([0, 1, 2])
            .filter(|&n| n >= 0)
            .map(|n| {
                if n < EARLIEST {
                    n.saturating_add(EARLIEST)
                } else {
                    n
                }
            })
            .collect();
        times.sort_unstable();
        times.dedup();
        times.truncate(MOST_TIMES);
        let mut sample = vec![last];
        for time in times {
            let time = self.build.int(time);
            let later = self.build.program.exprs.binary(Binary::Le, last, time);
            sample.push(
                self.build
                    .program
                    .exprs
                    .add(Expr::Ite(later, time, last), ModelType::INT32),
            );
        }
        sample
    }

    /// `llGetTime`, and `llGetAndResetTime` with `restart`.
    pub(super) fn script_time(&mut self, span: Span, restart: bool) -> ExprId {
        let zero = self.build.float(0.0);
        let Some(clock) = self
            .build
            .world
            .script_clock
            .filter(|_| self.temporaries.allowed())
        else {
            return zero;
        };
        let last = self.build.read(clock);
        let one = self.build.float(1.0);
        let mut members = vec![last];
        if let Some(less) = library::binary("<", Type::Float, Type::Float) {
            let later = self.build.apply(less, &[last, one]);
            let later = self.build.as_bool(later);
            members.push(self.build.choose_by(later, one, last));
        }
        members.push(self.build.apply(&LATER, &[last]));
        let what = "the script's time";
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let place = self.temporary(&ModelType::Rich);
        let choice = self.build.chosen(place.clone(), what, members, outside);
        self.emit(Stmt::Choose(choice));
        let now = self.build.program.exprs.load(place, ModelType::Rich);
        let set = self.build.set(clock, if restart { zero } else { now });
        self.emit(set);
        now
    }

    fn is_open(&self, value: ExprId) -> bool {
        self.build
            .program
            .exprs
            .constant(value)
            .is_some_and(|value| !library::known(&self.build.program.rich, value))
    }

    /// `llResetTime`.
    pub(super) fn restart_time(&mut self) {
        if let Some(clock) = self.build.world.script_clock {
            let zero = self.build.float(0.0);
            let set = self.build.set(clock, zero);
            self.emit(set);
        }
    }

    /// `llGenerateKey`: a key that nobody keeps.
    pub(super) fn new_key_of_all(&mut self, class: Option<usize>) -> ExprId {
        let members = self.build.range(class, "a new key");
        let strangers: Vec<ExprId> = members
            .into_iter()
            .filter(|&member| self.is_open(member))
            .collect();
        let ghosts = class.is_some_and(|class| self.build.flow.is_kept_by_ghosts(class));
        if ghosts || strangers.len() == 1 {
            let what = "a new key";
            let shunned = library::none_of(&self.build.program.rich, &[], true);
            let key = library::something(&self.build.program.rich, what, &shunned);
            return self.build.rich(key);
        }
        let own = self.own_places(class);
        let places = self.build.places_of(class, own);
        let mut key = strangers[strangers.len() - 1];
        for &other in strangers.iter().rev() {
            let kept = self.build.is_kept(other, &places);
            let free = self.build.not(kept);
            key = self.build.choose_by(free, other, key);
        }
        self.save(key)
    }

    /// `llListRandomize`: as it is, or in another order.
    pub(super) fn any_order(&mut self, list: ExprId, span: Span) -> ExprId {
        if !self.temporaries.allowed() {
            return list;
        }
        let what = "the order of the list";
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let shunned = library::none_of(&self.build.program.rich, &[], false);
        let other = library::something(&self.build.program.rich, what, &shunned);
        let other = self.build.rich(other);
        let place = self.temporary(&ModelType::Rich);
        let choice = self
            .build
            .chosen(place.clone(), what, vec![list, other], outside);
        self.emit(Stmt::Choose(choice));
        self.build.program.exprs.load(place, ModelType::Rich)
    }
}
