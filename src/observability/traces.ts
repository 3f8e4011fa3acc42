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

/** A tracer that sends what it saw, now and then and when it is closed. */
export interface Traces extends Tracer {
  /** Ends when what was seen is sent, or cannot be. */
  close(): Promise<void>;
}

/**
 * Sends traces to an OpenTelemetry collector. Nothing of it is global: several in a process do not mix.
 * @param endpoint where the collector takes OTLP over HTTP, without `/v1/traces`
 * @param part what this process is of the service
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
      const around = contexts.getStore() ?? ROOT_CONTEXT;
      const parent = headers === undefined ? around : propagator.extract(around, headers, HEADERS);
      const kind = headers === undefined ? SpanKind.INTERNAL : SpanKind.SERVER;
      const span = tracer.startSpan(name, { kind }, parent);
      try {
        return await contexts.run(trace.setSpan(parent, span), () => work(shown(span)));
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

function shown(span: OpenSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    describe: (attributes) => void span.setAttributes(attributes),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
  };
}
