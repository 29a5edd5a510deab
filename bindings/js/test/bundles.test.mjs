// The package as others load it: by `require`, and bundled into one script in every format.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { buildSync } from "esbuild";

/** A project that has the package installed. */
const project = mkdtempSync(join(tmpdir(), "quadrille-"));
mkdirSync(join(project, "node_modules"));
cpSync(fileURLToPath(new URL("../dist", import.meta.url)), join(project, "node_modules/quadrille"), { recursive: true });
after(() => rmSync(project, { recursive: true }));
const required = createRequire(join(project, "program.cjs"));

const FOUND = "const index = new Index(); index.insert(1, 2); globalThis.found = index.search(0, 0, 3, 3);";

test("require gives the classes at once", async () => {
  const { Frame, Index, load } = required("quadrille");
  const index = new Index();
  index.insertMany([1, 2, 3, 4, 5, 5, 5, 5]);
  assert.deepEqual([...index.search(0, 0, 3, 3)], [0]);
  index.free();
  assert.equal((await load()).Index, Index);
  assert.equal(required("quadrille/sync").Frame, Frame);
  assert.ok(new (required("quadrille/float32").Frame)(1).boxes instanceof Float32Array);
});

test("require gives the classes for paths at once", async () => {
  const { PathMap, load } = required("quadrille/paths");
  assert.deepEqual([...new PathMap([1, 1, 1], 3).path(0, 0, 2, 0)], [0, 0, 1, 0, 2, 0]);
  assert.equal((await load()).PathMap, PathMap);
  assert.equal(required("quadrille/paths/sync").PathMap, PathMap);
  assert.equal(required("quadrille/tracks").encounters({ id: [1, 2], t: [0, 0], x: [0, 1], y: [0, 0] }, { within: 1 }).a[0], 1);
});

test("the small module starts at once, required or imported", async () => {
  const run = "const frame = new Frame(2); frame.update(); globalThis.found = frame.pairs();";
  for (const line of ['import { Frame } from "quadrille/frame";', 'const { Frame } = require("quadrille/frame");']) {
    for (const format of ["iife", "cjs"]) assert.deepEqual([...ran(`${line} ${run}`, format).found], [0, 1]);
  }
  assert.equal(new (required("quadrille/frame").Index)().insert(1, 2), 0);
  const [outfile, stdin] = [join(project, "small.mjs"), input(`import { Frame } from "quadrille/frame"; ${run}`)];
  buildSync({ stdin, outfile, bundle: true, format: "esm", logLevel: "silent" });
  await import(outfile);
  assert.deepEqual([...globalThis.found], [0, 1]);
});

test("bundles of modules wait for the module to start", async () => {
  const [outfile, stdin] = [join(project, "bundle.mjs"), input(`import { load } from "quadrille"; const { Index } = await load(); ${FOUND}`)];
  buildSync({ stdin, outfile, bundle: true, format: "esm", logLevel: "silent" });
  await import(outfile);
  assert.deepEqual([...globalThis.found], [0]);
});

for (const format of ["iife", "cjs"]) {
  test(`bundles in one script start at once: ${format}`, () => {
    for (const line of ['import { Index } from "quadrille/sync";', 'const { Index } = require("quadrille/float32");']) {
      assert.deepEqual([...ran(`${line} ${FOUND}`, format).found], [0]);
    }
  });
}

for (const format of ["iife", "cjs"]) {
  test(`bundles of paths in one script start at once: ${format}`, () => {
    const run = "globalThis.found = new PathMap([1, 1], 2).path(0, 0, 1, 0);";
    for (const line of ['import { PathMap } from "quadrille/paths/sync";', 'const { PathMap } = require("quadrille/paths");']) {
      assert.deepEqual([...ran(`${line} ${run}`, format).found], [0, 0, 1, 0]);
    }
  });
}

/** Bundles a program into one script, runs it and gives its globals. */
function ran(program, format) {
  const stdin = input(program);
  const [{ text }] = buildSync({ stdin, write: false, bundle: true, format, logLevel: "silent" }).outputFiles;
  const scope = { WebAssembly, TextDecoder, TextEncoder, FinalizationRegistry, atob, module: { exports: {} }, exports: {} };
  scope.globalThis = scope;
  runInNewContext(text, scope);
  return scope;
}

/** A program in the project. */
function input(contents) {
  writeFileSync(join(project, "package.json"), "{}");
  return { contents, resolveDir: project };
}
