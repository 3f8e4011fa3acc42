import { withClient } from '../local/connection.ts';
import { PHOTOS_URL } from './api.ts';
import { claimsOf } from './bearers.ts';
import type { Comparison } from './comparison.ts';
import { hubComparisons } from './hub-comparisons.ts';
import type { Growth } from './hub-growth.ts';
import { addHubs } from './hub-population.ts';
import {
  type HubRequests,
  hubPage,
  members,
  membersCalled,
  ownHubs,
  PAGE,
  visitsToAlike,
  visitsToLarge,
} from './hub-requests.ts';
import { type Search, searchesInAlike, searchesInLarge } from './hub-searches.ts';
import { FULL, HUNDREDTH, type HubSize, LARGE } from './hub-sizes.ts';
import { idOf } from './population.ts';
import type { Database, World } from './world.ts';

/** The last full page of a list of 1,000; of a list of 100,000 it is page 50. */
const DEEP_PAGE = { full: 50, hundredth: Math.floor(HUNDREDTH.people / PAGE) };

/** Members on a page of both sizes where the smaller Hubs have no more. */
const FEW = HUNDREDTH.members;

/** Two sizes of data, and what is measured. */
export interface Prepared {
  readonly full: Database;
  readonly hundredth: Database;
  /** How the time of the SQL grows with the data. */
  readonly growths: readonly Growth[];
  /** At full size. */
  readonly comparisons: readonly Comparison[];
}

/** What was read from a database to ask it more. */
interface Findings {
  readonly size: HubSize;
  readonly deepCursor: string;
  readonly searchesInAlike: readonly Search[];
  readonly searchesInLarge: readonly Search[];
}

async function prepare(world: World): Promise<Prepared> {
  const full = await world.createDatabase();
  const hundredth = await world.createDatabase();
  await addHubs(full.superuserUrl, FULL);
  await addHubs(hundredth.superuserUrl, HUNDREDTH);
  const ofFull = await findingsIn(full, FULL, DEEP_PAGE.full);
  const ofHundredth = await findingsIn(hundredth, HUNDREDTH, DEEP_PAGE.hundredth);
  return { full, hundredth, growths: growthsOf(ofFull, ofHundredth), comparisons: hubComparisons(ofFull) };
}

async function findingsIn(database: Database, size: HubSize, deepPage: number): Promise<Findings> {
  return {
    size,
    deepCursor: await cursorOf(database, deepPage),
    searchesInAlike: await searchesInAlike(database, size),
    searchesInLarge: await searchesInLarge(database),
  };
}

/** Where a page of the large Hub's members begins, found by reading those before it. */
function cursorOf(database: Database, page: number): Promise<string> {
  const { reader } = visitsToLarge(0);
  return withClient(database.urlAs('opine_gateway'), async (client) => {
    let cursor: string | undefined;
    for (let number = 1; number < page; number += 1) {
      const args = { cursor, limit: PAGE, hubId: idOf(LARGE) };
      const { rows } = await client.query<{ answer: string }>(
        `select answer from gateway.call('caller', 'list_members', $2, $1, false, $3)`,
        [claimsOf(reader), args, PHOTOS_URL],
      );
      cursor = JSON.parse(rows[0]?.answer ?? '{}').nextCursor;
    }
    if (typeof cursor !== 'string') throw new Error(`the large Hub has no page ${page} of members`);
    return cursor;
  });
}

function growthsOf(full: Findings, hundredth: Findings): Growth[] {
  const pair = (title: string, requests: (findings: Findings) => HubRequests) => {
    return { title, full: requests(full), hundredth: requests(hundredth) };
  };
  const alone = (title: string, requests: (findings: Findings) => HubRequests): Growth => {
    return { title, pairs: [pair(title, requests)] };
  };
  const kinds = [...new Set(full.searchesInLarge.map(({ kind }) => kind))];
  const byKind = (title: string, limit: number, searches: (findings: Findings) => readonly Search[]) => ({
    title,
    pairs: kinds.map((kind) =>
      pair(`${title}: ${kind}`, (findings) =>
        membersCalled(
          `${title}: ${kind}`,
          searches(findings).filter((search) => search.kind === kind),
          limit,
        ),
      ),
    ),
  });
  const alike = ({ size }: Findings) => visitsToAlike(size);
  const page1 = { limit: PAGE };
  const titles = {
    alike: 'Hubs of 1,000 or 10',
    large: 'the Hub of 100,000 or 1,000',
  };
  return [
    alone(`GET /hubs/{id}, ${titles.alike}`, (findings) => hubPage(titles.alike, alike(findings))),
    alone(`GET /hubs/{id}, ${titles.large}`, () => hubPage(titles.large, visitsToLarge)),
    alone(`members, page 1 of ten each, ${titles.alike}`, (findings) =>
      members(titles.alike, alike(findings), { limit: FEW }),
    ),
    alone(`members, page 1, ${titles.large}`, () => members(titles.large, visitsToLarge, page1)),
    alone(`members, page 50 or 33, ${titles.large}`, ({ deepCursor }) =>
      members(titles.large, visitsToLarge, { cursor: deepCursor, limit: PAGE }),
    ),
    byKind(`members, q, ten each, ${titles.alike}`, FEW, (findings) => findings.searchesInAlike),
    byKind(`members, q, ${titles.large}`, PAGE, (findings) => findings.searchesInLarge),
    alone('GET /users/me/hubs, 200 Hubs', () => ownHubs('GET /users/me/hubs')),
  ];
}

/** Reading Hubs, of which some have many members. */
export const hubs = { name: 'hubs', prepare };
