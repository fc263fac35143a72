//! Random programs whose variables all move at once, with and without the memory of what variables can only become.
//!
//! Both interpreters are asked the same, of states in any order: for all successors with their choices, and whether steps
//! are taken that are given, many of which are none. The answers have to be equal, word for word.

use fastrand::Rng;
use model::interp::{Interp, State};
use model::{
    Action, Binary, Composition, Expr, ExprId, Fault, FaultId, Function, FunctionId, GlobalId,
    MacroStep, Move, Part, Place, Program, Projection, Root, StepId, SyncAssign, Type, Unary,
    Value, ValueSet, Variable, VariableKind,
};

const PROGRAMS: u64 = 400;

/// States that are asked about, of each program.
const ASKED: usize = 40;

/// The elements of the one array.
const ELEMENTS: u32 = 3;

/// Makes programs that use every form of an expression that such programs may use, well or badly.
struct Maker {
    random: Rng,
    program: Program,
    /// Variables by what they hold: truth values, numbers, and one array of numbers.
    truths: Vec<GlobalId>,
    numbers: Vec<GlobalId>,
    array: GlobalId,
    half: FunctionId,
}

fn array_type() -> Type {
    Type::Array(Box::new(Type::Mathint), ELEMENTS)
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut random = Rng::with_seed(seed);
        let mut program = Program::new("many", "random");
        let fault = |name: &str| Fault {
            name: name.to_owned(),
            message: name.to_owned(),
        };
        program.division_fault = Some(program.add_fault(fault("division")));
        program.index_fault = Some(program.add_fault(fault("index")));
        let half = program.add_function(Function {
            name: "half".to_owned(),
            parameters: vec![Type::Mathint],
            result: Type::Mathint,
            eval: |_, values| match values[0].number() {
                number if number % 2 == 0 => Ok(Value::Int(number / 2)),
                _ => Err(FaultId::new(0)),
            },
            can_fault: true,
        });
        let array = program.add_global(Variable::new("array", array_type()));
        let mut truths = Vec::new();
        for number in 0..random.usize(1..4) {
            let mut variable = Variable::new(format!("b{number}"), Type::Bool);
            variable.init = Some(ValueSet::All(Type::Bool));
            if random.u8(..5) == 0 {
                variable.kind = VariableKind::Frozen;
            }
            truths.push(program.add_global(variable));
        }
        let mut numbers = Vec::new();
        for number in 0..random.usize(2..5) {
            let byte = Type::Int {
                bits: 8,
                signed: false,
            };
            let types = [Type::Range { lo: 0, hi: 3 }, byte, Type::Mathint];
            let ty = types[random.usize(..types.len())].clone();
            numbers.push(program.add_global(Variable::new(format!("n{number}"), ty)));
        }
        Maker {
            random,
            program,
            truths,
            numbers,
            array,
            half,
        }
    }

    fn constant(&mut self) -> ExprId {
        // Sums and products of the last leave 128 bits.
        let number = match self.random.u8(..24) {
            0 => i128::MAX - 1,
            _ => self.random.i128(-1..4),
        };
        self.program.exprs.int(number, Type::Mathint)
    }

    fn variable(&mut self, is_number: bool) -> GlobalId {
        let among = match is_number {
            true => &self.numbers,
            false => &self.truths,
        };
        among[self.random.usize(..among.len())]
    }

    /// What a variable is, or sometimes will be.
    fn read(&mut self, is_number: bool) -> ExprId {
        let global = self.variable(is_number);
        let ty = self.program.globals[global.index()].ty.clone();
        match self.random.u8(..12) {
            0 => self.program.exprs.add(Expr::Next(global), ty),
            _ => self.program.exprs.load(Place::global(global), ty),
        }
    }

    fn element(&mut self, depth: u32) -> ExprId {
        let index = match self.random.u8(..3) {
            0 => self.number(depth),
            _ => {
                let index = self.random.i128(0..ELEMENTS.into());
                self.program.exprs.int(index, Type::Mathint)
            }
        };
        let place = Place {
            root: Root::Global(self.array),
            path: vec![Projection::Index(index)],
        };
        self.program.exprs.load(place, Type::Mathint)
    }

    fn number(&mut self, depth: u32) -> ExprId {
        let kind = match depth {
            0 => self.random.u8(..4),
            _ => self.random.u8(..20),
        };
        let deeper = depth.saturating_sub(1);
        let expr = match kind {
            0 => return self.constant(),
            1..4 => return self.read(true),
            4 => return self.element(deeper),
            5 => Expr::Convert(self.truth(deeper)),
            6 => Expr::Apply(self.half, vec![self.number(deeper)]),
            7 => Expr::Unary(Unary::Neg, self.number(deeper)),
            8 | 9 => Expr::Ite(self.truth(deeper), self.number(deeper), self.number(deeper)),
            _ => {
                let op = match self.random.u8(..12) {
                    0 => Binary::Div,
                    1 => Binary::Rem,
                    2..5 => Binary::Mul,
                    5..8 => Binary::Sub,
                    _ => Binary::Add,
                };
                Expr::Binary(op, self.number(deeper), self.number(deeper))
            }
        };
        self.program.exprs.add(expr, Type::Mathint)
    }

    fn truth(&mut self, depth: u32) -> ExprId {
        let kind = match depth {
            0 => self.random.u8(..3),
            _ => self.random.u8(..8),
        };
        let deeper = depth.saturating_sub(1);
        let expr = match kind {
            0..3 => return self.read(false),
            3 => Expr::Unary(Unary::Not, self.truth(deeper)),
            4 | 5 => {
                let op = [Binary::And, Binary::Or][self.random.usize(..2)];
                Expr::Binary(op, self.truth(deeper), self.truth(deeper))
            }
            _ => {
                let op = [Binary::Eq, Binary::Lt, Binary::Le][self.random.usize(..3)];
                Expr::Binary(op, self.number(deeper), self.number(deeper))
            }
        };
        self.program.exprs.add(expr, Type::Bool)
    }

    /// A value that fits a variable's type as a rule: a number may be any.
    fn value(&mut self, ty: &Type) -> ExprId {
        match ty {
            Type::Bool => self.truth(2),
            Type::Array(..) => match self.random.bool() {
                true => {
                    let array = Place::global(self.array);
                    self.program.exprs.load(array, array_type())
                }
                false => {
                    let items = (0..ELEMENTS).map(|_| self.number(1)).collect();
                    self.program.exprs.add(Expr::Tuple(items), array_type())
                }
            },
            Type::Int { .. } => {
                let value = self.number(2);
                self.program.exprs.add(Expr::Convert(value), ty.clone())
            }
            // Most stay within four values.
            Type::Range { .. } if self.random.u8(..12) > 0 => {
                let value = self.number(1);
                let three = self.program.exprs.int(3, Type::Mathint);
                let all = Expr::Binary(Binary::BitAnd, value, three);
                self.program.exprs.add(all, Type::Mathint)
            }
            _ => self.number(2),
        }
    }

    fn set(&mut self, ty: &Type, depth: u32) -> ValueSet {
        match self.random.u8(..24) {
            0 if ty.bounds().is_some_and(|(lo, hi)| hi - lo < 4) => ValueSet::All(ty.clone()),
            1 if !matches!(ty, Type::Bool | Type::Array(..)) => {
                let lo = self.constant();
                ValueSet::Between(lo, self.constant())
            }
            2 if depth > 0 => {
                let least = usize::from(self.random.u8(..4) > 0);
                let sets = (least..self.random.usize(1..4)).map(|_| self.set(ty, depth - 1));
                ValueSet::Union(sets.collect())
            }
            3..10 if depth > 0 => {
                let test = self.truth(2);
                let [then, otherwise] = [(); 2].map(|()| Box::new(self.set(ty, depth - 1)));
                ValueSet::Ite(test, then, otherwise)
            }
            _ => ValueSet::One(self.value(ty)),
        }
    }

    fn made(mut self) -> Program {
        let mut order: Vec<usize> = (0..self.program.globals.len()).collect();
        self.random.shuffle(&mut order);
        let mut assigns = Vec::new();
        for at in order {
            let variable = self.program.globals[at].clone();
            let is_free = variable.ty == Type::Bool && self.random.u8(..8) == 0;
            if variable.kind != VariableKind::Frozen && !is_free {
                let next = self.set(&variable.ty, 2);
                let global = GlobalId::new(at);
                assigns.push(SyncAssign { global, next });
            }
        }
        self.program.composition = Composition::Synchronous(assigns);
        if self.random.u8(..6) == 0 {
            let constraint = self.truth(1);
            self.program.relation.push(constraint);
        }
        self.program
    }
}

/// A step that is given: one that there is, or one that is a little different.
fn given(random: &mut Rng, choices: &[Value]) -> MacroStep {
    let mut choices = choices.to_vec();
    match random.u8(..4) {
        0 => {
            choices.pop();
        }
        1 => choices.push(Value::Int(0)),
        2 if !choices.is_empty() => {
            let at = random.usize(..choices.len());
            choices[at] = match random.bool() {
                true => Value::Bool(random.bool()),
                false => Value::Int(random.i128(0..4)),
            };
        }
        _ => {}
    }
    MacroStep {
        moves: vec![Move {
            parts: vec![Part {
                instance: 0,
                action: Action::Step(StepId(0)),
            }],
            choices,
        }],
    }
}

#[test]
fn what_is_remembered_changes_nothing() {
    let (mut moved, mut stuck, mut overflows, mut taken, mut refused) = (0, 0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let program = Maker::new(seed).made();
        let mut random = Rng::with_seed(seed);
        let with = Interp::new(&program).with_sleepers_from(0);
        let without = Interp::new(&program).with_sleepers_from(usize::MAX);
        let first = without.initial().expect("truth values are few");
        let mut states: Vec<State> = first.into_iter().map(|(_, state)| state).collect();
        let mut choices: Vec<Value> = Vec::new();
        for _ in 0..ASKED {
            let state = states[random.usize(..states.len())].clone();
            let (mine, plain) = (with.expand(&state), without.expand(&state));
            assert_eq!(
                format!("{mine:?}"),
                format!("{plain:?}"),
                "program {seed}\n{program:?}"
            );
            match plain {
                Err(_) => overflows += 1,
                Ok(expansion) if expansion.successors.is_empty() => stuck += 1,
                Ok(mut expansion) => {
                    moved += 1;
                    let successors = &mut expansion.successors;
                    let one = successors.swap_remove(random.usize(..successors.len()));
                    choices.clone_from(&one.step.moves[0].choices);
                    states.push(one.state);
                }
            }
            let step = given(&mut random, &choices);
            let (mine, plain) = (
                with.replay_step(0, &state, &step),
                without.replay_step(0, &state, &step),
            );
            assert_eq!(
                format!("{mine:?}"),
                format!("{plain:?}"),
                "program {seed}\n{program:?}"
            );
            match plain {
                Ok(_) => taken += 1,
                Err(_) => refused += 1,
            }
        }
    }
    let all = [moved, stuck, overflows, taken, refused];
    assert!(
        [moved, stuck, taken, refused]
            .iter()
            .all(|&count| count > 2_000)
            && overflows > 20,
        "{all:?}"
    );
}
