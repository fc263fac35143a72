//! Edits of a script: one word, number or statement is changed, the rest stays as it is.
//!
//! The classical operators of mutation testing (R. A. DeMillo, R. J. Lipton and F. G. Sayward: *Hints on
//! test data selection*, 1978): another operator, another constant, a statement left out. They are made
//! in the text, so one set serves all languages and everybody can make the same edit by hand; what is no
//! script afterwards is dropped by whoever reads it (A. Groce, J. Holmes, D. Marinov, A. Shi and
//! L. Zhang: *An extensible, regular-expression-based tool for multi-language mutant generation*, 2018).

use std::ops::Range;

use language::Lexis;

/// Signs of more than one character, in any language, the longest first.
const SIGNS: &[&str] = &[
    "<->", "<<=", ">>=", ">>>", "->", "<-", "::", ":=", "=>", "==", "!=", "<=", ">=", "<<", ">>",
    "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "..", "!!", "??",
];

/// A change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    /// The bytes that are replaced.
    pub(super) range: Range<usize>,
    /// What stands there instead.
    pub(super) by: String,
    /// Whether a statement is left out.
    pub(super) leaves_out: bool,
}

impl Edit {
    /// The text after the change.
    pub(super) fn applied(&self, text: &str) -> String {
        let (before, after) = (&text[..self.range.start], &text[self.range.end..]);
        format!("{before}{}{after}", self.by)
    }
}

/// The edits of a text, in its order. Nothing within `kept` is changed.
pub(super) fn edits(text: &str, lexis: &Lexis, kept: &[Range<usize>]) -> Vec<Edit> {
    let words = words(text, lexis);
    let mut edits: Vec<Edit> = words
        .iter()
        .filter_map(|word| {
            let by = other_word(&text[word.clone()], lexis)?;
            Some(Edit {
                range: word.clone(),
                by,
                leaves_out: false,
            })
        })
        .collect();
    let is_assertion = |edit: &Edit| {
        let words = lexis.statements.iter().flat_map(|all| all.assertions);
        let mut words = words.filter(|word| text[edit.range.clone()].starts_with(**word));
        words.next().is_some()
    };
    let (stated, others): (Vec<Edit>, Vec<Edit>) = left_out(text, &words, lexis)
        .into_iter()
        .partition(is_assertion);
    edits.extend(others);
    let kept = kept.iter().chain(stated.iter().map(|edit| &edit.range));
    let kept: Vec<&Range<usize>> = kept.collect();
    edits.retain(|edit| {
        let is_apart =
            |kept: &&Range<usize>| edit.range.end <= kept.start || kept.end <= edit.range.start;
        kept.iter().all(is_apart)
    });
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits
}

/// What can stand in the place of a word, if something can.
fn other_word(word: &str, lexis: &Lexis) -> Option<String> {
    if let Some((_, by)) = lexis.swaps.iter().find(|(old, _)| *old == word) {
        return Some((*by).to_owned());
    }
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let number: u64 = is_number.then(|| word.parse().ok()).flatten()?;
    Some(number.checked_add(1)?.to_string())
}

/// The edits that leave a statement out.
fn left_out(text: &str, words: &[Range<usize>], lexis: &Lexis) -> Vec<Edit> {
    let Some(statements) = &lexis.statements else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    // Where one begins that may be left out, and how many brackets are open in it.
    let (mut first, mut depth): (Option<usize>, u32) = (None, 0);
    for (at, word) in words.iter().enumerate() {
        let sign = &text[word.clone()];
        if depth == 0
            && statements.before.contains(&sign)
            && let Some(first) = first
            && first < at
        {
            let range = words[first].start..words[at - 1].end;
            if text[range.clone()] != *statements.nothing {
                edits.push(Edit {
                    range,
                    by: statements.nothing.to_owned(),
                    leaves_out: true,
                });
            }
        }
        // Behind a name it encloses arguments.
        let is_call = sign == "(" && at > 0 && text[..words[at - 1].end].ends_with(is_part);
        if statements.after.contains(&sign) && !is_call {
            (first, depth) = (Some(at + 1), 0);
            continue;
        }
        match sign {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && statements.before.contains(&sign) {
            first = None;
        }
    }
    edits
}

/// The words, signs and strings of a text, without comments and lines that include others.
fn words(text: &str, lexis: &Lexis) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let blank = if let Some((begin, end)) = lexis.block_comment
            && rest.starts_with(begin)
        {
            let behind = rest[begin.len()..].find(end);
            behind.map_or(rest.len(), |inside| begin.len() + inside + end.len())
        } else if lexis.line_comments.iter().any(|it| rest.starts_with(it))
            || rest.starts_with("#include")
            || rest.starts_with("#line")
        {
            rest.find('\n').unwrap_or(rest.len())
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            0
        };
        at += blank;
        if blank == 0 {
            let length = match first {
                '"' => string(rest),
                '\'' => character(rest),
                _ => word(rest, first),
            };
            words.push(at..at + length);
            at += length;
        }
    }
    words
}

/// How long a string is at the beginning of a text.
fn string(text: &str) -> usize {
    let mut is_escaped = true;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !is_escaped => return at + 1,
            b'\\' if !is_escaped => is_escaped = true,
            _ => is_escaped = false,
        }
    }
    text.len()
}

/// How long a character in quotes is at the beginning of a text; the quote alone if there is none.
fn character(text: &str) -> usize {
    let inside = text[1..]
        .find('\'')
        .filter(|inside| (1..=4).contains(inside));
    inside.map_or(1, |inside| inside + 2)
}

/// Whether a character can be part of a word.
fn is_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// How long the word, the number or the sign is that a text begins with.
fn word(text: &str, first: char) -> usize {
    if !is_part(first) {
        let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
        return sign.map_or(first.len_utf8(), |sign| sign.len());
    }
    let length = text.find(|it| !is_part(it)).unwrap_or(text.len());
    let fraction = &text[length..];
    // The point of a number belongs to it; two are a range.
    if first.is_ascii_digit() && fraction.starts_with('.') && !fraction.starts_with("..") {
        let more = fraction[1..].find(|it| !is_part(it));
        return length + more.map_or(fraction.len(), |more| more + 1);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each text that comes of an edit.
    fn all(text: &str, lexis: &Lexis, kept: &[Range<usize>]) -> Vec<String> {
        let edits = edits(text, lexis, kept);
        edits.iter().map(|edit| edit.applied(text)).collect()
    }

    #[test]
    fn words_numbers_and_statements_are_changed() {
        let text = "if (a <= 1) b = a; // a < 1;\ns = \"x < 1\";";
        let expected = [
            "; // a < 1;\ns = \"x < 1\";",
            "if (a < 1) b = a; // a < 1;\ns = \"x < 1\";",
            "if (a <= 2) b = a; // a < 1;\ns = \"x < 1\";",
            "if (a <= 1) b = a; // a < 1;\n;",
        ];
        let text = &format!("{{{text}}}");
        let found = all(text, &Lexis::OF_C, &[]);
        assert_eq!(found, expected.map(|it| format!("{{{it}}}")));
    }

    #[test]
    fn what_is_to_stay_stays() {
        let text = "{ a = 1; b = 2; }";
        let at = text.find("b").unwrap();
        let found = all(text, &Lexis::OF_C, std::slice::from_ref(&(at..at + 5)));
        assert_eq!(found, ["{ ; b = 2; }", "{ a = 2; b = 2; }"]);
    }

    #[test]
    fn floats_characters_and_comments_are_not_numbers() {
        let text = "x(1.5, '1', 0x1, a1 /* 1 */)";
        assert_eq!(all(text, &Lexis::OF_C, &[]), Vec::<String>::new());
        let open = "\"never closed 1 < 2";
        assert_eq!(all(open, &Lexis::OF_C, &[]), Vec::<String>::new());
    }
}
