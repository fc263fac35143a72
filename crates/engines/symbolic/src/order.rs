//! A first order of the variables, from what depends on what.
//!
//! FORCE (Aloul, Markov and Sakallah 2003): latches and inputs that meet in the next value of a
//! latch, or in a constraint, attract each other; each is moved to the middle of the centres of
//! gravity of where it occurs, again and again. The order is the one with the least total span
//! that was seen, the order of declaration among them, which is what the author of a model thought
//! near to each other. Where nothing moves there are no next values to learn from: then it is what
//! meets in the gates of what is asked and required, as in an adder of two words.

use circuit::{Circuit, Lit, Node};

/// What gets a place in the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Item {
    /// The current and the next value of a latch.
    Latch(usize),
    /// An input.
    Input(usize),
}

/// Latches and inputs that may be listed, all gates together.
const MET: usize = 500_000;

/// Rounds of pulling.
const ROUNDS: usize = 40;

/// The latches and inputs of a circuit, from the top of the order. Inputs that `skip` are left out.
/// `asked` is what will be asked for.
pub(crate) fn first_order(
    circuit: &Circuit,
    asked: &[Lit],
    skip: &dyn Fn(usize) -> bool,
) -> Vec<Item> {
    let mut meetings: Vec<Vec<Item>> = Vec::new();
    for (index, latch) in circuit.latches.iter().enumerate() {
        let mut items = support(circuit, latch.next);
        items.push(Item::Latch(index));
        meetings.push(items);
    }
    let constraints = circuit
        .step_constraints
        .iter()
        .chain(&circuit.state_constraints)
        .chain(&circuit.initial);
    for &constraint in constraints {
        for part in conjuncts(circuit, constraint) {
            meetings.push(support(circuit, part));
        }
    }
    let combinational = is_combinational(circuit);
    if combinational {
        meetings.extend(met_in_gates(circuit, asked));
    }
    for meeting in &mut meetings {
        meeting.retain(|item| !matches!(item, Item::Input(input) if skip(*input)));
        meeting.sort_unstable();
        meeting.dedup();
    }
    meetings.retain(|meeting| meeting.len() > 1);
    meetings.sort_unstable();
    meetings.dedup();

    let start = declared(circuit, skip, &meetings);
    let mut place = Places::new(circuit, &start);
    let mut order = start.clone();
    let declared = span(&meetings, &place);
    let mut best = (declared, start.clone());
    let mut stale = 0;
    for _ in 0..ROUNDS {
        let mut pull: Vec<(f64, u32)> = vec![(0.0, 0); place.size()];
        for meeting in &meetings {
            let sum: usize = meeting.iter().map(|&item| place.of(item)).sum();
            let centre = sum as f64 / meeting.len() as f64;
            for &item in meeting {
                let pull = &mut pull[place.index(item)];
                pull.0 += centre;
                pull.1 += 1;
            }
        }
        let mut keyed: Vec<(f64, usize, Item)> = order
            .iter()
            .enumerate()
            .map(|(at, &item)| {
                let (sum, count) = pull[place.index(item)];
                let key = if count == 0 {
                    at as f64
                } else {
                    sum / f64::from(count)
                };
                (key, at, item)
            })
            .collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order = keyed.into_iter().map(|(_, _, item)| item).collect();
        place = Places::new(circuit, &order);
        let now = span(&meetings, &place);
        if now < best.0 {
            best = (now, order.clone());
            stale = 0;
        } else {
            stale += 1;
            if stale > 5 {
                break;
            }
        }
    }
    // Gates say less of what belongs together than steps do: only a much shorter order is better
    // than what the author had in mind.
    if combinational && best.0 * 4 > declared * 3 {
        return start;
    }
    best.1
}

/// Whether each latch keeps its value or gets any at all: then nothing is known of what belongs
/// together but what is asked and what is required.
fn is_combinational(circuit: &Circuit) -> bool {
    circuit
        .latches
        .iter()
        .all(|latch| latch.next == latch.lit || circuit.input_of(latch.next).is_some())
}

/// What meets in each gate below some literals and the constraints; nothing if that is very much.
/// A carry depends on all the bits below it and no others, so the operands of an adder come to
/// stand bit by bit.
fn met_in_gates(circuit: &Circuit, asked: &[Lit]) -> Vec<Vec<Item>> {
    let constraints = [&circuit.state_constraints[..], &circuit.initial[..]].concat();
    let nodes = circuit.aig.nodes();
    let needed = circuit.aig.support(&[asked, &constraints[..]].concat());
    let mut met: Vec<Vec<Item>> = Vec::with_capacity(nodes.len());
    let mut total = 0;
    for (&node, &needed) in nodes.iter().zip(&needed) {
        let items = match node {
            Node::Input(id) => vec![Item::Input(id.index())],
            Node::Latch(id) => vec![Item::Latch(id.index())],
            Node::And(a, b) if needed => {
                let mut items = met[a.node().index()].clone();
                items.extend(&met[b.node().index()]);
                items.sort_unstable();
                items.dedup();
                items
            }
            Node::False | Node::And(..) => Vec::new(),
        };
        total += items.len();
        if total > MET {
            return Vec::new();
        }
        met.push(items);
    }
    met
}

/// The order of declaration, each input just before the first latch that it meets.
fn declared(circuit: &Circuit, skip: &dyn Fn(usize) -> bool, meetings: &[Vec<Item>]) -> Vec<Item> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); circuit.latches.len() + 1];
    let mut first = vec![circuit.latches.len(); circuit.inputs.len()];
    for meeting in meetings {
        let latch = meeting.iter().find_map(|item| match item {
            Item::Latch(latch) => Some(*latch),
            Item::Input(_) => None,
        });
        for item in meeting {
            if let (Item::Input(input), Some(latch)) = (item, latch) {
                first[*input] = first[*input].min(latch);
            }
        }
    }
    for (input, &latch) in first.iter().enumerate() {
        if !skip(input) {
            before[latch].push(input);
        }
    }
    let mut order = Vec::new();
    for (latch, inputs) in before.iter().enumerate() {
        order.extend(inputs.iter().map(|&input| Item::Input(input)));
        if latch < circuit.latches.len() {
            order.push(Item::Latch(latch));
        }
    }
    order
}

struct Places {
    latches: usize,
    places: Vec<usize>,
}

impl Places {
    fn new(circuit: &Circuit, order: &[Item]) -> Places {
        let mut result = Places {
            latches: circuit.latches.len(),
            places: vec![0; circuit.latches.len() + circuit.inputs.len()],
        };
        for (at, &item) in order.iter().enumerate() {
            let index = result.index(item);
            result.places[index] = at;
        }
        result
    }

    fn size(&self) -> usize {
        self.places.len()
    }

    fn index(&self, item: Item) -> usize {
        match item {
            Item::Latch(latch) => latch,
            Item::Input(input) => self.latches + input,
        }
    }

    fn of(&self, item: Item) -> usize {
        self.places[self.index(item)]
    }
}

fn span(meetings: &[Vec<Item>], place: &Places) -> usize {
    let spans = meetings.iter().map(|meeting| {
        let places = || meeting.iter().map(|&item| place.of(item));
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    });
    spans.sum()
}

/// The latches and inputs on which a literal depends.
fn support(circuit: &Circuit, lit: Lit) -> Vec<Item> {
    let mut seen = std::collections::HashSet::new();
    let mut items = Vec::new();
    let mut open = vec![lit];
    while let Some(lit) = open.pop() {
        if !seen.insert(lit.node()) {
            continue;
        }
        match circuit.aig.node(lit.node()) {
            Node::False => {}
            Node::And(a, b) => open.extend([a, b]),
            Node::Input(id) => items.push(Item::Input(id.index())),
            Node::Latch(id) => items.push(Item::Latch(id.index())),
        }
    }
    items
}

/// The parts of a conjunction.
pub(crate) fn conjuncts(circuit: &Circuit, lit: Lit) -> Vec<Lit> {
    let mut parts = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![lit];
    while let Some(lit) = open.pop() {
        if !seen.insert(lit) {
            continue;
        }
        match circuit.aig.node(lit.node()) {
            Node::And(a, b) if !lit.is_inverted() => open.extend([a, b]),
            _ => parts.push(lit),
        }
    }
    parts.sort_unstable();
    parts
}

#[cfg(test)]
mod tests {
    use circuit::Reset;

    use super::*;

    fn word(circuit: &mut Circuit, name: &str, bits: usize) -> Vec<Lit> {
        let bits = 0..bits;
        bits.map(|bit| {
            let latch = circuit.latch(format!("{name}{bit}"), Reset::Free);
            circuit.set_next(latch, latch);
            latch
        })
        .collect()
    }

    fn carry(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
        let mut carry = Lit::FALSE;
        for (&a, &b) in a.iter().zip(b) {
            let both = circuit.aig.and(a, b);
            let either = circuit.aig.or(a, b);
            let on = circuit.aig.and(either, carry);
            carry = circuit.aig.or(both, on);
        }
        carry
    }

    #[test]
    fn operands_of_an_adder_that_is_asked_for_stand_bit_by_bit() {
        let mut circuit = Circuit::default();
        let a = word(&mut circuit, "a", 16);
        let b = word(&mut circuit, "b", 16);
        let carry = carry(&mut circuit, &a, &b);
        let order = first_order(&circuit, &[carry], &|_| false);
        let place = Places::new(&circuit, &order);
        for bit in 0..16 {
            let apart = place
                .of(Item::Latch(bit))
                .abs_diff(place.of(Item::Latch(16 + bit)));
            assert!(
                apart <= 3,
                "bit {bit} of the two are {apart} places apart: {order:?}"
            );
        }
        // Nobody asks: the order of declaration.
        let order = first_order(&circuit, &[], &|_| false);
        assert_eq!(order, (0..32).map(Item::Latch).collect::<Vec<_>>());
    }

    #[test]
    fn an_order_that_is_hardly_shorter_is_not_taken_for_gates() {
        let mut circuit = Circuit::default();
        let x = word(&mut circuit, "x", 4);
        // Each next to the other but for the two in the middle.
        let pairs = [(0, 2), (2, 1), (1, 3)];
        let asked = pairs.map(|(i, j)| circuit.aig.and(x[i], x[j]));
        let declared: Vec<Item> = (0..4).map(Item::Latch).collect();
        let far = word(&mut circuit, "y", 12);
        let wide = far.iter().fold(x[3], |all, &bit| circuit.aig.and(all, bit));
        let asked = [&asked[..], &[wide]].concat();
        let order = first_order(&circuit, &asked, &|_| false);
        assert_eq!(order[..4], declared);
    }

    #[test]
    fn what_moves_is_ordered_by_its_steps() {
        let mut circuit = Circuit::default();
        let a = word(&mut circuit, "a", 4);
        let b = word(&mut circuit, "b", 4);
        let carry = carry(&mut circuit, &a, &b);
        circuit.set_next(a[0], a[1]);
        let asked = first_order(&circuit, &[carry], &|_| false);
        assert_eq!(asked, first_order(&circuit, &[], &|_| false));
    }
}
