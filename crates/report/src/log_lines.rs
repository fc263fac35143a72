//! Which events a line of a log tells.
//!
//! An event is told by the template of its story. A line is matched against it backwards: what stands at the places
//! of arguments is read as a value, and the event is told again; only what is told in the very words of the line
//! counts, so nothing is guessed.

use model::{EventId, Rich, RichId, Type, Value};

use crate::printed::named_value_text;
use crate::story::Narrator;

/// A template is matched in no more ways than this.
const MOST_WAYS: usize = 64;

/// A piece of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece<'t> {
    Text(&'t str),
    /// An argument, and in what form it is printed.
    Argument(usize, &'t str),
}

impl Narrator<'_> {
    /// The events that a line tells, with their arguments: the whole line, or what is left of it without its first
    /// words, such as a time; in the words of a story, or what stands in quotes in them.
    #[must_use]
    pub fn events_told(&self, line: &str) -> Vec<(EventId, Vec<Value>)> {
        let line = line.trim();
        let starts = line
            .char_indices()
            .filter(|(at, _)| *at == 0 || line[..*at].ends_with(char::is_whitespace));
        let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
        for start in starts {
            let found = self.events_of(&line[start..]);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// In what words events are told, `…` in the place of each argument.
    pub fn words_of_events(&self) -> impl Iterator<Item = String> {
        let stories = self
            .program
            .events
            .iter()
            .filter_map(|event| event.story.as_deref());
        stories.map(|story| {
            let pieces = pieces(story).into_iter().map(|piece| match piece {
                Piece::Text(text) => text,
                Piece::Argument(..) => "…",
            });
            pieces.collect()
        })
    }

    fn events_of(&self, text: &str) -> Vec<(EventId, Vec<Value>)> {
        let program = self.program;
        let mut found = Vec::new();
        for event in (0..program.events.len()).map(EventId::new) {
            let Some(story) = &program.events[event.index()].story else {
                continue;
            };
            let quoted = quoted(story);
            for (template, is_quoted) in [(story.as_str(), false)]
                .into_iter()
                .chain(quoted.map(|inside| (inside, true)))
            {
                for args in self.arguments(event, template, text) {
                    let told = self.event_text(event, &args);
                    let told = if is_quoted {
                        self::quoted(&told)
                    } else {
                        Some(&*told)
                    };
                    if told == Some(text) && !found.contains(&(event, args.clone())) {
                        found.push((event, args));
                    }
                }
            }
        }
        found
    }

    /// The arguments with which a template may be the text.
    fn arguments(&self, event: EventId, template: &str, text: &str) -> Vec<Vec<Value>> {
        let pieces = pieces(template);
        let mut ways = Vec::new();
        matches(&pieces, text, &mut Vec::new(), &mut ways);
        let count = self.program.events[event.index()].parameters.len();
        let mut all = Vec::new();
        for way in ways {
            let mut values: Vec<Option<Value>> = vec![None; count];
            let is_read = way.iter().all(|&(index, form, text)| {
                let value = self.value_of(event, index, form, text);
                let is_same = match values.get(index) {
                    Some(Some(before)) => value.as_ref() == Some(before),
                    Some(None) => value.is_some(),
                    None => false,
                };
                if is_same {
                    values[index] = value;
                }
                is_same
            });
            // What is not told can be anything, and an event with such arguments is none that is known.
            let values: Option<Vec<Value>> = values.into_iter().collect();
            if let (true, Some(values)) = (is_read, values) {
                all.push(values);
            }
        }
        all
    }

    /// The value of an argument that is printed so.
    fn value_of(&self, event: EventId, index: usize, form: &str, text: &str) -> Option<Value> {
        let program = self.program;
        let (_, ty) = program.events[event.index()].parameters.get(index)?;
        let names = program.display.arguments.get(&(event, index)).copied();
        let printed = |value: &Value| named_value_text(program, ty, names, value);
        let int = |number: i128| Some(Value::Int(number));
        match form {
            "x" => return int(u32::from_str_radix(text, 16).ok()?.cast_signed().into()),
            "o" => return int(u32::from_str_radix(text, 8).ok()?.cast_signed().into()),
            "c" => return int(u32::from(text.chars().next()?).into()),
            "" => {}
            constants => {
                let known = program.display.constants.get(constants)?;
                let named = known.names.iter().find(|(_, name)| name == text);
                return int(named.map_or_else(|| text.parse().ok(), |(value, _)| Some(*value))?);
            }
        }
        match ty {
            Type::Bool => Some(Value::Bool(text == "true")),
            Type::Rich => {
                let all = u32::try_from(program.rich.len()).ok()?;
                let all = (0..all).map(|number| Value::Rich(RichId(number)));
                let known = all.into_iter().find(|value| printed(value) == text);
                known.or_else(|| {
                    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
                    Some(Value::Rich(program.rich.intern(Rich::Text(inside.into()))))
                })
            }
            _ => {
                let members = names.map(|names| &program.enums[names.index()].members);
                let own = match ty {
                    Type::Enum(own) => Some(&program.enums[own.index()].members),
                    _ => None,
                };
                let named = members.into_iter().chain(own);
                let mut named = named.filter_map(|all| all.iter().position(|name| name == text));
                let named = named.next().and_then(|at| i128::try_from(at).ok());
                let number = || {
                    let digits = text.strip_prefix("channel ").unwrap_or(text);
                    digits.parse().ok()
                };
                int(named.or_else(number)?)
            }
        }
    }
}

/// What stands between the first and the last quotation mark of a text.
fn quoted(text: &str) -> Option<&str> {
    let (_, inside) = text.split_once('"')?;
    let (inside, _) = inside.rsplit_once('"')?;
    (!inside.is_empty()).then_some(inside)
}

/// The pieces of a template.
fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut text, mut at) = (0, 0);
    while let Some(open) = template[at..].find('{') {
        let open = at + open;
        let hole = template[open + 1..]
            .split_once('}')
            .and_then(|(inside, _)| {
                let (number, form) = inside.split_once(':').unwrap_or((inside, ""));
                Some((number.parse().ok()?, form, open + inside.len() + 2))
            });
        let Some((number, form, behind)) = hole else {
            at = open + 1;
            continue;
        };
        if text < open {
            pieces.push(Piece::Text(&template[text..open]));
        }
        pieces.push(Piece::Argument(number, form));
        (text, at) = (behind, behind);
    }
    if text < template.len() {
        pieces.push(Piece::Text(&template[text..]));
    }
    pieces
}

/// What stands at the places of arguments: their number, their form, and the text.
type Way<'t> = Vec<(usize, &'t str, &'t str)>;

/// The ways in which pieces make up a text.
fn matches<'t>(pieces: &[Piece<'t>], text: &'t str, so_far: &mut Way<'t>, ways: &mut Vec<Way<'t>>) {
    if ways.len() >= MOST_WAYS {
        return;
    }
    match pieces.split_first() {
        None => {
            if text.is_empty() {
                ways.push(so_far.clone());
            }
        }
        Some((Piece::Text(own), rest)) => {
            if let Some(text) = text.strip_prefix(own) {
                matches(rest, text, so_far, ways);
            }
        }
        Some((Piece::Argument(number, form), rest)) => {
            let next = match rest.first() {
                Some(Piece::Text(next)) => Some(*next),
                _ => None,
            };
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for end in ends.skip(1) {
                if next.is_some_and(|next| !text[end..].starts_with(next)) {
                    continue;
                }
                so_far.push((*number, form, &text[..end]));
                matches(rest, &text[end..], so_far, ways);
                so_far.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(template: &'static str, text: &'static str) -> Vec<Vec<&'static str>> {
        let mut found = Vec::new();
        matches(&pieces(template), text, &mut Vec::new(), &mut found);
        let texts = |way: Way<'static>| way.into_iter().map(|(_, _, text)| text).collect();
        found.into_iter().map(texts).collect()
    }

    #[test]
    fn templates_are_read_backwards() {
        assert_eq!(ways("{0} pays L${1}", "Bob pays L$10"), [["Bob", "10"]]);
        assert_eq!(ways("{0}{1}", "abc"), [["a", "bc"], ["ab", "c"]]);
        assert_eq!(ways("a {x} {0}", "a {x} 1"), [["1"]]);
        assert_eq!(ways("done", "done"), [[""; 0]]);
        assert_eq!(ways("done {0}", "done "), Vec::<Vec<&str>>::new());
        assert_eq!(quoted("prints \"a \"b\"\""), Some("a \"b\""));
        assert_eq!(quoted("prints \"\""), None);
    }
}
