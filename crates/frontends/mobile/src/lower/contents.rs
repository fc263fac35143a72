//! Whether a pointer is to a given text, compared by contents.

use std::rc::Rc;

use model::{Binary, ExprId, Projection, Type};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::memory::Storage;
use super::pointer::{FIRST, OUTSIDE, POINTER, UNSET};
use super::value::Rvalue;

/// How a text is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    /// All of it.
    Whole,
    /// As the beginning of what is pointed to.
    Prefix,
}

impl Lowering<'_> {
    /// Whether what an argument points to is this text, or begins with it.
    pub(super) fn is_text(&mut self, value: &Rvalue, text: &[u8], how: How, span: Span) -> ExprId {
        let mut found = self.pool().bool(false);
        let (CType::Pointer(_), Some(pointer)) = (&value.ty, value.expr) else {
            return found;
        };
        for &object in value.pts.iter().filter(|&&object| object >= FIRST) {
            self.interference(object, span);
            let count = self.count(object) + 1;
            let within = self.within(pointer, object, count);
            self.alive_checked(object, within, span);
        }
        for &object in value.pts.iter() {
            let here = match object {
                OUTSIDE => self.is_outside_text(pointer, text, how, span),
                UNSET => self.pool().bool(false),
                _ if object < FIRST => continue,
                _ => self.is_text_of(object, pointer, text, how, span),
            };
            found = self.pool().two(Binary::Or, found, here);
        }
        found
    }

    /// Texts from outside are one of those that are told apart, or another.
    fn is_outside_text(&mut self, pointer: ExprId, text: &[u8], how: How, span: Span) -> ExprId {
        let texts = self.facts.texts.clone();
        let mut found = self.pool().bool(false);
        for (at, known) in texts.iter().enumerate() {
            let matches = match how {
                How::Whole => known == text,
                How::Prefix => known.starts_with(text),
            };
            if matches {
                let here = self.pointer(OUTSIDE, at);
                let here = self.pool().two(Binary::Eq, pointer, here);
                found = self.pool().two(Binary::Or, found, here);
            }
        }
        if how == How::Prefix {
            let stranger = self.pointer(OUTSIDE, texts.len());
            let is_stranger = self.pool().two(Binary::Eq, pointer, stranger);
            if !self.is_false(is_stranger) {
                let begins = self.any_truth("how a text from outside begins", span, false);
                let begins = self.pool().two(Binary::And, is_stranger, begins);
                found = self.pool().two(Binary::Or, found, begins);
            }
        }
        found
    }

    fn is_text_of(
        &mut self,
        object: usize,
        pointer: ExprId,
        text: &[u8],
        how: How,
        span: Span,
    ) -> ExprId {
        let mut found = self.pool().bool(false);
        match self.storage(object) {
            Storage::Literal(bytes) => {
                for at in 0..bytes.len() {
                    let rest = &bytes[at..];
                    let end = rest.iter().position(|&byte| byte == 0);
                    let rest = &rest[..end.unwrap_or(rest.len())];
                    let matches = match how {
                        How::Whole => rest == text,
                        How::Prefix => rest.starts_with(text),
                    };
                    if matches {
                        let here = self.pointer(object, at);
                        let here = self.pool().two(Binary::Eq, pointer, here);
                        found = self.pool().two(Binary::Or, found, here);
                    }
                }
            }
            // What is not kept may be any text.
            Storage::Vague => {
                let into = self.is_into(pointer, object);
                let any = self.any_truth("what text is in a large array", span, false);
                let any = self.pool().two(Binary::And, into, any);
                found = self.pool().two(Binary::Or, found, any);
            }
            _ if self.count(object) == 0 => {
                let into = self.is_into(pointer, object);
                self.sink_if(into, "a text in memory of another form", span);
            }
            _ => {
                let cells = self.bytes_of(object);
                let extra = usize::from(how == How::Whole);
                let length = text.len() + extra;
                // What is not kept as bytes, or has no end, is not compared.
                let mut vague = self.pool().bool(false);
                for at in 0..=cells.len() {
                    let start = self.pointer(object, at);
                    let mut all = self.pool().two(Binary::Eq, pointer, start);
                    let bytes = text.iter().copied().chain([0]).take(length);
                    for (behind, byte) in bytes.enumerate() {
                        match cells.get(at + behind).copied().flatten() {
                            Some(cell) => {
                                let same = self.is_byte(cell, byte);
                                all = self.pool().two(Binary::And, all, same);
                            }
                            None => {
                                vague = self.pool().two(Binary::Or, vague, all);
                                all = self.pool().bool(false);
                                break;
                            }
                        }
                    }
                    found = self.pool().two(Binary::Or, found, all);
                }
                self.sink_if(vague, "a text in memory of another form", span);
            }
        }
        found
    }

    /// What the cells of an object hold, those that are bytes.
    fn bytes_of(&mut self, object: usize) -> Vec<Option<ExprId>> {
        let cells = Rc::clone(&self.known(object).cells);
        let mut all = Vec::new();
        let storage = self.storage(object);
        for (at, cell) in cells.iter().enumerate() {
            let (CType::Int { bits: 8, .. } | CType::Bool, Some(ty)) = (cell, cell.model()) else {
                all.push(None);
                continue;
            };
            let place = match &storage {
                Storage::Array(place, _) => {
                    let index = self.pool().int(at as i128, Type::INT32);
                    let mut place = place.clone();
                    place.path.push(Projection::Index(index));
                    Some(place)
                }
                Storage::Cells(places) => places[at].clone(),
                Storage::Literal(_) | Storage::Vague => None,
            };
            all.push(place.map(|place| self.pool().load(place, ty)));
        }
        all
    }

    fn is_byte(&mut self, cell: ExprId, byte: u8) -> ExprId {
        let ty = Type::Int {
            bits: 8,
            signed: true,
        };
        let value = self.pool().converted(cell, &ty);
        let byte = self.pool().int(i128::from(byte.cast_signed()), ty);
        self.pool().two(Binary::Eq, value, byte)
    }

    /// The number by which the story shows what an argument points to: the position of its text
    /// among those that are told apart, or their number for anything else.
    pub(super) fn shown_text(&mut self, value: &Rvalue) -> Option<ExprId> {
        let (CType::Pointer(to), Some(pointer)) = (&value.ty, value.expr) else {
            return None;
        };
        if !matches!(**to, CType::Int { bits: 8, .. } | CType::Void) {
            return None;
        }
        let texts = self.facts.texts.clone();
        let unknown = self.pool().int(texts.len() as i128, POINTER);
        let mut shown = unknown;
        for &object in value.pts.iter() {
            if object == OUTSIDE {
                let first = self.pointer(OUTSIDE, 0);
                let offset = self.pool().two(Binary::Sub, pointer, first);
                let into = self.is_into(pointer, OUTSIDE);
                shown = self.pool().either(into, offset, shown);
            } else if object >= FIRST
                && let Some(bytes) = self.known(object).literal.clone()
            {
                let end = bytes
                    .iter()
                    .position(|&byte| byte == 0)
                    .unwrap_or(bytes.len());
                let at = texts.iter().position(|text| *text == bytes[..end]);
                if let Some(at) = at {
                    let here = self.pointer(object, 0);
                    let here = self.pool().two(Binary::Eq, pointer, here);
                    let at = self.pool().int(at as i128, POINTER);
                    shown = self.pool().either(here, at, shown);
                }
            }
        }
        Some(shown)
    }
}
