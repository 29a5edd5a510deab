// 10,000 boxes by contenders that take turns, by CPU time: the middle lap of each, as a table in CSV. All must find as
// many, and in whole frames the same pairs. Long laps are repeated less often.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contender.h"
#include "crowd.h"

enum { QUERIES = 10000, LAPS = 41, ROOM = 16 * BOXES, SLOTS = 1 << 16 };

static const Contender *const all[] = {&quadrille,
#ifdef WITH_BOX2D
                                       &box2d,
#endif
                                       &hash_grid};
enum { CONTENDERS = sizeof all / sizeof *all };

static float asked[4 * QUERIES];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void begin(void) {
  place_all();
  for (int query = 0; query < QUERIES; query++) {
    float x = below(1000), y = below(1000);
    float edges[] = {x, y, x + 20, y + 20};
    memcpy(asked + 4 * query, edges, sizeof edges);
  }
}

// Pairs that are in one of two lists alone, by a hash set of those before.
static size_t changed(const PairList *before, const PairList *now) {
  static uint64_t slots[SLOTS];
  size_t both = 0;
  memset(slots, 0xff, sizeof slots);
  for (size_t at = 0; at < before->count + now->count; at++) {
    const uint32_t *pair = at < before->count ? before->data[at] : now->data[at - before->count];
    uint64_t key = (uint64_t)pair[0] << 32 | pair[1];
    size_t slot = (size_t)(key * 0x9e3779b97f4a7c15u >> 48);
    while (slots[slot] != UINT64_MAX && slots[slot] != key) slot = (slot + 1) % SLOTS;
    both += slots[slot] == key;
    if (at < before->count) slots[slot] = key;
  }
  return before->count + now->count - 2 * both;
}

static uint32_t memory[2][ROOM][2];
static PairList lists[CONTENDERS][2];

// What a lap finds. All contenders get the same `boxes`.
typedef size_t Lap(const Contender *one, void *self, int number);

static size_t frames(const Contender *one, void *self, int number) {
  (void)number;
  PairList found = {memory[0], 0};
  one->update(self, boxes);
  one->pairs(self, &found);
  return found.count;
}

static size_t single_queries(const Contender *one, void *self, int number) {
  (void)number;
  size_t found = 0;
  for (int query = 0; query < QUERIES; query++) found += one->query(self, asked + 4 * query);
  return found;
}

static size_t queries(const Contender *one, void *self, int number) {
  return one->query_all == NULL ? single_queries(one, self, number) : one->query_all(self, asked, QUERIES);
}

// A sum over pairs in any order, for what a whole frame has found.
static size_t checksum(size_t pairs) {
  size_t sum = pairs;
  for (size_t at = 0; at < pairs; at++) {
    uint64_t one = memory[0][at][0] ^ 0x9e3779b97f4a7c15u, other = memory[0][at][1] ^ 0x9e3779b97f4a7c15u;
    uint64_t product = one * other;
    sum += (size_t)(product ^ product >> 32);
  }
  return sum;
}

// Every twentieth box is moved in a call of its own; then contacts that have begun and ended are reported.
static size_t events(const Contender *one, void *self, int number) {
  for (int box = 0; box < BOXES; box += 20) {
    float to[4];
    step(box, to);
    one->move(self, box, boxes + 4 * box, to);
  }
  if (one->events != NULL) return one->events(self);
  PairList *last = &lists[number][0], *now = &lists[number][1];
  one->pairs(self, now);
  size_t found = changed(last, now);
  PairList swapped = *last;
  *last = *now, *now = swapped;
  return found;
}

static void step_some(void) {
  for (int box = 0; box < BOXES; box += 20) step(box, boxes + 4 * box);
}

// Each box moves, then queries its surroundings.
static size_t agents(const Contender *one, void *self, int number) {
  size_t found = 0;
  (void)number;
  for (int box = 0; box < BOXES; box++) {
    float to[4];
    step(box, to);
    one->move(self, box, boxes + 4 * box, to);
    float around[] = {to[0] - 10, to[1] - 10, to[2] + 10, to[3] + 10};
    found += one->query(self, around);
  }
  return found;
}

static void stay(void) {}

static void measure(const char *task, Lap *lap, void (*before)(void), void (*after)(void)) {
  void *selves[CONTENDERS];
  static double times[CONTENDERS][LAPS];
  int laps[CONTENDERS] = {0};
  double spent[CONTENDERS] = {0};
  begin();
  for (int number = 0; number < CONTENDERS; number++) {
    selves[number] = all[number]->make(boxes, BOXES);
    for (int list = 0; list < 2; list++) {
      PairList *one = &lists[number][list];
      if (one->data == NULL) one->data = malloc(ROOM * sizeof *one->data);
      one->count = 0;
    }
    if (lap == events && all[number]->events == NULL) all[number]->pairs(selves[number], &lists[number][0]);
    if (lap == events && all[number]->events != NULL) all[number]->events(selves[number]);
  }
  for (int round = 0; round < LAPS; round++) {
    before();
    size_t expected = SIZE_MAX;
    for (int number = 0; number < CONTENDERS; number++) {
      double start = seconds();
      // A contender that has used two seconds sits out the rest, after at least five laps.
      if (spent[number] > 2 && laps[number] >= 5) continue;
      size_t found = lap(all[number], selves[number], number);
      double time = seconds() - start;
      times[number][laps[number]++] = time, spent[number] += time;
      if (lap == frames) found = checksum(found);
      if (expected == SIZE_MAX) expected = found;
      if (found != expected) {
        fprintf(stderr, "%s: %s finds %zu, not %zu\n", task, all[number]->name, found, expected);
        exit(1);
      }
    }
    after();
  }
  double first = 0;
  for (int number = 0; number < CONTENDERS; number++) {
    qsort(times[number], (size_t)laps[number], sizeof(double), by_time);
    double middle = times[number][laps[number] / 2];
    if (number == 0) first = middle;
    printf("%s,%d,%s,%d,%.1f,%.1f,%.2f\n", task, BOXES, all[number]->name, laps[number], 1e6 * times[number][0],
           1e6 * middle, middle / first);
    fflush(stdout);
    all[number]->drop(selves[number]);
  }
}

int main(void) {
  puts("task,boxes,contender,laps,least_us,middle_us,times_ours");
  measure("frames", frames, step_all, stay);
  measure("queries", queries, stay, stay);
  measure("single queries", single_queries, stay, stay);
  measure("events", events, stay, step_some);
  measure("agents", agents, stay, step_all);
  return 0;
}
