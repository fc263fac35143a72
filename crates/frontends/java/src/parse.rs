//! Reading a file: classes, fields, methods. What is not understood is said, and passed over.

mod expression;
mod statement;

use source::{Diagnostic, Diagnostics, Span, Token, TokenKind, TokenStream};

use crate::codes;
use crate::tree::{Beginning, Class, Expr, ExprKind, Field, File, Method, Stmt, StmtKind, Type};

/// What was read, or nothing: then it has been said why.
pub(crate) type Read<T> = std::result::Result<T, ()>;

/// Expressions, blocks and classes may stand inside each other so deep.
const DEEPEST: usize = 150;

const MODIFIERS: &[&str] = &[
    "public",
    "protected",
    "private",
    "static",
    "final",
    "abstract",
    "volatile",
    "synchronized",
    "transient",
    "native",
    "strictfp",
    "default",
    "sealed",
];

const PRIMITIVES: &[&str] = &[
    "boolean", "byte", "short", "int", "long", "char", "float", "double", "void", "var",
];

/// Reads tokens.
pub(crate) struct Parser {
    pub(crate) tokens: TokenStream,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) file: File,
    /// The classes that are being read, from the outermost on.
    around: Vec<String>,
    depth: usize,
    nameless: usize,
}

/// What stands before a declaration.
#[derive(Default)]
struct Modifiers {
    is_static: bool,
    is_final: bool,
    is_volatile: bool,
    synchronized: bool,
    never_lost: bool,
}

/// The annotation of classes whose objects must not be lost.
const NEVER_LOST: &str = "NeverLost";

impl Parser {
    pub(crate) fn new(tokens: Vec<Token>) -> Parser {
        Parser {
            tokens: TokenStream::new(tokens),
            diagnostics: Diagnostics::new(),
            file: File::default(),
            around: Vec::new(),
            depth: 0,
            nameless: 0,
        }
    }

    /// Reads a file. What comes behind the first error is not looked at.
    pub(crate) fn read(&mut self) -> Read<()> {
        while !self.tokens.at_end() {
            if self.tokens.at_word("package") || self.tokens.at_word("import") {
                while !self.tokens.accept(";") && !self.tokens.at_end() {
                    self.tokens.next();
                }
                continue;
            }
            if self.tokens.accept(";") {
                continue;
            }
            let modifiers = self.modifiers()?;
            if !self.class_if_any(&modifiers)? {
                return self.expected("a class");
            }
        }
        Ok(())
    }

    fn modifiers(&mut self) -> Read<Modifiers> {
        let mut found = Modifiers::default();
        loop {
            if self.tokens.at("@") && !self.tokens.peek(1).is_word("interface") {
                self.tokens.next();
                found.never_lost |= self.dotted()? == NEVER_LOST;
                if self.tokens.at("(") {
                    self.skip_balanced();
                }
                continue;
            }
            let is_word = MODIFIERS.iter().any(|word| self.tokens.at_word(word));
            // `synchronized (...)` is a statement, `default:` a label.
            if !is_word || self.tokens.peek(1).is("(") || self.tokens.peek(1).is(":") {
                return Ok(found);
            }
            match &*self.tokens.next().text {
                "static" => found.is_static = true,
                "final" => found.is_final = true,
                "volatile" => found.is_volatile = true,
                "synchronized" => found.synchronized = true,
                _ => {}
            }
        }
    }

    /// A class or an interface, if one comes.
    fn class_if_any(&mut self, modifiers: &Modifiers) -> Read<bool> {
        let next_is_name = self.tokens.peek(1).kind == TokenKind::Name;
        let is = |word: &str| self.tokens.at_word(word) && next_is_name;
        if is("class") || is("interface") {
            let interface = self.tokens.next().is_word("interface");
            let name = self.word()?;
            let span = self.tokens.last_span();
            let outer = self.around.last().cloned();
            let mut class = Class {
                inner: outer.is_some() && !modifiers.is_static && !interface,
                outer,
                name,
                never_lost: modifiers.never_lost.then_some(span),
                ..Class::default()
            };
            if self.tokens.at("<") {
                self.skip_type_arguments();
            }
            if !interface && self.tokens.accept_word("extends") {
                class.superclass = Some(self.ty()?.name);
            }
            for word in ["extends", "implements", "permits"] {
                if self.tokens.accept_word(word) {
                    class.interfaces.push(self.ty()?.name);
                    while self.tokens.accept(",") {
                        class.interfaces.push(self.ty()?.name);
                    }
                }
            }
            self.class_body(class, interface)?;
            return Ok(true);
        }
        // Nothing of what a program does depends on how an annotation is declared.
        if self.tokens.at("@") {
            while !self.tokens.at("{") && !self.tokens.at_end() {
                self.tokens.next();
            }
            self.skip_balanced();
            return Ok(true);
        }
        let is_record = is("record") && self.tokens.peek(2).is("(");
        if is("enum") || is_record {
            let span = self.tokens.peek(0).span;
            while !self.tokens.at("{") && !self.tokens.at_end() {
                self.tokens.next();
            }
            self.skip_balanced();
            self.outside(self.tokens.since(span), "an enumeration or a record");
            return Ok(true);
        }
        Ok(false)
    }

    /// The body of a class, with its braces; the class is put into the file.
    fn class_body(&mut self, class: Class, interface: bool) -> Read<()> {
        self.deeper(|parser| {
            let mut class = class;
            parser.around.push(class.name.clone());
            parser.expect("{")?;
            while !parser.tokens.accept("}") {
                if !parser.tokens.accept(";") {
                    parser.member(&mut class, interface)?;
                }
            }
            parser.around.pop();
            parser.file.classes.push(class);
            Ok(())
        })
    }

    fn member(&mut self, class: &mut Class, interface: bool) -> Read<()> {
        let mut modifiers = self.modifiers()?;
        if self.class_if_any(&modifiers)? {
            return Ok(());
        }
        if self.tokens.at("{") {
            class.beginnings.push(Beginning {
                is_static: modifiers.is_static,
                body: self.block()?,
            });
            return Ok(());
        }
        if self.tokens.at("<") {
            self.skip_type_arguments();
        }
        let span = self.tokens.peek(0).span;
        let constructs = self.tokens.at_word(&class.name) && self.tokens.peek(1).is("(");
        let result = match constructs {
            true => Type::default(),
            false => self.ty()?,
        };
        let name = self.word()?;
        if self.tokens.at("(") {
            let name = if constructs {
                "<init>".to_owned()
            } else {
                name
            };
            let method = self.method(name, (result, &modifiers), span)?;
            class.methods.push(method);
            return Ok(());
        }
        modifiers.is_static |= interface;
        modifiers.is_final |= interface;
        let mut name = name;
        loop {
            let mut ty = result.clone();
            while self.tokens.accept("[") {
                self.expect("]")?;
                ty.dimensions += 1;
            }
            class.fields.push(Field {
                name: name.clone(),
                ty,
                is_static: modifiers.is_static,
                is_final: modifiers.is_final,
                is_volatile: modifiers.is_volatile,
                span: self.tokens.last_span(),
            });
            if self.tokens.accept("=") {
                let body = vec![self.initialiser(name)?];
                let is_static = modifiers.is_static;
                class.beginnings.push(Beginning { is_static, body });
            }
            if !self.tokens.accept(",") {
                break;
            }
            name = self.word()?;
        }
        self.expect(";")
    }

    /// The value that a field begins with, as an assignment.
    fn initialiser(&mut self, name: String) -> Read<Stmt> {
        let field_span = self.tokens.last_span();
        let value = self.variable_value()?;
        let span = value.span;
        let field = Expr {
            kind: ExprKind::Name(name),
            span: field_span,
        };
        let kind = ExprKind::Assign(Box::new([field, value]));
        Ok(Stmt {
            kind: StmtKind::Expr(Expr { kind, span }),
            span,
        })
    }

    fn method(
        &mut self,
        name: String,
        (result, modifiers): (Type, &Modifiers),
        span: Span,
    ) -> Read<Method> {
        let span = self.tokens.since(span);
        let parameters = self.parameters()?;
        while self.tokens.accept("[") {
            self.expect("]")?;
        }
        if self.tokens.accept_word("throws") {
            self.dotted()?;
            while self.tokens.accept(",") {
                self.dotted()?;
            }
        }
        let body = match self.tokens.at("{") {
            true => Some(self.block()?),
            false => {
                self.expect(";")?;
                None
            }
        };
        Ok(Method {
            name,
            is_static: modifiers.is_static,
            synchronized: modifiers.synchronized,
            result,
            parameters,
            body,
            span,
        })
    }

    fn parameters(&mut self) -> Read<Vec<(Type, String)>> {
        let mut parameters = Vec::new();
        self.expect("(")?;
        while !self.tokens.accept(")") {
            self.modifiers()?;
            let mut ty = self.ty()?;
            if self.tokens.accept("...") {
                ty.dimensions += 1;
            }
            parameters.push((ty, self.word()?));
            if !self.tokens.accept(",") && !self.tokens.at(")") {
                return self.expected("`,` or `)`");
            }
        }
        Ok(parameters)
    }

    /// A type.
    pub(crate) fn ty(&mut self) -> Read<Type> {
        let mut name = self.dotted()?;
        // `java.lang.Object`, `Outer.Inner`: the last one counts.
        if let Some((_, last)) = name.rsplit_once('.') {
            name = last.to_owned();
        }
        if self.tokens.at("<") {
            self.skip_type_arguments();
        }
        let mut dimensions = 0;
        while self.tokens.at("[") && self.tokens.peek(1).is("]") {
            self.tokens.next();
            self.tokens.next();
            dimensions += 1;
        }
        Ok(Type { name, dimensions })
    }

    /// A name with dots.
    fn dotted(&mut self) -> Read<String> {
        let mut name = self.word()?;
        while self.tokens.at(".") && self.tokens.peek(1).kind == TokenKind::Name {
            self.tokens.next();
            name = format!("{name}.{}", self.word()?);
        }
        Ok(name)
    }

    /// How many tokens from here on may be a type, if a name stands behind them.
    pub(crate) fn type_before_name(&self) -> bool {
        let begins = ["new", "this", "super", "null", "true", "false"];
        if begins.iter().any(|word| self.tokens.at_word(word)) {
            return false;
        }
        let Some(mut at) = self.type_length(0) else {
            return false;
        };
        while self.tokens.peek(at).is("[") && self.tokens.peek(at + 1).is("]") {
            at += 2;
        }
        let next = self.tokens.peek(at);
        next.kind == TokenKind::Name && !next.is_word("instanceof")
    }

    /// The place behind what may be a type at a place.
    fn type_length(&self, mut at: usize) -> Option<usize> {
        loop {
            if self.tokens.peek(at).kind != TokenKind::Name {
                return None;
            }
            at += 1;
            if self.tokens.peek(at).is("<") {
                at = self.type_arguments_end(at)?;
            }
            if !self.tokens.peek(at).is(".") {
                return Some(at);
            }
            at += 1;
        }
    }

    /// The place behind type arguments that begin at a place.
    fn type_arguments_end(&self, mut at: usize) -> Option<usize> {
        let mut open = 0_usize;
        loop {
            let token = self.tokens.peek(at);
            match &*token.text {
                "<" => open += 1,
                ">" => open -= 1,
                "." | "," | "?" | "[" | "]" | "&" => {}
                _ if token.kind == TokenKind::Name => {}
                _ => return None,
            }
            at += 1;
            if open == 0 {
                return Some(at);
            }
        }
    }

    fn skip_type_arguments(&mut self) {
        if let Some(end) = self.type_arguments_end(0) {
            (0..end).for_each(|_| {
                self.tokens.next();
            });
        }
    }

    /// Passes over a bracket and all up to the one that closes it.
    pub(crate) fn skip_balanced(&mut self) {
        let mut open = 0_usize;
        while !self.tokens.at_end() {
            match &*self.tokens.next().text {
                "(" | "{" | "[" => open += 1,
                ")" | "}" | "]" => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }

    /// Says that something is outside of what is understood.
    pub(crate) fn outside(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not understood: no property is reported to hold");
        let warning = Diagnostic::warning(codes::OUTSIDE, message);
        self.diagnostics.push(warning.at(span));
    }

    pub(crate) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Parser) -> Read<T>) -> Read<T> {
        if self.depth == DEEPEST {
            let message = format!("this stands inside more than {DEEPEST} others");
            let error = Diagnostic::error(codes::SYNTAX, message);
            self.diagnostics.push(error.at(self.tokens.peek(0).span));
            return Err(());
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    pub(crate) fn word(&mut self) -> Read<String> {
        if self.tokens.peek(0).kind != TokenKind::Name {
            return self.expected("a name");
        }
        Ok(self.tokens.next().text.to_string())
    }

    pub(crate) fn expect(&mut self, text: &str) -> Read<()> {
        if self.tokens.accept(text) {
            return Ok(());
        }
        self.expected(&format!("`{text}`"))
    }

    pub(crate) fn expected<T>(&mut self, what: &str) -> Read<T> {
        let message = format!("{what} is expected here, and not {}", self.tokens.found());
        let error = Diagnostic::error(codes::SYNTAX, message);
        self.diagnostics.push(error.at(self.tokens.peek(0).span));
        Err(())
    }
}
