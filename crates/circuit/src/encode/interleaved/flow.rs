//! A move under way: statements on a state of bits, by if-conversion.
//!
//! What has been done so far is a state whose values are multiplexed where branches joined. A
//! fault ends the move where it happens and leaves what was done before: `live` says where the
//! move is still going on, and nothing is written elsewhere.

use model::{CheckId, Choice, ExprId, FaultId, Place, ProcedureId, Projection, Root, Stmt, Type};

use super::super::bits::Bits;
use super::super::choice::Row;
use super::super::evaluate::{Asked, Memo, Scope, Store, UNDECLARED};
use super::super::layout::is_within;
use super::super::trouble::Trouble;
use super::super::{Encoding, Unsupported};
use super::asks::number;
use crate::aig::Lit;
use crate::words::Word;

/// How far a move has come.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub(crate) store: Store,
    /// Where it goes on: neither ended by a fault nor impossible.
    pub(crate) live: Lit,
    /// Where control is in this branch.
    pub(crate) path: Lit,
}

/// What happens in a move.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    /// Where the move does not exist.
    pub(crate) pruned: Lit,
    /// Faults: whose, which, when.
    pub(crate) faults: Vec<(usize, FaultId, Lit)>,
    /// Failed checks.
    pub(crate) failed: Vec<(CheckId, Lit)>,
    /// What is chosen, in order, and where.
    pub(crate) choices: Vec<(Lit, Bits)>,
    /// How many bits of the row of inputs the choices have used.
    pub(crate) used: usize,
    /// How many faults and failed checks belong to moves that have ended.
    pub(crate) told: (usize, usize),
}

impl Default for Log {
    fn default() -> Self {
        Log {
            pruned: Lit::FALSE,
            faults: Vec::new(),
            failed: Vec::new(),
            choices: Vec::new(),
            used: 0,
            told: (0, 0),
        }
    }
}

/// Who does something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    pub(crate) me: usize,
    pub(crate) procedure: Option<ProcedureId>,
}

/// One step down into a value.
enum Down {
    Field(usize),
    Index(Word),
}

impl Flow {
    pub(super) fn new(store: Store) -> Flow {
        Flow {
            store,
            live: Lit::TRUE,
            path: Lit::TRUE,
        }
    }

    fn scope<'a>(&'a self, actor: Actor, arguments: &'a [Bits], asked: Asked<'a>) -> Scope<'a> {
        Scope {
            me: Some(actor.me),
            procedure: actor.procedure,
            arguments,
            asked,
            ..self.store.scope()
        }
    }
}

impl Encoding<'_> {
    /// Where the move is going on here.
    pub(super) fn here(&mut self, flow: &Flow) -> Lit {
        self.circuit.aig.and(flow.path, flow.live)
    }

    /// Faults end the move.
    pub(super) fn raise(&mut self, flow: &mut Flow, log: &mut Log, me: usize, trouble: &Trouble) {
        for &(fault, when) in trouble.faults() {
            if fault == UNDECLARED {
                self.prune(flow, log, when);
                continue;
            }
            let here = self.here(flow);
            let raised = self.circuit.aig.and(here, when);
            if raised != Lit::FALSE {
                log.faults.push((me, fault, raised));
            }
            flow.live = self.circuit.aig.and(flow.live, !when);
        }
    }

    /// The move does not exist under a condition.
    pub(super) fn prune(&mut self, flow: &mut Flow, log: &mut Log, when: Lit) {
        let here = self.here(flow);
        let aig = &mut self.circuit.aig;
        let gone = aig.and(here, when);
        log.pruned = aig.or(log.pruned, gone);
        flow.live = aig.and(flow.live, !when);
    }

    /// The value of an expression; what goes wrong ends the move.
    pub(super) fn value_in(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        arguments: &[Bits],
        asked: Asked<'_>,
        expr: ExprId,
    ) -> Result<Bits, Unsupported> {
        let found = {
            let scope = flow.scope(actor, arguments, asked);
            self.eval(&scope, &mut Memo::default(), expr)?
        };
        self.raise(flow, log, actor.me, &found.trouble);
        Ok(found.value)
    }

    /// The value of an expression, and what goes wrong, without ending the move.
    pub(super) fn value_aside(
        &mut self,
        flow: &Flow,
        actor: Actor,
        asked: Asked<'_>,
        expr: ExprId,
    ) -> Result<(Bits, Lit), Unsupported> {
        let scope = flow.scope(actor, &[], asked);
        let found = self.eval(&scope, &mut Memo::default(), expr)?;
        let trouble = found.trouble.any(&mut self.circuit.aig);
        Ok((found.value, trouble))
    }

    pub(super) fn block(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        arguments: &[Bits],
        body: &[Stmt],
    ) -> Result<(), Unsupported> {
        for stmt in body {
            self.statement(flow, log, actor, arguments, stmt)?;
        }
        Ok(())
    }

    fn statement(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        arguments: &[Bits],
        stmt: &Stmt,
    ) -> Result<(), Unsupported> {
        let asked = Asked::default();
        match stmt {
            Stmt::Assign(place, value) => {
                let value = self.value_in(flow, log, actor, arguments, asked, *value)?;
                self.store(flow, log, actor, arguments, place, value)
            }
            Stmt::Choose(choice) => self.choose_in(flow, log, actor, arguments, choice),
            Stmt::If(condition, then, otherwise) => {
                let condition = self.value_in(flow, log, actor, arguments, asked, *condition)?;
                let condition = condition.truth(&mut self.circuit.aig);
                let (mut yes, mut no) = (flow.clone(), flow.clone());
                yes.path = self.circuit.aig.and(flow.path, condition);
                no.path = self.circuit.aig.and(flow.path, !condition);
                if condition != Lit::FALSE {
                    self.block(&mut yes, log, actor, arguments, then)?;
                }
                if condition != Lit::TRUE {
                    self.block(&mut no, log, actor, arguments, otherwise)?;
                }
                flow.store = self.joined(condition, &yes.store, &no.store);
                flow.live = self.circuit.aig.mux(condition, yes.live, no.live);
                Ok(())
            }
            Stmt::Assert { cond, check, .. } => {
                let held = self.value_in(flow, log, actor, arguments, asked, *cond)?;
                let held = held.truth(&mut self.circuit.aig);
                let here = self.here(flow);
                let failed = self.circuit.aig.and(here, !held);
                if failed != Lit::FALSE {
                    log.failed.push((*check, failed));
                }
                Ok(())
            }
            Stmt::Assume(condition) => {
                let held = self.value_in(flow, log, actor, arguments, asked, *condition)?;
                let held = held.truth(&mut self.circuit.aig);
                self.prune(flow, log, !held);
                Ok(())
            }
            Stmt::Raise(fault) => {
                self.raise(flow, log, actor.me, &Trouble::fault(*fault, Lit::TRUE));
                Ok(())
            }
            Stmt::Emit { event, args, .. } => {
                let mut values = Vec::new();
                for &arg in args {
                    values.push(self.value_in(flow, log, actor, arguments, asked, arg)?);
                }
                for observer in &self.program.observers {
                    if observer.event == *event {
                        self.block(flow, log, actor, &values, &observer.body)?;
                    }
                }
                Ok(())
            }
            Stmt::Spawn { .. } => Err(Unsupported::new("instances that start at run time")),
            Stmt::NewChannel { .. } => Err(Unsupported::new("channels made at run time")),
            Stmt::New { .. } | Stmt::Free(_) => Err(Unsupported::new("objects made at run time")),
        }
    }

    /// Makes a choice and stores what is chosen.
    pub(super) fn choose_in(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        arguments: &[Bits],
        choice: &Choice,
    ) -> Result<(), Unsupported> {
        let mut row = std::mem::take(&mut self.row);
        row.used = log.used;
        let chosen = {
            let scope = flow.scope(actor, arguments, Asked::default());
            self.choose(
                &scope,
                &mut Memo::default(),
                &choice.set,
                &mut row,
                log.used,
            )
        };
        log.used = row.used;
        self.row = row;
        let chosen = chosen?;
        self.raise(flow, log, actor.me, &chosen.trouble);
        self.prune(flow, log, !chosen.possible);
        let here = self.here(flow);
        log.choices.push((here, chosen.value.clone()));
        self.store(flow, log, actor, arguments, &choice.place, chosen.value)
    }

    /// A value as its type stores it; leaving a range is a fault.
    pub(super) fn fit(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        me: usize,
        ty: &Type,
        value: Bits,
    ) -> Result<Bits, Unsupported> {
        match (ty, value) {
            (Type::Int { bits, signed }, Bits::Word(word)) => {
                Ok(Bits::Word(word.wrapped((*bits).into(), *signed)))
            }
            (Type::Range { lo, hi }, Bits::Word(word)) => {
                let aig = &mut self.circuit.aig;
                let within = is_within(aig, i128::from(*lo), &word, i128::from(*hi));
                let fault = self.program.range_fault;
                let trouble = self.fault_when(Trouble::default(), fault, !within)?;
                self.raise(flow, log, me, &trouble);
                Ok(Bits::Word(word))
            }
            (_, value) => Ok(value),
        }
    }

    /// Stores a value in a place.
    pub(super) fn store(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        arguments: &[Bits],
        place: &Place,
        value: Bits,
    ) -> Result<(), Unsupported> {
        let process = self.controls[actor.me].process;
        let ty = self
            .program
            .place_type(Some(process), actor.procedure, place);
        let value = self.fit(flow, log, actor.me, &ty, value)?;
        let mut old = self.slot_in(&mut flow.store, actor, place.root)?.clone();
        let whole = old.clone();
        let mut path = Vec::new();
        for projection in &place.path {
            let Bits::Tuple(items) = old else {
                panic!("internal error: {old:?} has no parts");
            };
            match projection {
                Projection::Field(field) => {
                    old = items[*field as usize].clone();
                    path.push(Down::Field(*field as usize));
                }
                Projection::Index(index) => {
                    let asked = Asked::default();
                    let index = self.value_in(flow, log, actor, arguments, asked, *index)?;
                    let index = index.word();
                    let last = items.len() as i128 - 1;
                    let within = is_within(&mut self.circuit.aig, 0, &index, last);
                    let fault = self.program.index_fault;
                    let trouble = self.fault_when(Trouble::default(), fault, !within)?;
                    self.raise(flow, log, actor.me, &trouble);
                    old = items[0].clone();
                    path.push(Down::Index(index));
                }
            }
        }
        let new = self.updated(&whole, &path, &value);
        let new = self.circuit.aig.mux_value(flow.live, &new, &whole);
        *self.slot_in(&mut flow.store, actor, place.root)? = new;
        Ok(())
    }

    fn updated(&mut self, old: &Bits, path: &[Down], value: &Bits) -> Bits {
        let (Some(first), Bits::Tuple(items)) = (path.first(), old) else {
            return value.clone();
        };
        let mut items = items.clone();
        match first {
            Down::Field(field) => items[*field] = self.updated(&items[*field], &path[1..], value),
            Down::Index(index) => {
                for (place, item) in items.iter_mut().enumerate() {
                    let here = self.circuit.aig.eq(index, &number(place));
                    if here != Lit::FALSE {
                        let new = self.updated(item, &path[1..], value);
                        *item = self.circuit.aig.mux_value(here, &new, item);
                    }
                }
            }
        }
        Bits::Tuple(items)
    }

    fn slot_in<'s>(
        &self,
        store: &'s mut Store,
        actor: Actor,
        root: Root,
    ) -> Result<&'s mut Bits, Unsupported> {
        Ok(match root {
            Root::Global(id) => &mut store.globals[id.index()],
            Root::Own(local) => &mut store.instances[actor.me].frame[local as usize],
            Root::Frame(local) => match actor.procedure {
                Some(procedure) => {
                    let call = &mut store.instances[actor.me].calls[procedure.index()];
                    &mut call.locals[local as usize]
                }
                None => return Err(Unsupported::new("a procedure's local outside of it")),
            },
            _ => return Err(Unsupported::new("objects made at run time")),
        })
    }

    /// One state or the other.
    pub(super) fn joined(&mut self, condition: Lit, a: &Store, b: &Store) -> Store {
        let mut joined = b.clone();
        let aig = &mut self.circuit.aig;
        let mut pick = |a: &Bits, b: &mut Bits| *b = aig.mux_value(condition, a, b);
        let each = |a: &[Bits], b: &mut [Bits], pick: &mut dyn FnMut(&Bits, &mut Bits)| {
            a.iter().zip(b).for_each(|(a, b)| pick(a, b));
        };
        each(&a.globals, &mut joined.globals, &mut pick);
        for (a, b) in a.instances.iter().zip(&mut joined.instances) {
            each(&a.frame, &mut b.frame, &mut pick);
            for (a, b) in a.calls.iter().zip(&mut b.calls) {
                each(&a.locals, &mut b.locals, &mut pick);
            }
        }
        for (a, b) in a.channels.iter().zip(&mut joined.channels) {
            for (a, b) in a.messages.iter().zip(&mut b.messages) {
                each(a, b, &mut pick);
            }
        }
        let mut choose = |a: &Word, b: &mut Word| *b = aig.mux_word(condition, a, b);
        for (a, b) in a.instances.iter().zip(&mut joined.instances) {
            choose(&a.location, &mut b.location);
            for (a, b) in a.calls.iter().zip(&mut b.calls) {
                choose(&a.site, &mut b.site);
            }
        }
        for (a, b) in a.channels.iter().zip(&mut joined.channels) {
            choose(&a.length, &mut b.length);
        }
        choose(&a.holder, &mut joined.holder);
        joined
    }

    /// A row of inputs that all moves share, since one of them is taken.
    pub(super) fn shared_row() -> Row {
        Row::new("choice")
    }
}
