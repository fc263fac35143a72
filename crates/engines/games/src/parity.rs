//! Blocks of formulas whose least and greatest fixpoints depend on each other, as parity games.
//!
//! A position is a formula at a state. Whoever wants it to hold chooses at disjunctions and
//! diamonds, the other at conjunctions and boxes. A play that goes on for ever is won by the
//! outermost fixpoint that it meets again and again: a greatest one says that it holds (Emerson and
//! Jutla 1991). The game is never written down; its moves are read off the graph and the formulas.
//! It is solved by Zielonka's algorithm (1998), whose recursion is as deep as fixpoints alternate.

use logic::mu::{Node, NodeId, System};
use model::{Budget, StateSet, UnknownReason, Vertex};

use crate::graph::Graph;
use crate::solve::Solution;

/// A formula of the block at a state.
pub(crate) type Position = u32;

/// No move: it is decided at once.
pub(crate) const DECIDED: Position = Position::MAX;

/// Moves that win.
pub(crate) struct Won {
    pub(crate) block: Vec<NodeId>,
    /// The priority of each formula of the block: even ones are those of greatest fixpoints, the
    /// outermost has the largest.
    pub(crate) priorities: Vec<u32>,
    /// For each position where its owner wins, where to move.
    pub(crate) moves: Vec<Position>,
}

/// The game of a block.
pub(crate) struct Arena<'a, A> {
    system: &'a System<A>,
    graph: &'a Graph<'a>,
    solution: &'a Solution,
    block: &'a [NodeId],
    place: Vec<u32>,
    parents: Vec<Vec<u32>>,
    pub(crate) priorities: Vec<u32>,
    count: usize,
}

/// Positions, formula by formula.
type Region = Vec<StateSet>;

impl<'a, A> Arena<'a, A> {
    pub(crate) fn new(
        system: &'a System<A>,
        graph: &'a Graph<'a>,
        solution: &'a Solution,
        block: &'a [NodeId],
    ) -> Result<Self, UnknownReason> {
        let count = graph.len();
        if (block.len() as u64 + 1) * count as u64 >= u64::from(u32::MAX) {
            return Err(UnknownReason::Memory);
        }
        let mut place = vec![u32::MAX; system.len()];
        for (number, node) in (0..).zip(block) {
            place[node.0 as usize] = number;
        }
        let mut parents: Vec<Vec<u32>> = vec![Vec::new(); block.len()];
        for (number, node) in (0..).zip(block) {
            for part in system.needs(*node) {
                if let Some(parents) = parents.get_mut(place[part.0 as usize] as usize) {
                    parents.push(number);
                }
            }
        }
        Ok(Arena {
            system,
            graph,
            solution,
            block,
            place,
            parents,
            priorities: priorities(system, block),
            count,
        })
    }

    pub(crate) fn split(&self, position: Position) -> (usize, Vertex) {
        let count = u32::try_from(self.count).expect("states are numbered in 32 bits");
        ((position / count) as usize, position % count)
    }

    pub(crate) fn join(&self, number: usize, vertex: Vertex) -> Position {
        let count = u32::try_from(self.count).expect("states are numbered in 32 bits");
        u32::try_from(number).expect("formulas are limited") * count + vertex
    }

    /// Who moves: whoever wants the formula to hold, or the other.
    pub(crate) fn wants(&self, number: usize) -> bool {
        !matches!(
            self.system.node(self.block[number]),
            Node::And(_) | Node::Box(..)
        )
    }

    /// The moves within the game.
    pub(crate) fn moves(&self, position: Position, to: &mut Vec<Position>) {
        to.clear();
        let (number, vertex) = self.split(position);
        let node = self.block[number];
        match self.system.node(node) {
            Node::Box(set, part) | Node::Diamond(set, part) => {
                let labels = self.system.label_set(*set);
                let part = self.place[part.0 as usize] as usize;
                for (label, next) in self.graph.forward().edges(vertex) {
                    if labels.has(label) {
                        to.push(self.join(part, next));
                    }
                }
            }
            _ => {
                for part in self.system.needs(node) {
                    let part = self.place[part.0 as usize];
                    if part != u32::MAX {
                        to.push(self.join(part as usize, vertex));
                    }
                }
            }
        }
    }

    /// Where moves within the game come from.
    fn moves_to(&self, position: Position, from: &mut Vec<Position>) {
        from.clear();
        let (number, vertex) = self.split(position);
        for &parent in &self.parents[number] {
            let parent = parent as usize;
            match self.system.node(self.block[parent]) {
                Node::Box(set, _) | Node::Diamond(set, _) => {
                    let labels = self.system.label_set(*set);
                    for &(source, label) in self.graph.sources(vertex) {
                        if labels.has(label) {
                            from.push(self.join(parent, source));
                        }
                    }
                }
                _ => from.push(self.join(parent, vertex)),
            }
        }
    }

    /// Who wins at once, if somebody does: by what lies outside of the block, or because the owner
    /// of the position cannot move.
    pub(crate) fn decided(&self, position: Position) -> Option<bool> {
        let (number, vertex) = self.split(position);
        let node = self.block[number];
        let wants = self.wants(number);
        match self.system.node(node) {
            Node::Box(set, _) | Node::Diamond(set, _) => {
                let labels = self.system.label_set(*set);
                let stuck = !self
                    .graph
                    .forward()
                    .labels(vertex)
                    .iter()
                    .any(|l| labels.has(*l));
                stuck.then_some(!wants)
            }
            _ => self
                .system
                .needs(node)
                .iter()
                .filter(|part| self.place[part.0 as usize] == u32::MAX)
                .any(|part| self.solution.holds(*part, vertex) == wants)
                .then_some(wants),
        }
    }
}

/// Priorities of the formulas of a block: an outer fixpoint's is not less than those inside it.
fn priorities<A>(system: &System<A>, block: &[NodeId]) -> Vec<u32> {
    let mut fixpoints: Vec<(u32, bool, usize)> = block
        .iter()
        .enumerate()
        .filter_map(|(number, node)| match system.node(*node) {
            Node::Fixpoint(id) => {
                let fixpoint = system.fixpoint(*id);
                Some((fixpoint.depth, fixpoint.least, number))
            }
            _ => None,
        })
        .collect();
    // From the inside out. Which of two of the same depth matters more makes no difference: what
    // depends on both depends on one around them.
    fixpoints.sort_unstable_by(|a, b| b.cmp(a));
    let mut priorities = vec![0; block.len()];
    let mut at = 0;
    for (_, least, number) in fixpoints {
        if (at % 2 == 1) != least {
            at += 1;
        }
        priorities[number] = at;
    }
    priorities
}

/// Solves a block; gives for each of its formulas where it holds.
pub(crate) fn win<A>(
    system: &System<A>,
    graph: &Graph<'_>,
    solution: &Solution,
    block: &[NodeId],
    budget: &Budget,
) -> Result<(Won, Vec<StateSet>), UnknownReason> {
    let arena = Arena::new(system, graph, solution, block)?;
    let positions = block.len() * graph.len();
    if let Some(reason) = budget.exhausted(8 * positions as u64) {
        return Err(reason);
    }
    let mut solver = Solver {
        arena: &arena,
        budget,
        moves: vec![DECIDED; positions],
        left: vec![u32::MAX; positions],
        touched: Vec::new(),
    };
    let mut region: Region = vec![StateSet::all(graph.len()); block.len()];
    let nothing: Region = vec![StateSet::none(graph.len()); block.len()];
    let (mut theirs, mut others) = (nothing.clone(), nothing);
    for (number, (theirs, others)) in theirs.iter_mut().zip(&mut others).enumerate() {
        for vertex in graph.vertices() {
            match arena.decided(arena.join(number, vertex)) {
                Some(true) => theirs.add(vertex),
                Some(false) => others.add(vertex),
                None => continue,
            };
        }
    }
    // What is decided for one cannot be forced by the other.
    solver.attract(true, &mut theirs, &region, Some(&others))?;
    region = minus(&region, &theirs);
    solver.attract(false, &mut others, &region, None)?;
    region = minus(&region, &others);
    let mut holds = theirs;
    let rest = solver.zielonka(region)?;
    for (holds, more) in holds.iter_mut().zip(&rest) {
        *holds = holds.clone().or(more);
    }
    let moves = solver.moves;
    let won = Won {
        block: block.to_vec(),
        priorities: arena.priorities,
        moves,
    };
    Ok((won, holds))
}

struct Solver<'a, A> {
    arena: &'a Arena<'a, A>,
    budget: &'a Budget,
    moves: Vec<Position>,
    /// While attracting: how many moves of a position do not lead into the set yet.
    left: Vec<u32>,
    touched: Vec<Position>,
}

impl<A> Solver<'_, A> {
    /// Adds to a set all positions of a region from which a player can force a play into it, but
    /// for those that are decided.
    fn attract(
        &mut self,
        player: bool,
        set: &mut Region,
        region: &Region,
        decided: Option<&Region>,
    ) -> Result<(), UnknownReason> {
        if let Some(reason) = self.budget.exhausted(0) {
            return Err(reason);
        }
        let mut waiting: Vec<Position> = Vec::new();
        for (number, states) in set.iter().enumerate() {
            waiting.extend(states.iter().map(|vertex| self.arena.join(number, vertex)));
        }
        let (mut from, mut nexts) = (Vec::new(), Vec::new());
        while let Some(position) = waiting.pop() {
            self.arena.moves_to(position, &mut from);
            for &before in &from {
                let (number, vertex) = self.arena.split(before);
                if !region[number].has(vertex)
                    || set[number].has(vertex)
                    || decided.is_some_and(|decided| decided[number].has(vertex))
                {
                    continue;
                }
                if self.arena.wants(number) == player {
                    self.moves[before as usize] = position;
                } else {
                    let left = &mut self.left[before as usize];
                    if *left == u32::MAX {
                        self.touched.push(before);
                        self.arena.moves(before, &mut nexts);
                        let inside = |next: &&Position| {
                            let (number, vertex) = self.arena.split(**next);
                            region[number].has(vertex)
                        };
                        let many = nexts.iter().filter(inside).count();
                        *left = u32::try_from(many).expect("moves fit");
                    }
                    *left -= 1;
                    if *left > 0 {
                        continue;
                    }
                }
                set[number].add(vertex);
                waiting.push(before);
            }
        }
        for position in self.touched.drain(..) {
            self.left[position as usize] = u32::MAX;
        }
        Ok(())
    }

    /// The positions of a region that the player wins who wants formulas to hold. From each
    /// position of the region some move stays in it.
    fn zielonka(&mut self, mut region: Region) -> Result<Region, UnknownReason> {
        let nothing = |region: &Region| region.iter().all(StateSet::is_empty);
        let mut lost: Option<Region> = None;
        let priority = |region: &Region| {
            let present = region.iter().zip(&self.arena.priorities);
            present
                .filter(|(states, _)| !states.is_empty())
                .map(|(_, priority)| *priority)
                .max()
        };
        let Some(highest) = priority(&region) else {
            return Ok(region);
        };
        let player = highest.is_multiple_of(2);
        loop {
            let tops: Region = region
                .iter()
                .zip(&self.arena.priorities)
                .map(|(states, priority)| {
                    if *priority == highest {
                        states.clone()
                    } else {
                        StateSet::none(states.universe())
                    }
                })
                .collect();
            let mut drawn = tops.clone();
            self.attract(player, &mut drawn, &region, None)?;
            let rest: Region = minus(&region, &drawn);
            let holds = self.zielonka(rest.clone())?;
            let mut theirs = if player { minus(&rest, &holds) } else { holds };
            if nothing(&theirs) {
                self.stay(player, &tops, &region);
                let won = match lost {
                    None if player => region,
                    None => region
                        .iter()
                        .map(|s| StateSet::none(s.universe()))
                        .collect(),
                    Some(_) if player => region,
                    Some(lost) => lost,
                };
                return Ok(won);
            }
            self.attract(!player, &mut theirs, &region, None)?;
            region = minus(&region, &theirs);
            lost = Some(match lost {
                None => theirs,
                Some(lost) => lost
                    .iter()
                    .zip(&theirs)
                    .map(|(a, b)| a.clone().or(b))
                    .collect(),
            });
        }
    }

    /// Moves from the positions of a set that stay in the region.
    fn stay(&mut self, player: bool, tops: &Region, region: &Region) {
        let mut nexts = Vec::new();
        for (number, states) in tops.iter().enumerate() {
            if self.arena.wants(number) != player {
                continue;
            }
            for vertex in states.iter() {
                let position = self.arena.join(number, vertex);
                self.arena.moves(position, &mut nexts);
                let inside = nexts.iter().find(|next| {
                    let (number, vertex) = self.arena.split(**next);
                    region[number].has(vertex)
                });
                self.moves[position as usize] = *inside.unwrap_or(&DECIDED);
            }
        }
    }
}

fn minus(region: &Region, less: &Region) -> Region {
    let both = region.iter().zip(less);
    both.map(|(a, b)| a.clone().and(&b.clone().not())).collect()
}
