//! How serde writes the few things that would not survive every format unchanged. The feature is `serde`.
//!
//! Everything else is derived where it is declared. An [`Index`](crate::Index) and a [`Space`](crate::Space) are
//! validated when they are read, so a broken one is a deserialization error and never exists. A bare structure is not
//! validated: without its boxes it means nothing.
//!
//! What is written names the fields of this version, and other versions may not read it. A
//! [snapshot](crate::snapshot) says which version it has.

/// A box that may be empty, as an option: the corners of the empty box are infinite, and not every format can express
/// that.
pub(crate) mod hull {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::geometry::{Aabb, Scalar};

    pub(crate) fn serialize<S: Scalar, F: Serializer>(hull: &Aabb<S>, format: F) -> Result<F::Ok, F::Error> {
        hull.is_ordered().then_some(hull).serialize(format)
    }

    pub(crate) fn deserialize<'de, S: Scalar, F: Deserializer<'de>>(format: F) -> Result<Aabb<S>, F::Error> {
        Option::deserialize(format).map(|hull| hull.unwrap_or(Aabb::EMPTY))
    }
}

/// Many boxes that may be empty.
pub(crate) mod hulls {
    use alloc::vec::Vec;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::geometry::{Aabb, Scalar};

    #[derive(Serialize, Deserialize)]
    #[serde(bound = "S: Scalar")]
    struct Hull<S>(#[serde(with = "super::hull")] Aabb<S>);

    pub(crate) fn serialize<S: Scalar, F: Serializer>(hulls: &[Aabb<S>], format: F) -> Result<F::Ok, F::Error> {
        format.collect_seq(hulls.iter().copied().map(Hull))
    }

    pub(crate) fn deserialize<'de, S: Scalar, F: Deserializer<'de>>(format: F) -> Result<Vec<Aabb<S>>, F::Error> {
        let hulls = Vec::<Hull<S>>::deserialize(format)?;
        Ok(hulls.into_iter().map(|Hull(hull)| hull).collect())
    }
}

/// Slots with things, each as a tuple of one: formats for which nothing is `null` do not tell an optional thing that is
/// nothing, as `()` is, from none.
pub(crate) mod slots {
    use alloc::vec::Vec;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<G: Serialize, T: Serialize, F: Serializer>(
        slots: &[(G, Option<T>)],
        format: F,
    ) -> Result<F::Ok, F::Error> {
        format.collect_seq(slots.iter().map(|(generation, thing)| (generation, thing.as_ref().map(|thing| (thing,)))))
    }

    pub(crate) fn deserialize<'de, G: Deserialize<'de>, T: Deserialize<'de>, F: Deserializer<'de>>(
        format: F,
    ) -> Result<Vec<(G, Option<T>)>, F::Error> {
        let slots = Vec::<(G, Option<(T,)>)>::deserialize(format)?;
        Ok(slots.into_iter().map(|(generation, thing)| (generation, thing.map(|(thing,)| thing))).collect())
    }
}

/// A map as a list of pairs: many formats want keys to be strings.
pub(crate) mod pairs {
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<K: Serialize, V: Serialize, F: Serializer>(
        map: &BTreeMap<K, V>,
        format: F,
    ) -> Result<F::Ok, F::Error> {
        format.collect_seq(map)
    }

    pub(crate) fn deserialize<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>, F: Deserializer<'de>>(
        format: F,
    ) -> Result<BTreeMap<K, V>, F::Error> {
        Ok(Vec::deserialize(format)?.into_iter().collect())
    }
}
