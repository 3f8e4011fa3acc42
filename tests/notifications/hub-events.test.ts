import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { follow, granted, requestFollow, unfollow } from '../support/graph.ts';
import { aTrio, eventsOf } from '../support/hub-worlds.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  anInvitation,
  anInviteLink,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestDismiss,
  requestInvite,
  requestJoin,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aPhone, aRegistered, type Person } from '../support/people.ts';

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

describe('an event is', () => {
  test('that somebody follows somebody, for the first time and after a while', async () => {
    const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    const followed = { type: 'user_followed', actor: maya.id, subject: jonas.id };
    expect(await during(() => follow(maya, jonas))).toEqual([followed]);
    expect(await during(() => requestFollow(maya, jonas))).toEqual([]);
    expect(await during(() => unfollow(maya, jonas))).toEqual([]);
    expect(await during(() => follow(maya, jonas))).toEqual([followed]);
  });

  test('that somebody is invited, each number once, whoever it is of', async () => {
    const { hub, jonas, lena } = await aTrio(opine);
    const numbers = [lena.phoneNumber, aPhone(), lena.phoneNumber];
    let items: Json[] = [];
    const events = await during(async () => {
      ({ items } = await granted(requestInvite(jonas, hub, ...numbers)));
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
    const { hub, amara, lena } = await aTrio(opine);
    const invitation = await anInvitation(amara, hub, lena);
    const [event, ...others] = await during(() => granted(requestAccept(lena, invitation)));
    expect(event).toMatchObject(joined(lena, hub));
    expect(others).toEqual([]);
  });

  test('that somebody asks to join whom a member invited', async () => {
    const { hub, jonas, lena } = await aTrio(opine);
    const invitation = await anInvitation(jonas, hub, lena);
    let joinRequest = '';
    const [event, ...others] = await during(async () => {
      joinRequest = (await granted(requestAccept(lena, invitation))).joinRequestId;
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
    const { hub, amara, lena } = await aTrio(opine);
    const link = await anInviteLink(amara, hub);
    const asking: Json[] = [];
    const asked = await during(async () => asking.push(await granted(requestJoin(lena, link))));
    const { id: joinRequest } = asking[0];
    const request = { subject: lena.id, hub: hub.id, joinRequest };
    expect(asked).toEqual([expect.objectContaining({ ...request, type: 'hub_join_request_created' })]);
    const decided = await during(() => granted(requestDecide(amara, hub, asking[0], 'approve')));
    expect(decided).toEqual([
      { ...request, type: 'hub_join_request_approved', actor: amara.id },
      expect.objectContaining(joined(lena, hub)),
    ]);
  });

  test('that it is not', async () => {
    const { hub, amara, lena } = await aTrio(opine);
    const request = await aJoinRequest(amara, hub, lena);
    expect(await during(() => granted(requestDecide(amara, hub, request, 'reject')))).toEqual([
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
    const { hub, amara, jonas } = await aTrio(opine);
    expect(await during(() => granted(requestRemove(amara, hub, jonas)))).toEqual([
      { type: 'hub_member_removed', actor: amara.id, subject: jonas.id, hub: hub.id },
    ]);
  });

  test('that somebody has another role, by themselves as well', async () => {
    const { hub, amara, jonas } = await aTrio(opine);
    const changed = (subject: Person) => [
      { type: 'hub_role_changed', actor: amara.id, subject: subject.id, hub: hub.id },
    ];
    for (const act of [
      () => requestAppoint(amara, hub, jonas, 'manager'),
      () => requestAppoint(amara, hub, jonas),
      () => requestAppoint(amara, hub, jonas, 'manager'),
      () => requestDismiss(amara, hub, jonas),
      () => requestAppoint(amara, hub, jonas),
    ])
      expect(await during(() => granted(act()))).toEqual(changed(jonas));
    expect(await during(() => granted(requestDismiss(amara, hub, amara)))).toEqual(changed(amara));
  });

  test('that there is a post in a Hub, one for each', async () => {
    const { hub, amara } = await aTrio(opine);
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
      // One that is public as well is an event for those who follow its author.
      const alerts =
        visibility === 'public_hub' ? [{ type: 'followed_user_posted', actor: amara.id, post: post.id }] : [];
      expect(events).toHaveLength(2 + alerts.length);
      expect(events).toEqual(expect.arrayContaining([...hubs.map(created), ...alerts]));
    }
  });
});

describe('at once', () => {
  const key = (name: string) => ({ headers: { 'idempotency-key': name } });

  test('and again with a key, what is one thing is one event', async () => {
    const { hub, amara } = await aTrio(opine);
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
      const { hub, amara, jonas, lena } = await aTrio(opine);
      await granted(requestAppoint(amara, hub, jonas));
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

  test('accepted twice, an invitation lets in once; removed twice, a member goes once', async () => {
    const { hub, amara, lena } = await aTrio(opine);
    const invitation = await anInvitation(amara, hub, lena);
    const twice = (act: () => Promise<unknown>) => during(() => Promise.all([act(), act()]));
    const typesOf = (events: Json[]) => events.map(({ type }) => type);
    expect(typesOf(await twice(() => requestAccept(lena, invitation)))).toEqual(['hub_member_joined']);
    expect(typesOf(await twice(() => requestAppoint(amara, hub, lena)))).toEqual(['hub_role_changed']);
    expect(typesOf(await twice(() => requestRemove(amara, hub, lena)))).toEqual(['hub_member_removed']);
  });
});
