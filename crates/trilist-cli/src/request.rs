//! From arguments to the library's request.

use trilist::{IgnorePolicy, ListError, ListRequest, MAX_DEPTH, Mode, PathArg, Show};

use crate::args::{Args, Product, Selection};

/// The request that the arguments make. Only what was given is set, because a cursor must agree
/// with what is. `continued` is the mode of the reply that it goes on from.
pub(crate) fn request(args: &Args, path: PathArg, continued: Option<Mode>) -> ListRequest {
    let Args { product, selection, pages, order, .. } = args;
    let mode = product.mode.or(continued).unwrap_or(Mode::Fs);
    let chosen = chosen(product, selection, ListRequest::new(mode, path));
    ListRequest {
        depth: depth(args, mode, continued.is_some()),
        limit: pages.limit,
        offset: pages.offset,
        cursor: pages.cursor.clone(),
        count: pages.count,
        sort: order.sort.unwrap_or_default(),
        reverse: order.reverse,
        metadata: args.look.metadata || args.format.long,
        max_bytes: pages.max_bytes,
        deadline_ms: pages.timeout,
        view: args.format.view(),
        ..chosen
    }
}

/// The request with what the options choose of a listing.
pub(crate) fn chosen(
    product: &Product,
    selection: &Selection,
    request: ListRequest,
) -> ListRequest {
    ListRequest {
        depth: product.depth,
        include_hidden: switch(selection.hidden, selection.no_hidden),
        follow_symlinks: selection.follow,
        same_filesystem: selection.one_file_system,
        ignore: ignore(product, selection),
        kinds: (!selection.kinds.is_empty()).then(|| selection.kinds.clone()),
        pattern: selection.glob.clone(),
        subtree: !product.no_subtree,
        ..request
    }
}

/// Everything is every level too, where the mode would stop earlier by itself.
fn depth(args: &Args, mode: Mode, is_continued: bool) -> Option<u32> {
    let lifts = args.pages.all && mode == Mode::Fs && !is_continued;
    args.product.depth.or(lifts.then_some(MAX_DEPTH))
}

fn ignore(product: &Product, selection: &Selection) -> IgnorePolicy {
    let base = if selection.no_ignore { IgnorePolicy::none() } else { IgnorePolicy::default() };
    let git = switch(selection.gitignore, selection.no_gitignore);
    let dot_ignore = switch(selection.dot_ignore, selection.no_dot_ignore);
    IgnorePolicy {
        builtin: selection.no_builtin.then_some(false).or(base.builtin),
        git: git.or(base.git),
        dot_ignore: dot_ignore.or(base.dot_ignore),
        tool_files: selection.ignore_file.clone(),
        patterns: selection.exclude.clone(),
        keep: selection.keep.clone(),
        show: selection.mark_ignored.then_some(Show::Mark),
        config: base.config,
        aiderignore: product.aiderignore.clone(),
    }
}

/// Refuses an option that would do nothing.
///
/// # Errors
///
/// [`ListError::InvalidArgument`] for global excludes in mode `vcs`, where no rule of git's applies.
pub(crate) fn check_excludes(selection: &Selection, mode: Mode) -> Result<(), ListError> {
    if selection.global_excludes && mode == Mode::Vcs {
        let expected = "mode `vcs` lists tracked names, where it has no meaning";
        return Err(ListError::invalid("global_excludes", "set", expected));
    }
    Ok(())
}

fn switch(on: bool, off: bool) -> Option<bool> {
    (on || off).then_some(on)
}
