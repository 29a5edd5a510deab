// The declarations for `require`: compiled, not run.

import paths = require("../dist/paths-sync.cjs");
import quadrille = require("../dist/sync.cjs");

const frame: quadrille.Frame = new quadrille.Frame(1);
const map: paths.PathMap = new paths.PathMap([1, 1], 2);

export { frame, map };
