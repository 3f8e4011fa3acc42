import http, { type ServerResponse } from 'node:http';

const HEADERS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
const READY = 'retry: 3000\n\nevent: ready\ndata: {"unreadCount": 0, "inboxVersion": 0}\n\n';
const COMMENT = ': here\n\n';

// The interval of the API's comments.
const COMMENT_INTERVAL_MS = 15_000;

/** The baseline of streams: node:http alone, which writes comments to all streams at once. */
const streams = new Set<ServerResponse>();

const server = http.createServer((request, response) => {
  if (request.url === '/readyz') {
    response.end();
    return;
  }
  response.writeHead(200, HEADERS);
  response.write(READY);
  streams.add(response);
  response.once('close', () => streams.delete(response));
});

setInterval(() => {
  for (const stream of streams) stream.write(COMMENT);
}, COMMENT_INTERVAL_MS);
server.listen(Number(process.env.PORT), '127.0.0.1');
