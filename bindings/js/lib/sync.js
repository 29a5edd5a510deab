// The same classes, started while this file is loaded, for code that cannot wait, such as `require` and bundles in one
// script.

import { inflateSync } from "fflate";
import text from "made/boxes/packed";
import { Frame } from "./frame.js";
import { Index } from "./single.js";
import { begin } from "./module.js";
import { unpacked } from "./packed.js";

begin(new WebAssembly.Module(inflateSync(unpacked(text))));

const loaded = Promise.resolve(Object.freeze({ Frame, Index }));

/** As in `quadrille.js`. */
export const load = () => loaded;

export { Frame, Index };
