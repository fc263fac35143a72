//! Invariants as they are written in certificates, and how they are read back.
//!
//! A [`Formula`] is a conjunction of clauses over atoms and gates. Atoms are numbered from 1, gates go
//! on from there, and a number with a minus sign is the negation. Variables, processes and locations
//! stand by their [names](crate::Names), texts and lists by what they are made of; so the formula means
//! the same whatever order tables are in. Reading it checks that it fits the program, not that it is
//! true of it.

use audit::{Fact, Invariant, RunInvariant};
use model::{Program, Rich, RichTable, Type, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use verify::{Evidence, RunEvidence};

use crate::names::{Names, type_of};
use crate::values::Shown;

/// Rounds that a formula may count, at most: each is a variable of the program that is checked.
const MOST_ROUNDS: u32 = 10_000;

/// A conjunction of clauses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Formula<A> {
    /// What it speaks of, numbered from 1.
    pub atoms: Vec<A>,
    /// Facts that hold if both of two others hold, numbered on from the atoms; each is about those
    /// before it.
    pub gates: Vec<[i64; 2]>,
    /// The clauses: of the facts of each, at least one holds. A number with a minus sign is a fact that
    /// does not hold.
    pub clauses: Vec<Vec<i64>>,
    /// Places inside of macro steps where nothing is said: what comes next is looked at instead.
    pub through: Vec<Place>,
}

/// A process at a location.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The process.
    pub process: String,
    /// The location.
    pub location: String,
}

/// Something that is true or false of a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Atom {
    /// Always true.
    True {},
    /// A bit of a variable is set.
    Bit {
        /// The variable.
        of: String,
        /// The way down into arrays and records.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        path: Vec<u32>,
        /// Which bit: 0 is the lowest, and a truth value; numbers are two's complement.
        bit: u32,
    },
    /// A variable has one of these values.
    OneOf {
        /// The variable.
        of: String,
        /// The way down into arrays and records.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        path: Vec<u32>,
        /// The values.
        values: Vec<Constant>,
    },
    /// A process stands at one of these locations.
    Among {
        /// The process.
        process: String,
        /// The locations.
        locations: Vec<String>,
        /// Or it has ended.
        ended: bool,
    },
}

/// Something that is true or false of a program that is watched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum RunAtom {
    /// Of the program's state.
    Now(Atom),
    /// The first part of the fairness constraint at this position is guessed not to hold any more.
    Never(u32),
    /// The automaton is in this state.
    State(u32),
    /// What has to hold infinitely often, at this position, has held in this round.
    Seen(u32),
    /// More rounds than this have been completed.
    Count(u32),
    /// A state has been saved.
    Saved {},
    /// It was so when the state was saved.
    Before(Box<RunAtom>),
    /// What has to hold infinitely often, at this position, has held since the state was saved.
    Since(u32),
}

/// Something that has to hold infinitely often.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Often {
    /// The fairness constraint at this position.
    Fair(u32),
    /// The automaton takes an accepting edge.
    Accepted {},
    /// A macro step ends.
    Stable {},
}

/// How a question about runs for ever becomes one about what is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Reduction {
    /// A state seen before is reached again.
    Loops {},
    /// All that is asked for has held more than so many times, in rounds.
    Counting(u32),
}

/// A text, a floating-point number, a list or another term, by what it is made of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Constant {
    /// A truth value.
    Truth(bool),
    /// A number, in decimal digits.
    Number(String),
    /// A text.
    Text(String),
    /// A floating-point number of 64 bits, by these, in decimal digits.
    Float(String),
    /// A functor and its arguments.
    Term {
        /// What is built.
        functor: String,
        /// From what.
        of: Vec<Constant>,
    },
}

/// Why a formula cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Misfit {
    /// The program has no such variable, or no such part of it, or it is of another type.
    #[error("the program has no `{0}` of which this could be said")]
    Variable(String),
    /// The program has no such process or location.
    #[error("the program has no place `{0}`")]
    Place(String),
    /// A number stands for no fact before it.
    #[error("{0} is the number of no fact")]
    Fact(i64),
    /// A value cannot be read.
    #[error("`{0}` is no number")]
    Number(String),
    /// More rounds are counted than can be.
    #[error("{0} rounds are too many to be counted")]
    Rounds(u32),
    /// A formula is about a fairness constraint that the program does not have.
    #[error("the program has no fairness constraint {0}")]
    Fairness(u32),
    /// It was made for properties of another kind.
    #[error("it is no invariant")]
    None,
}

/// What shows a property, as it is written in a certificate; nothing if there are no words for it.
#[must_use]
pub fn written(program: &Program, evidence: &Evidence) -> Option<Shown> {
    let names = Names::of(program);
    let writer = Writer { program, names };
    Some(match evidence {
        Evidence::AllRuns => Shown::AllRuns {},
        Evidence::States(invariant) => {
            let atoms = invariant.atoms.iter().map(|atom| writer.atom(atom));
            Shown::Invariant {
                invariant: Formula {
                    atoms: atoms.collect::<Option<_>>()?,
                    gates: invariant
                        .gates
                        .iter()
                        .map(|gate| gate.map(numbered))
                        .collect(),
                    clauses: clauses(&invariant.clauses),
                    through: writer.through(&invariant.through)?,
                },
            }
        }
        Evidence::Runs(said) => {
            let invariant = &said.invariant;
            let atoms = invariant.atoms.iter().map(|atom| writer.run_atom(atom));
            let often = said.often.iter().map(|often| {
                Some(match often {
                    audit::Often::Fair(at) => Often::Fair(u32::try_from(*at).ok()?),
                    audit::Often::Accepted => Often::Accepted {},
                    audit::Often::Stable => Often::Stable {},
                })
            });
            Shown::InvariantOfRuns {
                often: often.collect::<Option<_>>()?,
                reduction: match said.reduction {
                    audit::Reduction::Loops => Reduction::Loops {},
                    audit::Reduction::Counting(count) => Reduction::Counting(count),
                },
                invariant: Formula {
                    atoms: atoms.collect::<Option<_>>()?,
                    gates: invariant
                        .gates
                        .iter()
                        .map(|gate| gate.map(numbered))
                        .collect(),
                    clauses: clauses(&invariant.clauses),
                    through: writer.through(&invariant.through)?,
                },
            }
        }
    })
}

/// The evidence that a certificate has, in the terms of a program. It is not believed by this.
///
/// # Errors
/// If it does not fit the program.
pub fn read(program: &Program, shown: &Shown) -> Result<Evidence, Misfit> {
    let names = Names::of(program);
    let reader = Reader { program, names };
    Ok(match shown {
        Shown::AllRuns {} => Evidence::AllRuns,
        Shown::Invariant { invariant } => {
            let atoms = invariant.atoms.iter().map(|atom| reader.atom(atom));
            let atoms = atoms.collect::<Result<Vec<_>, _>>()?;
            Evidence::States(Invariant {
                gates: gates(atoms.len(), &invariant.gates)?,
                clauses: facts(atoms.len() + invariant.gates.len(), &invariant.clauses)?,
                through: reader.through(&invariant.through)?,
                atoms,
            })
        }
        Shown::InvariantOfRuns {
            often,
            reduction,
            invariant,
        } => {
            let atoms = invariant.atoms.iter().map(|atom| reader.run_atom(atom));
            let atoms = atoms.collect::<Result<Vec<_>, _>>()?;
            let often = often.iter().map(|often| match *often {
                Often::Fair(at) if (at as usize) < program.fairness.len() => {
                    Ok(audit::Often::Fair(at as usize))
                }
                Often::Fair(at) => Err(Misfit::Fairness(at)),
                Often::Accepted {} => Ok(audit::Often::Accepted),
                Often::Stable {} => Ok(audit::Often::Stable),
            });
            Evidence::Runs(RunEvidence {
                often: often.collect::<Result<_, _>>()?,
                reduction: match *reduction {
                    Reduction::Loops {} => audit::Reduction::Loops,
                    Reduction::Counting(count) if count <= MOST_ROUNDS => {
                        audit::Reduction::Counting(count)
                    }
                    Reduction::Counting(count) => return Err(Misfit::Rounds(count)),
                },
                invariant: RunInvariant {
                    gates: gates(atoms.len(), &invariant.gates)?,
                    clauses: facts(atoms.len() + invariant.gates.len(), &invariant.clauses)?,
                    through: reader.through(&invariant.through)?,
                    atoms,
                },
            })
        }
        Shown::Interpretation { .. } | Shown::Exploration { .. } => return Err(Misfit::None),
    })
}

/// A fact by its number.
fn numbered(fact: Fact) -> i64 {
    let number = i64::try_from(fact.of + 1).expect("memory holds fewer facts");
    if fact.holds { number } else { -number }
}

fn clauses(clauses: &[Vec<Fact>]) -> Vec<Vec<i64>> {
    let numbers = |clause: &Vec<Fact>| clause.iter().copied().map(numbered).collect();
    clauses.iter().map(numbers).collect()
}

/// The fact of a number, among so many.
fn fact(number: i64, among: usize) -> Result<Fact, Misfit> {
    let of = usize::try_from(number.unsigned_abs()).ok();
    match of.and_then(|of| of.checked_sub(1)) {
        Some(of) if of < among => Ok(Fact {
            of,
            holds: number > 0,
        }),
        _ => Err(Misfit::Fact(number)),
    }
}

fn gates(atoms: usize, gates: &[[i64; 2]]) -> Result<Vec<[Fact; 2]>, Misfit> {
    let numbered = gates.iter().enumerate();
    numbered
        .map(|(at, [one, other])| Ok([fact(*one, atoms + at)?, fact(*other, atoms + at)?]))
        .collect()
}

fn facts(among: usize, clauses: &[Vec<i64>]) -> Result<Vec<Vec<Fact>>, Misfit> {
    let read = |clause: &Vec<i64>| clause.iter().map(|number| fact(*number, among)).collect();
    clauses.iter().map(read).collect()
}

struct Writer<'p> {
    program: &'p Program,
    names: Names,
}

impl Writer<'_> {
    fn atom(&self, atom: &audit::Atom) -> Option<Atom> {
        Some(match atom {
            audit::Atom::True => Atom::True {},
            audit::Atom::Bit {
                variable,
                path,
                bit,
            } => Atom::Bit {
                of: self.names.of_variable(*variable)?.to_owned(),
                path: path.clone(),
                bit: *bit,
            },
            audit::Atom::OneOf {
                variable,
                path,
                values,
            } => {
                let values = values
                    .iter()
                    .map(|value| constant(&self.program.rich, value));
                Atom::OneOf {
                    of: self.names.of_variable(*variable)?.to_owned(),
                    path: path.clone(),
                    values: values.collect::<Option<_>>()?,
                }
            }
            audit::Atom::Among {
                instance,
                locations,
                ended,
            } => {
                let instance = *instance as usize;
                let name = |at| self.names.of_location(instance, at).map(str::to_owned);
                let locations = locations.iter().copied().map(name);
                Atom::Among {
                    process: self.names.of_instance(instance)?.to_owned(),
                    locations: locations.collect::<Option<_>>()?,
                    ended: *ended,
                }
            }
            // An expression is part of a script, not of what is said about it.
            audit::Atom::Holds(_) => return None,
        })
    }

    fn run_atom(&self, atom: &audit::RunAtom) -> Option<RunAtom> {
        let small = |number: usize| u32::try_from(number).ok();
        Some(match atom {
            audit::RunAtom::Now(atom) => RunAtom::Now(self.atom(atom)?),
            audit::RunAtom::Never(at) => RunAtom::Never(small(*at)?),
            audit::RunAtom::State(at) => RunAtom::State(small(*at)?),
            audit::RunAtom::Seen(at) => RunAtom::Seen(small(*at)?),
            audit::RunAtom::Count(at) => RunAtom::Count(small(*at)?),
            audit::RunAtom::Saved => RunAtom::Saved {},
            audit::RunAtom::Before(atom) => RunAtom::Before(Box::new(self.run_atom(atom)?)),
            audit::RunAtom::Since(at) => RunAtom::Since(small(*at)?),
        })
    }

    fn through(&self, through: &[(usize, model::LocId)]) -> Option<Vec<Place>> {
        let place = |&(instance, location)| {
            Some(Place {
                process: self.names.of_instance(instance)?.to_owned(),
                location: self.names.of_location(instance, location)?.to_owned(),
            })
        };
        through.iter().map(place).collect()
    }
}

struct Reader<'p> {
    program: &'p Program,
    names: Names,
}

impl Reader<'_> {
    /// A variable of whose part something can be said.
    fn variable(
        &self,
        name: &str,
        path: &[u32],
        suits: impl FnOnce(&Type) -> bool,
    ) -> Result<audit::Variable, Misfit> {
        let variable = self.names.variable(name);
        let variable = variable.filter(|variable| {
            let ty = type_of(self.program, *variable, path);
            ty.is_some_and(|ty| suits(&ty))
        });
        variable.ok_or_else(|| Misfit::Variable(name.to_owned()))
    }

    fn instance(&self, name: &str) -> Result<usize, Misfit> {
        let instance = self.names.instance(name);
        instance.ok_or_else(|| Misfit::Place(name.to_owned()))
    }

    fn location(&self, instance: usize, name: &str) -> Result<model::LocId, Misfit> {
        let location = self.names.location(instance, name);
        location.ok_or_else(|| Misfit::Place(name.to_owned()))
    }

    fn atom(&self, atom: &Atom) -> Result<audit::Atom, Misfit> {
        Ok(match atom {
            Atom::True {} => audit::Atom::True,
            Atom::Bit { of, path, bit } => audit::Atom::Bit {
                variable: self.variable(of, path, |ty| {
                    !matches!(ty, Type::Array(..) | Type::Record(_))
                })?,
                path: path.clone(),
                bit: *bit,
            },
            Atom::OneOf { of, path, values } => {
                let rich = &self.program.rich;
                let values = values.iter().map(|value| self::value(rich, value));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                let are_rich = values.iter().all(|value| matches!(value, Value::Rich(_)));
                audit::Atom::OneOf {
                    variable: self.variable(of, path, |ty| *ty == Type::Rich && are_rich)?,
                    path: path.clone(),
                    values,
                }
            }
            Atom::Among {
                process,
                locations,
                ended,
            } => {
                let instance = self.instance(process)?;
                let locations = locations.iter().map(|name| self.location(instance, name));
                audit::Atom::Among {
                    instance: u32::try_from(instance).expect("a program starts few processes"),
                    locations: locations.collect::<Result<_, _>>()?,
                    ended: *ended,
                }
            }
        })
    }

    fn run_atom(&self, atom: &RunAtom) -> Result<audit::RunAtom, Misfit> {
        Ok(match atom {
            RunAtom::Now(atom) => audit::RunAtom::Now(self.atom(atom)?),
            RunAtom::Never(at) => audit::RunAtom::Never(*at as usize),
            RunAtom::State(at) => audit::RunAtom::State(*at as usize),
            RunAtom::Seen(at) => audit::RunAtom::Seen(*at as usize),
            RunAtom::Count(at) => audit::RunAtom::Count(*at as usize),
            RunAtom::Saved {} => audit::RunAtom::Saved,
            RunAtom::Before(atom) => audit::RunAtom::Before(Box::new(self.run_atom(atom)?)),
            RunAtom::Since(at) => audit::RunAtom::Since(*at as usize),
        })
    }

    fn through(&self, through: &[Place]) -> Result<Vec<(usize, model::LocId)>, Misfit> {
        let place = |place: &Place| {
            let instance = self.instance(&place.process)?;
            Ok((instance, self.location(instance, &place.location)?))
        };
        through.iter().map(place).collect()
    }
}

/// A value as it is written.
fn constant(rich: &RichTable, value: &Value) -> Option<Constant> {
    Some(match value {
        Value::Bool(truth) => Constant::Truth(*truth),
        Value::Int(number) => Constant::Number(number.to_string()),
        Value::Rich(id) => match &*rich.get(*id) {
            Rich::Text(text) => Constant::Text(text.to_string()),
            Rich::Float(bits) => Constant::Float(bits.to_string()),
            Rich::Term { functor, args } => {
                let args = args.iter().map(|arg| constant(rich, arg));
                Constant::Term {
                    functor: functor.to_string(),
                    of: args.collect::<Option<_>>()?,
                }
            }
        },
        Value::Pointer(_) | Value::Procedure(_) | Value::Tuple(_) => return None,
    })
}

fn value(rich: &RichTable, constant: &Constant) -> Result<Value, Misfit> {
    Ok(match constant {
        Constant::Truth(truth) => Value::Bool(*truth),
        Constant::Number(digits) => Value::Int(number(digits)?),
        Constant::Text(text) => rich.text(text),
        Constant::Float(digits) => Value::Rich(rich.intern(Rich::Float(number(digits)?))),
        Constant::Term { functor, of } => {
            let of = of.iter().map(|constant| value(rich, constant));
            rich.term(functor, of.collect::<Result<Vec<_>, _>>()?)
        }
    })
}

fn number<N: std::str::FromStr>(digits: &str) -> Result<N, Misfit> {
    let number = digits.parse();
    number.map_err(|_| Misfit::Number(digits.to_owned()))
}
