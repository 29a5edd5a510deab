// Maps, terrain, shapes and tracks by the header for C++17.
#include <cmath>
#include <string>
#include <vector>

#include "check.h"
#include "quadrille.hpp"

using quadrille::Cell;
using quadrille::Map;
using quadrille::error_text;

static void maps() {
  std::vector<std::uint8_t> free(9 * 5, 1);
  for (int y = 0; y < 4; y++) free[9 * y + 4] = 0;
  CHECK(Map::make(free, 9, 4).status == QUADRILLE_STATUS_VALUE);
  CHECK(std::string(error_text()) == std::to_string(free.size()) + " values are given where 36 are expected");
  auto made = Map::make(free, 9, 5);
  CHECK(made);
  Map map = std::move(made.value);
  CHECK(made->version().status == QUADRILLE_STATUS_HANDLE);
  std::vector<Cell> starts{{0, 4}, {4, 0}, {0, 0}}, goals{{8, 4}, {0, 0}, {8, 0}};
  auto paths = map.paths(starts, goals);
  CHECK(paths && paths->size() == 3);
  std::size_t sizes[] = {9, 0, 11}, at = 0;
  for (auto [cells, length] : *paths) {
    CHECK(cells.size() == sizes[at++]);
    CHECK(cells.empty() == std::isinf(length));
    if (!cells.empty()) CHECK(cells[cells.size() - 1].x == 8);
  }
  CHECK(at == 3 && map.paths({}, {})->size() == 0);
  for (auto path : *map.paths({}, {})) CHECK(path.length < 0);
  CHECK(map.paths(starts, {}).status == QUADRILLE_STATUS_VALUE);
  CHECK(std::string(error_text()) == std::to_string(starts.size()) + " values are given where 0 are expected");
  auto taut = map.taut_path({0, 0}, {8, 0});
  CHECK(taut && taut->numbers.size() == 8 && taut->length < 11);
  auto reach = map.reach({0, 0}, 2);
  CHECK(reach && reach->cells.size() == 6 && reach->costs[5] == 2);
  auto reaching = quadrille::GrowingReach::make(map, {0, 0}, 2);
  CHECK(reaching && !*reaching.value.go_on(map, 1));
  auto reached = reaching.value.go_on(map, 99);
  CHECK(reached && (*reached)->cells.size() == 6 && (*reached)->costs[5] == 2);
  CHECK(*map.would_close({4, 4}, 1, 1, starts, {8, 0}) == 0);
  auto near = map.nearest_free({4, 0});
  CHECK(near && near->has_value() && (*near)->x == 3);
  std::vector<Cell> wall;
  for (std::uint32_t x = 0; x < 9; x++) wall.push_back({x, 4});
  auto watch = quadrille::Watch::make(map, wall);
  CHECK(watch && !watch.value.check(map)->has_value());
  CHECK(map.set(std::vector<Cell>{{6, 4}}, false) == QUADRILLE_STATUS_OK);
  auto broken = watch.value.check(map);
  CHECK(broken && broken->has_value() && (*broken)->x == 5);
  CHECK(*map.is_reachable({0, 0}, {8, 0}));
  std::vector<quadrille::Link> links{{{3, 0}, {5, 0}, 2}};
  auto linked = map.linked_path({0, 0}, {8, 0}, links);
  CHECK(linked && linked->length == 8 && linked->legs.size() == 2 && linked->taken.size() == 1);
  for (auto leg : linked->legs) CHECK(leg.cells.size() == 4 && leg.length == 3);
  CHECK(!map.linked_path({9, 0}, {8, 0}, links));
  auto queue = quadrille::Queue::make();
  CHECK(queue && *queue.value.push({0, 0}, {3, 0}) == 0 && *queue.value.push({0, 0}, {90, 0}, 1) == 1);
  CHECK(*queue.value.push({0, 0}, {0, 1}) == 2 && *queue.value.cancel(2) && queue.value.waiting() == 2);
  for (auto reply : *queue.value.run(map, 0)) CHECK(reply.request > 99);
  auto answered = queue.value.run_for(map, 60);
  CHECK(answered && answered->size() == 2 && queue.value.waiting() == 0);
  for (auto [request, cells] : *answered) CHECK(cells.size() == (request == 0 ? 4 : 0));
  std::vector<double> lengths(9 * 5);
  std::vector<std::int8_t> steps(2 * 9 * 5);
  CHECK(map.flow(goals, 9 * 5, lengths.data(), steps.data()) == QUADRILLE_STATUS_OK && lengths[8] == 0);
  auto growing = quadrille::GrowingFlow::make(map, goals);
  auto slowly = lengths;
  CHECK(growing && !*growing.value.go_on(map, 1, 9 * 5, slowly.data(), nullptr));
  CHECK(*growing.value.go_on(map, 999, 9 * 5, slowly.data(), nullptr) && slowly == lengths);
  CHECK(map.edit({4, 0}, 1, 2, std::vector<std::uint8_t>{1, 1}) == QUADRILLE_STATUS_OK);
  CHECK(map.edit({4, 0}, 1, 2, std::vector<std::uint8_t>{1}) == QUADRILLE_STATUS_VALUE);
}

static void terrain() {
  std::vector<std::uint8_t> kinds(9 * 5, 0);
  for (int y = 0; y < 5; y++) kinds[9 * y + 4] = 1;
  std::vector<std::uint32_t> weights(64, 1);
  weights[1] = 3;
  std::vector<quadrille::Agents> classes{{3, 1, nullptr}};
  quadrille::Agents light = classes[0], heavy{3, 1, weights.data()};
  CHECK(Map::terrain(kinds, 9, 4, classes).status == QUADRILLE_STATUS_VALUE);
  auto made = Map::terrain(kinds, 9, 5, classes, "manhattan");
  CHECK(made);
  Map& map = made.value;
  std::vector<Cell> starts{{0, 0}}, goals{{8, 0}};
  for (auto [cells, cost] : *map.paths(starts, goals, &light)) CHECK(cells.size() == 9 && cost == 8);
  for (auto [cells, cost] : *map.paths(starts, goals, &heavy)) CHECK(cells.size() == 9 && cost == 10);
  CHECK(!map.paths(starts, goals));
  std::vector<quadrille::Link> ferry{{{3, 0}, {5, 0}, 3}};
  auto linked = map.linked_path({0, 0}, {8, 0}, ferry, &heavy);
  CHECK(linked && linked->length == 9 && linked->legs.size() == 2 && linked->taken.size() == 1);
  std::vector<double> costs(9 * 5);
  CHECK(map.flow(goals, 9 * 5, costs.data(), nullptr, &heavy) == QUADRILLE_STATUS_OK);
  CHECK(costs[0] == 10 && costs[8] == 0);
  std::vector<std::uint16_t> late{3};
  CHECK(map.flow(goals, late, 9 * 5, costs.data(), nullptr, &heavy) == QUADRILLE_STATUS_OK && costs[0] == 13);
  CHECK(*map.is_reachable({0, 0}, {8, 0}, &light) && map.taut_path({0, 0}, {8, 0}, &light)->length == 8);
  CHECK(map.reach({2, 0}, 4, &heavy)->cells.size() == 17 && (*map.nearest_free({4, 0}, nullptr, &light))->x == 4);
  CHECK(*map.would_close({4, 0}, 1, 5, starts, {8, 0}, 2, &light) == 0);
  auto nearest = map.nearest_linked({0, 0}, goals, ferry, &light);
  CHECK(nearest && nearest->nearest == 0 && nearest->path.length == 8 && nearest->path.legs.size() == 1);
  CHECK(map.free_places({4, 0}, 6, 2, nullptr, &light)->size() == 6 && !map.first_wall({0, 0}, {8, 0}));
  CHECK(!*map.first_wall({0, 0}, {8, 0}, &light));
  std::vector<Cell> walk{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, others{{1, 0}};
  auto around = map.detour(walk, others, 16, &light);
  CHECK(around && around->length == 5 && around->cells.size() == 6 && around->cells[1].y == 1);
  CHECK(map.set(std::vector<Cell>{{4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 4}}, 2) == QUADRILLE_STATUS_OK);
  for (auto [cells, cost] : *map.paths(starts, goals, &light)) CHECK(cells.empty() && std::isinf(cost));
}

static void shapes_and_tracks() {
  // Points at (0, 0) and (3, 4), low byte first.
  std::vector<std::uint8_t> at0(21), at34(21);
  at0[0] = at0[1] = at34[0] = at34[1] = 1;
  at34[11] = 0x08, at34[12] = 0x40, at34[19] = 0x10, at34[20] = 0x40;
  std::vector<quadrille::Wkb> rows{{at0.data(), at0.size()}, {nullptr, 0}, {at34.data(), at34.size()}};
  auto made = quadrille::Shapes::make(rows);
  CHECK(made);
  auto& shapes = made.value;
  auto same = shapes.join(shapes, "equals");
  CHECK(same && same->size() == 2 && (*same)[1].a == 2);
  CHECK(shapes.join_within(shapes, 5)->size() == 4);
  auto near = shapes.nearest(shapes, 1, 100, true);
  CHECK(near && near->pairs.size() == 2 && near->distances[0] == 5);
  CHECK(*shapes.distance(0, shapes, 2) == 5);
  CHECK(shapes.join(shapes, "near").status == QUADRILLE_STATUS_VALUE);

  std::vector<std::uint32_t> track{0, 0, 1, 1};
  std::vector<double> time{0, 10, 0, 10}, x{0, 0, -10, 10}, y{0, 0, 3, 3};
  auto tracks = quadrille::Tracks::make({4, track.data(), time.data(), x.data(), y.data(), nullptr});
  CHECK(tracks);
  auto met = tracks.value.encounters({5, 0, 0, 0});
  CHECK(met && met->size() == 1 && (*met)[0].closest_distance == 3 && std::isnan((*met)[0].closest_vertical));
}

int main() {
  maps();
  terrain();
  shapes_and_tracks();
  puts("maps, terrain, shapes and tracks in C++: all well");
  return 0;
}
