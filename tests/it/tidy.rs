//! The house rules hold.

use trilist_tests::workspace;

#[test]
fn the_house_is_tidy() {
    let broken = xtask::tidy::check(&workspace()).unwrap();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_threat_has_tests_and_its_row_names_them() {
    let broken = xtask::security::check(&workspace()).unwrap();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
