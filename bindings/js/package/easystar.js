// easystarjs' names, ready to use: `import EasyStar from "quadrille/easystar"`.
import { easystar } from "./easystar-shim.js";
import { load } from "./paths.js";

export default easystar(await load());
