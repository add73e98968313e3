//! Tests of worlds as tiles and waypoints.

use carom::IVec2;
use carom::prelude::*;
use carom_nav::graph::{Graph, Waypoints};
use carom_nav::grid::{Map, Tiling};
use testkit::random::Random;

/// A world of random boxes and discs, in some region.
fn world_of(random: &mut Random, region: IVec2) -> World {
    let mut world = World::default();
    for _ in 0..30 {
        let place = Vec2::new(random.range(-12.0, 12.0), random.range(-12.0, 12.0));
        let (a, b) = (random.range(0.1, 3.0), random.range(0.1, 3.0));
        let shape = if random.bits().is_multiple_of(3) { Shape::circle(a) } else { Shape::rect(a, b) };
        let at = WorldPoint::new(region, place);
        let body = BodyDef::fixed().at(at).angle(random.range(0.0, 6.0));
        world.add(body.shape(shape)).expect("a body");
    }
    world
}

/// Each cell is tested by itself, and the map is the same in a region far away.
#[test]
fn rasters_are_as_asked_cell_by_cell() {
    let mut random = Random::new(31);
    for round in 0..if cfg!(debug_assertions) { 10 } else { 200 } {
        let mut twin = random.clone();
        let world = world_of(&mut random, IVec2::ZERO);
        let tiling = |region| Tiling {
            corner: WorldPoint::new(region, Vec2::splat(-13.0)),
            cell: 0.37,
            size: [71, 70],
        };
        let near = tiling(IVec2::ZERO);
        let map = Map::raster(&world, &near, &QueryFilter::default()).expect("a map");
        let mut found = Vec::new();
        for index in 0..map.cell_count() {
            let cell = map.cell_at(index);
            let square = Shape::rect(0.37 * (1.0 - 2.0 / 1024.0), 0.37 * (1.0 - 2.0 / 1024.0));
            world.overlap_shape(
                &PlacedShape::at(&square, near.center(cell)),
                &QueryFilter::default(),
                &mut found,
            );
            assert_eq!(map.is_free(cell), found.is_empty(), "round {round}, {cell}");
            assert_eq!(near.cell_at(near.center(cell)), cell);
        }
        let region = IVec2::new(1_000_000, -1_000_000);
        let far = Map::raster(&world_of(&mut twin, region), &tiling(region), &QueryFilter::default())
            .expect("a map");
        (0..70).for_each(|y| assert_eq!(map.row(y), far.row(y)));
    }
    let bad = Tiling { corner: WorldPoint::ORIGIN, cell: f32::NAN, size: [4, 4] };
    assert!(Map::raster(&World::default(), &bad, &QueryFilter::default()).is_err());
    let bad = Tiling { corner: WorldPoint::ORIGIN, cell: 1.0, size: [0, 4] };
    assert!(Map::raster(&World::default(), &bad, &QueryFilter::default()).is_err());
}

/// A gap that lets a ray through and no disc is no edge.
#[test]
fn waypoints_are_joined_by_shapes_and_not_by_rays() {
    let mut world = World::default();
    for y in [1.5, -1.5] {
        world.add(BodyDef::fixed().at([0.0, y]).shape(Shape::rect(0.2, 2.6))).expect("a wall");
    }
    let places = [[-1.0, 0.0], [1.0, 0.0]].map(WorldPoint::from);
    let edges = |radius: f32| {
        let graph = Waypoints::new(&world, &places, &Shape::circle(radius), 100.0, &QueryFilter::default())
            .expect("a graph");
        let mut count = 0;
        graph.each_edge(0, |to, length| {
            assert_eq!((to, length), (1, 2048));
            count += 1;
        });
        count
    };
    assert_eq!((edges(0.15), edges(0.25)), (1, 0));
}

/// A map of tiles and a box for each of its cells make the same raster; sensor cells make no walls.
#[test]
fn a_tile_map_is_rastered_as_its_cells_are() {
    let mut random = Random::new(7);
    let cells: Vec<TileCell> = (0..600)
        .map(|k| match random.below(4) {
            0 => TileCell::SOLID,
            1 if k % 3 == 0 => TileKind::Sensor.into(),
            _ => TileCell::EMPTY,
        })
        .collect();
    let (mut map, mut boxes) = (World::default(), World::default());
    map.add(BodyDef::fixed().at([-9.0, -5.0]).shape(Shape::tiles(0.5, 30, &cells))).expect("a map");
    for (k, _) in cells.iter().enumerate().filter(|(_, cell)| cell.kind == TileKind::Solid) {
        let at = [-8.75 + 0.5 * (k % 30) as f32, -4.75 + 0.5 * (k / 30) as f32];
        boxes.add(BodyDef::fixed().at(at).shape(Shape::rect(0.5, 0.5))).expect("a box");
    }
    let tiling = Tiling { corner: WorldPoint::from([-10.0, -6.0]), cell: 0.3, size: [60, 50] };
    let [of_map, of_boxes] =
        [&map, &boxes].map(|world| Map::raster(world, &tiling, &QueryFilter::default()).expect("a map"));
    let free = |map: &Map| (0..map.cell_count()).map(|k| map.is_free(map.cell_at(k))).collect::<Vec<_>>();
    assert_eq!(free(&of_map), free(&of_boxes));
    assert!(free(&of_map).iter().filter(|free| !*free).count() > 300);
}
