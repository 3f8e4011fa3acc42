import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countIn } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { granted, idsOf, NO_IDS, NOBODY } from '../support/graph.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  type Hub,
  hubSeenBy,
  requestDecide,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import {
  eventsAbout,
  expectSound,
  hubsOf,
  nonMembersOf,
  openRequestsOf,
  previewOf,
  typesAbout,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

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

const FORBIDDEN = refusal(403, 'FORBIDDEN');
const NOT_FOUND = refusal(404, 'JOIN_REQUEST_NOT_FOUND');
const DECISIONS = ['approve', 'reject'] as const;

const listJoinRequests = (person: Client, { id }: Hub = hub) => person.get(`/hubs/${id}/join-requests`);

describe('the decision of a join request', () => {
  let request: Json;

  beforeEach(async () => {
    request = await aJoinRequest(amara, hub, bo);
  });

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
    await expectSound(opine, hub, 2);
  });

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
    await expectSound(opine, hub, 1);
  });

  test('a rejected applicant can request again and be approved', async () => {
    await granted(requestDecide(amara, hub, request, 'reject'));
    const again = await aJoinRequest(amara, hub, bo);
    expect(again.id).not.toBe(request.id);
    await granted(requestDecide(amara, hub, again, 'approve'));
    expect((await hubSeenBy(bo, hub)).viewerStatus).toBe('member');
  });

  test.each(DECISIONS)('a second decision after %s is 409', async (first) => {
    await granted(requestDecide(amara, hub, request, first));
    const types = await typesAbout(opine, hub, bo);
    for (const second of DECISIONS)
      expect(await requestDecide(amara, hub, request, second)).toMatchObject(
        refusal(409, 'JOIN_REQUEST_NOT_PENDING'),
      );
    expect(await typesAbout(opine, hub, bo)).toEqual(types);
    await expectSound(opine, hub, first === 'approve' ? 2 : 1);
  });

  test('a decided join request stays decided after the member is removed or leaves', async () => {
    await granted(requestDecide(amara, hub, request, 'approve'));
    await granted(requestRemove(amara, hub, bo));
    expect(await requestDecide(amara, hub, request, 'approve')).toMatchObject({ status: 409 });
    const again = await aJoinRequest(amara, hub, bo);
    await granted(requestDecide(amara, hub, again, 'approve'));
    await granted(requestLeave(bo, hub));
    for (const old of [request, again])
      expect(await requestDecide(amara, hub, old, 'approve')).toMatchObject({ status: 409 });
    await expectSound(opine, hub, 1);
  });

  test('an approval fails after the applicant deleted their account', async () => {
    await granted(bo.delete('/users/me'));
    expect([404, 409]).toContain((await requestDecide(amara, hub, request, 'approve')).status);
    expect(await countIn(opine, 'app.memberships', 'user_id', bo.id)).toBe(0);
    await expectSound(opine, hub, 1);
  });
});

describe('access to join requests', () => {
  let request: Json;
  const expectRefused = async (
    person: Client,
    expected: Json,
    joinRequest: Json = request,
    at: Hub = hub,
  ) => {
    for (const decision of DECISIONS)
      expect(await requestDecide(person, at, joinRequest, decision)).toMatchObject(expected);
    expect(idsOf(await openRequestsOf(amara, hub))).toContain(request.id);
  };

  beforeEach(async () => {
    request = await aJoinRequest(amara, hub, bo);
  });

  test('a manager lists join requests and cannot decide them', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'manager');
    expect(idsOf(await openRequestsOf(jonas, hub))).toEqual([request.id]);
    await expectRefused(jonas, FORBIDDEN);
  });

  test('a plain member can neither list nor decide join requests', async () => {
    const sam = await aMemberOf(opine, amara, hub);
    expect(await listJoinRequests(sam)).toMatchObject(FORBIDDEN);
    await expectRefused(sam, FORBIDDEN);
  });

  test('non-members, the applicant included, can neither list nor decide join requests', async () => {
    for (const nonMember of [bo, ...Object.values(await nonMembersOf(opine, amara, hub))]) {
      expect(await listJoinRequests(nonMember)).toMatchObject(FORBIDDEN);
      await expectRefused(nonMember, NOT_FOUND);
    }
  });

  test('an admin of another Hub cannot decide a join request', async () => {
    const jonas = await aHubReady(opine, 'Jonas');
    const other = await aHub(jonas);
    await expectRefused(jonas, NOT_FOUND, request, other);
    await expectRefused(jonas, NOT_FOUND);
  });

  test('a join request is 404 under another Hub, and so is an unknown id', async () => {
    await expectRefused(amara, NOT_FOUND, request, await aHub(amara));
    for (const id of [...NO_IDS, NOBODY.id]) await expectRefused(amara, NOT_FOUND, { id });
  });

  test('join requests of an unknown Hub are 404 HUB_NOT_FOUND', async () => {
    for (const id of [...NO_IDS, NOBODY.id]) {
      expect(await listJoinRequests(amara, { id })).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
      await expectRefused(amara, refusal(404, 'HUB_NOT_FOUND'), request, { id });
    }
  });
});
