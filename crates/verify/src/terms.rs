//! Invariants of circuits in the terms of programs, as the audit wants them.
//!
//! A clause over gates becomes one over facts about variables and locations, gate by gate. Where a
//! question about runs for ever was reduced to one about what is reached, the facts are about the
//! reduction too, which the audit makes anew.

use std::collections::{BTreeSet, HashMap};

use audit::{Atom, Fact, Monitor, RunAtom, RunInvariant, Variable};
use circuit::{Aig, Bits, Encoding, LatchId, Lit, Meaning, Node, NodeId, Owner};
use logic::Buchi;
use model::{FairnessKind, GlobalId, Program, Type, Value};
use sat::{ReducedRuns, Reduction, Watched};

/// Clauses over facts: atoms, gates over them, clauses.
struct Said<A> {
    atoms: Vec<A>,
    gates: Vec<[Fact; 2]>,
    clauses: Vec<Vec<Fact>>,
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
    invariant: &sat::Invariant,
) -> Option<audit::Invariant> {
    let aig = invariant.graph.as_ref().unwrap_or(&encoding.circuit.aig);
    let meanings = encoding.meanings();
    let latch = |latch| meanings.get(&latch).map(atom);
    let said = said(aig, &invariant.clauses, Atom::True, &latch)?;
    let said = audit::Invariant {
        atoms: said.atoms,
        gates: said.gates,
        clauses: said.clauses,
        through: Vec::new(),
    };
    Some(somewhere(encoding, said))
}

/// What [`audit::audit_runs`] is asked: an invariant of a reduction in the terms of the program that
/// is watched, and how it is watched.
pub(crate) struct RunsInProgram {
    often: Vec<audit::Often>,
    reduction: audit::Reduction,
    /// The invariant.
    pub(crate) invariant: RunInvariant,
}

impl RunsInProgram {
    /// How the program is watched while it is read by an automaton.
    pub(crate) fn monitor<'a>(&'a self, automaton: &'a Buchi<model::ExprId>) -> Monitor<'a> {
        Monitor {
            automaton,
            often: &self.often,
            reduction: self.reduction,
        }
    }
}

/// An invariant of a reduction in the terms of the program, if all that it speaks of has one.
pub(crate) fn runs_in_program(
    encoding: &Encoding<'_>,
    automaton: &Buchi<Lit>,
    reduction: Reduction,
    invariant: &sat::Invariant,
) -> Option<RunsInProgram> {
    let ReducedRuns {
        circuit,
        latches,
        often,
        ..
    } = sat::reduced_runs(&encoding.circuit, Some(automaton), reduction);
    let fairness = Positions::of(encoding.program());
    let often = often.into_iter().map(|often| match often {
        sat::Often::Justice(at) => fairness.justice.get(at).copied().map(audit::Often::Fair),
        sat::Often::Compassion(at) => fairness.compassion.get(at).copied().map(audit::Often::Fair),
        sat::Often::Accepted => Some(audit::Often::Accepted),
    });
    let often = often.collect::<Option<Vec<_>>>()?;
    let meanings = encoding.meanings();
    let latch = |latch: LatchId| run_atom(&latches[latch.index()], &meanings, &fairness);
    let aig = invariant.graph.as_ref().unwrap_or(&circuit.aig);
    let always = RunAtom::Now(Atom::True);
    let said = said(aig, &invariant.clauses, always, &latch)?;
    Some(RunsInProgram {
        often,
        reduction: match reduction {
            Reduction::Loops => audit::Reduction::Loops,
            Reduction::Counting(count) => audit::Reduction::Counting(count),
        },
        invariant: RunInvariant {
            atoms: said.atoms,
            gates: said.gates,
            clauses: said.clauses,
        },
    })
}

/// Where the program's fairness constraints of each kind stand.
struct Positions {
    justice: Vec<usize>,
    compassion: Vec<usize>,
}

impl Positions {
    fn of(program: &Program) -> Positions {
        let of = |wanted: fn(&FairnessKind) -> bool| {
            let all = program.fairness.iter().enumerate();
            let wanted = all.filter(|(_, fairness)| wanted(&fairness.kind));
            wanted.map(|(position, _)| position).collect()
        };
        Positions {
            justice: of(|kind| matches!(kind, FairnessKind::Justice(_))),
            compassion: of(|kind| matches!(kind, FairnessKind::Compassion(..))),
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

/// The same with a clause for each instance that says where it can be at all.
fn somewhere(encoding: &Encoding<'_>, invariant: audit::Invariant) -> audit::Invariant {
    let mut said = audit::Invariant::default();
    let mut clauses = Vec::new();
    for instance in 0..encoding.program().start.len() {
        let passed = encoding.run_through_locations(instance).iter();
        said.through
            .extend(passed.map(|&location| (instance, location)));
        let atom = Atom::Among {
            instance: u32::try_from(instance).expect("few instances"),
            locations: encoding.locations(instance).to_vec(),
            ended: true,
        };
        let of = said.atom(atom);
        clauses.push(vec![Fact { of, holds: true }]);
    }
    let before = said.atoms.len();
    let moved = |fact: Fact| Fact {
        of: fact.of + before,
        ..fact
    };
    said.atoms.extend(invariant.atoms);
    said.gates = invariant.gates.iter().map(|gate| gate.map(moved)).collect();
    let others = invariant.clauses.into_iter();
    clauses.extend(others.map(|clause| clause.into_iter().map(moved).collect()));
    said.clauses = clauses;
    narrow(encoding, &mut said);
    said
}

/// The circuit keeps so many bits of a mathematical integer, and it is proved with the rest that
/// there are no more: the bits beyond are like the sign.
fn narrow(encoding: &Encoding<'_>, invariant: &mut audit::Invariant) {
    let program = encoding.program();
    let named: BTreeSet<GlobalId> = invariant
        .atoms
        .iter()
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
    invariant.add_clauses(signs);
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
mod tests {
    use audit::Rejected;
    use model::{Budget, PropertyId, Query, Silent};

    use super::*;
    use crate::question::query;

    const REDUCTIONS: [Reduction; 4] = [
        Reduction::Counting(0),
        Reduction::Counting(1),
        Reduction::Counting(4),
        Reduction::Loops,
    ];

    /// Models; each has one formula that holds and then one that fails.
    const MODELS: [&str; 5] = [
        "VAR n : 0..3; go : boolean;
         ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 4 : n;
         FAIRNESS go;
         LTLSPEC G F n = 2; LTLSPEC F G n = 2;",
        "VAR p : boolean; q : boolean; n : 0..2;
         ASSIGN next(n) := q ? (n + 1) mod 3 : n;
         COMPASSION (p, q); JUSTICE p;
         LTLSPEC G F n = 1; LTLSPEC G F (n = 1 & !p);",
        "IVAR i : boolean; VAR b : boolean; w : unsigned word[3];
         ASSIGN init(b) := FALSE; next(b) := i; next(w) := b ? w + 0ud3_1 : w;
         LTLSPEC G F i -> G F b; LTLSPEC G F b -> G F w = 0ud3_0 & !b;",
        "FROZENVAR f : boolean; VAR a : array 0..1 of boolean; c : {red, green};
         ASSIGN init(c) := red; next(c) := f ? green : c; next(a[0]) := a[1]; next(a[1]) := !a[0];
         FAIRNESS a[0] | c = green; FAIRNESS a[1];
         LTLSPEC f -> F G c = green; LTLSPEC F c = green;",
        "VAR n : 0..5; ASSIGN init(n) := 5; next(n) := n > 0 ? n - 1 : 0;
         LTLSPEC F n = 0; LTLSPEC F G n = 1;",
    ];

    /// A question about runs for ever, and a proof of it with each reduction that has one.
    fn proofs(program: &Program) -> Vec<RunsInProgram> {
        let mut asked = program.clone();
        let Ok(Query::NoAcceptedRun(automaton)) = query(&mut asked, PropertyId::new(0)) else {
            panic!("a formula about runs");
        };
        let mut encoding = circuit::encode(&asked).expect("in bits");
        let automaton = automaton.map(|atom| encoding.atom(atom).expect("in bits"));
        let mut proofs = Vec::new();
        for reduction in REDUCTIONS {
            let reduced = sat::reduced_runs(&encoding.circuit, Some(&automaton), reduction);
            let options = sat::Options {
                induction_depth: 0,
                ..sat::Options::default()
            };
            let (budget, bad) = (Budget::default(), reduced.bad);
            let answer = sat::check(&reduced.circuit, bad, &options, &budget, &Silent);
            if let sat::Answer::Proved { invariant, .. } = answer {
                let said = runs_in_program(&encoding, &automaton, reduction, &invariant);
                proofs.push(said.expect("it is said of the program"));
            }
        }
        proofs
    }

    fn audit(program: &Program, property: usize, said: &RunsInProgram) -> Result<(), Rejected> {
        let mut program = program.clone();
        let Ok(Query::NoAcceptedRun(automaton)) = query(&mut program, PropertyId::new(property))
        else {
            panic!("a formula about runs");
        };
        let monitor = said.monitor(&automaton);
        audit::audit_runs(&program, &monitor, &said.invariant, &Budget::default())
    }

    fn programs() -> impl Iterator<Item = Program> {
        MODELS.iter().map(|text| {
            let text = format!("MODULE main\n{text}");
            let loaded = smv::load("m.smv", &text, &smv::Options::default());
            loaded.program.expect("a model")
        })
    }

    #[test]
    fn what_engines_prove_of_runs_passes_the_audit() {
        let (mut looped, mut counted) = (0, 0);
        for program in programs() {
            let proofs = proofs(&program);
            for said in &proofs {
                assert_eq!(audit(&program, 0, said), Ok(()), "{:?}", said.reduction);
                match said.reduction {
                    audit::Reduction::Loops => looped += 1,
                    audit::Reduction::Counting(_) => counted += 1,
                }
            }
        }
        assert_eq!(looped, MODELS.len());
        assert!(counted >= MODELS.len(), "{counted}");
    }

    #[test]
    fn what_is_no_proof_about_runs_is_rejected() {
        let mut random = 1u64;
        let mut below = |limit: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            usize::try_from(random >> 33).expect("31 bits") % limit
        };
        for program in programs() {
            for mut said in proofs(&program) {
                // Not of what fails, whatever the clauses are.
                assert!(audit(&program, 1, &said).is_err());
                let whole = said.invariant.clone();
                said.invariant.clauses.clear();
                assert_eq!(audit(&program, 0, &said), Err(Rejected::Violated));
                let facts = whole.atoms.len() + whole.gates.len();
                for _ in 0..20 {
                    said.invariant.clauses = whole.clauses.clone();
                    for _ in 0..1 + below(3) {
                        let clauses = &mut said.invariant.clauses;
                        if clauses.len() > 1 && below(2) == 0 {
                            clauses.remove(below(clauses.len()));
                        }
                        let clause = below(clauses.len());
                        clauses[clause].push(Fact {
                            of: below(facts),
                            holds: below(2) == 0,
                        });
                    }
                    assert!(audit(&program, 1, &said).is_err());
                }
                said.invariant = whole;
                said.invariant.clauses[0] = vec![Fact {
                    of: facts,
                    holds: true,
                }];
                assert_eq!(audit(&program, 0, &said), Err(Rejected::Malformed));
            }
        }
    }
}
