import { setTimeout as pause } from 'node:timers/promises';
import { outcomeOf } from '../simulations/votes/chaos-acts.ts';
import type { Voter } from '../support/audience.ts';
import type { Client, Reply } from '../support/client.ts';
import type { Hub } from '../support/hubs.ts';
import type { Person } from '../support/people.ts';
import { castVote, POSITIONS, type Position } from '../support/votes.ts';

/** How long somebody thinks before they act again, and before they try again what came to nothing. */
const THINKS_MS = 40;
const TIMEOUT_MS = 30_000;

/** A post that was acknowledged. */
export interface Published {
  readonly id: string;
  readonly authorId: string;
  /** Nobody else wrote these words, nor did its author twice. */
  readonly words: string;
  readonly isOfHub: boolean;
}

/** What people were told is done. */
export interface Ledger {
  readonly posts: Published[];
  readonly votes: { readonly postId: string; readonly voterId: string; readonly position: Position }[];
  /** Who follows whom, by their ids. */
  readonly follows: { readonly followerId: string; readonly followeeId: string }[];
  /** How many requests came to nothing, and were made again. */
  retries: number;
}

/** People who act, one act after the other each, until they are told to end. */
export interface Load {
  readonly ledger: Ledger;
  /** Waits until so many further acts are acknowledged. */
  progress(acts: number): Promise<void>;
  /** Ends when the act of each is acknowledged. @throws what any of them was refused */
  end(): Promise<Ledger>;
}

/** What acts are about. */
export interface LoadOptions {
  readonly people: readonly Person[];
  /** A Hub that all of them are in. */
  readonly hub: Hub;
  /** Those whom they follow. */
  readonly idols: readonly Voter[];
}

/** Starts them: each publishes, votes on what others published, follows, and publishes in the Hub, by turns. */
export function startLoad({ people, hub, idols }: LoadOptions): Load {
  const ledger: Ledger = { posts: [], votes: [], follows: [], retries: 0 };
  const ending = new AbortController();
  const counted = () => ledger.posts.length + ledger.votes.length + ledger.follows.length;

  /** As the app does it: with one key, again and again until it knows. */
  async function insist(person: Person, path: string, body?: object): Promise<Reply['data']> {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    return insistOn(() => person.post(path, body, { headers }));
  }

  async function insistOn(send: () => Promise<Reply>, done?: string): Promise<Reply['data']> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    for (;;) {
      const { told, data } = await outcomeOf(send);
      if (told === 'done' || told === done) return data;
      const isUnknown = told === 'broken' || told === 'unavailable';
      if (!isUnknown || timeout.aborted) throw new Error(`Somebody was told ${told}.`);
      ledger.retries += 1;
      await pause(THINKS_MS);
    }
  }

  async function publish(person: Person, where: object): Promise<void> {
    const words = `Is this so? ${crypto.randomUUID()}`;
    const { id } = await insist(person, '/posts', { sliderText: words, ...where });
    ledger.posts.push({ id, authorId: person.id, words, isOfHub: 'hubIds' in where });
  }

  async function vote(person: Person, turn: number): Promise<void> {
    const post = ledger.posts.find(
      ({ id, authorId }) =>
        authorId !== person.id &&
        !ledger.votes.some(({ postId, voterId }) => postId === id && voterId === person.id),
    );
    if (post === undefined) return;
    const position = POSITIONS[turn % POSITIONS.length] ?? 'neutral';
    // A vote has no key, as a fingerprint would tell it: its receipt says that it was counted.
    await insistOn(() => castVote(person, post, position), 'VOTE_ALREADY_CAST');
    ledger.votes.push({ postId: post.id, voterId: person.id, position });
  }

  async function follow(person: Person, turn: number): Promise<void> {
    const idol = idols[turn];
    if (idol === undefined) return;
    await insist(person, `/users/${idol.id}/follow`);
    ledger.follows.push({ followerId: person.id, followeeId: idol.id });
  }

  async function live(person: Person): Promise<void> {
    for (let turn = 0; !ending.signal.aborted; turn += 1) {
      await publish(person, { visibility: 'public' });
      await vote(person, turn);
      await follow(person, turn);
      await vote(person, turn + 1);
      await publish(person, { visibility: 'private_locked_hub', hubIds: [hub.id] });
      await pause(THINKS_MS);
    }
  }

  const lives = Promise.all(people.map(live));
  // It is told to whoever waits for progress, or for the end.
  lives.catch(() => {});
  return {
    ledger,
    progress: async (acts) => {
      const enough = counted() + acts;
      while (counted() < enough) await Promise.race([pause(THINKS_MS), lives]);
    },
    end: async () => {
      ending.abort();
      await lives;
      return ledger;
    },
  };
}

/** The feed that `guest` is shown, by the words of its posts. */
export async function wordsSeenBy(guest: Client): Promise<string[]> {
  const { data } = await guest.get('/posts');
  return data.items.map(({ sliderText, thoughtText }: Record<string, string>) => sliderText ?? thoughtText);
}
