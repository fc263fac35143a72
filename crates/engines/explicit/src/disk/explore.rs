//! The search, level by level.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use model::{Budget, Progress, Statistics, UnknownReason};

use crate::disk::candidates::{Candidates, Sizes};
use crate::disk::files::{Disk, Pile, Room};
use crate::disk::level::{Expander, Place, Shared, stopped};
use crate::disk::merge::{Known, Merge, Runs};
use crate::disk::predecessors::paths;
use crate::disk::sorted::{BLOCK, Coding, Sorted, Writer};
use crate::engine::Engine;
use crate::evidence::result::along;
use crate::evidence::trace::Recovery;
use crate::ir::capacity::Capacity;
use crate::ir::compile::View;
use crate::search::bfs::{SafetyJob, SafetyOutcome, fit, prepared};
use crate::search::targets::{Found, Targets};
use crate::store::StateId;
use crate::store::adaptive_packing::{closely, widened};
use crate::store::packing::Packing;
use crate::store::repacking::Repacking;
use crate::{Answer, Options, SearchOrder, Technique};

/// Bytes for states in memory where no limit is set.
const USUAL: u64 = 1 << 30;
/// A block takes at most this part of the memory.
const PART: u64 = 1 << 9;
/// The least number of states that are collected.
const FEWEST: u64 = 64;
/// How often states are packed anew with more room; the last time by types, where everything fits.
const ROUNDS: usize = 6;

/// Explores the program breadth-first with states on disk: [`explore`](crate::explore) for what does not fit into memory.
///
/// Programs with features that this engine does not have are answered with
/// [`UnknownReason::Unsupported`], and everything with [`UnknownReason::Disk`] if a file cannot be written or read.
pub fn explore_on_disk(
    job: &SafetyJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    disk: &dyn Disk,
) -> SafetyOutcome {
    let begin = Instant::now();
    let means = (budget, progress, disk);
    let mut outcome = explore(job, options, means).unwrap_or_else(|reason| job.unknown(reason));
    outcome.statistics.time = begin.elapsed();
    outcome
}

/// Limits, who is told how far it is, and where files are.
type Means<'m> = (&'m Budget, &'m dyn Progress, &'m dyn Disk);

fn explore(
    job: &SafetyJob<'_>,
    options: &Options,
    (budget, progress, disk): Means<'_>,
) -> Result<SafetyOutcome, UnknownReason> {
    if options.all {
        let what = "a search on disk finds the first failure of each property (`--all-errors`)";
        return Err(UnknownReason::Option(what.to_owned()));
    }
    if options.order != SearchOrder::BreadthFirst {
        let what = "a search on disk goes breadth-first (`--engine`, `--storage`)";
        return Err(UnknownReason::Option(what.to_owned()));
    }
    let mut capacity = Capacity::new(job.program);
    loop {
        let (engine, wanted) = prepared(capacity, job, (options, View::States), budget)?;
        let files = Room::new(disk, budget);
        let mut search = Search::new((&engine, &wanted), options, (&files, budget, progress));
        let fitted = search.run();
        capacity = match engine.more_room() {
            None => {
                let now = fitted.as_ref().unwrap_or(&engine);
                return Ok(search.outcome(now));
            }
            Some(more) => more,
        };
        if let Some(reason) = budget.exhausted(0) {
            return Err(reason);
        }
    }
}

/// How a pass over levels has ended.
enum Ended {
    /// There is nothing left to do.
    Done,
    /// States are to be packed as their values so far need it.
    Fit,
    /// States need more room.
    Widen,
}

/// The search.
struct Search<'s, 'p> {
    engine: &'s Engine<'p>,
    wanted: &'s Targets<'s>,
    options: &'s Options,
    room: &'s Room<'s>,
    budget: &'s Budget,
    progress: &'s dyn Progress,
    /// The states of each level, in files of their own,
    levels: Vec<Arc<Sorted>>,
    pile: Option<Arc<Pile>>,
    /// and all of them.
    known: Runs,
    found: Vec<Option<Place>>,
    watched: Vec<bool>,
    sampled: bool,
    gave_up: bool,
    has_reduced: bool,
    stop: Option<UnknownReason>,
    statistics: Statistics,
    /// Whether it has been tried to pack states closely, and how often they have been packed with more room since.
    is_fitted: bool,
    rounds: usize,
    /// Whether runs cannot be told any more.
    is_broken: bool,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        (engine, wanted): (&'s Engine<'p>, &'s Targets<'s>),
        options: &'s Options,
        (room, budget, progress): (&'s Room<'s>, &'s Budget, &'s dyn Progress),
    ) -> Self {
        Search {
            engine,
            wanted,
            options,
            room,
            budget,
            progress,
            levels: Vec::new(),
            pile: None,
            known: Runs::by_states(),
            found: vec![None; wanted.bads.len()],
            watched: vec![false; wanted.watched],
            sampled: engine.sampled,
            gave_up: false,
            has_reduced: false,
            stop: None,
            statistics: Statistics {
                storage: crate::Storage::Disk.name(),
                ..Statistics::default()
            },
            is_fitted: false,
            rounds: 0,
            is_broken: false,
        }
    }

    /// Searches; gives the program as its states are packed now, if not by types.
    fn run(&mut self) -> Option<Engine<'p>> {
        let mut fitted: Option<Engine<'p>> = None;
        loop {
            let now = fitted.as_ref().unwrap_or(self.engine);
            let packing = match self.search(now) {
                Ok(Ended::Done) => break,
                Ok(Ended::Fit) => self.closely(now),
                Ok(Ended::Widen) => Ok(Some(self.wider(now))),
                Err(error) => Err(error),
            };
            let packed = packing.and_then(|packing| {
                if let Some(packing) = &packing {
                    self.repack((&now.packing, packing))?;
                }
                Ok(packing)
            });
            match packed {
                Ok(Some(packing)) => fitted = Some(self.engine.repacked(packing)),
                Ok(None) => {}
                Err(error) => {
                    self.stop.get_or_insert(self.room.reason(&error));
                    // Not all files are of one packing.
                    self.is_broken = true;
                    break;
                }
            }
        }
        self.statistics.disk = self.room.most();
        fitted
    }

    /// Whether all is known that is asked for.
    fn is_done(&self) -> bool {
        let mut found = self.found.iter().map(Option::is_some);
        !self.found.is_empty()
            && match self.options.first {
                true => found.any(|found| found),
                false => found.all(|found| found),
            }
    }

    /// Bytes in memory beside what threads keep.
    fn beside(&self) -> u64 {
        let levels = self.levels.iter().map(|level| level.bytes()).sum::<u64>();
        levels + self.known.bytes() + self.engine.program.rich.bytes() as u64
    }

    /// What each thread may keep.
    fn sizes(&self, words: usize) -> Sizes {
        let threads = self.options.jobs.max(1) as u64;
        let memory = self.budget.memory.unwrap_or(USUAL);
        let left = memory.saturating_sub(self.beside()) / threads;
        let most = self.options.tuning.number(Technique::DiskBuffer).max(1);
        let states = (left / 2 / (words as u64 * 8)).max(FEWEST).min(most);
        Sizes {
            states: usize::try_from(states).unwrap_or(usize::MAX),
            recent: left / 4,
        }
    }

    fn coding(&self, packing: &Packing) -> Arc<Coding> {
        let most = self.options.tuning.number(Technique::DiskBuffer);
        let bytes = most.saturating_mul(packing.words as u64 * 4);
        // Each file that is read has a block in memory.
        let part = self.budget.memory.unwrap_or(USUAL) / PART;
        let block = usize::try_from(bytes.min(part)).unwrap_or(usize::MAX);
        Coding::new(packing, block.min(BLOCK))
    }

    /// Level after level, with states that are packed like this.
    fn search(&mut self, engine: &Engine<'_>) -> io::Result<Ended> {
        let leaves_out = engine.reduces() && !engine.must_lead_on();
        let coding = self.coding(&engine.packing);
        let threads = self.options.jobs.max(1);
        let means = (self.wanted, self.budget);
        let expander = |sizes| {
            let candidates = Candidates::new(&coding, sizes);
            Expander::new(engine, means, candidates, leaves_out)
        };
        let mut expanders = vec![expander(self.sizes(engine.packing.words))];
        if self.levels.is_empty() {
            self.begin(&mut expanders[0], engine, &coding)?;
        }
        let from = match engine.symmetry {
            None if !self.is_fitted => fit(&self.options.tuning),
            _ => None,
        };
        let mut shared_from = self.options.tuning.number(Technique::ParallelLevels);
        if shared_from == 0 {
            shared_from = u64::MAX;
        }
        loop {
            let number = self.levels.len() - 1;
            let level = Arc::clone(&self.levels[number]);
            if level.len() == 0 && self.gave_up && !self.is_done() {
                // All is looked at but what branches lead to that were too long.
                self.stop.get_or_insert(UnknownReason::StepBudget);
            }
            let is_over = level.len() == 0 || self.is_done() || self.stop.is_some();
            if is_over || engine.is_short_of_room() {
                return Ok(Ended::Done);
            }
            if from.is_some_and(|from| self.statistics.states >= from.into()) {
                return Ok(Ended::Fit);
            }
            let together = threads > 1 && level.blocks() > 1 && level.len() >= shared_from;
            while together && expanders.len() < threads {
                expanders.push(expander(self.sizes(engine.packing.words)));
            }
            let (budget, progress) = (self.budget, self.progress);
            let shared = Shared::new(
                (&level, number),
                (self.room, budget, progress),
                self.statistics.clone(),
                (self.beside(), expanders.len()),
            );
            let before: u64 = expanders.iter().map(|it| it.notes.transitions).sum();
            expanders.iter_mut().for_each(|it| it.begin(&self.found));
            let active = if together { threads } else { 1 };
            expand(&mut expanders[..active], &shared);
            self.statistics.memory = self.statistics.memory.max(shared.memory());
            if expanders.iter().any(|it| it.has_overflowed) {
                // The level is expanded again.
                return Ok(Ended::Widen);
            }
            let after: u64 = expanders.iter().map(|it| it.notes.transitions).sum();
            self.statistics.transitions += after - before;
            self.gather(&mut expanders);
            if self.stop.is_none() && !self.is_done() && !engine.is_short_of_room() {
                self.next(&mut expanders, &coding)?;
            }
        }
    }

    /// The initial states.
    fn begin(
        &mut self,
        expander: &mut Expander<'_>,
        engine: &Engine<'_>,
        coding: &Arc<Coding>,
    ) -> io::Result<()> {
        expander.begin(&self.found);
        let constraints = engine.program.state_constraint.len();
        for stored in &engine.initial {
            expander
                .candidates
                .push_written(stored.len(), |to| to.copy_from_slice(stored));
            expander.driver.load(stored);
            let found = |_| Found::At(StateId(0));
            match expander.driver.evaluate() {
                Ok(outcomes) => expander.notes.judge(&outcomes[constraints..], found),
                Err(halt) => expander.notes.halted(halt),
            }
            for (place, found) in expander.places.iter_mut().zip(&expander.notes.found) {
                if let Some(found) = found.filter(|_| place.is_none()) {
                    *place = Some(Place::new(0, stored, found));
                }
            }
        }
        let expanders = std::slice::from_mut(expander);
        self.gather(expanders);
        self.next(expanders, coding)
    }

    /// Brings together what threads have noted.
    fn gather(&mut self, expanders: &mut [Expander<'_>]) {
        for expander in &*expanders {
            for (found, theirs) in self.found.iter_mut().zip(&expander.places) {
                if found.is_none() {
                    found.clone_from(theirs);
                }
            }
            for (seen, theirs) in self.watched.iter_mut().zip(&expander.notes.watched) {
                *seen |= theirs;
            }
            self.sampled |= expander.driver.machine.sampled;
            self.gave_up |= expander.driver.machine.gave_up;
            self.has_reduced |= expander.notes.reduced > 0;
        }
        if let Some(reason) = stopped(expanders) {
            self.stop.get_or_insert(reason);
        }
    }

    /// Makes the next level of what has been collected.
    fn next(&mut self, expanders: &mut [Expander<'_>], coding: &Arc<Coding>) -> io::Result<()> {
        let threads: u64 = expanders.iter().map(Expander::bytes).sum();
        let pile = match &self.pile {
            Some(pile) => pile,
            None => self.pile.insert(self.room.pile()?),
        };
        let mut writer = Writer::new(coding, pile);
        let mut sources = Vec::new();
        for expander in &mut *expanders {
            sources.extend(expander.candidates.sources()?);
        }
        let merge = Merge::new(sources);
        let mut known = Known::new(&self.known)?;
        let memory = self.beside() + threads + merge.bytes() + known.bytes();
        merge.each(self.room, |state| match known.has(state)? {
            true => Ok(()),
            false => writer.push(state),
        })?;
        drop(known);
        let level = Arc::new(writer.end()?);
        for expander in expanders {
            expander.candidates.clear();
        }
        self.statistics.memory = self.statistics.memory.max(memory);
        self.statistics.states += level.len();
        self.statistics.depth = match level.len() {
            0 => self.statistics.depth,
            _ => self.levels.len() as u64,
        };
        if level.len() > 0 {
            self.known.add(Arc::clone(&level), self.room)?;
        }
        self.levels.push(level);
        self.statistics.disk = self.room.most();
        self.statistics.state_bytes = (coding.words() * 8) as u64;
        if let Some(reason) = self.budget.exhausted(memory) {
            self.stop.get_or_insert(reason);
        }
        Ok(())
    }

    /// How states are packed in the bits that their values need, if that is less than by types.
    fn closely(&mut self, engine: &Engine<'_>) -> io::Result<Option<Packing>> {
        self.is_fitted = true;
        closely(&engine.packing, &engine.layout, |see| {
            self.each_state(&mut |state| {
                see(state);
                Ok(())
            })
        })
    }

    /// How states are packed with room for what did not fit.
    fn wider(&mut self, engine: &Engine<'_>) -> Packing {
        self.rounds += 1;
        let whole = &self.engine.packing;
        let overflow = engine.packing.take_outgrown();
        if self.rounds >= ROUNDS {
            return whole.again();
        }
        let types = (whole, &self.engine.layout);
        widened(&engine.packing, &overflow, types, self.rounds - 1)
    }

    fn each_state(&self, take: &mut dyn FnMut(&[u64]) -> io::Result<()>) -> io::Result<()> {
        let (mut bytes, mut states) = (Vec::new(), Vec::new());
        for level in &self.levels {
            each_of(level, (&mut bytes, &mut states), take)?;
            self.room.check()?;
        }
        Ok(())
    }

    /// Packs all states anew.
    fn repack(&mut self, (from, to): (&Packing, &Packing)) -> io::Result<()> {
        let repacking = Repacking::new(from, to);
        let coding = self.coding(to);
        let pile = self.room.pile()?;
        self.known = Runs::by_states();
        let sizes = self.sizes(to.words);
        let mut sorting = Candidates::new(&coding, Sizes { recent: 0, ..sizes });
        let (mut bytes, mut states) = (Vec::new(), Vec::new());
        for number in 0..self.levels.len() {
            each_of(
                &self.levels[number],
                (&mut bytes, &mut states),
                &mut |state| {
                    sorting.push_written(to.words, |out| repacking.turn(state, out));
                    match sorting.is_full() {
                        true => sorting.make_room(self.room),
                        false => Ok(()),
                    }
                },
            )?;
            let mut writer = Writer::new(&coding, &pile);
            Merge::new(sorting.sources()?).each(self.room, |state| writer.push(state))?;
            let level = Arc::new(writer.end()?);
            sorting.clear();
            debug_assert_eq!(level.len(), self.levels[number].len(), "no state is lost");
            if level.len() > 0 {
                self.known.add(Arc::clone(&level), self.room)?;
            }
            self.levels[number] = level;
        }
        self.pile = Some(pile);
        for place in self.found.iter_mut().flatten() {
            place.state = repacking.turned(&place.state);
        }
        Ok(())
    }

    /// What is to be told, with states that are packed like this.
    fn outcome(mut self, now: &Engine<'_>) -> SafetyOutcome {
        let is_done = self.is_done();
        self.known = Runs::by_states();
        self.statistics.reduction = self.engine.reduction(self.has_reduced);
        let means = (self.room, self.budget);
        let found: Vec<usize> = (0..self.found.len())
            .filter(|&bad| self.found[bad].is_some() && !self.is_broken)
            .collect();
        let places: Vec<Option<Place>> = found.iter().map(|&bad| self.found[bad].clone()).collect();
        let mut paths = paths(now, &self.levels, &places, means).into_iter();
        let repacking = Repacking::new(&now.packing, &self.engine.packing);
        let recovery = (!found.is_empty()).then(|| Recovery::new(self.engine));
        let answer = |place: &Option<Place>| match (place, &self.stop) {
            (Some(_), Some(reason)) if self.is_broken => Answer::Unknown(reason.clone()),
            (Some(place), _) => {
                let path = paths.next().expect("one for each place");
                let trace = path.and_then(|path| {
                    let recovery = recovery.as_ref().expect("something was found");
                    let recovery = recovery.as_ref().map_err(UnknownReason::clone)?;
                    let states = path.iter().map(|state| repacking.turned(state));
                    along(recovery, states, place.last.clone())
                });
                trace.map_or_else(Answer::Unknown, Answer::Violated)
            }
            (None, None) if is_done => Answer::Unknown(UnknownReason::AnotherFailed),
            (None, None) => Answer::Clear,
            (None, Some(reason)) => Answer::Unknown(reason.clone()),
        };
        SafetyOutcome {
            answers: self.found.iter().map(answer).collect(),
            watched: self.watched.clone(),
            failures: Vec::new(),
            deep: vec![false; self.found.len()],
            cut: false,
            sampled: self.sampled,
            statistics: self.statistics.clone(),
        }
    }
}

/// Expands a level, with a thread for each of these.
fn expand(expanders: &mut [Expander<'_>], shared: &Shared<'_>) {
    let Some((first, others)) = expanders.split_first_mut() else {
        return;
    };
    std::thread::scope(|threads| {
        for (number, other) in others.iter_mut().enumerate() {
            threads.spawn(move || other.work(shared, number + 1));
        }
        first.work(shared, 0);
    });
    for (number, expander) in std::iter::once(first).chain(others).enumerate() {
        shared.kept[number].store(expander.bytes(), std::sync::atomic::Ordering::Relaxed);
    }
}

/// Goes through the states of a file, with room for a block.
fn each_of(
    file: &Sorted,
    (bytes, states): (&mut Vec<u8>, &mut Vec<u64>),
    take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
) -> io::Result<()> {
    for block in 0..file.blocks() {
        file.read(block, bytes, states)?;
        let words = file.coding().words();
        states.chunks_exact(words).try_for_each(&mut *take)?;
    }
    Ok(())
}
