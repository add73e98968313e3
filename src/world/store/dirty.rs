//! Dirty flags: data to recompute, with the code that raises and clears each flag.
//!
//! ```text
//!                 raised by                                         cleared by
//!   colouring     contacts that begin or end to touch, joints       prepare/mod.rs
//!                 that weld or part, rows that move, islands
//!                 that wake
//!   joint_layout  joints added, removed, switched, of another       joints/fill.rs
//!                 kind, or with bodies that move to other rows
//!   joints_of     bodies whose joints are others, or that stand     joints/relayout.rs, fill.rs
//!                 elsewhere
//!   joint_lanes   loading, cloning, predicting                      joints/fill.rs
//!   colours       loading, cloning, predicting                      prepare/mod.rs
//!   regions       bodies that go over to another region             collide/mod.rs
//!   boxes         calls that move a body or change its shapes       finish/bodies.rs
//! ```
//!
//! All but `joint_lanes`, `colours` and `joints_of` are state: a snapshot has them, since the next
//! step of a loaded world must equal that of the saved one.

/// Dirty flags of a world.
#[derive(Debug)]
pub(crate) struct Dirty {
    /// Whether the touching contacts, or the rows of their bodies, changed since the last
    /// colouring.
    pub(crate) colouring: bool,
    /// Whether joints or the rows of their bodies changed since the last layout.
    pub(crate) joint_layout: bool,
    /// Bodies whose joints changed, or that were moved from outside: see `joints/relayout.rs`.
    /// Bodies that only have a new row are not in the list.
    pub(crate) joints_of: Vec<u32>,
    /// Whether joints are in no lanes though nothing changed about them: the world was restored.
    pub(crate) joint_lanes: bool,
    /// Whether contacts have no colours though nothing changed about them: the world was restored.
    /// They get them in the next step, which in a stirred heap colours anew in any case.
    pub(crate) colours: bool,
    /// Whether a body went over to another region since contacts were last sorted by how they are
    /// tested.
    pub(crate) regions: bool,
    /// Bodies changed from outside since the last step: their boxes may be too small.
    pub(crate) boxes: Vec<u32>,
}

impl Default for Dirty {
    fn default() -> Dirty {
        Dirty {
            colouring: true,
            joint_layout: false,
            joints_of: Vec::new(),
            joint_lanes: false,
            colours: false,
            regions: false,
            boxes: Vec::new(),
        }
    }
}

impl Dirty {
    /// Copies another one, except for joints' lanes and colours, which the code that restores a
    /// world handles.
    pub(in crate::world) fn begin_as(&mut self, start: &Dirty) {
        let Dirty { colouring, joint_layout, joints_of: _, joint_lanes: _, colours: _, regions, boxes } =
            start;
        (self.colouring, self.joint_layout, self.regions) = (*colouring, *joint_layout, *regions);
        self.boxes.clone_from(boxes);
    }
}
