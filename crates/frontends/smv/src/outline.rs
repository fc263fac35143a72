//! What an editor shows of a model: the names that it defines, where they are used, and the words of the
//! language.

use std::sync::OnceLock;

use language::{Kind, Outline, Word};
use source::{Diagnostics, Preprocessor, SourceMap, Span};

use crate::ast::{ExprKind, Item, Module, TypeExpr, TypeKind, VariableSort};
use crate::load::{Options, SMV};
use crate::{lexer, parser};

/// The words of the language: how they are used, and what they mean.
const WORDS: &[(&str, &str, &str)] = &[
    (
        "MODULE",
        "MODULE NAME(PARAMETERS)",
        "A part of a model; `main` is the whole.",
    ),
    ("VAR", "VAR NAME : TYPE;", "Variables of the state."),
    (
        "IVAR",
        "IVAR NAME : TYPE;",
        "Inputs: they are chosen anew in each step.",
    ),
    (
        "FROZENVAR",
        "FROZENVAR NAME : TYPE;",
        "Variables that keep their first value.",
    ),
    (
        "DEFINE",
        "DEFINE NAME := EXPRESSION;",
        "A name for an expression.",
    ),
    ("CONSTANTS", "CONSTANTS NAMES;", "Names that are values."),
    (
        "ASSIGN",
        "ASSIGN init(NAME) := EXPRESSION; next(NAME) := EXPRESSION;",
        "What variables are at first and next.",
    ),
    ("INIT", "INIT CONDITION", "What is true at first."),
    ("INVAR", "INVAR CONDITION", "What is true in every state."),
    (
        "TRANS",
        "TRANS CONDITION",
        "What is true of every step; `next(x)` is the value behind it.",
    ),
    ("FAIRNESS", "FAIRNESS CONDITION", "The same as `JUSTICE`."),
    (
        "JUSTICE",
        "JUSTICE CONDITION",
        "Only runs count in which it is true again and again.",
    ),
    (
        "COMPASSION",
        "COMPASSION(P, Q)",
        "Only runs count in which Q is true again and again if P is.",
    ),
    ("ISA", "ISA MODULE", "All that another module consists of."),
    ("SPEC", "SPEC FORMULA", "The same as `CTLSPEC`."),
    (
        "CTLSPEC",
        "CTLSPEC NAME NAME := FORMULA",
        "A property of branching time (CTL).",
    ),
    (
        "LTLSPEC",
        "LTLSPEC NAME NAME := FORMULA",
        "A property of linear time (LTL), of past and future.",
    ),
    (
        "INVARSPEC",
        "INVARSPEC NAME NAME := CONDITION",
        "A property: it is true in every state that is reached.",
    ),
    ("PSLSPEC", "PSLSPEC FORMULA", "A property in PSL."),
    (
        "COMPUTE",
        "COMPUTE MIN [P, Q]",
        "The least or greatest number of steps from P to Q.",
    ),
    ("NAME", "NAME NAME := FORMULA", "The name of a property."),
    ("boolean", "boolean", "`FALSE` or `TRUE`."),
    ("word", "unsigned word [BITS]", "So many bits."),
    ("signed", "signed word [BITS]", ""),
    ("unsigned", "unsigned word [BITS]", ""),
    ("array", "array FIRST .. LAST of TYPE", ""),
    (
        "process",
        "process MODULE(ARGUMENTS)",
        "An instance that moves when it is chosen.",
    ),
    ("self", "self", "The instance itself."),
    ("init", "init(NAME) := EXPRESSION", "The first value."),
    ("next", "next(NAME)", "The value in the next state."),
    (
        "case",
        "case CONDITION : VALUE; ... esac",
        "The value of the first condition that is true.",
    ),
    ("esac", "case ... esac", ""),
    ("union", "SET union SET", ""),
    ("in", "VALUE in SET", ""),
    ("mod", "A mod B", "The remainder."),
    ("xor", "A xor B", ""),
    ("xnor", "A xnor B", ""),
    ("TRUE", "TRUE", ""),
    ("FALSE", "FALSE", ""),
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
    let mut preprocessor = Preprocessor::new(SMV, options.include, &mut sources, &mut diagnostics);
    for (name, value) in &options.defines {
        preprocessor.define_macro(name, value);
    }
    preprocessor.read(file);
    let tokens = preprocessor.finish(file);
    let modules = parser::parse(tokens, &mut diagnostics);
    let end = sources.file(file).span().end_point();
    let mut outline = Outline::of(sources, diagnostics);
    outline.define_macros(&raw);
    for (index, module) in modules.iter().enumerate() {
        // A module reaches to the next one in the same file.
        let begin = module.name.span;
        let next = modules.get(index + 1).map(|next| next.name.span);
        let next = next.filter(|next| next.file == begin.file && next.start > begin.start);
        let scope = begin.to(next.map_or(end, Span::start_point));
        module_names(&mut outline, module, scope);
    }
    outline.mention_names(&raw, Some("."));
    outline
}

fn module_names(outline: &mut Outline, module: &Module, scope: Span) {
    let name = &module.name;
    let parameters: Vec<&str> = module.parameters.iter().map(|one| &*one.name).collect();
    let signature = format!("MODULE {}({})", name.name, parameters.join(", "));
    outline.define(Kind::Process, (&name.name, name.span), None, signature);
    for parameter in &module.parameters {
        let signature = format!("{} (parameter)", parameter.name);
        let name = (&*parameter.name, parameter.span);
        outline.define(Kind::Parameter, name, Some(scope), signature);
    }
    for item in &module.items {
        match item {
            Item::Variable(sort, name, ty) => {
                let word = match sort {
                    VariableSort::State => "VAR",
                    VariableSort::Input => "IVAR",
                    VariableSort::Frozen => "FROZENVAR",
                };
                let signature = format!("{word} {} : {}", name.name, outline.in_short(ty.span));
                outline.define(
                    Kind::Variable,
                    (&name.name, name.span),
                    Some(scope),
                    signature,
                );
                members(outline, ty);
            }
            Item::Define(name, value) => {
                let value = outline.in_short(value.span);
                let signature = format!("DEFINE {} := {value}", name.name);
                outline.define(
                    Kind::Constant,
                    (&name.name, name.span),
                    Some(scope),
                    signature,
                );
            }
            Item::Constant(name) => {
                let signature = format!("CONSTANTS {}", name.name);
                outline.define(Kind::Constant, (&name.name, name.span), None, signature);
            }
            Item::Spec(spec) => {
                if let Some(name) = &spec.name {
                    let signature = outline.in_short(spec.span);
                    outline.define(Kind::Property, (&name.name, name.span), None, signature);
                }
            }
            _ => {}
        }
    }
}

/// The values of an enumeration; the same name in two of them is the same value.
fn members(outline: &mut Outline, ty: &TypeExpr) {
    match &ty.kind {
        TypeKind::Enumeration(values) => {
            for value in values {
                if let ExprKind::Name(name) = &value.kind
                    && !outline.definitions.iter().any(|known| known.name == **name)
                {
                    let signature = format!("{name}, one of {}", outline.in_short(ty.span));
                    outline.define(Kind::Constant, (name, value.span), None, signature);
                }
            }
        }
        TypeKind::Array(_, _, inner) | TypeKind::WordArray(_, inner) => members(outline, inner),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "\
MODULE cell(up)
VAR n : 0..3; s : {idle, busy};
ASSIGN next(n) := up ? n : 0; next(s) := busy;
MODULE main
VAR n : boolean; c : cell(n);
DEFINE full := c.s = busy & n;
LTLSPEC NAME ends := F full
";

    #[test]
    fn names_mean_what_their_module_says() {
        let outline = outline("t.smv", MODEL, &Options::default());
        assert_eq!(outline.diagnostics, []);
        let at = |text: &str, nth| {
            let (at, _) = MODEL.match_indices(text).nth(nth)?;
            let mut all = outline.mentions.iter();
            let mention = all.find(|mention| mention.span.start as usize == at)?;
            Some(outline.definitions[mention.definition].signature.as_str())
        };
        assert_eq!(at("n : 0;", 0), Some("VAR n : 0..3"));
        assert_eq!(at("n);\n", 0), Some("VAR n : boolean"));
        assert_eq!(at("up ?", 0), Some("up (parameter)"));
        assert_eq!(at("cell(n)", 0), Some("MODULE cell(up)"));
        assert_eq!(at("s = busy", 0), Some("VAR s : {idle, busy}"));
        assert_eq!(at("busy &", 0), Some("busy, one of {idle, busy}"));
        assert_eq!(at("full\n", 0), Some("DEFINE full := c.s = busy & n"));
    }

    #[test]
    fn each_word_stands_once() {
        let mut names: Vec<&str> = words().iter().map(|word| word.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), WORDS.len());
    }
}
