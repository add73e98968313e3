//! polyanya on the same land, each free cell a polygon: its any-angle lengths are the least that a
//! point needs, so nothing over cells may be shorter.

use std::path::Path as File;

use carom_nav::prelude::*;
use glam::Vec2;
use polyanya::{Mesh, Polygon, Vertex};

use crate::{least, read};

/// Cells as squares that share corners.
fn mesh_of(map: &Map) -> Option<Mesh> {
    let (width, height) = (map.width(), map.height());
    let mut numbers = vec![u32::MAX; map.cell_count()];
    let mut free = 0;
    for (index, number) in numbers.iter_mut().enumerate() {
        if map.is_free(map.cell_at(index)) {
            *number = free;
            free += 1;
        }
    }
    let number = |x: i32, y: i32| map.index([x, y]).map_or(u32::MAX, |index| numbers[index]);
    let corner = |x: i32, y: i32| (y * (width + 1) + x) as u32;
    // Corners that no cell has are left out.
    let (mut places, mut vertices) = (vec![u32::MAX; ((width + 1) * (height + 1)) as usize], Vec::new());
    for y in 0..=height {
        for x in 0..=width {
            let around = [number(x, y), number(x - 1, y), number(x - 1, y - 1), number(x, y - 1)];
            if around.iter().any(|&cell| cell != u32::MAX) {
                places[corner(x, y) as usize] = vertices.len() as u32;
                let mut polygons = around.to_vec();
                polygons.dedup();
                vertices.push(Vertex::new(Vec2::new(x as f32, y as f32), polygons));
            }
        }
    }
    let cells = (0..map.cell_count()).map(|index| map.cell_at(index)).filter(|&cell| map.is_free(cell));
    let polygons = cells.map(|Cell { x, y }| {
        let corners = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
        Polygon::new(corners.map(|corner| places[corner as usize]).to_vec(), false)
    });
    let mut mesh = Mesh::new(vertices, polygons.collect()).ok()?;
    mesh.bake();
    Some(mesh)
}

pub(crate) fn run(folder: &File) {
    println!("## Any angle: polyanya on the same cells\n");
    println!(
        "Wrong: ways over cells, or pulled taut, that are shorter than any can be; and those that it does not find.\n"
    );
    println!(
        "| map | queries | polyanya, µs | JPS and taut, µs | JPS, × its length | taut, × its length | wrong | polyanya without a way |\n|---|---|---|---|---|---|---|---|"
    );
    for name in ["arena", "den312d", "arena2"] {
        let Some((map, scenarios)) = read(folder, name) else { continue };
        let Some(mesh) = mesh_of(&map) else { continue };
        let (mut search, mut path, mut corners) = (Search::default(), Path::default(), Vec::new());
        let (mut rival, mut ours, mut steps, mut taut) = (0.0, 0.0, 0.0, 0.0);
        let (mut queries, mut wrong, mut lost) = (0, 0, 0);
        for scenario in scenarios.iter().step_by(10).filter(|scenario| scenario.length > 0.0) {
            let middle = |cell: Cell| cell.as_vec2() + 0.5;
            let (micros, way) = least(2, || mesh.path(middle(scenario.start), middle(scenario.goal)));
            let Some(way) = way else {
                lost += 1;
                continue;
            };
            rival += micros;
            ours += least(2, || {
                _ = search.path(&map, Ask::new(scenario.start, scenario.goal), &mut path);
                map.taut(Rule::default(), &path, &mut corners);
            })
            .0;
            let pulled: f64 = corners.windows(2).map(|leg| (leg[1] - leg[0]).as_dvec2().length()).sum();
            let least = f64::from(way.length);
            wrong += usize::from(pulled < least * (1.0 - 1e-5) || scenario.length < pulled * (1.0 - 1e-5));
            (steps, taut, queries) = (steps + scenario.length / least, taut + pulled / least, queries + 1);
        }
        let each = |sum: f64| sum / f64::from(queries.max(1));
        println!(
            "| {name} | {queries} | {:.1} | {:.1} | {:.4} | {:.4} | {wrong} | {lost} |",
            each(rival),
            each(ours),
            each(steps),
            each(taut)
        );
    }
    println!();
}
