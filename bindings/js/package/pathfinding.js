// PathFinding.js' grid and finders, ready to use: `import PF from "quadrille/pathfinding"`.
import { pathfinding } from "./pathfinding-shim.js";
import { load } from "./paths.js";

export default pathfinding(await load());
