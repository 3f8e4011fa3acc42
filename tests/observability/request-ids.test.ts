import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createLog } from '../../src/log.ts';
import { UNWATCHED } from '../../src/observability/watch.ts';
import { fanOut } from '../../src/worker/tasks.ts';
import { runTask } from '../../src/worker/worker.ts';
import type { Client, Extras } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { whileNobodyReads, withoutColumn } from '../support/outages.ts';
import { aConfirmed, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import type { Json, Reply } from '../support/reply.ts';
import { eventually } from '../support/streams.ts';

let opine: Opine;
let maya: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine({ PROCESS: 'api' });
  maya = await aConfirmed(opine, 'Maya');
  post = await aSlider(maya);
});

afterAll(() => opine?.stop());

/** What Postgres calls those who wait for a lock, in the end. */
function waiting() {
  return eventually(async () => {
    const { rows } = await sql<{ name: string }>`
      select application_name as name from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' order by name
    `.execute(opine.database.superuser);
    return rows.map(({ name }) => name);
  });
}

/** The request that `ask` makes as `id` waits for `table`: Postgres shows it as `shown`. */
async function isShown(
  table: string,
  ask: (extras: Extras) => Promise<Reply>,
  id: string,
  shown = `opine-api ${id}`,
): Promise<void> {
  const { asked } = await whileNobodyReads(opine.database, table, async () => {
    const asked = ask({ headers: { 'X-Request-Id': id } });
    await waiting().toEqual([shown]);
    return { asked };
  });
  expect((await asked).headers.get('X-Request-Id')).toBe(id);
}

const read =
  (reader: Client) =>
  (extras: Extras): Promise<Reply> =>
    reader.get(`/posts/${post.id}`, extras);

describe('Postgres shows', () => {
  test('which request it works for, as long as it does', async () => {
    await isShown('app.posts', read(maya), 'reading-1');
    const { rows } = await sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and usename = 'opine_gateway'
    `.execute(opine.database.superuser);
    expect(rows).toEqual([{ name: 'opine-api' }]);
  });

  test('as much of a long id as it has room for', () =>
    isShown('app.posts', read(maya), 'x'.repeat(128), `opine-api ${'x'.repeat(53)}`));

  test('a vote, while it is written and while its answer is read', async () => {
    const jonas = await aConfirmed(opine, 'Jonas');
    const vote = (voter: Client) => (extras: Extras) =>
      voter.post(`/posts/${post.id}/vote`, { position: 'left' }, extras);
    await isShown('app.vote_slots', vote(maya), 'vote-1');
    await isShown('app.vote_pools', vote(jonas), 'vote-2');
  });

  test('what the service vouches for, and what has a key', async () => {
    const asks: [string, (extras: Extras) => Promise<Reply>][] = [
      [
        'app.refresh_tokens',
        (extras) => maya.post('/auth/session/refresh', { refreshToken: 'x'.repeat(43) }, extras),
      ],
      [
        'app.posts',
        ({ headers }) =>
          maya.post(
            '/posts',
            { visibility: 'public', thoughtText: 'Trams.' },
            {
              headers: { ...headers, 'Idempotency-Key': 'trams' },
            },
          ),
      ],
    ];
    for (const [table, ask] of asks) await isShown(table, ask, `asks-${table}`);
  });

  test("which of the worker's tasks it works for", async () => {
    const db = openWorkerDatabase(opine.database.urlAs('opine_worker'), () => {});
    const lines: string[] = [];
    const observers = { log: createLog('info', (line) => lines.push(line)), watch: UNWATCHED };
    const turn = () => runTask(fanOut(db), observers, new AbortController().signal);
    const { turned } = await whileNobodyReads(opine.database, 'app.fan_outs', async () => {
      const turned = turn();
      await waiting().toEqual(['opine-worker fan out']);
      return { turned };
    });
    expect(await turned).toBe(true);
    await withoutColumn(opine.database, 'app.fan_outs', 'turn_count', async () => {
      expect([await turn(), await turn()]).toEqual([false, false]);
    });
    await db.destroy();
    const [first, second] = lines.map((line) => JSON.parse(line));
    expect([first.task, first.msg, first.err.sqlstate]).toEqual(['fan out', 'task failed', '42703']);
    expect(first.turn).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.turn).not.toBe(first.turn);
  });
});
