import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { itemAt } from '../simulations/random.ts';
import { expectOk, idsOf, type Json } from '../support/client.ts';
import { PLAIN_CURSORS, UNBOUND_CURSORS } from '../support/cursors.ts';
import { follow } from '../support/graph.ts';
import { type Mutation, redefinitions } from '../support/mutations.ts';
import { advanceTime, anOpine, currentTime, type Opine } from '../support/opine.ts';
import { confirmedPerson, type Person, registeredPerson, withFreshSession } from '../support/people.ts';
import { aRepost, aSlider, sliders } from '../support/posts.ts';
import { castVote, countsOf, POSITIONS, type Position } from '../support/votes.ts';
import { foldAllVotes, withWorkerDatabase } from '../support/worker.ts';
import { Forger } from './forged-requests.ts';
import { DEFAULT_DELAY } from './votes.ts';

const POLL_MINUTES = 7;
/** The bounds of the default delay, in minutes. */
const [SHORTEST, LONGEST] = [5, 30];

const VOTES: readonly Position[] = ['strong_left', 'left', 'neutral', 'right', 'strong_right'];

/** A throwaway account that follows one voter and a writer who fills its feed, and what it has seen. */
interface Follower {
  account: Person;
  readonly voter: Person;
  readonly forger: Forger;
  hasVoted: boolean;
  /** The minute at which a forged request first showed what no honest request of that minute did. */
  forgedMinute: number | null;
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
  readonly #pollMinutes: number;
  readonly #writer: Person;
  readonly followers: Follower[] = [];
  /** Positions whose count rose, with the minute. */
  readonly #rises: { minute: number; position: Position }[] = [];
  #counts = [0, 0, 0, 0, 0];
  #minute = 0;

  constructor(opine: Opine, post: Json, writer: Person, { minimum, pollMinutes = POLL_MINUTES }: Conditions) {
    this.#opine = opine;
    this.#post = post;
    this.#minimum = minimum;
    this.#pollMinutes = pollMinutes;
    this.#writer = writer;
  }

  async follow(voter: Person): Promise<void> {
    const account = await registeredPerson(this.#opine);
    await follow(account, voter, this.#writer);
    const forger = await Forger.begin(this.#opine, account, voter, this.#post);
    const seen = { forgedMinute: null, feedMinute: null, profileMinute: null };
    this.followers.push({ account, voter, forger, hasVoted: false, ...seen });
  }

  /** Lets time pass, with the work of a worker, and looks at everything. */
  async poll(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      await advanceTime(this.#opine, `${this.#pollMinutes} minutes`);
      this.#minute += this.#pollMinutes;
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
      const { account, voter, forger } = follower;
      // The forged requests come first, so that an honest one shows no less a moment later.
      const isOpen = follower.feedMinute === null || follower.profileMinute === null;
      const forged =
        isOpen && follower.hasVoted ? await forger.look(account, await currentTime(this.#opine)) : new Set();
      const feed = (await expectOk(account.get('/posts'))).items;
      if (idsOf(feed).includes(this.#post.id)) follower.feedMinute ??= this.#minute;
      const profile = await expectOk(account.get(`/users/${voter.id}/profile`));
      if (profile.activity.votes > 0) follower.profileMinute ??= this.#minute;
      const isSooner =
        (forged.has('feed') && follower.feedMinute === null) ||
        (forged.has('profile') && follower.profileMinute === null);
      if (isSooner) follower.forgedMinute ??= this.#minute;
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

  /** Returns the positions that a voter may have chosen, by what their follower forged at once after the vote. */
  forgedCandidatesFor({ forgedMinute }: Follower): Position[] {
    return this.#rises.filter(({ minute }) => minute === forgedMinute).map(({ position }) => position);
  }

  /** Returns the positions that a voter may have chosen, by all that their follower knows. */
  candidatesFor({ feedMinute, profileMinute }: Follower): Position[] {
    const seen = Math.min(feedMinute ?? Number.POSITIVE_INFINITY, profileMinute ?? Number.POSITIVE_INFINITY);
    if (seen === Number.POSITIVE_INFINITY) return [];
    // Without a minimum, a feed shows a vote within its longest delay.
    const from = this.#minimum === 1 && seen === feedMinute ? seen - LONGEST - this.#pollMinutes : 0;
    const rises = this.#rises.filter(
      ({ minute }) => minute > from && minute - this.#pollMinutes <= seen - SHORTEST,
    );
    return [...new Set(rises.map(({ position }) => position))];
  }
}

interface Conditions {
  /** VOTE_ACTIVITY_MINIMUM. */
  readonly minimum: number;
  readonly pollMinutes?: number;
  /** The number of polls between two votes; by default these take longer than the longest delay. */
  readonly pollsApart?: number;
  readonly mutations?: readonly Mutation[];
}

/** Has people vote under observation. Returns the observer. */
async function observe(votes: readonly Position[], conditions: Conditions): Promise<Observer> {
  const { minimum, pollMinutes = POLL_MINUTES, mutations = [] } = conditions;
  const pollsUntilShown = Math.floor(LONGEST / pollMinutes) + 2;
  const { pollsApart = pollsUntilShown } = conditions;
  const opine = await anOpine({ ...DEFAULT_DELAY, VOTE_ACTIVITY_MINIMUM: `${minimum}` });
  for (const { mutate } of mutations.map(redefinitions)) {
    await sql.raw(mutate).execute(opine.database.superuser);
  }
  const writer = await confirmedPerson(opine, 'Bela');
  await sliders(writer, 3);
  const post = await aSlider(await confirmedPerson(opine, 'Ada'));
  await aRepost(await confirmedPerson(opine, 'Cora'), post);
  const observer = new Observer(opine, post, writer, conditions);
  for (const _ of votes) await observer.follow(await registeredPerson(opine));
  for (const [index, position] of votes.entries()) {
    const follower = itemAt(observer.followers, index);
    await expectOk(castVote(await withFreshSession(opine, follower.voter), post, position));
    follower.hasVoted = true;
    await observer.poll(pollsApart);
  }
  await observer.poll(pollsUntilShown);
  return observer;
}

/** Returns the followers who saw something sooner than by honest requests. */
function soonerByForging(observer: Observer): Follower[] {
  return observer.followers.filter(({ forgedMinute }) => forgedMinute !== null);
}

describe('a follower with a throwaway account, who polls results, feed and profile', () => {
  test('learns each vote of a quiet post at VOTE_ACTIVITY_MINIMUM=1, as docs/vote-secrecy.md says', async () => {
    const observer = await observe(VOTES, { minimum: 1 });
    expect(observer.followers.map((follower) => observer.candidatesFor(follower))).toEqual(
      VOTES.map((position) => [position]),
    );
    expect(soonerByForging(observer)).toEqual([]);
  });

  test('learns at 5 only how five people voted together', async () => {
    const observer = await observe(VOTES, { minimum: 5 });
    expect(observer.followers.map((follower) => observer.candidatesFor(follower))).toEqual(
      VOTES.map(() => [...VOTES]),
    );
    expect(new Set(observer.followers.map(({ feedMinute }) => feedMinute)).size).toBe(1);
    expect(new Set(observer.followers.map(({ profileMinute }) => profileMinute)).size).toBe(1);
    expect(soonerByForging(observer)).toEqual([]);
  });

  test('learns at 5 nothing of four votes, not even who cast them', async () => {
    const observer = await observe(VOTES.slice(0, 4), { minimum: 5 });
    const seen = observer.followers.flatMap(({ feedMinute, profileMinute, forgedMinute }) => [
      feedMinute,
      profileMinute,
      forgedMinute,
    ]);
    expect(new Set(seen)).toEqual(new Set([null]));
  });
});

/** Polls more often than the shortest delay, so that no vote is due at the first poll after it. */
const OFTEN = { minimum: 1, pollMinutes: SHORTEST - 1, pollsApart: 1 };

describe('a follower who forges every parameter, while a vote is cast every four minutes', () => {
  test.each([
    ['with sealed cursors of feeds that never begin later than now', []],
    ['with cursors in plain text alone', PLAIN_CURSORS],
    ['with feeds that may begin later than now alone', UNBOUND_CURSORS],
  ])('learns nothing sooner than by honest requests %s', async (_, mutations) => {
    const observer = await observe(VOTES, { ...OFTEN, mutations });
    expect(soonerByForging(observer)).toEqual([]);
    expect(observer.followers.map(({ feedMinute }) => feedMinute)).not.toContain(null);
  });

  test('learns each position with cursors in plain text of feeds that may begin later than now', async () => {
    const mutations = [...PLAIN_CURSORS, ...UNBOUND_CURSORS];
    const observer = await observe(VOTES, { ...OFTEN, mutations });
    expect(observer.followers.map((follower) => observer.forgedCandidatesFor(follower))).toEqual(
      VOTES.map((position) => [position]),
    );
  });
});
