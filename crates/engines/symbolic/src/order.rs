//! A first order of the variables, from what depends on what.
//!
//! FORCE (Aloul, Markov and Sakallah 2003): latches and inputs that meet in the next value of a
//! latch, or in a constraint, attract each other; each is moved to the middle of the centres of
//! gravity of where it occurs, again and again. The order is the one with the least total span
//! that was seen, the order of declaration among them, which is what the author of a model thought
//! near to each other.

use circuit::{Circuit, Lit, Node};

/// What gets a place in the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Item {
    /// The current and the next value of a latch.
    Latch(usize),
    /// An input.
    Input(usize),
}

/// Rounds of pulling.
const ROUNDS: usize = 40;

/// The latches and inputs of a circuit, from the top of the order. Inputs that `skip` are left out.
pub(crate) fn first_order(circuit: &Circuit, skip: &dyn Fn(usize) -> bool) -> Vec<Item> {
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
    let mut best = (span(&meetings, &place), start);
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
    best.1
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
