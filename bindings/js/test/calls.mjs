// Every call of the package, read from its classes: a call that is missing here fails the tests that use this list.

import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";

/**
 * Methods with their arguments, and what may be given for these. An argument is a number, a list of numbers (`[]`), one
 * or the other (`|`), or of another kind, which has tests of its own (`:`); with `?` it may be left out. Options are in
 * braces, columns in parentheses.
 */
const QUERIES = {
  search: [["x0", "y0", "x1?", "y1?", "limit?", "layers?"], [0, 0, 9, 9, 5, 1]],
  collides: [["x0", "y0", "x1?", "y1?", "layers?"], [0, 0, 9, 9, 1]],
  searchMany: [["boxes[]", "layers?"], [[0, 0, 1, 1, 2, 2, 3, 3], 1]],
  within: [["x", "y", "distance", "layers?"], [0, 0, 2, 1]],
  nearest: [["x", "y", "k?", "maxDistance?", "layers?"], [0, 0, 2, 9, 1]],
  cast: [["x", "y", "dx", "dy", "maxTime?", "layers?"], [0, 0, 1, 1, 9, 1]],
  setLayers: [["ids[]", "layers|?", "mask|?"], [[0, 1], [1, 2], [3, 4]]],
  layers: [["id"], [0]],
  pairs: [[], []],
  pairsWith: [[":"], [undefined]],
  events: [[], []],
  nodes: [[], []],
  free: [[], []],
};

export const CALLS = {
  Frame: { ...QUERIES, resize: [["n"], [3]], update: [["count?", "layers|?", "mask|?"], [3, [1, 2, 3], 7]] },
  Index: {
    ...QUERIES,
    insert: [["x0", "y0", "x1?", "y1?", "layers?", "mask?"], [0, 0, 1, 1, 1, 1]],
    move: [["id", "x0", "y0", "x1?", "y1?"], [0, 0, 0, 1, 1]],
    remove: [["id"], [0]],
    insertMany: [["boxes[]", "layers|?", "mask|?"], [[0, 0, 1, 1, 2, 2, 3, 3], [1, 2], 7]],
    moveMany: [["ids[]", "boxes[]"], [[0, 1], [0, 0, 1, 1, 2, 2, 3, 3]]],
    removeMany: [["ids[]"], [[0, 1]]],
    update: [["boxes[]", "layers|?", "mask|?"], [[0, 0, 1, 1, 2, 2, 3, 3], 1, [1, 2]]],
    has: [["id"], [0]],
    get: [["id"], [0]],
    ids: [[], []],
    maintain: [[], []],
  },
};

/** Those of the small module. */
const LARGE_ONLY = ["searchMany", "within", "cast", "pairsWith", "nodes"];
const small = (calls) => Object.fromEntries(Object.entries(calls).filter(([name]) => !LARGE_ONLY.includes(name)));
export const SMALL_CALLS = { Frame: small(CALLS.Frame), Index: small(CALLS.Index) };

const CELLS = {
  set: [["x", "y", ":"], [0, 0, undefined]],
  setMany: [["cells[]", ":"], [[0, 0, 1, 1], undefined]],
  fill: [["x", "y", "width", "height", ":"], [0, 0, 1, 1, undefined]],
  edit: [["x", "y", "width", ":"], [0, 0, 1, [1]]],
  cells: [[], []],
  free: [[], []],
};
const ENDS = ["x0", "y0", "x1", "y1"];

export const PATH_CALLS = {
  PathMap: {
    ...CELLS,
    maintain: [[], []],
    addLandmarks: [["count"], [1]],
    path: [[...ENDS, "{within? corners?}"], [0, 0, 2, 2, { within: 9, corners: 9 }]],
    pathMany: [["ends[]", "{}"], [[0, 0, 2, 2], { partial: true }]],
    waypoints: [ENDS, [0, 0, 2, 2]],
    distance: [ENDS, [0, 0, 2, 2]],
    isReachable: [ENDS, [0, 0, 2, 2]],
    nearest: [["x", "y", "goals[]"], [0, 0, [2, 2, 1, 1]]],
    linkedPath: [[...ENDS, "links[]"], [0, 0, 2, 2, [0, 0, 1, 1, 1]]],
    nearestLinked: [["x", "y", "goals[]", "links[]"], [0, 0, [2, 2, 1, 1], [0, 0, 1, 1, 1]]],
    firstWall: [ENDS, [0, 0, 2, 2]],
    freePlaces: [["x", "y", "count", "{apart? connectedTo[]?}"], [0, 0, 3, { apart: 2, connectedTo: [1, 1] }]],
    detour: [["cells of a path[]", "obstacles[]", "{radius?}"], [[0, 0, 1, 1, 2, 2], [1, 1], { radius: 2 }]],
    tautPath: [ENDS, [0, 0, 2, 2]],
    wouldClose: [["x", "y", "width", "height", "from[]", "toX", "toY"], [0, 0, 1, 1, [0, 0], 2, 2]],
    nearestFree: [["x", "y", "{connectedTo[]?}"], [0, 0, { connectedTo: [1, 1] }]],
    smooth: [["cells of a path[]"], [[0, 0, 1, 1]]],
    reach: [["x", "y", "budget", "{rect[]? weights[]?}"], [0, 0, 3, { rect: [0, 0, 2, 2] }]],
    beginReach: [["x", "y", "budget", "{rect[]? weights[]?}"], [0, 0, 3, { rect: [0, 0, 2, 2] }]],
  },
  FlowField: {
    repair: [[":"], [undefined]],
    length: [["x", "y"], [0, 0]],
    lengths: [[], []],
    directions: [[], []],
    next: [["x", "y"], [0, 0]],
    nextMany: [["cells[]"], [[0, 0, 1, 1]]],
    link: [["x", "y"], [0, 0]],
    path: [["x", "y"], [0, 0]],
    free: [[], []],
  },
  PathQueue: {
    push: [[...ENDS, "priority?"], [0, 0, 2, 2, 1]],
    cancel: [["ticket"], [0]],
    run: [[":", "budget"], [undefined, 9]],
    runFor: [[":", "milliseconds"], [undefined, 9]],
    free: [[], []],
  },
  PathWatch: {
    check: [[":"], [undefined]],
    shorter: [[":", "x", "y"], [undefined, 0, 0]],
    free: [[], []],
  },
  TerrainMap: {
    ...CELLS,
    addClass: [[":"], [undefined]],
    wouldClose: [[":", "x", "y", "width", "height", "a kind", "from[]", "toX", "toY"], [undefined, 0, 0, 1, 1, 1, [0, 0], 2, 2]],
    path: [[":", ...ENDS, "{weights[]?}"], [undefined, 0, 0, 2, 2, { weights: [1, 2] }]],
    paths: [[":"], [undefined]],
  },
  WeightedPaths: {
    path: [ENDS, [0, 0, 2, 2]],
    linkedPath: [[...ENDS, "links[]"], [0, 0, 2, 2, []]],
    free: [[], []],
  },
};

export const TRACK_CALLS = {
  TrackStream: { push: [[":", "t", "x", "y", "z?"], ["a", 0, 0, 0, 0]], ongoing: [[], []], free: [[], []] },
};

/** Fails unless the list has every method of every class, and no other. */
export function checkList(calls, classes) {
  const names = Object.keys(classes).filter((name) => /^[A-Z]/.test(name));
  assert.deepEqual(Object.keys(calls).sort(), names.sort());
  for (const name of names) assert.deepEqual(Object.keys(calls[name]).sort(), methodsOf(classes[name]).sort(), name);
}

function methodsOf(Class) {
  const names = new Set();
  for (let proto = Class.prototype; proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    for (const name of Object.getOwnPropertyNames(proto)) {
      const { value } = Object.getOwnPropertyDescriptor(proto, name);
      if (typeof value === "function" && name !== "constructor") names.add(name);
    }
  }
  return [...names];
}

const WRONG = [null, "1", "", true, [1], [], {}, 1n, Symbol("x"), () => 1, new Date(0)];
const NO_LISTS = [null, "0011", true, {}, 1n, new ArrayBuffer(16), new DataView(new ArrayBuffer(16)), new Map()];
/** Of another window or context. */
const FOREIGN = runInNewContext("new BigInt64Array(4)");

/**
 * Calls a method with every argument replaced by what is none, and every entry of every list; each must be refused with
 * a `TypeError` that begins with the argument's name, and the place in the list.
 */
export function refuseAll(call, [names, args], checkSame) {
  let refused = 0;
  const refuses = (wrong, start) => {
    assert.throws(() => call(...wrong), (error) => {
      assert.ok(error instanceof TypeError, `${start} ${error}`);
      assert.ok(error.message.startsWith(`${start}: `), `${start}: ${error}`);
      return true;
    });
    refused++;
    checkSame();
  };
  const check = (name, good, put) => {
    const [, bare, kind, optional] = /^(.*?)(\[\]|\||)(\??)$/.exec(name);
    if (kind !== "[]") for (const wrong of WRONG) if (kind === "" || !Array.isArray(wrong)) refuses(put(wrong), bare);
    if (kind === "" && optional === "") refuses(put(undefined), bare);
    if (kind === "") return;
    for (const wrong of NO_LISTS) refuses(put(wrong), bare);
    if (kind === "[]") refuses(put(7), bare);
    for (const array of [gone(), shrunk()]) refuses(put(array), bare);
    for (const array of [new BigInt64Array(4), FOREIGN]) refuses(put(array), `${bare}[0]`);
    if (!Array.isArray(good)) return;
    for (let at = 0; at < good.length; at++) {
      for (const wrong of [...WRONG, undefined]) refuses(put(good.toSpliced(at, 1, wrong)), `${bare}[${at}]`);
      const holed = [...good];
      delete holed[at];
      refuses(put(holed), `${bare}[${at}]`);
    }
  };
  names.forEach((name, at) => {
    const replaced = (value) => args.toSpliced(at, 1, value);
    if (name === ":") return;
    if (!/^[{(]/.test(name)) return check(name, args[at], replaced);
    if (name.startsWith("{")) for (const wrong of [...NO_LISTS.slice(0, 3), 7, { ...args[at], nothing: 1 }]) refuses(replaced(wrong), "options");
    for (const option of name.slice(1, -1).split(" ").filter(Boolean)) {
      const bare = option.replace(/\W+$/, "");
      check(option, args[at][bare], (value) => replaced({ ...args[at], [bare]: value }));
    }
  });
  return refused;
}

/** An array that reaches beyond the end of its memory. */
function shrunk() {
  const buffer = new ArrayBuffer(64, { maxByteLength: 64 });
  const array = new Float64Array(buffer, 0, 8);
  buffer.resize(32);
  return array;
}

/** An array whose memory has been transferred away. */
function gone() {
  const array = new Float64Array(8);
  structuredClone(array, { transfer: [array.buffer] });
  return array;
}
