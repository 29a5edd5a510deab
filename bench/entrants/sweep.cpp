// Sweep and prune along x. The order of the last frame is sorted again.
//
// c++ -std=c++17 -O3 -march=native -shared -fPIC -o sweep.so sweep.cpp
#include "entrant.h"

#include <algorithm>
#include <vector>

namespace {

struct Item {
  entrant_box box;
  uint32_t number;
};

struct Sweep {
  std::vector<Item> items;

  void sort() {
    std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.box.min_x < b.box.min_x; });
  }
};

bool overlap(const entrant_box &a, const entrant_box &b) {
  return a.min_x <= b.max_x && b.min_x <= a.max_x && a.min_y <= b.max_y && b.min_y <= a.max_y;
}

Sweep &sweep(void *self) { return *static_cast<Sweep *>(self); }

}  // namespace

uint32_t entrant_version() { return ENTRANT_VERSION; }

const char *entrant_name() { return "sweep in C++"; }

bool entrant_counts_touching() { return true; }

void *entrant_begin(const entrant_box *boxes, uint32_t count) {
  auto *made = new Sweep;
  for (uint32_t at = 0; at < count; at++) made->items.push_back({boxes[at], at});
  made->sort();
  return made;
}

void entrant_update(void *self, const entrant_box *boxes, uint32_t) {
  for (Item &item : sweep(self).items) item.box = boxes[item.number];
  sweep(self).sort();
}

void entrant_pairs(void *self, entrant_pairs_found *found, void *referee) {
  const auto &items = sweep(self).items;
  for (auto a = items.begin(); a != items.end(); ++a)
    for (auto b = a + 1; b != items.end() && b->box.min_x <= a->box.max_x; ++b)
      if (overlap(a->box, b->box)) {
        const uint32_t pair[1][2] = {{a->number, b->number}};
        found(referee, pair, 1);
      }
}

size_t entrant_bytes(const void *self) {
  const auto &items = static_cast<const Sweep *>(self)->items;
  return sizeof(Sweep) + items.capacity() * sizeof(Item);
}

void entrant_end(void *self) { delete &sweep(self); }

void entrant_query(const void *self, const entrant_box *asked, entrant_boxes_found *found, void *referee) {
  for (const Item &item : static_cast<const Sweep *>(self)->items) {
    if (item.box.min_x > asked->max_x) break;
    if (overlap(item.box, *asked)) found(referee, &item.number, 1);
  }
}
