// Runs a program that was compiled for wasm32-wasip1: node --no-warnings .ci/wasi.mjs PROGRAM [ARGUMENT]...
// (Node would warn that its WASI is experimental.)
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const args = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(args[0]), wasi.getImportObject());
process.exitCode = wasi.start(instance);
