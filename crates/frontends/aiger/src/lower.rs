//! From a circuit to a program: inputs and latches are variables that move at once, gates are
//! expressions over them.

use std::collections::HashSet;

use logic::Ltl;
use model::{
    Claim, Composition, ExprId, Fairness, FairnessKind, FiniteRuns, GlobalId, Place, Program,
    Property, SyncAssign, Type, ValueSet, Variable,
};
use source::{SourceFile, Span};

use crate::netlist::{Named, Netlist, Reset, Signal};

/// The program of a circuit.
pub(crate) fn lower(name: &str, netlist: &Netlist, file: &SourceFile) -> Program {
    let mut program = Program::new(name, "AIGER");
    program.finite_runs = FiniteRuns::InfiniteOnly;
    let span = |line: usize| match u32::try_from(line) {
        Ok(line) if (1..=file.line_count()).contains(&line) => file.line_span(line),
        _ => Span::NONE,
    };
    let mut variable = |name: &str, init: ValueSet, line: usize| {
        program.add_global(Variable {
            init: Some(init),
            span: span(line),
            ..Variable::new(name, Type::Bool)
        })
    };
    let either = || ValueSet::All(Type::Bool);
    let mut leaves: Vec<GlobalId> = Vec::new();
    for input in &netlist.inputs {
        leaves.push(variable(&input.name, either(), input.line));
    }
    let mut resets = Vec::new();
    for latch in &netlist.latches {
        let place = variable(&latch.name, either(), latch.line);
        resets.push((place, latch.what.reset));
        leaves.push(place);
    }
    for (place, reset) in resets {
        if let Reset::To(value) = reset {
            let value = program.exprs.bool(value);
            program.globals[place.index()].init = Some(ValueSet::One(value));
        }
    }
    let mut nodes = Nodes::of(netlist, &leaves, program);
    let assigns = netlist.latches.iter().zip(&leaves[netlist.inputs.len()..]);
    let assigns = assigns.map(|(latch, &global)| SyncAssign {
        global,
        next: ValueSet::One(nodes.expr(latch.what.next)),
    });
    nodes.program.composition = Composition::Synchronous(assigns.collect());
    for constraint in &netlist.constraints {
        let holds = nodes.expr(constraint.what);
        nodes.program.state_constraint.push(holds);
    }
    for fair in &netlist.fairness {
        let fairness = Fairness {
            name: fair.name.clone(),
            kind: FairnessKind::Justice(nodes.expr(fair.what)),
            assumption: None,
        };
        nodes.program.fairness.push(fairness);
    }
    let mut names = HashSet::new();
    for bad in bads(netlist) {
        let claim = Claim::Always(nodes.expr(bad.what.invert_if(true)));
        let text = format!("never {}", bad.name);
        let entry = property(bad, text, claim, span(bad.line), &mut names);
        nodes.program.properties.push(entry);
    }
    for justice in &netlist.justice {
        let again = justice.what.iter().map(|&signal| {
            let holds = nodes.expr(signal);
            Ltl::always(Ltl::eventually(Ltl::atom(holds)))
        });
        let claim = Claim::Ltl(Ltl::not(Ltl::all(again.collect::<Vec<_>>())));
        let text = format!("not for ever again and again {}", justice.name);
        let entry = property(justice, text, claim, span(justice.line), &mut names);
        nodes.program.properties.push(entry);
    }
    nodes.program
}

/// What must never be: the outputs, in files that know nothing of properties.
fn bads(netlist: &Netlist) -> &[Named<Signal>] {
    if netlist.bads.is_empty() && netlist.justice.is_empty() {
        &netlist.outputs
    } else {
        &netlist.bads
    }
}

fn property<T>(
    stated: &Named<T>,
    text: String,
    claim: Claim,
    span: Span,
    names: &mut HashSet<String>,
) -> Property {
    let mut name = stated.name.clone();
    let mut number = 1;
    while !names.insert(name.clone()) {
        number += 1;
        name = format!("{}_{number}", stated.name);
    }
    Property {
        name,
        text,
        span,
        claim,
        trigger: None,
        observers: Vec::new(),
        assumptions: Vec::new(),
    }
}

/// The expressions of a circuit's nodes.
struct Nodes {
    program: Program,
    exprs: Vec<ExprId>,
}

impl Nodes {
    fn of(netlist: &Netlist, leaves: &[GlobalId], mut program: Program) -> Nodes {
        let mut exprs = vec![program.exprs.bool(false)];
        for &leaf in leaves {
            exprs.push(program.exprs.load(Place::global(leaf), Type::Bool));
        }
        let mut nodes = Nodes { program, exprs };
        for &(a, b) in &netlist.gates {
            let gate = nodes.gate(a, b);
            nodes.exprs.push(gate);
        }
        nodes
    }

    /// An *and*; written as *or* where that says the same with fewer opposites.
    fn gate(&mut self, a: Signal, b: Signal) -> ExprId {
        if a.is_inverted() && b.is_inverted() {
            let [a, b] = [a, b].map(|signal| self.expr(signal.invert_if(true)));
            let either = self.program.exprs.or(a, b);
            self.program.exprs.not(either)
        } else {
            let [a, b] = [a, b].map(|signal| self.expr(signal));
            self.program.exprs.and(a, b)
        }
    }

    fn expr(&mut self, signal: Signal) -> ExprId {
        let expr = self.exprs[signal.node()];
        if signal.is_inverted() {
            self.program.exprs.not(expr)
        } else {
            expr
        }
    }
}
