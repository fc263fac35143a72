//! The table of options: each stands here once, and both the command line and its
//! documentation are made from it. Options of languages stand in the crates of these.

use language::{AUDIT, CERTIFY, CHECK, DIFF_POLICY, OptionSpec, SIMULATE, TRANSLATE};

use crate::commands::{COLLECT, PLAN, RUN_JOB, SERVE};
use crate::languages::{Languages, concrete_worlds};

/// The options that `-h` shows; the others are for those who read `--help`.
pub(crate) const COMMON: &[&str] = &[
    "property",
    "bound",
    "policy",
    "include",
    "language",
    "engine",
    "timeout",
    "memory",
    "jobs",
    "require",
    "strict",
    "all-errors",
    "first-failure",
    "format",
    "html",
    "trace",
    "quiet",
    "verbose",
    "watch",
    "output",
    "overwrite",
    "replay",
    "interactive",
    "steps",
    "seed",
    "to",
    "engines",
    "results",
    "job",
    "port",
];

/// Options that can be given by one letter too.
pub(crate) const SHORT: &[(&str, char)] = &[
    ("output", 'o'),
    ("define", 'D'),
    ("include", 'I'),
    ("quiet", 'q'),
    ("verbose", 'v'),
];

/// What is checked: the first option of the documentation.
const PROPERTY: OptionSpec = OptionSpec {
    name: "property",
    value: Some("NAME|TEXT"),
    default: "all properties of the file",
    repeatable: true,
    commands: &[CHECK, CERTIFY, SIMULATE, TRANSLATE],
    help: "Check only the property of this name, or a property that is not in the file, \
               written as in the file: --property 'always total >= 0'. In simulate: replay the \
               run of this property. In translate: only these properties",
    ..OptionSpec::SWITCH
};

/// The commands whose time and memory can be limited.
const LIMITED: &[&str] = &[CHECK, CERTIFY, AUDIT, DIFF_POLICY, SIMULATE, TRANSLATE];

/// The options that mean something for all languages, in the order of the documentation.
const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "engine",
        value: Some("ENGINE"),
        choices: &[
            "auto", "explicit", "dfs", "games", "symbolic", "sat", "shape",
        ],
        default: "auto",
        commands: &[CHECK],
        help: "Use this engine only: states one by one, the same depth-first, formulas on the graph of \
               states, decision diagrams, satisfiability, structures with three values",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "timeout",
        value: Some("TIME"),
        commands: LIMITED,
        default: "none",
        help: "Stop the work on a file after this time, whatever it is at, with what is known: 500ms, 60s, 5m, 1h",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "memory",
        value: Some("SIZE"),
        commands: LIMITED,
        default: "three quarters of what is free, 4G if that is not known; 2G at most for bitstate",
        help: "Stop when the program as a whole has so much memory, whatever it is at, with what is known: 500M, 4G",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "jobs",
        value: Some("N"),
        default: "as many as there are processor cores",
        commands: &[CHECK],
        help: "Use so many threads",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "storage",
        value: Some("KIND"),
        choices: &[
            "auto",
            "plain",
            "compressed",
            "hash-compact",
            "bitstate",
            "disk",
        ],
        default: "auto",
        commands: &[CHECK],
        help: "How states are stored in a search for what must not be reached. auto: plain, and \
               compressed when memory gets tight; compressed: less memory, more time, nothing lost; \
               hash-compact and bitstate: much less memory, but states may be taken for \
               others, so that a property is never said to hold; disk: in files, for more states than fit into \
               memory, nothing lost (see docs/limits.md)",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "storage-dir",
        value: Some("DIR"),
        default: "the system's folder for temporary files",
        commands: &[CHECK],
        help: "With --storage disk, the folder in which states are; nothing is left there",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "swarm",
        value: Some("N"),
        commands: &[CHECK, PLAN],
        help: "Make so many depth-first searches with bitstate storage, each of which tries moves in an order of \
               its own and loses other states: for failures in models whose states do not fit into memory. \
               They share --timeout and, as many as run at once, --memory. In plan: make a job of each, and none \
               else unless --engines asks for it",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "cube",
        value: Some("I/N"),
        commands: &[CHECK],
        help: "Look for violations of invariants only in the I-th of N cubes: the states in which low bits of the \
               variables that they name are those of I. What holds in all N cubes holds; plan --cubes makes a job of \
               each",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "checkpoint",
        value: Some("OUT"),
        commands: &[CHECK],
        help: "Write the search to this file now and then, and when it is stopped early, so that \
               --resume can go on with it. For one file to check; the file holds every search \
               that is under way",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "resume",
        value: Some("FILE"),
        commands: &[CHECK],
        help: "Go on with the searches that --checkpoint wrote, of the same file and properties. \
               Limits, threads and storage may be others. With --checkpoint of the same name the \
               file is kept current",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "cluster",
        value: Some("HOSTS"),
        commands: &[CHECK],
        help: "Share the search with other processes, each of which owns a part of the states: local:4 \
               starts four on this machine; otherwise a file with one address and port per line. See \
               docs/cluster.md. Only in programs built with --features cluster",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "process",
        value: Some("N"),
        commands: &[CHECK],
        help: "Which process of the list of --cluster this is, from 0",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "require",
        value: Some("STRENGTH"),
        choices: &["proved", "exhausted", "bounded"],
        default: "exhausted",
        commands: &[CHECK, COLLECT],
        help: "How far a property has to hold for exit status 0: for all behaviours, within \
               stated bounds, or for runs up to some length",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "passes",
        value: Some("LIST"),
        default: "all",
        commands: &[CHECK, TRANSLATE],
        help: "Run only these passes before an engine, separated by commas; or all, or none",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "explain-passes",
        commands: &[CHECK],
        help: "Show the program's size before and after each pass",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "all-errors",
        commands: &[CHECK],
        help: "Go on behind a failure, and show every place where a property fails: each assertion, \
               each line with a run-time error, each way of being stuck. Formulas about runs have \
               one failure each",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "silence",
        value: Some("NAME"),
        repeatable: true,
        commands: &[CHECK],
        help: "Skip properties of this name unless --property asks for them; `*` matches any text: \
               --silence 'flag-left-set.*'. The skipped properties are listed",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "no-config",
        commands: &[CHECK, CERTIFY, SIMULATE, TRANSLATE],
        help: "Read no probity.toml: options are those of the command line alone",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "another",
        commands: &[CHECK],
        help: "Show a different counterexample of each property that fails: one that ends differently or, \
               failing that, one that takes different steps; or say that there is none, or that none was \
               found",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "other-than",
        value: Some("TRACE"),
        commands: &[CHECK],
        help: "Like --another, but skip all runs in this file, which check wrote with --trace",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "first-failure",
        commands: &[CHECK],
        help: "End when one property fails; the others are not known then",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "strict",
        commands: &[CHECK, COLLECT],
        help: "End with status 1 if a property may fail, though no run was found that is a failure",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "watch",
        commands: &[CHECK],
        help: "Check again whenever a file that was read is changed, until the interrupt key is pressed",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "cache",
        value: Some("OUT"),
        default: "probity in the cache folder of the user, or what PROBITY_CACHE says",
        commands: &[CHECK],
        help: "Keep verdicts in this folder, and take those from it that are about the same: the same \
               contents of all files, properties, options and version. The report says which are kept \
               ones",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "no-cache",
        commands: &[CHECK],
        help: "Find everything out anew, and keep nothing",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "on-the-fly",
        commands: &[CHECK],
        help: "Look at formulas of branching time (CTL, mu-calculus) while states are explored: an \
               answer that lies near the beginning needs no more than what is near",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "unreached",
        commands: &[CHECK],
        help: "Also list the statements that no run reaches, by a search of its own",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "mutants",
        commands: &[CHECK],
        help: "Also change the script, a word, a number or a statement at a time, and list the changes \
               after which all properties hold that held before: what nobody has stated. Takes 5 \
               minutes at most, or --timeout",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "reduce",
        value: Some("KIND"),
        choices: &["all", "por", "symmetry", "none"],
        default: "all",
        commands: &[CHECK],
        help: "Which states to leave out: those that differ only in the order of steps that \
               commute (por: partial-order reduction), those that differ only in which of several \
               equal processes is where (symmetry), both, or none. The report names what was used. \
               Under por, runs that show a failure need not be the shortest. Not used where \
               fairness, X or priorities of processes matter, nor with --all-errors",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "tune",
        value: Some("NAME=VALUE"),
        repeatable: true,
        commands: &[CHECK],
        help: "Switch a technique of an engine (--tune transition-cache=off) or give it another \
               number, to measure what it gains or to look for a fault; --tune help lists all \
               techniques. No answer depends on them. Unstable: names come and go from version to \
               version",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "to",
        value: Some("TARGET"),
        choices: &[
            "promela",
            "smv",
            "aiger",
            "dot",
            "aut",
            "mcrl2",
            "mcrl2-states",
        ],
        default: "promela",
        commands: &[TRANSLATE],
        help: "The target: a model for SPIN; a model for NuSMV; a circuit in AIGER's text format; \
               a graph for Graphviz; the state graph in the Aldebaran format, or as a process of mCRL2 \
               (mcrl2-states, or mcrl2 for languages without a form of their own)",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "output",
        value: Some("OUT"),
        default: "standard output",
        commands: &[CERTIFY, PLAN, TRANSLATE],
        help: "Write to this file (-o)",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "engines",
        value: Some("LIST"),
        default: "one job for all engines together",
        commands: &[PLAN],
        help: "Make a job for each of these engines, separated by commas: explicit,sat",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "cubes",
        value: Some("N"),
        commands: &[PLAN],
        help: "Cut each invariant into so many cubes, a power of two, or as many as the variables that it names \
               allow, and make a job of each; for the engine sat unless --engines says otherwise. collect says that it \
               holds if it holds in all",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "whole-files",
        commands: &[PLAN],
        help: "Make a job of each script, not of each of its properties",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "results",
        value: Some("OUT"),
        default: "results, beside the plan",
        commands: &[RUN_JOB, COLLECT],
        help: "The directory of the results, each in a file by its job's key",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "job",
        value: Some("KEY|N"),
        default: "all that have no result",
        repeatable: true,
        commands: &[RUN_JOB],
        help: "Do the job of this key, or of this line of the plan, from 1",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "sign",
        value: Some("FILE"),
        commands: &[CERTIFY],
        help: "Sign the certificate with this secret key (Ed25519)",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "new-key",
        value: Some("OUT"),
        commands: &[CERTIFY],
        help: "Make a new key and sign with it: the secret key is written to this file, which nobody \
               else may read and which must not be there yet, the public one beside it with .pub \
               behind its name",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "audit-time",
        value: Some("TIME"),
        default: "1s",
        commands: &[CERTIFY],
        help: "How long checking the certificate may take, about: with more time, more properties reach \
               a higher level of trust",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "signed-by",
        value: Some("FILE"),
        commands: &[AUDIT],
        help: "Refuse a certificate that is not signed with the secret key to this public key",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "level",
        value: Some("LEVEL"),
        choices: &["explored", "interpreted", "proof"],
        default: "explored",
        commands: &[AUDIT],
        help: "Refuse a certificate whose level of trust is lower: states gone through by an engine, \
               or on the reference interpreter, or a proof that is checked",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "graph",
        value: Some("GRAPH"),
        choices: &["control", "states"],
        default: "control",
        commands: &[TRANSLATE],
        help: "What --to dot draws: the control flow of each process, or the reachable states",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "reduce",
        value: Some("KIND"),
        choices: &["none", "strong", "branching", "weak-trace"],
        default: "none",
        commands: &[TRANSLATE],
        help: "Put states of a state graph together that nobody can tell apart: step for step \
               (strong), without silent steps that decide nothing (branching; what goes on silently \
               for ever still does), or by sequences of visible steps alone (weak-trace)",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "states",
        value: Some("N"),
        default: "2000",
        commands: &[TRANSLATE],
        help: "Give a state graph up beyond so many states",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "seed",
        value: Some("N"),
        default: "1",
        commands: &[CHECK, SIMULATE],
        help: "The seed of the random run, or of the first search of --swarm; the next one has the next",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "steps",
        value: Some("N"),
        default: "20 events; 1000 steps of a Promela model",
        commands: &[SIMULATE],
        help: "Stop after so many events or steps",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "interactive",
        commands: &[SIMULATE],
        help: "Ask what happens next, each time",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "concrete",
        commands: &[SIMULATE],
        help: "Run the script itself, with concrete keys, texts and times in a world drawn at random, \
               and say what the run means for each property",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "run",
        value: Some("TRACE"),
        commands: &[TRANSLATE],
        help: "Write a program that repeats a run which check kept with --trace (only for \
               --to c; --property says which of several)",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "port",
        value: Some("N"),
        default: "any that is free",
        commands: &[SERVE],
        help: "The port of 127.0.0.1 at which the page is",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "save",
        value: Some("OUT"),
        commands: &[SIMULATE],
        help: "With --interactive: save the run to this file at the end, for --replay",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "replay",
        value: Some("TRACE"),
        commands: &[SIMULATE],
        help: "Tell a run that check wrote with --trace; the exit status is 1 if it still violates its property. With \
               --interactive: follow it step by step",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "log",
        value: Some("FILE"),
        commands: &[SIMULATE],
        help: "Look for a run that does what this file logs, and nothing else of the same kinds: tell it, or \
               the first line that cannot be. An event a line, in the words in which runs are told; \
               behind a time, or what is printed alone, as it comes. Takes 5 minutes at most, or \
               --timeout",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "partial",
        commands: &[SIMULATE],
        help: "With --log: other events of the kinds that are logged may come between",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "format",
        value: Some("FORMAT"),
        choices: &["text", "json", "sarif", "junit", "github"],
        default: "text",
        commands: &[CHECK, COLLECT, DIFF_POLICY],
        help: "How the report is written: for people; as JSON, described by docs/report.schema.json; as SARIF 2.1.0, with runs \
               as code flows; as JUnit's XML; or as annotations that GitHub shows beside a change. diff-policy knows text and json",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "html",
        value: Some("OUT"),
        commands: &[CHECK, SIMULATE],
        help: "Write the report to this file as well, as a page for a browser: the verdicts, and each \
               run step by step, on the lines of the script or on its drawn graph. The page needs \
               nothing else. In simulate: the messages of the run, drawn as a sequence",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "sequence",
        commands: &[SIMULATE],
        help: "Draw the messages of the run at its end, a column for each who takes part",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "trace",
        value: Some("OUT"),
        commands: &[CHECK],
        help: "Write the runs that show failures to this file, for simulate --replay",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "overwrite",
        commands: &[CHECK, CERTIFY, PLAN, SIMULATE, TRANSLATE],
        help: "Let outputs replace files that are read and runs that were kept, and follow links and \
               write to devices",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "verbose",
        commands: &[CHECK, COLLECT, SIMULATE],
        help: "Tell every step with its line, and what proves a property, not only what matters",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "quiet",
        commands: &[CHECK],
        help: "Tell only what fails, and the line that sums up; as text",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "language",
        value: Some("LANGUAGE"),
        default: "from the file's extension, or what is in it",
        help: "The language of the files",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "color",
        value: Some("WHEN"),
        choices: &["auto", "always", "never"],
        default: "auto",
        commands: &[CHECK, SIMULATE],
        help: "Use colours; auto: on a terminal, unless NO_COLOR is set",
        ..OptionSpec::SWITCH
    },
    OptionSpec {
        name: "progress",
        default: "on a terminal",
        commands: &[CHECK],
        help: "Show on standard error how far the work is",
        ..OptionSpec::SWITCH
    },
];

/// All options, in the order of the documentation: those of languages come after the first.
pub(crate) fn options(languages: Languages) -> Vec<&'static OptionSpec> {
    let mut options = vec![&PROPERTY];
    options.extend(languages.options());
    options.extend(OPTIONS);
    options
}

/// The values there are for an option, if there are few.
pub(crate) fn choices(option: &'static OptionSpec, languages: Languages) -> Vec<&'static str> {
    let mut choices = option.choices.to_vec();
    if option.name == "language" {
        choices.extend(languages.names());
    }
    if option.name == "to" {
        let own = languages.iter().flat_map(|one| one.language().targets);
        for (target, _) in own {
            if !choices.contains(target) {
                choices.push(target);
            }
        }
    }
    choices
}

/// What an option does, and for which languages, if not for all.
pub(crate) fn help(option: &OptionSpec, languages: Languages) -> String {
    let mut help = option.help.to_owned();
    if option.name == "to" {
        let own = languages.iter().flat_map(|one| one.language().targets);
        for (target, what) in own {
            help.push_str(&format!("; {what} ({target})"));
        }
    }
    let fit = match option.name {
        "concrete" => concrete_worlds().collect(),
        name => languages.with_option(name),
    };
    match fit.as_slice() {
        [] => help,
        few => format!("{help} (for {})", languages.in_words(few)),
    }
}
