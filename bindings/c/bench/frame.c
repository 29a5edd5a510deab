// A frame of boxes that move, from C: all replaced, all pairs. Prints the least and the middle of the microseconds a
// frame took, and the sum of pairs. The same in Rust is frame.rs; `run` compares them.
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../../bench/c/crowd.h"
#include "quadrille.h"

enum { FRAMES = 1000 };

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static double times[FRAMES];

int main(void) {
  static QuadrillePair found[16 * BOXES];
  place_all();
  QuadrilleBoxes all;
  QuadrilleRows rows = quadrille_boxes_f32(boxes, BOXES, 0);
  if (quadrille_boxes_new("frame-tree", rows, &all) != QUADRILLE_STATUS_OK) return 1;
  size_t sum = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    step_all();
    double start = microseconds();
    QuadrillePairs pairs = {found, sizeof found / sizeof *found, 0};
    if (quadrille_boxes_update(all, rows) != QUADRILLE_STATUS_OK) return 1;
    if (quadrille_boxes_pairs(all, &pairs) != QUADRILLE_STATUS_OK) return 1;
    times[frame] = microseconds() - start;
    sum += pairs.count;
  }
  qsort(times, FRAMES, sizeof *times, by_time);
  printf("%.1f %.1f %zu\n", times[0], times[FRAMES / 2], sum);
  quadrille_boxes_free(all);
  return 0;
}
