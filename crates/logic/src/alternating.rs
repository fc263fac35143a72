//! From formulas to generalised Büchi automata, by way of very weak alternating automata.
//!
//! Gastin and Oddoux, *Fast LTL to Büchi automata translation* (CAV 2001). Each formula has
//! *moves*: a letter it allows now, and formulas that must all hold from the next position on. A
//! state of the automaton is a set of formulas; its edges combine one move of each. A run may not
//! put off the right operand of an until for ever: there is one acceptance mark per until `u`,
//! carried by an edge iff `u` is not among the formulas of its target, or could have been fulfilled
//! by that very edge.
//!
//! What differs here: sets are *saturated* before they become states (`p R q` brings along what `q`
//! demands now), so that `[] <> p` and `[] <> p, <> p` are one state, and a demand met by another
//! member of the set is not met twice. A disjunction stays one formula until its position is
//! reached. Marks are still judged on the sets before saturation.
//!
//! For a cosafety formula the empty set alone carries marks: all demands are met once, and then any
//! continuation is accepted. So its automaton is terminal.

use std::collections::HashMap;
use std::rc::Rc;

use crate::buchi::Cube;
use crate::pool::{FormulaId, Node, Pool};
use crate::reduce::{Graph, MarkedEdge};
use crate::translate::TranslateError;

/// How many states the generalised automaton may have.
const MOST_STATES: usize = 5_000;
/// How many moves a set of formulas may have.
const MOST_MOVES: usize = 50_000;
/// How many edges the generalised automaton may have.
const MOST_EDGES: usize = 500_000;
/// States with more edges are not searched for edges that others make superfluous.
const MOST_EDGES_COMPARED: usize = 3_000;

/// A set of formulas, sorted.
type Set = Vec<FormulaId>;

/// A way to satisfy formulas at a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    /// What the letter must be.
    label: Cube,
    /// What must hold from the next position on.
    next: Set,
}

struct Builder<'a, A> {
    pool: &'a Pool<A>,
    /// The bit of each atom in a [`Cube`].
    bits: &'a HashMap<u32, usize>,
    moves: HashMap<FormulaId, Rc<Vec<Move>>>,
    /// The untils, one mark each, in the order of their bits.
    untils: Vec<FormulaId>,
    cosafety: bool,
}

/// The generalised automaton of `formula`, whose atoms all have a bit.
pub(crate) fn generalised<A>(
    pool: &Pool<A>,
    formula: FormulaId,
    bits: &HashMap<u32, usize>,
) -> Result<Graph, TranslateError> {
    let subformulas = subformulas(pool, formula);
    let untils: Vec<FormulaId> = subformulas
        .iter()
        .copied()
        .filter(|&p| matches!(pool.node(p), Node::Until(..)))
        .collect();
    let cosafety = !subformulas
        .iter()
        .any(|&p| matches!(pool.node(p), Node::Release(..)));
    if untils.len() > u64::BITS as usize && !cosafety {
        return Err(TranslateError::TooManyUntils {
            found: untils.len(),
        });
    }
    let mut builder = Builder {
        pool,
        bits,
        moves: HashMap::new(),
        untils,
        cosafety,
    };
    builder.build(formula)
}

/// The formula and all formulas inside it.
pub(crate) fn subformulas<A>(pool: &Pool<A>, formula: FormulaId) -> Vec<FormulaId> {
    let mut found = vec![formula];
    let mut seen = std::collections::HashSet::from([formula]);
    let mut next = 0;
    while let Some(&p) = found.get(next) {
        source::limits::check();
        next += 1;
        let mut visit = |p: &FormulaId| {
            if seen.insert(*p) {
                found.push(*p);
            }
        };
        match pool.node(p) {
            Node::True | Node::False | Node::Literal(..) => {}
            Node::And(ps) | Node::Or(ps) => ps.iter().for_each(visit),
            Node::Next(p) => visit(p),
            Node::Until(p, q) | Node::Release(p, q) => {
                visit(p);
                visit(q);
            }
        }
    }
    found
}

fn is_subset(small: &[FormulaId], large: &[FormulaId]) -> bool {
    small.iter().all(|p| large.binary_search(p).is_ok())
}

fn union(p: &[FormulaId], q: &[FormulaId]) -> Set {
    let mut both: Set = p.iter().chain(q).copied().collect();
    both.sort_unstable();
    both.dedup();
    both
}

fn product(ps: &[Move], qs: &[Move]) -> Result<Vec<Move>, TranslateError> {
    let mut both = Vec::new();
    for p in ps {
        source::limits::check();
        for q in qs {
            let label = p.label.and(q.label);
            if !label.is_false() {
                let next = union(&p.next, &q.next);
                both.push(Move { label, next });
            }
        }
        if both.len() > 4 * MOST_MOVES {
            return Err(TranslateError::TooLarge);
        }
    }
    both.sort_unstable();
    both.dedup();
    if both.len() > MOST_MOVES {
        return Err(TranslateError::TooLarge);
    }
    Ok(both)
}

/// Without the moves that demand more than another.
fn weakest(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_unstable();
    moves.dedup();
    if moves.len() > MOST_EDGES_COMPARED {
        return moves;
    }
    let demands_more = |p: &Move, q: &Move| p.label.implies(q.label) && is_subset(&q.next, &p.next);
    let mut kept: Vec<Move> = Vec::new();
    for p in moves {
        source::limits::check();
        if !kept.iter().any(|q| demands_more(&p, q)) {
            kept.retain(|q| !demands_more(q, &p));
            kept.push(p);
        }
    }
    kept
}

impl<A> Builder<'_, A> {
    fn build(&mut self, formula: FormulaId) -> Result<Graph, TranslateError> {
        let marks_in_use = if self.cosafety { 1 } else { self.untils.len() };
        let all = match marks_in_use {
            0 => 1,
            n => u64::MAX >> (u64::BITS as usize - n),
        };
        let mut numbers: HashMap<Set, u32> = HashMap::new();
        let mut states: Vec<Set> = Vec::new();
        let mut number_of = |set: Set, states: &mut Vec<Set>| {
            *numbers.entry(set).or_insert_with_key(|set| {
                states.push(set.clone());
                states.len() as u32 - 1
            })
        };
        let first = self.reduced(&self.saturated(&self.conjuncts(formula)));
        let initial = number_of(first, &mut states);
        let mut edges: Vec<Vec<MarkedEdge>> = Vec::new();
        let mut edge_count = 0;
        while let Some(state) = states.get(edges.len()).cloned() {
            source::limits::check();
            let mut from_here = Vec::new();
            for step in self.moves_of_set(&state)? {
                let saturated = self.saturated(&step.next);
                let marks = match (self.cosafety, self.untils.is_empty()) {
                    (true, _) => u64::from(state.is_empty()),
                    (false, true) => 1,
                    (false, false) => self.marks(&step, &saturated)?,
                };
                let target = number_of(self.reduced(&saturated), &mut states);
                from_here.push(MarkedEdge {
                    label: step.label,
                    target,
                    marks,
                });
                if states.len() > MOST_STATES {
                    return Err(TranslateError::TooLarge);
                }
            }
            let superfluous = |p: &MarkedEdge, q: &MarkedEdge| {
                p.label.implies(q.label)
                    && p.marks & !q.marks == 0
                    && is_subset(&states[q.target as usize], &states[p.target as usize])
            };
            if from_here.len() <= MOST_EDGES_COMPARED {
                let mut kept: Vec<MarkedEdge> = Vec::new();
                for p in from_here {
                    if !kept.iter().any(|q| superfluous(&p, q)) {
                        kept.retain(|q| !superfluous(q, &p));
                        kept.push(p);
                    }
                }
                from_here = kept;
            }
            edge_count += from_here.len();
            if edge_count > MOST_EDGES {
                return Err(TranslateError::TooLarge);
            }
            edges.push(from_here);
        }
        Ok(Graph {
            edges,
            initial,
            all,
        })
    }

    /// The formulas that must all hold for `formula` to.
    fn conjuncts(&self, formula: FormulaId) -> Set {
        match self.pool.node(formula) {
            Node::True => Vec::new(),
            Node::And(ps) => ps.to_vec(),
            _ => vec![formula],
        }
    }

    /// With what releases demand now.
    fn saturated(&self, set: &[FormulaId]) -> Set {
        let mut found = set.to_vec();
        let mut next = 0;
        while let Some(&p) = found.get(next) {
            source::limits::check();
            next += 1;
            if let Node::Release(_, q) = *self.pool.node(p) {
                for q in self.conjuncts(q) {
                    if !found.contains(&q) {
                        found.push(q);
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// A saturated set without the members that another member fulfils.
    fn reduced(&self, set: &[FormulaId]) -> Set {
        let holds = |p: FormulaId| is_subset(&self.conjuncts(p), set);
        let fulfilled = |p: &FormulaId| match self.pool.node(*p) {
            Node::Or(qs) => qs.iter().any(|&q| holds(q)),
            Node::Until(_, q) => holds(*q),
            _ => false,
        };
        set.iter().copied().filter(|p| !fulfilled(p)).collect()
    }

    /// The moves of a reduced set.
    fn moves_of_set(&mut self, set: &[FormulaId]) -> Result<Vec<Move>, TranslateError> {
        let mut moves = vec![Move {
            label: Cube::TRUE,
            next: Vec::new(),
        }];
        for &p in set {
            let own = match *self.pool.node(p) {
                // What the right operand demands is in the set.
                Node::Release(q, _) => {
                    let mut own = self.moves(q)?.to_vec();
                    own.push(Move {
                        label: Cube::TRUE,
                        next: vec![p],
                    });
                    Rc::new(weakest(own))
                }
                _ => self.moves(p)?,
            };
            moves = product(&moves, &own)?;
        }
        Ok(moves)
    }

    /// The moves of a formula.
    fn moves(&mut self, formula: FormulaId) -> Result<Rc<Vec<Move>>, TranslateError> {
        if let Some(known) = self.moves.get(&formula) {
            return Ok(Rc::clone(known));
        }
        let stay = |label| Move {
            label,
            next: vec![formula],
        };
        let moves = match self.pool.node(formula).clone() {
            Node::True => vec![Move {
                label: Cube::TRUE,
                next: Vec::new(),
            }],
            Node::False => Vec::new(),
            Node::Literal(atom, value) => vec![Move {
                label: Cube::literal(self.bits[&atom], value),
                next: Vec::new(),
            }],
            Node::And(ps) => {
                let mut moves = self.moves(FormulaId::TRUE)?.to_vec();
                for &p in &ps {
                    moves = product(&moves, &self.moves(p)?)?;
                }
                moves
            }
            Node::Or(ps) => {
                let mut moves = Vec::new();
                for &p in &ps {
                    moves.extend_from_slice(&self.moves(p)?);
                }
                moves
            }
            Node::Next(p) => vec![Move {
                label: Cube::TRUE,
                next: self.conjuncts(p),
            }],
            Node::Until(p, q) => {
                let wait = product(&self.moves(p)?, &[stay(Cube::TRUE)])?;
                let mut moves = self.moves(q)?.to_vec();
                moves.extend(wait);
                moves
            }
            Node::Release(p, q) => {
                let mut ends = self.moves(p)?.to_vec();
                ends.push(stay(Cube::TRUE));
                product(&self.moves(q)?, &ends)?
            }
        };
        if moves.len() > MOST_MOVES {
            return Err(TranslateError::TooLarge);
        }
        let moves = Rc::new(weakest(moves));
        self.moves.insert(formula, Rc::clone(&moves));
        Ok(moves)
    }

    /// The marks of a move, `saturated` being its saturated target.
    fn marks(&mut self, step: &Move, saturated: &[FormulaId]) -> Result<u64, TranslateError> {
        let mut marks = 0;
        for i in 0..self.untils.len() {
            let until = self.untils[i];
            let fulfilled = match *self.pool.node(until) {
                Node::Until(_, q) if step.next.binary_search(&until).is_ok() => self
                    .moves(q)?
                    .iter()
                    .any(|end| step.label.implies(end.label) && is_subset(&end.next, saturated)),
                _ => true,
            };
            marks |= u64::from(fulfilled) << i;
        }
        Ok(marks)
    }
}
