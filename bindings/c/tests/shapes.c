// Shapes and tracks from C: joins, the nearest, encounters, and refusals.
#include <math.h>

#include "check.h"

enum { POINTS = 60, SQUARES = 40 };

// Numbers as well-known binary, in the order of bytes of this machine.
typedef struct {
  uint8_t bytes[128];
  size_t count;
} Wkb;

static void put(Wkb *wkb, const void *from, size_t count) {
  memcpy(wkb->bytes + wkb->count, from, count);
  wkb->count += count;
}

static void begin(Wkb *wkb, uint32_t kind) {
  uint16_t one = 1;
  uint8_t order;
  memcpy(&order, &one, 1);
  wkb->count = 0;
  put(wkb, &order, 1);
  put(wkb, &kind, sizeof kind);
}

static QuadrilleWkb point(Wkb *wkb, double x, double y) {
  begin(wkb, 1);
  put(wkb, &x, sizeof x);
  put(wkb, &y, sizeof y);
  QuadrilleWkb row = {wkb->bytes, wkb->count};
  return row;
}

// A square on its corner: its box is twice its area.
static QuadrilleWkb diamond(Wkb *wkb, double x, double y, double r) {
  double ring[] = {x - r, y, x, y - r, x + r, y, x, y + r, x - r, y};
  uint32_t rings = 1, places = 5;
  begin(wkb, 3);
  put(wkb, &rings, sizeof rings);
  put(wkb, &places, sizeof places);
  put(wkb, ring, sizeof ring);
  QuadrilleWkb row = {wkb->bytes, wkb->count};
  return row;
}

static void shapes_are_joined(void) {
  static Wkb memory[POINTS + SQUARES];
  static double at[POINTS][2], middle[SQUARES][2];
  static QuadrillePair found[POINTS * SQUARES];
  static double distances[POINTS * SQUARES];
  QuadrilleWkb points[POINTS], squares[SQUARES];
  uint32_t state = 9;
  for (int one = 0; one < POINTS; one++) {
    at[one][0] = floor(random_below(&state, 30)), at[one][1] = floor(random_below(&state, 30));
    points[one] = point(&memory[one], at[one][0], at[one][1]);
  }
  // A row without a geometry keeps its number.
  points[7].bytes = NULL;
  for (int one = 0; one < SQUARES; one++) {
    middle[one][0] = floor(random_below(&state, 30)), middle[one][1] = floor(random_below(&state, 30));
    squares[one] = diamond(&memory[POINTS + one], middle[one][0], middle[one][1], 3);
  }
  QuadrilleShapes zones, shops;
  OK(quadrille_shapes_new(squares, SQUARES, &zones));
  OK(quadrille_shapes_new(points, POINTS, &shops));
  QuadrillePairs pairs = pairs_in(found, LENGTH(found));
  size_t touches = 0, contains = 0;
  OK(quadrille_shapes_join(zones, shops, "intersects", &pairs));
  size_t next = 0;
  for (uint32_t a = 0; a < SQUARES; a++) {
    for (uint32_t b = 0; b < POINTS; b++) {
      double away = fabs(middle[a][0] - at[b][0]) + fabs(middle[a][1] - at[b][1]);
      touches += b != 7 && away == 3;
      contains += b != 7 && away < 3;
      if (b != 7 && away <= 3) {
        CHECK(next < pairs.count && found[next].a == a && found[next].b == b);
        next++;
      }
    }
  }
  CHECK(next == pairs.count && touches > 5 && contains > 5);
  OK(quadrille_shapes_join(zones, shops, "touches", &pairs));
  CHECK(pairs.count == touches);
  OK(quadrille_shapes_join(zones, shops, "contains", &pairs));
  CHECK(pairs.count == contains);
  OK(quadrille_shapes_join(shops, zones, "within", &pairs));
  CHECK(pairs.count == contains);

  // Themselves, at a distance.
  OK(quadrille_shapes_join_within(shops, shops, 2, &pairs));
  size_t near = 0;
  for (int a = 0; a < POINTS; a++) {
    for (int b = 0; b < POINTS; b++) near += a != 7 && b != 7 && hypot(at[a][0] - at[b][0], at[a][1] - at[b][1]) <= 2;
  }
  CHECK(pairs.count == near && near > POINTS);

  OK(quadrille_shapes_nearest(shops, zones, 1, INFINITY, 0, &pairs, distances));
  CHECK(pairs.count == POINTS - 1 && found[7].a == 8);
  for (size_t one = 0; one < pairs.count; one++) {
    double apart = -1;
    OK(quadrille_shapes_distance(shops, found[one].a, zones, found[one].b, &apart));
    CHECK(apart == distances[one]);
    for (uint32_t zone = 0; zone < SQUARES; zone++) {
      OK(quadrille_shapes_distance(shops, found[one].a, zones, zone, &apart));
      CHECK(apart >= distances[one]);
    }
  }
  double apart = 0;
  OK(quadrille_shapes_distance(shops, 7, shops, 8, &apart));
  CHECK(isinf(apart));

  // Too little room: they are kept.
  pairs.room = 3;
  CHECK(quadrille_shapes_nearest(shops, zones, 1, INFINITY, 0, &pairs, distances) == QUADRILLE_STATUS_ROOM);
  const QuadrillePair *kept;
  const double *far;
  size_t count;
  OK(quadrille_shapes_kept(shops, &kept, &far, &count));
  CHECK(count == POINTS - 1 && kept[7].a == 8 && far[0] == distances[0]);

  REFUSED(QUADRILLE_STATUS_VALUE, "predicate", quadrille_shapes_join(zones, shops, "near", &pairs));
  REFUSED(QUADRILLE_STATUS_NULL, "`predicate`", quadrille_shapes_join(zones, shops, NULL, &pairs));
  REFUSED(QUADRILLE_STATUS_VALUE, "-1", quadrille_shapes_join_within(zones, shops, -1, &pairs));
  REFUSED(QUADRILLE_STATUS_VALUE, "NaN", quadrille_shapes_nearest(zones, shops, 1, NAN, 0, &pairs, NULL));
  REFUSED(QUADRILLE_STATUS_NULL, "`distances`", quadrille_shapes_nearest(zones, shops, 1, 1, 0, NULL, distances));
  REFUSED(QUADRILLE_STATUS_ID, "row 60", quadrille_shapes_distance(shops, POINTS, shops, 0, &apart));
  QuadrilleShapes other;
  points[1].count = 9;
  REFUSED(QUADRILLE_STATUS_VALUE, "row 1 ", quadrille_shapes_new(points, POINTS, &other));
  REFUSED(QUADRILLE_STATUS_NULL, "`rows`", quadrille_shapes_new(NULL, 1, &other));
  OK(quadrille_shapes_free(shops));
  CHECK(quadrille_shapes_join(zones, shops, "intersects", NULL) == QUADRILLE_STATUS_HANDLE);
  OK(quadrille_shapes_free(zones));
  CHECK(quadrille_shapes_free(zones) == QUADRILLE_STATUS_HANDLE);
}

static void tracks_meet(void) {
  // One stands still; one passes by at a distance of 3; one is far above.
  uint32_t track[] = {5, 9, 5, 9, 6, 6};
  double time[] = {0, 0, 10, 10, 0, 10}, x[] = {0, -10, 0, 10, 0, 0}, y[] = {0, 3, 0, 3, 1, 1}, z[] = {0, 0, 0, 0, 500, 500};
  QuadrilleFixes fixes = {6, track, time, x, y, NULL};
  QuadrilleTrackRules rules;
  memset(&rules, 0, sizeof rules);
  QuadrilleEncounterLimits limits = {5, 10, 0, 0};
  QuadrilleTracks tracks;
  QuadrilleEncounter met[4];
  QuadrilleEncounters found = {met, 4, 0};
  OK(quadrille_tracks_new(fixes, rules, &tracks));
  OK(quadrille_tracks_encounters(tracks, limits, &found));
  CHECK(found.count == 3);
  const QuadrilleEncounter *kept;
  size_t count;
  found.room = 2;
  CHECK(quadrille_tracks_encounters(tracks, limits, &found) == QUADRILLE_STATUS_ROOM);
  OK(quadrille_tracks_kept(tracks, &kept, &count));
  CHECK(count == 3 && found.count == 3);
  OK(quadrille_tracks_free(tracks));

  // With heights, two of them.
  fixes.z = z, found.room = 4;
  OK(quadrille_tracks_new(fixes, rules, &tracks));
  OK(quadrille_tracks_encounters(tracks, limits, &found));
  CHECK(found.count == 1 && met[0].a == 5 && met[0].b == 9);
  CHECK(fabs(met[0].start - 3) < 1e-9 && fabs(met[0].end - 7) < 1e-9 && fabs(met[0].closest_time - 5) < 1e-9);
  CHECK(fabs(met[0].closest_distance - 3) < 1e-9 && met[0].closest_vertical == 0);
  limits.lasting = 4.5;
  OK(quadrille_tracks_encounters(tracks, limits, &found));
  CHECK(found.count == 0);
  limits.within = NAN;
  CHECK(quadrille_tracks_encounters(tracks, limits, &found) == QUADRILLE_STATUS_VALUE);
  OK(quadrille_tracks_free(tracks));
  CHECK(quadrille_tracks_free(tracks) == QUADRILLE_STATUS_HANDLE);
  x[1] = NAN;
  REFUSED(QUADRILLE_STATUS_VALUE, "NaN", quadrille_tracks_new(fixes, rules, &tracks));
  fixes.x = NULL;
  REFUSED(QUADRILLE_STATUS_NULL, "`x`", quadrille_tracks_new(fixes, rules, &tracks));
}

int main(void) {
  shapes_are_joined();
  tracks_meet();
  puts("shapes: all well");
  return 0;
}
