//! Programs as SMV models, by way of their circuits: a boolean variable for each latch, an input
//! for each input, a definition for each gate.
//!
//! Formulas of linear time are read where a macro step ends, which is not everywhere in the
//! circuit: `X p` becomes "at the next such place", the other operators pass over the rest. A run
//! that never comes to such a place again is no run, by fairness. NuSMV takes no inputs in
//! invariants, fairness and CTL, so a latch remembers there what an input has shown.

use std::fmt::Write as _;

use circuit::{Circuit, Encoding, Lit, Node, Reset};
use logic::{Ctl, Ltl};
use model::{Claim, Composition, ExprId, Program, PropertyId};
use passes::Selection;
use source::Diagnostic;

use crate::TWO_CLAIMS;
use crate::gates::{GateModel, exact, foreign, share};

/// A program as an SMV model that NuSMV reads, for some of its properties.
///
/// # Errors
/// What of the program has no gates.
pub fn smv(
    program: &Program,
    properties: &[PropertyId],
    passes: &Selection,
) -> Result<GateModel, Vec<Diagnostic>> {
    let mut shared = share(program, properties, passes);
    let mut encoding = exact(&shared.program)?;
    let mut specs: Vec<(PropertyId, Spec)> = Vec::new();
    for &id in &shared.together {
        match claim(&mut encoding, &shared.program, id) {
            Ok(spec) => specs.push((id, spec)),
            Err(why) => shared.left_out.push((id, why)),
        }
    }
    let beyond = encoding.circuit.aig.any(&encoding.circuit.limits.clone());
    let limits = (beyond != Lit::FALSE).then(|| ever(&mut encoding.circuit, beyond));
    for lit in &mut encoding.circuit.justice.clone() {
        let seen = shown(&mut encoding.circuit, *lit);
        let justice = &mut encoding.circuit.justice;
        justice
            .iter_mut()
            .filter(|other| *other == lit)
            .for_each(|other| *other = seen);
    }
    for pair in 0..encoding.circuit.compassion.len() {
        let (p, q) = encoding.circuit.compassion[pair];
        let pair_seen = (
            shown(&mut encoding.circuit, p),
            shown(&mut encoding.circuit, q),
        );
        encoding.circuit.compassion[pair] = pair_seen;
    }
    let stable = encoding.stable;
    let mut writer = Writer::new(&encoding.circuit);
    writer.gates(&specs, stable, limits);
    let name = |index: usize| plain(&program.properties[index].name);
    let mut claims = Vec::new();
    for (number, (id, spec)) in specs.iter().enumerate() {
        let name = format!("{}_p{number}", name(id.index()));
        writer.spec(&name, spec, stable);
        claims.push((*id, name));
    }
    if let Some(limit) = limits {
        let text = writer.lit(!limit);
        writer.line(&format!(
            "-- The properties say nothing of runs on which this fails: a number leaves 48 bits.\n\
             INVARSPEC NAME limits := {text};"
        ));
    }
    Ok(GateModel {
        text: writer.text,
        claims,
        left_out: shared.left_out,
    })
}

/// A property of the model.
enum Spec {
    Invariant(Lit),
    Linear(Ltl<Lit>),
    Branching(Ctl<Lit>),
}

fn reads_inputs(circuit: &Circuit, lit: Lit) -> bool {
    let leaves = circuit.aig.leaves(lit).into_iter();
    leaves
        .into_iter()
        .any(|id| matches!(circuit.aig.node(id), Node::Input(_)))
}

/// A latch that remembers whether a literal, inputs and all, has ever been true.
fn ever(circuit: &mut Circuit, lit: Lit) -> Lit {
    let seen = circuit.latch("seen", Reset::Zero);
    let next = circuit.aig.or(seen, lit);
    circuit.set_next(seen, next);
    seen
}

/// A literal that is true as often, without inputs: where it reads some, a latch that says whether
/// it was true in the step before.
fn shown(circuit: &mut Circuit, lit: Lit) -> Lit {
    if !reads_inputs(circuit, lit) {
        return lit;
    }
    let was = circuit.latch("was", Reset::Zero);
    circuit.set_next(was, lit);
    was
}

fn claim(encoding: &mut Encoding<'_>, program: &Program, id: PropertyId) -> Result<Spec, String> {
    if program.alternatives.contains_key(&id) {
        return Err(TWO_CLAIMS.to_owned());
    }
    let claim = &program.properties[id.index()].claim;
    if let Some(why) = foreign(claim) {
        return Err(why.to_owned());
    }
    let turns = matches!(program.composition, Composition::Interleaving { .. });
    if let Some(bad) = encoding.bads.iter().position(|bad| *bad == id) {
        let lit = encoding.circuit.bads[bad].lit;
        if !reads_inputs(&encoding.circuit, lit) {
            return Ok(Spec::Invariant(!lit));
        }
        if !turns {
            return Err("it speaks of inputs where no step need follow".to_owned());
        }
        return Ok(Spec::Invariant(!ever(&mut encoding.circuit, lit)));
    }
    let unsaid = |what: String| format!("{what} has no gates");
    match claim {
        Claim::Ltl(formula) => {
            if turns && encoding.deadlock.is_none() {
                return Err("where runs end is not known to the circuit".to_owned());
            }
            let first = encoding.circuit.reset_state();
            if !encoding
                .circuit
                .evaluate(&first, &[])
                .holds(encoding.stable)
            {
                return Err("the first state is within a macro step".to_owned());
            }
            if let Some(fairness) = encoding.unfair.first() {
                return Err(format!("the circuit leaves out {fairness}"));
            }
            let atom = &mut |expr: ExprId| encoding.atom(expr).map_err(|e| unsaid(e.what));
            Ok(Spec::Linear(linear(formula, atom)?))
        }
        Claim::Ctl(formula) if !turns => {
            let atom = &mut |expr: ExprId| {
                let lit = encoding.atom(expr).map_err(|e| unsaid(e.what))?;
                if reads_inputs(&encoding.circuit, lit) {
                    return Err("branching time that speaks of inputs".to_owned());
                }
                Ok(lit)
            };
            Ok(Spec::Branching(branching(formula, atom)?))
        }
        _ => Err("the circuit does not say it".to_owned()),
    }
}

type Atom<'a> = &'a mut dyn FnMut(ExprId) -> Result<Lit, String>;

fn linear(formula: &Ltl<ExprId>, atom: Atom<'_>) -> Result<Ltl<Lit>, String> {
    let mut one = |formula: &Ltl<ExprId>| linear(formula, atom).map(Into::into);
    Ok(match formula {
        Ltl::True => Ltl::True,
        Ltl::False => Ltl::False,
        Ltl::Atom(expr) => Ltl::Atom(atom(*expr)?),
        Ltl::Not(p) => Ltl::Not(one(p)?),
        Ltl::And(all) | Ltl::Or(all) => {
            let parts: Result<Vec<Ltl<Lit>>, String> =
                all.iter().map(|part| linear(part, atom)).collect();
            match formula {
                Ltl::And(_) => Ltl::And(parts?.into()),
                _ => Ltl::Or(parts?.into()),
            }
        }
        Ltl::Implies(p, q) => Ltl::Implies(one(p)?, one(q)?),
        Ltl::Iff(p, q) => Ltl::Iff(one(p)?, one(q)?),
        Ltl::Next(p) => Ltl::Next(one(p)?),
        Ltl::Eventually(p) => Ltl::Eventually(one(p)?),
        Ltl::Always(p) => Ltl::Always(one(p)?),
        Ltl::Until(p, q) => Ltl::Until(one(p)?, one(q)?),
        Ltl::Release(p, q) => Ltl::Release(one(p)?, one(q)?),
        Ltl::WeakUntil(p, q) => Ltl::WeakUntil(one(p)?, one(q)?),
    })
}

fn branching(formula: &Ctl<ExprId>, atom: Atom<'_>) -> Result<Ctl<Lit>, String> {
    let mut one = |formula: &Ctl<ExprId>| branching(formula, atom).map(Into::into);
    Ok(match formula {
        Ctl::True => Ctl::True,
        Ctl::False => Ctl::False,
        Ctl::Atom(expr) => Ctl::Atom(atom(*expr)?),
        Ctl::Not(p) => Ctl::Not(one(p)?),
        Ctl::And(all) | Ctl::Or(all) => {
            let parts: Result<Vec<Ctl<Lit>>, String> =
                all.iter().map(|part| branching(part, atom)).collect();
            match formula {
                Ctl::And(_) => Ctl::And(parts?.into()),
                _ => Ctl::Or(parts?.into()),
            }
        }
        Ctl::Implies(p, q) => Ctl::Implies(one(p)?, one(q)?),
        Ctl::Iff(p, q) => Ctl::Iff(one(p)?, one(q)?),
        Ctl::Next(who, p) => Ctl::Next(*who, one(p)?),
        Ctl::Eventually(who, p) => Ctl::Eventually(*who, one(p)?),
        Ctl::Always(who, p) => Ctl::Always(*who, one(p)?),
        Ctl::Until(who, p, q) => Ctl::Until(*who, one(p)?, one(q)?),
        Ctl::Within(who, lo, hi, p, q) => Ctl::Within(*who, *lo, *hi, one(p)?, one(q)?),
    })
}

/// A name as SMV takes it.
fn plain(name: &str) -> String {
    let letters = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    format!("v_{}", letters.collect::<String>())
}

struct Writer<'c> {
    circuit: &'c Circuit,
    text: String,
}

impl<'c> Writer<'c> {
    fn new(circuit: &'c Circuit) -> Writer<'c> {
        Writer {
            circuit,
            text: "-- Made by Probity. Each v_ is a bit; what it belongs to is in its name.\n"
                .to_owned(),
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn lit(&self, lit: Lit) -> String {
        let name = match self.circuit.aig.node(lit.node()) {
            Node::False => return if lit.is_inverted() { "TRUE" } else { "FALSE" }.to_owned(),
            Node::Input(id) => {
                format!(
                    "{}_i{}",
                    plain(&self.circuit.inputs[id.index()].name),
                    id.index()
                )
            }
            Node::Latch(id) => {
                format!(
                    "{}_l{}",
                    plain(&self.circuit.latches[id.index()].name),
                    id.index()
                )
            }
            Node::And(..) => format!("g{}", lit.node().0),
        };
        if lit.is_inverted() {
            format!("!{name}")
        } else {
            name
        }
    }

    /// Everything but the properties.
    fn gates(&mut self, specs: &[(PropertyId, Spec)], stable: Lit, limits: Option<Lit>) {
        let circuit = self.circuit;
        self.line("MODULE main");
        for input in &circuit.inputs {
            let name = self.lit(input.lit);
            self.line(&format!("IVAR {name} : boolean;"));
        }
        for latch in &circuit.latches {
            let name = self.lit(latch.lit);
            self.line(&format!("VAR {name} : boolean;"));
        }
        let mut roots: Vec<Lit> = circuit.latches.iter().map(|latch| latch.next).collect();
        roots.extend(&circuit.initial);
        roots.extend(&circuit.state_constraints);
        roots.extend(&circuit.step_constraints);
        roots.extend(&circuit.justice);
        roots.extend(circuit.compassion.iter().flat_map(|&(p, q)| [p, q]));
        roots.push(stable);
        roots.extend(limits);
        for (_, spec) in specs {
            match spec {
                Spec::Invariant(lit) => roots.push(*lit),
                Spec::Linear(formula) => roots.extend(formula.atoms()),
                Spec::Branching(formula) => roots.extend(formula.atoms()),
            }
        }
        let needed = circuit.aig.support(&roots);
        for (index, node) in circuit.aig.nodes().iter().enumerate() {
            if let (true, Node::And(a, b)) = (needed[index], *node) {
                let (a, b) = (self.lit(a), self.lit(b));
                self.line(&format!("DEFINE g{index} := {a} & {b};"));
            }
        }
        for latch in &circuit.latches {
            let (name, next) = (self.lit(latch.lit), self.lit(latch.next));
            match latch.reset {
                Reset::Zero => self.line(&format!("ASSIGN init({name}) := FALSE;")),
                Reset::One => self.line(&format!("ASSIGN init({name}) := TRUE;")),
                Reset::Free => {}
            }
            self.line(&format!("ASSIGN next({name}) := {next};"));
        }
        for (word, lits) in [
            ("INIT", &circuit.initial),
            ("INVAR", &circuit.state_constraints),
            ("TRANS", &circuit.step_constraints),
            ("JUSTICE", &circuit.justice),
        ] {
            for &lit in lits {
                let lit = self.lit(lit);
                self.line(&format!("{word} {lit};"));
            }
        }
        for &(p, q) in &circuit.compassion {
            let (p, q) = (self.lit(p), self.lit(q));
            self.line(&format!("COMPASSION ({p}, {q});"));
        }
    }

    fn spec(&mut self, name: &str, spec: &Spec, stable: Lit) {
        let mut text = String::new();
        match spec {
            Spec::Invariant(lit) => {
                let lit = self.lit(*lit);
                let _ = write!(text, "INVARSPEC NAME {name} := {lit};");
            }
            Spec::Linear(formula) => {
                let mut formula = formula.map(|&lit| self.lit(lit));
                if stable != Lit::TRUE {
                    formula = where_it_counts(&formula, &self.lit(stable));
                }
                let formula = formula.to_smv();
                let _ = write!(text, "LTLSPEC NAME {name} := {formula};");
            }
            Spec::Branching(formula) => {
                let formula = formula.map(&mut |&lit| self.lit(lit)).to_smv();
                let _ = write!(text, "CTLSPEC NAME {name} := {formula};");
            }
        }
        self.line(&text);
    }
}

/// A formula of linear time, read where `here` holds only.
fn where_it_counts(formula: &Ltl<String>, here: &str) -> Ltl<String> {
    let one = |p: &Ltl<String>| where_it_counts(p, here);
    let counts = || Ltl::atom(here.to_owned());
    // At a place that counts, and at a place unless it does not count.
    let met = |p| Ltl::and(counts(), p);
    let kept = |p| Ltl::implies(counts(), p);
    match formula {
        Ltl::True => Ltl::True,
        Ltl::False => Ltl::False,
        Ltl::Atom(lit) => Ltl::Atom(lit.clone()),
        Ltl::Not(p) => Ltl::not(one(p)),
        Ltl::And(all) => Ltl::all(all.iter().map(one)),
        Ltl::Or(all) => Ltl::any(all.iter().map(one)),
        Ltl::Implies(p, q) => Ltl::implies(one(p), one(q)),
        Ltl::Iff(p, q) => Ltl::iff(one(p), one(q)),
        Ltl::Next(p) => Ltl::next(Ltl::until(Ltl::not(counts()), met(one(p)))),
        Ltl::Eventually(p) => Ltl::eventually(met(one(p))),
        Ltl::Always(p) => Ltl::always(kept(one(p))),
        Ltl::Until(p, q) => Ltl::until(kept(one(p)), met(one(q))),
        Ltl::Release(p, q) => Ltl::release(met(one(p)), kept(one(q))),
        Ltl::WeakUntil(p, q) => {
            let (p, q) = (one(p), one(q));
            Ltl::release(met(q.clone()), kept(Ltl::or(p, q)))
        }
    }
}
