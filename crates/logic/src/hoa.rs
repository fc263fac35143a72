//! Automata as text: the Hanoi Omega-Automata format, version 1 (Babiak and others, CAV 2015),
//! which most tools for automata read.

use std::fmt::{Display, Write};

use crate::buchi::{Buchi, Cube};

impl<A: Display> Buchi<A> {
    /// The automaton in the HOA format, with `name` as its name.
    ///
    /// ```
    /// use logic::{Ltl, translate};
    ///
    /// let automaton = translate(&Ltl::eventually(Ltl::atom("done"))).expect("it is small");
    /// assert!(automaton.to_hoa("<> done").contains(r#"AP: 1 "done""#));
    /// ```
    pub fn to_hoa(&self, name: &str) -> String {
        let mut text = String::new();
        self.write_hoa(&mut text, name)
            .expect("a string takes all that is written to it");
        text
    }

    fn write_hoa(&self, out: &mut String, name: &str) -> std::fmt::Result {
        writeln!(out, "HOA: v1")?;
        writeln!(out, "name: {}", quoted(name))?;
        writeln!(out, "States: {}", self.state_count())?;
        writeln!(out, "Start: {}", self.initial)?;
        write!(out, "AP: {}", self.atoms.len())?;
        for atom in &self.atoms {
            write!(out, " {}", quoted(&atom.to_string()))?;
        }
        writeln!(out)?;
        writeln!(out, "acc-name: Buchi")?;
        writeln!(out, "Acceptance: 1 Inf(0)")?;
        writeln!(out, "properties: trans-labels explicit-labels trans-acc")?;
        writeln!(out, "--BODY--")?;
        for state in self.states() {
            writeln!(out, "State: {state}")?;
            for edge in self.edges_from(state) {
                let label = edge.label.show(" & ", "t", |i| i.to_string());
                let mark = if edge.accepting { " {0}" } else { "" };
                writeln!(out, "[{label}] {}{mark}", edge.target)?;
            }
        }
        writeln!(out, "--END--")
    }
}

impl Cube {
    /// The literals, with `name` telling how atom `i` is called; `empty` if there are none.
    pub(crate) fn show(self, and: &str, empty: &str, name: impl Fn(usize) -> String) -> String {
        let literals: Vec<String> = (0..Cube::MAX_ATOMS)
            .filter_map(|i| {
                if self.pos >> i & 1 == 1 {
                    Some(name(i))
                } else if self.neg >> i & 1 == 1 {
                    Some(format!("!{}", name(i)))
                } else {
                    None
                }
            })
            .collect();
        match literals.is_empty() {
            true => empty.to_owned(),
            false => literals.join(and),
        }
    }
}

/// A double-quoted string, as HOA and DOT both write it.
pub(crate) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use crate::{Ltl, translate};

    #[test]
    fn a_response_that_fails() {
        let property = Ltl::leads_to(Ltl::atom("x == \"a\""), Ltl::atom("q"));
        let automaton = translate(&Ltl::not(property)).expect("it is small");
        let expected = r#"HOA: v1
name: "no answer"
States: 2
Start: 0
AP: 2 "x == \"a\"" "q"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0
[t] 0
[0 & !1] 1
State: 1
[!1] 1 {0}
--END--
"#;
        assert_eq!(automaton.to_hoa("no answer"), expected);
    }
}
