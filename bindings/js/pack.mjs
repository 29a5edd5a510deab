// Makes the package of what wasm-bindgen has made: node pack.mjs MADE DIST

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const [made, dist] = process.argv.slice(2);
const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
/** What a page may have to load, compressed as servers do: bytes. */
const LARGEST = 150_000;

mkdirSync(dist, { recursive: true });
// Packed before it is text, so that it is small unpacked too; servers pack the text to about the same size again.
const packed = deflateRawSync(readFileSync(join(made, "module_bg.wasm")), { level: 9 });
writeFileSync(join(made, "packed.js"), `export default "${packed.toString("base64")}";\n`);
buildSync({
  entryPoints: [join(here, "lib/quadrille.js")],
  outfile: join(dist, "quadrille.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  keepNames: true,
  alias: { "made/module": join(made, "module.js"), "made/packed": join(made, "packed.js") },
  banner: { js: "// quadrille: https://www.npmjs.com/package/quadrille. MIT or Apache-2.0." },
});

for (const file of ["quadrille.d.ts", "flatbush.js", "flatbush.d.ts", "rbush.js", "rbush.d.ts"]) {
  cpSync(join(here, "package", file), join(dist, file));
}
cpSync(join(here, "README.md"), join(dist, "README.md"));
for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(here, "../..", licence), join(dist, licence));
const { devDependencies, ...manifest } = JSON.parse(readFileSync(join(here, "package.json")));
writeFileSync(join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

const bytes = gzipSync(readFileSync(join(dist, "quadrille.js")), { level: 9 }).length;
console.log(`dist is ready: quadrille.js has ${bytes} bytes gzipped`);
if (bytes > LARGEST) throw new Error(`that is more than ${LARGEST}`);
