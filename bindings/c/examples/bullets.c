// Bullets and enemies: prints the hits of some frames as they begin.
//
//     cc bullets.c $(pkg-config --cflags --libs quadrille)
#include <stdio.h>

#include "quadrille.h"

typedef struct {
  const char *name;
  float x0, y0, x1, y1;
  float speed;
} Thing;

enum { BULLETS = 1, ENEMIES = 2 };

static int failed(QuadrilleStatus status) {
  if (status != QUADRILLE_STATUS_OK) fprintf(stderr, "quadrille: %s\n", quadrille_error_text());
  return status != QUADRILLE_STATUS_OK;
}

int main(void) {
  Thing things[] = {
      {"bullet 1", 0, 0, 1, 1, 3}, {"bullet 2", 0, 5, 1, 6, 4},   {"bullet 3", 0, 0, 1, 1, 4},
      {"troll", 10, 0, 14, 3, -1}, {"dragon", 20, 2, 30, 9, -2},
  };
  size_t count = sizeof things / sizeof *things;
  // The boxes lie in the middle of the structs; they need not be copied out.
  QuadrilleRows rows = quadrille_boxes_f32(&things[0].x0, count, sizeof *things);
  QuadrilleBoxes boxes;
  if (failed(quadrille_boxes_new("frame-tree", rows, &boxes))) return 1;

  // Bullets collide with enemies, and neither with its own kind.
  uint32_t ids[] = {0, 1, 2, 3, 4};
  QuadrilleLayers layers[] = {{BULLETS, ENEMIES}, {BULLETS, ENEMIES}, {BULLETS, ENEMIES}, {ENEMIES, BULLETS}, {ENEMIES, BULLETS}};
  if (failed(quadrille_boxes_set_layers(boxes, ids, layers, count))) return 1;

  for (int frame = 1; frame <= 8; frame++) {
    for (size_t at = 0; at < count; at++) things[at].x0 += things[at].speed, things[at].x1 += things[at].speed;
    QuadrillePair began[8], ended[8];
    QuadrillePairs hits = {began, 8, 0}, misses = {ended, 8, 0};
    if (failed(quadrille_boxes_update(boxes, rows)) || failed(quadrille_boxes_events(boxes, &hits, &misses))) return 1;
    for (size_t at = 0; at < hits.count; at++) {
      printf("frame %d: %s hits the %s\n", frame, things[began[at].a].name, things[began[at].b].name);
    }
    for (size_t at = 0; at < misses.count; at++) {
      printf("frame %d: %s has left the %s\n", frame, things[ended[at].a].name, things[ended[at].b].name);
    }
  }
  return failed(quadrille_boxes_free(boxes));
}
