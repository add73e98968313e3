#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::nav_bodies::crowd(data));
