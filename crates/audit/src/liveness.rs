//! Why there is no run for ever of a kind: the invariant of a reduction to what is reached.
//!
//! Engines answer such questions by watching the program: an automaton reads its states, and either
//! rounds are counted in which all that has to hold infinitely often has held (Claessen and
//! Sörensson 2012), or a state is saved, to be met again (Biere, Artho and Schuppan 2002). Here
//! the program is watched anew, by variables that are added to it as it was before any pass.
//! What a step makes of them is said in clauses; the rest is what is done for any other invariant.
//!
//! It does not matter which conditions are looked for: fewer of them only make more runs.

use logic::Buchi;
use model::{
    Budget, Composition, ExprId, Fairness, FairnessKind, FiniteRuns, GlobalId, LocId, Program,
    Type, Variable as Declared, VariableKind,
};
use solver::Literal;

use crate::gates::Gates;
use crate::interleaving::{Asked, Obligations};
use crate::invariant::{Atom, Fact, Invariant, Variable};
use crate::state::{Scope, State};
use crate::symbol::Symbol;
use crate::synchronous::{self, Question};
use crate::{Rejected, limited, observed_by};

/// Something that has to hold infinitely often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Often {
    /// A fairness constraint of the program, by its position. Compassion counts where its second
    /// part holds, or its first one never will again.
    Fair(usize),
    /// The automaton takes an accepting edge.
    Accepted,
    /// A macro step ends.
    Stable,
}

/// How a question about runs for ever becomes one about what is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// A state seen before is reached again, and all that is asked for held in between.
    Loops,
    /// All that is asked for has held more than so many times, in rounds.
    Counting(u32),
}

/// What is watched.
#[derive(Clone, Debug)]
pub struct Monitor<'a> {
    /// Reads the state and the inputs of each step.
    pub automaton: &'a Buchi<ExprId>,
    /// What has to hold infinitely often, or some of it.
    pub often: &'a [Often],
    /// How that is watched.
    pub reduction: Reduction,
}

/// Something that is true or false of a program that is watched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunAtom {
    /// Of the program's state. One that is about a bit, in what was [saved](Self::Before).
    Now(Atom),
    /// The first part of the fairness constraint at this position is guessed not to hold any more.
    Never(usize),
    /// The automaton is in this state.
    State(usize),
    /// What has to hold infinitely often, at this position, has held in this round.
    Seen(usize),
    /// More rounds than this have been completed.
    Count(usize),
    /// A state has been saved.
    Saved,
    /// It was so when the state was saved; before that, nothing is.
    Before(Box<RunAtom>),
    /// What has to hold infinitely often, at this position, has held since the state was saved.
    Since(usize),
}

/// Clauses of the watched program; as in [`Invariant`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunInvariant {
    /// What it speaks of.
    pub atoms: Vec<RunAtom>,
    /// Facts that hold if both of two others hold, which come before them.
    pub gates: Vec<[Fact; 2]>,
    /// The clauses: of the facts of each, at least one holds.
    pub clauses: Vec<Vec<Fact>>,
    /// As in [`Invariant::through`].
    pub through: Vec<(usize, LocId)>,
}

/// Checks that an invariant shows that the program has no run for ever that is fair and that the
/// automaton accepts.
///
/// # Errors
/// Why it is not believed.
pub fn audit_runs(
    program: &Program,
    monitor: &Monitor<'_>,
    invariant: &RunInvariant,
    budget: &Budget,
) -> Result<(), Rejected> {
    limited(budget, |budget| {
        run_by_run(program, monitor, invariant, budget)
    })
}

fn run_by_run(
    program: &Program,
    monitor: &Monitor<'_>,
    invariant: &RunInvariant,
    budget: &Budget,
) -> Result<(), Rejected> {
    let (watched, places) = Places::new(program, monitor)?;
    let invariant = places.resolve(invariant)?;
    let watching = Watching {
        monitor,
        places,
        program,
    };
    let Composition::Synchronous(assigns) = &program.composition else {
        let mut asked = monitor.automaton.atoms.clone();
        asked.extend(program.fairness.iter().flat_map(spoken_of));
        let observed = observed_by(&watched, asked, &invariant);
        let asked = Asked::Runs(&watching);
        let mut obligations = Obligations::new(&watched, asked, &invariant, budget, &observed)?;
        let audit = obligations.initially().and_then(|()| obligations.moves());
        return match audit {
            // Perhaps only because runs are looked at that are not there.
            Err(Rejected::NotInductive(at)) => {
                let what = format!("whether processes may go on so for ever ({at})");
                Err(Rejected::Unsupported(what))
            }
            audit => audit,
        };
    };
    if program.finite_runs != FiniteRuns::InfiniteOnly {
        return Err(Rejected::unsupported("runs that end"));
    }
    synchronous::initially(&watched, &watching, &invariant, budget)?;
    synchronous::steps(&watched, assigns, &watching, &invariant, budget)
}

/// The expressions of a constraint.
fn spoken_of(fairness: &Fairness) -> Vec<ExprId> {
    match fairness.kind {
        FairnessKind::Justice(condition) => vec![condition],
        FairnessKind::Compassion(first, second) => vec![first, second],
        _ => Vec::new(),
    }
}

/// The variables that watch.
pub(crate) struct Places {
    /// By fairness constraint: that of compassion.
    pub(crate) never: Vec<Option<GlobalId>>,
    pub(crate) states: Vec<GlobalId>,
    seen: Vec<GlobalId>,
    pub(crate) counts: Vec<GlobalId>,
    saved: Option<GlobalId>,
    /// Each variable with what it was when the state was saved.
    before: Vec<(GlobalId, GlobalId)>,
}

impl Places {
    fn new(program: &Program, monitor: &Monitor<'_>) -> Result<(Program, Places), Rejected> {
        let mut watched = program.clone();
        let mut truth = |name: String| watched.add_global(Declared::new(name, Type::Bool));
        let mut never = Vec::new();
        for (number, fairness) in program.fairness.iter().enumerate() {
            never.push(match fairness.kind {
                FairnessKind::Justice(_) | FairnessKind::Weak(_) => None,
                FairnessKind::Compassion(..) | FairnessKind::Strong(_) => {
                    Some(truth(format!("never {number}")))
                }
                FairnessKind::WeakInstances => {
                    return Err(Rejected::unsupported("fairness of instances"));
                }
            });
        }
        let states = monitor.automaton.states();
        let states = states
            .map(|state| truth(format!("state {state}")))
            .collect();
        // Where rounds of one thing are counted, that it holds is a round.
        let seen = match (monitor.reduction, monitor.often.len()) {
            (Reduction::Counting(_), 1) => 0..0,
            (_, often) => 0..often,
        };
        let seen = seen.map(|number| truth(format!("seen {number}"))).collect();
        let mut places = Places {
            never,
            states,
            seen,
            counts: Vec::new(),
            saved: None,
            before: Vec::new(),
        };
        match monitor.reduction {
            Reduction::Counting(count) => {
                let counts = 0..=count;
                places.counts = counts.map(|n| truth(format!("count {n}"))).collect();
            }
            Reduction::Loops if !matches!(program.composition, Composition::Synchronous(_)) => {
                return Err(Rejected::unsupported("a loop of processes that take turns"));
            }
            Reduction::Loops => {
                places.saved = Some(truth("saved".to_owned()));
                let own = program.globals.iter().enumerate();
                let kept = own.filter(|(_, variable)| variable.kind != VariableKind::Input);
                let kept = kept.map(|(index, _)| GlobalId::new(index));
                let added = places.never.iter().flatten().chain(&places.states).copied();
                for id in kept.chain(added).collect::<Vec<_>>() {
                    let ty = watched.globals[id.index()].ty.clone();
                    if !begins_with_nothing(&ty) {
                        return Err(Rejected::unsupported("a variable without a zero"));
                    }
                    let before = watched.add_global(Declared::new("before", ty));
                    places.before.push((id, before));
                }
            }
        }
        Ok((watched, places))
    }

    fn resolve(&self, invariant: &RunInvariant) -> Result<Invariant, Rejected> {
        let atoms = invariant.atoms.iter().map(|atom| self.atom(atom));
        Ok(Invariant {
            atoms: atoms.collect::<Result<_, _>>()?,
            gates: invariant.gates.clone(),
            clauses: invariant.clauses.clone(),
            through: invariant.through.clone(),
        })
    }

    fn atom(&self, atom: &RunAtom) -> Result<Atom, Rejected> {
        let variable = match atom {
            RunAtom::Now(atom) => return Ok(atom.clone()),
            RunAtom::Before(atom) => {
                let Atom::Bit {
                    variable: Variable::Global(id),
                    path,
                    bit,
                } = self.atom(atom)?
                else {
                    return Err(Rejected::Malformed);
                };
                let before = self.before.iter().find(|(now, _)| *now == id);
                let (_, before) = before.ok_or(Rejected::Malformed)?;
                return Ok(Atom::Bit {
                    variable: Variable::Global(*before),
                    path,
                    bit,
                });
            }
            RunAtom::Never(number) => self.never.get(*number).copied().flatten(),
            RunAtom::State(state) => self.states.get(*state).copied(),
            RunAtom::Seen(number) | RunAtom::Since(number) => self.seen.get(*number).copied(),
            RunAtom::Count(number) => self.counts.get(*number).copied(),
            RunAtom::Saved => self.saved,
        };
        Ok(Atom::Bit {
            variable: Variable::Global(variable.ok_or(Rejected::Malformed)?),
            path: Vec::new(),
            bit: 0,
        })
    }
}

/// Whether the value that is there at first has no bit set.
fn begins_with_nothing(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Int { .. } | Type::Enum(_) => true,
        Type::Range { lo, hi } => *lo <= 0 && 0 <= *hi,
        Type::Array(of, _) => begins_with_nothing(of),
        _ => false,
    }
}

/// A program that is watched.
pub(crate) struct Watching<'a> {
    pub(crate) monitor: &'a Monitor<'a>,
    pub(crate) places: Places,
    /// As it was before.
    pub(crate) program: &'a Program,
}

/// What the automaton does in a step.
pub(crate) struct Edges {
    pub(crate) accepted: Literal,
    /// For each of its states whether it is in it then.
    pub(crate) into: Vec<Literal>,
}

pub(crate) fn truth(values: &[Symbol], id: GlobalId) -> Literal {
    match &values[id.index()] {
        Symbol::Bool(literal) => *literal,
        _ => unreachable!("what watches is true or false"),
    }
}

impl Question for Watching<'_> {
    fn bad(&self, gates: &mut Gates, _: &Program, state: &State) -> Result<Literal, Rejected> {
        let now = &state.globals;
        if let Some(last) = self.places.counts.last() {
            return Ok(truth(now, *last));
        }
        let saved = self
            .places
            .saved
            .expect("a state is saved, or rounds counted");
        let mut bad = truth(now, saved);
        for &(id, before) in &self.places.before {
            let same = gates.same(&now[id.index()], &now[before.index()]);
            bad = gates.and(bad, same);
        }
        for &seen in &self.places.seen {
            bad = gates.and(bad, truth(now, seen));
        }
        Ok(bad)
    }

    fn first(&self, gates: &mut Gates, state: &mut State) {
        let first = self.places.states[self.monitor.automaton.initial.index()];
        state.globals[first.index()] = Symbol::Bool(gates.constant(true));
    }

    fn step(
        &self,
        gates: &mut Gates,
        program: &Program,
        state: &State,
        next: &[Symbol],
    ) -> Result<(), Rejected> {
        let now = &state.globals;
        let edges = self.read(gates, program, state)?;
        for (&place, &into) in self.places.states.iter().zip(&edges.into) {
            becomes(gates, next, place, into);
        }
        let mut fair = Vec::new();
        for (fairness, never) in program.fairness.iter().zip(&self.places.never) {
            let scope = Scope::outside(state);
            fair.push(match (&fairness.kind, never) {
                (FairnessKind::Compassion(first, second), Some(never)) => {
                    let first = gates.holds(program, scope, *first)?;
                    let second = gates.holds(program, scope, *second)?;
                    let (was, is) = (truth(now, *never), truth(next, *never));
                    gates.clause(&[!was, !first]);
                    gates.clause(&[!was, is]);
                    gates.or(was, second)
                }
                (FairnessKind::Justice(condition), _) => gates.holds(program, scope, *condition)?,
                _ => return Err(Rejected::unsupported("fairness of steps")),
            });
        }
        let mut often = Vec::new();
        for what in self.monitor.often {
            often.push(match what {
                Often::Accepted => edges.accepted,
                Often::Fair(number) => *fair.get(*number).ok_or(Rejected::Malformed)?,
                Often::Stable => gates.constant(true),
            });
        }
        match self.places.saved {
            None => {
                for (place, value) in self.count(gates, now, &often) {
                    becomes(gates, next, place, value);
                }
            }
            Some(saved) => self.save(gates, now, next, &often, saved),
        }
        Ok(())
    }
}

impl Watching<'_> {
    /// The automaton takes one edge.
    pub(crate) fn read(
        &self,
        gates: &mut Gates,
        program: &Program,
        state: &State,
    ) -> Result<Edges, Rejected> {
        let automaton = self.monitor.automaton;
        let mut letter = Vec::new();
        for &atom in &automaton.atoms {
            letter.push(gates.holds(program, Scope::outside(state), atom)?);
        }
        let mut taken: Vec<Literal> = Vec::new();
        let mut accepted = gates.constant(false);
        let mut into = vec![gates.constant(false); automaton.edges.len()];
        for from in automaton.states() {
            for edge in automaton.edges_from(from) {
                let this = gates.fresh();
                for &other in &taken {
                    gates.clause(&[!this, !other]);
                }
                let here = truth(&state.globals, self.places.states[from.index()]);
                gates.clause(&[!this, here]);
                for (bit, &atom) in letter.iter().enumerate() {
                    if edge.label.pos >> bit & 1 == 1 {
                        gates.clause(&[!this, atom]);
                    }
                    if edge.label.neg >> bit & 1 == 1 {
                        gates.clause(&[!this, !atom]);
                    }
                }
                into[edge.target.index()] = gates.or(into[edge.target.index()], this);
                if edge.accepting {
                    accepted = gates.or(accepted, this);
                }
                taken.push(this);
            }
        }
        gates.clause(&taken);
        Ok(Edges { accepted, into })
    }

    /// What the variables that count are next.
    pub(crate) fn count(
        &self,
        gates: &mut Gates,
        now: &[Symbol],
        often: &[Literal],
    ) -> Vec<(GlobalId, Literal)> {
        let mut round = match often {
            [only] => *only,
            _ => gates.constant(true),
        };
        let mut values = Vec::new();
        let mut so_far = Vec::new();
        for (&seen, &holds) in self.places.seen.iter().zip(often) {
            let either = gates.or(truth(now, seen), holds);
            round = gates.and(round, either);
            so_far.push(either);
        }
        for (&seen, either) in self.places.seen.iter().zip(so_far) {
            let kept = gates.and(either, !round);
            values.push((seen, kept));
        }
        let mut before = gates.constant(true);
        for &count in &self.places.counts {
            let was = truth(now, count);
            let more = gates.and(before, round);
            let reached = gates.or(was, more);
            values.push((count, reached));
            before = was;
        }
        values
    }

    fn save(
        &self,
        gates: &mut Gates,
        now: &[Symbol],
        next: &[Symbol],
        often: &[Literal],
        saved: GlobalId,
    ) {
        let (save, was) = (gates.fresh(), truth(now, saved));
        let inside = gates.or(was, save);
        becomes(gates, next, saved, inside);
        let this_one = gates.and(save, !was);
        for &(id, before) in &self.places.before {
            let kept = gates.choose(this_one, &now[id.index()], &now[before.index()]);
            let same = gates.same(&kept, &next[before.index()]);
            gates.clause(&[same]);
        }
        for (&seen, &holds) in self.places.seen.iter().zip(often) {
            let either = gates.or(truth(now, seen), holds);
            let since = gates.and(inside, either);
            becomes(gates, next, seen, since);
        }
    }
}

/// Says what a variable that watches is next.
fn becomes(gates: &mut Gates, next: &[Symbol], id: GlobalId, value: Literal) {
    let same = gates.iff(truth(next, id), value);
    gates.clause(&[same]);
}
