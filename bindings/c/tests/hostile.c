// What a stranger may pass: maps without cells, agents without size or larger than the map, sets of nothing, boxes as
// wide as numbers go. Every call answers.
#include <math.h>

#include "calls.h"

static void maps_of_nothing(void) {
  QuadrilleMap map;
  QuadrilleCell cells[] = {{0, 0}, {3, 3}}, there;
  size_t first = 7;
  uint8_t found = 7;
  OK(quadrille_map_new(NULL, 0, 0, "octile", &map));
  OK(quadrille_map_flow(map, NULL, cells, 0, 0, NULL, NULL));
  OK(quadrille_map_get(map, cells[0], 0, 0, NULL));
  CHECK(quadrille_map_nearest_free(map, NULL, cells[0], NULL, &found, &there) == QUADRILLE_STATUS_ID);
  CHECK(quadrille_map_would_close(map, NULL, cells[0], 0, 0, 0, cells, 0, cells[0], &first) == QUADRILLE_STATUS_ID);
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
  CHECK(quadrille_map_would_close(map, NULL, cells[0], UINT32_MAX, UINT32_MAX, 0, cells, 2, cells[1], &first) ==
        QUADRILLE_STATUS_ID);
  CHECK(quadrille_map_get(map, cells[1], 2, 1, free) == QUADRILLE_STATUS_ID);
  OK(quadrille_map_would_close(map, NULL, cells[0], 4, 4, 0, cells, 2, cells[1], &first));
  CHECK(first == 0);
  OK(quadrille_map_would_close(map, NULL, cells[0], 0, 0, 0, cells, 2, cells[1], &first));
  CHECK(first == 2);
  OK(quadrille_map_reach(map, NULL, cells[0], INFINITY, &room, costs));
  CHECK(room.count == 16);
  OK(quadrille_map_set(map, cells, 1, 0));
  OK(quadrille_map_reach(map, NULL, cells[0], 5, &room, costs));
  CHECK(room.count == 0);
  OK(quadrille_map_free(map));
}

static void agents_of_all_sizes(void) {
  uint8_t kinds[16];
  uint32_t weights[64], counts[1];
  memset(kinds, 0, sizeof kinds);
  memset(weights, 0, sizeof weights);
  QuadrilleAgents classes[] = {{1, 0, weights}, {UINT64_MAX, UINT32_MAX, weights}, {1, 7, weights}};
  QuadrilleAgents other = {5, UINT32_MAX - 1, weights};
  QuadrilleCell start[] = {{0, 0}}, goal[] = {{3, 3}};
  double costs[1];
  QuadrilleMap terrain;
  OK(quadrille_map_new_terrain(kinds, 4, 4, "octile", classes, 3, &terrain));
  OK(quadrille_map_paths(terrain, &classes[0], start, goal, 1, 0, INFINITY, counts, costs, NULL));
  CHECK(counts[0] == 4);
  for (int at = 1; at < 4; at++) {
    OK(quadrille_map_paths(terrain, at < 3 ? &classes[at] : &other, start, goal, 1, 0, INFINITY, counts, costs, NULL));
    CHECK(counts[0] == 0 && isinf(costs[0]));
  }
  CHECK(quadrille_map_edit(terrain, goal[0], 2, 2, kinds) == QUADRILLE_STATUS_ID);
  OK(quadrille_map_free(terrain));
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

// A call whose memory for answers cannot be written to is rejected before it has changed anything.

static QuadrilleBoxes boxes, others;
static QuadrilleMap map;
static QuadrilleMap terrain;
static QuadrilleQueue queue;
static QuadrilleWatch watch;
static QuadrilleGrowing growing, reaching;
static QuadrilleShapes shapes;
static QuadrilleTracks tracks;

static const float ROWS[] = {0, 0, 2, 2, 1, 1, 3, 3, 8, 8, 9, 9};
static const uint32_t SOME[] = {0, 1};
static const double WORTH[] = {1, 2};
static const QuadrilleCell HERE = {0, 0}, THERE = {3, 3}, STEPS[] = {{0, 0}, {1, 1}};
static const QuadrilleAgents WALKER = {1, 1, NULL};
static const uint8_t GROUND[16], FREE[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

// How a place for an answer of the call may be wrong.
enum { NOWHERE, CROOKED, NO_DATA, CROOKED_DATA, WAYS };
// Which place is wrong, and how; how many places there are; whether this one can be wrong in this way.
static int wrong_place, wrong_way, places, is_wrong;
static double memory[256];

static void *wrong(void *place) {
  is_wrong = 1;
  return place;
}

// A place for an answer, which may not be null if it `must` be there, and has an alignment if it is `wide`.
static void *place(int must, int wide) {
  if (places++ != wrong_place) return memory;
  if (wrong_way == NOWHERE && must) return wrong(NULL);
  if (wrong_way == CROOKED && wide) return wrong((char *)memory + 1);
  return memory;
}

#define TO place(1, 1)
#define BYTE place(1, 0)
#define COLUMN place(0, 1)

// Room for answers, as a function of the name of its type.
#define ROOM(Type, wide)                                                                         \
  static Type *Type##_room(void) {                                                               \
    static Type rooms[2];                                                                        \
    Type *room = &rooms[places % 2];                                                             \
    int is_here = places == wrong_place;                                                         \
    void *to = place(0, 1);                                                                      \
    room->data = (void *)memory, room->room = 16;                                                \
    if (is_here && wrong_way == NO_DATA) room->data = wrong(NULL);                               \
    if (is_here && wrong_way == CROOKED_DATA && wide) room->data = wrong((char *)memory + 1);    \
    return to == (void *)memory ? room : to;                                                     \
  }
ROOM(QuadrilleIds, 1)
ROOM(QuadrillePairs, 1)
ROOM(QuadrilleBytes, 0)
ROOM(QuadrilleCells, 1)
ROOM(QuadrilleEncounters, 1)
#define IDS QuadrilleIds_room()
#define PAIRS QuadrillePairs_room()
#define CELLS QuadrilleCells_room()

static QuadrilleRows rows(size_t count) { return quadrille_boxes_f32(ROWS, count, 0); }

#define RUN(name, ...) \
  static QuadrilleStatus name(void) { return quadrille_##name(__VA_ARGS__); }
RUN(boxes_new, "grid", rows(3), TO)
RUN(boxes_restore, QUADRILLE_F32, NULL, 0, TO)
RUN(boxes_insert, boxes, rows(2), IDS)
RUN(boxes_layers, boxes, SOME, 2, TO)
RUN(boxes_structure, boxes, TO)
RUN(boxes_nodes, boxes, QUADRILLE_F32, TO, 16, TO)
RUN(boxes_count, boxes, TO)
RUN(boxes_ids, boxes, IDS)
RUN(boxes_get, boxes, SOME, 2, QUADRILLE_F32, TO)
RUN(boxes_snapshot, boxes, QuadrilleBytes_room())
RUN(boxes_kept, boxes, TO)
RUN(suppress, rows(2), WORTH, 0.5, IDS)
RUN(declutter, rows(2), WORTH, IDS)
RUN(boxes_pairs, boxes, PAIRS)
RUN(boxes_pairs_with, boxes, others, PAIRS)
RUN(boxes_pairs_within, boxes, 1, PAIRS, COLUMN)
RUN(boxes_pairs_with_within, boxes, others, 1, PAIRS, COLUMN)
RUN(boxes_events, boxes, PAIRS, PAIRS)
RUN(boxes_query, boxes, rows(3), QUADRILLE_ALL_LAYERS, COLUMN, IDS)
RUN(boxes_within, boxes, rows(3), 1, QUADRILLE_ALL_LAYERS, COLUMN, IDS, COLUMN)
RUN(boxes_nearest, boxes, rows(3), 2, INFINITY, QUADRILLE_ALL_LAYERS, IDS, COLUMN)
RUN(boxes_cast, boxes, quadrille_points_f32(ROWS, 2, 0), quadrille_points_f32(ROWS + 4, 2, 0), 9, QUADRILLE_ALL_LAYERS,
    IDS, COLUMN, (void *)memory)
RUN(map_new, FREE, 4, 4, "octile", TO)
RUN(map_new_terrain, GROUND, 4, 4, "octile", &WALKER, 1, TO)
RUN(map_version, map, TO)
RUN(map_is_reachable, map, NULL, HERE, THERE, BYTE)
RUN(map_paths, map, NULL, &HERE, &THERE, 1, 0, INFINITY, COLUMN, COLUMN, CELLS)
RUN(map_kept, map, TO)
RUN(map_linked_path, map, NULL, HERE, THERE, NULL, 0, TO, TO)
RUN(map_nearest_linked, map, NULL, HERE, &THERE, 1, NULL, 0, TO, TO, TO)
RUN(map_first_wall, map, NULL, HERE, THERE, BYTE, TO)
RUN(map_free_places, map, NULL, HERE, 3, 1, NULL, CELLS)
RUN(map_detour, map, NULL, STEPS, 2, &THERE, 1, 16, CELLS, TO)
RUN(map_size, map, TO, TO)
RUN(map_get, map, HERE, 2, 2, BYTE)
RUN(map_taut_path, map, NULL, HERE, THERE, TO, 16, TO, TO)
RUN(map_reach, map, NULL, HERE, 2, CELLS, COLUMN)
RUN(map_would_close, terrain, &WALKER, HERE, 1, 1, 9, &HERE, 1, THERE, TO)
RUN(map_nearest_free, map, NULL, HERE, NULL, BYTE, TO)
RUN(map_flow, map, NULL, &THERE, 1, 16, COLUMN, (void *)memory)
RUN(map_flow_with_starts, map, NULL, &THERE, &(uint16_t){3}, 1, 16, COLUMN, (void *)memory)
RUN(map_begin_flow, map, NULL, &THERE, NULL, 1, TO)
RUN(map_begin_reach, map, NULL, HERE, 2, TO)
RUN(growing_flow, growing, map, 99, 16, COLUMN, (void *)memory, BYTE)
RUN(growing_reach, reaching, map, 99, CELLS, COLUMN, BYTE)
RUN(watch_new, map, STEPS, 2, TO)
RUN(watch_check, watch, map, BYTE, TO)
RUN(queue_new, TO)
RUN(queue_push, queue, HERE, THERE, 0, TO)
RUN(queue_waiting, queue, TO)
RUN(queue_run, queue, map, 9, TO)
RUN(queue_run_for, queue, map, 1, TO)
RUN(shapes_new, NULL, 0, TO)
RUN(shapes_join, shapes, shapes, "equals", PAIRS)
RUN(shapes_join_within, shapes, shapes, 1, PAIRS)
RUN(shapes_nearest, shapes, shapes, 1, INFINITY, 0, PAIRS, COLUMN)
RUN(shapes_distance, shapes, 0, shapes, 0, TO)
RUN(shapes_kept, shapes, TO, TO, TO)
RUN(tracks_new, (QuadrilleFixes){0, NULL, NULL, NULL, NULL, NULL}, (QuadrilleTrackRules){0, 0, 0}, TO)
RUN(tracks_encounters, tracks, (QuadrilleEncounterLimits){1, 0, 0, 0}, QuadrilleEncounters_room())
RUN(tracks_kept, tracks, TO, TO)

#define CALL(name) {"quadrille_" #name, name}
#define NO_ANSWER(name) {"quadrille_" #name, NULL}
static const Call CALLS[] = {
    NO_ANSWER(version), NO_ANSWER(error_text), NO_ANSWER(check_length), NO_ANSWER(structure_name), CALL(boxes_new),
    CALL(boxes_restore), NO_ANSWER(boxes_free), NO_ANSWER(boxes_update), NO_ANSWER(boxes_move), CALL(boxes_insert), NO_ANSWER(boxes_remove),
    NO_ANSWER(boxes_set_layers), CALL(boxes_layers), NO_ANSWER(boxes_set_threads), CALL(boxes_structure),
    CALL(boxes_nodes), NO_ANSWER(boxes_maintain), CALL(boxes_count), CALL(boxes_ids), CALL(boxes_get),
    CALL(boxes_snapshot), CALL(boxes_kept), CALL(suppress), CALL(declutter), CALL(boxes_pairs), CALL(boxes_pairs_with),
    CALL(boxes_pairs_within), CALL(boxes_pairs_with_within), NO_ANSWER(boxes_visit_pairs), NO_ANSWER(boxes_visit),
    CALL(boxes_events), CALL(boxes_query), CALL(boxes_within), CALL(boxes_nearest), CALL(boxes_cast), CALL(map_new),
    CALL(map_new_terrain), NO_ANSWER(map_free), NO_ANSWER(map_set), NO_ANSWER(map_edit), CALL(map_version),
    CALL(map_is_reachable),
    CALL(map_paths), CALL(map_kept), CALL(map_linked_path), CALL(map_nearest_linked), CALL(map_first_wall),
    CALL(map_free_places), CALL(map_detour), CALL(map_size), CALL(map_get), CALL(map_taut_path),
    CALL(map_reach), CALL(map_would_close), CALL(map_nearest_free), CALL(map_flow), CALL(map_flow_with_starts), CALL(map_begin_flow),
    CALL(map_begin_reach), CALL(growing_flow), CALL(growing_reach), NO_ANSWER(growing_free),
    CALL(watch_new),
    NO_ANSWER(watch_free), CALL(watch_check), CALL(queue_new), NO_ANSWER(queue_free), CALL(queue_push),
    // Its answer is one byte that may be null: it cannot be wrong.
    NO_ANSWER(queue_cancel), CALL(queue_waiting), CALL(queue_run), CALL(queue_run_for), CALL(shapes_new),
    NO_ANSWER(shapes_free), CALL(shapes_join), CALL(shapes_join_within), CALL(shapes_nearest), CALL(shapes_distance),
    CALL(shapes_kept), CALL(tracks_new), NO_ANSWER(tracks_free), CALL(tracks_encounters), CALL(tracks_kept),
};

// All that these calls can change: boxes with their state for events, and how many requests wait.
typedef struct {
  uint8_t bytes[4096];
  size_t count, waiting;
} State;

static State state(void) {
  State now;
  memset(&now, 0, sizeof now);
  QuadrilleBytes bytes = {now.bytes, sizeof now.bytes, 0};
  OK(quadrille_boxes_snapshot(boxes, &bytes));
  OK(quadrille_boxes_count(boxes, &now.count));
  OK(quadrille_queue_waiting(queue, &now.waiting));
  return now;
}

// There are three boxes, events to be reported, and a request that waits.
static State ready(void) {
  uint64_t request;
  OK(quadrille_boxes_update(boxes, rows(0)));
  OK(quadrille_boxes_events(boxes, NULL, NULL));
  OK(quadrille_boxes_update(boxes, rows(3)));
  OK(quadrille_queue_push(queue, HERE, THERE, 0, &request));
  return state();
}

static void memory_that_cannot_be_written_to(void) {
  static const uint8_t POINT[21] = {1, 1};
  static const double TIMES[] = {0, 1, 0, 1}, STILL[4];
  static const uint32_t TRACKS[] = {1, 1, 2, 2};
  const QuadrilleWkb points[] = {{POINT, sizeof POINT}, {POINT, sizeof POINT}};
  const QuadrilleFixes fixes = {4, TRACKS, TIMES, STILL, STILL, NULL};
  const QuadrilleTrackRules rules = {0, 0, 0};
  check_calls(CALLS, LENGTH(CALLS));
  OK(quadrille_boxes_new("frame-tree", rows(3), &boxes));
  OK(quadrille_boxes_new("frame-tree", rows(3), &others));
  OK(quadrille_map_new(FREE, 4, 4, "octile", &map));
  OK(quadrille_map_new_terrain(GROUND, 4, 4, "octile", &WALKER, 1, &terrain));
  OK(quadrille_queue_new(&queue));
  OK(quadrille_watch_new(map, STEPS, 2, &watch));
  OK(quadrille_map_begin_flow(map, NULL, &THERE, NULL, 1, &growing));
  OK(quadrille_map_begin_reach(map, NULL, HERE, 2, &reaching));
  OK(quadrille_shapes_new(points, 2, &shapes));
  OK(quadrille_tracks_new(fixes, rules, &tracks));
  for (size_t at = 0; at < LENGTH(CALLS); at++) {
    int refused = 0;
    places = CALLS[at].run == NULL ? 0 : 1;
    for (wrong_place = 0; wrong_place < places; wrong_place++) {
      for (wrong_way = 0; wrong_way < WAYS; wrong_way++) {
        State before = ready();
        places = is_wrong = 0;
        QuadrilleStatus status = CALLS[at].run();
        if (!is_wrong) continue;
        refused++;
        State after = state();
        if ((status == QUADRILLE_STATUS_NULL || status == QUADRILLE_STATUS_VALUE) &&
            memcmp(&before, &after, sizeof before) == 0) {
          continue;
        }
        fprintf(stderr, "%s, place %d wrong in way %d: status %d, %zu boxes instead of %zu\n", CALLS[at].name, wrong_place,
                wrong_way, status, after.count, before.count);
        exit(1);
      }
    }
    CHECK(refused > 0 || CALLS[at].run == NULL);
  }
  // Without a list, a column beside it is a mistake, which is found first, too.
  State before = ready();
  CHECK(quadrille_boxes_nearest(boxes, rows(3), 1, 1, 1, NULL, memory) == QUADRILLE_STATUS_NULL);
  CHECK(quadrille_boxes_pairs_within(boxes, 1, NULL, memory) == QUADRILLE_STATUS_NULL);
  State after = state();
  CHECK(memcmp(&before, &after, sizeof before) == 0);
  OK(quadrille_tracks_free(tracks));
  OK(quadrille_shapes_free(shapes));
  OK(quadrille_watch_free(watch));
  OK(quadrille_queue_free(queue));
  OK(quadrille_growing_free(growing));
  OK(quadrille_growing_free(reaching));
  OK(quadrille_map_free(terrain));
  OK(quadrille_map_free(map));
  OK(quadrille_boxes_free(others));
  OK(quadrille_boxes_free(boxes));
}

static void texts_of_errors_stay_readable(void) {
  QuadrilleBoxes none = {0}, made;
  const char *text = quadrille_error_text();
  CHECK(quadrille_boxes_maintain(none) == QUADRILLE_STATUS_HANDLE);
  CHECK(strstr(text, "handle") != NULL);
  // Whichever of the two is evaluated first.
  char line[2048];
  snprintf(line, sizeof line, "%d %s", quadrille_boxes_new("oak", rows(3), &made), quadrille_error_text());
  CHECK(strlen(line) > 9 && strstr(text, "oak") != NULL && quadrille_error_text() == text);
  // Texts that do not fit are cut between letters.
  char name[3 * 700 + 1];
  for (int at = 0; at < 700; at++) memcpy(name + 3 * at, "\xe6\xa3\xae", 3);
  name[3 * 700] = 0;
  for (int skipped = 0; skipped < 9; skipped += 3) {
    char start[3 * 700 + 3] = "ab";
    strcpy(start + skipped / 3 % 3, name);
    CHECK(quadrille_boxes_new(start, rows(3), &made) == QUADRILLE_STATUS_VALUE);
    size_t length = strlen(text);
    CHECK(length > 900 && length < 1024);
    CHECK(((unsigned char)text[length - 1] & 0xc0) == 0x80 || (unsigned char)text[length - 1] < 0x80);
    CHECK((unsigned char)text[length - 1] != 0xe6 && (unsigned char)text[length - 2] != 0xe6);
  }
}

int main(void) {
  memory_that_cannot_be_written_to();
  texts_of_errors_stay_readable();
  maps_of_nothing();
  rectangles_off_the_map();
  agents_of_all_sizes();
  sets_of_nothing();
  boxes_without_end();
  puts("hostile: all well");
  return 0;
}
