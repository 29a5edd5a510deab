// What contenders do. Each gets the same calls.
#ifndef CONTENDER_H
#define CONTENDER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t (*data)[2];
  size_t count;
} PairList;

typedef struct {
  const char *name;
  // Boxes of four floats each; their numbers are their places.
  void *(*make)(const float *boxes, int count);
  // A whole frame in which all of them may have moved.
  void (*update)(void *self, const float *boxes);
  // One box from one place to another.
  void (*move)(void *self, int box, const float *from, const float *to);
  // How many boxes overlap one.
  size_t (*query)(void *self, const float *box);
  // How many boxes overlap many; null: one by one.
  size_t (*query_all)(void *self, const float *asked, int count);
  // All pairs, each once.
  void (*pairs)(void *self, PairList *found);
  // How many pairs began and ended since the last call; null: by comparison of all pairs.
  size_t (*events)(void *self);
  void (*drop)(void *self);
} Contender;

extern const Contender quadrille, box2d, hash_grid;

#endif
