//! Ranges of positions, shared by lists and strings.
//!
//! Both ends are inclusive, and negative positions count from the end. A start beyond the end
//! means the complement: everything but what lies strictly between them.

use std::ops::Range;

/// A position as an offset: negative ones count from the end. May lie outside.
pub(super) fn offset(length: usize, position: i32) -> i64 {
    let position = i64::from(position);
    if position < 0 {
        position + i64::try_from(length).expect("lengths are small")
    } else {
        position
    }
}

/// The index of an element, if it is inside.
pub(super) fn index(length: usize, position: i32) -> Option<usize> {
    usize::try_from(offset(length, position))
        .ok()
        .filter(|index| *index < length)
}

/// An offset, moved inside `0..=length`.
pub(super) fn clamp(length: usize, offset: i64) -> usize {
    usize::try_from(offset.max(0)).map_or(length, |offset| offset.min(length))
}

/// What lies from `start` to `end`: one range, or for an exclusion the two around the gap.
pub(super) fn selected(length: usize, start: i32, end: i32) -> [Range<usize>; 2] {
    let (start, end) = (offset(length, start), offset(length, end));
    let (first, after) = (clamp(length, start), clamp(length, end + 1));
    if start > end {
        [0..after, first..length]
    } else {
        [first..after.max(first), length..length]
    }
}

/// What [`selected`] leaves out, in the same order.
pub(super) fn left_out(length: usize, start: i32, end: i32) -> [Range<usize>; 2] {
    let (start, end) = (offset(length, start), offset(length, end));
    let (first, after) = (clamp(length, start), clamp(length, end + 1));
    if start > end {
        [after..first.max(after), length..length]
    } else {
        [0..first, after.max(first)..length]
    }
}

/// The parts of a sequence, one after the other.
pub(super) fn gather<T: Clone>(items: &[T], ranges: [Range<usize>; 2]) -> Vec<T> {
    ranges
        .into_iter()
        .flat_map(|range| items[range].iter().cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selected_and_left_out_are_complements() {
        for length in 0..6_usize {
            let items: Vec<usize> = (0..length).collect();
            for start in -8..8 {
                for end in -8..8 {
                    let mut all = gather(&items, selected(length, start, end));
                    let rest = gather(&items, left_out(length, start, end));
                    assert!(all.iter().all(|item| !rest.contains(item)));
                    all.extend(rest);
                    all.sort_unstable();
                    assert_eq!(all, items, "{length}: {start}..{end}");
                }
            }
        }
        assert_eq!(gather(b"abcdef", selected(6, 1, -2)), b"bcde");
        assert_eq!(gather(b"abcdef", selected(6, -2, 1)), b"abef");
        assert_eq!(gather(b"abcdef", left_out(6, -2, 1)), b"cd");
    }
}
