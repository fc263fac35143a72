//! A text that is being edited, and the places in it.
//!
//! Editors count lines, and columns in units of an encoding that they agree on with the server; places
//! that are not in the text are moved to the nearest one that is.

use std::ops::Range;

/// The units that columns count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of 16 bits: what editors count if nothing else is agreed on.
    #[default]
    Utf16,
}

/// A place as editors count, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in units of the encoding.
    pub column: u32,
}

/// What was changed in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What stood there before.
    pub removed: Range<usize>,
    /// How many bytes stand in its place now.
    pub inserted: usize,
}

impl Edit {
    /// Where a place is after the edit: within what was removed, where that began; where something was put
    /// in, behind it.
    #[must_use]
    pub fn moved(&self, offset: usize) -> usize {
        if offset < self.removed.start {
            offset
        } else if offset < self.removed.end {
            self.removed.start
        } else {
            self.shifted(offset)
        }
    }

    /// Where a part of the text is after the edit; none if something in it was changed.
    #[must_use]
    pub fn moved_range(&self, range: &Range<usize>) -> Option<Range<usize>> {
        if range.end <= self.removed.start {
            Some(range.clone())
        } else if range.start >= self.removed.end {
            Some(self.shifted(range.start)..self.shifted(range.end))
        } else {
            None
        }
    }

    /// A place behind what was changed.
    fn shifted(&self, offset: usize) -> usize {
        offset - self.removed.len() + self.inserted
    }
}

/// A text and where its lines begin.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    /// Offset of the first byte of each line; never empty, the first is 0.
    lines: Vec<usize>,
}

impl Document {
    /// A document with this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Document {
        let text = text.into();
        let mut lines = vec![0];
        lines.extend(line_starts(&text));
        Document { text, lines }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines, at least one.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The line of an offset, from 0.
    #[must_use]
    pub fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset) - 1
    }

    /// The bytes of a line (from 0) without its end; of a line that is not there, the point at the end.
    #[must_use]
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let Some(&start) = self.lines.get(line) else {
            return self.text.len()..self.text.len();
        };
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        let ends = self.text[start..end].trim_end_matches(['\n', '\r']).len();
        start..start + ends
    }

    /// The offset of a place. A column behind the end of a line is its end, one within a character the
    /// beginning of the character, a line behind the last the end of the text.
    #[must_use]
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let line = self.line_range(position.line as usize);
        let mut units = 0;
        let wanted = position.column as usize;
        for (at, character) in self.text[line.clone()].char_indices() {
            units += width(character, encoding);
            if units > wanted {
                return line.start + at;
            }
        }
        line.end
    }

    /// The place of an offset. One behind the end is the end, one within a character its beginning.
    #[must_use]
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = self.boundary(offset);
        let line = self.line(offset);
        let before = &self.text[self.lines[line]..offset];
        let column: usize = match encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// The nearest offset, at or before this one, that does not split a character.
    #[must_use]
    pub fn boundary(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }

    /// Puts a text in the place of a part. What is said of the part is moved into the text.
    pub fn edit(&mut self, range: Range<usize>, text: &str) -> Edit {
        let start = self.boundary(range.start);
        let end = self.boundary(range.end).max(start);
        self.text.replace_range(start..end, text);
        // Only the lines from the one that was touched on are other ones; a line break of two
        // characters may have been made or split at its beginning.
        let line = self.line(start).saturating_sub(1);
        self.lines.truncate(line + 1);
        let from = self.lines[line];
        let rest = line_starts(&self.text[from..]).map(|at| from + at);
        self.lines.extend(rest);
        Edit {
            removed: start..end,
            inserted: text.len(),
        }
    }
}

/// Where lines begin, but for the first. Lines end with a line feed, a carriage return, or both.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    bytes
        .iter()
        .enumerate()
        .filter_map(|(at, byte)| match byte {
            b'\n' => Some(at + 1),
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
            _ => None,
        })
}

fn width(character: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => character.len_utf8(),
        Encoding::Utf16 => character.len_utf16(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Encoding; 2] = [Encoding::Utf8, Encoding::Utf16];

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn places_count_units_and_stay_in_the_text() {
        let document = Document::new("a\u{1F600}b\r\n\u{e9}\rx");
        assert_eq!(document.line_count(), 3);
        assert_eq!(document.offset(at(0, 3), Encoding::Utf16), 5);
        assert_eq!(
            document.offset(at(0, 2), Encoding::Utf16),
            1,
            "within a pair"
        );
        assert_eq!(document.offset(at(0, 5), Encoding::Utf8), 5);
        assert_eq!(
            document.offset(at(0, 99), Encoding::Utf16),
            6,
            "before the line's end"
        );
        assert_eq!(document.offset(at(1, 1), Encoding::Utf16), 10);
        assert_eq!(document.offset(at(9, 9), Encoding::Utf16), 12);
        for encoding in BOTH {
            let most = at(u32::MAX, u32::MAX);
            assert_eq!(document.offset(most, encoding), 12);
            assert_eq!(document.position(usize::MAX, encoding), at(2, 1));
        }
        assert_eq!(document.position(5, Encoding::Utf16), at(0, 3));
        assert_eq!(
            document.position(3, Encoding::Utf16),
            at(0, 1),
            "within a character"
        );
    }

    /// Editing keeps the table of lines that a new document has, whatever is edited.
    #[test]
    fn edits_keep_the_lines() {
        let parts = ["a", "\n", "\r", "\r\n", "\u{1F600}", "\u{e9}", "bc d", ""];
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2_000 {
            let mut some = |most| -> String {
                let count = random.usize(0..most);
                (0..count)
                    .map(|_| parts[random.usize(0..parts.len())])
                    .collect()
            };
            let (text, new) = (some(12), some(5));
            let mut document = Document::new(text.as_str());
            let start = random.usize(0..text.len() + 3);
            let end = random.usize(0..text.len() + 3);
            let edit = document.edit(start..end, &new);
            let again = Document::new(document.text());
            assert_eq!(
                document.lines, again.lines,
                "{text:?} {start}..{end} {new:?}"
            );
            assert_eq!(
                edit.moved(text.len()),
                document.text().len(),
                "the end stays the end"
            );
            for encoding in BOTH {
                for offset in 0..document.text().len() {
                    let offset = document.boundary(offset);
                    let position = document.position(offset, encoding);
                    let back = document.offset(position, encoding);
                    // A place in a line's end is the end of the line.
                    assert!(back <= offset && document.line(back) == document.line(offset));
                }
            }
        }
    }

    #[test]
    fn places_move_with_edits() {
        let edit = Edit {
            removed: 4..6,
            inserted: 5,
        };
        assert_eq!([0, 4, 5, 6, 9].map(|at| edit.moved(at)), [0, 4, 4, 9, 12]);
        assert_eq!(edit.moved_range(&(1..4)), Some(1..4));
        assert_eq!(edit.moved_range(&(6..8)), Some(9..11));
        assert_eq!(edit.moved_range(&(3..5)), None);
    }
}
