//! Definitions: processes, tools, and what is started.

use source::{Diagnostic, Token, TokenKind};

use super::stream::{Failed, Parsed, Parser, is_capital};
use crate::ast::{Call, Declaration, ProcessDef, Script, Term, ToolDef};
use crate::codes::syntax as code;

impl Parser<'_> {
    pub(super) fn script(&mut self) -> Script {
        let mut script = Script::default();
        while !self.at_end() {
            let read = if self.at_word("process") {
                self.process_definition(&mut script)
            } else if self.at_word("tool") {
                self.tool_definition().map(|tool| script.tools.push(tool))
            } else if self.at_word("toolbus") {
                self.started(&mut script)
            } else {
                Err(self.no_definition(&mut script))
            };
            if read.is_err() {
                self.recover();
            }
        }
        script
    }

    fn process_definition(&mut self, script: &mut Script) -> Parsed<()> {
        self.next();
        let name = self.capital("a process")?;
        match self.process_called(&name) {
            Ok(process) => script.processes.push(process),
            Err(failed) => {
                script.unread.push(name.text.to_string());
                return Err(failed);
            }
        }
        Ok(())
    }

    fn process_called(&mut self, name: &Token) -> Parsed<ProcessDef> {
        let formals = if self.accept("(") {
            self.declarations(Some(")"))?
        } else {
            Vec::new()
        };
        self.expect_word("is", None)?;
        let body = self.process()?;
        if !self.at_end() && !self.at_definition() {
            let found = self.found();
            let at = self.peek(0).span;
            return self.fail(
                Diagnostic::error(
                    code::UNEXPECTED,
                    format!("found {found} behind a complete process"),
                )
                .at(at)
                .help("processes are joined by `.`, `+`, `+>`, `*`, `||` or `>>`"),
            );
        }
        Ok(ProcessDef {
            name: name.text.to_string(),
            name_span: name.span,
            formals,
            body,
        })
    }

    /// Reports what comes where a definition had to, and what was probably meant.
    fn no_definition(&mut self, script: &mut Script) -> Failed {
        let found = self.found();
        let (token, name) = (self.peek(0), self.peek(1));
        let mut diagnostic = Diagnostic::error(
            code::UNEXPECTED,
            format!("found {found} instead of `process`, `tool` or `toolbus`"),
        )
        .at(token.span);
        if let Some(meant) = source::suggest(&token.text, ["process", "tool", "toolbus"]) {
            diagnostic = diagnostic.help(format!("`{meant}` was probably meant"));
            if meant == "process" && is_capital(name) {
                script.unread.push(name.text.to_string());
            }
        }
        self.diagnostics.push(diagnostic);
        Failed
    }

    /// Names and types; up to `close`, or up to `in`.
    pub(super) fn declarations(&mut self, close: Option<&str>) -> Parsed<Vec<Declaration>> {
        let mut all = Vec::new();
        let ends = |parser: &mut Self| match close {
            Some(close) => parser.accept(close),
            None => parser.accept_word("in"),
        };
        if ends(self) {
            return Ok(all);
        }
        loop {
            let name = self.capital("a variable")?;
            self.expect(":", "and a type")?;
            let ty = self.term()?;
            let result = self.accept("?");
            all.push(Declaration {
                name: name.text.to_string(),
                ty,
                result,
                span: name.span,
            });
            if ends(self) {
                return Ok(all);
            }
            if !self.accept(",") {
                let close = close.unwrap_or("in");
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
        }
    }

    fn tool_definition(&mut self) -> Parsed<ToolDef> {
        self.next();
        let name = self.next();
        if name.kind != TokenKind::Name || is_capital(&name) {
            return self.fail(
                Diagnostic::error(
                    code::UNEXPECTED,
                    format!("`{}` is no name of a tool", name.text),
                )
                .at(name.span)
                .help("names of tools begin with a small letter"),
            );
        }
        if self.accept("(") {
            self.declarations(Some(")"))?;
        }
        self.expect_word("is", None)?;
        let open = self.peek(0).span;
        self.expect("{", "and the tool's command")?;
        while !self.accept("}") {
            let word = self.next();
            if word.kind != TokenKind::Name || !self.accept("=") {
                return self.fail(
                    Diagnostic::error(
                        code::UNEXPECTED,
                        "expected `command = \"...\"`, `host = \"...\"`, `kind = \"...\"` or `}`",
                    )
                    .at(word.span)
                    .label(open, "the tool's description begins here"),
                );
            }
            if self.peek(0).kind == TokenKind::Text {
                while self.peek(0).kind == TokenKind::Text {
                    self.next();
                }
            } else {
                self.term()?;
            }
        }
        Ok(ToolDef {
            name: name.text.to_string(),
            span: name.span,
        })
    }

    fn started(&mut self, script: &mut Script) -> Parsed<()> {
        self.next();
        self.expect("(", "and the processes to start")?;
        if self.accept(")") {
            return Ok(());
        }
        loop {
            script.started.push(self.call()?);
            if self.accept(")") {
                return Ok(());
            }
            if !self.accept(",") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }

    /// A process with its arguments.
    pub(super) fn call(&mut self) -> Parsed<Call> {
        let name = self.capital("a process")?;
        let args: Vec<Term> = if self.accept("(") {
            self.terms(")")?
        } else {
            Vec::new()
        };
        Ok(Call {
            name: name.text.to_string(),
            args,
            span: self.since(name.span),
        })
    }
}
