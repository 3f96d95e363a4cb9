//! Version control's own state, where a host lists it like anything else.

use trilist::{Cancel, Lister, Mode, Policy};
use trilist_tests::TreeBuilder;

use crate::harness::ask;

#[test]
fn a_host_may_list_protected_directories_like_any_other() {
    let tree = TreeBuilder::new().file("sub/.git/HEAD", "").file("sub/a", "").build();
    let paths = |policy: Policy, mode: Mode| -> Vec<String> {
        let lister = Lister::open(&[tree.path()], policy).unwrap();
        let mut request = ask(mode, ".");
        request.include_hidden = Some(true);
        request.depth = Some(9);
        let page = lister.list(&request, &Cancel::new()).unwrap();
        page.entries.into_iter().map(|entry| entry.path).collect()
    };
    let open = || Policy { protected: Vec::new(), ..Policy::default() };
    assert_eq!(paths(Policy::default(), Mode::Fs), ["sub", "sub/.git", "sub/a"]);
    assert_eq!(paths(open(), Mode::Fs), ["sub", "sub/.git", "sub/.git/HEAD", "sub/a"]);
    assert_eq!(paths(Policy::default(), Mode::Files), ["sub/a"]);
    assert_eq!(paths(open(), Mode::Files), ["sub/.git/HEAD", "sub/a"]);
}
