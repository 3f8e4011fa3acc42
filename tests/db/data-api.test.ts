import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { ROUTES } from '../../src/domains/all.ts';
import { type DataApi, startDataApi } from '../support/data-api.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;
let dataApi: DataApi;

beforeAll(async () => {
  opine = await startOpine();
  dataApi = await startDataApi(opine);
});

afterAll(async () => {
  await dataApi?.close();
  await opine?.stop();
});

/** supabase-js as docs/data-api.md sets it up. */
function clientWith(accessToken: string | null) {
  return createClient(dataApi.url, 'sb_publishable_of_tests', {
    db: { schema: 'api' },
    ...(accessToken !== null && { accessToken: async () => accessToken }),
  });
}

test('the walk of docs/data-api.md runs and prints what the page says', async () => {
  const page = readFileSync(path.join(ROOT, 'docs/data-api.md'), 'utf8');
  const [, script = ''] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];
  const [, printed = ''] = /^```text\n(.*?)^```/ms.exec(page) ?? [];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-data-api-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'walk.mts'), script);
  const jonas = await aConfirmed(opine, 'Jonas');
  const { stdout } = await promisify(execFile)(process.execPath, ['walk.mts'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      SUPABASE_URL: dataApi.url,
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_tests',
      OPINE_ACCESS_TOKEN: jonas.session.accessToken,
    },
  });
  expect(stdout).toBe(printed);
});

test('a guest reads by the Data API what a guest may read', async () => {
  const post = await aSlider(await aConfirmed(opine, 'Maya'));
  const { data, status } = await clientWith(null).rpc('get_post', { postId: post.id });
  expect([status, data.id]).toEqual([200, post.id]);
});

test('a guest may not run an operation for members', async () => {
  const { status, error } = await clientWith(null).rpc('create_post', { visibility: 'public' });
  expect([status, error?.code]).toEqual([401, '42501']);
});

test('an ended session is refused by every operation, those for guests too', async () => {
  const maya = await aConfirmed(opine, 'Maya');
  await logOut(opine, maya.session);
  const ended = clientWith(maya.session.accessToken);
  const operations = ROUTES.filter(({ auth, gateway }) => auth !== 'staff' && gateway === undefined)
    .map(({ id }) => id)
    // For guests alone: a session is no argument.
    .filter((id) => id !== 'get_login_config');
  const answers: unknown[] = [];
  for (const id of operations) answers.push([id, (await ended.rpc(id, {})).status]);
  expect(answers).toEqual(operations.map((id) => [id, 401]));
});

test('an operation that only the service may vouch for is refused by the Data API', async () => {
  const maya = await aConfirmed(opine, 'Maya');
  const { status } = await clientWith(maya.session.accessToken).rpc('refresh_session', {});
  expect(status).toBe(403);
});

test.each<{ what: string; operation: string; args: (id: string) => object; status: number; code: string }>([
  {
    what: 'to follow somebody again',
    operation: 'follow_user',
    args: (userId) => ({ userId }),
    status: 409,
    code: '23505',
  },
  {
    what: 'an id that is none',
    operation: 'follow_user',
    args: () => ({ userId: 'nobody' }),
    status: 400,
    code: '22P02',
  },
])(
  '$what has the status and the code that docs/data-api.md says',
  async ({ operation, args, status, code }) => {
    const [maya, jonas] = [await aConfirmed(opine, 'Maya'), await aConfirmed(opine, 'Jonas')];
    const client = clientWith(maya.session.accessToken);
    await client.rpc('follow_user', { userId: jonas.id });
    const answer = await client.rpc(operation, args(jonas.id));
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
  },
);
