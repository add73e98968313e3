//! The table as a chart: milliseconds a step, scene by scene, a bar an engine.
//!
//! In: rows. Out: SVG text. Text is left to whoever shows it, so that no fonts are needed.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Fallible;
use crate::row::Row;

/// Colours that most people can tell apart, in the order of engines.
const COLOURS: [RGBColor; 3] = [RGBColor(0, 114, 178), RGBColor(217, 138, 0), RGBColor(0, 158, 115)];
/// Of a scene's width, what its bars take.
const SHARE: f64 = 0.8;

/// Each name once, in the order of appearance.
fn names(all: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Bars up to the median of the steps, and a thin line from there to the 99th percentile.
pub(crate) fn draw(rows: &[Row]) -> Fallible<String> {
    let mut text = String::new();
    draw_into(&mut text, rows)?;
    Ok(text)
}

fn draw_into(text: &mut String, rows: &[Row]) -> Fallible<()> {
    let scenes = names(rows.iter().map(|row| row.scene));
    let engines = names(rows.iter().map(|row| row.engine));
    let most = rows.iter().map(|row| row.ms_per_step_p99).max_by(f64::total_cmp).ok_or("no rows to draw")?;
    let root = SVGBackend::with_string(text, (1100, 560)).into_drawing_area();
    root.fill(&WHITE)?;
    // Axes: scene k from k to k + 1, with its name below the middle.
    let mut chart = ChartBuilder::on(&root)
        .caption("Milliseconds a step: median, and 99th percentile", ("sans-serif", 22))
        .margin(14)
        .x_label_area_size(34)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..scenes.len() as f64, 0.0..1.05 * most)?;
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh().disable_x_axis().y_desc("ms a step").light_line_style(WHITE).draw()?;
    let style = TextStyle::from(("sans-serif", 13)).pos(Pos::new(HPos::Center, VPos::Top));
    for (k, scene) in scenes.iter().enumerate() {
        let place = (k as f64 + 0.5, -0.015 * most);
        chart.plotting_area().draw(&Text::new(*scene, place, style.clone()))?;
    }
    // Bars.
    let width = SHARE / engines.len() as f64;
    for (k, engine) in engines.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let of_engine = || rows.iter().filter(|row| row.engine == *engine);
        let left = |row: &Row| {
            let scene = scenes.iter().position(|name| *name == row.scene).unwrap_or(0);
            scene as f64 + 0.5 * (1.0 - SHARE) + k as f64 * width
        };
        let bar = |row: &Row| {
            let corners = [(left(row), 0.0), (left(row) + 0.9 * width, row.ms_per_step_median)];
            Rectangle::new(corners, colour.filled())
        };
        let legend = move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled());
        chart.draw_series(of_engine().map(bar))?.label(*engine).legend(legend);
        let tail = |row: &Row| {
            let x = left(row) + 0.45 * width;
            PathElement::new([(x, row.ms_per_step_median), (x, row.ms_per_step_p99)], colour)
        };
        chart.draw_series(of_engine().map(tail))?;
    }
    let mut legend = chart.configure_series_labels();
    legend.border_style(BLACK.mix(0.3)).background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}
