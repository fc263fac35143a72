//! The product of program and automaton: its nodes as they are stored, and what follows each of them.

use std::ops::{ControlFlow, Range};

use logic::Buchi;
use model::{Budget, ExprId, FiniteRuns, UnknownReason};

use crate::engine::Engine;
use crate::ir::state_width::{Width, with_width};
use crate::liveness::acceptance::Plan;
use crate::liveness::automaton_labels::{Label, Letter, Letters, Reader, letter};
use crate::partitioned::edges::{Edge, Edges, KEPT, Marks};
use crate::partitioned::owned::{Outgoing, Owned, Place};
use crate::partitioned::owners::owner;
use crate::store::{Full, Piece, Shape, Store, Worker};
use crate::successors::expander::{Driver, End, Halt, Sink};
use crate::successors::predicate_cache::Seen;
use crate::vm::machine::Violation;

/// Successors of one state between two looks at the limits.
const PULSE: usize = 1 << 16;

/// Where the automaton's state is in a stored node: behind the state of the program.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    pub(crate) shape: Shape,
    /// Words of a state of the program.
    pub(crate) base: usize,
    word: usize,
    shift: u32,
}

impl Nodes {
    /// For states of this shape.
    pub(crate) fn new(base: &Shape) -> Nodes {
        let mut shape = base.clone();
        let (word, shift) = (base.halves / 2, 32 * (base.halves as u32 % 2));
        shape.halves += 1;
        shape.words = shape.halves.div_ceil(2);
        let bits = 32;
        shape.pieces.push(Piece { word, shift, bits });
        Nodes {
            base: base.words,
            shape,
            word,
            shift,
        }
    }

    /// Writes a node.
    #[inline(always)]
    fn write(&self, stored: &[u64], automaton: u32, node: &mut [u64]) {
        node[stored.len().min(self.shape.words - 1)] = 0;
        node[..stored.len()].copy_from_slice(stored);
        node[self.word] |= u64::from(automaton) << self.shift;
    }

    /// The state of the program, and that of the automaton.
    pub(crate) fn split(&self, node: &[u64], stored: &mut Vec<u64>) -> u32 {
        let begin = stored.len();
        stored.extend_from_slice(&node[..self.base]);
        let automaton = node[self.word] >> self.shift;
        if let Some(word) = stored.get_mut(begin + self.word) {
            *word &= !(u64::from(u32::MAX) << self.shift);
        }
        #[expect(clippy::cast_possible_truncation, reason = "what was written there")]
        let automaton = automaton as u32;
        automaton
    }
}

/// What has become of the expansion of some nodes.
pub(crate) struct Counts {
    pub(crate) transitions: u64,
    pub(crate) expansions: u64,
    pub(crate) reductions: u64,
}

/// A process's part of the product.
pub(crate) struct Product<'e> {
    engine: &'e Engine<'e>,
    automaton: &'e Buchi<ExprId>,
    plan: &'e Plan,
    budget: &'e Budget,
    pub(crate) driver: Driver<'e>,
    letters: Letters<'e>,
    reader: Reader,
    pub(crate) nodes: Nodes,
    /// Whether the automaton reads a state when it leaves it, and the letters known for states.
    by_state: bool,
    seen: Seen,
    /// For each state of the automaton the accepting component in which it lies.
    components: Vec<Option<u32>>,
    pub(crate) owned: Owned,
    pub(crate) out: Outgoing,
    me: Place,
    owners: usize,
    pub(crate) watched: Vec<bool>,
    pub(crate) counts: Counts,
    /// The states of the program in a block of nodes, and those of the automaton.
    bases: Vec<u64>,
    states: Vec<u64>,
    automata: Vec<u32>,
    ends: Ends,
    node: Vec<u64>,
}

/// Where full parcels go.
pub(crate) type Post<'p> = &'p mut dyn FnMut(usize, Vec<u8>);

impl<'e> Product<'e> {
    /// Nothing of the product yet.
    pub(crate) fn new(
        engine: &'e Engine<'e>,
        plan: &'e Plan,
        (automaton, components): (&'e Buchi<ExprId>, Vec<Option<u32>>),
        (store, inserter): (Store, Worker),
        (me, owners): (usize, usize),
        budget: &'e Budget,
    ) -> Self {
        let observed = engine.observed().filter(|_| plan.demand.fair.is_empty());
        let by_state = observed.is_some();
        let mut driver = engine.driver().with_transition_cache();
        if by_state {
            driver.set_collects_outcomes(false);
        }
        let nodes = Nodes::new(&engine.packing.shape());
        let (words, halves) = (nodes.shape.words, nodes.shape.halves);
        let mut owned = Owned::new(store, inserter, halves);
        owned.edges = Some(Edges::default());
        Product {
            engine,
            automaton,
            plan,
            budget,
            driver,
            letters: Letters::new(automaton, plan),
            reader: Reader::default(),
            by_state,
            seen: Seen::new(observed.as_deref().unwrap_or_default()),
            components,
            owned,
            out: Outgoing::new(owners, me, words, halves),
            me: Place {
                owner: u16::try_from(me).unwrap_or(u16::MAX),
                id: u32::MAX,
            },
            owners,
            watched: vec![false; plan.demand.outcomes.len() - plan.letters],
            counts: Counts {
                transitions: 0,
                expansions: 0,
                reductions: 0,
            },
            bases: Vec::new(),
            states: Vec::new(),
            automata: Vec::new(),
            ends: Ends {
                by_state,
                letters: plan.letters,
                ..Ends::default()
            },
            node: vec![0; words],
            nodes,
        }
    }

    /// Adds the initial nodes that it owns.
    pub(crate) fn begin(&mut self) -> Result<(), UnknownReason> {
        let first = self.automaton.initial.0;
        for stored in &self.engine.initial {
            let mut states = vec![first];
            if !self.by_state {
                let label = Label {
                    letter: self.letter_at(stored)?,
                    ..Label::default()
                };
                let class = self.reader.number(&self.letters, label);
                let ways = &self.reader.class(&self.letters, class).edges[first as usize];
                states = ways.iter().map(|way| way.to).collect();
            }
            for state in states {
                self.nodes.write(stored, state, &mut self.node);
                if owner(&self.node, self.owners) == usize::from(self.me.owner) {
                    let node = &self.node;
                    let edge = Edge {
                        place: self.me,
                        marks: 0,
                    };
                    let added = self
                        .owned
                        .add_edge(node.len(), edge, |to| to.copy_from_slice(node));
                    added.map_err(|Full| UnknownReason::Memory)?;
                }
            }
        }
        self.owned.flush().map_err(|Full| UnknownReason::Memory)
    }

    /// What is asked for in a state, and what is watched there.
    fn letter_at(&mut self, stored: &[u64]) -> Result<Letter, UnknownReason> {
        let constraints = self.engine.program.state_constraint.len();
        let outcomes = match self.driver.outcomes_at(stored) {
            Ok(outcomes) => &outcomes[constraints..],
            Err(halt) => return Err(reason(halt)),
        };
        let (letters, watched) = outcomes.split_at(self.plan.letters);
        for (seen, outcome) in self.watched.iter_mut().zip(watched) {
            *seen |= *outcome != 0;
        }
        Ok(letter(letters))
    }

    /// Expands some nodes that it owns.
    pub(crate) fn expand(&mut self, ids: Range<u32>, post: Post<'_>) -> Result<(), UnknownReason> {
        let mut states = std::mem::take(&mut self.states);
        let mut bases = std::mem::take(&mut self.bases);
        states.clear();
        bases.clear();
        self.automata.clear();
        self.owned.store.read_all(ids.clone(), &mut states);
        for node in states.chunks_exact(self.nodes.shape.words) {
            let automaton = self.nodes.split(node, &mut bases);
            self.automata.push(automaton);
        }
        let mut done = Ok(());
        with_width!(self.nodes.base, width => {
            for (place, id) in ids.enumerate() {
                if done.is_ok() {
                    done = self.expand_node(width, &bases, (place, id), post);
                }
            }
        });
        self.states = states;
        self.bases = bases;
        done
    }

    #[inline(always)]
    fn expand_node(
        &mut self,
        width: impl Width,
        bases: &[u64],
        (place, id): (usize, u32),
        post: Post<'_>,
    ) -> Result<(), UnknownReason> {
        let stored = &bases[place * width.get()..][..width.get()];
        let automaton = self.automata[place] as usize;
        let number = self.driver.find(width, bases, place);
        let mut here = 0;
        if self.by_state {
            here = match self.seen.get(stored) {
                Some(class) => class,
                None => {
                    let label = Label {
                        letter: self.letter_at(stored)?,
                        ..Label::default()
                    };
                    let class = self.reader.number(&self.letters, label);
                    self.seen.put(class);
                    class
                }
            };
            if self.reader.class(&self.letters, here).edges[automaton].is_empty() {
                return Ok(());
            }
        }
        self.ends.stored.clear();
        self.ends.labels.clear();
        self.ends.next_look = PULSE;
        let mut sink = Collecting {
            ends: &mut self.ends,
            watched: &mut self.watched,
            budget: self.budget,
        };
        let expanded = self
            .driver
            .expand_found(width, number, stored, &mut sink)
            .map_err(|halt| match halt {
                Halt::Stop(reason) => reason,
                Halt::Enough | Halt::FieldOverflow => {
                    self.ends.stop.take().unwrap_or(UnknownReason::Interrupted)
                }
            })?;
        self.counts.expansions += 1;
        self.counts.reductions += u64::from(expanded.reduced);
        if !expanded.moves {
            match self.engine.program.finite_runs {
                FiniteRuns::Stutter => {
                    self.ends.stored.extend_from_slice(stored);
                    if !self.by_state {
                        let letter = self.letter_at(stored)?;
                        self.ends.labels.push((letter, 0));
                    }
                }
                FiniteRuns::InfiniteOnly => {}
                FiniteRuns::Maximal => {
                    let what = "linear-time properties of runs that end";
                    return Err(UnknownReason::Unsupported(what.to_owned()));
                }
            }
        }
        let ends = std::mem::take(&mut self.ends);
        let mut done = Ok(());
        for (number, stored) in ends.stored.chunks_exact(width.get()).enumerate() {
            let class = match ends.labels.get(number) {
                None => here,
                Some(&(letter, taken)) => {
                    let label = Label {
                        letter,
                        taken,
                        enabled: expanded.enabled,
                        stutter: !expanded.moves,
                    };
                    self.reader.number(&self.letters, label)
                }
            };
            done = done.and(self.follow((automaton, id), stored, class, post));
        }
        self.ends = ends;
        done.map_err(|Full| UnknownReason::Memory)
    }

    /// Follows the automaton along a transition.
    #[inline(always)]
    fn follow(
        &mut self,
        (automaton, id): (usize, u32),
        stored: &[u64],
        class: u32,
        post: Post<'_>,
    ) -> Result<(), Full> {
        let component = self.components[automaton];
        let place = Place { id, ..self.me };
        for way in &self.reader.class(&self.letters, class).edges[automaton] {
            self.counts.transitions += 1;
            self.nodes.write(stored, way.to, &mut self.node);
            let is_inside = component.is_some() && component == self.components[way.to as usize];
            let marks = if is_inside { kept(way.marks) } else { 0 };
            if is_inside && let Some(edges) = &mut self.owned.edges {
                edges.leaving[id as usize] += 1;
            }
            let node = &self.node;
            let to = owner(node, self.owners);
            if to == usize::from(self.me.owner) {
                let edge = Edge { place, marks };
                self.owned
                    .add_edge(node.len(), edge, |to| to.copy_from_slice(node))?;
            } else if let Some(parcel) = self.out.add_edge(to, (id, marks), node) {
                post(to, parcel);
            }
        }
        Ok(())
    }

    /// Whether nothing can happen in a state.
    pub(crate) fn is_at_end(&mut self, stored: &[u64]) -> Result<bool, UnknownReason> {
        Ok(self.labels_from(stored)?.is_empty())
    }

    /// The labels with which a state can be left, and where each leads.
    pub(crate) fn labels_from(
        &mut self,
        stored: &[u64],
    ) -> Result<Vec<(Label, Vec<u64>)>, UnknownReason> {
        self.ends.stored.clear();
        self.ends.labels.clear();
        self.ends.next_look = usize::MAX;
        let mut sink = Collecting {
            ends: &mut self.ends,
            watched: &mut self.watched,
            budget: self.budget,
        };
        let expanded = self.driver.expand(stored, &mut sink).map_err(reason)?;
        let ends = self.ends.stored.chunks_exact(stored.len()).enumerate();
        let labelled = ends.map(|(number, end)| {
            let (letter, taken) = self.ends.labels.get(number).copied().unwrap_or_default();
            let label = Label {
                letter,
                taken,
                enabled: expanded.enabled,
                stutter: false,
            };
            (label, end.to_vec())
        });
        Ok(labelled.collect())
    }

    /// The label of an edge of the product with exactly these marks, if some are asked for.
    pub(crate) fn label_of(
        &mut self,
        (stored, automaton): (&[u64], u32),
        (next, next_automaton): (&[u64], u32),
        marks: Option<Marks>,
    ) -> Result<Option<Label>, UnknownReason> {
        for (label, end) in self.labels_from(stored)? {
            if end != next {
                continue;
            }
            let class = self.reader.number(&self.letters, label);
            let ways = &self.reader.class(&self.letters, class).edges[automaton as usize];
            let fits = |marks: Marks, way: u128| kept(way) == marks;
            if ways.iter().any(|way| {
                way.to == next_automaton && marks.is_none_or(|marks| fits(marks, way.marks))
            }) {
                return Ok(Some(label));
            }
        }
        Ok(None)
    }

    /// Whether the automaton reads a state when it leaves it.
    pub(crate) fn is_by_state(&self) -> bool {
        self.by_state
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.owned.bytes() + self.out.bytes() + self.driver.transition_cache.bytes()
    }
}

/// The marks of an edge that is kept.
fn kept(marks: u128) -> Marks {
    #[expect(clippy::cast_possible_truncation, reason = "there are no more")]
    let marks = marks as Marks;
    marks | KEPT
}

fn reason(halt: Halt) -> UnknownReason {
    match halt {
        Halt::Stop(reason) => reason,
        Halt::Enough | Halt::FieldOverflow => UnknownReason::Interrupted,
    }
}

/// What a state leads to.
#[derive(Default)]
struct Ends {
    stored: Vec<u64>,
    /// The letter of each, and the fairness sets that are taken; none where states have letters.
    labels: Vec<(Letter, u64)>,
    by_state: bool,
    letters: usize,
    next_look: usize,
    stop: Option<UnknownReason>,
}

/// Collects what a state leads to.
struct Collecting<'v> {
    ends: &'v mut Ends,
    watched: &'v mut [bool],
    budget: &'v Budget,
}

impl Sink for Collecting<'_> {
    #[inline(always)]
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let ends = &mut *self.ends;
        if !ends.by_state {
            let (letters, watched) = end.outcomes.split_at(ends.letters);
            for (seen, outcome) in self.watched.iter_mut().zip(watched) {
                *seen |= *outcome != 0;
            }
            let label = (letter(letters), end.taken);
            // Often the transition is one of the last two.
            let others = ends.stored.chunks_exact(end.stored.len()).rev();
            let mut last = others.zip(ends.labels.iter().rev()).take(2);
            if last.any(|(stored, other)| stored == end.stored && *other == label) {
                return ControlFlow::Continue(());
            }
            ends.labels.push(label);
        }
        ends.stored.extend_from_slice(end.stored);
        if ends.stored.len() >= ends.next_look {
            ends.next_look = ends.stored.len() + PULSE;
            ends.stop = self.budget.exhausted(0);
            if ends.stop.is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
