/** Where JavaScript has no `using` yet, compilers look for this name. */
export const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/**
 * Frees an object of a module with which a call was stopped because memory ran out. That call holds it as well and never ends: the first
 * `free` lets go for JavaScript only, and throws.
 */
export function freeLost(core) {
  const place = core.__wbg_ptr;
  try {
    core.free();
  } catch (error) {
    // Stopped as well, in the middle of it.
    if (error instanceof WebAssembly.RuntimeError) return;
    core.__wbg_ptr = place;
    core.free();
  }
}
