//! What lowering reads from a checked script: no name is looked up again.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use lsl::ast::{ExprId, ExprKind, HandlerId, StmtId, StmtKind};
use lsl::check::{ExprType, Resolution};
use lsl::{Checked, Type};
use source::SourceMap;

fn checked(text: &str) -> Checked {
    let mut map = SourceMap::new();
    let id = map.add("t.lsl", text);
    let (checked, diagnostics) = lsl::analyze(map.file(id));
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    checked
}

fn statements(checked: &Checked, block: StmtId) -> Vec<StmtId> {
    match &checked.ast.stmt(block).kind {
        StmtKind::Block(statements) => statements.to_vec(),
        other => panic!("{other:?} is not a block"),
    }
}

fn first_handler(checked: &Checked) -> (HandlerId, Vec<StmtId>) {
    let id = checked.ast.handler_ids().next().unwrap();
    (id, statements(checked, checked.ast.handler(id).body))
}

fn expression(checked: &Checked, id: StmtId) -> ExprId {
    match checked.ast.stmt(id).kind {
        StmtKind::Expr(expr) => expr,
        ref other => panic!("{other:?} is not an expression"),
    }
}

#[test]
fn variables_of_equal_name_are_told_apart() {
    let script = checked(
        "integer a;\ndefault { money(key id, integer n) { a = n; integer a = n; a = 1; { integer a; a = 2; } a = 3; } }",
    );
    let (handler, body) = first_handler(&script);
    let place = |statement: StmtId| match script.ast.expr(expression(&script, statement)).kind {
        ExprKind::Assign { place, .. } => script.exprs.resolution(place).unwrap(),
        ref other => panic!("{other:?}"),
    };
    let global = script.global_named("a").unwrap();
    let outer = script.declared(body[1]).unwrap();
    assert_eq!(place(body[0]), Resolution::Global(global));
    assert_eq!(place(body[2]), Resolution::Local(outer));
    let block = statements(&script, body[3]);
    let inner = script.declared(block[0]).unwrap();
    assert_ne!(inner, outer);
    assert_eq!(place(block[1]), Resolution::Local(inner));
    assert_eq!(place(body[4]), Resolution::Local(outer));

    let locals = &script.handler_body(handler).locals;
    let shown: Vec<(&str, Type, bool)> = locals
        .iter()
        .map(|local| (script.ast.name_text(local.name), local.ty, local.parameter))
        .collect();
    assert_eq!(
        shown,
        [
            ("id", Type::Key, true),
            ("n", Type::Integer, true),
            ("a", Type::Integer, false),
            ("a", Type::Integer, false),
        ]
    );
    assert_eq!(script.event(handler).unwrap().name, "money");
}

#[test]
fn calls_constants_states_and_labels_are_resolved() {
    let script = checked(
        "f() { }\ndefault { state_entry() { f(); llSay(0, (string)PI); @l; jump l; state open; state default; } }\nstate open { state_entry() { } }",
    );
    let (_, body) = first_handler(&script);
    let resolution = |statement| script.exprs.resolution(expression(&script, statement));
    let function = script.function_named("f").unwrap();
    assert_eq!(resolution(body[0]), Some(Resolution::Function(function)));
    assert_eq!(
        script.exprs.ty(expression(&script, body[0])),
        ExprType::Void
    );
    assert_eq!(
        resolution(body[1]),
        Some(Resolution::Library(lsl::facts::function("llSay").unwrap()))
    );
    let ExprKind::Call { arguments, .. } = &script.ast.expr(expression(&script, body[1])).kind
    else {
        panic!("a call");
    };
    let ExprKind::Cast { operand, .. } = script.ast.expr(arguments[1]).kind else {
        panic!("a cast");
    };
    assert_eq!(
        script.exprs.resolution(operand),
        Some(Resolution::Constant(lsl::facts::constant("PI").unwrap()))
    );
    let label = script.label(body[2]);
    assert!(label.is_some());
    assert_eq!(script.label(body[3]), label);
    assert_eq!(script.target_state(body[4]), script.state_named("open"));
    assert_eq!(script.target_state(body[5]), script.state_named("default"));
    let open = script.state_named("open").unwrap();
    assert!(script.handler_of(open, "state_entry").is_some());
    assert!(script.handler_of(open, "timer").is_none());
}

#[test]
fn conversions_are_recorded_where_they_happen() {
    let script = checked(
        "default { state_entry() { float f = 1; f = f + 2; key k = \"x\"; llSetTimerEvent(3); if (k == \"y\") ; } }",
    );
    let mut found = Vec::new();
    let (_, body) = first_handler(&script);
    let mut open: Vec<ExprId> = Vec::new();
    for statement in body {
        match &script.ast.stmt(statement).kind {
            StmtKind::Declare { value, .. } => open.extend(value),
            StmtKind::Expr(expr) => open.push(*expr),
            StmtKind::If { arms, .. } => open.extend(arms.iter().map(|(condition, _)| condition)),
            _ => {}
        }
    }
    while let Some(id) = open.pop() {
        if let Some(ty) = script.exprs.get(id).converted {
            found.push((script.exprs.ty(id).value().unwrap(), ty));
            assert_eq!(script.exprs.used_as(id), ty);
        }
        match &script.ast.expr(id).kind {
            ExprKind::Assign { value, .. } => open.push(*value),
            ExprKind::Binary { left, right, .. } => open.extend([left, right]),
            ExprKind::Call { arguments, .. } => open.extend(arguments),
            _ => {}
        }
    }
    found.sort();
    assert_eq!(
        found,
        [
            (Type::Integer, Type::Float),
            (Type::Integer, Type::Float),
            (Type::Integer, Type::Float),
            (Type::String, Type::Key),
            (Type::String, Type::Key),
        ]
    );
}

#[test]
fn the_left_spine_is_the_chain_of_operators() {
    let script = checked("default { state_entry() { integer a = 1 + 2 * 3 - 4; } }");
    let (_, body) = first_handler(&script);
    let StmtKind::Declare {
        value: Some(value), ..
    } = script.ast.stmt(body[0]).kind
    else {
        panic!("a declaration");
    };
    let (lowest, spine) = script.ast.left_spine(value);
    assert_eq!(script.ast.expr(lowest).kind, ExprKind::Integer(1));
    assert_eq!(spine.len(), 2);
    assert_eq!(spine[1], value);
    assert_eq!(script.ast.left_spine(lowest), (lowest, vec![]));
}
