// Box2D's dynamic tree. In a whole frame, leaves get their boxes, the tree is built again, and each box is a query; a single box is taken out
// and put in again.
#include <stdlib.h>

#include "box2d/collision.h"
#include "contender.h"

typedef struct {
  b2DynamicTree tree;
  int count, *proxies;
} Self;

static b2AABB bounds(const float *box) {
  b2AABB all = {{box[0], box[1]}, {box[2], box[3]}};
  return all;
}

static void *make(const float *boxes, int count) {
  Self *self = malloc(sizeof *self);
  self->count = count;
  self->proxies = malloc((size_t)count * sizeof *self->proxies);
  self->tree = b2DynamicTree_Create(count);
  for (int box = 0; box < count; box++) {
    self->proxies[box] = b2DynamicTree_CreateProxy(&self->tree, bounds(boxes + 4 * box), 1, (uint64_t)box);
  }
  b2DynamicTree_Rebuild(&self->tree, true);
  return self;
}

static void move(void *self, int box, const float *from, const float *to) {
  Self *all = self;
  (void)from;
  b2DynamicTree_MoveProxy(&all->tree, all->proxies[box], bounds(to));
}

static void update(void *self, const float *boxes) {
  Self *all = self;
  for (int box = 0; box < all->count; box++) b2DynamicTree_EnlargeProxy(&all->tree, all->proxies[box], bounds(boxes + 4 * box));
  b2DynamicTree_Rebuild(&all->tree, false);
}

static bool one_more(int proxy, uint64_t data, void *context) {
  (void)proxy, (void)data;
  ++*(size_t *)context;
  return true;
}

static size_t query(void *self, const float *box) {
  size_t found = 0;
  b2DynamicTree_QueryAll(&((Self *)self)->tree, bounds(box), one_more, &found);
  return found;
}

typedef struct {
  PairList *found;
  uint32_t own;
} Asked;

static bool keep(int proxy, uint64_t data, void *context) {
  Asked *asked = context;
  (void)proxy;
  if (data > asked->own) {
    uint32_t *pair = asked->found->data[asked->found->count++];
    pair[0] = asked->own, pair[1] = (uint32_t)data;
  }
  return true;
}

static void pairs(void *self, PairList *found) {
  Self *all = self;
  Asked asked = {found, 0};
  found->count = 0;
  for (; (int)asked.own < all->count; asked.own++) {
    b2AABB own = b2DynamicTree_GetAABB(&all->tree, all->proxies[asked.own]);
    b2DynamicTree_QueryAll(&all->tree, own, keep, &asked);
  }
}

static void drop(void *self) {
  Self *all = self;
  b2DynamicTree_Destroy(&all->tree);
  free(all->proxies);
  free(all);
}

const Contender box2d = {"Box2D's tree", make, update, move, query, NULL, pairs, NULL, drop};
