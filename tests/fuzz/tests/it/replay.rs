//! Every target on its kept inputs, on changed ones, and on random bytes.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::Instant;

use trilist_fuzz::{TARGETS, Target};
use trilist_tests::workspace;

use crate::random::Random;

/// How many random inputs a target gets, half of them kept ones that were changed.
const TIMES: u64 = 2000;
/// What a kept corpus may take, in bytes.
const CORPUS_BYTES: usize = 200 << 10;
/// No single input takes as long, even in a debug build on a busy machine.
const SECONDS: u64 = 20;

fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let dir = workspace().join("fuzz/corpus").join(name);
    let files = fs::read_dir(dir).expect("the corpus is there").flatten();
    let mut all: Vec<_> =
        files.map(|file| (file.path(), fs::read(file.path()).expect("it is read"))).collect();
    all.sort();
    all
}

/// Runs a target and says which input it was if it fails.
fn run((name, target): Target, input: &[u8], context: &str) {
    let start = Instant::now();
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(input))) {
        eprintln!("{name}, {context}: {}", input.escape_ascii());
        resume_unwind(panic);
    }
    let took = start.elapsed();
    assert!(took.as_secs() < SECONDS, "{name}, {context}: {took:?}");
}

fn replay(name: &str) {
    let target = *TARGETS.iter().find(|target| target.0 == name).expect("it is in the list");
    let kept = corpus(name);
    assert!(kept.len() >= 10, "{name} has {} kept inputs", kept.len());
    let bytes: usize = kept.iter().map(|(_, input)| input.len()).sum();
    assert!(bytes < CORPUS_BYTES, "{name}: {bytes} bytes");
    for (path, input) in &kept {
        run(target, input, &path.display().to_string());
    }
    let times = if std::env::var_os("TRILIST_FULL").is_some() { 10 * TIMES } else { TIMES };
    for seed in 0..times {
        let mut random = Random::new(seed);
        let input = match seed % 2 {
            0 => random.bytes(600),
            _ => {
                let at = random.below(kept.len());
                random.changed(&kept[at].1)
            }
        };
        run(target, &input, &format!("seed {seed}"));
    }
}

/// What a folder of the workspace holds, sorted.
fn names_in(dir: &str) -> Vec<String> {
    let files = fs::read_dir(workspace().join(dir)).expect("it is there").flatten();
    let mut names: Vec<_> =
        files.map(|file| file.file_name().into_string().expect("a plain name")).collect();
    names.sort();
    names
}

macro_rules! replays {
    ($($name:ident)*) => {
        $(#[test] fn $name() { replay(stringify!($name)); })*

        #[test]
        fn every_target_is_replayed() {
            let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            let mut sorted = names.clone();
            sorted.sort_unstable();
            assert_eq!(names_in("fuzz/corpus"), sorted);
            let stubs = names_in("fuzz/fuzz_targets");
            let stubs: Vec<_> = stubs.iter().map(|name| name.trim_end_matches(".rs")).collect();
            assert_eq!(stubs, sorted);
        }
    };
}

replays!(index gitfile objects ignore glob cursor quote request path);
