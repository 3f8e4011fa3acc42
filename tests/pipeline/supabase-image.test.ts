import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { OUR_SCHEMAS, SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { migrate } from '../../scripts/local/database.ts';
import { type SupabaseCli, startDevStack } from '../../scripts/local/dev-stack.ts';
import { freePort } from '../../scripts/local/ports.ts';
import { clientOf } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import {
  catalogOf,
  type FakeGateway,
  fakeCli,
  fakeGateway,
  type SupabaseImage,
  startSupabaseImage,
} from '../support/supabase-image.ts';

let image: SupabaseImage;
let before: string[];
let after: string[];

beforeAll(async () => {
  image = await startSupabaseImage();
  before = await catalogOf(image.superuserUrl);
  await migrate(image.ownerUrl);
  after = await catalogOf(image.superuserUrl);
});

afterAll(() => image?.stop());

async function query(url: string, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const { rows } = await withClient(url, (client) => client.query({ text: sql, values, rowMode: 'array' }));
  return rows.flat();
}

test('migrations run as the owner of a project without superuser rights, and a second run changes nothing', async () => {
  expect(await query(image.ownerUrl, `select rolsuper from pg_roles where rolname = current_user`)).toEqual([
    false,
  ]);
  expect(await query(image.superuserUrl, `select to_regclass('app.users')::text`)).toEqual(['app.users']);
  expect(await migrate(image.ownerUrl)).toEqual([]);
  expect(await catalogOf(image.superuserUrl)).toEqual(after);
});

test('migrations change and remove no existing object of a project', () => {
  expect(before).toEqual(expect.arrayContaining([expect.stringMatching(/^table public\.users/)]));
  expect(before.filter((line) => !after.includes(line))).toEqual([]);
});

test('outside of our schemas, migrations add only our roles, two extensions and two policies', () => {
  const added = after.filter((line) => !before.includes(line)).map((line) => line.split(': ')[0]);
  expect([...new Set(added)].sort()).toEqual([
    'extension btree_gin',
    'extension pg_trgm',
    'membership of opine_gateway in anon',
    'membership of opine_gateway in authenticated',
    'membership of opine_gateway in opine_service',
    'membership of opine_gateway in staff_admin',
    'membership of opine_gateway in staff_moderator',
    'membership of opine_gateway in staff_support',
    'membership of opine_serializable in anon',
    'membership of opine_serializable in authenticated',
    'membership of postgres in opine_gateway',
    'membership of postgres in opine_serializable',
    'membership of postgres in opine_service',
    'membership of postgres in opine_staff',
    'membership of postgres in opine_worker',
    'membership of postgres in staff_admin',
    'membership of postgres in staff_moderator',
    'membership of postgres in staff_support',
    'membership of staff_admin in staff_moderator',
    'membership of staff_moderator in staff_support',
    'membership of staff_support in opine_staff',
    'policy opine_buckets_are_closed on storage.objects',
    'policy opine_users_receive_own_signals on realtime.messages',
    'role opine_gateway',
    'role opine_serializable',
    'role opine_service',
    'role opine_staff',
    'role opine_worker',
    'role staff_admin',
    'role staff_moderator',
    'role staff_support',
  ]);
});

const PRIVILEGES = `
  with acls (object, acl) as (
    select oid::regnamespace::text, nspacl from pg_namespace where nspname = any ($1)
    union all
    select oid::regclass::text, coalesce(relacl, acldefault('r', relowner)) from pg_class
    where relnamespace::regnamespace::text = any ($1) and relkind in ('r', 'p', 'v', 'm')
    union all
    select attrelid::regclass || '.' || attname, attacl from pg_attribute
    where attacl is not null and attrelid in (select oid from pg_class where relnamespace::regnamespace::text = any ($1))
    union all
    select oid::regprocedure::text, coalesce(proacl, acldefault('f', proowner)) from pg_proc
    where pronamespace::regnamespace::text = any ($1)
    union all
    select oid::regtype::text, coalesce(typacl, acldefault('T', typowner)) from pg_type
    where typnamespace::regnamespace::text = any ($1)
  )
  select format('%s: %s by %s', object, privilege_type, case grantee when 0 then 'public' else grantee::regrole::text end)
  from acls cross join lateral aclexplode(acl)
  order by 1`;

test('the privileges on our schemas equal those on the embedded stack, so no other role has access', async () => {
  const embedded = await createTestDatabase();
  const expected = await query(embedded.superuserUrl, PRIVILEGES, [OUR_SCHEMAS]);
  await embedded.drop();
  const found = await query(image.superuserUrl, PRIVILEGES, [OUR_SCHEMAS]);
  expect(found.filter((line) => !expected.includes(line))).toEqual([]);
  expect(expected.filter((line) => !found.includes(line))).toEqual([]);
  expect(found).toContain('api.get_post(jsonb): EXECUTE by anon');
});

test('migrations fail if default privileges give other roles access to new tables of the owner', async () => {
  const first = readFileSync(path.join(SUPABASE_DIRECTORY, 'schemas/10_foundation/01_roles.sql'), 'utf8');
  const migration = withClient(image.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('alter default privileges grant select on tables to reporting');
    await client.query(first);
  });
  await expect(migration).rejects.toThrow('the default privileges of postgres give others rights');
});

describe('npm run dev', () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-dev-'));
  let gateway: FakeGateway;

  beforeAll(async () => {
    gateway = await fakeGateway();
  });

  afterAll(async () => {
    await gateway?.close();
    rmSync(directory, { recursive: true });
  });

  const start = async (cli: SupabaseCli) =>
    startDevStack(
      { LOCAL_DIR: directory, PORT: String(await freePort()), LOG_LEVEL: 'silent' },
      new AbortController().signal,
      cli,
    );

  test('starts the Supabase stack, and then the API and the worker on it', async () => {
    const cli = fakeCli(image, gateway);
    const stack = await start(cli);
    onTestFinished(() => stack.stop());
    expect(cli.answers()).toEqual(['not running', 'started', 'running']);
    const { apiUrl } = stack.description;
    const guest = clientOf(apiUrl);
    expect(await fetch(`${apiUrl}/readyz`)).toMatchObject({ status: 200 });
    expect(await requestOtp(guest, '+12025550190')).toMatchObject({ status: 200 });
    const { data: session } = await enterCode(guest, '+12025550190');
    const { kid } = decodeProtectedHeader(session.accessToken);
    expect(gateway.keys().map((key) => key.kid)).toEqual([kid]);
    expect(decodeJwt(session.accessToken).iss).toBe(`${gateway.url}/auth/v1`);
  });

  test('uses a Supabase stack that runs already', async () => {
    const cli = fakeCli(image, gateway);
    await cli.start();
    const stack = await start(cli);
    onTestFinished(() => stack.stop());
    expect(cli.answers()).toEqual(['started', 'running']);
    expect(await fetch(`${stack.description.apiUrl}/readyz`)).toMatchObject({ status: 200 });
  });

  test('refuses a Supabase stack with another signing key', async () => {
    const cli = fakeCli(image, gateway);
    await cli.start();
    gateway.publish([{ kty: 'EC', kid: 'another' }]);
    await expect(start(cli)).rejects.toThrow('has another signing key');
  });

  test('mentions Docker in the error if the Supabase stack does not start', async () => {
    const cli = { status: async () => null, start: async () => 1 };
    await expect(start(cli)).rejects.toThrow('is Docker running?');
  });
});
