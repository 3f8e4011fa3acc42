import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { restoreDatabase } from '../../scripts/db/backup.ts';
import { schemaDrift } from '../../scripts/db/compare.ts';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { dumpOf } from '../../scripts/db/releases.ts';
import { migrateUp } from '../../scripts/db/supabase-cli.ts';
import {
  declaredDatabase,
  migratedDatabase,
  startThrowawayCluster,
  withCluster,
} from '../../scripts/db/throwaway.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { LOGIN_ROLES, setPassword } from '../../scripts/local/database.ts';
import { RELEASE_SECRETS } from '../../scripts/release/world.ts';
import { type Server, startServer } from '../../src/server.ts';
import { type Client, clientOf, expectOk, type Json } from '../support/client.ts';
import { notificationsOf } from '../support/inbox.ts';
import { testEnvironment } from '../support/opine.ts';
import { shareToHubs } from '../support/posts.ts';
import { copyMigrationsOf, VERSIONS } from '../support/releases.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { countsOf } from '../support/votes.ts';
import { WORKER_TIMEOUT } from '../support/worker.ts';

const DATABASE = 'upgraded';

describe.each(VERSIONS)('a database of version %s with the newest migrations', (version) => {
  const parts = new AsyncDisposableStack();
  let ownerUrl: string;
  let superuserUrl: string;
  let server: Server;
  let ada: Client;

  beforeAll(async () => {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-upgrade-'));
    parts.defer(() => rmSync(directory, { recursive: true, force: true }));
    const { cluster, password, remove } = await startThrowawayCluster();
    parts.defer(remove);
    ownerUrl = await migratedDatabase(cluster, DATABASE, copyMigrationsOf(version, directory));
    superuserUrl = cluster.url(DATABASE);
    await restoreDatabase(superuserUrl, dumpOf(version));
    await migrateUp(ownerUrl, path.dirname(SUPABASE_DIRECTORY));
    await setPassword(superuserUrl, LOGIN_ROLES, password);
    const environment = testEnvironment({ urlAs: (role) => cluster.urlAs(role, password, DATABASE) });
    server = await startServer({
      ...environment,
      ...RELEASE_SECRETS,
      PROCESS: 'all',
      SMS_TEST_NUMBERS_WAIT: 'false',
    });
    parts.defer(() => server.stop());
    ada = await signIn();
  });

  afterAll(() => parts.disposeAsync());

  async function phoneOf(name: string): Promise<string> {
    const { rows } = await withClient(superuserUrl, (client) =>
      client.query<{ phone: string }>(
        'select u.phone from app.users as u join app.profiles as p on p.user_id = u.id where p.full_name = $1',
        [`${name} of the demo`],
      ),
    );
    return rows[0]?.phone ?? '';
  }

  async function signIn(): Promise<Client> {
    const [guest, phone] = [clientOf(server.url), await phoneOf('Ada')];
    await expectOk(requestOtp(guest, phone));
    const { accessToken } = await expectOk(enterCode(guest, phone));
    return clientOf(server.url, accessToken);
  }

  async function findQuestion(): Promise<Json> {
    const { items } = await expectOk(ada.get('/posts'));
    return items.find(({ sliderText }: Json) => sliderText === 'Is it too loud?');
  }

  test('equals the schemas', async () => {
    const drift = await withCluster(async (cluster) => {
      const declared = await declaredDatabase(cluster, 'declared', SUPABASE_DIRECTORY);
      return schemaDrift(ownerUrl, declared.ownerUrl);
    });
    expect(drift).toEqual([]);
  });

  test('has what people wrote', async () => {
    expect(await expectOk(ada.get('/users/me/profile'))).toMatchObject({ bio: 'Ada asks.' });
    const question = await findQuestion();
    expect(question.viewerVote).toMatchObject({ hasVoted: true });
    expect(await countsOf(ada, question)).toEqual([0, 1, 1, 2, 0]);
  });

  test('delivers what waited for the worker', async () => {
    await vi.waitFor(async () => {
      const comments = await notificationsOf(ada, 'post_commented');
      expect(comments.map(({ actor }) => actor.username)).toEqual([expect.stringMatching(/^ben_/)]);
    }, WORKER_TIMEOUT);
    await vi.waitFor(async () => expect(await phoneOf('Eve')).toBe(''), WORKER_TIMEOUT);
  });

  test('counts the sealed votes of members when the post is shared into their Hub', async () => {
    const { items } = await expectOk(ada.get('/users/me/hubs'));
    const [question, hub] = [await findQuestion(), items.find(({ name }: Json) => name === 'The corner')];
    await shareToHubs(ada, question, hub);
    expect(await countsOf(ada, question, hub)).toEqual([0, 1, 1, 1, 0]);
  });

  test('still refuses who was suspended', async () => {
    const phone = await phoneOf('Fay');
    await expectOk(requestOtp(clientOf(server.url), phone));
    expect((await enterCode(clientOf(server.url), phone)).error).toMatchObject({
      code: 'ACCOUNT_SUSPENDED',
    });
  });
});
