import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { startServer } from '../../src/server.ts';
import { clientOf, type Json, type Reply, refusal } from '../support/client.ts';
import { FORGED_ID_TOKENS } from '../support/forgeries.ts';
import {
  aStaffCookie,
  type Claims,
  cookieOf,
  idpEnvironment,
  type OpineWithIdp,
  phoneClaims,
  STAFF_DOMAIN,
  signInAsStaff,
  signInStaffWithIdToken,
  staffClaims,
  staffIdpEnvironment,
  staffSession,
  startOpineWithIdp,
  withCookie,
} from '../support/id-tokens.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { advanceTime, anOpine, currentTime, type Opine, testEnvironment } from '../support/opine.ts';
import { aGuest, confirmedPerson } from '../support/people.ts';

const NOOR = 'noor@opine.example';
const LEA = 'lea@opine.example';
const EVE = 'eve@opine.example';

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
  // docs/product.md S1
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

  // docs/product.md S3
  test('the response sets one __Host- cookie that is Secure, HttpOnly and SameSite=Strict', async () => {
    const { headers } = await signIn();
    expect(headers.getSetCookie()).toHaveLength(1);
    const [pair, ...attributes] = headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(pair).toMatch(/^__Host-staff_session=[\w-]{32,}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=28800', 'Path=/', 'SameSite=Strict', 'Secure']);
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

  // docs/product.md S3
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

  // docs/product.md S3
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

  // docs/product.md S3
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

// docs/product.md S1
describe('staff and app credentials', () => {
  const needsBearer = ROUTES.filter(({ auth, path }) => auth === 'required' && !path.startsWith('/admin'));

  test('a staff cookie is refused by every operation that needs a bearer', async () => {
    const cookie = await noorsCookie();
    const accepted: string[] = [];
    for (const { method, path } of needsBearer) {
      const address = path.replaceAll(/\{\w+\}/g, crypto.randomUUID());
      const { status } = await aGuest(opine).send(
        method.toUpperCase(),
        address,
        undefined,
        withCookie(cookie),
      );
      if (status !== 401) accepted.push(`${method} ${path}`);
    }
    expect(accepted).toEqual([]);
  });

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

  // docs/product.md S2
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

const cookieFor = (email: string) => aStaffCookie(opine, provider, email);

/** Adds `email` to the staff list in the database. */
const list = (email: string) =>
  sql`insert into staff.allowed_emails (email) values (${email})`.execute(opine.database.superuser);

const unlist = (email: string) =>
  sql`delete from staff.allowed_emails where email = ${email}`.execute(opine.database.superuser);

// docs/product.md S2, S3
describe('the staff list', () => {
  test('an e-mail listed in the database can sign in, in any letter case', async () => {
    expect((await signIn('dana@opine.example')).status).toBe(403);
    await list('dana@opine.example');
    expect((await signIn('Dana@opine.example')).status).toBe(200);
  });

  test('an e-mail removed from the database loses its session at once', async () => {
    await list('omar@opine.example');
    const cookie = await cookieFor('omar@opine.example');
    expect((await session(cookie)).status).toBe(200);
    await unlist('omar@opine.example');
    expect(await session(cookie)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await signIn('omar@opine.example')).status).toBe(403);
  });

  test('an e-mail removed from the configuration loses its session at the next start', async () => {
    const cookies = [await noorsCookie(), await cookieFor(LEA)];
    const env = { ...testEnvironment(opine.database), ...staffIdpEnvironment(provider, 'Lea@Opine.Example') };
    const restarted = await startServer(env);
    onTestFinished(() => restarted.stop());
    const seen = cookies.map((cookie) =>
      clientOf(restarted.url).get('/admin/auth/session', withCookie(cookie)),
    );
    expect((await Promise.all(seen)).map(({ status }) => status)).toEqual([401, 200]);
  });

  test('an e-mail in database and configuration keeps its session when removed from the database', async () => {
    await list(NOOR);
    const cookie = await noorsCookie();
    await unlist(NOOR);
    expect((await session(cookie)).status).toBe(200);
  });
});

interface Entry {
  readonly id: unknown;
  readonly occurred_at: Date;
  readonly actor_email: string | null;
  readonly action: string;
  readonly details: Json;
}

/** Returns the audit log, oldest entry first. */
async function auditLog(): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select id, occurred_at, actor_email, action, details from staff.audit_log order by occurred_at, id`.execute(
    opine.database.superuser,
  );
  return rows;
}

/** Returns the audit log entries that `action` adds. */
async function writtenDuring(action: () => Promise<unknown>): Promise<Entry[]> {
  const before = new Set((await auditLog()).map(({ id }) => String(id)));
  await action();
  return (await auditLog()).filter(({ id }) => !before.has(String(id)));
}

/** Expects the sign-in with `token` to be refused, and returns its audit log entry. */
async function refused(token: string): Promise<Entry | undefined> {
  const [entry, ...more] = await writtenDuring(async () => {
    const reply = await signInStaffWithIdToken(opine, token);
    expect(reply).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect(reply.headers.get('cache-control')).toMatch(/\bno-store\b/);
  });
  expect(entry?.action).toBe('sign_in_refused');
  expect(more).toEqual([]);
  return entry;
}

// docs/product.md S2
describe('a refused staff sign-in', () => {
  test.each<[string, string, Claims]>([
    ['no email_verified claim', 'email_unverified', { email_verified: undefined }],
    ['the string "true" as email_verified', 'email_unverified', { email_verified: 'true' }],
    [
      'a domain that starts with the staff domain',
      'wrong_domain',
      { hd: `${STAFF_DOMAIN}.elsewhere.example` },
    ],
    ['no domain', 'wrong_domain', { hd: undefined }],
    ['an e-mail that ends with a listed one', 'not_listed', { email: `x${NOOR}` }],
    ['an SQL pattern as e-mail', 'not_listed', { email: `n__r@${STAFF_DOMAIN}` }],
  ])('a token with %s is refused, and the audit log records the reason', async (_, reason, changes) => {
    const claims = staffClaims(NOOR, changes);
    const entry = await refused(await provider.sign(claims));
    expect(entry).toMatchObject({ actor_email: claims.email, details: { reason } });
  });

  test.each([undefined, null, '', 7, [NOOR], `${NOOR},${EVE}`, `%@${STAFF_DOMAIN}`])(
    'a token with the e-mail %j is refused and recorded',
    async (email) => {
      await refused(await provider.sign(staffClaims(NOOR, { email })));
    },
  );

  test.for(FORGED_ID_TOKENS)(
    'a forged token with %s is recorded as token_invalid, without an actor if its signature is invalid',
    async ([name, forge]) => {
      const entry = await refused(await forge(provider, staffClaims(NOOR)));
      expect(entry?.details).toMatchObject({ reason: 'token_invalid' });
      if (/key|kid|alg|signature|garbage/.test(name)) expect(entry?.actor_email).toBeNull();
    },
  );

  test('a token of the app is recorded as token_invalid', async () => {
    const entry = await refused(await provider.sign(phoneClaims('+12025550101')));
    expect(entry?.details).toMatchObject({ reason: 'token_invalid' });
  });
});

describe('the audit log', () => {
  test('session checks and requests without a token add no entry', async () => {
    const cookie = cookieOf(await signIn());
    const entries = await writtenDuring(async () => {
      await staffSession(opine, cookie);
      await staffSession(opine, '__Host-staff_session=none');
      await aGuest(opine).get('/admin/auth/config');
      await aGuest(opine).post('/admin/auth/idp', {});
    });
    expect(entries).toEqual([]);
  });

  test('the audit log contains no part of a token or cookie', async () => {
    const tokens = [
      await provider.sign(staffClaims(NOOR)),
      await provider.sign(staffClaims(EVE)),
      await provider.sign(staffClaims(NOOR, { aud: 'elsewhere' })),
      'garbage-that-somebody-brings',
    ];
    const cookies: string[] = [];
    for (const token of tokens) cookies.push(cookieOf(await signInStaffWithIdToken(opine, token)));
    const [good = ''] = cookies;
    await signOut(good);
    const { rows } = await sql<{ row: string }>`select l::text as row from staff.audit_log l`.execute(
      opine.database.superuser,
    );
    const log = rows.map(({ row }) => row).join('\n');
    expect(log).toContain(NOOR);
    const [, value = ''] = good.split('=');
    const pieces = [value, ...tokens.flatMap((token) => token.split('.'))];
    for (const piece of pieces) expect(log).not.toContain(piece);
  });
});
