//! The body of a function: structured control flow as the specification has it. A branch gives the
//! variables of its label their values and goes there.

use model::{Binary, ExprId, LocId};
use source::Span;
use wasmparser::{BlockType, BrTable, Operator, ValType};

use super::arithmetic::{number, truth, two, unsigned};
use super::values::{Places, Val};
use super::{Lowering, MAX_STEPS, MAX_VARIABLES};
use crate::decode::{Body, Instr};

/// A construct that is open.
struct Frame {
    /// Where branches to it go, and what they bring.
    label: LocId,
    label_places: Places,
    /// Where it ends, and with which values.
    end: LocId,
    end_places: Places,
    /// Whether a run comes to its end.
    ends: bool,
    /// How many operands were there when it began, without its own.
    height: usize,
    /// The branch of an `if` that is still to come, with its operands.
    otherwise: Option<(LocId, Vec<Val>)>,
}

/// A function whose instructions are lowered.
pub(super) struct Running {
    pub(super) instance: usize,
    pub(super) locals: Places,
    pub(super) stack: Vec<Val>,
    frames: Vec<Frame>,
}

impl Running {
    pub(super) fn new(instance: usize, locals: Places) -> Running {
        Running {
            instance,
            locals,
            stack: Vec::new(),
            frames: Vec::new(),
        }
    }

    pub(super) fn pop(&mut self) -> Val {
        // Validation sees to it that there is one where runs can be.
        self.stack.pop().unwrap_or(Val::opaque(ValType::I32))
    }

    pub(super) fn pop_many(&mut self, count: usize) -> Vec<Val> {
        self.stack.split_off(self.stack.len().saturating_sub(count))
    }
}

impl Lowering<'_> {
    /// Runs a body to its end; gives its results, if a run comes there.
    pub(super) fn body(
        &mut self,
        body: &Body<'_>,
        run: &mut Running,
        results: &[ValType],
    ) -> Option<Vec<Val>> {
        let end = self.location(Span::NONE);
        let places = self.places_for("result", results);
        run.frames.push(Frame {
            label: end,
            label_places: places.clone(),
            end,
            end_places: places,
            ends: false,
            height: 0,
            otherwise: None,
        });
        // How many constructs have begun where no run can be.
        let mut dead = 0usize;
        for instr in &body.code {
            source::limits::check();
            if !self.is_live() {
                match instr.operator {
                    Operator::Block { .. }
                    | Operator::Loop { .. }
                    | Operator::If { .. }
                    | Operator::TryTable { .. } => {
                        dead += 1;
                        continue;
                    }
                    Operator::Else if dead == 0 => {}
                    Operator::End if dead == 0 => {}
                    Operator::End => {
                        dead -= 1;
                        continue;
                    }
                    _ => continue,
                }
            }
            if self.is_live() && self.is_too_large() {
                let span = self.input.listing.span(instr.offset);
                self.sink("what is beyond the size that is followed", span);
            }
            if matches!(instr.operator, Operator::TryTable { .. }) {
                // It is not followed, and has an end of its own.
                dead += 1;
            }
            if let Some(done) = self.instruction(instr, run) {
                return done;
            }
        }
        None
    }

    /// Whether the program is as large as is followed.
    pub(super) fn is_too_large(&self) -> bool {
        self.process.steps.len() > MAX_STEPS || self.process.locals.len() > MAX_VARIABLES
    }

    /// Something when the function has ended.
    fn instruction(&mut self, instr: &Instr<'_>, run: &mut Running) -> Option<Option<Vec<Val>>> {
        let span = self.input.listing.span(instr.offset);
        match &instr.operator {
            Operator::Nop => {}
            Operator::Unreachable => self.trap(span),
            Operator::Block { blockty } => self.open(*blockty, run, span, false),
            Operator::Loop { blockty } => self.open(*blockty, run, span, true),
            Operator::If { blockty } => self.open_if(*blockty, run, span),
            Operator::Else => self.otherwise(run, span),
            Operator::End => return self.close(run, span),
            Operator::Br { relative_depth } => self.go(*relative_depth, run, span),
            Operator::BrIf { relative_depth } => {
                let cond = self.condition(run);
                self.keep_all(&mut run.stack);
                let (yes, no) = self.branch(cond, span);
                self.start(yes);
                self.go(*relative_depth, run, span);
                self.start(no);
            }
            Operator::BrTable { targets } => self.table(targets, run, span),
            Operator::Return => {
                let outermost = u32::try_from(run.frames.len() - 1).unwrap_or(0);
                self.go(outermost, run, span);
            }
            Operator::ReturnCall { .. } | Operator::ReturnCallIndirect { .. } => {
                self.call(instr, run, span);
                let outermost = u32::try_from(run.frames.len() - 1).unwrap_or(0);
                self.go(outermost, run, span);
            }
            Operator::Call { .. } | Operator::CallIndirect { .. } => self.call(instr, run, span),
            _ => self.plain(instr, run, span),
        }
        None
    }

    /// The operand of a branch.
    pub(super) fn condition(&mut self, run: &mut Running) -> ExprId {
        match run.pop().expr {
            Some(value) => truth(self.pool(), value),
            None => self.any_truth("a value that is not followed", false),
        }
    }

    fn types(&self, block: BlockType, run: &Running) -> (Vec<ValType>, Vec<ValType>) {
        match block {
            BlockType::Empty => (Vec::new(), Vec::new()),
            BlockType::Type(ty) => (Vec::new(), vec![ty]),
            BlockType::FuncType(index) => {
                let module = self.store.instances[run.instance].module;
                module.ty(index).map_or_else(Default::default, |ty| {
                    (ty.params().to_vec(), ty.results().to_vec())
                })
            }
        }
    }

    fn open(&mut self, block: BlockType, run: &mut Running, span: Span, is_loop: bool) {
        let (params, results) = self.types(block, run);
        self.keep_all(&mut run.stack);
        let end = self.location(span);
        let end_places = self.places_for("result", &results);
        let height = run.stack.len().saturating_sub(params.len());
        let (mut label, mut label_places) = (end, end_places.clone());
        if is_loop {
            label = self.location(span);
            label_places = self.places_for("parameter of a loop", &params);
            let values = run.stack.split_off(height);
            self.assign_all(&label_places, &values);
            self.jump(label, span);
            self.start(label);
            run.stack.extend(self.loads(&label_places));
        }
        run.frames.push(Frame {
            label,
            label_places,
            end,
            end_places,
            ends: false,
            height,
            otherwise: None,
        });
    }

    fn open_if(&mut self, block: BlockType, run: &mut Running, span: Span) {
        let (params, results) = self.types(block, run);
        let cond = self.condition(run);
        self.keep_all(&mut run.stack);
        let (yes, no) = self.branch(cond, span);
        let end = self.location(span);
        let end_places = self.places_for("result", &results);
        let height = run.stack.len().saturating_sub(params.len());
        let operands = run.stack[height..].to_vec();
        run.frames.push(Frame {
            label: end,
            label_places: end_places.clone(),
            end,
            end_places,
            ends: false,
            height,
            otherwise: Some((no, operands)),
        });
        self.start(yes);
    }

    /// The values at the end of a construct go where they are awaited.
    fn finish(&mut self, run: &mut Running, span: Span) {
        let Some(frame) = run.frames.last_mut() else {
            return;
        };
        if self.here.is_some() {
            frame.ends = true;
            let values = run
                .stack
                .split_off(run.stack.len().saturating_sub(frame.end_places.len()));
            let (end, places) = (frame.end, frame.end_places.clone());
            self.assign_all(&places, &values);
            self.jump(end, span);
        }
    }

    fn otherwise(&mut self, run: &mut Running, span: Span) {
        self.finish(run, span);
        if let Some(frame) = run.frames.last_mut() {
            run.stack.truncate(frame.height);
            if let Some((no, operands)) = frame.otherwise.take() {
                run.stack.extend(operands);
                self.start(no);
            }
        }
    }

    fn close(&mut self, run: &mut Running, span: Span) -> Option<Option<Vec<Val>>> {
        self.finish(run, span);
        if run
            .frames
            .last()
            .is_some_and(|frame| frame.otherwise.is_some())
        {
            // An `if` without `else` hands its operands on.
            self.otherwise(run, span);
            self.finish(run, span);
        }
        let frame = run.frames.pop()?;
        run.stack.truncate(frame.height);
        if frame.ends {
            self.start(frame.end);
            run.stack.extend(self.loads(&frame.end_places));
        }
        if run.frames.is_empty() {
            return Some(frame.ends.then(|| std::mem::take(&mut run.stack)));
        }
        None
    }

    /// A branch to the label at a depth.
    fn go(&mut self, depth: u32, run: &mut Running, span: Span) {
        if !self.is_live() {
            return;
        }
        let Some(at) = run.frames.len().checked_sub(depth as usize + 1) else {
            return;
        };
        let frame = &mut run.frames[at];
        frame.ends |= frame.label == frame.end;
        let (label, places) = (frame.label, frame.label_places.clone());
        let from = run.stack.len().saturating_sub(places.len());
        let values = run.stack[from..].to_vec();
        self.assign_all(&places, &values);
        self.jump(label, span);
    }

    fn table(&mut self, targets: &BrTable<'_>, run: &mut Running, span: Span) {
        let index = run.pop();
        self.keep_all(&mut run.stack);
        let Some(index) = index.expr else {
            self.sink("a branch by a value that is not followed", span);
            return;
        };
        let index = self.kept(index);
        let depths: Vec<u32> = targets.targets().flatten().collect();
        if let Some(known) = number(&self.program.exprs, index) {
            let known = usize::try_from(known).ok();
            let depth = known.and_then(|known| depths.get(known).copied());
            self.go(depth.unwrap_or(targets.default()), run, span);
            return;
        }
        let Some(from) = self.seal(span) else {
            return;
        };
        self.here = None;
        let index = unsigned(self.pool(), index);
        let ty = self.program.exprs.ty(index).clone();
        let count = self.pool().int(depths.len() as i128, ty.clone());
        let mut cases: Vec<(u32, ExprId)> = Vec::new();
        let beyond = two(self.pool(), Binary::Le, count, index);
        cases.push((targets.default(), beyond));
        for (at, depth) in depths.into_iter().enumerate() {
            let at = self.pool().int(at as i128, ty.clone());
            let here = two(self.pool(), Binary::Eq, index, at);
            match cases.iter_mut().find(|(known, _)| *known == depth) {
                Some((_, cond)) => *cond = self.program.exprs.or(*cond, here),
                None => cases.push((depth, here)),
            }
        }
        for (depth, cond) in cases {
            let to = self.location(span);
            self.step(from, Some(cond), to, span);
            self.start(to);
            self.go(depth, run, span);
        }
    }
}
