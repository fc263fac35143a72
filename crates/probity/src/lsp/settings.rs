//! What an editor asks of the server as a whole.

use std::ffi::OsString;
use std::path::Path;

use gen_lsp_types::PositionEncodingKind;
use ide::Encoding;
use serde_json::Value;

use crate::command_line::{CheckInvocation, Invocation, parse};
use crate::languages::Languages;

/// How long the properties of a document are checked, where nobody says otherwise.
const TIMEOUT: &str = "10s";

/// When properties are checked without being asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum When {
    /// When a document was opened or changed, and not changed again for a moment.
    #[default]
    Change,
    /// When it was opened or saved.
    Save,
    /// Never.
    Never,
}

/// What an editor asks of the server as a whole.
#[derive(Clone, Default, Debug)]
pub(super) struct Settings {
    pub(super) encoding: Encoding,
    /// Whether it can be asked to ask for lenses again.
    pub(super) renews_lenses: bool,
    /// Whether it has a command that shows runs.
    pub(super) shows_runs: bool,
    pub(super) when: When,
    /// Words of the command line of `probity check`.
    arguments: Vec<String>,
}

impl Settings {
    /// What is said when a session begins.
    pub(super) fn of_client(params: &Value) -> Settings {
        let capability = |path: &str| params.pointer(path);
        let encodings = capability("/capabilities/general/positionEncodings");
        let encodings = encodings.and_then(Value::as_array);
        let has_utf8 = encodings.is_some_and(|all| all.iter().any(|one| one == "utf-8"));
        let renews = capability("/capabilities/workspace/codeLens/refreshSupport");
        let mut settings = Settings {
            encoding: if has_utf8 {
                Encoding::Utf8
            } else {
                Encoding::Utf16
            },
            renews_lenses: renews.and_then(Value::as_bool).unwrap_or(false),
            ..Settings::default()
        };
        if let Some(options) = params.get("initializationOptions") {
            settings.change(options);
        }
        settings
    }

    /// What is said of them later; what is not said stays.
    pub(super) fn change(&mut self, options: &Value) {
        if let Some(shows) = options.get("showsRuns").and_then(Value::as_bool) {
            self.shows_runs = shows;
        }
        match options.get("check").and_then(Value::as_str) {
            Some("change") => self.when = When::Change,
            Some("save") => self.when = When::Save,
            Some("never") => self.when = When::Never,
            _ => {}
        }
        if let Some(arguments) = options.get("arguments").and_then(Value::as_array) {
            let words = arguments.iter().filter_map(Value::as_str);
            self.arguments = words.map(str::to_owned).collect();
        }
    }

    /// The name of the encoding in the protocol.
    pub(super) fn encoding_kind(&self) -> PositionEncodingKind {
        match self.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// How a document is read and checked; what is wrong with the words of the editor, if something is:
    /// then they do not count.
    pub(super) fn invocation(
        &self,
        path: &Path,
        language: &str,
        languages: Languages,
    ) -> (Option<Box<CheckInvocation>>, Option<String>) {
        let words = |own: &[String]| -> Vec<OsString> {
            let mut words: Vec<OsString> = ["probity", "check"].map(OsString::from).into();
            if !own.iter().any(|word| word.starts_with("--timeout")) {
                words.extend(["--timeout", TIMEOUT].map(OsString::from));
            }
            // What an editor shows has pictures and places that are not kept.
            words.push("--no-cache".into());
            words.extend(own.iter().map(OsString::from));
            words.extend(["--language", language, "--"].map(OsString::from));
            words.push(path.into());
            words
        };
        let read = |own: &[String]| match parse(&words(own), languages) {
            Ok(Invocation::Check(mut invocation)) => {
                if !own.iter().any(|word| word.starts_with("--timeout")) {
                    invocation.given.retain(|name| *name != "timeout");
                }
                Ok(invocation)
            }
            Ok(_) => Err(String::new()),
            Err(stopped) => Err(stopped.text),
        };
        match read(&self.arguments) {
            Ok(invocation) => (Some(invocation), None),
            Err(why) => (read(&[]).ok(), Some(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_of_the_command_line_count_if_they_make_sense() {
        let mut settings = Settings::of_client(&json!({
            "capabilities": { "general": { "positionEncodings": ["utf-32", "utf-8"] } },
            "initializationOptions": { "arguments": ["--timeout", "2s", "--bound", "n=1"] },
        }));
        assert_eq!(settings.encoding, Encoding::Utf8);
        let read = |settings: &Settings| {
            settings.invocation(Path::new("-x.lsl"), "lsl", Languages::default())
        };
        let (invocation, wrong) = read(&settings);
        let invocation = invocation.expect("the words make sense");
        assert_eq!(
            (invocation.timeout.map(|time| time.as_secs()), wrong),
            (Some(2), None)
        );
        assert_eq!(invocation.paths, [Path::new("-x.lsl")]);
        settings.change(&json!({ "arguments": ["--nope"], "check": "save" }));
        let (invocation, wrong) = read(&settings);
        assert!(wrong.is_some_and(|why| why.contains("--nope")));
        assert_eq!(
            invocation
                .and_then(|one| one.timeout)
                .map(|time| time.as_secs()),
            Some(10)
        );
        assert_eq!(settings.when, When::Save);
    }
}
