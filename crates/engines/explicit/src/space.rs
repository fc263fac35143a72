//! The graph of all reachable states, for questions about the tree of runs.
//!
//! States are expanded in the order in which they are found; each expansion's successors are looked
//! up in batches. A vertex is a stored state together with what is asked for there: step variables
//! may have had their say in that, so that one stored state can be several vertices. Where they have
//! none, what is asked for is looked at once for each state.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use model::interp::State;
use model::{
    Budget, ExprId, Graph, Label, LabelId, Program, Progress, Rows, StateSet, StateSpace,
    Statistics, UnknownReason, Vertex,
};

use crate::Storage;
use crate::compile::Demand;
use crate::engine::Engine;
use crate::expand::{Driver, End, Halt, Sink};
use crate::lasting::is_lasting;
use crate::machine::Violation;
use crate::room::Room;
use crate::store::{BATCH, Full, Inserted, StateId, Store, Worker};

/// Expansions between two looks at the budget.
const TELL: usize = 256;
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
    statistics: Statistics,
    sampled: bool,
}

impl<'p> Space<'p> {
    /// Explores a program. `conditions` are what will be asked of its states; with `labels`,
    /// transitions are told apart by what happens in them.
    ///
    /// # Errors
    /// If the program has features that this engine does not have, or the budget is exhausted.
    pub fn explore(
        program: &'p Program,
        conditions: &[ExprId],
        labels: bool,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Self, UnknownReason> {
        let mut room = Room::new(program);
        loop {
            let demand = Demand {
                outcomes: conditions.to_vec(),
                labels,
                ..Demand::default()
            };
            let engine = Engine::new(program, room, demand, budget)?;
            let (store, worker) = Store::new(&engine.packing.shape(), Storage::Auto, 1);
            if let Some(limit) = budget.memory {
                store.set_limit(limit);
            }
            let made = Making::new(&engine, &store, worker, is_lasting(program, conditions)).make(
                conditions.len(),
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
    statistics: Statistics,
    sampled: bool,
}

/// A graph being made.
struct Making<'m> {
    engine: &'m Engine<'m>,
    store: &'m Store,
    workers: Vec<Worker>,
    driver: Driver<'m>,
    constraints: usize,
    /// Whether what is asked for depends on the stored state alone.
    lasting: bool,
    found: Found,
    /// The vertices of stored states: the first of each, and others by class.
    first: Vec<u32>,
    others: HashMap<(u32, u32), Vertex>,
    stored: Vec<StateId>,
    class_of: Vec<u32>,
    inserted: Vec<Inserted>,
    rows: Rows,
    /// Labels of lists of happenings; several lists may be one label, from different places in the
    /// code.
    labels: HashMap<u32, LabelId>,
    known: HashMap<Label, LabelId>,
    table: Vec<Label>,
}

/// Successors that have not been looked up.
#[derive(Default)]
struct Found {
    states: Vec<u64>,
    /// For each what happens on the way and the class of what is asked for.
    marks: Vec<(u32, u32)>,
    /// Where each expansion's successors end.
    ends: Vec<usize>,
    classes: Vec<Box<[bool]>>,
    numbers: HashMap<Box<[bool]>, u32>,
    truths: Vec<bool>,
    last: u32,
    /// Whether what is asked for is left to be looked at later.
    lasting: bool,
}

/// The class of what has not been looked at.
const LATER: u32 = 0;

impl Found {
    fn class(&mut self, outcomes: &[i64]) -> u32 {
        let same = |class: &[bool]| {
            class.len() == outcomes.len()
                && class.iter().zip(outcomes).all(|(a, b)| *a == (*b != 0))
        };
        if let Some(class) = self.classes.get(self.last as usize)
            && same(class)
        {
            return self.last;
        }
        self.truths.clear();
        self.truths
            .extend(outcomes.iter().map(|outcome| *outcome != 0));
        if let Some(&known) = self.numbers.get(self.truths.as_slice()) {
            self.last = known;
            return known;
        }
        let fresh = u32::try_from(self.classes.len()).expect("fewer classes than states");
        self.classes.push(self.truths.clone().into());
        self.numbers.insert(self.truths.clone().into(), fresh);
        self.last = fresh;
        fresh
    }
}

impl Sink for Found {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let class = if self.lasting {
            LATER
        } else {
            self.class(end.outcomes)
        };
        self.states.extend_from_slice(end.stored);
        self.marks.push((end.label, class));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<'m> Making<'m> {
    fn new(engine: &'m Engine<'m>, store: &'m Store, workers: Vec<Worker>, lasting: bool) -> Self {
        let mut driver = engine.driver();
        if lasting {
            driver.set_curious(false);
            driver = driver.with_recall();
        }
        Making {
            engine,
            store,
            workers,
            driver,
            constraints: engine.program.state_constraint.len(),
            lasting,
            found: Found {
                lasting,
                ..Found::default()
            },
            first: Vec::new(),
            others: HashMap::new(),
            stored: Vec::new(),
            class_of: Vec::new(),
            inserted: Vec::new(),
            rows: Rows::default(),
            labels: HashMap::new(),
            known: HashMap::new(),
            table: Vec::new(),
        }
    }

    fn make(
        mut self,
        conditions: usize,
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
            let class = if self.lasting {
                LATER
            } else {
                self.driver.load(stored);
                let outcomes = self.driver.evaluate().map_err(halted)?;
                self.found.class(&outcomes[self.constraints..])
            };
            self.inserted.clear();
            self.store
                .insert_all(&mut self.workers[0], stored, &mut self.inserted)
                .map_err(|Full| UnknownReason::Memory)?;
            let vertex = self.vertex(self.inserted[0].id, class);
            if !initial.contains(&vertex) {
                initial.push(vertex);
            }
        }
        let mut state = vec![0; self.engine.packing.words];
        let mut expanded = 0;
        // What holds in the states that have been expanded, if that is looked at only then.
        let mut classes: Vec<u32> = Vec::new();
        loop {
            if expanded == self.stored.len() {
                self.look_up()?;
                if expanded == self.stored.len() {
                    break;
                }
            }
            if expanded.is_multiple_of(TELL) {
                self.measure(&mut statistics, begin);
                progress.report(&statistics, (self.stored.len() - expanded) as u64);
                if let Some(reason) = budget.exhausted(statistics.memory) {
                    return Err(reason);
                }
                if self.engine.is_short_of_room() {
                    return Err(UnknownReason::Memory);
                }
            }
            self.store.read(self.stored[expanded], &mut state);
            if self.lasting {
                self.driver.load(&state);
                let outcomes = self.driver.evaluate().map_err(halted)?;
                classes.push(self.found.class(&outcomes[self.constraints..]));
            }
            self.driver
                .expand(&state, &mut self.found)
                .map_err(halted)?;
            self.found.ends.push(self.found.marks.len());
            expanded += 1;
            if self.found.marks.len() >= BATCH {
                self.look_up()?;
            }
        }
        self.measure(&mut statistics, begin);
        if self.lasting {
            self.class_of = classes;
        }
        let count = self.stored.len();
        let mut holding = vec![StateSet::none(count); conditions];
        for (vertex, class) in (0..).zip(&self.class_of) {
            let truths = &self.found.classes[*class as usize];
            for (set, _) in holding.iter_mut().zip(truths).filter(|(_, holds)| **holds) {
                set.add(vertex);
            }
        }
        Ok(Made {
            graph: self.rows.graph(initial, self.table),
            stored: self.stored,
            holding,
            statistics,
            sampled: self.driver.machine.sampled,
        })
    }

    fn measure(&self, statistics: &mut Statistics, begin: Instant) {
        statistics.states = self.stored.len() as u64;
        statistics.transitions = self.rows.transitions() as u64;
        statistics.memory =
            self.store.bytes() + 12 * statistics.states + 8 * statistics.transitions;
        statistics.time = begin.elapsed();
    }

    /// Looks up the successors of the expansions that have not been, and adds their rows.
    fn look_up(&mut self) -> Result<(), UnknownReason> {
        let states = std::mem::take(&mut self.found.states);
        self.inserted.clear();
        self.store
            .insert_all(&mut self.workers[0], &states, &mut self.inserted)
            .map_err(|Full| UnknownReason::Memory)?;
        self.found.states = states;
        self.found.states.clear();
        let marks = std::mem::take(&mut self.found.marks);
        let ends = std::mem::take(&mut self.found.ends);
        let inserted = std::mem::take(&mut self.inserted);
        let mut at = 0;
        for &end in &ends {
            for place in at..end {
                let (list, class) = marks[place];
                let to = self.vertex(inserted[place].id, class);
                let label = self.label(list);
                self.rows.add(label, to);
            }
            self.rows.end_row();
            at = end;
        }
        (self.inserted, self.found.marks, self.found.ends) = (inserted, marks, ends);
        self.found.marks.clear();
        self.found.ends.clear();
        Ok(())
    }

    fn label(&mut self, list: u32) -> LabelId {
        if let Some(&label) = self.labels.get(&list) {
            return label;
        }
        let machine = &self.driver.machine;
        let sites = &machine.code.happens;
        let label = machine.happenings.label(self.engine.program, sites, list);
        let table = &mut self.table;
        let id = *self.known.entry(label).or_insert_with_key(|label| {
            table.push(label.clone());
            LabelId::try_from(table.len() - 1).expect("fewer labels than transitions")
        });
        self.labels.insert(list, id);
        id
    }

    fn vertex(&mut self, id: StateId, class: u32) -> Vertex {
        let place = id.0 as usize;
        if place >= self.first.len() {
            self.first.resize(place + 1, NONE);
        }
        let known = match self.first[place] {
            NONE => None,
            vertex if self.class_of[vertex as usize] == class => Some(vertex),
            _ => self.others.get(&(id.0, class)).copied(),
        };
        if let Some(vertex) = known {
            return vertex;
        }
        let vertex = Vertex::try_from(self.stored.len()).expect("the store is full before");
        self.stored.push(id);
        self.class_of.push(class);
        if self.first[place] == NONE {
            self.first[place] = vertex;
        } else {
            self.others.insert((id.0, class), vertex);
        }
        vertex
    }
}

fn halted(halt: Halt) -> UnknownReason {
    match halt {
        Halt::Stop(reason) => reason,
        Halt::Enough => unreachable!("nobody has seen enough"),
    }
}
