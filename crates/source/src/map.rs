//! Files held in memory, with an index of their lines.
//!
//! The index is a sorted table of line starts, built in one pass, so that
//! turning an offset into a line is a binary search whatever the file's size.

use crate::diagnostic::Diagnostic;
use crate::span::{FileId, Span};

/// A place as people count: line and column both start at 1, the column counts
/// characters (Unicode scalar values), not bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineCol {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// What a preprocessor says about the lines behind: they come from another text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineMarker {
    /// The first line that it is about, from 1.
    pub first: u32,
    /// The text it comes from, if the marker names one; else the one before.
    pub name: Option<String>,
    /// Its line there.
    pub line: u32,
}

/// One text and its name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    id: FileId,
    name: String,
    text: String,
    /// Offset of the first byte of each line; never empty, the first is 0.
    line_starts: Vec<u32>,
    /// In the order of lines.
    markers: Vec<LineMarker>,
}

impl SourceFile {
    /// The file's id in its map.
    #[must_use]
    pub fn id(&self) -> FileId {
        self.id
    }

    /// The name given by the caller, usually a path; shown, never opened.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The span of the whole text.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.id, 0, self.len())
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.text.len()).expect("the map refuses longer files")
    }

    /// Whether the text has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Number of lines; an empty file has one.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.line_starts.len()).expect("fewer lines than bytes")
    }

    /// Line (from 1) that holds the byte at `offset`; offsets behind the end
    /// belong to the last line.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        u32::try_from(line).expect("fewer lines than bytes")
    }

    /// The text and the line there that line `line` (from 1) was written as: another than its own
    /// where [markers](LineMarker) say so.
    #[must_use]
    pub fn written(&self, line: u32) -> (&str, u32) {
        let before = self.markers.partition_point(|marker| marker.first <= line);
        let markers = &self.markers[..before];
        let Some(last) = markers.last() else {
            return (&self.name, line);
        };
        let name = markers
            .iter()
            .rev()
            .find_map(|marker| marker.name.as_deref());
        let line = last.line.saturating_add(line - last.first);
        (name.unwrap_or(&self.name), line)
    }

    /// Line and column of `offset`.
    #[must_use]
    pub fn line_col(&self, offset: u32) -> LineCol {
        let line = self.line(offset);
        let start = self.line_starts[line as usize - 1];
        let end = self.floor_char_boundary(offset);
        let column = self.text[start as usize..end as usize].chars().count() + 1;
        LineCol {
            line,
            column: u32::try_from(column).expect("fewer characters than bytes"),
        }
    }

    /// The span of line `line` (from 1) without its line ending; the point at
    /// the end of the file for a line that does not exist.
    #[must_use]
    pub fn line_span(&self, line: u32) -> Span {
        let index = line.saturating_sub(1) as usize;
        let Some(&start) = self.line_starts.get(index) else {
            return self.span().end_point();
        };
        let end = match self.line_starts.get(index + 1) {
            Some(&next) => next - 1,
            None => self.len(),
        };
        let end = if end > start && self.text.as_bytes()[end as usize - 1] == b'\r' {
            end - 1
        } else {
            end
        };
        Span::new(self.id, start, end)
    }

    /// The text of line `line` (from 1) without its line ending.
    #[must_use]
    pub fn line_text(&self, line: u32) -> &str {
        &self.text[self.line_span(line).range()]
    }

    /// The first place where `needle` stands.
    #[must_use]
    pub fn span_of(&self, needle: &str) -> Option<Span> {
        let start = u32::try_from(self.text.find(needle)?).ok()?;
        let len = u32::try_from(needle.len()).ok()?;
        Some(Span::new(self.id, start, start + len))
    }

    /// The nearest offset, at or before `offset`, that does not split a character.
    pub(crate) fn floor_char_boundary(&self, offset: u32) -> u32 {
        let mut offset = offset.min(self.len());
        while !self.text.is_char_boundary(offset as usize) {
            offset -= 1;
        }
        offset
    }
}

/// All files of one run. Ids stay valid as long as the map; files are never
/// removed.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// The longest text that the map takes, in bytes.
    pub const MAX_LEN: usize = 1 << 30;

    /// A map without files.
    #[must_use]
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a text.
    ///
    /// # Panics
    /// If `text` is longer than [`SourceMap::MAX_LEN`]; use
    /// [`SourceMap::add_bytes`] for what a user hands in.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let (name, text) = (name.into(), text.into());
        assert!(text.len() <= SourceMap::MAX_LEN, "text of {name} too long");
        let id = FileId::new(self.files.len());
        let mut line_starts = vec![0];
        for (offset, byte) in text.bytes().enumerate() {
            if byte == b'\n' {
                line_starts.push(u32::try_from(offset + 1).expect("length was checked"));
            }
        }
        self.files.push(SourceFile {
            id,
            name,
            text,
            line_starts,
            markers: Vec::new(),
        });
        id
    }

    /// Adds what was read from the file `name`, if it is text.
    ///
    /// # Errors
    /// A diagnostic without a span if the bytes are not UTF-8 text, hold a NUL
    /// byte (`SRC0001`), or are more than [`SourceMap::MAX_LEN`] (`SRC0002`).
    pub fn add_bytes(
        &mut self,
        name: impl Into<String>,
        bytes: Vec<u8>,
    ) -> Result<FileId, Box<Diagnostic>> {
        let name = name.into();
        if bytes.len() > SourceMap::MAX_LEN {
            let message = format!("`{name}` is too long: {} bytes", bytes.len());
            return Err(Box::new(Diagnostic::error("SRC0002", message).help(
                format!("the longest text accepted is {} bytes", SourceMap::MAX_LEN),
            )));
        }
        match crate::decode(bytes) {
            Ok(text) => Ok(self.add(name, text)),
            Err(not_text) => Err(Box::new(not_text.diagnostic(&name))),
        }
    }

    /// Says where lines of a text come from, in the order of lines.
    ///
    /// # Panics
    /// If the id is from another map.
    pub fn mark_lines(&mut self, id: FileId, markers: Vec<LineMarker>) {
        self.files[id.index()].markers = markers;
    }

    /// The file with this id, if the map has it.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.index())
    }

    /// The file with this id.
    ///
    /// # Panics
    /// If the id is from another map, or [`FileId::NONE`].
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// All files, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// The text that a span covers; empty if the map does not know its file.
    /// Offsets behind the end or within a character are moved back.
    #[must_use]
    pub fn snippet(&self, span: Span) -> &str {
        let Some(file) = self.get(span.file) else {
            return "";
        };
        let start = file.floor_char_boundary(span.start);
        let end = file.floor_char_boundary(span.end).max(start);
        &file.text[start as usize..end as usize]
    }

    /// Where a span starts, as `name:line:column`; `None` for [`Span::NONE`].
    #[must_use]
    pub fn location(&self, span: Span) -> Option<String> {
        let file = self.get(span.file)?;
        let at = file.line_col(span.start);
        let (name, line) = file.written(at.line);
        Some(format!("{name}:{line}:{}", at.column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceFile {
        let mut map = SourceMap::new();
        let id = map.add("t", text);
        map.file(id).clone()
    }

    #[test]
    fn markers_say_where_lines_come_from() {
        let mut map = SourceMap::new();
        let id = map.add("whole", "a\n#line 7 \"part\"\nb\nc\n#line 3\nd");
        let marker = |first, name: Option<&str>, line| LineMarker {
            first,
            name: name.map(str::to_owned),
            line,
        };
        map.mark_lines(id, vec![marker(3, Some("part"), 7), marker(6, None, 3)]);
        let file = map.file(id);
        let written: Vec<_> = (1..=6).map(|line| file.written(line)).collect();
        assert_eq!(written[0], ("whole", 1));
        assert_eq!(written[2..4], [("part", 7), ("part", 8)]);
        assert_eq!(written[5], ("part", 3));
        let d = Span::new(id, file.len() - 1, file.len());
        assert_eq!(map.location(d).as_deref(), Some("part:3:1"));
    }

    #[test]
    fn lines_and_columns_start_at_one_and_count_characters() {
        let file = file("aé\r\n\nz");
        let at = |offset| {
            let at = file.line_col(offset);
            (at.line, at.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(1), (1, 2));
        assert_eq!(at(2), (1, 2), "inside é");
        assert_eq!(at(3), (1, 3));
        assert_eq!(at(5), (2, 1));
        assert_eq!(at(6), (3, 1));
        assert_eq!(at(7), (3, 2), "the end of the file");
        assert_eq!(at(1000), (3, 2), "behind the end");
        assert_eq!(file.line_text(1), "aé");
        assert_eq!(file.line_text(2), "");
        assert_eq!(file.line_text(3), "z");
        assert_eq!(file.line_text(4), "");
    }

    #[test]
    fn empty_file_has_one_empty_line() {
        let file = file("");
        assert_eq!((file.line_count(), file.line_text(1)), (1, ""));
        assert_eq!(file.line_col(0), LineCol { line: 1, column: 1 });
    }

    /// The bytes are zeros, which take no memory as long as nobody looks at them.
    #[test]
    fn texts_that_are_too_long_are_refused() {
        let bytes = vec![0; SourceMap::MAX_LEN + 1];
        let refused = SourceMap::new().add_bytes("t.log", bytes);
        assert_eq!(refused.unwrap_err().code, "SRC0002");
    }

    #[test]
    fn snippets_never_split_characters_or_leave_the_file() {
        let mut map = SourceMap::new();
        let id = map.add("t", "né");
        assert_eq!(map.snippet(Span::new(id, 0, 2)), "n");
        assert_eq!(map.snippet(Span::new(id, 1, 99)), "é");
        assert_eq!(map.snippet(Span::NONE), "");
        assert_eq!(map.location(Span::new(id, 1, 3)).as_deref(), Some("t:1:2"));
        assert_eq!(map.location(Span::NONE), None);
    }
}
