import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { timeIn } from '../support/clock.ts';
import { aNumber } from '../support/contacts.ts';
import { granted, idsOf } from '../support/graph.ts';
import {
  aHub,
  aMemberOf,
  anInvitation,
  anInviteLink,
  requestAccept,
  requestDecline,
  requestInvite,
  tokenIn,
} from '../support/hubs.ts';
import { invitationsOf, later, lookUp } from '../support/invitations.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

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

const WEEK = 7 * 24 * 60 * 60 * 1000;

const numbersIn = (items: Json[]): string[] => items.map(({ phoneNumber }) => phoneNumber);
const tokenOf = ({ inviteUrl }: Json) => tokenIn(inviteUrl);

describe('POST /hubs/{hubId}/invitations', () => {
  test('the answer has one invitation for each number, in the order of the request', async () => {
    const numbers = [aNumber(), aNumber(), aNumber()];
    const { status, data } = await requestInvite(amara, hub, ...numbers);
    expect(status).toBe(201);
    const expectedFields = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: 'pending',
      inviteUrl: expect.stringMatching(/^https:\/\/opine\.example\/invitations\/[\w-]{43}$/),
      shareText: expect.any(String),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    };
    expect(data).toEqual({ items: numbers.map((phoneNumber) => ({ ...expectedFields, phoneNumber })) });
    expect(new Set(idsOf(data.items)).size).toBe(3);
    expect(new Set(data.items.map(tokenOf)).size).toBe(3);
  });

  test('an invitation expires after a week', async () => {
    const before = await timeIn(opine);
    const { expiresAt } = await anInvitation(amara, hub, { phoneNumber: aNumber() });
    const after = await timeIn(opine);
    const createdAt = Date.parse(expiresAt) - WEEK;
    expect(createdAt).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(createdAt).toBeLessThanOrEqual(after.getTime() + 1);
  });

  test('the share text has the Hub, the public name of the inviter and the address', async () => {
    await granted(amara.patch('/users/me/hub-profile', { displayName: 'Night Owl' }));
    const { shareText, inviteUrl } = await anInvitation(amara, hub, { phoneNumber: aNumber() });
    for (const part of [hub.name, 'Amara Okafor', inviteUrl]) expect(shareText).toContain(part);
    expect(shareText).not.toContain('Night Owl');
  });

  test('the addresses of invitations and invite links begin with APP_URL', async () => {
    const elsewhere = await anOpine({ APP_URL: 'https://app.test' });
    const jonas = await aHubReady(elsewhere);
    const other = await aHub(jonas);
    const { inviteUrl } = await anInvitation(jonas, other, { phoneNumber: aNumber() });
    expect(inviteUrl).toMatch(/^https:\/\/app\.test\/invitations\/[\w-]{43}$/);
    expect((await anInviteLink(jonas, other)).url).toMatch(/^https:\/\/app\.test\/join\/[\w-]{43}$/);
  });

  test('different spellings of a number make one invitation at the first position', async () => {
    const { status, data } = await requestInvite(
      amara,
      hub,
      '+1 (202) 555-9901',
      '+12025559902',
      '+12025559901',
      '+1-202-555-9902',
      '+1 202 555 9903',
    );
    expect(status).toBe(201);
    expect(numbersIn(data.items)).toEqual(['+12025559901', '+12025559902', '+12025559903']);
    expect(await invitationsOf(amara, hub)).toHaveLength(3);
  });

  test('one request invites fifty numbers', async () => {
    const numbers = Array.from({ length: 50 }, aNumber);
    const { status, data } = await requestInvite(amara, hub, ...numbers);
    expect([status, numbersIn(data.items)]).toEqual([201, numbers]);
  });

  test.each<[string, unknown, (string | number)[]]>([
    ['no field', undefined, ['phoneNumbers']],
    ['no number', [], ['phoneNumbers']],
    ['51 numbers', Array.from({ length: 51 }, aNumber), ['phoneNumbers']],
    ['a number outside a list', aNumber(), ['phoneNumbers']],
    ['an impossible number', [aNumber(), '+112', aNumber()], ['phoneNumbers', 1]],
    ['a number without country code', [aNumber(), aNumber(), '0151 12345678'], ['phoneNumbers', 2]],
    ['a number that is no string', [4930123456], ['phoneNumbers', 0]],
  ])('a request with %s is 422 and invites nobody', async (_, phoneNumbers, path) => {
    const reply = await amara.post(`/hubs/${hub.id}/invitations`, { phoneNumbers });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(reply.error.details.issues).toContainEqual(expect.objectContaining({ path }));
    expect(await invitationsOf(amara, hub)).toEqual([]);
  });
});

describe('a second invitation of a number', () => {
  test('the same inviter renews the invitation with a new token and a new week', async () => {
    const phoneNumber = aNumber();
    const first = await anInvitation(amara, hub, { phoneNumber });
    const [amaraLater] = await later(opine, '2 days', amara);
    const second = await anInvitation(amaraLater, hub, { phoneNumber });
    expect(second.id).toBe(first.id);
    expect(await lookUp(amaraLater, tokenOf(first))).toMatchObject(refusal(404, 'INVITATION_NOT_FOUND'));
    expect((await lookUp(amaraLater, tokenOf(second))).data.id).toBe(first.id);
    expect(Date.parse(second.expiresAt) - Date.parse(first.expiresAt)).toBeGreaterThan(WEEK / 4);
    expect(await invitationsOf(amaraLater, hub)).toMatchObject([{ expiresAt: second.expiresAt }]);
  });

  test('another inviter makes another invitation, and both are valid', async () => {
    const jonas = await aMemberOf(opine, amara, hub);
    const bo = await aHubReady(opine);
    const [hers, his] = [await anInvitation(amara, hub, bo), await anInvitation(jonas, hub, bo)];
    expect(his.id).not.toBe(hers.id);
    for (const { id, inviteUrl } of [hers, his])
      expect((await lookUp(bo, tokenIn(inviteUrl))).data).toMatchObject({ id, state: 'pending' });
  });

  test('the inviter makes a new invitation after a decline', async () => {
    const bo = await aHubReady(opine);
    const declined = await anInvitation(amara, hub, bo);
    await granted(requestDecline(bo, declined));
    const second = await anInvitation(amara, hub, bo);
    expect(second.id).not.toBe(declined.id);
    const states = (await invitationsOf(amara, hub)).map(({ id, state }) => [id, state]);
    expect(states).toEqual([
      [second.id, 'pending'],
      [declined.id, 'declined'],
    ]);
    expect((await requestAccept(bo, second)).status).toBe(200);
  });

  test('the inviter makes a new invitation after the expiry', async () => {
    const phoneNumber = aNumber();
    const expired = await anInvitation(amara, hub, { phoneNumber });
    const [amaraLater] = await later(opine, '7 days 1 minute', amara);
    const second = await anInvitation(amaraLater, hub, { phoneNumber });
    expect(second.id).not.toBe(expired.id);
    const states = (await invitationsOf(amaraLater, hub)).map(({ state }) => state);
    expect(states).toEqual(['pending', 'expired']);
  });
});

describe('POST /hubs/{hubId}/invitations with an Idempotency-Key', () => {
  const KEY = { headers: { 'idempotency-key': 'a-key' } };
  const invite = (...phoneNumbers: string[]) =>
    amara.post(`/hubs/${hub.id}/invitations`, { phoneNumbers }, KEY);

  test('a replay answers the same invitations, and their tokens are valid', async () => {
    const numbers = [aNumber(), aNumber()];
    const first = await invite(...numbers);
    const again = await invite(...numbers);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
    for (const item of again.data.items) expect((await lookUp(amara, tokenOf(item))).status).toBe(200);
    expect(await invite(aNumber())).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
  });

  test('ten concurrent requests make one invitation with one token', async () => {
    const number = aNumber();
    const replies = await Promise.all(Array.from({ length: 10 }, () => invite(number)));
    expect(new Set(replies.map(({ data }) => data.items[0].inviteUrl)).size).toBe(1);
    expect(await invitationsOf(amara, hub)).toHaveLength(1);
  });

  test('the stored answer has neither number nor token in plain text', async () => {
    const { data } = await invite(aNumber(), aNumber());
    const { rows } = await sql<{ stored: string }>`
      select row_to_json(a)::text as stored from gateway.idempotent_answers as a where user_id = ${amara.id}
    `.execute(opine.database.superuser);
    expect(rows).toHaveLength(1);
    for (const { phoneNumber, inviteUrl } of data.items) {
      expect(rows[0]?.stored).not.toContain(phoneNumber.slice(1));
      expect(rows[0]?.stored).not.toContain(tokenIn(inviteUrl));
    }
  });
});
