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
import { confirmedPerson } from '../support/people.ts';
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

/** Creates a supabase-js client as in docs/data-api.md. */
function clientWith(accessToken: string | null) {
  return createClient(dataApi.url, 'sb_publishable_of_tests', {
    db: { schema: 'api' },
    ...(accessToken !== null && { accessToken: async () => accessToken }),
  });
}

// docs/product.md I3, W21
test('the example of docs/data-api.md prints the output on that page', async () => {
  const page = readFileSync(path.join(ROOT, 'docs/data-api.md'), 'utf8');
  const [, script = ''] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];
  const [, printed = ''] = /^```text\n(.*?)^```/ms.exec(page) ?? [];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-data-api-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'example.mts'), script);
  const jonas = await confirmedPerson(opine, 'Jonas');
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mts'], {
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

test('a guest reads a public post through the Data API', async () => {
  const post = await aSlider(await confirmedPerson(opine, 'Maya'));
  const { data, status } = await clientWith(null).rpc('get_post', { postId: post.id });
  expect([status, data.id]).toEqual([200, post.id]);
});

test('a guest gets 401 for an operation that needs a session', async () => {
  const { status, error } = await clientWith(null).rpc('create_post', { visibility: 'public' });
  expect([status, error?.code]).toEqual([401, '42501']);
});

// docs/product.md L6, W21
test('every operation refuses an ended session with 401, even operations for guests', async () => {
  const maya = await confirmedPerson(opine, 'Maya');
  await logOut(opine, maya.session);
  const ended = clientWith(maya.session.accessToken);
  const operations = ROUTES.filter(({ auth, gateway }) => auth !== 'staff' && gateway === undefined)
    .map(({ id }) => id)
    // Takes no session.
    .filter((id) => id !== 'get_login_config');
  const responses: unknown[] = [];
  for (const id of operations) responses.push([id, (await ended.rpc(id, {})).status]);
  expect(responses).toEqual(operations.map((id) => [id, 401]));
});

// docs/product.md W21
test('the Data API refuses an operation that needs the service with 403', async () => {
  const maya = await confirmedPerson(opine, 'Maya');
  const { status } = await clientWith(maya.session.accessToken).rpc('refresh_session', {});
  expect(status).toBe(403);
});

test.each<{ what: string; operation: string; args: (id: string) => object; status: number; code: string }>([
  {
    what: 'a second follow',
    operation: 'follow_user',
    args: (userId) => ({ userId }),
    status: 409,
    code: '23505',
  },
  {
    what: 'a malformed id',
    operation: 'follow_user',
    args: () => ({ userId: 'nobody' }),
    status: 400,
    code: '22P02',
  },
])(
  '$what has the status $status and the code $code of docs/data-api.md',
  async ({ operation, args, status, code }) => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
    const client = clientWith(maya.session.accessToken);
    await client.rpc('follow_user', { userId: jonas.id });
    const response = await client.rpc(operation, args(jonas.id));
    expect([response.status, response.error?.code]).toEqual([status, code]);
  },
);
