import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../../scripts/db/dump.ts';
import { runTool } from '../../scripts/db/postgres-tools.ts';
import { restoreDatabase } from '../../scripts/db/restore.ts';
import { startServer } from '../../src/server.ts';
import { clientOf } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Post } from '../support/frames.ts';
import { PENDING_VOTE_KEY } from '../support/keys.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { aSlider, sliders } from '../support/posts.ts';
import { POSITIONS, type Position } from '../support/votes.ts';
import { ATTACKS, claimsBy, rightAmong } from './attacks.ts';
import { aRound, type Round, toTheNext } from './audience.ts';
import { openPages } from './heaps.ts';
import { byOrder } from './indexes.ts';
import { keysIn } from './sealed.ts';
import { type Spoils, spoilsOf } from './spoils.ts';
import { ballotsOf, cast, castAtOnce, fold, LATE, truthOf } from './votes.ts';

/** Nobody folds by themselves here. */
const API = { ...LATE, PROCESS: 'api' };

/** How many vote since the last fold, each counted by a connection of its own. */
const LATE_COMERS = 4;

let folder: string;
let careless: string;
let folded: string;
let opine: Opine;
let truth: ReadonlyMap<string, Position>;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'opine-secrecy-dump-'));
  opine = await startOpine(API);
  ends.push(() => opine.stop());
  const round = await aRound(opine);
  const post = await aSlider(round.ada);
  const ballots = ballotsOf(round.voters, post);
  truth = truthOf(ballots);
  await cast(ballots.slice(0, -LATE_COMERS));
  await fold(opine);
  // On both sides of a turn of the slots, too few would lie in each.
  await toTheNext(opine, 'minute');
  for (const ballot of ballots.slice(-LATE_COMERS)) await castElsewhere(ballot.voter, post, ballot.position);
  [careless, folded] = [path.join(folder, 'careless.dump'), path.join(folder, 'folded.dump')];
  await dumpAsItIs(careless);
  await dumpDatabase(opine.database.urlAs('postgres'), folded);
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** Votes through a server of its own, and so by a connection of its own. */
async function castElsewhere(
  { session }: Round['voters'][number],
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

/** What somebody has who restores a dump: every row in the order in which the dump has it, and no transactions. */
async function spoilsIn(file: string): Promise<Spoils> {
  const database = await createTestDatabase();
  ends.push(() => database.drop());
  await openPages(database);
  await restoreDatabase(database.superuserUrl, file);
  return spoilsOf({ database });
}

/** A dump by `pg_dump` alone, at whatever moment. */
async function dumpAsItIs(file: string): Promise<void> {
  const schemas = ['app', 'gateway', 'staff', 'supabase_migrations'].map((name) => `--schema=${name}`);
  const args = ['--data-only', '--format=custom', `--file=${file}`, ...schemas];
  await runTool({ program: 'pg_dump', args, url: opine.database.urlAs('postgres') });
}

/** How many votes a dump has receipts of, and in how many rows something lies as they were cast. */
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

describe('whoever has a dump', () => {
  test('that pg_dump made between two folds finds the votes between them, by the order of rows', async () => {
    const spoils = await spoilsIn(careless);
    expect(rightAmong(await claimsBy(byOrder, spoils), truth)).toBe(LATE_COMERS);
  });

  test('that was folded finds none, by no attack and by none together', async () => {
    const spoils = await spoilsIn(folded);
    expect(spoils.receipts).toHaveLength(truth.size);
    for (const [name, attack] of ATTACKS) expect([name, await claimsBy(attack, spoils)]).toEqual([name, []]);
    const together = async () => (await Promise.all(ATTACKS.map(([, attack]) => attack(spoils)))).flat();
    expect(await claimsBy(together, spoils)).toEqual([]);
    expect(await keysIn(spoils)).toEqual([]);
  });

  test('that was made while people vote finds none as it was cast, and all of them were counted', async () => {
    const { ada, voters } = await aRound(opine);
    const ballots = (await sliders(ada, 12)).flatMap((post) => ballotsOf(voters, post));
    const file = path.join(folder, 'amid.dump');
    await cast(ballots.slice(0, 1));
    const voting = castAtOnce(ballots.slice(1));
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

  test('reads neither the key nor a position there', async () => {
    const args = ['--data-only', '--file=-', '--schema=app', '--schema=gateway', '--schema=staff', folded];
    const text = await runTool({ program: 'pg_restore', args });
    expect(text).toContain('COPY app.vote_receipts');
    expect(text).not.toContain(PENDING_VOTE_KEY);
    for (const position of POSITIONS) expect(text).not.toMatch(new RegExp(`\\b${position}\\b`));
  });
});
