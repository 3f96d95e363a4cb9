//! Writing an overview.

use trilist::overview::Measure;
use trilist::{Cancel, ListError, ListRequest, Lister, OverviewRequest, render};

use super::stdout;
use crate::args::Args;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::waiting::in_time;

/// Looks a directory over and writes what there is to see.
///
/// # Errors
///
/// When the directory cannot be listed, or standard output cannot be written.
pub(crate) fn overview(
    args: &Args,
    lister: &Lister,
    listing: &ListRequest,
    as_typed: impl Fn(ListError) -> ListError,
) -> Result<Exit, Failure> {
    let measure = if args.format.json { Measure::Json } else { Measure::Text };
    let count = !args.pages.no_count;
    let overview = OverviewRequest::of(listing).map_err(&as_typed)?;
    let request = OverviewRequest { measure, count, ..overview };
    let work = || lister.overview(&request, &Cancel::new());
    let reply = in_time(lister.time_for(listing), args.channel(), work).map_err(as_typed)?;
    let text = match measure {
        Measure::Text => render::overview(&reply),
        Measure::Json => render::overview_json(&reply) + "\n",
    };
    stdout::write_all(text.as_bytes()).map_err(Failure::Output)?;
    let fails = args.pages.fail_on_truncation && reply.truncated;
    Ok(if reply.gaps > 0 || fails { Exit::Gaps } else { Exit::AsAsked })
}
