import type { Flatbush as Instance, FlatbushConstructor } from "./quadrille.js";

declare const Flatbush: FlatbushConstructor;
type Flatbush = Instance;
export default Flatbush;
