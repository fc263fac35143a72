//! Runs for ever: the product with an automaton, and its fair accepting cycles.

pub(crate) mod acceptance;
pub(crate) mod accepting_cycle;
pub(crate) mod automaton_labels;
pub(crate) mod chain_compression;
pub(crate) mod emptiness;
pub(crate) mod lasso;
pub(crate) mod owcty;
pub(crate) mod product_exploration;
pub(crate) mod product_graph;
