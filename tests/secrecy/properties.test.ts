import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timeIn } from '../support/clock.ts';
import { aHub, join } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { POSITIONS } from '../support/votes.ts';
import { foldsWait } from './audience.ts';
import { lyingRows } from './heaps.ts';
import { spoilsOf } from './spoils.ts';
import { cast, fold, LATE } from './votes.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine(LATE);
  await foldsWait(opine);
});

afterAll(() => opine.stop());

const EMPTIED = ['app.vote_slots', 'app.fresh_votes', 'app.pending_ballots', 'app.promotions'];

/** Members of a Hub vote, one at each position, on a post that is not there. */
async function voteInOrder(): Promise<void> {
  const ada = await aHubReady(opine, 'Ada');
  const post = await aSlider(ada);
  const members = await Promise.all(POSITIONS.map(() => aHubReady(opine)));
  await join(ada, await aHub(ada), members);
  await cast(members.map((voter, index) => ({ voter, post, position: POSITIONS[index] ?? 'left' })));
}

/** The lengths and the texts of what is sealed in `table`. */
async function sealedIn(table: string): Promise<[lengths: number[], texts: number]> {
  const { versions } = await spoilsOf(opine);
  const sealed = versions.flatMap((one) => (one.table === table && one.sealed ? [one.sealed] : []));
  return [
    [...new Set(sealed.map(({ length }) => length))],
    new Set(sealed.map((bytes) => bytes.toString('hex'))).size,
  ];
}

describe('what other defences stand behind', () => {
  test('the length of a sealed ballot does not tell its position', async () => {
    await voteInOrder();
    const [lengths, texts] = await sealedIn('app.pending_ballots');
    expect(lengths).toHaveLength(1);
    expect(texts).toBe(POSITIONS.length);
    await fold(opine);
  });

  test('the length of a sealed total does not tell how many it counts', async () => {
    await voteInOrder();
    await fold(opine);
    await voteInOrder();
    await voteInOrder();
    await fold(opine);
    const [lengths, texts] = await sealedIn('app.pending_totals');
    expect(lengths).toHaveLength(1);
    expect(texts).toBeGreaterThanOrEqual(3);
  });

  test('what the fold empties has no page left, and no former receipt a place', async () => {
    await voteInOrder();
    await fold(opine);
    for (const table of EMPTIED) {
      const { rows } = await sql`select pg_relation_size(${table}::regclass)::integer as size`.execute(
        opine.database.superuser,
      );
      expect([table, rows]).toEqual([table, [{ size: 0 }]]);
    }
    // By themselves these pair with nothing any more: the slots of their transactions are gone.
    const lying = (await lyingRows(opine.database)).filter(({ table }) => table === 'app.vote_receipts');
    const { rows } = await sql`select from app.vote_receipts`.execute(opine.database.superuser);
    expect(lying).toHaveLength(rows.length);
  });

  test('no column of a table or view holds a position', async () => {
    const { rows } = await sql`
      select c.oid::regclass::text as table, a.attname as column
      from pg_attribute as a
      join pg_class as c on c.oid = a.attrelid and c.relkind in ('r', 'm', 'v', 'p', 'f', 'c')
      join pg_type as t on t.oid = a.atttypid
      where 'app.vote_position'::regtype in (t.oid, t.typelem, t.typbasetype)`.execute(
      opine.database.superuser,
    );
    expect(rows).toEqual([]);
  });

  test('no receipt has a time finer than a minute, nor could it', async () => {
    await voteInOrder();
    const { rows } = await sql<{ voted_at: Date }>`select voted_at from app.vote_receipts`.execute(
      opine.database.superuser,
    );
    expect(rows.filter(({ voted_at }) => voted_at.getTime() % 60_000 !== 0)).toEqual([]);
    const finer = sql`update app.vote_receipts set voted_at = ${new Date((await timeIn(opine)).setSeconds(7, 0))}`;
    await expect(finer.execute(opine.database.superuser)).rejects.toThrow('vote_receipts_voted_at_is_coarse');
  });
});
