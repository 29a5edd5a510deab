/** A cell of a grid. */
interface Node {
  readonly x: number;
  readonly y: number;
  walkable: boolean;
}

/** PathFinding.js' grid. It may be searched again and again, and edited in between. */
interface Grid {
  readonly width: number;
  readonly height: number;
  readonly nodes: Node[][];
  getNodeAt(x: number, y: number): Node;
  isInside(x: number, y: number): boolean;
  isWalkableAt(x: number, y: number): boolean;
  setWalkableAt(x: number, y: number, walkable: boolean): void;
  getNeighbors(node: { readonly x: number; readonly y: number }, diagonalMovement: number): Node[];
  clone(): Grid;
}

type Matrix = readonly (readonly (number | boolean | null)[])[];

/** Of which only those options count that say which steps are legal: all paths are shortest. */
interface Options {
  allowDiagonal?: boolean;
  dontCrossCorners?: boolean;
  diagonalMovement?: number;
  heuristic?: (dx: number, dy: number) => number;
  weight?: number;
  [name: string]: unknown;
}

interface Finder {
  /** The cells of a shortest path, none if there is none. */
  findPath(startX: number, startY: number, endX: number, endY: number, grid: Grid): [x: number, y: number][];
}

type FinderConstructor = new (options?: Options) => Finder;

interface Names {
  readonly Grid: { new (width: number, height: number, matrix?: Matrix): Grid; new (matrix: Matrix): Grid };
  readonly DiagonalMovement: {
    readonly Always: 1;
    readonly Never: 2;
    readonly IfAtMostOneObstacle: 3;
    readonly OnlyWhenNoObstacles: 4;
  };
  readonly AStarFinder: FinderConstructor;
  readonly BestFirstFinder: FinderConstructor;
  readonly BreadthFirstFinder: FinderConstructor;
  readonly DijkstraFinder: FinderConstructor;
  readonly BiAStarFinder: FinderConstructor;
  readonly BiBestFirstFinder: FinderConstructor;
  readonly BiBreadthFirstFinder: FinderConstructor;
  readonly BiDijkstraFinder: FinderConstructor;
  readonly IDAStarFinder: FinderConstructor;
  readonly JumpPointFinder: FinderConstructor;
}

declare const names: Names;
export default names;
