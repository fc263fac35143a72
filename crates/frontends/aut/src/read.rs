//! The format itself: a header, and a line for each transition.

use thiserror::Error;

/// A labelled graph as it is written.
#[derive(Clone, Debug)]
pub struct Lts<'t> {
    /// Where runs begin.
    pub first: u32,
    /// How many states there are, numbered from 0 on.
    pub states: u32,
    /// The texts of the labels, each once.
    pub labels: Vec<&'t str>,
    /// In the order of the file.
    pub transitions: Vec<Transition>,
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Where it begins.
    pub from: u32,
    /// The number of its label.
    pub label: u32,
    /// Where it leads.
    pub to: u32,
    /// Its line in the file, from 1 on.
    pub line: u32,
}

/// Why a text is no graph.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Malformed {
    /// The first line is something else.
    #[error("a graph begins with `des (first state, transitions, states)`")]
    Header(u32),
    /// Probabilities.
    #[error("graphs with probabilities are not read")]
    Probabilities(u32),
    /// A line is no transition.
    #[error("a transition is missing here, as in `(0, \"label\", 1)`")]
    Line(u32),
    /// A state has a number that is too large.
    #[error("there is no state {1}: the header says that there are {2}")]
    State(u32, u64, u32),
    /// There are more or fewer transitions than announced.
    #[error("the header says that there are {0} transitions, but there are {1}")]
    Count(u64, u64),
}

impl Malformed {
    /// The line that is wrong; none if it is the whole file.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        match self {
            Malformed::Header(line)
            | Malformed::Probabilities(line)
            | Malformed::Line(line)
            | Malformed::State(line, ..) => Some(*line),
            Malformed::Count(..) => None,
        }
    }
}

/// Reads a graph.
///
/// # Errors
/// If the text is none.
pub fn read(text: &str) -> Result<Lts<'_>, Malformed> {
    let mut lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty());
    let (line, header) = lines.next().ok_or(Malformed::Header(1))?;
    let inside = header.strip_prefix("des").map(str::trim);
    let inside = inside.and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
    let inside = inside.ok_or(Malformed::Header(line))?;
    let numbers: Vec<&str> = inside.split(',').map(str::trim).collect();
    if numbers.len() == 3 && numbers[0].contains('/') {
        return Err(Malformed::Probabilities(line));
    }
    let number = |at: usize| numbers.get(at)?.parse::<u64>().ok();
    let (Some(first), Some(count), Some(states), 3) =
        (number(0), number(1), number(2), numbers.len())
    else {
        return Err(Malformed::Header(line));
    };
    let states = u32::try_from(states).map_err(|_| Malformed::Header(line))?;
    let state = |line: u32, number: u64| match u32::try_from(number) {
        Ok(state) if state < states => Ok(state),
        _ => Err(Malformed::State(line, number, states)),
    };
    let mut lts = Lts {
        first: state(line, first)?,
        states,
        labels: Vec::new(),
        transitions: Vec::new(),
    };
    let mut numbers = std::collections::HashMap::new();
    for (line, written) in lines {
        source::limits::check();
        let (from, label, to) = transition(written).ok_or(Malformed::Line(line))?;
        let label = *numbers.entry(label).or_insert_with(|| {
            lts.labels.push(label);
            u32::try_from(lts.labels.len() - 1).expect("fewer labels than lines")
        });
        lts.transitions.push(Transition {
            from: state(line, from)?,
            label,
            to: state(line, to)?,
            line,
        });
    }
    let found = lts.transitions.len() as u64;
    if found != count {
        return Err(Malformed::Count(count, found));
    }
    Ok(lts)
}

/// `(0, "label", 1)`; the quotes may be missing.
fn transition(line: &str) -> Option<(u64, &str, u64)> {
    let inside = line.strip_prefix('(')?.strip_suffix(')')?;
    let (from, rest) = inside.split_once(',')?;
    let (label, to) = rest.rsplit_once(',')?;
    let label = label.trim();
    let quoted = label
        .strip_prefix('"')
        .and_then(|label| label.strip_suffix('"'));
    Some((
        from.trim().parse().ok()?,
        quoted.unwrap_or(label),
        to.trim().parse().ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_may_have_commas_and_no_quotes() {
        let lts = read("des (0, 3, 2)\n(0, \"a(1, 2)\", 1)\n\n(1, b(x,y), 0)\n(1,\"a(1, 2)\",1)\n");
        let lts = lts.expect("it is a graph");
        assert_eq!((lts.first, lts.states), (0, 2));
        assert_eq!(lts.labels, ["a(1, 2)", "b(x,y)"]);
        let labels: Vec<u32> = lts.transitions.iter().map(|t| t.label).collect();
        assert_eq!(labels, [0, 1, 0]);
        assert_eq!(lts.transitions[1].line, 4);
    }

    #[test]
    fn what_is_wrong_and_where() {
        for (text, expected) in [
            ("", Malformed::Header(1)),
            ("digraph {}", Malformed::Header(1)),
            ("des (0, 1)", Malformed::Header(1)),
            ("des (0 1/2 1, 0, 2)", Malformed::Probabilities(1)),
            ("des (0,1,1)\n(0,a)", Malformed::Line(2)),
            ("des (0,1,1)\n(0,a,-1)", Malformed::Line(2)),
            ("des (0,1,1)\n(0,a,1)", Malformed::State(2, 1, 1)),
            ("des (1,0,1)", Malformed::State(1, 1, 1)),
            ("des (0,2,1)\n(0,a,0)", Malformed::Count(2, 1)),
            ("des (0,0,1)\n(0,a,0)", Malformed::Count(0, 1)),
        ] {
            assert_eq!(read(text).map(|_| ()), Err(expected), "{text}");
        }
    }
}
