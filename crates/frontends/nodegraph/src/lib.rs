//! The front end for scripts that are graphs of nodes.
//!
//! The way of a file: a reader of its format ([`formats`]) makes a [`graph::Project`], the same
//! value for all formats; [`mod@flatten`] removes bends in lines and puts the nodes of functions
//! and macros where they are called. Tables say what each kind of node does; with them, a project
//! becomes a *net* of machines. What is claimed of it, by the file or by checks that need no
//! asking, decides which part of it matters; that part becomes a [`model::Program`], in one of two
//! [timings](Timing).
//!
//! *Run to completion* is a composition of processes, one for each node that ever moves by itself
//! (a wait that ends, an event from outside); one wave of signals is one macro step. *One step an
//! edge* is a synchronous program. `lower` says why it is not one composition for both.
//!
//! ```
//! use nodegraph::{Options, load};
//!
//! let text = r#"{"nodegraph": 1,
//!     "nodes": [{"name": "start", "kind": "ScriptStart"}, {"name": "on", "kind": "SetEventMode"},
//!               {"name": "clip", "kind": "MovieClip"}, {"name": "off", "kind": "SetEventMode"}],
//!     "links": ["start.Out -> on.Enable", "on.Out -> clip.Start", "clip.Finished -> off.Disable"]}"#;
//! let loaded = load("clip.json", text, &Options::default());
//! let program = loaded.program.expect("it has no errors");
//! assert_eq!(program.properties[0].name, "flag-left-set.EventMode");
//! ```

mod checks;
mod claim;
mod codes;
mod door;
pub mod flatten;
pub mod formats;
mod formula;
pub mod graph;
mod load;
mod lower;
mod net;
mod noted;
mod picture;
mod smv;
mod table;
mod unheeded;
mod whole;

/// Whether a text looks like a graph of one of the formats: there is much other JSON, and YAML.
#[must_use]
pub fn is_graph(text: &str) -> bool {
    let has = |word: &str| text.contains(word);
    has("\"nodegraph\"")
        || has("\"m_scriptCanvas\"")
        || has("\"KHR_interactivity\"")
        || formats::is_of_unity(text) && has("\"elements\"")
        || formats::is_orchestration(text)
        || has("\"nodes\"") && has("\"flows\"") && has("\"type\"")
}

pub use codes::TABLES as CODES;
pub use door::Nodegraph;
pub use flatten::flatten;
pub use load::{Loaded, Options, Script, Timing, load, load_beside, load_script};
pub use picture::picture;
pub use smv::{Smv, to_smv, to_smv_beside};
pub use whole::Whole;
