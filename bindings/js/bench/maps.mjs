// Maps and rows of the MovingAI benchmarks (movingai.com/benchmarks).

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What can be walked on. */
const FREE = new Set([".", "G", "S"]);

/** A map, free where 1, and as many of its rows, spread evenly: x0, y0, x1, y1, length. */
export function published(folder, name, rows) {
  const [, height, width, , ...lines] = readFileSync(join(folder, `${name}.map`), "utf8").split(/\r?\n/);
  const size = { width: Number(width.split(" ")[1]), height: Number(height.split(" ")[1]) };
  const free = Uint8Array.from(lines.slice(0, size.height).join(""), (letter) => Number(FREE.has(letter)));
  const all = readFileSync(join(folder, `${name}.map.scen`), "utf8").trim().split(/\r?\n/).slice(1);
  const chosen = Array.from({ length: rows }, (_, row) => all[Math.floor(((row + 0.5) * all.length) / rows)]);
  return { name, ...size, free, rows: chosen.map((row) => row.split("\t").slice(4).map(Number)) };
}
