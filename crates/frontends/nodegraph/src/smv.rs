//! The translation to SMV in the paper's form, with its two optimisations as options.
//!
//! What is written is what Hasegawa and Yokogawa's Fig. 6 shows, and with [`Smv::encode_state`]
//! their Fig. 9; [`Smv::drop_cosmetic`] takes out nodes without side effects first. Names that SMV
//! does not allow are changed. Fairness goes to nodes that wait, and to no others: a node that
//! remembers need never come back, and to demand it would hide bugs.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use logic::{Ctl, Ltl, Quantifier};
use source::{Diagnostic, Diagnostics, SourceMap};

use crate::formula::{self, Formula};
use crate::load::{Options, read};
use crate::lower::Atom;
use crate::lower::edges::atom_test;
use crate::lower::equations::{Equation, Equations, Otherwise};
use crate::net::{MachineId, Net, Test, VarId};

/// How a graph is written as SMV.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Smv {
    /// Leaves out nodes without side effects (the paper's first optimisation).
    pub drop_cosmetic: bool,
    /// Says the state of a node by its output variable (the second one).
    pub encode_state: bool,
}

/// Writes a file as an SMV model; none if it has errors.
pub fn to_smv(
    name: &str,
    text: &str,
    options: &Options,
    form: Smv,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let read = read(name, text, options, sources, diagnostics)?;
    let net = match form.drop_cosmetic {
        true => without_cosmetic(&read.net),
        false => read.net,
    };
    let equations = Equations::of(&net, form.encode_state);
    let names = Names::of(&equations);
    let mut out = "MODULE main\nVAR\n".to_owned();
    for (equation, name) in equations.vars.iter().zip(&names.vars) {
        let values = names.values(equation);
        let _ = writeln!(out, " {name} : {{{}}};", values.join(", "));
    }
    for (_, var, waiting) in &equations.waits {
        let equation = &equations.vars[var.index()];
        let name = &names.vars[var.index()];
        let stable = net_states(&net, &equations, *var);
        let rest: Vec<u16> = (0..stable).filter(|at| !waiting.contains(at)).collect();
        let values = &equation.values;
        let _ = match rest[..] {
            [at] => writeln!(
                out,
                "FAIRNESS {name} = {};",
                names.value(&values[usize::from(at)])
            ),
            _ => {
                let waiting = waiting.iter().map(|&at| Test::Is(*var, at)).collect();
                let rest = Test::not(Test::any(waiting));
                writeln!(out, "FAIRNESS {};", names.test(&equations, &rest))
            }
        };
    }
    out.push_str("ASSIGN\n");
    for (equation, name) in equations.vars.iter().zip(&names.vars) {
        let _ = writeln!(
            out,
            " init({name}) := {};",
            names.set(equation, &equation.first)
        );
        let otherwise = match equation.otherwise {
            Otherwise::Keep => name.clone(),
            Otherwise::Value(at) => names.set(equation, &[at]),
        };
        let always = |(test, _): &(Test, Vec<u16>)| *test == Test::Always;
        if equation.cases.is_empty() {
            let _ = writeln!(out, " next({name}) := {otherwise};");
            continue;
        }
        let _ = writeln!(out, " next({name}) := case");
        for (test, values) in &equation.cases {
            let values = names.set(equation, values);
            let _ = writeln!(out, " {} : {values};", names.test(&equations, test));
        }
        if !equation.cases.iter().any(always) {
            let _ = writeln!(out, " TRUE : {otherwise};");
        }
        out.push_str(" esac;\n");
    }
    out.push('\n');
    for claim in &read.claims {
        match formula::read(&claim.text, &net) {
            Ok(Formula::Branching(formula)) => {
                let text = names.branching(&net, &equations, &formula);
                let _ = writeln!(out, "CTLSPEC {text}");
            }
            Ok(Formula::Linear(formula)) => {
                let text = names.linear(&net, &equations, &formula);
                let _ = writeln!(out, "LTLSPEC {text}");
            }
            Err((why, _)) => {
                let message = format!("`{}` is left out of the translation: {why}", claim.name);
                let note = Diagnostic::note(crate::codes::meaning::PROPERTY, message);
                diagnostics.push(note.at(claim.span));
            }
        }
    }
    Some(out)
}

/// How many of a state variable's values are states that the kind declares.
fn net_states(net: &Net, equations: &Equations, var: VarId) -> u16 {
    let machine = equations.waits.iter().find(|(_, other, _)| *other == var);
    let state = machine.and_then(|(id, ..)| net.machine(*id).state);
    state.map_or(0, |state| net.var(state).values.len() as u16)
}

/// A net without machines that change nothing that can be seen: what leads to one leads to what it
/// leads to.
fn without_cosmetic(net: &Net) -> Net {
    let mut result = net.clone();
    let through = |id: MachineId| {
        let machine = net.machine(id);
        machine.cosmetic && machine.own.is_empty() && machine.outputs.len() == 1
    };
    for machine in &mut result.machines {
        for output in &mut machine.outputs {
            let mut targets: Vec<(MachineId, u16)> = Vec::new();
            let mut seen = HashSet::new();
            let mut open: Vec<(MachineId, u16)> = output.targets.iter().rev().copied().collect();
            while let Some((id, input)) = open.pop() {
                if !through(id) {
                    if !targets.contains(&(id, input)) {
                        targets.push((id, input));
                    }
                } else if seen.insert(id) {
                    open.extend(net.machine(id).outputs[0].targets.iter().rev());
                }
            }
            output.targets = targets;
        }
    }
    let mut kept = vec![None; net.machines.len()];
    let mut count = 0;
    for (id, _) in net.ids() {
        if !through(id) {
            kept[id.index()] = Some(MachineId::new(count));
            count += 1;
        }
    }
    result.machines = std::mem::take(&mut result.machines)
        .into_iter()
        .enumerate()
        .filter(|(index, _)| kept[*index].is_some())
        .map(|(_, machine)| machine)
        .collect();
    for machine in &mut result.machines {
        for output in &mut machine.outputs {
            for (to, _) in &mut output.targets {
                *to = kept[to.index()].expect("targets are kept");
            }
        }
    }
    for var in &mut result.vars {
        use crate::net::Owner;
        var.owner = match var.owner {
            Owner::Flag => Owner::Flag,
            Owner::State(id) => Owner::State(kept[id.index()].unwrap_or(id)),
            Owner::Memory(id) => Owner::Memory(kept[id.index()].unwrap_or(id)),
        };
    }
    result
}

/// Names that SMV allows.
struct Names {
    vars: Vec<String>,
    values: HashMap<String, String>,
}

/// Words that are no names in SMV.
const RESERVED: &[&str] = &[
    "A",
    "E",
    "F",
    "G",
    "H",
    "O",
    "S",
    "T",
    "U",
    "V",
    "X",
    "Y",
    "Z",
    "AG",
    "AF",
    "AX",
    "EG",
    "EF",
    "EX",
    "ABF",
    "ABG",
    "EBF",
    "EBG",
    "BU",
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "ASSIGN",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "COMPUTE",
    "MIN",
    "MAX",
    "ISA",
    "CONSTANTS",
    "NAME",
    "TRUE",
    "FALSE",
    "case",
    "esac",
    "next",
    "init",
    "process",
    "array",
    "of",
    "boolean",
    "integer",
    "real",
    "word",
    "word1",
    "bool",
    "signed",
    "unsigned",
    "extend",
    "resize",
    "sizeof",
    "uwconst",
    "swconst",
    "mod",
    "union",
    "in",
    "xor",
    "xnor",
    "self",
    "count",
    "abs",
    "max",
    "min",
    "toint",
    "FUN",
    "MDEFINE",
    "IN",
    "CONSTRAINT",
    "READ",
    "WRITE",
    "PSLSPEC",
    "PRED",
    "MIRROR",
    "typeof",
    "Word",
    "Bool",
    "CONSTARRAY",
    "SIMPWFF",
    "NEXTWFF",
    "CTLWFF",
    "LTLWFF",
    "COMPWFF",
    "COMPID",
    "ITYPE",
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
    if plain.is_empty() || RESERVED.contains(&plain.as_str()) {
        plain.push('_');
    }
    plain
}

impl Names {
    fn of(equations: &Equations) -> Names {
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

    fn value(&self, value: &str) -> &str {
        &self.values[value]
    }

    /// The values of a variable; those of a truth value in the paper's order.
    fn values(&self, equation: &Equation) -> Vec<&str> {
        let mut values: Vec<&str> = equation.values.iter().map(|v| self.value(v)).collect();
        if values == ["false", "true"] {
            values.reverse();
        }
        values
    }

    fn set(&self, equation: &Equation, values: &[u16]) -> String {
        let name = |&at: &u16| self.value(&equation.values[usize::from(at)]);
        match values {
            [one] => name(one).to_owned(),
            _ => format!(
                "{{{}}}",
                values.iter().map(name).collect::<Vec<_>>().join(", ")
            ),
        }
    }

    fn test(&self, equations: &Equations, test: &Test) -> String {
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

    fn branching(&self, net: &Net, equations: &Equations, formula: &Ctl<Atom>) -> String {
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

    fn linear(&self, net: &Net, equations: &Equations, formula: &Ltl<Atom>) -> String {
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
