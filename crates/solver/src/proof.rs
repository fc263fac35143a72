//! How a solver got to its answers, line by line, for somebody who does not trust it.
//!
//! The lines are those of LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: *Efficient
//! certified RAT verification*, 2017) without resolution asymmetric tautologies: each clause that is
//! learnt comes with the numbers of those that it follows from by unit propagation, in the order in
//! which they become unit. Clauses that are added take numbers from the same count, so that whoever
//! added them knows what the hints mean without being told by the solver.
//!
//! An answer *unsatisfiable* ends with a clause of negated assumptions; an empty one if it took
//! none.

use std::fmt;

use crate::Literal;

/// The number of a clause, from 1.
pub type Number = u32;

/// Where a solver writes its lines; `()` if nobody wants them, which costs nothing.
pub trait Proof: Default + Clone + fmt::Debug {
    /// Whether lines are wanted.
    const WANTED: bool;

    /// A clause follows from those before it.
    fn derive(&mut self, number: Number, clause: &[Literal], hints: &[Number]);

    /// A clause will not be used any more.
    fn delete(&mut self, number: Number);

    /// Bytes in use, roughly.
    fn memory(&self) -> usize;
}

impl Proof for () {
    const WANTED: bool = false;
    fn derive(&mut self, _: Number, _: &[Literal], _: &[Number]) {}
    fn delete(&mut self, _: Number) {}
    fn memory(&self) -> usize {
        0
    }
}

/// One line of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A clause, and the numbers of those that become unit, one after the other, when it is denied;
    /// the last one becomes false.
    Derive {
        /// Its number.
        number: Number,
        /// The clause.
        clause: Vec<Literal>,
        /// What it follows from.
        hints: Vec<Number>,
    },
    /// A clause is forgotten.
    Delete(Number),
}

impl fmt::Display for Line {
    /// The line as LRAT's text has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Derive {
                number,
                clause,
                hints,
            } => {
                write!(f, "{number}")?;
                for literal in clause {
                    write!(f, " {}", literal.dimacs())?;
                }
                write!(f, " 0")?;
                for hint in hints {
                    write!(f, " {hint}")?;
                }
                write!(f, " 0")
            }
            // The first number only says where in the proof it stands.
            Line::Delete(number) => write!(f, "{number} d {number} 0"),
        }
    }
}

/// Lines that wait to be checked.
pub type Lines = Vec<Line>;

impl Proof for Lines {
    const WANTED: bool = true;

    fn derive(&mut self, number: Number, clause: &[Literal], hints: &[Number]) {
        self.push(Line::Derive {
            number,
            clause: clause.to_vec(),
            hints: hints.to_vec(),
        });
    }

    fn delete(&mut self, number: Number) {
        self.push(Line::Delete(number));
    }

    fn memory(&self) -> usize {
        self.capacity() * size_of::<Line>()
    }
}
