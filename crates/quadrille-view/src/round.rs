//! The next structure and the next scene; the first follows the last.

/// The one of all after this one.
pub(crate) fn next<T: Copy + PartialEq>(all: &[T], one: T) -> T {
    let after = all.iter().cycle().skip_while(|&&other| other != one).nth(1);
    after.copied().unwrap_or(one)
}

#[cfg(test)]
mod tests {
    use quadrille::structures::StructureKind;
    use quadrille_scenes::SceneKind;

    use super::*;

    #[test]
    fn going_on_and_on_comes_round() {
        let mut kind = SceneKind::Uniform;
        for &expected in SceneKind::ALL.iter().skip(1).chain([&SceneKind::Uniform]) {
            kind = next(SceneKind::ALL, kind);
            assert_eq!(kind, expected);
        }
        let all = StructureKind::ALL;
        assert_eq!(all.last().map(|&last| next(all, last)), all.first().copied());
    }
}
