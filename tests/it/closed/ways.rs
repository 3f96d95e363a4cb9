//! Every other call of a lister obeys the policy too.

use std::sync::Arc;

use trilist::compare::{Compared, Fold};
use trilist::{
    Cancel, ChatFiles, CompareRequest, HostSide, ListRequest, Mode, OverviewRequest, PathArg,
    Reason, Skip, render,
};

use super::{denying, is_denied, safe, says_denied};
use crate::harness::{MODES, ask, page, rows};

#[test]
fn overviews() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    for mode in MODES {
        for count in [true, false] {
            let request = OverviewRequest { count, ..OverviewRequest::new(*mode, ".") };
            let overview = lister.overview(&request, &Cancel::new()).unwrap();
            let text = render::overview(&overview);
            assert!(text.contains("secrets/ [skipped: protected]\n"), "{text}");
            assert!(!text.contains("key") && !text.contains("deep"), "{text}");
            assert!(!text.contains("pin"), "{text}");
            let closed = OverviewRequest { count, ..OverviewRequest::new(*mode, "link") };
            says_denied(&lister.overview(&closed, &Cancel::new()).unwrap_err());
        }
    }
}

#[test]
fn comparisons() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    let request =
        CompareRequest { show: Compared::All, fold: Fold::Never, ..CompareRequest::new(".") };
    let reply = lister.compare(&request, &Cancel::new()).unwrap();
    assert!(reply.complete);
    let closed: Vec<_> = reply.rows.iter().filter(|row| row.path.ends_with("secrets")).collect();
    assert_eq!(closed.len(), 2);
    for row in closed {
        for (_, one) in row.modes.iter() {
            let one = one.as_ref().unwrap();
            assert_eq!((one.listed, one.skipped), (true, Some(Skip::Protected)), "{row:?}");
        }
    }
    let text = format!("{}{reply:?}", render::comparison(&reply));
    assert!(!text.contains("key") && !text.contains("deep"), "{text}");
    says_denied(&lister.compare(&CompareRequest::new("link"), &Cancel::new()).unwrap_err());
    // One that is closed to no version control.
    let untracked = tree.join("new/secrets");
    std::fs::create_dir_all(&untracked).unwrap();
    let reply = lister.compare(&request, &Cancel::new()).unwrap();
    let row = reply.rows.iter().find(|row| row.path == "new/secrets").unwrap();
    assert_eq!(row.modes.vcs.as_ref().unwrap().reason, Some(Reason::Protected));
}

#[test]
fn explanations() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    let told = |path: &str| {
        let answers = lister
            .explain(&ask(Mode::Fs, "."), &Mode::ALL, &[PathArg::from(path)], &Cancel::new())
            .unwrap();
        answers.into_iter().next().unwrap()
    };
    let row = told("secrets");
    for (mode, standing) in row.modes.iter() {
        assert_eq!(standing.listed, Some(true), "{mode}");
        assert_eq!(standing.skipped, Some(Skip::Protected), "{mode}");
        assert!(standing.message.contains("the host keeps it closed"), "{}", standing.message);
    }
    // What is there, what is not and what is tracked read alike.
    let there = told("secrets/key");
    assert_eq!(there.on_disk, None);
    for (mode, standing) in there.modes.iter() {
        let (reason, at) = (standing.reason, standing.at.as_deref());
        assert_eq!((reason, at), (Some(Reason::Protected), Some("secrets")), "{mode}");
        assert!(standing.message.contains("which the host keeps closed"), "{}", standing.message);
    }
    for other in ["secrets/kez", "secrets/deep", "secrets/deep/x", "secrets/key/x"] {
        let other = told(other);
        assert_eq!((other.on_disk, &other.modes), (None, &there.modes));
    }
    for (there, absent) in
        [("link/key", "link/kez"), ("public/out/x", "public/out/y"), ("link/deep", "link/peed")]
    {
        let (there, absent) = (told(there), told(absent));
        assert_eq!(there.modes, absent.modes);
        assert_eq!((there.on_disk, absent.on_disk), (None, None));
    }
    // Beside the listed directory nothing more is told.
    let request = ask(Mode::Fs, "public");
    let paths = ["secrets/key", "secrets/kez", "link/key", "link/kez"].map(PathArg::from);
    let answers = lister.explain(&request, &[Mode::Fs], &paths, &Cancel::new()).unwrap();
    assert_eq!(answers[0].modes, answers[1].modes);
    assert_eq!(answers[0].modes.fs.as_ref().unwrap().reason, Some(Reason::Protected));
    assert_eq!(answers[2].modes, answers[3].modes);
    // No listing of a closed directory can be explained.
    let request = ask(Mode::Fs, "secrets");
    let refused = lister.explain(&request, &Mode::ALL, &paths[..1], &Cancel::new());
    assert_eq!(refused.unwrap_err().code(), "denied_by_policy");
}

#[test]
fn chats() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    let in_chat = vec!["secrets/key".into(), "public/a".into()];
    let host = HostSide {
        chat: Some(Arc::new(ChatFiles { in_chat, read_only: Vec::new() })),
        ..HostSide::default()
    };
    for mode in MODES {
        let page = lister.list_for(&ask(*mode, "."), &host, &Cancel::new()).unwrap();
        let files = &page.chat.unwrap().in_chat.files;
        let told: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.reason)).collect();
        let right = [("public/a", None), ("secrets/key", Some(Reason::Protected))];
        assert_eq!(told, right, "{mode}");
    }
}

#[test]
fn pinned_listings_and_what_has_changed_since() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    for mode in MODES {
        let pin = ListRequest { pin: true, limit: Some(2), ..ask(*mode, ".") };
        let first = page(&lister, &pin);
        let mut seen = rows(&first);
        let mut cursor = first.next_cursor.clone();
        while let Some(at) = cursor {
            let next = page(&lister, &ListRequest { cursor: Some(at), ..ask(*mode, ".") });
            seen.extend(rows(&next));
            cursor = next.next_cursor.clone();
        }
        assert!(seen.contains(&"secrets/ protected".to_owned()), "{seen:?}");
        assert!(!seen.iter().any(|row| row.contains("key") || row.contains("deep")));
        std::fs::write(tree.join("secrets/new"), "").unwrap();
        let since = ListRequest { since: Some(first.snapshot_id.clone()), ..ask(*mode, ".") };
        let changed = page(&lister, &since);
        assert_eq!(changed.returned, 0, "{:?}", rows(&changed));
        std::fs::remove_file(tree.join("secrets/new")).unwrap();
        let other = ListRequest { path: "secrets".into(), ..since };
        is_denied(&lister, &other);
        let other = ListRequest { snapshot: Some(first.snapshot_id), ..ask(*mode, "link") };
        is_denied(&lister, &other);
        is_denied(&lister, &ListRequest { pin: true, ..ask(*mode, "link") });
    }
}

#[test]
fn looks() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    // That it is there is told by its row.
    assert!(lister.look(&"secrets".into()).is_ok());
    for path in ["secrets/key", "secrets/none", "link/key", "link/none", "public/out/x"] {
        says_denied(&lister.look(&path.into()).unwrap_err());
    }
}
