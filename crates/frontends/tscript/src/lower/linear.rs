//! Properties of linear time that the script or the command line states: LTL over the script's actions.
//!
//! `[] (rec-event(_, bid(_)) -> <> snd-do(_, accept(_)))`: an atom is an action, as formulas of the
//! mu-calculus have it between their brackets, and holds at a step in which such an action happens. For
//! each atom a variable that lives within steps says so; observers of what happens set it. In the state
//! that a run ends in nothing happens any more, for ever.

use std::convert::Infallible;

use logic::mu::{Action, Mu, MuError, Pattern, Regular, Vocabulary};
use logic::{Ltl, ParseError};
use model::{
    Claim, EventId, ExprId, GlobalId, Observer, ObserverId, Place, Root, Stmt, Type, Value,
    ValueSet, VariableKind,
};
use source::Span;

use super::Lowering;
use crate::library::Inner;
use crate::term;

/// A formula whose atoms are actions, each as what could be done at once: `<action> true`.
type Linear<V> =
    Ltl<Mu<<V as Vocabulary>::Atom, <V as Vocabulary>::Event, <V as Vocabulary>::Value>>;

/// Why a text is no such formula, and the text of what is wrong.
pub(super) struct NotLinear {
    pub(super) why: String,
    pub(super) at: String,
}

/// Whether a text means to be a formula of linear time: it has an operator of those, and none that only
/// others have.
fn is_linear(text: &str) -> bool {
    const LINEAR: [&str; 12] = [
        "always",
        "eventually",
        "next",
        "until",
        "release",
        "weakuntil",
        "leads",
        "X",
        "U",
        "W",
        "R",
        "V",
    ];
    const OTHER: [&str; 4] = ["mu", "nu", "forall", "exists"];
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let parts: Vec<&str> = text.split('"').step_by(2).collect();
    let words = || parts.iter().flat_map(|part| part.split(|c| !is_name(c)));
    let has_boxes = parts
        .iter()
        .any(|part| part.contains("[]") || part.contains("<>"));
    (has_boxes || words().any(|word| LINEAR.contains(&word)))
        && !words().any(|word| OTHER.contains(&word))
}

/// Reads a formula of linear time; nothing if the text does not mean to be one.
pub(super) fn read<V>(text: &str, words: &mut V) -> Option<Result<Linear<V>, NotLinear>>
where
    V: Vocabulary,
    V::Atom: Clone,
    V::Error: std::fmt::Display,
{
    if !is_linear(text) {
        return None;
    }
    let wrong = |why: String, range: std::ops::Range<usize>| NotLinear {
        why,
        at: text.get(range).unwrap_or_default().to_owned(),
    };
    let read = logic::parse(text, |atom, _| {
        // In `!snd-do(x)` the name looks like a difference, and so the negation like a part of the atom.
        let action = atom.trim_start_matches(['!', ' ']);
        let negations = atom[..atom.len() - action.len()].matches('!').count();
        let read = logic::mu::parse(&format!("<{action}> true"), words);
        let formula = read.map_err(|error| match error {
            MuError::Syntax { error, .. } => error.to_string(),
            MuError::Name { error, .. } => error.to_string(),
        })?;
        match happens(&formula) {
            Some(_) => Ok((formula, negations % 2 == 1)),
            None => Err("formulas of linear time speak of single actions".to_owned()),
        }
    });
    let formula = read.map_err(|error| match error {
        ParseError::Syntax { error, range } => wrong(error.to_string(), range),
        ParseError::Atom { error, range } => wrong(error, range),
    });
    Some(formula.map(|formula| {
        let plain: Result<_, Infallible> = formula.substitute(&mut |(atom, negated)| {
            let atom = Ltl::atom(atom.clone());
            Ok(if *negated { Ltl::not(atom) } else { atom })
        });
        match plain {
            Ok(formula) => formula,
        }
    }))
}

/// What an atom is about: the kind of action, and what its arguments look like.
fn happens<A, E, V>(atom: &Mu<A, E, V>) -> Option<(&E, &[Pattern<V>])> {
    match atom {
        Mu::Diamond(Regular::Action(Action::Happens(event, patterns)), _)
            if !patterns.iter().any(Pattern::computes) =>
        {
            Some((event, patterns))
        }
        _ => None,
    }
}

impl Lowering<'_> {
    /// Adds a property of linear time.
    pub(super) fn linear_property(
        &mut self,
        name: String,
        text: &str,
        span: Span,
        formula: &Ltl<model::MuFormula>,
    ) {
        let mut observers: Vec<ObserverId> = Vec::new();
        let formula = formula.map(|atom| {
            let (event, patterns) = happens(atom).expect("only such formulas are read");
            let (holds, observer) = self.happening(&name, *event, patterns);
            observers.push(observer);
            holds
        });
        self.property(name, text, span, Claim::Ltl(formula));
        let property = self.program.properties.last_mut().expect("one was added");
        property.observers = observers;
    }

    /// Whether something like this happens in the step that has just been taken.
    fn happening(
        &mut self,
        property: &str,
        event: EventId,
        patterns: &[Pattern<Value>],
    ) -> (ExprId, ObserverId) {
        let name = &self.program.events[event.index()].name;
        let mut variable = model::Variable::new(format!("({name} happens)"), Type::Bool);
        variable.kind = VariableKind::Step;
        let never = self.program.exprs.bool(false);
        variable.init = Some(ValueSet::One(never));
        let variable: GlobalId = self.program.add_global(variable);
        let mut all = Vec::new();
        for (at, pattern) in (0..).zip(patterns) {
            if *pattern == Pattern::Any {
                continue;
            }
            let place = Place::from(Root::Argument(at));
            let given = self.program.exprs.load(place, Type::Rich);
            let wanted = self.looks_like(pattern);
            let wanted = self.rich(wanted);
            all.push(self.apply(Inner::LooksLike, &[given, wanted]));
        }
        let fits = self.all_of(all);
        let yes = self.program.exprs.bool(true);
        let set = Stmt::Assign(Place::global(variable), yes);
        let observer = self.program.add_observer(Observer {
            name: property.to_owned(),
            event,
            body: vec![Stmt::If(fits, vec![set], Vec::new())],
        });
        let holds = self.program.exprs.load(Place::global(variable), Type::Bool);
        (holds, observer)
    }

    /// A pattern as a value.
    fn looks_like(&self, pattern: &Pattern<Value>) -> Value {
        let rich = &self.program.rich;
        match pattern {
            Pattern::Any | Pattern::Variable(_) => term::anything(rich),
            Pattern::Computed(_) => unreachable!("formulas of linear time compute nothing"),
            Pattern::Value(value) => value.clone(),
            Pattern::Term(word, parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.looks_like(part)).collect();
                term::apply(rich, word, &parts)
            }
        }
    }
}
