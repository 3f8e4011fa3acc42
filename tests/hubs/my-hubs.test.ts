import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { block, everyPage, granted, idsOf, unblock, withQuery } from '../support/graph.ts';
import { invalid, later, previewOf } from '../support/hub-worlds.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  hubSeenBy,
  join,
  requestAccept,
  requestDecide,
  requestDecline,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  aHubReady,
  anAnonymous,
  aPhone,
  aRegistered,
  type Person,
  signIn,
} from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const PATH = '/users/me/hubs';
const itemsOf = async (person: Client, query: object = {}): Promise<Json[]> =>
  (await everyPage(person, PATH, query)).flat();
const hubsOf = async (person: Client, query: object = {}) => idsOf(await itemsOf(person, query));

/** Creates Amara, who creates the Hubs, and Jonas, who lists them. */
async function aPair(): Promise<{ amara: Person; jonas: Person }> {
  const [amara, jonas] = await Promise.all([aHubReady(opine, 'Amara'), aHubReady(opine, 'Jonas')]);
  return { amara, jonas };
}

/** Creates three Hubs of Amara and calls `enter` for each; returns them oldest first. */
async function threeHubs(amara: Person, enter: (hub: Json) => Promise<unknown>): Promise<[Json, Json, Json]> {
  const hubs: [Json, Json, Json] = [await aHub(amara), await aHub(amara), await aHub(amara)];
  // The order differs from the order of creation.
  for (const hub of [hubs[1], hubs[2], hubs[0]]) await enter(hub);
  return hubs;
}

describe('GET /users/me/hubs', () => {
  test('a new user has an empty list', async () => {
    const { data } = await (await aHubReady(opine)).get(PATH);
    expect(data).toEqual({ items: [], nextCursor: null });
  });

  test('the list has invitations first, then join requests, then memberships by last activity', async () => {
    const { amara, jonas } = await aPair();
    const active = await threeHubs(amara, (hub) => join(amara, hub, [jonas]));
    const pending = await threeHubs(amara, (hub) => aJoinRequest(amara, hub, jonas));
    const invited = await threeHubs(amara, (hub) => anInvitation(amara, hub, jonas));
    await aHubPost(amara, [active[1]]);
    const newest = ([first, second, third]: Json[]) => [first, third, second];
    const ordered = idsOf([...newest(invited), ...newest(pending), active[1], active[2], active[0]]);
    for (const limit of [1, 2, 3, 4, 5, 8, 9, 10, 100]) {
      const pages = await everyPage(jonas, PATH, { limit });
      expect(idsOf(pages.flat()), `${limit}`).toEqual(ordered);
      expect(pages).toHaveLength(Math.ceil(9 / limit));
    }
  });

  test('an entry equals the answer of GET /hubs/{hubId}', async () => {
    const { amara, jonas } = await aPair();
    const hub = await aHub(jonas, { customLink: 'in-my-list', description: 'Mine.' });
    const [invited, pending, joined] = [await aHub(amara), await aHub(amara), await aHub(amara)];
    const { id: invitationId } = await anInvitation(amara, invited, jonas);
    const { id: joinRequestId } = await aJoinRequest(amara, pending, jonas);
    await join(amara, joined, [jonas], 'manager');
    await hubSeenBy(jonas, joined);
    expect(await itemsOf(jonas)).toEqual([
      previewOf(invited, 1, { viewerStatus: 'invited', invitationId }),
      previewOf(pending, 1, { viewerStatus: 'pending_admin_approval', joinRequestId }),
      await hubSeenBy(jonas, joined),
      hub,
    ]);
    for (const item of await itemsOf(jonas)) expect(item).toEqual(await hubSeenBy(jonas, item));
  });

  test('the list has each Hub once, also with several invitations', async () => {
    const { amara, jonas } = await aPair();
    const [invited, pending, joined] = [await aHub(amara), await aHub(amara), await aHub(amara)];
    for (const hub of [invited, pending, joined]) {
      const lena = await aMemberOf(opine, amara, hub, 'Lena');
      await anInvitation(lena, hub, jonas);
    }
    await aJoinRequest(amara, pending, jonas);
    await join(amara, joined, [jonas]);
    for (const hub of [pending, invited, joined]) await anInvitation(amara, hub, jonas);
    for (const limit of [1, 100])
      expect(await hubsOf(jonas, { limit })).toEqual(idsOf([invited, pending, joined]));
  });

  test('the list omits the Hubs of other people', async () => {
    const { amara, jonas } = await aPair();
    const hub = await aHub(amara);
    await anInvitation(amara, hub, await aHubReady(opine));
    await aJoinRequest(amara, hub, await aHubReady(opine));
    expect(await hubsOf(jonas)).toEqual([]);
    expect(await hubsOf(amara)).toEqual([hub.id]);
  });

  test('a page has 30 Hubs by default', async () => {
    const amara = await aHubReady(opine);
    for (const _ of Array(31).keys()) await aHub(amara);
    const pages = await everyPage(amara, PATH);
    expect(pages.map(({ length }) => length)).toEqual([30, 1]);
    expect(await hubsOf(amara, { limit: 100 })).toHaveLength(31);
  });
});

describe('the removal of a Hub from the list', () => {
  test('declined invitations and rejected join requests leave the list', async () => {
    const { amara, jonas } = await aPair();
    const [declined, accepted, rejected, approved] = [
      await aHub(amara),
      await aHub(amara),
      await aHub(amara),
      await aHub(amara),
    ];
    await granted(requestDecline(jonas, await anInvitation(amara, declined, jonas)));
    await granted(requestAccept(jonas, await anInvitation(amara, accepted, jonas)));
    for (const [hub, decision] of [
      [rejected, 'reject'],
      [approved, 'approve'],
    ] as const)
      await granted(requestDecide(amara, hub, await aJoinRequest(amara, hub, jonas), decision));
    const items = await itemsOf(jonas);
    expect(idsOf(items)).toEqual(idsOf([approved, accepted]));
    expect(items.map(({ viewerStatus }) => viewerStatus)).toEqual(['member', 'member']);
  });

  test('left and closed Hubs and removed memberships leave the list', async () => {
    const { amara, jonas } = await aPair();
    const [left, removed, closed] = [await aHub(amara), await aHub(amara), await aHub(amara)];
    for (const hub of [left, removed]) await join(amara, hub, [jonas]);
    await anInvitation(amara, closed, jonas);
    await granted(requestLeave(jonas, left));
    await granted(requestRemove(amara, removed, jonas));
    await granted(requestLeave(amara, closed));
    expect(await hubsOf(jonas)).toEqual([]);
    expect(await hubsOf(amara)).toEqual(idsOf([removed, left]));
  });

  test('an expired invitation leaves the list', async () => {
    const { amara, jonas } = await aPair();
    const hub = await aHub(amara);
    await anInvitation(amara, hub, jonas);
    const [jonasLater] = await later(opine, '6 days 23 hours', jonas);
    expect(await hubsOf(jonasLater)).toEqual([hub.id]);
    const [jonasAfterExpiry] = await later(opine, '61 minutes', jonasLater);
    expect(await hubsOf(jonasAfterExpiry)).toEqual([]);
  });

  test('an invitation is absent while its inviter and the invited person are a blocked pair', async () => {
    const { amara, jonas } = await aPair();
    const [hub, shared] = [await aHub(amara), await aHub(amara)];
    const lena = await aMemberOf(opine, amara, shared, 'Lena');
    for (const [inviter, place] of [
      [amara, hub],
      [lena, shared],
      [amara, shared],
    ] as const)
      await anInvitation(inviter, place, jonas);
    await block(amara, jonas);
    expect(await hubsOf(jonas)).toEqual([shared.id]);
    await unblock(amara, jonas);
    expect(await hubsOf(jonas)).toEqual(idsOf([shared, hub]));
  });
});

describe('GET /users/me/hubs below level 4', () => {
  test.each([1, 2, 3])(
    'a caller of level %i with a verified phone lists and declines invitations',
    async (level) => {
      const amara = await aHubReady(opine);
      const [kept, declined] = [await aHub(amara), await aHub(amara)];
      const phoneNumber = aPhone();
      const jonas = clientOf(opine.url, (await signIn(opine, phoneNumber)).accessToken);
      const steps = [
        () => jonas.put('/users/me/onboarding/profile-basics', basicsOf(phoneNumber)),
        () => jonas.put('/users/me/onboarding/media', {}),
      ];
      for (const step of steps.slice(0, level - 1)) await granted(step());
      expect((await jonas.get('/users/me/onboarding/status')).data).toMatchObject({ level });
      const invitation = await anInvitation(amara, kept, { phoneNumber });
      const refused = await anInvitation(amara, declined, { phoneNumber });
      expect(await itemsOf(jonas, { limit: 1 })).toEqual([
        previewOf(declined, 1, { viewerStatus: 'invited', invitationId: refused.id }),
        previewOf(kept, 1, { viewerStatus: 'invited', invitationId: invitation.id }),
      ]);
      await granted(requestDecline(jonas, refused));
      expect(await hubsOf(jonas)).toEqual([kept.id]);
      expect(await requestAccept(jonas, invitation)).toMatchObject(
        refusal(403, 'FORBIDDEN', { requiredLevel: 4, level }),
      );
    },
  );

  test.each([
    ['anonymous', anAnonymous],
    ['registered', aRegistered],
  ])('a caller without phone (%s) has an empty list and cannot decline', async (_, somebody) => {
    const amara = await aHubReady(opine);
    const invitation = await anInvitation(amara, await aHub(amara), await aHubReady(opine));
    const jonas = await somebody(opine);
    expect((await jonas.get(PATH)).data).toEqual({ items: [], nextCursor: null });
    expect(await requestDecline(jonas, invitation)).toMatchObject(refusal(404, 'INVITATION_NOT_FOUND'));
  });
});

/** Returns valid profile basics for the owner of a phone. */
function basicsOf(phoneNumber: string): object {
  return { fullName: 'Jonas', username: `jonas_${phoneNumber.slice(1)}`, termsAccepted: true };
}

describe('refused requests to GET /users/me/hubs', () => {
  test('a guest gets 401', async () => {
    expect(await aGuest(opine).get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test.each(['0', '101', '-1', '1.5', 'ten', ''])('the limit "%s" is 422', async (limit) => {
    expect(await (await aHubReady(opine)).get(withQuery(PATH, { limit }))).toMatchObject(invalid('limit'));
  });

  test.each(['', 'abc', 'null', 'e30', 'W10=', 'WzEsMl0', "' or 1=1 --", '\u0000', 'x'.repeat(5000)])(
    'the cursor %j is 422',
    async (cursor) => {
      expect(await (await aHubReady(opine)).get(withQuery(PATH, { cursor }))).toMatchObject(
        invalid('cursor'),
      );
    },
  );
});
