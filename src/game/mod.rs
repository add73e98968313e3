//! What a game loop wants on top of a world.
