//! Properties that the script or the command line states: formulas of the modal mu-calculus over
//! the script's actions, or [of linear time](super::linear).
//!
//! An action is named by its word, with terms as arguments: `rec-event(B, bid(m))`,
//! `snd-do(_, accept(accepted))`; both ends of a message are `msg`. What begins with a letter and is
//! neither a variable of the formula nor has arguments is a word of the script.

use logic::mu::{self, MuError, Vocabulary, parse};
use model::{Claim, Event, EventId, ExprId, Program, Type, Value, Visibility};
use source::{Diagnostic, Diagnostics};

use super::{Lowering, Unit, linear, vacuous};
use crate::annotations::StatedProperty;
use crate::ast::Word;
use crate::codes::notes as code;
use crate::term::{self, Pattern};

/// What names in a formula mean.
struct Words<'p> {
    program: &'p Program,
    units: &'p [Unit],
    /// Actions that scripts may have and this one has not, with how many arguments: events of their
    /// own, behind those of the program.
    never: Vec<(String, usize)>,
}

impl Words<'_> {
    /// The event of an action that is never done.
    fn never_done(&mut self, name: &str, arguments: usize) -> EventId {
        let wanted = (name.to_owned(), arguments);
        let known = self.never.iter().position(|never| *never == wanted);
        let place = known.unwrap_or_else(|| {
            self.never.push(wanted);
            self.never.len() - 1
        });
        EventId::new(self.program.events.len() + place)
    }

    /// An action that says something with this word, if there is one.
    fn said_in(&self, word: &str) -> Option<String> {
        let mut atoms = self.units.iter().flat_map(|unit| &unit.inlined.atoms);
        let atom = atoms.find(|atom| atom.args.iter().any(|arg| says(arg, word)))?;
        let action = match atom.word {
            Word::SndMsg | Word::RecMsg => "msg",
            other => other.text(),
        };
        let args: Vec<String> = atom.args.iter().map(|arg| outline(arg, word)).collect();
        Some(format!("{action}({})", args.join(", ")))
    }
}

/// Whether a word stands in a term.
fn says(term: &Pattern, word: &str) -> bool {
    match term {
        Pattern::Apply(functor, args) => {
            **functor == *word || args.iter().any(|arg| says(arg, word))
        }
        Pattern::List(items) => items.iter().any(|item| says(item, word)),
        _ => false,
    }
}

/// A term as a formula would have it, open but for the way to a word.
fn outline(term: &Pattern, word: &str) -> String {
    match term {
        Pattern::Apply(functor, args) if says(term, word) && args.is_empty() => functor.to_string(),
        Pattern::Apply(functor, args) if says(term, word) => {
            let args: Vec<String> = args.iter().map(|arg| outline(arg, word)).collect();
            format!("{functor}({})", args.join(", "))
        }
        _ => "_".to_owned(),
    }
}

/// Whether some scripts have actions of this name.
fn is_action(name: &str) -> bool {
    const OTHERS: [&str; 5] = ["msg", "ends", "vanishes", "round", "tick"];
    let told = |word: &&Word| !matches!(word, Word::Tau | Word::Delta | Word::Assign);
    let mut words = Word::ALL.iter().filter(told);
    OTHERS.contains(&name) || words.any(|word| word.text() == name)
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
            (None, None) if is_action(name) => Ok(self.never_done(name, arguments)),
            (None, None) => {
                let all = self.program.events.iter().map(|event| event.name.as_str());
                let words = Word::ALL.iter().map(|word| word.text());
                let near = source::suggest(name, all.chain(words));
                Err(match (self.said_in(name), near) {
                    (Some(action), _) => format!(
                        "there is no action `{name}`; it is what actions say, as in `{action}`"
                    ),
                    (None, Some(near)) => {
                        format!("there is no action `{name}`; `{near}` was probably meant")
                    }
                    (None, None) => format!("there is no action `{name}`"),
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

/// Whether an action, with what its arguments look like, never happens.
type Never<'n> = dyn Fn((&EventId, &[mu::Pattern<Value>])) -> bool + 'n;

impl Lowering<'_> {
    /// Warns of what the property that was added last speaks of and nobody says; if it holds for no
    /// other reason, it is vacuous.
    fn say_vacuous(
        &mut self,
        stated: &StatedProperty,
        named: Vec<(EventId, &[mu::Pattern<Value>])>,
        truth: &dyn Fn(&Never<'_>) -> Option<bool>,
        diagnostics: &mut Diagnostics,
    ) {
        let happens = |(event, patterns): (&EventId, &[mu::Pattern<Value>])| {
            let name = &self.program.events[event.index()].name;
            self.is_said(name, patterns)
        };
        let mut missing: Vec<String> = Vec::new();
        for (event, patterns) in named {
            // Of a word that is never done it has been said.
            let name = &self.program.events[event.index()].name;
            let is_done = self.is_said(name, &[]);
            if is_done && !happens((&event, patterns)) {
                let action = vacuous::written(&self.program.rich, name, patterns);
                if !missing.contains(&action) {
                    missing.push(action);
                }
            }
        }
        for action in missing {
            let text = format!(
                "property `{}`: nothing in the script says `{action}`",
                stated.name
            );
            diagnostics.push(Diagnostic::warning(code::NEVER_DONE, text).at(stated.span));
        }
        let as_it_is = truth(&|_| false);
        if as_it_is.is_none() && truth(&|action| !happens(action)) == Some(true) {
            let never = self.program.exprs.bool(false);
            let property = self.program.properties.last_mut().expect("one was added");
            property.trigger = Some(never);
        }
    }

    /// Adds the properties that are stated.
    pub(super) fn stated(&mut self, diagnostics: &mut Diagnostics) {
        for stated in &self.annotations.properties {
            let mut words = Words {
                program: &self.program,
                units: &self.units,
                never: Vec::new(),
            };
            let read = parse(&stated.text, &mut words);
            let linear = match &read {
                Ok(_) => None,
                Err(_) => {
                    // What was never done is found anew.
                    words.never.clear();
                    linear::read(&stated.text, &mut words)
                }
            };
            for (word, arguments) in words.never {
                let text = format!("property `{}`: the script never does `{word}`", stated.name);
                diagnostics.push(Diagnostic::warning(code::NEVER_DONE, text).at(stated.span));
                self.program.add_event(Event {
                    name: word,
                    parameters: vec![("argument".to_owned(), Type::Rich); arguments],
                    story: None,
                    visibility: Visibility::Detail,
                });
            }
            let (name, text) = (stated.name.clone(), stated.text.clone());
            let (why, at) = match (linear, read) {
                (Some(Ok(formula)), _) => {
                    self.linear_property(name, &text, stated.span, &formula);
                    let atoms = formula.atoms();
                    let named = atoms.iter().flat_map(|atom| atom.actions());
                    let named = named.map(|(event, patterns)| (*event, patterns)).collect();
                    let truth = |never: &Never<'_>| vacuous::linear_truth(&formula, never);
                    self.say_vacuous(stated, named, &truth, diagnostics);
                    continue;
                }
                (Some(Err(wrong)), _) => (wrong.why, wrong.at),
                (None, Ok(formula)) => {
                    self.property(name, &text, stated.span, Claim::Mu(formula.clone()));
                    let named = formula.actions().into_iter();
                    let named = named.map(|(event, patterns)| (*event, patterns)).collect();
                    let truth = |never: &Never<'_>| formula.truth_if_never(never);
                    self.say_vacuous(stated, named, &truth, diagnostics);
                    continue;
                }
                (None, Err(error)) => {
                    let range = match &error {
                        MuError::Syntax { range, .. } | MuError::Name { range, .. } => {
                            range.clone()
                        }
                    };
                    let at = text.get(range).unwrap_or_default().to_owned();
                    (error.to_string(), at)
                }
            };
            let text = format!("property `{name}`: {why}");
            let mut diagnostic = Diagnostic::error(code::PROPERTY, text).at(stated.span);
            if !at.is_empty() {
                diagnostic = diagnostic.help(format!("at `{at}`"));
            }
            diagnostics.push(diagnostic);
        }
    }
}
