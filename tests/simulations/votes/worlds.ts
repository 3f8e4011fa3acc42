import type { Client, Json } from '../../support/client.ts';
import { aCircle, type Circle } from '../../support/discussions.ts';
import { granted } from '../../support/graph.ts';
import { aHub, aMemberOf, type Hub, join } from '../../support/hubs.ts';
import type { Opine } from '../../support/opine.ts';
import { aRegistered, type Person } from '../../support/people.ts';
import { castVote, countsOf, POSITIONS, type Position } from '../../support/votes.ts';

/** A question for the members of Hubs. */
export const SLIDER = { sliderText: 'Is the street too loud?' };

/** A question for the members of Hubs and everybody else. */
export const OPEN = { ...SLIDER, visibility: 'public_hub' };

/** Two Hubs: Amara, their admin, and Jonas are in both, Noor and Lena each in one, and Maya, of level 2, in none. */
export interface Town extends Circle {
  readonly other: Json;
  /** In `hub` alone. */
  readonly noor: Person;
  /** In `other` alone. */
  readonly lena: Person;
  readonly maya: Person;
}

export async function aTown(opine: Opine): Promise<Town> {
  const circle = await aCircle(opine);
  const { amara, jonas, hub } = circle;
  const other = await aHub(amara, { name: 'Oak Street' });
  await join(amara, other, [jonas]);
  return {
    ...circle,
    other,
    noor: await aMemberOf(opine, amara, hub, 'Noor'),
    lena: await aMemberOf(opine, amara, other, 'Lena'),
    maya: await aRegistered(opine, 'Maya'),
  };
}

/** `voter` votes on `post`, as they may. */
export function vote(voter: Client, post: Json, position: Position = 'left'): Promise<Json> {
  return granted(castVote(voter, post, position));
}

/** How many votes `viewer` sees at each position of `post` in each of `hubs`; none where nobody voted. */
export async function poolsOf(viewer: Client, post: Json, ...hubs: Hub[]): Promise<number[][]> {
  const pools: number[][] = [];
  for (const hub of hubs) pools.push(await countsOf(viewer, post, hub));
  return pools;
}

/** The scope of everybody's votes, as answers name it. */
export const GLOBAL = { type: 'global', hubId: null };

/** The scope of the votes in a Hub, as answers name it. */
export function scopeOf({ id }: Hub): Json {
  return { type: 'hub', hubId: id };
}

/** The summary of so many votes at each of the five positions; of no votes where `counts` has none. */
export function bucketsOf(counts: readonly number[]): Json {
  if (counts.length === 0) {
    return { totalVotes: 0, resultsVisible: false, leftCount: null, neutralCount: null, rightCount: null };
  }
  const [strongLeft = 0, left = 0, neutralCount = 0, right = 0, strongRight = 0] = counts;
  const [leftCount, rightCount] = [strongLeft + left, right + strongRight];
  const totalVotes = leftCount + neutralCount + rightCount;
  return { totalVotes, resultsVisible: true, leftCount, neutralCount, rightCount };
}

/** The distribution of so many votes at each of the five positions; of no votes where `counts` has none. */
export function positionsOf(counts: readonly number[]): Json[] {
  return counts.map((count, index) => ({ position: POSITIONS[index], count }));
}
