//! Scripts of a linkset that load others by `llRemoteLoadScriptPin`: what holds, what does not, and what the report says
//! where that is not followed.

use probity::{InMemory, run};
use report::VerdictWord::{Fails, Holds, NotKnown, Possible};
use report::{Report, VerdictWord};

/// The loader in one prim, and another prim into which a script may come that is not there at first.
const LOADED: &str =
    "[[prim]]\nscripts = [\"loader.lsl\"]\n[[prim]]\nname = \"slot\"\nloaded = [\"child.lsl\"]\n";

/// What Probity says of a linkset with such prims, and one property.
fn report(property: &str, prims: &str, scripts: &[(&str, &str)], format: &[&str]) -> String {
    let toml = format!(
        "queue = 3\nbounds = [\"amount = 0..2\"]\nproperties = [\"p: {property}\"]\n{prims}"
    );
    let mut system = InMemory::default().with_file("shop.toml", &*toml);
    for (name, text) in scripts {
        system = system.with_file(&*format!("{name}.lsl"), *text);
    }
    let words = ["probity", "check", "shop.toml", "--timeout", "300s"];
    let words = [&words[..], format].concat();
    run(&words, &system);
    system.out()
}

/// The report for people, as one line.
fn said(property: &str, prims: &str, scripts: &[(&str, &str)]) -> String {
    let text = report(property, prims, scripts, &[]);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The verdict on a property.
fn verdict(property: &str, prims: &str, scripts: &[(&str, &str)]) -> VerdictWord {
    let out = report(property, prims, scripts, &["--format", "json"]);
    let report: Report = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {out}"));
    let mut properties = report.files.iter().flat_map(|file| &file.properties);
    let found = properties.find(|found| found.name == "p");
    found
        .unwrap_or_else(|| panic!("there is no p: {out}"))
        .verdict
}

/// Loads the child at each payment, with the amount as its start parameter, and counts what that tells of.
fn loader(call: &str) -> String {
    format!(
        "integer ready; integer sold;\n\
         default {{\n\
             money(key id, integer amount) {{ if (sold < 2) {{ ++sold; {call} }} }}\n\
             link_message(integer f, integer n, string s, key id) {{ if (ready < 3) ++ready; }}\n\
         }}"
    )
}

const LOAD: &str = "llRemoteLoadScriptPin(llGetLinkKey(2), \"child\", 4711, TRUE, amount);";

/// Says once when it begins that it is there.
const CHILD: &str = "integer price = 7;\n\
    default { state_entry() { price = llGetStartParameter(); llMessageLinked(1, 1, \"\", \"\"); }\n\
        on_rez(integer given) { } }";

#[test]
fn a_script_that_is_loaded_begins_with_its_start_parameter() {
    let loader = loader(LOAD);
    let with = |property: &str, child: &str| {
        verdict(property, LOADED, &[("loader", &loader), ("child", child)])
    };
    assert_eq!(with("always loader.ready <= loader.sold", CHILD), Holds);
    assert_eq!(with("always loader.ready == 0", CHILD), Fails);
    assert_eq!(with("always child.price == 7", CHILD), Fails);
    assert_eq!(with("always child.price != 2", CHILD), Fails);
    // A reset takes the start parameter away.
    let reset = "integer again;\n\
        default { state_entry() { if (llGetStartParameter() == 0) again = 1; }\n\
            touch_start(integer n) { llResetScript(); } on_rez(integer given) { } }";
    assert_eq!(with("always child.again == 0", reset), Fails);
    let nobody_pays_nothing = loader_of_one(2);
    let only_two = |child: &str| {
        let scripts = [("loader", &*nobody_pays_nothing), ("child", child)];
        verdict("always child.again == 0", LOADED, &scripts)
    };
    assert_eq!(only_two(reset), Fails);
    assert_eq!(only_two(&reset.replace("llResetScript();", "")), Holds);
}

/// Loads the child with one start parameter.
fn loader_of_one(parameter: i32) -> String {
    loader(&LOAD.replace("amount", &parameter.to_string()))
}

/// The child says once that it is there. Loaded anew, it has forgotten that.
#[test]
fn a_script_that_is_loaded_anew_has_forgotten_everything() {
    let child = "integer told;\n\
        default { touch_start(integer n) { if (!told) { told = 1; llMessageLinked(1, 1, \"\", \"\"); } } }";
    let with = |call: &str, prims: &str| {
        let loader = loader(call);
        let scripts = [("loader", &*loader), ("child", child)];
        verdict("always loader.ready <= 1", prims, &scripts)
    };
    assert_eq!(with(LOAD, LOADED), Fails);
    assert_eq!(with(&format!("if (sold < 2) {LOAD}"), LOADED), Holds);
    // It is there at first, too.
    let there = format!("{LOADED}scripts = [\"child.lsl\"]\n");
    assert_eq!(with(&format!("if (sold < 2) {LOAD}"), &there), Fails);
    assert_eq!(with("", &there), Holds);
}

/// Whether a run exists in which the script comes.
#[test]
fn what_is_not_known_of_a_call_is_tried() {
    let with = |call: &str, child: &str| {
        let loader = loader(call);
        let scripts = [("loader", &*loader), ("child", child)];
        verdict("always loader.ready == 0", LOADED, &scripts)
    };
    assert_eq!(with(LOAD, CHILD), Fails);
    let any_pin = LOAD.replace("4711", "(integer)llFrand(9)");
    assert_eq!(with(&any_pin, CHILD), Possible);
    let another = format!("if (sold == 1) {LOAD} {}", LOAD.replace("4711", "4712"));
    assert_eq!(with(&another, CHILD), Possible);
    let any_prim = LOAD.replace("llGetLinkKey(2)", "(key)llGetObjectDesc()");
    assert_eq!(with(&any_prim, CHILD), Possible);
    let kept = format!(
        "key slot = llGetLinkKey(2); {}",
        LOAD.replace("llGetLinkKey(2)", "slot")
    );
    assert_eq!(with(&kept, CHILD), Fails);
    let named = LOAD.replace("llGetLinkKey(2)", "llGetLinkKey(SLOT)");
    let named = format!("integer SLOT = 2; {}", loader(&named));
    let scripts = [("loader", &*named), ("child", CHILD)];
    let said = verdict("always loader.ready == 0", LOADED, &scripts);
    assert_eq!(said, Fails);
    let counted = LOAD.replace("llGetLinkKey(2)", "llGetLinkKey(1 + sold)");
    assert_eq!(with(&counted, CHILD), Possible);
    let waits = LOAD.replace("TRUE", "FALSE");
    assert_eq!(with(&waits, CHILD), Holds);
    let nobody = LOAD.replace("\"child\"", "\"nobody\"");
    assert_eq!(with(&nobody, CHILD), NotKnown);
    // Nothing comes into the loader's own prim, nor where there is none.
    for key in ["llGetKey()", "llGetLinkKey(3)", "NULL_KEY"] {
        let nowhere = LOAD.replace("llGetLinkKey(2)", key);
        assert_eq!(with(&nowhere, CHILD), Holds, "{key}");
    }
    let dead = "llRemoteLoadScript(llGetLinkKey(2), \"child\", TRUE, amount);";
    assert_eq!(with(dead, CHILD), Holds);
}

/// A prim that asks for its script tells its key.
#[test]
fn the_key_that_a_script_has_sent_is_that_of_its_prim() {
    let loader = "integer n; default { link_message(integer f, integer c, string s, key id) {\n\
        llRemoteLoadScriptPin(id, \"child\", 4711, TRUE, 1); } }";
    let asks = "default { touch_start(integer n) { llMessageLinked(1, 1, \"\", llGetKey()); } }";
    let child = "integer there; default { state_entry() { there = 1; } }";
    let prims = "[[prim]]\nscripts = [\"loader.lsl\"]\n\
        [[prim]]\nscripts = [\"asks.lsl\"]\nloaded = [\"child.lsl\"]\n\
        [[prim]]\nloaded = [\"child.lsl\"]\n";
    let scripts = [("loader", loader), ("asks", asks), ("child", child)];
    assert_eq!(verdict("always child.there == 0", prims, &scripts), Fails);
    assert_eq!(verdict("always child@2.there == 0", prims, &scripts), Holds);
}

/// The pay dialog of a script opens when that comes: before, nobody pays it.
#[test]
fn nobody_pays_a_script_that_is_not_there() {
    let child = "integer held; default { money(key id, integer amount) { if (held < 3) ++held; } }";
    let boss = |call: &str| {
        format!("integer touched; default {{ touch_start(integer n) {{ {call} touched = 1; }} }}")
    };
    let load = "llRemoteLoadScriptPin(llGetLinkKey(2), \"child\", 4711, TRUE, 0);";
    let with = |call: &str, property: &str| {
        let boss = boss(call);
        verdict(property, LOADED, &[("loader", &boss), ("child", child)])
    };
    let late = "always (child.held == 0 || loader.touched == 1)";
    assert_eq!(with(load, "always child.held == 0"), Fails);
    assert_eq!(with(load, late), Holds);
    assert_eq!(with("", "always child.held == 0"), Holds);
}

/// Where a script may come of which the file says nothing, nothing holds, and the report says what to write.
#[test]
fn what_is_not_followed_is_said() {
    let loader = loader(LOAD);
    let scripts = [("loader", &*loader), ("child", CHILD)];
    let there = "[[prim]]\nscripts = [\"loader.lsl\"]\n\
        [[prim]]\nname = \"slot\"\nscripts = [\"child.lsl\"]\n";
    let property = "always loader.sold <= 2";
    assert_eq!(verdict(property, LOADED, &scripts), Holds);
    assert_ne!(verdict(property, there, &scripts), Holds);
    let text = said(property, there, &scripts);
    assert!(
        text.contains("write `loaded = [\"child.lsl\"]` there"),
        "{text}"
    );
    assert!(text.contains("the prim \"slot\""), "{text}");
    // Any prim may be meant, and one of them lists nothing.
    let loader = loader.replace("llGetLinkKey(2)", "(key)llGetObjectDesc()");
    let scripts = [
        ("loader", &*loader),
        ("child", CHILD),
        ("other", "default { touch_start(integer n) { } }"),
    ];
    let third = format!("{LOADED}[[prim]]\nscripts = [\"other.lsl\"]\n");
    assert_ne!(verdict(property, &third, &scripts), Holds);
    assert!(said(property, &third, &scripts).contains("prim 3"));
    assert_eq!(verdict(property, LOADED, &scripts), Holds);
    // Which script is loaded is not known.
    let loader = loader.replace("\"child\"", "llGetObjectName()");
    let scripts = [("loader", &*loader), ("child", CHILD)];
    assert_ne!(verdict(property, LOADED, &scripts), Holds);
    assert!(said(property, LOADED, &scripts).contains("which script it loads"));
}

/// What is said of scripts of which nothing is stated.
fn unasked(check: &str, prims: &str, scripts: &[(&str, &str)]) -> VerdictWord {
    let toml = format!("queue = 2\nbounds = [\"avatars = 1\"]\n{prims}");
    let mut system = InMemory::default().with_file("shop.toml", &*toml);
    for (name, text) in scripts {
        system = system.with_file(&*format!("{name}.lsl"), *text);
    }
    let words = ["probity", "check", "shop.toml", "--format", "json"];
    run(&[&words[..], &["--timeout", "120s"]].concat(), &system);
    let out = system.out();
    let report: Report = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {out}"));
    let mut properties = report.files.iter().flat_map(|file| &file.properties);
    let found = properties.find(|found| found.name == check);
    found
        .unwrap_or_else(|| panic!("there is no {check}: {out}"))
        .verdict
}

/// A till that pays back, and loads a script when it is touched.
fn till(globals: &str, call: &str) -> String {
    format!(
        "{globals} default {{\n\
             state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }}\n\
             touch_start(integer n) {{ {call} }}\n\
             money(key id, integer amount) {{ if (amount > 0) llGiveMoney(id, amount); }}\n\
         }}"
    )
}

/// Where nobody has asked, it is followed as well which script a call loads, and into which prim.
#[test]
fn a_script_that_is_loaded_is_followed_where_nobody_has_asked() {
    let prims = "[[prim]]\nscripts = [\"till.lsl\"]\n[[prim]]\nloaded = [\"child.lsl\"]\n\
        [[prim]]\nscripts = [\"sign.lsl\"]\n";
    let sign = "default { touch_start(integer n) { llSay(0, \"hello\"); } }";
    let with = |till: &str, check: &str, child: &str| {
        let scripts = [("till", till), ("child", child), ("sign", sign)];
        unasked(check, prims, &scripts)
    };
    let written = "llRemoteLoadScriptPin(llGetLinkKey(2), \"child\", 4711, TRUE, 1);";
    let named = "llRemoteLoadScriptPin(llGetLinkKey(SLOT), CHILD, PIN, TRUE, 1);";
    let names = "integer SLOT = 2; string CHILD = \"child\"; integer PIN = 4711;";
    let kept = "slot = llGetLinkKey(2); llRemoteLoadScriptPin(slot, CHILD, PIN, TRUE, 1);";
    for till in [till("", written), till(names, named)] {
        for check in ["till.pays-nothing", "till.pays-more"] {
            assert_eq!(with(&till, check, CHILD), Holds, "{check} {till}");
        }
    }
    // What the script does that comes is part of it.
    let pays = "default { state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n\
        touch_start(integer n) { llGiveMoney(llDetectedKey(0), PAYS); } }";
    for (amount, expected) in [("1", Holds), ("0", Fails)] {
        let pays = pays.replace("PAYS", amount);
        let till = till(names, named);
        assert_eq!(with(&till, "child.pays-nothing", &pays), expected);
        // L$0 is no payment.
        assert_eq!(with(&till, "pays-more", &pays) == Holds, amount == "0");
        let nowhere = till.replace("SLOT = 2", "SLOT = 4");
        assert_ne!(with(&nowhere, "child.pays-nothing", &pays), Fails);
    }
    // The third prim may be meant, and the file does not say what comes there.
    for till in [
        till(&format!("key slot; {names}"), kept),
        till(names, &named.replace("SLOT", "1 + (integer)llFrand(3)")),
        till(names, &named.replace("CHILD", "llGetObjectName()")),
    ] {
        assert_ne!(with(&till, "till.pays-more", CHILD), Holds, "{till}");
    }
    let alone = "[[prim]]\nscripts = [\"till.lsl\"]\n[[prim]]\nloaded = [\"child.lsl\"]\n";
    let till = till(&format!("key slot; {names}"), kept);
    let scripts = [("till", &*till), ("child", CHILD)];
    assert_eq!(unasked("till.pays-more", alone, &scripts), Holds);
}
