/** Where JavaScript has no `using` yet, compilers look for this name. */
export const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");
