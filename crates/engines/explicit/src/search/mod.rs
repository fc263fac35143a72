//! Going through the states: breadth-first, level by level, by several workers; or depth-first.

mod apart;
pub(crate) mod barrier;
pub(crate) mod bfs;
pub(crate) mod block;
pub(crate) mod crew;
pub(crate) mod depth_first;
pub(crate) mod depth_probe;
pub(crate) mod frontier;
pub(crate) mod graph_worker;
pub(crate) mod partition_queue;
pub(crate) mod safety;
pub(crate) mod state_graph;
pub(crate) mod swarm;
pub(crate) mod targets;
pub(crate) mod worker;
