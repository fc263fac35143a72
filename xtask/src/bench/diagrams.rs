//! `cargo xtask bench diagrams`: combinational questions for decision diagrams, beside NuSMV.
//!
//! The models are made here, so that anybody can make them again: queens on a board as a condition
//! on states, as one on initial states and as a property; pigeons in too few holes; multipliers of
//! two kinds, adders, and factors. How long they take depends on the order of the variables and on
//! the order in which conditions meet, and on little else.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::nusmv;
use crate::workspace::root;

/// Makes the models and measures them by the engine on decision diagrams; the other options are
/// those of `bench nusmv`.
///
/// # Errors
/// If an option is unknown, or a model cannot be written or run.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let folder = write_models()?;
    let folder = folder.to_string_lossy();
    let said: Vec<&str> = options
        .iter()
        .copied()
        .filter(|word| *word != "--write")
        .collect();
    let chore = ["bench diagrams", &said.join(" "), "--write"].join(" ");
    let options = [options, &["--engine", "symbolic", &*folder]].concat();
    nusmv::compare(
        &options,
        "Multipliers and queens",
        &chore.replace("  ", " "),
    )
}

fn write_models() -> Result<PathBuf, String> {
    let folder = root().join("target/diagrams");
    std::fs::create_dir_all(&folder).map_err(|error| format!("make {folder:?}: {error}"))?;
    for (name, text) in models() {
        let path = folder.join(format!("{name}.smv"));
        std::fs::write(&path, text).map_err(|error| format!("write {path:?}: {error}"))?;
    }
    Ok(folder)
}

fn models() -> Vec<(String, String)> {
    let mut models = Vec::new();
    for size in [8, 10] {
        let (bits, rules) = queens(size);
        let all = rules.join(" & ");
        let invariant: String = rules
            .iter()
            .map(|rule| format!("INVAR {rule};\n"))
            .collect();
        let kinds = [
            ("invar", "VAR", format!("{invariant}CTLSPEC EF q0_1;\n")),
            (
                "init",
                "FROZENVAR",
                format!("INIT {all};\nINVARSPEC !q0_1;\n"),
            ),
            ("spec", "FROZENVAR", format!("INVARSPEC !({all});\n")),
        ];
        for (kind, section, rest) in kinds {
            let text = model(section, &bits, &rest);
            models.push((format!("queens-{kind}-{size:02}"), text));
        }
    }
    for holes in [8, 10] {
        let (bits, rules) = pigeons(holes);
        let rest = format!("INIT {};\nINVARSPEC FALSE;\n", rules.join(" & "));
        models.push((
            format!("pigeons-{holes:02}"),
            model("FROZENVAR", &bits, &rest),
        ));
    }
    for bits in [8, 10] {
        models.push((format!("multiplier-{bits:02}"), multiplier(bits)));
    }
    for (bits, product) in [(8, 227 * 251), (10, 1009 * 1013)] {
        let double = 2 * bits;
        let rest = format!(
            "INVARSPEC !(extend(a, {bits}) * extend(b, {bits}) = 0ud{double}_{product} \
             & a > 0ud{bits}_1 & b > 0ud{bits}_1);\n"
        );
        models.push((
            format!("factors-{bits:02}"),
            words(&["a", "b"], bits, &rest),
        ));
    }
    for bits in [8, 16, 32] {
        let rest = "INVARSPEC (a + b) + c = a + (c + b);\nINVARSPEC a - b = c -> a = b + c;\n";
        models.push((
            format!("adders-{bits:02}"),
            words(&["a", "b", "c"], bits, rest),
        ));
    }
    models
}

fn model(section: &str, bits: &[String], rest: &str) -> String {
    let bits: String = bits
        .iter()
        .map(|bit| format!("  {bit} : boolean;\n"))
        .collect();
    format!("MODULE main\n{section}\n{bits}{rest}")
}

fn words(names: &[&str], bits: usize, rest: &str) -> String {
    let words = names
        .iter()
        .map(|name| format!("  {name} : unsigned word[{bits}];\n"));
    format!(
        "MODULE main\nFROZENVAR\n{}{rest}",
        words.collect::<String>()
    )
}

/// A queen in each row, and no two that attack each other.
fn queens(size: usize) -> (Vec<String>, Vec<String>) {
    let fields: Vec<(usize, usize)> = (0..size)
        .flat_map(|row| (0..size).map(move |column| (row, column)))
        .collect();
    let name = |(row, column): (usize, usize)| format!("q{row}_{column}");
    let mut rules = Vec::new();
    for row in 0..size {
        let any: Vec<String> = (0..size).map(|column| name((row, column))).collect();
        rules.push(format!("({})", any.join(" | ")));
    }
    for (index, &a) in fields.iter().enumerate() {
        for &b in &fields[index + 1..] {
            let (down, across) = (b.0 - a.0, b.1.abs_diff(a.1));
            if down == 0 || across == 0 || down == across {
                rules.push(format!("!({} & {})", name(a), name(b)));
            }
        }
    }
    (fields.into_iter().map(name).collect(), rules)
}

/// One pigeon more than holes, each in a hole, no two in one.
fn pigeons(holes: usize) -> (Vec<String>, Vec<String>) {
    let name = |pigeon: usize, hole: usize| format!("p{pigeon}_{hole}");
    let mut bits = Vec::new();
    let mut rules = Vec::new();
    for pigeon in 0..=holes {
        let any: Vec<String> = (0..holes).map(|hole| name(pigeon, hole)).collect();
        rules.push(format!("({})", any.join(" | ")));
        bits.extend(any);
    }
    for hole in 0..holes {
        for pigeon in 0..=holes {
            for other in pigeon + 1..=holes {
                rules.push(format!("!({} & {})", name(pigeon, hole), name(other, hole)));
            }
        }
    }
    (bits, rules)
}

/// Two array multipliers, of `a` and `b` and of `b` and `a`, gate by gate.
fn multiplier(bits: usize) -> String {
    let mut text = String::from("DEFINE\n");
    for (prefix, x, y) in [("p", "a", "b"), ("q", "b", "a")] {
        let mut sum: Vec<String> = (0..bits).map(|j| format!("({x}{j} & {y}0)")).collect();
        sum.resize(2 * bits, "FALSE".to_owned());
        for i in 1..bits {
            let mut carry = "FALSE".to_owned();
            for j in 0..bits {
                let (old, new) = (sum[i + j].clone(), format!("({x}{j} & {y}{i})"));
                writeln!(
                    text,
                    "  {prefix}s{i}_{j} := {old} xor {new} xor {carry};\n  \
                     {prefix}c{i}_{j} := ({old} & {new}) | ({carry} & ({old} | {new}));"
                )
                .expect("writing to a string succeeds");
                sum[i + j] = format!("{prefix}s{i}_{j}");
                carry = format!("{prefix}c{i}_{j}");
            }
            sum[i + bits] = carry;
        }
        for (bit, sum) in sum.iter().enumerate() {
            writeln!(text, "  {prefix}{bit} := {sum};").expect("writing to a string succeeds");
        }
    }
    let same: Vec<String> = (0..2 * bits)
        .map(|bit| format!("(p{bit} <-> q{bit})"))
        .collect();
    writeln!(text, "INVARSPEC {};", same.join(" & ")).expect("writing to a string succeeds");
    let inputs = ["a", "b"]
        .iter()
        .flat_map(|name| (0..bits).map(move |bit| format!("{name}{bit}")));
    model("FROZENVAR", &inputs.collect::<Vec<_>>(), &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queens_attack_along_rows_columns_and_diagonals() {
        let (fields, rules) = queens(3);
        assert_eq!(fields.len(), 9);
        // Three rows that have a queen, and 28 pairs.
        assert_eq!(rules.len(), 3 + 28);
        assert!(rules.contains(&"!(q0_0 & q2_2)".to_owned()));
        assert!(!rules.contains(&"!(q0_0 & q1_2)".to_owned()));
    }
}
