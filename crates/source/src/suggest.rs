//! Which name was probably meant.
//!
//! The nearest candidate by the number of letters inserted, left out, changed
//! or swapped with a neighbour (optimal string alignment distance).

/// The candidate nearest to `word`, if one is near enough to be a slip: a third
/// of its letters may differ. Upper and lower case count little.
#[must_use]
pub fn suggest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded: Vec<char> = word.to_lowercase().chars().collect();
    let limit = (folded.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(word.len()) > limit || candidate == word {
            continue;
        }
        let other: Vec<char> = candidate.to_lowercase().chars().collect();
        let far = distance(&folded, &other);
        if far <= limit && best.is_none_or(|(nearest, _)| far < nearest) {
            best = Some((far, candidate));
        }
    }
    // Two names of two letters are always near, and never a slip.
    best.filter(|&(far, _)| far == 0 || folded.len() > 2)
        .map(|(_, candidate)| candidate)
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j - 1] + change).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["llSay", "llShout", "llOwnerSay", "TRUE", "total"];
        let near = |word| suggest(word, names);
        assert_eq!(near("llsay"), Some("llSay"));
        assert_eq!(near("llSya"), Some("llSay"));
        assert_eq!(near("llOwnerSy"), Some("llOwnerSay"));
        assert_eq!(near("true"), Some("TRUE"));
        assert_eq!(near("toatl"), Some("total"));
        assert_eq!(near("llGiveMoney"), None);
        assert_eq!(near("x"), None);
        assert_eq!(suggest("ab", ["ac"]), None);
    }
}
