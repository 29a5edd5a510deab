// What tests of two modules share: a frame to begin with, and how a refusal is checked.

import assert from "node:assert/strict";

/** A frame of three boxes, the first two of which overlap. */
export function framed(Frame) {
  const frame = new Frame(3);
  frame.boxes.set([0, 0, 2, 2, 1, 1, 3, 3, 8, 8, 9, 9]);
  frame.update();
  return frame;
}

export const refuses = (work, kind, message) =>
  assert.throws(work, (error) => {
    assert.ok(error instanceof kind, `${error}`);
    assert.match(error.message, message);
    return true;
  });
