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

const addMember = (role: Role, name = 'Jonas') => aMemberOf(opine, amara, hub, name, role);
const accept = (invitation: Json, person: Client = bo) => granted(requestAccept(person, invitation));
const REQUESTED = ['hub_join_request_created'];
const JOINED = ['hub_member_joined'];

describe('POST /hub-invitations/{invitationId}/accept', () => {
  test('the invited person becomes a member by the invitation of an admin', async () => {
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

  test.each<Role>(['member', 'manager'])(
    'the invited person becomes an applicant by the invitation of a %s',
    async (role) => {
      const jonas = await addMember(role);
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
      expect(await typesAbout(opine, hub, bo)).toEqual(REQUESTED);
      await granted(requestDecide(amara, hub, { id: joinRequestId }, 'approve'));
      expect(await statusOf(bo, hub)).toBe('member');
      await expectSound(opine, hub, 3);
    },
  );
});

describe('an invitation whose inviter changed role', () => {
  let jonas: Person;
  let invitation: Json;
  const expectJoinRequest = async (given = invitation) => {
    expect((await accept(given)).viewerStatus).toBe('pending_admin_approval');
    expect(await typesAbout(opine, hub, bo)).toEqual(REQUESTED);
  };

  beforeEach(async () => {
    jonas = await addMember('admin');
    invitation = await anInvitation(jonas, hub, bo);
  });

  test('the invitation of an admin who was removed leads to a join request', async () => {
    await granted(requestRemove(amara, hub, jonas));
    await expectJoinRequest();
  });

  test('the invitation of an admin who left leads to a join request', async () => {
    await granted(requestLeave(jonas, hub));
    await expectJoinRequest();
  });

  test('the invitation of an admin who became a member leads to a join request', async () => {
    await granted(requestDismiss(amara, hub, jonas));
    await expectJoinRequest();
  });

  test('the invitation of an admin who became a manager leads to a join request', async () => {
    await granted(requestAppoint(amara, hub, jonas, 'manager'));
    await expectJoinRequest();
  });

  test.each<Role>(['member', 'manager'])(
    'the invitation of a %s who became an admin later leads to a join request',
    async (role) => {
      const sam = await addMember(role, 'Sam');
      const other = await anInvitation(sam, hub, bo);
      await granted(requestAppoint(amara, hub, sam));
      await expectJoinRequest(other);
    },
  );

  test('an invitation that a former admin renewed as a member leads to a join request', async () => {
    await granted(requestDismiss(amara, hub, jonas));
    expect((await anInvitation(jonas, hub, bo)).id).toBe(invitation.id);
    await granted(requestAppoint(amara, hub, jonas));
    await expectJoinRequest();
  });

  test('an invitation that a former member renewed as an admin makes a member', async () => {
    const sam = await addMember('member', 'Sam');
    const before = await anInvitation(sam, hub, bo);
    await granted(requestAppoint(amara, hub, sam));
    const { id } = await anInvitation(sam, hub, bo);
    expect([id, (await accept({ id })).viewerStatus]).toEqual([before.id, 'member']);
  });
});

describe('an invited person who is not Hub-ready', () => {
  test('a person who signs up with an invited number finds and accepts the invitation', async () => {
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

describe('an invited person with an open join request', () => {
  let request: Json;

  beforeEach(async () => {
    request = await aJoinRequest(amara, hub, bo);
  });

  test('accepting the invitation of a member is 409 and leaves it pending', async () => {
    const invitation = await anInvitation(await addMember('member'), hub, bo);
    expect(await requestAccept(bo, invitation)).toMatchObject(refusal(409, 'JOIN_REQUEST_PENDING'));
    expect(await stateOf(amara, hub, invitation)).toBe('pending');
    expect(await openRequestsOf(amara, hub)).toHaveLength(1);
    await granted(requestDecide(amara, hub, request, 'reject'));
    expect(await statusOf(bo, hub)).toBe('invited');
    expect((await accept(invitation)).joinRequestId).not.toBe(request.id);
  });

  test('accepting the invitation of an admin makes a member and closes the join request', async () => {
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

  test('declining the invitation leaves the join request open', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    await granted(requestDecline(bo, invitation));
    expect(await statusOf(bo, hub)).toBe('pending_admin_approval');
  });
});
