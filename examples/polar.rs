//! Where the polar tests are right: ship B is put everywhere around ship A, and each answer is
//! compared with the truth.
//!
//! Above the radial sum d ≤ ρ_A(θ) + ρ_B(θ + π), below the classic d ≤ 2 ρ_A(θ), for three pairs of
//! shapes. Each cell is a place of B's centre; the line is the border of `polar::Table`, which is
//! exact. The separating axis test counts as the truth, and the table has to agree with it. Counts
//! are printed from a finer grid. Leaves `out/polar.svg`.

use carom::polar::{self, Table};
use carom::{PolarShape, Rot, Shape, Transform, Vec2, overlaps, vec2};
use std::error::Error;
use std::f32::consts::PI;
use testkit::draw::svg::{GREY, INK, Style, Svg};

/// Half of a panel's width and height, in metres.
const REACH: f32 = 2.5;
/// From panel to panel.
const STEP: Vec2 = Vec2::new(5.25, 5.95);
/// Places along a panel's side: in the picture, where a cell is 6 pixels wide, and for the counts.
const CELLS: usize = 50;
const FINE: usize = 400;

/// Two shapes, the second one turned, and a direction in which the picture shows it touching.
struct Pair {
    name: &'static str,
    a: PolarShape,
    b: PolarShape,
    turn: f32,
    shown: f32,
}

type Test = fn(&Pair, Vec2) -> bool;

/// What a test said, and whether it was right.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Apart,
    Hit,
    Miss,
    FalseHit,
}

fn main() -> Result<(), Box<dyn Error>> {
    let pairs = pairs()?;
    let tests: [(&str, Test); 2] = [("radial sum", radial_sum), ("classic", classic)];

    let low = vec2(-2.75, -STEP.y - 3.5);
    let mut page = Svg::new(low, vec2(2.0 * STEP.x + 2.75, 3.3), 60.0);
    for (row, &(test_name, test)) in tests.iter().enumerate() {
        for (column, pair) in pairs.iter().enumerate() {
            let title = report(pair, test_name, test)?;
            let by = vec2(column as f32, -(row as f32)) * STEP;
            page.shifted(by, |page| panel(page, pair, test_name, test, &title));
        }
    }
    legend(&mut page, low + vec2(0.25, 0.4));
    page.save("out/polar.svg")?;
    println!("picture: out/polar.svg");
    Ok(())
}

fn pairs() -> Result<[Pair; 3], carom::ShapeError> {
    let triangle = PolarShape::from_radii(&[1.0; 3])?.transformed(Transform::new([0.0, 0.0], PI / 2.0));
    let corners = [vec2(1.0, 0.0), vec2(-0.8, 0.7), vec2(-0.35, 0.0), vec2(-0.8, -0.7)];
    let (large, small) = (PolarShape::new(&corners)?, PolarShape::new(&corners.map(|p| p * 0.7))?);
    let (a, b) = (triangle.clone(), triangle.clone());
    Ok([
        Pair { name: "equal triangles", a, b, turn: 0.0, shown: 0.05 },
        Pair { name: "mirrored triangles", a: triangle.clone(), b: triangle, turn: PI, shown: 0.45 },
        Pair { name: "two ships", a: large, b: small, turn: 2.0, shown: 0.75 },
    ])
}

impl Pair {
    fn place(&self, offset: Vec2) -> Transform {
        Transform::new(offset, self.turn)
    }

    /// The separating axis test on the convex pieces.
    fn overlap(&self, offset: Vec2) -> bool {
        let (a, b) = (Shape::polar(self.a.vertices()), Shape::polar(self.b.vertices()));
        overlaps(&a, Transform::IDENTITY, &b, self.place(offset))
    }

    fn table(&self) -> Table {
        Table::new(&self.a, &self.b, Rot::from_angle(self.turn))
    }

    fn answer(&self, test: Test, offset: Vec2) -> Answer {
        match (self.overlap(offset), test(self, offset)) {
            (true, true) => Answer::Hit,
            (true, false) => Answer::Miss,
            (false, true) => Answer::FalseHit,
            (false, false) => Answer::Apart,
        }
    }
}

fn radial_sum(pair: &Pair, offset: Vec2) -> bool {
    polar::accept(&pair.a, Transform::IDENTITY, &pair.b, pair.place(offset))
}

fn classic(pair: &Pair, offset: Vec2) -> bool {
    offset.length() <= 2.0 * pair.a.rho(offset)
}

/// The middle of cell `k` of a grid over the panel.
fn cell(k: usize, cells: usize) -> f32 {
    REACH * (2.0 * (k as f32 + 0.5) / cells as f32 - 1.0)
}

/// Prints the counts over the fine grid, and gives their summary. The table may not differ from the
/// truth.
fn report(pair: &Pair, test_name: &str, test: Test) -> Result<String, Box<dyn Error>> {
    let table = pair.table();
    let (mut hits, mut misses, mut false_hits) = (0, 0, 0);
    for k in 0..FINE * FINE {
        let offset = vec2(cell(k % FINE, FINE), cell(k / FINE, FINE));
        if table.overlaps(offset) != pair.overlap(offset) {
            return Err(format!("{}: the table is wrong at {offset}", pair.name).into());
        }
        match pair.answer(test, offset) {
            Answer::Apart => {}
            Answer::Hit => hits += 1,
            Answer::Miss => misses += 1,
            Answer::FalseHit => false_hits += 1,
        }
    }
    let share = |part: usize, whole: usize| 100.0 * part as f32 / whole as f32;
    let (missed, wrong) = (share(misses, hits + misses), share(false_hits, hits + false_hits));
    println!(
        "{test_name:10}, {:18}: {:6} overlaps, {misses:6} missed ({missed:4.1} %), \
         {false_hits:5} false hits ({wrong:4.1} % of its hits); table: 0 wrong",
        pair.name,
        hits + misses,
    );
    Ok(format!("misses {missed:.0} %, false hits {wrong:.0} %"))
}

fn panel(page: &mut Svg, pair: &Pair, test_name: &str, test: Test, title: &str) {
    let frame = Vec2::splat(REACH);
    page.rect(-frame, frame, Style::flat("#f6f7f8"));
    for row in 0..CELLS {
        draw_row(page, pair, test, row);
    }
    let border: Vec<Vec2> = pair.table().border().collect();
    page.polygon(&border, Style { width: 2.0, ..Style::outline(INK) });

    page.polygon(pair.a.vertices(), Style { opacity: 0.85, ..Style::body("#5b6570") });
    let at = touching(&pair.table(), Rot::from_angle(pair.shown).x_axis());
    let b: Vec<Vec2> = pair.b.vertices().iter().map(|&v| pair.place(at).apply(v)).collect();
    page.polygon(&b, Style { fill: "#ffffff", opacity: 0.6, ..Style::body(INK) });
    page.line(Vec2::ZERO, at, Style { dash: 3.0, width: 1.0, ..Style::outline(INK) });
    page.dot(Vec2::ZERO, INK);
    page.dot(at, INK);

    let heading = format!("{test_name}, {}", pair.name);
    page.text(vec2(-REACH, REACH + 0.36), 15.0, &heading, Style::flat(INK));
    page.text(vec2(-REACH, REACH + 0.1), 13.0, title, Style::flat("#57606a"));
}

/// One row of cells: a rectangle for each stretch of equal answers.
fn draw_row(page: &mut Svg, pair: &Pair, test: Test, row: usize) {
    let half = REACH / CELLS as f32;
    let y = cell(row, CELLS);
    let answers: Vec<Answer> = (0..CELLS).map(|k| pair.answer(test, vec2(cell(k, CELLS), y))).collect();
    let mut start = 0;
    for stretch in answers.chunk_by(|p, q| p == q) {
        let (first, last) = (cell(start, CELLS), cell(start + stretch.len() - 1, CELLS));
        if let Some(color) = color(stretch[0]) {
            page.rect(vec2(first - half, y - half), vec2(last + half, y + half), Style::flat(color));
        }
        start += stretch.len();
    }
}

fn color(answer: Answer) -> Option<&'static str> {
    match answer {
        Answer::Apart => None,
        Answer::Hit => Some("#b9e3d3"),
        Answer::Miss => Some("#f3c56b"),
        Answer::FalseHit => Some("#dd7a66"),
    }
}

/// Where b's centre stands when the two just touch, along `direction`: bisection with the table.
fn touching(table: &Table, direction: Vec2) -> Vec2 {
    let (mut inside, mut outside) = (0.0, 2.0 * REACH);
    for _ in 0..24 {
        let middle = 0.5 * (inside + outside);
        if table.overlaps(direction * middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    direction * inside
}

fn legend(page: &mut Svg, at: Vec2) {
    let entries = [
        (Answer::Hit, "overlap, and the test says so"),
        (Answer::Miss, "overlap that the test misses"),
        (Answer::FalseHit, "false hit"),
    ];
    for (k, (answer, text)) in entries.into_iter().enumerate() {
        let corner = at + Vec2::X * (4.5 * k as f32);
        let style = Style::flat(color(answer).unwrap_or(GREY));
        page.rect(corner, corner + Vec2::splat(0.26), style);
        page.text(corner + vec2(0.4, 0.05), 14.0, text, Style::flat(INK));
    }
    let corner = at + Vec2::X * 11.3;
    page.line(
        corner + vec2(0.0, 0.13),
        corner + vec2(0.5, 0.13),
        Style { width: 2.0, ..Style::outline(INK) },
    );
    page.text(corner + vec2(0.62, 0.05), 14.0, "border of the table: exact", Style::flat(INK));
}
