import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { followedBy, followersOf, mergeInto, profileSeenBy, requestFollow } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
  type UserRef,
} from '../support/people.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());
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
    expect(await requestFollow(maya, maya)).toMatchObject(refusal(409, 'CANNOT_FOLLOW_SELF'));
    const unfollowed = await requestUnfollow(maya, amara);
    expect([unfollowed.status, unfollowed.data]).toEqual([200, { following: false }]);
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
