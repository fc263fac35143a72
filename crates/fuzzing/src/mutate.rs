//! Changes of inputs: of tokens in texts, of bytes elsewhere. One or two at a time, each of a kind
//! that leaves a good part of texts acceptable: a name in place of a name, a bracketed part in place of
//! another, a line once more.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::HashSet;

use crate::random::Random;
use crate::tokens::{Kind, Token, closing, joined, tokens};

/// Small numbers, and those at which a byte ends.
const NUMBERS: &[&str] = &[
    "0", "1", "2", "3", "5", "7", "8", "16", "31", "32", "33", "63", "64", "127", "128", "255",
    "256", "0.5",
];
/// Numbers at which something larger ends. As bounds they make large programs, so they are rarer.
const LARGE_NUMBERS: &[&str] = &[
    "1000",
    "32767",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "340282366920938463463374607431768211456",
];
/// Inputs do not become longer than this.
const LONGEST: usize = 8 << 10;
/// What is known of each kind of token is not more than this.
const MOST_KNOWN: usize = 2_000;

/// Makes inputs from others.
#[derive(Debug)]
pub struct Mutator {
    /// Whether inputs are texts.
    is_text: bool,
    random: Random,
    /// The tokens of the examples, by kind.
    known: HashMap<Kind, Vec<Vec<u8>>>,
    /// Bracketed parts of the examples, by the bracket.
    parts: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    /// Lines of the examples.
    lines: Vec<Vec<u8>>,
}

impl Mutator {
    /// One for inputs like these.
    #[must_use]
    pub fn new(is_text: bool, examples: &[Vec<u8>], seed: u64) -> Mutator {
        let mut mutator = Mutator {
            is_text,
            random: Random::new(seed),
            known: HashMap::new(),
            parts: HashMap::new(),
            lines: Vec::new(),
        };
        let mut seen = HashSet::new();
        for example in examples.iter().filter(|_| is_text) {
            let cut = tokens(example);
            for (at, token) in cut.iter().enumerate() {
                let known = mutator.known.entry(token.kind).or_default();
                if known.len() < MOST_KNOWN && seen.insert(token.text.to_vec()) {
                    known.push(token.text.to_vec());
                }
                if token.kind == Kind::Open
                    && let Some(end) = closing(&cut, at)
                    && end - at < 200
                {
                    let parts = mutator.parts.entry(token.text.to_vec()).or_default();
                    parts.push(joined(&cut[at..end]));
                }
            }
            let lines = example.split(|c| *c == b'\n');
            mutator
                .lines
                .extend(lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec));
        }
        mutator
    }

    /// The random numbers.
    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// Another input, from one or two.
    #[must_use]
    pub fn mutated(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut now = input.to_vec();
        let times = match self.random.below(10) {
            0..6 => 1,
            6..9 => 2,
            _ => 5,
        };
        for _ in 0..times {
            // Now and then a text is damaged where no token ends.
            now = if self.is_text && !self.random.chance(2) {
                self.of_tokens(&now, other)
            } else {
                self.of_bytes(&now, other)
            };
        }
        now.truncate(LONGEST.max(input.len()));
        now
    }

    fn of_tokens(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut cut = tokens(input);
        match self.random.below(14) {
            0..3 => self.exchange_word(&mut cut),
            3..5 => self.change_number(&mut cut),
            5 => self.exchange_like(&mut cut, Kind::Sign),
            6 => self.exchange_like(&mut cut, Kind::Text),
            7 => self.exchange_part(&mut cut),
            8 => self.repeat_part(&mut cut),
            9 => self.remove_token(&mut cut),
            10 => return self.of_lines(input, other),
            11 => return self.of_lines(input, other),
            12 => self.exchange_parts_inside(&mut cut),
            _ => self.insert_token(&mut cut),
        }
        joined(&cut)
    }

    fn place(&mut self, cut: &[Token<'_>], kind: Kind) -> Option<usize> {
        let places: Vec<usize> = (0..cut.len()).filter(|&at| cut[at].kind == kind).collect();
        self.random.pick(&places).copied()
    }

    /// A word in place of another: mostly one of the same text, which is more likely to be known.
    fn exchange_word(&mut self, cut: &mut [Token<'_>]) {
        let Some(at) = self.place(cut, Kind::Word) else {
            return;
        };
        let here = self.random.chance(70);
        let from = if here {
            self.place(cut, Kind::Word)
        } else {
            None
        };
        let word = match from {
            Some(from) => Some(cut[from].text.clone()),
            None => self.any(Kind::Word).map(Cow::Owned),
        };
        if let Some(word) = word {
            cut[at].text = word;
        }
    }

    fn any(&mut self, kind: Kind) -> Option<Vec<u8>> {
        let known = self.known.get(&kind)?;
        self.random.pick(known).cloned()
    }

    fn change_number(&mut self, cut: &mut [Token<'_>]) {
        let Some(at) = self.place(cut, Kind::Number) else {
            return;
        };
        let near = std::str::from_utf8(&cut[at].text)
            .ok()
            .and_then(|text| text.parse::<i64>().ok());
        cut[at].text = match near {
            Some(number) if self.random.chance(60) => {
                let by = self.random.below(5) as i64 - 2;
                let number = number.saturating_add(by).max(0);
                number.to_string().into_bytes().into()
            }
            _ => {
                let from = if self.random.chance(80) {
                    NUMBERS
                } else {
                    LARGE_NUMBERS
                };
                let number = self.random.pick(from).copied().unwrap_or("0");
                number.as_bytes().into()
            }
        };
    }

    fn exchange_like(&mut self, cut: &mut [Token<'_>], kind: Kind) {
        if let Some(at) = self.place(cut, kind)
            && let Some(text) = self.any(kind)
        {
            cut[at].text = text.into();
        }
    }

    /// A bracketed part of some example in place of one here.
    fn exchange_part(&mut self, cut: &mut Vec<Token<'_>>) {
        let Some(open) = self.place(cut, Kind::Open) else {
            return;
        };
        let Some(end) = closing(cut, open) else {
            return;
        };
        let Some(parts) = self.parts.get(&*cut[open].text) else {
            return;
        };
        if let Some(part) = self.random.pick(parts) {
            let part = Token {
                kind: Kind::Text,
                text: part.clone().into(),
            };
            cut.splice(open..end, [part]);
        }
    }

    /// A bracketed part in place of another one of the same input.
    fn exchange_parts_inside(&mut self, cut: &mut Vec<Token<'_>>) {
        let (Some(to), Some(from)) = (self.place(cut, Kind::Open), self.place(cut, Kind::Open))
        else {
            return;
        };
        if let (Some(to_end), Some(from_end)) = (closing(cut, to), closing(cut, from))
            && cut[to].text == cut[from].text
        {
            let part = cut[from..from_end].to_vec();
            cut.splice(to..to_end, part);
        }
    }

    /// What stands between two signs once more: an operand, a statement, an argument.
    fn repeat_part(&mut self, cut: &mut Vec<Token<'_>>) {
        let Some(sign) = self.place(cut, Kind::Sign) else {
            return;
        };
        let after = &cut[sign + 1..];
        let length = after
            .iter()
            .position(|token| token.text == cut[sign].text || token.kind == Kind::Close)
            .unwrap_or(0);
        let again = cut[sign..=sign + length].to_vec();
        cut.splice(sign..sign, again);
    }

    fn remove_token(&mut self, cut: &mut Vec<Token<'_>>) {
        if !cut.is_empty() {
            let at = self.random.below(cut.len());
            match closing(cut, at).filter(|_| cut[at].kind == Kind::Open) {
                Some(end) => cut.splice(at..end, []),
                None => cut.splice(at..=at, []),
            };
        }
    }

    fn insert_token(&mut self, cut: &mut Vec<Token<'_>>) {
        let kinds = [Kind::Word, Kind::Number, Kind::Sign, Kind::Text];
        let kind = *self.random.pick(&kinds).expect("there are some");
        if let Some(text) = self.any(kind) {
            let at = self.random.below(cut.len() + 1);
            let token = Token {
                kind,
                text: text.into(),
            };
            let blank = Token {
                kind: Kind::Space,
                text: b" "[..].into(),
            };
            cut.splice(at..at, [blank.clone(), token, blank]);
        }
    }

    /// Lines removed, doubled, moved, or taken from elsewhere.
    fn of_lines(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut lines: Vec<&[u8]> = input.split(|c| *c == b'\n').collect();
        let elsewhere: Vec<&[u8]> = other.split(|c| *c == b'\n').collect();
        let at = self.random.below(lines.len());
        let to = self.random.below(lines.len() + 1);
        let example = self.random.pick(&self.lines).cloned();
        match self.random.below(5) {
            0 => _ = lines.remove(at),
            1 => lines.insert(to, lines[at]),
            2 => lines.insert(
                to,
                self.random.pick(&elsewhere).copied().unwrap_or_default(),
            ),
            3 => {
                if let Some(line) = &example {
                    lines.insert(to, line);
                }
            }
            _ => {
                let line = lines.remove(at);
                lines.insert(to.min(lines.len()), line);
            }
        }
        lines.join(&b'\n')
    }

    fn of_bytes(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = input.to_vec();
        let at = self.random.below(bytes.len());
        let byte = self.random.number().to_le_bytes()[0];
        match self.random.below(6) {
            0 if at < bytes.len() => bytes[at] = byte,
            1 if at < bytes.len() => bytes[at] ^= 1 << (byte & 7),
            2 if at < bytes.len() => _ = bytes.remove(at),
            3 => bytes.truncate(at),
            4 if !other.is_empty() => {
                let from = self.random.below(other.len());
                let length = self.random.below(16).min(other.len() - from);
                bytes.splice(at..at, other[from..from + length].iter().copied());
            }
            _ => bytes.insert(at, byte),
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_depend_on_the_seed_and_keep_brackets() {
        let seed = b"active proctype p() { int x; x = (x + 1) * 2; assert(x > 0) }".to_vec();
        let make = |number| {
            let mut mutator = Mutator::new(true, std::slice::from_ref(&seed), number);
            (0..200)
                .map(|_| mutator.mutated(&seed, &seed))
                .collect::<Vec<_>>()
        };
        let made = make(1);
        assert_eq!(made, make(1));
        assert_ne!(made, make(2));
        let balanced = |text: &Vec<u8>| {
            let count = |wanted: &[u8]| text.iter().filter(|c| wanted.contains(c)).count();
            count(b"({[") == count(b")}]")
        };
        let kept = made.iter().filter(|text| balanced(text)).count();
        assert!(kept > 150, "{kept} of 200 keep their brackets");
        assert!(made.iter().filter(|text| **text != seed).count() > 150);
    }

    #[test]
    fn bytes_of_any_input_can_be_changed() {
        let mut mutator = Mutator::new(false, &[], 7);
        for input in [&b""[..], b"a", b"\x00\xff\x10"] {
            for _ in 0..100 {
                let _ = mutator.mutated(input, b"\x01\x02");
            }
        }
    }
}
