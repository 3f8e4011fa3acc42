import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { expectOk, idsOf, type Json } from '../support/client.ts';
import { advanceTime, anOpine, type Opine } from '../support/opine.ts';
import { confirmedPerson, type Person, registeredPerson, withFreshSession } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf, POSITIONS, type Position } from '../support/votes.ts';
import { foldAllVotes, withWorkerDatabase } from '../support/worker.ts';
import { DEFAULT_DELAY } from './votes.ts';

const POLL_MINUTES = 7;
/** The bounds of the default delay, in minutes. */
const [SHORTEST, LONGEST] = [5, 30];
/** Polls between two votes: longer than the longest delay. */
const POLLS_APART = 6;

const VOTES: readonly Position[] = ['strong_left', 'left', 'neutral', 'right', 'strong_right'];

/** A throwaway account that follows one voter and nobody else, and what it has seen. */
interface Follower {
  account: Person;
  readonly voter: Person;
  /** The minute at which its feed first showed the post. */
  feedMinute: number | null;
  /** The minute at which the profile of the voter first counted a vote. */
  profileMinute: number | null;
}

/** Somebody who polls the results of a post, and the feeds and profiles of its voters. */
class Observer {
  readonly #opine: Opine;
  readonly #post: Json;
  readonly #minimum: number;
  readonly followers: Follower[] = [];
  /** Positions whose count rose, with the minute. */
  readonly #rises: { minute: number; position: Position }[] = [];
  #counts = [0, 0, 0, 0, 0];
  #minute = 0;

  constructor(opine: Opine, post: Json, minimum: number) {
    this.#opine = opine;
    this.#post = post;
    this.#minimum = minimum;
  }

  async follow(voter: Person): Promise<void> {
    const account = await registeredPerson(this.#opine);
    await expectOk(account.post(`/users/${voter.id}/follow`));
    this.followers.push({ account, voter, feedMinute: null, profileMinute: null });
  }

  /** Lets time pass, with the work of a worker, and looks at everything. */
  async poll(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      await advanceTime(this.#opine, `${POLL_MINUTES} minutes`);
      this.#minute += POLL_MINUTES;
      await foldAllVotes(this.#opine);
      await withWorkerDatabase(this.#opine.database, async (db) => {
        await sql`select app.release_votes(${this.#minimum})`.execute(db);
      });
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    for (const follower of this.followers) {
      follower.account = await withFreshSession(this.#opine, follower.account);
      const { account, voter } = follower;
      const feed = (await expectOk(account.get('/posts'))).items;
      if (idsOf(feed).includes(this.#post.id)) follower.feedMinute ??= this.#minute;
      const profile = await expectOk(account.get(`/users/${voter.id}/profile`));
      if (profile.activity.votes > 0) follower.profileMinute ??= this.#minute;
    }
    const [first] = this.followers;
    if (first === undefined) return;
    const counts = await countsOf(first.account, this.#post);
    for (const [place, position] of POSITIONS.entries()) {
      const rise = (counts[place] ?? 0) - (this.#counts[place] ?? 0);
      for (let vote = 0; vote < rise; vote += 1) this.#rises.push({ minute: this.#minute, position });
    }
    this.#counts = counts;
  }

  /** Returns the positions that a voter may have chosen, by all that their follower knows. */
  candidatesFor({ feedMinute, profileMinute }: Follower): Position[] {
    const seen = Math.min(feedMinute ?? Number.POSITIVE_INFINITY, profileMinute ?? Number.POSITIVE_INFINITY);
    if (seen === Number.POSITIVE_INFINITY) return [];
    // Without a minimum, a feed shows a vote within its longest delay.
    const from = this.#minimum === 1 && seen === feedMinute ? seen - LONGEST - POLL_MINUTES : 0;
    const rises = this.#rises.filter(
      ({ minute }) => minute > from && minute - POLL_MINUTES <= seen - SHORTEST,
    );
    return [...new Set(rises.map(({ position }) => position))];
  }
}

/** Has five people vote under observation, more than half an hour apart. Returns the observer. */
async function observe(minimum: number, votes: readonly Position[]): Promise<Observer> {
  const opine = await anOpine({ ...DEFAULT_DELAY, VOTE_ACTIVITY_MINIMUM: `${minimum}` });
  const post = await aSlider(await confirmedPerson(opine, 'Ada'));
  const observer = new Observer(opine, post, minimum);
  const voters: Person[] = [];
  for (const _ of votes) {
    const voter = await registeredPerson(opine);
    voters.push(voter);
    await observer.follow(voter);
  }
  for (const [index, position] of votes.entries()) {
    const voter = voters[index];
    if (voter === undefined) throw new Error('There are fewer voters than votes.');
    await expectOk(castVote(await withFreshSession(opine, voter), post, position));
    await observer.poll(POLLS_APART);
  }
  await observer.poll(POLLS_APART);
  return observer;
}

describe('a follower with a throwaway account, who polls results, feed and profile', () => {
  test('learns each vote of a quiet post at VOTE_ACTIVITY_MINIMUM=1, as docs/vote-secrecy.md says', async () => {
    const observer = await observe(1, VOTES);
    expect(observer.followers.map((follower) => observer.candidatesFor(follower))).toEqual(
      VOTES.map((position) => [position]),
    );
  });

  test('learns at 5 only how five people voted together', async () => {
    const observer = await observe(5, VOTES);
    expect(observer.followers.map((follower) => observer.candidatesFor(follower))).toEqual(
      VOTES.map(() => [...VOTES]),
    );
    expect(new Set(observer.followers.map(({ feedMinute }) => feedMinute)).size).toBe(1);
    expect(new Set(observer.followers.map(({ profileMinute }) => profileMinute)).size).toBe(1);
  });

  test('learns at 5 nothing of four votes, not even who cast them', async () => {
    const observer = await observe(5, VOTES.slice(0, 4));
    const seen = observer.followers.flatMap(({ feedMinute, profileMinute }) => [feedMinute, profileMinute]);
    expect(new Set(seen)).toEqual(new Set([null]));
  });
});
