//! What names in formulas of the mu-calculus mean for a program.

use std::cmp::Ordering;

use logic::mu::{Mu, Values, Vocabulary};

use crate::ids::{EnumId, EventId, ExprId};
use crate::program::Program;
use crate::rich_table::RichTable;
use crate::types::Type;
use crate::value::{Rich, Value};

/// A formula of the mu-calculus over a program: its propositions are expressions, its actions
/// events.
pub type MuFormula = Mu<ExprId, EventId, Value>;

/// Names in formulas over a program. Actions are its events. A constant has the type of the
/// parameter where it stands; elsewhere a number is one, `true` and `false` are truth values, a name
/// is the member of an enumeration if one has it, and else a term without arguments.
pub struct ProgramVocabulary<'p, F> {
    /// The program.
    pub program: &'p mut Program,
    /// Reads a proposition: an expression over a state.
    pub proposition: F,
}

/// Why a name means nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameError<D> {
    /// What the reader of propositions says.
    Proposition(D),
    /// There is no such action; names of some that there are.
    Event(String, Vec<String>),
    /// It has fewer arguments.
    Arguments(String, usize),
    /// The constant is no value of the type of its place.
    Constant(String, String),
}

impl<D: std::fmt::Display> std::fmt::Display for NameError<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NameError::Proposition(error) => error.fmt(f),
            NameError::Event(name, others) if others.is_empty() => {
                write!(f, "nothing that happens is named `{name}`")
            }
            NameError::Event(name, others) => write!(
                f,
                "nothing that happens is named `{name}`; there are {}",
                others.join(", ")
            ),
            NameError::Arguments(name, count) => {
                write!(f, "`{name}` has no more than {count} arguments")
            }
            NameError::Constant(text, place) => write!(f, "`{text}` is no value of `{place}`"),
        }
    }
}

impl<F, D> Vocabulary for ProgramVocabulary<'_, F>
where
    F: FnMut(&mut Program, &str, usize) -> Result<ExprId, D>,
{
    type Atom = ExprId;
    type Event = EventId;
    type Value = Value;
    type Error = NameError<D>;

    fn proposition(&mut self, text: &str, offset: usize) -> Result<ExprId, NameError<D>> {
        (self.proposition)(self.program, text, offset).map_err(NameError::Proposition)
    }

    fn event(&mut self, name: &str, arguments: usize, _: usize) -> Result<EventId, NameError<D>> {
        let found = self.program.events.iter().position(|e| e.name == name);
        let Some(place) = found else {
            let mut names: Vec<String> = self
                .program
                .events
                .iter()
                .map(|event| format!("`{}`", event.name))
                .collect();
            names.sort();
            names.dedup();
            names.truncate(12);
            return Err(NameError::Event(name.to_owned(), names));
        };
        let parameters = self.program.events[place].parameters.len();
        if arguments > parameters {
            return Err(NameError::Arguments(name.to_owned(), parameters));
        }
        Ok(EventId::new(place))
    }

    fn constant(
        &mut self,
        text: &str,
        place: Option<(&EventId, usize)>,
        _: usize,
    ) -> Result<Value, NameError<D>> {
        let Some((event, number)) = place else {
            return Ok(self.program.constant_of_any_type(text));
        };
        let (name, ty) = &self.program.events[event.index()].parameters[number];
        self.program
            .constant_of_type(text, ty)
            .ok_or_else(|| NameError::Constant(text.to_owned(), name.clone()))
    }
}

impl Program {
    fn constant_of_type(&self, text: &str, ty: &Type) -> Option<Value> {
        match ty {
            Type::Bool => truth(text),
            Type::Enum(id) => self.member(*id, text).or_else(|| number(text)),
            Type::Rich => Some(self.rich_constant(text)),
            _ => number(text),
        }
    }

    fn constant_of_any_type(&self, text: &str) -> Value {
        let member =
            || (0..self.enums.len()).find_map(|place| self.member(EnumId::new(place), text));
        truth(text)
            .or_else(|| number(text))
            .or_else(member)
            .unwrap_or_else(|| self.rich_constant(text))
    }

    fn member(&self, id: EnumId, text: &str) -> Option<Value> {
        let members = &self.enums[id.index()].members;
        let place = members.iter().position(|member| member == text)?;
        Some(Value::Int(i128::try_from(place).ok()?))
    }

    fn rich_constant(&self, text: &str) -> Value {
        if let Some(number) = number(text) {
            return number;
        }
        let quoted = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        let rich = match quoted {
            Some(inside) => Rich::Text(inside.into()),
            None => Rich::Term {
                functor: text.into(),
                args: Box::default(),
            },
        };
        Value::Rich(self.rich.intern(rich))
    }
}

fn truth(text: &str) -> Option<Value> {
    match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => None,
    }
}

fn number(text: &str) -> Option<Value> {
    text.parse().ok().map(Value::Int)
}

impl Values for RichTable {
    type Value = Value;

    fn compare(&self, a: &Value, b: &Value) -> Option<Ordering> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
            (Value::Rich(_), Value::Rich(_)) => Some(RichTable::compare(self, a, b)),
            _ => None,
        }
    }

    fn term(&self, value: &Value) -> Option<(String, Vec<Value>)> {
        let Value::Rich(id) = value else {
            return None;
        };
        match &*self.get(*id) {
            // A term of a language whose words are free: the word comes first.
            Rich::Term { functor, args } if &**functor == "apply" => {
                let (Value::Rich(word), rest) = args.split_first()? else {
                    return None;
                };
                match &*self.get(*word) {
                    Rich::Text(word) => Some((word.to_string(), rest.to_vec())),
                    _ => None,
                }
            }
            Rich::Term { functor, args } => Some((functor.to_string(), args.to_vec())),
            _ => None,
        }
    }

    fn number(&self, value: &Value) -> Option<i128> {
        match self.plain(value) {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    fn like(&self, other: &Value, number: i128) -> Option<Value> {
        match other {
            Value::Int(_) => Some(Value::Int(number)),
            _ => Some(RichTable::term(self, "value", vec![Value::Int(number)])),
        }
    }

    fn truth(&self, value: &Value) -> Option<bool> {
        match self.plain(value) {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }
}

impl RichTable {
    /// A number or a truth value out of the term in which some languages keep it.
    fn plain(&self, value: &Value) -> Value {
        let Value::Rich(id) = value else {
            return value.clone();
        };
        match &*self.get(*id) {
            Rich::Term { functor, args } if &**functor == "value" && args.len() == 1 => {
                args[0].clone()
            }
            _ => value.clone(),
        }
    }
}
