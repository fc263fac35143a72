//! What an editor shows of a script while it is being written.
//!
//! An [`Outline`] is made at every keystroke, so it is what can be said of a text without making a
//! program of it: what is wrong with its syntax and its names, and which name means what. It is made of
//! texts with errors, too.

use std::collections::HashMap;

use source::{Diagnostic, Diagnostics, Loaded, SourceMap, Span, Token, TokenKind};

/// What can be said of a text at once.
#[derive(Clone, Default, Debug)]
pub struct Outline {
    /// The texts that the spans point into; the first is the script itself.
    pub sources: SourceMap,
    /// What is wrong with it, as far as it can be seen without making a program of it.
    pub diagnostics: Vec<Diagnostic>,
    /// What has a name, in any order.
    pub definitions: Vec<Definition>,
    /// Where these names are mentioned, in any order; the definitions themselves need not be among
    /// them.
    pub mentions: Vec<Mention>,
}

impl Outline {
    /// An outline of texts that were read, without anything in it yet.
    #[must_use]
    pub fn of(sources: SourceMap, diagnostics: Diagnostics) -> Outline {
        let loaded = Loaded::<()>::new(sources, diagnostics, None);
        Outline {
            sources: loaded.sources,
            diagnostics: loaded.diagnostics,
            ..Outline::default()
        }
    }

    /// Puts down what a name stands for.
    pub fn define(
        &mut self,
        kind: Kind,
        (name, span): (&str, Span),
        scope: Option<Span>,
        signature: String,
    ) {
        self.definitions.push(Definition {
            name: name.to_owned(),
            kind,
            span,
            whole: span,
            scope,
            signature,
            documentation: String::new(),
        });
    }

    /// The text of a span on one line, cut if it is long; for signatures.
    #[must_use]
    pub fn in_short(&self, span: Span) -> String {
        let text = self.sources.snippet(span);
        let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = words.char_indices().nth(LONGEST) {
            words.truncate(end);
            words.push('\u{2026}');
        }
        words
    }

    /// Puts down the macros that a text defines, by its tokens before the preprocessor.
    pub fn define_macros(&mut self, tokens: &[Token]) {
        for three in tokens.windows(3) {
            let [hash, define, name] = three else {
                continue;
            };
            if hash.first_on_line && hash.is("#") && define.is_word("define") && is_name(name) {
                let line = tokens_of_line(tokens, name);
                let value = self.in_short(line);
                let signature = format!("#define {value}");
                self.define(Kind::Constant, (&name.text, name.span), None, signature);
            }
        }
    }

    /// Puts down where names are used, by the tokens of a text before the preprocessor: a name means the
    /// definition with the smallest scope that reaches there. Behind `selects`, if the language has such
    /// a sign, it means a part of something, whatever its scope is, if only one has that name.
    pub fn mention_names(&mut self, tokens: &[Token], selects: Option<&str>) {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, definition) in self.definitions.iter().enumerate() {
            by_name.entry(&definition.name).or_default().push(index);
        }
        let mut found = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if !is_name(token) {
                continue;
            }
            let Some(known) = by_name.get(&*token.text) else {
                continue;
            };
            let before = at.checked_sub(1).map(|before| &tokens[before]);
            let is_part = selects.is_some_and(|sign| before.is_some_and(|token| token.is(sign)));
            let meant = if is_part {
                match known[..] {
                    [only] => Some(only),
                    _ => None,
                }
            } else {
                let reach = |index: &&usize| {
                    let one = &self.definitions[**index];
                    let here = one.scope.is_none_or(|scope| scope.contains(token.span));
                    here && one.kind != Kind::Field
                };
                let size = |index: &&usize| {
                    let scope = self.definitions[**index].scope;
                    scope.map_or(u32::MAX, Span::len)
                };
                known.iter().filter(reach).min_by_key(size).copied()
            };
            if let Some(definition) = meant {
                found.push(Mention {
                    span: token.span,
                    definition,
                });
            }
        }
        self.mentions.extend(found);
    }
}

/// Longer signatures are cut.
const LONGEST: usize = 100;

fn is_name(token: &Token) -> bool {
    token.kind == TokenKind::Name && token.expansion.is_none()
}

/// From a token to the end of its line, as far as there are tokens.
fn tokens_of_line(tokens: &[Token], first: &Token) -> Span {
    let start = tokens.partition_point(|token| token.span.start < first.span.start);
    let behind = tokens[start..].iter().skip(1);
    let line = behind.take_while(|token| !token.first_on_line && token.kind != TokenKind::End);
    line.fold(first.span, |span, token| span.to(token.span))
}

/// Something that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// What has it.
    pub kind: Kind,
    /// Where the name stands.
    pub span: Span,
    /// All of the definition, for outlines of a file. It contains the name.
    pub whole: Span,
    /// The part of the text in which the name means this; none: all of it.
    pub scope: Option<Span>,
    /// The definition in short, as it would be written: `integer total`.
    pub signature: String,
    /// What else there is to say, in Markdown; may be empty.
    pub documentation: String,
}

/// A place where a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mention {
    /// Where.
    pub span: Span,
    /// What is meant, by its position among the definitions.
    pub definition: usize,
}

/// A word that means the same in all scripts of a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The word.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// How it is used, as it would be written.
    pub signature: String,
    /// What it means, in Markdown; may be empty.
    pub documentation: String,
}

impl Word {
    /// A word of a language.
    #[must_use]
    pub fn new(name: &str, kind: Kind, signature: &str, documentation: &str) -> Word {
        Word {
            name: name.to_owned(),
            kind,
            signature: signature.to_owned(),
            documentation: documentation.to_owned(),
        }
    }

    /// Words of one kind: each with how it is used, and what it means.
    pub fn all_of(words: &[(&str, &str, &str)], kind: Kind) -> impl Iterator<Item = Word> {
        let words = words.iter();
        words.map(move |(name, signature, text)| Word::new(name, kind, signature, text))
    }
}

/// What a name stands for, as editors tell such things apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A variable.
    Variable,
    /// A parameter.
    Parameter,
    /// Something whose value never changes.
    Constant,
    /// A function.
    Function,
    /// An event, or what is done on one.
    Event,
    /// A state, in languages in which scripts have states with names.
    State,
    /// A process or a module.
    Process,
    /// A type.
    Type,
    /// A part of a value, such as a field.
    Field,
    /// A place in the text.
    Label,
    /// A property.
    Property,
    /// A word of the language itself.
    Keyword,
    /// A word in which properties are written.
    PropertyWord,
}
