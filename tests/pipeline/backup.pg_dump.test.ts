import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase, restoreDatabase } from '../../scripts/db/backup.ts';
import { runTool } from '../../scripts/db/postgres-tools.ts';
import {
  aLivelyWorld,
  type LivelyWorld,
  nextDay,
  somebodyFollows,
  transactionsIn,
  viewsOf,
  worldIn,
} from '../support/backup-worlds.ts';
import type { Json } from '../support/client.ts';
import { type Instance, keyOf, startInstance } from '../support/instances.ts';
import { aGuest } from '../support/people.ts';
import { shareToHubs } from '../support/posts.ts';
import { queuedCounts } from '../support/pushes.ts';
import { logOut } from '../support/sign-in.ts';
import { downloadFile } from '../support/uploads.ts';
import { countsOf } from '../support/votes.ts';
import { WORKER_TIMEOUT, waitUntilDeleted } from '../support/worker.ts';

const OTHER_KEY = Buffer.alloc(32, 'another key').toString('base64');

let base: string;
let dump: string;
let again: string;
let damaged: string;
let original: Original;
let copy: Awaited<ReturnType<typeof observeCopy>>;

beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'opine-backup-'));
  dump = path.join(base, 'one.dump');
  again = path.join(base, 'again.dump');
  damaged = path.join(base, 'damaged.dump');
  original = await observeOriginal();
  cpSync(dump, damaged);
  truncateSync(damaged, statSync(dump).size - 4_000);
  copy = await observeCopy(original);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Observations of the dumped instance, up to the next day. */
interface Original {
  readonly world: LivelyWorld;
  readonly views: Json;
  readonly next: Json;
  /** Tokens of Lena from after the dump. */
  readonly newer: Json;
  /** Undelivered events at the time of the dump. */
  readonly waiting: number;
}

async function observeOriginal(): Promise<Original> {
  const instance = await startInstance(path.join(base, 'original'), { PROCESS: 'api' });
  try {
    const world = await aLivelyWorld(instance, keyOf(instance));
    const { outbox: waiting } = await queuedCounts(instance);
    await dumpDatabase(instance.ownerUrl, dump);
    // A backup keeps secrets and files apart. The ports stand for the addresses of another machine.
    mkdirSync(path.join(base, 'copy'));
    for (const name of ['secrets.json', 'ports.json', 'storage']) {
      cpSync(path.join(instance.directory, name), path.join(base, 'copy', name), { recursive: true });
    }
    const [views, next] = [await viewsOf(world), await nextDay(world)];
    const newer = (await refresh(instance, world.lena.session)).data;
    await logOut(instance, world.noor.session);
    return { world, views, next, newer, waiting };
  } finally {
    await instance.stop();
  }
}

/** Runs a function with the new instance, and stops it afterwards. */
async function withCopy<T>(
  changes: Record<string, string>,
  use: (instance: Instance, world: LivelyWorld) => Promise<T>,
): Promise<T> {
  const instance = await startInstance(path.join(base, 'copy'), changes);
  try {
    return await use(instance, worldIn(instance, original.world));
  } finally {
    await instance.stop();
  }
}

/** Restores the dump into a new instance, and observes it: without a worker, then whole, then with another key. */
async function observeCopy({ newer }: Original) {
  const restored = await withCopy({ PROCESS: 'api' }, async ({ ownerUrl, database }) => {
    const people = async () => (await sql`select from app.users`.execute(database.superuser)).rows.length;
    // On Supabase, supautils grants this right to the owner.
    await sql`grant set on parameter session_replication_role to postgres`.execute(database.superuser);
    const seeded = await people();
    const damagedError = await errorOf(restoreDatabase(ownerUrl, damaged));
    const unmigratedError = await errorOf(restoreDatabase(new URL('/postgres', ownerUrl).href, dump));
    const afterDamaged = await people();
    await restoreDatabase(ownerUrl, dump);
    await dumpDatabase(ownerUrl, again);
    const secondError = await errorOf(restoreDatabase(ownerUrl, dump));
    const foreign = await transactionsIn(database);
    return { seeded, damagedError, unmigratedError, afterDamaged, secondError, foreign };
  });
  const lived = await withCopy({}, async (instance, world) => {
    const views = await viewsOf(world);
    const photo = await downloadFile(world.ada, world.photo);
    const next = await nextDay(world);
    const fresh = await refresh(instance, world.jonas.session);
    const unknown = await refresh(instance, newer);
    const ended = await world.noor.get('/users/me/profile');
    const statuses = [photo, fresh, unknown, ended].map(({ status }) => status);
    return { views, next, statuses };
  });
  const keyless = await withCopy({ PENDING_VOTE_KEY: OTHER_KEY }, async (_, world) => {
    const { amara, ada, fountain, hub, other } = world;
    await shareToHubs(amara, fountain, hub, other);
    return [
      await countsOf(ada, fountain),
      await countsOf(amara, fountain, hub),
      await countsOf(amara, fountain, other),
    ];
  });
  return { restored, lived, keyless };
}

function refresh(instance: Instance, { refreshToken }: Json) {
  return aGuest(instance).post('/auth/session/refresh', { refreshToken });
}

function errorOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: Error) => error.message,
  );
}

/** Returns the types of the copy's push messages. */
function pushTypes(): string[] {
  try {
    const lines = readFileSync(path.join(base, 'copy/push.jsonl'), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line).message.data.type);
  } catch {
    return [];
  }
}

/** Returns the sorted rows of a dump by table. */
async function rowsIn(file: string): Promise<Map<string, string[]>> {
  const text = await runTool({ program: 'pg_restore', args: ['--data-only', '--file=-', file] });
  const tables = text.matchAll(/^COPY (\S+) .*FROM stdin;\n([\s\S]*?)^\\\.$/gm);
  return new Map(
    [...tables].map(([, name = '', rows = '']) => [name, rows.trimEnd().split('\n').filter(Boolean).sort()]),
  );
}

describe('a dump of npm run db:dump', () => {
  test('is readable by its owner alone, and never overwrites a file', async () => {
    expect(statSync(dump).mode & 0o777).toBe(0o600);
    expect(await errorOf(dumpDatabase('postgresql://nobody@127.0.0.1:1/none', dump))).toContain('EEXIST');
  });

  test('has rows of every kind of content, and none of the outbox and the push queue', async () => {
    const rows = await rowsIn(dump);
    const counts = Object.fromEntries([...rows].map(([name, some]) => [name, some.length]));
    const votes = ['pending_totals', 'pending_ballots', 'vote_pools', 'vote_receipts'];
    const users = ['sessions', 'device_tokens', 'account_deletions', 'notifications', 'inbox_counts'];
    for (const name of [...votes, ...users, 'saved_posts', 'comments', 'messages'])
      expect([name, counts[`app.${name}`]]).not.toEqual([name, 0]);
    expect(rows.get('staff.allowed_emails')?.join()).toContain('staff@example.org');
    for (const name of ['outbox', 'pushes']) expect(counts).not.toHaveProperty([`app.${name}`]);
  });
});

describe('a new instance with a restored dump', () => {
  test('keeps its rows after a damaged dump', () => {
    const { seeded, damagedError, afterDamaged } = copy.restored;
    expect(damagedError).toContain('pg_restore failed');
    expect(afterDamaged).toBe(seeded);
  });

  test('refuses a dump while it has sessions or no migrations', () => {
    expect(copy.restored.secondError).toContain('this database has sessions');
    expect(copy.restored.unmigratedError).toContain('this database has none: npm run db:migrate');
  });

  test('has the rows of the dump, without the transactions of the other server and what ended in one', async () => {
    const [first, second] = [await rowsIn(dump), await rowsIn(again)];
    const events = first.get('app.feed_events') ?? [];
    const current = events.filter((row) => row.endsWith('\t\\N\t\\N'));
    expect(current.length).toBeLessThan(events.length);
    const timeless = current.map((row) => row.replace(/\t\d+\t\\N\t\\N$/, '\t\\N\t\\N\t\\N'));
    expect(timeless).not.toEqual(current);
    expect(second).toEqual(first.set('app.feed_events', timeless));
  });

  test('has no transaction ids of another server', () => {
    expect(copy.restored.foreign).toEqual([]);
  });

  test('shows each person the same views in the same sessions, and serves the files', () => {
    expect(copy.lived.views).toEqual(original.views);
    expect(copy.lived.statuses[0]).toBe(200);
  });

  test('continues like the original: it refuses second votes and counts sealed ones', () => {
    expect(copy.lived.next).toEqual(original.next);
    expect(original.next).toMatchObject({
      second: [409, 'VOTE_ALREADY_CAST'],
      counts: [
        [1, 1, 1, 1, 1],
        [1, 0, 1, 1, 0],
        [1, 0, 1, 0, 1],
      ],
    });
  });

  test('accepts refresh tokens from before the dump and none from after it, and sessions that ended after it work again', () => {
    expect(copy.lived.statuses.slice(1)).toEqual([200, 401, 200]);
  });

  test('pushes new notifications and no earlier ones, and finishes an account deletion in progress', async () => {
    expect(original.waiting).toBeGreaterThan(0);
    await withCopy({}, async (instance, world) => {
      await somebodyFollows(instance, world);
      await expect.poll(pushTypes, WORKER_TIMEOUT).toContain('user_followed');
      await waitUntilDeleted(instance, world.gone.id);
    });
    expect(pushTypes()).toEqual(['user_followed']);
  });

  test('with another key loses only the sealed votes', () => {
    expect(copy.keyless).toEqual([[1, 0, 0, 0, 1], [], []]);
  });
});
