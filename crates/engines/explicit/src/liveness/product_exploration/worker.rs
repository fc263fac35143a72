//! One thread's share of an unfolding: it expands states, follows the automaton along their
//! successors, and wakes states that more of the automaton's states have come to.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use model::{FiniteRuns, UnknownReason};

use super::finds::{FoundBatch, Settled, Visit};
use super::shared::{Common, Item, Setting};
use super::spread::{Spread, has};
use crate::Technique;
use crate::checkpoint::file::CheckpointFile;
use crate::ir::state_width::{Any, Width, with_width};
use crate::liveness::automaton_labels::{Label, Reader};
use crate::liveness::product_graph::{ASLEEP, Pace, UNSEEN};
use crate::store::{BATCH, Full, Worker};
use crate::successors::expander::{Driver, Halt};
use crate::successors::predicate_cache::Seen;

/// States looked at between two looks at the budget.
const TELL: u64 = 256;
/// States looked at between two reports of progress.
const REPORT: u64 = 1 << 14;

/// One thread's share.
pub(super) struct ProductWorker<'e> {
    pub(super) driver: Driver<'e>,
    constraints: usize,
    pub(super) inserter: Worker,
    reader: Reader,
    /// Positions for successors.
    run: Range<u32>,
    finds: FoundBatch,
    /// States woken that are not fresh.
    pub(super) woken: Vec<u32>,
    /// What is left of items that were broken off.
    pub(super) left: Vec<Item>,
    /// States of the present item.
    stored: Vec<u64>,
    pub(super) watched: Vec<bool>,
    counts: Counts,
    told: Counts,
    /// A state where the automaton has come to its goal.
    pub(super) found: Option<u32>,
    spread: Spread,
    seen: Seen,
    /// Whether letters are remembered.
    remembers: bool,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) states: u64,
    pub(super) transitions: u64,
    pub(super) looked: u64,
    pub(super) expanded: u64,
    pub(super) reduced: u64,
}

impl<'e> ProductWorker<'e> {
    pub(super) fn new(
        driver: Driver<'e>,
        constraints: usize,
        inserter: Worker,
        setting: &Setting<'e>,
    ) -> Self {
        ProductWorker {
            driver,
            constraints,
            inserter,
            reader: Reader::default(),
            run: 0..0,
            finds: FoundBatch::default(),
            woken: Vec::new(),
            left: Vec::new(),
            stored: Vec::new(),
            watched: vec![false; setting.watched],
            counts: Counts::default(),
            told: Counts::default(),
            found: None,
            spread: Spread::new(setting.letters.width),
            seen: Seen::new(setting.observed.as_deref().unwrap_or_default()),
            remembers: setting.engine.tuning().has(Technique::PredicateCache),
        }
    }

    pub(super) fn add_initial(
        &mut self,
        common: &Common<'_>,
        stored: &[u64],
        automaton: u32,
    ) -> Result<u32, UnknownReason> {
        let mut inserted = Vec::new();
        common
            .graph
            .store
            .insert_all(&mut self.inserter, stored, &mut inserted)
            .map_err(|Full| UnknownReason::Memory)?;
        let row = inserted[0].id.0;
        let mut set = vec![0; common.graph.width];
        set[automaton as usize / 8] |= 1 << (automaton % 8);
        if !common.graph.by_state {
            self.driver.load(stored);
            let outcomes = match self.driver.evaluate() {
                Ok(outcomes) => &outcomes[self.constraints..],
                Err(Halt::Stop(reason)) => return Err(reason),
                Err(Halt::Enough | Halt::FieldOverflow) => {
                    unreachable!("nobody is told, and all fits")
                }
            };
            let label = Label {
                letter: common.letter(outcomes),
                ..Label::default()
            };
            for (seen, outcome) in self.watched.iter_mut().zip(&outcomes[common.outcomes..]) {
                *seen |= *outcome != 0;
            }
            let class = self.reader.number(&common.letters, label);
            let before = std::mem::replace(&mut set, vec![0; common.graph.width]);
            let class = self.reader.class(&common.letters, class);
            class.follow(&before, &mut set);
        }
        let marked = common
            .graph
            .mark(row, &set)
            .map_err(|Full| UnknownReason::Memory)?;
        self.counts.states += u64::from(marked.new);
        if common.goal.is_some_and(|goal| has(&set, goal)) {
            self.found = Some(row);
        }
        Ok(row)
    }

    /// Works on a part of a level.
    pub(super) fn work(&mut self, common: &Common<'_>, item: &Item) {
        match item {
            Item::Fresh(rows) => {
                let mut stored = std::mem::take(&mut self.stored);
                stored.clear();
                common.graph.store.read_all(rows.clone(), &mut stored);
                with_width!(common.graph.store.words(), width => {
                    self.all_fresh(width, common, rows, &stored);
                });
                self.stored = stored;
            }
            Item::Again(rows) => {
                for (place, &row) in rows.iter().enumerate() {
                    let done = self.visit(common, row, false);
                    if common.is_halted() {
                        let rest = &rows[place + usize::from(done)..];
                        if !rest.is_empty() {
                            self.left.push(Item::Again(rest.to_vec()));
                        }
                        break;
                    }
                }
            }
        }
        if self.counts.looked - self.told.looked >= TELL {
            self.tell(common);
        }
    }

    /// Looks at states for the first time.
    #[inline(always)]
    fn all_fresh(
        &mut self,
        width: impl Width,
        common: &Common<'_>,
        rows: &Range<u32>,
        states: &[u64],
    ) {
        let placed = states.chunks_exact(width.get()).enumerate();
        let mut pace = Pace::new(&common.graph);
        for (row, (place, stored)) in rows.clone().zip(placed) {
            let number = self.driver.find(width, states, place);
            let done = self.fresh(common, &mut pace, (row, stored), (width, number));
            if common.is_halted() {
                let next = row + u32::from(done);
                if next < rows.end {
                    self.left.push(Item::Fresh(next..rows.end));
                }
                break;
            }
        }
    }

    /// Looks at a state for the first time; says whether that was done to the end.
    #[inline(always)]
    fn fresh(
        &mut self,
        common: &Common<'_>,
        pace: &mut Pace<'_>,
        (row, stored): (u32, &[u64]),
        found: (impl Width, usize),
    ) -> bool {
        let done = if pace.take(row, &mut self.finds.sets) {
            self.expand(common, row, stored, Some(found))
        } else {
            let asleep = pace.set_first(row, ASLEEP);
            asleep.map_err(|Full| UnknownReason::Memory)
        };
        self.done(common, done)
    }

    fn done(&mut self, common: &Common<'_>, done: Result<(), UnknownReason>) -> bool {
        match done {
            Ok(()) => {
                self.counts.looked += 1;
                true
            }
            Err(reason) => {
                common.stop(reason);
                false
            }
        }
    }

    /// Looks at a state again, or wherever the search wants to go; says whether that was done to
    /// the end.
    pub(super) fn visit(&mut self, common: &Common<'_>, row: u32, anywhere: bool) -> bool {
        let graph = &common.graph;
        let first = graph.first(row);
        if graph.has_lists && first == UNSEEN && !anywhere {
            // It is fresh, too: that comes to it in this level, or is with it now.
            return true;
        }
        let start = self.finds.sets.len();
        if !Pace::new(graph).take(row, &mut self.finds.sets) {
            return true;
        }
        let done = if first <= ASLEEP {
            let mut stored = std::mem::take(&mut self.stored);
            stored.clear();
            graph.store.read_all(row..row + 1, &mut stored);
            let done = self.expand(common, row, &stored, None::<(Any, usize)>);
            self.stored = stored;
            done
        } else {
            let set = self.finds.sets.split_off(start);
            self.follow_list(common, row, &set)
        };
        self.done(common, done)
    }

    /// Follows states of the automaton along the list of a state.
    fn follow_list(
        &mut self,
        common: &Common<'_>,
        row: u32,
        set: &[u8],
    ) -> Result<(), UnknownReason> {
        let graph = &common.graph;
        let spread = &mut self.spread;
        let mut pace = Pace::new(graph);
        let mut full = Ok(());
        graph.each(row, |transition| {
            spread.read(&mut self.reader, common, set, transition.class);
            self.counts.transitions += spread.edges;
            let marked = spread.mark(common, &mut pace, transition.to, &mut self.found);
            match marked {
                Ok((states, wakes)) => {
                    self.counts.states += states;
                    if wakes {
                        self.woken.push(transition.to);
                    }
                }
                Err(Full) => full = Err(UnknownReason::Memory),
            }
        });
        full
    }

    /// Expands a state, of which what is remembered may have been found; the automaton's states
    /// there are the last of the sets.
    #[inline(always)]
    fn expand(
        &mut self,
        common: &Common<'_>,
        row: u32,
        stored: &[u64],
        found: Option<(impl Width, usize)>,
    ) -> Result<(), UnknownReason> {
        let halted = |halt: Halt, finds: &mut FoundBatch| {
            // It will be expanded again, if the search ever goes on.
            let set = finds.sets.len() - common.graph.width;
            common.graph.wait_again(row, &finds.sets[set..]);
            finds.sets.truncate(set);
            match halt {
                Halt::Stop(reason) => reason,
                Halt::Enough | Halt::FieldOverflow => {
                    finds.stop.take().unwrap_or(UnknownReason::Interrupted)
                }
            }
        };
        let by_state = common.graph.by_state;
        let mut base = 0;
        if by_state {
            let remembered = self.remembers.then(|| self.seen.get(stored)).flatten();
            let number = match remembered {
                Some(number) => number,
                None => {
                    let outcomes = match self.driver.outcomes_at(stored) {
                        Ok(outcomes) => &outcomes[self.constraints..],
                        Err(halt) => return Err(halted(halt, &mut self.finds)),
                    };
                    for (seen, outcome) in self.watched.iter_mut().zip(&outcomes[common.outcomes..])
                    {
                        *seen |= *outcome != 0;
                    }
                    let label = Label {
                        letter: common.letter(outcomes),
                        ..Label::default()
                    };
                    let number = self.reader.number(&common.letters, label);
                    if self.remembers {
                        self.seen.put(number);
                    }
                    number
                }
            };
            base = number;
            let start = self.finds.sets.len() - common.graph.width;
            let set = &self.finds.sets[start..];
            self.spread.read(&mut self.reader, common, set, number);
            if self.spread.edges == 0 {
                self.finds.sets.truncate(start);
                let asleep = common.graph.set_first(row, ASLEEP);
                return asleep.map_err(|Full| UnknownReason::Memory);
            }
        }
        let mut sink = Visit {
            common,
            finds: &mut self.finds,
            inserter: &mut self.inserter,
            watched: &mut self.watched,
            recent: 0,
        };
        let expanded = match found {
            Some((width, number)) => self.driver.expand_found(width, number, stored, &mut sink),
            None => self.driver.expand(stored, &mut sink),
        };
        let expanded = match expanded {
            Ok(expanded) => expanded,
            Err(halt) => return Err(halted(halt, &mut self.finds)),
        };
        self.counts.expanded += 1;
        self.counts.reduced += u64::from(expanded.reduced);
        if !expanded.moves {
            match common.finite_runs {
                FiniteRuns::Stutter => {
                    if by_state {
                        let label = self.reader.class(&common.letters, base).label;
                        let label = Label {
                            stutter: true,
                            ..label
                        };
                        base = self.reader.number(&common.letters, label);
                    } else {
                        self.driver.load(stored);
                        let outcomes = match self.driver.evaluate() {
                            Ok(outcomes) => &outcomes[self.constraints..],
                            Err(halt) => return Err(halted(halt, &mut self.finds)),
                        };
                        let label = Label {
                            letter: common.letter(outcomes),
                            enabled: expanded.enabled,
                            stutter: true,
                            ..Label::default()
                        };
                        let class = self.reader.number(&common.letters, label);
                        self.finds.classes.push(class);
                    }
                    self.finds.filling.push(stored);
                }
                FiniteRuns::InfiniteOnly => {}
                FiniteRuns::Maximal => {
                    let reason = "linear-time properties of runs that end";
                    return Err(UnknownReason::Unsupported(reason.to_owned()));
                }
            }
        }
        if !by_state {
            for (letter, taken) in self.finds.labels.drain(..) {
                let label = Label {
                    letter,
                    taken,
                    enabled: expanded.enabled,
                    stutter: false,
                };
                let class = self.reader.number(&common.letters, label);
                self.finds.classes.push(class);
            }
        }
        self.finds.expanded.push(Settled {
            row,
            end: self.finds.len(),
            class: base,
        });
        if self.finds.filling.len() >= BATCH {
            self.finds
                .look_up(common, &mut self.inserter)
                .map_err(|Full| UnknownReason::Memory)?;
        }
        if self.finds.inserted.len() >= BATCH {
            self.settle(common).map_err(|Full| UnknownReason::Memory)?;
        }
        Ok(())
    }

    /// Enters what has been found into the graph, as far as whole states are concerned.
    fn settle(&mut self, common: &Common<'_>) -> Result<(), Full> {
        let graph = &common.graph;
        let (mut start, mut states) = (0, 0);
        let finds = &mut self.finds;
        let mut pace = Pace::new(graph);
        let spread = &mut self.spread;
        let mut rest = &*finds.inserted;
        let mut all_classes = &*finds.classes;
        let sets = finds.sets.chunks_exact(graph.width);
        for (expanded, set) in finds.expanded.iter().zip(sets) {
            let Some((found, others)) = rest.split_at_checked(expanded.end - start) else {
                break;
            };
            rest = others;
            let mut classes: &[u32] = &[];
            if !graph.by_state {
                (classes, all_classes) = all_classes.split_at(found.len());
            }
            let to = found.iter().map(|inserted| {
                let to = inserted.id.0;
                (to, inserted.new && to > expanded.row)
            });
            let first = pace.keep(&mut self.run, to, classes)?;
            if graph.by_state {
                pace.set_head(expanded.row, first, expanded.class)?;
                spread.read(&mut self.reader, common, set, expanded.class);
            } else {
                pace.set_first(expanded.row, first)?;
            }
            for (place, inserted) in found.iter().enumerate() {
                if let Some(class) = classes.get(place) {
                    spread.read(&mut self.reader, common, set, *class);
                }
                self.counts.transitions += spread.edges;
                let (new, wakes) =
                    spread.mark(common, &mut pace, inserted.id.0, &mut self.found)?;
                self.counts.states += new;
                if wakes && !inserted.new {
                    self.woken.push(inserted.id.0);
                }
            }
            start = expanded.end;
            states += 1;
        }
        finds.inserted.drain(..start);
        if !graph.by_state {
            finds.classes.drain(..start);
        }
        finds.sets.drain(..states * graph.width);
        finds.expanded.drain(..states);
        for expanded in &mut finds.expanded {
            expanded.end -= start;
        }
        Ok(())
    }

    /// Enters all that has been found into the graph.
    pub(super) fn finish(&mut self, common: &Common<'_>) {
        let done = self
            .finds
            .look_up(common, &mut self.inserter)
            .and_then(|()| self.finds.look_up(common, &mut self.inserter))
            .and_then(|()| self.settle(common));
        if done.is_err() {
            common.stop(UnknownReason::Memory);
        }
        self.finds.clear();
        self.tell(common);
    }

    /// Goes on from what has been counted before, of which the others know.
    pub(super) fn count_from(&mut self, counts: Counts) {
        self.counts = counts;
        self.told = counts;
    }

    /// How many expansions there were, and how many were reduced.
    pub(super) fn reduced(&self) -> (u64, u64) {
        (self.counts.expanded, self.counts.reduced)
    }

    pub(super) fn tell_counts(&mut self, common: &Common<'_>) -> u64 {
        let add = |sum: &AtomicU64, now: u64, told: u64| {
            sum.fetch_add(now - told, Ordering::Relaxed) + (now - told)
        };
        add(&common.states, self.counts.states, self.told.states);
        add(
            &common.transitions,
            self.counts.transitions,
            self.told.transitions,
        );
        let looked = add(&common.looked, self.counts.looked, self.told.looked);
        self.told = self.counts;
        looked
    }

    /// Tells the others how far it is, and looks at the budget.
    fn tell(&mut self, common: &Common<'_>) {
        let looked = self.tell_counts(common);
        if let Some(limit) = common.budget.memory {
            let beside = common.graph.beside() + (common.rich)();
            common.graph.store.set_limit(limit.saturating_sub(beside));
        }
        if let Some(reason) = common.budget.exhausted(common.memory()) {
            common.stop(reason);
        }
        if common.file.is_some_and(CheckpointFile::is_due) {
            common.paused.store(true, Ordering::Relaxed);
            common.halted.store(true, Ordering::Relaxed);
        }
        let reported = common.reported.load(Ordering::Relaxed);
        if looked.wrapping_sub(reported) >= REPORT
            && common
                .reported
                .compare_exchange(reported, looked, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            let statistics = common.statistics();
            let waiting = u64::from(common.graph.store.len()).saturating_sub(looked);
            common.progress.report(&statistics, waiting);
        }
    }
}
