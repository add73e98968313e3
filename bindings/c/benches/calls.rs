//! The cost of a call through the shared library, beside the same call in Rust.
//!
//! ```text
//! ./install.sh /tmp/carom && cargo bench --bench calls -- /tmp/carom/lib/libcarom_c.so
//! ```
//!
//! The functions are looked up in the library as a program in C or Python does, and called by
//! pointer. So are those of carom in Rust: a program without link-time optimisation calls them,
//! too. (Inlined, a position takes 2.8 ns.) Each figure is the least of many rounds, in ns.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::hint::black_box;
use std::time::Instant;

use carom::prelude::*;
use carom_c::types as c;

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const CALLS: u32 = 20_000;
const ROUNDS: usize = 300;

/// The shared library of the first argument.
fn library() -> *mut c_void {
    let path = std::env::args().nth(1).filter(|path| !path.starts_with("--"));
    let path = path.expect("the first argument is the path of libcarom_c.so");
    let text = std::ffi::CString::new(path.as_bytes()).expect("no zeros");
    // SAFETY: the path ends with a zero; 2 is RTLD_NOW.
    let library = unsafe { dlopen(text.as_ptr(), 2) };
    assert!(!library.is_null(), "no library at {path}");
    library
}

fn symbol(library: *mut c_void, name: &CStr) -> *mut c_void {
    // SAFETY: the library is open, and the name ends with a zero.
    let found = unsafe { dlsym(library, name.as_ptr()) };
    assert!(!found.is_null(), "no function {name:?}");
    found
}

/// Least time of a call in ns.
fn least(mut call: impl FnMut(u32)) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        (0..CALLS).for_each(&mut call);
        least = least.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    least
}

type New = unsafe extern "C" fn(*const c::WorldDef) -> *mut c_void;
type Add = unsafe extern "C" fn(*mut c_void, *const c::BodyDef, *mut c::Body) -> u32;
type Position = unsafe extern "C" fn(*const c_void, c::Body) -> c::Vec2;
type Force = unsafe extern "C" fn(*mut c_void, c::Body, c::Vec2) -> u32;
type CastRay =
    unsafe extern "C" fn(*const c_void, c::Ray, *const c::QueryFilter, *mut c::RayAnswer) -> u8;

fn main() {
    let library = library();
    // SAFETY: the functions have these types, see carom.h.
    let (new, add, position, force, ray) = unsafe {
        (
            core::mem::transmute::<*mut c_void, New>(symbol(library, c"carom_world_new")),
            core::mem::transmute::<*mut c_void, Add>(symbol(library, c"carom_body_add")),
            core::mem::transmute::<*mut c_void, Position>(symbol(library, c"carom_body_position")),
            core::mem::transmute::<*mut c_void, Force>(symbol(library, c"carom_body_apply_force")),
            core::mem::transmute::<*mut c_void, CastRay>(symbol(library, c"carom_world_ray")),
        )
    };
    let mut world = World::default();
    // SAFETY: NULL is the default definition.
    let other = unsafe { new(core::ptr::null()) };
    let (mut ids, mut bodies) = (Vec::new(), Vec::new());
    for k in 0..64_u8 {
        let at = [f32::from(k) * 2.0, 0.0];
        let def = BodyDef::dynamic().at(at).shape(Shape::circle(0.5));
        ids.push(world.add(def).expect("a good body"));
        let shape = c::ShapeDef {
            geometry: carom_c::exports::geometry::carom_circle(0.5),
            ..c::ShapeDef::default()
        };
        let local = c::Vec2 { x: at[0], y: at[1] };
        let def = c::BodyDef {
            kind: c::body_kind::DYNAMIC,
            position: c::Point { local, ..c::Point::default() },
            shapes: &shape,
            shape_count: 1,
            ..c::BodyDef::default()
        };
        let mut body = c::Body::default();
        // SAFETY: all pointers are to values that live.
        assert_eq!(unsafe { add(other, &def, &mut body) }, 0);
        bodies.push(body);
    }
    let at = |k: u32| (k % 64) as usize;
    let mut rows = Vec::new();
    let of_body: fn(&carom::Body) -> Vec2 = carom::Body::position;
    let rust = least(|k| {
        _ = black_box(black_box(&world).get(ids[at(k)]).map(|it| black_box(of_body)(it)));
    });
    // SAFETY: the world lives.
    let through_c = least(|k| _ = black_box(unsafe { black_box(position)(other, bodies[at(k)]) }));
    rows.push(("position of a body", rust, through_c));

    let push = Vec2::new(0.1, 0.2);
    let push_body: fn(&mut World, BodyId, Vec2) -> Result<(), Error> = World::apply_force;
    let rust = least(|k| _ = black_box(black_box(push_body)(&mut world, ids[at(k)], push)));
    let own = c::Vec2 { x: 0.1, y: 0.2 };
    let through_c = least(|k| {
        // SAFETY: the world lives.
        _ = black_box(unsafe { black_box(force)(other, bodies[at(k)], own) });
    });
    rows.push(("force on a body", rust, through_c));

    let sight = WorldRay::new([-3.0, 5.0], [4.0, -6.0]);
    let asked: fn(&World, WorldRay, &QueryFilter) -> Option<carom::RayAnswer> = World::ray;
    let rust = least(|_| _ = black_box(black_box(asked)(&world, sight, &QueryFilter::default())));
    let from = c::Point { local: c::Vec2 { x: -3.0, y: 5.0 }, ..c::Point::default() };
    let own = c::Ray { from, translation: c::Vec2 { x: 4.0, y: -6.0 } };
    let mut answer = c::RayAnswer::default();
    let through_c = least(|_| {
        // SAFETY: all pointers are to values that live.
        _ = black_box(unsafe { black_box(ray)(other, own, core::ptr::null(), &mut answer) });
    });
    rows.push(("a ray", rust, through_c));

    println!("| call | in Rust, ns | through C, ns | over Rust, ns |\n|---|---|---|---|");
    for (name, rust, through_c) in &rows {
        println!("| {name} | {rust:.1} | {through_c:.1} | {:.1} |", through_c - rust);
    }
    // A ray is not among them: with its answer of 48 bytes it costs 6 to 9 ns more, of 113.
    let dear = rows[..2].iter().any(|(_, rust, through_c)| through_c - rust > 5.0);
    assert!(!dear, "a call costs more than 5 ns over Rust");
}
