//! The driver: everything that can happen from a stable state, macro step by macro step.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use model::{Budget, Mode, Program, UnknownReason};
use rapidhash::fast::RapidHasher;

use crate::ir::instruction::{Code, HAPPENED, HOLDER, Pc, TAKEN};
use crate::ir::layout::Layout;
use crate::ir::state_width::Width;
use crate::reduction::partial_order::{Chooser, Reduction};
use crate::reduction::symmetry::Symmetry;
use crate::store::packing::Packing;
use crate::successors::cache_cursor::Found;
use crate::successors::read_write_sets::{Footprint, Footprints};
use crate::successors::transition_cache::{Deciding, Ended, Recording, TransitionCache};
use crate::vm::dependencies::Tracking;
use crate::vm::machine::{Exit, Machine, PATIENCE, Violation};
use crate::{Technique, Tuning};

/// A macro step that has ended.
pub(crate) struct End<'a> {
    /// The state that is stored.
    pub(crate) stored: &'a [u64],
    /// The truth of what was asked for, state constraints aside; none if nobody collects outcomes.
    pub(crate) outcomes: &'a [i64],
    /// The fairness sets of which a step was taken.
    pub(crate) taken: u64,
    /// What has happened on the way, if that is asked for.
    pub(crate) label: u32,
    pub(crate) log: u32,
}

impl<'a> End<'a> {
    /// One that is remembered, in a place for the state.
    #[inline(always)]
    pub(crate) fn remembered<W: Width>(
        from: &[u64],
        ended: &Ended<'_, W>,
        to: &'a mut [u64],
    ) -> End<'a> {
        ended.write(from, to);
        End {
            stored: to,
            outcomes: &[],
            taken: ended.mark,
            label: 0,
            log: 0,
        }
    }
}

/// Is told what happens.
pub(crate) trait Sink {
    /// A macro step ends.
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()>;
    /// The same where the macro step is remembered and nothing but its end is to be told. There is
    /// a place to write the state to.
    #[inline(always)]
    fn remembered<W: Width>(
        &mut self,
        from: &[u64],
        ended: &Ended<'_, W>,
        to: &mut [u64],
    ) -> ControlFlow<()> {
        self.successor(&End::remembered(from, ended, to))
    }

    /// Something goes wrong on the way.
    fn violation(&mut self, violation: Violation, log: u32) -> ControlFlow<()>;
}

/// Why an expansion was not finished.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Halt {
    /// There is no answer.
    Stop(UnknownReason),
    /// The sink has seen enough.
    Enough,
    /// A state has [no room](crate::store::adaptive_packing) in those that are stored.
    FieldOverflow,
}

impl From<UnknownReason> for Halt {
    fn from(reason: UnknownReason) -> Self {
        Halt::Stop(reason)
    }
}

pub(crate) type Result<T> = std::result::Result<T, Halt>;

/// What is known of a state when it has been expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Expanded {
    /// Whether some move is enabled.
    pub(crate) moves: bool,
    /// The fairness sets of which some step is enabled, or the instances that can take part in one;
    /// only if that was asked for.
    pub(crate) enabled: u64,
    /// Whether only a [stubborn set](crate::reduction::partial_order) has been explored.
    pub(crate) reduced: bool,
}

impl Expanded {
    /// Something can happen, and all that can has been told.
    pub(crate) fn in_full(enabled: u64) -> Expanded {
        Expanded {
            moves: true,
            enabled,
            reduced: false,
        }
    }
}

/// Where a move has led.
pub(crate) enum After {
    Stable,
    /// The holder goes on in its own code.
    Code(Pc),
    /// One of these moves follows.
    Moves(Vec<u32>),
}

/// The ends of macro steps of which outcomes are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutcomeMode {
    /// Of none.
    Never,
    /// Of those where the macro step may have changed them.
    Changes,
    /// Of all.
    Always,
}

/// What [`Expanded::enabled`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EnabledMode {
    /// Nothing that counts.
    Nothing,
    /// The fairness sets of which some step is enabled.
    FairnessSets,
    /// The instances that can move.
    Instances,
}

/// The driver.
pub(crate) struct Driver<'c> {
    pub(crate) machine: Machine<'c>,
    /// What moves touch, if that is known.
    pub(crate) footprints: Option<&'c Footprints>,
    pub(crate) packing: &'c Packing,
    /// How many of the outcomes are state constraints.
    pub(crate) constraints: usize,
    /// How many outcomes there are.
    outcomes: usize,
    /// Which of them are told.
    pub(crate) outcome_mode: OutcomeMode,
    /// Which of them are told while somebody wants to know them.
    wanted_outcomes: OutcomeMode,
    /// The bits of a state that tell outcomes, where those told before are left out.
    observed: Option<Vec<u64>>,
    pub(crate) enabled_mode: EnabledMode,
    /// Whether it is told what has happened on the way.
    pub(crate) labels: bool,
    /// Whether ends of macro steps are remembered, and are nothing but states.
    pub(crate) plain: bool,
    remembers: bool,
    tuning: Tuning,
    base: Vec<i64>,
    /// The state that is expanded.
    pub(crate) from: Vec<u64>,
    /// What is asked for there.
    pub(crate) before: Vec<i64>,
    /// What the present move touches, if it runs on that alone.
    pub(crate) touched: Option<&'c Footprint>,
    /// Whether the slots that last within a macro step are zero.
    pub(crate) clean: bool,
    /// Whether the machine holds the whole state being expanded, unchanged.
    pub(crate) holds_all: bool,
    pub(crate) stored: Vec<u64>,
    moves: Vec<u32>,
    /// Chooses whose moves are explored, if not everybody's.
    pub(crate) chooser: Option<Chooser<'c>>,
    /// Gives the states that stand for others.
    pub(crate) symmetry: Option<Symmetry>,
    /// Bytes that may be used.
    memory: Option<u64>,
    /// What moves led to, if that is remembered.
    pub(crate) transition_cache: TransitionCache,
    /// Where that is for the states that are expanded next.
    pub(crate) found: Found,
    pub(crate) recording: Recording,
    /// How many ends of macro steps there were.
    pub(crate) ends: u64,
}

impl<'c> Driver<'c> {
    pub(crate) fn new(
        program: &'c Program,
        (code, footprints): (&'c Code, Option<&'c Footprints>),
        packing: &'c Packing,
        outcomes: usize,
        budget: &Budget,
    ) -> Self {
        let mut machine = Machine::new(program, code, budget);
        machine.make_room_for_lists();
        let state = code.state..code.state + code.state_len;
        machine.memory[state].copy_from_slice(&packing.base);
        Driver {
            machine,
            footprints,
            packing,
            constraints: program.state_constraint.len(),
            outcomes,
            outcome_mode: match outcomes {
                0 => OutcomeMode::Never,
                _ => OutcomeMode::Always,
            },
            wanted_outcomes: OutcomeMode::Always,
            observed: None,
            enabled_mode: EnabledMode::Nothing,
            labels: !code.happens.is_empty(),
            plain: false,
            remembers: false,
            tuning: Tuning::usual(),
            base: Vec::new(),
            from: vec![0; packing.words],
            before: Vec::new(),
            touched: None,
            clean: false,
            holds_all: false,
            stored: vec![0; packing.words],
            moves: Vec::new(),
            chooser: None,
            symmetry: None,
            memory: budget.memory,
            transition_cache: TransitionCache::default(),
            found: Found::default(),
            recording: Recording::default(),
            ends: 0,
        }
    }

    /// With these techniques only.
    pub(crate) fn with_tuning(mut self, tuning: Tuning) -> Self {
        self.tuning = tuning;
        self
    }

    /// Also finds out which fairness sets are enabled.
    pub(crate) fn with_enabledness(mut self) -> Self {
        self.enabled_mode = EnabledMode::FairnessSets;
        self
    }

    /// Leaves out the outcomes of a macro step if they are those of the state that it began in. With
    /// the bits of a state that tell outcomes, it also leaves out those that it has told before.
    pub(crate) fn with_only_changes(mut self, observed: Option<Vec<u64>>) -> Self {
        self.wanted_outcomes = OutcomeMode::Changes;
        if self.outcome_mode == OutcomeMode::Always {
            self.outcome_mode = OutcomeMode::Changes;
        }
        self.observed = observed;
        self.with_ends_as_they_are()
    }

    /// Remembers what moves led to. The ends of macro steps have no logs then.
    pub(crate) fn with_transition_cache(mut self) -> Self {
        let is_used = self.tuning.has(Technique::TransitionCache);
        if let Some(footprints) = self.footprints
            && is_used
        {
            let split_from = self.tuning.number(Technique::TransitionGroups);
            let deciding = Deciding {
                words: self.packing.words,
                observed: self.observed.clone(),
                tracks: self.tuning.has(Technique::RecordedReads),
                split_from: u32::try_from(split_from).unwrap_or(u32::MAX),
            };
            self.transition_cache = TransitionCache::new(footprints, deciding, self.memory);
            self.found = Found::new(footprints.stations.len());
            self.remembers = true;
        }
        self.with_ends_as_they_are()
    }

    /// Leaves out moves that commute with others.
    pub(crate) fn with_reduction(mut self, reduction: Option<&'c Reduction>) -> Self {
        self.chooser = reduction.map(Chooser::new);
        self
    }

    /// Gives of states that differ by exchanges of instances always the same one.
    pub(crate) fn with_symmetry(mut self, symmetry: Option<&Symmetry>) -> Self {
        self.symmetry = symmetry.cloned();
        self.with_ends_as_they_are()
    }

    /// Leaves nothing out after all.
    pub(crate) fn without_reduction(mut self) -> Self {
        self.chooser = None;
        self
    }

    /// Everything that can happen from a stable state, whatever could be left out.
    pub(crate) fn expand_fully(
        &mut self,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<Expanded> {
        let chooser = self.chooser.take();
        let expanded = self.expand(stored, sink);
        self.chooser = chooser;
        expanded
    }

    /// Says whether anybody wants to know the outcomes; without, there are none.
    pub(crate) fn set_collects_outcomes(&mut self, collects_outcomes: bool) {
        let collects = self.outcomes > 0 && (collects_outcomes || self.constraints > 0);
        self.outcome_mode = match collects {
            true => self.wanted_outcomes,
            false => OutcomeMode::Never,
        };
        self.plain = self.ends_are_plain();
    }

    fn ends_are_plain(&self) -> bool {
        let batches = self.tuning.has(Technique::BatchedLookup);
        let asks = self.outcome_mode != OutcomeMode::Never && self.observed.is_none();
        self.remembers && batches && self.symmetry.is_none() && !self.labels && !asks
    }

    /// Finds out whether ends of macro steps that are remembered are nothing but states.
    fn with_ends_as_they_are(mut self) -> Self {
        self.plain = self.ends_are_plain();
        self
    }

    /// Puts a stored state into the machine.
    pub(crate) fn load(&mut self, stored: &[u64]) {
        self.clean = false;
        self.holds_all = false;
        let machine = &mut self.machine;
        let code = machine.code;
        machine.memory[code.lasting..code.state].fill(0);
        let state = code.state..code.state + code.state_len;
        self.packing.unpack(stored, &mut machine.memory[state]);
        for stack in &mut machine.stacks {
            stack.close();
        }
        machine.list_base = 0;
        machine.through = false;
        machine.make_room_for_lists();
        machine.violations.clear();
        machine.log.clear();
    }

    /// Evaluates what is asked for in the state that is loaded. The state constraints come first.
    pub(crate) fn evaluate(&mut self) -> Result<&[i64]> {
        self.outcomes_here()
    }

    /// Whether a run may end in the state that is loaded.
    pub(crate) fn is_valid_end(&self) -> bool {
        let machine = &self.machine;
        (0..machine.code.instances.len())
            .all(|n| machine.code.instances[n].ends[machine.location(n)])
    }

    /// Where all instances are, hashed.
    pub(crate) fn locations(&self) -> u64 {
        let machine = &self.machine;
        let mut hasher = RapidHasher::default();
        for n in 0..machine.code.instances.len() {
            machine.location(n).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Everything that can happen from a stable state.
    #[inline(always)]
    pub(crate) fn expand(&mut self, stored: &[u64], sink: &mut impl Sink) -> Result<Expanded> {
        match self.footprints {
            Some(footprints) => self.expand_by_trying(footprints, stored, sink),
            None => self.expand_whole(stored, sink),
        }
    }

    /// The same on the whole state, enabledness found out first.
    #[inline(never)]
    fn expand_whole(&mut self, stored: &[u64], sink: &mut impl Sink) -> Result<Expanded> {
        self.load(stored);
        let code = self.machine.code;
        self.base.clear();
        self.base.extend_from_slice(self.machine.lasting());
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        let mut enabled = 0;
        let all = code.uniform && self.enabled_mode != EnabledMode::FairnessSets;
        if all {
            self.machine.offered(&mut moves);
        } else {
            moves = self.machine.enabled(None)?.0;
            enabled = moves
                .iter()
                .fold(0, |sets, &id| sets | code.moves[id as usize].fair);
        }
        let mut some = !all && !moves.is_empty();
        for &id in &moves {
            let mut pc = code.moves[id as usize].enumerate;
            loop {
                self.machine.through = true;
                let (exit, here) = self.machine.run(pc);
                if std::mem::take(&mut self.machine.through) {
                    // It has not come to a move.
                    if exit == Exit::Stop {
                        return Err(self.machine.stopped().into());
                    }
                    break;
                }
                some = true;
                pc = self.machine.resume;
                if exit == Exit::Stable && self.machine.is_straight() {
                    self.finish(sink)?;
                } else {
                    self.macro_step(exit, here, sink)?;
                }
                self.machine.list_base -= code.lists;
                self.machine.lasting_mut().copy_from_slice(&self.base);
                self.machine.log.go_back(0);
                // A run that was removed may have left calls open.
                for stack in &mut self.machine.stacks {
                    stack.close();
                }
            }
            // Choices that led nowhere have left their values.
            self.machine.lasting_mut().copy_from_slice(&self.base);
            self.machine.log.go_back(0);
        }
        self.moves = moves;
        Ok(Expanded {
            moves: some,
            enabled,
            reduced: false,
        })
    }

    /// All ends of a macro step that has run until something happened.
    pub(crate) fn macro_step(&mut self, exit: Exit, here: Pc, sink: &mut impl Sink) -> Result<()> {
        self.recording.on &= self.machine.tracking == Tracking::Everything;
        let (mut exit, mut here) = (exit, here);
        loop {
            if !self.machine.violations.is_empty() {
                // What goes wrong is told whenever it does.
                self.recording.on = false;
                for (violation, log) in std::mem::take(&mut self.machine.violations) {
                    if sink.violation(violation, log).is_break() {
                        return Err(Halt::Enough);
                    }
                }
            }
            let after = match exit {
                Exit::Stable => Some(After::Stable),
                Exit::Inner(instance) => {
                    *self.machine.shared(HOLDER) = number(instance);
                    let (moves, _) = self.machine.enabled(Some(instance))?;
                    Some(After::Moves(moves))
                }
                Exit::Settle(instance) => Some(self.settle(instance)?),
                Exit::Forked => None,
                // Where a branch ends that is too long is not known.
                Exit::Pruned | Exit::TooLong => {
                    self.recording.on &= exit == Exit::Pruned;
                    self.machine.inner.ends();
                    None
                }
                Exit::Repeats | Exit::Blocked => {
                    self.diverges(sink)?;
                    None
                }
                Exit::Stop => return Err(self.machine.stopped().into()),
                Exit::Yield { .. } | Exit::NoMore => {
                    unreachable!("moves are not enumerated here")
                }
            };
            match after {
                None => {}
                Some(After::Stable) => {
                    self.machine.inner.ends();
                    self.finish(sink)?;
                }
                Some(After::Code(next)) => {
                    (exit, here) = self.machine.run(next);
                    continue;
                }
                Some(After::Moves(moves)) => {
                    if let Some(next) = self.inner_moves(&moves, here, sink)? {
                        (exit, here) = self.machine.run(next);
                        continue;
                    }
                }
            }
            self.machine.another_way()?;
            if let Some(turn) = self.machine.go_back() {
                let boundary = self.machine.log.take_boundary();
                self.machine.inner.at_boundary(boundary);
                (exit, here) = self.machine.run(turn);
                continue;
            }
            if self.machine.inner.len() as u64 > self.machine.inner_limit {
                // The shortest branches have been run; what was found on them stays.
                self.recording.on = false;
                self.machine.gave_up = true;
                self.machine.inner.leave_the_rest();
            }
            let boundary = self.machine.log.take_boundary();
            self.machine.inner.at_boundary(boundary);
            let Some((next, range, log, micro)) = self.machine.inner.take() else {
                break;
            };
            self.machine.micro = micro;
            let inner = std::mem::take(&mut self.machine.inner);
            self.machine.restore(inner.snapshot(range));
            self.machine.inner = inner;
            self.machine.log.go_back(log);
            self.machine.landmark_pc = Pc::MAX;
            (exit, here) = self.machine.run(next);
        }
        if let Some(log) = self.machine.inner.without_end() {
            self.recording.on = false;
            if sink.violation(Violation::Divergence, log).is_break() {
                return Err(Halt::Enough);
            }
        }
        Ok(())
    }

    fn diverges(&mut self, sink: &mut impl Sink) -> Result<()> {
        // It has been reported; it need not be found again.
        self.recording.on = false;
        self.machine.inner.ends();
        if sink
            .violation(Violation::Divergence, self.machine.log.head())
            .is_break()
        {
            return Err(Halt::Enough);
        }
        Ok(())
    }

    /// Makes inner moves: goes on with the only way there is, or puts several aside.
    fn inner_moves(&mut self, moves: &[u32], here: Pc, sink: &mut impl Sink) -> Result<Option<Pc>> {
        self.machine.micro += 1;
        if self.machine.micro >= PATIENCE {
            match self.machine.watch_loop(here) {
                None => {}
                Some(Exit::TooLong) => {
                    self.recording.on = false;
                    self.machine.inner.ends();
                    return Ok(None);
                }
                Some(Exit::Stop) => return Err(self.machine.stopped().into()),
                Some(_) => {
                    self.diverges(sink)?;
                    return Ok(None);
                }
            }
        }
        let mut before = Vec::new();
        self.machine.save(&mut before);
        let head = self.machine.log.head();
        let mut only: Option<(Pc, Vec<i64>, u32)> = None;
        let mut several = false;
        for &id in moves {
            let mut pc = self.machine.code.moves[id as usize].enumerate;
            loop {
                match self.machine.run(pc) {
                    (Exit::Yield { resume }, next) => {
                        if let Some((pc, snapshot, log)) = only.take() {
                            self.put_aside(pc, &snapshot, log);
                            several = true;
                        }
                        let mut snapshot = Vec::new();
                        self.machine.save(&mut snapshot);
                        let log = self.machine.log.head();
                        if several {
                            self.put_aside(next, &snapshot, log);
                        } else {
                            only = Some((next, snapshot, log));
                        }
                        self.machine.restore(&before);
                        self.machine.log.go_back(head);
                        pc = resume;
                    }
                    (Exit::Stop, _) => return Err(self.machine.stopped().into()),
                    _ => break,
                }
            }
            self.machine.restore(&before);
            self.machine.log.go_back(head);
        }
        if let Some((pc, snapshot, log)) = only {
            self.machine.restore(&snapshot);
            self.machine.log.go_back(log);
            return Ok(Some(pc));
        }
        if !several {
            self.diverges(sink)?;
        }
        Ok(None)
    }

    fn put_aside(&mut self, pc: Pc, snapshot: &[i64], log: u32) {
        let micro = self.machine.micro;
        let inner = &mut self.machine.inner;
        let start = inner.pool().len();
        inner.pool().extend_from_slice(snapshot);
        inner.add(pc, start, log, micro);
    }

    /// Who goes on after a move whose last part the instance made.
    pub(crate) fn settle(&mut self, last: usize) -> Result<After> {
        let machine = &mut self.machine;
        // Nobody else is inside of a region but who has been moved there.
        machine.note_location(last);
        let count = machine.code.instances.len();
        // With a footprint, the locations of others are not at hand.
        let footprint = self.touched;
        let may_be_inside = |i: usize| footprint.is_none_or(|it| it.leaves_inside(i));
        let in_region =
            (0..count).find(|&i| may_be_inside(i) && machine.mode(i) == Some(Mode::Region));
        let inner = matches!(machine.mode(last), Some(Mode::Atomic | Mode::Region));
        let holder = if inner { Some(last) } else { in_region };
        *machine.shared(HOLDER) = holder.map_or(0, number);
        let Some(holder) = holder else {
            return Ok(After::Stable);
        };
        if machine.mode(holder) == Some(Mode::Region)
            && let Some(entry) = machine.code.instances[holder].entries[machine.location(holder)]
        {
            return Ok(After::Code(entry));
        }
        let only_its = in_region.is_none() || machine.mode(holder) == Some(Mode::Region);
        let (moves, goes_on) = if machine.code.uniform && only_its {
            let moves = machine.enabled_of(holder)?;
            let goes_on = !moves.is_empty();
            (moves, goes_on)
        } else {
            machine.enabled(Some(holder))?
        };
        Ok(if in_region.is_none() && !goes_on {
            After::Stable
        } else {
            After::Moves(moves)
        })
    }

    pub(crate) fn outcomes_here(&mut self) -> Result<&[i64]> {
        let machine = &mut self.machine;
        if machine.run(machine.code.finish).0 == Exit::Stop {
            return Err(machine.stopped().into());
        }
        let first = usize::from(machine.code.outcomes);
        Ok(&machine.memory[first..first + self.outcomes])
    }

    /// The macro step has ended.
    #[inline]
    pub(crate) fn finish(&mut self, sink: &mut impl Sink) -> Result<()> {
        if self.machine.stacks.iter().any(|stack| stack.depth > 0) {
            let reason = "procedure calls that are open between macro steps";
            return Err(UnknownReason::Unsupported(reason.to_owned()).into());
        }
        let asked = match self.touched {
            Some(footprint) => self.pack_touched(footprint)?,
            None => self.outcome_mode != OutcomeMode::Never,
        };
        let constraints = self.constraints;
        if asked && self.outcomes_here()?[..constraints].contains(&0) {
            return Ok(());
        }
        let machine = &mut self.machine;
        let taken = machine.shared(TAKEN).cast_unsigned();
        let label = u32::try_from(*machine.shared(HAPPENED)).expect("the number of a list");
        if self.touched.is_none() {
            let state = machine.code.state..machine.code.state + machine.code.state_len;
            let state = &machine.memory[state];
            if !self.packing.pack(state, &mut self.stored) {
                self.packing.outgrow(state);
                return Err(Halt::FieldOverflow);
            }
        }
        if self.recording.on {
            // Who asks for labels does not ask for fairness.
            let mark = if machine.code.happens.is_empty() {
                taken
            } else {
                u64::from(label)
            };
            self.recording.end(mark, &self.stored);
        }
        let first = usize::from(machine.code.outcomes);
        if let Some(symmetry) = &mut self.symmetry {
            symmetry.sort(&mut self.stored);
        }
        let end = End {
            stored: &self.stored,
            outcomes: if asked {
                &machine.memory[first + constraints..first + self.outcomes]
            } else if self.outcome_mode == OutcomeMode::Always {
                &self.before[constraints..]
            } else {
                &[]
            },
            taken,
            label,
            log: machine.log.head(),
        };
        self.ends += 1;
        if sink.successor(&end).is_break() {
            return Err(Halt::Enough);
        }
        Ok(())
    }
}

/// The holder's slot for an instance.
fn number(instance: usize) -> i64 {
    i64::try_from(instance + 1).expect("few instances")
}

/// The working states that the program starts in, each with its log.
pub(crate) fn initial_states(
    machine: &mut Machine<'_>,
    layout: &Layout,
) -> std::result::Result<Vec<(Vec<i64>, u32)>, UnknownReason> {
    let code = machine.code;
    machine.memory[code.lasting..code.state].fill(0);
    for (slot, leaf) in layout.leaves.iter().enumerate() {
        machine.memory[code.state + slot] = leaf.zero;
    }
    machine.begin_macro_step();
    machine.log.clear();
    let mut found: Vec<(Vec<i64>, u32)> = Vec::new();
    let mut known = std::collections::HashSet::new();
    let mut pc = code.initial;
    loop {
        // There are no loops here, and inner states leave out what never changes.
        machine.turns.forget_count();
        machine.another_way()?;
        match machine.run(pc).0 {
            Exit::Stable => {
                let state = machine.state().to_vec();
                if known.insert(state.clone()) {
                    found.push((state, machine.log.head()));
                }
            }
            Exit::Stop => return Err(machine.stopped()),
            _ => {}
        }
        if let Some(turn) = machine.go_back() {
            pc = turn;
            continue;
        }
        let Some((next, range, log, _)) = machine.inner.take() else {
            break;
        };
        let inner = std::mem::take(&mut machine.inner);
        machine.restore(inner.snapshot(range));
        machine.inner = inner;
        machine.log.go_back(log);
        pc = next;
    }
    machine.inner.clear();
    Ok(found)
}
