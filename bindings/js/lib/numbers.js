// Arguments that are numbers.

/**
 * Throws if one is given and is no number: `null` and texts would become numbers on their way into the module. What is
 * not given becomes NaN, which the module refuses.
 */
export function given(a = NaN, b = NaN, c = NaN, d = NaN, e = NaN) {
  const are = typeof a === "number" && typeof b === "number" && typeof c === "number" && typeof d === "number";
  if (!are || typeof e !== "number") {
    const wrong = [a, b, c, d, e].find((one) => typeof one !== "number");
    throw new TypeError(`a number is needed, not ${wrong === null ? "null" : `a ${typeof wrong}: ${String(wrong)}`}`);
  }
}

/** 32 bits that name layers. */
export function layer(bits) {
  if (typeof bits !== "number") throw new TypeError(`layers are a number, not ${String(bits)}`);
  if (!(bits >>> 0 === bits)) throw new RangeError(`layers are 32 bits, 0 to 4294967295, not ${bits}`);
  return bits;
}

/** Layers of `count` boxes, as the module reads them: a number for all of them, or one each; all if none are given. */
export function layersOf(bits, count, name) {
  if (bits === undefined || typeof bits === "number") return Uint32Array.of(layer(bits ?? 0xffffffff));
  const list = numbers(bits, name);
  if (list.length !== count) throw new RangeError(`${name} has ${list.length} entries for ${count} boxes`);
  list.forEach(layer);
  return Uint32Array.from(list);
}

/** Layers and mask of `count` boxes; `undefined` if neither is given. */
export function layersGiven(layers, mask, count) {
  if (layers === undefined && mask === undefined) return undefined;
  return [layersOf(layers, count, "layers"), layersOf(mask, count, "mask")];
}

/** Numbers as a module reads them; a copy, for they may be a view of its memory, which may grow. */
export function numbers(list, name) {
  if (!Array.isArray(list) && !(ArrayBuffer.isView(list) && "length" in list)) {
    throw new TypeError(`${name} are an array of numbers, typed or not`);
  }
  if (Array.isArray(list)) {
    const row = list.findIndex((one) => typeof one !== "number");
    if (row >= 0) throw new TypeError(`${name}: a number is needed, not ${String(list[row])}`);
  }
  return Float64Array.from(list);
}
