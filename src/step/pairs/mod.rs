//! Stage `find_pairs` (broadphase): pairs of boxes that came and went in the grid become contacts
//! or end them.
//!
//! In: the grid's lists of pairs added and removed. Out: contacts that begin or end, and candidate
//! pairs, which wait until their parts come near each other. Pairs that filters forbid, or whose
//! bodies both stand still, make no contact.
//!
//! A stirred heap in which bodies move by their own size in a step has four times as many pairs as
//! touches, and five times as many pairs come and go as ever come near each other. A pair that is
//! not near is eight bytes in a list (`contact/candidates.rs`).
//!
//! Tried: looking up all pairs before the first contact begins or ends, as a prefetch; and reading
//! their parts and shapes sixteen at a time, without a branch. Neither was faster.

use crate::Filter;
use crate::body::collider::{Class, Collider, Manner, OfMap, Proxy};
use crate::body::material::Surface;
use crate::body::{NONE, flag as body_flag};
use crate::broadphase::Pair;
use crate::contact::{ContactHeader, Test, flag};
use crate::threads::Team;
use crate::world::World;

/// Filter groups below this do not fit into the grid's groups: for these, filters alone forbid
/// pairs.
const LEAST_GROUP: i32 = -(1 << 30);

impl World {
    /// Brings the contacts up to date with the boxes.
    pub(crate) fn find_pairs(&mut self, team: &Team) {
        self.show_cells();
        self.grid.find_changes(team);
        for index in 0..self.grid.removed().len() {
            let pair = self.grid.removed()[index];
            if let Some(contact) = self.contacts.find(pair)
                && self.contacts.is_active(contact)
            {
                self.end_contact(contact);
            }
        }
        self.verify_woken();
        for index in 0..self.grid.added().len() {
            let pair = self.grid.added()[index];
            if self.may_wait(pair) {
                self.contacts.apart.put(pair);
            } else {
                self.begin_contact(pair);
            }
        }
        // Two sorted lists that are written anew; neither was read since the search.
        let (apart, (merging, removed)) = (&mut self.contacts.apart, self.grid.merging());
        match merging {
            Some(merging) => team.both(|| merging.finish(), || apart.update(removed)),
            None => apart.update(removed),
        }
        self.begin_parked();
        self.shapes.proxies.reuse_retired();
        self.hide_cells();
        self.step.stats.pairs = self.grid.pairs().len();
    }

    /// The group of a body's parts in the grid; boxes of one group make no pairs. If all shapes
    /// share one filter that rejects itself, it is that filter's group; otherwise a group per body.
    /// (Halves the pairs of a rag doll.)
    pub(crate) fn group_of(&self, body: u32) -> u32 {
        self.group_by(self.filter_of(body), body)
    }

    /// The group of the parts of a body whose shapes equal the shapes of a body of another world;
    /// its filter gets a number if it needs one.
    pub(crate) fn group_like(&mut self, body: u32, (from, other): (&World, u32)) -> u32 {
        let filter = from.filter_of(other);
        self.name_this(filter);
        self.group_by(filter, body)
    }

    /// The group of a body's parts in the grid, given the common filter of its shapes.
    fn group_by(&self, filter: Option<Filter>, body: u32) -> u32 {
        let Some(filter) = filter else { return body + 1 };
        // Slots stay below 2^31, and so do the groups of bodies; named filters lie above them, and
        // above these are negative filter groups.
        match filter.group {
            LEAST_GROUP..=-1 => filter.group as u32,
            0 => self
                .shapes
                .named_filters
                .get(&(filter.category, filter.mask))
                .map_or(body + 1, |name| 1 << 31 | name),
            _ => body + 1,
        }
    }

    /// The common filter of all shapes of a body, if there is one and it rejects itself.
    fn filter_of(&self, body: u32) -> Option<Filter> {
        let mut shapes = self.shape_slots_from(self.bodies.rows[body as usize].first_shape);
        let filter_of = |shape: u32| self.shapes.colliders[shape as usize].traits.filter;
        let first = filter_of(shapes.next()?);
        (!first.allows(&first) && shapes.all(|shape| filter_of(shape) == first)).then_some(first)
    }

    /// Whether any shape has a filter that rejects itself: else each body is a group of its own.
    pub(crate) fn has_filter_groups(&self) -> bool {
        let mut last = None;
        self.shapes.slots.iter().any(|slot| {
            let traits = &self.shapes.colliders[slot as usize].traits;
            // Shapes that are alike share theirs.
            let is_known = last.replace(traits).is_some_and(|last| traits.is(last));
            !is_known && !traits.filter.allows(&traits.filter)
        })
    }

    /// Gives the filter of a body a number, if its mask rejects its own category: category and mask
    /// of 64 bits do not fit into a group.
    pub(crate) fn name_filter(&mut self, body: u32) {
        self.name_this(self.filter_of(body));
    }

    fn name_this(&mut self, filter: Option<Filter>) {
        if let Some(Filter { category, mask, group: 0 }) = filter {
            let next = self.shapes.named_filters.len() as u32;
            self.shapes.named_filters.entry((category, mask)).or_insert(next);
        }
    }

    /// Tells the grid the group of a body's parts, after their filters or shapes have changed.
    pub(crate) fn regroup(&mut self, body: u32) {
        let filter = self.filter_of(body);
        self.name_this(filter);
        let group = self.group_by(filter, body);
        let mut shape = self.bodies.rows[body as usize].first_shape;
        while shape != NONE {
            let mut proxy = self.shapes.links[shape as usize].first_proxy;
            while proxy != NONE {
                self.grid.set_group(proxy, group);
                proxy = self.shapes.proxies.rows[proxy as usize].next;
            }
            shape = self.shapes.links[shape as usize].next;
        }
    }

    /// Tells the grid the group of one shape whose parts changed, but not its filter.
    pub(crate) fn regroup_shape(&mut self, shape: u32) {
        let group = self.group_of(self.shapes.colliders[shape as usize].body);
        let mut proxy = self.shapes.links[shape as usize].first_proxy;
        while proxy != NONE {
            self.grid.set_group(proxy, group);
            proxy = self.shapes.proxies.rows[proxy as usize].next;
        }
    }

    /// Whether a pair needs no contact before its parts come near each other: two dynamic bodies,
    /// in one region. Lines, immovable parts and sensors need contacts for all of their pairs.
    pub(crate) fn may_wait(&self, pair: Pair) -> bool {
        let (a, b) = (&self.shapes.proxies.rows[pair.a as usize], &self.shapes.proxies.rows[pair.b as usize]);
        let (body_a, body_b) = (&self.bodies.rows[a.body as usize], &self.bodies.rows[b.body as usize]);
        let dynamic = body_a.has(body_flag::DYNAMIC) && body_b.has(body_flag::DYNAMIC);
        let plain = a.manner == Manner::Plain && b.manner == Manner::Plain;
        plain && dynamic && body_a.region == body_b.region
    }

    /// Makes contacts for candidate pairs that came near each other, or into two regions.
    pub(crate) fn begin_waiting(&mut self, pairs: &[Pair]) {
        for &pair in pairs {
            self.begin_contact(pair);
        }
        self.contacts.apart.take_out(pairs);
    }

    /// Contacts that ended because both bodies fell asleep begin again if one of them woke before
    /// the grid knew that it slept.
    fn begin_parked(&mut self) {
        let mut parked = core::mem::take(&mut self.islands.parked);
        for pair in parked.drain(..) {
            if self.grid.pairs().binary_search(&pair).is_ok() {
                self.begin_contact(pair);
            }
        }
        self.islands.parked = parked;
    }

    /// Contacts that woke may belong to boxes that separated while they slept.
    fn verify_woken(&mut self) {
        let mut woken = core::mem::take(&mut self.islands.woken_contacts);
        for &contact in &woken {
            let Pair { a, b } = self.contacts.pair[contact as usize];
            let still = self.contacts.find(Pair { a, b }) == Some(contact);
            if still && !self.boxes_overlap(a, b) {
                self.end_contact(contact);
            }
        }
        woken.clear();
        self.islands.woken_contacts = woken;
    }

    pub(crate) fn boxes_overlap(&self, a: u32, b: u32) -> bool {
        match (self.grid.aabb(a), self.grid.aabb(b)) {
            (Some(a), Some(b)) => self.def.period().overlap(&a, &b),
            _ => false,
        }
    }

    /// A contact for a pair of parts, if there may be one and is none yet.
    pub(crate) fn begin_contact(&mut self, pair: Pair) {
        let is_full = self.contacts.len() >= self.room.contacts;
        if is_full || self.contacts.find(pair).is_some() || !self.may_touch(pair) {
            return;
        }
        let surface = self.surface_of(pair);
        let link = self.link_of(pair);
        self.contacts.add(pair, link, &surface);
        self.count_cells(pair, true);
    }

    /// Whether two parts may make a contact.
    pub(crate) fn may_touch(&self, pair: Pair) -> bool {
        let (a, b) = (self.shapes.proxies.rows[pair.a as usize], self.shapes.proxies.rows[pair.b as usize]);
        let is_whole_map = a.of_map == OfMap::Whole || b.of_map == OfMap::Whole;
        if a.body == b.body || is_whole_map {
            return false;
        }
        let sensor = a.sensor || b.sensor;
        let dynamic = |slot: u32| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
        let (shape_a, shape_b) =
            (&self.shapes.colliders[a.shape as usize], &self.shapes.colliders[b.shape as usize]);
        (sensor || dynamic(a.body) || dynamic(b.body))
            && shape_a.traits.filter.allows(&shape_b.traits.filter)
            && self.joints_allow(a.body, b.body)
            && self.hook_allows(pair)
    }

    /// The mixed material of two parts.
    pub(crate) fn surface_of(&self, pair: Pair) -> Surface {
        let material = |proxy: u32| {
            let part = &self.shapes.proxies.rows[proxy as usize];
            self.shapes.colliders[part.shape as usize].material_of(part.part as usize)
        };
        Surface::mix(material(pair.a), material(pair.b))
    }

    /// The link of a new contact of two parts.
    pub(crate) fn link_of(&self, pair: Pair) -> ContactHeader {
        let (a, b) = (self.shapes.proxies.rows[pair.a as usize], self.shapes.proxies.rows[pair.b as usize]);
        let dynamic = |slot: u32| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
        let shape = |slot: u32| -> &Collider { &self.shapes.colliders[slot as usize] };
        let one_way =
            shape(a.shape).one_way_at(a.part).is_some() || shape(b.shape).one_way_at(b.part).is_some();
        let hooked = shape(a.shape).traits.hooked || shape(b.shape).traits.hooked;
        let welds = shape(a.shape).material_of(a.part as usize).weld_on_touch
            || shape(b.shape).material_of(b.part as usize).weld_on_touch;
        let one_region = self.bodies.rows[a.body as usize].region == self.bodies.rows[b.body as usize].region;
        let bits = [
            (a.manner == Manner::Line || b.manner == Manner::Line, flag::LINE),
            (a.sensor || b.sensor, flag::SENSOR),
            (one_way, flag::ONE_WAY),
            (hooked, flag::HOOKED),
            (!dynamic(a.body) || !dynamic(b.body), flag::ONE_SIDED),
            (!dynamic(a.body), flag::A_STANDS),
            (welds, flag::WELDS),
            (one_region, flag::ONE_REGION),
        ];
        let flags = bits.iter().filter(|(on, _)| *on).fold(0, |flags, (_, bit)| flags | bit);
        let test = self.test_of(pair);
        ContactHeader { body_a: a.body, body_b: b.body, flags, count: 0, test }
    }

    /// The test for two parts.
    pub(crate) fn test_of(&self, pair: Pair) -> Test {
        self.test_of_parts(pair, [pair.a, pair.b].map(|part| &self.shapes.proxies.rows[part as usize]))
    }

    /// The same of parts whose rows are known.
    #[inline(always)]
    pub(crate) fn test_of_parts(&self, pair: Pair, [a, b]: [&Proxy; 2]) -> Test {
        let corners = |proxy: u32| self.shapes.proxies.forms.count(self.shapes.proxies.form[proxy as usize]);
        if a.manner == Manner::Line && b.manner == Manner::Line {
            return Test::Any;
        }
        match (a.class, b.class) {
            (Class::Other, _) | (_, Class::Other) => Test::Any,
            (Class::Box, Class::Box) => Test::Boxes,
            (Class::Circle, Class::Circle) => Test::Circles,
            (Class::Circle, Class::Box | Class::Core) => Test::CircleCore,
            (Class::Box | Class::Core, Class::Circle) => Test::CoreCircle,
            (Class::Box | Class::Core, Class::Box | Class::Core) => {
                match corners(pair.a).max(corners(pair.b)) {
                    ..=2 => Test::Lines,
                    3..=4 => Test::Fours,
                    _ => Test::Eights,
                }
            }
        }
    }

    /// Ends a contact, with an event if it touched.
    pub(crate) fn end_contact(&mut self, contact: u32) {
        let link = self.contacts.link[contact as usize];
        if link.flags & flag::TOUCHING != 0 {
            self.dirty.colouring = true;
        }
        self.note_end(contact);
        self.forget_contact(contact);
    }

    /// Removes a contact without an event.
    pub(crate) fn forget_contact(&mut self, contact: u32) {
        self.count_cells(self.contacts.pair[contact as usize], false);
        self.contacts.remove(contact);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, BodyId, Shape, ShapeId, WorldDef};

    const NEVER: Filter = Filter { category: 1, mask: u64::MAX, group: -3 };
    /// Rejects itself by its mask.
    const DEBRIS: Filter = Filter { category: 2, mask: !2, group: 0 };
    /// Rejects itself by a group that does not fit into the grid.
    const FAR_GROUP: Filter = Filter { category: 1, mask: u64::MAX, group: i32::MIN };

    /// Four balls in one place, without gravity, each of a group that never touches.
    fn balls() -> (World, [BodyId; 4], [ShapeId; 4]) {
        let mut world = World::new(WorldDef { gravity: glam::Vec2::ZERO, ..WorldDef::default() });
        let ball =
            || BodyDef { can_sleep: false, ..BodyDef::dynamic().shape(Shape::circle(0.5)).filter(NEVER) };
        let balls = [0; 4].map(|_| world.add(ball()).expect("a ball"));
        let shapes = balls.map(|ball| world.shapes_of(ball).next().expect("a shape").0);
        (world, balls, shapes)
    }

    /// Steps a world, and a copy loaded from its snapshot; returns the number of pairs found, and
    /// the number of touching ones.
    fn counts(world: &mut World) -> (usize, usize) {
        let mut copy = World::default();
        let mut image = Vec::new();
        world.save_into(&mut image);
        copy.load(&image).expect("a snapshot");
        for world in [&mut *world, &mut copy] {
            world.step(1.0 / 60.0).expect("a step");
            assert_eq!(world.validate(), Ok(()));
        }
        assert_eq!(copy.hash(), world.hash());
        (world.stats().pairs, world.stats().contacts)
    }

    #[test]
    fn self_rejecting_filters_make_no_pairs() {
        let (mut world, balls, shapes) = balls();
        assert_eq!(counts(&mut world), (0, 0));
        world.set_filter(shapes[0], Filter::default()).expect("it is there");
        assert_eq!(counts(&mut world), (3, 3), "with the other three");
        world.set_filter(shapes[0], NEVER).expect("it is there");
        assert_eq!(counts(&mut world), (0, 0));
        // With a part that touches all, a body has a group of its own, and filters decide.
        let part = world.attach(balls[1], Shape::circle(0.4)).expect("a part");
        assert_eq!(counts(&mut world), (6, 3), "both parts with the other three");
        world.detach(part).expect("it is there");
        assert_eq!(counts(&mut world), (0, 0));
        world.set_enabled(balls[2], false).expect("it is there");
        world.set_filter(shapes[2], Filter::default()).expect("it is there");
        world.set_enabled(balls[2], true).expect("it is there");
        assert_eq!(counts(&mut world), (3, 3));
    }

    #[test]
    fn who_forbids_itself_by_its_mask_is_no_pair() {
        let (mut world, _, shapes) = balls();
        for (count, shape) in shapes.into_iter().enumerate() {
            world.set_filter(shape, DEBRIS).expect("it is there");
            // Balls with the filter touch those without it.
            let mixed = (count + 1) * (3 - count);
            assert_eq!(counts(&mut world), (mixed, mixed));
        }
        world.set_filter(shapes[0], FAR_GROUP).expect("it is there");
        world.set_filter(shapes[1], FAR_GROUP).expect("it is there");
        assert_eq!(
            counts(&mut world),
            (5, 4),
            "each of two with each of two; and a pair that its filters forbid"
        );
    }
}
