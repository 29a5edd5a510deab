// The README's first example does what its comments say.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Frame } from "../dist/frame.js";
import { load as loadPaths } from "../dist/paths.js";
import { load } from "../dist/quadrille.js";
import { load as loadTracks } from "../dist/tracks.js";

test("the README's example gives what it says", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = readme.match(/```js\nimport \{ Frame \} from "quadrille\/frame";\n(.*?)```/s);
  const spied = code
    .replace("frame.pairs();", "seen.push([...frame.pairs()]);")
    .replace("frame.search(2, 2, 8, 8);", "seen.push([...frame.search(2, 2, 8, 8)].sort());")
    .replace("frame.nearest(9, 9, 2).ids;", "seen.push([...frame.nearest(9, 9, 2).ids]);")
    .replace("frame.free();", "seen.push([...began], [...ended]); frame.free();");
  const seen = [];
  const run = new Function("Frame", "seen", spied);
  run(Frame, seen);
  assert.deepEqual(seen, [[0, 1], [0, 1, 2], [2, 1], [0, 1], []]);
});

test("the README's example of paths gives what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = readme.match(/```js\nimport \{ load \} from "quadrille\/paths";\n(.*?)```/s);
  const seen = [];
  // What a line of its own gives.
  const spied = code.replace(/^((?:map|field|watch)\.(?!fill|set).*?);/gm, "seen.push($1);");
  const Run = Object.getPrototypeOf(async () => {}).constructor;
  await new Run("load", "seen", spied)(loadPaths, seen);
  const [path, ...rest] = seen;
  assert.deepEqual([path[0], path[1], path.at(-2), path.at(-1)], [18, 2, 22, 2]);
  assert.deepEqual(rest, [6 + 2 * Math.SQRT2, [1, 0], [19, 5], true]);
});

test("the README's example of tracks runs", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = readme.match(/```js\nimport \{ load \} from "quadrille\/tracks";\n(.*?)```/s);
  const Run = Object.getPrototypeOf(async () => {}).constructor;
  const spied = code.replace("encounters(fixes, { within: 50 });", "seen.push(encounters(fixes, { within: 50 }));");
  const seen = [];
  await new Run("load", "seen", spied)(loadTracks, seen);
  assert.deepEqual([seen[0].a, seen[0].b, ...seen[0].start, ...seen[0].end], [["ada"], ["bob"], 5.25, 9.25]);
});

test("the README's message is the one that is thrown", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, message] = readme.match(/`(row 1: the box is inverted: [^`]*)`/);
  const q = await load();
  const frame = new q.Frame(2);
  frame.boxes.set([0, 0, 1, 1, 5, 0, 2, 1]);
  assert.throws(() => frame.update(), { name: "RangeError", message });
  frame.free();
});

test("the README's sizes are those of the package, to a twentieth", () => {
  const read = (file) => readFileSync(new URL(file, import.meta.url));
  const said = [...read("../README.md").toString().matchAll(/(\d+) KB gzipped, (\d+) KB uncompressed/g)];
  for (const [place, file] of ["frame.js", "paths.js", "tracks.js", "quadrille.js", "float32.js"].entries()) {
    const module = read(`../dist/${file}`);
    for (const [index, bytes] of [gzipSync(module, { level: 9 }).length, module.length].entries()) {
      const stated = said[place][index + 1];
      assert.ok(Math.abs(stated * 1000 - bytes) < bytes / 20, `${file}: ${stated} KB for ${bytes} bytes`);
    }
  }
});
