import { setTimeout as pause } from 'node:timers/promises';
import { outcomeOf } from '../simulations/votes/requests.ts';
import type { Voter } from '../support/audience.ts';
import type { Client, Reply } from '../support/client.ts';
import type { Hub } from '../support/hubs.ts';
import type { Person } from '../support/people.ts';
import { castVote, POSITIONS, type Position } from '../support/votes.ts';

/** Pause between two requests of a person, and before a retry. */
const PAUSE_MS = 40;
const TIMEOUT_MS = 120_000;

/** A post that was acknowledged. */
export interface Published {
  readonly id: string;
  readonly authorId: string;
  /** A unique text. */
  readonly words: string;
  readonly isOfHub: boolean;
}

/** Everything that the service acknowledged. */
export interface Ledger {
  readonly posts: Published[];
  readonly votes: { readonly postId: string; readonly voterId: string; readonly position: Position }[];
  /** Who follows whom, by their ids. */
  readonly follows: { readonly followerId: string; readonly followeeId: string }[];
  /** Requests that were sent again: when, by `performance.now`, and why (`broken` or `unavailable`). */
  readonly refusals: { readonly at: number; readonly outcome: string }[];
  /** When each request was acknowledged, by `performance.now`. */
  readonly acknowledgedAt: number[];
}

/** A running load: each person sends one request at a time. */
export interface Load {
  readonly ledger: Ledger;
  /** Waits until the service has acknowledged `requests` more. */
  progress(requests: number): Promise<void>;
  /** Stops after the current requests. @throws the first refusal */
  end(): Promise<Ledger>;
}

/** The people of a load and what they interact with. */
export interface LoadOptions {
  readonly people: readonly Person[];
  readonly hub: Hub;
  /** The members of the Hub among `people`; by default all. */
  readonly members?: readonly Person[];
  /** Users to follow. */
  readonly idols: readonly Voter[];
}

/** Starts a load: each person publishes, votes, follows and votes in a loop, and members publish into the Hub. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
export function startLoad({ people, hub, members = people, idols }: LoadOptions): Load {
  const ledger: Ledger = { posts: [], votes: [], follows: [], refusals: [], acknowledgedAt: [] };
  const nextPost = new Map<Person, number>();
  const ending = new AbortController();
  const countAcknowledged = () => ledger.acknowledgedAt.length;

  /** Posts with one idempotency key and retries until the outcome is known, as the app does. */
  async function postUntilKnown(person: Person, path: string, body?: object): Promise<Reply['data']> {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    return retryUntilKnown(() => person.post(path, body, { headers }));
  }

  async function retryUntilKnown(send: () => Promise<Reply>, done?: string): Promise<Reply['data']> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    for (;;) {
      const { outcome, data } = await outcomeOf(send);
      if (outcome === 'done' || outcome === done) {
        ledger.acknowledgedAt.push(performance.now());
        return data;
      }
      const isUnknown = outcome === 'broken' || outcome === 'unavailable';
      if (!isUnknown || timeout.aborted) throw new Error(`A request was refused: ${outcome}.`);
      ledger.refusals.push({ at: performance.now(), outcome });
      await pause(PAUSE_MS);
    }
  }

  async function publish(person: Person, where: object): Promise<void> {
    const words = `Is this so? ${crypto.randomUUID()}`;
    const { id } = await postUntilKnown(person, '/posts', { sliderText: words, ...where });
    ledger.posts.push({ id, authorId: person.id, words, isOfHub: 'hubIds' in where });
    if (!('hubIds' in where)) await expectSeen(person, id);
  }

  /** Throws if a person does not see what they just published, from the primary or from a replica. */
  async function expectSeen(person: Person, id: string): Promise<void> {
    const { outcome, data } = await outcomeOf(() => person.get(`/users/${person.id}/feed?limit=5`));
    const isSeen = outcome !== 'done' || data.items.some((post: { id: string }) => post.id === id);
    if (!isSeen) throw new Error('A person did not see their own post.');
  }

  /** Votes on the next post of another person that `person` sees. */
  async function vote(person: Person, round: number): Promise<void> {
    const isMember = members.includes(person);
    const seen = nextPost.get(person) ?? 0;
    const index = ledger.posts.findIndex(
      ({ authorId, isOfHub }, place) => place >= seen && authorId !== person.id && (isMember || !isOfHub),
    );
    const post = ledger.posts[index];
    if (post === undefined) return;
    nextPost.set(person, index + 1);
    const position = POSITIONS[round % POSITIONS.length] ?? 'neutral';
    // Votes ignore idempotency keys: after a lost response, 409 says that the vote counted.
    await retryUntilKnown(() => castVote(person, post, position), 'VOTE_ALREADY_CAST');
    ledger.votes.push({ postId: post.id, voterId: person.id, position });
  }

  async function follow(person: Person, round: number): Promise<void> {
    const idol = idols[round];
    if (idol === undefined) return;
    await postUntilKnown(person, `/users/${idol.id}/follow`);
    ledger.follows.push({ followerId: person.id, followeeId: idol.id });
  }

  async function runPerson(person: Person): Promise<void> {
    for (let round = 0; !ending.signal.aborted; round += 1) {
      await publish(person, { visibility: 'public' });
      await vote(person, round);
      await follow(person, round);
      await vote(person, round + 1);
      if (members.includes(person))
        await publish(person, { visibility: 'private_locked_hub', hubIds: [hub.id] });
      await pause(PAUSE_MS);
    }
  }

  const runs = Promise.all(people.map(runPerson));
  // `progress` and `end` report a failure.
  runs.catch(() => {});
  return {
    ledger,
    progress: async (requests) => {
      const target = countAcknowledged() + requests;
      while (countAcknowledged() < target) await Promise.race([pause(PAUSE_MS), runs]);
    },
    end: async () => {
      ending.abort();
      await runs;
      return ledger;
    },
  };
}

/** Returns the texts of the posts in the feed of `viewer`. */
export async function wordsSeenBy(viewer: Client): Promise<string[]> {
  const { data } = await viewer.get('/posts');
  return data.items.map(({ sliderText, thoughtText }: Record<string, string>) => sliderText ?? thoughtText);
}
