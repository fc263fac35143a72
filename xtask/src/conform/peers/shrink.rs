//! Makes a difference small: fewer steps of the world, fewer nodes, plainer values.

use super::graph::{Source, plain};
use super::{Comparison, Difference};
use crate::random::Random;

/// Attempts for one difference.
const ATTEMPTS: usize = 120;

/// A smaller difference of the same graph; the one given if there is none.
///
/// # Errors
/// If a program cannot be run.
pub(crate) fn small(
    comparison: &mut Comparison,
    mut found: Difference,
) -> Result<Difference, String> {
    let mut left = ATTEMPTS;
    loop {
        let mut candidates = smaller(&found);
        let mut better = None;
        while let Some((graph, run)) = candidates.pop() {
            if left == 0 {
                return Ok(found);
            }
            left -= 1;
            // What differs may be another formula then; a random one is not thought of anew.
            let seed = Random::new(7).next();
            let differences = comparison.quietly(&graph, &run, seed)?;
            if let Some(one) = differences.into_iter().next() {
                better = Some(one);
                break;
            }
        }
        match better {
            Some(one) => found = one,
            None => return Ok(found),
        }
    }
}

/// What is smaller by one thing, or by several nodes; the greatest steps at the end.
fn smaller(found: &Difference) -> Vec<(super::Graph, super::Wanted)> {
    let mut all = Vec::new();
    for at in 0..found.graph.nodes.len() {
        for read in 0..found.graph.nodes[at].reads.len() {
            let mut graph = found.graph.clone();
            let (_, of, source) = &mut graph.nodes[at].reads[read];
            if matches!(source, Source::Node(..)) {
                *source = Source::Literal(plain(*of));
                all.push((graph, found.run.clone()));
            }
        }
    }
    for at in 0..found.graph.nodes.len() {
        for link in 0..found.graph.nodes[at].links.len() {
            let mut graph = found.graph.clone();
            graph.nodes[at].links.remove(link);
            all.push((graph, found.run.clone()));
        }
    }
    for at in 0..found.run.1.len() {
        let mut run = found.run.clone();
        run.1.remove(at);
        all.push((found.graph.clone(), run));
    }
    for gone in 0..found.graph.nodes.len() {
        all.push((found.graph.without(gone), found.run.clone()));
    }
    // Many nodes at once, the most first.
    let count = found.graph.nodes.len();
    for size in [2, count / 4, count / 2] {
        for from in (0..count).step_by(size.max(1)) {
            let mut graph = found.graph.clone();
            for gone in (from..count.min(from + size)).rev() {
                graph = graph.without(gone);
            }
            if graph.nodes.len() < count {
                all.push((graph, found.run.clone()));
            }
        }
    }
    all
}
