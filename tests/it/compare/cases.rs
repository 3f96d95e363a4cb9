//! One difference of each kind, and what keeps a comparison from being whole.

use std::ops::ControlFlow;

use serde_json::Value;
use trilist::compare::{Compared, Fold};
use trilist::{Cancel, CompareItem, CompareRequest, ListError, Mode, PathArg, TruncatedBy, render};
use trilist_tests::{Tree, TreeBuilder};

use super::{check, compare, counts, rows};
use crate::harness::{ask, lister, streamed};

fn plain() -> CompareRequest {
    CompareRequest::new(".")
}

/// A tree with a path for each of the reasons.
fn reasons() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["src/main.rs", "src/old.rs", "forced/kept.o", "gone/a", "gone/b", "was-file"])
        .file(".gitignore", "*.log\n/target/\n/forced/\n/.gitignore\n")
        .symlink("link", "src")
        .git(&["add", "-A", "-f"])
        .git(&["commit", "-q", "-m", "one"])
        .git(&["rm", "-q", "--cached", "src/old.rs"])
        .remove("gone")
        .remove("was-file")
        .files([
            "was-file/x",
            "debug.log",
            "forced/b.o",
            "forced/deep/c.o",
            "target/a",
            "target/d/b",
        ])
        .files(["node_modules/p/index.js", "target-notes"])
        .dir("empty")
        .dir("target/empty")
        .build()
}

#[test]
fn every_absence_has_its_reason() {
    check(
        &reasons(),
        &plain(),
        &[
            "+-- .git/ fs=[protected] files=protected vcs=protected",
            "+-+ .gitignore files=ignored .gitignore:4",
            "+-- debug.log files=ignored .gitignore:1 vcs=untracked",
            "+-- empty/ files=empty vcs=untracked",
            "+-- forced/b.o files=ignored .gitignore:3 below forced vcs=untracked",
            "+-- forced/deep/ fsx1+0 files=ignored .gitignore:3 below forced vcs=untracked",
            "+-+ forced/kept.o files=ignored .gitignore:3 below forced",
            "--+ gone/ vcsx2+0 fs=absent files=absent",
            "++- node_modules/ fs=[builtin] files=[builtin] vcs=untracked",
            "++- target-notes vcs=untracked",
            "+-- target/ fsx2+2 files=ignored .gitignore:2 vcs=untracked",
            "++- was-file/x vcs=untracked",
        ],
        &[
            // `.git`, `.gitignore`, `debug.log`, `empty`, three in `forced`, `link`, two in `src`,
            // `node_modules`, `target-notes`, two in `target`, one in `was-file`.
            "fs 15 absent=2",
            "files 6 protected=1 ignored=7 absent=2 empty=1",
            "vcs 7 protected=1 untracked=9",
        ],
    );
}

#[test]
fn what_is_folded_can_be_unfolded() {
    let request = CompareRequest { fold: Fold::Never, ..plain() };
    let reply = compare(&lister(reasons().path()), &request);
    let below: Vec<String> =
        rows(&reply).into_iter().filter(|row| row.contains(" target/")).collect();
    assert_eq!(
        below,
        [
            "+-- target/a files=ignored .gitignore:2 below target vcs=untracked",
            "+-- target/d/b files=ignored .gitignore:2 below target vcs=untracked",
            "+-- target/empty/ files=ignored .gitignore:2 below target vcs=untracked",
        ]
    );
}

#[test]
fn all_shows_what_every_mode_lists_too() {
    let request = CompareRequest { show: Compared::All, ..plain() };
    let reply = compare(&lister(reasons().path()), &request);
    let same: Vec<String> = rows(&reply).into_iter().filter(|row| row.starts_with("+++")).collect();
    assert_eq!(same, ["+++ link", "+++ src/main.rs", "+++ src/old.rs"]);
    let old = reply.rows.iter().find(|row| row.path == "src/old.rs").unwrap();
    let vcs = old.modes.vcs.as_ref().and_then(|one| one.vcs).unwrap();
    assert_eq!(vcs.state.name(), "deleted");
}

#[test]
fn a_file_that_became_a_directory_differs_in_kind() {
    let tree = TreeBuilder::new().repo().files(["a", "b/c"]).commit("one");
    let tree = tree.remove("a").dir("a").remove("b").file("b", "x").build();
    check(
        &tree,
        &CompareRequest { pattern: vec!["a".into(), "b".into(), "c".into()], ..plain() },
        &["+-+ a/ files=empty vcs=file", "++- b vcs=untracked", "--+ b/c fs=absent files=absent"],
        &["fs 2 absent=1", "files 1 absent=1 empty=1", "vcs 2 untracked=1"],
    );
}

#[test]
fn a_submodule_is_a_directory_on_disk() {
    let tree = Tree::build("vcs-submodule");
    let reply = compare(&lister(&tree.join("super")), &plain());
    let told = rows(&reply);
    assert!(
        told.contains(&"++- ext/lib/lib.c vcs=submodule below ext/lib".to_owned()),
        "{}",
        render::comparison(&reply)
    );
    assert!(told.contains(&"+-+ ext/lib/ files=kind vcs=submodule".to_owned()), "{told:?}");
}

#[test]
fn a_submodule_counts_where_it_is_listed() {
    let tree = Tree::build("vcs-submodule");
    let lister = lister(&tree.join("super"));
    let page = lister.list(&ask(Mode::Vcs, "."), &Cancel::new()).unwrap();
    let tracked = trilist_tests::git(&tree.join("super"), &["ls-files"]);
    let tracked = String::from_utf8(tracked).unwrap();
    assert_eq!(page.total, Some(tracked.lines().count() as u64));
    for fold in [Fold::Cut, Fold::Never] {
        for show in [Compared::Differences, Compared::All] {
            let reply = compare(&lister, &CompareRequest { fold, show, ..plain() });
            assert_eq!(Some(reply.modes.vcs.listed), page.total, "{}", render::comparison(&reply));
            let is_tracked = |row: &&trilist::compare::ComparedPath| {
                row.modes.vcs.as_ref().is_some_and(|vcs| vcs.listed)
            };
            let mut rows: Vec<&str> =
                reply.rows.iter().filter(is_tracked).map(|row| row.path.as_str()).collect();
            if show == Compared::All {
                let mut right: Vec<&str> = tracked.lines().collect();
                rows.sort_unstable();
                right.sort_unstable();
                assert_eq!(rows, right);
            }
            let key = |row: &trilist::compare::ComparedPath| {
                let slash = if matches!(row.kind, trilist::Kind::Dir) { "/" } else { "" };
                format!("{}{slash}", row.path)
            };
            assert!(reply.rows.iter().map(key).is_sorted(), "{reply:?}");
        }
    }
}

#[test]
fn depth_and_hidden_names_are_asked_alike_and_said() {
    let request = CompareRequest { depth: Some(1), include_hidden: Some(false), ..plain() };
    let reply = compare(&lister(reasons().path()), &request);
    assert_eq!(
        rows(&reply),
        [
            "+-- .git/ fs=[protected] files=protected vcs=protected",
            "+-- debug.log files=ignored .gitignore:1 vcs=untracked",
            "++- empty/ fs=[depth] files=[depth] vcs=untracked",
            "+-+ forced/ fs=[depth] files=ignored .gitignore:3 vcs=[depth]",
            "--+ gone/ fs=absent files=absent vcs=[depth]",
            "++- node_modules/ fs=[builtin] files=[builtin] vcs=untracked",
            "++- target-notes vcs=untracked",
            "+-- target/ fs=[depth] files=ignored .gitignore:2 vcs=untracked",
            "+++ was-file/ fs=[depth] files=[depth] vcs=file",
        ]
    );
    for (mode, column) in reply.modes.iter() {
        assert_eq!(column.asked.mode, mode);
        assert_eq!((column.asked.depth, column.asked.include_hidden), (Some(1), Some(false)));
    }
}

#[test]
fn without_a_repository_a_column_says_so() {
    let tree = TreeBuilder::new().file(".ignore", "b\n").files(["a", "b"]).build();
    let reply = compare(&lister(tree.path()), &plain());
    assert_eq!(rows(&reply), ["+-? b files=ignored .ignore:1"]);
    let vcs = &reply.modes.vcs;
    assert_eq!(vcs.error.as_ref().unwrap().code, "not_a_repository");
    assert!(!vcs.available && reply.complete);
    let text = render::comparison(&reply);
    assert!(text.contains("\nvcs: NOT COMPARED: not_a_repository: "), "{text}");
    assert!(text.ends_with("\nvcs: not compared.\n"), "{text}");
}

#[test]
fn a_directory_that_only_git_knows_is_absent_elsewhere() {
    let tree = reasons();
    let reply = compare(&lister(tree.path()), &CompareRequest::new("gone"));
    assert_eq!(rows(&reply), ["--+ a fs=absent files=absent", "--+ b fs=absent files=absent"]);
    assert_eq!(counts(&reply), ["fs 0 absent=2", "files 0 absent=2", "vcs 2"]);
    assert_eq!(reply.modes.fs.error.as_ref().unwrap().code, "not_found");
    assert!(reply.complete);
}

#[test]
fn nothing_to_compare_is_an_error() {
    let tree = TreeBuilder::new().file("a", "").build();
    let error = |request| lister(tree.path()).compare(&request, &Cancel::new()).unwrap_err().code();
    assert_eq!(error(CompareRequest::new("no")), "not_found");
    assert_eq!(error(CompareRequest::new("a")), "not_directory");
    assert_eq!(error(CompareRequest { depth: Some(0), ..plain() }), "invalid_argument");
    assert_eq!(error(CompareRequest { limit: Some(0), ..plain() }), "invalid_argument");
    assert_eq!(error(CompareRequest { offset: Some(0), ..plain() }), "invalid_argument");
    assert_eq!(error(CompareRequest { offset: Some(9), ..plain() }), "offset_out_of_range");
    let bad = CompareRequest { pattern: vec!["[".into()], ..plain() };
    assert_eq!(error(bad), "invalid_argument");
}

#[test]
fn what_could_not_be_read_is_a_gap_and_a_reason() {
    let tree = TreeBuilder::new().repo().files(["locked/a", "open"]).commit("one");
    let tree = tree.chmod("locked", 0o000).unprivileged().build();
    let (rows, complete, gaps) = trilist_tests::unprivileged(|| {
        let reply = compare(&lister(tree.path()), &plain());
        (rows(&reply), reply.complete, reply.modes.map(|column| column.gaps))
    });
    assert!(
        rows.contains(
            &"--+ locked/a fs=unreadable below locked files=unreadable below locked".into()
        ),
        "{rows:?}"
    );
    assert!(!complete);
    assert_eq!((gaps.fs, gaps.files, gaps.vcs), (1, 1, 0));
}

#[test]
fn a_cut_is_loud_and_says_how_to_go_on() {
    let request = CompareRequest { limit: Some(2), ..plain() };
    let reply = compare(&lister(reasons().path()), &request);
    assert_eq!((reply.returned, reply.total, reply.next_offset), (2, Some(12), Some(3)));
    assert!(reply.truncated && !reply.complete);
    let text = render::comparison(&reply);
    let cut = "CUT after 2 rows, 10 more. Next rows: offset=3\n";
    assert!(text.starts_with(cut) && text.matches(cut).count() == 2, "{text}");
}

#[test]
fn a_deadline_leaves_a_part_that_says_so() {
    let tree = reasons();
    let lister = lister(tree.path());
    let cancel = Cancel::new();
    let mut seen = 0;
    let request = CompareRequest { deadline_ms: Some(60_000), ..plain() };
    let mut stop = |item: CompareItem<'_>| {
        seen += usize::from(matches!(item, CompareItem::Row(_)));
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let reply = lister.compare_stream(&request, &cancel, &mut stop).unwrap();
    assert!(reply.truncated && !reply.complete && reply.total.is_none());
    let passed = Cancel::new().with_deadline(std::time::Duration::ZERO);
    assert!(matches!(lister.compare(&plain(), &passed), Err(ListError::Timeout)));
    cancel.cancel();
    assert!(matches!(lister.compare(&plain(), &cancel), Err(ListError::Cancelled)));
}

/// What the index does not want on disk is told apart from what was deleted there.
#[test]
fn what_is_gone_from_disk_folds_and_says_whether_it_was_to_be_there() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["gone/a", "gone/b/c", "sparse/a", "sparse/b", "half/here", "half/sparse/x", "lost"])
        .files(["replaced/x", "out"])
        .commit("one")
        .git(&["update-index", "--skip-worktree", "sparse/a", "sparse/b", "half/sparse/x", "out"])
        .remove("gone")
        .remove("sparse")
        .remove("half/sparse")
        .remove("replaced")
        .remove("lost")
        .remove("out")
        .file("replaced", "a file now")
        .build();
    let text = render::comparison(&compare(&lister(tree.path()), &plain()));
    let (_, below) = text.split_once('\n').unwrap();
    insta::assert_snapshot!(below, @r"
    fs files vcs  path
    +  -     -    .git/  fs: not entered, protected; files vcs: protected
    -  -     +    gone/ [folded: 2 files, only in vcs]  fs files: not on disk
    -  -     +    half/sparse/ [folded: 1 file, 1 skip-worktree, only in vcs]  fs files: not on disk
    -  -     +    lost  fs files: not on disk
    -  -     +    out  fs files: not on disk; vcs: skip-worktree
    +  +     -    replaced  vcs: untracked
    -  -     +    replaced/x  fs files: not on disk
    -  -     +    sparse/ [folded: 2 files, 2 skip-worktree, only in vcs]  fs files: not on disk
    10 of 11 paths differ; complete.
    fs: 3 listed; not listed: 8 not on disk.
    files: 2 listed; not listed: 1 protected, 8 not on disk.
    vcs: 9 listed; not listed: 1 protected, 1 untracked.
    ");
    let unfolded = CompareRequest { fold: Fold::Never, ..plain() };
    let reply = compare(&lister(tree.path()), &unfolded);
    let sparse = reply.rows.iter().find(|row| row.path == "sparse/a").unwrap();
    assert!(sparse.modes.vcs.as_ref().unwrap().vcs.unwrap().skip_worktree);
    let lost = reply.rows.iter().find(|row| row.path == "lost").unwrap();
    assert!(!lost.modes.vcs.as_ref().unwrap().vcs.unwrap().skip_worktree);
}

/// Whatever ends a comparison before its end, its counts are lower bounds, and each channel says so.
#[test]
fn counts_of_a_part_are_at_least_that() {
    let names = (0..40).map(|number| format!("d{number:02}/f"));
    let tree = TreeBuilder::new().repo().files(names).build();
    let whole = compare(&lister(tree.path()), &plain());
    assert!(!whole.at_least && !render::comparison_json(&whole).contains("at_least"));
    let by_cap = trilist::Policy { scan_cap: 60, ..trilist::Policy::default() };
    let by_cap = trilist::Lister::open(&[tree.path()], by_cap).unwrap();
    let by_cap = by_cap.compare(&plain(), &Cancel::new()).unwrap();
    // Directories are read one by one, and the time is looked at before each.
    let mut has_slept = false;
    let mut slow = |item: CompareItem<'_>| {
        if matches!(item, CompareItem::Row(_)) && !std::mem::replace(&mut has_slept, true) {
            std::thread::sleep(std::time::Duration::from_millis(600));
        }
        ControlFlow::Continue(())
    };
    let request = CompareRequest { deadline_ms: Some(500), show: Compared::All, ..plain() };
    let lister = lister(tree.path());
    let by_time = lister.compare_stream(&request, &Cancel::new(), &mut slow).unwrap();
    for (reply, by) in [(by_cap, TruncatedBy::ScanCap), (by_time, TruncatedBy::Deadline)] {
        assert_eq!((reply.truncated_by, reply.total), (Some(by), None));
        assert!(reply.at_least && reply.compared < whole.compared);
        let foot = render::comparison_foot(&reply);
        let differ = format!("At least {} of at least {} ", reply.differing, reply.compared);
        assert!(foot.contains(&differ), "{foot}");
        let listed = format!("\nfs: at least {} listed", reply.modes.fs.listed);
        assert!(foot.contains(&listed), "{foot}");
        let json: Value = serde_json::from_str(&render::comparison_json(&reply)).unwrap();
        assert_eq!(json["at_least"], true);
        let page = render::comparison_html(&reply);
        let end = page.split("id=\"end\">").nth(1).unwrap().split("</script>").next().unwrap();
        let end: Value = serde_json::from_str(end).unwrap();
        assert_eq!((&end["at_least"], &end["compared"]), (&json["at_least"], &json["compared"]));
    }
}

#[test]
fn files_in_the_chat_are_counted_whether_or_not_their_rows_are_shown() {
    let tree = reasons();
    let named = ["target/d/b", "debug.log", "src/main.rs", "none", "../outside"];
    let in_chat: Vec<PathArg> = named.into_iter().map(PathArg::from).collect();
    let request = CompareRequest { in_chat, ..plain() };
    let told = |request: &CompareRequest| {
        let reply = compare(&lister(tree.path()), request);
        let marked = reply.rows.iter().filter(|row| row.in_chat).count() as u64;
        let in_chat = reply.in_chat.unwrap();
        assert_eq!(in_chat.returned, marked);
        let foot = render::comparison_foot(&reply);
        assert!(foot.contains("\nIn the chat: 4 files; "), "{foot}");
        (in_chat.files, in_chat.rows, in_chat.returned)
    };
    assert_eq!(told(&request), (4, 2, 2));
    assert_eq!(told(&CompareRequest { limit: Some(3), ..request.clone() }), (4, 2, 1));
    assert_eq!(told(&CompareRequest { show: Compared::All, ..request }), (4, 3, 3));
    assert_eq!(compare(&lister(tree.path()), &plain()).in_chat, None);
}

#[test]
fn files_in_the_chat_are_marked_and_not_folded_away() {
    let tree = reasons();
    let absolute = tree.join("debug.log").into_os_string().into_encoded_bytes();
    let in_chat = vec![PathArg::from("target/d/b"), PathArg::from(absolute)];
    let reply = compare(&lister(tree.path()), &CompareRequest { in_chat, ..plain() });
    let marked: Vec<String> =
        rows(&reply).into_iter().filter(|row| row.contains("in-chat")).collect();
    assert_eq!(
        marked,
        [
            "+-- debug.log in-chat files=ignored .gitignore:1 vcs=untracked",
            "+-- target/d/b in-chat files=ignored .gitignore:2 below target vcs=untracked",
        ]
    );
}

#[test]
fn nothing_is_read_that_the_listings_do_not_read() {
    let tree = reasons();
    let lister = lister(tree.path());
    let reply = compare(&lister, &plain());
    for mode in [Mode::Fs, Mode::Files] {
        let request = trilist::ListRequest { deadline_ms: None, ..plain().asked_of(mode) };
        let (_, page) = streamed(&lister, &request);
        let read = |seen: trilist::Seen| (seen.directories, seen.entries);
        assert_eq!(read(reply.modes.mode(mode).seen), read(page.seen), "{mode}");
    }
}

#[test]
fn the_reply_fits_its_schema() {
    let schema = trilist::schema::all().into_iter().find(|(name, _)| *name == "compare_reply.json");
    let validator = jsonschema::validator_for(&schema.unwrap().1).unwrap();
    for request in [plain(), CompareRequest { limit: Some(1), show: Compared::All, ..plain() }] {
        let reply = compare(&lister(reasons().path()), &request);
        let value: Value = serde_json::from_str(&render::comparison_json(&reply)).unwrap();
        let faults: Vec<_> = validator.iter_errors(&value).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new());
    }
}

#[test]
fn text_shows_every_row_with_its_reasons() {
    let reply = compare(&lister(reasons().path()), &plain());
    let text = render::comparison(&reply);
    let (_, below) = text.split_once('\n').unwrap();
    insta::assert_snapshot!(below, @r"
    fs files vcs  path
    +  -     -    .git/  fs: not entered, protected; files vcs: protected
    +  -     +    .gitignore  files: ignored (.gitignore:4 `/.gitignore`)
    +  -     -    debug.log  files: ignored (.gitignore:1 `*.log`); vcs: untracked
    +  -     -    empty/  files: without entries; vcs: untracked
    +  -     -    forced/b.o  files: ignored below forced/ (.gitignore:3 `/forced/`); vcs: untracked
    +  -     -    forced/deep/ [folded: 1 file, only in fs]  files: ignored below forced/ (.gitignore:3 `/forced/`); vcs: untracked
    +  -     +    forced/kept.o  files: ignored below forced/ (.gitignore:3 `/forced/`)
    -  -     +    gone/ [folded: 2 files, only in vcs]  fs files: not on disk
    +  +     -    node_modules/  fs files: not entered, builtin; vcs: untracked
    +  +     -    target-notes  vcs: untracked
    +  -     -    target/ [folded: 2 files, 2 directories, only in fs]  files: ignored (.gitignore:2 `/target/`); vcs: untracked
    +  +     -    was-file/x  vcs: untracked
    14 of 17 paths differ; complete.
    fs: 15 listed; not listed: 2 not on disk.
    files: 6 listed; not listed: 1 protected, 7 ignored, 2 not on disk, 1 without entries.
    vcs: 7 listed; not listed: 1 protected, 9 untracked.
    ");
}
