//! The state graph as a process of mCRL2, for its tools: what happens in a step are actions with data,
//! which formulas can speak of.
//!
//! The process has one parameter, the number of the state, and a summand for each state; several
//! events of one step are a multi-action. Values are terms of one sort: a constructor for each word and
//! number of arguments. (Groote and Mousavi, *Modeling and analysis of communicating systems*, 2014,
//! has the language; its grammar says that names consist of letters, digits, `_` and `'`.)

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use model::interp::{Interp, State};
use model::{Label, Program, Rich, Value};

use crate::ExploreError;

/// Writes the graph of a program of at most so many states.
///
/// # Errors
/// If there are more states, or the interpreter gives up.
pub fn mcrl2(program: &Program, limit: usize) -> Result<String, ExploreError> {
    let interp = Interp::new(program).with_labels();
    let stop = |_| ExploreError::Stopped("a number or a step of the script has no end".into());
    let mut places: HashMap<State, usize> = HashMap::new();
    let mut found: Vec<State> = Vec::new();
    let mut place = |state: State, found: &mut Vec<State>| {
        let fresh = found.len();
        let at = *places.entry(state.clone()).or_insert(fresh);
        if at == fresh {
            found.push(state);
        }
        at
    };
    let mut initial = Vec::new();
    for (_, state) in interp.initial().map_err(stop)? {
        let at = place(interp.stored(&state), &mut found);
        if !initial.contains(&at) {
            initial.push(at);
        }
    }
    if initial.is_empty() {
        return Err(ExploreError::Empty);
    }
    let mut writer = Writer::new(program);
    let mut summands = String::new();
    let mut next = 0;
    while next < found.len() {
        let mut moves: Vec<String> = Vec::new();
        for successor in interp.expand(&found[next]).map_err(stop)?.successors {
            let to = place(interp.stored(&successor.state), &mut found);
            let step = format!("{} . S({to})", writer.action(&successor.label));
            if !moves.contains(&step) {
                moves.push(step);
            }
        }
        if found.len() > limit {
            return Err(ExploreError::TooMany(limit));
        }
        let moves = match moves.as_slice() {
            [] => "delta".to_owned(),
            [only] => only.clone(),
            _ => format!("({})", moves.join(" + ")),
        };
        let joint = if next == 0 { "   " } else { "  +" };
        let _ = writeln!(summands, "{joint} (s == {next}) -> {moves}");
        next += 1;
    }
    Ok(writer.model(&program.name, &summands, &initial))
}

/// Names of actions and constructors.
struct Writer<'p> {
    program: &'p Program,
    /// For each action how many arguments it has.
    actions: BTreeMap<String, usize>,
    /// For each constructor what it is and how many arguments it has.
    constructors: BTreeMap<String, (String, usize)>,
}

impl<'p> Writer<'p> {
    fn new(program: &'p Program) -> Self {
        Writer {
            program,
            actions: BTreeMap::new(),
            constructors: BTreeMap::new(),
        }
    }

    /// What happens in a step.
    fn action(&mut self, label: &Label) -> String {
        let mut all = Vec::new();
        for happening in label {
            let event = &self.program.events[happening.event.index()];
            if event.is_inner() {
                continue;
            }
            let name = &event.name;
            let count = happening.args.len();
            let name = format!("{}_{count}", identifier(name));
            self.actions.insert(name.clone(), count);
            let args: Vec<String> = happening.args.iter().map(|arg| self.term(arg)).collect();
            all.push(applied(&name, &args));
        }
        if all.is_empty() {
            "tau".to_owned()
        } else {
            all.join("|")
        }
    }

    /// A value as a term.
    fn term(&mut self, value: &Value) -> String {
        match value {
            Value::Int(number) => format!("num({number})"),
            Value::Bool(truth) => self.constructor(&truth.to_string(), &[]),
            Value::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.term(part)).collect();
                self.constructor("tuple", &parts)
            }
            Value::Rich(id) => {
                let rich = self.program.rich.clone();
                match &*rich.get(*id) {
                    Rich::Text(text) => self.constructor(&format!("\"{text}\""), &[]),
                    Rich::Term { functor, args } => {
                        let (word, args) = match (&**functor, &**args) {
                            // A number or truth value, and a word with arguments, as themselves.
                            ("value", [inner]) => return self.term(inner),
                            ("apply", [Value::Rich(word), args @ ..]) => match &*rich.get(*word) {
                                Rich::Text(word) => (word.to_string(), args),
                                _ => (functor.to_string(), args),
                            },
                            (functor, args) => (functor.to_owned(), args),
                        };
                        let args: Vec<String> = args.iter().map(|arg| self.term(arg)).collect();
                        self.constructor(&word, &args)
                    }
                    other => self.constructor(&format!("{other:?}"), &[]),
                }
            }
            other => self.constructor(&format!("{other:?}"), &[]),
        }
    }

    /// A constructor with arguments; what is written alike has numbers.
    fn constructor(&mut self, what: &str, args: &[String]) -> String {
        let base = match args.len() {
            0 => format!("c_{}", identifier(what)),
            count => format!("c_{}_{count}", identifier(what)),
        };
        let mut name = base.clone();
        let mut number = 1;
        while let Some((known, count)) = self.constructors.get(&name) {
            if known == what && *count == args.len() {
                break;
            }
            number += 1;
            name = format!("{base}'{number}");
        }
        let entry = (what.to_owned(), args.len());
        self.constructors.entry(name.clone()).or_insert(entry);
        applied(&name, args)
    }

    fn model(&self, title: &str, summands: &str, initial: &[usize]) -> String {
        let mut text = format!(
            "% The state graph of {}.\n",
            title.replace(['\n', '\r'], " ")
        );
        let constructors = self
            .constructors
            .iter()
            .map(|(name, (_, count))| applied(name, &vec!["Term".to_owned(); *count]));
        let all: Vec<String> = std::iter::once("num(Int)".to_owned())
            .chain(constructors)
            .collect();
        let _ = writeln!(text, "sort Term = struct\n    {};", all.join("\n  | "));
        if !self.actions.is_empty() {
            text.push_str("act\n");
            for (name, count) in &self.actions {
                let sorts = vec!["Term"; *count].join(" # ");
                let colon = if *count == 0 { "" } else { ": " };
                let _ = writeln!(text, "    {name}{colon}{sorts};");
            }
        }
        let _ = writeln!(text, "proc S(s: Nat) =\n{};", summands.trim_end());
        let initial: Vec<String> = initial.iter().map(|state| format!("S({state})")).collect();
        let _ = writeln!(text, "init {};", initial.join(" + "));
        text
    }
}

fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() {
        name.to_owned()
    } else {
        format!("{name}({})", args.join(", "))
    }
}

/// A name of letters, digits and underscores.
fn identifier(text: &str) -> String {
    let text = text.trim_matches('"');
    let name: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() => name,
        _ => format!("x{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Event, Mode, Process, Start, Step, Stmt, Type};
    use source::Span;

    /// A step that says something, and its end.
    fn program() -> Program {
        let mut program = Program::new("say\nit", "t");
        let event = program.add_event(Event {
            name: "snd-note".into(),
            parameters: vec![("what".into(), Type::Rich), ("who".into(), Type::Rich)],
            story: None,
            visibility: model::Visibility::Told,
        });
        let rich = &program.rich;
        let one = rich.term("value", vec![Value::Int(1)]);
        let note = rich.term(
            "apply",
            vec![rich.text("new-item"), rich.text("new_item"), one],
        );
        let who = rich.term("apply", vec![rich.text("new-item")]);
        let args = [note, who].map(|value| program.exprs.value(value, Type::Rich));
        let mut process = Process::new("p");
        let first = process.add_location("first", Mode::Open, Span::NONE);
        let last = process.add_location("last", Mode::Open, Span::NONE);
        let mut step = Step::new(first, last, Span::NONE);
        step.body = vec![Stmt::Emit {
            event,
            args: args.to_vec(),
            span: Span::NONE,
        }];
        process.add_step(step);
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
        program
    }

    #[test]
    fn states_are_summands_and_values_are_terms() {
        let expected = "\
% The state graph of say it.
sort Term = struct
    num(Int)
  | c_new_item
  | c_new_item'2
  | c_new_item_2(Term, Term);
act
    snd_note_2: Term # Term;
proc S(s: Nat) =
    (s == 0) -> snd_note_2(c_new_item_2(c_new_item, num(1)), c_new_item'2) . S(1)
  + (s == 1) -> delta;
init S(0);
";
        assert_eq!(mcrl2(&program(), 10).as_deref(), Ok(expected));
        assert_eq!(mcrl2(&program(), 1), Err(ExploreError::TooMany(1)));
    }
}
