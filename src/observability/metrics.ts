import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type GaugeSources, showGauges } from './gauges.ts';
import { failureLabel } from './push-failures.ts';
import type { Meters } from './watch.ts';

// Around what clients notice: most requests take milliseconds, and none more than ten seconds.
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The metrics of one server, for Prometheus (docs/watching.md). Several in a process have nothing in common. */
export interface Metrics {
  /** What counts. */
  readonly meters: Meters;
  /** Shows what these say, as of each scrape, as well. Called once. */
  show(sources: GaugeSources): void;
  /** A page as Prometheus scrapes it, and its media type. */
  page(): Promise<{ readonly type: string; readonly text: string }>;
}

/** Counts from zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    meters: createMeters(registry),
    show: (sources) => showGauges(registry, sources),
    page: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

function createMeters(registry: Registry): Meters {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const requests = counter('opine_requests_total', 'Requests answered.', ['operation', 'method', 'status']);
  const latencies = new Histogram({
    name: 'opine_request_seconds',
    help: 'How long requests took to be answered.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers: [registry],
  });
  const retries = counter('opine_database_retries_total', 'Statements run again as they lost a race.', [
    'pool',
    'sqlstate',
  ]);
  const replicaReads = counter('opine_replica_reads_total', 'Reads for a replica, by what came of them.', [
    'outcome',
  ]);
  const pushes = counter('opine_pushes_total', 'Push messages by what came of them.', ['outcome', 'failure']);
  const turns = counter('opine_task_runs_total', 'Turns that tasks of the worker took.', ['task']);
  const failures = counter('opine_task_failures_total', 'Turns that failed.', ['task']);
  const dutySeconds = counter('opine_task_seconds_total', 'How long the turns took.', ['task']);
  return {
    answered: ({ operation = 'none', method, status, seconds }) => {
      requests.inc({ operation, method: METHODS.has(method) ? method : 'other', status });
      latencies.observe({ operation }, seconds);
    },
    retried: (pool, sqlstate) => retries.inc({ pool, sqlstate }),
    replicaRead: (outcome) => replicaReads.inc({ outcome }),
    pushed: ({ outcome, failure }) => pushes.inc({ outcome, failure: failureLabel(failure) }),
    taskRun: (task, seconds, hasFailed) => {
      turns.inc({ task });
      failures.inc({ task }, hasFailed ? 1 : 0);
      dutySeconds.inc({ task }, seconds);
    },
  };
}
