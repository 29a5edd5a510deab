// Arguments that are numbers: `null` and texts would become numbers on their way into a module.

/** Throws unless all values are numbers. The error names the first that is not; in `names`, "x, y" names two. */
export function given(names, ...values) {
  for (let at = 0; at < values.length; at++) {
    if (typeof values[at] !== "number") throw noNumber(names.split(", ")[at], values[at]);
  }
}

/** An object, if it has only properties of these names; "x, y" names two. */
export function known(options = {}, names, what = "options") {
  if (options === null || typeof options !== "object") throw new TypeError(`${what}: an object is needed, not ${shown(options)}`);
  const other = Object.keys(options).find((name) => !names.split(", ").includes(name));
  if (other !== undefined) throw new TypeError(`${what}: "${other}" is unknown; there are: ${names}`);
  return options;
}

const noNumber = (name, value) => new TypeError(`${name}: a number is needed, not ${shown(value)}`);

/** A value for an error: strings must not look like numbers. */
export function shown(value) {
  if (Array.isArray(value)) return "an array";
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return `the string ${JSON.stringify(value)}`;
    case "bigint":
      return `the bigint ${value}n`;
    case "object":
      return "an object";
    case "function":
      return "a function";
    default:
      return String(value);
  }
}

/** A refusal of a module, with its numbers as JavaScript writes them, not as Rust does. */
export const translated = (message) => message.replace(/-?\b(inf|\d+(\.\d+)?)\b/g, (number) => Number(number.replace("inf", "Infinity")));

/** An id that a box may have; beyond these numbers, modules would take it for another. */
export function checkedId(id, row = 0) {
  if (Number.isSafeInteger(id)) return id;
  given("id", id);
  throw new RangeError(`row ${row}: an id is a whole number below 2 ** 53, not ${id}`);
}

/** Ids as a module reads them. */
export const idsOf = (list) => numbers(list, "ids").map(checkedId);

export const ALL_LAYERS = 0xffffffff;

/** Layers as 32 bits. */
export function layer(bits, name = "layers") {
  given(name, bits);
  if (!(bits >>> 0 === bits)) throw new RangeError(`${name}: layers are 32 bits, 0 to 4294967295, not ${bits}`);
  return bits;
}

/** Layers of `count` boxes, as the module reads them: a number for all of them, or one each; all if none are given. */
export function layersOf(bits, count, name) {
  if (bits === undefined || typeof bits === "number") return Uint32Array.of(layer(bits ?? ALL_LAYERS, name));
  const list = numbers(bits, name);
  if (list.length !== count) throw new RangeError(`${name} has ${list.length} entries for ${count} boxes`);
  return Uint32Array.from(list, (bits, at) => layer(bits, `${name}[${at}]`));
}

/** Layers and mask of `count` boxes; `undefined` if neither is given. */
export function layersGiven(layers, mask, count) {
  if (layers === undefined && mask === undefined) return undefined;
  return [layersOf(layers, count, "layers"), layersOf(mask, count, "mask")];
}

/** Throws unless it is an array that still has its memory. */
export function present(list, name, what = "an array of numbers, typed or not,") {
  if (!Array.isArray(list) && !(ArrayBuffer.isView(list) && "length" in list)) {
    throw new TypeError(`${name}: ${what} is needed, not ${shown(list)}`);
  }
  if (list.length === 0 && isGone(list)) {
    throw new TypeError(
      `${name}: the memory of this array is gone: transferred away, or reused by later answers; slice() makes a copy that stays`,
    );
  }
}

/** Whether an array has lost its memory: a buffer that is detached, or has become too small. Its methods throw then. */
function isGone(list) {
  try {
    list.keys();
    return false;
  } catch {
    return true;
  }
}

/** Throws unless it is an array of numbers. In a typed one, all are if the first is: in those of bigints, none is. */
export function checkNumbers(list, name) {
  present(list, name);
  const until = Array.isArray(list) ? list.length : Math.min(list.length, 1);
  for (let at = 0; at < until; at++) {
    if (typeof list[at] !== "number") throw noNumber(`${name}[${at}]`, list[at]);
  }
}

/** Numbers as a module reads them: a copy, because they may be a view of its memory, which may grow. */
export function numbers(list, name) {
  checkNumbers(list, name);
  return new Float64Array(list);
}
