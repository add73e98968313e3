//! The sample maps, what is refused, and files that are damaged.

use std::io;
use std::path::{Path, PathBuf};

use carom::prelude::*;
use carom::{BodyKind, Bsp, Error, TileMap};
use carom_maps::{Fault, Map, MapError, Options, Value, ldtk, svg, tiled};
use testkit::random::Random;
use testkit::rounds;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(data(name)).expect("a sample map")
}

fn options() -> Options {
    Options::pixels_per_metre(16.0)
        .material("ice", Material::default().friction(0.03))
        .material("wood", Material::default().friction(0.5))
}

fn tile_map(map: &Map, name: &str) -> TileMap {
    let (_, body) = map.body(name).expect("a layer");
    match &body.def.shapes[0].shape {
        Shape::Tiles(map) => TileMap::clone(map),
        other => panic!("{name} is no map: {other:?}"),
    }
}

/// A map of Tiled with another text of the map, beside the same tileset.
fn tiled_of(text: &str) -> Result<Map, MapError> {
    tiled_with(text.as_bytes(), &std::fs::read(data("tiles.tsx")).expect("a tileset"))
}

fn tiled_with(map: &[u8], tileset: &[u8]) -> Result<Map, MapError> {
    let files = |path: &Path| match path.extension().and_then(|end| end.to_str()) {
        Some("tmx") => Ok(map.to_vec()),
        Some("tsx") => Ok(tileset.to_vec()),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "there is no such file")),
    };
    tiled::load_with("maps/harbour.tmx", &files, &options())
}

fn ldtk_of(text: &[u8]) -> Result<Map, MapError> {
    ldtk::load_with("maps/cellar.ldtk", &|_| Ok(text.to_vec()), &options())
}

/// Where a cell of the editor (x to the right, y down) is in a tile map of this height.
fn cell(map: &TileMap, x: u32, y: u32) -> TileCell {
    map.cell_at([x, map.size()[1] - 1 - y]).expect("within the map")
}

#[test]
fn the_map_of_tiled_is_what_was_drawn() {
    let map = tiled::load(data("harbour.tmx"), &options()).expect("the sample");
    assert_eq!(map.size, vec2(48.0, 20.0));
    let tiles = tile_map(&map, "ground");
    assert_eq!((tiles.size(), tiles.side()), ([48, 20], 1.0));
    // Left wall, slopes, half slopes, water, one way, ice with its number, and tiles that are
    // flipped: a ramp that falls looks like one that rises, and one on its head is a ceiling.
    let expected = [
        ([0, 0], TileKind::Solid, 0),
        ([8, 16], TileKind::SlopeUp, 0),
        ([15, 14], TileKind::HalfDownHigh, 0),
        ([16, 14], TileKind::HalfDownLow, 0),
        ([23, 17], TileKind::Sensor, 0),
        ([30, 13], TileKind::OneWay, 0),
        ([33, 16], TileKind::SlopeUp, 1),
        ([34, 16], TileKind::Solid, 1),
        ([40, 16], TileKind::SlopeDown, 1),
        ([11, 7], TileKind::CeilingUp, 0),
        ([14, 7], TileKind::CeilingDown, 0),
        ([21, 16], TileKind::Empty, 0),
    ];
    for ([x, y], kind, material) in expected {
        assert_eq!(cell(&tiles, x, y), TileCell::new(kind, material), "({x}, {y})");
    }
    let ground = &map.body("ground").expect("it is there").1.def;
    assert_eq!((ground.kind, ground.position.position()), (BodyKind::Fixed, Vec2::ZERO));
    assert_eq!(ground.shapes[0].part_materials[1].kinetic_friction, 0.03);
    // Plants do not collide.
    assert!(map.body("plants").is_none());

    // 64 pixels to the right, 260 down of 320.
    assert_eq!(map.point("player").map(|point| point.at), Some(vec2(4.0, 3.75)));
    assert_eq!(map.point("spawn").map(|point| point.tags.name.as_str()), Some("player"));
    let of = |name: &str| &map.body(name).expect("it is there").1.def;
    let goal = map.body("goal").expect("it is there").1;
    assert!(goal.def.shapes[0].sensor && goal.tags.properties["next"] == Value::Text("cellar".into()));
    assert_eq!((of("crate 0").kind, of("lift").kind), (BodyKind::Dynamic, BodyKind::Kinematic));
    assert_eq!(of("crate 0").shapes[0].material.kinetic_friction, 0.5);
    assert!(matches!(of("barrel").shapes[0].shape, Shape::Circle(_)));
    assert!(matches!(of("egg").shapes[0].shape, Shape::Polar(_)));
    assert!(matches!(of("log").shapes[0].shape, Shape::Capsule(_)));
    assert!(matches!(of("rock").shapes[0].shape, Shape::Polygon(_)));
    assert!(matches!(of("star").shapes[0].shape, Shape::Polar(_)));
    assert!(matches!(of("rope").shapes[0].shape, Shape::Chain(_)));
    // Turned by 10 degrees against the clock.
    assert!((of("log").angle - 10.0_f32.to_radians()).abs() < 1.0e-6);
    assert!(map.body("sign").is_none(), "texts are no bodies");
}

/// An egg of 1.5 m by 1 m, within a centimetre: its area is that of the ellipse up to 1 %.
#[test]
fn ellipses_are_within_the_tolerance() {
    let map = tiled::load(data("harbour.tmx"), &options()).expect("the sample");
    let egg = &map.body("egg").expect("it is there").1.def.shapes[0].shape;
    let area = core::f32::consts::PI * 0.75 * 0.5;
    let is = egg.mass(1.0);
    assert!(is.mass <= area * 1.0001 && is.mass > area * 0.98, "{} of {area}", is.mass);
    // From its upper left corner to its middle: right and down.
    assert!((is.center - vec2(0.75, -0.5)).length() < 1.0e-3, "{}", is.center);
}

/// A crate that was drawn in the air falls on the hill that was drawn below it, and what was drawn
/// on ice slides farther.
#[test]
fn bodies_fall_on_tiles() {
    let map = tiled::load(data("harbour.tmx"), &options()).expect("the sample");
    let mut world = World::default();
    let ids = map.add_to(&mut world).expect("room");
    assert_eq!(ids.len(), map.bodies.len());
    for _ in 0..600 {
        world.step(1.0 / 60.0).expect("a step");
    }
    world.validate().expect("a valid world");
    let at = |name: &str| world[ids[map.body(name).expect("it is there").0]].position();
    // On the hill, whose top is 6 m above the lower border. Objects stand at their upper left.
    assert!((at("crate 0").y - 7.0).abs() < 0.05, "{}", at("crate 0"));
    // 4 m of open space above the middle of the map: all that was drawn is still within.
    for name in ["crate 1", "barrel", "egg", "log", "rock", "star"] {
        let place = at(name);
        assert!(place.x > 1.0 && place.x < 47.0 && place.y > 0.9 && place.y < 20.0, "{name} at {place}");
    }
}

#[test]
fn the_project_of_ldtk_is_what_was_drawn() {
    let map = ldtk::load(data("cellar.ldtk"), &options()).expect("the sample");
    // Two levels of 32 × 16 cells of a metre, side by side.
    assert_eq!(map.size, vec2(64.0, 16.0));
    let layers: Vec<_> = map.bodies.iter().filter(|body| body.tags.name == "Ground").collect();
    assert_eq!(layers.iter().map(|body| body.tags.class.as_str()).collect::<Vec<_>>(), ["Stairs", "Pool"]);
    assert_eq!(layers[1].def.position.position(), vec2(32.0, 0.0));
    let stairs = tile_map(&map, "Ground");
    let expected = [
        ([6, 14], TileKind::SlopeUp, 0),
        ([14, 11], TileKind::SlopeDown, 0),
        ([20, 10], TileKind::OneWay, 0),
        ([26, 14], TileKind::Solid, 1),
        ([31, 13], TileKind::Empty, 0),
    ];
    for ([x, y], kind, material) in expected {
        assert_eq!(cell(&stairs, x, y), TileCell::new(kind, material), "({x}, {y})");
    }
    let player = map.point("Player").expect("a point");
    assert_eq!((player.at, player.tags.name.as_str()), (vec2(2.5, 1.5), ""));
    let barrel = &map.body("barrel").expect("it is there").1.def;
    // At its pivot, the middle of its lower side, in the second level.
    assert_eq!(barrel.position.position(), vec2(32.0 + 25.0, 1.5));
    assert_eq!(barrel.shapes[0].shape, Shape::circle(0.5).at([0.0, 0.5]));
    assert!(map.body("goal").expect("it is there").1.def.shapes[0].sensor);
    let mut world = World::default();
    map.add_to(&mut world).expect("room");
    for _ in 0..300 {
        world.step(1.0 / 60.0).expect("a step");
    }
    world.validate().expect("a valid world");
}

/// Levels in files of their own are read too, and what is wrong in them is said with their name.
#[test]
fn levels_in_their_own_files_are_read() {
    let mut project: serde_json::Value = serde_json::from_str(&text("cellar.ldtk")).expect("JSON");
    project["externalLevels"] = true.into();
    let mut level = project["levels"][1].clone();
    project["levels"][1]["layerInstances"] = serde_json::Value::Null;
    project["levels"][1]["externalRelPath"] = "cellar/Pool.ldtkl".into();
    level["externalRelPath"] = "cellar/Pool.ldtkl".into();
    let read = |level: &serde_json::Value| {
        let files = |path: &Path| match path.to_str() {
            Some("maps/cellar.ldtk") => Ok(project.to_string().into_bytes()),
            Some("maps/cellar/Pool.ldtkl") => Ok(level.to_string().into_bytes()),
            _ => Err(io::Error::new(io::ErrorKind::NotFound, "there is no such file")),
        };
        ldtk::load_with("maps/cellar.ldtk", &files, &options())
    };
    let map = read(&level).expect("two levels");
    assert_eq!(map, ldtk::load(data("cellar.ldtk"), &options()).expect("the sample"));
    level["layerInstances"][1]["intGridCsv"][40] = 9.into();
    let error = read(&level).expect_err("there is no value 9");
    assert_eq!(error.file, Path::new("maps/cellar/Pool.ldtkl"));
    assert_eq!(error.place, "level \"Pool\", layer \"Ground\", cell (8, 1)");
    level["layerInstances"] = 3.into();
    assert!(matches!(read(&level).expect_err("no list").fault, Fault::Format(_)));
}

#[test]
fn errors_say_where() {
    let missing = tiled::load("no/such.tmx", &options()).expect_err("no file");
    assert!(matches!(missing.fault, Fault::File(_)) && missing.file == Path::new("no/such.tmx"));
    assert!(matches!(ldtk::load("no/such.ldtk", &options()).expect_err("no file").fault, Fault::File(_)));
    let harbour = text("harbour.tmx");
    let broken = |from: &str, to: &str| {
        assert!(harbour.contains(from), "{from}");
        tiled_of(&harbour.replacen(from, to, 1)).expect_err("it is broken")
    };
    let error = broken("value=\"dynamic\"", "value=\"liquid\"");
    assert_eq!(error.place, "layer \"things\", object 3 \"crate 0\"");
    assert!(matches!(error.fault, Fault::Property { ref name, .. } if name == "body"));
    let error = broken("value=\"wood\"", "value=\"cheese\"");
    assert_eq!(error.fault, Fault::UnknownMaterial("cheese".into()));
    let error = broken("width=\"16\" height=\"16\">", "width=\"-16\" height=\"16\">");
    assert!(matches!(error.fault, Fault::Body(Error::Shape(_))), "{error}");
    let error = broken("orientation=\"orthogonal\"", "orientation=\"hexagonal\"");
    assert!(matches!(error.fault, Fault::Unsupported(_)), "{error}");
    let error = broken("<map version", "<mop version");
    assert!(matches!(error.fault, Fault::Format(_)), "{error}");
    let error = broken("source=\"tiles.tsx\"", "source=\"towels.png\"");
    assert!(matches!(error.fault, Fault::File(_)), "{error}");
    // A half slope, on its side: the tile 8 of the fifteenth row, with the flag of the diagonal.
    let error = broken("8,9,", &format!("{},9,", 8_u32 | 0x2000_0000));
    assert!(error.place.starts_with("layer \"ground\", cell (15, 14)"), "{error}");

    let tileset = text("tiles.tsx").replace("slope_up\"", "slope_sideways\"");
    let error = tiled_with(harbour.as_bytes(), tileset.as_bytes()).expect_err("no such kind");
    assert_eq!(error.fault, Fault::UnknownKind("slope_sideways".into()));
    assert_eq!(error.place, "layer \"ground\", cell (8, 16)");
    assert!(
        error.to_string().starts_with("maps/harbour.tmx: layer \"ground\", cell (8, 16): \"slope_sideways\"")
    );

    let cellar = text("cellar.ldtk");
    let error = ldtk_of(cellar.replace("\"solid_ice\"", "\"solid_fire\"").as_bytes()).expect_err("no fire");
    assert_eq!(error.fault, Fault::UnknownMaterial("fire".into()));
    assert!(error.place.ends_with("layer \"Ground\", value 8"), "{error}");
    let error = ldtk_of(cellar.replacen("\"dynamic\"", "7", 1).as_bytes()).expect_err("7 is no kind");
    assert!(error.place.contains("entity \"Crate\""), "{error}");
    let error = ldtk_of(cellar.replacen("\"defs\"", "\"depths\"", 1).as_bytes()).expect_err("no definitions");
    assert!(matches!(error.fault, Fault::Format(_)) && error.place.starts_with("line "), "{error}");
    for options in [Options::pixels_per_metre(0.0), Options::pixels_per_metre(f32::NAN)] {
        assert!(tiled::load(data("harbour.tmx"), &options).is_err());
        assert!(ldtk::load(data("cellar.ldtk"), &options).is_err());
        assert!(svg::paths("M 0 0 h 1", &options).is_err());
    }
}

/// An infinite map: chunks, some left of the origin and above it.
#[test]
fn infinite_maps_are_read() {
    let row = |first: &str| format!("{first}{}\n", ",0".repeat(15));
    let chunk = |x: i32, y: i32, first: &str| {
        let rows: Vec<String> = (0..16).map(|k| row(if k == 0 { first } else { "0" })).collect();
        format!("<chunk x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\">\n{}</chunk>", rows.join(","))
    };
    let map = format!(
        r#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="16" height="16"
        tilewidth="16" tileheight="16" infinite="1"><tileset firstgid="1" source="tiles.tsx"/>
        <layer id="1" name="ground" width="16" height="16"><data encoding="csv">{}{}</data></layer></map>"#,
        chunk(-16, -16, "2"),
        chunk(0, 0, "1"),
    );
    let map = tiled_of(&map).expect("an infinite map");
    let tiles = tile_map(&map, "ground");
    assert_eq!(tiles.size(), [32, 32]);
    assert_eq!((cell(&tiles, 0, 0).kind, cell(&tiles, 16, 16).kind), (TileKind::SlopeUp, TileKind::Solid));
    // The lower left corner of the lower left chunk: 16 tiles left of and below y = 0.
    assert_eq!(map.body("ground").expect("it is there").1.def.position.position(), vec2(-16.0, 0.0));
}

/// Bytes changed, cut off, doubled and exchanged, in map and tileset: an error or a map that a
/// world takes, but no panic. Of 4,000 files of either kind.
#[test]
fn damaged_files_are_refused_or_maps() {
    let originals = [text("harbour.tmx"), text("tiles.tsx"), text("cellar.ldtk")].map(String::into_bytes);
    let mut random = Random::new(3);
    let (mut read, mut refused) = ([0; 3], [0; 3]);
    for round in 0..rounds(1_500, 12_000) {
        let which = round % 3;
        let bytes = damaged(&mut random, &originals[which]);
        let map = match which {
            0 => tiled_with(&bytes, &originals[1]),
            1 => tiled_with(&originals[0], &bytes),
            _ => ldtk_of(&bytes),
        };
        match map {
            Ok(map) => {
                read[which] += 1;
                map.add_to(&mut World::default()).expect("every body keeps the rules");
            }
            Err(error) => {
                refused[which] += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    println!("map, tileset, project: {read:?} were maps, {refused:?} were refused");
    assert!(read.iter().chain(&refused).all(|&count| count > 0));
}

fn damaged(random: &mut Random, original: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.bits() as u8,
            1 => bytes[at] = random.one(b"0123456789-.,<>/\"=[]{}&;"),
            2 => bytes.truncate(at.max(1)),
            3 => {
                let end = bytes.len().min(at + random.below(60));
                bytes.drain(at..end);
                if bytes.is_empty() {
                    bytes.push(b'<');
                }
            }
            // Digits that make large numbers.
            4 if bytes[at].is_ascii_digit() => {
                let digits = vec![b'9'; 1 + random.below(18)];
                bytes.splice(at..at, digits);
            }
            _ => {
                let piece: Vec<u8> = bytes[at..bytes.len().min(at + 40)].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
    bytes
}

/// Each file cut off at 500 places.
#[test]
fn cut_files_are_refused() {
    for name in ["harbour.tmx", "tiles.tsx", "cellar.ldtk"] {
        let bytes = text(name).into_bytes();
        let whole = text("harbour.tmx").into_bytes();
        let places = rounds(50, 500);
        let last = bytes.iter().rposition(|&byte| byte == b'>' || byte == b'}').expect("an end");
        for k in 0..places {
            let cut = &bytes[..k * last / places];
            let map = match name {
                "harbour.tmx" => tiled_with(cut, &std::fs::read(data("tiles.tsx")).expect("a tileset")),
                "tiles.tsx" => tiled_with(&whole, cut),
                _ => ldtk_of(cut),
            };
            assert!(map.is_err(), "{name} up to byte {}", cut.len());
        }
    }
}

/// Groups within groups, ten thousand deep, would overflow a stack that descends into them.
#[test]
fn deep_files_are_refused() {
    let deep = "<group id=\"9\">".repeat(10_000);
    let map = text("harbour.tmx").replacen("<group id=\"2\" name=\"level\">", &deep, 1);
    assert!(matches!(tiled_of(&map).expect_err("too deep").fault, Fault::File(_)));
    let fields = format!("\"levels\": {}", "[".repeat(10_000));
    assert!(ldtk_of(text("cellar.ldtk").replacen("\"levels\":", &fields, 1).as_bytes()).is_err());
}

/// A disc of 2 m as a path of four arcs: no point of the chain is off the circle, and no middle of
/// a line farther inside than the tolerance.
#[test]
fn curves_are_cut_within_the_tolerance() {
    let disc = "M 20 0 A 20 20 0 0 1 0 20 A 20 20 0 0 1 -20 0 A 20 20 0 0 1 0 -20 A 20 20 0 0 1 20 0 Z";
    for tolerance in [0.1, 0.01, 0.001] {
        let options = Options::pixels_per_metre(10.0).tolerance(tolerance);
        let paths = svg::paths(disc, &options).expect("a disc");
        let [path] = &paths[..] else { panic!("one path, not {}", paths.len()) };
        assert!(path.closed && path.area().abs() > 0.9 * 12.566);
        let mut deepest = 0.0_f32;
        for (k, &a) in path.points.iter().enumerate() {
            let b = path.points[(k + 1) % path.points.len()];
            // Arcs become cubic curves, which are off by 3e-4 of the radius at most.
            assert!((a.length() - 2.0).abs() < 6.0e-4 + tolerance, "{a}");
            let inside = 2.0 - a.midpoint(b).length();
            deepest = if inside > deepest { inside } else { deepest };
        }
        println!("{tolerance} m: {} points, {deepest} m inside", path.points.len());
        assert!(deepest <= tolerance + 6.0e-4, "{deepest}");
    }
}

#[test]
fn paths_are_open_or_closed_and_stand_upright() {
    let options = Options::pixels_per_metre(1.0);
    let paths = svg::paths("M0 0 h4 v-3 h-4 z m 10 0 l 1 -1 2 0 M 5 5 M 7 7 h0", &options).expect("paths");
    assert_eq!(paths.len(), 2, "moves alone, and lines of no length, are nothing");
    assert_eq!(paths[0].points, [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 3.0), vec2(0.0, 3.0)]);
    assert!(paths[0].closed && !paths[1].closed);
    // Clockwise on a page whose y points down the other way round is counter-clockwise here.
    assert_eq!((paths[0].area(), paths[0].clone().reversed().area()), (12.0, -12.0));
    assert_eq!(paths[1].points, [vec2(10.0, 0.0), vec2(11.0, 1.0), vec2(13.0, 1.0)]);
    let mut world = World::default();
    world.add(BodyDef::fixed().shape(paths[1].chain())).expect("a chain");
    let level = Bsp::from_outlines(&[&paths[0].points]).expect("an outline");
    assert!(level.is_solid([2.0, 1.0]) && !level.is_solid([5.0, 1.0]));
}

#[test]
fn paths_that_are_none_are_refused() {
    let options = Options::pixels_per_metre(10.0);
    for text in ["0 0 h 1", "M 0 0 q 1", "M 0 0 h 1e39", "M 0 0 l 1e300 1", "M nan 0 h 1", "M 0 0 x 3"] {
        let error = svg::paths(text, &options);
        assert!(error.is_err(), "{text}: {error:?}");
    }
    assert_eq!(svg::paths("", &options), Ok(Vec::new()));
    let fine = Options::pixels_per_metre(1.0e-6).tolerance(1.0e-6);
    assert!(svg::paths("M 0 0 c 1 2 3 4 5 6 q 3 3 99 2", &fine).is_err(), "a million points");
}

/// 20,000 texts of commands and numbers at random: an error, or chains that a world takes.
#[test]
fn random_paths_are_refused_or_chains() {
    let mut random = Random::new(4);
    let (options, mut read) = (Options::pixels_per_metre(10.0), 0);
    for _ in 0..rounds(1_000, 20_000) {
        let mut text = String::from("M 0 0 ");
        for _ in 0..random.below(12) {
            match random.below(3) {
                0 => text.push(random.one(b"MmLlHhVvCcSsQqTtAaZz") as char),
                1 => text += &format!("{} ", random.range(-99.0, 99.0)),
                _ => text += random.one(&["0 ", "1 ", "-3 ", "1e9 ", "1e-9 ", ", ", "1 1 0 0 1 5 5 "]),
            }
        }
        let Ok(paths) = svg::paths(&text, &options) else { continue };
        read += paths.len();
        for path in paths {
            World::default().add(BodyDef::fixed().shape(path.chain())).expect("a chain");
        }
    }
    println!("{read} paths");
    assert!(read > rounds(20, 1_000));
}

/// A horseshoe that moves: neither convex nor seen whole from any place.
#[test]
fn concave_outlines_of_bodies_that_move_become_parts() {
    let harbour = text("harbour.tmx");
    let crate_ = harbour.find("value=\"dynamic\"").expect("a crate");
    let begin = harbour[..crate_].rfind("<object ").expect("its object");
    let end = begin + harbour[begin..].find("</object>").expect("its end");
    let horseshoe = "<polygon points=\"0,0 64,0 64,64 48,64 48,16 16,16 16,64 0,64\"/>";
    let mut changed = harbour.clone();
    changed.insert_str(end, horseshoe);
    let head = begin + changed[begin..].find('>').expect("its head");
    let sizeless = changed[begin..head].replace("width=", "data-w=").replace("height=", "data-h=");
    changed.replace_range(begin..head, &sizeless);
    let map = tiled_of(&changed).expect("it is read");
    let parts = map.bodies.iter().find_map(|body| match body.def.shapes.first().map(|it| &it.shape) {
        Some(Shape::Compound(compound)) => Some(compound.parts().len()),
        _ => None,
    });
    assert_eq!(parts, Some(3), "two legs and what joins them");
}
