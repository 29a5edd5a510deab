// A frame of boxes that move, from C: all replaced, all pairs. Prints the least and the middle of the microseconds a
// frame took, and the sum of pairs. The same in Rust is frame.rs; `run` compares them.
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "quadrille.h"

enum { BOXES = 10000, FRAMES = 1000 };

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static int by_time(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static uint32_t state = 2463534242;

static float below(float end) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return end * (float)(state >> 8) / 16777216.0f;
}

static float boxes[4 * BOXES], ways[2 * BOXES];
static double times[FRAMES];

static void begin(void) {
  for (int box = 0; box < BOXES; box++) {
    float x = below(1000), y = below(1000);
    boxes[4 * box] = x, boxes[4 * box + 1] = y, boxes[4 * box + 2] = x + 5, boxes[4 * box + 3] = y + 5;
    ways[2 * box] = below(2) - 1, ways[2 * box + 1] = below(2) - 1;
  }
}

static void move(void) {
  for (int box = 0; box < BOXES; box++) {
    for (int edge = 0; edge < 4; edge++) boxes[4 * box + edge] += ways[2 * box + edge % 2];
  }
}

static void print(size_t sum) {
  qsort(times, FRAMES, sizeof *times, by_time);
  printf("%.1f %.1f %zu\n", times[0], times[FRAMES / 2], sum);
}

int main(void) {
  static QuadrillePair found[16 * BOXES];
  begin();
  QuadrilleBoxes all;
  QuadrilleRows rows = quadrille_boxes_f32(boxes, BOXES, 0);
  if (quadrille_boxes_new("frame-tree", rows, &all) != QUADRILLE_STATUS_OK) return 1;
  size_t sum = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    move();
    double start = microseconds();
    QuadrillePairs pairs = {found, sizeof found / sizeof *found, 0};
    if (quadrille_boxes_update(all, rows) != QUADRILLE_STATUS_OK) return 1;
    if (quadrille_boxes_pairs(all, &pairs) != QUADRILLE_STATUS_OK) return 1;
    times[frame] = microseconds() - start;
    sum += pairs.count;
  }
  print(sum);
  quadrille_boxes_free(all);
  return 0;
}
