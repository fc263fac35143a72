//! What a rule says in a structure, for the audit of sets of structures.

use model::predicates::{Head, Kleene, Structure};

/// Whether what a rule says is known already.
pub(crate) fn is_known(structure: &Structure, head: &Head, assignment: &[usize]) -> bool {
    match head {
        Head::Never => false,
        Head::Literal(predicate, variables, positive) => {
            let value = match variables.as_slice() {
                [one] => structure.get(*predicate, &[assignment[*one]]),
                [a, b] => structure.get(*predicate, &[assignment[*a], assignment[*b]]),
                _ => return false,
            };
            value == Kleene::of(*positive)
        }
        Head::Equal(a, b, positive) => {
            let (one, other) = (assignment[*a], assignment[*b]);
            let same = one == other && !structure.summary[one];
            *positive && same || !*positive && one != other
        }
    }
}

/// Makes known what a rule says; `None`: it contradicts what is known.
pub(crate) fn conclude(structure: &mut Structure, head: &Head, assignment: &[usize]) -> Option<()> {
    match head {
        Head::Never => None,
        Head::Literal(predicate, variables, positive) => {
            let tuple: Vec<usize> = variables.iter().map(|&v| assignment[v]).collect();
            let said = Kleene::of(*positive);
            let known = structure.get(*predicate, &tuple);
            if known != said && known != Kleene::Unknown {
                return None;
            }
            // What is said of an individual and itself is not said of two that one stands for.
            let repeated = variables.len() == 2 && variables[0] == variables[1];
            if !(repeated && structure.summary[tuple[0]]) {
                structure.set(*predicate, &tuple, said);
            }
            Some(())
        }
        Head::Equal(a, b, positive) => {
            let (one, other) = (assignment[*a], assignment[*b]);
            if (one == other) != *positive {
                return None;
            }
            if *positive && a != b {
                structure.summary[one] = false;
            }
            Some(())
        }
    }
}

/// All tuples of so many individuals.
pub(crate) fn tuples(size: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = all.iter().flat_map(|tuple: &Vec<usize>| {
            (0..size).map(move |one| [tuple.as_slice(), &[one]].concat())
        });
        all = longer.collect();
    }
    all
}
