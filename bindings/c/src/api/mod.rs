//! The safe functions behind the header, by its groups: each shim of `exports` calls the function
//! of the same name here. Answers that are lists lie in the object that was asked.

mod bodies;
mod crowds;
mod definitions;
mod events;
mod geometry;
mod hooks;
mod joints;
mod library;
mod maps;
mod math;
mod meshes;
mod motion;
mod movers;
mod pieces;
mod queries;
mod shapes;
mod snapshots;
mod world;

pub(crate) use bodies::*;
pub(crate) use crowds::*;
pub(crate) use definitions::*;
pub(crate) use events::*;
pub(crate) use geometry::*;
pub(crate) use hooks::*;
pub(crate) use joints::*;
pub(crate) use library::*;
pub(crate) use maps::*;
pub(crate) use math::*;
pub(crate) use meshes::*;
pub(crate) use motion::*;
pub(crate) use movers::*;
pub(crate) use pieces::*;
pub(crate) use queries::*;
pub(crate) use shapes::*;
pub(crate) use snapshots::*;
pub(crate) use world::*;

/// Fills a list from an iterator, and returns it.
fn listed<T, U>(list: &mut Vec<T>, from: impl IntoIterator<Item = U>) -> &[T]
where
    T: From<U>,
{
    list.clear();
    list.extend(from.into_iter().map(T::from));
    list
}
