//! Writing everything, entry by entry.

use std::io::{self, BufWriter, Write as _};
use std::ops::ControlFlow;

use trilist::render::{self, Row, TreeWriter};
use trilist::{Entry, EntryRef, ListError, Page, StreamItem};

use super::stdout::Stdout;
use super::{Layout, Shape, colour, rest_of_reply};
use crate::failure::{self, Failure};

const BUFFER_BYTES: usize = 128 * 1024;

/// Writes what a stream gives.
pub(crate) struct Stream {
    layout: Layout,
    out: BufWriter<Stdout>,
    /// Text that is not in `out` yet. Rows are written into it in place: copying each one costs as
    /// much as making it.
    text: String,
    /// What stands before the first entry.
    opening: String,
    started: bool,
    tree: Option<TreeWriter>,
    failed: Option<io::Error>,
}

impl Stream {
    pub(crate) fn new(layout: Layout) -> Stream {
        Stream {
            layout,
            out: BufWriter::with_capacity(BUFFER_BYTES, Stdout),
            text: String::with_capacity(BUFFER_BYTES),
            opening: String::new(),
            started: false,
            tree: None,
            failed: None,
        }
    }

    /// Writes the next item; breaks when that fails.
    pub(crate) fn take(&mut self, item: StreamItem<'_>) -> ControlFlow<()> {
        let written = match item {
            StreamItem::Head(page) => {
                self.head(page);
                Ok(())
            }
            StreamItem::Entry(entry) => self.entry(entry),
        };
        match written {
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
            Shape::Json => self.opening = "{\"entries\":[".to_owned(),
            Shape::Paths | Shape::Entries | Shape::JsonLines | Shape::Null => {}
        }
    }

    fn open(&mut self) {
        self.text.push_str(&self.opening);
        self.opening.clear();
    }

    /// Hands on the text; a whole buffer of it goes straight out.
    fn spill(&mut self) -> io::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    fn entry(&mut self, entry: &EntryRef<'_>) -> io::Result<()> {
        self.open();
        match self.layout.shape {
            Shape::Null => {
                self.out.write_all(entry.path.as_bytes())?;
                self.out.write_all(b"\0")?;
            }
            Shape::Paths => self.path(entry),
            Shape::Tree => self.tree(entry),
            Shape::Entries | Shape::JsonLines => {
                self.text.push_str(&render::entry_json(&Entry::of(entry)));
                self.text.push('\n');
            }
            Shape::Json => {
                self.text.push_str(if self.started { "," } else { "" });
                self.text.push_str(&render::entry_json(&Entry::of(entry)));
            }
        }
        self.started = true;
        if self.text.len() < BUFFER_BYTES { Ok(()) } else { self.spill() }
    }

    fn path(&mut self, entry: &EntryRef<'_>) {
        let row = Row::streamed(entry);
        if !self.layout.colour {
            return row.push_path(&mut self.text);
        }
        let mut line = String::new();
        row.push_path(&mut line);
        colour::path(line.trim_end_matches('\n'), entry.kind, &mut self.text);
    }

    fn tree(&mut self, entry: &EntryRef<'_>) {
        let Some(tree) = &mut self.tree else { return };
        let row = Row::streamed(entry);
        if !self.layout.colour {
            return tree.push(&row, &mut self.text);
        }
        let mut lines = String::new();
        tree.push(&row, &mut lines);
        colour::tree(&lines, &mut self.text);
    }

    fn tail(&mut self, page: &Page) -> io::Result<()> {
        self.open();
        let tail = match self.layout.shape {
            Shape::Tree => render::foot(page),
            Shape::Json => format!("],{}\n", rest_of_reply(page).trim_start_matches('{')),
            Shape::JsonLines => rest_of_reply(page) + "\n",
            Shape::Paths | Shape::Entries | Shape::Null => String::new(),
        };
        self.text.push_str(&tail);
        self.spill()?;
        self.out.flush()
    }

    /// The failure of a stream that broke off; the rows before it are written.
    fn broken(&mut self, error: ListError) -> Failure {
        let reply = error.reply();
        let is_object = self.layout.shape == Shape::Json && self.started;
        if is_object {
            self.text.push_str(&format!("],{}}}\n", failure::json_member(&reply)));
        }
        match self.spill().and_then(|()| self.out.flush()) {
            Err(error) => Failure::Output(error),
            Ok(()) if is_object => Failure::Told(reply),
            Ok(()) => Failure::Listing(reply),
        }
    }
}
