//! Scripts of one library function each, which ask of it whatever can be asked: is it the same twice
//! in a row, behind a pause, behind another call, in the next event; can it be what is written here;
//! does the event come that it causes.

use lsl::Type;
use lsl::facts::{self, Function};

use crate::generate::{Handler, Maker, Script};
use crate::subjects::caused_by;

/// Pairs of a call that changes something and one that reads it.
const SET_AND_READ: &[(&str, &str)] = &[
    ("llSetAlpha(0.25, 0);", "llGetAlpha"),
    ("llSetColor(<0.25, 0.5, 0.75>, 0);", "llGetColor"),
    ("llOffsetTexture(0.25, 0.5, 0);", "llGetTextureOffset"),
    ("llScaleTexture(0.25, 0.5, 0);", "llGetTextureScale"),
    ("llRotateTexture(0.25, 0);", "llGetTextureRot"),
    ("llSetTexture(\"open\", 0);", "llGetTexture"),
    ("llSetRenderMaterial(\"open\", 0);", "llGetRenderMaterial"),
    ("llSetStatus(1, TRUE);", "llGetStatus"),
    ("llSetPos(<1.0, 2.0, 3.0>);", "llGetPos"),
    ("llSetRot(<0.0, 0.0, 1.0, 0.0>);", "llGetRot"),
    ("llSetScale(<1.0, 2.0, 3.0>);", "llGetScale"),
    ("llSetForce(<1.0, 2.0, 3.0>, FALSE);", "llGetForce"),
    ("llSetTorque(<1.0, 2.0, 3.0>, FALSE);", "llGetTorque"),
    ("llSetObjectName(\"go\");", "llGetObjectName"),
    ("llSetObjectDesc(\"go\");", "llGetObjectDesc"),
    ("llLinksetDataWrite(\"go\", \"open\");", "llLinksetDataRead"),
    ("llLinksetDataReset();", "llLinksetDataCountKeys"),
    ("llLinksetDataDelete(\"go\");", "llLinksetDataRead"),
    ("llRemoveInventory(\"Config\");", "llGetInventoryType"),
    (
        "llGiveInventory(llGetOwner(), \"Config\");",
        "llGetInventoryType",
    ),
    ("llResetTime();", "llGetTime"),
    ("llUnSit(llAvatarOnSitTarget());", "llAvatarOnSitTarget"),
    (
        "llSetPrimitiveParams([PRIM_NAME, \"go\"]);",
        "llGetObjectName",
    ),
    (
        "llSetLinkPrimitiveParamsFast(LINK_THIS, [PRIM_DESC, \"go\"]);",
        "llGetObjectDesc",
    ),
];

/// The script that asks all there is about a function.
pub(crate) fn directed(seed: u64, function: &'static Function) -> Script {
    let mut maker = Maker::of(seed, function);
    let call = format!("{}({})", function.name, maker.arguments(function));
    let mut flags = vec!["came", "told"];
    let mut globals = vec![
        "string s = \"go\";".to_owned(),
        "key q;".to_owned(),
        "key who;".to_owned(),
        "list l;".to_owned(),
        "integer handle;".to_owned(),
        "integer set;".to_owned(),
        "integer total = 2;".to_owned(),
    ];
    let mut statements = Vec::new();
    match function.result {
        None => {
            let ends = ["llResetScript", "llDie"].contains(&function.name);
            let guard = if ends { "if (set) " } else { "set = TRUE; " };
            statements.push(format!("{guard}{call};"));
            statements.push("set = TRUE;".to_owned());
        }
        Some(ty) => {
            flags.extend(["differs", "slept", "later", "known"]);
            globals.push(format!("{ty} kept;"));
            let differs = |one: &str, other: &str| match ty {
                Type::List => {
                    format!("llDumpList2String({one}, \";\") != llDumpList2String({other}, \";\")")
                }
                _ => format!("{one} != {other}"),
            };
            statements.push(format!("{ty} first = {call};"));
            statements.push(format!("if ({}) differs = TRUE;", differs(&call, "first")));
            statements.push("llSleep(1.0);".to_owned());
            statements.push(format!("if ({}) slept = TRUE;", differs(&call, "first")));
            statements.push(format!(
                "if (set && {}) later = TRUE;",
                differs("kept", "first")
            ));
            statements.push("kept = first; set = TRUE;".to_owned());
            let test = maker.test("first", ty);
            statements.push(format!("if ({test}) known = TRUE;"));
        }
    }
    let mut handlers = vec![Handler {
        event: "touch_start",
        statements,
    }];
    if let Some(event) = caused_by(function.name).filter(|event| *event != "touch_start") {
        let parameters = &facts::event(event).expect("a known event").parameters;
        let mut heard = vec!["came = TRUE;".to_owned()];
        if !parameters.is_empty() {
            let index = usize::try_from(seed).unwrap_or(0) % parameters.len();
            let test = maker.test(&format!("p{index}"), parameters[index].ty);
            heard.push(format!("if ({test}) told = TRUE;"));
        }
        handlers.push(Handler {
            event,
            statements: heard,
        });
    } else {
        flags.retain(|flag| !["came", "told"].contains(flag));
    }
    globals.extend(flags.iter().map(|flag| format!("integer {flag};")));
    let mut directives: Vec<String> = flags
        .iter()
        .map(|flag| format!("property never_{flag}: never {flag};"))
        .collect();
    if flags.is_empty() {
        let any: Vec<&str> = function.parameters.iter().map(|_| "_").collect();
        let any = any.join(", ");
        directives.push(format!(
            "property never_called: never call {}({any});",
            function.name
        ));
    }
    if function.name == "llResetScript" {
        directives.push("ghost integer entries;".to_owned());
        directives.push("on state_entry() { entries += 1; }".to_owned());
        directives.push("property never_again: always entries <= 1;".to_owned());
        handlers.push(Handler {
            event: "state_entry",
            statements: Vec::new(),
        });
    }
    Script {
        directives,
        globals,
        states: vec![("default".to_owned(), handlers)],
    }
}

/// How many pairs of a call that changes something and one that reads it there are.
pub(crate) const PAIRS: usize = SET_AND_READ.len();

/// The script that asks whether a getter says the same behind a call that changes it, and whether
/// it can say then what is written here. `None` if there is no such pair.
pub(crate) fn set_and_read(pair: usize) -> Option<Script> {
    let &(setter, getter) = SET_AND_READ.get(pair)?;
    let function = facts::function(getter).expect("a library function");
    let mut maker = Maker::of(pair as u64, function);
    let call = format!("{getter}({})", maker.arguments(function));
    let ty = function.result.expect("a getter");
    let test = maker.test("second", ty);
    let flags = ["changed", "went_back", "known", "waited"];
    let variables = ["string s = \"go\";", "key q;", "key who;", "list l;"];
    let globals = variables.map(str::to_owned).into_iter();
    let globals = globals.chain(flags.map(|flag| format!("integer {flag};")));
    let statements = vec![
        format!("{ty} first = {call};"),
        setter.to_owned(),
        format!("{ty} second = {call};"),
        "if (second != first) changed = TRUE;".to_owned(),
        match ty {
            Type::Integer | Type::Float => "if (second < first) went_back = TRUE;".to_owned(),
            _ => "went_back = changed;".to_owned(),
        },
        format!("if ({test}) known = TRUE;"),
        "llSleep(1.0);".to_owned(),
        format!("if ({call} != second) waited = TRUE;"),
    ];
    Some(Script {
        directives: flags
            .map(|flag| format!("property never_{flag}: never {flag};"))
            .to_vec(),
        globals: globals.collect(),
        states: vec![(
            "default".to_owned(),
            vec![Handler {
                event: "touch_start",
                statements,
            }],
        )],
    })
}
