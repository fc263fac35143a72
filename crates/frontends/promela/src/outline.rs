//! What an editor shows of a model: the names that it defines, where they are used, and the words of the
//! language.

use std::sync::OnceLock;

use language::{Kind, Outline, Word};
use source::{Diagnostics, SourceMap, Span, Token, TokenKind};

use crate::ast::{
    Declaration, Init, Item, Model, Process, Sequence, Statement, StatementKind, TypeName, Unit,
};
use crate::load::Options;
use crate::{lexer, parser, preprocess};

/// The words of the language: how they are used, and what they mean.
const WORDS: &[(&str, &str, &str)] = &[
    (
        "proctype",
        "proctype NAME(PARAMETERS) { ... }",
        "A type of processes.",
    ),
    (
        "active",
        "active [N] proctype NAME() { ... }",
        "Instances of it run from the start.",
    ),
    (
        "init",
        "init { ... }",
        "A process that runs from the start.",
    ),
    ("never", "never { ... }", "A claim: what must not happen."),
    (
        "ltl",
        "ltl NAME { FORMULA }",
        "A property of linear time: it holds in every run.",
    ),
    (
        "trace",
        "trace { ... }",
        "The only order in which messages may be sent and received.",
    ),
    (
        "notrace",
        "notrace { ... }",
        "An order of messages that must not be.",
    ),
    ("typedef", "typedef NAME { FIELDS }", "A type of records."),
    ("mtype", "mtype = { NAMES }", "Names for messages."),
    (
        "inline",
        "inline NAME(PARAMETERS) { ... }",
        "A text that stands where it is named.",
    ),
    (
        "chan",
        "chan NAME = [CAPACITY] of { TYPES }",
        "A channel; with capacity 0 sender and receiver meet.",
    ),
    ("bit", "bit", "0 or 1."),
    ("bool", "bool", "`false` or `true`."),
    ("byte", "byte", "0 to 255."),
    ("pid", "pid", "The number of a process: 0 to 255."),
    ("short", "short", "16 bits with a sign."),
    ("int", "int", "32 bits with a sign."),
    (
        "unsigned",
        "unsigned NAME : BITS",
        "So many bits without a sign.",
    ),
    (
        "hidden",
        "hidden TYPE NAME",
        "A variable that is no part of the state.",
    ),
    (
        "if",
        "if :: GUARD -> ... fi",
        "Goes on with one of the options that can be taken, and waits if none can.",
    ),
    (
        "do",
        "do :: GUARD -> ... od",
        "The same again and again, up to a `break`.",
    ),
    (
        "else",
        ":: else -> ...",
        "Can be taken if no other option can.",
    ),
    ("break", "break", "Goes on behind the `do`."),
    ("goto", "goto LABEL", ""),
    ("skip", "skip", "Does nothing, and can always be done."),
    (
        "assert",
        "assert(CONDITION)",
        "Fails if the condition is false there.",
    ),
    (
        "atomic",
        "atomic { ... }",
        "Nobody else does anything in between, unless it waits.",
    ),
    (
        "d_step",
        "d_step { ... }",
        "One step; it must not wait within.",
    ),
    ("for", "for (NAME : FIRST .. LAST) { ... }", ""),
    (
        "select",
        "select (NAME : FIRST .. LAST)",
        "Any value of the range.",
    ),
    (
        "unless",
        "{ ... } unless { ... }",
        "Leaves the first as soon as the second can begin.",
    ),
    (
        "run",
        "run NAME(ARGUMENTS)",
        "Starts an instance, and gives its number.",
    ),
    ("timeout", "timeout", "True if nothing else can happen."),
    ("len", "len(CHANNEL)", "How many messages a channel holds."),
    ("full", "full(CHANNEL)", ""),
    ("empty", "empty(CHANNEL)", ""),
    ("nfull", "nfull(CHANNEL)", ""),
    ("nempty", "nempty(CHANNEL)", ""),
    (
        "eval",
        "eval(EXPRESSION)",
        "In a receive: the field has to have this value.",
    ),
    (
        "enabled",
        "enabled(PID)",
        "Whether the process can do something.",
    ),
    (
        "provided",
        "proctype NAME() provided (CONDITION) { ... }",
        "It does something only while the condition is true.",
    ),
    ("priority", "priority N", ""),
    ("printf", "printf(TEXT, ARGUMENTS)", ""),
    ("true", "true", "1"),
    ("false", "false", "0"),
    ("_pid", "_pid", "The number of the process itself."),
    ("_nr_pr", "_nr_pr", "How many processes there are."),
    (
        "_last",
        "_last",
        "The number of the process that did the last step.",
    ),
    (
        "always",
        "always FORMULA",
        "In `ltl`: now and from now on, as `[]`.",
    ),
    (
        "eventually",
        "eventually FORMULA",
        "In `ltl`: now or later, as `<>`.",
    ),
    ("until", "FORMULA until FORMULA", "In `ltl`, as `U`."),
    (
        "weakuntil",
        "FORMULA weakuntil FORMULA",
        "In `ltl`, as `W`.",
    ),
    ("release", "FORMULA release FORMULA", "In `ltl`, as `V`."),
    ("implies", "FORMULA implies FORMULA", "In `ltl`, as `->`."),
];

/// The words of the language.
pub(crate) fn words() -> &'static [Word] {
    static ALL: OnceLock<Vec<Word>> = OnceLock::new();
    ALL.get_or_init(|| Word::all_of(WORDS, Kind::Keyword).collect())
}

/// What can be said of a model without making a program of it.
pub(crate) fn outline(name: &str, text: &str, options: &Options<'_>) -> Outline {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let raw = lexer::lex(sources.file(file), &mut Diagnostics::new());
    let tokens = preprocess::preprocess(
        &[file],
        &[],
        &options.defines,
        options.include,
        &mut sources,
        &mut diagnostics,
    );
    let tree = parser::parse(tokens, options.ignore_c, &mut diagnostics);
    let mut outline = Outline::of(sources, diagnostics);
    outline.define_macros(&raw);
    inlines(&mut outline, &raw);
    model(&mut outline, &tree);
    outline.mention_names(&raw, Some("."));
    outline
}

/// Inline definitions are gone from the tree.
fn inlines(outline: &mut Outline, raw: &[Token]) {
    for two in raw.windows(2) {
        if let [word, name] = two
            && word.is_word("inline")
            && name.kind == TokenKind::Name
        {
            let signature = format!("inline {}", name.text);
            outline.define(Kind::Function, (&name.text, name.span), None, signature);
        }
    }
}

fn model(outline: &mut Outline, model: &Model) {
    for unit in &model.units {
        match unit {
            Unit::Declaration(declaration) => declared(outline, declaration, None, Kind::Variable),
            Unit::Mtype(kind, names) => {
                let kind = kind
                    .as_ref()
                    .map_or(String::new(), |kind| format!(":{}", kind.name));
                for name in names {
                    let signature = format!("mtype{kind} = {}", name.name);
                    outline.define(Kind::Constant, (&name.name, name.span), None, signature);
                }
            }
            Unit::Typedef(name, fields) => {
                let signature = format!("typedef {}", name.name);
                outline.define(Kind::Type, (&name.name, name.span), None, signature);
                for field in fields {
                    declared(outline, field, None, Kind::Field);
                }
            }
            Unit::Process(process) => process_type(outline, process),
            Unit::Never(claim) => sequence(outline, &claim.body, claim.body.span),
            Unit::Trace { claim, .. } => sequence(outline, &claim.body, claim.body.span),
            Unit::Ltl {
                name: Some(name),
                span,
                ..
            } => {
                let signature = outline.in_short(*span);
                outline.define(Kind::Property, (&name.name, name.span), None, signature);
            }
            Unit::Ltl { name: None, .. } => {}
        }
    }
}

fn process_type(outline: &mut Outline, process: &Process) {
    let scope = process.name.span.to(process.body.span);
    if !process.init {
        let parameters: Vec<String> = process
            .parameters
            .iter()
            .map(|one| {
                let names: Vec<&str> = one.variables.iter().map(|own| &*own.name.name).collect();
                format!("{} {}", type_text(&one.ty), names.join(", "))
            })
            .collect();
        let name = &process.name;
        let signature = format!("proctype {}({})", name.name, parameters.join("; "));
        outline.define(Kind::Process, (&name.name, name.span), None, signature);
        if let Some(last) = outline.definitions.last_mut() {
            last.whole = scope;
        }
    }
    for parameter in &process.parameters {
        declared(outline, parameter, Some(scope), Kind::Parameter);
    }
    sequence(outline, &process.body, scope);
}

/// The variables and labels of a sequence; labels are known in all of the process.
fn sequence(outline: &mut Outline, body: &Sequence, process: Span) {
    for item in &body.items {
        match item {
            Item::Declaration(declaration) => {
                let block = body.span.contains(process) || body.span.is_none();
                let scope = if block { process } else { body.span };
                declared(outline, declaration, Some(scope), Kind::Variable);
            }
            Item::Statement(one) => statement(outline, one, process),
        }
    }
}

fn statement(outline: &mut Outline, statement_: &Statement, process: Span) {
    match &statement_.kind {
        StatementKind::If(options) | StatementKind::Do(options) => {
            for option in options {
                sequence(outline, option, process);
            }
        }
        StatementKind::ForRange(_, _, _, body)
        | StatementKind::ForIn(_, _, body)
        | StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::Call(body) => sequence(outline, body, process),
        StatementKind::Unless(main, escape) => {
            statement(outline, main, process);
            statement(outline, escape, process);
        }
        StatementKind::Labelled(label, inner) => {
            let signature = format!("{}:", label.name);
            outline.define(
                Kind::Label,
                (&label.name, label.span),
                Some(process),
                signature,
            );
            if let Some(inner) = inner {
                statement(outline, inner, process);
            }
        }
        _ => {}
    }
}

fn declared(outline: &mut Outline, declaration: &Declaration, scope: Option<Span>, kind: Kind) {
    for variable in &declaration.variables {
        let name = &variable.name;
        let hidden = if declaration.hidden { "hidden " } else { "" };
        let mut signature = format!("{hidden}{} {}", type_text(&declaration.ty), name.name);
        if let Some(width) = &variable.width {
            signature.push_str(&format!(" : {}", outline.in_short(width.span)));
        }
        if let Some(length) = &variable.length {
            signature.push_str(&format!("[{}]", outline.in_short(length.span)));
        }
        if let Some(Init::Channel { span, .. }) = &variable.init {
            signature.push_str(&format!(" = {}", outline.in_short(*span)));
        }
        outline.define(kind, (&name.name, name.span), scope, signature);
    }
}

fn type_text(ty: &TypeName) -> String {
    match ty {
        TypeName::Bit => "bit".to_owned(),
        TypeName::Byte => "byte".to_owned(),
        TypeName::Pid => "pid".to_owned(),
        TypeName::Short => "short".to_owned(),
        TypeName::Int => "int".to_owned(),
        TypeName::Unsigned => "unsigned".to_owned(),
        TypeName::Mtype(None) => "mtype".to_owned(),
        TypeName::Mtype(Some(kind)) => format!("mtype:{}", kind.name),
        TypeName::Chan => "chan".to_owned(),
        TypeName::User(name) => name.name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "\
#define N 2
mtype = { ping, pong };
typedef Pair { byte left; byte right };
byte n;
chan q = [N] of { mtype };
inline twice(x) { x = 2 * x }
active proctype P(byte k) {
  byte n; Pair p;
again: n = k; twice(n); p.left = n; q ! ping; goto again
}
init { n = 1; run P(N) }
ltl stays { [] (n < N) }
";

    /// What the name at the `nth` place where a text stands means.
    fn meant(outline: &Outline, text: &str, nth: usize) -> Option<String> {
        let (at, _) = MODEL.match_indices(text).nth(nth)?;
        let mut all = outline.mentions.iter();
        let mention = all.find(|mention| mention.span.start as usize == at)?;
        Some(outline.definitions[mention.definition].signature.clone())
    }

    #[test]
    fn names_mean_what_is_nearest() {
        let outline = outline("t.pml", MODEL, &Options::default());
        assert_eq!(outline.diagnostics, []);
        let at = |text, nth| meant(&outline, text, nth);
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(at("n = k", 0), is("byte n"));
        assert_eq!(at("k; twice", 0), is("byte k"));
        assert_eq!(at("twice(n)", 0), is("inline twice"));
        assert_eq!(at("left = n", 0), is("byte left"));
        assert_eq!(at("ping; goto", 0), is("mtype = ping"));
        assert_eq!(at("again\n}", 0), is("again:"));
        assert_eq!(at("P(N)", 0), is("proctype P(byte k)"));
        assert_eq!(at("N)", 0), is("#define N 2"));
        assert_eq!(at("q ! ping", 0), is("chan q = [N] of { mtype }"));
        let lines = |text: &str, nth| {
            let (at, _) = MODEL.match_indices(text).nth(nth)?;
            let mut all = outline.mentions.iter();
            let mention = all.find(|mention| mention.span.start as usize == at)?;
            let definition = outline.definitions[mention.definition].span.start as usize;
            Some(MODEL[..definition].matches('\n').count() + 1)
        };
        assert_eq!(lines("n = k", 0), Some(8), "the local variable");
        assert_eq!(lines("n = 1", 0), Some(4), "the global one");
        assert_eq!(lines("n < N", 0), Some(4));
    }

    #[test]
    fn each_word_stands_once() {
        let mut names: Vec<&str> = words().iter().map(|word| word.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), WORDS.len());
    }
}
