//! Which numbers an amount of a payment may be compared with, and which a value that is not followed.
//!
//! Where the numbers that scripts write stand for all integers, few of them are ever compared with the same
//! variable. Integers that are copied to each other, or compared, are in one class, by unification (B. Steensgaard,
//! *Points-to Analysis in Almost Linear Time*, POPL 1996, does so with pointers); the numbers written in a class
//! and their neighbours stand for all integers that come into it. An operation that is not looked into puts what
//! it reads into the class of all that the scripts write.

use std::collections::{BTreeSet, HashMap};

use crate::ast::{ExprId, ExprKind, StmtKind, UnaryOp};
use crate::check::{Checked, Resolution};
use crate::facts;
use crate::types::Type;

use super::parts::{for_each_operand, parts_of};
use super::variables::{Variable, units, variable};

/// What may be done with any number of those written.
const ANYTHING: usize = 0;
/// Amounts of payments.
const PAYMENTS: usize = 1;
/// Numbers in messages between scripts.
const MESSAGES: usize = 2;

/// Arguments of library functions that come to other scripts as numbers in messages.
const SENT: (&str, usize) = ("llMessageLinked", 1);

/// Library functions that look at no number: all others may compare one with any.
const PAYS: [&str; 2] = ["llGiveMoney", "llTransferLindenDollars"];

/// Parameters of events that have a class for all scripts.
const SHARED: [(&str, usize, usize); 2] = [("money", 1, PAYMENTS), ("link_message", 1, MESSAGES)];

/// What numbers meet in scripts, which run together if they are several.
#[derive(Debug, Default)]
pub(super) struct Meeting {
    classes: Classes,
    /// Classes of undecided expressions, by script.
    undecided: Vec<HashMap<ExprId, usize>>,
}

impl Meeting {
    /// Looks over scripts in which integers are only copied and compared.
    pub(super) fn of(scripts: &[&Checked]) -> Meeting {
        let mut classes = Classes::default();
        for _ in [ANYTHING, PAYMENTS, MESSAGES] {
            classes.add();
        }
        let mut undecided = Vec::new();
        for checked in scripts {
            let mut reader = Reader {
                checked,
                classes,
                variables: HashMap::new(),
                results: HashMap::new(),
                undecided: HashMap::new(),
            };
            reader.script();
            undecided.push(reader.undecided);
            classes = reader.classes;
        }
        Meeting { classes, undecided }
    }

    /// The numbers that meet amounts of payments, if not all do.
    pub(super) fn of_payments(&self) -> Option<BTreeSet<i32>> {
        self.classes.numbers(PAYMENTS)
    }

    /// The numbers that meet undecided expressions of a script, of those that do not meet all.
    pub(super) fn of_undecided(&self, script: usize) -> HashMap<ExprId, BTreeSet<i32>> {
        let classes = self.undecided[script].iter();
        classes
            .filter_map(|(&expr, &class)| Some((expr, self.classes.numbers(class)?)))
            .collect()
    }
}

/// Disjoint sets (R. Tarjan, *Efficiency of a Good But Not Linear Set Union Algorithm*, 1975), with the numbers
/// that meet each.
#[derive(Debug, Default)]
struct Classes {
    parents: Vec<usize>,
    numbers: Vec<BTreeSet<i32>>,
}

impl Classes {
    fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.numbers.push(BTreeSet::new());
        self.parents.len() - 1
    }

    fn root(&self, mut class: usize) -> usize {
        while self.parents[class] != class {
            class = self.parents[class];
        }
        class
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        let (mut few, mut many) = (
            std::mem::take(&mut self.numbers[one]),
            std::mem::take(&mut self.numbers[other]),
        );
        many.append(&mut few);
        self.numbers[other] = many;
        self.parents[one] = other;
    }

    /// The numbers of a class, unless it is that of anything.
    fn numbers(&self, class: usize) -> Option<BTreeSet<i32>> {
        let root = self.root(class);
        (root != self.root(ANYTHING)).then(|| self.numbers[root].clone())
    }
}

/// What an integer expression is, for what it meets.
#[derive(Clone, Copy)]
enum Side {
    Class(usize),
    Number(i32),
    Undecided(ExprId),
    /// 0 or 1, which every class has.
    Truth,
}

struct Reader<'a> {
    checked: &'a Checked,
    classes: Classes,
    variables: HashMap<Variable, usize>,
    /// What functions give, by unit.
    results: HashMap<usize, usize>,
    undecided: HashMap<ExprId, usize>,
}

impl Reader<'_> {
    fn script(&mut self) {
        let checked = self.checked;
        let ast = &checked.ast;
        for id in ast.handler_ids() {
            let event = checked.event(id).map(|event| event.name);
            for (shared, parameter, class) in SHARED {
                if event == Some(shared) {
                    let own = self.variable((Some(id.index()), parameter));
                    self.classes.unite(own, class);
                }
            }
        }
        for id in ast.global_ids() {
            if let Some(value) = ast.global(id).value
                && self.is_integer(value)
            {
                let global = Side::Class(self.variable((None, id.index())));
                let value = self.side(usize::MAX, value);
                self.meet(global, value);
            }
        }
        for (unit, body) in units(ast) {
            let (stmts, exprs) = parts_of(ast, body);
            for stmt in stmts {
                match &ast.stmt(stmt).kind {
                    StmtKind::Declare {
                        value: Some(value), ..
                    } => {
                        if let Some(local) = checked.declared(stmt) {
                            let local = self.variable((Some(unit), local.index()));
                            self.copies(unit, *value, local);
                        }
                    }
                    StmtKind::Return(Some(value)) => {
                        let result = self.result(unit);
                        self.copies(unit, *value, result);
                    }
                    // What other statements have is evaluated for its effect, or is a condition.
                    _ => {}
                }
            }
            for expr in exprs {
                self.expression(unit, expr);
            }
        }
    }

    fn is_integer(&self, expr: ExprId) -> bool {
        self.checked.exprs.ty(expr).value() == Some(Type::Integer)
    }

    fn is_list(&self, expr: ExprId) -> bool {
        self.checked.exprs.ty(expr).value() == Some(Type::List)
    }

    fn variable(&mut self, variable: Variable) -> usize {
        let classes = &mut self.classes;
        *self
            .variables
            .entry(variable)
            .or_insert_with(|| classes.add())
    }

    fn result(&mut self, unit: usize) -> usize {
        let classes = &mut self.classes;
        *self.results.entry(unit).or_insert_with(|| classes.add())
    }

    /// A value comes to a class.
    fn copies(&mut self, unit: usize, value: ExprId, to: usize) {
        if self.is_integer(value) {
            let value = self.side(unit, value);
            self.meet(Side::Class(to), value);
        }
    }

    fn side(&mut self, unit: usize, expr: ExprId) -> Side {
        let ast = &self.checked.ast;
        let expr = ast.without_parentheses(expr);
        match &ast.expr(expr).kind {
            ExprKind::Integer(number) => Side::Number(*number),
            ExprKind::Name(_) => match variable(self.checked, unit, expr) {
                Some(variable) => Side::Class(self.variable(variable)),
                None => match self.checked.exprs.resolution(expr) {
                    Some(Resolution::Constant(constant)) => match constant.value {
                        facts::Value::Integer(number) => Side::Number(number),
                        _ => Side::Class(ANYTHING),
                    },
                    _ => Side::Class(ANYTHING),
                },
            },
            ExprKind::Assign { place, .. } => self.side(unit, *place),
            ExprKind::Call { .. } => match self.checked.exprs.resolution(expr) {
                Some(Resolution::Function(function)) => {
                    Side::Class(self.result(ast.handlers.len() + function.index()))
                }
                _ => Side::Class(ANYTHING),
            },
            ExprKind::Unary { op, operand } => match (op, self.side(unit, *operand)) {
                (UnaryOp::Not, _) => Side::Truth,
                (UnaryOp::Negate, Side::Number(number)) => Side::Number(number.wrapping_neg()),
                (UnaryOp::BitNot, Side::Number(number)) => Side::Number(!number),
                _ => Side::Class(ANYTHING),
            },
            ExprKind::Binary {
                op, left, right, ..
            } if op.is_logic()
                || op.is_comparison() && !self.is_list(*left) && !self.is_list(*right) =>
            {
                Side::Truth
            }
            ExprKind::Undecided { .. } => Side::Undecided(expr),
            _ => Side::Class(ANYTHING),
        }
    }

    fn meet(&mut self, one: Side, other: Side) {
        match (one, other) {
            (Side::Class(one), Side::Class(other)) => self.classes.unite(one, other),
            (Side::Class(class), Side::Number(number))
            | (Side::Number(number), Side::Class(class)) => {
                let root = self.classes.root(class);
                self.classes.numbers[root].insert(number);
            }
            (Side::Class(class), Side::Undecided(expr))
            | (Side::Undecided(expr), Side::Class(class)) => {
                self.undecided.insert(expr, class);
            }
            _ => {}
        }
    }

    /// What an expression's own operation does with its operands.
    fn expression(&mut self, unit: usize, expr: ExprId) {
        let checked = self.checked;
        let ast = &checked.ast;
        match &ast.expr(expr).kind {
            ExprKind::Parenthesized(_) | ExprKind::Undecided { .. } => {}
            ExprKind::Unary {
                op: UnaryOp::Not, ..
            } => {}
            ExprKind::Assign {
                op: None,
                place,
                value,
            } if self.is_integer(*place) && self.is_integer(*value) => {
                self.meet_operands(unit, *place, *value);
            }
            ExprKind::Binary {
                op, left, right, ..
            } if op.is_comparison() && self.is_integer(*left) && self.is_integer(*right) => {
                self.meet_operands(unit, *left, *right);
            }
            ExprKind::Binary { op, .. } if op.is_logic() => {}
            ExprKind::Call { arguments, .. } => match checked.exprs.resolution(expr) {
                Some(Resolution::Function(function)) => {
                    let callee = ast.handlers.len() + function.index();
                    for (index, &argument) in arguments.iter().enumerate() {
                        let parameter = self.variable((Some(callee), index));
                        self.copies(unit, argument, parameter);
                    }
                }
                Some(Resolution::Library(function)) => {
                    for (index, &argument) in arguments.iter().enumerate() {
                        if (function.name, index) == SENT {
                            self.copies(unit, argument, MESSAGES);
                        } else if !PAYS.contains(&function.name) {
                            self.copies(unit, argument, ANYTHING);
                        }
                    }
                }
                _ => self.operands(unit, expr),
            },
            _ => self.operands(unit, expr),
        }
    }

    fn meet_operands(&mut self, unit: usize, one: ExprId, other: ExprId) {
        let (one, other) = (self.side(unit, one), self.side(unit, other));
        self.meet(one, other);
    }

    /// Anything is done with the operands.
    fn operands(&mut self, unit: usize, expr: ExprId) {
        let mut operands = Vec::new();
        for_each_operand(&self.checked.ast, expr, |operand| operands.push(operand));
        for operand in operands {
            self.copies(unit, operand, ANYTHING);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What meets payments in a script with this handler of payments and these declarations in front.
    fn met(globals: &str, body: &str) -> Option<BTreeSet<i32>> {
        let text = format!("{globals} default {{ money(key id, integer n) {{ {body} }} }}");
        let mut sources = source::SourceMap::new();
        let file = sources.add("test.lsl", text);
        let (checked, found) = crate::analyze(sources.file(file));
        assert!(!found.has_errors(), "{body}");
        Meeting::of(&[&checked]).of_payments()
    }

    #[test]
    fn payments_meet_the_numbers_that_they_are_compared_with() {
        let globals = "integer PRICE = 10; integer other = 77; integer held;
            integer keep(integer sum) { held = sum; return sum; }";
        let meets = |body: &str, numbers: &[i32]| {
            let expected = Some(numbers.iter().copied().collect());
            assert_eq!(met(globals, body), expected, "{body}");
        };
        meets("if (other > 5) llGiveMoney(id, n);", &[]);
        meets(
            "if (n > PRICE || !(-3 == n)) llGiveMoney(id, n);",
            &[-3, 10],
        );
        meets("integer x = n; if (x == 25) return; x = 3;", &[3, 25]);
        meets("if (keep(n) < 4) return; if (held == 6) return;", &[4, 6]);
        meets("integer x; if ((x = n) < PRICE) x = other;", &[10, 77]);
    }

    #[test]
    fn what_is_not_looked_into_meets_anything() {
        for body in [
            "if (n + 1 > 5) return;",
            "integer x = n; x += 2;",
            "llSetTimerEvent(n);",
            // A channel on which others listen, and a prim.
            "llRegionSay(n, \"\");",
            "llMessageLinked(n, 0, \"\", id);",
            "list all = [n];",
            "if (n * 0.5 > 2.0) return;",
            "string text = (string)n;",
        ] {
            assert_eq!(met("", body), None, "{body}");
        }
    }
}
