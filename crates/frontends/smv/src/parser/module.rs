//! Modules and their parts.

use source::{Diagnostic, TokenKind};

use super::stream::{Failed, Parsed, Parser};
use crate::ast::{
    Assignment, AssignmentSort, ConstraintSort, ExprKind, Ident, Item, Module, Spec, SpecSort,
    Stated, TypeExpr, TypeKind, VariableSort,
};
use crate::codes::syntax as code;
use crate::token::{begins_section, is_name};

impl Parser<'_> {
    pub(super) fn modules(&mut self) -> Vec<Module> {
        let mut modules = Vec::new();
        let mut reported = false;
        while !self.at_end() {
            if self.at_word("MODULE") {
                if let Ok(module) = self.module() {
                    modules.push(module);
                }
                reported = false;
            } else {
                let m4 = self.at_word("define") && self.peek(1).is("(")
                    || self.peek(0).text.starts_with("dnl");
                if m4 && modules.is_empty() {
                    let span = self.peek(0).span;
                    let message = "this model is written for the macro processor m4";
                    let diagnostic = Diagnostic::error(code::M4, message).at(span);
                    let help = "run `m4 model.smv > plain.smv`, and check what comes out";
                    self.diagnostics.push(diagnostic.help(help));
                    return modules;
                }
                if !reported {
                    self.unexpected("`MODULE`");
                    reported = true;
                }
                self.next();
            }
        }
        modules
    }

    fn module(&mut self) -> Parsed<Module> {
        self.next();
        let name = self.name("a module's name")?;
        let mut parameters = Vec::new();
        if self.accept("(") {
            while !self.accept(")") {
                parameters.push(self.name("a parameter's name")?);
                if !self.accept(",") && !self.at(")") {
                    return Err(self.unexpected("`,` or `)`"));
                }
            }
        }
        self.accept(";");
        let mut items = Vec::new();
        while !self.at_end() && !self.at_word("MODULE") {
            if self.section(&mut items).is_err() {
                self.recover();
                // What follows a bad declaration belongs to the same section; that is not known
                // here any more, so go on with the next section.
                while !self.at_end() && !begins_section(self.peek(0)) {
                    self.next();
                }
            }
        }
        Ok(Module {
            name,
            parameters,
            items,
        })
    }

    fn section(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let token = self.peek(0).clone();
        if !begins_section(&token) {
            return Err(self.unexpected("a section such as `VAR` or `ASSIGN`"));
        }
        self.next();
        match &*token.text {
            "VAR" => self.declarations(VariableSort::State, items)?,
            "IVAR" => self.declarations(VariableSort::Input, items)?,
            "FROZENVAR" => self.declarations(VariableSort::Frozen, items)?,
            "DEFINE" => {
                while !self.ends_section() {
                    if self.peek(1).is(".") || self.peek(1).is("[") {
                        let target = self.reference()?;
                        self.expect(":=")?;
                        let value = self.expression()?;
                        items.push(Item::DefineIn(target, value));
                    } else {
                        let name = self.name("a name to define")?;
                        self.expect(":=")?;
                        let value = self.expression()?;
                        items.push(Item::Define(name, value));
                    }
                    self.semicolon()?;
                }
            }
            "CONSTANTS" => {
                loop {
                    items.push(Item::Constant(self.name("a constant's name")?));
                    if !self.accept(",") {
                        break;
                    }
                }
                self.semicolon()?;
            }
            "ASSIGN" => {
                while !self.ends_section() {
                    items.push(Item::Assign(self.assignment()?));
                    self.semicolon()?;
                }
            }
            "INIT" => self.constraint(ConstraintSort::Init, items)?,
            "INVAR" => self.constraint(ConstraintSort::Invar, items)?,
            "TRANS" => self.constraint(ConstraintSort::Trans, items)?,
            "FAIRNESS" | "JUSTICE" => {
                items.push(Item::Justice(self.expression()?));
                self.accept(";");
            }
            "COMPASSION" => {
                self.expect("(")?;
                let premise = self.expression()?;
                self.expect(",")?;
                let conclusion = self.expression()?;
                self.expect(")")?;
                self.accept(";");
                items.push(Item::Compassion(premise, conclusion));
            }
            "ISA" => {
                items.push(Item::Isa(self.name("a module's name")?));
                self.accept(";");
            }
            other => {
                let sort = match other {
                    "SPEC" | "CTLSPEC" => SpecSort::Ctl,
                    "LTLSPEC" => SpecSort::Ltl,
                    "INVARSPEC" => SpecSort::Invariant,
                    "COMPUTE" => SpecSort::Compute,
                    _ => SpecSort::Psl,
                };
                items.push(Item::Spec(self.spec(sort)?));
            }
        }
        Ok(())
    }

    fn ends_section(&self) -> bool {
        self.at_end() || begins_section(self.peek(0))
    }

    /// The semicolon that ends a declaration; a second one is passed over with a word.
    fn semicolon(&mut self) -> Parsed<()> {
        self.expect(";")?;
        while self.at(";") {
            let span = self.next().span;
            let message = "a `;` with nothing before it";
            let diagnostic = Diagnostic::warning(code::EMPTY, message).at(span);
            self.diagnostics
                .push(diagnostic.help("other tools for SMV refuse it").fix_it(
                    span,
                    "",
                    "leave it out",
                ));
        }
        Ok(())
    }

    fn declarations(&mut self, sort: VariableSort, items: &mut Vec<Item>) -> Parsed<()> {
        while !self.ends_section() {
            let name = self.name("a variable's name")?;
            let name = self.rest_of_name(name)?;
            self.expect(":")?;
            let ty = self.ty()?;
            items.push(Item::Variable(sort, name, ty));
            self.semicolon()?;
        }
        Ok(())
    }

    /// A name may go on with `.part` and `[3]`, as the variables of a model do whose modules were
    /// flattened.
    fn rest_of_name(&mut self, first: Ident) -> Parsed<Ident> {
        if !self.at(".") && !self.at("[") {
            return Ok(first);
        }
        let mut text = first.name.to_string();
        loop {
            if self.accept(".") {
                let part = match self.peek(0).kind {
                    TokenKind::Number => self.next().text,
                    _ => self.name("the rest of a variable's name")?.name,
                };
                text.push('.');
                text.push_str(&part);
            } else if self.accept("[") {
                let number = self.bound()?;
                let ExprKind::Int(number) = number.kind else {
                    return Err(self.unexpected("a number in a variable's name"));
                };
                self.expect("]")?;
                text.push_str(&format!("[{number}]"));
            } else {
                return Ok(Ident {
                    name: text.into(),
                    span: self.since(first.span),
                });
            }
        }
    }

    fn constraint(&mut self, sort: ConstraintSort, items: &mut Vec<Item>) -> Parsed<()> {
        items.push(Item::Constraint(sort, self.expression()?));
        self.accept(";");
        Ok(())
    }

    fn assignment(&mut self) -> Parsed<Assignment> {
        let sort = if self.at_word("init") {
            AssignmentSort::Init
        } else if self.at_word("next") {
            AssignmentSort::Next
        } else {
            AssignmentSort::Now
        };
        let target = if sort == AssignmentSort::Now {
            self.reference()?
        } else {
            self.next();
            self.expect("(")?;
            let target = self.reference()?;
            self.expect(")")?;
            target
        };
        self.expect(":=")?;
        let value = self.expression()?;
        Ok(Assignment {
            sort,
            target,
            value,
        })
    }

    fn spec(&mut self, sort: SpecSort) -> Parsed<Spec> {
        let mut name = None;
        if self.accept("NAME") {
            name = Some(self.dotted_name()?);
            self.expect(":=")?;
        }
        let start = self.peek(0).span;
        let stated = match sort {
            SpecSort::Compute => {
                let longest = !self.accept("MIN");
                if longest {
                    self.expect("MAX")?;
                }
                self.expect("[")?;
                let from = self.expression()?;
                self.expect(",")?;
                let to = self.expression()?;
                self.expect("]")?;
                Stated::Distance { longest, from, to }
            }
            SpecSort::Psl => Stated::Formula(self.psl_formula()?),
            _ => Stated::Formula(self.expression()?),
        };
        let span = self.since(start);
        let context = match self.accept("IN") {
            true => Some(self.reference()?),
            false => None,
        };
        self.accept(";");
        Ok(Spec {
            sort,
            name,
            stated,
            context,
            span,
        })
    }

    /// A property's name, which may have dots.
    fn dotted_name(&mut self) -> Parsed<Ident> {
        let first = self.name("a property's name")?;
        let mut text = first.name.to_string();
        while self.accept(".") {
            let token = self.next();
            text.push('.');
            text.push_str(&token.text);
        }
        Ok(Ident {
            name: text.into(),
            span: self.since(first.span),
        })
    }

    fn ty(&mut self) -> Parsed<TypeExpr> {
        let start = self.peek(0).span;
        let kind = self.deeper(Self::type_kind)?;
        Ok(TypeExpr {
            kind,
            span: self.since(start),
        })
    }

    /// A type, or `typeof(e)`.
    pub(super) fn type_or_typeof(&mut self) -> Parsed<TypeExpr> {
        let start = self.peek(0).span;
        if !self.accept("typeof") {
            return self.ty();
        }
        self.expect("(")?;
        let of = self.expression()?;
        self.expect(")")?;
        Ok(TypeExpr {
            kind: TypeKind::Of(of),
            span: self.since(start),
        })
    }

    fn type_kind(&mut self) -> Parsed<TypeKind> {
        let token = self.peek(0).clone();
        if self.accept("boolean") {
            return Ok(TypeKind::Boolean);
        }
        if self.accept("integer") || self.accept("real") {
            return Ok(TypeKind::Infinite(Ident {
                name: token.text,
                span: token.span,
            }));
        }
        if self.accept("{") {
            let mut members = Vec::new();
            loop {
                members.push(self.expression()?);
                if self.accept("}") {
                    return Ok(TypeKind::Enumeration(members));
                }
                self.expect(",")?;
            }
        }
        if self.accept("array") {
            let index = self.peek(0).clone();
            if self.accept("integer") || self.accept("real") {
                self.expect("of")?;
                self.ty()?;
                return Ok(TypeKind::Infinite(Ident {
                    name: format!("array {}", index.text).into(),
                    span: token.span,
                }));
            }
            let unsigned = self.at_word("unsigned") && self.peek(1).is_word("word");
            if unsigned || self.at_word("word") {
                if unsigned {
                    self.next();
                }
                self.next();
                self.expect("[")?;
                let width = self.expression()?;
                self.expect("]")?;
                self.expect("of")?;
                let item = self.ty()?;
                return Ok(TypeKind::WordArray(width, Box::new(item)));
            }
            let (low, high) = self.range()?;
            self.expect("of")?;
            let item = self.ty()?;
            return Ok(TypeKind::Array(low, high, Box::new(item)));
        }
        let sign =
            (self.at_word("signed") || self.at_word("unsigned")) && self.peek(1).is_word("word");
        if sign || self.at_word("word") {
            let signed = sign && self.next().is_word("signed");
            self.next();
            self.expect("[")?;
            let width = self.expression()?;
            self.expect("]")?;
            return Ok(TypeKind::Word { signed, width });
        }
        let process = self.accept("process");
        let names_module = is_name(self.peek(0)) && (self.peek(1).is("(") || self.peek(1).is(";"));
        if process || names_module {
            let module = self.name("a module's name")?;
            let mut arguments = Vec::new();
            if self.accept("(") {
                while !self.accept(")") {
                    arguments.push(self.expression()?);
                    if !self.accept(",") && !self.at(")") {
                        return Err(self.unexpected("`,` or `)`"));
                    }
                }
            }
            return Ok(TypeKind::Instance {
                process,
                module,
                arguments,
            });
        }
        let (low, high) = self.range()?;
        Ok(TypeKind::Range(low, high))
    }

    /// The two ends of a range.
    fn range(&mut self) -> Parsed<(crate::ast::Expr, crate::ast::Expr)> {
        let low = self.bound()?;
        if !self.at("..") {
            self.unexpected("a type, or `..` of a range");
            return Err(Failed);
        }
        self.next();
        let high = self.bound()?;
        Ok((low, high))
    }
}
