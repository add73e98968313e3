//! What a player holds down.

/// Keys as bits, as `web/keys.js` numbers them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keys(pub u32);

impl Keys {
    const LEFT: u32 = 1;
    const RIGHT: u32 = 2;
    const UP: u32 = 4;
    const DOWN: u32 = 8;
    const JUMP: u32 = 16;

    fn is_down(self, key: u32) -> bool {
        self.0 & key != 0
    }

    /// -1 to the left, 1 to the right, 0 for neither or both.
    #[must_use]
    pub fn across(self) -> f32 {
        f32::from(u8::from(self.is_down(Keys::RIGHT))) - f32::from(u8::from(self.is_down(Keys::LEFT)))
    }

    /// Whether up is held.
    #[must_use]
    pub fn up(self) -> bool {
        self.is_down(Keys::UP)
    }

    /// Whether down is held.
    #[must_use]
    pub fn down(self) -> bool {
        self.is_down(Keys::DOWN)
    }

    /// Whether jump is held.
    #[must_use]
    pub fn jump(self) -> bool {
        self.is_down(Keys::JUMP)
    }
}
