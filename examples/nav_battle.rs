//! Battles by Lanchester's laws: how strong both sides are over time, and how the same numbers end
//! under each law.
//!
//! ```text
//! cargo run --release -p carom-examples --example nav_battle      out/nav_battle.svg
//! ```

use std::error::Error;

use carom::Vec2;
use carom_nav::war::War;
use testkit::draw::svg::{BLUE, GREY, INK, RED, Style, Svg};

/// Of a chart, in metres of the page.
const SIZE: Vec2 = Vec2::new(30.0, 18.0);
const GAP: f32 = 8.0;

/// A battle under a title, shown until `time`.
struct Chart {
    title: &'static str,
    rule: &'static str,
    war: War,
    time: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let aimed = War::aimed(0.03, 0.02).from(100.0, 70.0);
    let charts = [
        Chart {
            title: "Aimed fire",
            rule: "100 against 70 who hit half as often again",
            war: aimed,
            time: 80.0,
        },
        Chart {
            title: "Reinforced by 1.5",
            rule: "the same, but the second side gets new men",
            war: aimed.reinforced(0.0, 1.5),
            time: 80.0,
        },
        Chart {
            title: "Equal by the square law",
            rule: "b x² = a y²: both melt away, nobody wins",
            war: War::aimed(0.04, 0.02).from(100.0, 100.0 / 2.0_f64.sqrt()),
            time: 80.0,
        },
        Chart {
            title: "Area fire",
            rule: "100 against 70; a side breaks at a quarter",
            war: War::area(0.000_6, 0.000_4).from(100.0, 70.0).breaking(25.0, 17.5),
            time: 80.0,
        },
    ];
    let low = Vec2::new(-5.0, -5.0);
    let high = Vec2::new(2.0 * SIZE.x + GAP + 2.0, 2.0 * (SIZE.y + GAP) - 1.0);
    let mut page = Svg::new(low, high, 12.0);
    for (k, chart) in charts.iter().enumerate() {
        let corner = Vec2::new((k % 2) as f32 * (SIZE.x + GAP), (1 - k / 2) as f32 * (SIZE.y + GAP));
        let said = draw(&mut page, corner, chart)?;
        println!("{:<26} {said}", chart.title);
    }
    page.save("out/nav_battle.svg")?;
    Ok(())
}

/// One chart; what its end is in words.
fn draw(page: &mut Svg, corner: Vec2, chart: &Chart) -> Result<String, Box<dyn Error>> {
    let most = 110.0;
    let place = |time: f64, strength: f64| {
        corner + Vec2::new((time / chart.time) as f32, (strength / most) as f32) * SIZE
    };
    for strength in [0, 25, 50, 75, 100] {
        let at = place(0.0, f64::from(strength));
        let style = Style::outline(if strength == 0 { GREY } else { "#e1e5e9" });
        page.line(at, at + Vec2::X * SIZE.x, style);
        page.text(at - Vec2::new(2.4, 0.35), 11.0, &strength.to_string(), Style::flat(GREY));
    }
    for tick in [0, 20, 40, 60, 80] {
        let at = place(f64::from(tick), 0.0);
        page.line(at, at - Vec2::Y * 0.4, Style::outline(GREY));
        page.text(at - Vec2::new(0.6, 1.5), 11.0, &tick.to_string(), Style::flat(GREY));
    }
    let times: Vec<f64> = (0..=400).map(|k| chart.time * f64::from(k) / 400.0).collect();
    let mut strengths = Vec::new();
    chart.war.sample(&times, &mut strengths)?;
    for (side, color) in [BLUE, RED].into_iter().enumerate() {
        let curve: Vec<Vec2> =
            times.iter().zip(&strengths).map(|(time, at)| place(*time, at[side])).collect();
        page.polyline(&curve, Style { width: 2.5, ..Style::outline(color) });
    }
    let end = chart.war.end()?;
    let said = match end {
        Some(end) => {
            let at = place(end.time, 0.0);
            page.line(at, at + Vec2::Y * SIZE.y, Style { dash: 4.0, ..Style::outline(GREY) });
            let winner = end.winner().map_or("nobody", |side| ["the first side", "the second side"][side]);
            let left = end.winner().map_or(0.0, |side| end.left[side]);
            format!("ends at {:.1}: {winner} wins with {left:.1} left", end.time)
        }
        None => String::from("never ends"),
    };
    page.text(corner + Vec2::new(0.0, SIZE.y + 2.0), 15.0, chart.title, Style::flat(INK));
    page.text(corner + Vec2::new(0.0, SIZE.y + 0.6), 11.0, chart.rule, Style::flat(GREY));
    page.text(corner + Vec2::new(0.0, -3.2), 12.0, &said, Style::flat(INK));
    Ok(said)
}
