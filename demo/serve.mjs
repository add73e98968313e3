// A static server for demo/dist, as small as can be: node demo/serve.mjs [PORT]
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("dist/", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm", ".svg": "image/svg+xml",
};
// Isolated from other pages, a page gets a clock of 5 µs instead of 100: the stages of a step are short.
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** Begins to serve; 0 takes any free port. Gives the server once it listens. */
export async function serve(port) {
  const server = createServer(async (request, response) => {
    const name = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const path = join(ROOT, name.endsWith("/") ? `${name}index.html` : name);
    const found = path.startsWith(ROOT) && (await stat(path).catch(() => null))?.isFile();
    if (!found) {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("not here\n");
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", ...ISOLATED });
    createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
