//! Strongly connected components, by Tarjan's algorithm (1972) without recursion.

/// The strongly connected components of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Components {
    /// The component of each vertex. An edge never leads to a component of a higher number.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
}

impl Components {
    /// Whether two vertices lie in the same one.
    #[must_use]
    pub fn join(&self, one: usize, other: usize) -> bool {
        self.of[one] == self.of[other]
    }
}

const UNSEEN: u32 = u32::MAX;

/// Finds the components of the graph in which vertex `v` has an edge to each of `successors[v]`.
#[must_use]
pub fn components(successors: &[Vec<u32>]) -> Components {
    let vertices = successors.len();
    let mut found = Components {
        of: vec![UNSEEN; vertices],
        count: 0,
    };
    let edge = |v: u32, at: usize| successors[v as usize].get(at).copied();
    each_component(vertices, 0..vertices as u32, edge, |component| {
        for &vertex in component {
            found.of[vertex as usize] = found.count as u32;
        }
        found.count += 1;
    });
    found
}

/// Calls `each` for every component that is reachable from the roots, successors first.
///
/// `successor(v, i)` is the target of edge `i` of vertex `v`; `None` after the last. To leave an edge
/// out, return `v` itself: a self-loop changes no component.
pub fn each_component(
    vertices: usize,
    roots: impl IntoIterator<Item = u32>,
    mut successor: impl FnMut(u32, usize) -> Option<u32>,
    mut each: impl FnMut(&[u32]),
) {
    let mut order = vec![UNSEEN; vertices];
    let mut low = vec![0u32; vertices];
    let mut open = vec![false; vertices];
    let mut clock = 0u32;
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in roots {
        if order[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((vertex, next)) = path.last_mut() {
            let (v, at) = (*vertex as usize, *next);
            *next += 1;
            if at == 0 {
                order[v] = clock;
                low[v] = clock;
                clock += 1;
                stack.push(*vertex);
                open[v] = true;
            }
            if let Some(to) = successor(*vertex, at) {
                if order[to as usize] == UNSEEN {
                    path.push((to, 0));
                } else if open[to as usize] {
                    low[v] = low[v].min(order[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[v]);
            }
            if low[v] == order[v] {
                let is_root = |member: &u32| *member as usize == v;
                let begin = stack.iter().rposition(is_root);
                let begin = begin.expect("a component's root is on the stack");
                for &member in &stack[begin..] {
                    open[member as usize] = false;
                }
                each(&stack[begin..]);
                stack.truncate(begin);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cycles_and_a_bridge() {
        let found = components(&[vec![1], vec![2], vec![0, 3], vec![4], vec![3], vec![]]);
        assert_eq!(found.count, 3);
        assert_eq!(found.of[0], found.of[1]);
        assert_eq!(found.of[0], found.of[2]);
        assert_eq!(found.of[3], found.of[4]);
        assert!(found.of[3] < found.of[0]);
    }

    #[test]
    fn a_long_chain_does_not_recur() {
        let n = 200_000;
        let chain: Vec<Vec<u32>> = (0..n)
            .map(|i| if i + 1 < n { vec![i + 1] } else { vec![] })
            .collect();
        assert_eq!(components(&chain).count, n as usize);
    }
}
