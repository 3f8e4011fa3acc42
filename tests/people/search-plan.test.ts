import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { keepAutovacuumAway, type PlanNode, watchPlans } from '../support/plans.ts';

const VIEWER = '01990000-0000-7000-8000-000000000001';
const CALLERS = {
  'a guest': null,
  'a user': { role: 'authenticated', sub: VIEWER, session_id: VIEWER, exp: 4_102_444_800 },
};

/** Inserts 20,000 users; many share a first or a last name. */
const USERS = `
with made as (
  insert into app.users select from generate_series(1, 20000) returning id
), person as (
  select
    id, row_number() over () as n,
    (array['Maria', 'James', 'Anna', 'José', 'Fatima', 'Wei', 'Olga', 'Priya', 'Kwame', 'Søren'])[1 + random(0, 9)] as given,
    (array['Smith', 'García', 'Johnson', 'Müller', 'Nguyen', 'Patel', 'Kowalski', 'Okafor', 'Rossi'])[1 + random(0, 8)] as family
  from made
)
insert into app.profiles (user_id, username, full_name)
select id, app.folded(given) || '_' || app.folded(left(family, 1)) || '_' || n, given || ' ' || family from person;

insert into app.users (id) values ('${VIEWER}');
insert into app.profiles (user_id, username, full_name) values ('${VIEWER}', 'james_taken', 'Jim Doe');
insert into app.sessions (id, user_id) values ('${VIEWER}', '${VIEWER}');
analyze;
`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await keepAutovacuumAway(database);
  // A fixed seed draws the same names in each run.
  await withClient(database.superuserUrl, (client) => client.query(`select setseed(0.5); ${USERS}`));
});

afterAll(() => database.drop());

/** Returns the plan of each of `times` equal searches. */
function watch(claims: object | null, q: string, times: number): Promise<(readonly PlanNode[])[]> {
  return watchPlans(database, async (invoke) => {
    const seen: (readonly PlanNode[])[] = [];
    for (let time = 0; time < times; time += 1) {
      seen.push((await invoke('search_users', claims, { q })).nodes);
    }
    return seen;
  });
}

const readsProfiles = (node: PlanNode) => node['Relation Name'] === 'profiles';
const blocksOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

/** Returns the indexes that a search scanned for users, in order. */
function tiersOf(nodes: readonly PlanNode[]): string[] {
  const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
  return [...new Set(indexes)].filter((name) => TIERS.includes(name));
}

const USERNAME = 'profiles_username_key';
const NAME = 'profiles_search_name_idx';
const LAST_NAME = 'profiles_last_word_idx';
const SIMILAR = 'profiles_fuzzy_idx';
const TIERS = [USERNAME, NAME, LAST_NAME, SIMILAR];

// Postgres may choose a generic plan from the sixth execution on.
const EXECUTIONS = 7;

describe.each(Object.entries(CALLERS))('a search by %s', (_, claims) => {
  test.each([
    ['a prefix of many usernames', 'maria_s', [USERNAME]],
    ['two letters', 'ma', [USERNAME]],
    ['two letters of no user', 'qx', [USERNAME, NAME, LAST_NAME]],
    ['a given name and an initial', 'maria s', [USERNAME, NAME]],
    ['a last name', 'Kowalski', [USERNAME, NAME, LAST_NAME]],
    ['a full name with accents', 'José García', [USERNAME, NAME]],
    ['a username that nobody has', '@james_s_x', TIERS],
    ['a taken username', '@james_taken', [USERNAME, NAME, LAST_NAME]],
    ['a frequent name with a typo', 'kowaslki', TIERS],
    ['two names with a typo each', 'fatmia kowaslki', TIERS],
    ['the name of no user', 'qxzjvk', TIERS],
    ['the longest query', 'maria james anna '.repeat(5).slice(0, 80), TIERS],
  ])('a search for %s scans indexes only', async (_kind, q, tiers) => {
    for (const nodes of await watch(claims, q, EXECUTIONS)) {
      expect(tiersOf(nodes)).toEqual(tiers);
      const seqScans = nodes.filter(readsProfiles).filter((node) => node['Node Type'] === 'Seq Scan');
      expect(seqScans).toEqual([]);
    }
  });
  test('a search for a taken username reads at most 50 people at a time', async () => {
    for (const nodes of await watch(claims, 'james_taken', EXECUTIONS)) {
      const scans = nodes.filter(readsProfiles);
      expect(Math.max(...scans.map((node) => node['Actual Rows']))).toBe(50);
      for (const scan of scans) expect(scan['Rows Removed by Filter'] ?? 0).toBe(0);
    }
  });
  test.each(['qxzjvk', 'zzz', 'kowaslki'])(
    'a search for %s, which no user matches, reads a few blocks of each index',
    async (q) => {
      for (const nodes of await watch(claims, q, EXECUTIONS)) {
        const scans = nodes.filter((node) => [USERNAME, NAME, LAST_NAME].includes(node['Index Name'] ?? ''));
        // One for each tier, and one for the owner of the username.
        expect(scans).toHaveLength(4);
        // A path from the root to a leaf and its neighbour, not half of the index.
        for (const scan of scans) expect(blocksOf(scan)).toBeLessThan(10);
      }
    },
  );
});
