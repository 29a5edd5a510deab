// Starts the viewer: says what it is doing while it loads, and why if it cannot.

const notice = document.getElementById("notice");
const what = document.getElementById("what");
const progress = document.getElementById("progress");

// Milliseconds between updates of the address and checks of the graphics. Browsers refuse more than about five changes of the address per
// second.
const INTERVAL = 500;

// The smallest module with a vector instruction in it: () -> v128 { i32.const 0; i8x16.splat }.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/** What this browser lacks, in a sentence, or nothing. */
function lacking() {
  if (typeof WebAssembly !== "object") return "This browser cannot run WebAssembly: allow it in the settings, or use a newer browser.";
  if (!WebAssembly.validate(SIMD)) return "This browser's WebAssembly has no vector instructions (SIMD): use a browser of 2023 or newer.";
  const hasWebGl = document.createElement("canvas").getContext("webgl2") !== null;
  if (!hasWebGl && !("gpu" in navigator)) return "This browser has neither WebGL2 nor WebGPU: switch on hardware acceleration.";
  return null;
}

/** Shows a message in place of the viewer. */
function fail(message) {
  what.textContent = message;
  progress.hidden = true;
  notice.hidden = false;
}

/** Loads the program, and shows how much has arrived. */
async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  const size = Number(response.headers.get("Content-Length"));
  let arrived = 0;
  const counted = new TransformStream({
    transform(chunk, controller) {
      arrived += chunk.length;
      // A compressed response is longer than its header says: then the bar just moves.
      if (arrived <= size) progress.value = arrived / size;
      else progress.removeAttribute("value");
      what.textContent = `Loading the viewer … ${(arrived / 1e6).toFixed(1)} MB`;
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), { headers: { "Content-Type": "application/wasm" } });
}

/** The view in the address. */
function wanted() {
  const asked = location.hash.slice(1);
  try {
    // An address may have been through a program that writes `,` as `%2C`.
    return decodeURIComponent(asked);
  } catch {
    // A `%` that does not begin an escape: the viewer reports what it cannot read.
    return asked;
  }
}

/** The viewer on the page, once it shows `view`. If WebGPU fails, WebGL2 draws; with `?webgl2` in the address, it does from the start. */
async function start(Viewer, view, instead) {
  const canvas = newCanvas();
  const viewer = new Viewer();
  try {
    await viewer.start(canvas, view, instead);
    return viewer;
  } catch (error) {
    viewer.stop();
    if (instead !== undefined) throw error;
    return start(Viewer, view, withoutWebGpu(error.message ?? error));
  }
}

/** The viewer's message when it continues without WebGPU. Further lines of an error say where in the program it was. */
function withoutWebGpu(why) {
  const [first] = String(why).split("\n");
  return `WebGPU failed (${first}): the viewer continues with WebGL2.`;
}

/** A canvas in place of the last one: WebGL2 cannot use a canvas that WebGPU has drawn on. */
function newCanvas() {
  const old = document.getElementById("canvas");
  const canvas = old.cloneNode();
  old.replaceWith(canvas);
  canvas.addEventListener("webglcontextlost", () => {
    fail("The browser has taken the graphics away, perhaps because another program needed them. Load the page again to continue.");
  });
  return canvas;
}

async function run() {
  const lack = lacking();
  if (lack) return fail(`${lack} A recent Firefox, Chrome, Edge or Safari can show the viewer.`);

  const { default: init, Viewer } = await import("./quadrille_view.js");
  await init({ module_or_path: await load("./quadrille_view_bg.wasm") });
  what.textContent = "Starting …";
  let viewer = await start(Viewer, wanted(), new URLSearchParams(location.search).has("webgl2") ? "" : undefined);

  // For tests and the curious; it changes nothing.
  window.quadrille = Object.freeze({
    state: () => viewer.state(),
    figures: () => JSON.parse(viewer.figures()),
    widgets: () => JSON.parse(viewer.widgets()),
  });
  for (;;) {
    notice.hidden = true;
    const { stopped, lost } = await end(viewer);
    if (stopped) return fail(`The viewer has stopped because of a bug: ${stopped}. Load the page again to continue.`);
    const view = viewer.state();
    viewer.stop();
    notice.hidden = false;
    viewer = await start(Viewer, view, withoutWebGpu(lost));
  }
}

/** Waits until the viewer has stopped or has lost its graphics. Until then, the address always describes what is on the screen. */
function end(viewer) {
  return new Promise((tell) => {
    const timer = setInterval(() => {
      const [stopped, lost] = [viewer.failure(), viewer.lost()];
      if (stopped !== undefined || lost !== undefined) {
        clearInterval(timer);
        return tell({ stopped, lost });
      }
      const hash = `#${viewer.state()}`;
      if (hash !== location.hash) history.replaceState(null, "", hash);
    }, INTERVAL);
  });
}

// A changed address shows another view.
addEventListener("hashchange", () => location.reload());
run().catch((error) => fail(`The viewer could not be started: ${error.message ?? error}`));
