//! The types of C, as they are on 64-bit machines with two's complement.

use std::rc::Rc;

use model::Type;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CType {
    /// No value.
    Void,
    /// An integer, `_Bool` apart.
    Int {
        /// Its width.
        bits: u8,
        /// Whether it has negative values.
        signed: bool,
    },
    /// `_Bool`.
    Bool,
    /// A floating-point number of so many bytes; its value is not followed.
    Float(u64),
    /// A pointer.
    Pointer(Rc<CType>),
    /// An array; without a length it is incomplete.
    Array(Rc<CType>, Option<u64>),
    /// A structure or a union, by its place in the table.
    Record(usize),
    /// A function.
    Function(Rc<Signature>),
    /// A type that is not followed.
    Unknown,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    /// What it gives.
    pub(crate) result: CType,
    /// Its parameters, arrays and functions as pointers.
    pub(crate) parameters: Vec<(Option<String>, CType)>,
    /// Whether more arguments may follow, or their number is not said.
    pub(crate) open: bool,
}

/// A structure or a union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// Its tag, for people.
    pub(crate) name: String,
    /// Whether its members share their memory.
    pub(crate) union: bool,
    /// Its members; a member without a name offers its own.
    pub(crate) fields: Vec<(Option<String>, CType)>,
    /// Whether its members are known.
    pub(crate) complete: bool,
}

impl CType {
    pub(crate) const INT: CType = CType::Int {
        bits: 32,
        signed: true,
    };
    pub(crate) const UINT: CType = CType::Int {
        bits: 32,
        signed: false,
    };
    pub(crate) const CHAR: CType = CType::Int {
        bits: 8,
        signed: true,
    };
    pub(crate) const LONG: CType = CType::Int {
        bits: 64,
        signed: true,
    };
    pub(crate) const ULONG: CType = CType::Int {
        bits: 64,
        signed: false,
    };

    pub(crate) fn pointer(to: CType) -> CType {
        CType::Pointer(Rc::new(to))
    }

    /// Whether values are integers.
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, CType::Int { .. } | CType::Bool)
    }

    /// What a value of the type is in the model; none if it is not followed or no scalar. Unsigned
    /// numbers of 64 bits are kept as signed ones with the same bits, as not all engines have them.
    pub(crate) fn model(&self) -> Option<Type> {
        match *self {
            CType::Int { bits: 64, .. } => Some(Type::Int {
                bits: 64,
                signed: true,
            }),
            CType::Int { bits, signed } => Some(Type::Int { bits, signed }),
            CType::Bool => Some(Type::Int {
                bits: 8,
                signed: false,
            }),
            CType::Pointer(_) => Some(crate::lower::POINTER),
            _ => None,
        }
    }

    /// An integer type by its values.
    pub(crate) fn values(&self) -> Option<Type> {
        match *self {
            CType::Int { bits, signed } => Some(Type::Int { bits, signed }),
            _ => self.model(),
        }
    }

    /// Whether its values are kept as signed numbers although they are not.
    pub(crate) fn is_disguised(&self) -> bool {
        *self == CType::ULONG
    }

    /// An integer type after promotion.
    pub(crate) fn promoted(&self) -> CType {
        match *self {
            CType::Bool => CType::INT,
            CType::Int { bits, .. } if bits < 32 => CType::INT,
            _ => self.clone(),
        }
    }

    /// The type in which two operands meet.
    pub(crate) fn common(&self, other: &CType) -> CType {
        match (self.promoted(), other.promoted()) {
            (
                CType::Int {
                    bits: a,
                    signed: signed_a,
                },
                CType::Int {
                    bits: b,
                    signed: signed_b,
                },
            ) => {
                let bits = a.max(b);
                // The unsigned one of two that are equally wide decides.
                let unsigned = !signed_a && a == bits || !signed_b && b == bits;
                CType::Int {
                    bits,
                    signed: !unsigned,
                }
            }
            (CType::Float(a), CType::Float(b)) => CType::Float(a.max(b)),
            (CType::Float(a), _) | (_, CType::Float(a)) => CType::Float(a),
            (a, _) => a,
        }
    }

    /// As a parameter or an operand: arrays and functions are pointers.
    pub(crate) fn decayed(self) -> CType {
        match self {
            CType::Array(element, _) => CType::Pointer(element),
            CType::Function(_) => CType::pointer(self),
            other => other,
        }
    }
}

/// Structures and unions.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Records(pub(crate) Vec<Record>);

impl Records {
    /// The scalars of which a value of the type is made; none if that is not followed.
    pub(crate) fn cells(&self, ty: &CType) -> Option<Vec<CType>> {
        let mut cells = Vec::new();
        self.add_cells(ty, &mut cells).then_some(cells)
    }

    fn add_cells(&self, ty: &CType, cells: &mut Vec<CType>) -> bool {
        source::limits::check();
        if cells.len() > crate::lower::MAX_CELLS {
            return false;
        }
        match ty {
            CType::Int { .. } | CType::Bool | CType::Pointer(_) | CType::Float(_) => {
                cells.push(ty.clone());
                true
            }
            CType::Array(element, Some(length)) => {
                *length <= crate::lower::MAX_CELLS as u64
                    && (0..*length).all(|_| self.add_cells(element, cells))
            }
            CType::Record(id) => {
                let record = &self.0[*id];
                record.complete
                    && !record.union
                    && record
                        .fields
                        .iter()
                        .all(|(_, field)| self.add_cells(field, cells))
            }
            _ => false,
        }
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
        let (mut end, mut most, mut widest) = (0u64, 1u64, 0u64);
        for (_, field) in &record.fields {
            let (size, align) = self.size(field)?;
            end = end.checked_next_multiple_of(align)?.checked_add(size)?;
            most = most.max(align);
            widest = widest.max(size);
        }
        let size = if record.union { widest } else { end };
        Some((size.checked_next_multiple_of(most)?, most))
    }

    /// Where each of the scalars of a value begins, in bytes from its beginning.
    pub(crate) fn starts(&self, ty: &CType) -> Option<Vec<u64>> {
        let mut starts = Vec::new();
        self.add_starts(ty, 0, &mut starts)?;
        Some(starts)
    }

    fn add_starts(&self, ty: &CType, at: u64, starts: &mut Vec<u64>) -> Option<()> {
        source::limits::check();
        match ty {
            CType::Array(element, Some(length)) => {
                let (size, _) = self.size(element)?;
                for index in 0..*length {
                    let at = at.checked_add(size.checked_mul(index)?)?;
                    self.add_starts(element, at, starts)?;
                }
            }
            CType::Record(id) => {
                let mut end = at;
                for (_, field) in &self.0[*id].fields {
                    let (size, align) = self.size(field)?;
                    end = end.checked_next_multiple_of(align)?;
                    self.add_starts(field, end, starts)?;
                    end = end.checked_add(size)?;
                }
            }
            _ => starts.push(at),
        }
        Some(())
    }

    /// The place of a member among the cells of its structure, and its type.
    pub(crate) fn member(&self, id: usize, name: &str) -> Option<(usize, CType)> {
        let record = &self.0[id];
        let mut offset = 0;
        for (field, ty) in &record.fields {
            match (field, ty) {
                (Some(field), _) if field == name => return Some((offset, ty.clone())),
                (None, CType::Record(inner)) => {
                    if let Some((inside, ty)) = self.member(*inner, name) {
                        return Some((offset + inside, ty));
                    }
                }
                _ => {}
            }
            offset += self.count(ty).unwrap_or(0);
        }
        None
    }

    /// Whether the memory of the type is followed: no member of a union, none without a size.
    pub(crate) fn is_followed(&self, ty: &CType) -> bool {
        self.cells(ty).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_meet_as_the_standard_says() {
        let unsigned_char = CType::Int {
            bits: 8,
            signed: false,
        };
        assert_eq!(unsigned_char.common(&CType::CHAR), CType::INT);
        assert_eq!(CType::INT.common(&CType::UINT), CType::UINT);
        assert_eq!(CType::LONG.common(&CType::UINT), CType::LONG);
        assert_eq!(CType::LONG.common(&CType::ULONG), CType::ULONG);
        assert_eq!(CType::Bool.promoted(), CType::INT);
    }

    #[test]
    fn structures_are_laid_out() {
        let mut records = Records::default();
        records.0.push(Record {
            name: "s".to_owned(),
            union: false,
            fields: vec![
                (Some("c".to_owned()), CType::CHAR),
                (
                    Some("a".to_owned()),
                    CType::Array(Rc::new(CType::INT), Some(3)),
                ),
                (Some("p".to_owned()), CType::pointer(CType::Void)),
            ],
            complete: true,
        });
        let ty = CType::Record(0);
        assert_eq!(records.size(&ty), Some((24, 8)));
        assert_eq!(records.count(&ty), Some(5));
        assert_eq!(records.starts(&ty), Some(vec![0, 4, 8, 12, 16]));
        assert_eq!(records.member(0, "p").map(|(at, _)| at), Some(4));
        assert_eq!(records.member(0, "q"), None);
    }
}
