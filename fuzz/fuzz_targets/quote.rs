#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| trilist_fuzz::quote(data));
