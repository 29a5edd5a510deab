// Run with little memory: calls that run out of it, and what their objects say from then on. Prints how many there were.

import { Frame as SmallFrame } from "../dist/frame.js";
import { load as loadPaths } from "../dist/paths.js";
import { load } from "../dist/quadrille.js";
import { load as loadTracks } from "../dist/tracks.js";

const [q, { encounters, TrackStream }] = [await loadPaths(), await loadTracks()];
const NO_MEMORY = /^(there is no memory|it ran out of memory: make another$)/;
const SIDE = 300;
const TURNS = 20;
let refused = 0;

/** Does something again and again, until that is refused for lack of memory, and then once more. */
function scarce(work) {
  for (let turn = 0, until = 100_000; turn < until; turn++) {
    try {
      work(turn);
    } catch (error) {
      if (!NO_MEMORY.test(error.message)) throw new Error(`${work} said`, { cause: error });
      if (until > turn + 2) [refused, until] = [refused + 1, turn + 2];
    }
  }
}

/** Boxes that all touch. */
function crowded(Frame, count) {
  const frame = new Frame(count);
  frame.update();
  return frame;
}

const small = new q.PathMap(new Uint8Array(25).fill(1), 5);
const agent = { walkable: [0, 1] };
const kept = [];
const many = Uint8Array.from({ length: SIDE * SIDE }, (_, at) => at % SIDE === 0 || at % 7 > 0 || (at >> 9) % 3 > 0);
const maps = Array.from({ length: 3 }, () => new q.PathMap(many, SIDE));
const terrain = new q.TerrainMap(many, SIDE, { classes: [] });
scarce(() => kept.push(new q.PathMap(many, SIDE)));
for (const map of maps) {
  scarce(() => kept.push(map.reach(0, 0, Infinity)));
  scarce(() => kept.push(new q.FlowField(map, [0, 0])));
  scarce(() => map.path(0, 0, SIDE - 1, SIDE - 1));
  scarce(() => map.width);
}
scarce(() => kept.push(new q.WeightedPaths(terrain, [1, 2], { agent })));
scarce(() => terrain.path(agent, 0, 0, SIDE - 1, SIDE - 1));
scarce(() => terrain.set(0, 0, 1));
for (const one of [...kept.splice(0), ...maps, terrain]) one.free();
for (const turn of [1, 2]) if (small.path(0, 0, 4, 4).length !== 10) throw new Error(`other maps are as they were, ${turn}`);
new q.PathMap(many, SIDE).free();

const fixes = 2_000_000;
const columns = { id: new Uint32Array(fixes), t: new Float64Array(fixes), x: new Float64Array(fixes), y: new Float64Array(fixes) };
scarce(() => encounters(columns, { within: 1 }));

// What has become unusable has given its memory back: another can be made, again and again.
for (let turn = 0; turn < TURNS; turn++) {
  const map = new q.PathMap(many, SIDE);
  scarce(() => kept.push(new q.FlowField(map, [0, 0])));
  for (const one of [map, ...kept.splice(0)]) one.free();
  const stream = new TrackStream({ within: 1 });
  let pushed = 0;
  scarce(() => stream.push(pushed++, 0, 0, 0));
  if (pushed < 300) throw new Error(`a stream of turn ${turn} took ${pushed} fixes`);
  const crowd = crowded(SmallFrame, 1300);
  scarce(() => crowd.events());
  const few = crowded(SmallFrame, 1000);
  few.events();
  for (const frame of [crowd, few]) frame.free();
}

// A crowd has more contacts than there is memory for: that is refused before anything is lost.
const crowd = crowded((await load()).Frame, 4000);
scarce(() => crowd.events());
if (crowd.search(0, 0).length !== 4000) throw new Error("a crowd is what it was");
console.log(refused);
