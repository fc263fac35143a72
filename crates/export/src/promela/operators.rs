//! Operators of two operands, and comparisons of records and arrays part by part.

use model::{Binary, ExprId, Type};

use super::expr::{Scope, Term, chain, under};
use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn binary(
        &self,
        scope: Scope<'_>,
        id: ExprId,
        op: Binary,
        left: ExprId,
        right: ExprId,
    ) -> Term {
        let ty = self.program.exprs.ty(left).clone();
        if matches!(op, Binary::Eq | Binary::Ne) && matches!(ty, Type::Array(..) | Type::Record(_))
        {
            return self.equal_parts(scope, op, left, right, &ty);
        }
        let a = self.expr(scope, left);
        let b = self.expr(scope, right);
        let (x, y) = (&a.text, &b.text);
        let modular = matches!(op, Binary::Add | Binary::Sub | Binary::Mul);
        if !modular && (self.has_no_room(scope, left) || self.has_no_room(scope, right)) {
            self.refuse_wide();
        }
        let plain = |operator: &str| format!("({x} {operator} {y})");
        let text = match op {
            Binary::And => {
                if a.faults.is_empty() && b.faults.is_empty() {
                    return Term::sure(self.both(x, y));
                }
                let faults = chain(a.faults.clone(), under(x, b.faults.clone()));
                return Term {
                    text: plain("&&"),
                    faults,
                };
            }
            Binary::Or => {
                let text = match (x.as_str(), y.as_str()) {
                    ("0", other) | (other, "0") => other.to_owned(),
                    ("1", _) => "1".into(),
                    _ => plain("||"),
                };
                let faults = chain(a.faults.clone(), under(&format!("!{x}"), b.faults.clone()));
                return Term { text, faults };
            }
            Binary::Eq => plain("=="),
            Binary::Ne => plain("!="),
            Binary::Lt => plain("<"),
            Binary::Le => plain("<="),
            Binary::Add => self.fitted(scope, id, plain("+")),
            Binary::Sub => self.fitted(scope, id, plain("-")),
            Binary::Mul => self.fitted(scope, id, plain("*")),
            Binary::Div | Binary::Rem => {
                let mut faults = chain(a.faults.clone(), b.faults.clone());
                let (lo, hi) = self.bounds(scope, right);
                if lo <= 0
                    && hi >= 0
                    && let Some(fault) = self.program.division_fault
                {
                    faults.push((format!("({y} == 0)"), fault));
                }
                // The least number divided by -1 kills the verifier, too.
                let minimal = self.bounds(scope, left).0 <= -(1 << 31) && lo <= -1;
                let text = match (op, minimal) {
                    (Binary::Div, false) => plain("/"),
                    (Binary::Div, true) => format!("({y} == (-1) -> (0 - {x}) : {x} / {y})"),
                    (_, false) => plain("%"),
                    (_, true) => format!("({y} == (-1) -> 0 : {x} % {y})"),
                };
                return Term {
                    text: self.fitted(scope, id, text),
                    faults,
                };
            }
            Binary::BitAnd => plain("&"),
            Binary::BitOr => plain("|"),
            Binary::BitXor => plain("^"),
            Binary::Shl | Binary::Shr => {
                let Type::Int { bits, .. } = *self.program.exprs.ty(id) else {
                    return self.refuse_term("a shift of what is no machine integer");
                };
                let count = if bits.is_power_of_two() {
                    format!("({y} & {})", bits - 1)
                } else {
                    format!("((({y} % {bits}) + {bits}) % {bits})")
                };
                let operator = if op == Binary::Shl { "<<" } else { ">>" };
                self.fitted(scope, id, format!("({x} {operator} {count})"))
            }
            Binary::Offset => return self.refuse_term("pointers"),
        };
        Term {
            text,
            faults: chain(a.faults, b.faults),
        }
    }

    fn equal_parts(
        &self,
        scope: Scope<'_>,
        op: Binary,
        left: ExprId,
        right: ExprId,
        ty: &Type,
    ) -> Term {
        let mut faults = Vec::new();
        let mut same = Vec::new();
        for path in self.paths(ty) {
            let a = self.part(scope, left, &path);
            let b = self.part(scope, right, &path);
            faults.extend(a.faults);
            faults.extend(b.faults);
            same.push(format!("({} == {})", a.text, b.text));
        }
        let all = if same.is_empty() {
            "1".into()
        } else {
            format!("({})", same.join(" && "))
        };
        Term {
            text: if op == Binary::Eq {
                all
            } else {
                format!("(!{all})")
            },
            faults,
        }
    }
}
