import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { type FeedDriver, throughGateway } from '../simulations/feeds/drivers.ts';
import {
  ACTIVITY_MUTATIONS,
  CARD_MUTATIONS,
  FEED_MUTATIONS,
  POLICY_MUTATIONS,
  UNNOTICEABLE,
} from '../simulations/feeds/mutations.ts';
import { differenceIn, firstDifference } from '../simulations/feeds/simulation.ts';
import { createPgtapDatabase, type TestDatabase } from '../support/database.ts';
import { sampleOf } from '../support/depth.ts';
import { declarationOf, type Mutation, redefinitions } from '../support/mutations.ts';
import { runTap } from '../support/pgtap.ts';
import { keepAutovacuumAway } from '../support/plans.ts';

const TESTS = path.join(SUPABASE_DIRECTORY, 'tests');
const HISTORIES = { maxLength: 44, seed: 4 };
const MOST_HISTORIES = 60;

let database: TestDatabase;
let client: pg.Client;
let driver: FeedDriver;
/** Numbers of histories that noticed a mutation, the latest first: they often notice the next one. */
let noticing: number[] = [];

beforeAll(async () => {
  database = await createPgtapDatabase();
  await keepAutovacuumAway(database);
  // A mutation may make a loop endless.
  client = new pg.Client({ connectionString: database.superuserUrl, statement_timeout: 20_000 });
  await client.connect();
  driver = await throughGateway();
});

afterAll(async () => {
  await driver?.close();
  await client?.end();
  await database?.drop();
});

/** Returns whether a pgTAP test or a history notices the mutation. */
async function isNoticed(mutation: Mutation): Promise<boolean> {
  return (await failsInPgtap(mutation)) || (await differsInHistories(mutation));
}

async function failsInPgtap(mutation: Mutation): Promise<boolean> {
  const { mutate, restore } = redefinitions(mutation);
  await client.query(mutate);
  try {
    for (const file of pgtapFilesAbout(mutation[0])) {
      const sql = readFileSync(path.join(TESTS, file), 'utf8');
      const problems = await runTap(client, sql).catch((error: Error) => [error.message]);
      if (problems.length > 0) return true;
    }
    return false;
  } finally {
    await client.query(restore);
  }
}

/** The domains that show what posts are and do. */
const DOMAINS_OF_POSTS = ['posts', 'cards', 'feeds'];

/** Returns the pgTAP tests that may notice a change of an object, those of its feature first, then those of its domain. */
function pgtapFilesAbout(object: string): string[] {
  const { domain, feature } = declarationOf(object);
  const filesOf = (name: string) => globSync(`${name}/*.test.sql`, { cwd: TESTS }).sort();
  const files = [...new Set([domain, ...DOMAINS_OF_POSTS])].flatMap(filesOf);
  const own = files.filter((file) => file.startsWith(`${domain}/${feature}`));
  return [...own, ...files.filter((file) => !own.includes(file))];
}

/** Returns whether a history differs with the mutation and does not without. */
async function differsInHistories(mutation: Mutation): Promise<boolean> {
  const { mutate, restore } = redefinitions(mutation);
  await driver.execute(mutate);
  const number = await findNoticingHistory();
  await driver.execute(restore);
  if (number === null) return false;
  if (!noticing.includes(number)) expect(await differenceIn(driver, HISTORIES, number)).toBeNull();
  noticing = [number, ...noticing.filter((other) => other !== number)];
  return true;
}

async function findNoticingHistory(): Promise<number | null> {
  for (const number of noticing.slice(0, 10)) {
    if ((await differenceIn(driver, HISTORIES, number)) !== null) return number;
  }
  return firstDifference(driver, HISTORIES, MOST_HISTORIES);
}

test.each([
  ['visibility policies', POLICY_MUTATIONS],
  ['feeds', FEED_MUTATIONS],
  ['activity records', ACTIVITY_MUTATIONS],
  ['cards and lists', CARD_MUTATIONS],
])('a pgTAP test or a history notices every mutation of %s', async (_, mutations) => {
  const survivors: Mutation[] = [];
  for (const mutation of sampleOf(mutations)) {
    if (!(await isNoticed(mutation))) survivors.push(mutation);
  }
  expect(survivors).toEqual([]);
});

test.each(UNNOTICEABLE)('the clause of an unnoticeable mutation still exists: %j', (mutation) => {
  expect(redefinitions(mutation).mutate).not.toBe(redefinitions(mutation).restore);
});
