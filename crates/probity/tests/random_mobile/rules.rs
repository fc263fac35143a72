//! Makes random policies and nets, as texts and as the monitor's tables.

use std::fmt::Write as _;

use crate::random::Random;

/// Texts that programs and policies use.
pub(crate) const TEXTS: &[&str] = &["a", "ab", "bad", "/etc/x", "air0", "air1", "b"];
/// Sites of nets.
const SITES: &[&str] = &["airc", "air0", "air1"];
/// Functions that policies name.
const FUNCTIONS: &[&str] = &["send", "open_at", "connect_to_location", "act", "go_in"];

/// A policy with its net.
pub(crate) struct Rules {
    pub(crate) policy: String,
    pub(crate) net: Option<String>,
    pub(crate) table: String,
    pub(crate) features: Vec<&'static str>,
}

/// A text of C, or none.
fn quoted(text: Option<&str>) -> String {
    text.map_or("0".to_owned(), |text| format!("\"{text}\""))
}

fn permission(random: &mut Random, careful: bool, text: &mut String, table: &mut String) {
    let function = random.pick(FUNCTIONS);
    let mut position = 0;
    let mut prefix = 0;
    let mut argument = None;
    let _ = write!(text, "permission function {function}");
    if function != "act" && (careful || random.chance(75)) {
        if function == "open_at" && random.chance(50) {
            position = 1 + random.below(2);
            let _ = write!(text, " arg {position}");
        }
        let chosen = if careful && random.chance(80) {
            "never"
        } else if random.chance(25) {
            "/etc/"
        } else {
            random.pick(TEXTS)
        };
        prefix = usize::from(random.chance(25));
        let star = if prefix == 1 { "*" } else { "" };
        let _ = write!(text, " \"{chosen}\"{star}");
        argument = Some(chosen);
    }
    let _ = write!(
        table,
        "{{ \"{function}\", {}, {prefix}, {position} }}, ",
        quoted(argument)
    );
}

fn rule(random: &mut Random, careful: bool, features: &mut Vec<&'static str>) -> (String, String) {
    let (mut text, mut table) = (String::from("deny to "), String::from("{ { "));
    if random.chance(60) {
        text.push_str("public");
    } else {
        features.push("subject");
        let count = 1 + random.below(2);
        for at in 0..count {
            let location = random.pick(&["airc", "air0", "air1", "a0", "h"]);
            let star = if random.chance(30) { "*" } else { "" };
            let comma = if at > 0 { ", " } else { "" };
            let _ = write!(text, "{comma}{location}{star}");
            let _ = write!(table, "\"{location}{star}\", ");
        }
    }
    table.push_str("0 }, ");
    let base = random.chance(12).then_some("10.0.0.1");
    if let Some(base) = base {
        features.push("code base");
        let _ = write!(text, " codeBase {base}");
    }
    let origins = ["remote", "remote", "airc", "air0", "airc:a0", "a0"];
    let origin = random.chance(40).then(|| random.pick(&origins));
    if let Some(origin) = origin {
        features.push("code origin");
        let _ = write!(text, " codeOrigin {origin}");
    }
    let _ = write!(table, "{}, {}, {{ ", quoted(base), quoted(origin));
    text.push_str("\n{ ");
    for at in 0..1 + random.below(2) {
        if at > 0 {
            text.push_str(", ");
        }
        permission(random, careful, &mut text, &mut table);
    }
    text.push_str(" }\n");
    table.push_str("} }, ");
    (text, table)
}

fn net(random: &mut Random, workers: &[String], table: &mut String) -> String {
    let mut text = String::from("location net: (");
    for (at, site) in SITES.iter().enumerate() {
        let _ = write!(text, "{site} [127.0.0.1 {}] ", 3000 + at);
    }
    text.push_str(")\n");
    let agents = ["a0", "a0", "a1", "h:a0"];
    let origins = ["airc", "air0", "airc:a0", "air1:h"];
    let (site, agent) = (random.pick(SITES), random.pick(&agents));
    let (origin, base) = (
        random.pick(&origins),
        random.pick(&["10.0.0.1", "10.0.0.2"]),
    );
    let _ = writeln!(
        text,
        "current execution location: {site}:{agent}\ncodebase host: {base}\ncode origin: {origin}"
    );
    let _ = write!(
        table,
        "{{ 0, \"{site}\", \"{agent}\", \"{origin}\", \"{base}\" }}, "
    );
    for worker in workers {
        if random.chance(60) {
            let (site, origin) = (random.pick(SITES), random.pick(&origins));
            let _ = writeln!(text, "thread {worker} at {site}:a0 origin {origin}");
            let _ = write!(
                table,
                "{{ \"{worker}\", \"{site}\", \"a0\", \"{origin}\", 0 }}, "
            );
        }
    }
    text
}

/// Makes a policy, and mostly a net; with `careful`, what is denied is mostly a text that no program
/// has.
pub(crate) fn make(random: &mut Random, workers: &[String], careful: bool) -> Rules {
    let mut features = Vec::new();
    let (mut policy, mut table) = (String::new(), String::from("{ "));
    for _ in 0..1 + random.below(3) {
        let (text, row) = rule(random, careful, &mut features);
        policy.push_str(&text);
        table.push_str(&row);
    }
    table.push_str("}, { ");
    let net = random.chance(75).then(|| net(random, workers, &mut table));
    table.push('}');
    features.push(if net.is_some() { "net" } else { "any net" });
    Rules {
        policy,
        table: format!("{}, {table}", u8::from(net.is_some())),
        net,
        features,
    }
}
