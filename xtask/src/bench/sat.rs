//! `cargo xtask bench sat`: proofs on growing circuits, ways to check them, and solvers beside each other.

use std::fmt::Write as _;

use crate::workspace::cargo;

use super::{made_by, section};

/// What can be measured: a word for the command line, a title, features, arguments.
const PARTS: &[(&str, &str, &str, &[&str])] = &[
    ("proofs", "Proofs on circuits", "", &["--limit", "120"]),
    (
        "checks",
        "Checks of proofs",
        "batsat",
        &["--checks", "--limit", "60"],
    ),
    (
        "solvers",
        "Solvers under IC3",
        "batsat,cadical",
        &[
            "--solvers",
            "--limit",
            "60",
            "counter",
            "ring",
            "FIFO",
            "arbiter",
            "accounts",
        ],
    ),
];

/// Measures and prints tables.
///
/// # Errors
/// If the build or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let write = options.contains(&"--write");
    let chosen: Vec<&&str> = options.iter().filter(|word| **word != "--write").collect();
    if let Some(word) = chosen
        .iter()
        .find(|w| PARTS.iter().all(|part| part.0 != ***w))
    {
        return Err(format!(
            "find the part {word}: there are proofs, checks and solvers"
        ));
    }
    for &(name, title, features, arguments) in PARTS {
        // CaDiCaL needs a C++ compiler: solvers are compared only when asked for.
        let wanted = if chosen.is_empty() {
            features.is_empty()
        } else {
            chosen.iter().any(|word| **word == name)
        };
        if !wanted {
            continue;
        }
        let table = measure(features, arguments)?;
        println!("{table}");
        if write {
            let mut text = made_by(&format!("bench sat {name} --write"));
            write!(
                text,
                " IC3 alone, with neither short runs nor simple facts before it; each proof \
                 includes the check of its invariant. Time is the processor's.\n\n{table}"
            )
            .expect("writing to a string succeeds");
            section::put(title, &text)?;
        }
    }
    Ok(true)
}

fn measure(features: &str, arguments: &[&str]) -> Result<String, String> {
    let mut words = vec!["bench", "--quiet", "--package", "sat", "--bench", "proofs"];
    if !features.is_empty() {
        words.extend(["--features", features]);
    }
    words.push("--");
    words.extend(arguments);
    let output = cargo(&words)
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("run the measurement: {error}"))?;
    if !output.status.success() {
        return Err("run the measurement".to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
