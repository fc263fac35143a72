//! The grammar of the command line, made from the table of commands and options.

use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, Command};
use clap_complete::Shell;
use language::{CHECK, OptionSpec};

use super::Stopped;
use crate::commands::{COMMANDS, OperandSpec, PLAN, SERVE};
use crate::languages::Languages;
use crate::options::{COMMON, SHORT, choices, help, options};

/// What `plan` and `serve` hand on to `check`.
pub(super) const OF_CHECK: &str = "options of check";

/// The commands with their options.
pub(super) fn command(languages: Languages) -> Command {
    let mut command = Command::new("probity")
        .version(env!("PROBITY_VERSION"))
        .about("Says whether a script does what it should, before you trust it")
        .subcommand_required(true)
        .arg_required_else_help(true);
    for spec in COMMANDS {
        let mut sub = Command::new(spec.name)
            .about(spec.about)
            .after_long_help(spec.details);
        if let Some(operand) = &spec.operand {
            sub = sub.arg(argument(operand));
        }
        if [PLAN, SERVE].contains(&spec.name) {
            let rest = Arg::new(OF_CHECK).value_name("OPTIONS OF CHECK").last(true);
            sub = sub.arg(rest.action(ArgAction::Append).num_args(0..).hide(true));
        }
        let options = options(languages).into_iter();
        for option in options.filter(|option| option.commands.contains(&spec.name)) {
            let mut whole = help(option, languages);
            if !option.default.is_empty() {
                whole.push_str(&format!(" [default: {}]", option.default));
            }
            let mut arg = Arg::new(option.name)
                .long(option.name)
                .help(in_short(option.help))
                .long_help(whole)
                .hide_short_help(!COMMON.contains(&option.name));
            let fit = languages.with_option(option.name);
            if !fit.is_empty() {
                arg = arg.help_heading(format!("Options for {}", languages.in_words(&fit)));
            }
            if let Some((_, letter)) = SHORT.iter().find(|(name, _)| *name == option.name) {
                arg = arg.short(*letter);
            }
            arg = match option.value {
                None => arg.action(ArgAction::SetTrue),
                Some(value) => {
                    let arg = arg.value_name(value).action(if option.repeatable {
                        ArgAction::Append
                    } else {
                        ArgAction::Set
                    });
                    match choices(option, languages) {
                        few if few.is_empty() => arg.value_parser(value_of(value)),
                        few => arg.value_parser(PossibleValuesParser::new(few)),
                    }
                }
            };
            sub = sub.arg(arg);
        }
        command = command.subcommand(sub);
    }
    command
}

/// What a command works on.
fn argument(operand: &OperandSpec) -> Arg {
    Arg::new("operand")
        .value_name(operand.name)
        .required(true)
        .help(operand.help)
        .value_parser(value_of(operand.name))
        .action(if operand.many {
            ArgAction::Append
        } else {
            ArgAction::Set
        })
        .num_args(if operand.many { 1..=usize::MAX } else { 1..=1 })
}

/// The beginning of a help text, as far as it says what an option is for.
fn in_short(help: &str) -> String {
    let end = [": ", "; ", ". ", " (", ", if "]
        .iter()
        .filter_map(|mark| help.find(mark));
    help[..end.min().unwrap_or(help.len())].to_owned()
}

/// How a value is read, by the word that stands for it: a path need not be text.
fn value_of(word: &str) -> ValueParser {
    match word {
        "FILE" | "OUT" | "PLAN" | "TRACE" | OptionSpec::FOLDER | OptionSpec::NAMED_FILE => {
            ValueParser::path_buf()
        }
        _ => ValueParser::string(),
    }
}

/// What a shell needs to complete commands and options.
pub(super) fn completions(name: &str, languages: Languages) -> Stopped {
    let Ok(shell) = name.parse::<Shell>() else {
        return Stopped::usage(&format!("`{name}` is no shell that is known: try `bash`"));
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(languages), "probity", &mut script);
    Stopped {
        text: String::from_utf8_lossy(&script).into_owned(),
        status: 0,
    }
}

/// The page for `man` of the program, or of a command.
pub(super) fn manual(name: &str, languages: Languages) -> Stopped {
    let mut all = command(languages);
    all.build();
    let page = match name {
        "probity" => Some(all),
        _ => all.find_subcommand(name).cloned(),
    };
    let Some(page) = page else {
        return Stopped::usage(&format!("there is no command `{name}`"));
    };
    let title = match name {
        "probity" => name.to_owned(),
        _ => format!("probity-{name}"),
    };
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(page.name(title.clone())).title(title);
    match page.render(&mut text) {
        Ok(()) => Stopped {
            text: String::from_utf8_lossy(&text).into_owned(),
            status: 0,
        },
        Err(error) => Stopped::usage(&format!("man: {error}")),
    }
}

/// Whether a list of the techniques is asked for: then no file needs to be named.
pub(super) fn asks_for_techniques<S: Into<OsString> + Clone>(arguments: &[S]) -> bool {
    let words: Vec<OsString> = arguments.iter().cloned().map(Into::into).collect();
    words.get(1).is_some_and(|word| word == CHECK)
        && (words.iter().any(|word| word == "--tune=help")
            || words
                .windows(2)
                .any(|two| two[0] == "--tune" && two[1] == "help"))
}
