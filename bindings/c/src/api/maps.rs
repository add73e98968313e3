//! Grid maps, searches and flow fields.

use carom_nav::grid::{Ask, Bad, Cell, Found, Path, Tiling};

use super::{World, listed};
use crate::convert::{rule, with_filter};
use crate::failure::{Failure, Result};
use crate::raw::Fill;
use crate::types as c;
use crate::types::status;

/// A grid of cells.
#[derive(Debug)]
pub struct Map {
    pub(crate) map: carom_nav::grid::Map,
    bytes: Vec<u8>,
}

impl From<carom_nav::grid::Map> for Map {
    fn from(map: carom_nav::grid::Map) -> Map {
        Map { map, bytes: Vec::new() }
    }
}

/// Memory of searches, and the last path.
#[derive(Debug, Default)]
pub struct Search {
    search: carom_nav::grid::Search,
    path: Path,
    cells: Vec<c::Cell>,
    corners: Vec<Cell>,
}

/// Distances to goals.
#[derive(Debug)]
pub struct Flow {
    pub(crate) flow: carom_nav::field::Flow,
}

pub(crate) fn map_new(width: u32, height: u32) -> Result<Map> {
    Ok(carom_nav::grid::Map::new(width as usize, height as usize)?.into())
}

pub(crate) fn map_parse(text: &str) -> Result<Map> {
    Ok(carom_nav::grid::Map::parse(text)?.into())
}

pub(crate) fn map_raster(
    world: &World,
    origin: c::Point,
    side: f32,
    width: u32,
    height: u32,
    filter: Option<&c::QueryFilter>,
) -> Result<Map> {
    let size = [width as usize, height as usize];
    let tiling = Tiling { corner: origin.into(), cell: side, size };
    with_filter(filter, |filter| {
        Ok(carom_nav::grid::Map::raster(&world.world, &tiling, filter)?.into())
    })
}

pub(crate) fn map_read(bytes: &[u8]) -> Result<Map> {
    Ok(carom_nav::grid::Map::load(bytes)?.into())
}

pub(crate) fn map_save(map: &mut Map, bytes: &mut Fill<u8>) -> Result<()> {
    map.map.save_into(&mut map.bytes);
    bytes.extend(&map.bytes);
    Ok(())
}

pub(crate) fn map_hash(map: &Map) -> Result<u64> {
    Ok(map.map.hash())
}

pub(crate) fn map_width(map: &Map) -> Result<u32> {
    Ok(map.map.width() as u32)
}

pub(crate) fn map_height(map: &Map) -> Result<u32> {
    Ok(map.map.height() as u32)
}

pub(crate) fn map_is_free(map: &Map, cell: c::Cell) -> Result<bool> {
    Ok(map.map.is_free(cell))
}

pub(crate) fn map_set_wall(map: &mut Map, cell: c::Cell, wall: bool) -> Result<bool> {
    Ok(map.map.set_wall(cell, wall))
}

pub(crate) fn map_cost(map: &Map, cell: c::Cell) -> Result<u32> {
    Ok(map.map.cost(cell).into())
}

pub(crate) fn map_set_cost(map: &mut Map, cell: c::Cell, cost: u32) -> Result<bool> {
    let rule = "a cost is 1 to 255";
    let cost = u8::try_from(cost).ok().filter(|cost| *cost > 0);
    Ok(map.map.set_cost(cell, cost.ok_or(Failure::Rule(status::BAD_NUMBER, rule))?))
}

pub(crate) fn map_keep_size(map: &mut Map, size: u32) -> Result<()> {
    let size = u8::try_from(size).map_err(|_| carom_nav::MapError::BadSize)?;
    Ok(map.map.keep_size(size)?)
}

pub(crate) fn map_connected(map: &Map, a: c::Cell, b: c::Cell) -> Result<bool> {
    Ok(map.map.connected(a, b))
}

pub(crate) fn map_nearest_reachable(
    map: &Map,
    of: c::MapRule,
    from: c::Cell,
    to: c::Cell,
) -> Result<Option<c::Cell>> {
    Ok(map.map.nearest_reachable(rule(of)?, from, to).map(c::Cell::from))
}

pub(crate) fn search_new() -> Result<Search> {
    Ok(Search::default())
}

/// The length of a path, or why there is none.
fn length(found: Found) -> Result<f64> {
    let bad = |rule| Err(Failure::Rule(status::BAD_SEARCH, rule));
    match found {
        Found::Way { cost } => Ok(cost.cells()),
        Found::None => Err(Failure::Rule(status::NO_WAY, "there is no path")),
        Found::TooFar => Err(Failure::Rule(status::NO_WAY, "a path would be too long to count")),
        Found::Bad(Bad::Start) => bad("the start is a wall for this unit, or not on the map"),
        Found::Bad(Bad::Goal) => bad("the goal is a wall for this unit, or not on the map"),
        Found::Bad(Bad::Size) => bad("the map does not keep this size: see map_keep_size"),
        Found::Bad(Bad::Scale) => bad("the scale is none"),
        Found::Bad(Bad::Method(_)) => bad("the method does not serve this request"),
        Found::Bad(Bad::Layer) => bad("a layer has another size than the map"),
    }
}

pub(crate) fn search_path<'s>(
    search: &'s mut Search,
    map: &Map,
    ask: &c::Ask,
) -> Result<(f64, &'s [c::Cell])> {
    let found = search.search.path(&map.map, Ask::try_from(ask)?, &mut search.path);
    let cells = length(found)?;
    Ok((cells, listed(&mut search.cells, search.path.turns().iter().copied())))
}

pub(crate) fn search_nearest<'s>(
    search: &'s mut Search,
    map: &Map,
    ask: &c::Ask,
    goals: &[c::Cell],
) -> Result<(f64, &'s [c::Cell])> {
    let goals: Vec<Cell> = goals.iter().copied().map(Cell::from).collect();
    let ask = Ask::try_from(ask)?;
    let found = search.search.nearest(&map.map, ask, &goals, &mut search.path);
    let cells = length(found)?;
    Ok((cells, listed(&mut search.cells, search.path.turns().iter().copied())))
}

pub(crate) fn search_cells(search: &mut Search) -> Result<&[c::Cell]> {
    Ok(listed(&mut search.cells, search.path.cells()))
}

pub(crate) fn search_taut<'s>(
    search: &'s mut Search,
    map: &Map,
    of: c::MapRule,
) -> Result<&'s [c::Cell]> {
    map.map.taut(rule(of)?, &search.path, &mut search.corners);
    Ok(listed(&mut search.cells, search.corners.iter().copied()))
}

pub(crate) fn search_is_stale(search: &Search, map: &Map) -> Result<bool> {
    Ok(search.path.is_stale(&map.map))
}

pub(crate) fn search_expansions(search: &Search) -> Result<u64> {
    Ok(search.search.expansions())
}

pub(crate) fn flow_new(goals: &[c::Cell], of: c::MapRule) -> Result<Flow> {
    let goals: Vec<Cell> = goals.iter().copied().map(Cell::from).collect();
    Ok(Flow { flow: carom_nav::field::Flow::to(&goals).rule(rule(of)?) })
}

pub(crate) fn flow_aim(flow: &mut Flow, goals: &[c::Cell]) -> Result<()> {
    let goals: Vec<Cell> = goals.iter().copied().map(Cell::from).collect();
    flow.flow.aim(&goals);
    Ok(())
}

pub(crate) fn flow_fill(flow: &mut Flow, map: &Map) -> Result<()> {
    flow.flow.fill(&map.map);
    Ok(())
}

pub(crate) fn flow_update(flow: &mut Flow, map: &Map) -> Result<()> {
    flow.flow.update(&map.map);
    Ok(())
}

pub(crate) fn flow_distance(flow: &Flow, cell: c::Cell) -> Result<Option<f64>> {
    Ok(flow.flow.distance(cell).map(|length| length.cells()))
}

pub(crate) fn flow_next(flow: &Flow, map: &Map, cell: c::Cell) -> Result<Option<c::Cell>> {
    Ok(flow.flow.next(&map.map, cell).map(c::Cell::from))
}

pub(crate) fn flow_heading(flow: &Flow, map: &Map, position: c::Vec2) -> Result<c::Vec2> {
    Ok(flow.flow.heading(&map.map, position.into()).into())
}
