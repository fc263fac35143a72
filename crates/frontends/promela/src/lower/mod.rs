//! From the tree to a program.
//!
//! A process type becomes a template whose locations are the control states that [`crate::flow`]
//! finds and whose steps are their transitions. All variables are machine integers of Promela's
//! widths; expressions are computed as 32-bit `int`, as in SPIN's verifiers.

mod channels;
mod claim;
mod claim_variables;
mod declare;
mod expression;
mod instances;
mod names;
mod print;
mod priority;
mod process;
mod property;
mod statement;
mod steps;
mod trace;
mod types;

use std::collections::HashMap;
use std::rc::Rc;

use model::{
    ChannelId, CheckId, Composition, EnumId, ExprId, Fault, FaultId, FiniteRuns, GlobalId,
    IdPolicy, LocId, ProcessId, Program, StepId, Type,
};
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use crate::ast::{self, Declaration, Unit};
use crate::codes::{lints, rules};
use crate::flow::{Body, ElementId, ScopeId};
use types::{Shape, Structure, Variable};

/// C's `int`.
const INT: Type = Type::INT32;

/// The type of `_last`.
const LAST: Type = Type::Int {
    bits: 8,
    signed: false,
};

/// The kinds of run-time errors.
struct Faults {
    d_step: FaultId,
    fields: FaultId,
    all: Vec<FaultId>,
}

/// How control stays at a location, and so part of what tells locations apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Stay {
    /// Anyone may move.
    Open,
    /// Inside of an atomic block.
    Atomic,
    /// Inside of a `d_step`.
    Region,
}

/// A process type being lowered.
struct Process<'a> {
    ast: &'a ast::Process,
    id: ProcessId,
    body: Rc<Body>,
    /// In the order of [`Body::locals`].
    locals: Vec<Variable>,
    /// Locals whose first values are given when an instance starts, since they hold new channels.
    given: Vec<usize>,
    /// How many instances run from the start.
    active: u32,
    locations: HashMap<(ElementId, Stay), LocId>,
    /// Locations whose steps are not lowered yet.
    waiting: Vec<(ElementId, Stay, LocId)>,
    /// Steps of escapes, by the control state that offers them: those that take precedence over
    /// what they cover, and those that do not.
    escapes: HashMap<ElementId, (Vec<StepId>, Vec<StepId>)>,
    progress: Vec<LocId>,
    accept: Vec<LocId>,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Place {
    /// In which process; `None`: outside of all.
    process: Option<usize>,
    scope: ScopeId,
    position: u32,
}

impl Place {
    /// Outside of all processes.
    const OUTSIDE: Place = Place {
        process: None,
        scope: ScopeId(0),
        position: 0,
    };
}

/// How the number of a process that is being started is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunNumber {
    /// It is how many there are: before it is started.
    Count,
    /// It has been stored: after it is started.
    Stored,
    /// `run` is not allowed here.
    Forbidden,
}

struct Lowering<'a> {
    tree: &'a ast::Model,
    sources: &'a SourceMap,
    diagnostics: &'a mut Diagnostics,
    program: Program,
    faults: Faults,
    mtypes: HashMap<Rc<str>, i64>,
    /// What the variables of a claim mean where it is being lowered.
    claim_values: HashMap<Rc<str>, i64>,
    /// The names of the constants, by kind.
    mtype_kinds: HashMap<Option<Rc<str>>, EnumId>,
    structures: Vec<Structure>,
    /// Global variables by name.
    globals: HashMap<Rc<str>, Variable>,
    shapes: Vec<Shape>,
    processes: Vec<Process<'a>>,
    assertions: Option<CheckId>,
    last: Option<GlobalId>,
    run_number: RunNumber,
    /// Statements that start processes, for the step that is being lowered.
    spawns: Vec<model::Stmt>,
    /// The place for the number of a process that is started in an expression.
    run_result: Option<GlobalId>,
    priorities: priority::Priorities,
    bound: Option<u32>,
    /// What instances that are started at run time make: by process type, local and element.
    channels_at_run: HashMap<(usize, usize, usize), (ChannelId, GlobalId)>,
    events: Option<trace::Events>,
    /// Whether full channels lose messages.
    lossy: bool,
}

/// Lowers a model. The last `extra` of its formulas are the caller's; if it is `lossy`, a message
/// that is sent to a full channel is lost.
pub(crate) fn lower(
    name: &str,
    tree: &ast::Model,
    (extra, lossy): (usize, bool),
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Program {
    let mut program = Program::new(name, "Promela");
    program.statements = model::Statements::Steps;
    program.composition = Composition::Interleaving {
        ids: IdPolicy::Stack,
    };
    program.finite_runs = FiniteRuns::Stutter;
    program.display.steps = true;
    let faults = declare_faults(&mut program);
    let mut lowering = Lowering {
        tree,
        sources,
        diagnostics,
        program,
        faults,
        mtypes: HashMap::new(),
        claim_values: HashMap::new(),
        mtype_kinds: HashMap::new(),
        structures: Vec::new(),
        globals: HashMap::new(),
        shapes: Vec::new(),
        processes: Vec::new(),
        assertions: None,
        last: None,
        run_number: RunNumber::Forbidden,
        spawns: Vec::new(),
        run_result: None,
        priorities: priority::Priorities::default(),
        bound: None,
        channels_at_run: HashMap::new(),
        events: None,
        lossy,
    };
    lowering.declare_all();
    lowering.build_bodies();
    if lowering.diagnostics.has_errors() {
        // Names and types are not known well enough to go on.
        return lowering.program;
    }
    lowering.declare_last();
    lowering.declare_locals();
    lowering.infer_parameters();
    lowering.start_all();
    lowering.declare_trace();
    for process in 0..lowering.processes.len() {
        lowering.lower_process(process);
    }
    lowering.finish_processes();
    lowering.properties(extra);
    lowering.finish_processes();
    lowering.program
}

fn declare_faults(program: &mut Program) -> Faults {
    let mut declare = |name: &str, message: &str| {
        program.add_fault(Fault {
            name: name.to_owned(),
            message: message.to_owned(),
        })
    };
    let division = declare("division", "division by zero");
    let index = declare("index", "index outside of the array");
    let channel = declare("channel", "use of a channel that does not exist");
    let d_step = declare("d_step", "a statement inside of a d_step is blocked");
    let fields = declare("fields", "a message with fewer fields than its channel has");
    program.division_fault = Some(division);
    program.index_fault = Some(index);
    program.channel_fault = Some(channel);
    Faults {
        d_step,
        fields,
        all: vec![division, index, channel, d_step, fields],
    }
}

impl Lowering<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, message).at(span));
    }

    fn zero(&mut self) -> ExprId {
        self.program.exprs.int(0, INT)
    }

    /// Declares types and global variables, in the order of the text.
    fn declare_all(&mut self) {
        let tree = self.tree;
        for unit in &tree.units {
            match unit {
                Unit::Mtype(_, names) => self.declare_mtypes(unit, names),
                Unit::Typedef(name, fields) => self.declare_structure(name, fields),
                Unit::Declaration(declaration) => self.declare_globals(declaration),
                _ => {}
            }
        }
    }
}

/// Notes the variables of a declaration that is `hidden`.
pub(crate) fn note_hidden(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    for declarator in &declaration.variables {
        diagnostics.push(
            Diagnostic::note(
                lints::HIDDEN,
                format!(
                    "`{}` is hidden, but counts as part of the state",
                    declarator.name.name
                ),
            )
            .at(declarator.name.span),
        );
    }
}

/// What is not supported, as an error.
fn unsupported(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(rules::UNSUPPORTED, format!("{what} is not supported")).at(span)
}
