import type { Json } from '../../support/client.ts';
import { aRepost } from '../../support/frames.ts';
import { aHub, aHubPost, type Hub, join } from '../../support/hubs.ts';
import type { Opine } from '../../support/opine.ts';
import { aHubReady, aRegistered, type Person } from '../../support/people.ts';
import { aSlider } from '../../support/posts.ts';

/** Whoever acts in the fire. */
export interface Actor {
  readonly person: Person;
  /** The Hubs that they are in, as far as they know. */
  readonly homes: Set<Hub>;
  /** Whether they have come to Hubs. */
  readonly isReady: boolean;
}

/** A Hub that is always there, with the admin who stays in it. */
export interface Camp {
  readonly hub: Hub;
  readonly admin: Person;
}

/** A post with a slider, as it was published. */
export interface Target {
  readonly id: string;
  readonly author: Person;
  readonly isPrivate: boolean;
  readonly isShareable: boolean;
  /** Whether its author may delete it: others are there to be counted in the end. */
  readonly isMortal: boolean;
}

/** People, Hubs and posts before the fire. */
export interface World {
  readonly opine: Pick<Opine, 'url' | 'database'>;
  readonly camps: readonly Camp[];
  /** An admin who is in every Hub. */
  readonly steward: Person;
  readonly actors: readonly Actor[];
  readonly targets: readonly Target[];
}

const HUBS = 4;
const READY = 24;
const REGISTERED = 8;
const SLIDER = { sliderText: 'Is this so?' };

/** Thirty-two people, most of them in two of four Hubs, and twenty-four posts of every visibility. */
export async function aWorldToBurn(opine: Pick<Opine, 'url' | 'database'>): Promise<World> {
  const here = { ...opine, stop: async () => {} };
  const admins = await Promise.all(numbers(HUBS).map(() => aHubReady(here, 'Amara')));
  const camps = await Promise.all(admins.map(async (admin) => ({ hub: await aHub(admin), admin })));
  const [steward] = admins;
  if (steward === undefined) throw new Error('Nobody is here.');
  const [ready, registered] = await Promise.all([
    Promise.all(numbers(READY).map(() => aHubReady(here, 'Maya'))),
    Promise.all(numbers(REGISTERED).map(() => aRegistered(here, 'Noor'))),
  ]);
  const homesOf = (index: number) => [0, 1].map((next) => at(camps, index + next).hub);
  await Promise.all(
    camps.map(({ hub, admin }, place) => {
      const members = ready.filter((_, index) => homesOf(index).includes(hub));
      return join(admin, hub, [...(place === 0 ? [] : [steward]), ...members]);
    }),
  );
  const targets: Target[] = [];
  for (const [index, author] of ready.entries()) {
    targets.push(await aTarget(author, homesOf(index), index, targets));
  }
  const actors = [
    ...ready.map((person, index) => ({ person, isReady: true, homes: new Set(homesOf(index)) })),
    ...registered.map((person) => ({ person, isReady: false, homes: new Set<Hub>() })),
  ];
  return { opine, camps, steward, actors, targets };
}

async function aTarget(
  author: Person,
  homes: readonly Hub[],
  index: number,
  others: readonly Target[],
): Promise<Target> {
  // What is reposted is public: the first of each round.
  const kinds: readonly (() => Promise<Json>)[] = [
    () => aSlider(author),
    () => aHubPost(author, homes.slice(0, 1), { ...SLIDER, visibility: 'public_hub' }),
    () => aHubPost(author, homes, SLIDER),
    () => aRepost(author, { id: others[0]?.id }, SLIDER),
    () => aHubPost(author, homes.slice(0, 1), SLIDER),
  ];
  const { id, visibility, isShareable } = await at(kinds, index)();
  const isMortal = index >= kinds.length && index % 2 === 1;
  return { id, author, isPrivate: visibility === 'private_locked_hub', isShareable, isMortal };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** The item at `index` of what begins again at its end. */
function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There is none.');
  return item;
}
