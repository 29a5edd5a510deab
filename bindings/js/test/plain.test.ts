// The declarations in a browser project of 2020, which knows no `Symbol.dispose`: compiled, not run.

import { load, type Boxes, type Frame, type Index } from "../dist/quadrille.js";
import * as exported from "../dist/quadrille.js";
import { Frame as Ready } from "../dist/sync.js";
import { Frame as Small } from "../dist/frame.js";
import * as paths from "../dist/paths.js";

export async function use(): Promise<Uint32Array> {
  const q = await load();
  const frame: Frame = new q.Frame(3);
  const index: Index = new q.Index();
  for (const used of [frame, index]) used.free();
  const either: Boxes<Float64Array> = frame;
  const ready: Frame = new Ready(3);
  new Small(3).free();
  const map: paths.PathMap = new (await paths.load()).PathMap([1], 1);
  map.free();
  return ready.length > 3 ? either.pairs() : index.ids();
}

// @ts-expect-error the module does not export the classes: `load` gives them
exported.Frame;
// @ts-expect-error nor can they be made of their types
new exported.Index();
// @ts-expect-error nor those for paths
new paths.PathMap([1], 1);
