//! Truth values beside variables: whether what was assigned to each last carries a secret.
//!
//! Where nothing but assignments can make a value depend on a secret, that is the answer to a
//! question of the policy; elsewhere, a secret that is carried so is a violation, and if none is,
//! either answer may be true.

use std::collections::{HashMap, HashSet};

use model::{Choice, Expr, ExprId, Place, Process, Program, Root, Stmt, Type, Variable};

use super::build::Build;
use super::secrecy::{Level, Levels};

/// The answers to questions: what is known of the arguments, and their values.
pub(super) type Answers = HashMap<Root, (Level, Vec<ExprId>)>;

/// Puts the truth values into a process.
pub(super) struct Shadows<'a> {
    program: &'a mut Program,
    process: &'a mut Process,
    levels: &'a Levels,
    answers: Answers,
    /// By variable: the truth values beside it.
    beside: HashMap<Root, Root>,
}

impl<'a> Shadows<'a> {
    pub(super) fn new(
        program: &'a mut Program,
        process: &'a mut Process,
        levels: &'a Levels,
        answers: Answers,
    ) -> Self {
        Shadows {
            program,
            process,
            levels,
            answers,
            beside: HashMap::new(),
        }
    }

    /// Answers the questions at their places. Gives the truth values.
    pub(super) fn insert(mut self) -> HashSet<Root> {
        let mut levels = self.answers.values().map(|(level, _)| *level);
        let is_asked = levels.any(|level| level != Level::Never);
        for number in 0..self.process.steps.len() {
            source::limits::check();
            let body = std::mem::take(&mut self.process.steps[number].body);
            self.process.steps[number].body = self.body(body, is_asked);
        }
        self.beside.into_values().collect()
    }

    /// The statements with those that keep truth values up to date, if somebody asks for them.
    fn body(&mut self, body: Vec<Stmt>, is_asked: bool) -> Vec<Stmt> {
        let mut all = Vec::with_capacity(body.len());
        for stmt in body {
            match stmt {
                Stmt::Choose(choice) => match self.answers.get(&choice.place.root).cloned() {
                    Some((level, arguments)) => all.push(self.answer(choice, level, &arguments)),
                    None => {
                        if is_asked && self.is_told(&choice.place) {
                            let no = self.program.exprs.bool(false);
                            all.push(Stmt::Assign(self.beside(&choice.place), no));
                        }
                        all.push(Stmt::Choose(choice));
                    }
                },
                Stmt::Assign(place, value) => {
                    if is_asked && self.is_told(&place) {
                        let carries = self.carries(value);
                        all.push(Stmt::Assign(self.beside(&place), carries));
                    }
                    all.push(Stmt::Assign(place, value));
                }
                Stmt::If(cond, yes, no) => {
                    let (yes, no) = (self.body(yes, is_asked), self.body(no, is_asked));
                    all.push(Stmt::If(cond, yes, no));
                }
                other => all.push(other),
            }
        }
        all
    }

    fn answer(&mut self, choice: Choice, level: Level, arguments: &[ExprId]) -> Stmt {
        if level == Level::Never {
            let no = self.program.exprs.bool(false);
            return Stmt::Assign(choice.place, no);
        }
        let carries = self.any(arguments);
        if level == Level::Assigned {
            return Stmt::Assign(choice.place, carries);
        }
        let yes = self.program.exprs.bool(true);
        let known = Stmt::Assign(choice.place.clone(), yes);
        Stmt::If(carries, vec![known], vec![Stmt::Choose(choice)])
    }

    /// Whether a place has a truth value beside it.
    fn is_told(&self, place: &Place) -> bool {
        self.levels.is_single(place)
            && !self.levels.is_secret(&place.root)
            && self.levels.of(&place.root) != Level::Never
    }

    /// Where it is kept whether a place carries a secret.
    fn beside(&mut self, of: &Place) -> Place {
        let root = match self.beside.get(&of.root) {
            Some(root) => *root,
            None => self.new_beside(of.root),
        };
        Place {
            root,
            path: of.path.clone(),
        }
    }

    fn new_beside(&mut self, of: Root) -> Root {
        let ty = match of {
            Root::Global(global) => &self.program.globals[global.index()].ty,
            Root::Own(local) => &self.process.locals[local as usize].ty,
            _ => unreachable!("others may carry a secret anyhow"),
        };
        let ty = match ty {
            Type::Array(_, length) => Type::Array(Box::new(Type::Bool), *length),
            _ => Type::Bool,
        };
        let variable = Variable::new("whether it carries a secret", ty);
        let place = match of {
            Root::Global(_) => Place::global(self.program.add_global(variable)),
            _ => {
                self.process.locals.push(variable);
                Place::own(self.process.locals.len() - 1)
            }
        };
        self.beside.insert(of, place.root);
        place.root
    }

    /// Whether one of some values carries a secret now.
    fn any(&mut self, values: &[ExprId]) -> ExprId {
        let mut carries = self.program.exprs.bool(false);
        for &value in values {
            let here = self.carries(value);
            carries = self.program.exprs.or(carries, here);
        }
        carries
    }

    fn carries(&mut self, value: ExprId) -> ExprId {
        if self.levels.of_expr(value, &self.program.exprs) == Level::Never {
            return self.program.exprs.bool(false);
        }
        match self.program.exprs.get(value).clone() {
            Expr::Load(place) if self.levels.is_secret(&place.root) => {
                self.program.exprs.bool(true)
            }
            Expr::Load(place) if self.is_told(&place) => {
                let beside = self.beside(&place);
                self.program.exprs.load(beside, Type::Bool)
            }
            // That it depends on where it is read is no assignment.
            Expr::Load(_) => self.program.exprs.bool(false),
            Expr::Ite(cond, yes, no) => {
                let (yes, no) = (self.carries(yes), self.carries(no));
                self.program.exprs.either(cond, yes, no)
            }
            other => {
                let mut operands = Vec::new();
                other.operands(|operand| operands.push(operand));
                self.any(&operands)
            }
        }
    }
}
