// flatbush's class, ready to use: `const Flatbush = require("quadrille/flatbush")`.
const { Flatbush } = require("./sync.cjs");
module.exports = Flatbush;
