import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimsOf, idOf } from '../../scripts/bench/population.ts';
import {
  addFeeds,
  type FeedSize,
  personAt,
  placeOf,
  VIEWERS,
  type ViewerName,
} from '../../scripts/bench/scenarios/feeds-population.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { keepAutovacuumAway, type PlanNode, watchPlans } from '../support/plans.ts';

/** Large enough that the plan of a full scan differs from the plan of an index scan. */
const SIZE: FeedSize = {
  people: 1_000,
  hubs: 15,
  members: 40,
  posts: 8_000,
  events: 20_000,
  followees: { dense: 100, sparse: 20, blocks: 50 },
  blocks: 100,
  joined: 5,
};

// Postgres may switch to a generic plan from the sixth execution on.
const PAGES = 7;

/** Rows that pages may read of one source: far more than they need, far fewer than a Hub has. */
const FEW = 200;

/** Trending scores that a page may read before it ranks the whole feed. */
const MOST_SCORES = 300;

const BUSIEST = personAt(0);

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await keepAutovacuumAway(database);
  await addFeeds(database.superuserUrl, SIZE);
});

afterAll(() => database.drop());

/** Returns the plan nodes of `PAGES` consecutive pages, beginning again where the feed has fewer. */
function planNodes(operation: string, claims: object | null, args: object): Promise<PlanNode[]> {
  return watchPlans(database, async (invoke) => {
    const seen: PlanNode[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < PAGES; page += 1) {
      const { answer, nodes } = await invoke(operation, claims, cursor === null ? args : { ...args, cursor });
      seen.push(...nodes);
      cursor = JSON.parse(answer).nextCursor;
    }
    return seen;
  });
}

const reads = (table: string) => (node: PlanNode) => node['Relation Name'] === table;

/** Tables that grow with every post and every activity. */
const GROWING = ['posts', 'feed_events', 'articles', 'vote_pools', 'vote_receipts'];

/** Describes scans of growing tables that an index bounds neither by one id nor by the start of the pagination. */
function unbound(nodes: readonly PlanNode[]): string[] {
  const scans = nodes.filter((node) => GROWING.includes(node['Relation Name'] ?? ''));
  const unboundScans = scans.filter((node) => !/\(\w*id = |\(ended_by >= /.test(boundOf(node)));
  return [
    ...new Set(
      unboundScans.map((node) => `${node['Node Type']} of ${node['Relation Name']} ${boundOf(node)}`),
    ),
  ];
}

const boundOf = (node: PlanNode) => node['Index Cond'] ?? node['Recheck Cond'] ?? '';

const rowsOf = (node: PlanNode) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);

const claimsAs = (viewer: ViewerName) => claimsOf(personAt(placeOf(viewer, SIZE)));

describe.each(VIEWERS)('the home feed of the viewer "%s"', (viewer) => {
  test('a page reads a few events of each source by index', async () => {
    const nodes = await planNodes('get_home_feed', claimsAs(viewer), {});
    const events = nodes.filter(reads('feed_events'));
    expect(events).not.toEqual([]);
    expect(unbound(nodes)).toEqual([]);
    const ofStreams = events.filter((node) => node['Index Cond']?.includes('(source_id = '));
    expect(ofStreams).not.toEqual([]);
    expect(Math.max(...ofStreams.map(rowsOf))).toBeLessThan(FEW);
  });

  test('a trending page reads sources by index and at most 300 trending scores', async () => {
    const nodes = await planNodes('get_home_feed', claimsAs(viewer), { sort: 'trending' });
    expect(nodes.filter(reads('feed_events'))).not.toEqual([]);
    expect(unbound(nodes)).toEqual([]);
    const ofScores = nodes.filter((node) => node['Index Name'] === 'trending_scores_score_idx');
    expect(ofScores).not.toEqual([]);
    expect(Math.max(...ofScores.map(rowsOf))).toBeLessThanOrEqual(MOST_SCORES);
    expect(nodes.filter(reads('trending_scores')).filter((node) => boundOf(node) === '')).toEqual([]);
  });
});

test('the source of each Hub holds more events than a page may read', async () => {
  await withClient(database.superuserUrl, async (client) => {
    const { rows } = await client.query(
      `select from app.feed_events as e where e.ended_at is null and e.hub_id is not null group by e.hub_id having count(*) < ${3 * FEW}`,
    );
    expect(rows).toEqual([]);
  });
});

describe('the plan of another feed', () => {
  test.each([
    ['the home feed of a guest', 'get_home_feed', null, {}],
    ['the trending feed of a guest', 'get_home_feed', null, { sort: 'trending' }],
    ['the feed of a Hub', 'get_hub_feed', claimsAs('hubs'), { hubId: idOf(0) }],
    ['the trending feed of a Hub', 'get_home_feed', claimsAs('hubs'), { hubId: idOf(0), sort: 'trending' }],
    ['a profile feed', 'get_profile_feed', claimsAs('dense'), { userId: idOf(BUSIEST) }],
    ['a profile feed for a guest', 'get_profile_feed', null, { userId: idOf(BUSIEST) }],
  ])('%s scans no growing table without a bound', async (_feed, operation, claims, args) => {
    const nodes = await planNodes(operation, claims, args);
    expect(nodes.filter(reads('posts'))).not.toEqual([]);
    expect(unbound(nodes)).toEqual([]);
  });
});
