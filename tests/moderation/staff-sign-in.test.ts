import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { clientOf, type Reply, refusal } from '../support/client.ts';
import {
  aStaffCookie,
  cookieOf,
  idpEnvironment,
  type OpineWithIdp,
  signInAsStaff,
  signInStaffWithIdToken,
  staffClaims,
  staffIdpEnvironment,
  staffSession,
  startOpineWithIdp,
  withCookie,
} from '../support/id-tokens.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { advanceTime, anOpine, currentTime, type Opine } from '../support/opine.ts';
import { aGuest, confirmedPerson } from '../support/people.ts';

const NOOR = 'noor@opine.example';
const LEA = 'lea@opine.example';

let provider: IdentityProvider;
let opine: OpineWithIdp;

beforeAll(async () => {
  opine = await startOpineWithIdp(NOOR, LEA);
  provider = opine.provider;
});

afterAll(() => opine.stop());

const signIn = (email = NOOR) => signInAsStaff(opine, provider, email);
const noorsCookie = () => aStaffCookie(opine, provider, NOOR);
const session = (cookie: string) => staffSession(opine, cookie);
const signOut = (cookie: string) => aGuest(opine).post('/admin/auth/logout', undefined, withCookie(cookie));
const isCacheable = ({ headers }: Reply) => !/\bno-store\b/.test(headers.get('cache-control') ?? '');

describe('a staff sign-in', () => {
  test('the response has the e-mail and an expiry in eight hours, and is not cacheable', async () => {
    const before = await currentTime(opine);
    const reply = await signIn();
    const after = await currentTime(opine);
    expect(reply).toMatchObject({ status: 200, data: { email: NOOR } });
    expect(Object.keys(reply.data).sort()).toEqual(['email', 'expiresAt']);
    const signedInAt = Date.parse(reply.data.expiresAt) - 8 * 3_600_000;
    expect(signedInAt).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(signedInAt).toBeLessThanOrEqual(after.getTime() + 1);
    expect(isCacheable(reply)).toBe(false);
  });

  test('the response sets one __Host- cookie that is Secure, HttpOnly and SameSite=Strict', async () => {
    const { headers } = await signIn();
    expect(headers.getSetCookie()).toHaveLength(1);
    const [pair, ...attributes] = headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(pair).toMatch(/^__Host-staff_session=[\w-]{32,}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=28800', 'Path=/', 'SameSite=Strict', 'Secure']);
  });

  test('the e-mail matches in any letter case', async () => {
    const { status, data } = await signIn('Noor@Opine.EXAMPLE');
    expect([status, data?.email.toLowerCase()]).toEqual([200, NOOR]);
  });

  test('an ES256 token is accepted', async () => {
    const token = await provider.sign(staffClaims(NOOR), 'ES256');
    expect((await signInStaffWithIdToken(opine, token)).status).toBe(200);
  });
});

test.each([{}, { idToken: '' }, { idToken: 7 }, { idToken: null }, { idToken: 'a.b.c', email: NOOR }])(
  'a staff sign-in with the body %j is refused with 422',
  async (body) => {
    const reply = await aGuest(opine).post('/admin/auth/idp', body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  },
);

describe('the staff cookie', () => {
  test('the session of the cookie has the e-mail, expiry and role of its owner', async () => {
    const reply = await signIn(LEA);
    const seen = await session(cookieOf(reply));
    expect([seen.status, seen.data]).toEqual([200, { ...reply.data, role: 'admin' }]);
    expect(isCacheable(seen)).toBe(false);
  });

  test('the cookie is read among other cookies', async () => {
    const { status } = await session(`theme=dark; ${await noorsCookie()}; a=b`);
    expect(status).toBe(200);
  });

  test('an invented, truncated, renamed or missing cookie is refused with 401', async () => {
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

  test('the session expires after eight hours, even in use', async () => {
    const cookie = await noorsCookie();
    await advanceTime(opine, '7 hours 59 minutes');
    expect((await session(cookie)).status).toBe(200);
    await advanceTime(opine, '1 minute');
    expect(await session(cookie)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('a sign-out ends the session and clears the cookie', async () => {
    const cookie = await noorsCookie();
    const reply = await signOut(cookie);
    expect([reply.status, reply.data, isCacheable(reply)]).toEqual([200, {}, false]);
    const [pair, ...attributes] = reply.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(pair).toBe('__Host-staff_session=');
    expect(attributes).toEqual(expect.arrayContaining(['Max-Age=0', 'Path=/', 'Secure']));
    expect(await session(cookie)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('a second sign-in has its own session, which survives the sign-out of the first', async () => {
    const [desk, home] = [await noorsCookie(), await noorsCookie()];
    expect(desk).not.toBe(home);
    await signOut(desk);
    expect((await session(desk)).status).toBe(401);
    expect((await session(home)).status).toBe(200);
  });

  test('the database stores the cookie only as a hash', async () => {
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

describe('staff and app credentials', () => {
  const needsBearer = ROUTES.filter(({ auth, path }) => auth === 'required' && !path.startsWith('/admin'));

  test.for(needsBearer.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    'a staff cookie is refused by %s %s',
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

  test('the value of a staff cookie is refused as a bearer', async () => {
    const [, token = ''] = (await noorsCookie()).split('=');
    const reply = await clientOf(opine.url, token).get('/users/me/onboarding/status');
    expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('staff routes refuse an app token, as bearer and as cookie', async () => {
    const amara = await confirmedPerson(opine, 'Amara');
    expect(await amara.get('/admin/auth/session')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await amara.post('/admin/auth/logout')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    for (const token of [amara.session.accessToken, amara.session.refreshToken]) {
      expect((await session(`__Host-staff_session=${token}`)).status).toBe(401);
    }
  });
});

describe('GET /admin/auth/config', () => {
  const config = async (server: Opine) => {
    const reply = await aGuest(server).get('/admin/auth/config');
    expect([reply.status, isCacheable(reply)]).toEqual([200, false]);
    return reply.data;
  };

  test('the response has the client id if staff sign-in is configured', async () => {
    const { STAFF_IDP_CLIENT_ID: idpClientId } = staffIdpEnvironment(provider);
    expect(await config(opine)).toEqual({ enabled: true, idpClientId });
  });

  test('the response is disabled and sign-ins return 503 if staff sign-in is not configured', async () => {
    const without = await anOpine(idpEnvironment(provider));
    expect(await config(without)).toEqual({ enabled: false, idpClientId: '' });
    const reply = await signInStaffWithIdToken(without, await provider.sign(staffClaims(NOOR)));
    expect(reply).toMatchObject(refusal(503, 'STAFF_SIGN_IN_UNAVAILABLE'));
    expect(reply.headers.getSetCookie()).toEqual([]);
  });
});

test('staff sign-in returns 503 while the identity provider is down, and works again afterwards', async () => {
  const away = await startIdentityProvider();
  onTestFinished(() => away.close());
  const waiting = await anOpine(staffIdpEnvironment(away, NOOR));
  await away.vanish();
  const token = await away.sign(staffClaims(NOOR));
  expect(await signInStaffWithIdToken(waiting, token)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
  await away.recover();
  expect((await signInStaffWithIdToken(waiting, token)).status).toBe(200);
});
