import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { keepAutovacuumAway } from '../support/autovacuum.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type PlanNode, watchPlans } from '../support/plans.ts';

const VIEWER = '01990000-0000-7000-8000-000000000001';
const CALLERS = {
  'a guest': null,
  somebody: { role: 'authenticated', sub: VIEWER, session_id: VIEWER, exp: 4_102_444_800 },
};

/** In two names and a number each, many share each of the names. */
const CROWD = `
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
insert into app.sessions (id, user_id) values ('${VIEWER}', '${VIEWER}');
analyze;
`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await keepAutovacuumAway(database);
  // What is drawn is the same in each run.
  await withClient(database.superuserUrl, (client) => client.query(`select setseed(0.5); ${CROWD}`));
});

afterAll(() => database.drop());

/** How a search is carried out, each time that it is made. */
function watch(claims: object | null, q: string, times: number): Promise<(readonly PlanNode[])[]> {
  return watchPlans(database, async (invoke) => {
    const seen: (readonly PlanNode[])[] = [];
    for (let time = 0; time < times; time += 1) {
      seen.push((await invoke('search_users', claims, { q })).nodes);
    }
    return seen;
  });
}

const readsPeople = (node: PlanNode) => node['Relation Name'] === 'profiles';
const blocksOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

/** Indexes of people that a search has used to find them, in this order. */
function tiersOf(nodes: readonly PlanNode[]): string[] {
  const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
  return [...new Set(indexes)].filter((name) => TIERS.includes(name));
}

const HANDLE = 'profiles_username_key';
const NAME = 'profiles_search_name_idx';
const LAST_NAME = 'profiles_last_word_idx';
const ALIKE = 'profiles_fuzzy_idx';
const TIERS = [HANDLE, NAME, LAST_NAME, ALIKE];

// From the sixth time on, Postgres may choose a plan that is to fit every query.
const OFTEN = 7;

describe.each(Object.entries(CALLERS))('%s finds by an index alone', (_, claims) => {
  test.each([
    ['the begin of many handles', 'maria_s', [HANDLE]],
    ['two letters', 'ma', [HANDLE]],
    ['two letters that nobody has', 'qx', [HANDLE, NAME, LAST_NAME]],
    ['a given name and an initial', 'maria s', [HANDLE, NAME]],
    ['a last name', 'Kowalski', [HANDLE, NAME, LAST_NAME]],
    ['a full name with accents', 'José García', [HANDLE, NAME]],
    ['an exact handle', '@james_s_x', TIERS],
    ['a frequent name with a slip', 'kowaslki', TIERS],
    ['two names with a slip in each', 'fatmia kowaslki', TIERS],
    ['what nobody is called', 'qxzjvk', TIERS],
    ['a text as long as they come', 'maria james anna '.repeat(5).slice(0, 80), TIERS],
  ])('%s', async (_kind, q, tiers) => {
    for (const nodes of await watch(claims, q, OFTEN)) {
      expect(tiersOf(nodes)).toEqual(tiers);
      const byNoIndex = nodes.filter(readsPeople).filter((node) => node['Node Type'] === 'Seq Scan');
      expect(byNoIndex).toEqual([]);
    }
  });
});

describe.each(Object.entries(CALLERS))('%s', (_, claims) => {
  test.each(['qxzjvk', 'zzz', 'kowaslki'])('has not to wait while it is read whom %s is not', async (q) => {
    for (const nodes of await watch(claims, q, OFTEN)) {
      const looks = nodes.filter((node) => [HANDLE, NAME, LAST_NAME].includes(node['Index Name'] ?? ''));
      expect(looks).toHaveLength(3);
      // From the root of an index down to a leaf, and the one beside it; not through the half of it.
      for (const look of looks) expect(blocksOf(look)).toBeLessThan(10);
    }
  });
});
