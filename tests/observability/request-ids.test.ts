import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createLog } from '../../src/log.ts';
import { UNWATCHED } from '../../src/observability/watch.ts';
import { fanOut } from '../../src/worker/tasks.ts';
import { runTask } from '../../src/worker/worker.ts';
import type { Client, Extras, Json, Reply } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { whileReadsBlock, withoutColumn } from '../support/outages.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { eventually } from '../support/streams.ts';

let opine: Opine;
let maya: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  maya = await confirmedPerson(opine, 'Maya');
  post = await aSlider(maya);
});

afterAll(() => opine?.stop());

/** Polls the application names of the sessions that wait for a lock. */
function waitingNames() {
  return eventually(async () => {
    const { rows } = await sql<{ name: string }>`
      select application_name as name from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' order by name
    `.execute(opine.database.superuser);
    return rows.map(({ name }) => name);
  });
}

/** Expects Postgres to show the application name `shown` while `request`, sent with `id`, waits for `table`. */
async function expectShown(
  table: string,
  request: (extras: Extras) => Promise<Reply>,
  id: string,
  shown = `opine-api ${id}`,
): Promise<void> {
  const { reply } = await whileReadsBlock(opine.database, table, async () => {
    const reply = request({ headers: { 'X-Request-Id': id } });
    await waitingNames().toEqual([shown]);
    return { reply };
  });
  expect((await reply).headers.get('X-Request-Id')).toBe(id);
}

const read =
  (reader: Client) =>
  (extras: Extras): Promise<Reply> =>
    reader.get(`/posts/${post.id}`, extras);

describe('application_name', () => {
  test('a connection has the request id as long as the request runs', async () => {
    await expectShown('app.posts', read(maya), 'reading-1');
    const { rows } = await sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and usename = 'opine_gateway' and application_name <> 'opine-pulse'
    `.execute(opine.database.superuser);
    expect(rows).toEqual([{ name: 'opine-api' }]);
  });

  test('a long request id is truncated to 63 bytes', () =>
    expectShown('app.posts', read(maya), 'x'.repeat(128), `opine-api ${'x'.repeat(53)}`));

  test('a vote has its request id while it is written and while its response is read', async () => {
    const jonas = await confirmedPerson(opine, 'Jonas');
    const vote = (voter: Client) => (extras: Extras) =>
      voter.post(`/posts/${post.id}/vote`, { position: 'left' }, extras);
    await expectShown('app.vote_slots', vote(maya), 'vote-1');
    await expectShown('app.vote_pools', vote(jonas), 'vote-2');
  });

  test('service calls and calls with an Idempotency-Key have their request id', async () => {
    const requests: [string, (extras: Extras) => Promise<Reply>][] = [
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
    for (const [table, request] of requests) await expectShown(table, request, `requests-${table}`);
  });

  test('a worker connection has the name of its task, and failed runs log different run ids', async () => {
    const db = openWorkerDatabase(opine.database.urlAs('opine_worker'), () => {});
    const lines: string[] = [];
    const observers = { log: createLog('info', (line) => lines.push(line)), watch: UNWATCHED };
    const run = () => runTask(fanOut(db), observers, new AbortController().signal);
    const { ran } = await whileReadsBlock(opine.database, 'app.fan_outs', async () => {
      const ran = run();
      await waitingNames().toEqual(['opine-worker fan out']);
      return { ran };
    });
    expect(await ran).toBe(true);
    await withoutColumn(opine.database, 'app.fan_outs', 'batch_index', async () => {
      expect([await run(), await run()]).toEqual([false, false]);
    });
    await db.destroy();
    const [first, second] = lines.map((line) => JSON.parse(line));
    expect([first.task, first.msg, first.err.sqlstate]).toEqual(['fan out', 'task failed', '42703']);
    expect(first.run).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.run).not.toBe(first.run);
  });
});
