import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import type { Client, Json } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { granted } from '../support/graph.ts';
import { aHubWorld, call, later, NON_MEMBERS, type Operation } from '../support/hub-worlds.ts';
import {
  aHub,
  aHubPost,
  aMemberOf,
  discussionOf,
  type Hub,
  hubSeenBy,
  join,
  requestAppoint,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Longer than a day, and than a day can be in error. */
const A_DAY_AND_MORE = '24 hours 6 minutes';

const countSeenBy = async (member: Client, hub: Hub): Promise<number> =>
  (await hubSeenBy(member, hub)).activeUsers24h;

/** What `member` sees when what was used just now has come to be counted: the count may be five minutes behind. */
async function countSoon(member: Client, hub: Hub): Promise<number> {
  await hubSeenBy(member, hub);
  await timePasses(opine, '5 minutes 1 second');
  return countSeenBy(member, hub);
}

/** Amara's Hub and Jonas, of whom nobody has used it for more than a day. */
async function aQuietHub(): Promise<{ hub: Json; amara: Person; jonas: Person }> {
  const founder = await aHubReady(opine, 'Amara');
  const hub = await aHub(founder);
  const member = await aMemberOf(opine, founder, hub, 'Jonas');
  const [amara, jonas] = await later(opine, A_DAY_AND_MORE, founder, member);
  return { hub, amara, jonas };
}

/** The rows that tell when `person` has used `hub`: another version of a row, another name. */
async function versionsOf(hub: Hub, person: Person): Promise<unknown[]> {
  const { rows } = await sql`
    select xmin::text, seen_at from app.memberships where hub_id = ${hub.id} and user_id = ${person.id}
    union all
    select xmin::text, null from app.hub_presence where hub_id = ${hub.id} order by 1
  `.execute(opine.database.superuser);
  return rows;
}

describe('of the active members of the last day', () => {
  test('one is whoever looks', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    expect(await countSoon(amara, hub)).toBe(1);
    await hubSeenBy(jonas, hub);
    expect(await countSoon(amara, hub)).toBe(2);
  });

  test.for<Operation>([
    ['GET', ''],
    ['GET', '/members'],
    ['GET', '/members?q=amara'],
    ['GET', '/admins'],
    ['GET', '/notification-settings'],
    ['PATCH', '/notification-settings', { contentMuted: true }],
    ['GET', '/invitations'],
    ['POST', '/invitations', { phoneNumbers: ['+12025559999'] }],
    ['GET', '/invite-links'],
    ['POST', '/invite-links', {}],
    ['GET', '/join-requests'],
    ['GET', '/feed'],
    ['GET', '/discussions'],
    ['PATCH', '', { name: 'Oak Street' }],
    ['PATCH', '/link', { customLink: 'counted-link' }],
  ])('one is whoever uses %s %s', async (operation) => {
    const quiet = await aQuietHub();
    const { hub } = quiet;
    await granted(requestAppoint(quiet.amara, hub, quiet.jonas));
    const [amara, jonas] = await later(opine, A_DAY_AND_MORE, quiet.amara, quiet.jonas);
    await granted(call(jonas, hub, operation));
    expect(await countSoon(amara, hub)).toBe(2);
  });

  test('one is whoever reads or writes in a discussion', async () => {
    const quiet = await aQuietHub();
    const { hub } = quiet;
    const lena = await aMemberOf(opine, quiet.amara, hub, 'Lena');
    const { id } = await discussionOf(quiet.amara, hub, await aHubPost(quiet.amara, [hub]));
    const [amara, jonas, maya] = await later(opine, A_DAY_AND_MORE, quiet.amara, quiet.jonas, lena);
    await granted(jonas.get(`/hubs/${hub.id}/discussions/${id}/messages`));
    expect(await countSoon(amara, hub)).toBe(2);
    await granted(maya.post(`/hubs/${hub.id}/discussions/${id}/messages`, { text: 'Indeed.' }));
    expect(await countSoon(amara, hub)).toBe(3);
  });

  test('one is whoever places a post, and reads nothing', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    await aHubPost(jonas, [hub]);
    expect(await countSoon(amara, hub)).toBe(2);
  });

  test('each is one, however often they look', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    for (const _ of [1, 2]) {
      for (const path of ['', '/members', '/admins']) await granted(jonas.get(`/hubs/${hub.id}${path}`));
      expect(await countSoon(amara, hub)).toBe(2);
    }
  });

  test('each counts for a day, and for another where they look again', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    await hubSeenBy(jonas, hub);
    const [inTime] = await later(opine, '23 hours 40 minutes', amara);
    expect(await countSeenBy(inTime, hub)).toBeGreaterThanOrEqual(1);
    expect(await countSoon(inTime, hub)).toBe(2);
    const [tooLate] = await later(opine, '25 minutes', inTime);
    expect(await countSoon(tooLate, hub)).toBe(1);
  });

  test('each who looks every two hours stays counted', async () => {
    const { hub, ...quiet } = await aQuietHub();
    let { amara, jonas } = quiet;
    for (const _ of Array(13).keys()) {
      [amara, jonas] = await later(opine, '2 hours', amara, jonas);
      await hubSeenBy(jonas, hub);
    }
    expect(await countSoon(amara, hub)).toBe(2);
  });

  test('none is an non-member who looks at what they may see', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    const [admin, ...nonMembers] = await later(
      opine,
      A_DAY_AND_MORE,
      people.admin,
      ...NON_MEMBERS.map((standing) => people[standing]),
    );
    for (const nonMember of nonMembers) {
      for (const path of ['', '/members', '/feed']) await nonMember.get(`/hubs/${hub.id}${path}`);
      await nonMember.get('/search/hubs?q=elm');
      await nonMember.get('/users/me/hubs');
    }
    expect(await countSoon(admin, hub)).toBe(1);
  });

  test('none is whoever only looks at another Hub, or at a list of Hubs', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    await hubSeenBy(jonas, await aHub(jonas));
    await granted(jonas.get('/users/me/hubs'));
    await granted(jonas.get('/search/hubs?q=elm'));
    expect(await countSoon(amara, hub)).toBe(1);
  });

  test.each([
    ['leaves', (_: Person, hub: Hub, jonas: Person) => requestLeave(jonas, hub)],
    ['is removed', requestRemove],
  ])('none is whoever %s, and one whoever comes back', async (_, end) => {
    const { hub, amara, jonas } = await aQuietHub();
    await hubSeenBy(jonas, hub);
    expect(await countSoon(amara, hub)).toBe(2);
    await granted(end(amara, hub, jonas));
    expect(await hubSeenBy(amara, hub)).toMatchObject({ memberCount: 1, activeUsers24h: 1 });
    await join(amara, hub, [jonas]);
    await hubSeenBy(jonas, hub);
    expect(await countSoon(amara, hub)).toBe(2);
  });

  test('none is whoever ended their account', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    await hubSeenBy(jonas, hub);
    expect(await countSoon(amara, hub)).toBe(2);
    await granted(jonas.delete('/users/me'));
    await untilGone(opine, jonas.id);
    expect(await hubSeenBy(amara, hub)).toMatchObject({ memberCount: 1, activeUsers24h: 1 });
  });
});

describe('what is remembered of a member', () => {
  test('is written once in five minutes, however often they look, at once as well', async () => {
    const { hub, jonas } = await aQuietHub();
    await hubSeenBy(jonas, hub);
    const versions = await versionsOf(hub, jonas);
    const look = () =>
      Promise.all(
        ['', '/members', '/admins', '/feed', '/discussions', '/notification-settings'].map((path) =>
          granted(jonas.get(`/hubs/${hub.id}${path}`)),
        ),
      );
    for (const _ of [1, 2, 3]) await look();
    await timePasses(opine, '4 minutes 50 seconds');
    await look();
    expect(await versionsOf(hub, jonas)).toEqual(versions);
  });

  test('is written again after five minutes', async () => {
    const { hub, jonas } = await aQuietHub();
    await hubSeenBy(jonas, hub);
    const versions = await versionsOf(hub, jonas);
    await timePasses(opine, '5 minutes 1 second');
    await hubSeenBy(jonas, hub);
    expect(await versionsOf(hub, jonas)).not.toEqual(versions);
  });

  test('is not lost where two look at once', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    await Promise.all([amara, jonas, amara, jonas].map((person) => hubSeenBy(person, hub)));
    expect(await countSoon(amara, hub)).toBe(2);
  });
});
