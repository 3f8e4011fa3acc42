import { build, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { aCollector } from '../support/collector.ts';
import { startOpine, WITH_WORKER } from '../support/opine.ts';
import { withoutColumn } from '../support/outages.ts';
import { confirmedPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
/** The OTLP span kind of an incoming request. */
const SERVER = 2;

test('a request has a span in the trace of its caller, with a child span for the gateway and no personal data', async () => {
  const collector = await aCollector();
  const opine = await startOpine({ ...WITH_WORKER, ...collector.environment });
  const maya = await confirmedPerson(opine, 'Maya');
  const post = await aSlider(maya);
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, 'X-Request-Id': 'reading' };
  await maya.get(`/posts/${post.id}`, { headers });
  await castVote(maya, post, 'strong_left');
  await withoutColumn(opine.database, 'app.posts', 'author_id', () => maya.get(`/posts/${post.id}`));
  await opine.stop();

  const { spans, text } = collector;
  const [read] = spans.filter(({ traceId, name }) => traceId === TRACE && name === 'get_post');
  expect(read).toMatchObject({
    parentSpanId: CALLER,
    kind: SERVER,
    hasFailed: false,
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'opine.request_id': 'reading',
    },
  });
  expect(spans.filter(({ parentSpanId }) => parentSpanId === read?.spanId)).toMatchObject([
    { name: 'gateway', traceId: TRACE },
  ]);
  expect(spans.filter(({ name, hasFailed }) => name === 'get_post' && hasFailed)).toMatchObject([
    { attributes: { 'http.response.status_code': 500 } },
  ]);
  const vote = spans.find(({ name }) => name === 'cast_vote');
  expect(vote?.traceId).not.toBe(TRACE);
  expect(spans.some(({ name, parentSpanId }) => name === 'task: deliver outbox' && !parentSpanId)).toBe(true);

  for (const secret of [maya.id, post.id, 'strong_left', 'Is this so?', 'select ', 'author_id', '/posts'])
    expect(text).not.toContain(secret);
});

test('a server with an unreachable collector serves requests and stops', async () => {
  const opine = await startOpine({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect((await fetch(`${opine.url}/readyz`)).status).toBe(200);
  await opine.stop();
});

/** Returns the files loaded with an entry point, without dynamic imports. */
function loadedWith(entry: string, { inputs }: Metafile): string[] {
  const found = new Set<string>([entry]);
  for (const file of found) {
    for (const { path, kind } of inputs[file]?.imports ?? []) {
      if (kind !== 'dynamic-import') found.add(path);
    }
  }
  return [...found];
}

test('no entry point loads prom-client or OpenTelemetry statically', async () => {
  const { metafile } = await build({
    entryPoints: ['src/server.ts', 'src/edge.ts', 'src/edge-tasks.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.wasm': 'empty' },
    outdir: 'unused',
    write: false,
    metafile: true,
  });
  const watches = /prom-client|opentelemetry/;
  expect(Object.keys(metafile.inputs)).toContain('src/observability/traces.ts');
  expect(loadedWith('src/server.ts', metafile)).toContain('src/observability/watch.ts');
  for (const entry of ['src/server.ts', 'src/edge.ts', 'src/edge-tasks.ts'])
    expect(loadedWith(entry, metafile).filter((file) => watches.test(file))).toEqual([]);
});
