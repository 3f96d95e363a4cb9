//! How overviews look, what they read, and repositories of many top-level directories.

use trilist::overview::{Counts, Hidden, Measure, OverviewRequest};
use trilist::{Cancel, ListError, Lister, Mode, Policy, TruncatedBy, render};
use trilist_tests::{Tree, TreeBuilder};

use super::{overview, rows};
use crate::harness::{ask, lister, policy, streamed};

fn ask_of(mode: Mode) -> OverviewRequest {
    OverviewRequest::new(mode, ".")
}

/// Directories of different sizes, two levels deep.
fn project() -> Tree {
    let mut tree = TreeBuilder::new().repo().files(["Cargo.toml", "README.md", "docs/index.md"]);
    for number in 0..60 {
        tree = tree.file(format!("fixtures/case-{number:02}.json"), "{}");
        tree = tree.file(format!("src/part{}/file-{number:02}.rs", number % 3), "");
    }
    tree.file("src/main.rs", "")
        .file(".gitignore", "*.log\n")
        .file("debug.log", "")
        .commit("one")
        .build()
}

#[test]
fn a_small_tree_is_shown_whole() {
    let tree = TreeBuilder::new().files(["a/b/c", "a/d", "e"]).dir("empty").build();
    let reply = overview(&lister(tree.path()), &ask_of(Mode::Fs));
    assert_eq!(
        rows(&reply),
        ["a/ (2 files)", "  b/ (1 file)", "    c", "  d", "e", "empty/ (empty)"]
    );
    assert!(reply.complete && !reply.truncated);
    let text = render::overview(&reply);
    assert!(text.ends_with("\n3 files, 3 directories, complete. Left out: nothing.\n"), "{text}");
}

/// Without counts too, a directory that was read and holds nothing is whole.
#[test]
fn an_empty_directory_is_no_cut() {
    let tree = TreeBuilder::new().files(["a/b", "c"]).dir("empty").dir("d/deep/empty").build();
    for mode in [Mode::Fs, Mode::Files] {
        let request = OverviewRequest { count: false, ..ask_of(mode) };
        let reply = overview(&lister(tree.path()), &request);
        assert!(reply.complete && !reply.truncated, "{}", render::overview(&reply));
        let right = match mode {
            Mode::Fs => {
                &["a/", "  b", "c", "d/", "  deep/", "    empty/ (empty)", "empty/ (empty)"][..]
            }
            // Its listing has files alone.
            _ => &["a/", "  b", "c"],
        };
        assert_eq!(rows(&reply), right);
    }
    let bare = Tree::empty();
    let reply =
        overview(&lister(bare.path()), &OverviewRequest { count: false, ..ask_of(Mode::Fs) });
    assert!(reply.complete && reply.rows.is_empty());
}

#[test]
fn a_directory_of_which_all_is_left_out_is_not_called_empty() {
    let tree =
        TreeBuilder::new().files(["a/.x", "b/.d/y", "b-c", "d/.z", "d/e"]).dir("empty").build();
    for count in [true, false] {
        let request = OverviewRequest { count, ..ask_of(Mode::Fs) };
        let reply = overview(&lister(tree.path()), &request);
        let told: Vec<String> = rows(&reply);
        let told: Vec<&str> = told.iter().map(|row| row.trim_end_matches(" (1 file)")).collect();
        let right =
            ["a/ (all left out)", "b/ (all left out)", "b-c", "d/", "  e", "empty/ (empty)"];
        assert_eq!(told, right, "{count}");
        assert!(reply.complete, "{}", render::overview(&reply));
        let marked = reply.rows.iter().filter(|row| row.all_left_out).count();
        assert_eq!(marked, 2);
    }
}

/// Every row of the listed directory comes before any count, and before what stands around them.
#[test]
fn counts_give_way_to_rows() {
    let names: Vec<String> = (0..40).map(|number| format!("directory-{number:02}")).collect();
    let mut tree = TreeBuilder::new();
    for name in &names {
        tree = tree.files((0..5).map(|number| format!("{name}/{number}")));
    }
    let tree = tree.build();
    let of = |max_bytes, measure| {
        let request = OverviewRequest { max_bytes: Some(max_bytes), measure, ..ask_of(Mode::Fs) };
        overview(&lister(tree.path()), &request)
    };
    let dirs =
        |reply: &trilist::Overview| reply.rows.iter().filter(|row| !row.path.contains('/')).count();
    // A row is 14 bytes and its count 10; the frame takes a few hundred.
    for (max_bytes, measure) in [(1_024, Measure::Text), (2_400, Measure::Json)] {
        let poor = of(max_bytes, measure);
        assert_eq!((dirs(&poor), poor.hidden), (40, None), "{}", render::overview(&poor));
        assert!(poor.truncated);
        assert!(poor.rows.iter().all(|row| row.counts.is_none()), "{measure:?}");
        assert_eq!(poor.counts.map(|counts| counts.files), Some(200));
    }
    let rich = of(2_000, Measure::Text);
    assert_eq!(dirs(&rich), 40);
    assert!(rich.rows.iter().filter(|row| !row.path.contains('/')).all(|row| row.counts.is_some()));
}

#[test]
fn long_lists_give_way_to_every_directory() {
    let request = OverviewRequest { max_bytes: Some(1_024), ..ask_of(Mode::Files) };
    let reply = overview(&lister(project().path()), &request);
    let text = render::overview(&reply);
    let (_, below) = text.split_once('\n').unwrap();
    let (_, below) = below.split_once('\n').unwrap();
    insta::assert_snapshot!(below, @"
    .gitignore
    Cargo.toml
    README.md
    docs/ (1 file)
      index.md
    fixtures/ (60 files)
      case-00.json
      case-01.json
      case-02.json
      case-03.json
      case-04.json
      case-05.json
      case-06.json
      case-07.json
      case-08.json
      case-09.json
      case-10.json
      case-11.json
      case-12.json
      case-13.json
      case-14.json
      case-15.json
      case-16.json
      case-17.json
      case-18.json
      case-19.json
      case-20.json
      … 39 files more
    src/ (61 files)
      main.rs
      part0/ (20 files)
        file-00.rs
        file-03.rs
        file-06.rs
        file-09.rs
        … 16 files more
      part1/ (20 files)
        file-01.rs
        file-04.rs
        file-07.rs
        file-10.rs
        … 16 files more
      part2/ (20 files)
        file-02.rs
        file-05.rs
        file-08.rs
        file-11.rs
        file-14.rs
        … 15 files more
    OVERVIEW: 45 rows of 131. To go on: `path` opens one of its directories.
    125 files, 6 directories. Left out: 1 protected, 1 ignored.
    ");
}

#[test]
fn the_same_in_every_mode_where_all_is_tracked() {
    let tree = project();
    let request = |mode| OverviewRequest { include_hidden: Some(true), ..ask_of(mode) };
    let lister = lister(tree.path());
    let of = |mode| overview(&lister, &request(mode));
    let (fs, files, vcs) = (of(Mode::Fs), of(Mode::Files), of(Mode::Vcs));
    assert_eq!(rows(&files), rows(&vcs));
    assert_eq!(files.counts, vcs.counts);
    // On disk there are `.git` and the log too.
    let more = rows(&fs);
    assert!(more.contains(&".git/ [skipped: protected]".to_owned()), "{more:?}");
    assert!(more.contains(&"debug.log".to_owned()), "{more:?}");
}

#[test]
fn forty_top_level_directories_are_all_visible() {
    let reply = many(40, ask_of(Mode::Files));
    assert_eq!((dirs(&reply), reply.hidden), (40, None));
}

#[test]
fn four_hundred_are_all_visible_in_eight_thousand_bytes() {
    let reply = many(400, OverviewRequest { max_bytes: Some(9_000), ..ask_of(Mode::Files) });
    assert_eq!((dirs(&reply), reply.hidden), (400, None));
    let mut dir_rows = reply.rows.iter().filter(|row| row.kind == trilist::Kind::Dir);
    assert!(dir_rows.all(|row| row.counts.is_some()));
    // In four thousand there is room for their names alone.
    let reply = many(400, ask_of(Mode::Files));
    assert_eq!((dirs(&reply), reply.hidden), (400, None));
    assert!(reply.rows.iter().all(|row| row.counts.is_none()));
}

#[test]
fn of_four_thousand_it_says_how_many_are_missing() {
    let tree = wide(4_000);
    for measure in [Measure::Text, Measure::Json] {
        let request = OverviewRequest { measure, ..ask_of(Mode::Fs) };
        let reply = overview(&lister(tree.path()), &request);
        let hidden = reply.hidden.unwrap();
        assert_eq!((dirs(&reply) + hidden.dirs, hidden.files), (4_000, 0));
        assert!(dirs(&reply) > 30 && reply.rows.iter().all(|row| !row.open));
        let line = format!("… {},{:03} directories more\n", hidden.dirs / 1000, hidden.dirs % 1000);
        assert!(render::overview(&reply).contains(&line), "{line}");
        assert_eq!(reply.counts, Some(Counts { files: 8_000, dirs: 4_000, at_least: false }));
    }
}

fn many(dirs: usize, request: OverviewRequest) -> trilist::overview::Overview {
    overview(&lister(wide(dirs).path()), &request)
}

/// So many directories with two files each.
fn wide(dirs: usize) -> Tree {
    let tree = Tree::empty();
    for number in 0..dirs {
        let dir = tree.path().join(format!("d{number:04}"));
        std::fs::create_dir(&dir).unwrap();
        std::fs::write(dir.join("a"), "").unwrap();
        std::fs::write(dir.join("b"), "").unwrap();
    }
    tree
}

fn dirs(reply: &trilist::overview::Overview) -> u64 {
    reply.rows.iter().filter(|row| !row.path.contains('/') && row.kind.name() == "dir").count()
        as u64
}

#[test]
fn what_is_large_does_not_hide_what_is_small() {
    let mut tree = TreeBuilder::new().files(["zz/last", "aa/first"]);
    for number in 0..900 {
        tree = tree.file(format!("huge/{}/{number}", number % 30), "");
    }
    let request = OverviewRequest { max_bytes: Some(1_024), ..ask_of(Mode::Files) };
    let told = rows(&overview(&lister(tree.build().path()), &request));
    for row in ["aa/ (1 file)", "  first", "huge/ (900 files)", "zz/ (1 file)", "  last"] {
        assert!(told.contains(&row.to_owned()), "{row} in {told:?}");
    }
    assert!(told.iter().any(|row| row.starts_with("  0/ (30 files)")), "{told:?}");
}

#[test]
fn without_counts_only_what_is_open_is_read() {
    let tree = project();
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let request = OverviewRequest { count: false, max_bytes: Some(1_024), ..ask_of(mode) };
        let reply = overview(&lister, &request);
        let shown = reply.rows.iter().filter(|row| row.kind.name() == "dir").count() as u64;
        let read = reply.seen.directories;
        assert!(read > 1 && read <= 1 + shown, "{read} read, {shown} shown");
        assert!(reply.counts.is_none() && reply.rows.iter().all(|row| row.counts.is_none()));
        assert!(reply.rows.iter().any(|row| row.path == "src" && row.open), "{:?}", rows(&reply));
    }
    // What has no room is not looked into.
    let wide = TreeBuilder::new().files((0..400).map(|n| format!("directory-{n:03}/a/b"))).build();
    let request = OverviewRequest { count: false, max_bytes: Some(1_024), ..ask_of(Mode::Fs) };
    let reply = overview(&crate::harness::lister(wide.path()), &request);
    assert_eq!(reply.seen.directories, 1);
    assert_eq!(dirs(&reply) + reply.hidden.unwrap().dirs, 400);
}

#[test]
fn one_pass_reads_what_the_listing_reads() {
    let tree = project();
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let request = trilist::ListRequest { depth: Some(4096), ..ask(mode, ".") };
        let (_, page) = streamed(&lister, &request);
        let reply = overview(&lister, &ask_of(mode));
        let read = |seen: trilist::Seen| (seen.directories, seen.entries);
        assert_eq!(read(reply.seen), read(page.seen), "{mode}");
    }
}

#[test]
fn a_bound_leaves_a_true_part_with_every_top_level_directory() {
    let files = (0..9).flat_map(|dir| (0..20).map(move |file| format!("d{dir}/f{file:02}")));
    let tree = TreeBuilder::new().files(files).build();
    let policy = Policy { scan_cap: 50, ..policy() };
    let lister = Lister::open(&[tree.path()], policy).unwrap();
    let reply = overview(&lister, &ask_of(Mode::Fs));
    assert_eq!(reply.truncated_by, Some(TruncatedBy::ScanCap));
    assert!(!reply.complete && reply.counts.unwrap().at_least);
    assert_eq!(dirs(&reply), 9);
    let told = rows(&reply);
    assert!(told.contains(&"d0/ (20 files)".to_owned()), "{told:?}");
    assert!(told.contains(&"d8/ (not counted)".to_owned()), "{told:?}");
    let text = render::overview(&reply);
    assert!(
        text.starts_with("OVERVIEW, ended by the scan cap: what follows may be missing"),
        "{text}"
    );
}

#[test]
fn a_deadline_or_cancel_before_anything_is_an_error() {
    let tree = project();
    let lister = lister(tree.path());
    let passed = Cancel::new().with_deadline(std::time::Duration::ZERO);
    for count in [true, false] {
        let request = OverviewRequest { count, ..ask_of(Mode::Files) };
        assert!(matches!(lister.overview(&request, &passed), Err(ListError::Timeout)));
        let cancelled = Cancel::new();
        cancelled.cancel();
        assert!(matches!(lister.overview(&request, &cancelled), Err(ListError::Cancelled)));
    }
}

#[test]
fn what_cannot_be_read_is_told_in_its_row() {
    let tree = TreeBuilder::new().files(["locked/a", "open/b"]).chmod("locked", 0).unprivileged();
    let tree = tree.build();
    for count in [true, false] {
        let request = OverviewRequest { count, ..ask_of(Mode::Files) };
        let reply = trilist_tests::unprivileged(|| overview(&lister(tree.path()), &request));
        assert!(rows(&reply).contains(&"locked/ [unreadable]".to_owned()), "{:?}", rows(&reply));
        assert_eq!((reply.gaps, reply.complete), (1, false));
    }
}

#[test]
fn bad_requests_are_refused() {
    let tree = project();
    let code = |request: OverviewRequest| {
        lister(tree.path()).overview(&request, &Cancel::new()).unwrap_err().code()
    };
    let plain = ask_of(Mode::Files);
    assert_eq!(
        code(OverviewRequest { max_bytes: Some(1_023), ..plain.clone() }),
        "invalid_argument"
    );
    let most = OverviewRequest { max_bytes: Some(1_048_577), ..plain.clone() };
    assert_eq!(code(most), "invalid_argument");
    assert_eq!(code(OverviewRequest { depth: Some(0), ..plain.clone() }), "invalid_argument");
    assert_eq!(code(OverviewRequest::new(Mode::Files, "none")), "not_found");
    let outside = TreeBuilder::new().file("a", "").build();
    let request = ask_of(Mode::Vcs);
    let error = lister(outside.path()).overview(&request, &Cancel::new()).unwrap_err();
    assert_eq!(error.code(), "not_a_repository");
}

#[test]
fn the_reply_fits_its_schema() {
    let schemas = trilist::schema::all();
    let schema = &schemas.iter().find(|(name, _)| *name == "overview_reply.json").unwrap().1;
    let validator = jsonschema::validator_for(schema).unwrap();
    let tree = project();
    for max_bytes in [1_500, 20_000] {
        for count in [true, false] {
            let measure = Measure::Json;
            let max_bytes = Some(max_bytes);
            let request = OverviewRequest { max_bytes, count, measure, ..ask_of(Mode::Fs) };
            let reply = overview(&lister(tree.path()), &request);
            let value = serde_json::from_str(&render::overview_json(&reply)).unwrap();
            let faults: Vec<_> = validator.iter_errors(&value).map(|one| one.to_string()).collect();
            assert_eq!(faults, Vec::<String>::new());
        }
    }
}

#[test]
fn hidden_rows_are_counted_by_kind() {
    let tree =
        TreeBuilder::new().files((0..200).map(|n| format!("file-{n:03}"))).files(["d/a"]).build();
    let request = OverviewRequest { max_bytes: Some(1_024), ..ask_of(Mode::Fs) };
    let reply = overview(&lister(tree.path()), &request);
    let shown =
        reply.rows.iter().filter(|row| row.kind.name() == "file" && !row.path.contains('/'));
    let hidden = Hidden { files: 200 - shown.count() as u64, dirs: 0 };
    assert_eq!(reply.hidden, Some(hidden));
    assert!(rows(&reply).contains(&"d/ (1 file)".to_owned()));
}
