import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Client, clientOf, type Json } from './client.ts';
import type { Opine } from './opine.ts';

/** A person with a session of their own. */
export interface Person extends Client {
  readonly id: string;
  readonly username: string;
  readonly phoneNumber: string;
  readonly session: Json;
}

let count = 0;
let phoneCount = 0;

/** A phone that nobody else in this file has; its code is 4242. */
export function aPhone(): string {
  return `+1202555${fourDigits()}`;
}

/** A phone that nobody else in this file has, and that gets real text messages. */
export function aRealPhone(): string {
  return `+491511234${fourDigits()}`;
}

// Files share a process, and so this count: all of them together may need more phones than four digits make.
function fourDigits(): string {
  phoneCount = (phoneCount + 1) % 10_000;
  return String(phoneCount).padStart(4, '0');
}

/** Somebody who looks and has no session. */
export function aGuest(opine: Opine): Client {
  return clientOf(opine.url);
}

/** Somebody who opened the app: level 1, known by their install. */
export async function anAnonymous(opine: Opine): Promise<Person> {
  count += 1;
  const { data } = await clientOf(opine.url).post('/auth/anonymous/session', {
    deviceId: `an install of tests ${count}`,
  });
  return personOf(opine, data, '', '');
}

/** Somebody who gave name and username and no phone: level 2. */
export async function aRegistered(opine: Opine, name = 'Somebody'): Promise<Person> {
  const anonymous = await anAnonymous(opine);
  return personOf(opine, anonymous.session, await saveBasics(anonymous, name), '');
}

/** Somebody who verified a phone and went through onboarding: level 3. */
export function aConfirmed(opine: Opine, name = 'Somebody'): Promise<Person> {
  return aMember(opine, name, false);
}

/** Somebody who let the app read contacts as well, and so is Hub-ready: level 4. */
export function aHubReady(opine: Opine, name = 'Somebody'): Promise<Person> {
  return aMember(opine, name, true);
}

/** Runs the functions of sign-in and onboarding in one statement: five requests a person are a quarter of all test time. */
async function aMember(opine: Opine, fullName: string, isHubReady: boolean): Promise<Person> {
  const phoneNumber = aPhone();
  const username = aUsername(fullName);
  const refreshToken = randomBytes(32).toString('base64url');
  const refreshTokenHash = createHash('sha256').update(refreshToken).digest('hex');
  const basics = { fullName, username, termsAccepted: true, currentTermsVersion: '1' };
  await sql`
    select
      api.save_profile_basics(${basics}),
      api.complete_media('{}'),
      case when ${isHubReady} then api.sync_contacts('{"permission": "granted"}') end
    from (
      select set_config('request.jwt.claims', jsonb_build_object(
        'sub', granted -> 'user' -> 'id', 'session_id', granted -> 'sessionId', 'exp', extract(epoch from app.now())::bigint + 60
      )::text, true)
      from app.grant_to_phone(${phoneNumber}, ${{ refreshTokenHash, deviceKind: 'other' }}) as granted
    ) as signed_in`.execute(opine.database.superuser);
  const { data: session } = await aGuest(opine).post('/auth/session/refresh', { refreshToken });
  return personOf(opine, session, username, phoneNumber);
}

/** Somebody of `level`, from 0, a guest, to 4. */
export function aPersonOf(level: number, opine: Opine): Client | Promise<Client> {
  const somebody = [aGuest, anAnonymous, aRegistered, aConfirmed, aHubReady][level];
  if (somebody === undefined) throw new Error(`Nobody comes to level ${level} here.`);
  return somebody(opine);
}

/** Signs a phone in by its code and returns the session. */
export async function signIn(opine: Opine, phoneNumber: string): Promise<Json> {
  const guest = aGuest(opine);
  await guest.post('/auth/otp/request', { phoneNumber });
  const { data } = await guest.post('/auth/otp/verify', { phoneNumber, code: '4242' });
  return data;
}

function aUsername(fullName: string): string {
  count += 1;
  const letters = fullName.toLowerCase().replaceAll(/[^a-z]/g, '');
  return `${letters.slice(0, 20)}_${count}`;
}

async function saveBasics(client: Client, fullName: string): Promise<string> {
  const username = aUsername(fullName);
  await client.put('/users/me/onboarding/profile-basics', { fullName, username, termsAccepted: true });
  return username;
}

function personOf(opine: Opine, session: Json, username: string, phoneNumber: string): Person {
  return { ...clientOf(opine.url, session.accessToken), id: session.user.id, username, phoneNumber, session };
}
