import type { Target, World } from './chaos-world.ts';
import type { CountedVote, Move, Observation } from './tally-observer.ts';

/** A vote as the model counts it. */
export interface ReplayedVote {
  readonly vote: CountedVote;
  /** The Hubs in whose pools it counts at once. */
  readonly counted: readonly string[];
  /** The Hubs in which it will count if the post is shared into them. */
  readonly pending: readonly string[];
}

/** The votes of a serial history, and where what happened was none. */
export interface Replay {
  readonly votes: readonly ReplayedVote[];
  readonly differences: readonly string[];
}

/** Who is in which Hub and where each post is, one move after the other. */
class Model {
  readonly #members = new Map<string, Set<string>>();
  readonly #places = new Map<string, Set<string>>();
  readonly #deleted = new Set<string>();
  readonly #voted = new Set<string>();
  readonly #targets: ReadonlyMap<string, Target>;

  constructor({ targets }: World) {
    this.#targets = new Map(targets.map((target) => [target.id, target]));
  }

  /** @returns what is wrong with it, if anything */
  move({ kind, postId, userId, hubId }: Move): string | null {
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

  /** @returns where the vote counts and would count, or why it must not */
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

/**
 * Replays what was committed in a serial order: each vote after all moves that its transaction saw, and before all that
 * it did not see.
 */
export function replayed(world: World, { moves, votes }: Observation): Replay {
  const model = new Model(world);
  const differences: string[] = [];
  const replay: ReplayedVote[] = [];
  const inOrder = votes
    .map((vote) => ({ vote, seen: moves.filter(isSeenIn(vote.snapshot)) }))
    .sort((one, other) => one.seen.length - other.seen.length);
  const made = new Set<Move>();
  const make = (move: Move) => {
    made.add(move);
    const wrong = model.move(move);
    if (wrong !== null) differences.push(wrong);
  };
  for (const { vote, seen } of inOrder) {
    for (const move of seen) if (!made.has(move)) make(move);
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
    replay.push({ vote, ...result });
  }
  for (const move of moves) if (!made.has(move)) make(move);
  return { votes: replay, differences };
}

/** Whether a snapshot, as text `xmin:xmax:running,…`, shows what a move did. */
function isSeenIn(snapshot: string): (move: Move) => boolean {
  const [, end = '', running = ''] = snapshot.split(':');
  const isRunning = new Set(running.split(','));
  return ({ transaction }) => transaction < BigInt(end) && !isRunning.has(String(transaction));
}
