//! Options of the command line, one row each.

use std::path::{Path, PathBuf};

/// An option.
#[derive(Debug)]
pub struct OptionSpec {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// How its value is written; `None`: it has none.
    pub value: Option<&'static str>,
    /// The values there are, if there are few.
    pub choices: &'static [&'static str],
    /// What it is if it is not given, for people.
    pub default: &'static str,
    /// Whether it may be given several times.
    pub repeatable: bool,
    /// The commands that take it.
    pub commands: &'static [&'static str],
    /// The normal form of a value, or what is wrong with it.
    pub normal: fn(&str) -> Result<String, String>,
    /// What it does.
    pub help: &'static str,
}

impl OptionSpec {
    /// A row to be filled: a switch without help, for every command that reads scripts.
    pub const SWITCH: OptionSpec = OptionSpec {
        name: "",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: EVERYWHERE,
        normal: as_it_is,
        help: "",
    };

    /// How the values of an option are written that give a file another name.
    pub const NAMED_FILE: &str = "[NAME=]FILE";

    /// How the values of an option are written that name a folder.
    pub const FOLDER: &str = "DIR";

    /// Whether its values are names of files or folders, which need not be text.
    #[must_use]
    pub fn names_paths(&self) -> bool {
        self.names_files() || self.value == Some(OptionSpec::FOLDER)
    }

    /// Whether its values are names of files.
    #[must_use]
    pub fn names_files(&self) -> bool {
        matches!(self.value, Some("FILE" | OptionSpec::NAMED_FILE))
    }

    /// The file that a value names.
    #[must_use]
    pub fn file(&self, value: &Path) -> PathBuf {
        let named = value
            .to_str()
            .filter(|_| self.value == Some(OptionSpec::NAMED_FILE));
        let file = named.and_then(|value| value.split_once('='));
        file.map_or_else(|| value.to_owned(), |(_, file)| PathBuf::from(file))
    }
}

/// The command that verifies.
pub const CHECK: &str = "check";
/// The command that makes runs.
pub const SIMULATE: &str = "simulate";
/// The command that writes models.
pub const TRANSLATE: &str = "translate";
/// The command that compares what two versions of a script may call.
pub const DIFF_POLICY: &str = "diff-policy";
/// The command that certifies.
pub const CERTIFY: &str = "certify";
/// The command that checks certificates. It reads a script under the options that the certificate names.
pub const AUDIT: &str = "audit";
/// All commands that read scripts under options that are given.
pub const EVERYWHERE: &[&str] = &[CHECK, CERTIFY, DIFF_POLICY, SIMULATE, TRANSLATE];

/// Bounds, in place of those of the file; for languages with bounds.
pub const BOUND: OptionSpec = OptionSpec {
    name: "bound",
    value: Some("NAME=V"),
    default: "what the file states",
    repeatable: true,
    normal: bound,
    help: "State a bound, in place of the file's: --bound amount=0..10 --bound bidders=5; or take \
           one away: --bound amount=any",
    ..OptionSpec::SWITCH
};

/// Macros; for languages with a preprocessor.
pub const DEFINE: OptionSpec = OptionSpec {
    name: "define",
    value: Some("NAME[=V]"),
    repeatable: true,
    normal: define,
    help: "Define a macro for the preprocessor: -D N=3; without a value it is 1",
    ..OptionSpec::SWITCH
};

/// Folders of files that are included; for languages with a preprocessor.
pub const INCLUDE: OptionSpec = OptionSpec {
    name: "include",
    value: Some(OptionSpec::FOLDER),
    repeatable: true,
    help: "Look for files that a script includes in DIR, too, if they are not in the folder of the script",
    ..OptionSpec::SWITCH
};

/// Weak fairness; for languages with processes.
pub const FAIR: OptionSpec = OptionSpec {
    name: "fair",
    value: Some("KIND"),
    choices: &["none", "weak"],
    default: "none",
    commands: &[CHECK, CERTIFY],
    help: "For properties of infinite runs, assume that no process that can always go on is \
           passed over for ever (weak)",
    ..OptionSpec::SWITCH
};

/// Security policies; for languages of code that comes from elsewhere.
pub const POLICY: OptionSpec = OptionSpec {
    name: "policy",
    value: Some("FILE"),
    repeatable: true,
    help: "Check C or WebAssembly against a security policy: which calls are denied to which code; \
           the rules of several files add up",
    ..OptionSpec::SWITCH
};

/// Location nets; for languages of code that comes from elsewhere.
pub const NET: OptionSpec = OptionSpec {
    name: "net",
    value: Some("FILE"),
    help: "Read the locations, where the code runs and where it comes from in FILE (.locnet); \
           without it, anywhere",
    ..OptionSpec::SWITCH
};

fn as_it_is(value: &str) -> Result<String, String> {
    Ok(value.to_owned())
}

fn bound(value: &str) -> Result<String, String> {
    value
        .split_once('=')
        .map(|(name, value)| (name.trim(), value.trim()))
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .map(|(name, value)| format!("{name}={value}"))
        .ok_or_else(|| format!("`{value}` is no bound: write NAME=V, as in amount=0..10"))
}

fn define(define: &str) -> Result<String, String> {
    // As with a C compiler, a macro without a value is 1.
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    let name = name.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(plain)
    {
        return Err(format!(
            "`{define}` is no macro: write NAME or NAME=VALUE, as in -D N=3"
        ));
    }
    Ok(format!("{name}={value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_macros_have_a_normal_form() {
        assert_eq!(bound(" amount = 0..10 "), Ok("amount=0..10".to_owned()));
        assert!(bound("amount").is_err() && bound("=3").is_err() && bound("n=").is_err());
        assert_eq!(define("N"), Ok("N=1".to_owned()));
        assert_eq!(define("N=a=b"), Ok("N=a=b".to_owned()));
        assert!(define("3N").is_err() && define("").is_err() && define("a-b").is_err());
    }
}
