//! The translation to SMV in the paper's form, with its two optimisations as options.
//!
//! What is written is what Hasegawa and Yokogawa's Fig. 6 shows, and with [`Smv::encode_state`]
//! their Fig. 9; [`Smv::drop_cosmetic`] takes out nodes without side effects first. Names that SMV
//! does not allow are changed. Fairness goes to nodes that wait, and to no others: a node that
//! remembers need never come back, and to demand it would hide bugs.

mod names;
mod single;
mod specification;

use std::collections::HashSet;
use std::fmt::Write as _;

use source::{Diagnostic, Diagnostics, SourceMap};

use crate::claim::Claimed;
use crate::formats::beside::Beside;
use crate::load::{Options, read_beside};
use crate::lower::equations::{Equations, Otherwise};
use crate::net::cone::{Observed, cone};
use crate::net::{MachineId, Net, Test, VarId};
use crate::noted::Noted;
use names::Names;
use specification::{renamed, specification, spoken_of};

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
    let file = (name, text);
    to_smv_beside(
        file,
        options,
        form,
        &Beside::nothing(),
        sources,
        diagnostics,
    )
}

/// As [`to_smv`] of a file by its name and text, with what it calls in other files.
pub fn to_smv_beside(
    file: (&str, &str),
    options: &Options,
    form: Smv,
    beside: &Beside<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let read = read_beside(file, options, beside, sources, diagnostics)?;
    let keeps = single::keeps_verdicts(&read.net, &read.claims);
    let (net, claims) = match form.drop_cosmetic && keeps {
        true => {
            let (net, kept) = without_cosmetic(&read.net, &spoken_of(&read.claims));
            let claims = read.claims.iter();
            (net, claims.map(|claim| renamed(claim, &kept)).collect())
        }
        false => (read.net, read.claims),
    };
    let equations = Equations::of(&net, form.encode_state && keeps);
    let names = Names::of(&equations);
    let single = single::single_signal(&net);
    let mut out = String::new();
    if !keeps && (form.drop_cosmetic || form.encode_state) {
        out.push_str(
            "-- Not optimised: several signals may be under way, and would meet at other times.\n",
        );
    }
    out.push_str("MODULE main\nVAR\n");
    for (equation, name) in equations.vars.iter().zip(&names.vars) {
        let values = names.values(equation);
        let _ = writeln!(out, " {name} : {{{}}};", values.join(", "));
    }
    for (_, var, waiting) in &equations.waits {
        let equation = &equations.vars[var.index()];
        let name = &names.vars[var.index()];
        let stable = net_states(&net, &equations, *var);
        let rest: Vec<u16> = (0..stable).filter(|at| !waiting.contains(at)).collect();
        // Whoever may come from one wait to the next without a rest in between is not asked to rest:
        // by itself, or because another signal comes while the one of its end leaves.
        let rests = |(id, other, _): &(MachineId, VarId, Vec<u16>)| {
            single && other == var && always_rests(&net, *id)
        };
        let rest = match equations.waits.iter().any(rests) {
            true => rest,
            false => Vec::new(),
        };
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
    let mut assumed: Vec<String> = Vec::new();
    for claim in &claims {
        // What is assumed of the script is assumed of the model.
        let (notes, cut) = assumptions(&net, claim);
        for note in notes {
            if !assumed.contains(&note) {
                let _ = writeln!(out, "-- assuming that {}", note.replace('\n', " "));
                assumed.push(note);
            }
        }
        let said = match cut {
            Some(cut) => Err(format!("{cut}, so that a proof would prove nothing")),
            None => specification(claim, &net, &equations, &names),
        };
        match said {
            Ok(text) => out.push_str(&text),
            Err(why) => {
                let _ = writeln!(out, "-- {}: left out, for {why}", claim.name);
                let message = format!("`{}` is left out of the translation", claim.name);
                let note = Diagnostic::note(crate::codes::meaning::NOT_SAID, message);
                diagnostics.push(note.at(claim.span).help(why));
            }
        }
    }
    Some(out)
}

/// What is assumed beside a claim, and what is cut of what it depends on.
fn assumptions(net: &Net, claim: &Claimed) -> (Vec<String>, Option<String>) {
    let mut observed = Observed::default();
    claim.observes(net, &mut observed);
    let cone = cone(net, &observed, true);
    let mut program = model::Program::new("", "");
    let asked = Noted::new(net, None).beside(&mut program, net, &cone, claim);
    let asked = asked.iter().map(|id| &program.assumptions[id.index()]);
    let (cuts, notes): (Vec<_>, Vec<_>) =
        asked.partition(|assumption| assumption.origin == model::Origin::Narrowed);
    let notes = notes.into_iter().map(|note| note.text.clone());
    (notes.collect(), cuts.first().map(|cut| cut.text.clone()))
}

/// Whether whatever leads a machine through a state of its own, while a signal leaves it, leads it to
/// rest.
fn always_rests(net: &Net, id: MachineId) -> bool {
    let machine = net.machine(id);
    let Some(state) = machine.state else {
        return true;
    };
    let mut passing = machine
        .rules()
        .flat_map(|rule| &rule.effects)
        .filter(|effect| !effect.outs.is_empty() || effect.sets.iter().any(|(v, _)| *v != state));
    passing.all(|effect| {
        let set = effect.sets.iter().find(|(var, _)| *var == state);
        set.is_some_and(|(_, update)| {
            let cases = update.iter().flatten();
            update.is_some() && cases.clone().all(|(_, at)| !machine.ending.contains(at))
        })
    })
}

/// How many of a state variable's values are states that the kind declares.
fn net_states(net: &Net, equations: &Equations, var: VarId) -> u16 {
    let machine = equations.waits.iter().find(|(_, other, _)| *other == var);
    let state = machine.and_then(|(id, ..)| net.machine(*id).state);
    state.map_or(0, |state| net.var(state).values.len() as u16)
}

/// A net without machines that change nothing that can be seen, but for those that claims speak of:
/// what leads to one leads to what it leads to. Also gives what each machine that is left has become.
fn without_cosmetic(net: &Net, spoken_of: &HashSet<MachineId>) -> (Net, Vec<Option<MachineId>>) {
    let mut result = net.clone();
    let through = |id: MachineId| {
        let machine = net.machine(id);
        machine.cosmetic
            && machine.own.is_empty()
            && machine.outputs.len() == 1
            && !spoken_of.contains(&id)
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
    (result, kept)
}
