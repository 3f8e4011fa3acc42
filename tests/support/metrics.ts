import { parser } from '@prometheus-io/lezer-promql';
import type { StartedOpine } from './opine.ts';

/** Enables the metrics endpoint on a free port. */
export const WITH_METRICS = { METRICS_PORT: '0' };

/** A page of Prometheus metrics. */
export interface Scrape {
  readonly text: string;
  /** Metric names; histograms count once. */
  readonly metrics: ReadonlySet<string>;
  /** Returns the value of the series with at least these labels. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

export async function scrape({ metricsUrl }: Pick<StartedOpine, 'metricsUrl'>): Promise<Scrape> {
  if (metricsUrl === null) throw new Error('METRICS_PORT is not set.');
  return readPage(await fetch(metricsUrl).then((answer) => answer.text()));
}

function readPage(text: string): Scrape {
  const lines = text.split('\n');
  return {
    text,
    metrics: new Set(lines.flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? [])),
    value: (name, labels = {}) => {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const line = lines.find(
        (each) => /^\w+/.exec(each)?.[0] === name && wanted.every((label) => each.includes(label)),
      );
      return line === undefined ? undefined : Number(line.split(' ').at(-1));
    },
  };
}

/**
 * Returns the metric names in a PromQL expression with Grafana variables.
 * @throws Error on invalid PromQL
 */
export function metricsIn(expression: string): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${expression}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(text.slice(from, to));
    },
  });
  return names;
}
