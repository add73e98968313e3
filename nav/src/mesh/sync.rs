//! A mesh that follows a physics world.
//!
//! In: a world, and the state of the mesh's last update. Out: obstacles for added shapes; the
//! obstacles of removed shapes are removed. An update visits only changes; after the world was
//! loaded it visits all shapes, and keeps the unchanged ones.

use std::collections::{BTreeMap, BTreeSet};

use carom::{BodyId, BodyKind, Change, Changes, Filter, Mark, Shape, ShapeId, Transform, World, WorldPoint};

use super::outlines::Outlines;
use super::{Mesh, MeshError, ObstacleId};

/// The shapes of a world that are obstacles of a mesh, and the state of the last update.
///
/// Solid shapes of fixed bodies are obstacles: curved shapes with corners up to 1 cm further out,
/// chains and segments as walls without thickness, half-planes as far as the mesh goes. Sensors,
/// kinematic bodies, and awake dynamic bodies are not.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The position of the mesh's middle in the world.
    pub origin: WorldPoint,
    /// Only shapes that a shape with this filter may touch are obstacles.
    pub filter: Filter,
    /// Whether dynamic bodies are obstacles while they sleep: rubble becomes wall.
    pub sleepers: bool,
    mark: Mark,
    /// The world's step count at the last update, if it is still valid.
    steps: Option<u64>,
    shapes: BTreeMap<ShapeId, SyncedShape>,
    asleep: BTreeSet<BodyId>,
    pending: BTreeSet<ShapeId>,
    wanted: Vec<(ShapeId, Transform, Shape)>,
    outlines: Outlines,
}

/// A shape in the mesh.
#[derive(Clone, Debug)]
struct SyncedShape {
    at: Transform,
    shape: Shape,
    obstacles: Vec<ObstacleId>,
}

/// Result of [`Mesh::sync`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Synced {
    /// Added obstacles.
    pub added: usize,
    /// Removed obstacles.
    pub removed: usize,
    /// Outlines that could not be built: see [`MeshError::Tangled`].
    pub refused: usize,
}

impl Ground {
    /// A mesh's ground about a place in the world, with a filter that touches everything.
    #[must_use]
    pub fn new(origin: impl Into<WorldPoint>) -> Ground {
        Ground {
            origin: origin.into(),
            filter: Filter { category: u64::MAX, ..Filter::default() },
            sleepers: false,
            mark: Mark::default(),
            steps: None,
            shapes: BTreeMap::new(),
            asleep: BTreeSet::new(),
            pending: BTreeSet::new(),
            wanted: Vec::new(),
            outlines: Outlines::default(),
        }
    }

    /// Sets the filter.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Ground {
        Ground { filter, ..self }
    }

    /// Makes dynamic bodies obstacles while they sleep. Then [`Mesh::sync`] is best called after
    /// each step; otherwise it visits all bodies.
    #[must_use]
    pub fn with_sleepers(self) -> Ground {
        Ground { sleepers: true, ..self }
    }

    /// Lists the shapes that may have changed since the last update.
    fn find_pending(&mut self, world: &World) {
        self.pending.clear();
        match world.changes(&mut self.mark) {
            Changes::All => {
                self.steps = None;
                self.pending.extend(self.shapes.keys());
                self.pending
                    .extend(world.bodies().flat_map(|(body, _)| world.shapes_of(body)).map(|(id, _)| id));
            }
            Changes::Some(list) => self.pending.extend(list.iter().map(|&change| match change {
                Change::Added(id) | Change::Changed(id) | Change::Removed(id) => id,
            })),
        }
        if self.sleepers {
            self.find_sleepers(world);
        }
        self.steps = Some(world.step_count());
    }

    /// Lists bodies that fell asleep, and bodies that were asleep: they may have woken, moved or
    /// gone.
    fn find_sleepers(&mut self, world: &World) {
        let is_asleep = |id: BodyId| {
            let body = world.get(id);
            body.is_some_and(|body| body.kind() == BodyKind::Dynamic && body.is_enabled() && !body.is_awake())
        };
        self.asleep.retain(|&id| is_asleep(id));
        // The world reports only its last step.
        if self.steps.is_some_and(|steps| world.step_count().wrapping_sub(steps) <= 1) {
            self.asleep.extend(world.events().slept().iter().copied().filter(|&id| is_asleep(id)));
        } else {
            self.asleep.extend(world.bodies().map(|(id, _)| id).filter(|&id| is_asleep(id)));
        }
        self.pending.extend(self.asleep.iter().flat_map(|&id| world.shapes_of(id)).map(|(id, _)| id));
        let is_of_woken = |id: &ShapeId| {
            let body = world.body_of(*id).and_then(|body| world.get(body));
            body.is_none_or(|body| body.kind() != BodyKind::Fixed && body.is_awake())
        };
        self.pending.extend(self.shapes.keys().copied().filter(is_of_woken));
    }

    /// The pose of a shape, if it is an obstacle.
    fn place_of(&self, world: &World, id: ShapeId) -> Option<Transform> {
        let collider = world.get_shape(id)?;
        let body = world.get(world.body_of(id)?)?;
        let rests = match body.kind() {
            BodyKind::Fixed => true,
            BodyKind::Dynamic => self.sleepers && !body.is_awake(),
            BodyKind::Kinematic => false,
        };
        let is_wall = rests && body.is_enabled() && !collider.is_sensor();
        (is_wall && self.filter.allows(&collider.filter()))
            .then(|| Transform { position: self.origin.to(body.world_position()), rotation: body.rotation() })
    }
}

impl Mesh {
    /// Updates the mesh with the changes of a world since the last call with the same [`Ground`]:
    /// adds and removes the obstacles of changed shapes.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom_nav::mesh::{Ground, Mesh, MeshDef};
    ///
    /// let mut world = World::default();
    /// let wall = world.add(BodyDef::fixed().shape(Shape::rect(2.0, 40.0)))?;
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 2.0 })?;
    /// let mut ground = Ground::new([0.0, 0.0]);
    /// mesh.sync(&world, &mut ground);
    /// assert!(!mesh.reachable([-5.0, 0.0], [5.0, 0.0], 0.5));
    /// world.teleport(wall, [0.0, 3.0], 0.0)?;
    /// mesh.sync(&world, &mut ground);
    /// assert_eq!(mesh.widest([-5.0, 0.0], [5.0, 0.0]), Some(1.5)); // below it
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// After [`World::load`] all shapes are compared, and changed ones are updated. Do not remove
    /// obstacles that this call added.
    pub fn sync(&mut self, world: &World, ground: &mut Ground) -> Synced {
        ground.find_pending(world);
        let mut done = Synced::default();
        let pending = core::mem::take(&mut ground.pending);
        let mut wanted = core::mem::take(&mut ground.wanted);
        wanted.clear();
        for &id in &pending {
            let place = ground.place_of(world, id);
            let shape = world.get_shape(id).map(|collider| collider.shape());
            let now = place.zip(shape);
            let standing = ground.shapes.get(&id);
            if let (Some(standing), Some((at, shape))) = (standing, now)
                && standing.at == at
                && standing.shape == *shape
            {
                continue;
            }
            if let Some(standing) = ground.shapes.remove(&id) {
                done.removed += standing.obstacles.iter().filter(|&&id| self.remove(id)).count();
            }
            wanted.extend(now.map(|(at, shape)| (id, at, shape.clone())));
        }
        self.put_in(ground, &mut wanted, &mut done);
        (ground.pending, ground.wanted) = (pending, wanted);
        done
    }

    fn put_in(
        &mut self,
        ground: &mut Ground,
        wanted: &mut Vec<(ShapeId, Transform, Shape)>,
        done: &mut Synced,
    ) {
        let outlines = &mut ground.outlines;
        outlines.clear();
        let half = self.half_metres();
        let mut counts = Vec::with_capacity(wanted.len());
        for (_, at, shape) in wanted.iter() {
            let before = outlines.len();
            outlines.add(shape, *at, half);
            counts.push(outlines.len() - before);
        }
        let mut built = Vec::new();
        self.build_all(outlines.iter(), &mut built);
        let mut built = built.into_iter();
        for ((id, at, shape), count) in wanted.drain(..).zip(counts) {
            let mut obstacles = Vec::new();
            for result in built.by_ref().take(count) {
                match result {
                    Ok(id) => obstacles.push(id),
                    Err(MeshError::Outside) => {}
                    Err(_) => done.refused += 1,
                }
            }
            done.added += obstacles.len();
            ground.shapes.insert(id, SyncedShape { at, shape, obstacles });
        }
    }
}
