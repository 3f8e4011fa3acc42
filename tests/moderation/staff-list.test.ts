import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { clientOf, refusal } from '../support/client.ts';
import {
  aStaffCookie,
  type OpineWithIdp,
  signInAsStaff,
  staffIdpEnvironment,
  staffSession,
  startOpineWithIdp,
  withCookie,
} from '../support/id-tokens.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import { testEnvironment } from '../support/opine.ts';

const NOOR = 'noor@opine.example';
const LEA = 'lea@opine.example';

let provider: IdentityProvider;
let opine: OpineWithIdp;

beforeAll(async () => {
  opine = await startOpineWithIdp(NOOR, LEA);
  provider = opine.provider;
});

afterAll(() => opine.stop());

const signIn = (email: string) => signInAsStaff(opine, provider, email);
const cookieFor = (email: string) => aStaffCookie(opine, provider, email);
const session = (cookie: string) => staffSession(opine, cookie);

/** Adds `email` to the staff list in the database. */
const list = (email: string) =>
  sql`insert into staff.allowed_emails (email) values (${email})`.execute(opine.database.superuser);

const unlist = (email: string) =>
  sql`delete from staff.allowed_emails where email = ${email}`.execute(opine.database.superuser);

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
    const cookies = [await cookieFor(NOOR), await cookieFor(LEA)];
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
    const cookie = await cookieFor(NOOR);
    await unlist(NOOR);
    expect((await session(cookie)).status).toBe(200);
  });
});
