//! A process's part of a search for runs, round by round.
//!
//! In each round all do the same kind of thing: expand a level of nodes, go on with an elimination, look for the
//! ways of a loop or tell them. What comes next is decided at the end of a round, from what all have told in it, so
//! all decide the same. Nobody is silent before the end: each process tells in each round what it has found.

use std::collections::VecDeque;
use std::time::Duration;

use model::{Budget, Progress, Statistics, UnknownReason};

use crate::engine::Engine;
use crate::partitioned::arrivals::{Arrivals, Late};
use crate::partitioned::edges::{Edge, Marks};
use crate::partitioned::owned::Place;
use crate::partitioned::parcel::{Garbled, Kind, begin, opened};
use crate::partitioned::prefix::made_values;
use crate::partitioned::runs::circuit::Circuit;
use crate::partitioned::runs::elimination::{Condition, Elimination, Telling, Verdict};
use crate::partitioned::runs::product::Product;
use crate::partitioned::summary::{Sighting, Summary, Tally, What};
use crate::partitioned::team::{Event, Team, TeamLost};
use crate::partitioned::walk::Walk;
use crate::reduction::trial::is_worthless;
use crate::store::Full;

/// Nodes that are expanded between two looks at what has arrived.
const BLOCK: u32 = 256;
/// How long to wait for something to happen before the limits are looked at.
const PATIENCE: Duration = Duration::from_millis(50);
/// Bytes of a full parcel.
const FULL: usize = 1 << 15;
/// Nodes, of all, at which it is first looked whether there is a run,
const FIRST_LOOK: u64 = 1 << 10;
/// and the factor from one look to the next.
const NEXT_LOOK: u64 = 6;

/// What a round is about.
enum Stage {
    /// The nodes of this level are expanded.
    Explore(u64),
    /// What lies on no fair accepted cycle is taken away; the level that is expanded next, unless all has been.
    Eliminate { next: Option<u64> },
    /// The loop of a run is found.
    Loop(Circuit),
    /// The way to it is told.
    Stem(Circuit, Walk),
    /// It is over, with a run or without.
    Over(Option<(Circuit, Walk)>),
}

/// A run: nodes on the way to a loop, and in it, each with the marks of the edge that leads on.
pub(crate) struct Run {
    /// The last one is the first of the loop.
    pub(crate) stem: Vec<Vec<u64>>,
    pub(crate) around: Vec<(Vec<u64>, Marks)>,
}

/// What a search has come to.
pub(crate) struct Together {
    pub(crate) whole: Summary,
    pub(crate) run: Option<Run>,
    /// Whether all is to be searched again, in full, because hardly anything was left out.
    pub(crate) is_idle: bool,
    pub(crate) depth: u64,
}

/// A process's part of a search.
pub(crate) struct Part<'e> {
    engine: &'e Engine<'e>,
    pub(crate) product: Product<'e>,
    conditions: Vec<Condition>,
    me: usize,
    owners: usize,
    budget: &'e Budget,
    /// Whether it looks for runs before all has been unfolded.
    looks_early: bool,
    stop: Option<UnknownReason>,
    /// The last round that has ended.
    round: u64,
    /// What has arrived of a round behind the next one.
    early: VecDeque<(u64, Vec<u8>)>,
    arrivals: Arrivals,
    /// Nodes of which others have told, until the next round.
    nodes: Vec<u32>,
    edges: Vec<(u32, Edge)>,
    told: Vec<Summary>,
    stage: Stage,
    elimination: Option<Elimination>,
    /// How many nodes there are to be at the next look.
    next_look: u64,
    depth: u64,
    interned: usize,
    sent_bytes: u64,
    is_idle: bool,
}

/// Nodes on their way to their owners.
struct Mail {
    parcels: Vec<Vec<u8>>,
    /// Those that are full.
    full: Vec<(usize, Vec<u8>)>,
    kind: Kind,
    me: u16,
    told: u64,
}

impl Mail {
    fn new(owners: usize, kind: Kind, me: u16) -> Mail {
        Mail {
            parcels: vec![Vec::new(); owners],
            full: Vec::new(),
            kind,
            me,
            told: 0,
        }
    }

    #[inline]
    fn parcel(&mut self, to: u16) -> &mut Vec<u8> {
        self.told += 1;
        let to = usize::from(to);
        if self.parcels[to].len() >= FULL {
            let parcel = std::mem::take(&mut self.parcels[to]);
            self.full.push((to, parcel));
        }
        let parcel = &mut self.parcels[to];
        if parcel.is_empty() {
            *parcel = begin(self.kind, self.me);
        }
        parcel
    }

    fn tell_edge(&mut self, to: u16, node: u32, edge: Edge) {
        let parcel = self.parcel(to);
        parcel.extend_from_slice(&node.to_le_bytes());
        parcel.extend_from_slice(&edge.place.id.to_le_bytes());
        parcel.extend_from_slice(&edge.marks.to_le_bytes());
    }

    fn all(self) -> impl Iterator<Item = (usize, Vec<u8>)> {
        let rest = self.parcels.into_iter().enumerate();
        let rest = rest.filter(|(_, parcel)| !parcel.is_empty());
        self.full.into_iter().chain(rest)
    }
}

impl Telling for Mail {
    #[inline]
    fn tell(&mut self, owner: u16, node: u32) {
        self.parcel(owner).extend_from_slice(&node.to_le_bytes());
    }
}

/// Bytes of a node with an edge.
const NODE_WITH_EDGE: usize = 4 + 4 + size_of::<Marks>();

impl<'e> Part<'e> {
    pub(crate) fn new(
        engine: &'e Engine<'e>,
        product: Product<'e>,
        conditions: Vec<Condition>,
        (me, owners): (usize, usize),
        budget: &'e Budget,
        looks_early: bool,
    ) -> Self {
        Part {
            engine,
            told: vec![Summary::new(0, product.watched.len()); owners],
            product,
            conditions,
            me,
            owners,
            budget,
            looks_early,
            stop: None,
            round: 0,
            early: VecDeque::new(),
            arrivals: Arrivals::default(),
            nodes: Vec::new(),
            edges: Vec::new(),
            stage: Stage::Explore(0),
            elimination: None,
            next_look: FIRST_LOOK,
            depth: 0,
            interned: engine.program.rich.len(),
            sent_bytes: 0,
            is_idle: false,
        }
    }

    fn number(&self) -> u16 {
        u16::try_from(self.me).unwrap_or(u16::MAX)
    }

    /// Searches, with a team; what has been found by all of it.
    pub(crate) fn search(
        &mut self,
        team: &mut dyn Team,
        progress: &dyn Progress,
    ) -> Result<Together, TeamLost> {
        if let Err(reason) = self.product.begin() {
            self.stop = Some(reason);
        }
        let mut has_begun = false;
        let mut late = Late::new(0);
        loop {
            match team.next(PATIENCE)? {
                Event::Parcel(round, parcel) => self.arrive(round, parcel)?,
                Event::Ended(round) => {
                    self.hear(round)?;
                    self.round = round;
                    let mut mail = Mail::new(self.owners, Kind::Nodes, self.number());
                    if std::mem::replace(&mut has_begun, true) {
                        self.decide(&mut mail);
                    }
                    let inbox = (
                        std::mem::take(&mut self.nodes),
                        std::mem::take(&mut self.edges),
                    );
                    // What has come of this round can be taken now.
                    for (round, parcel) in std::mem::take(&mut self.early) {
                        self.arrive(round, parcel)?;
                    }
                    self.work(mail, inbox, team, progress)?;
                    team.release(round);
                    late = Late::new(round + 1);
                }
                Event::Nothing => {
                    let others = late.who(&self.arrivals, (self.me, self.owners));
                    if has_begun && !others.is_empty() {
                        progress.waits_for(&others);
                    } else {
                        self.report(progress, 0);
                    }
                }
                Event::Over => break,
            }
        }
        let run = match std::mem::replace(&mut self.stage, Stage::Over(None)) {
            Stage::Over(Some((circuit, walk))) => {
                let stem = walk.runs(&[Some(seen(circuit.begin()))]).pop().flatten();
                stem.map(|(_, stem)| Run {
                    stem,
                    around: circuit.nodes,
                })
            }
            _ => None,
        };
        Ok(Together {
            whole: Summary::of_all(&self.told),
            run,
            is_idle: self.is_idle,
            depth: self.depth,
        })
    }

    /// Takes a parcel of a round.
    fn arrive(&mut self, round: u64, parcel: Vec<u8>) -> Result<(), TeamLost> {
        // What a round is about is known when the one before has ended here.
        if round > self.round + 1 {
            self.early.push_back((round, parcel));
            return Ok(());
        }
        self.receive(round, &parcel).map_err(garbled)
    }

    fn receive(&mut self, round: u64, parcel: &[u8]) -> Result<(), Garbled> {
        let (kind, sender, rest) = opened(parcel)?;
        if usize::from(sender) >= self.owners {
            return Err(Garbled);
        }
        match (kind, &self.stage) {
            (Kind::States, Stage::Explore(level)) => {
                let entered = self.product.owned.enter(level + 1);
                let received = match entered {
                    Ok(()) => self.product.owned.receive(sender, rest)?,
                    Err(full) => Err(full),
                };
                if received.is_err() {
                    self.stop.get_or_insert(UnknownReason::Memory);
                }
            }
            (Kind::Nodes, Stage::Eliminate { .. }) => {
                let (nodes, []) = rest.as_chunks() else {
                    return Err(Garbled);
                };
                self.nodes
                    .extend(nodes.iter().map(|it| u32::from_le_bytes(*it)));
            }
            (Kind::NodesWithEdges, Stage::Loop(_)) => {
                let (all, []) = rest.as_chunks::<NODE_WITH_EDGE>() else {
                    return Err(Garbled);
                };
                for &[a, b, c, d, e, f, g, h, low, high] in all {
                    let place = Place {
                        owner: sender,
                        id: u32::from_le_bytes([e, f, g, h]),
                    };
                    let marks = Marks::from_le_bytes([low, high]);
                    let node = u32::from_le_bytes([a, b, c, d]);
                    self.edges.push((node, Edge { place, marks }));
                }
            }
            (Kind::Summary | Kind::Path, _) => self.arrivals.add(round, kind, sender, rest),
            _ => return Err(Garbled),
        }
        Ok(())
    }

    /// Takes note of what all have told in the last round.
    fn hear(&mut self, round: u64) -> Result<(), TeamLost> {
        let sizes = (0, self.product.watched.len());
        for (sender, bytes) in self.arrivals.summaries(round) {
            let summary = Summary::read(&bytes, sizes).map_err(garbled)?;
            self.told[usize::from(sender)] = summary;
        }
        let words = self.product.nodes.shape.words;
        for bytes in self.arrivals.paths(round) {
            let heard = match &mut self.stage {
                Stage::Loop(circuit) => circuit.hear(&bytes, words),
                Stage::Stem(_, walk) => walk.hear(&bytes, words),
                _ => Err(Garbled),
            };
            heard.map_err(garbled)?;
        }
        Ok(())
    }

    /// Decides what the next round is about: all decide the same.
    fn decide(&mut self, mail: &mut Mail) {
        let whole = Summary::of_all(&self.told);
        let stage = std::mem::replace(&mut self.stage, Stage::Over(None));
        if whole.stop.is_some() || !whole.exceeded.is_empty() {
            return;
        }
        let is_quiet = whole.tally.told == 0;
        self.stage = match stage {
            Stage::Explore(level) => self.after_level(level, &whole),
            Stage::Eliminate { next } => match (&mut self.elimination, &self.product.owned.edges) {
                (Some(elimination), Some(edges)) if is_quiet => {
                    match elimination.decide(&whole.tally, edges, mail, self.budget) {
                        Verdict::Working => Stage::Eliminate { next },
                        Verdict::Nothing => {
                            self.elimination = None;
                            next.map_or(Stage::Over(None), Stage::Explore)
                        }
                        Verdict::Cycle(place) => {
                            let me = Part::number(self);
                            Stage::Loop(Circuit::new(me, place, &self.conditions))
                        }
                    }
                }
                _ => Stage::Eliminate { next },
            },
            Stage::Loop(circuit) if circuit.is_closed() => {
                let walk = Walk::new(&[Some(seen(circuit.begin()))]);
                Stage::Stem(circuit, walk)
            }
            Stage::Loop(mut circuit) => {
                circuit.decide(is_quiet);
                Stage::Loop(circuit)
            }
            Stage::Stem(circuit, walk) if walk.is_over() => Stage::Over(Some((circuit, walk))),
            other => other,
        };
    }

    /// What comes after a level has been expanded.
    fn after_level(&mut self, level: u64, whole: &Summary) -> Stage {
        let tally = &whole.tally;
        let is_idle = is_worthless(self.engine.tuning(), tally.expansions, tally.reductions);
        if is_idle && self.engine.reduces() {
            self.is_idle = true;
            return Stage::Over(None);
        }
        if whole.expanded > 0 {
            self.depth = level;
        }
        let next = (whole.expanded > 0).then_some(level + 1);
        let is_due = self.looks_early && whole.states >= self.next_look;
        match next {
            Some(next) if !is_due => Stage::Explore(next),
            _ => {
                // All edges have arrived.
                if self.product.owned.flush().is_err() {
                    self.stop.get_or_insert(UnknownReason::Memory);
                }
                self.next_look = whole.states.saturating_mul(NEXT_LOOK);
                Stage::Eliminate { next }
            }
        }
    }

    /// Does what this round is about, and tells the others what came of it.
    fn work(
        &mut self,
        mut mail: Mail,
        (nodes, edges): (Vec<u32>, Vec<(u32, Edge)>),
        team: &mut dyn Team,
        progress: &dyn Progress,
    ) -> Result<(), TeamLost> {
        let mut stage = std::mem::replace(&mut self.stage, Stage::Over(None));
        if let Some(reason) = self.budget.exhausted(self.bytes(&stage)) {
            self.stop.get_or_insert(reason);
        }
        let mut expanded = 0;
        let mut tally = Tally::default();
        match &mut stage {
            Stage::Explore(level) => {
                let level = *level;
                // What arrives meanwhile belongs to it.
                self.stage = Stage::Explore(level);
                expanded = self.expand_level(level, team, progress)?;
                tally.expansions = self.product.counts.expansions;
                tally.reductions = self.product.counts.reductions;
            }
            Stage::Eliminate { .. } => {
                if let Some(known) = &self.product.owned.edges {
                    let me = Part::number(self);
                    let begin = || Elimination::new(me, known, &self.conditions);
                    let elimination = self.elimination.get_or_insert_with(begin);
                    elimination.go_on(nodes.into_iter(), known, &mut mail, self.budget);
                    tally = elimination.tally(mail.told);
                    if elimination.is_stopped() {
                        let reason = self.budget.exhausted(0);
                        self.stop = self.stop.take().or(reason);
                    }
                }
                self.report(progress, tally.left);
            }
            Stage::Loop(circuit) => {
                if let (Some(left), Some(known)) = (&self.elimination, &self.product.owned.edges) {
                    mail = Mail::new(self.owners, Kind::NodesWithEdges, Part::number(self));
                    let tell = &mut |owner, node, edge| mail.tell_edge(owner, node, edge);
                    tally.told = circuit.go_on(edges, left, known, tell);
                }
                self.post_piece(circuit.piece(&self.product.owned), team);
            }
            Stage::Stem(_, walk) => {
                let piece = walk.piece(self.number(), &self.product.owned);
                self.post_piece(piece, team);
            }
            Stage::Over(_) => {
                self.stage = stage;
                return Ok(());
            }
        }
        self.stage = stage;
        for (to, parcel) in mail.all() {
            self.post(to, parcel, team);
        }
        let mut parcel = begin(Kind::Summary, self.number());
        self.summary(expanded, tally).write(&mut parcel);
        for to in 0..self.owners {
            self.post(to, parcel.clone(), team);
        }
        Ok(())
    }

    /// Expands the nodes of a level that it owns; says how many.
    fn expand_level(
        &mut self,
        level: u64,
        team: &mut dyn Team,
        progress: &dyn Progress,
    ) -> Result<u64, TeamLost> {
        let ids = self.product.owned.level(level);
        let entered = ids.and_then(|ids| self.product.owned.enter(level + 1).map(|()| ids));
        let ids = entered.unwrap_or_else(|Full| {
            self.stop.get_or_insert(UnknownReason::Memory);
            0..0
        });
        self.product.driver.transition_cache.take_over();
        let mut next = ids.start;
        while next < ids.end && self.stop.is_none() {
            let block = next..ids.end.min(next.saturating_add(BLOCK));
            next = block.end;
            let (round, me, sent) = (self.round, self.me, &mut self.sent_bytes);
            let mut post = |to: usize, parcel: Vec<u8>| {
                debug_assert_ne!(to, me, "what is its own is not sent");
                *sent += parcel.len() as u64;
                team.send(round, to, parcel);
            };
            if let Err(reason) = self.product.expand(block, &mut post) {
                self.stop.get_or_insert(reason);
            }
            self.take_arrivals(team)?;
            if let Some(reason) = self.budget.exhausted(self.product.bytes()) {
                self.stop.get_or_insert(reason);
            }
            self.report(progress, u64::from(ids.end - next));
        }
        for (to, parcel) in self.product.out.drain() {
            self.post(to, parcel, team);
        }
        if self.product.owned.flush().is_err() {
            self.stop.get_or_insert(UnknownReason::Memory);
        }
        if self.has_values() {
            self.stop.get_or_insert(made_values());
        }
        Ok(u64::from(ids.end - ids.start))
    }

    /// Whether values were made whose numbers others do not know.
    fn has_values(&self) -> bool {
        self.owners > 1 && self.engine.program.rich.len() != self.interned
    }

    fn summary(&self, expanded: u64, tally: Tally) -> Summary {
        let machine = &self.product.driver.machine;
        Summary {
            watched: self.product.watched.clone(),
            stop: self.stop.clone(),
            exceeded: self.engine.exceeded(),
            sampled: self.engine.sampled || machine.sampled,
            gave_up: machine.gave_up,
            reduced: self.product.counts.reductions > 0,
            has_values: self.has_values(),
            level: self.round,
            expanded,
            states: self.product.owned.len().into(),
            transitions: self.product.counts.transitions,
            memory: self.bytes(&self.stage),
            sent: [self.product.out.states, self.sent_bytes],
            tally,
            ..Summary::default()
        }
    }

    fn post(&mut self, to: usize, parcel: Vec<u8>, team: &mut dyn Team) {
        if to != self.me {
            self.sent_bytes += parcel.len() as u64;
        }
        team.send(self.round, to, parcel);
    }

    /// Tells all the next piece of a way, if there is one here.
    fn post_piece(&mut self, piece: Option<Vec<u8>>, team: &mut dyn Team) {
        let Some(piece) = piece else { return };
        for to in 0..self.owners {
            self.post(to, piece.clone(), team);
        }
    }

    /// Takes what others have sent meanwhile.
    fn take_arrivals(&mut self, team: &mut dyn Team) -> Result<(), TeamLost> {
        loop {
            match team.next(Duration::ZERO)? {
                Event::Parcel(round, parcel) => self.arrive(round, parcel)?,
                Event::Nothing => return Ok(()),
                Event::Ended(_) | Event::Over => {
                    return Err(TeamLost("a level ended while it was worked on".to_owned()));
                }
            }
        }
    }

    /// Says how far it is.
    fn report(&self, progress: &dyn Progress, waiting: u64) {
        let mut statistics = Statistics {
            states: self.product.owned.len().into(),
            transitions: self.product.counts.transitions,
            depth: self.depth,
            memory: self.bytes(&self.stage),
            ..Statistics::default()
        };
        for (at, other) in self.told.iter().enumerate() {
            if at != self.me {
                statistics.states += other.states;
                statistics.transitions += other.transitions;
                statistics.memory += other.memory;
            }
        }
        progress.report(&statistics, waiting);
    }

    fn bytes(&self, stage: &Stage) -> u64 {
        let elimination = self.elimination.as_ref().map_or(0, Elimination::bytes);
        let circuit = match stage {
            Stage::Loop(circuit) => circuit.bytes(),
            _ => 0,
        };
        self.product.bytes() + elimination + circuit
    }
}

fn garbled(_: Garbled) -> TeamLost {
    TeamLost("a parcel says what cannot be".to_owned())
}

/// The node to which a way is to be told.
fn seen(place: Place) -> Sighting {
    Sighting {
        level: 0,
        place,
        what: What::State,
    }
}
