//! From a file to a program.

use std::path::{Path, PathBuf};

use language::{Entry, FrontEnd, NoWhole, Part, Read, Request, Whole};
use model::Program;
use source::{Diagnostic, SourceMap};

use crate::command_line::Input;
use crate::system::{Files, Kind, System};

/// What was read from a file.
pub(crate) type Loaded = source::Loaded<Program>;

/// A script that is there to be read.
#[derive(Clone, Copy)]
pub(crate) struct Script<'s> {
    pub(crate) path: &'s Path,
    pub(crate) contents: &'s [u8],
    /// Texts of properties beyond the script's own.
    pub(crate) extra: &'s [String],
}

impl Input {
    /// Looks into files whose extension tells no language: where exactly one recognises what is in it, it
    /// is that one's.
    pub(crate) fn recognise<'p>(
        &mut self,
        paths: impl IntoIterator<Item = &'p Path>,
        system: &dyn System,
    ) {
        for path in paths {
            let is_file = || matches!(system.kind(path), Ok(Kind::File));
            if self.language.is_some() || self.languages.of_path(path).is_some() || !is_file() {
                continue;
            }
            let Ok(contents) = system.read(path) else {
                continue;
            };
            let all = self.languages.iter();
            let mut found = all.filter(|front_end| front_end.recognises(&contents));
            if let (Some(only), None) = (found.next(), found.next()) {
                self.recognised
                    .insert(path.to_owned(), only.language().name);
            }
        }
    }

    /// The language of a file: the one that is named, or by the file's extension, or by what is in it.
    pub(crate) fn language_of(&self, path: &Path) -> Option<&'static dyn FrontEnd> {
        match &self.language {
            Some(name) => self.languages.named(name),
            None => self.languages.of_path(path).or_else(|| {
                let name = self.recognised.get(path)?;
                self.languages.named(name)
            }),
        }
    }

    /// The files that options of languages name.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let options = self.languages.options().into_iter();
        let named = options.filter(|option| option.names_files());
        named
            .flat_map(|option| {
                let given = self.settings.paths(option.name).into_iter();
                given.map(|value| option.file(&value))
            })
            .collect()
    }

    /// Whether weak fairness of each process is assumed.
    fn is_weakly_fair(&self) -> bool {
        self.settings.value(language::FAIR.name) == Some("weak")
    }
}

/// The contents of a file.
pub(crate) fn contents(path: &Path, files: &dyn Files) -> Result<Vec<u8>, Box<Diagnostic>> {
    let name = path.to_string_lossy();
    let contents = files.read(path).map_err(|error| {
        let message = format!("cannot read `{name}`: {error}");
        Box::new(Diagnostic::error("CLI0002", message))
    })?;
    if contents.len() > SourceMap::MAX_LEN {
        let message = format!("`{name}` is too long");
        return Err(Box::new(Diagnostic::error("SRC0002", message)));
    }
    Ok(contents)
}

/// Reads a script as a program; files that it includes are read through `files`.
pub(crate) fn load(script: Script<'_>, input: &Input, files: &dyn Files) -> Read {
    let Some(front_end) = input.language_of(script.path) else {
        return Loaded::refused(no_language(script.path)).into();
    };
    let read = |path: &Path| files.read(path);
    let entries = |path: &Path| files.folder(path);
    let mut read = front_end.load(&request(script, input, &read, &entries));
    if let Some(program) = &mut read.loaded.program
        && input.is_weakly_fair()
    {
        program.assume_weak_fairness();
    }
    if let Some(program) = &mut read.loaded.program
        && let Some(cube) = input.cube
    {
        verify::look_only_in(program, cube);
    }
    if let Some(program) = &read.loaded.program {
        debug_assert_eq!(program.validate(), Ok(()), "of {}", script.path.display());
    }
    read
}

/// What a language is asked to read.
pub(crate) fn request<'r>(
    script: Script<'r>,
    input: &'r Input,
    read: &'r (dyn Fn(&Path) -> std::io::Result<Vec<u8>> + Sync),
    entries: &'r (dyn Fn(&Path) -> std::io::Result<Vec<Entry>> + Sync),
) -> Request<'r> {
    Request {
        path: script.path,
        contents: script.contents,
        settings: &input.settings,
        extra_properties: script.extra,
        whole: input.whole,
        unasked: input.unasked,
        statements: input.statements,
        decisions: None,
        read,
        entries,
    }
}

fn no_language(path: &Path) -> Diagnostic {
    let name = path.to_string_lossy();
    let diagnostic = Diagnostic::error("CLI0001", format!("the language of `{name}` is not known"))
        .help("name it with --language");
    if path
        .extension()
        .is_none_or(|extension| extension != "trail")
    {
        return diagnostic;
    }
    diagnostic.help(
        "if this is a run that SPIN found: its steps are numbers of one particular verifier; check \
         the model instead, and keep the run with --trace",
    )
}

/// The whole of a script of which only what bears on its properties was checked.
pub(crate) fn whole(part: Option<Box<dyn Part>>, input: &Input) -> Result<Box<dyn Whole>, NoWhole> {
    let mut whole = part.ok_or(NoWhole::Same)?.whole()?;
    if input.is_weakly_fair() {
        whole.program_mut().assume_weak_fairness();
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InMemory;

    /// The language of a file with this text, whose name says nothing.
    fn language(text: &[u8]) -> Option<&'static str> {
        let system = InMemory::default().with_file("model", text);
        let mut input = Input::default();
        input.recognise([Path::new("model")], &system);
        let found = input.language_of(Path::new("model"))?;
        Some(found.language().name)
    }

    #[test]
    fn what_is_in_a_file_tells_its_language() {
        for (text, name) in [
            ("/* x */\nactive [2] proctype P() { skip }", Some("promela")),
            ("int x;\ninit { x = 1 }", Some("promela")),
            ("  MODULE main\n VAR x : boolean;", Some("smv")),
            (
                "integer n;\n\ndefault\n{\n    state_entry()\n    { }\n}",
                Some("lsl"),
            ),
            ("[[prim]]\nscripts = [\"a.lsl\"]", Some("lsl")),
            ("aag 0 0 0 0 0\n", Some("aiger")),
            ("\0asm\x01\0\0\0", Some("wasm")),
            ("process A is delta\ntoolbus(A)", Some("tscript")),
            ("%p at(t)", Some("tvm")),
            (
                "public class A {\n public static void main(String[] a) { }\n}",
                Some("java"),
            ),
            ("", None),
            (
                "proctypes are explained here, and MODULEs, and initial states",
                None,
            ),
            ("switch (x) {\n default:\n touch_start();\n}", None),
            ("use strict;\npackage Init;", None),
        ] {
            assert_eq!(language(text.as_bytes()), name, "{text}");
        }
        assert_eq!(language(b"\xff\nMODULE main\n"), Some("smv"));
    }
}
