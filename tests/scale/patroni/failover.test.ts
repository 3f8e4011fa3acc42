import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { ROOT } from '../../../scripts/db/paths.ts';
import { openReadyStream } from '../../support/streams.ts';
import type { Node } from './cluster.ts';
import { type ClusterStage, startClusterLoad, startClusterStage } from './stage.ts';

/** Acknowledged requests before and after each event. */
const REQUESTS = 200;

let stage: ClusterStage;

beforeAll(async () => {
  stage = await startClusterStage();
});

afterAll(() => stage?.stop());

test('every metric of the alerts is one of Patroni', async () => {
  const alerts = readFileSync(path.join(ROOT, 'ops/patroni/alerts.yml'), 'utf8');
  const named = new Set(alerts.match(/patroni_\w+/g));
  const response = await fetch(`http://${(await stage.cluster.primary()).address}:8008/metrics`);
  const exported = new Set((await response.text()).match(/^patroni_\w+/gm));
  expect(named.size).toBeGreaterThan(4);
  expect([...named].filter((metric) => !exported.has(metric))).toEqual([]);
});

/** What happens to a cluster under load. It returns how to repair it afterwards. */
type Event = (primary: Node) => Promise<(() => unknown) | undefined>;

const EVENTS: Readonly<Record<string, Event>> = {
  'Postgres is killed on the primary': async (primary) => {
    primary.killPostgres();
    return undefined;
  },
  'the node of the primary loses power': async (primary) => {
    await primary.kill();
    return () => primary.start();
  },
  'the primary is switched over': async (primary) => {
    const candidate = stage.cluster.nodes.find((node) => node !== primary);
    const config = ['-c', '/var/lib/postgresql/patroni.yml'];
    const members = ['--leader', primary.name, '--candidate', candidate?.name ?? ''];
    primary.run('patronictl', ...config, 'switchover', 'opine', ...members, '--force');
    return undefined;
  },
  'the network of the primary is cut': async (primary) => {
    primary.disconnect();
    return () => primary.reconnect();
  },
};

test.each(Object.entries(EVENTS))('nothing is lost when %s', async (title, event) => {
  const { cluster, opine } = stage;
  onTestFailed(() => void process.stdout.write(`${JSON.stringify(stage.bugs(), null, 2)}\n`));
  const { admin, load, expectNothingLost } = await startClusterLoad(stage);
  await load.progress(REQUESTS);
  const stream = await openReadyStream(opine(0), admin);
  const from = load.ledger.acknowledgedAt.length - 1;
  const primary = await cluster.primary();
  const repair = await event(primary);
  await load.progress(REQUESTS);
  await repair?.();
  await cluster.healthy();
  await load.progress(REQUESTS);
  report(title, load.ledger.acknowledgedAt.slice(from));
  // As a client does, it opens a stream again that the service has ended.
  const current = stream.ending === undefined ? stream : await openReadyStream(opine(0), admin);
  const earlier = new Set(current.events);
  await current.waitFor((signal) => signal.event === 'notification' && !earlier.has(signal));
  await expectNothingLost();
  expect((await cluster.primary()).name).not.toBe(primary.name);
});

/** Prints the longest time without an acknowledged request. */
function report(title: string, times: readonly number[]): void {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const rate = (1000 * (times.length - 1)) / ((times.at(-1) ?? 0) - (times[0] ?? 0));
  process.stdout.write(
    `${title}: no answer for ${(Math.max(...gaps) / 1000).toFixed(1)} s, ${rate.toFixed(0)} writes a second\n`,
  );
}
