//! Small programs built by hand, each for one thing the engine must get right.

mod build;
mod channels;
mod deep;
mod depth_first;
mod fitted;
mod functions;
mod guards;
mod infinite_runs;
mod limits;
mod moves;
mod regions;
