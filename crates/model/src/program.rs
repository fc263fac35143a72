//! The program: data, control, composition, environment, assumptions.
//!
//! A [`Program`] denotes a labelled Kripke structure. Front ends build it, passes rewrite it,
//! engines explore it; the [reference interpreter](crate::interp) says what it means.

use std::sync::Arc;

use logic::{Buchi, Ltl};
use source::Span;

use crate::display::Display;
use crate::expr::{ExprPool, Place, ValueSet};
use crate::ids::{
    AssumptionId, BarrierId, ChannelId, CheckId, EnumId, EventId, ExprId, FaultId, FunctionId,
    GlobalId, LocId, ObjectTypeId, ObserverId, ProcedureId, ProcessId, PropertyId, RecordId,
    StepId,
};
use crate::types::{EnumDecl, ObjectDecl, RecordDecl, Type};
use crate::value::{RichTable, Value};

/// A program: the one intermediate representation of all languages.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name, for people.
    pub name: String,
    /// The language it was written in, for people.
    pub language: String,
    /// The expressions of all its parts.
    pub exprs: ExprPool,
    /// The rich values seen so far; shared by everything that runs the program.
    pub rich: Arc<RichTable>,
    /// Enumerations.
    pub enums: Vec<EnumDecl>,
    /// Records.
    pub records: Vec<RecordDecl>,
    /// Types of objects created at run time.
    pub objects: Vec<ObjectDecl>,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Process templates.
    pub processes: Vec<Process>,
    /// The instances that run from the start, in order.
    pub start: Vec<Start>,
    /// Channel declarations.
    pub channels: Vec<Channel>,
    /// Barriers.
    pub barriers: Vec<Barrier>,
    /// Kinds of micro events.
    pub events: Vec<Event>,
    /// What watches micro events.
    pub observers: Vec<Observer>,
    /// Named pure functions.
    pub functions: Vec<Function>,
    /// Kinds of faults.
    pub faults: Vec<Fault>,
    /// The fault of division by zero.
    pub division_fault: Option<FaultId>,
    /// The fault of leaving a range.
    pub range_fault: Option<FaultId>,
    /// The fault of an index outside an array.
    pub index_fault: Option<FaultId>,
    /// The fault of following a null or dangling pointer, or moving one out of its object.
    pub pointer_fault: Option<FaultId>,
    /// The fault of a channel reference that names no living channel.
    pub channel_fault: Option<FaultId>,
    /// The fault of more procedure calls than [`Process::max_frames`].
    pub stack_fault: Option<FaultId>,
    /// How the parts move together.
    pub composition: Composition,
    /// Must hold initially (beside the variables' initial values).
    pub initial: Vec<ExprId>,
    /// Must hold in every state: states that violate it do not exist.
    pub state_constraint: Vec<ExprId>,
    /// Must hold between a state and the next ([`Expr::Next`](crate::Expr::Next)); synchronous
    /// composition only.
    pub relation: Vec<ExprId>,
    /// What a run that cannot go on means.
    pub finite_runs: FiniteRuns,
    /// Where an instance that goes away ([`IdPolicy::Stack`]) leaves its number: as Promela's
    /// `_last`, which other moves write by their bodies.
    pub leaver: Option<GlobalId>,
    /// Fairness.
    pub fairness: Vec<Fairness>,
    /// Every restriction made by the file, the command line, the front end or a pass.
    pub assumptions: Vec<Assumption>,
    /// The checks that assertions are about.
    pub checks: Vec<Check>,
    /// What is to be verified.
    pub properties: Vec<Property>,
    /// How it is shown to people.
    pub display: Display,
}

impl Program {
    /// Assumes weak fairness of each instance for everything that is about infinite runs: what
    /// can go on for ever does so some time.
    pub fn assume_weak_fairness(&mut self) {
        let assumption = AssumptionId::new(self.assumptions.len());
        let mut properties = Vec::new();
        for (index, property) in self.properties.iter_mut().enumerate() {
            if matches!(property.claim, Claim::Ltl(_) | Claim::Never(_)) {
                property.assumptions.push(assumption);
                properties.push(PropertyId::new(index));
            }
        }
        self.assumptions.push(Assumption {
            text: "no process that can always go on is passed over for ever".to_owned(),
            origin: Origin::Stated,
            properties: Some(properties),
            span: Span::NONE,
        });
        self.fairness.push(Fairness {
            name: "weak fairness of each process".to_owned(),
            kind: FairnessKind::WeakInstances,
            assumption: Some(assumption),
        });
    }

    /// An empty program.
    #[must_use]
    pub fn new(name: impl Into<String>, language: impl Into<String>) -> Self {
        Program {
            name: name.into(),
            language: language.into(),
            exprs: ExprPool::default(),
            rich: Arc::default(),
            enums: Vec::new(),
            records: Vec::new(),
            objects: Vec::new(),
            globals: Vec::new(),
            processes: Vec::new(),
            start: Vec::new(),
            channels: Vec::new(),
            barriers: Vec::new(),
            events: Vec::new(),
            observers: Vec::new(),
            functions: Vec::new(),
            faults: Vec::new(),
            division_fault: None,
            range_fault: None,
            index_fault: None,
            pointer_fault: None,
            channel_fault: None,
            stack_fault: None,
            composition: Composition::Interleaving {
                ids: IdPolicy::Fresh,
            },
            initial: Vec::new(),
            state_constraint: Vec::new(),
            relation: Vec::new(),
            finite_runs: FiniteRuns::Stutter,
            leaver: None,
            fairness: Vec::new(),
            assumptions: Vec::new(),
            checks: Vec::new(),
            properties: Vec::new(),
            display: Display::default(),
        }
    }
}

/// A variable: global, parameter or local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, as the script writes it.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its first value, or the choice of it. `None`: a parameter, or the type's zero. Evaluated
    /// with the other globals at their zeros; a local's, with the parameters set.
    pub init: Option<ValueSet>,
    /// What it is for.
    pub kind: VariableKind,
    /// Where it is declared.
    pub span: Span,
}

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    /// Part of the script's state.
    State,
    /// A fact about the world, kept by the environment.
    World,
    /// Written for verification only; the script never reads it.
    Ghost,
    /// Lives within a macro step: set back to its first value before the next one begins, never
    /// part of a stored state. At the end of the step it can be read, by state atoms too.
    Step,
    /// Chosen anew for every transition (synchronous composition).
    Input,
    /// Keeps its first value for ever.
    Frozen,
}

/// A process template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Whether it closes the system: the world, not the script.
    pub environment: bool,
    /// Parameters first, then locals.
    pub locals: Vec<Variable>,
    /// How many of the locals are parameters.
    pub parameters: usize,
    /// Control locations.
    pub locations: Vec<Location>,
    /// Where instances begin.
    pub entry: LocId,
    /// Steps, in the order of the script.
    pub steps: Vec<Step>,
    /// Procedures, whose locations and steps are among those above.
    pub procedures: Vec<Procedure>,
    /// Steps that take precedence over what they cover.
    pub escapes: Vec<Escape>,
    /// Every step of the process, and its going away, is enabled only if this holds.
    pub provided: Option<ExprId>,
    /// Only instances of the highest priority among those that can move may move; evaluated by
    /// the instance. `None` is 0.
    pub priority: Option<ExprId>,
    /// Where control goes at a fault, all frames but the process's own unwound; effects up to the
    /// fault stay. `None`: the instance stops for good, which is a finding.
    pub on_fault: Option<LocId>,
    /// How many procedure calls may be open at once; one more is
    /// [`Program::stack_fault`].
    pub max_frames: u32,
}

/// A control location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// A name for people: a label, a state.
    pub name: String,
    /// How control stays here.
    pub mode: Mode,
    /// A run may end here without being a deadlock.
    pub end: bool,
    /// Where it is in the script.
    pub span: Span,
}

/// How control stays at a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Everyone may move.
    Open,
    /// The instance here goes on alone if it can (it is the exclusive holder); if it is blocked,
    /// it loses the privilege and the state is stored.
    Atomic,
    /// Inside a macro step: the instance here goes on alone, and states are not stored. Being
    /// blocked here removes the run if an `Assume` did it, and is a defect of the script else.
    Region,
}

/// An edge of the control-flow graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The source location.
    pub from: LocId,
    /// Choices made before the guard is looked at, into places of the process: the step stands
    /// for one transition for each combination that its guard and communication accept.
    pub binds: Vec<Choice>,
    /// Must hold; `None` always does.
    pub guard: Option<ExprId>,
    /// Ordered choice: enabled only if no step of lower rank at the same location is (`else` is
    /// the highest rank used).
    pub rank: u16,
    /// Priority class: enabled only if no step of a higher class is, anywhere.
    pub class: u8,
    /// Communication.
    pub comm: Option<Comm>,
    /// The effect: loop-free.
    pub body: Vec<Stmt>,
    /// Where control goes.
    pub target: Target,
    /// What the step is called, if it has a name in the story.
    pub label: Option<String>,
    /// The part of the script.
    pub span: Span,
}

/// Where a step leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// To a location.
    Goto(LocId),
    /// Into a procedure; the arguments are evaluated by the caller.
    Call {
        /// The procedure.
        callee: Callee,
        /// Its arguments.
        args: Vec<ExprId>,
        /// Where the result goes when it returns.
        result: Option<Place>,
        /// Where the caller goes on.
        then: LocId,
    },
    /// Back to the caller, with a result.
    Return(Option<ExprId>),
    /// The instance ends.
    End,
}

/// Which procedure is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// This one.
    Known(ProcedureId),
    /// The one that the expression, of type [`Type::Procedure`], gives.
    Value(ExprId),
}

/// A procedure of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Parameters first, then locals.
    pub locals: Vec<Variable>,
    /// How many of the locals are parameters.
    pub parameters: usize,
    /// Where it begins.
    pub entry: LocId,
    /// Where it is in the script.
    pub span: Span,
}

/// Steps that take precedence: Promela's `unless`, Tscript's disrupt.
///
/// At a covered location the escape's steps are offered as if they started there, and if any of
/// them is enabled, nothing of lower precedence is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Escape {
    /// The locations that it covers.
    pub covers: Vec<LocId>,
    /// The steps; their `from` is not looked at.
    pub steps: Vec<StepId>,
    /// Higher goes first; the steps of the locations themselves have 0.
    pub precedence: u16,
}

/// A communication.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comm {
    /// Sends a message. On a channel of capacity 0 it is a rendezvous: one joint transition with
    /// a receive of another instance, first the sender's body, then the receiver's.
    Send {
        /// The channel.
        channel: ExprId,
        /// The message.
        message: Vec<ExprId>,
        /// Inserts in numerical order instead of at the end.
        sorted: bool,
        /// A message for a full channel is lost, instead of the step being blocked.
        lossy: bool,
    },
    /// Receives a message that matches.
    Receive {
        /// The channel.
        channel: ExprId,
        /// For each field what is to be done with it.
        patterns: Vec<Pattern>,
        /// The first message that matches, wherever it stands, instead of the first.
        anywhere: bool,
        /// Leaves the message in the channel.
        keep: bool,
    },
    /// Takes part in a barrier.
    Barrier(BarrierId),
}

/// What a receive does with a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Stores it.
    Bind(Place),
    /// Demands this value.
    Match(ExprId),
    /// Ignores it.
    Any,
}

/// A statement of a step's body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// Stores a value: wrapped into machine integers, checked against ranges.
    Assign(Place, ExprId),
    /// Stores one of several values.
    Choose(Choice),
    /// One branch or the other.
    If(ExprId, Vec<Stmt>, Vec<Stmt>),
    /// Reports the check's failure if the condition does not hold; the run goes on.
    Assert {
        /// The condition.
        cond: ExprId,
        /// What is checked.
        check: CheckId,
        /// Where.
        span: Span,
    },
    /// Removes the run if the condition does not hold.
    Assume(ExprId),
    /// Raises a fault.
    Raise(FaultId),
    /// A micro event: observers run here.
    Emit {
        /// The kind of event.
        event: EventId,
        /// Its arguments.
        args: Vec<ExprId>,
        /// Where it happens.
        span: Span,
    },
    /// Starts an instance.
    Spawn {
        /// Of this template.
        process: ProcessId,
        /// With these arguments.
        args: Vec<ExprId>,
        /// Stores its number.
        result: Option<Place>,
        /// Shares the frame of the instance that spawns (parallel branches of one process).
        share_frame: bool,
    },
    /// Makes a channel, empty; its reference is the least that no living channel has.
    NewChannel {
        /// After this declaration.
        channel: ChannelId,
        /// With whom it goes away.
        owner: ChannelOwner,
        /// Stores the reference.
        result: Place,
    },
    /// Makes an object, its cells zero.
    New {
        /// Of this type.
        object: ObjectTypeId,
        /// Stores a pointer to its first cell.
        result: Place,
    },
    /// Frees the object that is pointed to; pointers to it dangle.
    Free(ExprId),
}

/// With whom a channel that is made at run time goes away.
///
/// Afterwards its reference is free: using it is [`Program::channel_fault`] until another channel
/// has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChannelOwner {
    /// With nobody: it stays.
    Nobody,
    /// With the instance that gets the next number: the one that the next [`Stmt::Spawn`] starts.
    Next,
}

/// A choice of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Where the value goes.
    pub place: Place,
    /// What there is to choose from.
    pub set: ValueSet,
    /// Representatives, for engines that enumerate where the set is too wide to: results are
    /// then [`Strength::Sampled`](crate::Strength::Sampled).
    pub sample: Option<Vec<ExprId>>,
    /// What is chosen, for people: `amount`, `who pays`.
    pub what: String,
}

/// An instance that runs from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Its template.
    pub process: ProcessId,
    /// Its arguments.
    pub args: Vec<ExprId>,
}

/// A channel declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// How many messages it holds: 0 is rendezvous, `None` unbounded.
    pub capacity: Option<u32>,
    /// The types of a message's fields.
    pub fields: Vec<Type>,
    /// Exists from the start, with the reference that is its position in the table plus one;
    /// others are made by [`Stmt::NewChannel`].
    pub from_start: bool,
    /// For one from the start: the position in [`Program::start`] of the instance with which it
    /// goes away, as for [`ChannelOwner`].
    pub owner: Option<u32>,
}

/// An action that instances take together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Barrier {
    /// Its name.
    pub name: String,
    /// The templates that take part: one instance of each, all enabled, bodies in this order.
    pub participants: Vec<ProcessId>,
}

/// A kind of micro event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its name: `call llGiveMoney`, `paid`.
    pub name: String,
    /// Parameter names and types.
    pub parameters: Vec<(String, Type)>,
    /// How the story tells it, with `{0}` for arguments: `{0} pays L${1}`. `None`: not told.
    pub story: Option<String>,
    /// Told only when everything is.
    pub detail: bool,
}

/// Watches a kind of event: runs at each one, before anything else happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observer {
    /// A name for people.
    pub name: String,
    /// The kind of event.
    pub event: EventId,
    /// Its body may read everything and [`Root::Argument`](crate::Root::Argument)s, and assign
    /// ghosts and step variables only.
    pub body: Vec<Stmt>,
}

/// A named pure function.
#[derive(Clone)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Parameter types.
    pub parameters: Vec<Type>,
    /// The type of its result.
    pub result: Type,
    /// What it does.
    pub eval: PureFunction,
    /// Whether leaving an evaluation out could be noticed, because it might have faulted. A
    /// function that gives an error although this is `false` faults where it is evaluated, but
    /// may be left out where nobody reads its result.
    pub can_fault: bool,
}

/// The code of a pure function: equal arguments give equal results. An error is a fault.
pub type PureFunction = fn(&RichTable, &[Value]) -> Result<Value, FaultId>;

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function({})", self.name)
    }
}

/// A kind of fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// A stable name: `math-error`.
    pub name: String,
    /// What happened, for people: `division by zero`.
    pub message: String,
}

/// How the parts move together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Composition {
    /// One instance moves at a time, or two at a rendezvous, or several at a barrier.
    Interleaving {
        /// How instances are numbered.
        ids: IdPolicy,
    },
    /// Every variable gets its next value in one step. There are no processes.
    Synchronous(Vec<SyncAssign>),
}

/// How instances are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdPolicy {
    /// As in Promela: the number is how many there are; an ended instance goes away in a step of
    /// its own, when it is the youngest; numbers are used again.
    Stack,
    /// An ended instance goes away at once; a new one gets the least free number.
    Fresh,
}

/// A variable's next value in synchronous composition. Variables without one may take any value
/// of their type (inputs) or are held only by the relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyncAssign {
    /// The variable.
    pub global: GlobalId,
    /// Its next value, in terms of the current state (and of `Next` of variables assigned before
    /// it in the list).
    pub next: ValueSet,
}

/// What a run that cannot go on means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiniteRuns {
    /// Its last state repeats for ever.
    Stutter,
    /// It is no run.
    InfiniteOnly,
    /// It is a run that ends.
    Maximal,
}

/// A fairness constraint.
#[derive(Clone, PartialEq, Debug)]
pub struct Fairness {
    /// What it says, for people.
    pub name: String,
    /// The constraint.
    pub kind: FairnessKind,
    /// The assumption that brings it in; `None`: part of the semantics.
    pub assumption: Option<AssumptionId>,
}

/// What a fairness constraint demands of an infinite run.
#[derive(Clone, PartialEq, Debug)]
pub enum FairnessKind {
    /// Holds infinitely often.
    Justice(ExprId),
    /// If the first holds infinitely often, so does the second.
    Compassion(ExprId, ExprId),
    /// Infinitely often one of the steps is taken or none of them is enabled.
    Weak(Vec<(ProcessId, StepId)>),
    /// If infinitely often one of the steps is enabled, infinitely often one is taken.
    Strong(Vec<(ProcessId, StepId)>),
    /// Each instance, by its number: infinitely often it takes part in a move or can take part in
    /// none. So an instance that has ended for good or was never there is not unfair.
    WeakInstances,
}

/// A restriction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// A sentence that completes "assuming that".
    pub text: String,
    /// Who made it.
    pub origin: Origin,
    /// The properties it touches; `None`: all.
    pub properties: Option<Vec<PropertyId>>,
    /// Where it is written.
    pub span: Span,
}

/// Who made an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The file or the command line, as a sentence about the world: a *holds* under it can still
    /// be [`Strength::Proved`](crate::Strength::Proved).
    Stated,
    /// The file or the command line, as a bound on numbers: a *holds* within it is
    /// [`Strength::Exhausted`](crate::Strength::Exhausted).
    Bound,
    /// Probity itself, as part of what the language means: does not weaken a verdict.
    Semantics,
    /// Probity itself, to make the problem smaller: a *holds* under it is
    /// [`Strength::Sampled`](crate::Strength::Sampled).
    Sample,
}

/// What assertions are about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// A name for people.
    pub name: String,
    /// What a failure means, for people.
    pub failure: String,
    /// Where it is stated.
    pub span: Span,
}

/// Something to be verified.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its text, as written.
    pub text: String,
    /// Where.
    pub span: Span,
    /// What is claimed.
    pub claim: Claim,
    /// If this never holds at the end of a macro step, a *holds* is vacuous.
    pub trigger: Option<ExprId>,
    /// Observers that work for this property only; those that are nobody's work for all.
    pub observers: Vec<ObserverId>,
    /// The assumptions under which it is judged.
    pub assumptions: Vec<AssumptionId>,
}

/// What a property claims.
#[derive(Clone, PartialEq, Debug)]
pub enum Claim {
    /// No assertion of this check fails.
    Check(CheckId),
    /// Holds at every stable state.
    Always(ExprId),
    /// Every fair run satisfies the formula; atoms are read at the end of each macro step.
    Ltl(Ltl<ExprId>),
    /// The automaton accepts no fair run; letters as for `Ltl`: the initial state, then the end of
    /// each macro step.
    Never(Buchi<ExprId>),
    /// No run ends where it may not.
    NoDeadlock,
    /// No fault of these kinds is raised.
    NoFault(Vec<FaultId>),
    /// No macro step goes on for ever.
    Returns,
}

macro_rules! table {
    ($($field:ident: $id:ty => $entry:ty, $add:ident, $what:literal;)*) => {
        impl Program {$(
            #[doc = concat!("Adds ", $what, " and returns its id.")]
            pub fn $add(&mut self, entry: $entry) -> $id {
                let id = <$id>::new(self.$field.len());
                self.$field.push(entry);
                id
            }
        )*}
    };
}

table! {
    enums: EnumId => EnumDecl, add_enum, "an enumeration";
    records: RecordId => RecordDecl, add_record, "a record type";
    objects: ObjectTypeId => ObjectDecl, add_object, "an object type";
    globals: GlobalId => Variable, add_global, "a global variable";
    processes: ProcessId => Process, add_process, "a process template";
    channels: ChannelId => Channel, add_channel, "a channel declaration";
    barriers: BarrierId => Barrier, add_barrier, "a barrier";
    events: EventId => Event, add_event, "a kind of event";
    observers: ObserverId => Observer, add_observer, "an observer";
    functions: FunctionId => Function, add_function, "a pure function";
    faults: FaultId => Fault, add_fault, "a kind of fault";
    assumptions: AssumptionId => Assumption, add_assumption, "an assumption";
    checks: CheckId => Check, add_check, "a check";
    properties: PropertyId => Property, add_property, "a property";
}

impl Process {
    /// A process without any control yet, its entry the first location to be added.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Process {
            name: name.into(),
            environment: false,
            locals: Vec::new(),
            parameters: 0,
            locations: Vec::new(),
            entry: LocId(0),
            steps: Vec::new(),
            procedures: Vec::new(),
            escapes: Vec::new(),
            provided: None,
            priority: None,
            on_fault: None,
            max_frames: 0,
        }
    }

    /// Adds a location.
    pub fn add_location(&mut self, name: impl Into<String>, mode: Mode, span: Span) -> LocId {
        let id = LocId::new(self.locations.len());
        self.locations.push(Location {
            name: name.into(),
            mode,
            end: false,
            span,
        });
        id
    }

    /// Adds a step.
    pub fn add_step(&mut self, step: Step) -> StepId {
        let id = StepId::new(self.steps.len());
        self.steps.push(step);
        id
    }

    /// Adds a procedure.
    pub fn add_procedure(&mut self, procedure: Procedure) -> ProcedureId {
        let id = ProcedureId::new(self.procedures.len());
        self.procedures.push(procedure);
        id
    }
}

impl Step {
    /// A step that does nothing, always enabled, of rank 0 and class 1.
    #[must_use]
    pub fn new(from: LocId, to: LocId, span: Span) -> Self {
        Step {
            from,
            binds: Vec::new(),
            guard: None,
            rank: 0,
            class: 1,
            comm: None,
            body: Vec::new(),
            target: Target::Goto(to),
            label: None,
            span,
        }
    }
}

impl Variable {
    /// A variable of the script's state that starts at its type's zero.
    #[must_use]
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Variable {
            name: name.into(),
            ty,
            init: None,
            kind: VariableKind::State,
            span: Span::NONE,
        }
    }
}
