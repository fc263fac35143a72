//! What a language is asked to read.

use std::io;
use std::path::{Path, PathBuf};

use model::{Type, Value};
use source::{Diagnostic, Loaded, decode, has_foreign_bytes};

use crate::option::INCLUDE;
use crate::settings::Settings;

/// What the world decides in a run, once.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// What is decided ([`Outside::fact`](model::Outside::fact)).
    pub fact: String,
    /// The type of the place where the value goes.
    pub ty: Type,
    /// The value.
    pub value: Value,
}

/// What a folder holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Where it is: the path of the folder, and its name.
    pub path: PathBuf,
    /// Whether it is a folder itself, links followed.
    pub is_folder: bool,
}

/// A script to be read.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// Where it stands.
    pub path: &'r Path,
    /// What is in it.
    pub contents: &'r [u8],
    /// The options that are given.
    pub settings: &'r Settings,
    /// Texts of properties beyond the script's own.
    pub extra_properties: &'r [String],
    /// Whether what bears on no property is kept all the same.
    pub whole: bool,
    /// Whether a script that states nothing is checked for what goes wrong in many.
    pub unasked: bool,
    /// Whether it must be visible which statements are executed
    /// ([`Program::statements`](model::Program::statements)).
    pub statements: bool,
    /// What the world decides in the run that is to be written with a translation, in order.
    pub decisions: Option<&'r [Decision]>,
    /// Reads another file, by its path.
    pub read: &'r (dyn Fn(&Path) -> io::Result<Vec<u8>> + Sync),
    /// What a folder holds, in order of name.
    pub entries: &'r (dyn Fn(&Path) -> io::Result<Vec<Entry>> + Sync),
}

impl Request<'_> {
    /// The name of the file, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// The contents as text.
    ///
    /// # Errors
    /// If they are none.
    pub fn text(&self) -> Result<String, Box<Diagnostic>> {
        decode(self.contents.to_vec())
            .map_err(|not_text| Box::new(not_text.diagnostic(&self.name())))
    }

    /// What is made of the contents as text; that they are none is a refusal.
    pub fn read_text<P>(&self, make: impl FnOnce(&str) -> Loaded<P>) -> Loaded<P> {
        match self.text() {
            Ok(text) => {
                let mut loaded = make(&text);
                if has_foreign_bytes(self.contents) {
                    let message = format!(
                        "`{}` is not UTF-8 in all places: bytes that are not are read as Windows-1252",
                        self.name()
                    );
                    let warning = Diagnostic::warning("SRC0003", message);
                    loaded
                        .diagnostics
                        .insert(0, warning.help("save it as UTF-8"));
                }
                loaded
            }
            Err(refused) => Loaded::refused(*refused),
        }
    }

    /// The text of a file that the script includes, by its path from the script's folder, or from a folder
    /// that is [given](INCLUDE).
    #[must_use]
    pub fn include(&self, file: &str) -> Option<String> {
        let own = self.path.parent().unwrap_or(Path::new("")).to_path_buf();
        let given = self.settings.paths(INCLUDE.name).into_iter();
        let mut folders = std::iter::once(own).chain(given);
        let bytes = folders.find_map(|folder| (self.read)(&folder.join(file)).ok())?;
        decode(bytes).ok()
    }

    /// The name and the text of a file that an option names.
    ///
    /// # Errors
    /// If it cannot be read or is no text.
    pub fn file(&self, path: &Path) -> Result<(String, String), Box<Diagnostic>> {
        let name = path.to_string_lossy().into_owned();
        let read = (self.read)(path).map_err(|error| error.to_string());
        let text = read.and_then(|bytes| decode(bytes).map_err(|_| "it is no text".to_owned()));
        match text {
            Ok(text) => Ok((name, text)),
            Err(why) => {
                let message = format!("cannot read `{name}`: {why}");
                Err(Box::new(Diagnostic::error("CLI0002", message)))
            }
        }
    }
}
