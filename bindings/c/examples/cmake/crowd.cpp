// A crowd of boxes that bounce within a square; those that touch another are red. Draws the last frame into crowd.ppm.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "quadrille.hpp"

struct Walker {
  float box[4];
  float way[2];
  bool touches;
};

int main() {
  constexpr int side = 256, many = 300;
  std::minstd_rand random(7);
  auto below = [&](float end) { return end * static_cast<float>(random() % 65536) / 65536; };
  std::vector<Walker> crowd(many);
  for (auto& walker : crowd) {
    float x = below(side - 8), y = below(side - 8), size = 3 + below(5);
    walker = {{x, y, x + size, y + size}, {below(2) - 1, below(2) - 1}, false};
  }
  auto rows = quadrille::Rows<float>::boxes(crowd[0].box, crowd.size(), sizeof(Walker));
  auto boxes = quadrille::Boxes<float>::make(rows);
  if (!boxes) return std::fprintf(stderr, "%s\n", quadrille::error_text()), 1;

  std::size_t began = 0;
  for (int frame = 0; frame < 100; frame++) {
    for (auto& [box, way, touches] : crowd) {
      touches = false;
      for (int axis = 0; axis < 2; axis++) {
        if (box[axis] + way[axis] < 0 || box[axis + 2] + way[axis] > side) way[axis] = -way[axis];
        box[axis] += way[axis], box[axis + 2] += way[axis];
      }
    }
    if (boxes.value.update(rows) != QUADRILLE_STATUS_OK) return 1;
    auto events = boxes.value.events();
    if (!events) return 1;
    began += events->began.size();
  }
  auto pairs = boxes.value.pairs();
  for (auto [a, b] : *pairs) crowd[a].touches = crowd[b].touches = true;

  std::vector<unsigned char> picture(3 * side * side, 255);
  for (const auto& walker : crowd) {
    for (int y = static_cast<int>(walker.box[1]); y < std::min<int>(side, static_cast<int>(std::ceil(walker.box[3]))); y++) {
      for (int x = static_cast<int>(walker.box[0]); x < std::min<int>(side, static_cast<int>(std::ceil(walker.box[2]))); x++) {
        auto* pixel = &picture[3 * (y * side + x)];
        pixel[0] = walker.touches ? 208 : 64, pixel[1] = 64, pixel[2] = walker.touches ? 64 : 160;
      }
    }
  }
  std::FILE* file = std::fopen("crowd.ppm", "wb");
  if (file == nullptr) return 1;
  std::fprintf(file, "P6 %d %d 255\n", side, side);
  bool is_written = std::fwrite(picture.data(), 1, picture.size(), file) == picture.size();
  std::fclose(file);
  std::printf("%zu pairs now, %zu began in 100 frames\n", pairs->size(), began);
  return is_written ? 0 : 1;
}
