// The declarations have every name that a file of the package exports, for `import` and for `require`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const dist = new URL("../dist", import.meta.url).pathname;
const compiler = new URL("../node_modules/typescript/bin/tsc", import.meta.url).pathname;
const { exports } = JSON.parse(readFileSync(join(dist, "package.json"), "utf8"));
const LIBRARY = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,esnext.disposable,dom", "--module", "nodenext"];

test("every exported name is declared", async () => {
  const room = mkdtempSync(join(tmpdir(), "quadrille-types-"));
  try {
    mkdirSync(join(room, "node_modules"));
    symlinkSync(dist, join(room, "node_modules/quadrille"));
    const require = createRequire(join(room, "main.cjs"));
    let named = 0;
    const uses = (module) => {
      const names = Object.keys(module).filter((name) => name !== "default" && name !== "module.exports");
      named += names.length;
      return names.map((name) => `m.${name};`).join("\n");
    };
    const files = [];
    for (const entry of Object.keys(exports)) {
      const name = join("quadrille", entry);
      const file = name.replaceAll("/", "-");
      writeFileSync(join(room, `${file}.cts`), `import m = require("${name}");\n${uses(require(name))}\n`);
      const path = join(dist, exports[entry].default.default);
      writeFileSync(join(room, `${file}.mts`), `import * as m from "${name}";\n${uses(await import(path))}\n`);
      files.push(`${file}.cts`, `${file}.mts`);
    }
    assert.ok(named > 40, `${named}`);
    execFileSync(process.execPath, [compiler, ...LIBRARY, ...files], { cwd: room, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    assert.fail(error.stdout || error);
  } finally {
    rmSync(room, { recursive: true });
  }
});
