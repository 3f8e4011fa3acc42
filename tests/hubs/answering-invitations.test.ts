import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, refusal } from '../support/client.ts';
import {
  aHub,
  aMemberOf,
  anInvitation,
  hubSeenBy,
  requestAccept,
  requestDecide,
  requestDecline,
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
import { hubReadyPerson, newPhoneNumber, type Person } from '../support/people.ts';

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

const accept = (invitation: Json, person: Client = bo) => expectOk(requestAccept(person, invitation));
const NOT_PENDING = refusal(409, 'INVITATION_NOT_PENDING');

describe('POST /hub-invitations/{invitationId}/accept', () => {
  // docs/product.md H10
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
    expect(await typesAbout(opine, hub, bo)).toEqual(['hub_member_joined']);
    await expectConsistentHub(opine, hub, 2);
  });

  // docs/product.md H10
  test('the invited person becomes an applicant by the invitation of a member', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
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
    expect(await typesAbout(opine, hub, bo)).toEqual(['hub_join_request_created']);
    await expectOk(requestDecide(amara, hub, { id: joinRequestId }, 'approve'));
    expect(await statusOf(bo, hub)).toBe('member');
    await expectConsistentHub(opine, hub, 3);
  });
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
});

describe('an ended invitation', () => {
  // docs/product.md H13
  test('a declined invitation can be neither accepted nor declined, and nobody is notified', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    const { status, data } = await requestDecline(bo, invitation);
    expect([status, data]).toEqual([200, { id: invitation.id, state: 'declined' }]);
    expect(await hubSeenBy(bo, hub)).toEqual(previewOf(hub));
    expect(await hubsOf(bo)).toEqual([]);
    for (const send of [requestAccept, requestDecline])
      expect(await send(bo, invitation)).toMatchObject(NOT_PENDING);
    expect(await stateOf(amara, hub, invitation)).toBe('declined');
    expect(await typesAbout(opine, hub, bo)).toEqual([]);
  });
});
