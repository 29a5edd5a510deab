// For threads, which C11 leaves to POSIX.
#define _POSIX_C_SOURCE 200809L

// Boxes from C: right answers, by comparison with all pairs, and refusals of all that C can get wrong.
#include <math.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { MANY = 400 };

typedef struct {
  char name[12];
  float x0, y0, x1, y1;
  int health;
} Agent;

static int overlap(const float *a, const float *b) {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

static int by_ids(const void *a, const void *b) {
  const QuadrillePair *left = (const QuadrillePair *)a, *right = (const QuadrillePair *)b;
  if (left->a != right->a) return left->a < right->a ? -1 : 1;
  return (left->b > right->b) - (left->b < right->b);
}

static int by_id(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

static void scatter(float *rows, size_t count, uint32_t *state) {
  for (size_t row = 0; row < count; row++) {
    float *box = rows + 4 * row;
    box[0] = (float)random_below(state, 100), box[1] = (float)random_below(state, 100);
    box[2] = box[0] + (float)random_below(state, 6), box[3] = box[1] + (float)random_below(state, 6);
  }
}

static void pairs_are_all(const char *structure) {
  static float rows[4 * MANY];
  static QuadrillePair found[MANY * MANY];
  uint32_t state = 88172645;
  QuadrilleBoxes boxes;
  OK(quadrille_boxes_new(structure, quadrille_boxes_f32(NULL, 0, 0), &boxes));
  for (int frame = 0; frame < 4; frame++) {
    scatter(rows, MANY, &state);
    OK(quadrille_boxes_update(boxes, quadrille_boxes_f32(rows, MANY, 0)));
    QuadrillePairs pairs = pairs_in(found, LENGTH(found));
    OK(quadrille_boxes_pairs(boxes, &pairs));
    qsort(found, pairs.count, sizeof *found, by_ids);
    size_t at = 0;
    for (uint32_t a = 0; a < MANY; a++) {
      for (uint32_t b = a + 1; b < MANY; b++) {
        if (overlap(rows + 4 * a, rows + 4 * b)) {
          CHECK(at < pairs.count && found[at].a == a && found[at].b == b);
          at++;
        }
      }
    }
    CHECK(at == pairs.count && at > 100);

    static uint32_t ids[MANY * MANY], counts[MANY];
    static float asked[4 * MANY];
    scatter(asked, MANY, &state);
    QuadrilleIds answers = ids_in(ids, LENGTH(ids));
    OK(quadrille_boxes_query(boxes, quadrille_boxes_f32(asked, MANY, 0), QUADRILLE_ALL_LAYERS, counts, &answers));
    uint32_t *next = ids;
    for (size_t query = 0; query < MANY; query++) {
      qsort(next, counts[query], sizeof *next, by_id);
      uint32_t *end = next + counts[query];
      for (uint32_t id = 0; id < MANY; id++) {
        if (overlap(asked + 4 * query, rows + 4 * id)) CHECK(next < end && *next++ == id);
      }
      CHECK(next == end);
    }
    CHECK(next == ids + answers.count);
  }
  OK(quadrille_boxes_free(boxes));
}

// Rows are parts of greater structs.
static void rows_may_lie_apart(void) {
  Agent agents[3] = {{"a", 0, 0, 2, 2, 1}, {"b", 1, 1, 3, 3, 1}, {"c", 8, 8, 9, 9, 1}};
  QuadrilleRows rows = quadrille_boxes_f32(&agents[0].x0, 3, sizeof *agents);
  QuadrilleBoxes boxes;
  OK(quadrille_boxes_new("frame-tree", rows, &boxes));
  QuadrillePair found[3];
  QuadrillePairs began = pairs_in(found, 3), ended = pairs_in(NULL, 0);
  OK(quadrille_boxes_events(boxes, &began, &ended));
  CHECK(began.count == 1 && found[0].a == 0 && found[0].b == 1 && ended.count == 0);

  agents[0].x0 = 7, agents[0].y0 = 7, agents[0].x1 = 8, agents[0].y1 = 8;
  OK(quadrille_boxes_update(boxes, rows));
  QuadrillePair over[1];
  ended = pairs_in(over, 1);
  OK(quadrille_boxes_events(boxes, &began, &ended));
  CHECK(began.count == 1 && found[0].a == 0 && found[0].b == 2);
  CHECK(ended.count == 1 && over[0].a == 0 && over[0].b == 1);

  // Points are boxes without size.
  float points[2][3] = {{1, 1, 77}, {8.5f, 8.5f, 77}};
  uint32_t ids[4], counts[2];
  QuadrilleIds answers = ids_in(ids, 4);
  OK(quadrille_boxes_query(boxes, quadrille_points_f32(points[0], 2, sizeof *points), QUADRILLE_ALL_LAYERS, counts,
                           &answers));
  CHECK(answers.count == 2 && counts[0] == 1 && ids[0] == 1 && counts[1] == 1 && ids[1] == 2);
  OK(quadrille_boxes_free(boxes));
}

static void boxes_come_and_go(void) {
  double rows[] = {0, 0, 1, 1, 5, 0, 6, 1, 10, 0, 11, 1};
  QuadrilleBoxes boxes;
  OK(quadrille_boxes_new("quadtree", quadrille_boxes_f64(rows, 3, 0), &boxes));
  uint32_t gone[] = {1}, ids[4];
  OK(quadrille_boxes_remove(boxes, gone, 1));
  QuadrilleIds answers = ids_in(ids, 4);
  OK(quadrille_boxes_ids(boxes, &answers));
  CHECK(answers.count == 2 && ids[0] == 0 && ids[1] == 2);
  REFUSED(QUADRILLE_STATUS_ID, "row 0: no box has the id 1", quadrille_boxes_remove(boxes, gone, 1));

  double more[] = {20, 0, 21, 1, 0.5, 0.5, 2, 2};
  OK(quadrille_boxes_insert(boxes, quadrille_boxes_f64(more, 2, 0), &answers));
  CHECK(answers.count == 2 && ids[0] == 1 && ids[1] == 3);
  size_t count = 0;
  OK(quadrille_boxes_count(boxes, &count));
  CHECK(count == 4);

  double to[] = {10.5, 0.5, 12, 12};
  OK(quadrille_boxes_move(boxes, gone, 1, quadrille_boxes_f64(to, 1, 0)));
  double read[8];
  uint32_t asked[] = {1, 3};
  OK(quadrille_boxes_get(boxes, asked, 2, QUADRILLE_F64, read));
  CHECK(memcmp(read, to, sizeof to) == 0 && memcmp(read + 4, more + 4, sizeof to) == 0);

  // 0 with 3, 1 with 2; then 3 meets nothing.
  QuadrillePair found[4];
  QuadrillePairs pairs = pairs_in(found, 4);
  OK(quadrille_boxes_pairs(boxes, &pairs));
  CHECK(pairs.count == 2);
  QuadrilleLayers layers[] = {{2, 0}};
  OK(quadrille_boxes_set_layers(boxes, asked + 1, layers, 1));
  OK(quadrille_boxes_pairs(boxes, &pairs));
  CHECK(pairs.count == 1 && found[0].a == 1 && found[0].b == 2);
  double all[] = {-100, -100, 100, 100};
  uint32_t number;
  OK(quadrille_boxes_query(boxes, quadrille_boxes_f64(all, 1, 0), 4, &number, &answers));
  CHECK(number == 3 && answers.count == 3);
  OK(quadrille_boxes_maintain(boxes));

  // All of it as bytes, and back.
  QuadrilleBytes bytes = {NULL, 0, 0};
  REFUSED(QUADRILLE_STATUS_ROOM, "room for 0", quadrille_boxes_snapshot(boxes, &bytes));
  bytes.data = (uint8_t *)malloc(bytes.count), bytes.room = bytes.count;
  OK(quadrille_boxes_snapshot(boxes, &bytes));
  QuadrilleBoxes again;
  OK(quadrille_boxes_restore(QUADRILLE_F64, bytes.data, bytes.count, &again));
  OK(quadrille_boxes_pairs(again, &pairs));
  CHECK(pairs.count == 1 && found[0].a == 1 && found[0].b == 2);
  CHECK(quadrille_boxes_restore(QUADRILLE_F32, bytes.data, bytes.count, &again) == QUADRILLE_STATUS_VALUE);
  CHECK(quadrille_boxes_restore(QUADRILLE_F64, bytes.data, bytes.count / 2, &again) == QUADRILLE_STATUS_VALUE);
  free(bytes.data);
  OK(quadrille_boxes_free(again));
  OK(quadrille_boxes_free(boxes));
}

static void nearest_within_and_casts(void) {
  int32_t rows[] = {0, 0, 1, 1, 4, 0, 5, 1, 20, 0, 21, 1};
  QuadrilleBoxes boxes;
  OK(quadrille_boxes_new("grid", quadrille_boxes_i32(rows, 3, 0), &boxes));
  int32_t at[] = {2, 0};
  uint32_t ids[4], count;
  double far[4];
  QuadrilleIds answers = ids_in(ids, 4);
  OK(quadrille_boxes_nearest(boxes, quadrille_points_i32(at, 1, 0), 4, INFINITY, QUADRILLE_ALL_LAYERS, &answers, far));
  CHECK(answers.count == 4 && ids[0] == 0 && ids[1] == 1 && ids[2] == 2 && ids[3] == QUADRILLE_NONE);
  CHECK(far[0] == 1 && far[1] == 2 && far[2] == 18 && isinf(far[3]));
  OK(quadrille_boxes_within(boxes, quadrille_points_i32(at, 1, 0), 2, QUADRILLE_ALL_LAYERS, &count, &answers, far));
  CHECK(count == 2 && answers.count == 2);
  CHECK(far[0] + far[1] == 3);

  int32_t way[] = {1, 0};
  double time;
  int8_t normal[2];
  OK(quadrille_boxes_cast(boxes, quadrille_points_i32(at, 1, 0), quadrille_points_i32(way, 1, 0), 100,
                          QUADRILLE_ALL_LAYERS, &answers, &time, normal));
  CHECK(answers.count == 1 && ids[0] == 1 && time == 2 && normal[0] == -1 && normal[1] == 0);
  OK(quadrille_boxes_cast(boxes, quadrille_points_i32(at, 1, 0), quadrille_points_i32(way, 1, 0), 1,
                          QUADRILLE_ALL_LAYERS, &answers, &time, normal));
  CHECK(ids[0] == QUADRILLE_NONE && isinf(time));
  CHECK(quadrille_boxes_nearest(boxes, quadrille_points_i32(at, 1, 0), 0, 1, 1, NULL, NULL) == QUADRILLE_STATUS_VALUE);
  CHECK(quadrille_boxes_within(boxes, quadrille_points_i32(at, 1, 0), -1, 1, NULL, NULL, NULL) == QUADRILLE_STATUS_VALUE);
  CHECK(quadrille_boxes_cast(boxes, quadrille_points_i32(at, 1, 0), quadrille_points_i32(way, 0, 0), 1, 1, NULL,
                             NULL, NULL) == QUADRILLE_STATUS_VALUE);
  // A column as long as one that is not there.
  REFUSED(QUADRILLE_STATUS_NULL, "`distances`",
          quadrille_boxes_nearest(boxes, quadrille_points_i32(at, 1, 0), 2, 9, 1, NULL, far));

  int32_t other_rows[] = {1, 1, 4, 4};
  QuadrilleBoxes others, doubles;
  OK(quadrille_boxes_new("frame-tree", quadrille_boxes_i32(other_rows, 1, 0), &others));
  QuadrillePair found[4];
  QuadrillePairs pairs = pairs_in(found, 4);
  OK(quadrille_boxes_pairs_with(boxes, others, &pairs));
  CHECK(pairs.count == 2 && found[0].a + found[1].a == 1 && found[0].b == 0 && found[1].b == 0);
  OK(quadrille_boxes_new("frame-tree", quadrille_boxes_f64(NULL, 0, 0), &doubles));
  CHECK(quadrille_boxes_pairs_with(boxes, doubles, &pairs) == QUADRILLE_STATUS_SCALAR);
  REFUSED(QUADRILLE_STATUS_VALUE, "within one set", quadrille_boxes_pairs_with(boxes, boxes, &pairs));
  REFUSED(QUADRILLE_STATUS_VALUE, "within one set", quadrille_boxes_pairs_with_within(boxes, boxes, 1, &pairs, NULL));
  OK(quadrille_boxes_free(doubles));
  OK(quadrille_boxes_free(others));
  OK(quadrille_boxes_free(boxes));
}

static void answers_are_kept(void) {
  float rows[] = {0, 0, 1, 1, 0, 0, 2, 2, 0, 0, 3, 3};
  QuadrilleBoxes boxes;
  OK(quadrille_boxes_new("loose-grid", quadrille_boxes_f32(rows, 3, 0), &boxes));
  QuadrillePair found[3] = {{7, 7}, {7, 7}, {7, 7}};
  QuadrillePairs pairs = pairs_in(found, 2);
  REFUSED(QUADRILLE_STATUS_ROOM, "3 answers and room for 2", quadrille_boxes_pairs(boxes, &pairs));
  CHECK(pairs.count == 3 && found[0].a == 7 && found[1].b == 7);
  QuadrilleKept kept;
  OK(quadrille_boxes_kept(boxes, &kept));
  CHECK(kept.pair_count == 3 && kept.id_count == 0 && kept.normals == NULL);
  // Events are not lost either.
  pairs.room = 1;
  CHECK(quadrille_boxes_events(boxes, &pairs, NULL) == QUADRILLE_STATUS_ROOM);
  OK(quadrille_boxes_kept(boxes, &kept));
  CHECK(kept.began_count == 3 && kept.ended_count == 0);
  // Without a buffer, answers are only kept. Kept ids can be arguments.
  OK(quadrille_boxes_query(boxes, quadrille_boxes_f32(rows, 1, 0), QUADRILLE_ALL_LAYERS, NULL, NULL));
  OK(quadrille_boxes_kept(boxes, &kept));
  CHECK(kept.id_count == 3 && kept.query_count == 1 && kept.counts[0] == 3);
  OK(quadrille_boxes_remove(boxes, kept.ids, kept.id_count));
  size_t count = 7;
  OK(quadrille_boxes_count(boxes, &count));
  CHECK(count == 0);
  OK(quadrille_boxes_free(boxes));
}

static void mistakes_are_told(void) {
  float rows[] = {0, 0, 1, 1, 0, 0, NAN, 1, 3, 0, 1, 1};
  QuadrilleRows good = quadrille_boxes_f32(rows, 1, 0);
  QuadrilleBoxes boxes, other;
  memset(&other, 0, sizeof other);
  REFUSED(QUADRILLE_STATUS_VALUE, "row 1", quadrille_boxes_new("frame-tree", quadrille_boxes_f32(rows, 2, 0), &boxes));
  REFUSED(QUADRILLE_STATUS_VALUE, "octree", quadrille_boxes_new("octree", good, &boxes));
  REFUSED(QUADRILLE_STATUS_VALUE, "UTF-8", quadrille_boxes_new("\xff", good, &boxes));
  REFUSED(QUADRILLE_STATUS_NULL, "`structure`", quadrille_boxes_new(NULL, good, &boxes));
  REFUSED(QUADRILLE_STATUS_NULL, "`boxes`", quadrille_boxes_new("frame-tree", good, NULL));
  REFUSED(QUADRILLE_STATUS_NULL, "`rows`", quadrille_boxes_new("frame-tree", quadrille_boxes_f32(NULL, 1, 0), &boxes));
  OK(quadrille_boxes_new("frame-tree", good, &boxes));

  QuadrilleRows bad = good;
  bad.scalar = 9;
  REFUSED(QUADRILLE_STATUS_SCALAR, "number 9", quadrille_boxes_update(boxes, bad));
  bad.scalar = QUADRILLE_F64, bad.count = 0;
  REFUSED(QUADRILLE_STATUS_SCALAR, "type", quadrille_boxes_update(boxes, bad));
  bad = good, bad.numbers = 3;
  REFUSED(QUADRILLE_STATUS_VALUE, "rows of 3 numbers", quadrille_boxes_update(boxes, bad));
  bad = good, bad.stride = 15;
  REFUSED(QUADRILLE_STATUS_VALUE, "every 15 bytes", quadrille_boxes_update(boxes, bad));
  bad = good, bad.stride = 18;
  REFUSED(QUADRILLE_STATUS_VALUE, "every 18 bytes", quadrille_boxes_update(boxes, bad));
  bad = good, bad.count = SIZE_MAX;
  REFUSED(QUADRILLE_STATUS_VALUE, "length", quadrille_boxes_update(boxes, bad));
  bad = good, bad.first = (const char *)rows + 1;
  REFUSED(QUADRILLE_STATUS_VALUE, "aligned", quadrille_boxes_update(boxes, bad));
  float inverted[] = {0, 0, 1, 1, 3, 0, 1, 1};
  REFUSED(QUADRILLE_STATUS_VALUE, "row 1", quadrille_boxes_update(boxes, quadrille_boxes_f32(inverted, 2, 0)));
  REFUSED(QUADRILLE_STATUS_VALUE, "row 1", quadrille_boxes_insert(boxes, quadrille_boxes_f32(rows, 3, 0), NULL));
  size_t count;
  OK(quadrille_boxes_count(boxes, &count));
  CHECK(count == 1);
  uint32_t none = 0;
  REFUSED(QUADRILLE_STATUS_NULL, "`ids`", quadrille_boxes_remove(boxes, NULL, 1));
  REFUSED(QUADRILLE_STATUS_VALUE, "length", quadrille_boxes_remove(boxes, (const uint32_t *)rows, SIZE_MAX / 2));
  CHECK(quadrille_boxes_count(boxes, NULL) == QUADRILLE_STATUS_NULL);
  CHECK(quadrille_boxes_get(boxes, &none, 1, QUADRILLE_I32, rows) == QUADRILLE_STATUS_SCALAR);
  CHECK(quadrille_boxes_get(boxes, &none, 1, QUADRILLE_F32, NULL) == QUADRILLE_STATUS_NULL);

  // Handles of nothing: zero, damaged, freed.
  REFUSED(QUADRILLE_STATUS_HANDLE, "handle", quadrille_boxes_free(other));
  for (int bit = 0; bit < 64; bit++) {
    other.bits = boxes.bits ^ (uint64_t)1 << bit;
    CHECK(quadrille_boxes_maintain(other) == QUADRILLE_STATUS_HANDLE);
  }
  OK(quadrille_boxes_free(boxes));
  CHECK(quadrille_boxes_free(boxes) == QUADRILLE_STATUS_HANDLE);
  OK(quadrille_boxes_new("grid", good, &other));
  CHECK(quadrille_boxes_pairs(boxes, NULL) == QUADRILLE_STATUS_HANDLE);
  OK(quadrille_boxes_free(other));
}

// What a callback has received, and when it is to return 0.
typedef struct {
  QuadrilleBoxes boxes;
  uint32_t rows[MANY * 8], ids[MANY * 8];
  size_t count, most;
} Heard;

static int hear(void *context, uint32_t row, uint32_t id) {
  Heard *heard = (Heard *)context;
  heard->rows[heard->count] = row, heard->ids[heard->count] = id;
  // Its handle is in use meanwhile.
  CHECK(quadrille_boxes_maintain(heard->boxes) == QUADRILLE_STATUS_BUSY);
  return ++heard->count < heard->most;
}

static void callbacks_hear_the_same(void) {
  static float rows[4 * MANY];
  static QuadrillePair found[MANY * MANY];
  static uint32_t ids[MANY * MANY], counts[MANY];
  static Heard heard;
  uint32_t state = 77;
  scatter(rows, MANY, &state);
  QuadrilleRows all = quadrille_boxes_f32(rows, MANY, 0);
  OK(quadrille_boxes_new("frame-tree", all, &heard.boxes));
  QuadrillePairs pairs = pairs_in(found, LENGTH(found));
  OK(quadrille_boxes_pairs(heard.boxes, &pairs));
  CHECK(pairs.count > 100 && pairs.count < LENGTH(heard.ids));
  heard.most = SIZE_MAX;
  OK(quadrille_boxes_visit_pairs(heard.boxes, hear, &heard));
  CHECK(heard.count == pairs.count);
  for (size_t at = 0; at < pairs.count; at++) CHECK(found[at].a == heard.rows[at] && found[at].b == heard.ids[at]);

  QuadrilleIds answers = ids_in(ids, LENGTH(ids));
  OK(quadrille_boxes_query(heard.boxes, all, QUADRILLE_ALL_LAYERS, counts, &answers));
  heard.count = 0;
  OK(quadrille_boxes_visit(heard.boxes, all, QUADRILLE_ALL_LAYERS, hear, &heard));
  CHECK(heard.count == answers.count);
  size_t at = 0;
  for (uint32_t row = 0; row < MANY; row++) {
    for (uint32_t one = 0; one < counts[row]; one++, at++) CHECK(heard.rows[at] == row && heard.ids[at] == ids[at]);
  }

  // Told to stop, both do.
  heard.count = 0, heard.most = 7;
  OK(quadrille_boxes_visit(heard.boxes, all, QUADRILLE_ALL_LAYERS, hear, &heard));
  CHECK(heard.count == 7);
  heard.count = 0;
  OK(quadrille_boxes_visit_pairs(heard.boxes, hear, &heard));
  CHECK(heard.count == 7);
  REFUSED(QUADRILLE_STATUS_NULL, "`visit`", quadrille_boxes_visit_pairs(heard.boxes, NULL, &heard));
  REFUSED(QUADRILLE_STATUS_NULL, "`visit`", quadrille_boxes_visit(heard.boxes, all, 1, NULL, &heard));
  OK(quadrille_boxes_free(heard.boxes));
}

// The distance of two boxes, in numbers that are exact.
static double apart(const double *a, const double *b) {
  double x = fmax(0, fmax(a[0] - b[2], b[0] - a[2])), y = fmax(0, fmax(a[1] - b[3], b[1] - a[3]));
  return sqrt(x * x + y * y);
}

static void pairs_that_are_near(void) {
  enum { FEW = 120 };
  static double rows[4 * FEW], others[4 * FEW], distances[FEW * FEW];
  static QuadrillePair found[FEW * FEW];
  uint32_t state = 3;
  for (int at = 0; at < 2 * FEW; at++) {
    double *box = at < FEW ? rows + 4 * at : others + 4 * (at - FEW);
    box[0] = floor(random_below(&state, 100)), box[1] = floor(random_below(&state, 100));
    box[2] = box[0] + floor(random_below(&state, 4)), box[3] = box[1] + floor(random_below(&state, 4));
  }
  QuadrilleBoxes here, there;
  OK(quadrille_boxes_new("frame-tree", quadrille_boxes_f64(rows, FEW, 0), &here));
  OK(quadrille_boxes_new("loose-quadtree", quadrille_boxes_f64(others, FEW, 0), &there));
  size_t least[2] = {0, 0};
  for (int a = 0; a < FEW; a++) {
    for (int b = 0; b < FEW; b++) {
      least[0] += a < b && apart(rows + 4 * a, rows + 4 * b) <= 5;
      least[1] += apart(rows + 4 * a, others + 4 * b) <= 5;
    }
  }
  QuadrillePairs pairs = pairs_in(found, LENGTH(found));
  OK(quadrille_boxes_pairs_within(here, 5, &pairs, distances));
  CHECK(pairs.count == least[0] && least[0] > 50);
  for (size_t at = 0; at < pairs.count; at++) {
    CHECK(found[at].a < found[at].b && distances[at] == apart(rows + 4 * found[at].a, rows + 4 * found[at].b));
    CHECK(distances[at] <= 5);
  }
  OK(quadrille_boxes_pairs_with_within(here, there, 5, &pairs, distances));
  CHECK(pairs.count == least[1] && least[1] > 100);
  for (size_t at = 0; at < pairs.count; at++) {
    CHECK(distances[at] == apart(rows + 4 * found[at].a, others + 4 * found[at].b) && distances[at] <= 5);
  }
  QuadrilleKept kept;
  OK(quadrille_boxes_kept(here, &kept));
  CHECK(kept.pair_count == pairs.count && kept.distance_count == pairs.count && kept.distances[0] == distances[0]);
  // Those of an earlier call are not kept beside other pairs.
  OK(quadrille_boxes_pairs(here, NULL));
  OK(quadrille_boxes_kept(here, &kept));
  CHECK(kept.pair_count > 0 && kept.distance_count == 0);
  REFUSED(QUADRILLE_STATUS_VALUE, "-1", quadrille_boxes_pairs_within(here, -1, &pairs, NULL));
  REFUSED(QUADRILLE_STATUS_NULL, "`distances`", quadrille_boxes_pairs_within(here, 1, NULL, distances));
  OK(quadrille_boxes_free(here));
  OK(quadrille_boxes_free(there));
}

// What is on other layers is not there; layers, structure and nodes can be read.
static void layers_are_seen(void) {
  float rows[] = {1, 0, 2, 1, 4, 0, 5, 1}, at[] = {0, 0.5f}, way[] = {1, 0};
  QuadrilleBoxes boxes;
  OK(quadrille_boxes_new("grid", quadrille_boxes_f32(rows, 2, 0), &boxes));
  uint32_t near[] = {0}, ids[2];
  QuadrilleLayers layers[] = {{2, 4}}, read[2];
  OK(quadrille_boxes_set_layers(boxes, near, layers, 1));
  uint32_t both[] = {0, 1};
  OK(quadrille_boxes_layers(boxes, both, 2, read));
  CHECK(read[0].own == 2 && read[0].mask == 4 && read[1].own == QUADRILLE_ALL_LAYERS);
  QuadrilleIds answers = ids_in(ids, 2);
  OK(quadrille_boxes_nearest(boxes, quadrille_points_f32(at, 1, 0), 1, INFINITY, 1, &answers, NULL));
  CHECK(answers.count == 1 && ids[0] == 1);
  OK(quadrille_boxes_cast(boxes, quadrille_points_f32(at, 1, 0), quadrille_points_f32(way, 1, 0), 9, 1, &answers, NULL,
                          NULL));
  CHECK(ids[0] == 1);
  OK(quadrille_boxes_cast(boxes, quadrille_points_f32(at, 1, 0), quadrille_points_f32(way, 1, 0), 9, 2, &answers, NULL,
                          NULL));
  CHECK(ids[0] == 0);

  const char *name = NULL;
  OK(quadrille_boxes_structure(boxes, &name));
  CHECK(strcmp(name, "grid") == 0);
  size_t count = 0;
  REFUSED(QUADRILLE_STATUS_ROOM, "room for 0", quadrille_boxes_nodes(boxes, QUADRILLE_F32, NULL, 0, &count));
  float *nodes = (float *)malloc(count * 4 * sizeof *nodes);
  OK(quadrille_boxes_nodes(boxes, QUADRILLE_F32, nodes, count, &count));
  CHECK(count > 0 && nodes[0] <= nodes[2]);
  free(nodes);
  CHECK(quadrille_boxes_nodes(boxes, QUADRILLE_F64, NULL, 0, &count) == QUADRILLE_STATUS_SCALAR);
  CHECK(quadrille_boxes_layers(boxes, both, 2, NULL) == QUADRILLE_STATUS_NULL);
  OK(quadrille_boxes_free(boxes));
}

static void the_best_remain(void) {
  double rows[] = {0, 0, 10, 10, 1, 1, 11, 11, 50, 50, 60, 60}, scores[] = {0.5, 0.9, 0.1};
  uint32_t ids[3];
  QuadrilleIds answers = ids_in(ids, 3);
  QuadrilleRows boxes = quadrille_boxes_f64(rows, 3, 0);
  OK(quadrille_suppress(boxes, scores, 0.5, &answers));
  CHECK(answers.count == 2 && ids[0] == 1 && ids[1] == 2);
  OK(quadrille_suppress(boxes, scores, 0.8, &answers));
  CHECK(answers.count == 3 && ids[1] == 0);
  OK(quadrille_declutter(boxes, scores, &answers));
  CHECK(answers.count == 2 && ids[0] == 1 && ids[1] == 2);
  REFUSED(QUADRILLE_STATUS_VALUE, "iou", quadrille_suppress(boxes, scores, 1.5, &answers));
  REFUSED(QUADRILLE_STATUS_NULL, "`worth`", quadrille_declutter(boxes, NULL, &answers));
  scores[1] = NAN;
  REFUSED(QUADRILLE_STATUS_VALUE, "row 1", quadrille_declutter(boxes, scores, &answers));
  REFUSED(QUADRILLE_STATUS_VALUE, "rows of 2", quadrille_declutter(quadrille_points_f64(rows, 3, 0), scores, &answers));
}

// On several threads, answers and their order are those of one.
static void threads_share_a_call(void) {
  enum { LOTS = 6000 };
  static float rows[4 * LOTS];
  static uint32_t counts[2][LOTS];
  uint32_t state = 11;
  scatter(rows, LOTS, &state);
  for (int at = 0; at < 4 * LOTS; at++) rows[at] *= 6;
  QuadrilleRows all = quadrille_boxes_f32(rows, LOTS, 0);
  QuadrilleBoxes boxes[2];
  QuadrilleKept kept[2];
  for (int at = 0; at < 2; at++) OK(quadrille_boxes_new("frame-tree", all, &boxes[at]));
  OK(quadrille_boxes_set_threads(boxes[1], 3));
  for (int kind = 0; kind < 5; kind++) {
    for (int at = 0; at < 2; at++) {
      switch (kind) {
        case 0: OK(quadrille_boxes_pairs(boxes[at], NULL)); break;
        case 1: OK(quadrille_boxes_query(boxes[at], all, QUADRILLE_ALL_LAYERS, counts[at], NULL)); break;
        case 2: OK(quadrille_boxes_within(boxes[at], all, 9, QUADRILLE_ALL_LAYERS, counts[at], NULL, NULL)); break;
        case 3: OK(quadrille_boxes_nearest(boxes[at], all, 3, 50, QUADRILLE_ALL_LAYERS, NULL, NULL)); break;
        default:
          OK(quadrille_boxes_cast(boxes[at], all, quadrille_points_f32(rows, LOTS, 4 * sizeof *rows), 1,
                                  QUADRILLE_ALL_LAYERS, NULL, NULL, NULL));
      }
      OK(quadrille_boxes_kept(boxes[at], &kept[at]));
    }
    CHECK(kept[0].pair_count == kept[1].pair_count && kept[0].id_count == kept[1].id_count);
    CHECK(kept[0].pair_count > LOTS / 10 && (kind == 0 || kept[0].id_count >= LOTS));
    CHECK(memcmp(kept[0].pairs, kept[1].pairs, kept[0].pair_count * sizeof *kept[0].pairs) == 0);
    CHECK(kind == 0 || memcmp(kept[0].ids, kept[1].ids, kept[0].id_count * sizeof *kept[0].ids) == 0);
    CHECK(memcmp(counts[0], counts[1], sizeof counts[0]) == 0);
  }
  OK(quadrille_boxes_set_threads(boxes[0], 0));
  REFUSED(QUADRILLE_STATUS_VALUE, "threads", quadrille_boxes_set_threads(boxes[0], SIZE_MAX));
  OK(quadrille_boxes_pairs_with(boxes[0], boxes[1], NULL));
  for (int at = 0; at < 2; at++) OK(quadrille_boxes_free(boxes[at]));
}

typedef struct {
  QuadrilleBoxes boxes;
  int done, refused;
} Turn;

static void *ask_often(void *data) {
  Turn *turn = (Turn *)data;
  while (turn->done < 200) {
    QuadrilleStatus status = quadrille_boxes_pairs(turn->boxes, NULL);
    CHECK(status == QUADRILLE_STATUS_OK || status == QUADRILLE_STATUS_BUSY);
    if (status == QUADRILLE_STATUS_OK) {
      turn->done++;
    } else {
      // The text is this thread's own.
      CHECK(strstr(quadrille_error_text(), "has not returned") != NULL);
      turn->refused++;
      sched_yield();
    }
  }
  return NULL;
}

static void threads_take_turns(void) {
  static float rows[4 * MANY];
  uint32_t state = 5;
  scatter(rows, MANY, &state);
  Turn turns[2];
  memset(turns, 0, sizeof turns);
  OK(quadrille_boxes_new("frame-tree", quadrille_boxes_f32(rows, MANY, 0), &turns[0].boxes));
  turns[1].boxes = turns[0].boxes;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, ask_often, &turns[1]) == 0);
  ask_often(&turns[0]);
  pthread_join(thread, NULL);
  CHECK(turns[0].done == 200 && turns[1].done == 200);
  OK(quadrille_boxes_free(turns[0].boxes));
}

int main(void) {
  size_t names = 0;
  for (const char *name; (name = quadrille_structure_name(names)) != NULL; names++) pairs_are_all(name);
  CHECK(names >= 7 && quadrille_structure_name(SIZE_MAX) == NULL && quadrille_version()[0] >= '0');
  rows_may_lie_apart();
  boxes_come_and_go();
  nearest_within_and_casts();
  answers_are_kept();
  mistakes_are_told();
  callbacks_hear_the_same();
  pairs_that_are_near();
  layers_are_seen();
  the_best_remain();
  threads_share_a_call();
  threads_take_turns();
  puts("boxes: all well");
  return 0;
}
