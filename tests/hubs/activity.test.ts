import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json } from '../support/client.ts';
import { aHub, aHubPost, aMemberOf, type Hub, hubSeenBy } from '../support/hubs.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person, signedInAfter } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** A day plus the tolerance of five minutes of the count, rounded up. */
const MORE_THAN_A_DAY = '24 hours 6 minutes';

const countSeenBy = async (member: Client, hub: Hub): Promise<number> =>
  (await hubSeenBy(member, hub)).activeUsers24h;

/** Returns the count five minutes later, since it may lag by five minutes. */
async function countAfterLag(member: Client, hub: Hub): Promise<number> {
  await hubSeenBy(member, hub);
  await advanceTime(opine, '5 minutes 1 second');
  return countSeenBy(member, hub);
}

/** Creates a Hub of Amara with Jonas that nobody has used for more than a day. */
async function aQuietHub(): Promise<{ hub: Json; amara: Person; jonas: Person }> {
  const founder = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(founder);
  const member = await aMemberOf(opine, founder, hub, 'Jonas');
  const [amara, jonas] = await signedInAfter(opine, MORE_THAN_A_DAY, founder, member);
  return { hub, amara, jonas };
}

/** Returns the row versions of the last use of `hub` by `person`; xmin changes with every write. */
async function versionsOf(hub: Hub, person: Person): Promise<unknown[]> {
  const { rows } = await sql`
    select xmin::text, seen_at from app.memberships where hub_id = ${hub.id} and user_id = ${person.id}
    union all
    select xmin::text, null from app.hub_presence where hub_id = ${hub.id} order by 1
  `.execute(opine.database.superuser);
  return rows;
}

describe('activeUsers24h', () => {
  // docs/product.md H5
  test('the count includes a member who only posts into the Hub', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    await aHubPost(jonas, [hub]);
    expect(await countAfterLag(amara, hub)).toBe(2);
  });

  // docs/product.md H5
  test('the count drops a member a day after their last visit', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    await hubSeenBy(jonas, hub);
    const [inTime] = await signedInAfter(opine, '23 hours 40 minutes', amara);
    expect(await countSeenBy(inTime, hub)).toBeGreaterThanOrEqual(1);
    expect(await countAfterLag(inTime, hub)).toBe(2);
    const [tooLate] = await signedInAfter(opine, '25 minutes', inTime);
    expect(await countAfterLag(tooLate, hub)).toBe(1);
  });
});

describe('the recorded last use of a Hub', () => {
  test('repeated and concurrent requests of a member write one row version in five minutes', async () => {
    const { hub, jonas } = await aQuietHub();
    await hubSeenBy(jonas, hub);
    const versions = await versionsOf(hub, jonas);
    const requestAll = () =>
      Promise.all(
        ['', '/members', '/admins', '/feed', '/discussions', '/notification-settings'].map((path) =>
          expectOk(jonas.get(`/hubs/${hub.id}${path}`)),
        ),
      );
    for (const _ of [1, 2, 3]) await requestAll();
    await advanceTime(opine, '4 minutes 50 seconds');
    await requestAll();
    expect(await versionsOf(hub, jonas)).toEqual(versions);
  });

  test('concurrent requests of two members count both', async () => {
    const { hub, amara, jonas } = await aQuietHub();
    await Promise.all([amara, jonas, amara, jonas].map((person) => hubSeenBy(person, hub)));
    expect(await countAfterLag(amara, hub)).toBe(2);
  });
});
