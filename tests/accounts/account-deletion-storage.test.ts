import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { advanceTime, type Opine, WITH_WORKER } from '../support/opine.ts';
import { withoutDatabase } from '../support/outages.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';
import {
  type FlakyStorage,
  type OpineWithStorage,
  startKillableOpine,
  startOpineWithStorage,
} from '../support/storage.ts';
import { countRows, WORKER_TIMEOUT, waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStorage;
let storage: FlakyStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage(WITH_WORKER);
  storage = opine.storage;
});

afterAll(() => opine.stop());

const deleteAccount = (person: Client) => person.delete('/users/me');
const objectsOf = (where: Pick<Opine, 'database'>, userId: string) =>
  countRows(where, 'app.stored_objects', 'owner_id', userId);

/** Creates a user with a post and two stored objects. */
async function userWithObjects(where: Opine): Promise<{ person: Person; keys: string[] }> {
  const person = await confirmedPerson(where);
  await aThought(person);
  const keep = () => storage.keep(where.database, person.id);
  return { person, keys: [await keep(), await keep()] };
}

describe('the stored objects of a deleted account', () => {
  test('account deletion removes the objects of the user from storage and database, and no others', async () => {
    const { person, keys } = await userWithObjects(opine);
    const { person: stays, keys: kept } = await userWithObjects(opine);
    await deleteAccount(person);
    await expect.poll(() => objectsOf(opine, person.id), WORKER_TIMEOUT).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
    expect(await storage.stored(kept)).toEqual(kept);
    expect(await objectsOf(opine, stays.id)).toBe(2);
  });

  test('objects stay queued while storage is down and are removed once it is back', async () => {
    const { person, keys } = await userWithObjects(opine);
    await storage.takeDown();
    expect((await deleteAccount(person)).status).toBe(200);
    const attempts = async () => {
      const { rows } = await sql<{ attempt_count: number }>`
        select attempt_count from app.stored_objects where owner_id = ${person.id}
      `.execute(opine.database.superuser);
      return rows[0]?.attempt_count;
    };
    await expect.poll(attempts, WORKER_TIMEOUT).toBeGreaterThan(0);
    expect(await objectsOf(opine, person.id)).toBe(2);

    await storage.bringBack();
    expect(await storage.stored(keys)).toEqual(keys);
    await advanceTime(opine, '1 day');
    await waitUntilDeleted(opine, person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
  });

  test('an object that is missing from storage does not delay account deletion', async () => {
    const { person } = await userWithObjects(opine);
    await sql`
      insert into app.stored_objects (bucket, owner_id) values ('media', ${person.id})
    `.execute(opine.database.superuser);
    await deleteAccount(person);
    await waitUntilDeleted(opine, person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
  });

  test('objects are removed after the database goes away during the removal', async () => {
    const { person, keys } = await userWithObjects(opine);
    const { somebodyWaits } = await storage.hang();
    await deleteAccount(person);
    await expect.poll(somebodyWaits, WORKER_TIMEOUT).toBe(true);
    await withoutDatabase(opine.database, () => storage.bringBack());
    await advanceTime(opine, '1 day');
    await waitUntilDeleted(opine, person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
  });

  test('objects are removed after the worker is killed during the removal', async () => {
    const killable = await startKillableOpine(storage);
    try {
      const { person, keys } = await userWithObjects(killable);
      const { somebodyWaits } = await storage.hang();
      await deleteAccount(person);
      await expect.poll(somebodyWaits, WORKER_TIMEOUT).toBe(true);
      killable.kill();
      await storage.bringBack();
      expect(await objectsOf(killable, person.id)).toBe(2);
      await killable.revive();
      await advanceTime(killable, '1 day');
      // Polls only, so that the revived worker itself finishes the deletion.
      await expect
        .poll(() => countRows(killable, 'app.account_deletions', 'user_id', person.id), WORKER_TIMEOUT)
        .toBe(0);
      expect(await objectsOf(killable, person.id)).toBe(0);
      expect(await storage.stored(keys)).toEqual([]);
    } finally {
      await killable.stop();
    }
  });
});
