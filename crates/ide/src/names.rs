//! What a name means, where it is defined, and what may be written at a place.

use std::collections::HashMap;
use std::ops::Range;

use language::{Definition, Kind, Outline, Word};
use source::{FileId, SourceMap, Span};

use crate::document::{Document, Encoding};
use crate::findings::Place;

/// What is said of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// Where the name stands.
    pub range: Range<usize>,
    /// Its declaration in short.
    pub signature: String,
    /// What else there is to say, in Markdown; may be empty.
    pub documentation: String,
}

/// Something that may be written at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub kind: Kind,
    /// Its declaration in short.
    pub signature: String,
    /// What else there is to say, in Markdown; may be empty.
    pub documentation: String,
}

/// The words of a language, by name.
#[derive(Clone, Default, Debug)]
pub struct Vocabulary {
    words: &'static [Word],
    by_name: HashMap<&'static str, usize>,
}

impl Vocabulary {
    /// These words.
    #[must_use]
    pub fn new(words: &'static [Word]) -> Vocabulary {
        let by_name = words.iter().map(|word| word.name.as_str()).zip(0..);
        Vocabulary {
            words,
            by_name: by_name.collect(),
        }
    }

    fn get(&self, name: &str) -> Option<&'static Word> {
        Some(&self.words[*self.by_name.get(name)?])
    }
}

/// The names of a text.
#[derive(Clone, Default, Debug)]
pub struct Names {
    sources: SourceMap,
    own: Option<FileId>,
    definitions: Vec<Definition>,
    /// Where names stand in the text, by where they begin, and what they mean.
    places: Vec<(Range<usize>, usize)>,
}

impl Names {
    /// The names of an outline.
    #[must_use]
    pub fn new(outline: Outline) -> Names {
        let Outline {
            sources,
            definitions,
            mentions,
            ..
        } = outline;
        let own = sources.files().next().map(source::SourceFile::id);
        let is_own = |span: &Span| !span.is_none() && Some(span.file) == own;
        let mentioned = mentions
            .iter()
            .map(|mention| (mention.span, mention.definition));
        let defined = definitions
            .iter()
            .map(|definition| definition.span)
            .zip(0..);
        let mut places: Vec<(Range<usize>, usize)> = mentioned
            .chain(defined)
            .filter(|(span, definition)| is_own(span) && *definition < definitions.len())
            .map(|(span, definition)| (span.range(), definition))
            .collect();
        places.sort_by_key(|(range, definition)| (range.start, range.end, *definition));
        places.dedup();
        Names {
            sources,
            own,
            definitions,
            places,
        }
    }

    /// What is defined in the text itself, in its order.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> {
        let own = move |definition: &&Definition| Some(definition.span.file) == self.own;
        self.definitions.iter().filter(own)
    }

    /// The name at an offset, or right before it, and its definition.
    fn at(&self, offset: usize) -> Option<(Range<usize>, &Definition)> {
        let behind = self
            .places
            .partition_point(|(range, _)| range.start <= offset);
        let near = self.places[..behind].iter().rev().take(8);
        let mut touching = near.filter(|(range, _)| range.end >= offset);
        let (range, definition) = touching.next()?;
        Some((range.clone(), &self.definitions[*definition]))
    }

    /// What is to be said of the name at an offset.
    #[must_use]
    pub fn hover(
        &self,
        document: &Document,
        offset: usize,
        vocabulary: &Vocabulary,
    ) -> Option<Hover> {
        if let Some((range, definition)) = self.at(offset) {
            return Some(Hover {
                range,
                signature: definition.signature.clone(),
                documentation: definition.documentation.clone(),
            });
        }
        // In some languages a word has a hyphen; in others that is an operator between two.
        let (range, word) = [true, false].into_iter().find_map(|hyphens| {
            let range = word_at(document.text(), offset, hyphens);
            let word = vocabulary.get(&document.text()[range.clone()])?;
            Some((range, word))
        })?;
        Some(Hover {
            range,
            signature: word.signature.clone(),
            documentation: word.documentation.clone(),
        })
    }

    /// Where the name at an offset is defined.
    #[must_use]
    pub fn definition(&self, offset: usize, encoding: Encoding) -> Option<Place> {
        let (_, definition) = self.at(offset)?;
        let span = definition.span;
        if Some(span.file) == self.own {
            return Some(Place::Here(span.range()));
        }
        let file = self.sources.get(span.file)?;
        let text = Document::new(file.text());
        let at = |offset: u32| text.position(offset as usize, encoding);
        let name = file.name().to_owned();
        Some(Place::Elsewhere(name, at(span.start), at(span.end)))
    }

    /// Where the name at an offset stands: its definition and everything that means it.
    #[must_use]
    pub fn references(&self, offset: usize) -> Vec<Range<usize>> {
        let Some((range, _)) = self.at(offset) else {
            return Vec::new();
        };
        let mut own = self.places.iter().filter(|(place, _)| *place == range);
        let Some((_, meant)) = own.next() else {
            return Vec::new();
        };
        let all = self
            .places
            .iter()
            .filter(|(_, definition)| definition == meant);
        all.map(|(place, _)| place.clone()).collect()
    }

    /// What may be written at an offset: the names that mean something there and the words of the
    /// language that begin as what stands before it does, the innermost names first. Words for properties
    /// are among them only where the line has the mark of an annotation, an `@`.
    #[must_use]
    pub fn completions(
        &self,
        document: &Document,
        offset: usize,
        vocabulary: &Vocabulary,
    ) -> Vec<Completion> {
        let offset = document.boundary(offset);
        let text = document.text();
        let start = word_at(text, offset, false).start;
        let begun = text[start..offset].to_lowercase();
        let hyphened = text[word_at(text, offset, true).start..offset].to_lowercase();
        let fits = |name: &str| {
            let name = name.to_lowercase();
            name.starts_with(&begun) || name.starts_with(&hyphened)
        };
        let at = u32::try_from(offset).unwrap_or(u32::MAX);
        let visible = |definition: &&Definition| match definition.scope {
            None => true,
            Some(scope) => Some(scope.file) == self.own && scope.start <= at && at <= scope.end,
        };
        let mut own: Vec<&Definition> = self
            .definitions
            .iter()
            .filter(visible)
            .filter(|definition| definition.kind != Kind::Event && fits(&definition.name))
            // What is being written just now is no name yet.
            .filter(|definition| {
                let own = Some(definition.span.file) == self.own;
                !(own && definition.span.end == at && definition.name.to_lowercase() == begun)
            })
            .collect();
        own.sort_by_key(|definition| definition.scope.map_or(u32::MAX, Span::len));
        let mut seen = std::collections::HashSet::new();
        own.retain(|definition| seen.insert(definition.name.as_str()));
        let line = &text[document.line_range(document.line(offset))];
        let annotates = line.contains('@');
        let words = vocabulary.words.iter().filter(|word| {
            (word.kind != Kind::PropertyWord || annotates)
                && fits(&word.name)
                && !seen.contains(word.name.as_str())
        });
        let own = own.iter().map(|definition| Completion {
            name: definition.name.clone(),
            kind: definition.kind,
            signature: definition.signature.clone(),
            documentation: definition.documentation.clone(),
        });
        let words = words.map(|word| Completion {
            name: word.name.clone(),
            kind: word.kind,
            signature: word.signature.clone(),
            documentation: word.documentation.clone(),
        });
        own.chain(words).collect()
    }
}

/// The word that an offset is in or at the end of; an empty part of the text if there is none.
#[must_use]
pub fn word_at(text: &str, offset: usize, hyphens: bool) -> Range<usize> {
    let offset = text.floor_char_boundary(offset);
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || hyphens && c == '-';
    let before = text[..offset].chars().rev().take_while(|c| in_word(*c));
    let behind = text[offset..].chars().take_while(|c| in_word(*c));
    let start = offset - before.map(char::len_utf8).sum::<usize>();
    let end = offset + behind.map(char::len_utf8).sum::<usize>();
    start..end
}

#[cfg(test)]
mod tests {
    use language::Mention;

    use super::*;

    const TEXT: &str = "integer total; f(integer n) { n + total; } // @";

    fn names() -> Names {
        let mut sources = SourceMap::new();
        let file = sources.add("t", TEXT);
        let span = |start: usize, end: usize| {
            let at = |offset| u32::try_from(offset).expect("the text is short");
            Span::new(file, at(start), at(end))
        };
        let define = |name: &str, start: usize, scope| Definition {
            name: name.to_owned(),
            kind: Kind::Variable,
            span: span(start, start + name.len()),
            whole: span(start, start + name.len()),
            scope,
            signature: format!("integer {name}"),
            documentation: String::new(),
        };
        let mention = |start, end, definition| Mention {
            span: span(start, end),
            definition,
        };
        Names::new(Outline {
            definitions: vec![
                define("total", 8, None),
                define("n", 25, Some(span(15, 42))),
            ],
            mentions: vec![mention(30, 31, 1), mention(34, 39, 0), mention(34, 39, 7)],
            sources,
            ..Outline::default()
        })
    }

    fn vocabulary() -> Vocabulary {
        static WORDS: std::sync::OnceLock<Vec<Word>> = std::sync::OnceLock::new();
        Vocabulary::new(WORDS.get_or_init(|| {
            vec![
                Word::new("integer", Kind::Keyword, "integer", "32 bits"),
                Word::new("never", Kind::PropertyWord, "never E", ""),
                Word::new("snd-msg", Kind::Function, "snd-msg(T)", ""),
            ]
        }))
    }

    #[test]
    fn names_lead_to_their_definitions_and_words_to_their_meaning() {
        let (names, document, words) = (names(), Document::new(TEXT), vocabulary());
        assert_eq!(
            names.definition(36, Encoding::Utf8),
            Some(Place::Here(8..13))
        );
        assert_eq!(
            names.definition(39, Encoding::Utf8),
            Some(Place::Here(8..13))
        );
        assert_eq!(names.definition(41, Encoding::Utf8), None);
        assert_eq!(names.references(25), [25..26, 30..31]);
        let said = |offset| names.hover(&document, offset, &words);
        assert_eq!(
            said(30).map(|hover| hover.signature),
            Some("integer n".to_owned())
        );
        assert_eq!(
            said(2).map(|hover| hover.documentation),
            Some("32 bits".to_owned())
        );
        assert_eq!(said(40), None);
        assert_eq!(said(usize::MAX), None);
        let hyphens = Document::new("x-integer; snd-msg");
        let said = |offset| Names::default().hover(&hyphens, offset, &words);
        assert_eq!(said(4).map(|hover| hover.range), Some(2..9));
        assert_eq!(said(13).map(|hover| hover.range), Some(11..18));
    }

    #[test]
    fn only_what_means_something_is_offered() {
        let (names, document, words) = (names(), Document::new(TEXT), vocabulary());
        let offered = |offset| -> Vec<String> {
            let all = names.completions(&document, offset, &words);
            all.into_iter().map(|one| one.name).collect()
        };
        assert_eq!(offered(29), ["n", "total", "integer", "never", "snd-msg"]);
        assert_eq!(offered(31), ["n", "never"]);
        assert_eq!(offered(0), ["total", "integer", "never", "snd-msg"]);
        let plain = Document::new("x\n");
        let none = Names::default().completions(&plain, 2, &words);
        assert_eq!(
            none.len(),
            2,
            "no words for properties outside of annotations"
        );
    }
}
