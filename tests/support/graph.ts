import { sql } from 'kysely';
import { allPages, type Client, clientOf, expectOk, idsOf, type Json, type Reply } from './client.ts';
import { advanceTime, type Opine } from './opine.ts';
import { anonymousPerson, type Person, type UserRef } from './people.ts';
import { enterCode, requestOtp } from './sign-in.ts';

export function requestFollow(person: Client, { id }: UserRef): Promise<Reply> {
  return person.post(`/users/${id}/follow`);
}

export function requestBlock(person: Client, { id }: UserRef): Promise<Reply> {
  return person.post(`/users/${id}/block`);
}

/** Requests to mute or unmute alerts for public posts of `other`. */
export function requestMute(
  person: Client,
  { id }: UserRef,
  publicPostsMuted: unknown = true,
): Promise<Reply> {
  return person.patch(`/users/${id}/notification-settings`, { publicPostsMuted });
}

export async function follow(person: Client, ...others: UserRef[]): Promise<void> {
  for (const other of others) await expectOk(requestFollow(person, other));
}

export async function unfollow(person: Client, { id }: UserRef): Promise<void> {
  await expectOk(person.delete(`/users/${id}/follow`));
}

export async function block(person: Client, other: UserRef): Promise<void> {
  await expectOk(requestBlock(person, other));
}

export async function unblock(person: Client, { id }: UserRef): Promise<void> {
  await expectOk(person.delete(`/users/${id}/block`));
}

/** Creates a level 2 person with a searchable name and username. */
export async function namedPerson(opine: Opine, fullName: string, username: string): Promise<Person> {
  const person = await anonymousPerson(opine);
  await expectOk(
    person.put('/users/me/onboarding/profile-basics', { fullName, username, termsAccepted: true }),
  );
  return { ...person, username };
}

export async function profileSeenBy(viewer: Client, { id }: UserRef): Promise<Json> {
  return expectOk(viewer.get(`/users/${id}/profile`));
}

/** Lists the ids at `path`. */
export async function listedIds(viewer: Client, path: string, query: object = {}): Promise<string[]> {
  return idsOf((await allPages(viewer, path, query)).flat());
}

export function followersOf(viewer: Client, { id }: UserRef, query: object = {}): Promise<string[]> {
  return listedIds(viewer, `/users/${id}/followers`, query);
}

export function followedBy(viewer: Client, { id }: UserRef, query: object = {}): Promise<string[]> {
  return listedIds(viewer, `/users/${id}/following`, query);
}

export function searchUsers(viewer: Client, q: string, query: object = {}): Promise<string[]> {
  return listedIds(viewer, '/search/users', { q, ...query });
}

/** Returns the stored follows between both, as pairs of follower and followed. */
export async function followsBetween(opine: Opine, one: UserRef, other: UserRef): Promise<string[][]> {
  const { rows } = await sql<{ pair: string[] }>`
    select array[follower_id::text, followee_id::text] as pair from app.follows
    where (follower_id, followee_id) in ((${one.id}, ${other.id}), (${other.id}, ${one.id}))
    order by follower_id, followee_id`.execute(opine.database.superuser);
  return rows.map(({ pair }) => pair);
}

/** Merges the phoneless `person` into `owner`. Returns `owner` with the new session. */
export async function mergeInto(opine: Opine, person: Person, owner: Person): Promise<Person> {
  await advanceTime(opine, '1 minute');
  await expectOk(requestOtp(person, owner.phoneNumber));
  const session = await expectOk(enterCode(person, owner.phoneNumber));
  if (session.user.id !== owner.id || !session.merged) throw new Error('The accounts were not merged.');
  return { ...owner, ...clientOf(opine.url, session.accessToken), session };
}
