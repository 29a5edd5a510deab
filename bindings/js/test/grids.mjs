// Paths by plain arithmetic: what is legal, and E. Dijkstra's search over all cells, with or without weights and links.

const AROUND = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy])).filter(([dx, dy]) => dx || dy);
/** How many of the two cells beside a diagonal step must be free. */
const BESIDE = { octile: 2, "octile-one-side": 1, "octile-cutting": 0, manhattan: 3 };

export const RULES = Object.keys(BESIDE);

export class Grid {
  constructor(free, width, rule = "octile") {
    Object.assign(this, { free, width, height: free.length / width, rule });
  }

  isFree(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height && this.free[y * this.width + x] !== 0;
  }

  /** The cost of a legal step; undefined if it is not legal. */
  step(x, y, dx, dy) {
    if (!this.isFree(x + dx, y + dy)) return undefined;
    if (!dx || !dy) return 1;
    const beside = this.isFree(x + dx, y) + this.isFree(x, y + dy);
    return beside >= BESIDE[this.rule] ? Math.SQRT2 : undefined;
  }

  /** Costs from a cell to all others. Links are [x, y, x, y, steps]; `weight` is of the cell that is entered. */
  costs(x, y, { links = [], weight = () => 1 } = {}) {
    const costs = new Float64Array(this.free.length).fill(Infinity);
    if (!this.isFree(x, y)) return costs;
    costs[y * this.width + x] = 0;
    const open = new Set([y * this.width + x]);
    while (open.size > 0) {
      let here;
      for (const cell of open) if (here === undefined || costs[cell] < costs[here]) here = cell;
      open.delete(here);
      const [x, y] = [here % this.width, Math.floor(here / this.width)];
      const enter = (x, y, cost) => {
        const next = y * this.width + x;
        if (costs[here] + cost < costs[next]) {
          costs[next] = costs[here] + cost;
          open.add(next);
        }
      };
      for (const [dx, dy] of AROUND) {
        const cost = this.step(x, y, dx, dy);
        if (cost !== undefined) enter(x + dx, y + dy, cost * weight(x + dx, y + dy));
      }
      for (const [x0, y0, x1, y1, steps] of links) if (x0 === x && y0 === y && this.isFree(x1, y1)) enter(x1, y1, steps);
    }
    return costs;
  }

  /** The length of a path, walked step by step; NaN if a step is not legal. */
  walk(cells, weight = () => 1) {
    let length = this.isFree(cells[0], cells[1]) ? 0 : NaN;
    for (let at = 2; at < cells.length; at += 2) {
      const [dx, dy] = [cells[at] - cells[at - 2], cells[at + 1] - cells[at - 1]];
      const isNear = Math.abs(dx) <= 1 && Math.abs(dy) <= 1 && (dx || dy);
      length += (isNear ? (this.step(cells[at - 2], cells[at - 1], dx, dy) ?? NaN) : NaN) * weight(cells[at], cells[at + 1]);
    }
    return length;
  }

  /** The cells at which agents of `size` cells fit. */
  cleared(size) {
    const stands = (_, at) => {
      const [x, y] = [at % this.width, Math.floor(at / this.width)];
      for (let cell = 0; cell < size * size; cell++) if (!this.isFree(x + (cell % size), y + Math.floor(cell / size))) return 0;
      return 1;
    };
    return new Grid(Uint8Array.from(this.free, stands), this.width, this.rule);
  }
}

/** Rows of cells, free with a likelihood of `share`. */
export function noise(random, width, height, share = 0.7) {
  return Uint8Array.from({ length: width * height }, () => Number(random.below(1) < share));
}
