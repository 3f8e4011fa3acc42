import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  hubSeenBy,
  type Role,
  requestAccept,
  requestDecide,
  requestDecline,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import {
  expectConsistentHub,
  hubsOf,
  openRequestsOf,
  previewOf,
  signUp,
  stateOf,
  statusOf,
  typesAbout,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  confirmedPerson,
  hubReadyPerson,
  newPhoneNumber,
  type Person,
  signedInAfter,
} from '../support/people.ts';

let opine: Opine;
let amara: Person;
let bo: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, bo] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Bo')];
  hub = await aHub(amara);
});

const addMember = (role: Role) => aMemberOf(opine, amara, hub, 'Jonas', role);
const accept = (invitation: Json, person: Client = bo) => expectOk(requestAccept(person, invitation));
const REQUESTED = ['hub_join_request_created'];
const JOINED = ['hub_member_joined'];
const NOT_FOUND = refusal(404, 'INVITATION_NOT_FOUND');
const NOT_PENDING = refusal(409, 'INVITATION_NOT_PENDING');

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
    await expectConsistentHub(opine, hub, 2);
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
      await expectOk(requestDecide(amara, hub, { id: joinRequestId }, 'approve'));
      expect(await statusOf(bo, hub)).toBe('member');
      await expectConsistentHub(opine, hub, 3);
    },
  );
});

test('the invitation of an admin who was removed leads to a join request', async () => {
  const jonas = await addMember('admin');
  const invitation = await anInvitation(jonas, hub, bo);
  await expectOk(requestRemove(amara, hub, jonas));
  expect((await accept(invitation)).viewerStatus).toBe('pending_admin_approval');
  expect(await typesAbout(opine, hub, bo)).toEqual(REQUESTED);
});

describe('an invited person who is not Hub-ready', () => {
  test('a person who signs up with an invited number finds and accepts the invitation', async () => {
    const phoneNumber = newPhoneNumber();
    const invitation = await anInvitation(amara, hub, { phoneNumber });
    const newcomer = await signUp(opine, phoneNumber);
    const invited = { viewerStatus: 'invited', invitationId: invitation.id };
    expect(await hubSeenBy(newcomer, hub)).toEqual(previewOf(hub, invited));
    expect(await hubsOf(newcomer)).toEqual([previewOf(hub, invited)]);
    expect((await accept(invitation, newcomer)).viewerStatus).toBe('member');
    await expectConsistentHub(opine, hub, 2);
  });

  test('a person below level 4 cannot accept an invitation before the contacts step', async () => {
    const newcomer = await confirmedPerson(opine);
    const invitation = await anInvitation(amara, hub, newcomer);
    expect((await hubSeenBy(newcomer, hub)).viewerStatus).toBe('invited');
    const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level: 3, nextStep: 'contacts' });
    expect(await requestAccept(newcomer, invitation)).toMatchObject(refused);
    await expectOk(newcomer.put('/users/me/onboarding/contacts', { permission: 'granted' }));
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
    await expectOk(requestDecide(amara, hub, request, 'reject'));
    expect(await statusOf(bo, hub)).toBe('invited');
    expect((await accept(invitation)).joinRequestId).not.toBe(request.id);
  });

  test('declining the invitation leaves the join request open', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    await expectOk(requestDecline(bo, invitation));
    expect(await statusOf(bo, hub)).toBe('pending_admin_approval');
  });
});

describe('an ended invitation', () => {
  const expectNotPending = async (invitation: Json, person: Client = bo) => {
    const before = await statusOf(person, hub);
    expect(await requestAccept(person, invitation)).toMatchObject(NOT_PENDING);
    expect(await requestDecline(person, invitation)).toMatchObject(NOT_PENDING);
    expect(await statusOf(person, hub)).toBe(before);
  };

  test('an accepted invitation can be neither accepted nor declined', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    await accept(invitation);
    await expectNotPending(invitation);
    expect(await typesAbout(opine, hub, bo)).toEqual(JOINED);
  });

  test('a declined invitation can be neither accepted nor declined, and nobody is notified', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    const { status, data } = await requestDecline(bo, invitation);
    expect([status, data]).toEqual([200, { id: invitation.id, state: 'declined' }]);
    expect(await hubSeenBy(bo, hub)).toEqual(previewOf(hub));
    expect(await hubsOf(bo)).toEqual([]);
    await expectNotPending(invitation);
    expect(await stateOf(amara, hub, invitation)).toBe('declined');
    expect(await typesAbout(opine, hub, bo)).toEqual([]);
  });

  test('an invitation expires after seven days and is valid until then', async () => {
    const jonas = await hubReadyPerson(opine);
    const [hers, his] = [await anInvitation(amara, hub, bo), await anInvitation(amara, hub, jonas)];
    const [boThen, jonasThen] = await signedInAfter(opine, '6 days 23 hours 55 minutes', bo, jonas);
    expect((await accept(hers, boThen)).viewerStatus).toBe('member');
    expect(await statusOf(jonasThen, hub)).toBe('invited');
    const [jonasLater] = await signedInAfter(opine, '5 minutes 1 second', jonasThen);
    expect(await statusOf(jonasLater, hub)).toBe('none');
    expect(await hubsOf(jonasLater)).toEqual([]);
    await expectNotPending(his, jonasLater);
    await expectConsistentHub(opine, hub, 2);
  });

  test.each([...MALFORMED_IDS, NONEXISTENT.id])('the unknown invitation id "%s" is 404', async (id) => {
    expect(await requestAccept(bo, { id })).toMatchObject(NOT_FOUND);
    expect(await requestDecline(bo, { id })).toMatchObject(NOT_FOUND);
  });
});

describe('invitations at the start and end of a membership', () => {
  let jonas: Person;
  let his: Json;
  let hers: Json;

  beforeEach(async () => {
    jonas = await addMember('member');
    [his, hers] = [await anInvitation(jonas, hub, bo), await anInvitation(amara, hub, bo)];
  });

  test('a member who accepts a new invitation gets 409 ALREADY_MEMBER', async () => {
    await accept(hers);
    const again = await anInvitation(jonas, hub, bo);
    expect(await hubSeenBy(bo, hub)).toMatchObject({ viewerStatus: 'member' });
    expect(await requestAccept(bo, again)).toMatchObject(refusal(409, 'ALREADY_MEMBER'));
    expect(await stateOf(amara, hub, again)).toBe('pending');
  });

  test.each(['was removed', 'left'])(
    'a former member who %s cannot rejoin by an old invitation',
    async (how) => {
      await accept(hers);
      const asMember = [await anInvitation(jonas, hub, bo), await anInvitation(amara, hub, bo)];
      await expectOk(how === 'was removed' ? requestRemove(amara, hub, bo) : requestLeave(bo, hub));
      expect(await statusOf(bo, hub)).toBe('none');
      for (const old of asMember) expect(await stateOf(amara, hub, old)).toBe('expired');
      for (const old of [his, hers, ...asMember])
        expect(await requestAccept(bo, old)).toMatchObject(NOT_PENDING);
      await expectConsistentHub(opine, hub, 2);
    },
  );
});
