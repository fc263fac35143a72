//! Discrete time: ticks of a second, counted for each process since its last step.
//!
//! As in the discrete time ToolBus (Bergstra and Klint 1998) time is counted from when a process comes
//! to where its delay stands, and each step of the process starts it again. A clock is stopped one
//! behind the largest time that its process asks for: what is later makes no difference. Only clocks
//! that are asked run. How often tools send an event may be limited to so many times a tick.

use model::{
    Binary, Expr, ExprId, GlobalId, LocId, Mode, Place, Process, ProcessId, Step, Stmt, Type,
};
use source::Span;

use super::Lowering;
use super::notes::cell;
use crate::behaviour::Atom;
use crate::bounds::Bound;
use crate::load::{Dialect, Schedule, Time};

/// The longest time that is counted.
const LONGEST: i64 = 200;

/// What is kept of time.
#[derive(Debug)]
pub(super) struct Clocks {
    /// For each instance the ticks since its last step.
    clocks: GlobalId,
    ty: Type,
    /// For each unit where its clock stops; 0 if it has none.
    stops: Vec<i64>,
    /// Events that happen so often in a tick only: the word, the counter, the limit.
    rates: Vec<(String, GlobalId, i64)>,
}

impl Lowering<'_> {
    /// Whether anything asks for the time.
    pub(super) fn will_tick(&self) -> bool {
        if self.time == Time::Untimed {
            return false;
        }
        let atoms = self.units.iter().flat_map(|unit| &unit.inlined.atoms);
        let mut times = atoms.flat_map(|atom| [atom.delay, atom.timeout]);
        let words = self.tools.event_words();
        let mut rates = words.iter().filter_map(|word| self.rate_of(word));
        times.any(|time| time.is_some()) | rates.any(|_| true)
    }

    /// How often an event happens in a tick, if that is stated.
    fn rate_of(&self, word: &str) -> Option<i64> {
        match self.bounds.get(&format!("rate-{word}")) {
            Some(Bound::Count(most) | Bound::Range(_, most)) => Some(most.clamp(0, 100)),
            _ => None,
        }
    }

    pub(super) fn declare_time(&mut self) {
        if !self.ticks {
            return;
        }
        let stops: Vec<i64> = self
            .units
            .iter()
            .map(|unit| {
                let atoms = unit.inlined.atoms.iter();
                let times = atoms.flat_map(|atom| [atom.delay, atom.timeout]).flatten();
                times.max().map_or(0, |most| most.clamp(0, LONGEST) + 1)
            })
            .collect();
        let ty = Type::Range {
            lo: 0,
            hi: stops.iter().copied().max().unwrap_or(0),
        };
        let length = u32::try_from(self.slots()).expect("few instances");
        let array = Type::Array(Box::new(ty.clone()), length);
        let mut clocks = model::Variable::new("clocks", array);
        clocks.kind = model::VariableKind::World;
        let clocks = self.program.add_global(clocks);
        let mut rates = Vec::new();
        for word in self.tools.event_words() {
            if let Some(most) = self.rate_of(&word) {
                let ty = Type::Range { lo: 0, hi: most };
                let name = format!("{word} in this tick");
                let mut counter = model::Variable::new(name, ty);
                counter.kind = model::VariableKind::World;
                let text = format!("event `{word}` happens at most {most} times a tick");
                self.cut(text, &format!("rate-{word}"));
                rates.push((word, self.program.add_global(counter), most));
            }
        }
        let longer = |unit: &super::Unit| {
            let atoms = unit.inlined.atoms.iter();
            let mut times = atoms.flat_map(|atom| [atom.delay, atom.timeout]).flatten();
            times.any(|time| time > LONGEST)
        };
        if self.units.iter().any(longer) {
            self.sample(format!(
                "times longer than {LONGEST} ticks are taken for {LONGEST}"
            ));
        }
        self.clocks = Some(Clocks {
            clocks,
            ty,
            stops,
            rates,
        });
    }

    /// Whether delays are counted.
    pub(super) fn counts_time(&self) -> bool {
        self.clocks.is_some()
    }

    fn my_clock(&mut self) -> Option<(Place, Type)> {
        let me = self.program.exprs.add(Expr::Me, Type::Instance);
        let clocks = self.clocks.as_ref()?;
        Some((cell(clocks.clocks, me), clocks.ty.clone()))
    }

    /// When an action may be taken, by the clock.
    pub(super) fn in_time(&mut self, atom: &Atom) -> Vec<ExprId> {
        let mut guards = Vec::new();
        if atom.delay.is_none() && atom.timeout.is_none() {
            return guards;
        }
        let Some((place, ty)) = self.my_clock() else {
            return guards;
        };
        let now = self.program.exprs.load(place, ty.clone());
        if let Some(delay) = atom.delay {
            let due = self
                .program
                .exprs
                .int(delay.clamp(0, LONGEST).into(), ty.clone());
            guards.push(self.program.exprs.binary(Binary::Le, due, now));
        }
        // In the bus in Java there is still time when the clock says so, and no time at all is no limit.
        let (ng, timeout) = (self.dialect == Dialect::Ng, atom.timeout);
        if let Some(timeout) = timeout.filter(|timeout| !(ng && *timeout == 0)) {
            let over = self.program.exprs.int(timeout.clamp(0, LONGEST).into(), ty);
            let compare = if ng && timeout > 0 {
                Binary::Le
            } else {
                Binary::Lt
            };
            guards.push(self.program.exprs.binary(compare, now, over));
        }
        guards
    }

    /// A step of a process starts its clock again.
    pub(super) fn start_clock(&mut self, unit: usize) -> Option<Stmt> {
        let timed = self.clocks.as_ref()?.stops[unit] > 0;
        let (place, ty) = self.my_clock().filter(|_| timed)?;
        let zero = self.program.exprs.int(0, ty);
        Some(Stmt::Assign(place, zero))
    }

    /// Whether an event may still happen in this tick, and counting it.
    pub(super) fn rate(&mut self, word: &str) -> Option<(ExprId, Stmt)> {
        let rates = &self.clocks.as_ref()?.rates;
        let &(_, counter, most) = rates.iter().find(|(known, ..)| known == word)?;
        Some(self.count(counter, most))
    }

    /// The environment: ticks.
    pub(super) fn ticking(&mut self) {
        let Some(clocks) = self.clocks.take() else {
            return;
        };
        let mut process = Process::new("time");
        let here = process.add_location("time", Mode::Open, Span::NONE);
        process.locations[here.index()].end = true;
        let mut step = Step::new(here, here, Span::NONE);
        let mut body = Vec::new();
        let mut changes = Vec::new();
        for &(_, counter, most) in &clocks.rates {
            let ty = Type::Range { lo: 0, hi: most };
            let now = self.program.exprs.load(Place::global(counter), ty.clone());
            let zero = self.program.exprs.int(0, ty);
            changes.push(self.program.exprs.binary(Binary::Lt, zero, now));
            body.push(Stmt::Assign(Place::global(counter), zero));
        }
        for instance in 0..self.slots() {
            for unit in 0..self.units.len() {
                let stop = clocks.stops[unit];
                if stop == 0 {
                    continue;
                }
                let waits = self.waits_for_time(unit, instance);
                let index = self.byte(instance);
                let place = cell(clocks.clocks, index);
                let now = self.program.exprs.load(place.clone(), clocks.ty.clone());
                let stop = self.program.exprs.int(stop.into(), clocks.ty.clone());
                let runs = self.program.exprs.binary(Binary::Lt, now, stop);
                let runs = self.program.exprs.and(waits, runs);
                let one = self.program.exprs.int(1, Type::Mathint);
                let more = Expr::Binary(Binary::Add, now, one);
                let more = self.program.exprs.add(more, Type::Mathint);
                changes.push(runs);
                body.push(Stmt::If(runs, vec![Stmt::Assign(place, more)], Vec::new()));
            }
        }
        let mut guard = self.any_of(changes);
        if let Some(down) = self.down {
            let down = self.program.exprs.load(Place::global(down), Type::Bool);
            let up = self.program.exprs.not(down);
            guard = self.program.exprs.and(up, guard);
        }
        step.guard = Some(guard);
        body.insert(0, self.tell("tick", &[], Vec::new(), Span::NONE));
        step.body = body;
        step.class = u8::from(self.schedule != Schedule::Prompt);
        process.add_step(step);
        self.start_environment(process);
        self.clocks = Some(clocks);
    }

    /// Whether an instance of a unit is where it asks its clock.
    fn waits_for_time(&mut self, unit: usize, instance: usize) -> ExprId {
        let number = i128::try_from(instance).unwrap_or(0);
        let instance = self.program.exprs.int(number, Type::Instance);
        let asks = |next: &crate::automaton::Move| {
            let atom = &self.units[unit].inlined.atoms[next.atom];
            atom.delay.is_some() || atom.timeout.is_some()
        };
        let states = self.units[unit].automaton.states.iter().enumerate();
        let states: Vec<usize> = states
            .filter(|(_, moves)| moves.iter().any(asks))
            .map(|(state, _)| state)
            .collect();
        let places: Vec<ExprId> = states
            .into_iter()
            .map(|state| {
                let at = Expr::At {
                    instance,
                    process: ProcessId::new(unit),
                    location: LocId::new(state),
                };
                self.program.exprs.add(at, Type::Bool)
            })
            .collect();
        self.any_of(places)
    }
}
