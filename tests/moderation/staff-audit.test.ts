import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { timeIn, timePasses } from '../support/clock.ts';
import {
  bringAsStaff,
  type Claims,
  cookieOf,
  FORGED_ID_TOKENS,
  phoneClaims,
  STAFF_DOMAIN,
  staffClaims,
  staffSession,
  startTrustingOpine,
  type TrustingOpine,
  withCookie,
} from '../support/id-tokens.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import { aGuest } from '../support/people.ts';

const NOOR = 'noor@opine.example';
const EVE = 'eve@opine.example';

let provider: IdentityProvider;
let opine: TrustingOpine;

beforeAll(async () => {
  opine = await startTrustingOpine(NOOR);
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

/** What the audit log holds, in the order in which it came. */
async function auditLog(): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select id, occurred_at, actor_email, action, details from staff.audit_log order by occurred_at, id`.execute(
    opine.database.superuser,
  );
  return rows;
}

/** What the audit log has more after `act` than before. */
async function writtenDuring(act: () => Promise<unknown>): Promise<Entry[]> {
  const before = new Set((await auditLog()).map(({ id }) => String(id)));
  await act();
  return (await auditLog()).filter(({ id }) => !before.has(String(id)));
}

const signIn = async () => bringAsStaff(opine, await provider.sign(staffClaims(NOOR)));

const signOut = (cookie: string) => aGuest(opine).post('/admin/auth/logout', undefined, withCookie(cookie));

describe('the audit log tells of', () => {
  test('a sign-in: who and when', async () => {
    const before = await timeIn(opine);
    const entries = await writtenDuring(() => signIn());
    const after = await timeIn(opine);
    expect(entries).toMatchObject([{ action: 'sign_in', actor_email: NOOR }]);
    const at = entries[0]?.occurred_at.getTime();
    expect(at).toBeGreaterThanOrEqual(before.getTime());
    expect(at).toBeLessThanOrEqual(after.getTime());
  });

  test('every sign-in, in the time of the service', async () => {
    const [first] = await writtenDuring(() => signIn());
    await timePasses(opine, '1 hour');
    const [second, ...more] = await writtenDuring(() => signIn());
    expect(more).toEqual([]);
    const passed = Number(second?.occurred_at) - Number(first?.occurred_at);
    expect(passed).toBeGreaterThanOrEqual(3_600_000);
  });

  test('a sign-out: of whom', async () => {
    const cookie = cookieOf(await signIn());
    const entries = await writtenDuring(() => signOut(cookie));
    expect(entries).toMatchObject([{ action: 'sign_out', actor_email: NOOR }]);
  });
});

/** Nobody is signed in by `token`, and the log has it. */
async function refused(token: string): Promise<Entry | undefined> {
  const [entry, ...more] = await writtenDuring(async () => {
    const reply = await bringAsStaff(opine, token);
    expect(reply).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect(reply.headers.get('cache-control')).toMatch(/\bno-store\b/);
  });
  expect(entry?.action).toBe('sign_in_refused');
  expect(more).toEqual([]);
  return entry;
}

describe('nobody is signed in, and the audit log tells why,', () => {
  test.each<[string, string, Claims]>([
    ['an e-mail that is not verified', 'email_unverified', { email_verified: false }],
    ['an e-mail of which nothing is said', 'email_unverified', { email_verified: undefined }],
    ['"true" in quotes', 'email_unverified', { email_verified: 'true' }],
    ['another domain', 'wrong_domain', { hd: 'elsewhere.example' }],
    ['a domain around ours', 'wrong_domain', { hd: `${STAFF_DOMAIN}.elsewhere.example` }],
    ['no domain', 'wrong_domain', { hd: undefined }],
    ['a domain that is nothing', 'wrong_domain', { hd: null }],
    ['an e-mail that nobody listed', 'not_listed', { email: EVE }],
    ['an e-mail around a listed one', 'not_listed', { email: `x${NOOR}` }],
    ['a pattern', 'not_listed', { email: `n__r@${STAFF_DOMAIN}` }],
  ])('with %s', async (_, reason, changes) => {
    const claims = staffClaims(NOOR, changes);
    const entry = await refused(await provider.sign(claims));
    expect(entry).toMatchObject({ actor_email: claims.email, details: { reason } });
  });

  test.each([undefined, null, '', 7, [NOOR], `${NOOR},${EVE}`, `%@${STAFF_DOMAIN}`])(
    'with the e-mail %j',
    async (email) => {
      await refused(await provider.sign(staffClaims(NOOR, { email })));
    },
  );

  test.for(FORGED_ID_TOKENS)('by a token with %s', async ([, forge]) => {
    const entry = await refused(await forge(provider, staffClaims(NOOR)));
    expect(entry?.details).toMatchObject({ reason: 'token_invalid' });
  });

  test.for(FORGED_ID_TOKENS.filter(([name]) => /key|kid|alg|signature|garbage/.test(name)))(
    'and names nobody by a token that anybody can write: %s',
    async ([, forge]) => {
      const entry = await refused(await forge(provider, staffClaims(NOOR)));
      expect(entry?.actor_email).toBeNull();
    },
  );

  test('by a token of the app', async () => {
    const entry = await refused(await provider.sign(phoneClaims('+12025550101')));
    expect(entry?.details).toMatchObject({ reason: 'token_invalid' });
  });
});

describe('the audit log', () => {
  test('grows by nothing else', async () => {
    const cookie = cookieOf(await signIn());
    const entries = await writtenDuring(async () => {
      await staffSession(opine, cookie);
      await staffSession(opine, '__Host-staff_session=none');
      await aGuest(opine).get('/admin/auth/config');
      await aGuest(opine).post('/admin/auth/idp', {});
    });
    expect(entries).toEqual([]);
  });

  test('holds no token, good or bad', async () => {
    const tokens = [
      await provider.sign(staffClaims(NOOR)),
      await provider.sign(staffClaims(EVE)),
      await provider.sign(staffClaims(NOOR, { aud: 'elsewhere' })),
      'garbage-that-somebody-brings',
    ];
    const cookies: string[] = [];
    for (const token of tokens) cookies.push(cookieOf(await bringAsStaff(opine, token)));
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
