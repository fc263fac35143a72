//! The words of policies and location nets: both are short texts of names, addresses, quoted texts
//! and punctuation, with comments from `#` or `//` to the end of the line.

use source::{SourceFile, Span};

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or an address: letters, digits, `_` and `.`.
    Name,
    /// A text; the word is without its quotes.
    Quoted,
    /// One character.
    Mark,
    /// The end of the text.
    End,
}

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    /// What it is.
    pub(crate) kind: Kind,
    /// The word.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) span: Span,
}

impl Word {
    /// Whether it is this mark.
    pub(crate) fn is(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    /// Whether it is this name, without quotes.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        self.kind == Kind::Name && self.text == name
    }

    /// The word for messages.
    pub(crate) fn shown(&self) -> String {
        match self.kind {
            Kind::End => "the end".to_owned(),
            Kind::Quoted => format!("`\"{}\"`", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// The words of a text; the last is the end.
pub(crate) fn words(file: &SourceFile) -> Vec<Word> {
    let text = file.text();
    let mut words = Vec::new();
    let mut at = 0;
    let span = |from: usize, to: usize| {
        let offset = |at: usize| u32::try_from(at).expect("files are shorter than 2^32 bytes");
        Span::new(file.id(), offset(from), offset(to))
    };
    while let Some(first) = text[at..].chars().next() {
        source::limits::check();
        let rest = &text[at..];
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        if first == '#' || rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if first.is_whitespace() {
            at += first.len_utf8();
        } else if in_name(first) {
            let length = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
            words.push(Word {
                kind: Kind::Name,
                text: rest[..length].to_owned(),
                span: span(at, at + length),
            });
            at += length;
        } else if first == '"'
            && let Some(length) = rest[1..].find(['"', '\n'])
            && rest[1 + length..].starts_with('"')
        {
            words.push(Word {
                kind: Kind::Quoted,
                text: rest[1..=length].to_owned(),
                span: span(at, at + length + 2),
            });
            at += length + 2;
        } else {
            let length = first.len_utf8();
            words.push(Word {
                kind: Kind::Mark,
                text: first.to_string(),
                span: span(at, at + length),
            });
            at += length;
        }
    }
    words.push(Word {
        kind: Kind::End,
        text: String::new(),
        span: span(text.len(), text.len()),
    });
    words
}

/// Goes through words.
pub(crate) struct Reader {
    words: Vec<Word>,
    at: usize,
}

impl Reader {
    /// At the first word of a text.
    pub(crate) fn new(file: &SourceFile) -> Reader {
        Reader {
            words: words(file),
            at: 0,
        }
    }

    /// The word that comes next.
    pub(crate) fn peek(&self) -> &Word {
        &self.words[self.at]
    }

    /// The word behind that.
    pub(crate) fn second(&self) -> &Word {
        &self.words[(self.at + 1).min(self.words.len() - 1)]
    }

    /// Takes the next word; the end stays.
    pub(crate) fn next(&mut self) -> Word {
        let word = self.peek().clone();
        if self.at + 1 < self.words.len() {
            self.at += 1;
        }
        word
    }

    /// Takes the next word if it is this mark.
    pub(crate) fn takes(&mut self, mark: &str) -> bool {
        let is = self.peek().is(mark);
        if is {
            self.next();
        }
        is
    }

    /// Takes the next word if it is this name.
    pub(crate) fn takes_name(&mut self, name: &str) -> bool {
        let is = self.peek().is_name(name);
        if is {
            self.next();
        }
        is
    }
}
