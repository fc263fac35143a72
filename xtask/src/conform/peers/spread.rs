//! What a comparison covered: kinds, states, verdicts. A comparison that covers little says little.

use std::collections::{BTreeMap, BTreeSet};

use super::formulas::{Formula, Sort};
use super::graph::Graph;
use super::runner::Seen;
use super::{Difference, Peer, kinds};
use crate::workspace::root;

/// Counts.
pub(crate) struct Spread {
    peer: Peer,
    graphs: u64,
    /// By kind: graphs with it, and graphs in which it ran.
    kinds: BTreeMap<&'static str, (u64, u64)>,
    states: u64,
    cut: u64,
    quiet: u64,
    runs: u64,
    /// By sort and verdict.
    verdicts: BTreeMap<(Sort, String), u64>,
    /// Reasons, with how often and by whom.
    reasons: BTreeMap<String, u64>,
    rejected: u64,
    refused: u64,
    differing: BTreeMap<Sort, u64>,
}

impl Spread {
    pub(crate) fn new(peer: Peer) -> Spread {
        Spread {
            peer,
            graphs: 0,
            kinds: BTreeMap::new(),
            states: 0,
            cut: 0,
            quiet: 0,
            runs: 0,
            verdicts: BTreeMap::new(),
            reasons: BTreeMap::new(),
            rejected: 0,
            refused: 0,
            differing: BTreeMap::new(),
        }
    }

    /// What another one counted, too.
    pub(crate) fn add(&mut self, other: &Spread) {
        self.graphs += other.graphs;
        self.states += other.states;
        self.cut += other.cut;
        self.quiet += other.quiet;
        self.runs += other.runs;
        self.rejected += other.rejected;
        self.refused += other.refused;
        for (kind, (stands, ran)) in &other.kinds {
            let count = self.kinds.entry(kind).or_default();
            *count = (count.0 + stands, count.1 + ran);
        }
        for (key, count) in &other.verdicts {
            *self.verdicts.entry(key.clone()).or_default() += count;
        }
        for (reason, count) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += count;
        }
        for (sort, count) in &other.differing {
            *self.differing.entry(*sort).or_default() += count;
        }
    }

    /// The peer does not take a graph.
    pub(crate) fn rejected(&mut self, reason: &str) {
        self.rejected += 1;
        let reason = reason.lines().next().unwrap_or_default();
        *self
            .reasons
            .entry(format!("the peer: {reason}"))
            .or_default() += 1;
    }

    /// We do not take a graph.
    pub(crate) fn refused(&mut self, reason: &str) {
        self.refused += 1;
        *self.reasons.entry(format!("we: {reason}")).or_default() += 1;
    }

    /// A graph was run.
    pub(crate) fn graph(&mut self, graph: &Graph, seen: &[Seen]) {
        self.graphs += 1;
        let ran: BTreeSet<usize> = seen.iter().flat_map(|run| &run.nodes).copied().collect();
        let all: BTreeSet<&'static str> = graph.nodes.iter().map(|node| node.kind.name).collect();
        let ran: BTreeSet<&'static str> = ran
            .into_iter()
            .filter_map(|at| graph.nodes.get(at))
            .map(|node| node.kind.name)
            .collect();
        for kind in all {
            let count = self.kinds.entry(kind).or_default();
            count.0 += 1;
            count.1 += u64::from(ran.contains(kind));
        }
        for run in seen {
            self.runs += 1;
            self.cut += u64::from(run.cut.is_some());
            self.quiet += u64::from(run.quiet);
        }
    }

    /// A formula was answered.
    pub(crate) fn formula(&mut self, formula: &Formula, verdict: Option<&str>) {
        if formula.sort == Sort::State {
            self.states += u64::from(verdict.is_some());
        }
        let verdict = verdict.unwrap_or("refused").to_owned();
        *self.verdicts.entry((formula.sort, verdict)).or_default() += 1;
    }

    /// What differs in a graph.
    pub(crate) fn differ(&mut self, found: &[Difference]) {
        for difference in found {
            *self.differing.entry(difference.formula.sort).or_default() += 1;
        }
    }

    /// Prints all that; whether it is enough.
    pub(crate) fn told(&self, wanted: u64) -> bool {
        println!(
            "{}: {} graphs, {} runs ({} came to rest at last, {} cut short), {} states compared",
            self.peer.name(),
            self.graphs,
            self.runs,
            self.quiet,
            self.cut,
            self.states,
        );
        for (reason, count) in &self.reasons {
            println!("  not taken, {count} times, by {reason}");
        }
        let (mut fails, mut vacuous, mut all) = (0, 0, 0);
        for ((sort, verdict), count) in &self.verdicts {
            println!("  {sort:?}: {count} {verdict}");
            all += count;
            match verdict.as_str() {
                "fails" => fails += count,
                "vacuous" => vacuous += count,
                _ => {}
            }
        }
        for (sort, count) in &self.differing {
            println!("  broken: {count} of {sort:?}");
        }
        let mut right = true;
        let mut demand = |met: bool, what: &str| {
            if !met {
                println!("  too little: {what}");
            }
            right &= met;
        };
        demand(
            fails * 10 >= all * 3,
            "fewer than 30 % of the formulas fail",
        );
        demand(vacuous == 0, "some formulas are about nothing that happens");
        demand(
            (self.rejected + self.refused) * 20 <= wanted,
            "more than 5 % of the graphs are not taken",
        );
        for kind in self.expected() {
            let (stands, ran) = self.kinds.get(kind.as_str()).copied().unwrap_or_default();
            let flow = kinds::of(self.peer)
                .iter()
                .any(|one| one.name == kind && one.sort == kinds::Sort::Flow);
            let count = if flow { ran } else { stands };
            println!("  {kind}: in {stands} graphs, ran in {ran}");
            // In 20 of 1000 graphs; in few graphs, not all kinds are.
            demand(wanted < 1000 || count * 50 >= wanted, &kind);
        }
        right
    }

    /// Kinds that there must be: those of our table that the peer has, and those of the random graphs.
    fn expected(&self) -> BTreeSet<String> {
        let (file, prefix) = self.peer.table();
        let path = root().join("crates/frontends/nodegraph/tables").join(file);
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut all: BTreeSet<String> = table_kinds(&text, prefix);
        for (name, _) in kinds::absent(self.peer) {
            all.remove(*name);
        }
        all.extend(kinds::of(self.peer).iter().map(|kind| kind.name.to_owned()));
        all
    }
}

/// The kinds of a table; what stands behind a full stop tells variants of one kind apart.
fn table_kinds(text: &str, prefix: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("kind "));
    lines
        .flat_map(|names| names.split('#').next().unwrap_or_default().split(','))
        .filter_map(|name| name.trim().strip_prefix(prefix))
        .map(|name| name.split('.').next().unwrap_or(name).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_table_are_read() {
        let text =
            "# kind khr:no\nkind khr:a/b, khr:c # more\n  on in: out out\nkind khr:c.cancellable\n";
        let names: Vec<String> = table_kinds(text, "khr:").into_iter().collect();
        assert_eq!(names, ["a/b", "c"]);
    }
}
