//! What is told of actions, and what formulas can speak of: one kind of event for each word and
//! number of arguments, with the terms as arguments and, last, who does it.

use model::{Event, ExprId, Stmt, Type, Visibility};
use source::Span;

use super::Lowering;
use crate::term;

impl Lowering<'_> {
    /// Tells an action; `who` are one or two names.
    pub(super) fn tell(&mut self, word: &str, who: &[&str], args: Vec<ExprId>, span: Span) -> Stmt {
        let known = self.program.events.iter().position(|event| {
            event.name == word && event.parameters.len() == args.len() + who.len()
        });
        let event = match known {
            Some(known) => model::EventId::new(known),
            None => {
                let holes: Vec<String> = (0..args.len()).map(|at| format!("{{{at}}}")).collect();
                let names: Vec<String> = (args.len()..args.len() + who.len())
                    .map(|at| format!("{{{at}}}"))
                    .collect();
                let lead = match names.as_slice() {
                    [] => String::new(),
                    [one] => format!("{one}: "),
                    [one, other, ..] => format!("{one} to {other}: "),
                };
                let mut parameters: Vec<(String, Type)> = (1..=args.len())
                    .map(|at| (format!("argument {at}"), Type::Rich))
                    .collect();
                parameters.extend(who.iter().map(|_| ("who".to_owned(), Type::Rich)));
                self.program.add_event(Event {
                    name: word.to_owned(),
                    parameters,
                    story: Some(format!("{lead}{word}({})", holes.join(", "))),
                    visibility: Visibility::detail_if(word == super::stale::ROUND),
                })
            }
        };
        let mut args = args;
        for name in who {
            let name = term::apply(&self.program.rich, name, &[]);
            args.push(self.rich(name));
        }
        Stmt::Emit { event, args, span }
    }
}
