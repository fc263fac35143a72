//! Runs that are too long to be told on a terminal: their middle is left out.

use super::effort::grouped;

/// Of a longer run, so many steps are told at its beginning and so many at its end.
const SHOWN: usize = 100;

/// What is told of steps, each a few lines with the number of steps that they stand for: all of it, or the
/// beginning and the end with a line that says what is missing. Also whether something is.
pub(super) fn without_middle(told: Vec<(usize, Vec<String>)>) -> (Vec<String>, bool) {
    // To leave out a few would save nothing.
    if told.len() <= 3 * SHOWN {
        return (
            told.into_iter().flat_map(|(_, lines)| lines).collect(),
            false,
        );
    }
    let end = told.len() - SHOWN;
    let missing: usize = told[SHOWN..end].iter().map(|(steps, _)| steps).sum();
    let gap = format!("  ... {} steps are not shown", grouped(missing as u64));
    let mut lines = Vec::new();
    for (at, (_, own)) in told.into_iter().enumerate() {
        if at == SHOWN {
            lines.push(gap.clone());
        }
        if at < SHOWN || at >= end {
            lines.extend(own);
        }
    }
    (lines, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_long_run_is_counted() {
        let told = |steps: usize| {
            let steps = 0..steps;
            without_middle(
                steps
                    .map(|step| (2, vec![format!("step {step}"), "x".to_owned()]))
                    .collect(),
            )
        };
        let (lines, is_cut) = told(3 * SHOWN);
        assert_eq!((lines.len(), is_cut), (6 * SHOWN, false));
        let (lines, is_cut) = told(100_000);
        assert_eq!((lines.len(), is_cut), (4 * SHOWN + 1, true));
        assert_eq!(lines[2 * SHOWN - 2], "step 99");
        assert_eq!(lines[2 * SHOWN], "  ... 199,600 steps are not shown");
        assert_eq!(lines[2 * SHOWN + 1], "step 99900");
    }
}
