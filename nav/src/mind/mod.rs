//! State machines as checked tables.
