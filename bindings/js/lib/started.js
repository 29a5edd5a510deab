// Modules that are started while a file is loaded, for code that cannot wait, such as `require` and bundles in one script.

import { inflateSync } from "fflate";
import { unpacked } from "./packed.js";

/** Starts a module, and returns the function that others call to wait for its classes. */
export function started(text, start, classes) {
  start(new WebAssembly.Module(inflateSync(unpacked(text))));
  const loaded = Promise.resolve(classes);
  return () => loaded;
}
