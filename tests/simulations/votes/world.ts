import type { Json } from '../../support/client.ts';
import { aHub, aHubPost, type Hub, join } from '../../support/hubs.ts';
import type { Opine } from '../../support/opine.ts';
import { hubReadyPerson, type Person, registeredPerson } from '../../support/people.ts';
import { aRepost, aSlider } from '../../support/posts.ts';
import { itemAt } from '../random.ts';

export interface Actor {
  readonly person: Person;
  /** The Hubs of the person according to the answers so far. */
  readonly joinedHubs: Set<Hub>;
  /** Whether the person is Hub-ready. */
  readonly isReady: boolean;
}

/** A Hub with an admin who never leaves. */
export interface ManagedHub {
  readonly hub: Hub;
  readonly admin: Person;
}

export interface Target {
  readonly id: string;
  readonly author: Person;
  readonly isPrivate: boolean;
  readonly isShareable: boolean;
  /** Whether its author may delete it during the load. */
  readonly isDeletable: boolean;
}

export interface World {
  readonly opine: Pick<Opine, 'url' | 'database'>;
  readonly managedHubs: readonly ManagedHub[];
  /** The admin who is a member of every Hub. */
  readonly commonAdmin: Person;
  readonly actors: readonly Actor[];
  readonly targets: readonly Target[];
}

const HUBS = 4;
const READY = 24;
const REGISTERED = 8;
const SLIDER = { sliderText: 'Is this so?' };

/** Creates 32 people, 24 of them in two of four Hubs, and 24 posts of every visibility. */
export async function createWorld(opine: Pick<Opine, 'url' | 'database'>): Promise<World> {
  const here = { ...opine, stop: async () => {} };
  const admins = await Promise.all(numbers(HUBS).map(() => hubReadyPerson(here, 'Amara')));
  const managedHubs = await Promise.all(admins.map(async (admin) => ({ hub: await aHub(admin), admin })));
  const [commonAdmin] = admins;
  if (commonAdmin === undefined) throw new Error('There is no admin.');
  const [ready, registered] = await Promise.all([
    Promise.all(numbers(READY).map(() => hubReadyPerson(here, 'Maya'))),
    Promise.all(numbers(REGISTERED).map(() => registeredPerson(here, 'Noor'))),
  ]);
  const firstHubsOf = (index: number) => [0, 1].map((next) => itemAt(managedHubs, index + next).hub);
  await Promise.all(
    managedHubs.map(({ hub, admin }, place) => {
      const members = ready.filter((_, index) => firstHubsOf(index).includes(hub));
      return join(admin, hub, [...(place === 0 ? [] : [commonAdmin]), ...members]);
    }),
  );
  const targets: Target[] = [];
  for (const [index, author] of ready.entries()) {
    targets.push(await aTarget(author, firstHubsOf(index), index, targets));
  }
  const actors = [
    ...ready.map((person, index) => ({ person, isReady: true, joinedHubs: new Set(firstHubsOf(index)) })),
    ...registered.map((person) => ({ person, isReady: false, joinedHubs: new Set<Hub>() })),
  ];
  return { opine, managedHubs, commonAdmin, actors, targets };
}

async function aTarget(
  author: Person,
  joinedHubs: readonly Hub[],
  index: number,
  others: readonly Target[],
): Promise<Target> {
  // The first post is public and so may be reposted.
  const kinds: readonly (() => Promise<Json>)[] = [
    () => aSlider(author),
    () => aHubPost(author, joinedHubs.slice(0, 1), { ...SLIDER, visibility: 'public_hub' }),
    () => aHubPost(author, joinedHubs, SLIDER),
    () => aRepost(author, { id: others[0]?.id }, SLIDER),
    () => aHubPost(author, joinedHubs.slice(0, 1), SLIDER),
  ];
  const { id, visibility, isShareable } = await itemAt(kinds, index)();
  const isDeletable = index >= kinds.length && index % 2 === 1;
  return { id, author, isPrivate: visibility === 'private_locked_hub', isShareable, isDeletable };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
