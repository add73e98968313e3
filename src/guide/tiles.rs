//! Maps of square cells: floors, slopes, platforms that let through from below, doors that report.
//!
//! # A map
//!
//! [`Shape::tiles`](crate::Shape::tiles) takes the side of a cell, how many columns there are, and
//! the cells row by row, the lowest row first. Its origin is the lower left corner.
//!
//! ```
//! use carom::prelude::*;
//!
//! // From the top row down, as one draws it.
//! let rows = ["........", "....=...", "...../##", "########"];
//! let cell = |sign| match sign {
//!     '#' => TileCell::SOLID,
//!     '/' => TileKind::SlopeUp.into(),
//!     '=' => TileKind::OneWay.into(),
//!     _ => TileCell::EMPTY,
//! };
//! let cells: Vec<TileCell> = rows.iter().rev().flat_map(|row| row.chars().map(cell)).collect();
//!
//! let mut world = World::default();
//! let ground = world.add(BodyDef::fixed().shape(Shape::tiles(1.0, 8, &cells)))?;
//! let ball = BodyDef::dynamic().at([1.0, 1.4]).velocity([7.0, 0.0]).shape(Shape::circle(0.4));
//! let ball = world.add(ball)?;
//! for _ in 0..60 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!(world[ball].position().y > 1.9, "it goes up the slope: {:?}", world[ball].position());
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! [`TileKind`](crate::TileKind) has all kinds: full cells, four slopes, eight half slopes, one-way
//! cells and sensors. Cells side by side are one surface: bodies that slide or roll over them do
//! not catch at their edges (no ghost collisions). To move or turn a map, use
//! [`at`](crate::Shape::at) or [`transformed`](crate::Shape::transformed), or place its body; it
//! can be mirrored and scaled, too.
//!
//! # Materials
//!
//! Each cell has a number from 0 to 255.
//! [`ShapeDef::part_materials`](crate::ShapeDef::part_materials) lists the materials; a number
//! beyond the list has the shape's own.
//! [`World::set_part_material`](crate::World::set_part_material) changes all cells of a number.
//!
//! # Digging
//!
//! [`World::set_tile`](crate::World::set_tile) changes a cell. Bodies that rested on it wake, and
//! bodies inside a new cell are pushed out. The call takes some tens of nanoseconds if no body
//! touches the cell, whatever the size of the map.
//!
//! # Which cell
//!
//! Answers of rays, casts, overlaps and neighbours have the number of the cell as their `part`, and
//! so do the `parts` of a [`Contact`](crate::Contact). [`TileMap::place`](crate::TileMap::place)
//! converts it to column and row.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().shape(Shape::tiles(0.5, 10, &[TileCell::SOLID; 30])))?;
//! let pick = WorldRay::between([1.2, 4.0], [1.2, 0.0]);
//! let hit = world.ray(pick, &QueryFilter::default()).expect("the top row");
//! let Shape::Tiles(map) = world[hit.shape].shape() else { panic!("a map") };
//! let place = map.place(hit.part);
//! assert_eq!(place, [2, 2]);
//! world.set_tile(hit.shape, place, TileCell::EMPTY)?;
//! let below = world.ray(pick, &QueryFilter::default()).expect("the row below");
//! assert_eq!(below.point.position().y, 1.0);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # What it costs
//!
//! A map takes two bytes a cell. On a fixed body only cells under the boxes of awake bodies are
//! tested: a million cells cost a step nothing, and a body on a map costs as much as on boxes.
//! Snapshots name the map, as they do polar shapes, and hold the cells that have changed since it
//! was made; [`World::save_whole_into`](crate::World::save_whole_into) writes all, with runs of
//! equal cells as one. Cells that a body came near are also kept as boxes, 32 bytes each, until
//! they change.
//!
//! On a body that moves, each cell that is not empty is a part, as in a compound, at most 65,535 of
//! them, and `set_tile` makes all of them anew. Mass and inertia follow from the cells; sensor
//! cells weigh nothing.
//!
//! Cells more than 512 m from the centre of the map's body are in another region than the body, and
//! are then tested one by one: cut larger maps into several bodies, say of 256 by 256 cells.
//!
//! A sensor and a cell, or a sensor cell and a shape, are reported only if one of the two moves: a
//! fixed sensor does not report cells of a fixed map.
//!
//! `--example tiles` digs a pit and a tunnel into a hill.
