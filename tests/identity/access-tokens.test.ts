import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { claimsOf, FORGED_ACCESS_TOKENS } from '../support/forgeries.ts';
import { SIGNING_KEY } from '../support/keys.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

let opine: Opine;
let amara: Person;
let herPost: Json;

beforeAll(async () => {
  opine = await startOpine();
  amara = await confirmedPerson(opine, 'Amara');
  herPost = await aSlider(amara);
});

afterAll(() => opine.stop());

const getStatus = (caller: Client) => caller.get('/users/me/onboarding/status');

describe('an access token', () => {
  // docs/product.md I3
  test('an access token holds exactly the claims that Supabase reads', async () => {
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

  test('the scheme "bearer" is accepted in any case', async () => {
    const authorization = `bearer ${amara.session.accessToken}`;
    expect(
      (await aGuest(opine).get('/users/me/onboarding/status', { headers: { authorization } })).status,
    ).toBe(200);
  });

  test('an expired access token gets 401 where a bearer is required and a guest view elsewhere', async () => {
    const jonas = await confirmedPerson(opine, 'Jonas');
    const post = await aSlider(jonas);
    await advanceTime(opine, '14 minutes 30 seconds');
    expect((await getStatus(jonas)).status).toBe(200);
    await advanceTime(opine, '30 seconds');
    expect(await getStatus(jonas)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const { status: found, data } = await jonas.get(`/posts/${post.id}`);
    expect([found, data.permissions.canDelete]).toEqual([200, false]);
  });
});

describe('a forged or malformed bearer', () => {
  test.for(FORGED_ACCESS_TOKENS)(
    'a bearer with %s gets 401 where one is required and a guest view elsewhere',
    async ([, forge]) => {
      const lena = await confirmedPerson(opine, 'Lena');
      const post = await aSlider(lena);
      const forged = clientOf(opine.url, await forge(claimsOf(lena.session.accessToken)));
      expect(await getStatus(forged)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await forged.delete(`/posts/${post.id}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      const { status: found, data } = await forged.get(`/posts/${post.id}`);
      expect([found, data.permissions.canDelete, data.permissions.canVote]).toEqual([200, false, false]);
    },
  );

  test('an access token in the query does not authenticate a request', async () => {
    const guest = aGuest(opine);
    expect((await guest.get('/users/me/onboarding/status?access_token=x')).status).toBe(401);
    expect(await guest.delete(`/posts/${herPost.id}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});
