import type { Config } from './config.ts';
import { type Listener, listen } from './listen.ts';
import type { GaugeSources } from './observability/gauges.ts';
import { UNWATCHED, type Watch } from './observability/watch.ts';

/** Who watches the service, by its configuration. */
export interface Watching extends Watch {
  /**
   * Answers scrapes from now on, with what `sources` say as well.
   * @returns where, null where nobody is to scrape
   * @throws the listener's error where the address cannot be had
   */
  open(sources: GaugeSources): Promise<string | null>;
  /** Answers no more, and sends what traces there are. */
  close(): Promise<void>;
}

/** Loads what the configuration asks for, and nothing where it asks for nothing. */
export async function createWatching(config: Config): Promise<Watching> {
  const { METRICS_HOST, METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT: collector, PROCESS } = config;
  const metrics =
    METRICS_PORT === undefined ? null : (await import('./observability/metrics.ts')).createMetrics();
  const traces =
    collector === undefined
      ? null
      : (await import('./observability/traces.ts')).createTraces(collector, PROCESS);
  let listener: Listener | null = null;
  return {
    meters: metrics?.meters ?? UNWATCHED.meters,
    tracer: traces ?? UNWATCHED.tracer,
    open: async (sources) => {
      if (metrics === null || METRICS_PORT === undefined) return null;
      metrics.show(sources);
      listener = await listen((request) => scraped(request, metrics), METRICS_HOST, METRICS_PORT);
      return `http://${METRICS_HOST}:${listener.port}/metrics`;
    },
    close: async () => {
      await Promise.all([listener?.close(), traces?.close()]);
    },
  };
}

async function scraped(
  request: Request,
  metrics: { page(): Promise<{ type: string; text: string }> },
): Promise<Response> {
  if (new URL(request.url).pathname !== '/metrics') return new Response(null, { status: 404 });
  const { type, text } = await metrics.page();
  return new Response(text, { headers: { 'Content-Type': type } });
}
