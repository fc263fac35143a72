//! One node: the rules of its kind with its settings, pins and data put in.

use std::collections::HashMap;

use super::build::Builder;
use super::cases::{Cases, Truth, constant};
use super::data::{data, given, settings};
use super::expr::Scope;
use super::{
    Effect, MachineId, Moment, NoteKind, Output, Owner, Rule, Test, UnfollowedId, Update, Value,
    VarId,
};
use crate::graph::{GraphId, NodeId};
use crate::table::{Action, Expr, Fire, Kind, Lhs, RuleDecl, VarType, When};

/// What a node counts; what is beyond is one value, of which no more is known.
const MOST_COUNTED: i64 = 255;
/// How often something is done one time after the other before it is a loop.
const MOST_TIMES: i64 = 8;
/// Ways that exclude each other, before they are left to overlap.
const MOST_WAYS: usize = 64;

/// What a node has that becomes a machine.
#[derive(Clone, Default)]
pub(super) struct Own {
    /// Its variables.
    pub(super) vars: HashMap<String, VarId>,
    /// Its marks: each with the input that it belongs to.
    pub(super) marks: HashMap<String, Vec<(usize, VarId)>>,
    pub(super) settings: HashMap<String, Cases>,
    /// What its data outputs keep from when it last ran.
    pub(super) kept: HashMap<String, VarId>,
}

/// A node that becomes a machine.
pub(super) struct Instance<'b, 'a> {
    pub(super) builder: &'b mut Builder<'a>,
    pub(super) id: MachineId,
    pub(super) at: (GraphId, NodeId),
    pub(super) kind: &'a Kind,
    pub(super) own: Own,
    /// The value that is not followed and that decides what is being made.
    rests_on: Option<UnfollowedId>,
}

/// One way of what happens, and when it may be.
type Way = (Test, Effect);

impl<'b, 'a> Instance<'b, 'a> {
    /// The node with what has been declared of it.
    pub(super) fn new(
        builder: &'b mut Builder<'a>,
        id: MachineId,
        at: (GraphId, NodeId),
        kind: &'a Kind,
    ) -> Self {
        let own = builder.own.get(&id).cloned().unwrap_or_default();
        Instance {
            builder,
            id,
            at,
            kind,
            own,
            rests_on: None,
        }
    }

    pub(super) fn build(mut self) {
        let kind = self.kind;
        let inputs = self.builder.net.machine(self.id).inputs.len();
        for input in 0..inputs {
            let name = self.builder.net.machine(self.id).inputs[input].name.clone();
            // The last line first: what a line leaves open is what the lines behind it say.
            let mut parts = vec![Rule::new(Test::Always, Vec::new())];
            for decl in kind.rules.iter().rev() {
                let When::On(pins) = &decl.when else { continue };
                if !pins.iter().any(|pin| *pin == name || pin == "*") {
                    continue;
                }
                let guard = self.guard(decl, Some(input));
                let by = self.rests_on.take();
                let effects = self.effects(decl, Some(input));
                let then = self.rests_on.take();
                let mut refined = vec![Rule {
                    rests_on: then,
                    ..Rule::new(guard.yes.clone(), effects.clone())
                }];
                for other in parts {
                    if guard.maybe() != Test::Never {
                        let mut either = effects.clone();
                        either.extend(other.effects.iter().cloned());
                        if other.effects.is_empty() {
                            either.push(Effect::default());
                        }
                        refined.push(Rule {
                            rests_on: by.or(then).or(other.rests_on),
                            ..Rule::new(Test::and(guard.maybe(), other.guard.clone()), either)
                        });
                    }
                    refined.push(Rule {
                        guard: Test::and(guard.no.clone(), other.guard.clone()),
                        ..other
                    });
                }
                refined.retain(|rule| rule.guard != Test::Never);
                parts = refined;
            }
            parts.retain(|rule| !rule.effects.is_empty());
            self.machine().inputs[input].rules = parts;
        }
        for decl in &kind.rules {
            let moment = match decl.when {
                When::On(_) => continue,
                When::Start => Moment::Start,
                When::Event { early: false } => Moment::Event,
                When::Event { early: true } => Moment::Early,
                When::Later => Moment::Later,
            };
            let guard = self.guard(decl, None).possible();
            let by = self.rests_on.take();
            let effects = self.effects(decl, None);
            let rests_on = by.or(self.rests_on.take());
            if guard != Test::Never {
                let rule = Rule {
                    rests_on,
                    ..Rule::new(guard, effects)
                };
                self.machine().own.push((moment, rule));
            }
        }
        self.keep();
        let node = self.builder.project.graph(self.at.0).node(self.at.1);
        let mut pins = node.values_in.iter();
        let waits = !self.builder.net.machine(self.id).ending.is_empty();
        if waits && pins.any(|pin| given(self.builder, self.at, &pin.name)) {
            self.machine().timed = true;
        }
    }

    fn machine(&mut self) -> &mut super::Machine {
        &mut self.builder.net.machines[self.id.index()]
    }

    /// Declares what it remembers.
    pub(super) fn variables(mut self) {
        self.own.settings = settings(self.builder, self.at, self.kind);
        let machine = self.builder.net.machine(self.id);
        let (name, span) = (machine.name.clone(), machine.span);
        let inputs: Vec<String> = machine.inputs.iter().map(|i| i.name.clone()).collect();
        let kind = self.kind;
        let owner = Owner::Memory(self.id);
        if !kind.states.is_empty() {
            let states = kind.states.iter();
            let values = states.clone().map(|(name, _)| Value::Name(name.clone()));
            let ending = states.enumerate().filter(|(_, (_, ends))| *ends);
            let ending = ending.map(|(at, _)| at as u16).collect();
            let state = Owner::State(self.id);
            let values = values.collect();
            let id = self
                .builder
                .declare(name.clone(), values, vec![0], state, span);
            let machine = self.machine();
            machine.state = Some(id);
            machine.ending = ending;
        }
        for decl in &kind.vars {
            match &decl.ty {
                VarType::Marks(except) => {
                    let mut marks = Vec::new();
                    for (at, input) in inputs.iter().enumerate() {
                        if except.contains(input) {
                            continue;
                        }
                        let values = vec![Value::Bool(false), Value::Bool(true)];
                        let name = format!("{name}.{}.{input}", decl.name);
                        let id = self.builder.declare(name, values, vec![0], owner, span);
                        marks.push((at, id));
                        self.machine().memory.push(id);
                        self.machine().marks.push((at as u16, id));
                    }
                    self.own.marks.insert(decl.name.clone(), marks);
                }
                ty => {
                    let nothing = HashMap::new();
                    let first = decl.first.as_ref();
                    let first = first.map(|first| self.scope(None, &nothing).value(first));
                    let values = match ty {
                        VarType::Range(low, high) => {
                            let scope = self.scope(None, &nothing);
                            let low = scope.number(low).unwrap_or(0);
                            counted(low, scope.largest(high))
                        }
                        _ => vec![Value::Bool(false), Value::Bool(true)],
                    };
                    let first = match first.as_deref() {
                        Some([(_, value)]) => values
                            .iter()
                            .position(|other| other == value)
                            // Beyond what is counted, or not known.
                            .unwrap_or(values.len() - 1),
                        _ => 0,
                    };
                    let full = format!("{name}.{}", decl.name);
                    let first = vec![first as u16];
                    let id = self.builder.declare(full, values, first, owner, span);
                    self.own.vars.insert(decl.name.clone(), id);
                    self.machine().memory.push(id);
                }
            }
        }
        self.builder.own.insert(self.id, self.own);
    }

    /// Declares what its data outputs keep: what a node that runs on a signal has made of
    /// its inputs stays until it runs again.
    pub(super) fn kept(mut self) {
        if self.builder.net.machine(self.id).inputs.is_empty() {
            return;
        }
        for (output, value) in &self.kind.values {
            let reads = |part: &&Expr| match part {
                Expr::Pin(_) | Expr::FlagOf(_) => true,
                Expr::Word(word) => self.builder.flags.contains_key(word),
                _ => false,
            };
            if !value.parts().iter().any(reads) {
                continue;
            }
            let nothing = HashMap::new();
            let cases = self.scope(None, &nothing).value(value);
            let (id, at) = (self.id, self.at);
            if let Some(var) = self.builder.keeper(id, at, output, &cases) {
                self.own.kept.insert(output.clone(), var);
            }
        }
        self.builder.own.insert(self.id, self.own);
    }

    /// Whatever it does, its outputs keep what they have at the time.
    fn keep(&mut self) {
        let mut sets = Vec::new();
        for (output, value) in &self.kind.values {
            if let Some(&var) = self.own.kept.get(output) {
                let nothing = HashMap::new();
                let cases = self.scope(None, &nothing).value(value);
                sets.push((var, self.builder.update(var, &cases)));
            }
        }
        for input in &mut self.machine().inputs {
            let hidden = input.name.starts_with('#');
            for effect in input.rules.iter_mut().flat_map(|rule| &mut rule.effects) {
                if !hidden {
                    effect.sets.extend(sets.iter().cloned());
                }
            }
        }
    }

    /// When a rule applies.
    fn guard(&mut self, decl: &RuleDecl, input: Option<usize>) -> Truth {
        let in_state = match (self.builder.net.machine(self.id).state, &decl.states[..]) {
            (_, []) => Test::Always,
            (None, _) => Test::Never,
            (Some(state), names) => {
                let positions = names.iter().filter_map(|name| {
                    let at = self.kind.states.iter().position(|(s, _)| s == name)?;
                    Some(Test::Is(state, at as u16))
                });
                Test::any(positions.collect())
            }
        };
        let nothing = HashMap::new();
        let Some(condition) = &decl.condition else {
            return Truth::known(in_state);
        };
        self.builder.strange.borrow_mut().clear();
        let truth = self.scope(input, &nothing).truth(condition);
        if truth.maybe() != Test::Never {
            self.not_followed(condition);
        } else if matches!(truth.yes, Test::Never | Test::Always) {
            self.builder.settled.set(true);
        }
        self.builder.strange.borrow_mut().clear();
        Truth::and(&Truth::known(in_state), &truth)
    }

    /// Says what of a condition is not followed, if the file says something of it. What is made next rests on
    /// it, unless it comes from outside: an input or a setting of which the file says nothing, or a
    /// word that means nothing in it, may really be anything.
    fn not_followed(&mut self, condition: &Expr) {
        let machine = self.builder.net.machine(self.id);
        let (name, span) = (machine.name.clone(), machine.span);
        let mut facts = Vec::new();
        let mut outside = false;
        for part in condition.parts() {
            let said = match part {
                Expr::Pin(pin) => pin,
                Expr::Word(setting) if self.own.settings.contains_key(setting) => setting,
                _ => continue,
            };
            if !given(self.builder, self.at, said) {
                outside = true;
                continue;
            }
            let fact = format!("the value of `{said}` of `{name}`");
            let text = format!("{fact} is not followed: it may be anything, at each reading");
            self.builder
                .note(Some(self.id), text, NoteKind::NotFollowed);
            facts.push(fact);
        }
        outside &= facts.is_empty();
        outside |= self.builder.strange_words(self.id);
        if !outside {
            let fact = match facts.is_empty() {
                true => format!("what `{name}` remembers beyond what is followed"),
                false => facts.join(" and "),
            };
            self.rests_on = Some(self.builder.net.unfollowed(fact, span));
        }
    }

    fn effects(&mut self, decl: &RuleDecl, input: Option<usize>) -> Vec<Effect> {
        let mut all = Vec::new();
        for actions in &decl.alternatives {
            let mut parts = actions.split(|action| *action == Action::Then).rev();
            let mut ways = None;
            for _ in 0..=actions
                .iter()
                .filter(|action| **action == Action::Then)
                .count()
            {
                let next = ways.map(|ways| self.hidden(ways));
                ways = Some(self.part(parts.next().unwrap_or_default(), input, next));
            }
            all.push(ways.unwrap_or_default());
        }
        // A test that is left belongs to `out nth`: what fires depends on what is remembered.
        let open = |ways: &Vec<Way>| ways.iter().all(|(test, _)| *test == Test::Always);
        if all.iter().all(open) {
            return all
                .into_iter()
                .flatten()
                .map(|(_, effect)| effect)
                .collect();
        }
        let output = match &mut all[..] {
            [ways] => self.hidden(std::mem::take(ways)),
            _ => self.hidden(disjoint(all.into_iter().flatten().collect())),
        };
        vec![Effect {
            sets: Vec::new(),
            outs: vec![output],
        }]
    }

    /// What some actions do at once; `next` is an output that fires behind all others.
    fn part(&mut self, actions: &[Action], input: Option<usize>, next: Option<u16>) -> Vec<Way> {
        let mut assigned: HashMap<VarId, Cases> = HashMap::new();
        // Outputs that fire, for each of the ways in which that may be.
        let mut ways: Vec<(Test, Vec<u16>)> = vec![(Test::Always, Vec::new())];
        let mut order: Vec<VarId> = Vec::new();
        for action in actions {
            match action {
                Action::Goto(name) => {
                    let machine = self.builder.net.machine(self.id);
                    if let Some(state) = machine.state {
                        let value = Value::Name(name.clone());
                        assigned.insert(state, constant(value));
                        order.push(state);
                    }
                }
                Action::Assign(lhs, value) => {
                    let scope = self.scope(input, &assigned);
                    let value = match value {
                        Some(value) => scope.value(value),
                        None => constant(Value::Unknown),
                    };
                    let vars: Vec<VarId> = match lhs {
                        Lhs::Word(name) => {
                            let own = self.own.vars.get(name);
                            let var = own.or_else(|| self.builder.flags.get(name));
                            var.copied().into_iter().collect()
                        }
                        Lhs::FlagOf(setting) => scope.flag_of(setting).into_iter().collect(),
                        Lhs::Mark(name) => scope.mark(name).into_iter().collect(),
                        Lhs::AllMarks(name) => {
                            let marks = self.own.marks.get(name).into_iter().flatten();
                            marks.map(|(_, var)| *var).collect()
                        }
                    };
                    if let (true, Lhs::FlagOf(setting)) = (vars.is_empty(), lhs) {
                        self.builder.writes_somewhere(self.id, self.at, setting);
                    }
                    for var in vars {
                        assigned.insert(var, value.clone());
                        order.push(var);
                    }
                }
                Action::Fire(fire) => {
                    let more = self.fired(fire, input);
                    ways = ways
                        .iter()
                        .flat_map(|(test, outs)| {
                            more.iter().map(move |(other, also)| {
                                let test = Test::and(test.clone(), other.clone());
                                (test, [outs.as_slice(), also].concat())
                            })
                        })
                        .filter(|(test, _)| *test != Test::Never)
                        .collect();
                }
                Action::Then => {}
            }
        }
        order.sort_unstable();
        order.dedup();
        let sets: Vec<(VarId, Update)> = order
            .into_iter()
            .map(|var| {
                let value = assigned.remove(&var).unwrap_or_default();
                (var, self.builder.update(var, &value))
            })
            .collect();
        ways.into_iter()
            .map(|(test, mut outs)| {
                outs.extend(next);
                let sets = sets.clone();
                (test, Effect { sets, outs })
            })
            .collect()
    }

    /// An output that nobody sees, which leads back to this node, where one of these ways is gone. Rules
    /// cannot say that an output leads here or there; an input of its own can.
    fn hidden(&mut self, ways: Vec<Way>) -> u16 {
        let mut rules: Vec<Rule> = Vec::new();
        for (guard, effect) in ways {
            match rules.iter_mut().find(|rule| rule.guard == guard) {
                Some(rule) => rule.effects.push(effect),
                None => rules.push(Rule {
                    rests_on: self.rests_on,
                    ..Rule::new(guard, vec![effect])
                }),
            }
        }
        let id = self.id;
        let machine = self.machine();
        let input = machine.inputs.len() as u16;
        machine.inputs.push(super::Input {
            name: format!("#{input}"),
            rules,
        });
        let output = machine.outputs.len();
        machine.outputs.push(Output {
            name: format!("#{output}"),
            targets: vec![(id, input)],
            hidden: true,
            counted: false,
        });
        output as u16
    }

    /// What fires, for each of the ways in which that may be.
    fn fired(&mut self, fire: &Fire, input: Option<usize>) -> Vec<(Test, Vec<u16>)> {
        let machine = self.builder.net.machine(self.id);
        let visible: Vec<u16> = (0..machine.outputs.len())
            .filter(|&at| !machine.outputs[at].hidden)
            .map(|at| at as u16)
            .collect();
        let nothing = HashMap::new();
        match fire {
            Fire::Pin(name) if name == "again" && machine.output(name).is_none() => {
                let Some(input) = input else {
                    return vec![(Test::Always, Vec::new())];
                };
                let at = machine.outputs.len() as u16;
                let id = self.id;
                self.machine().outputs.push(Output {
                    name: "again".to_owned(),
                    targets: vec![(id, input as u16)],
                    hidden: true,
                    counted: false,
                });
                vec![(Test::Always, vec![at])]
            }
            Fire::Pin(name) => {
                let outs = machine.output(name).map(|at| at as u16);
                vec![(Test::Always, outs.into_iter().collect())]
            }
            Fire::Each => vec![(Test::Always, visible)],
            Fire::Any(by) => {
                if let Some(by) = by {
                    self.not_followed(by);
                }
                match visible.is_empty() {
                    true => vec![(Test::Always, Vec::new())],
                    false => visible.iter().map(|&at| (Test::Always, vec![at])).collect(),
                }
            }
            Fire::Untold if visible.len() < 2 => vec![(Test::Always, visible)],
            Fire::Untold => {
                let machine = self.builder.net.machine(self.id);
                let (fact, span) = (
                    format!("which output `{}` fires", machine.name),
                    machine.span,
                );
                self.rests_on = Some(self.builder.net.unfollowed(fact, span));
                visible.iter().map(|&at| (Test::Always, vec![at])).collect()
            }
            Fire::Named(value, other) => {
                let named = |name: &str| {
                    let at = machine.output(name).or_else(|| machine.output(other));
                    at.map(|at| at as u16).into_iter().collect::<Vec<u16>>()
                };
                let cases = self.scope(input, &nothing).value(value);
                let mut ways = Vec::new();
                let mut open = false;
                for (test, value) in cases {
                    match value {
                        Value::Int(_) | Value::Name(_) => {
                            ways.push((test, named(&value.to_string())));
                        }
                        _ => {
                            open = true;
                            ways.extend(visible.iter().map(|&at| (test.clone(), vec![at])));
                        }
                    }
                }
                if open {
                    self.not_followed(value);
                }
                self.all_fire(&ways, &visible);
                ways
            }
            Fire::Nth(number) => {
                let cases = self.scope(input, &nothing).value(number);
                let mut ways = Vec::new();
                let mut open = false;
                for (test, value) in cases {
                    match value {
                        Value::Int(at) => {
                            let at = usize::try_from(at).ok();
                            let out = at.and_then(|at| visible.get(at)).copied();
                            ways.push((test, out.into_iter().collect()));
                        }
                        _ => {
                            open = true;
                            ways.push((test.clone(), Vec::new()));
                            ways.extend(visible.iter().map(|&at| (test.clone(), vec![at])));
                        }
                    }
                }
                if open {
                    self.not_followed(number);
                }
                self.all_fire(&ways, &visible);
                ways
            }
            Fire::Times(name, low, high, again) => {
                let Some(at) = machine.output(name) else {
                    return vec![(Test::Always, Vec::new())];
                };
                self.times(at as u16, (low, high), again.as_ref(), input)
            }
            Fire::Calls => {
                let call = self.builder.engine_call(self.id);
                vec![(Test::Always, call.into_iter().collect())]
            }
        }
    }

    /// Notes whether there is an output that fires for no value.
    fn all_fire(&self, ways: &[(Test, Vec<u16>)], outputs: &[u16]) {
        let fires = |out: &u16| ways.iter().any(|(_, outs)| outs.contains(out));
        if !outputs.iter().all(fires) {
            self.builder.settled.set(true);
        }
    }

    /// An output fires so many times. What is not known to be few is a loop, of any number of
    /// rounds.
    fn times(
        &mut self,
        out: u16,
        (low, high): (&Expr, &Expr),
        again: Option<&Expr>,
        input: Option<usize>,
    ) -> Vec<(Test, Vec<u16>)> {
        let nothing = HashMap::new();
        let scope = self.scope(input, &nothing);
        let number = |expr| scope.number(expr).map(|number| number.max(0));
        let (least, most) = (number(low), number(high));
        let machine = self.builder.net.machine(self.id);
        let body = format!(
            "{}.{}",
            machine.name,
            machine.outputs[usize::from(out)].name
        );
        if let (Some(least), Some(most @ ..=MOST_TIMES), None) = (least, most, again) {
            let most = most.max(least);
            if least < most {
                let text =
                    format!("a body that is repeated, `{body}`, runs {least} to {most} times");
                self.builder.note(Some(self.id), text, NoteKind::Stated);
            }
            let times = (least as usize)..=(most as usize);
            return times.map(|n| (Test::Always, vec![out; n])).collect();
        }
        let before = self.rests_on;
        for expr in [low, high].into_iter().chain(again) {
            let is_known = self.scope(input, &nothing).number(expr).is_some();
            let others = self.rests_on;
            self.not_followed(expr);
            if is_known {
                self.rests_on = others;
            }
        }
        if least.is_some() && most.is_some() && self.rests_on == before {
            // It is known, and too many to be followed.
            let span = self.builder.net.machine(self.id).span;
            let fact = format!("how often `{body}` fires");
            self.rests_on = Some(self.builder.net.unfollowed(fact, span));
        }
        let goes_on = match again {
            Some(again) => self.scope(None, &nothing).truth(again),
            None => Truth::known(Test::Always),
        };
        // A round, or the end.
        let hidden = self.hidden(Vec::new());
        self.machine().outputs[usize::from(hidden)].counted = true;
        let round = Effect {
            sets: Vec::new(),
            outs: vec![out, hidden],
        };
        let rule = Rule {
            rests_on: self.rests_on,
            ..Rule::new(goes_on.possible(), vec![round, Effect::default()])
        };
        let (_, at) = self.machine().outputs[usize::from(hidden)].targets[0];
        self.machine().inputs[usize::from(at)].rules.push(rule);
        let at_first = match again {
            Some(_) => 0,
            None => least.unwrap_or(0).min(MOST_TIMES) as usize,
        };
        let mut outs = vec![out; at_first];
        outs.push(hidden);
        vec![(Test::Always, outs)]
    }

    pub(super) fn scope<'s>(
        &'s self,
        this: Option<usize>,
        assigned: &'s HashMap<VarId, Cases>,
    ) -> Boxed<'s, 'a> {
        Boxed {
            instance: self,
            this,
            assigned,
        }
    }
}

/// The values of a counter. What is beyond those that are followed is one value.
fn counted(low: i64, high: Option<i64>) -> Vec<Value> {
    let most = low.saturating_add(MOST_COUNTED);
    let mut values: Vec<Value> = match high {
        Some(high) => (low..=high.clamp(low, most)).map(Value::Int).collect(),
        None => vec![Value::Int(low)],
    };
    if high.is_none_or(|high| high > most) {
        values.push(Value::Unknown);
    }
    values
}

/// Ways of which several may be gone at a time, as ways that exclude one another or are gone under the same condition.
fn disjoint(ways: Vec<Way>) -> Vec<Way> {
    let mut parts: Vec<(Test, Vec<Effect>)> = vec![(Test::Always, Vec::new())];
    for (test, effect) in &ways {
        let mut refined = Vec::new();
        for (part, effects) in parts {
            let inside = Test::and(part.clone(), test.clone());
            let outside = Test::and(part, Test::not(test.clone()));
            refined.push((
                inside,
                [effects.as_slice(), std::slice::from_ref(effect)].concat(),
            ));
            refined.push((outside, effects));
        }
        refined.retain(|(test, _)| *test != Test::Never);
        if refined.len() > MOST_WAYS {
            return ways;
        }
        parts = refined;
    }
    let parts = parts.into_iter();
    parts
        .flat_map(|(test, effects)| effects.into_iter().map(move |e| (test.clone(), e)))
        .collect()
}

/// A scope that is made where it is asked.
pub(super) struct Boxed<'s, 'a> {
    instance: &'s Instance<'s, 'a>,
    this: Option<usize>,
    assigned: &'s HashMap<VarId, Cases>,
}

impl Boxed<'_, '_> {
    fn with<T>(&self, ask: impl FnOnce(&Scope<'_>) -> T) -> T {
        let instance = self.instance;
        let builder = &*instance.builder;
        let machine = builder.net.machine(instance.id);
        let visible = machine.outputs.iter().filter(|o| !o.hidden).count();
        let inputs = machine.inputs.iter().filter(|i| !i.name.starts_with('#'));
        ask(&Scope {
            net: &builder.net,
            own: &instance.own.vars,
            settings: &instance.own.settings,
            flags: &builder.flags,
            pin: &|pin| data(builder, instance.at, pin, 0),
            marks: &instance.own.marks,
            this: self.this,
            inputs: inputs.count(),
            outputs: visible,
            assigned: self.assigned,
            strange: &builder.strange,
            bounded: &builder.bounded,
        })
    }

    pub(super) fn value(&self, expr: &Expr) -> Cases {
        self.with(|scope| scope.value(expr))
    }

    fn truth(&self, expr: &Expr) -> Truth {
        self.with(|scope| scope.truth(expr))
    }

    fn number(&self, expr: &Expr) -> Option<i64> {
        self.with(|scope| scope.number(expr))
    }

    fn largest(&self, expr: &Expr) -> Option<i64> {
        self.with(|scope| scope.largest(expr))
    }

    fn flag_of(&self, setting: &str) -> Option<VarId> {
        self.with(|scope| scope.flag_of(setting))
    }

    fn mark(&self, name: &str) -> Option<VarId> {
        self.with(|scope| scope.mark(name))
    }
}
