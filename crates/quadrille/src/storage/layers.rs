//! Layers and masks: which boxes may form a pair.

/// The layers that a box is on, and its mask: the layers that it collides with. 32 layers, one bit each. 8 bytes.
///
/// In the manual: `docs/concepts.md#layers`.
///
/// By default a box is on all layers and collides with all of them. Layers decide which boxes can form pairs. A query
/// can be limited to boxes [on some layers](crate::OnLayers), whatever their masks say.
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
    /// The mask: the layers that it collides with.
    pub mask: u32,
}

/// When two boxes meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Agreement {
    /// If each is on a layer of the other's mask.
    #[default]
    Both,
    /// If at least one of them is on a layer of the other's mask.
    Either,
}

impl Layers {
    /// On all layers, with a mask of all.
    pub const ALL: Self = Self { own: u32::MAX, mask: u32::MAX };
    /// On no layer, with an empty mask: the identity element of [`union`](Self::union).
    pub const NONE: Self = Self { own: 0, mask: 0 };

    /// On the layers in `own`, with this mask.
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

    /// `true` if the two can form a pair. Symmetric.
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
