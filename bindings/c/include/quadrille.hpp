// quadrille for C++17, over quadrille.h: handles that free themselves, views of answers, no exceptions.
//
// What can fail returns a status, or an Answer: a status and a value, true if the status is OK. Views of answers are
// valid until the next call with the object they come from.
#ifndef QUADRILLE_HPP
#define QUADRILLE_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "quadrille.h"

namespace quadrille {

using Status = QuadrilleStatus;
using Pair = QuadrillePair;
using Layers = QuadrilleLayers;
using Cell = QuadrilleCell;
using Link = QuadrilleLink;
using Agents = QuadrilleAgents;
using Wkb = QuadrilleWkb;
using Encounter = QuadrilleEncounter;

inline constexpr std::uint32_t none = QUADRILLE_NONE;
inline constexpr std::uint32_t all_layers = QUADRILLE_ALL_LAYERS;

// Why the last failed call on this thread failed.
inline const char* error_text() { return quadrille_error_text(); }

// A view of consecutive values.
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(const T* data, std::size_t size) : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr Span(const T (&array)[N]) : data_(array), size_(N) {}
  // Of a vector, an array, or anything that has data() and size().
  template <class C, class = decltype(static_cast<const T*>(std::declval<const C&>().data()))>
  constexpr Span(const C& values) : data_(values.data()), size_(values.size()) {}

  constexpr const T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t at) const { return data_[at]; }
  // Adds nothing to a null pointer.
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
  const T& operator*() const& { return value; }
  // The value of a temporary answer: for (auto pair : *boxes.pairs()) ...
  T operator*() && { return std::move(value); }
  const T* operator->() const { return &value; }
};

// The number of a type of coordinates in the C interface.
template <class T>
constexpr std::uint32_t scalar_of() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t>,
                "coordinates are float, double or int32_t");
  return std::is_same_v<T, float> ? QUADRILLE_F32 : std::is_same_v<T, double> ? QUADRILLE_F64 : QUADRILLE_I32;
}

// Rows of coordinates in place; they may be parts of larger structs.
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

namespace detail {

// Iterates over lists that follow each other, by their lengths, together with the entries of another array.
template <class T, class Beside, class Read>
class Lists {
 public:
  Lists(const std::uint32_t* count, const T* values, const Beside* beside)
      : count_(count), values_(values), beside_(beside) {}
  auto operator*() const { return Read()(Span<T>(values_, *count_), *beside_); }
  Lists& operator++() {
    if (*count_ != 0) values_ += *count_;
    ++count_, ++beside_;
    return *this;
  }
  bool operator!=(const Lists& other) const { return count_ != other.count_; }
  // The position after this many lists. Adds nothing to a null pointer.
  Lists end(std::size_t size) const { return {size == 0 ? count_ : count_ + size, nullptr, nullptr}; }

 private:
  const std::uint32_t* count_;
  const T* values_;
  const Beside* beside_;
};

}  // namespace detail

// The answers to many queries, one span each: for (auto ids : *boxes.query(rows)) for (auto id : ids) ...
class Groups {
 public:
  Groups() = default;
  Groups(Span<std::uint32_t> counts, Span<std::uint32_t> ids, Span<double> distances)
      : counts_(counts), ids_(ids), distances_(distances) {}

  struct Ids {
    Span<std::uint32_t> operator()(Span<std::uint32_t> ids, std::uint32_t) const { return ids; }
  };
  using Iterator = detail::Lists<std::uint32_t, std::uint32_t, Ids>;

  Iterator begin() const { return {counts_.data(), ids_.data(), counts_.data()}; }
  Iterator end() const { return begin().end(size()); }
  std::size_t size() const { return counts_.size(); }
  // The answers to all queries, one after the other.
  Span<std::uint32_t> ids() const { return ids_; }
  Span<double> distances() const { return distances_; }

 private:
  Span<std::uint32_t> counts_, ids_;
  Span<double> distances_;
};

// The first answers to many queries: `each` entries per query.
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

// Pairs, and how far apart each is.
struct PairsApart {
  Span<Pair> pairs;
  Span<double> distances;
};

namespace detail {

// Calls a function object of the caller from C, and keeps what it throws: no exception may pass through C.
template <class Call>
struct Told {
  Call& call;
#ifdef __cpp_exceptions
  std::exception_ptr thrown;
#endif
  explicit Told(Call& told) : call(told) {}
  static int tell(void* context, std::uint32_t a, std::uint32_t b) {
    auto* told = static_cast<Told*>(context);
#ifdef __cpp_exceptions
    try {
      return told->call(a, b) ? 1 : 0;
    } catch (...) {
      told->thrown = std::current_exception();
      return 0;
    }
#else
    return told->call(a, b) ? 1 : 0;
#endif
  }
  void rethrow() {
#ifdef __cpp_exceptions
    if (thrown) std::rethrow_exception(thrown);
#endif
  }
};

// Holds a handle, and frees it once. In a default object it is null: calls return QUADRILLE_STATUS_HANDLE.
template <class Own, class Raw, Status (*free)(Raw)>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, Raw{})) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Handle() {
    if (raw_.bits != 0) free(raw_);
  }
  Raw raw() const { return raw_; }

 protected:
  // Takes the handle that a call writes.
  template <class Call>
  static Answer<Own> made(Call call) {
    Answer<Own> made{QUADRILLE_STATUS_OK, Own()};
    made.status = call(&made.value.raw_);
    return made;
  }

 private:
  Raw raw_{};
};

}  // namespace detail

// Boxes under ids, which can be added, moved and removed.
template <class T>
class Boxes : public detail::Handle<Boxes<T>, QuadrilleBoxes, quadrille_boxes_free> {
 public:
  using Base = detail::Handle<Boxes, QuadrilleBoxes, quadrille_boxes_free>;
  using Base::raw;
  static Answer<Boxes> make(const Rows<T>& rows, const char* structure = "frame-tree") {
    return Base::made([&](auto* to) { return quadrille_boxes_new(structure, rows.raw(), to); });
  }
  static Answer<Boxes> restore(Span<std::uint8_t> bytes) {
    return Base::made(
        [&](auto* to) { return quadrille_boxes_restore(scalar_of<T>(), bytes.data(), bytes.size(), to); });
  }

  Status update(const Rows<T>& rows) { return quadrille_boxes_update(raw(), rows.raw()); }
  Status move(Span<std::uint32_t> ids, const Rows<T>& rows) {
    return quadrille_boxes_move(raw(), ids.data(), ids.size(), rows.raw());
  }
  Answer<Span<std::uint32_t>> insert(const Rows<T>& rows) {
    return ids_after(quadrille_boxes_insert(raw(), rows.raw(), nullptr));
  }
  Status remove(Span<std::uint32_t> ids) { return quadrille_boxes_remove(raw(), ids.data(), ids.size()); }
  Status set_layers(Span<std::uint32_t> ids, Span<Layers> layers) {
    if (auto status = quadrille_check_length(ids.size(), layers.size())) return status;
    return quadrille_boxes_set_layers(raw(), ids.data(), layers.data(), ids.size());
  }
  // Writes one entry for each id into memory for as many.
  Status layers(Span<std::uint32_t> ids, Layers* layers) const {
    return quadrille_boxes_layers(raw(), ids.data(), ids.size(), layers);
  }
  // How many threads a call uses; 0 for all cores.
  Status set_threads(std::size_t threads) { return quadrille_boxes_set_threads(raw(), threads); }
  Status maintain() { return quadrille_boxes_maintain(raw()); }

  // How many there are; none without a handle.
  std::size_t size() const {
    std::size_t count = 0;
    quadrille_boxes_count(raw(), &count);
    return count;
  }
  Answer<Span<std::uint32_t>> ids() { return ids_after(quadrille_boxes_ids(raw(), nullptr)); }
  // Writes four numbers for each id into memory for as many.
  Status get(Span<std::uint32_t> ids, T* numbers) const {
    return quadrille_boxes_get(raw(), ids.data(), ids.size(), scalar_of<T>(), numbers);
  }

  Answer<Span<Pair>> pairs() { return pairs_after(quadrille_boxes_pairs(raw(), nullptr)); }
  Answer<Span<Pair>> pairs_with(const Boxes& others) {
    return pairs_after(quadrille_boxes_pairs_with(raw(), others.raw(), nullptr));
  }
  Answer<PairsApart> pairs_within(double distance) {
    return apart_after(quadrille_boxes_pairs_within(raw(), distance, nullptr, nullptr));
  }
  Answer<PairsApart> pairs_with_within(const Boxes& others, double distance) {
    return apart_after(quadrille_boxes_pairs_with_within(raw(), others.raw(), distance, nullptr, nullptr));
  }
  // Calls `call(a, b)` for each pair, until it returns false. Meanwhile the boxes are in use.
  template <class Call>
  Status visit_pairs(Call&& call) {
    detail::Told<Call> told(call);
    auto status = quadrille_boxes_visit_pairs(raw(), told.tell, &told);
    told.rethrow();
    return status;
  }
  // Calls `call(row, id)` for each box that overlaps a row, until it returns false.
  template <class Call>
  Status visit(const Rows<T>& rows, Call&& call, std::uint32_t layers = all_layers) {
    detail::Told<Call> told(call);
    auto status = quadrille_boxes_visit(raw(), rows.raw(), layers, told.tell, &told);
    told.rethrow();
    return status;
  }
  Answer<Events> events() {
    return after<Events>(quadrille_boxes_events(raw(), nullptr, nullptr), [](const QuadrilleKept& kept) {
      return Events{{kept.began, kept.began_count}, {kept.ended, kept.ended_count}};
    });
  }
  Answer<Groups> query(const Rows<T>& rows, std::uint32_t layers = all_layers) {
    return groups_after(quadrille_boxes_query(raw(), rows.raw(), layers, nullptr, nullptr));
  }
  Answer<Groups> within(const Rows<T>& rows, double distance, std::uint32_t layers = all_layers) {
    return groups_after(quadrille_boxes_within(raw(), rows.raw(), distance, layers, nullptr, nullptr, nullptr));
  }
  Answer<Nearest> nearest(const Rows<T>& rows, std::size_t most,
                          double distance = std::numeric_limits<double>::infinity(),
                          std::uint32_t layers = all_layers) {
    auto status = quadrille_boxes_nearest(raw(), rows.raw(), most, distance, layers, nullptr, nullptr);
    return after<Nearest>(status, [most](const QuadrilleKept& kept) {
      return Nearest{{kept.ids, kept.id_count}, {kept.distances, kept.distance_count}, most};
    });
  }
  Answer<Hits> cast(const Rows<T>& rows, const Rows<T>& directions,
                    double latest = std::numeric_limits<double>::infinity(), std::uint32_t layers = all_layers) {
    auto status = quadrille_boxes_cast(raw(), rows.raw(), directions.raw(), latest, layers, nullptr, nullptr, nullptr);
    return after<Hits>(status, [](const QuadrilleKept& kept) {
      return Hits{{kept.ids, kept.id_count}, {kept.distances, kept.distance_count}, {kept.normals, 2 * kept.id_count}};
    });
  }
  // Writes all of it into anything that has data(), size() and resize(), such as a std::vector<std::uint8_t>.
  template <class Bytes>
  Status snapshot(Bytes& bytes) {
    QuadrilleBytes out{bytes.data(), bytes.size(), 0};
    auto status = quadrille_boxes_snapshot(raw(), &out);
    if (status != QUADRILLE_STATUS_OK && status != QUADRILLE_STATUS_ROOM) return status;
    bytes.resize(out.count);
    if (status == QUADRILLE_STATUS_OK) return status;
    out = {bytes.data(), bytes.size(), 0};
    return quadrille_boxes_snapshot(raw(), &out);
  }

 private:
  template <class V, class Read>
  Answer<V> after(Status status, Read read) const {
    QuadrilleKept kept{};
    if (status == QUADRILLE_STATUS_OK) status = quadrille_boxes_kept(raw(), &kept);
    return {status, read(kept)};
  }
  Answer<Span<std::uint32_t>> ids_after(Status status) const {
    return after<Span<std::uint32_t>>(
        status, [](const QuadrilleKept& kept) { return Span<std::uint32_t>(kept.ids, kept.id_count); });
  }
  Answer<Span<Pair>> pairs_after(Status status) const {
    return after<Span<Pair>>(status, [](const QuadrilleKept& kept) { return Span<Pair>(kept.pairs, kept.pair_count); });
  }
  Answer<PairsApart> apart_after(Status status) const {
    return after<PairsApart>(status, [](const QuadrilleKept& kept) {
      return PairsApart{{kept.pairs, kept.pair_count}, {kept.distances, kept.distance_count}};
    });
  }
  Answer<Groups> groups_after(Status status) const {
    return after<Groups>(status, [](const QuadrilleKept& kept) {
      return Groups({kept.counts, kept.query_count}, {kept.ids, kept.id_count}, {kept.distances, kept.distance_count});
    });
  }
};

// A cheapest or shortest path: its cells, none if there is no path, and its length or cost.
struct Path {
  Span<Cell> cells;
  double length;
};

// The paths that were requested: for (auto [cells, length] : *map.paths(starts, goals)) ...
class Paths {
 public:
  Paths() = default;
  explicit Paths(const QuadrilleKeptPaths& kept) : kept_(kept) {}

  struct OfLength {
    Path operator()(Span<Cell> cells, double length) const { return {cells, length}; }
  };
  using Iterator = detail::Lists<Cell, double, OfLength>;

  std::size_t size() const { return kept_.path_count; }
  Iterator begin() const { return {kept_.counts, kept_.cells, kept_.lengths}; }
  Iterator end() const { return begin().end(size()); }

 private:
  QuadrilleKeptPaths kept_{};
};

// The legs of a path that may take links, the positions of the links between them, and the total length.
struct LinkedPath {
  Paths legs;
  Span<std::uint32_t> taken;
  double length;
};

// The position of the nearest of some goals, and the path to it.
struct NearestLinked {
  std::size_t nearest;
  LinkedPath path;
};

// The shortest any-angle path: x and y of each point where it begins, turns and ends.
struct TautPath {
  Span<double> numbers;
  double length;
};

// Cells that can be reached, and the cost of each.
struct Reach {
  Span<Cell> cells;
  Span<double> costs;
};

// A map of free and blocked cells, or of terrain, that finds shortest paths and can be edited. Calls about terrain name
// agents.
class Map : public detail::Handle<Map, QuadrilleMap, quadrille_map_free> {
 public:
  // `free` is row by row: all but 0 are free.
  static Answer<Map> make(Span<std::uint8_t> free, std::uint32_t width, std::uint32_t height,
                          const char* rule = "octile") {
    if (auto status = quadrille_check_length(free.size(), std::uint64_t{width} * height)) return {status, Map()};
    return made([&](auto* to) { return quadrille_map_new(free.data(), width, height, rule, to); });
  }
  // `kinds` is row by row. Each of the classes gets a map of its own.
  static Answer<Map> terrain(Span<std::uint8_t> kinds, std::uint32_t width, std::uint32_t height, Span<Agents> classes,
                             const char* rule = "octile") {
    if (auto status = quadrille_check_length(kinds.size(), std::uint64_t{width} * height)) return {status, Map()};
    return made([&](auto* to) {
      return quadrille_map_new_terrain(kinds.data(), width, height, rule, classes.data(), classes.size(), to);
    });
  }

  // 0 blocks cells; on terrain, it is a kind.
  Status set(Span<Cell> cells, std::uint8_t value) {
    return quadrille_map_set(raw(), cells.data(), cells.size(), value);
  }
  Status edit(Cell from, std::uint32_t width, std::uint32_t height, Span<std::uint8_t> values) {
    if (auto status = quadrille_check_length(values.size(), std::uint64_t{width} * height)) return status;
    return quadrille_map_edit(raw(), from, width, height, values.data());
  }
  Answer<std::uint64_t> version() const {
    std::uint64_t version = 0;
    auto status = quadrille_map_version(raw(), &version);
    return {status, version};
  }
  Answer<bool> is_reachable(Cell start, Cell goal, const Agents* agents = nullptr) const {
    std::uint8_t answer = 0;
    auto status = quadrille_map_is_reachable(raw(), agents, start, goal, &answer);
    return {status, answer != 0};
  }
  Answer<Paths> paths(Span<Cell> starts, Span<Cell> goals, const Agents* agents = nullptr, bool partial = false,
                      double most = std::numeric_limits<double>::infinity()) {
    if (auto status = quadrille_check_length(starts.size(), goals.size())) return {status, Paths()};
    auto status = quadrille_map_paths(raw(), agents, starts.data(), goals.data(), starts.size(), partial, most,
                                      nullptr, nullptr, nullptr);
    auto [kept_status, kept] = kept_after(status);
    return {kept_status, Paths(kept)};
  }
  Answer<LinkedPath> linked_path(Cell start, Cell goal, Span<Link> links, const Agents* agents = nullptr) {
    QuadrilleKeptPaths kept{};
    double length = std::numeric_limits<double>::infinity();
    auto status = quadrille_map_linked_path(raw(), agents, start, goal, links.data(), links.size(), &length, &kept);
    return {status, {Paths(kept), {kept.links, kept.link_count}, length}};
  }
  // The nearest goal's position, goals.size() if none can be reached, and the path to it.
  Answer<NearestLinked> nearest_linked(Cell start, Span<Cell> goals, Span<Link> links,
                                       const Agents* agents = nullptr) {
    QuadrilleKeptPaths kept{};
    std::size_t nearest = goals.size();
    double length = std::numeric_limits<double>::infinity();
    auto status = quadrille_map_nearest_linked(raw(), agents, start, goals.data(), goals.size(), links.data(),
                                               links.size(), &nearest, &length, &kept);
    return {status, {nearest, {Paths(kept), {kept.links, kept.link_count}, length}}};
  }
  Answer<TautPath> taut_path(Cell start, Cell goal, const Agents* agents = nullptr) {
    std::size_t count = 0;
    double length = std::numeric_limits<double>::infinity();
    auto status = quadrille_map_taut_path(raw(), agents, start, goal, nullptr, 0, &count, &length);
    if (status == QUADRILLE_STATUS_ROOM) status = QUADRILLE_STATUS_OK;
    auto [kept_status, kept] = kept_after(status);
    return {kept_status, {{kept.points, 2 * kept.point_count}, length}};
  }
  Answer<Reach> reach(Cell from, double budget, const Agents* agents = nullptr) {
    auto [status, kept] = kept_after(quadrille_map_reach(raw(), agents, from, budget, nullptr, nullptr));
    return {status, {{kept.cells, kept.cell_count}, {kept.costs, kept.cell_count}}};
  }
  // The first of the starts that a wall, or a kind of terrain, would cut off from the goal; starts.size() if there is none.
  Answer<std::size_t> would_close(Cell from, std::uint32_t width, std::uint32_t height, Span<Cell> starts, Cell goal,
                                  std::uint8_t value = 0, const Agents* agents = nullptr) {
    std::size_t first = 0;
    auto status = quadrille_map_would_close(raw(), agents, from, width, height, value, starts.data(), starts.size(),
                                            goal, &first);
    return {status, first};
  }
  // Nothing if there is none.
  Answer<std::optional<Cell>> nearest_free(Cell cell, const Cell* connected_to = nullptr,
                                           const Agents* agents = nullptr) const {
    std::uint8_t found = 0;
    Cell free{};
    auto status = quadrille_map_nearest_free(raw(), agents, cell, connected_to, &found, &free);
    return {status, found != 0 ? std::optional<Cell>(free) : std::nullopt};
  }
  // The first blocked cell on a straight line; nothing if there is a line of sight.
  Answer<std::optional<Cell>> first_wall(Cell start, Cell goal, const Agents* agents = nullptr) const {
    std::uint8_t found = 0;
    Cell wall{};
    auto status = quadrille_map_first_wall(raw(), agents, start, goal, &found, &wall);
    return {status, found != 0 ? std::optional<Cell>(wall) : std::nullopt};
  }
  // Places for a group around a cell, none less than `apart` columns and rows from another.
  Answer<Span<Cell>> free_places(Cell cell, std::size_t most, std::uint32_t apart = 1,
                                 const Cell* connected_to = nullptr, const Agents* agents = nullptr) {
    auto [status, kept] =
        kept_after(quadrille_map_free_places(raw(), agents, cell, most, apart, connected_to, nullptr));
    return {status, {kept.cells, kept.cell_count}};
  }
  // The rest of a path led around obstacles near its start; no cells if that cannot be done.
  Answer<Path> detour(Span<Cell> path, Span<Cell> obstacles, std::uint32_t radius = 16,
                      const Agents* agents = nullptr) {
    double length = std::numeric_limits<double>::infinity();
    auto [status, kept] = kept_after(quadrille_map_detour(raw(), agents, path.data(), path.size(), obstacles.data(),
                                                          obstacles.size(), radius, nullptr, &length));
    return {status, {{kept.cells, kept.cell_count}, length}};
  }
  // For each cell of the map, the distance of the nearest goal and the step toward it, x and y, into memory for as
  // many.
  Status flow(Span<Cell> goals, std::size_t cells, double* lengths, std::int8_t* steps,
              const Agents* agents = nullptr) const {
    return quadrille_map_flow(raw(), agents, goals.data(), goals.size(), cells, lengths, steps);
  }
  // The same toward goals that begin with a number of steps each.
  Status flow(Span<Cell> goals, Span<std::uint16_t> starts, std::size_t cells, double* lengths, std::int8_t* steps,
              const Agents* agents = nullptr) const {
    if (auto status = quadrille_check_length(starts.size(), goals.size())) return status;
    return quadrille_map_flow_with_starts(raw(), agents, goals.data(), starts.data(), goals.size(), cells, lengths, steps);
  }

 private:
  Answer<QuadrilleKeptPaths> kept_after(Status status) const {
    QuadrilleKeptPaths kept{};
    if (status == QUADRILLE_STATUS_OK) status = quadrille_map_kept(raw(), &kept);
    return {status, kept};
  }
};

// Costs and steps from everywhere to the nearest goal, computed in slices: for a budget of cells per frame.
class GrowingFlow : public detail::Handle<GrowingFlow, QuadrilleGrowing, quadrille_growing_free> {
 public:
  // `starts` are none, or one for each goal.
  static Answer<GrowingFlow> make(const Map& map, Span<Cell> goals, Span<std::uint16_t> starts = {},
                                  const Agents* agents = nullptr) {
    auto begun = starts.size() != 0 ? starts.size() : goals.size();
    if (auto status = quadrille_check_length(begun, goals.size())) return {status, {}};
    return made([&](auto* to) {
      return quadrille_map_begin_flow(map.raw(), agents, goals.data(), starts.data(), goals.size(), to);
    });
  }
  // Whether it is done: then the memory, for as many cells as the map has, holds it.
  Answer<bool> go_on(const Map& map, std::size_t budget, std::size_t cells, double* lengths, std::int8_t* steps) {
    std::uint8_t is_done = 0;
    auto status = quadrille_growing_flow(raw(), map.raw(), budget, cells, lengths, steps, &is_done);
    return {status, is_done != 0};
  }
};

// What can be reached, computed in slices.
class GrowingReach : public detail::Handle<GrowingReach, QuadrilleGrowing, quadrille_growing_free> {
 public:
  static Answer<GrowingReach> make(const Map& map, Cell from, double most, const Agents* agents = nullptr) {
    return made([&](auto* to) { return quadrille_map_begin_reach(map.raw(), agents, from, most, to); });
  }
  // Nothing until it is done. The map keeps it until the next call with it.
  Answer<std::optional<Reach>> go_on(const Map& map, std::size_t budget) {
    std::uint8_t is_done = 0;
    auto status = quadrille_growing_reach(raw(), map.raw(), budget, nullptr, nullptr, &is_done);
    QuadrilleKeptPaths kept{};
    if (status == QUADRILLE_STATUS_OK && is_done != 0) status = quadrille_map_kept(map.raw(), &kept);
    if (status != QUADRILLE_STATUS_OK || is_done == 0) return {status, std::nullopt};
    return {status, Reach{{kept.cells, kept.cell_count}, {kept.costs, kept.cell_count}}};
  }
};

// An answered request and its path, empty if there is none.
struct Reply {
  std::uint64_t request;
  Span<Cell> cells;
};

// Answered requests: for (auto [request, cells] : *queue.run_for(map, 0.002)) ...
class Answered {
 public:
  Answered() = default;
  explicit Answered(const QuadrilleAnswered& answered) : answered_(answered) {}

  struct ToRequest {
    Reply operator()(Span<Cell> cells, std::uint64_t request) const { return {request, cells}; }
  };
  using Iterator = detail::Lists<Cell, std::uint64_t, ToRequest>;

  std::size_t size() const { return answered_.count; }
  Iterator begin() const { return {answered_.counts, answered_.cells, answered_.requests}; }
  Iterator end() const { return begin().end(size()); }

 private:
  QuadrilleAnswered answered_{};
};

// Requests for paths, answered within a budget: of corners of walls that are examined, or of seconds.
class Queue : public detail::Handle<Queue, QuadrilleQueue, quadrille_queue_free> {
 public:
  static Answer<Queue> make() { return made(quadrille_queue_new); }
  // The number of the request. Higher priorities come first.
  Answer<std::uint64_t> push(Cell start, Cell goal, std::int32_t priority = 0) {
    std::uint64_t request = 0;
    auto status = quadrille_queue_push(raw(), start, goal, priority, &request);
    return {status, request};
  }
  // Whether it was still waiting.
  Answer<bool> cancel(std::uint64_t request) {
    std::uint8_t was_waiting = 0;
    auto status = quadrille_queue_cancel(raw(), request, &was_waiting);
    return {status, was_waiting != 0};
  }
  // How many requests are waiting; none without a handle.
  std::size_t waiting() const {
    std::size_t count = 0;
    quadrille_queue_waiting(raw(), &count);
    return count;
  }
  Answer<Answered> run(const Map& map, std::uint64_t corners) {
    QuadrilleAnswered answered{};
    auto status = quadrille_queue_run(raw(), map.raw(), corners, &answered);
    return {status, Answered(answered)};
  }
  Answer<Answered> run_for(const Map& map, double seconds) {
    QuadrilleAnswered answered{};
    auto status = quadrille_queue_run_for(raw(), map.raw(), seconds, &answered);
    return {status, Answered(answered)};
  }
};

// A path that is watched: edits of its map may break it.
class Watch : public detail::Handle<Watch, QuadrilleWatch, quadrille_watch_free> {
 public:
  static Answer<Watch> make(const Map& map, Span<Cell> cells) {
    return made([&](auto* to) { return quadrille_watch_new(map.raw(), cells.data(), cells.size(), to); });
  }
  // The last cell that can be reached on it, if it is broken.
  Answer<std::optional<Cell>> check(const Map& map) {
    std::uint8_t is_broken = 0;
    Cell last{};
    auto status = quadrille_watch_check(raw(), map.raw(), &is_broken, &last);
    return {status, is_broken != 0 ? std::optional<Cell>(last) : std::nullopt};
  }
};

// Points, lines and polygons by rows.
class Shapes : public detail::Handle<Shapes, QuadrilleShapes, quadrille_shapes_free> {
 public:
  static Answer<Shapes> make(Span<Wkb> rows) {
    return made([&](auto* to) { return quadrille_shapes_new(rows.data(), rows.size(), to); });
  }

  Answer<Span<Pair>> join(const Shapes& others, const char* predicate) {
    return pairs_after(quadrille_shapes_join(raw(), others.raw(), predicate, nullptr));
  }
  Answer<Span<Pair>> join_within(const Shapes& others, double distance) {
    return pairs_after(quadrille_shapes_join_within(raw(), others.raw(), distance, nullptr));
  }
  // The `most` nearest of each row; if `most` is 0, all at the least distance.
  Answer<PairsApart> nearest(const Shapes& others, std::size_t most = 1,
                             double distance = std::numeric_limits<double>::infinity(), bool exclusive = false) {
    return kept_after(quadrille_shapes_nearest(raw(), others.raw(), most, distance, exclusive, nullptr, nullptr));
  }
  Answer<double> distance(std::uint32_t row, const Shapes& others, std::uint32_t other_row) const {
    double distance = 0;
    auto status = quadrille_shapes_distance(raw(), row, others.raw(), other_row, &distance);
    return {status, distance};
  }

 private:
  Answer<PairsApart> kept_after(Status status) const {
    const Pair* pairs = nullptr;
    const double* distances = nullptr;
    std::size_t count = 0;
    if (status == QUADRILLE_STATUS_OK) status = quadrille_shapes_kept(raw(), &pairs, &distances, &count);
    return {status, {{pairs, count}, {distances, count}}};
  }
  Answer<Span<Pair>> pairs_after(Status status) const {
    auto [kept_status, kept] = kept_after(status);
    return {kept_status, kept.pairs};
  }
};

// Tracks of ships, aircraft, animals or people.
class Tracks : public detail::Handle<Tracks, QuadrilleTracks, quadrille_tracks_free> {
 public:
  static Answer<Tracks> make(const QuadrilleFixes& fixes, const QuadrilleTrackRules& rules = {}) {
    return made([&](auto* to) { return quadrille_tracks_new(fixes, rules, to); });
  }
  Answer<Span<Encounter>> encounters(const QuadrilleEncounterLimits& limits) {
    auto status = quadrille_tracks_encounters(raw(), limits, nullptr);
    const Encounter* found = nullptr;
    std::size_t count = 0;
    if (status == QUADRILLE_STATUS_OK) status = quadrille_tracks_kept(raw(), &found, &count);
    return {status, {found, count}};
  }
};

}  // namespace quadrille

#endif
