//! Strongly connected components, by Tarjan's algorithm (1972) without recursion.

/// The strongly connected components of a graph.
pub(crate) struct Components {
    /// The component of each vertex. An edge never leads to a component of a higher number.
    pub(crate) of: Vec<u32>,
    /// How many there are.
    pub(crate) count: usize,
}

const UNSEEN: u32 = u32::MAX;

/// Finds the components of the graph in which vertex `v` has an edge to each of `successors[v]`.
pub(crate) fn components(successors: &[Vec<u32>]) -> Components {
    let n = successors.len();
    let mut order = vec![UNSEEN; n];
    let mut low = vec![0u32; n];
    let mut of = vec![UNSEEN; n];
    let mut count = 0u32;
    let mut clock = 0u32;
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in 0..n as u32 {
        if order[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((v, next)) = path.last_mut() {
            let at = *v as usize;
            if *next == 0 {
                order[at] = clock;
                low[at] = clock;
                clock += 1;
                stack.push(*v);
            }
            if let Some(&w) = successors[at].get(*next) {
                *next += 1;
                let w_at = w as usize;
                if order[w_at] == UNSEEN {
                    path.push((w, 0));
                } else if of[w_at] == UNSEEN {
                    low[at] = low[at].min(order[w_at]);
                }
                continue;
            }
            if low[at] == order[at] {
                loop {
                    let w = stack.pop().expect("a component's root is on the stack");
                    of[w as usize] = count;
                    if w as usize == at {
                        break;
                    }
                }
                count += 1;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
        }
    }
    Components {
        of,
        count: count as usize,
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
