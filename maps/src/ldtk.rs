//! Projects of LDtk: `.ldtk`, with levels within or in files of their own.
//!
//! In: a file and those that it names. Out: a [`Map`] of all levels, each where it lies in the
//! world of the project. Layers of values (`IntGrid`) and of tiles with enum tags are tile maps,
//! entities are bodies and points. The JSON is that of LDtk 1.1 and what later versions still write
//! alike.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use carom::{TileCell, TileKind, Vec2, vec2};
use ldtk_rust::{EntityInstance, FieldInstance, LayerInstance, Level, Project};
use serde_json::Value as Json;

use crate::kinds::{Flips, Numbers, flipped, kind_of};
use crate::objects::{Outline, Place, Value, body};
use crate::{Fault, Map, MapBody, MapError, MapPoint, Options, Tags};

/// Pixels along an axis within which levels lie: more are no world that a person drew.
const MOST_PIXELS: i64 = 1 << 24;

/// Cells along an axis of a layer.
const MOST_CELLS: i64 = 1 << 15;

/// Reads all levels of a project from a file.
///
/// # Errors
/// A file that is missing, damaged or says what carom cannot have, and where.
pub fn load(path: impl AsRef<Path>, options: &Options) -> Result<Map, MapError> {
    load_with(path, &|path| fs::read(path), options)
}

/// Reads all levels of a project, asking a function for files: out of an archive, or from a server.
///
/// # Errors
/// As [`load`].
pub fn load_with(
    path: impl AsRef<Path>,
    files: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
    options: &Options,
) -> Result<Map, MapError> {
    let path = path.as_ref();
    let open =
        |path: &Path| files(path).map_err(|error| MapError::new(path, "", Fault::File(error.to_string())));
    let damaged = |path: &Path, error: serde_json::Error| {
        MapError::new(path, format!("line {}", error.line()), Fault::Format(error.to_string()))
    };
    let project: Project = serde_json::from_slice(&open(path)?).map_err(|error| damaged(path, error))?;
    let mut levels = Vec::new();
    let worlds = project.worlds.iter().flat_map(|world| &world.levels);
    for level in project.levels.iter().chain(worlds) {
        match (&level.external_rel_path, &level.layer_instances) {
            (Some(file), None) => {
                let file = path.parent().unwrap_or(Path::new("")).join(file);
                let level: Level =
                    serde_json::from_slice(&open(&file)?).map_err(|error| damaged(&file, error))?;
                levels.push(Source { file, level: Held::Own(Box::new(level)) });
            }
            _ => levels.push(Source { file: path.to_owned(), level: Held::Within(level) }),
        }
    }
    Reading::new(&project, &levels, path, options)?.read(&levels)
}

/// A level, and the file that it is in.
struct Source<'a> {
    file: std::path::PathBuf,
    level: Held<'a>,
}

enum Held<'a> {
    Within(&'a Level),
    Own(Box<Level>),
}

impl Source<'_> {
    fn level(&self) -> &Level {
        match &self.level {
            Held::Within(level) => level,
            Held::Own(level) => level,
        }
    }
}

struct Reading<'a> {
    project: &'a Project,
    options: &'a Options,
    numbers: Numbers<'a>,
    /// Metres of a pixel.
    metres: f32,
    /// Lower left corner of all levels, in pixels, y down.
    corner: [i64; 2],
    out: Map,
}

/// Where a layer is, for messages and for places.
struct Spot<'a> {
    file: &'a Path,
    level: &'a Level,
    layer: &'a LayerInstance,
}

impl Spot<'_> {
    fn error(&self, what: &str, fault: Fault) -> MapError {
        let place = format!("level {:?}, layer {:?}{what}", self.level.identifier, self.layer.identifier);
        MapError::new(self.file, place, fault)
    }

    /// The layer's upper left corner, in pixels of the world.
    fn corner(&self) -> [i64; 2] {
        let of = |world: i64, offset: i64| world.saturating_add(offset);
        [
            of(self.level.world_x, self.layer.px_total_offset_x),
            of(self.level.world_y, self.layer.px_total_offset_y),
        ]
    }
}

impl<'a> Reading<'a> {
    fn new(
        project: &'a Project,
        levels: &[Source<'_>],
        path: &Path,
        options: &'a Options,
    ) -> Result<Reading<'a>, MapError> {
        let fault = |fault| MapError::new(path, "", fault);
        if !(options.pixels_per_metre > 0.0 && options.pixels_per_metre.is_finite()) {
            return Err(fault(Fault::Unsupported("pixels to a metre must be above 0")));
        }
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for source in levels {
            let level = source.level();
            for (k, (at, size)) in
                [(level.world_x, level.px_wid), (level.world_y, level.px_hei)].into_iter().enumerate()
            {
                if at.abs() > MOST_PIXELS || !(0..=MOST_PIXELS).contains(&size) {
                    let place = format!("level {:?}", level.identifier);
                    let far = Fault::Unsupported("a level must lie within 16,777,216 pixels of the origin");
                    return Err(MapError::new(&source.file, place, far));
                }
                (low[k], high[k]) = (low[k].min(at), high[k].max(at + size));
            }
        }
        let size = if levels.is_empty() { [0, 0] } else { [high[0] - low[0], high[1] - low[1]] };
        let corner = if levels.is_empty() { [0, 0] } else { [low[0], high[1]] };
        let metres = 1.0 / options.pixels_per_metre;
        let numbers = Numbers::new(options).map_err(fault)?;
        let out = Map { size: vec2(size[0] as f32, size[1] as f32) * metres, ..Map::default() };
        Ok(Reading { project, options, numbers, metres, corner, out })
    }

    fn read(mut self, levels: &[Source<'_>]) -> Result<Map, MapError> {
        for source in levels {
            let level = source.level();
            // The file has the uppermost layer first: what is drawn first comes first here.
            for layer in level.layer_instances.iter().flatten().rev() {
                let spot = Spot { file: &source.file, level, layer };
                match layer.layer_instance_type.as_str() {
                    "IntGrid" => self.values(&spot)?,
                    "Tiles" => self.tiles(&spot)?,
                    "Entities" => self.entities(&spot)?,
                    // Made of rules, to be seen.
                    _ => {}
                }
            }
        }
        Ok(self.out)
    }

    /// In metres, y up, of pixels of the world.
    fn point(&self, x: f64, y: f64) -> Vec2 {
        let metres = f64::from(self.metres);
        let (x, y) = ((x - self.corner[0] as f64) * metres, (self.corner[1] as f64 - y) * metres);
        vec2(x as f32, y as f32)
    }

    /// A layer of values, whose names are those of kinds.
    fn values(&mut self, spot: &Spot<'_>) -> Result<(), MapError> {
        let defs = self.project.defs.layers.iter().find(|def| def.uid == spot.layer.layer_def_uid);
        let mut kinds: BTreeMap<i64, TileCell> = BTreeMap::new();
        for value in defs.into_iter().flat_map(|def| &def.int_grid_values) {
            let at = |fault| spot.error(&format!(", value {}", value.value), fault);
            let Some(name) = &value.identifier else { continue };
            kinds.insert(value.value, self.named_cell(name).map_err(at)?);
        }
        let size = self.grid(spot)?;
        let csv = &spot.layer.int_grid_csv;
        if csv.len() as i64 != size[0] * size[1] {
            return Err(spot.error("", Fault::Format("its values are not as many as its cells".to_owned())));
        }
        let mut cells = vec![TileCell::EMPTY; csv.len()];
        for (k, &value) in csv.iter().enumerate().filter(|(_, value)| **value != 0) {
            let (x, y) = (k as i64 % size[0], k as i64 / size[0]);
            let cell = kinds.get(&value).ok_or_else(|| {
                let what = format!(", cell ({x}, {y})");
                spot.error(&what, Fault::UnknownKind(format!("value {value}")))
            })?;
            cells[((size[1] - 1 - y) * size[0] + x) as usize] = *cell;
        }
        self.push(spot, size, &cells)
    }

    /// A layer of tiles, of which those with an enum tag that names a kind are solid.
    fn tiles(&mut self, spot: &Spot<'_>) -> Result<(), MapError> {
        let uid = spot.layer.override_tileset_uid.or(spot.layer.tileset_def_uid);
        let tileset = self.project.defs.tilesets.iter().find(|def| Some(def.uid) == uid);
        let mut kinds: BTreeMap<i64, TileCell> = BTreeMap::new();
        for tag in tileset.into_iter().flat_map(|def| &def.enum_tags) {
            // Tags may be of any enum: those that name no kind are not for us.
            let Ok((kind, material)) = kind_of(&tag.enum_value_id) else { continue };
            let number = self.numbers.of(material.as_deref()).map_err(|fault| spot.error("", fault))?;
            kinds.extend(tag.tile_ids.iter().map(|&tile| (tile, TileCell::new(kind, number))));
        }
        let size = self.grid(spot)?;
        let mut cells = vec![TileCell::EMPTY; (size[0] * size[1]) as usize];
        for tile in &spot.layer.grid_tiles {
            let (Some(cell), &[px, py]) = (kinds.get(&tile.t), &tile.px[..]) else { continue };
            let (x, y) = (px.div_euclid(spot.layer.grid_size), py.div_euclid(spot.layer.grid_size));
            if !(0..size[0]).contains(&x) || !(0..size[1]).contains(&y) {
                continue;
            }
            let flips = Flips { diagonal: false, horizontal: tile.f & 1 != 0, vertical: tile.f & 2 != 0 };
            let kind = flipped(cell.kind, flips)
                .map_err(|fault| spot.error(&format!(", cell ({x}, {y})"), fault))?;
            if kind != TileKind::Empty {
                cells[((size[1] - 1 - y) * size[0] + x) as usize] = TileCell { kind, ..*cell };
            }
        }
        self.push(spot, size, &cells)
    }

    fn named_cell(&self, name: &str) -> Result<TileCell, Fault> {
        let (kind, material) = kind_of(name)?;
        Ok(TileCell::new(kind, self.numbers.of(material.as_deref())?))
    }

    /// How many cells a layer has along both axes.
    fn grid(&self, spot: &Spot<'_>) -> Result<[i64; 2], MapError> {
        let size = [spot.layer.c_wid, spot.layer.c_hei];
        let fits = size.iter().all(|side| (0..=MOST_CELLS).contains(side)) && size[0] * size[1] <= 1 << 24;
        let has_side = (1..=MOST_PIXELS).contains(&spot.layer.grid_size);
        let too_large = Fault::Unsupported("a layer has at most 32,768 cells along an axis, and 2^24 in all");
        if fits && has_side { Ok(size) } else { Err(spot.error("", too_large)) }
    }

    fn push(&mut self, spot: &Spot<'_>, size: [i64; 2], cells: &[TileCell]) -> Result<(), MapError> {
        if cells.is_empty() {
            return Ok(());
        }
        let [x, y] = spot.corner();
        let pixels = spot.layer.grid_size;
        let corner = self.point(x as f64, y as f64 + (size[1] * pixels) as f64);
        let side = pixels as f32 * self.metres;
        let def =
            self.numbers.body(side, size[0] as u32, cells, corner).map_err(|fault| spot.error("", fault))?;
        if let Some(def) = def {
            let name = spot.layer.identifier.clone();
            let tags = Tags {
                layer: name.clone(),
                name,
                class: spot.level.identifier.clone(),
                properties: BTreeMap::new(),
            };
            self.out.bodies.push(MapBody { tags, def });
        }
        Ok(())
    }

    fn entities(&mut self, spot: &Spot<'_>) -> Result<(), MapError> {
        for entity in &spot.layer.entity_instances {
            let error =
                |fault| spot.error(&format!(", entity {:?} {}", entity.identifier, entity.iid), fault);
            let tags = tags_of(entity, &spot.layer.identifier);
            let ([px, py], [pivot_x, pivot_y]) = (&entity.px[..], &entity.pivot[..]) else {
                let format = Fault::Format("a place and a pivot have two numbers each".to_owned());
                return Err(error(format));
            };
            let [x, y] = spot.corner();
            let at = self.point(x as f64 + *px as f64, y as f64 + *py as f64);
            let is_body = ["body", "sensor"].iter().any(|name| tags.properties.contains_key(*name));
            if !is_body {
                self.out.points.push(MapPoint { tags, at });
                continue;
            }
            // The body stands at the pivot, which is a share of the size from the upper left.
            let size = vec2(entity.width as f32, entity.height as f32) * self.metres;
            let center = vec2((0.5 - *pivot_x as f32) * size.x, (*pivot_y as f32 - 0.5) * size.y);
            let outline = match tags.properties.get("shape") {
                None => Outline::Rect { center, size },
                Some(Value::Text(shape)) => match shape.to_lowercase().as_str() {
                    "rect" => Outline::Rect { center, size },
                    "ellipse" => Outline::Ellipse { center, size },
                    "capsule" => Outline::Capsule { center, size },
                    _ => return Err(error(unknown_shape())),
                },
                Some(_) => return Err(error(unknown_shape())),
            };
            let place = Place { at, angle: 0.0 };
            let def = body(&tags, place, &outline, self.options).map_err(error)?;
            self.out.bodies.push(MapBody { tags, def });
        }
        Ok(())
    }
}

fn unknown_shape() -> Fault {
    Fault::Property { name: "shape".to_owned(), wanted: "`rect`, `ellipse` or `capsule`" }
}

fn tags_of(entity: &EntityInstance, layer: &str) -> Tags {
    let fields = entity.field_instances.iter();
    let properties: BTreeMap<String, Value> =
        fields.filter_map(|field| Some((field.identifier.clone(), value_of(field)?))).collect();
    let name = match properties.get("name") {
        Some(Value::Text(name)) => name.clone(),
        _ => String::new(),
    };
    Tags { name, class: entity.identifier.clone(), layer: layer.to_owned(), properties }
}

/// A field that is one value; lists and references to others are for those who read the file.
fn value_of(field: &FieldInstance) -> Option<Value> {
    match field.value.as_ref()? {
        Json::Bool(value) => Some(Value::Bool(*value)),
        Json::Number(number) => number.as_i64().map(Value::Int).or_else(|| number.as_f64().map(Value::Float)),
        Json::String(text) => Some(Value::Text(text.clone())),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}
