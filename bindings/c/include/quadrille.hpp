// quadrille for C++17, over quadrille.h: handles that free themselves, views of answers, no exceptions.
//
// What may be refused gives a status, or an Answer: a status and a value, true if the status is OK. Views of answers
// hold until the next call with the object they come from.
#ifndef QUADRILLE_HPP
#define QUADRILLE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "quadrille.h"

namespace quadrille {

using Status = QuadrilleStatus;
using Pair = QuadrillePair;
using Layers = QuadrilleLayers;

inline constexpr std::uint32_t none = QUADRILLE_NONE;
inline constexpr std::uint32_t all_layers = QUADRILLE_ALL_LAYERS;

// What was wrong with the last call on this thread that was refused.
inline const char* error_text() { return quadrille_error_text(); }

// Values in a row that belong to someone else.
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(const T* data, std::size_t size) : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr Span(const T (&array)[N]) : data_(array), size_(N) {}
  // Of a vector, an array, or whatever has data() and size().
  template <class C, class = decltype(static_cast<const T*>(std::declval<const C&>().data()))>
  constexpr Span(const C& values) : data_(values.data()), size_(values.size()) {}

  constexpr const T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t at) const { return data_[at]; }
  // No addition to null where there is nothing.
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return size_ == 0 ? data_ : data_ + size_; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

// A status, and a value if that is OK.
template <class T>
struct Answer {
  Status status;
  T value;
  explicit operator bool() const { return status == QUADRILLE_STATUS_OK; }
  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
};

// The number of a type of coordinates at the border.
template <class T>
constexpr std::uint32_t scalar_of() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t>,
                "coordinates are float, double or int32_t");
  return std::is_same_v<T, float> ? QUADRILLE_F32 : std::is_same_v<T, double> ? QUADRILLE_F64 : QUADRILLE_I32;
}

// Rows of coordinates where they are, which may be parts of greater structs.
template <class T>
class Rows {
 public:
  // Boxes: xmin, ymin, xmax, ymax.
  static Rows boxes(const T* first, std::size_t count, std::size_t stride = 0) { return {first, count, stride, 4}; }
  // Points: x, y.
  static Rows points(const T* first, std::size_t count, std::size_t stride = 0) { return {first, count, stride, 2}; }
  const QuadrilleRows& raw() const { return rows_; }

 private:
  Rows(const T* first, std::size_t count, std::size_t stride, std::uint32_t numbers)
      : rows_(quadrille_rows(first, count, stride, scalar_of<T>(), numbers)) {}
  QuadrilleRows rows_;
};

// The answers to many queries, one span each: for (auto ids : *boxes.query(rows)) for (auto id : ids) ...
class Groups {
 public:
  Groups() = default;
  Groups(Span<std::uint32_t> counts, Span<std::uint32_t> ids, Span<double> distances)
      : counts_(counts), ids_(ids), distances_(distances) {}

  class Iterator {
   public:
    Iterator(const std::uint32_t* count, const std::uint32_t* id) : count_(count), id_(id) {}
    Span<std::uint32_t> operator*() const { return {id_, *count_}; }
    Iterator& operator++() {
      if (*count_ != 0) id_ += *count_;
      ++count_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return count_ != other.count_; }

   private:
    const std::uint32_t* count_;
    const std::uint32_t* id_;
  };

  Iterator begin() const { return {counts_.begin(), ids_.begin()}; }
  Iterator end() const { return {counts_.end(), ids_.end()}; }
  std::size_t size() const { return counts_.size(); }
  // Of all queries, one after the other.
  Span<std::uint32_t> ids() const { return ids_; }
  Span<double> distances() const { return distances_; }

 private:
  Span<std::uint32_t> counts_, ids_;
  Span<double> distances_;
};

// The first answers to many queries: `each` places a query.
struct Nearest {
  Span<std::uint32_t> ids;
  Span<double> distances;
  std::size_t each = 1;
};

// The first hits of casts; `normals` has x and y for each.
struct Hits {
  Span<std::uint32_t> ids;
  Span<double> times;
  Span<std::int8_t> normals;
};

struct Events {
  Span<Pair> began, ended;
};

// Boxes under ids, which move, come and go.
template <class T>
class Boxes {
 public:
  // The handle of nothing: calls give QUADRILLE_STATUS_HANDLE.
  Boxes() = default;
  static Answer<Boxes> make(const Rows<T>& rows, const char* structure = "frame-tree") {
    Answer<Boxes> made{QUADRILLE_STATUS_OK, Boxes()};
    made.status = quadrille_boxes_new(structure, rows.raw(), &made.value.handle_);
    return made;
  }
  static Answer<Boxes> restore(Span<std::uint8_t> bytes) {
    Answer<Boxes> made{QUADRILLE_STATUS_OK, Boxes()};
    made.status = quadrille_boxes_restore(scalar_of<T>(), bytes.data(), bytes.size(), &made.value.handle_);
    return made;
  }
  Boxes(Boxes&& other) noexcept : handle_(std::exchange(other.handle_, QuadrilleBoxes{})) {}
  Boxes& operator=(Boxes&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Boxes() {
    if (handle_.bits != 0) quadrille_boxes_free(handle_);
  }
  QuadrilleBoxes raw() const { return handle_; }

  Status update(const Rows<T>& rows) { return quadrille_boxes_update(handle_, rows.raw()); }
  Status move(Span<std::uint32_t> ids, const Rows<T>& rows) {
    return quadrille_boxes_move(handle_, ids.data(), ids.size(), rows.raw());
  }
  Answer<Span<std::uint32_t>> insert(const Rows<T>& rows) {
    return ids_after(quadrille_boxes_insert(handle_, rows.raw(), nullptr));
  }
  Status remove(Span<std::uint32_t> ids) { return quadrille_boxes_remove(handle_, ids.data(), ids.size()); }
  Status set_layers(Span<std::uint32_t> ids, Span<Layers> layers) {
    if (ids.size() != layers.size()) return QUADRILLE_STATUS_VALUE;
    return quadrille_boxes_set_layers(handle_, ids.data(), layers.data(), ids.size());
  }
  Status maintain() { return quadrille_boxes_maintain(handle_); }

  // How many there are; none without a handle.
  std::size_t size() const {
    std::size_t count = 0;
    quadrille_boxes_count(handle_, &count);
    return count;
  }
  Answer<Span<std::uint32_t>> ids() { return ids_after(quadrille_boxes_ids(handle_, nullptr)); }
  // Four numbers for each id, into memory for as many.
  Status get(Span<std::uint32_t> ids, T* numbers) const {
    return quadrille_boxes_get(handle_, ids.data(), ids.size(), scalar_of<T>(), numbers);
  }

  Answer<Span<Pair>> pairs() { return pairs_after(quadrille_boxes_pairs(handle_, nullptr)); }
  Answer<Span<Pair>> pairs_with(const Boxes& others) {
    return pairs_after(quadrille_boxes_pairs_with(handle_, others.handle_, nullptr));
  }
  Answer<Events> events() {
    return after<Events>(quadrille_boxes_events(handle_, nullptr, nullptr), [](const QuadrilleKept& kept) {
      return Events{{kept.began, kept.began_count}, {kept.ended, kept.ended_count}};
    });
  }
  Answer<Groups> query(const Rows<T>& rows, std::uint32_t layers = all_layers) {
    return groups_after(quadrille_boxes_query(handle_, rows.raw(), layers, nullptr, nullptr));
  }
  Answer<Groups> within(const Rows<T>& rows, double distance, std::uint32_t layers = all_layers) {
    return groups_after(quadrille_boxes_within(handle_, rows.raw(), distance, layers, nullptr, nullptr, nullptr));
  }
  Answer<Nearest> nearest(const Rows<T>& rows, std::size_t most,
                          double distance = std::numeric_limits<double>::infinity()) {
    auto status = quadrille_boxes_nearest(handle_, rows.raw(), most, distance, nullptr, nullptr);
    return after<Nearest>(status, [most](const QuadrilleKept& kept) {
      return Nearest{{kept.ids, kept.id_count}, {kept.distances, kept.distance_count}, most};
    });
  }
  Answer<Hits> cast(const Rows<T>& rows, const Rows<T>& directions,
                    double latest = std::numeric_limits<double>::infinity()) {
    auto status = quadrille_boxes_cast(handle_, rows.raw(), directions.raw(), latest, nullptr, nullptr, nullptr);
    return after<Hits>(status, [](const QuadrilleKept& kept) {
      return Hits{{kept.ids, kept.id_count}, {kept.distances, kept.distance_count}, {kept.normals, 2 * kept.id_count}};
    });
  }
  // All of it, into whatever has data(), size() and resize(), a std::vector<std::uint8_t> for instance.
  template <class Bytes>
  Status snapshot(Bytes& bytes) {
    QuadrilleBytes out{bytes.data(), bytes.size(), 0};
    auto status = quadrille_boxes_snapshot(handle_, &out);
    bytes.resize(out.count);
    if (status != QUADRILLE_STATUS_ROOM) return status;
    out = {bytes.data(), bytes.size(), 0};
    return quadrille_boxes_snapshot(handle_, &out);
  }

 private:
  QuadrilleBoxes handle_{};

  template <class V, class Read>
  Answer<V> after(Status status, Read read) const {
    QuadrilleKept kept{};
    if (status == QUADRILLE_STATUS_OK) status = quadrille_boxes_kept(handle_, &kept);
    return {status, read(kept)};
  }
  Answer<Span<std::uint32_t>> ids_after(Status status) const {
    return after<Span<std::uint32_t>>(
        status, [](const QuadrilleKept& kept) { return Span<std::uint32_t>(kept.ids, kept.id_count); });
  }
  Answer<Span<Pair>> pairs_after(Status status) const {
    return after<Span<Pair>>(status, [](const QuadrilleKept& kept) { return Span<Pair>(kept.pairs, kept.pair_count); });
  }
  Answer<Groups> groups_after(Status status) const {
    return after<Groups>(status, [](const QuadrilleKept& kept) {
      return Groups({kept.counts, kept.query_count}, {kept.ids, kept.id_count}, {kept.distances, kept.distance_count});
    });
  }
};

}  // namespace quadrille

#endif
