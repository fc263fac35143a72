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
    /// Of each variable of the equations, if anything depends on it.
    globals: Vec<Option<(GlobalId, Type)>>,
    hooks: Vec<ExprId>,
}

impl<'a> Edges<'a> {
    /// Of a net. If it is known which atoms are spoken of, only what these and the checks that
    /// are watched depend on becomes part of the program.
    pub(crate) fn new(
        name: &str,
        net: &'a Net,
        watched: &Watched,
        spoken_of: Option<&[Atom]>,
    ) -> Edges<'a> {
        let mut program = Program::new(name, "node graph");
        program.finite_runs = FiniteRuns::InfiniteOnly;
        let equations = Equations::of(net, false);
        let mut enums: std::collections::HashMap<&[String], EnumId> = Default::default();
        let bad: Vec<Test> = watched
            .hooks
            .iter()
            .map(|(hook, _, var)| bad(net, &equations, *hook, *var))
            .collect();
        let is_used = match spoken_of {
            Some(atoms) => depended_on(net, &equations, atoms, &bad),
            None => vec![true; equations.vars.len()],
        };
        let mut globals = Vec::new();
        for (equation, &is_used) in equations.vars.iter().zip(&is_used) {
            if !is_used {
                globals.push(None);
                continue;
            }
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
            globals.push(Some((global, ty)));
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
            let Some((global, ty)) = edges.globals[index].clone() else {
                continue;
            };
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
        for bad in bad {
            let good = edges.expr(&Test::not(bad));
            edges.hooks.push(good);
        }
        edges
    }

    fn is(&self, expr: ExprId, value: bool) -> bool {
        self.program.exprs.constant(expr) == Some(&model::Value::Bool(value))
    }

    fn global(&self, var: VarId) -> &(GlobalId, Type) {
        let global = self.globals[var.index()].as_ref();
        global.expect("what is read is depended on")
    }

    fn load(&mut self, var: VarId) -> ExprId {
        let (global, ty) = self.global(var);
        let (place, ty) = (Place::global(*global), ty.clone());
        self.program.exprs.load(place, ty)
    }

    /// A test of the equations' variables.
    fn expr(&mut self, test: &Test) -> ExprId {
        match test {
            Test::Always => self.program.exprs.bool(true),
            Test::Never => self.program.exprs.bool(false),
            Test::Is(var, at) => {
                let load = self.load(*var);
                let ty = self.global(*var).1.clone();
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
            for (id, machine) in net.ids().filter(|(_, machine)| !machine.hidden) {
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

/// Which variables of the equations these atoms and tests, or the ends of waits, depend on.
fn depended_on(net: &Net, equations: &Equations, atoms: &[Atom], tests: &[Test]) -> Vec<bool> {
    let mut is_used = vec![false; equations.vars.len()];
    let mut open: Vec<VarId> = equations.waits.iter().map(|(_, var, _)| *var).collect();
    let read = atoms.iter().map(|atom| atom_test(net, equations, atom));
    for test in read.chain(tests.iter().cloned()) {
        test.vars(&mut |var| open.push(var));
    }
    while let Some(var) = open.pop() {
        if !std::mem::replace(&mut is_used[var.index()], true) {
            for (test, _) in &equations.vars[var.index()].cases {
                test.vars(&mut |var| open.push(var));
            }
        }
    }
    is_used
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
