import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimsOf } from '../../scripts/bench/bearers.ts';
import { addFeeds } from '../../scripts/bench/feed-population.ts';
import {
  type FeedSize,
  personAt,
  placeOf,
  VIEWERS,
  type ViewerName,
} from '../../scripts/bench/feed-sizes.ts';
import { idOf } from '../../scripts/bench/population.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { keepAutovacuumAway } from '../support/autovacuum.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type PlanNode, watchPlans } from '../support/plans.ts';

/** Enough that a plan which reads all posts or events would be another than one which looks for some. */
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

// From the sixth time on, Postgres may choose a plan that is to fit every page.
const PAGES = 7;

/** Far more than pages need of one stream, and far less than the stream of a Hub holds. */
const FEW = 200;

/** The most trending scores that a page looks down before it ranks the feed as a whole. */
const MOST_SCORES = 300;

const BUSIEST = personAt(0);

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await keepAutovacuumAway(database);
  await addFeeds(database.superuserUrl, SIZE);
});

afterAll(() => database.drop());

/** How the pages of a feed are read, one after the other; once more the first where there are fewer. */
function watch(operation: string, claims: object | null, args: object): Promise<PlanNode[]> {
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

const looksAt = (table: string) => (node: PlanNode) => node['Relation Name'] === table;

/** What grows with every post, and with whatever is done about one. */
const GROWING = ['posts', 'feed_events', 'articles', 'vote_pools', 'vote_receipts'];

/** Looks that begin anywhere but at one post, one person or one stream, or at what was lost since a walk began. */
function unbound(nodes: readonly PlanNode[]): string[] {
  const looks = nodes.filter((node) => GROWING.includes(node['Relation Name'] ?? ''));
  const found = looks.filter((node) => !/\(\w*id = |\(lost_by >= /.test(boundOf(node)));
  return [
    ...new Set(found.map((node) => `${node['Node Type']} of ${node['Relation Name']} ${boundOf(node)}`)),
  ];
}

const boundOf = (node: PlanNode) => node['Index Cond'] ?? node['Recheck Cond'] ?? '';

const rowsOf = (node: PlanNode) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);

const claimsAs = (viewer: ViewerName) => claimsOf(personAt(placeOf(viewer, SIZE)));

describe.each(VIEWERS)('the home feed of the viewer "%s"', (viewer) => {
  test('is read stream by stream, a few events of each', async () => {
    const nodes = await watch('get_home_feed', claimsAs(viewer), {});
    const events = nodes.filter(looksAt('feed_events'));
    expect(events).not.toEqual([]);
    expect(unbound(nodes)).toEqual([]);
    const ofStreams = events.filter((node) => node['Index Cond']?.includes('(source_id = '));
    expect(ofStreams).not.toEqual([]);
    expect(Math.max(...ofStreams.map(rowsOf))).toBeLessThan(FEW);
  });

  test('is read stream by stream when it is what is trending', async () => {
    const nodes = await watch('get_home_feed', claimsAs(viewer), { sort: 'trending' });
    expect(nodes.filter(looksAt('feed_events'))).not.toEqual([]);
    expect(unbound(nodes)).toEqual([]);
    const ofScores = nodes.filter((node) => node['Index Name'] === 'trending_scores_score_idx');
    expect(ofScores).not.toEqual([]);
    expect(Math.max(...ofScores.map(rowsOf))).toBeLessThanOrEqual(MOST_SCORES);
    expect(nodes.filter(looksAt('trending_scores')).filter((node) => boundOf(node) === '')).toEqual([]);
  });
});

test('the stream of a Hub holds more than is read of one', async () => {
  await withClient(database.superuserUrl, async (client) => {
    const { rows } = await client.query(
      `select from app.feed_events as e where e.lost_at is null and e.hub_id is not null group by e.hub_id having count(*) < ${3 * FEW}`,
    );
    expect(rows).toEqual([]);
  });
});

describe('no other feed looks for all posts', () => {
  test.each([
    ['the home feed of a guest', 'get_home_feed', null, {}],
    ['what is trending for a guest', 'get_home_feed', null, { sort: 'trending' }],
    ['the feed of a Hub', 'get_hub_feed', claimsAs('hubs'), { hubId: idOf(0) }],
    ['what is trending in a Hub', 'get_home_feed', claimsAs('hubs'), { hubId: idOf(0), sort: 'trending' }],
    ['a profile feed', 'get_profile_feed', claimsAs('dense'), { userId: idOf(BUSIEST) }],
    ['a profile feed for a guest', 'get_profile_feed', null, { userId: idOf(BUSIEST) }],
  ])('%s', async (_feed, operation, claims, args) => {
    const nodes = await watch(operation, claims, args);
    expect(nodes.filter(looksAt('posts'))).not.toEqual([]);
    expect(unbound(nodes)).toEqual([]);
  });
});
