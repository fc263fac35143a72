//! Smaller inputs that still do the same: Zeller and Hildebrandt, "Simplifying and isolating
//! failure-inducing input" (2002), on lines, then tokens, then bytes.

use crate::tokens::tokens;

/// How an input is taken apart.
type Cut<'a> = &'a dyn Fn(&[u8]) -> Vec<Vec<u8>>;

/// An input from which nothing can be left out, or nothing that was tried in so many `tries`.
#[must_use]
pub fn minimise(input: &[u8], mut tries: usize, does: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let lines = |input: &[u8]| -> Vec<Vec<u8>> {
        input
            .split_inclusive(|c| *c == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let of_tokens = |input: &[u8]| {
        tokens(input)
            .into_iter()
            .map(|token| token.text.into_owned())
            .collect()
    };
    let bytes = |input: &[u8]| input.iter().map(|byte| vec![*byte]).collect();
    let cuts: [Cut<'_>; 3] = [&lines, &of_tokens, &bytes];
    let mut now = input.to_vec();
    for cut in cuts {
        let mut parts = cut(&now);
        let mut size = parts.len().div_ceil(2);
        while size > 0 && tries > 0 {
            let mut at = 0;
            let before = parts.len();
            while at < parts.len() && tries > 0 {
                let end = (at + size).min(parts.len());
                let left: Vec<Vec<u8>> = [&parts[..at], &parts[end..]].concat();
                tries -= 1;
                if does(&left.concat()) {
                    parts = left;
                } else {
                    at = end;
                }
            }
            if size > 1 {
                size /= 2;
            } else if parts.len() == before {
                break;
            }
        }
        now = parts.concat();
    }
    now
}

#[cfg(test)]
mod tests {
    use super::minimise;

    #[test]
    fn what_makes_no_difference_is_left_out() {
        let input = b"one\ntwo (three)\nfour five\n";
        let mut has = |input: &[u8]| {
            let text = String::from_utf8_lossy(input);
            text.contains("three") && text.contains("five")
        };
        assert_eq!(minimise(input, 1000, &mut has), b"threefive");
        assert_eq!(minimise(input, 0, &mut has), input);
    }
}
