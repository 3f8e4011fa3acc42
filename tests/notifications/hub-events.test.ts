import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, type Json } from '../support/client.ts';
import { follow, requestFollow, unfollow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aHubWithMemberAndNonMember,
  aJoinRequest,
  anInvitation,
  anInviteLink,
  eventsDuring,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestDismiss,
  requestInvite,
  requestJoin,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { newPhoneNumber, type Person, registeredPerson } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const during = (activity: () => Promise<unknown>) => eventsDuring(opine, activity);
const joined = (person: Person, { id: hub }: Json) => ({
  type: 'hub_member_joined',
  actor: person.id,
  subject: person.id,
  hub,
});

describe('an event', () => {
  test('a follow records user_followed, also after an unfollow', async () => {
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    const followed = { type: 'user_followed', actor: maya.id, subject: jonas.id };
    expect(await during(() => follow(maya, jonas))).toEqual([followed]);
    expect(await during(() => requestFollow(maya, jonas))).toEqual([]);
    expect(await during(() => unfollow(maya, jonas))).toEqual([]);
    expect(await during(() => follow(maya, jonas))).toEqual([followed]);
  });

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

  test('the acceptance of an invitation by an admin records hub_member_joined', async () => {
    const { hub, amara, lena } = await aHubWithMemberAndNonMember(opine);
    const invitation = await anInvitation(amara, hub, lena);
    const [event, ...others] = await during(() => expectOk(requestAccept(lena, invitation)));
    expect(event).toMatchObject(joined(lena, hub));
    expect(others).toEqual([]);
  });

  test('the acceptance of an invitation by a member records hub_join_request_created', async () => {
    const { hub, jonas, lena } = await aHubWithMemberAndNonMember(opine);
    const invitation = await anInvitation(jonas, hub, lena);
    let joinRequest = '';
    const [event, ...others] = await during(async () => {
      joinRequest = (await expectOk(requestAccept(lena, invitation))).joinRequestId;
    });
    expect(event).toMatchObject({
      type: 'hub_join_request_created',
      subject: lena.id,
      hub: hub.id,
      joinRequest,
    });
    expect(others).toEqual([]);
  });

  test('a join by link records the request, and its approval records the decision and the new member', async () => {
    const { hub, amara, lena } = await aHubWithMemberAndNonMember(opine);
    const link = await anInviteLink(amara, hub);
    const requests: Json[] = [];
    const requested = await during(async () => requests.push(await expectOk(requestJoin(lena, link))));
    const { id: joinRequest } = requests[0];
    const request = { subject: lena.id, hub: hub.id, joinRequest };
    expect(requested).toEqual([expect.objectContaining({ ...request, type: 'hub_join_request_created' })]);
    const decided = await during(() => expectOk(requestDecide(amara, hub, requests[0], 'approve')));
    expect(decided).toEqual([
      { ...request, type: 'hub_join_request_approved', actor: amara.id },
      expect.objectContaining(joined(lena, hub)),
    ]);
  });

  test('a rejection records hub_join_request_rejected', async () => {
    const { hub, amara, lena } = await aHubWithMemberAndNonMember(opine);
    const request = await aJoinRequest(amara, hub, lena);
    expect(await during(() => expectOk(requestDecide(amara, hub, request, 'reject')))).toEqual([
      {
        type: 'hub_join_request_rejected',
        actor: amara.id,
        subject: lena.id,
        hub: hub.id,
        joinRequest: request.id,
      },
    ]);
  });

  test('a removal records hub_member_removed', async () => {
    const { hub, amara, jonas } = await aHubWithMemberAndNonMember(opine);
    expect(await during(() => expectOk(requestRemove(amara, hub, jonas)))).toEqual([
      { type: 'hub_member_removed', actor: amara.id, subject: jonas.id, hub: hub.id },
    ]);
  });

  test('a role change records hub_role_changed, also for the own role', async () => {
    const { hub, amara, jonas } = await aHubWithMemberAndNonMember(opine);
    const changed = (subject: Person) => [
      { type: 'hub_role_changed', actor: amara.id, subject: subject.id, hub: hub.id },
    ];
    for (const activity of [
      () => requestAppoint(amara, hub, jonas, 'manager'),
      () => requestAppoint(amara, hub, jonas),
      () => requestAppoint(amara, hub, jonas, 'manager'),
      () => requestDismiss(amara, hub, jonas),
      () => requestAppoint(amara, hub, jonas),
    ])
      expect(await during(() => expectOk(activity()))).toEqual(changed(jonas));
    expect(await during(() => expectOk(requestDismiss(amara, hub, amara)))).toEqual(changed(amara));
  });

  test('a post records hub_post_created for each of its Hubs', async () => {
    const { hub, amara } = await aHubWithMemberAndNonMember(opine);
    const hubs = [hub, await aHub(amara)];
    for (const visibility of ['public_hub', 'private_locked_hub']) {
      let post: Json;
      const events = await during(async () => {
        post = await aHubPost(amara, hubs, { visibility });
      });
      const created = ({ id }: Json) => ({
        type: 'hub_post_created',
        actor: amara.id,
        hub: id,
        post: post.id,
      });
      // A public post is also an event for the followers of its author.
      const alerts =
        visibility === 'public_hub' ? [{ type: 'followed_user_posted', actor: amara.id, post: post.id }] : [];
      expect(events).toHaveLength(2 + alerts.length);
      expect(events).toEqual(expect.arrayContaining([...hubs.map(created), ...alerts]));
    }
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
