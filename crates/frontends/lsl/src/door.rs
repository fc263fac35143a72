//! The door of the language: what it says of itself, and how it is read.

use std::collections::BTreeMap;
use std::path::Path;

use language::{
    BOUND, DEFINE, FAIR, FrontEnd, INCLUDE, Language, Lexis, OptionSpec, Outline, Read, Request,
    Word, begins_with_word, has_line,
};
use model::Program;
use source::{CodeDoc, Diagnostic, Loaded, decode};

use crate::codes;
use crate::facts;
use crate::linkset;
use crate::load::{Options, load_with};
use crate::outline;
use crate::watch::Notecard;

/// Second Life's scripts.
pub struct Lsl;

/// Notecards.
const NOTECARD: OptionSpec = OptionSpec {
    name: "notecard",
    value: Some(OptionSpec::NAMED_FILE),
    repeatable: true,
    help: "The object has a notecard with the lines of FILE, and no others than are given so; its name is NAME, \
           or that of the file without its ending",
    ..OptionSpec::SWITCH
};

/// The notecards that are given.
///
/// # Errors
/// If a file cannot be read.
pub fn notecards(request: &Request<'_>) -> Result<Vec<Notecard>, Box<Diagnostic>> {
    let mut all = Vec::new();
    for given in request.settings.paths(NOTECARD.name) {
        let given = given.to_string_lossy();
        let (name, path) = Notecard::named(&given);
        let (file, text) = request.file(Path::new(path))?;
        all.push(Notecard::new(name, file, &text));
    }
    all.sort_by(|one: &Notecard, other| one.name.cmp(&other.name));
    Ok(all)
}

impl FrontEnd for Lsl {
    fn language(&self) -> &'static Language {
        &Language {
            name: "lsl",
            title: "LSL",
            extensions: &["lsl", "lslp", "toml"],
            shared_extensions: &["toml"],
            options: &[&BOUND, &DEFINE, &FAIR, &INCLUDE, &NOTECARD],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        let is_default = |line: &str| {
            begins_with_word(line, "default") && matches!(line["default".len()..].trim(), "" | "{")
        };
        let is_event = |line: &str| {
            let name = line.split('(').next().unwrap_or_default();
            name.len() < line.len() && facts::event(name.trim()).is_some()
        };
        linkset::file::is_linkset(&String::from_utf8_lossy(contents))
            || has_line(contents, is_default) && has_line(contents, is_event)
    }

    fn lexis(&self) -> Option<&'static Lexis> {
        Some(&Lexis::OF_C)
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let notecards = match notecards(request) {
            Ok(notecards) => notecards,
            Err(refused) => return Loaded::<Program>::refused(*refused).into(),
        };
        let options = options(request, notecards);
        let include = include(request);
        let read = |text: &str| {
            if is_linkset(request.path, text) {
                let files = linkset::Files {
                    read: &|path| script(request, path),
                    include: &include,
                };
                return linkset::load(request.path, text, files, &options);
            }
            load_with(&request.name(), text, &options, &include)
        };
        request.read_text(read).into()
    }

    fn outline(&self, request: &Request<'_>) -> Option<Outline> {
        let text = request.text().ok()?;
        if is_linkset(request.path, &text) {
            return None;
        }
        let options = options(request, notecards(request).ok()?);
        let name = request.name();
        Some(outline::outline(&name, &text, &options, &include(request)))
    }

    fn words(&self) -> &'static [Word] {
        outline::words()
    }
}

/// How a script is read.
fn options(request: &Request<'_>, notecards: Vec<Notecard>) -> Options {
    Options {
        bounds: request.settings.pairs(BOUND.name),
        bound_spans: BTreeMap::new(),
        extra_properties: request.extra_properties.to_vec(),
        defines: request.settings.pairs(DEFINE.name),
        notecards,
        checks: request.unasked,
        statements: request.statements,
    }
}

/// Reads the files that a script includes. Viewers run on Windows, too.
fn include<'r>(request: &'r Request<'_>) -> impl Fn(&str) -> Option<String> + 'r {
    |file| request.include(&file.replace('\\', "/"))
}

/// Whether a file describes a linkset and is no script.
fn is_linkset(path: &Path, text: &str) -> bool {
    let may_be = path.extension().is_none_or(|extension| extension != "lsl");
    may_be && linkset::file::is_linkset(text)
}

/// The text of a script of a linkset.
fn script(request: &Request<'_>, path: &Path) -> Result<String, String> {
    let contents = (request.read)(path).map_err(|error| error.to_string())?;
    decode(contents).map_err(|_| "it is no text".to_owned())
}
