//! Expressions of which nothing comes, in the bus in Java: `V := first([])`.
//!
//! The variable is left `undefined` then, and the process goes on; but nobody can have meant that, and
//! so it counts as a fault of the expression. The process is resumed where it was about to go.

use model::{
    Binary, Expr, GlobalId, LocId, Mode, Place, Process, Step, Stmt, Target, Type, Variable,
    VariableKind,
};
use source::Span;

use super::Lowering;
use crate::ast::Word;
use crate::behaviour::Atom;
use crate::library::Inner;
use crate::load::Dialect;
use crate::term::Pattern;

/// How a process goes on after such an expression.
#[derive(Debug)]
pub(super) struct Resuming {
    /// The variable for the state that it was about to come to, plus one.
    next: usize,
    ty: Type,
    /// Where it is resumed.
    here: LocId,
    /// The states.
    states: Vec<usize>,
}

/// Whether the value of an expression may be what `first` gives.
pub(super) fn may_be_nothing(term: &Pattern) -> bool {
    match term {
        Pattern::Apply(name, args) if &**name == "first" => args.len() == 1,
        Pattern::Apply(_, args) | Pattern::List(args) => args.iter().any(may_be_nothing),
        _ => false,
    }
}

/// Whether an action assigns what may be nothing.
fn assigns_nothing(atom: &Atom) -> bool {
    atom.word == Word::Assign && atom.args.get(1).is_some_and(may_be_nothing)
}

impl Lowering<'_> {
    /// Where a process is resumed, if it ever is.
    pub(super) fn resuming(&self, unit: usize, process: &mut Process) -> Option<Resuming> {
        let inlined = &self.units[unit].inlined;
        if self.dialect != Dialect::Ng || !inlined.atoms.iter().any(assigns_nothing) {
            return None;
        }
        let states = self.units[unit].automaton.states.len();
        let ty = Type::Range {
            lo: 0,
            hi: i64::try_from(states).expect("few states"),
        };
        process.locals.push(Variable::new("(next)", ty.clone()));
        let here = process.add_location("no value", Mode::Open, inlined.span);
        process.on_fault = Some(here);
        Some(Resuming {
            next: process.locals.len() - 1,
            ty,
            here,
            states: Vec::new(),
        })
    }

    /// Notes in a step whether an assignment gives nothing.
    pub(super) fn notes_nothing(&mut self, atom: &Atom) -> Option<Stmt> {
        let (Pattern::Result(var), value) = (atom.args.first()?, atom.args.get(1)?) else {
            return None;
        };
        if self.dialect != Dialect::Ng || !may_be_nothing(value) {
            return None;
        }
        let nothing = self.nothing_came();
        let now = self.variable(*var);
        let undefined = self.undefined();
        let is = self.program.exprs.binary(Binary::Eq, now, undefined);
        let yes = self.program.exprs.bool(true);
        let set = vec![Stmt::Assign(Place::global(nothing), yes)];
        Some(Stmt::If(is, set, Vec::new()))
    }

    /// The end of a step: the fault, if something in the step gave nothing.
    pub(super) fn fails_for_nothing(
        &mut self,
        resuming: Option<&mut Resuming>,
        atoms: &[&Atom],
        to: usize,
    ) -> Option<Stmt> {
        let resuming = resuming.filter(|_| atoms.iter().any(|atom| assigns_nothing(atom)))?;
        if !resuming.states.contains(&to) {
            resuming.states.push(to);
        }
        let nothing = self.nothing_came();
        let came = self.program.exprs.load(Place::global(nothing), Type::Bool);
        let next = self.number(to, &resuming.ty);
        let function = self.function(Inner::Fail);
        let fails = Expr::Apply(function, Vec::new());
        let fails = self.program.exprs.add(fails, Type::Rich);
        let body = vec![
            Stmt::Assign(Place::own(resuming.next), next),
            Stmt::Assign(Place::global(self.picked), fails),
        ];
        Some(Stmt::If(came, body, Vec::new()))
    }

    fn number(&mut self, state: usize, ty: &Type) -> model::ExprId {
        let number = i128::try_from(state + 1).expect("few states");
        self.program.exprs.int(number, ty.clone())
    }

    /// The steps by which a process goes on.
    pub(super) fn resume(&mut self, unit: usize, process: &mut Process, resuming: &Resuming) {
        for &to in &resuming.states {
            let mut step = Step::new(resuming.here, resuming.here, Span::NONE);
            let place = Place::own(resuming.next);
            let next = self.program.exprs.load(place.clone(), resuming.ty.clone());
            let wanted = self.number(to, &resuming.ty);
            step.guard = Some(self.program.exprs.binary(Binary::Eq, next, wanted));
            let none = self.program.exprs.int(0, resuming.ty.clone());
            step.body = vec![Stmt::Assign(place, none)];
            step.class = 2;
            step.target = match self.units[unit].automaton.is_end(to) {
                true => Target::End,
                false => Target::Goto(LocId::new(to)),
            };
            process.add_step(step);
        }
    }

    /// The variable that says, within a step, that something gave nothing.
    fn nothing_came(&mut self) -> GlobalId {
        let known = self
            .program
            .globals
            .iter()
            .position(|g| g.name == "(nothing)");
        if let Some(known) = known {
            return GlobalId::new(known);
        }
        let mut variable = Variable::new("(nothing)", Type::Bool);
        variable.kind = VariableKind::Step;
        let no = self.program.exprs.bool(false);
        variable.init = Some(model::ValueSet::One(no));
        self.program.add_global(variable)
    }
}
