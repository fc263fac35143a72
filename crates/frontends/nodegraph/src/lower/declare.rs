//! What both timings declare alike: variables, and expressions for conditions.

use std::collections::HashMap;

use model::{
    Binary, EnumDecl, EnumId, ExprId, GlobalId, Place, Program, Type, ValueSet, Variable,
    VariableKind,
};

use crate::net::{Net, Test, Update, Value, Var, VarId};

/// The variables of a net as variables of a program.
pub(crate) struct Declared {
    globals: Vec<(GlobalId, Type)>,
    /// Where the old values of variables are while several change at once.
    old: HashMap<VarId, GlobalId>,
}

impl Declared {
    /// Declares all variables of a net.
    pub(crate) fn of(net: &Net, program: &mut Program) -> Declared {
        let mut globals = Vec::with_capacity(net.vars.len());
        // Nodes of one kind share the names of their states.
        let mut enums: HashMap<Vec<Value>, EnumId> = Default::default();
        for var in &net.vars {
            let ty = type_of(var, program, &mut enums);
            let mut first: Vec<ValueSet> = Vec::new();
            for &at in &var.first {
                first.push(ValueSet::One(constant(program, var, &ty, at)));
            }
            let init = match first.len() {
                1 => first.remove(0),
                _ if first.len() == var.values.len() => ValueSet::All(ty.clone()),
                _ => ValueSet::Union(first),
            };
            let id = program.add_global(Variable {
                name: var.name.clone(),
                ty: ty.clone(),
                init: Some(init),
                kind: VariableKind::State,
                span: var.span,
            });
            globals.push((id, ty));
        }
        let old = HashMap::new();
        Declared { globals, old }
    }

    pub(crate) fn global(&self, var: VarId) -> GlobalId {
        self.globals[var.index()].0
    }

    /// Its type.
    pub(crate) fn type_of(&self, var: VarId) -> &Type {
        &self.globals[var.index()].1
    }

    /// From here on, tests read these variables elsewhere.
    pub(crate) fn read_instead(&mut self, old: HashMap<VarId, GlobalId>) {
        self.old = old;
    }

    /// A condition.
    pub(crate) fn test(&self, net: &Net, program: &mut Program, test: &Test) -> ExprId {
        match test {
            Test::Always => program.exprs.bool(true),
            Test::Never => program.exprs.bool(false),
            Test::Is(var, at) => {
                let (global, ty) = &self.globals[var.index()];
                let global = self.old.get(var).unwrap_or(global);
                let load = program.exprs.load(Place::global(*global), ty.clone());
                if *ty == Type::Bool {
                    return match at {
                        0 => program.exprs.not(load),
                        _ => load,
                    };
                }
                let value = constant(program, net.var(*var), ty, *at);
                program.exprs.binary(Binary::Eq, load, value)
            }
            Test::Not(inner) => {
                let inner = self.test(net, program, inner);
                program.exprs.not(inner)
            }
            Test::All(tests) => self.joined(net, program, tests, true),
            Test::Any(tests) => self.joined(net, program, tests, false),
        }
    }

    /// A balanced tree: conditions over many nodes must not nest deeply.
    fn joined(&self, net: &Net, program: &mut Program, tests: &[Test], all: bool) -> ExprId {
        let operands = tests.iter().map(|test| self.test(net, program, test));
        let operands = operands.collect();
        joined(program, operands, all)
    }

    /// A new value as a set to choose from.
    pub(crate) fn update(
        &self,
        net: &Net,
        program: &mut Program,
        var: VarId,
        update: &Update,
    ) -> ValueSet {
        let ty = self.globals[var.index()].1.clone();
        let Some(cases) = update else {
            return ValueSet::All(ty);
        };
        let mut set: Option<ValueSet> = None;
        for (test, at) in cases.iter().rev() {
            let value = ValueSet::One(constant(program, net.var(var), &ty, *at));
            set = Some(match set {
                None => value,
                Some(rest) => {
                    let test = self.test(net, program, test);
                    ValueSet::Ite(test, Box::new(value), Box::new(rest))
                }
            });
        }
        set.unwrap_or(ValueSet::All(ty))
    }
}

/// The conjunction or disjunction of any number of conditions.
pub(crate) fn joined(program: &mut Program, mut operands: Vec<ExprId>, all: bool) -> ExprId {
    if operands.is_empty() {
        return program.exprs.bool(all);
    }
    while operands.len() > 1 {
        operands = operands
            .chunks(2)
            .map(|pair| match *pair {
                [a, b] if all => program.exprs.and(a, b),
                [a, b] => program.exprs.or(a, b),
                _ => pair[0],
            })
            .collect();
    }
    operands[0]
}

/// A constant of a variable's type.
fn constant(program: &mut Program, var: &Var, ty: &Type, at: u16) -> ExprId {
    match (&var.values[usize::from(at)], ty) {
        (Value::Bool(value), Type::Bool) => program.exprs.bool(*value),
        (Value::Int(number), Type::Range { .. }) => {
            program.exprs.int(i128::from(*number), ty.clone())
        }
        _ => program.exprs.int(i128::from(at), ty.clone()),
    }
}

fn type_of(var: &Var, program: &mut Program, enums: &mut HashMap<Vec<Value>, EnumId>) -> Type {
    if var.is_bool() {
        return Type::Bool;
    }
    if let Some((lo, hi)) = var.bounds() {
        return Type::Range { lo, hi };
    }
    let id = *enums.entry(var.values.clone()).or_insert_with(|| {
        program.add_enum(EnumDecl {
            name: var.name.clone(),
            members: var.values.iter().map(ToString::to_string).collect(),
        })
    });
    Type::Enum(id)
}
