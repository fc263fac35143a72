//! What expressions give: values and places.

use model::ExprId;

use crate::ctype::CType;

use super::pointer::Pts;

/// A value.
#[derive(Clone, Debug)]
pub(super) struct Rvalue {
    /// Its type.
    pub(super) ty: CType,
    /// The scalar; none for structures and for what is not followed.
    pub(super) expr: Option<ExprId>,
    /// What a pointer may be to.
    pub(super) pts: Pts,
    /// Where a structure is.
    pub(super) at: Option<Lvalue>,
}

/// A place: what a pointer points to.
#[derive(Clone, Debug)]
pub(super) struct Lvalue {
    /// The pointer.
    pub(super) pointer: ExprId,
    /// What it may be to.
    pub(super) pts: Pts,
    /// The type of what is there.
    pub(super) ty: CType,
}

impl Rvalue {
    /// A value that is not followed.
    pub(super) fn unknown(ty: CType) -> Rvalue {
        Rvalue {
            ty,
            expr: None,
            pts: Pts::default(),
            at: None,
        }
    }

    /// A number.
    pub(super) fn number(ty: CType, expr: ExprId) -> Rvalue {
        Rvalue {
            ty,
            expr: Some(expr),
            pts: Pts::default(),
            at: None,
        }
    }
}
