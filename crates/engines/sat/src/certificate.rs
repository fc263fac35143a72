//! Why nothing bad is ever reached, and the check of it.
//!
//! The check shares nothing with the engines but the circuit: each position in time gets one
//! variable a node, each And three clauses (G. Tseitin, 1968), nothing is folded or merged. Gates
//! that what is asked does not depend on are left out; as fewer clauses allow more, that cannot make
//! a proof. The solver is the caller's choice; [`audit::Recheck`] makes one that proves its answers.

use circuit::{Aig, Circuit, Lit, Node, Reset};
use model::Budget;
use solver::{Limits, Literal, MakeSolver, Outcome, Solver, Var};

/// What holds in every reachable state, and keeps what is bad away.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The circuit's graph with more gates at its end, where the clauses speak of such.
    pub graph: Option<Aig>,
    /// In every reachable state, each clause has a literal that holds. Over latches.
    pub clauses: Vec<Vec<Lit>>,
    /// Nothing bad follows on so many different good states in a row that satisfy the clauses,
    /// nor within so many steps from the beginning. With 0, the clauses alone exclude it.
    pub depth: usize,
}

/// Why an invariant was rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The graph is not the circuit's with more at its end, or a clause reads inputs.
    Malformed,
    /// This clause does not hold in each initial state.
    Initially(usize),
    /// A step leads from where all clauses hold to where this one does not.
    Step(usize),
    /// Something bad satisfies all clauses.
    Bad,
    /// The solver's proof of an answer has a line that does not follow.
    Flawed(String),
    /// The check could not be finished.
    Limit,
}

/// Positions in time, each with a variable for each node.
struct Plain<'c, S> {
    circuit: &'c Circuit,
    nodes: &'c [Node],
    solver: S,
    /// By position in time: the nodes that matter there.
    cones: Vec<Vec<bool>>,
    /// By position in time and node: its variable, if it matters.
    times: Vec<Vec<Option<Var>>>,
}

/// The nodes that matter at each position of so many steps, where `roots` are asked for at each.
fn cones(circuit: &Circuit, aig: &Aig, roots: &[Lit], steps: usize) -> Vec<Vec<bool>> {
    let roots = [roots, &circuit.state_constraints].concat();
    let mut cones = vec![aig.support(&roots)];
    for _ in 0..steps {
        let after = &cones[cones.len() - 1];
        let latches = circuit.latches.iter();
        let needed = latches.filter(|latch| after[latch.lit.node().index()]);
        let mut roots = [&*roots, &circuit.step_constraints].concat();
        roots.extend(needed.map(|latch| latch.next));
        cones.push(aig.support(&roots));
    }
    cones.reverse();
    cones
}

impl<'c, S: Solver> Plain<'c, S> {
    /// Positions of so many steps, where `roots` are asked for at each.
    fn new(circuit: &'c Circuit, aig: &'c Aig, solver: S, roots: &[Lit], steps: usize) -> Self {
        Plain {
            circuit,
            nodes: aig.nodes(),
            solver,
            cones: cones(circuit, aig, roots, steps),
            times: Vec::new(),
        }
    }

    fn literal(&self, time: usize, lit: Lit) -> Literal {
        let var = self.times[time][lit.node().index()].expect("what is asked for has a variable");
        var.literal(!lit.is_inverted())
    }

    /// One more position; it is a state.
    fn position(&mut self) {
        let time = self.times.len();
        let cone = self.cones[time].iter();
        let vars = cone.map(|&needed| needed.then(|| self.solver.new_var()));
        self.times.push(vars.collect());
        for (index, node) in self.nodes.iter().enumerate() {
            let Some(output) = self.times[time][index] else {
                continue;
            };
            let output = output.literal(true);
            match *node {
                Node::False => self.solver.add_clause(&[!output]),
                Node::And(a, b) => {
                    let (a, b) = (self.literal(time, a), self.literal(time, b));
                    self.solver.add_clause(&[!output, a]);
                    self.solver.add_clause(&[!output, b]);
                    self.solver.add_clause(&[output, !a, !b]);
                }
                Node::Input(_) | Node::Latch(_) => {}
            }
        }
        for &lit in &self.circuit.state_constraints {
            self.solver.add_clause(&[self.literal(time, lit)]);
        }
    }

    /// The first position is an initial state.
    fn initially(&mut self) {
        for latch in &self.circuit.latches {
            if !self.cones[0][latch.lit.node().index()] {
                continue;
            }
            let literal = self.literal(0, latch.lit);
            match latch.reset {
                Reset::Zero => self.solver.add_clause(&[!literal]),
                Reset::One => self.solver.add_clause(&[literal]),
                Reset::Free => {}
            }
        }
        for &lit in &self.circuit.initial {
            self.solver.add_clause(&[self.literal(0, lit)]);
        }
    }

    /// One more position, a step after the last.
    fn step(&mut self) {
        self.position();
        let after = self.times.len() - 1;
        for &lit in &self.circuit.step_constraints {
            self.solver.add_clause(&[self.literal(after - 1, lit)]);
        }
        for latch in &self.circuit.latches {
            if !self.cones[after][latch.lit.node().index()] {
                continue;
            }
            let now = self.literal(after, latch.lit);
            let next = self.literal(after - 1, latch.next);
            self.solver.add_clause(&[!now, next]);
            self.solver.add_clause(&[now, !next]);
        }
    }

    fn require(&mut self, time: usize, clause: &[Lit]) {
        let clause: Vec<_> = clause.iter().map(|&l| self.literal(time, l)).collect();
        self.solver.add_clause(&clause);
    }

    /// Two positions are different states.
    fn differ(&mut self, a: usize, b: usize) {
        let mut some = Vec::new();
        for latch in &self.circuit.latches {
            let (p, q) = (self.literal(a, latch.lit), self.literal(b, latch.lit));
            let differs = self.solver.new_var().literal(true);
            self.solver.add_clause(&[!differs, p, q]);
            self.solver.add_clause(&[!differs, !p, !q]);
            some.push(differs);
        }
        self.solver.add_clause(&some);
    }

    fn impossible(&mut self, all: &[Literal], limits: &Limits<'_>) -> Result<bool, Rejection> {
        match self.solver.solve(all, None, limits) {
            Outcome::Satisfiable => Ok(false),
            Outcome::Unsatisfiable => Ok(true),
            Outcome::Unknown => Err(match self.solver.flaw() {
                Some(flaw) => Rejection::Flawed(flaw),
                None => Rejection::Limit,
            }),
        }
    }
}

/// Checks that an invariant keeps `bad` from being reached: it holds initially, each step keeps
/// it, and with it nothing is bad.
///
/// # Errors
/// If it does not, or if the budget does not suffice to see it.
pub fn check_invariant<M: MakeSolver>(
    circuit: &Circuit,
    bad: Lit,
    invariant: &Invariant,
    make: &M,
    budget: &Budget,
) -> Result<(), Rejection> {
    let limits = Limits::new(budget);
    let aig = well_formed(circuit, invariant)?;
    let spoken = invariant.clauses.concat();
    let depth = invariant.depth;
    let roots = [&*spoken, &circuit.initial, &[bad]].concat();
    let mut start = Plain::new(circuit, aig, make.make(), &roots, depth.saturating_sub(1));
    hold_initially(&mut start, &invariant.clauses, &limits)?;
    let step = Plain::new(circuit, aig, make.make(), &spoken, 1);
    hold_after_step(step, invariant, invariant.clauses.len(), &limits)?;

    for time in 0..depth {
        if time > 0 {
            start.step();
        }
        let bad = start.literal(time, bad);
        if !start.impossible(&[bad], &limits)? {
            return Err(Rejection::Bad);
        }
    }
    let mut roots = [&*spoken, &[bad]].concat();
    if depth > 0 {
        // States are compared.
        roots.extend(circuit.latches.iter().map(|latch| latch.lit));
    }
    let mut end = Plain::new(circuit, aig, make.make(), &roots, depth);
    end.position();
    for time in 0..=depth {
        if time > 0 {
            end.require(time - 1, &[!bad]);
            end.step();
            for before in 0..time {
                end.differ(before, time);
            }
        }
        for clause in &invariant.clauses {
            end.require(time, clause);
        }
    }
    let bad = end.literal(depth, bad);
    if end.impossible(&[bad], &limits)? {
        Ok(())
    } else {
        Err(Rejection::Bad)
    }
}

/// Checks that the first clauses of an invariant hold initially, and that each step from where all of
/// its clauses hold keeps them.
///
/// # Errors
/// If it does not, or if the budget does not suffice to see it.
pub(crate) fn check_first_clauses<M: MakeSolver>(
    circuit: &Circuit,
    invariant: &Invariant,
    count: usize,
    make: &M,
    budget: &Budget,
) -> Result<(), Rejection> {
    let limits = Limits::new(budget);
    let aig = well_formed(circuit, invariant)?;
    let first = &invariant.clauses[..count];
    if first.is_empty() {
        return Ok(());
    }
    let roots = [&*first.concat(), &circuit.initial].concat();
    let mut start = Plain::new(circuit, aig, make.make(), &roots, 0);
    hold_initially(&mut start, first, &limits)?;
    let step = Plain::new(circuit, aig, make.make(), &invariant.clauses.concat(), 1);
    hold_after_step(step, invariant, count, &limits)
}

/// The graph that an invariant speaks of, if it speaks of latches of the circuit only.
fn well_formed<'i>(circuit: &'i Circuit, invariant: &'i Invariant) -> Result<&'i Aig, Rejection> {
    let aig = invariant.graph.as_ref().unwrap_or(&circuit.aig);
    let own = circuit.aig.nodes();
    if aig.nodes().get(..own.len()) != Some(own) {
        return Err(Rejection::Malformed);
    }
    let spoken: Vec<Lit> = invariant.clauses.concat();
    let out_of_range = |lit: &Lit| lit.node().index() >= aig.nodes().len();
    if spoken.iter().any(out_of_range) {
        return Err(Rejection::Malformed);
    }
    let support = aig.support(&spoken);
    let mut nodes = aig.nodes().iter().zip(support);
    if nodes.any(|(node, needed)| needed && matches!(node, Node::Input(_))) {
        return Err(Rejection::Malformed);
    }
    Ok(aig)
}

/// Each clause holds at the first position, which is an initial state then.
fn hold_initially<S: Solver>(
    start: &mut Plain<'_, S>,
    clauses: &[Vec<Lit>],
    limits: &Limits<'_>,
) -> Result<(), Rejection> {
    start.position();
    start.initially();
    for (number, clause) in clauses.iter().enumerate() {
        let broken: Vec<_> = clause.iter().map(|&l| !start.literal(0, l)).collect();
        if !start.impossible(&broken, limits)? {
            return Err(Rejection::Initially(number));
        }
    }
    Ok(())
}

/// A step from where all clauses hold leads to where the first `count` of them do.
fn hold_after_step<S: Solver>(
    mut step: Plain<'_, S>,
    invariant: &Invariant,
    count: usize,
    limits: &Limits<'_>,
) -> Result<(), Rejection> {
    step.position();
    for clause in &invariant.clauses {
        step.require(0, clause);
    }
    step.step();
    for (number, clause) in invariant.clauses[..count].iter().enumerate() {
        let broken: Vec<_> = clause.iter().map(|&l| !step.literal(1, l)).collect();
        if !step.impossible(&broken, limits)? {
            return Err(Rejection::Step(number));
        }
    }
    Ok(())
}

/// Clauses that may be tried one by one without anybody waiting: so many, times themselves, times
/// the gates.
const TRIMMING: usize = 3_000_000;

/// Leaves clauses out of a small invariant as long as it stays one: for people, who read it.
pub(crate) fn trim<M: MakeSolver>(
    circuit: &Circuit,
    bad: Lit,
    invariant: &mut Invariant,
    make: &M,
    budget: &Budget,
) {
    let count = invariant.clauses.len();
    if count < 2 || count * count * circuit.aig.nodes().len() > TRIMMING {
        return;
    }
    for at in (0..count).rev() {
        let mut less = invariant.clone();
        less.clauses.remove(at);
        if check_invariant(circuit, bad, &less, make, budget).is_ok() {
            *invariant = less;
        }
    }
}
