//! Reading. Nothing is believed: sizes are checked against what the file can hold before memory
//! is asked for, and gates are put in order without recursion.

use std::collections::HashMap;

use thiserror::Error;

use crate::netlist::{Latch, Named, Netlist, Reset, Signal};

/// More variables than these are not read.
const MOST: u32 = 1 << 26;
/// More inputs than these are not read from a binary file, in which they take no room.
const MOST_INPUTS: u32 = 1 << 22;

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Malformed {
    /// It does not begin as AIGER files do.
    #[error("it does not begin with `aag M I L O A` or `aig M I L O A`, up to `B C J F`")]
    Header,
    /// The numbers of the header contradict each other, or are more than can be held.
    #[error("the numbers of the header do not fit together, or are too large")]
    Counts,
    /// It ends too early, before or in this line.
    #[error("the file ends too early")]
    Truncated(usize),
    /// This line is not what should be there.
    #[error("{1}")]
    Line(usize, &'static str),
    /// Gates that depend on themselves; the variable of one of them.
    #[error("the gate of variable {0} depends on itself")]
    Cycle(u32),
    /// A variable that nothing defines.
    #[error("variable {0} is used, and nothing defines it")]
    Undefined(u32),
}

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
    fn next_line(&mut self) -> Result<&'b str, Malformed> {
        if self.at >= self.bytes.len() {
            return Err(Malformed::Truncated(self.line));
        }
        let rest = &self.bytes[self.at..];
        let length = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len());
        let text = std::str::from_utf8(&rest[..length])
            .map_err(|_| Malformed::Line(self.line, "this is no text"))?;
        self.at += length + 1;
        self.line += 1;
        Ok(text.trim_end_matches('\r'))
    }

    /// The numbers of a line.
    fn numbers(&mut self, least: usize, most: usize) -> Result<Vec<u32>, Malformed> {
        let line = self.line;
        let text = self.next_line()?;
        let numbers: Option<Vec<u32>> = text.split(' ').map(|word| word.parse().ok()).collect();
        match numbers {
            Some(numbers) if (least..=most).contains(&numbers.len()) => Ok(numbers),
            _ => Err(Malformed::Line(
                line,
                "these are not the numbers that should be here",
            )),
        }
    }

    /// A literal in a line of its own.
    fn literal(&mut self) -> Result<Literal, Malformed> {
        let line = self.line;
        Ok((line, self.numbers(1, 1)?[0]))
    }

    fn literals(&mut self, count: u32) -> Result<Vec<Literal>, Malformed> {
        (0..count).map(|_| self.literal()).collect()
    }

    /// A difference in a binary file: seven bits a byte, the lowest first.
    fn difference(&mut self) -> Result<u32, Malformed> {
        let mut value = 0u32;
        for shift in (0..32).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else {
                return Err(Malformed::Truncated(self.line));
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
        Err(Malformed::Line(self.line, "a difference is too large"))
    }
}

fn header(reader: &mut Reader<'_>) -> Result<Counts, Malformed> {
    let text = reader.next_line().map_err(|_| Malformed::Header)?;
    let mut words = text.split(' ');
    let binary = match words.next() {
        Some("aag") => false,
        Some("aig") => true,
        _ => return Err(Malformed::Header),
    };
    let numbers: Option<Vec<u64>> = words.map(|word| word.parse().ok()).collect();
    let mut numbers = numbers.ok_or(Malformed::Header)?;
    if !(5..=9).contains(&numbers.len()) {
        return Err(Malformed::Header);
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
        return Err(Malformed::Counts);
    }
    if lines > length || (!binary && numbers[0] > length.saturating_mul(4).max(1 << 16)) {
        return Err(Malformed::Truncated(2));
    }
    let small = |index: usize| u32::try_from(numbers[index]).map_err(|_| Malformed::Counts);
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

/// What a variable of the file is.
#[derive(Clone, Copy)]
enum Definition {
    None,
    Known(Signal),
    Gate(u32, u32),
    /// A gate whose operands are being put in order.
    Open(u32, u32),
}

/// The variables of the file, by their numbers.
struct Definitions(Vec<Definition>);

impl Definitions {
    fn add(
        &mut self,
        line: usize,
        literal: u32,
        what: &'static str,
        definition: Definition,
    ) -> Result<(), Malformed> {
        if literal % 2 == 1 || literal == 0 {
            return Err(Malformed::Line(line, what));
        }
        match self.0.get_mut(literal as usize / 2) {
            None => Err(Malformed::Line(
                line,
                "a literal is greater than the header says",
            )),
            Some(slot @ Definition::None) => {
                *slot = definition;
                Ok(())
            }
            Some(_) => Err(Malformed::Line(line, "a variable is defined twice")),
        }
    }

    /// What a literal of the file is, once gates are in order.
    fn signal(&self, literal: u32) -> Result<Signal, Malformed> {
        match self.0.get(literal as usize / 2) {
            Some(Definition::Known(signal)) => Ok(signal.invert_if(literal % 2 == 1)),
            _ => Err(Malformed::Undefined(literal / 2)),
        }
    }

    fn signals(&self, literals: &[Literal]) -> Result<Vec<Named<Signal>>, Malformed> {
        let named = |&(line, literal)| Ok(unnamed(line, self.signal(literal)?));
        literals.iter().map(named).collect()
    }

    /// Puts gates in order, operands first.
    fn gates(&mut self, first: usize) -> Result<Vec<(Signal, Signal)>, Malformed> {
        let mut gates = Vec::new();
        for start in 0..self.0.len() {
            let mut open = vec![start];
            while let Some(&variable) = open.last() {
                source::limits::check();
                let (a, b) = match self.0[variable] {
                    Definition::Known(_) | Definition::None => {
                        open.pop();
                        continue;
                    }
                    Definition::Gate(a, b) | Definition::Open(a, b) => (a, b),
                };
                match (self.operand(a)?, self.operand(b)?) {
                    (Some(x), Some(y)) => {
                        let number = first + gates.len();
                        let number = u32::try_from(2 * number).map_err(|_| Malformed::Counts)?;
                        self.0[variable] = Definition::Known(Signal(number));
                        gates.push((x, y));
                        open.pop();
                    }
                    (x, _) => {
                        self.0[variable] = Definition::Open(a, b);
                        let needed = if x.is_none() { a } else { b };
                        open.push(needed as usize / 2);
                    }
                }
            }
        }
        Ok(gates)
    }

    /// The same while gates are being put in order: `None` if it is not its turn yet.
    fn operand(&self, literal: u32) -> Result<Option<Signal>, Malformed> {
        match self.0.get(literal as usize / 2) {
            Some(Definition::Known(_)) => self.signal(literal).map(Some),
            Some(Definition::Gate(..)) => Ok(None),
            Some(Definition::Open(..)) => Err(Malformed::Cycle(literal / 2)),
            Some(Definition::None) | None => Err(Malformed::Undefined(literal / 2)),
        }
    }
}

/// A literal, and the line that it stands in.
type Literal = (usize, u32);

fn unnamed<T>(line: usize, what: T) -> Named<T> {
    Named {
        name: String::new(),
        line,
        what,
    }
}

/// Reads an AIGER file, text or binary.
///
/// # Errors
/// If it is none, or is too large to be held.
pub fn read(bytes: &[u8]) -> Result<Netlist, Malformed> {
    let mut reader = Reader {
        bytes,
        at: 0,
        line: 1,
    };
    let counts = header(&mut reader)?;
    let mut netlist = Netlist::default();
    let mut definitions = Definitions(vec![Definition::None; counts.variables as usize + 1]);
    definitions.0[0] = Definition::Known(Signal(0));
    for index in 0..counts.inputs {
        let own = 2 * (index + 1);
        let (line, literal) = match counts.binary {
            true => (0, own),
            false => reader.literal()?,
        };
        let what = "an input is an even literal";
        definitions.add(line, literal, what, Definition::Known(Signal(own)))?;
        netlist.inputs.push(unnamed(line, ()));
    }
    let mut nexts = Vec::new();
    for index in 0..counts.latches {
        let own = 2 * (counts.inputs + index + 1);
        let line = reader.line;
        let mut numbers = match counts.binary {
            true => reader.numbers(1, 2)?,
            false => reader.numbers(2, 3)?,
        };
        if counts.binary {
            numbers.insert(0, own);
        }
        let reset = match numbers.get(2) {
            None | Some(0) => Reset::To(false),
            Some(1) => Reset::To(true),
            Some(own) if *own == numbers[0] => Reset::Free,
            Some(_) => return Err(Malformed::Line(line, "a latch is reset to 0, 1 or itself")),
        };
        let what = "a latch is an even literal";
        definitions.add(line, numbers[0], what, Definition::Known(Signal(own)))?;
        nexts.push((line, reset, numbers[1]));
    }
    let outputs = reader.literals(counts.outputs)?;
    let bads = reader.literals(counts.bads)?;
    let constraints = reader.literals(counts.constraints)?;
    let sizes = reader.literals(counts.justice)?;
    let mut justice = Vec::new();
    for (line, size) in sizes {
        if size as usize > reader.bytes.len() {
            return Err(Malformed::Truncated(reader.line));
        }
        justice.push((line, reader.literals(size)?));
    }
    let fairness = reader.literals(counts.fairness)?;
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
                _ => return Err(Malformed::Line(line, "a gate's operands come before it")),
            }
        } else {
            let numbers = reader.numbers(3, 3)?;
            (numbers[0], numbers[1], numbers[2])
        };
        let what = "a gate is an even literal";
        definitions.add(line, own, what, Definition::Gate(a, b))?;
    }
    netlist.gates = definitions.gates(1 + netlist.inputs.len() + nexts.len())?;
    for (line, reset, next) in nexts {
        let next = definitions.signal(next)?;
        netlist.latches.push(unnamed(line, Latch { reset, next }));
    }
    netlist.outputs = definitions.signals(&outputs)?;
    netlist.bads = definitions.signals(&bads)?;
    netlist.constraints = definitions.signals(&constraints)?;
    netlist.fairness = definitions.signals(&fairness)?;
    for (line, literals) in justice {
        let signals = definitions.signals(&literals)?;
        let signals = signals.into_iter().map(|signal| signal.what).collect();
        netlist.justice.push(unnamed(line, signals));
    }
    name(&mut netlist, &symbols(&mut reader));
    Ok(netlist)
}

/// The names at the end of the file: the letter of what has it, its place, and the name.
fn symbols(reader: &mut Reader<'_>) -> HashMap<(char, usize), String> {
    let mut names = HashMap::new();
    while let Ok(text) = reader.next_line() {
        source::limits::check();
        let Some((place, name)) = text.split_once(' ') else {
            break;
        };
        let mut letters = place.chars();
        let kind = letters.next();
        let index: Option<usize> = letters.as_str().parse().ok();
        let (Some(kind), Some(index)) = (kind, index) else {
            break;
        };
        names.insert((kind, index), name.to_owned());
    }
    names
}

fn name(netlist: &mut Netlist, names: &HashMap<(char, usize), String>) {
    fn each<T>(kind: char, all: &mut [Named<T>], names: &HashMap<(char, usize), String>) {
        for (index, one) in all.iter_mut().enumerate() {
            let name = names.get(&(kind, index));
            one.name = name.map_or_else(|| format!("{kind}{index}"), Clone::clone);
        }
    }
    each('i', &mut netlist.inputs, names);
    each('l', &mut netlist.latches, names);
    each('o', &mut netlist.outputs, names);
    each('b', &mut netlist.bads, names);
    each('c', &mut netlist.constraints, names);
    each('j', &mut netlist.justice, names);
    each('f', &mut netlist.fairness, names);
}
