//! What stands at the outermost level.

use crate::ast::{Claim, Expr, ExprKind, Ident, Model, Process, Unit};
use crate::codes::names;

use super::inline::Inline;
use super::stream::{Parsed, Parser};

/// Words that begin a unit.
const UNITS: &[&str] = &[
    "active",
    "proctype",
    "D_proctype",
    "init",
    "never",
    "ltl",
    "trace",
    "notrace",
    "typedef",
    "inline",
    "mtype",
];

impl Parser<'_> {
    pub(super) fn model(&mut self) -> Model {
        let mut model = Model::default();
        while !self.at_end() {
            if self.accept(";") || self.accept("->") {
                continue;
            }
            if self.unit(&mut model).is_err() {
                self.next_unit();
            }
        }
        model.uses_last = self.uses_last;
        model.uses_timeout = self.uses_timeout;
        model.remote_labels = std::mem::take(&mut self.remote_labels);
        model
    }

    fn next_unit(&mut self) {
        while !self.at_end() {
            let token = self.peek(0);
            if token.first_on_line && UNITS.iter().any(|word| token.is_word(word)) {
                return;
            }
            self.next();
        }
    }

    fn unit(&mut self, model: &mut Model) -> Parsed<()> {
        let token = self.peek(0).clone();
        match &*token.text {
            "active" | "proctype" | "D_proctype" | "init" => {
                let process = self.process()?;
                model.units.push(Unit::Process(Box::new(process)));
            }
            "never" => {
                let claim = self.claim()?;
                model.units.push(Unit::Never(claim));
            }
            "trace" | "notrace" => {
                let forbidden = &*token.text == "notrace";
                let claim = self.claim()?;
                model.units.push(Unit::Trace { forbidden, claim });
            }
            "ltl" => {
                self.next();
                let name = if self.at_name() {
                    Some(self.name("a name")?)
                } else {
                    None
                };
                self.expect("{")?;
                self.formula = true;
                let formula = self.expression();
                self.formula = false;
                let formula = formula?;
                self.accept(";");
                self.expect("}")?;
                let span = self.since(token.span);
                model.units.push(Unit::Ltl {
                    name,
                    formula,
                    span,
                });
            }
            "typedef" => {
                self.next();
                let name = self.name("the new type's name")?;
                self.expect("{")?;
                let mut fields = Vec::new();
                while !self.at("}") {
                    fields.push(self.declaration()?);
                    while self.accept(";") {}
                    if self.at_end() {
                        break;
                    }
                }
                self.expect("}")?;
                self.typedefs.insert(std::rc::Rc::clone(&name.name));
                model.units.push(Unit::Typedef(name, fields));
            }
            "inline" => {
                self.next();
                let name = self.name("the inline definition's name")?;
                let inline = self.inline_definition()?;
                self.define_inline(name, inline);
            }
            "mtype" if self.is_mtype_list() => {
                self.next();
                let kind = if self.accept(":") {
                    Some(self.name("the kind's name")?)
                } else {
                    None
                };
                self.accept("=");
                self.expect("{")?;
                let mut names = Vec::new();
                while !self.accept("}") {
                    if self.accept(",") {
                        continue;
                    }
                    names.push(self.name("a name")?);
                }
                model.units.push(Unit::Mtype(kind, names));
            }
            "c_code" | "c_decl" | "c_state" | "c_track" => self.embedded_c(),
            _ if self.at_declaration() => {
                let declaration = self.declaration()?;
                model.units.push(Unit::Declaration(declaration));
            }
            _ => {
                return Err(self.unexpected("a declaration, `proctype`, `init`, `never` or `ltl`"));
            }
        }
        Ok(())
    }

    fn define_inline(&mut self, name: Ident, inline: Inline) {
        if self.inlines.contains_key(&name.name) {
            let message = format!("inline definition `{}` is declared twice", name.name);
            self.error(names::REDECLARED, name.span, message);
        }
        self.inlines.insert(name.name, std::rc::Rc::new(inline));
    }

    fn is_mtype_list(&self) -> bool {
        self.peek(1).is("=")
            || self.peek(1).is("{")
            || self.peek(1).is(":") && (self.peek(3).is("=") || self.peek(3).is("{"))
    }

    fn process(&mut self) -> Parsed<Process> {
        let start = self.here();
        let mut active = None;
        if self.accept_word("active") {
            active = Some(Expr {
                kind: ExprKind::Number(1),
                span: start,
                depth: 0,
            });
            if self.accept("[") {
                active = Some(self.expression()?);
                self.expect("]")?;
            }
        }
        let init = self.at_word("init");
        let mut parameters = Vec::new();
        let name;
        if init {
            let token = self.next();
            name = Ident {
                name: token.text,
                span: token.span,
            };
            active = Some(Expr {
                kind: ExprKind::Number(1),
                span: start,
                depth: 0,
            });
        } else {
            if !self.accept_word("D_proctype") {
                self.expect("proctype")?;
            }
            name = self.name("the process type's name")?;
            self.expect("(")?;
            while !self.at(")") && !self.at_end() {
                if self.accept(";") || self.accept(",") {
                    continue;
                }
                parameters.push(self.declaration()?);
            }
            self.expect(")")?;
        }
        let mut priority = None;
        let mut provided = None;
        loop {
            if self.accept_word("priority") {
                priority = Some(self.operand()?);
            } else if self.accept_word("provided") {
                self.expect("(")?;
                provided = Some(self.expression()?);
                self.expect(")")?;
            } else {
                break;
            }
        }
        let outer = std::mem::replace(
            &mut self.in_dead_process,
            !init && active.is_none() && !self.run_names.contains(&name.name),
        );
        let body = self.braces();
        self.in_dead_process = outer;
        let body = body?;
        Ok(Process {
            name,
            init,
            active,
            parameters,
            priority,
            provided,
            body,
        })
    }

    fn claim(&mut self) -> Parsed<Claim> {
        let span = self.next().span;
        let name = if self.at_name() {
            Some(self.name("a name")?)
        } else {
            None
        };
        let body = self.braces()?;
        Ok(Claim { name, body, span })
    }
}
