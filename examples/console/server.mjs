// The console's server: the files of the page, and two questions to the database.
//
//   GET  /             the page; it loads the files of public/ and no others
//   GET  /api/options  what the form can offer: models, countries, defaults
//   POST /api/launch   a workload as JSON; the answer of launch_by_workload
//
// It listens on 127.0.0.1, at PORT (8080). The database is the one of the PG* variables.
import { readdirSync, readFileSync } from "node:fs";
import { createServer, STATUS_CODES } from "node:http";
import { extname } from "node:path";
import { close, explain, launch, options, Refusal } from "./database.mjs";

const LARGEST_BODY = 64 * 1024;
const LARGEST_HEADER = 128 * 1024; // a shared address holds the whole form, a long model name included

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const HEADERS = {
  "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-cache",
};

/** Path to file, read once: a path that is not among them is not looked for on the disk. */
const files = new Map(readdirSync(new URL("public/", import.meta.url)).map((name) => [
  name === "index.html" ? "/" : `/${name}`,
  { type: TYPES[extname(name)], content: readFileSync(new URL(`public/${name}`, import.meta.url)) },
]));

const routes = new Map([
  ["/api/options", { method: "GET", answer: options }],
  ["/api/launch", { method: "POST", answer: async (request) => launch(await readJson(request)) }],
]);

/** The body as JSON. What is beyond the limit is read and dropped, so that the refusal reaches the sender. */
async function readJson(request) {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new Refusal(415, "the body must be application/json");
  }
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  if (size > LARGEST_BODY) throw new Refusal(413, `the body is larger than ${LARGEST_BODY} bytes`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Refusal(400, "the body is not JSON");
  }
}

/** What to send for a request: a status, a type and a content. */
async function respond(request) {
  const path = request.url.split("?", 1)[0];
  const file = files.get(path);
  const route = routes.get(path);
  if (!file && !route) throw new Refusal(404, "there is no such page");
  const methods = file || route.method === "GET" ? ["GET", "HEAD"] : [route.method];
  if (!methods.includes(request.method)) throw new Refusal(405, `${request.method} is not for this page`, { Allow: methods.join(", ") });
  if (file) return { status: 200, ...file };
  return { status: 200, type: "application/json", content: await route.answer(request) };
}

/** A fault as JSON. Never thrown on: the server outlives every request. */
function fault(error) {
  const { status, headers, ...said } = explain(error);
  if (status === 500) console.error(error);
  return { status, type: "application/json", content: JSON.stringify({ error: said }), headers };
}

async function serve(request, response) {
  const { status, type, content, headers } = await respond(request).catch(fault);
  const bytes = Buffer.from(content);
  response.writeHead(status, {
    ...HEADERS, ...headers, "Content-Type": type, "Content-Length": bytes.length,
    ...(server.listening ? {} : { Connection: "close" }),
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

const server = createServer({ maxHeaderSize: LARGEST_HEADER, headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
  serve(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});

// What is no HTTP has no request to answer; the socket gets its fault as JSON all the same.
server.on("clientError", (error, socket) => {
  if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code] ?? 400;
  const { content } = fault(new Refusal(status, STATUS_CODES[status].toLowerCase()));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(content)}\r\nConnection: close\r\n\r\n${content}`);
});

server.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
  close();
});

server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});

// Requests under way are answered, then nothing is left to wait for and the process ends with status 0.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close(close);
    server.closeIdleConnections();
  });
}
