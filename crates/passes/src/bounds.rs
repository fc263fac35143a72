//! Bounds: how large values get.
//!
//! Interval analysis (Cousot and Cousot 1976) without regard to the order of steps: each variable
//! gets the least interval that holds its first value and everything that is ever stored in it,
//! under the guard of the step and the conditions around the store. An interval that keeps
//! growing is widened to the next constant that the program mentions. Machine and mathematical
//! integers, global or of an instance, whose interval is narrower than their type become ranges, which engines
//! pack into fewer bits; expressions keep their types, so arithmetic wraps as before.
//!
//! A range is only introduced where every store is shown to lie in it, so that it can never be
//! left. What faulted still does: divisors, indices and stores have the values that they had.
//! Preserves every query.

use std::collections::HashMap;

use model::{
    Binary, Choice, Comm, Composition, Expr, ExprId, Fault, GlobalId, Pattern, Place, ProcessId,
    Program, Projection, Root, Stmt, Target, Type, Unary, Value, ValueSet, Variable,
};

use crate::constants::{shares_frames, without_widening};
use crate::rewrite::is_disabled;

/// Rounds before growing intervals are widened.
const PATIENCE: usize = 6;

/// Rounds before no more is found out: values may have to go round through every variable.
const ROUNDS: usize = 200;

/// How deep conditions and expressions are looked into.
const DEPTH: u32 = 100;

type Interval = (i128, i128);

/// The program with the types of global integers narrowed to the values they can take.
#[must_use]
pub fn bounds(program: &Program) -> Program {
    let mut bounded = program.clone();
    if matches!(program.composition, Composition::Synchronous(_)) {
        return bounded;
    }
    let analysis = Analysis::run(program);
    let globals = bounded.globals.iter_mut().zip(&analysis.globals);
    let locals = bounded
        .processes
        .iter_mut()
        .flat_map(|process| &mut process.locals)
        .zip(analysis.locals.iter().flatten());
    let mut narrowed = false;
    for (variable, held) in globals.chain(locals) {
        let is_candidate = matches!(variable.ty, Type::Int { .. } | Type::Mathint);
        if is_candidate
            && let Held::Within(lo, hi) = *held
            && let (Ok(lo), Ok(hi)) = (i64::try_from(lo), i64::try_from(hi))
            && bits(lo, hi) < type_bits(&variable.ty)
        {
            variable.ty = Type::Range { lo, hi };
            narrowed = true;
        }
    }
    if narrowed && bounded.range_fault.is_none() {
        let fault = bounded.add_fault(Fault {
            name: "range".into(),
            message: "a value left its range".into(),
        });
        bounded.range_fault = Some(fault);
    }
    bounded
}

/// Bits to tell the values of a range apart.
fn bits(lo: i64, hi: i64) -> u32 {
    let count = u128::try_from(i128::from(hi) - i128::from(lo)).expect("a range is not empty");
    u128::BITS - count.leading_zeros()
}

fn type_bits(ty: &Type) -> u32 {
    match ty {
        Type::Int { bits, .. } => u32::from(*bits),
        _ => 64,
    }
}

/// What a variable holds: nothing yet, an interval, or anything (`None` inside).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    Nothing,
    Within(i128, i128),
    Anything,
}

impl Held {
    fn join(self, interval: Option<Interval>) -> Held {
        match (self, interval) {
            (Held::Anything, _) | (_, None) => Held::Anything,
            (Held::Nothing, Some((lo, hi))) => Held::Within(lo, hi),
            (Held::Within(a, b), Some((lo, hi))) => Held::Within(a.min(lo), b.max(hi)),
        }
    }
}

/// A variable that is followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    Global(GlobalId),
    /// A parameter or local of the instances of a process.
    Own(ProcessId, u32),
}

/// Where a step stands: narrower intervals for variables that its guard has looked at.
type Narrowed = HashMap<Key, Interval>;

struct Analysis<'p> {
    program: &'p Program,
    /// Whose code is looked at; nothing in observers, which anybody runs.
    process: Option<ProcessId>,
    globals: Vec<Held>,
    /// For each process its parameters and locals.
    locals: Vec<Vec<Held>>,
    round: usize,
    changed: bool,
    /// Constants of the program, sorted: where widening stops.
    thresholds: Vec<i128>,
}

impl<'p> Analysis<'p> {
    fn run(program: &'p Program) -> Self {
        let mut thresholds: Vec<i128> = (0..program.exprs.len())
            .filter_map(|index| match program.exprs.constant(ExprId::new(index)) {
                Some(Value::Int(n)) => Some([*n - 1, *n, *n + 1]),
                _ => None,
            })
            .flatten()
            .collect();
        thresholds.sort_unstable();
        thresholds.dedup();
        let mut analysis = Analysis {
            program,
            process: None,
            globals: vec![Held::Nothing; program.globals.len()],
            locals: program
                .processes
                .iter()
                .map(|process| vec![Held::Nothing; process.locals.len()])
                .collect(),
            round: 0,
            changed: false,
            thresholds,
        };
        for (index, variable) in program.globals.iter().enumerate() {
            let first = analysis.first(variable);
            analysis.store(Key::Global(GlobalId::new(index)), first);
        }
        if let Some(leaver) = program.leaver {
            // Whoever goes away leaves its number there.
            analysis.store(Key::Global(leaver), None);
        }
        for &array in &program.per_instance {
            analysis.store(Key::Global(array), Some((0, 0)));
        }
        let shares = shares_frames(program);
        for (index, process) in program.processes.iter().enumerate() {
            for local in 0u32..process.locals.len() as u32 {
                let key = Key::Own(ProcessId::new(index), local);
                // Of an instance that is not there, zeros are read.
                analysis.store(key, if shares { None } else { Some((0, 0)) });
            }
        }
        loop {
            source::limits::check();
            analysis.changed = false;
            analysis.round += 1;
            analysis.pass();
            if !analysis.changed {
                return analysis;
            }
            if analysis.round == ROUNDS {
                analysis.give_up();
                return analysis;
            }
        }
    }

    /// Every variable may hold whatever its type has.
    fn give_up(&mut self) {
        for global in 0..self.globals.len() {
            self.store(Key::Global(GlobalId::new(global)), None);
        }
        for process in 0..self.locals.len() {
            for local in 0u32..self.locals[process].len() as u32 {
                self.store(Key::Own(ProcessId::new(process), local), None);
            }
        }
    }

    /// What a variable begins with.
    fn first(&self, variable: &Variable) -> Option<Interval> {
        match &variable.init {
            None => match self.program.zero(&variable.ty) {
                Value::Int(n) => Some((n, n)),
                _ => None,
            },
            Some(set) => self.set(set, &Narrowed::new()),
        }
    }

    /// Arguments of an instance that starts.
    fn start(&mut self, process: ProcessId, args: &[ExprId], narrowed: &Narrowed) {
        for (local, &arg) in (0u32..).zip(args) {
            let value = self.eval(arg, narrowed, DEPTH);
            self.store(Key::Own(process, local), value);
        }
    }

    fn variable(&self, key: Key) -> &'p Variable {
        match key {
            Key::Global(global) => &self.program.globals[global.index()],
            Key::Own(process, local) => {
                &self.program.processes[process.index()].locals[local as usize]
            }
        }
    }

    fn held(&self, key: Key) -> Held {
        match key {
            Key::Global(global) => self.globals[global.index()],
            Key::Own(process, local) => self.locals[process.index()][local as usize],
        }
    }

    fn pass(&mut self) {
        let program = self.program;
        for start in &program.start {
            self.process = None;
            self.start(start.process, &start.args, &Narrowed::new());
        }
        for (index, process) in program.processes.iter().enumerate() {
            let id = ProcessId::new(index);
            self.process = Some(id);
            for (local, variable) in (0u32..).zip(&process.locals).skip(process.parameters) {
                let first = self.first(variable);
                self.store(Key::Own(id, local), first);
            }
            for step in &process.steps {
                if is_disabled(program, step) {
                    continue;
                }
                let mut narrowed = Narrowed::new();
                for choice in &step.binds {
                    self.choice(choice, &mut narrowed);
                }
                if let Some(guard) = step.guard {
                    self.narrow(guard, true, &mut narrowed, DEPTH);
                }
                if is_contradiction(&narrowed) {
                    continue;
                }
                if step.comm.is_some() {
                    // Another instance's part of the move may come in between.
                    narrowed.retain(|key, _| matches!(key, Key::Own(..)));
                }
                if let Some(Comm::Receive { patterns, .. }) = &step.comm {
                    for pattern in patterns {
                        if let Pattern::Bind(place) = pattern {
                            self.store_place(place, None, &mut narrowed);
                        }
                    }
                }
                self.body(&step.body, &mut narrowed);
                if let Target::Call {
                    result: Some(place),
                    ..
                } = &step.target
                {
                    self.store_place(place, None, &mut narrowed);
                }
            }
        }
        self.process = None;
        for observer in &program.observers {
            self.body(&observer.body, &mut Narrowed::new());
        }
    }

    fn body(&mut self, body: &[Stmt], narrowed: &mut Narrowed) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    let value = self.eval(*value, narrowed, DEPTH);
                    self.store_place(place, value, narrowed);
                }
                Stmt::Choose(choice) => self.choice(choice, narrowed),
                Stmt::If(cond, then, otherwise) => {
                    for (branch, truth) in [(then, true), (otherwise, false)] {
                        let mut inside = narrowed.clone();
                        self.narrow(*cond, truth, &mut inside, DEPTH);
                        if !is_contradiction(&inside) {
                            self.body(branch, &mut inside);
                        }
                    }
                    crate::rewrite::stored_places(
                        std::slice::from_ref(stmt),
                        &mut |place: &Place| self.forget(place, narrowed),
                    );
                    if emits(then) || emits(otherwise) {
                        narrowed.clear();
                    }
                }
                Stmt::Assume(cond) => self.narrow(*cond, true, narrowed, DEPTH),
                Stmt::Emit { .. } => narrowed.clear(),
                Stmt::Spawn {
                    process,
                    args,
                    result,
                    ..
                } => {
                    self.start(*process, args, narrowed);
                    if let Some(place) = result {
                        self.store_place(place, None, narrowed);
                    }
                }
                Stmt::NewChannel { result, .. } | Stmt::New { result, .. } => {
                    self.store_place(result, None, narrowed);
                }
                Stmt::Assert { .. } | Stmt::Raise(_) | Stmt::Free(_) => {}
            }
        }
    }

    fn choice(&mut self, choice: &Choice, narrowed: &mut Narrowed) {
        let mut interval = self.set(&choice.set, narrowed);
        for &value in choice.sample.iter().flatten() {
            interval = hull(interval, self.eval(value, narrowed, DEPTH));
        }
        self.store_place(&choice.place, interval, narrowed);
    }

    /// The variables that a place may be part of.
    fn keys(&self, place: &Place) -> Vec<Key> {
        match (place.root, self.process) {
            (Root::Global(global), _) => vec![Key::Global(global)],
            (Root::Own(local), Some(process)) => vec![Key::Own(process, local)],
            (Root::Own(local), None) => (0..self.program.processes.len())
                .filter(|&index| self.locals[index].len() > local as usize)
                .map(|index| Key::Own(ProcessId::new(index), local))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn store_place(&mut self, place: &Place, value: Option<Interval>, narrowed: &mut Narrowed) {
        self.forget(place, narrowed);
        let keys = self.keys(place);
        let value = value.filter(|_| place.path.is_empty());
        for &key in &keys {
            self.store(key, value);
        }
        if let ([key], Some(value)) = (&keys[..], value)
            && let Some(interval) = self.fitted(*key, value)
        {
            narrowed.insert(*key, interval);
        }
    }

    fn forget(&self, place: &Place, narrowed: &mut Narrowed) {
        for key in self.keys(place) {
            narrowed.remove(&key);
        }
    }

    /// What is stored of a value: machine integers wrap around.
    fn fitted(&self, key: Key, (lo, hi): Interval) -> Option<Interval> {
        match self.variable(key).ty.bounds() {
            Some((least, most)) if lo < least || most < hi => Some((least, most)),
            _ => Some((lo, hi)),
        }
    }

    fn store(&mut self, key: Key, value: Option<Interval>) {
        let value = match value {
            Some(interval) => self.fitted(key, interval),
            None => self.variable(key).ty.bounds(),
        };
        let before = self.held(key);
        let mut after = before.join(value);
        if after == before {
            return;
        }
        if let (Held::Within(a, b), Held::Within(lo, hi)) = (before, after)
            && self.round > PATIENCE
        {
            after = self.widen(key, (a, b), (lo, hi));
        }
        match key {
            Key::Global(global) => self.globals[global.index()] = after,
            Key::Own(process, local) => self.locals[process.index()][local as usize] = after,
        }
        self.changed = true;
    }

    fn widen(&self, key: Key, (a, b): Interval, (lo, hi): Interval) -> Held {
        let bounds = self.variable(key).ty.bounds();
        let down = if lo < a {
            let at = self.thresholds.partition_point(|&t| t <= lo);
            at.checked_sub(1)
                .map(|at| self.thresholds[at])
                .or(bounds.map(|(least, _)| least))
        } else {
            Some(lo)
        };
        let up = if hi > b {
            let at = self.thresholds.partition_point(|&t| t < hi);
            let next = self.thresholds.get(at).copied();
            next.or(bounds.map(|(_, most)| most))
        } else {
            Some(hi)
        };
        match (down, up) {
            (Some(down), Some(up)) => match self.fitted(key, (down, up)) {
                Some((lo, hi)) => Held::Within(lo, hi),
                None => Held::Anything,
            },
            _ => Held::Anything,
        }
    }

    fn set(&self, set: &ValueSet, narrowed: &Narrowed) -> Option<Interval> {
        match set {
            ValueSet::One(value) => self.eval(*value, narrowed, DEPTH),
            ValueSet::Between(lo, hi) => {
                let (lo, _) = self.eval(*lo, narrowed, DEPTH)?;
                let (_, hi) = self.eval(*hi, narrowed, DEPTH)?;
                Some((lo.min(hi), hi.max(lo)))
            }
            ValueSet::Union(sets) => {
                let mut intervals = sets.iter().map(|set| self.set(set, narrowed));
                let first = intervals.next()??;
                intervals.try_fold(first, |all, one| hull(Some(all), one))
            }
            ValueSet::Ite(_, a, b) => hull(self.set(a, narrowed), self.set(b, narrowed)),
            ValueSet::All(ty) => self.type_bounds(ty),
        }
    }

    fn type_bounds(&self, ty: &Type) -> Option<Interval> {
        match ty {
            Type::Enum(id) => {
                let members = self.program.enums[id.index()].members.len() as i128;
                Some((0, members - 1))
            }
            other => other.bounds(),
        }
    }

    /// The interval of an integer expression; `None` if nothing is known.
    fn eval(&self, id: ExprId, narrowed: &Narrowed, depth: u32) -> Option<Interval> {
        let ty = self.program.exprs.ty(id);
        let expr = self.program.exprs.get(id);
        // Arithmetic on ranges is exact, so their type bounds what is loaded only.
        let all = match (expr, ty) {
            (Expr::Load(_), _) | (_, Type::Int { .. } | Type::Bool) => self.type_bounds(ty),
            _ => None,
        };
        if depth == 0 {
            return all;
        }
        let of = |id: ExprId| self.eval(id, narrowed, depth - 1);
        let exact = match expr {
            Expr::Const(Value::Int(n)) => Some((*n, *n)),
            Expr::Const(Value::Bool(b)) => Some((i128::from(*b), i128::from(*b))),
            Expr::Load(Place {
                root: Root::Remote { process, local, .. },
                path,
            }) if path.is_empty() => match self.held(Key::Own(*process, *local)) {
                Held::Within(lo, hi) => Some((lo.min(0), hi.max(0))),
                Held::Nothing | Held::Anything => None,
            },
            Expr::Load(_) if self.key(id).is_some() => {
                let key = self.key(id)?;
                narrowed.get(&key).copied().or(match self.held(key) {
                    Held::Within(lo, hi) => Some((lo, hi)),
                    // Read before anything is known to be stored: the next round knows more.
                    Held::Nothing | Held::Anything => None,
                })
            }
            Expr::Load(Place { path, .. })
                if matches!(
                    path.last(),
                    Some(Projection::Index(_) | Projection::Field(_))
                ) =>
            {
                None
            }
            Expr::Unary(Unary::Neg, a) => {
                of(*a).and_then(|(lo, hi)| Some((hi.checked_neg()?, lo.checked_neg()?)))
            }
            Expr::Binary(op, a, b) => binary(*op, of(*a), of(*b)),
            Expr::Ite(_, a, b) => hull(of(*a), of(*b)),
            Expr::Convert(a) => of(*a),
            _ => None,
        };
        // A result that would wrap can be anything of its type.
        match (exact, all) {
            (Some((lo, hi)), Some((least, most))) if least <= lo && hi <= most => Some((lo, hi)),
            (Some(exact), None) => Some(exact),
            (_, all) => all,
        }
    }

    /// Adds what the truth of a condition says about variables.
    fn narrow(&self, cond: ExprId, truth: bool, narrowed: &mut Narrowed, depth: u32) {
        if depth == 0 {
            return;
        }
        match *self.program.exprs.get(cond) {
            Expr::Unary(Unary::Not, a) => self.narrow(a, !truth, narrowed, depth - 1),
            Expr::Binary(Binary::And, a, b) if truth => {
                self.narrow(a, true, narrowed, depth - 1);
                self.narrow(b, true, narrowed, depth - 1);
            }
            Expr::Binary(Binary::Or, a, b) if !truth => {
                self.narrow(a, false, narrowed, depth - 1);
                self.narrow(b, false, narrowed, depth - 1);
            }
            Expr::Binary(Binary::Lt, a, b) if truth => self.order(a, b, 1, narrowed),
            Expr::Binary(Binary::Le, a, b) if truth => self.order(a, b, 0, narrowed),
            Expr::Binary(Binary::Lt, a, b) => self.order(b, a, 0, narrowed),
            Expr::Binary(Binary::Le, a, b) => self.order(b, a, 1, narrowed),
            Expr::Binary(Binary::Eq, a, b) if truth => {
                self.order(a, b, 0, narrowed);
                self.order(b, a, 0, narrowed);
            }
            Expr::Binary(Binary::Ne, a, b) if !truth => {
                self.order(a, b, 0, narrowed);
                self.order(b, a, 0, narrowed);
            }
            _ => {}
        }
    }

    /// `a + gap <= b`.
    fn order(&self, a: ExprId, b: ExprId, gap: i128, narrowed: &mut Narrowed) {
        let (left, right) = (self.eval(a, narrowed, DEPTH), self.eval(b, narrowed, DEPTH));
        if let (Some(key), Some((_, most))) = (self.key(a), right) {
            self.limit(key, i128::MIN, most.saturating_sub(gap), narrowed);
        }
        if let (Some(key), Some((least, _))) = (self.key(b), left) {
            self.limit(key, least.saturating_add(gap), i128::MAX, narrowed);
        }
    }

    /// The one variable that an expression is the value of; what a conversion leaves as it is
    /// counts as well.
    fn key(&self, id: ExprId) -> Option<Key> {
        match self.program.exprs.get(without_widening(self.program, id)) {
            Expr::Load(place) if place.path.is_empty() => match self.keys(place)[..] {
                [key] => Some(key),
                _ => None,
            },
            _ => None,
        }
    }

    fn limit(&self, key: Key, lo: i128, hi: i128, narrowed: &mut Narrowed) {
        let known = narrowed.get(&key).copied();
        let known = known.or(match self.held(key) {
            Held::Within(lo, hi) => Some((lo, hi)),
            Held::Nothing | Held::Anything => None,
        });
        let known = known.or(self.variable(key).ty.bounds());
        let (least, most) = known.unwrap_or((i128::MIN, i128::MAX));
        let (least, most) = (least.max(lo), most.min(hi));
        if least > most || (least != i128::MIN && most != i128::MAX) {
            narrowed.insert(key, (least, most));
        }
    }
}

/// Whether a variable has no value left: control does not get here, as far as is known yet.
fn is_contradiction(narrowed: &Narrowed) -> bool {
    narrowed.values().any(|(lo, hi)| lo > hi)
}

fn emits(body: &[Stmt]) -> bool {
    let mut events = Vec::new();
    crate::liveness::emitted(body, &mut events);
    !events.is_empty()
}

fn hull(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    let ((a, b), (c, d)) = (a?, b?);
    Some((a.min(c), b.max(d)))
}

fn binary(op: Binary, a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    if matches!(
        op,
        Binary::And | Binary::Or | Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le
    ) {
        return Some((0, 1));
    }
    let ((a, b), (c, d)) = (a?, b?);
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let all = [f(a, c)?, f(a, d)?, f(b, c)?, f(b, d)?];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    match op {
        Binary::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        Binary::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        Binary::Mul => corners(i128::checked_mul),
        Binary::Div if c > 0 || d < 0 => corners(i128::checked_div),
        Binary::Rem if c > 0 && a >= 0 => Some((0, b.min(d - 1))),
        Binary::BitAnd if a >= 0 && c >= 0 => Some((0, b.min(d))),
        _ => None,
    }
}
