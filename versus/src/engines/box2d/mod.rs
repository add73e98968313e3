//! Box2D behind [`Engine`], called through its C interface.
//!
//! All of versus that speaks C is in this folder; `defs.rs` translates plans, `tree.rs` has Box2D's
//! tree of boxes alone. What makes it sound is said once: a [`Box2dWorld`] owns its world from
//! creation to drop, hands out none of its ids, is not shared between threads (the raw ids are only
//! used through `&self` and `&mut self` of a value that is not `Send` as a trait object), and every
//! id it keeps is of a body it has created in that world.

#![expect(unsafe_code, reason = "Box2D is a C library")]

mod defs;
mod tree;

use boxdd_sys::ffi;
use carom::{Rot, Transform, Vec2};
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use testkit::scenes::plan::{BodyPlan, Handle, HingePlan, Kind, Outline, Part, WorldPlan};

use super::{BLAST, DT, Engine, Parts, SUB_STEPS, State, Way};
use defs::{to_c, to_vec};

pub(crate) use tree::Box2dTree;

/// What the build script of the bindings gives the C compiler for this feature set on Linux;
/// `CFLAGS` come after it.
const FLAGS: &str = "-std=c17 -ffp-contract=off -O2 -mavx2 -DBOX2D_AVX2";

/// Version, revision, compiler and flags.
pub(crate) fn build() -> String {
    // SAFETY: takes nothing and reads constants.
    let version = unsafe { ffi::b2GetVersion() };
    let revision = &boxdd_sys::UPSTREAM_SHA[..10];
    let asserts = if asserts_are_on() { "ON: TIMES ARE TOO LONG" } else { "off" };
    format!(
        "{}.{}.{} at {revision}, boxdd-sys 0.6.0; {}, {FLAGS} {}; assertions {asserts}",
        version.major,
        version.minor,
        version.revision,
        env!("VERSUS_CC"),
        env!("VERSUS_CFLAGS"),
    )
}

static ASSERTED: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn note_assertion(_: *const c_char, _: *const c_char, _: c_int) -> c_int {
    ASSERTED.store(true, Ordering::Relaxed);
    0
}

/// Whether Box2D was compiled with its assertions: they cost it time, so a comparison must not have
/// them.
///
/// Asks for a polygon of no corners. Box2D asserts against it, and where it does not, makes a
/// square.
fn asserts_are_on() -> bool {
    // SAFETY: the callback has the right type, lives as long as the program, and answers 0, which
    // means "go on". The hull is plain data, valid for reads, and said to be empty.
    unsafe {
        ffi::b2SetAssertFcn(Some(note_assertion));
        let hull = ffi::b2Hull { points: [to_c(Vec2::ZERO); 8], count: 0 };
        let _ = ffi::b2MakePolygon(&hull, 0.0);
    }
    ASSERTED.load(Ordering::Relaxed)
}

/// Bytes that all of Box2D has allocated now.
pub(crate) fn allocated_bytes() -> usize {
    // SAFETY: reads a counter.
    let bytes = unsafe { ffi::b2GetByteCount() };
    usize::try_from(bytes).unwrap_or(0)
}

pub(crate) struct Box2dWorld {
    world: ffi::b2WorldId,
    bodies: Vec<ffi::b2BodyId>,
    /// Bytes of the last image: to ask for the size makes an image too, and takes as long.
    image_size: c_int,
}

impl Box2dWorld {
    pub(crate) fn new(plan: &WorldPlan) -> Box2dWorld {
        // SAFETY: the definition is Box2D's own default with plain numbers changed; no callbacks,
        // no pointers. More than one worker makes Box2D start its own threads.
        let world = unsafe {
            let mut def = ffi::b2DefaultWorldDef();
            def.gravity = to_c(plan.gravity);
            def.enableSleep = plan.sleep;
            def.workerCount = plan.threads as c_int;
            ffi::b2CreateWorld(&def)
        };
        Box2dWorld { world, bodies: Vec::new(), image_size: 0 }
    }

    fn add_part(&self, body: ffi::b2BodyId, plan: &BodyPlan, part: &Part) {
        if let Outline::Ring(points) = &part.outline {
            self.add_ring(body, plan, part, points);
            return;
        }
        let def = defs::shape(plan, part);
        // SAFETY: the body is alive; definition and geometry are valid for reads during the call,
        // which copies them.
        unsafe {
            match &part.outline {
                Outline::Circle { radius } => {
                    let circle = ffi::b2Circle { center: to_c(part.at), radius: *radius };
                    ffi::b2CreateCircleShape(body, &def, &circle);
                }
                Outline::Capsule { a, b, radius } => {
                    let [center1, center2] = [*a, *b].map(|end| to_c(end + part.at));
                    let capsule = ffi::b2Capsule { center1, center2, radius: *radius };
                    ffi::b2CreateCapsuleShape(body, &def, &capsule);
                }
                Outline::Segment { a, b } => {
                    let [point1, point2] = [*a, *b].map(|end| to_c(end + part.at));
                    ffi::b2CreateSegmentShape(body, &def, &ffi::b2Segment { point1, point2 });
                }
                Outline::Box { .. } | Outline::Polygon(_) | Outline::Ring(_) => {
                    ffi::b2CreatePolygonShape(body, &def, &defs::polygon(part));
                }
            }
        }
    }

    fn add_ring(&self, body: ffi::b2BodyId, plan: &BodyPlan, part: &Part, points: &[Vec2]) {
        let points: Vec<ffi::b2Vec2> = points.iter().map(|&point| to_c(point + part.at)).collect();
        let shape = defs::shape(plan, part);
        // SAFETY: the body is alive; points and material outlive the call, which copies them, and
        // the counts are theirs.
        unsafe {
            let mut def = ffi::b2DefaultChainDef();
            def.points = points.as_ptr();
            def.count = points.len() as c_int;
            def.materials = &shape.material;
            def.materialCount = 1;
            def.filter = shape.filter;
            def.isLoop = true;
            ffi::b2CreateChain(body, &def);
        }
    }

    fn id(&self, body: Handle) -> ffi::b2BodyId {
        self.bodies[body.index()]
    }
}

impl Drop for Box2dWorld {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed only here.
        unsafe { ffi::b2DestroyWorld(self.world) }
    }
}

impl Engine for Box2dWorld {
    fn add(&mut self, plan: &BodyPlan) {
        // SAFETY: the world is alive, the definition Box2D's default with plain numbers changed.
        let body = unsafe {
            let mut def = ffi::b2DefaultBodyDef();
            def.type_ = match plan.kind {
                Kind::Fixed => ffi::b2BodyType_b2_staticBody,
                Kind::Kinematic => ffi::b2BodyType_b2_kinematicBody,
                Kind::Dynamic => ffi::b2BodyType_b2_dynamicBody,
            };
            def.position = to_c(plan.at);
            def.rotation = defs::rotation(plan.angle);
            def.linearVelocity = to_c(plan.velocity);
            def.angularVelocity = plan.spin;
            def.enableSleep = plan.can_sleep;
            def.isAwake = !plan.asleep;
            ffi::b2CreateBody(self.world, &def)
        };
        for part in &plan.parts {
            self.add_part(body, plan, part);
        }
        self.bodies.push(body);
    }

    fn remove(&mut self, body: Handle) {
        // SAFETY: a handle is removed once, so the body is alive.
        unsafe { ffi::b2DestroyBody(self.id(body)) }
    }

    fn join(&mut self, plan: &HingePlan) {
        let def = defs::hinge(plan, self.id(plan.a), self.id(plan.b));
        // SAFETY: world and bodies are alive; the call copies the definition.
        unsafe { ffi::b2CreateRevoluteJoint(self.world, &def) };
    }

    fn drive(&mut self, body: Handle, velocity: Vec2) {
        // SAFETY: the body is alive.
        unsafe { ffi::b2Body_SetLinearVelocity(self.id(body), to_c(velocity)) }
    }

    fn step(&mut self) {
        // SAFETY: the world is alive, and no callback of it runs.
        unsafe { ffi::b2World_Step(self.world, DT, SUB_STEPS as c_int) }
    }

    fn parts(&self) -> Parts {
        // SAFETY: the world is alive; this only reads.
        let profile = unsafe { ffi::b2World_GetProfile(self.world) };
        let parts =
            [("pairs", profile.pairs), ("collide", profile.collide), ("constraints", profile.constraints)];
        let rest = profile.step - parts.iter().map(|(_, ms)| ms).sum::<f32>();
        parts.into_iter().chain([("rest", rest)]).map(|(name, ms)| (name, f64::from(ms))).collect()
    }

    fn state(&self, body: Handle) -> State {
        let id = self.id(body);
        // SAFETY: the body is alive; these calls only read.
        let (place, velocity, spin) = unsafe {
            let velocity = ffi::b2Body_GetLinearVelocity(id);
            (ffi::b2Body_GetTransform(id), velocity, ffi::b2Body_GetAngularVelocity(id))
        };
        let rotation = Rot { cos: place.q.c, sin: place.q.s };
        State { place: Transform { position: to_vec(place.p), rotation }, velocity: to_vec(velocity), spin }
    }

    fn body_count(&self) -> usize {
        // SAFETY: the world is alive; the call only reads.
        let counters = unsafe { ffi::b2World_GetCounters(self.world) };
        usize::try_from(counters.bodyCount).unwrap_or(0)
    }

    fn awake_count(&self) -> usize {
        // SAFETY: the world is alive; the call only reads.
        let count = unsafe { ffi::b2World_GetAwakeBodyCount(self.world) };
        usize::try_from(count).unwrap_or(0)
    }

    fn rays(&mut self, rays: &[Way]) -> usize {
        let hit = |way: &&Way| {
            // SAFETY: the world is alive; the call only reads.
            unsafe {
                let filter = ffi::b2DefaultQueryFilter();
                ffi::b2World_CastRayClosest(self.world, to_c(way.from), to_c(way.by), filter).hit
            }
        };
        rays.iter().filter(hit).count()
    }

    fn casts(&mut self, half: f32, ways: &[Way]) -> usize {
        let square = defs::square_proxy(half);
        let hit = |way: &&Way| {
            let mut nearest = 1.0_f32;
            // SAFETY: the world is alive, the proxy valid for reads; the callback gets the pointer
            // it expects, to a number that outlives the call and that nothing else uses meanwhile.
            unsafe {
                ffi::b2World_CastShape(
                    self.world,
                    to_c(way.from),
                    &square,
                    to_c(way.by),
                    ffi::b2DefaultQueryFilter(),
                    Some(nearer),
                    (&raw mut nearest).cast(),
                );
            }
            nearest < 1.0
        };
        ways.iter().filter(hit).count()
    }

    fn overlaps(&mut self, half: f32, centers: &[Vec2]) -> usize {
        let square = defs::square_proxy(half);
        let mut count = 0_usize;
        for &at in centers {
            // SAFETY: as in `casts`; here the pointer is to the count.
            unsafe {
                ffi::b2World_OverlapShape(
                    self.world,
                    to_c(at),
                    &square,
                    ffi::b2DefaultQueryFilter(),
                    Some(count_one),
                    (&raw mut count).cast(),
                );
            }
        }
        count
    }

    fn nearest(&mut self, _most: f32, _points: &[Vec2]) -> Option<usize> {
        None
    }

    fn tiles(&mut self, _width: usize, _solid: &[bool]) -> bool {
        false
    }

    fn set_tile(&mut self, _place: [usize; 2], _solid: bool) {}

    fn explode(&mut self, at: Vec2, radius: f32, falloff: f32) -> bool {
        // SAFETY: the world is alive; the definition is Box2D's default with plain numbers changed,
        // and valid for reads during the call.
        unsafe {
            let mut def = ffi::b2DefaultExplosionDef();
            def.position = to_c(at);
            def.radius = radius;
            def.falloff = falloff;
            def.impulsePerLength = BLAST;
            ffi::b2World_Explode(self.world, &def);
        }
        true
    }

    fn save(&mut self) -> Option<Vec<u8>> {
        let mut image = vec![0_u8; usize::try_from(self.image_size).ok()?];
        // SAFETY: the world is alive, the buffer valid for writes of as many bytes as are said.
        // Where it is too small, nothing is written.
        let size = unsafe { ffi::b2World_Snapshot(self.world, image.as_mut_ptr(), self.image_size) };
        let fits = size <= self.image_size;
        self.image_size = size;
        match size {
            ..=0 => None,
            _ if fits => {
                image.truncate(size as usize);
                Some(image)
            }
            _ => self.save(),
        }
    }

    fn restore(&mut self, image: &[u8]) -> bool {
        // SAFETY: the image is valid for reads of as many bytes as are said; Box2D checks its
        // contents, and ids stay valid.
        unsafe { ffi::b2World_Restore(self.world, image.as_ptr(), image.len() as c_int) }
    }
}

/// Notes how far a cast came, and has Box2D look for what is nearer. `context` is an `f32`.
unsafe extern "C" fn nearer(
    _: ffi::b2ShapeId,
    _: ffi::b2Pos,
    _: ffi::b2Vec2,
    fraction: f32,
    context: *mut c_void,
) -> f32 {
    // SAFETY: `casts` passes the address of an `f32` that it does not touch meanwhile.
    unsafe { *context.cast::<f32>() = fraction };
    fraction
}

/// Counts a shape and goes on. `context` is a `usize`.
unsafe extern "C" fn count_one(_: ffi::b2ShapeId, context: *mut c_void) -> bool {
    // SAFETY: `overlaps` passes the address of a `usize` that it does not touch meanwhile.
    unsafe { *context.cast::<usize>() += 1 };
    true
}

#[cfg(test)]
mod tests {
    use super::asserts_are_on;

    #[test]
    fn box2d_is_compiled_without_assertions() {
        assert!(!asserts_are_on(), "CFLAGS lack -DNDEBUG: see .cargo/config.toml");
    }
}
