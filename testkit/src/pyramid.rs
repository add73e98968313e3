//! Where the stones of a pyramid stand.

use carom::{Vec2, vec2};

/// Row and middle of each stone of a pyramid, row by row, from left to right. Stones are 1 m high,
/// and `pitch` apart from middle to middle; the ground is y = 0, and the top stands over x = 0.
pub fn places(rows: usize, pitch: f32) -> impl Iterator<Item = (usize, Vec2)> {
    let place = move |row: usize, k: usize| {
        vec2((k as f32 - 0.5 * (rows - 1 - row) as f32) * pitch, 0.5 + row as f32)
    };
    (0..rows).flat_map(move |row| (0..rows - row).map(move |k| (row, place(row, k))))
}
