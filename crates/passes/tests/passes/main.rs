//! The passes, rule by rule and on random programs, against slow verdicts straight from the
//! reference interpreter.

mod differential;
mod random;
mod remote;
mod rules;
mod show;
mod verdicts;
