import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import {
  block,
  follow,
  followedBy,
  followersOf,
  mergeInto,
  profileSeenBy,
  requestFollow,
} from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
  type UserRef,
} from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NOT_FOUND = refusal(404, 'USER_NOT_FOUND');
const requestUnfollow = (person: Client, { id }: UserRef) => person.delete(`/users/${id}/follow`);
const countsOf = async (person: UserRef) => (await profileSeenBy(aGuest(opine), person)).counts;

async function pair(): Promise<[Person, Person]> {
  return [await registeredPerson(opine, 'Maya'), await registeredPerson(opine, 'Amara')];
}

describe('POST and DELETE /users/{userId}/follow', () => {
  test('a follow shows in the profiles and lists of both users', async () => {
    const [maya, amara] = await pair();
    const { status, data } = await requestFollow(maya, amara);
    expect([status, data]).toEqual([200, { following: true }]);
    expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
    expect(await countsOf(maya)).toEqual({ followers: 0, following: 1 });
    expect(await followersOf(amara, amara)).toEqual([maya.id]);
    expect(await followedBy(amara, maya)).toEqual([amara.id]);
    expect((await profileSeenBy(maya, amara)).viewer).toMatchObject({ follows: true, followedBy: false });
    const { id } = amara;
    expect(await requestFollow(maya, { id: id.toUpperCase() })).toMatchObject(
      refusal(409, 'ALREADY_FOLLOWING'),
    );
  });

  test('a follow that is repeated with its idempotency key gets the first answer', async () => {
    const [maya, amara] = await pair();
    const send = () =>
      maya.post(`/users/${amara.id}/follow`, undefined, { headers: { 'idempotency-key': 'to-follow' } });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
  });

  test('an unfollow ends the follow and can be repeated', async () => {
    const [maya, amara] = await pair();
    await follow(maya, amara);
    for (const _ of [1, 2]) {
      const { status, data } = await requestUnfollow(maya, amara);
      expect([status, data]).toEqual([200, { following: false }]);
    }
    expect(await countsOf(amara)).toEqual({ followers: 0, following: 0 });
    expect(await followersOf(maya, amara)).toEqual([]);
    await follow(maya, amara);
    expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
  });

  test('a user cannot follow themselves, whatever the case of the id', async () => {
    const maya = await registeredPerson(opine);
    expect(await requestFollow(maya, maya)).toMatchObject(refusal(409, 'CANNOT_FOLLOW_SELF'));
    expect(await requestFollow(maya, { id: maya.id.toUpperCase() })).toMatchObject(
      refusal(409, 'CANNOT_FOLLOW_SELF'),
    );
    expect(await countsOf(maya)).toEqual({ followers: 0, following: 0 });
  });

  test.each([...MALFORMED_IDS, NONEXISTENT.id])(
    'the id "%s" gets 404 for a follow and an unfollow',
    async (id) => {
      const maya = await registeredPerson(opine);
      expect(await requestFollow(maya, { id })).toMatchObject(NOT_FOUND);
      expect(await requestUnfollow(maya, { id })).toMatchObject(NOT_FOUND);
    },
  );

  test('a follow across a block gets 403 from the blocker and 404 from the blocked user', async () => {
    const [maya, amara] = await pair();
    await block(maya, amara);
    const { status, error } = await requestFollow(maya, amara);
    expect([status, error.code, error.details]).toEqual([403, 'FORBIDDEN', {}]);
    expect(await requestFollow(amara, maya)).toMatchObject(NOT_FOUND);
  });

  test('a user without a profile gets 403 with the next step', async () => {
    const [anonymous, amara] = [await anonymousPerson(opine), await registeredPerson(opine)];
    const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' });
    expect(await requestFollow(anonymous, amara)).toMatchObject(refused);
    expect(await requestUnfollow(anonymous, amara)).toMatchObject(refused);
  });

  test('a guest or a logged-out user gets 401', async () => {
    const [maya, amara] = await pair();
    await logOut(opine, maya.session);
    for (const caller of [aGuest(opine), maya]) {
      expect(await requestFollow(caller, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await requestUnfollow(caller, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    expect(await countsOf(amara)).toEqual({ followers: 0, following: 0 });
  });
});

describe('concurrent requests', () => {
  test('one of two equal follows is counted, the other gets 409', async () => {
    for (const _ of Array(10).keys()) {
      const [maya, amara] = await pair();
      const replies = await Promise.all([requestFollow(maya, amara), requestFollow(maya, amara)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
    }
  });

  test('two users who follow each other are both counted', async () => {
    for (const _ of Array(10).keys()) {
      const [maya, amara] = await pair();
      const replies = await Promise.all([requestFollow(maya, amara), requestFollow(amara, maya)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      for (const person of [maya, amara])
        expect(await countsOf(person)).toEqual({ followers: 1, following: 1 });
    }
  });

  test('twelve follows and seven unfollows of one user are all counted', async () => {
    const amara = await registeredPerson(opine);
    const people = await Promise.all(Array.from({ length: 12 }, () => registeredPerson(opine)));
    const replies = await Promise.all(people.map((person) => requestFollow(person, amara)));
    expect(replies.map(({ status }) => status)).toEqual(people.map(() => 200));
    expect(await countsOf(amara)).toEqual({ followers: 12, following: 0 });
    await Promise.all(people.slice(5).map((person) => requestUnfollow(person, amara)));
    expect(await countsOf(amara)).toEqual({ followers: 5, following: 0 });
  });

  test('follows during a merge are all moved', async () => {
    const owner = await confirmedPerson(opine);
    const guest = await registeredPerson(opine);
    const people = await Promise.all(Array.from({ length: 8 }, () => registeredPerson(opine)));
    const [, ...replies] = await Promise.all([
      mergeInto(opine, guest, owner),
      ...people.map((person) => requestFollow(guest, person)),
    ]);
    const followed = people.filter((_, index) => replies[index]?.status === 200).map(({ id }) => id);
    for (const { status } of replies) expect([200, 401]).toContain(status);
    await waitUntilDeleted(opine, guest.id);
    expect((await followedBy(await anonymousPerson(opine), owner)).sort()).toEqual(followed.sort());
    expect(await countsOf(owner)).toEqual({ followers: 0, following: followed.length });
  });
});
