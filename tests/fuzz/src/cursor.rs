//! Cursors from outside.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use trilist_core::cursor::{Cursor, MAX_CURSOR_BYTES};
use trilist_core::{Digest, ListError, RelPath};

use crate::choices::Choices;
use crate::request::{json, meant};

/// Decodes the bytes as a cursor; or as the body of one, with a checksum that is right; or makes a
/// cursor's fields of them. What is decoded holds a valid path and comes back as it was when it is
/// encoded.
///
/// # Panics
///
/// When one of these does not hold.
pub fn cursor(data: &[u8]) {
    let mut choices = Choices::new(data);
    let text = match choices.below(3) {
        0 => String::from_utf8_lossy(choices.rest()).into_owned(),
        1 => sealed(choices.rest()),
        _ => made(&mut choices),
    };
    let cursor = match Cursor::decode(&text) {
        Ok(cursor) => cursor,
        Err(ListError::InvalidCursor { .. }) => return,
        Err(other) => panic!("{other}"),
    };
    assert!(text.len() <= MAX_CURSOR_BYTES);
    assert!(RelPath::new(cursor.after.as_bytes()).is_ok());
    assert!(cursor.ordinal.is_none_or(|ordinal| ordinal <= 1 << 53));
    if let Some(again) = cursor.encode() {
        assert!(again.len() <= MAX_CURSOR_BYTES);
        let again = Cursor::decode(&again).expect("it was made");
        // The path's spelling may be another.
        assert_eq!(meant(&again.request), meant(&cursor.request));
        assert_eq!(again, Cursor { request: again.request.clone(), ..cursor });
    }
}

/// The body of a cursor with the checksum, which is no secret.
fn sealed(body: &[u8]) -> String {
    let sum = Digest::new().add(b"trilist cursor").add(body).short();
    let bytes = [body, &sum.to_le_bytes()].concat();
    format!("c1.{}", URL_SAFE_NO_PAD.encode(bytes))
}

fn made(choices: &mut Choices<'_>) -> String {
    let request = json(choices);
    let after = choices.words(&[b"a", b"src/", b"/", b"..", b".", b"b.rs", b"\xff"], 6);
    let mut body = choices.bytes(48);
    body.resize(48, 0);
    // An ordinal is mostly small.
    if !choices.one_in(4) {
        body[10..16].fill(0);
    }
    let mut len = request.len() as u16;
    if choices.one_in(8) {
        len = len.wrapping_add(choices.below(3) as u16).wrapping_sub(1);
    }
    body.extend(len.to_le_bytes());
    body.extend(request.as_bytes());
    body.extend(after);
    choices.damage(&mut body);
    sealed(&body)
}
