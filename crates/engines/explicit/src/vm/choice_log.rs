//! The log of moves and choices, kept only while a trace is being recovered.
//!
//! It is a tree: each entry points to the one before, so that runs that split share what they have
//! in common and a snapshot needs one number.

use model::{Move, Type, Value};

use crate::ir::instruction::Code;
use crate::ir::layout::value_of;

/// An entry.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Move(u32),
    Choice(i64, u16),
}

/// The log; a head of 0 is its beginning.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    entries: Vec<(Entry, u32)>,
    head: u32,
    /// The head at the first beginning of a move since it was last asked for: there, all moves
    /// before are complete.
    boundary: Option<u32>,
}

impl Log {
    pub(crate) fn head(&self) -> u32 {
        self.head
    }

    pub(crate) fn go_back(&mut self, head: u32) {
        self.head = head;
    }

    pub(crate) fn take_boundary(&mut self) -> Option<u32> {
        self.boundary.take()
    }

    pub(crate) fn set_boundary(&mut self, boundary: Option<u32>) {
        self.boundary = boundary;
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.head = 0;
        self.boundary = None;
    }

    pub(crate) fn push_move(&mut self, id: u32) {
        self.boundary.get_or_insert(self.head);
        self.push(Entry::Move(id));
    }

    pub(crate) fn push_choice(&mut self, value: i64, ty: u16) {
        self.push(Entry::Choice(value, ty));
    }

    fn push(&mut self, entry: Entry) {
        self.entries.push((entry, self.head));
        self.head = u32::try_from(self.entries.len()).expect("a log is short");
    }

    /// The choices before the first move, and the moves.
    pub(crate) fn read(
        &self,
        head: u32,
        program: &model::Program,
        code: &Code,
    ) -> (Vec<Value>, Vec<Move>) {
        let mut moves: Vec<Move> = Vec::new();
        let mut choices = Vec::new();
        let mut at = head;
        while let Some(before) = (at as usize).checked_sub(1) {
            let (entry, next) = self.entries[before];
            match entry {
                Entry::Choice(value, ty) => {
                    let ty: &Type = &code.types[usize::from(ty)];
                    choices.push(value_of(program, ty, &mut std::iter::once(value)));
                }
                Entry::Move(id) => {
                    choices.reverse();
                    moves.push(Move {
                        parts: code.moves[id as usize].parts.clone(),
                        choices: std::mem::take(&mut choices),
                    });
                }
            }
            at = next;
        }
        moves.reverse();
        choices.reverse();
        // A run may have millions of them.
        moves.shrink_to_fit();
        (choices, moves)
    }
}
