//! What each instance can do now, and may still do later, at each of its locations.
//!
//! A move that begins at a location may go on through atomic regions, and there through a
//! rendezvous into a receiver's; all of that is one transition, and counts as what is done *now*.
//! Within it nothing can be said about how full a channel is, so every communication there counts
//! as depending on that.
//!
//! A meeting needs no such rule where it is a transition of its own: it cannot be made until both
//! partners are there, and then both take part in it. But a macro step that comes to a rendezvous
//! *goes on or ends there*, and an `else` is taken or not, according to whether a partner is ready.
//! So for whoever asks, coming to where one can be met is an access like a write: a transition does
//! not commute with one that makes a longer transition of it.

use std::collections::{HashMap, HashSet};

use model::{LocId, Mode, Program, StepId};

use super::access_sets::{AccessSets, Communication, OfferedStep};
use super::actors::Actor;
use super::dependence::{AccessKind, AccessSet, SharedObject};
use crate::ir::compile::View;

/// A communication over one channel that may keep messages.
pub(super) struct Attempt {
    pub(super) place: u32,
    pub(super) access: AccessKind,
    /// What conflicts with the step.
    pub(super) against: AccessSet,
    /// The same if it is not known whether the channel is empty or full.
    pub(super) against_blocked_or_not: AccessSet,
    /// What could end its being blocked by an empty or a full channel.
    pub(super) mended_by: AccessSet,
}

/// What can be done at a location.
#[derive(Default)]
pub(super) struct Now {
    /// So many steps are not attempts and do not wait.
    pub(super) plain: usize,
    /// What conflicts with these.
    pub(super) against: AccessSet,
    pub(super) attempts: Vec<Attempt>,
    /// Whether another instance may begin a move that this one takes part in.
    pub(super) joins: bool,
    /// Steps that are enabled only where nothing else is.
    pub(super) waits: HashSet<StepId>,
    /// Whether a step can be enabled just because nothing else is, and yet is not one of these.
    pub(super) asks: bool,
    /// Whether something that is observed may change.
    pub(super) visible: bool,
    /// Locations where control may pass within the move, this one left aside.
    pub(super) passes: HashSet<LocId>,
    /// Templates of which the move may start an instance.
    pub(super) spawns: HashSet<model::ProcessId>,
}

impl Now {
    /// All that conflicts with anything that can be done.
    pub(super) fn against_all(&self) -> AccessSet {
        let mut all = self.against.clone();
        for attempt in &self.attempts {
            all.add(&attempt.against_blocked_or_not);
        }
        all
    }
}

/// How an ended instance goes away.
pub(super) struct Disposal {
    pub(super) accesses: AccessSet,
    pub(super) against: AccessSet,
    pub(super) held: bool,
}

/// What an instance may do, by location.
pub(super) struct ReachableActions {
    pub(super) now: Vec<Now>,
    pub(super) later: Vec<AccessSet>,
    /// Where control may go from a location in one step that does not wait for all others.
    pub(super) edges: Vec<Vec<usize>>,
    /// If instances go away in a step of their own.
    pub(super) departure: Option<Disposal>,
}

/// What all may do.
pub(super) struct ActionTable {
    pub(super) actors: Vec<ReachableActions>,
    /// What anybody may do that conflicts with what somebody can do.
    pub(super) conflicts: AccessSet,
}

/// The futures of all instances.
pub(super) fn futures(
    program: &Program,
    mut access_sets: AccessSets<'_>,
    actors: &[Actor],
    view: View,
) -> ActionTable {
    let mut offers: Vec<Vec<Vec<OfferedStep>>> = actors
        .iter()
        .map(|actor| access_sets.offers(actor))
        .collect();
    let mut departures: Vec<AccessSet> = actors
        .iter()
        .map(|actor| access_sets.departure(actor))
        .collect();
    let stack = access_sets.is_stack();
    let ends = |steps: &[Vec<OfferedStep>]| steps.iter().flatten().any(|offer| offer.ends);
    for (steps, departure) in offers.iter().zip(&mut departures) {
        if !stack || !ends(steps) {
            *departure = AccessSet::default();
        }
    }

    add_readiness(program, &mut access_sets, actors, &mut offers);

    // All accesses have to be known before conflicts are looked for.
    for talk in offers
        .iter()
        .flatten()
        .flatten()
        .filter_map(|o| o.talk.as_ref())
    {
        access_sets.talk(talk, true, &mut AccessSet::default());
        for &place in &talk.places {
            mended_by(&mut access_sets, place, talk);
        }
    }

    // What conflicts with reading the query may change its answer.
    let mark = access_sets
        .accesses
        .id(SharedObject::Observed, AccessKind::Write);
    let observed = access_sets.accesses.conflicting(&access_sets.observed);
    for offer in offers.iter_mut().flatten().flatten() {
        let mut accesses = offer.accesses.clone();
        if let Some(talk) = &offer.talk {
            access_sets.talk(talk, false, &mut accesses);
        }
        if accesses.meets(&observed) {
            offer.accesses.insert(mark);
        }
    }
    for departure in &mut departures {
        if departure.meets(&observed) {
            departure.insert(mark);
        }
    }

    let everything = by_template(program, &mut access_sets, actors, &offers, &departures);
    let (mut all, mut against) = (AccessSet::default(), AccessSet::default());
    let mut found = Vec::new();
    for ((actor, offers), departure) in actors.iter().zip(&offers).zip(departures) {
        let modes = modes(program, actor);
        let look = Look {
            offers,
            modes: &modes,
            mark,
        };
        let mut future = ReachableActions {
            now: (0..modes.len())
                .map(|at| look.now(&mut access_sets, at))
                .collect(),
            later: look.later(&mut access_sets, &everything, &departure),
            edges: look.edges(),
            departure: None,
        };
        if departure.iter().next().is_some() {
            future.departure = Some(Disposal {
                against: access_sets.accesses.conflicting(&departure),
                held: view == View::Runs && departure.iter().any(|access| access == mark),
                accesses: departure,
            });
        }
        for (now, later) in future.now.iter().zip(&future.later) {
            against.add(&now.against_all());
            for attempt in &now.attempts {
                against.add(&attempt.mended_by);
            }
            all.add(later);
        }
        if let Some(departure) = &future.departure {
            against.add(&departure.against);
            all.add(&departure.accesses);
        }
        found.push(future);
    }
    let mut conflicts = AccessSet::default();
    for access in against.iter().filter(|&access| all.contains(access)) {
        conflicts.insert(access);
    }
    ActionTable {
        actors: found,
        conflicts,
    }
}

/// Tells who comes to where it can be met, and who asks whether a partner is there.
fn add_readiness(
    program: &Program,
    access_sets: &mut AccessSets<'_>,
    actors: &[Actor],
    offers: &mut [Vec<Vec<OfferedStep>>],
) {
    let mut ready: Vec<Vec<AccessSet>> = Vec::new();
    for steps in offers.iter() {
        let each = steps.iter().map(|here| {
            let mut accesses = AccessSet::default();
            for offer in here {
                for thing in meetings(access_sets, offer) {
                    accesses.insert(access_sets.accesses.id(thing, AccessKind::Ready));
                }
            }
            accesses
        });
        ready.push(each.collect());
    }
    for (number, (actor, steps)) in actors.iter().zip(offers).enumerate() {
        let process = &program.processes[actor.process.index()];
        for (location, here) in process.locations.iter().zip(steps) {
            let asks = location.mode != Mode::Open || is_mixed(here);
            for offer in here {
                for target in &offer.targets {
                    offer.accesses.add(&ready[number][target.index()]);
                }
                for &spawned in &offer.spawns {
                    let entry = program.processes[spawned.index()].entry;
                    let of_it = |(other, _): &(&Actor, _)| other.process == spawned;
                    for (_, ready) in actors.iter().zip(&ready).filter(of_it) {
                        offer.accesses.add(&ready[entry.index()]);
                    }
                }
                if let Some(barrier) = offer.barrier.filter(|_| asks) {
                    let test = access_sets
                        .accesses
                        .id(SharedObject::Barrier(barrier), AccessKind::Test);
                    offer.accesses.insert(test);
                }
            }
        }
    }
}

/// Where an instance that is offered a step may be met.
fn meetings(access_sets: &AccessSets<'_>, offer: &OfferedStep) -> Vec<SharedObject> {
    let places = offer.talk.iter().flat_map(|talk| &talk.places);
    places
        .filter(|&&place| access_sets.accesses.rendezvous[place as usize])
        .map(|&place| SharedObject::Channel(place))
        .chain(offer.barrier.map(SharedObject::Barrier))
        .collect()
}

/// Whether steps offered at a location exclude each other.
fn is_mixed(here: &[OfferedStep]) -> bool {
    here.windows(2).any(|o| o[0].urgency != o[1].urgency)
}

fn modes(program: &Program, actor: &Actor) -> Vec<Mode> {
    let process = &program.processes[actor.process.index()];
    process.locations.iter().map(|l| l.mode).collect()
}

/// For each template all that its instances may ever do, and those that they start.
fn by_template(
    program: &Program,
    access_sets: &mut AccessSets<'_>,
    actors: &[Actor],
    offers: &[Vec<Vec<OfferedStep>>],
    departures: &[AccessSet],
) -> Vec<AccessSet> {
    let mut everything = vec![AccessSet::default(); program.processes.len()];
    let mut spawns: HashMap<usize, HashSet<usize>> = HashMap::new();
    for ((actor, steps), departure) in actors.iter().zip(offers).zip(departures) {
        let mine = &mut everything[actor.process.index()];
        mine.add(departure);
        for offer in steps.iter().flatten() {
            mine.add(&offer.accesses);
            if let Some(talk) = &offer.talk {
                access_sets.talk(talk, true, mine);
            }
            let started = spawns.entry(actor.process.index()).or_default();
            started.extend(offer.spawns.iter().map(|process| process.index()));
        }
    }
    let mut more = true;
    while more {
        more = false;
        for (process, started) in &spawns {
            for other in started {
                let theirs = everything[*other].clone();
                more |= everything[*process].add(&theirs);
            }
        }
    }
    everything
}

/// One instance's steps.
struct Look<'a> {
    offers: &'a [Vec<OfferedStep>],
    modes: &'a [Mode],
    /// The access of changing something that is observed.
    mark: usize,
}

impl Look<'_> {
    fn is_mixed(&self, at: usize) -> bool {
        is_mixed(&self.offers[at])
    }

    fn is_open(&self, at: usize) -> bool {
        self.modes[at] == Mode::Open
    }

    fn now(&self, access_sets: &mut AccessSets<'_>, at: usize) -> Now {
        let mut now = Now::default();
        let mut plain = AccessSet::default();
        let fixed = self.is_open(at) && !self.is_mixed(at);
        for offer in &self.offers[at] {
            if offer.waits {
                now.waits.insert(offer.step);
                continue;
            }
            now.joins |= offer.joins;
            now.asks |= offer.asks;
            let mut accesses = offer.accesses.clone();
            self.chain(access_sets, offer, &mut accesses, &mut now);
            now.visible |= accesses.iter().any(|access| access == self.mark);
            now.spawns.extend(offer.spawns.iter().copied());
            let Some(talk) = &offer.talk else {
                now.plain += 1;
                plain.add(&accesses);
                continue;
            };
            let mut whole = accesses.clone();
            let mut places = talk.places.iter();
            let meets = places.all(|&place| access_sets.accesses.rendezvous[place as usize]);
            access_sets.talk(talk, !(meets && fixed), &mut whole);
            let kept = matches!(talk.access, AccessKind::Send | AccessKind::Receive);
            let [place] = *talk.places.as_slice() else {
                now.plain += 1;
                plain.add(&whole);
                continue;
            };
            if !fixed || meets || !kept {
                now.plain += 1;
                plain.add(&whole);
                continue;
            }
            access_sets.talk(talk, talk.picky, &mut accesses);
            now.attempts.push(Attempt {
                place,
                access: talk.access,
                against: access_sets.accesses.conflicting(&accesses),
                against_blocked_or_not: access_sets.accesses.conflicting(&whole),
                mended_by: mended_by(access_sets, place, talk),
            });
        }
        now.against = access_sets.accesses.conflicting(&plain);
        now
    }

    /// What a move that begins with a step goes on to do.
    fn chain(
        &self,
        access_sets: &mut AccessSets<'_>,
        first: &OfferedStep,
        accesses: &mut AccessSet,
        now: &mut Now,
    ) {
        let mut seen = HashSet::new();
        let mut waiting = Vec::new();
        self.go_on(access_sets, first, &mut waiting);
        while let Some((at, freely)) = waiting.pop() {
            if !seen.insert((at, freely)) {
                continue;
            }
            now.passes.insert(LocId::new(at));
            for offer in &self.offers[at] {
                let received = offer.talk.as_ref().is_some_and(|talk| {
                    talk.access == AccessKind::Receive && may_meet(access_sets, talk)
                });
                if !freely && !received {
                    continue;
                }
                accesses.add(&offer.accesses);
                if let Some(talk) = &offer.talk {
                    access_sets.talk(talk, true, accesses);
                }
                now.spawns.extend(offer.spawns.iter().copied());
                self.go_on(access_sets, offer, &mut waiting);
            }
        }
    }

    /// Where the same move can go on: inside, or, once somebody else has been handed control,
    /// by receiving.
    fn go_on(
        &self,
        access_sets: &AccessSets<'_>,
        offer: &OfferedStep,
        waiting: &mut Vec<(usize, bool)>,
    ) {
        let meets = offer
            .talk
            .as_ref()
            .is_some_and(|talk| may_meet(access_sets, talk));
        for target in &offer.targets {
            let open = self.is_open(target.index());
            if !open || meets {
                waiting.push((target.index(), !open));
            }
        }
    }

    /// What may be done from each location on. Steps that wait for all others are not taken while
    /// somebody in a reduced set can move.
    fn later(
        &self,
        access_sets: &mut AccessSets<'_>,
        everything: &[AccessSet],
        departure: &AccessSet,
    ) -> Vec<AccessSet> {
        let mut later = Vec::new();
        for (at, here) in self.offers.iter().enumerate() {
            let test = !self.is_open(at) || self.is_mixed(at);
            let mut accesses = AccessSet::default();
            for offer in here.iter().filter(|offer| !offer.waits) {
                accesses.add(&offer.accesses);
                if let Some(talk) = &offer.talk {
                    access_sets.talk(talk, test, &mut accesses);
                }
                for process in &offer.spawns {
                    accesses.add(&everything[process.index()]);
                }
                if offer.ends {
                    accesses.add(departure);
                }
            }
            later.push(accesses);
        }
        let edges = self.edges();
        let mut more = true;
        while more {
            more = false;
            for at in (0..later.len()).rev() {
                let mut mine = std::mem::take(&mut later[at]);
                for &to in edges[at].iter().filter(|&&to| to != at) {
                    more |= mine.add(&later[to]);
                }
                later[at] = mine;
            }
        }
        later
    }

    fn edges(&self) -> Vec<Vec<usize>> {
        let each = self.offers.iter().map(|here| {
            let steps = here.iter().filter(|offer| !offer.waits);
            let mut to: Vec<usize> = steps
                .flat_map(|offer| offer.targets.iter().map(|to| to.index()))
                .collect();
            to.sort_unstable();
            to.dedup();
            to
        });
        each.collect()
    }
}

fn may_meet(access_sets: &AccessSets<'_>, talk: &Communication) -> bool {
    let mut places = talk.places.iter();
    places.any(|&place| access_sets.accesses.rendezvous[place as usize])
}

/// What could make a channel no longer empty, or full.
fn mended_by(access_sets: &mut AccessSets<'_>, place: u32, talk: &Communication) -> AccessSet {
    let thing = SharedObject::Channel(place);
    let other = if talk.access == AccessKind::Send {
        AccessKind::Receive
    } else {
        AccessKind::Send
    };
    let mut set = AccessSet::default();
    set.insert(access_sets.accesses.id(thing, other));
    set.insert(access_sets.accesses.id(thing, AccessKind::Write));
    set
}
