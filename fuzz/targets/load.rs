#![no_main]

#[global_allocator]
static ALLOCATOR: testkit::memory::Watching = testkit::memory::Watching;

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::load(data));
