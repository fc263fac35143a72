//! From a formula to a Büchi automaton that accepts exactly the words that satisfy it.
//!
//! The steps: [simplify](crate::Ltl::simplified) the formula, build a generalised automaton by way
//! of a very weak alternating one (`alternating.rs`), make it smaller (`reduce.rs`), count the
//! marks down to one (`degeneralise.rs`), and make it smaller again.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use thiserror::Error;

use crate::alternating::{generalised, subformulas};
use crate::buchi::{Buchi, BuchiState, Cube, Edge};
use crate::ltl::{Ltl, MAX_DEPTH};
use crate::pool::{Node, Pool};
use crate::reduce::Graph;

/// Why a formula has no automaton here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TranslateError {
    /// A label has room for [`Cube::MAX_ATOMS`] atoms.
    #[error("the formula has {found} different atoms; at most {max} are possible", max = Cube::MAX_ATOMS)]
    TooManyAtoms {
        /// How many different atoms are left after simplification.
        found: usize,
    },
    /// There is room for 64 different subformulas `p U q`.
    #[error("the formula has {found} different untils; at most 64 are possible")]
    TooManyUntils {
        /// How many are left after simplification.
        found: usize,
    },
    /// The formula's depth exceeds [`MAX_DEPTH`].
    #[error("the formula is nested too deeply (more than {MAX_DEPTH} levels)")]
    TooDeep,
    /// The automaton would have many thousand states or edges.
    #[error("the automaton of the formula is too large")]
    TooLarge,
}

/// The automaton that accepts the words that satisfy `formula`.
///
/// States are numbered in breadth-first order from the initial state, 0; edges are accepting only
/// on cycles; atoms that do not matter are left out. To look for violations of a property,
/// translate its negation.
///
/// ```
/// use logic::{BuchiKind, Ltl, translate};
///
/// let answered = Ltl::leads_to(Ltl::atom("asked"), Ltl::atom("answered"));
/// let automaton = translate(&Ltl::not(answered)).expect("it is small");
/// assert_eq!(automaton.state_count(), 2);
/// assert_eq!(automaton.kind(), BuchiKind::Weak);
/// ```
///
/// # Errors
/// If the formula or the automaton is too large; see [`TranslateError`].
pub fn translate<A: Clone + Eq + Hash>(formula: &Ltl<A>) -> Result<Buchi<A>, TranslateError> {
    if formula.depth() > MAX_DEPTH {
        return Err(TranslateError::TooDeep);
    }
    let mut pool = Pool::new();
    let formula = pool.add(formula);
    let atoms: BTreeSet<u32> = subformulas(&pool, formula)
        .into_iter()
        .filter_map(|p| match pool.node(p) {
            Node::Literal(atom, _) => Some(*atom),
            _ => None,
        })
        .collect();
    if atoms.len() > Cube::MAX_ATOMS {
        return Err(TranslateError::TooManyAtoms { found: atoms.len() });
    }
    let bits: HashMap<u32, usize> = atoms.iter().enumerate().map(|(i, &a)| (a, i)).collect();
    let mut graph = generalised(&pool, formula, &bits)?;
    graph.reduce();
    let mut graph = graph.degeneralised();
    graph.reduce();
    graph.sharpen();
    let atoms = atoms.into_iter().map(|a| pool.atoms[a as usize].clone());
    Ok(finished(&graph, atoms.collect()))
}

/// The graph as an automaton that keeps only the atoms it reads.
fn finished<A>(graph: &Graph, atoms: Vec<A>) -> Buchi<A> {
    let edges = graph.edges.iter().flatten();
    let read = edges.fold(0, |read, e| read | e.label.pos | e.label.neg);
    let kept: Vec<usize> = (0..atoms.len()).filter(|i| read >> i & 1 == 1).collect();
    let compact = |old: u64| {
        let bits = kept.iter().enumerate();
        bits.fold(0, |new, (to, from)| new | ((old >> from & 1) << to))
    };
    Buchi {
        initial: BuchiState(graph.initial),
        edges: graph
            .edges
            .iter()
            .map(|edges| {
                edges
                    .iter()
                    .map(|edge| Edge {
                        label: Cube {
                            pos: compact(edge.label.pos),
                            neg: compact(edge.label.neg),
                        },
                        target: BuchiState(edge.target),
                        accepting: edge.marks != 0,
                    })
                    .collect()
            })
            .collect(),
        atoms: atoms
            .into_iter()
            .enumerate()
            .filter(|(i, _)| read >> i & 1 == 1)
            .map(|(_, atom)| atom)
            .collect(),
    }
}
