import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, type Client, clientOf, expectOk, idsOf, type Json, refusal } from '../support/client.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  anInvitation,
  hubPreview,
  hubSeenBy,
  join,
  requestAccept,
  requestDecline,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, newPhoneNumber, type Person, signIn } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const PATH = '/users/me/hubs';

const itemsOf = async (person: Client, query: object = {}): Promise<Json[]> =>
  (await allPages(person, PATH, query)).flat();

const hubsOf = async (person: Client, query: object = {}) => idsOf(await itemsOf(person, query));

/** Creates Amara, who creates the Hubs, and Jonas, who lists them. */
async function aPair(): Promise<{ amara: Person; jonas: Person }> {
  const [amara, jonas] = await Promise.all([hubReadyPerson(opine, 'Amara'), hubReadyPerson(opine, 'Jonas')]);
  return { amara, jonas };
}

/** Creates three Hubs of Amara and calls `enter` for each; returns them oldest first. */
async function threeHubs(amara: Person, enter: (hub: Json) => Promise<unknown>): Promise<[Json, Json, Json]> {
  const hubs: [Json, Json, Json] = [await aHub(amara), await aHub(amara), await aHub(amara)];
  // The order differs from the order of creation.
  for (const hub of [hubs[1], hubs[2], hubs[0]]) await enter(hub);
  return hubs;
}

/** Returns valid profile basics for the owner of a phone. */
function basicsOf(phoneNumber: string): object {
  return { fullName: 'Jonas', username: `jonas_${phoneNumber.slice(1)}`, termsAccepted: true };
}

describe('GET /users/me/hubs', () => {
  // docs/product.md H24
  test('the list has invitations first, then join requests, then memberships by last activity', async () => {
    const { amara, jonas } = await aPair();
    const active = await threeHubs(amara, (hub) => join(amara, hub, [jonas]));
    const pending = await threeHubs(amara, (hub) => aJoinRequest(amara, hub, jonas));
    const invited = await threeHubs(amara, (hub) => anInvitation(amara, hub, jonas));
    await aHubPost(amara, [active[1]]);
    const newest = ([first, second, third]: Json[]) => [first, third, second];
    const ordered = idsOf([...newest(invited), ...newest(pending), active[1], active[2], active[0]]);
    for (const limit of [1, 4, 9]) {
      const pages = await allPages(jonas, PATH, { limit });
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
      hubPreview(invited, 1, { viewerStatus: 'invited', invitationId }),
      hubPreview(pending, 1, { viewerStatus: 'pending_admin_approval', joinRequestId }),
      await hubSeenBy(jonas, joined),
      hub,
    ]);
    for (const item of await itemsOf(jonas)) expect(item).toEqual(await hubSeenBy(jonas, item));
  });
});

describe('GET /users/me/hubs below level 4', () => {
  // docs/product.md H6, H24
  test.each([1, 3])(
    'a caller of level %i with a verified phone lists and declines invitations',
    async (level) => {
      const amara = await hubReadyPerson(opine);
      const [kept, declined] = [await aHub(amara), await aHub(amara)];
      const phoneNumber = newPhoneNumber();
      const jonas = clientOf(opine.url, (await signIn(opine, phoneNumber)).accessToken);
      const steps = [
        () => jonas.put('/users/me/onboarding/profile-basics', basicsOf(phoneNumber)),
        () => jonas.put('/users/me/onboarding/media', {}),
      ];
      for (const step of steps.slice(0, level - 1)) await expectOk(step());
      expect((await jonas.get('/users/me/onboarding/status')).data).toMatchObject({ level });
      const invitation = await anInvitation(amara, kept, { phoneNumber });
      const refused = await anInvitation(amara, declined, { phoneNumber });
      expect(await itemsOf(jonas, { limit: 1 })).toEqual([
        hubPreview(declined, 1, { viewerStatus: 'invited', invitationId: refused.id }),
        hubPreview(kept, 1, { viewerStatus: 'invited', invitationId: invitation.id }),
      ]);
      await expectOk(requestDecline(jonas, refused));
      expect(await hubsOf(jonas)).toEqual([kept.id]);
      expect(await requestAccept(jonas, invitation)).toMatchObject(
        refusal(403, 'FORBIDDEN', { requiredLevel: 4, level }),
      );
    },
  );
});
