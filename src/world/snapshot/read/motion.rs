//! Poses and velocities of bodies, from an image.
//!
//! In: the words that a step changes, of eight bodies at a time. Out: bodies that keep all rules.

use super::{INFINITE, ensure, sizes, sizes_from_zero, turned_words};
use crate::body::state::HALF;
use crate::body::{Body, flag as body_flag};
use crate::simd::{Lane, Vector, Vectors, Words, bits, dispatch_wide};
use crate::state::{GROUP, Groups, LoadError, Reader};
use crate::step::finish::quarantine::is_origin;
use crate::world::edit::check::{check, check_size};
use crate::world::snapshot::poses::numbers_of;
use crate::world::{World, WorldDef};

impl World {
    pub(super) fn read_motion(&mut self, image: &mut Reader) -> Result<(), LoadError> {
        let groups = image.groups()?;
        dispatch_wide!(self.lanes().level, simd => self.read_motion_groups(simd, (image, groups)))
    }

    #[inline(always)]
    fn read_motion_groups<S: Vectors>(
        &mut self,
        simd: S,
        (image, mut groups): (&mut Reader, Groups<HALF>),
    ) -> Result<(), LoadError> {
        let (mut slots, mut last) = (self.bodies.slots.iter(), [0; HALF]);
        let mut checked = None;
        let is_plain = self.def.period().is_none() && self.def.span() == 1;
        while image.next_group(simd, &mut groups)? {
            if groups.is_first {
                (last, checked) = ([0; HALF], None);
            }
            let mut halves = [[[0; GROUP]; GROUP]; 2];
            for (k, column) in halves.as_flattened_mut().iter_mut().enumerate() {
                *column = groups.words_of(simd, k, &mut last);
            }
            let is_checked = is_plain && is_plain_motion(simd, &halves);
            let (first, second) = (turned_words(simd, &halves[0]), turned_words(simd, &halves[1]));
            for (&first, &second) in first.iter().zip(&second).take(groups.count) {
                let slot = slots.next().ok_or(LoadError::Broken("a place belongs to a body"))?;
                let body = &mut self.bodies.rows[slot as usize];
                let [motion, _] = bytemuck::cast_mut::<Body, [[[u32; GROUP]; 2]; 2]>(body);
                *motion = [first, second];
                if !is_checked {
                    check_motion(body, &self.def)?;
                }
                // A body with the settings of the body before it needs no check of its own.
                let body = &self.bodies.rows[slot as usize];
                let is_as = |last: u32| {
                    let last = &self.bodies.rows[last as usize];
                    let has_numbers = groups.told & FOLLOWING_WORDS == 0 || has_rules_of(body, last);
                    has_numbers && body.has_settings_of(last)
                };
                if !checked.is_some_and(is_as) {
                    check_settings(body)?;
                }
                checked = Some(slot);
            }
        }
        ensure(slots.next().is_none(), "a body has a place")
    }
}

/// The words of a body's motion that follow from its definition, as [`check_settings`] checks.
const FOLLOWING_WORDS: u64 = 0b1111_0000_1100_0000;

/// Whether eight bodies pass [`check_motion`], by one comparison: they and their origins are near
/// the middle of a region that is not near the end of the world.
#[inline(always)]
fn is_plain_motion<S: Vectors>(simd: S, halves: &[[[u32; GROUP]; GROUP]; 2]) -> bool {
    let [region_x, region_y, x, y, cos, sin, local_x, local_y] = &halves[0];
    let [velocity_x, velocity_y, spin, sleep_time, ..] = &halves[1];
    let region = |column: &[u32; GROUP]| Words::load(simd, column) + Words::splat(simd, NEAR_REGION);
    let [x, y, local_x, local_y] =
        [sizes(simd, x), sizes(simd, y), sizes(simd, local_x), sizes(simd, local_y)];
    let velocity = sizes(simd, velocity_x).larger(sizes(simd, velocity_y));
    let rates = velocity.larger(sizes(simd, spin)).larger(sizes_from_zero(simd, sleep_time));
    let (cos, sin) = (numbers_of(simd, cos), numbers_of(simd, sin));
    let off = (cos * cos + sin * sin - Vector::all(simd, 1.0)).abs();
    region(region_x).larger(region(region_y)).reduce_max() <= 2 * NEAR_REGION
        && x.larger(y).reduce_max() < 256.0_f32.to_bits()
        && local_x.larger(local_y).reduce_max() < 100.0_f32.to_bits()
        && rates.reduce_max() < INFINITE
        && bits(off.lt(Vector::all(simd, 1.0e-5))) == 0xFF
}

/// Regions up to this far from the middle of the world are valid.
const NEAR_REGION: u32 = 1 << 20;

/// Whether the numbers that [`check_settings`] reads are equal in two bodies.
fn has_rules_of(body: &Body, other: &Body) -> bool {
    let numbers = |body: &Body| {
        let (mass, center) = (body.inv_mass, body.local_center);
        [mass.x, mass.y, body.inv_inertia, body.gravity_scale, center.x, center.y].map(f32::to_bits)
    };
    numbers(body) == numbers(other)
}

/// Checks the values of a body that follow from its definition.
#[inline(never)]
fn check_settings(body: &Body) -> Result<(), LoadError> {
    const KNOWN: u32 = 2 * body_flag::HIGHEST - 1;
    let both = body_flag::DYNAMIC | body_flag::KINEMATIC;
    ensure(body.flags & !KNOWN == 0 && body.flags & both != both, "a body is of one kind")?;
    let finite = |values: &[f32]| values.iter().all(|x| x.is_finite());
    let numbers = [body.force, body.inv_mass].map(|v| v.to_array());
    ensure(
        finite(numbers.as_flattened()) && finite(&[body.torque, body.inv_inertia]),
        "the numbers of a body are finite",
    )?;
    let rule = |ok: Result<(), crate::Error>| ok.map_err(|_| LoadError::Broken("a body keeps its rules"));
    rule(check(&body.local_center.to_array(), ""))?;
    rule(check(&[body.gravity_scale], ""))?;
    for size in [body.linear_damping, body.angular_damping] {
        rule(check_size(size, ""))?;
    }
    // Values derived from shapes only have to be finite.
    let of_shapes = [body.mass, body.inertia, body.max_extent];
    ensure(of_shapes.iter().all(|&x| x >= 0.0) && finite(&of_shapes), "a body is as large as its shapes")?;
    ensure(body.min_extent >= 0.0 && body.spare == 0.0, "the numbers of a body are finite")?;
    let mut weighed = *body;
    weighed.weigh();
    let same = (weighed.inv_mass, weighed.inv_inertia) == (body.inv_mass, body.inv_inertia);
    ensure(same, "a body is as hard to move as its mass says")
}

/// Checks position and velocity of a body.
#[inline(always)]
fn check_motion(body: &Body, def: &WorldDef) -> Result<(), LoadError> {
    let [x, y] = body.linear_velocity.to_array();
    let finite = [x, y, body.angular_velocity, body.sleep_time].iter().all(|x| x.is_finite());
    ensure(finite && body.sleep_time >= 0.0, "the numbers of a body are finite")?;
    let turn = body.rotation.cos * body.rotation.cos + body.rotation.sin * body.rotation.sin;
    let (center, home) = (body.center_point(), def.period().wrapped(body.center_point()));
    let placed = center.is_joined(def.span()) && center.region == home.region;
    let placed = placed && is_origin(body.world_position());
    ensure(placed && (turn - 1.0).abs() < 1.0e-5, "a body has a place")
}
