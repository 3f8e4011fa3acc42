import { POOL_SIZE } from './api.ts';
import type { Comparison } from './comparison.ts';
import { markdownTable } from './markdown.ts';
import { median } from './rates.ts';
import { hot, inFew, inMany, inManyPlaced, inNone, spread } from './votes-kinds.ts';
import type { Retries, Series, Trial, Way } from './votes-trial.ts';

const TARGETS = { onePost: 0.9, statement: 0.6, retries: 0.01, manyHubs: 8 };

const RATE_HEADINGS = [
  'votes a second',
  'rate',
  'held against',
  'rate',
  'ratio',
  'lowest to highest',
  'target',
];
const TIME_HEADINGS = [
  'milliseconds a vote',
  'time',
  'held against',
  'time',
  'ratio',
  'lowest to highest',
  'target',
];
const RETRY_HEADINGS = ['run again', 'votes', 'run again', 'share', 'target'];

/** A round in one line: the last of those that are there. */
export function votesLine(clients: number, series: readonly Series[]): string {
  const rates = series.map(
    ({ votes, way, rates }) => `${votes.title} ${placeOf(way, clients)} ${perSecond(rates.at(-1))}/s`,
  );
  return `${clients} clients: ${rates.join('; ')}`;
}

/** Votes on one post held against those on many, and those through the API against their statement. */
export function postsTable(trials: readonly Trial[]): string {
  const rows = trials.flatMap((trial) => {
    const row = rowIn(trial);
    const kinds = (['API', 'pgbench', 'pool'] as const).map((way) =>
      row([hot, way], [spread, way], way === 'pool' ? undefined : TARGETS.onePost),
    );
    const ways = [spread, hot].map((votes) => row([votes, 'API'], [votes, 'pool'], TARGETS.statement));
    return [...kinds, ...ways];
  });
  return markdownTable(RATE_HEADINGS, rows);
}

/** How many transactions were run again. */
export function retriesTable(trials: readonly Trial[]): string {
  const rows = trials.flatMap(({ clients, retries }) => retries.map((counted) => retryRow(clients, counted)));
  return markdownTable(RETRY_HEADINGS, rows);
}

/** How long votes of people in many Hubs take, held against those of people in none. */
export function membersTable(trials: readonly Trial[]): string {
  const rows = trials.flatMap((trial) =>
    [inFew, inMany, inManyPlaced].map((votes) =>
      timeRowIn(trial, votes, votes === inMany ? TARGETS.manyHubs : undefined),
    ),
  );
  return markdownTable(TIME_HEADINGS, rows);
}

/** How long the worker's fold was at work for each vote. */
export function foldTable(trials: readonly Trial[]): string {
  const rows = trials.flatMap(({ clients, series }) =>
    series.map(({ votes, way, foldMs }) => [titleOf([votes, way], clients), median(foldMs).toFixed(2)]),
  );
  return markdownTable(['the fold', 'milliseconds a vote'], rows);
}

type Side = readonly [votes: Comparison, way: Way];

function rowIn(trial: Trial): (timed: Side, against: Side, target: number | undefined) => string[] {
  return (timed, against, target) => {
    const [rates, others] = [ratesOf(trial, timed), ratesOf(trial, against)];
    const ratios = rates.map((rate, round) => rate / (others[round] ?? Number.NaN));
    return [
      ...[titleOf(timed, trial.clients), perSecond(median(rates))],
      ...[titleOf(against, trial.clients), perSecond(median(others))],
      ...ratioCells(ratios),
      target === undefined ? '' : `${target.toFixed(2)} ${median(ratios) >= target ? 'met' : 'MISSED'}`,
    ];
  };
}

function timeRowIn(trial: Trial, votes: Comparison, target: number | undefined): string[] {
  const [rates, others] = [ratesOf(trial, [votes, 'API']), ratesOf(trial, [inNone, 'API'])];
  const ratios = rates.map((rate, round) => (others[round] ?? Number.NaN) / rate);
  const milliseconds = (rate: number) => (1000 / rate).toFixed(2);
  return [
    ...[titleOf([votes, 'API'], trial.clients), milliseconds(median(rates))],
    ...[inNone.title, milliseconds(median(others))],
    ...ratioCells(ratios),
    target === undefined ? '' : `${target.toFixed(2)} ${median(ratios) <= target ? 'met' : 'MISSED'}`,
  ];
}

function retryRow(clients: number, { votes, way, cast, retries }: Retries): string[] {
  const share = retries / (cast + retries);
  const verdict = `${percent(TARGETS.retries)} ${share < TARGETS.retries ? 'met' : 'MISSED'}`;
  return [titleOf([votes, way], clients), String(cast), String(retries), percent(share), verdict];
}

function ratesOf({ series }: Trial, [votes, way]: Side): readonly number[] {
  return series.find((one) => one.votes === votes && one.way === way)?.rates ?? [];
}

function titleOf([votes, way]: Side, clients: number): string {
  return `${votes.title}, ${placeOf(way, clients)}`;
}

function placeOf(way: Way, clients: number): string {
  return way === 'API'
    ? `API, ${clients} clients`
    : `pgbench, ${way === 'pool' ? POOL_SIZE : clients} connections`;
}

function ratioCells(ratios: readonly number[]): [string, string] {
  return [
    median(ratios).toFixed(2),
    `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
  ];
}

function perSecond(rate = Number.NaN): string {
  return String(Math.round(rate));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
