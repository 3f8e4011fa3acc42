import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countIn, TIMEOUT, untilGone } from '../support/account-deletions.ts';
import type { Client } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import type { Opine } from '../support/opine.ts';
import { withoutDatabase } from '../support/outages.ts';
import { aConfirmed, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';
import {
  type FlakyStorage,
  type StoringOpine,
  startMortalOpine,
  startStoringOpine,
} from '../support/storage.ts';

let opine: StoringOpine;
let storage: FlakyStorage;

beforeAll(async () => {
  opine = await startStoringOpine();
  storage = opine.storage;
});

afterAll(() => opine.stop());

const end = (person: Client) => person.delete('/users/me');
const objectsOf = (where: Pick<Opine, 'database'>, userId: string) =>
  countIn(where, 'app.stored_objects', 'owner_id', userId);

describe('stored objects', () => {
  /** Somebody with posts and two stored objects who is about to leave. */
  async function somebodyWithObjects(where: Opine): Promise<{ person: Person; keys: string[] }> {
    const person = await aConfirmed(where);
    await aThought(person);
    const keep = () => storage.keep(where.database, person.id);
    return { person, keys: [await keep(), await keep()] };
  }

  test("go from storage, then from the database, and nobody else's do", async () => {
    const { person, keys } = await somebodyWithObjects(opine);
    const { person: stays, keys: kept } = await somebodyWithObjects(opine);
    await end(person);
    await expect.poll(() => objectsOf(opine, person.id), TIMEOUT).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
    expect(await storage.stored(kept)).toEqual(kept);
    expect(await objectsOf(opine, stays.id)).toBe(2);
  });

  test('are not forgotten while storage is down', async () => {
    const { person, keys } = await somebodyWithObjects(opine);
    await storage.takeDown();
    expect((await end(person)).status).toBe(200);
    const attempts = async () => {
      const { rows } = await sql<{ attempt_count: number }>`
        select attempt_count from app.stored_objects where owner_id = ${person.id}
      `.execute(opine.database.superuser);
      return rows[0]?.attempt_count;
    };
    await expect.poll(attempts, TIMEOUT).toBeGreaterThan(0);
    expect(await objectsOf(opine, person.id)).toBe(2);

    await storage.bringBack();
    expect(await storage.stored(keys)).toEqual(keys);
    await timePasses(opine, '1 day');
    await untilGone(opine, person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
  });

  test('that are gone from storage already keep nobody from leaving', async () => {
    const { person } = await somebodyWithObjects(opine);
    await sql`
      insert into app.stored_objects (bucket, owner_id) values ('media', ${person.id})
    `.execute(opine.database.superuser);
    await end(person);
    await untilGone(opine, person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
  });

  test('go although the database goes away in the middle', async () => {
    const { person, keys } = await somebodyWithObjects(opine);
    const { somebodyWaits } = await storage.hang();
    await end(person);
    await expect.poll(somebodyWaits, TIMEOUT).toBe(true);
    await withoutDatabase(opine.database, () => storage.bringBack());
    await timePasses(opine, '1 day');
    await untilGone(opine, person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
  });

  test('go although the worker is killed in the middle', async () => {
    const mortal = await startMortalOpine(storage);
    try {
      const { person, keys } = await somebodyWithObjects(mortal);
      const { somebodyWaits } = await storage.hang();
      await end(person);
      await expect.poll(somebodyWaits, TIMEOUT).toBe(true);
      mortal.kill();
      await storage.bringBack();
      expect(await objectsOf(mortal, person.id)).toBe(2);
      await mortal.revive();
      await timePasses(mortal, '1 day');
      // By the revived worker itself.
      await expect
        .poll(() => countIn(mortal, 'app.account_deletions', 'user_id', person.id), TIMEOUT)
        .toBe(0);
      expect(await objectsOf(mortal, person.id)).toBe(0);
      expect(await storage.stored(keys)).toEqual([]);
    } finally {
      await mortal.stop();
    }
  });
});
