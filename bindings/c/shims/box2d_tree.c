// The functions of Box2D's dynamic tree (version 3.2), over quadrille: a program that uses that tree compiles against
// Box2D's own header, takes this file in place of Box2D's dynamic_tree.c, and links quadrille.
//
// Answers are the same, in another order; figures about the inside of the tree are those of a balanced binary tree over
// as many boxes, because there is no such tree here. As in Box2D, wrong ids are errors in the program: they end it with
// a message, here in every build. Unlike Box2D's tree, only one thread at a time may query it: a second ends the
// program. Boxes are finite. A tree that is copied as a struct is the same tree.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box2d/collision.h"
#include "quadrille.h"

typedef struct {
  b2AABB box;
  uint64_t category, data;
} Proxy;

// What `nodes` of the struct points to.
typedef struct {
  QuadrilleBoxes boxes;
  Proxy* proxies;
  int room;
} Inside;

static void check(bool is_good, const char* what) {
  if (is_good) return;
  fprintf(stderr, "b2DynamicTree: %s: %s\n", what, quadrille_error_text());
  abort();
}

static Inside* inside(const b2DynamicTree* tree) {
  return (Inside*)(void*)tree->nodes;
}

static QuadrilleRows row(const b2AABB* box) {
  return quadrille_boxes_f32(&box->lowerBound.x, 1, 0);
}

static Proxy* proxy(const b2DynamicTree* tree, int id) {
  Inside* in = inside(tree);
  float numbers[4];
  uint32_t asked = (uint32_t)id;
  check(quadrille_boxes_get(in->boxes, &asked, 1, QUADRILLE_F32, numbers) == QUADRILLE_STATUS_OK, "no such proxy");
  return in->proxies + id;
}

b2DynamicTree b2DynamicTree_Create(int proxyCapacity) {
  b2DynamicTree tree;
  memset(&tree, 0, sizeof tree);
  Inside* in = (Inside*)calloc(1, sizeof *in);
  check(in != NULL, "no memory");
  in->room = proxyCapacity > 16 ? proxyCapacity : 16;
  in->proxies = (Proxy*)calloc((size_t)in->room, sizeof *in->proxies);
  check(in->proxies != NULL, "no memory");
  check(quadrille_boxes_new("frame-tree", quadrille_boxes_f32(NULL, 0, 0), &in->boxes) == QUADRILLE_STATUS_OK, "create");
  tree.nodes = (b2TreeNode*)(void*)in;
  tree.root = tree.freeList = -1;
  tree.nodeCapacity = 2 * in->room - 1;
  return tree;
}

void b2DynamicTree_Destroy(b2DynamicTree* tree) {
  Inside* in = inside(tree);
  if (in != NULL) {
    check(quadrille_boxes_free(in->boxes) == QUADRILLE_STATUS_OK, "destroy");
    free(in->proxies);
    free(in);
  }
  memset(tree, 0, sizeof *tree);
}

static void count(b2DynamicTree* tree, int more) {
  tree->proxyCount += more;
  tree->nodeCount = tree->proxyCount == 0 ? 0 : 2 * tree->proxyCount - 1;
  tree->root = tree->proxyCount == 0 ? -1 : 0;
}

int b2DynamicTree_CreateProxy(b2DynamicTree* tree, b2AABB aabb, uint64_t categoryBits, uint64_t userData) {
  Inside* in = inside(tree);
  uint32_t id = 0;
  QuadrilleIds ids = {&id, 1, 0};
  check(quadrille_boxes_insert(in->boxes, row(&aabb), &ids) == QUADRILLE_STATUS_OK, "create proxy");
  if ((int)id >= in->room) {
    in->room = 2 * in->room > (int)id ? 2 * in->room : (int)id + 1;
    in->proxies = (Proxy*)realloc(in->proxies, (size_t)in->room * sizeof *in->proxies);
    check(in->proxies != NULL, "no memory");
    tree->nodeCapacity = 2 * in->room - 1;
  }
  in->proxies[id].box = aabb, in->proxies[id].category = categoryBits, in->proxies[id].data = userData;
  count(tree, 1);
  return (int)id;
}

void b2DynamicTree_DestroyProxy(b2DynamicTree* tree, int proxyId) {
  uint32_t id = (uint32_t)proxyId;
  check(quadrille_boxes_remove(inside(tree)->boxes, &id, 1) == QUADRILLE_STATUS_OK, "destroy proxy");
  count(tree, -1);
}

void b2DynamicTree_MoveProxy(b2DynamicTree* tree, int proxyId, b2AABB aabb) {
  Inside* in = inside(tree);
  uint32_t id = (uint32_t)proxyId;
  check(quadrille_boxes_move(in->boxes, &id, 1, row(&aabb)) == QUADRILLE_STATUS_OK, "move proxy");
  in->proxies[proxyId].box = aabb;
}

void b2DynamicTree_EnlargeProxy(b2DynamicTree* tree, int proxyId, b2AABB aabb) {
  b2DynamicTree_MoveProxy(tree, proxyId, aabb);
}

void b2DynamicTree_SetCategoryBits(b2DynamicTree* tree, int proxyId, uint64_t categoryBits) {
  proxy(tree, proxyId)->category = categoryBits;
}

uint64_t b2DynamicTree_GetCategoryBits(b2DynamicTree* tree, int proxyId) {
  return proxy(tree, proxyId)->category;
}

uint64_t b2DynamicTree_GetUserData(const b2DynamicTree* tree, int proxyId) {
  return proxy(tree, proxyId)->data;
}

b2AABB b2DynamicTree_GetAABB(const b2DynamicTree* tree, int proxyId) {
  return proxy(tree, proxyId)->box;
}

// The ids of what overlaps a box, in memory of its own: a callback may query the tree again.
static uint32_t* overlapping(const b2DynamicTree* tree, b2AABB box, size_t* found) {
  Inside* in = inside(tree);
  QuadrilleKept kept;
  check(quadrille_boxes_query(in->boxes, row(&box), QUADRILLE_ALL_LAYERS, NULL, NULL) == QUADRILLE_STATUS_OK, "query");
  check(quadrille_boxes_kept(in->boxes, &kept) == QUADRILLE_STATUS_OK, "query");
  *found = kept.id_count;
  if (kept.id_count == 0) return NULL;
  uint32_t* ids = (uint32_t*)malloc(kept.id_count * sizeof *ids);
  check(ids != NULL, "no memory");
  memcpy(ids, kept.ids, kept.id_count * sizeof *ids);
  return ids;
}

b2TreeStats b2DynamicTree_Query(const b2DynamicTree* tree, b2AABB aabb, uint64_t maskBits,
                                b2TreeQueryCallbackFcn* callback, void* context) {
  b2TreeStats stats = {0, 0};
  size_t found;
  uint32_t* ids = overlapping(tree, aabb, &found);
  for (size_t at = 0; at < found; at++) {
    const Proxy* there = inside(tree)->proxies + ids[at];
    if ((there->category & maskBits) == 0) continue;
    stats.leafVisits++;
    if (!callback((int)ids[at], there->data, context)) break;
  }
  free(ids);
  return stats;
}

b2TreeStats b2DynamicTree_QueryAll(const b2DynamicTree* tree, b2AABB aabb, b2TreeQueryCallbackFcn* callback,
                                   void* context) {
  b2TreeStats stats = {0, 0};
  size_t found;
  uint32_t* ids = overlapping(tree, aabb, &found);
  for (size_t at = 0; at < found; at++) {
    stats.leafVisits++;
    if (!callback((int)ids[at], inside(tree)->proxies[ids[at]].data, context)) break;
  }
  free(ids);
  return stats;
}

// A moving box: the fraction of its motion at which it touches another, or more than `most`.
static float touch(b2AABB box, b2Vec2 way, float most, b2AABB there) {
  float from[2] = {there.lowerBound.x - box.upperBound.x, there.lowerBound.y - box.upperBound.y};
  float to[2] = {there.upperBound.x - box.lowerBound.x, there.upperBound.y - box.lowerBound.y};
  float ways[2] = {way.x, way.y};
  float enter = 0, leave = most;
  for (int axis = 0; axis < 2; axis++) {
    if (ways[axis] == 0) {
      if (from[axis] > 0 || to[axis] < 0) return FLT_MAX;
      continue;
    }
    float first = from[axis] / ways[axis], last = to[axis] / ways[axis];
    enter = fmaxf(enter, fminf(first, last));
    leave = fminf(leave, fmaxf(first, last));
  }
  return enter <= leave ? enter : FLT_MAX;
}

typedef struct {
  float fraction;
  uint32_t id;
} Touch;

static int by_fraction(const void* a, const void* b) {
  float left = ((const Touch*)a)->fraction, right = ((const Touch*)b)->fraction;
  return (left > right) - (left < right);
}

// What a moving box may hit, the first hit first. `found` is how many.
static Touch* hits(const b2DynamicTree* tree, b2AABB box, b2Vec2 way, float most, uint64_t mask, size_t* found) {
  b2AABB swept = box;
  swept.lowerBound.x += fminf(0, most * way.x), swept.lowerBound.y += fminf(0, most * way.y);
  swept.upperBound.x += fmaxf(0, most * way.x), swept.upperBound.y += fmaxf(0, most * way.y);
  size_t all, kept = 0;
  uint32_t* ids = overlapping(tree, swept, &all);
  Touch* touches = all == 0 ? NULL : (Touch*)malloc(all * sizeof *touches);
  check(all == 0 || touches != NULL, "no memory");
  for (size_t at = 0; at < all; at++) {
    const Proxy* there = inside(tree)->proxies + ids[at];
    Touch one = {touch(box, way, most, there->box), ids[at]};
    if ((there->category & mask) != 0 && one.fraction <= most) touches[kept++] = one;
  }
  free(ids);
  if (kept != 0) qsort(touches, kept, sizeof *touches, by_fraction);
  *found = kept;
  return touches;
}

b2TreeStats b2DynamicTree_RayCast(const b2DynamicTree* tree, const b2RayCastInput* input, uint64_t maskBits,
                                  b2TreeRayCastCallbackFcn* callback, void* context) {
  b2TreeStats stats = {0, 0};
  b2AABB point = {input->origin, input->origin};
  b2RayCastInput rest = *input;
  size_t found;
  Touch* touches = hits(tree, point, input->translation, input->maxFraction, maskBits, &found);
  for (size_t at = 0; at < found && touches[at].fraction <= rest.maxFraction; at++) {
    stats.leafVisits++;
    float value = callback(&rest, (int)touches[at].id, inside(tree)->proxies[touches[at].id].data, context);
    if (value == 0) break;
    if (value > 0 && value < rest.maxFraction) rest.maxFraction = value;
  }
  free(touches);
  return stats;
}

b2TreeStats b2DynamicTree_BoxCast(const b2DynamicTree* tree, const b2BoxCastInput* input, uint64_t maskBits,
                                  b2TreeBoxCastCallbackFcn* callback, void* context) {
  b2TreeStats stats = {0, 0};
  b2BoxCastInput rest = *input;
  size_t found;
  Touch* touches = hits(tree, input->box, input->translation, input->maxFraction, maskBits, &found);
  for (size_t at = 0; at < found && touches[at].fraction <= rest.maxFraction; at++) {
    stats.leafVisits++;
    float value = callback(&rest, (int)touches[at].id, inside(tree)->proxies[touches[at].id].data, context);
    if (value == 0) break;
    if (value > 0 && value < rest.maxFraction) rest.maxFraction = value;
  }
  free(touches);
  return stats;
}

int b2DynamicTree_GetProxyCount(const b2DynamicTree* tree) {
  return tree->proxyCount;
}

int b2DynamicTree_Rebuild(b2DynamicTree* tree, bool fullBuild) {
  (void)fullBuild;
  check(quadrille_boxes_maintain(inside(tree)->boxes) == QUADRILLE_STATUS_OK, "rebuild");
  return tree->proxyCount;
}

// Of a balanced binary tree over as many boxes.
int b2DynamicTree_GetHeight(const b2DynamicTree* tree) {
  int height = 0;
  while ((1 << height) < tree->proxyCount) height++;
  return height;
}

b2AABB b2DynamicTree_GetRootBounds(const b2DynamicTree* tree) {
  b2AABB all = {{0, 0}, {0, 0}};
  Inside* in = inside(tree);
  QuadrilleKept kept;
  check(quadrille_boxes_ids(in->boxes, NULL) == QUADRILLE_STATUS_OK, "bounds");
  check(quadrille_boxes_kept(in->boxes, &kept) == QUADRILLE_STATUS_OK, "bounds");
  for (size_t at = 0; at < kept.id_count; at++) {
    b2AABB one = in->proxies[kept.ids[at]].box;
    if (at == 0) all = one;
    all.lowerBound.x = fminf(all.lowerBound.x, one.lowerBound.x);
    all.lowerBound.y = fminf(all.lowerBound.y, one.lowerBound.y);
    all.upperBound.x = fmaxf(all.upperBound.x, one.upperBound.x);
    all.upperBound.y = fmaxf(all.upperBound.y, one.upperBound.y);
  }
  return all;
}

// Of nodes between the whole and the boxes, of which there are none here.
float b2DynamicTree_GetAreaRatio(const b2DynamicTree* tree) {
  (void)tree;
  return 0;
}

// Of what this file keeps.
int b2DynamicTree_GetByteCount(const b2DynamicTree* tree) {
  return (int)(sizeof *tree + sizeof(Inside) + (size_t)inside(tree)->room * sizeof(Proxy));
}

void b2DynamicTree_Validate(const b2DynamicTree* tree) {
  size_t found = 0;
  check(quadrille_boxes_count(inside(tree)->boxes, &found) == QUADRILLE_STATUS_OK, "validate");
  check(found == (size_t)tree->proxyCount, "validate");
}

void b2DynamicTree_ValidateNoEnlarged(const b2DynamicTree* tree) {
  b2DynamicTree_Validate(tree);
}
