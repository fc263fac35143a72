//! Reading. Nothing is believed: sizes are checked against what the file can hold before memory
//! is asked for, and gates are put in order without recursion.

use crate::aig::Lit;
use crate::circuit::{Bad, Circuit, Reset};

use super::{AigerError, ReadCircuit};

/// More variables than these are not read.
const MOST: u32 = 1 << 26;
/// More inputs than these are not read from a binary file, in which they take no room.
const MOST_INPUTS: u32 = 1 << 22;

struct Counts {
    binary: bool,
    variables: u32,
    inputs: u32,
    latches: u32,
    outputs: u32,
    gates: u32,
    bads: u32,
    constraints: u32,
    justice: u32,
    fairness: u32,
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    line: usize,
}

impl<'b> Reader<'b> {
    fn next_line(&mut self) -> Result<&'b str, AigerError> {
        if self.at >= self.bytes.len() {
            return Err(AigerError::Truncated(self.line));
        }
        let rest = &self.bytes[self.at..];
        let length = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len());
        let text = std::str::from_utf8(&rest[..length])
            .map_err(|_| AigerError::Line(self.line, "this is no text"))?;
        self.at += length + 1;
        self.line += 1;
        Ok(text.trim_end_matches('\r'))
    }

    /// The numbers of a line.
    fn numbers(&mut self, least: usize, most: usize) -> Result<Vec<u32>, AigerError> {
        let line = self.line;
        let text = self.next_line()?;
        let numbers: Option<Vec<u32>> = text.split(' ').map(|word| word.parse().ok()).collect();
        match numbers {
            Some(numbers) if (least..=most).contains(&numbers.len()) => Ok(numbers),
            _ => Err(AigerError::Line(
                line,
                "these are not the numbers that should be here",
            )),
        }
    }

    /// A difference in a binary file: seven bits a byte, the lowest first.
    fn difference(&mut self) -> Result<u32, AigerError> {
        let mut value = 0u32;
        for shift in (0..32).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else {
                return Err(AigerError::Truncated(self.line));
            };
            self.at += 1;
            let bits = u32::from(byte & 0x7f);
            if shift == 28 && bits > 0xf {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(AigerError::Line(self.line, "a difference is too large"))
    }
}

fn header(reader: &mut Reader<'_>) -> Result<Counts, AigerError> {
    let text = reader.next_line().map_err(|_| AigerError::Header)?;
    let mut words = text.split(' ');
    let binary = match words.next() {
        Some("aag") => false,
        Some("aig") => true,
        _ => return Err(AigerError::Header),
    };
    let numbers: Option<Vec<u64>> = words.map(|word| word.parse().ok()).collect();
    let mut numbers = numbers.ok_or(AigerError::Header)?;
    if !(5..=9).contains(&numbers.len()) {
        return Err(AigerError::Header);
    }
    numbers.resize(9, 0);
    let length = reader.bytes.len() as u64;
    let sum: u64 = numbers[1]
        .saturating_add(numbers[2])
        .saturating_add(numbers[4]);
    // In text every definition takes a line, in binary all but the inputs take a byte at least.
    let lines: u64 = numbers[1..].iter().fold(0, |all, &n| all.saturating_add(n));
    let lines = if binary { lines - numbers[1] } else { lines };
    let fits = numbers[0] <= u64::from(MOST)
        && sum <= numbers[0]
        && (!binary || (sum == numbers[0] && numbers[1] <= u64::from(MOST_INPUTS)))
        && numbers[0] <= u64::from(MOST);
    if !fits {
        return Err(AigerError::Counts);
    }
    if lines > length || (!binary && numbers[0] > length.saturating_mul(4).max(1 << 16)) {
        return Err(AigerError::Truncated(2));
    }
    let small = |index: usize| u32::try_from(numbers[index]).map_err(|_| AigerError::Counts);
    Ok(Counts {
        binary,
        variables: small(0)?,
        inputs: small(1)?,
        latches: small(2)?,
        outputs: small(3)?,
        gates: small(4)?,
        bads: small(5)?,
        constraints: small(6)?,
        justice: small(7)?,
        fairness: small(8)?,
    })
}

#[derive(Clone, Copy)]
enum Definition {
    None,
    Known(Lit),
    Gate(u32, u32),
    /// A gate whose operands are being put in order.
    Open(u32, u32),
}

/// Reads an AIGER file, text or binary.
///
/// # Errors
/// If it is none, or is too large to be held.
pub fn read_aiger(bytes: &[u8]) -> Result<ReadCircuit, AigerError> {
    let mut reader = Reader {
        bytes,
        at: 0,
        line: 1,
    };
    let counts = header(&mut reader)?;
    let mut circuit = Circuit::default();
    let mut definitions = vec![Definition::None; counts.variables as usize + 1];
    definitions[0] = Definition::Known(Lit::FALSE);
    let define = |definitions: &mut Vec<Definition>, line, literal: u32, what, definition| {
        if literal % 2 == 1 || literal == 0 {
            return Err(AigerError::Line(line, what));
        }
        match definitions.get_mut(literal as usize / 2) {
            None => Err(AigerError::Line(
                line,
                "a literal is greater than the header says",
            )),
            Some(slot @ Definition::None) => {
                *slot = definition;
                Ok(())
            }
            Some(_) => Err(AigerError::Line(line, "a variable is defined twice")),
        }
    };
    for index in 0..counts.inputs {
        let line = reader.line;
        let literal = match counts.binary {
            true => 2 * (index + 1),
            false => reader.numbers(1, 1)?[0],
        };
        let lit = circuit.input(format!("i{index}"));
        let what = "an input is an even literal";
        define(
            &mut definitions,
            line,
            literal,
            what,
            Definition::Known(lit),
        )?;
    }
    let mut nexts = Vec::new();
    for index in 0..counts.latches {
        let line = reader.line;
        let mut numbers = match counts.binary {
            true => reader.numbers(1, 2)?,
            false => reader.numbers(2, 3)?,
        };
        if counts.binary {
            numbers.insert(0, 2 * (counts.inputs + index + 1));
        }
        let reset = match numbers.get(2) {
            None | Some(0) => Reset::Zero,
            Some(1) => Reset::One,
            Some(own) if *own == numbers[0] => Reset::Free,
            Some(_) => return Err(AigerError::Line(line, "a latch is reset to 0, 1 or itself")),
        };
        let lit = circuit.latch(format!("l{index}"), reset);
        let what = "a latch is an even literal";
        define(
            &mut definitions,
            line,
            numbers[0],
            what,
            Definition::Known(lit),
        )?;
        nexts.push((lit, numbers[1]));
    }
    let one = |reader: &mut Reader<'_>, count: u32| -> Result<Vec<u32>, AigerError> {
        (0..count).map(|_| Ok(reader.numbers(1, 1)?[0])).collect()
    };
    let outputs = one(&mut reader, counts.outputs)?;
    let bads = one(&mut reader, counts.bads)?;
    let constraints = one(&mut reader, counts.constraints)?;
    let sizes = one(&mut reader, counts.justice)?;
    let mut justice = Vec::new();
    for size in sizes {
        if size as usize > reader.bytes.len() {
            return Err(AigerError::Truncated(reader.line));
        }
        justice.push(one(&mut reader, size)?);
    }
    let fairness = one(&mut reader, counts.fairness)?;
    for index in 0..counts.gates {
        let line = reader.line;
        let (own, a, b) = if counts.binary {
            let own = 2 * (counts.inputs + counts.latches + index + 1);
            let a = own.checked_sub(reader.difference()?);
            let b = match a {
                Some(a) => a.checked_sub(reader.difference()?),
                None => None,
            };
            match (a, b) {
                (Some(a), Some(b)) if a < own => (own, a, b),
                _ => return Err(AigerError::Line(line, "a gate's operands come before it")),
            }
        } else {
            let numbers = reader.numbers(3, 3)?;
            (numbers[0], numbers[1], numbers[2])
        };
        let what = "a gate is an even literal";
        define(&mut definitions, line, own, what, Definition::Gate(a, b))?;
    }
    build_gates(&mut circuit, &mut definitions)?;
    let lit = |literal: u32| match definitions.get(literal as usize / 2) {
        Some(Definition::Known(lit)) => Ok(lit.invert_if(literal % 2 == 1)),
        _ => Err(AigerError::Undefined(literal / 2)),
    };
    let all = |literals: &[u32]| {
        literals
            .iter()
            .map(|&l| lit(l))
            .collect::<Result<Vec<_>, _>>()
    };
    for (latch, next) in nexts {
        let next = lit(next)?;
        circuit.set_next(latch, next);
    }
    let outputs = all(&outputs)?;
    let bads = all(&bads)?;
    let constraints = all(&constraints)?;
    circuit.justice = all(&fairness)?;
    let justice = justice
        .iter()
        .map(|set| all(set))
        .collect::<Result<Vec<_>, _>>()?;
    let names = symbols(&mut reader, &mut circuit);
    // Constraints hold at the moment at which something is bad, too.
    let (over_latches, over_inputs): (Vec<Lit>, Vec<Lit>) =
        constraints.into_iter().partition(|&lit| {
            let leaves = circuit.aig.leaves(lit);
            let is_input = |id| matches!(circuit.aig.node(id), crate::Node::Input(_));
            !leaves.into_iter().any(is_input)
        });
    let held = circuit.aig.all(&over_inputs);
    circuit.state_constraints = over_latches;
    circuit.step_constraints = over_inputs;
    let (kind, bad_lits) = if bads.is_empty() && justice.is_empty() {
        ('o', &outputs)
    } else {
        ('b', &bads)
    };
    for (index, &bad) in bad_lits.iter().enumerate() {
        let lit = circuit.aig.and(bad, held);
        circuit.bads.push(Bad {
            name: named_as(&names, kind, index),
            lit,
        });
    }
    Ok(ReadCircuit {
        outputs: outputs
            .into_iter()
            .enumerate()
            .map(|(index, lit)| (named_as(&names, 'o', index), lit))
            .collect(),
        justice: justice
            .into_iter()
            .enumerate()
            .map(|(index, set)| (named_as(&names, 'j', index), set))
            .collect(),
        circuit,
    })
}

fn named_as(names: &[(char, usize, String)], kind: char, index: usize) -> String {
    let known = names.iter().find(|(k, i, _)| *k == kind && *i == index);
    known.map_or_else(|| format!("{kind}{index}"), |(_, _, name)| name.clone())
}

/// Builds gates, operands first.
fn build_gates(circuit: &mut Circuit, definitions: &mut [Definition]) -> Result<(), AigerError> {
    for start in 0..definitions.len() {
        let mut open = vec![start];
        while let Some(&variable) = open.last() {
            let (a, b) = match definitions[variable] {
                Definition::Known(_) | Definition::None => {
                    open.pop();
                    continue;
                }
                Definition::Gate(a, b) | Definition::Open(a, b) => (a, b),
            };
            let value = |literal: u32| match definitions.get(literal as usize / 2) {
                Some(Definition::Known(lit)) => Ok(Some(lit.invert_if(literal % 2 == 1))),
                Some(Definition::Gate(..)) => Ok(None),
                Some(Definition::Open(..)) => Err(AigerError::Cycle(literal / 2)),
                Some(Definition::None) | None => Err(AigerError::Undefined(literal / 2)),
            };
            match (value(a), value(b)) {
                (Ok(Some(x)), Ok(Some(y))) => {
                    definitions[variable] = Definition::Known(circuit.aig.and(x, y));
                    open.pop();
                }
                (Err(error), _) | (_, Err(error)) => return Err(error),
                (x, _) => {
                    definitions[variable] = Definition::Open(a, b);
                    let needed = if matches!(x, Ok(None)) { a } else { b };
                    open.push(needed as usize / 2);
                }
            }
        }
    }
    Ok(())
}

/// Names at the end of the file; gives those of what is neither input nor latch.
fn symbols(reader: &mut Reader<'_>, circuit: &mut Circuit) -> Vec<(char, usize, String)> {
    let mut names = Vec::new();
    while let Ok(text) = reader.next_line() {
        let Some((place, name)) = text.split_once(' ') else {
            break;
        };
        let mut letters = place.chars();
        let kind = letters.next();
        let index: Option<usize> = letters.as_str().parse().ok();
        let (Some(kind), Some(index)) = (kind, index) else {
            break;
        };
        match kind {
            'i' if index < circuit.inputs.len() => circuit.inputs[index].name = name.to_owned(),
            'l' if index < circuit.latches.len() => circuit.latches[index].name = name.to_owned(),
            _ => names.push((kind, index, name.to_owned())),
        }
    }
    names
}
