//! From what an editor is to show to the words of the protocol.

use gen_lsp_types::{
    CompletionItemKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    MarkupContent, MarkupKind, Position, Range, SymbolKind,
};
use ide::{Completion, Document, Encoding, Finding, Level, Place};
use language::Kind;

use super::uri::uri_of;

/// A document, as places in it are told.
#[derive(Clone, Copy)]
pub(super) struct Places<'d> {
    pub(super) document: &'d Document,
    pub(super) uri: &'d str,
    /// The folder of the document, which names of other files start from.
    pub(super) folder: &'d std::path::Path,
    pub(super) encoding: Encoding,
}

impl Places<'_> {
    pub(super) fn offset(self, position: Position) -> usize {
        let position = ide::Position {
            line: position.line,
            column: position.character,
        };
        self.document.offset(position, self.encoding)
    }

    pub(super) fn range(self, range: &std::ops::Range<usize>) -> Range {
        let at = |offset| position(self.document.position(offset, self.encoding));
        Range {
            start: at(range.start),
            end: at(range.end),
        }
    }

    pub(super) fn bytes(self, range: Range) -> std::ops::Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    pub(super) fn location(self, place: &Place) -> Location {
        match place {
            Place::Here(range) => Location {
                uri: self.uri.into(),
                range: self.range(range),
            },
            Place::Elsewhere(name, start, end) => {
                // What is included is named from the folder of the script, or in full.
                let in_full = std::path::Path::new(name);
                let path = match in_full.starts_with(self.folder) {
                    true => in_full.to_owned(),
                    false => self.folder.join(in_full),
                };
                Location {
                    uri: uri_of(&path).into(),
                    range: Range {
                        start: position(*start),
                        end: position(*end),
                    },
                }
            }
        }
    }

    pub(super) fn diagnostic(self, finding: &Finding) -> Diagnostic {
        let related = finding
            .related
            .iter()
            .map(|related| DiagnosticRelatedInformation {
                location: self.location(&related.place),
                message: related.message.clone(),
            });
        let related: Vec<_> = related.collect();
        Diagnostic {
            range: self.range(&finding.range),
            severity: Some(match finding.level {
                Level::Error => DiagnosticSeverity::Error,
                Level::Warning => DiagnosticSeverity::Warning,
                Level::Information => DiagnosticSeverity::Information,
            }),
            code: Some(finding.code.clone().into()),
            source: Some("probity".to_owned()),
            message: finding.message.clone().into(),
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }
}

fn position(position: ide::Position) -> Position {
    Position {
        line: position.line,
        character: position.column,
    }
}

/// Markdown.
pub(super) fn markdown(value: String) -> MarkupContent {
    MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    }
}

/// A declaration with what there is to say of it.
pub(super) fn declaration(language: &str, signature: &str, documentation: &str) -> String {
    let mut text = format!("```{language}\n{signature}\n```");
    if !documentation.is_empty() {
        text.push_str("\n\n");
        text.push_str(documentation);
    }
    text
}

/// Something that may be written, by the kinds that editors have pictures of.
pub(super) fn completion_kind(completion: &Completion) -> CompletionItemKind {
    match completion.kind {
        Kind::Variable | Kind::Parameter => CompletionItemKind::Variable,
        Kind::Constant => CompletionItemKind::Constant,
        Kind::Function => CompletionItemKind::Function,
        Kind::Event => CompletionItemKind::Event,
        Kind::State => CompletionItemKind::Class,
        Kind::Process => CompletionItemKind::Module,
        Kind::Type => CompletionItemKind::Struct,
        Kind::Field => CompletionItemKind::Field,
        Kind::Label => CompletionItemKind::Reference,
        Kind::Property => CompletionItemKind::Property,
        Kind::Keyword | Kind::PropertyWord => CompletionItemKind::Keyword,
    }
}

/// The same for outlines of a document.
pub(super) fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Variable | Kind::Parameter | Kind::Label => SymbolKind::Variable,
        Kind::Constant => SymbolKind::Constant,
        Kind::Function => SymbolKind::Function,
        Kind::Event => SymbolKind::Event,
        Kind::State => SymbolKind::Class,
        Kind::Process => SymbolKind::Module,
        Kind::Type => SymbolKind::Struct,
        Kind::Field => SymbolKind::Field,
        Kind::Property => SymbolKind::Property,
        Kind::Keyword | Kind::PropertyWord => SymbolKind::Key,
    }
}
