//! Observers: processes of the script that see what others do, and object by `shutdown`.
//!
//! An observer takes no part. Each action of another process is shown to it once, in the order in which
//! they happen; if it waits for such a one (`rec-msg` or `snd-msg` sees a message, every other word sees
//! the action of that word), it goes on, its variables filled; if not, the action passes by. What
//! touches nobody (`:=`, `tau`, `if`) it does at once. The first of its alternatives that can be taken
//! is. (This is the second way in which Fokkink, Klint, Lisser and Usenko 2009 state properties; it is
//! a safety automaton, as in Schneider, *Enforceable security policies*, 2000.)

use model::{
    Check, CheckId, Claim, Event, EventId, ExprId, GlobalId, Observer, Place, Root, Stmt, Type,
    ValueSet, VariableKind,
};

use super::Lowering;
use crate::ast::Word;
use crate::automaton::{Automaton, Condition, Move, automaton};
use crate::behaviour::{Atom, Inlined};
use crate::library::Inner;
use crate::term::{Pattern, VarId};

/// Steps that an observer makes on its own at once, at most.
const MOST_SILENT: usize = 20;

/// An observer being made.
struct Watching {
    inlined: Inlined,
    automaton: Automaton,
    state: GlobalId,
    ty: Type,
    check: CheckId,
}

impl Lowering<'_> {
    /// Adds the observers and their properties, when all events are known.
    pub(super) fn observers(&mut self, observers: Vec<Inlined>) {
        for mut inlined in observers {
            let Some(automaton) = automaton(&mut inlined, false, false) else {
                continue;
            };
            self.observer(inlined, automaton);
        }
    }

    fn observer(&mut self, inlined: Inlined, automaton: Automaton) {
        let name = inlined.name.clone();
        let span = inlined.span;
        let ghost = |name: String, ty: Type, init: Option<ExprId>| {
            let mut variable = model::Variable::new(name, ty);
            variable.kind = VariableKind::Ghost;
            variable.init = init.map(ValueSet::One);
            variable
        };
        let undefined = self.undefined();
        let variables: Vec<GlobalId> = inlined
            .variables
            .iter()
            .map(|variable| {
                let name = format!("{name}.{}", variable.name);
                let variable = ghost(name, Type::Rich, Some(undefined));
                self.program.add_global(variable)
            })
            .collect();
        let ty = Type::Range {
            lo: 0,
            hi: i64::try_from(automaton.states.len()).expect("few states"),
        };
        let state = ghost(format!("({name})"), ty.clone(), None);
        let state = self.program.add_global(state);
        let check = self.program.add_check(Check {
            name: name.clone(),
            failure: format!("the observer `{name}` objects"),
            span,
        });
        let watching = Watching {
            inlined,
            automaton,
            state,
            ty,
            check,
        };
        self.ghosts = Some(variables);
        let mut observers = Vec::new();
        for at in 0..self.program.events.len() {
            let event = self.program.events[at].clone();
            let body = self.watched(&watching, &event);
            if !body.is_empty() {
                observers.push(self.program.add_observer(Observer {
                    name: name.clone(),
                    event: EventId::new(at),
                    body,
                }));
            }
        }
        self.ghosts = None;
        let text = format!("the observer `{name}` never objects");
        self.property(name, &text, span, Claim::Check(check));
        let property = self.program.properties.last_mut().expect("one was added");
        property.observers = observers;
    }

    /// What an observer does when something happens.
    fn watched(&mut self, watching: &Watching, event: &Event) -> Vec<Stmt> {
        let terms = event.parameters.iter().filter(|(name, _)| name != "who");
        let terms = terms.count();
        let sees = |atom: &Atom| {
            let word = match atom.word {
                Word::SndMsg | Word::RecMsg => "msg",
                other => other.text(),
            };
            word == event.name && atom.args.len() == terms
        };
        let mut otherwise = Vec::new();
        let states = watching.automaton.states.len();
        for state in (0..states).rev() {
            let moves = watching.automaton.states[state].clone();
            let mut taken = Vec::new();
            for next in moves.iter().rev() {
                let atom = watching.inlined.atoms[next.atom].clone();
                if sees(&atom) {
                    taken = self.seen(watching, next, &atom, taken);
                }
            }
            if !taken.is_empty() {
                let here = self.is_at(watching, state);
                otherwise = vec![Stmt::If(here, taken, otherwise)];
            }
        }
        // Before anything has been seen it may have something to do on its own.
        let first = self.settled(watching, 0, 0);
        if !otherwise.is_empty() && !first.is_empty() {
            let here = self.is_at(watching, 0);
            otherwise.insert(0, Stmt::If(here, first, Vec::new()));
        }
        otherwise
    }

    fn is_at(&mut self, watching: &Watching, state: usize) -> ExprId {
        let place = Place::global(watching.state);
        let now = self.program.exprs.load(place, watching.ty.clone());
        let state = i128::try_from(state).expect("few states");
        let state = self.program.exprs.int(state, watching.ty.clone());
        self.program.exprs.binary(model::Binary::Eq, now, state)
    }

    fn goes_to(&mut self, watching: &Watching, state: usize) -> Stmt {
        let state = i128::try_from(state).expect("few states");
        let state = self.program.exprs.int(state, watching.ty.clone());
        Stmt::Assign(Place::global(watching.state), state)
    }

    fn conditions(&mut self, next: &Move) -> ExprId {
        let mut all = Vec::new();
        for condition in &next.conditions {
            if let Condition::Holds(test) = condition {
                all.push(self.answered(test));
            }
        }
        self.all_of(all)
    }

    /// A move is taken if what happens is what it waits for.
    fn seen(
        &mut self,
        watching: &Watching,
        next: &Move,
        atom: &Atom,
        otherwise: Vec<Stmt>,
    ) -> Vec<Stmt> {
        let mut conditions = vec![self.conditions(next)];
        let mut filled: Vec<(VarId, ExprId)> = Vec::new();
        for (at, pattern) in (0..).zip(&atom.args) {
            let place = Place::from(Root::Argument(at));
            let given = self.program.exprs.load(place, Type::Rich);
            let wanted = self.wanted(&watching.inlined, pattern);
            let wanted = self.value(&wanted);
            let wanted = self.list_of(vec![wanted]);
            conditions.push(self.apply(Inner::LetsIn, &[wanted, given]));
            self.fill_gaps(pattern, given, &mut filled);
        }
        let cond = self.all_of(conditions);
        let mut body: Vec<Stmt> = Vec::new();
        for &(var, value) in &filled {
            body.push(self.sets(var, value));
        }
        body.push(self.goes_to(watching, next.to));
        body.extend(self.settled(watching, next.to, 0));
        vec![Stmt::If(cond, body, otherwise)]
    }

    /// A pattern whose gaps are placeholders of the variables' types.
    fn wanted(&self, inlined: &Inlined, pattern: &Pattern) -> Pattern {
        let all = |args: &[Pattern]| args.iter().map(|arg| self.wanted(inlined, arg)).collect();
        match pattern {
            Pattern::Result(var) => Pattern::Placeholder(inlined.variables[var.index()].ty.clone()),
            Pattern::Apply(name, args) => Pattern::Apply(name.clone(), all(args)),
            Pattern::List(items) => Pattern::List(all(items)),
            other => other.clone(),
        }
    }

    fn fill_gaps(&mut self, pattern: &Pattern, value: ExprId, out: &mut Vec<(VarId, ExprId)>) {
        match pattern {
            Pattern::Result(var) => out.push((*var, value)),
            Pattern::Apply(_, parts) | Pattern::List(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    if !part.is_closed() {
                        let value = self.part(value, at);
                        self.fill_gaps(part, value, out);
                    }
                }
            }
            _ => {}
        }
    }

    fn sets(&mut self, var: VarId, value: ExprId) -> Stmt {
        let ghosts = self.ghosts.as_ref().expect("an observer is being made");
        Stmt::Assign(Place::global(ghosts[var.index()]), value)
    }

    /// What an observer does on its own in a state.
    fn settled(&mut self, watching: &Watching, state: usize, depth: usize) -> Vec<Stmt> {
        if depth > MOST_SILENT {
            return Vec::new();
        }
        let moves = watching.automaton.states[state].clone();
        let mut otherwise = Vec::new();
        for next in moves.iter().rev() {
            let atom = watching.inlined.atoms[next.atom].clone();
            let mut body = Vec::new();
            match (atom.word, atom.args.as_slice()) {
                (Word::Tau | Word::Printf, _) => {}
                (Word::Assign, [Pattern::Result(var), value]) => {
                    let value = self.evaluated(value);
                    body.push(self.sets(*var, value));
                }
                (Word::Shutdown, _) => {
                    let cond = self.program.exprs.bool(false);
                    let (check, span) = (watching.check, atom.span);
                    body.push(Stmt::Assert { cond, check, span });
                }
                _ => continue,
            }
            body.push(self.goes_to(watching, next.to));
            body.extend(self.settled(watching, next.to, depth + 1));
            let cond = self.conditions(next);
            otherwise = match self.program.exprs.constant(cond) {
                Some(model::Value::Bool(true)) => body,
                _ => vec![Stmt::If(cond, body, otherwise)],
            };
        }
        otherwise
    }
}
