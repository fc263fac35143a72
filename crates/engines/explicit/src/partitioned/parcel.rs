//! What is sent: numbers, the lowest byte first. Whoever reads them trusts nothing: what cannot be is an
//! error.

/// A parcel is not what it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Garbled;

pub(crate) type Result<T> = std::result::Result<T, Garbled>;

/// What a parcel is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// States for their owner.
    States,
    /// What one has found up to the end of a level.
    Summary,
    /// A piece of a run.
    Path,
    /// Nodes of their owner to which something has happened, four bytes each.
    Nodes,
    /// Nodes, each with an edge that leads from it.
    NodesWithEdges,
}

impl Kind {
    const ALL: [Kind; 5] = [
        Kind::States,
        Kind::Summary,
        Kind::Path,
        Kind::Nodes,
        Kind::NodesWithEdges,
    ];
}

/// Bytes before what a parcel is about: its kind, and who sends it.
pub(crate) const HEAD: usize = 8;

/// A parcel begins.
pub(crate) fn begin(kind: Kind, sender: u16) -> Vec<u8> {
    let mut parcel = Vec::new();
    begin_in(&mut parcel, kind, sender);
    parcel
}

/// The same in place of what there was.
pub(crate) fn begin_in(parcel: &mut Vec<u8>, kind: Kind, sender: u16) {
    let number = Kind::ALL.iter().position(|it| *it == kind).unwrap_or(0);
    parcel.clear();
    let head = number as u64 | (u64::from(sender) << 32);
    parcel.extend_from_slice(&head.to_le_bytes());
}

/// What a parcel is, who sent it, and the rest.
pub(crate) fn opened(parcel: &[u8]) -> Result<(Kind, u16, &[u8])> {
    let (head, rest) = parcel.split_first_chunk().ok_or(Garbled)?;
    let head = u64::from_le_bytes(*head);
    let kind = usize::try_from(head & 0xffff_ffff).map_err(|_| Garbled)?;
    let kind = *Kind::ALL.get(kind).ok_or(Garbled)?;
    let sender = u16::try_from(head >> 32).map_err(|_| Garbled)?;
    Ok((kind, sender, rest))
}

/// Writes words.
pub(crate) fn put(parcel: &mut Vec<u8>, words: &[u64]) {
    for word in words {
        parcel.extend_from_slice(&word.to_le_bytes());
    }
}

/// Writes a list of words, with how many there are.
pub(crate) fn put_list(parcel: &mut Vec<u8>, words: &[u64]) {
    put(parcel, &[words.len() as u64]);
    put(parcel, words);
}

/// Reads words.
pub(crate) struct Words<'b>(pub(crate) &'b [u8]);

impl Words<'_> {
    pub(crate) fn word(&mut self) -> Result<u64> {
        let (word, rest) = self.0.split_first_chunk().ok_or(Garbled)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*word))
    }

    /// A number that fits.
    pub(crate) fn number<T: TryFrom<u64>>(&mut self) -> Result<T> {
        T::try_from(self.word()?).map_err(|_| Garbled)
    }

    /// A list as [`put_list`] wrote it.
    pub(crate) fn list(&mut self) -> Result<Vec<u64>> {
        let count: usize = self.number()?;
        if count > self.0.len() / 8 {
            return Err(Garbled);
        }
        (0..count).map(|_| self.word()).collect()
    }

    /// A text as [`put_text`] wrote it.
    pub(crate) fn text(&mut self) -> Result<String> {
        let length: usize = self.number()?;
        let (text, rest) = self.0.split_at_checked(length).ok_or(Garbled)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| Garbled)
    }

    /// Nothing is left.
    pub(crate) fn end(self) -> Result<()> {
        self.0.is_empty().then_some(()).ok_or(Garbled)
    }
}

/// Writes a text.
pub(crate) fn put_text(parcel: &mut Vec<u8>, text: &str) {
    put(parcel, &[text.len() as u64]);
    parcel.extend_from_slice(text.as_bytes());
}
