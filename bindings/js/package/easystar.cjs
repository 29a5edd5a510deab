// easystarjs' names, ready to use: `const EasyStar = require("quadrille/easystar")`.
const { easystar } = require("./easystar-shim.cjs");
module.exports = easystar(require("./paths-sync.cjs"));
