import { type Client, expectOk, type Json } from '../../support/client.ts';
import { aHubOfTwo, type HubOfTwo } from '../../support/discussions.ts';
import { aHub, aMemberOf, type Hub, join } from '../../support/hubs.ts';
import type { Opine } from '../../support/opine.ts';
import { type Person, registeredPerson } from '../../support/people.ts';
import { castVote, countsOf, POSITIONS, type Position } from '../../support/votes.ts';

/** A slider for Hub members. */
export const SLIDER = { sliderText: 'Is the street too loud?' };

/** A slider for Hub members and the public. */
export const OPEN = { ...SLIDER, visibility: 'public_hub' };

/** Two Hubs: the admin Amara and Jonas in both, Noor and Lena in one each, and Maya (level 2) in none. */
export interface Town extends HubOfTwo {
  readonly other: Json;
  /** In `hub` alone. */
  readonly noor: Person;
  /** In `other` alone. */
  readonly lena: Person;
  readonly maya: Person;
}

export async function aTown(opine: Opine): Promise<Town> {
  const circle = await aHubOfTwo(opine);
  const { amara, jonas, hub } = circle;
  const other = await aHub(amara, { name: 'Oak Street' });
  await join(amara, other, [jonas]);
  return {
    ...circle,
    other,
    noor: await aMemberOf(opine, amara, hub, 'Noor'),
    lena: await aMemberOf(opine, amara, other, 'Lena'),
    maya: await registeredPerson(opine, 'Maya'),
  };
}

/** Votes and returns the answer. */
export function vote(voter: Client, post: Json, position: Position = 'left'): Promise<Json> {
  return expectOk(castVote(voter, post, position));
}

/** Returns the votes at each position in each of `hubs`, as `viewer` sees them; empty without votes. */
export async function poolsOf(viewer: Client, post: Json, ...hubs: Hub[]): Promise<number[][]> {
  const pools: number[][] = [];
  for (const hub of hubs) pools.push(await countsOf(viewer, post, hub));
  return pools;
}

/** The scope of all votes in answers. */
export const GLOBAL = { type: 'global', hubId: null };

/** Returns the scope of a Hub in answers. */
export function scopeOf({ id }: Hub): Json {
  return { type: 'hub', hubId: id };
}

/** Returns the summary in answers for the votes at each position; `counts` is empty without votes. */
export function bucketsOf(counts: readonly number[]): Json {
  if (counts.length === 0) {
    return { totalVotes: 0, resultsVisible: false, leftCount: null, neutralCount: null, rightCount: null };
  }
  const [strongLeft = 0, left = 0, neutralCount = 0, right = 0, strongRight = 0] = counts;
  const [leftCount, rightCount] = [strongLeft + left, right + strongRight];
  const totalVotes = leftCount + neutralCount + rightCount;
  return { totalVotes, resultsVisible: true, leftCount, neutralCount, rightCount };
}

/** Returns the distribution in answers for the votes at each position; `counts` is empty without votes. */
export function positionsOf(counts: readonly number[]): Json[] {
  return counts.map((count, index) => ({ position: POSITIONS[index], count }));
}
