import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { clientOf, refusal } from '../support/client.ts';
import { timeIn, timePasses } from '../support/clock.ts';
import {
  aStaffCookie,
  bringAsStaff,
  cookieOf,
  signInAsStaff,
  signingInThrough,
  staffClaims,
  staffSession,
  staffThrough,
  startTrustingOpine,
  type TrustingOpine,
  withCookie,
} from '../support/id-tokens.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aConfirmed, aGuest } from '../support/people.ts';
import type { Reply } from '../support/reply.ts';

const NOOR = 'noor@opine.example';
const LEA = 'lea@opine.example';

let provider: IdentityProvider;
let opine: TrustingOpine;

beforeAll(async () => {
  opine = await startTrustingOpine(NOOR, LEA);
  provider = opine.provider;
});

afterAll(() => opine.stop());

const signIn = (email = NOOR) => signInAsStaff(opine, provider, email);
const noorsCookie = () => aStaffCookie(opine, provider, NOOR);
const session = (cookie: string) => staffSession(opine, cookie);
const signOut = (cookie: string) => aGuest(opine).post('/admin/auth/logout', undefined, withCookie(cookie));
const isKept = ({ headers }: Reply) => !/\bno-store\b/.test(headers.get('cache-control') ?? '');

describe('signing in', () => {
  test('answers who and until when, and no cache keeps it', async () => {
    const before = await timeIn(opine);
    const reply = await signIn();
    const after = await timeIn(opine);
    expect(reply).toMatchObject({ status: 200, data: { email: NOOR } });
    expect(Object.keys(reply.data).sort()).toEqual(['email', 'expiresAt']);
    const signedInAt = Date.parse(reply.data.expiresAt) - 8 * 3_600_000;
    expect(signedInAt).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(signedInAt).toBeLessThanOrEqual(after.getTime() + 1);
    expect(isKept(reply)).toBe(false);
  });

  test('sets one cookie, which only this server gets, over TLS, and no script reads', async () => {
    const { headers } = await signIn();
    expect(headers.getSetCookie()).toHaveLength(1);
    const [pair, ...attributes] = headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(pair).toMatch(/^__Host-staff_session=[\w-]{32,}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=28800', 'Path=/', 'SameSite=Strict', 'Secure']);
  });

  test('minds no capitals in an e-mail', async () => {
    const { status, data } = await signIn('Noor@Opine.EXAMPLE');
    expect([status, data?.email.toLowerCase()]).toEqual([200, NOOR]);
  });

  test('works by ES256 too', async () => {
    const token = await provider.sign(staffClaims(NOOR), 'ES256');
    expect((await bringAsStaff(opine, token)).status).toBe(200);
  });
});

test.each([{}, { idToken: '' }, { idToken: 7 }, { idToken: null }, { idToken: 'a.b.c', email: NOOR }])(
  'nobody signs in by the body %j',
  async (body) => {
    const reply = await aGuest(opine).post('/admin/auth/idp', body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  },
);

describe('the cookie', () => {
  test('is whose it is', async () => {
    const reply = await signIn(LEA);
    const seen = await session(cookieOf(reply));
    expect([seen.status, seen.data]).toEqual([200, { ...reply.data, role: 'admin' }]);
    expect(isKept(seen)).toBe(false);
  });

  test('may come among others', async () => {
    const { status } = await session(`theme=dark; ${await noorsCookie()}; a=b`);
    expect(status).toBe(200);
  });

  test('is worth nothing made up, cut off or left out', async () => {
    const cookie = await noorsCookie();
    const others = [
      '',
      '__Host-staff_session=',
      `__Host-staff_session=${'x'.repeat(43)}`,
      cookie.slice(0, -1),
    ];
    for (const other of [...others, cookie.replace('__Host-', '')]) {
      expect(await session(other)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    expect(await aGuest(opine).get('/admin/auth/session')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('ends after eight hours, used or not', async () => {
    const cookie = await noorsCookie();
    await timePasses(opine, '7 hours 59 minutes');
    expect((await session(cookie)).status).toBe(200);
    await timePasses(opine, '1 minute');
    expect(await session(cookie)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('ends by signing out, and the browser drops it', async () => {
    const cookie = await noorsCookie();
    const reply = await signOut(cookie);
    expect([reply.status, reply.data, isKept(reply)]).toEqual([200, {}, false]);
    const [pair, ...attributes] = reply.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(pair).toBe('__Host-staff_session=');
    expect(attributes).toEqual(expect.arrayContaining(['Max-Age=0', 'Path=/', 'Secure']));
    expect(await session(cookie)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('of another sign-in is another, and outlives it', async () => {
    const [desk, home] = [await noorsCookie(), await noorsCookie()];
    expect(desk).not.toBe(home);
    await signOut(desk);
    expect((await session(desk)).status).toBe(401);
    expect((await session(home)).status).toBe(200);
  });

  test('is stored as a hash only', async () => {
    const [, token = ''] = (await noorsCookie()).split('=');
    const { rows } = await sql<{ row: string }>`select s::text as row from staff.sessions s`.execute(
      opine.database.superuser,
    );
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).toContain(NOOR);
    const hex = (encoding: BufferEncoding) => Buffer.from(token, encoding).toString('hex');
    for (const form of [token, hex('utf8'), hex('base64url')]) expect(stored).not.toContain(form);
  });
});

describe('the staff and the app are apart:', () => {
  const needsBearer = ROUTES.filter(({ auth, path }) => auth === 'required' && !path.startsWith('/admin'));

  test.for(needsBearer.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    'a cookie opens no %s %s',
    async ([method, path]) => {
      const cookie = await noorsCookie();
      const reply = await aGuest(opine).send(
        method,
        path.replaceAll(/\{\w+\}/g, crypto.randomUUID()),
        undefined,
        withCookie(cookie),
      );
      expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    },
  );

  test("a cookie's value is no bearer", async () => {
    const [, token = ''] = (await noorsCookie()).split('=');
    const reply = await clientOf(opine.url, token).get('/users/me/onboarding/status');
    expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('a bearer opens nothing of the staff, as it is or in the cookie', async () => {
    const amara = await aConfirmed(opine, 'Amara');
    expect(await amara.get('/admin/auth/session')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await amara.post('/admin/auth/logout')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    for (const token of [amara.session.accessToken, amara.session.refreshToken]) {
      expect((await session(`__Host-staff_session=${token}`)).status).toBe(401);
    }
  });
});

describe("the sign-in page's configuration", () => {
  const config = async (server: Opine) => {
    const reply = await aGuest(server).get('/admin/auth/config');
    expect([reply.status, isKept(reply)]).toEqual([200, false]);
    return reply.data;
  };

  test('names the client where staff can sign in', async () => {
    const { STAFF_IDP_CLIENT_ID: idpClientId } = staffThrough(provider);
    expect(await config(opine)).toEqual({ enabled: true, idpClientId });
  });

  test('says so where they cannot, and nobody does', async () => {
    const without = await anOpine(signingInThrough(provider));
    expect(await config(without)).toEqual({ enabled: false, idpClientId: '' });
    const reply = await bringAsStaff(without, await provider.sign(staffClaims(NOOR)));
    expect(reply).toMatchObject(refusal(503, 'STAFF_SIGN_IN_UNAVAILABLE'));
    expect(reply.headers.getSetCookie()).toEqual([]);
  });
});

test('while the provider is gone nobody can sign in who has not; then they can', async () => {
  const away = await startIdentityProvider();
  onTestFinished(() => away.close());
  const waiting = await anOpine(staffThrough(away, NOOR));
  await away.vanish();
  const token = await away.sign(staffClaims(NOOR));
  expect(await bringAsStaff(waiting, token)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
  await away.recover();
  expect((await bringAsStaff(waiting, token)).status).toBe(200);
});
