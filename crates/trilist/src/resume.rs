//! Going on where a cursor says.

use serde_json::{Map, Value};
use trilist_core::{Digest, ListRequest, PathArg, quote};
use trilist_root::Root;

use crate::Policy;
use crate::ignoring::Switches;
use crate::plan::Defaults;
use crate::roots::Place;

/// Fields that may change from page to page: they say how much is shown and how, not what.
const FREE: [&str; 11] = [
    "cursor",
    "limit",
    "offset",
    "max_bytes",
    "deadline_ms",
    "view",
    "metadata",
    "count",
    "pin",
    "snapshot",
    "since",
];

/// A digest that tells roots apart in cursors without naming them.
pub(crate) fn root_digest(root: &Root) -> u64 {
    Digest::new().add(b"root").add(root.path()).short()
}

/// What stands for a place's root in a cursor. Outside the roots that is the directory itself: which
/// one above it was approved can differ from call to call.
pub(crate) fn place_digest(place: &Place) -> u64 {
    match place.is_outside {
        true => Digest::new().add(b"outside").add(&place.whole()).short(),
        false => root_digest(&place.root),
    }
}

/// The request to put into a cursor: what fixes the listing, with its canonical path, relative to
/// its root if that is one of the lister's.
pub(crate) fn fixed_part(request: &ListRequest, place: &Place) -> ListRequest {
    let whole = place.whole();
    let path = match place.path.as_bytes() {
        // No root of the lister's tells where it is.
        _ if place.is_outside => quote::shown(&whole),
        b"" => ".".into(),
        base => quote::shown(base),
    };
    ListRequest {
        path: PathArg::from(&*path),
        limit: None,
        offset: None,
        cursor: None,
        count: false,
        metadata: false,
        max_bytes: None,
        deadline_ms: None,
        view: None,
        snapshot: None,
        // What is compared with is named by `since`.
        pin: request.pin && request.since.is_none(),
        ..request.clone()
    }
}

/// The absolute path of a place in a root, as an argument.
pub(crate) fn absolute(root: &Root, base: &[u8]) -> PathArg {
    let mut absolute = root.path().to_vec();
    absolute.push(b'/');
    absolute.extend_from_slice(base);
    absolute.into()
}

/// The request that an earlier one and the fields given with it make together.
///
/// # Errors
///
/// The name of a field that was given with another value than the earlier request's.
pub(crate) fn merge(
    request: &ListRequest,
    earlier: &ListRequest,
    policy: &Policy,
) -> Result<ListRequest, String> {
    let in_force = fields(&spelled_out(earlier, policy));
    for (name, value) in fields(request) {
        let is_free = FREE.contains(&name.as_str()) || name == "path";
        if !is_free && !agrees(&value, in_force.get(&name)) {
            return Err(name);
        }
    }
    Ok(ListRequest {
        limit: request.limit,
        offset: request.offset,
        cursor: request.cursor.clone(),
        count: request.count,
        metadata: request.metadata,
        max_bytes: request.max_bytes,
        deadline_ms: request.deadline_ms,
        view: request.view,
        ..earlier.clone()
    })
}

/// A field agrees when each part of it that was given has the value in force.
fn agrees(given: &Value, in_force: Option<&Value>) -> bool {
    match (given, in_force) {
        (Value::Object(parts), Some(Value::Object(whole))) => {
            parts.iter().all(|(name, part)| whole.get(name) == Some(part))
        }
        (given, in_force) => in_force == Some(given),
    }
}

/// The request with its defaults filled in, so that saying what is in force anyway agrees.
pub(crate) fn spelled_out(request: &ListRequest, policy: &Policy) -> ListRequest {
    let defaults = Defaults::of(request.mode);
    let switches = Switches::of(request.mode, &request.ignore, &policy.ignore);
    let mut whole = request.clone();
    whole.depth.get_or_insert(defaults.depth);
    whole.include_hidden.get_or_insert(defaults.include_hidden);
    let ignore = &mut whole.ignore;
    ignore.builtin.get_or_insert(switches.builtin);
    ignore.git.get_or_insert(switches.git);
    ignore.dot_ignore.get_or_insert(switches.dot_ignore);
    ignore.show.get_or_insert(switches.show);
    ignore.config.get_or_insert(true);
    whole
}

fn fields(request: &ListRequest) -> Map<String, Value> {
    match serde_json::to_value(request) {
        Ok(Value::Object(fields)) => fields,
        // A struct of plain fields has no other form.
        _ => Map::new(),
    }
}
