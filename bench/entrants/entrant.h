// What a library implements to enter `bench/frames` as a shared object. README.md beside this file has the rules.
//
// Numbers of boxes are their places in the list, from 0. Coordinates are finite, and no box has its corners exchanged. The referee has one
// thread, and calls nothing after `entrant_end`. No function may throw.
#ifndef ENTRANT_H
#define ENTRANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENTRANT_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  float min_x, min_y, max_x, max_y;
} entrant_box;

// The referee's, to be called while the function runs that was given it: with all pairs at once, or with some, as often as necessary.
typedef void entrant_pairs_found(void *referee, const uint32_t (*pairs)[2], size_t count);
// The same for boxes.
typedef void entrant_boxes_found(void *referee, const uint32_t *boxes, size_t count);

// ENTRANT_VERSION.
uint32_t entrant_version(void);
// What tables call it: UTF-8 without commas. Lives as long as the library.
const char *entrant_name(void);
// Do two boxes that share only an edge or a corner overlap?
bool entrant_counts_touching(void);

// Makes an index of boxes, which the referee frees after the call. Null: it cannot.
void *entrant_begin(const entrant_box *boxes, uint32_t count);
// The boxes of the next frame: as many as before, any of which may have moved.
void entrant_update(void *self, const entrant_box *boxes, uint32_t count);
// All pairs of boxes that overlap, each once, its numbers in either order.
void entrant_pairs(void *self, entrant_pairs_found *found, void *referee);
// How many bytes it holds now.
size_t entrant_bytes(const void *self);
// Frees the index.
void entrant_end(void *self);

// The boxes that overlap one. It may be left out: then the library has no part in `queries`, `small-queries` and `surroundings`. Nor has one
// that does not count touching.
void entrant_query(const void *self, const entrant_box *asked, entrant_boxes_found *found, void *referee);

#ifdef __cplusplus
}
#endif

#endif
