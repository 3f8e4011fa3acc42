import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { advanceTime, type Opine, startOpine, WITH_WORKER } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import { eventually } from '../support/streams.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine(WITH_WORKER);
});

afterAll(() => opine.stop());

const topicOf = ({ id }: Pick<Person, 'id'>) => `user:${id}`;

/** Returns the Realtime messages to `person`, oldest first. */
async function sentTo(person: Person): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select event, extension, private, payload from realtime.messages
    where topic = ${topicOf(person)} order by inserted_at
  `.execute(opine.database.superuser);
  return rows;
}

/** Returns the topics of the messages that Supabase Realtime, with the role and claims of `person`, may read. */
function topicsReadBy(person: Person): Promise<string[]> {
  const claims = JSON.stringify(decodeJwt(person.session.accessToken));
  return opine.database.superuser.transaction().execute(async (transaction) => {
    await sql`
      select set_config('request.jwt.claims', ${claims}, true), set_config('realtime.topic', ${topicOf(person)}, true),
        set_config('role', 'authenticated', true)
    `.execute(transaction);
    const { rows } = await sql<{ topic: string }>`
      select distinct m.topic from realtime.messages as m`.execute(transaction);
    return rows.map(({ topic }) => topic);
  });
}

/** Creates two people with one Realtime message each. */
async function twoFollowed(): Promise<[Person, Person]> {
  const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
  await follow(maya, jonas);
  await follow(jonas, maya);
  for (const person of [maya, jonas]) {
    await eventually(async () => (await sentTo(person)).length).toBe(1);
  }
  return [maya, jonas];
}

describe('a signal of Supabase Realtime', () => {
  test('a signal goes to the private channel of its recipient', async () => {
    const [maya, jonas] = await twoFollowed();
    const [notification] = await notificationsOf(maya);
    expect(await sentTo(maya)).toEqual([
      {
        event: 'notification',
        extension: 'broadcast',
        private: true,
        payload: {
          notificationId: notification.id,
          type: 'user_followed',
          recipientUserId: maya.id,
          actorIsAnonymous: false,
          actorId: jonas.id,
        },
      },
    ]);
  });
});

describe('a channel of Supabase Realtime', () => {
  test('a caller with an expired token reads nothing', async () => {
    const [maya] = await twoFollowed();
    expect(await topicsReadBy(maya)).toContain(topicOf(maya));
    await advanceTime(opine, '16 minutes');
    expect(await topicsReadBy(maya)).toEqual([]);
  });
});
