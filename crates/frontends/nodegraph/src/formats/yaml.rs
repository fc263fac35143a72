//! The one text of a YAML file that a graph of Unity stands in.
//!
//! Unity writes a graph as JSON into one quoted scalar, the value of the key `_json`, and folds it over lines.
//! Nothing else of the file is looked at, so this reads quoted scalars (YAML 1.1, 5.7 and 9.1) and no YAML
//! beside them. Each part that stands in the file as it is keeps its place.

use std::str::CharIndices;

use super::json::Places;

/// A scalar, without its quotes.
pub(super) struct Scalar {
    pub(super) text: String,
    pub(super) places: Places,
}

/// The places behind a key at the beginning of a line, and the blanks that follow.
pub(super) fn values_of(text: &str, key: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let rest = line[indent..].strip_prefix(key);
        if let Some(rest) = rest.and_then(|rest| rest.strip_prefix(':')) {
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            found.push(start + indent + key.len() + 1 + blanks);
        }
        start += line.len();
    }
    found
}

/// The quoted scalar that begins there; none if there is none, or it does not end.
pub(super) fn quoted(text: &str, at: usize) -> Option<Scalar> {
    let rest = text.get(at..)?;
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let mut reader = Reader {
        made: String::new(),
        places: vec![(0, at + 1)],
        file: text,
        characters: rest.char_indices(),
        base: at,
    };
    reader.characters.next();
    reader.read(quote)?;
    Some(Scalar {
        text: reader.made,
        places: Places(reader.places),
    })
}

struct Reader<'t> {
    made: String,
    places: Vec<(usize, usize)>,
    file: &'t str,
    characters: CharIndices<'t>,
    base: usize,
}

impl Reader<'_> {
    fn read(&mut self, quote: char) -> Option<()> {
        loop {
            let (_, character) = self.characters.next()?;
            match character {
                _ if character == quote => {
                    let doubled = quote == '\'' && self.characters.as_str().starts_with('\'');
                    if !doubled {
                        return Some(());
                    }
                    self.characters.next();
                    self.push('\'');
                }
                '\\' if quote == '"' => self.escape()?,
                '\n' => {
                    let trimmed = self.made.trim_end_matches([' ', '\t', '\r']).len();
                    self.made.truncate(trimmed);
                    self.fold(true);
                }
                _ => self.made.push(character),
            }
        }
    }

    /// Something that does not stand in the file as it is.
    fn push(&mut self, character: char) {
        self.made.push(character);
        self.resume();
    }

    /// What follows stands in the file as it is.
    fn resume(&mut self) {
        let place = self.base + self.characters.offset().min(self.file.len() - self.base);
        let made = self.made.len();
        while self.places.last().is_some_and(|&(start, _)| start >= made) {
            self.places.pop();
        }
        self.places.push((made, place));
    }

    /// Behind the end of a line: one alone is a blank, of several all but the first count.
    fn fold(&mut self, blank: bool) {
        let mut empty = 0;
        loop {
            let rest = self.characters.as_str();
            match rest.chars().next() {
                Some('\n') => empty += 1,
                Some(' ' | '\t' | '\r') => {}
                _ => break,
            }
            self.characters.next();
        }
        match empty {
            0 if blank => self.made.push(' '),
            _ => self.made.extend(std::iter::repeat_n('\n', empty)),
        }
        self.resume();
    }

    fn escape(&mut self) -> Option<()> {
        let (_, character) = self.characters.next()?;
        let meant = match character {
            '\n' => {
                self.fold(false);
                return Some(());
            }
            '\r' => return Some(()),
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => self.number(2)?,
            'u' => self.number(4)?,
            'U' => self.number(8)?,
            other => other,
        };
        self.push(meant);
        Some(())
    }

    /// The character of a number; a half of a pair of surrogates looks for its other half.
    fn number(&mut self, digits: usize) -> Option<char> {
        let first = self.hexadecimal(digits)?;
        if (0xd800..0xdc00).contains(&first) && self.characters.as_str().starts_with("\\u") {
            self.characters.nth(1);
            let second = self.hexadecimal(4)?;
            let both = 0x1_0000 + ((first - 0xd800) << 10) + second.wrapping_sub(0xdc00) % 0x400;
            return Some(char::from_u32(both).unwrap_or('\u{fffd}'));
        }
        Some(char::from_u32(first).unwrap_or('\u{fffd}'))
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let mut number = 0;
        for _ in 0..digits {
            let (_, digit) = self.characters.next()?;
            number = number * 16 + digit.to_digit(16)?;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        quoted(text, 0).map(|scalar| scalar.text)
    }

    #[test]
    fn scalars_are_folded_and_unescaped() {
        assert_eq!(read("'a''b'").as_deref(), Some("a'b"));
        assert_eq!(read("'a  \n      b\n\n   c'").as_deref(), Some("a b\nc"));
        assert_eq!(read(r#""\u00e9\n\x41\"""#).as_deref(), Some("é\nA\""));
        assert_eq!(read(r#""\uD83D\uDE00""#).as_deref(), Some("😀"));
        assert_eq!(read("\"a\\\n   \\ b\"").as_deref(), Some("a b"));
        for text in [
            "",
            "'",
            "'a",
            "\"\\",
            "\"\\u12",
            "\"\\uD800\\u\"",
            "plain",
            "\"a\\\"",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_stands_there_as_it_is_keeps_its_place() {
        let text = "k: 'ab''cd\n   ef'";
        let at = values_of(text, "k")[0];
        let scalar = quoted(text, at).expect("it ends");
        assert_eq!(scalar.text, "ab'cd ef");
        for (character, at) in [('a', 0), ('c', 3), ('e', 6), ('f', 7)] {
            let place = text.find(character).expect("it is there");
            assert_eq!(scalar.places.in_file(at), place, "{character}");
        }
    }
}
