//! Random numbers: `llFrand`.
//!
//! There are too many floats to try them all, so a few are tried, and of the rest nothing is known.
//! But scripts mostly draw a whole number, `(integer)llFrand(n)`, and then nothing is lost:
//! rounding never decreases and leaves out no integer, so what can come out is every integer
//! between the rounded ends of the interval.

use model::{Binary, Choice, ExprId, Lifetime, Place, Stmt, Type as ModelType, ValueSet};
use source::Span;

use super::code::Coder;
use super::{call_key, model_type};
use crate::ast::{self, ExprKind};
use crate::check::Resolution;
use crate::library::{self, PureEntry};
use crate::types::Type;

/// Wider intervals are sampled.
const MOST: i128 = 1 << 16;

static JUST_BELOW: PureEntry = PureEntry {
    name: "just below",
    result: Type::Float,
    eval: |table, args| Ok(just_below(table, &args[0])),
    determined: |_, _| Ok(model::Value::Bool(true)),
};

/// A random number of which nothing is known but its bounds.
static DRAWN: PureEntry = PureEntry {
    name: "llFrand",
    result: Type::Float,
    eval: |table, args| {
        let name = "a random number";
        Ok(match library::bounds(table, &args[0]) {
            Some((least, most, _)) if least == 0.0 && most == 0.0 => table.float(0.0),
            // Below 0, the argument is the end that is left out, and 0 is not.
            Some((least, most, _)) if least < 0.0 => {
                library::between(table, name, least, most.max(f64::MIN_POSITIVE))
            }
            Some((_, most, _)) => library::between(table, name, 0.0, most),
            None => {
                let shunned = library::none_of(table, &[], false);
                library::something(table, name, &shunned)
            }
        })
    },
    determined: |_, _| Ok(model::Value::Bool(true)),
};

impl Coder<'_> {
    /// A random number between 0 and the argument, which is left out: the ends, the middle, and a
    /// value from outside that stands for all others.
    pub(super) fn random(&mut self, range: ExprId) -> ExprId {
        if !self.temporaries.allowed() {
            return range;
        }
        let half = self.build.float(0.5);
        let zero = self.build.float(0.0);
        let middle = self.binary(
            ast::BinaryOp::Multiply,
            range,
            Type::Float,
            half,
            Type::Float,
        );
        let last = self.build.apply(&JUST_BELOW, &[range]);
        let place = self.temporary(&ModelType::Rich);
        let what = "a random number";
        let other = self.build.apply(&DRAWN, &[range]);
        let members = vec![zero, middle, last, other];
        let outside = self
            .build
            .outside(what, Span::NONE, Lifetime::Reading, true);
        let choice = self.build.chosen(place.clone(), what, members, outside);
        self.emit(Stmt::Choose(choice));
        self.build.program.exprs.load(place, ModelType::Rich)
    }

    /// A random number that is rounded at once by one of the library's roundings, if that is what
    /// the operand is and the interval is narrow.
    pub(super) fn random_integer(
        &mut self,
        rounding: &'static PureEntry,
        operand: ast::ExprId,
    ) -> Option<ExprId> {
        let checked = self.input.checked;
        let operand = checked.ast.without_parentheses(operand);
        let ExprKind::Call { arguments, .. } = &checked.ast.expr(operand).kind else {
            return None;
        };
        let Some(Resolution::Library(function)) = checked.exprs.resolution(operand) else {
            return None;
        };
        if function.name != "llFrand"
            || !self.temporaries.allowed()
            || self.build.events.contains_key(&call_key(function.name))
            || !self.is_short(arguments[0])
        {
            return None;
        }
        let range = self.stored_value(arguments[0], Type::Float);
        let range = self.save(range);
        let zero = self.build.float(0.0);
        let last = self.build.apply(&JUST_BELOW, &[range]);
        let first = self.build.apply(rounding, &[zero]);
        let last = self.build.apply(rounding, &[last]);
        let upwards = self.build.program.exprs.binary(Binary::Le, first, last);
        let least = self.build.choose_by(upwards, first, last);
        let greatest = self.build.choose_by(upwards, last, first);
        let ty = model_type(Type::Integer);
        let place: Place = self.temporary(&ty);
        self.emit(Stmt::Choose(Choice {
            place: place.clone(),
            set: ValueSet::Between(least, greatest),
            sample: None,
            what: "a random number".to_owned(),
            outside: None,
        }));
        Some(self.build.program.exprs.load(place, ty))
    }

    /// Whether the expression is surely of few units: a small constant, or the length of a list.
    fn is_short(&mut self, id: ast::ExprId) -> bool {
        let checked = self.input.checked;
        let id = checked.ast.without_parentheses(id);
        match &checked.ast.expr(id).kind {
            ExprKind::Integer(n) => i128::from(*n).abs() <= MOST,
            #[expect(clippy::cast_precision_loss, reason = "a small power of two")]
            ExprKind::Float(value) => f64::from(*value).abs() <= MOST as f64,
            ExprKind::Call { .. } => matches!(
                checked.exprs.resolution(id),
                Some(Resolution::Library(function)) if function.name == "llGetListLength"
            ),
            _ => false,
        }
    }
}

/// The number next to a float, towards zero.
fn just_below(table: &model::RichTable, value: &model::Value) -> model::Value {
    match &*table.get(value.rich()) {
        model::Rich::Float(bits) => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "stored floats are binary32"
            )]
            let number = f64::from_bits(*bits) as f32;
            let below = if number > 0.0 {
                number.next_down()
            } else if number < 0.0 {
                number.next_up()
            } else {
                number
            };
            table.float(f64::from(below))
        }
        _ => value.clone(),
    }
}
