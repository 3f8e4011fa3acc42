import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, type Environment, readConfig } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { anAudienceIn, audienceVotes } from '../support/audience.ts';
import { clientOf, expectOk, type Json } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { aHub, aMemberOf, join } from '../support/hubs.ts';
import {
  advanceTime,
  anOpine,
  currentTime,
  type Opine,
  testEnvironment,
  WITH_WORKER,
} from '../support/opine.ts';
import { whileInsertsFail } from '../support/outages.ts';
import { confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aSlider, requestShareToHubs, shareToHubs } from '../support/posts.ts';
import { startServerProcess } from '../support/server-process.ts';
import { castVote, countsOf, POSITIONS } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

const aKey = () => randomBytes(32).toString('base64');

const OLD = aKey();
const NEW = aKey();

/** Creates two Hubs of Amara's with Jonas and Lena, and a post in neither. */
async function aWorld(opine: Opine) {
  const amara = await hubReadyPerson(opine, 'Amara');
  const [hub, oak] = [await aHub(amara), await aHub(amara, { name: 'Oak Street' })];
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  const lena = await aMemberOf(opine, amara, hub, 'Lena');
  await join(amara, oak, [jonas, lena]);
  return { hub, oak, amara, jonas, lena, post: await aSlider(await confirmedPerson(opine)) };
}

describe('rotation of PENDING_VOTE_KEY', () => {
  /** Runs `use` against a server on `database` with `keys`. */
  async function withKeys<T>(
    database: TestDatabase,
    keys: string,
    use: (opine: Opine) => Promise<T>,
  ): Promise<T> {
    const { url, stop } = await startServer({ ...testEnvironment(database), PENDING_VOTE_KEY: keys });
    try {
      return await use({ url, database, stop });
    } finally {
      await stop();
    }
  }

  async function aDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    return database;
  }

  const connectTo = ({ url }: Opine, person: Person): Person => ({
    ...person,
    ...clientOf(url, person.session.accessToken),
  });

  const foldWith = (opine: Opine, keys: string) => foldAllVotes(opine, { PENDING_VOTE_KEY: keys });

  describe.each([
    ['folded', foldWith],
    ['unfolded', async () => {}],
  ])('%s waiting votes', (_, fold) => {
    // docs/product.md R8, V6
    test('the first key seals, and votes of a removed key wait until the key is back', async () => {
      const database = await aDatabase();
      const { hub, oak, post, ...people } = await withKeys(database, `${OLD},${NEW}`, async (opine) => {
        const world = await aWorld(opine);
        await expectOk(castVote(world.jonas, world.post, 'left'));
        await fold(opine, `${OLD},${NEW}`);
        return world;
      });
      await withKeys(database, NEW, async (opine) => {
        const [amara, lena] = [connectTo(opine, people.amara), connectTo(opine, people.lena)];
        expect((await castVote(lena, post, 'strong_right')).status).toBe(201);
        await fold(opine, NEW);
        expect((await requestShareToHubs(amara, post, [hub])).status).toBe(201);
        expect(await countsOf(amara, post, hub)).toEqual([0, 0, 0, 0, 1]);
        expect((await castVote(amara, post, 'neutral')).status).toBe(201);
        await foldWith(opine, NEW);
        expect(await countsOf(lena, post, hub)).toEqual([0, 0, 1, 0, 1]);
        expect(await countsOf(lena, post)).toEqual([0, 1, 1, 0, 1]);
      });
      await withKeys(database, `${NEW},${OLD}`, async (opine) => {
        const amara = connectTo(opine, people.amara);
        await shareToHubs(amara, post, oak);
        expect(await countsOf(amara, post, oak)).toEqual([0, 1, 1, 0, 1]);
      });
    });
  });

  test('an idempotent share replays after a key rotation', async () => {
    const database = await aDatabase();
    const extras = { headers: { 'idempotency-key': 'share' } };
    const share = (sharer: Person, { hub, post }: Json) =>
      sharer.post(`/posts/${post.id}/share/hubs`, { hubIds: [hub.id] }, extras);
    const { world, first } = await withKeys(database, OLD, async (opine) => {
      const world = await aWorld(opine);
      return { world, first: await share(world.amara, world) };
    });
    await withKeys(database, `${NEW},${OLD}`, async (opine) => {
      const again = await share(connectTo(opine, world.amara), world);
      expect([again.status, again.data]).toEqual([201, first.data]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    });
  });
});

describe('PENDING_VOTE_KEY', () => {
  const PRODUCTION = {
    NODE_ENV: 'production',
    SMS_PROVIDER: 'twilio',
    SMS_TEST_NUMBERS: undefined,
    SMS_TWILIO_ACCOUNT_SID: 'AC0',
    SMS_TWILIO_AUTH_TOKEN: 'a token of tests',
    SMS_TWILIO_FROM: '+12025550100',
  };
  const ENVIRONMENTS: readonly (readonly [string, Environment])[] = [
    ['in production', PRODUCTION],
    ['in development', {}],
  ];
  const VALID = aKey();
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  describe.each(ENVIRONMENTS)('%s', (_, variables) => {
    const environment = (key: string | undefined): Environment => ({
      ...testEnvironment(database),
      ...variables,
      PENDING_VOTE_KEY: key,
    });

    test.each([
      ['no key', undefined],
      ['an empty key', ''],
      ['a key that is not base64', 'a secret of tests, long enough to be one!!!!'],
      ['a hexadecimal key', randomBytes(32).toString('hex')],
      ['a key of 16 bytes', randomBytes(16).toString('base64')],
      ['a key of 31 bytes', randomBytes(31).toString('base64')],
      ['a key of 33 bytes', randomBytes(33).toString('base64')],
      ['a short key after a valid key', `${VALID},c2hvcnQ=`],
      ['no key after a comma', `${VALID},`],
      ['no key before a comma', `,${VALID}`],
      ['two keys without a separator', `${VALID}${VALID}`],
      ['two keys with another separator', `${VALID};${VALID}`],
    ])('the configuration refuses %s and names the variable without its value', (_, key) => {
      const read = () => readConfig(environment(key));
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(/^Wrong configuration: PENDING_VOTE_KEY [^;]*\.$/);
      if (key) expect(read).not.toThrow(key);
    });

    test('one key and several keys are valid', () => {
      for (const keys of [[VALID], [VALID, OLD], [VALID, OLD, NEW]]) {
        const config = readConfig(environment(keys.join(',')));
        expect(config.PENDING_VOTE_KEY).toEqual(keys);
      }
    });
  });
});

describe('stored waiting votes', () => {
  /** Returns the sealed bytes of each row of `table` about `post`. */
  async function sealedIn({ database }: Opine, table: string, { id }: Json): Promise<Buffer[]> {
    const { rows } = await sql<{ sealed: Buffer }>`
      select sealed from ${sql.table(table)} where post_id = ${id}`.execute(database.superuser);
    return rows.map(({ sealed }) => sealed);
  }

  /** Runs `use` while a lock keeps votes from being folded. */
  const whileFoldsAreBlocked = ({ database }: Opine, use: () => Promise<void>) =>
    database.superuser.transaction().execute(async (transaction) => {
      await sql`lock table app.pending_totals in share mode`.execute(transaction);
      await use();
    });

  /** Starts an Opine at half past an hour, so that no hour ends during the test. */
  async function anOpineAtHalfPast(): Promise<Opine> {
    const opine = await anOpine();
    const sinceHour = (await currentTime(opine)).getTime() % 3_600_000;
    await advanceTime(opine, `${5_400_000 - sinceHour} milliseconds`);
    return opine;
  }

  const distinct = (sealed: readonly Buffer[]) => new Set(sealed.map((bytes) => bytes.toString('hex'))).size;

  // docs/product.md V6
  test('sealed ballots differ, have one length and show no Hub', async () => {
    const opine = await anOpineAtHalfPast();
    const { hub, oak, amara, jonas, lena, post } = await aWorld(opine);
    const voters = [amara, jonas, lena];
    while (voters.length < 5) {
      const member = await aMemberOf(opine, amara, hub);
      await join(amara, oak, [member]);
      voters.push(member);
    }
    const other = await aSlider(await confirmedPerson(opine));
    await whileFoldsAreBlocked(opine, async () => {
      for (const voter of voters) await expectOk(castVote(voter, post, 'left'));
      for (const [index, voter] of voters.entries()) {
        await expectOk(castVote(voter, other, POSITIONS[index]));
      }
      const alike = await sealedIn(opine, 'app.pending_ballots', post);
      const unlike = await sealedIn(opine, 'app.pending_ballots', other);
      expect([alike.length, unlike.length]).toEqual([5, 5]);
      expect(distinct(alike)).toBe(5);
      expect(new Set([...alike, ...unlike].map(({ length }) => length)).size).toBe(1);
      for (const { id } of [hub, oak]) {
        for (const bytes of [...alike, ...unlike]) {
          expect(bytes.includes(id)).toBe(false);
          expect(bytes.includes(Buffer.from(id.replaceAll('-', ''), 'hex'))).toBe(false);
        }
      }
      const { rows } = await sql<{ row: string }>`
        select (to_jsonb(b) - 'sealed')::text as row from app.pending_ballots as b where post_id = ${other.id}
      `.execute(opine.database.superuser);
      // The unsealed columns are the same for every position and name nobody.
      expect(rows).toEqual(rows.map(() => rows[0]));
      expect(rows).toHaveLength(5);
      for (const { id } of [...voters, hub, oak]) expect(rows[0]?.row).not.toContain(id);
    });
  });

  test('sealed totals differ and have one length for few and for many votes', async () => {
    const opine = await anOpineAtHalfPast();
    const { hub, oak, amara, jonas, lena } = await aWorld(opine);
    const author = await confirmedPerson(opine);
    const audience = await anAudienceIn(opine, hub, 120);
    const [one, same, many] = [await aSlider(author), await aSlider(author), await aSlider(author)];
    await expectOk(castVote(jonas, one, 'strong_left'));
    await expectOk(castVote(lena, same, 'strong_left'));
    await audienceVotes(opine, audience, many, 8);
    await foldAllVotes(opine);
    const [ofOne, ofSame, ofMany] = [
      await sealedIn(opine, 'app.pending_totals', one),
      await sealedIn(opine, 'app.pending_totals', same),
      await sealedIn(opine, 'app.pending_totals', many),
    ];
    expect([ofOne.length, ofSame.length, ofMany.length]).toEqual([2, 2, 1]);
    const all = [...ofOne, ...ofSame, ...ofMany];
    expect(distinct(all)).toBe(all.length);
    expect(new Set(all.map(({ length }) => length)).size).toBe(1);
    await shareToHubs(amara, many, hub);
    expect(await countsOf(amara, many, hub)).toEqual([24, 24, 24, 24, 24]);
    await shareToHubs(amara, one, oak);
    expect(await countsOf(amara, one, oak)).toEqual([1, 0, 0, 0, 0]);
  });
});

test('no row, log, response or error holds the key', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const environment = {
    ...testEnvironment(database),
    ...WITH_WORKER,
    PENDING_VOTE_KEY: `${NEW},${OLD}`,
    LOG_LEVEL: 'trace',
  };
  const server = await startServerProcess(environment);
  const opine: Opine = { url: server.url, database, stop: async () => {} };
  const texts: string[] = [];
  const record = async (reply: ReturnType<typeof castVote>): Promise<number> => {
    const { status, headers, message, data, error } = await reply;
    texts.push(JSON.stringify([status, [...headers], message, data, error]));
    return status;
  };
  const key = { headers: { 'idempotency-key': 'share' } };
  const { hub, oak, amara, jonas, lena, post } = await aWorld(opine);
  const shareOnce = () => record(amara.post(`/posts/${post.id}/share/hubs`, { hubIds: [hub.id] }, key));
  const fold = () => foldAllVotes(opine, { PENDING_VOTE_KEY: `${NEW},${OLD}` });

  expect(await record(castVote(jonas, post))).toBe(201);
  expect(await record(castVote(jonas, post))).toBe(409);
  expect(await record(jonas.post(`/posts/${post.id}/vote`, { position: 'middle' }))).toBe(422);
  await whileInsertsFail(database, 'app.pending_ballots', async () => {
    expect(await record(castVote(lena, post))).toBe(500);
  });
  await whileInsertsFail(database, 'app.pending_totals', async () => {
    await expectOk(castVote(lena, post));
    const problem = await fold().then(
      () => 'none',
      (error) => error,
    );
    texts.push(inspect(problem, { depth: 9 }));
  });
  await whileInsertsFail(database, 'app.placements', async () => {
    expect(await record(amara.post(`/posts/${post.id}/share/hubs`, { hubIds: [oak.id] }))).toBe(500);
  });
  expect(await shareOnce()).toBe(201);
  expect(await shareOnce()).toBe(201);
  await fold();
  const stored = await allRows(database);
  const { stdout, stderr } = await server.end();

  expect(stored.some((row) => row.includes(post.id))).toBe(true);
  expect(stored.some((row) => row.includes('"sealed"'))).toBe(true);
  expect(stdout).toContain('cast_vote');
  for (const secret of [NEW, OLD].flatMap(encodingsOf)) {
    for (const text of [...stored, ...texts, stdout, stderr]) expect(text.includes(secret)).toBe(false);
  }
});

/** Returns `key` in every encoding that a leak may have. */
function encodingsOf(key: string): string[] {
  const bytes = Buffer.from(key, 'base64');
  return [key.slice(0, 40), bytes.toString('hex'), bytes.toString('base64url').slice(0, 40)];
}

/** Returns every row of every table, and the last query of each connection. */
async function allRows({ superuser }: TestDatabase): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class as c
    where c.relkind in ('r', 'p', 'm') and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
  `.execute(superuser);
  const found: string[] = [];
  for (const name of [...tables.map((table) => table.name), 'pg_stat_activity', 'pg_db_role_setting']) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.raw(name)} as t`.execute(superuser);
    found.push(...rows.map(({ row }) => row));
  }
  return found;
}
