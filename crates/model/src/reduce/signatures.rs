//! Bisimilarity by refining signatures (Blom and van de Pol, *Distributed branching bisimulation
//! minimization by inductive signatures*, 2009).
//!
//! At first all states are in one block. The signature of a state is the set of its steps: labels
//! with the blocks that they lead to. States of different signatures part, until none do. A silent
//! step that stays in its block is no part of the signature; what its target can do is. Silent
//! cycles are put together before: there each state can do what any can, and that they go on for
//! ever is a mark in their signature, so that divergence is kept. After that silent steps go round
//! nowhere, and signatures are made in one pass, targets first.

use std::collections::HashMap;
use std::hash::Hash;

use logic::scc::each_component;

use super::Reduced;
use crate::graph::{Graph, LabelId, Vertex};

/// In a signature, the label of going on silently for ever.
const FOR_EVER: LabelId = LabelId::MAX;

/// The graph of the blocks.
pub(super) fn quotient<L: Clone + Eq + Hash>(graph: &Graph<L>, silent: &[bool]) -> Reduced<L> {
    let cycles = Cycles::of(graph, silent);
    let block = refine(graph, silent, &cycles);
    let blocks = block.iter().max().map_or(0, |most| *most as usize + 1);
    let mut members: Vec<Vec<Vertex>> = vec![Vec::new(); blocks];
    let mut transitions = Vec::new();
    for (vertex, &own) in (0..).zip(&block) {
        members[own as usize].push(vertex);
        for (label, to) in graph.edges(vertex) {
            let to = block[to as usize];
            if !silent[label as usize] || to != own {
                transitions.push((own, label, to));
            }
        }
        if let Some(label) = cycles.label[cycles.of[vertex as usize] as usize] {
            transitions.push((own, label, own));
        }
    }
    let mut initial: Vec<Vertex> = Vec::new();
    for vertex in graph.initial() {
        let own = block[*vertex as usize];
        if !initial.contains(&own) {
            initial.push(own);
        }
    }
    Reduced {
        graph: Graph::new(blocks, initial, graph.table().to_vec(), &transitions),
        members,
    }
}

/// For each state its block, numbered in the order of the states.
fn refine<L>(graph: &Graph<L>, silent: &[bool], cycles: &Cycles) -> Vec<u32> {
    let mut block = vec![0u32; cycles.members.len()];
    let mut count = 1;
    loop {
        // Components are numbered so that silent steps lead to smaller numbers.
        let mut signatures: Vec<Vec<(LabelId, u32)>> = Vec::with_capacity(block.len());
        for (component, members) in cycles.members.iter().enumerate() {
            let own = block[component];
            let mut signature = Vec::new();
            if cycles.label[component].is_some() {
                signature.push((FOR_EVER, own));
            }
            for &vertex in members {
                for (label, to) in graph.edges(vertex) {
                    let to = cycles.of[to as usize] as usize;
                    if !silent[label as usize] || block[to] != own {
                        signature.push((label, block[to]));
                    } else if to != component {
                        signature.extend_from_slice(&signatures[to]);
                    }
                }
            }
            signature.sort_unstable();
            signature.dedup();
            signatures.push(signature);
        }
        let mut numbers: HashMap<(u32, Vec<(LabelId, u32)>), u32> = HashMap::new();
        let next: Vec<u32> = block
            .iter()
            .zip(signatures)
            .map(|(own, signature)| {
                let fresh = u32::try_from(numbers.len()).expect("no more than states");
                *numbers.entry((*own, signature)).or_insert(fresh)
            })
            .collect();
        let more = numbers.len();
        block = next;
        if more == count {
            break;
        }
        count = more;
    }
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    cycles
        .of
        .iter()
        .map(|component| {
            let fresh = u32::try_from(numbers.len()).expect("no more than states");
            *numbers.entry(block[*component as usize]).or_insert(fresh)
        })
        .collect()
}

/// The components that silent steps connect.
struct Cycles {
    /// The component of each state; silent steps between components lead to smaller numbers.
    of: Vec<u32>,
    members: Vec<Vec<Vertex>>,
    /// A label of a silent cycle in the component, if there is one.
    label: Vec<Option<LabelId>>,
}

impl Cycles {
    fn of<L>(graph: &Graph<L>, silent: &[bool]) -> Cycles {
        let count = graph.len();
        let mut cycles = Cycles {
            of: vec![u32::MAX; count],
            members: Vec::new(),
            label: Vec::new(),
        };
        let step = |vertex: Vertex, at: usize| {
            let label = *graph.labels(vertex).get(at)?;
            let to = graph.successors(vertex)[at];
            Some(if silent[label as usize] { to } else { vertex })
        };
        each_component(count, (0..).take(count), step, |members| {
            let own = u32::try_from(cycles.members.len()).expect("no more than states");
            for member in members {
                cycles.of[*member as usize] = own;
            }
            let mut inside = members.iter().flat_map(|member| graph.edges(*member));
            let label = inside
                .find(|(label, to)| silent[*label as usize] && cycles.of[*to as usize] == own);
            cycles.members.push(members.to_vec());
            cycles.label.push(label.map(|(label, _)| label));
        });
        cycles
    }
}
