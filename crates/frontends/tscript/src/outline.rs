//! What an editor shows of a script: the names that it defines, where they are used, and the words of the
//! language and of its annotations.

use std::sync::OnceLock;

use language::{Kind, Outline, Word as Known};
use source::{Diagnostics, Preprocessor, SourceMap, Span};

use crate::ast::{Declaration, Process, ProcessKind, Script, Word};
use crate::load::{Dialect, Options, TSCRIPT};
use crate::{annotations, lexer, parser};

/// The words of the language beside its actions: how they are used, and what they mean.
const KEYWORDS: &[(&str, &str, &str)] = &[
    (
        "process",
        "process NAME(PARAMETERS) is PROCESS",
        "A process definition.",
    ),
    (
        "tool",
        "tool NAME is { ... }",
        "A tool: a program beside the bus.",
    ),
    (
        "toolbus",
        "toolbus(CALLS)",
        "The processes that run from the start.",
    ),
    ("is", "process NAME is PROCESS", ""),
    (
        "let",
        "let DECLARATIONS in PROCESS endlet",
        "Variables of a process.",
    ),
    ("in", "let DECLARATIONS in PROCESS endlet", ""),
    ("endlet", "let DECLARATIONS in PROCESS endlet", ""),
    ("if", "if TERM then PROCESS else PROCESS fi", ""),
    ("then", "if TERM then PROCESS fi", ""),
    ("else", "if TERM then PROCESS else PROCESS fi", ""),
    ("fi", "if TERM then PROCESS fi", ""),
    (
        "delay",
        "ACTION delay(T)",
        "The action waits for so many seconds.",
    ),
    (
        "timeout",
        "ACTION timeout(T)",
        "The action is too late after so many seconds.",
    ),
];

/// The words of `%%@` comments.
const PROPERTY_WORDS: &[(&str, &str, &str)] = &[
    (
        "property",
        "property NAME: FORMULA",
        "Something to verify, in the modal mu-calculus.",
    ),
    (
        "bound",
        "bound NAME = V",
        "How many there are of something, such as instances of a tool.",
    ),
    (
        "observer",
        "observer PROCESS",
        "A process that only looks on.",
    ),
];

/// What an action does.
fn action(word: Word) -> &'static str {
    match word {
        Word::SndMsg => "Sends a message to another process; both do it at once.",
        Word::RecMsg => "Receives a message of another process; both do it at once.",
        Word::Subscribe => "Asks for notes of this form.",
        Word::Unsubscribe => "Asks for notes of this form no more.",
        Word::SndNote => "Sends a note to all who have asked for such notes.",
        Word::RecNote => "Takes a note that waits.",
        Word::NoNote => "Can be done while no such note waits.",
        Word::RecConnect => "Waits until a tool connects.",
        Word::RecDisconnect => "Waits until a tool disconnects.",
        Word::Execute => "Starts a tool.",
        Word::SndEval => "Asks a tool for a value, which `rec-value` receives.",
        Word::SndDo => "Tells a tool to do something.",
        Word::RecValue => "Receives the value that a tool was asked for.",
        Word::RecEvent => "Receives an event of a tool, which waits for `snd-ack-event`.",
        Word::SndAckEvent => "Says that an event of a tool has been dealt with.",
        Word::SndCancel => "Cancels what a tool was asked for.",
        Word::SndTerminate => "Tells a tool to end.",
        Word::SndKill => "Ends a tool.",
        Word::Printf => "Prints a text.",
        Word::Read => "Reads a term.",
        Word::Shutdown => "Ends the bus.",
        Word::Tau => "Does nothing that can be seen.",
        Word::Delta => "Can never be done.",
        Word::Create => "Starts a process.",
        Word::Assign => "Gives a variable a value.",
        _ => "",
    }
}

/// The words of the language.
pub(crate) fn words() -> &'static [Known] {
    static ALL: OnceLock<Vec<Known>> = OnceLock::new();
    ALL.get_or_init(|| {
        let is_written = |word: &&Word| word.text().starts_with(|c: char| c.is_ascii_alphabetic());
        let actions = Word::ALL.iter().filter(is_written).map(|word| {
            let signature = match word.arity() {
                (0, 0) => word.text().to_owned(),
                _ => format!("{}(TERMS)", word.text()),
            };
            Known::new(word.text(), Kind::Function, &signature, action(*word))
        });
        actions
            .chain(Known::all_of(KEYWORDS, Kind::Keyword))
            .chain(Known::all_of(PROPERTY_WORDS, Kind::PropertyWord))
            .collect()
    })
}

/// What can be said of a script without making a program of it.
pub(crate) fn outline(name: &str, text: &str, options: &Options<'_>) -> Outline {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let raw = lexer::lex(sources.file(file), &mut Diagnostics::new());
    let mut preprocessor =
        Preprocessor::new(TSCRIPT, options.include, &mut sources, &mut diagnostics);
    for (name, value) in &options.defines {
        preprocessor.define_macro(name, value);
    }
    preprocessor.read(file);
    let tokens = preprocessor.finish(file);
    let tree = parser::parse(tokens, options.dialect == Dialect::Ng, &mut diagnostics);
    let notes = annotations::of_file(&sources, file, &mut diagnostics);
    let mut outline = Outline::of(sources, diagnostics);
    outline.define_macros(&raw);
    script(&mut outline, &tree);
    for property in &notes.properties {
        let signature = format!("property {}: {}", property.name, property.text);
        outline.define(
            Kind::Property,
            (&property.name, property.span),
            None,
            signature,
        );
    }
    outline.mention_names(&raw, None);
    outline
}

fn script(outline: &mut Outline, script: &Script) {
    for tool in &script.tools {
        let signature = format!("tool {}", tool.name);
        outline.define(Kind::Type, (&tool.name, tool.span), None, signature);
    }
    for process in &script.processes {
        let formals: Vec<String> = process
            .formals
            .iter()
            .map(|one| typed(outline, one))
            .collect();
        let signature = format!("process {}({})", process.name, formals.join(", "));
        let scope = process.name_span.to(process.body.span);
        outline.define(
            Kind::Process,
            (&process.name, process.name_span),
            None,
            signature,
        );
        if let Some(last) = outline.definitions.last_mut() {
            last.whole = scope;
        }
        for formal in &process.formals {
            declared(outline, formal, scope, Kind::Parameter);
        }
        variables(outline, &process.body);
    }
}

fn typed(outline: &Outline, declaration: &Declaration) -> String {
    let result = if declaration.result { "?" } else { "" };
    let ty = outline.in_short(declaration.ty.span);
    format!("{} : {ty}{result}", declaration.name)
}

fn declared(outline: &mut Outline, declaration: &Declaration, scope: Span, kind: Kind) {
    let signature = typed(outline, declaration);
    let name = (declaration.name.as_str(), declaration.span);
    outline.define(kind, name, Some(scope), signature);
}

/// The variables that `let` declares in a process.
fn variables(outline: &mut Outline, process: &Process) {
    match &process.kind {
        ProcessKind::Atom(_) | ProcessKind::Call(_) | ProcessKind::Create { .. } => {}
        ProcessKind::Sequence(parts) | ProcessKind::Choice(parts) | ProcessKind::Merge(parts) => {
            for part in parts {
                variables(outline, part);
            }
        }
        ProcessKind::Biased {
            second_best: one,
            best: other,
        }
        | ProcessKind::Iteration(one, other)
        | ProcessKind::Disrupt(one, other) => {
            variables(outline, one);
            variables(outline, other);
        }
        ProcessKind::If(_, then, otherwise) => {
            variables(outline, then);
            if let Some(otherwise) = otherwise {
                variables(outline, otherwise);
            }
        }
        ProcessKind::Let(declarations, body) => {
            for declaration in declarations {
                let scope = declaration.span.to(process.span).to(body.span);
                declared(outline, declaration, scope, Kind::Variable);
            }
            variables(outline, body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "\
%%@ property quiet: [true*] true
tool ui is { command = \"ui\" }
process Ask(N : int) is
  let X : int, U : ui in rec-connect(U?) . rec-msg(ask(N), X?) . snd-do(U, show(X)) endlet
process Tell is snd-msg(ask(1), 2)
toolbus(Ask(1), Tell)
";

    #[test]
    fn names_mean_what_their_process_says() {
        let outline = outline("t.tb", SCRIPT, &Options::default());
        assert_eq!(outline.diagnostics, []);
        let at = |text: &str, nth| {
            let (at, _) = SCRIPT.match_indices(text).nth(nth)?;
            let mut all = outline.mentions.iter();
            let mention = all.find(|mention| mention.span.start as usize == at)?;
            Some(outline.definitions[mention.definition].signature.as_str())
        };
        assert_eq!(at("X))", 0), Some("X : int"));
        assert_eq!(at("N), X", 0), Some("N : int"));
        assert_eq!(at("ui in", 0), Some("tool ui"));
        assert_eq!(at("Ask(1)", 0), Some("process Ask(N : int)"));
        assert_eq!(at("Tell)", 0), Some("process Tell()"));
    }

    #[test]
    fn each_action_says_what_it_does() {
        for word in words().iter().filter(|word| word.kind == Kind::Function) {
            let is_rare = word.name.contains("monitor") || word.name.contains("perf-stats");
            assert_eq!(word.documentation.is_empty(), is_rare, "{}", word.name);
        }
    }
}
