// The small module, with the calls that the large one has. It says only that it refuses: what is wrong is found here.

import { inflateSync } from "fflate";
import text from "made/small/packed";
import { unpacked } from "../packed.js";
import { NONE, boxFault, boxesFault, idFault, pointFault, twiceFault } from "./faults.js";

export { Boxes } from "../boxes.js";

/** What boxes are made of. */
export const Numbers = Float32Array;

/** The column that is looked at here: the room for boxes. */
const ROOM = 8;

let wasm;

const bytes = () => inflateSync(unpacked(text));
const begun = (module) => new WebAssembly.Instance(module).exports;

/** Starts the module on this thread, when the first boxes are made. */
function started() {
  try {
    wasm ??= begun(new WebAssembly.Module(bytes()));
  } catch (cause) {
    throw new Error("the module cannot be compiled at once here: await load() first", { cause });
  }
  return wasm;
}

/** Starts the module while this thread goes on. */
export async function start() {
  const module = await WebAssembly.compile(bytes());
  wasm ??= begun(module);
}

/** The memory that answers are looked at in. It is another buffer after it has grown. */
export const memory = () => wasm.memory.buffer;

/** Gives the memory of desks back that nothing refers to any more. */
const lost = new FinalizationRegistry((desk) => wasm.desk_free(desk));

/** What the module takes: an id that may be in use, and layers, if any are given. */
const idOf = (id) => (id >>> 0 === id ? id : NONE);
const seen = (layers) => layers ?? -1;

export class Core {
  #desk = started().desk_new();
  #told;

  constructor() {
    lost.register(this, this.#desk, this);
  }

  free() {
    lost.unregister(this);
    wasm.desk_free(this.#desk);
  }

  /** Why the last call has returned less than 0. */
  refusal() {
    return this.#told;
  }

  #refuse(told) {
    this.#told = told;
    return -1;
  }

  /** What a call has returned, or else why it was refused: because of an id or a box. */
  #done(count, id, box) {
    if (count >= 0) return count;
    const isNone = id !== undefined && wasm.desk_get(this.#desk, idOf(id)) < 0;
    return this.#refuse(isNone ? idFault(id, 0, wasm.desk_slots(this.#desk)) : boxFault(box.map(Math.fround)));
  }

  room_for(boxes) {
    const place = wasm.desk_room_for(this.#desk, boxes) >>> 0;
    if (place === 0) this.#refuse(`there is no memory for ${boxes} boxes`);
    return place;
  }

  column(column) {
    return wasm.desk_column(this.#desk, column) >>> 0;
  }

  filled(column) {
    return wasm.desk_filled(this.#desk, column) >>> 0;
  }

  #view(Type, column) {
    return new Type(memory(), this.column(column), this.filled(column));
  }

  size() {
    return wasm.desk_len(this.#desk);
  }

  #fromRoom(count) {
    return count < 0 ? this.#refuse(boxesFault(this.#view(Float32Array, ROOM))) : count;
  }

  update() {
    return this.#fromRoom(wasm.desk_update(this.#desk));
  }

  insert() {
    return this.#fromRoom(wasm.desk_insert(this.#desk));
  }

  insert_one(...box) {
    return this.#done(wasm.desk_insert_one(this.#desk, ...box), undefined, box);
  }

  set_one(id, ...box) {
    return this.#done(wasm.desk_set_one(this.#desk, idOf(id), ...box), id, box);
  }

  remove_one(id) {
    return this.#done(wasm.desk_remove_one(this.#desk, idOf(id)), id);
  }

  get(id) {
    return this.#done(wasm.desk_get(this.#desk, idOf(id)), id);
  }

  layers(id) {
    return this.#done(wasm.desk_layers(this.#desk, idOf(id)), id);
  }

  /** Changes boxes one by one, if all of them are in use and different. */
  #each(ids, change) {
    const row = ids.findIndex((id) => wasm.desk_get(this.#desk, idOf(id)) < 0);
    if (row >= 0) return this.#refuse(idFault(ids[row], row, wasm.desk_slots(this.#desk)));
    const twice = twiceFault(ids);
    if (twice) return this.#refuse(twice);
    ids.forEach(change);
    return ids.length;
  }

  set(ids) {
    const boxes = this.#view(Float32Array, ROOM).slice();
    if (4 * ids.length !== boxes.length) {
      return this.#refuse(`there are ${ids.length} ids and ${boxes.length / 4} boxes`);
    }
    const told = boxesFault(boxes);
    if (told) return this.#refuse(told);
    return this.#each(ids, (id, row) => wasm.desk_set_one(this.#desk, id, ...boxes.subarray(4 * row, 4 * row + 4)));
  }

  remove(ids) {
    return this.#each(ids, (id) => wasm.desk_remove_one(this.#desk, id));
  }

  /** Layers come one for each box, or one for all. */
  #giving(own, mask) {
    return (id, at) => wasm.desk_set_layers(this.#desk, id, own[at % own.length], mask[at % mask.length]);
  }

  set_layers(ids, own, mask) {
    return this.#each(ids, this.#giving(own, mask));
  }

  set_all_layers(own, mask) {
    const count = this.ids();
    this.#view(Uint32Array, 0).slice().forEach(this.#giving(own, mask));
    return count;
  }

  ids() {
    return wasm.desk_ids(this.#desk);
  }

  maintain() {
    wasm.desk_maintain(this.#desk);
  }

  #pairs(count) {
    return count < 0 ? this.#refuse("there is no memory for all pairs") : count;
  }

  pairs() {
    return this.#pairs(wasm.desk_pairs(this.#desk));
  }

  events() {
    return this.#pairs(wasm.desk_events(this.#desk));
  }

  search(x0, y0, x1, y1, most, layers) {
    // Rounded, as the module rounds it, it may be a box.
    const told = x0 <= x1 && y0 <= y1 ? undefined : boxFault([x0, y0, x1, y1].map(Math.fround), 0, true);
    if (told) return this.#refuse(told);
    return wasm.desk_search(this.#desk, x0, y0, x1, y1, most, seen(layers));
  }

  nearest(x, y, most, distance, layers) {
    const told = pointFault(Math.fround(x), Math.fround(y));
    if (told) return this.#refuse(told);
    if (!(most >= 1)) return this.#refuse(`k is at least 1, not ${most}`);
    if (!(distance >= 0)) return this.#refuse(`a distance is zero or more, not ${distance}`);
    return wasm.desk_nearest(this.#desk, x, y, Math.min(most, NONE), distance, seen(layers));
  }
}
