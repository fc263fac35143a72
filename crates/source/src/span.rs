//! Places in a text: a file and a half-open range of byte offsets.
//!
//! Offsets are 32 bits wide so that a span stays small enough to sit on every
//! node of a syntax tree; [`crate::SourceMap`] refuses longer files.

use std::ops::Range;

/// Which file of a [`crate::SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(u32);

impl FileId {
    /// Stands for "no file"; only [`Span::NONE`] carries it.
    pub const NONE: FileId = FileId(u32::MAX);

    pub(crate) fn new(index: usize) -> FileId {
        FileId(u32::try_from(index).expect("fewer than 2^32 files fit in memory"))
    }

    /// Position of the file in its map, counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for FileId {
    fn default() -> Self {
        FileId::NONE
    }
}

/// The bytes `start..end` of a file. `start == end` is a point between two bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file that the offsets count in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just behind the last byte; never less than `start`.
    pub end: u32,
}

impl Span {
    /// Nowhere: for what does not come from a text.
    pub const NONE: Span = Span {
        file: FileId::NONE,
        start: 0,
        end: 0,
    };

    /// The bytes `start..end` of `file`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        debug_assert!(start <= end, "a span ends behind its start");
        Span { file, start, end }
    }

    /// Whether this is [`Span::NONE`] (or any other span without a file).
    #[must_use]
    pub fn is_none(self) -> bool {
        self.file == FileId::NONE
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span is a point.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that covers both. [`Span::NONE`] covers nothing, so
    /// the other one is the answer; of two files, the first wins.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.is_none() {
            return other;
        }
        if other.file != self.file {
            return self;
        }
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The point before the first byte.
    #[must_use]
    pub fn start_point(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// The point behind the last byte.
    #[must_use]
    pub fn end_point(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// Whether `other` lies within this span.
    #[must_use]
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The offsets as a range that can index the file's text.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_covers_both_and_ignores_nowhere() {
        let file = FileId::new(0);
        let (a, b) = (Span::new(file, 2, 4), Span::new(file, 8, 9));
        assert_eq!(a.to(b), Span::new(file, 2, 9));
        assert_eq!(b.to(a), Span::new(file, 2, 9));
        assert_eq!(Span::NONE.to(a), a);
        assert_eq!(a.to(Span::NONE), a);
        assert_eq!(a.to(Span::new(FileId::new(1), 0, 1)), a);
        assert!(a.to(b).contains(b));
        assert!(!a.contains(b));
    }

    #[test]
    fn points_are_empty() {
        let span = Span::new(FileId::new(0), 3, 7);
        assert_eq!(span.start_point().range(), 3..3);
        assert_eq!(span.end_point().range(), 7..7);
        assert!(span.end_point().is_empty() && !span.is_empty());
    }
}
