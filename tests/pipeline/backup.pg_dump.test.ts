import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../../scripts/db/dump.ts';
import { runTool } from '../../scripts/db/postgres-tools.ts';
import { restoreDatabase } from '../../scripts/db/restore.ts';
import { untilGone } from '../support/account-deletions.ts';
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
import { place } from '../support/frames.ts';
import { type Instance, keyOf, startInstance } from '../support/instances.ts';
import { aGuest } from '../support/people.ts';
import { waitingIn } from '../support/pushes.ts';
import { logOut } from '../support/sign-in.ts';
import { downloaded } from '../support/uploads.ts';
import { countsOf } from '../support/votes.ts';
import { TIMEOUT } from '../support/worker.ts';

const OTHER_KEY = Buffer.alloc(32, 'another key').toString('base64');

let base: string;
let dump: string;
let again: string;
let damaged: string;
let original: Original;
let copy: Awaited<ReturnType<typeof aCopy>>;

beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'opine-backup-'));
  dump = path.join(base, 'one.dump');
  again = path.join(base, 'again.dump');
  damaged = path.join(base, 'damaged.dump');
  original = await anOriginal();
  cpSync(dump, damaged);
  truncateSync(damaged, statSync(dump).size - 4_000);
  copy = await aCopy(original);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What was seen of the instance that was dumped, and what came of it the next day. */
interface Original {
  readonly world: LivelyWorld;
  readonly views: Json;
  readonly next: Json;
  /** What Lena's phone got after the dump. */
  readonly newer: Json;
  /** How much phones had not been told when it was dumped. */
  readonly waiting: number;
}

async function anOriginal(): Promise<Original> {
  const instance = await startInstance(path.join(base, 'original'), { PROCESS: 'api' });
  try {
    const world = await aLivelyWorld(instance, keyOf(instance));
    const { outbox: waiting } = await waitingIn(instance);
    await dumpDatabase(instance.ownerUrl, dump);
    // What is kept apart: secrets, files, and here the ports, by which a machine of its own would be known.
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

/** Runs `use` with the new instance, which is stopped after it. */
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

/** What comes of a new instance that gets the dump: first without a worker, then whole, then with another key. */
async function aCopy({ newer }: Original) {
  const restored = await withCopy({ PROCESS: 'api' }, async ({ ownerUrl, database }) => {
    const people = async () => (await sql`select from app.users`.execute(database.superuser)).rows.length;
    // On Supabase its owner, who is no superuser, may do so by supautils.
    await sql`grant set on parameter session_replication_role to postgres`.execute(database.superuser);
    const seeded = await people();
    const ofDamaged = await failureOf(restoreDatabase(ownerUrl, damaged));
    const ofEmpty = await failureOf(restoreDatabase(new URL('/postgres', ownerUrl).href, dump));
    const afterDamaged = await people();
    await restoreDatabase(ownerUrl, dump);
    await dumpDatabase(ownerUrl, again);
    const ofSecond = await failureOf(restoreDatabase(ownerUrl, dump));
    return { seeded, ofDamaged, ofEmpty, afterDamaged, ofSecond, foreign: await transactionsIn(database) };
  });
  const lived = await withCopy({}, async (instance, world) => {
    const views = await viewsOf(world);
    const photo = await downloaded(world.ada, world.photo);
    const next = await nextDay(world);
    const fresh = await refresh(instance, world.jonas.session);
    const strange = await refresh(instance, newer);
    const ended = await world.noor.get('/users/me/profile');
    const statuses = [photo, fresh, strange, ended].map(({ status }) => status);
    return { views, next, statuses };
  });
  const keyless = await withCopy({ PENDING_VOTE_KEY: OTHER_KEY }, async (_, world) => {
    const { amara, ada, fountain, hub, other } = world;
    await place(amara, fountain, hub, other);
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

function failureOf(done: Promise<unknown>): Promise<string> {
  return done.then(
    () => 'none',
    (error: Error) => error.message,
  );
}

/** The types of the push messages that the copy has sent. */
function sent(): string[] {
  try {
    const lines = readFileSync(path.join(base, 'copy/push.jsonl'), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line).message.data.type);
  } catch {
    return [];
  }
}

/** The rows of a dump by table, in no order. */
async function rowsIn(file: string): Promise<Map<string, string[]>> {
  const text = await runTool({ program: 'pg_restore', args: ['--data-only', '--file=-', file] });
  const tables = text.matchAll(/^COPY (\S+) .*FROM stdin;\n([\s\S]*?)^\\\.$/gm);
  return new Map(
    [...tables].map(([, name = '', rows = '']) => [name, rows.trimEnd().split('\n').filter(Boolean).sort()]),
  );
}

describe('a dump', () => {
  test('is for its owner alone, and never written over another', async () => {
    expect(statSync(dump).mode & 0o777).toBe(0o600);
    expect(await failureOf(dumpDatabase('postgresql://nobody@127.0.0.1:1/none', dump))).toContain('EEXIST');
  });

  test('has rows of all that happens here, and nothing that is on its way', async () => {
    const rows = await rowsIn(dump);
    const counts = Object.fromEntries([...rows].map(([name, some]) => [name, some.length]));
    const kept = [
      'pending_totals',
      'pending_ballots',
      'vote_pools',
      'vote_receipts',
      'notifications',
      'inbox_counts',
    ];
    kept.push('saved_posts', 'device_tokens', 'comments', 'messages', 'sessions', 'account_deletions');
    for (const name of kept) expect([name, counts[`app.${name}`]]).not.toEqual([name, 0]);
    expect(counts['staff.allowed_emails']).toBe(1);
    for (const name of ['outbox', 'pushes']) expect(counts).not.toHaveProperty([`app.${name}`]);
  });
});

describe('a new instance', () => {
  test('takes all of a dump or nothing of it', () => {
    const { seeded, ofDamaged, afterDamaged } = copy.restored;
    expect(ofDamaged).toContain('pg_restore failed');
    expect(afterDamaged).toBe(seeded);
  });

  test('takes none where somebody has signed in, or where nothing is migrated', () => {
    expect(copy.restored.ofSecond).toContain('somebody has signed in');
    expect(copy.restored.ofEmpty).toContain('this one has none: npm run db:migrate');
  });

  test('has the very rows of the dump, but for those that only this server could read', async () => {
    const [first, second] = [await rowsIn(dump), await rowsIn(again)];
    const events = first.get('app.feed_events') ?? [];
    const counted = events.filter((row) => row.endsWith('\t\\N\t\\N'));
    expect(counted.length).toBeLessThan(events.length);
    expect(second).toEqual(first.set('app.feed_events', counted));
  });

  test('has nothing that is told by transactions of another server', () => {
    expect(copy.restored.foreign).toEqual([]);
  });

  test('shows everybody what they saw, in the sessions that they had, and every file', () => {
    expect(copy.lived.views).toEqual(original.views);
    expect(copy.lived.statuses[0]).toBe(200);
  });

  test('goes on as the original did: no second vote, and what was sealed counts', () => {
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

  test('takes the refresh tokens of before the dump and none from after it, and ended sessions live again', () => {
    expect(copy.lived.statuses.slice(1)).toEqual([200, 401, 200]);
  });

  test('tells phones of what happens now and of nothing before, and ends what was under way', async () => {
    expect(original.waiting).toBeGreaterThan(0);
    await withCopy({}, async (instance, world) => {
      await somebodyFollows(instance, world);
      await expect.poll(sent, TIMEOUT).toContain('user_followed');
      await untilGone(instance, world.gone.id);
    });
    expect(sent()).toEqual(['user_followed']);
  });

  test('with another key loses what is sealed, and nothing else', () => {
    expect(copy.keyless).toEqual([[1, 0, 0, 0, 1], [], []]);
  });
});
