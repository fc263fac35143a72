//! Queries to a circuit, answered together where they look at the same part of it.

use std::time::{Duration, Instant};

use circuit::{Circuit, LatchId, Lit, Restricted, Run};
use logic::{Buchi, Ctl, Ltl, Quantifier, TranslateError};
use model::{Budget, Distance, Progress, Statistics, UnknownReason};

use crate::branching::Branching;
use crate::diagram::{Count, Halt, Limits, Result};
use crate::linear;
use crate::order::Item;
use crate::path::Path;
use crate::run::whole;
use crate::system::System;
use crate::tableau::tableau;
use crate::tuning::{Technique, Tuning};

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub enum Query {
    /// This is never true in a state that can be reached, whatever the inputs.
    Never(Lit),
    /// Each state that can be reached has a step.
    NoDeadlock,
    /// Each initial state from which a fair path begins satisfies the formula over fair paths.
    /// Atoms are over latches. Compassion does not count.
    Branching(Ctl<Lit>),
    /// How many steps it takes from a state that satisfies the first formula to one that satisfies
    /// the second. States count that can be reached and from which there is a fair path.
    Distance {
        /// The most steps that the second can be avoided, not the least that it takes.
        longest: bool,
        /// Where it begins.
        from: Ctl<Lit>,
        /// Where it ends.
        to: Ctl<Lit>,
    },
    /// Each fair run satisfies the formula. Atoms are over latches and inputs: position 0 is the
    /// initial state with the inputs of the first step.
    Linear(Ltl<Lit>),
    /// The automaton accepts no fair run. Letters are over latches and inputs: the first edge reads
    /// the initial state and the inputs of the first step.
    NoRun(Buchi<Lit>),
    /// How many states can be reached, told apart by these latches only.
    Count(Vec<LatchId>),
}

/// What is found.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// It is so.
    Holds,
    /// It is so because no path is fair, or no state initial.
    Vacuous,
    /// It is not so, as this run shows as far as one run can.
    Fails(Run),
    /// So many.
    Counted(Count),
    /// So far.
    Distance(Distance),
    /// No state of one of the two kinds counts, so there is no longest way between them.
    Undefined,
    /// Not known.
    Unknown(UnknownReason),
}

/// A verdict, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// States and memory are of the part that the query looks at; `depth` is the longest distance
    /// from an initial state that was reached.
    pub statistics: Statistics,
}

/// How to go about it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// What to do without, for measurements and tests.
    pub tuning: Tuning,
}

/// Answers queries, in the order given.
#[must_use]
pub fn check(
    circuit: &Circuit,
    queries: &[Query],
    options: Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Vec<Answer> {
    // Operations on diagrams recur from variable to variable.
    let variables = 2 * circuit.latches.len() + circuit.inputs.len() + 200;
    let stack = (16 << 20) + variables * 4096;
    let run = || Session::new(circuit, options, budget, progress).answer(queries);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("decision diagrams".into())
            .stack_size(stack)
            .spawn_scoped(scope, run);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(answers)) => answers,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => queries
                .iter()
                .map(|_| unknown(UnknownReason::Memory))
                .collect(),
        }
    })
}

fn unknown(reason: UnknownReason) -> Answer {
    Answer {
        verdict: Verdict::Unknown(reason),
        statistics: Statistics::default(),
    }
}

struct Session<'a> {
    circuit: &'a Circuit,
    options: Options,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    answers: Vec<Option<Answer>>,
    /// Whether some run is fair, compassion counted, once that is known.
    fair_run: Option<bool>,
}

/// How many nodes of the circuit are looked at, all queries together, to see which read the same part.
const MOST_LOOKED_AT: usize = 1 << 28;

/// Queries about one part of the circuit.
struct Group {
    latches: Vec<bool>,
    size: usize,
    fair: bool,
    roots: Vec<Lit>,
    queries: Vec<usize>,
}

impl<'a> Session<'a> {
    fn new(
        circuit: &'a Circuit,
        options: Options,
        budget: &'a Budget,
        progress: &'a dyn Progress,
    ) -> Session<'a> {
        Session {
            circuit,
            options,
            budget,
            progress,
            answers: Vec::new(),
            fair_run: None,
        }
    }

    fn answer(mut self, queries: &[Query]) -> Vec<Answer> {
        self.answers = vec![None; queries.len()];
        let groups = match self.groups(queries) {
            Ok(groups) => groups,
            Err(reason) => return vec![unknown(reason); queries.len()],
        };
        let count = groups.len();
        // Small ones first. What is left of the time is shared among the groups that are left.
        for (index, group) in groups.into_iter().rev().enumerate() {
            let limits = self.limits(count - index);
            if let Err(halt) = self.answer_group(queries, &group, &limits) {
                for &query in &group.queries {
                    self.answers[query].get_or_insert(unknown(reason(halt.clone())));
                }
            }
        }
        let answers = self.answers.into_iter();
        answers
            .map(|answer| answer.unwrap_or_else(|| unknown(UnknownReason::Interrupted)))
            .collect()
    }

    fn limits(&self, share: usize) -> Limits {
        let mut budget = self.budget.clone();
        if let (Some(end), true) = (budget.deadline, share > 1) {
            let now = Instant::now();
            let left = end.saturating_duration_since(now);
            budget.deadline = Some(now + left / share as u32);
        }
        Limits {
            budget,
            reorder: self.options.tuning.has(Technique::Reordering),
            sift_from: usize::try_from(self.options.tuning.number(Technique::Reordering))
                .unwrap_or(usize::MAX),
        }
    }

    /// Queries about the same part of the circuit stand together. Where there are so many queries and gates
    /// that to tell parts apart is itself a matter of minutes, all stand together.
    ///
    /// # Errors
    /// The limit that was reached meanwhile.
    fn groups(&self, queries: &[Query]) -> std::result::Result<Vec<Group>, UnknownReason> {
        let fairness = self.circuit.justice.iter().copied();
        let pairs = self.circuit.compassion.iter().flat_map(|&(p, q)| [p, q]);
        let fairness: Vec<Lit> = fairness.chain(pairs).collect();
        let asked = queries.iter().map(|query| self.roots(query));
        let asked = asked.map(|(roots, infinite)| (roots, infinite && !fairness.is_empty()));
        if self.circuit.aig.nodes().len().saturating_mul(queries.len()) > MOST_LOOKED_AT {
            return Ok(vec![self.together(asked, &fairness)]);
        }
        let mut singles: Vec<(Group, Vec<usize>)> = Vec::new();
        for (index, (roots, fair)) in asked.enumerate() {
            self.budget.exhausted(0).map_or(Ok(()), Err)?;
            let mut all = roots.clone();
            if fair {
                all.extend(&fairness);
            }
            let latches = self.circuit.cone(&all).latches;
            let own = latches.iter().enumerate();
            let own: Vec<usize> = own.filter_map(|(at, &has)| has.then_some(at)).collect();
            let group = Group {
                size: own.len(),
                latches: Vec::new(),
                fair,
                roots,
                queries: vec![index],
            };
            singles.push((group, own));
        }
        // A part that is most of another one is not worth a look of its own.
        singles.sort_by_key(|(group, _)| (std::cmp::Reverse(group.size), !group.fair));
        let mut groups: Vec<Group> = Vec::new();
        for (mut single, own) in singles {
            self.budget.exhausted(0).map_or(Ok(()), Err)?;
            let home = groups.iter_mut().find(|group| {
                (group.fair || !single.fair)
                    && single.size * 2 >= group.size
                    && own.iter().all(|&latch| group.latches[latch])
            });
            match home {
                Some(home) => {
                    home.roots.extend(single.roots);
                    home.queries.extend(single.queries);
                }
                None => {
                    single.latches = vec![false; self.circuit.latches.len()];
                    for latch in own {
                        single.latches[latch] = true;
                    }
                    groups.push(single);
                }
            }
        }
        Ok(groups)
    }

    /// One group of all queries.
    fn together(&self, asked: impl Iterator<Item = (Vec<Lit>, bool)>, fairness: &[Lit]) -> Group {
        let mut group = Group {
            latches: Vec::new(),
            size: 0,
            fair: false,
            roots: Vec::new(),
            queries: Vec::new(),
        };
        for (index, (roots, fair)) in asked.enumerate() {
            group.roots.extend(roots);
            group.fair |= fair;
            group.queries.push(index);
        }
        let mut all = group.roots.clone();
        if group.fair {
            all.extend(fairness);
        }
        group.latches = self.circuit.cone(&all).latches;
        group.size = group.latches.iter().filter(|has| **has).count();
        group
    }

    /// What a query reads, and whether it is about runs for ever.
    fn roots(&self, query: &Query) -> (Vec<Lit>, bool) {
        match query {
            Query::Never(lit) => (vec![*lit], false),
            Query::NoDeadlock => (Vec::new(), false),
            Query::Branching(formula) => (formula.atoms().into_iter().copied().collect(), true),
            Query::Distance { from, to, .. } => {
                let atoms = from.atoms().into_iter().chain(to.atoms());
                (atoms.copied().collect(), true)
            }
            Query::Linear(formula) => (formula.atoms().into_iter().copied().collect(), true),
            Query::NoRun(automaton) => (automaton.atoms.clone(), true),
            Query::Count(latches) => {
                let lit = |latch: &LatchId| self.circuit.latches[latch.index()].lit;
                (latches.iter().map(lit).collect(), false)
            }
        }
    }

    fn answer_group(&mut self, queries: &[Query], group: &Group, limits: &Limits) -> Result<()> {
        let part = self.circuit.restricted(&group.roots, group.fair);
        let asked: Vec<Lit> = group.roots.iter().map(|&lit| part.map.lit(lit)).collect();
        let mut system = System::new(&part.circuit, limits.clone(), &[], &asked, self.progress)?;
        // Finite runs first: they may be short.
        for &query in &group.queries {
            let answer = match &queries[query] {
                Query::Never(lit) => never(&mut system, &part, *lit, self.circuit),
                Query::NoDeadlock => no_deadlock(&mut system, &part, self.circuit),
                Query::Count(latches) => count(&mut system, &part, latches),
                _ => continue,
            };
            self.put(query, answer, &system);
        }
        let mut trees = Vec::new();
        let mut products = Vec::new();
        for &query in &group.queries {
            match &queries[query] {
                Query::Branching(formula) => {
                    trees.push((query, formula.map(&mut |lit| part.map.lit(*lit)), false));
                }
                Query::Linear(formula) => {
                    let formula = formula.map(|lit| part.map.lit(*lit));
                    match linear::as_tree(&part.circuit, &formula) {
                        Some(tree) => trees.push((query, tree, true)),
                        None => match logic::translate(&Ltl::not(formula.clone())) {
                            Ok(automaton) => {
                                let product = linear::product(&part.circuit, &automaton);
                                products.push((query, product));
                            }
                            // There may be too many atoms, or too many ways through them.
                            Err(error) if error != TranslateError::TooDeep => {
                                let product = tableau(&part.circuit, &Ltl::not(formula));
                                products.push((query, product));
                            }
                            Err(error) => {
                                let why = UnknownReason::Unsupported(error.to_string());
                                self.answers[query] = Some(unknown(why));
                            }
                        },
                    }
                }
                Query::NoRun(automaton) => {
                    let automaton = automaton.clone().map(|lit| part.map.lit(lit));
                    products.push((query, linear::product(&part.circuit, &automaton)));
                }
                _ => {}
            }
        }
        let ways: Vec<usize> = group
            .queries
            .iter()
            .copied()
            .filter(|&query| matches!(queries[query], Query::Distance { .. }))
            .collect();
        if !ways.is_empty() {
            // Of states that cannot be reached the length of paths would be another one.
            system.explore()?;
        }
        if !trees.is_empty() || !ways.is_empty() {
            self.explore_for_a_while(&mut system)?;
            let mut branching = Branching::new(&mut system)?;
            for query in ways {
                let Query::Distance { longest, from, to } = &queries[query] else {
                    continue;
                };
                let [from, to] = [from, to].map(|f| f.map(&mut |lit| part.map.lit(*lit)));
                let answer = distance(&mut branching, *longest, &from, &to);
                self.put(query, answer, branching.system);
            }
            for (query, formula, infinite) in trees {
                let answer = tree(&mut branching, &formula, infinite, &part, self.circuit);
                self.put(query, answer, branching.system);
            }
        }
        let order = system.space.order();
        drop(system);
        for (query, product) in products {
            self.no_run(query, &part, &product, &order, limits)?;
        }
        Ok(())
    }

    fn put(&mut self, query: usize, verdict: Result<Verdict>, system: &System<'_>) {
        self.answers[query] = Some(Answer {
            verdict: verdict.unwrap_or_else(|halt| Verdict::Unknown(reason(halt))),
            statistics: system.statistics(),
        });
    }

    /// Reaches all states, unless that takes a good part of the time there is: what follows can do
    /// without.
    fn explore_for_a_while(&self, system: &mut System<'_>) -> Result<()> {
        let whole = system.space.m.deadline();
        if let Some(end) = whole {
            let left = end.saturating_duration_since(Instant::now());
            system.space.m.set_deadline(Some(Instant::now() + left / 2));
        }
        let explored = system.explore();
        system.space.m.set_deadline(whole);
        match explored {
            Err(Halt::Limit(UnknownReason::Time))
                if whole.is_some_and(|end| end > Instant::now() + Duration::from_millis(1)) =>
            {
                Ok(())
            }
            other => other,
        }
    }

    fn no_run(
        &mut self,
        query: usize,
        part: &Restricted,
        product: &Circuit,
        order: &[Item],
        limits: &Limits,
    ) -> Result<()> {
        let product = linear::remembering(product);
        let mut system = System::new(&product, limits.clone(), order, &[], self.progress)?;
        let found = accepted_run(&mut system, part, self.circuit);
        let found = match found {
            Ok(None) => self.has_fair_run(limits).map(|fair| {
                if fair {
                    Verdict::Holds
                } else {
                    Verdict::Vacuous
                }
            }),
            Ok(Some(run)) => Ok(Verdict::Fails(run)),
            Err(halt) => Err(halt),
        };
        self.put(query, found, &system);
        Ok(())
    }

    /// Whether some run of the circuit is fair.
    fn has_fair_run(&mut self, limits: &Limits) -> Result<bool> {
        if let Some(known) = self.fair_run {
            return Ok(known);
        }
        let part = self.circuit.restricted(&[], true);
        let circuit = linear::remembering(&part.circuit);
        let mut system = System::new(&circuit, limits.clone(), &[], &[], self.progress)?;
        system.explore()?;
        system.look_at_reached()?;
        let reached = system.reached.clone();
        let fair = !system.for_ever(&reached)?.all.is_zero();
        self.fair_run = Some(fair);
        Ok(fair)
    }
}

fn reason(halt: Halt) -> UnknownReason {
    match halt {
        Halt::Full => UnknownReason::Memory,
        Halt::Limit(reason) => reason,
    }
}

fn never(
    system: &mut System<'_>,
    part: &Restricted,
    lit: Lit,
    circuit: &Circuit,
) -> Result<Verdict> {
    let lit = part.map.lit(lit);
    let bad = system.states_with(lit)?;
    let Some(ring) = system.first_ring(&bad)? else {
        return Ok(nowhere(system));
    };
    let path = system.path_to(ring, &bad)?;
    let condition = system.space.function(lit)?;
    finished(system, path, Some(&condition), part, circuit)
}

fn no_deadlock(system: &mut System<'_>, part: &Restricted, circuit: &Circuit) -> Result<Verdict> {
    let going_on = system.going_on()?;
    let Some(ring) = system.first_ring(&going_on.not())? else {
        return Ok(nowhere(system));
    };
    let path = system.path_to(ring, &going_on.not())?;
    finished(system, path, None, part, circuit)
}

/// What is said where nothing that is looked for can be reached.
fn nowhere(system: &System<'_>) -> Verdict {
    if system.initial.is_zero() {
        Verdict::Vacuous
    } else {
        Verdict::Holds
    }
}

fn count(system: &mut System<'_>, part: &Restricted, latches: &[LatchId]) -> Result<Verdict> {
    system.explore()?;
    let kept: Vec<usize> = (0..part.latches.len())
        .filter(|&latch| latches.contains(&part.latches[latch]))
        .collect();
    let others = (0..part.latches.len()).filter(|latch| !kept.contains(latch));
    let others: Vec<_> = others.map(|latch| system.space.current[latch]).collect();
    let others = system.space.m.cube(others)?;
    let reached = system.reached.clone();
    let reached = system.space.m.exists(&reached, &others)?;
    Ok(Verdict::Counted(system.space.m.count(&reached, kept.len())))
}

/// How far it is from states that satisfy one formula to those that satisfy another, of those that
/// are looked at and have a fair path.
fn distance(
    branching: &mut Branching<'_, '_>,
    longest: bool,
    from: &Ctl<Lit>,
    to: &Ctl<Lit>,
) -> Result<Verdict> {
    let fair = branching.fair.all.clone();
    let initial = branching.system.initial.clone();
    if branching.and(&initial, &fair)?.is_zero() {
        return Ok(Verdict::Vacuous);
    }
    let (from, to) = (branching.satisfying(from)?, branching.satisfying(to)?);
    let (from, to) = (branching.and(&from, &fair)?, branching.and(&to, &fair)?);
    let found = if longest {
        if from.is_zero() || to.is_zero() {
            return Ok(Verdict::Undefined);
        }
        branching.longest(&from, &to)?
    } else {
        branching.shortest(&from, &to)?
    };
    Ok(Verdict::Distance(found))
}

/// A fair run of a product.
fn accepted_run(
    system: &mut System<'_>,
    part: &Restricted,
    circuit: &Circuit,
) -> Result<Option<Run>> {
    system.explore()?;
    system.look_at_reached()?;
    let reached = system.reached.clone();
    let forever = system.for_ever(&reached)?;
    if forever.core.is_zero() {
        return Ok(None);
    }
    let Some(ring) = system.first_ring(&forever.core)? else {
        return Ok(None);
    };
    let Some(mut path) = system.path_to(ring, &forever.core)? else {
        return Ok(None);
    };
    system.close(&mut path, &forever)?;
    let inputs = system.inputs_of(&path, None)?;
    Ok(Some(whole(circuit, part, &path, &inputs)))
}

fn finished(
    system: &mut System<'_>,
    path: Option<Path>,
    at_end: Option<&crate::diagram::Bdd>,
    part: &Restricted,
    circuit: &Circuit,
) -> Result<Verdict> {
    let path = path.expect("internal error: a ring without a way to it");
    let inputs = system.inputs_of(&path, at_end)?;
    Ok(Verdict::Fails(whole(circuit, part, &path, &inputs)))
}

fn tree(
    branching: &mut Branching<'_, '_>,
    formula: &Ctl<Lit>,
    infinite: bool,
    part: &Restricted,
    circuit: &Circuit,
) -> Result<Verdict> {
    let fair = branching.fair.all.clone();
    let initial = branching.system.initial.clone();
    let initial = branching.and(&initial, &fair)?;
    if initial.is_zero() {
        return Ok(Verdict::Vacuous);
    }
    let Some(mut path) = refuting(branching, formula, &initial)? else {
        return Ok(Verdict::Holds);
    };
    if infinite && path.loop_start.is_none() {
        branching.system.close(&mut path, &branching.fair)?;
    }
    let inputs = branching.system.inputs_of(&path, None)?;
    Ok(Verdict::Fails(whole(circuit, part, &path, &inputs)))
}

/// A path that shows that not all of these initial states satisfy a formula.
fn refuting(
    branching: &mut Branching<'_, '_>,
    formula: &Ctl<Lit>,
    initial: &crate::diagram::Bdd,
) -> Result<Option<Path>> {
    match formula {
        Ctl::And(parts) => {
            for part in parts.iter() {
                if let Some(path) = refuting(branching, part, initial)? {
                    return Ok(Some(path));
                }
            }
            Ok(None)
        }
        Ctl::Not(inner) => match &**inner {
            Ctl::Not(formula) => refuting(branching, formula, initial),
            Ctl::Eventually(Quantifier::Some, p) => {
                let p = std::sync::Arc::new(Ctl::Not(std::sync::Arc::clone(p)));
                refuting(branching, &Ctl::Always(Quantifier::All, p), initial)
            }
            _ => refuting_at_once(branching, formula, initial),
        },
        // What can be reached is known: no need to go back from where it is not so.
        Ctl::Always(Quantifier::All, p) if branching.system.complete => {
            let fails = branching.of(p, false)?;
            let fair = branching.fair.all.clone();
            let fails = branching.and(&fails, &fair)?;
            let Some(ring) = branching.system.first_ring(&fails)? else {
                return Ok(None);
            };
            let Some(path) = branching.system.path_to(ring, &fails)? else {
                return Ok(None);
            };
            branching.refute(path, p).map(Some)
        }
        _ => refuting_at_once(branching, formula, initial),
    }
}

fn refuting_at_once(
    branching: &mut Branching<'_, '_>,
    formula: &Ctl<Lit>,
    initial: &crate::diagram::Bdd,
) -> Result<Option<Path>> {
    let fails = branching.of(formula, false)?;
    let fails = branching.and(&fails, initial)?;
    let Some(state) = branching.system.choose_state(&fails)? else {
        return Ok(None);
    };
    branching.refute(Path::at(state), formula).map(Some)
}

#[cfg(test)]
mod tests {
    use circuit::Reset;
    use model::Silent;

    use super::*;

    /// Two latches that have nothing to do with each other, one of which turns over; it is fair to be
    /// set again and again.
    fn two() -> (Circuit, Vec<Query>) {
        let mut circuit = Circuit::default();
        let still = circuit.latch("still", Reset::Zero);
        let turns = circuit.latch("turns", Reset::Zero);
        circuit.set_next(still, still);
        circuit.set_next(turns, !turns);
        circuit.justice.push(turns);
        let again = Ltl::always(Ltl::eventually(Ltl::atom(turns)));
        let both = circuit.aig.and(still, turns);
        let queries = vec![
            Query::Never(still),
            Query::Never(turns),
            Query::Linear(again),
            Query::Never(both),
            Query::Linear(Ltl::atom(turns)),
        ];
        (circuit, queries)
    }

    #[test]
    fn queries_that_stand_together_have_the_answers_that_they_have_apart() {
        let (circuit, queries) = two();
        let budget = Budget::default();
        let session = || Session::new(&circuit, Options::default(), &budget, &Silent);
        let apart = session().answer(&queries);
        let holds = |answer: &Answer| answer.verdict == Verdict::Holds;
        let told: Vec<bool> = apart.iter().map(holds).collect();
        assert_eq!(told, [true, false, true, true, false]);

        let mut session = session();
        session.answers = vec![None; queries.len()];
        let asked = queries.iter().map(|query| session.roots(query));
        let all = session.together(asked, &circuit.justice);
        assert_eq!((all.size, all.queries.len()), (2, queries.len()));
        let limits = session.limits(1);
        let done = session.answer_group(&queries, &all, &limits);
        assert!(done.is_ok());
        let together: Vec<bool> = session
            .answers
            .iter()
            .map(|answer| answer.as_ref().is_some_and(holds))
            .collect();
        assert_eq!(together, told);
    }

    #[test]
    fn grouping_keeps_to_the_time() {
        let (circuit, queries) = two();
        let budget = Budget {
            deadline: Some(Instant::now()),
            ..Budget::default()
        };
        let session = Session::new(&circuit, Options::default(), &budget, &Silent);
        let late = session.groups(&queries).err();
        assert_eq!(late, Some(UnknownReason::Time));
    }
}
