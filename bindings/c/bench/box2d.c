// What frame.c does, with Box2D's dynamic tree: every box moved, then one query for each. (Box2D itself moves fat
// boxes, and those alone whose body has left theirs: then it queries for fewer.)
#define _POSIX_C_SOURCE 200809L

#include "box2d/collision.h"
#include "scene.h"

typedef struct {
  uint64_t own;
  size_t count;
  uint32_t (*found)[2];
} Pairs;

static bool keep(int proxy, uint64_t data, void* context) {
  Pairs* pairs = (Pairs*)context;
  (void)proxy;
  if (data > pairs->own) {
    pairs->found[pairs->count][0] = (uint32_t)pairs->own;
    pairs->found[pairs->count++][1] = (uint32_t)data;
  }
  return true;
}

static b2AABB bounds(int box) {
  const float* edges = boxes + 4 * box;
  b2AABB all = {{edges[0], edges[1]}, {edges[2], edges[3]}};
  return all;
}

int main(void) {
  static uint32_t found[16 * BOXES][2];
  static int proxies[BOXES];
  begin();
  b2DynamicTree tree = b2DynamicTree_Create(BOXES);
  for (int box = 0; box < BOXES; box++) proxies[box] = b2DynamicTree_CreateProxy(&tree, bounds(box), 1, (uint64_t)box);
  b2DynamicTree_Rebuild(&tree, true);
  size_t sum = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    move();
    double start = microseconds();
    for (int box = 0; box < BOXES; box++) b2DynamicTree_MoveProxy(&tree, proxies[box], bounds(box));
    Pairs pairs = {0, 0, found};
    for (int box = 0; box < BOXES; box++) {
      pairs.own = (uint64_t)box;
      b2DynamicTree_QueryAll(&tree, bounds(box), keep, &pairs);
    }
    times[frame] = microseconds() - start;
    sum += pairs.count;
  }
  print(sum);
  b2DynamicTree_Destroy(&tree);
  return 0;
}
