//! Expressions as bits.
//!
//! Values are total: an expression that faults has some value, and [`Trouble`] says when it
//! faults. What is evaluated only on a condition (`and`, `or`, if-then-else) faults only under it.
//! Expressions are walked by number, operands first, so depth costs no stack.

use std::collections::{HashMap, HashSet};

use model::{
    Binary, Expr, ExprId, FunctionId, Place, ProcedureId, Projection, Root, Type, Unary, Value,
};

use super::bits::Bits;
use super::trouble::Trouble;
use super::{Encoding, Unsupported};
use crate::aig::Lit;
use crate::words::Word;

/// A state as bits.
#[derive(Clone, Default, Debug)]
pub(crate) struct Store {
    /// The global variables.
    pub(crate) globals: Vec<Bits>,
    /// The instances, by their numbers.
    pub(crate) instances: Vec<InstanceBits>,
    /// The channels, in the order of their references.
    pub(crate) channels: Vec<QueueBits>,
    /// The exclusive holder's number plus one; 0 is nobody.
    pub(crate) holder: Word,
}

/// An instance as bits.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct InstanceBits {
    /// Where it is, by the codes of its [`Control`](super::interleaved::Control).
    pub(crate) location: Word,
    /// Parameters and locals.
    pub(crate) frame: Vec<Bits>,
    /// For each procedure its call, if it is open.
    pub(crate) calls: Vec<CallBits>,
}

/// A call of a procedure as bits.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CallBits {
    /// Which of the steps that call the procedure did.
    pub(crate) site: Word,
    /// Parameters and locals.
    pub(crate) locals: Vec<Bits>,
}

/// A channel as bits.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct QueueBits {
    /// How many messages there are.
    pub(crate) length: Word,
    /// Messages, oldest first; places beyond the length are zero.
    pub(crate) messages: Vec<Vec<Bits>>,
}

impl Store {
    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope {
            store: self,
            next: &[],
            me: None,
            procedure: None,
            arguments: &[],
            asked: Asked::default(),
        }
    }
}

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) store: &'a Store,
    /// The next state's globals, as far as they are known.
    pub(crate) next: &'a [Option<Bits>],
    /// The instance that evaluates.
    pub(crate) me: Option<usize>,
    /// The procedure it is in.
    pub(crate) procedure: Option<ProcedureId>,
    /// The arguments of the observed event.
    pub(crate) arguments: &'a [Bits],
    pub(crate) asked: Asked<'a>,
}

/// What is known of who can move, where expressions ask.
#[derive(Clone, Copy, Default)]
pub(crate) struct Asked<'a> {
    /// Whether nobody can.
    pub(crate) nothing: Option<Lit>,
    /// Whether each instance can.
    pub(crate) enabled: Option<&'a [Lit]>,
}

/// The value of an expression, and when it has none.
#[derive(Clone, Debug)]
pub(crate) struct Evaluated {
    pub(crate) value: Bits,
    pub(crate) trouble: Trouble,
}

/// Expressions that have been evaluated in one scope.
pub(crate) type Memo = HashMap<ExprId, Evaluated>;

pub(super) fn sound(value: Bits) -> Evaluated {
    Evaluated {
        value,
        trouble: Trouble::default(),
    }
}

impl Encoding<'_> {
    /// Where a truth expression holds; where it faults it does not.
    pub(super) fn holds(
        &mut self,
        scope: &Scope<'_>,
        memo: &mut Memo,
        expr: ExprId,
    ) -> Result<Lit, Unsupported> {
        let found = self.eval(scope, memo, expr)?;
        let aig = &mut self.circuit.aig;
        let (truth, trouble) = (found.value.truth(aig), found.trouble.any(aig));
        Ok(aig.and(truth, !trouble))
    }

    /// The value of an expression. `memo` belongs to the scope.
    pub(super) fn eval(
        &mut self,
        scope: &Scope<'_>,
        memo: &mut Memo,
        root: ExprId,
    ) -> Result<Evaluated, Unsupported> {
        let exprs = &self.program.exprs;
        let mut needed = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !memo.contains_key(&id) && seen.insert(id) {
                needed.push(id);
                exprs.operands(id, |operand| open.push(operand));
            }
        }
        needed.sort_unstable();
        for id in needed {
            let found = self.node(scope, memo, id)?;
            memo.insert(id, found);
        }
        Ok(memo[&root].clone())
    }

    fn node(
        &mut self,
        scope: &Scope<'_>,
        memo: &Memo,
        id: ExprId,
    ) -> Result<Evaluated, Unsupported> {
        let program = self.program;
        let ty = program.exprs.ty(id);
        Ok(match program.exprs.get(id) {
            Expr::Const(value) => sound(self.constant(value)?),
            Expr::Load(place) => self.load(scope, memo, place)?,
            Expr::Next(global) => match scope.next.get(global.index()) {
                Some(Some(bits)) => sound(bits.clone()),
                _ => return Err(Unsupported::new("a next value before it is assigned")),
            },
            Expr::Unary(op, operand) => {
                let Evaluated { value, trouble } = memo[operand].clone();
                let aig = &mut self.circuit.aig;
                let value = match op {
                    Unary::Not => Bits::Bool(!value.truth(aig)),
                    _ => Bits::Word(aig.unary(*op, &value.word(), ty)),
                };
                Evaluated { value, trouble }
            }
            Expr::Binary(op, left, right) => self.binary(memo, *op, *left, *right, ty)?,
            Expr::Ite(condition, then, otherwise) => {
                let (then, otherwise) = (memo[then].clone(), memo[otherwise].clone());
                let condition = memo[condition].clone();
                let aig = &mut self.circuit.aig;
                let chosen = condition.value.truth(aig);
                let yes = then.trouble.under(aig, chosen);
                let no = otherwise.trouble.under(aig, !chosen);
                let trouble = condition.trouble.then(aig, &yes).then(aig, &no);
                let value = aig.mux_value(chosen, &then.value, &otherwise.value);
                Evaluated { value, trouble }
            }
            Expr::Convert(operand) => {
                let Evaluated { value, trouble } = memo[operand].clone();
                let value = match *ty {
                    Type::Bool => Bits::Bool(value.truth(&mut self.circuit.aig)),
                    Type::Int { bits, signed } => {
                        Bits::Word(value.word().wrapped(bits.into(), signed))
                    }
                    _ => Bits::Word(value.word()),
                };
                Evaluated { value, trouble }
            }
            Expr::Tuple(items) => {
                let (values, trouble) = self.in_order(memo, items);
                Evaluated {
                    value: Bits::Tuple(values),
                    trouble,
                }
            }
            Expr::Apply(function, args) => self.apply(memo, *function, args)?,
            _ => self.about_control(scope, memo, id)?,
        })
    }

    /// A function of constants is what it is. Any other has no encoding: its result may be any
    /// value of its type, which adds runs; see [`Encoding::approximated`].
    fn apply(
        &mut self,
        memo: &Memo,
        function: FunctionId,
        args: &[ExprId],
    ) -> Result<Evaluated, Unsupported> {
        let program = self.program;
        let declared = &program.functions[function.index()];
        let (values, trouble) = self.in_order(memo, args);
        let exprs = &program.exprs;
        let constants: Option<Vec<Value>> = args
            .iter()
            .map(|&arg| exprs.constant(arg).cloned())
            .collect();
        if let Some(constants) = constants {
            return match (declared.eval)(&program.rich, &constants) {
                Ok(value) => Ok(Evaluated {
                    value: self.constant(&value)?,
                    trouble,
                }),
                Err(fault) => {
                    let value = self.constant(&program.zero(&declared.result))?;
                    let raised = Trouble::fault(fault, Lit::TRUE);
                    let trouble = trouble.then(&mut self.circuit.aig, &raised);
                    Ok(Evaluated { value, trouble })
                }
            };
        }
        if declared.can_fault {
            let name = &declared.name;
            return Err(Unsupported::new(format!(
                "the function `{name}`, which may fault"
            )));
        }
        if !self.approximated.contains(&declared.name) {
            self.approximated.push(declared.name.clone());
        }
        // The same arguments give the same result, wherever that is asked.
        let key = (function, values);
        if let Some((_, known)) = self.results.iter().find(|(other, _)| *other == key) {
            return Ok(Evaluated {
                value: known.clone(),
                trouble,
            });
        }
        let fresh = &mut |this: &mut Self, name: String| this.circuit.input(name);
        let value = self.fresh(&declared.result, &declared.name, fresh)?;
        self.results.push((key, value.clone()));
        Ok(Evaluated { value, trouble })
    }

    /// Values and what goes wrong on the way, one after the other.
    pub(super) fn in_order(&mut self, memo: &Memo, items: &[ExprId]) -> (Vec<Bits>, Trouble) {
        let mut trouble = Trouble::default();
        let mut values = Vec::new();
        for item in items {
            let item = memo[item].clone();
            trouble = trouble.then(&mut self.circuit.aig, &item.trouble);
            values.push(item.value);
        }
        (values, trouble)
    }

    /// A constant as bits.
    pub(super) fn constant(&mut self, value: &Value) -> Result<Bits, Unsupported> {
        Ok(match value {
            Value::Bool(truth) => Bits::Bool(Lit::constant(*truth)),
            Value::Int(number) => Bits::Word(Word::constant(*number)),
            Value::Rich(id) => {
                let code = self.rich_code(*id);
                if code >= 1 << super::layout::RICH_WIDTH {
                    return Err(Unsupported::new("so many texts and lists"));
                }
                Bits::Rich(Word::constant(code as i128))
            }
            Value::Tuple(items) => {
                let items = items.iter().map(|item| self.constant(item));
                Bits::Tuple(items.collect::<Result<_, _>>()?)
            }
            Value::Pointer(_) => return Err(Unsupported::new("a pointer")),
            Value::Procedure(id) => Bits::Word(Word::constant(id.index() as i128)),
        })
    }

    fn binary(
        &mut self,
        memo: &Memo,
        op: Binary,
        left: ExprId,
        right: ExprId,
        ty: &Type,
    ) -> Result<Evaluated, Unsupported> {
        let (a, b) = (memo[&left].clone(), memo[&right].clone());
        let aig = &mut self.circuit.aig;
        if let Binary::And | Binary::Or = op {
            let (p, q) = (a.value.truth(aig), b.value.truth(aig));
            let asked = p.invert_if(op == Binary::Or);
            let second = b.trouble.under(aig, asked);
            let trouble = a.trouble.then(aig, &second);
            let value = match op {
                Binary::And => aig.and(p, q),
                _ => aig.or(p, q),
            };
            return Ok(Evaluated {
                value: Bits::Bool(value),
                trouble,
            });
        }
        let mut trouble = a.trouble.then(aig, &b.trouble);
        let value = match op {
            Binary::Eq => Bits::Bool(aig.eq_value(&a.value, &b.value)),
            Binary::Ne => Bits::Bool(!aig.eq_value(&a.value, &b.value)),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor if *ty == Type::Bool => {
                let (p, q) = (a.value.truth(aig), b.value.truth(aig));
                Bits::Bool(match op {
                    Binary::BitAnd => aig.and(p, q),
                    Binary::BitOr => aig.or(p, q),
                    _ => aig.xor(p, q),
                })
            }
            _ => {
                let (a, b) = (a.value.word(), b.value.word());
                if let Binary::Div | Binary::Rem = op {
                    let zero = !aig.nonzero(&b);
                    trouble = self.fault_when(trouble, self.program.division_fault, zero)?;
                }
                let aig = &mut self.circuit.aig;
                let Some(word) = aig.binary(op, &a, &b, ty) else {
                    return Err(Unsupported::new("numbers of more than 127 bits"));
                };
                if let Binary::Lt | Binary::Le = op {
                    Bits::Bool(word.bit(0))
                } else {
                    Bits::Word(word)
                }
            }
        };
        Ok(Evaluated { value, trouble })
    }

    /// One more fault behind others. A condition that is never true needs no declared fault.
    pub(super) fn fault_when(
        &mut self,
        before: Trouble,
        fault: Option<model::FaultId>,
        when: Lit,
    ) -> Result<Trouble, Unsupported> {
        if when == Lit::FALSE {
            return Ok(before);
        }
        // A fault that nobody declared is one that cannot happen, or that removes the step.
        let fault = fault.unwrap_or(UNDECLARED);
        Ok(before.then(&mut self.circuit.aig, &Trouble::fault(fault, when)))
    }

    fn load(
        &mut self,
        scope: &Scope<'_>,
        memo: &Memo,
        place: &Place,
    ) -> Result<Evaluated, Unsupported> {
        let value = match place.root {
            Root::Global(id) => match scope.store.globals.get(id.index()) {
                Some(bits) => bits.clone(),
                None => return Err(Unsupported::new("a variable that is not there yet")),
            },
            Root::Cell(_) => return Err(Unsupported::new("objects made at run time")),
            Root::Argument(argument) => scope.arguments[argument as usize].clone(),
            Root::Own(local) => self.myself(scope)?.frame[local as usize].clone(),
            Root::Frame(local) => {
                let procedure = scope.procedure.ok_or_else(no_process)?;
                self.myself(scope)?.calls[procedure.index()].locals[local as usize].clone()
            }
            Root::Remote {
                instance,
                process,
                local,
            } => return self.remote(scope, memo, place, (instance, process, local)),
        };
        self.project(memo, value, &place.path)
    }

    /// Down into a value.
    pub(super) fn project(
        &mut self,
        memo: &Memo,
        mut value: Bits,
        path: &[Projection],
    ) -> Result<Evaluated, Unsupported> {
        let mut trouble = Trouble::default();
        for projection in path {
            let Bits::Tuple(items) = value else {
                panic!("internal error: {value:?} has no parts");
            };
            value = match projection {
                Projection::Field(field) => items[*field as usize].clone(),
                Projection::Index(index) => {
                    let index = memo[index].clone();
                    let word = index.value.word();
                    trouble = trouble.then(&mut self.circuit.aig, &index.trouble);
                    let aig = &mut self.circuit.aig;
                    let last = items.len() as i128 - 1;
                    let within = super::layout::is_within(aig, 0, &word, last);
                    trouble = self.fault_when(trouble, self.program.index_fault, !within)?;
                    self.circuit.aig.pick(&items, &word)
                }
            };
        }
        Ok(Evaluated { value, trouble })
    }
}

impl Encoding<'_> {
    fn myself<'s>(&self, scope: &Scope<'s>) -> Result<&'s InstanceBits, Unsupported> {
        let me = scope.me.ok_or_else(no_process)?;
        scope.store.instances.get(me).ok_or_else(no_process)
    }
}

fn no_process() -> Unsupported {
    Unsupported::new("a local variable where no process is")
}

/// Stands for a fault that the program does not declare.
pub(super) const UNDECLARED: model::FaultId = model::FaultId(u32::MAX);
