//! The files of a chat session beside a listing.

mod find;
mod probe;

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use trilist_core::chat::{Bucket, Chat, ChatFile, ChatFiles, ChatGroup, RepoGroup};
use trilist_core::{Cancel, ListError, Page, PathArg, RawName};

use trilist_root::{ReadError, errno_name, read_host_file};

use crate::lister::{Job, Lister};
use crate::quote;
use crate::sources::Opened;
use find::Found;
use probe::Standing;

/// The most files of a session.
const MAX_FILES: usize = 1_000;
/// The longest path of one, in bytes.
const MAX_PATH_BYTES: usize = 4_096;

/// The largest file of a session that is read, in bytes.
const MAX_SESSION_BYTES: u64 = 8 << 20;

/// Reads the files of a session from a JSON file of the host's, of at most 8 MiB; see
/// [`ChatFiles`] and `schemas/chat_session.json`.
///
/// # Errors
///
/// [`ListError::Io`] when the file cannot be read, [`ListError::InvalidArgument`] when it is no
/// session.
pub fn read_session(file: &Path) -> Result<ChatFiles, ListError> {
    let name = || quote::shown(file.as_os_str().as_encoded_bytes()).into_owned();
    let bytes = read_host_file(file, MAX_SESSION_BYTES).map_err(|error| {
        let error = match error {
            ReadError::Io(error) => errno_name(&error),
            error => error.to_string(),
        };
        ListError::Io { what: format!("cannot read `{}`", name()), error }
    })?;
    // A list would pass for an object with its fields in order.
    let object = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&bytes);
    let session = object.and_then(|object| serde_json::from_value(object.into()));
    session.map_err(|error| {
        let expected = "it is an object with the lists `in_chat` and `read_only`";
        ListError::invalid("session", format!("no session ({error})"), expected)
    })
}

/// The files of a session, found.
pub(crate) struct Session {
    files: Vec<SessionFile>,
    /// The places of those below the listed directory, by path.
    below: HashMap<Vec<u8>, Bucket>,
}

struct SessionFile {
    bucket: Bucket,
    /// As the host named it.
    named: Vec<u8>,
    found: Found,
    /// Relative to the listed directory, if it lies below.
    path: Option<Vec<u8>>,
    /// Only of files below the listed directory, and only where groups are named.
    standing: Option<Standing>,
}

impl Session {
    /// Finds the files of a session, of a listing of `top` in `root`.
    ///
    /// # Errors
    ///
    /// [`ListError::InvalidArgument`] for too many names, and for what can be none.
    pub(crate) fn find(
        files: &ChatFiles,
        lister: &Lister,
        root: &[u8],
        top: &[u8],
    ) -> Result<Session, ListError> {
        check(files)?;
        let mut session = Session { files: Vec::new(), below: HashMap::new() };
        let named = |bucket, names: &[PathArg]| -> Vec<(Bucket, Vec<u8>)> {
            names.iter().map(|name| (bucket, name.as_bytes().to_vec())).collect()
        };
        let mut all = named(Bucket::InChat, &files.in_chat);
        all.extend(named(Bucket::ReadOnly, &files.read_only));
        for (bucket, named) in all {
            session.add(bucket, named, lister, (root, top));
        }
        Ok(session)
    }

    /// Finds out, for a first page, how each file stands in the listing. That takes at most half of
    /// the time that is left: the page itself comes whatever becomes of the names.
    ///
    /// # Errors
    ///
    /// [`ListError::Cancelled`].
    pub(crate) fn standing(
        mut self,
        lister: &Lister,
        (job, opened): (&Job, &Opened),
        cancel: &Cancel,
    ) -> Result<Session, ListError> {
        if job.cursor.is_none() && job.plan.skip == 0 {
            let cancel = &half_of(cancel);
            for file in &mut self.files {
                if let Some(path) = &file.path {
                    let standing =
                        probe::standing(lister, (job, opened), path, file.found.kind(), cancel)?;
                    file.standing = Some(standing);
                }
            }
        }
        Ok(self)
    }

    /// Adds a file, unless it is there already.
    fn add(
        &mut self,
        bucket: Bucket,
        named: Vec<u8>,
        lister: &Lister,
        (root, top): (&[u8], &[u8]),
    ) {
        let found = find::find(lister, &named);
        let path = found.below(root, top).map(<[u8]>::to_vec);
        if self.files.iter().any(|file| file.found.is_same(&found)) {
            return;
        }
        if let Some(path) = &path {
            self.below.insert(path.clone(), bucket);
        }
        self.files.push(SessionFile { bucket, named, found, path, standing: None });
    }

    /// Gives each entry of a page its bucket, and the page its groups.
    pub(crate) fn mark(&self, page: &mut Page) {
        let mut returned = 0;
        for entry in &mut page.entries {
            let bucket = self.below.get(entry.bytes()).copied().unwrap_or(Bucket::Repo);
            returned += u64::from(bucket == Bucket::Repo);
            entry.bucket = Some(bucket);
        }
        let is_first = self.files.iter().all(|file| file.path.is_none() || file.standing.is_some());
        let is_first = is_first && page.after.is_none();
        let listed = self.files.iter().filter(|file| file.is_listed()).count() as u64;
        let count = page.total.filter(|_| is_first).map(|total| total.saturating_sub(listed));
        page.chat = Some(Box::new(Chat {
            in_chat: self.group(Bucket::InChat, is_first),
            read_only: self.group(Bucket::ReadOnly, is_first),
            repo: RepoGroup { count, returned },
        }));
    }

    fn group(&self, bucket: Bucket, is_named: bool) -> ChatGroup {
        let of_group = || self.files.iter().filter(|file| file.bucket == bucket);
        let mut files: Vec<&SessionFile> = of_group().filter(|_| is_named).collect();
        files.sort_by_key(|file| (file.path.is_none(), file.path.as_ref().unwrap_or(&file.named)));
        ChatGroup {
            count: of_group().count() as u64,
            files: files.into_iter().map(SessionFile::told).collect(),
        }
    }
}

impl SessionFile {
    fn is_listed(&self) -> bool {
        self.standing.as_ref().is_some_and(|standing| standing.reason.is_none())
    }

    fn told(&self) -> ChatFile {
        let bytes = self.path.as_ref().unwrap_or(&self.named);
        let path = quote::shown(bytes).into_owned();
        let raw = RawName::of(bytes);
        let (reason, rule) = match &self.standing {
            Some(standing) => (standing.reason, standing.rule.clone()),
            None => (Some(self.found.reason_outside()), None),
        };
        let kind = self.standing.as_ref().and_then(|standing| standing.kind);
        let kind = kind.or(self.found.kind());
        ChatFile { path, raw, kind, listed: reason.is_none(), reason, rule }
    }
}

/// The same call with half of its time.
fn half_of(cancel: &Cancel) -> Cancel {
    match cancel.deadline() {
        Some(end) => cancel.with_deadline(end.saturating_duration_since(Instant::now()) / 2),
        None => cancel.clone(),
    }
}

fn check(files: &ChatFiles) -> Result<(), ListError> {
    let count = files.in_chat.len() + files.read_only.len();
    if count > MAX_FILES {
        let expected = format!("a session has at most {MAX_FILES} files");
        return Err(ListError::invalid("chat", format!("{count} files"), expected));
    }
    for (field, names) in [("chat.in_chat", &files.in_chat), ("chat.read_only", &files.read_only)] {
        for name in names.iter().map(PathArg::as_bytes) {
            if name.len() > MAX_PATH_BYTES {
                let expected = format!("a path has at most {MAX_PATH_BYTES} bytes");
                return Err(ListError::invalid(
                    field,
                    format!("{} bytes long", name.len()),
                    expected,
                ));
            }
            if name.is_empty() || name.contains(&0) {
                let expected = "a path is not empty and has no NUL byte";
                return Err(ListError::invalid(field, quote::shown(name), expected));
            }
        }
    }
    Ok(())
}
