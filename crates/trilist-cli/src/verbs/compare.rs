//! `trilist compare`: the modes side by side.

use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;

use trilist::compare::{ByMode, Compared, ComparedPath, ComparedRef, Fold};
use trilist::render::HtmlPage;
use trilist::{
    Cancel, CompareItem, CompareRequest, Comparison, IgnorePolicy, ListError, Lister, Mode,
    PathArg, render,
};

use crate::args::CompareArgs;
use crate::configured;
use crate::exit::Exit;
use crate::failure::{Channel, Failure};
use crate::fence;
use crate::output::stdout;
use crate::place::Place;
use crate::signals;
use crate::waiting::in_time;

/// What is gathered before it is written.
const BUFFER_BYTES: usize = 256 * 1024;

/// Compares and writes; the status says how it went.
///
/// # Errors
///
/// When no mode can be asked, or standard output cannot be written.
pub(crate) fn run(args: &CompareArgs, channel: Channel) -> Result<Exit, Failure> {
    let place = Place::of(args.path.as_deref(), &args.root)?;
    let policy = configured::policy(args.no_config, args.global_excludes, &args.access)?;
    let lister = Lister::open(&place.roots, policy)?;
    let request = request(args, place.path);
    if !args.no_fence {
        let outside = Mode::ALL
            .into_iter()
            .flat_map(|mode| lister.reads_outside(&request.asked_of(mode)).into_iter());
        let outside: Vec<_> = outside.collect();
        fence::close(place.roots.iter().chain(&outside));
    }
    let form = match (args.json, args.html) {
        (true, _) => Form::Json,
        (_, true) => Form::Html,
        _ => Form::Text,
    };
    // A page can hold what a terminal cannot.
    let has_all = args.html && args.limit.is_none() && args.offset.is_none();
    let time = lister.time_for(&request.asked_of(Mode::Fs));
    let reply = if args.all || has_all {
        let mut writer = Writer::new(form);
        let cancel = Cancel::new();
        let mut work = || lister.compare_stream(&request, &cancel, &mut |item| writer.take(item));
        let end = match request.deadline_ms {
            Some(_) => in_time(time, channel, work),
            None => work(),
        };
        writer.end(end)?
    } else {
        let reply = in_time(time, channel, || lister.compare(&request, &Cancel::new()))?;
        let text = match form {
            Form::Text => render::comparison(&reply),
            Form::Json => render::comparison_json(&reply) + "\n",
            Form::Html => render::comparison_html(&reply),
        };
        stdout::write_all(text.as_bytes()).map_err(Failure::Output)?;
        reply
    };
    Ok(status(args, &reply))
}

fn request(args: &CompareArgs, path: PathArg) -> CompareRequest {
    let chat = args.chat.iter().map(|path| PathArg::from(path.as_bytes().to_vec()));
    CompareRequest {
        depth: args.depth,
        include_hidden: args.no_hidden.then_some(false),
        ignore: IgnorePolicy {
            patterns: args.exclude.clone(),
            aiderignore: args.aiderignore.clone(),
            ..IgnorePolicy::default()
        },
        pattern: args.glob.clone(),
        show: if args.same { Compared::All } else { Compared::Differences },
        fold: if args.unfold { Fold::Never } else { Fold::Cut },
        limit: args.limit,
        offset: args.offset,
        deadline_ms: args.timeout,
        in_chat: chat.collect(),
        ..CompareRequest::new(path)
    }
}

fn status(args: &CompareArgs, reply: &Comparison) -> Exit {
    let has_gaps = ByMode::iter(&reply.modes).any(|(_, column)| column.has_gap());
    let fails = args.fail_on_truncation && reply.truncated;
    if has_gaps || fails { Exit::Gaps } else { Exit::AsAsked }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Html,
}

/// Writes rows as they come.
struct Writer {
    form: Form,
    out: String,
    page: HtmlPage,
    has_rows: bool,
    failed: Option<io::Error>,
}

impl Writer {
    fn new(form: Form) -> Self {
        let (out, page) = (String::new(), HtmlPage::new());
        Writer { form, out, page, has_rows: false, failed: None }
    }

    fn take(&mut self, item: CompareItem<'_>) -> ControlFlow<()> {
        match (item, self.form) {
            (CompareItem::Head(reply), Form::Text) => {
                self.out.push_str(&render::comparison_head(reply));
            }
            (CompareItem::Head(_), Form::Json) => self.out.push_str("{\"rows\":["),
            (CompareItem::Row(row), Form::Text) => render::push_compared(row, &mut self.out),
            (CompareItem::Row(row), Form::Json) => self.json(row),
            (CompareItem::Head(reply), Form::Html) => self.page.head(reply, &mut self.out),
            (CompareItem::Row(row), Form::Html) => self.page.row(row, &mut self.out),
        }
        if self.out.len() < BUFFER_BYTES {
            return ControlFlow::Continue(());
        }
        match signals::writing(|| stdout::write_all(self.out.as_bytes())) {
            Ok(()) => {
                self.out.clear();
                ControlFlow::Continue(())
            }
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn json(&mut self, row: &ComparedRef<'_>) {
        if self.has_rows {
            self.out.push(',');
        }
        self.has_rows = true;
        self.out.push_str(&render::compared_json(&ComparedPath::of(row)));
    }

    /// Writes what remains to be said.
    fn end(mut self, end: Result<Comparison, ListError>) -> Result<Comparison, Failure> {
        if let Some(error) = self.failed.take() {
            return Err(Failure::Output(error));
        }
        let reply = end?;
        match self.form {
            Form::Text => self.out.push_str(&render::comparison_foot(&reply)),
            Form::Html => self.page.foot(&reply, &mut self.out),
            Form::Json => {
                let rest = render::comparison_json(&reply);
                let rest = rest.replacen("\"rows\":[],", "", 1);
                self.out.push_str(&format!("],{}\n", rest.trim_start_matches('{')));
            }
        }
        stdout::write_all(self.out.as_bytes()).map_err(Failure::Output)?;
        Ok(reply)
    }
}
