import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Json } from './reply.ts';

/** A span as it came over the wire. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** What it is of a conversation, by OpenTelemetry's numbers. */
  readonly kind: number;
  /** By name. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly hasFailed: boolean;
}

/** Plays a collector of OpenTelemetry, which takes traces as OTLP over HTTP. */
export interface Collector {
  readonly environment: { readonly OTEL_EXPORTER_OTLP_ENDPOINT: string };
  /** What came so far. */
  readonly spans: readonly CollectedSpan[];
  /** All that was said, as text. */
  readonly text: string;
}

const FAILED = 2;

/** Starts one that ends with the test. */
export async function aCollector(): Promise<Collector> {
  const bodies: Json[] = [];
  const server = createServer(async (request, response) => {
    if (isTraces(request)) bodies.push(await json(request));
    response.writeHead(isTraces(request) ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    get spans() {
      return bodies.flatMap(spansIn);
    },
    get text() {
      return JSON.stringify(bodies);
    },
  };
}

function isTraces({ method, url }: IncomingMessage): boolean {
  return method === 'POST' && url === '/v1/traces';
}

function spansIn(body: Json): CollectedSpan[] {
  const spans = body.resourceSpans.flatMap(({ scopeSpans }: Json) =>
    scopeSpans.flatMap((scope: Json) => scope.spans),
  );
  return spans.map(({ attributes = [], status, ...span }: Json) => ({
    ...span,
    attributes: Object.fromEntries(attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]])),
    hasFailed: status?.code === FAILED,
  }));
}
