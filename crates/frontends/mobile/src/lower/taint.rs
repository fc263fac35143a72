//! Whether an argument carries what a variable holds: the questions for [`secrecy`](super::secrecy),
//! and what the world's choices depend on.

use std::collections::HashSet;

use model::{Expr, ExprId, OutsideId, Root, Type, ValueSet};
use policy::{Arguments, Variable};
use source::{Diagnostic, Span};

use crate::ctype::CType;

use super::memory::Storage;
use super::pointer::{FIRST, Pts};
use super::secrecy::{Question, Sources, Telling};
use super::value::Rvalue;
use super::{Key, Lowering};

/// A call of a function outside that is lowered.
#[derive(Clone, Debug)]
pub(super) struct Told {
    arguments: Sources,
    /// Whether its results depend on nothing else.
    computes: bool,
}

/// What pointers are to, if that is one object.
fn only_target(pts: &Pts) -> Option<usize> {
    match pts.iter().collect::<Vec<_>>()[..] {
        [&only] => Some(only),
        _ => None,
    }
}

impl Lowering<'_> {
    /// Whether one of the arguments carries a secret.
    pub(super) fn is_tainted(
        &mut self,
        rule: usize,
        of: &Arguments,
        arguments: &[&Rvalue],
        span: Span,
    ) -> ExprId {
        if arguments.is_empty() || self.secret_variables(of).is_empty() {
            return self.pool().bool(false);
        }
        let objects = self.secret_objects(of);
        let secrets: HashSet<Root> = objects.iter().flat_map(|&of| self.roots(of)).collect();
        let is_passed = arguments
            .iter()
            .any(|value| self.is_read_of(value, &objects, &secrets));
        if is_passed {
            return self.pool().bool(true);
        }
        let arguments = self.sources(arguments.iter().copied());
        let fact = "whether an argument carries a secret";
        let answer = self.temporary(fact, Type::Bool);
        let outside = self.outside(fact, span, false);
        self.unrelated(outside);
        let all = ValueSet::All(Type::Bool);
        self.choose(answer.clone(), all, None, fact, outside);
        let unfollowed = !objects.iter().all(|&object| self.is_followed(object));
        self.questions.push(Question {
            asks: (rule, of.clone()),
            answer: answer.root,
            unfollowed,
            secrets,
            arguments,
        });
        self.pool().load(answer, Type::Bool)
    }

    /// The variables of which the policy asks what carries them.
    fn secret_variables<'v>(&'v self, of: &'v Arguments) -> &'v [Variable] {
        match of {
            Arguments::Of(variables) => variables,
            _ => &self.policy.high,
        }
    }

    /// The objects that they are.
    pub(super) fn secret_objects(&self, of: &Arguments) -> Vec<usize> {
        let variables = self.secret_variables(of).iter();
        let objects = variables.flat_map(|variable| self.objects_named(variable));
        objects.collect()
    }

    /// Tells of variables in the policy that the program does not have. Those of a function that is
    /// never called are not looked for.
    pub(super) fn find_secrets(&mut self) {
        let policy = self.policy;
        let rules = policy.rules.iter().flat_map(|rule| &rule.permissions);
        let named = rules.flat_map(|permission| match &permission.arguments {
            Arguments::Of(variables) => variables.as_slice(),
            _ => &[],
        });
        for variable in policy.high.iter().chain(named) {
            let is_there = match &variable.function {
                None => self.facts.ids.contains_key(&Key::global(&variable.name)),
                Some(function) => self.functions.iter().enumerate().any(|(number, of)| {
                    of.name == *function
                        && of.definition.is_some()
                        && self.has_variable(number, &variable.name)
                }),
            };
            if !is_there {
                let message = format!("the program has no variable `{}`", variable.shown());
                let warning = Diagnostic::warning(policy::VARIABLE, message).at(variable.span);
                self.diagnostics.push(warning);
            }
        }
    }

    /// Whether a function has a variable, or is never called.
    fn has_variable(&self, function: usize, name: &str) -> bool {
        let mut names = self.facts.ids.keys().filter_map(|key| match key {
            Key::Variable(path, _, name) if called(path) == Some(function) => Some(name),
            _ => None,
        });
        let first = names.next();
        first.is_none_or(|first| first == name || names.any(|other| other == name))
    }

    /// The objects that a variable of a policy is: of a function's, one for each call.
    pub(super) fn objects_named(&self, variable: &Variable) -> Vec<usize> {
        let ids = self.facts.ids.iter();
        let found = ids.filter(|(key, _)| match (key, &variable.function) {
            (Key::Global(name), None) => *name == variable.name,
            (Key::Variable(path, _, name), Some(function)) => {
                let is_of = |number: usize| self.functions[number].name == *function;
                *name == variable.name && called(path).is_some_and(is_of)
            }
            _ => false,
        });
        found.map(|(_, &object)| object).collect()
    }

    /// Whether all that an object holds is kept.
    fn is_followed(&mut self, object: usize) -> bool {
        !matches!(self.storage(object), Storage::Vague)
            && self
                .known(object)
                .cells
                .iter()
                .all(|cell| *cell == CType::Void || cell.model().is_some())
    }

    /// The variables of the model that an object is kept in.
    fn roots(&mut self, object: usize) -> Vec<Root> {
        match self.storage(object) {
            Storage::Array(place, _) => vec![place.root],
            Storage::Cells(places) => places.into_iter().flatten().map(|at| at.root).collect(),
            Storage::Literal(_) | Storage::Vague => Vec::new(),
        }
    }

    /// Whether a value is what a secret variable holds, or points to one.
    fn is_read_of(&self, value: &Rvalue, objects: &[usize], secrets: &HashSet<Root>) -> bool {
        let is_target = |pts| only_target(pts).is_some_and(|only| objects.contains(&only));
        if let Some(at) = &value.at {
            return is_target(&at.pts);
        }
        let read = value.expr.map(|expr| self.program.exprs.get(expr));
        let is_secret = matches!(read, Some(Expr::Load(from)) if secrets.contains(&from.root));
        is_secret || is_target(&value.pts)
    }

    /// What values are made of, and all that can be reached from them.
    fn sources<'v>(&mut self, values: impl Iterator<Item = &'v Rvalue>) -> Sources {
        let mut sources = Sources::default();
        let (mut waiting, mut certain) = (Vec::new(), Vec::new());
        for value in values {
            sources.exprs.extend(value.expr);
            sources.other |= value.expr.is_none() && value.at.is_none();
            let places = value.at.as_ref().map(|at| &at.pts);
            for pts in std::iter::once(&value.pts).chain(places) {
                waiting.extend(pts.iter().copied());
                certain.extend(only_target(pts));
            }
        }
        let mut may = HashSet::new();
        while let Some(object) = waiting.pop() {
            if object < FIRST || !may.insert(object) {
                continue;
            }
            waiting.extend(self.contents(object).iter());
            sources.other |= !self.is_followed(object);
            sources.roots.extend(self.roots(object));
        }
        let mut reached = HashSet::new();
        while let Some(object) = certain.pop() {
            if object >= FIRST && reached.insert(object) {
                certain.extend(only_target(&self.contents(object)));
                sources.reached.extend(self.roots(object));
            }
        }
        sources
    }

    /// Whether the policy speaks of what variables hold.
    fn follows_secrets(&self) -> bool {
        let rules = self.policy.rules.iter();
        let mut permissions = rules.flat_map(|rule| &rule.permissions);
        permissions
            .any(|permission| matches!(permission.arguments, Arguments::High | Arguments::Of(_)))
    }

    /// A function outside is called. Gives the call within which that happens, for
    /// [`Lowering::told`].
    pub(super) fn tells(&mut self, arguments: &[Rvalue], computes: bool) -> Option<Told> {
        if !self.follows_secrets() {
            return None;
        }
        let arguments = self.sources(arguments.iter());
        if !computes {
            let at = self.here.expect("a call is lowered where runs come");
            self.world.told.push(Telling {
                at,
                arguments: arguments.clone(),
                denied_by: self.denying.clone(),
            });
        }
        self.calling.replace(Told {
            arguments,
            computes,
        })
    }

    /// What is chosen next may depend on anything.
    pub(super) fn depends_on_anything(&mut self) -> Option<Told> {
        let anything = Sources {
            other: true,
            ..Sources::default()
        };
        self.calling.replace(Told {
            arguments: anything,
            computes: true,
        })
    }

    /// A value that the program's author says may be known.
    pub(super) fn declassified(&mut self, value: Rvalue, to: &CType, span: Span) -> Rvalue {
        let mut value = self.convert(value, to, span);
        if let Some(expr) = value.expr {
            let ty = self.program.exprs.ty(expr).clone();
            let place = self.temporary("declassified", ty.clone());
            self.assign(place.clone(), expr);
            self.world.declassified.insert(place.root);
            value.expr = Some(self.pool().load(place, ty));
        }
        value
    }

    /// The call is over.
    pub(super) fn told(&mut self, outer: Option<Told>) {
        self.calling = outer;
    }

    /// Notes what a choice of the world depends on.
    pub(super) fn depends(&mut self, outside: OutsideId) {
        match &self.calling {
            None => {}
            Some(call) if call.computes => {
                let computed = self.world.computed.entry(outside).or_default();
                computed.push(call.arguments.clone());
            }
            Some(_) => {
                self.world.remembered.insert(outside);
            }
        }
    }

    /// No secret decides a choice.
    pub(super) fn unrelated(&mut self, outside: OutsideId) {
        self.world.unrelated.insert(outside);
    }

    /// A choice stands for what others write to an object.
    pub(super) fn decided_by_others(&mut self, outside: OutsideId, object: usize) {
        if self.follows_secrets() {
            let roots = self.roots(object).into_iter().collect();
            let others = Sources {
                roots,
                ..Sources::default()
            };
            self.world.computed.entry(outside).or_default().push(others);
        }
    }
}

/// The function whose call a path of calls ends with.
fn called(path: &str) -> Option<usize> {
    let call = path.trim_end_matches('/').rsplit('/').next()?;
    call.split('@').next()?.parse().ok()
}
