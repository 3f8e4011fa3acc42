import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aHub, join } from '../support/hubs.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { POSITIONS } from '../support/votes.ts';
import { readAttackerView } from './attacker-view.ts';
import { pauseFolds } from './community.ts';
import { readHeapRows } from './heaps.ts';
import { cast, DEFAULT_DELAY, fold } from './votes.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine(DEFAULT_DELAY);
  await pauseFolds(opine);
});

afterAll(() => opine.stop());

const EMPTIED = ['app.vote_slots', 'app.fresh_votes', 'app.pending_ballots', 'app.promotions'];

/** Casts the votes of members of one to five Hubs, one at each position, on a post outside the Hubs. */
async function castOneAtEachPosition(): Promise<void> {
  const ada = await hubReadyPerson(opine, 'Ada');
  const post = await aSlider(ada);
  const members = await Promise.all(POSITIONS.map(() => hubReadyPerson(opine)));
  await join(ada, await aHub(ada), members);
  await Promise.all(members.flatMap((member, index) => Array.from({ length: index }, () => aHub(member))));
  await cast(members.map((voter, index) => ({ voter, post, position: POSITIONS[index] ?? 'left' })));
}

/** Returns the distinct lengths and the number of distinct texts of sealed values in `table`. */
async function sealedIn(table: string): Promise<[lengths: number[], texts: number]> {
  const { versions } = await readAttackerView(opine);
  const sealed = versions.flatMap((row) => (row.table === table && row.sealed ? [row.sealed] : []));
  return [
    [...new Set(sealed.map(({ length }) => length))],
    new Set(sealed.map((bytes) => bytes.toString('hex'))).size,
  ];
}

describe('the storage of votes', () => {
  test('sealed ballots of all positions have the same length, in however many Hubs the voter is', async () => {
    await castOneAtEachPosition();
    const [lengths, texts] = await sealedIn('app.pending_ballots');
    expect(lengths).toHaveLength(1);
    expect(texts).toBe(POSITIONS.length);
    await fold(opine);
  });

  test('sealed totals of any number of votes have the same length', async () => {
    await castOneAtEachPosition();
    await fold(opine);
    await castOneAtEachPosition();
    await castOneAtEachPosition();
    await fold(opine);
    const [lengths, texts] = await sealedIn('app.pending_totals');
    expect(lengths).toHaveLength(1);
    expect(texts).toBeGreaterThanOrEqual(3);
  });

  test('a fold leaves emptied tables without pages and receipts without dead rows', async () => {
    await castOneAtEachPosition();
    await fold(opine);
    for (const table of EMPTIED) {
      const { rows } = await sql`select pg_relation_size(${table}::regclass)::integer as size`.execute(
        opine.database.superuser,
      );
      expect([table, rows]).toEqual([table, [{ size: 0 }]]);
    }
    // Dead receipts alone pair with nothing: the slots of their transactions are gone.
    const heapRows = (await readHeapRows(opine.database)).filter(
      ({ table }) => table === 'app.vote_receipts',
    );
    const { rows } = await sql`select from app.vote_receipts`.execute(opine.database.superuser);
    expect(heapRows).toHaveLength(rows.length);
  });

  // docs/product.md V2
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

  // docs/product.md V3
  test('receipts have times to the minute, and a constraint refuses finer ones', async () => {
    await castOneAtEachPosition();
    const { rows } = await sql<{ voted_at: Date }>`select voted_at from app.vote_receipts`.execute(
      opine.database.superuser,
    );
    expect(rows.filter(({ voted_at }) => voted_at.getTime() % 60_000 !== 0)).toEqual([]);
    const finer = sql`update app.vote_receipts set voted_at = ${new Date((await currentTime(opine)).setSeconds(7, 0))}`;
    await expect(finer.execute(opine.database.superuser)).rejects.toThrow('vote_receipts_voted_at_is_coarse');
  });
});
