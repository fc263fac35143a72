//! Checks what was found out about formulas, with nothing of what found it but the graph and the
//! formulas.
//!
//! A formula that does not depend on itself must hold where its parts say so. What was derived step
//! by step must follow at each step from what was derived before, and at the end nothing more may
//! follow. A game's winning moves must stay where their player wins, and no cycle on which the
//! other never leaves them may be the other's.

use logic::mu::{Node, NodeId, System};
use model::{StateSet, Vertex};

use crate::graph::Graph;
use crate::parity::{Arena, DECIDED, Position, Won};
use crate::solve::{Reason, Solution};

/// Checks a solution.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn audit<A>(
    system: &System<A>,
    graph: &Graph<'_>,
    atom: &dyn Fn(&A) -> StateSet,
    solution: &Solution,
) -> Result<(), String> {
    let mut known = vec![false; system.len()];
    let check = Check {
        system,
        graph,
        solution,
    };
    for reason in &solution.reasons {
        let block = match reason {
            Reason::Evident(node) => {
                check.evident(*node, atom, &known)?;
                std::slice::from_ref(node)
            }
            Reason::Derived {
                least,
                block,
                order,
            } => {
                check.derived(*least, block, order, &known)?;
                block
            }
            Reason::Won(won) => {
                check.won(won, &known)?;
                &won.block
            }
        };
        for node in block {
            known[node.0 as usize] = true;
        }
    }
    if known[system.root.0 as usize] {
        Ok(())
    } else {
        Err("the formula itself was not looked at".to_owned())
    }
}

struct Check<'c, A> {
    system: &'c System<A>,
    graph: &'c Graph<'c>,
    solution: &'c Solution,
}

impl<A> Check<'_, A> {
    /// What a formula must be at a state, given what its parts are.
    #[inline]
    fn follows(
        &self,
        node: NodeId,
        vertex: Vertex,
        part: &impl Fn(NodeId, Vertex) -> bool,
    ) -> bool {
        match self.system.node(node) {
            Node::True => true,
            Node::False => false,
            Node::Literal(..) => self.solution.holds(node, vertex),
            Node::And(ps) => ps.iter().all(|p| part(*p, vertex)),
            Node::Or(ps) => ps.iter().any(|p| part(*p, vertex)),
            Node::Box(set, p) => {
                let labels = self.system.label_set(*set);
                let mut edges = self.graph.forward().edges(vertex);
                edges.all(|(label, to)| !labels.has(label) || part(*p, to))
            }
            Node::Diamond(set, p) => {
                let labels = self.system.label_set(*set);
                let mut edges = self.graph.forward().edges(vertex);
                edges.any(|(label, to)| labels.has(label) && part(*p, to))
            }
            Node::Fixpoint(id) => part(self.system.fixpoint(*id).body, vertex),
        }
    }

    fn evident(
        &self,
        node: NodeId,
        atom: &dyn Fn(&A) -> StateSet,
        known: &[bool],
    ) -> Result<(), String> {
        if self.system.needs(node).iter().any(|p| !known[p.0 as usize]) {
            return Err("a formula was taken for known that was not".to_owned());
        }
        let column = self.solution.column(node);
        if let Node::Literal(number, positive) = self.system.node(node) {
            let set = atom(&self.system.atoms[*number as usize]);
            let same = |v: Vertex| column.has(v) == (set.has(v) == *positive);
            return match self.graph.vertices().all(same) {
                true => Ok(()),
                false => Err("a proposition holds elsewhere".to_owned()),
            };
        }
        let part = |p: NodeId, v: Vertex| self.solution.holds(p, v);
        for vertex in self.graph.vertices() {
            if self.follows(node, vertex, &part) != column.has(vertex) {
                return Err(format!("formula {} is wrong in state {vertex}", node.0));
            }
        }
        Ok(())
    }

    fn derived(
        &self,
        least: bool,
        block: &[NodeId],
        order: &[(u32, Vertex)],
        known: &[bool],
    ) -> Result<(), String> {
        let mut place: Vec<Option<usize>> = vec![None; self.system.len()];
        for (number, node) in block.iter().enumerate() {
            place[node.0 as usize] = Some(number);
            if let Node::Fixpoint(id) = self.system.node(*node)
                && self.system.fixpoint(*id).least != least
            {
                return Err("a fixpoint of the other kind was among those derived".to_owned());
            }
        }
        for part in block.iter().flat_map(|node| self.system.needs(*node)) {
            if place[part.0 as usize].is_none() && !known[part.0 as usize] {
                return Err("a formula was taken for known that was not".to_owned());
            }
        }
        let mut derived = vec![StateSet::none(self.graph.len()); block.len()];
        for &(number, vertex) in order {
            let part = |p: NodeId, v: Vertex| match place[p.0 as usize] {
                Some(number) => derived[number].has(v) == least,
                None => self.solution.holds(p, v),
            };
            let node = block[number as usize];
            if self.follows(node, vertex, &part) != least {
                return Err(format!("formula {} was derived too early", node.0));
            }
            derived[number as usize].add(vertex);
        }
        let part = |p: NodeId, v: Vertex| self.solution.holds(p, v);
        for (node, derived) in block.iter().zip(&derived) {
            let column = self.solution.column(*node);
            for vertex in self.graph.vertices() {
                // What followed from less still follows: no formula is negated.
                let was_derived = derived.has(vertex);
                if column.has(vertex) != (was_derived == least)
                    || !was_derived && self.follows(*node, vertex, &part) == least
                {
                    return Err(format!("formula {} is wrong in state {vertex}", node.0));
                }
            }
        }
        Ok(())
    }

    fn won(&self, won: &Won, known: &[bool]) -> Result<(), String> {
        let outside = |p: &NodeId| !won.block.contains(p);
        for part in won.block.iter().flat_map(|node| self.system.needs(*node)) {
            if outside(part) && !known[part.0 as usize] {
                return Err("a formula was taken for known that was not".to_owned());
            }
        }
        let arena = Arena::new(self.system, self.graph, self.solution, &won.block)
            .map_err(|_| "the game is too large".to_owned())?;
        if arena.priorities != won.priorities {
            return Err("the game has other priorities".to_owned());
        }
        let holds = |position: Position| {
            let (number, vertex) = arena.split(position);
            self.solution.holds(won.block[number], vertex)
        };
        let count = u32::try_from(won.block.len() * self.graph.len()).unwrap_or(u32::MAX);
        let mut nexts = Vec::new();
        // The moves that are left when the winner of each position keeps to the winning ones.
        let kept = |position: Position, to: &mut Vec<Position>| {
            arena.moves(position, to);
            let (number, _) = arena.split(position);
            if arena.decided(position).is_some() {
                to.clear();
            } else if arena.wants(number) == holds(position) {
                let chosen = won.moves[position as usize];
                to.retain(|next| *next == chosen);
                to.dedup();
            }
        };
        for position in 0..count {
            if let Some(winner) = arena.decided(position) {
                if winner != holds(position) {
                    return Err("a position is decided the other way".to_owned());
                }
                continue;
            }
            kept(position, &mut nexts);
            if nexts.is_empty() {
                return Err(match won.moves[position as usize] {
                    DECIDED => "a winner has no move".to_owned(),
                    _ => "a winner makes a move that there is not".to_owned(),
                });
            }
            if nexts.iter().any(|next| holds(*next) != holds(position)) {
                return Err("a play can leave where it is won".to_owned());
            }
        }
        let highest = won.priorities.iter().copied().max().unwrap_or(0);
        for priority in 0..=highest {
            // A cycle whose highest priority this is must not lie where the other wins.
            let bad = |position: Position| {
                let (number, _) = arena.split(position);
                won.priorities[number] <= priority && holds(position) != priority.is_multiple_of(2)
            };
            let top = |position: Position| won.priorities[arena.split(position).0] == priority;
            if has_cycle(count, &bad, &top, &kept) {
                return Err("a play that is won goes round in the other's favour".to_owned());
            }
        }
        Ok(())
    }
}

/// Whether some cycle of positions in a set passes one of the wanted ones (Tarjan 1972).
fn has_cycle(
    count: u32,
    within: &dyn Fn(Position) -> bool,
    wanted: &dyn Fn(Position) -> bool,
    moves: &dyn Fn(Position, &mut Vec<Position>),
) -> bool {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; count as usize];
    let mut low = vec![0u32; count as usize];
    let mut open = vec![false; count as usize];
    let mut stack: Vec<Position> = Vec::new();
    let mut next_number = 0;
    for root in 0..count {
        if number[root as usize] != NEW || !within(root) {
            continue;
        }
        let mut way: Vec<(Position, Vec<Position>)> = Vec::new();
        let mut entered = Some(root);
        loop {
            if let Some(position) = entered.take() {
                number[position as usize] = next_number;
                low[position as usize] = next_number;
                next_number += 1;
                stack.push(position);
                open[position as usize] = true;
                let mut nexts = Vec::new();
                moves(position, &mut nexts);
                nexts.retain(|next| within(*next));
                if nexts.contains(&position) && wanted(position) {
                    return true;
                }
                way.push((position, nexts));
            }
            let Some((position, nexts)) = way.last_mut() else {
                break;
            };
            let at = *position as usize;
            match nexts.pop() {
                Some(next) if number[next as usize] == NEW => entered = Some(next),
                Some(next) if open[next as usize] => low[at] = low[at].min(number[next as usize]),
                Some(_) => {}
                None => {
                    let here = *position;
                    way.pop();
                    if low[at] == number[at] {
                        let begin = stack.iter().rposition(|p| *p == here).unwrap_or(0);
                        let component = stack.split_off(begin);
                        if component.len() > 1 && component.iter().any(|p| wanted(*p)) {
                            return true;
                        }
                        for member in component {
                            open[member as usize] = false;
                        }
                    }
                    if let Some((parent, _)) = way.last() {
                        let parent = *parent as usize;
                        low[parent] = low[parent].min(low[at]);
                    }
                }
            }
        }
    }
    false
}
