//! Where the parts of a value stand in memory: structures, unions and bit-fields.

use crate::ctype::{CType, Field, Record};

/// Where a scalar stands in the memory of a value, in bits from its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// The first bit; the bits of a byte count from the lowest.
    pub(crate) start: u64,
    /// How many there are; none where a member of a union ends.
    pub(crate) width: u64,
}

impl Span {
    /// The bit behind the last one.
    pub(crate) fn end(self) -> u64 {
        self.start + self.width
    }
}

/// How many scalars an object may have.
pub(crate) const MAX_CELLS: usize = 1 << 16;
/// How many scalars a union may have.
const MAX_UNION: usize = 256;

/// Members placed one after the other as the System V ABI has them: a bit-field in the first place
/// where it does not cross the bounds of a value of its declared type, an unnamed one of no width
/// at the next such bound.
struct Packing {
    union: bool,
    /// The bit behind what is placed so far.
    end: u64,
    /// The bit behind the last one that is used.
    widest: u64,
    /// The alignment of all, in bytes.
    align: u64,
}

impl Packing {
    fn new(union: bool) -> Self {
        Packing {
            union,
            end: 0,
            widest: 0,
            align: 1,
        }
    }

    /// The first bit of the next member, and how many it has.
    fn place(&mut self, records: &Records, field: &Field) -> Option<(u64, u64)> {
        let (start, width) = match field.packed {
            Some((0, unit)) => (self.end.checked_next_multiple_of(unit)?, 0),
            Some((width, unit)) => {
                let within = self.end % unit + width <= unit;
                if field.name.is_some() {
                    self.align = self.align.max(unit / 8);
                }
                match within {
                    true => (self.end, width),
                    false => (self.end.checked_next_multiple_of(unit)?, width),
                }
            }
            None => {
                let (size, align) = records.size(&field.ty)?;
                self.align = self.align.max(align);
                let start = self.end.checked_next_multiple_of(align.checked_mul(8)?)?;
                (start, size.checked_mul(8)?)
            }
        };
        let end = start.checked_add(width)?;
        self.widest = self.widest.max(end);
        if !self.union {
            self.end = end;
        }
        Some((start, width))
    }
}

/// A member and its place.
pub(crate) struct Placed<'r> {
    /// Its type; none for a bit-field, to which nothing points.
    pub(crate) ty: Option<&'r CType>,
    /// Its first byte.
    pub(crate) byte: u64,
    /// The cells that it takes.
    pub(crate) cells: usize,
}

/// Structures and unions.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Records(pub(crate) Vec<Record>);

impl Records {
    /// The scalars of which a value of the type is made; none if that is not followed. The members
    /// of a union follow each other, each with a cell of no type behind it, so that a pointer that
    /// has run over one is not one to the next.
    pub(crate) fn cells(&self, ty: &CType) -> Option<Vec<CType>> {
        let mut cells = Vec::new();
        self.add_cells(ty, &mut cells).then_some(cells)
    }

    fn add_cells(&self, ty: &CType, cells: &mut Vec<CType>) -> bool {
        source::limits::check();
        if cells.len() > MAX_CELLS {
            return false;
        }
        match ty {
            CType::Int { .. } | CType::Bool | CType::Pointer(_) | CType::Float(_) => {
                cells.push(ty.clone());
                true
            }
            CType::Array(element, Some(length)) => {
                *length <= MAX_CELLS as u64 && (0..*length).all(|_| self.add_cells(element, cells))
            }
            CType::Record(id) => {
                let record = &self.0[*id];
                record.complete && self.add_members(record, cells)
            }
            _ => false,
        }
    }

    fn add_members(&self, record: &Record, cells: &mut Vec<CType>) -> bool {
        let before = cells.len();
        for field in record.fields.iter().filter(|field| !field.is_padding()) {
            if !self.add_cells(&field.ty, cells) {
                return false;
            }
            if record.union {
                cells.push(CType::Void);
            }
        }
        !record.union || cells.len() - before <= MAX_UNION
    }

    /// How many scalars a value has.
    pub(crate) fn count(&self, ty: &CType) -> Option<usize> {
        Some(self.cells(ty)?.len())
    }

    /// The bytes that a value takes, and the alignment.
    pub(crate) fn size(&self, ty: &CType) -> Option<(u64, u64)> {
        match ty {
            CType::Int { bits, .. } => {
                let bytes = u64::from(*bits).div_ceil(8).next_power_of_two();
                Some((bytes, bytes))
            }
            CType::Bool => Some((1, 1)),
            // GNU C lets `void *` and pointers to functions be moved by bytes.
            CType::Void | CType::Function(_) => Some((1, 1)),
            CType::Float(bytes) => Some((*bytes, *bytes)),
            CType::Pointer(_) => Some((8, 8)),
            CType::Array(element, Some(length)) => {
                let (size, align) = self.size(element)?;
                Some((size.checked_mul(*length)?, align))
            }
            CType::Record(id) => self.record_size(&self.0[*id]),
            CType::Array(_, None) | CType::Unknown => None,
        }
    }

    fn record_size(&self, record: &Record) -> Option<(u64, u64)> {
        if !record.complete {
            return None;
        }
        let mut packing = Packing::new(record.union);
        for field in &record.fields {
            packing.place(self, field)?;
        }
        let size = packing.widest.div_ceil(8);
        Some((size.checked_next_multiple_of(packing.align)?, packing.align))
    }

    /// Where each of the scalars of a value stands, and behind each member of a union, where that
    /// ends.
    pub(crate) fn spans(&self, ty: &CType) -> Option<Vec<Span>> {
        let mut spans = Vec::new();
        self.add_spans(ty, 0, &mut spans)?;
        Some(spans)
    }

    fn add_spans(&self, ty: &CType, at: u64, spans: &mut Vec<Span>) -> Option<()> {
        source::limits::check();
        match ty {
            CType::Array(element, Some(length)) => {
                let bits = self.size(element)?.0.checked_mul(8)?;
                for index in 0..*length {
                    let at = at.checked_add(bits.checked_mul(index)?)?;
                    self.add_spans(element, at, spans)?;
                }
            }
            CType::Record(id) => {
                let record = &self.0[*id];
                let mut packing = Packing::new(record.union);
                for field in &record.fields {
                    let (start, width) = packing.place(self, field)?;
                    let start = at.checked_add(start)?;
                    match field.packed {
                        _ if field.is_padding() => continue,
                        Some(_) => spans.push(Span { start, width }),
                        None => self.add_spans(&field.ty, start, spans)?,
                    }
                    if record.union {
                        let start = start.checked_add(width)?;
                        spans.push(Span { start, width: 0 });
                    }
                }
            }
            _ => spans.push(Span {
                start: at,
                width: self.size(ty)?.0.checked_mul(8)?,
            }),
        }
        Some(())
    }

    /// The place of a member among the cells of its structure, and its type.
    pub(crate) fn member(&self, id: usize, name: &str) -> Option<(usize, CType)> {
        let record = &self.0[id];
        let mut offset = 0;
        for field in record.fields.iter().filter(|field| !field.is_padding()) {
            match (&field.name, &field.ty) {
                (Some(field_name), ty) if field_name == name => return Some((offset, ty.clone())),
                (None, CType::Record(inner)) => {
                    if let Some((inside, ty)) = self.member(*inner, name) {
                        return Some((offset + inside, ty));
                    }
                }
                _ => {}
            }
            offset += self.count(&field.ty).unwrap_or(0) + usize::from(record.union);
        }
        None
    }

    /// The members of a structure or union: what takes cells.
    pub(crate) fn placed(&self, id: usize) -> Option<Vec<Placed<'_>>> {
        let record = &self.0[id];
        let mut packing = Packing::new(record.union);
        let mut all = Vec::new();
        for field in &record.fields {
            let (start, _) = packing.place(self, field)?;
            if !field.is_padding() {
                all.push(Placed {
                    ty: field.packed.is_none().then_some(&field.ty),
                    byte: start / 8,
                    cells: self.count(&field.ty)? + usize::from(record.union),
                });
            }
        }
        Some(all)
    }

    /// Whether there is a union in the type.
    pub(crate) fn has_union(&self, ty: &CType) -> bool {
        source::limits::check();
        match ty {
            CType::Array(element, _) => self.has_union(element),
            CType::Record(id) => {
                let record = &self.0[*id];
                record.union || record.fields.iter().any(|field| self.has_union(&field.ty))
            }
            _ => false,
        }
    }

    /// Whether the memory of the type is followed: none of it without a size, no large union.
    pub(crate) fn is_followed(&self, ty: &CType) -> bool {
        self.cells(ty).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    fn plain(name: &str, ty: CType) -> Field {
        Field {
            name: Some(name.to_owned()),
            ty,
            packed: None,
        }
    }

    fn bits(name: Option<&str>, width: u8, unit: u64) -> Field {
        Field {
            name: name.map(str::to_owned),
            ty: CType::Int {
                bits: width,
                signed: false,
            },
            packed: Some((width.into(), unit)),
        }
    }

    fn record(union: bool, fields: Vec<Field>) -> Record {
        Record {
            name: "r".to_owned(),
            union,
            fields,
            complete: true,
        }
    }

    /// The first byte of each scalar of the first structure.
    fn starts(records: &Records) -> Vec<u64> {
        let spans = records.spans(&CType::Record(0)).expect("it is followed");
        spans.iter().map(|span| span.start / 8).collect()
    }

    #[test]
    fn bit_fields_are_packed_as_compilers_do() {
        let fields = vec![
            bits(Some("a"), 3, 32),
            bits(Some("b"), 30, 32),
            bits(None, 0, 32),
            bits(Some("c"), 4, 8),
            plain("d", CType::CHAR),
            bits(Some("e"), 7, 16),
        ];
        let records = Records(vec![record(false, fields)]);
        assert_eq!(starts(&records), [0, 4, 8, 9, 10]);
        assert_eq!(records.size(&CType::Record(0)), Some((12, 4)));
        assert_eq!(records.member(0, "d").map(|(at, _)| at), Some(3));
    }

    #[test]
    fn members_of_a_union_share_their_memory() {
        let bytes = CType::Array(Rc::new(CType::CHAR), Some(4));
        let fields = vec![plain("word", CType::INT), plain("bytes", bytes)];
        let records = Records(vec![record(true, fields)]);
        let ty = CType::Record(0);
        assert_eq!(records.size(&ty), Some((4, 4)));
        assert_eq!(records.count(&ty), Some(7));
        assert_eq!(starts(&records), [0, 4, 0, 1, 2, 3, 4]);
        assert_eq!(records.member(0, "bytes").map(|(at, _)| at), Some(2));
    }

    #[test]
    fn structures_are_laid_out() {
        let mut records = Records::default();
        records.0.push(Record {
            name: "s".to_owned(),
            union: false,
            fields: vec![
                plain("c", CType::CHAR),
                plain("a", CType::Array(Rc::new(CType::INT), Some(3))),
                plain("p", CType::pointer(CType::Void)),
            ],
            complete: true,
        });
        let ty = CType::Record(0);
        assert_eq!(records.size(&ty), Some((24, 8)));
        assert_eq!(records.count(&ty), Some(5));
        assert_eq!(starts(&records), [0, 4, 8, 12, 16]);
        assert_eq!(records.member(0, "p").map(|(at, _)| at), Some(4));
        assert_eq!(records.member(0, "q"), None);
    }
}
