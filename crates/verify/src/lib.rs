//! Which engine for which property, and what its answer is worth.
//!
//! [`check`](check()) focuses the program on each property, lets the passes make it smaller, gives
//! it to an engine and makes a verdict of the answer. Every counterexample is
//! [confirmed](confirm()) on the reference interpreter before anyone sees it.

mod alternatives;
mod another;
mod audits;
mod branching;
mod check;
mod checkpoint_sections;
mod coarse;
mod common_fragment;
mod conditions;
mod confirm;
mod cubes;
mod definite;
mod diagrams;
mod engine;
mod enumerate;
mod evidence;
mod failures;
mod fairness_refinement;
mod few_texts;
mod first_turn;
mod for_ever;
mod group;
mod interpreter_probe;
mod logged;
mod members;
mod memory_pressure;
mod options;
mod outcome;
mod portfolio;
mod predicates;
mod proof;
mod question;
mod recheck;
mod round_robin;
mod sampled;
mod shared_graph;
mod shorten;
mod stack;
mod strength;
mod structures;
mod terms;
mod time_slices;
mod together;
mod tuning;
mod undecided;
mod unreached;

pub use another::{Another, Apart, another};
pub use check::{check, check_with};
pub use confirm::{ConfirmError, confirm};
pub use cubes::{Cube, MOST_CUBES, cubes_of, look_only_in};
pub use engine::{Engine, UnknownEngine};
pub use evidence::{Evidence, RunEvidence};
pub use explicit::{CheckpointError, CheckpointFile, Cluster, Disk, DiskFile, Reduce};
pub use failures::Failure;
pub use logged::{Explained, Logged, explain};
pub use options::{Options, Storage, Swarm};
pub use outcome::{Audited, Outcome, PassSizes, Sizes};
pub use recheck::{Rechecked, explored_again, interpreted, recheck_proof};
pub use sampled::Sampled;
pub use structures::ways;
pub use together::check_together;
pub use tuning::Tuning;
pub use unreached::{Reach, Unreached, unreached};
