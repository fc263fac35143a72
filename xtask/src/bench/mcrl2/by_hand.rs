//! The model of the auction that was written by hand, as it is and with every repair, and its formulas.

use std::path::Path;

use super::{Both, Options, Part, Row, asked, linearised, solved, written};

/// The formulas.
const FORMULAS: [&str; 7] = [
    "f1_wedge",
    "f2_resub",
    "f2_unsub",
    "f3_answer",
    "f3_wrongitem",
    "f4_overflow",
    "f5_forget",
];

/// What is switched on in the model with every repair.
const REPAIRS: [&str; 6] = [
    "FixEarly",
    "FixMsg",
    "FixUnsub",
    "FixChoice",
    "FixTag",
    "FixSold",
];

/// The model with so many bidders and items, and with no repairs or with all.
pub(super) struct Variant {
    pub(super) bidders: u32,
    items: u32,
    repaired: bool,
}

const fn variant(bidders: u32, items: u32, repaired: bool) -> Variant {
    Variant {
        bidders,
        items,
        repaired,
    }
}

pub(super) const VARIANTS: [Variant; 4] = [
    variant(1, 2, false),
    variant(2, 1, false),
    variant(1, 2, true),
    variant(2, 1, true),
];

/// Compares on one variant of the model.
///
/// # Errors
/// If a file is missing or a run fails.
pub(super) fn compare(
    kept: &Path,
    variant: &Variant,
    options: &Options,
    tools: &Both,
    folder: &Path,
    part: &mut Part,
) -> Result<(), String> {
    let read = |name: &str| {
        let path = kept.join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("read {}: {error}", path.display()))
    };
    let &Variant { bidders, items, .. } = variant;
    let (name, repairs) = match variant.repaired {
        false => ("by hand", &[][..]),
        true => ("by hand, all", &REPAIRS[..]),
    };
    let stem = format!("hand-{}-{bidders}-{items}", repairs.len());
    let path = folder.join(stem).with_extension("mcrl2");
    let model = switched(&read("auction.mcrl2")?, (bidders, items), repairs)?;
    written(&path, &model)?;
    let linear = linearised(&tools.graphs, &path)?;
    let graph = path.with_extension("aut");
    let made = tools.graphs.graph(&linear, &graph)?;
    part.graph((name, bidders, items), made.as_ref(), None);
    for formula in FORMULAS {
        let text = with_numbers(&read(&format!("{formula}.mcf"))?, items);
        let file = path.with_extension(format!("{formula}.mcf"));
        written(&file, &text)?;
        let [graph, named] = [&graph, &file].map(|path| path.to_string_lossy());
        let words = ["check", &*graph, "--formulas", &*named, "--format", "json"];
        let ours = match &made {
            Some(_) => {
                let (verdict, _, _, seconds) = asked(&options.program, &words)?;
                verdict.map(|holds| (holds, seconds))
            }
            None => None,
        };
        part.formula(&Row {
            model: name.to_owned(),
            bidders,
            items,
            formula: formula.to_owned(),
            theirs: solved(&tools.formulas, &linear, &file)?,
            ours,
        });
    }
    Ok(())
}

/// The model with so many bidders and items, and with repairs.
fn switched(model: &str, (bidders, items): (u32, u32), repairs: &[&str]) -> Result<String, String> {
    let mut model = replaced(model, "MaxItem = 2;", &format!("MaxItem = {items};"))?;
    if bidders == 2 {
        model = replaced(&model, " Two = false;", " Two = true;")?;
    }
    for repair in repairs {
        let off = format!(" {repair} = false;");
        model = replaced(&model, &off, &format!(" {repair} = true;"))?;
    }
    Ok(model)
}

fn replaced(text: &str, old: &str, new: &str) -> Result<String, String> {
    if text.matches(old).count() != 1 {
        return Err(format!("find `{old}` once in the model"));
    }
    Ok(text.replacen(old, new, 1))
}

/// A formula with numbers in the place of the model's constants, which a graph does not tell.
fn with_numbers(formula: &str, items: u32) -> String {
    let formula = formula.replace("MaxItem", &items.to_string());
    formula.replace("MaxBid", "2")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_set_once_or_refused() {
        let model = "eqn MaxItem = 2;  MaxBid = 2;\n    FixTag = false; Two = false;\n";
        let switched = switched(model, (2, 1), &["FixTag"]).expect("all are there");
        assert_eq!(
            switched,
            "eqn MaxItem = 1;  MaxBid = 2;\n    FixTag = true; Two = true;\n"
        );
        assert!(super::switched(model, (1, 2), &["FixSold"]).is_err());
    }

    #[test]
    fn constants_become_numbers() {
        let formula = "forall i: Nat. val(i <= MaxItem && i <= MaxBid)";
        assert_eq!(
            with_numbers(formula, 1),
            "forall i: Nat. val(i <= 1 && i <= 2)"
        );
    }
}
