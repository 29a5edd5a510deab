// The declarations for `require`: compiled, not run.

import EasyStar = require("../dist/easystar.cjs");
import Flatbush = require("../dist/flatbush.cjs");
import paths = require("../dist/paths-sync.cjs");
import quadrille = require("../dist/sync.cjs");
import RBush = require("../dist/rbush.cjs");

const found: number[] = new Flatbush(1).search(0, 0, 1, 1);
const frame: quadrille.Frame = new quadrille.Frame(1);
class Points extends RBush<[number, number]> {}
const map: paths.PathMap = new paths.PathMap([1, 1], 2);

new EasyStar.js().calculate();

export { Points, found, frame, map };
