// The path finder of the original of region quadtrees (Quadtree Pathfinding by hit9), as its author wrote it, on maps with queries:
//
//     original FOLDER/NAME.map …
//
// Each query is reset, searched and filled with its cells: over leaves and then gates (`leaves, gates`, its faster mode), over gates
// (`gates`), and over cells (`cells`, its own plain search). Lines of a table: microseconds of processor time, the least of three rounds, and
// by how many percent paths are longer than the published lengths. Rows are those that `paths` runs, 24 of a file. To compile, with the
// author's sources and what they need in ORIGINAL (README.md):
//
//     c++ -std=c++20 -O3 -march=native -IORIGINAL/Source -IORIGINAL/_deps original.cpp $(find ORIGINAL -name '*.cpp') -o original
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

#include "Naive/Astar.h"
#include "QDPF.h"

using Cells = std::vector<std::pair<int, int>>;

struct Query {
  int from_x, from_y, to_x, to_y;
  double length;
};

static double now() { return std::clock() * 1e6 / CLOCKS_PER_SEC; }

static float octile(int x1, int y1, int x2, int y2) {
  const int dx = std::abs(x1 - x2), dy = std::abs(y1 - y2);
  return static_cast<float>(std::max(dx, dy) + (std::sqrt(2.0) - 1) * std::min(dx, dy));
}

static std::vector<std::string> read_map(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> rows;
  std::string line;
  while (std::getline(file, line) && line.rfind("map", 0) != 0) {}
  while (std::getline(file, line) && !line.empty()) rows.push_back(line);
  return rows;
}

static std::vector<Query> read_queries(const std::string &path) {
  std::ifstream file(path);
  std::vector<Query> all, some;
  std::string line, skipped;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Query one{};
    for (int word = 0; word < 4; word++) words >> skipped;
    if (words >> one.from_x >> one.from_y >> one.to_x >> one.to_y >> one.length) all.push_back(one);
  }
  for (size_t at = 0, every = std::max<size_t>(1, (all.size() + 23) / 24); at < all.size(); at += every) some.push_back(all[at]);
  return some;
}

// Fills the straight lines between route cells.
static void fill(const QDPF::GatePath &route, Cells &cells) {
  QDPF::CellCollector keep = [&cells](int x, int y) { cells.push_back({x, y}); };
  for (size_t at = 1; at < route.size(); at++) {
    const auto [x, y, before] = route[at - 1];
    const auto [next_x, next_y, after] = route[at];
    QDPF::ComputeStraightLine(x, y, next_x, next_y, keep);
  }
}

static double length(const Cells &cells) {
  double sum = 0;
  for (size_t at = 1; at < cells.size(); at++) {
    sum += octile(cells[at - 1].first, cells[at - 1].second, cells[at].first, cells[at].second);
  }
  return sum;
}

int main(int count, char **names) {
  std::cout << "map,contender,asked,mean_us,missing,longer_mean_percent,build_ms\n";
  for (int name = 1; name < count; name++) {
    const std::string path = names[name];
    const auto rows = read_map(path);
    const auto queries = read_queries(path + ".scen");
    const int width = static_cast<int>(rows[0].size()), height = static_cast<int>(rows.size());
    const auto is_blocked = [&rows](int x, int y) { return rows[y][x] != '.' && rows[y][x] != 'G'; };
    double start = now();
    QDPF::QuadtreeMapX map(width, height, octile, [&](int x, int y) { return is_blocked(x, y) ? 2 : 1; }, {{1, 1}});
    map.Build();
    const double map_ms = (now() - start) / 1e3;
    start = now();
    QDPF::Naive::NaiveGridMap grid(width, height, is_blocked, octile);
    grid.Build();
    const double grid_ms = (now() - start) / 1e3;
    QDPF::AStarPathFinder finder(map);
    QDPF::Naive::NaiveAStarPathFinder naive;
    for (const std::string mode : {"leaves, gates", "gates", "cells"}) {
      double time = 0, longer = 0;
      int missing = 0;
      for (const Query &query : queries) {
        double least = INFINITY;
        Cells cells;
        for (int round = 0; round < 3; round++) {
          cells.clear();
          start = now();
          if (mode == "cells") {
            (void)naive.Compute(&grid, query.from_x, query.from_y, query.to_x, query.to_y, cells);
          } else if (finder.Reset(query.from_x, query.from_y, query.to_x, query.to_y, 1, 1) == 0) {
            QDPF::NodePath nodes;
            QDPF::GatePath route;
            if (mode != "gates") (void)finder.ComputeNodeRoutes(nodes);
            (void)finder.ComputeGateRoutes(route, nodes);
            fill(route, cells);
          }
          least = std::min(least, now() - start);
        }
        const bool is_found = query.length == 0 || (!cells.empty() && cells.back() == std::pair{query.to_x, query.to_y});
        time += least;
        missing += !is_found;
        if (is_found && query.length > 0) longer += 100 * (length(cells) / query.length - 1);
      }
      const double asked = static_cast<double>(queries.size());
      std::cout << '"' << path.substr(path.rfind('/') + 1, path.rfind('.') - path.rfind('/') - 1) << "\",\"" << mode << "\"," << asked << ',' << time / asked << ',' << missing << ','
                << longer / asked << ',' << (mode == "cells" ? grid_ms : map_ms) << std::endl;
    }
  }
}
