//! The frames: what is known of the states that so many steps can reach, and questions about it.
//!
//! A cube is kept at the highest level at which it is known to be unreachable, and its clause
//! is in the solver of each frame up to that one. A solver that has been given many clauses which
//! stronger ones replaced is made anew.

use model::UnknownReason;

use crate::cnf::{Encoder, Polarity, Recorded};
use crate::system::System;
use solver::{Clauses, Limits, Literal, MakeSolver, Outcome, Solver, Var};

use super::cube::{Cube, SignalValue};

/// Whether a step leads into a cube.
pub(super) enum Relative {
    /// None does; these literals suffice, and no initial state is among them.
    Inductive(Vec<SignalValue>),
    /// One from this state does, with these inputs.
    Predecessor { state: Vec<bool>, inputs: Vec<bool> },
    /// It took more conflicts than it is worth.
    TooHard,
}

/// The latches and the inputs.
type Assignment = (Vec<bool>, Vec<bool>);

struct Frame<S> {
    solver: S,
    /// Cubes that are blocked here but not known to be in the frame after.
    cubes: Vec<Cube>,
    /// How many clauses its solver was given.
    given: usize,
}

pub(super) struct Frames<'s, M: MakeSolver> {
    system: &'s System,
    make: M,
    limits: Limits<'s>,
    template: Recorded,
    /// Assumed where a step is taken, if steps are restricted.
    stepping: Option<Literal>,
    /// Per signal.
    now: Vec<Literal>,
    next: Vec<Literal>,
    inputs: Vec<Option<Literal>>,
    bad: Vec<Literal>,
    initial: Vec<Literal>,
    gates: Vec<Vec<Var>>,
    /// Variables of which every question has to decide: what holds in all states, and the signals of
    /// which clauses speak. A latch that is none of them, and that a question does not depend on, may
    /// have either value.
    base: Vec<Var>,
    base_mark: Vec<bool>,
    step_roots: Vec<Var>,
    mark: Vec<u32>,
    round: u32,
    domain: Vec<Var>,
    frames: Vec<Frame<M::Solver>>,
    pub(super) questions: u64,
}

impl<'s, M: MakeSolver> Frames<'s, M> {
    pub(super) fn new(system: &'s System, make: M, limits: Limits<'s>) -> Self {
        let aig = &system.circuit.aig;
        let mut template = Recorded::default();
        let mut encoder = Encoder::complete(aig, &system.roots());
        let mut facts = Vec::new();
        let mut both = |lit| encoder.literal(aig, lit, Polarity::BOTH, &mut template);
        let now: Vec<_> = system.signals.iter().map(|s| both(s.now)).collect();
        let next: Vec<_> = system.signals.iter().map(|s| both(s.next)).collect();
        let bad: Vec<_> = system.bad.iter().map(|&l| both(l)).collect();
        let initial: Vec<_> = system.initial.iter().map(|&l| both(l)).collect();
        let state: Vec<_> = system.state.iter().map(|&l| both(l)).collect();
        let step: Vec<_> = system.step.iter().map(|&l| both(l)).collect();
        for (fact, _) in &system.facts {
            let clause: Vec<_> = fact.iter().map(|&l| both(l)).collect();
            facts.push(clause);
        }
        let inputs = system.circuit.inputs.iter();
        let inputs = inputs.map(|input| encoder.get(input.lit)).collect();
        for &literal in &state {
            template.add_clause(&[literal]);
        }
        for fact in &facts {
            template.add_clause(fact);
        }
        let stepping = (!step.is_empty()).then(|| {
            let stepping = template.new_var().literal(true);
            for &literal in &step {
                template.add_clause(&[!stepping, literal]);
            }
            stepping
        });
        let gates = encoder.inputs(aig, template.vars);
        let mut frames = Frames {
            system,
            make,
            limits,
            stepping,
            now,
            next,
            inputs,
            bad,
            initial,
            gates,
            base: Vec::new(),
            base_mark: vec![false; template.vars as usize],
            step_roots: step.iter().map(|l| l.var()).collect(),
            mark: vec![0; template.vars as usize],
            round: 0,
            domain: Vec::new(),
            frames: Vec::new(),
            questions: 0,
            template,
        };
        let mut base: Vec<Var> = state.iter().map(|l| l.var()).collect();
        base.extend(frames.initial.iter().map(|l| l.var()));
        base.extend(facts.iter().flatten().map(|l| l.var()));
        frames.extend_base(base);
        let solver = frames.solver(0);
        frames.frames.push(Frame {
            solver,
            cubes: Vec::new(),
            given: 0,
        });
        frames
    }

    fn extend_base(&mut self, roots: Vec<Var>) {
        let mut next = self.base.len();
        for var in roots {
            if !std::mem::replace(&mut self.base_mark[var.index()], true) {
                self.base.push(var);
            }
        }
        while next < self.base.len() {
            for &var in &self.gates[self.base[next].index()] {
                if !std::mem::replace(&mut self.base_mark[var.index()], true) {
                    self.base.push(var);
                }
            }
            next += 1;
        }
    }

    /// A solver for a frame, with all that is known.
    fn solver(&self, level: usize) -> M::Solver {
        let mut solver = self.make.make();
        self.template.replay(&mut solver);
        if level == 0 {
            for (signal, &now) in self.system.signals.iter().zip(&self.now) {
                if let Some(value) = signal.reset {
                    solver.add_clause(&[now.negated_if(!value)]);
                }
            }
            for &literal in &self.initial {
                solver.add_clause(&[literal]);
            }
        } else {
            for frame in self.frames.iter().skip(level) {
                for cube in &frame.cubes {
                    solver.add_clause(&self.clause(cube));
                }
            }
        }
        solver
    }

    fn clause(&self, cube: &Cube) -> Vec<Literal> {
        let literals = cube.literals.iter();
        literals
            .map(|l| self.now[l.signal()].negated_if(l.value()))
            .collect()
    }

    /// The number of the last frame.
    pub(super) fn top(&self) -> usize {
        self.frames.len() - 1
    }

    pub(super) fn cube_count(&self) -> usize {
        self.frames.iter().map(|frame| frame.cubes.len()).sum()
    }

    pub(super) fn memory(&self) -> u64 {
        let solvers: u64 = self.frames.iter().map(|f| f.solver.memory()).sum();
        solvers + self.template.clauses.len() as u64 * 40
    }

    /// One more frame, of which nothing is known.
    pub(super) fn grow(&mut self) {
        let level = self.frames.len();
        let solver = self.solver(level);
        self.frames.push(Frame {
            solver,
            cubes: Vec::new(),
            given: 0,
        });
    }

    /// The cubes whose highest level this is.
    pub(super) fn at(&self, level: usize) -> Vec<Cube> {
        let mut cubes = self.frames[level].cubes.clone();
        cubes.sort_by_key(|cube| cube.literals.len());
        cubes
    }

    pub(super) fn has(&self, level: usize, cube: &Cube) -> bool {
        self.frames[level].cubes.iter().any(|own| own.same(cube))
    }

    pub(super) fn is_empty(&self, level: usize) -> bool {
        self.frames[level].cubes.is_empty()
    }

    /// The cubes of all higher levels.
    pub(super) fn above(&self, level: usize) -> Vec<Cube> {
        let above = self.frames[level + 1..].iter();
        above.flat_map(|frame| frame.cubes.clone()).collect()
    }

    /// Whether a clause excludes the cube, seen without asking.
    pub(super) fn is_blocked(&self, cube: &Cube, level: usize) -> bool {
        self.frames[level..]
            .iter()
            .any(|frame| frame.cubes.iter().any(|known| known.includes(cube)))
    }

    /// Blocks a cube up to a level.
    pub(super) fn add(&mut self, level: usize, cube: Cube) {
        for frame in &mut self.frames[1..=level] {
            frame.cubes.retain(|known| !cube.includes(known));
        }
        let clause = self.clause(&cube);
        let signals = cube.literals.iter();
        self.extend_base(signals.map(|l| self.now[l.signal()].var()).collect());
        for frame in &mut self.frames[1..=level] {
            frame.solver.add_clause(&clause);
            frame.given += 1;
        }
        self.frames[level].cubes.push(cube);
        let mut live = 0;
        for level in (1..self.frames.len()).rev() {
            live += self.frames[level].cubes.len();
            if self.frames[level].given > 3 * live + 300 + self.template.clauses.len() / 8 {
                self.frames[level].solver = self.solver(level);
                self.frames[level].given = live;
            }
        }
    }

    /// Decide on the cone of these, and on what must always be decided.
    fn restrict(&mut self, level: usize, roots: impl Iterator<Item = Var>) {
        self.round += 1;
        let round = self.round;
        self.domain.clear();
        for var in roots {
            if !self.base_mark[var.index()]
                && std::mem::replace(&mut self.mark[var.index()], round) != round
            {
                self.domain.push(var);
            }
        }
        let mut next = 0;
        while next < self.domain.len() {
            for &var in &self.gates[self.domain[next].index()] {
                if !self.base_mark[var.index()]
                    && std::mem::replace(&mut self.mark[var.index()], round) != round
                {
                    self.domain.push(var);
                }
            }
            next += 1;
        }
        self.domain.extend_from_slice(&self.base);
        self.frames[level].solver.restrict(Some(&self.domain));
    }

    fn gave_up(&self) -> UnknownReason {
        let reason = self.limits.exhausted(self.memory());
        reason.unwrap_or(UnknownReason::Interrupted)
    }

    /// The state and the inputs of the assignment just found.
    fn model(&self, level: usize) -> Assignment {
        let solver = &self.frames[level].solver;
        let latches = self.system.circuit.latches.len();
        let state = self.now[..latches].iter();
        let state = state.map(|&l| solver.value(l) == Some(true)).collect();
        let inputs = self.inputs.iter();
        let inputs = inputs
            .map(|l| l.is_some_and(|l| solver.value(l) == Some(true)))
            .collect();
        (state, inputs)
    }

    /// A bad state in the last frame.
    pub(super) fn bad_state(&mut self) -> Result<Option<Assignment>, UnknownReason> {
        let level = self.top();
        self.check_limits()?;
        let roots: Vec<Var> = self.bad.iter().map(|l| l.var()).collect();
        self.restrict(level, roots.into_iter());
        self.questions += 1;
        let solver = &mut self.frames[level].solver;
        match solver.solve(&self.bad, None, &self.limits) {
            Outcome::Satisfiable => Ok(Some(self.model(level))),
            Outcome::Unsatisfiable => Ok(None),
            Outcome::Unknown => Err(self.gave_up()),
        }
    }

    fn check_limits(&mut self) -> Result<(), UnknownReason> {
        let memory = if self.questions.is_multiple_of(256) {
            self.memory()
        } else {
            0
        };
        self.limits.exhausted(memory).map_or(Ok(()), Err)
    }

    /// Whether a step leads from the frame before `level` into the cube. With `outside`, only
    /// steps from outside of the cube count. The cube must have no initial state. Its literals
    /// are assumed in the order given: earlier ones are more likely to stay. What
    /// need not be answered is given up after so many conflicts.
    pub(super) fn relative(
        &mut self,
        level: usize,
        cube: &[SignalValue],
        outside: bool,
        conflicts: u64,
    ) -> Result<Relative, UnknownReason> {
        self.check_limits()?;
        if cube.is_empty() {
            // All states, and yet no initial one: there is nothing to reach.
            return Ok(Relative::Inductive(Vec::new()));
        }
        let before = level - 1;
        let after = |l: &SignalValue| self.next[l.signal()].negated_if(!l.value());
        let mut assumptions: Vec<Literal> = self.stepping.into_iter().collect();
        assumptions.extend(cube.iter().map(after));
        // No initial state is in the cube anyway.
        let not_cube: Option<Vec<Literal>> = (outside && before > 0).then(|| {
            let literals = cube.iter();
            literals
                .map(|l| self.now[l.signal()].negated_if(l.value()))
                .collect()
        });
        let mut roots: Vec<Var> = assumptions.iter().map(|l| l.var()).collect();
        roots.extend(&self.step_roots);
        roots.extend(not_cube.iter().flatten().map(|l| l.var()));
        self.restrict(before, roots.into_iter());
        self.questions += 1;
        let solver = &mut self.frames[before].solver;
        let limits = self.limits.conflicts(conflicts);
        match solver.solve(&assumptions, not_cube.as_deref(), &limits) {
            Outcome::Unknown => match self.limits.exhausted(self.memory()) {
                None if conflicts < u64::MAX => Ok(Relative::TooHard),
                reason => Err(reason.unwrap_or(UnknownReason::Interrupted)),
            },
            Outcome::Satisfiable => {
                let (state, inputs) = self.model(before);
                Ok(Relative::Predecessor { state, inputs })
            }
            Outcome::Unsatisfiable => {
                let solver = &self.frames[before].solver;
                let used =
                    |l: &SignalValue| solver.in_core(self.next[l.signal()].negated_if(!l.value()));
                let core = cube.iter().copied().filter(used).collect();
                self.without_initial(core, cube).map(Relative::Inductive)
            }
        }
    }

    /// Adds literals of `cube`, which has no initial state, until `core` has none.
    fn without_initial(
        &mut self,
        mut core: Vec<SignalValue>,
        cube: &[SignalValue],
    ) -> Result<Vec<SignalValue>, UnknownReason> {
        if self.differs_from_reset(&core).is_some() {
            return Ok(core);
        }
        if let Some(literal) = self.differs_from_reset(cube) {
            core.push(literal);
            return Ok(core);
        }
        if !self.meets_initial(&core)? {
            return Ok(core);
        }
        // It takes some literals that were not used for the step.
        let met = self.meets_initial(cube)?;
        debug_assert!(!met, "the cube has no initial state");
        for literal in cube {
            let now = self.now[literal.signal()].negated_if(!literal.value());
            if self.frames[0].solver.in_core(now) && !core.contains(literal) {
                core.push(*literal);
            }
        }
        Ok(core)
    }

    /// A literal that no initial state has, because of a latch's reset.
    fn differs_from_reset(&self, cube: &[SignalValue]) -> Option<SignalValue> {
        let differs = |l: &&SignalValue| self.system.signals[l.signal()].reset == Some(!l.value());
        cube.iter().find(differs).copied()
    }

    fn meets_initial(&mut self, cube: &[SignalValue]) -> Result<bool, UnknownReason> {
        let latches = self.system.circuit.latches.len();
        if self.initial.is_empty() && cube.iter().all(|l| l.signal() < latches) {
            return Ok(true);
        }
        let now = |l: &SignalValue| self.now[l.signal()].negated_if(!l.value());
        let assumptions: Vec<Literal> = cube.iter().map(now).collect();
        let roots: Vec<Var> = assumptions.iter().map(|l| l.var()).collect();
        self.restrict(0, roots.into_iter());
        self.questions += 1;
        match self.frames[0]
            .solver
            .solve(&assumptions, None, &self.limits)
        {
            Outcome::Satisfiable => Ok(true),
            Outcome::Unsatisfiable => Ok(false),
            Outcome::Unknown => Err(self.gave_up()),
        }
    }

    /// Whether an initial state is in the cube.
    pub(super) fn intersects_initial(&mut self, cube: &Cube) -> Result<bool, UnknownReason> {
        if self.differs_from_reset(&cube.literals).is_some() {
            return Ok(false);
        }
        self.meets_initial(&cube.literals)
    }

    /// An initial state in a cube that has one.
    pub(super) fn initial_state(&mut self, cube: &Cube) -> Result<Vec<bool>, UnknownReason> {
        let now = |l: &SignalValue| self.now[l.signal()].negated_if(!l.value());
        let assumptions: Vec<Literal> = cube.literals.iter().map(now).collect();
        self.frames[0].solver.restrict(None);
        match self.frames[0]
            .solver
            .solve(&assumptions, None, &self.limits)
        {
            Outcome::Satisfiable => Ok(self.model(0).0),
            Outcome::Unsatisfiable | Outcome::Unknown => Err(self.gave_up()),
        }
    }
}
