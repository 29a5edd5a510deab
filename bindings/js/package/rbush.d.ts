export { RBush as default } from "./quadrille.js";
