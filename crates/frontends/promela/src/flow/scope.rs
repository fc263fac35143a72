//! Block scopes: which local a name means at a place.

use std::rc::Rc;

/// A block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopeId(pub u32);

#[derive(Clone, Debug)]
struct Scope {
    parent: Option<ScopeId>,
    /// Names, the position of their declaration, and the local.
    names: Vec<(Rc<str>, u32, usize)>,
}

/// All blocks of a body; positions count declarations and statements in the order of the text.
#[derive(Clone, Debug)]
pub struct Scopes {
    scopes: Vec<Scope>,
}

impl Scopes {
    /// One outermost block.
    pub(super) fn new() -> Self {
        Scopes {
            scopes: vec![Scope {
                parent: None,
                names: Vec::new(),
            }],
        }
    }

    pub(super) fn root(&self) -> ScopeId {
        ScopeId(0)
    }

    pub(super) fn open(&mut self, parent: ScopeId) -> ScopeId {
        self.scopes.push(Scope {
            parent: Some(parent),
            names: Vec::new(),
        });
        ScopeId(u32::try_from(self.scopes.len() - 1).expect("fewer than 2^32 blocks"))
    }

    pub(super) fn declare(&mut self, scope: ScopeId, name: Rc<str>, position: u32, local: usize) {
        self.scopes[scope.0 as usize]
            .names
            .push((name, position, local));
    }

    /// The local that `name` means at a position of a block.
    #[must_use]
    pub fn find(&self, mut scope: ScopeId, name: &str, position: u32) -> Option<usize> {
        loop {
            let here = &self.scopes[scope.0 as usize];
            let found = here
                .names
                .iter()
                .rev()
                .find(|(known, at, _)| **known == *name && *at <= position);
            if let Some((_, _, local)) = found {
                return Some(*local);
            }
            scope = here.parent?;
        }
    }

    /// How many blocks out from `inner` the block `outer` is, if it is one around it.
    pub(super) fn distance(&self, mut inner: ScopeId, outer: ScopeId) -> Option<usize> {
        let mut steps = 0;
        while inner != outer {
            inner = self.scopes[inner.0 as usize].parent?;
            steps += 1;
        }
        Some(steps)
    }
}
