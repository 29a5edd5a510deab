//! Many agents with the same goals.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use quadrille_paths::{Cell, CellRect, FlowField};

use super::cell_map::CellMap;

/// Goals that any number of agents walk to. Its entity has a [`CrowdField`], which has the next cell for every agent,
/// and follows these goals and all changes of the map.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
pub struct Crowd {
    /// The entity with the [`CellMap`].
    pub map: Entity,
    /// Each agent goes to the nearest of these.
    pub goals: Vec<Cell>,
}

/// The way from each cell to the nearest goal of a [`Crowd`].
#[derive(Component, Debug)]
pub struct CrowdField {
    field: FlowField,
    map: Entity,
    /// All cells of that map.
    cells: CellRect,
}

impl CrowdField {
    /// Where to go from a cell; at a goal, the goal itself. `None` if no goal can be reached.
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        self.field.next(cell)
    }

    /// The field itself, for lengths and whole paths.
    pub fn field(&self) -> &FlowField {
        &self.field
    }
}

/// Makes the field of each crowd, and keeps it up to date; anew if the crowd was disabled.
pub(super) fn follow_maps(
    maps: Query<'_, '_, Ref<'_, CellMap>, Allow<Disabled>>,
    mut woken: RemovedComponents<'_, '_, Disabled>,
    mut crowds: Query<'_, '_, (Entity, Ref<'_, Crowd>, Option<&mut CrowdField>)>,
    mut commands: Commands<'_, '_>,
) {
    let woken: Vec<Entity> = woken.read().collect();
    for (entity, crowd, field) in &mut crowds {
        let is_new = crowd.is_changed() || woken.contains(&entity);
        let Ok(map) = maps.get(crowd.map) else {
            commands.entity(entity).try_remove::<CrowdField>();
            continue;
        };
        let cells = map.grid().bounds();
        match field {
            // A map of another size is another level.
            Some(mut known) if known.map == crowd.map && known.cells == cells && !is_new => {
                if map.is_changed() {
                    known.field.repair(&map);
                }
            }
            _ => {
                let field = FlowField::to_nearest(&map, &crowd.goals, cells);
                commands.entity(entity).try_insert(CrowdField { field, map: crowd.map, cells });
            }
        }
    }
}
