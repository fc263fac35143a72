//! What values an expression can have, and how a result computed in `int` becomes one of its type.

use model::{Binary, Expr, ExprId, Type, Unary, Value};

use super::expr::{MATHINT, Scope, fits_int};
use super::writer::Writer;

/// Sums up to here come out between the limits of mathematical integers only if they are there,
/// even modulo 2^32.
const ROOM: i128 = (1 << 32) - MATHINT - 1;

impl Writer<'_> {
    /// Whether a mathematical integer may not fit into `int` before it is stored.
    pub(super) fn has_no_room(&self, scope: Scope<'_>, id: ExprId) -> bool {
        let (lo, hi) = self.bounds(scope, id);
        *self.program.exprs.ty(id) == Type::Mathint && (!fits_int(lo) || !fits_int(hi))
    }

    /// The result of an operation, computed in `int`, as its type has it.
    pub(super) fn fitted(&self, scope: Scope<'_>, id: ExprId, text: String) -> String {
        let ty = self.program.exprs.ty(id);
        let (lo, hi) = self.exact_bounds(scope, id);
        // What is only added up and stored is checked where it is stored.
        let modular = matches!(
            self.program.exprs.get(id),
            Expr::Unary(Unary::Neg, _) | Expr::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..)
        );
        if *ty == Type::Mathint && modular && lo >= -ROOM && hi <= ROOM {
            return text;
        }
        self.wrapped(ty, text, lo, hi)
    }

    /// A value between `lo` and `hi` reduced to a type.
    pub(super) fn wrapped(&self, ty: &Type, text: String, lo: i128, hi: i128) -> String {
        match ty {
            Type::Int { bits, signed } if *bits <= 32 && (*bits < 32 || *signed) => {
                let (least, most) = ty.bounds().unwrap_or((0, 0));
                if (least <= lo && hi <= most) || *bits == 32 {
                    text
                } else if *signed {
                    let half = 1i128 << (bits - 1);
                    format!("((({text} + {half}) & {}) - {half})", 2 * half - 1)
                } else {
                    format!("({text} & {most})")
                }
            }
            Type::Int { .. } => {
                self.refuse("machine integers beyond 32 bits with sign");
                text
            }
            Type::Bool => text,
            _ => {
                if !fits_int(lo) || !fits_int(hi) {
                    self.refuse_wide();
                }
                text
            }
        }
    }

    /// Bounds of an expression's value.
    pub(super) fn bounds(&self, scope: Scope<'_>, id: ExprId) -> (i128, i128) {
        let ty = self.program.exprs.ty(id);
        let (lo, hi) = self.exact_bounds(scope, id);
        match ty {
            Type::Int { .. } | Type::Bool => {
                let (least, most) = ty.bounds().unwrap_or((lo, hi));
                if lo < least || hi > most {
                    (least, most)
                } else {
                    (lo, hi)
                }
            }
            _ => (lo, hi),
        }
    }

    /// Bounds before reduction to the type.
    fn exact_bounds(&self, scope: Scope<'_>, id: ExprId) -> (i128, i128) {
        let at = (scope.slot, scope.procedure);
        let key = (id, at);
        if let Some(&known) = self.known_bounds.borrow().get(&key)
            && scope.arguments.is_empty()
        {
            return known;
        }
        let ty = self.program.exprs.ty(id);
        let by_type = || match ty {
            Type::Mathint => (-MATHINT, MATHINT),
            Type::Enum(id) => (0, self.program.enums[id.index()].members.len() as i128 - 1),
            Type::Rich | Type::Channel | Type::Instance => (0, i128::from(i32::MAX)),
            other => other.bounds().unwrap_or((0, i128::from(i32::MAX))),
        };
        let huge = (-(1i128 << 100), 1i128 << 100);
        let clamp = |(lo, hi): (i128, i128)| (lo.clamp(huge.0, huge.1), hi.clamp(huge.0, huge.1));
        let found = match self.program.exprs.get(id) {
            Expr::Const(Value::Int(n)) => (*n, *n),
            Expr::Const(Value::Bool(truth)) => (i128::from(*truth), i128::from(*truth)),
            // What is stored there may be known better than the type says.
            Expr::Load(_) => {
                let set = self.values.of_expr(&self.layout, at, id);
                let numbers: Option<Vec<i128>> = set.map(|set| {
                    set.iter()
                        .map(|value| match value {
                            Value::Int(_) | Value::Bool(_) => value.number(),
                            _ => i128::from(i32::MAX),
                        })
                        .collect()
                });
                match numbers.as_deref() {
                    Some(numbers @ [first, ..]) => (
                        numbers.iter().copied().min().unwrap_or(*first),
                        numbers.iter().copied().max().unwrap_or(*first),
                    ),
                    _ => by_type(),
                }
            }
            Expr::Ite(_, a, b) => {
                let ((a, b), (c, d)) = (self.bounds(scope, *a), self.bounds(scope, *b));
                (a.min(c), b.max(d))
            }
            Expr::Convert(a) => self.bounds(scope, *a),
            Expr::First(_) => (-1, i128::from(u16::MAX)),
            Expr::Unary(Unary::Neg, a) => {
                let (lo, hi) = self.bounds(scope, *a);
                (-hi, -lo)
            }
            Expr::Unary(Unary::BitNot, a) => {
                let (lo, hi) = self.bounds(scope, *a);
                (!hi, !lo)
            }
            Expr::Binary(op, a, b) => {
                let ((a, b), (c, d)) = (self.bounds(scope, *a), self.bounds(scope, *b));
                match op {
                    Binary::Add => (a + c, b + d),
                    Binary::Sub => (a - d, b - c),
                    Binary::Mul => {
                        let all = [(a, c), (a, d), (b, c), (b, d)]
                            .map(|(x, y)| x.checked_mul(y).unwrap_or(huge.1));
                        let least = all.into_iter().min().unwrap_or(huge.0);
                        let most = all.into_iter().max().unwrap_or(huge.1);
                        (least.min(-most), most)
                    }
                    Binary::Div => {
                        let most = a.abs().max(b.abs());
                        (if a >= 0 && c >= 0 { 0 } else { -most }, most)
                    }
                    Binary::Rem => {
                        let most = (c.abs().max(d.abs()) - 1).max(0);
                        (if a >= 0 { 0 } else { -most }, most)
                    }
                    Binary::BitAnd if a >= 0 || c >= 0 => (
                        0,
                        if a >= 0 && c >= 0 {
                            b.min(d)
                        } else if a >= 0 {
                            b
                        } else {
                            d
                        },
                    ),
                    Binary::Shl => huge,
                    _ => by_type(),
                }
            }
            _ => by_type(),
        };
        let found = clamp(found);
        self.known_bounds.borrow_mut().insert(key, found);
        found
    }
}
