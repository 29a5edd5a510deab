// The example of a server reports the same with quadrille and with a grid by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { play } from "../examples/server.mjs";

test("players are told the same by both", () => {
  const [ours, grid] = play(300, 3000, 20);
  assert.ok(ours.told > 5000, `${ours.told}`);
  assert.equal(ours.told, grid.told);
});
