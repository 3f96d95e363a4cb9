//! `trilist explain`: in which modes paths are listed, and why not.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use trilist::{Cancel, Explanation, ListError, ListRequest, Lister, Mode, PathArg, Reason, render};

use crate::args::ExplainArgs;
use crate::configured;
use crate::exit::Exit;
use crate::failure::{Channel, Failure};
use crate::fence;
use crate::output::stdout;
use crate::place::{self, Place};
use crate::request;
use crate::waiting::in_time;

/// Explains the paths. That one is not listed, or does not exist, is an answer like another.
///
/// # Errors
///
/// When nothing can be explained, or standard output cannot be written.
pub(crate) fn run(args: &ExplainArgs, channel: Channel) -> Result<Exit, Failure> {
    let place = Place::of(args.listed.as_deref(), &args.product.root)?;
    let asked = args.paths.iter().map(|path| path_of(args, path, &place.roots));
    let asked: Vec<PathArg> = asked.collect::<Result<_, _>>()?;
    let plain = ListRequest::new(Mode::Fs, place.path);
    let mut request = request::chosen(&args.product, &args.selection, plain);
    request.deadline_ms = args.timeout;
    if let Some(mode) = args.product.mode {
        request::check_excludes(&args.selection, mode)?;
    }
    let modes = args.product.mode.map_or(Mode::ALL.to_vec(), |mode| vec![mode]);
    let (no_config, excludes) = (args.product.no_config, args.selection.global_excludes);
    let policy = configured::policy(no_config, excludes, &args.access)?;
    let lister = Lister::open(&place.roots, policy)?;
    if !args.product.no_fence {
        let asked = |mode: &Mode| ListRequest { mode: *mode, ..request.clone() };
        let outside = modes.iter().flat_map(|mode| lister.reads_outside(&asked(mode)));
        fence::close(place.roots.into_iter().chain(outside.collect::<Vec<_>>()));
    }
    let work = || lister.explain(&request, &modes, &asked, &Cancel::new());
    let explained = in_time(lister.time_for(&request), channel, work)?;
    stdout::write_all(text(args, &explained).as_bytes()).map_err(Failure::Output)?;
    Ok(status(&explained))
}

/// With roots of its own, a relative path is the library's to place.
fn path_of(args: &ExplainArgs, path: &OsStr, roots: &[PathBuf]) -> Result<PathArg, ListError> {
    if !args.product.root.is_empty() {
        return Ok(PathArg::from(path.as_bytes().to_vec()));
    }
    Ok(PathArg::from(place::unfollowed(path, roots)?.into_os_string().into_vec()))
}

fn text(args: &ExplainArgs, explained: &[Explanation]) -> String {
    match explained {
        [one] if args.json => render::explanation_json(one) + "\n",
        all if args.json => {
            let all: Vec<String> = all.iter().map(render::explanation_json).collect();
            format!("[{}]\n", all.join(","))
        }
        all => all.iter().map(render::explanation).collect(),
    }
}

/// What could not be found out is a gap.
fn status(explained: &[Explanation]) -> Exit {
    let mut all = explained.iter().flat_map(|one| one.modes.iter());
    match all.any(|(_, standing)| standing.reason == Some(Reason::Unknown)) {
        true => Exit::Gaps,
        false => Exit::AsAsked,
    }
}
