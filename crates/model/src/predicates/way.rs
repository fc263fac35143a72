//! A way through structures: what an analysis of structures says may happen.
//!
//! Each structure stands for many configurations, so a way need not be a run of any of them.

use super::structure::Structure;
use super::{Predicate, PredicateProgram};
use crate::ids::PredicateId;

/// A way through structures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// The number of the initial structure that it begins with, where it is one of the program's.
    pub initial: Option<usize>,
    /// Where it goes, from the beginning.
    pub structures: Vec<Structure>,
    /// The action that leads from each structure to the next, and a last one where it ends with what
    /// an action reports.
    pub actions: Vec<usize>,
    /// If it goes on for ever: the position of the structure to which the last one leads back.
    pub repeats_from: Option<usize>,
}

impl Way {
    /// What individuals are called in each structure: those that are most alike have the same name.
    ///
    /// An analysis does not keep individuals apart, so this is for people only.
    #[must_use]
    pub fn names(&self, program: &PredicateProgram) -> Vec<Vec<String>> {
        let mut all: Vec<Vec<String>> = Vec::new();
        for (position, structure) in self.structures.iter().enumerate() {
            let names = match all.last() {
                None => first(program, self.initial, structure),
                Some(names) => {
                    let before = (&self.structures[position - 1], names.as_slice());
                    let creates = !program.actions[self.actions[position - 1]]
                        .creates
                        .is_empty();
                    next(program, before, structure, creates)
                }
            };
            all.push(names);
        }
        all
    }
}

fn first(program: &PredicateProgram, initial: Option<usize>, structure: &Structure) -> Vec<String> {
    let called = initial.and_then(|number| {
        let known = program.initial.get(number)?;
        Some((known, program.called.get(number)?))
    });
    match called {
        Some((initial, called)) if initial.size() <= structure.size() => {
            next(program, (initial, called), structure, false)
        }
        _ => (1..=structure.size())
            .map(|number| format!("u{number}"))
            .collect(),
    }
}

/// The names of a structure's individuals by those of the one before it.
fn next(
    program: &PredicateProgram,
    (before, names): (&Structure, &[String]),
    structure: &Structure,
    creates: bool,
) -> Vec<String> {
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    for one in 0..structure.size() {
        for other in 0..before.size() {
            let alike = alike(&program.predicates, (before, other), (structure, one));
            pairs.push((alike, one, other));
        }
    }
    pairs.sort_by_key(|&(alike, one, other)| (usize::MAX - alike, one, other));
    let mut found: Vec<Option<String>> = vec![None; structure.size()];
    let mut taken = vec![false; before.size()];
    for &(_, one, other) in &pairs {
        if found[one].is_none() && !taken[other] {
            taken[other] = true;
            found[one] = Some(names[other].clone());
        }
    }
    // Those that are left come of one that was cut in two, or are new.
    for one in 0..structure.size() {
        if found[one].is_some() {
            continue;
        }
        let near = pairs.iter().find(|(_, other, _)| *other == one);
        let base = match near {
            Some(&(_, _, other)) if !creates => names[other].split('#').next().unwrap_or("u"),
            _ => "new",
        };
        let used = |name: &String| {
            found.iter().flatten().any(|known| known == name) || names.contains(name)
        };
        let numbered = (1..).map(|number| format!("{base}#{number}"));
        let name = numbered.into_iter().find(|name| !used(name));
        found[one] = name;
    }
    found.into_iter().flatten().collect()
}

/// How much is the same of two individuals.
fn alike(predicates: &[Predicate], from: (&Structure, usize), to: (&Structure, usize)) -> usize {
    let of_one = predicates
        .iter()
        .enumerate()
        .filter(|(_, one)| one.arity == 1);
    let same = of_one.filter(|(index, _)| {
        let id = PredicateId::new(*index);
        from.0.get(id, &[from.1]) == to.0.get(id, &[to.1])
    });
    2 * same.count() + usize::from(from.0.summary[from.1] == to.0.summary[to.1])
}
