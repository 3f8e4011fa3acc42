import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase, restoreDatabase } from '../../scripts/db/backup.ts';
import { runTool } from '../../scripts/db/postgres-tools.ts';
import { startServer } from '../../src/server.ts';
import { clientOf } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { PENDING_VOTE_KEY } from '../support/keys.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { aSlider, type Post, sliders } from '../support/posts.ts';
import { POSITIONS, type Position } from '../support/votes.ts';
import { type AttackerView, readAttackerView } from './attacker-view.ts';
import { ATTACKS, claimsBy, countCorrect } from './attacks.ts';
import { advanceToNext, aPoll, type Poll } from './community.ts';
import { allowPageReads } from './heaps.ts';
import { byOrder } from './indexes.ts';
import { keysIn } from './sealed.ts';
import { ballotsOf, cast, castConcurrently, DEFAULT_DELAY, fold, truthOf } from './votes.ts';

/** The API without a worker: only the test folds. */
const API = { ...DEFAULT_DELAY, PROCESS: 'api' };

/** Votes since the last fold, each counted by its own connection. */
const LATE_COMERS = 4;

let folder: string;
let unfolded: string;
let folded: string;
let opine: Opine;
let truth: ReadonlyMap<string, Position>;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'opine-secrecy-dump-'));
  opine = await startOpine(API);
  cleanups.push(() => opine.stop());
  const poll = await aPoll(opine);
  const post = await aSlider(poll.ada);
  const ballots = ballotsOf(poll.voters, post);
  truth = truthOf(ballots);
  await cast(ballots.slice(0, -LATE_COMERS));
  await fold(opine);
  // Votes across a change of the slot generation would leave too few in each.
  await advanceToNext(opine, 'minute');
  for (const ballot of ballots.slice(-LATE_COMERS))
    await castOnOwnConnection(ballot.voter, post, ballot.position);
  [unfolded, folded] = [path.join(folder, 'unfolded.dump'), path.join(folder, 'folded.dump')];
  await dumpWithoutFold(unfolded);
  await dumpDatabase(opine.database.urlAs('postgres'), folded);
});

afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  rmSync(folder, { recursive: true, force: true });
});

/** Casts a vote through a new server, so that a new connection counts it. */
async function castOnOwnConnection(
  { session }: Poll['voters'][number],
  post: Post,
  position: Position,
): Promise<void> {
  const server = await startServer({ ...testEnvironment(opine.database), ...API });
  try {
    const voter = clientOf(server.url, session.accessToken);
    const { status } = await voter.post(`/posts/${post.id}/vote`, { position });
    if (status !== 201) throw new Error(`A vote was refused with ${status}.`);
  } finally {
    await server.stop();
  }
}

/** Restores a dump and reads it: rows in the order of the dump, without transactions. */
async function readDump(file: string): Promise<AttackerView> {
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  await allowPageReads(database);
  await restoreDatabase(database.superuserUrl, file);
  return readAttackerView({ database });
}

/** Dumps by `pg_dump` alone, without a fold before. */
async function dumpWithoutFold(file: string): Promise<void> {
  const schemas = ['app', 'gateway', 'staff', 'supabase_migrations'].map((name) => `--schema=${name}`);
  const args = ['--data-only', '--format=custom', `--file=${file}`, ...schemas];
  await runTool({ program: 'pg_dump', args, url: opine.database.urlAs('postgres') });
}

/** Counts the receipts of a dump, and its rows that hold unfolded votes. */
async function votesIn(file: string): Promise<{ counted: number; fresh: number }> {
  const lines = async (table: string) => {
    const args = ['--data-only', '--file=-', '--schema=app', `--table=${table}`, file];
    const text = await runTool({ program: 'pg_restore', args });
    return (/FROM stdin;\n([\s\S]*?)^\\\.$/m.exec(text)?.[1] ?? '').split('\n').length - 1;
  };
  const [counted = 0, ...fresh] = await Promise.all(
    ['vote_receipts', 'fresh_votes', 'vote_slots_even', 'vote_slots_odd'].map(lines),
  );
  return { counted, fresh: fresh.reduce((sum, count) => sum + count, 0) };
}

describe('a dump', () => {
  test('a dump by pg_dump between two folds reveals the votes between them by the order of rows', async () => {
    const view = await readDump(unfolded);
    expect(countCorrect(await claimsBy(byOrder, view), truth)).toBe(LATE_COMERS);
  });

  test('a folded dump reveals no vote to any attack or to all attacks combined', async () => {
    const view = await readDump(folded);
    expect(view.receipts).toHaveLength(truth.size);
    for (const [name, attack] of ATTACKS) expect([name, await claimsBy(attack, view)]).toEqual([name, []]);
    const together = async () => (await Promise.all(ATTACKS.map(([, attack]) => attack(view)))).flat();
    expect(await claimsBy(together, view)).toEqual([]);
    expect(await keysIn(view)).toEqual([]);
  });

  test('a dump during votes holds receipts and no unfolded vote, and no vote is lost', async () => {
    const { ada, voters } = await aPoll(opine);
    const ballots = (await sliders(ada, 12)).flatMap((post) => ballotsOf(voters, post));
    const file = path.join(folder, 'during-votes.dump');
    await cast(ballots.slice(0, 1));
    const voting = castConcurrently(ballots.slice(1));
    await dumpDatabase(opine.database.urlAs('postgres'), file);
    const { counted, fresh } = await votesIn(file);
    await voting;
    expect(fresh).toBe(0);
    expect(counted).toBeGreaterThan(truth.size);
    await fold(opine);
    const all = path.join(folder, 'all.dump');
    await dumpDatabase(opine.database.urlAs('postgres'), all);
    expect((await votesIn(all)).counted).toBe(truth.size + ballots.length);
  });

  test('a folded dump holds neither the key nor a position', async () => {
    const args = ['--data-only', '--file=-', '--schema=app', '--schema=gateway', '--schema=staff', folded];
    const text = await runTool({ program: 'pg_restore', args });
    expect(text).toContain('COPY app.vote_receipts');
    expect(text).not.toContain(PENDING_VOTE_KEY);
    for (const position of POSITIONS) expect(text).not.toMatch(new RegExp(`\\b${position}\\b`));
  });
});
