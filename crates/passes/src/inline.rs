//! Inline: observers run where their events are emitted.
//!
//! An observer sees an event's arguments, not where they come from; to every analysis, an
//! argument is as unknown as a message. Where the event is emitted, though, `who == high_bidder`
//! may be `high_bidder == high_bidder`. So each emission is replaced by the bodies of its
//! observers, in the order of the table, with the arguments' expressions in place. What depended
//! only on the arguments then folds away, and with it, often, most of what slicing would keep.
//!
//! An emission stays where the replacement could mean something else: if an observer writes what
//! an argument reads (then the argument would be read too late), emits itself, or looks into a
//! part of an argument that is computed. An argument whose evaluation can fault is evaluated
//! first, for its fault.
//!
//! Preserves every query. What is emitted no longer shows in runs of the reduced program; those
//! of the original show it.

use std::collections::{BTreeSet, HashMap, HashSet};

use model::{Expr, ExprId, Place, ProcessId, Program, Root, Stmt};

use crate::access::{Accesses, Frames, Scope, Var, resolve, written};
use crate::faults::Faults;
use crate::liveness::emitted;
use crate::rewrite::{Replace, stored_places};

/// Statements that a program may grow by.
const GROWTH: usize = 20_000;

/// The program with observers in place of emissions.
#[must_use]
pub fn inline(program: &Program) -> Program {
    let Some(frames) = Frames::of(program) else {
        return program.clone();
    };
    let mut inliner = Inliner {
        program: program.clone(),
        faults: Faults::default(),
        accesses: Accesses::default(),
        room: GROWTH,
    };
    for index in 0..program.processes.len() {
        let id = ProcessId::new(index);
        for step in 0..program.processes[index].steps.len() {
            let scope = frames.step(program, id, step);
            let body = std::mem::take(&mut inliner.program.processes[index].steps[step].body);
            let body = inliner.body(scope, body);
            inliner.program.processes[index].steps[step].body = body;
        }
    }
    inliner.program
}

struct Inliner {
    program: Program,
    faults: Faults,
    accesses: Accesses,
    room: usize,
}

impl Inliner {
    fn body(&mut self, scope: Scope, body: Vec<Stmt>) -> Vec<Stmt> {
        let mut done = Vec::with_capacity(body.len());
        for stmt in body {
            match stmt {
                Stmt::If(cond, then, otherwise) => {
                    let then = self.body(scope, then);
                    let otherwise = self.body(scope, otherwise);
                    done.push(Stmt::If(cond, then, otherwise));
                }
                Stmt::Emit { event, args, span } => match self.observers(scope, event, &args) {
                    Some(bodies) => {
                        for arg in args {
                            self.faults.residue(&mut self.program, arg, &mut done);
                        }
                        done.extend(bodies);
                    }
                    None => done.push(Stmt::Emit { event, args, span }),
                },
                other => done.push(other),
            }
        }
        done
    }

    /// The bodies of the event's observers with the arguments in place, if that means the same.
    fn observers(
        &mut self,
        scope: Scope,
        event: model::EventId,
        args: &[ExprId],
    ) -> Option<Vec<Stmt>> {
        let mut bodies: Vec<Stmt> = Vec::new();
        for observer in &self.program.observers {
            if observer.event == event {
                bodies.extend(observer.body.iter().cloned());
            }
        }
        let size = count(&bodies);
        let mut events = Vec::new();
        emitted(&bodies, &mut events);
        if size > self.room || !events.is_empty() {
            return None;
        }
        let mut written_by_observers = HashSet::new();
        stored_places(&bodies, &mut |place| {
            written_by_observers.insert(written(Scope::Observer(event), place));
        });
        for &arg in args {
            let mut changes = written_by_observers.contains(&None);
            for &access in self.accesses.of(&self.program, arg).iter() {
                resolve(&self.program, scope, access, |var: Var| {
                    changes |= written_by_observers.contains(&Some(var));
                });
            }
            if changes && !bodies.is_empty() {
                return None;
            }
        }
        let mut substitution = Substitution {
            program: &mut self.program,
            args,
            done: HashMap::new(),
            possible: true,
        };
        substitution.body(&mut bodies);
        if !substitution.possible {
            return None;
        }
        self.room -= size;
        Some(bodies)
    }
}

fn count(body: &[Stmt]) -> usize {
    body.iter()
        .map(|stmt| match stmt {
            Stmt::If(_, then, otherwise) => 1 + count(then) + count(otherwise),
            _ => 1,
        })
        .sum()
}

/// Puts expressions in place of an event's arguments.
struct Substitution<'p> {
    program: &'p mut Program,
    args: &'p [ExprId],
    done: HashMap<ExprId, ExprId>,
    possible: bool,
}

impl Replace for Substitution<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        // All that the expression is made of, operands first.
        let mut parts = BTreeSet::from([id]);
        let mut waiting = vec![id];
        while let Some(part) = waiting.pop() {
            source::limits::check();
            self.program.exprs.operands(part, |operand| {
                if !self.done.contains_key(&operand) && parts.insert(operand) {
                    waiting.push(operand);
                }
            });
        }
        for part in parts {
            if !self.done.contains_key(&part) {
                let replaced = self.node(part);
                self.done.insert(part, replaced);
            }
        }
        self.done[&id]
    }
}

impl Substitution<'_> {
    /// An expression whose operands have been replaced.
    fn node(&mut self, id: ExprId) -> ExprId {
        let ty = self.program.exprs.ty(id).clone();
        let expr = self.program.exprs.get(id).clone();
        if let Expr::Load(Place {
            root: Root::Argument(argument),
            path,
        }) = &expr
        {
            let Some(&arg) = self.args.get(*argument as usize) else {
                self.possible = false;
                return id;
            };
            if path.is_empty() {
                return arg;
            }
            let Expr::Load(place) = self.program.exprs.get(arg).clone() else {
                self.possible = false;
                return id;
            };
            let mut inner = Place {
                root: Root::Argument(*argument),
                path: path.clone(),
            };
            self.known().place(&mut inner);
            let mut place = place;
            place.path.extend(inner.path);
            return self.program.exprs.load(place, ty);
        }
        let expr = self.known().operands(expr);
        self.program.exprs.add(expr, ty)
    }

    fn known(&self) -> Known<'_> {
        Known(&self.done)
    }
}

/// Looks up what has been replaced.
struct Known<'d>(&'d HashMap<ExprId, ExprId>);

impl Replace for Known<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        self.0[&id]
    }
}
