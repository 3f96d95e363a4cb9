//! The house rules hold.

use trilist_tests::workspace;

#[test]
fn the_house_is_tidy() {
    let broken = xtask::tidy::check(&workspace()).unwrap();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
