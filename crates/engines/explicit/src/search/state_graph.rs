//! The graph of all reachable states, for questions about the tree of runs.
//!
//! A vertex is a stored state together with what is asked for there: step variables may have had
//! their say in that, so that one stored state can be several vertices. Where they have none, what is
//! asked for is looked at once for each state.
//!
//! Vertices are expanded round by round, in blocks that [threads](crate::search::graph_worker) take one after the
//! other, and numbered afterwards by one thread, in the order in which they would have been found
//! without others: the graph does not depend on how many threads there are.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use model::interp::{State, Violation};
use model::{
    Budget, ExprId, Graph, Label, LabelId, Program, Progress, Rows, StateSet, StateSpace,
    Statistics, UnknownReason, Vertex,
};

use crate::engine::Engine;
use crate::ir::capacity::Capacity;
use crate::ir::compile::Demand;
use crate::ir::stored_predicates::is_lasting;
use crate::search::crew::{lock, together};
use crate::search::graph_worker::{GraphWorker, Part};
use crate::store::hash::FoldHasher;
use crate::store::{StateId, Store};
use crate::{Options, Storage, Technique};

/// The most vertices that are expanded in one round, and that one thread takes at a time.
const ROUND: usize = 1 << 16;
const BLOCK: usize = 128;
/// Fewer vertices are not worth waking a second thread.
const FEW: usize = 4 * BLOCK;
/// No vertex.
const NONE: u32 = u32::MAX;

/// All reachable states of a program.
pub struct Space<'p> {
    engine: Engine<'p>,
    store: Store,
    graph: Graph,
    /// The stored state of each vertex.
    stored: Vec<StateId>,
    conditions: Vec<ExprId>,
    holding: Vec<StateSet>,
    violations: Vec<(Violation, Vertex)>,
    open: Option<StateSet>,
    statistics: Statistics,
    sampled: bool,
}

impl<'p> Space<'p> {
    /// Explores a program; of the options, the threads and the techniques count. `conditions` are what will be asked of its states;
    /// with `labels`, transitions are told apart by what happens in them.
    ///
    /// # Errors
    /// If the program has features that this engine does not have, or the budget is exhausted.
    pub fn explore(
        program: &'p Program,
        conditions: &[ExprId],
        labels: bool,
        options: &Options,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Self, UnknownReason> {
        let asked = (conditions, labels);
        Space::explore_some(program, asked, usize::MAX, options, budget, progress)
    }

    /// The same, but no more than so many states are expanded; the others are
    /// [open](StateSpace::open). `conditions` are known of those that are expanded only.
    ///
    /// # Errors
    /// As [`Space::explore`].
    pub fn explore_some(
        program: &'p Program,
        (conditions, labels): (&[ExprId], bool),
        most: usize,
        options: &Options,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Self, UnknownReason> {
        let mut room = Capacity::new(program);
        loop {
            let demand = Demand {
                outcomes: conditions.to_vec(),
                labels,
                tuning: options.tuning,
                ..Demand::default()
            };
            let engine = Engine::new(program, room, demand, budget)?;
            let (store, inserters) =
                Store::new(&engine.packing.shape(), Storage::Auto, options.jobs.max(1));
            if let Some(limit) = budget.memory {
                store.set_limit(limit);
            }
            let lasting =
                options.tuning.has(Technique::StoredPredicates) && is_lasting(program, conditions);
            let hands: Vec<GraphWorker<'_>> = inserters
                .into_iter()
                .map(|inserter| GraphWorker::new(&engine, &store, inserter, lasting))
                .collect();
            let made = Making::new(&engine, &store, lasting).make(
                hands,
                conditions.len(),
                most,
                budget,
                progress,
            );
            match engine.more_room() {
                Some(more) => room = more,
                None => {
                    let made = made?;
                    return Ok(Space {
                        sampled: made.sampled || engine.sampled,
                        engine,
                        store,
                        graph: made.graph,
                        stored: made.stored,
                        conditions: conditions.to_vec(),
                        holding: made.holding,
                        violations: made.violations,
                        open: made.open,
                        statistics: made.statistics,
                    });
                }
            }
            if let Some(reason) = budget.exhausted(0) {
                return Err(reason);
            }
        }
    }
}

impl StateSpace for Space<'_> {
    fn graph(&self) -> &Graph {
        &self.graph
    }

    fn state(&self, vertex: Vertex) -> State {
        let mut stored = vec![0; self.engine.packing.words];
        self.store.read(self.stored[vertex as usize], &mut stored);
        self.engine.read(&stored)
    }

    fn conditions(&self) -> &[ExprId] {
        &self.conditions
    }

    fn holding(&self, condition: ExprId) -> Option<&StateSet> {
        let place = self.conditions.iter().position(|c| *c == condition)?;
        Some(&self.holding[place])
    }

    fn violations(&self) -> &[(Violation, Vertex)] {
        &self.violations
    }

    fn open(&self) -> Option<&StateSet> {
        self.open.as_ref()
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn is_sampled(&self) -> bool {
        self.sampled
    }
}

struct Made {
    graph: Graph,
    stored: Vec<StateId>,
    holding: Vec<StateSet>,
    violations: Vec<(Violation, Vertex)>,
    open: Option<StateSet>,
    statistics: Statistics,
    sampled: bool,
}

/// A graph being made.
struct Making<'m> {
    engine: &'m Engine<'m>,
    store: &'m Store,
    /// Whether what is asked for depends on the stored state alone.
    lasting: bool,
    /// The vertices of stored states: the first of each, and others by class.
    first: Vec<u32>,
    others: HashMap<(u32, u32), Vertex>,
    stored: Vec<StateId>,
    /// What holds at each vertex; of those that have been expanded, if that is looked at only then.
    class_of: Vec<u32>,
    classes: Classes,
    rows: Rows,
    known: HashMap<Label, LabelId>,
    table: Vec<Label>,
    violations: Vec<(Violation, Vertex)>,
}

/// What may hold at a state, numbered.
#[derive(Default)]
pub(crate) struct Classes {
    pub(crate) all: Vec<Box<[bool]>>,
    numbers: HashMap<Box<[bool]>, u32, BuildHasherDefault<FoldHasher>>,
    truths: Vec<bool>,
    last: u32,
}

/// The class of what has not been looked at.
pub(crate) const LATER: u32 = 0;

impl Classes {
    /// The number of what holds.
    pub(crate) fn number(&mut self, outcomes: &[i64]) -> u32 {
        let same = |class: &[bool]| {
            class.len() == outcomes.len()
                && class.iter().zip(outcomes).all(|(a, b)| *a == (*b != 0))
        };
        if let Some(class) = self.all.get(self.last as usize)
            && same(class)
        {
            return self.last;
        }
        let mut truths = std::mem::take(&mut self.truths);
        truths.clear();
        truths.extend(outcomes.iter().map(|outcome| *outcome != 0));
        self.last = self.of(&truths);
        self.truths = truths;
        self.last
    }

    fn of(&mut self, truths: &[bool]) -> u32 {
        if let Some(&known) = self.numbers.get(truths) {
            return known;
        }
        let fresh = u32::try_from(self.all.len()).expect("fewer classes than states");
        self.all.push(truths.into());
        self.numbers.insert(truths.into(), fresh);
        fresh
    }
}

impl<'m> Making<'m> {
    fn new(engine: &'m Engine<'m>, store: &'m Store, lasting: bool) -> Self {
        Making {
            engine,
            store,
            lasting,
            first: Vec::new(),
            others: HashMap::new(),
            stored: Vec::new(),
            class_of: Vec::new(),
            classes: Classes::default(),
            rows: Rows::default(),
            known: HashMap::new(),
            table: Vec::new(),
            violations: Vec::new(),
        }
    }

    fn make(
        mut self,
        mut hands: Vec<GraphWorker<'m>>,
        conditions: usize,
        most: usize,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Made, UnknownReason> {
        let begin = Instant::now();
        let mut statistics = Statistics {
            storage: self.store.storage().name(),
            state_bytes: self.store.state_bytes(),
            ..Statistics::default()
        };
        let mut initial: Vec<Vertex> = Vec::new();
        for stored in &self.engine.initial {
            let (id, class) = hands[0].initial(stored)?;
            let class = self.class(&mut hands[0], class);
            let vertex = self.vertex(id, class);
            if !initial.contains(&vertex) {
                initial.push(vertex);
            }
        }
        let mut expanded = 0;
        while expanded < self.stored.len().min(most) {
            self.measure(&mut statistics, begin);
            progress.report(&statistics, (self.stored.len() - expanded) as u64);
            if let Some(reason) = budget.exhausted(statistics.memory) {
                return Err(reason);
            }
            let end = self.stored.len().min(expanded + ROUND).min(most);
            let parts = self.expand(&mut hands, expanded..end, budget, statistics.memory)?;
            if self.engine.is_short_of_room() {
                return Err(UnknownReason::Memory);
            }
            for (hand, part) in parts {
                self.put_together(&mut hands[hand], &part);
            }
            expanded = end;
        }
        if hands.iter().any(GraphWorker::gave_up) {
            return Err(UnknownReason::StepBudget);
        }
        self.measure(&mut statistics, begin);
        let count = self.stored.len();
        let open = (expanded < count).then(|| {
            let mut open = StateSet::none(count);
            for vertex in expanded..count {
                open.add(Vertex::try_from(vertex).expect("vertices are numbered in 32 bits"));
                self.rows.end_row();
            }
            self.class_of.resize(count, LATER);
            open
        });
        let mut holding = vec![StateSet::none(count); conditions];
        for (vertex, class) in (0..).zip(&self.class_of) {
            let truths = &self.classes.all[*class as usize];
            for (set, _) in holding.iter_mut().zip(truths).filter(|(_, holds)| **holds) {
                set.add(vertex);
            }
        }
        Ok(Made {
            graph: self.rows.graph(initial, self.table),
            stored: self.stored,
            holding,
            violations: self.violations,
            open,
            statistics,
            sampled: hands.iter().any(GraphWorker::sampled),
        })
    }

    fn measure(&self, statistics: &mut Statistics, begin: Instant) {
        statistics.states = self.stored.len() as u64;
        statistics.transitions = self.rows.transitions() as u64;
        statistics.memory =
            self.store.bytes() + 12 * statistics.states + 8 * statistics.transitions;
        statistics.time = begin.elapsed();
    }

    /// Expands vertices, block by block; the parts come in their order, each with who made it.
    fn expand(
        &self,
        hands: &mut [GraphWorker<'m>],
        vertices: Range<usize>,
        budget: &Budget,
        memory: u64,
    ) -> Result<Vec<(usize, Part)>, UnknownReason> {
        let is_shared = self.engine.tuning().has(Technique::ParallelLevels);
        let threads = match is_shared && vertices.len() >= FEW {
            true => hands.len(),
            false => 1,
        };
        let next = AtomicUsize::new(vertices.start);
        let all: Mutex<Vec<(usize, Part)>> = Mutex::default();
        let halted: Mutex<Option<UnknownReason>> = Mutex::default();
        let hands: Vec<Mutex<&mut GraphWorker<'m>>> = hands.iter_mut().map(Mutex::new).collect();
        together(threads, |number| {
            let hand = &mut *lock(&hands[number]);
            loop {
                let start = next.fetch_add(BLOCK, Ordering::Relaxed);
                if start >= vertices.end {
                    return;
                }
                let end = vertices.end.min(start + BLOCK);
                let made = match budget.exhausted(memory) {
                    Some(reason) => Err(reason),
                    None => hand.expand(&self.stored[start..end], start),
                };
                match made {
                    Ok(part) => lock(&all).push((number, part)),
                    Err(reason) => {
                        lock(&halted).get_or_insert(reason);
                        next.store(vertices.end, Ordering::Relaxed);
                        return;
                    }
                }
            }
        });
        if let Some(reason) = lock(&halted).take() {
            return Err(reason);
        }
        let mut parts = std::mem::take(&mut *lock(&all));
        parts.sort_unstable_by_key(|(_, part)| part.start);
        Ok(parts)
    }

    /// Adds the rows of vertices that have been expanded.
    fn put_together(&mut self, hand: &mut GraphWorker<'m>, part: &Part) {
        if self.lasting {
            for &class in &part.here {
                let class = self.class(hand, class);
                self.class_of.push(class);
            }
        }
        for &(violation, from) in &part.wrong {
            if self.violations.iter().all(|(known, _)| *known != violation) {
                let from = Vertex::try_from(from).expect("vertices are numbered in 32 bits");
                self.violations.push((violation, from));
            }
        }
        let mut at = 0;
        for &end in &part.ends {
            for way in &part.ways[at..end] {
                let class = self.class(hand, way.class);
                let to = self.vertex(way.to, class);
                let label = self.label(hand, way.label);
                self.rows.add(label, to);
            }
            self.rows.end_row();
            at = end;
        }
    }

    /// The number of what a hand has seen to hold.
    fn class(&mut self, hand: &mut GraphWorker<'m>, own: u32) -> u32 {
        if let Some(&known) = hand.class_numbers.get(own as usize) {
            return known;
        }
        while hand.class_numbers.len() < hand.classes.all.len() {
            let truths = &hand.classes.all[hand.class_numbers.len()];
            hand.class_numbers.push(self.classes.of(truths));
        }
        hand.class_numbers
            .get(own as usize)
            .copied()
            .unwrap_or(LATER)
    }

    fn label(&mut self, hand: &mut GraphWorker<'m>, list: u32) -> LabelId {
        let place = list as usize;
        if place >= hand.labels.len() {
            hand.labels.resize(place + 1, NONE);
        }
        if hand.labels[place] == NONE {
            let label = hand.label(list);
            let table = &mut self.table;
            hand.labels[place] = *self.known.entry(label).or_insert_with_key(|label| {
                table.push(label.clone());
                LabelId::try_from(table.len() - 1).expect("fewer labels than transitions")
            });
        }
        hand.labels[place]
    }

    fn vertex(&mut self, id: StateId, class: u32) -> Vertex {
        let place = id.0 as usize;
        if place >= self.first.len() {
            self.first.resize(place + 1, NONE);
        }
        let known = match self.first[place] {
            NONE => None,
            vertex if self.lasting || self.class_of[vertex as usize] == class => Some(vertex),
            _ => self.others.get(&(id.0, class)).copied(),
        };
        if let Some(vertex) = known {
            return vertex;
        }
        let vertex = Vertex::try_from(self.stored.len()).expect("the store is full before");
        self.stored.push(id);
        if !self.lasting {
            self.class_of.push(class);
        }
        if self.first[place] == NONE {
            self.first[place] = vertex;
        } else {
            self.others.insert((id.0, class), vertex);
        }
        vertex
    }
}
