import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { granted } from '../support/graph.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  hubSeenBy,
  type Role,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestDecline,
  requestDismiss,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import {
  expectSound,
  hubsOf,
  openRequestsOf,
  previewOf,
  signUp,
  stateOf,
  statusOf,
  typesAbout,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, aPhone, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let bo: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, bo] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Bo')];
  hub = await aHub(amara);
});

const aColleague = (role: Role, name = 'Jonas') => aMemberOf(opine, amara, hub, name, role);
const accept = (invitation: Json, person: Client = bo) => granted(requestAccept(person, invitation));
const ASKED = ['hub_join_request_created'];
const JOINED = ['hub_member_joined'];

describe('who accepts', () => {
  test('an invitation of an admin is a member', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    const { status, data } = await requestAccept(bo, invitation);
    expect(status).toBe(200);
    expect(data).toEqual({ hubId: hub.id, viewerStatus: 'member', joinRequestId: null });
    expect(await hubSeenBy(bo, hub)).toMatchObject({
      viewerStatus: 'member',
      viewerRole: 'member',
      memberCount: 2,
    });
    expect(await stateOf(amara, hub, invitation)).toBe('accepted');
    expect(await openRequestsOf(amara, hub)).toEqual([]);
    expect(await typesAbout(opine, hub, bo)).toEqual(JOINED);
    await expectSound(opine, hub, 2);
  });

  test.each<Role>(['member', 'manager'])('one of a %s waits for an admin', async (role) => {
    const jonas = await aColleague(role);
    const invitation = await anInvitation(jonas, hub, bo);
    const data = await accept(invitation);
    const { joinRequestId } = data;
    expect(data).toEqual({ hubId: hub.id, viewerStatus: 'pending_admin_approval', joinRequestId });
    const pending = { memberCount: 2, viewerStatus: 'pending_admin_approval', joinRequestId };
    expect(await hubSeenBy(bo, hub)).toEqual(previewOf(hub, pending));
    expect(await openRequestsOf(amara, hub)).toMatchObject([
      { id: joinRequestId, user: { userId: bo.id }, source: 'member_invitation' },
    ]);
    expect(await stateOf(amara, hub, invitation)).toBe('accepted');
    expect(await typesAbout(opine, hub, bo)).toEqual(ASKED);
    await granted(requestDecide(amara, hub, { id: joinRequestId }, 'approve'));
    expect(await statusOf(bo, hub)).toBe('member');
    await expectSound(opine, hub, 3);
  });
});

describe('an admin makes members only', () => {
  let jonas: Person;
  let invitation: Json;
  const expectWaiting = async (made = invitation) => {
    expect((await accept(made)).viewerStatus).toBe('pending_admin_approval');
    expect(await typesAbout(opine, hub, bo)).toEqual(ASKED);
  };

  beforeEach(async () => {
    jonas = await aColleague('admin');
    invitation = await anInvitation(jonas, hub, bo);
  });

  test('while a member of the hub: not once removed', async () => {
    await granted(requestRemove(amara, hub, jonas));
    await expectWaiting();
  });

  test('while a member of the hub: not once gone', async () => {
    await granted(requestLeave(jonas, hub));
    await expectWaiting();
  });

  test('while an admin: not once a member', async () => {
    await granted(requestDismiss(amara, hub, jonas));
    await expectWaiting();
  });

  test('while an admin: not once a manager', async () => {
    await granted(requestAppoint(amara, hub, jonas, 'manager'));
    await expectWaiting();
  });

  test.each<Role>(['member', 'manager'])('by inviting as one: not where it was a %s then', async (role) => {
    const sam = await aColleague(role, 'Sam');
    const other = await anInvitation(sam, hub, bo);
    await granted(requestAppoint(amara, hub, sam));
    await expectWaiting(other);
  });

  test('by the last time of inviting', async () => {
    await granted(requestDismiss(amara, hub, jonas));
    expect((await anInvitation(jonas, hub, bo)).id).toBe(invitation.id);
    await granted(requestAppoint(amara, hub, jonas));
    await expectWaiting();
  });

  test('and does by inviting again what could not be done before', async () => {
    const sam = await aColleague('member', 'Sam');
    const before = await anInvitation(sam, hub, bo);
    await granted(requestAppoint(amara, hub, sam));
    const { id } = await anInvitation(sam, hub, bo);
    expect([id, (await accept({ id })).viewerStatus]).toEqual([before.id, 'member']);
  });
});

describe('a number without an account', () => {
  test('is invited all the same, and its owner finds that after signing up', async () => {
    const phoneNumber = aPhone();
    const invitation = await anInvitation(amara, hub, { phoneNumber });
    const newcomer = await signUp(opine, phoneNumber);
    const invited = { viewerStatus: 'invited', invitationId: invitation.id };
    expect(await hubSeenBy(newcomer, hub)).toEqual(previewOf(hub, invited));
    expect(await hubsOf(newcomer)).toEqual([previewOf(hub, invited)]);
    expect((await accept(invitation, newcomer)).viewerStatus).toBe('member');
    await expectSound(opine, hub, 2);
  });

  test('a person below level 4 cannot accept an invitation before the contacts step', async () => {
    const newcomer = await aConfirmed(opine);
    const invitation = await anInvitation(amara, hub, newcomer);
    expect((await hubSeenBy(newcomer, hub)).viewerStatus).toBe('invited');
    const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level: 3, nextStep: 'contacts' });
    expect(await requestAccept(newcomer, invitation)).toMatchObject(refused);
    await granted(newcomer.put('/users/me/onboarding/contacts', { permission: 'granted' }));
    expect((await accept(invitation, newcomer)).viewerStatus).toBe('member');
  });
});

describe('who waits for an admin already', () => {
  let request: Json;

  beforeEach(async () => {
    request = await aJoinRequest(amara, hub, bo);
  });

  test('cannot wait twice: an invitation of a member stays pending', async () => {
    const invitation = await anInvitation(await aColleague('member'), hub, bo);
    expect(await requestAccept(bo, invitation)).toMatchObject(refusal(409, 'JOIN_REQUEST_PENDING'));
    expect(await stateOf(amara, hub, invitation)).toBe('pending');
    expect(await openRequestsOf(amara, hub)).toHaveLength(1);
    await granted(requestDecide(amara, hub, request, 'reject'));
    expect(await statusOf(bo, hub)).toBe('invited');
    expect((await accept(invitation)).joinRequestId).not.toBe(request.id);
  });

  test('becomes a member by an invitation of an admin, and the request is approved', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    expect(await hubSeenBy(bo, hub)).toMatchObject({ viewerStatus: 'pending_admin_approval' });
    const member = { hubId: hub.id, viewerStatus: 'member', joinRequestId: null };
    expect(await accept(invitation)).toEqual(member);
    expect(await openRequestsOf(amara, hub)).toEqual([]);
    for (const verdict of ['approve', 'reject'] as const)
      expect(await requestDecide(amara, hub, request, verdict)).toMatchObject(
        refusal(409, 'JOIN_REQUEST_NOT_PENDING'),
      );
    const types = await typesAbout(opine, hub, bo);
    expect(types.filter((type) => type === 'hub_member_joined')).toHaveLength(1);
    await expectSound(opine, hub, 2);
  });

  test('and may say no to an invitation', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    await granted(requestDecline(bo, invitation));
    expect(await statusOf(bo, hub)).toBe('pending_admin_approval');
  });
});
