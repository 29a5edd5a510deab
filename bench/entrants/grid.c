// A grid: each box is in all cells that it meets, and a pair is reported by the cell that holds the lower corner of what the two share.
//
// cc -std=c17 -O3 -march=native -shared -fPIC -o grid.so grid.c
#include "entrant.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  entrant_box *boxes;
  uint32_t count, columns, rows;
  float min_x, min_y, side;
  // Where the boxes of each cell begin in `sorted`, and one more.
  uint32_t *starts, *sorted;
  size_t starts_held, sorted_held;
} Grid;

typedef struct {
  uint32_t left, low, right, high;
} Cells;

static uint32_t place(float at, float from, float side, uint32_t count) {
  float cell = (at - from) / side;
  return cell >= (float)count ? count - 1 : cell > 0 ? (uint32_t)cell : 0;
}

static uint32_t column(const Grid *grid, float x) { return place(x, grid->min_x, grid->side, grid->columns); }

static uint32_t row(const Grid *grid, float y) { return place(y, grid->min_y, grid->side, grid->rows); }

static Cells cells(const Grid *grid, const entrant_box *box) {
  return (Cells){column(grid, box->min_x), row(grid, box->min_y), column(grid, box->max_x), row(grid, box->max_y)};
}

static bool overlap(const entrant_box *a, const entrant_box *b) {
  return a->min_x <= b->max_x && b->min_x <= a->max_x && a->min_y <= b->max_y && b->min_y <= a->max_y;
}

static uint32_t *room(uint32_t *numbers, size_t *held, size_t wanted) {
  if (wanted <= *held) return numbers;
  *held = wanted + wanted / 4;
  return realloc(numbers, *held * sizeof *numbers);
}

// Cells twice as wide as the mean box, but no more than two for each box.
static void lay(Grid *grid) {
  float max_x = -1e38f, max_y = -1e38f;
  double sides = 0;
  grid->min_x = grid->min_y = 1e38f;
  for (uint32_t at = 0; at < grid->count; at++) {
    const entrant_box *box = &grid->boxes[at];
    if (box->min_x < grid->min_x) grid->min_x = box->min_x;
    if (box->min_y < grid->min_y) grid->min_y = box->min_y;
    if (box->max_x > max_x) max_x = box->max_x;
    if (box->max_y > max_y) max_y = box->max_y;
    sides += (double)(box->max_x - box->min_x) + (double)(box->max_y - box->min_y);
  }
  double width = (double)max_x - grid->min_x, height = (double)max_y - grid->min_y, side = sides / (grid->count + 1.0);
  while (side < 1e-30 || (width / side + 1) * (height / side + 1) > 2.0 * grid->count + 16) side = 1.1 * side + 1e-30;
  grid->side = (float)side;
  grid->columns = (uint32_t)(width / side) + 1;
  grid->rows = (uint32_t)(height / side) + 1;
}

void entrant_update(void *self, const entrant_box *boxes, uint32_t count) {
  Grid *grid = self;
  memcpy(grid->boxes, boxes, count * sizeof *boxes);
  lay(grid);
  size_t number = (size_t)grid->columns * grid->rows;
  grid->starts = room(grid->starts, &grid->starts_held, number + 1);
  memset(grid->starts, 0, (number + 1) * sizeof *grid->starts);
  for (uint32_t at = 0; at < count; at++) {
    Cells in = cells(grid, &grid->boxes[at]);
    for (uint32_t y = in.low; y <= in.high; y++)
      for (uint32_t x = in.left; x <= in.right; x++) grid->starts[y * grid->columns + x]++;
  }
  for (size_t cell = 1; cell <= number; cell++) grid->starts[cell] += grid->starts[cell - 1];
  grid->sorted = room(grid->sorted, &grid->sorted_held, grid->starts[number] + 1);
  for (uint32_t at = 0; at < count; at++) {
    Cells in = cells(grid, &grid->boxes[at]);
    for (uint32_t y = in.low; y <= in.high; y++)
      for (uint32_t x = in.left; x <= in.right; x++) grid->sorted[--grid->starts[y * grid->columns + x]] = at;
  }
}

void *entrant_begin(const entrant_box *boxes, uint32_t count) {
  Grid *grid = calloc(1, sizeof *grid);
  grid->boxes = malloc((count + 1) * sizeof *boxes);
  grid->count = count;
  entrant_update(grid, boxes, count);
  return grid;
}

void entrant_pairs(void *self, entrant_pairs_found *found, void *referee) {
  const Grid *grid = self;
  uint32_t pairs[256][2];
  size_t count = 0;
  for (uint32_t y = 0; y < grid->rows; y++)
    for (uint32_t x = 0; x < grid->columns; x++) {
      uint32_t from = grid->starts[y * grid->columns + x], to = grid->starts[y * grid->columns + x + 1];
      for (uint32_t i = from; i < to; i++)
        for (uint32_t j = i + 1; j < to; j++) {
          const entrant_box *a = &grid->boxes[grid->sorted[i]], *b = &grid->boxes[grid->sorted[j]];
          if (!overlap(a, b)) continue;
          float left = a->min_x > b->min_x ? a->min_x : b->min_x, low = a->min_y > b->min_y ? a->min_y : b->min_y;
          if (column(grid, left) != x || row(grid, low) != y) continue;
          pairs[count][0] = grid->sorted[i];
          pairs[count][1] = grid->sorted[j];
          if (++count == 256) found(referee, pairs, count), count = 0;
        }
    }
  found(referee, pairs, count);
}

size_t entrant_bytes(const void *self) {
  const Grid *grid = self;
  return sizeof *grid + grid->count * sizeof *grid->boxes + (grid->starts_held + grid->sorted_held) * sizeof *grid->starts;
}

void entrant_end(void *self) {
  Grid *grid = self;
  free(grid->boxes);
  free(grid->starts);
  free(grid->sorted);
  free(grid);
}

uint32_t entrant_version(void) { return ENTRANT_VERSION; }

const char *entrant_name(void) { return "grid in C"; }

bool entrant_counts_touching(void) { return true; }
