import type { BBox, RBush as Instance, RBushConstructor } from "./quadrille.js";

declare const RBush: RBushConstructor;
type RBush<T = BBox> = Instance<T>;
export default RBush;
