//! The table of commands: what the command line, its help and its documentation are made from.

use language::{AUDIT, CERTIFY, CHECK, DIFF_POLICY, SIMULATE, TRANSLATE};

/// A command.
pub(crate) struct CommandSpec {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it works on, as it is written in the usage line, if it works on something.
    pub(crate) operand: Option<OperandSpec>,
    /// What it does, one line.
    pub(crate) about: &'static str,
    /// What else there is to say, a paragraph.
    pub(crate) details: &'static str,
}

/// What a command works on.
pub(crate) struct OperandSpec {
    /// How it is written.
    pub(crate) name: &'static str,
    /// Whether there may be several.
    pub(crate) many: bool,
    /// What it is.
    pub(crate) help: &'static str,
}

pub(crate) const EXPLAIN: &str = "explain";
pub(crate) const LSP: &str = "lsp";
pub(crate) const SERVE: &str = "serve";
pub(crate) const COMPLETIONS: &str = "completions";
pub(crate) const MAN: &str = "man";
pub(crate) const PLAN: &str = "plan";
pub(crate) const RUN_JOB: &str = "run-job";
pub(crate) const COLLECT: &str = "collect";

/// The commands, in the order of the documentation.
pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: CHECK,
        operand: Some(OperandSpec {
            name: "FILE",
            many: true,
            help: "Scripts, or directories to look for scripts in; `-` is standard input",
        }),
        about: "Say of each property of a script whether it holds",
        details: "The properties are those that the script states: in `//@` comments (LSL), or as \
                  assertions, end states, `ltl` formulas, claims and labels (Promela). Of each one \
                  the report says that it holds, that it fails (with a run that shows it), or \
                  that this is not known (with the reason).",
    },
    CommandSpec {
        name: CERTIFY,
        operand: Some(OperandSpec {
            name: "FILE",
            many: false,
            help: "The script",
        }),
        about: "Write down what holds of a script, with what shows it",
        details: "The certificate names the script by its SHA-256 and has each property with how far \
                  it holds, its assumptions, and a proof or how all states were gone through, so \
                  that others can check it in seconds. docs/certificates.md says what each level of \
                  trust means. Nothing is written unless every property that is asked for holds.",
    },
    CommandSpec {
        name: AUDIT,
        operand: Some(OperandSpec {
            name: "FILE",
            many: true,
            help: "The certificate and the script",
        }),
        about: "Check a certificate against a script",
        details: "Nothing that the certificate says is believed: the script is read again, and what \
                  shows each property is checked on it. The exit status is 0 if all of it is so, 1 \
                  if the certificate is refused, 2 if it or the script cannot be read, 3 if a limit \
                  was reached.",
    },
    CommandSpec {
        name: DIFF_POLICY,
        operand: Some(OperandSpec {
            name: "FILE",
            many: true,
            help: "The version before and the version after",
        }),
        about: "Say which calls an update gains and loses",
        details: "For C and WebAssembly. A call is gained if it is proved that the version before \
                  cannot make it and a run of the version after does; so with each text in the \
                  files that may be passed. The rules of a policy are compared, too. The exit \
                  status is 1 if something is gained, 0 if nothing is, 3 if that is not known.",
    },
    CommandSpec {
        name: SIMULATE,
        operand: Some(OperandSpec {
            name: "FILE",
            many: false,
            help: "The script",
        }),
        about: "Run a script in a made-up world and tell what happens",
        details: "Without further options the run is random, the same for the same seed.",
    },
    CommandSpec {
        name: TRANSLATE,
        operand: Some(OperandSpec {
            name: "FILE",
            many: false,
            help: "The script",
        }),
        about: "Write a script as a model for another tool, or as a graph",
        details: "docs/translate.md says what stands for what, and why verdicts stay the same.",
    },
    CommandSpec {
        name: PLAN,
        operand: Some(OperandSpec {
            name: "FILE",
            many: true,
            help: "Scripts, or directories to look for scripts in; behind `--`, options of check",
        }),
        about: "Write the checks of scripts as jobs that can be done anywhere",
        details: "A job a line, as JSON: a property of a script, with a key that is the SHA-256 of all \
                  that the answer depends on. Options of check for all jobs stand behind `--`: \
                  `probity plan scripts -o jobs.jsonl -- --timeout 60s`. docs/fleet.md says how jobs \
                  are handed out.",
    },
    CommandSpec {
        name: RUN_JOB,
        operand: Some(OperandSpec {
            name: "PLAN",
            many: false,
            help: "The plan",
        }),
        about: "Do jobs of a plan, and keep their results",
        details: "A result that is there already is not made again, so whoever was interrupted goes on \
                  by the same command. The scripts are where they were when they were planned, and \
                  as they were. The exit status is 0 if the jobs have results, whatever they say; 2 if \
                  a job cannot be done; 3 if one ended without a result, and may be done again.",
    },
    CommandSpec {
        name: COLLECT,
        operand: Some(OperandSpec {
            name: "PLAN",
            many: false,
            help: "The plan",
        }),
        about: "Make one report of the results of a plan's jobs",
        details: "The exit status is that of check. Jobs without a result are not known, and counted.",
    },
    CommandSpec {
        name: EXPLAIN,
        operand: Some(OperandSpec {
            name: "CODE",
            many: false,
            help: "A code such as LSL0204",
        }),
        about: "Say what the code of a diagnostic means",
        details: "",
    },
    CommandSpec {
        name: LSP,
        operand: None,
        about: "Serve an editor that speaks the Language Server Protocol",
        details: "Over standard input and output: findings while scripts are written, what names mean, \
                  what may be written, and the last verdict of each property. docs/editor.md says how to \
                  set an editor up.",
    },
    CommandSpec {
        name: SERVE,
        operand: Some(OperandSpec {
            name: "DIR",
            many: false,
            help: "The folder; behind `--`, options of check",
        }),
        about: "Show the scripts of a folder on a web page of this machine",
        details: "Scripts are checked, and again when they are saved. The page shows each property's last \
                  verdict and those before, how far a check is, and the run of each failure. Options of \
                  check for all scripts stand behind `--`: `probity serve scripts -- --timeout 60s`. In programs \
                  that were built with `--features serve`; docs/serve.md says more.",
    },
    CommandSpec {
        name: COMPLETIONS,
        operand: Some(OperandSpec {
            name: "SHELL",
            many: false,
            help: "The shell: bash, elvish, fish, powershell or zsh",
        }),
        about: "Write what a shell needs to complete commands and options",
        details: "For bash: `probity completions bash > ~/.local/share/bash-completion/completions/probity`.",
    },
    CommandSpec {
        name: MAN,
        operand: Some(OperandSpec {
            name: "PAGE",
            many: false,
            help: "`probity`, or a command",
        }),
        about: "Write a page for man",
        details: "`probity man check > ~/.local/share/man/man1/probity-check.1`, and then `man probity-check`.",
    },
];
