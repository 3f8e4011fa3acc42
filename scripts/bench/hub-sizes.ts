import { USERS } from './population.ts';

/** Hubs that are alike. One more is as large as all people. */
export const HUBS = 1_000;

/** The number of the large Hub, of which everybody is a member. */
export const LARGE = HUBS;

/** The user whose list of Hubs is read. */
export const LISTER = USERS;

/** The lister is in every Hub whose number this divides but the first, and in the large one: in 200. */
export const LISTED_EVERY = 5;

/** Whoever reads one of the Hubs that are alike has one of these places, which are there at every size. */
export const FIRST_READING_PLACE = 1;
export const READING_PLACES = 2;

/** Members of the large Hub who read it: as many at every size. */
export const LARGE_READERS = 900;

/** From here on are those who read nothing but a page that is the first for each of them. */
export const FIRST_QUIET_PLACE = 10;
export const FIRST_QUIET_READER = LISTER + 1 + LARGE_READERS;

/** How much there is of what grows. There are as many Hubs, and the lister is in as many, at every size. */
export interface HubSize {
  /** People who are Hub-ready: the members of the large Hub. */
  readonly people: number;
  /** Members of each other Hub. */
  readonly members: number;
}

export const FULL: HubSize = { people: 100_000, members: 1_000 };
export const HUNDREDTH: HubSize = { people: FULL.people / 100, members: FULL.members / 100 };

// At both sizes without a factor in common with the people beside the lister: no Hub has anybody twice.
const HUB_STEP = 997;
const PLACE_STEP = 101;

/** Which user has place number `place` in one of the Hubs that are alike; its founder has the first, 0. */
export function memberOf({ people }: HubSize, hub: number, place: number): number {
  return LISTER + 1 + ((hub * HUB_STEP + place * PLACE_STEP) % (people - 1));
}

/** The same as an SQL expression, of SQL expressions. */
export function memberSql({ people }: HubSize, hub: string, place: string): string {
  return `${LISTER + 1} + (${hub} * ${HUB_STEP} + ${place} * ${PLACE_STEP}) % ${people - 1}`;
}
