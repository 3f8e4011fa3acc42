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

/** Amara, who founds Hubs, and Jonas, whose list is looked at. */
async function aPair(): Promise<{ amara: Person; jonas: Person }> {
  const [amara, jonas] = await Promise.all([aHubReady(opine, 'Amara'), aHubReady(opine, 'Jonas')]);
  return { amara, jonas };
}

/** Three Hubs of Amara's, the oldest first, and what `come` does for each. */
async function threeHubs(amara: Person, come: (hub: Json) => Promise<unknown>): Promise<[Json, Json, Json]> {
  const hubs: [Json, Json, Json] = [await aHub(amara), await aHub(amara), await aHub(amara)];
  // Not in the order in which they were founded.
  for (const hub of [hubs[1], hubs[2], hubs[0]]) await come(hub);
  return hubs;
}

describe("somebody's Hubs", () => {
  test('are none at first', async () => {
    const { data } = await (await aHubReady(opine)).get(PATH);
    expect(data).toEqual({ items: [], nextCursor: null });
  });

  test('are invitations, then requests, then memberships, whatever came when', async () => {
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

  test('are each as it is on its own page', async () => {
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

  test('come once each, whoever has invited to them as well', async () => {
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

  test('are none of others', async () => {
    const { amara, jonas } = await aPair();
    const hub = await aHub(amara);
    await anInvitation(amara, hub, await aHubReady(opine));
    await aJoinRequest(amara, hub, await aHubReady(opine));
    expect(await hubsOf(jonas)).toEqual([]);
    expect(await hubsOf(amara)).toEqual([hub.id]);
  });

  test('come to pages of thirty unless asked', async () => {
    const amara = await aHubReady(opine);
    for (const _ of Array(31).keys()) await aHub(amara);
    const pages = await everyPage(amara, PATH);
    expect(pages.map(({ length }) => length)).toEqual([30, 1]);
    expect(await hubsOf(amara, { limit: 100 })).toHaveLength(31);
  });
});

describe('a Hub goes from the list', () => {
  test('when an invitation is declined or accepted, and a request decided', async () => {
    const { amara, jonas } = await aPair();
    const [declined, accepted, rejected, approved] = [
      await aHub(amara),
      await aHub(amara),
      await aHub(amara),
      await aHub(amara),
    ];
    await granted(requestDecline(jonas, await anInvitation(amara, declined, jonas)));
    await granted(requestAccept(jonas, await anInvitation(amara, accepted, jonas)));
    for (const [hub, verdict] of [
      [rejected, 'reject'],
      [approved, 'approve'],
    ] as const)
      await granted(requestDecide(amara, hub, await aJoinRequest(amara, hub, jonas), verdict));
    const items = await itemsOf(jonas);
    expect(idsOf(items)).toEqual(idsOf([approved, accepted]));
    expect(items.map(({ viewerStatus }) => viewerStatus)).toEqual(['member', 'member']);
  });

  test('when one leaves it, is removed from it, or it closes', async () => {
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

  test('when an invitation is too old', async () => {
    const { amara, jonas } = await aPair();
    const hub = await aHub(amara);
    await anInvitation(amara, hub, jonas);
    const [hers] = await later(opine, '6 days 23 hours', jonas);
    expect(await hubsOf(hers)).toEqual([hub.id]);
    const [again] = await later(opine, '61 minutes', hers);
    expect(await hubsOf(again)).toEqual([]);
  });

  test('while there is a block between the invited and the inviter, but not another one', async () => {
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

describe('below level 4', () => {
  test.each([1, 2, 3])(
    'somebody of level %i with a verified phone reads and declines invitations',
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
  ])('somebody %s without a phone has an empty list and declines nothing', async (_, somebody) => {
    const amara = await aHubReady(opine);
    const invitation = await anInvitation(amara, await aHub(amara), await aHubReady(opine));
    const jonas = await somebody(opine);
    expect((await jonas.get(PATH)).data).toEqual({ items: [], nextCursor: null });
    expect(await requestDecline(jonas, invitation)).toMatchObject(refusal(404, 'INVITATION_NOT_FOUND'));
  });
});

/** What a person saves as profile basics. */
function basicsOf(phoneNumber: string): object {
  return { fullName: 'Jonas', username: `jonas_${phoneNumber.slice(1)}`, termsAccepted: true };
}

describe('a list is not read', () => {
  test('without a bearer', async () => {
    expect(await aGuest(opine).get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test.each(['0', '101', '-1', '1.5', 'ten', ''])('by pages of "%s"', async (limit) => {
    expect(await (await aHubReady(opine)).get(withQuery(PATH, { limit }))).toMatchObject(invalid('limit'));
  });

  test.each(['', 'abc', 'null', 'e30', 'W10=', 'WzEsMl0', "' or 1=1 --", '\u0000', 'x'.repeat(5000)])(
    'from a cursor like %j',
    async (cursor) => {
      expect(await (await aHubReady(opine)).get(withQuery(PATH, { cursor }))).toMatchObject(
        invalid('cursor'),
      );
    },
  );
});
