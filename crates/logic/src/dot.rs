//! Automata as pictures: the DOT language of Graphviz. Accepting edges are bold.

use std::fmt::{Display, Write};

use crate::buchi::Buchi;
use crate::hoa::quoted;

impl<A: Display> Buchi<A> {
    /// The automaton as a DOT graph with `title` above it.
    pub fn to_dot(&self, title: &str) -> String {
        let mut text = String::new();
        self.write_dot(&mut text, title)
            .expect("a string takes all that is written to it");
        text
    }

    fn write_dot(&self, out: &mut String, title: &str) -> std::fmt::Result {
        writeln!(out, "digraph {{")?;
        writeln!(out, "  label={}; labelloc=t; rankdir=LR;", quoted(title))?;
        writeln!(out, "  node [shape=circle];")?;
        writeln!(out, "  start [shape=point];")?;
        writeln!(out, "  start -> {};", self.initial)?;
        for state in self.states() {
            writeln!(out, "  {state};")?;
            for edge in self.edges_from(state) {
                let label = edge
                    .label
                    .show(" && ", "true", |i| self.atoms[i].to_string());
                let style = if edge.accepting { ", style=bold" } else { "" };
                writeln!(
                    out,
                    "  {state} -> {} [label={}{style}];",
                    edge.target,
                    quoted(&label)
                )?;
            }
        }
        writeln!(out, "}}")
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ltl, translate};

    #[test]
    fn infinitely_often() {
        let automaton = translate(&Ltl::infinitely_often(Ltl::atom("a"))).expect("it is small");
        assert_eq!(
            automaton.to_dot("[] <> \"a\""),
            r#"digraph {
  label="[] <> \"a\""; labelloc=t; rankdir=LR;
  node [shape=circle];
  start [shape=point];
  start -> 0;
  0;
  0 -> 0 [label="a", style=bold];
  0 -> 0 [label="!a"];
}
"#
        );
    }
}
