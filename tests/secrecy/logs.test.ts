import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { aHub, aHubPost } from '../support/hubs.ts';
import { testEnvironment } from '../support/opine.ts';
import { whileInsertsFail } from '../support/outages.ts';
import { aGuest, anonymousPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { startServerProcess } from '../support/server-process.ts';
import { castVote, POSITIONS } from '../support/votes.ts';
import { byLog, configureLogging, type Entry, followPostgresLog } from './logs.ts';

let database: TestDatabase;
let post: string;
let voters: Person[];
let statuses: number[];
let apiLog: string[];
let postgresLog: Entry[];

beforeAll(async () => {
  database = await createTestDatabase();
  await configureLogging(database);
  const log = followPostgresLog();
  const server = await startServerProcess({ ...testEnvironment(database), LOG_LEVEL: 'info' });
  statuses = await castAndRefuseVotes(server.url);
  const { stdout, stderr } = await server.end();
  apiLog = `${stdout}${stderr}`.trim().split('\n');
  postgresLog = log.since();
});

afterAll(() => database.drop());

/** Casts votes that succeed, are refused and fail. Returns all statuses. */
async function castAndRefuseVotes(url: string): Promise<number[]> {
  const opine = { url, database, stop: async () => {} };
  const ada = await hubReadyPerson(opine, 'Ada');
  const nonMember = await registeredPerson(opine);
  voters = [ada, nonMember, ...(await Promise.all(POSITIONS.map(() => registeredPerson(opine))))];
  const square = await aSlider(ada);
  const locked = await aHubPost(ada, [await aHub(ada)], { sliderText: 'Among us?' });
  post = square.id;
  const replies = [];
  for (const [index, position] of POSITIONS.entries()) {
    const voter = voters[index + 2] ?? ada;
    const vote = () => castVote(voter, square, position);
    replies.push(await whileInsertsFail(database, 'app.vote_slots', vote));
    replies.push(await whileInsertsFail(database, 'app.vote_receipts', vote));
    if (index === 0) replies.push(await whileSerializationFails(vote));
    replies.push(await vote(), await vote());
    replies.push(
      await castVote(voter, locked, position),
      await castVote(voter, await aThought(ada), position),
    );
  }
  replies.push(await castVote(aGuest(opine) as Person, square, 'right'));
  replies.push(await castVote(await anonymousPerson(opine), square, 'strong_right'));
  replies.push(await nonMember.post(`/posts/${post}/vote`, { position: 'strong_middle' }));
  replies.push(await nonMember.post(`/posts/${post}/vote?position=strong_left`, { position: 'strong_left' }));
  return [...new Set(replies.map(({ status }) => status))].sort();
}

/** Runs `use` while every insert of a receipt fails with a serialization error. */
async function whileSerializationFails<T>(use: () => Promise<T>): Promise<T> {
  const { superuser } = database;
  await sql`
    create function public.lose() returns trigger language plpgsql as $$
    begin raise exception using errcode = '40001', message = 'could not serialize', detail = new::text; end $$
  `.execute(superuser);
  await sql`create trigger lose before insert on app.vote_receipts for each row execute function public.lose()`.execute(
    superuser,
  );
  try {
    return await use();
  } finally {
    await sql`drop function public.lose cascade`.execute(superuser);
  }
}

const idsOfVoters = () => voters.map(({ id }) => id);

describe('the logs of successful, refused and failed votes', () => {
  test('votes answer every status, and both logs mention them', () => {
    expect(statuses).toEqual([201, 401, 403, 404, 409, 422, 500, 503]);
    expect(apiLog.filter((line) => line.includes('cast_vote')).length).toBeGreaterThan(30);
    expect(postgresLog.filter(({ text }) => text.includes('app.count_vote')).length).toBeGreaterThan(10);
  });

  test('the log of the API names no position, and the log of Postgres names none beside a voter', () => {
    const named = apiLog.filter((line) => /strong_|neutral|"left"|"right"/.test(line));
    expect(named).toEqual([]);
    expect(byLog(postgresLog, post, idsOfVoters())).toEqual([]);
    expect(
      byLog(
        apiLog.map((text) => ({ text })),
        post,
        idsOfVoters(),
      ),
    ).toEqual([]);
  });
});
