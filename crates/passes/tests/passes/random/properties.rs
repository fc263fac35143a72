//! Random properties of every kind.

use logic::Ltl;
use model::{Binary, Claim, Expr, ExprId, LocId, Place, Property, PropertyId, Root, Type, Value};
use source::Span;

use super::{Generator, InReach};

impl Generator {
    /// Properties of every kind.
    pub(super) fn properties(&mut self) -> Vec<PropertyId> {
        let globals = self.globals();
        let mut claims = vec![
            Claim::Check(self.check),
            Claim::NoDeadlock,
            Claim::Returns,
            Claim::NoFault(vec![self.division]),
        ];
        for _ in 0..2 {
            claims.push(Claim::Always(self.state_atom(&globals)));
        }
        for kind in 0..5 {
            let p = Ltl::atom(self.state_atom(&globals));
            let q = Ltl::atom(self.state_atom(&globals));
            claims.push(Claim::Ltl(match kind {
                0 => Ltl::eventually(p),
                1 => Ltl::always(Ltl::implies(p, Ltl::eventually(q))),
                2 => Ltl::eventually(Ltl::always(p)),
                3 => Ltl::until(p, q),
                _ => Ltl::always(Ltl::implies(p, Ltl::next(q))),
            }));
        }
        if self.rng.chance(60) {
            for kind in 0..3 {
                let p = self.remote_atom(&globals);
                let q = self.remote_atom(&globals);
                claims.push(match kind {
                    0 => Claim::Always(p),
                    1 => Claim::Ltl(Ltl::until(Ltl::atom(p), Ltl::atom(q))),
                    _ => Claim::Ltl(Ltl::always(Ltl::implies(
                        Ltl::atom(p),
                        Ltl::eventually(Ltl::atom(q)),
                    ))),
                });
            }
        }
        claims
            .into_iter()
            .map(|claim| {
                self.program.add_property(Property {
                    name: format!("{claim:?}"),
                    text: String::new(),
                    span: Span::NONE,
                    claim,
                    trigger: None,
                    observers: Vec::new(),
                    assumptions: Vec::new(),
                })
            })
            .collect()
    }

    /// One about the variables and locations of an instance, and perhaps a global.
    pub(super) fn remote_atom(&mut self, globals: &[InReach]) -> ExprId {
        let number = self.rng.below(self.program.start.len());
        let process = self.program.start[number].process;
        let instance = Value::Int(number as i128);
        let instance = self.program.exprs.value(instance, Type::Instance);
        let template = &self.program.processes[process.index()];
        let (locals, locations) = (template.locals.len(), template.locations.len());
        let mut atoms = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            if locals == 0 || self.rng.chance(20) {
                self.note("remote location");
                let location = LocId::new(self.rng.below(locations));
                let at = Expr::At {
                    instance,
                    process,
                    location,
                };
                atoms.push(self.program.exprs.add(at, Type::Bool));
                continue;
            }
            self.note("remote variable");
            let local = self.rng.below(locals);
            let ty = self.program.processes[process.index()].locals[local]
                .ty
                .clone();
            let place = Place::from(Root::Remote {
                instance,
                process,
                local: local as u32,
            });
            let value = self.program.exprs.load(place, ty.clone());
            let number = self.rng.below(3) as i128;
            let constant = self.constant(&ty, number.min(1));
            let op = *self.rng.pick(&[Binary::Eq, Binary::Ne]);
            atoms.push(self.program.exprs.binary(op, value, constant));
        }
        if self.rng.chance(30) {
            atoms.push(self.state_atom(globals));
        }
        let op = *self.rng.pick(&[Binary::And, Binary::And, Binary::Or]);
        let first = atoms.remove(0);
        atoms
            .into_iter()
            .fold(first, |all, atom| self.program.exprs.binary(op, all, atom))
    }

    /// One that says something and cannot fault.
    pub(super) fn state_atom(&mut self, globals: &[InReach]) -> ExprId {
        let global = self.rng.pick(globals).clone();
        let value = self.program.exprs.load(global.place, global.ty.clone());
        let number = self.rng.below(2) as i128;
        let constant = self.constant(&global.ty, number);
        let op = *self.rng.pick(&[Binary::Eq, Binary::Ne, Binary::Ne]);
        self.program.exprs.binary(op, value, constant)
    }
}
