//! The next structure and the next scene; the first follows the last.

use quadrille::structures::StructureKind;
use quadrille_scenes::SceneKind;

/// The structure after this one.
pub(crate) fn next_structure(kind: StructureKind) -> StructureKind {
    next(StructureKind::ALL, kind)
}

/// The scene after this one.
pub(crate) fn next_scene(kind: SceneKind) -> SceneKind {
    next(SceneKind::ALL, kind)
}

fn next<T: Copy + PartialEq>(all: &[T], one: T) -> T {
    let after = all.iter().cycle().skip_while(|&&other| other != one).nth(1);
    after.copied().unwrap_or(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_on_and_on_comes_round() {
        let mut kind = SceneKind::Uniform;
        for &expected in SceneKind::ALL.iter().skip(1).chain([&SceneKind::Uniform]) {
            kind = next_scene(kind);
            assert_eq!(kind, expected);
        }
        assert_eq!(StructureKind::ALL.last().copied().map(next_structure), StructureKind::ALL.first().copied());
    }
}
