// The README's first example does what its comments say.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { load } from "../dist/quadrille.js";

test("the README's example gives what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = readme.match(/```js\nimport \{ load \} from "quadrille";\n(.*?)```/s);
  const spied = code
    .replace("frame.pairs();", "seen.push([...frame.pairs()]);")
    .replace("frame.search(2, 2, 8, 8);", "seen.push([...frame.search(2, 2, 8, 8)].sort());")
    .replace("frame.nearest(9, 9, 2).ids;", "seen.push([...frame.nearest(9, 9, 2).ids]);")
    .replace("frame.free();", "seen.push([...began], [...ended]); frame.free();");
  const seen = [];
  const Run = Object.getPrototypeOf(async () => {}).constructor;
  await new Run("load", "seen", spied)(load, seen);
  assert.deepEqual(seen, [[0, 1], [0, 1, 2], [2, 1], [0, 1], []]);
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
  const [, ...said] = read("../README.md").toString().match(/(\d+) KB gzipped, (\d+) KB uncompressed/);
  const module = read("../dist/quadrille.js");
  for (const [index, bytes] of [gzipSync(module, { level: 9 }).length, module.length].entries()) {
    assert.ok(Math.abs(said[index] * 1000 - bytes) < bytes / 20, `${said[index]} KB for ${bytes} bytes`);
  }
});
