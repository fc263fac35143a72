//! `printf` and `printm`: an event that a story tells.
//!
//! As in SPIN's verifiers the arguments are evaluated, so that what is wrong with one is an error.

use model::{Event, Stmt, Type, Visibility};
use source::{Diagnostic, Span};

use super::statement::Action;
use super::{Lowering, Place};
use crate::ast::{Expr, ExprKind};
use crate::codes::lints;

impl Lowering<'_> {
    /// `text` is the quoted format.
    pub(super) fn print(
        &mut self,
        text: &str,
        arguments: &[Expr],
        span: Span,
        place: Place,
        action: &mut Action,
    ) {
        if text == "\"\"" && arguments.is_empty() {
            return;
        }
        let (story, wanted) = story(text);
        if wanted.len() != arguments.len() {
            let message = format!(
                "the text has places for {} values, and {} are given",
                wanted.len(),
                arguments.len()
            );
            let diagnostic = Diagnostic::warning(lints::PRINT_ARGUMENTS, message);
            self.diagnostics.push(diagnostic.at(span));
        }
        let mut args = Vec::new();
        let mut parameters = Vec::new();
        let mut names = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.any_value(argument, place);
            let ty = self.program.exprs.ty(value).clone();
            if wanted.get(index) == Some(&'e') {
                names.push((index, self.names_in(argument, place)));
            }
            let ty = match ty {
                Type::Channel => Type::Channel,
                _ => super::INT,
            };
            args.push(self.convert(value, ty.clone()));
            parameters.push((format!("value{index}"), ty));
        }
        let event = self.program.add_event(Event {
            name: "printf".to_owned(),
            parameters,
            story: Some(story),
            visibility: Visibility::Told,
        });
        for (index, names) in names {
            let shown = &mut self.program.display.arguments;
            shown.insert((event, index), names);
        }
        action.body.push(Stmt::Emit { event, args, span });
    }

    /// What the values of an expression are called, where it is printed by name.
    fn names_in(&mut self, e: &Expr, place: Place) -> model::EnumId {
        let known = match &e.kind {
            ExprKind::Reference(reference) if reference.parts.len() == 1 => self
                .find_variable(&reference.parts[0].0.name, place)
                .and_then(|variable| variable.names),
            _ => None,
        };
        known.unwrap_or_else(|| self.mtype_names(None))
    }
}

/// The template of a story for a format, and the letters of its conversions.
fn story(text: &str) -> (String, Vec<char>) {
    let text = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let mut out = String::from("prints \"");
    let mut wanted = Vec::new();
    let mut characters = text.unwrap_or_default().chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n' | 't' | 'r') => out.push(' '),
                Some(other) => out.push(other),
                None => {}
            },
            '%' => {
                // Flags and widths are for columns; here there are none.
                while characters
                    .peek()
                    .is_some_and(|c| c.is_ascii_digit() || "-+ .l".contains(*c))
                {
                    characters.next();
                }
                match characters.next() {
                    Some('%') => out.push('%'),
                    Some(letter) => {
                        let shown = match letter {
                            'c' => ":c",
                            'o' => ":o",
                            'x' => ":x",
                            _ => "",
                        };
                        out.push_str(&format!("{{{}{shown}}}", wanted.len()));
                        wanted.push(letter);
                    }
                    None => out.push('%'),
                }
            }
            other => out.push(other),
        }
    }
    let mut out = out.trim_end().to_owned();
    out.push('"');
    (out, wanted)
}

#[cfg(test)]
mod tests {
    use super::story;

    #[test]
    fn formats_become_templates() {
        let (text, wanted) = story("\"%d: got %e, %3u%% of 0x%x\\n\"");
        assert_eq!(text, "prints \"{0}: got {1}, {2}% of 0x{3:x}\"");
        assert_eq!(wanted, ['d', 'e', 'u', 'x']);
        assert_eq!(story("\"\"").0, "prints \"\"");
        assert_eq!(story("\"50%\"").0, "prints \"50%\"");
        assert_eq!(story("\"a\\tb\\\\\"").0, "prints \"a b\\\"");
    }
}
