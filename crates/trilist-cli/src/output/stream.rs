//! Writing everything, entry by entry.

use std::io;
use std::ops::ControlFlow;

use trilist::render::{self, Row, TreeWriter};
use trilist::{Entry, EntryRef, ListError, Page, StreamItem};

use super::stdout;
use super::{Layout, Shape, colour, rest_of_reply};
use crate::failure::{self, Failure};
use crate::options;
use crate::signals;

/// A part of what a pipe holds, so that its reader is busy while the next part is made.
const BUFFER_BYTES: usize = 384 * 1024;
/// Room for the row that fills the buffer.
const ROW_BYTES: usize = 4096;

/// Writes what a stream gives.
pub(crate) struct Stream {
    layout: Layout,
    /// What is not written yet. Rows are made in it: copying each one costs as much as making it.
    out: Vec<u8>,
    /// What stands before the first entry.
    opening: String,
    started: bool,
    spilled: bool,
    tree: Option<TreeWriter>,
    failed: Option<io::Error>,
}

impl Stream {
    pub(crate) fn new(layout: Layout) -> Stream {
        Stream {
            layout,
            out: Vec::with_capacity(BUFFER_BYTES + ROW_BYTES),
            opening: String::new(),
            started: false,
            spilled: false,
            tree: None,
            failed: None,
        }
    }

    /// Writes the next item; breaks when that fails.
    #[inline]
    pub(crate) fn take(&mut self, item: StreamItem<'_>) -> ControlFlow<()> {
        match item {
            StreamItem::Head(page) => self.head(page),
            StreamItem::Entry(entry) => self.entry(entry),
        }
        if self.out.len() < BUFFER_BYTES {
            return ControlFlow::Continue(());
        }
        match self.spill() {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Writes what remains to be said when the stream has ended.
    ///
    /// # Errors
    ///
    /// [`Failure::Output`] when standard output cannot be written, else as the stream ended.
    pub(crate) fn end(mut self, end: Result<Page, ListError>) -> Result<Page, Failure> {
        if let Some(error) = self.failed.take() {
            return Err(Failure::Output(error));
        }
        match end {
            Ok(page) => {
                self.tail(&page).map_err(Failure::Output)?;
                if let Some(notices) = self.layout.notices(&page) {
                    failure::notice(&notices);
                }
                Ok(page)
            }
            Err(error) => Err(self.broken(error)),
        }
    }

    /// Prepares what opens the output. It waits for the first entry, so that a listing that fails
    /// before leaves nothing but its error.
    fn head(&mut self, page: &Page) {
        match self.layout.shape {
            Shape::Tree => {
                self.opening = render::head(page);
                let after = page.after.as_ref().map(|after| after.as_bytes());
                self.tree = Some(TreeWriter::new(page.mode, after));
            }
            Shape::Table | Shape::Drawn => self.opening = render::head(page),
            Shape::Json => self.opening = "{\"entries\":[".to_owned(),
            Shape::Paths | Shape::Entries | Shape::JsonLines | Shape::Null => {}
        }
    }

    /// Writes what stands before the first row, if that was not done.
    #[inline]
    fn open(&mut self) {
        if !self.started {
            self.started = true;
            self.out.extend_from_slice(self.opening.as_bytes());
        }
    }

    /// Writes what is ready.
    fn spill(&mut self) -> io::Result<()> {
        if !self.spilled && self.out.len() >= BUFFER_BYTES {
            stdout::widen();
        }
        self.spilled = true;
        signals::writing(|| stdout::write_all(&self.out))?;
        self.out.clear();
        Ok(())
    }

    #[inline]
    fn entry(&mut self, entry: &EntryRef<'_>) {
        let is_first = !self.started;
        self.open();
        match self.layout.shape {
            Shape::Null => {
                self.out.extend_from_slice(entry.path.as_bytes());
                self.out.push(0);
            }
            Shape::Paths if !self.layout.colour => {
                render::push_path(entry.path.as_bytes(), entry.kind, &mut self.out);
            }
            _ => self.costly(entry, is_first),
        }
    }

    /// Writes a row of a shape that takes longer than reading the entry did.
    #[inline(never)]
    fn costly(&mut self, entry: &EntryRef<'_>, is_first: bool) {
        match self.layout.shape {
            Shape::Null => {}
            Shape::Paths => self.coloured_path(entry),
            Shape::Tree => self.tree(entry),
            // Only a page can be drawn: what comes last in a directory is known at its end.
            Shape::Table | Shape::Drawn => {
                let mut line = String::new();
                Row::streamed(entry).push_table(&mut line);
                self.text(&line);
            }
            Shape::Entries | Shape::JsonLines => {
                self.text(&render::entry_json(&Entry::of(entry)));
                self.text("\n");
            }
            Shape::Json => {
                self.text(if is_first { "" } else { "," });
                self.text(&render::entry_json(&Entry::of(entry)));
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn coloured_path(&mut self, entry: &EntryRef<'_>) {
        let mut line = Vec::new();
        render::push_path(entry.path.as_bytes(), entry.kind, &mut line);
        let line = String::from_utf8_lossy(&line);
        let mut coloured = String::new();
        colour::path(line.trim_end_matches('\n'), entry.kind, &mut coloured);
        self.text(&coloured);
    }

    fn tree(&mut self, entry: &EntryRef<'_>) {
        let Some(tree) = &mut self.tree else { return };
        let mut lines = String::new();
        tree.push(&Row::streamed(entry), &mut lines);
        if !self.layout.colour {
            return self.text(&lines);
        }
        let mut coloured = String::new();
        colour::tree(&lines, &mut coloured);
        self.text(&coloured);
    }

    fn tail(&mut self, page: &Page) -> io::Result<()> {
        self.open();
        let tail = match self.layout.shape {
            Shape::Tree | Shape::Table | Shape::Drawn => render::foot(page),
            Shape::Json => format!("],{}\n", rest_of_reply(page).trim_start_matches('{')),
            Shape::JsonLines => rest_of_reply(page) + "\n",
            Shape::Paths | Shape::Entries | Shape::Null => String::new(),
        };
        self.text(&tail);
        self.spill()
    }

    /// The failure of a stream that broke off; the rows before it are written.
    fn broken(&mut self, error: ListError) -> Failure {
        let reply = options::reply(error);
        let is_object = self.layout.shape == Shape::Json && self.started;
        if is_object {
            self.text(&format!("],{}}}\n", failure::json_member(&reply)));
        }
        match self.spill() {
            Err(error) => Failure::Output(error),
            Ok(()) if is_object => Failure::Told(reply),
            Ok(()) => Failure::Listing(reply),
        }
    }
}
