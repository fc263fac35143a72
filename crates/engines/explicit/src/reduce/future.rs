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
//! So for whoever asks, coming to where one can be met is a deed like a write: a transition does
//! not commute with one that makes a longer transition of it.

use std::collections::{HashMap, HashSet};

use model::{LocId, Mode, Program, StepId};

use super::deed::{Deed, DeedSet, Thing};
use super::survey::{Offer, Survey, Talk};
use super::{Actor, View};

/// A communication over one channel that may keep messages.
pub(super) struct Attempt {
    pub(super) place: u32,
    pub(super) deed: Deed,
    /// What conflicts with the step.
    pub(super) against: DeedSet,
    /// The same if it is not known whether the channel is empty or full.
    pub(super) against_blocked_or_not: DeedSet,
    /// What could end its being blocked by an empty or a full channel.
    pub(super) mended_by: DeedSet,
}

/// What can be done at a location.
#[derive(Default)]
pub(super) struct Now {
    /// So many steps are not attempts and do not wait.
    pub(super) plain: usize,
    /// What conflicts with these.
    pub(super) against: DeedSet,
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
    pub(super) fn against_all(&self) -> DeedSet {
        let mut all = self.against.clone();
        for attempt in &self.attempts {
            all.add(&attempt.against_blocked_or_not);
        }
        all
    }
}

/// How an ended instance goes away.
pub(super) struct Departure {
    pub(super) deeds: DeedSet,
    pub(super) against: DeedSet,
    pub(super) held: bool,
}

/// What an instance may do, by location.
pub(super) struct Future {
    pub(super) now: Vec<Now>,
    pub(super) later: Vec<DeedSet>,
    /// Where control may go from a location in one step that does not wait for all others.
    pub(super) edges: Vec<Vec<usize>>,
    /// If instances go away in a step of their own.
    pub(super) departure: Option<Departure>,
}

/// What all may do.
pub(super) struct Futures {
    pub(super) actors: Vec<Future>,
    /// What anybody may do that conflicts with what somebody can do.
    pub(super) conflicts: DeedSet,
}

/// The futures of all instances.
pub(super) fn futures(
    program: &Program,
    mut survey: Survey<'_>,
    actors: &[Actor],
    view: View,
) -> Futures {
    let mut offers: Vec<Vec<Vec<Offer>>> =
        actors.iter().map(|actor| survey.offers(actor)).collect();
    let mut departures: Vec<DeedSet> = actors.iter().map(|actor| survey.departure(actor)).collect();
    let stack = survey.is_stack();
    let ends = |steps: &[Vec<Offer>]| steps.iter().flatten().any(|offer| offer.ends);
    for (steps, departure) in offers.iter().zip(&mut departures) {
        if !stack || !ends(steps) {
            *departure = DeedSet::default();
        }
    }

    add_readiness(program, &mut survey, actors, &mut offers);

    // All deeds have to be known before conflicts are looked for.
    for talk in offers
        .iter()
        .flatten()
        .flatten()
        .filter_map(|o| o.talk.as_ref())
    {
        survey.talk(talk, true, &mut DeedSet::default());
        for &place in &talk.places {
            mended_by(&mut survey, place, talk);
        }
    }

    // What conflicts with reading the query may change its answer.
    let mark = survey.deeds.id(Thing::Observed, Deed::Write);
    let observed = survey.deeds.conflicting(&survey.observed);
    for offer in offers.iter_mut().flatten().flatten() {
        let mut deeds = offer.deeds.clone();
        if let Some(talk) = &offer.talk {
            survey.talk(talk, false, &mut deeds);
        }
        if deeds.meets(&observed) {
            offer.deeds.insert(mark);
        }
    }
    for departure in &mut departures {
        if departure.meets(&observed) {
            departure.insert(mark);
        }
    }

    let everything = by_template(program, &mut survey, actors, &offers, &departures);
    let (mut all, mut against) = (DeedSet::default(), DeedSet::default());
    let mut found = Vec::new();
    for ((actor, offers), departure) in actors.iter().zip(&offers).zip(departures) {
        let modes = modes(program, actor);
        let look = Look {
            offers,
            modes: &modes,
            mark,
        };
        let mut future = Future {
            now: (0..modes.len())
                .map(|at| look.now(&mut survey, at))
                .collect(),
            later: look.later(&mut survey, &everything, &departure),
            edges: look.edges(),
            departure: None,
        };
        if departure.iter().next().is_some() {
            future.departure = Some(Departure {
                against: survey.deeds.conflicting(&departure),
                held: view == View::Runs && departure.iter().any(|deed| deed == mark),
                deeds: departure,
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
            all.add(&departure.deeds);
        }
        found.push(future);
    }
    let mut conflicts = DeedSet::default();
    for deed in against.iter().filter(|&deed| all.contains(deed)) {
        conflicts.insert(deed);
    }
    Futures {
        actors: found,
        conflicts,
    }
}

/// Tells who comes to where it can be met, and who asks whether a partner is there.
fn add_readiness(
    program: &Program,
    survey: &mut Survey<'_>,
    actors: &[Actor],
    offers: &mut [Vec<Vec<Offer>>],
) {
    let mut ready: Vec<Vec<DeedSet>> = Vec::new();
    for steps in offers.iter() {
        let each = steps.iter().map(|here| {
            let mut deeds = DeedSet::default();
            for offer in here {
                for thing in meetings(survey, offer) {
                    deeds.insert(survey.deeds.id(thing, Deed::Ready));
                }
            }
            deeds
        });
        ready.push(each.collect());
    }
    for (number, (actor, steps)) in actors.iter().zip(offers).enumerate() {
        let process = &program.processes[actor.process.index()];
        for (location, here) in process.locations.iter().zip(steps) {
            let asks = location.mode != Mode::Open || is_mixed(here);
            for offer in here {
                for target in &offer.targets {
                    offer.deeds.add(&ready[number][target.index()]);
                }
                for &spawned in &offer.spawns {
                    let entry = program.processes[spawned.index()].entry;
                    let of_it = |(other, _): &(&Actor, _)| other.process == spawned;
                    for (_, ready) in actors.iter().zip(&ready).filter(of_it) {
                        offer.deeds.add(&ready[entry.index()]);
                    }
                }
                if let Some(barrier) = offer.barrier.filter(|_| asks) {
                    let test = survey.deeds.id(Thing::Barrier(barrier), Deed::Test);
                    offer.deeds.insert(test);
                }
            }
        }
    }
}

/// Where an instance that is offered a step may be met.
fn meetings(survey: &Survey<'_>, offer: &Offer) -> Vec<Thing> {
    let places = offer.talk.iter().flat_map(|talk| &talk.places);
    places
        .filter(|&&place| survey.deeds.rendezvous[place as usize])
        .map(|&place| Thing::Channel(place))
        .chain(offer.barrier.map(Thing::Barrier))
        .collect()
}

/// Whether steps offered at a location exclude each other.
fn is_mixed(here: &[Offer]) -> bool {
    here.windows(2).any(|o| o[0].urgency != o[1].urgency)
}

fn modes(program: &Program, actor: &Actor) -> Vec<Mode> {
    let process = &program.processes[actor.process.index()];
    process.locations.iter().map(|l| l.mode).collect()
}

/// For each template all that its instances may ever do, and those that they start.
fn by_template(
    program: &Program,
    survey: &mut Survey<'_>,
    actors: &[Actor],
    offers: &[Vec<Vec<Offer>>],
    departures: &[DeedSet],
) -> Vec<DeedSet> {
    let mut everything = vec![DeedSet::default(); program.processes.len()];
    let mut spawns: HashMap<usize, HashSet<usize>> = HashMap::new();
    for ((actor, steps), departure) in actors.iter().zip(offers).zip(departures) {
        let mine = &mut everything[actor.process.index()];
        mine.add(departure);
        for offer in steps.iter().flatten() {
            mine.add(&offer.deeds);
            if let Some(talk) = &offer.talk {
                survey.talk(talk, true, mine);
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
    offers: &'a [Vec<Offer>],
    modes: &'a [Mode],
    /// The deed of changing something that is observed.
    mark: usize,
}

impl Look<'_> {
    fn is_mixed(&self, at: usize) -> bool {
        is_mixed(&self.offers[at])
    }

    fn is_open(&self, at: usize) -> bool {
        self.modes[at] == Mode::Open
    }

    fn now(&self, survey: &mut Survey<'_>, at: usize) -> Now {
        let mut now = Now::default();
        let mut plain = DeedSet::default();
        let fixed = self.is_open(at) && !self.is_mixed(at);
        for offer in &self.offers[at] {
            if offer.waits {
                now.waits.insert(offer.step);
                continue;
            }
            now.joins |= offer.joins;
            now.asks |= offer.asks;
            let mut deeds = offer.deeds.clone();
            self.chain(survey, offer, &mut deeds, &mut now);
            now.visible |= deeds.iter().any(|deed| deed == self.mark);
            now.spawns.extend(offer.spawns.iter().copied());
            let Some(talk) = &offer.talk else {
                now.plain += 1;
                plain.add(&deeds);
                continue;
            };
            let mut whole = deeds.clone();
            let mut places = talk.places.iter();
            let meets = places.all(|&place| survey.deeds.rendezvous[place as usize]);
            survey.talk(talk, !(meets && fixed), &mut whole);
            let kept = matches!(talk.deed, Deed::Send | Deed::Receive);
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
            survey.talk(talk, talk.picky, &mut deeds);
            now.attempts.push(Attempt {
                place,
                deed: talk.deed,
                against: survey.deeds.conflicting(&deeds),
                against_blocked_or_not: survey.deeds.conflicting(&whole),
                mended_by: mended_by(survey, place, talk),
            });
        }
        now.against = survey.deeds.conflicting(&plain);
        now
    }

    /// What a move that begins with a step goes on to do.
    fn chain(&self, survey: &mut Survey<'_>, first: &Offer, deeds: &mut DeedSet, now: &mut Now) {
        let mut seen = HashSet::new();
        let mut waiting = Vec::new();
        self.go_on(survey, first, &mut waiting);
        while let Some((at, freely)) = waiting.pop() {
            if !seen.insert((at, freely)) {
                continue;
            }
            now.passes.insert(LocId::new(at));
            for offer in &self.offers[at] {
                let received = offer
                    .talk
                    .as_ref()
                    .is_some_and(|talk| talk.deed == Deed::Receive && may_meet(survey, talk));
                if !freely && !received {
                    continue;
                }
                deeds.add(&offer.deeds);
                if let Some(talk) = &offer.talk {
                    survey.talk(talk, true, deeds);
                }
                now.spawns.extend(offer.spawns.iter().copied());
                self.go_on(survey, offer, &mut waiting);
            }
        }
    }

    /// Where the same move can go on: inside, or, once somebody else has been handed control,
    /// by receiving.
    fn go_on(&self, survey: &Survey<'_>, offer: &Offer, waiting: &mut Vec<(usize, bool)>) {
        let meets = offer
            .talk
            .as_ref()
            .is_some_and(|talk| may_meet(survey, talk));
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
        survey: &mut Survey<'_>,
        everything: &[DeedSet],
        departure: &DeedSet,
    ) -> Vec<DeedSet> {
        let mut later = Vec::new();
        for (at, here) in self.offers.iter().enumerate() {
            let test = !self.is_open(at) || self.is_mixed(at);
            let mut deeds = DeedSet::default();
            for offer in here.iter().filter(|offer| !offer.waits) {
                deeds.add(&offer.deeds);
                if let Some(talk) = &offer.talk {
                    survey.talk(talk, test, &mut deeds);
                }
                for process in &offer.spawns {
                    deeds.add(&everything[process.index()]);
                }
                if offer.ends {
                    deeds.add(departure);
                }
            }
            later.push(deeds);
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

fn may_meet(survey: &Survey<'_>, talk: &Talk) -> bool {
    let mut places = talk.places.iter();
    places.any(|&place| survey.deeds.rendezvous[place as usize])
}

/// What could make a channel no longer empty, or full.
fn mended_by(survey: &mut Survey<'_>, place: u32, talk: &Talk) -> DeedSet {
    let thing = Thing::Channel(place);
    let other = if talk.deed == Deed::Send {
        Deed::Receive
    } else {
        Deed::Send
    };
    let mut set = DeedSet::default();
    set.insert(survey.deeds.id(thing, other));
    set.insert(survey.deeds.id(thing, Deed::Write));
    set
}
