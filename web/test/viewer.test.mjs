// The viewer in a real browser without a screen: what it computes is what the command computes, what is clicked changes, what is drawn
// is there, and what is wrong is reported.
//
// Needs web/dist (web/build), the command (QUADRILLE names its file, or target/release/quadrille) and Chromium (CHROMIUM, or
// /usr/bin/chromium).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { mkdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { PNG } from "pngjs";
import { serve } from "./server.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const command = process.env.QUADRILLE ?? `${root}target/release/quadrille`;
const pictures = process.env.PICTURES;

// Drawing without a GPU; and a browser that does not look for anything beyond this machine.
const FLAGS = [
  "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
// WebGPU without a GPU, and shown on the page as well.
const WEBGPU = ["--enable-unsafe-webgpu", "--ignore-gpu-blocklist", "--enable-gpu", "--enable-features=Vulkan", "--use-vulkan=swiftshader"];
// A machine without a GPU that does other things too may take its time.
const PATIENCE = 240_000;

let browser, page, server, complaints;

before(async () => {
  server = await serve(`${root}web/dist`);
  browser = await launch(FLAGS);
  if (pictures) mkdirSync(pictures, { recursive: true });
});

after(async () => {
  await browser?.close();
  server?.close();
});

beforeEach(() => turnTo(browser));

const launch = (args) => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });

/** A new page of a browser is the one that is tested. */
async function turnTo(browser) {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  complaints = [];
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
}

/** Opens a view and waits until it runs. */
async function open(view) {
  await page.goto(`${server.address}#${view}`);
  await page.waitForFunction(() => window.quadrille);
}

const figures = () => page.evaluate(() => window.quadrille.figures());

/** Waits until the figures are as wanted, and returns them. There are none while the viewer restarts. */
async function figuresWhen(wanted, what) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const now = await figures();
    if (now && wanted(now)) return now;
    assert.ok(Date.now() < end, `${what}: ${JSON.stringify(now)}`);
    await page.waitForTimeout(100);
  }
}

/** How many colours a picture of the page has on the stage, where neither panels nor captions nor messages are. */
function stageColours({ width, data }) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  const seen = new Set();
  for (let y = 300; y < 780; y++) {
    for (let x = 400; x < 1000; x++) seen.add(pixels[y * width + x]);
  }
  return seen.size;
}

/** Takes a screenshot and counts the colours on its stage; kept if PICTURES names a folder. */
async function colours(name) {
  return stageColours(PNG.sync.read(await page.screenshot(pictures ? { path: `${pictures}/${name}.png` } : {})));
}

/** What the command computes. */
function native(scene, agents, steps, seed) {
  const text = execFileSync(command, [
    "sim", "--scene", scene, "--agents", agents, "--steps", steps, "--seed", seed, "--index", "grid", "--json", "-",
  ].map(String), { stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(text);
}

for (const scene of ["uniform", "mixed", "pile", "fps-sphere"]) {
  test(`100 steps of ${scene} end in the state that the command ends in`, async () => {
    await open(`scene=${scene},n=700,seed=7,steps=100,paused`);
    const { state_hash } = await figuresWhen((now) => now.steps === 100, "100 steps");
    assert.equal(state_hash, native(scene, 700, 100, 7).state_hash);
    assert.deepEqual(complaints, []);
  });
}

test("the picture is not blank, and the address says what is shown", async () => {
  await open("scene=mixed,n=2000,seed=3,steps=20,paused");
  await figuresWhen((now) => now.steps === 20, "20 steps");
  assert.ok((await colours("scene")) > 100);
  const state = await page.evaluate(() => window.quadrille.state());
  assert.match(state, /scene=mixed/);
  await page.waitForFunction((state) => location.hash === `#${state}`, state);
  assert.deepEqual(complaints, []);
});

test("a key changes the structure, and not the state of the agents", async () => {
  await open("n=500,steps=10,paused,structure=quadtree");
  const before = await figuresWhen((now) => now.steps === 10, "10 steps");
  await page.locator("#canvas").focus();
  await page.keyboard.press("s");
  const changed = (now) => now.structures[0].structure !== before.structures[0].structure;
  const now = await figuresWhen(changed, "another structure");
  assert.equal(now.state_hash, before.state_hash);
  assert.deepEqual(complaints, []);
});

/** Clicks a widget: the first one of which `wanted` is true, as soon as it stands still. */
async function click(wanted, what) {
  const find = async () => (await page.evaluate(() => window.quadrille.widgets())).find(wanted)?.rect;
  const end = Date.now() + PATIENCE;
  for (let last; ; ) {
    const rect = await find();
    if (rect && String(rect) === last) {
      const [x, y, width, height] = rect;
      return page.mouse.click(x + width / 2, y + height / 2);
    }
    assert.ok(Date.now() < end, `no widget: ${what}`);
    last = String(rect);
    await page.waitForTimeout(100);
  }
}

test("a click in the list of structures changes the structure, and not the state of the agents", async () => {
  await open("n=500,steps=10,paused,structure=quadtree");
  const before = await figuresWhen((now) => now.steps === 10, "10 steps");
  await click(({ role, value }) => role === "ComboBox" && value === "quadtree", "the list of structures");
  await click(({ role, label }) => role === "Button" && label === "loose-grid", "a loose grid in the list");
  const now = await figuresWhen((now) => now.structures[0].structure === "loose-grid", "another structure");
  assert.equal(now.state_hash, before.state_hash);
  assert.deepEqual(complaints, []);
});

test("the figures that a click copies are those on the screen", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open("scene=pile,n=400,seed=5,steps=30,paused,structure=grid");
  const shown = await figuresWhen((now) => now.steps === 30, "30 steps");
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await click(({ label }) => label === "Copy figures as JSON", "the button that copies");
  const text = await page.waitForFunction(() => navigator.clipboard.readText());
  // The time between two frames goes on changing.
  assert.deepEqual({ ...JSON.parse(await text.jsonValue()), frame_ms: 0 }, { ...shown, frame_ms: 0 });
  assert.equal(shown.state_hash, native("pile", 400, 30, 5).state_hash);
  assert.deepEqual(complaints, []);
});

/** Clicks a button whose work ends in a download; gives its name and its bytes. */
async function downloaded(button) {
  const [download] = await Promise.all([page.waitForEvent("download"), click(({ label }) => label === button, button)]);
  return [download.suggestedFilename(), readFileSync(await download.path())];
}

test("pictures and films become downloads", async () => {
  await open("scene=mixed,n=800,seed=3,steps=20,paused");
  await figuresWhen((now) => now.steps === 20, "20 steps");
  const [picture, png] = await downloaded("Save PNG");
  const image = PNG.sync.read(png);
  assert.deepEqual([picture, image.width, image.height], ["quadrille.png", 1280, 800]);
  assert.ok(stageColours(image) > 100);
  await figuresWhen(({ messages: [message] }) => message === "saved quadrille.png", "a message");

  await click(({ label }) => label === "Record GIF", "the button that records");
  await page.waitForTimeout(3000);
  const [film, gif] = await downloaded("Stop GIF");
  assert.deepEqual([film, gif.toString("latin1", 0, 6), gif.readUInt16LE(6), gif.readUInt16LE(8)], ["quadrille.gif", "GIF89a", 1280, 800]);
  const isFilm = (message) => /^saved quadrille.gif \([1-9]\d* frames?\)$/.test(message);
  await figuresWhen(({ messages }) => messages.some(isFilm), "a message");
  assert.deepEqual(complaints, []);
});

test("why it is slow is answered with structures, while the page goes on", async () => {
  await open("scene=clustered,n=3000,structure=enclosing-quadtree");
  await click(({ label }) => label === "Why is this slow?", "the button that asks");
  const measuring = await figuresWhen((now) => now.steps > 5, "the first steps");
  const widgets = () => page.evaluate(() => window.quadrille.widgets());
  const end = Date.now() + PATIENCE;
  let rows = [];
  while (rows.length === 0) {
    assert.ok(Date.now() < end, "no answer");
    rows = (await widgets()).filter(({ role, label }) => role === "Button" && /^[\d.]+ ms {2}/.test(label));
  }
  const now = await figures();
  assert.ok(now.steps > measuring.steps, "the agents stood still");
  rows.sort((one, other) => one.rect[1] - other.rect[1]);
  const [, named] = rows[0].label.match(/ms {2}([a-z-]+)/);
  await click(({ label }) => label === rows[0].label, "the fastest");
  await figuresWhen((now) => now.structures[0].structure.split(":")[0] === named, `the structure ${named}`);
  assert.deepEqual(complaints, []);
});

test("a view that cannot be shown gives a message and a working default", async () => {
  await open("scene=nowhere,n=200,paused");
  const { messages } = await figuresWhen((now) => now.agents === 200, "200 agents");
  assert.equal(messages.length, 1);
  assert.match(messages[0], /^scene=nowhere: /);
  await figuresWhen((now) => now.messages.length === 0, "the message leaves by itself");
  assert.deepEqual(complaints, []);
});

test("a percent sign that begins no escape gives a message, and the rest of the address counts", async () => {
  await open("n=200,%%%,paused");
  const { agents, messages } = await figuresWhen((now) => now.agents === 200, "200 agents");
  assert.deepEqual([agents, messages.length], [200, 1]);
  assert.ok(messages[0].includes("%%%"), messages[0]);
  assert.deepEqual(complaints, []);
});

test("on an upright phone the picture has the width, and a drawer opens and closes", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open("n=300,paused");
  await click(({ label }) => label === "Settings", "the drawer of settings");
  const widgets = () => page.evaluate(() => window.quadrille.widgets());
  const has = async (wanted) => (await widgets()).some(({ label }) => label === wanted);
  while (!(await has("Restart"))) await page.waitForTimeout(100);
  for (const { label, rect: [x, , width] } of await widgets()) {
    assert.ok(x >= 0 && x + width <= 390, `${label} is cut off`);
  }
  await page.keyboard.press("Escape");
  while (await has("Restart")) await page.waitForTimeout(100);
  assert.deepEqual(complaints, []);
});

for (const [scheme, isLight] of [["light", true], ["dark", false]]) {
  test(`a browser that prefers ${scheme} gets it`, async () => {
    await page.emulateMedia({ colorScheme: scheme });
    await open("n=100,overlays=none,paused");
    await figuresWhen((now) => now.agents === 100, "100 agents");
    await page.waitForTimeout(500);
    const { width, data } = PNG.sync.read(await page.screenshot());
    // The corner is the color of the panels.
    assert.equal(data[4 * (2 * width + 2)] > 127, isLight);
    assert.deepEqual(complaints, []);
  });
}

test("painting a wall on a map splits leaves and breaks the path", async () => {
  await open("map=field,walkers=50,steps=30,paused");
  const before = await figuresWhen((now) => now.map?.steps === 30, "30 steps");
  assert.deepEqual([before.map.leaves, before.map.edits], [1, 0]);
  const { width, height } = page.viewportSize();
  // Across the middle of the picture, whatever panels there are.
  await page.mouse.move(width * 0.45, height * 0.7);
  await page.mouse.down();
  await page.mouse.move(width * 0.65, height * 0.3, { steps: 10 });
  await page.mouse.up();
  const now = await figuresWhen((now) => now.map.path_breaks > 0, "a broken path");
  assert.ok(now.map.leaves > 50 && now.map.path_length > before.map.path_length, JSON.stringify(now.map));
  // The path and the ends, which are drawn without the map, have some hundred colors.
  assert.ok((await colours("map")) > 500);
  assert.deepEqual(complaints, []);
});

/** Drops a file of this text on the page. */
const drop = (name, text) => page.evaluate(([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const canvas = document.getElementById("canvas");
  for (const kind of ["dragover", "drop"]) canvas.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}, [name, text]);

test("a dropped file becomes the map, and one that is no map a message", async () => {
  await open("map=rooms,paused");
  await drop("small.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
  const { map } = await figuresWhen((now) => now.map.map === "small.map", "the dropped map");
  assert.deepEqual([map.cells, map.walls], [6, 1]);
  await drop("letter.txt", "Dear Sir");
  const { messages, map: kept } = await figuresWhen((now) => now.messages.length > 0, "a message");
  assert.match(messages[0], /letter\.txt/);
  assert.equal(kept.map, "small.map");
  assert.deepEqual(complaints, []);
});

test("a dropped file of fixes is played, and its encounters are found", async () => {
  await open("within=15,at=5,paused");
  await drop("ships.csv", "id,t,x,y\nada,0,0,0\nada,10,100,0\nbob,0,100,10\nbob,10,0,10\ncyd,0,50,60\ncyd,10,50,60\n");
  const { tracks, messages } = await figuresWhen((now) => now.tracks || now.messages.length > 0, "the dropped tracks");
  assert.deepEqual(messages, []);
  assert.deepEqual(tracks, { file: "ships.csv", tracks: 3, fixes: 6, pairs: 1, encounters: 1, at: 5, present: 3, in_progress: 1 });
  assert.ok((await colours("tracks")) > 20);
  assert.deepEqual(complaints, []);
});

test("a dropped file of boxes is shown over the chosen structure, and what overlaps is counted", async () => {
  await open("structure=quadtree,paused");
  await drop("boxes.csv", "xmin,ymin,xmax,ymax\n0,0,10,10\n8,2,18,8\n16,0,26,10\n40,0,50,10\n");
  const { boxes, messages } = await figuresWhen((now) => now.boxes || now.messages.length > 0, "the dropped boxes");
  assert.deepEqual(messages, []);
  const { file, boxes: count, pairs, most_partners: most, structures } = boxes;
  assert.deepEqual([file, count, pairs, most, structures.length], ["boxes.csv", 4, 2, 2, 1]);
  assert.equal(structures[0].structure, "quadtree");
  assert.ok((await colours("boxes")) > 20);
  assert.deepEqual(complaints, []);
});

test("a page that loses its graphics says so", async () => {
  await open("n=200,paused");
  assert.ok(await page.locator("#notice").isHidden());
  await page.evaluate(() => document.getElementById("canvas").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
  await page.waitForFunction(() => document.getElementById("what").textContent.includes("Load the page again"));
  assert.ok(await page.locator("#notice").isVisible());
});

/** A test in a browser of its own, with these flags as well. */
function testWith(flags, name, run) {
  test(name, async (context) => {
    const other = await launch([...FLAGS, ...flags]);
    try {
      await turnTo(other);
      await run(context);
    } finally {
      await other.close();
    }
  });
}

/** Is there an adapter for WebGPU in this browser? If not, the test says that it is skipped. */
async function hasWebGpu(context) {
  await page.route("**/empty", (route) => route.fulfill({ contentType: "text/html", body: '<link rel="icon" href="data:,">' }));
  await page.goto(`${server.address}empty`);
  const has = await page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()));
  if (!has) context.skip("this browser has no adapter for WebGPU");
  return has;
}

/** The agents have taken 30 steps as they should, are drawn by `graphics`, and the picture is there. */
async function works(graphics, name) {
  const { state_hash, messages } = await figuresWhen((now) => now.steps === 30 && now.graphics.startsWith(graphics), graphics);
  assert.equal(state_hash, native("mixed", 700, 30, 7).state_hash);
  assert.ok((await colours(name)) > 100);
  assert.ok(await page.locator("#notice").isHidden());
  assert.deepEqual(complaints, []);
  return messages;
}

/** Waits for the message. It disappears by itself, on a slow machine before the agents have taken their steps. */
const saysThatWebGpuFailed = () =>
  figuresWhen(({ messages: [said] }) => said && /^WebGPU failed .*WebGL2/.test(said), "the message");

const WORK = "scene=mixed,n=700,seed=7,steps=30,paused";

testWith(WEBGPU, "WebGPU draws where there is one, unless the address says otherwise", async (context) => {
  if (!(await hasWebGpu(context))) return;
  await open(WORK);
  assert.deepEqual(await works("WebGPU", "webgpu"), []);
  await page.goto(`${server.address}?webgl2#${WORK}`);
  await page.waitForFunction(() => window.quadrille);
  assert.deepEqual(await works("WebGL2", "webgl2"), []);
});

testWith(WEBGPU, "WebGPU that is lost is replaced by WebGL2, with a message", async (context) => {
  if (!(await hasWebGpu(context))) return;
  await page.addInitScript(() => {
    const request = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (...wishes) {
      return (window.device = await request.apply(this, wishes));
    };
  });
  await open(WORK);
  assert.deepEqual(await works("WebGPU", "webgpu-kept"), []);
  await page.evaluate(() => window.device.destroy());
  await saysThatWebGpuFailed();
  await works("WebGL2", "webgpu-lost");
});

testWith(["--enable-unsafe-webgpu"], "WebGPU that cannot reach the page ends in a picture all the same", async () => {
  // Without the other flags Chromium offers an adapter and takes it away when it has drawn.
  await open(WORK);
  await works("WebGL2", "webgpu-unreachable");
});

for (const [name, adapter] of [
  ["no adapter", async () => null],
  ["an error instead of an adapter", async () => { throw new Error("no"); }],
]) {
  test(`a browser that offers WebGPU but gives ${name} gets WebGL2`, async () => {
    await page.addInitScript(`Object.defineProperty(Navigator.prototype, "gpu", { value: {
      requestAdapter: ${adapter}, getPreferredCanvasFormat: () => "rgba8unorm" } })`);
    await open(WORK);
    await works("WebGL2", "webgpu-missing");
  });
}

testWith(WEBGPU, "an adapter for WebGPU that gives no device is replaced by WebGL2, with a message", async (context) => {
  if (!(await hasWebGpu(context))) return;
  await page.addInitScript(() => {
    GPUAdapter.prototype.requestDevice = async () => { throw new DOMException("not today", "OperationError"); };
  });
  await open(WORK);
  await saysThatWebGpuFailed();
  await works("WebGL2", "webgpu-no-device");
});

test("a browser that cannot show it is told so", async () => {
  await page.addInitScript(() => { delete globalThis.WebAssembly; });
  await page.goto(server.address);
  await page.waitForFunction(() => document.getElementById("what").textContent.includes("WebAssembly"));
  assert.ok(await page.locator("#notice").isVisible());
});
