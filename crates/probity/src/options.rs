//! The table of commands and options: each stands here once, and both the command line and its
//! documentation are made from it.

/// A command.
pub(crate) struct CommandSpec {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it works on, as it is written in the usage line.
    pub(crate) operand: OperandSpec,
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

/// An option.
#[derive(Debug)]
pub(crate) struct OptionSpec {
    /// Its name, without the dashes.
    pub(crate) name: &'static str,
    /// How its value is written; `None`: it has none.
    pub(crate) value: Option<&'static str>,
    /// The values there are, if there are few.
    pub(crate) choices: &'static [&'static str],
    /// What it is if it is not given, for people.
    pub(crate) default: &'static str,
    /// Whether it may be given several times.
    pub(crate) repeatable: bool,
    /// The commands that take it.
    pub(crate) commands: &'static [&'static str],
    /// The languages for which it means something; none: all.
    pub(crate) languages: &'static [&'static str],
    /// What it does.
    pub(crate) help: &'static str,
}

impl OptionSpec {
    /// What it does, and for which languages, if not for all.
    pub(crate) fn help(&self) -> String {
        match self.languages {
            [] => self.help.to_owned(),
            few => format!("{} (for {})", self.help, languages_in_words(few)),
        }
    }
}

/// Languages as people call them.
pub(crate) fn languages_in_words(names: &[&str]) -> String {
    let words: Vec<&str> = names
        .iter()
        .map(|&name| match name {
            "lsl" => "LSL",
            "promela" => "Promela",
            "smv" => "SMV",
            "aiger" => "AIGER",
            "tscript" => "Tscript",
            "nodegraph" => "node graphs",
            other => other,
        })
        .collect();
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => (*only).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

pub(crate) const CHECK: &str = "check";
pub(crate) const EXPLAIN: &str = "explain";
pub(crate) const SIMULATE: &str = "simulate";
pub(crate) const TRANSLATE: &str = "translate";

/// The commands, in the order of the documentation.
pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: CHECK,
        operand: OperandSpec {
            name: "FILE",
            many: true,
            help: "Scripts, or directories to look for scripts in",
        },
        about: "Say of each property of a script whether it holds",
        details: "The properties are those that the script states: in `//@` comments (LSL), or as \
                  assertions, end states, `ltl` formulas, claims and labels (Promela). Of each one \
                  the report says that it holds, that it fails (with a run that shows it), or \
                  that this is not known (with the reason).",
    },
    CommandSpec {
        name: SIMULATE,
        operand: OperandSpec {
            name: "FILE",
            many: false,
            help: "The script",
        },
        about: "Run a script in a made-up world and tell what happens",
        details: "Without further options the run is random, the same for the same seed.",
    },
    CommandSpec {
        name: TRANSLATE,
        operand: OperandSpec {
            name: "FILE",
            many: false,
            help: "The script",
        },
        about: "Write a script as a model for another tool, or as a graph",
        details: "docs/translate.md says what stands for what, and why verdicts stay the same.",
    },
    CommandSpec {
        name: EXPLAIN,
        operand: OperandSpec {
            name: "CODE",
            many: false,
            help: "A code such as LSL0204",
        },
        about: "Say what the code of a diagnostic means",
        details: "",
    },
];

/// Options that can be given by one letter too.
pub(crate) const SHORT: &[(&str, char)] = &[("output", 'o'), ("define", 'D')];

/// The options, in the order of the documentation.
pub(crate) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "property",
        value: Some("NAME|TEXT"),
        choices: &[],
        default: "all properties of the file",
        repeatable: true,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &[],
        help: "Check only the property of this name, or a property that is not in the file, \
               written as in the file: --property 'always total >= 0'. In simulate: replay the \
               run of this property. In translate: only these properties",
    },
    OptionSpec {
        name: "bound",
        value: Some("NAME=V"),
        choices: &[],
        default: "what the file states",
        repeatable: true,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["lsl", "tscript"],
        help: "State a bound, in place of the file's: --bound amount=0..10 --bound bidders=5; or take \
               one away: --bound amount=any",
    },
    OptionSpec {
        name: "define",
        value: Some("NAME[=V]"),
        choices: &[],
        default: "",
        repeatable: true,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["promela", "smv", "tscript"],
        help: "Define a macro for the preprocessor: -D N=3; without a value it is 1",
    },
    OptionSpec {
        name: "ignore-c",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["promela"],
        help: "Pass over embedded C code that only prints or never runs",
    },
    OptionSpec {
        name: "dialect",
        value: Some("DIALECT"),
        choices: &["ng", "c"],
        default: "ng",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["tscript"],
        help: "Which ToolBus runs the script: the one in Java (ng) or the one in C",
    },
    OptionSpec {
        name: "schedule",
        value: Some("SCHEDULE"),
        choices: &["free", "prompt"],
        default: "free",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["tscript"],
        help: "When processes listen to tools: at any time, or only when nothing else can \
               happen, as the ToolBus in C does",
    },
    OptionSpec {
        name: "time",
        value: Some("TIME"),
        choices: &["untimed", "discrete", "maximal"],
        default: "untimed",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["tscript"],
        help: "How time passes: it is not counted, in ticks at any moment, or in ticks when \
               no process can do anything else",
    },
    OptionSpec {
        name: "readings",
        value: Some("READINGS"),
        choices: &["all", "one"],
        default: "all",
        repeatable: false,
        commands: &[CHECK],
        languages: &["tscript"],
        help: "Whether what fails is asked again under the other dialects and schedules, to say where it \
               fails as well",
    },
    OptionSpec {
        name: "polite-tools",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["tscript"],
        help: "Tools disconnect only when a process is ready to hear of it",
    },
    OptionSpec {
        name: "fair",
        value: Some("KIND"),
        choices: &["none", "weak"],
        default: "none",
        repeatable: false,
        commands: &[CHECK],
        languages: &["lsl", "promela", "tscript", "nodegraph"],
        help: "For properties of infinite runs, assume that no process that can always go on is \
               passed over for ever (weak)",
    },
    OptionSpec {
        name: "timing",
        value: Some("TIMING"),
        choices: &["completion", "edges"],
        default: "completion",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["nodegraph"],
        help: "How signals travel in a node graph: in no time until they come to rest (completion), \
               as engines do, or one step along an edge and one through a node (edges)",
    },
    OptionSpec {
        name: "nodes",
        value: Some("FILE"),
        choices: &[],
        default: "the kinds that docs/nodegraph.md lists",
        repeatable: true,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &["nodegraph"],
        help: "Read what kinds of nodes do from this table too",
    },
    OptionSpec {
        name: "engine",
        value: Some("ENGINE"),
        choices: &["auto", "explicit", "games", "symbolic", "sat"],
        default: "auto",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Use this engine only: states one by one, formulas on the graph of states, decision \
               diagrams, satisfiability",
    },
    OptionSpec {
        name: "timeout",
        value: Some("TIME"),
        choices: &[],
        default: "none",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &[],
        help: "Stop the work on a file after this time, whatever it is at, with what is known: 500ms, 60s, 5m, 1h",
    },
    OptionSpec {
        name: "memory",
        value: Some("SIZE"),
        choices: &[],
        default: "three quarters of what is free, 4G if that is not known; 2G at most for bitstate",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &[],
        help: "Stop when the program as a whole has so much memory, whatever it is at, with what is known: 500M, 4G",
    },
    OptionSpec {
        name: "jobs",
        value: Some("N"),
        choices: &[],
        default: "as many as there are processor cores",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Use so many threads",
    },
    OptionSpec {
        name: "storage",
        value: Some("KIND"),
        choices: &["auto", "plain", "compressed", "hash-compact", "bitstate"],
        default: "auto",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "How states are stored in a search for what must not be reached. auto: plain, and \
               compressed when memory gets tight; compressed: less memory, more time, nothing lost; \
               hash-compact and bitstate: much less memory, but states may be taken for \
               others, so that a property is never said to hold",
    },
    OptionSpec {
        name: "checkpoint",
        value: Some("OUT"),
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Write the search to this file now and then, and when it is stopped early, so that \
               --resume can go on with it. For one file to check; the file holds every search \
               that is under way",
    },
    OptionSpec {
        name: "resume",
        value: Some("FILE"),
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Go on with the searches that --checkpoint wrote, of the same file and properties. \
               Limits, threads and storage may be others. With --checkpoint of the same name the \
               file is kept current",
    },
    OptionSpec {
        name: "require",
        value: Some("STRENGTH"),
        choices: &["proved", "exhausted", "bounded"],
        default: "exhausted",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "How far a property has to hold for exit status 0: for all behaviours, within \
               stated bounds, or for runs up to some length",
    },
    OptionSpec {
        name: "passes",
        value: Some("LIST"),
        choices: &[],
        default: "all",
        repeatable: false,
        commands: &[CHECK, TRANSLATE],
        languages: &[],
        help: "Run only these passes before an engine, separated by commas; or all, or none",
    },
    OptionSpec {
        name: "explain-passes",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Show the program's size before and after each pass",
    },
    OptionSpec {
        name: "all-errors",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Go on behind a failure, and show every place where a property fails: each assertion, \
               each line with a run-time error, each way of being stuck. Formulas about runs have \
               one failure each",
    },
    OptionSpec {
        name: "first-failure",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "End when one property fails; the others are not known then",
    },
    OptionSpec {
        name: "on-the-fly",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Look at formulas of branching time (CTL, mu-calculus) while states are explored: an \
               answer that lies near the beginning needs no more than what is near",
    },
    OptionSpec {
        name: "unreached",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Also list the statements that no run reaches, by a search of its own",
    },
    OptionSpec {
        name: "reduce",
        value: Some("KIND"),
        choices: &["all", "por", "symmetry", "none"],
        default: "all",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Which states to leave out: those that differ only in the order of steps that \
               commute (por: partial-order reduction), those that differ only in which of several \
               equal processes is where (symmetry), both, or none. The report names what was used. \
               Under por, runs that show a failure need not be the shortest. Not used where \
               fairness, X or priorities of processes matter, nor with --all-errors",
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
        repeatable: false,
        commands: &[TRANSLATE],
        languages: &[],
        help: "The target: a model for SPIN; a model for NuSMV; a circuit in AIGER's text format; \
               a graph for Graphviz; the state graph in the Aldebaran format; a Tscript as processes of \
               mCRL2; the state graph as a process of mCRL2 (mcrl2-states, or mcrl2 for other languages)",
    },
    OptionSpec {
        name: "optimize",
        value: Some("WHAT"),
        choices: &["none", "cosmetic", "state", "all"],
        default: "none",
        repeatable: false,
        commands: &[TRANSLATE],
        languages: &["nodegraph"],
        help: "Of a node graph that is written as SMV: leave out nodes without side effects \
               (cosmetic), say the state of a node by its output variable (state), or both",
    },
    OptionSpec {
        name: "output",
        value: Some("OUT"),
        choices: &[],
        default: "standard output",
        repeatable: false,
        commands: &[TRANSLATE],
        languages: &[],
        help: "Write to this file (-o)",
    },
    OptionSpec {
        name: "graph",
        value: Some("GRAPH"),
        choices: &["control", "states"],
        default: "control",
        repeatable: false,
        commands: &[TRANSLATE],
        languages: &[],
        help: "What --to dot draws: the control flow of each process, or the reachable states",
    },
    OptionSpec {
        name: "reduce",
        value: Some("KIND"),
        choices: &["none", "strong", "branching", "weak-trace"],
        default: "none",
        repeatable: false,
        commands: &[TRANSLATE],
        languages: &[],
        help: "Put states of a state graph together that nobody can tell apart: step for step \
               (strong), without silent steps that decide nothing (branching; what goes on silently \
               for ever still does), or by sequences of visible steps alone (weak-trace)",
    },
    OptionSpec {
        name: "states",
        value: Some("N"),
        choices: &[],
        default: "2000",
        repeatable: false,
        commands: &[TRANSLATE],
        languages: &[],
        help: "Give a state graph up beyond so many states",
    },
    OptionSpec {
        name: "seed",
        value: Some("N"),
        choices: &[],
        default: "1",
        repeatable: false,
        commands: &[SIMULATE],
        languages: &[],
        help: "The seed of the random run",
    },
    OptionSpec {
        name: "steps",
        value: Some("N"),
        choices: &[],
        default: "20 events; 1000 steps of a Promela model",
        repeatable: false,
        commands: &[SIMULATE],
        languages: &[],
        help: "Stop after so many events or steps",
    },
    OptionSpec {
        name: "interactive",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[SIMULATE],
        languages: &[],
        help: "Ask what happens next, each time",
    },
    OptionSpec {
        name: "concrete",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[SIMULATE],
        languages: &["lsl"],
        help: "Run the script itself, with concrete keys, texts and times in a world drawn at random \
               (LSL), and say what the run means for each property",
    },
    OptionSpec {
        name: "replay",
        value: Some("TRACE"),
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[SIMULATE],
        languages: &[],
        help: "Tell a run that check wrote with --trace",
    },
    OptionSpec {
        name: "format",
        value: Some("FORMAT"),
        choices: &["text", "json"],
        default: "text",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "How the report is written; the JSON is described by docs/report.schema.json",
    },
    OptionSpec {
        name: "html",
        value: Some("OUT"),
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK, SIMULATE],
        languages: &[],
        help: "Write the report to this file as well, as a page for a browser: the verdicts, and each \
               run step by step, on the lines of the script or on its drawn graph. The page needs \
               nothing else. In simulate: the messages of the run, drawn as a sequence",
    },
    OptionSpec {
        name: "sequence",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[SIMULATE],
        languages: &[],
        help: "Draw the messages of the run at its end, a column for each who takes part",
    },
    OptionSpec {
        name: "trace",
        value: Some("OUT"),
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Write the runs that show failures to this file, for simulate --replay",
    },
    OptionSpec {
        name: "overwrite",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &[],
        help: "Let outputs replace files that are read and runs that were kept, and follow links and \
               write to devices",
    },
    OptionSpec {
        name: "verbose",
        value: None,
        choices: &[],
        default: "",
        repeatable: false,
        commands: &[CHECK, SIMULATE],
        languages: &[],
        help: "Tell every step with its line, and what proves a property, not only what matters",
    },
    OptionSpec {
        name: "language",
        value: Some("LANGUAGE"),
        choices: &["lsl", "promela", "smv", "aiger", "tscript", "nodegraph"],
        default: "from the file's extension",
        repeatable: false,
        commands: &[CHECK, SIMULATE, TRANSLATE],
        languages: &[],
        help: "The language of the files",
    },
    OptionSpec {
        name: "color",
        value: Some("WHEN"),
        choices: &["auto", "always", "never"],
        default: "auto",
        repeatable: false,
        commands: &[CHECK, SIMULATE],
        languages: &[],
        help: "Use colours; auto: on a terminal, unless NO_COLOR is set",
    },
    OptionSpec {
        name: "progress",
        value: None,
        choices: &[],
        default: "on a terminal",
        repeatable: false,
        commands: &[CHECK],
        languages: &[],
        help: "Show on standard error how far the work is",
    },
];
