// PathFinding.js' grid and finders (https://github.com/qiao/PathFinding.js), over maps that are searched in WebAssembly.
//
// All finders are one: each path is a shortest one. Options of how to search, `heuristic`, `weight` and the like, change
// nothing; those of which steps are legal do. A start in a wall has no path.

export const DiagonalMovement = Object.freeze({ Always: 1, Never: 2, IfAtMostOneObstacle: 3, OnlyWhenNoObstacles: 4 });

const RULES = ["octile-cutting", "manhattan", "octile-one-side", "octile"];

/** A cell of a grid, as that has it at any time. */
class Node {
  #grid;

  constructor(grid, x, y) {
    this.#grid = grid;
    this.x = x;
    this.y = y;
  }

  get walkable() {
    return this.#grid.isWalkableAt(this.x, this.y);
  }

  set walkable(walkable) {
    this.#grid.setWalkableAt(this.x, this.y, walkable);
  }
}

/** PathFinding.js' names, for the classes of a loaded module. */
export function pathfinding({ PathMap }) {
  class Grid {
    #free;
    /** By rule, the map that has been searched under it. */
    #maps = new Map();

    constructor(width, height, matrix) {
      if (typeof width === "object") return new Grid(width[0].length, width.length, width);
      if (matrix && (matrix.length !== height || matrix[0].length !== width)) throw new Error("Matrix size does not fit");
      Object.assign(this, { width, height });
      this.#free = new Uint8Array(width * height).fill(1);
      matrix?.forEach((row, y) => row.forEach((wall, x) => (this.#free[y * width + x] = Number(!wall))));
      this.nodes = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => new Node(this, x, y)));
    }

    getNodeAt(x, y) {
      return this.nodes[y][x];
    }

    isInside(x, y) {
      return x >= 0 && x < this.width && y >= 0 && y < this.height;
    }

    isWalkableAt(x, y) {
      return this.isInside(x, y) && this.#free[y * this.width + x] === 1;
    }

    setWalkableAt(x, y, walkable) {
      if (!this.isInside(x, y)) throw new TypeError(`cell (${x}, ${y}) is not on the grid of ${this.width} x ${this.height} cells`);
      this.#free[y * this.width + x] = Number(Boolean(walkable));
      for (const map of this.#maps.values()) map.set(x, y, Boolean(walkable));
    }

    getNeighbors({ x, y }, diagonalMovement) {
      if (!RULES[diagonalMovement - 1]) throw new Error("Incorrect value of diagonalMovement");
      const isFree = ([dx, dy]) => this.isWalkableAt(x + dx, y + dy);
      const beside = { 1: 0, 2: 3, 3: 1, 4: 2 }[diagonalMovement];
      const isLegal = ([dx, dy]) => isFree([dx, dy]) && isFree([dx, 0]) + isFree([0, dy]) >= beside;
      const straight = [[0, -1], [1, 0], [0, 1], [-1, 0]].filter(isFree);
      const diagonal = [[-1, -1], [1, -1], [1, 1], [-1, 1]].filter(isLegal);
      return [...straight, ...diagonal].map(([dx, dy]) => this.nodes[y + dy][x + dx]);
    }

    clone() {
      const twin = new Grid(this.width, this.height);
      twin.#free.set(this.#free);
      return twin;
    }

    /** The map under a rule, which is kept and edited with the grid. */
    static map(grid, rule) {
      if (!grid.#maps.has(rule)) grid.#maps.set(rule, new PathMap(grid.#free, grid.width, { rule }));
      return grid.#maps.get(rule);
    }
  }

  const { map } = Grid;
  delete Grid.map;

  class Finder {
    constructor({ allowDiagonal, dontCrossCorners, diagonalMovement } = {}) {
      const { Never, OnlyWhenNoObstacles, IfAtMostOneObstacle } = DiagonalMovement;
      const asked = dontCrossCorners ? OnlyWhenNoObstacles : IfAtMostOneObstacle;
      this.diagonalMovement = diagonalMovement || (allowDiagonal ? asked : Never);
    }

    findPath(startX, startY, endX, endY, grid) {
      const rule = RULES[this.diagonalMovement - 1];
      if (!rule) throw new Error("Incorrect value of diagonalMovement");
      const cells = map(grid, rule).path(startX, startY, endX, endY) ?? [];
      return Array.from({ length: cells.length / 2 }, (_, at) => [cells[2 * at], cells[2 * at + 1]]);
    }
  }

  /** Moves diagonally past one obstacle unless told otherwise. */
  class JumpPointFinder extends Finder {
    constructor({ diagonalMovement = DiagonalMovement.IfAtMostOneObstacle, ...rest } = {}) {
      super({ diagonalMovement, ...rest });
    }
  }

  const names = ["AStar", "BestFirst", "BreadthFirst", "Dijkstra", "BiAStar", "BiBestFirst", "BiBreadthFirst", "BiDijkstra", "IDAStar"];
  const finders = Object.fromEntries(names.map((name) => [`${name}Finder`, { [`${name}Finder`]: class extends Finder {} }[`${name}Finder`]]));
  return Object.freeze({ Grid, DiagonalMovement, ...finders, JumpPointFinder });
}
