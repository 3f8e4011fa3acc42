import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT, SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { LOGIN_ROLE, LOGIN_ROLES, setPassword } from '../../scripts/local/database.ts';
import { DENO_PACKAGES, type EdgeFunction, startEdgeFunction } from '../../scripts/local/edge-function.ts';
import { type BucketDeclaration, declaredBuckets } from '../../scripts/local/storage/buckets.ts';
import {
  type RunningStorage,
  type StorageOptions,
  startStorage,
} from '../../scripts/local/storage/server.ts';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import type { Environment } from '../../src/config.ts';
import { type HostedSupabase, REF, SERVICE_KEY, startHostedSupabase } from '../support/supabase-hosted.ts';
import { type SupabaseImage, startSupabaseImage } from '../support/supabase-image.ts';

// Runs the commands of docs/deployment.md unchanged, by bash with the pinned CLI, with functions as the deployment. Fakes replace
// supabase.com (supabase-hosted.ts) and the project: a database with the roles and privileges of the image, the local storage, and
// functions under Deno.

const GUIDE = readFileSync(path.join(ROOT, 'docs/deployment.md'), 'utf8');

/** Returns the code block with a word below a heading; blocks in lists are indented. */
function blockWith(heading: string, word: string, language = 'sh'): string {
  const [, section] = GUIDE.split(new RegExp(`^#+ ${heading}$`, 'm'));
  if (section === undefined) throw new Error(`docs/deployment.md has no heading "${heading}".`);
  const [text = ''] = section.split(/^##+ /m);
  const blocks = [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^\\1\`\`\``, 'gms'))];
  const found = blocks.map(([, , text = '']) => text).find((text) => text.includes(word));
  if (found === undefined) throw new Error(`"${heading}" in docs/deployment.md has no block with ${word}.`);
  return found;
}

/** Fakes of pg_cron, pg_net and Vault with their signatures, as far as the guide uses them. */
const FAKE_EXTENSIONS = `
  create schema cron;
  create table cron.job (jobname text primary key, schedule text, command text);
  create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
    insert into cron.job values (job_name, schedule, command) returning 1
  $$;
  create function vault.create_secret(new_secret text, new_name text) returns void language sql security definer as $$
    insert into vault.secrets (name, secret) values (new_name, new_secret)
  $$;
  create schema net;
  create table net.calls (url text, headers jsonb);
  create function net.http_post(
    url text, body jsonb default '{}', params jsonb default '{}',
    headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000
  ) returns bigint language sql as $$ insert into net.calls values (url, headers) returning 1 $$;
  grant usage on schema cron, net to postgres;
  grant all on all tables in schema cron, net to postgres;`;

const SELF_HOSTED = "Supabase of one's own";

let folder: string;
let image: SupabaseImage;
let hosted: HostedSupabase;
let storage: RunningStorage | undefined;
const functions: EdgeFunction[] = [];
let env: Record<string, string>;

/** Runs commands of the guide with values for its placeholders, in a checkout with the reader's `.env`. */
async function run(commands: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
  const script = Object.entries({ '<ref>': REF, ...values }).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    commands,
  );
  expect(script).not.toMatch(/<[a-z ]+>/);
  const bin = path.join(ROOT, 'node_modules/.bin');
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...hosted.environment, ...env, HOME: folder, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${script}\n${stderr}${stdout}`);
  });
  return stdout.trim();
}

beforeEach(async () => {
  [image, hosted] = await Promise.all([startSupabaseImage(), startHostedSupabase()]);
  folder = mkdtempSync(path.join(os.tmpdir(), 'opine-guide-'));
  cpSync(SUPABASE_DIRECTORY, path.join(folder, 'supabase'), { recursive: true });
  for (const entry of ['node_modules', 'src', 'package.json', '.npmrc', 'tsconfig.json']) {
    symlinkSync(path.join(ROOT, entry), path.join(folder, entry));
  }
  // Scripts find files relative to their real path, so they are copies and not links.
  cpSync(path.join(ROOT, 'scripts'), path.join(folder, 'scripts'), { recursive: true });
  for (const bundle of ['api/app.js', 'push/tasks.js', 'upkeep/tasks.js']) {
    rmSync(path.join(folder, 'supabase/functions', bundle));
  }
  mkdirSync(path.join(folder, 'supabase/.temp'));
  writeFileSync(path.join(folder, 'supabase/.temp/project-ref'), REF);
  env = {};
});

afterEach(async () => {
  for (const running of functions.splice(0)) await running.stop();
  await storage?.stop();
  storage = undefined;
  await Promise.all([image?.stop(), hosted?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The secrets of the guide's first block. */
interface Secrets {
  readonly signingKey: string;
  readonly password: string;
  /** The reader's `.env`: these secrets, and the variables of every deployment. */
  readonly written: Readonly<Record<string, string>>;
}

/** Creates the secrets by the lines of the guide, migrates, and sets the password of the logins. */
async function prepare(): Promise<Secrets> {
  const values: string[] = [];
  for (const line of blockWith('Secrets', 'keys').trim().split('\n')) values.push(await run(line));
  const [signingKey = '', pendingVoteKey = '', hashSecret = '', pushSecret = '', password = ''] = values;
  const owner = /'postgresql:\/\/postgres:<owner password>@[^']+'/;
  const migrating = blockWith('2\\. Schema', 'db:migrate');
  expect(migrating).toMatch(owner);
  await run(migrating.replace(owner, `'${image.ownerUrl}'`));
  // `\password` of psql needs a terminal.
  await setPassword(image.ownerUrl, LOGIN_ROLES, password);
  const url = new URL(image.ownerUrl);
  url.username = LOGIN_ROLE;
  url.password = password;
  const written = {
    JWT_SIGNING_KEYS: `[${signingKey}]`,
    PENDING_VOTE_KEY: pendingVoteKey,
    HASH_SECRET: hashSecret,
    PUSH_SECRET: pushSecret,
    DATABASE_URL: url.href,
    SMS_PROVIDER: 'twilio',
    SMS_TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    SMS_TWILIO_AUTH_TOKEN: 'a token of tests',
    SMS_TWILIO_FROM: '+12025550100',
    APP_URL: 'https://opine.example',
    APP_LOGO_URL: 'https://opine.example/logo.png',
    TERMS_URL: 'https://opine.example/terms',
    PRIVACY_URL: 'https://opine.example/privacy',
  };
  return { signingKey, password, written };
}

function writeEnv(variables: Readonly<Record<string, string>>): void {
  const text = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(path.join(folder, '.env'), text.join(''));
  expect(parseEnv(text.join(''))).toEqual(variables);
}

test('the guide for hosted Supabase leads to functions that sign people in and accept uploads', async () => {
  const { signingKey, written } = await prepare();

  // 3. Signing key
  await run(blockWith('3\\. Signing key', 'signing-keys'), { '<the key>': signingKey });
  const published = JSON.parse(await run(blockWith('3\\. Signing key', 'jwks.json')));
  expect(published.keys).toEqual([expect.objectContaining({ kid: JSON.parse(signingKey).kid })]);

  // 4. Buckets
  const { published: keys } = await importSigningKeys(hosted.signingKeys);
  const { url } = await startStorageOf({ secretKey: SERVICE_KEY, keys, buckets: [] });
  hosted.serve('/storage/v1', url);
  await run(blockWith('4\\. Buckets', 'seed buckets'));

  // 6. Connections and 7. The API and the worker, as functions
  writeEnv({ ...written, SUPABASE_URL: `https://${REF}.supabase.co` });
  await run(blockWith('7\\. The API and the worker', 'functions deploy'));
  expect(Object.fromEntries(hosted.secrets)).toEqual(written);
  expect([...hosted.functions.keys()].sort()).toEqual(['api', 'push', 'upkeep']);
  const platform = {
    SUPABASE_URL: url,
    SUPABASE_PUBLIC_URL: `https://${REF}.supabase.co`,
    SUPABASE_SERVICE_ROLE_KEY: SERVICE_KEY,
  };
  const running = await startFunctions(deployedFiles(), {
    ...Object.fromEntries(hosted.secrets),
    ...platform,
  });
  for (const [name, { url }] of running) hosted.serve(`/functions/v1/${name}`, url);

  // 7. The schedule
  await withClient(image.superuserUrl, (client) => client.query(FAKE_EXTENSIONS));
  const schedule = blockWith('7\\. The API and the worker', 'cron.schedule', 'sql')
    .replaceAll('<ref>', REF)
    .replace('<PUSH_SECRET>', written.PUSH_SECRET ?? '');
  const calls = await withClient(image.ownerUrl, async (owner) => {
    // The embedded Postgres lacks these extensions.
    await owner.query(schedule.replace(/^create extension .*$/gm, ''));
    const { rows: jobs } = await owner.query(
      'select jobname, schedule, command from cron.job order by jobname',
    );
    for (const { command } of jobs) await owner.query(command);
    const { rows } = await owner.query('select url, headers from net.calls');
    return { jobs, urls: rows.map(({ url }) => url), headers: rows[0].headers };
  });
  expect(calls.jobs).toMatchObject([{ schedule: '10 seconds' }, { schedule: '* * * * *' }]);
  expect(calls.urls).toEqual(
    ['push', 'upkeep'].map((name) => `https://${REF}.supabase.co/functions/v1/${name}`),
  );
  expect(calls.headers).toMatchObject({ Authorization: `Bearer ${written.PUSH_SECRET}` });

  // 7. Any cron
  env = { PUSH_SECRET: written.PUSH_SECRET ?? '' };
  await run(blockWith('7\\. The API and the worker', 'for name in push upkeep'));

  const api = `https://${REF}.supabase.co/functions/v1/api/v1`;
  expect(await uploadFile(api)).toMatch(new RegExp(`^https://${REF}\\.supabase\\.co/storage/v1/`));
}, 180_000);

test('the guide for self-hosted Supabase leads to functions that sign people in and accept uploads', async () => {
  const { signingKey, written } = await prepare();
  writeEnv(written);

  // 2. Signing key: the keys of the three services.
  const printed = await run(blockWith(SELF_HOSTED, 'JWT_SECRET='), {
    '<JWT_SECRET of that setup>': 'the legacy secret',
  });
  const { keys } = JSON.parse(printed);
  expect(keys).toEqual([
    expect.objectContaining({ kid: JSON.parse(signingKey).kid }),
    { kty: 'oct', k: Buffer.from('the legacy secret').toString('base64url'), alg: 'HS256' },
  ]);
  const [ours] = keys;
  expect(ours).not.toHaveProperty('d');

  // 4. Buckets: the local storage gets the buckets of the guide's statement.
  const statement = blockWith(SELF_HOSTED, 'storage.buckets', 'sql');
  const buckets = await withClient(image.ownerUrl, async (owner) => {
    await owner.query(statement);
    await owner.query(statement);
    const { rows } = await owner.query<BucketDeclaration>(`
      select name, public, file_size_limit::integer as "fileSizeLimit", allowed_mime_types as "allowedMimeTypes"
      from storage.buckets where id in ('photos', 'media', 'uploads')`);
    return rows;
  });
  expect(buckets).toHaveLength(declaredBuckets().length);
  expect(buckets).toEqual(expect.arrayContaining(declaredBuckets()));
  const { url } = await startStorageOf({ secretKey: SERVICE_KEY, keys: [ours], buckets });

  // 7. Functions
  await run('npm run build:functions');
  const platform = { SUPABASE_URL: url, SUPABASE_PUBLIC_URL: url, SUPABASE_SERVICE_ROLE_KEY: SERVICE_KEY };
  const running = await startFunctions(path.join(folder, 'supabase/functions'), { ...written, ...platform });

  // 8. The log
  await withClient(image.superuserUrl, (client) =>
    client.query(blockWith(SELF_HOSTED, 'log_parameter_max_length', 'sql')),
  );

  expect(await uploadFile(`${running.get('api')?.url}/api/v1`)).toMatch(new RegExp(`^${url}/storage/v1/`));
}, 180_000);

/** Signs in and uploads a file, as "See that it works" of the guide. @returns the upload URL */
async function uploadFile(api: string): Promise<string> {
  const call = async (commands: string) => JSON.parse(await run(`curl -fsS ${commands}`));
  expect(await call(`${api}/auth/login-config`)).toMatchObject({ success: true });
  const json = `-H 'Content-Type: application/json'`;
  const { data: session } = await call(
    `${json} -d '{"deviceId": "an install of a reader of the guide"}' ${api}/auth/anonymous/session`,
  );
  const bytes = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');
  writeFileSync(path.join(folder, 'picture'), bytes);
  const announced = { purpose: 'profile_photo', contentType: 'image/png', sizeBytes: bytes.length };
  const { data: upload } = await call(
    `${json} -H 'Authorization: Bearer ${session.accessToken}' -d '${JSON.stringify(announced)}' ${api}/uploads/presign`,
  );
  await run(`curl -fsS -X PUT -H 'Content-Type: image/png' --data-binary @picture '${upload.uploadUrl}'`);
  return upload.uploadUrl;
}

async function startStorageOf(
  options: Pick<StorageOptions, 'secretKey' | 'keys' | 'buckets'>,
): Promise<RunningStorage> {
  storage = await startStorage({
    ...options,
    directory: path.join(folder, 'storage'),
  });
  return storage;
}

/** Writes the deployed files into a folder, and returns it. */
function deployedFiles(): string {
  const directory = path.join(folder, 'deployed');
  for (const [slug, files] of hosted.functions) {
    for (const [file, bytes] of files) {
      const target = path.join(directory, slug, path.basename(file));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
  }
  return directory;
}

/** Starts the functions of a folder like the platform. */
async function startFunctions(
  directory: string,
  variables: Environment,
): Promise<ReadonlyMap<string, EdgeFunction>> {
  const [deno = 'deno'] = DENO_PACKAGES;
  const started = new Map<string, EdgeFunction>();
  for (const name of ['api', 'push', 'upkeep'] as const) {
    const running = await startEdgeFunction(variables, { deno, name, directory });
    functions.push(running);
    started.set(name, running);
  }
  return started;
}
