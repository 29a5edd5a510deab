// libspatialindex: an R*-tree in memory, by its interface for C. A box that moves is removed and inserted again.
#include <stdlib.h>
#include <string.h>

// Needs what the others declare.
#include <spatialindex/capi/sidx_api.h>

#include "contender.h"

typedef struct {
  IndexH index;
  float *boxes;
  int count;
} Self;

static void corners(const float *box, double *both) {
  for (int edge = 0; edge < 4; edge++) both[edge] = (double)box[edge];
}

static void put(Self *self, int id) {
  double both[4];
  corners(self->boxes + 4 * id, both);
  if (Index_InsertData(self->index, id, both, both + 2, 2, NULL, 0) != RT_None) abort();
}

static void *make(const float *boxes, int count) {
  Self *self = malloc(sizeof *self);
  IndexPropertyH wanted = IndexProperty_Create();
  IndexProperty_SetIndexType(wanted, RT_RTree);
  IndexProperty_SetIndexVariant(wanted, RT_Star);
  IndexProperty_SetIndexStorage(wanted, RT_Memory);
  self->index = Index_Create(wanted);
  IndexProperty_Destroy(wanted);
  self->count = count;
  self->boxes = malloc((size_t)count * 4 * sizeof *boxes);
  memcpy(self->boxes, boxes, (size_t)count * 4 * sizeof *boxes);
  for (int id = 0; id < count; id++) put(self, id);
  return self;
}

static void move(void *self, int box, const float *from, const float *to) {
  Self *all = self;
  double both[4];
  corners(from, both);
  if (Index_DeleteData(all->index, box, both, both + 2, 2) != RT_None) abort();
  memcpy(all->boxes + 4 * box, to, 4 * sizeof *to);
  put(all, box);
}

static void update(void *self, const float *boxes) {
  Self *all = self;
  for (int box = 0; box < all->count; box++) {
    float from[4];
    memcpy(from, all->boxes + 4 * box, sizeof from);
    move(self, box, from, boxes + 4 * box);
  }
}

static int64_t *overlapping(Self *self, const float *box, uint64_t *found) {
  double both[4];
  int64_t *ids = NULL;
  corners(box, both);
  if (Index_Intersects_id(self->index, both, both + 2, 2, &ids, found) != RT_None) abort();
  return ids;
}

static size_t query(void *self, const float *box) {
  uint64_t found = 0;
  Index_Free(overlapping(self, box, &found));
  return found;
}

static void pairs(void *self, PairList *found) {
  Self *all = self;
  found->count = 0;
  for (int own = 0; own < all->count; own++) {
    uint64_t count = 0;
    int64_t *ids = overlapping(all, all->boxes + 4 * own, &count);
    for (uint64_t at = 0; at < count; at++) {
      if (ids[at] <= own) continue;
      uint32_t *pair = found->data[found->count++];
      pair[0] = (uint32_t)own, pair[1] = (uint32_t)ids[at];
    }
    Index_Free(ids);
  }
}

static void drop(void *self) {
  Self *all = self;
  Index_Destroy(all->index);
  free(all->boxes);
  free(all);
}

const Contender libspatialindex = {"libspatialindex", make, update, move, query, NULL, pairs, NULL, drop};
