import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { FORGED_ID_TOKENS } from '../support/forgeries.ts';
import {
  type Claims,
  cookieOf,
  type OpineWithIdp,
  phoneClaims,
  STAFF_DOMAIN,
  signInStaffWithIdToken,
  staffClaims,
  staffSession,
  startOpineWithIdp,
  withCookie,
} from '../support/id-tokens.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import { advanceTime, currentTime } from '../support/opine.ts';
import { aGuest } from '../support/people.ts';

const NOOR = 'noor@opine.example';
const EVE = 'eve@opine.example';

let provider: IdentityProvider;
let opine: OpineWithIdp;

beforeAll(async () => {
  opine = await startOpineWithIdp(NOOR);
  provider = opine.provider;
});

afterAll(() => opine.stop());

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

const signIn = async () => signInStaffWithIdToken(opine, await provider.sign(staffClaims(NOOR)));

const signOut = (cookie: string) => aGuest(opine).post('/admin/auth/logout', undefined, withCookie(cookie));

describe('the audit log of sign-ins', () => {
  test('a sign-in is recorded with its e-mail and time', async () => {
    const before = await currentTime(opine);
    const entries = await writtenDuring(() => signIn());
    const after = await currentTime(opine);
    expect(entries).toMatchObject([{ action: 'sign_in', actor_email: NOOR }]);
    const at = entries[0]?.occurred_at.getTime();
    expect(at).toBeGreaterThanOrEqual(before.getTime());
    expect(at).toBeLessThanOrEqual(after.getTime());
  });

  test('each sign-in is recorded once, with the time of the service clock', async () => {
    const [first] = await writtenDuring(() => signIn());
    await advanceTime(opine, '1 hour');
    const [second, ...more] = await writtenDuring(() => signIn());
    expect(more).toEqual([]);
    const passed = Number(second?.occurred_at) - Number(first?.occurred_at);
    expect(passed).toBeGreaterThanOrEqual(3_600_000);
  });

  test('a sign-out is recorded with its e-mail', async () => {
    const cookie = cookieOf(await signIn());
    const entries = await writtenDuring(() => signOut(cookie));
    expect(entries).toMatchObject([{ action: 'sign_out', actor_email: NOOR }]);
  });
});

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

describe('a refused staff sign-in', () => {
  test.each<[string, string, Claims]>([
    ['an unverified e-mail', 'email_unverified', { email_verified: false }],
    ['no email_verified claim', 'email_unverified', { email_verified: undefined }],
    ['the string "true" as email_verified', 'email_unverified', { email_verified: 'true' }],
    ['another domain', 'wrong_domain', { hd: 'elsewhere.example' }],
    [
      'a domain that starts with the staff domain',
      'wrong_domain',
      { hd: `${STAFF_DOMAIN}.elsewhere.example` },
    ],
    ['no domain', 'wrong_domain', { hd: undefined }],
    ['a null domain', 'wrong_domain', { hd: null }],
    ['an e-mail that is not listed', 'not_listed', { email: EVE }],
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

  test.for(FORGED_ID_TOKENS)('a forged token with %s is recorded as token_invalid', async ([, forge]) => {
    const entry = await refused(await forge(provider, staffClaims(NOOR)));
    expect(entry?.details).toMatchObject({ reason: 'token_invalid' });
  });

  test.for(FORGED_ID_TOKENS.filter(([name]) => /key|kid|alg|signature|garbage/.test(name)))(
    'a token without a valid signature is recorded without an actor: %s',
    async ([, forge]) => {
      const entry = await refused(await forge(provider, staffClaims(NOOR)));
      expect(entry?.actor_email).toBeNull();
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
