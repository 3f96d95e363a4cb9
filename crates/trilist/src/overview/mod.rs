//! A whole directory within a budget of bytes.

mod choose;
mod gather;
mod node;
mod peek;
mod reply;
mod request;

use trilist_core::tally::Tally;
use trilist_core::{Cancel, Kind, ListError, MAX_DEPTH, Mode, TruncatedBy};

pub use reply::{Counts, Hidden, Overview, OverviewRow};
pub use request::{Measure, OverviewRequest};

use crate::approval::Asking;
use crate::lister::{Job, Lister};
use crate::plan::{self, Extent};
use crate::render;
use crate::{reply as names, roots};
use choose::Chooser;
use gather::Gathered;
use node::Node;

/// Bytes of an overview when the request names none.
pub const DEFAULT_BYTES: u32 = 4_000;

impl Lister {
    /// A whole directory within a budget of bytes: everything directly in it, then as much of what
    /// is below as fits, shared fairly among its directories, with the counts of what is not shown.
    ///
    /// ```
    /// use trilist::{Cancel, Lister, Mode, OverviewRequest, Policy, render};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("trilist-ov-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(folder.join("src"))?;
    /// # std::fs::write(folder.join("src/main.rs"), "")?;
    /// let lister = Lister::open(&[&folder], Policy::default())?;
    /// let overview = lister.overview(&OverviewRequest::new(Mode::Files, "."), &Cancel::new())?;
    /// assert_eq!(overview.rows[0].counts.map(|counts| counts.files), Some(1));
    /// assert!(render::overview(&overview).contains("src/ (1 file)\n  main.rs\n"));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Lister::list`]; a deadline or a cap gives what was read by then, and says so.
    pub fn overview(
        &self,
        request: &OverviewRequest,
        cancel: &Cancel,
    ) -> Result<Overview, ListError> {
        let bytes = plan::overview_bytes(request.max_bytes, DEFAULT_BYTES)?;
        let deadline = request.deadline_ms.unwrap_or(self.policy().default_deadline_ms);
        let mut listing = request.listing();
        listing.deadline_ms = Some(deadline);
        let mut job = self.job(&listing, Extent::All, &Asking::new(cancel))?;
        job.plan.query.scan_cap = Some(self.policy().scan_cap);
        let cancel = job.cancel(cancel);
        let opened = self.source(&job)?;
        let counted = request.count || request.mode == Mode::Vcs;
        let mut draft = if counted {
            let mut events = job.events(&opened, &cancel)?;
            let gathered = gather::gather(&mut events, bytes as u64)?;
            Draft::new(gathered, request, None)
        } else {
            let peek = peek::Peek::new(&job, &opened, &cancel);
            Draft::new(Gathered::unread(), request, Some(peek))
        };
        draft.frame = frame(&job, &opened.top);
        draft.frame.notices.extend(opened.notices());
        draft.frame.notices.extend(job.notices.iter().cloned());
        draft.fitted(bytes)
    }
}

/// The reply around the rows.
fn frame(job: &Job, top: &trilist_core::RelPathBuf) -> Overview {
    let subject = job.subject(top);
    Overview {
        root: names::root_text(&subject),
        path: match job.place.path.as_bytes() {
            b"" => ".".to_owned(),
            path => roots::shown(path),
        },
        mode: job.request.mode,
        depth: Some(job.plan.query.depth).filter(|depth| *depth < MAX_DEPTH),
        ..Overview::default()
    }
}

impl Default for Overview {
    fn default() -> Self {
        Overview {
            root: String::new(),
            path: ".".to_owned(),
            mode: Mode::Fs,
            depth: None,
            rows: Vec::new(),
            returned: 0,
            hidden: None,
            counts: None,
            complete: false,
            truncated: true,
            truncated_by: Some(TruncatedBy::Budget),
            omitted: Vec::new(),
            warnings: Vec::new(),
            warnings_total: 0,
            gaps: 0,
            notices: Vec::new(),
            seen: trilist_core::Seen::default(),
        }
    }
}

/// What an overview is made of.
struct Draft<'d> {
    gathered: Gathered,
    mode: Mode,
    measure: Measure,
    peek: Option<peek::Peek<'d>>,
    frame: Overview,
}

/// What stands in the rows of directories.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Counted,
    Plain,
}

impl<'d> Draft<'d> {
    fn new(gathered: Gathered, request: &OverviewRequest, peek: Option<peek::Peek<'d>>) -> Self {
        let (mode, measure) = (request.mode, request.measure);
        Draft { gathered, mode, measure, peek, frame: Overview::default() }
    }

    /// The reply with as many rows as fit. Where not all of the listed directory's do, first counts
    /// give way to them, then what stands around them: unless these rows alone are too many.
    fn fitted(mut self, bytes: usize) -> Result<Overview, ListError> {
        let mut reply = self.at_most(bytes, Rows::Counted)?;
        let is_whole =
            |reply: &Option<Overview>| reply.as_ref().is_some_and(|reply| reply.hidden.is_none());
        if !is_whole(&reply) && self.rows_alone().is_some_and(|rows| rows <= bytes) {
            reply = self.at_most(bytes, Rows::Plain)?.or(reply);
            while !is_whole(&reply) && self.shorten() {
                reply = self.at_most(bytes, Rows::Plain)?.or(reply);
            }
        }
        while reply.is_none() && self.shorten() {
            reply = self.at_most(bytes, Rows::Counted)?;
        }
        let expected = "what stands around the rows takes more";
        reply.ok_or_else(|| ListError::invalid("max_bytes", bytes, expected))
    }

    /// The bytes of the rows of what lies directly in the listed directory, without counts; nothing
    /// where they are known to be too many.
    fn rows_alone(&self) -> Option<usize> {
        let (measure, counted, drops_empty) = (self.measure, false, false);
        Chooser { measure, counted, drops_empty, grow: None }.level_bytes(&self.gathered.top)
    }

    /// The same without giving way; nothing if what stands around the rows is too long already.
    fn at_most(&mut self, bytes: usize, rows: Rows) -> Result<Option<Overview>, ListError> {
        let mut for_rows = bytes;
        loop {
            let reply = self.reply(for_rows, rows)?;
            match (self.len(&reply).saturating_sub(bytes), for_rows) {
                (0, _) => return Ok(Some(reply)),
                (_, 0) => return Ok(None),
                (over, _) => for_rows = for_rows.saturating_sub(over),
            }
        }
    }

    /// Takes away what the reply can do without. Says whether there was anything.
    fn shorten(&mut self) -> bool {
        self.frame.notices.pop().is_some() || self.gathered.tally.forget_warning()
    }

    fn len(&self, reply: &Overview) -> usize {
        match self.measure {
            Measure::Text => render::overview(reply).len(),
            Measure::Json => render::overview_json(reply).len(),
        }
    }

    fn reply(&mut self, for_rows: usize, rows: Rows) -> Result<Overview, ListError> {
        forget_choice(&mut self.gathered.top);
        let counted = self.peek.is_none();
        let mut grow =
            self.peek.as_mut().map(|peek| |path: &[u8], node: &mut Node| peek.grow(path, node));
        let mut chooser = Chooser {
            measure: self.measure,
            counted: counted && rows == Rows::Counted,
            drops_empty: self.mode == Mode::Files,
            grow: grow.as_mut().map(|grow| grow as &mut choose::Grow<'_>),
        };
        chooser.open(&mut self.gathered.top, b"", 1, for_rows)?;
        let mut rows = Vec::new();
        chooser.collect(&self.gathered.top, b"", &mut rows);
        if let Some(peek) = &mut self.peek {
            peek.told(&mut self.gathered);
        }
        Ok(self.filled(rows, counted))
    }

    fn filled(&self, rows: Vec<OverviewRow>, counted: bool) -> Overview {
        let Gathered { top, tally, stopped, seen } = &self.gathered;
        let hidden = choose::hidden(top);
        let truncated_by = stopped.or((!top.is_whole()).then_some(TruncatedBy::Budget));
        Overview {
            returned: rows.len() as u64,
            rows,
            hidden,
            counts: counted.then_some(top.counts),
            complete: truncated_by.is_none() && !tally.has_gaps(),
            truncated: truncated_by.is_some(),
            truncated_by,
            omitted: tally.omitted(),
            warnings: tally.warnings().to_vec(),
            warnings_total: tally.warnings_total(),
            gaps: tally.gaps(),
            seen: *seen,
            ..self.frame.clone()
        }
    }
}

fn forget_choice(node: &mut Node) {
    node.shown = None;
    node.children.iter_mut().for_each(forget_choice);
}

impl Gathered {
    /// A directory of which nothing was read.
    fn unread() -> Self {
        Gathered {
            top: Node::new(b"", Kind::Dir, None),
            tally: Tally::default(),
            stopped: None,
            seen: trilist_core::Seen::default(),
        }
    }
}
