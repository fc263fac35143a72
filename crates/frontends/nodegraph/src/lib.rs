//! The front end for scripts that are graphs of nodes.
//!
//! The way of a file: a reader of its format ([`formats`]) makes a [`graph::Project`], the same
//! value for all formats; [`mod@flatten`] removes bends in lines and puts the nodes of functions and macros
//! where they are called.

mod codes;
pub mod flatten;
pub mod formats;
pub mod graph;
mod picture;

pub use codes::TABLES as CODES;
pub use flatten::flatten;
pub use picture::picture;
