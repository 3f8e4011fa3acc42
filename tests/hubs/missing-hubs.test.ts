import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { granted, NO_IDS, NOBODY } from '../support/graph.ts';
import { call, HUB_NOT_FOUND, HUB_OPERATIONS, refusalIn } from '../support/hub-worlds.ts';
import {
  aHub,
  aJoinRequest,
  anInvitation,
  anInviteLink,
  join,
  requestLeave,
  tokenIn,
} from '../support/hubs.ts';
import { hubsOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('a missing Hub', () => {
  test.each([NOBODY.id, ...NO_IDS])('every operation on the unknown id %j is HUB_NOT_FOUND', async (id) => {
    const amara = await aHubReady(opine);
    expect(refusalIn(await amara.get(`/hubs/${id}`))).toEqual(HUB_NOT_FOUND);
    for (const operation of HUB_OPERATIONS)
      expect(refusalIn(await call(amara, { id }, operation)), operation.join(' ')).toEqual(HUB_NOT_FOUND);
  });

  test('nobody can use, find or join a Hub after its last member left', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara, { customLink: 'no-more', name: 'Nomore Nevermore' });
    const people = await Promise.all(['Jonas', 'Lena', 'Maya'].map((name) => aHubReady(opine, name)));
    const [former, invited, pending] = people;
    if (!former || !invited || !pending) throw new Error('Nobody came.');
    await join(amara, hub, [former]);
    await granted(requestLeave(former, hub));
    const { inviteUrl } = await anInvitation(amara, hub, invited);
    const { token } = await anInviteLink(amara, hub);
    await aJoinRequest(amara, hub, pending);
    const left = await requestLeave(amara, hub);
    expect([left.status, left.data]).toEqual([200, {}]);

    for (const person of [amara, ...people]) {
      expect(refusalIn(await person.get(`/hubs/${hub.id}`))).toEqual(HUB_NOT_FOUND);
      for (const operation of HUB_OPERATIONS)
        expect(refusalIn(await call(person, hub, operation)), operation.join(' ')).toEqual(HUB_NOT_FOUND);
      expect(await hubsOf(person)).toEqual([]);
      expect((await granted(person.get('/search/hubs?q=nomore'))).items).toEqual([]);
      expect((await person.get(`/hub-invitations/by-token/${tokenIn(inviteUrl)}`)).status).toBe(404);
      expect((await person.get(`/hub-invite-links/${token}`)).status).toBe(404);
    }
    expect((await aHub(pending, { customLink: 'no-more' })).customLink).toBe('no-more');
  });
});
