//! Facts that the script reads, and others may change.
//!
//! A fact whose lifetime is the step is kept nowhere between macro steps: whoever may change it
//! may do so there. Within a step it is chosen when it is first read, stays what it is, is what
//! the script's own calls make of it, and is forgotten when a call sleeps. So it costs no states.
//! Where the arguments of a reading are not constants, each reading is chosen anew.

use model::{ExprId, GlobalId, Lifetime, Place, Stmt, Type as ModelType, Value, VariableKind};
use source::Span;

use super::build::model_type;
use super::code::{Coder, Unit};
use super::{Build, Input};
use crate::ast::{self, ExprKind};
use crate::check::{Checked, Resolution};
use crate::environment::sample;
use crate::facts::{self, Class, Effect, Role};
use crate::linkset::loads::settled_integer;
use crate::linkset::member::is_decided_by_scripts;
use crate::types::Type;

/// A fact as one call reads it.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    fact: &'static str,
    function: &'static str,
    arguments: Vec<Value>,
    /// Whether it has been read in this macro step, and nothing may have changed it since.
    known: GlobalId,
    /// Its value then.
    value: GlobalId,
}

/// Calls that read facts which the environment keeps, or which have a rule of their own.
const BY_RULE: [&str; 6] = [
    "llDetectedKey",
    "llDetectedOwner",
    "llGetInventoryName",
    "llGetInventoryNumber",
    "llGetInventoryType",
    "llGetStartParameter",
];

/// Declares the facts that calls with constant arguments read.
pub(crate) fn declare(input: Input<'_>, build: &mut Build) {
    let checked = input.checked;
    for (&name, sites) in &input.survey.calls {
        let Some((fact, function)) = fact_of_a_step(name) else {
            continue;
        };
        for &site in sites {
            let ExprKind::Call { arguments, .. } = &checked.ast.expr(site).kind else {
                continue;
            };
            if !arguments
                .iter()
                .all(|&argument| is_constant(checked, argument))
            {
                continue;
            }
            let mut coder = Coder::new(input, build, &[], Unit::Pure);
            let arguments: Vec<ExprId> = arguments
                .iter()
                .zip(&function.parameters)
                .map(|(&argument, parameter)| coder.stored_value(argument, parameter.ty))
                .collect();
            let Some(arguments) = build.constants(&arguments) else {
                continue;
            };
            if build.reading(name, &arguments).is_some() {
                continue;
            }
            let Some(ty) = function.result.map(model_type) else {
                continue;
            };
            let mut variable =
                |what: String, ty| build.variable(what, ty, VariableKind::Step, None, Span::NONE);
            let reading = Reading {
                fact,
                function: function.name,
                known: variable(format!("{name} has been read"), ModelType::Bool),
                value: variable(format!("what {name} gives"), ty),
                arguments,
            };
            build.readings.push(reading);
        }
    }
}

/// The fact that a call reads, if it lives as long as a macro step.
fn fact_of_a_step(name: &str) -> Option<(&'static str, &'static facts::Function)> {
    let role = facts::role(name)?;
    let lasts = matches!(
        role.lifetime,
        Some(Lifetime::Step | Lifetime::Run | Lifetime::Event)
    );
    (lasts && !BY_RULE.contains(&name))
        .then(|| Some((role.fact()?, facts::function(name)?)))
        .flatten()
}

/// Whether the expression is made of literals and builtin constants.
pub(crate) fn is_constant(checked: &Checked, id: ast::ExprId) -> bool {
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        match &checked.ast.expr(id).kind {
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::String(_) => {}
            ExprKind::Name(_)
                if matches!(checked.exprs.resolution(id), Some(Resolution::Constant(_))) => {}
            ExprKind::Vector(_)
            | ExprKind::Rotation(_)
            | ExprKind::List(_)
            | ExprKind::Parenthesized(_)
            | ExprKind::Unary { .. } => {
                super::for_each_operand(&checked.ast, id, |operand| pending.push(operand));
            }
            _ => return false,
        }
    }
    true
}

impl Build {
    fn constants(&self, exprs: &[ExprId]) -> Option<Vec<Value>> {
        exprs
            .iter()
            .map(|&expr| self.program.exprs.constant(expr).cloned())
            .collect()
    }

    fn reading(&self, function: &str, arguments: &[Value]) -> Option<Reading> {
        self.readings
            .iter()
            .find(|reading| reading.function == function && reading.arguments == arguments)
            .cloned()
    }

    /// The readings of a fact; `None`: of all.
    fn readings_of(&self, fact: Option<&str>) -> Vec<Reading> {
        let wanted = |reading: &&Reading| fact.is_none_or(|fact| reading.fact == fact);
        self.readings.iter().filter(wanted).cloned().collect()
    }
}

impl Coder<'_> {
    /// The value of a call that reads a fact, or of which nothing is known but its type.
    pub(super) fn reading(
        &mut self,
        id: ast::ExprId,
        function: &'static facts::Function,
        args: &[ExprId],
    ) -> ExprId {
        let Some(ty) = function.result else {
            return self.build.int(0);
        };
        if !self.temporaries.allowed() {
            return self.zero(ty);
        }
        let span = self.input.checked.ast.expr(id).span;
        let model_ty = model_type(ty);
        let kept = match self.build.constants(args) {
            Some(constants) => self.build.reading(function.name, &constants),
            None => None,
        };
        let Some(reading) = kept else {
            let place = self.temporary(&model_ty);
            let choice =
                self.any_value(id, (function, args), place.clone(), Lifetime::Reading, span);
            self.emit(Stmt::Choose(choice));
            return self.build.program.exprs.load(place, model_ty);
        };
        let place = Place::global(reading.value);
        let choice = self.any_value(id, (function, args), place, Lifetime::Step, span);
        self.choose_unless_known(reading.known, choice);
        self.build.read(reading.value)
    }

    /// A value is chosen when it is first read, and stays until the flag `known` is taken back.
    pub(super) fn choose_unless_known(&mut self, known: GlobalId, choice: model::Choice) {
        let before = self.build.read(known);
        let unknown = self.build.not(before);
        let set = self.build.set_flag(known, true);
        self.straight_if(
            unknown,
            |coder| {
                coder.emit(Stmt::Choose(choice));
                coder.emit(set);
            },
            |_| {},
        );
    }

    /// The choice of what a call gives.
    fn any_value(
        &mut self,
        id: ast::ExprId,
        (function, args): (&'static facts::Function, &[ExprId]),
        place: Place,
        lifetime: Lifetime,
        span: Span,
    ) -> model::Choice {
        let role = facts::role(function.name);
        let what = match role.map(|role| &role.class) {
            Some(Class::Reads { fact, .. }) => (*fact).to_owned(),
            _ => format!("what {} gives", function.name),
        };
        if function.name == "llGetLinkKey"
            && let Some(key) = self.key_of_link(id, args[0])
        {
            return super::Build::one_of(place, &what, vec![key]);
        }
        let ty = function.result.unwrap_or(Type::Integer);
        let class = self.build.flow.of_expr(id);
        let free = self.input.member.is_none() || !is_decided_by_scripts(function.name);
        let outside = self.build.outside(what.clone(), span, lifetime, free);
        let members = match ty {
            Type::Integer => {
                let few: Option<&[i32]> = match () {
                    () if function.boolean => Some(&[0, 1]),
                    () if function.index => Some(&[-1, 0, 1]),
                    () => None,
                };
                let mut choice = match few {
                    Some(few) => {
                        let members = few.iter().map(|&n| self.build.int(n)).collect();
                        super::Build::one_of(place, &what, members)
                    }
                    None => sample::choice_of_integers(self.build, self.input.survey, place, &what),
                };
                choice.outside = Some(outside);
                return choice;
            }
            Type::Key if role.is_some_and(Role::gives_somebody) => {
                let people = self.build.world.identities.clone();
                let mut people = self.build.people(class, &people);
                people.push(self.build.text(super::outside::NULL_KEY));
                if function.name == "llGetOwnerKey" {
                    // Of what is no object, or is not there, it is the key itself.
                    let own = self.build.equal(args[0], self.build.world.this_object);
                    let owner = self.build.read(self.build.world.owner);
                    people.push(self.build.choose_by(own, owner, args[0]));
                }
                if function.name == "llGetLinkKey" {
                    people.push(self.build.world.this_object);
                    let others = self.build.company.peers.iter().map(|peer| peer.key);
                    people.extend(others.collect::<std::collections::BTreeSet<_>>());
                }
                people
            }
            Type::String | Type::Key => self.build.range(class, &what),
            _ => self.build.anything(ty, &what),
        };
        self.build.chosen(place, &what, members, outside)
    }

    /// The key of the prim whose link number a call is given, if that is known and is a prim with a script.
    fn key_of_link(&self, call: ast::ExprId, number: ExprId) -> Option<ExprId> {
        let member = self.input.member?;
        let checked = self.input.checked;
        let number = match (
            self.build.program.exprs.constant(number),
            &checked.ast.expr(call).kind,
        ) {
            (Some(Value::Int(number)), _) => i32::try_from(*number).ok()?,
            (_, ExprKind::Call { arguments, .. }) => settled_integer(checked, *arguments.first()?)?,
            _ => return None,
        };
        let prim = member.linkset.prim_of(member.index, number)??;
        let mut peers = self.build.company.peers.iter();
        peers.find(|peer| peer.prim == prim).map(|peer| peer.key)
    }

    /// What is known of facts after a call.
    pub(super) fn after_call(&mut self, function: &'static facts::Function, args: &[ExprId]) {
        self.sleep(function);
        if self.build.readings.is_empty() || !self.temporaries.allowed() {
            return;
        }
        if function.sleep_ms > 0 || function.name == "llSleep" {
            let all = self.build.readings_of(None);
            self.forget(&all);
            return;
        }
        let Some(role) = facts::role(function.name) else {
            return;
        };
        if matches!(role.class, Class::Causes(_)) {
            let others = self.build.readings_of(Some("other objects"));
            self.forget(&others);
        }
        for effect in role.effects() {
            match *effect {
                Effect::Changes(fact) => {
                    let readings = self.build.readings_of(Some(fact));
                    self.forget(&readings);
                }
                Effect::Sets(fact, argument) => {
                    let readings = self.build.readings_of(Some(fact));
                    match args.get(argument) {
                        Some(&value) => self.remember(&readings, value),
                        None => self.forget(&readings),
                    }
                }
                Effect::Writes(fact) => self.write(fact, args),
                _ => {}
            }
        }
    }

    fn forget(&mut self, readings: &[Reading]) {
        for reading in readings {
            let set = self.build.set_flag(reading.known, false);
            self.emit(set);
        }
    }

    /// What the script has set it reads back, if nothing is cut off of it: names and descriptions
    /// have a greatest length, and lose some characters.
    fn remember(&mut self, readings: &[Reading], value: ExprId) {
        let is_kept = |value: &Value| match &*self.build.program.rich.get(value.rich()) {
            model::Rich::Text(text) => {
                text.len() <= 63
                    && text
                        .bytes()
                        .all(|b| (b' '..=b'~').contains(&b) && b != b'|')
            }
            _ => false,
        };
        if !self
            .build
            .program
            .exprs
            .constant(value)
            .is_some_and(is_kept)
        {
            for reading in readings {
                self.perhaps(reading, value, "whether all of it is kept");
            }
            return;
        }
        for reading in readings {
            let stmts = [
                self.build.set(reading.value, value),
                self.build.set_flag(reading.known, true),
            ];
            for stmt in stmts {
                self.emit(stmt);
            }
        }
    }

    /// The fact of a name: if the name is not the constant one of the reading, nothing is known.
    /// Whether there was room for it is not known either.
    fn write(&mut self, fact: &'static str, args: &[ExprId]) {
        let constants = args.first().map(|&name| self.build.constants(&[name]));
        for reading in self.build.readings_of(Some(fact)) {
            match &constants {
                Some(Some(name)) if reading.arguments.first() != name.first() => {}
                Some(Some(_)) if args.len() > 1 => {
                    self.perhaps(&reading, args[1], "whether there is room for it");
                }
                _ => self.forget(std::slice::from_ref(&reading)),
            }
        }
    }

    /// The script sets a fact, and it is so or is not.
    fn perhaps(&mut self, reading: &Reading, value: ExprId, what: &str) {
        let (yes, no) = (self.build.bool(true), self.build.bool(false));
        let place = self.temporary(&ModelType::Bool);
        let outside = self
            .build
            .outside(what, Span::NONE, Lifetime::Reading, true);
        let choice = self
            .build
            .chosen(place.clone(), what, vec![yes, no], outside);
        self.emit(Stmt::Choose(choice));
        let kept = self.build.program.exprs.load(place, ModelType::Bool);
        let store = self.build.set(reading.value, value);
        let known = self.build.set_flag(reading.known, true);
        let unknown = self.build.set_flag(reading.known, false);
        self.straight_if(
            kept,
            |coder| {
                coder.emit(store);
                coder.emit(known);
            },
            |coder| coder.emit(unknown),
        );
    }
}
