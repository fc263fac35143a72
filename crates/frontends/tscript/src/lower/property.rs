//! Properties that the script or the command line states: formulas of the modal mu-calculus over
//! the script's actions.
//!
//! An action is named by its word, with terms as arguments: `rec-event(B, bid(m))`,
//! `snd-do(_, accept(accepted))`; both ends of a message are `msg`. What begins with a letter and is
//! neither a variable of the formula nor has arguments is a word of the script.

use logic::mu::{MuError, Vocabulary, parse};
use model::{Claim, EventId, ExprId, Program, Value};
use source::{Diagnostic, Diagnostics};

use super::Lowering;
use crate::codes::notes as code;
use crate::term;

/// What names in a formula mean.
struct Words<'p> {
    program: &'p Program,
}

impl Vocabulary for Words<'_> {
    type Atom = ExprId;
    type Event = EventId;
    type Value = Value;
    type Error = String;

    fn proposition(&mut self, text: &str, _: usize) -> Result<ExprId, String> {
        Err(format!(
            "`{text}`: formulas speak of what is done, not of what holds"
        ))
    }

    fn event(&mut self, name: &str, arguments: usize, _: usize) -> Result<EventId, String> {
        let name = match name {
            "snd-msg" | "rec-msg" => "msg",
            other => other,
        };
        let named = self.program.events.iter().enumerate();
        let named = named.filter(|(_, event)| event.name == name);
        // Who does it comes behind the terms.
        let terms = |event: &model::Event| {
            let all = event.parameters.iter();
            all.filter(|(name, _)| name != "who").count()
        };
        let fits = named
            .clone()
            .filter(|(_, event)| terms(event) >= arguments)
            .min_by_key(|(_, event)| terms(event));
        match (fits, named.clone().next()) {
            (Some((place, _)), _) => Ok(EventId::new(place)),
            (None, Some(_)) => Err(format!("no `{name}` has so many arguments")),
            (None, None) => {
                let all = self.program.events.iter().map(|event| event.name.as_str());
                Err(match source::suggest(name, all) {
                    Some(near) => {
                        format!("the script never does `{name}`; it does `{near}`")
                    }
                    None => format!("the script never does `{name}`"),
                })
            }
        }
    }

    fn constant(
        &mut self,
        text: &str,
        _: Option<(&EventId, usize)>,
        _: usize,
    ) -> Result<Value, String> {
        let rich = &self.program.rich;
        if let Ok(number) = text.parse() {
            return Ok(term::int(rich, number));
        }
        let quoted = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        Ok(match (quoted, text) {
            (Some(inside), _) => rich.text(inside),
            (None, "true") => term::bool(rich, true),
            (None, "false") => term::bool(rich, false),
            (None, word) => term::apply(rich, word, &[]),
        })
    }
}

impl Lowering<'_> {
    /// Adds the properties that are stated.
    pub(super) fn stated(&mut self, diagnostics: &mut Diagnostics) {
        for stated in &self.annotations.properties {
            let mut words = Words {
                program: &self.program,
            };
            match parse(&stated.text, &mut words) {
                Ok(formula) => {
                    let (name, text) = (stated.name.clone(), stated.text.clone());
                    self.property(name, &text, stated.span, Claim::Mu(formula));
                }
                Err(error) => {
                    let range = match &error {
                        MuError::Syntax { range, .. } | MuError::Name { range, .. } => {
                            range.clone()
                        }
                    };
                    let at = stated.text.get(range).unwrap_or_default();
                    let mut diagnostic = Diagnostic::error(
                        code::PROPERTY,
                        format!("property `{}`: {error}", stated.name),
                    )
                    .at(stated.span);
                    if !at.is_empty() {
                        diagnostic = diagnostic.help(format!("at `{at}`"));
                    }
                    diagnostics.push(diagnostic);
                }
            }
        }
    }
}
