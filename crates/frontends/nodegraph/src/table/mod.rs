//! What kinds of nodes do, as data: tables that a tool programmer extends without touching the
//! program.
//!
//! A table is a text; `docs/nodegraph.md` describes it. Each kind says which pins it has, which
//! states it remembers, and what happens when a signal arrives (`on`), when time passes
//! (`later`), when the script begins (`start`) or when the world wants (`event`):
//!
//! ```text
//! kind MovieClip
//!   in Start
//!   out Finished, Skipped
//!   states Stopped, Playing*
//!   on Start: -> Playing
//!   later Playing: -> Stopped, out Finished | -> Stopped, out Skipped
//! ```
//!
//! A star marks a state that ends: nothing waits there for ever. The tables that come with the
//! program are texts of the same form.

mod lexer;
mod parser;

use std::collections::HashMap;
use std::sync::OnceLock;

use source::{Diagnostics, FileId, SourceFile, SourceMap, Span};

use crate::net::Operation;

pub(crate) use parser::expression;

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

/// An expression over what a node remembers, its settings, the data pins and the flags.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A variable of the node, a setting, a flag, or else the name itself.
    Word(String),
    /// What a data input holds.
    Pin(String),
    /// The flag that a setting names.
    FlagOf(String),
    /// Whether the input that the signal came in by is marked.
    Mark(String),
    /// Whether all inputs are marked, that of the signal counted or not.
    AllMarked(String, bool),
    /// Whether no input is marked.
    NoneMarked(String),
    /// How many execution inputs or outputs the node has.
    Inputs,
    /// How many execution outputs the node has.
    Outputs,
    /// Negation.
    Not(Box<Expr>),
    /// Conjunction.
    And(Box<Expr>, Box<Expr>),
    /// Disjunction.
    Or(Box<Expr>, Box<Expr>),
    /// A comparison.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
    /// A difference.
    Sub(Box<Expr>, Box<Expr>),
    /// A function of values: with as many as it takes.
    Call(Function, Vec<Expr>),
}

/// A function of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    /// Of two values.
    Operation(Operation),
    /// What 32 bits hold of a whole number.
    Wrap,
    /// Any double between two whole numbers.
    Between,
    /// Not: of a truth value, or of the bits of a whole number.
    Complement,
}

/// The functions by name, and how many values each takes.
pub(crate) const FUNCTIONS: &[(&str, usize, Function)] = &[
    ("wrap", 1, Function::Wrap),
    ("complement", 1, Function::Complement),
    ("between", 2, Function::Between),
    ("mul", 2, Function::Operation(Operation::Mul)),
    ("div", 2, Function::Operation(Operation::Div)),
    ("rem", 2, Function::Operation(Operation::Rem)),
    ("min", 2, Function::Operation(Operation::Min)),
    ("max", 2, Function::Operation(Operation::Max)),
    ("both", 2, Function::Operation(Operation::And)),
    ("either", 2, Function::Operation(Operation::Or)),
    ("differ", 2, Function::Operation(Operation::Xor)),
];

impl Expr {
    /// The expressions that it is made of.
    fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Not(a) => vec![a],
            Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Compare(_, a, b)
            | Expr::Add(a, b)
            | Expr::Sub(a, b) => vec![a, b],
            Expr::Call(_, arguments) => arguments.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// It, and all expressions within it.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        let mut parts = vec![self];
        let mut at = 0;
        while at < parts.len() {
            let operands = parts[at].operands();
            parts.extend(operands);
            at += 1;
        }
        parts
    }
}

/// What is assigned to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Lhs {
    /// A variable of the node, or a flag.
    Word(String),
    /// The flag that a setting names.
    FlagOf(String),
    /// The mark of the input that the signal came in by.
    Mark(String),
    /// All marks.
    AllMarks(String),
}

/// Which outputs fire.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Fire {
    /// This one.
    Pin(String),
    /// All, in order.
    Each,
    /// One of them, it is not known which; by a value that is not followed.
    Any(Option<Expr>),
    /// One of them, which something decides that is not followed: the node itself.
    Untold,
    /// The one that is called as a value, or else this one.
    Named(Expr, String),
    /// The one with this number, counted from 0.
    Nth(Expr),
    /// This one as often as a number between two says; before each further time, a condition is
    /// asked.
    Times(String, Expr, Expr, Option<Expr>),
    /// Not an output: handlers of events may run here, before what follows.
    Calls,
}

/// A part of what happens.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Action {
    /// The node changes its state.
    Goto(String),
    /// A value is stored; none: any value.
    Assign(Lhs, Option<Expr>),
    /// Outputs fire.
    Fire(Fire),
    /// What follows happens when the signals of the outputs before it have come to rest.
    Then,
}

/// When something happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// A signal arrives at one of these inputs; `*` is any.
    On(Vec<String>),
    /// Time passes.
    Later,
    /// The script begins, once.
    Start,
    /// The world wants it, again and again; whether it may also be before the script has begun.
    Event { early: bool },
}

/// A line that says what happens.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RuleDecl {
    /// When.
    pub(crate) when: When,
    /// In which states; none: in all.
    pub(crate) states: Vec<String>,
    /// Under which condition.
    pub(crate) condition: Option<Expr>,
    /// What happens: one of these.
    pub(crate) alternatives: Vec<Vec<Action>>,
    /// Where it is written.
    pub(crate) span: Span,
}

/// What a variable of a node holds.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum VarType {
    /// A truth value.
    Bool,
    /// A number between two.
    Range(Expr, Expr),
    /// A mark for each input but these.
    Marks(Vec<String>),
}

/// A variable of a node.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VarDecl {
    /// Its name.
    pub(crate) name: String,
    /// Its values.
    pub(crate) ty: VarType,
    /// Its first value.
    pub(crate) first: Option<Expr>,
}

/// A kind of node.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Kind {
    /// Its name.
    pub(crate) name: String,
    /// Execution inputs that it has in any case.
    pub(crate) inputs: Vec<String>,
    /// Execution outputs that it has in any case.
    pub(crate) outputs: Vec<String>,
    /// States, the first one first; whether each of them ends.
    pub(crate) states: Vec<(String, bool)>,
    /// Execution inputs and outputs with numbers for names: from one number to another.
    pub(crate) numbered: Vec<(bool, Expr, Expr)>,
    /// Settings and data inputs that bear on nothing that is followed; `*` is any.
    pub(crate) ignored: Vec<String>,
    /// Settings with their values where the file gives none, and the largest that is followed.
    pub(crate) settings: Vec<(String, Expr, Option<i64>)>,
    /// What it remembers beside its state.
    pub(crate) vars: Vec<VarDecl>,
    /// What it does. An input takes the first rule that applies.
    pub(crate) rules: Vec<RuleDecl>,
    /// What its data outputs hold.
    pub(crate) values: Vec<(String, Expr)>,
    /// It changes nothing that a property can see, and may be left out of a translation.
    pub(crate) pure_effect: bool,
    /// Where it is written.
    pub(crate) span: Span,
}

/// A table of kinds, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Kinds that come with the program; they are parsed once for all graphs.
    standard: Option<&'static HashMap<String, Kind>>,
    kinds: HashMap<String, Kind>,
}

/// The tables that come with the program: name and text.
const STANDARD: &[(&str, &str)] = &[
    ("own.nodes", include_str!("../../tables/own.nodes")),
    ("unreal.nodes", include_str!("../../tables/unreal.nodes")),
    ("canvas.nodes", include_str!("../../tables/canvas.nodes")),
    ("khr.nodes", include_str!("../../tables/khr.nodes")),
    ("behave.nodes", include_str!("../../tables/behave.nodes")),
    ("unity.nodes", include_str!("../../tables/unity.nodes")),
    ("torch.nodes", include_str!("../../tables/torch.nodes")),
];

/// The kinds of [`STANDARD`], whose spans are in files from that one on.
static STANDARD_KINDS: OnceLock<(FileId, HashMap<String, Kind>)> = OnceLock::new();

impl Table {
    /// The tables that come with the program.
    #[must_use]
    pub(crate) fn standard(sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Table {
        let files = STANDARD
            .iter()
            .map(|(name, text)| sources.add(*name, *text));
        let files: Vec<FileId> = files.collect();
        let mut parsed = || {
            let mut table = Table::default();
            for &file in &files {
                table.read(sources.file(file), diagnostics);
            }
            table.kinds
        };
        let (first, kinds) = STANDARD_KINDS.get_or_init(|| (files[0], parsed()));
        if *first == files[0] {
            Table {
                standard: Some(kinds),
                kinds: HashMap::new(),
            }
        } else {
            Table {
                standard: None,
                kinds: parsed(),
            }
        }
    }

    /// Adds the kinds of a text; one of the same name takes the place of an earlier one.
    pub(crate) fn read(&mut self, file: &SourceFile, diagnostics: &mut Diagnostics) {
        let kinds = parser::parse(file, diagnostics).into_iter();
        self.kinds
            .extend(kinds.map(|kind| (kind.name.clone(), kind)));
    }

    /// The names of all kinds, in alphabetical order.
    pub(crate) fn names(&self) -> Vec<&str> {
        let standard = self.standard.iter().flat_map(|kinds| kinds.keys());
        let mut names: Vec<&str> = self
            .kinds
            .keys()
            .chain(standard)
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        names
    }

    /// The kind of that name; of a name with dots, what stands before the last one is the more general
    /// kind that is taken if there is no special one.
    #[must_use]
    pub(crate) fn kind(&self, name: &str) -> Option<&Kind> {
        let standard = || self.standard.and_then(|kinds| kinds.get(name));
        match self.kinds.get(name).or_else(standard) {
            Some(kind) => Some(kind),
            None => self.kind(name.rsplit_once('.')?.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_that_come_along_are_without_errors() {
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let table = Table::standard(&mut sources, &mut diagnostics);
        let found: Vec<String> = diagnostics
            .into_iter()
            .map(|d| source::render(&d, &sources, false))
            .collect();
        assert_eq!(found, Vec::<String>::new());
        assert!(table.kind("MovieClip").is_some());
    }
}
