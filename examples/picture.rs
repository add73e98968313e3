//! Pictures of worlds: any scene that this repository plays, after any number of steps, with any
//! layers of debug drawing.
//!
//! What the file is called decides what it is: SVG, PNG, or an animation (APNG) with a frame every
//! so many steps. With `--every` a file that ends in .png is an animation too; for programs that do
//! not know the ending .apng. Without arguments it draws a small scene, with something of every
//! layer, to `out/picture.svg`.
//!
//! ```text
//! cargo run --release -p carom-examples --features full --example picture -- --list
//! cargo run --release -p carom-examples --features full --example picture -- tumbler --steps 400 --out out/tumbler.png
//! cargo run --release -p carom-examples --features full --example picture -- rain --steps 300 --view=-20,-1,20,12 --layers shapes,contacts --out out/rain.svg
//! cargo run --release -p carom-examples --features full --example picture -- golden/pyramid --steps 120 --every 4 --size 480 --out out/pyramid.png
//! ```

use carom::{Aabb, DrawOptions, World, vec2};
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use testkit::draw::camera::{self, Camera};
use testkit::draw::draw_png::{self, DrawPng, Frame};
use testkit::draw::draw_svg::DrawSvg;
use testkit::played::{self, Played};

/// Frames that an animation has at the most: each is kept in memory until all are drawn.
const MOST_FRAMES: usize = 2_000;

/// Hundredths of a second from frame to frame of an animation at the least; browsers show shorter
/// ones slower.
const SHORTEST: u32 = 2;

/// What is asked.
struct Args {
    scene: String,
    steps: u32,
    /// Steps from frame to frame, if it was said.
    every: Option<u32>,
    out: PathBuf,
    /// `None`: shapes, and joints where they are large enough to be told apart.
    layers: Option<DrawOptions>,
    view: Option<Aabb>,
    size: f32,
}

impl Args {
    fn every(&self) -> u32 {
        self.every.unwrap_or(4)
    }
}

/// What kind of file it is to be.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Svg,
    Png,
    Apng,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        println!("{}\nlayers: {}", played::names().join("\n"), DrawOptions::LAYERS.join(","));
        return Ok(());
    }
    let args = args(words)?;
    let form = form(&args)?;
    if let Some(folder) = args.out.parent() {
        fs::create_dir_all(folder)?;
    }
    match form {
        Form::Svg => {
            let played = play(&args, |_, _| Ok(()))?;
            let camera = Camera::new(played.world(), args.view, args.size);
            let mut page = DrawSvg::new(camera);
            played.world().draw(&mut page, &options(&camera, &args));
            page.finish().save(&args.out)?;
        }
        Form::Png => {
            let played = play(&args, |_, _| Ok(()))?;
            let camera = Camera::new(played.world(), args.view, args.size);
            save(&args, &[frame(played.world(), &camera, &args)?])?;
        }
        Form::Apng => save(&args, &animate(&args)?)?,
    }
    println!("{} after {} steps is left in {}", args.scene, args.steps, args.out.display());
    Ok(())
}

/// Plays a scene to its last step, and shows what there is every so many steps, the start included.
fn play(
    args: &Args,
    mut look: impl FnMut(&World, u32) -> Result<(), Box<dyn Error>>,
) -> Result<Played, Box<dyn Error>> {
    let mut played = Played::named(&args.scene)?;
    for step in 0..=args.steps {
        if step > 0 {
            played.step()?;
        }
        if step.is_multiple_of(args.every()) {
            look(played.world(), step)?;
        }
    }
    // Boxes of the grid are brought up to date: that is a layer too.
    played.world_mut().prepare_queries();
    Ok(played)
}

/// Plays twice: the first time to see how much has to be in view.
fn animate(args: &Args) -> Result<Vec<Frame>, Box<dyn Error>> {
    if (args.steps / args.every()) as usize >= MOST_FRAMES {
        return Err(format!("an animation has at most {MOST_FRAMES} frames; --every takes fewer").into());
    }
    let mut view = args.view;
    if view.is_none() {
        let mut origin = None;
        play(args, |world, _| {
            let origin = *origin.get_or_insert_with(|| camera::origin_of(world));
            let now = camera::around(world, origin);
            view = Some(view.map_or(now, |view| view.union(now)));
            Ok(())
        })?;
    }
    let mut frames = Vec::new();
    let mut camera = None;
    play(args, |world, _| {
        let camera = camera.get_or_insert_with(|| Camera::new(world, view, args.size));
        frames.push(frame(world, camera, args)?);
        Ok(())
    })?;
    Ok(frames)
}

fn options(camera: &Camera, args: &Args) -> DrawOptions {
    let usual = || DrawOptions { joints: camera.is_near(), ..DrawOptions::default() };
    camera.options(&args.layers.clone().unwrap_or_else(usual))
}

fn frame(world: &World, camera: &Camera, args: &Args) -> Result<Frame, Box<dyn Error>> {
    let mut canvas = DrawPng::new(*camera).ok_or("so large a picture does not fit into memory")?;
    world.draw(&mut canvas, &options(camera, args));
    Ok(canvas.finish())
}

fn save(args: &Args, frames: &[Frame]) -> Result<(), Box<dyn Error>> {
    let delay = (args.every() * 100).div_ceil(60).max(SHORTEST);
    let file = std::io::BufWriter::new(fs::File::create(&args.out)?);
    draw_png::write(frames, delay as u16, file)?;
    Ok(())
}

fn form(args: &Args) -> Result<Form, String> {
    match (args.out.extension().and_then(|ending| ending.to_str()), args.every) {
        (Some("svg"), None) => Ok(Form::Svg),
        (Some("svg"), Some(_)) => {
            Err("animations end in .png or .apng: --every does not go with .svg".into())
        }
        (Some("png"), None) => Ok(Form::Png),
        (Some("png"), Some(_)) | (Some("apng"), _) => Ok(Form::Apng),
        _ => Err(format!("{}: pictures end in .svg, .png or .apng", args.out.display())),
    }
}

fn args(words: Vec<String>) -> Result<Args, Box<dyn Error>> {
    let usual = DrawOptions { contacts: true, velocities: true, ..DrawOptions::default() };
    let mut args = Args {
        scene: "shapes".into(),
        steps: 70,
        every: None,
        out: "out/picture.svg".into(),
        layers: words.is_empty().then_some(usual),
        view: None,
        size: 900.0,
    };
    let mut words = words.iter().flat_map(|word| match word.split_once('=') {
        Some((name, value)) if name.starts_with("--") => vec![name.to_string(), value.to_string()],
        _ => vec![word.clone()],
    });
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} has a value"));
        match word.as_str() {
            "--steps" => args.steps = number(&word, &value()?)?,
            "--every" => args.every = Some(number::<core::num::NonZeroU32>(&word, &value()?)?.get()),
            "--out" => args.out = value()?.into(),
            "--layers" => args.layers = Some(layers(&value()?)?),
            "--view" => args.view = Some(view(&value()?)?),
            "--size" => args.size = number(&word, &value()?)?,
            name if !name.starts_with('-') => args.scene = name.into(),
            _ => {
                return Err(format!(
                    "{word}: known are a scene, --list, --steps, --every, --out, --layers, --view and --size"
                )
                .into());
            }
        }
    }
    if !(16.0..=8_192.0).contains(&args.size) {
        return Err("--size is the longer side in pixels, from 16 to 8192".into());
    }
    Ok(args)
}

fn number<N: core::str::FromStr>(name: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{name} is a number, and '{text}' is none that fits"))
}

fn layers(names: &str) -> Result<DrawOptions, String> {
    if names == "all" {
        return Ok(DrawOptions::all());
    }
    let mut layers = DrawOptions::none();
    for name in names.split(',') {
        let known =
            || format!("there is no layer '{name}'; there are all, {}", DrawOptions::LAYERS.join(", "));
        *layers.layer(name).ok_or_else(known)? = true;
    }
    Ok(layers)
}

fn view(text: &str) -> Result<Aabb, String> {
    let sides: Vec<f32> = text.split(',').filter_map(|side| side.parse().ok()).collect();
    let view = match sides[..] {
        [left, bottom, right, top] => Aabb { min: vec2(left, bottom), max: vec2(right, top) },
        _ => Aabb::EMPTY,
    };
    let size = view.size();
    if size.is_finite() && size.min_element() > 0.0 {
        Ok(view)
    } else {
        Err(format!("--view is left,bottom,right,top in metres, and '{text}' is not"))
    }
}
