//! One of the threads that make the [graph of all states](crate::search::state_graph): it expands the vertices of a
//! block and looks up their successors in batches.

use std::ops::ControlFlow;

use model::interp;
use model::{CheckId, Label, LabelId, UnknownReason};

use crate::engine::Engine;
use crate::ir::stored_predicates::moves_ask_what_is_enabled;
use crate::search::state_graph::{Classes, LATER};
use crate::store::{BATCH, Full, Inserted, StateId, Store, Worker};
use crate::successors::expander::{Driver, EnabledMode, End, Halt, Sink};
use crate::successors::read_write_sets::Footprints;
use crate::vm::machine::Violation;

/// A thread, with what it needs of its own.
pub(crate) struct GraphWorker<'m> {
    engine: &'m Engine<'m>,
    store: &'m Store,
    inserter: Worker,
    driver: Driver<'m>,
    constraints: usize,
    /// Whether what is asked for is looked at where states are expanded, not where they are found.
    lasting: bool,
    /// Whether a move may be possible only where nothing else is: then that there are moves does not
    /// say whether anything is enabled.
    moves_ask: bool,
    /// What it has seen to hold, and the numbers that this has in the graph.
    pub(crate) classes: Classes,
    pub(crate) class_numbers: Vec<u32>,
    /// For each event list its label in the graph; several lists may be one label, from
    /// different places in the code.
    pub(crate) labels: Vec<LabelId>,
    state: Vec<u64>,
    found: Found,
    inserted: Vec<Inserted>,
}

/// Successors that have not been looked up: for each what happens on the way and the class of what
/// is asked for.
#[derive(Default)]
struct Found {
    states: Vec<u64>,
    marks: Vec<(u32, u32)>,
}

/// Where one transition leads: a stored state, and by whose numbers what happens on the way and what
/// holds there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) to: StateId,
    pub(crate) label: u32,
    pub(crate) class: u32,
}

/// What has become of a block of vertices.
pub(crate) struct Part {
    /// The first of them.
    pub(crate) start: usize,
    /// What holds at each, if that is looked at now.
    pub(crate) here: Vec<u32>,
    /// All their transitions, and where those of each end.
    pub(crate) ways: Vec<Way>,
    pub(crate) ends: Vec<usize>,
    /// What goes wrong on the way, with the place of the first vertex where it does.
    pub(crate) wrong: Vec<(interp::Violation, usize)>,
}

/// Takes successors.
struct Taking<'t> {
    found: &'t mut Found,
    classes: Option<&'t mut Classes>,
    wrong: &'t mut Vec<(interp::Violation, usize)>,
    /// The vertex that is expanded.
    from: usize,
}

impl Sink for Taking<'_> {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let class = match &mut self.classes {
            Some(classes) => classes.number(end.outcomes),
            None => LATER,
        };
        self.found.states.extend_from_slice(end.stored);
        self.found.marks.push((end.label, class));
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, _: u32) -> ControlFlow<()> {
        let violation = match violation {
            Violation::Check(check, _) => interp::Violation::Check(CheckId::new(check as usize)),
            Violation::Fault(fault, _) => interp::Violation::Fault(fault),
            Violation::Divergence => return ControlFlow::Continue(()),
        };
        if self.wrong.iter().all(|(known, _)| *known != violation) {
            self.wrong.push((violation, self.from));
        }
        ControlFlow::Continue(())
    }
}

impl<'m> GraphWorker<'m> {
    pub(crate) fn new(
        engine: &'m Engine<'m>,
        store: &'m Store,
        inserter: Worker,
        lasting: bool,
    ) -> Self {
        let mut driver = engine.driver();
        if lasting {
            driver.set_collects_outcomes(false);
            driver = driver.with_transition_cache();
        }
        let moves_ask = moves_ask_what_is_enabled(engine.program);
        let footprints = driver.footprints;
        if lasting && !moves_ask && footprints.is_some_and(Footprints::tell_who_is_enabled) {
            driver.enabled_mode = EnabledMode::Instances;
        }
        GraphWorker {
            engine,
            store,
            inserter,
            driver,
            constraints: engine.program.state_constraint.len(),
            lasting,
            moves_ask,
            classes: Classes::default(),
            class_numbers: Vec::new(),
            labels: Vec::new(),
            state: vec![0; engine.packing.words],
            found: Found::default(),
            inserted: Vec::new(),
        }
    }

    /// Whether a sample stood for a wide choice.
    pub(crate) fn sampled(&self) -> bool {
        self.driver.machine.sampled
    }

    /// Whether some branch of a macro step was given up.
    pub(crate) fn gave_up(&self) -> bool {
        self.driver.machine.gave_up
    }

    /// Stores an initial state; says what holds there, if that is looked at now.
    pub(crate) fn initial(&mut self, stored: &[u64]) -> Result<(StateId, u32), UnknownReason> {
        let class = match self.lasting {
            true => LATER,
            false => self.class_of(stored)?,
        };
        self.inserted.clear();
        self.store
            .insert_all(&mut self.inserter, stored, &mut self.inserted)
            .map_err(|Full| UnknownReason::Memory)?;
        Ok((self.inserted[0].id, class))
    }

    fn class_of(&mut self, stored: &[u64]) -> Result<u32, UnknownReason> {
        let outcomes = self.driver.outcomes_at(stored).map_err(halted)?;
        Ok(self.classes.number(&outcomes[self.constraints..]))
    }

    /// Expands vertices, given their states.
    pub(crate) fn expand(
        &mut self,
        states: &[StateId],
        start: usize,
    ) -> Result<Part, UnknownReason> {
        let mut part = Part {
            start,
            here: Vec::new(),
            ways: Vec::new(),
            ends: Vec::with_capacity(states.len()),
            wrong: Vec::new(),
        };
        let mut state = std::mem::take(&mut self.state);
        for (from, &id) in (start..).zip(states) {
            self.store.read(id, &mut state);
            let mut taking = Taking {
                found: &mut self.found,
                classes: (!self.lasting).then_some(&mut self.classes),
                wrong: &mut part.wrong,
                from,
            };
            let expanded = self.driver.expand(&state, &mut taking).map_err(halted)?;
            if self.lasting {
                let known = (!self.moves_ask).then_some(!expanded.moves);
                self.driver.machine.timeout = known;
                let tells_who = self.driver.enabled_mode == EnabledMode::Instances;
                self.driver.machine.movers = tells_who.then_some(expanded.enabled);
                let class = self.class_of(&state);
                self.driver.machine.timeout = None;
                self.driver.machine.movers = None;
                part.here.push(class?);
            }
            part.ends.push(part.ways.len() + self.found.marks.len());
            if self.found.marks.len() >= BATCH {
                self.look_up(&mut part)?;
            }
        }
        self.state = state;
        self.look_up(&mut part)?;
        Ok(part)
    }

    /// Looks up the successors that have not been.
    fn look_up(&mut self, part: &mut Part) -> Result<(), UnknownReason> {
        let states = std::mem::take(&mut self.found.states);
        self.inserted.clear();
        self.store
            .insert_all(&mut self.inserter, &states, &mut self.inserted)
            .map_err(|Full| UnknownReason::Memory)?;
        self.found.states = states;
        self.found.states.clear();
        let marks = self.found.marks.drain(..).zip(&self.inserted);
        part.ways
            .extend(marks.map(|((label, class), inserted)| Way {
                to: inserted.id,
                label,
                class,
            }));
        Ok(())
    }

    /// An event list in the terms of the model.
    pub(crate) fn label(&self, list: u32) -> Label {
        let machine = &self.driver.machine;
        let sites = &machine.code.happens;
        machine.event_lists.label(self.engine.program, sites, list)
    }
}

fn halted(halt: Halt) -> UnknownReason {
    match halt {
        Halt::Stop(reason) => reason,
        Halt::Enough | Halt::FieldOverflow => unreachable!("nobody has seen enough, and all fits"),
    }
}
