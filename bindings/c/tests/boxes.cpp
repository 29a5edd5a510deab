// The header for C++17: the same answers, handles that free themselves, and no exceptions.
#include <array>
#include <vector>

#include "check.h"
#include "quadrille.hpp"

using quadrille::Boxes;
using quadrille::Rows;

struct Agent {
  int name;
  std::array<float, 4> bounds;
};

int main() {
  std::vector<Agent> agents{{7, {0, 0, 2, 2}}, {8, {1, 1, 3, 3}}, {9, {8, 8, 9, 9}}};
  auto rows = Rows<float>::boxes(agents[0].bounds.data(), agents.size(), sizeof(Agent));
  auto made = Boxes<float>::make(rows);
  CHECK(made && made->size() == 3);
  Boxes<float> boxes = std::move(made.value);
  CHECK(made->size() == 0 && made.value.pairs().status == QUADRILLE_STATUS_HANDLE);

  auto pairs = boxes.pairs();
  CHECK(pairs && pairs->size() == 1);
  for (auto [a, b] : *pairs) CHECK(a == 0 && b == 1);
  int heard = 0;
  CHECK(boxes.visit_pairs([&](std::uint32_t a, std::uint32_t b) { return heard++, a < b; }) == QUADRILLE_STATUS_OK);
  CHECK(heard == 1);
  CHECK(boxes.visit(rows, [&](std::uint32_t row, std::uint32_t) { return heard++, row < 1; }) == QUADRILLE_STATUS_OK);
  CHECK(heard == 4);
  // What a callback throws reaches the caller, and the boxes can be queried again.
  try {
    boxes.visit(rows, [](std::uint32_t, std::uint32_t) -> bool { throw 7; });
    CHECK(false);
  } catch (int thrown) {
    CHECK(thrown == 7 && boxes.maintain() == QUADRILLE_STATUS_OK);
  }
  auto apart = boxes.pairs_within(7.5);
  CHECK(apart && apart->pairs.size() == 2 && apart->distances.size() == 2);
  CHECK(boxes.set_threads(2) == QUADRILLE_STATUS_OK && boxes.pairs()->size() == 1);
  quadrille::Layers layers[1];
  CHECK(boxes.layers(std::vector<std::uint32_t>{2}, layers) == QUADRILLE_STATUS_OK);
  CHECK(layers[0].own == quadrille::all_layers);
  auto events = boxes.events();
  CHECK(events && events->began.size() == 1 && events->ended.empty());

  float asked[] = {0, 0, 1, 1, 20, 20, 30, 30, 2, 2, 8, 8};
  auto found = boxes.query(Rows<float>::boxes(asked, 3));
  CHECK(found && found->size() == 3);
  std::size_t sizes[] = {2, 0, 3}, query = 0, all = 0;
  for (auto ids : *found) {
    CHECK(ids.size() == sizes[query++]);
    for (auto id : ids) all += id < 3;
  }
  CHECK(query == 3 && all == 5);

  float at[] = {6, 6};
  auto near = boxes.nearest(Rows<float>::points(at, 1), 2, 4);
  CHECK(near && near->ids[0] == 2 && near->ids[1] == quadrille::none && near->distances.size() == 2);
  auto within = boxes.within(Rows<float>::points(at, 1), 5);
  CHECK(within && within->ids().size() == 2 && within->distances().size() == 2);
  float way[] = {1, 1};
  auto hits = boxes.cast(Rows<float>::points(at, 1), Rows<float>::points(way, 1));
  CHECK(hits && hits->ids[0] == 2 && hits->times[0] == 2 && hits->normals.size() == 2);

  auto more = boxes.insert(Rows<float>::boxes(asked, 1));
  CHECK(more && (*more)[0] == 3);
  float read[4];
  CHECK(boxes.get(*more, read) == QUADRILLE_STATUS_OK && memcmp(read, asked, sizeof read) == 0);
  CHECK(boxes.move(std::vector<std::uint32_t>{3}, Rows<float>::boxes(asked + 4, 1)) == QUADRILLE_STATUS_OK);
  CHECK(boxes.set_layers(std::vector<std::uint32_t>{3}, std::vector<quadrille::Layers>{{2, 2}}) == QUADRILLE_STATUS_OK);
  CHECK(boxes.set_layers(std::vector<std::uint32_t>{3}, {}) == QUADRILLE_STATUS_VALUE);
  CHECK(boxes.maintain() == QUADRILLE_STATUS_OK && boxes.ids()->size() == 4);

  std::vector<std::uint8_t> bytes;
  CHECK(boxes.snapshot(bytes) == QUADRILLE_STATUS_OK && !bytes.empty());
  auto again = Boxes<float>::restore(bytes);
  CHECK(again && again->size() == 4);
  CHECK(!Boxes<double>::restore(bytes));
  auto both = boxes.pairs_with(again.value);
  CHECK(both && both->size() == 6);
  boxes = std::move(again.value);
  CHECK(boxes.remove(*boxes.ids()) == QUADRILLE_STATUS_OK && boxes.size() == 0);
  puts("boxes in C++: all well");
}
