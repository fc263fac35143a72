//! What SMV calls what a graph is made of, and formulas in its words.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use logic::{Ctl, Ltl};

use crate::lower::Atom;
use crate::lower::edges::atom_test;
use crate::lower::equations::{Equation, Equations};
use crate::net::{Net, Test};

/// Names that SMV allows.
pub(super) struct Names {
    pub(super) vars: Vec<String>,
    values: HashMap<String, String>,
}

/// Words that are no names in NuSMV's successor either.
const ALSO_RESERVED: &[&str] = &[
    "CONSTARRAY",
    "Bool",
    "COMPID",
    "FUN",
    "ITYPE",
    "NEXTWFF",
    "READ",
    "WRITE",
    "Word",
    "typeof",
];

fn plain(name: &str) -> String {
    let mut plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if plain.starts_with(|c: char| c.is_ascii_digit()) && plain.parse::<i64>().is_err() {
        plain.insert(0, '_');
    }
    if plain.is_empty()
        || logic::smv::is_reserved(&plain)
        || ALSO_RESERVED.contains(&plain.as_str())
    {
        plain.push('_');
    }
    plain
}

impl Names {
    pub(super) fn of(equations: &Equations) -> Names {
        let mut values = HashMap::new();
        let mut taken: HashSet<String> = HashSet::new();
        for value in equations.vars.iter().flat_map(|equation| &equation.values) {
            values.entry(value.clone()).or_insert_with(|| {
                let mut name = plain(value);
                // A pin or a state may be called what `none` is called.
                while !taken.insert(name.clone()) {
                    name.push('_');
                }
                name
            });
        }
        let mut vars = Vec::new();
        for equation in &equations.vars {
            let mut name = plain(&equation.name);
            if name.parse::<i64>().is_ok() {
                name.insert(0, '_');
            }
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            vars.push(name);
        }
        Names { vars, values }
    }

    pub(super) fn value(&self, value: &str) -> &str {
        &self.values[value]
    }

    /// The values of a variable; those of a truth value in the paper's order.
    pub(super) fn values(&self, equation: &Equation) -> Vec<&str> {
        let mut values: Vec<&str> = equation.values.iter().map(|v| self.value(v)).collect();
        if values == ["false", "true"] {
            values.reverse();
        }
        values
    }

    pub(super) fn set(&self, equation: &Equation, values: &[u16]) -> String {
        let name = |&at: &u16| self.value(&equation.values[usize::from(at)]);
        match values {
            [one] => name(one).to_owned(),
            _ => format!(
                "{{{}}}",
                values.iter().map(name).collect::<Vec<_>>().join(", ")
            ),
        }
    }

    pub(super) fn test(&self, equations: &Equations, test: &Test) -> String {
        match test {
            Test::Always => "TRUE".to_owned(),
            Test::Never => "FALSE".to_owned(),
            Test::Is(var, at) => {
                let value = &equations.vars[var.index()].values[usize::from(*at)];
                format!("{} = {}", self.vars[var.index()], self.value(value))
            }
            Test::Not(inner) => format!("!({})", self.test(equations, inner)),
            Test::All(all) => {
                let parts = all.iter().map(|part| match part {
                    Test::Any(_) => format!("({})", self.test(equations, part)),
                    _ => self.test(equations, part),
                });
                parts.collect::<Vec<_>>().join(" & ")
            }
            Test::Any(all) => {
                let parts = all.iter().map(|part| match part {
                    Test::All(_) => format!("({})", self.test(equations, part)),
                    _ => self.test(equations, part),
                });
                parts.collect::<Vec<_>>().join(" | ")
            }
        }
    }

    /// An atom, which has to stand beside any operator.
    fn atom(&self, net: &Net, equations: &Equations, atom: &Atom) -> String {
        let test = atom_test(net, equations, atom);
        let text = self.test(equations, &test);
        match test {
            Test::All(_) | Test::Any(_) => format!("({text})"),
            _ => text,
        }
    }

    /// The negation of what has two values is the other value.
    fn negated(&self, net: &Net, equations: &Equations, atom: &Atom) -> Option<String> {
        match atom_test(net, equations, atom) {
            Test::Is(var, at) if equations.vars[var.index()].values.len() == 2 => {
                Some(self.test(equations, &Test::Is(var, 1 - at)))
            }
            _ => None,
        }
    }

    pub(super) fn branching(
        &self,
        net: &Net,
        equations: &Equations,
        formula: &Ctl<Atom>,
    ) -> String {
        self.without_negations(net, equations, formula).to_smv()
    }

    /// Atoms as texts, their negations as well where these have one.
    fn without_negations(
        &self,
        net: &Net,
        equations: &Equations,
        formula: &Ctl<Atom>,
    ) -> Ctl<String> {
        let of = |formula: &Ctl<Atom>| self.without_negations(net, equations, formula);
        let one = |formula: &Ctl<Atom>| Arc::new(of(formula));
        match formula {
            Ctl::True => Ctl::True,
            Ctl::False => Ctl::False,
            Ctl::Atom(atom) => Ctl::Atom(self.atom(net, equations, atom)),
            Ctl::Not(a) => match &**a {
                Ctl::Atom(atom) => match self.negated(net, equations, atom) {
                    Some(text) => Ctl::Atom(text),
                    None => Ctl::Not(one(a)),
                },
                _ => Ctl::Not(one(a)),
            },
            Ctl::And(all) => Ctl::And(all.iter().map(of).collect()),
            Ctl::Or(all) => Ctl::Or(all.iter().map(of).collect()),
            Ctl::Implies(a, b) => Ctl::Implies(one(a), one(b)),
            Ctl::Iff(a, b) => Ctl::Iff(one(a), one(b)),
            Ctl::Next(q, a) => Ctl::Next(*q, one(a)),
            Ctl::Eventually(q, a) => Ctl::Eventually(*q, one(a)),
            Ctl::Always(q, a) => Ctl::Always(*q, one(a)),
            Ctl::Until(q, a, b) => Ctl::Until(*q, one(a), one(b)),
            Ctl::Within(q, lo, hi, a, b) => Ctl::Within(*q, *lo, *hi, one(a), one(b)),
        }
    }

    pub(super) fn linear(&self, net: &Net, equations: &Equations, formula: &Ltl<Atom>) -> String {
        let formula = formula.map(|atom| self.atom(net, equations, atom));
        formula.to_smv()
    }
}
