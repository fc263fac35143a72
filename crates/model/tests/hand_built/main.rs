//! One small program for each word of the model's vocabulary, built by hand, and what it means.

mod build;
mod control;
mod corners;
mod data;
mod going_away;
mod macro_steps;
mod synchronous;
