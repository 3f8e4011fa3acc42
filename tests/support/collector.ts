import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Json } from './client.ts';
import { close, listen } from './loopback.ts';

interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** OpenTelemetry's number of the span kind. */
  readonly kind: number;
  /** Attributes by name. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly hasFailed: boolean;
}

/** A fake OpenTelemetry collector (OTLP over HTTP). */
interface Collector {
  readonly environment: { readonly OTEL_EXPORTER_OTLP_ENDPOINT: string };
  readonly spans: readonly CollectedSpan[];
  /** Everything received, as text. */
  readonly text: string;
}

const FAILED = 2;

/** Starts a collector that stops with the test. */
export async function aCollector(): Promise<Collector> {
  const bodies: Json[] = [];
  const server = createServer(async (request, response) => {
    if (isTraces(request)) bodies.push(await json(request));
    response.writeHead(isTraces(request) ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
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
