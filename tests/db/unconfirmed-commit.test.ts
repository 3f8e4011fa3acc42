import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { createCrashingDatabase } from '../simulations/votes/crashing-database.ts';
import { refusal } from '../support/client.ts';
import { testEnvironment } from '../support/opine.ts';
import { confirmedPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

test('a vote whose commit stops waiting for a standby gets 503, and 201 once there is none to wait for', async () => {
  const database = await createCrashingDatabase();
  onTestFinished(database.drop);
  const { superuser, name } = database;
  await sql`alter role opine_serializable in database ${sql.id(name)} set statement_timeout = '1s'`.execute(
    superuser,
  );
  const server = await startServer(testEnvironment(database));
  onTestFinished(server.stop);
  const opine = { url: server.url, database, stop: server.stop };
  const person = await confirmedPerson(opine);
  const [first, second] = [await aSlider(person), await aSlider(person)];
  const voter = await confirmedPerson(opine);

  const waitFor = async (standbys: string) => {
    await sql`alter system set synchronous_standby_names = ${sql.lit(standbys)}`.execute(superuser);
    await sql`select pg_reload_conf()`.execute(superuser);
    const isSet = async () =>
      (
        await sql<{
          isSet: boolean;
        }>`select current_setting('synchronous_standby_names') = ${standbys} as "isSet"`.execute(superuser)
      ).rows[0]?.isSet;
    while (!(await isSet()));
  };
  await waitFor('away');
  expect(await castVote(voter, first)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
  await waitFor('');
  expect((await castVote(voter, second)).status).toBe(201);
});
