// What the tests in C share.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quadrille.h"

#define CHECK(condition)                                                                                              \
  do {                                                                                                                \
    if (!(condition)) {                                                                                               \
      fprintf(stderr, "%s:%d: not so: %s (last error: %s)\n", __FILE__, __LINE__, #condition, quadrille_error_text()); \
      exit(1);                                                                                                        \
    }                                                                                                                 \
  } while (0)

#define OK(call) CHECK((call) == QUADRILLE_STATUS_OK)

// The call is refused with this status, and the text says so.
#define REFUSED(status, part, call)                       \
  do {                                                    \
    CHECK((call) == (status));                            \
    CHECK(strstr(quadrille_error_text(), (part)) != NULL); \
  } while (0)

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static inline QuadrilleIds ids_in(uint32_t *data, size_t room) {
  QuadrilleIds ids = {data, room, 0};
  return ids;
}

static inline QuadrillePairs pairs_in(QuadrillePair *data, size_t room) {
  QuadrillePairs pairs = {data, room, 0};
  return pairs;
}

// Marsaglia's xorshift.
static inline double random_below(uint32_t *state, double end) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return end * (*state / 4294967296.0);
}

#endif
