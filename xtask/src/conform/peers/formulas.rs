//! What our program is asked about a graph, and which of it the peer's runs break.
//!
//! Formulas are claims that something never happens. Three sorts are made from the runs, so that each is broken:
//! that a state in which the peer came to rest is never reached, that such states never follow one
//! another in this order, that a node that ran is never entered. The others are random, and broken or not.
//! None of the broken ones may be said to hold.

use serde_json::Value;

use super::graph::Graph;
use super::kinds::Type;
use super::runner::{Seen, Values};
use crate::random::Random;

/// States of a run that one formula tells.
const LONGEST: usize = 6;

/// What sort of formula it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sort {
    State,
    Order,
    Node,
    /// Random, of what is never.
    Never,
    /// Random, of what comes at last.
    AtLast,
}

/// A formula.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) sort: Sort,
    pub(crate) text: String,
    /// Which run breaks it, if one does.
    pub(crate) broken: Option<usize>,
    /// A run in which what it is about has happened, if it is about something: it may not be called vacuous.
    pub(crate) about: Option<usize>,
}

/// Where nodes of one value or another are: variables of our vocabulary.
pub(crate) struct Vocabulary<'g> {
    graph: &'g Graph,
    variables: Vec<usize>,
}

impl<'g> Vocabulary<'g> {
    /// Truth values and integers, without those that our program does not follow.
    pub(crate) fn new(graph: &'g Graph, unknown: &[String]) -> Vocabulary<'g> {
        let variables = (0..graph.variables.len()).filter(|&at| {
            let variable = &graph.variables[at];
            matches!(variable.of, Type::Bool | Type::Int) && !unknown.contains(&variable.name)
        });
        Vocabulary {
            graph,
            variables: variables.collect(),
        }
    }

    /// All formulas about these runs.
    pub(crate) fn formulas(&self, runs: &[Seen], random: &mut Random) -> Vec<Formula> {
        let mut formulas = Vec::new();
        if !self.variables.is_empty() {
            self.states(runs, &mut formulas);
            for _ in 0..5 {
                formulas.extend(self.never(runs, random));
            }
            for _ in 0..3 {
                formulas.extend(self.at_last(runs, random));
            }
        }
        self.nodes(runs, &mut formulas);
        let mut kept: Vec<Formula> = Vec::new();
        for formula in formulas {
            if !kept.iter().any(|one| one.text == formula.text) {
                kept.push(formula);
            }
        }
        kept
    }

    fn states(&self, runs: &[Seen], formulas: &mut Vec<Formula>) {
        for (run, seen) in runs.iter().enumerate() {
            let mut order: Vec<String> = Vec::new();
            for (_, values) in seen.values.iter().filter(|(rest, _)| *rest) {
                let state = self.state(values);
                if order.last() == Some(&state) {
                    continue;
                }
                formulas.push(Formula {
                    sort: Sort::State,
                    text: format!("AG !({state})"),
                    broken: Some(run),
                    about: Some(run),
                });
                order.push(state);
            }
            order.truncate(LONGEST);
            if let Some((last, before)) = order.split_last()
                && !before.is_empty()
            {
                let text = before
                    .iter()
                    .rev()
                    .fold(format!("AG !({last})"), |text, state| {
                        format!("AG (({state}) -> {text})")
                    });
                formulas.push(Formula {
                    sort: Sort::Order,
                    text,
                    broken: Some(run),
                    about: Some(run),
                });
            }
        }
    }

    fn nodes(&self, runs: &[Seen], formulas: &mut Vec<Formula>) {
        for (run, seen) in runs.iter().enumerate() {
            for &node in &seen.nodes {
                if node < self.graph.nodes.len() && self.graph.is_flow(node) {
                    formulas.push(Formula {
                        sort: Sort::Node,
                        text: format!("AG !entered({})", self.graph.node_name(node)),
                        broken: Some(run),
                        about: Some(run),
                    });
                }
            }
        }
    }

    /// A state as a formula.
    fn state(&self, values: &Values) -> String {
        let parts = self.variables.iter().map(|&at| {
            let name = &self.graph.variables[at].name;
            match &values[at] {
                Value::Bool(true) => name.clone(),
                Value::Bool(false) => format!("!{name}"),
                number => format!("{name} == {number}"),
            }
        });
        parts.collect::<Vec<_>>().join(" & ")
    }

    /// A random test, with what it says of values.
    fn test(&self, random: &mut Random) -> Test {
        let count = 1 + random.below(2);
        let parts = (0..count).map(|_| {
            let at = *random.pick(&self.variables);
            let relation = match self.graph.variables[at].of {
                Type::Bool => Relation::Is(random.percent(50)),
                _ if random.percent(60) => Relation::Equals(small(random)),
                _ => Relation::Differs(small(random)),
            };
            (at, relation)
        });
        Test(parts.collect())
    }

    /// A random test that holds in a state in which a run came to rest, and which run that is.
    fn met(&self, runs: &[Seen], random: &mut Random) -> Option<(Test, usize)> {
        let states: Vec<(usize, &Values)> = (0..)
            .zip(runs)
            .flat_map(|(at, run)| run.values.iter().map(move |one| (at, one)))
            .filter_map(|(at, (rest, values))| rest.then_some((at, values)))
            .collect();
        if states.is_empty() {
            return None;
        }
        let (run, values) = *random.pick(&states);
        let parts = (0..1 + random.below(2)).map(|_| {
            let at = *random.pick(&self.variables);
            let other = small(random);
            let relation = match &values[at] {
                Value::Bool(value) => Relation::Is(*value),
                number => match number.as_i64() {
                    Some(number) if number == other || random.percent(60) => {
                        Relation::Equals(number)
                    }
                    _ => Relation::Differs(other),
                },
            };
            (at, relation)
        });
        Some((Test(parts.collect()), run))
    }

    fn never(&self, runs: &[Seen], random: &mut Random) -> Option<Formula> {
        let simple = random.percent(40);
        let (first, about) = match simple {
            true => (self.test(random), None),
            false => self
                .met(runs, random)
                .map(|(test, run)| (test, Some(run)))?,
        };
        let second = self.test(random);
        let (bad, after) = (self.text(&first), self.text(&second));
        let broken = runs.iter().position(|run| {
            let rests = || run.values.iter().filter(|(rest, _)| *rest);
            if simple {
                return rests().any(|(_, values)| first.holds(values));
            }
            rests()
                .skip_while(|(_, values)| !first.holds(values))
                .any(|(_, values)| second.holds(values))
        });
        Some(Formula {
            sort: Sort::Never,
            text: match simple {
                true => format!("AG !({bad})"),
                false => format!("AG (({bad}) -> AG !({after}))"),
            },
            broken,
            about,
        })
    }

    /// That something comes at last: broken by a run that has come to its end without, whatever
    /// was true for a moment on the way.
    fn at_last(&self, runs: &[Seen], random: &mut Random) -> Option<Formula> {
        let simple = random.percent(30);
        let (first, about) = match simple {
            true => (self.test(random), None),
            false => self
                .met(runs, random)
                .map(|(test, run)| (test, Some(run)))?,
        };
        let second = self.test(random);
        let (when, then) = (self.text(&first), self.text(&second));
        let broken = runs.iter().position(|run| {
            let begins = match simple {
                true => Some(0),
                false => run
                    .values
                    .iter()
                    .rposition(|(rest, values)| *rest && first.holds(values)),
            };
            let ended = begins.filter(|_| run.quiet);
            ended.is_some_and(|begin| {
                run.values[begin..]
                    .iter()
                    .all(|(_, values)| !second.holds(values))
            })
        });
        Some(Formula {
            sort: Sort::AtLast,
            text: match simple {
                true => format!("AF ({then})"),
                false => format!("AG (({when}) -> AF ({then}))"),
            },
            broken,
            about,
        })
    }

    fn text(&self, test: &Test) -> String {
        let parts = test.0.iter().map(|(at, relation)| {
            let name = &self.graph.variables[*at].name;
            match relation {
                Relation::Is(true) => name.clone(),
                Relation::Is(false) => format!("!{name}"),
                Relation::Equals(number) => format!("{name} == {number}"),
                Relation::Differs(number) => format!("{name} != {number}"),
            }
        });
        parts.collect::<Vec<_>>().join(" & ")
    }
}

fn small(random: &mut Random) -> i64 {
    i64::try_from(random.below(4)).expect("it is small")
}

enum Relation {
    Is(bool),
    Equals(i64),
    Differs(i64),
}

/// All of this at once.
struct Test(Vec<(usize, Relation)>);

impl Test {
    fn holds(&self, values: &Values) -> bool {
        self.0.iter().all(|(at, relation)| match relation {
            Relation::Is(wanted) => values[*at] == Value::Bool(*wanted),
            Relation::Equals(number) => values[*at].as_i64() == Some(*number),
            Relation::Differs(number) => values[*at].as_i64() != Some(*number),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::conform::peers::{Peer, generate};

    /// A graph with its first truth value, and a run in which that takes these values.
    fn ran(values: &[(bool, bool)], quiet: bool) -> (Graph, Seen) {
        let mut graph = generate::graph(Peer::Behave, &mut Random::new(1));
        graph.variables.truncate(1);
        assert_eq!(graph.variables[0].of, Type::Bool);
        let values = values
            .iter()
            .map(|(rest, value)| (*rest, vec![json!(value)]));
        let seen = Seen {
            values: values.collect(),
            quiet,
            ..Seen::default()
        };
        (graph, seen)
    }

    fn broken(graph: &Graph, seen: &Seen, text: &str) -> Option<bool> {
        let vocabulary = Vocabulary::new(graph, &[]);
        (0..200).find_map(|seed| {
            let runs = std::slice::from_ref(seen);
            let all = vocabulary.formulas(runs, &mut Random::new(seed));
            let found = all.into_iter().find(|one| one.text == text)?;
            Some(found.broken.is_some())
        })
    }

    #[test]
    fn what_a_run_shows_breaks_what_says_never() {
        let (graph, seen) = ran(&[(true, false), (true, true), (true, false)], true);
        for text in ["AG !(flag0)", "AG !(!flag0)"] {
            assert_eq!(broken(&graph, &seen, text), Some(true), "{text}");
        }
        let order = "AG ((!flag0) -> AG ((flag0) -> AG !(!flag0)))";
        assert_eq!(broken(&graph, &seen, order), Some(true));
    }

    #[test]
    fn states_on_the_way_are_none_that_it_rests_in() {
        let (graph, seen) = ran(&[(true, false), (false, true), (true, false)], true);
        assert_eq!(broken(&graph, &seen, "AG !(flag0)"), Some(false));
        // But what comes at last has come, if only for a moment.
        assert_eq!(broken(&graph, &seen, "AF (flag0)"), Some(false));
        assert_eq!(
            broken(&graph, &seen, "AG ((!flag0) -> AF (flag0))"),
            Some(true)
        );
    }

    #[test]
    fn only_a_run_that_has_ended_shows_what_never_comes() {
        for quiet in [true, false] {
            let (graph, seen) = ran(&[(true, false)], quiet);
            assert_eq!(broken(&graph, &seen, "AF (flag0)"), Some(quiet));
        }
    }
}
