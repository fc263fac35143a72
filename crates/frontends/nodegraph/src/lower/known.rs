//! What is known of variables while a wave is followed.
//!
//! A wave that comes back to a node remembers what it has done there: a latch that it has shut stays
//! shut. Locations say where signals are, not what variables hold; so while locations are made, the
//! values that are known at each are carried along (constants are propagated, Kildall 1973, path by
//! path), and what cannot happen is not made. Only variables count that decide whether a loop goes
//! round again, and that a wave on it may change.

use std::collections::{BTreeMap, HashSet};

use crate::net::{Effect, MachineId, Net, Rule, Test, VarId};

/// The values that variables can have at all: their first ones, and those that rules give them which a
/// signal may reach and whose conditions may hold.
pub(super) struct Possible(Vec<Vec<bool>>);

impl Possible {
    pub(super) fn of(net: &Net) -> Possible {
        let mut possible = Possible(
            net.vars
                .iter()
                .map(|var| {
                    let mut values = vec![false; var.values.len()];
                    for &at in &var.first {
                        values[usize::from(at)] = true;
                    }
                    values
                })
                .collect(),
        );
        type Place = (MachineId, Option<u16>);
        let rules = |(id, at): Place| -> Vec<&Rule> {
            let machine = net.machine(id);
            match at {
                Some(at) => machine.inputs[usize::from(at)].rules.iter().collect(),
                None => machine.own.iter().map(|(_, rule)| rule).collect(),
            }
        };
        let mut readers: Vec<Vec<Place>> = vec![Vec::new(); net.vars.len()];
        for (id, machine) in net.ids() {
            let inputs = (0..machine.inputs.len() as u16).map(Some);
            for at in inputs.chain([None]) {
                for rule in rules((id, at)) {
                    rule.guard
                        .vars(&mut |var| readers[var.index()].push((id, at)));
                }
            }
        }
        let mut reached: HashSet<Place> = net.ids().map(|(id, _)| (id, None)).collect();
        let mut open: Vec<Place> = reached.iter().copied().collect();
        while let Some(place) = open.pop() {
            for rule in rules(place) {
                if possible.holds(&rule.guard) == Some(false) {
                    continue;
                }
                for effect in &rule.effects {
                    for (var, update) in &effect.sets {
                        if possible.grows(*var, update.as_deref().unwrap_or_default()) {
                            let again = readers[var.index()].iter();
                            open.extend(again.filter(|place| reached.contains(place)));
                        }
                    }
                    for &out in &effect.outs {
                        let output = &net.machine(place.0).outputs[usize::from(out)];
                        for &(id, at) in &output.targets {
                            if reached.insert((id, Some(at))) {
                                open.push((id, Some(at)));
                            }
                        }
                    }
                }
            }
        }
        possible
    }

    /// A variable gets a value of one of these cases, or any.
    fn grows(&mut self, var: VarId, cases: &[(Test, u16)]) -> bool {
        let values = &mut self.0[var.index()];
        let mut grown = false;
        for (at, value) in values.iter_mut().enumerate() {
            let given = cases.is_empty() || cases.iter().any(|(_, to)| usize::from(*to) == at);
            grown |= given && !*value;
            *value |= given;
        }
        grown
    }

    fn is(&self, var: VarId, at: u16) -> Option<bool> {
        let values = &self.0[var.index()];
        let others = values
            .iter()
            .enumerate()
            .any(|(other, &possible)| possible && other != usize::from(at));
        match (values[usize::from(at)], others) {
            (false, _) => Some(false),
            (true, false) => Some(true),
            (true, true) => None,
        }
    }

    /// Whether a condition always holds, or never.
    pub(super) fn holds(&self, test: &Test) -> Option<bool> {
        truth(test, &|var, at| self.is(var, at))
    }
}

/// Whether a condition holds, as far as it is known that variables have values.
fn truth(test: &Test, is: &impl Fn(VarId, u16) -> Option<bool>) -> Option<bool> {
    // One that is decisive is enough.
    let joined = |tests: &[Test], decisive: bool| {
        let mut result = Some(!decisive);
        for test in tests {
            match truth(test, is) {
                Some(holds) if holds == decisive => return Some(decisive),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    };
    match test {
        Test::Always => Some(true),
        Test::Never => Some(false),
        Test::Is(var, at) => is(*var, *at),
        Test::Not(inner) => truth(inner, is).map(|holds| !holds),
        Test::All(tests) => joined(tests, false),
        Test::Any(tests) => joined(tests, true),
    }
}

/// The values of some variables.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Known(BTreeMap<VarId, u16>);

impl Known {
    /// Whether a condition holds; none if it may or may not.
    pub(super) fn holds(&self, test: &Test, possible: &Possible) -> Option<bool> {
        truth(test, &|var, at| match self.0.get(&var) {
            Some(known) => Some(*known == at),
            None => possible.is(var, at),
        })
    }

    /// A condition holds: what follows for variables that count.
    pub(super) fn assume(&mut self, test: &Test, counts: &impl Fn(VarId) -> bool) {
        match test {
            Test::Is(var, at) if counts(*var) => {
                self.0.insert(*var, *at);
            }
            Test::All(tests) => tests.iter().for_each(|test| self.assume(test, counts)),
            _ => {}
        }
    }

    /// Variables get new values.
    pub(super) fn change(
        &mut self,
        effect: &Effect,
        possible: &Possible,
        counts: &impl Fn(VarId) -> bool,
    ) {
        // All of them in terms of the old values.
        let before = self.clone();
        for (var, update) in &effect.sets {
            if !counts(*var) {
                continue;
            }
            let mut new = None;
            for (at, (test, to)) in update.iter().flatten().enumerate() {
                let is_last = update.as_ref().is_some_and(|cases| at + 1 == cases.len());
                match before.holds(test, possible) {
                    Some(false) if !is_last => {}
                    Some(true) | Some(false) => {
                        new = Some(*to);
                        break;
                    }
                    None if is_last => {
                        // The last case is the one for the rest.
                        new = Some(*to);
                    }
                    None => break,
                }
            }
            match new {
                Some(to) => self.0.insert(*var, to),
                None => self.0.remove(var),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(index: usize) -> VarId {
        VarId::new(index)
    }

    /// Two variables of three values each, of which any is possible.
    fn anything() -> Possible {
        Possible(vec![vec![true; 3]; 2])
    }

    #[test]
    fn what_is_not_known_may_hold_or_not() {
        let possible = anything();
        let mut known = Known::default();
        let test = Test::and(Test::Is(var(0), 1), Test::Is(var(1), 0));
        assert_eq!(known.holds(&test, &possible), None);
        known.assume(&Test::Is(var(1), 2), &|_| true);
        assert_eq!(known.holds(&test, &possible), Some(false));
        let not = Test::not(test.clone());
        assert_eq!(known.holds(&not, &possible), Some(true));
        known.assume(&test, &|_| true);
        assert_eq!(known.holds(&test, &possible), Some(true));
    }

    #[test]
    fn changes_are_followed_as_far_as_they_are_known() {
        let possible = anything();
        let all = |_| true;
        let mut known = Known::default();
        let sets = |update| Effect {
            sets: vec![(var(0), update)],
            outs: Vec::new(),
        };
        let toggle = Some(vec![(Test::Is(var(0), 0), 1), (Test::Always, 0)]);
        known.change(&sets(toggle.clone()), &possible, &all);
        assert_eq!(known, Known::default(), "it may be either");
        known.change(&sets(Some(vec![(Test::Always, 1)])), &possible, &all);
        known.change(&sets(toggle), &possible, &all);
        assert_eq!(known.holds(&Test::Is(var(0), 0), &possible), Some(true));
        known.change(&sets(None), &possible, &all);
        assert_eq!(known, Known::default(), "any value");
        let one = sets(Some(vec![(Test::Always, 1)]));
        known.change(&one, &possible, &|_| false);
        assert_eq!(known, Known::default(), "it does not count");
    }

    #[test]
    fn what_nothing_sets_is_as_at_first() {
        let possible = Possible(vec![vec![true, false], vec![true, true]]);
        assert_eq!(possible.holds(&Test::Is(var(0), 0)), Some(true));
        assert_eq!(possible.holds(&Test::Is(var(0), 1)), Some(false));
        assert_eq!(possible.holds(&Test::Is(var(1), 1)), None);
    }
}
