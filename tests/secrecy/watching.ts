import { aSlider } from '../support/posts.ts';
import { countsOf } from '../support/votes.ts';
import { rightOf } from './attacks.ts';
import { type Round, toTheNext } from './audience.ts';
import { orderingsIn, pairByRank, type Sequence } from './orders.ts';
import { spoilsOf } from './spoils.ts';
import { ballotsOf, cast, truthOf } from './votes.ts';

/**
 * What somebody saw who looked at the public totals after every vote: the order of votes without their voters. With it
 * any order of voters that the database keeps gives them away.
 */
function watched(post: string, totals: readonly (readonly number[])[]): Sequence {
  const votes = totals.map((counts, index) =>
    counts.map((count, place) => count - (totals[index - 1]?.[place] ?? 0)),
  );
  return { how: 'public totals', post, hub: null, votes };
}

/**
 * Votes on a new post of Ada's, watched by somebody and folded by `fold`. Answers the orders of what the database shows
 * that give them all away then, as table and column.
 */
export async function ordersGivenAway(
  { opine, ada, voters }: Round,
  fold: () => Promise<void>,
): Promise<string[]> {
  const square = await aSlider(ada);
  const ballots = ballotsOf(voters, square);
  const totals: number[][] = [];
  await toTheNext(opine, 'minute');
  await cast(ballots, async () => totals.push(await countsOf(ada, square)));
  await fold();
  const spoils = await spoilsOf(opine);
  const theories = pairByRank(spoils, [watched(square.id, totals)], orderingsIn(spoils, spoils.visible));
  const right = rightOf(theories, truthOf(ballots)).filter(([, count]) => count === voters.length);
  return right.map(([how]) => how.replace('public totals by ', ''));
}
