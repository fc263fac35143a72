//! From a formula to a system: for the labels that there are.
//!
//! A quantifier becomes a conjunction or disjunction over its values, an action formula the set of
//! labels that satisfy it, a regular formula modalities and fixpoints (`[R*] p` is
//! `nu X. (p && [R] X)`), a negation the dual. A fixpoint with parameters becomes one for each of the
//! values that are asked of it: by the formula alone, or where a graph is given, in states that can be
//! reached. `[a] X(n + 1)` ends then if there are only so many steps `a` one after the other.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use super::beyond::{self, Datum};
use super::compute::Data;
use super::error::InstantiateError;
use super::formula::{
    Action, Binder, DataId, Domain, Label, Mu, Operand, Parameters, Pattern, Regular, StateSetId,
    Values,
};
use super::system::{FixpointId, Node, NodeId, System};

/// Formulas and values that are tried before a formula is given up.
const MOST: usize = 1 << 20;

/// So many formulas at states are looked at between two questions whether to give up.
const LOOK: usize = 1 << 12;

/// What each of them takes in memory, about.
const BYTES: u64 = 24;

impl<A: Clone + Eq + Hash> System<A> {
    /// The system of a formula, for these labels.
    ///
    /// # Errors
    /// If quantifiers make it too large, or an expression in it has no value.
    pub fn of<E, S>(
        formula: &Mu<A, E, S::Value>,
        labels: &[Label<E, S::Value>],
        values: &S,
    ) -> Result<System<A>, InstantiateError>
    where
        E: Eq,
        S: Values,
    {
        System::on(formula, labels, values, None)
    }

    /// The system of a formula on a graph: it is about the initial states only, as parameters have only
    /// the values that are asked for from there.
    ///
    /// # Errors
    /// As for [`System::of`].
    pub fn of_graph<E, S>(
        formula: &Mu<A, E, S::Value>,
        labels: &[Label<E, S::Value>],
        values: &S,
        graph: &Explored<'_>,
    ) -> Result<System<A>, InstantiateError>
    where
        E: Eq,
        S: Values,
    {
        System::on(formula, labels, values, Some(graph))
    }

    fn on<E, S>(
        formula: &Mu<A, E, S::Value>,
        labels: &[Label<E, S::Value>],
        values: &S,
        graph: Option<&Explored<'_>>,
    ) -> Result<System<A>, InstantiateError>
    where
        E: Eq,
        S: Values,
    {
        let mut constants = Vec::new();
        formula.constants(&mut constants);
        let mut work = Work {
            system: System::empty(),
            labels,
            values,
            constants,
            is_whole: graph.is_none_or(|graph| graph.is_whole),
            atoms: HashMap::new(),
            data: Data::new(values),
            sets: HashMap::new(),
            scopes: Vec::new(),
            pending: BTreeMap::new(),
            depth: 0,
            spent: 0,
        };
        work.system.root = work.formula(formula, true)?;
        match graph {
            Some(graph) => work.write_what_is_reached(graph)?,
            None => {
                while let Some(&id) = work.pending.keys().next() {
                    work.write(id)?;
                }
            }
        }
        Ok(work.system)
    }
}

/// Takes the label of a step, and where it leads.
pub type Each<'e> = dyn FnMut(u32, u32) + 'e;

/// A graph, or what has been explored of it.
pub struct Explored<'g> {
    /// Where runs begin.
    pub initial: &'g [u32],
    /// Hands on the steps of a state: their labels, and where they lead.
    pub steps: &'g dyn Fn(u32, &mut Each<'_>),
    /// Whether all of it has been explored. If not, steps that there are none of are not left out: those
    /// of states that have not been explored are not known.
    pub is_whole: bool,
    /// Asked now and then: whether this has taken too long, or too many bytes.
    pub gives_up: &'g dyn Fn(u64) -> bool,
}

struct Work<'w, A, E, S: Values> {
    system: System<A>,
    labels: &'w [Label<E, S::Value>],
    values: &'w S,
    /// Values that the formula names.
    constants: Vec<S::Value>,
    is_whole: bool,
    atoms: HashMap<A, u32>,
    data: Data<'w, S>,
    /// The fixpoints around this place, by their numbers among the scopes.
    sets: HashMap<StateSetId, usize>,
    scopes: Vec<Scope<'w, A, E, S::Value>>,
    /// Fixpoints whose bodies are still to be written.
    pending: BTreeMap<FixpointId, Pending<S::Value>>,
    /// How many fixpoints are around this place.
    depth: u32,
    spent: usize,
}

/// A fixpoint at its place: with the values of the data variables around it.
struct Scope<'w, A, E, V> {
    fixed: Fixed<'w, A, E, V>,
    positive: bool,
    least: bool,
    depth: u32,
    data: HashMap<DataId, Datum<V>>,
    /// The fixpoints around it, and itself.
    sets: HashMap<StateSetId, usize>,
    /// For each of the values that its parameters have been asked for.
    known: HashMap<Box<[V]>, NodeId>,
}

/// A fixpoint for some values of its parameters.
struct Pending<V> {
    scope: usize,
    args: Box<[V]>,
    node: NodeId,
}

/// A fixpoint of a formula.
struct Fixed<'f, A, E, V> {
    variable: StateSetId,
    parameters: &'f Parameters<V>,
    body: &'f Mu<A, E, V>,
}

impl<'w, A: Clone + Eq + Hash, E: Eq, S: Values> Work<'w, A, E, S> {
    fn spend(&mut self) -> Result<(), InstantiateError> {
        self.spent += 1;
        if self.spent > MOST {
            Err(InstantiateError::TooLarge)
        } else {
            Ok(())
        }
    }

    /// A formula, or its negation.
    fn formula(
        &mut self,
        formula: &'w Mu<A, E, S::Value>,
        positive: bool,
    ) -> Result<NodeId, InstantiateError> {
        self.spend()?;
        let constant = |holds: bool| match holds {
            true => System::<A>::TRUE,
            false => System::<A>::FALSE,
        };
        Ok(match formula {
            Mu::True => constant(positive),
            Mu::False => constant(!positive),
            Mu::Data(condition) => constant(self.data.condition(condition)? == positive),
            Mu::Atom(atom) => {
                let number = match self.atoms.get(atom) {
                    Some(&number) => number,
                    None => {
                        let number = u32::try_from(self.atoms.len()).expect("atoms are few");
                        self.atoms.insert(atom.clone(), number);
                        self.system.atoms.push(atom.clone());
                        number
                    }
                };
                self.system.intern(Node::Literal(number, positive))
            }
            Mu::Not(p) => self.formula(p, !positive)?,
            Mu::And(ps) => self.all(ps, positive, positive)?,
            Mu::Or(ps) => self.all(ps, positive, !positive)?,
            Mu::Implies(p, q) => {
                let decides = |holds: Option<bool>, when| holds == Some(when);
                if decides(self.evident(p)?, false) || decides(self.evident(q)?, true) {
                    return Ok(constant(positive));
                }
                let parts = vec![self.formula(p, !positive)?, self.formula(q, positive)?];
                self.system.junction(!positive, parts)
            }
            Mu::Box(regular, p) => self.modality(regular, p, positive, positive)?,
            Mu::Diamond(regular, p) => self.modality(regular, p, positive, !positive)?,
            Mu::Least(variable, parameters, body) | Mu::Greatest(variable, parameters, body) => {
                let least = matches!(formula, Mu::Least(..)) == positive;
                let fixed = Fixed {
                    variable: *variable,
                    parameters,
                    body,
                };
                self.fixpoint(fixed, positive, least)?
            }
            Mu::Variable(variable, args) => {
                let args = self.arguments(args)?;
                self.instance(*variable, args)
            }
            Mu::ForAll(binder, p) => self.quantified(binder, p, positive, positive)?,
            Mu::Exists(binder, p) => self.quantified(binder, p, positive, !positive)?,
        })
    }

    fn all(
        &mut self,
        parts: &'w [Mu<A, E, S::Value>],
        positive: bool,
        all: bool,
    ) -> Result<NodeId, InstantiateError> {
        // What is evident from data comes first: the rest may have values without end.
        for part in parts {
            if let Some(holds) = self.evident(part)?
                && (holds == positive) != all
            {
                return Ok(self.system.junction(!all, Vec::new()));
            }
        }
        let parts: Result<Vec<NodeId>, _> = parts
            .iter()
            .map(|part| self.formula(part, positive))
            .collect();
        Ok(self.system.junction(all, parts?))
    }

    /// Whether a formula holds everywhere, or nowhere, as far as conditions on data tell.
    fn evident(&self, formula: &Mu<A, E, S::Value>) -> Result<Option<bool>, InstantiateError> {
        let joined = |parts: &[Mu<A, E, S::Value>], decisive: bool| {
            let mut all = Some(!decisive);
            for part in parts {
                match self.evident(part)? {
                    Some(holds) if holds == decisive => return Ok(Some(decisive)),
                    Some(_) => {}
                    None => all = None,
                }
            }
            Ok(all)
        };
        match formula {
            Mu::True => Ok(Some(true)),
            Mu::False => Ok(Some(false)),
            Mu::Data(condition) => self.data.condition(condition).map(Some),
            Mu::Not(p) => Ok(self.evident(p)?.map(|holds| !holds)),
            Mu::And(ps) => joined(ps, false),
            Mu::Or(ps) => joined(ps, true),
            Mu::Implies(p, q) => Ok(match (self.evident(p)?, self.evident(q)?) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), other) => other,
                (None, _) => None,
            }),
            _ => Ok(None),
        }
    }

    fn arguments(
        &self,
        operands: &[Operand<S::Value>],
    ) -> Result<Box<[S::Value]>, InstantiateError> {
        operands
            .iter()
            .map(|operand| self.data.value(operand))
            .collect()
    }

    /// The set of a fixpoint around this place, for these values of its parameters.
    fn instance(&mut self, variable: StateSetId, args: Box<[S::Value]>) -> NodeId {
        let number = self.sets[&variable];
        let scope = &mut self.scopes[number];
        if let Some(&known) = scope.known.get(&args) {
            return known;
        }
        let (id, node) = self.system.begin_fixpoint(scope.least, scope.depth);
        scope.known.insert(args.clone(), node);
        let scope = number;
        self.pending.insert(id, Pending { scope, args, node });
        node
    }

    fn fixpoint(
        &mut self,
        fixed: Fixed<'w, A, E, S::Value>,
        positive: bool,
        least: bool,
    ) -> Result<NodeId, InstantiateError> {
        let first = fixed.parameters.iter().map(|p| self.data.value(&p.first));
        let first: Box<[S::Value]> = first.collect::<Result<_, _>>()?;
        let (number, variable) = (self.scopes.len(), fixed.variable);
        let mut sets = self.sets.clone();
        sets.insert(variable, number);
        self.scopes.push(Scope {
            fixed,
            positive,
            least,
            depth: self.depth,
            data: self.data.known().clone(),
            sets,
            known: HashMap::new(),
        });
        let outer = self.sets.insert(variable, number);
        let node = self.instance(variable, first);
        match outer {
            Some(outer) => self.sets.insert(variable, outer),
            None => self.sets.remove(&variable),
        };
        match *self.system.node(node) {
            Node::Fixpoint(id) => self.write(id),
            _ => Ok(node),
        }
    }

    /// Writes the body of a fixpoint, if that has not been done.
    fn write(&mut self, id: FixpointId) -> Result<NodeId, InstantiateError> {
        self.spend()?;
        let Some(Pending { scope, args, node }) = self.pending.remove(&id) else {
            return Ok(self.system.intern(Node::Fixpoint(id)));
        };
        let scope = &self.scopes[scope];
        let (parameters, body, positive) =
            (scope.fixed.parameters, scope.fixed.body, scope.positive);
        let outer = (
            self.data.replace(scope.data.clone()),
            std::mem::replace(&mut self.sets, scope.sets.clone()),
            std::mem::replace(&mut self.depth, scope.depth + 1),
        );
        for (parameter, value) in parameters.iter().zip(args) {
            self.data
                .set(parameter.variable, &parameter.name, Datum::Known(value));
        }
        let body = self.formula(body, positive)?;
        self.data.replace(outer.0);
        (self.sets, self.depth) = (outer.1, outer.2);
        Ok(self.system.end_fixpoint(id, node, body))
    }

    /// Writes the bodies of all fixpoints on which formulas depend that hold or not in an initial state.
    fn write_what_is_reached(&mut self, graph: &Explored<'_>) -> Result<(), InstantiateError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let root = self.system.root;
        let mut waiting: Vec<(u32, NodeId)> = graph.initial.iter().map(|&at| (at, root)).collect();
        let mut seen: HashSet<(u32, NodeId)> = waiting.iter().copied().collect();
        while let Some((at, node)) = waiting.pop() {
            if seen.len().is_multiple_of(LOOK) && (graph.gives_up)(seen.len() as u64 * BYTES) {
                return Err(InstantiateError::GivenUp);
            }
            if let Node::Fixpoint(id) = *self.system.node(node) {
                self.write(id)?;
            }
            let mut reach = |at, node| {
                if seen.insert((at, node)) {
                    waiting.push((at, node));
                }
            };
            match self.system.node(node) {
                Node::Box(set, behind) | Node::Diamond(set, behind) => {
                    let set = self.system.label_set(*set);
                    (graph.steps)(at, &mut |label, to| {
                        if set.has(label) {
                            reach(to, *behind);
                        }
                    });
                }
                _ => self
                    .system
                    .needs(node)
                    .iter()
                    .for_each(|&part| reach(at, part)),
            }
        }
        Ok(())
    }

    fn quantified(
        &mut self,
        binder: &'w Binder<S::Value>,
        body: &'w Mu<A, E, S::Value>,
        positive: bool,
        all: bool,
    ) -> Result<NodeId, InstantiateError> {
        let domain = self.domain(binder, |found, labels| found.in_formula(body, labels))?;
        let mut parts = Vec::new();
        for datum in domain {
            let outer = self.data.set(binder.variable, &binder.name, datum);
            parts.push(self.formula(body, positive)?);
            self.data.restore(binder.variable, outer);
        }
        Ok(self.system.junction(all, parts))
    }

    /// What a variable stands for, one after the other.
    fn domain(
        &self,
        binder: &Binder<S::Value>,
        look: impl FnOnce(&mut Found<'_, S>, &[Label<E, S::Value>]),
    ) -> Result<Vec<Datum<S::Value>>, InstantiateError> {
        if let Domain::Stated(values) = &binder.domain {
            return Ok(values.iter().cloned().map(Datum::Known).collect());
        }
        let mut found = Found::new(self.values, binder.variable);
        look(&mut found, self.labels);
        match &binder.domain {
            Domain::Stated(_) | Domain::Occurring => {
                Ok(found.values.into_iter().map(Datum::Known).collect())
            }
            Domain::Unlimited => {
                self.constants.iter().for_each(|value| found.add(value));
                Ok(beyond::all_and_others(binder.variable, found.values))
            }
            Domain::Numbers(least, like) => {
                let points = found.values.iter().chain(&self.constants);
                let points = points.filter_map(|value| self.values.number(value));
                beyond::numbers(binder.variable, *least, points, self.values, like)
            }
        }
    }

    /// What holds where a formula, or its negation, holds behind all paths of a regular formula, or
    /// behind one.
    fn modality(
        &mut self,
        regular: &'w Regular<E, S::Value>,
        p: &'w Mu<A, E, S::Value>,
        positive: bool,
        all: bool,
    ) -> Result<NodeId, InstantiateError> {
        let Regular::Action(action) = regular else {
            let p = self.formula(p, positive)?;
            return self.behind(regular, p, all);
        };
        let set = self.label_set(action)?;
        if self.is_without_steps(&set) {
            // Of what is behind them, nothing is asked.
            return Ok(self.system.junction(all, Vec::new()));
        }
        let p = self.formula(p, positive)?;
        Ok(self.step(set, p, all))
    }

    /// Whether no step has a label of a set, as far as all are known.
    fn is_without_steps(&self, set: &[bool]) -> bool {
        self.is_whole && !set.contains(&true)
    }

    /// What holds where `p` holds behind all steps with these labels, or behind one.
    fn step(&mut self, set: Vec<bool>, p: NodeId, all: bool) -> NodeId {
        if self.is_without_steps(&set) {
            return self.system.junction(all, Vec::new());
        }
        let set = self.system.intern_set(set);
        self.system.modality(all, set, p)
    }

    /// What holds where `p` holds behind all paths of a regular formula, or behind one.
    fn behind(
        &mut self,
        regular: &Regular<E, S::Value>,
        p: NodeId,
        all: bool,
    ) -> Result<NodeId, InstantiateError> {
        self.spend()?;
        Ok(match regular {
            Regular::Action(action) => {
                let set = self.label_set(action)?;
                self.step(set, p, all)
            }
            Regular::Sequence(parts) => {
                let mut p = p;
                for part in parts.iter().rev() {
                    p = self.behind(part, p, all)?;
                }
                p
            }
            Regular::Choice(parts) => {
                let parts: Result<Vec<NodeId>, _> =
                    parts.iter().map(|part| self.behind(part, p, all)).collect();
                self.system.junction(all, parts?)
            }
            Regular::Star(part) => self.repeated(part, p, all)?,
            Regular::Plus(part) => {
                let star = self.repeated(part, p, all)?;
                self.behind(part, star, all)?
            }
        })
    }

    /// What holds where `p` holds behind any number of paths one after the other.
    fn repeated(
        &mut self,
        part: &Regular<E, S::Value>,
        p: NodeId,
        all: bool,
    ) -> Result<NodeId, InstantiateError> {
        let (id, node) = self.system.begin_fixpoint(!all, self.depth);
        self.depth += 1;
        let more = self.behind(part, node, all)?;
        self.depth -= 1;
        let body = self.system.junction(all, vec![p, more]);
        Ok(self.system.end_fixpoint(id, node, body))
    }

    /// The labels that satisfy an action formula.
    fn label_set(&mut self, action: &Action<E, S::Value>) -> Result<Vec<bool>, InstantiateError> {
        self.spend()?;
        let count = self.labels.len();
        Ok(match action {
            Action::Any => vec![true; count],
            Action::None => vec![false; count],
            Action::Silent => self.labels.iter().map(|label| label.is_empty()).collect(),
            Action::Data(condition) => vec![self.data.condition(condition)?; count],
            Action::Happens(event, patterns) => {
                let patterns = self.data.settled(patterns)?;
                let fits = |label: &Label<E, S::Value>| {
                    let mut happenings = label.iter();
                    happenings.any(|happening| self.data.fits(happening, event, &patterns))
                };
                self.labels.iter().map(fits).collect()
            }
            Action::Together(actions) => {
                let data = &self.data;
                let settled = actions.iter().map(|(event, patterns)| {
                    data.settled(patterns).map(|patterns| (event, patterns))
                });
                let actions = settled.collect::<Result<Vec<_>, _>>()?;
                let labels = self.labels.iter();
                labels
                    .map(|label| self.data.are_all(label, &actions))
                    .collect()
            }
            Action::Not(p) => {
                let mut set = self.label_set(p)?;
                set.iter_mut().for_each(|has| *has = !*has);
                set
            }
            Action::And(ps) => {
                let mut set = vec![true; count];
                for p in ps.iter() {
                    let part = self.label_set(p)?;
                    set.iter_mut()
                        .zip(part)
                        .for_each(|(has, part)| *has &= part);
                }
                set
            }
            Action::Or(ps) => {
                let mut set = vec![false; count];
                for p in ps.iter() {
                    let part = self.label_set(p)?;
                    set.iter_mut()
                        .zip(part)
                        .for_each(|(has, part)| *has |= part);
                }
                set
            }
            Action::ForAll(binder, p) => self.quantified_set(binder, p, true)?,
            Action::Exists(binder, p) => self.quantified_set(binder, p, false)?,
        })
    }

    fn quantified_set(
        &mut self,
        binder: &Binder<S::Value>,
        p: &Action<E, S::Value>,
        all: bool,
    ) -> Result<Vec<bool>, InstantiateError> {
        let domain = self.domain(binder, |found, labels| found.in_action(p, labels))?;
        let mut set = vec![all; self.labels.len()];
        for datum in domain {
            let outer = self.data.set(binder.variable, &binder.name, datum);
            let part = self.label_set(p)?;
            set.iter_mut().zip(part).for_each(|(has, part)| match all {
                true => *has &= part,
                false => *has |= part,
            });
            self.data.restore(binder.variable, outer);
        }
        Ok(set)
    }
}

/// The values that labels have where a variable stands in patterns.
struct Found<'v, S: Values> {
    structure: &'v S,
    variable: DataId,
    values: Vec<S::Value>,
    known: std::collections::HashSet<S::Value>,
}

impl<'v, S: Values> Found<'v, S> {
    fn new(structure: &'v S, variable: DataId) -> Self {
        Found {
            structure,
            variable,
            values: Vec::new(),
            known: std::collections::HashSet::new(),
        }
    }

    fn add(&mut self, value: &S::Value) {
        if self.known.insert(value.clone()) {
            self.values.push(value.clone());
        }
    }

    fn in_formula<A, E: Eq>(
        &mut self,
        formula: &Mu<A, E, S::Value>,
        labels: &[Label<E, S::Value>],
    ) {
        if let Mu::Box(regular, _) | Mu::Diamond(regular, _) = formula {
            self.in_regular(regular, labels);
        }
        for operand in formula.operands() {
            self.in_formula(operand, labels);
        }
    }

    fn in_regular<E: Eq>(&mut self, regular: &Regular<E, S::Value>, labels: &[Label<E, S::Value>]) {
        match regular {
            Regular::Action(action) => self.in_action(action, labels),
            Regular::Sequence(parts) | Regular::Choice(parts) => {
                parts.iter().for_each(|part| self.in_regular(part, labels));
            }
            Regular::Star(part) | Regular::Plus(part) => self.in_regular(part, labels),
        }
    }

    fn in_action<E: Eq>(&mut self, action: &Action<E, S::Value>, labels: &[Label<E, S::Value>]) {
        match action {
            Action::Happens(event, patterns) => self.in_happenings(event, patterns, labels),
            Action::Together(all) => {
                for (event, patterns) in all.iter() {
                    self.in_happenings(event, patterns, labels);
                }
            }
            Action::Not(p) | Action::ForAll(_, p) | Action::Exists(_, p) => {
                self.in_action(p, labels);
            }
            Action::And(ps) | Action::Or(ps) => {
                ps.iter().for_each(|p| self.in_action(p, labels));
            }
            Action::Any | Action::None | Action::Silent | Action::Data(_) => {}
        }
    }

    fn in_happenings<E: Eq>(
        &mut self,
        event: &E,
        patterns: &[Pattern<S::Value>],
        labels: &[Label<E, S::Value>],
    ) {
        if !patterns.iter().any(|pattern| self.stands_in(pattern)) {
            return;
        }
        for happening in labels.iter().flatten().filter(|h| h.event == *event) {
            for (pattern, value) in patterns.iter().zip(&happening.args) {
                self.in_pattern(pattern, value);
            }
        }
    }

    fn stands_in(&self, pattern: &Pattern<S::Value>) -> bool {
        match pattern {
            Pattern::Any | Pattern::Value(_) | Pattern::Computed(_) => false,
            Pattern::Variable(variable) => *variable == self.variable,
            Pattern::Term(_, parts) => parts.iter().any(|part| self.stands_in(part)),
        }
    }

    fn in_pattern(&mut self, pattern: &Pattern<S::Value>, value: &S::Value) {
        match pattern {
            Pattern::Variable(variable) if *variable == self.variable => self.add(value),
            Pattern::Term(functor, parts) => {
                if let Some((name, args)) = self.structure.term(value)
                    && *name == **functor
                    && args.len() == parts.len()
                {
                    for (part, arg) in parts.iter().zip(&args) {
                        self.in_pattern(part, arg);
                    }
                }
            }
            _ => {}
        }
    }
}
