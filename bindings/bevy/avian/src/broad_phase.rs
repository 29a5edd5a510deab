//! The plugin: finds new pairs and makes contacts of them.

use core::marker::PhantomData;
use std::time::Instant;

use avian2d::collider_tree::{
    ColliderTreeProxy, ColliderTreeProxyFlags, ColliderTreeProxyKey, ColliderTreeType, ColliderTrees, MovedProxies,
};
use avian2d::collision::CollisionDiagnostics;
use avian2d::collision::contact_types::ContactEdgeFlags;
use avian2d::data_structures::pair_key::PairKey;
use avian2d::dynamics::solver::joint_graph::JointGraph;
use avian2d::prelude::*;
use bevy::ecs::system::{StaticSystemParam, SystemParamItem};
use bevy::prelude::*;

use crate::boxes::ProxyBoxes;

/// Replaces Avian's `BvhBroadPhasePlugin`.
pub struct QuadrilleBroadPhasePlugin<H: CollisionHooks = ()>(PhantomData<H>);

impl<H: CollisionHooks> Default for QuadrilleBroadPhasePlugin<H> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<H: CollisionHooks + 'static> Plugin for QuadrilleBroadPhasePlugin<H>
where
    for<'w, 's> SystemParamItem<'w, 's, H>: CollisionHooks,
{
    fn build(&self, app: &mut App) {
        let system = collect_pairs::<H>.in_set(BroadPhaseSystems::CollectCollisions);
        app.init_resource::<ProxyBoxes>().add_systems(PhysicsSchedule, system);
    }
}

fn collect_pairs<H: CollisionHooks>(
    trees: Res<ColliderTrees>,
    moved: Res<MovedProxies>,
    hooks: StaticSystemParam<H>,
    mut boxes: ResMut<ProxyBoxes>,
    mut contacts: ResMut<ContactGraph>,
    joints: Res<JointGraph>,
    mut diagnostics: ResMut<CollisionDiagnostics>,
    mut commands: Commands,
) where
    for<'w, 's> SystemParamItem<'w, 's, H>: CollisionHooks,
{
    let start = Instant::now();
    let hooks = hooks.into_inner();
    boxes.follow(&trees, moved.proxies());
    let (mut found, mut gone) = (Vec::new(), Vec::new());
    boxes.pairs(
        moved.proxies(),
        |key| moved.contains(key),
        |a, b| {
            let (Some(one), Some(other)) = (trees.get_proxy(a), trees.get_proxy(b)) else {
                gone.extend([a, b].into_iter().filter(|&key| trees.get_proxy(key).is_none()));
                return;
            };
            if can_collide((a, one), (b, other), &contacts, &joints)
                && (!(one.flags | other.flags).contains(ColliderTreeProxyFlags::CUSTOM_FILTER)
                    || hooks.filter_pairs(one.collider, other.collider, &mut commands))
            {
                found.push((one, other));
            }
        },
    );
    found.into_iter().for_each(|(one, other)| add_contact(&mut contacts, one, other));
    boxes.forget(gone);
    diagnostics.broad_phase += start.elapsed();
}

/// Whether this is a new pair of colliders that may collide. Hooks decide later.
fn can_collide(
    (a, one): (ColliderTreeProxyKey, &ColliderTreeProxy),
    (b, other): (ColliderTreeProxyKey, &ColliderTreeProxy),
    contacts: &ContactGraph,
    joints: &JointGraph,
) -> bool {
    let are_static = [a, b].iter().all(|key| key.tree_type() == ColliderTreeType::Static);
    let is_disabled = |one, other| joints.joints_between(one, other).any(|edge| edge.collision_disabled);
    one.layers.interacts_with(other.layers)
        && one.body != other.body
        && !(are_static && !one.is_sensor() && !other.is_sensor())
        && !contacts.contains_key(&PairKey::new(one.collider.index_u32(), other.collider.index_u32()))
        && !one.body.zip(other.body).is_some_and(|(one, other)| is_disabled(one, other))
}

fn add_contact(contacts: &mut ContactGraph, one: &ColliderTreeProxy, other: &ColliderTreeProxy) {
    let flags = one.flags | other.flags;
    let mut edge = ContactEdge::new(one.collider, other.collider);
    (edge.body1, edge.body2) = (one.body, other.body);
    edge.flags.set(ContactEdgeFlags::CONTACT_EVENTS, flags.contains(ColliderTreeProxyFlags::CONTACT_EVENTS));
    contacts.add_edge_with(edge, |pair| {
        (pair.body1, pair.body2) = (one.body, other.body);
        let modifies = flags.contains(ColliderTreeProxyFlags::MODIFY_CONTACTS);
        let is_felt = !flags.intersects(ColliderTreeProxyFlags::BODY_DISABLED | ColliderTreeProxyFlags::SENSOR);
        pair.flags.set(ContactPairFlags::MODIFY_CONTACTS, modifies);
        pair.flags.set(ContactPairFlags::GENERATE_CONSTRAINTS, is_felt);
    });
}
