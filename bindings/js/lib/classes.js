// All classes for boxes.

import { Frame } from "./frame.js";
import { Index } from "./single.js";

export const classes = Object.freeze({ Frame, Index });
