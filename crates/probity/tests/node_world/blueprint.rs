//! Blueprints: what a function remembers, and who may act before the game has begun.

use super::{Fails, NotKnown, Possible, Proved, expect};

/// A node: name, graph, class, its reference or properties, and pins: name, whether it is an output, category, and
/// where it leads, as `Node Pin`.
type Node<'a> = (
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    &'a [(&'a str, bool, &'a str, &'a str)],
);

/// The text of some nodes. A link stands at the pin that it leaves.
fn text(nodes: &[Node<'_>]) -> String {
    let mut text = String::new();
    for (name, graph, class, property, pins) in nodes {
        text += &format!(
            "Begin Object Class=/Script/BlueprintGraph.{class} Name=\"{name}\" \
             ExportPath=\"/Script/BlueprintGraph.{class}'/Game/V/BP.BP:{graph}.{name}'\"\n   {property}\n"
        );
        for (pin, out, category, end) in *pins {
            let direction = if *out {
                "Direction=\"EGPD_Output\","
            } else {
                ""
            };
            let end = match end.split_once(' ') {
                Some((node, pin)) => format!("LinkedTo=({node} {node}.{pin},),"),
                None if !end.is_empty() => format!("DefaultValue=\"{end}\","),
                None => String::new(),
            };
            text += &format!(
                "   CustomProperties Pin (PinId={name}.{pin},PinName=\"{pin}\",{direction}\
                 PinType.PinCategory=\"{category}\",{end})\n"
            );
        }
        text += "End Object\n";
    }
    text
}

const RUN: (&str, bool, &str, &str) = ("execute", false, "exec", "");
const TICK: &str = r#"EventReference=(MemberName="ReceiveTick")"#;

/// A function `F` that is called with each tick. These nodes of it begin at `I`, a branch on `what`; where that is
/// false `X` is next, else `Bad` is set.
fn function(first: &Node<'_>, entered: &str, condition: &str, more: &[Node<'_>]) -> String {
    let when = format!(r#"VariableReference=({condition})"#);
    let nodes = [
        (
            "T",
            "EventGraph",
            "K2Node_Event",
            TICK,
            &[("then", true, "exec", "C execute")][..],
        ),
        (
            "C",
            "EventGraph",
            "K2Node_CallFunction",
            r#"FunctionReference=(MemberName="F",bSelfContext=True)"#,
            &[RUN],
        ),
        (
            "FE",
            "F",
            "K2Node_FunctionEntry",
            r#"FunctionReference=(MemberName="F")"#,
            &[("then", true, "exec", entered)],
        ),
        (
            "G",
            "F",
            "K2Node_VariableGet",
            &when,
            &[("A", true, "bool", "I Condition")],
        ),
        (
            "I",
            "F",
            "K2Node_IfThenElse",
            "",
            &[
                RUN,
                ("Condition", false, "bool", ""),
                ("then", true, "exec", "B execute"),
                ("else", true, "exec", "X execute"),
            ],
        ),
        (
            "B",
            "F",
            "K2Node_VariableSet",
            r#"VariableReference=(MemberName="Bad",bSelfContext=True)"#,
            &[RUN, ("Bad", false, "bool", "true")],
        ),
        *first,
    ];
    text(&[&nodes[..], more].concat())
}

#[test]
fn a_macro_that_remembers_forgets_when_its_function_ends() {
    let own = r#"MemberName="A",bSelfContext=True"#;
    let set = r#"VariableReference=(MemberName="A",bSelfContext=True)"#;
    let x: Node<'_> = (
        "X",
        "F",
        "K2Node_VariableSet",
        set,
        &[RUN, ("A", false, "bool", "true")],
    );
    for (name, out) in [("DoOnce", "Completed"), ("FlipFlop", "A"), ("Do N", "Exit")] {
        let input = if name == "Do N" { "Enter" } else { "execute" };
        let graph = format!(
            r#"MacroGraphReference=(MacroGraph=/Script/Engine.EdGraph'"/Engine/EditorBlueprintResources/StandardMacros.StandardMacros:{name}"')"#
        );
        let pins = [
            (input, false, "exec", ""),
            (out, true, "exec", "I execute"),
            ("N", false, "int", "1"),
        ];
        let pins = if name == "Do N" {
            &pins[..]
        } else {
            &pins[..2]
        };
        // Once A is set, only a second signal sees it.
        let text = function(
            &("D", "F", "K2Node_MacroInstance", &graph, pins),
            &format!("D {input}"),
            own,
            &[x],
        );
        expect("f.t3d", &text, "AG !Bad", Fails);
    }
}

#[test]
fn a_variable_of_a_function_is_none_of_the_object() {
    // The function's own `A` is false whenever it begins; the object's is never set.
    let local = r#"MemberScope="F",MemberName="A""#;
    let set = r#"VariableReference=(MemberScope="F",MemberName="A")"#;
    let x: Node<'_> = (
        "X",
        "F",
        "K2Node_VariableSet",
        set,
        &[
            RUN,
            ("A", false, "bool", "true"),
            ("then", true, "exec", "Y execute"),
        ],
    );
    let y: Node<'_> = (
        "Y",
        "F",
        "K2Node_VariableSet",
        r#"VariableReference=(MemberName="Twice",bSelfContext=True)"#,
        &[RUN, ("Twice", false, "bool", "true")],
    );
    let text = function(&x, "I execute", local, &[y]);
    // What a function's variable holds is not followed. In the engine only one of the two is ever set.
    expect("f.t3d", &text, "AG !Bad", Possible);
    expect("f.t3d", &text, "AG !Twice", Possible);
}

/// The game begins, `F` is called, and `Bad` is set if `A` is true then.
fn called(more: &[Node<'_>]) -> String {
    let nodes: [Node<'_>; 6] = [
        (
            "Bg",
            "EventGraph",
            "K2Node_Event",
            r#"EventReference=(MemberName="ReceiveBeginPlay")"#,
            &[("then", true, "exec", "C execute")],
        ),
        (
            "C",
            "EventGraph",
            "K2Node_CallFunction",
            r#"FunctionReference=(MemberName="F",bSelfContext=True)"#,
            &[RUN, ("then", true, "exec", "I execute")],
        ),
        (
            "G",
            "EventGraph",
            "K2Node_VariableGet",
            r#"VariableReference=(MemberName="A",bSelfContext=True)"#,
            &[("A", true, "bool", "I Condition")],
        ),
        (
            "I",
            "EventGraph",
            "K2Node_IfThenElse",
            "",
            &[
                RUN,
                ("Condition", false, "bool", ""),
                ("then", true, "exec", "B execute"),
            ],
        ),
        (
            "B",
            "EventGraph",
            "K2Node_VariableSet",
            r#"VariableReference=(MemberName="Bad",bSelfContext=True)"#,
            &[RUN, ("Bad", false, "bool", "true")],
        ),
        (
            "FE",
            "F",
            "K2Node_FunctionEntry",
            r#"FunctionReference=(MemberName="F")"#,
            &[("then", true, "exec", "X execute")],
        ),
    ];
    text(&[&nodes[..], more].concat())
}

#[test]
fn a_function_runs_where_it_is_called_and_then_its_caller_goes_on() {
    let set = r#"VariableReference=(MemberName="A",bSelfContext=True)"#;
    let x = |value| [RUN, ("A", false, "bool", value)];
    let (on, off) = (x("true"), x("false"));
    let node = |pins| ("X", "F", "K2Node_VariableSet", set, pins);
    expect("f.t3d", &called(&[node(&on[..])]), "AG !Bad", Fails);
    expect("f.t3d", &called(&[node(&on[..])]), "AF Bad", Proved);
    expect("f.t3d", &called(&[node(&off[..])]), "AG !Bad", Proved);
}

#[test]
fn what_a_pure_function_changes_is_not_known() {
    let set = r#"VariableReference=(MemberName="A",bSelfContext=True)"#;
    let x: &[_] = &[RUN, ("A", false, "bool", "false")];
    // Nothing is known of when it is called: whenever what it gives is asked for.
    let text = called(&[("X", "F", "K2Node_VariableSet", set, x)]);
    let pure = |text: &str| {
        let text = text.replacen("LinkedTo=(C C.execute,)", "LinkedTo=(I I.execute,)", 1);
        let lines = text.lines().filter(|line| !line.contains("PinId=C."));
        lines.collect::<Vec<_>>().join("\n")
    };
    expect("f.t3d", &pure(&text), "AG !Bad", NotKnown);
    expect("f.t3d", &pure(&called(&[])), "AG !Bad", Proved);
}

#[test]
fn what_stands_behind_an_early_return_is_not_known() {
    let set = r#"VariableReference=(MemberName="A",bSelfContext=True)"#;
    let sequence = |first, second| {
        [
            RUN,
            ("then_0", true, "exec", first),
            ("then_1", true, "exec", second),
        ]
    };
    let nodes = |pins: &[(&str, bool, &str, &str)]| {
        called(&[
            ("X", "F", "K2Node_ExecutionSequence", "", pins),
            (
                "On",
                "F",
                "K2Node_VariableSet",
                set,
                &[
                    RUN,
                    ("A", false, "bool", "true"),
                    ("then", true, "exec", "R execute"),
                ],
            ),
            (
                "Off",
                "F",
                "K2Node_VariableSet",
                set,
                &[RUN, ("A", false, "bool", "false")],
            ),
            (
                "R",
                "F",
                "K2Node_FunctionResult",
                r#"FunctionReference=(MemberName="F")"#,
                &[RUN],
            ),
        ])
    };
    // The engine never comes to `Off`.
    let early = nodes(&sequence("On execute", "Off execute"));
    expect("f.t3d", &early, "AG !Bad", NotKnown);
    let late = nodes(&sequence("Off execute", "On execute"));
    expect("f.t3d", &late, "AG !Bad", Fails);
    expect("f.t3d", &late, "AF Bad", Proved);
}

#[test]
fn others_may_act_before_the_game_begins_here() {
    let graph = |event: &str| {
        let event = format!(r#"EventReference=(MemberName="{event}")"#);
        text(&[
            (
                "Bg",
                "EventGraph",
                "K2Node_Event",
                r#"EventReference=(MemberName="ReceiveBeginPlay")"#,
                &[("then", true, "exec", "X execute")],
            ),
            (
                "X",
                "EventGraph",
                "K2Node_VariableSet",
                r#"VariableReference=(MemberName="A",bSelfContext=True)"#,
                &[RUN, ("A", false, "bool", "true")],
            ),
            (
                "E",
                "EventGraph",
                "K2Node_Event",
                &event,
                &[("then", true, "exec", "I execute")],
            ),
            (
                "G",
                "EventGraph",
                "K2Node_VariableGet",
                r#"VariableReference=(MemberName="A",bSelfContext=True)"#,
                &[("A", true, "bool", "I Condition")],
            ),
            (
                "I",
                "EventGraph",
                "K2Node_IfThenElse",
                "",
                &[
                    RUN,
                    ("Condition", false, "bool", ""),
                    ("else", true, "exec", "B execute"),
                ],
            ),
            (
                "B",
                "EventGraph",
                "K2Node_VariableSet",
                r#"VariableReference=(MemberName="Bad",bSelfContext=True)"#,
                &[RUN, ("Bad", false, "bool", "true")],
            ),
        ])
    };
    expect("e.t3d", &graph("ReceiveAnyDamage"), "AG !Bad", Fails);
    expect("e.t3d", &graph("ReceiveTick"), "AG !Bad", Proved);
}
