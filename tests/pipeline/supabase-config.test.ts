import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { importJWK, jwtVerify } from 'jose';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT, SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { runSupabase } from '../../scripts/db/supabase-cli.ts';
import { DEVELOPMENT_KEY } from '../../scripts/local/dev-stack.ts';
import { copySupabase } from './supabase-copy.ts';

const CONFIG = readFileSync(path.join(SUPABASE_DIRECTORY, 'config.toml'), 'utf8');

/** What the CLI complains of, before it looks for Docker. */
async function complaintsOf(directory: string): Promise<string[]> {
  const { output, errors } = await runSupabase(['status'], path.dirname(directory));
  const lines = `${errors}${output}`.split('\n');
  return lines.filter((line) => /does not recognize|[Ii]nvalid|failed to (read|parse|load)/.test(line));
}

test('the Supabase CLI knows every setting, and says so where it does not', async () => {
  expect(await complaintsOf(SUPABASE_DIRECTORY)).toEqual([]);
  const copy = copySupabase();
  writeFileSync(path.join(copy.directory, 'config.toml'), CONFIG.replace('max_rows', 'most_rows'));
  expect(await complaintsOf(copy.directory)).toEqual([expect.stringContaining('api.most_rows')]);
});

test('the signing key of npm run dev is the one of the Supabase CLI', async () => {
  const { output } = await runSupabase(['gen', 'bearer-jwt', '--role', 'authenticated'], ROOT);
  const { d: _, ...publicKey } = DEVELOPMENT_KEY;
  const { payload } = await jwtVerify(output.trim(), await importJWK(publicKey));
  expect(payload.role).toBe('authenticated');
});

/** What functions read and no secret gives them. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  NODE_ENV: 'a function is production',
  PROCESS: 'a function serves, whatever it says',
  HOST: 'a function listens nowhere itself',
  PORT: 'a function listens nowhere itself',
  METRICS_HOST: 'Prometheus scrapes processes, of which a platform tells nothing',
  METRICS_PORT: 'likewise',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'traces are of Node alone',
  SUPABASE_URL: 'given by the platform',
  SUPABASE_SECRET_KEY: 'given by the platform, by another name',
  PUBLIC_SUPABASE_URL: 'given by the platform, by another name, where it is not SUPABASE_URL',
  SMS_TEST_NUMBERS: 'refused in production',
  SMS_TWILIO_URL: "another host that speaks Twilio's API is for tests",
  PUSH_ADDRESS: 'refused in production',
  PUSH_FILE: 'refused in production',
  CHECK_ANSWERS: 'for development',
};

test('every variable of the service is a secret of its functions, or left out for a reason', () => {
  const source = readFileSync(path.join(ROOT, 'src/config.ts'), 'utf8');
  const variables = [...source.matchAll(/^ {4}([A-Z_]+): /gm)].map(([, name = '']) => name);
  const { edge_runtime } = z
    .object({ edge_runtime: z.object({ secrets: z.record(z.string(), z.string()) }) })
    .parse(parse(CONFIG));
  const secrets = Object.keys(edge_runtime.secrets);
  expect(variables).toContain('PENDING_VOTE_KEY');
  expect([...secrets, ...Object.keys(LEFT_OUT)].sort()).toEqual(variables.sort());
  for (const [name, value] of Object.entries(edge_runtime.secrets)) expect(value).toBe(`env(${name})`);
});
