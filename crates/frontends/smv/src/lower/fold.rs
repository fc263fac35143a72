//! What expressions can be, found out by trying all values of the variables in them.
//!
//! NuSMV's static checks are about all values that variables may have, reachable or not. So are
//! these, as long as the variables of one expression have few values together.

use std::collections::HashMap;

use model::{Binary, Expr, ExprId, ExprPool, Place, Root, Type, Unary, Value};

/// Combinations of values times expressions that are looked at before it is given up.
const EFFORT: usize = 4_000_000;

/// A variable, now or next.
pub(super) type Leaf = (usize, bool);

/// The values of variables, by the number of the global variable.
pub(super) type Domains<'a> = &'a dyn Fn(usize) -> Option<Vec<i128>>;

/// Is shown the values of expressions and those of the variables; says whether to go on.
pub(super) type Visit<'a> = dyn FnMut(&[Option<i128>], &HashMap<Leaf, i128>) -> bool + 'a;

/// An operator on known numbers; `None` where it has no result.
pub(super) fn binary(op: Binary, ty: &Type, x: i128, y: i128) -> Option<i128> {
    let bits = match ty {
        Type::Int { bits, .. } => u32::from(*bits),
        _ => 127,
    };
    let truth = i128::from;
    let result = match op {
        Binary::And => truth(x != 0 && y != 0),
        Binary::Or => truth(x != 0 || y != 0),
        Binary::Add => x.checked_add(y)?,
        Binary::Sub => x.checked_sub(y)?,
        Binary::Mul if bits <= 64 => x.wrapping_mul(y),
        Binary::Mul => x.checked_mul(y)?,
        Binary::Div => x.checked_div(y)?,
        Binary::Rem => x.checked_rem(y)?,
        Binary::BitAnd => x & y,
        Binary::BitOr => x | y,
        Binary::BitXor => x ^ y,
        Binary::Shl => x.checked_shl(u32::try_from(y).ok()? % bits)?,
        Binary::Shr => x >> (u32::try_from(y).ok()? % bits),
        Binary::Eq => truth(x == y),
        Binary::Ne => truth(x != y),
        Binary::Lt => truth(x < y),
        Binary::Le => truth(x <= y),
        Binary::Offset => return None,
    };
    Some(ty.wrap(result))
}

/// Expressions that are taken for variables of their own, with the values that they can have.
pub(super) type Cuts = HashMap<ExprId, Vec<i128>>;

/// The number of the variable that a cut is taken for.
fn cut_leaf(id: ExprId) -> Leaf {
    (usize::MAX - id.index(), false)
}

/// Conditions by which something is chosen, and expressions that choose among few constants and are
/// compared with constants. How they come about can be left out of account, at the price of
/// finding what cannot be. Of what is chosen by, `fine` cuts only those parts whose variables have too many
/// values together.
pub(super) fn cuts(exprs: &ExprPool, roots: &[ExprId], domains: Domains<'_>, fine: bool) -> Cuts {
    let all = parts(exprs, roots, &Cuts::new());
    let mut known: HashMap<ExprId, Option<Vec<i128>>> = HashMap::new();
    for &part in &all {
        let values = match exprs.get(part) {
            Expr::Const(value @ (Value::Int(_) | Value::Bool(_))) => Some(vec![value.number()]),
            expr @ (Expr::Load(_) | Expr::Next(_)) => leaf(expr)
                .and_then(|(variable, _)| domains(variable))
                .filter(|domain| domain.len() <= MAX_CUT_VALUES),
            Expr::Ite(_, a, b) => match (&known[a], &known[b]) {
                (Some(a), Some(b)) => {
                    let mut both = [a.as_slice(), b].concat();
                    both.sort_unstable();
                    both.dedup();
                    (both.len() <= MAX_CUT_VALUES).then_some(both)
                }
                _ => None,
            },
            _ => None,
        };
        known.insert(part, values);
    }
    let mut cuts = Cuts::new();
    for &part in &all {
        if let Expr::Ite(condition, ..) = exprs.get(part) {
            let mut waiting = vec![*condition];
            while let Some(condition) = waiting.pop() {
                source::limits::check();
                match exprs.get(condition) {
                    Expr::Unary(Unary::Not, inner) => waiting.push(*inner),
                    Expr::Binary(Binary::And | Binary::Or, a, b) if fine => {
                        waiting.extend([*a, *b]);
                    }
                    Expr::Binary(..) | Expr::Ite(..)
                        if !fine || is_wide(exprs, condition, domains) =>
                    {
                        cuts.insert(condition, vec![0, 1]);
                    }
                    _ => {}
                }
            }
        }
        let Expr::Binary(Binary::Eq, a, b) = exprs.get(part) else {
            continue;
        };
        for (chosen, constant) in [(a, b), (b, a)] {
            let chooses = matches!(exprs.get(*chosen), Expr::Ite(..));
            if chooses
                && exprs.constant(*constant).is_some()
                && let Some(values) = &known[chosen]
            {
                cuts.insert(*chosen, values.clone());
            }
        }
    }
    cuts
}

/// Whether the variables of an expression have many values together.
fn is_wide(exprs: &ExprPool, root: ExprId, domains: Domains<'_>) -> bool {
    let mut together = 1usize;
    for (variable, _) in support(exprs, &[root]) {
        let values = domains(variable).map_or(usize::MAX, |domain| domain.len());
        together = together.saturating_mul(values);
    }
    together > MAX_TOGETHER
}

/// How many values the variables of an expression may have together that is not cut finely.
const MAX_TOGETHER: usize = 1024;

/// How many values an expression may have that is taken for a variable.
const MAX_CUT_VALUES: usize = 64;

/// The expressions that some expressions consist of, operands first; cuts have no operands.
fn parts(exprs: &ExprPool, roots: &[ExprId], cuts: &Cuts) -> Vec<ExprId> {
    let mut waiting = roots.to_vec();
    let mut seen = std::collections::BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if seen.insert(id) && !cuts.contains_key(&id) {
            exprs.operands(id, |operand| waiting.push(operand));
        }
    }
    seen.into_iter().collect()
}

/// The variables in some expressions.
pub(super) fn support(exprs: &ExprPool, roots: &[ExprId]) -> Vec<Leaf> {
    let mut found: Vec<Leaf> = parts(exprs, roots, &Cuts::new())
        .into_iter()
        .filter_map(|id| leaf(exprs.get(id)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn leaf(expr: &Expr) -> Option<Leaf> {
    match expr {
        Expr::Load(Place {
            root: Root::Global(id),
            ..
        }) => Some((id.index(), false)),
        Expr::Next(id) => Some((id.index(), true)),
        _ => None,
    }
}

/// Calls `each` with the values of `roots` for every combination of the variables' values, until
/// it says to stop. `None` if there are too many combinations, or an expression is beyond this.
/// A value is `None` where it is not defined.
pub(super) fn enumerate(
    exprs: &ExprPool,
    roots: &[ExprId],
    domains: Domains<'_>,
    each: &mut Visit<'_>,
) -> Option<()> {
    let parts = parts(exprs, roots, &Cuts::new());
    let leaves = support(exprs, roots);
    let mut values = Vec::new();
    let mut combinations = 1usize;
    for &(variable, _) in &leaves {
        let domain = domains(variable)?;
        combinations = combinations.checked_mul(domain.len())?;
        values.push(domain);
    }
    if combinations.checked_mul(parts.len())? > EFFORT {
        return None;
    }
    let position = positions(&parts);
    let mut results: Vec<Option<i128>> = vec![None; parts.len()];
    let mut current: HashMap<Leaf, i128> = HashMap::new();
    for number in 0..combinations {
        let mut rest = number;
        for (leaf, domain) in leaves.iter().zip(&values) {
            current.insert(*leaf, domain[rest % domain.len()]);
            rest /= domain.len();
        }
        evaluate(
            exprs,
            &parts,
            &position,
            &current,
            &Cuts::new(),
            &mut results,
        )?;
        let of_roots: Vec<_> = roots.iter().map(|root| results[position[root]]).collect();
        if !each(&of_roots, &current) {
            break;
        }
    }
    Some(())
}

fn positions(parts: &[ExprId]) -> HashMap<ExprId, usize> {
    parts.iter().enumerate().map(|(i, p)| (*p, i)).collect()
}

/// The values of expressions, as far as they follow from those of some variables. `None` if an
/// expression is beyond this.
fn evaluate(
    exprs: &ExprPool,
    parts: &[ExprId],
    position: &HashMap<ExprId, usize>,
    current: &HashMap<Leaf, i128>,
    cuts: &Cuts,
    results: &mut [Option<i128>],
) -> Option<()> {
    for (index, &part) in parts.iter().enumerate() {
        let at = |id: &ExprId| results[position[id]];
        let ty = exprs.ty(part);
        let result = match exprs.get(part) {
            _ if cuts.contains_key(&part) => current.get(&cut_leaf(part)).copied(),
            Expr::Const(Value::Int(n)) => Some(*n),
            Expr::Const(Value::Bool(b)) => Some(i128::from(*b)),
            expr @ (Expr::Load(_) | Expr::Next(_)) => current.get(&leaf(expr)?).copied(),
            Expr::Unary(op, a) => at(a).map(|a| match op {
                Unary::Not => i128::from(a == 0),
                Unary::Neg => ty.wrap(-a),
                Unary::BitNot => ty.wrap(!a),
            }),
            Expr::Binary(op, a, b) => match (op, at(a), at(b)) {
                (Binary::And, Some(0), _) | (Binary::And, _, Some(0)) => Some(0),
                (Binary::Or, Some(1), _) | (Binary::Or, _, Some(1)) => Some(1),
                (_, Some(a), Some(b)) => binary(*op, ty, a, b),
                _ => None,
            },
            Expr::Ite(c, a, b) => match (at(c), at(a), at(b)) {
                (Some(0), _, b) => b,
                (Some(_), a, _) => a,
                (None, a, b) if a == b => a,
                _ => None,
            },
            Expr::Convert(a) => at(a).map(|a| match ty {
                Type::Bool => i128::from(a != 0),
                _ => ty.wrap(a),
            }),
            _ => return None,
        };
        results[index] = result;
    }
    Some(())
}

/// Values of variables for which all conditions hold and `wanted` says yes to the value of
/// `root`. One variable after the other gets a value, first those on which what is not known yet
/// depends first; so little is tried where little decides. `None` if that is still too much.
pub(super) fn find(
    exprs: &ExprPool,
    root: ExprId,
    conditions: &[ExprId],
    domains: Domains<'_>,
    cuts: &Cuts,
    wanted: &dyn Fn(i128) -> bool,
) -> Option<Option<HashMap<Leaf, i128>>> {
    let mut roots = vec![root];
    roots.extend(conditions);
    let parts = parts(exprs, &roots, cuts);
    let position = positions(&parts);
    let mut results: Vec<Option<i128>> = vec![None; parts.len()];
    let mut current: HashMap<Leaf, i128> = HashMap::new();
    // Variables with the values that remain to be tried.
    let mut way: Vec<(Leaf, Vec<i128>)> = Vec::new();
    let mut effort = 0;
    loop {
        source::limits::check();
        effort += parts.len();
        if effort > EFFORT {
            return None;
        }
        evaluate(exprs, &parts, &position, &current, cuts, &mut results)?;
        let of = |id: &ExprId| results[position[id]];
        let possible = conditions.iter().all(|c| of(c) != Some(0)) && of(&root).is_none_or(wanted);
        let open = roots.iter().find(|id| of(id).is_none());
        if possible {
            let Some(open) = open else {
                return Some(Some(current));
            };
            // What has no value although all is known is not defined.
            if let Some((leaf, cut)) = undecided(exprs, *open, &position, cuts, &results) {
                let mut values = match cut {
                    Some(values) => values.clone(),
                    None => domains(leaf.0)?,
                };
                let first = values.pop()?;
                current.insert(leaf, first);
                way.push((leaf, values));
                continue;
            }
        }
        loop {
            source::limits::check();
            let Some((leaf, values)) = way.last_mut() else {
                return Some(None);
            };
            if let Some(next) = values.pop() {
                current.insert(*leaf, next);
                break;
            }
            current.remove(leaf);
            way.pop();
        }
    }
}

/// A variable without a value because of which an expression has none, and the values of a cut.
fn undecided<'c>(
    exprs: &ExprPool,
    mut at: ExprId,
    position: &HashMap<ExprId, usize>,
    cuts: &'c Cuts,
    results: &[Option<i128>],
) -> Option<(Leaf, Option<&'c Vec<i128>>)> {
    loop {
        source::limits::check();
        if let Some(values) = cuts.get(&at) {
            return Some((cut_leaf(at), Some(values)));
        }
        if let Some(leaf) = leaf(exprs.get(at)) {
            return Some((leaf, None));
        }
        let mut first = None;
        exprs.operands(at, |operand| {
            if first.is_none() && results[position[&operand]].is_none() {
                first = Some(operand);
            }
        });
        at = first?;
    }
}

/// The least and greatest value that an expression can have, if each of its parts had any value
/// that it can have: never too narrow.
pub(super) fn interval(
    exprs: &ExprPool,
    root: ExprId,
    domains: &dyn Fn(usize) -> Option<(i128, i128)>,
) -> Option<(i128, i128)> {
    let mut known: HashMap<ExprId, Option<(i128, i128)>> = HashMap::new();
    for part in parts(exprs, &[root], &Cuts::new()) {
        let ty = exprs.ty(part);
        let at = |id: &ExprId| known.get(id).copied().flatten();
        let exact = |low: Option<i128>, high: Option<i128>| match (low, high, ty) {
            (Some(low), Some(high), Type::Int { .. }) => match ty.bounds() {
                Some((least, greatest)) if low >= least && high <= greatest => Some((low, high)),
                bounds => bounds,
            },
            (Some(low), Some(high), _) => Some((low, high)),
            _ => ty.bounds(),
        };
        let corners = |op: fn(i128, i128) -> Option<i128>, a: (i128, i128), b: (i128, i128)| {
            let all: Option<Vec<i128>> = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)]
                .into_iter()
                .map(|(x, y)| op(x, y))
                .collect();
            let all = all.unwrap_or_default();
            exact(all.iter().min().copied(), all.iter().max().copied())
        };
        let range = match exprs.get(part) {
            Expr::Const(value @ (Value::Int(_) | Value::Bool(_))) => {
                Some((value.number(), value.number()))
            }
            expr @ (Expr::Load(_) | Expr::Next(_)) => leaf(expr).and_then(|(v, _)| domains(v)),
            Expr::Binary(op, a, b) => match (op, at(a), at(b)) {
                (Binary::Add, Some(a), Some(b)) => corners(i128::checked_add, a, b),
                (Binary::Sub, Some(a), Some(b)) => corners(i128::checked_sub, a, b),
                (Binary::Mul, Some(a), Some(b)) => corners(i128::checked_mul, a, b),
                (Binary::Div, Some(a), Some(b)) if b.0 > 0 || b.1 < 0 => {
                    corners(i128::checked_div, a, b)
                }
                (Binary::Rem, Some(a), Some(b)) if b.0 > 0 => {
                    let most = b.1 - 1;
                    let low = if a.0 < 0 { -most } else { 0 };
                    exact(Some(low.max(a.0.min(0))), Some(most.min(a.1.max(0))))
                }
                _ => ty.bounds(),
            },
            Expr::Unary(Unary::Neg, a) => {
                at(a).and_then(|(low, high)| exact(high.checked_neg(), low.checked_neg()))
            }
            Expr::Ite(_, a, b) => match (at(a), at(b)) {
                (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                _ => None,
            },
            Expr::Convert(a) => match at(a) {
                Some((low, high)) => exact(Some(low), Some(high)),
                None => ty.bounds(),
            },
            _ => ty.bounds(),
        };
        known.insert(part, range);
    }
    known.get(&root).copied().flatten()
}
