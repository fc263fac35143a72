//! Faults in what explores and audits sets of logical structures. Rules that are not asked make what is
//! found less precise; random programs show that, and what is wrong.

use super::Mutant;

/// The faults. Those of one package stand together.
pub(super) const MUTANTS: &[Mutant] = &[
    imprecise(
        "became[Became::True as usize] |= is.must & !was.must;",
        "became[Became::True as usize] |= is.must & was.may & !was.must;",
        "rules are not asked about what was false and is true",
    ),
    imprecise(
        "became[Became::Unknown as usize] |= is.unknown() & !was.unknown();",
        "became[Became::Unknown as usize] |= is.unknown() & was.may & was.must & !was.may;",
        "rules are not asked about what is not known any more",
    ),
    imprecise(
        "Code::Not(inner) => (&**inner, Became::False),",
        "Code::Not(inner) => (&**inner, Became::True),",
        "rules are not asked about what is false now",
    ),
    imprecise(
        "self.places.push((place, Became::known(!positive)));",
        "self.places.push((place, Became::known(positive)));",
        "rules do not contradict what becomes known",
    ),
    imprecise(
        "let mut others = (word + 1..all).chain(0..all);",
        "let mut others = word + 1..all;",
        "rules are never asked that come before those that were",
    ),
    unsound(
        "row.must |= (self.must & from).rotated(left);",
        "row.must |= (self.must & from).rotated(S::MOST - left);",
        "what surely holds of an individual goes with another one",
    ),
    unsound(
        "all(|individual| name(individual - 1) < name(individual))",
        "all(|individual| name(individual - 1) <= name(individual))",
        "individuals that nothing keeps apart stay several",
    ),
    unsound(
        "if (all.gained | all.lost | all.kept).is_empty() {",
        "if (all.gained | all.lost).is_empty() {",
        "a part that does not change decides a conjunction",
    ),
    unsound(
        "if actions.iter().any(|one| program.approximate.contains(one)) {",
        "if actions.is_empty() {",
        "a run takes a step that the program may never take",
    ),
    unsound(
        "for &action in before {",
        "for &action in actions {",
        "the last action of a way is taken twice",
    ),
    unsound(
        "let Some(taken) = taken.find(|taken| taken.reported_after.contains(&message)) else {",
        "let Some(taken) = taken.next() else {",
        "a run ends with any outcome of its last action",
    ),
    unsound(
        "level = level.end..found.len();",
        "level = 0..found.len();",
        "a run along actions leaves some of them out",
    ),
    unsound(
        "self.words.push(bits >> (64 - taken));",
        "self.words.push(bits >> taken);",
        "bits of a kept structure are lost where a word ends",
    ),
    unsound(
        "bits |= self.words[word + 1] << (64 - skipped);",
        "bits |= self.words[word + 1] << skipped;",
        "bits that two words share are read from the wrong place",
    ),
    Mutant {
        package: "java",
        tests: &["jobs"],
        folder: "crates/engines/shape/src",
        search: "match seen.filter(|_| turn == Turn::Seen) {",
        replacement: "match seen {",
        breaks: "what threads saw is kept though the structure has been joined since",
    },
    unsound(
        "_ => from(number, 0) << bits | from(number, 1) >> (WORD - bits),",
        "_ => from(number, 0) << bits,",
        "individuals that go on into another word are lost",
    ),
    unsound(
        "let bits = self.take_word((width - number * WORD).min(WORD));",
        "let bits = self.take_word(width.min(WORD));",
        "a kept structure of many individuals is read as if it had more",
    ),
    audit(
        "line.yes |= C::one(new).when(self.yes.has(old));",
        "line.yes |= C::one(old).when(self.yes.has(old));",
        "individuals that are chosen keep the places of others",
    ),
    audit(
        "for line in &mut larger.lines[self.facts..] {\n            line.no |= new;",
        "for line in &mut larger.lines[self.facts..] {\n            line.yes |= new;",
        "what is one holds of a new individual from the beginning",
    ),
    audit(
        "Term::Some(bound) | Term::Each(bound) if self.lasts(&bound.reads) => {",
        "Term::Some(bound) | Term::Each(bound) if self.lasts(&[]) => {",
        "what a quantifier is about never changes",
    ),
    parts(
        "let several = self.several.has(one) || firsts[image] != one;",
        "let several = self.several.has(one);",
        "two individuals that become one are one alone",
    ),
    parts(
        "yes: test.yes & then.yes | test.no & otherwise.yes,",
        "yes: test.yes & then.yes | test.yes & otherwise.yes,",
        "what holds where a test fails is not looked at",
    ),
    parts(
        "(_, true) => Kleene::Unknown,\n                    _ => Kleene::True,\n                };\n                Line::filled(value, over",
        "_ => Kleene::True,\n                };\n                Line::filled(value, over",
        "what may hold of somebody holds of somebody",
    ),
    parts(
        "no: self.everybody() & !sure,",
        "no: self.everybody() & !may,",
        "a way of steps that may be there is there",
    ),
    parts(
        "let (neither, lost) = (neither | lost & !before, lost & before);",
        "let (neither, lost) = (neither, lost & before);",
        "who is new was nothing before, and nobody",
    ),
    parts(
        "words.all(|(own, other)| other & !own == 0)",
        "words.all(|(own, other)| own & !other == 0)",
        "a structure stands for those of which less is known",
    ),
    parts(
        "put(those.word(word), (count - word * WORD).min(WORD));",
        "put(those.word(0), (count - word * WORD).min(WORD));",
        "of many individuals only those of the first word are looked at",
    ),
    parts(
        "words.push(bits >> (count - used));",
        "words.push(bits >> used);",
        "bits are lost where a word ends",
    ),
    parts(
        "if several(one) {\n                next.join(next.or(pairs))",
        "if several(one) {\n                next",
        "all that one individual stands for change together",
    ),
    parts(
        "if repeated && structure.several.has(those[0]) {",
        "if repeated && !repeated {",
        "what is said of each and itself is said of each two",
    ),
];

/// A fault of the engine that makes it less precise.
const fn imprecise(
    search: &'static str,
    replacement: &'static str,
    breaks: &'static str,
) -> Mutant {
    Mutant {
        package: "shape",
        tests: &[],
        folder: "crates/engines/shape/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault of the engine that lets it miss something, or find too much.
const fn unsound(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "shape",
        tests: &[],
        folder: "crates/engines/shape/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault of the audit.
const fn audit(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "shape",
        tests: &[],
        folder: "crates/audit/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault of what the audit is made of.
const fn parts(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "audit",
        tests: &[],
        folder: "crates/audit/src",
        search,
        replacement,
        breaks,
    }
}
