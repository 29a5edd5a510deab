// Boxes that move, the same in every measurement.
#ifndef CROWD_H
#define CROWD_H

#include <stdint.h>

enum { BOXES = 10000 };

static uint32_t state;
static float boxes[4 * BOXES], ways[2 * BOXES];

static float below(float end) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return end * (float)(state >> 8) / 16777216.0f;
}

static void place_all(void) {
  state = 2463534242;
  for (int box = 0; box < BOXES; box++) {
    float x = below(1000), y = below(1000);
    boxes[4 * box] = x, boxes[4 * box + 1] = y, boxes[4 * box + 2] = x + 5, boxes[4 * box + 3] = y + 5;
    ways[2 * box] = below(2) - 1, ways[2 * box + 1] = below(2) - 1;
  }
}

static void step(int box, float *to) {
  for (int edge = 0; edge < 4; edge++) to[edge] = boxes[4 * box + edge] + ways[2 * box + edge % 2];
}

static void step_all(void) {
  for (int box = 0; box < BOXES; box++) step(box, boxes + 4 * box);
}

static int by_time(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

#endif
