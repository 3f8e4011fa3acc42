import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type GaugeSources, registerGauges } from './gauges.ts';
import type { Meters } from './watch.ts';

// Most requests take milliseconds, and none takes more than ten seconds.
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The metrics of one server, for Prometheus (docs/monitoring.md). Servers in one process share nothing. */
export interface Metrics {
  readonly meters: Meters;
  /** Adds gauges of these sources. Called once. */
  show(sources: GaugeSources): void;
  /** Returns the page that Prometheus scrapes. */
  page(): Promise<{ readonly type: string; readonly text: string }>;
}

/** Creates metrics, all at zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    meters: createMeters(registry),
    show: (sources) => registerGauges(registry, sources),
    page: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

function createMeters(registry: Registry): Meters {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const requests = counter('opine_requests_total', 'Requests answered.', ['operation', 'method', 'status']);
  const latencies = new Histogram({
    name: 'opine_request_seconds',
    help: 'Duration of requests.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers: [registry],
  });
  const retries = counter('opine_database_retries_total', 'Statements retried after a lost race.', [
    'pool',
    'sqlstate',
  ]);
  const replicaReads = counter('opine_replica_reads_total', 'Reads that a replica may answer, by outcome.', [
    'outcome',
  ]);
  const pushes = counter('opine_pushes_total', 'Push messages by outcome.', ['outcome', 'failure']);
  const runs = counter('opine_task_runs_total', 'Runs of worker tasks.', ['task']);
  const failures = counter('opine_task_failures_total', 'Failed runs of worker tasks.', ['task']);
  const runSeconds = counter('opine_task_seconds_total', 'Duration of runs of worker tasks.', ['task']);
  return {
    answered: ({ operation = 'none', method, status, seconds }) => {
      requests.inc({ operation, method: METHODS.has(method) ? method : 'other', status });
      latencies.observe({ operation }, seconds);
    },
    retried: (pool, sqlstate) => retries.inc({ pool, sqlstate }),
    replicaRead: (outcome) => replicaReads.inc({ outcome }),
    pushed: ({ outcome, failure }) => pushes.inc({ outcome, failure: failureLabel(failure) }),
    taskRun: (task, seconds, hasFailed) => {
      runs.inc({ task });
      failures.inc({ task }, hasFailed ? 1 : 0);
      runSeconds.inc({ task }, seconds);
    },
  };
}

// Codes of FCM and of Google's APIs, and our own (src/push).
const KNOWN = new Set([
  'INTERNAL',
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'QUOTA_EXCEEDED',
  'SENDER_ID_MISMATCH',
  'THIRD_PARTY_AUTH_ERROR',
  'UNAUTHENTICATED',
  'UNAVAILABLE',
  'UNREGISTERED',
  'file',
  'late',
  'sealed',
  'stopped',
]);

/** Returns the metric label of a push failure. Unknown codes share one, so that the number of labels stays small. */
export function failureLabel(failure: string | undefined): string {
  if (failure === undefined) return 'none';
  if (KNOWN.has(failure)) return failure;
  const status = /^http\/([345])\d\d$/.exec(failure)?.[1];
  return status === undefined ? 'other' : `http/${status}xx`;
}
