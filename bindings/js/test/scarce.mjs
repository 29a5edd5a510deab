// Run with little memory: calls that run out of it, and what their objects say from then on. Prints how many there were.

import { load as loadPaths } from "../dist/paths.js";
import { load as loadTracks } from "../dist/tracks.js";

const [q, { encounters, TrackStream }] = [await loadPaths(), await loadTracks()];
const NO_MEMORY = /^(there is no memory|it ran out of memory: make another$)/;
const SIDE = 300;
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
for (const one of [...kept, ...maps, terrain]) one.free();
for (const turn of [1, 2]) if (small.path(0, 0, 4, 4).length !== 10) throw new Error(`other maps are as they were, ${turn}`);
new q.PathMap(many, SIDE).free();

const fixes = 2_000_000;
const columns = { id: new Uint32Array(fixes), t: new Float64Array(fixes), x: new Float64Array(fixes), y: new Float64Array(fixes) };
scarce(() => encounters(columns, { within: 1 }));
const stream = new TrackStream({ within: 1 });
scarce((turn) => stream.push(turn, 0, 0, 0));
stream.free();
console.log(refused);
