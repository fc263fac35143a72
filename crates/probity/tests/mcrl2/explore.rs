//! Explores a model: what its processes offer, which offers meet, and what may happen.
//!
//! A variable of a sum gets its value from whoever it meets: arguments of actions that meet are equal.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::read::{Expr, Model, Process};

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Value {
    Number(i64),
    Bool(bool),
    Term(String, Vec<Value>),
    List(Vec<Value>),
}

type Values = BTreeMap<String, Value>;
/// Where each component is; nowhere, if it has stopped.
type State = Vec<Option<(String, Vec<Value>)>>;

/// What a component may do.
#[derive(Debug)]
struct Offer {
    values: Values,
    open: Vec<String>,
    conditions: Vec<Expr>,
    actions: Vec<(String, Vec<Expr>)>,
    next: Process,
}

/// A graph: for each state what can happen and where that leads.
pub(crate) type Graph = Vec<Vec<(Happens, usize)>>;

/// The actions of a step, with their arguments.
pub(crate) type Happens = Vec<(String, Vec<Value>)>;

pub(crate) struct Explorer<'m> {
    model: &'m Model,
    by_function: HashMap<&'m str, Vec<&'m (Expr, Expr)>>,
    offers: HashMap<(String, Vec<Value>), Rc<Vec<Offer>>>,
}

impl<'m> Explorer<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let mut by_function: HashMap<&str, Vec<&(Expr, Expr)>> = HashMap::new();
        for equation in &model.equations {
            let Expr::Apply(name, _) = &equation.0 else {
                panic!("an equation says what a function is");
            };
            by_function.entry(name).or_default().push(equation);
        }
        Explorer {
            model,
            by_function,
            offers: HashMap::new(),
        }
    }

    /// The graph of at most so many states.
    pub(crate) fn graph(&mut self, most: usize) -> Graph {
        let first: State = self
            .model
            .parallel
            .iter()
            .map(|process| self.called(process, &Values::new()).expect("it begins"))
            .collect();
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut states = vec![first];
        let mut graph = Graph::new();
        while graph.len() < states.len() {
            let mut row = Vec::new();
            for (label, state) in self.steps(&states[graph.len()].clone()) {
                let fresh = states.len();
                let to = *numbers.entry(state.clone()).or_insert(fresh);
                if to == fresh {
                    states.push(state);
                }
                row.push((label, to));
            }
            graph.push(row);
            assert!(states.len() <= most, "more than {most} states");
        }
        graph
    }

    /// Where a call leads.
    fn called(&self, process: &Process, values: &Values) -> Option<Option<(String, Vec<Value>)>> {
        match process {
            Process::Delta => Some(None),
            Process::Call(name, args) => {
                let args: Option<Vec<Value>> =
                    args.iter().map(|arg| self.value(arg, values)).collect();
                let what = || panic!("{name}: an argument has no value: {args:?}");
                Some(Some((name.clone(), args.clone().unwrap_or_else(what))))
            }
            other => panic!("nothing but a call may follow an action: {other:?}"),
        }
    }

    fn offered(&mut self, at: &(String, Vec<Value>)) -> Rc<Vec<Offer>> {
        if let Some(known) = self.offers.get(at) {
            return known.clone();
        }
        let (parameters, body) = &self.model.processes[&at.0];
        let values: Values = parameters
            .iter()
            .cloned()
            .zip(at.1.iter().cloned())
            .collect();
        let mut all = Vec::new();
        let start = Offer {
            values,
            open: Vec::new(),
            conditions: Vec::new(),
            actions: Vec::new(),
            next: Process::Delta,
        };
        self.walk(body, start, &mut all);
        let all = Rc::new(all);
        self.offers.insert(at.clone(), all.clone());
        all
    }

    fn walk(&self, process: &Process, mut offer: Offer, all: &mut Vec<Offer>) {
        match process {
            Process::Delta => {}
            Process::Choice(parts) => {
                for part in parts {
                    let copy = Offer {
                        values: offer.values.clone(),
                        open: offer.open.clone(),
                        conditions: offer.conditions.clone(),
                        actions: Vec::new(),
                        next: Process::Delta,
                    };
                    self.walk(part, copy, all);
                }
            }
            Process::Sum(names, rest) => {
                offer.open.extend(names.iter().cloned());
                self.walk(rest, offer, all);
            }
            Process::If(condition, rest) => {
                // What can be known now is.
                match self.value(condition, &offer.values) {
                    Some(Value::Bool(false)) if offer.open.is_empty() => return,
                    Some(Value::Bool(true)) if offer.open.is_empty() => {}
                    _ => offer.conditions.push(condition.clone()),
                }
                self.walk(rest, offer, all);
            }
            Process::Then(actions, rest) => {
                offer.actions.clone_from(actions);
                offer.next = (**rest).clone();
                all.push(offer);
            }
            Process::Call(name, _) => panic!("{name} is called before anything is done"),
        }
    }

    fn steps(&mut self, state: &State) -> Vec<(Happens, State)> {
        let offers: Vec<Rc<Vec<Offer>>> = state
            .iter()
            .map(|at| at.as_ref().map_or_else(Rc::default, |at| self.offered(at)))
            .collect();
        let mut all = Vec::new();
        for (component, own) in offers.iter().enumerate() {
            for offer in own.iter().filter(|offer| offer.actions.is_empty()) {
                self.together(state, &[(component, offer)], &[], &mut all);
            }
        }
        for wanted in &self.model.allowed {
            let mut parts: Vec<Vec<Vec<String>>> = Vec::new();
            for name in wanted {
                let meetings = self.model.meetings.iter();
                let mut ways: Vec<Vec<String>> = meetings
                    .filter(|(_, result)| result == name)
                    .map(|(parts, _)| parts.clone())
                    .collect();
                // What nobody has to meet for it.
                ways.push(vec![name.clone()]);
                parts.push(ways);
            }
            for way in product(&parts) {
                let raw: Vec<(usize, &str)> = way
                    .iter()
                    .enumerate()
                    .flat_map(|(group, names)| names.iter().map(move |name| (group, name.as_str())))
                    .collect();
                let mut chosen = Vec::new();
                let groups: Vec<&str> = wanted.iter().map(String::as_str).collect();
                self.cover(state, &offers, (&raw, &groups), &mut chosen, &mut all);
            }
        }
        all
    }

    /// Finds components whose offers are these actions, each once.
    fn cover<'o>(
        &self,
        state: &State,
        offers: &'o [Rc<Vec<Offer>>],
        wanted: (&[(usize, &str)], &[&str]),
        chosen: &mut Vec<(usize, &'o Offer, Vec<usize>)>,
        all: &mut Vec<(Happens, State)>,
    ) {
        let (raw, groups) = wanted;
        let Some(&(_, first)) = raw.first() else {
            let members: Vec<(usize, &Offer)> = chosen.iter().map(|(c, o, _)| (*c, *o)).collect();
            let mut meetings: Vec<(&str, Vec<(usize, usize)>)> =
                groups.iter().map(|name| (*name, Vec::new())).collect();
            for (member, (_, _, of)) in chosen.iter().enumerate() {
                for (action, group) in of.iter().enumerate() {
                    meetings[*group].1.push((member, action));
                }
            }
            self.together(state, &members, &meetings, all);
            return;
        };
        // Of those who do the same, one order is enough.
        let before = chosen.last().and_then(|(component, offer, _)| {
            let same = offer.actions.len() == 1 && offer.actions[0].0 == first;
            same.then_some(*component)
        });
        for (component, own) in offers.iter().enumerate() {
            let is_taken = chosen.iter().any(|(other, ..)| *other == component);
            if is_taken || before.is_some_and(|before| component < before) {
                continue;
            }
            for offer in own.iter() {
                if !offer.actions.iter().any(|(name, _)| name == first) {
                    continue;
                }
                // Each of its actions must be wanted: which one of those of a name is of no matter
                // but for ends, of which each group is one.
                let mut left: Vec<(usize, &str)> = raw.to_vec();
                let mut of = Vec::new();
                for (name, _) in &offer.actions {
                    match left.iter().position(|(_, wanted)| wanted == name) {
                        Some(at) => of.push(left.remove(at).0),
                        None => break,
                    }
                }
                if of.len() == offer.actions.len() {
                    chosen.push((component, offer, of));
                    self.cover(state, offers, (&left, groups), chosen, all);
                    chosen.pop();
                }
            }
        }
    }

    /// What happens when offers meet, if they do.
    fn together(
        &self,
        state: &State,
        members: &[(usize, &Offer)],
        meetings: &[(&str, Vec<(usize, usize)>)],
        all: &mut Vec<(Happens, State)>,
    ) {
        let mut values: Vec<Values> = members
            .iter()
            .map(|(_, offer)| offer.values.clone())
            .collect();
        let arity = |(member, action): (usize, usize)| members[member].1.actions[action].1.len();
        let mut label: Vec<(String, Vec<Value>)> = Vec::new();
        // Values go from who knows them to who does not, as long as there are any to go.
        for _ in 0..=members.len() {
            label.clear();
            for (name, parts) in meetings {
                let mut args = Vec::new();
                for at in 0..arity(parts[0]) {
                    let expr = |&(member, action): &(usize, usize)| {
                        (member, &members[member].1.actions[action].1[at])
                    };
                    let known = parts.iter().map(expr).find_map(|(member, expr)| {
                        self.closed_value(expr, members[member].1, &values[member])
                    });
                    let Some(known) = known else { continue };
                    for (member, expr) in parts.iter().map(expr) {
                        let open = &members[member].1.open;
                        if !self.fits(expr, &known, open, &mut values[member]) {
                            return;
                        }
                    }
                    args.push(known);
                }
                label.push(((*name).to_owned(), args));
            }
        }
        let mut next = state.clone();
        for ((component, offer), values) in members.iter().zip(&values) {
            for name in &offer.open {
                assert!(
                    values.contains_key(name),
                    "{name} has any value in {offer:?}"
                );
            }
            for condition in &offer.conditions {
                if self.value(condition, values) != Some(Value::Bool(true)) {
                    return;
                }
            }
            next[*component] = self.called(&offer.next, values).expect("it is a call");
        }
        label.retain(|(name, _)| !self.model.hidden.contains(name));
        all.push((label, next));
    }

    /// The value of an expression whose variables are all known.
    fn closed_value(&self, expr: &Expr, offer: &Offer, values: &Values) -> Option<Value> {
        let mut waiting = vec![expr];
        while let Some(expr) = waiting.pop() {
            match expr {
                Expr::Apply(name, args) => {
                    if args.is_empty() && offer.open.contains(name) && !values.contains_key(name) {
                        return None;
                    }
                    waiting.extend(args);
                }
                Expr::List(items) => waiting.extend(items),
                Expr::Unary(_, a) => waiting.push(a),
                Expr::Binary(_, a, b) => waiting.extend([&**a, &**b]),
                Expr::Number(_) => {}
            }
        }
        self.value(expr, values)
    }

    /// Whether an expression can be a value; variables that are open get theirs.
    fn fits(&self, expr: &Expr, value: &Value, open: &[String], values: &mut Values) -> bool {
        match (expr, value) {
            (Expr::Apply(name, args), _) if args.is_empty() && open.contains(name) => {
                values.entry(name.clone()).or_insert_with(|| value.clone()) == value
            }
            (Expr::Apply(name, args), _) if self.model.constructors.contains_key(name) => {
                match value {
                    Value::Term(other, parts) if other == name => {
                        let mut pairs = args.iter().zip(parts);
                        pairs.all(|(arg, part)| self.fits(arg, part, open, values))
                    }
                    _ => false,
                }
            }
            _ => match self.value(expr, values) {
                Some(known) => known == *value,
                // It is looked at again when more is known.
                None => true,
            },
        }
    }

    fn value(&self, expr: &Expr, values: &Values) -> Option<Value> {
        let of = |expr: &Expr| self.value(expr, values);
        let truth = |expr: &Expr| match of(expr)? {
            Value::Bool(truth) => Some(truth),
            _ => None,
        };
        let number = |expr: &Expr| match of(expr)? {
            Value::Number(number) => Some(number),
            _ => None,
        };
        let list = |expr: &Expr| match of(expr)? {
            Value::List(items) => Some(items),
            _ => None,
        };
        Some(match expr {
            Expr::Number(number) => Value::Number(*number),
            Expr::List(items) => Value::List(items.iter().map(of).collect::<Option<_>>()?),
            Expr::Unary("!", a) => Value::Bool(!truth(a)?),
            Expr::Unary("-", a) => Value::Number(-number(a)?),
            Expr::Unary(_, a) => Value::Number(i64::try_from(list(a)?.len()).ok()?),
            Expr::Binary(sign, a, b) => match *sign {
                // One side decides, whether or not the other has a value.
                "&&" => match (truth(a), truth(b)) {
                    (Some(false), _) | (_, Some(false)) => Value::Bool(false),
                    (a, b) => Value::Bool(a? && b?),
                },
                "||" => match (truth(a), truth(b)) {
                    (Some(true), _) | (_, Some(true)) => Value::Bool(true),
                    (a, b) => Value::Bool(a? || b?),
                },
                "==" => Value::Bool(of(a)? == of(b)?),
                "!=" => Value::Bool(of(a)? != of(b)?),
                "<" => Value::Bool(number(a)? < number(b)?),
                "<=" => Value::Bool(number(a)? <= number(b)?),
                ">" => Value::Bool(number(a)? > number(b)?),
                ">=" => Value::Bool(number(a)? >= number(b)?),
                "in" => Value::Bool(list(b)?.contains(&of(a)?)),
                "+" => Value::Number(number(a)? + number(b)?),
                "-" => Value::Number(number(a)? - number(b)?),
                "*" => Value::Number(number(a)? * number(b)?),
                "mod" => Value::Number(number(a)?.checked_rem_euclid(number(b)?)?),
                "div" => Value::Number(number(a)?.checked_div_euclid(number(b)?)?),
                "++" => Value::List([list(a)?, list(b)?].concat()),
                "|>" => {
                    let mut items = list(b)?;
                    items.insert(0, of(a)?);
                    Value::List(items)
                }
                "<|" => {
                    let mut items = list(a)?;
                    items.push(of(b)?);
                    Value::List(items)
                }
                other => panic!("{other}"),
            },
            Expr::Apply(name, args) => match (name.as_str(), args.as_slice()) {
                ("true", []) => Value::Bool(true),
                ("false", []) => Value::Bool(false),
                ("if", [condition, yes, no]) => of(if truth(condition)? { yes } else { no })?,
                ("Int2Nat", [number_of]) => Value::Number(number(number_of).filter(|n| *n >= 0)?),
                ("abs", [of_what]) => Value::Number(number(of_what)?.checked_abs()?),
                ("Nat2Pos", [of_what]) => Value::Number(number(of_what).filter(|n| *n > 0)?),
                (name, []) if values.contains_key(name) => values[name].clone(),
                _ => {
                    let args: Vec<Value> = args.iter().map(of).collect::<Option<_>>()?;
                    self.applied(name, args)?
                }
            },
        })
    }

    fn applied(&self, name: &str, args: Vec<Value>) -> Option<Value> {
        if self.model.constructors.contains_key(name) {
            return Some(Value::Term(name.to_owned(), args));
        }
        if let [Value::Term(constructor, parts)] = args.as_slice() {
            let (fields, recogniser) = &self.model.constructors[constructor];
            if let Some(at) = fields.iter().position(|field| field == name) {
                return Some(parts[at].clone());
            }
            if recogniser.as_deref() == Some(name) {
                return Some(Value::Bool(true));
            }
            let mut others = self.model.constructors.values();
            if others.any(|(_, other)| other.as_deref() == Some(name)) {
                return Some(Value::Bool(false));
            }
        }
        for (left, right) in self.by_function.get(name).into_iter().flatten() {
            let Expr::Apply(_, patterns) = left else {
                continue;
            };
            let mut values = Values::new();
            let mut pairs = patterns.iter().zip(&args);
            if pairs.all(|(pattern, value)| self.matches(pattern, value, &mut values)) {
                return self.value(right, &values);
            }
        }
        None
    }

    fn matches(&self, pattern: &Expr, value: &Value, values: &mut Values) -> bool {
        match (pattern, value) {
            (Expr::Apply(name, args), _)
                if args.is_empty() && self.model.variables.contains(name) =>
            {
                values.insert(name.clone(), value.clone());
                true
            }
            (Expr::Apply(name, args), Value::Term(other, parts)) => {
                let mut pairs = args.iter().zip(parts);
                name == other && pairs.all(|(arg, part)| self.matches(arg, part, values))
            }
            (Expr::List(items), Value::List(values)) => items.is_empty() && values.is_empty(),
            (Expr::Binary("|>", first, rest), Value::List(items)) => match items.split_first() {
                Some((head, tail)) => {
                    let tail = Value::List(tail.to_vec());
                    self.matches(first, head, values) && self.matches(rest, &tail, values)
                }
                None => false,
            },
            _ => false,
        }
    }
}

/// One of each.
fn product<T: Clone>(all: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut rows = vec![Vec::new()];
    for choices in all {
        rows = rows
            .into_iter()
            .flat_map(|row| {
                choices.iter().map(move |choice| {
                    let mut row = row.clone();
                    row.push(choice.clone());
                    row
                })
            })
            .collect();
    }
    rows
}
