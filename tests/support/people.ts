import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Client, clientOf, expectOk, type Json } from './client.ts';
import { advanceTime, type Opine } from './opine.ts';

/** A person with a session. */
export interface Person extends Client {
  readonly id: string;
  readonly username: string;
  readonly phoneNumber: string;
  readonly session: Json;
}

let count = 0;
// The examples of the API document have 0100 to 0199.
let phoneCount = 199;

/** Returns a phone number unused in this file; its code is 4242. */
export function newPhoneNumber(): string {
  return `+1202555${fourDigits()}`;
}

/** Returns a phone number unused in this file that gets real text messages. */
export function newRealPhoneNumber(): string {
  return `+491511234${fourDigits()}`;
}

// Files share a process and this counter, which may need more than four digits.
function fourDigits(): string {
  phoneCount = (phoneCount + 1) % 10_000;
  return String(phoneCount).padStart(4, '0');
}

export function aGuest(opine: Opine): Client {
  return clientOf(opine.url);
}

/** Level 1: known by their install. */
export async function anonymousPerson(opine: Opine): Promise<Person> {
  count += 1;
  const { data } = await clientOf(opine.url).post('/auth/anonymous/session', {
    deviceId: `an install of tests ${count}`,
  });
  return personOf(opine, data, '', '');
}

/** Level 2: name and username, no phone. */
export async function registeredPerson(opine: Opine, name = 'Somebody'): Promise<Person> {
  const anonymous = await anonymousPerson(opine);
  return personOf(opine, anonymous.session, await saveBasics(anonymous, name), '');
}

/** Level 3: verified phone and complete onboarding. */
export function confirmedPerson(opine: Opine, name = 'Somebody'): Promise<Person> {
  return aMember(opine, name, false);
}

/** Level 4: Hub-ready, since the app may read contacts. */
export function hubReadyPerson(opine: Opine, name = 'Somebody'): Promise<Person> {
  return aMember(opine, name, true);
}

/** Creates Hub-ready people, one after the other. */
export async function hubReadyPeople<Names extends readonly string[]>(
  opine: Opine,
  ...names: Names
): Promise<{ [Index in keyof Names]: Person }> {
  const people: Person[] = [];
  for (const name of names) people.push(await hubReadyPerson(opine, name));
  return people as { [Index in keyof Names]: Person };
}

/** Signs up in one statement: five requests per person were a quarter of all test time. */
async function aMember(opine: Opine, fullName: string, isHubReady: boolean): Promise<Person> {
  const phoneNumber = newPhoneNumber();
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

/** Creates a person of `level`, 0 (guest) to 4. */
export function personOfLevel(level: number, opine: Opine): Client | Promise<Client> {
  const create = [aGuest, anonymousPerson, registeredPerson, confirmedPerson, hubReadyPerson][level];
  if (create === undefined) throw new Error(`There is no level ${level}.`);
  return create(opine);
}

/** Signs a phone in. Returns the session. */
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

export type UserRef = Pick<Person, 'id'>;

/** Advances the clock and renews the sessions of `people`, whose access tokens have expired. */
export async function signedInAfter<People extends readonly Person[]>(
  opine: Opine,
  interval: string,
  ...people: People
): Promise<{ [Index in keyof People]: Person }> {
  await advanceTime(opine, interval);
  const again = await Promise.all(people.map((person) => withFreshSession(opine, person)));
  return again as { [Index in keyof People]: Person };
}

/** Returns `person` with a refreshed session. */
export async function withFreshSession(opine: Pick<Opine, 'url'>, person: Person): Promise<Person> {
  const { refreshToken } = person.session;
  const session = await expectOk(clientOf(opine.url).post('/auth/session/refresh', { refreshToken }));
  return { ...person, ...clientOf(opine.url, session.accessToken), session };
}
