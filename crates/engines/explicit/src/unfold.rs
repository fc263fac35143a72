//! Unfolds the graph: what can be reached together with the automaton, by several threads, level
//! by level.
//!
//! A level is what has been found or woken in the one before. A state that states of the automaton
//! come to later is not expanded again: its list of successors is gone through. A state to which
//! the automaton comes only with letters that it cannot read is not expanded at all.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use model::{Budget, FiniteRuns, Progress, Statistics, UnknownReason};

use crate::crew::{lock, together};
use crate::engine::Engine;
use crate::expand::{Driver, End, Halt, Sink};
use crate::graph::{ASLEEP, Graph, UNSEEN};
use crate::letters::{Label, Letters, Reader, letter};
use crate::machine::Violation;
use crate::seen::Seen;
use crate::store::{BATCH, Batch, Full, Inserted, StateId, Store, Worker};
use crate::{Options, Storage};

/// Levels of fewer states are worked on by one thread.
const SHARED: usize = 2048;
/// The most states that a thread takes at a time.
const MOST: u32 = 256;
/// States looked at between two looks at the budget.
const TELL: u64 = 256;
/// States looked at between two reports of progress.
const REPORT: u64 = 1 << 14;
/// Macro steps between two looks at the budget inside one expansion.
const PULSE: u64 = 1 << 16;

/// A part of a level.
#[derive(Clone, Debug)]
enum Item {
    /// States found in the level before.
    Fresh(Range<u32>),
    /// States found earlier, to which more of the automaton's states have come.
    Again(Vec<u32>),
}

impl Item {
    fn len(&self) -> usize {
        match self {
            Item::Fresh(rows) => rows.len(),
            Item::Again(rows) => rows.len(),
        }
    }

    /// Cuts it so that no part is longer than this.
    fn cut(self, most: u32, out: &mut Vec<Item>) {
        match self {
            Item::Fresh(rows) => {
                let mut start = rows.start;
                while start < rows.end {
                    let end = start.saturating_add(most).min(rows.end);
                    out.push(Item::Fresh(start..end));
                    start = end;
                }
            }
            Item::Again(rows) => {
                let parts = rows.chunks(most as usize);
                out.extend(parts.map(|part| Item::Again(part.to_vec())));
            }
        }
    }
}

/// What the threads have in common.
struct Common<'e> {
    graph: Graph,
    letters: Letters<'e>,
    /// How many outcomes make a letter.
    outcomes: usize,
    /// A state of the automaton that it is enough to come to.
    goal: Option<u32>,
    finite_runs: FiniteRuns,
    budget: &'e Budget,
    progress: &'e dyn Progress,
    /// Bytes of rich values.
    rich: &'e (dyn Fn() -> u64 + Sync),
    halted: AtomicBool,
    stop: Mutex<Option<UnknownReason>>,
    states: AtomicU64,
    transitions: AtomicU64,
    looked: AtomicU64,
    reported: AtomicU64,
    depth: AtomicU64,
}

/// The unfolding so far.
pub(crate) struct Unfolding<'e> {
    common: Common<'e>,
    unfolders: Vec<Mutex<Unfolder<'e>>>,
    frontier: Vec<Item>,
    pub(crate) initial: Vec<(u32, u32)>,
    words: usize,
}

/// One thread's share.
struct Unfolder<'e> {
    driver: Driver<'e>,
    constraints: usize,
    worker: Worker,
    reader: Reader,
    /// Positions for successors.
    run: Range<u32>,
    finds: Finds,
    /// States woken that are not fresh.
    woken: Vec<u32>,
    /// States of the present item.
    stored: Vec<u64>,
    watched: Vec<bool>,
    counts: Counts,
    told: Counts,
    /// A state where the automaton has come to its goal.
    found: Option<u32>,
    spread: Spread,
    seen: Seen,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    states: u64,
    transitions: u64,
    looked: u64,
}

/// Successors on their way into the graph.
#[derive(Default)]
struct Finds {
    /// Those not looked up yet. While one batch is filled, what a look at the other needs is on
    /// its way from memory.
    filling: Batch,
    waiting: Batch,
    /// What became of those looked up, up to here.
    inserted: Vec<Inserted>,
    /// The classes of transitions, if they have any.
    classes: Vec<u32>,
    /// What is known of the present state's transitions before it is fully expanded.
    labels: Vec<(u64, u64)>,
    /// Expanded states whose successors are among these.
    expanded: Vec<Expanded>,
    /// The automaton's states there.
    sets: Vec<u8>,
    pulse: u64,
    stop: Option<UnknownReason>,
}

/// A state whose successors have been found.
struct Expanded {
    row: u32,
    /// The end of its successors.
    end: usize,
    class: u32,
}

/// Everything that goes into an unfolding.
pub(crate) struct Setting<'e> {
    pub(crate) engine: &'e Engine<'e>,
    pub(crate) letters: Letters<'e>,
    pub(crate) outcomes: usize,
    pub(crate) watched: usize,
    pub(crate) goal: Option<u32>,
    /// The bits of stored states that tell what is asked for, if they do.
    pub(crate) observed: Option<Vec<u64>>,
    pub(crate) budget: &'e Budget,
    pub(crate) progress: &'e dyn Progress,
    pub(crate) rich: &'e (dyn Fn() -> u64 + Sync),
}

impl<'e> Unfolding<'e> {
    pub(crate) fn new(setting: Setting<'e>, options: &Options) -> Self {
        let engine = setting.engine;
        let jobs = options.jobs.max(1);
        let storage = match options.storage {
            // States have to be read back.
            Storage::HashCompact | Storage::Bitstate => Storage::Plain,
            exact => exact,
        };
        let (store, workers) = Store::new(&engine.packing.shape(), storage, jobs);
        if let Some(limit) = setting.budget.memory {
            store.set_limit(limit);
        }
        let width = setting.letters.width;
        let by_state = setting.observed.is_some();
        let constraints = engine.program.state_constraint.len();
        let unfolders = workers
            .into_iter()
            .map(|worker| {
                let mut driver = engine.driver();
                if by_state {
                    driver.set_curious(false);
                }
                Mutex::new(Unfolder {
                    driver,
                    constraints,
                    worker,
                    reader: Reader::default(),
                    run: 0..0,
                    finds: Finds {
                        pulse: PULSE,
                        ..Finds::default()
                    },
                    woken: Vec::new(),
                    stored: Vec::new(),
                    watched: vec![false; setting.watched],
                    counts: Counts::default(),
                    told: Counts::default(),
                    found: None,
                    spread: Spread::new(width),
                    seen: Seen::new(setting.observed.clone().unwrap_or_default()),
                })
            })
            .collect();
        Unfolding {
            common: Common {
                graph: Graph::new(store, width, by_state, jobs == 1),
                letters: setting.letters,
                outcomes: setting.outcomes,
                goal: setting.goal,
                finite_runs: engine.program.finite_runs,
                budget: setting.budget,
                progress: setting.progress,
                rich: setting.rich,
                halted: AtomicBool::new(false),
                stop: Mutex::new(None),
                states: AtomicU64::new(0),
                transitions: AtomicU64::new(0),
                looked: AtomicU64::new(0),
                reported: AtomicU64::new(0),
                depth: AtomicU64::new(0),
            },
            unfolders,
            frontier: Vec::new(),
            initial: Vec::new(),
            words: engine.packing.words,
        }
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.common.graph
    }

    pub(crate) fn letters(&self) -> &Letters<'e> {
        &self.common.letters
    }

    /// How many states there are (of the program).
    pub(crate) fn rows(&self) -> u32 {
        self.common.graph.store.end()
    }

    /// Whether nothing is left to unfold.
    pub(crate) fn is_whole(&self) -> bool {
        self.frontier.is_empty()
    }

    /// Whether a sample stood for a wide choice.
    pub(crate) fn sampled(&self) -> bool {
        let sampled = |unfolder| lock::<Unfolder<'_>>(unfolder).driver.machine.sampled;
        self.unfolders.iter().any(sampled)
    }

    /// Adds to what was seen to hold.
    pub(crate) fn watched(&self, watched: &mut [bool]) {
        for unfolder in &self.unfolders {
            for (seen, theirs) in watched.iter_mut().zip(&lock(unfolder).watched) {
                *seen |= theirs;
            }
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        for unfolder in &self.unfolders {
            lock(unfolder).tell_counts(&self.common);
        }
        self.common.statistics()
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        self.common.memory()
    }

    /// Begins with these states and this state of the automaton.
    pub(crate) fn begin(
        &mut self,
        initial: &[Vec<u64>],
        automaton: u32,
    ) -> Result<(), UnknownReason> {
        let common = &self.common;
        let mut unfolder = lock(&self.unfolders[0]);
        for stored in initial {
            let row = unfolder.add_initial(common, stored, automaton)?;
            let mut set = vec![0; common.graph.width];
            common.graph.all(row, &mut set);
            let states = crate::letters::states(&set);
            self.initial
                .extend(states.map(|state| (row, u32::try_from(state).unwrap_or(u32::MAX))));
        }
        self.initial.sort_unstable();
        self.initial.dedup();
        drop(unfolder);
        self.gather();
        Ok(())
    }

    /// Works on one level. Says where the automaton has come to its goal, if it has.
    pub(crate) fn level(&mut self) -> Result<Option<u32>, UnknownReason> {
        let level = std::mem::take(&mut self.frontier);
        let size: usize = level.iter().map(Item::len).sum();
        let jobs = if size < SHARED {
            1
        } else {
            self.unfolders.len()
        };
        let share = u32::try_from(size / (jobs * 8)).unwrap_or(MOST);
        let most = if jobs == 1 {
            MOST
        } else {
            share.clamp(1, MOST)
        };
        let mut items = Vec::new();
        for item in level {
            item.cut(most, &mut items);
        }
        let next = AtomicUsize::new(0);
        let common = &self.common;
        let unfolders = &self.unfolders;
        together(jobs, |number| {
            let mut unfolder = lock(&unfolders[number]);
            while !common.is_halted()
                && let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed))
            {
                unfolder.work(common, item);
            }
            unfolder.finish(common);
        });
        self.gather();
        let found = unfolders_found(&self.unfolders);
        let stop = self
            .common
            .stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        match (found, stop) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(reason)) => Err(reason),
            (None, None) => {
                self.common.depth.fetch_add(1, Ordering::Relaxed);
                Ok(None)
            }
        }
    }

    /// Goes on from one state, always to its first successor, until a state comes again.
    pub(crate) fn walk(&mut self, from: u32) -> Result<(), UnknownReason> {
        let common = &self.common;
        common.halted.store(false, Ordering::Relaxed);
        let mut unfolder = lock(&self.unfolders[0]);
        let mut seen = std::collections::HashSet::new();
        let mut at = from;
        while seen.insert(at) {
            unfolder.visit(common, at, true);
            unfolder.finish(common);
            unfolder.found = None;
            if let Some(reason) = common.stopped() {
                return Err(reason);
            }
            common.halted.store(false, Ordering::Relaxed);
            let Some(next) = common.graph.next(&mut common.graph.transitions(at)) else {
                return Ok(());
            };
            at = next.to;
        }
        Ok(())
    }

    /// Collects the next level.
    fn gather(&mut self) {
        for unfolder in &self.unfolders {
            let mut unfolder = lock(unfolder);
            let fresh = unfolder.worker.take_fresh();
            self.frontier.extend(fresh.into_iter().map(Item::Fresh));
            let woken = std::mem::take(&mut unfolder.woken);
            if !woken.is_empty() {
                self.frontier.push(Item::Again(woken));
            }
        }
    }
}

fn unfolders_found(unfolders: &[Mutex<Unfolder<'_>>]) -> Option<u32> {
    unfolders
        .iter()
        .filter_map(|unfolder| lock(unfolder).found)
        .min()
}

impl Common<'_> {
    fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    fn stop(&self, reason: UnknownReason) {
        lock(&self.stop).get_or_insert(reason);
        self.halted.store(true, Ordering::Relaxed);
    }

    fn stopped(&self) -> Option<UnknownReason> {
        lock(&self.stop).clone()
    }

    fn memory(&self) -> u64 {
        self.graph.store.bytes() + self.graph.beside() + (self.rich)()
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.states.load(Ordering::Relaxed),
            transitions: self.transitions.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
            state_bytes: self.graph.store.state_bytes(),
            memory: self.memory(),
            storage: self.graph.store.storage().name(),
            omitted: 0.0,
            time: std::time::Duration::ZERO,
        }
    }

    /// The letter that outcomes make.
    fn letter(&self, outcomes: &[i64]) -> u64 {
        letter(&outcomes[..self.outcomes])
    }
}

impl Unfolder<'_> {
    fn add_initial(
        &mut self,
        common: &Common<'_>,
        stored: &[u64],
        automaton: u32,
    ) -> Result<u32, UnknownReason> {
        let mut inserted = Vec::new();
        common
            .graph
            .store
            .insert_all(&mut self.worker, stored, &mut inserted)
            .map_err(|Full| UnknownReason::Memory)?;
        let row = inserted[0].id.0;
        let mut set = vec![0; common.graph.width];
        set[automaton as usize / 8] |= 1 << (automaton % 8);
        if !common.graph.by_state {
            self.driver.load(stored);
            let outcomes = match self.driver.evaluate() {
                Ok(outcomes) => &outcomes[self.constraints..],
                Err(Halt::Stop(reason)) => return Err(reason),
                Err(Halt::Enough) => unreachable!("nobody is told"),
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
    fn work(&mut self, common: &Common<'_>, item: &Item) {
        match item {
            Item::Fresh(rows) => {
                let mut stored = std::mem::take(&mut self.stored);
                stored.clear();
                common.graph.store.read_all(rows.clone(), &mut stored);
                let words = stored.len() / rows.len().max(1);
                for (row, stored) in rows.clone().zip(stored.chunks_exact(words.max(1))) {
                    self.fresh(common, row, stored);
                    if common.is_halted() {
                        break;
                    }
                }
                self.stored = stored;
            }
            Item::Again(rows) => {
                for &row in rows {
                    self.visit(common, row, false);
                    if common.is_halted() {
                        break;
                    }
                }
            }
        }
        if self.counts.looked - self.told.looked >= TELL {
            self.tell(common);
        }
    }

    /// Looks at a state for the first time.
    fn fresh(&mut self, common: &Common<'_>, row: u32, stored: &[u64]) {
        let start = self.finds.sets.len();
        self.finds.sets.resize(start + common.graph.width, 0);
        let done = if common.graph.take(row, &mut self.finds.sets[start..]) {
            self.expand(common, row, stored)
        } else {
            self.finds.sets.truncate(start);
            let asleep = common.graph.set_first(row, ASLEEP);
            asleep.map_err(|Full| UnknownReason::Memory)
        };
        self.done(common, done);
    }

    fn done(&mut self, common: &Common<'_>, done: Result<(), UnknownReason>) {
        self.counts.looked += 1;
        if let Err(reason) = done {
            common.stop(reason);
        }
    }

    /// Looks at a state again, or wherever the search wants to go.
    fn visit(&mut self, common: &Common<'_>, row: u32, anywhere: bool) {
        let graph = &common.graph;
        let first = graph.first(row);
        if first == UNSEEN && !anywhere {
            // It is fresh, too: that comes to it in this level, or is with it now.
            return;
        }
        let start = self.finds.sets.len();
        self.finds.sets.resize(start + graph.width, 0);
        if !graph.take(row, &mut self.finds.sets[start..]) {
            self.finds.sets.truncate(start);
            return;
        }
        let done = if first <= ASLEEP {
            let mut stored = std::mem::take(&mut self.stored);
            stored.clear();
            graph.store.read_all(row..row + 1, &mut stored);
            let done = self.expand(common, row, &stored);
            self.stored = stored;
            done
        } else {
            let set = self.finds.sets.split_off(start);
            self.follow_list(common, row, &set)
        };
        self.done(common, done);
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
        spread.class = None;
        let mut full = Ok(());
        graph.each(row, |transition| {
            spread.read(&mut self.reader, common, set, transition.class);
            self.counts.transitions += spread.edges;
            let marked = spread.mark(common, transition.to, &mut self.found);
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

    /// Expands a state; the automaton's states there are the last of the sets.
    fn expand(
        &mut self,
        common: &Common<'_>,
        row: u32,
        stored: &[u64],
    ) -> Result<(), UnknownReason> {
        let halted = |halt: Halt, finds: &mut Finds| match halt {
            Halt::Stop(reason) => reason,
            Halt::Enough => finds.stop.take().unwrap_or(UnknownReason::Interrupted),
        };
        let by_state = common.graph.by_state;
        let mut label = Label::default();
        let mut base = 0;
        if by_state {
            let number = match self.seen.get(stored) {
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
                    label.letter = common.letter(outcomes);
                    let number = self.reader.number(&common.letters, label);
                    self.seen.put(number);
                    number
                }
            };
            base = number;
            let class = self.reader.class(&common.letters, number);
            let set = self.finds.sets.len() - common.graph.width;
            label = class.label;
            if !class.reads(&self.finds.sets[set..]) {
                self.finds.sets.truncate(set);
                let asleep = common.graph.set_first(row, ASLEEP);
                return asleep.map_err(|Full| UnknownReason::Memory);
            }
        }
        let mut sink = Visit {
            common,
            finds: &mut self.finds,
            worker: &mut self.worker,
            watched: &mut self.watched,
            recent: 0,
        };
        let expanded = match self.driver.expand(stored, &mut sink) {
            Ok(expanded) => expanded,
            Err(halt) => return Err(halted(halt, &mut self.finds)),
        };
        if !expanded.moves {
            match common.finite_runs {
                FiniteRuns::Stutter => {
                    label.stutter = true;
                    if by_state {
                        base = self.reader.number(&common.letters, label);
                    } else {
                        self.driver.load(stored);
                        let outcomes = match self.driver.evaluate() {
                            Ok(outcomes) => &outcomes[self.constraints..],
                            Err(halt) => return Err(halted(halt, &mut self.finds)),
                        };
                        label.letter = common.letter(outcomes);
                        label.enabled = expanded.enabled;
                        let class = self.reader.number(&common.letters, label);
                        self.finds.classes.push(class);
                    }
                    common.graph.store.push(&mut self.finds.filling, stored);
                }
                FiniteRuns::InfiniteOnly => {}
                FiniteRuns::Maximal => {
                    let reason = "linear-time properties of runs that end";
                    return Err(UnknownReason::Unsupported(reason.to_owned()));
                }
            }
        }
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
        self.finds.expanded.push(Expanded {
            row,
            end: self.finds.len(),
            class: base,
        });
        if self.finds.filling.len() >= BATCH {
            self.finds
                .look_up(common, &mut self.worker)
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
        let mut start = 0;
        let mut states = 0;
        let finds = &mut self.finds;
        for (number, expanded) in finds.expanded.iter().enumerate() {
            if expanded.end > finds.inserted.len() {
                break;
            }
            let found = &finds.inserted[start..expanded.end];
            let classes = if graph.by_state {
                graph.set_class(expanded.row, expanded.class)?;
                &[]
            } else {
                &finds.classes[start..expanded.end]
            };
            let to = found.iter().map(|inserted| inserted.id.0);
            let first = graph.keep(&mut self.run, to, classes)?;
            graph.set_first(expanded.row, first)?;
            let set = &finds.sets[number * graph.width..][..graph.width];
            let spread = &mut self.spread;
            spread.class = None;
            for (place, inserted) in found.iter().enumerate() {
                let class = classes.get(place).copied().unwrap_or(expanded.class);
                spread.read(&mut self.reader, common, set, class);
                self.counts.transitions += spread.edges;
                let (new, wakes) = spread.mark(common, inserted.id.0, &mut self.found)?;
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
    fn finish(&mut self, common: &Common<'_>) {
        let done = self
            .finds
            .look_up(common, &mut self.worker)
            .and_then(|()| self.finds.look_up(common, &mut self.worker))
            .and_then(|()| self.settle(common));
        if done.is_err() {
            common.stop(UnknownReason::Memory);
        }
        self.finds.clear();
        self.tell(common);
    }

    fn tell_counts(&mut self, common: &Common<'_>) -> u64 {
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

fn has(set: &[u8], state: u32) -> bool {
    set[state as usize / 8] >> (state % 8) & 1 != 0
}

/// States of the automaton on their way along the transitions of a state.
struct Spread {
    class: Option<u32>,
    to: Vec<u8>,
    /// Edges of the product for each transition.
    edges: u64,
    goal: bool,
}

impl Spread {
    fn new(width: usize) -> Self {
        Spread {
            class: None,
            to: vec![0; width],
            edges: 0,
            goal: false,
        }
    }

    /// Finds out where those of a set go with a class.
    #[inline]
    fn read(&mut self, reader: &mut Reader, common: &Common<'_>, from: &[u8], class: u32) {
        if self.class == Some(class) {
            return;
        }
        self.class = Some(class);
        self.to.fill(0);
        let class = reader.class(&common.letters, class);
        self.edges = class.follow(from, &mut self.to);
        self.goal = common.goal.is_some_and(|goal| has(&self.to, goal));
    }

    /// Marks where they go; says how many of them are new there, and whether that wakes it.
    #[inline]
    fn mark(
        &self,
        common: &Common<'_>,
        row: u32,
        found: &mut Option<u32>,
    ) -> Result<(u64, bool), Full> {
        let marked = common.graph.mark(row, &self.to)?;
        if self.goal && found.is_none() {
            *found = Some(row);
            common.halted.store(true, Ordering::Relaxed);
        }
        Ok((marked.new.into(), marked.wakes))
    }
}

impl Finds {
    /// How many there are.
    fn len(&self) -> usize {
        self.inserted.len() + self.waiting.len() + self.filling.len()
    }

    /// Looks up those that have waited, and lets those wait that have been found since.
    fn look_up(&mut self, common: &Common<'_>, worker: &mut Worker) -> Result<(), Full> {
        let store = &common.graph.store;
        store.insert(worker, &mut self.waiting, &mut self.inserted)?;
        self.waiting.clear();
        std::mem::swap(&mut self.filling, &mut self.waiting);
        store.prepare(&self.waiting);
        Ok(())
    }

    fn clear(&mut self) {
        self.filling.clear();
        self.waiting.clear();
        self.inserted.clear();
        self.classes.clear();
        self.labels.clear();
        self.expanded.clear();
        self.sets.clear();
    }
}

/// Collects the successors of one state.
struct Visit<'v, 'e> {
    common: &'v Common<'e>,
    finds: &'v mut Finds,
    worker: &'v mut Worker,
    watched: &'v mut [bool],
    /// How many of the pending ones are of this state.
    recent: usize,
}

/// Compares word by word: states are too short for a call.
#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

impl Sink for Visit<'_, '_> {
    #[inline]
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let finds = &mut *self.finds;
        let by_state = self.common.graph.by_state;
        let mut label = (0, 0);
        if !by_state {
            let (letters, watched) = end.outcomes.split_at(self.common.outcomes);
            label = (letter(letters), end.taken);
            for (seen, outcome) in self.watched.iter_mut().zip(watched) {
                *seen |= *outcome != 0;
            }
        }
        // Often the transition is one of the last two.
        let width = end.stored.len();
        let known = finds
            .filling
            .states()
            .chunks_exact(width)
            .rev()
            .take(self.recent.min(2))
            .enumerate()
            .any(|(back, other)| {
                same(other, end.stored)
                    && (by_state || finds.labels[finds.labels.len() - 1 - back] == label)
            });
        if !known {
            let store = &self.common.graph.store;
            store.push(&mut finds.filling, end.stored);
            if !by_state {
                finds.labels.push(label);
            }
            self.recent += 1;
            if finds.filling.len() >= BATCH {
                self.recent = 0;
                if finds.look_up(self.common, self.worker).is_err() {
                    finds.stop = Some(UnknownReason::Memory);
                    return ControlFlow::Break(());
                }
            }
        }
        finds.pulse -= 1;
        if finds.pulse == 0 {
            finds.pulse = PULSE;
            finds.stop = self.common.budget.exhausted(0);
            if finds.stop.is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What is known of a stored state.
pub(crate) fn read(unfolding: &Unfolding<'_>, row: u32) -> Vec<u64> {
    let mut stored = vec![0; unfolding.words];
    unfolding.common.graph.store.read(StateId(row), &mut stored);
    stored
}
