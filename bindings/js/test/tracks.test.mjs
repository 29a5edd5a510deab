// Encounters are those of plain arithmetic: two tracks at a time, piece by piece, and the same of fixes that come one at a time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../dist/tracks.js";
import { TRACK_CALLS, checkList, refuseAll } from "./calls.mjs";
import { Random } from "./random.mjs";

const q = await load();

/** Fixes of some tracks, each of which has a fix at every full time; as rows in random order. */
function random(dice, tracks, times) {
  const rows = [];
  for (let id = 0; id < tracks; id++) {
    for (let t = 0; t < times; t++) rows.push({ id: `ship ${id}`, t: t + dice.below(0.9), x: dice.below(20), y: dice.below(20), z: dice.below(4) });
  }
  for (let at = rows.length - 1; at > 0; at--) {
    const other = dice.next() % (at + 1);
    [rows[at], rows[other]] = [rows[other], rows[at]];
  }
  return rows;
}

const columns = (rows) => Object.fromEntries(["id", "t", "x", "y", "z"].map((name) => [name, rows.map((row) => row[name])]));

/** Where a track is at a time. */
function at(track, t) {
  const next = track.findIndex((fix) => fix.t >= t);
  const [from, to] = [track[Math.max(next - 1, 0)], track[next]];
  const part = to === from ? 0 : (t - from.t) / (to.t - from.t);
  return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y), z: from.z + part * (to.z - from.z) };
}

/** The times between two at which a + b t + c t², which is no line downwards, is at most 0. */
function roots(a, b, c) {
  if (c < 1e-30) return a <= 0 ? [-Infinity, Infinity] : null;
  const root = b * b - 4 * a * c;
  return root < 0 ? null : [(-b - Math.sqrt(root)) / (2 * c), (-b + Math.sqrt(root)) / (2 * c)];
}

/** All encounters of two tracks: [start, end]. */
function met(one, other, within, vertical) {
  const times = [...one, ...other].map(({ t }) => t).sort((a, b) => a - b);
  const [first, last] = [Math.max(one[0].t, other[0].t), Math.min(one.at(-1).t, other.at(-1).t)];
  const found = [];
  const inside = times.filter((t) => t >= first && t <= last);
  for (let piece = 0; piece + 1 < inside.length; piece++) {
    const [from, to] = [inside[piece], inside[piece + 1]];
    if (to - from < 1e-12) continue;
    const [a, b, c, d] = [at(one, from), at(other, from), at(one, to), at(other, to)];
    const gap = { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z };
    const way = { x: c.x - d.x - gap.x, y: c.y - d.y - gap.y, z: c.z - d.z - gap.z };
    const flat = roots(gap.x ** 2 + gap.y ** 2 - within ** 2, 2 * (gap.x * way.x + gap.y * way.y), way.x ** 2 + way.y ** 2);
    const tall = vertical === undefined ? [0, 1] : roots(gap.z ** 2 - vertical ** 2, 2 * gap.z * way.z, way.z ** 2);
    if (!flat || !tall) continue;
    const [start, end] = [Math.max(flat[0], tall[0], 0), Math.min(flat[1], tall[1], 1)];
    if (start > end) continue;
    const span = [from + start * (to - from), from + end * (to - from)];
    if (found.length && span[0] - found.at(-1)[1] < 1e-9) found.at(-1)[1] = span[1];
    else found.push(span);
  }
  return found;
}

function expected(rows, within, vertical) {
  const tracks = new Map();
  for (const row of [...rows].sort((a, b) => a.t - b.t)) tracks.set(row.id, [...(tracks.get(row.id) ?? []), row]);
  const ids = [...tracks.keys()].sort();
  const pairs = ids.flatMap((a, at) => ids.slice(at + 1).map((b) => [a, b]));
  return pairs.flatMap(([a, b]) => met(tracks.get(a), tracks.get(b), within, vertical).map(([start, end]) => ({ a, b, start, end, tracks })));
}

const near = (found, wanted, what) => assert.ok(Math.abs(found - wanted) < 1e-7, `${what}: ${found}, not ${wanted}`);

for (const vertical of [undefined, 1]) {
  test(`encounters are those of plain arithmetic, ${vertical === undefined ? "flat" : "with heights"}`, () => {
    const dice = new Random(3);
    let count = 0;
    for (let turn = 0; turn < 60; turn++) {
      const rows = random(dice, 2 + (turn % 6), 2 + (turn % 5));
      const within = 1 + dice.below(5);
      const wanted = expected(rows, within, vertical).sort((a, b) => a.start - b.start);
      const found = q.encounters(columns(rows), { within, vertical });
      assert.equal(found.a.length, wanted.length);
      assert.equal(found.closestVertical === undefined, vertical === undefined);
      wanted.forEach(({ a, b, start, end, tracks }, row) => {
        assert.deepEqual([found.a[row], found.b[row]], [a, b]);
        near(found.start[row], start, "start");
        near(found.end[row], end, "end");
        const [t, one, other] = [found.closestTime[row], tracks.get(a), tracks.get(b)];
        const apart = (t) => Math.hypot(at(one, t).x - at(other, t).x, at(one, t).y - at(other, t).y);
        near(found.closestDistance[row], apart(t), "how near");
        for (let part = 0; part <= 20; part++) {
          assert.ok(apart(Math.min(start + (part / 20) * (end - start), end)) >= found.closestDistance[row] - 1e-7);
        }
        count++;
      });
      checkStream(rows, { within, vertical }, found);
    }
    assert.ok(count > 100, `${count}`);
  });
}

test("heights count only where they are asked for", () => {
  const stream = new q.TrackStream({ within: 5 });
  const rows = [["a", 0, 0], ["b", 0, 1], ["a", 9, 0], ["b", 9, 1]];
  for (const [id, t, x] of rows) stream.push(id, t, x, 0, NaN);
  assert.equal(stream.ongoing().length, 1);
});

/** Fixes one at a time give the same, bit for bit. */
function checkStream(rows, wanted, all) {
  const stream = new q.TrackStream(wanted);
  const [begun, known] = [[], []];
  for (const { id, t, x, y, z } of [...rows].sort((a, b) => a.t - b.t)) {
    for (const event of stream.push(id, t, x, y, z)) (event.is === "begun" ? begun : known).push(event);
  }
  known.push(...stream.ongoing());
  const key = ({ a, b, start }) => JSON.stringify([...[a, b].sort(), start]);
  const told = new Map(known.map((event) => [key(event), event]));
  assert.deepEqual([...told.keys()].sort(), all.a.map((a, row) => key({ a, b: all.b[row], start: all.start[row] })).sort());
  assert.ok(begun.every((event) => told.has(key(event))));
  all.a.forEach((a, row) => {
    const { end, closestTime, closestDistance } = told.get(key({ a, b: all.b[row], start: all.start[row] }));
    assert.deepEqual([end, closestTime, closestDistance], [all.end[row], all.closestTime[row], all.closestDistance[row]]);
  });
  stream.free();
}

test("degrees, gaps, durations and names of both kinds", () => {
  const fixes = { id: ["b", 7, "b", 7], t: [0, 0, 100, 100], x: [0, 0.001, 0, 0.001], y: [0, 0, 0.01, 0.01] };
  const found = q.encounters(fixes, { within: 120, units: "degrees" });
  assert.deepEqual([found.a, found.b, ...found.start, ...found.end], [[7], ["b"], 0, 100]);
  // A thousandth of a degree on the equator of the ellipsoid, WGS 84.
  assert.ok(Math.abs(found.closestDistance[0] - (6_378_137 * Math.PI) / 180_000) < 0.01, `${found.closestDistance[0]}`);
  assert.equal(q.encounters(fixes, { within: 120, units: "degrees", lasting: 101 }).a.length, 0);
  assert.equal(q.encounters(fixes, { within: 120, units: "degrees", maxGap: 99, lasting: 1 }).a.length, 0);
  assert.equal(q.encounters({ id: [], t: [], x: [], y: [] }, { within: 1 }).a.length, 0);
  assert.equal(q.encounters({ ...fixes, id: Uint8Array.of(1, 2, 1, 2) }, { within: 1 }).a[0], 1);
});

test("what is wrong is named, and changes nothing", () => {
  const fixes = { id: [1, 2], t: [0, 1], x: [0, 1], y: [0, 1] };
  const refuses = (work, kind, message) => assert.throws(work, (error) => error instanceof kind && message.test(error.message) || assert.fail(`${error}`));
  refuses(() => q.encounters(fixes, {}), TypeError, /^within: a number is needed, not undefined$/);
  refuses(() => q.encounters(fixes, { within: -1 }), RangeError, /-1/);
  refuses(() => q.encounters(fixes, { within: -Infinity }), RangeError, /-Infinity/);
  refuses(() => q.encounters(fixes, { within: "1" }), TypeError, /a number is needed/);
  refuses(() => q.encounters(fixes, { within: 1, units: "feet" }), RangeError, /not the string "feet"/);
  refuses(() => q.encounters({ ...fixes, x: [0, NaN] }, { within: 1 }), RangeError, /NaN/);
  refuses(() => q.encounters({ ...fixes, x: [0] }, { within: 1 }), RangeError, /^there are 1 values of x, but 2 fixes have a track$/);
  refuses(() => q.encounters({ ...fixes, t: [0] }, { within: 1 }), RangeError, /^there are 1 times, but 2 fixes have a track$/);
  for (const made of [(options) => q.encounters(fixes, options), (options) => new q.TrackStream(options)]) {
    refuses(() => made({ within: 1, maxgap: 5 }), TypeError, /^options: "maxgap" is unknown; there are: within, vertical, lasting, gap, maxGap, maxSpeed, units$/);
    refuses(() => made(null), TypeError, /^options: an object is needed, not null$/);
  }
  refuses(() => q.encounters({ ...fixes, id: [1, null] }, { within: 1 }), TypeError, /^id\[1\]: .*not null/);
  refuses(() => q.encounters({ ...fixes, id: 7 }, { within: 1 }), TypeError, /array/);
  refuses(() => q.encounters(fixes, { within: 1, vertical: 1 }), TypeError, /^z: an array/);
  const stream = new q.TrackStream({ within: 1 });
  assert.deepEqual(stream.push("a", 5, 0, 0), []);
  refuses(() => stream.push("b", 4, 0, 0), RangeError, /4/);
  refuses(() => stream.push("b", 6, NaN, 0), RangeError, /NaN/);
  refuses(() => stream.push({}, 6, 0, 0), TypeError, /named by/);
  const told = [["c", 5], ["a", 6], ["c", 6]].flatMap(([id, t]) => stream.push(id, t, 0, 0));
  assert.deepEqual(told, [{ is: "begun", a: "a", b: "c", start: 5 }]);
  stream.free();
  refuses(() => stream.ongoing(), Error, /it has been freed/);
});

test("every call refuses what is no number, names argument and place, and has changed nothing", () => {
  checkList(TRACK_CALLS, q);
  const stream = new q.TrackStream({ within: 5, vertical: 3 });
  for (const t of [0, 1]) for (const id of ["a", "b"]) stream.push(id, t, 0, 0, 0);
  const [before, state] = [stream.ongoing(), () => stream.ongoing()];
  let refused = 0;
  for (const [call, spec] of Object.entries(TRACK_CALLS.TrackStream)) {
    refused += refuseAll((...args) => stream[call](...args), spec, () => assert.deepEqual(state(), before, call));
  }
  const columns = ["(t[] x[] y[] z[])", "{within lasting? gap? vertical? maxGap? maxSpeed?}"];
  const good = [{ id: ["a", "b"], t: [0, 0], x: [0, 1], y: [0, 1], z: [0, 1] }, { within: 5, vertical: 3 }];
  refused += refuseAll(q.encounters, [columns, good], () => {});
  assert.ok(refused > 200, `${refused}`);
  stream.free();
});
