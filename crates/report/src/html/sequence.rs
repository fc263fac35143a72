//! A run as a sequence of messages: a lane for each who takes part, time going down.
//!
//! What is drawn is what the program tells of itself: events whose last parameters are called `who`. One
//! name is somebody who does something, two are a message from the first to the second; a tool that is
//! spoken to or that speaks has a lane of its own (as in message sequence charts, ITU-T Z.120).

use std::fmt::Write;

use model::interp::{Occurrence, ReplayedStep};
use model::{EventId, Program, Rich, Value};

use crate::printed::value_text;
use crate::values::Message;

/// The width of a lane.
const LANE: usize = 210;
/// The height of a line.
const LINE: usize = 34;

/// Who something comes from and whom it goes to.
fn ends(word: &str, names: &[String], terms: &[String]) -> (String, String) {
    let tool = |position: usize| terms.get(position).filter(|term| term.contains('('));
    match (names, word) {
        ([from, to, ..], _) => (from.clone(), to.clone()),
        ([who], "snd-do" | "snd-eval" | "snd-ack-event" | "snd-terminate" | "snd-cancel") => {
            (who.clone(), tool(0).unwrap_or(who).clone())
        }
        ([who], "rec-event" | "rec-value" | "rec-connect" | "rec-disconnect") => {
            (tool(0).unwrap_or(who).clone(), who.clone())
        }
        ([who], _) => (who.clone(), who.clone()),
        ([], _) => {
            let who = tool(0).cloned().unwrap_or_else(|| "world".to_owned());
            (who.clone(), who)
        }
    }
}

/// What an event says to whom. Of a script that speaks with a world without names (LSL), what the
/// script calls goes to the person whom it names, or to the world, and all else comes from there,
/// in the words in which it is `told`.
pub(crate) fn message(
    program: &Program,
    event: EventId,
    args: &[Value],
    told: &str,
) -> Option<Message> {
    let declared = &program.events[event.index()];
    let by_name = program.language == "tscript";
    let mut names = Vec::new();
    let mut terms = Vec::new();
    let mut person = None;
    for ((name, ty), value) in declared.parameters.iter().zip(args) {
        let text = value_text(program, ty, value);
        if name == "who" && by_name {
            names.push(text);
            continue;
        }
        if let Value::Rich(id) = value
            && let Rich::Term { functor, .. } = &*program.rich.get(*id)
            && &**functor == "key"
            && person.is_none()
        {
            person = Some(text.clone());
        }
        terms.push(text);
    }
    let word = &declared.name;
    if by_name {
        let (from, to) = ends(word, &names, &terms);
        let text = format!("{word}({})", terms.join(", "));
        return Some(Message { from, to, text });
    }
    let person = person.unwrap_or_else(|| "the world".to_owned());
    let script = "the script".to_owned();
    let text = told.strip_prefix("the script calls ").unwrap_or(told);
    let (from, to) = match word.starts_with("call ") {
        true => (script, person),
        false => (person, script),
    };
    Some(Message {
        from,
        to,
        text: text.to_owned(),
    })
}

/// Something that happens between lanes.
struct Happening {
    from: usize,
    to: usize,
    text: String,
}

/// Lanes, and what happens between them, in order.
#[derive(Default)]
pub struct Sequence {
    lanes: Vec<String>,
    happenings: Vec<Happening>,
}

impl Sequence {
    /// The sequence of some steps.
    #[must_use]
    pub fn of(program: &Program, steps: &[ReplayedStep]) -> Self {
        let mut sequence = Sequence::default();
        for occurrence in steps.iter().flat_map(|step| &step.occurrences) {
            if let Occurrence::Event { event, args, .. } = occurrence {
                let declared = &program.events[event.index()];
                if declared.is_detail() {
                    continue;
                }
                let mut names = Vec::new();
                let mut terms = Vec::new();
                for ((name, ty), value) in declared.parameters.iter().zip(args) {
                    let text = value_text(program, ty, value);
                    if name == "who" {
                        names.push(text);
                    } else {
                        terms.push(text);
                    }
                }
                sequence.add(&declared.name, &names, &terms);
            }
        }
        sequence
    }

    fn lane(&mut self, name: &str) -> usize {
        match self.lanes.iter().position(|lane| lane == name) {
            Some(known) => known,
            None => {
                self.lanes.push(name.to_owned());
                self.lanes.len() - 1
            }
        }
    }

    fn add(&mut self, word: &str, names: &[String], terms: &[String]) {
        let (from, to) = ends(word, names, terms);
        let (from, to) = (self.lane(&from), self.lane(&to));
        self.happenings.push(Happening {
            from,
            to,
            text: format!("{word}({})", terms.join(", ")),
        });
    }

    /// The sequence in lines of text, a column for each lane.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        const COLUMN: usize = 16;
        let mut lines = Vec::new();
        let names = self.lanes.iter().map(|lane| {
            let short: String = lane.chars().take(COLUMN - 2).collect();
            format!("{short:<COLUMN$}")
        });
        lines.push(names.collect::<String>().trim_end().to_owned());
        for happening in &self.happenings {
            let (low, high) = (
                happening.from.min(happening.to),
                happening.from.max(happening.to),
            );
            let mut line: Vec<char> = vec![' '; self.lanes.len() * COLUMN];
            for lane in 0..self.lanes.len() {
                line[lane * COLUMN] = '|';
            }
            if low == high {
                line[low * COLUMN] = '*';
            } else {
                line[low * COLUMN + 1..high * COLUMN].fill('-');
                if happening.to > happening.from {
                    line[high * COLUMN - 1] = '>';
                } else {
                    line[low * COLUMN + 1] = '<';
                }
            }
            let line: String = line.into_iter().collect();
            lines.push(format!("{}  {}", line.trim_end(), happening.text));
        }
        lines
    }

    /// The sequence as a page of its own.
    #[must_use]
    pub fn page(&self, title: &str) -> String {
        let width = LANE * self.lanes.len().max(1) + 40;
        let height = LINE * (self.happenings.len() + 3);
        let middle = |lane: usize| 20 + LANE * lane + LANE / 2;
        let mut svg = String::new();
        for (lane, name) in self.lanes.iter().enumerate() {
            let x = middle(lane);
            let _ = write!(
                svg,
                "<line x1='{x}' y1='40' x2='{x}' y2='{height}' class='lane'/>\
                 <text x='{x}' y='28' class='name'>{}</text>",
                escaped(name)
            );
        }
        for (at, happening) in self.happenings.iter().enumerate() {
            let y = LINE * (at + 2);
            let (from, to) = (middle(happening.from), middle(happening.to));
            let text = escaped(&happening.text);
            if from == to {
                let _ = write!(
                    svg,
                    "<circle cx='{from}' cy='{y}' r='4'/><text x='{}' y='{}'>{text}</text>",
                    from + 9,
                    y + 4
                );
            } else {
                let _ = write!(
                    svg,
                    "<line x1='{from}' y1='{y}' x2='{to}' y2='{y}' class='message' \
                     marker-end='url(#head)'/><text x='{}' y='{}'>{text}</text>",
                    from.min(to) + 9,
                    y - 5
                );
            }
        }
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
             <style>body{{font:14px sans-serif;margin:1em}}svg{{background:#fff;color:#111}}\
             .lane{{stroke:#bbb;stroke-dasharray:4 4}}.message{{stroke:#246;stroke-width:1.5}}\
             .name{{font-weight:bold;text-anchor:middle}}text{{font:12px monospace;fill:#111}}\
             circle{{fill:#246}}</style></head><body><h1>{title}</h1>\
             <svg width=\"{width}\" height=\"{height}\"><defs><marker id=\"head\" markerWidth=\"9\" \
             markerHeight=\"9\" refX=\"8\" refY=\"4\" orient=\"auto\"><path d=\"M0,0 L9,4 L0,8 z\" \
             fill=\"#246\"/></marker></defs>{svg}</svg></body></html>\n",
            title = escaped(title),
        )
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;")
        .replace('\'', "&#39;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence() -> Sequence {
        let mut sequence = Sequence::default();
        let text = |all: &[&str]| -> Vec<String> { all.iter().map(|s| (*s).to_owned()).collect() };
        sequence.add(
            "rec-event",
            &text(&["Buyer"]),
            &text(&["bidder(1)", "bid(2)"]),
        );
        sequence.add("msg", &text(&["Buyer", "Shop"]), &text(&["bid(2)"]));
        sequence.add("snd-note", &text(&["Shop"]), &text(&["<sold>"]));
        sequence
    }

    #[test]
    fn messages_go_between_lanes() {
        let lines = sequence().lines();
        assert!(
            lines[0].starts_with("bidder(1)       Buyer           Shop"),
            "{lines:?}"
        );
        assert!(lines[1].starts_with("|-------------->|"), "{lines:?}");
        assert!(
            lines[2].starts_with("|               |-------------->|"),
            "{lines:?}"
        );
        assert!(lines[3].ends_with("*  snd-note(<sold>)"), "{lines:?}");
    }

    #[test]
    fn nothing_that_is_told_becomes_markup() {
        let page = sequence().page("<b>");
        assert!(!page.contains("<sold>") && !page.contains("<b>"), "{page}");
        assert_eq!(page.matches("class='message'").count(), 2);
        assert_eq!(page.matches("<circle").count(), 1);
    }
}
