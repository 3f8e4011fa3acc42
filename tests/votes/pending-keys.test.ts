import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, type Environment, readConfig } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { anAudienceIn, audienceVotes } from '../support/audience.ts';
import { clientOf, type Json } from '../support/client.ts';
import { timeIn, timePasses } from '../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { votesAreFolded } from '../support/fold.ts';
import { place, requestPlace } from '../support/frames.ts';
import { granted } from '../support/graph.ts';
import { aHub, aMemberOf, join } from '../support/hubs.ts';
import { anOpine, type Opine, testEnvironment } from '../support/opine.ts';
import { whileRowsAreRefused } from '../support/outages.ts';
import { aConfirmed, aHubReady, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { startServerProcess } from '../support/server-process.ts';
import { castVote, countsOf, POSITIONS } from '../support/votes.ts';

const aKey = () => randomBytes(32).toString('base64');

const OLD = aKey();
const NEW = aKey();

/** Two Hubs of Amara's with Jonas and Lena, and a post that is in neither. */
async function aWorld(opine: Opine) {
  const amara = await aHubReady(opine, 'Amara');
  const [hub, oak] = [await aHub(amara), await aHub(amara, { name: 'Oak Street' })];
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  const lena = await aMemberOf(opine, amara, hub, 'Lena');
  await join(amara, oak, [jonas, lena]);
  return { hub, oak, amara, jonas, lena, post: await aSlider(await aConfirmed(opine)) };
}

describe('a key', () => {
  /** What `use` does with a server on `database` that knows `keys`, which is stopped after it. */
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

  const over = ({ url }: Opine, person: Person): Person => ({
    ...person,
    ...clientOf(url, person.session.accessToken),
  });

  const foldWith = (opine: Opine, keys: string) => votesAreFolded(opine, { PENDING_VOTE_KEY: keys });

  describe.each([
    ['whose votes are folded', foldWith],
    ['whose votes are not folded', async () => {}],
  ])('%s', (_, fold) => {
    test('that a newer one has followed opens what it has sealed', async () => {
      const database = await aDatabase();
      const world = await withKeys(database, OLD, async (opine) => {
        const world = await aWorld(opine);
        await granted(castVote(world.jonas, world.post, 'left'));
        await fold(opine, OLD);
        return world;
      });
      await withKeys(database, `${NEW},${OLD}`, async (opine) => {
        const { hub, oak, post } = world;
        const [amara, lena] = [over(opine, world.amara), over(opine, world.lena)];
        await granted(castVote(lena, post, 'strong_right'));
        await fold(opine, `${NEW},${OLD}`);
        await place(amara, post, hub);
        expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 1]);
        await foldWith(opine, `${NEW},${OLD}`);
        await place(amara, post, oak);
        for (const each of [hub, oak]) expect(await countsOf(lena, post, each)).toEqual([0, 1, 0, 0, 1]);
      });
    });

    test('that comes first seals, and one that was taken away is missed by nobody else', async () => {
      const database = await aDatabase();
      const { hub, oak, post, ...people } = await withKeys(database, `${OLD},${NEW}`, async (opine) => {
        const world = await aWorld(opine);
        await granted(castVote(world.jonas, world.post, 'left'));
        await fold(opine, `${OLD},${NEW}`);
        return world;
      });
      await withKeys(database, NEW, async (opine) => {
        const [amara, lena] = [over(opine, people.amara), over(opine, people.lena)];
        expect((await castVote(lena, post, 'strong_right')).status).toBe(201);
        await fold(opine, NEW);
        expect((await requestPlace(amara, post, [hub])).status).toBe(201);
        expect(await countsOf(amara, post, hub)).toEqual([0, 0, 0, 0, 1]);
        expect((await castVote(amara, post, 'neutral')).status).toBe(201);
        await foldWith(opine, NEW);
        expect(await countsOf(lena, post, hub)).toEqual([0, 0, 1, 0, 1]);
        expect(await countsOf(lena, post)).toEqual([0, 1, 1, 0, 1]);
      });
      await withKeys(database, `${NEW},${OLD}`, async (opine) => {
        const amara = over(opine, people.amara);
        await place(amara, post, oak);
        expect(await countsOf(amara, post, oak)).toEqual([0, 1, 1, 0, 1]);
      });
    });
  });

  test('is no part of what a request is known by: one is replayed whatever keys there are by then', async () => {
    const database = await aDatabase();
    const extras = { headers: { 'idempotency-key': 'share' } };
    const share = (sharer: Person, { hub, post }: Json) =>
      sharer.post(`/posts/${post.id}/share/hubs`, { hubIds: [hub.id] }, extras);
    const { world, first } = await withKeys(database, OLD, async (opine) => {
      const world = await aWorld(opine);
      return { world, first: await share(world.amara, world) };
    });
    await withKeys(database, `${NEW},${OLD}`, async (opine) => {
      const again = await share(over(opine, world.amara), world);
      expect([again.status, again.data]).toEqual([201, first.data]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    });
  });
});

describe('the configuration', () => {
  const PRODUCTION = {
    NODE_ENV: 'production',
    SMS_PROVIDER: 'twilio',
    SMS_TEST_NUMBERS: undefined,
    SMS_TWILIO_ACCOUNT_SID: 'AC0',
    SMS_TWILIO_AUTH_TOKEN: 'a token of tests',
    SMS_TWILIO_FROM: '+12025550100',
  };
  const PLACES: readonly (readonly [string, Environment])[] = [
    ['in production', PRODUCTION],
    ['elsewhere', {}],
  ];
  const VALID = aKey();
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  describe.each(PLACES)('%s', (_, place) => {
    const environment = (key: string | undefined): Environment => ({
      ...testEnvironment(database),
      ...place,
      PENDING_VOTE_KEY: key,
    });

    test.each([
      ['none', undefined],
      ['an empty one', ''],
      ['one that is no base64', 'a secret of tests, long enough to be one!!!!'],
      ['one in hexadecimal', randomBytes(32).toString('hex')],
      ['one of 16 bytes', randomBytes(16).toString('base64')],
      ['one of 31 bytes', randomBytes(31).toString('base64')],
      ['one of 33 bytes', randomBytes(33).toString('base64')],
      ['a short one after a good one', `${VALID},c2hvcnQ=`],
      ['nothing after a comma', `${VALID},`],
      ['nothing before a comma', `,${VALID}`],
      ['two that are not separated', `${VALID}${VALID}`],
      ['two separated otherwise', `${VALID};${VALID}`],
    ])('is refused at the start for %s, by the name of the key alone', async (_, key) => {
      const started = startServer(environment(key));
      onTestFinished(() =>
        started.then(
          (server) => server.stop(),
          () => {},
        ),
      );
      await expect(started).rejects.toThrow(ConfigError);
      await expect(started).rejects.toThrow(/^Wrong configuration: PENDING_VOTE_KEY [^;]*\.$/);
      if (key) await expect(started).rejects.not.toThrow(key);
    });

    test('takes one, and several', () => {
      for (const keys of [[VALID], [VALID, OLD], [VALID, OLD, NEW]]) {
        const config = readConfig(environment(keys.join(',')));
        expect(config.PENDING_VOTE_KEY).toEqual(keys);
      }
    });
  });
});

describe('what is stored', () => {
  /** The rows of `table` about `post`, each with how it was sealed. */
  async function sealedIn({ database }: Opine, table: string, { id }: Json): Promise<Buffer[]> {
    const { rows } = await sql<{ sealed: Buffer }>`
      select sealed from ${sql.table(table)} where post_id = ${id}`.execute(database.superuser);
    return rows.map(({ sealed }) => sealed);
  }

  /** Runs `use` while no vote can be folded. */
  const whileNothingIsFolded = ({ database }: Opine, use: () => Promise<void>) =>
    database.superuser.transaction().execute(async (holder) => {
      await sql`lock table app.pending_totals in share mode`.execute(holder);
      await use();
    });

  /** An Opine where it is half past some hour, so that no other begins meanwhile. */
  async function anOpineAtHalfPast(): Promise<Opine> {
    const opine = await anOpine();
    const sinceHour = (await timeIn(opine)).getTime() % 3_600_000;
    await timePasses(opine, `${5_400_000 - sinceHour} milliseconds`);
    return opine;
  }

  const distinct = (sealed: readonly Buffer[]) => new Set(sealed.map((bytes) => bytes.toString('hex'))).size;

  test('of a vote is sealed: each otherwise, without a Hub, and as long as any other', async () => {
    const opine = await anOpineAtHalfPast();
    const { hub, oak, amara, jonas, lena, post } = await aWorld(opine);
    const voters = [amara, jonas, lena];
    while (voters.length < 5) {
      const member = await aMemberOf(opine, amara, hub);
      await join(amara, oak, [member]);
      voters.push(member);
    }
    const other = await aSlider(await aConfirmed(opine));
    await whileNothingIsFolded(opine, async () => {
      for (const voter of voters) await granted(castVote(voter, post, 'left'));
      for (const [index, voter] of voters.entries()) {
        await granted(castVote(voter, other, POSITIONS[index]));
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
      // Beside what is sealed, one that votes left is stored as one that votes right, and names nobody.
      expect(rows).toEqual(rows.map(() => rows[0]));
      expect(rows).toHaveLength(5);
      for (const { id } of [...voters, hub, oak]) expect(rows[0]?.row).not.toContain(id);
    });
  });

  test('of totals is sealed: each otherwise, and as long for few as for many', async () => {
    const opine = await anOpineAtHalfPast();
    const { hub, oak, amara, jonas, lena } = await aWorld(opine);
    const author = await aConfirmed(opine);
    const audience = await anAudienceIn(opine, hub, 120);
    const [one, same, many] = [await aSlider(author), await aSlider(author), await aSlider(author)];
    await granted(castVote(jonas, one, 'strong_left'));
    await granted(castVote(lena, same, 'strong_left'));
    await audienceVotes(opine, audience, many, 8);
    await votesAreFolded(opine);
    const [ofOne, ofSame, ofMany] = [
      await sealedIn(opine, 'app.pending_totals', one),
      await sealedIn(opine, 'app.pending_totals', same),
      await sealedIn(opine, 'app.pending_totals', many),
    ];
    expect([ofOne.length, ofSame.length, ofMany.length]).toEqual([2, 2, 1]);
    const all = [...ofOne, ...ofSame, ...ofMany];
    expect(distinct(all)).toBe(all.length);
    expect(new Set(all.map(({ length }) => length)).size).toBe(1);
    await place(amara, many, hub);
    expect(await countsOf(amara, many, hub)).toEqual([24, 24, 24, 24, 24]);
    await place(amara, one, oak);
    expect(await countsOf(amara, one, oak)).toEqual([1, 0, 0, 0, 0]);
  });
});

test('the key is in no row, no log, no answer and no error', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const environment = { ...testEnvironment(database), PENDING_VOTE_KEY: `${NEW},${OLD}`, LOG_LEVEL: 'trace' };
  const server = await startServerProcess(environment);
  const opine: Opine = { url: server.url, database, stop: async () => {} };
  const told: string[] = [];
  const hears = async (reply: ReturnType<typeof castVote>): Promise<number> => {
    const { status, headers, message, data, error } = await reply;
    told.push(JSON.stringify([status, [...headers], message, data, error]));
    return status;
  };
  const key = { headers: { 'idempotency-key': 'share' } };
  const { hub, oak, amara, jonas, lena, post } = await aWorld(opine);
  const shareOnce = () => hears(amara.post(`/posts/${post.id}/share/hubs`, { hubIds: [hub.id] }, key));
  const fold = () => votesAreFolded(opine, { PENDING_VOTE_KEY: `${NEW},${OLD}` });

  expect(await hears(castVote(jonas, post))).toBe(201);
  expect(await hears(castVote(jonas, post))).toBe(409);
  expect(await hears(jonas.post(`/posts/${post.id}/vote`, { position: 'middle' }))).toBe(422);
  await whileRowsAreRefused(database, 'app.pending_ballots', async () => {
    expect(await hears(castVote(lena, post))).toBe(500);
  });
  await whileRowsAreRefused(database, 'app.pending_totals', async () => {
    await granted(castVote(lena, post));
    const problem = await fold().then(
      () => 'none',
      (error) => error,
    );
    told.push(inspect(problem, { depth: 9 }));
  });
  await whileRowsAreRefused(database, 'app.placements', async () => {
    expect(await hears(amara.post(`/posts/${post.id}/share/hubs`, { hubIds: [oak.id] }))).toBe(500);
  });
  expect(await shareOnce()).toBe(201);
  expect(await shareOnce()).toBe(201);
  await fold();
  const stored = await everythingIn(database);
  const { stdout, stderr } = await server.end();

  expect(stored.some((row) => row.includes(post.id))).toBe(true);
  expect(stored.some((row) => row.includes('"sealed"'))).toBe(true);
  expect(stdout).toContain('cast_vote');
  for (const secret of [NEW, OLD].flatMap(spellingsOf)) {
    for (const text of [...stored, ...told, stdout, stderr]) expect(text.includes(secret)).toBe(false);
  }
});

/** How a key may be written. */
function spellingsOf(key: string): string[] {
  const bytes = Buffer.from(key, 'base64');
  return [key.slice(0, 40), bytes.toString('hex'), bytes.toString('base64url').slice(0, 40)];
}

/** Every row of every table but the catalogue's, and what connections have asked last. */
async function everythingIn({ superuser }: TestDatabase): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class as c
    where c.relkind in ('r', 'p', 'm') and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
  `.execute(superuser);
  const everything: string[] = [];
  for (const name of [...tables.map((table) => table.name), 'pg_stat_activity', 'pg_db_role_setting']) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.raw(name)} as t`.execute(superuser);
    everything.push(...rows.map(({ row }) => row));
  }
  return everything;
}
