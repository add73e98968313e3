#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| carom_fuzz::target::load(data));
