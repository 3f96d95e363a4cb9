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
    /// The lines of the entry at hand, kept for their memory.
    row: String,
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
            row: String::new(),
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
            StreamItem::Entry(entry) => self.open().and_then(|()| self.entry(entry)),
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
                self.open().and_then(|()| self.tail(&page)).map_err(Failure::Output)?;
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

    fn open(&mut self) -> io::Result<()> {
        self.out.write_all(self.opening.as_bytes())?;
        self.opening.clear();
        Ok(())
    }

    fn entry(&mut self, entry: &EntryRef<'_>) -> io::Result<()> {
        match self.layout.shape {
            Shape::Null => {
                self.out.write_all(entry.path.as_bytes())?;
                self.out.write_all(b"\0")?;
            }
            Shape::Paths => self.path(entry)?,
            Shape::Tree => self.tree(entry)?,
            Shape::Entries | Shape::JsonLines => {
                self.out.write_all(render::entry_json(&Entry::of(entry)).as_bytes())?;
                self.out.write_all(b"\n")?;
            }
            Shape::Json => {
                self.out.write_all(if self.started { b"," } else { b"" })?;
                self.out.write_all(render::entry_json(&Entry::of(entry)).as_bytes())?;
            }
        }
        self.started = true;
        Ok(())
    }

    fn path(&mut self, entry: &EntryRef<'_>) -> io::Result<()> {
        self.row.clear();
        Row::streamed(entry).push_path(&mut self.row);
        if !self.layout.colour {
            return self.out.write_all(self.row.as_bytes());
        }
        let mut painted = String::new();
        colour::path(self.row.trim_end_matches('\n'), entry.kind, &mut painted);
        self.out.write_all(painted.as_bytes())
    }

    fn tree(&mut self, entry: &EntryRef<'_>) -> io::Result<()> {
        self.row.clear();
        if let Some(tree) = &mut self.tree {
            tree.push(&Row::streamed(entry), &mut self.row);
        }
        if !self.layout.colour {
            return self.out.write_all(self.row.as_bytes());
        }
        let mut painted = String::new();
        colour::tree(&self.row, &mut painted);
        self.out.write_all(painted.as_bytes())
    }

    fn tail(&mut self, page: &Page) -> io::Result<()> {
        let tail = match self.layout.shape {
            Shape::Tree => render::foot(page),
            Shape::Json => format!("],{}\n", rest_of_reply(page).trim_start_matches('{')),
            Shape::JsonLines => rest_of_reply(page) + "\n",
            Shape::Paths | Shape::Entries | Shape::Null => String::new(),
        };
        self.out.write_all(tail.as_bytes())?;
        self.out.flush()
    }

    /// The failure of a stream that broke off; the rows before it are written.
    fn broken(&mut self, error: ListError) -> Failure {
        let reply = error.reply();
        let is_object = self.layout.shape == Shape::Json && self.started;
        let closing = if is_object {
            format!("],{}}}\n", failure::json_member(&reply))
        } else {
            String::new()
        };
        match self.out.write_all(closing.as_bytes()).and_then(|()| self.out.flush()) {
            Err(error) => Failure::Output(error),
            Ok(()) if is_object => Failure::Told(reply),
            Ok(()) => Failure::Listing(reply),
        }
    }
}
