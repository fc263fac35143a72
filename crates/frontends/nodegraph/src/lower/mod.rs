//! From a net to a program, in one of two timings.
//!
//! *Run to completion*: a signal travels in no time, depth first, until it comes to rest; in
//! between, one machine at a time moves by itself. This is what the engines do. It is an
//! interleaving of processes, one for each node that ever moves by itself, and each of its macro
//! steps is one wave of signals. *One step an edge* is the timing of Hasegawa and Yokogawa: all
//! nodes move at once, and a signal takes a step to travel along an edge and another one through
//! a node. It is a synchronous program, made of the same equations as the translation to SMV.
//!
//! Why two compositions and not one: in the first timing at most one node moves by itself at a
//! time and what it starts has an order, which simultaneous assignment could say only by undoing
//! the loops and forks of the graph; in the second everything moves at once, which interleaving
//! could say only with a turn for each node.

pub(crate) mod completion;
pub(crate) mod declare;
pub(crate) mod edges;
pub(crate) mod equations;
mod known;
pub(crate) mod turns;
pub(crate) mod unfollowed;
mod wave;

use crate::net::{MachineId, Test};

/// What a formula may speak of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Atom {
    /// The values of variables.
    Test(Test),
    /// A signal leaves the node by the output with this position, or by any.
    Fired(MachineId, Option<u16>),
    /// A signal enters the node by the input with this position, or by any.
    Entered(MachineId, Option<u16>),
}

/// What is looked at while signals travel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Hook {
    /// A node that waits is started anew.
    Retrigger,
    /// A node that waits loses a signal.
    Dropped,
    /// A flag gets two different values in one step.
    TwoSetters,
    /// A flag is set to what it is already.
    Unbalanced,
}

/// Where in a net a step of a process comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cause {
    pub(crate) machine: MachineId,
    pub(crate) site: Site,
    /// Which of the rule's effects; none if a signal is lost.
    pub(crate) way: Option<usize>,
}

/// Where each step of each process comes from, if it comes from anywhere.
pub(crate) type Causes = Vec<Vec<Option<Cause>>>;

/// A rule of a machine, by its position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Site {
    Own(usize),
    /// The input and the rule there; behind the last one, that no rule applies.
    Input(u16, usize),
}
