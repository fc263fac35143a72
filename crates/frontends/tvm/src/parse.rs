//! Reading the sections of a file.

use model::predicates::Kleene;
use source::{Diagnostic, Diagnostics, Span, Token, TokenKind, TokenStream};

use crate::codes;
use crate::tree::{
    Call, Declaration, Edge, Effect, File, Initial, Join, Name, Predicate, Rule, Set, Thread,
    Tuple, Update,
};

/// What was read, or nothing: then it has been said why.
pub(crate) type Result<T> = std::result::Result<T, ()>;

/// Formulas and blocks may stand inside each other so deep.
const DEEPEST: usize = 200;

/// Reads tokens.
pub(crate) struct Parser {
    pub(crate) tokens: TokenStream,
    pub(crate) diagnostics: Diagnostics,
    depth: usize,
    blocks: usize,
}

impl Parser {
    pub(crate) fn new(tokens: Vec<Token>) -> Parser {
        Parser {
            tokens: TokenStream::new(tokens),
            diagnostics: Diagnostics::new(),
            depth: 0,
            blocks: 0,
        }
    }

    /// A TVM file. What comes behind the first error is not looked at.
    pub(crate) fn file(&mut self) -> File {
        let mut file = File::default();
        let _: Result<()> = self.sections(&mut file);
        file
    }

    /// A TVP file, the same way.
    pub(crate) fn sequential_file(&mut self) -> File {
        let mut file = File::default();
        let _: Result<()> = self.sequential_sections(&mut file);
        file
    }

    fn sequential_sections(&mut self, file: &mut File) -> Result<()> {
        file.declarations = self.declarations()?;
        self.expect("%%")?;
        while self.tokens.at_word("%action") {
            file.actions.push(self.action()?);
        }
        self.expect("%%")?;
        let mut flow = Vec::new();
        while !self.tokens.at_end() && !self.tokens.at("%%") && !self.tokens.at_word("%initial") {
            flow.push(self.edge(None)?);
        }
        file.flow = Some(flow);
        self.initial(file)?;
        if self.tokens.accept("%%") {
            // They choose the locations whose structures are written; none is, here.
            while self.tokens.peek(0).kind == TokenKind::Name {
                self.word()?;
                self.tokens.accept(",");
            }
        }
        self.end()
    }

    fn initial(&mut self, file: &mut File) -> Result<()> {
        while self.tokens.accept_word("%initial") {
            self.expect("{")?;
            self.located(&mut file.initial)?;
            self.expect("}")?;
        }
        Ok(())
    }

    fn sections(&mut self, file: &mut File) -> Result<()> {
        file.declarations = self.declarations()?;
        self.expect("%%")?;
        while self.tokens.at_word("%action") {
            file.actions.push(self.action()?);
        }
        self.expect("%%")?;
        while self.tokens.at_word("%thread") {
            file.threads.push(self.thread()?);
        }
        if self.tokens.at_word("%method") {
            return self.unsupported("methods");
        }
        if self.tokens.accept("%%") {
            while self.tokens.peek(0).kind == TokenKind::Name && !self.tokens.at_word("%initial") {
                file.claims.push(self.call()?);
            }
        }
        self.initial(file)?;
        if self.tokens.accept("%%") {
            loop {
                let span = self.tokens.peek(0).span;
                let chosen = ["%include", "%exclude"];
                if !chosen.into_iter().any(|one| self.tokens.accept_word(one)) {
                    break;
                }
                file.output.push((self.formula()?, span));
            }
        }
        self.end()
    }

    /// A TVS file.
    pub(crate) fn structures(&mut self) -> Vec<Initial> {
        let mut all = Vec::new();
        while !self.tokens.at_end() {
            if self.located(&mut all).is_err() {
                break;
            }
        }
        all
    }

    /// A structure, or several of a location.
    fn located(&mut self, all: &mut Vec<Initial>) -> Result<()> {
        if !self.tokens.accept_word("%location") {
            all.push(self.structure()?);
            return Ok(());
        }
        let span = self.tokens.peek(0).span;
        let location = self.word()?;
        self.expect("=")?;
        self.expect("{")?;
        while !self.tokens.accept("}") {
            let mut structure = self.structure()?;
            structure.location = Some((location.clone(), span));
            all.push(structure);
        }
        Ok(())
    }

    pub(crate) fn end(&mut self) -> Result<()> {
        if self.tokens.at_end() {
            return Ok(());
        }
        self.error("this cannot stand here");
        Err(())
    }

    /// Says what is wrong with what comes.
    pub(crate) fn error(&mut self, message: &str) {
        let found = self.tokens.found();
        let span = self.tokens.peek(0).span;
        self.report(codes::SYNTAX, span, format!("{message}, but {found} comes"));
    }

    fn report(&mut self, code: &'static str, span: Span, message: String) {
        let error = Diagnostic::error(code, message);
        self.diagnostics.push(error.at(span));
    }

    pub(crate) fn unsupported<T>(&mut self, what: &str) -> Result<T> {
        let span = self.tokens.peek(0).span;
        self.report(
            codes::UNSUPPORTED,
            span,
            format!("{what} cannot be verified yet"),
        );
        Err(())
    }

    /// Reads something that may contain itself.
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            self.error("this is nested too deeply");
            return Err(());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(crate) fn expect(&mut self, mark: &str) -> Result<()> {
        if self.tokens.accept(mark) {
            return Ok(());
        }
        self.error(&format!("`{mark}` is expected here"));
        Err(())
    }

    pub(crate) fn keyword(&mut self, word: &str) -> Result<()> {
        if self.tokens.accept_word(word) {
            return Ok(());
        }
        self.error(&format!("`{word}` is expected here"));
        Err(())
    }

    pub(crate) fn word(&mut self) -> Result<String> {
        let token = self.tokens.peek(0);
        if token.kind == TokenKind::Name && !token.text.starts_with('%') {
            return Ok(self.tokens.next().text.to_string());
        }
        self.error("a name is expected here");
        Err(())
    }

    /// Names between two marks, with commas.
    pub(crate) fn list(&mut self, open: &str, close: &str) -> Result<Vec<String>> {
        self.expect(open)?;
        let mut words = Vec::new();
        while !self.tokens.accept(close) {
            if !words.is_empty() {
                self.expect(",")?;
            }
            words.push(self.word()?);
        }
        Ok(words)
    }

    pub(crate) fn words_in_parentheses(&mut self) -> Result<Vec<String>> {
        self.list("(", ")")
    }

    /// A set, or several that `+`, `-` and `&` join from the left.
    pub(crate) fn set(&mut self) -> Result<Set> {
        let mut set = self.simple_set()?;
        loop {
            let join = match &*self.tokens.peek(0).text {
                "+" => Join::Union,
                "-" => Join::Difference,
                "&" => Join::Intersection,
                _ => return Ok(set),
            };
            self.tokens.next();
            set = Set::Joined(Box::new([set, self.simple_set()?]), join);
        }
    }

    fn simple_set(&mut self) -> Result<Set> {
        if self.tokens.at("{") && self.tokens.peek(2).is("[") {
            self.expect("{")?;
            let name = self.name()?;
            self.expect(":")?;
            let variable = self.word()?;
            self.keyword("in")?;
            let set = self.deeper(Parser::set)?;
            self.expect("}")?;
            return Ok(Set::Each(name, variable, Box::new(set)));
        }
        if self.tokens.at("{") {
            return Ok(Set::Of(self.list("{", "}")?));
        }
        let span = self.tokens.peek(0).span;
        Ok(Set::Named(self.word()?, span))
    }

    pub(crate) fn declarations(&mut self) -> Result<Vec<Declaration>> {
        let mut all = Vec::new();
        loop {
            let token = self.tokens.peek(0).clone();
            all.push(match &*token.text {
                "%s" => {
                    self.tokens.next();
                    Declaration::Set(self.word()?, self.set()?)
                }
                "%p" | "%i" => {
                    self.tokens.next();
                    Declaration::Predicate(self.predicate(&token.text)?)
                }
                "%r" => {
                    self.tokens.next();
                    let body = self.formula()?;
                    self.expect("==>")?;
                    let head = self.formula()?;
                    let span = self.tokens.since(token.span);
                    Declaration::Rule(Rule { body, head, span })
                }
                "%f" => {
                    self.tokens.next();
                    Declaration::Focus(self.focused()?)
                }
                "%message" => {
                    self.tokens.next();
                    let (formula, text, span) = self.message(token.span)?;
                    Declaration::Message(formula, text, span)
                }
                "foreach" => {
                    let (variable, set) = self.each()?;
                    self.expect("{")?;
                    let inner = self.deeper(Parser::declarations)?;
                    self.expect("}")?;
                    Declaration::Each(variable, set, inner)
                }
                _ => return Ok(all),
            });
        }
    }

    /// `foreach (x in S)`.
    fn each(&mut self) -> Result<(String, Set)> {
        self.keyword("foreach")?;
        self.expect("(")?;
        let member = self.member()?;
        self.expect(")")?;
        Ok(member)
    }

    /// `x in S`.
    pub(crate) fn member(&mut self) -> Result<(String, Set)> {
        let variable = self.word()?;
        self.keyword("in")?;
        Ok((variable, self.set()?))
    }

    fn predicate(&mut self, kind: &str) -> Result<Predicate> {
        let name = self.name()?;
        let arguments = self.words_in_parentheses()?;
        let definition = match kind {
            "%i" => {
                self.expect("=")?;
                Some(self.formula()?)
            }
            _ => None,
        };
        let mut attributes = Vec::new();
        while self.tokens.peek(0).kind == TokenKind::Name
            && !self.tokens.peek(0).text.starts_with('%')
            && !self.tokens.at_word("foreach")
        {
            let token = self.tokens.next();
            attributes.push((token.text.to_string(), token.span));
        }
        if self.tokens.accept("{") {
            // Which values are drawn.
            while !self.tokens.at_end() && !self.tokens.accept("}") {
                self.tokens.next();
            }
        }
        Ok(Predicate {
            name,
            arguments,
            definition,
            attributes,
        })
    }

    pub(crate) fn text(&mut self) -> Result<String> {
        let token = self.tokens.peek(0).clone();
        if token.kind != TokenKind::Text {
            self.error("a text in double quotes is expected here");
            return Err(());
        }
        self.tokens.next();
        Ok(token.text.trim_matches('"').to_owned())
    }

    /// Texts and names that `+` joins. A parameter stands for itself: all uses of an action share its
    /// messages.
    pub(crate) fn texts(&mut self) -> Result<String> {
        let mut all = String::new();
        loop {
            all.push_str(&match self.tokens.peek(0).kind {
                TokenKind::Text => self.text()?,
                _ => self.word()?,
            });
            if !self.tokens.accept("+") {
                return Ok(all);
            }
        }
    }

    /// Updates, and the brace behind them.
    pub(crate) fn updates(&mut self) -> Result<Vec<Update>> {
        let mut all = Vec::new();
        while !self.tokens.accept("}") {
            if self.tokens.at_word("foreach") {
                let (variable, set) = self.each()?;
                self.expect("{")?;
                let inner = self.deeper(Parser::updates)?;
                all.push(Update::Each(variable, set, inner));
                continue;
            }
            let name = self.name()?;
            let parameters = self.words_in_parentheses()?;
            self.expect("=")?;
            all.push(Update::Set(name, parameters, self.formula()?));
        }
        Ok(all)
    }

    fn call(&mut self) -> Result<Call> {
        let span = self.tokens.peek(0).span;
        let name = self.word()?;
        let arguments = self.words_in_parentheses()?;
        Ok(Call {
            name,
            arguments,
            span: self.tokens.since(span),
        })
    }

    fn thread(&mut self) -> Result<Thread> {
        self.keyword("%thread")?;
        let name = self.word()?;
        self.expect("{")?;
        let mut edges = Vec::new();
        while !self.tokens.accept("}") {
            if self.tokens.accept_word("atomic") {
                self.blocks += 1;
                self.expect("{")?;
                while !self.tokens.accept("}") {
                    let block = Some(self.blocks);
                    edges.push(self.edge(block)?);
                }
                continue;
            }
            edges.push(self.edge(None)?);
        }
        Ok(Thread { name, edges })
    }

    fn edge(&mut self, block: Option<usize>) -> Result<Edge> {
        let start = self.tokens.peek(0).span;
        let from = self.word()?;
        let asserts = ["%assert", "%hardassert"];
        let effect = if asserts.contains(&&*self.tokens.peek(0).text) {
            self.tokens.next();
            self.expect("(")?;
            let formula = self.formula()?;
            self.expect(")")?;
            Effect::Assert(formula)
        } else {
            Effect::Call(self.call()?)
        };
        let to = self.word()?;
        Ok(Edge {
            from,
            effect,
            to,
            block,
            span: self.tokens.since(start),
        })
    }

    fn structure(&mut self) -> Result<Initial> {
        let start = self.tokens.peek(0).span;
        let mut initial = Initial::default();
        if self.tokens.accept_word("%t") {
            self.expect("=")?;
            self.expect("{")?;
            while !self.tokens.accept("}") {
                if !initial.threads.is_empty() {
                    self.expect(",")?;
                }
                let span = self.tokens.peek(0).span;
                let name = self.word()?;
                let of = self.words_in_parentheses()?;
                let span = self.tokens.since(span);
                match of.as_slice() {
                    [kind] => initial.threads.push((name, kind.clone(), None, span)),
                    [kind, label] => {
                        initial
                            .threads
                            .push((name, kind.clone(), Some(label.clone()), span));
                    }
                    _ => {
                        self.report(
                            codes::SYNTAX,
                            span,
                            "a thread has a type, and perhaps a label".to_owned(),
                        );
                        return Err(());
                    }
                }
            }
        }
        self.keyword("%n")?;
        self.expect("=")?;
        self.expect("{")?;
        while !self.tokens.accept("}") {
            if !initial.individuals.is_empty() {
                self.expect(",")?;
            }
            let span = self.tokens.peek(0).span;
            let name = self.word()?;
            initial.individuals.push((name, span));
        }
        if self.tokens.accept_word("%p") {
            self.expect("=")?;
            self.expect("{")?;
            while !self.tokens.accept("}") {
                let name = self.name()?;
                let values = self.values(&name)?;
                initial.values.push((name, values));
            }
        }
        initial.span = self.tokens.since(start);
        Ok(initial)
    }

    /// `= 1/2` or `= {a, b:1/2, a->b, (a, b, c):1}`.
    fn values(&mut self, name: &Name) -> Result<Vec<Tuple>> {
        if !self.tokens.accept("=") {
            return Ok(vec![(Vec::new(), Kleene::True, name.span)]);
        }
        if !self.tokens.accept("{") {
            let value = self.value()?;
            return Ok(vec![(Vec::new(), value, name.span)]);
        }
        let mut all = Vec::new();
        while !self.tokens.accept("}") {
            if !all.is_empty() {
                self.expect(",")?;
            }
            let span = self.tokens.peek(0).span;
            let mut tuple = match self.tokens.at("(") {
                true => self.words_in_parentheses()?,
                false => vec![self.word()?],
            };
            if self.tokens.accept("->") {
                tuple.push(self.word()?);
            }
            let value = match self.tokens.accept(":") {
                true => self.value()?,
                false => Kleene::True,
            };
            all.push((tuple, value, self.tokens.since(span)));
        }
        Ok(all)
    }
}
