// What a dynamic tree answers while boxes come, move and go, as one number a round. Linked with Box2D's own tree and
// with ours, it prints the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box2d/collision.h"

enum { MOST = 500, ROUNDS = 60 };

static uint32_t state = 2463534242;

static uint32_t below(uint32_t end) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return (uint32_t)((uint64_t)state * end >> 32);
}

// In quarters, so that all arithmetic is exact.
static b2AABB some_box(uint32_t size) {
  float x = (float)below(400) / 4, y = (float)below(400) / 4;
  b2AABB box = {{x, y}, {x + (float)below(size) / 4, y + (float)below(size) / 4}};
  return box;
}

typedef struct {
  uint64_t data[MOST];
  int count;
} Found;

static bool keep(int id, uint64_t data, void* context) {
  Found* found = (Found*)context;
  (void)id;
  found->data[found->count++] = data;
  return true;
}

static float keep_ray(const b2RayCastInput* input, int id, uint64_t data, void* context) {
  keep(id, data, context);
  return input->maxFraction;
}

static float keep_box(const b2BoxCastInput* input, int id, uint64_t data, void* context) {
  keep(id, data, context);
  return input->maxFraction;
}

static int by_number(const void* a, const void* b) {
  uint64_t left = *(const uint64_t*)a, right = *(const uint64_t*)b;
  return (left > right) - (left < right);
}

static uint64_t hash = 14695981039346656037u;

static void take(uint64_t number) {
  hash = (hash ^ number) * 1099511628211u;
}

static void take_all(Found* found) {
  qsort(found->data, (size_t)found->count, sizeof *found->data, by_number);
  take((uint64_t)found->count);
  for (int at = 0; at < found->count; at++) take(found->data[at]);
  found->count = 0;
}

int main(void) {
  b2DynamicTree tree = b2DynamicTree_Create(4);
  int ids[MOST], count = 0;
  uint64_t name = 0;
  Found found = {{0}, 0};
  for (int round = 0; round < ROUNDS; round++) {
    for (int change = 0; change < 40; change++) {
      uint32_t kind = below(8);
      if (kind < 4 && count < MOST) {
        ids[count++] = b2DynamicTree_CreateProxy(&tree, some_box(24), (uint64_t)1 << below(64), ++name);
      } else if (count > 0) {
        uint32_t at = below((uint32_t)count);
        b2AABB box = b2DynamicTree_GetAABB(&tree, ids[at]);
        if (kind == 4) {
          b2DynamicTree_DestroyProxy(&tree, ids[at]);
          ids[at] = ids[--count];
        } else if (kind == 5) {
          box.lowerBound.x -= 1, box.upperBound.y += 2;
          b2DynamicTree_EnlargeProxy(&tree, ids[at], box);
        } else if (kind == 6) {
          b2DynamicTree_SetCategoryBits(&tree, ids[at], (uint64_t)3 << below(63));
        } else {
          b2DynamicTree_MoveProxy(&tree, ids[at], some_box(24));
        }
      }
    }
    b2DynamicTree_Rebuild(&tree, round % 5 == 0);
    take((uint64_t)b2DynamicTree_GetProxyCount(&tree));
    for (int at = 0; at < count; at++) take(b2DynamicTree_GetUserData(&tree, ids[at]) ^ b2DynamicTree_GetCategoryBits(&tree, ids[at]));
    for (int query = 0; query < 20; query++) {
      uint64_t mask = (uint64_t)0xffff << below(48);
      b2DynamicTree_QueryAll(&tree, some_box(120), keep, &found);
      take_all(&found);
      b2DynamicTree_Query(&tree, some_box(120), mask, keep, &found);
      take_all(&found);
      // Along the axes, where what is touched is exact too.
      float length = (float)below(200) / 4, sign = below(2) ? 1.0f : -1.0f;
      b2Vec2 way = below(2) ? (b2Vec2){sign * length, 0} : (b2Vec2){0, sign * length};
      b2AABB box = some_box(20);
      b2RayCastInput ray = {.origin = box.lowerBound, .translation = way, .maxFraction = 1};
      b2DynamicTree_RayCast(&tree, &ray, mask, keep_ray, &found);
      take_all(&found);
      b2BoxCastInput sweep = {.box = box, .translation = way, .maxFraction = 0.5f};
      b2DynamicTree_BoxCast(&tree, &sweep, mask, keep_box, &found);
      take_all(&found);
    }
    if (count > 0) {
      b2AABB all = b2DynamicTree_GetRootBounds(&tree);
      take((uint64_t)(8 * all.upperBound.x) ^ (uint64_t)(8 * all.upperBound.y + 100000));
    }
    b2DynamicTree_Validate(&tree);
    printf("%d %d %016llx\n", round, count, (unsigned long long)hash);
  }
  b2DynamicTree_Destroy(&tree);
  return tree.proxyCount;
}
