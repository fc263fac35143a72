//! The codes of what cannot be exported.

use source::CodeDoc;

/// Something without end.
pub(crate) const INFINITE: &str = "EXP0001";
/// A construct that the target has nothing for.
pub(crate) const CONSTRUCT: &str = "EXP0002";

/// The documentation of the codes.
pub const CODES: &[CodeDoc] = &[
    CodeDoc {
        code: INFINITE,
        title: "too many values for the target language",
        body: "## What it does\n\
               Refuses a translation where the target needs all values of something to be \
               listed, and there is no end to them, or too many.\n\n\
               ## Why is this bad\n\
               Promela has numbers of at most 32 bits and no texts or lists: every other value \
               becomes a number in a list that the translation writes down.\n\n\
               ## Example\n\
               `probity translate shop.lsl --to promela` where payments have no bound\n\n\
               ## How to fix\n\
               Bound what is named: `--bound amount=0..10`. Or translate one property at a time, \
               `--property NAME`: what it does not depend on is left out.",
    },
    CodeDoc {
        code: CONSTRUCT,
        title: "construct that the target language has nothing for",
        body: "## What it does\n\
               Refuses a translation of a program that does something which the target language \
               cannot express, or which the translation does not know how to.\n\n\
               ## Why is this bad\n\
               A model that leaves something out would have other verdicts.\n\n\
               ## Example\n\
               `probity translate tree.lsl --to promela` where a function calls itself\n\n\
               ## How to fix\n\
               Translate one property at a time, `--property NAME`: what it does not depend on \
               is left out. Or check the script with `probity check`, which needs no translation.",
    },
    CodeDoc {
        code: "EXP0003",
        title: "no state graph",
        body: "## What it does\n\
               Reports that a program has too many states for its graph to be written down, or \
               that exploring it had to be given up.\n\n\
               ## Why is this bad\n\
               Part of a graph is not the graph: what is missing would look impossible.\n\n\
               ## Example\n\
               `probity translate shop.lsl --to aut` where a million payments are possible\n\n\
               ## How to fix\n\
               Bound the script, `--bound amount=0..3`; draw only what a property depends on, \
               `--property NAME`; or allow more states, `--states 20000`.",
    },
    CodeDoc {
        code: "EXP0004",
        title: "model of a part of what can happen",
        body: "## What it does\n\
               Warns that of all that the world may do, the model that is written has only a part: of a \
               choice among very many values a few, of what has no bound so much.\n\n\
               ## Why is this bad\n\
               What holds of the model may fail of the script. (What fails, fails.) The exit status is 3, \
               as where `check` had only samples.\n\n\
               ## Example\n\
               `probity translate shop.tb --to aut` where the script computes with a number that a tool \
               sends\n\n\
               ## How to fix\n\
               State the bound that the warning names, in the file or with `--bound`. Or translate what a \
               property depends on, `--property NAME`.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_fully_documented() {
        for doc in CODES {
            assert_eq!(doc.missing_headings(), Vec::<&str>::new(), "{}", doc.code);
        }
    }
}
