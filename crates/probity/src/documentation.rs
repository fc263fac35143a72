//! `docs/cli.md`, made from the table of options.

use std::fmt::Write as _;

use crate::commands::COMMANDS;
use crate::languages::Languages;
use crate::options::{SHORT, choices, help, options};

/// The description of the command line, in Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from(
        "# The command line\n\n\
         <!-- Made from the tables of options; a test keeps it current. -->\n",
    );
    for command in COMMANDS {
        let name = command.name;
        let operand = match &command.operand {
            Some(operand) if operand.many => format!(" [OPTIONS] {}...", operand.name),
            Some(operand) => format!(" [OPTIONS] {}", operand.name),
            None => String::new(),
        };
        write!(
            out,
            "\n## probity {name}\n\n{}.\n{}\n\n```text\nprobity {name}{operand}\n```\n\n",
            command.about,
            if command.details.is_empty() {
                String::new()
            } else {
                format!("\n{}", command.details)
            },
        )
        .expect("writing to a string succeeds");
        if let Some(operand) = &command.operand {
            writeln!(out, "`{}`: {}.", operand.name, operand.help)
                .expect("writing to a string succeeds");
        }
        let languages = Languages::default();
        let mut options = options(languages);
        options.retain(|option| option.commands.contains(&name));
        if options.is_empty() {
            continue;
        }
        out.push_str("\n| option | default | what it does |\n|---|---|---|\n");
        for option in options {
            let choices = choices(option, languages);
            let value = if choices.is_empty() {
                option.value.map(str::to_owned)
            } else {
                Some(choices.join("|"))
            };
            let value = value.map_or(String::new(), |value| format!(" {value}"));
            let many = if option.repeatable {
                ", repeatable"
            } else {
                ""
            };
            let short = SHORT.iter().find(|(name, _)| *name == option.name);
            let short = short.map_or(String::new(), |(_, letter)| format!("-{letter}, "));
            writeln!(
                out,
                "| `{short}--{}{}`{many} | {} | {} |",
                option.name,
                value.replace('|', "\\|"),
                option.default,
                help(option, languages).replace('|', "\\|"),
            )
            .expect("writing to a string succeeds");
        }
    }
    out.push_str(
        "\n## Exit status\n\n\
         | status | meaning |\n|---|---|\n\
         | 0 | every property holds, and none is vacuous |\n\
         | 1 | some property fails; its run was replayed on the reference interpreter |\n\
         | 2 | bad usage or bad input |\n\
         | 3 | anything else: vacuous, possible, only samples or short runs, a limit reached, interrupted |\n\
         \n\
         `--require` moves the line for *holds*. A file that cannot be read as a program decides \
         over the other files' verdicts: status 2.\n\
         \n\
         Only the report goes to standard output. Diagnostics and progress go to standard error. \
         Ctrl-C, SIGTERM and SIGHUP have what is known so far printed and end it with status 3; a \
         second one stops at once. If the report cannot be written, because standard output is \
         full or closed, the status is 3 where it would be 0.\n",
    );
    out
}
