// The queries that the large module has besides.

import { Boxes, deskOf, ranked, seen } from "./boxes.js";
import { given } from "./numbers.js";

export class AllBoxes extends Boxes {
  searchMany(boxes, layers = undefined) {
    const some = seen(layers);
    deskOf(this).write(boxes);
    deskOf(this).ask((core) => core.search_many(some));
    return { starts: deskOf(this).take("starts"), ids: deskOf(this).take("ids") };
  }

  within(x, y, distance, layers = undefined) {
    given("x, y, distance", x, y, distance);
    return ranked(deskOf(this), (core) => core.within(x, y, distance, seen(layers)));
  }

  cast(x, y, dx, dy, maxTime = Infinity, layers = undefined) {
    given("x, y, dx, dy, maxTime", x, y, dx, dy, maxTime);
    if (deskOf(this).ask((core) => core.cast(x, y, dx, dy, maxTime, seen(layers))) === 0) return null;
    const [time, ...normal] = deskOf(this).take("ranks");
    return { id: deskOf(this).take("ids")[0], time, normal };
  }

  pairsWith(others) {
    if (!(others instanceof Boxes)) throw new TypeError("pairsWith needs another Frame or Index of the same module");
    if (others === this) throw new TypeError("pairsWith needs another set; pairs() finds those within one");
    deskOf(this).ask((core) => core.pairs_with(deskOf(others).core), deskOf(others));
    return deskOf(this).take("pairs");
  }

  nodes() {
    deskOf(this).ask((core) => core.nodes());
    return deskOf(this).take("boxes");
  }
}
