import pg from 'pg';
import { PHOTOS_URL } from './api.ts';
import { claimsOf } from './bearers.ts';
import type { ApiRequest, Comparison } from './comparison.ts';
import {
  firstVisitsToAlike,
  firstVisitsToLarge,
  type HubRequests,
  hubPage,
  members,
  membersCalled,
  ownHubs,
  PAGE,
  visitsToAlike,
  visitsToLarge,
} from './hub-requests.ts';
import { SEARCHED_EVERY, type Search } from './hub-searches.ts';
import {
  FIRST_QUIET_PLACE,
  FIRST_QUIET_READER,
  FIRST_READING_PLACE,
  FULL,
  HUBS,
  LARGE,
  LARGE_READERS,
  LISTER,
  memberSql,
  READING_PLACES,
} from './hub-sizes.ts';
import { FIRST_ID, idOf, sqlOf } from './population.ts';

const COUNT = 5_000;
const TARGET = 0.4;

// Each number has a reader of its own, of whom there are fewer.
const FIRST_VISITS_COUNT = 2_000;

/** What stands in a script for the text that is looked for. */
const TEXT = '$text$';

/** Who asks, and about which Hub: their numbers as pgbench computes them from `:n`. */
interface Script {
  readonly reader: string | number;
  readonly hub: string | number;
}

const ALIKE: Script = {
  hub: `:n % ${HUBS}`,
  reader: memberSql(FULL, `(:n % ${HUBS})`, `(${FIRST_READING_PLACE} + :n / ${HUBS} % ${READING_PLACES})`),
};

const FIRST_IN_ALIKE: Script = {
  hub: `:n % ${HUBS}`,
  reader: memberSql(FULL, `(:n % ${HUBS})`, `(${FIRST_QUIET_PLACE} + :n / ${HUBS})`),
};

const IN_LARGE: Script = { hub: LARGE, reader: `${LISTER + 1} + :n % ${LARGE_READERS}` };

const FIRST_IN_LARGE: Script = { hub: LARGE, reader: `${FIRST_QUIET_READER} + :n` };

const LISTING: Script = { hub: LARGE, reader: LISTER };

/** What was prepared for the requests. */
export interface Prepared {
  /** Where page 50 of the large Hub's members begins. */
  readonly deepCursor: string;
  readonly searchesInAlike: readonly Search[];
  readonly searchesInLarge: readonly Search[];
}

/** Requests to Hubs at full size through the API and pgbench. */
export function hubComparisons({ deepCursor, searchesInAlike, searchesInLarge }: Prepared): Comparison[] {
  const alike = visitsToAlike(FULL);
  const first = { limit: PAGE };
  const deep = { cursor: deepCursor, limit: PAGE };
  const judged = (requests: HubRequests, script: Script, searches?: readonly Search[]) => ({
    ...comparisonOf(requests, script, searches),
    target: TARGET,
  });
  const shown = (requests: HubRequests, script: Script) => ({
    ...comparisonOf(requests, script),
    count: FIRST_VISITS_COUNT,
  });
  return [
    judged(hubPage('GET /hubs/{id}, Hubs of 1,000', alike), ALIKE),
    judged(hubPage('GET /hubs/{id}, the Hub of 100,000', visitsToLarge), IN_LARGE),
    judged(members('members, page 1, Hubs of 1,000', alike, first), ALIKE),
    judged(members('members, page 1, the Hub of 100,000', visitsToLarge, first), IN_LARGE),
    judged(members('members, page 50, the Hub of 100,000', visitsToLarge, deep), IN_LARGE),
    judged(
      membersCalled('members, q, Hubs of 1,000', searchesInAlike, PAGE),
      searchingIn(searchesInAlike),
      searchesInAlike,
    ),
    judged(
      membersCalled('members, q, the Hub of 100,000', searchesInLarge, PAGE),
      { ...IN_LARGE, reader: `${LISTER + 1} + :n % ${searchesInLarge.length}` },
      searchesInLarge,
    ),
    judged(ownHubs('GET /users/me/hubs, 200 Hubs'), LISTING),
    shown(hubPage('GET /hubs/{id}, Hubs of 1,000, first visits', firstVisitsToAlike(FULL)), FIRST_IN_ALIKE),
    shown(hubPage('GET /hubs/{id}, the Hub of 100,000, first visits', firstVisitsToLarge), FIRST_IN_LARGE),
  ];
}

function searchingIn(searches: readonly Search[]): Script {
  const hub = `:n % ${searches.length} * ${SEARCHED_EVERY}`;
  return { hub, reader: memberSql(FULL, `(${hub})`, String(FIRST_READING_PLACE)) };
}

function comparisonOf(
  { title, operation, answerHolds, request }: HubRequests,
  { hub, reader }: Script,
  searches: readonly Search[] = [],
): Comparison {
  const { hubId, q, ...part } = request(0).args;
  const args = {
    ...part,
    ...(q === undefined ? {} : { q: TEXT }),
    ...(hubId === undefined ? {} : { hubId: idOf(0) }),
  };
  const argsSql = sqlOf(args, 'hub').replace(TEXT, () => `' || ${textSql(searches)} || '`);
  return {
    title,
    count: COUNT,
    status: 200,
    answerHolds,
    request: (n) => requestOf(operation, request(n)),
    login: 'opine_gateway',
    sql: `\\set hub ${FIRST_ID} + ${hub}
\\set reader ${FIRST_ID} + ${reader}
select answer from gateway.call('caller', '${operation}', ${argsSql}, ${sqlOf(claimsOf(0), 'reader')}, false, '${PHOTOS_URL}');`,
  };
}

function requestOf(
  operation: HubRequests['operation'],
  { user, args: { hubId, ...query } }: ReturnType<HubRequests['request']>,
): ApiRequest {
  const path = {
    get_hub: `/hubs/${hubId}`,
    list_members: `/hubs/${hubId}/members`,
    list_my_hubs: '/users/me/hubs',
  }[operation];
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const suffix = entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
  return { method: 'GET', path: `${path}${suffix}`, user };
}

/** The text of search number `:n`, of one literal: an array of many would cost Postgres more to parse than to search. */
function textSql(searches: readonly Search[]): string {
  const texts = searches.map(({ text }) => JSON.stringify(text)).join(',');
  return `(${pg.escapeLiteral(`{${texts}}`)}::text[])[1 + :n % ${searches.length}]`;
}
