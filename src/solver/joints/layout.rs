//! Joint layout: trees, webs and graph colouring.
//!
//! In: joints with the solver rows of their bodies. Out: trees, eight of one shape together; webs;
//! and colours of the rest, in which no body comes twice, cut into blocks of one form.
//!
//! Joints with locked axes make a graph of the bodies that impulses move. A connected part without
//! loops is a tree, however many of its joints go to the ground; it is solved directly. A part with
//! loops or ropes that is not too large is a web, also solved directly. The rest (large nets, and
//! joints that only drive) is iterated.

use core::ops::Range;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::NO_JOINT;
use super::block::{MOTOR, RowMask, SERVO};
use super::trees::tree::{Tree, TreeEdge, is_heavy};
use super::webs::web::Web;
use crate::body::NONE;
use crate::simd::{LANES, Level};
use crate::util::graph_colouring::{COLOURS, first_fit};
use crate::util::sort;

/// Input of the layout for one joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    pub(crate) joint: u32,
    /// Solver rows of the bodies, and whether impulses move them.
    pub(crate) row_a: u32,
    pub(crate) row_b: u32,
    pub(crate) gives_a: bool,
    pub(crate) gives_b: bool,
    pub(crate) form: RowMask,
    /// Inverse masses of the bodies; 0 where impulses do not move them.
    pub(crate) inv_masses: [f32; 2],
    /// Joints added earlier have smaller ones.
    pub(crate) serial: u64,
}

/// The inputs of a layout: joints and bodies.
#[derive(Debug)]
pub(crate) struct LaidOut {
    pub(crate) specs: Vec<Spec>,
    /// The awake bodies, and for each solver row whether impulses move it.
    pub(crate) bodies: Vec<u32>,
    pub(crate) moves: Vec<bool>,
}

impl LaidOut {
    /// Whether a layout of `other` has the same trees. Masses count only in that trees of one block
    /// are all heavy or none is: see `Joints::weigh_trees`. Where joints may break, which they do
    /// in the order of blocks, masses must be the same.
    pub(crate) fn is_like(&self, other: &LaidOut, may_break: bool) -> bool {
        let key = |spec: &Spec| {
            let Spec { joint, row_a, row_b, gives_a, gives_b, form, inv_masses, serial } = *spec;
            let masses = may_break.then_some(inv_masses);
            ([joint, row_a, row_b], [gives_a, gives_b], form, serial, masses)
        };
        self.bodies == other.bodies
            && self.moves == other.moves
            && self.specs.iter().map(key).eq(other.specs.iter().map(key))
    }
}

/// The inputs of a layout, shared by all worlds of a workspace whose joints are laid out alike.
pub(crate) type SharedLayout = Arc<LaidOut>;

/// A block to create: its form, and for each lane the joint and the rows of its bodies.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) form: RowMask,
    pub(crate) joints: [u32; LANES],
    pub(crate) row_a: [u32; LANES],
    pub(crate) row_b: [u32; LANES],
}

/// Groups that may be solved in any order, or one lane after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayoutPhase {
    pub(crate) blocks: Range<usize>,
    /// Range of its pins, if its blocks are pins.
    pub(crate) pins: Range<usize>,
    pub(crate) one_by_one: bool,
}

impl LayoutPhase {
    /// SIMD level of its solve: one lane at a time where a body may come twice in a block.
    pub(crate) fn at(&self, level: Level) -> Level {
        if self.one_by_one { Level::Scalar } else { level }
    }

    /// Its blocks that are not pins.
    pub(crate) fn others(&self) -> Range<usize> {
        if self.pins.is_empty() { self.blocks.clone() } else { 0..0 }
    }
}

/// Result of the layout: groups, and the phases, trees and webs that refer to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) groups: Vec<Group>,
    pub(crate) phases: Vec<LayoutPhase>,
    pub(crate) webs: Vec<Web>,
    pub(crate) trees: Vec<Tree>,
}

/// An edge of a tree in the order it was found, with node 0 the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    child: u32,
    parent: u32,
    child_is_b: bool,
    extra: bool,
    form: RowMask,
}

/// All trees in three shared lists, instead of three lists per tree.
#[derive(Default)]
struct Singles {
    /// The shape of each, and the indices of its joints in the same order.
    shape: Vec<Found>,
    specs: Vec<u32>,
    /// The rows of its bodies.
    rows: Vec<u32>,
    list: Vec<Single>,
}

/// Where one tree stands in the lists.
struct Single {
    edges: Range<usize>,
    rows: Range<usize>,
    heavy: bool,
    /// No other joint that is solved here joins its bodies.
    own: bool,
}

impl Singles {
    /// Finds the trees whose bodies other joints join.
    fn note_shared(&mut self, is_other: &[bool]) {
        for single in &mut self.list {
            single.own = !self.rows[single.rows.clone()].iter().any(|&row| is_other[row as usize]);
        }
    }
}

impl Layout {
    /// Sorts joints into trees and colours. `rows` is the number of solver rows; `coupled` are the
    /// rows in couplings.
    pub(crate) fn new(specs: &[Spec], rows: usize, coupled: &[u32]) -> Layout {
        let mut layout = Layout::default();
        let (webs, specs) = find_webs(specs, rows, coupled);
        let graph = Graph::new(&specs, rows, holds);
        let (mut singles, rest) = graph.split(&specs);
        let mut is_other = vec![false; rows];
        let others = rest.iter().flat_map(|spec| [spec.row_a, spec.row_b]);
        others.chain(coupled.iter().copied()).for_each(|row| is_other[row as usize] = true);
        is_other[0] = false;
        singles.note_shared(&is_other);
        layout.add_colours(&rest, rows);
        for (mut web, specs) in webs {
            web.note_shared(&is_other);
            web.seat(layout.groups.len(), |form, some| {
                layout.add_group(form, some.iter().map(|&k| &specs[k]))
            });
            layout.webs.push(web);
        }
        layout.add_trees(&specs, &singles);
        layout
    }

    fn add_group<'s>(&mut self, form: RowMask, specs: impl Iterator<Item = &'s Spec>) {
        let mut group = Group { form, joints: [NO_JOINT; LANES], row_a: [0; LANES], row_b: [0; LANES] };
        for (lane, spec) in specs.enumerate() {
            group.joints[lane] = spec.joint;
            (group.row_a[lane], group.row_b[lane]) = (spec.row_a, spec.row_b);
        }
        self.groups.push(group);
    }

    /// Greedy first-fit colouring, as for contacts; joints to the ground come last, so that they
    /// hold best.
    fn add_colours(&mut self, specs: &[Spec], rows: usize) {
        let mut taken = vec![0_u64; rows];
        let mut coloured: Vec<(u32, Spec)> = specs
            .iter()
            .map(|&spec| {
                let giving = [(spec.gives_a, spec.row_a), (spec.gives_b, spec.row_b)];
                let used = giving
                    .iter()
                    .filter(|(gives, _)| *gives)
                    .fold(0, |used, &(_, row)| used | taken[row as usize]);
                let Some(colour) = first_fit(used, !(spec.gives_a && spec.gives_b)) else {
                    return (2 * COLOURS, spec);
                };
                for (_, row) in giving.into_iter().filter(|(gives, _)| *gives) {
                    taken[row as usize] |= 1 << colour;
                }
                (colour, spec)
            })
            .collect();
        sort::by_key(&mut coloured, |(colour, spec)| (*colour, spec.form));
        let mut pins = 0;
        for same in coloured.chunk_by(|a, b| (a.0, a.1.form) == (b.0, b.1.form)) {
            let (first, form) = (self.groups.len(), same[0].1.form);
            for eight in same.chunks(LANES) {
                self.add_group(form, eight.iter().map(|(_, spec)| spec));
            }
            let (blocks, one_by_one) = (first..self.groups.len(), same[0].0 == 2 * COLOURS);
            let count = if form.is_pin() && !one_by_one { blocks.len() } else { 0 };
            self.phases.push(LayoutPhase { blocks, pins: pins..pins + count, one_by_one });
            pins += count;
        }
    }

    /// Trees of one shape, eight at a time.
    fn add_trees(&mut self, specs: &[Spec], singles: &Singles) {
        // Most trees have one of a few shapes: the map compares each about twice, a sort ten times.
        let mut by_shape: BTreeMap<(bool, bool, &[Found]), Vec<&Single>> = BTreeMap::new();
        for single in &singles.list {
            let shape = &singles.shape[single.edges.clone()];
            by_shape.entry((single.heavy, single.own, shape)).or_default().push(single);
        }
        for ((.., shape), same) in &by_shape {
            for eight in same.chunks(LANES) {
                self.add_tree(specs, singles, (shape, eight));
            }
        }
    }

    fn add_tree(&mut self, specs: &[Spec], singles: &Singles, (shape, eight): (&[Found], &[&Single])) {
        let mut tree = Tree::new(eight[0].rows.len(), eight[0].own);
        tree.heavy = eight[0].heavy;
        tree.limited = shape.iter().any(|found| found.form.is_limited());
        for (lane, single) in eight.iter().enumerate() {
            for (node, &row) in tree.nodes.iter_mut().zip(&singles.rows[single.rows.clone()]) {
                node.rows[lane] = row;
            }
        }
        for (index, found) in shape.iter().enumerate().rev() {
            let block = self.groups.len() as u32;
            let spec_of = |single: &&Single| &specs[singles.specs[single.edges.start + index] as usize];
            let of_lanes = eight.iter().map(spec_of);
            self.add_group(found.form, of_lanes);
            let group = &self.groups[block as usize];
            let ground = if found.child_is_b { group.row_a } else { group.row_b };
            let edge = TreeEdge::new(block, (found.child, found.parent), (found.child_is_b, found.extra));
            tree.add(edge.with(found.form, ground));
        }
        self.trees.push(tree);
    }
}

/// Adjacency lists: joints with locked axes, by the rows of their bodies.
struct Graph {
    /// Where the joints of a row begin in `joints`.
    starts: Vec<u32>,
    /// Indices of specs, earlier ones first.
    joints: Vec<u32>,
}

impl Graph {
    /// The graph of the joints for which `is_such` is true.
    fn new(specs: &[Spec], rows: usize, is_such: fn(&Spec) -> bool) -> Graph {
        let held = (0..).zip(specs).filter(|(_, spec)| is_such(spec));
        let mut order: Vec<(u64, u32)> = held.map(|(k, spec)| (spec.serial, k)).collect();
        // Bodies added together have joints added together: runs, which this sort exploits.
        sort::plain(&mut order);
        let mut starts = vec![0_u32; rows + 1];
        for &(_, k) in &order {
            for row in specs[k as usize].giving() {
                starts[row as usize + 1] += 1;
            }
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut ends = starts.clone();
        let mut joints = vec![0; starts[rows] as usize];
        for &(_, k) in &order {
            for row in specs[k as usize].giving() {
                joints[ends[row as usize] as usize] = k;
                ends[row as usize] += 1;
            }
        }
        Graph { starts, joints }
    }

    fn of(&self, row: u32) -> &[u32] {
        &self.joints[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }

    /// The trees, and the joints that are in none, in the order of the specs.
    fn split(&self, specs: &[Spec]) -> (Singles, Vec<Spec>) {
        let mut seen = vec![false; self.starts.len()];
        let mut in_tree = vec![false; specs.len()];
        let mut singles = Singles::default();
        let (mut part, mut parents) = (Part::default(), Vec::new());
        for spec in specs.iter().filter(|spec| holds(spec)) {
            let start = if spec.gives_a { spec.row_a } else { spec.row_b };
            if seen[start as usize] {
                continue;
            }
            self.fill_part(specs, start, &mut part, &mut seen);
            if let Some(root) = part.root(specs) {
                self.add_tree(specs, root, &mut parents, &mut singles);
                debug_assert_eq!(singles.list.last().map(|single| single.rows.len()), Some(part.rows.len()));
                let edges = singles.list.last().map_or(0..0, |single| single.edges.clone());
                singles.specs[edges].iter().for_each(|&k| in_tree[k as usize] = true);
            }
        }
        let rest = (0..specs.len()).filter(|&k| !in_tree[k]).map(|k| specs[k]).collect();
        (singles, rest)
    }

    /// Finds the connected component of a row.
    fn fill_part(&self, specs: &[Spec], start: u32, part: &mut Part, seen: &mut [bool]) {
        part.rows.clear();
        part.joints.clear();
        part.rows.push(start);
        seen[start as usize] = true;
        let mut next = 0;
        while let Some(&row) = part.rows.get(next) {
            next += 1;
            for &k in self.of(row) {
                let spec = &specs[k as usize];
                // Each joint once: from its only row, or from the lower one.
                if !(spec.gives_a && spec.gives_b) || row == spec.row_a.min(spec.row_b) {
                    part.joints.push(k);
                }
                for other in spec.giving() {
                    if !seen[other as usize] {
                        seen[other as usize] = true;
                        part.rows.push(other);
                    }
                }
            }
        }
    }

    /// Adds a part without loops, breadth first from its root. `parents` is scratch memory: the
    /// parent of each row, and the joint between them.
    fn add_tree(&self, specs: &[Spec], root: Root, parents: &mut Vec<(u32, u32)>, singles: &mut Singles) {
        let (first_edge, first_row) = (singles.specs.len(), singles.rows.len());
        parents.clear();
        singles.rows.push(root.row);
        parents.push((NONE, root.joint));
        let mut next = 0;
        while next < parents.len() {
            let (row, (parent, by)) = (singles.rows[first_row + next], parents[next]);
            let add = |singles: &mut Singles, k: u32, extra: bool| {
                let spec = &specs[k as usize];
                let child_is_b = spec.gives_b && spec.row_b == row;
                let parent = if extra { NONE } else { parent };
                singles.shape.push(Found { child: next as u32, parent, child_is_b, extra, form: spec.form });
                singles.specs.push(k);
            };
            if by != NONE {
                add(singles, by, false);
            }
            for &k in self.of(row).iter().filter(|&&k| k != by) {
                let spec = &specs[k as usize];
                if spec.gives_a && spec.gives_b {
                    singles.rows.push(if spec.row_a == row { spec.row_b } else { spec.row_a });
                    parents.push((next as u32, k));
                } else {
                    add(singles, k, true);
                }
            }
            next += 1;
        }
        let (edges, rows) = (first_edge..singles.specs.len(), first_row..singles.rows.len());
        let heavy = is_heavy(singles.specs[edges.clone()].iter().flat_map(|&k| specs[k as usize].inv_masses));
        singles.list.push(Single { edges, rows, heavy, own: true });
    }
}

/// A connected component: rows, and the joints between them and to the ground.
#[derive(Default)]
struct Part {
    rows: Vec<u32>,
    joints: Vec<u32>,
}

/// Root row of a tree, and the joint by which it hangs on the ground ([`NONE`] if there is none).
#[derive(Clone, Copy)]
struct Root {
    row: u32,
    joint: u32,
}

impl Part {
    /// The root, if there is no loop: the body that the oldest joint to the ground holds, else body
    /// A of the oldest joint.
    fn root(&self, specs: &[Spec]) -> Option<Root> {
        let inner = |k: &&u32| specs[**k as usize].gives_a && specs[**k as usize].gives_b;
        if self.joints.iter().filter(inner).count() + 1 != self.rows.len() {
            return None;
        }
        let serial = |k: &&u32| specs[**k as usize].serial;
        if let Some(&joint) = self.joints.iter().filter(|k| !inner(k)).min_by_key(serial) {
            let spec = &specs[joint as usize];
            return Some(Root { row: if spec.gives_a { spec.row_a } else { spec.row_b }, joint });
        }
        let joint = self.joints.iter().min_by_key(serial)?;
        Some(Root { row: specs[*joint as usize].row_a, joint: NONE })
    }
}

/// Whether a joint has locked axes and a body that impulses move.
fn holds(spec: &Spec) -> bool {
    spec.form.held().1 > 0 && (spec.gives_a || spec.gives_b)
}

/// Whether a joint locks or limits an axis and has a body that impulses move.
fn is_firm(spec: &Spec) -> bool {
    spec.form.is_firm() && (spec.gives_a || spec.gives_b)
}

/// Whether a joint has springs and dampers, and nothing else.
fn is_spring(spec: &Spec) -> bool {
    let has = |by: usize| (0..3).any(|number| spec.form.drives(number, by));
    !spec.form.is_firm() && has(SERVO) && !has(MOTOR)
}

impl Spec {
    /// The rows of a joint that impulses move.
    pub(super) fn giving(&self) -> impl Iterator<Item = u32> + use<> {
        let a = self.gives_a.then_some(self.row_a);
        let b = self.gives_b.then_some(self.row_b);
        a.into_iter().chain(b)
    }
}

/// A web, and its joints.
type Strung = (Web, Vec<Spec>);

/// Parts with loops or ropes that can be solved at once, and the joints that are in none. Rows in
/// couplings are iterated with these.
///
/// Springs between the bodies of a part belong to it. (Iterated beside it, their dampers worked
/// against motion that the part was about to stop: a soft rod beside a stiff one gained 8 % of the
/// energy that was in motion.)
fn find_webs(specs: &[Spec], rows: usize, coupled: &[u32]) -> (Vec<Strung>, Vec<Spec>) {
    let graph = Graph::new(specs, rows, is_firm);
    let mut is_coupled = vec![false; rows];
    coupled.iter().for_each(|&row| is_coupled[row as usize] = true);
    let (mut seen, mut in_web) = (vec![false; rows], vec![false; specs.len()]);
    let (mut part, mut parts) = (Part::default(), Vec::new());
    let mut part_of = vec![NONE; rows];
    for spec in specs.iter().filter(|spec| is_firm(spec)) {
        let start = if spec.gives_a { spec.row_a } else { spec.row_b };
        if seen[start as usize] {
            continue;
        }
        graph.fill_part(specs, start, &mut part, &mut seen);
        let has_ropes = part.joints.iter().any(|&k| !holds(&specs[k as usize]));
        let is_tree = part.root(specs).is_some() && !has_ropes;
        if is_tree || part.rows.iter().any(|&row| is_coupled[row as usize]) {
            continue;
        }
        part.rows.iter().for_each(|&row| part_of[row as usize] = parts.len() as u32);
        parts.push(core::mem::take(&mut part.joints));
    }
    for (k, spec) in (0..).zip(specs).filter(|(_, spec)| is_spring(spec)) {
        let mut within = spec.giving().map(|row| part_of[row as usize]);
        if let Some(first) = within.next().filter(|&first| first != NONE)
            && within.all(|other| other == first)
        {
            parts[first as usize].push(k);
        }
    }
    let mut webs = Vec::new();
    for mut joints in parts {
        sort::by_key(&mut joints, |&k| specs[k as usize].serial);
        let its: Vec<Spec> = joints.iter().map(|&k| specs[k as usize]).collect();
        if let Some(web) = Web::new(&its) {
            joints.iter().for_each(|&k| in_web[k as usize] = true);
            webs.push((web, its));
        }
    }
    let rest = (0..specs.len()).filter(|&k| !in_web[k]).map(|k| specs[k]).collect();
    (webs, rest)
}
