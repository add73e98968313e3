//! A small static tree of boxes over the parts of one shape: compound, chain, polar outline.
//!
//! In: one box a part, in the frame of the shape. Out: the parts whose boxes overlap a given box,
//! or the parts in order of promise for a nearest-first search. Built once when the shape is built.

use super::Aabb;
use crate::util::sort;

/// Deepest path from the root to a leaf: parts are halved by count, so 2^24 parts still fit.
const MAX_DEPTH: usize = 32;

/// Nodes in depth-first order: the left child of node k is node k + 1, the right one is named.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct BoxTree {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    aabb: Aabb,
    /// A leaf names its part; an inner node its right child.
    link: Link,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Link {
    Part(u32),
    Right(u32),
}

impl BoxTree {
    /// A tree over `boxes`; part k is the one with box k.
    pub(crate) fn new(boxes: &[Aabb]) -> BoxTree {
        let mut parts: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut tree = BoxTree { nodes: Vec::with_capacity(2 * boxes.len()) };
        if !parts.is_empty() {
            tree.build(boxes, &mut parts);
        }
        tree
    }

    /// Halves by count along the longer side of the box around the centres; ties by part number.
    fn build(&mut self, boxes: &[Aabb], parts: &mut [u32]) {
        let aabb = parts.iter().fold(Aabb::EMPTY, |all, &part| all.union(boxes[part as usize]));
        let here = self.nodes.len();
        if let [part] = *parts {
            self.nodes.push(Node { aabb, link: Link::Part(part) });
            return;
        }
        let centers = parts.iter().map(|&part| Aabb::around_point(boxes[part as usize].center()));
        let spread = centers.fold(Aabb::EMPTY, |all, center| all.union(center)).size();
        let key = |part: u32| {
            let center = boxes[part as usize].center();
            if spread.x >= spread.y { center.x } else { center.y }
        };
        sort::by(parts, |&p, &q| key(p).total_cmp(&key(q)).then(p.cmp(&q)));
        self.nodes.push(Node { aabb, link: Link::Right(0) });
        let (left, right) = parts.split_at_mut(parts.len() / 2);
        self.build(boxes, left);
        self.nodes[here].link = Link::Right(self.nodes.len() as u32);
        self.build(boxes, right);
    }

    /// The box around everything.
    pub(crate) fn aabb(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |root| root.aabb)
    }

    /// Calls `visit` with every part whose box satisfies `wanted`, left before right, until it
    /// answers false.
    ///
    /// `wanted` must hold for a box whenever it holds for a box inside it. It may change its mind
    /// in between: a nearest-first search lowers its bound as it goes.
    pub(crate) fn visit(&self, mut wanted: impl FnMut(&Aabb) -> bool, mut visit: impl FnMut(u32) -> bool) {
        let mut stack = [0_u32; MAX_DEPTH];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let index = stack[depth];
            let node = &self.nodes[index as usize];
            if !wanted(&node.aabb) {
                continue;
            }
            match node.link {
                Link::Part(part) => {
                    if !visit(part) {
                        return;
                    }
                }
                Link::Right(right) => {
                    stack[depth] = right;
                    stack[depth + 1] = index + 1;
                    depth += 2;
                }
            }
        }
    }
}
