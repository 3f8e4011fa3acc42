import type { Search } from './hub-searches.ts';
import {
  FIRST_QUIET_PLACE,
  FIRST_QUIET_READER,
  FIRST_READING_PLACE,
  HUBS,
  type HubSize,
  LARGE,
  LARGE_READERS,
  LISTER,
  memberOf,
  READING_PLACES,
} from './hub-sizes.ts';
import { idOf } from './population.ts';

/** Items of a page that is asked for without a limit. */
export const PAGE = 30;

/** A request about Hubs, by somebody who may make it. */
export interface HubRequest {
  readonly user: number;
  readonly args: HubArgs;
}

/** Which part of a list is asked for. */
export interface Part {
  readonly cursor?: string;
  readonly limit: number;
}

/** Arguments as the API hands them to Postgres. */
export interface HubArgs extends Partial<Part> {
  readonly q?: string;
  readonly hubId?: string;
}

/** Requests of one kind, of which number `n` is always the same. */
export interface HubRequests {
  readonly title: string;
  readonly operation: 'get_hub' | 'list_members' | 'list_my_hubs';
  /** A text that only the right answer holds. */
  readonly answerHolds: string;
  request(n: number): HubRequest;
}

/** Which Hub request number `n` is about, and which of its members makes it. */
export type Visits = (n: number) => { readonly hub: number; readonly reader: number };

/** All Hubs that are alike, in turn. */
export function visitsToAlike(size: HubSize): Visits {
  return (n) => {
    const hub = n % HUBS;
    const place = FIRST_READING_PLACE + (Math.floor(n / HUBS) % READING_PLACES);
    return { hub, reader: memberOf(size, hub, place) };
  };
}

/** Many members of the large Hub, in turn. */
export const visitsToLarge: Visits = (n) => ({ hub: LARGE, reader: LISTER + 1 + (n % LARGE_READERS) });

/** Members of Hubs that are alike who have not been there yet: another one for each of the first numbers. */
export function firstVisitsToAlike(size: HubSize): Visits {
  return (n) => {
    const hub = n % HUBS;
    return { hub, reader: memberOf(size, hub, FIRST_QUIET_PLACE + Math.floor(n / HUBS)) };
  };
}

/** Members of the large Hub who have not been there yet. */
export const firstVisitsToLarge: Visits = (n) => ({ hub: LARGE, reader: FIRST_QUIET_READER + n });

export function hubPage(title: string, visits: Visits): HubRequests {
  return {
    title,
    operation: 'get_hub',
    answerHolds: '"viewerStatus": "member"',
    request: (n) => {
      const { hub, reader } = visits(n);
      return { user: reader, args: { hubId: idOf(hub) } };
    },
  };
}

export function members(title: string, visits: Visits, part: Part): HubRequests {
  return {
    title,
    operation: 'list_members',
    answerHolds: '"phoneNumber": "+1303',
    request: (n) => {
      const { hub, reader } = visits(n);
      return { user: reader, args: { ...part, hubId: idOf(hub) } };
    },
  };
}

/** @param searches made in turn */
export function membersCalled(title: string, searches: readonly Search[], limit: number): HubRequests {
  return {
    title,
    operation: 'list_members',
    answerHolds: '"items": [',
    request: (n) => {
      const search = searches[n % searches.length];
      if (search === undefined) throw new Error('nobody is looked for');
      const { hub, reader, text } = search;
      return { user: reader, args: { limit, q: text, hubId: idOf(hub) } };
    },
  };
}

/** The Hubs of somebody who is in 200. */
export function ownHubs(title: string): HubRequests {
  return {
    title,
    operation: 'list_my_hubs',
    answerHolds: '"viewerStatus": "member"',
    request: () => ({ user: LISTER, args: { limit: PAGE } }),
  };
}
