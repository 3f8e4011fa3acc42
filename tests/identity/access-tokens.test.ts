import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { claimsOf, FORGERIES } from '../support/forgeries.ts';
import { SIGNING_KEY } from '../support/keys.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

let opine: Opine;
let amara: Person;
let herPost: Json;

beforeAll(async () => {
  opine = await startOpine();
  amara = await aConfirmed(opine, 'Amara');
  herPost = await aSlider(amara);
});

afterAll(() => opine.stop());

const status = (caller: Client) => caller.get('/users/me/onboarding/status');

/** Whether `caller` passes for the author of `herPost`. */
async function isAmara(caller: Client): Promise<boolean> {
  const { status, data } = await caller.get(`/posts/${herPost.id}`);
  expect(status).toBe(200);
  return data.permissions.canDelete;
}

describe('an access token', () => {
  test('says what Supabase reads, and no more', async () => {
    const { accessToken, expiresAt } = amara.session;
    expect(decodeProtectedHeader(accessToken)).toEqual({ alg: 'ES256', kid: SIGNING_KEY.kid, typ: 'JWT' });
    const claims = claimsOf(accessToken);
    expect(claims).toEqual({
      sub: amara.id,
      role: 'authenticated',
      aud: 'authenticated',
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iss: expect.stringMatching(/\/auth\/v1$/),
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    expect(Math.abs(Number(claims.exp) - Date.parse(expiresAt) / 1000)).toBeLessThan(1);
  });

  test('is one of its own for every session', async () => {
    const [one, other] = [await anAnonymous(opine), await anAnonymous(opine)];
    expect(claimsOf(one.session.accessToken).session_id).not.toBe(
      claimsOf(other.session.accessToken).session_id,
    );
  });

  test('identifies its owner where a bearer is needed and where it is optional', async () => {
    expect((await status(amara)).status).toBe(200);
    expect(await isAmara(amara)).toBe(true);
    expect(await isAmara(aGuest(opine))).toBe(false);
  });

  test('may follow "bearer" in any case', async () => {
    const authorization = `bearer ${amara.session.accessToken}`;
    expect(
      (await aGuest(opine).get('/users/me/onboarding/status', { headers: { authorization } })).status,
    ).toBe(200);
  });

  test('lives 15 minutes: then 401 where it is needed, a guest where it is optional', async () => {
    const jonas = await aConfirmed(opine, 'Jonas');
    const post = await aSlider(jonas);
    await timePasses(opine, '14 minutes 30 seconds');
    expect((await status(jonas)).status).toBe(200);
    await timePasses(opine, '30 seconds');
    expect(await status(jonas)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const { status: found, data } = await jonas.get(`/posts/${post.id}`);
    expect([found, data.permissions.canDelete]).toEqual([200, false]);
  });
});

describe('a bearer with', () => {
  test.for(FORGERIES)('%s is nobody', async ([, forge]) => {
    const lena = await aConfirmed(opine, 'Lena');
    const post = await aSlider(lena);
    const forged = clientOf(opine.url, await forge(claimsOf(lena.session.accessToken)));
    expect(await status(forged)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await forged.delete(`/posts/${post.id}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const { status: found, data } = await forged.get(`/posts/${post.id}`);
    expect([found, data.permissions.canDelete, data.permissions.canVote]).toEqual([200, false, false]);
  });

  test.each(['Basic YTpi', 'Bearer', 'Token abc', 'Bearer a b', '=', 'Bearer \u00e9\u00ff'])(
    'the header "%s" is nobody',
    async (authorization) => {
      const guest = aGuest(opine);
      const headers = { authorization };
      expect((await guest.get('/users/me/onboarding/status', { headers })).status).toBe(401);
      expect((await guest.get(`/posts/${herPost.id}`, { headers })).status).toBe(200);
    },
  );

  test('a session in the body only is nobody', async () => {
    const guest = aGuest(opine);
    expect((await guest.get('/users/me/onboarding/status?access_token=x')).status).toBe(401);
    expect(await guest.delete(`/posts/${herPost.id}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});
