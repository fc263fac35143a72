//! Certificates of the repaired examples, and of what is not as it was certified.

#![expect(clippy::print_stdout, reason = "the times are what is asked for")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use certificate::formula::{Atom, Formula};
use certificate::keys::{PublicKey, SecretKey};
use certificate::{Certificate, Level, Shown};
use probity::{InMemory, run};
use serde_json::Value;

/// What checking a certificate may take.
const LIMIT: Duration = Duration::from_secs(2);

/// The repaired examples.
const REPAIRED: &[&str] = &[
    "auction/repaired.lsl",
    "raffle/raffle-repaired.lsl",
    "rental-box/rental-box-repaired.lsl",
    "tip-jar/tip-jar-repaired.lsl",
    "vendor/vendor-repaired.lsl",
    "door/door.lsl",
];

fn example(name: &str) -> String {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/lsl");
    std::fs::read_to_string(examples.join(name)).expect("the example is there")
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// A machine with a script and its certificate.
fn certified(script: &str) -> (InMemory, String) {
    let system = InMemory::default().with_file("s.lsl", script);
    let status = run(&words("probity certify s.lsl -o s.json"), &system);
    assert_eq!(status, 0, "{}", system.err());
    let json = system.file("s.json").expect("a certificate was written");
    (system, json)
}

/// The status of an audit, and what it says.
fn audited(script: &str, json: &[u8]) -> (u8, String) {
    let system = InMemory::default()
        .with_file("s.lsl", script)
        .with_file("s.json", json);
    let status = run(&words("probity audit s.json s.lsl"), &system);
    (status, system.out() + &system.err())
}

fn read(json: &str) -> Certificate {
    Certificate::from_json(json.as_bytes()).expect("it is a certificate")
}

/// A script whose safety is shown by an invariant, and a property of runs.
const DOOR: &str = "\
integer open;
//@ property small: always open < 3;
//@ property few: always open >= 0;
default { touch_start(integer n) { if (open < 2) ++open; } }
";

#[test]
fn certificates_of_repaired_examples_are_audited_in_time() {
    for name in REPAIRED {
        let script = example(name);
        let began = Instant::now();
        let (_, json) = certified(&script);
        let certifying = began.elapsed();
        let began = Instant::now();
        let (status, said) = audited(&script, json.as_bytes());
        let auditing = began.elapsed();
        println!(
            "{name}: certified in {:.2} s, audited in {:.2} s, {} bytes\n{said}",
            certifying.as_secs_f64(),
            auditing.as_secs_f64(),
            json.len()
        );
        assert_eq!(status, 0, "{name}: {said}");
        // What is not optimised says nothing about time.
        if !cfg!(debug_assertions) {
            assert!(auditing < LIMIT, "{name}: {auditing:?}");
        }
    }
}

#[test]
fn a_certificate_is_none_of_another_script() {
    let (_, json) = certified(&example("tip-jar/tip-jar-repaired.lsl"));
    let (status, said) = audited(&example("tip-jar/tip-jar.lsl"), json.as_bytes());
    assert_eq!(status, 1, "{said}");
    assert!(
        said.contains("is not the script that was certified"),
        "{said}"
    );
    let (_, json) = certified(DOOR);
    let mut changed = DOOR.as_bytes().to_vec();
    for at in 0..changed.len() {
        changed[at] ^= 1;
        let text = String::from_utf8(changed.clone()).expect("it is ASCII still");
        let (status, said) = audited(&text, json.as_bytes());
        assert_eq!(status, 1, "{said}");
        changed[at] ^= 1;
    }
}

/// The places of all values that hold no others.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                leaves(item, &format!("{path}/{at}"), found);
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                leaves(field, &format!("{path}/{name}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

/// Something else in the place of a value.
fn other(value: &Value) -> Value {
    match value {
        Value::Null => Value::Bool(true),
        Value::Bool(truth) => Value::Bool(!truth),
        Value::Number(number) => {
            let number = number.as_i64().expect("certificates have whole numbers");
            Value::from(if number == 1 { 2 } else { 1 })
        }
        Value::String(text) => {
            let mut bytes = text.clone().into_bytes();
            match bytes.first_mut() {
                Some(first) if first.is_ascii() => *first ^= 1,
                _ => bytes.push(b'x'),
            }
            Value::String(String::from_utf8(bytes).expect("it is text still"))
        }
        Value::Array(_) => Value::Array(vec![Value::from(1)]),
        Value::Object(_) => Value::Object([("x".to_owned(), Value::from(1))].into_iter().collect()),
    }
}

#[test]
fn a_certificate_with_any_field_changed_is_refused() {
    let system = InMemory::default().with_file("s.lsl", DOOR);
    let line = "probity certify s.lsl -o s.json --new-key key --bound amount=0..3";
    assert_eq!(run(&words(line), &system), 0, "{}", system.err());
    let json = system.file("s.json").expect("a certificate was written");
    let (status, said) = audited(DOOR, json.as_bytes());
    assert_eq!(status, 0, "{said}");
    let whole: Value = serde_json::from_str(&json).expect("it is JSON");
    let mut places = Vec::new();
    leaves(&whole, "", &mut places);
    assert!(places.len() > 50, "{places:?}");
    for place in &places {
        let mut changed = whole.clone();
        let leaf = changed.pointer_mut(place).expect("it is there");
        let was = leaf.clone();
        *leaf = other(&was);
        let (status, said) = audited(DOOR, changed.to_string().as_bytes());
        assert!(matches!(status, 1 | 2), "{place} was {was}: {said}");
        assert!(said.contains("s.json: "), "{place}: {said}");
        // And left out.
        let mut less = whole.clone();
        let (above, name) = place.rsplit_once('/').expect("it is below something");
        match less.pointer_mut(above).expect("it is there") {
            Value::Object(fields) => {
                fields.remove(name);
            }
            Value::Array(items) => {
                items.remove(name.parse().expect("it is a position"));
            }
            _ => unreachable!("only these hold others"),
        }
        let (status, said) = audited(DOOR, less.to_string().as_bytes());
        assert!(matches!(status, 1 | 2), "without {place}: {said}");
    }
    println!("{} fields changed and left out", places.len());
}

#[test]
fn what_is_no_certificate_is_not_read() {
    let (_, json) = certified(DOOR);
    let bytes = json.as_bytes();
    for end in (0..bytes.len() - 2).step_by(7) {
        let (status, said) = audited(DOOR, &bytes[..end]);
        assert_eq!(status, 2, "{said}");
    }
    let deep = format!("{{\"format\":1,\"probity\":{}", "[".repeat(100_000));
    let huge = json.replacen(
        "\"format\": 1",
        &format!("\"format\": {}", "1".repeat(500)),
        1,
    );
    let twice = json.replacen("\"format\": 1,", "\"format\": 1, \"format\": 1,", 1);
    let more = json.replacen("\"format\": 1,", "\"format\": 1, \"faster\": 1,", 1);
    let newer = json.replacen("\"format\": 1", "\"format\": 2", 1);
    for text in [
        "", "{}", "[]", "null", "\u{0}", &deep, &huge, &twice, &more, &newer,
    ] {
        let (status, said) = audited(DOOR, text.as_bytes());
        assert_eq!(status, 2, "{said}");
    }
    let (status, said) = audited(DOOR, b"\xff\xfe{");
    assert_eq!(status, 2, "{said}");
}

/// The first property's invariant.
fn invariant(certificate: &mut Certificate) -> &mut Formula<Atom> {
    match &mut certificate.properties[0].shown {
        Shown::Invariant { invariant } => invariant,
        other => panic!("it is shown otherwise: {other:?}"),
    }
}

/// What an audit says of a forgery, and how it is made.
type Forgery<'f> = (&'f str, &'f dyn Fn(&mut Certificate));

/// Digests tell what was changed by accident. Whoever forges a certificate makes new ones.
#[test]
fn what_is_forged_with_new_digests_is_refused_for_what_it_says() {
    let (_, json) = certified(DOOR);
    assert_eq!(read(&json).level, Level::Proof, "{json}");
    let forgeries: &[Forgery<'_>] = &[
        // True, which everything keeps.
        ("does not rule out a failure", &|it| {
            let invariant = invariant(it);
            invariant.clauses.clear();
            invariant.gates.clear();
        }),
        // False, which nothing satisfies at first.
        ("does not last", &|it| invariant(it).clauses = vec![vec![]]),
        ("no variable", &|it| {
            for atom in &mut invariant(it).atoms {
                if let Atom::Bit { of, .. } = atom {
                    *of = "no variable".to_owned();
                }
            }
        }),
        ("number of no fact", &|it| {
            invariant(it).clauses.push(vec![9999]);
        }),
        ("number of no fact", &|it| {
            invariant(it).clauses.push(vec![0]);
        }),
        ("number of no fact", &|it| {
            invariant(it).clauses.push(vec![i64::MIN]);
        }),
        ("not as far as it says", &|it| {
            let property = &mut it.properties[0];
            property.strength = match property.strength {
                certificate::Strength::Proved => certificate::Strength::Exhausted,
                certificate::Strength::Exhausted => certificate::Strength::Proved,
            };
        }),
        ("under other assumptions", &|it| {
            it.properties[0]
                .assumptions
                .push("the moon is full".to_owned());
        }),
        ("is another one", &|it| {
            it.properties[0].text = "always open < 9".to_owned();
        }),
        ("no property", &|it| {
            it.properties[0].name = "large".to_owned();
        }),
        ("the level of", &|it| {
            it.properties[0].level = Level::Explored;
        }),
        ("its level is not that", &|it| it.level = Level::Explored),
        ("of no program", &|it| it.properties[0].coarser = 7),
        ("is stated elsewhere", &|it| {
            it.properties[0].stated = certificate::Stated::Line(1);
        }),
        ("not certified than it says", &|it| {
            it.properties.pop();
        }),
        ("says nothing", &|it| it.properties.clear()),
        ("is not the script", &|it| {
            it.files[0].sha256 = "0".repeat(64);
        }),
        ("names no script", &|it| it.files.clear()),
        ("not known", &|it| it.language = "smalltalk".to_owned()),
        ("not known", &|it| {
            it.options.push(certificate::Given {
                name: "bound".to_owned(),
                value: "nonsense".to_owned(),
            });
        }),
        ("by no engine", &|it| {
            it.properties[0].shown = Shown::Exploration {
                engine: "faith".to_owned(),
                states: 3,
            };
        }),
        ("no check of a search", &|it| {
            it.properties[0].shown = Shown::Exploration {
                engine: "sat".to_owned(),
                states: 3,
            };
        }),
        ("and there are", &|it| {
            it.properties[0].shown = Shown::Interpretation { states: 1 };
            it.properties[0].level = Level::Interpreted;
        }),
        ("no proof of a property of this kind", &|it| {
            it.properties[0].shown = Shown::InvariantOfRuns {
                often: vec![],
                reduction: certificate::formula::Reduction::Counting(0),
                invariant: Formula {
                    atoms: vec![],
                    gates: vec![],
                    clauses: vec![],
                    through: vec![],
                },
            };
        }),
    ];
    for (reason, forge) in forgeries {
        let mut certificate = read(&json);
        forge(&mut certificate);
        certificate.seal();
        let (status, said) = audited(DOOR, certificate.to_json().as_bytes());
        assert!(matches!(status, 1 | 2), "{reason}: {said}");
        assert!(said.contains(reason), "{reason}: {said}");
        assert!(!said.contains("defect"), "{reason}: {said}");
    }
}

/// A script that does not do what its certificate says, for all that the certificate fits it.
#[test]
fn a_property_that_fails_is_not_shown_by_any_evidence() {
    let (_, json) = certified(DOOR);
    let faulty = DOOR.replace("open < 2", "open < 5");
    for shown in [
        None,
        Some(Shown::Interpretation { states: 6 }),
        Some(Shown::Exploration {
            engine: "explicit".to_owned(),
            states: 6,
        }),
        Some(Shown::AllRuns {}),
    ] {
        let mut certificate = read(&json);
        certificate.files[0].sha256 = certificate::sha256(faulty.as_bytes());
        if let Some(shown) = shown {
            certificate.properties[0].level = shown.level();
            certificate.properties[0].shown = shown;
            certificate.level = certificate
                .properties
                .iter()
                .map(|one| one.level)
                .min()
                .unwrap();
        }
        certificate.seal();
        let (status, said) = audited(&faulty, certificate.to_json().as_bytes());
        assert_eq!(status, 1, "{said}");
        assert!(said.contains("`small` is not shown"), "{said}");
    }
}

/// A door that closes only because its timer goes on firing.
#[test]
fn fairness_that_is_not_assumed_is_no_reason() {
    let script = example("door/door.lsl");
    let system = InMemory::default().with_file("s.lsl", script.as_str());
    let line = "probity certify s.lsl -o s.json --property open_door_closes --audit-time 30s";
    assert_eq!(run(&words(line), &system), 0, "{}", system.err());
    let json = system.file("s.json").expect("a certificate was written");
    let mut certificate = read(&json);
    assert!(certificate.level > Level::Explored, "{json}");
    let assumed = "//@ assume timer keeps firing for open_door_closes;";
    assert!(script.contains(assumed));
    // At the same lines, with the assumption or without it.
    let without = script.replace(assumed, "//");
    certificate.files[0].sha256 = certificate::sha256(without.as_bytes());
    let assumptions = certificate.properties[0].assumptions.clone();
    for fewer in [false, true] {
        if fewer {
            let fair = |text: &String| !text.contains("timer");
            certificate.properties[0].assumptions.retain(fair);
            assert_ne!(certificate.properties[0].assumptions, assumptions);
        }
        certificate.seal();
        let (status, said) = audited(&without, certificate.to_json().as_bytes());
        assert_eq!(status, 1, "{said}");
        assert!(said.contains("`open_door_closes` is not shown"), "{said}");
    }
}

#[test]
fn what_does_not_hold_is_not_certified() {
    for (property, status, said) in [
        ("always open == 0", 1, "fails"),
        ("when open > 7 require open > 0", 2, ""),
    ] {
        let script = format!("{DOOR}//@ property wrong: {property};\n");
        let system = InMemory::default().with_file("s.lsl", script);
        let own = run(&words("probity certify s.lsl -o s.json"), &system);
        assert_eq!(own, status, "{}", system.err());
        assert!(system.err().contains(said), "{}", system.err());
        assert_eq!(system.file("s.json"), None);
    }
    let script = format!("{DOOR}//@ property wrong: always open == 0;\n");
    let system = InMemory::default().with_file("s.lsl", script.as_str());
    let line = "probity certify s.lsl -o s.json --property small";
    assert_eq!(run(&words(line), &system), 0, "{}", system.err());
    let json = system.file("s.json").expect("a certificate was written");
    assert_eq!(read(&json).uncertified, ["few", "wrong"]);
    let (status, said) = audited(&script, json.as_bytes());
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("not certified: wrong"), "{said}");
}

#[test]
fn signatures_say_who_vouches_for_it() {
    let system = InMemory::default().with_file("s.lsl", DOOR);
    let line = "probity certify s.lsl -o s.json --new-key key";
    assert_eq!(run(&words(line), &system), 0, "{}", system.err());
    let (secret, public) = (system.file("key").unwrap(), system.file("key.pub").unwrap());
    assert_eq!(SecretKey::from_text(&secret).unwrap().to_text(), secret);
    let again = "probity certify s.lsl -o t.json --new-key key";
    assert_eq!(run(&words(again), &system), 2, "a key is not replaced");
    let audit = |json: &str, key: &str, status: u8, reason: &str| {
        let system = InMemory::default()
            .with_file("s.lsl", DOOR)
            .with_file("s.json", json)
            .with_file("k", key);
        let own = run(&words("probity audit s.json s.lsl --signed-by k"), &system);
        let said = system.out() + &system.err();
        assert_eq!(own, status, "{said}");
        assert!(said.contains(reason), "{reason}: {said}");
    };
    let json = system.file("s.json").unwrap();
    audit(&json, &public, 0, "Accepted");
    audit(&json, &secret, 2, "is no key");
    let stranger = SecretKey::from_random(&[7; 32]);
    audit(&json, &stranger.public().to_text(), 1, "another key");
    let mut unsigned = read(&json);
    unsigned.signature = None;
    audit(&unsigned.to_json(), &public, 1, "not signed");
    // What was signed is another certificate; this one has digests of its own.
    let mut forged = read(&json);
    forged.probity = "9.9.9".to_owned();
    forged.seal();
    audit(&forged.to_json(), &public, 1, "is not one of what it says");
    stranger.sign(&mut forged);
    audit(&forged.to_json(), &public, 1, "another key");
    assert!(PublicKey::from_text(&public).is_ok());
    let line = "probity certify s.lsl -o u.json --sign key";
    assert_eq!(run(&words(line), &system), 0, "{}", system.err());
    assert_eq!(
        system.file("u.json"),
        system.file("s.json"),
        "it is made the same again"
    );
}

/// Set `PROBITY_BLESS` to write the schema anew.
#[test]
fn the_schema_in_docs_is_current() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let path = docs.join("certificate.schema.json");
    let text = certificate::schema();
    if std::env::var_os("PROBITY_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == text,
        "docs/certificate.schema.json is not current: run the tests with PROBITY_BLESS=1"
    );
}
