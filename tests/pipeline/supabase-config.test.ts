import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { importJWK, jwtVerify } from 'jose';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT, SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { runSupabase } from '../../scripts/db/supabase-cli.ts';
import { DEVELOPMENT_KEY } from '../../scripts/local/dev-stack.ts';
import { VARIABLES } from '../../src/config.ts';
import { copySupabase } from './supabase-copy.ts';

const CONFIG = readFileSync(path.join(SUPABASE_DIRECTORY, 'config.toml'), 'utf8');

/** Returns the CLI's errors in a configuration; it prints them before it needs Docker. */
async function configErrors(directory: string): Promise<string[]> {
  const { stdout, stderr } = await runSupabase(['status'], path.dirname(directory));
  const lines = `${stderr}${stdout}`.split('\n');
  return lines.filter((line) => /does not recognize|[Ii]nvalid|failed to (read|parse|load)/.test(line));
}

test('the Supabase CLI accepts every setting of config.toml, and reports an unknown one', async () => {
  expect(await configErrors(SUPABASE_DIRECTORY)).toEqual([]);
  const copy = copySupabase();
  writeFileSync(path.join(copy.directory, 'config.toml'), CONFIG.replace('max_rows', 'most_rows'));
  expect(await configErrors(copy.directory)).toEqual([expect.stringContaining('api.most_rows')]);
});

test('the signing key of npm run dev equals that of the Supabase CLI', async () => {
  const { stdout } = await runSupabase(['gen', 'bearer-jwt', '--role', 'authenticated'], ROOT);
  const { d: _, ...publicKey } = DEVELOPMENT_KEY;
  const { payload } = await jwtVerify(stdout.trim(), await importJWK(publicKey));
  expect(payload.role).toBe('authenticated');
});

/** Variables that are not secrets of functions, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  NODE_ENV: 'functions are always production',
  PROCESS: 'functions always serve',
  HOST: 'the platform listens',
  PORT: 'the platform listens',
  KEEP_ALIVE_SECONDS: 'the platform listens',
  METRICS_HOST: 'Prometheus cannot reach the processes of a platform',
  METRICS_PORT: 'Prometheus cannot reach the processes of a platform',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'only Node sends traces',
  SUPABASE_URL: 'the platform sets it',
  SUPABASE_SECRET_KEY: 'the platform sets it under another name',
  PUBLIC_SUPABASE_URL: 'the platform sets it under another name if it differs from SUPABASE_URL',
  SMS_TEST_NUMBERS: 'refused in production',
  SMS_TEST_NUMBERS_WAIT: 'only test numbers are concerned',
  WEB_APP: 'only Node serves pages',
  STAFF_IDP_AUTHORIZATION_URL: 'only Node serves pages',
  SMS_TWILIO_URL: 'only tests use a fake of Twilio',
  PUSH_ADDRESS: 'refused in production',
  PUSH_FILE: 'refused in production',
  CHECK_ANSWERS: 'only development uses it',
};

test('every variable of the service is a secret of its functions or has a reason not to be', () => {
  const { edge_runtime } = z
    .object({ edge_runtime: z.object({ secrets: z.record(z.string(), z.string()) }) })
    .parse(parse(CONFIG));
  const secrets = Object.keys(edge_runtime.secrets);
  expect([...secrets, ...Object.keys(LEFT_OUT)].sort()).toEqual(VARIABLES.toSorted());
  for (const [name, value] of Object.entries(edge_runtime.secrets)) expect(value).toBe(`env(${name})`);
});
