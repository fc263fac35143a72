//! Runs as the page reads them: each text, each happening and each variable once, and of a step only
//! what it changes.
//!
//! A run of 200,000 steps consists of few different statements, so it is written as tables and one list
//! of numbers into them. For each step in order the list holds: how many things happen, their
//! places in the table of happenings, how many variables change, and for each the variable, its
//! value before and its value after, as places in the table of texts.

use std::collections::HashMap;

use model::Picture;
use serde_json::{Value, json};

use super::{graphs, headline};
use crate::values::{Change, Happening, HappeningKind, Line, Message, Story};

/// Texts, each once.
#[derive(Default)]
struct Texts<'s> {
    all: Vec<&'s str>,
    known: HashMap<&'s str, usize>,
}

impl<'s> Texts<'s> {
    fn number(&mut self, text: &'s str) -> usize {
        *self.known.entry(text).or_insert_with(|| {
            self.all.push(text);
            self.all.len() - 1
        })
    }
}

/// The tables of a run.
#[derive(Default)]
struct Tables<'s> {
    texts: Texts<'s>,
    lines: Vec<Value>,
    line_numbers: HashMap<(&'s str, u32, &'s str), usize>,
    happenings: Vec<Value>,
    /// By what is told, who does it, where, and the pins.
    happening_numbers: HashMap<Key<'s>, usize>,
    variables: Vec<Value>,
    variable_numbers: HashMap<&'s str, usize>,
}

type Key<'s> = (
    &'s str,
    Option<&'s str>,
    Option<usize>,
    &'s [String],
    Option<&'s Message>,
    (bool, HappeningKind),
);

impl<'s> Tables<'s> {
    fn line(&mut self, line: &'s Line) -> usize {
        let key = (line.file.as_str(), line.line, line.source.as_str());
        let file = self.texts.number(&line.file);
        *self.line_numbers.entry(key).or_insert_with(|| {
            self.lines.push(json!([file, line.line, line.source]));
            self.lines.len() - 1
        })
    }

    fn happening(&mut self, one: &'s Happening) -> usize {
        let line = one.line.as_ref().map(|line| self.line(line));
        let key = (
            one.text.as_str(),
            one.who.as_deref(),
            line,
            one.places.as_slice(),
            one.message.as_ref(),
            (one.detail, one.kind),
        );
        if let Some(&known) = self.happening_numbers.get(&key) {
            return known;
        }
        self.happenings.push(json!({
            "kind": one.kind, "who": one.who, "text": one.text, "detail": one.detail,
            "line": line, "places": one.places,
            "message": one.message.as_ref().map(|said| json!([said.from, said.to, said.text])),
        }));
        self.happening_numbers
            .insert(key, self.happenings.len() - 1);
        self.happenings.len() - 1
    }

    fn variable(&mut self, change: &'s Change) -> usize {
        *self
            .variable_numbers
            .entry(&change.variable)
            .or_insert_with(|| {
                self.variables
                    .push(json!([change.variable, change.detail, change.holder]));
                self.variables.len() - 1
            })
    }
}

/// What the page needs of a run.
pub(super) fn run(asked: &str, story: &Story, picture: Option<&Picture>) -> Value {
    let mut tables = Tables::default();
    let mut flat: Vec<usize> = Vec::new();
    for step in &story.steps {
        flat.push(step.happenings.len());
        for one in &step.happenings {
            let number = tables.happening(one);
            flat.push(number);
        }
        flat.push(step.changes.len());
        for change in &step.changes {
            let variable = tables.variable(change);
            let before = tables.texts.number(&change.before);
            let after = tables.texts.number(&change.after);
            flat.extend([variable, before, after]);
        }
    }
    let headline = headline::of(asked, story, picture);
    let mut data = json!({
        "possible": story.possible,
        "beginning": story.beginning,
        "repeats_from": story.repeats_from,
        "ending": story.ending,
        "count": story.steps.len(),
        "headline": headline.text,
        "opens_at": headline.opens_at,
        "culprit": {"pins": headline.pins, "line": headline.line},
        "lines": tables.lines,
        "happenings": tables.happenings,
        "variables": tables.variables,
        "texts": tables.texts.all,
    });
    data["steps"] = json!(flat);
    if !story.graphs.is_empty() {
        data["graphs"] = graphs::placed(&story.graphs);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Ending, Holder, StoryStep};

    #[test]
    fn what_is_the_same_is_written_once() {
        let step = |number: usize| StoryStep {
            number,
            happenings: vec![Happening {
                kind: HappeningKind::Step,
                who: Some("P".to_owned()),
                text: if number.is_multiple_of(2) {
                    "n--"
                } else {
                    "n++"
                }
                .to_owned(),
                detail: false,
                line: Some(Line {
                    file: "f".to_owned(),
                    line: 4,
                    column: 1,
                    source: "n++ or n--".to_owned(),
                }),
                places: Vec::new(),
                message: None,
            }],
            changes: vec![Change {
                variable: "n".to_owned(),
                holder: Holder::Script,
                before: (1 - number % 2).to_string(),
                after: (number % 2).to_string(),
                detail: false,
            }],
        };
        let story = Story {
            possible: false,
            beginning: Vec::new(),
            steps: (1..=1000).map(step).collect(),
            repeats_from: None,
            ending: Ending {
                text: String::new(),
                values: Vec::new(),
                line: None,
                waiting: Vec::new(),
            },
            graphs: Vec::new(),
        };
        let data = run("n < 1", &story, None);
        let count = |name: &str| data[name].as_array().map(Vec::len);
        assert_eq!(count("happenings"), Some(2));
        assert_eq!(count("lines"), Some(1));
        assert_eq!(count("variables"), Some(1));
        // The name of the file, 0 and 1.
        assert_eq!(data["texts"], json!(["f", "0", "1"]));
        assert_eq!(count("steps"), Some(6 * 1000));
        let first: Vec<&Value> = data["steps"].as_array().unwrap()[..12].iter().collect();
        assert_eq!(json!(first), json!([1, 0, 1, 0, 1, 2, 1, 1, 1, 0, 2, 1]));
    }
}
