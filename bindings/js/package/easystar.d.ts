/** A cell of a path. */
interface Point {
  x: number;
  y: number;
}

/** The side from which a point may be entered. */
type Direction = "TOP" | "TOP_RIGHT" | "RIGHT" | "BOTTOM_RIGHT" | "BOTTOM" | "BOTTOM_LEFT" | "LEFT" | "TOP_LEFT";

/**
 * easystarjs' class. Where all acceptable tiles cost 1 and no point has a cost or a condition, paths are shortest with
 * diagonal steps of √2; else they are cheapest with diagonal steps of 1.4, and are searched cell by cell.
 */
interface EasyStar {
  setGrid(grid: readonly (readonly number[])[]): void;
  setAcceptableTiles(tiles: readonly number[] | number): void;
  enableSync(): void;
  disableSync(): void;
  enableDiagonals(): void;
  disableDiagonals(): void;
  enableCornerCutting(): void;
  disableCornerCutting(): void;
  /** How many corners the searches of one {@link calculate} may look at. */
  setIterationsPerCalculation(iterations: number): void;
  setTileCost(tile: number, cost: number): void;
  setAdditionalPointCost(x: number, y: number, cost: number): void;
  removeAdditionalPointCost(x: number, y: number): void;
  removeAllAdditionalPointCosts(): void;
  setDirectionalCondition(x: number, y: number, allowedDirections: readonly Direction[]): void;
  removeAllDirectionalConditions(): void;
  avoidAdditionalPoint(x: number, y: number): void;
  stopAvoidingAdditionalPoint(x: number, y: number): void;
  stopAvoidingAllAdditionalPoints(): void;
  /** Gives the number of the request; nothing if it is answered at once. */
  findPath(
    startX: number,
    startY: number,
    endX: number,
    endY: number,
    callback: (path: Point[] | null) => void,
  ): number | undefined;
  cancelPath(instanceId: number): boolean;
  calculate(): void;
}

interface Names {
  readonly js: new () => EasyStar;
  readonly TOP: "TOP";
  readonly TOP_RIGHT: "TOP_RIGHT";
  readonly RIGHT: "RIGHT";
  readonly BOTTOM_RIGHT: "BOTTOM_RIGHT";
  readonly BOTTOM: "BOTTOM";
  readonly BOTTOM_LEFT: "BOTTOM_LEFT";
  readonly LEFT: "LEFT";
  readonly TOP_LEFT: "TOP_LEFT";
}

declare const names: Names;
export default names;
