//! Godot's orchestrations: functions that wait, and what calls them.

use super::{Fails, NotKnown, Possible, Proved, expect};

/// A node: its class, more properties, and pins: a name, with `>` before outputs, and with `.` behind those of data,
/// where a value may follow.
type Node<'a> = (&'a str, &'a str, &'a [&'a str]);

/// An orchestration with the flags `Bad` and `Lamp`. Lines are places of nodes and pins.
fn text(functions: &[&str], nodes: &[Node<'_>], lines: &[[usize; 4]]) -> String {
    let mut text = "[orchestration type=\"OScript\" format=3]\n\n".to_owned();
    for name in functions {
        text += &format!(
            "[obj type=\"OScriptFunction\" id=\"f{name}\"]\nguid = \"{name}\"\nmethod = {{\n\"name\": &\"{name}\"\n}}\n\n"
        );
    }
    for name in ["Bad", "Lamp"] {
        text += &format!(
            "[obj type=\"OScriptVariable\" id=\"{name}\"]\nname = \"{name}\"\ntype = 1\n\n"
        );
    }
    for (id, (class, more, pins)) in nodes.iter().enumerate() {
        let pins = pins.iter().map(|pin| {
            let direction = if pin.starts_with('>') { "\"dir\": 1,\n" } else { "" };
            let pin = pin.trim_start_matches('>');
            match pin.split_once('.') {
                None => format!("{{\n\"pin_name\": &\"{pin}\",\n{direction}\"flags\": 4\n}}"),
                Some((pin, value)) => {
                    let value = if value.is_empty() { String::new() } else { format!(",\n\"dv\": {value}") };
                    format!("{{\n\"pin_name\": &\"{pin}\",\n\"type\": 1,\n{direction}\"flags\": 2{value}\n}}")
                }
            }
        });
        let pins: Vec<String> = pins.collect();
        text += &format!(
            "[obj type=\"OScriptNode{class}\" id=\"n{id}\"]\n{more}\nid = {id}\npin_data = Array[Dictionary]([{}])\n\n",
            pins.join(", ")
        );
    }
    let lines: Vec<usize> = lines.iter().flatten().copied().collect();
    text + &format!("[resource]\nconnections = Array[int]({lines:?})\n")
}

const EXEC: &[&str] = &["ExecIn", ">ExecOut"];
const READY: Node<'_> = ("Event", "function_id = \"_ready\"", &[">ExecOut"]);
const SET_BAD: Node<'_> = (
    "VariableSet",
    "variable_name = &\"Bad\"",
    &["ExecIn", "Bad.true", ">ExecOut", ">value."],
);
const LIGHT: Node<'_> = (
    "VariableSet",
    "variable_name = &\"Lamp\"",
    &["ExecIn", "Lamp.true", ">ExecOut", ">value."],
);
const LAMP: Node<'_> = ("VariableGet", "variable_name = &\"Lamp\"", &[">value."]);
const BRANCH: Node<'_> = ("Branch", "", &["ExecIn", "condition.", ">true", ">false"]);
const ENTRY: Node<'_> = ("FunctionEntry", "function_id = \"light\"", &[">ExecOut"]);
const CALL: Node<'_> = ("CallScriptFunction", "function_name = &\"light\"", EXEC);
const DELAY: Node<'_> = ("Delay", "", &["ExecIn", "duration.", ">ExecOut"]);

#[test]
fn a_call_runs_the_function_before_it_goes_on() {
    let nodes = [READY, CALL, BRANCH, SET_BAD, LAMP, ENTRY, LIGHT];
    let lines = [
        [0, 0, 1, 0],
        [1, 0, 2, 0],
        [4, 0, 2, 1],
        [2, 1, 3, 0],
        [5, 0, 6, 0],
    ];
    let story = text(&["_ready", "light"], &nodes, &lines);
    expect("f.torch", &story, "AG !Bad", Proved);
    expect("f.torch", &story, "AF Lamp", Proved);
    // Others may call it too, and before the beginning.
    expect("f.torch", &story, "AG (Lamp -> entered(Branch))", Fails);
}

#[test]
fn an_awaited_call_of_a_function_that_waits_comes_back_later() {
    let awaited: Node<'_> = (
        "CallScriptFunction",
        "function_name = &\"light\"\nawait = true",
        EXEC,
    );
    let story = |call: Node<'_>| {
        let nodes = [READY, call, SET_BAD, ENTRY, DELAY];
        let lines = [[0, 0, 1, 0], [1, 0, 2, 0], [3, 0, 4, 0]];
        text(&["_ready", "light"], &nodes, &lines)
    };
    let begins = "AG (fired(ready) -> !entered(Set_Bad))";
    expect("f.torch", &story(awaited), begins, Proved);
    expect("f.torch", &story(awaited), "EF Bad", Proved);
    expect("f.torch", &story(awaited), "AG !Bad", Fails);
    // One that is not awaited goes on where the function waits first.
    expect("f.torch", &story(CALL), begins, Fails);
    expect("f.torch", &story(CALL), "AF Bad", Proved);
}

#[test]
fn a_sequence_waits_for_its_branches() {
    let sequence: Node<'_> = ("Sequence", "", &["ExecIn", ">Then 0", ">Then 1"]);
    let nodes = [READY, sequence, DELAY, BRANCH, SET_BAD, LAMP, LIGHT];
    let lines = [
        [0, 0, 1, 0],
        [1, 0, 2, 0],
        [2, 0, 6, 0],
        [1, 1, 3, 0],
        [5, 0, 3, 1],
        [3, 1, 4, 0],
    ];
    // When the branch has come back is not followed.
    let story = text(&["_ready"], &nodes, &lines);
    expect("f.torch", &story, "AG !Bad", Possible);
    // Without a wait it is followed.
    let mut short = lines;
    short[1] = [1, 0, 6, 0];
    short[2] = [6, 0, 2, 0];
    let story = text(&["_ready"], &nodes, &short);
    let (word, _) = super::check("f.torch", &story, "AG !Bad");
    assert_eq!(word, Possible);
    let nodes = [READY, sequence, LIGHT, BRANCH, SET_BAD, LAMP];
    let lines = [
        [0, 0, 1, 0],
        [1, 0, 2, 0],
        [1, 1, 3, 0],
        [5, 0, 3, 1],
        [3, 1, 4, 0],
    ];
    let story = text(&["_ready"], &nodes, &lines);
    expect("f.torch", &story, "AG !Bad", Proved);
    // An early return skips the rest.
    let returns: Node<'_> = ("FunctionResult", "", &["ExecIn"]);
    let nodes = [READY, sequence, LIGHT, BRANCH, SET_BAD, LAMP, returns];
    let lines = [
        [0, 0, 1, 0],
        [1, 0, 2, 0],
        [2, 0, 6, 0],
        [1, 1, 3, 0],
        [5, 0, 3, 1],
        [3, 0, 4, 0],
    ];
    let story = text(&["_ready"], &nodes, &lines);
    expect("f.torch", &story, "AG !Bad", Possible);
    expect("f.torch", &story, "AG !fired(ready)", Fails);
    expect(
        "f.torch",
        &story,
        "AG (entered(Function_Result) -> Lamp)",
        NotKnown,
    );
}

#[test]
fn a_loop_that_breaks_aborts() {
    let story = |breaks: bool| {
        let each: Node<'_> = (
            "ForLoop",
            "with_break = true",
            &[
                "ExecIn",
                "first_index.",
                "last_index.",
                "break",
                ">loop_body",
                ">index.",
                ">completed",
                ">aborted",
            ],
        );
        let nodes = [READY, each, SET_BAD, LIGHT];
        let mut lines = vec![[0, 0, 1, 0], [1, 3, 2, 0], [1, 0, 3, 0]];
        if breaks {
            lines.push([3, 0, 1, 3]);
        }
        let text = text(&["_ready"], &nodes, &lines);
        text.replace(
            "\"pin_name\": &\"last_index\",\n\"type\": 1,\n\"flags\": 2",
            "\"pin_name\": &\"last_index\",\n\"type\": 2,\n\"flags\": 2,\n\"dv\": 2",
        )
        .replace(
            "\"pin_name\": &\"first_index\",\n\"type\": 1,\n\"flags\": 2",
            "\"pin_name\": &\"first_index\",\n\"type\": 2,\n\"flags\": 2,\n\"dv\": 0",
        )
    };
    // How often it goes round before the break is not followed.
    expect("f.torch", &story(true), "AG !Bad", Possible);
    expect("f.torch", &story(false), "AG !Bad", Proved);
    expect(
        "f.torch",
        &story(false),
        "AF fired(For_Loop.completed)",
        Proved,
    );
}

#[test]
fn a_call_of_the_engine_may_run_functions() {
    let story = |of: &str, name: &str| {
        let property = format!("function_name = &\"{name}\"\n{of}");
        let handler: Node<'_> = ("Event", "function_id = \"_on_seen\"", &[">ExecOut"]);
        let nodes = [
            READY,
            (
                "VariableSet",
                "variable_name = &\"Lamp\"",
                &["ExecIn", "Lamp.false", ">ExecOut", ">value."][..],
            ),
            ("CallMemberFunction", &*property, EXEC),
            BRANCH,
            SET_BAD,
            LAMP,
            handler,
            LIGHT,
        ];
        let lines = [
            [0, 0, 1, 0],
            [1, 0, 2, 0],
            [2, 0, 3, 0],
            [5, 0, 3, 1],
            [3, 0, 4, 0],
            [6, 0, 7, 0],
        ];
        text(&["_ready", "_on_seen"], &nodes, &lines)
    };
    let class = |name: &str| format!("target_class_name = \"{name}\"\ntarget_type = 24");
    let runs = [
        ("", "show"),
        (&*class("CanvasItem"), "show"),
        (&*class("Node"), "add_child"),
        // A script of somebody, and what calls a function that it is given.
        (&*class("Inventory"), "start"),
        ("target_type = 25", "call"),
        ("target_type = 28", "map"),
    ];
    for (of, name) in runs {
        expect("f.torch", &story(of, name), "AG !Bad", Fails);
    }
    let runs_none = [
        ("", "queue_free"),
        (&*class("Node"), "queue_free"),
        (&*class("Timer"), "start"),
        (&*class("CharacterBody3D"), "set_velocity"),
        ("target_type = 9", "normalized"),
        ("target_type = 28", "push_back"),
    ];
    for (of, name) in runs_none {
        expect("f.torch", &story(of, name), "AG !Bad", Proved);
    }
}
