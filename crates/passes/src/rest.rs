//! Where a program whose variables all move at once is at rest, by the values of its variables.
//!
//! For each variable a set of values, its *rest*: as long as all that a variable reads, and the variable itself,
//! have values of their rests, it keeps its value. A variable that always may move (a free input) has a rest as well, so
//! that those who read it have one, and is said to be [always moving](Rest::moves).
//!
//! Rests are found by an analysis of sets of values that knows no relations between variables (Cousot and Cousot 1977):
//! component by component of the graph of who reads whom, what is read first. In a component, first
//! values are where the search begins; the values that are kept beside these are the candidates, and those of them
//! that are not kept among candidates are taken away until none is. What is left is closed, however it was guessed.

use logic::scc::each_component;
use model::{
    Binary, Composition, Expr, ExprId, GlobalId, Program, Root, Type, Unary, Value, ValueSet,
    VariableKind,
};

use crate::sequential::fits;

/// The most values of a type.
const MOST_VALUES: usize = 64;
/// The most expressions in what a variable becomes, written out,
const LARGEST: u32 = 1 << 16;
/// in what all variables become,
const LARGEST_ALL: u64 = 1 << 22;
/// and how deep they are.
const DEEPEST: u32 = 1 << 12;
/// The most expressions that are evaluated in search of rests: where thousands of variables read each other in a
/// circle, they may lose their candidates one by one, and that would not pay.
const MOST_WORK: u64 = 1 << 28;

/// A set of values of one variable, as bits: `false` and `true`, or members of an enumeration.
pub(crate) type Values = u64;

/// When a program is at rest.
pub(crate) struct Rest {
    /// For each variable all of its values,
    pub(crate) all: Vec<Values>,
    /// and its rest.
    pub(crate) of: Vec<Values>,
    /// Whether it may move even if all is at rest.
    pub(crate) moves: Vec<bool>,
    /// The variables that each reads, itself aside.
    pub(crate) reads: Vec<Vec<u32>>,
    /// Components of variables that read each other, what is read first.
    pub(crate) components: Vec<Vec<u32>>,
    /// What each variable becomes; nothing if it never changes.
    pub(crate) next: Vec<Option<ValueSet>>,
}

impl Rest {
    /// Of a program in which truth values and members of enumerations move at once, and nothing relates
    /// them beside; of others nothing is known.
    pub(crate) fn of(program: &Program) -> Option<Rest> {
        let Composition::Synchronous(assigns) = &program.composition else {
            return None;
        };
        if !program.relation.is_empty() || !program.state_constraint.is_empty() {
            return None;
        }
        let all = program
            .globals
            .iter()
            .map(|global| values_of(program, &global.ty));
        let all: Vec<Values> = all.collect::<Option<_>>()?;
        // Those that live within a step are set back behind it, whether anything moves them or not.
        if program.globals.iter().any(|g| g.kind == VariableKind::Step) {
            return None;
        }
        let mut next: Vec<Option<ValueSet>> = vec![None; all.len()];
        for (at, global) in program.globals.iter().enumerate() {
            if global.kind != VariableKind::Frozen {
                next[at] = Some(ValueSet::All(global.ty.clone()));
            }
        }
        for assign in assigns {
            let ty = &program.globals[assign.global.index()].ty;
            if *ty != Type::Bool && !fits(program, &assign.next, ty) {
                return None;
            }
            next[assign.global.index()] = Some(assign.next.clone());
        }
        let mut reads: Vec<Vec<u32>> = Vec::new();
        let mut written_out = 0;
        for (at, set) in next.iter().enumerate() {
            let mut read = Vec::new();
            if let Some(set) = set {
                set.operands(&mut |id| written_out += u64::from(program.exprs.written_out(id)));
                if written_out > LARGEST_ALL {
                    return None;
                }
                read_by(program, set, 0, &mut read)?;
            }
            read.sort_unstable();
            read.dedup();
            read.retain(|&other| other as usize != at);
            reads.push(read);
        }
        let mut components: Vec<Vec<u32>> = Vec::new();
        let edge = |v: u32, at: usize| reads[v as usize].get(at).copied();
        each_component(all.len(), 0..all.len() as u32, edge, |component| {
            components.push(component.to_vec());
        });
        let first: Vec<Values> = (0..all.len())
            .map(|at| first_of(program, at, &all))
            .collect();
        let mut rest = Rest {
            of: first.clone(),
            moves: vec![false; all.len()],
            all,
            reads,
            components: Vec::new(),
            next,
        };
        let costs: Vec<u64> = (0..first.len()).map(|at| rest.cost(program, at)).collect();
        let mut work = MOST_WORK;
        for component in &components {
            rest.settle(program, component, &first, &mut |at| {
                work = work.checked_sub(costs[at])?;
                Some(())
            })?;
        }
        rest.components = components;
        Some(rest)
    }

    /// The most expressions that are evaluated to find out which values a variable keeps.
    fn cost(&self, program: &Program, at: usize) -> u64 {
        let mut sizes = 1;
        if let Some(set) = &self.next[at] {
            set.operands(&mut |id| sizes += u64::from(program.exprs.written_out(id)));
        }
        sizes * u64::from(self.all[at].count_ones())
    }

    /// Finds the rests of the variables of a component; those of all that they read beside are known. Nothing if
    /// `pay`, which is told of each variable that is looked at, says that it is enough.
    fn settle(
        &mut self,
        program: &Program,
        component: &[u32],
        first: &[Values],
        pay: &mut impl FnMut(usize) -> Option<()>,
    ) -> Option<()> {
        loop {
            for &at in component {
                self.of[at as usize] = first[at as usize];
            }
            let mut candidates: Vec<Values> = Vec::with_capacity(component.len());
            for &at in component {
                let at = at as usize;
                pay(at)?;
                candidates.push(match self.moves[at] {
                    true => first[at],
                    false => self.kept(program, at, self.all[at]),
                });
            }
            for (&at, candidates) in component.iter().zip(candidates) {
                self.of[at as usize] = candidates;
            }
            loop {
                let mut changed = false;
                for &at in component {
                    let at = at as usize;
                    if !self.moves[at] {
                        pay(at)?;
                        let kept = self.kept(program, at, self.of[at]);
                        changed |= kept != self.of[at];
                        self.of[at] = kept;
                    }
                }
                if !changed {
                    break;
                }
            }
            let mut restless = false;
            for &at in component {
                if self.of[at as usize] == 0 {
                    self.moves[at as usize] = true;
                    restless = true;
                }
            }
            if !restless {
                return Some(());
            }
        }
    }

    /// Those of some values that a variable keeps while all that it reads is at rest.
    fn kept(&mut self, program: &Program, at: usize, values: Values) -> Values {
        source::limits::check();
        let Some(set) = &self.next[at] else {
            return values;
        };
        let before = self.of[at];
        let mut kept = 0;
        for value in bits(values) {
            self.of[at] = 1 << value;
            let mut evaluation = Evaluation {
                program,
                of: &self.of,
            };
            if evaluation.set(set) == 1 << value {
                kept |= 1 << value;
            }
        }
        self.of[at] = before;
        kept
    }

    /// Whether what `reader` becomes may depend on which value of its rest a variable has.
    pub(crate) fn is_told_apart(&self, program: &Program, variable: usize, reader: usize) -> bool {
        let Some(set) = &self.next[reader] else {
            return false;
        };
        let mut roots = Vec::new();
        set.operands(&mut |id| roots.push(id));
        roots
            .into_iter()
            .any(|root| tells_apart(program, root, GlobalId::new(variable), self.of[variable]))
    }
}

/// The members of a set.
pub(crate) fn bits(values: Values) -> impl Iterator<Item = u32> {
    (0..Values::BITS).filter(move |bit| values >> bit & 1 != 0)
}

/// Values that a variable may have at first; at least one. Where the search for rests begins decides nothing, so
/// that it may be all where no better is known.
fn first_of(program: &Program, at: usize, all: &[Values]) -> Values {
    let Some(set) = &program.globals[at].init else {
        // The zero of its type.
        return 1;
    };
    let mut written_out = 0;
    set.operands(&mut |id| written_out += u64::from(program.exprs.written_out(id)));
    if written_out > u64::from(LARGEST) || read_by(program, set, 0, &mut Vec::new()).is_none() {
        return all[at];
    }
    let mut evaluation = Evaluation { program, of: all };
    match evaluation.set(set) & all[at] {
        0 => all[at],
        first => first,
    }
}

/// All values of a type, if there are few.
fn values_of(program: &Program, ty: &Type) -> Option<Values> {
    let count = match ty {
        Type::Bool => 2,
        Type::Enum(id) => program.enums[id.index()].members.len(),
        _ => return None,
    };
    match count {
        1..MOST_VALUES => Some((1 << count) - 1),
        _ => None,
    }
}

/// The variables that a set of values depends on; nothing if anything else is in it than tests of variables, or
/// if there may be no value in it: then nothing moves, and not only the variable keeps its value.
fn read_by(program: &Program, set: &ValueSet, depth: u32, read: &mut Vec<u32>) -> Option<()> {
    let depth = depth + 1;
    match set {
        _ if depth > DEEPEST => None,
        ValueSet::One(id) => vars_of(program, *id, depth, read),
        ValueSet::Between(..) => None,
        ValueSet::Union(sets) if sets.is_empty() => None,
        ValueSet::Union(sets) => sets
            .iter()
            .try_for_each(|set| read_by(program, set, depth, read)),
        ValueSet::Ite(test, then, otherwise) => {
            vars_of(program, *test, depth, read)?;
            read_by(program, then, depth, read)?;
            read_by(program, otherwise, depth, read)
        }
        ValueSet::All(_) => Some(()),
    }
}

/// The variables that an expression depends on, which is so deep in a set.
fn vars_of(program: &Program, root: ExprId, depth: u32, read: &mut Vec<u32>) -> Option<()> {
    if program.exprs.written_out(root) > LARGEST {
        return None;
    }
    let mut waiting = vec![(root, depth)];
    while let Some((id, depth)) = waiting.pop() {
        source::limits::check();
        if depth > DEEPEST || !matches!(program.exprs.ty(id), Type::Bool | Type::Enum(_)) {
            return None;
        }
        match program.exprs.get(id) {
            Expr::Const(Value::Bool(_)) => {}
            // Others have no bit that stands for them.
            Expr::Const(Value::Int(number)) if (0..MOST_VALUES as i128).contains(number) => {}
            Expr::Load(place) => match place.root {
                Root::Global(global) if place.path.is_empty() => {
                    read.push(u32::try_from(global.index()).ok()?);
                }
                _ => return None,
            },
            Expr::Unary(Unary::Not, _)
            | Expr::Binary(Binary::And | Binary::Or | Binary::Eq | Binary::Ne, ..)
            | Expr::Ite(..) => {
                program
                    .exprs
                    .operands(id, |operand| waiting.push((operand, depth + 1)));
            }
            _ => return None,
        }
    }
    Some(())
}

/// Whether an expression looks at more of a variable than whether it has a value outside of a set.
fn tells_apart(program: &Program, root: ExprId, variable: GlobalId, among: Values) -> bool {
    let is_it = |id: ExprId| matches!(program.exprs.get(id), Expr::Load(place) if place.root == Root::Global(variable));
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        source::limits::check();
        if let Expr::Binary(Binary::Eq | Binary::Ne, a, b) = *program.exprs.get(id) {
            let compared = match (is_it(a), is_it(b)) {
                (true, false) => program.exprs.constant(b),
                (false, true) => program.exprs.constant(a),
                _ => None,
            };
            if let Some(value) = compared {
                if among >> place(value) & 1 == 0 {
                    continue;
                }
                return true;
            }
        }
        if is_it(id) {
            return true;
        }
        program.exprs.operands(id, |operand| waiting.push(operand));
    }
    false
}

/// Whether a value is one of a set.
pub(crate) fn has(values: Values, value: &Value) -> bool {
    values >> place(value) & 1 != 0
}

/// The bit that stands for a value.
fn place(value: &Value) -> u32 {
    u32::try_from(value.number()).unwrap_or(Values::BITS - 1)
}

/// What expressions may be, where each variable may have any value of a set.
struct Evaluation<'a> {
    program: &'a Program,
    of: &'a [Values],
}

impl Evaluation<'_> {
    fn set(&mut self, set: &ValueSet) -> Values {
        match set {
            ValueSet::One(id) => self.expr(*id),
            ValueSet::Union(sets) => sets.iter().fold(0, |all, set| all | self.set(set)),
            ValueSet::Ite(test, then, otherwise) => {
                let test = self.expr(*test);
                let then = if test & 2 != 0 { self.set(then) } else { 0 };
                let otherwise = if test & 1 != 0 {
                    self.set(otherwise)
                } else {
                    0
                };
                then | otherwise
            }
            ValueSet::All(ty) => values_of(self.program, ty).unwrap_or(Values::MAX),
            ValueSet::Between(..) => Values::MAX,
        }
    }

    fn expr(&mut self, id: ExprId) -> Values {
        match self.program.exprs.get(id) {
            Expr::Const(value) => 1 << place(value),
            Expr::Load(place) => match place.root {
                Root::Global(global) => self.of[global.index()],
                _ => Values::MAX,
            },
            Expr::Unary(_, a) => {
                let a = self.expr(*a);
                (a & 1) << 1 | a >> 1 & 1
            }
            Expr::Binary(op, a, b) => {
                let (op, a, b) = (*op, self.expr(*a), self.expr(*b));
                let truth = |no: bool, yes: bool| Values::from(no) | Values::from(yes) << 1;
                let same = a & b != 0;
                let differ = a != b || a.count_ones() != 1;
                match op {
                    Binary::And => truth((a | b) & 1 != 0, a & b & 2 != 0),
                    Binary::Or => truth(a & b & 1 != 0, (a | b) & 2 != 0),
                    Binary::Eq => truth(differ, same),
                    _ => truth(same, differ),
                }
            }
            Expr::Ite(test, then, otherwise) => {
                let (test, then, otherwise) = (*test, *then, *otherwise);
                let test = self.expr(test);
                let then = if test & 2 != 0 { self.expr(then) } else { 0 };
                let otherwise = if test & 1 != 0 {
                    self.expr(otherwise)
                } else {
                    0
                };
                then | otherwise
            }
            _ => Values::MAX,
        }
    }
}
