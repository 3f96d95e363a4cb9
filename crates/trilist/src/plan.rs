//! From a request as asked to one that is checked, with every default filled in.

use std::time::Duration;

use trilist_core::cursor::Cursor;
use trilist_core::sorted::{MAX_HELD, Order};
use trilist_core::{
    Bound, Closed, Kind, KindSet, ListError, ListRequest, MAX_DEPTH, Mode, Query, RelPathBuf, Show,
    Sort, View,
};
use trilist_ignore::Globs;

use crate::Policy;
use crate::config::Terms;
use crate::ignoring;

/// Bounds of `max_bytes`.
const MIN_BYTES: u32 = 1024;
const MAX_BYTES: u32 = 1 << 20;
/// How far a listing goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One page.
    Page,
    /// Everything, as a stream.
    All,
    /// Everything, to be held, and one page of that.
    Held,
}

/// A checked request.
pub(crate) struct Plan {
    pub(crate) query: Query,
    pub(crate) kinds: KindSet,
    pub(crate) pattern: Globs,
    pub(crate) limit: u64,
    pub(crate) skip: u64,
    pub(crate) order: Option<Order>,
    pub(crate) max_bytes: Option<usize>,
    pub(crate) deadline: Option<Duration>,
    /// Metadata was read for the order and is not shown.
    pub(crate) hide_metadata: bool,
}

/// What a mode takes for fields that a request leaves out.
pub(crate) struct Defaults {
    pub(crate) depth: u32,
    pub(crate) include_hidden: bool,
}

impl Defaults {
    pub(crate) fn of(mode: Mode) -> Self {
        Defaults {
            depth: if mode == Mode::Fs { 2 } else { MAX_DEPTH },
            include_hidden: mode != Mode::Fs,
        }
    }
}

/// Checks everything that can be checked without looking at the disk.
pub(crate) fn plan(
    request: &ListRequest,
    cursor: Option<&Cursor>,
    extent: Extent,
    terms: &Terms,
) -> Result<Plan, ListError> {
    let policy = &terms.policy;
    if extent == Extent::All {
        only_streamed(request)?;
    }
    view(request)?;
    let limit = limit(request.limit, policy)?;
    let skip = offset(request)? - 1;
    let order =
        request.is_sorted().then_some(Order { sort: request.sort, reverse: request.reverse });
    let reach = skip.saturating_add(u64::from(limit));
    if extent == Extent::Page && order.is_some() && reach > MAX_HELD {
        let expected = format!(
            "in another order than `path` a page ends at the {MAX_HELD}th entry at the latest; go on by cursor"
        );
        return Err(match skip {
            0 => ListError::invalid("limit", limit, expected),
            _ => ListError::invalid("offset", skip.saturating_add(1), expected),
        });
    }
    let stats = matches!(request.sort, Sort::Size | Sort::Modified);
    let mut query = query(request, stats, terms)?;
    if order.is_none() && extent != Extent::Held {
        query.after = cursor.map(|cursor| cursor.after.clone());
        query.bound = cursor.map_or(Bound::After, |cursor| cursor.bound);
    }
    query.want = match extent {
        Extent::Page if order.is_none() && !request.count => usize::try_from(reach).ok(),
        _ => None,
    };
    query.scan_cap = (extent != Extent::All).then_some(policy.scan_cap);
    query.identify = extent == Extent::Held;
    Ok(Plan {
        query,
        kinds: kinds(request)?,
        pattern: ignoring::globs("pattern", &request.pattern)?,
        limit: u64::from(limit),
        skip,
        order,
        max_bytes: max_bytes(request, policy)?,
        deadline: deadline(request, extent, policy)?,
        hide_metadata: stats && !request.metadata,
    })
}

/// What has no meaning for a stream.
fn only_streamed(request: &ListRequest) -> Result<(), ListError> {
    if request.is_sorted() {
        let expected = "only path order can be streamed; ask for pages instead";
        return Err(ListError::invalid("sort", "set", expected));
    }
    let paged = [
        ("limit", request.limit.is_some()),
        ("offset", request.offset.is_some()),
        ("max_bytes", request.max_bytes.is_some()),
        ("pin", request.pin),
        ("snapshot", request.snapshot.is_some()),
        ("since", request.since.is_some()),
    ];
    match paged.iter().find(|(_, is_set)| *is_set) {
        None => Ok(()),
        Some((field, _)) => {
            let expected =
                "it belongs to pages; a stream gives everything, or what follows a cursor";
            Err(ListError::invalid(field, "set", expected))
        }
    }
}

/// A tree groups entries under their directories, so it can show no other order; an overview is no
/// view of a page.
fn view(request: &ListRequest) -> Result<(), ListError> {
    let tree = match request.view {
        Some(View::Overview) => {
            let expected = "an overview is a call of its own, `Lister::overview`";
            return Err(ListError::invalid("view", "`overview`", expected));
        }
        Some(View::Tree) => "`tree`",
        Some(View::Drawn) => "`drawn`",
        _ => return Ok(()),
    };
    if request.is_sorted() {
        let expected = "a tree shows path order only; take `paths` or `entries` with another order";
        return Err(ListError::invalid("view", tree, expected));
    }
    Ok(())
}

fn query(request: &ListRequest, stats: bool, terms: &Terms) -> Result<Query, ListError> {
    let defaults = Defaults::of(request.mode);
    if request.mode == Mode::Vcs {
        only_on_disk(request)?;
    } else if !request.subtree {
        let expected = format!("mode `{}` always lists below the path", request.mode);
        return Err(ListError::invalid("subtree", "false", expected));
    }
    Ok(Query {
        base: RelPathBuf::default(),
        depth: within("depth", request.depth, defaults.depth, 1, MAX_DEPTH)?,
        include_hidden: request.include_hidden.unwrap_or(defaults.include_hidden),
        follow_symlinks: request.follow_symlinks,
        same_filesystem: request.same_filesystem,
        closed: Closed::default(),
        ignore: ignoring::query(&request.ignore, request.mode, terms)?,
        metadata: request.metadata || stats,
        identify: false,
        subtree: request.subtree,
        after: None,
        bound: Bound::After,
        probe: None,
        want: None,
        scan_cap: None,
    })
}

/// What has no meaning for names that come from version control.
fn only_on_disk(request: &ListRequest) -> Result<(), ListError> {
    let refuse = |field: &str| {
        Err(ListError::invalid(
            field,
            "set",
            "mode `vcs` lists tracked names, where it has no meaning",
        ))
    };
    if request.follow_symlinks {
        return refuse("follow_symlinks");
    }
    if request.same_filesystem {
        return refuse("same_filesystem");
    }
    let ignore = &request.ignore;
    for (field, is_set) in [
        ("ignore.builtin", ignore.builtin == Some(true)),
        ("ignore.git", ignore.git == Some(true)),
        ("ignore.dot_ignore", ignore.dot_ignore == Some(true)),
        ("ignore.show", ignore.show == Some(Show::Mark)),
    ] {
        if is_set {
            return refuse(field);
        }
    }
    Ok(())
}

fn kinds(request: &ListRequest) -> Result<KindSet, ListError> {
    let Some(kinds) = &request.kinds else { return Ok(KindSet::ALL) };
    if kinds.is_empty() {
        return Err(ListError::invalid(
            "kinds",
            "an empty list",
            "give at least one kind, or leave it out",
        ));
    }
    if request.mode != Mode::Fs && kinds.contains(&Kind::Dir) {
        let expected = format!(
            "mode `{}` lists files, not directories; use mode `fs` for `dir`, with the git layer on if need be",
            request.mode
        );
        return Err(ListError::invalid("kinds", "`dir`", expected));
    }
    if request.mode != Mode::Vcs && kinds.contains(&Kind::Submodule) {
        let expected = format!(
            "mode `{}` lists what is on disk, where a submodule is a directory; use mode `vcs`",
            request.mode
        );
        return Err(ListError::invalid("kinds", "`submodule`", expected));
    }
    Ok(KindSet::of(kinds))
}

fn offset(request: &ListRequest) -> Result<u64, ListError> {
    match (request.offset, &request.cursor) {
        (Some(offset), Some(_)) => Err(ListError::invalid(
            "offset",
            offset,
            "a cursor already says where the page starts; give one of the two",
        )),
        (offset, _) => first(offset),
    }
}

/// The bytes of an overview.
pub(crate) fn overview_bytes(asked: Option<u32>, default: u32) -> Result<usize, ListError> {
    let bytes = within("max_bytes", asked, default, MIN_BYTES, MAX_BYTES)?;
    Ok(bytes as usize)
}

/// How many entries or rows a reply has at most.
pub(crate) fn limit(asked: Option<u32>, policy: &Policy) -> Result<u32, ListError> {
    within("limit", asked, policy.default_limit, 1, policy.max_limit)
}

/// The first entry or row of a reply, counted from 1.
pub(crate) fn first(offset: Option<u64>) -> Result<u64, ListError> {
    match offset {
        Some(0) => Err(ListError::invalid("offset", 0, "offsets count from 1")),
        offset => Ok(offset.unwrap_or(1)),
    }
}

fn max_bytes(request: &ListRequest, policy: &Policy) -> Result<Option<usize>, ListError> {
    let asked = request.max_bytes.or(policy.default_max_bytes);
    let checked = asked.map(|bytes| within("max_bytes", Some(bytes), bytes, MIN_BYTES, MAX_BYTES));
    Ok(checked.transpose()?.map(|bytes| bytes as usize))
}

fn deadline(
    request: &ListRequest,
    extent: Extent,
    policy: &Policy,
) -> Result<Option<Duration>, ListError> {
    if extent == Extent::All && request.deadline_ms.is_none() {
        return Ok(None);
    }
    let default = policy.default_deadline_ms;
    let most = policy.max_deadline_ms;
    let milliseconds = within("deadline_ms", request.deadline_ms, default, 1, most)?;
    Ok(Some(Duration::from_millis(u64::from(milliseconds))))
}

fn within(
    field: &str,
    value: Option<u32>,
    default: u32,
    least: u32,
    most: u32,
) -> Result<u32, ListError> {
    match value {
        None => Ok(default),
        Some(value) if (least..=most).contains(&value) => Ok(value),
        Some(value) => {
            let expected = format!("it must be from {} to {}", grouped(least), grouped(most));
            Err(ListError::invalid(field, value, expected))
        }
    }
}

/// A number with thousands set apart.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
