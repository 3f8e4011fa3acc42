import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  expectOk,
  idsOf,
  type Json,
  MALFORMED_IDS,
  refusal,
} from '../support/client.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  anInviteLink,
  type Hub,
  requestJoin,
} from '../support/hubs.ts';
import { linksOf, openRequestsOf, previewOf, requestInviteLink } from '../support/invitations.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson, type Person } from '../support/people.ts';
import { duringTransaction } from '../support/races.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await hubReadyPerson(opine, 'Amara');
  hub = await aHub(amara);
});

const DAY = 24 * 60 * 60 * 1000;
const NOT_FOUND = refusal(404, 'INVITE_LINK_NOT_FOUND');

const requestLink = (person: Client, { id }: Hub = hub, fields: object = {}, headers = {}) =>
  person.post(`/hubs/${id}/invite-links`, fields, { headers });

const requestRevoke = (person: Client, link: Hub, { id }: Hub = hub) =>
  person.delete(`/hubs/${id}/invite-links/${link.id}`);

const listed = (link: Json) => ({ ...link, token: null, url: null });

describe('POST /hubs/{hubId}/invite-links', () => {
  // docs/product.md H19
  test('a new link expires after a week and has unlimited uses by default', async () => {
    const before = await currentTime(opine);
    const { status, data } = await requestLink(amara);
    const after = await currentTime(opine);
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

  // docs/product.md W18
  test('a replay with an Idempotency-Key answers the same token, which is stored encrypted', async () => {
    const key = { 'idempotency-key': 'a-key' };
    const first = await requestLink(amara, hub, {}, key);
    const again = await requestLink(amara, hub, {}, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
    expect((await requestInviteLink(aGuest(opine), again.data)).status).toBe(200);
    expect(await linksOf(amara, hub)).toHaveLength(1);
    const { rows } = await sql<{ stored: string }>`
      select row_to_json(a)::text as stored from gateway.idempotent_answers as a where user_id = ${amara.id}
    `.execute(opine.database.superuser);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.stored).not.toContain(first.data.token);
  });
});

describe('DELETE /hubs/{hubId}/invite-links/{inviteLinkId}', () => {
  test('a link of an admin is 404 after a manager revoked it', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'manager');
    const [link, other] = [await anInviteLink(amara, hub), await anInviteLink(amara, hub)];
    const { status, data } = await requestRevoke(jonas, link);
    expect([status, data]).toEqual([200, {}]);
    expect(await requestRevoke(amara, link)).toMatchObject(NOT_FOUND);
    const bo = await hubReadyPerson(opine);
    expect(await requestInviteLink(bo, link)).toMatchObject(NOT_FOUND);
    expect(await requestJoin(bo, link)).toMatchObject(NOT_FOUND);
    expect(await linksOf(amara, hub)).toEqual([listed(other)]);
  });

  // docs/product.md H20
  test('a join request stays open after the revocation of its link', async () => {
    const link = await anInviteLink(amara, hub);
    const bo = await hubReadyPerson(opine);
    const { id } = await expectOk(requestJoin(bo, link));
    await expectOk(requestRevoke(amara, link));
    const { items } = await expectOk(amara.get(`/hubs/${hub.id}/join-requests`));
    expect(idsOf(items)).toEqual([id]);
  });
});

// docs/product.md H20
describe('GET /hub-invite-links/{token}', () => {
  // docs/product.md H20
  test('everybody with the token sees the preview and their own status', async () => {
    const link = await anInviteLink(amara, hub);
    const bo = await hubReadyPerson(opine);
    const expectedAnswer = (fields: Json = { viewerStatus: 'none' }) => {
      const { viewerStatus } = fields;
      return { hub: previewOf(hub, fields), expiresAt: link.expiresAt, viewerStatus };
    };
    for (const viewer of [aGuest(opine), clientOf(opine.url, 'no.good.token'), bo])
      expect((await requestInviteLink(viewer, link)).data).toEqual(expectedAnswer());
    const { id: invitationId } = await anInvitation(amara, hub, bo);
    expect((await requestInviteLink(bo, link)).data).toEqual(
      expectedAnswer({ viewerStatus: 'invited', invitationId }),
    );
    const { id: joinRequestId } = await aJoinRequest(amara, hub, bo);
    const pending = { viewerStatus: 'pending_admin_approval', joinRequestId };
    expect((await requestInviteLink(bo, link)).data).toEqual(expectedAnswer(pending));
  });

  test.each([...MALFORMED_IDS, 'A'.repeat(43)])('the unknown token "%s" is 404', async (token) => {
    expect(await requestInviteLink(aGuest(opine), { token })).toMatchObject(NOT_FOUND);
    expect(await requestJoin(await hubReadyPerson(opine), { token })).toMatchObject(NOT_FOUND);
  });
});

test('members and applicants do not use up an invite link', async () => {
  const link = await anInviteLink(amara, hub, { maxUses: 2 });
  const bo = await hubReadyPerson(opine);
  expect(await requestJoin(amara, link)).toMatchObject(refusal(409, 'ALREADY_MEMBER'));
  await expectOk(requestJoin(bo, link));
  for (const _ of [1, 2])
    expect(await requestJoin(bo, link)).toMatchObject(refusal(409, 'JOIN_REQUEST_PENDING'));
  expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 1 }]);
});

test.each([
  ['is revoked', sql`delete from app.invite_links`],
  ['is used up', sql`update app.invite_links set use_count = max_uses`],
  ['expires', sql`update app.invite_links set expires_at = app.now()`],
])('a join request that waits for the Hub is 404 if its link %s meanwhile', async (_, end) => {
  const link = await anInviteLink(amara, hub, { maxUses: 2 });
  const jonas = await hubReadyPerson(opine, 'Jonas');
  const reply = await duringTransaction(
    opine,
    () => requestJoin(jonas, link),
    async (holder) => {
      await sql`select app.lock_hub(${hub.id})`.execute(holder);
      await end.execute(holder);
    },
  );
  expect(reply).toMatchObject(NOT_FOUND);
  expect(await openRequestsOf(amara, hub)).toEqual([]);
});

test('a revocation gives back none of the 100 links a day, and a replay is not limited', async () => {
  const create = (key: string) => requestLink(amara, hub, {}, { 'idempotency-key': key });
  for (let index = 0; index < 100; index += 1) await expectOk(create(`link-${index}`));
  expect((await create('link-7')).status).toBe(201);
  for (const link of (await linksOf(amara, hub)).slice(0, 1)) await expectOk(requestRevoke(amara, link));
  expect(await create('one-more')).toMatchObject(refusal(429, 'RATE_LIMITED'));
  expect(await linksOf(amara, hub)).toHaveLength(99);
});
