// A frame of boxes that move, from C: all replaced, all pairs. Prints the least and the middle of the microseconds a
// frame took, and the sum of pairs. The same in Rust is frame.rs, with Box2D's tree box2d.c; `run` compares them.
#define _POSIX_C_SOURCE 200809L

#include "quadrille.h"
#include "scene.h"

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
