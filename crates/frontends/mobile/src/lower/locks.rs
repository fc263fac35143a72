//! What a mutex protects is left alone by others while the mutex is held.
//!
//! Thread-modular reasoning lets other threads change shared memory before each access. A variable that
//! is written only while one mutex is held cannot change while a thread holds that mutex: others
//! change it before the mutex is taken, and never after (as in C. Flanagan and S. Qadeer,
//! *Thread-modular model checking*, 2003, with the protection found by the set of locks that are
//! surely held, as in S. Savage and others, *Eraser*, 1997, here for all runs). Which variables these are
//! is found when all of the program has been lowered: then the interference that cannot happen is
//! taken out.

use std::collections::{BTreeMap, BTreeSet};

use model::LocId;
use source::Span;

use super::Lowering;
use super::pointer::{FIRST, Pts};

/// What is noted of locks and interference while a program is lowered.
#[derive(Default)]
pub(super) struct Locks {
    /// What happens to locks where control comes to a location.
    events: BTreeMap<LocId, Event>,
    /// The steps by which others change an object.
    havocs: Vec<Havoc>,
    /// Whether a mutex that is not known may be unlocked.
    unknown: bool,
    /// Whether the write that is lowered is that of a lock.
    pub(super) writing: bool,
}

#[derive(Clone, Copy)]
enum Event {
    Taken(usize),
    Released(usize),
    /// A thread begins: it holds nothing.
    Begins,
}

/// A change by others.
struct Havoc {
    step: usize,
    object: usize,
    at: LocId,
    /// It happens when this mutex is taken, if it protects the object.
    taking: Option<usize>,
}

/// The mutexes that are surely held.
type Held = BTreeSet<usize>;

impl Lowering<'_> {
    /// The mutex that a pointer is to, if it is one that all threads share.
    fn known_mutex(&self, pts: &Pts) -> Option<usize> {
        let mut all = pts.iter();
        let (&object, None) = (all.next()?, all.next()) else {
            return None;
        };
        if object < FIRST {
            return None;
        }
        let known = self.known(object);
        (known.owner.is_none() && known.site.is_none() && known.cells.len() == 1).then_some(object)
    }

    /// A mutex has been taken: others have changed what it protects.
    pub(super) fn mutex_taken(&mut self, pts: &Pts, span: Span) {
        let Some(at) = self.here else {
            return;
        };
        let Some(mutex) = self.known_mutex(pts) else {
            return;
        };
        self.locks.events.insert(at, Event::Taken(mutex));
        let shared: Vec<usize> = self.facts.writers.keys().copied().collect();
        for object in shared.into_iter().filter(|&object| object != mutex) {
            let before = self.locks.havocs.len();
            self.interference(object, span);
            for havoc in &mut self.locks.havocs[before..] {
                havoc.taking = Some(mutex);
            }
        }
    }

    /// A mutex is released here, or made new.
    pub(super) fn mutex_released(&mut self, pts: &Pts, span: Span) {
        if !self.is_live() {
            return;
        }
        let to = self.location(span);
        self.jump(to, span);
        self.start(to);
        match self.known_mutex(pts) {
            Some(mutex) => {
                self.locks.events.insert(to, Event::Released(mutex));
            }
            None => self.locks.unknown = true,
        }
    }

    /// A thread begins at this location.
    pub(super) fn holds_nothing(&mut self, at: LocId) {
        self.locks.events.insert(at, Event::Begins);
    }

    /// Notes the step that has just been added, by which others change an object.
    pub(super) fn changed_by_others(&mut self, object: usize, at: LocId) {
        self.locks.havocs.push(Havoc {
            step: self.process.steps.len() - 1,
            object,
            at,
            taking: None,
        });
    }

    /// Takes out the interference that cannot happen. `concurrent` are the locations of the program where
    /// other threads may run.
    pub(super) fn spare_protected(&mut self, concurrent: &[bool]) {
        let held = self.held();
        let locks = std::mem::take(&mut self.locks);
        let mut spoiled = BTreeSet::new();
        for (&at, event) in &locks.events {
            // Whoever unlocks what somebody else has locked breaks the protection.
            if let Event::Released(mutex) = event
                && concurrent[at.index()]
                && !self.comes_with(*mutex, at, &held)
            {
                spoiled.insert(*mutex);
            }
        }
        spoiled.extend(&self.facts.escaped);
        spoiled.extend(&self.facts.volatile);
        let mut protectors: BTreeMap<usize, Held> = BTreeMap::new();
        for write in &self.writes {
            if write.role == 0 && !concurrent[write.at.index()] {
                continue;
            }
            if !write.by_lock {
                spoiled.insert(write.object);
            }
            let here = held[write.at.index()].clone().unwrap_or_default();
            let entry = protectors.entry(write.object);
            let both = entry.or_insert_with(|| here.clone());
            both.retain(|mutex| here.contains(mutex));
        }
        if locks.unknown {
            protectors.clear();
        }
        for mutexes in protectors.values_mut() {
            mutexes.retain(|mutex| !spoiled.contains(mutex));
        }
        let never = self.pool().bool(false);
        for havoc in locks.havocs {
            let protectors = protectors.get(&havoc.object);
            let is_volatile = self.facts.volatile.contains(&havoc.object);
            let protectors = protectors.filter(|_| !is_volatile);
            let here = held[havoc.at.index()].as_ref();
            let cannot = match havoc.taking {
                Some(mutex) => protectors.is_none_or(|all| !all.contains(&mutex)),
                None => protectors
                    .zip(here)
                    .is_some_and(|(all, here)| all.iter().any(|mutex| here.contains(mutex))),
            };
            if cannot {
                self.process.steps[havoc.step].guard = Some(never);
            }
        }
    }

    /// Whether each step to where a mutex is released comes from where it is held.
    fn comes_with(&self, mutex: usize, at: LocId, held: &[Option<Held>]) -> bool {
        let goes_here = |step: &&model::Step| step.target == model::Target::Goto(at);
        let mut before = self.process.steps.iter().filter(goes_here);
        before.all(|step| {
            let held = held[step.from.index()].as_ref();
            held.is_none_or(|held| held.contains(&mutex))
        })
    }

    /// The mutexes that are surely held at each location; none where no run comes.
    fn held(&self) -> Vec<Option<Held>> {
        let mut out: Vec<Vec<LocId>> = vec![Vec::new(); self.process.locations.len()];
        for step in &self.process.steps {
            if let model::Target::Goto(to) = step.target {
                out[step.from.index()].push(to);
            }
        }
        let mut held: Vec<Option<Held>> = vec![None; out.len()];
        let mut waiting = vec![(self.process.entry, Held::new())];
        while let Some((at, mut now)) = waiting.pop() {
            source::limits::check();
            match self.locks.events.get(&at) {
                Some(Event::Taken(mutex)) => {
                    now.insert(*mutex);
                }
                Some(Event::Released(mutex)) => {
                    now.remove(mutex);
                }
                Some(Event::Begins) => now.clear(),
                None => {}
            }
            let new = match &held[at.index()] {
                None => now,
                Some(old) if old.is_subset(&now) => continue,
                Some(old) => old.intersection(&now).copied().collect(),
            };
            waiting.extend(out[at.index()].iter().map(|&to| (to, new.clone())));
            held[at.index()] = Some(new);
        }
        held
    }
}
