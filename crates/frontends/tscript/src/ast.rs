//! The tree of a script: what the parser makes, names not yet resolved.

use source::Span;

/// A script.
#[derive(Default, Debug)]
pub(crate) struct Script {
    pub(crate) processes: Vec<ProcessDef>,
    pub(crate) tools: Vec<ToolDef>,
    /// The processes that `toolbus(...)` starts; several lines add up.
    pub(crate) started: Vec<Call>,
    /// The names of processes whose definitions could not be read, which has been reported.
    pub(crate) unread: Vec<String>,
}

/// A process definition.
#[derive(Debug)]
pub(crate) struct ProcessDef {
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) formals: Vec<Declaration>,
    pub(crate) body: Process,
}

/// A declared variable: a formal parameter or a name of `let`.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) ty: Term,
    /// Written with `?`: in and out.
    pub(crate) result: bool,
    pub(crate) span: Span,
}

/// A tool definition.
#[derive(Debug)]
pub(crate) struct ToolDef {
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// A process, and arguments.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) args: Vec<Term>,
    pub(crate) span: Span,
}

/// A process expression.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) kind: ProcessKind,
    pub(crate) span: Span,
}

/// What a process expression is.
#[derive(Debug)]
pub(crate) enum ProcessKind {
    Atom(Atom),
    Call(Call),
    Create {
        call: Call,
        pid: Option<Term>,
    },
    Sequence(Vec<Process>),
    Choice(Vec<Process>),
    /// The first is taken only if the second cannot be.
    Biased {
        second_best: Box<Process>,
        best: Box<Process>,
    },
    Iteration(Box<Process>, Box<Process>),
    Merge(Vec<Process>),
    Disrupt(Box<Process>, Box<Process>),
    If(Term, Box<Process>, Option<Box<Process>>),
    Let(Vec<Declaration>, Box<Process>),
}

/// An atomic action.
#[derive(Debug)]
pub(crate) struct Atom {
    pub(crate) word: Word,
    pub(crate) args: Vec<Term>,
    /// Whether it has to wait: `delay` or `abs-delay`.
    pub(crate) delayed: bool,
    /// How long: `delay(T)`.
    pub(crate) delay: Option<Term>,
    /// When it is too late: `timeout(T)`.
    pub(crate) timeout: Option<Term>,
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $least:literal ..= $most:literal;)*) => {
        /// The actions there are.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Word {
            $($(#[$doc])* $name,)*
        }

        impl Word {
            /// All of them that are written as a word.
            pub(crate) const ALL: &'static [Word] = &[$(Word::$name,)*];

            /// How it is written.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Word::$name => $text,)*
                }
            }

            /// How many arguments it takes, at least and at most.
            pub(crate) fn arity(self) -> (usize, usize) {
                match self {
                    $(Word::$name => ($least, $most),)*
                }
            }
        }
    };
}

words! {
    SndMsg = "snd-msg", 0..=99;
    RecMsg = "rec-msg", 0..=99;
    Subscribe = "subscribe", 1..=1;
    Unsubscribe = "unsubscribe", 1..=1;
    SndNote = "snd-note", 1..=1;
    RecNote = "rec-note", 1..=1;
    NoNote = "no-note", 1..=1;
    RecConnect = "rec-connect", 1..=1;
    RecDisconnect = "rec-disconnect", 1..=2;
    Execute = "execute", 2..=2;
    SndEval = "snd-eval", 1..=99;
    SndDo = "snd-do", 1..=99;
    RecValue = "rec-value", 1..=99;
    RecEvent = "rec-event", 1..=99;
    SndAckEvent = "snd-ack-event", 1..=99;
    SndCancel = "snd-cancel", 1..=1;
    SndTerminate = "snd-terminate", 1..=2;
    SndKill = "snd-kill", 1..=1;
    Printf = "printf", 1..=99;
    Read = "read", 1..=2;
    Shutdown = "shutdown", 1..=1;
    Tau = "tau", 0..=0;
    Delta = "delta", 0..=0;
    Attach = "attach-monitor", 0..=9;
    Detach = "detach-monitor", 0..=9;
    PerfStats = "get-perf-stats", 0..=9;
    ClearStats = "clear-perf-stats", 0..=9;
    /// `V := T`; its arguments are the variable and the term.
    Assign = ":=", 2..=2;
    /// `create(NAME(T*), V?)`.
    Create = "create", 1..=2;
    /// A message between parts of one process, which nobody writes: what is sent, then what is wanted.
    Meet = "(msg)", 0..=198;
    /// What a process does that the rest of the system defines, which nobody writes: its name, and its
    /// arguments.
    Outside = "(outside)", 1..=100;
}

/// A term.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    pub(crate) span: Span,
}

/// What a term is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TermKind {
    Int(i64),
    Real(f64),
    Str(String),
    Bool(bool),
    /// A variable; with `?` if `result`.
    Var {
        name: String,
        result: bool,
    },
    /// `<type>`.
    Placeholder(Box<Term>),
    Apply(String, Vec<Term>),
    List(Vec<Term>),
}

impl Term {
    /// The seconds that a term says, if it says a number; part of a second counts as one.
    pub(crate) fn seconds(&self) -> Option<i64> {
        match &self.kind {
            TermKind::Int(number) => Some(*number),
            TermKind::Apply(unit, args) => {
                let number = args.first().and_then(Term::seconds)?;
                match unit.as_str() {
                    "sec" => Some(number),
                    "msec" => Some(number.saturating_add(999) / 1000),
                    "min" => number.checked_mul(60),
                    "hour" => number.checked_mul(3600),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
