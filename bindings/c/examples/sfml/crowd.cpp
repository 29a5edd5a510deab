// A crowd in a window, by SFML: those that touch another are red, and the one nearest to the mouse is white.
//
//     c++ -std=c++17 crowd.cpp $(pkg-config --cflags --libs quadrille sfml-graphics)
//
// Two arguments, a number and a file, close the window after that many frames and write the last one as a picture.
#include <SFML/Graphics.hpp>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "quadrille.hpp"

namespace {

constexpr unsigned width = 800, height = 600, many = 2000;

struct Walker {
  float box[4];
  sf::Vector2f way;
  bool touches;
};

std::vector<Walker> crowd_of(unsigned count) {
  std::minstd_rand random(7);
  auto below = [&](float end) { return end * static_cast<float>(random() % 65536) / 65536; };
  std::vector<Walker> crowd(count);
  for (auto& walker : crowd) {
    float x = below(width - 10), y = below(height - 10), size = 3 + below(6);
    walker = {{x, y, x + size, y + size}, {below(4) - 2, below(4) - 2}, false};
  }
  return crowd;
}

void walk(Walker& walker) {
  auto& [x0, y0, x1, y1] = walker.box;
  auto& way = walker.way;
  if (x0 + way.x < 0 || x1 + way.x > width) way.x = -way.x;
  if (y0 + way.y < 0 || y1 + way.y > height) way.y = -way.y;
  x0 += way.x, x1 += way.x, y0 += way.y, y1 += way.y;
  walker.touches = false;
}

void add(sf::VertexArray& quads, const Walker& walker, sf::Color color) {
  auto [x0, y0, x1, y1] = walker.box;
  for (auto corner : {sf::Vector2f(x0, y0), sf::Vector2f(x1, y0), sf::Vector2f(x1, y1), sf::Vector2f(x0, y1)}) {
    quads.append(sf::Vertex(corner, color));
  }
}

}  // namespace

int main(int count, char** arguments) {
  long last = count > 2 ? std::atol(arguments[1]) : -1;
  auto crowd = crowd_of(many);
  // Where the boxes are within the walkers: they are never copied out.
  auto rows = quadrille::Rows<float>::boxes(crowd[0].box, crowd.size(), sizeof(Walker));
  auto made = quadrille::Boxes<float>::make(rows);
  if (!made) return std::fprintf(stderr, "%s\n", quadrille::error_text()), 1;
  auto& boxes = made.value;

  sf::RenderWindow window(sf::VideoMode(width, height), "quadrille");
  if (last < 0) window.setFramerateLimit(60);
  for (long frame = 1; window.isOpen(); frame++) {
    for (sf::Event event; window.pollEvent(event);) {
      if (event.type == sf::Event::Closed) window.close();
    }
    for (auto& walker : crowd) walk(walker);
    if (boxes.update(rows) != QUADRILLE_STATUS_OK) return 1;
    auto pairs = boxes.pairs();
    std::size_t touching = pairs->size();
    for (auto [a, b] : *pairs) crowd[a].touches = crowd[b].touches = true;
    auto mouse = window.mapPixelToCoords(sf::Mouse::getPosition(window));
    auto near = boxes.nearest(quadrille::Rows<float>::points(&mouse.x, 1), 1);

    sf::VertexArray quads(sf::Quads);
    for (const auto& walker : crowd) add(quads, walker, walker.touches ? sf::Color(208, 64, 64) : sf::Color(64, 96, 160));
    if (near) add(quads, crowd[near->ids[0]], sf::Color::White);
    window.clear(sf::Color(16, 16, 24));
    window.draw(quads);
    if (frame == last) {
      sf::Texture picture;
      picture.create(width, height);
      picture.update(window);
      std::printf("frame %ld: %zu pairs touch\n", frame, touching);
      return picture.copyToImage().saveToFile(arguments[2]) ? 0 : 1;
    }
    window.display();
  }
}
