// Opens a page of `trilist compare --html` in a real browser and uses it as people do.
//
//   node page.cjs PLAYWRIGHT CHROMIUM TASK PAGE [SCREENSHOTS]
//
// A broken expectation ends it with a message and a status that is not 0.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const [playwright, executablePath, task, file, screenshots] = process.argv.slice(2);
const { chromium } = require(playwright);

const rows = (page) => page.locator("#body > [role=row]");
const names = (page) => page.locator("#body > [role=row] .name code").allTextContents();
const pressed = (page, name) => page.getByRole("button", { name, exact: true }).first();

async function open(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const seen = { requests: [], problems: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("pageerror", (error) => seen.problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") seen.problems.push(message.text());
  });
  page.on("dialog", (dialog) => {
    seen.problems.push(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("html[data-ready]", { timeout: 20_000 }).catch((error) => {
    throw new Error([...seen.problems, error].join("\n"));
  });
  return { page, seen, context };
}

// Nothing leaves the page, and nothing of it goes wrong.
function quiet(seen) {
  assert.deepEqual(seen.problems, []);
  assert.deepEqual(seen.requests, [pathToFileURL(file).href]);
}

async function shot(page, name) {
  if (screenshots) await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

const tasks = {
  // A repository with a row for each reason; see html.rs.
  async use(browser) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, seen, context } = await open(browser, { colorScheme });
      await shot(page, `compare-${colorScheme}`);
      await contrast(page, colorScheme);
      quiet(seen);
      await context.close();
    }
    const { page, seen } = await open(browser);
    await folds(page);
    await filters(page);
    await searches(page);
    await keyboard(page);
    await shot(page, "compare-focus");
    quiet(seen);
    await narrow(browser);
  },

  // Names that try to be more than text.
  async hostile(browser) {
    const { page, seen } = await open(browser);
    await pressed(page, "Unfold all").click();
    const shown = await names(page);
    for (const name of JSON.parse(process.env.HOSTILE_NAMES)) {
      assert.ok(shown.includes(name), `${name} is not among ${JSON.stringify(shown)}`);
    }
    assert.equal(await page.locator("#body img, #body script, #body a, #body iframe").count(), 0);
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    await shot(page, "compare-hostile");
    quiet(seen);
  },

  // Tens of thousands of rows, of which few are made at a time.
  async many(browser) {
    const { page, seen } = await open(browser);
    const timing = await page.evaluate(() => performance.getEntriesByType("navigation")[0].toJSON());
    const found = await page.locator("#found").textContent();
    const few = await rows(page).count();
    assert.ok(few <= 1000, `${few} rows at once`);
    const start = Date.now();
    await pressed(page, "Unfold all").click();
    assert.equal(await rows(page).count(), 1000);
    const unfolded = Date.now() - start;
    await page.locator("#more-button").click();
    assert.equal(await rows(page).count(), 2000);
    const searched = Date.now();
    await page.locator("#search").fill("d7/f4");
    await page.waitForFunction((before) => document.getElementById("found").textContent !== before, found);
    const elapsed = Date.now() - searched;
    console.log(`${found}: loaded in ${Math.round(timing.domComplete)} ms, unfolded in ${unfolded} ms, searched in ${elapsed} ms`);
    await shot(page, "compare-many");
    quiet(seen);
  },
};

async function folds(page) {
  const before = await names(page);
  assert.ok(before.includes("src/"), JSON.stringify(before));
  const folder = rows(page).filter({ has: page.locator("code", { hasText: /^src\/$/ }) });
  assert.equal(await folder.getAttribute("aria-expanded"), "true");
  assert.match(await folder.textContent(), /2 rows.*2 of 2 rows listed/);
  await folder.locator(".name").click();
  assert.equal(await folder.getAttribute("aria-expanded"), "false");
  const after = await names(page);
  assert.ok(after.length < before.length && !after.includes("main.rs"), JSON.stringify(after));
  await folder.locator(".name").click();
  assert.deepEqual(await names(page), before);
  await pressed(page, "Fold all").click();
  assert.equal(await page.locator("#body [aria-expanded=true]").count(), 0);
  await pressed(page, "Unfold all").click();
  assert.deepEqual(await names(page), before);
}

async function filters(page) {
  const all = await names(page);
  const leaves = async () => (await names(page)).filter((name) => !/^(src|gone|forced)\/$/.test(name));
  await pressed(page, /^untracked/).click();
  assert.equal(await pressed(page, /^untracked/).getAttribute("aria-pressed"), "true");
  assert.deepEqual(await leaves(), ["debug.log", "empty/", "b.o", "new.rs", "node_modules/", "target/"]);
  await pressed(page, /^files/).click();
  assert.deepEqual(await leaves(), []);
  assert.ok(await page.locator("#empty").isVisible());
  await pressed(page, /^untracked/).click();
  assert.ok((await leaves()).includes("old.rs"), "what is missing in files");
  await pressed(page, /^files/).click();
  await pressed(page, /^fs/).click();
  assert.deepEqual(await leaves(), ["old.rs"]);
  await pressed(page, /^fs/).click();
  await pressed(page, /^in chat/).click();
  assert.deepEqual(await leaves(), ["new.rs"]);
  assert.equal(await page.locator("#body .badge.chat").count(), 1);
  await pressed(page, /^in chat/).click();
  await pressed(page, /^only what differs/).click();
  assert.ok(!(await names(page)).includes("main.rs"));
  await pressed(page, /^only what differs/).click();
  assert.deepEqual(await names(page), all);
}

async function searches(page) {
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  await page.keyboard.type("SRC/MAIN");
  await page.waitForFunction(() => document.querySelectorAll("#body > [role=row]").length === 2);
  assert.deepEqual(await names(page), ["src/", "main.rs"]);
  assert.match(await page.locator("#found").textContent(), /^1 row of \d+$/);
  await page.locator("#search").fill("");
  await page.waitForFunction(() => document.querySelectorAll("#body > [role=row]").length > 2);
}

async function keyboard(page) {
  await pressed(page, "Fold all").click();
  const names = await rows(page).locator(".name code").allTextContents();
  // One row is a stop of the tab key; arrows do the rest.
  assert.equal(await page.locator("#body [tabindex='0']").count(), 1);
  await pressed(page, "Fold all").focus();
  await page.keyboard.press("Tab");
  const focused = () => page.evaluate(() => document.activeElement.querySelector("code")?.textContent);
  const first = await focused();
  assert.ok(names.includes(first), `tab leads to ${first}`);
  await page.keyboard.press("Home");
  assert.equal(await focused(), names[0]);
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), names[1]);
  await page.keyboard.press("End");
  assert.equal(await focused(), names.at(-1));
  while ((await focused()) !== "src/") await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")), "true");
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "lib.rs");
  assert.match(await page.locator("#told").textContent(), /src\/lib\.rs/);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), "src/");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")), "false");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")), "true");
}

async function narrow(browser) {
  const { page, context } = await open(browser, { viewport: { width: 420, height: 800 } });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  await shot(page, "compare-narrow");
  await context.close();
}

// Text can be told from what is behind it: 4.5 to 1, as WCAG asks.
async function contrast(page, scheme) {
  const low = await page.evaluate(() => {
    const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => {
      const line = (value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * line(r) + 0.7152 * line(g) + 0.0722 * line(b);
    };
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = parts(getComputedStyle(at).backgroundColor);
        if (colour[3] !== 0) return colour;
      }
      return [255, 255, 255];
    };
    const found = [];
    for (const element of document.querySelectorAll("main *, aside *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!own || element.matches("script, style")) continue;
      const [one, other] = [parts(getComputedStyle(element).color), behind(element)].map(light);
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < 4.5) found.push(`${element.className || element.tagName} ${ratio.toFixed(2)}`);
    }
    return [...new Set(found)];
  });
  assert.deepEqual(low, [], `contrast in ${scheme}`);
}

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await tasks[task](browser);
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
