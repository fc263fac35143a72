//! Process templates: control, steps, statements, communication.

use source::Span;

use crate::expr::{Place, ValueSet};
use crate::ids::{
    BarrierId, ChannelId, CheckId, EventId, ExprId, FaultId, LocId, ObjectTypeId, OutsideId,
    ProcedureId, ProcessId, StepId,
};
use crate::program::Variable;

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
    /// Whether there is nothing to be done: instances have ended when they start, and are never at
    /// [`Process::entry`].
    pub starts_ended: bool,
    /// Steps, in the order of the script.
    pub steps: Vec<Step>,
    /// Procedures, whose locations and steps are among those above.
    pub procedures: Vec<Procedure>,
    /// Steps that take precedence over what they cover.
    pub escapes: Vec<Escape>,
    /// Every step of the process, and its going away, is enabled only if this holds; what is inside
    /// of a [region](Mode::Region) goes on whatever becomes of it.
    pub provided: Option<ExprId>,
    /// Only instances of the highest priority among those that can move may move; evaluated by
    /// the instance. `None` is 0.
    pub priority: Option<ExprId>,
    /// Where control goes at a fault, all frames but the process's own unwound; effects up to the
    /// fault stay. `None`: the instance stops for good, which is a finding.
    pub on_fault: Option<LocId>,
    /// How many procedure calls may be open at once; one more is
    /// [`Program::stack_fault`](crate::Program::stack_fault).
    pub max_frames: u32,
    /// Where statements are written that no control flow leads to; they have no steps.
    pub unlinked: Vec<Span>,
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
    /// The instance here goes on alone if it can (it is the exclusive holder); if it is blocked, or
    /// a process of higher [priority](Process::priority) can move, it loses the privilege and the
    /// state is stored.
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
    /// The one that the expression, of type [`Type::Procedure`](crate::Type::Procedure), gives.
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
/// Afterwards its reference is free: using it is
/// [`Program::channel_fault`](crate::Program::channel_fault) until another channel has it.
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
    /// The value that the world decides here, where the program tells more of it.
    pub outside: Option<OutsideId>,
}

impl Process {
    /// What a step needs beside its own guard.
    #[must_use]
    pub fn provided_for(&self, step: &Step) -> Option<ExprId> {
        let inside = self.locations[step.from.index()].mode == Mode::Region;
        self.provided.filter(|_| !inside)
    }

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
            starts_ended: false,
            steps: Vec::new(),
            procedures: Vec::new(),
            escapes: Vec::new(),
            provided: None,
            priority: None,
            on_fault: None,
            max_frames: 0,
            unlinked: Vec::new(),
        }
    }

    /// Adds a location.
    pub fn add_location(&mut self, name: impl Into<String>, mode: Mode, span: Span) -> LocId {
        source::limits::check();
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
        source::limits::check();
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
