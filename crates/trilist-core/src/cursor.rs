//! A stateless place in a listing.
//!
//! A cursor is text: `c1.` and base64url of a version, the request, digests of the root, the
//! last path, the ordinal, the identity for drift, the rank for other orders, and a checksum
//! over all of it. It holds no secret and grants nothing: its path is only ever compared, and
//! its request is checked like any other.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::{Bound, Digest, Identity, ListError, ListRequest, RelPathBuf};

/// The longest cursor in bytes that is made or read.
pub const MAX_CURSOR_BYTES: usize = 8192;

const PREFIX: &str = "c1.";

// What every JSON reader holds exactly. No listing is as long, so a larger ordinal is forged, and
// counting on from this one cannot wrap.
const MAX_ORDINAL: u64 = 1 << 53;

// Bits beside the ordinal, far above its largest value.
const UNCOUNTED: u64 = 1 << 63;
const AT: u64 = 1 << 62;
const UNSEEN: u64 = 1 << 61;

/// What a cursor holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Cursor {
    /// The request of the page before, without paging and rendering fields; its path is the
    /// canonical one, relative to the root.
    pub request: ListRequest,
    /// A digest of the root's path.
    pub root: u64,
    /// Entries before the next page; at most 2^53. Absent when they were not counted, which goes
    /// on to the pages behind it.
    pub ordinal: Option<u64>,
    /// The last entry of the page before, or with [`Bound::At`] the first of the next one.
    pub after: RelPathBuf,
    /// Whether the next page starts behind that path or with it.
    pub bound: Bound,
    /// The way to it, when it was listed; absent when it was not looked at as a whole.
    pub identity: Option<Identity>,
    /// Its rank, in other orders than the streaming one.
    pub rank: i128,
}

impl Cursor {
    /// The cursor as text, or `None` when it would be longer than [`MAX_CURSOR_BYTES`] (paths
    /// of several thousand bytes): such a listing goes on by offset.
    pub fn encode(&self) -> Option<String> {
        let request = serde_json::to_vec(&self.request).ok()?;
        let mut bytes = Vec::with_capacity(64 + request.len() + self.after.as_bytes().len());
        bytes.extend_from_slice(&self.root.to_le_bytes());
        bytes.extend_from_slice(&self.place().to_le_bytes());
        bytes.extend_from_slice(&self.identity.unwrap_or_default().to_bytes());
        bytes.extend_from_slice(&self.rank.to_le_bytes());
        bytes.extend_from_slice(&u16::try_from(request.len()).ok()?.to_le_bytes());
        bytes.extend_from_slice(&request);
        bytes.extend_from_slice(self.after.as_bytes());
        let checksum = checksum(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        let text = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
        (text.len() <= MAX_CURSOR_BYTES).then_some(text)
    }

    /// The ordinal, and what is special about the place.
    fn place(&self) -> u64 {
        let flag = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        self.ordinal.unwrap_or(UNCOUNTED)
            | flag(self.bound == Bound::At, AT)
            | flag(self.identity.is_none(), UNSEEN)
    }

    /// Reads a cursor from outside.
    ///
    /// # Errors
    ///
    /// [`ListError::InvalidCursor`] for anything that [`Cursor::encode`] has not made.
    pub fn decode(text: &str) -> Result<Cursor, ListError> {
        if text.len() > MAX_CURSOR_BYTES {
            return Err(invalid("it is longer than any cursor"));
        }
        let body =
            text.strip_prefix(PREFIX).ok_or_else(|| invalid("it does not start with `c1.`"))?;
        let bytes = URL_SAFE_NO_PAD.decode(body).map_err(|_| invalid("it is damaged"))?;
        let (bytes, sum) = bytes.split_last_chunk::<8>().ok_or_else(|| invalid("it is damaged"))?;
        if checksum(bytes) != u64::from_le_bytes(*sum) {
            return Err(invalid("it is damaged"));
        }
        parse(bytes).ok_or_else(|| invalid("it is not one that a listing has made"))
    }
}

fn parse(mut bytes: &[u8]) -> Option<Cursor> {
    let root = u64::from_le_bytes(take(&mut bytes)?);
    let place = u64::from_le_bytes(take(&mut bytes)?);
    let identity = Identity::from_bytes(take(&mut bytes)?);
    let rank = i128::from_le_bytes(take(&mut bytes)?);
    let length = usize::from(u16::from_le_bytes(take(&mut bytes)?));
    let (request, after) = bytes.split_at_checked(length)?;
    let ordinal = Some(place & !(UNCOUNTED | AT | UNSEEN)).filter(|n| *n <= MAX_ORDINAL)?;
    // What is not known is zero.
    if (place & UNCOUNTED != 0 && ordinal != 0)
        || (place & UNSEEN != 0 && identity != Identity::default())
    {
        return None;
    }
    Some(Cursor {
        request: serde_json::from_slice(request).ok()?,
        root,
        ordinal: (place & UNCOUNTED == 0).then_some(ordinal),
        after: RelPathBuf::new(after).ok()?,
        bound: if place & AT == 0 { Bound::After } else { Bound::At },
        identity: (place & UNSEEN == 0).then_some(identity),
        rank,
    })
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*head)
}

fn checksum(bytes: &[u8]) -> u64 {
    Digest::new().add(b"trilist cursor").add(bytes).short()
}

fn invalid(reason: &str) -> ListError {
    ListError::InvalidCursor { reason: reason.to_owned() }
}
