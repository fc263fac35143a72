//! Random statements: bodies, communication, and what is made at run time.

use model::*;
use source::Span;

use super::{Dynamic, Here, INT8, Maker};

impl Maker<'_> {
    pub(super) fn communication(&mut self, here: &Here, joint: bool) -> Option<Comm> {
        if joint && self.random.chance(15) {
            return Some(Comm::Barrier(BarrierId(0)));
        }
        if !self.random.chance(25) {
            return None;
        }
        let meet = self.random.chance(50);
        let channel = if meet {
            self.meets[0]
        } else {
            self.random.pick(&self.queues)
        };
        self.used(if meet { "rendezvous" } else { "queue" });
        let fields = self.p.channels[channel.index()].fields.clone();
        let mut reference = self.p.exprs.int(i128::from(channel.0) + 1, Type::Channel);
        if fields.len() == 1 && self.random.chance(30) {
            self.used("channel reference");
            // Whether anything is enabled may not depend on itself.
            let flag = self.random.pick(&self.flags);
            let cond = self.p.exprs.load(Place::global(flag), Type::Bool);
            let other = self.p.exprs.int(
                if self.wild {
                    0
                } else {
                    5 - i128::from(channel.0) - 1
                },
                Type::Channel,
            );
            reference = self
                .p
                .exprs
                .add(Expr::Ite(cond, reference, other), Type::Channel);
        }
        if fields.len() == 1
            && let Some(dynamic) = self.dynamic.clone()
            && here.process.is_some()
        {
            // A child's own channel, or the one that is known to all.
            if here.process == Some(dynamic.child) && self.random.chance(60) {
                self.used("channel made at run time");
                reference = self.p.exprs.load(Place::own(3), Type::Channel);
            } else if self.wild && self.random.chance(40) || self.random.chance(15) {
                reference = self
                    .p
                    .exprs
                    .load(Place::global(dynamic.link), Type::Channel);
            }
        }
        if self.random.chance(50) {
            // The interpreter looks at a message before it knows whether a rendezvous is possible.
            let wild = self.wild;
            self.wild &= !meet;
            let message = fields
                .iter()
                .map(|ty| {
                    if *ty == Type::Bool {
                        self.truth(here, 1)
                    } else {
                        self.in_range(here)
                    }
                })
                .collect();
            self.wild = wild;
            Some(Comm::Send {
                channel: reference,
                message,
                sorted: self.random.chance(20),
                lossy: self.random.chance(20),
            })
        } else {
            let patterns = fields
                .iter()
                .map(|ty| match (ty, self.random.below(3)) {
                    (Type::Bool, 0) => Pattern::Bind(Place::global(self.flags[0])),
                    (Type::Bool, 1) => Pattern::Match(self.truth(here, 1)),
                    (_, 0) => Pattern::Bind(Place::own(1 + self.random.below(2))),
                    (_, 1) => Pattern::Match(self.in_range(here)),
                    _ => Pattern::Any,
                })
                .collect();
            Some(Comm::Receive {
                channel: reference,
                patterns,
                anywhere: self.random.chance(30),
                keep: self.random.chance(20),
            })
        }
    }

    pub(super) fn body(&mut self, here: &Here, depth: usize) -> Vec<Stmt> {
        let count = self.random.below(3);
        (0..count).map(|_| self.statement(here, depth)).collect()
    }

    pub(super) fn some_process(&mut self) -> ProcessId {
        let count = self.templates + usize::from(self.dynamic.is_some());
        ProcessId::new(self.random.below(count))
    }

    /// Starts a child or makes a channel, as long as there are not too many.
    pub(super) fn make(&mut self, here: &Here, dynamic: &Dynamic) -> Stmt {
        let channel = self.random.pick(&dynamic.fresh);
        if self.random.chance(20) {
            let made = self.p.exprs.load(Place::global(dynamic.made), Type::Bool);
            let first = self.p.exprs.not(made);
            let yes = self.p.exprs.bool(true);
            let body = vec![
                Stmt::Assign(Place::global(dynamic.made), yes),
                Stmt::NewChannel {
                    channel,
                    owner: ChannelOwner::Nobody,
                    result: Place::global(dynamic.link),
                },
            ];
            return Stmt::If(first, body, Vec::new());
        }
        self.used("instance started at run time");
        let count = self.p.exprs.add(Expr::InstanceCount, INT8);
        let most = 2 + self.random.below(2) as i128;
        let most = self.number(most);
        let few = self.p.exprs.binary(Binary::Lt, count, most);
        let mut body = Vec::new();
        let link = if self.random.chance(70) {
            body.push(Stmt::NewChannel {
                channel,
                owner: ChannelOwner::Next,
                result: Place::global(dynamic.given),
            });
            if self.random.chance(40) {
                let given = self
                    .p
                    .exprs
                    .load(Place::global(dynamic.given), Type::Channel);
                body.push(Stmt::Assign(Place::global(dynamic.link), given));
            }
            dynamic.given
        } else {
            dynamic.link
        };
        let link = self.p.exprs.load(Place::global(link), Type::Channel);
        let args = vec![
            self.in_range(here),
            self.in_range(here),
            self.in_range(here),
            link,
        ];
        let result = (self.random.chance(40) && here.process.is_some())
            .then(|| Place::own(1 + self.random.below(2)));
        body.push(Stmt::Spawn {
            process: dynamic.child,
            args,
            result,
            share_frame: false,
        });
        Stmt::If(few, body, Vec::new())
    }

    pub(super) fn statement(&mut self, here: &Here, depth: usize) -> Stmt {
        if let Some(dynamic) = self.dynamic.clone()
            && here.process.is_some()
            && self.random.chance(20)
        {
            return self.make(here, &dynamic);
        }
        match self.random.below(if self.wild { 24 } else { 20 }) {
            0 | 1 if depth > 0 => {
                self.used("branch");
                let cond = self.truth(here, 2);
                Stmt::If(cond, self.body(here, depth - 1), self.body(here, depth - 1))
            }
            2 => {
                self.used("choice in a body");
                let place = self.place(here);
                let set = self.set(here);
                Stmt::Choose(Choice {
                    place,
                    set,
                    sample: None,
                    what: "value".into(),
                    outside: None,
                })
            }
            3 => {
                self.used("assert");
                let cond = self.truth(here, 2);
                let check = CheckId::new(self.random.below(2));
                Stmt::Assert {
                    cond,
                    check,
                    span: Span::NONE,
                }
            }
            4 => {
                self.used("event");
                let arg = self.arithmetic(here, 1);
                Stmt::Emit {
                    event: self.event,
                    args: vec![arg],
                    span: Span::NONE,
                }
            }
            5 => {
                self.used("flag");
                let value = self.truth(here, 2);
                Stmt::Assign(Place::global(self.random.pick(&self.flags)), value)
            }
            6 => {
                self.used("record");
                let flag = self.truth(here, 1);
                let n = self.in_range(here);
                let ty = self.p.globals[self.record.index()].ty.clone();
                let value = self.p.exprs.add(Expr::Tuple(vec![flag, n]), ty);
                Stmt::Assign(Place::global(self.record), value)
            }
            7 => {
                self.used("library function");
                let arg = self.arithmetic(here, 1);
                let value = self
                    .p
                    .exprs
                    .add(Expr::Apply(self.spell, vec![arg]), Type::Rich);
                Stmt::Assign(Place::global(self.text), value)
            }
            20 | 22 => {
                self.used("assume");
                let cond = self.truth(here, 1);
                Stmt::Assume(cond)
            }
            21 | 23 => {
                self.used("raise");
                Stmt::Raise(FaultId::new(self.random.below(2)))
            }
            _ => {
                let place = self.place(here);
                let value = if self.wild && self.random.chance(20) {
                    self.arithmetic(here, 2)
                } else {
                    self.in_range(here)
                };
                Stmt::Assign(place, value)
            }
        }
    }
}
