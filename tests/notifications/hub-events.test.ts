import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, type Json } from '../support/client.ts';
import {
  aHub,
  aHubWithMemberAndNonMember,
  aHubWorld,
  aJoinRequest,
  anInvitation,
  callHubOperation,
  eventsDuring,
  HUB_OPERATIONS,
  NON_ADMINS,
  NON_MEMBERS,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestDecline,
  requestDismiss,
  requestHub,
  requestInvite,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { newPhoneNumber } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const during = (activity: () => Promise<unknown>) => eventsDuring(opine, activity);
describe('an event', () => {
  test('an invitation records hub_invite_received once for each phone number', async () => {
    const { hub, jonas, lena } = await aHubWithMemberAndNonMember(opine);
    const numbers = [lena.phoneNumber, newPhoneNumber(), lena.phoneNumber];
    let items: Json[] = [];
    const events = await during(async () => {
      ({ items } = await expectOk(requestInvite(jonas, hub, ...numbers)));
    });
    expect(items).toHaveLength(2);
    const invited = ({ id: invitation }: Json) => ({
      type: 'hub_invite_received',
      actor: jonas.id,
      hub: hub.id,
      invitation,
    });
    expect(events).toHaveLength(2);
    expect(events).toEqual(expect.arrayContaining(items.map(invited)));
  });

  test('a change of the own role records hub_role_changed', async () => {
    const { hub, amara, jonas } = await aHubWithMemberAndNonMember(opine);
    await expectOk(requestAppoint(amara, hub, jonas));
    expect(await during(() => expectOk(requestDismiss(amara, hub, amara)))).toEqual([
      { type: 'hub_role_changed', actor: amara.id, subject: amara.id, hub: hub.id },
    ]);
  });
});

describe('concurrent and repeated requests', () => {
  const key = (name: string) => ({ headers: { 'idempotency-key': name } });

  test('requests with one idempotency key record one event', async () => {
    const { hub, amara } = await aHubWithMemberAndNonMember(opine);
    const body = { visibility: 'private_locked_hub', thoughtText: 'Once.', hubIds: [hub.id] };
    const phoneNumbers = [newPhoneNumber()];
    const events = await during(async () => {
      await Promise.all(Array.from({ length: 4 }, () => amara.post('/posts', body, key('a-post'))));
      await amara.post('/posts', body, key('a-post'));
    });
    expect(events.map(({ type }) => type)).toEqual(['hub_post_created']);
    const invited = await during(async () => {
      for (const _ of [1, 2])
        await amara.post(`/hubs/${hub.id}/invitations`, { phoneNumbers }, key('an-invitation'));
    });
    expect(invited.map(({ type }) => type)).toEqual(['hub_invite_received']);
  });

  test('two concurrent decisions on a join request record one decision', async () => {
    for (const _ of Array(5).keys()) {
      const { hub, amara, jonas, lena } = await aHubWithMemberAndNonMember(opine);
      await expectOk(requestAppoint(amara, hub, jonas));
      const request = await aJoinRequest(amara, hub, lena);
      const events = await during(() =>
        Promise.all([
          requestDecide(amara, hub, request, 'approve'),
          requestDecide(jonas, hub, request, 'reject'),
        ]),
      );
      const types = events.map(({ type }) => type);
      const outcomes = [['hub_join_request_approved', 'hub_member_joined'], ['hub_join_request_rejected']];
      expect(outcomes).toContainEqual(types);
    }
  });

  test('a concurrent duplicate of an acceptance, appointment or removal records no event', async () => {
    const { hub, amara, lena } = await aHubWithMemberAndNonMember(opine);
    const invitation = await anInvitation(amara, hub, lena);
    const twice = (activity: () => Promise<unknown>) => during(() => Promise.all([activity(), activity()]));
    const typesOf = (events: Json[]) => events.map(({ type }) => type);
    expect(typesOf(await twice(() => requestAccept(lena, invitation)))).toEqual(['hub_member_joined']);
    expect(typesOf(await twice(() => requestAppoint(amara, hub, lena)))).toEqual(['hub_role_changed']);
    expect(typesOf(await twice(() => requestRemove(amara, hub, lena)))).toEqual(['hub_member_removed']);
  });
});

describe('an activity without a Hub event', () => {
  test('refused requests record no event', async () => {
    const { hub, admin, invitation, joinRequest, ...people } = await aHubWorld(opine);
    const events = await during(async () => {
      for (const status of NON_MEMBERS)
        for (const operation of HUB_OPERATIONS) await callHubOperation(people[status], hub, operation);
      for (const status of NON_ADMINS) {
        const person = people[status];
        for (const request of [requestAppoint, requestDismiss, requestRemove])
          await request(person, hub, admin);
        for (const verdict of ['approve', 'reject'] as const)
          await requestDecide(person, hub, joinRequest, verdict);
      }
      await requestDismiss(admin, hub, admin);
      await requestLeave(admin, hub);
      await requestAppoint(admin, hub, people.uninvited);
      await requestAccept(people.uninvited, invitation);
      await requestDecline(people.uninvited, invitation);
    });
    expect(events).toEqual([]);
  });

  test('requests with one invalid part record no event', async () => {
    const { hub, amara, jonas, lena } = await aHubWithMemberAndNonMember(opine);
    const hers = await aHub(lena, { customLink: 'taken-by-lena' });
    const hubIds = [hub.id, hers.id];
    const events = await during(async () => {
      await jonas.post('/posts', { visibility: 'private_locked_hub', thoughtText: 'Both.', hubIds });
      await requestInvite(amara, hub, '+1', '+2');
      await requestHub(jonas, { customLink: 'taken-by-lena' });
    });
    expect(events).toEqual([]);
  });
});
