//! A toy: lamps that are switched by chance, all that a language has to be.
//!
//! ```text
//! lamp hall        # one that may be switched at any step
//! lamp attic
//! never hall attic # a property: they are not on together
//! ```

use language::{FrontEnd, Language, OptionSpec, Read, Request};
use model::{
    Claim, Composition, ExprId, FiniteRuns, Place, Program, Property, SyncAssign, Type, ValueSet,
    Variable,
};
use source::{CodeDoc, Diagnostic, Diagnostics, Loaded, SourceMap, Span};

/// The language.
pub(crate) struct Toy;

const DARK: OptionSpec = OptionSpec {
    name: "dark",
    help: "No lamp is ever on",
    ..OptionSpec::SWITCH
};

const LINE: &str = "TOY0001";

const CODES: &[CodeDoc] = &[CodeDoc {
    code: LINE,
    title: "line not understood",
    body: "## What it does\n\
           Refuses a line that is neither `lamp NAME` nor `never NAME...`.\n\n\
           ## Why is this bad\n\
           Nobody knows what it means.\n\n\
           ## Example\n\
           `lmap hall`\n\n\
           ## How to fix\n\
           Write `lamp hall`.",
}];

impl FrontEnd for Toy {
    fn language(&self) -> &'static Language {
        &Language {
            name: "toy",
            title: "Toy",
            extensions: &["toy"],
            shared_extensions: &[],
            options: &[&DARK],
            targets: &[("lamps", "the lamps of a toy, one a line")],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        &[CODES]
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let read = |text: &str| {
            let mut sources = SourceMap::new();
            let file = sources.add(request.name(), text);
            let mut lowering = Lowering::new(&request.name(), request.settings.has(DARK.name));
            for number in 1..=sources.file(file).line_count() {
                let span = sources.file(file).line_span(number);
                lowering.line(sources.file(file).line_text(number), span);
            }
            for extra in request.extra_properties {
                lowering.line(extra, Span::NONE);
            }
            Loaded::new(sources, lowering.diagnostics, Some(lowering.program))
        };
        request.read_text(read).into()
    }

    fn translate(&self, target: &str, request: &Request<'_>) -> Option<Loaded<String>> {
        let read = self.load(request).loaded;
        let lamps = read.program.map(|program| {
            let names = program
                .globals
                .iter()
                .map(|lamp| format!("{}\n", lamp.name));
            names.collect()
        });
        (target == "lamps").then_some(Loaded {
            sources: read.sources,
            diagnostics: read.diagnostics,
            program: lamps,
        })
    }
}

struct Lowering {
    program: Program,
    is_dark: bool,
    lamps: Vec<(String, ExprId)>,
    diagnostics: Diagnostics,
}

impl Lowering {
    fn new(name: &str, is_dark: bool) -> Self {
        let mut program = Program::new(name, "Toy");
        program.finite_runs = FiniteRuns::InfiniteOnly;
        program.composition = Composition::Synchronous(Vec::new());
        Lowering {
            program,
            is_dark,
            lamps: Vec::new(),
            diagnostics: Diagnostics::new(),
        }
    }

    fn line(&mut self, line: &str, span: Span) {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["lamp", name] => self.lamp(name, span),
            ["never", names @ ..] if !names.is_empty() => self.never(line.trim(), names, span),
            _ => self.refuse("this line is not understood", span),
        }
    }

    fn lamp(&mut self, name: &str, span: Span) {
        let off = self.program.exprs.bool(false);
        let global = self.program.add_global(Variable {
            init: Some(ValueSet::One(off)),
            span,
            ..Variable::new(name, Type::Bool)
        });
        let next = match self.is_dark {
            true => ValueSet::One(off),
            false => ValueSet::All(Type::Bool),
        };
        if let Composition::Synchronous(assigns) = &mut self.program.composition {
            assigns.push(SyncAssign { global, next });
        }
        let is_on = self.program.exprs.load(Place::global(global), Type::Bool);
        self.lamps.push((name.to_owned(), is_on));
    }

    fn never(&mut self, text: &str, names: &[&str], span: Span) {
        let mut all = self.program.exprs.bool(true);
        for name in names {
            let Some((_, is_on)) = self.lamps.iter().find(|(lamp, _)| lamp == name) else {
                self.refuse(&format!("there is no lamp `{name}`"), span);
                return;
            };
            all = self.program.exprs.and(all, *is_on);
        }
        let claim = Claim::Always(self.program.exprs.not(all));
        self.program.add_property(Property {
            name: names.join("-"),
            text: text.to_owned(),
            span,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
    }

    fn refuse(&mut self, message: &str, span: Span) {
        self.diagnostics
            .push(Diagnostic::error(LINE, message).at(span));
    }
}
