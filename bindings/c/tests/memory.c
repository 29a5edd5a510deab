// Answers that do not fit in memory: each call returns its status, and no process ends.
#define _DEFAULT_SOURCE
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

// Megabytes that a call may use.
#define SPARE 256
// Things in one place, each of which meets each: pairs that need more than ten times that.
#define MANY 20000
// A map of one row, whose paths are long, and how many of them.
#define LONG 60000
#define PATHS 1000

static QuadrilleBoxes boxes, others;
static QuadrilleMap map;
static QuadrilleMap terrain;
static QuadrilleQueue queue;
static QuadrilleShapes shapes;
static QuadrilleTracks tracks;
static float rows[MANY][4];
static QuadrilleCell starts[PATHS], goals[PATHS];
static const QuadrilleAgents WALKER = {1, 1, NULL};

static QuadrilleRows all(void) { return quadrille_boxes_f32(rows[0], MANY, 0); }

#define RUN(name, ...) \
  static QuadrilleStatus name(void) { return quadrille_##name(__VA_ARGS__); }
RUN(boxes_pairs, boxes, NULL)
RUN(boxes_pairs_with, boxes, others, NULL)
RUN(boxes_pairs_within, boxes, 1, NULL, NULL)
RUN(boxes_pairs_with_within, boxes, others, 1, NULL, NULL)
RUN(boxes_events, boxes, NULL, NULL)
RUN(boxes_query, boxes, all(), QUADRILLE_ALL_LAYERS, NULL, NULL)
RUN(boxes_within, boxes, all(), 1, QUADRILLE_ALL_LAYERS, NULL, NULL, NULL)
RUN(boxes_nearest, boxes, all(), MANY, INFINITY, QUADRILLE_ALL_LAYERS, NULL, NULL)

static QuadrilleStatus map_paths(void) {
  QuadrilleStatus status = quadrille_map_paths(map, NULL, starts, goals, PATHS, 0, INFINITY, NULL, NULL, NULL);
  if (status != QUADRILLE_STATUS_MEMORY) return status;
  return quadrille_map_paths(terrain, &WALKER, starts, goals, PATHS, 0, INFINITY, NULL, NULL, NULL);
}

RUN(shapes_join_within, shapes, shapes, 1, NULL)
RUN(shapes_nearest, shapes, shapes, MANY, INFINITY, 0, NULL, NULL)
RUN(tracks_encounters, tracks, (QuadrilleEncounterLimits){1, 0, 0, 0}, NULL)

static QuadrilleStatus shapes_join(void) {
  static const char *const PREDICATES[] = {"intersects", "equals", "covers"};
  for (size_t at = 0; at < LENGTH(PREDICATES); at++) {
    QuadrilleStatus status = quadrille_shapes_join(shapes, shapes, PREDICATES[at], NULL);
    if (status != QUADRILLE_STATUS_MEMORY) return status;
  }
  // Pairs of shapes that are apart are found without an index.
  QuadrilleShapes far;
  static uint8_t point[21] = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x24, 0x40};
  static QuadrilleWkb points[MANY];
  for (int at = 0; at < MANY; at++) points[at] = (QuadrilleWkb){point, sizeof point};
  QuadrilleStatus status = quadrille_shapes_new(points, MANY, &far);
  return status == QUADRILLE_STATUS_OK ? quadrille_shapes_join(shapes, far, "disjoint", NULL) : status;
}

static QuadrilleStatus queue_run(void) {
  QuadrilleAnswered answered;
  return quadrille_queue_run(queue, map, UINT64_MAX, &answered);
}

static QuadrilleStatus queue_run_for(void) {
  QuadrilleAnswered answered;
  return quadrille_queue_run_for(queue, map, 1e9, &answered);
}

#define CALL(name) {"quadrille_" #name, name}
// Its answers are no larger than what it is about, which fits.
#define FITS(name) {"quadrille_" #name, NULL}
static const Call CALLS[] = {
    FITS(version), FITS(error_text), FITS(check_length), FITS(structure_name), FITS(boxes_new), FITS(boxes_restore),
    FITS(boxes_free), FITS(boxes_update), FITS(boxes_move), FITS(boxes_insert), FITS(boxes_remove), FITS(boxes_set_layers),
    FITS(boxes_layers), FITS(boxes_set_threads), FITS(boxes_structure), FITS(boxes_nodes), FITS(boxes_maintain),
    FITS(boxes_count), FITS(boxes_ids), FITS(boxes_get), FITS(boxes_snapshot), FITS(boxes_kept), FITS(suppress),
    FITS(declutter), CALL(boxes_pairs), CALL(boxes_pairs_with), CALL(boxes_pairs_within), CALL(boxes_pairs_with_within),
    FITS(boxes_visit_pairs), FITS(boxes_visit), CALL(boxes_events), CALL(boxes_query), CALL(boxes_within),
    CALL(boxes_nearest), FITS(boxes_cast), FITS(map_new), FITS(map_new_terrain), FITS(map_free), FITS(map_set), FITS(map_edit),
    FITS(map_version), FITS(map_is_reachable), CALL(map_paths), FITS(map_kept), FITS(map_linked_path),
    FITS(map_nearest_linked), FITS(map_first_wall), FITS(map_free_places), FITS(map_detour), FITS(map_size),
    FITS(map_get), FITS(map_taut_path), FITS(map_reach), FITS(map_would_close), FITS(map_nearest_free), FITS(map_flow),
    FITS(map_flow_with_starts), FITS(map_begin_flow), FITS(map_begin_reach), FITS(growing_free), FITS(growing_flow),
    FITS(growing_reach),
    FITS(watch_new), FITS(watch_free), FITS(watch_check), FITS(queue_new), FITS(queue_free), FITS(queue_push),
    FITS(queue_cancel), FITS(queue_waiting), CALL(queue_run), CALL(queue_run_for), FITS(shapes_new), FITS(shapes_free),
    CALL(shapes_join), CALL(shapes_join_within), CALL(shapes_nearest), FITS(shapes_distance), FITS(shapes_kept),
    FITS(tracks_new), FITS(tracks_free), CALL(tracks_encounters), FITS(tracks_kept),
};

static void make(void) {
  static const uint8_t POINT[21] = {1, 1};
  static QuadrilleWkb points[MANY];
  static uint8_t free[LONG], ground[LONG];
  static uint32_t track[MANY];
  static double zeros[MANY], times[MANY];
  for (int at = 0; at < MANY; at++) {
    points[at] = (QuadrilleWkb){POINT, sizeof POINT};
    track[at] = (uint32_t)at / 2, times[at] = at % 2;
  }
  memset(free, 1, sizeof free);
  OK(quadrille_boxes_new("frame-tree", all(), &boxes));
  OK(quadrille_boxes_new("frame-tree", all(), &others));
  OK(quadrille_map_new(free, LONG, 1, "octile", &map));
  OK(quadrille_map_new_terrain(ground, LONG, 1, "octile", &WALKER, 1, &terrain));
  OK(quadrille_queue_new(&queue));
  for (int at = 0; at < PATHS; at++) {
    uint64_t request;
    goals[at] = (QuadrilleCell){LONG - 1, 0};
    OK(quadrille_queue_push(queue, starts[at], goals[at], 0, &request));
  }
  OK(quadrille_shapes_new(points, MANY, &shapes));
  QuadrilleFixes fixes = {MANY, track, times, zeros, zeros, NULL};
  OK(quadrille_tracks_new(fixes, (QuadrilleTrackRules){0, 0, 0}, &tracks));
}

// Bytes of addresses that this process has.
static rlim_t used(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL && fscanf(file, "%lu", &pages) == 1);
  fclose(file);
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

// Makes the call in a process of its own, with no more memory than that; returns how it ended.
static int ended(const Call *call) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    struct rlimit limit = {used() + (SPARE << 20), used() + (SPARE << 20)};
    _exit(setrlimit(RLIMIT_AS, &limit) == 0 ? (int)call->run() : 99);
  }
  int how = 0;
  CHECK(waitpid(child, &how, 0) == child);
  return how;
}

// Sanitizers and valgrind need the addresses themselves.
static int is_watched(void) {
#if defined(__SANITIZE_ADDRESS__)
  return 1;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return 1;
#endif
#endif
  const char *preloaded = getenv("LD_PRELOAD");
  return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

int main(void) {
  check_calls(CALLS, LENGTH(CALLS));
  if (is_watched() || access("/proc/self/statm", R_OK) != 0) {
    puts("SKIPPED: memory, which cannot be limited here");
    return 0;
  }
  make();
  int failed = 0;
  for (size_t at = 0; at < LENGTH(CALLS); at++) {
    if (CALLS[at].run == NULL) continue;
    int how = ended(&CALLS[at]);
    if (WIFEXITED(how) && WEXITSTATUS(how) == QUADRILLE_STATUS_MEMORY) continue;
    fprintf(stderr, "%s: %s %d\n", CALLS[at].name, WIFEXITED(how) ? "status" : "ended by signal",
            WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how));
    failed = 1;
  }
  if (!failed) puts("memory: all well");
  return failed;
}
