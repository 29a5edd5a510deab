// The package's examples in a browser without a screen. Needs dist and Chromium (CHROMIUM, or /usr/bin/chromium).

import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../../../web/test/server.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
];

/** A browser, and a server of the package: open while the tests of a file run. */
export function opened() {
  const open = {};
  before(async () => {
    open.server = await serve(fileURLToPath(new URL("../../", import.meta.url)));
    open.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  });
  after(async () => {
    await open.browser?.close();
    open.server?.close();
  });
  return open;
}
