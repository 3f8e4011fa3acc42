import type { StartedOpine } from './opine.ts';

/** Has a server scraped, on a port that it finds. */
export const SCRAPED = { METRICS_PORT: '0' };

/** A page of metrics, as Prometheus reads it. */
export interface Scrape {
  readonly text: string;
  /** What it has series of, by the name of the metric: histograms once. */
  readonly metrics: ReadonlySet<string>;
  /** The value of the series of this name that has these labels among its own; undefined where there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

/** Scrapes a server. */
export async function scrape({ metricsUrl }: Pick<StartedOpine, 'metricsUrl'>): Promise<Scrape> {
  if (metricsUrl === null) throw new Error('It is not to be scraped.');
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
