//! Many checks on many machines: a plan of jobs, each a pure function, and what becomes of them.
//!
//! A job is one property of one script (or all of a script). Its key is the SHA-256 of all that its
//! result depends on: the contents of the files that are read, the property, the options, the version.
//! So who does a job, when and how often does not matter: results of the same key are the same, a result
//! that is there need not be made again, and what hands out jobs needs to know nothing of them.

mod collect;
mod job;
mod plan;
mod run;

pub(crate) use collect::run as collect;
pub(crate) use plan::run as plan;
pub(crate) use run::run as run_jobs;
