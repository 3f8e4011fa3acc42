import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { aHub, aJoinRequest, anInviteLink, hubSeenBy, requestDecide, requestJoin } from '../support/hubs.ts';
import {
  eventsAbout,
  expectConsistentHub,
  hubsOf,
  linksOf,
  openRequestsOf,
  previewOf,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import { countRows } from '../support/worker.ts';

let opine: Opine;
let amara: Person;
let bo: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, bo] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Bo Lindqvist')];
  hub = await aHub(amara);
});

describe('POST /hub-invite-links/{token}/join-requests', () => {
  // docs/product.md H2, H3
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
    await expectConsistentHub(opine, hub, 1);
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
});

describe('GET /hubs/{hubId}/join-requests', () => {
  // docs/product.md H22
  test('an entry shows the public profile of the applicant without phone', async () => {
    await expectOk(bo.patch('/users/me/hub-profile', { displayName: 'Night Owl' }));
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
});

describe('the decision of a join request', () => {
  let request: Json;

  beforeEach(async () => {
    request = await aJoinRequest(amara, hub, bo);
  });

  // docs/product.md H10, H22
  test('an approval makes the applicant a member and notifies them', async () => {
    const { status, data } = await requestDecide(amara, hub, request, 'approve');
    expect([status, data]).toEqual([200, { id: request.id, state: 'approved' }]);
    expect(await hubSeenBy(bo, hub)).toMatchObject({
      viewerStatus: 'member',
      viewerRole: 'member',
      memberCount: 2,
    });
    expect(await openRequestsOf(amara, hub)).toEqual([]);
    const [, approved, joined] = await eventsAbout(opine, hub, bo);
    const decided = { actorId: amara.id, joinRequestId: request.id };
    expect(approved).toEqual({ ...decided, type: 'hub_join_request_approved' });
    expect(joined).toMatchObject({ type: 'hub_member_joined', actorId: bo.id });
    await expectConsistentHub(opine, hub, 2);
  });

  // docs/product.md H10, H22
  test('a rejection changes no membership and notifies the applicant', async () => {
    const { status, data } = await requestDecide(amara, hub, request, 'reject');
    expect([status, data]).toEqual([200, { id: request.id, state: 'rejected' }]);
    expect(await hubSeenBy(bo, hub)).toEqual(previewOf(hub));
    expect(await hubsOf(bo)).toEqual([]);
    expect(await openRequestsOf(amara, hub)).toEqual([]);
    const decided = { actorId: amara.id, joinRequestId: request.id };
    const [, rejected, ...more] = await eventsAbout(opine, hub, bo);
    expect(rejected).toEqual({ ...decided, type: 'hub_join_request_rejected' });
    expect(more).toEqual([]);
    await expectConsistentHub(opine, hub, 1);
  });

  test('an approval fails after the applicant deleted their account', async () => {
    await expectOk(bo.delete('/users/me'));
    expect([404, 409]).toContain((await requestDecide(amara, hub, request, 'approve')).status);
    expect(await countRows(opine, 'app.memberships', 'user_id', bo.id)).toBe(0);
    await expectConsistentHub(opine, hub, 1);
  });
});
