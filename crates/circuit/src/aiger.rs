//! Writing AIGER, the format in which tools for circuits exchange them, text and binary.
//!
//! A. Biere, K. Heljanko, S. Wieringa, *AIGER 1.9 And Beyond* (2011). AIGER knows latches with
//! reset values, bad states, constraints that hold at every moment, fairness, and justice
//! properties. What a [`Circuit`] has beside that is written with more latches.
//!
//! AIGER's constraints hold at every moment, the moment of something bad included. Ours on steps
//! do not bind the last moment, and ours on the initial state bind the first only. So one latch
//! says whether this is the first moment, one whether all steps so far were steps, and these are
//! what is constrained. "If `p` infinitely often then `q` infinitely often" is a guess, made once
//! and kept, that `p` never comes again: fairness demands the guess or `q`. Where the circuit has
//! limits, what is bad is written as bad or beyond a limit.

use crate::aig::{Lit, Node};
use crate::circuit::{Circuit, Reset};

/// A circuit on its way into a file.
#[derive(Clone, Debug)]
pub struct Aiger {
    circuit: Circuit,
    constraints: Vec<Lit>,
    /// For each node its literal in the file.
    literals: Vec<u32>,
    /// The gates in order, as literals of the file.
    gates: Vec<(u32, u32, u32)>,
}

impl Aiger {
    /// The circuit as AIGER can say it.
    #[must_use]
    pub fn new(circuit: &Circuit) -> Aiger {
        let mut circuit = circuit.clone();
        let mut constraints = std::mem::take(&mut circuit.state_constraints);
        if !circuit.initial.is_empty() {
            let first = circuit.latch("first moment", Reset::One);
            circuit.set_next(first, Lit::FALSE);
            let initial = circuit.aig.all(&circuit.initial);
            constraints.push(circuit.aig.implies(first, initial));
            circuit.initial.clear();
        }
        if !circuit.step_constraints.is_empty() {
            let so_far = circuit.latch("steps so far", Reset::One);
            let step = circuit.aig.all(&circuit.step_constraints);
            let next = circuit.aig.and(so_far, step);
            circuit.set_next(so_far, next);
            constraints.push(so_far);
            circuit.step_constraints.clear();
        }
        for (index, (p, q)) in std::mem::take(&mut circuit.compassion)
            .into_iter()
            .enumerate()
        {
            let guess = circuit.input(format!("never again {index}"));
            let guessed = circuit.latch(format!("guessed never again {index}"), Reset::Zero);
            let next = circuit.aig.or(guessed, guess);
            circuit.set_next(guessed, next);
            let broken = circuit.aig.and(guessed, p);
            constraints.push(!broken);
            let fair = circuit.aig.or(guessed, q);
            circuit.justice.push(fair);
        }
        if !circuit.limits.is_empty() {
            for bad in 0..circuit.bads.len() {
                circuit.bads[bad].lit = circuit.bad_or_limit(bad);
            }
            circuit.limits.clear();
        }
        circuit.invariants.clear();
        let mut written = Aiger {
            literals: vec![0; circuit.aig.nodes().len()],
            circuit,
            constraints,
            gates: Vec::new(),
        };
        written.number();
        written
    }

    /// Numbers inputs, latches, and the gates that are needed.
    fn number(&mut self) {
        let circuit = &self.circuit;
        let mut next = 2;
        let leaves = circuit.inputs.iter().map(|input| input.lit);
        for lit in leaves.chain(circuit.latches.iter().map(|latch| latch.lit)) {
            self.literals[lit.node().index()] = next;
            next += 2;
        }
        let mut roots = circuit.roots();
        roots.extend(&self.constraints);
        let needed = circuit.aig.support(&roots);
        for (index, node) in circuit.aig.nodes().iter().enumerate() {
            if let (true, Node::And(a, b)) = (needed[index], *node) {
                let (a, b) = (self.literal(a), self.literal(b));
                self.gates.push((next, a.max(b), a.min(b)));
                self.literals[index] = next;
                next += 2;
            }
        }
    }

    fn literal(&self, lit: Lit) -> u32 {
        self.literals[lit.node().index()] ^ u32::from(lit.is_inverted())
    }

    fn header(&self, kind: &str) -> String {
        let circuit = &self.circuit;
        let (inputs, latches) = (circuit.inputs.len(), circuit.latches.len());
        let gates = self.gates.len();
        let mut text = format!(
            "{kind} {} {inputs} {latches} 0 {gates}",
            inputs + latches + gates
        );
        // Trailing zeros are left out, as older readers expect.
        let more = [
            circuit.bads.len(),
            self.constraints.len(),
            0,
            circuit.justice.len(),
        ];
        let last = more
            .iter()
            .rposition(|&count| count > 0)
            .map_or(0, |at| at + 1);
        for count in &more[..last] {
            text.push_str(&format!(" {count}"));
        }
        text.push('\n');
        text
    }

    fn latch_lines(&self, own: bool) -> String {
        let mut text = String::new();
        for latch in &self.circuit.latches {
            let literal = self.literal(latch.lit);
            if own {
                text.push_str(&format!("{literal} "));
            }
            text.push_str(&self.literal(latch.next).to_string());
            match latch.reset {
                Reset::Zero => {}
                Reset::One => text.push_str(" 1"),
                Reset::Free => text.push_str(&format!(" {literal}")),
            }
            text.push('\n');
        }
        text
    }

    fn claim_lines(&self) -> String {
        let circuit = &self.circuit;
        let bads = circuit.bads.iter().map(|bad| bad.lit);
        let all = bads
            .chain(self.constraints.iter().copied())
            .chain(circuit.justice.iter().copied());
        all.map(|lit| format!("{}\n", self.literal(lit))).collect()
    }

    fn symbols(&self) -> String {
        let circuit = &self.circuit;
        let one_line = |name: &str| name.replace(['\n', '\r'], " ");
        let mut text = String::new();
        for (index, input) in circuit.inputs.iter().enumerate() {
            text.push_str(&format!("i{index} {}\n", one_line(&input.name)));
        }
        for (index, latch) in circuit.latches.iter().enumerate() {
            text.push_str(&format!("l{index} {}\n", one_line(&latch.name)));
        }
        for (index, bad) in circuit.bads.iter().enumerate() {
            text.push_str(&format!("b{index} {}\n", one_line(&bad.name)));
        }
        text
    }

    /// The text format.
    #[must_use]
    pub fn ascii(&self) -> String {
        let mut text = self.header("aag");
        for input in &self.circuit.inputs {
            text.push_str(&format!("{}\n", self.literal(input.lit)));
        }
        text.push_str(&self.latch_lines(true));
        text.push_str(&self.claim_lines());
        for (own, a, b) in &self.gates {
            text.push_str(&format!("{own} {a} {b}\n"));
        }
        text.push_str(&self.symbols());
        text
    }

    /// The binary format.
    #[must_use]
    pub fn binary(&self) -> Vec<u8> {
        let mut bytes = self.header("aig").into_bytes();
        bytes.extend(self.latch_lines(false).into_bytes());
        bytes.extend(self.claim_lines().into_bytes());
        for &(own, a, b) in &self.gates {
            push_difference(&mut bytes, own - a);
            push_difference(&mut bytes, a - b);
        }
        bytes.extend(self.symbols().into_bytes());
        bytes
    }
}

fn push_difference(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
