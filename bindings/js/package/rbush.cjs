// rbush's class, ready to use: `const RBush = require("quadrille/rbush")`.
const { RBush } = require("./sync.cjs");
module.exports = RBush;
