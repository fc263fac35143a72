//! Faults in how scripts of the ToolBus are understood, and in what is checked of them.

use super::Mutant;

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    tscript(
        "if entry.sender == who && entry.age == from {",
        "if who > NOBODY && entry.age == from {",
        "the rounds of anybody make notes old",
    ),
    tscript(
        "grow_older(table, args, OLD, STALE)",
        "grow_older(table, args, FRESH, STALE)",
        "notes of this round are stale, too",
    ),
    tscript(
        "if taken.age == FRESH {",
        "if taken.age == STALE {",
        "nothing is learnt from a note of a later round",
    ),
    tscript(
        "if !waits(next) && !does(next) && !std",
        "if !does(next) && !std",
        "who waits for somebody counts as on its way to subscribe",
    ),
    tscript(
        "reached.retain(|&state| leads[state]);",
        "let _ = leads;",
        "whoever has waited for nobody counts as on its way to subscribe",
    ),
    tscript(
        "let bad = self.program.exprs.and(has_old, has_word);",
        "let _ = has_old;\n            let bad = has_word;",
        "each message counts as outdated",
    ),
    tscript(
        "next.begins = outermost;",
        "next.begins = outermost && false;",
        "no loop has rounds",
    ),
    tscript(
        "plan.back.push((*var, through, value));",
        "let _ = (through, value);",
        "nothing flows back to the sender of a message",
    ),
    tscript(
        "let found = items.iter().find(|item| matches(t, item, &a[1]));",
        "let found = items.iter().rev().find(|item| matches(t, item, &a[1]));",
        "the last note that matches is read",
    ),
    tscript(
        "next.choice.second_best.push(choice);",
        "next.choice.second_best.extend([choice].into_iter().skip(1));",
        "nothing is preferred",
    ),
    tscript(
        "if self.dialect == Dialect::C {\n            let place = self.own_cell(notes.queues);",
        "if self.dialect == Dialect::Ng {\n            let place = self.own_cell(notes.queues);",
        "notes are thrown away in the wrong dialect",
    ),
    tscript(
        "guards.push(self.program.exprs.binary(Binary::Le, due, now));",
        "guards.push(self.program.exprs.binary(Binary::Lt, due, now));",
        "delays are one tick too long",
    ),
    tscript(
        "let compare = if ng && timeout > 0 {",
        "let compare = if timeout > 0 {",
        "timeouts are one tick too long",
    ),
    tscript(
        "!(comes || ng && word == Word::RecMsg)",
        "!(comes && ng && word == Word::RecMsg)",
        "a process stands back for what comes, or does not",
    ),
    tscript(
        "Pattern::List(parts) => parts.iter().enumerate().rev().collect(),",
        "Pattern::List(parts) => parts.iter().enumerate().collect(),",
        "the first of a list counts, not the last",
    ),
    tscript(
        "if assigned.contains(formal.name.as_str()) {",
        "if assigned.contains(formal.name.as_str()) || matches!(arg, Pattern::Var(_)) {",
        "arguments are taken when the call begins",
    ),
    tscript(
        "let connected = self.is_link(index, CONNECTED);\n                let goes",
        "let connected = self.is_link(index, VANISHED);\n                let goes",
        "a tool that is told to go stays",
    ),
    tscript(
        "facts.no_numbers && facts.same_reals",
        "facts.no_numbers && facts.same_reals && facts.arguments",
        "what is no number equals itself",
    ),
    tscript(
        "Some(Stmt::Assign(place, zero))",
        "Some(Stmt::Assign(place, zero)).filter(|_| unit > unit)",
        "clocks are never started again",
    ),
    tscript(
        "if self.schedule == Schedule::Prompt && (listens || atom.delayed && !counted) {",
        "if self.schedule == Schedule::Prompt && atom.delayed && !counted && listens {",
        "a prompt bus listens at any time",
    ),
    tscript(
        "body.extend(self.settled(watching, next.to, 0));",
        "",
        "observers do nothing on their own",
    ),
];

const fn tscript(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "tscript",
        tests: &[],
        folder: "crates/frontends/tscript/src",
        search,
        replacement,
        breaks,
    }
}
