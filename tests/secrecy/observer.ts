import { aSlider } from '../support/posts.ts';
import { countsOf } from '../support/votes.ts';
import { readAttackerView } from './attacker-view.ts';
import { correctByTheory } from './attacks.ts';
import { advanceToNext, type Poll } from './community.ts';
import { orderingsIn, pairByRank, type Sequence } from './orders.ts';
import { ballotsOf, cast, truthOf } from './votes.ts';

/**
 * Returns the order of votes without their voters, as an observer reads it from the public totals after every vote. Any
 * stored order of voters then reveals the votes.
 */
function observedSequence(post: string, totals: readonly (readonly number[])[]): Sequence {
  const votes = totals.map((counts, index) =>
    counts.map((count, place) => count - (totals[index - 1]?.[place] ?? 0)),
  );
  return { how: 'public totals', post, hub: null, votes };
}

/**
 * Casts votes on a new post of Ada's under observation and folds them by `fold`. Returns the orders in the database that
 * reveal all votes, as table and column.
 */
export async function findRevealingOrders(
  { opine, ada, voters }: Poll,
  fold: () => Promise<void>,
): Promise<string[]> {
  const square = await aSlider(ada);
  const ballots = ballotsOf(voters, square);
  const totals: number[][] = [];
  await advanceToNext(opine, 'minute');
  await cast(ballots, async () => totals.push(await countsOf(ada, square)));
  await fold();
  const view = await readAttackerView(opine);
  const theories = pairByRank(view, [observedSequence(square.id, totals)], orderingsIn(view, view.visible));
  const revealing = correctByTheory(theories, truthOf(ballots)).filter(
    ([, count]) => count === voters.length,
  );
  return revealing.map(([how]) => how.replace('public totals by ', ''));
}
