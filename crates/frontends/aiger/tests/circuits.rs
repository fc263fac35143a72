//! What circuits mean: the netlist evaluated as the format says beside the reference interpreter on
//! the program, and beside the circuit that a file was written from.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "a run says what it covered")]

use std::collections::BTreeSet;

use aiger::{Netlist, Options, Reset, load, read};
use circuit::{Aiger, Bad, Circuit};
use model::Claim;
use model::interp::{Interp, State};

/// All rows of so many bits.
fn rows(width: usize) -> impl Iterator<Item = Vec<bool>> {
    let codes = 0u32..1 << width;
    codes.map(move |code| (0..width).map(|bit| code >> bit & 1 == 1).collect())
}

/// For each number of steps, which bads can be seen after them.
type Shown = Vec<Vec<bool>>;

/// By the definition of the format: constraints hold at every moment, the last included.
fn shown_by_netlist(netlist: &Netlist, depth: usize) -> Shown {
    let reset = |state: &Vec<bool>| {
        let latches = netlist.latches.iter().zip(state);
        latches.into_iter().all(|(latch, &value)| {
            latch.what.reset == Reset::Free || latch.what.reset == Reset::To(value)
        })
    };
    let mut states: BTreeSet<Vec<bool>> = rows(netlist.latches.len()).filter(reset).collect();
    let mut all = Vec::new();
    for _ in 0..=depth {
        let mut seen = vec![false; netlist.bads.len()];
        let mut next = BTreeSet::new();
        for state in &states {
            for row in rows(netlist.inputs.len()) {
                let values = netlist.evaluate(&row, state);
                if !netlist.constraints.iter().all(|c| c.what.holds(&values)) {
                    continue;
                }
                for (seen, bad) in seen.iter_mut().zip(&netlist.bads) {
                    *seen |= bad.what.holds(&values);
                }
                let after = netlist.latches.iter().map(|l| l.what.next.holds(&values));
                next.insert(after.collect());
            }
        }
        all.push(seen);
        states = next;
    }
    all
}

/// The same by the interpreter on the program.
fn shown_by_interpreter(text: &str, depth: usize) -> Shown {
    let program = load("t.aag", text.as_bytes(), &Options::default())
        .program
        .unwrap();
    let interp = Interp::new(&program);
    let bads: Vec<_> = program
        .properties
        .iter()
        .filter_map(|property| match property.claim {
            Claim::Always(good) => Some(good),
            _ => None,
        })
        .collect();
    let mut states: Vec<State> = interp
        .initial()
        .unwrap()
        .into_iter()
        .map(|(_, s)| s)
        .collect();
    let mut all = Vec::new();
    for _ in 0..=depth {
        let bad = |good| {
            states
                .iter()
                .any(|state| !interp.holds(state, good).unwrap())
        };
        all.push(bads.iter().map(|&good| bad(good)).collect());
        let mut next: Vec<State> = Vec::new();
        for state in &states {
            for successor in interp.expand(state).unwrap().successors {
                if !next.contains(&successor.state) {
                    next.push(successor.state);
                }
            }
        }
        states = next;
    }
    all
}

/// A circuit in the text format, gates in any order.
fn random(seed: &mut u64) -> String {
    let mut pick = |below: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*seed >> 33) % below
    };
    let (inputs, latches, gates) = (pick(3), 1 + pick(4), 3 + pick(12));
    let (bads, constraints) = (1 + pick(3), pick(3).saturating_sub(1));
    let variables = inputs + latches + gates;
    let mut text = format!("aag {variables} {inputs} {latches} 0 {gates} {bads} {constraints}\n");
    for input in 1..=inputs {
        text += &format!("{}\n", 2 * input);
    }
    for latch in inputs + 1..=inputs + latches {
        let next = pick(2 * variables + 2);
        let reset = [0, 1, 2 * latch][pick(3) as usize];
        text += &format!("{} {next} {reset}\n", 2 * latch);
    }
    for _ in 0..bads {
        // Rarely true, so that some are never seen.
        text += &format!("{}\n", 2 * (variables - pick(gates.min(3))));
    }
    for _ in 0..constraints {
        text += &format!("{}\n", pick(2 * variables + 2));
    }
    let mut lines: Vec<String> = Vec::new();
    for gate in inputs + latches + 1..=variables {
        let (a, b) = (pick(2 * gate), pick(2 * gate));
        let at = pick(lines.len() as u64 + 1) as usize;
        lines.insert(at, format!("{} {a} {b}\n", 2 * gate));
    }
    text + &lines.concat()
}

#[test]
fn programs_mean_what_circuits_mean() {
    let mut seed = 11;
    let (mut seen, mut never, mut later, mut constrained) = (0, 0, 0, 0);
    for _ in 0..1000 {
        let text = random(&mut seed);
        let netlist = read(text.as_bytes()).unwrap();
        let expected = shown_by_netlist(&netlist, 5);
        assert_eq!(shown_by_interpreter(&text, 5), expected, "{text}");
        constrained += u32::from(!netlist.constraints.is_empty());
        for bad in 0..netlist.bads.len() {
            match expected.iter().position(|row| row[bad]) {
                None => never += 1,
                Some(0) => seen += 1,
                Some(_) => later += 1,
            }
        }
    }
    println!("bad at once {seen}, later {later}, never {never}; {constrained} constrained");
    assert!(seen.min(never) > 300 && later > 100 && constrained > 150);
}

/// A counter of two bits with everything that AIGER has no word for.
fn counter() -> Circuit {
    let mut circuit = Circuit::default();
    let go = circuit.input("go");
    let up = circuit.input("up");
    let low = circuit.latch("low", circuit::Reset::Free);
    let high = circuit.latch("high", circuit::Reset::One);
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
    let spare = circuit.latch("spare", circuit::Reset::Free);
    let both = circuit.aig.and(spare, three);
    circuit.state_constraints.push(!both);
    for (name, low) in [("one", low), ("zero", !low)] {
        let lit = circuit.aig.and(!high, low);
        circuit.bads.push(Bad {
            name: name.into(),
            lit,
        });
    }
    circuit.justice.push(low);
    circuit.compassion.push((high, up));
    circuit
}

fn shown_by_circuit(circuit: &Circuit, depth: usize) -> Shown {
    let mut states: Vec<Vec<bool>> = rows(circuit.latches.len()).collect();
    states.retain(|state| circuit.evaluate(state, &[]).is_initial());
    let mut all = Vec::new();
    for _ in 0..=depth {
        let mut seen = vec![false; circuit.bads.len()];
        let mut next = Vec::new();
        for state in &states {
            for row in rows(circuit.inputs.len()) {
                let values = circuit.evaluate(state, &row);
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
    let expected = shown_by_circuit(&circuit, 6);
    assert!(expected.iter().flatten().any(|&seen| seen));
    let written = Aiger::new(&circuit);
    for bytes in [written.ascii().into_bytes(), written.binary()] {
        let netlist = read(&bytes).expect("what we write is well formed");
        assert_eq!(shown_by_netlist(&netlist, 6), expected);
        assert_eq!(netlist.bads[0].name, "one");
        assert_eq!(netlist.inputs[0].name, "go");
        assert_eq!(netlist.fairness.len(), 2);
    }
}

#[test]
fn examples_of_the_format_are_read() {
    // A toggle with enable and reset, and a half adder, as in the format's own description.
    let toggle = "aag 7 2 1 2 4\n2\n4\n6 8\n6\n7\n8 4 10\n10 13 15\n12 2 6\n14 3 7\n";
    let program = load("t.aag", toggle.as_bytes(), &Options::default())
        .program
        .unwrap();
    assert_eq!(
        program.properties.len(),
        2,
        "outputs are bads where there are none"
    );
    let netlist = read(toggle.as_bytes()).unwrap();
    let mut latch = vec![false];
    let mut values = Vec::new();
    for inputs in [[true, true], [false, true], [true, true], [true, false]] {
        values.push(latch[0]);
        let all = netlist.evaluate(&inputs, &latch);
        latch = vec![netlist.latches[0].what.next.holds(&all)];
    }
    values.push(latch[0]);
    assert_eq!(values, [false, true, true, false, false]);

    let adder = "aag 7 2 0 2 3\n2\n4\n6\n12\n6 13 15\n12 2 4\n14 3 5\ni0 x\ni1 y\no0 s\no1 c\nc\nhalf adder\n";
    let netlist = read(adder.as_bytes()).unwrap();
    assert_eq!(netlist.outputs[0].name, "s");
    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
        let values = netlist.evaluate(&[x, y], &[]);
        assert_eq!(netlist.outputs[0].what.holds(&values), x != y);
        assert_eq!(netlist.outputs[1].what.holds(&values), x && y);
    }
}

#[test]
fn properties_are_named_and_placed() {
    let text = "aag 1 0 1 0 0 2 0 1 1\n2 3\n2\n3\n2\n2\n3\n2\nb0 up\nb1 up\nj0 both\n";
    let loaded = load("t.aag", text.as_bytes(), &Options::default());
    let program = loaded.program.unwrap();
    let stated: Vec<(&str, &str)> = program
        .properties
        .iter()
        .map(|p| (p.name.as_str(), p.text.as_str()))
        .collect();
    assert_eq!(
        stated,
        [
            ("up", "never up"),
            ("up_2", "never up"),
            ("both", "not for ever again and again both"),
        ]
    );
    assert_eq!(loaded.sources.snippet(program.properties[1].span), "3");
    assert_eq!(loaded.sources.snippet(program.globals[0].span), "2 3");
    assert_eq!(program.fairness.len(), 1);
}

/// Any damage is an error or another circuit, never a panic.
#[test]
fn damaged_files_are_errors_or_other_circuits() {
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
        let _ = load("t.aig", &damaged, &Options::default());
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
    let loaded = load("t.aag", text.as_bytes(), &Options::default());
    assert_eq!(loaded.program.unwrap().properties.len(), 1);
}
