export { Flatbush as default } from "./quadrille.js";
