import type { Config } from './config.ts';
import { listen, type OpenPort } from './listen.ts';
import type { GaugeSources } from './observability/gauges.ts';
import { UNWATCHED, type Watch } from './observability/watch.ts';

/** Metrics and traces by configuration. */
export interface Telemetry extends Watch {
  /**
   * Opens the port for Prometheus, if METRICS_PORT is set.
   * @param sources the gauges that each scrape reads
   * @returns its URL, or null
   * @throws the error of `listen` if the address is not available
   */
  open(sources: GaugeSources): Promise<string | null>;
  /** Closes the port and sends the remaining traces. */
  close(): Promise<void>;
}

/** Creates the configured telemetry. It loads only the libraries in use. */
export async function createTelemetry(config: Config): Promise<Telemetry> {
  const { METRICS_HOST, METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT: collector, PROCESS } = config;
  const metrics =
    METRICS_PORT === undefined ? null : (await import('./observability/metrics.ts')).createMetrics();
  const traces =
    collector === undefined
      ? null
      : (await import('./observability/traces.ts')).createTraces(collector, PROCESS);
  let listener: OpenPort | null = null;
  return {
    meters: metrics?.meters ?? UNWATCHED.meters,
    tracer: traces ?? UNWATCHED.tracer,
    open: async (sources) => {
      if (metrics === null || METRICS_PORT === undefined) return null;
      metrics.show(sources);
      listener = await listen((request) => answerScrape(request, metrics), METRICS_HOST, METRICS_PORT);
      return `http://${METRICS_HOST}:${listener.port}/metrics`;
    },
    close: async () => {
      await Promise.all([listener?.close(), traces?.close()]);
    },
  };
}

async function answerScrape(
  request: Request,
  metrics: { page(): Promise<{ type: string; text: string }> },
): Promise<Response> {
  if (new URL(request.url).pathname !== '/metrics') return new Response(null, { status: 404 });
  const { type, text } = await metrics.page();
  return new Response(text, { headers: { 'Content-Type': type } });
}
