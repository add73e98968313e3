//! What scenes on tiles share: a cell is a square metre, walls and pieces are bodies, so that the
//! page draws them.

use carom::prelude::*;
use carom::{Error, Filter};
use carom_nav::prelude::*;
use demo_shell::commands::Paint;
use demo_shell::{Commands, DT, hue};

/// The middle of a cell.
pub(crate) fn middle(cell: Cell) -> Vec2 {
    cell.as_vec2() + 0.5
}

/// The cell of a point.
pub(crate) fn cell_of(point: Vec2) -> Cell {
    point.floor().as_ivec2()
}

/// A square in a cell.
pub(crate) fn tile(out: &mut Commands, paint: impl Into<Paint>, cell: Cell) {
    strip(out, paint, cell, 1);
}

/// A rectangle over cells side by side.
pub(crate) fn strip(out: &mut Commands, paint: impl Into<Paint>, cell: Cell, count: i32) {
    let (low, high) = (cell.as_vec2() + 0.04, (cell + Cell::new(count, 1)).as_vec2() - 0.04);
    out.put_polygon(paint, true, 0.0, &[low, vec2(high.x, low.y), high, vec2(low.x, high.y)]);
}

/// Each run of cells in a row that something holds for, with its length.
pub(crate) fn runs(map: &Map, holds: impl Fn(Cell) -> bool, mut each: impl FnMut(Cell, i32)) {
    for y in 0..map.height() {
        let mut x = 0;
        while x < map.width() {
            let from = x;
            while x < map.width() && holds(Cell::new(x, y)) {
                x += 1;
            }
            if x > from {
                each(Cell::new(from, y), x - from);
            }
            x += 1;
        }
    }
}

/// A way from cell to cell.
pub(crate) fn line(out: &mut Commands, paint: impl Into<Paint> + Copy, cells: &[Cell]) {
    cells.windows(2).for_each(|two| out.put_line(paint, middle(two[0]), middle(two[1])));
}

/// Adds a piece: a disc that nothing touches.
pub(crate) fn piece(world: &mut World, cell: Cell, color: usize) -> Result<BodyId, Error> {
    let nothing = Filter { mask: 0, ..Filter::default() };
    let body = BodyDef::dynamic().at(middle(cell)).shape(Shape::circle(0.36)).filter(nothing).sleepless();
    world.add(hue(body, color))
}

/// Has a piece glide to a point in the next step, at most so many metres a second; whether it is
/// there then.
pub(crate) fn glide(world: &mut World, piece: BodyId, to: Vec2, speed: f32) -> Result<bool, Error> {
    let Some(at) = world.get(piece).map(|body| body.position()) else { return Ok(true) };
    let way = to - at;
    let velocity = (way / DT).clamp_length_max(speed);
    world.set_velocity(piece, velocity)?;
    Ok(way.length() <= speed * DT)
}
