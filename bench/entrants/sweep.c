// Sweep and prune along x: boxes in the order of their left edges, each compared with those that begin before it ends.
//
// cc -std=c17 -O3 -march=native -shared -fPIC -o sweep.so sweep.c
#include "entrant.h"

#include <stdlib.h>

typedef struct {
  entrant_box box;
  uint32_t number;
} Item;

typedef struct {
  Item *items;
  uint32_t count;
} Sweep;

static int by_left_edge(const void *a, const void *b) {
  float left = ((const Item *)a)->box.min_x, right = ((const Item *)b)->box.min_x;
  return (left > right) - (left < right);
}

static void sort(Sweep *sweep) { qsort(sweep->items, sweep->count, sizeof *sweep->items, by_left_edge); }

static void swap(Item *a, Item *b) {
  Item item = *a;
  *a = *b, *b = item;
}

static bool overlap(const entrant_box *a, const entrant_box *b) {
  return a->min_x <= b->max_x && b->min_x <= a->max_x && a->min_y <= b->max_y && b->min_y <= a->max_y;
}

void *entrant_begin(const entrant_box *boxes, uint32_t count) {
  Sweep *sweep = malloc(sizeof *sweep);
  *sweep = (Sweep){malloc((count + 1) * sizeof(Item)), count};
  for (uint32_t at = 0; at < count; at++) sweep->items[at] = (Item){boxes[at], at};
  sort(sweep);
  return sweep;
}

// The order of the last frame is sorted again.
void entrant_update(void *self, const entrant_box *boxes, uint32_t count) {
  Sweep *sweep = self;
  for (uint32_t at = 0; at < count; at++) sweep->items[at].box = boxes[sweep->items[at].number];
  sort(sweep);
}

void entrant_pairs(void *self, entrant_pairs_found *found, void *referee) {
  const Sweep *sweep = self;
  const Item *end = sweep->items + sweep->count;
  uint32_t pairs[256][2];
  size_t count = 0;
  for (const Item *a = sweep->items; a < end; a++)
    for (const Item *b = a + 1; b < end && b->box.min_x <= a->box.max_x; b++) {
      if (!overlap(&a->box, &b->box)) continue;
      pairs[count][0] = a->number;
      pairs[count][1] = b->number;
      if (++count == 256) found(referee, pairs, count), count = 0;
    }
  found(referee, pairs, count);
}

size_t entrant_bytes(const void *self) { return sizeof(Sweep) + (((const Sweep *)self)->count + 1) * sizeof(Item); }

void entrant_end(void *self) {
  free(((Sweep *)self)->items);
  free(self);
}

uint32_t entrant_version(void) { return ENTRANT_VERSION; }

const char *entrant_name(void) { return "sweep in C"; }

bool entrant_counts_touching(void) { return true; }

void entrant_query(const void *self, const entrant_box *asked, entrant_boxes_found *found, void *referee) {
  const Sweep *sweep = self;
  const Item *end = sweep->items + sweep->count;
  for (const Item *item = sweep->items; item < end && item->box.min_x <= asked->max_x; item++)
    if (overlap(&item->box, asked)) found(referee, &item->number, 1);
}

// The new box moves to its place item by item.
void entrant_replace(void *self, uint32_t number, const entrant_box *old_box, const entrant_box *new_box) {
  (void)old_box;
  Item *first = ((Sweep *)self)->items, *last = first + ((Sweep *)self)->count - 1, *item = first;
  while (item->number != number) item++;
  item->box = *new_box;
  for (; item > first && item[-1].box.min_x > item->box.min_x; item--) swap(item - 1, item);
  for (; item < last && item[1].box.min_x < item->box.min_x; item++) swap(item, item + 1);
}
