//! One step an edge: the equations as a synchronous program.

use model::{
    AssumptionId, Composition, EnumDecl, EnumId, ExprId, Fairness, FairnessKind, FiniteRuns,
    GlobalId, Place, Program, SyncAssign, Type, ValueSet, Variable, VariableKind,
};

use super::completion::Watched;
use super::declare::joined;
use super::equations::{Equation, Equations, Otherwise};
use super::{Atom, Hook};
use crate::net::{MachineId, Net, Test, VarId};

/// A net as a program in which everything moves at once.
pub(crate) struct Edges<'a> {
    net: &'a Net,
    pub(crate) program: Program,
    equations: Equations,
    globals: Vec<(GlobalId, Type)>,
    hooks: Vec<ExprId>,
}

impl<'a> Edges<'a> {
    pub(crate) fn new(name: &str, net: &'a Net, watched: &Watched) -> Edges<'a> {
        let mut program = Program::new(name, "node graph");
        program.finite_runs = FiniteRuns::InfiniteOnly;
        let equations = Equations::of(net, false);
        let mut enums: std::collections::HashMap<&[String], EnumId> = Default::default();
        let mut globals = Vec::new();
        for equation in &equations.vars {
            let ty = if equation.flag && is_bool(equation) {
                Type::Bool
            } else {
                let id = *enums.entry(&equation.values).or_insert_with(|| {
                    program.add_enum(EnumDecl {
                        name: equation.name.clone(),
                        members: equation.values.clone(),
                    })
                });
                Type::Enum(id)
            };
            let first = set(&mut program, &ty, &equation.first);
            let global = program.add_global(Variable {
                name: equation.name.clone(),
                ty: ty.clone(),
                init: Some(first),
                kind: VariableKind::State,
                span: equation.span,
            });
            globals.push((global, ty));
        }
        let mut edges = Edges {
            net,
            program,
            equations,
            globals,
            hooks: Vec::new(),
        };
        let mut assigns = Vec::new();
        for index in 0..edges.equations.vars.len() {
            let (global, ty) = edges.globals[index].clone();
            let (cases, otherwise) = {
                let equation = &edges.equations.vars[index];
                (equation.cases.clone(), equation.otherwise)
            };
            let mut next = match otherwise {
                Otherwise::Keep => ValueSet::One(edges.load(VarId::new(index))),
                Otherwise::Value(at) => set(&mut edges.program, &ty, &[at]),
            };
            for (test, values) in cases.into_iter().rev() {
                let values = set(&mut edges.program, &ty, &values);
                next = match edges.expr(&test) {
                    condition if edges.is(condition, true) => values,
                    condition => ValueSet::Ite(condition, Box::new(values), Box::new(next)),
                };
            }
            assigns.push(SyncAssign { global, next });
        }
        edges.program.composition = Composition::Synchronous(assigns);
        for (hook, _, var) in &watched.hooks {
            let bad = bad(net, &edges.equations, *hook, *var);
            let good = edges.expr(&Test::not(bad));
            edges.hooks.push(good);
        }
        edges
    }

    fn is(&self, expr: ExprId, value: bool) -> bool {
        self.program.exprs.constant(expr) == Some(&model::Value::Bool(value))
    }

    fn load(&mut self, var: VarId) -> ExprId {
        let (global, ty) = &self.globals[var.index()];
        let place = Place::global(*global);
        self.program.exprs.load(place, ty.clone())
    }

    /// A test of the equations' variables.
    fn expr(&mut self, test: &Test) -> ExprId {
        match test {
            Test::Always => self.program.exprs.bool(true),
            Test::Never => self.program.exprs.bool(false),
            Test::Is(var, at) => {
                let load = self.load(*var);
                let ty = self.globals[var.index()].1.clone();
                if ty == Type::Bool {
                    return match at {
                        0 => self.program.exprs.not(load),
                        _ => load,
                    };
                }
                let value = self.program.exprs.int(i128::from(*at), ty);
                self.program.exprs.binary(model::Binary::Eq, load, value)
            }
            Test::Not(inner) => {
                let inner = self.expr(inner);
                self.program.exprs.not(inner)
            }
            Test::All(tests) | Test::Any(tests) => {
                let operands = tests.iter().map(|test| self.expr(test)).collect();
                joined(&mut self.program, operands, matches!(test, Test::All(_)))
            }
        }
    }

    /// An atom as an expression.
    pub(crate) fn atom(&mut self, atom: &Atom) -> ExprId {
        let test = atom_test(self.net, &self.equations, atom);
        self.expr(&test)
    }

    /// That of these machines, of which one waits at a time, each comes to the end of it.
    pub(crate) fn fairness(&mut self, machines: &[MachineId], id: AssumptionId) -> Fairness {
        let waits = self.equations.waits.iter();
        let mine = waits.filter(|(machine, ..)| machines.contains(machine));
        let waiting = mine.flat_map(|(_, var, values)| values.iter().map(|&at| Test::Is(*var, at)));
        let rest = Test::not(Test::any(waiting.collect()));
        let names = machines
            .iter()
            .take(3)
            .map(|&id| self.net.machine(id).name.as_str());
        let name = format!("{} end", names.collect::<Vec<_>>().join(", "));
        Fairness {
            name,
            kind: FairnessKind::Justice(self.expr(&rest)),
            assumption: Some(id),
        }
    }

    /// What a check demands of all states.
    pub(crate) fn hook(&mut self, number: usize) -> ExprId {
        self.hooks[number]
    }
}

/// Where something happens that a check forbids.
pub(crate) fn bad(net: &Net, equations: &Equations, hook: Hook, var: Option<VarId>) -> Test {
    let mut bad = Vec::new();
    match hook {
        Hook::Retrigger | Hook::Dropped => {
            for (id, machine) in net.ids() {
                let waiting = equations.translated(&net.waiting(id));
                for (at, input) in machine.inputs.iter().enumerate() {
                    let here = equations.entered(net, id, Some(at as u16));
                    let restart = input.rules.iter().filter(|rule| {
                        rule.effects.iter().any(|effect| {
                            effect.sets.iter().any(|(var, update)| {
                                Some(*var) == machine.state
                                    && update
                                        .iter()
                                        .flatten()
                                        .any(|(_, at)| machine.ending.contains(at))
                            })
                        })
                    });
                    let which = match hook {
                        Hook::Retrigger => {
                            let guards = restart.map(|r| equations.translated(&r.guard));
                            Test::any(guards.collect())
                        }
                        _ => {
                            let guards = input.rules.iter();
                            let guards = guards.map(|r| equations.translated(&r.guard));
                            Test::not(Test::any(guards.collect()))
                        }
                    };
                    bad.push(Test::all(vec![here, waiting.clone(), which]));
                }
            }
        }
        Hook::TwoSetters | Hook::Unbalanced => {
            let Some(var) = var else { return Test::Never };
            let mut setters: Vec<(u16, Test)> = Vec::new();
            for (id, machine) in net.ids() {
                for (at, input) in machine.inputs.iter().enumerate() {
                    for rule in &input.rules {
                        for effect in &rule.effects {
                            let Some((_, Some(cases))) =
                                effect.sets.iter().find(|(other, _)| *other == var)
                            else {
                                continue;
                            };
                            let [(Test::Always, to)] = cases[..] else {
                                continue;
                            };
                            let here = equations.entered(net, id, Some(at as u16));
                            let guard = equations.translated(&rule.guard);
                            setters.push((to, Test::and(here, guard)));
                        }
                    }
                }
            }
            for (index, (to, when)) in setters.iter().enumerate() {
                if hook == Hook::Unbalanced {
                    let same = equations.translated(&Test::Is(var, *to));
                    bad.push(Test::and(when.clone(), same));
                    continue;
                }
                for (other, also) in &setters[..index] {
                    if other != to {
                        bad.push(Test::and(when.clone(), also.clone()));
                    }
                }
            }
        }
    }
    Test::any(bad)
}

/// An atom as a test of the equations' variables.
pub(crate) fn atom_test(net: &Net, equations: &Equations, atom: &Atom) -> Test {
    match atom {
        Atom::Test(test) => equations.translated(test),
        Atom::Fired(id, out) => equations.fired(net, *id, *out),
        Atom::Entered(id, input) => equations.entered(net, *id, *input),
    }
}

fn is_bool(equation: &Equation) -> bool {
    equation.values == ["false", "true"]
}

fn set(program: &mut Program, ty: &Type, values: &[u16]) -> ValueSet {
    let value = |program: &mut Program, at: u16| {
        ValueSet::One(match ty {
            Type::Bool => program.exprs.bool(at == 1),
            _ => program.exprs.int(i128::from(at), ty.clone()),
        })
    };
    match values {
        [one] => value(program, *one),
        _ => ValueSet::Union(values.iter().map(|&at| value(program, at)).collect()),
    }
}
