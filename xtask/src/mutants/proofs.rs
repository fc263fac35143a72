//! Faults in what reasons about sets of states: circuits, satisfiability, decision diagrams, and the
//! audit of what they prove.

use super::Mutant;

/// The faults. Those of one package stand together.
pub(super) const MUTANTS: &[Mutant] = &[
    circuit(
        "carry = self.or(both, passed);",
        "let _ = passed;\n            carry = both;",
        "sums lose a carry that is passed on",
    ),
    circuit(
        "self.ripple(&a.low(width), &b, Lit::TRUE)",
        "self.ripple(&a.low(width), &b, Lit::FALSE)",
        "differences are one too small",
    ),
    circuit(
        "self.bits.get(place).copied().unwrap_or_else(|| self.sign())",
        "self.bits.get(place).copied().unwrap_or(Lit::FALSE)",
        "a sign is not extended",
    ),
    circuit(
        "self.negated_if(a.sign(), &rest),",
        "self.negated_if(Lit::FALSE, &rest),",
        "a remainder has no sign",
    ),
    circuit(
        "moved.resize(bits.len(), fill);",
        "let _ = fill;\n            moved.resize(bits.len(), Lit::FALSE);",
        "shifts to the right forget the sign",
    ),
    circuit(
        "return Rule::Instead(x, !q); // substitution",
        "return Rule::Instead(x, q); // substitution",
        "a gate is simplified to another function",
    ),
    circuit(
        "let allowed = aig.all(&[chosen.possible, fits, !trouble]);",
        "let _ = fits;\n            let allowed = aig.all(&[chosen.possible, !trouble]);",
        "variables leave their types",
    ),
    circuit(
        "self.circuit.step_constraints.push(held);",
        "let _ = held;",
        "the relation between states is forgotten",
    ),
    circuit(
        "let is_first = self.circuit.aig.and(is_first, valid);",
        "let is_first = self.circuit.aig.or(is_first, valid);",
        "first values are any of the type",
    ),
    circuit(
        "let mut open: Vec<Lit> = [roots, &self.constraints()].concat();",
        "let mut open: Vec<Lit> = roots.to_vec();",
        "a cone leaves out what restricts it",
    ),
    circuit(
        "*free = aig.and(*free, its);",
        "let _ = its;",
        "who is inside of an atomic region is interrupted",
    ),
    circuit(
        "*free = self.circuit.aig.and(*free, !higher);",
        "let _ = (&free, higher);",
        "priority classes are ignored",
    ),
    sat(
        "self.without_initial(core, cube).map(Relative::Inductive)",
        "let _ = cube;\n                Ok(Relative::Inductive(core))",
        "initial states are blocked",
    ),
    sat(
        "if self.frames.is_empty(level) {",
        "if self.frames.is_empty(level) || level > 1 {",
        "frames that differ are taken for an invariant",
    ),
    sat(
        "let (mut first, mut second) = (value || !self.holds(a), value || !self.holds(b));",
        "let (mut first, mut second) = (value, value);",
        "a cube has states that do otherwise",
    ),
    sat(
        "let mut targets = self.system.step.clone();",
        "let mut targets = Vec::new();",
        "a cube has states without a step",
    ),
    sat(
        "self.solver.add_clause(&[good]);",
        "self.solver.add_clause(&[!good]);",
        "induction assumes that something bad has happened",
    ),
    sat(
        "all.push(circuit.aig.iff(latch.lit, shadow));",
        "let _ = (shadow, &all);",
        "a loop need not come back",
    ),
    sat(
        "let next = circuit.aig.and(inside, now);",
        "let next = circuit.aig.or(inside, now);",
        "what must hold on a loop need not hold there",
    ),
    sat(
        "let kept = !circuit.aig.and(never, first);",
        "let kept = Lit::TRUE;\n        let _ = first;",
        "compassion is excused by a guess that is wrong",
    ),
    sat(
        "if edge.accepting {",
        "if edge.accepting || most > 0 {",
        "every run of the automaton is accepted",
    ),
    sat(
        "return Err(Rejection::Step(number));",
        "let _ = number;",
        "invariants need not be kept",
    ),
    sat(
        "return Err(Rejection::Initially(number));",
        "let _ = number;",
        "invariants need not hold at first",
    ),
    solver(
        "if other != var && self.level[other.index()] > 0 {",
        "if other != var && self.level[other.index()] > 1 {",
        "not all assumptions that are to blame are named",
    ),
    solver(
        "if self.reason[var.index()] == NONE || levels & 1 << (level & 31) == 0 {",
        "if levels & 1 << (level & 31) == 0 {",
        "learnt clauses lose literals that are needed",
    ),
    sat(
        ".extend([(s, Polarity::BOTH), (t, polarity), (e, polarity)]);",
        ".extend([(s, polarity), (t, polarity), (e, polarity)]);",
        "what chooses is defined one way only",
    ),
    sat(
        "for &constraint in system.step.iter().chain(&system.state) {",
        "for &constraint in system.step.iter().take(0) {",
        "a walk takes steps that there are not",
    ),
    sat(
        "state = system.circuit.evaluate(&state, &taken).next_state();",
        "let _ = system.circuit.evaluate(&state, &taken).next_state();",
        "a walk stays where it is",
    ),
    sat(
        "latch.reset = if value { Reset::One } else { Reset::Zero };",
        "latch.reset = if value { Reset::Zero } else { Reset::One };",
        "a loop is looked for somewhere else than where the walk is",
    ),
    sat(
        "sum.rem_euclid(1 << width)",
        "let _ = width;\n    sum",
        "relations between numbers do not wrap around",
    ),
    sat(
        "(true, (1 << width) - value)",
        "(true, (1 << width) - value - 1)",
        "a constant on the left of an equation is one too small",
    ),
    sat(
        "let term = aig.mul_low(&numbers[number], &times, *width);",
        "let term = aig.mul_low(&numbers[number], &Word::constant(1), *width);\n                    let _ = times;",
        "the gate of a relation has no factors",
    ),
    sat(
        "if number.word.is_signed() && value >> (width - 1) & 1 == 1 {",
        "if value >> width & 1 == 1 {",
        "negative numbers are observed as large ones",
    ),
    sat(
        "let sum = aig.add(&numbers[*b], &Word::constant(*most));",
        "let sum = aig.add(&numbers[*b], &Word::constant(*most + 1));",
        "the gate of a distance allows one more",
    ),
    symbolic(
        "let before = self.space.m.and(&before, through)?;",
        "let _ = through;",
        "the way to a target leads through anything",
    ),
    symbolic(
        "let target = self.before(&core, Some(condition))?;",
        "let target = self.before(&core, None)?;",
        "any step meets a condition of fairness",
    ),
    symbolic(
        "core = self.space.m.or(&without_p, &until.all)?;",
        "core = until.all.clone();\n                let _ = without_p;",
        "compassion demands its second part in any case",
    ),
    symbolic(
        "let target = self.and(to, &fair)?;",
        "let _ = fair;\n        let target = to.clone();",
        "a path need not go on fairly",
    ),
    symbolic(
        "for _ in lo..hi {",
        "for _ in lo..=hi {",
        "a bounded until has a step too many",
    ),
    symbolic(
        ".filter(|var| occurrences[var] == 1 && inputs.contains(var));",
        ".filter(|var| inputs.contains(var));",
        "an input has another value in each part of the relation",
    ),
    symbolic(
        "parts.push(accepts.invert_if(!edge.accepting));",
        "parts.push(accepts);",
        "every edge of an automaton accepts",
    ),
    symbolic(
        "inputs = space.m.and(&inputs, &here)?;",
        "inputs = here;",
        "the inputs of a step satisfy one part of the relation only",
    ),
    symbolic(
        "let fails = self.or(&fails, &stays)?;",
        "let _ = stays;",
        "until may wait for ever",
    ),
    symbolic(
        "let before = self.system.before(&avoiding, None)?;",
        "let before = avoiding.clone();",
        "the longest way has no end",
    ),
    symbolic(
        "let high = self.and_exists_edges(f1, g1, rest)?;\n            if high == Edge::ONE || high == f0 || high == g0 {",
        "let high = self.and_exists_edges(f1, g1, rest)?;\n            if high != Edge::ZERO {",
        "quantification forgets one of two values",
    ),
    audit(
        "Err(Flaw::Open(number))",
        "Ok(())",
        "a line of a solver's proof need not follow",
    ),
    audit(
        "if left.any(|other| *other != literal) {",
        "if false {",
        "a clause of several literals is taken for a unit",
    ),
    audit(
        "let by_last = !self.last.is_empty() && self.last.iter().all(denied);",
        "let by_last = !self.last.is_empty() && self.last.iter().any(denied);",
        "a solver's proof need not be about the assumptions",
    ),
    audit(
        "if gates.possible(&[is_bad], budget)? {",
        "if gates.possible(&[is_bad], budget)? && program.globals.is_empty() {",
        "what is bad need not be ruled out",
    ),
    audit(
        "return Err(Rejected::NotInductive(\"a step\".to_owned()));",
        "return Ok(());",
        "invariants need not be kept",
    ),
    audit(
        "return Err(Rejected::NotInductive(\"the initial state\".to_owned()));",
        "return Ok(());",
        "invariants need not hold at first",
    ),
    audit(
        "VariableKind::Frozen => state.globals[index].clone(),",
        "VariableKind::Frozen => gates.any_of(program, &variable.ty)?,",
        "frozen variables change",
    ),
    audit(
        "for &relation in &program.relation {",
        "for &relation in program.relation.iter().take(0) {",
        "the relation between states is forgotten",
    ),
    audit(
        "for &condition in program.initial.iter().chain(&program.state_constraint) {\n        let holds",
        "for &condition in &program.initial {\n        let holds",
        "what holds in all states need not hold at first",
    ),
    audit(
        "facts.push(self.and(a, b));",
        "facts.push(self.or(a, b));",
        "an And of an invariant is an Or",
    ),
    audit(
        "Ok::<_, Rejected>(literal.negated_if(!fact.holds))",
        "let _ = fact.holds;\n            Ok::<_, Rejected>(*literal)",
        "facts are not negated",
    ),
    audit(
        "&& faults.contains(&fault)",
        "&& !faults.contains(&fault)",
        "the fault that is asked about may happen",
    ),
    audit(
        "let small = self.less(&size, &limit);",
        "let small = self.less_or_equal(&size, &limit);",
        "a remainder may be the divisor",
    ),
    audit(
        "product = if at + 1 == b.width() {",
        "product = if at > b.width() {",
        "a negative factor is taken for positive",
    ),
    Mutant {
        package: "verify",
        tests: &[],
        folder: "crates/verify/src",
        search: "Err(UnknownReason::NotAudited(rejected.to_string()))",
        replacement: "Ok(Audited::Not(rejected.to_string()))",
        breaks: "an invariant that the audit rejects proves something",
    },
    runs(
        "Often::Accepted => edges.accepted,",
        "Often::Accepted => gates.and(edges.accepted, !edges.accepted),",
        "the audit of runs for ever looks for none that is accepted",
    ),
    runs(
        "bad = gates.and(bad, same);",
        "bad = gates.and(bad, !same);",
        "the audit of runs for ever looks for another state than the one that was saved",
    ),
    audit(
        "let since = gates.and(inside, either);",
        "let since = gates.and(inside, holds);",
        "the audit of runs for ever forgets what held earlier in a loop",
    ),
    audit(
        "so_far.push(either);",
        "so_far.push(holds);",
        "the audit of runs for ever forgets what held earlier in a round",
    ),
    runs(
        "gates.clause(&[!this, !atom]);",
        "gates.clause(&[!this, atom]);",
        "the audit of runs for ever reads letters wrong",
    ),
    runs(
        "gates.clause(&[!was, !first]);",
        "gates.clause(&[!first]);",
        "the audit of runs for ever knows no run in which compassion has a say",
    ),
    runs(
        "values.push((seen, kept));",
        "values.push((seen, round));\n            let _ = kept;",
        "the audit of runs for ever counts rounds in which not everything held",
    ),
    runs(
        "let more = gates.and(before, round);",
        "let more = gates.and(before, !round);",
        "the audit of runs for ever counts what is no round",
    ),
    runs(
        "let cannot = gates.and(stable, !can[number]);",
        "let cannot = gates.and(stable, can[number]);",
        "the audit of turns takes steps that can be taken for such that cannot",
    ),
    runs(
        "let took = path.taken.iter().any(|step| steps.contains(step));\n                        let took = gates.constant(took);\n                        let stable",
        "let took = gates.constant(false);\n                        let stable",
        "the audit of turns does not see who moved",
    ),
    runs(
        "run.gates.clause(&[!was, !again]);",
        "let _ = again;",
        "the audit of turns lets come back what is guessed never to",
    ),
    runs(
        "run.gates.clause(&[!moves]);\n        if !run.possible(&[])? {\n            return Ok(());\n        }",
        "run.gates.clause(&[!moves]);\n        if watching.program.processes.len() < 100 {\n            return Ok(());\n        }",
        "the audit of turns forgets runs that end",
    ),
    Mutant {
        package: "verify",
        tests: &[],
        folder: "crates/verify/src",
        search: "Verdict::Unknown { reason, .. } if is_shortage(reason) => {\n                        outcome.verdict = some_run.verdict;\n                    }",
        replacement: "Verdict::Unknown { reason, .. } if is_shortage(reason) => {}",
        breaks: "a formula of branching time holds though nobody knows of a fair run",
    },
];

/// A fault in the audit of what is proved about runs for ever, whose tests need an engine.
const fn runs(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "verify",
        tests: &[],
        folder: "crates/audit/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in circuits and how programs become such.
const fn circuit(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "circuit",
        tests: &[],
        folder: "crates/circuit/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in the engine for proofs on circuits.
const fn sat(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "sat",
        tests: &[],
        folder: "crates/engines/sat/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in the solver for clauses.
const fn solver(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "solver",
        tests: &[],
        folder: "crates/solver/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in decision diagrams.
const fn symbolic(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "symbolic",
        tests: &[],
        folder: "crates/engines/symbolic/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in the audit.
const fn audit(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "audit",
        tests: &[],
        folder: "crates/audit/src",
        search,
        replacement,
        breaks,
    }
}
