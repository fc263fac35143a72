//! The processes of the script: a process of mCRL2 for each state, a summand for each way on.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::asked::takes_anything;
use super::super::nothing::may_be_nothing;
use super::actions::{Beside, SILENT};
use super::functions::Needs;
use super::terms::{Gap, Refusal, Scope, field};
use super::world::{ToolAction, with_tool};
use super::{Values, Writer};
use crate::ast::Word;
use crate::automaton::{Condition, Move};
use crate::behaviour::Atom;
use crate::load::Dialect;
use crate::term::{Pattern, VarId};
use crate::types::Type;

/// What has to be for nothing to be preferred: guards, and a pattern of which no note may wait.
type Preference = (Vec<String>, Option<String>);

/// How it is seen that everything is shut down.
pub(super) const SHUTDOWN: &str = "shutdown_1";

/// How it is seen that an expression has no value.
const NO_VALUE: &str = "no_value";

/// One way in which a move can happen.
#[derive(Clone)]
struct Way {
    /// Variables that get a value from the other side, with their sorts.
    sums: Vec<(String, &'static str)>,
    guards: Vec<String>,
    /// What is done; nothing others could see, if there is none.
    action: Option<String>,
    /// How that is seen, and on which side of a message it is.
    seen: (String, usize),
    values: Values,
    /// A pattern of which no note may wait.
    none: Option<String>,
}

impl Way {
    fn new(values: Values) -> Way {
        Way {
            sums: Vec::new(),
            guards: Vec::new(),
            action: None,
            seen: (String::new(), 0),
            values,
            none: None,
        }
    }

    fn does(mut self, action: String, seen: &str) -> Way {
        self.action = Some(action);
        self.seen = (seen.to_owned(), 0);
        self
    }
}

impl Writer<'_, '_> {
    /// The states of a unit.
    pub(super) fn unit(&mut self, unit: usize) {
        let states = self.lowering.units[unit].automaton.states.len();
        let variables = self.lowering.units[unit].inlined.variables.len();
        let parameters: Vec<String> = (0..variables)
            .map(|var| self.parameter(unit, var))
            .collect();
        let sorts = match parameters.len() {
            0 => "me: Nat".to_owned(),
            _ => format!("me: Nat, {}: Term", parameters.join(", ")),
        };
        for state in 0..states {
            if self.lowering.units[unit].automaton.is_end(state) {
                continue;
            }
            if self.lowering.units[unit].is_oddly_ranked(state) {
                let span = self.lowering.units[unit].inlined.span;
                self.refuse(
                    span,
                    "what is preferred here, which depends on what others offer",
                );
            }
            let mut summands = Vec::new();
            for next in self.lowering.units[unit].automaton.states[state].clone() {
                let atom = self.lowering.units[unit].inlined.atoms[next.atom].clone();
                match self.summands(unit, state, &next, &atom) {
                    Ok(more) => summands.extend(more),
                    Err(what) => self.refuse(atom.span, what),
                }
            }
            self.goes_down(&mut summands);
            let name = self.state(unit, state);
            self.process(&name, &sorts, &summands);
        }
    }

    /// Where nobody runs: somebody may be created.
    pub(super) fn idle(&mut self) {
        let mut summands = Vec::new();
        for unit in 0..self.lowering.units.len() {
            if !self.lowering.is_created(unit) {
                continue;
            }
            let (name, count) = {
                let inlined = &self.lowering.units[unit].inlined;
                (inlined.name.clone(), inlined.parameters)
            };
            let constructor = self.terms.constructor(&name, count);
            let args: Vec<String> = (1..=count)
                .map(|at| format!("{}(t)", field(&constructor, at)))
                .collect();
            let begins = self.begins(unit, "me", &args);
            summands.push(format!(
                "sum t: Term. is_{constructor}(t) -> r_create(t) . {begins}"
            ));
        }
        if !summands.is_empty() {
            for name in ["s_create", "r_create", "create_1"] {
                self.actions.of_terms(name, 1);
            }
            self.actions.meet(&["s_create", "r_create"], "create_1");
        }
        self.goes_down(&mut summands);
        self.process("Idle", "me: Nat", &summands);
    }

    /// The summands of a move.
    fn summands(
        &mut self,
        unit: usize,
        state: usize,
        next: &Move,
        atom: &Atom,
    ) -> Result<Vec<String>, Refusal> {
        if atom.word == Word::Delta {
            return Ok(Vec::new());
        }
        let variables = self.lowering.units[unit].inlined.variables.len();
        let mut values: Values = (0..variables)
            .map(|var| (variable(var), self.parameter(unit, var)))
            .collect();
        let mut guards = Vec::new();
        let mut summands = Vec::new();
        // Who waits for a message asks only when one comes, which nobody could say here.
        let asks =
            atom.word != Word::RecMsg && (atom.word != Word::RecNote || !self.listeners.is_empty());
        for condition in &next.conditions {
            match condition {
                Condition::Holds(test) => {
                    let mut needs = Needs::new();
                    let truth = self.test(unit, &test.test, &values, &mut needs)?;
                    if asks {
                        summands.extend(self.halt(&guards, &needs));
                    } else if !needs.is_empty() {
                        self.unasked.get_or_insert(atom.span);
                    }
                    guards.extend(needs);
                    guards.push(answer(truth, test.wanted));
                }
                Condition::Set(var, value) => {
                    let value = self.closed(unit, value, &values)?;
                    values.insert(*var, value);
                }
                Condition::Vanishes(_) | Condition::Vanished(_) => {
                    return Err("what is not in the script".into());
                }
            }
        }
        let ranks = self.ranks(unit, state, next, &values)?;
        if let (Word::Assign, Some(value)) = (atom.word, atom.args.get(1)) {
            let mut needs = Needs::new();
            self.computed(unit, value, &values, &mut needs)?;
            summands.extend(self.halt(&guards, &needs));
        }
        for way in self.ways(unit, atom, values)? {
            for (more, none) in &ranks {
                let mut way = way.clone();
                way.guards.splice(0..0, more.iter().cloned());
                way.guards.splice(0..0, guards.iter().cloned());
                way.none.clone_from(none);
                summands.push(self.summand(unit, next, &way)?);
            }
        }
        Ok(summands)
    }

    /// That a process halts where an expression has no value, if that can be.
    fn halt(&mut self, guards: &[String], needs: &Needs) -> Option<String> {
        if needs.is_empty() {
            return None;
        }
        self.halts = true;
        self.actions.declare(NO_VALUE, "Nat");
        self.actions.allow(NO_VALUE, 0, Beside::default());
        let mut all = guards.to_vec();
        all.push(format!("!({})", needs.join(" && ")));
        let all = all.join(" && ");
        Some(format!("({all}) -> {NO_VALUE}(me) . Halted(me)"))
    }

    /// A way on as it is written.
    fn summand(&mut self, unit: usize, next: &Move, way: &Way) -> Result<String, Refusal> {
        // Nothing follows when everything has been shut down.
        let is_last = way.seen.0 == SHUTDOWN;
        let ends = self.lowering.units[unit].automaton.is_end(next.to) && !is_last;
        let listens = {
            let here = (1..)
                .zip(&self.slots)
                .filter(|(_, units)| units.contains(&unit));
            let mut listening = here.map(|(slot, _)| self.listeners.contains(&slot));
            let first = listening.next().unwrap_or(false);
            if listening.any(|other| other != first) {
                return Err("processes of which some only have a queue of notes".into());
            }
            first
        };
        let beside = Beside {
            ends,
            none: way.none.is_some(),
        };
        let mut action = match &way.action {
            Some(action) => {
                let (seen, side) = &way.seen;
                self.actions.allow(seen, *side, beside);
                let end = if listens { "|s_end(me)" } else { "|ends(me)" };
                self.actions.declare("ends", "Nat");
                format!("{action}{}", if ends { end } else { "" })
            }
            None if ends => {
                self.actions.declare("stops", "Nat");
                self.actions.allow("stops", 0, Beside::default());
                if listens {
                    "s_stop(me)".into()
                } else {
                    "stops(me)".into()
                }
            }
            None => {
                self.actions.declare(SILENT, "");
                self.actions.allow(SILENT, 0, beside);
                SILENT.to_owned()
            }
        };
        if let Some(none) = &way.none {
            // Where the queue takes part in the action itself, it cannot in this, too.
            let is_note = self.is_note(&way.seen.0);
            if way.action.is_none() || !listens || is_note {
                return Err("what is preferred here".into());
            }
            let _ = write!(action, "|s_none(me, {none})");
        }
        let mut text = String::new();
        for (name, sort) in &way.sums {
            let _ = write!(text, "sum {name}: {sort}. ");
        }
        if !way.guards.is_empty() {
            let _ = write!(text, "({}) -> ", way.guards.join(" && "));
        }
        let to = if is_last {
            "delta".to_owned()
        } else if ends {
            self.rests("me")
        } else {
            let live = &self.lowering.units[unit].live[next.to];
            let mut all = vec!["me".to_owned()];
            for (var, &alive) in live.iter().enumerate() {
                all.push(match alive {
                    true => way.values[&variable(var)].clone(),
                    false => "undefined".into(),
                });
            }
            format!("{}({})", self.state(unit, next.to), all.join(", "))
        };
        let _ = write!(text, "{action} . {to}");
        Ok(text)
    }

    /// Whether queues of notes take part in an action.
    fn is_note(&self, seen: &str) -> bool {
        let notes = [
            "subscribe",
            "unsubscribe",
            "rec_note",
            "no_note",
            "snd_note_1",
        ];
        !self.listeners.is_empty() && notes.contains(&seen)
    }

    /// What has to be so that nothing that is preferred can be done: each way with guards, and with a
    /// pattern of which no note may wait.
    fn ranks(
        &mut self,
        unit: usize,
        state: usize,
        next: &Move,
        values: &Values,
    ) -> Result<Vec<Preference>, Refusal> {
        let mut ways: Vec<Preference> = vec![(Vec::new(), None)];
        let moves = self.lowering.units[unit].automaton.states[state].clone();
        for lower in moves.iter().filter(|other| next.yields_to(other)) {
            let atom = self.lowering.units[unit].inlined.atoms[lower.atom].clone();
            let mut tests = Vec::new();
            for condition in &lower.conditions {
                let Condition::Holds(test) = condition else {
                    return Err("what is preferred here".into());
                };
                let truth = self.test(unit, &test.test, values, &mut tests)?;
                tests.push(answer(truth, test.wanted));
            }
            let mut more = Vec::new();
            for (guards, none) in &ways {
                if !tests.is_empty() {
                    let mut guards = guards.clone();
                    guards.push(format!("!({})", tests.join(" && ")));
                    more.push((guards, none.clone()));
                }
                match atom.word {
                    Word::Assign | Word::Tau | Word::Subscribe | Word::Unsubscribe => {}
                    Word::RecNote if none.is_none() => {
                        let scope = Scope {
                            values,
                            types: &self.types(unit),
                        };
                        let pattern = self.terms.pattern(&atom.args[0], &scope)?;
                        let mut guards = guards.clone();
                        guards.extend(tests.iter().cloned());
                        more.push((guards, Some(pattern)));
                    }
                    _ => return Err("what is preferred here".into()),
                }
            }
            ways = more;
        }
        Ok(ways)
    }

    fn types(&self, unit: usize) -> impl Fn(VarId) -> Type + use<> {
        let variables = &self.lowering.units[unit].inlined.variables;
        let types: Vec<Type> = variables
            .iter()
            .map(|variable| variable.ty.clone())
            .collect();
        move |var| types[var.index()].clone()
    }

    fn test(
        &mut self,
        unit: usize,
        test: &Pattern,
        values: &Values,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        let types = &self.types(unit);
        self.terms.test(test, &Scope { values, types }, needs)
    }

    fn computed(
        &mut self,
        unit: usize,
        term: &Pattern,
        values: &Values,
        needs: &mut Needs,
    ) -> Result<String, Refusal> {
        let types = &self.types(unit);
        self.terms.computed(term, &Scope { values, types }, needs)
    }

    fn closed(&mut self, unit: usize, term: &Pattern, values: &Values) -> Result<String, Refusal> {
        let scope = Scope {
            values,
            types: &self.types(unit),
        };
        self.terms.closed(term, &scope)
    }

    /// The ways in which an action can happen.
    fn ways(&mut self, unit: usize, atom: &Atom, values: Values) -> Result<Vec<Way>, Refusal> {
        let mut way = Way::new(values);
        let word = super::terms::identifier(atom.word.text());
        Ok(match atom.word {
            Word::Tau | Word::Attach | Word::Detach | Word::PerfStats | Word::ClearStats => {
                vec![way]
            }
            Word::Assign => {
                let term = &atom.args[1];
                let value = self.computed(unit, term, &way.values, &mut way.guards)?;
                let mut ways = Vec::new();
                if self.lowering.dialect == Dialect::Ng && may_be_nothing(term) {
                    // The process goes on, but nobody can have meant that.
                    self.actions.declare(NO_VALUE, "Nat");
                    let mut nothing = way.clone();
                    nothing.guards.push(format!("{value} == undefined"));
                    way.guards.push(format!("{value} != undefined"));
                    ways.push(nothing.does(format!("{NO_VALUE}(me)"), NO_VALUE));
                }
                ways.push(way);
                if let Pattern::Result(var) = atom.args[0] {
                    for way in &mut ways {
                        way.values.insert(var, value.clone());
                    }
                }
                ways
            }
            Word::Printf => {
                let args = self.all_closed(unit, &atom.args, &way.values)?;
                let name = format!("printf_{}", args.len());
                self.actions.of_terms(&name, args.len());
                vec![way.does(super::terms::applied(&name, &args), &name)]
            }
            Word::SndMsg | Word::RecMsg => vec![self.message(unit, atom, way)?],
            Word::Meet => return Err("messages between parts of one process".into()),
            Word::Subscribe | Word::Unsubscribe => {
                let scope = Scope {
                    values: &way.values,
                    types: &self.types(unit),
                };
                let pattern = self.terms.pattern(&atom.args[0], &scope)?;
                vec![way.does(format!("s_{word}(me, {pattern})"), &word)]
            }
            Word::SndNote => {
                let note = self.closed(unit, &atom.args[0], &way.values)?;
                self.actions.of_terms("snd_note_1", 1);
                let name = if self.listeners.is_empty() {
                    "snd_note_1"
                } else {
                    "s_note"
                };
                vec![way.does(format!("{name}({note})"), "snd_note_1")]
            }
            Word::RecNote if self.listeners.is_empty() => Vec::new(),
            Word::NoNote if self.listeners.is_empty() => Vec::new(),
            Word::RecNote => {
                let scope = Scope {
                    values: &way.values,
                    types: &self.types(unit),
                };
                let pattern = self.terms.pattern(&atom.args[0], &scope)?;
                let note = self.unused();
                way.sums.push((note.clone(), "Term"));
                let mut filled = BTreeMap::new();
                self.parts(&atom.args[0], &note, &mut filled, &mut way.guards);
                way.values.extend(filled);
                vec![way.does(format!("s_get(me, {pattern}, {note})"), "rec_note")]
            }
            Word::NoNote => {
                let scope = Scope {
                    values: &way.values,
                    types: &self.types(unit),
                };
                let pattern = self.terms.pattern(&atom.args[0], &scope)?;
                vec![way.does(format!("s_no_note(me, {pattern})"), "no_note")]
            }
            Word::Create => vec![self.creation(unit, atom, way)?],
            Word::Shutdown => {
                let text = self.closed(unit, &atom.args[0], &way.values)?;
                vec![way.does(format!("s_shutdown({text})"), SHUTDOWN)]
            }
            Word::RecConnect | Word::Execute => self.coming(unit, atom, &way)?,
            other if with_tool(other) => self.tool_ways(unit, atom, &way)?,
            other => return Err(format!("`{}`", other.text())),
        })
    }

    fn all_closed(
        &mut self,
        unit: usize,
        terms: &[Pattern],
        values: &Values,
    ) -> Result<Vec<String>, Refusal> {
        terms
            .iter()
            .map(|term| self.closed(unit, term, values))
            .collect()
    }

    fn unused(&mut self) -> String {
        self.fresh += 1;
        format!("x{}", self.fresh)
    }

    /// The variables that a pattern fills from a value.
    fn parts(
        &mut self,
        pattern: &Pattern,
        value: &str,
        filled: &mut Values,
        guards: &mut Vec<String>,
    ) {
        match pattern {
            Pattern::Result(var) => match filled.get(var) {
                Some(before) => guards.push(format!("({before} == {value})")),
                None => {
                    filled.insert(*var, value.to_owned());
                }
            },
            Pattern::Apply(_, parts) | Pattern::List(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    if !part.is_closed() {
                        let value = self.terms.part(value, pattern, at);
                        self.parts(part, &value, filled, guards);
                    }
                }
            }
            _ => {}
        }
    }

    /// One end of a message.
    fn message(&mut self, unit: usize, atom: &Atom, mut way: Way) -> Result<Way, Refusal> {
        let types = self.types(unit);
        let mut filled: Values = BTreeMap::new();
        let mut args = Vec::new();
        for arg in &atom.args {
            let scope = Scope {
                values: &way.values,
                types: &types,
            };
            let (sums, guards, fresh) = (&mut way.sums, &mut way.guards, &mut self.fresh);
            let mut gap = |terms: &mut super::Terms, gap: Gap<'_>| {
                let (known, ty) = match gap {
                    Gap::Result(var) => (filled.get(&var).cloned(), types(var)),
                    Gap::Placeholder(ty) => (None, ty.clone()),
                };
                if let Some(known) = known {
                    return Ok(known);
                }
                *fresh += 1;
                let name = format!("x{fresh}");
                sums.push((name.clone(), "Term"));
                guards.extend(terms.has_type(&name, &ty)?);
                if let Gap::Result(var) = gap {
                    filled.insert(var, name.clone());
                }
                Ok(name)
            };
            args.push(self.terms.term(arg, &scope, &mut gap)?);
        }
        way.values.extend(filled);
        let count = args.len();
        let (ours, theirs) = (format!("s_msg_{count}"), format!("r_msg_{count}"));
        let seen = format!("msg_{count}");
        for name in [&ours, &theirs, &seen] {
            self.actions.of_terms(name, count);
        }
        self.actions.meet(&[&ours, &theirs], &seen);
        let sends = atom.word == Word::SndMsg;
        let name = if sends { ours } else { theirs };
        way.action = Some(super::terms::applied(&name, &args));
        way.seen = (seen, usize::from(!sends));
        Ok(way)
    }

    fn creation(&mut self, unit: usize, atom: &Atom, mut way: Way) -> Result<Way, Refusal> {
        let created = atom.creates.and_then(|index| {
            let mut units = self.lowering.units.iter();
            units.position(|unit| unit.inlined.index == index)
        });
        let Some(created) = created else {
            return Err("the process that is created".into());
        };
        let (name, count) = {
            let inlined = &self.lowering.units[created].inlined;
            (inlined.name.clone(), inlined.parameters)
        };
        let (args, pid) = atom.args.split_at(count.min(atom.args.len()));
        if let [Pattern::Result(var)] = pid {
            if self.lowering.is_read(*var, atom) {
                return Err("the number of a process that is read".into());
            }
            way.values.insert(*var, "undefined".into());
        }
        let args = self.all_closed(unit, args, &way.values)?;
        let created = self.terms.applied(&name, &args);
        Ok(way.does(format!("s_create({created})"), "create_1"))
    }

    /// A tool comes, by itself or because the script wants it.
    fn coming(&mut self, unit: usize, atom: &Atom, way: &Way) -> Result<Vec<Way>, Refusal> {
        let tool = atom.args.last().expect("it has arguments");
        let Some(kind) = self.lowering.kind_of(unit, &atom.args[0]) else {
            return Ok(Vec::new());
        };
        let word = atom.word.text();
        let count = atom.args.len();
        self.tool_actions.insert(ToolAction {
            word,
            count,
            counted: None,
        });
        let (first, many) = self.lowering.tools.range(kind);
        let mut ways = Vec::new();
        for number in 0..many {
            let value = self.lowering.tool_as_value(kind, number);
            let value = self.terms.value(&self.lowering.program.rich, &value)?;
            let mut way = way.clone();
            if let Pattern::Result(var) = tool {
                way.values.insert(*var, value.clone());
            }
            let at = first + number;
            ways.push(if atom.word == Word::RecConnect {
                way.does(format!("s_connect_{at}({value})"), "rec_connect_1")
            } else {
                let what = self.closed(unit, &atom.args[0], &way.values)?;
                way.does(format!("s_execute_{at}({what}, {value})"), "execute_2")
            });
        }
        Ok(ways)
    }

    /// The ways in which something happens with a tool.
    fn tool_ways(&mut self, unit: usize, atom: &Atom, way: &Way) -> Result<Vec<Way>, Refusal> {
        let tools: Vec<(String, Option<VarId>)> = match &atom.args[0] {
            closed if closed.is_closed() => vec![(self.closed(unit, closed, &way.values)?, None)],
            open => {
                let Some(kind) = self.lowering.kind_of(unit, open) else {
                    return Ok(Vec::new());
                };
                let var = match open {
                    Pattern::Result(var) => Some(*var),
                    _ => None,
                };
                let (_, many) = self.lowering.tools.range(kind);
                let mut all = Vec::new();
                for number in 0..many {
                    let value = self.lowering.tool_as_value(kind, number);
                    all.push((self.terms.value(&self.lowering.program.rich, &value)?, var));
                }
                all
            }
        };
        let rest = &atom.args[1..];
        if atom.word == Word::RecValue
            && self.lowering.tools.odd.is_some()
            && takes_anything(unit, &self.lowering.units, atom)
        {
            return Err("answers of which nobody knows what they are".into());
        }
        let hears = matches!(atom.word, Word::RecEvent | Word::RecValue);
        let event = rest
            .iter()
            .find_map(Pattern::word)
            .unwrap_or("event")
            .to_owned();
        let counted = match self.lowering.tools.counters.get(&event) {
            Some((_, most)) if atom.word == Word::RecEvent => Some((event.clone(), *most)),
            _ => None,
        };
        let word = atom.word.text();
        let action = ToolAction {
            word,
            count: atom.args.len(),
            counted,
        };
        let (ours, theirs) = (
            format!("s_{}", action.name()),
            format!("t_{}", action.name()),
        );
        let seen = action.name();
        let sorts = action.sorts();
        for name in [&ours, &theirs, &seen] {
            self.actions.declare(name, &sorts);
        }
        let third = format!("k_{seen}");
        let mut parts = vec![ours.as_str(), theirs.as_str()];
        if action.counted.is_some() {
            self.actions.declare(&third, &sorts);
            parts.push(&third);
        }
        self.actions.meet(&parts, &seen);
        let mut ways = Vec::new();
        for (tool, var) in tools {
            let mut start = way.clone();
            if let Some(var) = var {
                start.values.insert(var, tool.clone());
            }
            let mut filled = vec![start];
            if hears {
                let what = match atom.word {
                    Word::RecEvent => event.as_str(),
                    _ => "value",
                };
                filled = self.sampled(unit, rest, what, action.counted.as_ref(), filled)?;
            }
            for mut way in filled {
                let filled: Vec<Pattern> = match hears {
                    true => rest.iter().map(Pattern::filled).collect(),
                    false => rest.to_vec(),
                };
                let mut args = vec![tool.clone()];
                args.extend(self.all_closed(unit, &filled, &way.values)?);
                if let Some((_, most)) = &action.counted {
                    way.sums.push(("k".into(), "Nat"));
                    way.guards.push(format!("(k < {most})"));
                    args.push("k".into());
                }
                ways.push(way.does(super::terms::applied(&ours, &args), &seen));
            }
        }
        self.tool_actions.insert(action);
        Ok(ways)
    }

    /// The ways in which a tool may fill in what is read.
    fn sampled(
        &mut self,
        unit: usize,
        patterns: &[Pattern],
        word: &str,
        counted: Option<&(String, i64)>,
        mut ways: Vec<Way>,
    ) -> Result<Vec<Way>, Refusal> {
        let mut vars: Vec<VarId> = Vec::new();
        for pattern in patterns {
            pattern.variables(&mut |var, written| {
                if written && !vars.contains(&var) {
                    vars.push(var);
                }
            });
        }
        let types = self.types(unit);
        for var in vars {
            let samples = match (types(var), counted) {
                (Type::Str, Some((word, most))) if self.lowering.bounds.is_distinct(word) => {
                    // The texts only tell which time it is.
                    let all: Vec<String> = (1..=*most).map(|n| format!("{word}-{n}")).collect();
                    let first = self.terms.texts(&all);
                    vec![format!("text(k + {first})")]
                }
                _ => {
                    let values = self.lowering.range(unit, var, word);
                    let rich = self.lowering.program.rich.clone();
                    let all = values.iter().map(|value| self.terms.value(&rich, value));
                    all.collect::<Result<Vec<String>, Refusal>>()?
                }
            };
            ways = ways
                .into_iter()
                .flat_map(|way| {
                    samples.iter().map(move |sample| {
                        let mut way = way.clone();
                        way.values.insert(var, sample.clone());
                        way
                    })
                })
                .collect();
        }
        Ok(ways)
    }
}

/// A test with the answer that is wanted.
fn answer(truth: String, wanted: bool) -> String {
    match wanted {
        true => truth,
        false => format!("!{truth}"),
    }
}

fn variable(index: usize) -> VarId {
    VarId(u32::try_from(index).expect("few variables"))
}
