import { importJWK, SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { type Client, clientOf, expectOk, type Json, withQuery } from '../support/client.ts';
import { aContact, uploadContacts, withPendingSnapshot } from '../support/contacts.ts';
import { claimsOf } from '../support/forgeries.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMessage,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
  markDiscussionRead,
  tokenIn,
} from '../support/hubs.ts';
import {
  type OpineWithIdp,
  phoneClaims,
  signInWithIdToken,
  startOpineWithIdp,
} from '../support/id-tokens.ts';
import { SIGNING_KEY } from '../support/keys.ts';
import { advanceTime, type Opine } from '../support/opine.ts';
import {
  aGuest,
  hubReadyPerson,
  newPhoneNumber,
  type Person,
  signIn,
  withFreshSession,
} from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import {
  aComment,
  aReply,
  aRepost,
  aSlider,
  requestSavePost,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';
import { removeReported } from '../support/staff.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload } from '../support/uploads.ts';
import { castVote } from '../support/votes.ts';
import { expectAfterWorker, foldAllVotes } from '../support/worker.ts';

/** Times of answers: not of the wall clock, and readable to JavaScript. */
const TIME = /^(\d{4}|\+\d{5,6})-\d\d-\d\dT/;

async function moveTo(opine: Pick<Opine, 'database'>, year: number): Promise<void> {
  await sql`select app.set_clock_offset(make_timestamptz(${year}, 1, 2, 3, 4, 5, 'UTC') - now())`.execute(
    opine.database.superuser,
  );
}

function timesIn(value: Json): string[] {
  if (typeof value === 'string') return TIME.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(timesIn) : [];
}

// docs/product.md W1
describe.each([10_000, 120_000])('in the year %i', (year) => {
  let opine: OpineWithStorage;
  let amara: Person;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    opine = await startOpineWithStorage();
    await moveTo(opine, year);
    amara = await hubReadyPerson(opine, 'Amara');
    ids = await aBusyWorld(opine, amara);
  });

  afterAll(() => opine.stop());

  test('a person signs in by phone, refreshes and changes their number, and every time is of that year', async () => {
    const session = await signIn(opine, newPhoneNumber());
    expect(new Date(session.expiresAt).getUTCFullYear()).toBe(year);
    expect(Number(claimsOf(session.accessToken).exp) * 1000).toBe(Date.parse(session.expiresAt));
    const person = await withFreshSession(opine, amara);
    const phoneNumber = newPhoneNumber();
    const { expiresAt } = await expectOk(person.post('/users/me/phone/request', { phoneNumber }));
    expect(new Date(expiresAt).getUTCFullYear()).toBe(year);
    await expectOk(person.post('/users/me/phone/verify', { phoneNumber, code: '4242' }));
    await advanceTime(opine, '16 minutes');
    expect((await person.get('/users/me/profile')).status).toBe(401);
    amara = await withFreshSession(opine, person);
  });

  test('every read of a person answers, two pages of a list, with times that JavaScript reads', async () => {
    const reads = ROUTES.filter(
      ({ method, auth }) => method === 'get' && auth !== 'staff' && auth !== 'none',
    );
    const times: string[] = [];
    for (const { id, path, query } of reads) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[path] ?? ids[name] ?? '');
      const isList = query !== undefined && 'limit' in query.shape;
      const given = { ...(isList && { limit: 1 }), ...(query && 'q' in query.shape && { q: 'amara' }) };
      const page = async (cursor: object = {}): Promise<Json> => {
        const { status, data, error } = await amara.get(withQuery(filled, { ...given, ...cursor }));
        expect([id, status, error]).toEqual([id, 200, undefined]);
        times.push(...timesIn(data));
        return data;
      };
      const { nextCursor } = await page();
      if (isList && nextCursor !== null) await page({ cursor: nextCursor });
    }
    expect(times.length).toBeGreaterThan(50);
    expect(times.filter((time) => new Date(time).getUTCFullYear() !== year)).toEqual([]);
  });

  test('the worker folds votes and finishes an account deletion', async () => {
    await foldAllVotes(opine);
    const jonas = await hubReadyPerson(opine, 'Jonas');
    await aSlider(jonas);
    await expectOk(jonas.delete('/users/me'));
    await expectAfterWorker(opine, async () => {
      await advanceTime(opine, '1 hour');
      const { rows } = await sql`select from app.account_deletions`.execute(opine.database.superuser);
      return rows.length;
    }).toBe(0);
  });
});

/** Lets Amara and others do a bit of everything. Returns what the paths of the API name. */
async function aBusyWorld(opine: OpineWithStorage, amara: Person): Promise<Record<string, string>> {
  const [jonas, lena] = [await hubReadyPerson(opine, 'Jonas'), await hubReadyPerson(opine, 'Lena')];
  const hub = await aHub(amara);
  await join(amara, hub, [jonas]);
  const [post, other] = [await aSlider(amara), await aSlider(amara)];
  for (const voter of [amara, jonas, lena]) expect((await castVote(voter, post)).status).toBe(201);
  const comment = await aComment(jonas, post);
  await aReply(amara, post, comment);
  await aRepost(jonas, post);
  for (const each of [post, other]) {
    await shareToFeed(jonas, each);
    await shareToHubs(jonas, each, hub);
    expect((await requestSavePost(amara, each)).status).toBe(200);
  }
  const discussion = await discussionOf(amara, hub, await aHubPost(jonas, [hub]));
  await aMessage(jonas, discussion);
  await markDiscussionRead(amara, discussion);
  await expectOk(amara.post(`/hubs/${hub.id}/discussions/${discussion.id}/save`));
  for (const person of [jonas, lena]) {
    await expectOk(person.post(`/users/${amara.id}/follow`));
    await expectOk(amara.post(`/users/${person.id}/follow`));
  }
  await expectOk(amara.post(`/users/${(await hubReadyPerson(opine)).id}/block`));
  const invitation = await anInvitation(amara, hub, { phoneNumber: newPhoneNumber() });
  const link = await anInviteLink(amara, hub);
  await aJoinRequest(amara, hub, lena);
  expect((await requestReport(amara, 'users', lena)).status).toBe(201);
  await removeReported(opine, jonas, 'posts', await aSlider(amara), amara);
  const { person, uploadId } = await withPendingSnapshot(opine);
  await expectOk(uploadContacts(person, uploadId, [aContact()]));
  const { assetId } = await anUpload(amara, await aPng());
  return {
    userId: jonas.id,
    username: jonas.username,
    hubId: hub.id,
    postId: post.id,
    assetId,
    discussionId: discussion.id,
    '/hub-invitations/by-token/{token}': tokenIn(invitation.inviteUrl),
    '/hub-invite-links/{token}': link.token,
  };
}

// docs/product.md R4
describe('a token with a time beyond the year 9999', () => {
  let opine: OpineWithIdp;

  beforeAll(async () => {
    opine = await startOpineWithIdp();
  });

  afterAll(() => opine.stop());

  const FAR = [253_402_300_800, 10 ** 13, 8_640_000_000_001, Number.MAX_SAFE_INTEGER, 10 ** 300];

  test.each(FAR)('an ID token that expires at %d signs in, and one issued then is 401', async (time) => {
    const signInWith = async (claims: Record<string, number>): Promise<number> => {
      const token = await opine.provider.sign(phoneClaims(newPhoneNumber(), claims));
      return (await signInWithIdToken(aGuest(opine), token)).status;
    };
    expect(await signInWith({ exp: time, auth_time: time })).toBe(200);
    expect(await signInWith({ exp: time, iat: time })).toBe(401);
    expect(await signInWith({ exp: time, nbf: time })).toBe(401);
  });

  test.each(FAR)('an access token of ours that expires at %d is valid or 401', async (exp) => {
    const maya = await hubReadyPerson(opine, 'Maya');
    const key = await importJWK(SIGNING_KEY, 'ES256');
    const token = await new SignJWT({ ...claimsOf(maya.session.accessToken), exp })
      .setProtectedHeader({ alg: 'ES256', kid: SIGNING_KEY.kid, typ: 'JWT' })
      .sign(key);
    const caller: Client = clientOf(opine.url, token);
    expect((await caller.get('/users/me/profile')).status).toBe(Number.isSafeInteger(exp) ? 200 : 401);
    expect((await caller.get('/posts')).status).toBe(200);
  });
});
