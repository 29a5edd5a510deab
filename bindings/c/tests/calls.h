// All calls, read from the header: a call that is missing in a test's list is a failure.
#ifndef CALLS_H
#define CALLS_H

#include "check.h"

typedef struct {
  const char *name;
  // What the test does with the call; null if it has nothing to do with what is tested.
  QuadrilleStatus (*run)(void);
} Call;

static inline const Call *call_named(const Call *calls, size_t count, const char *name, size_t length) {
  for (size_t at = 0; at < count; at++) {
    if (strlen(calls[at].name) == length && strncmp(calls[at].name, name, length) == 0) return &calls[at];
  }
  return NULL;
}

static inline void check_calls(const Call *calls, size_t count) {
  FILE *header = fopen("include/quadrille.h", "r");
  CHECK(header != NULL);
  char line[1024];
  size_t declared = 0;
  while (fgets(line, sizeof line, header) != NULL) {
    if (strncmp(line, "QuadrilleStatus ", 16) != 0 && strncmp(line, "const char *", 12) != 0) continue;
    const char *name = strstr(line, "quadrille_"), *end = strchr(line, '(');
    CHECK(name != NULL && end != NULL);
    if (call_named(calls, count, name, (size_t)(end - name)) == NULL) {
      fprintf(stderr, "not in the list of calls: %s", line);
      exit(1);
    }
    declared++;
  }
  fclose(header);
  // And none twice, nor one that is gone.
  CHECK(declared == count);
}

#endif
