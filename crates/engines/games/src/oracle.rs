//! Tests: the solver against definitions, on random graphs and formulas.
//!
//! The oracle walks the formula as it was written. A regular formula is the relation between states
//! that it describes, a fixpoint is iterated from nothing or everything, each time anew.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use logic::mu::{
    Action, Binder, Comparison, Condition, DataId, Domain, Explored, Happening, InstantiateError,
    Mu, NodeId, Operand, Operation, Parameter, Pattern, Regular, StateSetId, System, Values,
};
use model::{Budget, FiniteRuns, StateSet, Vertex};

use crate::audit::audit;
use crate::graph::Graph;
use crate::solve::{Reason, Solution, solve};
use crate::witness;

pub(crate) type Formula = Mu<usize, u8, u8>;
pub(crate) type Labels = Vec<Box<[Happening<u8, u8>]>>;

pub(crate) struct Numbers;

impl Values for Numbers {
    type Value = u8;

    fn compare(&self, a: &u8, b: &u8) -> Option<Ordering> {
        Some(a.cmp(b))
    }

    fn term(&self, _: &u8) -> Option<(String, Vec<u8>)> {
        None
    }

    fn number(&self, value: &u8) -> Option<i128> {
        Some(i128::from(*value))
    }

    fn like(&self, _: &u8, number: i128) -> Option<u8> {
        u8::try_from(number).ok()
    }
}

/// Parameters count up to this, and begin again.
const MODULUS: u8 = 3;
/// What stands for all numbers: those from three on occur nowhere, and are told apart by nothing.
const ENOUGH: u8 = 8;

/// A small generator of random numbers (xorshift).
pub(crate) struct Random(pub(crate) fastrand::Rng);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    pub(crate) fn labels(&mut self) -> Labels {
        let happening = |random: &mut Random| Happening {
            event: random.below(2) as u8,
            args: (0..2).map(|_| random.below(3) as u8).collect(),
        };
        (0..2 + self.below(5))
            .map(|_| match self.below(6) {
                0 => Box::default(),
                1 => vec![happening(self), happening(self)].into(),
                _ => vec![happening(self)].into(),
            })
            .collect()
    }
}

/// Makes formulas.
pub(crate) struct Maker<'r> {
    pub(crate) random: &'r mut Random,
    /// State variables around this place, with whether they may be used under the negations that
    /// there are.
    pub(crate) sets: Vec<(StateSetId, bool)>,
    /// Those with a parameter.
    pub(crate) counting: BTreeSet<StateSetId>,
    pub(crate) data: Vec<DataId>,
    pub(crate) negative: bool,
    pub(crate) next: u32,
}

impl<'r> Maker<'r> {
    /// At the top of a formula.
    pub(crate) fn new(random: &'r mut Random) -> Self {
        Maker {
            random,
            sets: Vec::new(),
            counting: BTreeSet::new(),
            data: Vec::new(),
            negative: false,
            next: 0,
        }
    }

    pub(crate) fn formula(&mut self, depth: usize) -> Formula {
        let usable: Vec<StateSetId> = self
            .sets
            .iter()
            .filter(|(_, negative)| *negative == self.negative)
            .map(|(id, _)| *id)
            .collect();
        if depth == 0 || self.random.below(12) == 0 {
            return match self.random.below(6) {
                0..=3 if !usable.is_empty() => {
                    let set = usable[self.random.below(usable.len())];
                    match self.counting.contains(&set) {
                        true => Mu::Variable(set, [self.operand()].into()),
                        false => Mu::set(set),
                    }
                }
                0 => Mu::True,
                1 => Mu::False,
                2 if !self.data.is_empty() => Mu::Data(self.condition()),
                _ => Mu::Atom(self.random.below(2)),
            };
        }
        match self.random.below(16) {
            0 => {
                self.negative = !self.negative;
                let p = self.formula(depth - 1);
                self.negative = !self.negative;
                Mu::Not(Arc::new(p))
            }
            1 | 2 => Mu::And(self.two(depth)),
            3 | 4 => Mu::Or(self.two(depth)),
            5 => {
                self.negative = !self.negative;
                let p = self.formula(depth - 1);
                self.negative = !self.negative;
                Mu::Implies(Arc::new(p), Arc::new(self.formula(depth - 1)))
            }
            6 | 7 => Mu::Box(self.regular(2), Arc::new(self.formula(depth - 1))),
            8 | 9 => Mu::Diamond(self.regular(2), Arc::new(self.formula(depth - 1))),
            10..=13 => {
                self.next += 1;
                let id = StateSetId(self.next);
                let parameter = (self.random.below(2) == 0).then(|| Parameter {
                    variable: DataId(self.next),
                    name: "n".into(),
                    first: self.operand(),
                });
                self.sets.push((id, self.negative));
                if let Some(parameter) = &parameter {
                    self.counting.insert(id);
                    self.data.push(parameter.variable);
                }
                let body = Arc::new(self.formula(depth - 1));
                if parameter.is_some() {
                    self.data.pop();
                }
                self.sets.pop();
                let parameters = parameter.into_iter().collect();
                if self.random.below(2) == 0 {
                    Mu::Least(id, parameters, body)
                } else {
                    Mu::Greatest(id, parameters, body)
                }
            }
            _ => {
                let (binder, id) = self.binder();
                self.data.push(id);
                let body = Arc::new(self.formula(depth - 1));
                self.data.pop();
                if self.random.below(2) == 0 {
                    Mu::ForAll(binder, body)
                } else {
                    Mu::Exists(binder, body)
                }
            }
        }
    }

    fn two(&mut self, depth: usize) -> Arc<[Formula]> {
        [self.formula(depth - 1), self.formula(depth - 1)].into()
    }

    fn binder(&mut self) -> (Binder<u8>, DataId) {
        self.next += 1;
        let variable = DataId(self.next);
        let domain = match self.random.below(3) {
            0 => Domain::Stated([0, 2].into()),
            1 => Domain::Numbers(Some(0), 0),
            _ => Domain::Occurring,
        };
        let binder = Binder {
            variable,
            name: "x".into(),
            domain,
        };
        (binder, variable)
    }

    fn regular(&mut self, depth: usize) -> Regular<u8, u8> {
        if depth == 0 {
            return Regular::Action(self.action(1));
        }
        match self.random.below(8) {
            0 => Regular::Sequence([self.regular(depth - 1), self.regular(depth - 1)].into()),
            1 => Regular::Choice([self.regular(depth - 1), self.regular(depth - 1)].into()),
            2 => Regular::Star(Arc::new(self.regular(depth - 1))),
            3 => Regular::Plus(Arc::new(self.regular(depth - 1))),
            _ => Regular::Action(self.action(2)),
        }
    }

    fn action(&mut self, depth: usize) -> Action<u8, u8> {
        let choices = if depth == 0 { 5 } else { 10 };
        match self.random.below(choices) {
            0 => Action::Any,
            1 => Action::Silent,
            2 if !self.data.is_empty() => Action::Data(self.condition()),
            5 => Action::Not(Arc::new(self.action(depth - 1))),
            6 => Action::And([self.action(depth - 1), self.action(depth - 1)].into()),
            7 => Action::Or([self.action(depth - 1), self.action(depth - 1)].into()),
            8 => {
                let (binder, id) = self.binder();
                self.data.push(id);
                let body = Arc::new(self.action(depth - 1));
                self.data.pop();
                if self.random.below(2) == 0 {
                    Action::ForAll(binder, body)
                } else {
                    Action::Exists(binder, body)
                }
            }
            9 => {
                let both = (0..1 + self.random.below(2)).map(|_| self.happens());
                Action::Together(both.collect())
            }
            _ => {
                let (event, patterns) = self.happens();
                Action::Happens(event, patterns)
            }
        }
    }

    fn happens(&mut self) -> (u8, Arc<[Pattern<u8>]>) {
        let patterns: Arc<[Pattern<u8>]> = (0..self.random.below(3))
            .map(|_| match self.random.below(4) {
                0 => Pattern::Any,
                1 => Pattern::Value(self.random.below(3) as u8),
                _ => match self.data.last() {
                    Some(variable) => Pattern::Variable(*variable),
                    None => Pattern::Any,
                },
            })
            .collect();
        (self.random.below(2) as u8, patterns)
    }

    /// A number, a variable, or one more than that.
    fn operand(&mut self) -> Operand<u8> {
        let operand = match self.data.last() {
            Some(variable) if self.random.below(4) > 0 => Operand::Variable(*variable),
            _ => Operand::Value(self.random.below(3) as u8),
        };
        if self.random.below(2) == 0 {
            return operand;
        }
        let sum = Operand::Apply(Operation::Add, [operand, Operand::Value(1)].into());
        let modulus = Operand::Value(MODULUS);
        Operand::Apply(Operation::Remainder, [sum, modulus].into())
    }

    fn condition(&mut self) -> Condition<u8> {
        let variable = self.data[self.random.below(self.data.len())];
        let how = [
            Comparison::Equal,
            Comparison::Unequal,
            Comparison::Less,
            Comparison::GreaterOrEqual,
        ][self.random.below(4)];
        let other = Operand::Value(self.random.below(3) as u8);
        Condition::Compare(how, Operand::Variable(variable), other)
    }
}

/// The definitions.
struct Oracle<'o> {
    edges: &'o [(Vertex, u32, Vertex)],
    count: usize,
    labels: &'o Labels,
    atoms: &'o [StateSet],
    /// For each value of the parameter, or one.
    sets: HashMap<StateSetId, Vec<Vec<bool>>>,
    data: HashMap<DataId, u8>,
}

impl Oracle<'_> {
    fn of(&mut self, formula: &Formula) -> Vec<bool> {
        let count = self.count;
        let each = |f: &dyn Fn(usize) -> bool| (0..count).map(f).collect::<Vec<bool>>();
        match formula {
            Mu::True => vec![true; count],
            Mu::False => vec![false; count],
            Mu::Atom(atom) => each(&|s| self.atoms[*atom].has(s as Vertex)),
            Mu::Data(condition) => vec![self.condition(condition); count],
            Mu::Not(p) => self.of(p).into_iter().map(|b| !b).collect(),
            Mu::And(ps) => {
                let parts: Vec<_> = ps.iter().map(|p| self.of(p)).collect();
                each(&|s| parts.iter().all(|part| part[s]))
            }
            Mu::Or(ps) => {
                let parts: Vec<_> = ps.iter().map(|p| self.of(p)).collect();
                each(&|s| parts.iter().any(|part| part[s]))
            }
            Mu::Implies(p, q) => {
                let (p, q) = (self.of(p), self.of(q));
                each(&|s| !p[s] || q[s])
            }
            Mu::Box(regular, p) => {
                let (relation, p) = (self.relation(regular), self.of(p));
                each(&|s| (0..count).all(|t| !relation[s][t] || p[t]))
            }
            Mu::Diamond(regular, p) => {
                let (relation, p) = (self.relation(regular), self.of(p));
                each(&|s| (0..count).any(|t| relation[s][t] && p[t]))
            }
            Mu::Least(id, parameters, p) | Mu::Greatest(id, parameters, p) => {
                let all = matches!(formula, Mu::Greatest(..));
                let values = match parameters.first() {
                    None => 0..1,
                    Some(_) => 0..ENOUGH,
                };
                let first = parameters.first().map_or(0, |p| self.value(&p.first));
                let mut table = vec![vec![all; count]; values.len()];
                loop {
                    self.sets.insert(*id, table.clone());
                    let mut next = Vec::new();
                    for value in values.clone() {
                        if let Some(parameter) = parameters.first() {
                            self.data.insert(parameter.variable, value);
                        }
                        next.push(self.of(p));
                        // What it contains has been put down anew meanwhile.
                        self.sets.insert(*id, table.clone());
                    }
                    if next == table {
                        return table.swap_remove(usize::from(first));
                    }
                    table = next;
                }
            }
            Mu::Variable(id, args) => {
                let place = args.first().map_or(0, |arg| self.value(arg));
                self.sets[id][usize::from(place)].clone()
            }
            Mu::ForAll(binder, p) | Mu::Exists(binder, p) => {
                let all = matches!(formula, Mu::ForAll(..));
                let mut values = BTreeSet::new();
                match &binder.domain {
                    Domain::Stated(stated) => values.extend(stated.iter().copied()),
                    Domain::Numbers(..) => values.extend(0..ENOUGH),
                    _ => self.occurring(p, binder.variable, &mut values),
                }
                let mut result = vec![all; count];
                for value in values {
                    self.data.insert(binder.variable, value);
                    let part = self.of(p);
                    for s in 0..count {
                        result[s] = if all {
                            result[s] && part[s]
                        } else {
                            result[s] || part[s]
                        };
                    }
                }
                result
            }
        }
    }

    fn occurring(&self, formula: &Formula, variable: DataId, values: &mut BTreeSet<u8>) {
        if let Mu::Box(regular, _) | Mu::Diamond(regular, _) = formula {
            let mut waiting = vec![regular];
            while let Some(regular) = waiting.pop() {
                match regular {
                    Regular::Action(action) => self.occurring_in(action, variable, values),
                    Regular::Sequence(parts) | Regular::Choice(parts) => waiting.extend(&**parts),
                    Regular::Star(part) | Regular::Plus(part) => waiting.push(part),
                }
            }
        }
        for operand in formula.operands() {
            self.occurring(operand, variable, values);
        }
    }

    fn occurring_in(&self, action: &Action<u8, u8>, variable: DataId, values: &mut BTreeSet<u8>) {
        match action {
            Action::Happens(event, patterns) => {
                self.occurring_there(*event, patterns, variable, values);
            }
            Action::Together(all) => {
                for (event, patterns) in all.iter() {
                    self.occurring_there(*event, patterns, variable, values);
                }
            }
            Action::Not(p) | Action::ForAll(_, p) | Action::Exists(_, p) => {
                self.occurring_in(p, variable, values);
            }
            Action::And(ps) | Action::Or(ps) => {
                ps.iter()
                    .for_each(|p| self.occurring_in(p, variable, values));
            }
            _ => {}
        }
    }

    fn occurring_there(
        &self,
        event: u8,
        patterns: &[Pattern<u8>],
        variable: DataId,
        values: &mut BTreeSet<u8>,
    ) {
        for (place, pattern) in patterns.iter().enumerate() {
            if *pattern == Pattern::Variable(variable) {
                let all = self.labels.iter().flatten();
                let same = all.filter(|happening| happening.event == event);
                values.extend(same.map(|happening| happening.args[place]));
            }
        }
    }

    fn relation(&mut self, regular: &Regular<u8, u8>) -> Vec<Vec<bool>> {
        let count = self.count;
        match regular {
            Regular::Action(action) => {
                let mut relation = vec![vec![false; count]; count];
                for (from, label, to) in self.edges {
                    if self.is(&self.labels[*label as usize].clone(), action) {
                        relation[*from as usize][*to as usize] = true;
                    }
                }
                relation
            }
            Regular::Sequence(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.relation(part)).collect();
                parts.into_iter().reduce(|a, b| compose(&a, &b)).unwrap()
            }
            Regular::Choice(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.relation(part)).collect();
                parts.into_iter().reduce(|a, b| either(&a, &b)).unwrap()
            }
            Regular::Star(part) => {
                let same: Vec<Vec<bool>> = (0..count)
                    .map(|s| (0..count).map(|t| s == t).collect())
                    .collect();
                either(&same, &self.relation(&Regular::Plus(part.clone())))
            }
            Regular::Plus(part) => {
                let one = self.relation(part);
                let mut more = one.clone();
                loop {
                    let next = either(&one, &compose(&more, &one));
                    if next == more {
                        return more;
                    }
                    more = next;
                }
            }
        }
    }

    fn is(&mut self, label: &[Happening<u8, u8>], action: &Action<u8, u8>) -> bool {
        match action {
            Action::Any => true,
            Action::None => false,
            Action::Silent => label.is_empty(),
            Action::Data(condition) => self.condition(condition),
            Action::Not(p) => !self.is(label, p),
            Action::And(ps) => ps.iter().all(|p| self.is(label, p)),
            Action::Or(ps) => ps.iter().any(|p| self.is(label, p)),
            Action::Happens(event, patterns) => {
                let mut label = label.iter();
                label.any(|happening| self.fits(happening, *event, patterns))
            }
            Action::Together(all) => match (&**all, label) {
                ([(event, patterns)], [one]) => self.fits(one, *event, patterns),
                ([(a, first), (b, second)], [one, other]) => {
                    let fits = |x: &Happening<u8, u8>, y: &Happening<u8, u8>| {
                        self.fits(x, *a, first) && self.fits(y, *b, second)
                    };
                    fits(one, other) || fits(other, one)
                }
                _ => false,
            },
            Action::ForAll(binder, p) | Action::Exists(binder, p) => {
                let mut values = BTreeSet::new();
                match &binder.domain {
                    Domain::Stated(stated) => values.extend(stated.iter().copied()),
                    Domain::Numbers(..) => values.extend(0..ENOUGH),
                    _ => self.occurring_in(p, binder.variable, &mut values),
                }
                let mut truths = values.into_iter().map(|value| {
                    self.data.insert(binder.variable, value);
                    self.is(label, p)
                });
                match action {
                    Action::ForAll(..) => truths.all(|b| b),
                    _ => truths.any(|b| b),
                }
            }
        }
    }

    fn fits(&self, happening: &Happening<u8, u8>, event: u8, patterns: &[Pattern<u8>]) -> bool {
        let fits = |(pattern, value): (&Pattern<u8>, &u8)| match pattern {
            Pattern::Any => true,
            Pattern::Value(wanted) => wanted == value,
            Pattern::Variable(variable) => self.data[variable] == *value,
            Pattern::Term(..) | Pattern::Computed(_) => false,
        };
        happening.event == event && patterns.iter().zip(&happening.args).all(fits)
    }

    fn value(&self, operand: &Operand<u8>) -> u8 {
        match operand {
            Operand::Value(value) => *value,
            Operand::Variable(variable) => self.data[variable],
            Operand::Apply(Operation::Add, both) => self.value(&both[0]) + self.value(&both[1]),
            Operand::Apply(_, both) => self.value(&both[0]) % self.value(&both[1]),
            Operand::Truth(_) => unreachable!("none is made"),
        }
    }

    fn condition(&self, condition: &Condition<u8>) -> bool {
        let Condition::Compare(how, Operand::Variable(variable), Operand::Value(value)) = condition
        else {
            unreachable!("no others are made")
        };
        let left = self.data[variable];
        match how {
            Comparison::Equal => left == *value,
            Comparison::Unequal => left != *value,
            Comparison::Less => left < *value,
            _ => left >= *value,
        }
    }
}

fn compose(a: &[Vec<bool>], b: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let count = a.len();
    let through = |s: usize, t: usize| (0..count).any(|m| a[s][m] && b[m][t]);
    (0..count)
        .map(|s| (0..count).map(|t| through(s, t)).collect())
        .collect()
}

fn either(a: &[Vec<bool>], b: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let rows = a.iter().zip(b);
    rows.map(|(a, b)| a.iter().zip(b).map(|(a, b)| *a || *b).collect())
        .collect()
}

/// What a run of a test has seen.
#[derive(Default, Debug)]
struct Spread {
    derived: usize,
    games: usize,
    /// Games in which fixpoints alternate twice or more.
    deep: usize,
    somewhere: usize,
    nowhere: usize,
    everywhere: usize,
    runs: usize,
    loops: usize,
    corrupted: usize,
    with_parameters: usize,
    unfollowed: usize,
    smaller: usize,
}

fn states_of(solution: &Solution, node: NodeId) -> Vec<bool> {
    let column = solution.column(node);
    (0..column.universe())
        .map(|s| column.has(s as Vertex))
        .collect()
}

/// Whether a run is one of the graph, and whether it returns where it says.
fn is_walk(walk: &witness::Walk, edges: &[(Vertex, u32, Vertex)]) -> bool {
    let mut at = walk.from;
    let mut passed = vec![at];
    for (label, to) in &walk.steps {
        if !edges.contains(&(at, *label, *to)) {
            return false;
        }
        at = *to;
        passed.push(at);
    }
    walk.loop_start.is_none_or(|start| passed[start] == at)
}

#[test]
fn formulas_hold_where_their_definitions_say() {
    let mut random = Random(fastrand::Rng::with_seed(0x9e37_79b9_7f4a_7c15));
    let mut spread = Spread::default();
    for round in 0..10_000 {
        let count = 1 + random.below(6);
        let labels = random.labels();
        let edges: Vec<(Vertex, u32, Vertex)> = (0..random.below(3 * count + 1))
            .map(|_| {
                let label = random.below(labels.len()) as u32;
                (
                    random.below(count) as u32,
                    label,
                    random.below(count) as u32,
                )
            })
            .collect();
        let atoms: Vec<StateSet> = (0..2)
            .map(|_| {
                let mut set = StateSet::none(count);
                for vertex in 0..count {
                    if random.below(2) == 0 {
                        set.add(vertex as Vertex);
                    }
                }
                set
            })
            .collect();
        let depth = 3 + random.below(6);
        let formula = Maker::new(&mut random).formula(depth);
        let plain = model::Graph::new(count, vec![0], vec![model::Label::default()], &edges);
        let graph = Graph::new(&plain, FiniteRuns::Maximal, None);
        let expected = Oracle {
            edges: &edges,
            count,
            labels: &labels,
            atoms: &atoms,
            sets: HashMap::new(),
            data: HashMap::new(),
        }
        .of(&formula);
        let system = match System::of(&formula, &labels, &Numbers) {
            Ok(system) => system,
            // A parameter is given a number that stands for many.
            Err(InstantiateError::Unfollowed(_)) => {
                spread.unfollowed += 1;
                continue;
            }
            Err(other) => panic!("{round}: {other} {formula:?}"),
        };
        spread.with_parameters += usize::from(format!("{formula:?}").contains("Parameter"));
        let atom = |id: &usize| atoms[*id].clone();
        let mut solution = solve(&system, &graph, &atom, &Budget::default()).unwrap();
        let found = states_of(&solution, system.root);
        assert_eq!(
            found, expected,
            "{round}: {formula:?} {labels:?} {edges:?} {atoms:?}"
        );
        assert_eq!(
            audit(&system, &graph, &atom, &solution),
            Ok(()),
            "{round}: {formula:?} {labels:?} {edges:?} {atoms:?}"
        );
        // With those fixpoints only that are asked for from a state, that state is judged alike.
        let explored = Explored {
            initial: &[0],
            steps: &|from, each| {
                let steps = edges.iter().filter(|(other, ..)| *other == from);
                steps.for_each(|(_, label, to)| each(*label, *to));
            },
            is_whole: true,
            gives_up: &|_| false,
        };
        let smaller = System::of_graph(&formula, &labels, &Numbers, &explored).unwrap();
        let of_smaller = solve(&smaller, &graph, &atom, &Budget::default()).unwrap();
        assert_eq!(
            of_smaller.holds(smaller.root, 0),
            expected[0],
            "{round}: {formula:?} {labels:?} {edges:?} {atoms:?}"
        );
        spread.smaller += usize::from(smaller.len() < system.len());
        for reason in &solution.reasons {
            match reason {
                Reason::Evident(_) => {}
                Reason::Derived { .. } => spread.derived += 1,
                Reason::Won(won) => {
                    spread.games += 1;
                    spread.deep += usize::from(won.priorities.iter().any(|p| *p >= 2));
                }
            }
        }
        match (expected.contains(&true), expected.contains(&false)) {
            (true, true) => spread.somewhere += 1,
            (true, false) => spread.everywhere += 1,
            _ => spread.nowhere += 1,
        }
        if let Some(from) = expected.iter().position(|holds| !holds) {
            let walk = witness::refute(&system, &graph, &solution, from as Vertex);
            assert!(is_walk(&walk, &edges), "{formula:?} {edges:?} {walk:?}");
            spread.runs += usize::from(!walk.steps.is_empty());
            spread.loops += usize::from(walk.loop_start.is_some());
        }
        // One thing said wrongly is noticed.
        let node = NodeId(random.below(system.len()) as u32);
        let needed = solution.reasons.iter().any(|reason| match reason {
            Reason::Evident(other) => *other == node,
            Reason::Derived { block, .. } => block.contains(&node),
            Reason::Won(won) => won.block.contains(&node),
        });
        if needed {
            solution.corrupt(node, random.below(count) as Vertex);
            let verdict = audit(&system, &graph, &atom, &solution);
            assert!(verdict.is_err(), "{round}: {node:?} {formula:?} {edges:?}");
            spread.corrupted += 1;
        }
    }
    assert!(
        spread.derived > 2_000 && spread.games > 300 && spread.deep > 30,
        "{spread:?}"
    );
    assert!(
        spread.somewhere > 1_500 && spread.nowhere > 1_500,
        "{spread:?}"
    );
    assert!(
        spread.everywhere > 1_500 && spread.corrupted > 4_000,
        "{spread:?}"
    );
    assert!(spread.runs > 500 && spread.loops > 50, "{spread:?}");
    assert!(
        spread.with_parameters > 2_000 && spread.unfollowed < 1_000 && spread.smaller > 100,
        "{spread:?}"
    );
}
