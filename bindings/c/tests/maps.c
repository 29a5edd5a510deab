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
  OK(quadrille_map_paths(map, starts, goals, 3, 0, counts, lengths, &cells));
  // No step cuts the corner of the wall: four of ten are straight.
  CHECK(counts[0] == 11 && counts[1] == 9 && counts[2] == 0 && cells.count == 20);
  CHECK(lengths[1] == 8 && fabs(lengths[0] - (4 + 6 * sqrt(2))) < 1e-9 && isinf(lengths[2]));
  CHECK(found[0].x == 0 && found[0].y == 0 && found[5].x == 4 && found[5].y == 4 && found[10].x == 8);
  for (int at = 1; at < 11; at++) {
    CHECK(abs((int)found[at].x - (int)found[at - 1].x) <= 1 && abs((int)found[at].y - (int)found[at - 1].y) <= 1);
  }

  // Too small a buffer: the paths are kept.
  cells.room = 19, found[0].x = 77;
  CHECK(quadrille_map_paths(map, starts, goals, 3, 0, counts, lengths, &cells) == QUADRILLE_STATUS_ROOM);
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
  OK(quadrille_map_is_reachable(map, starts[0], goals[0], &answer));
  CHECK(answer == 0);
  OK(quadrille_map_paths(map, starts, goals, 1, 0, counts, lengths, NULL));
  CHECK(counts[0] == 0 && isinf(lengths[0]));
  cells.room = LENGTH(found);
  OK(quadrille_map_paths(map, starts, goals, 1, 1, counts, lengths, &cells));
  CHECK(counts[0] > 0 && found[counts[0] - 1].x == 3 && !isinf(lengths[0]));

  // A rectangle at once opens the wall in its middle.
  uint8_t free[] = {1, 1, 1, 1, 1, 1};
  OK(quadrille_map_edit(map, cell(3, 1), 3, 2, free));
  OK(quadrille_map_is_reachable(map, starts[0], goals[0], &answer));
  CHECK(answer == 1);
  OK(quadrille_map_free(map));
}

static void flow_leads_to_the_goal(void) {
  QuadrilleMap map = map_with_wall();
  double lengths[WIDTH * HEIGHT];
  int8_t steps[WIDTH * HEIGHT][2];
  QuadrilleCell goals[] = {{8, 0}};
  OK(quadrille_map_flow(map, goals, 1, WIDTH * HEIGHT, lengths, steps[0]));
  CHECK(lengths[8] == 0 && isinf(lengths[4]) && fabs(lengths[0] - (4 + 6 * sqrt(2))) < 1e-9);
  int x = 0, y = 0, walked = 0;
  while (x != 8 || y != 0) {
    int8_t *step = steps[y * WIDTH + x];
    CHECK(step[0] != 0 || step[1] != 0);
    x += step[0], y += step[1];
    CHECK(++walked <= 10);
  }
  REFUSED(QUADRILLE_STATUS_VALUE, "memory for 44 cells", quadrille_map_flow(map, goals, 1, 44, lengths, NULL));
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

  REFUSED(QUADRILLE_STATUS_VALUE, "on the map as it is", quadrille_watch_new(map, path, WIDTH, &watch));
  QuadrilleCell apart[] = {{0, 0}, {2, 0}};
  REFUSED(QUADRILLE_STATUS_VALUE, "side by side", quadrille_watch_new(map, apart, 2, &watch));
  REFUSED(QUADRILLE_STATUS_VALUE, "one cell at least", quadrille_watch_new(map, apart, 0, &watch));
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
  REFUSED(QUADRILLE_STATUS_ID, "`starts`, row 1", quadrille_map_paths(map, off, off, 2, 0, NULL, NULL, NULL));
  REFUSED(QUADRILLE_STATUS_ID, "`goals`, row 1", quadrille_map_flow(map, off, 2, 4, NULL, NULL));
  REFUSED(QUADRILLE_STATUS_ID, "not all on", quadrille_map_edit(map, off[1], 2, 2, free));
  uint8_t answer;
  REFUSED(QUADRILLE_STATUS_ID, "`goal`", quadrille_map_is_reachable(map, off[0], off[1], &answer));
  REFUSED(QUADRILLE_STATUS_NULL, "`answer`", quadrille_map_is_reachable(map, off[0], off[0], NULL));

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

int main(void) {
  paths_are_found();
  flow_leads_to_the_goal();
  watches_tell_of_breaks();
  mistakes_are_told();
  puts("maps: all well");
  return 0;
}
