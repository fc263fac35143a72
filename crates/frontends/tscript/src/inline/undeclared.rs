//! Names that are not declared: in an open script, [constants](crate::constants) of another one.

use source::{Diagnostic, Span};

use super::{Inliner, Scope};
use crate::codes::names as code;
use crate::term::Pattern;
use crate::types::Type;

impl Inliner<'_, '_> {
    /// What a name stands for that is not declared: in an open script it may be a constant of another one.
    pub(super) fn constant(
        &mut self,
        name: &str,
        result: bool,
        span: Span,
        scope: &Scope,
    ) -> Pattern {
        let near = source::suggest(name, scope.0.keys().map(String::as_str));
        let constant = match near {
            None if !result => self.constants.get(name),
            _ => None,
        };
        if self.open
            && let Some(constant) = constant
            && let Some(value) = constant.value(name)
        {
            let constant = (name.to_owned(), constant.clone());
            if !self.defined_elsewhere.contains(&constant) {
                self.defined_elsewhere.push(constant);
            }
            return value;
        }
        let diagnostic =
            Diagnostic::error(code::NO_VARIABLE, format!("there is no variable `{name}`")).at(span);
        let help = match near {
            Some(near) => format!("`{near}` was probably meant"),
            None if constant.is_some() => format!(
                "if it is a constant of another file, include that, or define it: `-D {name}=VALUE`"
            ),
            None => format!("declare it: `let {name} : ... in`"),
        };
        self.report(diagnostic.help(help));
        Pattern::Placeholder(Type::Term)
    }
}
