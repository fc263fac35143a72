//! Faults in how Tscript is lowered: states taken for one that somebody can tell apart.

use super::Mutant;

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    tscript(
        "if held(state, var) && !gone.contains(&var) {",
        "if state == 0 && held(state, var) && !gone.contains(&var) {",
        "tools vanish only before anything has been done",
    ),
    tscript(
        "named == [true; 2] || written[0] && there[b] || written[1] && there[a]",
        "named == [true; 2]",
        "a variable shares its place with one that is in use",
    ),
    tscript(
        "let at = queue.partition_point(|note| word(note) <= mine);",
        "let at = queue.partition_point(|note| word(note) < mine);",
        "the newest note of a word is read first",
    ),
    tscript(
        "let better = moves.iter().zip(made).filter(|(b, _)| next.yields_to(b));",
        "let better = moves.iter().zip(made).filter(|(b, _)| b.yields_to(next));",
        "the second best comes first",
    ),
    tscript(
        "let ends = this.automaton.is_end(next.to) && seen.sees_ends();",
        "let ends = false;",
        "a process ends earlier than a property allows",
    ),
    tscript(
        "if moves.is_empty() && !unit.automaton.is_end(state) {",
        "if false {",
        "who waits for ever has ended",
    ),
    tscript(
        "&& kind.comes_once(self.tools.connections())",
        "",
        "tools that come back change places",
    ),
    tscript(
        ".any(|term| computes(inlined, term, &kind.name))",
        ".any(|_| false)",
        "what is computed from a tool does not tell it from others",
    ),
    tscript(
        "sum p: Term. (!has(q, p)) -> r_none({slot}, p)",
        "sum p: Term. r_none({slot}, p)",
        "in mCRL2, what is preferred is not",
    ),
    tscript(
        "parts.extend((first..at).map(|before| format!(\"b_{word}_{before}_{at}\")));",
        "let _ = first;",
        "in mCRL2, tools come in any order",
    ),
    tscript(
        "let mut reads = vec![Word::RecNote, Word::NoNote];",
        "let mut reads = vec![Word::RecNote];",
        "who asks whether there is a note reads none",
    ),
    tscript(
        "let listens = self.schedule == Schedule::Free;",
        "let listens = true;",
        "a prompt bus listens to tools that vanish whatever else can happen",
    ),
    tscript(
        "any.push(self.program.exprs.and(at, same));",
        "any.push(at); let _ = same;",
        "who listens to one tool listens to all",
    ),
    tscript(
        "let theirs = self
            .program
            .exprs
            .load(Place::global(stale.theirs), Type::Rich);",
        "let theirs = self
            .program
            .exprs
            .load(cell(stale.ages, sender), Type::Rich);",
        "who ends with a message has no old notes",
    ),
    tscript(
        "reads.push(Word::SndMsg);",
        "",
        "who sends messages is asked no more how old its notes are",
    ),
    tscript(
        "any.push(self.program.exprs.and(is_unread, lets_in));",
        "any.push(is_unread); let _ = lets_in;",
        "notes pile up for who has not subscribed to them",
    ),
    tscript(
        "entry.age = entry.age.min(OLD);",
        "entry.age = FRESH;",
        "notes that nobody will read are new",
    ),
    Mutant {
        package: "probity",
        tests: &["tscript*"],
        folder: "crates/engines/games/src",
        search: "edges.find(|&(label, to)| says_so[label as usize] && inside.has(to))",
        replacement: "edges.find(|&(label, _)| says_so[label as usize])",
        breaks: "what piles up on the way out of a round piles up in it",
    },
    tscript(
        "&& pairs.all(|(part, pattern)| looks_like(table, part, pattern))",
        "&& pairs.all(|_| true)",
        "a formula's action looks like any of its word",
    ),
    tscript(
        "seen.everything |= !formula.is_blind_to_empty_letters();",
        "",
        "steps that formulas of linear time count are done together",
    ),
    Mutant {
        package: "logic",
        tests: &[],
        folder: "crates/logic/src",
        search: "Ltl::Always(p) => (p.before()? != no).then_some(same),",
        replacement: "Ltl::Always(p) => { p.before()?; Some(same) }",
        breaks: "what always happens is not missed where nothing does",
    },
    Mutant {
        package: "games",
        tests: &[],
        folder: "crates/logic/src/mu",
        search: "Node::Box(..) => !hopeful,",
        replacement: "Node::Box(..) => false,",
        breaks: "all boxes hold where nothing has been explored",
    },
];

const fn tscript(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "probity",
        tests: &["tscript*", "mcrl2"],
        folder: "crates/frontends/tscript/src",
        search,
        replacement,
        breaks,
    }
}
