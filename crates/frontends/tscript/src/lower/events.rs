//! What is told of actions, and what formulas can speak of: one kind of event for each action and
//! shape of its terms, with the values in the shape as arguments.

use model::{Event, EventId, ExprId, Stmt, Type};
use source::Span;

use super::Lowering;
use crate::term::{self, Pattern};

/// The shape of a term: what is known beforehand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shape {
    /// An argument of the event.
    Hole,
    /// Something that nobody has a name for.
    Unknown,
    Constant(Pattern),
    Apply(std::rc::Rc<str>, Vec<Shape>),
    List(Vec<Shape>),
}

/// A kind of event that an action is.
#[derive(Clone, Debug)]
pub(super) struct ActionEvent {
    pub(super) event: EventId,
    /// The action's word: `snd-msg`, `rec-event`, ...
    pub(super) word: String,
    /// How the story begins; kinds that differ in it are different.
    lead: String,
    pub(super) args: Vec<Shape>,
}

impl Lowering<'_> {
    /// The shape of a pattern, and the values in it. Variables that the action fills are read, so
    /// this is for after it.
    pub(super) fn shape(&mut self, pattern: &Pattern, values: &mut Vec<ExprId>) -> Shape {
        match pattern {
            Pattern::Var(var) | Pattern::Result(var) => {
                values.push(self.variable(*var));
                Shape::Hole
            }
            Pattern::Placeholder(_) => Shape::Unknown,
            constant if constant.is_constant() => Shape::Constant(constant.clone()),
            Pattern::Apply(name, args) => {
                let args = args.iter().map(|arg| self.shape(arg, values)).collect();
                Shape::Apply(name.clone(), args)
            }
            Pattern::List(items) => {
                let items = items.iter().map(|item| self.shape(item, values)).collect();
                Shape::List(items)
            }
            constant => Shape::Constant(constant.clone()),
        }
    }

    /// Tells an action.
    pub(super) fn tell(
        &mut self,
        lead: &str,
        word: &str,
        args: Vec<Shape>,
        values: Vec<ExprId>,
        span: Span,
    ) -> Stmt {
        let known = self
            .events
            .iter()
            .find(|known| known.word == word && known.lead == lead && known.args == args);
        let event = match known {
            Some(known) => known.event,
            None => {
                let mut next = 0;
                let texts: Vec<String> = args
                    .iter()
                    .map(|arg| self.shape_text(arg, &mut next, true))
                    .collect();
                let mut plain = 0;
                let name: Vec<String> = args
                    .iter()
                    .map(|arg| self.shape_text(arg, &mut plain, false))
                    .collect();
                let story = format!("{lead}{word}({})", texts.join(", "));
                let event = self.program.add_event(Event {
                    name: format!("{word}({})", name.join(", ")),
                    parameters: (0..values.len())
                        .map(|at| (format!("v{at}"), Type::Rich))
                        .collect(),
                    story: Some(story),
                    detail: false,
                });
                self.events.push(ActionEvent {
                    event,
                    word: word.to_owned(),
                    lead: lead.to_owned(),
                    args,
                });
                event
            }
        };
        Stmt::Emit {
            event,
            args: values,
            span,
        }
    }

    fn shape_text(&self, shape: &Shape, next: &mut usize, story: bool) -> String {
        let list = |all: &[Shape], next: &mut usize| {
            let all: Vec<String> = all
                .iter()
                .map(|inner| self.shape_text(inner, next, story))
                .collect();
            all.join(", ")
        };
        match shape {
            Shape::Hole if story => {
                *next += 1;
                format!("{{{}}}", *next - 1)
            }
            Shape::Hole | Shape::Unknown => "_".to_owned(),
            Shape::Constant(pattern) => self.constant_text(pattern),
            Shape::Apply(name, args) => format!("{name}({})", list(args, next)),
            Shape::List(items) => format!("[{}]", list(items, next)),
        }
    }

    fn constant_text(&self, pattern: &Pattern) -> String {
        let list = |all: &[Pattern]| {
            let all: Vec<String> = all.iter().map(|inner| self.constant_text(inner)).collect();
            all.join(", ")
        };
        match pattern {
            Pattern::Int(number) => number.to_string(),
            Pattern::Real(bits) => f64::from_bits(*bits).to_string(),
            Pattern::Bool(truth) => truth.to_string(),
            Pattern::Str(text) => {
                let value = self.program.rich.text(text);
                term::text(&self.program.rich, &value)
            }
            Pattern::Apply(name, args) if args.is_empty() => name.to_string(),
            Pattern::Apply(name, args) => format!("{name}({})", list(args)),
            Pattern::List(items) => format!("[{}]", list(items)),
            Pattern::Var(_) | Pattern::Result(_) | Pattern::Placeholder(_) => "_".to_owned(),
        }
    }
}
