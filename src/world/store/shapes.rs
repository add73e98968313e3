//! The shapes of a world, and their convex parts in the grid.

use std::collections::BTreeMap;

use crate::body::Collider;
use crate::body::collider::{LocalRow, PlacedRow, Proxy, RecentShapes, ShapeLinks, ShapeTraits};
use crate::body::core_table::Forms;
use crate::body::id::Slots;
use crate::body::local_table::LocalRows;
use crate::simd::AlignedRows;
use crate::util::Sealed;

/// Shapes by slot, and their parts.
#[derive(Debug, Default)]
pub(crate) struct ShapeStore {
    pub(crate) slots: Sealed<Slots>,
    pub(crate) colliders: Sealed<Vec<Collider>>,
    /// Per slot: the next shape of the body, and the first part of the shape.
    pub(crate) links: Sealed<Vec<ShapeLinks>>,
    pub(crate) proxies: Proxies,
    /// Recently added geometry; no part of the state.
    pub(crate) recent: RecentShapes,
    /// Numbers of filters that reject themselves: see `World::group_of`.
    pub(crate) named_filters: BTreeMap<(u64, u64), u32>,
}

impl ShapeStore {
    /// Changes the traits that a shape shares with others, for this shape alone.
    pub(in crate::world) fn change_traits(&mut self, slot: u32, change: impl FnOnce(&mut ShapeTraits)) {
        self.recent.change(&mut self.colliders[slot as usize].traits, change);
    }

    /// Copies another store, reusing memory; `clone_from` of a map would allocate anew.
    pub(in crate::world) fn begin_as(&mut self, start: &ShapeStore) {
        let ShapeStore { slots, colliders, links, proxies, named_filters, recent: _ } = start;
        self.slots.clone_from(slots);
        self.colliders.clone_from(colliders);
        self.links.clone_from(links);
        self.proxies.clone_from(proxies);
        if self.named_filters != *named_filters {
            self.named_filters.clone_from(named_filters);
        }
    }

    /// Seals the columns that steps do not change.
    pub(in crate::world) fn seal(&mut self) {
        self.slots.seal();
        self.colliders.seal();
        self.links.seal();
        let Proxies { rows, placed: _, local, locals, form, forms, free: _, retired: _ } = &mut self.proxies;
        rows.seal();
        local.seal();
        locals.seal();
        form.seal();
        forms.seal();
    }
}

/// The parts of all shapes: proxies of the grid.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    pub(crate) rows: Sealed<Vec<Proxy>>,
    pub(crate) placed: AlignedRows<PlacedRow>,
    /// Number of the row in the frame of the body.
    pub(crate) local: Sealed<Vec<u32>>,
    pub(crate) locals: Sealed<LocalRows>,
    /// Index of the form.
    pub(crate) form: Sealed<Vec<u32>>,
    pub(crate) forms: Sealed<Forms>,
    pub(in crate::world) free: Vec<u32>,
    /// Indices released since the grid last looked for pairs; not reused before it looks again.
    pub(in crate::world) retired: Vec<u32>,
}

crate::state::clone_by_field! { Proxies { rows, placed, local, locals, form, forms, free, retired } }

impl Proxies {
    /// A part in the frame of its body.
    #[inline]
    pub(crate) fn local_of(&self, part: u32) -> &LocalRow {
        self.locals.row(self.local[part as usize])
    }
}
