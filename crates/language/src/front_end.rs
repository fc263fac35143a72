//! What a language says of itself, and what it makes of a text.

use model::{Program, Trace};
use source::CodeDoc;

use crate::lexis::Lexis;
use crate::option::OptionSpec;
use crate::outline::{Outline, Word};
use crate::request::Request;
use crate::settings::Settings;

/// What a language says of itself.
#[derive(Debug)]
pub struct Language {
    /// Its name in options and reports.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Extensions of its files, in lower case.
    pub extensions: &'static [&'static str],
    /// Those of them that files of other kinds have, too.
    pub shared_extensions: &'static [&'static str],
    /// The options that mean something for it, beside those that mean something for all.
    pub options: &'static [&'static OptionSpec],
    /// The models that it is translated into in its own way: the name of the target, and what it is
    /// if no other language has it.
    pub targets: &'static [(&'static str, &'static str)],
}

/// A language.
pub trait FrontEnd: Sync {
    /// What it says of itself.
    fn language(&self) -> &'static Language;

    /// The documentation of each code of its diagnostics.
    fn codes(&self) -> &'static [&'static [CodeDoc]];

    /// Whether contents are those of a script, where the extension does not tell: something stands in it
    /// that stands in all scripts of this language that do anything, and in none of another.
    fn recognises(&self, _contents: &[u8]) -> bool {
        false
    }

    /// Reads a script as a program with properties. Those of the request come last, in their order.
    fn load(&self, request: &Request<'_>) -> Read;

    /// The other ways in which the same script may be read, as settings that differ, and the words
    /// that ask for each of them.
    fn other_readings(&self, _settings: &Settings) -> Vec<(String, Settings)> {
        Vec::new()
    }

    /// What a script may call outside of itself. None: the language has no such calls, or policies are
    /// not about them.
    fn interface(&self, _request: &Request<'_>) -> Option<source::Loaded<Interface>> {
        None
    }

    /// What an editor shows of a script while it is being written: quick enough to be asked at every
    /// keystroke. None: nothing is known of a script but what [`load`](FrontEnd::load) says.
    fn outline(&self, _request: &Request<'_>) -> Option<Outline> {
        None
    }

    /// The words that mean the same in all scripts, each once: what the language brings with it, and what
    /// properties are written in.
    fn words(&self) -> &'static [Word] {
        &[]
    }

    /// The words and signs of its texts. None: its scripts are drawn, or no texts at all.
    fn lexis(&self) -> Option<&'static Lexis> {
        None
    }

    /// Writes a script as a model of one of the language's own [targets](Language::targets). None:
    /// the target is not among them.
    fn translate(&self, _target: &str, _request: &Request<'_>) -> Option<source::Loaded<String>> {
        None
    }
}

/// What a script may call outside of itself, for asking which of these calls can happen. A call of the
/// function `f` is an event `call f` of the program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Interface {
    /// The functions outside, as policies name them.
    pub functions: Vec<String>,
    /// Texts in the script that may be passed to them.
    pub texts: Vec<String>,
}

/// A script that has been read.
pub struct Read {
    /// The program, and what there is to say about the text.
    pub loaded: source::Loaded<Program>,
    /// What is needed to tell runs on the whole script, if the program is only that part of it that
    /// bears on its properties.
    pub part: Option<Box<dyn Part>>,
}

impl From<source::Loaded<Program>> for Read {
    /// The program is all of the script.
    fn from(loaded: source::Loaded<Program>) -> Read {
        Read { loaded, part: None }
    }
}

/// A part of a script that is checked in place of all of it.
pub trait Part: Send {
    /// The whole of the script.
    ///
    /// # Errors
    /// If there is none beside what is checked, says why.
    fn whole(self: Box<Self>) -> Result<Box<dyn Whole>, NoWhole>;
}

/// A script as a whole.
pub trait Whole {
    /// As a program; it has the properties of the part, in the same order.
    fn program(&self) -> &Program;

    /// The same, to assume of it what was assumed of the part.
    fn program_mut(&mut self) -> &mut Program;

    /// A run of the whole that does what a run of the part does, if one is found. It has to be
    /// replayed.
    fn run(&self, trace: &Trace) -> Option<Trace>;
}

/// Why there is no whole beside what is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoWhole {
    /// Nothing was left out.
    Same,
    /// As a whole it is too entangled to be followed.
    Entangled,
}
