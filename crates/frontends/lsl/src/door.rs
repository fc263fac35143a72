//! The door of the language: what it says of itself, and how it is read.

use language::{BOUND, DEFINE, FAIR, FrontEnd, INCLUDE, Language, OptionSpec, Read, Request};
use model::Program;
use source::{CodeDoc, Diagnostic, Loaded};

use crate::codes;
use crate::load::{Options, load_with};
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
        let path = NOTECARD.file(&given);
        let name = match given.to_string_lossy().split_once('=') {
            Some((name, _)) => name.to_owned(),
            None => path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        };
        let (file, text) = request.file(&path)?;
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
            extensions: &["lsl"],
            shared_extensions: &[],
            options: &[&BOUND, &DEFINE, &FAIR, &INCLUDE, &NOTECARD],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let notecards = match notecards(request) {
            Ok(notecards) => notecards,
            Err(refused) => return Loaded::<Program>::refused(*refused).into(),
        };
        let options = Options {
            bounds: request.settings.pairs(BOUND.name),
            extra_properties: request.extra_properties.to_vec(),
            defines: request.settings.pairs(DEFINE.name),
            notecards,
            checks: request.unasked,
        };
        // Viewers run on Windows, too.
        let include = |file: &str| request.include(&file.replace('\\', "/"));
        let read = |text: &str| load_with(&request.name(), text, &options, &include);
        request.read_text(read).into()
    }
}
