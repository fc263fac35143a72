//! Which variables have companions that hold how long their lists are: see `lengths`.

use std::collections::{HashMap, HashSet};

use model::{ExprId, FunctionId, GlobalId};

use crate::library::PureEntry;

/// What has been found out about lengths.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    /// Whether the script may hold lists of which not even the length is known.
    pub(crate) may_be_unknown: bool,
    /// The variables whose length is kept, each with its companion.
    pub(super) kept: Vec<(GlobalId, GlobalId)>,
    /// Variables that get their lists where a call returns, which is no statement beside which
    /// another could stand.
    pub(super) unkept: HashSet<GlobalId>,
    /// How many of those are stored wherever a list is.
    pub(super) written: usize,
    /// The lengths of expressions, and whether they are never -1.
    pub(super) known: HashMap<ExprId, (ExprId, bool)>,
    /// The operations behind functions of the program.
    pub(super) operations: HashMap<FunctionId, &'static PureEntry>,
}
