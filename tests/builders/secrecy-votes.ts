import { sql } from 'kysely';
import type { Environment } from '../../src/config.ts';
import type { Opine } from '../harness/opine.ts';
import { voteOf } from '../secrecy/evidence.ts';
import { votesAreFolded } from './fold.ts';
import type { Post } from './frames.ts';
import { granted } from './graph.ts';
import type { Person } from './people.ts';
import { type Crowd, foldsWait } from './secrecy-crowd.ts';
import { castVote, POSITIONS, type Position } from './votes.ts';

/** A vote as it is really cast. */
export interface Ballot {
  readonly voter: Person;
  readonly post: Post;
  readonly position: Position;
}

/** How a fold differs where feeds are to show votes as late as they do by themselves. */
export const LATE: Environment = { VOTE_ACTIVITY_DELAY_SECONDS: '300-1800' };

/** The votes of `voters` on `post`, in no order of theirs, at positions of which none is everybody's. */
export function ballotsOf(voters: readonly Person[], post: Post, seed = 1): Ballot[] {
  const lot = lots(seed);
  const drawn = voters.map((voter) => ({ voter, lot: lot() })).sort((one, other) => one.lot - other.lot);
  return drawn.map(({ voter }, index) => {
    const position = POSITIONS[index < 3 ? index * 2 : Math.floor(lot() * POSITIONS.length)] ?? 'neutral';
    return { voter, post, position };
  });
}

/** Votes as they are, one after the other; `seen` is told of each. */
export async function cast(ballots: readonly Ballot[], seen?: (ballot: Ballot) => unknown): Promise<void> {
  for (const ballot of ballots) {
    await granted(castVote(ballot.voter, ballot.post, ballot.position));
    await seen?.(ballot);
  }
}

/** Folds votes as the worker does, and holds further folds back. */
export async function fold(opine: Opine, changes: Environment = LATE): Promise<void> {
  const { superuser } = opine.database;
  await sql`grant execute on function app.fold_pools() to opine_worker`.execute(superuser);
  await votesAreFolded(opine, changes);
  await foldsWait(opine);
}

/**
 * The votes of a crowd, and of one more on each post, who come late. Everybody votes on `square`, whom it shows on
 * `placed`; those in `unison` are of one mind on `locked`.
 */
export function ballotsOfAll({ members, guests, posts }: Crowd): { early: Ballot[]; late: Ballot[] } {
  const inUnison = members.slice(-4);
  const all = [
    ballotsOf([...members, ...guests], posts.square, 1),
    ballotsOf([...members, ...guests.slice(0, 5)], posts.placed, 2),
    ballotsOf(members.slice(0, 10), posts.locked, 3),
  ];
  const unanimous = inUnison.map((voter): Ballot => ({ voter, post: posts.locked, position: 'right' }));
  return {
    early: [...all.flatMap((some) => some.slice(0, -1)), ...unanimous],
    late: all.flatMap((some) => some.slice(-1)),
  };
}

/** The true votes: what an attack is measured by. */
export function truthOf(ballots: readonly Ballot[]): ReadonlyMap<string, Position> {
  return new Map(ballots.map(({ voter, post, position }) => [voteOf(post.id, voter.id), position]));
}

/** Numbers from 0 to 1 that are the same in each run. */
function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
