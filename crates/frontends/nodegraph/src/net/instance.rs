//! One node: the rules of its kind with its settings, pins and data put in.

use std::collections::HashMap;

use super::build::{Builder, of_literal};
use super::cases::{Cases, constant, merged, of_var};
use super::expr::Scope;
use super::{Effect, MachineId, Moment, Net, Output, Owner, Rule, Test, Update, Value, Var, VarId};
use crate::graph::{GraphId, Literal, NodeId, Role};
use crate::table::{Action, Expr, Fire, Kind, Lhs, RuleDecl, VarType, When, expression};

/// Data nodes behind one another.
const MAX_DEPTH: u32 = 64;
/// What a node counts.
const MOST_COUNTED: i64 = 64;

/// A node that becomes a machine.
pub(super) struct Instance<'b, 'a> {
    builder: &'b mut Builder<'a>,
    id: MachineId,
    at: (GraphId, NodeId),
    kind: &'a Kind,
    own: HashMap<String, VarId>,
    settings: HashMap<String, Value>,
    marks: HashMap<String, Vec<(usize, VarId)>>,
}

impl<'b, 'a> Instance<'b, 'a> {
    pub(super) fn new(
        builder: &'b mut Builder<'a>,
        id: MachineId,
        at: (GraphId, NodeId),
        kind: &'a Kind,
    ) -> Self {
        let settings = settings(builder, at, kind);
        Instance {
            builder,
            id,
            at,
            kind,
            own: HashMap::new(),
            settings,
            marks: HashMap::new(),
        }
    }

    pub(super) fn build(mut self) {
        self.variables();
        let kind = self.kind;
        let inputs = self.builder.net.machine(self.id).inputs.len();
        for input in 0..inputs {
            let name = self.builder.net.machine(self.id).inputs[input].name.clone();
            // The last line first: what a line leaves open is what the lines behind it say.
            let mut parts: Vec<(Test, Vec<Effect>)> = vec![(Test::Always, Vec::new())];
            for decl in kind.rules.iter().rev() {
                let When::On(pins) = &decl.when else { continue };
                if !pins.iter().any(|pin| *pin == name || pin == "*") {
                    continue;
                }
                let (guard, known) = self.guard(decl, Some(input));
                let effects = self.effects(decl, Some(input), known);
                let mut refined = Vec::new();
                if known {
                    refined.push((guard.clone(), effects.clone()));
                }
                for (test, others) in parts {
                    if !known {
                        let mut either = effects.clone();
                        either.extend(others.iter().cloned());
                        if others.is_empty() {
                            either.push(Effect::default());
                        }
                        refined.push((Test::and(guard.clone(), test.clone()), either));
                    }
                    refined.push((Test::and(Test::not(guard.clone()), test), others));
                }
                refined.retain(|(test, _)| *test != Test::Never);
                parts = refined;
            }
            let rules = parts.into_iter().filter(|(_, effects)| !effects.is_empty());
            let rules = rules
                .map(|(guard, effects)| Rule { guard, effects })
                .collect();
            self.machine().inputs[input].rules = rules;
        }
        for decl in &kind.rules {
            let moment = match decl.when {
                When::On(_) => continue,
                When::Start => Moment::Start,
                When::Event => Moment::Event,
                When::Later => Moment::Later,
            };
            let (guard, known) = self.guard(decl, None);
            let effects = self.effects(decl, None, known);
            if guard != Test::Never {
                self.machine().own.push((moment, Rule { guard, effects }));
            }
        }
    }

    fn machine(&mut self) -> &mut super::Machine {
        &mut self.builder.net.machines[self.id.index()]
    }

    fn variables(&mut self) {
        let machine = self.builder.net.machine(self.id);
        let (name, span) = (machine.name.clone(), machine.span);
        let inputs: Vec<String> = machine.inputs.iter().map(|i| i.name.clone()).collect();
        let kind = self.kind;
        if !kind.states.is_empty() {
            let states = kind.states.iter();
            let values = states.clone().map(|(name, _)| Value::Name(name.clone()));
            let ending = states.enumerate().filter(|(_, (_, ends))| *ends);
            let ending = ending.map(|(at, _)| at as u16).collect();
            let values = values.collect();
            let id = self.declare(name.clone(), values, vec![0], Owner::State(self.id), span);
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
                        let id = self.declare(name, values, vec![0], Owner::Memory(self.id), span);
                        marks.push((at, id));
                        self.machine().memory.push(id);
                        self.machine().marks.push((at as u16, id));
                    }
                    self.marks.insert(decl.name.clone(), marks);
                }
                ty => {
                    let nothing = HashMap::new();
                    let first = decl.first.as_ref();
                    let first = first.and_then(|first| self.scope(None, &nothing).value(first));
                    let values = match ty {
                        VarType::Range(low, high) => {
                            let scope = self.scope(None, &nothing);
                            let low = scope.number(low).unwrap_or(0);
                            let high = scope.number(high).unwrap_or(1);
                            let high = high.clamp(low, low.saturating_add(MOST_COUNTED));
                            (low..=high).map(Value::Int).collect()
                        }
                        _ => vec![Value::Bool(false), Value::Bool(true)],
                    };
                    let first = match first.as_deref() {
                        Some([(_, value)]) => values.iter().position(|other| other == value),
                        _ => None,
                    };
                    let first = vec![first.unwrap_or(0) as u16];
                    let full = format!("{name}.{}", decl.name);
                    let id = self.declare(full, values, first, Owner::Memory(self.id), span);
                    self.own.insert(decl.name.clone(), id);
                    self.machine().memory.push(id);
                }
            }
        }
    }

    fn declare(
        &mut self,
        name: String,
        values: Vec<Value>,
        first: Vec<u16>,
        owner: Owner,
        span: source::Span,
    ) -> VarId {
        let id = VarId::new(self.builder.net.vars.len());
        self.builder.net.vars.push(Var {
            name,
            values,
            first,
            owner,
            span,
        });
        id
    }

    /// When a rule applies, and whether that is known. Where it is not, it may.
    fn guard(&self, decl: &RuleDecl, input: Option<usize>) -> (Test, bool) {
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
        match &decl.condition {
            None => (in_state, true),
            Some(condition) => match self.scope(input, &nothing).truth(condition) {
                Some(test) => (Test::and(in_state, test), true),
                None => (in_state, false),
            },
        }
    }

    fn effects(&mut self, decl: &RuleDecl, input: Option<usize>, known: bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        for actions in &decl.alternatives {
            let mut assigned: HashMap<VarId, Option<Cases>> = HashMap::new();
            // Outputs that fire, for each of the ways in which that may be.
            let mut ways: Vec<(Test, Vec<u16>)> = vec![(Test::Always, Vec::new())];
            let mut order: Vec<VarId> = Vec::new();
            for action in actions {
                match action {
                    Action::Goto(name) => {
                        let machine = self.builder.net.machine(self.id);
                        if let Some(state) = machine.state {
                            let value = Value::Name(name.clone());
                            assigned.insert(state, Some(constant(value)));
                            order.push(state);
                        }
                    }
                    Action::Assign(lhs, value) => {
                        let scope = self.scope(input, &assigned);
                        let value = value.as_ref().and_then(|value| scope.value(value));
                        let vars: Vec<VarId> = match lhs {
                            Lhs::Word(name) => {
                                let own = self.own.get(name);
                                let var = own.or_else(|| self.builder.flags.get(name));
                                var.copied().into_iter().collect()
                            }
                            Lhs::FlagOf(setting) => scope.flag_of(setting).into_iter().collect(),
                            Lhs::Mark(name) => scope.mark(name).into_iter().collect(),
                            Lhs::AllMarks(name) => {
                                let marks = self.marks.get(name).into_iter().flatten();
                                marks.map(|(_, var)| *var).collect()
                            }
                        };
                        for var in vars {
                            assigned.insert(var, value.clone());
                            order.push(var);
                        }
                    }
                    Action::Fire(fire) => {
                        let more = self.fired(fire, input, known);
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
                }
            }
            order.sort_unstable();
            order.dedup();
            let net = &self.builder.net;
            let sets: Vec<(VarId, Update)> = order
                .into_iter()
                .map(|var| (var, update(net, var, assigned.remove(&var).flatten())))
                .collect();
            for (test, outs) in ways {
                let sets = sets.clone();
                effects.push((test, Effect { sets, outs }));
            }
        }
        // A test that is left belongs to `out nth`: what fires depends on what is remembered.
        self.split(effects)
    }

    /// Effects of a rule whose tests are all of a kind: unconditional, or exclusive.
    fn split(&mut self, effects: Vec<(Test, Effect)>) -> Vec<Effect> {
        if effects.iter().all(|(test, _)| *test == Test::Always) {
            return effects.into_iter().map(|(_, effect)| effect).collect();
        }
        // One hidden output for each way leads back to this node: the pins that follow.
        // It is simpler to fire one output whose targets depend on the test, which rules cannot
        // say; so the test goes into an input of its own.
        let mut rules = Vec::new();
        let mut sets = Vec::new();
        for (test, effect) in effects {
            sets.clone_from(&effect.sets);
            rules.push((test, effect));
        }
        let id = self.id;
        let machine = self.machine();
        let input = machine.inputs.len() as u16;
        let output = machine.outputs.len() as u16;
        machine.inputs.push(super::Input {
            name: format!("#{input}"),
            rules: rules
                .into_iter()
                .map(|(guard, effect)| Rule {
                    guard,
                    effects: vec![effect],
                })
                .collect(),
        });
        machine.outputs.push(Output {
            name: format!("#{output}"),
            targets: vec![(id, input)],
            hidden: true,
        });
        vec![Effect {
            sets: Vec::new(),
            outs: vec![output],
        }]
    }

    /// What fires, for each of the ways in which that may be.
    fn fired(&mut self, fire: &Fire, input: Option<usize>, known: bool) -> Vec<(Test, Vec<u16>)> {
        let machine = self.builder.net.machine(self.id);
        let visible: Vec<u16> = (0..machine.outputs.len())
            .filter(|&at| !machine.outputs[at].hidden)
            .map(|at| at as u16)
            .collect();
        let nothing = HashMap::new();
        match fire {
            Fire::Pin(name) if name == "again" && machine.output(name).is_none() => {
                // Without a condition that is known it would go on for ever.
                let Some(input) = input.filter(|_| known) else {
                    let text = "a loop whose condition is not followed runs its body once at most";
                    let span = machine.span;
                    self.builder.net.assumed.push((text.to_owned(), span));
                    return vec![(Test::Always, Vec::new())];
                };
                let at = machine.outputs.len() as u16;
                let id = self.id;
                self.machine().outputs.push(Output {
                    name: "again".to_owned(),
                    targets: vec![(id, input as u16)],
                    hidden: true,
                });
                vec![(Test::Always, vec![at])]
            }
            Fire::Pin(name) => {
                let outs = machine.output(name).map(|at| at as u16);
                vec![(Test::Always, outs.into_iter().collect())]
            }
            Fire::Each => vec![(Test::Always, visible)],
            Fire::Any if visible.is_empty() => vec![(Test::Always, Vec::new())],
            Fire::Any => visible.iter().map(|&at| (Test::Always, vec![at])).collect(),
            Fire::Nth(number) => match self.scope(input, &nothing).value(number) {
                Some(cases) => {
                    let out = |value: &Value| match value {
                        Value::Int(at) => visible.get(usize::try_from(*at).ok()?).copied(),
                        _ => None,
                    };
                    let cases = cases.iter();
                    cases
                        .map(|(test, value)| (test.clone(), out(value).into_iter().collect()))
                        .collect()
                }
                None => visible.iter().map(|&at| (Test::Always, vec![at])).collect(),
            },
            Fire::Times(name, low, high) => {
                let Some(at) = machine.output(name) else {
                    return vec![(Test::Always, Vec::new())];
                };
                let scope = self.scope(input, &nothing);
                let low = scope.number(low).unwrap_or(0).clamp(0, 8) as usize;
                let high = scope.number(high).unwrap_or(2).clamp(0, 8) as usize;
                let text = format!("a body that is repeated runs {low} to {high} times");
                let span = machine.span;
                if low != high {
                    self.builder.net.assumed.push((text, span));
                }
                (low..=high.max(low))
                    .map(|n| (Test::Always, vec![at as u16; n]))
                    .collect()
            }
        }
    }

    fn scope<'s>(
        &'s self,
        this: Option<usize>,
        assigned: &'s HashMap<VarId, Option<Cases>>,
    ) -> Boxed<'s, 'a> {
        Boxed {
            instance: self,
            this,
            assigned,
        }
    }
}

/// A scope that is made where it is asked.
struct Boxed<'s, 'a> {
    instance: &'s Instance<'s, 'a>,
    this: Option<usize>,
    assigned: &'s HashMap<VarId, Option<Cases>>,
}

impl Boxed<'_, '_> {
    fn with<T>(&self, ask: impl FnOnce(&Scope<'_>) -> T) -> T {
        let instance = self.instance;
        let builder = &*instance.builder;
        let machine = builder.net.machine(instance.id);
        let visible = machine.outputs.iter().filter(|o| !o.hidden).count();
        ask(&Scope {
            net: &builder.net,
            own: &instance.own,
            settings: &instance.settings,
            flags: &builder.flags,
            pin: &|pin| data(builder, instance.at, pin, 0),
            marks: &instance.marks,
            this: self.this,
            inputs: machine.inputs.len(),
            outputs: visible,
            assigned: self.assigned,
        })
    }

    fn value(&self, expr: &Expr) -> Option<Cases> {
        self.with(|scope| scope.value(expr))
    }

    fn truth(&self, expr: &Expr) -> Option<Test> {
        self.with(|scope| scope.truth(expr))
    }

    fn number(&self, expr: &Expr) -> Option<i64> {
        self.with(|scope| scope.number(expr))
    }

    fn flag_of(&self, setting: &str) -> Option<VarId> {
        self.with(|scope| scope.flag_of(setting))
    }

    fn mark(&self, name: &str) -> Option<VarId> {
        self.with(|scope| scope.mark(name))
    }
}

/// The settings of a node: those that stand in the file, else those of its kind.
fn settings(builder: &Builder<'_>, at: (GraphId, NodeId), kind: &Kind) -> HashMap<String, Value> {
    let node = builder.project.graph(at.0).node(at.1);
    let mut settings = HashMap::new();
    let graph = builder.project.graph(at.0);
    for (name, default, most) in &kind.settings {
        // What a wire brings is not known here.
        let pin = node.value_in(name);
        let wired = |pin| {
            graph
                .wires
                .iter()
                .any(|w| w.to.node == at.1 && w.to.pin == pin)
        };
        if pin.is_some_and(wired) {
            continue;
        }
        let given = node.setting(name).and_then(of_literal).or_else(|| {
            let pin = node.values_in.iter().find(|pin| pin.name == *name)?;
            of_literal(pin.literal.as_ref()?)
        });
        let value = given.or(match default {
            Expr::Int(number) => Some(Value::Int(*number)),
            Expr::Bool(value) => Some(Value::Bool(*value)),
            Expr::Word(word) => Some(Value::Name(word.clone())),
            _ => None,
        });
        let value = match (value, most) {
            (Some(Value::Int(number)), Some(most)) => Some(Value::Int(number.min(*most))),
            (value, _) => value,
        };
        if let Some(value) = value {
            settings.insert(name.clone(), value);
        }
    }
    settings
}

/// What a data input holds: what its wire brings, or what stands in it.
pub(super) fn data(
    builder: &Builder<'_>,
    (graph_id, node_id): (GraphId, NodeId),
    pin: &str,
    depth: u32,
) -> Option<Cases> {
    if depth > MAX_DEPTH {
        return None;
    }
    let graph = builder.project.graph(graph_id);
    let node = graph.node(node_id);
    let index = node.value_in(pin);
    let wire = graph
        .wires
        .iter()
        .find(|w| w.to.node == node_id && Some(w.to.pin) == index);
    let Some(wire) = wire else {
        let flag = index.and_then(|index| node.values_in[index.index()].flag);
        if let Some(flag) = flag {
            let name = &builder.project.flags[flag.index()].name;
            return Some(of_var(&builder.net, *builder.flags.get(name)?));
        }
        let literal = index.and_then(|index| node.values_in[index.index()].literal.as_ref());
        if let Some(literal) = literal {
            // A text that stands in a pin is a text, whatever flags are called.
            return of_literal(literal).map(constant);
        }
        return match node.setting(pin)? {
            Literal::Text(text) => {
                // A setting names a flag, or is an expression over flags.
                let nothing = HashMap::new();
                let scope = Scope {
                    net: &builder.net,
                    own: &HashMap::new(),
                    settings: &HashMap::new(),
                    flags: &builder.flags,
                    pin: &|_| None,
                    marks: &HashMap::new(),
                    this: None,
                    inputs: 0,
                    outputs: 0,
                    assigned: &nothing,
                };
                match expression(text) {
                    Some(expr) => scope.value(&expr),
                    None => Some(constant(Value::Name(text.clone()))),
                }
            }
            literal => of_literal(literal).map(constant),
        };
    };
    let from = graph.node(wire.from.node);
    if let Role::Get(flag) = from.role {
        let var = builder
            .flags
            .get(&builder.project.flags[flag.index()].name)?;
        return Some(of_var(&builder.net, *var));
    }
    let kind = builder.table.kind(&from.kind)?;
    let output = &from.values_out[wire.from.pin.index()].name;
    let (_, value) = kind.values.iter().find(|(name, _)| name == output)?;
    let settings = settings(builder, (graph_id, wire.from.node), kind);
    let nothing = HashMap::new();
    let scope = Scope {
        net: &builder.net,
        own: &HashMap::new(),
        settings: &settings,
        flags: &builder.flags,
        pin: &|pin| data(builder, (graph_id, wire.from.node), pin, depth + 1),
        marks: &HashMap::new(),
        this: None,
        inputs: 0,
        outputs: 0,
        assigned: &nothing,
    };
    scope.value(value)
}

/// An assignment of a value that may not be known. Numbers beyond the bounds stop at them.
pub(super) fn update(net: &Net, var: VarId, value: Option<Cases>) -> Update {
    let declared = net.var(var);
    let mut cases = Vec::new();
    for (test, value) in merged(value?)? {
        let at = declared.position(&value).or_else(|| {
            match (&value, declared.values.first()?, declared.values.last()?) {
                (Value::Int(n), Value::Int(low), Value::Int(high)) => {
                    declared.position(&Value::Int((*n).clamp(*low, *high)))
                }
                (Value::Int(n), Value::Bool(_), _) => declared.position(&Value::Bool(*n != 0)),
                (Value::Bool(b), Value::Int(_), _) => declared.position(&Value::Int(i64::from(*b))),
                _ => None,
            }
        });
        cases.push((test, at?));
    }
    Some(cases)
}
