import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askToFollow, follow, granted, unfollow } from './builders/graph.ts';
import { aHubWorld, call, eventsOf, HUB_OPERATIONS, OUTSIDERS, SUBORDINATES } from './builders/hub-worlds.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  aMessage,
  anInvitation,
  anInviteLink,
  askToAccept,
  askToAppoint,
  askToDecide,
  askToDecline,
  askToDismiss,
  askToFound,
  askToInvite,
  askToJoin,
  askToLeave,
  askToRemove,
  discussionOf,
} from './builders/hubs.ts';
import { aHubReady, aPhone, aRegistered, type Person } from './builders/people.ts';
import type { Json } from './harness/client.ts';
import { type Opine, startOpine } from './harness/opine.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const during = (act: () => Promise<unknown>) => eventsOf(opine, act);
const joined = (person: Person, { id: hub }: Json) => ({
  type: 'hub_member_joined',
  actor: person.id,
  subject: person.id,
  hub,
});

/** Amara's Hub, Jonas, who is a member, and Lena, who is nobody in it. */
async function aTrio(): Promise<{ hub: Json; amara: Person; jonas: Person; lena: Person }> {
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  const [jonas, lena] = [await aMemberOf(opine, amara, hub, 'Jonas'), await aHubReady(opine, 'Lena')];
  return { hub, amara, jonas, lena };
}

describe('an event is', () => {
  test('that somebody follows somebody, for the first time and after a while', async () => {
    const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    const followed = { type: 'user_followed', actor: maya.id, subject: jonas.id };
    expect(await during(() => follow(maya, jonas))).toEqual([followed]);
    expect(await during(() => askToFollow(maya, jonas))).toEqual([]);
    expect(await during(() => unfollow(maya, jonas))).toEqual([]);
    expect(await during(() => follow(maya, jonas))).toEqual([followed]);
  });

  test('that somebody is invited, each number once, whoever it is of', async () => {
    const { hub, jonas, lena } = await aTrio();
    const numbers = [lena.phoneNumber, aPhone(), lena.phoneNumber];
    let items: Json[] = [];
    const events = await during(async () => {
      ({ items } = await granted(askToInvite(jonas, hub, ...numbers)));
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

  test('that somebody joins whom an admin invited', async () => {
    const { hub, amara, lena } = await aTrio();
    const invitation = await anInvitation(amara, hub, lena);
    const [event, ...others] = await during(() => granted(askToAccept(lena, invitation)));
    expect(event).toMatchObject(joined(lena, hub));
    expect(others).toEqual([]);
  });

  test('that somebody asks to join whom a member invited', async () => {
    const { hub, jonas, lena } = await aTrio();
    const invitation = await anInvitation(jonas, hub, lena);
    let joinRequest = '';
    const [event, ...others] = await during(async () => {
      joinRequest = (await granted(askToAccept(lena, invitation))).joinRequestId;
    });
    expect(event).toMatchObject({
      type: 'hub_join_request_created',
      subject: lena.id,
      hub: hub.id,
      joinRequest,
    });
    expect(others).toEqual([]);
  });

  test('that somebody asks to join by a link, and that it is granted', async () => {
    const { hub, amara, lena } = await aTrio();
    const link = await anInviteLink(amara, hub);
    const asking: Json[] = [];
    const asked = await during(async () => asking.push(await granted(askToJoin(lena, link))));
    const { id: joinRequest } = asking[0];
    const request = { subject: lena.id, hub: hub.id, joinRequest };
    expect(asked).toEqual([expect.objectContaining({ ...request, type: 'hub_join_request_created' })]);
    const decided = await during(() => granted(askToDecide(amara, hub, asking[0], 'approve')));
    expect(decided).toEqual([
      { ...request, type: 'hub_join_request_approved', actor: amara.id },
      expect.objectContaining(joined(lena, hub)),
    ]);
  });

  test('that it is not', async () => {
    const { hub, amara, lena } = await aTrio();
    const request = await aJoinRequest(amara, hub, lena);
    expect(await during(() => granted(askToDecide(amara, hub, request, 'reject')))).toEqual([
      {
        type: 'hub_join_request_rejected',
        actor: amara.id,
        subject: lena.id,
        hub: hub.id,
        joinRequest: request.id,
      },
    ]);
  });

  test('that somebody is removed by another', async () => {
    const { hub, amara, jonas } = await aTrio();
    expect(await during(() => granted(askToRemove(amara, hub, jonas)))).toEqual([
      { type: 'hub_member_removed', actor: amara.id, subject: jonas.id, hub: hub.id },
    ]);
  });

  test('that somebody has another role, by themselves as well', async () => {
    const { hub, amara, jonas } = await aTrio();
    const changed = (subject: Person) => [
      { type: 'hub_role_changed', actor: amara.id, subject: subject.id, hub: hub.id },
    ];
    for (const act of [
      () => askToAppoint(amara, hub, jonas, 'manager'),
      () => askToAppoint(amara, hub, jonas),
      () => askToAppoint(amara, hub, jonas, 'manager'),
      () => askToDismiss(amara, hub, jonas),
      () => askToAppoint(amara, hub, jonas),
    ])
      expect(await during(() => granted(act()))).toEqual(changed(jonas));
    expect(await during(() => granted(askToDismiss(amara, hub, amara)))).toEqual(changed(amara));
  });

  test('that there is a post in a Hub, one for each', async () => {
    const { hub, amara } = await aTrio();
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
      expect(events).toHaveLength(2);
      expect(events).toEqual(expect.arrayContaining(hubs.map(created)));
    }
  });
});

describe('no event is', () => {
  test('that a Hub is founded, changed, left, muted or read', async () => {
    const { hub, amara, jonas, lena } = await aTrio();
    const events = await during(async () => {
      await aHub(lena);
      await granted(amara.patch(`/hubs/${hub.id}`, { name: 'Oak Street' }));
      await granted(amara.patch(`/hubs/${hub.id}/link`, { customLink: 'no-event' }));
      await granted(jonas.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));
      for (const path of ['', '/members', '/feed', '/discussions']) await jonas.get(`/hubs/${hub.id}${path}`);
      await anInviteLink(amara, hub);
      await granted(askToLeave(jonas, hub));
      await granted(askToLeave(amara, hub));
    });
    expect(events).toEqual([]);
  });

  test('that one removes oneself, or declines', async () => {
    const { hub, amara, jonas, lena } = await aTrio();
    await granted(askToAppoint(amara, hub, jonas));
    const invitation = await anInvitation(amara, hub, lena);
    const events = await during(async () => {
      await granted(askToRemove(jonas, hub, jonas));
      await granted(askToDecline(lena, invitation));
    });
    expect(events).toEqual([]);
  });

  test('that somebody says something, saves it, or posts in no Hub', async () => {
    const { hub, amara, jonas } = await aTrio();
    const discussion = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
    const events = await during(async () => {
      const { id } = await aMessage(jonas, discussion);
      await aMessage(amara, discussion, 'Indeed.', { parentMessageId: id });
      await granted(jonas.post(`/hubs/${hub.id}/discussions/${discussion.id}/save`));
      await granted(jonas.post('/posts', { visibility: 'public', thoughtText: 'To all.' }));
    });
    expect(events).toEqual([]);
  });

  test('where nothing has changed', async () => {
    const { hub, amara, jonas, lena } = await aTrio();
    const accepted = await anInvitation(amara, hub, lena);
    await granted(askToAccept(lena, accepted));
    await granted(askToAppoint(amara, hub, jonas, 'manager'));
    const events = await during(async () => {
      for (const role of ['admin', 'manager'] as const)
        await granted(askToAppoint(amara, hub, role === 'admin' ? amara : jonas, role));
      await granted(askToDismiss(amara, hub, lena));
      await askToAccept(lena, accepted);
      await askToDecline(lena, accepted);
    });
    expect(events).toEqual([]);
  });

  test('where it was refused', async () => {
    const { hub, admin, invitation, joinRequest, ...people } = await aHubWorld(opine);
    const events = await during(async () => {
      for (const standing of OUTSIDERS)
        for (const operation of HUB_OPERATIONS) await call(people[standing], hub, operation);
      for (const standing of SUBORDINATES) {
        const person = people[standing];
        for (const ask of [askToAppoint, askToDismiss, askToRemove]) await ask(person, hub, admin);
        for (const verdict of ['approve', 'reject'] as const)
          await askToDecide(person, hub, joinRequest, verdict);
      }
      await askToDismiss(admin, hub, admin);
      await askToLeave(admin, hub);
      await askToAppoint(admin, hub, people.stranger);
      await askToAccept(people.stranger, invitation);
      await askToDecline(people.stranger, invitation);
    });
    expect(events).toEqual([]);
  });

  test('where a part of it was refused', async () => {
    const { hub, amara, jonas, lena } = await aTrio();
    const hers = await aHub(lena, { customLink: 'taken-by-lena' });
    const hubIds = [hub.id, hers.id];
    const events = await during(async () => {
      await jonas.post('/posts', { visibility: 'private_locked_hub', thoughtText: 'Both.', hubIds });
      await askToInvite(amara, hub, aPhone(), '+1');
      await askToFound(jonas, { customLink: 'taken-by-lena' });
    });
    expect(events).toEqual([]);
  });

  test('one of a flood of invitations that is refused', async () => {
    const { hub, amara } = await aTrio();
    const invite = (count: number) =>
      askToInvite(amara, hub, ...Array.from({ length: count }, () => aPhone()));
    // Jonas was the first of three hundred.
    const flood = await during(async () => {
      for (const count of [50, 50, 50, 50, 50, 48]) await granted(invite(count));
    });
    expect(flood).toHaveLength(298);
    let status = 0;
    const refused = await during(async () => {
      ({ status } = await invite(2));
    });
    expect([status, refused]).toEqual([429, []]);
  });
});

describe('at once', () => {
  const key = (name: string) => ({ headers: { 'idempotency-key': name } });

  test('and again with a key, what is one thing is one event', async () => {
    const { hub, amara } = await aTrio();
    const body = { visibility: 'private_locked_hub', thoughtText: 'Once.', hubIds: [hub.id] };
    const phoneNumbers = [aPhone()];
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

  test('decided by two, a request is decided once', async () => {
    for (const _ of Array(5).keys()) {
      const { hub, amara, jonas, lena } = await aTrio();
      await granted(askToAppoint(amara, hub, jonas));
      const request = await aJoinRequest(amara, hub, lena);
      const events = await during(() =>
        Promise.all([
          askToDecide(amara, hub, request, 'approve'),
          askToDecide(jonas, hub, request, 'reject'),
        ]),
      );
      const types = events.map(({ type }) => type);
      const outcomes = [['hub_join_request_approved', 'hub_member_joined'], ['hub_join_request_rejected']];
      expect(outcomes).toContainEqual(types);
    }
  });

  test('accepted twice, an invitation lets in once; removed twice, a member goes once', async () => {
    const { hub, amara, lena } = await aTrio();
    const invitation = await anInvitation(amara, hub, lena);
    const twice = (act: () => Promise<unknown>) => during(() => Promise.all([act(), act()]));
    const typesOf = (events: Json[]) => events.map(({ type }) => type);
    expect(typesOf(await twice(() => askToAccept(lena, invitation)))).toEqual(['hub_member_joined']);
    expect(typesOf(await twice(() => askToAppoint(amara, hub, lena)))).toEqual(['hub_role_changed']);
    expect(typesOf(await twice(() => askToRemove(amara, hub, lena)))).toEqual(['hub_member_removed']);
  });
});
