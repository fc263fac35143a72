//! Statements.

use crate::ast::{
    Expr, ExprKind, Item, ReceiveField, Reference, Sequence, Statement, StatementKind,
};
use crate::codes::rules;
use crate::token::{Token, TokenKind};

use super::stream::{Failed, Parsed, Parser, is_name};

impl Parser<'_> {
    /// `{ sequence }`.
    pub(super) fn braces(&mut self) -> Parsed<Sequence> {
        self.expect("{")?;
        let sequence = self.sequence();
        self.expect("}")?;
        Ok(sequence)
    }

    fn at_sequence_end(&self) -> bool {
        let token = self.peek(0);
        token.is("}")
            || token.is("::")
            || token.is_word("fi")
            || token.is_word("od")
            || token.kind == TokenKind::End
    }

    fn sequence(&mut self) -> Sequence {
        let start = self.here();
        let mut items = Vec::new();
        loop {
            while self.accept(";") || self.accept("->") {}
            if self.at_sequence_end() {
                break;
            }
            let result = self.item(&mut items).and_then(|()| {
                // As in SPIN, the end of a line separates too.
                let separated = self.at(";")
                    || self.at("->")
                    || self.after_closing()
                    || self.peek(0).first_on_line;
                if separated || self.at_sequence_end() {
                    Ok(())
                } else {
                    Err(self.unexpected("`;`"))
                }
            });
            if result.is_err() {
                let start = self.here();
                self.recover();
                // What could not be read is a statement all the same: the sequence is not empty.
                let condition = self.expr(start, ExprKind::Number(1), 0);
                items.push(Item::Statement(Box::new(Statement {
                    span: condition.span,
                    kind: StatementKind::Condition(condition),
                })));
            }
        }
        Sequence {
            items,
            span: self.since(start),
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        if self.at_word("xr") || self.at_word("xs") {
            self.next();
            self.reference()?;
            while self.accept(",") {
                self.reference()?;
            }
        } else if self.at_declaration() {
            items.push(Item::Declaration(self.declaration()?));
        } else {
            items.push(Item::Statement(Box::new(self.deeper(Self::statement)?)));
        }
        Ok(())
    }

    /// A statement, with `unless` if that follows.
    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.here();
        let main = self.simple()?;
        if !self.accept_word("unless") {
            return Ok(main);
        }
        let escape = self.deeper(Self::simple)?;
        Ok(Statement {
            kind: StatementKind::Unless(Box::new(main), Box::new(escape)),
            span: self.since(start),
        })
    }

    fn simple(&mut self) -> Parsed<Statement> {
        let start = self.here();
        if is_name(self.peek(0)) && self.peek(1).is(":") && !self.at_remote() {
            let label = self.name("a label")?;
            self.next();
            while self.at(";") {
                // A separator behind a label is tolerated where a statement follows.
                self.next();
            }
            let inner = if self.at_sequence_end() {
                None
            } else {
                Some(Box::new(self.deeper(Self::simple)?))
            };
            return Ok(Statement {
                kind: StatementKind::Labelled(label, inner),
                span: self.since(start),
            });
        }
        if is_name(self.peek(0)) && self.at_call() {
            return self.call(None);
        }
        let kind = self.kind()?;
        Ok(Statement {
            kind,
            span: self.since(start),
        })
    }

    fn kind(&mut self) -> Parsed<StatementKind> {
        let token = self.peek(0).clone();
        if token.is("{") {
            return Ok(StatementKind::Block(self.braces()?));
        }
        if token.kind == TokenKind::Name {
            match &*token.text {
                "if" => return Ok(StatementKind::If(self.options("fi")?)),
                "do" => return Ok(StatementKind::Do(self.options("od")?)),
                "for" => return self.for_loop(),
                "select" => {
                    self.next();
                    self.expect("(")?;
                    let (variable, from, to) = self.range()?;
                    self.expect(")")?;
                    return Ok(self.selection(&token, variable, from, to));
                }
                "atomic" => {
                    self.next();
                    return Ok(StatementKind::Atomic(self.braces()?));
                }
                "d_step" => {
                    self.next();
                    return Ok(StatementKind::DStep(self.braces()?));
                }
                "goto" => {
                    self.next();
                    return Ok(StatementKind::Goto(self.name("a label")?));
                }
                "break" => {
                    self.next();
                    return Ok(StatementKind::Break);
                }
                "else" => {
                    self.next();
                    self.close_statement();
                    return Ok(StatementKind::Else);
                }
                "assert" => {
                    self.next();
                    return Ok(StatementKind::Assert(self.expression()?));
                }
                "printf" => return self.print(),
                "printm" => {
                    self.next();
                    self.expect("(")?;
                    let value = self.expression()?;
                    self.expect(")")?;
                    return Ok(StatementKind::PrintMtype(value));
                }
                "set_priority" => {
                    self.next();
                    self.expect("(")?;
                    let process = self.expression()?;
                    self.expect(",")?;
                    let value = self.expression()?;
                    self.expect(")")?;
                    return Ok(StatementKind::SetPriority(process, value));
                }
                "return" => return self.result(),
                "c_code" | "c_decl" => {
                    self.embedded_c();
                    return Ok(StatementKind::Print("\"\"".into(), Vec::new()));
                }
                _ => {}
            }
        }
        if is_name(&token) && !self.at_remote() {
            let reference = self.reference()?;
            return self.after_reference(reference);
        }
        Ok(StatementKind::Condition(self.expression()?))
    }

    /// What a statement that begins with a variable is.
    fn after_reference(&mut self, target: Reference) -> Parsed<StatementKind> {
        if self.accept("=") {
            if is_name(self.peek(0)) && self.at_call() {
                return Ok(self.call(Some(target))?.kind);
            }
            return Ok(StatementKind::Assign(target, self.expression()?));
        }
        if self.accept("++") {
            return Ok(StatementKind::Increment(target));
        }
        if self.accept("--") {
            return Ok(StatementKind::Decrement(target));
        }
        if (self.at("!") || self.at("!!")) && !self.peek(0).first_on_line {
            let sorted = self.next().is("!!");
            let mut fields = vec![self.expression()?];
            if self.at("(") && !self.peek(0).first_on_line {
                self.next();
                while !self.accept(")") {
                    fields.push(self.expression()?);
                    if !self.accept(",") && !self.at(")") {
                        return Err(self.unexpected("`,` or `)`"));
                    }
                }
            }
            while self.accept(",") {
                fields.push(self.expression()?);
            }
            return Ok(StatementKind::Send {
                channel: target,
                fields,
                sorted,
            });
        }
        if (self.at("?") || self.at("??")) && !self.peek(1).is("[") {
            let anywhere = self.next().is("??");
            let keep = self.accept("<");
            let fields = self.receive_fields()?;
            if keep {
                self.expect(">")?;
            }
            return Ok(StatementKind::Receive {
                channel: target,
                fields,
                anywhere,
                keep,
            });
        }
        let first = self.variable_or_poll(target)?;
        Ok(StatementKind::Condition(self.expression_from(first)?))
    }

    /// The fields of a receive or a poll.
    pub(super) fn receive_fields(&mut self) -> Parsed<Vec<ReceiveField>> {
        let mut fields = Vec::new();
        if self.accept("(") {
            fields = self.deeper(Self::receive_fields)?;
            self.expect(")")?;
            return Ok(fields);
        }
        loop {
            fields.push(self.receive_field()?);
            if self.at("(") && !self.peek(0).first_on_line {
                self.next();
                fields.extend(self.deeper(Self::receive_fields)?);
                self.expect(")")?;
            }
            if !self.accept(",") {
                return Ok(fields);
            }
        }
    }

    fn receive_field(&mut self) -> Parsed<ReceiveField> {
        if self.accept_word("eval") {
            self.expect("(")?;
            let value = self.expression()?;
            self.expect(")")?;
            return Ok(ReceiveField::Value(value));
        }
        if is_name(self.peek(0)) {
            return Ok(ReceiveField::Reference(self.reference()?));
        }
        // A number: no operators, since a `>` closes the list.
        let value = self.operand()?;
        match value.kind {
            ExprKind::Number(_) | ExprKind::Unary(..) => Ok(ReceiveField::Value(value)),
            _ => {
                let message = "a field to receive is a variable, a constant, `_` or `eval(...)`";
                self.error(rules::MISPLACED, value.span, message);
                Err(Failed)
            }
        }
    }

    fn options(&mut self, end: &str) -> Parsed<Vec<Sequence>> {
        self.next();
        let mut options = Vec::new();
        while self.accept("::") {
            options.push(self.sequence());
        }
        self.expect(end)?;
        Ok(options)
    }

    fn range(&mut self) -> Parsed<(Reference, Expr, Expr)> {
        let variable = self.reference()?;
        self.expect(":")?;
        let from = self.expression()?;
        self.expect("..")?;
        let to = self.expression()?;
        Ok((variable, from, to))
    }

    /// `select`: SPIN reads one between literal numbers as an `if`, unless they are far apart.
    fn selection(
        &mut self,
        token: &Token,
        variable: Reference,
        from: Expr,
        to: Expr,
    ) -> StatementKind {
        let plain = variable.parts.len() == 1
            && variable.parts[0].1.is_none()
            && !variable.parts[0].0.name.contains('_');
        let (ExprKind::Number(low), ExprKind::Number(high)) = (&from.kind, &to.kind) else {
            return StatementKind::Select(variable, from, to);
        };
        let (low, high) = (*low, *high);
        if low > high {
            self.error(rules::EMPTY, token.span, "there is nothing to select from");
        }
        if !plain || token.expansion.is_some() || low < 0 || high - low > 32 {
            return StatementKind::Select(variable, from, to);
        }
        let option = |value: i64| {
            let value = Expr {
                kind: ExprKind::Number(value),
                ..from.clone()
            };
            let statement = Statement {
                kind: StatementKind::Assign(variable.clone(), value),
                span: token.span,
            };
            Sequence {
                items: vec![Item::Statement(Box::new(statement))],
                span: token.span,
            }
        };
        StatementKind::If((low..=high).map(option).collect())
    }

    fn for_loop(&mut self) -> Parsed<StatementKind> {
        self.next();
        self.expect("(")?;
        let variable = self.reference()?;
        if self.accept_word("in") {
            let over = self.reference()?;
            self.expect(")")?;
            while self.accept(";") || self.accept("->") {}
            return Ok(StatementKind::ForIn(variable, over, self.braces()?));
        }
        self.expect(":")?;
        let from = self.expression()?;
        self.expect("..")?;
        let to = self.expression()?;
        self.expect(")")?;
        while self.accept(";") || self.accept("->") {}
        Ok(StatementKind::ForRange(variable, from, to, self.braces()?))
    }

    fn print(&mut self) -> Parsed<StatementKind> {
        self.next();
        self.expect("(")?;
        if self.peek(0).kind != TokenKind::Text {
            return Err(self.unexpected("a text"));
        }
        let text = self.next().text;
        let mut arguments = Vec::new();
        while self.accept(",") {
            arguments.push(self.expression()?);
        }
        self.expect(")")?;
        Ok(StatementKind::Print(text, arguments))
    }

    /// `return e`: the result of the inline definition goes where its call says.
    fn result(&mut self) -> Parsed<StatementKind> {
        let token = self.next();
        let value = self.expression()?;
        match self.results.last() {
            Some(Some(target)) => Ok(StatementKind::Assign(target.clone(), value)),
            Some(None) => {
                let message = "the call of this inline definition has no place for a result";
                self.error(rules::MISPLACED, token.span, message);
                Err(Failed)
            }
            None => {
                let message = "`return` outside of an inline definition";
                self.error(rules::MISPLACED, token.span, message);
                Err(Failed)
            }
        }
    }
}
