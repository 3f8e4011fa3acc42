import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { NONEXISTENT } from '../support/client.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aGuest, confirmedPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

/** Returns the process ids of the database connections of the API. */
async function connectionsOf({ database }: Opine): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and usename in ('opine_gateway', 'opine_serializable')
    order by pid`.execute(database.superuser);
  return rows.map(({ pid }) => pid);
}

test('a request that Postgres refuses leaves its database connection open', async () => {
  const opine = await anOpine();
  const guest = aGuest(opine);
  const maya = await confirmedPerson(opine);
  const post = await aSlider(maya);
  await castVote(maya, post, 'left');
  const before = await connectionsOf(opine);
  for (let times = 0; times < 5; times += 1) {
    expect((await guest.get(`/posts/${NONEXISTENT.id}`)).status).toBe(404);
    expect((await maya.post(`/users/${maya.id}/follow`)).status).toBe(409);
    expect((await castVote(maya, post, 'left')).status).toBe(409);
  }
  expect(await connectionsOf(opine)).toEqual(before);
});

test('the pool replaces a terminated database connection', async () => {
  const opine = await anOpine();
  const guest = aGuest(opine);
  expect((await guest.get('/posts')).status).toBe(200);
  const before = await connectionsOf(opine);
  for (const pid of before) await sql`select pg_terminate_backend(${pid})`.execute(opine.database.superuser);
  await expect.poll(async () => (await guest.get('/posts')).status).toBe(200);
  expect(before).not.toEqual(expect.arrayContaining(await connectionsOf(opine)));
});
