//! From the tree to a program.
//!
//! First values are given in the order of the table of variables, so variables stand in an order
//! in which each comes behind those that its first value depends on. That order is known only
//! when everything has been lowered: if it is not that of the text, it is lowered once more.

mod assign;
mod check;
mod compound;
mod constraint;
mod declare;
mod definition;
mod doubt;
mod expression;
mod fold;
mod names;
mod operator;
mod past;
mod property;
mod value;
mod wide;
mod word_array;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use model::{Composition, EnumId, ExprId, FiniteRuns, Program};
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use crate::ast::{Expr, Item, Module, Spec};
use declare::{Instance, Variable};

/// How deep expressions may nest, definitions and parameters looked through.
const MAX_DEPTH: u32 = 250;

/// Something is wrong, and that has been reported.
#[derive(Clone, Copy, Debug)]
struct Failed;

/// What was lowered, if it could be.
type Lowered<T> = Result<T, Failed>;

/// Where and when an expression stands.
#[derive(Clone, Copy)]
struct Context {
    /// The module instance whose names it uses.
    scope: usize,
    /// Whether it speaks of the next state.
    next: bool,
}

impl Context {
    fn of(scope: usize) -> Context {
        Context { scope, next: false }
    }
}

struct Lowering<'t, 'd> {
    modules: HashMap<&'t str, &'t Module>,
    sources: &'t SourceMap,
    diagnostics: &'d mut Diagnostics,
    program: Program,
    enums: HashMap<Vec<String>, EnumId>,
    /// The symbolic constants.
    symbols: HashSet<Rc<str>>,
    instances: Vec<Instance<'t>>,
    /// The modules within which the next instance is.
    open: Vec<&'t crate::ast::Module>,
    variables: Vec<Variable>,
    /// Those of the variables that are words of more than 64 bits.
    wide_variables: Vec<compound::WideVariable>,
    /// The types of arrays that words index.
    word_arrays: Vec<word_array::WordArray>,
    /// For each variable its number among the program's, once that is known.
    place: Vec<usize>,
    /// For each of the program's global variables, its values, if they are few.
    domains: Vec<Option<Vec<i128>>>,
    /// For each of the program's global variables, its least and greatest value.
    bounds: Vec<Option<(i128, i128)>>,
    /// The instances that are processes, `main` among them if there is any other.
    processes: Vec<usize>,
    /// The variable that says which process runs.
    selector: Option<usize>,
    /// Definitions and arguments that have been lowered; `None` while they are being.
    known: HashMap<definition::Key, Option<definition::Known>>,
    /// The conditions under which what is being lowered counts.
    path: Vec<ExprId>,
    /// What may go wrong in what is being lowered.
    doubts: Vec<doubt::Doubt>,
    /// Names that are being looked through.
    looking: Vec<(usize, *const Expr)>,
    /// What stands at the end of names that stand for names.
    behind: HashMap<(usize, *const Expr), declare::Entity<'t>>,
    depth: u32,
    /// How many variables the next values need to be remembered in.
    remembered: past::Remembered,
}

/// Lowers a model. The formulas of `extra` are the caller's.
pub(crate) fn lower(
    name: &str,
    modules: &[Module],
    extra: &[Spec],
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let (program, order) = lower_once(name, modules, extra, sources, diagnostics, None)?;
    if diagnostics.has_errors() || order.iter().enumerate().all(|(index, v)| index == *v) {
        return Some(program);
    }
    let mut again = Diagnostics::new();
    let lowered = lower_once(name, modules, extra, sources, &mut again, Some(order));
    lowered.map(|(program, _)| program)
}

/// Lowers with the variables in an order; gives the order in which first values can be given.
fn lower_once(
    name: &str,
    modules: &[Module],
    extra: &[Spec],
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
    order: Option<Vec<usize>>,
) -> Option<(Program, Vec<usize>)> {
    let mut program = Program::new(name, "SMV");
    program.finite_runs = FiniteRuns::InfiniteOnly;
    program.composition = Composition::Synchronous(Vec::new());
    let mut lowering = Lowering {
        modules: HashMap::new(),
        sources,
        diagnostics,
        program,
        enums: HashMap::new(),
        symbols: HashSet::new(),
        instances: Vec::new(),
        open: Vec::new(),
        variables: Vec::new(),
        wide_variables: Vec::new(),
        word_arrays: Vec::new(),
        place: Vec::new(),
        domains: Vec::new(),
        bounds: Vec::new(),
        processes: Vec::new(),
        selector: None,
        known: HashMap::new(),
        path: Vec::new(),
        doubts: Vec::new(),
        looking: Vec::new(),
        behind: HashMap::new(),
        depth: 0,
        remembered: past::Remembered::default(),
    };
    lowering.instantiate_main(modules).ok()?;
    lowering.add_variables(order);
    lowering.show_wide_variables();
    let items = lowering.items();
    let order = lowering.assignments(&items)?;
    lowering.constraints(&items);
    lowering.properties(&items, extra);
    lowering.unused_definitions();
    lowering.finish();
    Some((lowering.program, order))
}

/// A part of a module, and the instance that it belongs to.
type Placed<'t> = (usize, &'t Item);

impl Lowering<'_, '_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Failed {
        self.report(Diagnostic::error(code, message).at(span))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        self.diagnostics.push(diagnostic);
        Failed
    }

    /// The text of a place.
    fn text(&self, span: Span) -> &str {
        self.sources.snippet(span)
    }
}
