//! Compares the library table with its source, if that is at hand.
//!
//! `PROBITY_REFERENCE` names a folder with `data/lsl_definitions.yaml` from
//! secondlife/lsl-definitions. The file is read by a plain scan of its lines,
//! which knows its layout and nothing of YAML.

use std::collections::BTreeMap;
use std::path::Path;

use lsl::facts;

/// The keys two levels deep: section, name, and the scalar fields below.
type Sections = BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>;

fn scan(text: &str) -> Sections {
    let mut sections = Sections::new();
    let (mut section, mut name) = (String::new(), String::new());
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        match indent {
            0 => section = key.to_owned(),
            2 => {
                name = key.trim_matches('\'').to_owned();
                sections
                    .entry(section.clone())
                    .or_default()
                    .insert(name.clone(), BTreeMap::new());
            }
            4 => {
                let fields = sections.get_mut(&section).and_then(|s| s.get_mut(&name));
                if let Some(fields) = fields {
                    let value = value.split(" #").next().unwrap_or("").trim();
                    let value = value.trim_matches(['"', '\'']);
                    fields.insert(key.to_owned(), value.to_owned());
                }
            }
            _ => {}
        }
    }
    sections
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn the_table_agrees_with_its_source() {
    let Ok(folder) = std::env::var("PROBITY_REFERENCE") else {
        eprintln!("skipped: PROBITY_REFERENCE is not set");
        return;
    };
    let path = Path::new(&folder).join("data/lsl_definitions.yaml");
    let text = std::fs::read_to_string(path).expect("the reference data has the definitions");
    let sections = scan(&text);

    let functions = &sections["functions"];
    assert_eq!(functions.len(), facts::functions().len());
    for (name, fields) in functions {
        let ours = facts::function(name).unwrap_or_else(|| panic!("{name} is missing"));
        let result = ours.result.map_or("void", |ty| ty.keyword());
        assert_eq!(result, fields["return"], "{name}");
        assert_eq!(ours.pure, fields.contains_key("pure"), "{name}");
        assert_eq!(ours.must_use, fields.contains_key("must-use"), "{name}");
        assert_eq!(ours.god_mode, fields.contains_key("god-mode"), "{name}");
        assert_eq!(ours.private, fields.contains_key("private"), "{name}");
        assert_eq!(ours.deprecated, fields.contains_key("deprecated"), "{name}");
        let asks = fields.contains_key("requires-permission");
        assert_eq!(!ours.permissions.is_empty(), asks, "{name}");
        let sleep = fields.get("mono-sleep").unwrap_or(&fields["sleep"]);
        let seconds: f64 = sleep.parse().unwrap();
        assert!(
            (f64::from(ours.sleep_ms) / 1000.0 - seconds).abs() < 1e-9,
            "{name}"
        );
    }

    let events = &sections["events"];
    assert_eq!(events.len(), facts::events().len());
    for name in events.keys() {
        assert!(facts::event(name).is_some(), "{name}");
    }

    let constants = &sections["constants"];
    assert_eq!(constants.len(), facts::constants().len());
    for (name, fields) in constants {
        let ours = facts::constant(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(ours.ty().keyword(), fields["type"], "{name}");
        if let facts::Value::Integer(value) = ours.value {
            let text = &fields["value"];
            let theirs = match text.strip_prefix("0x") {
                Some(digits) => i64::from_str_radix(digits, 16).unwrap(),
                None => text.parse().unwrap(),
            };
            let wrapped = theirs & 0xFFFF_FFFF;
            assert_eq!(i64::from(value) & 0xFFFF_FFFF, wrapped, "{name}");
        }
    }
}
