// rbush's class, ready to use: `import RBush from "quadrille/rbush"`.
import { load } from "./quadrille.js";

const { RBush } = await load();
export default RBush;
