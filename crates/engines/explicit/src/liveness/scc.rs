//! Strongly connected components of a graph that lies in memory (Tarjan 1972, without recursion).

/// The component of each node; components are numbered so that edges between two lead from the
/// higher number to the lower.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Components {
    pub(crate) component: Vec<usize>,
    pub(crate) count: usize,
}

/// The components of the graph with nodes `0..nodes`.
pub(crate) fn components(nodes: usize, successors: impl Fn(usize) -> Vec<usize>) -> Components {
    const NONE: usize = usize::MAX;
    let mut result = Components {
        component: vec![NONE; nodes],
        count: 0,
    };
    let mut number = vec![NONE; nodes];
    let mut low = vec![NONE; nodes];
    let mut active = Vec::new();
    let mut next = 0;
    for start in 0..nodes {
        if number[start] != NONE {
            continue;
        }
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut enter = Some(start);
        loop {
            if let Some(node) = enter.take() {
                number[node] = next;
                low[node] = next;
                next += 1;
                active.push(node);
                path.push((node, successors(node)));
            }
            let Some((node, rest)) = path.last_mut() else {
                break;
            };
            let node = *node;
            if let Some(to) = rest.pop() {
                if number[to] == NONE {
                    enter = Some(to);
                } else if result.component[to] == NONE {
                    low[node] = low[node].min(number[to]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == number[node] {
                while let Some(member) = active.pop() {
                    result.component[member] = result.count;
                    if member == node {
                        break;
                    }
                }
                result.count += 1;
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cycles_joined_by_a_bridge() {
        let edges = [vec![1], vec![2, 3], vec![0], vec![4], vec![3], vec![]];
        let found = components(6, |node| edges[node].clone());
        assert_eq!(found.count, 3);
        assert_eq!(found.component[0], found.component[2]);
        assert_eq!(found.component[3], found.component[4]);
        assert!(
            found.component[1] > found.component[3],
            "edges lead to lower numbers"
        );
        assert_ne!(found.component[5], found.component[0]);
    }
}
