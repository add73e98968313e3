//! Kinds of tiles by name, and as an editor flips and turns them; tile maps of cells.

use std::collections::BTreeMap;

use carom::{BodyDef, Material, Shape, ShapeDef, TileCell, TileKind};

use crate::{Fault, Options};

/// The name of a kind in files.
fn name_of(kind: TileKind) -> &'static str {
    match kind {
        TileKind::Solid => "solid",
        TileKind::SlopeUp => "slope_up",
        TileKind::SlopeDown => "slope_down",
        TileKind::CeilingUp => "ceiling_up",
        TileKind::CeilingDown => "ceiling_down",
        TileKind::HalfUpLow => "half_up_low",
        TileKind::HalfUpHigh => "half_up_high",
        TileKind::HalfDownHigh => "half_down_high",
        TileKind::HalfDownLow => "half_down_low",
        TileKind::HalfCeilingUpLow => "half_ceiling_up_low",
        TileKind::HalfCeilingUpHigh => "half_ceiling_up_high",
        TileKind::HalfCeilingDownHigh => "half_ceiling_down_high",
        TileKind::HalfCeilingDownLow => "half_ceiling_down_low",
        TileKind::OneWay => "one_way",
        TileKind::Sensor => "sensor",
        // `Empty`, and kinds that this version does not know.
        _ => "empty",
    }
}

/// The kind of a name, and what follows it after an underscore. Upper and lower case are the same.
pub(crate) fn kind_of(name: &str) -> Result<(TileKind, Option<String>), Fault> {
    let lower = name.to_lowercase();
    // The longest name first, though none begins another one today.
    let mut kinds = TileKind::ALL;
    kinds.sort_by_key(|&kind| core::cmp::Reverse(name_of(kind).len()));
    for kind in kinds {
        match lower.strip_prefix(name_of(kind)) {
            Some("") => return Ok((kind, None)),
            Some(rest) if rest.starts_with('_') => return Ok((kind, Some(rest[1..].to_owned()))),
            _ => {}
        }
    }
    Err(Fault::UnknownKind(name.to_owned()))
}

/// How a tile is turned in a cell, as Tiled says it: first the diagonal exchanges x and y (about
/// the line from the upper left), then left and right, then top and bottom.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flips {
    pub(crate) diagonal: bool,
    pub(crate) horizontal: bool,
    pub(crate) vertical: bool,
}

/// A kind as it looks when its tile is flipped.
pub(crate) fn flipped(kind: TileKind, flips: Flips) -> Result<TileKind, Fault> {
    let mut kind = kind;
    if flips.diagonal {
        kind = diagonal(kind)?;
    }
    if flips.horizontal {
        kind = mirrored(kind);
    }
    Ok(if flips.vertical { upside_down(kind)? } else { kind })
}

/// Left and right exchanged.
fn mirrored(kind: TileKind) -> TileKind {
    match kind {
        TileKind::SlopeUp => TileKind::SlopeDown,
        TileKind::SlopeDown => TileKind::SlopeUp,
        TileKind::CeilingUp => TileKind::CeilingDown,
        TileKind::CeilingDown => TileKind::CeilingUp,
        TileKind::HalfUpLow => TileKind::HalfDownLow,
        TileKind::HalfUpHigh => TileKind::HalfDownHigh,
        TileKind::HalfDownHigh => TileKind::HalfUpHigh,
        TileKind::HalfDownLow => TileKind::HalfUpLow,
        TileKind::HalfCeilingUpLow => TileKind::HalfCeilingDownLow,
        TileKind::HalfCeilingUpHigh => TileKind::HalfCeilingDownHigh,
        TileKind::HalfCeilingDownHigh => TileKind::HalfCeilingUpHigh,
        TileKind::HalfCeilingDownLow => TileKind::HalfCeilingUpLow,
        whole => whole,
    }
}

/// Top and bottom exchanged: a slope that rises is a ceiling that falls.
fn upside_down(kind: TileKind) -> Result<TileKind, Fault> {
    Ok(match kind {
        TileKind::SlopeUp => TileKind::CeilingDown,
        TileKind::SlopeDown => TileKind::CeilingUp,
        TileKind::CeilingUp => TileKind::SlopeDown,
        TileKind::CeilingDown => TileKind::SlopeUp,
        TileKind::HalfUpLow => TileKind::HalfCeilingDownHigh,
        TileKind::HalfUpHigh => TileKind::HalfCeilingDownLow,
        TileKind::HalfDownHigh => TileKind::HalfCeilingUpLow,
        TileKind::HalfDownLow => TileKind::HalfCeilingUpHigh,
        TileKind::HalfCeilingUpLow => TileKind::HalfDownHigh,
        TileKind::HalfCeilingUpHigh => TileKind::HalfDownLow,
        TileKind::HalfCeilingDownHigh => TileKind::HalfUpLow,
        TileKind::HalfCeilingDownLow => TileKind::HalfUpHigh,
        TileKind::OneWay => {
            return Err(Fault::Unsupported("a one-way tile cannot stand on its head"));
        }
        whole => whole,
    })
}

/// Mirrored about the line from the upper left corner to the lower right one.
fn diagonal(kind: TileKind) -> Result<TileKind, Fault> {
    Ok(match kind {
        // What is below that line, and what is above it, change places.
        TileKind::SlopeDown => TileKind::CeilingDown,
        TileKind::CeilingDown => TileKind::SlopeDown,
        TileKind::SlopeUp | TileKind::CeilingUp | TileKind::Empty | TileKind::Solid | TileKind::Sensor => {
            kind
        }
        TileKind::OneWay => return Err(Fault::Unsupported("a one-way tile cannot be turned")),
        _ => return Err(Fault::Unsupported("a half slope cannot be turned: it would be steep")),
    })
}

/// Numbers for the materials of a tile map, in the order of their names. 0 is for none.
#[derive(Clone, Debug)]
pub(crate) struct Numbers<'a> {
    numbers: BTreeMap<&'a str, u8>,
    materials: Vec<Material>,
}

impl<'a> Numbers<'a> {
    pub(crate) fn new(options: &'a Options) -> Result<Numbers<'a>, Fault> {
        if options.materials.len() > 255 {
            return Err(Fault::Unsupported("a tile map has at most 255 named materials"));
        }
        let numbers = options.materials.keys().zip(1..).map(|(name, number)| (name.as_str(), number));
        let materials = [Material::default()].into_iter().chain(options.materials.values().copied());
        Ok(Numbers { numbers: numbers.collect(), materials: materials.collect() })
    }

    pub(crate) fn of(&self, name: Option<&str>) -> Result<u8, Fault> {
        let Some(name) = name else { return Ok(0) };
        self.numbers.get(name).copied().ok_or_else(|| Fault::UnknownMaterial(name.to_owned()))
    }

    /// A fixed body of a tile map whose lower left corner is at `corner`; none if nothing is in it.
    /// Rows are from below.
    pub(crate) fn body(
        &self,
        side: f32,
        width: u32,
        cells: &[TileCell],
        corner: carom::Vec2,
    ) -> Result<Option<BodyDef>, Fault> {
        if cells.iter().all(|cell| cell.kind == TileKind::Empty) {
            return Ok(None);
        }
        let shape = Shape::tiles(side, width, cells);
        let shape = shape.checked().map_err(|error| Fault::Body(error.into()))?;
        let shape = ShapeDef::from(shape).part_materials(self.materials.clone());
        Ok(Some(BodyDef::fixed().at(corner).shape(shape)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_and_what_follows_is_a_material() {
        for kind in TileKind::ALL {
            assert_eq!(kind_of(name_of(kind)), Ok((kind, None)));
            let iced = format!("{}_ice", name_of(kind)).to_uppercase();
            assert_eq!(kind_of(&iced), Ok((kind, Some("ice".to_owned()))));
        }
        assert!(matches!(kind_of("solidice"), Err(Fault::UnknownKind(_))));
        assert!(matches!(kind_of(""), Err(Fault::UnknownKind(_))));
    }

    /// Two flips of a kind are none; a quarter turn (diagonal and horizontal) four times is none.
    #[test]
    fn flips_undo_themselves_and_four_quarter_turns_are_none() {
        let (h, v) =
            (Flips { horizontal: true, ..Flips::default() }, Flips { vertical: true, ..Flips::default() });
        let quarter = Flips { diagonal: true, horizontal: true, vertical: false };
        for kind in TileKind::ALL {
            for flips in [h, v] {
                let Ok(once) = flipped(kind, flips) else { continue };
                assert_eq!(flipped(once, flips), Ok(kind));
            }
            let turned = (0..4).try_fold(kind, |kind, _| flipped(kind, quarter));
            assert!(turned.is_err() || turned == Ok(kind));
        }
        // A slope up, turned clockwise, leans to the other side.
        assert_eq!(flipped(TileKind::SlopeUp, quarter), Ok(TileKind::SlopeDown));
        assert_eq!(flipped(TileKind::SlopeDown, quarter), Ok(TileKind::CeilingUp));
    }
}
