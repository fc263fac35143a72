//! Inductive invariants, as clauses over what a program's states are made of.

use model::{ExprId, GlobalId, LocId, Program, Value};
use solver::Literal;

use crate::Rejected;
use crate::expression::Evaluator;
use crate::gates::Gates;
use crate::state::{Control, Scope, State};
use crate::symbol::Symbol;

/// A conjunction of clauses that is said to hold in every state that can be reached: every stable
/// one, and every one between two moves of a macro step in which no call of a procedure is open and
/// no instance stands at a location of [`Invariant::through`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invariant {
    /// What it speaks of.
    pub atoms: Vec<Atom>,
    /// Facts that hold if both of two others hold, which come before them.
    pub gates: Vec<[Fact; 2]>,
    /// The clauses: of the facts of each, at least one holds.
    pub clauses: Vec<Vec<Fact>>,
    /// Locations inside of macro steps, each with the position of the instance in
    /// [`Program::start`], where nothing is said: what comes next is looked at instead.
    pub through: Vec<(usize, LocId)>,
}

/// An atom or a gate of an invariant, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// The position: atoms first, then gates.
    pub of: usize,
    /// What it has to be.
    pub holds: bool,
}

impl Invariant {
    /// The invariant with these clauses over atoms.
    #[must_use]
    pub fn of_clauses(clauses: impl IntoIterator<Item = Vec<(Atom, bool)>>) -> Invariant {
        let mut invariant = Invariant::default();
        for clause in clauses {
            let clause = clause.into_iter().map(|(atom, holds)| Fact {
                of: invariant.atom(atom),
                holds,
            });
            let clause = clause.collect();
            invariant.clauses.push(clause);
        }
        invariant
    }

    /// The position of an atom, new or known. All atoms are made before the first gate.
    pub fn atom(&mut self, atom: Atom) -> usize {
        let known = self.atoms.iter().position(|other| *other == atom);
        known.unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        })
    }
}

/// Something that is true or false of a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// Always true.
    True,
    /// A bit of a variable.
    Bit {
        /// The variable.
        variable: Variable,
        /// The way down into arrays and records.
        path: Vec<u32>,
        /// Which bit: 0 is the lowest, and a truth value; numbers are two's complement, their sign
        /// going on for ever.
        bit: u32,
    },
    /// A variable has one of these values.
    OneOf {
        /// The variable.
        variable: Variable,
        /// The way down into arrays and records.
        path: Vec<u32>,
        /// The values.
        values: Vec<Value>,
    },
    /// An instance stands at one of these locations.
    Among {
        /// The position of the instance in [`Program::start`].
        instance: u32,
        /// The locations.
        locations: Vec<LocId>,
        /// Or it has ended.
        ended: bool,
    },
    /// A truth expression holds, seen from no instance. One that faults does not.
    Holds(ExprId),
}

/// A variable of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// A global one.
    Global(GlobalId),
    /// A local one of an instance.
    Local {
        /// The position of the instance in [`Program::start`].
        instance: u32,
        /// The local's position.
        local: u32,
    },
}

impl State {
    /// A part of a variable, if there is one.
    fn part(&self, variable: Variable, path: &[u32]) -> Option<&Symbol> {
        let whole = match variable {
            Variable::Global(id) => self.globals.get(id.index()),
            Variable::Local { instance, local } => {
                let instance = self.instances.get(instance as usize)?;
                instance.locals.get(local as usize)
            }
        };
        path.iter().try_fold(whole?, |symbol, &at| match symbol {
            Symbol::Tuple(items) => items.get(at as usize),
            _ => None,
        })
    }
}

impl Gates {
    /// Whether an invariant holds in a state.
    pub(crate) fn invariant(
        &mut self,
        program: &Program,
        state: &State,
        invariant: &Invariant,
    ) -> Result<Literal, Rejected> {
        let mut facts: Vec<Literal> = Vec::new();
        for atom in &invariant.atoms {
            let atom = self.atom(program, state, atom)?;
            facts.push(atom);
        }
        let read = |facts: &[Literal], fact: &Fact| {
            let literal = facts.get(fact.of).ok_or(Rejected::Malformed)?;
            Ok::<_, Rejected>(literal.negated_if(!fact.holds))
        };
        for [a, b] in &invariant.gates {
            let (a, b) = (read(&facts, a)?, read(&facts, b)?);
            facts.push(self.and(a, b));
        }
        let mut all = self.constant(true);
        for clause in &invariant.clauses {
            let mut some = self.constant(false);
            for fact in clause {
                let fact = read(&facts, fact)?;
                some = self.or(some, fact);
            }
            all = self.and(all, some);
        }
        Ok(all)
    }

    fn atom(&mut self, program: &Program, state: &State, atom: &Atom) -> Result<Literal, Rejected> {
        Ok(match atom {
            Atom::True => self.constant(true),
            Atom::Bit {
                variable,
                path,
                bit,
            } => {
                let symbol = state.part(*variable, path);
                match symbol {
                    Some(Symbol::Bool(literal)) if *bit == 0 => *literal,
                    Some(Symbol::Number(number)) => {
                        let at = (*bit as usize).min(number.width() - 1);
                        number.0[at]
                    }
                    _ => return Err(Rejected::Malformed),
                }
            }
            Atom::OneOf {
                variable,
                path,
                values,
            } => {
                let symbol = state.part(*variable, path).ok_or(Rejected::Malformed)?;
                let mut one = self.constant(false);
                for value in values {
                    let value = self.value(value)?;
                    let same = self.same(symbol, &value);
                    one = self.or(one, same);
                }
                one
            }
            Atom::Among {
                instance,
                locations,
                ended,
            } => {
                let instance = state.instances.get(*instance as usize);
                let instance = instance.ok_or(Rejected::Malformed)?;
                let process = &program.processes[instance.process.index()];
                if locations
                    .iter()
                    .any(|l| l.index() >= process.locations.len())
                {
                    return Err(Rejected::Malformed);
                }
                let at: Vec<Literal> = locations
                    .iter()
                    .map(|&location| instance.is_at(self, location))
                    .collect();
                let mut among = self.any(at);
                if *ended {
                    let nowhere = match &instance.control {
                        Control::At(_) => self.constant(false),
                        Control::Ended => self.constant(true),
                        Control::Open(literals) => {
                            let somewhere = self.any(literals.iter().copied());
                            !somewhere
                        }
                    };
                    among = self.or(among, nowhere);
                }
                among
            }
            Atom::Holds(expr) => self.holds(program, Scope::outside(state), *expr)?,
        })
    }

    /// Whether a truth expression holds. One that faults does not.
    pub(crate) fn holds(
        &mut self,
        program: &Program,
        scope: Scope<'_>,
        expr: ExprId,
    ) -> Result<Literal, Rejected> {
        let mut evaluator = Evaluator::new(self, program);
        let mut holds = evaluator.truth(scope, expr)?;
        for faulty in std::mem::take(&mut evaluator.faults) {
            holds = self.and(holds, !faulty.when);
        }
        Ok(holds)
    }
}
