//! Where the formulas of a system hold on a graph.
//!
//! Formulas that do not depend on each other are looked at one after the other. Formulas that do
//! form a block. If its fixpoints are all least ones, it is solved as Cleaveland and Steffen do (*A
//! linear-time model-checking algorithm for the alternation-free modal mu-calculus*, 1993): nothing
//! holds at first, and what is found to hold is passed on to what depends on it. If they are all
//! greatest ones, the same with what is found not to hold. Blocks that mix them are [parity
//! games](crate::parity). The order in which things were found stays as evidence, for
//! [the audit](crate::audit).

use logic::mu::{LabelSet, Node, NodeId, System};
use model::{Budget, StateSet, UnknownReason, Vertex};

use crate::graph::Graph;
use crate::parity;

/// Where formulas hold, and why.
pub(crate) struct Solution {
    /// For each formula that is needed, where it holds.
    columns: Vec<Option<StateSet>>,
    /// Block by block, in the order in which they were solved.
    pub(crate) reasons: Vec<Reason>,
}

/// Why the formulas of a block hold where they do.
pub(crate) enum Reason {
    /// A single formula, as its parts are.
    Evident(NodeId),
    /// Formulas that depend on each other, all fixpoints of one kind. One after the other was found
    /// to hold (least) or not to hold (greatest); all others do not, or do.
    Derived {
        least: bool,
        block: Vec<NodeId>,
        /// The place of the formula in the block, and the state.
        order: Vec<(u32, Vertex)>,
    },
    /// Formulas that depend on each other, won as a game.
    Won(parity::Won),
}

impl Solution {
    /// Where a formula holds.
    pub(crate) fn column(&self, node: NodeId) -> &StateSet {
        let column = self.columns[node.0 as usize].as_ref();
        column.expect("a formula is solved before those that need it")
    }

    pub(crate) fn holds(&self, node: NodeId, vertex: Vertex) -> bool {
        self.column(node).has(vertex)
    }

    /// Says the opposite of one thing that was found out, for tests of the audit.
    #[cfg(test)]
    pub(crate) fn corrupt(&mut self, node: NodeId, vertex: Vertex) {
        let column = self.columns[node.0 as usize]
            .as_mut()
            .expect("it is solved");
        if column.has(vertex) {
            column.remove(vertex);
        } else {
            column.add(vertex);
        }
    }
}

/// Solves a system. `atom` gives the states where a proposition holds.
pub(crate) fn solve<A>(
    system: &System<A>,
    graph: &Graph<'_>,
    atom: &dyn Fn(&A) -> StateSet,
    budget: &Budget,
) -> Result<Solution, UnknownReason> {
    let mut solution = Solution {
        columns: vec![None; system.len()],
        reasons: Vec::new(),
    };
    let mut bytes = graph.bytes();
    for block in system.blocks() {
        let cyclic = block.len() > 1 || system.needs(block[0]).contains(&block[0]);
        bytes += block.len() as u64 * (graph.len() as u64 / 8);
        if let Some(reason) = budget.exhausted(bytes) {
            return Err(reason);
        }
        if !cyclic {
            let node = block[0];
            let column = evident(system, graph, atom, &solution, node);
            solution.columns[node.0 as usize] = Some(column);
            solution.reasons.push(Reason::Evident(node));
            continue;
        }
        let kinds: Vec<bool> = block
            .iter()
            .filter_map(|node| match system.node(*node) {
                Node::Fixpoint(id) => Some(system.fixpoint(*id).least),
                _ => None,
            })
            .collect();
        let reason = if kinds.iter().all(|least| *least == kinds[0]) {
            derive(system, graph, &mut solution, block, kinds[0], budget)?
        } else {
            let (won, columns) = parity::win(system, graph, &solution, &block, budget)?;
            for (node, column) in block.iter().zip(columns) {
                solution.columns[node.0 as usize] = Some(column);
            }
            Reason::Won(won)
        };
        bytes += match &reason {
            Reason::Derived { order, .. } => 8 * order.len() as u64,
            _ => 0,
        };
        solution.reasons.push(reason);
    }
    Ok(solution)
}

/// A formula that does not depend on itself.
fn evident<A>(
    system: &System<A>,
    graph: &Graph<'_>,
    atom: &dyn Fn(&A) -> StateSet,
    solution: &Solution,
    node: NodeId,
) -> StateSet {
    let count = graph.len();
    match system.node(node) {
        Node::True => StateSet::all(count),
        Node::False => StateSet::none(count),
        Node::Literal(number, positive) => {
            let set = atom(&system.atoms[*number as usize]);
            if *positive { set } else { set.not() }
        }
        Node::And(parts) => {
            let parts = parts.iter().map(|part| solution.column(*part));
            parts.fold(StateSet::all(count), StateSet::and)
        }
        Node::Or(parts) => {
            let parts = parts.iter().map(|part| solution.column(*part));
            parts.fold(StateSet::none(count), StateSet::or)
        }
        Node::Box(set, part) | Node::Diamond(set, part) => {
            let labels = system.label_set(*set);
            let column = solution.column(*part);
            let all = matches!(system.node(node), Node::Box(..));
            // The states behind which something decides.
            let mut found = StateSet::none(count);
            for vertex in graph.vertices() {
                let decides = graph
                    .forward()
                    .edges(vertex)
                    .any(|(label, to)| labels.has(label) && column.has(to) != all);
                if decides {
                    found.add(vertex);
                }
            }
            if all { found.not() } else { found }
        }
        Node::Fixpoint(id) => solution.column(system.fixpoint(*id).body).clone(),
    }
}

/// How a formula of a block comes to be found.
#[derive(Clone, Copy)]
enum Rule<'s> {
    /// With the first of its parts,
    Any,
    /// with the last of them,
    All,
    /// with the first state behind a transition,
    AnyStep(&'s LabelSet),
    /// with the last.
    AllSteps(&'s LabelSet),
}

/// Solves a block whose fixpoints are of one kind.
fn derive<A>(
    system: &System<A>,
    graph: &Graph<'_>,
    solution: &mut Solution,
    block: Vec<NodeId>,
    least: bool,
    budget: &Budget,
) -> Result<Reason, UnknownReason> {
    let count = graph.len();
    let mut place = vec![u32::MAX; system.len()];
    for (number, node) in (0..).zip(&block) {
        place[node.0 as usize] = number;
    }
    let inside = |node: &NodeId| place[node.0 as usize] != u32::MAX;
    let rules: Vec<Rule<'_>> = block
        .iter()
        .map(|node| match system.node(*node) {
            Node::Or(_) if least => Rule::Any,
            Node::And(_) if !least => Rule::Any,
            Node::Diamond(set, _) if least => Rule::AnyStep(system.label_set(*set)),
            Node::Box(set, _) if !least => Rule::AnyStep(system.label_set(*set)),
            Node::Box(set, _) | Node::Diamond(set, _) => Rule::AllSteps(system.label_set(*set)),
            _ => Rule::All,
        })
        .collect();
    let mut parents: Vec<Vec<u32>> = vec![Vec::new(); block.len()];
    for (number, node) in (0..).zip(&block) {
        for part in system.needs(*node).iter().filter(|part| inside(part)) {
            parents[place[part.0 as usize] as usize].push(number);
        }
    }
    // What has been found, in order; what of it has not been passed on stands behind `head`.
    let mut found: Vec<StateSet> = vec![StateSet::none(count); block.len()];
    let mut order: Vec<(u32, Vertex)> = Vec::new();
    let mut left: Vec<Vec<u32>> = vec![Vec::new(); block.len()];
    for (number, (node, rule)) in block.iter().zip(&rules).enumerate() {
        let name = u32::try_from(number).expect("formulas are limited");
        match rule {
            Rule::Any => {
                for part in system.needs(*node).iter().filter(|part| !inside(part)) {
                    let column = solution.column(*part).clone();
                    let decides = if least { column } else { column.not() };
                    for vertex in decides.iter() {
                        if found[number].add(vertex) {
                            order.push((name, vertex));
                        }
                    }
                }
            }
            Rule::AllSteps(labels) => {
                let mut steps = vec![0u32; count];
                for vertex in graph.vertices() {
                    let labels_here = graph.forward().labels(vertex);
                    let many = match labels {
                        LabelSet::All => labels_here.len(),
                        LabelSet::These(_) => {
                            labels_here.iter().filter(|l| labels.has(**l)).count()
                        }
                    };
                    steps[vertex as usize] = u32::try_from(many).expect("transitions fit");
                    if many == 0 && found[number].add(vertex) {
                        order.push((name, vertex));
                    }
                }
                left[number] = steps;
            }
            Rule::All | Rule::AnyStep(_) => {}
        }
    }
    let mut head = 0;
    while let Some(&(number, vertex)) = order.get(head) {
        head += 1;
        if head.is_multiple_of(1 << 16)
            && let Some(reason) = budget.exhausted(8 * order.len() as u64)
        {
            return Err(reason);
        }
        for &parent in &parents[number as usize] {
            let p = parent as usize;
            match rules[p] {
                Rule::Any => {
                    if found[p].add(vertex) {
                        order.push((parent, vertex));
                    }
                }
                Rule::All => {
                    let every =
                        system
                            .needs(block[p])
                            .iter()
                            .all(|part| match place[part.0 as usize] {
                                u32::MAX => solution.column(*part).has(vertex) == least,
                                number => found[number as usize].has(vertex),
                            });
                    if every && found[p].add(vertex) {
                        order.push((parent, vertex));
                    }
                }
                Rule::AnyStep(labels) => {
                    for &(from, label) in graph.sources(vertex) {
                        if labels.has(label) && found[p].add(from) {
                            order.push((parent, from));
                        }
                    }
                }
                Rule::AllSteps(labels) => {
                    for &(from, label) in graph.sources(vertex) {
                        if !labels.has(label) {
                            continue;
                        }
                        let left = &mut left[p][from as usize];
                        *left -= 1;
                        if *left == 0 && found[p].add(from) {
                            order.push((parent, from));
                        }
                    }
                }
            }
        }
    }
    for (node, found) in block.iter().zip(found) {
        let column = if least { found } else { found.not() };
        solution.columns[node.0 as usize] = Some(column);
    }
    Ok(Reason::Derived {
        least,
        block,
        order,
    })
}
