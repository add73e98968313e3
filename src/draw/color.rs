//! Colours of debug drawing.

/// A colour: red, green, blue and opacity, 0 to 255 each, as screens and picture files take them.
///
/// The named colours stand out on white and on dark ground alike, and colour-blind eyes tell them
/// apart (after Okabe and Ito, "Color universal design", 2008, brought to a middle lightness).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity.
    pub a: u8,
}

impl Color {
    /// Fixed bodies.
    pub const GREY: Color = Color::rgb(0x80, 0x89, 0x91);
    /// Dynamic bodies.
    pub const BLUE: Color = Color::rgb(0x2a, 0x7f, 0xc6);
    /// Motors and impulses.
    pub const ORANGE: Color = Color::rgb(0xd0, 0x7a, 0x00);
    /// Sensors.
    pub const GREEN: Color = Color::rgb(0x12, 0x92, 0x6c);
    /// Contacts.
    pub const RED: Color = Color::rgb(0xd6, 0x4a, 0x33);
    /// Kinematic bodies.
    pub const PURPLE: Color = Color::rgb(0xa9, 0x62, 0xad);
    /// Velocities.
    pub const SKY: Color = Color::rgb(0x2e, 0x95, 0xb8);
    /// Joints.
    pub const GOLD: Color = Color::rgb(0x9c, 0x85, 0x10);

    /// Colours for numbered things.
    pub const PALETTE: [Color; 7] =
        [Color::BLUE, Color::ORANGE, Color::GREEN, Color::RED, Color::PURPLE, Color::SKY, Color::GOLD];

    /// Makes an opaque colour.
    #[must_use]
    pub const fn rgb(r: u8, g: u8, b: u8) -> Color {
        Color { r, g, b, a: 255 }
    }

    /// Makes a colour with an opacity.
    #[must_use]
    pub const fn rgba(r: u8, g: u8, b: u8, a: u8) -> Color {
        Color { r, g, b, a }
    }

    /// Returns the colour with another opacity.
    #[must_use]
    pub const fn alpha(self, a: u8) -> Color {
        Color { a, ..self }
    }

    /// Returns the colour half way to grey, and half as opaque: for sleeping bodies and the
    /// background.
    #[must_use]
    pub const fn pale(self) -> Color {
        const fn middle(x: u8, y: u8) -> u8 {
            ((x as u16 + y as u16) / 2) as u8
        }
        let Color { r, g, b, .. } = Color::GREY;
        Color { r: middle(self.r, r), g: middle(self.g, g), b: middle(self.b, b), a: self.a / 2 + 16 }
    }

    /// Returns a colour of the palette for any number: close numbers get different colours.
    #[must_use]
    pub const fn numbered(number: u32) -> Color {
        Color::PALETTE[number as usize % Color::PALETTE.len()]
    }
}
