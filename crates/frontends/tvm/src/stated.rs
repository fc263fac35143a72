//! Properties of runs that never end: formulas of linear time in comments and on the command line, and
//! automata in BUC files.
//!
//! In the model, `//@ property NAME: FORMULA;` states one. Its atoms are formulas of TVM without free
//! variables, in braces where they have operators of logic; a predicate of none may stand without its
//! parentheses.

use logic::{Buchi, BuchiState, Cube, Edge, Ltl, ParseError, parse};
use source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::codes;
use crate::lex;
use crate::parse::{Parser, Result};
use crate::tree::{Declaration, Formula, Linear, Name, Stated};

/// The properties that comments of a file state.
pub(crate) fn in_comments(
    file: FileId,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Stated> {
    let text = sources.file(file).text();
    let mut found = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset + line.len() - line.trim_start().len();
        offset += line.len();
        let Some(directive) = line.trim().strip_prefix("//@") else {
            continue;
        };
        let span = span(file, start, line.trim().len());
        let stated = directive
            .trim()
            .strip_prefix("property")
            .filter(|rest| rest.starts_with(char::is_whitespace))
            .and_then(|rest| rest.trim().strip_suffix(';'));
        let Some((name, formula)) = stated.and_then(|stated| stated.split_once(':')) else {
            let message = "a directive is `//@ property NAME: FORMULA;`, on one line";
            diagnostics.push(Diagnostic::error(codes::PROPERTY, message).at(span));
            continue;
        };
        found.extend(property(name.trim(), formula.trim(), span, diagnostics));
    }
    found
}

/// A property of the command line: a formula, or a name, a colon and a formula.
pub(crate) fn given(
    text: &str,
    number: usize,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Stated> {
    let id = sources.add("--property", text);
    let span = span(id, 0, text.len());
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let named = text
        .split_once(':')
        .filter(|(name, _)| is_name(name.trim()));
    match named {
        Some((name, formula)) => property(name.trim(), formula.trim(), span, diagnostics),
        None => property(&format!("property{number}"), text.trim(), span, diagnostics),
    }
}

fn span(file: FileId, start: usize, length: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).expect("a text is shorter than 4 GiB");
    Span {
        file,
        start: offset(start),
        end: offset(start + length),
    }
}

fn property(name: &str, text: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Stated> {
    match parse(text, |atom, _| formula(atom, span)) {
        Ok(formula) => Some(Stated {
            name: name.to_owned(),
            text: text.to_owned(),
            span,
            linear: Linear::Formula(formula),
        }),
        Err(ParseError::Syntax { error, .. }) => {
            let message = format!("this is no property: {error}");
            let error = Diagnostic::error(codes::PROPERTY, message).at(span);
            diagnostics.push(error.help(
                "write a formula of linear time, as `always (waiting -> eventually served)`, with \
                 formulas of TVM in braces as atoms",
            ));
            None
        }
        Err(ParseError::Atom { error, .. }) => {
            diagnostics.push(*error);
            None
        }
    }
}

/// A formula of TVM that is an atom.
fn formula(text: &str, span: Span) -> std::result::Result<Formula, Box<Diagnostic>> {
    let text = text.trim();
    let inner = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    let text = inner.unwrap_or(text);
    let mut sources = SourceMap::new();
    let id = sources.add("atom", text);
    let mut found = Diagnostics::new();
    let tokens = lex::tokens(sources.file(id), &mut found);
    let mut parser = Parser::new(tokens);
    let name = parser.tokens.peek(0).clone();
    let alone = parser.tokens.peek(1).kind == source::TokenKind::End;
    let read = if alone && name.kind == source::TokenKind::Name {
        let base = name.text.to_string();
        let indices = Vec::new();
        Ok(Formula::Holds(
            Name {
                base,
                indices,
                span,
            },
            Vec::new(),
        ))
    } else {
        parser.formula()
    };
    let complete = alone || parser.tokens.at_end();
    match read {
        Ok(mut formula) if complete && !found.has_errors() => {
            formula.stands_at(span);
            Ok(formula)
        }
        _ => {
            let first = parser.diagnostics.iter().next();
            let why = first.map(|first| first.message.clone());
            let why = why.unwrap_or_else(|| "it is no formula".to_owned());
            let message = format!("`{text}`: {why}");
            Err(Box::new(
                Diagnostic::error(codes::PROPERTY, message).at(span),
            ))
        }
    }
}

impl Parser {
    /// A BUC file: definitions, and automata that accept what must not be.
    pub(crate) fn automata(&mut self) -> (Vec<Declaration>, Vec<Stated>) {
        let mut all = Vec::new();
        let declarations = self.automata_into(&mut all);
        (declarations.unwrap_or_default(), all)
    }

    fn automata_into(&mut self, all: &mut Vec<Stated>) -> Result<Vec<Declaration>> {
        let declarations = self.declarations()?;
        self.expect("%%")?;
        while self.tokens.at_word("%buchi") {
            let automaton = self.automaton()?;
            all.push(automaton);
        }
        self.end()?;
        Ok(declarations)
    }

    fn automaton(&mut self) -> Result<Stated> {
        let span = self.tokens.peek(0).span;
        self.keyword("%buchi")?;
        let name = self.word()?;
        let span = self.tokens.since(span);
        self.expect("{")?;
        self.expect("->")?;
        let mut states = Vec::new();
        let initial = self.state(&mut states)?;
        let mut atoms: Vec<Formula> = Vec::new();
        let mut edges = Vec::new();
        while !self.tokens.accept("}") {
            let from = self.state(&mut states)?;
            let label = self.name()?;
            let atom = Formula::Holds(label, Vec::new());
            let same = |known: &Formula| match (known, &atom) {
                (Formula::Holds(a, _), Formula::Holds(b, _)) => {
                    (&a.base, &a.indices) == (&b.base, &b.indices)
                }
                _ => false,
            };
            let index = atoms.iter().position(same).unwrap_or_else(|| {
                atoms.push(atom.clone());
                atoms.len() - 1
            });
            if index >= Cube::MAX_ATOMS {
                self.error("an automaton has at most 64 labels");
                return Err(());
            }
            let to = self.state(&mut states)?;
            edges.push((from, index, to));
        }
        let mut automaton = Buchi {
            atoms,
            initial: BuchiState(initial),
            edges: vec![Vec::new(); states.len()],
        };
        // A run passes an accepting state again and again if it leaves it again and again.
        for (from, index, to) in edges {
            automaton.edges[from as usize].push(Edge {
                label: Cube::literal(index, true),
                target: BuchiState(to),
                accepting: states[from as usize].1,
            });
        }
        Ok(Stated {
            text: format!("no run is accepted by the automaton {name}"),
            name,
            span,
            linear: Linear::Automaton(automaton),
        })
    }

    /// The number of a state; in parentheses it is accepting.
    fn state(&mut self, states: &mut Vec<(String, bool)>) -> Result<u32> {
        let accepting = self.tokens.accept("(");
        let name = self.word()?;
        if accepting {
            self.expect(")")?;
        }
        let at = states.iter().position(|(known, _)| *known == name);
        let at = at.unwrap_or_else(|| {
            states.push((name, false));
            states.len() - 1
        });
        states[at].1 |= accepting;
        Ok(u32::try_from(at).expect("a file has fewer states"))
    }
}

/// What a formula of linear time says must not be, as an automaton.
pub(crate) fn refutation(
    formula: &Ltl<model::predicates::Formula>,
) -> std::result::Result<Buchi<model::predicates::Formula>, logic::TranslateError> {
    logic::translate(&Ltl::not(formula.clone()))
}
