//! The units of all three games, and the dice that place them.

/// The world is a square.
pub const SIDE: f32 = 1000.0;

/// A square that moves.
pub struct Unit {
    pub at: [f32; 2],
    pub step: [f32; 2],
    pub half: f32,
}

impl Unit {
    pub fn drawn(dice: &mut Dice) -> Self {
        let at = [dice.roll() * SIDE, dice.roll() * SIDE];
        Self { at, step: [dice.roll() - 0.5, dice.roll() - 0.5], half: 1.0 + dice.roll() }
    }

    /// Moves it by a step. At a wall it turns around.
    pub fn go(&mut self) {
        for axis in 0..2 {
            self.at[axis] += self.step[axis];
            if self.at[axis] < 0.0 || self.at[axis] > SIDE {
                self.step[axis] = -self.step[axis];
            }
        }
    }
}

pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}
