import type { Clients, Times } from './latency.ts';
import { markdownTable } from './markdown.ts';
import { quantile } from './rates.ts';

/** How long the answers took, as a Markdown table: each kind, all kinds together, and the baselines. */
export function latencyTable({ title, mix, baselines, target }: Clients, times: Times): string {
  const timesOf = (kinds: Clients['mix']) => kinds.flatMap((kind) => times.get(kind) ?? []);
  const all = timesOf(mix);
  const verdict = target === undefined ? '' : `${target} ${quantile(all, 0.5) <= target ? 'met' : 'MISSED'}`;
  return markdownTable(
    [`milliseconds an answer: ${title}`, 'median', '95th percentile', 'maximum', 'target'],
    [
      ...mix.map((kind) => [kind.title, ...spreadOf(timesOf([kind])), '']),
      ['all of these', ...spreadOf(all), verdict],
      ...baselines.map((kind) => [`beside them: ${kind.title}`, ...spreadOf(timesOf([kind])), '']),
    ],
  );
}

function spreadOf(times: readonly number[]): string[] {
  return [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1));
}
