// Opens each page of a folder in Chromium, on a phone and on a desk, light and dark, with and
// without its style element; prints what is wrong as JSON, a line a view.
//
//     node look.mjs CHROMIUM PAGES PICTURES
//
// Pages whose names begin with "look-" are also looked at by axe, and a picture is kept.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [browserPath, pages, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
// The page is loaded once; the last views are without its style element.
const VIEWS = [
  { width: 360, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
  { width: 1024, colorScheme: "dark" },
  { width: 1024, colorScheme: "light" },
  { width: 1024, colorScheme: "light", bare: true },
  { width: 360, colorScheme: "light", bare: true },
];

async function look(page, file) {
  const said = [];
  const hear = (kind) => (what) => said.push(`${kind}: ${what.text?.() ?? what.url?.() ?? what}`);
  page.removeAllListeners();
  page.on("console", hear("console")).on("pageerror", hear("error"));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) hear("request")(request);
  });
  await page.goto(pathToFileURL(join(pages, file)).href);
  for (const view of VIEWS) console.log(JSON.stringify(await see(page, file, view, said)));
}

async function see(page, file, view, said) {
  await page.setViewportSize({ width: view.width, height: 800 });
  await page.emulateMedia({ colorScheme: view.colorScheme });
  const [wide, room] = await page.evaluate((bare) => {
    if (bare) document.querySelector("style")?.remove();
    const root = document.documentElement;
    return [root.scrollWidth, root.clientWidth];
  }, view.bare ?? false);
  const close = file.startsWith("look-");
  const faults = close ? await check(page) : [];
  if (close) {
    const name = [file.slice(5, -5), view.width, view.bare ? "bare" : view.colorScheme].join("-");
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  }
  return { file, ...view, wide, room, said: said.splice(0), faults, close };
}

async function check(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(
    (tags) => window.axe.run({ runOnly: { type: "tag", values: tags } }), TAGS);
  const told = ({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`);
  return found.violations.flatMap(told);
}

const browser = await chromium.launch({ executablePath: browserPath, args: FLAGS });
const files = readdirSync(pages).filter((name) => name.endsWith(".html")).sort();
async function work() {
  const page = await (await browser.newContext({ deviceScaleFactor: 2 })).newPage();
  for (let file = files.pop(); file; file = files.pop()) {
    await look(page, file);
  }
}
await Promise.all([work(), work()]);
await browser.close();
