//! The few lines of a file that a message shows, with overlong lines cut.
//!
//! The renderer below scans and lays out whatever text it gets, so it must not
//! get a ten-megabyte file, nor a line of a megabyte. An [`Excerpt`] holds a
//! run of lines and translates offsets of the file into its own.

use std::ops::Range;

use crate::map::SourceFile;
use crate::span::Span;

/// Most bytes kept on either side of the interesting part of a line.
const MARGIN: u32 = 160;
/// Lines up to this length are shown whole (the renderer trims to the terminal).
const WHOLE: u32 = 1000;
/// Most lines between two places that still share an excerpt.
const GAP: u32 = 4;
/// A place of more lines than this shows its first lines only.
const MOST_LINES: u32 = 12;

/// A piece of the file that stands in the excerpt unchanged.
struct Piece {
    source: Range<u32>,
    at: usize,
}

/// Consecutive lines, some of them cut.
pub(crate) struct Excerpt {
    pub(crate) text: String,
    /// Line number (from 1) of the first line.
    pub(crate) first_line: u32,
    /// Whether a line was cut, so that columns differ from the file's.
    pub(crate) cut: bool,
    pieces: Vec<Piece>,
}

impl Excerpt {
    /// Builds excerpts that together show all `spans` (of `file`): neighbours
    /// share one. Returns them with the indices of the spans they show.
    pub(crate) fn cover(file: &SourceFile, spans: &[Span]) -> Vec<(Excerpt, Vec<usize>)> {
        let mut order: Vec<usize> = (0..spans.len()).collect();
        order.sort_by_key(|&index| spans[index]);
        let mut groups: Vec<(Range<u32>, Vec<usize>)> = Vec::new();
        for index in order {
            let first = file.line(spans[index].start);
            let last = file.line(spans[index].end).min(first + MOST_LINES);
            match groups.last_mut() {
                Some((lines, members)) if first <= lines.end + GAP => {
                    lines.end = lines.end.max(last);
                    members.push(index);
                }
                _ => groups.push((first..last, vec![index])),
            }
        }
        groups
            .into_iter()
            .map(|(lines, members)| {
                let shown: Vec<Span> = members.iter().map(|&index| spans[index]).collect();
                (Excerpt::lines(file, lines, &shown), members)
            })
            .collect()
    }

    fn lines(file: &SourceFile, lines: Range<u32>, shown: &[Span]) -> Excerpt {
        let mut excerpt = Excerpt {
            text: String::new(),
            first_line: lines.start,
            cut: false,
            pieces: Vec::new(),
        };
        for line in lines.start..=lines.end {
            if line > lines.start {
                excerpt.text.push('\n');
            }
            excerpt.push_line(file, file.line_span(line), shown);
        }
        excerpt
    }

    fn push_line(&mut self, file: &SourceFile, line: Span, shown: &[Span]) {
        if line.len() <= WHOLE {
            self.push_piece(file, line.start..line.end);
            return;
        }
        self.cut = true;
        // Keep a stretch around each place, at its start and at its end.
        let mut keep: Vec<Range<u32>> = Vec::new();
        for offset in shown.iter().flat_map(|span| [span.start, span.end]) {
            if offset < line.start || offset > line.end {
                continue;
            }
            let from = file.floor_char_boundary(offset.saturating_sub(MARGIN).max(line.start));
            let to = file.floor_char_boundary((offset + MARGIN).min(line.end));
            keep.push(from..to);
        }
        if keep.is_empty() {
            let to = file.floor_char_boundary((line.start + MARGIN).min(line.end));
            keep.push(line.start..to);
        }
        keep.sort_by_key(|range| range.start);
        let mut at = line.start;
        for range in keep {
            if range.end <= at {
                continue;
            }
            if range.start > at {
                self.text.push('…');
            }
            self.push_piece(file, range.start.max(at)..range.end);
            at = range.end;
        }
        if at < line.end {
            self.text.push('…');
        }
    }

    fn push_piece(&mut self, file: &SourceFile, source: Range<u32>) {
        let at = self.text.len();
        self.text
            .push_str(&file.text()[source.start as usize..source.end as usize]);
        self.pieces.push(Piece { source, at });
    }

    /// Where `span` stands in the excerpt; what was cut away moves to the
    /// nearest byte that was kept.
    pub(crate) fn locate(&self, file: &SourceFile, span: Span) -> Range<usize> {
        let start = self.offset(file.floor_char_boundary(span.start));
        let end = self.offset(file.floor_char_boundary(span.end));
        start..end.max(start)
    }

    fn offset(&self, offset: u32) -> usize {
        let index = self
            .pieces
            .partition_point(|piece| piece.source.start <= offset);
        let Some(piece) = index.checked_sub(1).map(|index| &self.pieces[index]) else {
            return 0;
        };
        let within = offset.min(piece.source.end) - piece.source.start;
        piece.at + within as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceMap;

    #[test]
    fn near_places_share_an_excerpt_and_far_ones_do_not() {
        let text: String = (1..=100).map(|line| format!("line {line}\n")).collect();
        let mut map = SourceMap::new();
        let id = map.add("t", text);
        let file = map.file(id);
        let spans: Vec<Span> = ["line 51", "line 2\n", "line 53"]
            .iter()
            .map(|needle| file.span_of(needle).unwrap())
            .collect();
        let excerpts = Excerpt::cover(file, &spans);
        assert_eq!(excerpts.len(), 2);
        assert_eq!((excerpts[0].0.first_line, excerpts[0].1.len()), (2, 1));
        assert_eq!(excerpts[1].0.first_line, 51);
        assert_eq!(excerpts[1].1, [0, 2]);
        let excerpt = &excerpts[1].0;
        assert_eq!(&excerpt.text[excerpt.locate(file, spans[2])], "line 53");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let mut text = "é".repeat(500_000);
        text.push_str("HERE");
        text.push_str(&"x".repeat(500_000));
        let mut map = SourceMap::new();
        let id = map.add("t", text);
        let file = map.file(id);
        let span = file.span_of("HERE").unwrap();
        let (excerpt, _) = Excerpt::cover(file, &[span]).remove(0);
        assert!(excerpt.text.len() < 1000);
        assert_eq!(&excerpt.text[excerpt.locate(file, span)], "HERE");
    }
}
