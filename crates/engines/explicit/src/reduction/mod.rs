//! What need not be explored: orders of steps that commute, and states that differ in names only.

pub(crate) mod level_proviso;
pub(crate) mod partial_order;
pub(crate) mod scalarset;
pub(crate) mod symmetry;
pub(crate) mod trial;
