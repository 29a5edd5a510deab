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
