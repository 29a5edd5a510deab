// What the types promise: compiled, not run.

import { load, type Frame, type Index } from "../dist/quadrille.js";
import Flatbush from "../dist/flatbush.js";
import RBush from "../dist/rbush.js";

const q = await load();

using frame: Frame = new q.Frame(10);
const boxes: Float32Array = frame.boxes;
boxes[0] = 1;
frame.update();
frame.update(3);
const ids: Uint32Array = frame.search(0, 0, 1, 1, 5);
const { starts } = frame.searchMany([0, 0, 1, 1]);
const { distances }: { distances: Float64Array } = frame.nearest(0, 0, 3);
const time: number | undefined = frame.cast(0, 0, 1, 0)?.time;
const began: Uint32Array = frame.events().began;
const wide: Float64Array = new q.Frame(1, { precision: "float64" }).boxes;

const index: Index = new q.Index();
const id: number = index.insert(1, 2);
index.moveMany([id], Float64Array.of(1, 2, 3, 4));
const numbers: Float64Array = index.get(id);

const flat = new Flatbush(3, 16, Float32Array);
const found: number[] = flat.search(0, 0, 1, 1, (item) => item > 1);
const tree = new RBush<{ minX: number; minY: number; maxX: number; maxY: number; name: string }>();
const name: string | undefined = tree.search({ minX: 0, minY: 0, maxX: 1, maxY: 1 })[0]?.name;
class Points extends RBush<[number, number]> {
  override toBBox([x, y]: [number, number]) {
    return { minX: x, minY: y, maxX: x, maxY: y };
  }
}
new Points().load([[1, 2]]);

// @ts-expect-error there is no such structure
new q.Index("octree");
// @ts-expect-error boxes are numbers
frame.searchMany("0011");
// @ts-expect-error it is not to be replaced
frame.boxes = boxes;
// @ts-expect-error answers have no names
tree.search({ minX: 0, minY: 0, maxX: 1, maxY: 1 })[0].title;

export { began, distances, found, ids, name, numbers, starts, time, wide };
