import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { everyPage, granted, idsOf } from '../support/graph.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  anInviteLink,
  hubSeenBy,
  requestAccept,
  requestDecide,
  requestJoin,
} from '../support/hubs.ts';
import {
  eventsAbout,
  expectSound,
  hubsOf,
  linksOf,
  openRequestsOf,
  previewOf,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aHubReady, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let bo: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, bo] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Bo Lindqvist')];
  hub = await aHub(amara);
});

describe('POST /hub-invite-links/{token}/join-requests', () => {
  test('an applicant sees only the preview while the join request is open', async () => {
    const { status, data } = await requestJoin(bo, await anInviteLink(amara, hub));
    expect(status).toBe(201);
    const { id } = data;
    expect(data).toEqual({ id, hubId: hub.id, state: 'pending_admin_approval' });
    const preview = previewOf(hub, { viewerStatus: 'pending_admin_approval', joinRequestId: id });
    expect(await hubSeenBy(bo, hub)).toEqual(preview);
    expect(await hubsOf(bo)).toEqual([preview]);
    for (const path of ['members', 'admins', 'feed', 'discussions'])
      expect(await bo.get(`/hubs/${hub.id}/${path}`)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(await eventsAbout(opine, hub, bo)).toMatchObject([
      { type: 'hub_join_request_created', joinRequestId: id },
    ]);
    await expectSound(opine, hub, 1);
  });

  test('a replay with an Idempotency-Key makes one join request and uses the link once', async () => {
    const { token } = await anInviteLink(amara, hub);
    const send = () =>
      bo.post(`/hub-invite-links/${token}/join-requests`, undefined, {
        headers: { 'idempotency-key': 'a-key' },
      });
    const [first, again] = [await send(), await send()];
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
    expect(await openRequestsOf(amara, hub)).toHaveLength(1);
    expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 1 }]);
  });

  test('a caller below level 4 gets 403 and a guest gets 401', async () => {
    const link = await anInviteLink(amara, hub);
    const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level: 3, nextStep: 'contacts' });
    expect(await requestJoin(await aConfirmed(opine), link)).toMatchObject(refused);
    expect(await requestJoin(aGuest(opine), link)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await openRequestsOf(amara, hub)).toEqual([]);
  });

  test('an invited person can also request to join', async () => {
    const { id: invitationId } = await anInvitation(amara, hub, bo);
    const { id: joinRequestId } = await aJoinRequest(amara, hub, bo);
    const seen = await hubSeenBy(bo, hub);
    expect(seen).toMatchObject({ viewerStatus: 'pending_admin_approval', joinRequestId });
    expect((await requestAccept(bo, { id: invitationId })).status).toBe(200);
  });
});

describe('GET /hubs/{hubId}/join-requests', () => {
  test('an entry shows the public profile of the applicant without phone', async () => {
    await granted(bo.patch('/users/me/hub-profile', { displayName: 'Night Owl' }));
    const { id } = await aJoinRequest(amara, hub, bo);
    const items = await openRequestsOf(amara, hub);
    expect(items).toEqual([
      {
        id,
        user: {
          userId: bo.id,
          displayName: 'Bo Lindqvist',
          profilePhotoUrl: null,
          username: bo.username,
        },
        state: 'pending_admin_approval',
        source: 'invite_link',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ]);
    expect(JSON.stringify(items)).not.toContain(bo.phoneNumber.slice(1));
  });

  test('an entry has its source, an invite link or the invitation of a member', async () => {
    const sam = await aHubReady(opine);
    await granted(requestAccept(bo, await anInvitation(await aMemberOf(opine, amara, hub), hub, bo)));
    await aJoinRequest(amara, hub, sam);
    const sources = (await openRequestsOf(amara, hub)).map(({ user, source }) => [user.userId, source]);
    expect(sources).toEqual([
      [sam.id, 'invite_link'],
      [bo.id, 'member_invitation'],
    ]);
  });

  test('pages list the open join requests of this Hub, newest first', async () => {
    const ids: string[] = [];
    const link = await anInviteLink(amara, hub);
    for (const _ of [1, 2, 3, 4, 5, 6, 7])
      ids.unshift((await granted(requestJoin(await aHubReady(opine), link))).id);
    const [approved = '', , , rejected = ''] = ids;
    await granted(requestDecide(amara, hub, { id: approved }, 'approve'));
    await granted(requestDecide(amara, hub, { id: rejected }, 'reject'));
    await aJoinRequest(amara, await aHub(amara), bo);
    const pages = await everyPage(amara, `/hubs/${hub.id}/join-requests`, { limit: 2 });
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(idsOf(pages.flat())).toEqual(ids.filter((id) => id !== approved && id !== rejected));
  });
});
