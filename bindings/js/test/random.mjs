// Computed boxes, the same everywhere: as in ../../core/src/golden.rs.

/** Marsaglia's xorshift. */
export class Random {
  constructor(seed = 2463534242) {
    this.state = seed;
  }

  next() {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return this.state >>> 0;
  }

  /** In steps of 2^-16, from 0 to less than `end`. */
  below(end) {
    return (this.next() % (end * 65536)) / 65536;
  }

  /** Fills an array with boxes that start in a square and have sides shorter than `size`. */
  boxes(into, side, size) {
    for (let at = 0; at < into.length; at += 4) {
      const [x, y, width, height] = [this.below(side), this.below(side), this.below(size), this.below(size)];
      into.set([x, y, x + width, y + height], at);
    }
    return into;
  }
}
