//! The codes of the command line itself, and where those of others are.

use source::CodeDoc;

use crate::languages::Languages;

/// The documentation of every code there is.
pub(crate) fn codes(languages: Languages) -> Vec<&'static [CodeDoc]> {
    let mut tables = vec![CodeDoc::SOURCE, COMMAND_LINE];
    for front_end in languages.iter() {
        tables.extend_from_slice(front_end.codes());
    }
    tables.push(export::CODES);
    tables
}

/// The codes of the command line itself.
pub const COMMAND_LINE: &[CodeDoc] = &[
    CodeDoc {
        code: "CLI0001",
        title: "language not known",
        body: "## What it does\n\
               Refuses a file whose language its extension does not tell.\n\n\
               ## Why is this bad\n\
               The same text means different things in different languages.\n\n\
               ## Example\n\
               `probity check door.txt`\n\n\
               ## How to fix\n\
               Name the language: `probity check door.txt --language lsl`.",
    },
    CodeDoc {
        code: "CLI0002",
        title: "file cannot be read",
        body: "## What it does\n\
               Reports a path that names no file, or a file that may not be read.\n\n\
               ## Why is this bad\n\
               Nothing can be said about a script that was not read.\n\n\
               ## Example\n\
               `probity check dor.lsl` where the script is `door.lsl`\n\n\
               ## How to fix\n\
               Check the path and who may read it.",
    },
    CodeDoc {
        code: "CLI0003",
        title: "no such property",
        body: "## What it does\n\
               Reports a `--property NAME` that no file has.\n\n\
               ## Why is this bad\n\
               A property that is not there cannot be checked, and leaving it out silently would \
               look like success.\n\n\
               ## Example\n\
               `probity check door.lsl --property shut` where the file has no `property shut`\n\n\
               ## How to fix\n\
               Use a name from the list that the message gives. A property that is not in the \
               file is given by its text: `--property 'always open == FALSE'`.",
    },
    CodeDoc {
        code: "CLI0004",
        title: "checkpoint cannot be used",
        body: "## What it does\n\
               Reports a `--resume FILE` that is no checkpoint, is damaged, or is about something \
               else.\n\n\
               ## Why is this bad\n\
               A search that goes on from something else would say things about another \
               script.\n\n\
               ## Example\n\
               `probity check door.lsl --resume door.checkpoint` after `door.lsl` has been \
               changed\n\n\
               ## How to fix\n\
               Give the file and the options with which the checkpoint was written (limits, \
               threads and storage may be others), or begin anew without `--resume`.",
    },
    CodeDoc {
        code: "CLI0005",
        title: "limit reached while reading",
        body: "## What it does\n\
               Reports a file that could not be read as a program within the time or the memory \
               that was given.\n\n\
               ## Why is this bad\n\
               Nothing can be said about a script that was not read to its end.\n\n\
               ## Example\n\
               `probity check model.pml --timeout 1s` where macros of the model stand for \
               millions of statements\n\n\
               ## How to fix\n\
               Give it more with `--timeout` or `--memory`, or make the model smaller.",
    },
    CodeDoc {
        code: "CLI0006",
        title: "option of another language",
        body: "## What it does\n\
               Refuses an option that means nothing for the language of any file given.\n\n\
               ## Why is this bad\n\
               It would be ignored, and the answer taken for one to another question.\n\n\
               ## Example\n\
               `probity check door.lsl --dialect c`\n\n\
               ## How to fix\n\
               Leave it out; `docs/cli.md` says which option is for which language.",
    },
    CodeDoc {
        code: "CLI0007",
        title: "no plan",
        body: "## What it does\n\
               Refuses a plan of which a line is no job, is one of another version, or is not the job \
               that its key names.\n\n\
               ## Why is this bad\n\
               Results are kept by keys: a job that was changed by hand would be answered by the \
               result of another.\n\n\
               ## Example\n\
               `probity run-job jobs.jsonl` after an option was edited in `jobs.jsonl`\n\n\
               ## How to fix\n\
               Write the plan anew with `probity plan`.",
    },
    CodeDoc {
        code: "CLI0008",
        title: "wrong options in probity.toml",
        body: "## What it does\n\
               Refuses a `probity.toml` that is no TOML, names an option that there is not, gives one a \
               value that it cannot have, or says of all files together what another says otherwise.\n\n\
               ## Why is this bad\n\
               A slip in a name would leave a bound out, and the answer would be to another question.\n\n\
               ## Example\n\
               `timeuot = \"30s\"`\n\n\
               ## How to fix\n\
               Use the names and values of the options of `check`, as docs/config.md says. \
               `--no-config` goes without the file.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_codes_are_fully_documented() {
        for doc in COMMAND_LINE {
            assert_eq!(doc.missing_headings(), Vec::<&str>::new(), "{}", doc.code);
        }
    }
}
