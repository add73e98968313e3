//! The oracle of tests: compares every box with every other.
//!
//! In and out: as [`Grid`](super::Grid), method by method. Tests compare the grid with it; nothing
//! else should use it.

use glam::IVec2;

use super::{Activity, Pair, WorldAabb};
use crate::bounds::Aabb;

/// Finds the same pairs and boxes as [`Grid`](super::Grid), by comparing every box with every
/// other.
#[derive(Clone, Debug, Default)]
pub struct BruteForce {
    proxies: Vec<Option<Proxy>>,
    pairs: Vec<Pair>,
    added: Vec<Pair>,
    removed: Vec<Pair>,
}

#[derive(Clone, Copy, Debug)]
struct Proxy {
    aabb: WorldAabb,
    activity: Activity,
    group: u32,
}

impl Proxy {
    fn pairs_with(&self, other: &Proxy) -> bool {
        (self.activity == Activity::Active || other.activity == Activity::Active)
            && (self.group == 0 || self.group != other.group)
            && self.aabb.is_valid()
            && other.aabb.is_valid()
            && self.aabb.overlaps(&other.aabb)
    }
}

impl BruteForce {
    /// Makes an empty set of boxes.
    #[must_use]
    pub fn new() -> BruteForce {
        BruteForce::default()
    }

    fn proxy(&mut self, id: u32) -> Option<&mut Proxy> {
        self.proxies.get_mut(id as usize)?.as_mut()
    }

    /// As [`Grid::insert`](super::Grid::insert).
    pub fn insert(&mut self, id: u32, aabb: impl Into<WorldAabb>, activity: Activity) {
        if id == u32::MAX {
            return;
        }
        let needed = id as usize + 1;
        if self.proxies.len() < needed {
            self.proxies.resize(needed, None);
        }
        self.proxies[id as usize] = Some(Proxy { aabb: aabb.into(), activity, group: 0 });
    }

    /// As [`Grid::update`](super::Grid::update).
    pub fn update(&mut self, id: u32, aabb: impl Into<WorldAabb>) {
        if let Some(proxy) = self.proxy(id) {
            proxy.aabb = aabb.into();
        }
    }

    /// As [`Grid::set_activity`](super::Grid::set_activity).
    pub fn set_activity(&mut self, id: u32, activity: Activity) {
        if let Some(proxy) = self.proxy(id) {
            proxy.activity = activity;
        }
    }

    /// As [`Grid::set_group`](super::Grid::set_group).
    pub fn set_group(&mut self, id: u32, group: u32) {
        if let Some(proxy) = self.proxy(id) {
            proxy.group = group;
        }
    }

    /// As [`Grid::remove`](super::Grid::remove).
    pub fn remove(&mut self, id: u32) -> bool {
        self.proxies.get_mut(id as usize).is_some_and(|proxy| proxy.take().is_some())
    }

    /// As [`Grid::clear`](super::Grid::clear).
    pub fn clear(&mut self) {
        self.proxies.clear();
    }

    /// As [`Grid::contains`](super::Grid::contains).
    #[must_use]
    pub fn contains(&self, id: u32) -> bool {
        self.aabb(id).is_some()
    }

    /// As [`Grid::aabb`](super::Grid::aabb).
    #[must_use]
    pub fn aabb(&self, id: u32) -> Option<WorldAabb> {
        self.proxies.get(id as usize)?.map(|proxy| proxy.aabb)
    }

    /// As [`Grid::len`](super::Grid::len).
    #[must_use]
    pub fn len(&self) -> usize {
        self.proxies.iter().flatten().count()
    }

    /// As [`Grid::is_empty`](super::Grid::is_empty).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`Grid::find_pairs`](super::Grid::find_pairs).
    pub fn find_pairs(&mut self) {
        let mut pairs = Vec::new();
        for (a, first) in self.present() {
            for (b, second) in self.present().filter(|&(b, _)| b > a) {
                if first.pairs_with(second) {
                    pairs.push(Pair { a, b });
                }
            }
        }
        let before = core::mem::replace(&mut self.pairs, pairs);
        let missing = |from: &[Pair], pair: &Pair| from.binary_search(pair).is_err();
        self.added = self.pairs.iter().filter(|pair| missing(&before, pair)).copied().collect();
        self.removed = before.iter().filter(|pair| missing(&self.pairs, pair)).copied().collect();
    }

    /// As [`Grid::pairs`](super::Grid::pairs).
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// As [`Grid::added`](super::Grid::added).
    #[must_use]
    pub fn added(&self) -> &[Pair] {
        &self.added
    }

    /// As [`Grid::removed`](super::Grid::removed).
    #[must_use]
    pub fn removed(&self) -> &[Pair] {
        &self.removed
    }

    /// As [`Grid::visit`](super::Grid::visit).
    pub fn visit(
        &self,
        origin: IVec2,
        mut wanted: impl FnMut(&Aabb) -> bool,
        mut visit: impl FnMut(u32) -> bool,
    ) {
        for (id, proxy) in self.present().filter(|(_, proxy)| proxy.aabb.is_valid()) {
            if wanted(&proxy.aabb.relative_to(origin)) && !visit(id) {
                return;
            }
        }
    }

    /// As [`Grid::query`](super::Grid::query).
    pub fn query(&self, aabb: &WorldAabb, mut visit: impl FnMut(u32) -> bool) {
        for (id, proxy) in self.present() {
            let is_hit = aabb.is_valid() && proxy.aabb.is_valid() && proxy.aabb.overlaps(aabb);
            if is_hit && !visit(id) {
                return;
            }
        }
    }

    /// As [`Grid::visit_nearest`](super::Grid::visit_nearest), but in the order of ids.
    pub fn visit_nearest(
        &self,
        origin: IVec2,
        mut key: impl FnMut(&Aabb) -> f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        let mut bound = f32::INFINITY;
        for (id, proxy) in self.present().filter(|(_, proxy)| proxy.aabb.is_valid()) {
            let promise = key(&proxy.aabb.relative_to(origin));
            if promise < f32::INFINITY && promise <= bound {
                bound = visit(id);
            }
        }
    }

    fn present(&self) -> impl Iterator<Item = (u32, &Proxy)> {
        self.proxies.iter().enumerate().filter_map(|(id, proxy)| Some((id as u32, proxy.as_ref()?)))
    }
}
