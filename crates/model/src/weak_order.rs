//! An order of places for those who follow control: a weak topological order (F. Bourdoncle,
//! *Efficient chaotic iteration strategies with widenings*, 1993).
//!
//! The places of a loop follow each other, its head first, so that a loop can be gone round as often
//! as need be before anything behind it is looked at.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;

/// Where a place stands in the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rank {
    /// Its own number in the order.
    pub at: usize,
    /// Behind the last place of the loop of which it is the head; behind itself if it is none.
    pub end: usize,
    /// Whether it is the head of a loop.
    pub is_head: bool,
}

/// Of what waits at ranks the one to go on at: the first, but the next round of a loop begins only when
/// nothing waits within it.
#[must_use]
pub fn next_in_order<T>(waiting: &BTreeMap<usize, T>, rank: impl Fn(&T) -> Rank) -> Option<usize> {
    let ready = |(&at, one): (&usize, &T)| {
        let Rank { end, is_head, .. } = rank(one);
        let within = (Bound::Excluded(at), Bound::Excluded(end));
        let waits = is_head && end > at + 1 && waiting.range(within).next().is_some();
        (!waits).then_some(at)
    };
    waiting.iter().find_map(ready)
}

/// The ranks of all places that can be reached from an entry.
#[must_use]
pub fn weak_order(entry: u64, next: &HashMap<u64, Vec<u64>>) -> HashMap<u64, Rank> {
    let mut ranks = HashMap::new();
    let mut seen = HashSet::from([entry]);
    let mut all = Vec::new();
    let mut open = vec![entry];
    while let Some(place) = open.pop() {
        all.push(place);
        for &to in next.get(&place).into_iter().flatten() {
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    place_all(&all, next, &mut ranks);
    ranks
}

/// Ranks places, of which the first is the one that is come to first.
fn place_all(places: &[u64], next: &HashMap<u64, Vec<u64>>, ranks: &mut HashMap<u64, Rank>) {
    for component in components(places, next) {
        let at = ranks.len();
        let head = component[0];
        let loops = |place: &u64| next.get(place).is_some_and(|next| next.contains(place));
        let is_head = component.len() > 1 || loops(&head);
        let end = at + component.len();
        ranks.insert(head, Rank { at, end, is_head });
        place_all(&component[1..], next, ranks);
    }
}

/// The strongly connected components in topological order (R. Tarjan, 1972), each in the order in
/// which a search comes to its places.
fn components(places: &[u64], next: &HashMap<u64, Vec<u64>>) -> Vec<Vec<u64>> {
    let inside: HashSet<u64> = places.iter().copied().collect();
    let after = |place: u64| -> Vec<u64> {
        let next = next.get(&place).into_iter().flatten().copied();
        next.filter(|to| inside.contains(to)).collect()
    };
    let mut number: HashMap<u64, usize> = HashMap::new();
    let mut low: HashMap<u64, usize> = HashMap::new();
    let mut path: Vec<u64> = Vec::new();
    let mut on_path: HashSet<u64> = HashSet::new();
    let mut found = Vec::new();
    for &start in places {
        if number.contains_key(&start) {
            continue;
        }
        let mut open = vec![(start, after(start), 0)];
        while let Some((place, to, at)) = open.last_mut() {
            let place = *place;
            if *at == 0 && !number.contains_key(&place) {
                let new = number.len();
                number.insert(place, new);
                low.insert(place, new);
                path.push(place);
                on_path.insert(place);
            }
            if let Some(&successor) = to.get(*at) {
                *at += 1;
                if !number.contains_key(&successor) {
                    let more = after(successor);
                    open.push((successor, more, 0));
                } else if on_path.contains(&successor) {
                    let lower = low[&place].min(number[&successor]);
                    low.insert(place, lower);
                }
                continue;
            }
            open.pop();
            if let Some((before, ..)) = open.last() {
                let lower = low[before].min(low[&place]);
                low.insert(*before, lower);
            }
            if low[&place] == number[&place] {
                let from = path.iter().rposition(|&other| other == place);
                let component = path.split_off(from.unwrap_or(0));
                for place in &component {
                    on_path.remove(place);
                }
                found.push(component);
            }
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_stand_together_and_before_what_follows() {
        // 0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 1 -> 4 -> 4.
        let edges = [(0, 1), (1, 4), (1, 2), (2, 3), (3, 2), (3, 1), (4, 4)];
        let mut next: HashMap<u64, Vec<u64>> = HashMap::new();
        for (from, to) in edges {
            next.entry(from).or_default().push(to);
        }
        let ranks = weak_order(0, &next);
        let rank = |place: u64| {
            let Rank { at, end, is_head } = ranks[&place];
            (at, end, is_head)
        };
        assert_eq!(rank(0), (0, 1, false));
        assert_eq!(rank(1), (1, 4, true), "the outer loop");
        assert_eq!(rank(2), (2, 4, true), "the inner loop");
        assert_eq!(rank(3), (3, 4, false));
        assert_eq!(rank(4), (4, 5, true), "a loop of one place");
        let go_on = |waiting: &[u64]| {
            let waiting = waiting.iter().map(|place| (ranks[place].at, *place));
            next_in_order(&waiting.collect(), |place| ranks[place])
        };
        assert_eq!(go_on(&[1, 4]), Some(1), "another round before what follows");
        assert_eq!(go_on(&[1, 3, 4]), Some(3), "this round before the next");
        assert_eq!(go_on(&[2, 3]), Some(3));
    }
}
