import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { aHubPost, aHubWithMember } from '../support/hubs.ts';
import { notificationsOf } from '../support/inbox.ts';
import { muteHub } from '../support/notification-worlds.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { eventually, whilePublishingIsBlocked } from '../support/streams.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
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

/** Returns whether the signal of a notification was sent to `person`. */
const isSent = async (person: Person, { id }: Json) =>
  (await sentTo(person)).some(({ payload }) => payload.notificationId === id);

/** Runs `use` as Supabase Realtime does for `person`: with their role, their claims and a topic. */
function inRealtime<T>(
  { session }: Person,
  topic: string,
  use: (run: (statement: ReturnType<typeof sql>) => Promise<Json[]>) => Promise<T>,
): Promise<T> {
  return opine.database.superuser.transaction().execute((transaction) => {
    const run = async (statement: ReturnType<typeof sql>) =>
      (await statement.execute(transaction)).rows as Json[];
    const claims = JSON.stringify(decodeJwt(session.accessToken));
    return run(sql`
      select set_config('request.jwt.claims', ${claims}, true), set_config('realtime.topic', ${topic}, true),
        set_config('role', 'authenticated', true)
    `).then(() => use(run));
  });
}

/** Returns the topics of the messages that `person` may read on `topic`. */
const topicsReadBy = (person: Person, topic = topicOf(person)): Promise<string[]> =>
  inRealtime(person, topic, async (run) =>
    (await run(sql`select distinct m.topic from realtime.messages as m`)).map((row) => row.topic),
  );

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

  test('a notification of a Hub muted before publication sends no signal', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    const [muted, last] = await whilePublishingIsBlocked(opine, async () => {
      await aHubPost(amara, [hub]);
      const [post] = await notificationsOf(jonas, 'hub_post_created');
      await muteHub(jonas, hub);
      await follow(amara, jonas);
      return [post, ...(await notificationsOf(jonas, 'user_followed'))];
    });
    await eventually(() => isSent(jonas, last)).toBe(true);
    expect(await isSent(jonas, muted)).toBe(false);
  });
});

describe('a channel of Supabase Realtime', () => {
  test('a person reads their own channel and no other', async () => {
    const [maya, jonas] = await twoFollowed();
    expect(await topicsReadBy(maya)).toEqual(expect.arrayContaining([topicOf(maya)]));
    expect(await topicsReadBy(maya, topicOf(jonas))).toEqual([]);
    expect(await topicsReadBy(maya, 'user:')).toEqual([]);
    expect(await topicsReadBy(maya, '')).toEqual([]);
  });

  test('a caller whose session has ended reads nothing', async () => {
    const [maya] = await twoFollowed();
    await logOut(opine, maya.session);
    expect(await topicsReadBy(maya)).toEqual([]);
  });

  test('a person cannot send to any channel, not even their own', async () => {
    const [maya, jonas] = await twoFollowed();
    for (const person of [maya, jonas]) {
      const topic = topicOf(person);
      for (const send of [
        sql`insert into realtime.messages (topic, extension, event, private) values (${topic}, 'broadcast', 'notification', true)`,
        sql`select realtime.send('{}', 'notification', ${topic}, true)`,
      ]) {
        await expect(inRealtime(maya, topic, (run) => run(send))).rejects.toThrow(/row-level security/);
      }
      expect(await sentTo(person)).toHaveLength(1);
    }
  });

  test('a person cannot change a sent message', async () => {
    const [maya] = await twoFollowed();
    const changed = await inRealtime(maya, topicOf(maya), (run) =>
      run(sql`update realtime.messages set payload = '{}' returning topic`),
    );
    expect(changed).toEqual([]);
  });

  test('a caller with an expired token reads nothing', async () => {
    const [maya] = await twoFollowed();
    await advanceTime(opine, '16 minutes');
    expect(await topicsReadBy(maya)).toEqual([]);
  });
});
