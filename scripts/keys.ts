import { parseArgs } from 'node:util';
import type { JWK } from 'jose';
import { importSigningKeys } from '../src/identity/signing-keys.ts';
import { runScript } from './db/run-script.ts';
import { makeSigningKey } from './signing-key.ts';

/** Prints a new signing key, or with `--public` the key set by which services of Supabase verify tokens of `JWT_SIGNING_KEYS`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { public: { type: 'boolean', default: false } } });
  const printed = values.public ? await publicKeySet(process.env) : await makeSigningKey();
  process.stdout.write(`${JSON.stringify(printed)}\n`);
}

/**
 * Returns the public halves of `JWT_SIGNING_KEYS`, and `JWT_SECRET`, the shared secret of a self-hosted project, where it is set.
 * @throws Error if `JWT_SIGNING_KEYS` is missing or holds something else than ES256 keys
 */
async function publicKeySet({ JWT_SIGNING_KEYS: keys, JWT_SECRET: secret }: NodeJS.ProcessEnv) {
  if (!keys) throw new Error('JWT_SIGNING_KEYS is not set: the keys whose public halves to print.');
  const { published } = await importSigningKeys(parseKeys(keys));
  return { keys: secret ? [...published, sharedKey(secret)] : published };
}

function parseKeys(text: string): JWK[] {
  try {
    const keys: unknown = JSON.parse(text);
    if (Array.isArray(keys)) return keys;
  } catch {
    // JSON.parse quotes the text, which holds private keys.
  }
  throw new Error('JWT_SIGNING_KEYS is no JSON array of keys.');
}

function sharedKey(secret: string): JWK {
  return { kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256' };
}

runScript(main);
