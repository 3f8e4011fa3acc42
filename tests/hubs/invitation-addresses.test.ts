import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aNumber } from '../support/contacts.ts';
import { granted, NO_IDS } from '../support/graph.ts';
import {
  aHub,
  aMemberOf,
  anInvitation,
  requestAccept,
  requestDecline,
  requestInvite,
  requestLeave,
  tokenIn,
} from '../support/hubs.ts';
import { lookUp, previewOf, tablesWith } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aHubReady(opine, 'Amara Okafor');
  hub = await aHub(amara);
});

const NOT_FOUND = refusal(404, 'INVITATION_NOT_FOUND');

describe('GET /hub-invitations/by-token/{token}', () => {
  let bo: Person;
  let invitation: Json;
  const expectedAnswer = (fields: object = {}) => ({
    id: invitation.id,
    state: 'pending',
    expiresAt: invitation.expiresAt,
    hub: previewOf(hub, fields),
    invitedBy: { displayName: 'Amara Okafor' },
  });
  const lookUpInvitation = (viewer = aGuest(opine)) => lookUp(viewer, tokenIn(invitation.inviteUrl));

  beforeEach(async () => {
    await granted(amara.patch('/users/me/hub-profile', { displayName: 'Night Owl' }));
    bo = await aHubReady(opine, 'Bo');
    invitation = await anInvitation(amara, hub, bo);
  });

  test('everybody with the token sees the preview of the Hub and the public name of the inviter', async () => {
    for (const viewer of [aGuest(opine), clientOf(opine.url, 'no.good.token'), await aHubReady(opine)])
      expect((await lookUpInvitation(viewer)).data).toEqual(expectedAnswer());
  });

  test('the invited person sees their own invitation id and status', async () => {
    const invited = { viewerStatus: 'invited', invitationId: invitation.id };
    expect((await lookUpInvitation(bo)).data).toEqual(expectedAnswer(invited));
  });

  test('the answer has the state of a declined and of an accepted invitation', async () => {
    await granted(requestDecline(bo, invitation));
    expect((await lookUpInvitation()).data).toEqual({ ...expectedAnswer(), state: 'declined' });
    const again = await anInvitation(amara, hub, bo);
    await granted(requestAccept(bo, again));
    expect((await lookUp(aGuest(opine), tokenIn(again.inviteUrl))).data.state).toBe('accepted');
  });

  test('the answer has the state expired after seven days', async () => {
    await timePasses(opine, '7 days 1 minute');
    expect((await lookUpInvitation()).data).toEqual({ ...expectedAnswer(), state: 'expired' });
  });

  test('the token is 404 after the inviter deleted their account', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
    const { inviteUrl } = await anInvitation(jonas, hub, { phoneNumber: aNumber() });
    await granted(jonas.delete('/users/me'));
    expect(await lookUp(aGuest(opine), tokenIn(inviteUrl))).toMatchObject(NOT_FOUND);
  });

  test('the token is 404 after the Hub closed', async () => {
    await granted(requestLeave(amara, hub));
    expect(await lookUpInvitation(bo)).toMatchObject(NOT_FOUND);
  });

  test('unknown tokens and the id of the invitation are 404', async () => {
    for (const token of [...NO_IDS, 'A'.repeat(43), 'A'.repeat(2000), invitation.id])
      expect(await lookUp(aGuest(opine), token)).toMatchObject(NOT_FOUND);
  });
});

describe('a token of an invitation or invite link', () => {
  test('each token has 256 random bits', async () => {
    const tokens: string[] = [];
    for (const _ of [1, 2, 3, 4]) {
      const numbers = Array.from({ length: 50 }, aNumber);
      const { items } = await granted(requestInvite(amara, hub, ...numbers));
      tokens.push(...items.map(({ inviteUrl }: Json) => tokenIn(inviteUrl)));
    }
    expect(new Set(tokens).size).toBe(200);
    const secrets = tokens.map((token) => Buffer.from(token, 'base64url'));
    for (const secret of secrets) expect(secret).toHaveLength(32);
    // 200 random bytes have about 139 distinct values; bytes of a time, counter or version have few.
    for (let index = 0; index < 32; index += 1)
      expect(new Set(secrets.map((secret) => secret[index])).size).toBeGreaterThan(90);
  });

  test('the database holds only the SHA-256 of a token', async () => {
    const createWithKey = (items: string, body: object) =>
      granted(amara.post(`/hubs/${hub.id}/${items}`, body, { headers: { 'idempotency-key': items } }));
    const [{ inviteUrl }] = (await createWithKey('invitations', { phoneNumbers: [aNumber()] })).items;
    const link = await createWithKey('invite-links', {});
    for (const [table, token] of [
      ['app.hub_invitations', tokenIn(inviteUrl)],
      ['app.invite_links', link.token],
    ]) {
      const hash = createHash('sha256').update(token).digest('hex');
      expect(await tablesWith(opine, hash)).toEqual([table]);
      const bytes = [Buffer.from(token), Buffer.from(token, 'base64url')];
      for (const form of [token, ...bytes.map((raw) => raw.toString('hex'))])
        expect(await tablesWith(opine, form)).toEqual([]);
    }
  });
});
