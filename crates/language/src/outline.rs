//! What an editor shows of a script while it is being written.
//!
//! An [`Outline`] is made at every keystroke, so it is what can be said of a text without making a
//! program of it: what is wrong with its syntax and its names, and which name means what. It is made of
//! texts with errors, too.

use source::{Diagnostic, SourceMap, Span};

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
