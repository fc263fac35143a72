//! Values that a flag may start with, where it may start with too many for all to be followed.
//!
//! Such a flag starts as anything, and how anything compares with a number is not known. Some of the numbers that
//! it may start with are followed beside: the least, and those that stand in settings of the file. A run that begins
//! with one of them rests on nothing that is not known.

use std::collections::BTreeSet;

use crate::graph::{Literal, Project};

/// So many are followed.
const MOST_STARTS: usize = 4;

/// Some of the numbers between two bounds that a flag without a first value may start with.
pub(super) fn starts(project: &Project, low: i64, high: i64) -> Vec<i64> {
    let mut numbers = BTreeSet::from([low]);
    let nodes = project.graphs.iter().flat_map(|graph| &graph.nodes);
    for setting in nodes.flat_map(|node| &node.settings) {
        match &setting.value {
            Literal::Int(number) => {
                numbers.insert(*number);
            }
            // Whatever the digits mean there: the flag may start so.
            Literal::Text(text) => {
                let digits = text.split(|char: char| !char.is_ascii_digit());
                numbers.extend(digits.filter_map(|digits| digits.parse::<i64>().ok()));
            }
            _ => {}
        }
    }
    let within = numbers.range(low..=high).copied();
    within.take(MOST_STARTS).collect()
}
