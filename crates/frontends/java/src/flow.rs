//! From statements to the steps of threads: labels, edges, what has been entered, and how it is left.

mod assigned;
mod call;
mod condition;
mod expression;
mod library;
mod loading;
mod name;
mod statement;
mod threads;

use std::collections::HashMap;

use source::{Diagnostic, Diagnostics, Span};

use crate::classes::{ClassId, Classes, Kind};
use crate::code::{
    Code, Edge, FieldId, FieldInfo, Label, LabelInfo, Op, Raise, Ref, Value, VarId, VarInfo,
};
use crate::codes;
use crate::tree::Stmt;

pub(crate) use threads::code;

/// Code with more labels than this is not looked at.
const MOST_LABELS: usize = 2_000;

/// What a local variable stands for.
#[derive(Clone, Debug)]
enum Local {
    /// A reference, the class of its type, and whether it stays the same while the variable lives.
    Reference(Ref, ClassId, bool),
    Flag(VarId),
    /// Of this type.
    Data(String),
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Val {
    /// A reference of a class, and whether it is surely none.
    Reference(Ref, Option<ClassId>, bool),
    Flag(Value),
    Data,
}

/// Something that has been entered and will be left.
#[derive(Clone, Debug)]
enum Scope<'a> {
    Monitor(Ref),
    Finally(&'a [Stmt]),
    /// Where exceptions are caught, and whether all are.
    Catch(Label, bool),
    /// A call, and where it returns.
    Call(Label),
    /// A loop or a switch: where it ends, and where it goes on.
    Loop(Label, Option<Label>, Option<String>),
}

/// A call that has not returned.
#[derive(Clone, Debug, Default)]
struct Frame {
    class: Option<ClassId>,
    this: Option<Ref>,
    locals: Vec<(String, Local)>,
    /// What is assigned in the method.
    assigned: Vec<String>,
    /// Where it is in the text, to know a call of itself.
    method: Span,
    result: Option<Local>,
}

/// Makes code of a file.
struct Flow<'a, 'd> {
    classes: &'a Classes<'a>,
    text: &'a str,
    diagnostics: &'d mut Diagnostics,
    code: Code,
    field_ids: HashMap<(ClassId, String), FieldId>,
    /// What variables around a class without a name stand for, where that is no field.
    constants: HashMap<(ClassId, String), (Ref, ClassId)>,
    /// The names of fields and variables that some method assigns to.
    assigned_fields: Vec<String>,
    /// Where the next step begins; none, where nothing goes on.
    here: Option<Label>,
    /// Each with a number that no other one has had.
    scopes: Vec<(usize, Scope<'a>)>,
    frames: Vec<Frame>,
    /// Where exceptions go, by the scopes that are open.
    raises: HashMap<Vec<usize>, Label>,
    next_scope: usize,
    main: bool,
    reached: Vec<bool>,
    /// The static types of what threads are made with.
    targets: Vec<ClassId>,
    /// Whether an operation may throw what is not followed.
    may_throw: bool,
}

impl<'a> Flow<'a, '_> {
    /// A label inside of what has been entered.
    fn label(&mut self, span: Span) -> Label {
        let monitors = self.scopes.iter().filter_map(|(_, scope)| match scope {
            Scope::Monitor(monitor) => Some(*monitor),
            _ => None,
        });
        let info = LabelInfo {
            name: self.place(span),
            monitors: monitors.collect(),
            ..LabelInfo::default()
        };
        self.reached.push(false);
        self.code.labels.push(info);
        Label(self.code.labels.len() - 1)
    }

    /// A line, for people.
    fn place(&self, span: Span) -> String {
        let before = self.text.get(..span.start as usize).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        line.to_string()
    }

    fn edge(&mut self, to: Option<Label>, op: Op, span: Span, approximate: bool) {
        let Some(from) = self.here else {
            return;
        };
        let raise = match (&op, op.base()) {
            (Op::Wait(_) | Op::Notify(_) | Op::NotifyAll(_) | Op::Start(_), _) => self.raise(span),
            (Op::NotifyNobody(_), _) | (_, None | Some(Ref::Me | Ref::Class(_))) => Raise::Never,
            _ => self.raise(span),
        };
        for label in to.into_iter().chain(match raise {
            Raise::To(label) => Some(label),
            Raise::Never | Raise::Ends => None,
        }) {
            self.reached[label.0] = true;
        }
        self.code.edges.push(Edge {
            from,
            to,
            op,
            raise,
            span,
            approximate,
        });
    }

    /// One step; the next begins behind it.
    fn step(&mut self, op: Op, span: Span) {
        if self.here.is_some() && !self.is_too_large(span) {
            let to = self.label(span);
            self.edge(Some(to), op, span, false);
            self.here = Some(to);
        }
    }

    /// Whether there is too much code; then nothing is added.
    fn is_too_large(&mut self, span: Span) -> bool {
        if self.code.labels.len() < MOST_LABELS {
            return false;
        }
        self.here = None;
        let message = format!("with calls inlined, there are more than {MOST_LABELS} steps");
        let error = Diagnostic::error(codes::LARGE, message).at(span);
        if !self.diagnostics.has_errors() {
            self.diagnostics
                .push(error.help("verify a part of the program on its own"));
        }
        true
    }

    /// Goes to a label.
    fn goto(&mut self, to: Label, span: Span) {
        self.edge(Some(to), Op::Skip, span, false);
        self.here = None;
    }

    /// Goes on at a label, if anything leads there.
    fn resume(&mut self, at: Label) {
        self.here = self.reached[at.0].then_some(at);
    }

    /// One label for several ends.
    fn joined(
        &mut self,
        ends: impl IntoIterator<Item = Option<Label>>,
        span: Span,
    ) -> Option<Label> {
        let ends: Vec<Label> = ends.into_iter().flatten().collect();
        match ends[..] {
            [] => None,
            [only] => Some(only),
            _ => {
                let to = self.label(span);
                for end in ends {
                    self.here = Some(end);
                    self.goto(to, span);
                }
                Some(to)
            }
        }
    }

    fn enter(&mut self, scope: Scope<'a>) {
        self.next_scope += 1;
        self.scopes.push((self.next_scope, scope));
    }

    /// Leaves all that was entered since there were so many scopes: monitors are given back, what is
    /// to be done finally is done. The scopes stay as they are for what stands behind.
    fn unwound(&mut self, depth: usize, span: Span, then: impl FnOnce(&mut Self)) {
        let (scopes, frames) = (self.scopes.clone(), self.frames.clone());
        while self.scopes.len() > depth {
            match self.scopes.pop() {
                Some((_, Scope::Monitor(_))) => self.step(Op::Unlock, span),
                Some((_, Scope::Finally(body))) => self.statements(body),
                Some((_, Scope::Call(_))) => {
                    self.frames.pop();
                }
                _ => {}
            }
        }
        then(self);
        (self.scopes, self.frames) = (scopes, frames);
        self.here = None;
    }

    /// Where an exception goes from here.
    fn raise(&mut self, span: Span) -> Raise {
        let matters = |scope: &Scope<'_>| !matches!(scope, Scope::Call(_) | Scope::Loop(..));
        if !self.scopes.iter().any(|(_, scope)| matters(scope)) {
            return Raise::Ends;
        }
        let key: Vec<usize> = self.scopes.iter().map(|(number, _)| *number).collect();
        if let Some(&known) = self.raises.get(&key) {
            return Raise::To(known);
        }
        let label = self.label(span);
        self.raises.insert(key, label);
        let before = self.here.replace(label);
        self.thrown(self.scopes.len(), span);
        self.here = before;
        Raise::To(label)
    }

    /// An exception goes on outside of so many scopes.
    fn thrown(&mut self, within: usize, span: Span) {
        let scopes = self.scopes[..within].iter();
        let mut catches = scopes.enumerate().rev();
        let caught = catches.find_map(|(depth, (_, scope))| match scope {
            Scope::Catch(handler, all) => Some((depth, *handler, *all)),
            _ => None,
        });
        match caught {
            Some((depth, handler, all)) => self.unwound(depth, span, |flow| {
                flow.edge(Some(handler), Op::Skip, span, !all);
                if !all && flow.here.is_some() {
                    let outward = flow.label(span);
                    flow.edge(Some(outward), Op::Skip, span, true);
                    flow.here = Some(outward);
                    flow.thrown(depth, span);
                }
            }),
            None => self.unwound(0, span, |flow| flow.edge(None, Op::Skip, span, false)),
        }
    }

    fn variable(&mut self, name: &str, flag: bool) -> VarId {
        self.code.vars.push(VarInfo {
            name: name.to_owned(),
            flag,
            main: self.main,
        });
        VarId(self.code.vars.len() - 1)
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("code stands in a method")
    }

    /// A field by the class that declares it.
    fn field_id(
        &mut self,
        class: ClassId,
        name: &str,
        info: impl FnOnce() -> FieldInfo,
    ) -> FieldId {
        let key = (class, name.to_owned());
        *self.field_ids.entry(key).or_insert_with(|| {
            self.code.fields.push(info());
            FieldId(self.code.fields.len() - 1)
        })
    }

    /// A field that nobody declares, which keeps what an object is made with.
    fn hidden_field(&mut self, class: ClassId, name: &str, kind: Kind) -> FieldId {
        let owner = self.classes.get(class).name.clone();
        self.field_id(class, name, || FieldInfo {
            name: format!("{owner}.{name}"),
            kind,
            is_static: false,
            is_final: true,
            ordered: true,
            span: Span::NONE,
        })
    }

    /// Says that something is outside of what is understood.
    fn outside(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not understood: no property is reported to hold");
        let warning = Diagnostic::warning(codes::OUTSIDE, message).at(span);
        if self.diagnostics.iter().all(|known| *known != warning) {
            self.diagnostics.push(warning);
        }
    }

    /// Says that something may be either here.
    fn choice(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not followed: it may be either here");
        let note = Diagnostic::note(codes::CHOICE, message).at(span);
        if self.diagnostics.iter().all(|known| *known != note) {
            self.diagnostics.push(note);
        }
    }
}
