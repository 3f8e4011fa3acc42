import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Span as OpenSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Span, Tracer } from './watch.ts';

const TIMEOUT_MS = 2_000;

/** A tracer that exports spans in batches. */
export interface Traces extends Tracer {
  /** Exports the remaining spans, or gives up on them. */
  close(): Promise<void>;
}

/**
 * Creates a tracer that exports to an OpenTelemetry collector. It sets no globals, so tracers in one process do not mix.
 * @param endpoint of the collector, OTLP over HTTP, without `/v1/traces`
 * @param part the role of this process, such as `api`
 */
export function createTraces(endpoint: string, part: string): Traces {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'opine', 'opine.process': part }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: TIMEOUT_MS })],
  });
  const tracer = provider.getTracer('opine');
  const propagator = new W3CTraceContextPropagator();
  const contexts = new AsyncLocalStorage<Context>();
  return {
    within: async (name, work, headers) => {
      const current = contexts.getStore() ?? ROOT_CONTEXT;
      const parent = headers === undefined ? current : propagator.extract(current, headers, HEADERS);
      const kind = headers === undefined ? SpanKind.INTERNAL : SpanKind.SERVER;
      const span = tracer.startSpan(name, { kind }, parent);
      try {
        return await contexts.run(trace.setSpan(parent, span), () => work(toSpan(span)));
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    close: () => provider.shutdown().catch(() => {}),
  };
}

const HEADERS: TextMapGetter<Headers> = {
  keys: (headers) => [...headers.keys()],
  get: (headers, name) => headers.get(name) ?? undefined,
};

function toSpan(span: OpenSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    describe: (attributes) => void span.setAttributes(attributes),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
  };
}
