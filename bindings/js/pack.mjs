// Makes the package from the output of wasm-bindgen: node pack.mjs MADE DIST

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const [made, dist] = process.argv.slice(2).map((folder) => resolve(folder));
const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
/** The most bytes that a page may have to load, compressed as servers do. */
const MAX_BYTES = { "frame.js": 27_000, "quadrille.js": 128_000, "float32.js": 139_000, "paths.js": 194_000, "tracks.js": 117_000 };

mkdirSync(dist, { recursive: true });
// Compressed before they become text, so that they are small on disk, too; servers compress the text to about the same
// size.
for (const module of ["float64", "float32", "small", "paths", "tracks"]) {
  const packed = deflateRawSync(readFileSync(join(made, module, "module_bg.wasm")), { level: 9 });
  writeFileSync(join(made, module, "packed.js"), `export default "${packed.toString("base64")}";\n`);
}

const INFLATES = " With fflate, (c) 2023 Arjun Barrett, MIT.";
for (const [entry, outfile, format, notice] of [
  ["lib/quadrille.js", "quadrille.js", "esm"],
  ["lib/sync.js", "sync.js", "esm", INFLATES],
  ["lib/sync.js", "sync.cjs", "cjs", INFLATES],
  ["lib/quadrille.js", "float32.js", "esm"],
  ["lib/sync.js", "float32-sync.js", "esm", INFLATES],
  ["lib/sync.js", "float32-sync.cjs", "cjs", INFLATES],
  ["lib/small/frame.js", "frame.js", "esm", INFLATES],
  ["lib/small/frame.js", "frame.cjs", "cjs", INFLATES],
  ["lib/paths/paths.js", "paths.js", "esm"],
  ["lib/paths/sync.js", "paths-sync.js", "esm", INFLATES],
  ["lib/paths/sync.js", "paths-sync.cjs", "cjs", INFLATES],
  ["lib/tracks/tracks.js", "tracks.js", "esm"],
  ["lib/tracks/sync.js", "tracks-sync.js", "esm", INFLATES],
  ["lib/tracks/sync.js", "tracks-sync.cjs", "cjs", INFLATES],
]) {
  const precision = outfile.startsWith("float32") ? "float32" : "float64";
  buildSync({
    entryPoints: [join(here, entry)],
    outfile: join(dist, outfile),
    bundle: true,
    format,
    target: "es2022",
    // Names are kept: messages of the engine name classes, and stack traces functions.
    minifyWhitespace: true,
    minifySyntax: true,
    // Classes of boxes are the same for three modules.
    alias: {
      made,
      boxes: join(made, precision),
      engine: join(here, entry.startsWith("lib/small/") ? "lib/small/core.js" : "lib/module.js"),
    },
    define: { NUMBERS: precision === "float32" ? "Float32Array" : "Float64Array" },
    banner: { js: `// quadrille: https://www.npmjs.com/package/quadrille. MIT or Apache-2.0.${notice ?? ""}` },
  });
}

cpSync(join(here, "package"), dist, { recursive: true });
// Those of the two precisions that are started at once differ by where the rest comes from.
const sync = readFileSync(join(here, "package/sync.d.ts"), "utf8");
writeFileSync(join(dist, "float32-sync.d.ts"), sync.replaceAll("./quadrille.js", "./float32.js"));
// Declarations for `require` are the same, in the words of CommonJS.
for (const name of ["quadrille", "sync", "float32", "float32-sync", "frame", "paths", "paths-sync", "tracks", "tracks-sync"]) {
  const types = readFileSync(join(dist, `${name}.d.ts`), "utf8");
  writeFileSync(join(dist, `${name}.d.cts`), types.replaceAll('.js";', '.cjs";'));
}
cpSync(join(here, "README.md"), join(dist, "README.md"));
for (const license of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(here, "../..", license), join(dist, license));
const { devDependencies, ...manifest } = JSON.parse(readFileSync(join(here, "package.json")));
writeFileSync(join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

for (const [name, most] of Object.entries(MAX_BYTES)) {
  const bytes = gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
  console.log(`dist is ready: ${name} has ${bytes} bytes gzipped`);
  if (bytes > most) throw new Error(`that is more than ${most}`);
}
