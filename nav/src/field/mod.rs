//! Fields over a whole map.

mod flow;
mod order;
mod wave;

pub use flow::Flow;

#[cfg(test)]
mod tests;
