//! Invariants of circuits in the terms of programs, as the audit wants them.
//!
//! A clause over gates becomes one over facts about variables and locations, gate by gate. Where a
//! question about runs for ever was reduced to one about what is reached, the facts are about the
//! reduction too, which the audit makes anew.

use std::collections::{BTreeSet, HashMap};

use audit::{Atom, Fact, RunAtom, RunInvariant, Variable};
use circuit::{Aig, Bits, Encoding, LatchId, Lit, Meaning, Node, NodeId, Owner};
use logic::Buchi;
use model::{FairnessKind, GlobalId, LocId, Program, Type, Value};
use sat::{ReducedRuns, Reduction, Watched};

use crate::evidence::RunEvidence;
use crate::few_texts::few_texts;

/// Clauses over facts: atoms, gates over them, clauses.
struct Said<A> {
    atoms: Vec<A>,
    gates: Vec<[Fact; 2]>,
    clauses: Vec<Vec<Fact>>,
}

impl<A: PartialEq> Said<A> {
    /// Adds clauses over atoms.
    fn add_clauses(&mut self, clauses: impl IntoIterator<Item = Vec<(A, bool)>>) {
        let before = self.atoms.len();
        let mut more = Vec::new();
        for clause in clauses {
            let mut facts = Vec::new();
            for (atom, holds) in clause {
                let known = self.atoms.iter().position(|other| *other == atom);
                let of = known.unwrap_or_else(|| {
                    self.atoms.push(atom);
                    self.atoms.len() - 1
                });
                facts.push(Fact { of, holds });
            }
            more.push(facts);
        }
        // Gates come after all atoms: those there are move up.
        let by = self.atoms.len() - before;
        let gates = self.gates.iter_mut().flatten();
        for fact in gates.chain(self.clauses.iter_mut().flatten()) {
            if fact.of >= before {
                fact.of += by;
            }
        }
        self.clauses.append(&mut more);
    }
}

/// The clauses in the terms of what latches say, if each that they speak of says something.
fn said<A: PartialEq>(
    aig: &Aig,
    clauses: &[Vec<Lit>],
    always: A,
    atom: &dyn Fn(LatchId) -> Option<(A, bool)>,
) -> Option<Said<A>> {
    let roots: Vec<Lit> = clauses.iter().flatten().copied().collect();
    let nodes = cone(aig, &roots);
    let mut said = Said {
        atoms: vec![always],
        gates: Vec::new(),
        clauses: Vec::new(),
    };
    let mut facts: HashMap<NodeId, Fact> = HashMap::new();
    for &node in &nodes {
        let (of, holds) = match aig.node(node) {
            Node::False => (0, false),
            Node::Latch(latch) => {
                let (atom, holds) = atom(latch)?;
                let known = said.atoms.iter().position(|other| *other == atom);
                let of = known.unwrap_or_else(|| {
                    said.atoms.push(atom);
                    said.atoms.len() - 1
                });
                (of, holds)
            }
            Node::Input(_) => return None,
            Node::And(..) => continue,
        };
        facts.insert(node, Fact { of, holds });
    }
    let read = |facts: &HashMap<NodeId, Fact>, lit: Lit| {
        let fact = facts.get(&lit.node()).copied()?;
        Some(Fact {
            holds: fact.holds != lit.is_inverted(),
            ..fact
        })
    };
    for &node in &nodes {
        if let Node::And(a, b) = aig.node(node) {
            let gate = [read(&facts, a)?, read(&facts, b)?];
            let of = said.atoms.len() + said.gates.len();
            said.gates.push(gate);
            facts.insert(node, Fact { of, holds: true });
        }
    }
    for clause in clauses {
        let clause = clause.iter().map(|&lit| read(&facts, lit));
        said.clauses.push(clause.collect::<Option<_>>()?);
    }
    Some(said)
}

/// An invariant of the circuit in the terms of the program, if all that it speaks of has one.
pub(crate) fn in_program(
    encoding: &Encoding<'_>,
    original: &Program,
    invariant: &sat::Invariant,
) -> Option<audit::Invariant> {
    let aig = invariant.graph.as_ref().unwrap_or(&encoding.circuit.aig);
    let meanings = encoding.meanings();
    let latch = |latch| meanings.get(&latch).map(atom);
    let mut said = said(aig, &invariant.clauses, Atom::True, &latch)?;
    said.add_clauses(somewhere(encoding));
    let narrow = narrow(encoding, &said.atoms);
    said.add_clauses(narrow);
    said.add_clauses(one_of_few(original));
    Some(audit::Invariant {
        atoms: said.atoms,
        gates: said.gates,
        clauses: said.clauses,
        through: through(encoding),
    })
}

/// An invariant of a reduction in the terms of the program, if all that it speaks of has one.
pub(crate) fn runs_in_program(
    encoding: &Encoding<'_>,
    original: &Program,
    automaton: &Buchi<Lit>,
    reduction: Reduction,
    invariant: &sat::Invariant,
) -> Option<RunEvidence> {
    let ReducedRuns {
        circuit,
        latches,
        often,
        ..
    } = sat::reduced_runs(&encoding.circuit, Some(automaton), reduction);
    let fairness = Positions::of(encoding);
    let often = often.into_iter().map(|often| match often {
        sat::Often::Justice(at) => fairness.justice.get(at).copied(),
        sat::Often::Compassion(at) => fairness.compassion.get(at).copied().map(audit::Often::Fair),
        sat::Often::Accepted => Some(audit::Often::Accepted),
    });
    let often = often.collect::<Option<Vec<_>>>()?;
    let meanings = encoding.meanings();
    let latch = |latch: LatchId| run_atom(&latches[latch.index()], &meanings, &fairness);
    let aig = invariant.graph.as_ref().unwrap_or(&circuit.aig);
    let always = RunAtom::Now(Atom::True);
    let mut said = said(aig, &invariant.clauses, always, &latch)?;
    let now = |clause: Vec<(Atom, bool)>| {
        let clause = clause.into_iter();
        clause
            .map(|(atom, holds)| (RunAtom::Now(atom), holds))
            .collect()
    };
    said.add_clauses(somewhere(encoding).into_iter().map(now));
    let atoms = said.atoms.iter().filter_map(|atom| match atom {
        RunAtom::Now(atom) => Some(atom),
        _ => None,
    });
    let narrow = narrow(encoding, atoms);
    said.add_clauses(narrow.into_iter().map(now));
    said.add_clauses(one_of_few(original).into_iter().map(now));
    Some(RunEvidence {
        often,
        reduction: match reduction {
            Reduction::Loops => audit::Reduction::Loops,
            Reduction::Counting(count) => audit::Reduction::Counting(count),
        },
        invariant: RunInvariant {
            atoms: said.atoms,
            gates: said.gates,
            clauses: said.clauses,
            through: through(encoding),
        },
    })
}

/// What the circuit's justice and compassion are in the program.
struct Positions {
    justice: Vec<audit::Often>,
    compassion: Vec<usize>,
}

impl Positions {
    fn of(encoding: &Encoding<'_>) -> Positions {
        let program = encoding.program();
        let (mut justice, mut compassion) = (Vec::new(), Vec::new());
        if encoding.stable != Lit::TRUE {
            justice.push(audit::Often::Stable);
        }
        // What speaks of steps comes first.
        for (position, fairness) in program.fairness.iter().enumerate() {
            let known = encoding.deadlock.is_some();
            match fairness.kind {
                FairnessKind::Weak(_) if known => justice.push(audit::Often::Fair(position)),
                FairnessKind::Strong(_) if known => compassion.push(position),
                FairnessKind::WeakInstances if known => {
                    let each = program.start.iter().map(|_| audit::Often::Fair(position));
                    justice.extend(each);
                }
                _ => {}
            }
        }
        for (position, fairness) in program.fairness.iter().enumerate() {
            match fairness.kind {
                FairnessKind::Justice(_) => justice.push(audit::Often::Fair(position)),
                FairnessKind::Compassion(..) => compassion.push(position),
                _ => {}
            }
        }
        Positions {
            justice,
            compassion,
        }
    }
}

/// What a latch of a reduction says, and which value of it says that.
fn run_atom(
    watched: &Watched,
    meanings: &HashMap<LatchId, Meaning>,
    fairness: &Positions,
) -> Option<(RunAtom, bool)> {
    let atom = match watched {
        Watched::Latch(latch) => {
            let (atom, holds) = atom(meanings.get(latch)?);
            return Some((RunAtom::Now(atom), holds));
        }
        Watched::Before(watched) => {
            let (atom, holds) = run_atom(watched, meanings, fairness)?;
            return Some((RunAtom::Before(Box::new(atom)), holds));
        }
        Watched::Never(at) => RunAtom::Never(*fairness.compassion.get(*at)?),
        Watched::State(state) => RunAtom::State(*state),
        Watched::Seen(at) => RunAtom::Seen(*at),
        Watched::Since(at) => RunAtom::Since(*at),
        Watched::Count(count) => RunAtom::Count(*count),
        Watched::Saved => RunAtom::Saved,
    };
    Some((atom, true))
}

/// A clause for each instance that says where it can be at all.
fn somewhere(encoding: &Encoding<'_>) -> Vec<Vec<(Atom, bool)>> {
    let instances = 0..encoding.program().start.len();
    let clause = |instance: usize| {
        let atom = Atom::Among {
            instance: u32::try_from(instance).expect("few instances"),
            locations: encoding.locations(instance).to_vec(),
            ended: true,
        };
        vec![(atom, true)]
    };
    instances.map(clause).collect()
}

/// Where nothing is said of instances.
fn through(encoding: &Encoding<'_>) -> Vec<(usize, LocId)> {
    let instances = 0..encoding.program().start.len();
    let passed = |instance| {
        let passed = encoding.run_through_locations(instance).iter();
        passed.map(move |&location| (instance, location))
    };
    instances.flat_map(passed).collect()
}

/// The circuit keeps so many bits of a mathematical integer, and it is proved with the rest that
/// there are no more: the bits beyond are like the sign.
fn narrow<'a>(
    encoding: &Encoding<'_>,
    atoms: impl IntoIterator<Item = &'a Atom>,
) -> Vec<Vec<(Atom, bool)>> {
    let program = encoding.program();
    let atoms = atoms.into_iter();
    let named: BTreeSet<GlobalId> = atoms
        .filter_map(|atom| match atom {
            Atom::Bit {
                variable: Variable::Global(id),
                ..
            } if program.globals[id.index()].ty == Type::Mathint => Some(*id),
            _ => None,
        })
        .collect();
    let mut signs = Vec::new();
    for id in named {
        let Bits::Word(word) = &encoding.slots[id.index()].bits else {
            continue;
        };
        let bit = |bit: usize| Atom::Bit {
            variable: Variable::Global(id),
            path: Vec::new(),
            bit: u32::try_from(bit).expect("numbers are not that wide"),
        };
        let highest = word.width().saturating_sub(1);
        for beyond in highest + 1..audit::MATHINT_BITS {
            signs.push(vec![(bit(highest), false), (bit(beyond), true)]);
            signs.push(vec![(bit(highest), true), (bit(beyond), false)]);
        }
    }
    signs
}

/// The circuit numbers rich values, and has numbers for few.
fn one_of_few(program: &Program) -> Vec<Vec<(Atom, bool)>> {
    let of = few_texts(program).into_iter();
    of.map(|(id, values)| {
        let atom = Atom::OneOf {
            variable: Variable::Global(id),
            path: Vec::new(),
            values: values.into_iter().map(Value::Rich).collect(),
        };
        vec![(atom, true)]
    })
    .collect()
}

/// The nodes that literals depend on, each after its operands.
fn cone(aig: &Aig, roots: &[Lit]) -> Vec<NodeId> {
    let mut wanted: BTreeSet<usize> = roots.iter().map(|lit| lit.node().index()).collect();
    let mut nodes = Vec::new();
    // Operands come before what is made of them.
    while let Some(index) = wanted.pop_last() {
        let node = NodeId(u32::try_from(index).expect("nodes are numbered in 32 bits"));
        if let Node::And(a, b) = aig.node(node) {
            wanted.extend([a.node().index(), b.node().index()]);
        }
        nodes.push(node);
    }
    nodes.reverse();
    nodes
}

/// What a latch says of the program's state, and which value of it says that.
fn atom(meaning: &Meaning) -> (Atom, bool) {
    let variable = |owner: &Owner| match *owner {
        Owner::Global(id) => Variable::Global(id),
        Owner::Local { instance, local } => Variable::Local { instance, local },
    };
    match meaning {
        Meaning::Bit { owner, path, bit } => {
            let atom = Atom::Bit {
                variable: variable(owner),
                path: path.clone(),
                bit: *bit,
            };
            (atom, true)
        }
        Meaning::Rich {
            owner,
            path,
            values,
        } => {
            let atom = Atom::OneOf {
                variable: variable(owner),
                path: path.clone(),
                values: values.iter().map(|&id| Value::Rich(id)).collect(),
            };
            (atom, true)
        }
        Meaning::Location {
            instance,
            locations,
            ended,
        } => {
            let atom = Atom::Among {
                instance: *instance,
                locations: locations.clone(),
                ended: *ended,
            };
            (atom, true)
        }
        Meaning::Closed(value) => (Atom::True, *value),
    }
}

#[cfg(test)]
mod tests;
