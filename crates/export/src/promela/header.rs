//! The comment at the head of a model: what it is, and how to run it.

use std::fmt::Write as _;

use model::Value;

use super::Options;
use super::property::Plan;
use super::words::comment;
use super::writer::Writer;

/// The comment.
pub(super) fn header(writer: &Writer<'_>, plan: &Plan, options: &Options<'_>) -> String {
    let mut text = String::from("/*\n");
    let file = comment(&options.file);
    let mut say = |line: &str| {
        let _ = writeln!(text, "{}", format!(" * {line}").trim_end());
    };
    say(&format!("{file}, as a model for SPIN. Written by Probity."));
    say("");
    say("One process makes one move of the script and its world after another: each");
    say("option of its loop is a move, and the guard says when it can be made.");
    say("  at_...  where an instance is, by number");
    say("  v_...   a variable of the script or the world, whose own name stands beside it");
    say("  p_...   a bit that is published when a step of the script has ended");
    if writer.inside.get() {
        say("  inside  0 between the script's steps, else who is in the middle of one");
    }
    say("");
    let names: Vec<&str> = plan
        .properties
        .iter()
        .filter(|planned| planned.stated.is_ok())
        .map(|planned| planned.name.as_str())
        .collect();
    say("To verify a property (\"errors: 0\" means that it holds):");
    say("  spin -a MODEL.pml");
    say("  gcc -O2 -w -fwrapv -DNOREDUCE -DVECTORSZ=4096 -o pan pan.c");
    say("  ./pan -a -m1000000 -N PROPERTY");
    say(&format!("where PROPERTY is one of: {}", names.join(", ")));
    say("To see the run of a failure: spin -t MODEL.pml");
    say("A failed assertion marked \"room\" means that a number grew too large for the");
    say("model, and that the verdict is not known.");
    let rich = writer.rich.borrow();
    if !rich.is_empty() {
        let _ = writeln!(text, " *\n * Numbers that stand for texts, keys, lists:");
        for id in rich.iter() {
            let shown = (options.show)(writer.program, &Value::Rich(*id));
            let _ = writeln!(text, " *   {} {}", id.0, comment(&shown));
        }
    }
    if !writer.program.assumptions.is_empty() {
        let _ = writeln!(text, " *\n * Assuming that");
        for assumption in &writer.program.assumptions {
            let _ = writeln!(text, " * - {}", comment_long(&assumption.text));
        }
    }
    let _ = writeln!(text, " */");
    text
}

fn comment_long(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("*/", "* /")
        .replace("/*", "/ *")
        .replace('\\', "/")
}
