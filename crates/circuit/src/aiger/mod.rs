//! AIGER, the format in which tools for circuits exchange them, text and binary.
//!
//! A. Biere, K. Heljanko, S. Wieringa, *AIGER 1.9 And Beyond* (2011). AIGER knows latches with
//! reset values, bad states, constraints that hold at every moment, fairness, and justice
//! properties. What a [`Circuit`](crate::Circuit) has beside that is written with more latches.

mod read;
mod write;

use thiserror::Error;

use crate::aig::Lit;
use crate::circuit::Circuit;

pub use read::read_aiger;
pub use write::Aiger;

/// A circuit that has been read.
#[derive(Clone, Debug)]
pub struct ReadCircuit {
    /// The circuit. Its bads are the file's, or its outputs where it states none, and hold only
    /// where the constraints do. Fairness is its justice.
    pub circuit: Circuit,
    /// The outputs, by name.
    pub outputs: Vec<(String, Lit)>,
    /// The justice properties: each is violated by a run in which all of its literals hold
    /// infinitely often, under the circuit's own fairness.
    pub justice: Vec<(String, Vec<Lit>)>,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AigerError {
    /// It does not begin as AIGER files do.
    #[error("read the header: it is not `aag M I L O A` or `aig M I L O A`, up to `B C J F`")]
    Header,
    /// The numbers of the header contradict each other, or are more than can be held.
    #[error("read the header: its numbers do not fit together, or are too large")]
    Counts,
    /// It ends too early.
    #[error("read line {0}: the file ends too early")]
    Truncated(usize),
    /// A line is not what should be there.
    #[error("read line {0}: {1}")]
    Line(usize, &'static str),
    /// Gates that depend on themselves.
    #[error("order the gates: variable {0} depends on itself")]
    Cycle(u32),
    /// A variable that nothing defines.
    #[error("find variable {0}: nothing defines it")]
    Undefined(u32),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::{Bad, Reset};
    use crate::run::Run;

    /// A counter of two bits with everything that AIGER has no word for.
    fn counter() -> Circuit {
        let mut circuit = Circuit::default();
        let go = circuit.input("go");
        let up = circuit.input("up");
        let low = circuit.latch("low", Reset::Free);
        let high = circuit.latch("high", Reset::One);
        let aig = &mut circuit.aig;
        let next_low = aig.xor(low, go);
        let carry = aig.and(low, go);
        let next_high = aig.xor(high, carry);
        let three = aig.and(low, high);
        let moving = aig.or(go, low);
        let not_both = !aig.and(go, up);
        circuit.set_next(low, next_low);
        circuit.set_next(high, next_high);
        circuit.initial.push(!low);
        circuit.step_constraints.extend([moving, not_both]);
        let spare = circuit.latch("spare", Reset::Free);
        let both = circuit.aig.and(spare, three);
        circuit.state_constraints.push(!both);
        let lit = circuit.aig.and(!high, low);
        circuit.bads.push(Bad {
            name: "one".into(),
            lit,
        });
        let lit = circuit.aig.and(!high, !low);
        circuit.bads.push(Bad {
            name: "zero".into(),
            lit,
        });
        circuit.justice.push(low);
        circuit.compassion.push((high, up));
        circuit
    }

    /// For each number of steps, which bads can be seen after them.
    fn shown(circuit: &Circuit, depth: usize) -> Vec<Vec<bool>> {
        let rows = |width: usize| -> Vec<Vec<bool>> {
            let codes = 0u32..1 << width;
            codes
                .map(|code| (0..width).map(|bit| code >> bit & 1 == 1).collect())
                .collect()
        };
        let inputs = rows(circuit.inputs.len());
        let mut states: Vec<Vec<bool>> = rows(circuit.latches.len());
        states.retain(|state| circuit.evaluate(state, &[]).is_initial());
        let mut all = Vec::new();
        for _ in 0..=depth {
            let mut seen = vec![false; circuit.bads.len()];
            let mut next = Vec::new();
            for state in &states {
                for row in &inputs {
                    let values = circuit.evaluate(state, row);
                    for (seen, bad) in seen.iter_mut().zip(&circuit.bads) {
                        *seen |= values.holds(bad.lit);
                    }
                    let after = values.next_state();
                    if values.is_step() && circuit.evaluate(&after, &[]).is_state() {
                        next.push(after);
                    }
                }
            }
            all.push(seen);
            next.sort();
            next.dedup();
            states = next;
        }
        all
    }

    #[test]
    fn what_is_written_means_the_same() {
        let circuit = counter();
        let expected = shown(&circuit, 6);
        assert!(expected.iter().flatten().any(|&seen| seen));
        let written = Aiger::new(&circuit);
        for bytes in [written.ascii().into_bytes(), written.binary()] {
            let read = read_aiger(&bytes).expect("what we write is well formed");
            assert_eq!(shown(&read.circuit, 6), expected);
            assert_eq!(read.circuit.bads[0].name, "one");
            assert_eq!(read.circuit.inputs[0].name, "go");
            assert_eq!(read.circuit.justice.len(), 2);
            // Written again it stays what it is.
            let again = Aiger::new(&read.circuit).ascii().into_bytes();
            let again = read_aiger(&again).expect("what we write is well formed");
            assert_eq!(shown(&again.circuit, 6), expected);
        }
    }

    #[test]
    fn examples_of_the_format_are_read() {
        // A toggle with enable and reset, and a half adder, as in the format's own description.
        let toggle = "aag 7 2 1 2 4\n2\n4\n6 8\n6\n7\n8 4 10\n10 13 15\n12 2 6\n14 3 7\n";
        let read = read_aiger(toggle.as_bytes()).expect("it is well formed");
        assert_eq!(read.outputs.len(), 2);
        assert_eq!(
            read.circuit.bads.len(),
            2,
            "outputs are bads where there are none"
        );
        let latch = read.circuit.latches[0].lit;
        let run = Run {
            initial: read.circuit.reset_state(),
            steps: vec![
                vec![true, true],
                vec![false, true],
                vec![true, true],
                vec![true, false],
            ],
            ..Run::default()
        };
        let states = read.circuit.states(&run).expect("there are no constraints");
        let values: Vec<bool> = states
            .iter()
            .map(|state| read.circuit.evaluate(state, &[]).holds(latch))
            .collect();
        assert_eq!(values, [false, true, true, false, false]);

        let adder = "aag 7 2 0 2 3\n2\n4\n6\n12\n6 13 15\n12 2 4\n14 3 5\ni0 x\ni1 y\no0 s\no1 c\nc\nhalf adder\n";
        let read = read_aiger(adder.as_bytes()).expect("it is well formed");
        assert_eq!(read.outputs[0].0, "s");
        for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
            let values = read.circuit.evaluate(&[], &[x, y]);
            assert_eq!(values.holds(read.outputs[0].1), x != y);
            assert_eq!(values.holds(read.outputs[1].1), x && y);
        }
    }

    #[test]
    fn malformed_files_are_errors() {
        for (text, expected) in [
            ("", AigerError::Header),
            ("aag 1 2", AigerError::Header),
            ("axg 0 0 0 0 0\n", AigerError::Header),
            ("aag 0 1 0 0 0\n2\n", AigerError::Counts),
            ("aag 4294967295 4294967295 0 0 0\n", AigerError::Counts),
            ("aig 4000000000 4000000000 0 0 0\n", AigerError::Counts),
            ("aag 1 1 0 0 0\n", AigerError::Truncated(2)),
            (
                "aag 1 1 0 0 0\n3\n",
                AigerError::Line(2, "an input is an even literal"),
            ),
            ("aag 2 1 0 1 1\n2\n4\n4 4 2\n", AigerError::Cycle(2)),
            ("aag 3 1 0 1 1\n2\n4\n4 6 2\n", AigerError::Undefined(3)),
            (
                "aag 2 2 0 0 0\n2\n2\n",
                AigerError::Line(3, "a variable is defined twice"),
            ),
            ("aig 3 1 0 0 2\n", AigerError::Truncated(2)),
        ] {
            assert_eq!(
                read_aiger(text.as_bytes()).err(),
                Some(expected),
                "{text:?}"
            );
        }
        // Any damage is an error or another circuit, never a panic.
        let bytes = Aiger::new(&counter()).binary();
        let mut seed = 3u64;
        for _ in 0..3000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut damaged = bytes.clone();
            let at = (seed >> 33) as usize % damaged.len();
            damaged[at] = (seed >> 20) as u8;
            if seed >> 63 == 1 {
                damaged.truncate(at);
            }
            let _ = read_aiger(&damaged);
        }
    }

    #[test]
    fn a_long_chain_of_gates_is_no_matter() {
        // Each gate is defined before its operand, so that order must be found.
        let count = 200_000u32;
        let mut text = format!("aag {} 1 0 1 {count}\n2\n{}\n", count + 1, 2 * (count + 1));
        for gate in (0..count).rev() {
            let own = 2 * (gate + 2);
            text.push_str(&format!("{own} {} 2\n", own - 1));
        }
        let read = read_aiger(text.as_bytes()).expect("it is well formed");
        assert_eq!(read.outputs.len(), 1);
    }
}
