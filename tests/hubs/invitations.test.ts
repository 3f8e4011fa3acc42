import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, expectOk, idsOf, type Json, MALFORMED_IDS, refusal } from '../support/client.ts';
import { contactNumber } from '../support/contacts.ts';
import { aHub, aMemberOf, anInvitation, anInviteLink, requestInvite, tokenIn } from '../support/hubs.ts';
import { invitationsOf, previewOf, requestInvitationByToken, tablesWith } from '../support/invitations.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  hubReadyPerson,
  newPhoneNumber,
  newRealPhoneNumber,
  type Person,
} from '../support/people.ts';
import { anOpineWithSms } from '../support/sign-in.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await hubReadyPerson(opine, 'Amara Okafor');
  hub = await aHub(amara);
});

const numbersIn = (items: Json[]): string[] => items.map(({ phoneNumber }) => phoneNumber);
const tokenOf = ({ inviteUrl }: Json) => tokenIn(inviteUrl);
const NOT_FOUND = refusal(404, 'INVITATION_NOT_FOUND');

describe('POST /hubs/{hubId}/invitations', () => {
  // docs/product.md H11
  test('the answer has one invitation for each number, in the order of the request', async () => {
    const numbers = [contactNumber(), contactNumber(), contactNumber()];
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

  // docs/product.md H11
  test('the service sends no text message to an invited phone', async () => {
    const texting = await anOpineWithSms({});
    const inviter = await hubReadyPerson(texting, 'Amara');
    const sent = texting.twilio.requests.length;
    await expectOk(requestInvite(inviter, await aHub(inviter), newRealPhoneNumber(), newPhoneNumber()));
    expect(texting.twilio.requests).toHaveLength(sent);
  });

  test('the share text has the Hub, the public name of the inviter and the address', async () => {
    await expectOk(amara.patch('/users/me/hub-profile', { displayName: 'Night Owl' }));
    const { shareText, inviteUrl } = await anInvitation(amara, hub, { phoneNumber: contactNumber() });
    for (const part of [hub.name, 'Amara Okafor', inviteUrl]) expect(shareText).toContain(part);
    expect(shareText).not.toContain('Night Owl');
  });

  test('the addresses of invitations and invite links begin with APP_URL', async () => {
    const elsewhere = await anOpine({ APP_URL: 'https://app.test' });
    const jonas = await hubReadyPerson(elsewhere);
    const other = await aHub(jonas);
    const { inviteUrl } = await anInvitation(jonas, other, { phoneNumber: contactNumber() });
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

  // docs/product.md H12
  test('a number that nobody can have is answered as invalid in its place, and the others are invited', async () => {
    const [first, last] = [contactNumber(), contactNumber()];
    const impossible = [' 0151 12345678', '', '+112', 'call me'];
    const { status, data } = await requestInvite(amara, hub, first, ...impossible, last, '+112');
    expect(status).toBe(201);
    const none = { id: null, inviteUrl: null, shareText: null, expiresAt: null };
    expect(data.items).toEqual([
      expect.objectContaining({ phoneNumber: first, state: 'pending' }),
      ...impossible.map((phoneNumber) => ({ ...none, phoneNumber, state: 'invalid' })),
      expect.objectContaining({ phoneNumber: last, state: 'pending' }),
    ]);
    expect(numbersIn(await invitationsOf(amara, hub)).toSorted()).toEqual([first, last].toSorted());
  });

  // docs/product.md H12
  test('a request whose numbers are all impossible is 422 and invites nobody', async () => {
    expect(await requestInvite(amara, hub, '+112', '0151 12345678')).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['phoneNumbers'], code: 'invalid_phone' }] }),
    );
    expect(await invitationsOf(amara, hub)).toEqual([]);
  });

  test.each([['x'.repeat(81)], ['+49\u0000'], ['+49\ud800']])(
    'the text %j, which cannot be answered as it was sent, is 422',
    async (text) => {
      expect(await requestInvite(amara, hub, contactNumber(), text)).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['phoneNumbers', 1] }] }),
      );
      expect(await invitationsOf(amara, hub)).toEqual([]);
    },
  );

  // docs/product.md H12
  test('impossible numbers do not count in the limit of invitations', async () => {
    const subjects = sql<{ subject: string }>`
      select subject from app.rate_limits where subject in (${amara.id}, ${hub.id})
        and empty_at > app.now() + interval '1 day' / 300`;
    const impossible = Array.from({ length: 49 }, (_, index) => `no number ${index}`);
    expect((await requestInvite(amara, hub, contactNumber(), ...impossible)).status).toBe(201);
    expect((await subjects.execute(opine.database.superuser)).rows).toEqual([]);
    expect((await requestInvite(amara, hub, contactNumber(), contactNumber())).status).toBe(201);
    expect((await subjects.execute(opine.database.superuser)).rows).not.toEqual([]);
  });
});

describe('POST /hubs/{hubId}/invitations with an Idempotency-Key', () => {
  const KEY = { headers: { 'idempotency-key': 'a-key' } };
  const invite = (...phoneNumbers: string[]) =>
    amara.post(`/hubs/${hub.id}/invitations`, { phoneNumbers }, KEY);

  test('a replay answers the same invitations, and their tokens are valid', async () => {
    const numbers = [contactNumber(), 'call me', contactNumber()];
    const first = await invite(...numbers);
    const again = await invite(...numbers);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
    expect(numbersIn(again.data.items)).toEqual(numbers);
    for (const item of again.data.items.filter(({ state }: Json) => state === 'pending'))
      expect((await requestInvitationByToken(amara, tokenOf(item))).status).toBe(200);
    expect(await invite(contactNumber())).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
  });

  test('ten concurrent requests make one invitation with one token', async () => {
    const number = contactNumber();
    const replies = await Promise.all(Array.from({ length: 10 }, () => invite(number)));
    expect(new Set(replies.map(({ data }) => data.items[0].inviteUrl)).size).toBe(1);
    expect(await invitationsOf(amara, hub)).toHaveLength(1);
  });

  test('the stored answer has neither number nor token in plain text', async () => {
    const { data } = await invite(contactNumber(), contactNumber());
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

describe('GET /hubs/{hubId}/invitations', () => {
  // docs/product.md P11
  test('an entry has number, state and inviter, and neither address nor share text', async () => {
    const { id, phoneNumber, expiresAt } = await anInvitation(amara, hub, { phoneNumber: contactNumber() });
    const invitedBy = { userId: amara.id, displayName: 'Amara Okafor' };
    const entry = {
      id,
      phoneNumber,
      state: 'pending',
      inviteUrl: null,
      shareText: null,
      expiresAt,
      invitedBy,
    };
    expect(await invitationsOf(amara, hub)).toEqual([entry]);
  });
});

test('eight concurrent requests for 50 numbers invite 300 numbers in total', async () => {
  const numbers = () => Array.from({ length: 50 }, contactNumber);
  const replies = await Promise.all(Array.from({ length: 8 }, () => requestInvite(amara, hub, ...numbers())));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(6).fill(201), 429, 429]);
  expect(await invitationsOf(amara, hub)).toHaveLength(300);
});

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
  const lookUpInvitation = (viewer = aGuest(opine)) =>
    requestInvitationByToken(viewer, tokenIn(invitation.inviteUrl));

  beforeEach(async () => {
    await expectOk(amara.patch('/users/me/hub-profile', { displayName: 'Night Owl' }));
    bo = await hubReadyPerson(opine, 'Bo');
    invitation = await anInvitation(amara, hub, bo);
  });

  // docs/product.md H14
  test('everybody with the token sees the preview of the Hub and the public name of the inviter', async () => {
    for (const viewer of [aGuest(opine), clientOf(opine.url, 'no.good.token'), await hubReadyPerson(opine)])
      expect((await lookUpInvitation(viewer)).data).toEqual(expectedAnswer());
  });

  test('the token is 404 after the inviter deleted their account', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
    const { inviteUrl } = await anInvitation(jonas, hub, { phoneNumber: contactNumber() });
    await expectOk(jonas.delete('/users/me'));
    expect(await requestInvitationByToken(aGuest(opine), tokenIn(inviteUrl))).toMatchObject(NOT_FOUND);
  });

  test('unknown tokens and the id of the invitation are 404', async () => {
    for (const token of [...MALFORMED_IDS, 'A'.repeat(43), 'A'.repeat(2000), invitation.id])
      expect(await requestInvitationByToken(aGuest(opine), token)).toMatchObject(NOT_FOUND);
  });
});

describe('a token of an invitation or invite link', () => {
  test('each token has 256 random bits', async () => {
    const tokens: string[] = [];
    for (const _ of [1, 2, 3, 4]) {
      const numbers = Array.from({ length: 50 }, contactNumber);
      const { items } = await expectOk(requestInvite(amara, hub, ...numbers));
      tokens.push(...items.map(({ inviteUrl }: Json) => tokenIn(inviteUrl)));
    }
    expect(new Set(tokens).size).toBe(200);
    const secrets = tokens.map((token) => Buffer.from(token, 'base64url'));
    for (const secret of secrets) expect(secret).toHaveLength(32);
    // 200 random bytes have about 139 distinct values; bytes of a time, counter or version have few.
    for (let index = 0; index < 32; index += 1)
      expect(new Set(secrets.map((secret) => secret[index])).size).toBeGreaterThan(90);
  });

  // docs/product.md H11
  test('the database holds only the SHA-256 of a token', async () => {
    const createWithKey = (items: string, body: object) =>
      expectOk(amara.post(`/hubs/${hub.id}/${items}`, body, { headers: { 'idempotency-key': items } }));
    const [{ inviteUrl }] = (await createWithKey('invitations', { phoneNumbers: [contactNumber()] })).items;
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
