// PathFinding.js' grid and finders, ready to use: `const PF = require("quadrille/pathfinding")`.
const { pathfinding } = require("./pathfinding-shim.cjs");
module.exports = pathfinding(require("./paths-sync.cjs"));
