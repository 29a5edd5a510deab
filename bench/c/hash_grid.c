// A hash grid as people write it: cells of twice the boxes' size, a list of boxes in each, a box in each cell it touches.
// What is found in several cells is counted in the one with the lower corner of what both have in common.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contender.h"

enum { BUCKETS = 1 << 14, CELL = 10 };

typedef struct {
  int *boxes, count, room;
} Bucket;

typedef struct {
  Bucket buckets[BUCKETS];
  float *boxes;
  int count;
} Self;

static int cell(float at) { return (int)floorf(at / CELL); }
static Bucket *bucket(Self *self, int x, int y) {
  return self->buckets + (((uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u) & (BUCKETS - 1));
}

#define EACH_CELL(box)                                     \
  for (int y = cell((box)[1]); y <= cell((box)[3]); y++) \
    for (int x = cell((box)[0]); x <= cell((box)[2]); x++)

static void put(Self *self, int id) {
  EACH_CELL(self->boxes + 4 * id) {
    Bucket *there = bucket(self, x, y);
    if (there->count == there->room) {
      there->room = there->room == 0 ? 8 : 2 * there->room;
      there->boxes = realloc(there->boxes, (size_t)there->room * sizeof *there->boxes);
    }
    there->boxes[there->count++] = id;
  }
}

static void take(Self *self, int id, const float *from) {
  EACH_CELL(from) {
    Bucket *there = bucket(self, x, y);
    int at = 0;
    while (there->boxes[at] != id) at++;
    there->boxes[at] = there->boxes[--there->count];
  }
}

static void update(void *self, const float *boxes) {
  Self *all = self;
  for (int at = 0; at < BUCKETS; at++) all->buckets[at].count = 0;
  memcpy(all->boxes, boxes, (size_t)all->count * 4 * sizeof *boxes);
  for (int id = 0; id < all->count; id++) put(all, id);
}

static void *make(const float *boxes, int count) {
  Self *self = calloc(1, sizeof *self);
  self->count = count;
  self->boxes = malloc((size_t)count * 4 * sizeof *boxes);
  update(self, boxes);
  return self;
}

static void move(void *self, int box, const float *from, const float *to) {
  Self *all = self;
  take(all, box, from);
  memcpy(all->boxes + 4 * box, to, 4 * sizeof *to);
  put(all, box);
}

// Whether two overlap, and this cell is where that counts.
static int counts(const float *a, const float *b, int x, int y) {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3] && cell(fmaxf(a[0], b[0])) == x &&
         cell(fmaxf(a[1], b[1])) == y;
}

static size_t query(void *self, const float *box) {
  Self *all = self;
  size_t found = 0;
  EACH_CELL(box) {
    Bucket *there = bucket(all, x, y);
    for (int at = 0; at < there->count; at++) {
      int again = 0;
      for (int before = 0; before < at; before++) again |= there->boxes[before] == there->boxes[at];
      found += !again && counts(box, all->boxes + 4 * there->boxes[at], x, y);
    }
  }
  return found;
}

static void pairs(void *self, PairList *found) {
  Self *all = self;
  found->count = 0;
  for (int own = 0; own < all->count; own++) {
    const float *box = all->boxes + 4 * own;
    EACH_CELL(box) {
      Bucket *there = bucket(all, x, y);
      for (int at = 0; at < there->count; at++) {
        int other = there->boxes[at];
        if (other <= own || !counts(box, all->boxes + 4 * other, x, y)) continue;
        int again = 0;
        for (int before = 0; before < at; before++) again |= there->boxes[before] == other;
        if (again) continue;
        uint32_t *pair = found->data[found->count++];
        pair[0] = (uint32_t)own, pair[1] = (uint32_t)other;
      }
    }
  }
}

static void drop(void *self) {
  Self *all = self;
  for (int at = 0; at < BUCKETS; at++) free(all->buckets[at].boxes);
  free(all->boxes);
  free(all);
}

const Contender hash_grid = {"hash grid", make, update, move, query, NULL, pairs, NULL, drop};
