import type { Json, Reply } from '../../support/client.ts';
import { requestPlace } from '../../support/frames.ts';
import { withQuery } from '../../support/graph.ts';
import { requestAccept, requestInvite, requestLeave } from '../../support/hubs.ts';
import { castVote, myVote, POSITIONS, type Position, summaryOf } from '../../support/votes.ts';
import { randomOf } from '../feeds/writers.ts';
import type { Actor, Camp, Target, World } from './chaos-world.ts';

/** What somebody does. */
export type Deed = 'vote' | 'invite' | 'join' | 'leave' | 'share' | 'delete' | 'summary' | 'my vote' | 'read';

/** Somebody's deed, before it is asked for. */
export interface Asked {
  readonly deed: Deed;
  /** Whoever asks, by id. */
  readonly who: string;
  readonly postId?: string;
  readonly hubIds?: readonly string[];
  readonly position?: Position;
}

/** From when to when something went on, by the count of what was asked and answered before. */
export interface Window {
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** Somebody's deed and what became of it. */
export interface Act extends Asked, Window {
  /**
   * `done`, the code of a refusal, `unavailable` (503) or `broken` (the connection): nobody knows whether what is
   * unavailable or broken was done, or is done before the outage is over.
   */
  readonly told: string;
  readonly data?: Json;
}

/** Whether nobody knows what became of an act. */
export function isLost({ told }: Act): boolean {
  return told === 'unavailable' || told === 'broken';
}

/** Asks for a deed and notes what became of it. */
export type Ask = (asked: Asked, send: () => Promise<Reply>) => Promise<Act>;

const WEIGHTS = { vote: 44, join: 10, leave: 9, share: 12, delete: 3, summary: 7, 'my vote': 5, read: 10 };
/** How often somebody does what they can do, as far as they know, and waits for what becomes of it. */
const SENSE = 0.8;
type Choice = keyof typeof WEIGHTS;
const OF_READY = (Object.keys(WEIGHTS) as Choice[]).flatMap((choice) =>
  Array<Choice>(WEIGHTS[choice]).fill(choice),
);
const OF_REGISTERED = OF_READY.filter((choice) => !['join', 'leave', 'share', 'delete'].includes(choice));

/** What one device of `actor` does, one act after the other, as the chance of `seed` has it. */
export function deviceOf(
  { camps, targets }: World,
  { person, isReady, homes }: Actor,
  seed: number,
  ask: Ask,
): () => Promise<Act> {
  const random = randomOf(seed);
  const any = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('There is none.');
    return item;
  };
  const who = person.id;
  const mostly = <Item>(items: readonly Item[], isApt: (item: Item) => boolean): Item => {
    const [apt, isSensible] = [items.filter(isApt), random() < SENSE];
    return any(isSensible && apt.length > 0 ? apt : items);
  };
  const isHome = ({ hub }: Camp) => homes.has(hub);
  const read = () => {
    const path = any(readsOf(any(targets).id, any(camps).hub.id));
    return ask({ deed: 'read', who }, () => person.get(path));
  };
  let unsure: (() => Promise<Act>) | undefined;
  const vote = async (post: Target, ...taps: Position[]): Promise<Act> => {
    const [act, ...others] = await Promise.all(
      taps.map((position) =>
        ask({ deed: 'vote', who, postId: post.id, position }, () => castVote(person, post, position)),
      ),
    );
    if (act === undefined) throw new Error('Nobody has voted.');
    const lost = [act, ...others].find(isLost);
    unsure = lost && (() => vote(post, ...taps));
    return lost ?? act;
  };
  const acts: Record<Choice, () => Promise<Act>> = {
    vote: () => {
      const post = mostly(targets, ({ isPrivate }) => !isPrivate);
      const [one, other, isPatient] = [any(POSITIONS), any(POSITIONS), random() < SENSE];
      return isPatient ? vote(post, one) : vote(post, one, other);
    },
    join: async () => {
      const { hub, admin } = mostly(camps, (camp) => !isHome(camp));
      const hubIds = [hub.id];
      const invited = await ask({ deed: 'invite', who: admin.id, hubIds }, () =>
        requestInvite(admin, hub, person.phoneNumber),
      );
      if (invited.told !== 'done') return invited;
      const joined = await ask({ deed: 'join', who, hubIds }, () =>
        requestAccept(person, invited.data.items[0]),
      );
      if (joined.told === 'done') homes.add(hub);
      return joined;
    },
    leave: async () => {
      const { hub } = mostly(camps, isHome);
      const left = await ask({ deed: 'leave', who, hubIds: [hub.id] }, () => requestLeave(person, hub));
      if (left.told === 'done') homes.delete(hub);
      return left;
    },
    share: () => {
      const post = mostly(targets, ({ isPrivate }) => !isPrivate);
      const [one, other, isOne] = [mostly(camps, isHome), mostly(camps, isHome), random() < SENSE];
      const hubs = isOne || one === other ? [one.hub] : [one.hub, other.hub];
      const hubIds = hubs.map(({ id }) => id);
      return ask({ deed: 'share', who, postId: post.id, hubIds }, () => requestPlace(person, post, hubs));
    },
    delete: () => {
      const own = targets.filter(({ author, isMortal }) => isMortal && author.id === who);
      if (own.length === 0) return read();
      const { id: postId } = any(own);
      return ask({ deed: 'delete', who, postId }, () => person.delete(`/posts/${postId}`));
    },
    summary: () => {
      const post = any(targets.filter(({ isPrivate }) => !isPrivate));
      return ask({ deed: 'summary', who, postId: post.id }, () => summaryOf(person, post));
    },
    'my vote': () => {
      const post = any(targets);
      return ask({ deed: 'my vote', who, postId: post.id }, () => myVote(person, post));
    },
    read,
  };
  // Whoever does not know whether their vote was counted asks again.
  return () => unsure?.() ?? acts[any(isReady ? OF_READY : OF_REGISTERED)]();
}

function readsOf(postId: string, hubId: string): string[] {
  return [
    `/posts/${postId}`,
    `/posts/${postId}/vote/hubs`,
    withQuery(`/posts/${postId}/vote/distribution`, { hubId }),
    withQuery('/posts', { limit: 5 }),
    withQuery(`/hubs/${hubId}/feed`, { limit: 5 }),
  ];
}

/** What a request came to; a connection that breaks is one of the ways. @throws Error where the answer is malformed */
export async function outcomeOf(send: () => Promise<Reply>): Promise<Pick<Act, 'told' | 'data'>> {
  try {
    const { status, data, error } = await send();
    if (status < 300) return { told: 'done', data };
    return { told: status === 503 ? 'unavailable' : error.code };
  } catch (error) {
    // So says fetch that nobody listens, or that the connection ended before the answer did.
    if (error instanceof TypeError) return { told: 'broken' };
    throw error;
  }
}
