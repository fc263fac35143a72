//! One step an edge, as equations: each variable's next value in terms of the current ones.
//!
//! The translation of Hasegawa and Yokogawa, "Formal verification for node-based visual scripts
//! using symbolic model checking": a variable for the input that a signal is at, one for the
//! output that it leaves by, one for the state, and the flags. What differs: several outputs that
//! fire together are one value of the output variable, and a join has an input variable for each
//! pin, so that two signals can arrive at once. A node with states passes through a state of its own
//! while a signal leaves it (`Finished` and `Skipped` of the paper's movie clip); their
//! second optimisation lets the output variable say the state as well.

use std::collections::HashMap;

use crate::net::{Effect, Machine, MachineId, Moment, Net, Owner, Rule, Test, Update, VarId};

/// What a variable does where no case applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Otherwise {
    Keep,
    Value(u16),
}

/// A variable with its equation. Tests speak of variables of [`Equations`].
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
    pub(crate) first: Vec<u16>,
    /// The first case that applies: one of these values is next.
    pub(crate) cases: Vec<(Test, Vec<u16>)>,
    pub(crate) otherwise: Otherwise,
    /// The flag or memory that it stands for.
    pub(crate) flag: bool,
    /// Each case is a line between pins, and is written on a line of its own.
    pub(crate) lines: bool,
    pub(crate) span: source::Span,
}

/// A net as equations.
pub(crate) struct Equations {
    pub(crate) vars: Vec<Equation>,
    /// For each machine that waits: its state, and the values at which it does; behind them those that it
    /// passes through while it waits on.
    pub(crate) waits: Vec<(MachineId, VarId, Vec<u16>)>,
    of_var: HashMap<VarId, VarId>,
    /// When a signal leaves by an output,
    outs: HashMap<(MachineId, u16), Test>,
    /// and when it is at an input.
    ins: HashMap<(MachineId, u16), Test>,
}

/// A state in which a node is while a signal leaves it.
struct Passing {
    effect: Effect,
    target: u16,
}

/// What is made of a machine before equations are written.
#[derive(Default)]
struct Plan {
    /// The input variable, or one for each pin.
    input: Option<VarId>,
    inputs: Vec<Option<VarId>>,
    output: Option<VarId>,
    /// Sets of outputs that fire together; their values come behind `none`.
    sets: Vec<Vec<u16>>,
    state: Option<VarId>,
    passing: Vec<Passing>,
    pick: Option<VarId>,
}

impl Equations {
    /// The equations of a net; the state said by the output variable where there is one, if asked.
    pub(crate) fn of(net: &Net, encoded: bool) -> Equations {
        let mut equations = Equations {
            vars: Vec::new(),
            waits: Vec::new(),
            of_var: HashMap::new(),
            outs: HashMap::new(),
            ins: HashMap::new(),
        };
        let plans: Vec<Plan> = net
            .ids()
            .map(|(id, machine)| equations.declare(net, id, machine, encoded))
            .collect();
        for (id, var) in net.var_ids() {
            if var.owner == Owner::Flag {
                let values = var.values.iter().map(ToString::to_string).collect();
                let new = equations.var(&var.name, values, var.first.clone(), var.span);
                equations.vars[new.index()].flag = true;
                equations.of_var.insert(id, new);
            }
        }
        equations.signals(net, &plans);
        for ((id, machine), plan) in net.ids().zip(&plans) {
            match plan.state {
                Some(state) => equations.with_states(net, id, machine, plan, state, encoded),
                None => equations.at_once(net, id, machine, plan),
            }
        }
        equations.grouped();
        equations
    }

    fn var(
        &mut self,
        name: &str,
        values: Vec<String>,
        first: Vec<u16>,
        span: source::Span,
    ) -> VarId {
        let id = VarId::new(self.vars.len());
        self.vars.push(Equation {
            name: name.to_owned(),
            values,
            first,
            cases: Vec::new(),
            otherwise: Otherwise::Keep,
            flag: false,
            lines: false,
            span,
        });
        id
    }

    fn declare(&mut self, net: &Net, id: MachineId, machine: &Machine, encoded: bool) -> Plan {
        let mut plan = Plan::default();
        let (name, span) = (&machine.name, machine.span);
        let none = || "none".to_owned();
        let by_pin = !machine.marks.is_empty();
        if by_pin {
            for (at, input) in machine.inputs.iter().enumerate() {
                let values = vec![none(), input.name.clone()];
                let var = self.var(&format!("{name}In_{}", input.name), values, vec![0], span);
                self.vars[var.index()].otherwise = Otherwise::Value(0);
                self.vars[var.index()].lines = true;
                plan.inputs.push(Some(var));
                self.ins.insert((id, at as u16), Test::Is(var, 1));
            }
        } else if !machine.inputs.is_empty() {
            let inputs = machine.inputs.iter().map(|input| input.name.clone());
            let values = std::iter::once(none()).chain(inputs).collect();
            let var = self.var(&format!("{name}In"), values, vec![0], span);
            self.vars[var.index()].otherwise = Otherwise::Value(0);
            self.vars[var.index()].lines = true;
            plan.input = Some(var);
            for at in 0..machine.inputs.len() as u16 {
                self.ins.insert((id, at), Test::Is(var, at + 1));
            }
        }
        let effects = || machine.rules().flat_map(|rule| &rule.effects);
        for at in 0..machine.outputs.len() as u16 {
            // Outputs alone come first, in their order.
            if effects().any(|effect| effect.outs == [at]) {
                plan.sets.push(vec![at]);
            }
        }
        for effect in effects() {
            let mut outs = effect.outs.clone();
            outs.sort_unstable();
            outs.dedup();
            if !outs.is_empty() && !plan.sets.contains(&outs) {
                plan.sets.push(outs);
            }
        }
        let label = |outs: &[u16]| {
            let names = outs
                .iter()
                .map(|&at| machine.outputs[usize::from(at)].name.as_str());
            names.collect::<Vec<_>>().join("_")
        };
        if let Some(state) = machine.state {
            let stable = net.var(state).values.len() as u16;
            let mut values: Vec<String> = net
                .var(state)
                .values
                .iter()
                .map(ToString::to_string)
                .collect();
            for rule in machine.rules() {
                for effect in &rule.effects {
                    for from in 0..stable {
                        if Test::and(rule.guard.clone(), Test::Is(state, from)) != Test::Never {
                            for (_, target) in targets(state, effect, from, stable) {
                                plan.pass(state, effect, target);
                            }
                        }
                    }
                }
            }
            for passing in &plan.passing {
                let mut name = label(&passing.effect.outs);
                let target = values[usize::from(passing.target)].clone();
                if name.is_empty() {
                    name = "passing".to_owned();
                }
                if values.contains(&name) {
                    name = format!("{name}_{target}");
                }
                while values.contains(&name) {
                    name.push('_');
                }
                values.push(name);
            }
            if encoded {
                for value in &mut values[..usize::from(stable)] {
                    *value = format!("none_{value}");
                }
                // What leaves is said by the name of the output alone where that is enough.
                let var = self.var(
                    &format!("{name}Out"),
                    values,
                    net.var(state).first.clone(),
                    span,
                );
                self.of_var.insert(state, var);
                plan.state = Some(var);
            } else {
                if !plan.sets.is_empty() {
                    let outs = plan.sets.iter().map(|outs| label(outs));
                    let values = std::iter::once(none()).chain(outs).collect();
                    let var = self.var(&format!("{name}Out"), values, vec![0], span);
                    self.vars[var.index()].otherwise = Otherwise::Value(0);
                    plan.output = Some(var);
                }
                let first = net.var(state).first.clone();
                let var = self.var(&format!("{name}State"), values, first, span);
                self.of_var.insert(state, var);
                plan.state = Some(var);
            }
            if !machine.ending.is_empty() {
                let var = plan.state.expect("it was just made");
                let stable = net.var(state).values.len() as u16;
                let mut waiting = machine.ending.clone();
                for (n, passing) in plan.passing.iter().enumerate() {
                    let waits_on = |rule: &Rule| {
                        let mut same = rule.effects.iter().filter(|e| **e == passing.effect);
                        same.all(|effect| machine.waits_on(rule, effect))
                    };
                    // Otherwise it has ended, or begun anew.
                    if machine.ending.contains(&passing.target) && machine.rules().all(waits_on) {
                        waiting.push(stable + n as u16);
                    }
                }
                self.waits.push((id, var, waiting));
            }
        } else if !plan.sets.is_empty() {
            let outs = plan.sets.iter().map(|outs| label(outs));
            let values = std::iter::once(none()).chain(outs).collect();
            let var = self.var(&format!("{name}Out"), values, vec![0], span);
            self.vars[var.index()].otherwise = Otherwise::Value(0);
            plan.output = Some(var);
        }
        let most = machine
            .rules()
            .map(|rule| rule.effects.len())
            .max()
            .unwrap_or(0);
        let sets = |effect: &Effect| {
            effect
                .sets
                .iter()
                .any(|(var, _)| Some(*var) != machine.state)
        };
        if plan.state.is_none() && most > 1 && effects().any(sets) {
            let values: Vec<String> = (0..most).map(|at| format!("way{at}")).collect();
            let all: Vec<u16> = (0..most as u16).collect();
            let var = self.var(&format!("{name}Pick"), values, all.clone(), span);
            self.vars[var.index()].cases.push((Test::Always, all));
            plan.pick = Some(var);
        }
        for &memory in &machine.memory {
            let declared = net.var(memory);
            let values = declared.values.iter().map(ToString::to_string).collect();
            let var = self.var(&declared.name, values, declared.first.clone(), span);
            self.vars[var.index()].flag = true;
            self.of_var.insert(memory, var);
        }
        // When a signal leaves by an output.
        for at in 0..machine.outputs.len() as u16 {
            let test = match (plan.output, plan.state) {
                (Some(out), _) => {
                    let sets = plan.sets.iter().enumerate();
                    let with = sets.filter(|(_, outs)| outs.contains(&at));
                    Test::any(with.map(|(n, _)| Test::Is(out, n as u16 + 1)).collect())
                }
                (None, Some(state)) => {
                    let stable =
                        (self.vars[state.index()].values.len() - plan.passing.len()) as u16;
                    let passing = plan.passing.iter().enumerate();
                    let with = passing.filter(|(_, passing)| passing.effect.outs.contains(&at));
                    Test::any(
                        with.map(|(n, _)| Test::Is(state, stable + n as u16))
                            .collect(),
                    )
                }
                (None, None) => Test::Never,
            };
            self.outs.insert((id, at), test);
        }
        plan
    }

    /// Input variables: signals travel along edges.
    fn signals(&mut self, net: &Net, plans: &[Plan]) {
        for (from, source) in net.ids() {
            for (out, output) in source.outputs.iter().enumerate() {
                let active = self.outs[&(from, out as u16)].clone();
                if active == Test::Never {
                    continue;
                }
                for &(to, input) in &output.targets {
                    let plan = &plans[to.index()];
                    let (var, value) = match (plan.input, plan.inputs.get(usize::from(input))) {
                        (Some(var), _) => (var, input + 1),
                        (None, Some(Some(var))) => (*var, 1),
                        _ => continue,
                    };
                    self.vars[var.index()]
                        .cases
                        .push((active.clone(), vec![value]));
                }
            }
        }
    }

    /// A machine without states: what comes in goes out, one step later.
    fn at_once(&mut self, net: &Net, id: MachineId, machine: &Machine, plan: &Plan) {
        let value = |outs: &[u16]| {
            let mut outs = outs.to_vec();
            outs.sort_unstable();
            outs.dedup();
            plan.sets
                .iter()
                .position(|set| *set == outs)
                .map_or(0, |at| at as u16 + 1)
        };
        for (at, input) in machine.inputs.iter().enumerate() {
            let here = self.ins[&(id, at as u16)].clone();
            for rule in &input.rules {
                let guard = self.seen(machine, plan, &rule.guard);
                let when = Test::and(here.clone(), guard);
                let alone = rule.effects.len() == 1;
                match (plan.output, plan.pick) {
                    (Some(out), Some(pick)) if !alone => {
                        for (way, effect) in rule.effects.iter().enumerate() {
                            let when = Test::and(when.clone(), Test::Is(pick, way as u16));
                            let cases = &mut self.vars[out.index()].cases;
                            cases.push((when, vec![value(&effect.outs)]));
                        }
                    }
                    (Some(out), _) => {
                        let values = rule.effects.iter().map(|effect| value(&effect.outs));
                        let cases = &mut self.vars[out.index()].cases;
                        cases.push((when.clone(), values.collect()));
                    }
                    _ => {}
                }
                for (way, effect) in rule.effects.iter().enumerate() {
                    let when = match plan.pick {
                        Some(pick) if !alone => Test::and(when.clone(), Test::Is(pick, way as u16)),
                        _ => when.clone(),
                    };
                    self.set(net, &when, &effect.sets);
                }
            }
        }
        for (moment, rule) in &machine.own {
            let Some(out) = plan.output else { continue };
            let values: Vec<u16> = rule
                .effects
                .iter()
                .map(|effect| value(&effect.outs))
                .collect();
            match moment {
                Moment::Start => self.vars[out.index()].first = values,
                // What may come before the beginning comes with it here.
                Moment::Early => {
                    self.vars[out.index()].first = std::iter::once(0).chain(values).collect();
                }
                Moment::Event | Moment::Later | Moment::Soon => {
                    let guard = self.translated(&rule.guard);
                    let values = std::iter::once(0).chain(values).collect();
                    self.vars[out.index()].cases.push((guard, values));
                    for (effect, outs) in rule.effects.iter().map(|e| (e, value(&e.outs))) {
                        self.set(net, &Test::Is(out, outs), &effect.sets);
                    }
                }
            }
        }
    }

    /// A machine with states.
    fn with_states(
        &mut self,
        net: &Net,
        id: MachineId,
        machine: &Machine,
        plan: &Plan,
        var: VarId,
        encoded: bool,
    ) {
        let state = machine.state.expect("it has a plan for it");
        let stable = net.var(state).values.len() as u16;
        let mut cases: Vec<(Test, Vec<u16>)> = Vec::new();
        for (at, input) in machine.inputs.iter().enumerate() {
            let here = self.ins[&(id, at as u16)].clone();
            for rule in &input.rules {
                let free = !mentions(&rule.guard, state)
                    && rule.effects.iter().all(|effect| is_absolute(state, effect));
                let from: Vec<u16> = if free { vec![0] } else { (0..stable).collect() };
                for from in from {
                    let guard = match free {
                        true => rule.guard.clone(),
                        false => Test::and(Test::Is(state, from), assume(&rule.guard, state, from)),
                    };
                    let guard = self.seen(machine, plan, &guard);
                    let when = Test::and(here.clone(), guard);
                    self.moves(
                        plan,
                        &rule.effects,
                        (state, from, stable),
                        &when,
                        &[],
                        &mut cases,
                    );
                }
            }
        }
        let mut complete = vec![false; usize::from(stable)];
        for from in 0..stable {
            let mut always: Vec<Effect> = Vec::new();
            let mut sometimes: Vec<(Test, Vec<Effect>)> = Vec::new();
            for (moment, rule) in &machine.own {
                let guard = assume(&rule.guard, state, from);
                match (moment, guard) {
                    (Moment::Start, _) => {
                        let mut ways = Vec::new();
                        let first = net.var(state).first[0];
                        for effect in &rule.effects {
                            for (_, target) in targets(state, effect, first, stable) {
                                ways.push(plan.value(state, effect, target, stable));
                            }
                        }
                        self.vars[var.index()].first = ways;
                    }
                    (_, Test::Never) => {}
                    (_, Test::Always) => always.extend(rule.effects.iter().cloned()),
                    (_, guard) => sometimes.push((guard, rule.effects.clone())),
                }
            }
            let here = Test::Is(var, from);
            let place = (state, from, stable);
            for (guard, effects) in sometimes {
                let guard = Test::and(here.clone(), self.translated(&guard));
                let effects = [effects, always.clone()].concat();
                self.moves(plan, &effects, place, &guard, &[from], &mut cases);
            }
            if !always.is_empty() {
                complete[usize::from(from)] = true;
                self.moves(plan, &always, place, &here, &[from], &mut cases);
            }
        }
        // Where it goes when the signal has left.
        let first = net.var(state).first[0];
        let back = plan.passing.iter().all(|passing| passing.target == first);
        let rest = (0..stable).all(|at| at == first || complete[usize::from(at)]);
        if back && rest {
            self.vars[var.index()].otherwise = Otherwise::Value(first);
        } else {
            for target in 0..stable {
                let from = plan.passing.iter().enumerate();
                let from = from.filter(|(_, passing)| passing.target == target);
                let from = from
                    .map(|(n, _)| Test::Is(var, stable + n as u16))
                    .collect();
                let from = Test::any(from);
                if from != Test::Never {
                    cases.push((from, vec![target]));
                }
            }
        }
        self.vars[var.index()].cases = cases;
        for (n, passing) in plan.passing.iter().enumerate() {
            let here = Test::Is(var, stable + n as u16);
            if let (Some(out), false) = (plan.output, encoded) {
                let mut outs = passing.effect.outs.clone();
                outs.sort_unstable();
                outs.dedup();
                if let Some(at) = plan.sets.iter().position(|set| *set == outs) {
                    let cases = &mut self.vars[out.index()].cases;
                    cases.push((here.clone(), vec![at as u16 + 1]));
                }
            }
            let sets: Vec<(VarId, Update)> = passing
                .effect
                .sets
                .iter()
                .filter(|(other, _)| *other != state)
                .cloned()
                .collect();
            self.set(net, &here, &sets);
        }
    }

    /// Adds what a state becomes by one of some effects.
    fn moves(
        &self,
        plan: &Plan,
        effects: &[Effect],
        (state, from, stable): (VarId, u16, u16),
        when: &Test,
        stay: &[u16],
        cases: &mut Vec<(Test, Vec<u16>)>,
    ) {
        let mut values = stay.to_vec();
        let mut conditional = Vec::new();
        for effect in effects {
            for (test, target) in targets(state, effect, from, stable) {
                let value = plan.value(state, effect, target, stable);
                match test {
                    Test::Always => values.push(value),
                    test => conditional.push((test, value)),
                }
            }
        }
        for (test, value) in conditional {
            let when = Test::and(when.clone(), self.translated(&test));
            cases.push((when, [values.as_slice(), &[value]].concat()));
        }
        if when != &Test::Never && !values.is_empty() {
            let mut unique: Vec<u16> = Vec::new();
            for value in values {
                if !unique.contains(&value) {
                    unique.push(value);
                }
            }
            cases.push((when.clone(), unique));
        }
    }

    /// Variables that change when something holds.
    fn set(&mut self, net: &Net, when: &Test, sets: &[(VarId, Update)]) {
        for (var, update) in sets {
            let new = self.of_var[var];
            match update {
                None => {
                    let all = (0..net.var(*var).values.len() as u16).collect();
                    self.vars[new.index()].cases.push((when.clone(), all));
                }
                Some(cases) => {
                    for (test, at) in cases {
                        let when = Test::and(when.clone(), self.translated(test));
                        if when != Test::Never {
                            self.vars[new.index()].cases.push((when, vec![*at]));
                        }
                    }
                }
            }
        }
    }

    /// A guard as a join sees it: what arrives in the same step counts as marked.
    fn seen(&self, machine: &Machine, plan: &Plan, guard: &Test) -> Test {
        let mut test = self.translated(guard);
        if machine.marks.is_empty() {
            return test;
        }
        let arriving: Vec<(VarId, Test)> = machine
            .marks
            .iter()
            .filter_map(|(at, mark)| {
                let input = (*plan.inputs.get(usize::from(*at))?)?;
                Some((self.of_var[mark], Test::Is(input, 1)))
            })
            .collect();
        fn widen(test: &mut Test, arriving: &[(VarId, Test)]) {
            match test {
                Test::Is(var, at) => {
                    if let Some((_, now)) = arriving.iter().find(|(mark, _)| mark == var) {
                        let marked = Test::any(vec![Test::Is(*var, 1), now.clone()]);
                        *test = if *at == 1 { marked } else { Test::not(marked) };
                    }
                }
                Test::Not(inner) => widen(inner, arriving),
                Test::All(all) | Test::Any(all) => {
                    all.iter_mut().for_each(|test| widen(test, arriving));
                }
                Test::Always | Test::Never => {}
            }
        }
        widen(&mut test, &arriving);
        test
    }

    /// A test of the net's variables as one of the equations'.
    pub(crate) fn translated(&self, test: &Test) -> Test {
        match test {
            Test::Always => Test::Always,
            Test::Never => Test::Never,
            Test::Is(var, at) => match self.of_var.get(var) {
                Some(&var) => Test::Is(var, *at),
                None => Test::Never,
            },
            Test::Not(inner) => Test::not(self.translated(inner)),
            Test::All(all) => Test::all(all.iter().map(|test| self.translated(test)).collect()),
            Test::Any(all) => Test::any(all.iter().map(|test| self.translated(test)).collect()),
        }
    }

    /// When a signal leaves by an output, or by any.
    pub(crate) fn fired(&self, net: &Net, id: MachineId, out: Option<u16>) -> Test {
        let all = 0..net.machine(id).outputs.len() as u16;
        let asked = all.filter(|at| out.is_none_or(|out| out == *at));
        Test::any(asked.map(|at| self.outs[&(id, at)].clone()).collect())
    }

    /// When a signal is at an input, or at any.
    pub(crate) fn entered(&self, net: &Net, id: MachineId, input: Option<u16>) -> Test {
        let all = 0..net.machine(id).inputs.len() as u16;
        let asked = all.filter(|at| input.is_none_or(|input| input == *at));
        Test::any(asked.map(|at| self.ins[&(id, at)].clone()).collect())
    }

    /// Cases of one value, and nothing but constants, are said together, as the paper does.
    fn grouped(&mut self) {
        for equation in &mut self.vars {
            let mut joined: Vec<(Vec<Test>, Vec<u16>)> = Vec::new();
            for (test, values) in std::mem::take(&mut equation.cases) {
                let same = |(_, other): &&mut (Vec<Test>, Vec<u16>)| *other == values;
                let last = joined.last().is_some_and(|(_, last)| *last == values);
                let may = equation.flag || last && !equation.lines;
                match joined.iter_mut().find(same).filter(|_| may) {
                    Some((tests, _)) => tests.push(test),
                    None => joined.push((vec![test], values)),
                }
            }
            let joined = joined.into_iter();
            equation.cases = joined
                .map(|(tests, values)| (Test::any(tests), values))
                .collect();
        }
    }
}

impl Plan {
    /// Notes a state to pass through, if the effect needs one.
    fn pass(&mut self, state: VarId, effect: &Effect, target: u16) {
        if needs_passing(state, effect) && self.find(effect, target).is_none() {
            let effect = effect.clone();
            self.passing.push(Passing { effect, target });
        }
    }

    fn find(&self, effect: &Effect, target: u16) -> Option<usize> {
        self.passing.iter().position(|passing| {
            passing.target == target
                && passing.effect.outs == effect.outs
                && passing.effect.sets == effect.sets
        })
    }

    /// The value of the state after an effect that leads to `target`.
    fn value(&self, state: VarId, effect: &Effect, target: u16, stable: u16) -> u16 {
        match self
            .find(effect, target)
            .filter(|_| needs_passing(state, effect))
        {
            Some(at) => stable + at as u16,
            None => target,
        }
    }
}

fn needs_passing(state: VarId, effect: &Effect) -> bool {
    !effect.outs.is_empty() || effect.sets.iter().any(|(var, _)| *var != state)
}

/// The states that an effect leads to from one, each with a condition.
fn targets(state: VarId, effect: &Effect, from: u16, stable: u16) -> Vec<(Test, u16)> {
    match effect.sets.iter().find(|(var, _)| *var == state) {
        None => vec![(Test::Always, from)],
        Some((_, Some(cases))) => cases.clone(),
        Some((_, None)) => (0..stable).map(|at| (Test::Always, at)).collect(),
    }
}

/// Whether an effect leads to the same state from everywhere.
fn is_absolute(state: VarId, effect: &Effect) -> bool {
    effect.sets.iter().any(|(var, _)| *var == state)
}

fn mentions(test: &Test, var: VarId) -> bool {
    let mut found = false;
    test.vars(&mut |other| found |= other == var);
    found
}

/// A test where a variable is known.
fn assume(test: &Test, var: VarId, value: u16) -> Test {
    match test {
        Test::Is(other, at) if *other == var => match *at == value {
            true => Test::Always,
            false => Test::Never,
        },
        Test::Always | Test::Never | Test::Is(..) => test.clone(),
        Test::Not(inner) => Test::not(assume(inner, var, value)),
        Test::All(all) => Test::all(all.iter().map(|test| assume(test, var, value)).collect()),
        Test::Any(all) => Test::any(all.iter().map(|test| assume(test, var, value)).collect()),
    }
}
