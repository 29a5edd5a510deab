// A worker that finds paths: the page sends edits and requests, and continues drawing.
//
//   const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
//   worker.postMessage({ map: free, width });                   // a byte per cell, free where not 0
//   worker.postMessage({ edit: [x, y, width, bytes] });         // a rectangle of other cells
//   worker.postMessage({ request: id, ends: [x0, y0, x1, y1] });
//   worker.onmessage = ({ data: { request, path } }) => …       // path is an Int32Array, or null

const IS_NODE = typeof process !== "undefined";
const port = IS_NODE ? (await import("node:worker_threads")).parentPort : globalThis;
/** Milliseconds of work between checks for new edits. */
const SLICE = 4;

// Messages that arrive before the module is loaded wait.
const messages = [];
let begin = () => messages.length;
const take = (data) => {
  messages.push(data);
  begin();
};
if (IS_NODE) port.on("message", take);
else port.addEventListener("message", ({ data }) => take(data));

const { load } = await import("../dist/paths.js");
const q = await load();
const queue = new q.PathQueue();
const requests = new Map();
let map;

function obey({ map: free, width, edit, request, ends }) {
  if (free) {
    map?.free();
    map = new q.PathMap(free, width);
  } else if (edit) {
    map.edit(...edit);
  } else {
    requests.set(queue.push(...ends), request);
  }
}

let isRunning = false;
function run() {
  isRunning = false;
  for (const message of messages.splice(0)) obey(message);
  if (!map) return;
  for (const { ticket, path } of queue.runFor(map, SLICE)) {
    port.postMessage({ request: requests.get(ticket), path }, path ? [path.buffer] : []);
    requests.delete(ticket);
  }
  if (queue.length > 0) begin();
}

begin = () => {
  if (!isRunning) setTimeout(run, 0);
  isRunning = true;
};
begin();
