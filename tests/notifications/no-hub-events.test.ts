import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk } from '../support/client.ts';
import {
  aHub,
  aHubPost,
  aHubWithMemberAndNonMember,
  aHubWorld,
  aMessage,
  anInvitation,
  anInviteLink,
  callHubOperation,
  discussionOf,
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

describe('an activity without a Hub event', () => {
  test('founding, changing, muting, reading and leaving a Hub record no event', async () => {
    const { hub, amara, jonas, lena } = await aHubWithMemberAndNonMember(opine);
    const events = await during(async () => {
      await aHub(lena);
      await expectOk(amara.patch(`/hubs/${hub.id}`, { name: 'Oak Street' }));
      await expectOk(amara.patch(`/hubs/${hub.id}/link`, { customLink: 'no-event' }));
      await expectOk(jonas.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));
      for (const path of ['', '/members', '/feed', '/discussions']) await jonas.get(`/hubs/${hub.id}${path}`);
      await anInviteLink(amara, hub);
      await expectOk(requestLeave(jonas, hub));
      await expectOk(requestLeave(amara, hub));
    });
    expect(events).toEqual([]);
  });

  test('removing oneself and declining an invitation record no event', async () => {
    const { hub, amara, jonas, lena } = await aHubWithMemberAndNonMember(opine);
    await expectOk(requestAppoint(amara, hub, jonas));
    const invitation = await anInvitation(amara, hub, lena);
    const events = await during(async () => {
      await expectOk(requestRemove(jonas, hub, jonas));
      await expectOk(requestDecline(lena, invitation));
    });
    expect(events).toEqual([]);
  });

  test('messages, saved discussions and posts without a Hub record no Hub event', async () => {
    const { hub, amara, jonas } = await aHubWithMemberAndNonMember(opine);
    const discussion = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
    const events = await during(async () => {
      const { id } = await aMessage(jonas, discussion);
      await aMessage(amara, discussion, 'Indeed.', { parentMessageId: id });
      await expectOk(jonas.post(`/hubs/${hub.id}/discussions/${discussion.id}/save`));
      await expectOk(jonas.post('/posts', { visibility: 'public', thoughtText: 'To all.' }));
    });
    // The public post itself is an event without a Hub.
    expect(events.map(({ type, hub: of }) => [type, of])).toEqual([['followed_user_posted', undefined]]);
  });

  test('requests that change nothing record no event', async () => {
    const { hub, amara, jonas, lena } = await aHubWithMemberAndNonMember(opine);
    const accepted = await anInvitation(amara, hub, lena);
    await expectOk(requestAccept(lena, accepted));
    await expectOk(requestAppoint(amara, hub, jonas, 'manager'));
    const events = await during(async () => {
      for (const role of ['admin', 'manager'] as const)
        await expectOk(requestAppoint(amara, hub, role === 'admin' ? amara : jonas, role));
      await expectOk(requestDismiss(amara, hub, lena));
      await requestAccept(lena, accepted);
      await requestDecline(lena, accepted);
    });
    expect(events).toEqual([]);
  });

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
      await requestInvite(amara, hub, newPhoneNumber(), '+1');
      await requestHub(jonas, { customLink: 'taken-by-lena' });
    });
    expect(events).toEqual([]);
  });

  test('an invitation request beyond the rate limit records no event', async () => {
    const { hub, amara } = await aHubWithMemberAndNonMember(opine);
    const invite = (count: number) =>
      requestInvite(amara, hub, ...Array.from({ length: count }, () => newPhoneNumber()));
    // The invitation of Jonas is the first of the limit of 300.
    const accepted = await during(async () => {
      for (const count of [50, 50, 50, 50, 50, 48]) await expectOk(invite(count));
    });
    expect(accepted).toHaveLength(298);
    let status = 0;
    const refused = await during(async () => {
      ({ status } = await invite(2));
    });
    expect([status, refused]).toEqual([429, []]);
  });
});
