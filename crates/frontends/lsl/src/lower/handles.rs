//! Handles: the numbers that `llListen`, `llTarget` and `llRotTarget` give, by which listens and
//! targets are ended.
//!
//! Each listen or target that is opened has a number that no other open one has. A script can keep
//! it, compare it and give it back. Where it does no more than that, a few numbers stand for all
//! (data independence, as for keys): as many as variables may keep, one for each call that opens
//! something, and one that is new. A call gives the first of these that neither a global variable
//! nor an open listen or target has; where local variables may keep others, any of these. A script
//! that computes with handles, or ends what a number says that is none, may be given any number.

use std::collections::BTreeSet;

use model::{Binary, Choice, ExprId, Lifetime, Stmt, Type as ModelType, ValueSet};
use source::Span;

use super::code::Coder;
use super::{Build, Input, for_each_operand, for_each_part};
use crate::ast::{self, BinaryOp, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::check::Resolution;
use crate::environment::sample;

/// More numbers than these are not told apart: then a handle may be any number.
const MOST_HANDLES: i32 = 8;

/// What handles are of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    /// The call that gives one.
    pub(crate) gives: &'static str,
    /// The calls that take one, as their first argument.
    takes: &'static [&'static str],
    /// The event that brings one, as its first parameter.
    event: Option<&'static str>,
}

/// Handles of listens.
pub(crate) const LISTENS: Kind = Kind {
    gives: "llListen",
    takes: &["llListenRemove", "llListenControl"],
    event: None,
};

/// Handles of targets, by the name of their switch.
pub(crate) const TARGETS: [(&str, Kind); 2] = [
    (
        "target",
        Kind {
            gives: "llTarget",
            takes: &["llTargetRemove"],
            event: Some("at_target"),
        },
    ),
    (
        "rotation target",
        Kind {
            gives: "llRotTarget",
            takes: &["llRotTargetRemove"],
            event: Some("at_rot_target"),
        },
    ),
];

/// What a script does with the handles of a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Handles {
    /// Whether anybody looks at one.
    pub(crate) asked: bool,
    /// How many there have to be; `None` for any number.
    pub(crate) count: Option<i32>,
    /// The global variables that may keep one.
    globals: Vec<ast::GlobalId>,
    /// Whether variables other than these may keep one.
    elsewhere: bool,
}

/// What may keep a handle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Holder {
    Global(usize),
    /// A variable of a handler or function.
    Local(usize, usize),
    /// What a function returns.
    Result(usize),
}

struct Look<'a> {
    input: Input<'a>,
    kind: Kind,
    /// The handler or function of each expression, handlers first.
    units: Vec<Option<usize>>,
    holders: BTreeSet<Holder>,
}

impl Handles {
    /// Looks over a script and its properties for the handles of a kind.
    pub(crate) fn of(input: Input<'_>, kind: Kind) -> Handles {
        let ast = &input.checked.ast;
        let mut look = Look {
            input,
            kind,
            units: vec![None; ast.expr_count()],
            holders: BTreeSet::new(),
        };
        let (tame, bare) = look.find();
        let globals: Vec<ast::GlobalId> = look
            .holders
            .iter()
            .filter_map(|holder| match holder {
                Holder::Global(index) => Some(ast::GlobalId::new(*index)),
                _ => None,
            })
            .collect();
        let sites = input.survey.calls.get(kind.gives).map_or(0, Vec::len);
        let count = i32::try_from(look.holders.len() + sites + 1).unwrap_or(i32::MAX);
        Handles {
            asked: !tame || bare || !look.holders.is_empty(),
            count: (tame && count <= MOST_HANDLES).then_some(count),
            elsewhere: bare || look.holders.len() > globals.len(),
            globals,
        }
    }
}

impl Look<'_> {
    /// Finds what may keep a handle; says whether all that is done with one is to keep it, to
    /// compare it with another or with 0, and to give it back; and whether one is looked at that
    /// no variable has been given first.
    fn find(&mut self) -> (bool, bool) {
        let ast = &self.input.checked.ast;
        let handlers = ast.handler_ids().map(|id| ast.handler(id).body);
        let functions = ast.function_ids().map(|id| ast.function(id).body);
        let bodies: Vec<StmtId> = handlers.chain(functions).collect();
        let mut stmts: Vec<(usize, StmtId)> = Vec::new();
        for (unit, &body) in bodies.iter().enumerate() {
            let mut pending = vec![body];
            while let Some(id) = pending.pop() {
                stmts.push((unit, id));
                let mut exprs = Vec::new();
                for_each_part(&ast.stmt(id).kind, |e| exprs.push(e), |s| pending.push(s));
                while let Some(expr) = exprs.pop() {
                    self.units[expr.index()] = Some(unit);
                    for_each_operand(ast, expr, |operand| exprs.push(operand));
                }
            }
        }
        for (unit, id) in ast.handler_ids().enumerate() {
            let event = self.input.checked.event(id).map(|event| event.name);
            if event.is_some() && event == self.kind.event {
                self.holders.insert(Holder::Local(unit, 0));
            }
        }
        loop {
            let before = self.holders.len();
            self.spread(&stmts);
            if self.holders.len() == before {
                break;
            }
        }
        (self.is_tame(&stmts), self.is_bare(&stmts))
    }

    /// Whether a call that gives a handle is more than a statement or what a global variable is
    /// given.
    fn is_bare(&self, stmts: &[(usize, StmtId)]) -> bool {
        let ast = &self.input.checked.ast;
        let mut kept: BTreeSet<ast::ExprId> = stmts
            .iter()
            .filter_map(|(_, id)| match &ast.stmt(*id).kind {
                StmtKind::Expr(expr) => Some(ast.without_parentheses(*expr)),
                _ => None,
            })
            .collect();
        for id in (0..ast.expr_count()).map(ast::ExprId::new) {
            if let ExprKind::Assign { place, value, .. } = &ast.expr(id).kind
                && matches!(self.holder(*place), Some(Holder::Global(_)))
            {
                kept.insert(ast.without_parentheses(*value));
            }
        }
        let sites = self.input.survey.calls.get(self.kind.gives);
        sites.into_iter().flatten().any(|site| !kept.contains(site))
    }

    /// Adds what is given a handle.
    fn spread(&mut self, stmts: &[(usize, StmtId)]) {
        let checked = self.input.checked;
        let ast = &checked.ast;
        for id in (0..ast.expr_count()).map(ast::ExprId::new) {
            match &ast.expr(id).kind {
                ExprKind::Assign {
                    op: None,
                    place,
                    value,
                } if self.is_handle(*value) => {
                    let holder = self.holder(*place);
                    self.holders.extend(holder);
                }
                ExprKind::Call { arguments, .. } => {
                    if let Some(Resolution::Function(function)) = checked.exprs.resolution(id) {
                        let unit = ast.handlers.len() + function.index();
                        for (index, &argument) in arguments.iter().enumerate() {
                            if self.is_handle(argument) {
                                self.holders.insert(Holder::Local(unit, index));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let functions = ast.handlers.len();
        for &(unit, id) in stmts {
            match &ast.stmt(id).kind {
                StmtKind::Declare {
                    value: Some(value), ..
                } if self.is_handle(*value) => {
                    let local = checked.declared(id);
                    let holder = local.map(|local| Holder::Local(unit, local.index()));
                    self.holders.extend(holder);
                }
                StmtKind::Return(Some(value)) if unit >= functions && self.is_handle(*value) => {
                    self.holders.insert(Holder::Result(unit - functions));
                }
                _ => {}
            }
        }
    }

    fn holder(&self, id: ast::ExprId) -> Option<Holder> {
        let id = self.input.checked.ast.without_parentheses(id);
        match self.input.checked.exprs.resolution(id)? {
            Resolution::Global(global) => Some(Holder::Global(global.index())),
            Resolution::Local(local) => Some(Holder::Local(self.units[id.index()]?, local.index())),
            Resolution::Function(function) => Some(Holder::Result(function.index())),
            _ => None,
        }
    }

    /// Whether the expression's value may be a handle.
    fn is_handle(&self, id: ast::ExprId) -> bool {
        let checked = self.input.checked;
        let id = checked.ast.without_parentheses(id);
        match &checked.ast.expr(id).kind {
            ExprKind::Assign {
                op: None, value, ..
            } => self.is_handle(*value),
            ExprKind::Call { .. } | ExprKind::Name(_) => match checked.exprs.resolution(id) {
                Some(Resolution::Library(function)) => function.name == self.kind.gives,
                _ => self
                    .holder(id)
                    .is_some_and(|holder| self.holders.contains(&holder)),
            },
            _ => false,
        }
    }

    /// Whether it is 0 or -1, which no handle is.
    fn is_none(&self, id: ast::ExprId) -> bool {
        let ast = &self.input.checked.ast;
        match &ast.expr(ast.without_parentheses(id)).kind {
            ExprKind::Integer(value) => *value == 0 || *value == -1,
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => matches!(ast.expr(*operand).kind, ExprKind::Integer(1)),
            _ => false,
        }
    }

    fn is_tame(&self, stmts: &[(usize, StmtId)]) -> bool {
        let checked = self.input.checked;
        let ast = &checked.ast;
        let watched = &self.input.watch.calls;
        if self
            .kind
            .takes
            .iter()
            .chain([&self.kind.gives])
            .any(|name| watched.contains(*name))
            || self
                .kind
                .event
                .is_some_and(|event| self.input.watch.during.contains(event))
        {
            return false;
        }
        // Where a handle may stand.
        let mut allowed = vec![false; ast.expr_count()];
        let may_stand = |id: ast::ExprId, allowed: &mut Vec<bool>| {
            let mut id = id;
            loop {
                allowed[id.index()] = true;
                let ExprKind::Parenthesized(inner) = &ast.expr(id).kind else {
                    break;
                };
                id = *inner;
            }
        };
        let is_either = |id: ast::ExprId| self.is_handle(id) || self.is_none(id);
        for id in (0..ast.expr_count()).map(ast::ExprId::new) {
            match &ast.expr(id).kind {
                ExprKind::Assign { op, place, value } => {
                    if self.is_handle(*place) && !(op.is_none() && is_either(*value)) {
                        return false;
                    }
                    may_stand(*place, &mut allowed);
                    may_stand(*value, &mut allowed);
                }
                ExprKind::Unary {
                    op: UnaryOp::Not,
                    operand,
                } => may_stand(*operand, &mut allowed),
                ExprKind::Binary {
                    op: BinaryOp::And | BinaryOp::Or,
                    left,
                    right,
                    ..
                } => {
                    may_stand(*left, &mut allowed);
                    may_stand(*right, &mut allowed);
                }
                ExprKind::Binary {
                    op: BinaryOp::Equal | BinaryOp::NotEqual,
                    left,
                    right,
                    ..
                } if is_either(*left) && is_either(*right) => {
                    may_stand(*left, &mut allowed);
                    may_stand(*right, &mut allowed);
                }
                ExprKind::Binary {
                    op:
                        BinaryOp::Less
                        | BinaryOp::LessEqual
                        | BinaryOp::Greater
                        | BinaryOp::GreaterEqual,
                    left,
                    right,
                    ..
                } if self.is_none(*left) || self.is_none(*right) => {
                    may_stand(*left, &mut allowed);
                    may_stand(*right, &mut allowed);
                }
                ExprKind::Call { arguments, .. } => match checked.exprs.resolution(id) {
                    Some(Resolution::Library(function))
                        if self.kind.takes.contains(&function.name) =>
                    {
                        if !is_either(arguments[0]) {
                            return false;
                        }
                        may_stand(arguments[0], &mut allowed);
                    }
                    Some(Resolution::Function(function)) => {
                        let unit = ast.handlers.len() + function.index();
                        for (index, &argument) in arguments.iter().enumerate() {
                            let kept = self.holders.contains(&Holder::Local(unit, index));
                            if kept && !is_either(argument) {
                                return false;
                            }
                            if kept {
                                may_stand(argument, &mut allowed);
                            }
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        for global in ast.global_ids() {
            let first = ast.global(global).value;
            let kept = self.holders.contains(&Holder::Global(global.index()));
            if kept
                && (first.is_some_and(|first| !self.is_none(first))
                    || self.input.watch.changes.contains(&global))
            {
                return false;
            }
        }
        let functions = ast.handlers.len();
        for &(unit, id) in stmts {
            match &ast.stmt(id).kind {
                StmtKind::Expr(expr) => may_stand(*expr, &mut allowed),
                StmtKind::Declare { value, .. } => {
                    let local = checked.declared(id);
                    let kept = local.is_some_and(|local| {
                        self.holders.contains(&Holder::Local(unit, local.index()))
                    });
                    if kept && value.is_some_and(|value| !is_either(value)) {
                        return false;
                    }
                    value
                        .iter()
                        .for_each(|&value| may_stand(value, &mut allowed));
                }
                StmtKind::Return(Some(value)) => {
                    let kept = unit >= functions
                        && self.holders.contains(&Holder::Result(unit - functions));
                    if kept && !is_either(*value) {
                        return false;
                    }
                    may_stand(*value, &mut allowed);
                }
                StmtKind::If { arms, .. } => {
                    for &(condition, _) in arms {
                        may_stand(condition, &mut allowed);
                    }
                }
                StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => {
                    may_stand(*condition, &mut allowed);
                }
                StmtKind::For {
                    before,
                    condition,
                    after,
                    ..
                } => {
                    for &expr in before.iter().chain(after.iter()).chain([condition]) {
                        may_stand(expr, &mut allowed);
                    }
                }
                _ => {}
            }
        }
        // What counts a variable up computes with it.
        (0..ast.expr_count()).map(ast::ExprId::new).all(|id| {
            let counts = matches!(&ast.expr(id).kind, ExprKind::Step { place, .. } if self.is_handle(*place));
            !counts && (allowed[id.index()] || !self.is_handle(id))
        })
    }
}

impl Coder<'_> {
    /// A handle that no open one of `open` (whether it is open, and its handle) has. One that was
    /// given before may be given again where `again` says.
    pub(crate) fn new_handle(
        &mut self,
        handles: &Handles,
        open: &[(ExprId, ExprId)],
        again: ExprId,
        span: Span,
    ) -> ExprId {
        let Some(count) = handles.count else {
            return self.any_new_handle(open, span);
        };
        let mut first = self.build.int(count);
        let mut members = Vec::new();
        for number in (1..=count).rev() {
            let value = self.build.int(number);
            let taken = self.is_taken(value, open);
            let kept: Vec<ExprId> = handles
                .globals
                .iter()
                .map(|global| {
                    let held = self.build.read(self.build.globals[global.index()]);
                    self.build.equal(held, value)
                })
                .collect();
            let kept = self.build.any(&kept);
            let kept_or_taken = self.build.or(kept, taken);
            let free = self.build.not(kept_or_taken);
            first = self.build.choose_by(free, value, first);
            let closed = self.build.not(taken);
            members.push((free, closed, value));
        }
        let place = self.temporary(&ModelType::INT32);
        let choose = |coder: &mut Self, again: bool| {
            let members = members
                .iter()
                .map(|&(free, closed, value)| {
                    let allowed = if again { closed } else { free };
                    let [value, first] = [value, first].map(|value| Box::new(ValueSet::One(value)));
                    ValueSet::Ite(allowed, value, first)
                })
                .collect();
            let what = "the handle";
            let outside = coder.build.outside(what, span, Lifetime::Reading, !again);
            coder.emit(Stmt::Choose(Choice {
                place: place.clone(),
                set: ValueSet::Union(members),
                sample: None,
                what: what.to_owned(),
                outside: Some(outside),
            }));
        };
        let elsewhere = handles.elsewhere;
        let target = place.clone();
        self.straight_if(
            again,
            |coder| choose(coder, true),
            |coder| {
                if elsewhere {
                    choose(coder, false);
                } else {
                    coder.emit(Stmt::Assign(target, first));
                }
            },
        );
        self.build.program.exprs.load(place, ModelType::INT32)
    }

    /// Any number that no open one has.
    fn any_new_handle(&mut self, open: &[(ExprId, ExprId)], span: Span) -> ExprId {
        let what = "the handle";
        let place = self.temporary(&ModelType::INT32);
        let survey = self.input.survey;
        let mut choice =
            sample::integer_choice(self.build, survey, place.clone(), what, 1, i32::MAX);
        choice.outside = Some(self.build.outside(what, span, Lifetime::Reading, true));
        self.emit(Stmt::Choose(choice));
        let any = self.build.program.exprs.load(place, ModelType::INT32);
        // Above all that there are, if it is one of them.
        let (mut most, one) = (any, self.build.int(1));
        for &(_, own) in open {
            let more = self.build.program.exprs.binary(Binary::Lt, most, own);
            most = self.build.choose_by(more, own, most);
        }
        let next = self.build.arithmetic(Binary::Add, most, one);
        let taken = self.is_taken(any, open);
        let handle = self.build.choose_by(taken, next, any);
        self.save(handle)
    }

    fn is_taken(&mut self, handle: ExprId, open: &[(ExprId, ExprId)]) -> ExprId {
        let open: Vec<ExprId> = open
            .iter()
            .map(|&(open, own)| {
                let same = self.build.equal(own, handle);
                self.build.and(open, same)
            })
            .collect();
        self.build.any(&open)
    }
}

impl Build {
    /// The numbers that handles may have, as a choice.
    pub(crate) fn any_handle(&mut self, handles: &Handles) -> ValueSet {
        let most = handles.count.unwrap_or(i32::MAX);
        let (least, most) = (self.int(1), self.int(most));
        ValueSet::Between(least, most)
    }
}
