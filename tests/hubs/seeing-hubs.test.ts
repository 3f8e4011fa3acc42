import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { block, granted, unblock } from '../support/graph.ts';
import { aHubWorld, later, previewOf, SUBORDINATES } from '../support/hub-worlds.ts';
import { aHub, aJoinRequest, anInvitation, hubSeenBy, requestDecline } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous, aPhone, aRegistered } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('the preview of a Hub for non-members', () => {
  test('every kind of non-member sees the preview and their own status only', async () => {
    const { hub, invitation, joinRequest, ...people } = await aHubWorld(opine, {
      description: 'Neighbours.',
      customLink: 'a-secret-link',
    });
    const none = { viewerStatus: 'none' };
    const invited = { viewerStatus: 'invited', invitationId: invitation.id };
    const pending = { viewerStatus: 'pending_admin_approval', joinRequestId: joinRequest.id };
    expect(await hubSeenBy(people.invited, hub)).toEqual(previewOf(hub, 3, invited));
    expect(await hubSeenBy(people.pending, hub)).toEqual(previewOf(hub, 3, pending));
    const others = [await anAnonymous(opine), await aRegistered(opine), await aConfirmed(opine)];
    for (const viewer of [people.former, people.stranger, ...others])
      expect(await hubSeenBy(viewer, hub)).toEqual(previewOf(hub, 3, none));
  });

  test('a guest gets 401', async () => {
    const hub = await aHub(await aHubReady(opine));
    expect(await aGuest(opine).get(`/hubs/${hub.id}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('an invited person of level 3 sees their invitation', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const jonas = await aConfirmed(opine);
    const { id: invitationId } = await anInvitation(amara, hub, jonas);
    const invited = { viewerStatus: 'invited', invitationId };
    expect(await hubSeenBy(jonas, hub)).toEqual(previewOf(hub, 1, invited));
  });

  test('an applicant who is also invited sees their join request', async () => {
    const { hub, admin, member, pending, invited, joinRequest } = await aHubWorld(opine);
    const applied = { viewerStatus: 'pending_admin_approval' };
    await anInvitation(member, hub, pending);
    const seen = previewOf(hub, 3, { ...applied, joinRequestId: joinRequest.id });
    expect(await hubSeenBy(pending, hub)).toEqual(seen);
    const { id: joinRequestId } = await aJoinRequest(admin, hub, invited);
    expect(await hubSeenBy(invited, hub)).toEqual(previewOf(hub, 3, { ...applied, joinRequestId }));
  });

  test('a person does not see declined, expired and foreign invitations', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const [jonas, lena] = [await aHubReady(opine), await aHubReady(opine)];
    await granted(requestDecline(jonas, await anInvitation(amara, hub, jonas)));
    await anInvitation(amara, hub, lena);
    await anInvitation(amara, hub, { phoneNumber: aPhone() });
    expect((await hubSeenBy(lena, hub)).viewerStatus).toBe('invited');
    for (const viewer of await later(opine, '7 days 1 second', jonas, lena))
      expect(await hubSeenBy(viewer, hub)).toEqual(previewOf(hub, 1));
  });

  test.each(['the inviter', 'the invited person'])(
    'the preview has no invitation while %s blocks the other',
    async (blockingSide) => {
      const amara = await aHubReady(opine);
      const hub = await aHub(amara);
      const jonas = await aHubReady(opine);
      await anInvitation(amara, hub, jonas);
      const [blocker, blocked] = blockingSide === 'the inviter' ? [amara, jonas] : [jonas, amara];
      await block(blocker, blocked);
      expect(await hubSeenBy(jonas, hub)).toEqual(previewOf(hub, 1));
      await unblock(blocker, blocked);
      expect((await hubSeenBy(jonas, hub)).viewerStatus).toBe('invited');
    },
  );
});

test('a member sees the whole Hub and their own role, also with an open invitation', async () => {
  const { hub, admin, ...people } = await aHubWorld(opine, { customLink: 'the-whole-hub' });
  await anInvitation(admin, hub, people.member);
  for (const viewerRole of SUBORDINATES) {
    const seen = await hubSeenBy(people[viewerRole], hub);
    expect(seen).toEqual({ ...hub, viewerRole, memberCount: 3, activeUsers24h: expect.any(Number) });
  }
});
