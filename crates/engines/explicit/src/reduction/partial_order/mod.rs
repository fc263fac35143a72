//! Partial-order reduction: of steps that commute, one order is enough.
//!
//! In a state only the moves of *some* instances are explored, if nothing that the others can do
//! before one of these moves could prevent, enable or change it. Such a set of moves is persistent
//! (Godefroid 1996; it is stubborn in the sense of Valmari 1991, and an ample set in that of
//! Clarke, Grumberg and Peled 1999). It is found from what the text says: what the steps offered
//! where an instance is do [to what](dependence) others also touch, against what each other instance may
//! still do [from where it is](reachable_actions). Whoever conflicts joins, until nobody does; if then not
//! everybody has joined, the others can wait. Rendezvous partners join as they conflict by
//! meeting; so does whoever could fill an empty channel that somebody waits for.
//!
//! A step that can only be made where nothing else can (a time-out) is not among what others may
//! do, as long as the set has a move that is none itself. If all that a set can do may be such a
//! step in disguise, the others' time-outs stand beside it, so no such set is taken.
//!
//! What waits must not wait for ever. Where runs are asked about, every cycle of every
//! control-flow graph has a [location](proviso) that no reduced set moves away from (Kurshan,
//! Levin, Minea, Peled and Yenigün 1998), so that every cycle of states has a state in which all
//! moves are explored. This asks nothing of the search; and as the choice depends on the state
//! alone, not on the automaton beside it, the product is that of a reduced graph (Siegel 2019 shows
//! what goes wrong else). Where it is asked what can be reached, less will do: some successor must
//! [lead on](crate::reduction::level_proviso). A [search by several processes](crate::partitioned) does not know where
//! a state is expanded whether what follows is new, since another may own that; it keeps to the condition on
//! cycles. That is enough for what can be reached: follow any move of a reduced set, again and again; since there are
//! finitely many states, this comes to a cycle, and so to a state in which all moves are explored. What was put off can
//! be done there just as well, as nothing on the way depends on it. Which states are found is thus the same for any
//! number of processes, and whoever owns what. A run to a deadlock is finite, and some move of each reduced set
//! stands in it, so that nothing is put off for ever; unless it needs somebody for whom there is no
//! [room](crate::ir::capacity) yet and whose accesses are therefore unknown. The move that makes room is to be
//! reached like a failure, so where instances or channels are made, deadlocks ask for as much.
//!
//! Deadlocks are preserved, and so are failed assertions and faults of single steps, without more
//! conditions: whoever evaluates does so after the same steps of others. For what a query
//! *observes* the order of changes matters. Where only reachability is asked for, it is enough
//! that steps that change something observed do not commute with each other. For linear time
//! without `X`, a reduced set must change nothing that is observed.
//!
//! Not reduced: what asks for fairness, whatever excludes some moves by comparing all (priorities
//! of processes), and programs with more than 64 instances at once.

mod access_sets;
mod actors;
mod constants;
mod dependence;
mod proviso;
mod reachable_actions;
mod stubborn;
mod table_builder;
mod tables;

pub(crate) use stubborn::{Chooser, ExplorationResult};
pub(crate) use tables::Reduction;
