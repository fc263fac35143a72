//! What an editor asks, and the answers.

use std::collections::HashMap;

use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionParams, CodeLens, CodeLensOptions,
    CodeLensParams, Command, CompletionItem, CompletionList, CompletionOptions, CompletionParams,
    DefinitionParams, DocumentSymbol, DocumentSymbolParams, ErrorCodes, ExecuteCommandOptions,
    ExecuteCommandParams, Hover, HoverParams, InitializeResult, ReferenceParams, Save,
    ServerCapabilities, ServerInfo, TextDocumentPositionParams, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextEdit, WorkspaceEdit,
};
use ide::{Place, PropertyAt};
use report::{FileReport, Report, Required, TextOptions, html};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use source::find_code;

use super::convert::{completion_kind, declaration, markdown, symbol_kind};
use super::session::{Open, Session};
use super::settings::Settings;

/// Checks a document now.
const CHECK: &str = "probity.check";
/// Gives the run of a property that fails.
const RUN: &str = "probity.run";
/// Shows it: a command of the editor.
const SHOW_RUN: &str = "probity.showRun";

type Answer = Result<Value, (ErrorCodes, String)>;

/// What the server can do.
pub(super) fn capabilities(settings: &Settings) -> Value {
    let capabilities = ServerCapabilities {
        position_encoding: Some(settings.encoding_kind()),
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(Save::Bool(true)),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        completion_provider: Some(CompletionOptions::default()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        code_lens_provider: Some(CodeLensOptions::default()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![CHECK.to_owned(), RUN.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    };
    value(InitializeResult {
        capabilities,
        server_info: Some(ServerInfo {
            name: "probity".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    })
}

/// Answers a question.
pub(super) fn answer(session: &mut Session<'_>, method: &str, params: Value) -> Answer {
    match method {
        "textDocument/hover" => {
            let params: HoverParams = read(params)?;
            Ok(hover(session, &params.text_document_position_params))
        }
        "textDocument/definition" => {
            let params: DefinitionParams = read(params)?;
            Ok(definition(session, &params.text_document_position_params))
        }
        "textDocument/references" => {
            let params: ReferenceParams = read(params)?;
            Ok(references(session, &params.text_document_position_params))
        }
        "textDocument/completion" => {
            let params: CompletionParams = read(params)?;
            Ok(completion(session, &params.text_document_position_params))
        }
        "textDocument/documentSymbol" => {
            let params: DocumentSymbolParams = read(params)?;
            Ok(symbols(session, params.text_document.uri.as_ref()))
        }
        "textDocument/codeAction" => {
            let params: CodeActionParams = read(params)?;
            Ok(actions(session, &params))
        }
        "textDocument/codeLens" => {
            let params: CodeLensParams = read(params)?;
            Ok(lenses(session, params.text_document.uri.as_ref()))
        }
        "workspace/executeCommand" => execute(session, &read(params)?),
        _ => Err((
            ErrorCodes::MethodNotFound,
            format!("there is no method `{method}`"),
        )),
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCodes, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCodes::InvalidParams, error.to_string()))
}

fn value(result: impl serde::Serialize) -> Value {
    serde_json::to_value(result).unwrap_or(Value::Null)
}

/// A document that is asked about, as it is now.
fn asked<'s>(session: &'s mut Session<'_>, uri: &str) -> Option<(&'s Open, &'s Settings)> {
    session.look_at(uri);
    Some((session.open.get(uri)?, &session.settings))
}

fn hover(session: &mut Session<'_>, at: &TextDocumentPositionParams) -> Value {
    let uri = at.text_document.uri.as_ref();
    let vocabulary = session.vocabulary(uri);
    let codes = session.codes.clone();
    let Some((open, settings)) = asked(session, uri) else {
        return Value::Null;
    };
    let places = open.places(uri, settings);
    let offset = places.offset(at.position);
    let mut parts = Vec::new();
    let mut range = None;
    if let Some(hover) = open.names.hover(&open.document, offset, &vocabulary) {
        let language = open.language.language().name;
        range = Some(places.range(&hover.range));
        parts.push(declaration(
            language,
            &hover.signature,
            &hover.documentation,
        ));
    }
    let mut told: Vec<&str> = Vec::new();
    for finding in open.findings() {
        let touches = finding.range.start <= offset && offset <= finding.range.end;
        if !touches || told.contains(&finding.code.as_str()) {
            continue;
        }
        if let Some(doc) = find_code(&codes, &finding.code) {
            told.push(doc.code);
            // Its headings are those of a document.
            parts.push(
                doc.markdown()
                    .replace("\n## ", "\n### ")
                    .replacen("# ", "### ", 1),
            );
        }
    }
    if parts.is_empty() {
        return Value::Null;
    }
    value(Hover {
        contents: markdown(parts.join("\n\n---\n\n")).into(),
        range,
    })
}

fn definition(session: &mut Session<'_>, at: &TextDocumentPositionParams) -> Value {
    let uri = at.text_document.uri.as_ref();
    let Some((open, settings)) = asked(session, uri) else {
        return Value::Null;
    };
    let places = open.places(uri, settings);
    let place = open
        .names
        .definition(places.offset(at.position), settings.encoding);
    place.map_or(Value::Null, |place| value(places.location(&place)))
}

fn references(session: &mut Session<'_>, at: &TextDocumentPositionParams) -> Value {
    let uri = at.text_document.uri.as_ref();
    let Some((open, settings)) = asked(session, uri) else {
        return Value::Null;
    };
    let places = open.places(uri, settings);
    let all = open
        .names
        .references(places.offset(at.position))
        .into_iter();
    value(
        all.map(|range| places.location(&Place::Here(range)))
            .collect::<Vec<_>>(),
    )
}

fn completion(session: &mut Session<'_>, at: &TextDocumentPositionParams) -> Value {
    let uri = at.text_document.uri.as_ref();
    let vocabulary = session.vocabulary(uri);
    let Some((open, settings)) = asked(session, uri) else {
        return Value::Null;
    };
    let offset = open.places(uri, settings).offset(at.position);
    let all = open.names.completions(&open.document, offset, &vocabulary);
    let items = all.into_iter().zip(0..).map(|(one, rank)| CompletionItem {
        kind: Some(completion_kind(&one)),
        detail: Some(one.signature),
        documentation: (!one.documentation.is_empty()).then(|| markdown(one.documentation).into()),
        // What is nearest comes first.
        sort_text: Some(format!("{rank:06}")),
        label: one.name,
        ..CompletionItem::default()
    });
    value(CompletionList {
        // What is left out may fit when letters are taken away.
        is_incomplete: true,
        items: items.collect(),
        ..CompletionList::default()
    })
}

fn symbols(session: &mut Session<'_>, uri: &str) -> Value {
    let Some((open, settings)) = asked(session, uri) else {
        return Value::Null;
    };
    let places = open.places(uri, settings);
    let told = open.names.definitions().filter(|definition| {
        definition.scope.is_none() || definition.kind == language::Kind::Event
    });
    let all = told.map(|definition| {
        let whole = definition.whole.to(definition.span);
        DocumentSymbol::new(
            definition.name.clone(),
            Some(definition.signature.clone()),
            symbol_kind(definition.kind),
            None,
            None,
            places.range(&whole.range()),
            places.range(&definition.span.range()),
            None,
        )
    });
    value(all.collect::<Vec<_>>())
}

fn actions(session: &mut Session<'_>, params: &CodeActionParams) -> Value {
    let uri = params.text_document.uri.as_ref();
    let wanted = params.context.only.as_ref();
    let wants =
        |kind: &CodeActionKind| *kind == CodeActionKind::QuickFix || *kind == CodeActionKind::Empty;
    if wanted.is_some_and(|kinds| !kinds.iter().any(wants)) {
        return json!([]);
    }
    let Some((open, settings)) = asked(session, uri) else {
        return json!([]);
    };
    let places = open.places(uri, settings);
    let range = places.bytes(params.range);
    let mut all = Vec::new();
    for finding in open.findings() {
        if finding.range.start > range.end || finding.range.end < range.start {
            continue;
        }
        for fix in &finding.fixes {
            let edit = TextEdit {
                range: places.range(&fix.range),
                new_text: fix.replacement.clone(),
            };
            all.push(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![places.diagnostic(finding)]),
                is_preferred: Some(finding.fixes.len() == 1),
                edit: Some(WorkspaceEdit {
                    changes: Some(HashMap::from([(uri.into(), vec![edit])])),
                    ..WorkspaceEdit::default()
                }),
                ..CodeAction::default()
            });
        }
    }
    value(all)
}

fn lenses(session: &mut Session<'_>, uri: &str) -> Value {
    let Some((open, settings)) = asked(session, uri) else {
        return json!([]);
    };
    let places = open.places(uri, settings);
    let mut all = Vec::new();
    let mut checks = Vec::new();
    for property in &open.properties {
        let start = places.range(&(property.offset..property.offset));
        all.push(CodeLens {
            range: start,
            command: Some(lens(open, uri, settings, property)),
            ..CodeLens::default()
        });
        let line = open.document.line(property.offset);
        if !open.is_checked && !open.is_current && !checks.contains(&line) {
            checks.push(line);
            all.push(CodeLens {
                range: start,
                command: Some(command("check", CHECK, vec![json!(uri)])),
                ..CodeLens::default()
            });
        }
    }
    value(all)
}

/// What stands over a property.
fn lens(open: &Open, uri: &str, settings: &Settings, property: &PropertyAt) -> Command {
    let name = &property.name;
    let mut known = open.verdicts.iter();
    let Some(verdict) = known.find(|verdict| verdict.name == *name) else {
        let title = match open.is_checked {
            true => "being checked",
            false => "not checked",
        };
        return command(&format!("{name}: {title}"), CHECK, vec![json!(uri)]);
    };
    let mut title = format!("{name}: {}", verdict.title);
    let mut told = title.char_indices();
    if let Some((end, _)) = told.nth(LONGEST_TITLE) {
        title.truncate(end);
        title.push('\u{2026}');
    }
    if !open.is_current {
        title.push_str(" (before the last change)");
    }
    if verdict.has_run {
        title.push_str(": show the run");
        let show = if settings.shows_runs { SHOW_RUN } else { RUN };
        return command(&title, show, vec![json!(uri), json!(name)]);
    }
    command(&title, CHECK, vec![json!(uri)])
}

/// Longer verdicts are cut: they are told in full by a finding.
const LONGEST_TITLE: usize = 120;

fn command(title: &str, command: &str, arguments: Vec<Value>) -> Command {
    Command {
        title: title.to_owned(),
        command: command.to_owned(),
        arguments: Some(arguments),
        ..Command::default()
    }
}

fn execute(session: &mut Session<'_>, params: &ExecuteCommandParams) -> Answer {
    let arguments = params.arguments.as_deref().unwrap_or_default();
    let text = |index: usize| arguments.get(index).and_then(Value::as_str);
    let uri = text(0).unwrap_or_default();
    match params.command.as_str() {
        CHECK => {
            session.check(uri);
            Ok(Value::Null)
        }
        RUN => {
            let Some(file) = run_of(session, uri, text(1).unwrap_or_default()) else {
                return Ok(Value::Null);
            };
            let report = Report::new(vec![file], Required::Exhausted);
            let told = match text(2) {
                Some("html") => html(&report),
                _ => report::text(&report, TextOptions::default()),
            };
            if text(2).is_none() {
                // An editor that says nothing about the form has no way of its own to show it.
                session.tell_user(3, &told);
            }
            Ok(json!(told))
        }
        other => Err((
            ErrorCodes::InvalidParams,
            format!("there is no command `{other}`"),
        )),
    }
}

/// What was found out about one property of a document.
fn run_of(session: &Session<'_>, uri: &str, property: &str) -> Option<FileReport> {
    let mut file = (**session.open.get(uri)?.report.as_ref()?).clone();
    file.properties.retain(|one| one.name == property);
    (!file.properties.is_empty()).then_some(file)
}
