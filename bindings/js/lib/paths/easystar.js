// easystarjs' class (https://github.com/prettymuchbryce/easystarjs), over maps that are searched in WebAssembly.
//
// Where all tiles cost the same and none has a condition, paths are searched in the module: they are shortest, and a
// diagonal step is as long as it is, √2, not 1.4. Else they are searched here cell by cell, and are cheapest with 1.4.

const DIAGONAL = 1.4;
const AROUND = [[0, -1], [1, 0], [0, 1], [-1, 0], [-1, -1], [1, 1], [1, -1], [-1, 1]];
const NAMES = {
  TOP: "TOP",
  TOP_RIGHT: "TOP_RIGHT",
  RIGHT: "RIGHT",
  BOTTOM_RIGHT: "BOTTOM_RIGHT",
  BOTTOM: "BOTTOM",
  BOTTOM_LEFT: "BOTTOM_LEFT",
  LEFT: "LEFT",
  TOP_LEFT: "TOP_LEFT",
};
/** The side from which a cell is entered by a step. */
const SIDES = new Map([
  ["0,1", "TOP"],
  ["-1,1", "TOP_RIGHT"],
  ["-1,0", "RIGHT"],
  ["-1,-1", "BOTTOM_RIGHT"],
  ["0,-1", "BOTTOM"],
  ["1,-1", "BOTTOM_LEFT"],
  ["1,0", "LEFT"],
  ["1,1", "TOP_LEFT"],
]);

/** easystarjs' names, for the classes of a loaded module. */
export function easystar({ PathMap, PathQueue }) {
  let last = 0;

  class EasyStar {
    #tiles;
    #grid;
    #isSync = false;
    #hasDiagonals = false;
    #cutsCorners = true;
    #budget = Infinity;
    /** By tile; by point, "x,y". */
    #costs = new Map();
    #pointCosts = new Map();
    #conditions = new Map();
    #avoided = new Set();
    /** By number, what is asked for. */
    #requests = new Map();
    /** The map that was searched last, its rule, its cells, and what is asked of it: numbers by tickets. */
    #map;
    #rule;
    #free;
    #queue = new PathQueue();
    #tickets = new Map();

    setAcceptableTiles(tiles) {
      if (Array.isArray(tiles)) this.#tiles = new Set(tiles);
      else if (Number.isFinite(Number.parseFloat(tiles))) this.#tiles = new Set([tiles]);
    }

    setGrid(grid) {
      this.#grid = grid;
    }

    enableSync() {
      this.#isSync = true;
    }

    disableSync() {
      this.#isSync = false;
    }

    enableDiagonals() {
      this.#hasDiagonals = true;
    }

    disableDiagonals() {
      this.#hasDiagonals = false;
    }

    enableCornerCutting() {
      this.#cutsCorners = true;
    }

    disableCornerCutting() {
      this.#cutsCorners = false;
    }

    setIterationsPerCalculation(iterations) {
      this.#budget = iterations;
    }

    setTileCost(tile, cost) {
      this.#costs.set(tile, cost);
    }

    setAdditionalPointCost(x, y, cost) {
      this.#pointCosts.set(`${x},${y}`, cost);
    }

    removeAdditionalPointCost(x, y) {
      this.#pointCosts.delete(`${x},${y}`);
    }

    removeAllAdditionalPointCosts() {
      this.#pointCosts.clear();
    }

    setDirectionalCondition(x, y, allowedDirections) {
      this.#conditions.set(`${x},${y}`, allowedDirections);
    }

    removeAllDirectionalConditions() {
      this.#conditions.clear();
    }

    avoidAdditionalPoint(x, y) {
      this.#avoided.add(`${x},${y}`);
    }

    stopAvoidingAdditionalPoint(x, y) {
      this.#avoided.delete(`${x},${y}`);
    }

    stopAvoidingAllAdditionalPoints() {
      this.#avoided.clear();
    }

    findPath(startX, startY, endX, endY, callback) {
      if (!this.#tiles) throw new Error("You can't set a path without first calling setAcceptableTiles() on EasyStar.");
      if (!this.#grid) throw new Error("You can't set a path without first calling setGrid() on EasyStar.");
      const isInside = (x, y) => x >= 0 && y >= 0 && x < this.#grid[0].length && y < this.#grid.length;
      if (!isInside(startX, startY) || !isInside(endX, endY)) {
        throw new Error("Your start or end point is outside the scope of your grid.");
      }
      const answer = (path) => (this.#isSync ? callback(path) : setTimeout(() => callback(path)));
      if (startX === endX && startY === endY) {
        answer([]);
        return undefined;
      }
      if (!this.#tiles.has(this.#grid[endY][endX])) {
        answer(null);
        return undefined;
      }
      this.#requests.set(++last, { ends: [startX, startY, endX, endY], answer });
      return last;
    }

    cancelPath(number) {
      const request = this.#requests.get(number);
      if (request?.ticket !== undefined) {
        this.#queue.cancel(request.ticket);
        this.#tickets.delete(request.ticket);
      }
      return this.#requests.delete(number);
    }

    calculate() {
      if (this.#requests.size === 0) return;
      const isEven = this.#isEven();
      if (isEven) this.#renew();
      for (const [number, request] of this.#requests) {
        const [x, y, toX, toY] = request.ends;
        if (isEven && this.#isFree(x, y) && this.#isFree(toX, toY)) {
          if (request.ticket === undefined) {
            request.ticket = this.#queue.push(x, y, toX, toY);
            this.#tickets.set(request.ticket, number);
          }
        } else {
          this.cancelPath(number);
          request.answer(this.#search(x, y, toX, toY));
        }
      }
      if (!isEven || this.#tickets.size === 0) return;
      for (const { ticket, path } of this.#queue.run(this.#map, this.#isSync ? Infinity : this.#budget)) {
        const number = this.#tickets.get(ticket);
        const { answer } = this.#requests.get(number);
        this.#tickets.delete(ticket);
        this.#requests.delete(number);
        answer(path && points(path));
      }
    }

    /** Whether all steps of a length cost the same, and which are legal follows from the cells that are free. */
    #isEven() {
      const isHeavy = ([tile, cost]) => this.#tiles.has(tile) && cost && cost !== 1;
      // Steps may cut the corners of points to avoid whenever they may be diagonal.
      const cutsSome = this.#avoided.size > 0 && this.#hasDiagonals && !this.#cutsCorners;
      return !cutsSome && this.#pointCosts.size === 0 && this.#conditions.size === 0 && ![...this.#costs].some(isHeavy);
    }

    #isTile(x, y) {
      return this.#tiles.has(this.#grid[y]?.[x]);
    }

    #isFree(x, y) {
      return this.#isTile(x, y) && !(this.#avoided.size > 0 && this.#avoided.has(`${x},${y}`));
    }

    /** Brings the map up to date: the grid is the caller's, who writes into it at any time. */
    #renew() {
      const [width, height] = [this.#grid[0].length, this.#grid.length];
      const free = new Uint8Array(width * height);
      for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++, at++) free[at] = Number(this.#isFree(x, y));
      const rule = this.#hasDiagonals ? (this.#cutsCorners ? "octile-cutting" : "octile") : "manhattan";
      const isSame = this.#map?.width === width && this.#map.height === height && this.#rule === rule;
      if (!isSame) {
        this.#map?.free();
        this.#map = new PathMap(free, width, { rule });
      } else {
        for (let y = 0; y < height; y++) {
          const row = free.subarray(y * width, (y + 1) * width);
          const first = row.findIndex((one, x) => one !== this.#free[y * width + x]);
          const last = row.findLastIndex((one, x) => one !== this.#free[y * width + x]);
          if (first >= 0) this.#map.edit(first, y, last + 1 - first, row.subarray(first, last + 1));
        }
      }
      this.#rule = rule;
      this.#free = free;
    }

    /** E. Dijkstra's search with costs and conditions. */
    #search(x, y, toX, toY) {
      const width = this.#grid[0].length;
      const key = (x, y) => y * width + x;
      const known = new Map([[key(x, y), { x, y, cost: 0, before: null }]]);
      const open = new Heap();
      open.push(known.get(key(x, y)), 0);
      for (let here = open.pop(); here; here = open.pop()) {
        if (here.isDone) continue;
        here.isDone = true;
        if (here.x === toX && here.y === toY) return trace(here);
        for (const [dx, dy] of this.#hasDiagonals ? AROUND : AROUND.slice(0, 4)) {
          const [nextX, nextY] = [here.x + dx, here.y + dy];
          if (!this.#mayEnter(here.x, here.y, dx, dy)) continue;
          const cost = here.cost + (dx && dy ? DIAGONAL : 1) * this.#costOf(nextX, nextY);
          const before = known.get(key(nextX, nextY));
          if (before && before.cost <= cost) continue;
          const next = { x: nextX, y: nextY, cost, before: here };
          if (before) before.isDone = true;
          known.set(key(nextX, nextY), next);
          open.push(next, cost);
        }
      }
      return null;
    }

    #mayEnter(x, y, dx, dy) {
      const isOpen = (dx, dy) => {
        const allowed = this.#conditions.get(`${x + dx},${y + dy}`);
        return this.#isTile(x + dx, y + dy) && (!allowed || allowed.includes(SIDES.get(`${dx},${dy}`)));
      };
      if (!this.#isFree(x + dx, y + dy) || !isOpen(dx, dy)) return false;
      return !dx || !dy || this.#cutsCorners || (isOpen(dx, 0) && isOpen(0, dy));
    }

    #costOf(x, y) {
      return this.#pointCosts.get(`${x},${y}`) || this.#costs.get(this.#grid[y][x]) || 1;
    }
  }

  return Object.freeze({ js: EasyStar, ...NAMES });
}

const points = (cells) => Array.from({ length: cells.length / 2 }, (_, at) => ({ x: cells[2 * at], y: cells[2 * at + 1] }));

function trace(last) {
  const path = [];
  for (let node = last; node; node = node.before) path.push({ x: node.x, y: node.y });
  return path.reverse();
}

/** A binary heap, the least first. */
class Heap {
  #items = [];

  push(item, order) {
    const items = this.#items;
    let at = items.push([order, item]) - 1;
    for (let up; at > 0 && items[(up = (at - 1) >> 1)][0] > items[at][0]; at = up) swap(items, at, up);
  }

  pop() {
    const items = this.#items;
    if (items.length === 0) return undefined;
    swap(items, 0, items.length - 1);
    const [, least] = items.pop();
    for (let at = 0; ; ) {
      let down = 2 * at + 1;
      if (down + 1 < items.length && items[down + 1][0] < items[down][0]) down++;
      if (down >= items.length || items[down][0] >= items[at][0]) return least;
      swap(items, at, down);
      at = down;
    }
  }
}

function swap(items, a, b) {
  [items[a], items[b]] = [items[b], items[a]];
}
