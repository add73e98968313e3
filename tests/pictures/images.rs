//! Pictures of worlds, as the example `picture` makes them: golden SVG text, and PNG files that say
//! what was drawn.
//!
//! Where a change is meant to change pictures, `cargo test -p carom-tests --test pictures --
//! --ignored` writes the golden ones anew: look at them.

use carom::prelude::*;
use carom::{DebugDraw, DrawOptions};
use testkit::draw::camera::Camera;
use testkit::draw::draw_png::{self, DrawPng, Frame};
use testkit::draw::draw_svg::DrawSvg;
use testkit::samples;

/// Steps after which most of what moves has met something.
const STEPS: usize = 70;

type Sample = fn() -> Result<World, Error>;

/// Golden pictures: name, world, layers. The layers of the grid and its boxes are not among them:
/// how boxes are sorted may change.
const GOLDEN: [(&str, Sample, &str); 2] = [
    ("shapes", samples::shapes, "shapes sleep circles joints centers velocities impulses contacts ids"),
    ("joints", samples::joints, "shapes sleep islands joints contacts"),
];

fn after(sample: Sample, steps: usize) -> World {
    let mut world = sample().expect("a world");
    for _ in 0..steps {
        world.step(1.0 / 60.0).expect("a step");
    }
    world
}

fn svg_of((_, sample, names): &(&str, Sample, &str)) -> String {
    let mut layers = DrawOptions::none();
    names.split(' ').for_each(|name| *layers.layer(name).expect(name) = true);
    let world = after(*sample, STEPS);
    let camera = Camera::new(&world, None, 900.0);
    let mut page = DrawSvg::new(camera);
    world.draw(&mut page, &camera.options(&layers));
    page.finish().page_text()
}

fn path_of(name: &str) -> String {
    format!("{}/golden/{name}.svg", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn svg_text_is_golden() {
    for golden in &GOLDEN {
        let (now, then) = (svg_of(golden), std::fs::read_to_string(path_of(golden.0)).expect(golden.0));
        let first = now.lines().zip(then.lines()).position(|(now, then)| now != then);
        assert!(now == then, "{}: another picture, from line {first:?} on", golden.0);
        assert!(now.len() < 40_000, "{}: {} bytes", golden.0, now.len());
    }
}

#[test]
#[ignore = "writes the golden pictures anew"]
fn write_golden_pictures() {
    for golden in &GOLDEN {
        std::fs::write(path_of(golden.0), svg_of(golden)).expect("a file");
    }
}

/// What a decoder makes of a file: colours of each frame, laid over those before.
fn decode(bytes: &[u8]) -> Vec<Vec<[u8; 3]>> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a header");
    let count = reader.info().animation_control().map_or(1, |control| control.num_frames);
    let mut buffer = vec![0; reader.output_buffer_size().expect("a size")];
    let mut frames: Vec<Vec<[u8; 3]>> = Vec::new();
    for _ in 0..count {
        reader.next_frame(&mut buffer).expect("a frame");
        let mut now = frames.last().cloned().unwrap_or_else(|| vec![[0; 3]; buffer.len() / 4]);
        for (color, pixel) in now.iter_mut().zip(buffer.as_chunks::<4>().0) {
            let [r, g, b, a] = *pixel;
            if a == 255 {
                *color = [r, g, b];
            }
        }
        frames.push(now);
    }
    frames
}

fn frames(count: usize) -> Vec<Frame> {
    let mut world = after(samples::shapes, 0);
    let view = Aabb::new([-8.0, -2.0], [8.0, 8.0]);
    let mut frames = Vec::new();
    for _ in 0..count {
        let camera = Camera::new(&world, Some(view), 160.0);
        let mut canvas = DrawPng::new(camera).expect("a canvas");
        world.draw(&mut canvas, &camera.options(&DrawOptions::default()));
        frames.push(canvas.finish());
        for _ in 0..10 {
            world.step(1.0 / 60.0).expect("a step");
        }
    }
    frames
}

#[test]
fn png_files_say_what_was_drawn() {
    for count in [1, 4] {
        let frames = frames(count);
        let mut bytes = Vec::new();
        draw_png::write(&frames, 10, &mut bytes).expect("a file");
        let decoded = decode(&bytes);
        assert_eq!(decoded.len(), count);
        for (frame, decoded) in frames.iter().zip(&decoded) {
            assert_eq!((frame.width, frame.height, frame.colors.len()), (160, 100, decoded.len()));
            let apart = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap_or(0);
            let farthest = frame.colors.iter().zip(decoded).map(apart).max();
            assert!(farthest <= Some(16), "256 colours are enough: {farthest:?} apart");
        }
        assert!(count == 1 || decoded[0] != decoded[3], "it moves");
    }
}

#[test]
fn pixels_and_text_show_the_same_places() {
    let mut world = World::default();
    let body = BodyDef::fixed().at([2.0, 3.0]);
    world.add(body.shape(Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.5))).expect("a body");
    let camera = Camera::new(&world, Some(Aabb::new([0.0, 0.0], [4.0, 4.0])), 80.0);
    let mut canvas = DrawPng::new(camera).expect("a canvas");
    world.draw(&mut canvas, &camera.options(&DrawOptions::default()));
    let frame = canvas.finish();
    let color = |x: f32, y: f32| {
        let at = camera.pixel(vec2(x, y));
        frame.colors[at.y as usize * frame.width as usize + at.x as usize]
    };
    let white = [255; 3];
    for (x, y) in [(2.0, 3.0), (2.9, 3.4), (0.7, 3.0), (3.3, 3.0)] {
        assert_ne!(color(x, y), white, "({x}, {y}) is inside");
    }
    for (x, y) in [(0.55, 3.45), (3.45, 2.55), (2.0, 2.3), (2.0, 1.0)] {
        assert_eq!(color(x, y), white, "({x}, {y}) is outside");
    }
    let mut page = DrawSvg::new(camera);
    page.solid_circle(vec2(1.0, 3.0), 0.5, Vec2::X, carom::Color::BLUE);
    let text = page.finish().page_text();
    assert!(text.contains(r#"<circle cx="20.00" cy="20.00" r="10.00"/>"#), "{text}");
    assert_eq!(text.matches("<g").count(), text.matches("</g>").count());
}
