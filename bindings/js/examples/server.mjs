// A game server: 5,000 players among 50,000 pellets, and who sees what. In each tick, every player gets what has entered
// and left its view. Done with quadrille/frame and with a grid by hand; both report the same: `node examples/server.mjs`.

import { pathToFileURL } from "node:url";
import { Frame } from "../dist/frame.js";

const [SIDE, WIDTH, HEIGHT] = [10_000, 320, 180];
const [VIEW, THING] = [1, 2];

/** Players that wander, and pellets, some of which are eaten and appear elsewhere. Numbers from a seed. */
export class World {
  #state = 1;

  constructor(players, pellets) {
    this.players = players;
    this.things = players + pellets;
    this.x = Float32Array.from({ length: this.things }, () => this.#below(SIDE));
    this.y = Float32Array.from({ length: this.things }, () => this.#below(SIDE));
    this.ways = Float32Array.from({ length: 2 * players }, () => this.#below(12) - 6);
  }

  step() {
    for (let player = 0; player < this.players; player++) {
      this.x[player] = wrapped(this.x[player] + this.ways[2 * player]);
      this.y[player] = wrapped(this.y[player] + this.ways[2 * player + 1]);
    }
    for (let eaten = 0; eaten < 200; eaten++) {
      const pellet = this.players + Math.floor(this.#below(this.things - this.players));
      [this.x[pellet], this.y[pellet]] = [this.#below(SIDE), this.#below(SIDE)];
    }
  }

  #below(end) {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (this.#state / 2 ** 32) * end;
  }
}

const wrapped = (at) => (at < 0 ? at + SIDE : at >= SIDE ? at - SIDE : at);

/** With quadrille: the views are boxes, and so are the things; a view meets things only. */
export class Seen {
  constructor({ players, things }) {
    this.frame = new Frame(players + things);
    this.layers = Uint32Array.from({ length: players + things }, (_, id) => (id < players ? VIEW : THING));
    this.mask = this.layers.map((layer) => VIEW + THING - layer);
  }

  /** Pairs that began and ended: of a player, and of a thing plus the number of players. */
  tick({ players, things, x, y }) {
    const { boxes } = this.frame;
    for (let id = 0; id < players; id++) put(boxes, id, x[id], y[id], WIDTH, HEIGHT);
    for (let thing = 0; thing < things; thing++) put(boxes, players + thing, x[thing], y[thing], 0, 0);
    this.frame.update(undefined, this.layers, this.mask);
    // From now on, boxes keep their layers.
    this.layers = this.mask = undefined;
    return this.frame.events();
  }
}

function put(boxes, id, x, y, width, height) {
  boxes[4 * id] = x - width;
  boxes[4 * id + 1] = y - height;
  boxes[4 * id + 2] = x + width;
  boxes[4 * id + 3] = y + height;
}

/** By hand: things sorted into cells, and for each player a list of what it saw. */
export class Grid {
  #cell = 160;
  #columns = Math.ceil(SIDE / this.#cell);
  #starts = new Uint32Array(this.#columns ** 2 + 1);

  constructor({ players, things }) {
    this.lists = Array.from({ length: players }, () => []);
    this.order = new Uint32Array(things);
    this.marks = new Int32Array(things);
  }

  tick(world) {
    this.#sort(world);
    const [began, ended] = [[], []];
    this.marks.fill(0);
    for (let player = 0; player < world.players; player++) {
      const [now, mark] = [this.#inView(world, player), 2 * player + 1];
      for (const thing of this.lists[player]) this.marks[thing] = mark;
      for (const thing of now) {
        if (this.marks[thing] !== mark) began.push(player, thing + world.players);
        this.marks[thing] = mark + 1;
      }
      for (const thing of this.lists[player]) if (this.marks[thing] === mark) ended.push(player, thing + world.players);
      this.lists[player] = now;
    }
    return { began, ended };
  }

  #of = (at) => Math.min(Math.max(Math.floor(at / this.#cell), 0), this.#columns - 1);

  #sort({ things, x, y }) {
    const starts = this.#starts.fill(0);
    const cells = Uint32Array.from({ length: things }, (_, thing) => this.#of(y[thing]) * this.#columns + this.#of(x[thing]));
    for (const cell of cells) starts[cell]++;
    for (let cell = 1; cell < starts.length; cell++) starts[cell] += starts[cell - 1];
    for (let thing = things - 1; thing >= 0; thing--) this.order[--starts[cells[thing]]] = thing;
  }

  #inView({ x, y }, player) {
    // Rounded as boxes are, so that both see the same.
    const [x0, y0, x1, y1] = [x[player] - WIDTH, y[player] - HEIGHT, x[player] + WIDTH, y[player] + HEIGHT].map(Math.fround);
    const found = [];
    for (let row = this.#of(y0); row <= this.#of(y1); row++) {
      const [from, to] = [this.#starts[row * this.#columns + this.#of(x0)], this.#starts[row * this.#columns + this.#of(x1) + 1]];
      for (let at = from; at < to; at++) {
        const thing = this.order[at];
        if (x[thing] >= x0 && x[thing] <= x1 && y[thing] >= y0 && y[thing] <= y1) found.push(thing);
      }
    }
    return found;
  }
}

/** Plays ticks: milliseconds of each way, and how many pairs each has told of. */
export function play(players, pellets, ticks) {
  const world = new World(players, pellets);
  const ways = [new Seen(world), new Grid(world)].map((way) => ({ way, times: [], told: 0 }));
  for (let tick = 0; tick < ticks; tick++) {
    for (const one of ways) {
      const start = performance.now();
      const { began, ended } = one.way.tick(world);
      one.times.push(performance.now() - start);
      one.told += began.length / 2 + ended.length / 2;
    }
    world.step();
  }
  return ways.map(({ times, told }) => ({ told, median: times.sort((a, b) => a - b)[ticks >> 1] }));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [ours, grid] = play(5_000, 50_000, 60);
  console.log(`quadrille/frame ${ours.median.toFixed(1)} ms a tick, ${ours.told} entered and left`);
  console.log(`a grid by hand  ${grid.median.toFixed(1)} ms a tick, ${grid.told} entered and left`);
}
