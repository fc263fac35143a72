//! Random graphs, and what the world does to them.
//!
//! A graph is made front to back: signals lead to later nodes and values come from earlier ones, as
//! KHR_interactivity demands. Each new node takes signals from outputs that lead nowhere yet.
//!
//! Some things are left out on purpose, because there the engine is not what the format's text says; each
//! is told where it is done, and in `docs/nodegraph.md`.

use serde_json::{Map, Value, json};

use super::Peer;
use super::graph::{Event, Graph, Node, Source, Variable, plain};
use super::kinds::{self, Kind, Sort, Type};
use crate::random::Random;

/// How deep values are computed from values.
const DEEPEST: usize = 2;

/// A graph.
pub(crate) fn graph(peer: Peer, random: &mut Random) -> Graph {
    let mut making = Making {
        random,
        graph: Graph {
            peer,
            variables: Vec::new(),
            events: Vec::new(),
            nodes: Vec::new(),
        },
        open: Vec::new(),
    };
    making.declare();
    making.entries();
    let flows: Vec<&'static Kind> = of_sort(peer, Sort::Flow);
    for _ in 0..6 + making.random.below(9) {
        // Setting variables is what is seen.
        let kind = match making.random.percent(30) {
            true => *flows
                .iter()
                .find(|kind| kind.name == "variable/set")
                .expect("it is there"),
            false => *making.random.pick(&flows),
        };
        making.flow(kind);
    }
    making.ends();
    making.graph
}

fn of_sort(peer: Peer, sort: Sort) -> Vec<&'static Kind> {
    kinds::of(peer)
        .iter()
        .filter(|kind| kind.sort == sort)
        .collect()
}

struct Making<'r> {
    random: &'r mut Random,
    graph: Graph,
    /// Outputs that lead nowhere yet.
    open: Vec<(usize, String)>,
}

impl Making<'_> {
    fn declare(&mut self) {
        for at in 0..2 + self.random.below(2) {
            let initial = json!(self.random.percent(30));
            self.variable(&format!("flag{at}"), Type::Bool, initial);
        }
        for at in 0..1 + self.random.below(2) {
            let initial = json!(self.random.below(3));
            self.variable(&format!("count{at}"), Type::Int, initial);
        }
        self.variable("level", Type::Float, json!(0.5));
        for at in 0..2 + self.random.below(2) {
            let mut values = Vec::new();
            if self.random.percent(40) {
                values.push(("yes".to_owned(), Type::Bool));
            }
            if self.random.percent(25) {
                values.push(("many".to_owned(), Type::Int));
            }
            let name = format!("event{at}");
            self.graph.events.push(Event {
                name,
                // Every event of behave-graph has a name.
                known: at == 0 || self.graph.peer == Peer::Behave || self.random.percent(60),
                values,
            });
        }
    }

    fn variable(&mut self, name: &str, of: Type, initial: Value) {
        let name = name.to_owned();
        self.graph.variables.push(Variable { name, of, initial });
    }

    /// What signals begin at.
    fn entries(&mut self) {
        let events = of_sort(self.graph.peer, Sort::Event);
        let start = events.iter().find(|kind| kind.name.ends_with("onStart"));
        if self.random.percent(80) {
            self.entry(start.expect("every format has one"));
        }
        for _ in 0..2 + self.random.below(3) {
            let kind = *self.random.pick(&events);
            let received = events.iter().find(|kind| {
                kind.name == "event/receive" || kind.name == "customEvent/onTriggered"
            });
            let kind = match self.random.percent(40) {
                true => received.expect("every format has one"),
                false => kind,
            };
            self.entry(kind);
        }
    }

    fn entry(&mut self, kind: &'static Kind) {
        let mut node = made(kind);
        match kind.name {
            "event/receive" | "customEvent/onTriggered" => self.about_event(&mut node),
            "event/onSelect" | "event/onHoverIn" | "event/onHoverOut" => {
                node.settings.insert("nodeIndex".to_owned(), json!(0));
            }
            _ => {}
        }
        self.add(node);
    }

    /// Chooses the event that a node is about.
    fn about_event(&mut self, node: &mut Node) {
        let at = self.random.below(self.graph.events.len());
        match self.graph.peer {
            Peer::Babylon => node.settings.insert("event".to_owned(), json!(at)),
            Peer::Behave => node
                .settings
                .insert("customEventId".to_owned(), json!(at.to_string())),
        };
        let values = self.graph.events[at].values.clone();
        if node.kind.sort == Sort::Event {
            node.has.extend(values);
        } else {
            for (name, of) in values {
                self.read(node, &name, of);
            }
        }
    }

    /// Adds a node that signals come to, with what computes its values.
    fn flow(&mut self, kind: &'static Kind) {
        let mut node = made(kind);
        self.shape(&mut node);
        for (name, of) in kind.reads {
            self.read(&mut node, name, *of);
        }
        self.settled(&mut node);
        let enters = node.enters.clone();
        let at = self.add(node);
        for (number, pin) in enters.iter().enumerate() {
            let many = match number {
                0 => 1 + usize::from(self.random.percent(30)),
                _ => usize::from(self.random.percent(60)),
            };
            for _ in 0..many {
                // Nothing leads from a node to itself.
                let before = self.open.iter().filter(|(from, _)| *from != at).count();
                if before > 0 {
                    let (from, out) = self.open.remove(self.random.below(before));
                    self.graph.nodes[from].links.push((out, at, pin.clone()));
                }
            }
        }
    }

    /// Pins and settings that differ from node to node.
    fn shape(&mut self, node: &mut Node) {
        let numbers = |from: usize, count: usize| -> Vec<String> {
            (from..from + count).map(|at| at.to_string()).collect()
        };
        match (self.graph.peer, node.kind.name) {
            (_, "event/send" | "customEvent/trigger") => self.about_event(node),
            (Peer::Babylon, "variable/set") => {
                let count = 1 + usize::from(self.random.percent(25));
                let mut chosen = Vec::new();
                for _ in 0..count {
                    let at = self.random.below(self.graph.variables.len());
                    if !chosen.contains(&at) {
                        chosen.push(at);
                    }
                }
                for &at in &chosen {
                    let of = self.graph.variables[at].of;
                    if chosen.len() == 1 {
                        self.read(node, &at.to_string(), of);
                    } else {
                        // This version sets one after the other: an input must not read a variable
                        // that the same node has just set.
                        let value = self.literal(of);
                        node.reads
                            .push((at.to_string(), of, Source::Literal(value)));
                    }
                }
                node.settings.insert("variables".to_owned(), json!(chosen));
            }
            (Peer::Behave, "variable/set") => {
                let at = self.random.below(self.graph.variables.len());
                let of = self.graph.variables[at].of;
                self.read(node, "value", of);
                node.settings
                    .insert("variableId".to_owned(), json!(at.to_string()));
            }
            (_, "variable/interpolate") => {
                let at = self.graph.variables.len() - 1;
                node.settings.insert("variable".to_owned(), json!(at));
                node.settings.insert("useSlerp".to_owned(), json!(false));
            }
            (_, "pointer/set" | "pointer/interpolate") => {
                let pointer = "/nodes/0/translation";
                node.settings.insert("pointer".to_owned(), json!(pointer));
                node.settings.insert("type".to_owned(), json!(4));
            }
            (Peer::Babylon, "debug/log") => {
                node.settings.insert("message".to_owned(), json!("seen"));
                node.settings.insert("severity".to_owned(), json!(0));
            }
            (_, "flow/switch") | (_, "flow/switch/integer") => {
                let cases: Vec<i64> = [0, 1, 2, -1, 5]
                    .into_iter()
                    .filter(|_| self.random.percent(50))
                    .collect();
                node.leaves.extend(cases.iter().map(i64::to_string));
                node.settings.insert("cases".to_owned(), json!(cases));
            }
            (_, "flow/switch/string") => {
                let cases: Vec<&str> = ["a", "b"]
                    .into_iter()
                    .filter(|_| self.random.percent(60))
                    .collect();
                node.leaves
                    .extend(cases.iter().map(|case| (*case).to_owned()));
                node.settings.insert("cases".to_owned(), json!(cases));
            }
            (Peer::Babylon, "flow/sequence") => {
                node.leaves = numbers(8, 2 + self.random.below(3));
            }
            (Peer::Behave, "flow/sequence") => {
                let count = 2 + self.random.below(2);
                node.leaves = numbers(1, count);
                node.settings.insert("numOutputs".to_owned(), json!(count));
            }
            (Peer::Babylon, "flow/multiGate") => {
                node.leaves = numbers(0, 1 + self.random.below(3));
                // By the text, one without the other is ignored; this version uses it.
                if self.random.percent(80) {
                    for setting in ["isRandom", "isLoop"] {
                        let value = json!(self.random.percent(45));
                        node.settings.insert(setting.to_owned(), value);
                    }
                }
            }
            (Peer::Babylon, "flow/waitAll") => {
                // With none, this version fires when it is reset.
                let count = 1 + self.random.below(3);
                node.enters.splice(0..0, numbers(0, count));
                node.settings.insert("inputFlows".to_owned(), json!(count));
            }
            (Peer::Behave, "flow/waitAll") => {
                let count = 1 + self.random.below(3);
                node.enters.splice(0..0, numbers(1, count));
                node.settings.insert("numInputs".to_owned(), json!(count));
            }
            _ => {}
        }
    }

    /// What this version of the engine does otherwise than the text says is not asked of it.
    fn settled(&mut self, node: &mut Node) {
        if self.graph.peer != Peer::Babylon {
            return;
        }
        let duration = node.reads.iter().find(|(name, ..)| name == "duration");
        let negative = duration.is_some_and(|(_, _, source)| match source {
            Source::Literal(value) => value.as_f64().is_some_and(|value| value < 0.0),
            Source::Node(..) => true,
        });
        match node.kind.name {
            // An invalid duration fires `err`, and then `out` too.
            "flow/setDelay" if negative => node.leaves.retain(|pin| pin != "out"),
            // A delay with an invalid duration fires `err` instead of `out`.
            "flow/cancelDelay" => node.leaves.clear(),
            _ => {}
        }
    }

    /// A switch of which no output leads anywhere is refused by this version.
    fn ends(&mut self) {
        let bare = |node: &Node| node.kind.name == "flow/switch" && node.links.is_empty();
        let found: Vec<usize> = (0..self.graph.nodes.len())
            .filter(|&at| bare(&self.graph.nodes[at]))
            .collect();
        for at in found {
            let log = kinds::of(self.graph.peer)
                .iter()
                .find(|kind| kind.name == "debug/log");
            let mut node = made(log.expect("every format has one"));
            self.shape(&mut node);
            let end = self.add(node);
            self.graph.nodes[at]
                .links
                .push(("default".to_owned(), end, "in".to_owned()));
        }
    }

    fn add(&mut self, node: Node) -> usize {
        let at = self.graph.nodes.len();
        let leaves = node.leaves.iter().map(|pin| (at, pin.clone()));
        self.open.extend(leaves);
        self.graph.nodes.push(node);
        at
    }

    /// Gives an input of a node a value.
    fn read(&mut self, node: &mut Node, name: &str, of: Type) {
        // A duration that is computed may be any; what is asked is what happens with it.
        let kind = node.kind.name;
        let source = match name {
            "duration" | "waitDuration" => Source::Literal(self.duration(kind)),
            // A run ends where one is not true.
            "condition" if kind == "debug/expectTrue" && self.random.percent(85) => {
                Source::Literal(json!(true))
            }
            "n" | "startIndex" | "endIndex" if self.random.percent(70) => {
                Source::Literal(json!(self.random.below(4)))
            }
            // A loop of a billion rounds says no more than one of three.
            "endIndex" if kind.ends_with("Loop") || kind.ends_with("for") => self.bounded("min", 3),
            "startIndex" if kind.ends_with("Loop") || kind.ends_with("for") => {
                self.bounded("max", -1)
            }
            _ => self.value(of, DEEPEST),
        };
        node.reads.push((name.to_owned(), of, source));
    }

    /// An integer that is at most, or at least, this.
    fn bounded(&mut self, by: &str, bound: i64) -> Source {
        let name = match self.graph.peer {
            Peer::Babylon => format!("math/{by}"),
            Peer::Behave => format!("math/{by}/integer"),
        };
        let kind = kinds::of(self.graph.peer)
            .iter()
            .find(|kind| kind.name == name);
        let mut node = made(kind.expect("every format has one"));
        let value = self.value(Type::Int, DEEPEST - 1);
        node.reads.push(("a".to_owned(), Type::Int, value));
        node.reads
            .push(("b".to_owned(), Type::Int, Source::Literal(json!(bound))));
        let pin = node.has[0].0.clone();
        Source::Node(self.add(node), pin)
    }

    fn duration(&mut self, kind: &str) -> Value {
        let negative = self.graph.peer == Peer::Babylon && self.random.percent(15);
        // This version refuses a throttle of no time, which is a valid one.
        let shortest = if kind == "flow/throttle" { 1 } else { 0 };
        match negative {
            true => json!(-1),
            false => json!([0.0, 0.2, 1.0, 2.5][shortest + self.random.below(4 - shortest)]),
        }
    }

    fn literal(&mut self, of: Type) -> Value {
        match of {
            Type::Bool => json!(self.random.percent(50)),
            Type::Int if self.random.percent(4) => json!(2_147_483_647),
            Type::Int => json!(i64::try_from(self.random.below(5)).expect("it is small") - 1),
            Type::Float => json!(*self.random.pick(&[0.0, 0.5, 1.0, -2.0])),
            Type::Text => json!(*self.random.pick(&["a", "b", "c"])),
            other => plain(other),
        }
    }

    /// Where a value of this type may come from.
    fn value(&mut self, of: Type, deep: usize) -> Source {
        let held: Vec<(usize, String)> = (0..)
            .zip(&self.graph.nodes)
            .filter(|(_, node)| node.kind.sort != Sort::Value)
            .flat_map(|(at, node)| node.has.iter().map(move |(pin, has)| (at, pin, *has)))
            .filter(|(_, _, has)| *has == of)
            .map(|(at, pin, _): (usize, _, _)| (at, pin.clone()))
            .collect();
        if !held.is_empty() && (of == Type::Delay || self.random.percent(15)) {
            let (at, pin) = self.random.pick(&held).clone();
            return Source::Node(at, pin);
        }
        let variables: Vec<usize> = (0..self.graph.variables.len())
            .filter(|&at| self.graph.variables[at].of == of)
            .collect();
        if !variables.is_empty() && self.random.percent(30) {
            let at = *self.random.pick(&variables);
            return self.get(at, of);
        }
        let computed: Vec<&'static Kind> = of_sort(self.graph.peer, Sort::Value)
            .into_iter()
            .filter(|kind| kind.has.iter().any(|(_, has)| *has == of))
            .collect();
        if deep == 0 || computed.is_empty() || self.random.percent(25) {
            return Source::Literal(self.literal(of));
        }
        let kind = *self.random.pick(&computed);
        let mut node = made(kind);
        for (name, of) in kind.reads {
            let mut source = self.value(*of, deep - 1);
            // Types are found by the inputs: one of them says its own.
            if name == &"a" && matches!(source, Source::Literal(_)) && kind.reads.len() == 1 {
                source = Source::Literal(self.literal(*of));
            }
            node.reads.push(((*name).to_owned(), *of, source));
        }
        let pin = node.has[0].0.clone();
        Source::Node(self.add(node), pin)
    }

    fn get(&mut self, variable: usize, of: Type) -> Source {
        let kind = kinds::of(self.graph.peer)
            .iter()
            .find(|kind| kind.name == "variable/get");
        let mut node = made(kind.expect("every format has one"));
        match self.graph.peer {
            Peer::Babylon => node.settings.insert("variable".to_owned(), json!(variable)),
            Peer::Behave => node
                .settings
                .insert("variableId".to_owned(), json!(variable.to_string())),
        };
        node.has.push(("value".to_owned(), of));
        Source::Node(self.add(node), "value".to_owned())
    }
}

fn made(kind: &'static Kind) -> Node {
    let owned = |pins: &[&str]| pins.iter().map(|pin| (*pin).to_owned()).collect();
    Node {
        kind,
        settings: Map::new(),
        enters: owned(kind.enters),
        leaves: owned(kind.leaves),
        reads: Vec::new(),
        has: kind
            .has
            .iter()
            .map(|(pin, of)| ((*pin).to_owned(), *of))
            .collect(),
        links: Vec::new(),
    }
}

/// What the world does in one run: events, time, and when the script begins.
pub(crate) fn steps(graph: &Graph, random: &mut Random) -> Vec<Value> {
    let mut steps = Vec::new();
    // A host may send events before the script has begun.
    if random.percent(10) {
        steps.extend(event(graph, random));
    }
    steps.push(json!({"ready": true}));
    for _ in 0..4 + random.below(7) {
        let step = match random.below(10) {
            0..4 => event(graph, random),
            4 if graph.peer == Peer::Babylon => Some(json!({"select": true})),
            5 if graph.peer == Peer::Babylon => Some(json!({"hover": random.percent(60)})),
            _ => {
                let tick = *random.pick(&[16, 16, 300, 1100, 3000]);
                Some(json!({"tick": tick, "late": random.percent(40)}))
            }
        };
        steps.extend(step);
    }
    if graph.peer == Peer::Behave && random.percent(30) {
        steps.push(json!({"end": true}));
    }
    steps
}

/// An event from outside, if there is one that can be named.
fn event(graph: &Graph, random: &mut Random) -> Option<Value> {
    let known: Vec<&Event> = graph.events.iter().filter(|event| event.known).collect();
    if known.is_empty() {
        return None;
    }
    let event = *random.pick(&known);
    let mut values = Map::new();
    for (name, of) in &event.values {
        let value = match of {
            Type::Bool => json!(random.percent(50)),
            // An integer of Babylon is an object of its own kind, which only the graph makes.
            _ if graph.peer == Peer::Babylon => continue,
            _ => json!(random.below(4)),
        };
        // The host need not give all; in behave-graph it must.
        if graph.peer == Peer::Behave || random.percent(80) {
            values.insert(name.clone(), value);
        }
    }
    Some(json!({"event": event.name, "values": values}))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn graphs(peer: Peer, count: u64) -> impl Iterator<Item = Graph> {
        (0..count).map(move |seed| graph(peer, &mut Random::new(seed)))
    }

    #[test]
    fn signals_lead_on_and_values_come_from_before() {
        for peer in [Peer::Babylon, Peer::Behave] {
            for graph in graphs(peer, 200) {
                for (at, node) in graph.nodes.iter().enumerate() {
                    for (out, to, pin) in &node.links {
                        assert!(*to > at && graph.nodes[*to].enters.contains(pin));
                        assert!(node.leaves.contains(out));
                    }
                    for (_, of, source) in &node.reads {
                        if let Source::Node(from, pin) = source {
                            assert!(*from < at);
                            let has = &graph.nodes[*from].has;
                            assert!(has.contains(&(pin.clone(), *of)), "{pin}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_kind_stands_in_one_of_fifty() {
        for peer in [Peer::Babylon, Peer::Behave] {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for graph in graphs(peer, 1000) {
                let mut names: Vec<&str> = graph.nodes.iter().map(|node| node.kind.name).collect();
                names.sort_unstable();
                names.dedup();
                for name in names {
                    *counts.entry(name).or_default() += 1;
                }
            }
            for kind in kinds::of(peer) {
                let count = counts.get(kind.name).copied().unwrap_or_default();
                assert!(count >= 20, "{}: {count}", kind.name);
            }
        }
    }

    #[test]
    fn without_a_node_the_others_stay_together() {
        for graph in graphs(Peer::Babylon, 50) {
            for gone in 0..graph.nodes.len() {
                let less = graph.without(gone);
                assert_eq!(less.nodes.len() + 1, graph.nodes.len());
                for (at, node) in less.nodes.iter().enumerate() {
                    assert!(
                        node.links.iter().all(|(_, to, pin)| {
                            *to > at && less.nodes[*to].enters.contains(pin)
                        })
                    );
                }
            }
        }
    }
}
