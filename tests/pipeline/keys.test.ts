import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { runTool } from '../../scripts/check/tools.ts';
import { runSupabase } from '../../scripts/db/supabase-cli.ts';
import { createTokens } from '../../src/identity/tokens.ts';

const makeKey = async () => JSON.parse((await runTool('node', ['scripts/keys.ts'])).output);

test('npm run keys makes a key of the form that the Supabase CLI makes', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { output } = await runSupabase(['gen', 'signing-key', '--algorithm', 'ES256'], folder);
  const theirs = JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '');
  const ours = await makeKey();
  const { kid, d, x, y, ...form } = theirs;
  expect(ours).toEqual({ ...form, kid: expect.stringMatching(/^[0-9a-f-]{36}$/), ...lengthsOf({ d, x, y }) });
});

test('it signs, and another one signs nothing like it', async () => {
  const [one, other] = [await makeKey(), await makeKey()];
  expect(await calculateJwkThumbprint(one)).not.toBe(await calculateJwkThumbprint(other));
  const issuer = 'https://opine.example/auth/v1';
  const tokens = await createTokens({ signingKeys: [one, other], issuer });
  const grant = {
    userId: '01990000-0000-7000-8000-000000000001',
    sessionId: '01990000-0000-7000-8000-000000000002',
    issuedAt: new Date(0),
    expiresAt: new Date(900_000),
  };
  expect(await tokens.verify(await tokens.sign(grant))).toMatchObject({ sub: grant.userId });
  const others = await createTokens({ signingKeys: [other], issuer });
  expect(await others.verify(await tokens.sign(grant))).toBeNull();
});

/** The parts of a key: any text of that length in base64url. */
function lengthsOf(parts: Record<string, string>): object {
  return Object.fromEntries(
    Object.entries(parts).map(([name, { length }]) => [
      name,
      expect.stringMatching(new RegExp(`^[\\w-]{${length}}$`)),
    ]),
  );
}
