//! What threads do, step by step: labels, and edges between them.
//!
//! Calls are inlined, so that the code of a thread is one graph, and it is known at each label which
//! monitors the thread has entered.

use source::Span;

use crate::classes::{ClassId, Kind};

/// A place in the code of a thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Label(pub(crate) usize);

/// A local variable, of one frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct VarId(pub(crate) usize);

/// A field, of a class or of objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct FieldId(pub(crate) usize);

/// A reference that is known without a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Ref {
    Null,
    /// The thread that moves.
    Me,
    /// What the thread that moves was made with.
    Target,
    Var(VarId),
    /// A static field that never changes once threads run.
    Static(FieldId),
    /// The object that stands for a class.
    Class(ClassId),
}

/// What is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Static(FieldId),
    Of(Ref, FieldId),
}

/// What is assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Ref(Ref),
    /// Null, or any object of a class.
    Any(ClassId),
    Bool(bool),
    Flag(VarId),
    /// True or false.
    Chosen,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Test {
    Same(Ref, Ref),
    Null(Ref),
    Flag(VarId),
    Is(Ref, Vec<ClassId>),
    /// It is not followed when it holds.
    Chosen,
}

/// What a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    Skip,
    Set(VarId, Value),
    Test(Test, bool),
    New(VarId, ClassId),
    Load(VarId, Place),
    Store(Place, Value),
    /// A value that is not followed is read, or written.
    Touch(Place, bool),
    /// A method of an object is called: it is not null.
    Receive(Ref),
    Lock(Ref),
    Unlock,
    Wait(Ref),
    /// A thread that waits is woken without a reason, or by the clock.
    Wake,
    Reacquire(Ref),
    /// Somebody who waits is chosen; behind it, that thread is woken.
    Notify(Ref),
    NotifyAll(Ref),
    /// Nobody waits.
    NotifyNobody(Ref),
    Rouse,
    Start(Ref),
    Join(Ref),
    /// An assertion holds, or does not.
    Assert(Span, bool),
}

/// What happens to a thread after an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Raise {
    /// None can be raised.
    Never,
    To(Label),
    Ends,
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: Label,
    /// Where it leads; the thread has ended if that is none.
    pub(crate) to: Option<Label>,
    pub(crate) op: Op,
    pub(crate) raise: Raise,
    pub(crate) span: Span,
    /// Whether the script may never do this although it can happen here.
    pub(crate) approximate: bool,
}

/// What is known of a label.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabelInfo {
    /// What it is called, for people.
    pub(crate) name: String,
    /// The monitors that have been entered.
    pub(crate) monitors: Vec<Ref>,
    /// The monitor that is given back while the thread waits.
    pub(crate) released: Option<Ref>,
    /// Whether the thread waits for a notification here; and whether a clock may wake it.
    pub(crate) waits: Option<bool>,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(crate) struct VarInfo {
    pub(crate) name: String,
    pub(crate) flag: bool,
    /// Whether it is one of the main thread, of which there is one.
    pub(crate) main: bool,
}

/// What is known of a field.
#[derive(Clone, Debug)]
pub(crate) struct FieldInfo {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) is_static: bool,
    /// Whether it is assigned once, before anybody else can see it.
    pub(crate) is_final: bool,
    /// Whether accesses at the same time are no race: it is final or volatile.
    pub(crate) ordered: bool,
    pub(crate) span: Span,
}

/// What threads of a kind begin with.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// The class of the thread, or of what it was made with.
    pub(crate) class: ClassId,
    pub(crate) by_target: bool,
    /// None, if it has nothing to do.
    pub(crate) entry: Option<Label>,
}

/// All code.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) labels: Vec<LabelInfo>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) vars: Vec<VarInfo>,
    pub(crate) fields: Vec<FieldInfo>,
    /// Where the main thread begins.
    pub(crate) main: Option<Label>,
    pub(crate) threads: Vec<Thread>,
    /// The classes of which objects are made.
    pub(crate) made: Vec<ClassId>,
    /// The classes whose objects are locked.
    pub(crate) class_objects: Vec<ClassId>,
    /// What a thread is made with.
    pub(crate) target: Option<FieldId>,
    /// The names of all classes.
    pub(crate) class_names: Vec<String>,
    /// Of each class, the classes above it and itself.
    pub(crate) above: Vec<Vec<ClassId>>,
    /// The classes of which objects must not be lost, and where they say so.
    pub(crate) never_lost: Vec<(ClassId, Span)>,
}

impl Op {
    /// The reference that must not be null.
    pub(crate) fn base(&self) -> Option<Ref> {
        match self {
            Op::Load(_, Place::Of(base, _))
            | Op::Store(Place::Of(base, _), _)
            | Op::Touch(Place::Of(base, _), _)
            | Op::Receive(base)
            | Op::Lock(base)
            | Op::Wait(base)
            | Op::Notify(base)
            | Op::NotifyAll(base)
            | Op::NotifyNobody(base)
            | Op::Start(base)
            | Op::Join(base) => Some(*base),
            _ => None,
        }
    }

    /// The field that is read or written, and whether it is written.
    pub(crate) fn access(&self) -> Option<(Place, bool)> {
        match self {
            Op::Load(_, place) => Some((*place, false)),
            Op::Store(place, _) => Some((*place, true)),
            Op::Touch(place, writes) => Some((*place, *writes)),
            _ => None,
        }
    }

    /// Whether it neither sees nor changes what other threads see.
    pub(crate) fn is_local(&self) -> bool {
        matches!(
            self,
            Op::Skip
                | Op::Set(..)
                | Op::Test(..)
                | Op::New(..)
                | Op::Receive(_)
                | Op::Assert(..)
                | Op::Rouse
        )
    }
}

impl Place {
    pub(crate) fn field(self) -> FieldId {
        match self {
            Place::Static(field) | Place::Of(_, field) => field,
        }
    }
}
