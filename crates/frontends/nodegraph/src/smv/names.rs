//! What SMV calls what a graph is made of, and formulas in its words.

use std::collections::{HashMap, HashSet};

use logic::{Ctl, Ltl, Quantifier};

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

    fn atom(&self, net: &Net, equations: &Equations, atom: &Atom) -> String {
        self.test(equations, &atom_test(net, equations, atom))
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
        let of = |formula: &Ctl<Atom>| self.branching(net, equations, formula);
        let inside = |formula: &Ctl<Atom>| match formula {
            Ctl::True
            | Ctl::False
            | Ctl::Atom(_)
            | Ctl::Next(..)
            | Ctl::Eventually(..)
            | Ctl::Always(..) => of(formula),
            _ => format!("({})", of(formula)),
        };
        let letter = |q: &Quantifier| match q {
            Quantifier::All => 'A',
            Quantifier::Some => 'E',
        };
        match formula {
            Ctl::True => "TRUE".to_owned(),
            Ctl::False => "FALSE".to_owned(),
            Ctl::Atom(atom) => self.atom(net, equations, atom),
            Ctl::Not(a) => match &**a {
                Ctl::Atom(atom) => match self.negated(net, equations, atom) {
                    Some(text) => text,
                    None => format!("!({})", of(a)),
                },
                _ => format!("!({})", of(a)),
            },
            Ctl::And(all) => all.iter().map(inside).collect::<Vec<_>>().join(" & "),
            Ctl::Or(all) => all.iter().map(inside).collect::<Vec<_>>().join(" | "),
            Ctl::Implies(a, b) => format!("{} -> {}", inside(a), inside(b)),
            Ctl::Iff(a, b) => format!("{} <-> {}", inside(a), inside(b)),
            Ctl::Next(q, a) => format!("{}X({})", letter(q), of(a)),
            Ctl::Eventually(q, a) => format!("{}F({})", letter(q), of(a)),
            Ctl::Always(q, a) => format!("{}G({})", letter(q), of(a)),
            Ctl::Until(q, a, b) => format!("{}[({}) U ({})]", letter(q), of(a), of(b)),
            Ctl::Within(q, lo, hi, a, b) => {
                format!("{}[({}) BU {lo}..{hi} ({})]", letter(q), of(a), of(b))
            }
        }
    }

    pub(super) fn linear(&self, net: &Net, equations: &Equations, formula: &Ltl<Atom>) -> String {
        formula
            .map(|atom| format!("({})", self.atom(net, equations, atom)))
            .smv()
    }
}

/// A formula of linear time over texts, as SMV.
trait Text {
    fn smv(&self) -> String;
}

impl Text for Ltl<String> {
    fn smv(&self) -> String {
        let joined = |parts: &[Ltl<String>], sign: &str| {
            let parts = parts.iter().map(|part| format!("({})", part.smv()));
            parts.collect::<Vec<_>>().join(sign)
        };
        match self {
            Ltl::True => "TRUE".to_owned(),
            Ltl::False => "FALSE".to_owned(),
            Ltl::Atom(text) => text.clone(),
            Ltl::Not(a) => format!("!({})", a.smv()),
            Ltl::And(all) => joined(all, " & "),
            Ltl::Or(all) => joined(all, " | "),
            Ltl::Implies(a, b) => format!("(({}) -> ({}))", a.smv(), b.smv()),
            Ltl::Iff(a, b) => format!("(({}) <-> ({}))", a.smv(), b.smv()),
            Ltl::Next(a) => format!("X ({})", a.smv()),
            Ltl::Eventually(a) => format!("F ({})", a.smv()),
            Ltl::Always(a) => format!("G ({})", a.smv()),
            Ltl::Until(a, b) => format!("(({}) U ({}))", a.smv(), b.smv()),
            Ltl::Release(a, b) => format!("(({}) V ({}))", a.smv(), b.smv()),
            Ltl::WeakUntil(a, b) => {
                let (a, b) = (a.smv(), b.smv());
                format!("((({a}) U ({b})) | G ({a}))")
            }
        }
    }
}
