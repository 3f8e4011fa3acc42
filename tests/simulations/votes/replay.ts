import type { Commits, CountedVote, Transition } from './commits.ts';
import type { Target, World } from './world.ts';

export interface ReplayedVote {
  readonly vote: CountedVote;
  /** The Hubs in which the vote counts at once. */
  readonly counted: readonly string[];
  /** The Hubs in which the vote will count after a share of the post. */
  readonly pending: readonly string[];
}

/** The votes of a serial history, and the commits that fit none. */
export interface ReplayResult {
  readonly votes: readonly ReplayedVote[];
  readonly differences: readonly string[];
}

/** Memberships and placements in serial order. */
class Model {
  readonly #members = new Map<string, Set<string>>();
  readonly #places = new Map<string, Set<string>>();
  readonly #deleted = new Set<string>();
  readonly #voted = new Set<string>();
  readonly #targets: ReadonlyMap<string, Target>;

  constructor({ targets }: World) {
    this.#targets = new Map(targets.map((target) => [target.id, target]));
  }

  /** @returns what is wrong with the transition, or null */
  transition({ kind, postId, userId, hubId }: Transition): string | null {
    const [set, item] =
      kind === 'deleted'
        ? [this.#deleted, postId]
        : kind === 'placed'
          ? [setOf(this.#places, postId), hubId]
          : [setOf(this.#members, hubId), userId];
    const isDone = kind === 'left' ? set.delete(String(item)) : !set.has(String(item));
    if (kind !== 'left') set.add(String(item));
    return isDone ? null : `${userId ?? postId} has ${kind} already (${hubId})`;
  }

  /** @returns the Hubs of the vote, or why it must not count */
  vote(userId: string, postId: string): Pick<ReplayedVote, 'counted' | 'pending'> | string {
    const target = this.#targets.get(postId);
    const mine = [...this.#members].filter(([, members]) => members.has(userId)).map(([hubId]) => hubId);
    const places = setOf(this.#places, postId);
    const counted = mine.filter((hubId) => places.has(hubId)).sort();
    if (target === undefined || this.#deleted.has(postId)) return 'the post is not there';
    if (target.isPrivate && counted.length === 0) return 'no Hub of the voter has the post';
    if (this.#voted.has(`${userId} ${postId}`)) return 'it is the second vote';
    this.#voted.add(`${userId} ${postId}`);
    const pending = target.isShareable ? mine.filter((hubId) => !places.has(hubId)).sort() : [];
    return { counted, pending };
  }
}

function setOf(map: Map<string, Set<string>>, key: string | null): Set<string> {
  const set = map.get(String(key)) ?? new Set();
  map.set(String(key), set);
  return set;
}

/** Replays the commits serially: each vote after the transitions that its snapshot shows and before all others. */
export function replay(world: World, { transitions, votes }: Commits): ReplayResult {
  const model = new Model(world);
  const differences: string[] = [];
  const replayedVotes: ReplayedVote[] = [];
  const inOrder = votes
    .map((vote) => ({ vote, seen: transitions.filter(isSeenIn(vote.snapshot)) }))
    .sort((one, other) => one.seen.length - other.seen.length);
  const made = new Set<Transition>();
  const make = (transition: Transition) => {
    made.add(transition);
    const wrong = model.transition(transition);
    if (wrong !== null) differences.push(wrong);
  };
  for (const { vote, seen } of inOrder) {
    for (const transition of seen) if (!made.has(transition)) make(transition);
    const { userId, postId, hubIds } = vote;
    const name = `vote of ${userId} on ${postId}`;
    if (made.size !== seen.length) differences.push(`${name}: it comes both before and after another`);
    const result = model.vote(userId, postId);
    if (typeof result === 'string') {
      differences.push(`${name}: ${result}`);
      continue;
    }
    if (result.counted.join() !== hubIds.toSorted().join()) {
      differences.push(`${name}: counts in ${hubIds.toSorted()}, and not in ${result.counted}`);
    }
    replayedVotes.push({ vote, ...result });
  }
  for (const transition of transitions) if (!made.has(transition)) make(transition);
  return { votes: replayedVotes, differences };
}

/** Returns whether a snapshot (`xmin:xmax:running,…`) shows a transition. */
function isSeenIn(snapshot: string): (transition: Transition) => boolean {
  const [, end = '', running = ''] = snapshot.split(':');
  const isRunning = new Set(running.split(','));
  return ({ transaction }) => transaction < BigInt(end) && !isRunning.has(String(transaction));
}
