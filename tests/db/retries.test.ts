import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aThought, requestSavePost, savedPosts } from '../support/posts.ts';

/** How often the service tries a statement. */
const MAX_ATTEMPTS = 8;

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine({ PROCESS: 'api' });
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

describe('a row that a policy refuses although its operation allowed it', () => {
  /** Makes a policy refuse the next `count` posts that somebody saves. */
  async function refuseNext(count: number): Promise<void> {
    const { superuser } = opine.database;
    // A sequence keeps its count when its transaction rolls back.
    await sql`create sequence app.refusals`.execute(superuser);
    await sql`grant usage on sequence app.refusals to authenticated`.execute(superuser);
    await sql`
      create policy refuse_next on app.saved_posts as restrictive for insert to authenticated
      with check (nextval('app.refusals') > ${sql.lit(count)})`.execute(superuser);
  }

  async function countTries(): Promise<number> {
    const { rows } = await sql<{ tries: number }>`
      select last_value::integer as tries from app.refusals`.execute(opine.database.superuser);
    return rows[0]?.tries ?? 0;
  }

  afterEach(async () => {
    await sql`drop policy refuse_next on app.saved_posts`.execute(opine.database.superuser);
    await sql`drop sequence app.refusals`.execute(opine.database.superuser);
  });

  test('the service tries again, because data changed between the statements of the operation', async () => {
    const post = await aThought(maya);
    await refuseNext(2);
    await expectOk(requestSavePost(maya, post));
    expect(await countTries()).toBe(3);
    expect(await savedPosts(maya)).toEqual([post.id]);
  });

  test('the answer is 500 after eight tries, because the policy contradicts the operation', async () => {
    const post = await aThought(maya);
    await refuseNext(1_000);
    expect(await requestSavePost(maya, post)).toMatchObject(refusal(500, 'INTERNAL_ERROR'));
    expect(await countTries()).toBe(MAX_ATTEMPTS);
  });
});
