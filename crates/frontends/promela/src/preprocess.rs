//! The preprocessor, as Promela has it: [`source::Preprocessor`] with Promela's tokens.

use source::{
    Diagnostic, Diagnostics, Dialect, FileId, Include, Preprocessor, SourceMap, Span, Token,
    TokenKind,
};

use crate::codes::syntax as code;
use crate::lexer;

const PROMELA: Dialect = Dialect {
    lex: lexer::lex,
    directive: code::DIRECTIVE,
    include: code::INCLUDE,
    macros: code::MACRO,
};

/// Reads files one behind the other, and all that they include; the last token is
/// [`TokenKind::End`].
///
/// Each of `formulas` becomes an `ltl` block behind it, in which the file's macros are known.
pub fn preprocess(
    files: &[FileId],
    formulas: &[FileId],
    defines: &[(String, String)],
    include: Include<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut preprocessor = Preprocessor::new(PROMELA, include, sources, diagnostics);
    for (name, value) in defines {
        preprocessor.define_macro(name, value);
    }
    for &file in files {
        preprocessor.read(file);
    }
    for &formula in formulas {
        append_formula(&mut preprocessor, formula);
    }
    preprocessor.finish(files[0])
}

fn append_formula(preprocessor: &mut Preprocessor<'_, '_>, file: FileId) {
    let whole = preprocessor.sources().file(file).span();
    let word = |kind, text: &str, span: Span| Token {
        kind,
        text: text.into(),
        span,
        spaced: true,
        first_on_line: kind == TokenKind::Name,
        expansion: None,
        place: None,
    };
    let tokens = preprocessor.tokens_of(file);
    if let Some(brace) = tokens.iter().find(|t| t.is("{") || t.is("}")) {
        let message = "a formula has no braces";
        preprocessor.report(Diagnostic::error(code::UNEXPECTED, message).at(brace.span));
        return;
    }
    preprocessor.push(word(TokenKind::Name, "ltl", whole.start_point()));
    preprocessor.push(word(TokenKind::Punct, "{", whole.start_point()));
    preprocessor.push_expanded(tokens);
    preprocessor.push(word(TokenKind::Punct, "}", whole.end_point()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, defines: &[(&str, &str)]) -> (String, Vec<String>) {
        let mut sources = SourceMap::new();
        let file = sources.add("t.pml", text);
        let mut diagnostics = Diagnostics::new();
        let defines: Vec<(String, String)> = defines
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        let include = |name: &str| match name {
            "one.h" => Some("#define ONE 1\nbyte one;\n".to_owned()),
            "self.h" => Some("#include \"self.h\"\n".to_owned()),
            "twice.h" => Some("#include \"twice.h\"\n#include \"twice.h\"\n".to_owned()),
            _ => None,
        };
        let tokens = preprocess(
            &[file],
            &[],
            &defines,
            &include,
            &mut sources,
            &mut diagnostics,
        );
        let words: Vec<&str> = tokens.iter().map(|t| &*t.text).collect();
        (
            words.join(" ").trim_end().to_owned(),
            diagnostics.iter().map(|d| d.message.clone()).collect(),
        )
    }

    #[test]
    fn macros_expand_with_arguments_and_not_within_themselves() {
        let text = "#define max(a, b) ((a) > (b) -> a : b)\n#define N 3\nx = max(N, f(y, z));\n\
                    #define f f + g\nf; max\n#define e()\ne() #define";
        let (words, errors) = run(text, &[]);
        assert_eq!(
            words,
            "x = ( ( 3 ) > ( f ( y , z ) ) -> 3 : f ( y , z ) ) ; f + g ; max # define"
        );
        assert_eq!(errors, Vec::<String>::new());
    }

    #[test]
    fn pasting_and_quoting() {
        let text = "#define both(a, b) a ## b\n#define show(a) printf(#a)\nboth(x, 1) both(<, <) show(x > \"y\")";
        let (words, _) = run(text, &[]);
        assert_eq!(words, "x1 << printf ( \"x > \\\"y\\\"\" )");
    }

    #[test]
    fn conditions_choose_text() {
        let text = "#ifndef N\n#define N 2\n#endif\n#if N > 1 && defined(N) && !defined M\na\n\
                    #elif 1\nb\n#else\nc\n#endif\n#if 0\n#if 1\nd\n#endif\n#else\ne\n#endif";
        assert_eq!(run(text, &[]), ("a e".to_owned(), vec![]));
        assert_eq!(run(text, &[("N", "0")]), ("b e".to_owned(), vec![]));
        assert_eq!(run(text, &[("M", "")]), ("b e".to_owned(), vec![]));
    }

    #[test]
    fn files_are_included_but_not_for_ever() {
        let (words, errors) = run("#include \"one.h\"\nx = ONE\n#include \"self.h\"\n", &[]);
        assert_eq!(words, "byte one ; x = 1");
        assert_eq!(errors.len(), 1);
        assert_eq!(run("#include \"none.h\"", &[]).1.len(), 1);
        assert_eq!(run("#include \"twice.h\"", &[]).1.len(), 1);
    }

    #[test]
    fn places_have_names_and_numbers() {
        let (words, errors) = run("#define HERE __LINE__\nx = __LINE__;\nHERE __FILE__", &[]);
        assert_eq!((words.as_str(), errors.len()), ("x = 2 ; 3 \"t.pml\"", 0));
    }

    #[test]
    fn bad_directives_are_reported() {
        for text in [
            "#if\n#endif",
            "#if 1 +\n#endif",
            "#if 1 / 0\n#endif",
            "#endif",
            "#else",
            "#if 1",
            "#define",
            "#define f(a",
            "#bogus",
            "#error no",
            "#define f(a) a\nf(1, 2)",
            "#define f(a) a\nf(1",
        ] {
            assert_eq!(run(text, &[]).1.len(), 1, "{text}");
        }
    }

    #[test]
    fn explosive_macros_are_stopped() {
        let mut text = String::from("#define a0 x x x x x x x x x x\n");
        for n in 1..12 {
            let before = format!("a{} ", n - 1);
            text += &format!("#define a{n} {}\n", before.repeat(10));
        }
        text += "a11";
        let (_, errors) = run(&text, &[]);
        assert_eq!(errors.len(), 1, "{errors:?}");
    }

    #[test]
    fn expanded_tokens_are_where_the_macro_is_used() {
        let mut sources = SourceMap::new();
        let file = sources.add("t.pml", "#define N 3\nx = N;");
        let tokens = preprocess(
            &[file],
            &[],
            &[],
            &|_| None,
            &mut sources,
            &mut Diagnostics::new(),
        );
        let three = tokens.iter().find(|t| &*t.text == "3").unwrap();
        assert_eq!(sources.location(three.span).unwrap(), "t.pml:2:5");
    }
}
