//! An earlier reply, to compare a listing with.

use std::path::Path;

use serde_json::Value;
use trilist_core::cursor::Cursor;
use trilist_core::snapshot::Snapshot;
use trilist_core::{Identity, ListError, ListRequest, Mode, Page};
use trilist_root::{ReadError, errno_name, read_host_file};

use crate::quote;

/// The largest file of an earlier reply that is read, in bytes.
const MAX_REPLY_BYTES: u64 = 64 << 20;

/// What an earlier reply said of its listing. A reply that was cut is compared as far as it goes,
/// if it is in path order: in another order, what is missing may be anywhere.
///
/// It comes from outside and grants nothing: its request is checked like any other, and the place
/// that it is about has to be the one that is listed.
#[derive(Debug)]
pub struct Earlier {
    pub(crate) id: String,
    pub(crate) request: ListRequest,
    pub(crate) snapshot: Snapshot,
    root: String,
    path: String,
}

impl Earlier {
    /// What a page said.
    ///
    /// # Errors
    ///
    /// [`ListError::InvalidArgument`] when there is nothing in it to compare with.
    pub fn of_page(page: &Page) -> Result<Earlier, ListError> {
        if is_part(page) && is_in_other_order(page) {
            let why = "it is one page of a listing in another order than that of paths, so what it \
                       lacks may be anywhere: save a whole listing, or pages in path order";
            return Err(unusable(why));
        }
        let snapshot = Snapshot::of_page(page).map_err(unusable)?;
        if Identity::from_hex(&page.snapshot_id).is_none() {
            return Err(unusable("its `snapshot_id` is none"));
        }
        let plain = || ListRequest::new(page.mode, ".");
        let request = page.request.as_deref().cloned().unwrap_or_else(plain);
        if request.mode != page.mode || request.pin || request.since.is_some() {
            return Err(unusable("its `request` does not fit it"));
        }
        Ok(Earlier {
            id: page.snapshot_id.clone(),
            request,
            snapshot,
            root: page.root.clone(),
            path: page.path.clone(),
        })
    }

    /// What a reply said, as `--json` or `--jsonl` print it.
    ///
    /// # Errors
    ///
    /// [`ListError::InvalidArgument`] when it is none.
    pub fn parse(text: &[u8]) -> Result<Earlier, ListError> {
        let page = serde_json::from_slice::<Page>(text).ok().or_else(|| lines(text));
        let page =
            page.ok_or_else(|| unusable("it is no reply as `--json` or `--jsonl` print it"))?;
        Earlier::of_page(&page)
    }

    /// Reads a reply from a file of the host's, of at most 64 MiB.
    ///
    /// # Errors
    ///
    /// As [`Earlier::parse`]; [`ListError::Io`] when the file cannot be read.
    pub fn read(file: &Path) -> Result<Earlier, ListError> {
        let bytes = read_host_file(file, MAX_REPLY_BYTES).map_err(|error| {
            let name = quote::shown(file.as_os_str().as_encoded_bytes()).into_owned();
            let error = match error {
                ReadError::Io(error) => errno_name(&error),
                error => error.to_string(),
            };
            ListError::Io { what: format!("cannot read `{name}`"), error }
        })?;
        Earlier::parse(&bytes)
    }

    /// The mode of the listing.
    pub fn mode(&self) -> Mode {
        self.request.mode
    }

    /// The root and the path in it that the reply is about, as it shows them.
    pub(crate) fn place(&self) -> (&str, &str) {
        (&self.root, &self.path)
    }
}

/// A reply in lines: an entry each, then the rest of it.
fn lines(text: &[u8]) -> Option<Page> {
    let mut lines: Vec<Value> =
        serde_json::Deserializer::from_slice(text).into_iter().collect::<Result<_, _>>().ok()?;
    let mut rest = lines.pop()?;
    rest.as_object_mut()?.insert("entries".to_owned(), Value::Array(lines));
    serde_json::from_value(rest).ok()
}

/// Whether a reply has not everything that its listing has.
fn is_part(page: &Page) -> bool {
    page.truncated || page.next_cursor.is_some() || page.at_least != page.returned
}

/// The reply's request says so, and so does the cursor that goes on from it.
fn is_in_other_order(page: &Page) -> bool {
    let cursor = page.next_cursor.as_deref().and_then(|cursor| Cursor::decode(cursor).ok());
    let requests = [page.request.as_deref(), cursor.as_ref().map(|cursor| &cursor.request)];
    requests.into_iter().flatten().any(ListRequest::is_sorted)
}

fn unusable(why: &str) -> ListError {
    ListError::invalid("since", "a reply that cannot be compared with", why)
}
