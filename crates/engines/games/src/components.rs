//! Strongly connected components, by Tarjan's algorithm (1972) without recursion.

use model::{StateSet, Vertex};

use crate::graph::Graph;

/// Calls `each` with every component of the part of a graph inside `within` that has an edge.
pub(crate) fn components(graph: &Graph<'_>, within: &StateSet, each: &mut dyn FnMut(&[Vertex])) {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; graph.len()];
    let mut low = vec![0u32; graph.len()];
    let mut open = vec![false; graph.len()];
    let mut stack: Vec<Vertex> = Vec::new();
    let mut count = 0u32;
    for root in within.iter() {
        if number[root as usize] != NEW {
            continue;
        }
        let mut way: Vec<(Vertex, usize)> = vec![(root, 0)];
        while let Some((vertex, at)) = way.pop() {
            let v = vertex as usize;
            if at == 0 {
                number[v] = count;
                low[v] = count;
                count += 1;
                stack.push(vertex);
                open[v] = true;
            }
            match graph.successors(vertex).get(at) {
                Some(&next) => {
                    way.push((vertex, at + 1));
                    let n = next as usize;
                    if !within.has(next) {
                        continue;
                    }
                    if number[n] == NEW {
                        way.push((next, 0));
                    } else if open[n] {
                        low[v] = low[v].min(number[n]);
                    }
                }
                None => {
                    if low[v] == number[v] {
                        let begin = stack
                            .iter()
                            .rposition(|other| *other == vertex)
                            .unwrap_or(0);
                        for other in &stack[begin..] {
                            open[*other as usize] = false;
                        }
                        let alone = stack.len() - begin == 1;
                        if !alone || graph.successors(vertex).contains(&vertex) {
                            each(&stack[begin..]);
                        }
                        stack.truncate(begin);
                    }
                    if let Some((parent, _)) = way.last() {
                        let parent = *parent as usize;
                        low[parent] = low[parent].min(low[v]);
                    }
                }
            }
        }
    }
}
