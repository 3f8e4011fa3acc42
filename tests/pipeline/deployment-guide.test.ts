import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { LOGIN_ROLE, LOGIN_ROLES, setPassword } from '../../scripts/local/database.ts';
import { DENO_PACKAGES, type EdgeFunction, startEdgeFunction } from '../../scripts/local/edge-function.ts';
import { type RunningStorage, startStorage } from '../../scripts/local/storage/main.ts';
import { importSigningKeys } from '../../src/identity/signing-keys.ts';
import { type HostedSupabase, REF, SERVICE_KEY, startHostedSupabase } from '../harness/supabase-hosted.ts';
import { type SupabaseImage, startSupabaseImage } from '../harness/supabase-image.ts';

// Follows docs/deployment.md, "Hosted Supabase", with the functions as the deployment: its commands as they stand there, by bash, with the
// pinned CLI. Played are supabase.com (supabase-hosted.ts) and the project's parts: its database by the roles and privileges of the
// image, its storage by the local one, its functions by Deno 2.1.

const GUIDE = readFileSync(path.join(ROOT, 'docs/deployment.md'), 'utf8');

/** The shell blocks below a heading of the guide. */
function blocksOf(heading: string): string[] {
  const [, section] = GUIDE.split(new RegExp(`^#+ ${heading}$`, 'm'));
  if (section === undefined) throw new Error(`docs/deployment.md has no heading "${heading}".`);
  const [own = ''] = section.split(/^##+ /m);
  return [...own.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);
}

/** The block below a heading that has a word in it. */
function blockWith(heading: string, word: string): string {
  const block = blocksOf(heading).find((commands) => commands.includes(word));
  if (block === undefined) throw new Error(`"${heading}" in docs/deployment.md has no block with ${word}.`);
  return block;
}

let folder: string;
let image: SupabaseImage;
let hosted: HostedSupabase;
let storage: RunningStorage | undefined;
const functions: EdgeFunction[] = [];
let env: Record<string, string>;

/** Runs commands of the guide, with what stands there for the reader's own replaced, in a checkout with the reader's `.env`. */
async function run(commands: string, replaced: Readonly<Record<string, string>> = {}): Promise<string> {
  const all = { '<ref>': REF, ...replaced };
  const script = Object.entries(all).reduce(
    (text, [place, value]) => text.replaceAll(place, value),
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

beforeAll(async () => {
  [image, hosted] = await Promise.all([startSupabaseImage(), startHostedSupabase()]);
  folder = mkdtempSync(path.join(os.tmpdir(), 'opine-guide-'));
  cpSync(SUPABASE_DIRECTORY, path.join(folder, 'supabase'), { recursive: true });
  for (const entry of ['node_modules', 'scripts', 'src', 'package.json', '.npmrc', 'tsconfig.json']) {
    symlinkSync(path.join(ROOT, entry), path.join(folder, entry));
  }
  mkdirSync(path.join(folder, 'supabase/.temp'));
  writeFileSync(path.join(folder, 'supabase/.temp/project-ref'), REF);
  env = {};
});

afterAll(async () => {
  for (const one of functions) await one.stop();
  await storage?.stop();
  await Promise.all([image?.stop(), hosted?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test('whoever follows the guide for hosted Supabase has a service of functions that signs people in and takes files', async () => {
  // Secrets: each line of the block makes one.
  const lines = blockWith('Secrets', 'keys').trim().split('\n');
  const values: string[] = [];
  for (const line of lines) values.push(await run(line));
  const [signingKey = '', pendingVoteKey = '', hashSecret = '', pushSecret = '', password = ''] = values;

  // 2. Schema
  const owner = /'postgresql:\/\/postgres:<owner password>@[^']+'/;
  const migrating = blockWith('2\\. Schema', 'db:migrate');
  expect(migrating).toMatch(owner);
  await run(migrating.replace(owner, `'${image.ownerUrl}'`));
  // `\password` of psql asks at a terminal.
  await setPassword(image.ownerUrl, LOGIN_ROLES, password);

  // 3. Signing key
  await run(blockWith('3\\. Signing key', 'signing-keys'), { '<the key>': signingKey });
  const published = JSON.parse(await run(blockWith('3\\. Signing key', 'jwks.json')));
  expect(published.keys).toEqual([expect.objectContaining({ kid: JSON.parse(signingKey).kid })]);

  // 4. Buckets
  storage = await startStorage({
    directory: path.join(folder, 'storage'),
    secretKey: SERVICE_KEY,
    signingSecret: 'what the project signs with',
    keys: (await importSigningKeys(hosted.signingKeys)).published,
    buckets: [],
  });
  hosted.serve('/storage/v1', storage.url);
  await run(blockWith('4\\. Buckets', 'seed buckets'));

  // 6. Connections and 7. The API and the worker, as functions
  const url = new URL(image.ownerUrl);
  url.username = LOGIN_ROLE;
  url.password = password;
  const written = {
    JWT_SIGNING_KEYS: `[${signingKey}]`,
    PENDING_VOTE_KEY: pendingVoteKey,
    HASH_SECRET: hashSecret,
    PUSH_SECRET: pushSecret,
    DATABASE_URL: url.href,
    SUPABASE_URL: `https://${REF}.supabase.co`,
    SMS_PROVIDER: 'twilio',
    SMS_TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    SMS_TWILIO_AUTH_TOKEN: 'of nobody',
    SMS_TWILIO_FROM: '+12025550100',
    APP_URL: 'https://opine.example',
    APP_LOGO_URL: 'https://opine.example/logo.png',
    TERMS_URL: 'https://opine.example/terms',
    PRIVACY_URL: 'https://opine.example/privacy',
  };
  const text = Object.entries(written).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(path.join(folder, '.env'), text.join(''));
  expect(parseEnv(text.join(''))).toEqual(written);
  await run(blockWith('7\\. The API and the worker', 'functions deploy'));
  const { SUPABASE_URL: _, ...secrets } = written;
  expect(Object.fromEntries(hosted.secrets)).toEqual(secrets);
  expect([...hosted.functions.keys()].sort()).toEqual(['api', 'push', 'upkeep']);
  await startDeployed();

  // 7. Any cron
  env = { PUSH_SECRET: pushSecret };
  await run(blockWith('7\\. The API and the worker', 'for name in push upkeep'));

  // 8. See that it works
  const api = `https://${REF}.supabase.co/functions/v1/api/v1`;
  const ask = async (commands: string) => JSON.parse(await run(`curl --fail-with-body -sS ${commands}`));
  expect(await ask(`${api}/auth/login-config`)).toMatchObject({ success: true });
  const json = `-H 'Content-Type: application/json'`;
  const { data: session } = await ask(
    `${json} -d '{"deviceId": "an install of a reader of the guide"}' ${api}/auth/anonymous/session`,
  );
  const picture = 'R0lGODlhAQABAAAAACw=';
  const bytes = Buffer.from(picture, 'base64');
  writeFileSync(path.join(folder, 'picture'), bytes);
  const announced = { purpose: 'profile_photo', contentType: 'image/png', sizeBytes: bytes.length };
  const { data: upload } = await ask(
    `${json} -H 'Authorization: Bearer ${session.accessToken}' -d '${JSON.stringify(announced)}' ${api}/uploads/presign`,
  );
  expect(upload.uploadUrl).toMatch(new RegExp(`^https://${REF}\\.supabase\\.co/storage/v1/`));
  await run(`curl -fsS -X PUT -H 'Content-Type: image/png' --data-binary @picture '${upload.uploadUrl}'`);
}, 180_000);

/** Runs what was deployed as the platform does: the files that the CLI sent, the secrets, and the platform's own variables. */
async function startDeployed(): Promise<void> {
  const directory = path.join(folder, 'deployed');
  for (const [slug, files] of hosted.functions) {
    for (const [file, bytes] of files) {
      const target = path.join(directory, slug, path.basename(file));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
  }
  const platform = {
    SUPABASE_URL: storage?.url ?? '',
    SUPABASE_PUBLIC_URL: `https://${REF}.supabase.co`,
    SUPABASE_SERVICE_ROLE_KEY: SERVICE_KEY,
  };
  const variables = { ...Object.fromEntries(hosted.secrets), ...platform };
  const [deno = 'deno'] = DENO_PACKAGES;
  for (const name of ['api', 'push', 'upkeep'] as const) {
    const running = await startEdgeFunction(variables, { deno, name, directory });
    functions.push(running);
    hosted.serve(`/functions/v1/${name}`, running.url);
  }
}
