//! Maps of Tiled: `.tmx` with `.tsx` tilesets, embedded ones and templates.
//!
//! In: a file and those that it names. Out: a [`Map`]. Orthogonal maps, finite and infinite; tile
//! data as CSV, or base64 plain or by zlib or gzip. (Zstandard would bring a C library.)

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use carom::{TileCell, TileKind, Vec2, vec2};
use tiled::{
    Layer, LayerTile, LayerType, Loader, ObjectLayer, ObjectShape, Orientation, PropertyValue, TileLayer,
};

use crate::kinds::{Flips, Numbers, flipped, kind_of};
use crate::objects::{Outline, Place, Value, body, collides, material_name};
use crate::{Fault, Map, MapBody, MapError, MapPoint, Options, Tags};

/// Tiles along an axis of a map: more are no map that a person drew.
const MOST_TILES: i64 = 1 << 15;

/// Tiles of a tileset.
const MOST_OF_SET: u64 = 1 << 20;

/// How deep groups of layers may lie in each other.
const MOST_GROUPS: usize = 64;

/// Reads a map from a file.
///
/// # Errors
/// A file that is missing, damaged or says what carom cannot have, and where.
pub fn load(path: impl AsRef<Path>, options: &Options) -> Result<Map, MapError> {
    load_with(path, &|path| fs::read(path), options)
}

/// Reads a map, asking a function for files: out of an archive, or from a server.
///
/// # Errors
/// As [`load`].
pub fn load_with(
    path: impl AsRef<Path>,
    files: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
    options: &Options,
) -> Result<Map, MapError> {
    let path = path.as_ref();
    let fault = |fault| MapError::new(path, "", fault);
    let open = |path: &Path| -> io::Result<Cursor<Vec<u8>>> {
        let bytes = files(path)?;
        refuse_deep(&bytes)?;
        refuse_many(&bytes)?;
        Ok(Cursor::new(bytes))
    };
    // The reader is not ours, and may not have been given what no editor writes.
    let map = catch_unwind(AssertUnwindSafe(|| Loader::with_reader(open).load_tmx_map(path)));
    let map = match map {
        Ok(Ok(map)) => map,
        Ok(Err(tiled::Error::ResourceLoadingError { path, err })) => {
            return Err(MapError::new(path, "", Fault::File(err.to_string())));
        }
        Ok(Err(error)) => return Err(fault(Fault::Format(error.to_string()))),
        Err(_) => return Err(fault(Fault::Format("its reader gave up".to_owned()))),
    };
    Reading::new(&map, path, options)?.read(&map)
}

/// Elements within elements beyond what any editor writes would overflow the reader's stack.
fn refuse_deep(bytes: &[u8]) -> io::Result<()> {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'<') {
        match bytes.get(at + 1) {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'?' | b'!') | None => {}
            Some(_) => {
                let end = bytes[at..].iter().position(|&byte| byte == b'>').unwrap_or(0);
                let closes_itself = end > 0 && bytes[at + end - 1] == b'/';
                depth += usize::from(!closes_itself);
                deepest = deepest.max(depth);
            }
        }
    }
    if deepest <= MOST_GROUPS { Ok(()) } else { Err(io::Error::other("elements lie too deep in each other")) }
}

/// Room for all tiles of a set is made before any is read.
fn refuse_many(bytes: &[u8]) -> io::Result<()> {
    let text = String::from_utf8_lossy(bytes);
    for said in text.split("tilecount").skip(1) {
        let number = said.trim_start_matches(|c: char| c.is_whitespace() || "=\"'".contains(c));
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        if number[..digits].parse::<u64>().map_or(digits > 0, |count| count > MOST_OF_SET) {
            return Err(io::Error::other("a set has at most 1,048,576 tiles"));
        }
    }
    Ok(())
}

/// What is read for, and what is known of the map.
struct Reading<'a> {
    path: &'a Path,
    options: &'a Options,
    numbers: Numbers<'a>,
    /// Metres of a pixel.
    metres: f32,
    /// Lower left corner, in pixels, y down.
    corner: Vec2,
    out: Map,
}

impl<'a> Reading<'a> {
    fn new(map: &tiled::Map, path: &'a Path, options: &'a Options) -> Result<Reading<'a>, MapError> {
        let fault = |fault| MapError::new(path, "map", fault);
        if map.orientation != Orientation::Orthogonal {
            return Err(fault(Fault::Unsupported("only orthogonal maps are read")));
        }
        if map.tile_width != map.tile_height || map.tile_width == 0 {
            return Err(fault(Fault::Unsupported("tiles must be square")));
        }
        if i64::from(map.width) > MOST_TILES || i64::from(map.height) > MOST_TILES {
            return Err(fault(Fault::Unsupported("a map has at most 32,768 tiles along an axis")));
        }
        if !(options.pixels_per_metre > 0.0 && options.pixels_per_metre.is_finite()) {
            return Err(fault(Fault::Unsupported("pixels to a metre must be above 0")));
        }
        let size = vec2(map.width as f32, map.height as f32) * map.tile_width as f32;
        let metres = 1.0 / options.pixels_per_metre;
        Ok(Reading {
            path,
            options,
            numbers: Numbers::new(options).map_err(fault)?,
            metres,
            corner: vec2(0.0, size.y),
            out: Map { size: size * metres, ..Map::default() },
        })
    }

    fn read(mut self, map: &tiled::Map) -> Result<Map, MapError> {
        self.layers(map.layers(), Vec2::ZERO, map.tile_width)?;
        Ok(self.out)
    }

    fn error(&self, place: String, fault: Fault) -> MapError {
        MapError::new(self.path, place, fault)
    }

    /// In metres, y up.
    fn point(&self, x: f32, y: f32) -> Vec2 {
        vec2(x - self.corner.x, self.corner.y - y) * self.metres
    }

    fn layers<'m>(
        &mut self,
        layers: impl Iterator<Item = Layer<'m>>,
        offset: Vec2,
        side: u32,
    ) -> Result<(), MapError> {
        for layer in layers {
            let at = |fault| self.error(format!("layer {:?}", layer.name), fault);
            let said = properties(&layer.properties);
            if !collides(&said).map_err(at)? {
                continue;
            }
            let offset = offset + vec2(layer.offset_x, layer.offset_y);
            match layer.layer_type() {
                LayerType::Tiles(tiles) => self.tiles(&layer, said, &tiles, offset, side)?,
                LayerType::Objects(objects) => self.objects(&layer.name, &objects, offset)?,
                LayerType::Group(group) => self.layers(group.layers(), offset, side)?,
                LayerType::Image(_) => {}
            }
        }
        Ok(())
    }

    fn tiles(
        &mut self,
        layer: &Layer<'_>,
        said: BTreeMap<String, Value>,
        tiles: &TileLayer<'_>,
        offset: Vec2,
        side: u32,
    ) -> Result<(), MapError> {
        let whole = |fault| self.error(format!("layer {:?}", layer.name), fault);
        let [left, top, right, bottom] = extent(tiles).map_err(whole)?;
        let (width, height) = (right - left, bottom - top);
        if width <= 0 || height <= 0 {
            return Ok(());
        }
        // The reader does not count the tiles of a layer, and panics where the last ones are not
        // there.
        let last = || tiles.get_tile(right as i32 - 1, bottom as i32 - 1).is_some();
        if catch_unwind(AssertUnwindSafe(last)).is_err() {
            return Err(whole(Fault::Format("its tiles are fewer than its cells".to_owned())));
        }
        let mut cells = vec![TileCell::EMPTY; (width * height) as usize];
        for (row, y) in (top..bottom).rev().enumerate() {
            for (column, x) in (left..right).enumerate() {
                let Some(tile) = tiles.get_tile(x as i32, y as i32) else { continue };
                let here = |fault| self.error(format!("layer {:?}, cell ({x}, {y})", layer.name), fault);
                cells[row * width as usize + column] = self.cell(&tile).map_err(here)?;
            }
        }
        let pixels = side as f32;
        let corner = self.point(left as f32 * pixels + offset.x, bottom as f32 * pixels + offset.y);
        let def = self.numbers.body(pixels * self.metres, width as u32, &cells, corner).map_err(whole)?;
        if let Some(def) = def {
            let (name, class) = (layer.name.clone(), layer.user_type.clone());
            let tags = Tags { layer: name.clone(), name, class, properties: said };
            self.out.bodies.push(MapBody { tags, def });
        }
        Ok(())
    }

    fn cell(&self, tile: &LayerTile<'_>) -> Result<TileCell, Fault> {
        let Some(data) = tile.get_tile() else { return Ok(TileCell::SOLID) };
        let said = properties(&data.properties);
        let (kind, _) = match data.user_type.as_str() {
            "" => (TileKind::Solid, None),
            class => kind_of(class)?,
        };
        let flips = Flips { diagonal: tile.flip_d, horizontal: tile.flip_h, vertical: tile.flip_v };
        Ok(TileCell::new(flipped(kind, flips)?, self.numbers.of(material_name(&said)?)?))
    }

    fn objects(&mut self, layer: &str, objects: &ObjectLayer<'_>, offset: Vec2) -> Result<(), MapError> {
        for object in objects.objects() {
            let tags = Tags {
                name: object.name.clone(),
                class: object.user_type.clone(),
                layer: layer.to_owned(),
                properties: properties(&object.properties),
            };
            let place = Place {
                at: self.point(object.x + offset.x, object.y + offset.y),
                // Clockwise in the editor.
                angle: -object.rotation.to_radians(),
            };
            if matches!(object.shape, ObjectShape::Point(..)) {
                self.out.points.push(MapPoint { tags, at: place.at });
                continue;
            }
            let is_tile = object.tile_data().is_some();
            let Some(outline) = outline(&object.shape, is_tile, self.metres) else { continue };
            let def = body(&tags, place, &outline, self.options).map_err(|fault| {
                let place = format!("layer {layer:?}, object {} {:?}", object.id(), object.name);
                self.error(place, fault)
            })?;
            self.out.bodies.push(MapBody { tags, def });
        }
        Ok(())
    }
}

/// Left, top, right and bottom of a layer, in tiles.
fn extent(tiles: &TileLayer<'_>) -> Result<[i64; 4], Fault> {
    let too_large = Fault::Unsupported("a layer has at most 32,768 tiles along an axis");
    let extent = match tiles {
        TileLayer::Finite(layer) => [0, 0, i64::from(layer.width()), i64::from(layer.height())],
        TileLayer::Infinite(layer) => {
            let mut extent: Option<[i64; 4]> = None;
            for ((x, y), _) in layer.chunks() {
                let (side, x, y) = (i64::from(tiled::ChunkData::WIDTH), i64::from(x), i64::from(y));
                let of_chunk = [x * side, y * side, (x + 1) * side, (y + 1) * side];
                let [left, top, right, bottom] = extent.unwrap_or(of_chunk);
                extent = Some([
                    left.min(of_chunk[0]),
                    top.min(of_chunk[1]),
                    right.max(of_chunk[2]),
                    bottom.max(of_chunk[3]),
                ]);
            }
            extent.unwrap_or_default()
        }
    };
    let [left, top, right, bottom] = extent;
    let fits = right - left <= MOST_TILES && bottom - top <= MOST_TILES;
    let fits = fits && (right - left) * (bottom - top) <= 1 << 24;
    let near = extent.iter().all(|&x| x.abs() <= 1 << 30);
    if fits && near { Ok(extent) } else { Err(too_large) }
}

/// The outline of an object about its place, in metres, y up. Texts have none.
fn outline(shape: &ObjectShape, is_tile: bool, metres: f32) -> Option<Outline> {
    // An object lies below and to the right of its place; one that shows a tile, above.
    let span = |width: f32, height: f32| {
        let size = vec2(width, height) * metres;
        let center = vec2(0.5 * size.x, if is_tile { 0.5 * size.y } else { -0.5 * size.y });
        (center, size)
    };
    let flipped = |points: &[(f32, f32)]| points.iter().map(|&(x, y)| vec2(x, -y) * metres).collect();
    Some(match shape {
        ObjectShape::Rect { width, height } => {
            let (center, size) = span(*width, *height);
            Outline::Rect { center, size }
        }
        ObjectShape::Ellipse { width, height } => {
            let (center, size) = span(*width, *height);
            Outline::Ellipse { center, size }
        }
        ObjectShape::Capsule { width, height } => {
            let (center, size) = span(*width, *height);
            Outline::Capsule { center, size }
        }
        ObjectShape::Polygon { points } => Outline::Polygon(flipped(points)),
        ObjectShape::Polyline { points } => Outline::Polyline(flipped(points)),
        ObjectShape::Point(..) | ObjectShape::Text { .. } => return None,
    })
}

/// Properties by name; those of a class with the name of the class and a dot before theirs.
fn properties(of: &tiled::Properties) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for (name, value) in of {
        let value = match value {
            PropertyValue::BoolValue(value) => Value::Bool(*value),
            PropertyValue::FloatValue(value) => Value::Float(f64::from(*value)),
            PropertyValue::IntValue(value) => Value::Int(i64::from(*value)),
            PropertyValue::ObjectValue(value) => Value::Int(i64::from(*value)),
            PropertyValue::StringValue(text) | PropertyValue::FileValue(text) => Value::Text(text.clone()),
            PropertyValue::ColorValue(color) => {
                let tiled::Color { alpha, red, green, blue } = *color;
                Value::Text(format!("#{alpha:02x}{red:02x}{green:02x}{blue:02x}"))
            }
            PropertyValue::ClassValue { properties: inner, .. } => {
                let inner = properties(inner);
                all.extend(inner.into_iter().map(|(key, value)| (format!("{name}.{key}"), value)));
                continue;
            }
            PropertyValue::ListValue(_) => continue,
        };
        all.insert(name.clone(), value);
    }
    all
}
