// Maps from C: paths, edits, flow fields, watches, and refusals.
#include <math.h>

#include "check.h"

enum { WIDTH = 9, HEIGHT = 5 };

static QuadrilleCell cell(uint32_t x, uint32_t y) {
  QuadrilleCell there = {x, y};
  return there;
}

// Free but for a wall in column 4 with a gap in the last row.
static QuadrilleMap map_with_wall(void) {
  uint8_t free[WIDTH * HEIGHT];
  memset(free, 1, sizeof free);
  for (int y = 0; y < HEIGHT - 1; y++) free[y * WIDTH + 4] = 0;
  QuadrilleMap map;
  OK(quadrille_map_new(free, WIDTH, HEIGHT, "octile", &map));
  return map;
}

static void paths_are_found(void) {
  QuadrilleMap map = map_with_wall();
  QuadrilleCell starts[] = {{0, 0}, {0, 4}, {4, 0}}, goals[] = {{8, 0}, {8, 4}, {0, 0}}, found[64];
  uint32_t counts[3];
  double lengths[3];
  QuadrilleCells cells = {found, LENGTH(found), 0};
  OK(quadrille_map_paths(map, NULL, starts, goals, 3, 0, INFINITY, counts, lengths, &cells));
  // No step cuts the corner of the wall: four of ten are straight.
  CHECK(counts[0] == 11 && counts[1] == 9 && counts[2] == 0 && cells.count == 20);
  CHECK(lengths[1] == 8 && fabs(lengths[0] - (4 + 6 * sqrt(2))) < 1e-9 && isinf(lengths[2]));
  CHECK(found[0].x == 0 && found[0].y == 0 && found[5].x == 4 && found[5].y == 4 && found[10].x == 8);
  for (int at = 1; at < 11; at++) {
    CHECK(abs((int)found[at].x - (int)found[at - 1].x) <= 1 && abs((int)found[at].y - (int)found[at - 1].y) <= 1);
  }

  // Too small a buffer: the paths are kept.
  cells.room = 19, found[0].x = 77;
  CHECK(quadrille_map_paths(map, NULL, starts, goals, 3, 0, INFINITY, counts, lengths, &cells) == QUADRILLE_STATUS_ROOM);
  QuadrilleKeptPaths kept;
  OK(quadrille_map_kept(map, &kept));
  CHECK(cells.count == 20 && found[0].x == 77 && kept.cell_count == 20 && kept.path_count == 3 && kept.counts[1] == 9);
  CHECK(kept.lengths[1] == 8 && kept.cells[11].y == 4);

  // Closed: as near as can be reached.
  QuadrilleCell gap[] = {{4, 4}};
  uint64_t before, after;
  OK(quadrille_map_version(map, &before));
  OK(quadrille_map_set(map, gap, 1, 0));
  OK(quadrille_map_version(map, &after));
  CHECK(before != after);
  uint8_t answer = 7;
  OK(quadrille_map_is_reachable(map, NULL, starts[0], goals[0], &answer));
  CHECK(answer == 0);
  OK(quadrille_map_paths(map, NULL, starts, goals, 1, 0, INFINITY, counts, lengths, NULL));
  CHECK(counts[0] == 0 && isinf(lengths[0]));
  cells.room = LENGTH(found);
  OK(quadrille_map_paths(map, NULL, starts, goals, 1, 1, INFINITY, counts, lengths, &cells));
  CHECK(counts[0] > 0 && found[counts[0] - 1].x == 3 && !isinf(lengths[0]));

  // A rectangle at once opens the wall in its middle.
  uint8_t free[] = {1, 1, 1, 1, 1, 1};
  OK(quadrille_map_edit(map, cell(3, 1), 3, 2, free));
  OK(quadrille_map_is_reachable(map, NULL, starts[0], goals[0], &answer));
  CHECK(answer == 1);
  OK(quadrille_map_free(map));
}

static void towers_and_units(void) {
  QuadrilleMap map = map_with_wall();
  QuadrilleCell starts[] = {{8, 0}, {0, 0}}, there;
  size_t first = 7;
  // The gap in the wall is the only way.
  OK(quadrille_map_would_close(map, NULL, cell(3, 4), 2, 1, 0, starts, 2, cell(8, 2), &first));
  CHECK(first == 1);
  OK(quadrille_map_would_close(map, NULL, cell(3, 3), 1, 1, 0, starts, 2, cell(8, 2), &first));
  CHECK(first == 2);
  uint8_t found = 7, free[WIDTH * HEIGHT];
  OK(quadrille_map_get(map, cell(0, 0), WIDTH, HEIGHT, free));
  CHECK(free[4] == 0 && free[3] == 1 && free[4 * WIDTH + 4] == 1);
  uint32_t width = 0, height = 0;
  OK(quadrille_map_size(map, &width, &height));
  CHECK(width == WIDTH && height == HEIGHT);

  OK(quadrille_map_nearest_free(map, NULL, cell(4, 0), NULL, &found, &there));
  CHECK(found == 1 && there.x == 3 && there.y == 0);
  QuadrilleCell gap[] = {{4, 4}};
  OK(quadrille_map_set(map, gap, 1, 0));
  OK(quadrille_map_nearest_free(map, NULL, cell(4, 0), starts, &found, &there));
  CHECK(found == 1 && there.x == 5 && there.y == 0);
  OK(quadrille_map_nearest_free(map, NULL, cell(4, 0), gap, &found, &there));
  CHECK(found == 0);
  OK(quadrille_map_set(map, gap, 1, 1));

  // Around the end of the wall in straight lines.
  double points[16], length = 0;
  size_t count = 0;
  OK(quadrille_map_taut_path(map, NULL, cell(0, 0), cell(8, 0), points, 8, &count, &length));
  CHECK(count == 4 && points[0] == 0.5 && points[2] == 4 && points[3] == 4 && points[4] == 5 && points[7] == 0.5);
  CHECK(fabs(length - (2 * sqrt(3.5 * 3.5 + 3.5 * 3.5) + 1)) < 1e-9);
  CHECK(quadrille_map_taut_path(map, NULL, cell(0, 0), cell(8, 0), points, 3, &count, &length) == QUADRILLE_STATUS_ROOM);
  OK(quadrille_map_taut_path(map, NULL, cell(0, 0), cell(4, 0), NULL, 0, &count, &length));
  CHECK(count == 0 && isinf(length));

  QuadrilleCell reached[WIDTH * HEIGHT];
  double costs[WIDTH * HEIGHT];
  QuadrilleCells cells = {reached, LENGTH(reached), 0};
  OK(quadrille_map_reach(map, NULL, cell(0, 0), 2, &cells, costs));
  CHECK(cells.count == 6 && costs[0] == 0 && reached[5].y == 2 && costs[5] == 2);
  REFUSED(QUADRILLE_STATUS_VALUE, "budget", quadrille_map_reach(map, NULL, cell(0, 0), NAN, &cells, costs));
  REFUSED(QUADRILLE_STATUS_NULL, "`costs`", quadrille_map_reach(map, NULL, cell(0, 0), 1, NULL, costs));

  // The same in slices, while something far away changes.
  QuadrilleGrowing growing;
  uint8_t is_done = 0;
  int calls = 0;
  OK(quadrille_map_begin_reach(map, NULL, cell(0, 0), 2, &growing));
  for (cells.count = 0; !is_done; calls++) {
    OK(quadrille_growing_reach(growing, map, 1, &cells, costs, &is_done));
    OK(quadrille_map_set(map, gap, 1, (uint8_t)(calls % 2)));
  }
  OK(quadrille_map_set(map, gap, 1, 1));
  CHECK(calls > 3 && cells.count == 6 && costs[0] == 0 && reached[5].y == 2 && costs[5] == 2);
  OK(quadrille_growing_reach(growing, map, 99, &cells, costs, &is_done));
  CHECK(is_done == 0);
  REFUSED(QUADRILLE_STATUS_VALUE, "a reach, not a flow",
          quadrille_growing_flow(growing, map, 9, WIDTH * HEIGHT, NULL, NULL, &is_done));
  OK(quadrille_growing_free(growing));
  CHECK(quadrille_growing_reach(growing, map, 9, &cells, costs, &is_done) == QUADRILLE_STATUS_HANDLE);
  REFUSED(QUADRILLE_STATUS_VALUE, "budget", quadrille_map_begin_reach(map, NULL, cell(0, 0), NAN, &growing));

  // No longer than that, or none.
  uint32_t counts[1];
  QuadrilleCell goal[] = {{8, 0}};
  OK(quadrille_map_paths(map, NULL, starts + 1, goal, 1, 0, 12.4, counts, NULL, NULL));
  CHECK(counts[0] == 0);
  OK(quadrille_map_paths(map, NULL, starts + 1, goal, 1, 0, 12.5, counts, NULL, NULL));
  CHECK(counts[0] == 11);
  REFUSED(QUADRILLE_STATUS_VALUE, "not both", quadrille_map_paths(map, NULL, starts, goal, 1, 1, 5, NULL, NULL, NULL));
  REFUSED(QUADRILLE_STATUS_VALUE, "NaN", quadrille_map_paths(map, NULL, starts, goal, 1, 0, NAN, NULL, NULL, NULL));
  OK(quadrille_map_free(map));
}

static void agents_walk_on_terrain(void) {
  // A swamp in column 4 but for a bridge in the last row.
  uint8_t kinds[WIDTH * HEIGHT];
  memset(kinds, 0, sizeof kinds);
  for (int y = 0; y < HEIGHT - 1; y++) kinds[y * WIDTH + 4] = 1;
  uint32_t weights[64], counts[1];
  QuadrilleAgents walkers = {1, 1, NULL}, heavy = {1, 1, weights}, light = {3, 1, NULL}, boots = {3, 1, weights};
  QuadrilleMap terrain;
  OK(quadrille_map_new_terrain(kinds, WIDTH, HEIGHT, "manhattan", &walkers, 1, &terrain));
  for (int kind = 0; kind < 64; kind++) weights[kind] = 1;
  QuadrilleCell starts[] = {{0, 0}}, goals[] = {{8, 0}}, found[32];
  QuadrilleCells cells = {found, LENGTH(found), 0};
  double costs[1];
  OK(quadrille_map_paths(terrain, &walkers, starts, goals, 1, 0, INFINITY, counts, costs, &cells));
  CHECK(counts[0] == 17 && costs[0] == 16);
  OK(quadrille_map_paths(terrain, &light, starts, goals, 1, 0, INFINITY, counts, costs, &cells));
  CHECK(counts[0] == 9 && costs[0] == 8);
  weights[1] = 20;
  OK(quadrille_map_paths(terrain, &boots, starts, goals, 1, 0, INFINITY, counts, costs, &cells));
  CHECK(costs[0] == 16);
  weights[1] = 3;
  OK(quadrille_map_paths(terrain, &boots, starts, goals, 1, 0, INFINITY, counts, costs, &cells));
  CHECK(counts[0] == 9 && costs[0] == 10);
  QuadrilleKeptPaths kept;
  OK(quadrille_map_kept(terrain, &kept));
  CHECK(kept.cell_count == 9 && kept.lengths[0] == 10);

  // Around the swamp it is 16, with the ferry 9 or 17.
  QuadrilleLink ferry[] = {{{3, 0}, {5, 0}, 3}};
  double cost;
  // Boots have no map: they wade at 10 where the ferry is more expensive.
  OK(quadrille_map_linked_path(terrain, &boots, starts[0], goals[0], ferry, 1, &cost, &kept));
  CHECK(cost == 9 && kept.link_count == 1);
  double flow[WIDTH * HEIGHT];
  int8_t steps[WIDTH * HEIGHT][2];
  OK(quadrille_map_flow(terrain, &boots, goals, 1, WIDTH * HEIGHT, flow, steps[0]));
  CHECK(flow[0] == 10 && steps[0][0] == 1 && steps[0][1] == 0 && flow[8] == 0);
  QuadrilleGrowing growing;
  uint8_t is_done = 0;
  double slowly[WIDTH * HEIGHT];
  OK(quadrille_map_begin_flow(terrain, &boots, goals, NULL, 1, &growing));
  while (!is_done) OK(quadrille_growing_flow(growing, terrain, 3, WIDTH * HEIGHT, slowly, NULL, &is_done));
  CHECK(memcmp(flow, slowly, sizeof flow) == 0);
  REFUSED(QUADRILLE_STATUS_VALUE, "memory for 44 cells",
          quadrille_growing_flow(growing, terrain, 3, 44, slowly, NULL, &is_done));
  OK(quadrille_growing_free(growing));
  OK(quadrille_map_flow(terrain, &walkers, goals, 1, WIDTH * HEIGHT, flow, NULL));
  double begun[WIDTH * HEIGHT];
  uint16_t late = 7;
  OK(quadrille_map_flow_with_starts(terrain, &walkers, goals, &late, 1, WIDTH * HEIGHT, begun, NULL));
  for (size_t at = 0; at < LENGTH(begun); at++) CHECK(isinf(flow[at]) ? isinf(begun[at]) : begun[at] == flow[at] + 7);
  REFUSED(QUADRILLE_STATUS_NULL, "`starts`",
          quadrille_map_flow_with_starts(terrain, &walkers, goals, NULL, 1, WIDTH * HEIGHT, begun, NULL));
  CHECK(flow[0] == 16 && isinf(flow[4]));
  REFUSED(QUADRILLE_STATUS_VALUE, "memory for 44 cells",
          quadrille_map_flow(terrain, &boots, goals, 1, 44, flow, NULL));
  OK(quadrille_map_linked_path(terrain, &walkers, starts[0], goals[0], ferry, 1, &cost, &kept));
  CHECK(cost == 9 && kept.link_count == 1 && kept.links[0] == 0 && kept.path_count == 2 && kept.lengths[1] == 3);
  ferry[0].steps = 11;
  OK(quadrille_map_linked_path(terrain, &heavy, starts[0], goals[0], ferry, 1, &cost, &kept));
  CHECK(cost == 16 && kept.link_count == 0 && kept.path_count == 1);
  CHECK(quadrille_map_linked_path(terrain, &walkers, starts[0], goals[0], NULL, 1, &cost, &kept) ==
        QUADRILLE_STATUS_NULL);

  // Calls that count no costs are about the map of a class.
  uint8_t answer = 7, found_one = 7, there[2];
  double length = 0, points[4];
  size_t first = 7;
  QuadrilleCell near = {7, 7};
  OK(quadrille_map_is_reachable(terrain, &walkers, starts[0], goals[0], &answer));
  OK(quadrille_map_taut_path(terrain, &walkers, cell(0, 0), cell(3, 0), points, 2, &first, &length));
  OK(quadrille_map_nearest_free(terrain, &walkers, cell(4, 0), NULL, &found_one, &near));
  CHECK(answer == 1 && first == 2 && length == 3 && found_one == 1 && near.x == 3);
  OK(quadrille_map_reach(terrain, &boots, cell(3, 0), 3, &cells, NULL));
  CHECK(cells.count == 11);
  OK(quadrille_map_get(terrain, cell(3, 0), 2, 1, there));
  CHECK(there[0] == 0 && there[1] == 1);
  REFUSED(QUADRILLE_STATUS_VALUE, "class",
          quadrille_map_is_reachable(terrain, &boots, starts[0], goals[0], &answer));
  REFUSED(QUADRILLE_STATUS_VALUE, "name the agents",
          quadrille_map_paths(terrain, NULL, starts, goals, 1, 0, INFINITY, NULL, NULL, NULL));
  REFUSED(QUADRILLE_STATUS_VALUE, "however long",
          quadrille_map_paths(terrain, &boots, starts, goals, 1, 1, INFINITY, NULL, NULL, NULL));
  QuadrilleWatch watch;
  REFUSED(QUADRILLE_STATUS_VALUE, "name the agents", quadrille_watch_new(terrain, starts, 1, &watch));
  QuadrilleMap plain = map_with_wall();
  REFUSED(QUADRILLE_STATUS_VALUE, "no terrain",
          quadrille_map_paths(plain, &boots, starts, goals, 1, 0, INFINITY, NULL, NULL, NULL));
  OK(quadrille_map_free(plain));

  OK(quadrille_map_would_close(terrain, &walkers, cell(4, 4), 1, 1, 1, starts, 1, goals[0], &first));
  CHECK(first == 0);
  REFUSED(QUADRILLE_STATUS_VALUE, "class",
          quadrille_map_would_close(terrain, &boots, cell(4, 4), 1, 1, 1, starts, 1, goals[0], &first));
  uint64_t before, after;
  OK(quadrille_map_version(terrain, &before));
  QuadrilleCell dry[] = {{4, 0}};
  OK(quadrille_map_set(terrain, dry, 1, 0));
  OK(quadrille_map_version(terrain, &after));
  OK(quadrille_map_paths(terrain, &walkers, starts, goals, 1, 0, INFINITY, counts, costs, NULL));
  CHECK(before != after && costs[0] == 8);
  uint8_t deep[] = {2, 2};
  OK(quadrille_map_edit(terrain, cell(4, 0), 1, 2, deep));
  OK(quadrille_map_paths(terrain, &walkers, starts, goals, 1, 0, INFINITY, counts, costs, NULL));
  CHECK(costs[0] == 16);
  weights[1] = UINT32_MAX;
  CHECK(quadrille_map_paths(terrain, &boots, starts, goals, 1, 0, INFINITY, counts, costs, NULL) ==
        QUADRILLE_STATUS_VALUE);
  OK(quadrille_map_free(terrain));
  CHECK(quadrille_map_free(terrain) == QUADRILLE_STATUS_HANDLE);
}

static void flow_leads_to_the_goal(void) {
  QuadrilleMap map = map_with_wall();
  double lengths[WIDTH * HEIGHT];
  int8_t steps[WIDTH * HEIGHT][2];
  QuadrilleCell goals[] = {{8, 0}};
  OK(quadrille_map_flow(map, NULL, goals, 1, WIDTH * HEIGHT, lengths, steps[0]));
  CHECK(lengths[8] == 0 && isinf(lengths[4]) && fabs(lengths[0] - (4 + 6 * sqrt(2))) < 1e-9);
  int x = 0, y = 0, walked = 0;
  while (x != 8 || y != 0) {
    int8_t *step = steps[y * WIDTH + x];
    CHECK(step[0] != 0 || step[1] != 0);
    x += step[0], y += step[1];
    CHECK(++walked <= 10);
  }
  REFUSED(QUADRILLE_STATUS_VALUE, "memory for 44 cells", quadrille_map_flow(map, NULL, goals, 1, 44, lengths, NULL));
  OK(quadrille_map_free(map));
}

static void watches_tell_of_breaks(void) {
  QuadrilleMap map = map_with_wall();
  QuadrilleCell path[WIDTH], last = {0, 0};
  for (uint32_t x = 0; x < WIDTH; x++) path[x] = cell(x, 4);
  QuadrilleWatch watch;
  OK(quadrille_watch_new(map, path, WIDTH, &watch));
  uint8_t is_broken = 7;
  QuadrilleCell away[] = {{6, 1}};
  OK(quadrille_map_set(map, away, 1, 0));
  OK(quadrille_watch_check(watch, map, &is_broken, &last));
  CHECK(is_broken == 0);
  OK(quadrille_map_set(map, path + 6, 1, 0));
  OK(quadrille_watch_check(watch, map, &is_broken, &last));
  CHECK(is_broken == 1 && last.x == 5 && last.y == 4);

  REFUSED(QUADRILLE_STATUS_VALUE, "the path is invalid on the map", quadrille_watch_new(map, path, WIDTH, &watch));
  QuadrilleCell apart[] = {{0, 0}, {2, 0}};
  REFUSED(QUADRILLE_STATUS_VALUE, "are not neighbors", quadrille_watch_new(map, apart, 2, &watch));
  REFUSED(QUADRILLE_STATUS_VALUE, "at least one cell", quadrille_watch_new(map, apart, 0, &watch));
  OK(quadrille_map_free(map));
  CHECK(quadrille_watch_check(watch, map, &is_broken, &last) == QUADRILLE_STATUS_HANDLE);
  OK(quadrille_watch_free(watch));
  CHECK(quadrille_watch_free(watch) == QUADRILLE_STATUS_HANDLE);
}

static void mistakes_are_told(void) {
  uint8_t free[4] = {1, 1, 1, 1};
  QuadrilleMap map, other;
  REFUSED(QUADRILLE_STATUS_VALUE, "king", quadrille_map_new(free, 2, 2, "king", &map));
  REFUSED(QUADRILLE_STATUS_NULL, "`free`", quadrille_map_new(NULL, 2, 2, "octile", &map));
  REFUSED(QUADRILLE_STATUS_NULL, "`map`", quadrille_map_new(free, 2, 2, "octile", NULL));
  CHECK(quadrille_map_new(free, UINT32_MAX, UINT32_MAX, "octile", &map) == QUADRILLE_STATUS_VALUE);
  OK(quadrille_map_new(free, 2, 2, "octile", &map));
  QuadrilleCell off[] = {{0, 0}, {2, 0}};
  REFUSED(QUADRILLE_STATUS_ID, "row 1: cell (2, 0) is not on", quadrille_map_set(map, off, 2, 0));
  REFUSED(QUADRILLE_STATUS_ID, "`starts`, row 1", quadrille_map_paths(map, NULL, off, off, 2, 0, INFINITY, NULL, NULL, NULL));
  REFUSED(QUADRILLE_STATUS_ID, "`goals`, row 1", quadrille_map_flow(map, NULL, off, 2, 4, NULL, NULL));
  REFUSED(QUADRILLE_STATUS_ID, "not all on", quadrille_map_edit(map, off[1], 2, 2, free));
  uint8_t answer;
  REFUSED(QUADRILLE_STATUS_ID, "`goal`", quadrille_map_is_reachable(map, NULL, off[0], off[1], &answer));
  REFUSED(QUADRILLE_STATUS_NULL, "`answer`", quadrille_map_is_reachable(map, NULL, off[0], off[0], NULL));

  // A handle of another kind.
  QuadrilleBoxes boxes;
  boxes.bits = map.bits;
  REFUSED(QUADRILLE_STATUS_HANDLE, "another kind", quadrille_boxes_maintain(boxes));
  OK(quadrille_boxes_new("grid", quadrille_boxes_f32(NULL, 0, 0), &boxes));
  other.bits = boxes.bits;
  CHECK(quadrille_map_free(other) == QUADRILLE_STATUS_HANDLE);
  OK(quadrille_boxes_free(boxes));
  OK(quadrille_map_free(map));
  CHECK(quadrille_map_free(map) == QUADRILLE_STATUS_HANDLE);
}

static void links_are_taken(void) {
  QuadrilleMap map = map_with_wall();
  QuadrilleLink links[] = {{{0, 3}, {0, 2}, 9}, {{3, 0}, {5, 0}, 2}};
  QuadrilleKeptPaths kept;
  double length;
  OK(quadrille_map_linked_path(map, NULL, cell(0, 0), cell(8, 0), links, 2, &length, &kept));
  CHECK(length == 8 && kept.path_count == 2 && kept.link_count == 1 && kept.links[0] == 1);
  CHECK(kept.counts[0] == 4 && kept.counts[1] == 4 && kept.cells[4].x == 5 && kept.lengths[1] == 3);
  // One way only; around the wall instead.
  OK(quadrille_map_linked_path(map, NULL, cell(8, 0), cell(0, 0), links, 2, &length, &kept));
  CHECK(fabs(length - (4 + 6 * sqrt(2))) < 1e-9 && kept.path_count == 1 && kept.link_count == 0);
  OK(quadrille_map_linked_path(map, NULL, cell(4, 0), cell(0, 0), NULL, 0, &length, &kept));
  CHECK(isinf(length) && kept.path_count == 0 && kept.cell_count == 0);
  links[1].steps = 65536;
  REFUSED(QUADRILLE_STATUS_VALUE, "link 1",
          quadrille_map_linked_path(map, NULL, cell(0, 0), cell(8, 0), links, 2, &length, &kept));
  links[0].to.x = WIDTH;
  CHECK(quadrille_map_linked_path(map, NULL, cell(0, 0), cell(8, 0), links, 2, &length, &kept) == QUADRILLE_STATUS_VALUE);
  CHECK(quadrille_map_linked_path(map, NULL, cell(0, 0), cell(8, 0), NULL, 2, &length, &kept) == QUADRILLE_STATUS_NULL);
  OK(quadrille_map_free(map));
}

static void nearest_goals_through_links(void) {
  QuadrilleMap map = map_with_wall();
  QuadrilleLink link = {{3, 0}, {5, 0}, 2};
  QuadrilleCell goals[] = {{4, 0}, {8, 0}, {0, 4}};
  QuadrilleKeptPaths kept;
  size_t nearest;
  double length;
  OK(quadrille_map_nearest_linked(map, NULL, cell(2, 0), goals, 2, &link, 1, &nearest, &length, &kept));
  CHECK(nearest == 1 && length == 6 && kept.path_count == 2 && kept.link_count == 1 && kept.links[0] == 0);
  OK(quadrille_map_nearest_linked(map, NULL, cell(2, 0), goals, 3, NULL, 0, &nearest, &length, &kept));
  CHECK(nearest == 2 && fabs(length - (2 + 2 * sqrt(2))) < 1e-9 && kept.cell_count == 5);
  OK(quadrille_map_nearest_linked(map, NULL, cell(2, 0), goals, 1, &link, 1, &nearest, &length, &kept));
  CHECK(nearest == 1 && isinf(length) && kept.path_count == 0);
  goals[1].x = WIDTH;
  REFUSED(QUADRILLE_STATUS_ID, "`goals`, row 1",
          quadrille_map_nearest_linked(map, NULL, cell(2, 0), goals, 2, &link, 1, &nearest, &length, &kept));
  REFUSED(QUADRILLE_STATUS_NULL, "`nearest`",
          quadrille_map_nearest_linked(map, NULL, cell(2, 0), goals, 1, &link, 1, NULL, &length, &kept));
  OK(quadrille_map_free(map));
}

static void what_units_run_into(void) {
  QuadrilleMap map = map_with_wall();
  QuadrilleCell there = {7, 7}, path[9], others[] = {{1, 4}, {2, 4}, {3, 3}}, room[64];
  QuadrilleCells cells = {room, LENGTH(room), 0};
  uint8_t found = 7;
  double length;
  OK(quadrille_map_first_wall(map, NULL, cell(1, 0), cell(8, 0), &found, &there));
  CHECK(found == 1 && there.x == 4 && there.y == 0);
  OK(quadrille_map_first_wall(map, NULL, cell(0, 4), cell(8, 4), &found, &there));
  CHECK(found == 0 && there.x == 4);
  REFUSED(QUADRILLE_STATUS_ID, "`goal`", quadrille_map_first_wall(map, NULL, cell(0, 0), cell(9, 0), &found, &there));
  REFUSED(QUADRILLE_STATUS_NULL, "`wall`", quadrille_map_first_wall(map, NULL, cell(0, 0), cell(8, 0), &found, NULL));

  OK(quadrille_map_free_places(map, NULL, cell(4, 0), 5, 2, NULL, &cells));
  CHECK(cells.count == 5 && room[0].x == 3 && room[0].y == 0);
  for (size_t at = 0; at < 5; at++) CHECK(room[at].x < 4 && (at == 0 || room[at].x <= 1 || room[at].y >= 2));
  OK(quadrille_map_set(map, (QuadrilleCell[]){{4, 4}}, 1, 0));
  OK(quadrille_map_free_places(map, NULL, cell(4, 0), SIZE_MAX, 1, &others[2], &cells));
  CHECK(cells.count == 4 * 5);
  OK(quadrille_map_free_places(map, NULL, cell(4, 0), SIZE_MAX, 0, (QuadrilleCell[]){{8, 0}}, &cells));
  CHECK(cells.count == 4 * 5 && room[0].x == 5);
  OK(quadrille_map_set(map, (QuadrilleCell[]){{4, 4}}, 1, 1));
  REFUSED(QUADRILLE_STATUS_ID, "`connected_to`",
          quadrille_map_free_places(map, NULL, cell(4, 0), 1, 1, (QuadrilleCell[]){{9, 9}}, &cells));

  for (uint32_t x = 0; x < 9; x++) path[x] = cell(x, 4);
  OK(quadrille_map_detour(map, NULL, path, 9, others, 2, 16, &cells, &length));
  CHECK(cells.count == 11 && length == 10 && room[1].y == 3 && room[10].x == 8);
  OK(quadrille_map_detour(map, NULL, path, 9, others, 0, 16, &cells, &length));
  CHECK(cells.count == 9 && length == 8);
  QuadrilleCell ring[] = {{0, 3}, {1, 3}, {1, 4}};
  OK(quadrille_map_detour(map, NULL, path, 9, ring, 3, 16, &cells, &length));
  CHECK(cells.count == 0 && isinf(length));
  OK(quadrille_map_detour(map, NULL, NULL, 0, others, 2, UINT32_MAX, &cells, &length));
  CHECK(cells.count == 0 && isinf(length));
  path[3].y = 1;
  REFUSED(QUADRILLE_STATUS_VALUE, "are not neighbors", quadrille_map_detour(map, NULL, path, 9, others, 2, 16, &cells, &length));
  REFUSED(QUADRILLE_STATUS_NULL, "`obstacles`", quadrille_map_detour(map, NULL, path, 2, NULL, 2, 16, &cells, &length));
  OK(quadrille_map_free(map));
}

static void requests_are_answered_within_a_budget(void) {
  QuadrilleMap map = map_with_wall();
  QuadrilleQueue queue, freed;
  QuadrilleAnswered answered;
  uint64_t requests[4];
  size_t waiting;
  uint8_t was_waiting;
  OK(quadrille_queue_new(&queue));
  OK(quadrille_queue_push(queue, cell(0, 0), cell(3, 0), 0, &requests[0]));
  OK(quadrille_queue_push(queue, cell(0, 0), cell(8, 0), 0, &requests[1]));
  OK(quadrille_queue_push(queue, cell(0, 0), cell(0, 4), 1, &requests[2]));
  OK(quadrille_queue_push(queue, cell(0, 0), cell(90, 0), 0, &requests[3]));
  OK(quadrille_queue_cancel(queue, requests[0], &was_waiting));
  CHECK(was_waiting == 1);
  OK(quadrille_queue_cancel(queue, requests[0], &was_waiting));
  CHECK(was_waiting == 0);
  OK(quadrille_queue_cancel(queue, 77, NULL));
  OK(quadrille_queue_waiting(queue, &waiting));
  CHECK(waiting == 3);
  OK(quadrille_queue_run(queue, map, 0, &answered));
  CHECK(answered.count == 0 && answered.cell_count == 0);
  OK(quadrille_queue_run(queue, map, 1000, &answered));
  // The urgent one first; off the map there is no path.
  CHECK(answered.count == 3 && answered.requests[0] == requests[2] && answered.requests[1] == requests[1]);
  CHECK(answered.counts[0] == 5 && answered.counts[1] == 11 && answered.counts[2] == 0 && answered.cell_count == 16);
  CHECK(answered.cells[4].y == 4 && answered.cells[15].x == 8);
  OK(quadrille_queue_push(queue, cell(0, 0), cell(1, 0), 0, &requests[0]));
  OK(quadrille_queue_run_for(queue, map, 60, &answered));
  CHECK(answered.count == 1 && answered.requests[0] == requests[0] && answered.counts[0] == 2);
  REFUSED(QUADRILLE_STATUS_VALUE, "seconds", quadrille_queue_run_for(queue, map, NAN, &answered));
  CHECK(quadrille_queue_run(queue, map, 1, NULL) == QUADRILLE_STATUS_NULL);
  freed = queue;
  OK(quadrille_queue_free(queue));
  CHECK(quadrille_queue_run(freed, map, 1, &answered) == QUADRILLE_STATUS_HANDLE);
  CHECK(quadrille_queue_push(freed, cell(0, 0), cell(1, 0), 0, &requests[0]) == QUADRILLE_STATUS_HANDLE);
  OK(quadrille_map_free(map));
}

int main(void) {
  paths_are_found();
  towers_and_units();
  agents_walk_on_terrain();
  flow_leads_to_the_goal();
  watches_tell_of_breaks();
  links_are_taken();
  nearest_goals_through_links();
  what_units_run_into();
  requests_are_answered_within_a_budget();
  mistakes_are_told();
  puts("maps: all well");
  return 0;
}
