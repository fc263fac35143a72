//! Engines over a satisfiability solver.
mod cnf;
pub mod solver;
#[cfg(test)]
mod testing;
