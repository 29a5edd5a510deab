#include <stdlib.h>

#include "contender.h"
#include "quadrille.h"

typedef struct {
  QuadrilleBoxes boxes;
  int count;
} Self;

static void check(QuadrilleStatus status) {
  if (status != QUADRILLE_STATUS_OK) abort();
}

static QuadrilleKept kept(const Self *self) {
  QuadrilleKept kept;
  check(quadrille_boxes_kept(self->boxes, &kept));
  return kept;
}

static void *make(const float *boxes, int count) {
  Self *self = malloc(sizeof *self);
  self->count = count;
  check(quadrille_boxes_new("frame-tree", quadrille_boxes_f32(boxes, (size_t)count, 0), &self->boxes));
  return self;
}

static void update(void *self, const float *boxes) {
  Self *all = self;
  check(quadrille_boxes_update(all->boxes, quadrille_boxes_f32(boxes, (size_t)all->count, 0)));
}

static void move(void *self, int box, const float *from, const float *to) {
  uint32_t id = (uint32_t)box;
  (void)from;
  check(quadrille_boxes_move(((Self *)self)->boxes, &id, 1, quadrille_boxes_f32(to, 1, 0)));
}

static size_t query_all(void *self, const float *asked, int count) {
  QuadrilleRows rows = quadrille_boxes_f32(asked, (size_t)count, 0);
  check(quadrille_boxes_query(((Self *)self)->boxes, rows, QUADRILLE_ALL_LAYERS, NULL, NULL));
  return kept(self).id_count;
}

static size_t query(void *self, const float *box) {
  return query_all(self, box, 1);
}

static void pairs(void *self, PairList *found) {
  QuadrillePairs out = {(QuadrillePair *)found->data, SIZE_MAX / sizeof(QuadrillePair) / 2, 0};
  check(quadrille_boxes_pairs(((Self *)self)->boxes, &out));
  found->count = out.count;
}

static size_t events(void *self) {
  check(quadrille_boxes_events(((Self *)self)->boxes, NULL, NULL));
  QuadrilleKept all = kept(self);
  return all.began_count + all.ended_count;
}

static void drop(void *self) {
  check(quadrille_boxes_free(((Self *)self)->boxes));
  free(self);
}

const Contender quadrille = {"quadrille.h", make, update, move, query, query_all, pairs, events, drop};
