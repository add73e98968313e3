//! A recipe to be read, in a line.

use core::fmt::Write as _;

use super::recipe::{Form, Ground, MachineKind, Recipe, Stir};

/// `412 boxes + capsules, sizes 1:8, densities 1:300, ...; bowl; 12 chains of 30; paddles`.
pub(super) fn of(recipe: &Recipe) -> String {
    let mut parts = Vec::new();
    if recipe.loose > 0 {
        parts.push(loose(recipe));
    }
    parts.extend(machines(recipe));
    parts.push(ground(recipe.ground));
    parts.extend(stir(recipe.stir));
    if recipe.gravity.x != 0.0 || recipe.gravity.y != -10.0 {
        parts.push(format!("gravity ({}, {})", recipe.gravity.x, recipe.gravity.y));
    }
    if !recipe.sleep {
        parts.push("no sleep".into());
    }
    parts.join("; ")
}

fn loose(recipe: &Recipe) -> String {
    let forms: Vec<&str> = recipe.forms.iter().map(|&form| form_name(form)).collect();
    let forms = if forms.len() > 2 { "of all forms".into() } else { forms.join(" + ") };
    let mut text = format!("{} {forms} of {:.2} m", recipe.loose, 2.0 * recipe.smallest);
    if recipe.spread > 1.0 {
        let _ = write!(text, ", sizes 1:{:.0}", recipe.spread);
    }
    if recipe.densities > 1.0 {
        let _ = write!(text, ", densities 1:{:.0}", recipe.densities);
    }
    let [low, high] = recipe.friction;
    let _ = match low == high {
        true => write!(text, ", friction {low:.2}"),
        false => write!(text, ", friction {low:.0} to {high:.0}"),
    };
    let _ = write!(text, ", restitution {:.2}", recipe.restitution);
    let pile = recipe.pile;
    let order = if pile.turned { "turned" } else { "upright" };
    let _ = write!(text, ", {order}, gap {:.0} %, {}:1", 100.0 * pile.gap, pile.aspect);
    if pile.shaken > 0.0 {
        let _ = write!(text, ", shaken {:.1} m/s", pile.shaken);
    }
    text
}

fn form_name(form: Form) -> &'static str {
    match form {
        Form::Circle => "circles",
        Form::Box => "boxes",
        Form::ThinBox => "thin boxes",
        Form::Capsule => "capsules",
        Form::Polygon => "polygons",
        Form::Compound => "compounds",
    }
}

fn machines(recipe: &Recipe) -> Option<String> {
    let it = recipe.machines;
    let (one, many) = match it.kind {
        MachineKind::Chain => ("chain", "chains"),
        MachineKind::Net => ("net", "nets"),
        MachineKind::Doll => ("doll", "dolls"),
        MachineKind::Car => ("car", "cars"),
        MachineKind::Bridge => ("bridge", "bridges"),
        MachineKind::Pendulum => ("pendulum", "pendulums"),
        MachineKind::Walker => ("walker", "walkers"),
    };
    let name = if it.count == 1 { one } else { many };
    let links = match it.kind {
        MachineKind::Chain | MachineKind::Bridge => format!(" of {}", it.links),
        MachineKind::Net => format!(" of {0}×{0}", it.links),
        _ => String::new(),
    };
    (it.count > 0).then(|| format!("{} {name}{links}", it.count))
}

fn ground(ground: Ground) -> String {
    match ground {
        Ground::Plane => "plane".into(),
        Ground::Bowl => "bowl".into(),
        Ground::Stairs => "stairs".into(),
        Ground::Rocks => "rocks".into(),
        Ground::Level(count) => format!("level of {count}"),
        Ground::Hills(corners) => format!("hills of {corners}"),
        Ground::Room => "room".into(),
        Ground::Drum(0) => "drum".into(),
        Ground::Drum(blades) => format!("drum with {blades} blades"),
        Ground::Nothing => "no ground".into(),
    }
}

fn stir(stir: Stir) -> Option<String> {
    match stir {
        Stir::Nothing => None,
        Stir::Paddles(count) => Some(format!("paddles ×{count}")),
        Stir::Pushers(count) => Some(format!("pushers ×{count}")),
        Stir::Balls(every) => Some(format!("a ball each {every} steps")),
        Stir::Blasts(every) => Some(format!("a blast each {every} steps")),
    }
}
