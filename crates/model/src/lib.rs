//! The model: one intermediate representation for all languages, and what it means.
//!
//! A [`Program`] is built by a front end, rewritten by passes and explored by engines; the
//! [reference interpreter](interp) defines its semantics. Queries, verdicts and traces stand here
//! too, so that everything beyond this crate can speak of them.

mod expr;
mod ids;
pub mod interp;
mod place_type;
mod program;
mod trace;
mod types;
mod value;
mod verdict;

pub use expr::{Binary, Expr, ExprPool, Place, Projection, Root, Unary, ValueSet};
pub use ids::{
    AssumptionId, BarrierId, ChannelId, CheckId, EnumId, EventId, ExprId, FaultId, FunctionId,
    GlobalId, LocId, ObjectTypeId, ObserverId, ProcedureId, ProcessId, PropertyId, RecordId,
    StepId,
};
pub use program::{
    Assumption, Barrier, Callee, Channel, Check, Choice, Claim, Comm, Composition, Escape, Event,
    Fairness, FairnessKind, Fault, FiniteRuns, Function, IdPolicy, Location, Mode, Observer,
    Origin, Pattern, Procedure, Process, Program, Property, PureFunction, Start, Step, Stmt,
    SyncAssign, Target, Variable, VariableKind,
};
pub use trace::{Action, MacroStep, Move, Part, Trace};
pub use types::{EnumDecl, ObjectDecl, RecordDecl, Type};
pub use value::{Pointer, Rich, RichId, RichTable, Value};
pub use verdict::{
    Bad, Budget, Progress, Query, Silent, Statistics, Strength, UnknownReason, VacuousReason,
    Verdict,
};
