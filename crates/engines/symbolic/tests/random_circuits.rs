//! The engine against a slow and obvious twin, on random circuits: all states one by one, fair
//! components by definition.

use std::sync::Arc;

use circuit::{Circuit, Lit, Reset, Run};
use logic::lasso::holds_on_lasso;
use logic::{Buchi, BuchiState, Ctl, Cube, Edge, Ltl, Quantifier, translate};
use model::{Budget, Distance, Silent};
use symbolic::{Answer, Options, Query, Technique, Tuning, Verdict, check};

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    fn one_in(&mut self, limit: usize) -> bool {
        self.below(limit) == 0
    }

    fn lit(&mut self, pool: &[Lit]) -> Lit {
        pool[self.below(pool.len())].invert_if(self.one_in(2))
    }

    /// A literal that is some gates away from the leaves.
    fn gate(&mut self, circuit: &mut Circuit, leaves: &[Lit]) -> Lit {
        let mut pool = leaves.to_vec();
        for _ in 0..1 + self.below(4) {
            let (a, b, c) = (self.lit(&pool), self.lit(&pool), self.lit(&pool));
            pool.push(match self.below(3) {
                0 => circuit.aig.and(a, b),
                1 => circuit.aig.xor(a, b),
                _ => circuit.aig.mux(c, a, b),
            });
        }
        pool[pool.len() - 1]
    }

    fn formula(&mut self, depth: usize, atoms: &[Lit]) -> Ctl<Lit> {
        if depth == 0 {
            return Ctl::Atom(self.lit(atoms));
        }
        let over = if self.one_in(2) {
            Quantifier::All
        } else {
            Quantifier::Some
        };
        let p = Arc::new(self.formula(depth - 1, atoms));
        let below = self.below(depth);
        let q = Arc::new(self.formula(below, atoms));
        match self.below(11) {
            0 => Ctl::Not(p),
            1 => Ctl::And([(*p).clone(), (*q).clone()].into()),
            2 => Ctl::Or([(*p).clone(), (*q).clone()].into()),
            3 => Ctl::Implies(q, p),
            4 => Ctl::Iff(p, q),
            5 => Ctl::Next(over, p),
            6 => Ctl::Eventually(over, p),
            7 => Ctl::Always(over, p),
            8 | 9 => Ctl::Until(over, p, q),
            _ => {
                let lo = self.below(3) as u32;
                Ctl::Within(over, lo, lo + self.below(4) as u32, p, q)
            }
        }
    }

    fn linear_formula(&mut self, depth: usize, atoms: &[Lit]) -> Ltl<Lit> {
        if depth == 0 {
            return Ltl::Atom(self.lit(atoms));
        }
        let p = self.linear_formula(depth - 1, atoms);
        let below = self.below(depth);
        let q = self.linear_formula(below, atoms);
        match self.below(9) {
            0 => Ltl::not(p),
            1 => Ltl::and(p, q),
            2 => Ltl::or(p, q),
            3 => Ltl::implies(q, p),
            4 => Ltl::next(p),
            5 => Ltl::eventually(p),
            6 | 7 => Ltl::always(p),
            _ => Ltl::until(p, q),
        }
    }

    fn automaton(&mut self, atoms: &[Lit]) -> Buchi<Lit> {
        let states = 1 + self.below(3);
        let atoms: Vec<Lit> = (0..2).map(|_| self.lit(atoms)).collect();
        let edges = (0..states)
            .map(|_| {
                let count = 1 + self.below(3);
                let edges = (0..count).map(|_| {
                    let mut label = Cube::TRUE;
                    for atom in 0..2 {
                        if self.one_in(2) {
                            label = label.and(Cube::literal(atom, self.one_in(2)));
                        }
                    }
                    Edge {
                        label,
                        target: BuchiState(self.below(states) as u32),
                        accepting: self.one_in(3),
                    }
                });
                edges.collect()
            })
            .collect();
        Buchi {
            atoms,
            initial: BuchiState(0),
            edges,
        }
    }

    fn circuit(&mut self) -> Circuit {
        let mut circuit = Circuit::default();
        let inputs: Vec<Lit> = (0..1 + self.below(3))
            .map(|i| circuit.input(format!("i{i}")))
            .collect();
        let latches: Vec<Lit> = (0..2 + self.below(4))
            .map(|l| {
                let reset = [Reset::Zero, Reset::One, Reset::Free][self.below(3)];
                circuit.latch(format!("l{l}"), reset)
            })
            .collect();
        let both = [inputs.clone(), latches.clone()].concat();
        for &latch in &latches {
            let next = if self.one_in(4) {
                inputs[self.below(inputs.len())]
            } else {
                self.gate(&mut circuit, &both)
            };
            circuit.set_next(latch, next);
        }
        if self.one_in(3) {
            let lit = self.gate(&mut circuit, &latches);
            circuit.state_constraints.push(lit);
        }
        if self.one_in(2) {
            let lit = self.gate(&mut circuit, &both);
            circuit.step_constraints.push(lit);
        }
        if self.one_in(3) {
            let lit = self.gate(&mut circuit, &latches);
            circuit.initial.push(lit);
        }
        for _ in 0..self.below(3) {
            let lit = self.gate(&mut circuit, &both);
            circuit.justice.push(lit);
        }
        if self.one_in(3) {
            let pair = (
                self.gate(&mut circuit, &both),
                self.gate(&mut circuit, &both),
            );
            circuit.compassion.push(pair);
        }
        circuit
    }
}

/// A graph whose edges carry the literals' values that fairness speaks of.
struct Graph {
    initial: Vec<usize>,
    /// From, to, and what holds of the step.
    edges: Vec<(usize, usize, Vec<bool>)>,
    size: usize,
}

type Pairs = Vec<(usize, usize)>;

impl Graph {
    fn successors(&self, of: usize, through: &[bool]) -> Vec<usize> {
        let edges = self.edges.iter();
        let to = edges.filter(|(a, b, _)| *a == of && through[*b]);
        to.map(|(_, b, _)| *b).collect()
    }

    /// What is reached from a vertex by one step or more, inside a set.
    fn reached(&self, from: usize, within: &[bool]) -> Vec<bool> {
        let mut seen = vec![false; self.size];
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for to in self.successors(at, within) {
                if !std::mem::replace(&mut seen[to], true) {
                    open.push(to);
                }
            }
        }
        seen
    }

    /// Vertices in components, inside a set, with a fair cycle through all of the component.
    fn recurrent(&self, within: &[bool], justice: &[usize], pairs: &Pairs) -> Vec<bool> {
        let mut result = vec![false; self.size];
        let reach: Vec<Vec<bool>> = (0..self.size)
            .map(|v| {
                if within[v] {
                    self.reached(v, within)
                } else {
                    vec![false; self.size]
                }
            })
            .collect();
        for v in (0..self.size).filter(|&v| within[v] && reach[v][v]) {
            let component: Vec<bool> = (0..self.size).map(|w| reach[v][w] && reach[w][v]).collect();
            let inner: Vec<&(usize, usize, Vec<bool>)> = self
                .edges
                .iter()
                .filter(|(a, b, _)| component[*a] && component[*b])
                .collect();
            let has = |mark: usize| inner.iter().any(|edge| edge.2[mark]);
            if !justice.iter().all(|&mark| has(mark)) {
                continue;
            }
            if let Some(&(p, _)) = pairs.iter().find(|&&(p, q)| has(p) && !has(q)) {
                // Only cycles without steps of the first are left.
                let smaller = Graph {
                    initial: Vec::new(),
                    edges: inner
                        .iter()
                        .filter(|e| !e.2[p])
                        .map(|e| (*e).clone())
                        .collect(),
                    size: self.size,
                };
                let more = smaller.recurrent(&component, justice, pairs);
                for w in 0..self.size {
                    result[w] |= more[w];
                }
            } else {
                result[v] = true;
            }
        }
        result
    }

    fn for_ever(&self, within: &[bool], justice: &[usize], pairs: &Pairs) -> Vec<bool> {
        let recurrent = self.recurrent(within, justice, pairs);
        self.until(within, &recurrent)
    }

    fn until(&self, through: &[bool], to: &[bool]) -> Vec<bool> {
        let mut set = to.to_vec();
        loop {
            let mut grown = false;
            for (a, b, _) in &self.edges {
                if set[*b] && through[*a] && !set[*a] {
                    set[*a] = true;
                    grown = true;
                }
            }
            if !grown {
                return set;
            }
        }
    }
}

struct Twin<'c> {
    circuit: &'c Circuit,
    graph: Graph,
    justice: Vec<usize>,
    states: Vec<Vec<bool>>,
    valid: Vec<bool>,
}

fn bits(number: usize, count: usize) -> Vec<bool> {
    (0..count).map(|bit| number >> bit & 1 == 1).collect()
}

fn number(bits: &[bool]) -> usize {
    bits.iter()
        .rev()
        .fold(0, |n, &bit| n * 2 + usize::from(bit))
}

impl<'c> Twin<'c> {
    fn new(circuit: &'c Circuit) -> Twin<'c> {
        let count = circuit.latches.len();
        let size = 1 << count;
        let states: Vec<Vec<bool>> = (0..size).map(|s| bits(s, count)).collect();
        let valid: Vec<bool> = states
            .iter()
            .map(|s| circuit.evaluate(s, &[]).is_state())
            .collect();
        let mut graph = Graph {
            initial: Vec::new(),
            edges: Vec::new(),
            size,
        };
        for (s, state) in states.iter().enumerate().filter(|(s, _)| valid[*s]) {
            if circuit.evaluate(state, &[]).is_initial() {
                graph.initial.push(s);
            }
            for i in 0..1 << circuit.inputs.len() {
                let values = circuit.evaluate(state, &bits(i, circuit.inputs.len()));
                let to = number(&values.next_state());
                if values.is_step() && valid[to] {
                    let pairs = circuit.compassion.iter().flat_map(|&(p, q)| [p, q]);
                    let marks = circuit.justice.iter().copied().chain(pairs);
                    let marks = marks.map(|lit| values.holds(lit)).collect();
                    graph.edges.push((s, to, marks));
                }
            }
        }
        Twin {
            circuit,
            graph,
            justice: (0..circuit.justice.len()).collect(),
            states,
            valid,
        }
    }

    fn pairs(&self) -> Pairs {
        let first = self.circuit.justice.len();
        (0..self.circuit.compassion.len())
            .map(|pair| (first + 2 * pair, first + 2 * pair + 1))
            .collect()
    }

    fn reachable(&self) -> Vec<bool> {
        let mut all = vec![false; self.graph.size];
        for &s in &self.graph.initial {
            all[s] = true;
            for (v, reached) in self.graph.reached(s, &self.valid).into_iter().enumerate() {
                all[v] |= reached;
            }
        }
        all
    }

    fn fair(&self) -> Vec<bool> {
        self.graph.for_ever(&self.valid, &self.justice, &Vec::new())
    }

    fn satisfying(&self, formula: &Ctl<Lit>, fair: &[bool]) -> Vec<bool> {
        let of = |p: &Ctl<Lit>| self.satisfying(p, fair);
        let not = |set: Vec<bool>| set.into_iter().map(|b| !b).collect::<Vec<bool>>();
        let and =
            |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect::<Vec<_>>();
        let or =
            |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a || *b).collect::<Vec<_>>();
        let next = |set: &[bool]| {
            let target = and(set, fair);
            let successors = |s| self.graph.successors(s, &target);
            (0..self.graph.size)
                .map(|s| !successors(s).is_empty())
                .collect::<Vec<_>>()
        };
        let stay = |set: &[bool]| self.graph.for_ever(set, &self.justice, &Vec::new());
        let until = |p: &[bool], q: &[bool]| self.graph.until(p, &and(q, fair));
        let all = vec![true; self.graph.size];
        match formula {
            Ctl::True => all,
            Ctl::False => not(all),
            Ctl::Atom(lit) => {
                let holds = |s: &Vec<bool>| self.circuit.evaluate(s, &[]).holds(*lit);
                self.states.iter().map(holds).collect()
            }
            Ctl::Not(p) => not(of(p)),
            Ctl::And(ps) => ps.iter().fold(all, |set, p| and(&set, &of(p))),
            Ctl::Or(ps) => not(ps.iter().fold(all, |set, p| and(&set, &not(of(p))))),
            Ctl::Implies(p, q) => or(&not(of(p)), &of(q)),
            Ctl::Iff(p, q) => {
                let (p, q) = (of(p), of(q));
                p.iter().zip(&q).map(|(p, q)| p == q).collect()
            }
            Ctl::Next(Quantifier::Some, p) => next(&of(p)),
            Ctl::Next(Quantifier::All, p) => not(next(&not(of(p)))),
            Ctl::Eventually(Quantifier::Some, p) => until(&all, &of(p)),
            Ctl::Eventually(Quantifier::All, p) => not(stay(&not(of(p)))),
            Ctl::Always(Quantifier::Some, p) => stay(&of(p)),
            Ctl::Always(Quantifier::All, p) => not(until(&all, &not(of(p)))),
            Ctl::Until(Quantifier::Some, p, q) => until(&of(p), &of(q)),
            Ctl::Until(Quantifier::All, p, q) => {
                let (not_p, not_q) = (not(of(p)), not(of(q)));
                let fails = until(&not_q, &and(&not_p, &not_q));
                not(or(&fails, &stay(&not_q)))
            }
            // By definition: so many steps from here.
            Ctl::Within(Quantifier::Some, lo, hi, p, q) => {
                let (p, q) = (of(p), of(q));
                let mut set = not(all);
                for step in (0..=*hi).rev() {
                    let later = and(&p, &next(&set));
                    let now = if step >= *lo {
                        and(&q, fair)
                    } else {
                        vec![false; self.graph.size]
                    };
                    set = or(&now, &later);
                }
                set
            }
            Ctl::Within(Quantifier::All, lo, hi, p, q) => {
                let (p, q) = (of(p), of(q));
                // Over fair paths: none that misses it.
                let mut misses = fair.to_vec();
                for step in (0..=*hi).rev() {
                    let now = if step >= *lo {
                        not(q.clone())
                    } else {
                        all.clone()
                    };
                    let going_on = if step == *hi {
                        all.clone()
                    } else {
                        or(&not(p.clone()), &next(&misses))
                    };
                    misses = and(&and(&now, &going_on), fair);
                }
                not(misses)
            }
        }
    }
}

impl Twin<'_> {
    /// By going from state to state: the shortest way, or the longest that avoids.
    fn distance(&self, longest: bool, from: &Ctl<Lit>, to: &Ctl<Lit>, fair: &[bool]) -> Verdict {
        let reachable = self.reachable();
        let counts = |s: usize| reachable[s] && fair[s];
        let of = |formula: &Ctl<Lit>| -> Vec<bool> {
            let set = self.satisfying(formula, fair);
            (0..self.graph.size).map(|s| set[s] && counts(s)).collect()
        };
        if !self.graph.initial.iter().any(|&s| fair[s]) {
            return Verdict::Vacuous;
        }
        let (from, to) = (of(from), of(to));
        let none = |set: &[bool]| !set.contains(&true);
        if longest && (none(&from) || none(&to)) {
            return Verdict::Undefined;
        }
        let all: Vec<bool> = (0..self.graph.size).map(counts).collect();
        // A walk of so many steps as there are states visits one of them twice.
        let mut here: Vec<usize> = (0..self.graph.size)
            .filter(|&s| from[s] && !(longest && to[s]))
            .collect();
        for steps in 0..=self.graph.size as u64 {
            let done = match longest {
                true => here.is_empty(),
                false => here.iter().any(|&s| to[s]),
            };
            if done {
                return Verdict::Distance(Distance::Steps(steps));
            }
            let mut next: Vec<usize> = here
                .iter()
                .flat_map(|&s| self.graph.successors(s, &all))
                .filter(|&s| !(longest && to[s]))
                .collect();
            next.sort_unstable();
            next.dedup();
            here = next;
        }
        Verdict::Distance(Distance::Infinite)
    }
}

/// The states of a run that is one, and the inputs at each of them.
fn replay(circuit: &Circuit, run: &Run) -> (Vec<Vec<bool>>, Vec<Vec<bool>>) {
    let mut states = circuit.states(run).expect("it is a run");
    let mut inputs = run.steps.clone();
    if run.loop_start.is_some() {
        states.pop();
    } else {
        inputs.push(run.last.clone());
    }
    (states, inputs)
}

#[test]
fn agrees_with_the_twin() {
    let mut random = Random(fastrand::Rng::with_seed(6));
    let (mut failed, mut held, mut vacuous, mut lassos, mut far) = (0, 0, 0, 0, 0);
    for round in 0..1_500 {
        let mut circuit = random.circuit();
        let latches: Vec<Lit> = circuit.latches.iter().map(|latch| latch.lit).collect();
        let inputs: Vec<Lit> = circuit.inputs.iter().map(|input| input.lit).collect();
        let both = [latches.clone(), inputs].concat();
        let bad = random.gate(&mut circuit, &latches);
        let bad_step = random.gate(&mut circuit, &both);
        let formulas: Vec<Ctl<Lit>> = (0..3).map(|_| random.formula(2, &latches)).collect();
        let automaton = random.automaton(&both);
        let all_latches = (0..latches.len())
            .map(|l| circuit::LatchId(l as u32))
            .collect();
        let mut queries = vec![
            Query::Never(bad),
            Query::Never(bad_step),
            Query::NoDeadlock,
            Query::Count(all_latches),
            Query::NoRun(automaton.clone()),
        ];
        let linear_formula =
            random.linear_formula(3, if round % 2 == 0 { &latches } else { &both });
        let negated = translate(&Ltl::not(linear_formula.clone())).expect("it is small");
        queries.push(Query::Linear(linear_formula.clone()));
        queries.push(Query::NoRun(negated.clone()));
        queries.extend(formulas.iter().cloned().map(Query::Branching));
        let (from, to) = (&formulas[0], &formulas[1]);
        for longest in [false, true] {
            queries.push(Query::Distance {
                longest,
                from: from.clone(),
                to: to.clone(),
            });
        }
        // Variables move all the time in every third round, and never in another.
        let options = Options {
            tuning: match round % 3 {
                0 => Tuning::usual().with(Technique::Reordering, 1),
                1 => Tuning::usual(),
                _ => Tuning::usual().without(Technique::Reordering),
            },
        };
        let answers = check(&circuit, &queries, options, &Budget::default(), &Silent);
        let twin = Twin::new(&circuit);
        let reachable = twin.reachable();
        let states =
            |holds: &dyn Fn(usize) -> bool| (0..twin.graph.size).any(|s| reachable[s] && holds(s));
        for (answer, expected) in answers.iter().zip([
            !states(&|s| circuit.evaluate(&twin.states[s], &[]).holds(bad)),
            !states(&|s| {
                (0..1 << circuit.inputs.len()).any(|i| {
                    let inputs = bits(i, circuit.inputs.len());
                    circuit.evaluate(&twin.states[s], &inputs).holds(bad_step)
                })
            }),
            !states(&|s| twin.graph.successors(s, &twin.valid).is_empty()),
        ]) {
            let nowhere = twin.graph.initial.is_empty();
            match &answer.verdict {
                Verdict::Holds => assert!(expected && !nowhere, "round {round}"),
                Verdict::Vacuous => assert!(nowhere, "round {round}"),
                Verdict::Fails(run) => {
                    assert!(!expected, "round {round}");
                    replay(&circuit, run);
                }
                other => panic!("round {round}: {other:?}"),
            }
        }
        for (answer, bad) in answers.iter().zip([bad, bad_step]) {
            if let Verdict::Fails(run) = &answer.verdict {
                let (states, inputs) = replay(&circuit, run);
                let last = states.len() - 1;
                assert!(circuit.evaluate(&states[last], &inputs[last]).holds(bad));
            }
        }
        let Verdict::Counted(count) = answers[3].verdict else {
            panic!()
        };
        let expected = reachable.iter().filter(|r| **r).count();
        assert_eq!(count.value(), expected as f64);

        lassos += usize::from(linear(&circuit, &twin, &automaton, &answers[4], round));
        for answer in &answers[5..7] {
            linear(&circuit, &twin, &negated, answer, round);
            if let Verdict::Fails(run) = &answer.verdict {
                let (states, inputs) = replay(&circuit, run);
                let holds = holds_on_lasso(
                    &linear_formula,
                    run.loop_start.expect("it goes on for ever"),
                    states.len(),
                    |at, lit: &Lit| circuit.evaluate(&states[at], &inputs[at]).holds(*lit),
                );
                assert!(!holds, "round {round}: {linear_formula:?}");
            }
        }
        let fair = twin.fair();
        for (longest, answer) in [false, true].into_iter().zip(&answers[10..]) {
            let expected = twin.distance(longest, from, to, &fair);
            assert_eq!(
                answer.verdict, expected,
                "round {round}: {from:?} to {to:?}"
            );
            if let Verdict::Distance(Distance::Steps(steps)) = expected {
                far += usize::from(steps > 0);
            }
        }
        for (formula, answer) in formulas.iter().zip(&answers[7..10]) {
            let set = twin.satisfying(formula, &fair);
            let folded = twin.satisfying(&formula.folded(), &fair);
            assert!((0..set.len()).all(|s| set[s] == folded[s] || !fair[s] || !twin.valid[s]));
            let initial: Vec<usize> = twin
                .graph
                .initial
                .iter()
                .copied()
                .filter(|&s| fair[s])
                .collect();
            let expected = initial.iter().all(|&s| set[s]);
            match &answer.verdict {
                Verdict::Vacuous => {
                    assert!(initial.is_empty(), "round {round}: {formula:?}");
                    vacuous += 1;
                }
                Verdict::Holds => {
                    assert!(
                        expected && !initial.is_empty(),
                        "round {round}: {formula:?}"
                    );
                    held += 1;
                }
                Verdict::Fails(run) => {
                    assert!(!expected, "round {round}: {formula:?}");
                    let (states, _) = replay(&circuit, run);
                    assert!(circuit.justice.is_empty() || run.loop_start.is_some());
                    if let (Some(linear), Some(start)) = (formula.linear(), run.loop_start) {
                        let holds =
                            holds_on_lasso(&linear, start, states.len(), |at, lit: &Lit| {
                                circuit.evaluate(&states[at], &[]).holds(*lit)
                            });
                        assert!(!holds, "round {round}: {formula:?}");
                    }
                    failed += 1;
                }
                other => panic!("round {round}: {other:?}"),
            }
        }
    }
    assert!(
        held > 800 && failed > 800 && vacuous > 300 && lassos > 150 && far > 60,
        "{held} hold, {failed} fail, {vacuous} vacuous, {lassos} accepted runs, {far} are far"
    );
}

/// What an automaton has no room for is answered from the formula's tableau, as the automaton of an equal formula says.
#[test]
fn formulas_of_many_atoms_are_answered_like_those_of_few() {
    let mut random = Random(fastrand::Rng::with_seed(16));
    let (mut failed, mut held, mut without) = (0, 0, 0);
    for round in 0..1_200 {
        let mut circuit = random.circuit();
        let mut leaves: Vec<Lit> = circuit.latches.iter().map(|latch| latch.lit).collect();
        if round % 2 == 1 {
            leaves.extend(circuit.inputs.iter().map(|input| input.lit));
        }
        let formula = random.linear_formula(3, &leaves);
        let few = Query::Linear(formula.clone());
        let ask = |circuit: &Circuit, query: Query| {
            let (options, budget) = (Options::default(), Budget::default());
            check(circuit, &[query], options, &budget, &Silent)
                .remove(0)
                .verdict
        };
        let expected = ask(&circuit, few);
        // None of these ever holds.
        let never: Vec<Ltl<Lit>> = (0..=Cube::MAX_ATOMS)
            .map(|number| {
                let latch = circuit.latch(format!("never{number}"), Reset::Zero);
                circuit.set_next(latch, latch);
                Ltl::Atom(latch)
            })
            .collect();
        let many = Ltl::or(
            formula.clone(),
            Ltl::eventually(Ltl::always(Ltl::any(never))),
        );
        // Few are true or false whatever happens, and have an automaton.
        without += usize::from(translate(&Ltl::not(many.clone())).is_err());
        match (ask(&circuit, Query::Linear(many.clone())), expected) {
            (Verdict::Fails(run), Verdict::Fails(_)) => {
                failed += 1;
                let (states, inputs) = replay(&circuit, &run);
                let start = run.loop_start.expect("it goes on for ever");
                let holds = holds_on_lasso(&many, start, states.len(), |at, lit: &Lit| {
                    circuit.evaluate(&states[at], &inputs[at]).holds(*lit)
                });
                assert!(!holds, "round {round}: {formula:?}");
            }
            (Verdict::Holds, Verdict::Holds) => held += 1,
            (found, expected) => assert_eq!(found, expected, "round {round}: {formula:?}"),
        }
    }
    assert!(
        held > 150 && failed > 250 && without > 1_000,
        "{held} hold, {failed} fail, {without} have no automaton"
    );
}

/// Compares what is said about the runs that an automaton accepts. Returns whether there is one.
fn linear(
    circuit: &Circuit,
    twin: &Twin<'_>,
    automaton: &Buchi<Lit>,
    answer: &Answer,
    round: usize,
) -> bool {
    let count = automaton.state_count();
    let size = twin.graph.size * count;
    let marks = circuit.justice.len() + 2 * circuit.compassion.len();
    let mut product = Graph {
        initial: twin.graph.initial.iter().map(|s| s * count).collect(),
        edges: Vec::new(),
        size,
    };
    for (s, state) in twin
        .states
        .iter()
        .enumerate()
        .filter(|(s, _)| twin.valid[*s])
    {
        for i in 0..1 << circuit.inputs.len() {
            let values = circuit.evaluate(state, &bits(i, circuit.inputs.len()));
            let to = number(&values.next_state());
            if !values.is_step() || !twin.valid[to] {
                continue;
            }
            let letter = automaton.atoms.iter().enumerate();
            let letter = letter.fold(0, |l, (at, &lit)| l | u64::from(values.holds(lit)) << at);
            let pairs = circuit.compassion.iter().flat_map(|&(p, q)| [p, q]);
            let lits = circuit.justice.iter().copied().chain(pairs);
            let holds: Vec<bool> = lits.map(|lit| values.holds(lit)).collect();
            for q in automaton.states() {
                for edge in automaton.edges_from(q) {
                    if edge.label.matches(letter) {
                        let mut holds = holds.clone();
                        holds.push(edge.accepting);
                        let to = to * count + edge.target.index();
                        product.edges.push((s * count + q.index(), to, holds));
                    }
                }
            }
        }
    }
    let everywhere = vec![true; size];
    let mut justice = twin.justice.clone();
    justice.push(marks);
    let fair = product.for_ever(&everywhere, &justice, &twin.pairs());
    let accepted = product.initial.iter().any(|&s| fair[s]);
    let fair_run = twin
        .graph
        .for_ever(&twin.valid, &twin.justice, &twin.pairs());
    let fair_run = twin.graph.initial.iter().any(|&s| fair_run[s]);
    match &answer.verdict {
        Verdict::Vacuous => assert!(!fair_run, "round {round}"),
        Verdict::Holds => assert!(fair_run && !accepted, "round {round}"),
        Verdict::Fails(run) => {
            assert!(accepted, "round {round}");
            let (states, inputs) = replay(circuit, run);
            let start = run.loop_start.expect("an accepted run goes on for ever");
            let holds_at = |at: usize, lit| circuit.evaluate(&states[at], &inputs[at]).holds(lit);
            let recurs = |lit| (start..states.len()).any(|at| holds_at(at, lit));
            for &lit in &circuit.justice {
                assert!(recurs(lit), "round {round}");
            }
            for &(p, q) in &circuit.compassion {
                assert!(!recurs(p) || recurs(q), "round {round}");
            }
            assert!(
                automaton.accepts_lasso(start, states.len(), |at, &lit| holds_at(at, lit)),
                "round {round}: {run:?} {automaton:?} {circuit:?}"
            );
        }
        other => panic!("round {round}: {other:?}"),
    }
    accepted
}
