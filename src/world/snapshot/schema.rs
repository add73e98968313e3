//! Schema: the columns of a snapshot, in the order in which they are written.
//!
//! Data of calls comes first, then the columns that each stage of a step writes: so the first
//! column in which two worlds differ names the stage that diverged.

use crate::state::Column;

/// Declares columns: name, stage, and names of its words.
macro_rules! columns {
    ($($column:ident: $stage:literal, $name:literal, [$($field:literal),*];)*) => {
        $(pub(super) static $column: Column = Column { stage: $stage, name: $name, fields: &[$($field),*] };)*
    };
}

columns! {
    WORLD: "build", "world", ["gravity x", "gravity y", "sub-steps", "max speed", "sleep", "continuous, hit speed", "sleep speed", "sleep time",
        "bodies", "shapes", "joints", "contacts", "parts", "islands", "steps", "steps", "joints so far", "joints so far", "last dt", "last h",
        "touching before", "new touches", "contacts to colour, period x", "joints to lay out, period y", "zones", "rows of a zone", "regions changed", "islands awake", "filtered by a hook"];
    BODIES: "build", "body", ["slot", "generation", "force x", "force y", "torque", "linear damping", "angular damping", "flags",
        "push limit", "", "", "", "mass", "inertia", "reach", "core", "user data"];
    FREE_BODIES: "build", "free body", ["slot", "generation"];
    RETIRED_BODIES: "build", "retired body", ["slot"];
    SHAPES: "build", "shape", ["slot", "generation", "body", "by mass", "weight", "restitution", "static friction",
        "kinetic friction", "rolling resistance", "surface speed", "rules", "category", "category", "mask", "mask", "group",
        "sensor", "one way", "one way x", "one way y", "contact hook", "user data", "user data", "part materials"];
    FORMS: "build", "form", ["kind", "number"];
    MATERIALS: "build", "part material", ["restitution", "static friction", "kinetic friction", "rolling resistance",
        "surface speed", "rules"];
    FREE_SHAPES: "build", "free shape", ["slot", "generation"];
    RETIRED_SHAPES: "build", "retired shape", ["slot"];
    OUTLINES: "build", "outline", ["kind", "stamp", "stamp", "centre x", "centre y", "half", "corners", "closed", "words"];
    OUTLINE_WORDS: "build", "outline", ["word"];
    JOINTS: "build", "joint", ["slot", "generation", "by touch", "sum", "sum", "serial", "serial", "definition"];
    FREE_JOINTS: "build", "free joint", ["slot", "generation"];
    RETIRED_JOINTS: "build", "retired joint", ["slot"];

    PAIRS: "find_pairs", "pair of boxes", ["a", "b"];
    APART: "find_pairs", "pair apart", ["a", "b"];
    APART_NEW: "find_pairs", "pair to wait", ["a", "b"];
    APART_GONE: "find_pairs", "pair that waits no more", ["a", "b"];
    LINKS: "find_pairs", "contact", ["slot", "a", "b", "flags", "static friction", "kinetic friction", "restitution",
        "rolling resistance", "tangent speed", "load 1", "load 2", "softness"];
    FREE_CONTACTS: "find_pairs", "free contact", ["slot"];

    MANIFOLDS: "collide", "manifold", ["features 1", "features 2", "normal x", "normal y", "point 1 x", "point 1 y",
        "separation 1", "point 2 x", "point 2 y", "separation 2"];

    IMPULSES: "solve", "contact impulse", ["normal 1", "normal 2", "tangent 1", "tangent 2", "rolling", "a to b x", "a to b y",
        "sum"];
    JOINT_IMPULSES: "solve", "joint impulse", ["impulse"];

    TURNS: "store", "turns of a joint", ["whole", "part", "zero"];
    MOTION: "store", "body", ["region x", "region y", "centre x", "centre y", "cosine", "sine", "local centre x",
        "local centre y", "velocity x", "velocity y", "spin", "sleep time", "inverse mass x", "inverse mass y",
        "inverse inertia", "gravity scale"];
    PARTS: "store", "box of a part", ["part", "left", "bottom", "right", "top", "region x", "region y"];
    FREE_PARTS: "store", "free part", ["part"];
    RETIRED_PARTS: "store", "retired part", ["part"];
    CHANGED: "store", "changed body", ["slot"];

    AWAKE: "sleep", "awake body", ["slot"];
    ISLANDS: "sleep", "island", ["bodies", "contacts"];
    SLEEPERS: "sleep", "sleeper", ["slot"];
    SLEEPING_CONTACTS: "sleep", "contact of an island", ["slot"];
    FREE_ISLANDS: "sleep", "free island", ["island"];
    TO_BED: "sleep", "body to sleep", ["slot"];
    WOKEN: "sleep", "woken body", ["slot"];
    WOKEN_CONTACTS: "sleep", "woken contact", ["slot"];
    PARKED: "sleep", "parked pair", ["a", "b"];
    PULLED: "sleep", "joint that pulls a sleeper", ["slot"];

    ENDED: "report", "touch that ended", ["shape", "", "shape", "", "body", "", "body"];
    LEFT: "report", "visit that ended", ["shape", "", "shape", "", "body", "", "body", "", "time"];
    AREAS: "build", "area", ["slot", "generation", "priority", "replaces", "drag", "angular drag", "wind x", "wind y",
        "gravity", "fall-off", "gravity x", "gravity y", "strength", "radius", "fluid", "density", "surface x", "surface y",
        "up x", "up y", "fluid drag", "fluid angular drag", "flow x", "flow y"];
    CELLS: "find_pairs", "cell of a tile map", ["shape", "cell", "part", "left", "bottom", "right", "top", "region x", "region y"];
    NEW_BOXES: "store", "new box beside tile maps", ["part"];
    FILLED: "build", "filled cell", ["shape", "cell"];
    OWN_LAWS: "build", "law of a body", ["slot", "has gravity", "gravity x", "gravity y", "max speed", "force x", "force y", "torque",
        "dominance"];
    LOST: "report", "lost joint", ["joint", "", "of the world", "body", "", "body", "", "user data"];
}
