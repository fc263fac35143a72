//! The model: one intermediate representation for all languages, and what it means.
//!
//! A [`Program`] is built by a front end, rewritten by passes and explored by engines; the
//! [reference interpreter](interp) defines its semantics. Queries, verdicts and traces stand here
//! too, so that everything beyond this crate can speak of them.
//!
//! A counter that two steps move, and the states it reaches:
//!
//! ```
//! use model::interp::Interp;
//! use model::{Binary, Mode, Place, Process, Program, Start, Step, Stmt, Type, Variable};
//! use source::Span;
//!
//! let mut program = Program::new("counter", "by hand");
//! let n = program.add_global(Variable::new("n", Type::Int { bits: 2, signed: false }));
//! let value = program.exprs.load(Place::global(n), Type::INT32);
//! let one = program.exprs.int(1, Type::INT32);
//! let more = program.exprs.binary(Binary::Add, value, one);
//! let mut process = Process::new("clock");
//! let tick = process.add_location("tick", Mode::Open, Span::NONE);
//! let mut step = Step::new(tick, tick, Span::NONE);
//! step.body.push(Stmt::Assign(Place::global(n), more));
//! process.add_step(step);
//! let process = program.add_process(process);
//! program.start.push(Start { process, args: vec![] });
//!
//! let interp = Interp::new(&program);
//! let (_, mut state) = interp.initial().unwrap().remove(0);
//! for expected in [1, 2, 3, 0] {
//!     state = interp.expand(&state).unwrap().successors.remove(0).state;
//!     assert_eq!(state.globals[n.index()].number(), expected);
//! }
//! ```

mod arithmetic;
mod budget;
mod display;
mod expr;
mod graph;
mod growth;
mod ids;
pub mod interp;
mod outside;
mod picture;
mod place_type;
pub mod predicates;
mod process;
mod program;
mod property;
mod reduce;
mod rich_table;
mod trace;
mod tuning;
mod types;
mod validate;
mod value;
mod verdict;
mod vocabulary;
mod weak_order;

pub use budget::{Budget, Gate};
pub use display::{Constants, Display, Number};
pub use expr::{Binary, Expr, ExprPool, Place, Projection, Root, Unary, ValueSet};
pub use graph::{Graph, Label, LabelId, Rows, StateSet, StateSpace, Vertex};
pub use growth::{Grown, Growth};
pub use ids::{
    AssumptionId, BarrierId, ChannelId, CheckId, EnumId, EventId, ExprId, FaultId, FunctionId,
    GlobalId, LocId, MessageId, ObjectTypeId, ObserverId, OutsideId, PredicateId, ProcedureId,
    ProcessId, PropertyId, RecordId, StepId,
};
pub use outside::{Cut, CutBy, Lifetime, Outside};
pub use picture::{Picture, PictureBox, PictureLine, PicturePin};
pub use process::{
    Callee, ChannelOwner, Choice, Comm, Escape, Location, Mode, Pattern, Procedure, Process, Step,
    Stmt, Target,
};
pub use program::{
    Alike, Barrier, Channel, Composition, Event, Fault, FiniteRuns, Function, IdPolicy, Names,
    Observer, Program, PureFunction, Start, Statements, SyncAssign, Variable, VariableKind,
    Visibility,
};
pub use property::{Assumption, Check, Claim, Fairness, FairnessKind, Origin, Property};
pub use reduce::{Equivalence, ReduceError, Reduced};
pub use rich_table::RichTable;
pub use source::limits::Pulse;
pub use trace::{Action, MacroStep, Move, Part, Trace};
pub use tuning::{Row as TuningRow, Technique, Tuning};
pub use types::{EnumDecl, ObjectDecl, RecordDecl, Type};
pub use validate::Invalid;
pub use value::{Pointer, Rich, RichId, Value};
pub use verdict::{
    Bad, Distance, Exploration, OfEngine, Progress, Query, Silent, Statistics, Strength,
    UnknownReason, VacuousReason, Verdict,
};
pub use vocabulary::{MuFormula, NameError, ProgramVocabulary};
pub use weak_order::{Rank, next_in_order, weak_order};
