//! Asking the host before something is listed.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use trilist_core::{Cancel, ListError};
use trilist_root::Root;

use crate::roots::{argument, shown};

/// The most answers that hold for good; the oldest is forgotten, and asked for again.
const MAX_KEPT: usize = 4_096;

/// What a policy says of something that it can let be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// It is done.
    Allow,
    /// The host is asked, by its [`Approver`].
    Ask,
    /// It is refused.
    Deny,
}

/// The two things that a host is asked for. Neither answer stands for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QuestionKind {
    /// Whether a directory may be listed: a permission of its own, apart from reading contents.
    List,
    /// Whether a directory outside every root may be read beneath.
    ExternalDirectory,
}

impl QuestionKind {
    /// The permission's name: `list` or `external_directory`.
    pub fn name(self) -> &'static str {
        match self {
            QuestionKind::List => "list",
            QuestionKind::ExternalDirectory => "external_directory",
        }
    }
}

/// What a host is asked. Its text is fit to be shown, whatever the directory is called.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// What is asked for.
    pub kind: QuestionKind,
    /// The absolute path of the directory: canonical beneath a root; outside the roots as it was
    /// asked for, without `.` and `..`, and only opened if no part of it is a link.
    pub directory: PathBuf,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let directory = shown(self.directory.as_os_str().as_bytes());
        match self.kind {
            QuestionKind::List => write!(f, "list {directory}"),
            QuestionKind::ExternalDirectory => {
                write!(f, "read the names in {directory}, which is outside the roots")
            }
        }
    }
}

/// A host's answer. Those for good hold for the directory and everything below it, as long as the
/// [`crate::Lister`] lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Yes, for this call.
    AllowOnce,
    /// Yes, for good.
    AllowAlways,
    /// No, for this call.
    RejectOnce,
    /// No, for good.
    RejectAlways,
}

impl Decision {
    fn allows(self) -> bool {
        matches!(self, Decision::AllowOnce | Decision::AllowAlways)
    }

    fn is_for_good(self) -> bool {
        matches!(self, Decision::AllowAlways | Decision::RejectAlways)
    }
}

/// A host that can be asked, for instance by showing its user a prompt.
///
/// Every function with these arguments is one.
pub trait Approver: Send + Sync {
    /// Answers a question. It may take its time: the call's deadline does not run meanwhile. When
    /// `cancel` is cancelled nobody waits for the answer any more.
    ///
    /// Calls in several threads ask at the same time, also the same question. A call of the same
    /// [`crate::Lister`] from here would ask again.
    fn ask(&self, question: &Question, cancel: &Cancel) -> Decision;
}

impl<F: Fn(&Question, &Cancel) -> Decision + Send + Sync> Approver for F {
    fn ask(&self, question: &Question, cancel: &Cancel) -> Decision {
        self(question, cancel)
    }
}

/// Who is asked, and the answers that hold for good.
#[derive(Default)]
pub(crate) struct Approvals {
    approver: Option<Arc<dyn Approver>>,
    kept: Mutex<Vec<Answer>>,
}

/// An answer, for a directory and what is below it.
#[derive(Clone)]
struct Answer {
    kind: QuestionKind,
    directory: Vec<u8>,
    allows: bool,
}

impl Answer {
    fn covers(&self, kind: QuestionKind, path: &[u8]) -> bool {
        self.kind == kind && below(&self.directory, path).is_some()
    }
}

/// What was asked in one call: nothing is asked twice.
pub(crate) struct Asking<'c> {
    cancel: &'c Cancel,
    may_ask: bool,
    answers: RefCell<Vec<Answer>>,
    /// The directories outside the roots that were opened.
    opened: RefCell<Vec<Arc<Root>>>,
}

/// What was answered and opened in a call.
pub(crate) struct Known {
    answers: Vec<Answer>,
    opened: Vec<Arc<Root>>,
}

impl<'c> Asking<'c> {
    pub(crate) fn new(cancel: &'c Cancel) -> Self {
        Asking { cancel, may_ask: true, answers: RefCell::default(), opened: RefCell::default() }
    }

    /// The same call on another thread.
    pub(crate) fn going_on(cancel: &'c Cancel, known: Known) -> Self {
        let Known { answers, opened } = known;
        let (answers, opened) = (RefCell::new(answers), RefCell::new(opened));
        Asking { answers, opened, ..Asking::new(cancel) }
    }

    /// What there is to go on with.
    pub(crate) fn into_known(self) -> Known {
        Known { answers: self.answers.into_inner(), opened: self.opened.into_inner() }
    }

    /// For what is no call yet: what the host has not approved of for good is not approved.
    pub(crate) fn nobody(cancel: &'c Cancel) -> Self {
        Asking { may_ask: false, ..Asking::new(cancel) }
    }

    /// A directory outside the roots, by its absolute path; opened once.
    pub(crate) fn root(
        &self,
        path: &[u8],
        open: impl FnOnce() -> Result<Root, ListError>,
    ) -> Result<Arc<Root>, ListError> {
        let known = self.opened.borrow().iter().find(|root| root.path() == path).cloned();
        if let Some(root) = known {
            return Ok(root);
        }
        let root = Arc::new(open()?);
        self.opened.borrow_mut().push(Arc::clone(&root));
        Ok(root)
    }
}

impl Approvals {
    pub(crate) fn of(approver: Arc<dyn Approver>) -> Self {
        Approvals { approver: Some(approver), kept: Mutex::default() }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.approver.is_none()
    }

    /// The directory of the answer that lets `path` be listed or read: `path` itself, or one above
    /// it that was approved for good. `asked` is the path as it was asked for.
    ///
    /// # Errors
    ///
    /// [`ListError::ApprovalRequired`] when nobody can be asked, [`ListError::DeniedByPolicy`] when
    /// the answer is no, [`ListError::Cancelled`].
    pub(crate) fn approved(
        &self,
        kind: QuestionKind,
        path: &[u8],
        asked: &[u8],
        asking: &Asking<'_>,
    ) -> Result<Vec<u8>, ListError> {
        let answer = match self.known(kind, path, asking) {
            Some(answer) => answer,
            None => self.ask(kind, path, asked, asking)?,
        };
        match answer.allows {
            true => Ok(answer.directory),
            false => Err(rejected(asked)),
        }
    }

    /// The answer that was given in this call, or for good; of several the innermost.
    fn known(&self, kind: QuestionKind, path: &[u8], asking: &Asking<'_>) -> Option<Answer> {
        let given = asking.answers.borrow();
        if let Some(answer) = given.iter().find(|one| one.kind == kind && one.directory == path) {
            return Some(answer.clone());
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let covering = kept.iter().filter(|answer| answer.covers(kind, path));
        covering.max_by_key(|answer| answer.directory.len()).cloned()
    }

    fn ask(
        &self,
        kind: QuestionKind,
        path: &[u8],
        asked: &[u8],
        asking: &Asking<'_>,
    ) -> Result<Answer, ListError> {
        let Some(approver) = self.approver.as_ref().filter(|_| asking.may_ask) else {
            return Err(ListError::ApprovalRequired { asked: argument(asked) });
        };
        asking.cancel.check()?;
        let directory = PathBuf::from(OsStr::from_bytes(path));
        let decision = approver.ask(&Question { kind, directory }, asking.cancel);
        asking.cancel.check()?;
        let answer = Answer { kind, directory: path.to_vec(), allows: decision.allows() };
        asking.answers.borrow_mut().push(answer.clone());
        if decision.is_for_good() {
            self.keep(answer.clone());
        }
        Ok(answer)
    }

    /// The last answer about a directory is the one that holds.
    fn keep(&self, answer: Answer) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|old| old.kind != answer.kind || old.directory != answer.directory);
        if kept.len() >= MAX_KEPT {
            kept.remove(0);
        }
        kept.push(answer);
    }
}

/// What of an absolute path lies below a directory; nothing of that itself.
pub(crate) fn below<'p>(directory: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
    let rest = path.strip_prefix(directory)?;
    match rest {
        [] => Some(rest),
        _ if directory.ends_with(b"/") => Some(rest),
        [b'/', rest @ ..] => Some(rest),
        _ => None,
    }
}

fn rejected(asked: &[u8]) -> ListError {
    let instead = "The host was asked and has said no; list another directory.".to_owned();
    ListError::DeniedByPolicy { asked: argument(asked), instead }
}
