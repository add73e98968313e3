//! Maps from text.
//!
//! In: lines, the top line first. Out: a map whose y goes up. Only this file reverses the order of
//! rows.

use super::{Cell, Map};
use crate::error::MapError;

impl Map {
    /// A map from a text, a character a cell: `.` is free, `#` a wall, `1` to `9` free land of that
    /// cost. The first line is the top row; empty lines at the beginning and the end are ignored.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let map = Map::parse("#..\n.5.\n")?;
    /// assert_eq!((map.width(), map.height()), (3, 2));
    /// assert!(!map.is_free([0, 1]));
    /// assert_eq!(map.cost([1, 0]), 5);
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::Empty`], [`MapError::TooLarge`]; [`MapError::Ragged`] and
    /// [`MapError::BadCharacter`] with the line, counted from 1.
    pub fn parse(text: &str) -> Result<Map, MapError> {
        let text = without_mark(text);
        let skipped = text.lines().take_while(|line| line.is_empty()).count();
        let end = text.trim_end_matches(['\r', '\n']);
        grid_of(end.lines().skip(skipped), skipped, |byte| match byte {
            b'.' => Some((false, 1)),
            b'#' => Some((true, 1)),
            b'1'..=b'9' => Some((false, byte - b'0')),
            _ => None,
        })
    }

    /// A map in the format of MovingAI's collection: `.`, `G` and `S` are free, `@`, `O`, `T` and
    /// `W` are walls.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let map = Map::parse_moving_ai("type octile\nheight 2\nwidth 3\nmap\n..@\n...\n")?;
    /// assert!(!map.is_free([2, 1]));
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::BadLine`] for another header, [`MapError::TooShort`] for too few rows, and the
    /// errors of [`Map::parse`].
    pub fn parse_moving_ai(text: &str) -> Result<Map, MapError> {
        let mut lines = without_mark(text).lines();
        let mut next = |line: usize| lines.next().ok_or(MapError::TooShort).map(|text| (line, text));
        if next(1)?.1.trim_end() != "type octile" {
            return Err(MapError::BadLine(1));
        }
        let height = number(next(2)?, "height ")?;
        let width = number(next(3)?, "width ")?;
        if next(4)?.1.trim_end() != "map" {
            return Err(MapError::BadLine(4));
        }
        // Checks the size before any memory is allocated.
        Map::check(width, height)?;
        let map = grid_of(lines.take(height), 4, |byte| match byte {
            b'.' | b'G' | b'S' => Some((false, 1)),
            b'@' | b'O' | b'T' | b'W' => Some((true, 1)),
            _ => None,
        });
        match map {
            Ok(map) if map.height() as usize != height => Err(MapError::TooShort),
            Ok(map) if map.width() as usize != width => Err(MapError::Ragged(5)),
            Err(MapError::Empty) => Err(MapError::TooShort),
            map => map,
        }
    }
}

/// A text without the byte-order mark that some editors put before it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn number((line, text): (usize, &str), name: &str) -> Result<usize, MapError> {
    let number = text.strip_prefix(name).and_then(|number| number.trim_end().parse().ok());
    number.ok_or(MapError::BadLine(line))
}

/// Makes a map of lines from the top down; `before` lines of the text stand before them.
fn grid_of<'t>(
    lines: impl Iterator<Item = &'t str> + Clone,
    before: usize,
    land: impl Fn(u8) -> Option<(bool, u8)>,
) -> Result<Map, MapError> {
    let width = lines.clone().next().ok_or(MapError::Empty)?.len();
    let height = lines.clone().count();
    Map::check(width, height)?;
    for (k, line) in lines.clone().enumerate() {
        if line.len() != width {
            return Err(MapError::Ragged(before + k + 1));
        }
        if line.bytes().any(|byte| land(byte).is_none()) {
            return Err(MapError::BadCharacter(before + k + 1));
        }
    }
    let mut rows: Vec<&[u8]> = lines.map(str::as_bytes).collect();
    rows.reverse();
    let at = |cell: Cell| land(rows[cell.y as usize][cell.x as usize]);
    let mut map = Map::from_fn(width, height, |cell| at(cell).is_some_and(|(wall, _)| wall))?;
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            let cell = Cell::new(x, y);
            at(cell).inspect(|&(_, cost)| _ = map.put_cost(cell, cost));
        }
    }
    Ok(map)
}

/// A scenario of MovingAI's collection: a request and its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    /// The first cell of the path.
    pub start: Cell,
    /// The last cell of the path.
    pub goal: Cell,
    /// The length of a shortest path that cuts no corner, in cells: a diagonal step is √2.
    pub length: f64,
}

impl Scenario {
    /// Reads a scenario file, with its rows reversed like the map's. Columns are separated by tabs,
    /// or by spaces if a line has no tab; a byte-order mark at the beginning is ignored.
    ///
    /// ```
    /// use carom_nav::grid::{Cell, Scenario};
    ///
    /// let all = Scenario::parse("version 1\n0 arena.map 4 3 1 0 2 2 2.41421356\n")?;
    /// assert_eq!((all[0].start, all[0].goal), (Cell::new(1, 2), Cell::new(2, 0)));
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::BadLine`] with the number, counted from 1, of the first line that is no
    /// scenario, or has a cell outside of the map's width and height.
    pub fn parse(text: &str) -> Result<Vec<Scenario>, MapError> {
        let mut scenarios = Vec::new();
        for (k, line) in without_mark(text).lines().enumerate() {
            if line.trim().is_empty() || k == 0 && line.starts_with("version") {
                continue;
            }
            scenarios.push(Scenario::of(line).ok_or(MapError::BadLine(k + 1))?);
        }
        Ok(scenarios)
    }

    /// Fields: bucket, map, width, height, start x, start y, goal x, goal y, length.
    fn of(line: &str) -> Option<Scenario> {
        // If tabs separate the fields, the name of a map may have spaces.
        let has_tabs = line.trim().contains('\t');
        let is_end = |c: char| if has_tabs { c == '\t' } else { c.is_whitespace() };
        let fields = line.split(is_end).map(str::trim);
        let mut fields = fields.filter(|field| has_tabs || !field.is_empty()).skip(2);
        let mut number = || fields.next()?.parse::<i32>().ok();
        let (width, height) = (number()?, number()?);
        let mut cell = || {
            let (x, y) = (number()?, number()?);
            let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
            is_inside.then(|| Cell::new(x, height - 1 - y))
        };
        let (start, goal) = (cell()?, cell()?);
        let length: f64 = fields.next()?.parse().ok()?;
        length.is_finite().then_some(Scenario { start, goal, length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_map_is_refused_with_its_line() {
        let text = |text: &str| Map::parse(text).map(|_| ()).expect_err("no map");
        assert_eq!(text(""), MapError::Empty);
        assert_eq!(text("\n\n"), MapError::Empty);
        assert_eq!(text("...\n..\n"), MapError::Ragged(2));
        assert_eq!(text("\n...\n\n...\n"), MapError::Ragged(3));
        assert_eq!(text("...\n.x.\n"), MapError::BadCharacter(2));
        assert_eq!(text("0"), MapError::BadCharacter(1));
        assert_eq!(text(&".".repeat(40_000)), MapError::TooLarge);
        let file = |text: &str| Map::parse_moving_ai(text).map(|_| ()).expect_err("no map");
        assert_eq!(file(""), MapError::TooShort);
        assert_eq!(file("type tile\n"), MapError::BadLine(1));
        assert_eq!(file("type octile\nheight x\n"), MapError::BadLine(2));
        assert_eq!(file("type octile\nheight 1\nwidth -1\n"), MapError::BadLine(3));
        assert_eq!(file("type octile\nheight 0\nwidth 0\nmap\n"), MapError::Empty);
        assert_eq!(file("type octile\nheight 46341\nwidth 46341\nmap\n"), MapError::TooLarge);
        assert_eq!(file("type octile\nheight 2\nwidth 2\nmap\n..\n"), MapError::TooShort);
        assert_eq!(file("type octile\nheight 2\nwidth 2\nmap\n..\n...\n"), MapError::Ragged(6));
        assert_eq!(file("type octile\nheight 1\nwidth 2\nmap\n...\n"), MapError::Ragged(5));
        assert_eq!(file("type octile\nheight 1\nwidth 2\nmap\n"), MapError::TooShort);
        assert_eq!(file("type octile\nheight 1\nwidth 1\nmap\n?\n"), MapError::BadCharacter(5));
        assert_eq!(Scenario::parse("version 1\n0\tm\t4\t4\t1\n"), Err(MapError::BadLine(2)));
        assert_eq!(Scenario::parse("0\tm\t4\t4\t1\t1\t2\t2\tNaN\n"), Err(MapError::BadLine(1)));
    }

    /// Columns by tabs or by spaces, rows by either end of line, with a byte-order mark or without:
    /// all give the same scenario, and a cell outside of the map is refused in each.
    #[test]
    fn scenarios_are_read_however_they_are_separated() {
        let mut state = 1_u64;
        let mut below = |count: i32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % count as u64) as i32
        };
        for round in 0..if cfg!(debug_assertions) { 300 } else { 10_000 } {
            let (width, height) = (below(600) + 1, below(600) + 1);
            let mut cells = [below(width), below(height), below(width), below(height)];
            let (which, outside) = (below(4) as usize, below(5) == 0);
            if outside {
                let most = if which % 2 == 0 { width } else { height };
                cells[which] = if below(2) == 0 { -1 - below(9) } else { most + below(9) };
            }
            let [x, y, goal_x, goal_y] = cells;
            let length = f64::from(below(1_000)) / 8.0;
            let fields = [x, y, goal_x, goal_y].map(|number| number.to_string()).join("\t");
            let line = format!("{}\tmaps/a.map\t{width}\t{height}\t{fields}\t{length}", round / 10);
            let expected = if outside {
                Err(MapError::BadLine(2))
            } else {
                let cell = |x, y: i32| Cell::new(x, height - 1 - y);
                Ok(vec![Scenario { start: cell(x, y), goal: cell(goal_x, goal_y), length }])
            };
            for (separator, mark) in
                [("\t", ""), (" ", ""), ("   ", ""), (" ", "\u{feff}"), ("\t", "\u{feff}")]
            {
                for end in ["\n", "\r\n", " \n"] {
                    let text = format!("{mark}version 1{end}{}{end}", line.replace('\t', separator));
                    assert_eq!(Scenario::parse(&text), expected, "{text:?}");
                }
            }
        }
        let spaced = Scenario::parse("0\ta map\t2\t3\t0\t0\t1\t2\t2.5\n").expect("a scenario");
        assert_eq!(spaced[0].goal, Cell::new(1, 0));
        assert!(Map::parse("\u{feff}..\n").is_ok());
        assert!(Map::parse_moving_ai("\u{feff}type octile\nheight 1\nwidth 1\nmap\n.\n").is_ok());
    }

    #[test]
    fn rows_of_scenarios_are_turned_as_those_of_maps() {
        let map = Map::parse_moving_ai("type octile\r\nheight 3\r\nwidth 2\r\nmap\r\n.@\r\n..\r\nTG\r\n")
            .expect("a map");
        assert!(!map.is_free([1, 2]) && map.is_free([0, 2]) && !map.is_free([0, 0]) && map.is_free([1, 0]));
        let all = Scenario::parse("version 1\n0\tm\t2\t3\t0\t0\t1\t2\t2.5\n").expect("a scenario");
        assert_eq!(all, [Scenario { start: Cell::new(0, 2), goal: Cell::new(1, 0), length: 2.5 }]);
    }
}
