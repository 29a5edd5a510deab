// What a stranger may pass: maps without cells, agents without size or larger than the map, sets of nothing, boxes as
// wide as numbers go. Every call answers.
#include <math.h>

#include "check.h"

static void maps_of_nothing(void) {
  QuadrilleMap map;
  QuadrilleCell cells[] = {{0, 0}, {3, 3}}, there;
  size_t first = 7;
  uint8_t found = 7;
  OK(quadrille_map_new(NULL, 0, 0, "octile", &map));
  OK(quadrille_map_flow(map, cells, 0, 0, NULL, NULL));
  OK(quadrille_map_get(map, cells[0], 0, 0, NULL));
  CHECK(quadrille_map_nearest_free(map, cells[0], NULL, &found, &there) == QUADRILLE_STATUS_ID);
  CHECK(quadrille_map_would_close(map, cells[0], 0, 0, cells, 0, cells[0], &first) == QUADRILLE_STATUS_ID);
  OK(quadrille_map_free(map));
}

static void rectangles_off_the_map(void) {
  uint8_t free[16];
  memset(free, 1, sizeof free);
  QuadrilleMap map;
  QuadrilleCell cells[] = {{0, 0}, {3, 3}}, reached[16];
  QuadrilleCells room = {reached, 16, 0};
  double costs[16];
  size_t first = 7;
  OK(quadrille_map_new(free, 4, 4, "octile", &map));
  CHECK(quadrille_map_would_close(map, cells[0], UINT32_MAX, UINT32_MAX, cells, 2, cells[1], &first) ==
        QUADRILLE_STATUS_ID);
  CHECK(quadrille_map_get(map, cells[1], 2, 1, free) == QUADRILLE_STATUS_ID);
  OK(quadrille_map_would_close(map, cells[0], 4, 4, cells, 2, cells[1], &first));
  CHECK(first == 0);
  OK(quadrille_map_would_close(map, cells[0], 0, 0, cells, 2, cells[1], &first));
  CHECK(first == 2);
  OK(quadrille_map_reach(map, cells[0], INFINITY, &room, costs));
  CHECK(room.count == 16);
  OK(quadrille_map_set(map, cells, 1, 0));
  OK(quadrille_map_reach(map, cells[0], 5, &room, costs));
  CHECK(room.count == 0);
  OK(quadrille_map_free(map));
}

static void agents_of_all_sizes(void) {
  uint8_t kinds[16];
  uint32_t weights[64], counts[1];
  memset(kinds, 0, sizeof kinds);
  memset(weights, 0, sizeof weights);
  QuadrilleAgents classes[] = {{1, 0}, {UINT64_MAX, UINT32_MAX}, {1, 7}}, other = {5, UINT32_MAX - 1};
  QuadrilleCell start[] = {{0, 0}}, goal[] = {{3, 3}};
  double costs[1];
  QuadrilleTerrain terrain;
  OK(quadrille_terrain_new(kinds, 4, 4, "octile", classes, 3, &terrain));
  OK(quadrille_terrain_paths(terrain, classes[0], weights, start, goal, 1, counts, costs, NULL));
  CHECK(counts[0] == 4);
  for (int at = 1; at < 4; at++) {
    OK(quadrille_terrain_paths(terrain, at < 3 ? classes[at] : other, weights, start, goal, 1, counts, costs, NULL));
    CHECK(counts[0] == 0 && isinf(costs[0]));
  }
  CHECK(quadrille_terrain_edit(terrain, goal[0], 2, 2, kinds) == QUADRILLE_STATUS_ID);
  OK(quadrille_terrain_free(terrain));
}

static void sets_of_nothing(void) {
  QuadrilleShapes none, empty;
  QuadrilleWkb rows[] = {{NULL, 99}, {(const uint8_t *)"", 0}};
  QuadrillePair found[4];
  QuadrillePairs pairs = pairs_in(found, 4);
  OK(quadrille_shapes_new(NULL, 0, &none));
  OK(quadrille_shapes_new(rows, 1, &empty));
  OK(quadrille_shapes_join(none, empty, "disjoint", &pairs));
  CHECK(pairs.count == 0);
  OK(quadrille_shapes_nearest(empty, empty, SIZE_MAX, INFINITY, 1, &pairs, NULL));
  CHECK(pairs.count == 0);
  CHECK(quadrille_shapes_new(rows, 2, &none) == QUADRILLE_STATUS_VALUE);
  CHECK(quadrille_shapes_new(rows, SIZE_MAX / 8, &none) == QUADRILLE_STATUS_VALUE);
  OK(quadrille_shapes_free(empty));
  OK(quadrille_shapes_free(none));

  QuadrilleFixes fixes = {0, NULL, NULL, NULL, NULL, NULL};
  QuadrilleTrackRules rules = {0, 0, 0};
  QuadrilleEncounterLimits limits = {1, 0, 0, 0};
  QuadrilleEncounters met = {NULL, 0, 7};
  QuadrilleTracks tracks;
  OK(quadrille_tracks_new(fixes, rules, &tracks));
  OK(quadrille_tracks_encounters(tracks, limits, &met));
  CHECK(met.count == 0);
  OK(quadrille_tracks_free(tracks));
  rules.max_gap = -1;
  REFUSED(QUADRILLE_STATUS_VALUE, "-1", quadrille_tracks_new(fixes, rules, &tracks));
  rules.max_gap = 0, rules.max_speed = NAN;
  CHECK(quadrille_tracks_new(fixes, rules, &tracks) == QUADRILLE_STATUS_VALUE);
}

static void boxes_without_end(void) {
  float rows[] = {-3e38f, -3e38f, 3e38f, 3e38f, 0, 0, 0, 0};
  QuadrillePair found[4];
  QuadrillePairs pairs = pairs_in(found, 4);
  const char *name;
  for (size_t number = 0; (name = quadrille_structure_name(number)) != NULL; number++) {
    QuadrilleBoxes boxes;
    OK(quadrille_boxes_new(name, quadrille_boxes_f32(NULL, 0, 0), &boxes));
    OK(quadrille_boxes_pairs_within(boxes, INFINITY, &pairs, NULL));
    CHECK(pairs.count == 0);
    OK(quadrille_boxes_update(boxes, quadrille_boxes_f32(rows, 2, 0)));
    OK(quadrille_boxes_pairs_within(boxes, INFINITY, &pairs, NULL));
    CHECK(pairs.count == 1);
    CHECK(quadrille_boxes_pairs_within(boxes, NAN, &pairs, NULL) == QUADRILLE_STATUS_VALUE);
    OK(quadrille_boxes_free(boxes));
  }
}

int main(void) {
  maps_of_nothing();
  rectangles_off_the_map();
  agents_of_all_sizes();
  sets_of_nothing();
  boxes_without_end();
  puts("hostile: all well");
  return 0;
}
