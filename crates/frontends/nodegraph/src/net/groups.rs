//! Which nodes can wait at the same time, and groups of which one at most does.
//!
//! Fairness asks of each node that waits that it comes to its end. Of nodes that never wait at the
//! same time one constraint can ask it for all: infinitely often one of them ends or none waits.
//! For if one of them waited for ever, no other one would wait any more, so none would ever end
//! again. A script of hundreds of waits in a row so has one constraint, not hundreds.
//!
//! What can wait together is found as for places of a Petri net (Kovalyov's concurrency relation,
//! 1992): a pair is in the relation if one wave starts both, or if one of the pair is started by a
//! wave of something that is in the relation with the other. The marks of a join are places too:
//! what stands behind it goes together with what goes together with all of them. It says too much
//! at worst, never too little: what a wave may start is taken without looking at conditions.

use std::collections::HashMap;

use super::{Effect, MachineId, Moment, Net};

/// A set of places, as bits.
type Bits = Vec<u64>;

fn has(bits: &Bits, at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 != 0
}

fn put(bits: &mut Bits, at: usize) -> bool {
    let new = !has(bits, at);
    bits[at / 64] |= 1 << (at % 64);
    new
}

/// Adds bits; whether any was new.
fn join(to: &mut Bits, from: &Bits) -> bool {
    let mut grown = false;
    for (to, from) in to.iter_mut().zip(from) {
        grown |= from & !*to != 0;
        *to |= from;
    }
    grown
}

fn ones(bits: &Bits) -> impl Iterator<Item = usize> {
    let words = bits.iter().enumerate();
    words.flat_map(|(word, &bits)| {
        (0..64)
            .filter(move |at| bits >> at & 1 != 0)
            .map(move |at| word * 64 + at)
    })
}

/// What is known beforehand about what waits together.
pub(crate) struct Together {
    /// Groups of machines that wait, of which at most one does at a time.
    pub(crate) groups: Vec<Vec<MachineId>>,
    /// For a machine that moves by itself: those that remember something, and that no signal can
    /// reach any more when it does.
    pub(crate) forgotten: HashMap<MachineId, Vec<MachineId>>,
}

/// Finds out what waits together.
pub(crate) fn together(net: &Net) -> Together {
    let relation = Relation::of(net);
    Together {
        groups: groups(net, &relation),
        forgotten: relation.forgotten(net),
    }
}

fn groups(net: &Net, relation: &Relation) -> Vec<Vec<MachineId>> {
    let mut groups: Vec<(Vec<MachineId>, Bits)> = Vec::new();
    for (place, &id) in relation.places.movers.iter().enumerate() {
        if net.machine(id).ending.is_empty() {
            continue;
        }
        let together = &relation.together[place];
        let fits = |bits: &Bits| bits.iter().zip(together).all(|(a, b)| a & b == 0);
        match groups.iter_mut().find(|(_, bits)| fits(bits)) {
            Some((group, bits)) => {
                group.push(id);
                put(bits, place);
            }
            None => {
                let mut bits = vec![0; together.len()];
                put(&mut bits, place);
                groups.push((vec![id], bits));
            }
        }
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

/// Machines that ever move by themselves, then the marks of joins.
struct Places {
    movers: Vec<MachineId>,
    of_mover: HashMap<MachineId, usize>,
    of_mark: HashMap<(MachineId, u16), usize>,
    words: usize,
    count: usize,
}

impl Places {
    fn of(net: &Net) -> Places {
        let movers = net.ids().filter(|(_, machine)| !machine.own.is_empty());
        let movers: Vec<MachineId> = movers.map(|(id, _)| id).collect();
        let of_mover = movers
            .iter()
            .enumerate()
            .map(|(at, id)| (*id, at))
            .collect();
        let mut count = movers.len();
        let mut of_mark = HashMap::new();
        for (id, machine) in net.ids() {
            for (input, _) in &machine.marks {
                of_mark.insert((id, *input), count);
                count += 1;
            }
        }
        Places {
            movers,
            of_mover,
            of_mark,
            words: count.div_ceil(64),
            count,
        }
    }
}

/// A join: its marks, and what it starts.
struct Join {
    marks: Vec<usize>,
    starts: Bits,
}

struct Relation {
    places: Places,
    together: Vec<Bits>,
    /// What each place may start when it moves.
    waves: Vec<Bits>,
    joins: Vec<Join>,
    /// The join whose mark a place is.
    join_of: Vec<Option<usize>>,
}

impl Relation {
    fn of(net: &Net) -> Relation {
        let places = Places::of(net);
        let (words, count) = (places.words, places.count);
        let started = started(net, &places);
        let union = |targets: &mut dyn Iterator<Item = (MachineId, u16)>| {
            let mut bits = vec![0; words];
            for target in targets {
                for (to, from) in bits.iter_mut().zip(&started[&target]) {
                    *to |= from;
                }
            }
            bits
        };
        let mut relation = Relation {
            together: vec![vec![0; words]; count],
            waves: vec![vec![0; words]; count],
            joins: Vec::new(),
            join_of: vec![None; count],
            places,
        };
        for (id, machine) in net.ids() {
            if machine.marks.is_empty() {
                continue;
            }
            let marks = machine.marks.iter();
            let marks: Vec<usize> = marks
                .map(|(at, _)| relation.places.of_mark[&(id, *at)])
                .collect();
            for &mark in &marks {
                relation.join_of[mark] = Some(relation.joins.len());
            }
            let effects = machine.rules().flat_map(|rule| &rule.effects);
            let starts = union(&mut effects.flat_map(|effect| targets(net, id, effect)));
            relation.joins.push(Join { marks, starts });
        }
        let mut open: Vec<(usize, usize)> = Vec::new();
        // One wave starts both, or starts one while what sends it goes on.
        for (id, machine) in net.ids() {
            let later = machine.own.iter().flat_map(|(_, rule)| &rule.effects);
            let later: Vec<&Effect> = later.filter(|effect| !ends(net, id, effect)).collect();
            for effect in machine.rules().flat_map(|rule| &rule.effects) {
                let mut before: Bits = vec![0; words];
                let goes_on = later.iter().any(|other| std::ptr::eq(*other, effect));
                if goes_on || starts(net, id, effect) {
                    put(&mut before, relation.places.of_mover[&id]);
                }
                for target in targets(net, id, effect) {
                    let after = &started[&target];
                    for a in ones(&before) {
                        for b in ones(after) {
                            relation.add(a, b, &mut open);
                        }
                    }
                    for (to, from) in before.iter_mut().zip(after) {
                        *to |= from;
                    }
                }
            }
        }
        // What a place may start when it moves; what may move at any time goes with everything.
        let mut first = Vec::new();
        for at in 0..relation.places.movers.len() {
            let id = relation.places.movers[at];
            let machine = net.machine(id);
            let mut always = machine.state.is_none();
            for (moment, rule) in &machine.own {
                for effect in &rule.effects {
                    let wave = union(&mut targets(net, id, effect));
                    for (to, from) in relation.waves[at].iter_mut().zip(wave) {
                        *to |= from;
                    }
                    // It goes on by itself.
                    if matches!(moment, Moment::Later | Moment::Soon) && !ends(net, id, effect) {
                        put(&mut relation.waves[at], at);
                    }
                }
                match moment {
                    Moment::Event | Moment::Early => always = true,
                    Moment::Start => {
                        always &= machine.own.len() > 1;
                        first.push(at);
                    }
                    Moment::Later | Moment::Soon => {}
                }
            }
            if let Some(state) = machine.state
                && net
                    .var(state)
                    .first
                    .iter()
                    .any(|at| machine.ending.contains(at))
            {
                first.push(at);
            }
            if always {
                for other in 0..count {
                    relation.add(at, other, &mut open);
                }
            }
        }
        for &a in &first {
            for &b in &first {
                relation.add(a, b, &mut open);
            }
        }
        while let Some((a, b)) = open.pop() {
            source::limits::check();
            for (moves, stays) in [(a, b), (b, a)] {
                match relation.join_of[moves] {
                    Some(join) => relation.fire(join, &mut open),
                    None => {
                        let wave: Vec<usize> = ones(&relation.waves[moves]).collect();
                        for other in wave {
                            relation.add(other, stays, &mut open);
                        }
                    }
                }
            }
        }
        relation
    }

    /// What stands behind a join goes together with what goes with all its marks.
    fn fire(&mut self, join: usize, open: &mut Vec<(usize, usize)>) {
        let Join { marks, starts } = &self.joins[join];
        let pair =
            |(at, &a): (usize, &usize)| marks[..at].iter().all(|&b| has(&self.together[a], b));
        if !marks.iter().enumerate().all(pair) {
            return;
        }
        let mut with = self.together[marks[0]].clone();
        for &mark in &marks[1..] {
            for (to, from) in with.iter_mut().zip(&self.together[mark]) {
                *to &= from;
            }
        }
        let started: Vec<usize> = ones(starts).collect();
        for other in ones(&with).collect::<Vec<_>>() {
            for &place in &started {
                self.add(place, other, open);
            }
        }
    }

    /// What a machine remembers matters only as long as a signal can come to it. While a place is
    /// about to move, signals are there and at what goes together with it, and nowhere else; so
    /// whatever none of these leads to is as good as new. It is enough to say so of what could
    /// still be reached one move before.
    fn forgotten(&self, net: &Net) -> HashMap<MachineId, Vec<MachineId>> {
        let latches: Vec<MachineId> = net
            .ids()
            .filter(|(_, m)| m.own.is_empty() && m.marks.is_empty())
            .filter(|(_, m)| m.state.is_some() || !m.memory.is_empty())
            .map(|(id, _)| id)
            .collect();
        let words = latches.len().div_ceil(64);
        let mut reach: Vec<Bits> = vec![vec![0; words]; net.machines.len()];
        for (at, id) in latches.iter().enumerate() {
            put(&mut reach[id.index()], at);
        }
        let mut before: Vec<Vec<MachineId>> = vec![Vec::new(); net.machines.len()];
        for (id, machine) in net.ids() {
            for (to, _) in machine.outputs.iter().flat_map(|output| &output.targets) {
                before[to.index()].push(id);
            }
        }
        let mut open: Vec<MachineId> = net.ids().map(|(id, _)| id).collect();
        while let Some(id) = open.pop() {
            source::limits::check();
            let bits = reach[id.index()].clone();
            for &source in &before[id.index()] {
                if join(&mut reach[source.index()], &bits) {
                    open.push(source);
                }
            }
        }
        let count = self.places.count;
        let mut machine_of: Vec<MachineId> = self.places.movers.clone();
        machine_of.resize(count, MachineId(0));
        for ((id, _), &at) in &self.places.of_mark {
            machine_of[at] = *id;
        }
        // What could be reached one move before, joins passed through.
        let mut earlier: Vec<Bits> = vec![vec![0; words]; count];
        for from in 0..self.places.movers.len() {
            let mut seen = self.waves[from].clone();
            let mut open: Vec<usize> = ones(&seen).collect();
            while let Some(place) = open.pop() {
                source::limits::check();
                join(&mut earlier[place], &reach[machine_of[from].index()]);
                if let Some(at) = self.join_of[place] {
                    for next in ones(&self.joins[at].starts) {
                        if put(&mut seen, next) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        let mut forgotten = HashMap::new();
        for (place, &id) in self.places.movers.iter().enumerate() {
            let mut alive = reach[id.index()].clone();
            for other in ones(&self.together[place]) {
                join(&mut alive, &reach[machine_of[other].index()]);
            }
            let gone = ones(&earlier[place]).filter(|&at| !has(&alive, at));
            let gone: Vec<MachineId> = gone.map(|at| latches[at]).collect();
            if !gone.is_empty() {
                forgotten.insert(id, gone);
            }
        }
        forgotten
    }

    fn add(&mut self, a: usize, b: usize, open: &mut Vec<(usize, usize)>) {
        if a != b && put(&mut self.together[a], b) {
            put(&mut self.together[b], a);
            open.push((a, b));
        }
    }
}

fn targets<'a>(
    net: &'a Net,
    id: MachineId,
    effect: &'a Effect,
) -> impl Iterator<Item = (MachineId, u16)> + 'a {
    let outputs = &net.machine(id).outputs;
    let outs = effect.outs.iter();
    outs.flat_map(|&out| outputs[usize::from(out)].targets.iter().copied())
}

/// Whether it may bring its machine into a state in which it moves by itself.
fn starts(net: &Net, id: MachineId, effect: &Effect) -> bool {
    let machine = net.machine(id);
    !machine.own.is_empty()
        && effect
            .sets
            .iter()
            .any(|(var, _)| Some(*var) == machine.state)
        && !ends(net, id, effect)
}

/// Whether it brings its machine into its first state, in which it waits for a signal.
fn ends(net: &Net, id: MachineId, effect: &Effect) -> bool {
    let machine = net.machine(id);
    let Some(state) = machine.state else {
        return true;
    };
    let moves = |at: &u16| {
        let is = super::Test::Is(state, *at);
        machine
            .own
            .iter()
            .any(|(_, rule)| super::Test::and(rule.guard.clone(), is.clone()) != super::Test::Never)
    };
    let set = effect.sets.iter().find(|(var, _)| *var == state);
    match set {
        Some((_, Some(cases))) => cases.iter().all(|(_, at)| !moves(at)),
        _ => false,
    }
}

/// The places that a signal at an input may start, whatever the conditions.
fn started(net: &Net, places: &Places) -> HashMap<(MachineId, u16), Bits> {
    let mut result: HashMap<(MachineId, u16), Bits> = HashMap::new();
    let mut readers: HashMap<(MachineId, u16), Vec<(MachineId, u16)>> = HashMap::new();
    let mut open = Vec::new();
    for (id, machine) in net.ids() {
        for (at, input) in machine.inputs.iter().enumerate() {
            let here = (id, at as u16);
            let mut bits = vec![0; places.words];
            if let Some(&mark) = places.of_mark.get(&here) {
                // It waits for the others.
                put(&mut bits, mark);
                result.insert(here, bits);
                open.push(here);
                continue;
            }
            for effect in input.rules.iter().flat_map(|rule| &rule.effects) {
                if starts(net, id, effect) {
                    put(&mut bits, places.of_mover[&id]);
                }
                for target in targets(net, id, effect) {
                    readers.entry(target).or_default().push(here);
                }
            }
            result.insert(here, bits);
            open.push(here);
        }
    }
    while let Some(changed) = open.pop() {
        source::limits::check();
        let bits = result[&changed].clone();
        for reader in readers.get(&changed).into_iter().flatten() {
            let mine = result.get_mut(reader).expect("all inputs are there");
            let mut grown = false;
            for (to, from) in mine.iter_mut().zip(&bits) {
                grown |= from & !*to != 0;
                *to |= from;
            }
            if grown {
                open.push(*reader);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use source::{Diagnostics, SourceMap};

    use super::*;
    use crate::load::{Options, read};

    fn of(nodes: &[(&str, &str)], links: &[&str]) -> Vec<Vec<String>> {
        let nodes = nodes.iter();
        let nodes =
            nodes.map(|(name, kind)| format!("{{\"name\": \"{name}\", \"kind\": \"{kind}\"}}"));
        let links = links.iter().map(|link| format!("\"{link}\""));
        let text = format!(
            "{{\"nodegraph\": 1, \"nodes\": [{}], \"links\": [{}]}}",
            nodes.collect::<Vec<_>>().join(","),
            links.collect::<Vec<_>>().join(",")
        );
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let options = Options::default();
        let read = read("t.json", &text, &options, &mut sources, &mut diagnostics).unwrap();
        let name = |id: &MachineId| read.net.machine(*id).name.clone();
        together(&read.net)
            .groups
            .iter()
            .map(|group| group.iter().map(name).collect())
            .collect()
    }

    #[test]
    fn waits_in_a_row_are_one_group() {
        let nodes = [
            ("s", "Start"),
            ("a", "Delay"),
            ("b", "MovieClip"),
            ("c", "Delay"),
        ];
        let links = [
            "s.Out -> a.Start",
            "a.Finished -> b.Start",
            "b.Finished -> c.Start",
            "c.Finished -> a.Start",
        ];
        assert_eq!(of(&nodes, &links), [["a", "b", "c"]]);
    }

    #[test]
    fn behind_a_join_there_is_one_signal_again() {
        let nodes = [
            ("s", "Start"),
            ("a", "Delay"),
            ("b", "Delay"),
            ("j", "WaitAll"),
            ("c", "Delay"),
            ("d", "Delay"),
        ];
        let links = [
            "s.Out -> a.Start",
            "s.Out -> b.Start",
            "a.Finished -> j.InA",
            "b.Finished -> j.InB",
            "j.Out -> c.Start",
            "c.Finished -> d.Start",
        ];
        assert_eq!(of(&nodes, &links), [vec!["a", "c", "d"], vec!["b"]]);
    }

    #[test]
    fn what_beats_goes_on_beside_what_it_starts() {
        let nodes = [("s", "Start"), ("h", "HeartBeat"), ("a", "Delay")];
        let links = ["s.Out -> h.Start", "h.Pulse -> a.Start"];
        assert_eq!(of(&nodes, &links), [["h"], ["a"]]);
    }

    #[test]
    fn an_event_may_start_what_waits_already() {
        let nodes = [("e", "OnEvent"), ("a", "Delay"), ("b", "Delay")];
        let links = ["e.Out -> a.Start", "a.Finished -> b.Start"];
        assert_eq!(of(&nodes, &links), [["a"], ["b"]]);
    }
}
