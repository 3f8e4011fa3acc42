import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { timeIn } from '../support/clock.ts';
import { everyPage, granted, idsOf, NO_IDS, NOBODY } from '../support/graph.ts';
import { aHub, aMemberOf, anInviteLink, type Hub, requestJoin } from '../support/hubs.ts';
import { later, linksOf, nonMembersOf, openLink } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aHubReady, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aHubReady(opine, 'Amara');
  hub = await aHub(amara);
});

const DAY = 24 * 60 * 60 * 1000;
const FORBIDDEN = refusal(403, 'FORBIDDEN');
const NOT_FOUND = refusal(404, 'INVITE_LINK_NOT_FOUND');

const requestLink = (person: Client, { id }: Hub = hub, fields: object = {}, headers = {}) =>
  person.post(`/hubs/${id}/invite-links`, fields, { headers });
const requestRevoke = (person: Client, link: Hub, { id }: Hub = hub) =>
  person.delete(`/hubs/${id}/invite-links/${link.id}`);
const listed = (link: Json) => ({ ...link, token: null, url: null });

describe('POST /hubs/{hubId}/invite-links', () => {
  test('a new link expires after a week and has unlimited uses by default', async () => {
    const before = await timeIn(opine);
    const { status, data } = await requestLink(amara);
    const after = await timeIn(opine);
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: expect.stringMatching(/^[\w-]{43}$/),
      url: `https://opine.example/join/${data.token}`,
      expiresAt: expect.stringMatching(/Z$/),
      maxUses: null,
      useCount: 0,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(7 * DAY);
    expect(Date.parse(data.createdAt)).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(Date.parse(data.createdAt)).toBeLessThanOrEqual(after.getTime() + 1);
  });

  test.each([
    [1, 1],
    [30, 1000],
  ])('a new link is valid for %i days and %i uses', async (expiresInDays, maxUses) => {
    const { createdAt, expiresAt, ...rest } = await anInviteLink(amara, hub, { expiresInDays, maxUses });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(expiresInDays * DAY);
    expect(rest).toMatchObject({ maxUses, useCount: 0 });
  });

  test.each([
    ['expiresInDays', 0],
    ['expiresInDays', 31],
    ['expiresInDays', 1.5],
    ['expiresInDays', '7'],
    ['maxUses', 0],
    ['maxUses', -1],
    ['maxUses', 1001],
    ['maxUses', 2.5],
    ['maxUses', '3'],
  ])('the service rejects %s = %j', async (field, value) => {
    const reply = await requestLink(amara, hub, { [field]: value });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(reply.error.details.issues).toContainEqual(expect.objectContaining({ path: [field] }));
    expect(await linksOf(amara, hub)).toEqual([]);
  });

  test('each link has its own 256-bit token', async () => {
    const links = await Promise.all([1, 2, 3, 4, 5].map(() => anInviteLink(amara, hub)));
    expect(new Set(links.map(({ token }) => token)).size).toBe(5);
    for (const { token } of links) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  test('a replay with an Idempotency-Key answers the same token, which is stored encrypted', async () => {
    const key = { 'idempotency-key': 'a-key' };
    const first = await requestLink(amara, hub, {}, key);
    const again = await requestLink(amara, hub, {}, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
    expect((await openLink(aGuest(opine), again.data)).status).toBe(200);
    expect(await linksOf(amara, hub)).toHaveLength(1);
    const { rows } = await sql<{ stored: string }>`
      select row_to_json(a)::text as stored from gateway.idempotent_answers as a where user_id = ${amara.id}
    `.execute(opine.database.superuser);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.stored).not.toContain(first.data.token);
  });
});

describe('GET /hubs/{hubId}/invite-links', () => {
  test('pages list links without token and URL, newest first', async () => {
    const links: Json[] = [];
    for (const maxUses of [1, 2, 3, 4, 5]) links.unshift(await anInviteLink(amara, hub, { maxUses }));
    const pages = await everyPage(amara, `/hubs/${hub.id}/invite-links`, { limit: 2 });
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(links.map(listed));
  });

  test('admins and managers list the links of each other', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'manager');
    const [hers, his] = [await anInviteLink(amara, hub), await anInviteLink(jonas, hub)];
    for (const person of [amara, jonas])
      expect(await linksOf(person, hub)).toEqual([listed(his), listed(hers)]);
    expect(await linksOf(amara, await aHub(amara))).toEqual([]);
  });

  test('the list omits expired links and keeps used-up ones', async () => {
    await anInviteLink(amara, hub, { expiresInDays: 1 });
    const used = await anInviteLink(amara, hub, { expiresInDays: 2, maxUses: 1 });
    await granted(requestJoin(await aHubReady(opine), used));
    expect(await linksOf(amara, hub)).toHaveLength(2);
    const [amaraLater] = await later(opine, '25 hours', amara);
    expect(await linksOf(amaraLater, hub)).toEqual([listed({ ...used, useCount: 1 })]);
  });
});

describe('DELETE /hubs/{hubId}/invite-links/{inviteLinkId}', () => {
  test('a link of an admin is 404 after a manager revoked it', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'manager');
    const [link, other] = [await anInviteLink(amara, hub), await anInviteLink(amara, hub)];
    const { status, data } = await requestRevoke(jonas, link);
    expect([status, data]).toEqual([200, {}]);
    expect(await requestRevoke(amara, link)).toMatchObject(NOT_FOUND);
    const bo = await aHubReady(opine);
    expect(await openLink(bo, link)).toMatchObject(NOT_FOUND);
    expect(await requestJoin(bo, link)).toMatchObject(NOT_FOUND);
    expect(await linksOf(amara, hub)).toEqual([listed(other)]);
  });

  test('a join request stays open after the revocation of its link', async () => {
    const link = await anInviteLink(amara, hub);
    const bo = await aHubReady(opine);
    const { id } = await granted(requestJoin(bo, link));
    await granted(requestRevoke(amara, link));
    const { items } = await granted(amara.get(`/hubs/${hub.id}/join-requests`));
    expect(idsOf(items)).toEqual([id]);
  });

  test('a link of another Hub and an unknown link are 404', async () => {
    const [other, link] = [await aHub(amara), await anInviteLink(amara, hub)];
    expect(await requestRevoke(amara, link, other)).toMatchObject(NOT_FOUND);
    for (const id of [...NO_IDS, NOBODY.id, link.token])
      expect(await requestRevoke(amara, { id })).toMatchObject(NOT_FOUND);
    expect(await linksOf(amara, hub)).toHaveLength(1);
  });
});

describe('access to invite links', () => {
  let link: Json;

  beforeEach(async () => {
    link = await anInviteLink(amara, hub);
  });

  const expectRefused = async (person: Client, expected: Json, ofItem = expected) => {
    expect(await requestLink(person)).toMatchObject(expected);
    expect(await person.get(`/hubs/${hub.id}/invite-links`)).toMatchObject(expected);
    expect(await requestRevoke(person, link)).toMatchObject(ofItem);
    expect((await openLink(aGuest(opine), link)).status).toBe(200);
  };

  test('a plain member can neither create, list nor revoke links', async () => {
    await expectRefused(await aMemberOf(opine, amara, hub), FORBIDDEN);
  });

  test('a non-member can neither create, list nor revoke links', async () => {
    for (const nonMember of Object.values(await nonMembersOf(opine, amara, hub)))
      await expectRefused(nonMember, FORBIDDEN, NOT_FOUND);
  });

  test('a caller below level 4 can neither create, list nor revoke links', async () => {
    await expectRefused(await aConfirmed(opine), refusal(403, 'FORBIDDEN', { requiredLevel: 4, level: 3 }));
  });

  test.each([...NO_IDS, NOBODY.id])('invite links of the unknown Hub "%s" are 404', async (id) => {
    const missing = refusal(404, 'HUB_NOT_FOUND');
    expect(await requestLink(amara, { id })).toMatchObject(missing);
    expect(await amara.get(`/hubs/${id}/invite-links`)).toMatchObject(missing);
    expect(await requestRevoke(amara, link, { id })).toMatchObject(missing);
  });
});
