//! From files to a program: the front end as one function.

use std::collections::{BTreeSet, HashMap};

use logic::{Ctl, Ltl, Quantifier};
use model::{
    Assumption, AssumptionId, Check, Claim, ExprId, Origin, OutsideId, Program, Property,
    PropertyId,
};
use source::{Diagnostic, Diagnostics, SourceMap, Span, command_line_title};

use crate::claim::{Claimed, What};
use crate::codes::meaning as codes;
use crate::formats::beside::Beside;
use crate::formats::own::{self, Extras};
use crate::graph::{Pin, Project};
use crate::lower::completion::{Completion, Watched};
use crate::lower::edges::Edges;
use crate::lower::unfollowed::Guesses;
use crate::lower::{Atom, Causes, Hook};
use crate::net::cone::{Cone, Observed, Slice, cone, rename_test, slice};
use crate::net::groups::together;
use crate::net::{MachineId, Net, VarId};
use crate::noted::{Noted, Round};
use crate::table::Table;
use crate::unheeded::unheeded;
use crate::{checks, formats, formula};

/// How long signals travel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Timing {
    /// No time, until they come to rest: what engines do.
    #[default]
    Completion,
    /// One step along an edge, and one through a node: the timing of Hasegawa and Yokogawa.
    Edges,
}

/// What the caller adds to a file.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// How long signals travel.
    pub timing: Timing,
    /// Tables of kinds of nodes: name and text.
    pub tables: Vec<(String, String)>,
    /// More properties.
    pub extra_properties: Vec<String>,
    /// Keeps what no property depends on: for simulation and translation.
    pub whole: bool,
}

/// A graph that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a file in any of the formats, and lowers it.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options) -> Loaded {
    load_script(name, text, options).0
}

/// As [`load`], and keeps what is needed to tell runs on the whole script.
#[must_use]
pub fn load_script(name: &str, text: &str, options: &Options) -> (Loaded, Option<Script>) {
    load_beside((name, text), options, &Beside::nothing())
}

/// As [`load_script`] of a file by its name and text, with what it calls in other files.
#[must_use]
pub fn load_beside(
    (name, text): (&str, &str),
    options: &Options,
    beside: &Beside<'_>,
) -> (Loaded, Option<Script>) {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let read = read_beside(
        (name, text),
        options,
        beside,
        &mut sources,
        &mut diagnostics,
    );
    let script = read.and_then(|read| {
        let title = title(name).to_owned();
        let claims = read.claims.clone();
        let part = lower(&title, &read.net, claims, options, &mut diagnostics)?;
        Some(Script {
            title,
            read,
            part,
            options: options.clone(),
        })
    });
    let program = script.as_ref().map(|script| {
        let mut program = script.part.program.clone();
        program.display.picture = Some(script.read.picture.clone());
        program
    });
    (Loaded::new(sources, diagnostics, program), script)
}

/// A script that has been read: the part that is checked, and the net that it is a part of.
pub struct Script {
    pub(crate) title: String,
    pub(crate) read: Read,
    pub(crate) part: Lowered,
    pub(crate) options: Options,
}

/// What a program is called: the last part of the file's name.
pub(crate) fn title(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// A file that has been read.
#[derive(Clone)]
pub(crate) struct Read {
    pub(crate) net: Net,
    pub(crate) claims: Vec<Claimed>,
    pub(crate) picture: model::Picture,
}

/// A file as a net, and what is claimed of it.
#[cfg(test)]
pub(crate) fn read(
    name: &str,
    text: &str,
    options: &Options,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Read> {
    let beside = Beside::nothing();
    read_beside((name, text), options, &beside, sources, diagnostics)
}

/// A file, by its name and text, with what it calls in other files, as a net, and what is claimed of it.
pub(crate) fn read_beside(
    (name, text): (&str, &str),
    options: &Options,
    beside: &Beside<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Read> {
    let (project, extras) = {
        let file = sources.add(name, text);
        let project = formats::read_beside(file, sources, beside, diagnostics)?;
        (project, own::extras(sources.file(file), diagnostics))
    };
    let project = crate::flatten(&project, diagnostics);
    net_of(project, extras, options, sources, diagnostics)
}

fn net_of(
    mut project: Project,
    extras: Extras,
    options: &Options,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Read> {
    let mut table = Table::standard(sources, diagnostics);
    for (name, text) in &options.tables {
        let file = sources.add(name, text.as_str());
        table.read(sources.file(file), diagnostics);
    }
    if !extras.kinds.is_empty() {
        let file = sources.add("kinds", extras.kinds.join("\n"));
        table.read(sources.file(file), diagnostics);
    }
    if diagnostics.has_errors() {
        return None;
    }
    unheeded(&project, &table, diagnostics);
    complete(&mut project, &table);
    let net = crate::net::build(&project, &table, diagnostics);
    unreached(&net, diagnostics);
    let mut claims = Vec::new();
    for (name, text, span) in extras.properties {
        stated(&net, name, text, span, &mut claims, diagnostics);
    }
    // A file that states properties is asked about these, unless it asks for checks too.
    if extras.checks.is_some() || claims.is_empty() {
        claims.extend(checks::claims(&net, extras.checks.as_deref(), diagnostics));
    }
    for (number, text) in (1..).zip(&options.extra_properties) {
        let file = sources.add(command_line_title(number), text.as_str());
        let span = sources.file(file).span();
        let name = match number {
            1 => "property".to_owned(),
            _ => format!("property_{number}"),
        };
        stated(&net, name, text.clone(), span, &mut claims, diagnostics);
    }
    (!diagnostics.has_errors()).then(|| Read {
        picture: crate::picture(&project),
        net,
        claims,
    })
}

/// Gives nodes the pins that their kinds have in any case, so that a pin without a line is seen.
fn complete(project: &mut Project, table: &Table) {
    for node in project.graphs.iter_mut().flat_map(|graph| &mut graph.nodes) {
        let Some(kind) = table.kind(&node.kind) else {
            continue;
        };
        for (names, pins) in [
            (&kind.inputs, &mut node.signals_in),
            (&kind.outputs, &mut node.signals_out),
        ] {
            for name in names {
                if !pins.iter().any(|pin| pin.name == *name) {
                    pins.push(Pin::new(name.as_str(), node.span));
                }
            }
        }
    }
}

fn stated(
    net: &Net,
    name: String,
    text: String,
    span: Span,
    claims: &mut Vec<Claimed>,
    diagnostics: &mut Diagnostics,
) {
    match formula::read(&text, net) {
        Ok(formula) => {
            let what = What::of(formula);
            let trigger = trigger(&what);
            claims.push(Claimed {
                name,
                text,
                span,
                what,
                trigger,
                unless: None,
            });
        }
        Err((message, range)) => {
            let shown = text.get(range).unwrap_or_default();
            let error = Diagnostic::error(codes::PROPERTY, format!("{name}: {message}"));
            diagnostics.push(error.at(span).help(format!("in `{text}`, at `{shown}`")));
        }
    }
}

/// What has to happen for `G (p -> ...)` to say anything.
fn trigger(what: &What) -> Option<Ctl<Atom>> {
    match what {
        What::Always(Ctl::Implies(when, _)) => Some((**when).clone()),
        What::Branching(Ctl::Always(Quantifier::All, inner)) => match &**inner {
            Ctl::Implies(when, _) if when.is_local() => Some((**when).clone()),
            _ => None,
        },
        What::Linear(Ltl::Always(inner)) => match &**inner {
            Ltl::Implies(when, _) => formula::local(when),
            _ => None,
        },
        _ => None,
    }
}

/// Warns of nodes to which nothing leads.
fn unreached(net: &Net, diagnostics: &mut Diagnostics) {
    let seen = net.reached();
    for (id, machine) in net.ids() {
        if !seen[id.index()] && !machine.hidden {
            let message = format!("no signal ever reaches `{}`", machine.name);
            diagnostics.push(Diagnostic::warning(codes::UNREACHED, message).at(machine.span));
        }
    }
}

/// A net that has become a program, and how the one lies in the other.
pub(crate) struct Lowered {
    pub(crate) program: Program,
    /// What was kept of the net that was given; nothing was left out if there is none.
    pub(crate) cut: Option<Slice>,
    /// Run to completion: where each step of each process comes from,
    pub(crate) origins: Causes,
    /// and whose process each is.
    pub(crate) movers: Vec<Option<MachineId>>,
    /// What steps choose in the place of values that are not followed.
    pub(crate) guesses: Guesses,
}

/// A net as a program with properties.
pub(crate) fn lower(
    name: &str,
    net: &Net,
    claims: Vec<Claimed>,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Lowered> {
    let meeting = options.timing == Timing::Edges;
    // What is left out goes by unseen, but its steps can be counted.
    let whole = options.whole || claims.iter().any(|claim| claim.what.counts_steps());
    // Where each step takes time, so does each loop.
    let round = Round::of(net).filter(|_| options.timing == Timing::Completion);
    let (cut, claims) = if whole {
        (None, claims)
    } else {
        let (cut, claims) = relevant(net, &claims, meeting);
        (Some(cut), claims)
    };
    let net = cut.as_ref().map_or(net, |cut| &cut.net);
    let together = together(net);
    let groups = together.groups;
    let observed: Vec<Observed> = claims
        .iter()
        .map(|claim| {
            let mut observed = Observed::default();
            claim.observes(net, &mut observed);
            observed
        })
        .collect();
    let mut watched = Watched::default();
    let mut checks = Vec::new();
    for claim in &claims {
        let trigger = claim.trigger.iter().flat_map(Ctl::atoms);
        for atom in claim.what.atoms().into_iter().chain(trigger) {
            if !matches!(atom, Atom::Test(_)) && !watched.atoms.contains(atom) {
                watched.atoms.push(atom.clone());
            }
        }
        let instead = claim.unless.iter().flat_map(What::atoms);
        for atom in claim.what.atoms().into_iter().chain(instead) {
            if let Atom::Test(test) = atom {
                test.vars(&mut |var| {
                    watched.spoken_of.insert(var);
                });
            }
        }
        watched.stored |= matches!(claim.what, What::Branching(_));
        if let What::Never(hook, var) = claim.what {
            let check = model::CheckId::new(checks.len());
            checks.push(Check {
                name: claim.name.clone(),
                failure: failure(hook, net, var),
                span: claim.span,
            });
            watched.hooks.push((hook, check, var));
        }
    }
    let mut timing = match options.timing {
        Timing::Completion => {
            let mut made = Completion::new(name, net, &watched, &groups);
            if !whole {
                let seen: Vec<VarId> = observed.iter().flat_map(|o| &o.vars).copied().collect();
                made.forget_what_is_gone(&together.forgotten, &seen);
            }
            made.processes(diagnostics);
            Timed::Completion(Box::new(made))
        }
        Timing::Edges => {
            let spoken_of: Option<Vec<Atom>> = (!whole).then(|| {
                let triggers = claims.iter().filter_map(|claim| claim.trigger.as_ref());
                let triggers = triggers.flat_map(Ctl::atoms);
                let atoms = claims.iter().flat_map(|claim| claim.what.atoms());
                atoms.chain(triggers).cloned().collect()
            });
            let made = Edges::new(name, net, &watched, spoken_of.as_deref());
            Timed::Edges(Box::new(made))
        }
    };
    if diagnostics.has_errors() {
        return None;
    }
    timing.program().checks = checks;
    assumptions(&mut timing, options);
    let mut noted = Noted::new(net, round);
    let (narrowed, left_out) = timing.narrowed(net);
    let mut fair: HashMap<Vec<MachineId>, AssumptionId> = HashMap::new();
    let mut hooks = 0;
    for (claim, observed) in claims.into_iter().zip(observed) {
        let cone = cone(net, &observed, meeting);
        let mut asked = noted.beside(timing.program(), net, &cone, &claim);
        // Which way is taken can make a difference to how many steps go by.
        let may_rest_on =
            (!claim.what.counts_steps()).then(|| timing.guesses_that_matter(net, &cone, &observed));
        if let Some(id) = narrowed
            && left_out.iter().any(|pin| cone.inputs.contains(pin))
        {
            asked.push(id);
        }
        if let What::Linear(_) | What::Branching(_) = claim.what {
            if needs_fairness(&claim.what)
                && let Some(id) = timing.begins(net)
            {
                asked.push(id);
            }
            let waiting = net
                .ids()
                .filter(|(id, m)| !m.ending.is_empty() && cone.own.contains(id));
            let waiting: Vec<MachineId> = waiting.map(|(id, _)| id).collect();
            if !waiting.is_empty() && needs_fairness(&claim.what) {
                let id = match fair.get(&waiting) {
                    Some(&id) => id,
                    None => {
                        let id = timing.fair(&waiting, &groups);
                        fair.insert(waiting, id);
                        id
                    }
                };
                asked.push(id);
            }
        }
        let mut claimed = |what: &What, timing: &mut Timed<'_>| match what {
            What::Linear(formula) => Claim::Ltl(formula.map(|atom| timing.atom(atom))),
            What::Branching(formula) => {
                Claim::Ctl(formula.map(&mut |atom: &Atom| timing.atom(atom)))
            }
            What::Always(condition) => Claim::Always(timing.local(condition)),
            What::Never(..) => {
                hooks += 1;
                timing.hook(hooks - 1)
            }
            What::Returns => timing.returns(),
        };
        let what = claimed(&claim.what, &mut timing);
        let unless = claim.unless.as_ref().map(|what| claimed(what, &mut timing));
        let trigger = claim.trigger.as_ref().map(|trigger| timing.local(trigger));
        let program = timing.program();
        let id = PropertyId::new(program.properties.len());
        for assumption in &asked {
            let of = &mut program.assumptions[assumption.index()].properties;
            of.get_or_insert_default().push(id);
        }
        program.add_property(Property {
            name: claim.name,
            text: claim.text,
            span: claim.span,
            claim: what,
            trigger,
            observers: Vec::new(),
            assumptions: asked,
        });
        program.alternatives.extend(unless.map(|claim| (id, claim)));
        if let Some(values) = may_rest_on {
            program.may_rest_on.insert(id, values);
        }
    }
    let (program, origins, movers, guesses) = timing.into_parts();
    Some(Lowered {
        program,
        cut,
        origins,
        movers,
        guesses,
    })
}

/// Whether fair runs matter: where only safety and possibility are spoken of they do not, because
/// any beginning of a run can go on fairly.
fn needs_fairness(what: &What) -> bool {
    fn only_possible(formula: &Ctl<Atom>) -> bool {
        use logic::Quantifier::{All, Some as One};
        match formula {
            // `EF` and `AG` are each other's negation: it is the same on both sides of a `!`.
            Ctl::Eventually(All, _)
            | Ctl::Always(One, _)
            | Ctl::Until(All, ..)
            | Ctl::Within(..) => false,
            _ => formula.operands().into_iter().all(only_possible),
        }
    }
    match what {
        What::Branching(formula) => !only_possible(formula),
        What::Linear(_) => true,
        _ => false,
    }
}

/// The part of a net on which any claim depends, and the claims about it.
fn relevant(net: &Net, claims: &[Claimed], meeting: bool) -> (Slice, Vec<Claimed>) {
    let mut observed = Observed::default();
    for claim in claims {
        claim.observes(net, &mut observed);
    }
    let cut = slice(net, &cone(net, &observed, meeting));
    let machine = |id: &MachineId| cut.machines[id.index()];
    let var = |id: VarId| cut.vars[id.index()];
    let renamed = |atom: &Atom| match atom {
        Atom::Test(test) => {
            let mut test = test.clone();
            rename_test(&mut test, &cut.vars);
            Atom::Test(test)
        }
        // What is observed but cannot happen is never true.
        Atom::Fired(id, at) => match machine(id) {
            Some(id) => Atom::Fired(id, *at),
            None => Atom::Test(crate::net::Test::Never),
        },
        Atom::Entered(id, at) => match machine(id) {
            Some(id) => Atom::Entered(id, *at),
            None => Atom::Test(crate::net::Test::Never),
        },
    };
    let claims = claims.iter().map(|claim| claim.renamed(&renamed, &var));
    let claims = claims.collect();
    (cut, claims)
}

fn failure(hook: Hook, net: &Net, var: Option<VarId>) -> String {
    let flag = var.map_or("a flag", |var| &net.var(var).name);
    match hook {
        Hook::Retrigger => "the node is started anew while it waits".to_owned(),
        Hook::Dropped => "the node waits, and the signal is lost".to_owned(),
        Hook::TwoSetters => format!("{flag} gets a second value in the same step"),
        Hook::Unbalanced => format!("{flag} is set to what it is already"),
    }
}

fn assumptions(timing: &mut Timed<'_>, options: &Options) {
    let program = timing.program();
    let text = match options.timing {
        Timing::Completion => "signals travel in no time, until they come to a node that waits",
        Timing::Edges => "a signal takes one step along a line and one through a node",
    };
    program.assumptions.push(Assumption {
        text: text.to_owned(),
        origin: Origin::Semantics,
        properties: None,
        span: Span::NONE,
    });
}

/// A program in the making, in either timing.
enum Timed<'a> {
    Completion(Box<Completion<'a>>),
    Edges(Box<Edges<'a>>),
}

impl Timed<'_> {
    fn program(&mut self) -> &mut Program {
        match self {
            Timed::Completion(made) => &mut made.program,
            Timed::Edges(made) => &mut made.program,
        }
    }

    fn into_parts(self) -> (Program, Causes, Vec<Option<MachineId>>, Guesses) {
        match self {
            Timed::Completion(made) => (made.program, made.origins, made.movers, made.guesses),
            Timed::Edges(made) => (made.program, Vec::new(), Vec::new(), Guesses::default()),
        }
    }

    /// The choices in the place of values that are not followed that make a difference.
    fn guesses_that_matter(
        &self,
        net: &Net,
        cone: &Cone,
        observed: &Observed,
    ) -> BTreeSet<OutsideId> {
        match self {
            Timed::Completion(made) => made.guesses.that_matter(net, cone, observed),
            Timed::Edges(_) => BTreeSet::new(),
        }
    }

    fn atom(&mut self, atom: &Atom) -> ExprId {
        match self {
            Timed::Completion(made) => made.atom(atom),
            Timed::Edges(made) => made.atom(atom),
        }
    }

    /// A formula without temporal operators.
    fn local(&mut self, formula: &Ctl<Atom>) -> ExprId {
        match formula {
            Ctl::True => self.program().exprs.bool(true),
            Ctl::False => self.program().exprs.bool(false),
            Ctl::Atom(atom) => self.atom(atom),
            Ctl::Not(a) => {
                let a = self.local(a);
                self.program().exprs.not(a)
            }
            Ctl::And(all) | Ctl::Or(all) => {
                let and = matches!(formula, Ctl::And(_));
                let parts = all.iter().map(|part| self.local(part)).collect();
                crate::lower::declare::joined(self.program(), parts, and)
            }
            Ctl::Implies(a, b) => {
                let (a, b) = (self.local(a), self.local(b));
                let not = self.program().exprs.not(a);
                self.program().exprs.or(not, b)
            }
            Ctl::Iff(a, b) => {
                let (a, b) = (self.local(a), self.local(b));
                self.program().exprs.binary(model::Binary::Eq, a, b)
            }
            _ => unreachable!("it has no temporal operators"),
        }
    }

    /// That loops that pile up signals are not followed all the way, as an assumption, and to which
    /// inputs signals are left out.
    fn narrowed(&mut self, net: &Net) -> (Option<AssumptionId>, BTreeSet<(MachineId, u16)>) {
        let Timed::Completion(made) = self else {
            return Default::default();
        };
        let left_out = made.left_out().clone();
        let Some((first, _)) = left_out.first() else {
            return Default::default();
        };
        let machine = net.machine(*first);
        let id = AssumptionId::new(made.program.assumptions.len());
        made.program.assumptions.push(Assumption {
            text: format!(
                "where a loop that takes no time starts `{}` at each turn, not all turns are followed",
                machine.name
            ),
            origin: Origin::Narrowed,
            properties: Some(Vec::new()),
            span: machine.span,
        });
        (Some(id), left_out)
    }

    /// That the scripts begin, as an assumption, where something may come before.
    fn begins(&mut self, net: &Net) -> Option<AssumptionId> {
        if net.begun.is_empty() {
            return None;
        }
        let Timed::Completion(made) = self else {
            return None;
        };
        let text = "the script begins, whatever comes before";
        let said = made.program.assumptions.iter();
        if let Some(at) = said.clone().position(|assumption| assumption.text == text) {
            return Some(AssumptionId::new(at));
        }
        let id = AssumptionId::new(said.len());
        made.program.assumptions.push(Assumption {
            text: text.to_owned(),
            origin: Origin::Semantics,
            properties: Some(Vec::new()),
            span: Span::NONE,
        });
        let fairness = made.begins(id);
        made.program.fairness.extend(fairness);
        Some(id)
    }

    /// Fairness of these waits, as an assumption.
    fn fair(&mut self, waiting: &[MachineId], groups: &[Vec<MachineId>]) -> AssumptionId {
        let program = self.program();
        let id = AssumptionId::new(program.assumptions.len());
        program.assumptions.push(Assumption {
            text: match waiting.len() {
                1 => "the one node that it depends on and that waits comes to the end of it"
                    .to_owned(),
                n => format!(
                    "each of the {n} nodes that it depends on and that wait comes to the end of it"
                ),
            },
            origin: Origin::Semantics,
            properties: Some(Vec::new()),
            span: Span::NONE,
        });
        for (number, group) in groups.iter().enumerate() {
            let mine: Vec<MachineId> = group
                .iter()
                .copied()
                .filter(|id| waiting.contains(id))
                .collect();
            if mine.is_empty() {
                continue;
            }
            let fairness = match self {
                Timed::Completion(made) => made.fairness(number, &mine, id),
                Timed::Edges(made) => made.fairness(&mine, id),
            };
            self.program().fairness.push(fairness);
        }
        id
    }

    fn hook(&mut self, number: usize) -> Claim {
        match self {
            Timed::Completion(_) => Claim::Check(model::CheckId::new(number)),
            Timed::Edges(made) => Claim::Always(made.hook(number)),
        }
    }

    fn returns(&mut self) -> Claim {
        match self {
            Timed::Completion(_) => Claim::Returns,
            // Each step takes time.
            Timed::Edges(made) => Claim::Always(made.program.exprs.bool(true)),
        }
    }
}
