import { LISTER } from './hub-sizes.ts';

/** How much there is in a database of feeds. */
export interface FeedSize {
  /** People who are Hub-ready. */
  readonly people: number;
  readonly hubs: number;
  /** Members of each Hub. */
  readonly members: number;
  readonly posts: number;
  /** What people have done in public: rows of app.feed_events in their own streams. */
  readonly events: number;
  /** How many each of them follows. */
  readonly followees: { readonly dense: number; readonly sparse: number; readonly blocks: number };
  /** Between how many and the viewer of that name stands a block. */
  readonly blocks: number;
  /** In how many Hubs the viewer of that name is. */
  readonly joined: number;
}

/** All of it. */
export const FULL: FeedSize = {
  people: 100_000,
  hubs: 750,
  members: 200,
  posts: 2_000_000,
  events: 5_000_000,
  followees: { dense: 2_000, sparse: 200, blocks: 500 },
  blocks: 1_000,
  joined: 50,
};

/** A hundredth of what grows. The viewers follow as many, and are in Hubs of as many, as no answer shall be shorter. */
export const HUNDREDTH: FeedSize = { ...FULL, posts: FULL.posts / 100, events: FULL.events / 100 };

/** Whose feeds are read. */
export type ViewerName = 'dense' | 'sparse' | 'hubs' | 'blocks';

/** All of them, in the order in which they stand at the end of the row of people. */
export const VIEWERS: readonly ViewerName[] = ['dense', 'sparse', 'hubs', 'blocks'];

// People stand in a row, the busiest first: those who do something, those who have been silent for months, the viewers.

/** How many people do something now and then. */
export function activePeople({ people, followees }: FeedSize): number {
  return people - followees.sparse - VIEWERS.length;
}

/** How many are in Hubs, every second of the busier ones: each in some of them. */
export function hubPeople({ people }: FeedSize): number {
  return people * 0.4;
}

/** The number of whoever stands at a place of the row. */
export function personAt(place: number): number {
  return LISTER + place;
}

/** A viewer's place in the row. */
export function placeOf(viewer: ViewerName, { people }: FeedSize): number {
  return people - VIEWERS.length + VIEWERS.indexOf(viewer);
}
