//! The transition relation, as a conjunction whose parts are never multiplied out.
//!
//! One part a latch and one a constraint, put together into clusters up to a size (Ranjan, Aziz,
//! Brayton, Plessier and Pixley, *Efficient BDD algorithms for FSM synthesis and verification*,
//! IWLS 1995). An image multiplies the clusters in one after the other and quantifies a variable
//! as soon as no later cluster has it. Each direction has its own sequence.
//!
//! Inputs on which most parts depend, as on which process runs, are not multiplied in at all: for
//! each of their values there are sequences of their own, in which most parts say that a variable
//! keeps its value, and an image is the union of images (Burch, Clarke and Long: *Symbolic model
//! checking with partitioned transition relations*, 1991).

use std::collections::HashMap;

use crate::diagram::{Bdd, Result, Var};
use crate::space::Space;

/// Nodes up to which parts are put together.
const CLUSTER: usize = 1_500;

/// Nodes of all parts together from which on a better order is worth its price.
const SIFT: usize = 4_000;

/// Products of so few nodes are not worth an attempt to make them smaller.
const SMALL: usize = 300;

/// Nodes up to which what all states satisfy is one part.
const WHOLE: usize = 200_000;

/// Inputs that tell cases apart are no more than these.
const SELECTORS: usize = 5;

/// Relations of fewer parts are not split into cases.
const FEW_PARTS: usize = 12;

/// Which steps a circuit has.
pub(crate) struct Relation {
    cases: Vec<Case>,
    /// The inputs that tell cases apart.
    selectors: Bdd,
    /// The parts that have inputs: what says which inputs lead from a state to another one.
    with_inputs: Vec<Bdd>,
    /// All states, as far as constraints and known invariants say.
    pub(crate) states: Bdd,
    /// All current variables.
    pub(crate) current: Bdd,
    next: Bdd,
}

/// The steps for some values of the selectors, both ways.
struct Case {
    values: Bdd,
    forward: Sequence,
    backward: Sequence,
}

/// Clusters, each with what is quantified when it is multiplied in.
struct Sequence {
    /// What no cluster has.
    first: Bdd,
    clusters: Vec<(Bdd, Bdd)>,
}

impl Relation {
    /// The relation; steps may later be restricted by what some conditions over current values and
    /// inputs say, and by nothing else.
    pub(crate) fn new(space: &mut Space<'_>, conditions: &[Bdd]) -> Result<Relation> {
        let circuit = space.circuit;
        let mut state_parts = space.parts(&circuit.state_constraints)?;
        let constrained = space.all(state_parts.clone())?;
        // Sets of states lie within it, so it is no larger than what there is to deal with anyway;
        // in pieces it would be put together again by each image.
        if space.m.size(&[&constrained]) <= WHOLE {
            state_parts = vec![constrained.clone()];
        }
        let mut step_parts = space.parts(&circuit.step_constraints)?;
        let nexts: Vec<_> = circuit.latches.iter().map(|latch| latch.next).collect();
        let functions = space.functions(&nexts)?;
        space.m.sift_above(SIFT)?;
        let mut parts = Vec::new();
        for (latch, function) in functions.iter().enumerate() {
            let next = space.m.variable(space.next[latch])?;
            let part = space.m.iff(&next, function)?;
            if !part.is_one() {
                parts.push(part);
            }
        }
        drop(functions);
        parts.append(&mut step_parts);
        for part in &state_parts {
            let after = space.m.shift(part)?;
            parts.push(part.clone());
            parts.push(after);
        }
        let mut known = space.parts(&circuit.invariants)?;
        known.push(constrained);
        let states = space.all(known)?;
        let mut unique: Vec<Bdd> = Vec::new();
        for part in parts {
            if !part.is_one() && !unique.contains(&part) {
                unique.push(part);
            }
        }
        let inputs = space.free_inputs();
        let mut with_inputs = Vec::new();
        for part in &unique {
            if space.m.support(part).iter().any(|var| inputs.contains(var)) {
                with_inputs.push(part.clone());
            }
        }
        let current = space.m.cube(space.current.clone())?;
        let next = space.m.cube(space.next.clone())?;
        // What a condition speaks of stays until the step is taken.
        let mut own = inputs.clone();
        for condition in conditions {
            let support = space.m.support(condition);
            own.retain(|var| !support.contains(var));
        }
        let selectors = selectors(space, &unique);
        own.retain(|var| !selectors.contains(var));
        let rest: Vec<Var> = inputs
            .iter()
            .filter(|var| !selectors.contains(var))
            .copied()
            .collect();
        let mut cases = Vec::new();
        for values in 0..1usize << selectors.len() {
            let chosen = selectors.iter().enumerate();
            let chosen: Vec<(Var, bool)> = chosen
                .map(|(bit, &var)| (var, values >> bit & 1 == 1))
                .collect();
            let values = space.m.literals(&chosen)?;
            let case = Case::new(space, &unique, values, (&own, &rest))?;
            cases.extend(case);
        }
        let selectors = space.m.cube(selectors)?;
        Ok(Relation {
            cases,
            selectors,
            with_inputs,
            states,
            current,
            next,
        })
    }

    /// The states after one step from a set. `taken` restricts the steps, over current values and
    /// inputs.
    pub(crate) fn after(
        &self,
        space: &mut Space<'_>,
        set: &Bdd,
        taken: Option<&Bdd>,
    ) -> Result<Bdd> {
        let start = match taken {
            Some(taken) => space.m.and(set, taken)?,
            None => set.clone(),
        };
        let image = self.product(space, &start, |case| &case.forward, None)?;
        space.m.shift(&image)
    }

    /// The states with a step into a set. `taken` restricts the steps, over current values and
    /// inputs. Where `care` is given it is closed under steps, and the result means something only
    /// within it.
    pub(crate) fn before(
        &self,
        space: &mut Space<'_>,
        set: &Bdd,
        taken: Option<&Bdd>,
        care: Option<&Bdd>,
    ) -> Result<Bdd> {
        let set = match care {
            Some(care) => space.m.restrict(set, care)?,
            None => space.m.and(set, &self.states)?,
        };
        let mut start = space.m.shift(&set)?;
        if let Some(taken) = taken {
            start = space.m.and(&start, taken)?;
        }
        self.product(space, &start, |case| &case.backward, care)
    }

    /// The images of a set in all cases together.
    fn product(
        &self,
        space: &mut Space<'_>,
        start: &Bdd,
        way: impl Fn(&Case) -> &Sequence,
        care: Option<&Bdd>,
    ) -> Result<Bdd> {
        if let [only] = &self.cases[..] {
            return way(only).product(space, start, care);
        }
        let mut all = space.m.zero();
        for case in &self.cases {
            let start = space.m.and_exists(start, &case.values, &self.selectors)?;
            let image = way(case).product(space, &start, care)?;
            all = space.m.or(&all, &image)?;
        }
        Ok(all)
    }

    /// Which inputs, not counting those that are next values, make a step between two states,
    /// each given by the values of all its latches, such that `taken` holds.
    pub(crate) fn inputs_between(
        &self,
        space: &mut Space<'_>,
        from: &Bdd,
        to: &Bdd,
        taken: Option<&Bdd>,
    ) -> Result<Bdd> {
        let to = space.m.shift(to)?;
        let both = space.m.and(from, &to)?;
        let states = space.m.and(&self.current, &self.next)?;
        let mut inputs = space.m.one();
        for part in self.with_inputs.iter().chain(taken) {
            let here = space.m.and_exists(part, &both, &states)?;
            inputs = space.m.and(&inputs, &here)?;
        }
        Ok(inputs)
    }

    /// Makes clusters smaller, given the only states from which steps will ever be asked for.
    pub(crate) fn simplify(&mut self, space: &mut Space<'_>, states: &Bdd) -> Result<()> {
        let ways = self.cases.iter_mut();
        for sequence in ways.flat_map(|case| [&mut case.forward, &mut case.backward]) {
            for (cluster, _) in &mut sequence.clusters {
                let smaller = space.m.restrict(cluster, states)?;
                if space.m.size(&[&smaller]) < space.m.size(&[cluster]) {
                    *cluster = smaller;
                }
            }
        }
        Ok(())
    }
}

impl Case {
    /// The steps for some values of the selectors, if there are any. `own` inputs are free once
    /// the parts that have them are multiplied in, `rest` are all but the selectors.
    fn new(
        space: &mut Space<'_>,
        parts: &[Bdd],
        values: Bdd,
        (own, rest): (&[Var], &[Var]),
    ) -> Result<Option<Case>> {
        let mut restricted: Vec<Bdd> = Vec::new();
        for part in parts {
            let part = space.m.restrict(part, &values)?;
            if part.is_zero() {
                return Ok(None);
            }
            if !part.is_one() && !restricted.contains(&part) {
                restricted.push(part);
            }
        }
        let local = quantify_local(space, restricted, own)?;
        let away: Vec<Var> = space.current.iter().chain(rest).copied().collect();
        let order = sequence(space, local, &away);
        let clusters = put_together(space, order, own)?;
        let forward = Sequence::new(space, clusters.clone(), &away)?;
        let away: Vec<Var> = space.next.iter().chain(rest).copied().collect();
        let backward = Sequence::new(space, clusters, &away)?;
        Ok(Some(Case {
            values,
            forward,
            backward,
        }))
    }
}

/// Inputs on which most of many parts depend.
fn selectors(space: &Space<'_>, parts: &[Bdd]) -> Vec<Var> {
    if parts.len() < FEW_PARTS {
        return Vec::new();
    }
    let mut occurrences: HashMap<Var, usize> = HashMap::new();
    for var in parts.iter().flat_map(|part| space.m.support(part)) {
        *occurrences.entry(var).or_default() += 1;
    }
    let often = |var: &Var| occurrences.get(var).is_some_and(|n| 2 * n > parts.len());
    let found: Vec<Var> = space.free_inputs().into_iter().filter(often).collect();
    if found.len() > SELECTORS {
        return Vec::new();
    }
    found
}

impl Sequence {
    fn new(space: &mut Space<'_>, clusters: Vec<Bdd>, away: &[Var]) -> Result<Sequence> {
        let clusters = sequence(space, clusters, away);
        let mut last: HashMap<Var, usize> = HashMap::new();
        for (index, cluster) in clusters.iter().enumerate() {
            for var in space.m.support(cluster) {
                last.insert(var, index);
            }
        }
        let of = |index: Option<usize>| {
            let vars = away.iter().copied();
            vars.filter(|var| last.get(var).copied() == index)
                .collect::<Vec<_>>()
        };
        let first = space.m.cube(of(None))?;
        let mut with_cubes = Vec::new();
        for (index, cluster) in clusters.into_iter().enumerate() {
            let cube = space.m.cube(of(Some(index)))?;
            with_cubes.push((cluster, cube));
        }
        Ok(Sequence {
            first,
            clusters: with_cubes,
        })
    }

    /// Multiplies in all clusters. What is outside of `care` may become anything on the way.
    fn product(&self, space: &mut Space<'_>, start: &Bdd, care: Option<&Bdd>) -> Result<Bdd> {
        let mut product = space.m.exists(start, &self.first)?;
        for (cluster, cube) in &self.clusters {
            if product.is_zero() {
                break;
            }
            product = space.m.and_exists(&product, cluster, cube)?;
            if let Some(care) = care {
                let size = space.m.size(&[&product]);
                if size > SMALL {
                    let smaller = space.m.restrict(&product, care)?;
                    if space.m.size(&[&smaller]) < size {
                        product = smaller;
                    }
                }
            }
        }
        Ok(product)
    }
}

/// Quantifies inputs that only one part has.
fn quantify_local(space: &mut Space<'_>, parts: Vec<Bdd>, inputs: &[Var]) -> Result<Vec<Bdd>> {
    let mut occurrences: HashMap<Var, u32> = HashMap::new();
    for part in &parts {
        for var in space.m.support(part) {
            *occurrences.entry(var).or_default() += 1;
        }
    }
    let mut result = Vec::new();
    for part in parts {
        let support = space.m.support(&part);
        let local = support
            .into_iter()
            .filter(|var| occurrences[var] == 1 && inputs.contains(var));
        let cube = space.m.cube(local)?;
        let part = space.m.exists(&part, &cube)?;
        if !part.is_one() {
            result.push(part);
        }
    }
    Ok(result)
}

/// Puts functions into an order in which variables can go early: next comes the one that lets most
/// of its variables go and brings in fewest new ones.
fn sequence(space: &Space<'_>, functions: Vec<Bdd>, away: &[Var]) -> Vec<Bdd> {
    let mut goes = vec![false; space.m.variable_count()];
    for var in away {
        goes[var.index()] = true;
    }
    let supports: Vec<Vec<Var>> = functions.iter().map(|f| space.m.support(f)).collect();
    let mut left: Vec<u32> = vec![0; space.m.variable_count()];
    for var in supports.iter().flatten() {
        left[var.index()] += 1;
    }
    let mut seen = vec![false; space.m.variable_count()];
    let mut place = vec![0usize; space.m.variable_count()];
    for (level, var) in space.m.order().into_iter().enumerate() {
        place[var.index()] = level;
    }
    let mut open: Vec<Option<Bdd>> = functions.into_iter().map(Some).collect();
    let levels = space.m.variable_count().max(1) as f64;
    let mut result = Vec::new();
    for _ in 0..open.len() {
        let mut best: Option<(f64, usize)> = None;
        for (index, support) in supports.iter().enumerate() {
            if open[index].is_none() {
                continue;
            }
            let (mut leaving, mut going, mut coming, mut highest) = (0u32, 0u32, 0u32, 0usize);
            for var in support {
                if goes[var.index()] {
                    going += 1;
                    leaving += u32::from(left[var.index()] == 1);
                    highest = highest.max(place[var.index()]);
                } else {
                    coming += u32::from(!seen[var.index()]);
                }
            }
            let size = support.len().max(1) as f64;
            let benefit = 2.0 * f64::from(leaving) / f64::from(going.max(1))
                - f64::from(coming) / size
                + highest as f64 / levels;
            if best.is_none_or(|(most, _)| benefit > most) {
                best = Some((benefit, index));
            }
        }
        let Some((_, index)) = best else { break };
        for var in &supports[index] {
            left[var.index()] -= 1;
            seen[var.index()] = true;
        }
        result.extend(open[index].take());
    }
    result
}

/// Multiplies neighbours as long as the product is small, and lets inputs go that are done with.
fn put_together(space: &mut Space<'_>, parts: Vec<Bdd>, inputs: &[Var]) -> Result<Vec<Bdd>> {
    let mut left: HashMap<Var, u32> = HashMap::new();
    for part in &parts {
        for var in space.m.support(part) {
            *left.entry(var).or_default() += 1;
        }
    }
    let mut clusters: Vec<Bdd> = Vec::new();
    // Variables of the last cluster and how many of its parts have them.
    let mut own: HashMap<Var, u32> = HashMap::new();
    for part in parts {
        let support = space.m.support(&part);
        let joined = match clusters.last() {
            Some(last) if space.m.size(&[last]) + space.m.size(&[&part]) <= 2 * CLUSTER => {
                let product = space.m.and(last, &part)?;
                (space.m.size(&[&product]) <= CLUSTER).then_some(product)
            }
            _ => None,
        };
        if let Some(product) = joined {
            clusters.pop();
            clusters.push(product);
        } else {
            own.clear();
            clusters.push(part);
        }
        for var in support {
            *own.entry(var).or_default() += 1;
        }
        // Inputs that only this cluster has.
        let mut done: Vec<Var> = own
            .iter()
            .filter(|&(var, count)| inputs.contains(var) && left[var] == *count)
            .map(|(var, _)| *var)
            .collect();
        if !done.is_empty() {
            done.sort_unstable();
            own.retain(|var, _| !done.contains(var));
            let cube = space.m.cube(done)?;
            if let Some(last) = clusters.pop() {
                clusters.push(space.m.exists(&last, &cube)?);
            }
        }
    }
    Ok(clusters)
}
