//! Layers and masks: which boxes may form a pair.

/// The layers that a box is on and those that it wants to meet: 32 layers, one bit each. 8 bytes.
///
/// In the manual: `docs/concepts.md#layers`.
///
/// By default a box is on all layers and wants to meet all of them. Layers decide about pairs. A query can be
/// restricted to what is [on some layers](crate::OnLayers), whatever that wants to meet.
///
/// ```
/// use quadrille::{Agreement, Layers};
///
/// const PLAYERS: u32 = 1;
/// const WALLS: u32 = 2;
/// let player = Layers::new(PLAYERS, PLAYERS | WALLS);
/// let wall = Layers::new(WALLS, 0);
/// assert!(!player.meets(wall, Agreement::Both), "the wall does not want to");
/// assert!(player.meets(wall, Agreement::Either));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Layers {
    /// The layers it is on.
    pub own: u32,
    /// The layers it wants to meet.
    pub mask: u32,
}

/// When two boxes meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Agreement {
    /// If each is on a layer that the other wants to meet.
    #[default]
    Both,
    /// If at least one of them is on a layer that the other wants to meet.
    Either,
}

impl Layers {
    /// On all layers, meeting all.
    pub const ALL: Self = Self { own: u32::MAX, mask: u32::MAX };
    /// On no layer, meeting none: the identity element of [`union`](Self::union).
    pub const NONE: Self = Self { own: 0, mask: 0 };

    /// On the layers in `own`, meeting those in `mask`.
    #[must_use]
    pub const fn new(own: u32, mask: u32) -> Self {
        Self { own, mask }
    }

    /// The layers of either. If the union does not meet a third set, neither of the two does: that is why nodes keep
    /// unions.
    #[must_use]
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self { own: self.own | other.own, mask: self.mask | other.mask }
    }

    /// `true` if the two meet. Symmetric.
    #[must_use]
    #[inline]
    pub const fn meets(self, other: Self, agreement: Agreement) -> bool {
        let (wanted, wants) = (self.own & other.mask != 0, other.own & self.mask != 0);
        match agreement {
            Agreement::Both => wanted & wants,
            Agreement::Either => wanted | wants,
        }
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self::ALL
    }
}
