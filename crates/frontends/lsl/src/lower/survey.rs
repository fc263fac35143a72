//! A first look over the whole script: what it calls, what it handles, what has effects.
//!
//! Lowering needs some answers before it reaches the code that decides them: whether an operand
//! has effects (then the operand evaluated before it must be saved), whether a statement can be
//! part of one step (no loop, no call of a user function), which requests there are to be
//! answered, which numbers the script writes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::effects;
use super::meeting::Meeting;
use super::parts::{any_part, for_each_operand, for_each_part, parts_of};
use crate::ast::{BinaryOp, ExprId, ExprKind, FunctionId, HandlerId, StmtId, StmtKind, UnaryOp};
use crate::check::{Checked, Resolution};
use crate::facts;
use crate::library;
use crate::linkset::member::Member;
use crate::types::Type;

/// A longer chain of `else if` gets control flow of its own, so that nothing recurses over it.
const LONGEST_STRAIGHT_CHAIN: usize = 32;

/// What the script does, as far as a look at its text tells.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// For each expression, whether evaluating it changes or reveals anything.
    pub(crate) effects: Vec<bool>,
    /// For each expression, whether it needs control flow of its own.
    expr_control: Vec<bool>,
    /// For each statement, whether it needs control flow of its own.
    stmt_control: Vec<bool>,
    /// For each statement, whether its own expressions may be a Math Error.
    stmt_divides: Vec<bool>,
    /// Whether the numbers that the script writes, and their neighbours, stand for all integers.
    pub(crate) has_representatives: bool,
    /// Whether something goes with each message beside what scripts send.
    pub(crate) has_receipts: bool,
    /// Calls of library functions in reach, by function, in order of the text.
    pub(crate) calls: BTreeMap<&'static str, Vec<ExprId>>,
    /// User functions in reach.
    pub(crate) functions: BTreeSet<FunctionId>,
    /// Functions that may not return to their caller: they change the state, reset or die.
    pub(crate) leaves: HashSet<FunctionId>,
    /// Handlers in which a call sleeps, or in a function that they call.
    pub(crate) sleeping: HashSet<HandlerId>,
    /// In a linkset, functions that make calls which other scripts can see.
    pub(crate) seen: HashSet<FunctionId>,
    /// In a linkset, functions that may call themselves.
    pub(crate) recursive: HashSet<FunctionId>,
    /// In a linkset, functions that are called where handlers are not cut: in `state_exit`, and by
    /// functions that may call themselves.
    pub(crate) uncut: HashSet<FunctionId>,
    /// In a linkset, handlers that make calls which other scripts can see.
    pub(crate) cut: HashSet<HandlerId>,
    /// Parameters of handlers that are assigned to.
    pub(crate) assigned_parameters: HashSet<(HandlerId, usize)>,
    /// Parameters of events that some handler mentions, by event and position.
    pub(crate) used_parameters: HashSet<(String, usize)>,
    /// The integers that the script writes.
    pub(crate) integers: BTreeSet<i32>,
    /// Numbers with which the script may compare integers: those that it writes, but for operands of
    /// `&` and arguments of library functions that only show or set something. Only where these
    /// numbers and their neighbours stand for all integers.
    pub(crate) compared: BTreeSet<i32>,
    /// Those of them that amounts of payments may meet, if these are fewer.
    pub(crate) met_by_payments: Option<BTreeSet<i32>>,
    /// Those that undecided expressions may meet, where these are fewer.
    pub(crate) met_by_undecided: HashMap<ExprId, BTreeSet<i32>>,
    /// The builtin constants that the script names.
    pub(crate) constants: BTreeSet<&'static str>,
    /// Types to which texts are cast.
    casts_text_to: BTreeSet<Type>,
    /// Types of which the script may hold values that are not known to the letter.
    pub(crate) unknown: BTreeSet<Type>,
    /// Whether the script may hold lists of which not even the length is known: a call or an
    /// event gives them. Lists that the script itself puts together have a known length, whatever
    /// is in them.
    pub(crate) lists_of_any_length: bool,
}

impl Survey {
    pub(crate) fn of(checked: &Checked) -> Survey {
        Survey::of_member(checked, None)
    }

    /// Looks over a script that may be one of several, whose handlers are cut at some calls.
    pub(crate) fn of_member(checked: &Checked, member: Option<Member<'_>>) -> Survey {
        let mut survey = Survey {
            has_representatives: checked.ast.has_representatives,
            ..Survey::default()
        };
        survey.flat(checked, member);
        if survey.has_representatives {
            survey.find_compared(checked);
            if member.is_none() {
                let meeting = Meeting::of(&[checked]);
                survey.met_by_payments = meeting.of_payments();
                survey.met_by_undecided = meeting.of_undecided(0);
            }
        }
        survey.reach(checked, member);
        survey.find_unknown_types(checked);
        survey
    }

    /// Finds the numbers with which the script may compare integers.
    fn find_compared(&mut self, checked: &Checked) {
        let ast = &checked.ast;
        let mut uncompared = HashSet::new();
        for id in ast.expr_ids() {
            match &ast.expr(id).kind {
                ExprKind::Binary {
                    op: BinaryOp::BitAnd,
                    left,
                    right,
                    ..
                } => uncompared.extend([*left, *right]),
                ExprKind::Call { arguments, .. } => {
                    if let Some(Resolution::Library(function)) = checked.exprs.resolution(id)
                        && (facts::role(function.name).is_none() || function.name == "llGiveMoney")
                    {
                        uncompared.extend(arguments.iter().copied());
                    }
                }
                _ => {}
            }
        }
        for id in ast.expr_ids().filter(|id| !uncompared.contains(id)) {
            let number = |id: ExprId| match ast.expr(id).kind {
                ExprKind::Integer(number) => Some(number),
                ExprKind::Name(_) => match checked.exprs.resolution(id)? {
                    Resolution::Constant(constant) => match constant.value {
                        facts::Value::Integer(number) => Some(number),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            };
            self.compared.extend(match ast.expr(id).kind {
                ExprKind::Unary { op, operand } => {
                    number(ast.without_parentheses(operand)).map(|number| match op {
                        UnaryOp::Negate => number.wrapping_neg(),
                        UnaryOp::BitNot => !number,
                        UnaryOp::Not => i32::from(number == 0),
                    })
                }
                _ => number(id),
            });
        }
    }

    /// Whether the expression needs control flow of its own: a user function is called in it, or
    /// something that does not return.
    pub(crate) fn needs_control(&self, expr: ExprId) -> bool {
        self.expr_control.get(expr.index()).copied().unwrap_or(true)
    }

    /// Whether the statement can be part of a step's body.
    pub(crate) fn is_straight(&self, stmt: StmtId) -> bool {
        !self.stmt_control.get(stmt.index()).copied().unwrap_or(true)
    }

    /// Whether an expression of the statement, not of those inside it, may be a Math Error.
    pub(crate) fn divides(&self, stmt: StmtId) -> bool {
        self.stmt_divides
            .get(stmt.index())
            .copied()
            .unwrap_or(false)
    }

    pub(crate) fn has_effects(&self, expr: ExprId) -> bool {
        self.effects.get(expr.index()).copied().unwrap_or(true)
    }

    /// Whether any of these library functions is called.
    pub(crate) fn calls_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.calls.contains_key(name))
    }

    /// One pass over all nodes, children before parents.
    fn flat(&mut self, checked: &Checked, member: Option<Member<'_>>) {
        let ast = &checked.ast;
        let mut divides: Vec<bool> = Vec::new();
        for index in 0..ast.expr_count() {
            let id = ExprId::new(index);
            let mut effects = false;
            let mut control = false;
            let mut faulty = super::hazards::divides(checked, id);
            for_each_operand(ast, id, |operand| {
                faulty |= divides[operand.index()];
                effects |= self.effects[operand.index()];
                control |= self.expr_control[operand.index()];
            });
            match &ast.expr(id).kind {
                ExprKind::Assign { .. } | ExprKind::Step { .. } => effects = true,
                ExprKind::Call { .. } => match checked.exprs.resolution(id) {
                    Some(Resolution::Function(_)) => (effects, control) = (true, true),
                    Some(Resolution::Library(function)) => {
                        effects |= library::pure(function.name).is_none();
                        control |= effects::ends_handler(function.name)
                            || member.is_some_and(|member| member.is_seen(function));
                    }
                    _ => {}
                },
                ExprKind::Integer(value) => {
                    self.integers.insert(*value);
                }
                ExprKind::Name(_) => {
                    if let Some(Resolution::Constant(constant)) = checked.exprs.resolution(id) {
                        self.constants.insert(constant.name);
                    }
                }
                ExprKind::Cast { to, operand }
                    if checked
                        .exprs
                        .ty(*operand)
                        .value()
                        .is_some_and(Type::is_text) =>
                {
                    self.casts_text_to.insert(*to);
                }
                _ => {}
            }
            self.effects.push(effects);
            self.expr_control.push(control);
            divides.push(faulty);
        }
        let suffers = member.is_some_and(|member| member.suffers().anything());
        for index in 0..ast.stmt_count() {
            let id = StmtId::new(index);
            let kind = &ast.stmt(id).kind;
            let mut control = matches!(
                kind,
                StmtKind::While { .. }
                    | StmtKind::DoWhile { .. }
                    | StmtKind::For { .. }
                    | StmtKind::Label(_)
                    | StmtKind::Jump(_)
                    | StmtKind::Return(_)
                    | StmtKind::State(_)
            );
            control |= suffers && may_halt_before(checked, id);
            if let StmtKind::If { arms, .. } = kind {
                control |= arms.len() > LONGEST_STRAIGHT_CHAIN;
            }
            let mut inside = false;
            let mut faulty = false;
            for_each_part(
                kind,
                |expr| {
                    control |= self.expr_control[expr.index()];
                    faulty |= divides[expr.index()];
                },
                // An error inside is to be told at its own line.
                |stmt| inside |= self.stmt_control[stmt.index()] || self.stmt_divides[stmt.index()],
            );
            self.stmt_control.push(control || inside);
            self.stmt_divides.push(faulty);
        }
    }

    /// What can be reached from the handlers.
    fn reach(&mut self, checked: &Checked, member: Option<Member<'_>>) {
        let ast = &checked.ast;
        let mut callers: Vec<(FunctionId, FunctionId)> = Vec::new();
        let mut pending: Vec<FunctionId> = Vec::new();
        let mut sleepers: HashSet<FunctionId> = HashSet::new();
        let mut called_by_handlers = Vec::new();
        for id in ast.handler_ids() {
            let mut called = Vec::new();
            if self.body(checked, ast.handler(id).body, None, Some(id), &mut called) {
                self.sleeping.insert(id);
            }
            called_by_handlers.extend(called.iter().map(|&callee| (callee, id)));
            pending.extend(called);
        }
        while let Some(id) = pending.pop() {
            if !self.functions.insert(id) {
                continue;
            }
            let mut called = Vec::new();
            if self.body(checked, ast.function(id).body, Some(id), None, &mut called) {
                sleepers.insert(id);
            }
            callers.extend(called.iter().map(|&callee| (callee, id)));
            pending.extend(called);
        }
        for sites in self.calls.values_mut() {
            sites.sort_unstable_by_key(|&id| ast.expr(id).span.start);
        }
        spread(&callers, &mut self.leaves);
        spread(&callers, &mut sleepers);
        for &(callee, handler) in &called_by_handlers {
            if sleepers.contains(&callee) {
                self.sleeping.insert(handler);
            }
        }
        if let Some(member) = member {
            self.find_seen(checked, member, &callers, &called_by_handlers);
        }
    }

    /// Finds where a script makes calls that others can see.
    fn find_seen(
        &mut self,
        checked: &Checked,
        member: Member<'_>,
        callers: &[(FunctionId, FunctionId)],
        called_by_handlers: &[(FunctionId, HandlerId)],
    ) {
        let ast = &checked.ast;
        let suffers = member.suffers().anything();
        let is_seen = |body: StmtId| {
            let (stmts, exprs) = parts_of(ast, body);
            let halts = |id: StmtId| suffers && may_halt_before(checked, id);
            exprs.into_iter().any(|id| {
                let call = checked.exprs.resolution(id);
                matches!(call, Some(Resolution::Library(f)) if member.is_seen(f))
            }) || stmts.into_iter().any(halts)
        };
        let functions = self.functions.iter().copied();
        self.seen = functions
            .filter(|&id| is_seen(ast.function(id).body))
            .collect();
        spread(callers, &mut self.seen);
        for id in ast.handler_ids() {
            let through = called_by_handlers
                .iter()
                .any(|(callee, handler)| *handler == id && self.seen.contains(callee));
            if through || is_seen(ast.handler(id).body) {
                self.cut.insert(id);
            }
        }
        for &id in &self.functions {
            let mut above: HashSet<FunctionId> = HashSet::new();
            let own = callers.iter().filter(|(callee, _)| *callee == id);
            above.extend(own.map(|&(_, caller)| caller));
            spread(callers, &mut above);
            if above.contains(&id) {
                self.recursive.insert(id);
            }
        }
        let exits = |handler: HandlerId| {
            let event = checked.event(handler);
            event.is_some_and(|event| event.name == "state_exit")
        };
        let left = called_by_handlers.iter();
        let left = left.filter(|(_, handler)| exits(*handler));
        self.uncut = left.map(|(callee, _)| *callee).collect();
        self.uncut.extend(&self.recursive);
        let below: Vec<(FunctionId, FunctionId)> = callers
            .iter()
            .map(|&(callee, caller)| (caller, callee))
            .collect();
        spread(&below, &mut self.uncut);
    }

    /// Looks at one body; says whether a call in it sleeps.
    fn body(
        &mut self,
        checked: &Checked,
        body: StmtId,
        function: Option<FunctionId>,
        handler: Option<HandlerId>,
        called: &mut Vec<FunctionId>,
    ) -> bool {
        let mut sleeps = false;
        let ast = &checked.ast;
        let mut leaves = false;
        let mut exprs = Vec::new();
        let mut stmts = vec![body];
        while let Some(stmt) = stmts.pop() {
            let kind = &ast.stmt(stmt).kind;
            leaves |= matches!(kind, StmtKind::State(_));
            for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
        }
        while let Some(expr) = exprs.pop() {
            for_each_operand(ast, expr, |operand| exprs.push(operand));
            if let (Some(handler), Some(Resolution::Local(local))) =
                (handler, checked.exprs.resolution(expr))
            {
                let event = ast.name_text(ast.handler(handler).event);
                self.used_parameters
                    .insert((event.to_owned(), local.index()));
            }
            match &ast.expr(expr).kind {
                ExprKind::Call { .. } => match checked.exprs.resolution(expr) {
                    Some(Resolution::Function(id)) => called.push(id),
                    Some(Resolution::Library(function)) => {
                        self.calls.entry(function.name).or_default().push(expr);
                        sleeps |= function.sleep_ms > 0 || function.name == "llSleep";
                        leaves |= effects::ends_handler(function.name);
                    }
                    _ => {}
                },
                ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                    if let (Some(handler), Some(Resolution::Local(local))) =
                        (handler, checked.exprs.resolution(*place))
                    {
                        self.assigned_parameters.insert((handler, local.index()));
                    }
                }
                _ => {}
            }
        }
        if leaves && let Some(function) = function {
            self.leaves.insert(function);
        }
        sleeps
    }

    /// Floats and the like can only be unknown if a call or an event gives them, or if they are read out of
    /// texts or lists.
    fn find_unknown_types(&mut self, checked: &Checked) {
        self.unknown.extend([Type::String, Type::Key, Type::List]);
        let reads = |ty: Type| {
            self.calls.keys().any(|name| {
                facts::function(name).is_some_and(|function| {
                    function.result == Some(ty)
                        && (library::pure(name).is_none()
                            || function
                                .parameters
                                .iter()
                                .any(|p| p.ty.is_text() || p.ty == Type::List))
                })
            })
        };
        let brings = |ty: Type| {
            let mut events = checked.ast.handler_ids().filter_map(|id| checked.event(id));
            events.any(|event| event.parameters.iter().any(|p| p.ty == ty))
        };
        let gives_lists = |name: &&str| {
            let keeps_length =
                library::pure(name).is_some_and(|entry| library::length_of(entry).is_some());
            !keeps_length
                && facts::function(name).is_some_and(|function| function.result == Some(Type::List))
        };
        let undecided: BTreeSet<Type> = checked
            .ast
            .expr_ids()
            .filter_map(|id| match checked.ast.expr(id).kind {
                ExprKind::Undecided { ty, .. } => Some(ty),
                _ => None,
            })
            .collect();
        self.lists_of_any_length = brings(Type::List)
            || undecided.contains(&Type::List)
            || self.calls.keys().any(gives_lists);
        let mut found: Vec<Type> = [Type::Float, Type::Vector, Type::Rotation]
            .into_iter()
            .filter(|ty| {
                reads(*ty)
                    || brings(*ty)
                    || self.casts_text_to.contains(ty)
                    || undecided.contains(ty)
            })
            .collect();
        if !found.is_empty() {
            // Components of unknown vectors are unknown floats, and the other way round.
            found = vec![Type::Float, Type::Vector, Type::Rotation];
        }
        self.unknown.extend(found);
    }
}

/// Whether a script may be halted in front of a statement: it changes a global variable, leaves the
/// state or makes a call that does more than compute.
pub(super) fn may_halt_before(checked: &Checked, stmt: StmtId) -> bool {
    let ast = &checked.ast;
    let is_call = |part: ExprId| match checked.exprs.resolution(part) {
        Some(Resolution::Function(_)) => true,
        Some(Resolution::Library(function)) => library::pure(function.name).is_none(),
        _ => false,
    };
    let changes = |part: ExprId| match ast.expr(part).kind {
        ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
            let place = ast.without_parentheses(place);
            !matches!(checked.exprs.resolution(place), Some(Resolution::Local(_)))
        }
        _ => false,
    };
    let acts = |&expr: &ExprId| any_part(ast, expr, |part| is_call(part) || changes(part));
    match &ast.stmt(stmt).kind {
        StmtKind::Expr(expr) => acts(expr),
        StmtKind::Declare { value, .. } => value.iter().any(acts),
        // What becomes of the value may change a variable.
        StmtKind::Return(value) => value.is_some(),
        StmtKind::If { arms, .. } => arms.iter().any(|(condition, _)| acts(condition)),
        StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => acts(condition),
        StmtKind::For {
            before,
            condition,
            after,
            ..
        } => before.iter().chain(after).chain([condition]).any(acts),
        StmtKind::State(_) => true,
        StmtKind::Error
        | StmtKind::Empty
        | StmtKind::Block(_)
        | StmtKind::Label(_)
        | StmtKind::Jump(_) => false,
    }
}

/// Adds the callers of those in the set, and theirs.
fn spread(calls: &[(FunctionId, FunctionId)], set: &mut HashSet<FunctionId>) {
    let mut callers: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
    for &(callee, caller) in calls {
        callers.entry(callee).or_default().push(caller);
    }
    let mut pending: Vec<FunctionId> = set.iter().copied().collect();
    while let Some(id) = pending.pop() {
        for &caller in callers.get(&id).into_iter().flatten() {
            if set.insert(caller) {
                pending.push(caller);
            }
        }
    }
}
