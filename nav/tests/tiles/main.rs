//! Searches on tiles, held against published lengths, each other, and checkers that share no code with them.

mod common;
mod moving_ai;
mod random_maps;
