//! A process's part of a search: what it does with the states that it owns, level by level.

use std::ops::Range;
use std::time::Duration;

use model::{Budget, Progress, Statistics, UnknownReason};

use crate::checkpoint::file::CheckpointError;
use crate::engine::Engine;
use crate::ir::state_width::{Width, with_width};
use crate::partitioned::arrivals::{Arrivals, Late};
use crate::partitioned::owned::{Outgoing, Owned, Place};
use crate::partitioned::owners::Owners;
use crate::partitioned::parcel::{Garbled, Kind, begin, opened};
use crate::partitioned::prefix::made_values;
use crate::partitioned::save::{Files, Manifest, Segment};
use crate::partitioned::successors::{PULSE, Successors};
use crate::partitioned::summary::{Sighting, Summary, Tally, What};
use crate::partitioned::team::{Event, Team, TeamLost};
use crate::partitioned::walk::Walk;
use crate::partitioned::widening::{After, Remedy, Wider};
use crate::reduction::trial::is_worthless;
use crate::search::targets::{Found, Targets};
use crate::search::worker::{Notes, explorer};
use crate::store::packing::FieldOverflow;
use crate::store::repacking::Repacking;
use crate::store::{StateId, Store, Worker};
use crate::successors::expander::Driver;

/// States that are expanded between two looks at what has arrived.
const BLOCK: u32 = 256;
/// How long to wait for something to happen before the limits are looked at.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes of texts and other values at which a search ends that only looks at the first states.
const MOST_VALUES: usize = 1 << 26;

/// What a search has come to.
pub(crate) struct Together {
    /// What all have found.
    pub(crate) whole: Summary,
    /// Whether it is to begin anew, with room for what did not fit.
    pub(crate) begins_anew: bool,
    /// For each bad thing that was found, what it is and the states of the run there.
    pub(crate) runs: Vec<Option<(What, Vec<Vec<u64>>)>>,
    pub(crate) depth: u64,
    /// Bytes of a stored state here.
    pub(crate) state_bytes: u64,
}

/// A process's part of a search.
pub(crate) struct Part<'e> {
    driver: Driver<'e>,
    notes: Notes<'e>,
    owned: Owned,
    out: Outgoing,
    /// The states that are expanded.
    states: Vec<u64>,
    scratch: Vec<u64>,
    me: usize,
    owners: Owners,
    engine: &'e Engine<'e>,
    wider: Option<Wider<'e>>,
    wanted: &'e Targets<'e>,
    budget: &'e Budget,
    /// What has been seen here of bad things.
    seen: Vec<Option<Sighting>>,
    /// What has arrived before its level has ended.
    arrivals: Arrivals,
    /// What each process has told last.
    told: Vec<Summary>,
    /// Interned values when the search began.
    interned: usize,
    /// Whether one bad thing is enough.
    first: bool,
    /// Stops when this many states are owned: a search that only looks at the first ones.
    enough: Option<u32>,
    /// The last level of which states were expanded anywhere.
    depth: u64,
    /// States that were expanded here.
    expansions: u64,
    /// Bytes sent to others.
    sent_bytes: u64,
    /// The level with which the search has begun, or has been gone on.
    first_level: u64,
    /// What of the levels that the team counts this process has been told to have ended.
    heard: u64,
    /// What has arrived of levels behind the next.
    early: Vec<(u64, Vec<u8>)>,
    /// How far it was when it began with this level.
    at_begin: Counts,
    /// What had been found before.
    before: Summary,
    saving: Option<Saving<'e>>,
}

/// What is counted in a level.
#[derive(Clone, Copy, Default)]
struct Counts {
    transitions: u64,
    reduced: u64,
    expansions: u64,
}

/// How a search is saved.
struct Saving<'e> {
    files: Files<'e>,
    /// The level up to which states have been saved.
    next: u64,
    /// What is saved when all have told that their part is.
    pending: Option<Manifest>,
    /// All segments that are whole.
    segments: Vec<Segment>,
    /// What was written last, until it has been told.
    hash: Option<u64>,
}

impl<'e> Part<'e> {
    /// One that owns nothing yet.
    pub(crate) fn new(
        engine: &'e Engine<'e>,
        (store, inserter): (Store, Worker),
        (wanted, first): (&'e Targets<'e>, bool),
        (me, owners): (usize, usize),
        budget: &'e Budget,
    ) -> Self {
        let shape = engine.packing.shape();
        Part {
            driver: driver(engine),
            notes: Notes::new(wanted, budget),
            owned: Owned::new(store, inserter, shape.halves),
            out: Outgoing::new(owners, me, shape.words, shape.halves),
            states: Vec::new(),
            scratch: vec![0; shape.words],
            me,
            owners: Owners::new(owners),
            engine,
            wider: None,
            wanted,
            budget,
            seen: vec![None; wanted.bads.len()],
            arrivals: Arrivals::default(),
            told: vec![Summary::new(wanted.bads.len(), wanted.watched); owners],
            interned: engine.program.rich.len(),
            first,
            enough: None,
            depth: 0,
            expansions: 0,
            sent_bytes: 0,
            first_level: 0,
            heard: 0,
            early: Vec::new(),
            at_begin: Counts::default(),
            before: Summary::new(wanted.bads.len(), wanted.watched),
            saving: None,
        }
    }

    /// Packs states anew when values do not fit; with so few, the search begins anew. Some have not fitted before.
    pub(crate) fn widening(
        mut self,
        after: After<'e>,
        rounds: Vec<Vec<FieldOverflow>>,
        few: u64,
    ) -> Self {
        let first = &after(&[]).packing;
        if !rounds.is_empty() {
            self.owners = Owners::new(self.owners.count).since(first, &self.engine.packing);
        }
        self.wider = Some(Wider {
            after,
            first,
            rounds,
            again: 0,
            few,
            sampled: false,
            gave_up: false,
        });
        self
    }

    /// Saves the search, and goes on with what has been saved, if there is something.
    ///
    /// # Errors
    /// If that is of no use.
    pub(crate) fn saved_in(
        mut self,
        files: Files<'e>,
        manifest: Option<Manifest>,
    ) -> Result<Self, CheckpointError> {
        let mut saving = Saving {
            files,
            next: 0,
            pending: None,
            segments: Vec::new(),
            hash: None,
        };
        if let Some(mut manifest) = manifest {
            files.load(&mut manifest, &mut self.owned, (self.me, &mut self.owners))?;
            self.first_level = manifest.level;
            self.depth = manifest.level.saturating_sub(1);
            if self.owners.count == manifest.owners {
                // What is there stays, and what comes is added.
                saving.next = manifest.level + 1;
                saving.segments = manifest.segments;
            }
            // One of them tells what all had found.
            if self.me == 0 {
                self.before = Summary {
                    // These are counted by those who have them.
                    states: 0,
                    memory: 0,
                    ..manifest.whole
                };
            }
        }
        self.saving = Some(saving);
        Ok(self)
    }

    /// Stops when it owns so many states.
    pub(crate) fn up_to(mut self, states: u32) -> Self {
        self.enough = Some(states);
        self
    }

    /// The program with states that are packed as they are in the end, and the states that it owns.
    pub(crate) fn into_store(self) -> (&'e Engine<'e>, Store) {
        (self.engine, self.owned.store)
    }

    /// Adds the initial states that it owns, and looks at them.
    fn begin(&mut self) {
        let me = self.place(u32::MAX).owner;
        for stored in &self.engine.initial {
            if self.owners.of(stored) != self.me {
                continue;
            }
            let words = stored.len();
            let from = Place {
                owner: me,
                ..Place::NOWHERE
            };
            let before = self.owned.len();
            let added = self.owned.add(words, from, |to| to.copy_from_slice(stored));
            if added.and_then(|()| self.owned.flush()).is_err() {
                self.notes.stop.get_or_insert(UnknownReason::Memory);
                return;
            }
            if self.owned.len() == before {
                continue;
            }
            let constraints = self.engine.program.state_constraint.len();
            self.driver.load(stored);
            match self.driver.evaluate() {
                Ok(outcomes) => {
                    let id = StateId(before);
                    self.notes
                        .judge(&outcomes[constraints..], |_| Found::At(id));
                }
                Err(halt) => self.notes.halted(halt),
            }
        }
        self.note_sightings(0);
    }

    fn place(&self, id: u32) -> Place {
        let owner = u16::try_from(self.me).unwrap_or(u16::MAX);
        Place { owner, id }
    }

    /// Notes where things were found that were not known before.
    fn note_sightings(&mut self, level: u64) {
        for at in 0..self.seen.len() {
            let (Some(found), None) = (self.notes.found[at], self.seen[at]) else {
                continue;
            };
            let (id, level, what) = match found {
                // What stands for something that another has found.
                Found::At(StateId(u32::MAX)) => continue,
                Found::At(id) => (id, level, What::State),
                Found::Outcome(id, outcome) => (id, level + 1, What::Outcome(outcome)),
                Found::Violation(id, violation) => (id, level + 1, What::Violation(violation)),
            };
            let place = self.place(id.0);
            self.seen[at] = Some(Sighting { level, place, what });
        }
    }

    /// Searches, with a team; what has been found by all of it.
    pub(crate) fn search(
        &mut self,
        team: &mut dyn Team,
        progress: &dyn Progress,
    ) -> Result<Together, TeamLost> {
        if self.first_level == 0 {
            self.begin();
        }
        let mut walk: Option<Walk> = None;
        let mut late = Late::new(self.first_level);
        loop {
            match team.next(PATIENCE)? {
                Event::Parcel(level, parcel) => self.receive(level, parcel)?,
                Event::Ended(ended) => {
                    self.heard = ended;
                    self.take_early(ended)?;
                    let mut level = self.level_of(ended);
                    self.hear(level)?;

                    let mut whole = Summary::of_all(&self.told);
                    if ended == 0 {
                        // Nobody has told anything yet; what was found before is told now.
                        whole.found = vec![None; self.seen.len()];
                    }
                    if walk.is_none() && self.is_too_narrow(&whole) == Some(Remedy::Turn) {
                        self.widen(std::mem::take(&mut whole.overflow));
                        level = self.level_of(ended);
                    } else if walk.is_none() && self.is_over(level, &whole) {
                        walk = Some(Walk::new(&whole.found));
                    }
                    match &mut walk {
                        Some(walk) => self.walk(level, walk, team)?,
                        None => self.expand_level(level, &whole, team, progress)?,
                    }
                    team.release(ended);
                    self.take_early(ended + 1)?;
                    late = Late::new(level + 1);
                }
                Event::Nothing => {
                    let others = late.who(&self.arrivals, (self.me, self.owners.count));
                    if walk.is_none() && !others.is_empty() {
                        progress.waits_for(&others);
                    } else {
                        self.report(progress, 0);
                    }
                }
                Event::Over => break,
            }
        }
        let whole = Summary::of_all(&self.told);
        let runs = match walk {
            Some(walk) => walk.runs(&whole.found),
            None => vec![None; self.seen.len()],
        };
        Ok(Together {
            begins_anew: self.is_too_narrow(&whole) == Some(Remedy::Anew),
            whole,
            runs,
            depth: self.depth,
            state_bytes: self.owned.store.state_bytes(),
        })
    }

    /// The level of the search that is one of the team's: there are more of these where some were gone through again.
    fn level_of(&self, teams: u64) -> u64 {
        self.first_level + teams - self.again()
    }

    fn again(&self) -> u64 {
        self.wider.as_ref().map_or(0, |wider| wider.again)
    }

    /// Whether values have not fitted, and states can be packed anew: how that is to be done. Everybody says the same.
    fn is_too_narrow(&self, whole: &Summary) -> Option<Remedy> {
        let is_too_narrow = !whole.overflow.is_empty() && !self.is_done(whole);
        let wider = self.wider.as_ref().filter(|_| is_too_narrow)?;
        wider.remedy(whole.states, self.first_level > 0)
    }

    /// Packs states anew, with room for these values, and takes back what was counted in the level.
    fn widen(&mut self, overflow: Vec<FieldOverflow>) {
        let Some(wider) = &mut self.wider else {
            return;
        };
        wider.rounds.push(overflow);
        wider.again += 1;
        let machine = &self.driver.machine;
        wider.sampled |= machine.sampled;
        wider.gave_up |= machine.gave_up;
        let engine = (wider.after)(&wider.rounds);
        let (from, to) = (&self.engine.packing, &engine.packing);
        if self.owned.turn(to, Repacking::new(from, to)).is_err() {
            self.notes.stop.get_or_insert(UnknownReason::Memory);
        }
        self.owners = Owners::new(self.owners.count).since(wider.first, to);
        let reduces = self.driver.chooser.is_some();
        self.driver = driver(engine);
        if !reduces {
            self.driver.chooser = None;
        }
        let shape = to.shape();
        self.out = self.out.anew(shape.words, shape.halves);
        self.scratch = vec![0; shape.words];
        self.engine = engine;
        let Counts {
            transitions,
            reduced,
            expansions,
        } = self.at_begin;
        self.notes.transitions = transitions;
        self.notes.reduced = reduced;
        self.expansions = expansions;
        if let Some(saving) = &mut self.saving {
            // What has been saved has other fields.
            saving.next = 0;
            saving.pending = None;
            saving.segments.clear();
        }
    }

    /// Whether the search ends here, whatever does not fit.
    fn is_done(&self, whole: &Summary) -> bool {
        let found = |found: &Option<Sighting>| found.is_some();
        let all = !whole.found.is_empty() && whole.found.iter().all(found);
        let is_stopped = whole.stop.is_some() || !whole.exceeded.is_empty();
        all || is_stopped || self.first && whole.found.iter().any(found)
    }

    /// Whether the search ends here: everybody says the same.
    fn is_over(&self, level: u64, whole: &Summary) -> bool {
        let found = |found: &Option<Sighting>| found.is_some();
        let some = whole.found.iter().any(found);
        // All have told that there was nothing left.
        let just_before = |told: &Summary| told.level + 1 == level && told.expanded == 0;
        let is_empty = level > self.first_level && some && self.told.iter().all(just_before);
        self.is_done(whole) || !whole.overflow.is_empty() || is_empty
    }

    /// Takes what has arrived.
    fn receive(&mut self, level: u64, parcel: Vec<u8>) -> Result<(), TeamLost> {
        if level > self.heard + 1 {
            // Its sender has been told of the end of a level that this process has not: states may be packed anew there.
            self.early.push((level, parcel));
            return Ok(());
        }
        let level = self.level_of(level);
        let taken = opened(&parcel).and_then(|(kind, sender, rest)| {
            if usize::from(sender) >= self.owners.count {
                return Err(Garbled);
            }
            match kind {
                Kind::States if self.owned.is_unturned() => Ok(()),
                Kind::States => {
                    let entered = self.owned.enter(level);
                    let received = match entered {
                        Ok(()) => self.owned.receive(sender, rest)?,
                        Err(full) => Err(full),
                    };
                    if received.is_err() {
                        self.notes.stop.get_or_insert(UnknownReason::Memory);
                    }
                    Ok(())
                }
                Kind::Summary | Kind::Path => {
                    self.arrivals.add(level, kind, sender, rest);
                    Ok(())
                }
                Kind::Nodes | Kind::NodesWithEdges => Err(Garbled),
            }
        });
        taken.map_err(garbled)
    }

    /// Takes what has come too early, up to this level of the team's.
    fn take_early(&mut self, level: u64) -> Result<(), TeamLost> {
        let is_due = |early: &mut (u64, _)| early.0 <= level;
        let due: Vec<_> = self.early.extract_if(.., is_due).collect();
        due.into_iter()
            .try_for_each(|(level, parcel)| self.receive(level, parcel))
    }

    /// Takes note of what all have told up to the end of a level.
    fn hear(&mut self, level: u64) -> Result<(), TeamLost> {
        let sizes = (self.wanted.bads.len(), self.wanted.watched);
        for (sender, bytes) in self.arrivals.summaries(level) {
            let summary = Summary::read(&bytes, sizes).map_err(garbled)?;
            if summary.expanded > 0 {
                self.depth = self.depth.max(summary.level);
            }
            self.told[usize::from(sender)] = summary;
        }
        Ok(())
    }

    /// Expands the states of a level that it owns, and tells the others what came of it.
    fn expand_level(
        &mut self,
        level: u64,
        whole: &Summary,
        team: &mut dyn Team,
        progress: &dyn Progress,
    ) -> Result<(), TeamLost> {
        let ids = match self.owned.level(level) {
            Ok(ids) => ids,
            Err(_) => {
                self.notes.stop.get_or_insert(UnknownReason::Memory);
                0..0
            }
        };
        let is_saved = self.save(level, whole);
        // All tell in each level, so that it is known who is late, until all have told that nothing was left.
        let is_idle = |told: &Summary| told.level + 1 == level && told.expanded == 0;
        let is_at_end = ids.is_empty() && self.notes.stop.is_none() && !is_saved;
        if is_at_end && level > self.first_level && self.told.iter().all(is_idle) {
            return Ok(());
        }
        if self.owned.enter(level + 1).is_err() {
            self.notes.stop.get_or_insert(UnknownReason::Memory);
        }
        let theirs = whole.found.iter().zip(&self.before.found);
        let known = |((theirs, before), own): (_, &Option<Sighting>)| {
            let (theirs, before): (&Option<Sighting>, &Option<Sighting>) = (theirs, before);
            let is_known = theirs.is_some() || before.is_some() || own.is_some();
            is_known.then_some(Found::At(StateId(u32::MAX)))
        };
        let found: Vec<_> = theirs.zip(&self.seen).map(known).collect();
        let collects = self.notes.begin(&found);
        self.driver.set_collects_outcomes(collects);
        let Tally {
            expansions,
            reductions,
            ..
        } = whole.tally;
        if is_worthless(self.engine.tuning(), expansions, reductions) {
            // All learn it at the same time.
            self.driver.chooser = None;
        }
        self.driver.transition_cache.take_over();
        self.at_begin = Counts {
            transitions: self.notes.transitions,
            reduced: self.notes.reduced,
            expansions: self.expansions,
        };
        let mut expanded = 0;
        let mut next = ids.start;
        while next < ids.end && self.notes.go_on().is_continue() {
            let block = next..ids.end.min(next.saturating_add(BLOCK));
            let done = self.expand(level, block.clone(), team);
            expanded += u64::from(done);
            next += done;
            if done < block.end - block.start {
                break;
            }
            self.take_arrivals(team)?;
            if let Some(reason) = self.budget.exhausted(self.bytes()) {
                self.notes.stop.get_or_insert(reason);
            }
            let has_enough = |enough: u32| {
                let values = self.engine.program.rich.bytes();
                self.owned.len() >= enough || values >= MOST_VALUES
            };
            if self.enough.is_some_and(has_enough) {
                self.notes.stop.get_or_insert(UnknownReason::Sampled);
            }
            self.report(progress, u64::from(ids.end - next));
        }
        for (to, parcel) in self.out.drain() {
            self.send(level, to, parcel, team);
        }
        if self.owned.flush().is_err() {
            self.notes.stop.get_or_insert(UnknownReason::Memory);
        }
        if self.has_values() {
            self.notes.stop.get_or_insert(made_values());
        }
        self.note_sightings(level);
        self.expansions += expanded;
        let summary = self.summary(level, expanded);
        let (due, saved) = (summary.due, summary.saved);
        let summary = Summary {
            level,
            expanded,
            due,
            saved,
            ..Summary::of_all(&[summary, self.before.clone()])
        };
        let mut parcel = begin(Kind::Summary, self.place(0).owner);
        summary.write(&mut parcel);
        for to in 0..self.owners.count {
            self.send(level, to, parcel.clone(), team);
        }
        Ok(())
    }

    /// Whether values were made whose numbers others do not know, or whoever goes on from what is saved.
    fn has_values(&self) -> bool {
        let is_alone = self.owners.count == 1 && self.saving.is_none();
        !is_alone && self.engine.program.rich.len() != self.interned
    }

    fn summary(&self, level: u64, expanded: u64) -> Summary {
        Summary {
            found: self.seen.clone(),
            watched: self.notes.watched.clone(),
            stop: self.notes.stop.clone(),
            exceeded: self.engine.exceeded(),
            overflow: self.engine.packing.take_outgrown(),
            sampled: self.engine.sampled
                || self.driver.machine.sampled
                || self.wider.as_ref().is_some_and(|before| before.sampled),
            gave_up: self.driver.machine.gave_up
                || self.wider.as_ref().is_some_and(|before| before.gave_up),
            reduced: self.notes.reduced > 0,
            has_values: self.has_values(),
            level,
            expanded,
            states: self.owned.len().into(),
            transitions: self.notes.transitions,
            memory: self.bytes(),
            sent: [self.out.states, self.sent_bytes],
            due: self.me == 0
                && self
                    .saving
                    .as_ref()
                    .is_some_and(|saving| saving.files.vault.is_due()),
            saved: self.saving.as_ref().and_then(|saving| saving.hash),
            tally: Tally {
                expansions: self.expansions,
                reductions: self.notes.reduced,
                ..Tally::default()
            },
        }
    }

    /// Saves its part at the end of a level, if all are to; says whether. Process 0 also notes what all have
    /// saved, when all have told that they have.
    fn save(&mut self, level: u64, whole: &Summary) -> bool {
        let Some(saving) = &mut self.saving else {
            return false;
        };
        saving.hash = None;
        if let Some(mut manifest) = saving.pending.take() {
            let told = self.told.iter().enumerate();
            let segments = told.map(|(process, told)| {
                Some(Segment {
                    level: manifest.level,
                    process,
                    hash: told.saved.filter(|_| told.level == manifest.level)?,
                })
            });
            // One that could not write has said so.
            if let Some(segments) = segments.collect::<Option<Vec<_>>>() {
                saving.segments.extend(segments);
                manifest.segments.clone_from(&saving.segments);
                if self.me == 0 {
                    // The vault has said what went wrong, if something did: the old one counts.
                    let _ = saving.files.complete(&manifest);
                }
                saving.next = manifest.level + 1;
            }
        }
        if !self.told[0].due || self.told[0].level + 1 != level {
            return false;
        }
        let levels = (saving.next, level);
        let rounds = self.wider.as_ref().map(|wider| wider.rounds.clone());
        let rounds = rounds.unwrap_or_default();
        saving.hash = if self.owned.is_unturned() {
            None
        } else {
            let names = (self.me, rounds.len());
            saving.files.save(&mut self.owned, levels, names).ok()
        };
        saving.pending = Some(Manifest {
            owners: self.owners.count,
            level,
            rounds,
            whole: whole.clone(),
            segments: Vec::new(),
        });
        true
    }

    fn send(&mut self, level: u64, to: usize, parcel: Vec<u8>, team: &mut dyn Team) {
        if to != self.me {
            self.sent_bytes += parcel.len() as u64;
        }
        team.send(level - self.first_level + self.again(), to, parcel);
    }

    /// Takes what others have sent meanwhile.
    fn take_arrivals(&mut self, team: &mut dyn Team) -> Result<(), TeamLost> {
        loop {
            match team.next(Duration::ZERO)? {
                Event::Parcel(level, parcel) => self.receive(level, parcel)?,
                Event::Nothing => return Ok(()),
                Event::Ended(_) | Event::Over => {
                    return Err(TeamLost("a level ended while it was worked on".to_owned()));
                }
            }
        }
    }

    /// Expands some states; says how many.
    fn expand(&mut self, level: u64, ids: Range<u32>, team: &mut dyn Team) -> u32 {
        let mut states = std::mem::take(&mut self.states);
        states.clear();
        self.owned.store.read_all(ids.clone(), &mut states);
        let words = self.scratch.len();
        let done = with_width!(words, width => self.expand_all(width, level, ids, &states, team));
        self.states = states;
        done
    }

    #[inline(always)]
    fn expand_all(
        &mut self,
        width: impl Width,
        level: u64,
        ids: Range<u32>,
        states: &[u64],
        team: &mut dyn Team,
    ) -> u32 {
        let from = self.place(ids.start);
        let again = self.again();
        let mut sink = Successors {
            notes: &mut self.notes,
            owned: &mut self.owned,
            out: &mut self.out,
            scratch: &mut self.scratch,
            sent_bytes: &mut self.sent_bytes,
            budget: self.budget,
            pulse: PULSE,
            team,
            level: level - self.first_level + again,
            enough: self.enough,
            from,
            owners: &mut self.owners,
        };
        let driver = &mut self.driver;
        let mut done = 0;
        for stored in states.chunks_exact(width.get()) {
            sink.from.id = ids.start + done;
            sink.notes.current = StateId(sink.from.id);
            let before = sink.notes.transitions;
            let number = driver.find(width, states, done as usize);
            let expanded = driver.expand_found(width, number, stored, &mut sink);
            let plain = matches!(&expanded, Ok(expanded) if expanded.moves && !expanded.reduced);
            if !plain && !sink.expanded(driver, expanded, before) {
                break;
            }
            done += 1;
        }
        done
    }

    /// Says how far it is: what is known of the others, and what is known here now.
    fn report(&self, progress: &dyn Progress, waiting: u64) {
        let others = self
            .told
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != self.me);
        let mut statistics = Statistics {
            states: self.owned.len().into(),
            transitions: self.notes.transitions,
            depth: self.depth,
            memory: self.bytes(),
            ..Statistics::default()
        };
        for (_, other) in others {
            statistics.states += other.states;
            statistics.transitions += other.transitions;
            statistics.memory += other.memory;
        }
        progress.report(&statistics, waiting);
    }

    fn bytes(&self) -> u64 {
        self.owned.bytes() + self.out.bytes() + self.driver.transition_cache.bytes()
    }

    /// Goes on with telling runs.
    fn walk(&mut self, level: u64, walk: &mut Walk, team: &mut dyn Team) -> Result<(), TeamLost> {
        let words = self.scratch.len();
        for bytes in self.arrivals.paths(level) {
            walk.hear(&bytes, words).map_err(garbled)?;
        }
        if let Some(piece) = walk.piece(self.place(0).owner, &self.owned) {
            for to in 0..self.owners.count {
                self.send(level, to, piece.clone(), team);
            }
        }
        Ok(())
    }
}

/// A driver for this search.
fn driver<'e>(engine: &'e Engine<'_>) -> Driver<'e> {
    let driver = explorer(engine);
    if engine.must_lead_on() {
        // Whether a state is new is known where it is owned. (Deadlocks where instances are made.)
        return driver.without_reduction();
    }
    driver
}

fn garbled(_: Garbled) -> TeamLost {
    TeamLost("a parcel says what cannot be".to_owned())
}
