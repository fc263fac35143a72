//! The functions outside of a program that it may call, and the texts that it may pass to them.

use language::Interface;
use policy::Policy;
use source::{Diagnostics, Loaded, SourceMap, TokenKind};

use crate::load::Options;
use crate::lower::{Input, declared};
use crate::{lexer, literal, text};

/// Of a program. Texts are those of its own file.
pub(crate) fn interface(name: &str, contents: &str, options: &Options<'_>) -> Loaded<Interface> {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, contents);
    let parsed = text::parse(
        file,
        &options.defines,
        options.include,
        &mut sources,
        &mut diagnostics,
    );
    let Some((unit, origins)) = parsed else {
        return Loaded::new(sources, diagnostics, None);
    };
    let input = Input {
        name,
        unit: &unit,
        origins: &origins,
        sources: &sources,
        policy: &Policy::default(),
        net: None,
    };
    let functions = declared(&input).outside.into_iter().collect();
    let mut texts = Vec::new();
    for token in lexer::lex(sources.file(file), &mut Diagnostics::new()) {
        let inner = token
            .text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        if let (TokenKind::Text, Some(inner)) = (token.kind, inner)
            && let Some(bytes) = literal::bytes(inner)
            && let Ok(text) = String::from_utf8(bytes)
        {
            texts.push(text);
        }
    }
    let interface = Interface { functions, texts };
    Loaded::new(sources, diagnostics, Some(interface))
}
