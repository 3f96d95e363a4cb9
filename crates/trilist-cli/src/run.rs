//! One listing, from arguments to exit status.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use trilist::{
    Cancel, Cursor, Earlier, GRACE, HostSide, ListError, Lister, Page, PathArg, View, quote,
};

use crate::args::{Args, Verb};
use crate::configured;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::fence;
use crate::output::{self, Layout, Stream};
use crate::place::Place;
use crate::request::{check_excludes, request};
use crate::session;
use crate::signals;
use crate::verbs;
use crate::waiting::in_time;

/// Lists, writes and tells; the status says how it went.
pub(crate) fn run(args: &Args) -> Exit {
    let done = match &args.verb {
        None => list(args),
        Some(Verb::Compare(compare)) => verbs::compare::run(compare, args.channel()),
        Some(Verb::Config(config)) => verbs::config::run(config),
        Some(Verb::Explain(explain)) => verbs::explain::run(explain, args.channel()),
        Some(Verb::Compat(call)) => verbs::compat::run(call),
        Some(Verb::Doctor(asked)) => verbs::doctor::run(asked),
        Some(Verb::Mcp(server)) => verbs::mcp::run(server),
        Some(Verb::Schema(tool)) => verbs::schema::run(tool),
    };
    done.unwrap_or_else(|failure| failure.tell(args.channel()))
}

fn list(args: &Args) -> Result<Exit, Failure> {
    let cursor = args.pages.cursor.as_deref().map(Cursor::decode).transpose()?;
    let earlier = args.pages.since.as_deref().map(Earlier::read).transpose()?.map(Arc::new);
    let chat = session::files(&args.chat)?.map(Arc::new);
    let place = Place::of(args.path.as_deref(), &args.product.root)?;
    let path = match (&cursor, &args.path) {
        // Where the page before was is in the cursor.
        (Some(_), None) => PathArg::default(),
        _ => place.path,
    };
    let mode = cursor.as_ref().map(|cursor| cursor.request.mode);
    let request = request(args, path, mode.or(earlier.as_ref().map(|earlier| earlier.mode())));
    check_excludes(&args.selection, request.mode)?;
    let (no_config, excludes) = (args.product.no_config, args.selection.global_excludes);
    let policy = configured::policy(no_config, excludes, &args.access)?;
    let lister = Lister::open(&place.roots, policy)?;
    if !args.product.no_fence {
        fence::close(place.roots.iter().chain(&lister.reads_outside(&request)));
    }
    if request.view == Some(View::Overview) {
        for (field, is_set) in [("since", earlier.is_some()), ("chat", chat.is_some())] {
            if is_set {
                let expected = "an overview has no rows for it; take another view";
                return Err(ListError::invalid(field, "set", expected).into());
            }
        }
        return output::overview(args, &lister, &request, |error| as_typed(args, error));
    }
    let layout = Layout::of(args, cursor.as_ref().map_or(&request, |cursor| &cursor.request));
    let page = if args.pages.all {
        let mut stream = Stream::new(layout);
        let cancel = Cancel::new();
        let mut work = || lister.stream(&request, &cancel, &mut |item| stream.take(item));
        let end = match request.deadline_ms {
            Some(_) => in_time(lister.time_for(&request), args.channel(), work),
            None => work(),
        };
        stream.end(end.map_err(|error| as_typed(args, error)))?
    } else {
        let cancel = Cancel::new().watched();
        let time = lister.time_for(&request) + GRACE;
        signals::give_up_after(time, last_word(args, layout, cancel.clone()));
        let page = lister.list_for(&request, &HostSide { earlier, chat }, &cancel);
        signals::listing_ended();
        let page = page.map_err(|error| as_typed(args, error))?;
        output::page(layout, &page)?;
        page
    };
    Ok(status(args.pages.fail_on_truncation, &page))
}

/// What is written when the file system does not answer in time: what was listed until then.
fn last_word(args: &Args, layout: Layout, cancel: Cancel) -> impl Fn() -> Exit + use<> {
    let (channel, fails) = (args.channel(), args.pages.fail_on_truncation);
    move || {
        let written = cancel.give_up().map_err(Failure::from).and_then(|page| {
            output::page(layout, &page)?;
            Ok(status(fails, &page))
        });
        let exit = written.unwrap_or_else(|failure| failure.tell(channel));
        output::stdout::close();
        exit
    }
}

fn status(fails_on_truncation: bool, page: &Page) -> Exit {
    let fails = fails_on_truncation && page.truncated;
    if page.gaps > 0 || fails { Exit::Gaps } else { Exit::AsAsked }
}

/// The error as the one who typed the command line knows the path, not as it was resolved.
fn as_typed(args: &Args, mut error: ListError) -> ListError {
    if let ListError::InvalidCursor { reason } = &mut error
        && reason.contains("another root")
    {
        reason.push_str(", so give the same PATH or --root as for the page before");
    }
    let Some(typed) = args.path.as_deref().filter(|_| args.product.root.is_empty()) else {
        return error;
    };
    match &mut error {
        ListError::NotFound { asked, hint, .. } => {
            *asked = shown(typed);
            if typed.as_bytes().starts_with(b"~") {
                hint.get_or_insert_with(|| "`~` is taken as a name here.".to_owned());
            }
        }
        ListError::NotDirectory { asked, .. } => *asked = shown(typed),
        _ => {}
    }
    error
}

fn shown(typed: &OsStr) -> String {
    quote::argument(typed.as_bytes()).into_owned()
}
