// flatbush's class, ready to use: `import Flatbush from "quadrille/flatbush"`.
import { load } from "./quadrille.js";

const { Flatbush } = await load();
export default Flatbush;
