//! A mesh.
pub(crate) mod audit;
pub(crate) mod cdt;
mod cover;
pub(crate) mod fixed;
pub(crate) mod obstacles;
pub(crate) mod walls;

#[cfg(test)]
mod tests;
