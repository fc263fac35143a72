//! Which steps depend on a branch: those between it and where all its ways meet again, its
//! *immediate postdominator* (J. Ferrante, K. Ottenstein, J. Warren: *The program dependence graph
//! and its use in optimization*, 1987). Postdominators are found as K. Cooper, T. Harvey and
//! K. Kennedy do (*A simple, fast dominance algorithm*, 2001), on the reversed graph.

use std::collections::HashMap;

use model::{LocId, Process, Target};

/// The steps that depend on each branch.
pub(super) struct Regions {
    /// By location: where its steps lead to; ways out of the program lead behind all locations.
    after: Vec<Vec<usize>>,
    /// By location: its immediate postdominator, if it has one.
    meets: Vec<Option<usize>>,
    /// By location: the steps from it.
    steps: Vec<Vec<usize>>,
    /// By location: whether all ways from it lead to what is not followed.
    lost: Vec<bool>,
    found: HashMap<usize, Vec<usize>>,
}

impl Regions {
    /// The regions of a process. Ways that lead into `sink`, whatever is decided on them, are left
    /// out.
    pub(super) fn new(process: &Process, sink: Option<LocId>) -> Regions {
        let exit = process.locations.len();
        let lost = lost(process, sink);
        let mut after = vec![Vec::new(); exit];
        let mut steps = vec![Vec::new(); exit];
        for (number, step) in process.steps.iter().enumerate() {
            let to = match step.target {
                Target::Goto(to) if lost[to.index()] => continue,
                Target::Goto(to) => to.index(),
                _ => exit,
            };
            after[step.from.index()].push(to);
            steps[step.from.index()].push(number);
        }
        for ways in after.iter_mut().filter(|ways| ways.is_empty()) {
            ways.push(exit);
        }
        Regions {
            meets: postdominators(&after),
            after,
            steps,
            lost,
            found: HashMap::new(),
        }
    }

    /// Whether all ways from a location lead to what is not followed.
    pub(super) fn is_lost(&self, at: LocId) -> bool {
        self.lost[at.index()]
    }

    /// Where the ways from a location meet, if they do before the program ends.
    pub(super) fn meets(&self, branch: LocId) -> Option<LocId> {
        let exit = self.after.len();
        let found = self.meets[branch.index()].filter(|&at| at != exit);
        found.map(LocId::new)
    }

    /// Marks the locations that can be reached from one, itself included.
    pub(super) fn reach(&self, from: LocId, marked: &mut [bool]) {
        let mut waiting = vec![from.index()];
        while let Some(at) = waiting.pop() {
            if at < marked.len() && !std::mem::replace(&mut marked[at], true) {
                waiting.extend(&self.after[at]);
            }
        }
    }

    /// The steps that depend on which step is taken at a location: its own, and what follows until
    /// the ways meet.
    pub(super) fn behind(&mut self, process: &Process, branch: LocId) -> &[usize] {
        let branch = branch.index();
        self.found.entry(branch).or_insert_with(|| {
            let exit = process.locations.len();
            let end = self.meets[branch].unwrap_or(exit);
            let mut inside = vec![false; exit];
            let mut waiting = vec![branch];
            let mut all = Vec::new();
            while let Some(at) = waiting.pop() {
                if std::mem::replace(&mut inside[at], true) {
                    continue;
                }
                all.extend(&self.steps[at]);
                let next = self.after[at].iter().copied();
                waiting.extend(next.filter(|&to| to != end && to != exit));
            }
            all
        })
    }
}

/// The locations from which all ways lead into the sink, itself included.
fn lost(process: &Process, sink: Option<LocId>) -> Vec<bool> {
    let mut lost = vec![false; process.locations.len()];
    let Some(sink) = sink else {
        return lost;
    };
    let mut open = vec![0usize; lost.len()];
    let mut before = vec![Vec::new(); lost.len()];
    for step in &process.steps {
        open[step.from.index()] += 1;
        if let Target::Goto(to) = step.target {
            before[to.index()].push(step.from.index());
        }
    }
    let mut waiting = vec![sink.index()];
    while let Some(at) = waiting.pop() {
        lost[at] = true;
        for &from in &before[at] {
            open[from] -= 1;
            if open[from] == 0 && !lost[from] {
                waiting.push(from);
            }
        }
    }
    lost
}

/// The immediate postdominator of each location, the exit's number for those that meet only there;
/// none if no way leads out.
fn postdominators(after: &[Vec<usize>]) -> Vec<Option<usize>> {
    let exit = after.len();
    let mut before = vec![Vec::new(); exit + 1];
    for (at, ways) in after.iter().enumerate() {
        for &to in ways {
            before[to].push(at);
        }
    }
    // In postorder of the reversed graph: the exit comes last.
    let mut order = Vec::new();
    let mut seen = vec![false; exit + 1];
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((at, next)) = stack.pop() {
        match before[at].get(next) {
            Some(&other) => {
                stack.push((at, next + 1));
                if !std::mem::replace(&mut seen[other], true) {
                    stack.push((other, 0));
                }
            }
            None => order.push(at),
        }
    }
    let mut rank = vec![0; exit + 1];
    for (position, &at) in order.iter().enumerate() {
        rank[at] = position;
    }
    let mut meets: Vec<Option<usize>> = vec![None; exit + 1];
    meets[exit] = Some(exit);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        source::limits::check();
        for &at in order.iter().rev().filter(|&&at| at != exit) {
            let mut new: Option<usize> = None;
            for &to in after[at].iter().filter(|&&to| meets[to].is_some()) {
                new = Some(match new {
                    None => to,
                    Some(other) => common(&meets, &rank, to, other),
                });
            }
            if new != meets[at] {
                meets[at] = new;
                changed = true;
            }
        }
    }
    meets.pop();
    meets
}

/// Where the ways from two locations meet first.
fn common(meets: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let low = if rank[a] < rank[b] { &mut a } else { &mut b };
        *low = meets[*low].expect("locations with ways out have one");
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_meet_where_all_pass() {
        // 0 branches to 1 and 2, which meet in 3; 3 loops back to 0 or goes on to 4.
        let after = [vec![1, 2], vec![3], vec![3], vec![0, 4], vec![5]];
        let found = postdominators(&after);
        assert_eq!(found, [Some(3), Some(3), Some(3), Some(4), Some(5)]);
    }

    #[test]
    fn one_way_out_is_behind_all() {
        // 0 branches to 1, which ends, and to 2, which goes round for ever.
        let after = [vec![1, 2], vec![3], vec![2]];
        assert_eq!(postdominators(&after), [Some(1), Some(3), None]);
    }
}
