// The package as its users have it: packed, installed, and run in Chromium without a bundler, by
// three bundlers, in a worker, and in the samples. Leaves pictures of the samples in test/apps/out.
//
//   npm install && node run.mjs      in this folder, with the modules built
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { answer } from "./src/answer.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const OUT = join(HERE, "out");
const PACKAGE = join(HERE, "../..");
const ARGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

process.chdir(HERE);
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT);

function installed() {
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", OUT], {
    cwd: PACKAGE,
    encoding: "utf8",
  });
  const file = join(OUT, packed.trim().split("\n").at(-1));
  rmSync("node_modules/carom", { recursive: true, force: true });
  mkdirSync("node_modules/carom");
  execFileSync("tar", ["-xzf", file, "-C", "node_modules/carom", "--strip-components=1"]);
  console.log(`packed: ${statSync(file).size} bytes`);
}

async function vite() {
  const { build } = await import("vite");
  writeFileSync(
    "out/index.html",
    '<!doctype html><script type="module" src="../src/plain.js"></script>',
  );
  await build({
    root: OUT,
    logLevel: "warn",
    base: "./",
    build: { outDir: join(OUT, "vite"), target: "es2022", emptyOutDir: true },
  });
}

/** The server of Vite for work on an app, with the setting of the README. */
async function viteServer() {
  const { createServer: create } = await import("vite");
  const server = await create({
    root: HERE,
    configFile: false,
    logLevel: "warn",
    optimizeDeps: { exclude: ["carom"] },
    server: { port: 0, host: "127.0.0.1" },
  });
  await server.listen();
  return server;
}

async function webpack() {
  const { default: webpack } = await import("webpack");
  const config = {
    mode: "production",
    entry: join(HERE, "src/plain.js"),
    performance: { hints: false },
    output: { path: join(OUT, "webpack"), filename: "app.js" },
  };
  const stats = await new Promise((resolve, reject) => {
    webpack(config, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
  assert.ok(!stats.hasErrors() && !stats.hasWarnings(), stats.toString());
  page("webpack");
}

async function esbuild() {
  const { build } = await import("esbuild");
  await build({
    entryPoints: ["src/handed.js"],
    bundle: true,
    format: "esm",
    outfile: "out/esbuild/app.js",
    loader: { ".wasm": "file" },
    logLevel: "error",
  });
  page("esbuild");
}

function page(name) {
  writeFileSync(
    join(OUT, name, "index.html"),
    '<!doctype html><script type="module" src="app.js"></script>',
  );
}

async function serve() {
  const server = createServer((request, response) => {
    const name = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const roots = name.startsWith("/samples/") ? PACKAGE : HERE;
    const path = join(roots, name.endsWith("/") ? `${name}index.html` : name);
    if (!path.startsWith(roots) || !existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end("not here\n");
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return server;
}

installed();
await vite();
await webpack();
await esbuild();
const map =
  '<script type="importmap">{"imports":{"carom":"/node_modules/carom/src/index.js"}}</script>';
mkdirSync("out/plain");
writeFileSync(
  "out/plain/index.html",
  `<!doctype html>${map}<script type="module" src="/src/plain.js"></script>`,
);
mkdirSync("out/worker");
writeFileSync(
  "out/worker/index.html",
  `<!doctype html><script type="module">
const module = await WebAssembly.compileStreaming(fetch("/node_modules/carom/dist/carom.wasm"));
const worker = new Worker("/src/worker.js", { type: "module" });
worker.onmessage = ({ data }) => { globalThis.answer = data; };
worker.postMessage(module);
</script>`,
);

// The page and the tour of the README, as they stand there.
const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
const block = (kind) => readme.match(new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``))[1];
mkdirSync("out/readme");
writeFileSync("out/readme/index.html", block("html").replace("./node_modules", "/node_modules"));
writeFileSync("out/tour.mjs", block("js"));
execFileSync("node", ["out/tour.mjs"], { stdio: "inherit" });

const expected = answer(await import("carom"));
const { chromium } = await import("playwright-core");
const server = await serve();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGS });
const root = `http://127.0.0.1:${server.address().port}`;

async function opened(path, from = root) {
  const page = await browser.newPage({ viewport: { width: 800, height: 500 } });
  const complaints = [];
  page.on("console", (it) => {
    if (it.type() === "error" && !/favicon/.test(it.location().url)) complaints.push(it.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(from + path);
  return { page, complaints };
}

try {
  const vites = await viteServer();
  const [fromVite] = vites.resolvedUrls.local;
  for (const name of ["plain", "worker", "vite", "webpack", "esbuild", "vite's server"]) {
    const { page, complaints } = name.endsWith("server")
      ? await opened("out/index.html", fromVite)
      : await opened(`/out/${name}/`);
    await page
      .waitForFunction(() => globalThis.answer, null, { timeout: 20_000 })
      .catch(() => assert.fail(`${name}: ${complaints.join("\n")}`));
    assert.equal(await page.evaluate(() => globalThis.answer), expected, name);
    assert.deepEqual(complaints, [], name);
    await page.close();
    console.log(`${name}: the hash of Node`);
  }
  await vites.close();
  {
    const { page, complaints } = await opened("/out/readme/");
    await page.waitForTimeout(300);
    const falling = await page.screenshot();
    await page.waitForTimeout(3_000);
    const lying = await page.screenshot({ path: join(OUT, "readme.png") });
    assert.ok(!falling.equals(lying), "the box of the README falls");
    assert.deepEqual(complaints, [], "the page of the README");
    await page.close();
  }
  for (const file of readdirSync(join(PACKAGE, "samples")).filter((it) => it.endsWith(".html"))) {
    const { page, complaints } = await opened(`/samples/${file}`);
    await page
      .waitForFunction(() => globalThis.steps > 150, null, { timeout: 60_000 })
      .catch(() => assert.fail(`${file}: ${complaints.join("\n")}`));
    if (file === "canvas.html") await page.mouse.click(60, 60);
    if (file === "phaser.html") await page.keyboard.press("d", { delay: 600 });
    const shot = await page.screenshot({ path: join(OUT, file.replace("html", "png")) });
    assert.ok(shot.length > 8_000, `${file}: next to nothing is drawn`);
    assert.deepEqual(complaints, [], file);
    await page.close();
    console.log(`${file}: ${shot.length} bytes of a picture`);
  }
} finally {
  await browser.close();
  server.close();
}
