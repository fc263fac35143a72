//! The program: data, composition, what is watched. Control stands in `process`,
//! what is claimed in `property`.
//!
//! A [`Program`] denotes a labelled Kripke structure. Front ends build it, passes rewrite it,
//! engines explore it; the [reference interpreter](crate::interp) says what it means.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use source::Span;

use crate::display::Display;
use crate::expr::{ExprPool, ValueSet};
use crate::ids::{
    AssumptionId, BarrierId, ChannelId, CheckId, EnumId, EventId, ExprId, FaultId, FunctionId,
    GlobalId, ObjectTypeId, ObserverId, OutsideId, ProcessId, PropertyId, RecordId,
};
use crate::outside::Outside;
use crate::predicates::PredicateProgram;
use crate::process::{Process, Stmt};
use crate::property::{Assumption, Check, Claim, Fairness, FairnessKind, Origin, Property};
use crate::rich_table::RichTable;
use crate::types::{EnumDecl, ObjectDecl, RecordDecl, Type};
use crate::value::Value;

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
    /// Arrays with an element for each instance, by its number, which becomes zero when the
    /// instance goes away ([`IdPolicy::Stack`]).
    pub per_instance: Vec<GlobalId>,
    /// Fairness.
    pub fairness: Vec<Fairness>,
    /// Every restriction made by the file, the command line, the front end or a pass.
    pub assumptions: Vec<Assumption>,
    /// The values that the world decides, and that choices refer to.
    pub outside: Vec<Outside>,
    /// How it shows which statements of the script are executed.
    pub statements: Statements,
    /// The checks that assertions are about.
    pub checks: Vec<Check>,
    /// What is to be verified.
    pub properties: Vec<Property>,
    /// What is enough for a property to hold where it fails by itself: this claim in the place of its own.
    pub alternatives: BTreeMap<PropertyId, Claim>,
    /// The values from outside that can make a difference to whether a property holds; all of them, for a property
    /// that does not stand here.
    pub may_rest_on: BTreeMap<PropertyId, BTreeSet<OutsideId>>,
    /// What moves logical structures, where that is what the script is about: then there is nothing
    /// else that moves.
    pub predicates: Option<Arc<PredicateProgram>>,
    /// How it is shown to people.
    pub display: Display,
    /// What of it is alike for every property about what can be reached, if anything is.
    pub alike: Option<Alike>,
    /// A program with all runs of this one and perhaps more, and with the same properties, that is
    /// easier to explore: what holds there holds here (localization; Kurshan 1994).
    pub coarse: Option<Arc<Program>>,
    /// Whether it stands beside another to prove what holds there: its own failures are possible ones.
    pub only_proves: bool,
}

/// How a program shows which statements of its script are executed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Statements {
    /// It does not: several may be one step, or none.
    #[default]
    Untold,
    /// Each is a step, at its place in the script.
    Steps,
    /// Each begins with an assertion about this check, which always holds and has the statement's place.
    /// There are such only if somebody asks for them.
    Marks(CheckId),
}

/// Names and instances that could as well be others: exchanging them wherever they stand in a state
/// gives a state with the same future, but for the same exchange (Emerson and Sistla 1996). Who
/// declares it has made sure. Events may tell the difference; formulas over events are not about what
/// can be reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alike {
    /// Sets of names that can be exchanged.
    pub names: Vec<Names>,
    /// A template whose instances, as they are started at run time, can be exchanged, with the elements
    /// that they have by their numbers in these arrays. Whether one is free, or taken and given back,
    /// makes no difference.
    pub instances: Option<(ProcessId, Vec<GlobalId>)>,
}

/// Names that can be exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names {
    /// Rich values, wherever they stand inside of others.
    pub values: Vec<Value>,
    /// Arrays with an element for each of them, in their order, and where these begin.
    pub arrays: Vec<(GlobalId, u32)>,
}

impl Program {
    /// Whether every finite run goes on somehow, and every infinite one counts: then what is decided
    /// by the beginning of a run is decided by states that can be reached.
    pub fn prefixes_decide(&self) -> bool {
        self.fairness.is_empty()
            && self.state_constraint.is_empty()
            && self.finite_runs == FiniteRuns::Stutter
    }

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
            per_instance: Vec::new(),
            fairness: Vec::new(),
            assumptions: Vec::new(),
            outside: Vec::new(),
            statements: Statements::default(),
            checks: Vec::new(),
            properties: Vec::new(),
            alternatives: BTreeMap::new(),
            may_rest_on: BTreeMap::new(),
            predicates: None,
            display: Display::default(),
            alike: None,
            coarse: None,
            only_proves: false,
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
    /// goes away, as for [`ChannelOwner`](crate::ChannelOwner).
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
    /// Who sees it.
    pub visibility: Visibility,
}

/// Who sees an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Everybody: it is told, and part of labels.
    Told,
    /// It is part of labels, and told only when everything is.
    Detail,
    /// Observers only: it is part of no label that formulas or other tools see, and told only when
    /// everything is.
    Inner,
}

impl Visibility {
    /// A detail, or told to everybody.
    #[must_use]
    pub fn detail_if(detail: bool) -> Visibility {
        match detail {
            true => Visibility::Detail,
            false => Visibility::Told,
        }
    }
}

impl Event {
    /// Whether stories leave it out where they do not tell everything.
    #[must_use]
    pub fn is_detail(&self) -> bool {
        self.visibility != Visibility::Told || self.story.is_none()
    }

    /// Whether it is there for observers only.
    #[must_use]
    pub fn is_inner(&self) -> bool {
        self.visibility == Visibility::Inner
    }
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
    outside: OutsideId => Outside, add_outside, "a value that the world decides";
    checks: CheckId => Check, add_check, "a check";
    properties: PropertyId => Property, add_property, "a property";
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
