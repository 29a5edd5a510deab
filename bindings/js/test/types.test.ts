// What the types promise: compiled, not run.

import { load as load32 } from "../dist/float32.js";
import { load, type Frame, type Index } from "../dist/quadrille.js";
import { Frame as SmallFrame, Index as SmallIndex } from "../dist/frame.js";
import { load as loadPaths, type FlowField, type PathMap } from "../dist/paths.js";
import { load as loadTracks } from "../dist/tracks.js";
import { PathQueue } from "../dist/paths-sync.js";

const q = await load();

using frame: Frame = new q.Frame(10);
const boxes: Float64Array = frame.boxes;
boxes[0] = 1;
frame.update();
frame.update(3);
const ids: Uint32Array = frame.search(0, 0, 1, 1, 5);
const { starts } = frame.searchMany([0, 0, 1, 1]);
const { distances }: { distances: Float64Array } = frame.nearest(0, 0, 3);
const time: number | undefined = frame.cast(0, 0, 1, 0)?.time;
const began: Uint32Array = frame.events().began;
const narrow: Float32Array = new (await load32()).Frame(1).boxes;

const index: Index = new q.Index();
const id: number = index.insert(1, 2);
index.moveMany([id], Float64Array.of(1, 2, 3, 4));
const numbers: Float64Array = index.get(id);

using smallFrame: SmallFrame = new SmallFrame(10);
const smallBoxes: Float32Array = smallFrame.boxes;
const smallId: number = new SmallIndex().insert(1, 2);
// @ts-expect-error that is in the large module
smallFrame.cast(0, 0, 1, 1);
// @ts-expect-error boxes of two modules do not meet
frame.pairsWith(new (await load32()).Index());

const p = await loadPaths();
using map: PathMap = new p.PathMap(new Uint8Array(9), 3, { rule: "octile-cutting" });
const path: Int32Array | null = map.path(0, 0, 2, 2, { within: 5 });
const cells: Int32Array = map.pathMany([0, 0, 2, 2]).cells;
using field: FlowField = new p.FlowField(map, [2, 2], { starts: [3] });
const lengths: Float32Array = field.lengths();
const next: number | undefined = field.next(0, 0)?.[0];
const answered: number | undefined = new PathQueue().runFor(map, 2)[0]?.ticket;
const agent = { size: 2, walkable: [0, 1] };
const tank: PathMap = new p.TerrainMap(new Uint8Array(9), 3, { classes: [agent] }).paths(agent);
const cost: number | undefined = new p.WeightedPaths(tank, [1, 4]).path(0, 0, 2, 2)?.cost;
const terrain = new p.TerrainMap(new Uint8Array(9), 3, { classes: [] });
const repaired: boolean = new p.FlowField(terrain, [2, 2], { agent, weights: [1, 4] }).repair(terrain);
const linked: number | undefined = new p.WeightedPaths(terrain, [1], { agent }).linkedPath(0, 0, 2, 2, [])?.cost;

// @ts-expect-error there is no such rule
new p.PathMap(new Uint8Array(9), 3, { rule: "king" });
// @ts-expect-error a cell is free or not
map.set(0, 0, 1);
// @ts-expect-error terrain alone does not say for whom
new p.WeightedPaths(terrain, [1]);
// @ts-expect-error terrain is made for classes of agents
new p.TerrainMap(new Uint8Array(9), 3);

// @ts-expect-error there is no such structure
new q.Index("octree");
// @ts-expect-error boxes are numbers
frame.searchMany("0011");
// @ts-expect-error ids are an array, typed or not
index.removeMany({ length: 1, 0: id });
index.removeMany(Uint8Array.of(1));
// @ts-expect-error it is not to be replaced
frame.boxes = boxes;

const tracks = await loadTracks();
const met: string[] = tracks.encounters({ id: ["a", "b"], t: [0, 0], x: [0, 1], y: [0, 0] }, { within: 2 }).a;
using stream = new tracks.TrackStream({ within: 2, units: "degrees" });
// @ts-expect-error names are an array
tracks.encounters({ id: "ab", t: [0, 0], x: [0, 1], y: [0, 0] }, { within: 2 });
const ships: number[] = tracks.encounters({ id: Int32Array.of(1, 2), t: [0, 0], x: [0, 1], y: [0, 0] }, { within: 2 }).a;
const events = stream.push("a", 0, 0, 0).filter((event) => event.is === "known").map(({ end }) => end);
// @ts-expect-error a distance is needed
new tracks.TrackStream({});

export { answered, began, cells, cost, distances, events, ids, lengths, linked, met, narrow, next, numbers, path, repaired, ships, smallBoxes, smallId, starts, time };
